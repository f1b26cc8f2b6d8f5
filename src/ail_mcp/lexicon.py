"""The lexicon: surface words to canonical names, from the closed table and the layers that a project puts on it.

Four regimes (paper 4.4) meet here: the closed table is the ground; a file, learned aliases and confirmed aliases are layers of one form
(see `lexiconfile`), and a later layer wins. The same layers give the same lexicon, and `version` says which one it is.
"""
from __future__ import annotations

import functools
import hashlib
import itertools
from collections import namedtuple

from .atoms import fold
from .errors import UsageError
from .lexicontable import CLOSED_VERSION, LEXICON_CHOICES, LEXICON_ROWS
from .phrasewords import ALIAS_WORDS_AT_MOST, ARTICLES, PHRASE_TREE, VERB_CLASSES, longest, plant, word_forms, words_of

ROW_KINDS = ("flag", "quantity", "choice", "text")
ROW_UNITS = ("", "time", "size", "length", "share", "rate", "px", "money")

NameRow = namedtuple("NameRow", "name kind predicate unit verbs safety domain", defaults=("", ("use",), False, "project"))
NameRow.__doc__ = """What is known of a canonical name: its kind of value (`ROW_KINDS`), its usual predicate, the dimension of a quantity, the classes
of verbs that add nothing, whether it is a safety boundary, its domain."""

AliasEntry = namedtuple("AliasEntry", "name value opposite weak says", defaults=(None, False, False, False))
AliasEntry.__doc__ = """What an alias stands for: a row, or one `value` of a choice; the `opposite` of a flag; `weak` where it needs its row beside
it; `says` where the alias alone is a rule."""


class Lexicon:
    """Rows and aliases. `layers` are mappings `{"version": n, "names": {name: NameRow}, "aliases": {words: AliasEntry or None}}`; None takes an
    alias away. Nothing changes after it is made."""

    def __init__(self, *layers: dict) -> None:
        rows, aliases = closed_table()
        self.rows: dict[str, NameRow] = dict(rows)
        self.aliases: dict[tuple[str, ...], AliasEntry] = dict(aliases)
        for layer in layers:
            self.rows.update(layer["names"])
            for words, entry in layer["aliases"].items():
                if entry is None:
                    self.aliases.pop(words, None)
                    self.aliases.pop(singular(words), None)
                else:
                    self.aliases[words] = entry
        self._tree: dict = {}
        for words, entry in self.aliases.items():
            plant(self._tree, words, entry)
        for words in itertools.chain.from_iterable(layer["aliases"] for layer in layers):
            if (entry := self.aliases.get(words)) and (one := singular(words)) not in self.aliases:
                plant(self._tree, one, entry)  # the table is written in singulars, people's files are not
        self.version = f"{CLOSED_VERSION}-{self._digest()}"

    def _digest(self) -> str:
        """Eight hex digits that change with any row or alias."""
        lines = sorted(map(repr, self.rows.values())) + sorted(map(repr, self.aliases.items()))
        return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:8]

    def canonical(self, name: str) -> str:
        """The canonical name of a subject; a name that is not known comes back folded. `canonical(canonical(x)) == canonical(x)`."""
        folded = fold(name)
        if folded in self.rows or len(folded) > 200:
            return folded
        words = words_of(folded)
        length, entry = self.find(words, 0)
        whole = length == len(words) > 0 and entry.value is None and not entry.opposite and not entry.weak
        return entry.name if whole else folded

    def find(self, words: list[tuple[str, int, int]], at: int) -> tuple[int, AliasEntry | None]:
        """`(number of words, entry)` of the longest alias that begins at word `at`; `(0, None)` when there is none."""
        return longest(self._tree, words, at, ARTICLES)

    def names_in(self, text: str) -> list[str]:
        """The canonical names of the aliases in a text, each once, in order, without words that are weak; linear time."""
        words, at, found = words_of(text), 0, {}
        while at < len(words):
            length, entry = self.find(words, at)
            if entry and not entry.weak:
                found[entry.name] = True
            at += length or 1
        return list(found)

    def is_safety(self, name: str) -> bool:
        """Whether a canonical name is a safety boundary: one of the detectors that may raise the safety flag, never the only one."""
        row = self.rows.get(name)
        return row is not None and row.safety


@functools.lru_cache(maxsize=1)
def shared_lexicon() -> Lexicon:
    """The lexicon of the script alone, made once."""
    return Lexicon()


def alias_words(text: str) -> tuple[str, ...]:
    """An alias as the row of words that is looked up, without articles. Raises UsageError for none, too many, or grammar alone."""
    words = [word for word in words_of(text) if word[0] not in ARTICLES]
    if not words or len(words) > ALIAS_WORDS_AT_MOST:
        raise UsageError(f"an alias has {len(words)} words; expected 1 to {ALIAS_WORDS_AT_MOST}")
    if not any(map(str.isalnum, text)):
        raise UsageError("an alias has no letter and no digit; expected words that name a thing")
    length, what = longest(PHRASE_TREE, words, 0)
    if length == len(words) and what[0] != "verb":
        raise UsageError(f"an alias is a word of the grammar ({what[0]}); expected words that name a thing")
    return tuple(word for word, _, _ in words)


