"""Statements: the units of every source with their author, their cues, the anchors in them and the place in the session."""
from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from operator import itemgetter

from .cues import LowerWords, cue_rows, spoken_words
from .sentences import units
from .sources import part_of

STATEMENT_AT_MOST = 400     # characters of a statement with what it stands under
JOINED_AT_MOST = 320        # characters of neighbours that are one statement
_PRINTED = ("code", "output", "quote")

# Names, numbers and places: what a paraphrase cannot replace.
ANCHOR = re.compile(
    r"https?://[^\s\"'<>)\\]{1,400}|(?<![\w/.-])(?:~|\.{1,2})?/?(?:[\w.@-]{1,80}/){1,20}[\w.@-]{1,80}"
    r"|(?<![\w-])[\w-]{1,80}\.(?:py|go|tsx?|jsx?|rs|md|json|ya?ml|toml|sh|dart|css|html|sql|c|h|cpp|java|rb|lock)\b"
    r"|\b(?:[a-z]{1,40}[A-Z]\w{2,60}|[A-Z][a-z]{1,40}[A-Z]\w{1,60}|[A-Za-z]{2,40}_\w{2,60})\b|\b(?=[0-9a-f]{0,39}\d)(?=[0-9]{0,39}[a-f])[0-9a-f]{7,40}\b|#\d{1,8}\b"
    r"|(?<![\w.])\d[\d,]{0,20}(?:\.\d{1,10}){0,4}(?:\s?(?:%|ms|s|MB|KB|GB|px|tokens|lines|tests|files))?(?![\w-])")
# A number with its unit behind a blank: the only anchor that white space can stand in.
_SPACED_UNIT = re.compile(r"\d\s(?:%|ms|s|MB|KB|GB|px|tokens|lines|tests|files)(?![\w-])")
_ANCHOR_SIGN = re.compile(r"[/_\d]|[a-z][A-Z]|\.[a-z]")    # every anchor has one
_EMPHASIS = re.compile(r"\*\*|`|^\s{0,9}(?:[✅❌🔥🎉💪🚀⚠]\ufe0f?\s)", re.M)
_LABEL = re.compile(r"\s{0,4}\**[A-Z][\w /-]{1,30}\**:")
# What a speaker calls a statement is what it is: `Decision: ...`, `SAFETY RULE: ...`.
_NAMED_TYPES = {"goal": "goal objective", "safety": "safety", "constraint": "constraint requirement rule", "preference": "preference",
                "decision": "decision", "rejection": "rejected", "open": "todo", "fact": "fact"}
_NAMED_BONUS = 0.7          # who names the type wants it kept
_TYPE_OF_LABEL = {word: kind for kind, words in reversed(_NAMED_TYPES.items()) for word in words.split()}
_LABEL_WORDS = ("hard", "user", "state")
_NAMING_LABEL = re.compile(r"[\s>*_#-]{0,12}((?:[A-Za-z]{2,20}[ -])?[A-Za-z]{2,20})\*{0,2}:\*{0,2}\s{1,9}\S")
_ORDERS = ("order", "constraint", "goal", "safety", "open")     # what a tool's output may not say: it is a fact at most
_PLAYS_A_ROLE = re.compile(r"(?i)[\s>*_#`\[-]{0,12}(?:user|human|system|developer)\]?\s?(?:\([^)\n]{0,40}\))?\*{0,2}\s?:")
_OPENING = " \t*_`\"'([#>-–✅❌"


