"""How much depends on a statement: features of its words, its author and its place, and what each of them is worth.

A feature is one number, mostly 0 or 1. What it is worth was fitted on annotated sessions by benchmarks/fit_worth.py (a logistic regression, strongly
regularised, checked on sessions that it was not fitted to): these numbers are measured, not chosen. Their sum is the log of the odds that a statement
is a commitment.
"""
from __future__ import annotations

import collections
from functools import lru_cache
from math import exp, log

CUE_CLASSES = ("goal", "constraint", "preference", "decision", "rejection", "fact", "open", "done", "artifact", "safety", "hedge", "narration",
               "accept", "refuse", "reason", "condition", "correction", "negation")
_HEADS = {  # words of the heading or the line above that tell what stands under it
    "open": "next steps remaining todo to-do open questions question issues issue suggestions follow-up improvements future pending known",
    "decision": "decision decisions fix approach solution changes design recommendation architecture fixes",
    "done": "summary done completed changed made implemented what built",
    "constraint": "requirements requirement constraints rules rule verification must policy guidelines notes important",
    "rejection": "against rejected alternatives cons not limitations considered downsides",
    "fact": "context background root cause analysis findings bug bugs problem insight overview why limitations",
    "goal": "goal goals objective task purpose", "artifact": "files file artifacts structure", "safety": "security privacy permissions safety",
}
_HEADING_TYPES: dict[str, list[str]] = {}
for _kind, _names in _HEADS.items():
    for _named in _names.split():
        _HEADING_TYPES.setdefault(_named, []).append(_kind)

WORTH = {
    "a accept": 0.13, "a artifact": 0.11, "a condition": -0.04, "a constraint": 0.04, "a correction": -0.08, "a decision": 0.37, "a done": 0.14,
    "a fact": -0.23, "a goal": -0.03, "a hedge": -0.22, "a narration": -0.37, "a negation": 0.26, "a preference": -0.11, "a reason": 0.08,
    "a refuse": -0.02, "a rejection": 0.23, "a safety": 0.36, "anchors": 0.14, "by assistant": -0.29, "by tool": -0.45, "by user": -0.20,
    "context": 0.32, "first user": 0.71, "head artifact": 0.31, "head constraint": 0.32, "head decision": 0.07, "head done": 0.01,
    "head fact": -0.14, "head goal": 0.09, "head open": -0.17, "head rejection": 0.29, "head safety": -0.15, "kind document": 0.02,
    "kind human": -0.02, "kind instructions": -0.01, "kind note": -0.14, "kind reply": -0.31, "kind report": -0.45, "kind steer": -0.03,
    "label": -0.19, "last reply": 0.47, "last user": 0.26, "length": 0.47, "one": -0.67, "opening": 0.06, "question a": 0.02, "question u": -0.13,
    "rare": -0.34, "reuse": 0.10, "short": -0.43, "small reply": -0.54, "spot": -0.40, "time": 0.88, "topic": 0.09, "turn size a": -0.20,
    "turn size u": -0.14, "u accept": 0.21, "u artifact": -0.05, "u condition": -0.27, "u constraint": 0.56, "u correction": -0.25,
    "u decision": 0.33, "u done": 0.12, "u fact": -0.11, "u goal": 0.53, "u hedge": -0.19, "u narration": 0.01, "u negation": -0.08,
    "u open": 0.08, "u preference": 0.27, "u reason": -0.05, "u refuse": 0.05, "u rejection": 0.35, "u safety": 0.48, "unit code": -0.61,
    "unit item": -0.13, "unit output": -0.02, "unit quote": -0.07, "unit row": 0.06, "unit sentence": -0.18,
}


@lru_cache(maxsize=1 << 10)
def heading_types(context: str) -> frozenset[str]:
    """The types that a heading speaks for."""
    return frozenset(kind for word in context.lower().replace(":", " ").split() for kind in _HEADING_TYPES.get(word, ()))


def features(statements: list) -> object:
    """The features of each statement, one after the other: all together take twenty times the text."""
    sources_of: dict[str, set] = {}
    word_count: collections.Counter = collections.Counter()
    for s in statements:
        for anchor in s.anchors:
            sources_of.setdefault(anchor, set()).add(s.order)
        word_count.update(set(s.words))
    last = max((s.order for s in statements), default=0) or 1
    by_user = [s.order for s in statements if s.author == "user" and s.kind != "instructions"]
    first_user, last_user = (by_user[0], by_user[-1]) if by_user else (-1, -1)
    last_reply = max((s.order for s in statements if s.kind == "reply"), default=-1)
    size = log(2 + len(statements))
    reuse = {anchor: min(5, len(orders) - 1) for anchor, orders in sources_of.items()}
    common = {word: log(1 + times) for word, times in word_count.items() if len(word) > 3}
    rare = {word for word in common if word_count[word] == 1}
    return (_features(s, reuse, common, rare, size, {
        "time": s.order / last, "last reply": float(s.order == last_reply),
        "first user": float(s.order == first_user), "last user": float(s.order == last_user)}) for s in statements)


def _features(s: object, reuse: dict, common: dict, rare: set, size: float, found: dict[str, float]) -> dict[str, float]:
    who = "u" if s.author == "user" else "a"
    found.update({"one": 1.0, "by " + s.author: 1.0, "kind " + s.kind: 1.0, "unit " + s.unit: 1.0, "question " + who: float(s.mark),
                  "turn size " + who: log(1 + s.spoken) - 6})
    for kind in CUE_CLASSES:
        if kind in s.cues:
            found[f"{who} {kind}"] = min(s.cues[kind], 3.5) / 3
    for kind in heading_types(s.context):
        found[f"head {kind}"] = 1.0
    words = common.keys() & s.words
    found["anchors"] = log(1 + len(s.anchors))
    found["reuse"] = log(1 + sum(map(reuse.__getitem__, s.anchors)))
    found["length"] = log(1 + len(s.text)) - 4.5
    found["short"] = float(len(s.text) < 30)
    found["context"] = float(bool(s.context))
    found["label"] = float(s.label)
    found["small reply"] = float(s.kind == "reply" and s.spoken < 200)
    found["spot"] = s.spot
    found["opening"] = float(s.place == 0)
    found["topic"] = sum(map(common.__getitem__, words)) / (1 + len(words)) / size
    found["rare"] = len(rare & words) / (1 + len(words))
    return found


def importance(statements: list) -> list[float]:
    """How likely each statement is a commitment, 0 to 1."""
    return [1 / (1 + exp(-sum(WORTH.get(name, 0.0) * value for name, value in found.items()))) for found in features(statements)]
