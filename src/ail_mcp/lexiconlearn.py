"""Aliases induced from labelled atoms (the corpus-derived regime of paper 4.4), with counts, and the drift against an earlier lexicon.

One labelled line is a phrase and the atom that somebody says it is. The phrase is read without the words that nobody knows: what remains to
be named is the candidate ("no {third-party blobs}", "use {the html5 tag}"). It counts only where the reading agrees with the label in
polarity and value, so a phrase that the grammar does not understand teaches nothing. An alias with two owners is reported and not taken.
"""
from __future__ import annotations

import collections
import json
from collections import namedtuple

from .atoms import Atom, fold
from .clauses import Claim, cut_scope, read_clause
from .clausetokens import Token, sentence_spans, tokens_of
from .errors import UsageError
from .lexicon import AliasEntry, Lexicon, NameRow, alias_words, row_of
from .normalize import normalize
from .phrasewords import ARTICLES
from .quantities import normal_value

UNKNOWN_WORDS_AT_MOST = 5
LEARNED_FROM_AT_LEAST = 2  # phrases, before an alias is believed

Label = namedtuple("Label", "line phrase subject predicate value")
Label.__doc__ = """A phrase and the atom it stands for; `line` is its place in the file."""


def learn_aliases(labels: list[Label], lexicon: Lexicon, at_least: int = LEARNED_FROM_AT_LEAST) -> tuple[dict, dict, dict]:
    """`(names, aliases, report)` as a lexicon file holds them. `report` lists what was not taken: `conflicting` (evidence for two names, or
    against the lexicon), `rare` (seen less often than `at_least`), `unread` (lines whose phrase teaches nothing)."""
    rows, crossed = _rows_of(labels, lexicon)
    known = lexicon.rows | rows
    evidence: dict[tuple[str, ...], collections.Counter] = {}
    spelled: dict[tuple[str, ...], collections.Counter] = {}
    unread, conflicting = [], []
    for label in labels:
        name = lexicon.canonical(label.subject)
        found = _taught(label, known[name], lexicon) if name in known else None
        if found is None:
            other = _read_otherwise(label, name, lexicon)
            if other:
                conflicting.append({"line": label.line, "label": name, "reads": other})
            elif other is None:
                unread.append({"line": label.line})
            continue
        words, text, entry = found
        evidence.setdefault(words, collections.Counter())[entry] += 1
        spelled.setdefault(words, collections.Counter())[text] += 1
    aliases, rare = {}, []
    for words, entries in sorted(evidence.items()):
        text = min(spelled[words], key=lambda text: (-spelled[words][text], text))
        present = lexicon.aliases.get(words)
        owners = {_owner(entry): count for entry, count in sorted(entries.items(), key=repr)}
        if present is not None and present[:3] not in [entry[:3] for entry in entries]:
            owners[f"{_owner(present)} (the lexicon)"] = 0
        if len(owners) > 1:
            conflicting.append({"alias": text, "counts": owners})
        elif sum(entries.values()) < at_least:
            rare.append({"alias": text, "name": next(iter(owners)), "count": sum(entries.values())})
        else:
            entry = next(iter(entries))
            aliases[text] = {"name": entry.name, "count": sum(entries.values()), "from": "learned", **({"value": entry.value} if entry.value else {}),
                             **({"opposite": True} if entry.opposite else {})}
    used = {entry["name"] for entry in aliases.values()}
    names = {name: {"kind": row.kind, "predicate": row.predicate} for name, row in rows.items() if name in used}
    return names, aliases, {"conflicting": conflicting + crossed, "rare": rare, "unread": unread}


def _owner(entry: AliasEntry) -> str:
    return entry.name + (f" = {entry.value}" if entry.value else "") + (" (opposite)" if entry.opposite else "")


def _rows_of(labels: list[Label], lexicon: Lexicon) -> tuple[dict[str, NameRow], list[dict]]:
    """`(rows of labelled names that the lexicon has not, those whose labels disagree)`."""
    shapes: dict[str, collections.Counter] = {}
    for label in labels:
        name = lexicon.canonical(label.subject)
        if name and name not in lexicon.rows:
            kind = "flag" if type(label.value) is bool else "quantity" if normal_value(label.value)[0] == "number" else "choice"
            shapes.setdefault(name, collections.Counter())[kind, _base_predicate(fold(label.predicate))] += 1
    rows, crossed = {}, []
    for name, counts in sorted(shapes.items()):
        if len(counts) > 1:
            crossed.append({"name": name, "counts": {f"{kind} {predicate}": count for (kind, predicate), count in sorted(counts.items())}})
            continue
        kind, predicate = next(iter(counts))
        try:
            rows[name] = row_of(name, {"kind": kind, "predicate": predicate, "verbs": "use add make have"})
        except UsageError:
            crossed.append({"name": name, "counts": {"no canonical name": sum(counts.values())}})
    return rows, crossed


_LIMITS = frozenset("at_most at_least less_than more_than about between equals".split())


def _base_predicate(predicate: str) -> str:
    """The usual predicate behind a limit or a rejection."""
    return "equals" if predicate in _LIMITS else "selected" if predicate == "rejected" else predicate


def _read_otherwise(label: Label, name: str, lexicon: Lexicon) -> str | None:
    """The name that the lexicon reads in the phrase for certain, where it is not what the label says; "" where it says the same, None where it
    reads nothing for certain."""
    sure = [atom for atom in normalize(label.phrase, lexicon) if not atom.ambiguous]
    if any((atom.subject, normal_value(atom.value)) == (name, normal_value(label.value)) for atom in sure):
        return ""
    return sure[0].subject if len(sure) == 1 else None