class Statement:
    """One unit. `start` and `end` are its span in the turn; 0 and 0 where it is no part of the turn's own text (see TextSource)."""

    __slots__ = ("anchors", "at", "author", "binds", "bonus", "context", "counts", "cues", "end", "kind", "label", "mark", "order", "place", "quote",
                 "replaces", "spoken", "spot", "start", "sure", "text", "turn", "under", "unit", "until", "words")

    def __init__(self, *, turn: int, kind: str, author: str, start: int, end: int, text: str, quote: str, context: str, under: tuple, unit: str,
                 cues: dict, words: list, anchors: frozenset, order: int, at: int, until: int, label: bool, mark: bool, spoken: int) -> None:
        self.turn, self.kind, self.author, self.start, self.end, self.text, self.quote = turn, kind, author, start, end, text, quote
        self.context, self.under, self.unit, self.cues, self.words, self.anchors = context, under, unit, cues, words, anchors
        self.order, self.at, self.until, self.label, self.mark, self.spoken = order, at, until, label, mark, spoken
        self.place, self.spot = 0, 1.0      # the number among the statements of its text, and where in them it stands, up to 1
        self.sure, self.bonus = "", 0.0     # the type, where a rule settles it; what the rule adds to the worth
        self.replaces: list[str] = []       # what it replaces, in the words that were used
        self.binds = False                  # whether it is a sure rule of the user, which stands by itself
        self.counts = False                 # whether it holds at the end of the session

    def copy(self) -> Statement:
        """Another one of the same that may be changed."""
        made = Statement.__new__(Statement)
        for name in Statement.__slots__:
            setattr(made, name, getattr(self, name))
        made.cues, made.words = CueWeights(self.cues), list(self.words)
        return made


class CueWeights(dict):
    """The weight of the cues of each class; a class without cues is 0."""

    __slots__ = ()

    def __missing__(self, kind: str) -> int:
        return 0


def anchors_of(text: str) -> frozenset[str]:
    """The anchors in a text. A text says most of its words more than once, and no anchor but a number with its unit spans two."""
    return _anchors_of(text) if len(text) > 100 else _anchors_of_short(text)    # short ones come again: paths, commands, a word of assent


def _anchors_of(text: str) -> frozenset[str]:
    if _SPACED_UNIT.search(text):
        return frozenset(ANCHOR.findall(text))
    runs = set(text.split())
    if max(map(len, runs), default=0) < 100:
        return frozenset().union(*map(_anchors_in, runs))
    return frozenset({anchor for run in runs for anchor in (_anchors_in(run) if len(run) < 100 else ANCHOR.findall(run))})


_anchors_of_short = lru_cache(maxsize=1 << 12)(_anchors_of)


@lru_cache(maxsize=1 << 15)
def _anchors_in(run: str) -> tuple[str, ...]:
    return tuple(ANCHOR.findall(run)) if _ANCHOR_SIGN.search(run) else ()


def named_type(text: str) -> str:
    """The type that a statement names at its beginning, "" if none; of two words that name one, the one that binds more."""
    label = _NAMING_LABEL.match(text)
    if not label:
        return ""
    words = label[1].lower().replace("-", " ").split()
    kinds = [_TYPE_OF_LABEL[word.removesuffix("s")] for word in words if word.removesuffix("s") in _TYPE_OF_LABEL]
    return min(kinds, key=list(_NAMED_TYPES).index, default="")


def unlabelled(text: str) -> str:
    """A statement without the labels that only name its type, `HARD CONSTRAINT: ...`: for where the type is said beside it."""
    label = _NAMING_LABEL.match(text)
    if not label or not all(word.removesuffix("s") in _TYPE_OF_LABEL or word in _LABEL_WORDS for word in label[1].lower().replace("-", " ").split()):
        return text
    name = text[:label.end() - 1]
    return text[len(name):].replace(f". {name}", ". ").replace(f"; {name}", "; ")


def plain(text: str) -> str:
    """The text on one line, without marks of emphasis."""
    if "`" in text or "**" in text or not text.isascii():
        text = _EMPHASIS.sub("", text)
    return " ".join(text.split())


def single_statements(source_list: list, standing: object = list) -> list[list[Statement]]:
    """The statements of each source, one for each unit. `standing` maps those of the session, in order, to those of them that count."""
    known = LowerWords()
    by_source = [_of_source(source, source.parts[0][1], known) for source in source_list]
    for statement in standing([statement for own in by_source for statement in own]):
        statement.counts = True
    return by_source


