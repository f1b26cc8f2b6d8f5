"""How doubtful a clause of a summary is by its words alone: what a summary says once only, and not as its source puts it, may be nobody's.

A faithful summary says most things twice and takes many runs of words from its source; what slipped in does neither. The weights are those of a
logistic regression on real summaries into which errors were put (benchmarks/fit_doubt.py).
"""

from __future__ import annotations

import collections
import re
from math import exp, log

from .matching import NAME_PIECE
from .wording import STOP_WORDS, stem

DOUBT = {
    "": -4.31, "new": 0.7, "own runs few": 0.44, "own runs many": -0.61, "hardly elsewhere": 0.34, "half elsewhere": 0.8, "partly elsewhere": 0.09,
    "flag": 2.48, "contrary": 1.01,
}  # fmt: skip
_CLAUSE_END = re.compile(
    r"[;:]\s|\s[—–-]\s|\s\(|\)|,\s|\s(?:→|->)\s|"
    r"\s(?=(?:and|but|so|because|instead|since|which|that|before|after|until|unless) )"
)
_PLACES_AT_MOST = 500  # passages with one word that a clause is compared with
_READ_AT_ONCE = 1 << 16  # characters of the source that are looked at in one go


class Wordings:
    """How often the source has the words of a summary, and which of its runs of three words; `plain` is the source in lower case."""

    def __init__(self, index: object, plain: str) -> None:
        wanted = set(_threes(_said_words(index.text)))
        count: collections.Counter = collections.Counter()
        self.runs: set = set()
        before: list = []
        for start in range(0, len(plain), _READ_AT_ONCE):
            found = before + NAME_PIECE.findall(plain, start, start + _READ_AT_ONCE)
            count.update(found)
            self.runs.update(wanted.intersection(_threes(found)))
            before = found[-2:]
        self.index = index
        self.places: dict = {}  # word -> the passages that have it
        for place in range(len(index.passages)):
            for key in _telling(_said_words(index.words_at(place))):
                self.places.setdefault(key, []).append(place)
        self.count: collections.Counter = collections.Counter()
        for word, times in count.items():
            self.count[_stem_of(word)] += times
        self.total = self.count.total() + 1

    def weight(self, key: str) -> float:
        """How much a word says, 0 to 1: the rarer in the source, the more."""
        return log(1 + self.total / (self.count[key] + 1)) / log(1 + self.total)

    def features(self, clause: str, place: int) -> dict:
        """What a clause of a passage is like."""
        said = _said_words(clause)
        keys = _telling(said)
        scale = sum(map(self.weight, keys))
        if not scale:
            return {"": 1.0}
        runs = list(_threes(said))
        own = sum(run in self.runs for run in runs) / len(runs) if runs else 0.5
        new = sum(self.weight(key) for key in keys if not self.count[key]) / scale
        shared: collections.Counter = collections.Counter()
        for key in keys:
            weight = self.weight(key)
            for near in self.places.get(key, ())[:_PLACES_AT_MOST]:
                shared[near] += weight
        elsewhere = max((worth for near, worth in shared.items() if near != place), default=0.0) / scale
        told = {
            "": True,
            "new": new > 0.18,
            "own runs few": own < 0.3,
            "own runs many": own > 0.8,
            "hardly elsewhere": elsewhere < 0.37,
            "half elsewhere": elsewhere < 0.53,
            "partly elsewhere": elsewhere < 0.75,
        }
        return {name: 1.0 for name, holds in told.items() if holds}


def clauses(text: str) -> list:
    """The clauses of a sentence, as they stand in it; one of less than two words that say something goes with the one before."""
    found: list = []
    begin = 0
    for end, following in [*(match.span() for match in _CLAUSE_END.finditer(text)), (len(text), len(text))]:
        clause = text[begin:end]
        if clause.strip() and found and len(_telling(_said_words(clause))) < 2:
            found[-1] = (found[-1][0], end)
        elif clause.strip():
            found.append((begin, end))
        begin = following
    return [text[begin:end] for begin, end in found]


def of_flags(flags: list) -> dict:
    """The features of what was found against a passage: the surest flag, and whether something surely says otherwise."""
    most = max((flag.confidence for flag in flags), default=0.0)
    contrary = any(flag.kind != "hallucinated" and flag.confidence > 0.68 for flag in flags)
    return {"flag": most, "contrary": float(contrary)}


def chance_of(features: dict) -> float:
    """How likely it is that a clause with these features is wrong, 0 to 1, in a summary with errors like those of the fit."""
    return 1 / (1 + exp(-sum(DOUBT[name] * value for name, value in features.items())))


def _said_words(text: str) -> list:
    return NAME_PIECE.findall(text.casefold())


def _threes(words: list) -> object:
    return zip(words, words[1:], words[2:])


def _telling(words: list) -> set:
    """The stems of the words that say something."""
    return {_stem_of(word) for word in words if word not in STOP_WORDS and (len(word) > 1 or not word.isalpha())}


def _stem_of(word: str) -> str:
    return stem(word) if word.isalpha() else word
