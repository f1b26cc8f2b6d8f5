"""Turns to atoms: what in a session must survive, found by rule, each with its type, author and exact place.

Statements are the units of talk (see `sentences`), neighbours under one heading joined as long as they are short. Cues, the heading above, the author
and the kind of turn give each statement its types; what is in it and when it was said give its salience. The author comes from the envelope alone.
"""
from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter

from .atoms import Atom, Evidence
from .cues import find_cues, words_of
from .sentences import units

STATEMENT_AT_MOST = 400     # characters of a statement with what it stands under
ATOMS_AT_MOST = 112         # atoms of one session: more is a transcript again

_AUTHORS = {"human": "user", "steer": "user", "answer": "user", "preference": "user", "note": "user", "reply": "assistant", "compact": "assistant"}

# What a type needs before it is believed, by author: the score of its cues must reach this.
_PRIOR = {
    ("user", "goal"): 1.0, ("user", "constraint"): 1.5, ("user", "preference"): 0.5, ("user", "decision"): 0.5, ("user", "rejection"): 0.3,
    ("user", "fact"): 0.5, ("user", "open"): 0.0, ("user", "done"): -2.0, ("user", "artifact"): -1.0, ("user", "safety"): -0.5,
    ("assistant", "goal"): -9.0, ("assistant", "constraint"): -1.5, ("assistant", "preference"): -9.0, ("assistant", "decision"): 0.5, ("assistant", "rejection"): 0.3,
    ("assistant", "fact"): 1.5, ("assistant", "open"): 0.0, ("assistant", "done"): 1.0, ("assistant", "artifact"): 0.0, ("assistant", "safety"): -1.0,
}
_TYPES = ("goal", "constraint", "preference", "decision", "rejection", "fact", "open", "done", "artifact", "safety")

# Words of the heading or the line above that settle what stands under it.
_HEADINGS = {
    "open": "next steps remaining todo to-do open questions question issues issue suggestions follow-up improvements future pending known",
    "decision": "decision decisions fix approach solution changes design recommendation architecture",
    "done": "summary done completed changed made changes implemented what built",
    "constraint": "requirements requirement constraints rules rule verification must policy guidelines notes important",
    "rejection": "against rejected alternatives cons not limitations considered downsides",
    "fact": "context background root cause analysis findings bug bugs problem insight overview why cause limitations",
    "goal": "goal goals objective task purpose",
    "artifact": "files file artifacts structure",
    "safety": "security privacy permissions safety",
}
_HEADING_TYPES: dict[str, list[str]] = {}
for _type, _names in _HEADINGS.items():
    for _name in _names.split():
        _HEADING_TYPES.setdefault(_name, []).append(_type)

_CODE_SPAN = re.compile(r"`[^`\n]{2,120}`")
_ANCHOR = re.compile(
    r"https?://[^\s\"'<>)\\]+|(?<![\w/.])(?:~|\.{1,2})?/?(?:[\w.@-]{1,80}/){1,20}[\w.@-]{1,80}|\b[\w-]{1,80}\.(?:py|go|tsx?|jsx?|rs|md|json|ya?ml|toml|sh|css|html|sql|c|h|cpp|java|rb|lock)\b"
    r"|\b(?:[a-z]+[A-Z]\w{2,60}|[A-Z][a-z]+[A-Z]\w{1,60}|\w{2,40}_\w{2,60})\b|\b(?=[0-9a-f]{0,39}\d)(?=[0-9]{0,39}[a-f])[0-9a-f]{7,40}\b|#\d{1,8}\b"
    r"|(?<![\w.])\d[\d,]*(?:\.\d+)*(?:\s?(?:%|ms|s|MB|KB|GB|px|tokens|lines|tests|files))?(?![\w-])")
_EMPHASIS = re.compile(r"\*\*|`|^\s*[✅❌⚠️🔥🎉💪-]{1,3}\s", re.M)


class Statement:
    """Some neighbouring units of one turn, and what is known of them."""

    __slots__ = ("author", "context", "end", "kind", "scores", "start", "text", "turn", "units", "weight", "anchors", "cues", "order")

    def __init__(self, turn: int, kind: str, author: str, start: int, end: int, text: str, context: str) -> None:
        self.turn, self.kind, self.author, self.start, self.end, self.text, self.context = turn, kind, author, start, end, text, context
        self.scores: dict[str, float] = {}
        self.cues: Counter = Counter()
        self.anchors: set[str] = set()
        self.weight = 0.0


def plain(text: str) -> str:
    """The text on one line, without marks of emphasis."""
    return " ".join(_EMPHASIS.sub("", text).split())


def extract(turns: list) -> list[Atom]:
    """The atoms of a session, the most important first. `turns` are redacted; with tools (see transcript) results serve as facts."""
    statements = _statements(turns)
    for statement in statements:
        _score(statement)
    _weigh(statements, turns)
    return _atoms(_choose(statements), turns)


def _statements(turns: list) -> list[Statement]:
    found: list[Statement] = []
    note_run: list[tuple[int, str]] = []
    for number, turn in enumerate(turns, 1):
        if turn.kind == "note":
            note_run.append((number, turn.text))
            continue
        if note_run:
            found += _of_text(note_run, "note", "user")
            note_run = []
        author = _AUTHORS.get(turn.kind)
        if author:
            found += _of_text([(number, turn.text)], turn.kind, author)
    if note_run:
        found += _of_text(note_run, "note", "user")
    return found


