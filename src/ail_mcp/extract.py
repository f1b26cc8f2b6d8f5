"""Turns to atoms: what of a session must survive, found by rule, each with its type, its author and its exact place.

Every statement gets the types that its cues, its heading and its author speak for, and a worth (see `salience`). The best are chosen one after
the other, each by what it adds to those before it for its length, so that any beginning of the result is a good choice for its size. A statement
that is two things (a decision and the rejection of something else) is two atoms with one span; who writes them out says it once. The author comes
from the envelope alone: what a tool gave back can be a fact and nothing else, and an answer that plays the user is dropped. The words carry the
polarity of an atom: its value is the statement, and `modality` tells how far it binds.
"""
from __future__ import annotations

import collections
import heapq
from itertools import chain
from math import exp, log

from .atoms import Atom, Evidence
from .bindings import bound_statements
from .happened import happened_statements
from .said import JOINED_AT_MOST, STATEMENT_AT_MOST, statements
from .salience import heading_types, importance
from .sources import sources
from .supersession import without_superseded, without_updated
from .trail import trail

ATOMS_AT_MOST = 112         # atoms of one session; more is a transcript again

_TYPES = ("goal", "constraint", "preference", "decision", "rejection", "fact", "open", "done", "artifact", "safety")
# How far each author is from stating each type at all.
_PRIOR = {
    "user": {"goal": 0.3, "constraint": 0.8, "preference": 0.0, "decision": 0.2, "rejection": 0.0, "fact": 0.4, "open": 0.1, "done": -1.5,
             "artifact": -1.0, "safety": 0.3},
    "assistant": {"goal": -3.0, "constraint": -1.0, "preference": -3.0, "decision": 0.2, "rejection": -0.2, "fact": 0.8, "open": 0.1, "done": 0.4,
                  "artifact": 0.0, "safety": -0.7},
}
SURE_RULE = 0.9             # belief from which a rule of the user binds: it is kept or refused
_SECOND_TYPE = 0.05, 0.3  # share of the belief from which a further type is an atom too: for the first statement, and how much more for the last
_COVERED = 0.3              # what a word is still worth each time it was said by a chosen statement
_SAID_BY_USER = ("human", "steer", "answer", "preference")
_CANDIDATES = 6000          # statements that are weighed against each other
COMMON_WORDS = frozenset("""
the and that this with for are was were from have has had not but you can will would should could they them their there here
what which when where who how why does did done been being into than then also just only some any all its our your his her about over under more most
other such very need needs let now""".split())
# Words that alone say nothing; what a bare answer answers stands with its question (see `bindings`).
_BARE = frozenset("""hi hello hey thanks thank you ok okay yes yep yeah no nope sure please go ahead great cool nice perfect good morning
hallo danke ja nein bitte hola gracias bonjour merci oui привет спасибо да нет ок""".split())
_CRITICAL = {"goal": 3, "constraint": 3, "safety": 3, "rejection": 3, "decision": 2, "fact": 2, "open": 2, "artifact": 2, "preference": 1, "done": 1}


def extract(turns: list, track: object = None, single: list | None = None) -> list[Atom]:
    """The atoms of a session, best first. `turns` are redacted ones of `sessions.read`, best read with tools; `track` is their `trail` and
    `single` the `single_statements` of their sources, where the caller has them."""
    happened = happened_statements(track or trail(turns)) if any(turn.tool is not None for turn in turns) else []
    found = standing_statements(turns, happened=happened, single=single)
    return [atom_of(statement, kind, belief) for statement, kind, belief in _ranked(found)]


def standing_statements(turns: list, joined: int = JOINED_AT_MOST, happened: list | tuple = (), before: list | tuple = (), ends: int = 0,
                        single: list | None = None) -> list:
    """Every statement of a session that still holds at its end, in order; neighbours are one while they have `joined` characters at most.
    `happened` are further ones, which the trail tells; `before` are known ones of the turns up to `ends`, which are not looked at again.
    `single` as for `extract`."""
    found = statements(sources(turns), joined, hold_at_the_end, single)
    found += bound_statements(turns, found)
    found += happened
    found = [statement for statement in found if statement.turn > ends]
    if before:
        found = without_updated([*before, *found])
    return without_superseded([statement for statement in found if statement.anchors or statement.author != "tool" and not _is_bare(statement)])


def _is_bare(statement: object) -> bool:
    return bool(statement.words) and _BARE.issuperset(statement.words)


def hold_at_the_end(single: list) -> list:
    """The sentences that hold at the end, each knowing whether it binds."""
    for statement in single:
        statement.binds = statement.author == "user" and binds(statement, beliefs(statement))
    return without_updated(single)


def binds(statement: object, shares: dict[str, float]) -> bool:
    """Whether a statement is a boundary or surely a rule of the user; `shares` are its beliefs."""
    rule = shares.get("safety", 0.0) + shares.get("constraint", 0.0)
    return statement.author == "user" and rule >= SURE_RULE and likeliest(shares) in ("safety", "constraint")