def _taught(label: Label, row: NameRow, lexicon: Lexicon) -> tuple[tuple[str, ...], str, AliasEntry] | None:
    """`(alias words, alias text, what it stands for)`, when the phrase reads as the label says with one unknown thing named; else None.

    The unknown thing is put into the clause as the name and the value that the label gives, and the clause is read again: its reading has
    to be the label.
    """
    spans = sentence_spans(label.phrase)
    if len(spans) != 1:
        return None
    tokens = tokens_of(label.phrase, *spans[0], lexicon)
    gap = unknown_run(tokens, label.phrase)
    if gap is None or any(token.kind == "name" for token in tokens[:gap[0]] + tokens[gap[1]:]):
        return None
    run = tokens[gap[0]:gap[1]]
    text = label.phrase[run[0].start:run[-1].end]
    try:
        words = alias_words(text)
    except UsageError:
        return None
    if len(words) > UNKNOWN_WORDS_AT_MOST:
        return None
    entry = AliasEntry(row.name, label.value if row.kind == "choice" and type(label.value) is str else None)
    claims = read_with(tokens, gap, entry, row, label.phrase, lexicon) or []
    if len(claims) != 1 or normal_value(claims[0].value) != normal_value(label.value) or fold(claims[0].predicate) != fold(label.predicate):
        return None
    return words, " ".join(words), entry


def read_with(tokens: list[Token], gap: tuple[int, int], entry: AliasEntry, row: NameRow, phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """What a clause says when the words of its gap stand for an entry."""
    run = tokens[gap[0]:gap[1]]
    name = Token("name", entry, phrase[run[0].start:run[-1].end].casefold(), run[0].start, run[-1].end)
    return read_clause([*tokens[:gap[0]], name, *tokens[gap[1]:]], phrase, _WithRow(lexicon, row))


class _WithRow:
    """A lexicon with one more row, for reading a clause."""

    def __init__(self, lexicon: Lexicon, row: NameRow) -> None:
        self.rows = collections.ChainMap({row.name: row}, lexicon.rows)
        self.canonical = lexicon.canonical


def unknown_run(tokens: list[Token], phrase: str) -> tuple[int, int] | None:
    """Where the one run of words stands that has no name yet, outside the scope: words that nobody knows, and names beside them."""
    head, scope = cut_scope(tokens, phrase)
    tokens = head if scope else tokens
    unknown = [i for i, token in enumerate(tokens) if token.kind == "word"]
    if not unknown:
        return None
    first, last = unknown[0], unknown[-1]
    while first and (tokens[first - 1].kind == "name" or _is_noun(tokens, first - 1)):
        first -= 1
    while last + 1 < len(tokens) and (tokens[last + 1].kind == "name" or tokens[last + 1].kind == "verb" and "use" not in tokens[last + 1].data):
        last += 1
    inside = tokens[first:last + 1]
    plain = all(token.kind in ("word", "name", "verb") or token.kind == "fill" and token.text in ARTICLES for token in inside)
    return (first, last + 1) if plain else None


def _is_noun(tokens: list[Token], at: int) -> bool:
    """Whether a verb of the grammar stands where only a part of a name can: "the drawing board", "no drawing boards"."""
    token = tokens[at]
    if token.kind != "verb" or "use" in token.data:
        return False
    return token.text.endswith("ing") or at > 0 and (tokens[at - 1].text in ARTICLES or tokens[at - 1].kind == "no")


def read_labels(text: str, where: str) -> list[Label]:
    """The labelled phrases of JSON Lines: `phrase` or `quote` (or the quote of `evidence`), `subject`, `predicate`, `value`. Raises UsageError."""
    labels = []
    for number, record in json_lines(text, where):
        evidence = record.get("evidence")
        phrase = record.get("phrase") or record.get("quote") or (evidence.get("quote") if type(evidence) is dict else None)
        place = f"{where}, line {number}"
        for field, value in (("phrase (or quote)", phrase), ("subject", record.get("subject")), ("predicate", record.get("predicate"))):
            if type(value) is not str or not value.strip() or len(value) > 4_000:
                raise UsageError(f"{place}: {field} is missing or no text; expected phrase, subject, predicate and value")
        value = record.get("value")
        if type(value) not in (bool, int, float, str):
            raise UsageError(f"{place}: value is none of truth value, number, text; expected one of these")
        Atom("fact", record["subject"], record["predicate"], value)
        labels.append(Label(number, phrase, record["subject"], record["predicate"], value))
    return labels


def json_lines(text: str, where: str) -> list[tuple[int, dict]]:
    """`(line number, object)` of each line that is not blank. Raises UsageError that names the line."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if type(record) is not dict:
                raise UsageError(f"{where}, line {number}: no JSON object; expected one on each line")
            found.append((number, record))
    return found


def lexicon_drift(old: dict, new: dict) -> dict[str, list]:
    """What changed between the aliases of two lexicon files: `new`, `gone`, `changed` (another name) and `moved` (another count)."""
    def facts(layer: dict) -> dict:
        return {text: {"name": value} if type(value) is str else dict(value or {}) for text, value in layer["aliases"].items()}

    before, after = facts(old), facts(new)
    report: dict[str, list] = {"new": [], "gone": [], "changed": [], "moved": []}
    for text in sorted(before.keys() | after.keys()):
        was, now = before.get(text), after.get(text)
        if was is None or now is None:
            report["gone" if now is None else "new"].append({"alias": text, **(was or now or {})})
            continue
        meaning_was, meaning_now = ({k: v for k, v in side.items() if k not in ("count", "from")} for side in (was, now))
        if meaning_was != meaning_now:
            report["changed"].append({"alias": text, "was": meaning_was, "now": meaning_now})
        elif was.get("count") != now.get("count"):
            report["moved"].append({"alias": text, "was": was.get("count", 0), "now": now.get("count", 0)})
    return report