def singular(words: tuple[str, ...]) -> tuple[str, ...]:
    """An alias with its last word as a singular, where it could be a plural."""
    forms = word_forms(words[-1])
    return (*words[:-1], forms[1] if len(forms) > 1 and words[-1].endswith("s") else words[-1])


@functools.lru_cache(maxsize=1)
def closed_table() -> tuple[dict[str, NameRow], dict[tuple[str, ...], AliasEntry]]:
    """`(rows, aliases)` of the table in the script, made once: do not change them. Raises ValueError when two rows claim one alias."""
    rows: dict[str, NameRow] = {}
    aliases: dict[tuple[str, ...], AliasEntry] = {}

    def add(text: str, entry: AliasEntry) -> None:
        words = alias_words(text)
        if aliases.setdefault(words, entry) != entry:
            raise ValueError(f"{text!r} stands for {aliases[words].name} and for {entry.name}")

    for row, texts in _table_rows(LEXICON_ROWS):
        rows[row.name] = row
        for text in texts:
            for alias in _expanded_alias(text.lstrip("!+")):
                add(alias, AliasEntry(row.name, opposite=text.startswith("!"), says=text[0] in "!+"))
    for name, value, texts in _table_choices(LEXICON_CHOICES):
        for text in texts:
            add(text.lstrip("?+"), AliasEntry(name, value, weak=text.startswith("?"), says=text.startswith("+")))
    for name in rows:
        if aliases.setdefault(alias_words(name), AliasEntry(name)).name != name:
            raise ValueError(f"{name!r} is a row and stands for {aliases[alias_words(name)].name}")
    return rows, aliases


def _table_rows(table: str) -> list[tuple[NameRow, list[str]]]:
    """Each row with its aliases."""
    found: list[tuple[NameRow, list[str]]] = []
    domain = ""
    for line in table.strip().split("\n"):
        if line.startswith("["):
            domain = line.strip("[]")
        elif line and not line.startswith(" "):
            name, _, rest = line.partition(" = ")
            words, _, verbs = rest.partition(" / ")
            kind, predicate, *more = words.split()
            unit = next((word[3:] for word in more if word.startswith("in:")), "")
            found.append((NameRow(name, kind, predicate, unit, tuple(verbs.split()), "safety" in more, domain), []))
        else:
            found[-1][1].extend(text for text in line.strip().rstrip(";").split("; ") if text)
    return found


def _table_choices(table: str) -> list[tuple[str, str, list[str]]]:
    """`(row, value, aliases)` for each value of each choice."""
    found = []
    name = ""
    for line in table.strip().split("\n"):
        if not line.startswith(" "):
            name = line
            continue
        for part in line.strip().rstrip("|").split(" | "):
            value, _, texts = part.strip().partition(" = ")
            found.append((name, value.lstrip("?+"), [value, *(text for text in texts.split("; ") if text)]))
    return found


def _expanded_alias(text: str) -> list[str]:
    """`a/b c` -> `a c`, `b c`; `_` is a blank."""
    parts = [word.split("/") for word in text.split()]
    return [" ".join(words).replace("_", " ") for words in itertools.product(*parts)]


def row_of(name: str, fields: dict) -> NameRow:
    """A row from the fields of a lexicon file. Raises UsageError for a field outside its range."""
    kind = fields.get("kind", "flag")
    usual = {"flag": "allowed", "choice": "selected"}.get(kind, "equals")
    verbs = tuple(str(fields.get("verbs", "use add")).split())
    predicate, safety = fields.get("predicate", usual), fields.get("safety", False)
    row = NameRow(name, kind, predicate, fields.get("unit", ""), verbs, safety, fields.get("domain", "project"))
    for field, value, allowed in (("kind", row.kind, ROW_KINDS), ("unit", row.unit, ROW_UNITS)):
        if value not in allowed:
            raise UsageError(f"{field} is none that is known; expected one of {', '.join(word or 'an empty text' for word in allowed)}")
    if not set(verbs) <= {*VERB_CLASSES, "none"}:
        raise UsageError(f"verbs names no known class; expected some of {', '.join(VERB_CLASSES)}")
    if type(row.safety) is not bool:
        raise UsageError("safety is no truth value; expected true or false")
    for field, value in (("predicate", row.predicate), ("domain", row.domain), ("the name", name)):
        if type(value) is not str or not value or fold(value) != value or len(value) > 80:
            raise UsageError(f"{field} is no canonical name; expected lower case words joined by _, at most 80 characters")
    return row