def statements(source_list: list, joined: int = JOINED_AT_MOST, standing: object = list, single: list | None = None) -> list[Statement]:
    """The statements of all sources, in order; neighbours under one heading are one statement while it is short. `single` are the
    `single_statements` where the caller has them; joining leaves them as they are."""
    by_source = single_statements(source_list, standing) if single is None else single
    found: list[Statement] = []
    for source, own in zip(source_list, by_source):
        inside: list[Statement] = []
        beside = False      # whether the one before counts: what is joined is one span
        for statement in own:
            if statement.counts and not (beside and _join(inside[-1], statement, source, joined)):
                inside.append(statement.copy() if single and joined else statement)
            beside = statement.counts
        for number, statement in enumerate(inside):
            statement.place, statement.spot = number, (number + 1) / len(inside)
        found += inside
    return found


def _join(last: Statement, more: Statement, source: object, most: int) -> bool:
    """Append a statement to the one before where they belong together; False where not."""
    if last.under != more.under or last.turn != more.turn or len(last.text) + len(more.text) >= most:
        return False
    if (last.unit in _PRINTED) != (more.unit in _PRINTED) or last.sure != more.sure or last.binds != more.binds:
        return False
    last.text += (" " if last.unit == "sentence" else "; ") + more.text
    if more.end:
        last.end = more.end
        last.quote = source.text[last.at:more.until][:STATEMENT_AT_MOST]
    else:
        last.quote = (last.quote + " " + more.quote)[:STATEMENT_AT_MOST]
    last.until = more.until
    last.words += more.words
    last.anchors |= more.anchors
    last.replaces += more.replaces
    last.label |= more.label
    last.mark |= more.mark
    for kind, weight in more.cues.items():
        last.cues[kind] += weight
    return True


def _of_source(source: object, order: int, known: LowerWords) -> list[Statement]:
    text = source.text
    word_places, words = spoken_words(text, known)
    cues = sorted(cue_rows(text, word_places, words), key=itemgetter(0))
    cue_places = [at for at, _ in cues]
    own = source.kind not in ("instructions", "document", "report")
    contexts: dict[tuple, str] = {}
    found, posed = [], 0
    for unit in units(text):
        raw = text[unit.start:unit.end]
        if source.author != "user" and (_PLAYS_A_ROLE.match(raw) or (posed and "\n\n" not in text[posed:unit.start])):
            posed = unit.end        # the rest of the paragraph goes with it
            continue
        said = plain(raw if len(raw) <= 1200 else raw[:1200])
        if not any(map(str.isalnum, said)) or len(said) < 6 and (source.author != "user" or unit.kind == "row"):
            continue
        base, turn = part_of(source, unit.start)
        if unit.under not in contexts:
            contexts[unit.under] = " - ".join(filter(None, (plain(text[a:b])[:100].strip(" :#|-") for a, b in unit.under[-2:])))
        counts = CueWeights()
        opening = unit.start + len(raw) - len(raw.lstrip(_OPENING))
        for at, rows in cues[bisect_left(cue_places, unit.start):bisect_left(cue_places, unit.end)]:
            for kind, weight, first in rows:
                if not first or at <= opening:
                    counts[kind] = counts.get(kind, 0) + weight
        if source.author == "tool" and any(counts[kind] >= 3 for kind in _ORDERS):
            continue
        inside = words[bisect_left(word_places, unit.start):bisect_left(word_places, unit.end)]
        found.append(Statement(
            turn=turn, kind=source.kind, author=source.author, start=unit.start - base if own else 0, end=unit.end - base if own else 0,
            text=said[:STATEMENT_AT_MOST], quote=raw[:STATEMENT_AT_MOST], context=contexts[unit.under], under=unit.under, unit=unit.kind, cues=counts,
            words=inside, anchors=anchors_of(said), order=order, at=unit.start, until=unit.end, label=bool(_LABEL.match(raw)),
            mark="?" in said or "？" in said, spoken=len(text)))
        if source.author != "tool" and unit.kind not in _PRINTED:
            same_line = len(found) > 1 and found[-2].sure and "\n" not in text[found[-2].at:unit.start]
            found[-1].sure = named_type(raw) or (found[-2].sure if same_line else "")
            found[-1].bonus = _NAMED_BONUS * bool(found[-1].sure)
    return found