def likeliest(shares: dict[str, float]) -> str:
    return max(shares.items(), key=lambda item: (item[1], item[0]))[0]


def statement_of(atom: Atom) -> str:
    """An atom in one line of at most 400 characters: what it stands under, and its words."""
    value = atom.value if isinstance(atom.value, str) else str(atom.value)
    return f"{atom.scope}: {value}"[:STATEMENT_AT_MOST] if atom.scope else value[:STATEMENT_AT_MOST]


def beliefs(statement: object) -> dict[str, float]:
    """How likely a statement is of each type, in sum 1."""
    if statement.sure or statement.author == "tool":
        return {statement.sure or "fact": 1.0}
    cues = statement.cues
    heads = heading_types(statement.context)
    scores = dict(_PRIOR[statement.author])
    for kind in _TYPES:
        if kind in cues or kind in heads:
            scores[kind] += min(cues[kind], 4) + (kind in heads)
    if statement.mark:
        scores["open"] += 1.5
        scores["fact"] -= 1.0
    if "negation" in cues:
        scores["rejection"] += 0.5
        scores["constraint"] += 0.4
    if "hedge" in cues:
        scores["fact"] -= 0.7
        scores["decision"] -= 0.3
    if "reason" in cues:
        scores["fact"] += 0.3
    if "accept" in cues:
        scores["decision"] += 0.8
    if "refuse" in cues:
        scores["rejection"] += 0.6
    if "correction" in cues:
        scores["rejection"] += 0.3
    if statement.kind == "document":
        scores["constraint"] += 1.0
    if statement.unit in ("code", "output", "quote"):
        scores["fact"] += 2.0
    top = max(scores.values())
    shares = {kind: exp(score - top) for kind, score in scores.items()}
    total = sum(shares.values())
    return {kind: share / total for kind, share in shares.items()}


def _ranked(found: list) -> list[tuple[object, str, float]]:
    """(statement, type, belief), best first. What a statement adds are its words, each worth less when it was said, for its length."""
    worth = importance(found)
    spread = collections.Counter(chain.from_iterable(set(statement.words) for statement in found))
    weight = {word: log(1 + count) for word, count in spread.items() if len(word) > 2 and word not in COMMON_WORDS}
    terms = [tuple(filter(weight.__contains__, dict.fromkeys(statement.words))) for statement in found]
    adds = dict(weight)     # what each word adds now
    said: collections.Counter = collections.Counter()
    length = [(len(statement.text) / 3.6 + 3) ** 0.8 for statement in found]

    def gain(index: int) -> float:
        return (worth[index] + found[index].bonus) * (0.5 + sum(map(adds.__getitem__, terms[index]))) / length[index]

    for statement in found:
        if statement.kind in _SAID_BY_USER:     # rules and limits of a person are what must not be lost
            statement.bonus += 0.15 * (statement.cues["constraint"] >= 3) + 0.3 * (statement.cues["safety"] >= 3)
    heap = heapq.nsmallest(_CANDIDATES, ((-gain(index), index, 0) for index in range(len(found))))    # sorted, so a heap
    chosen: list[tuple[object, str, float]] = []
    while heap and len(chosen) < ATOMS_AT_MOST:
        _, index, checked = heapq.heappop(heap)
        if checked != len(chosen):
            heapq.heappush(heap, (-gain(index), index, len(chosen)))
            continue
        said.update(terms[index])
        adds.update((word, weight[word] * _COVERED ** said[word]) for word in terms[index])
        believed = sorted(beliefs(found[index]).items(), key=lambda item: (-item[1], item[0]))
        enough = _SECOND_TYPE[0] + _SECOND_TYPE[1] * len(chosen) / ATOMS_AT_MOST
        chosen += [(found[index], kind, belief) for place, (kind, belief) in enumerate(believed[:3]) if place == 0 or belief >= enough]
    return chosen[:ATOMS_AT_MOST]


def atom_of(statement: object, kind: str, belief: float) -> Atom:
    """A statement as an atom of a type; `belief` is how likely the type is."""
    cues = statement.cues
    modality = ""
    if kind in ("decision", "fact", "artifact", "done"):
        modality = "is"
    elif kind == "constraint" and cues["constraint"] < 3 and statement.author == "assistant":
        modality = "should"
    evidence = Evidence("", statement.turn, statement.start, statement.end, statement.quote)
    critical = _CRITICAL[kind] + (kind == "decision" and statement.author == "user")
    confidence = 0.4 + 0.6 * belief - 0.2 * bool(cues["hedge"]) - 0.2 * (statement.kind == "compact")
    return Atom(kind, value=statement.text, scope=statement.context, modality=modality, evidence=evidence, author=statement.author, ambiguous=True,
                confidence=confidence, criticality=critical)
