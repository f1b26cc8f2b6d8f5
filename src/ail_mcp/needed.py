"""How likely a name is needed again when the session goes on: from how it was used, how lately, and its form.

The weights are those of a logistic regression on sessions that went on after a compaction (benchmarks/fit_needed.py; fitted to five of six
sessions, they rank a needed name of the sixth above another in 74 to 94 of 100 pairs).
"""
from __future__ import annotations

import collections
import re
from math import exp, log

USES = ("user", "said", "written", "asked", "output")  # by the user, by the assistant, into a file, as an argument, in an output
HALF_LIFE = 60              # turns after which a use counts half
NEED = {
    "": -0.66, "Capital": 0.15, "any asked": 0.98, "any output": -0.69, "any said": 0.28, "any user": 0.72, "any written": 0.92, "asked": 0.73,
    "constant": -0.03, "file": 0.81, "number": -0.78, "output": -0.33, "part": -0.63, "path": -0.20, "said": 0.51, "since": -0.50, "small": -0.05,
    "snake": -0.19, "user": 0.34, "written": 0.62,
}
_FILE = re.compile(r"[\w-]+\.\w{1,5}\Z")


class Uses:
    """Where each name was used: its uses of each sort, an older one for less, and the last."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.weight: dict[str, collections.Counter] = {how: collections.Counter() for how in USES}
        self.last: dict[str, int] = {}

    def fresh(self, turn: int) -> float:
        """What a use in that turn counts, up to 1."""
        return 0.5 ** ((self.turns - turn) / HALF_LIFE)

    def add(self, turn: int, name: str, how: str) -> None:
        self.weight[how][name] += self.fresh(turn)
        self.last[name] = turn

    def features(self, name: str) -> dict[str, float]:
        found = {"": 1.0, "since": log(1 + self.turns - self.last[name]), form_of_name(name): 1.0}
        for how in USES:
            if name in self.weight[how]:
                found[how] = log(1 + self.weight[how][name])
                found["any " + how] = 1.0
        return found

    def chance(self, name: str) -> float:
        """How likely the name is needed, 0 to 1; 0 where it was never used."""
        return 1 / (1 + exp(-sum(NEED[feature] * value for feature, value in self.features(name).items()))) if name in self.last else 0.0


def form_of_name(name: str) -> str:
    if name[:1].isdigit():
        return "number"
    if "/" in name:
        return "path" if "." in name.rpartition("/")[2] or "://" in name else "part"  # of an import path, or a folder
    if _FILE.match(name):
        return "file"
    if name.isupper():
        return "constant"
    return "snake" if "_" in name else "Capital" if name[:1].isupper() else "small"