def _of_text(parts: list[tuple[int, str]], kind: str, author: str) -> list[Statement]:
    """The statements of one text, which may be told in several turns (lines of a document)."""
    text = "\n".join(part for _, part in parts)
    starts, at = [], 0
    for _, part in parts:
        starts.append(at)
        at += len(part) + 1
    words = words_of(text)
    cues = sorted(find_cues(text, words))
    places = [cue.at for cue in cues]
    found: list[Statement] = []
    current, under, firsts = None, None, []
    for unit in units(text):
        if unit.kind == "output" and author == "user" and unit.end - unit.start > 600:
            unit = unit._replace(end=unit.start + 300)
        said = plain(text[unit.start:unit.end])[:STATEMENT_AT_MOST]
        if not said:
            continue
        fits = current is not None and unit.under == under and len(current.context) + len(current.text) + len(said) + 3 <= STATEMENT_AT_MOST
        if not fits:
            part = bisect_right(starts, unit.start) - 1
            context = " - ".join(plain(text[a:b]).strip(" :#")[:100] for a, b in unit.under[-2:])
            current = Statement(parts[part][0], kind, author, unit.start - starts[part], unit.end - starts[part], said, context)
            current.units = [unit]
            current.order = len(found)
            under = unit.under
            found.append(current)
        else:
            current.text += " " + said
            current.end = unit.end - starts[bisect_right(starts, current.units[0].start) - 1]
            current.units.append(unit)
        first, last = bisect_right(places, unit.start - 1), bisect_right(places, unit.end - 1)
        opening = unit.start + len(text[unit.start:unit.end]) - len(text[unit.start:unit.end].lstrip(" *_`\"'([#>-✅❌⚠️"))
        for cue in cues[first:last]:
            if not cue.first or cue.at <= opening:
                current.cues[cue.kind] += cue.weight
    return found


def _score(statement: Statement) -> None:
    """How much speaks for each type."""
    cues, author = statement.cues, statement.author
    heads = Counter(kind for word in dict.fromkeys(word for _, word in words_of(statement.context)) for kind in _HEADING_TYPES.get(word, ()))
    kinds = {unit.kind for unit in statement.units}
    for kind in _TYPES:
        statement.scores[kind] = _PRIOR[author, kind] + min(6.0, cues[kind]) + 2.0 * min(1, heads[kind])
    scores = statement.scores
    if "?" in statement.text or "？" in statement.text:
        scores["open"] += 2.5
        scores["fact"] -= 1.5
    if cues["hedge"]:
        scores["fact"] -= 1.0
    if cues["negation"]:
        scores["rejection"] += 0.8
        scores["constraint"] += 0.8 if author == "user" else 0
    if kinds <= {"output", "code", "quote"}:
        for kind in ("goal", "constraint", "preference", "decision", "open", "safety", "rejection", "done"):
            scores[kind] -= 3
        scores["fact"] += 2


def _weigh(statements: list[Statement], turns: list) -> None:
    """How much depends on a statement: its words, its anchors and whether they come again, its place."""
    seen: Counter = Counter()
    for statement in statements:
        statement.anchors = set(_ANCHOR.findall(statement.text))
        seen.update(statement.anchors)
    total = max(1, len(turns))
    first = next((s.turn for s in statements if s.author == "user"), 0)
    for statement in statements:
        cues = statement.cues
        top = max(statement.scores.values())
        value = top + 0.5 * min(6, len(statement.anchors)) + 0.15 * sum(min(seen[a] - 1, 4) for a in list(statement.anchors)[:8])
        value += min(len(statement.text), 300) / 100
        if statement.author == "user":
            value += 2.0
        if statement.turn == first:
            value += 1.0
        value += 2.0 * statement.turn / total
        value -= 2.0 * min(2, cues["narration"] / 3)
        if len(statement.text) < 25:
            value -= 2.5
        if {unit.kind for unit in statement.units} <= {"output", "code"}:
            value -= 2.0
        statement.weight = value


def _choose(statements: list[Statement]) -> list[tuple[float, str, Statement]]:
    """The best (weight, type, statement), within the limit."""
    offers = []
    for statement in statements:
        ranked = sorted(statement.scores.items(), key=lambda item: -item[1])
        best = ranked[0][1]
        for place, (kind, score) in enumerate(ranked[:3]):
            if place == 0 or score >= best - 1.5 and score >= 2.5:
                offers.append((statement.weight - 1.2 * place, kind, statement))
    offers.sort(key=lambda offer: (-offer[0], offer[2].turn, offer[2].start))
    return offers[:ATOMS_AT_MOST]


def _atoms(chosen: list, turns: list) -> list[Atom]:
    atoms = []
    for _, kind, statement in chosen:
        turn = turns[statement.turn - 1]
        evidence = Evidence("", statement.turn, statement.start, statement.end, turn.text[statement.start:statement.end][:STATEMENT_AT_MOST])
        atoms.append(Atom(kind, value=statement.text, scope=statement.context, evidence=evidence, author=statement.author, ambiguous=True,
                          confidence=0.7))
    return atoms


def statement_of(atom: Atom) -> str:
    """An atom's scope and value in one line of at most 400 characters."""
    value = atom.value if isinstance(atom.value, str) else str(atom.value)
    return f"{atom.scope}: {value}"[:STATEMENT_AT_MOST] if atom.scope else value[:STATEMENT_AT_MOST]
