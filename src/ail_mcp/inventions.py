"""What a summary says that its source does not: an order nobody gave, an approval nobody spoke, a value that was never there."""
from __future__ import annotations

from collections import namedtuple

Invention = namedtuple("Invention", "claim start end reason kind confidence")
FLAGS_AT_MOST = 10  # for one summary: more would not be read


def inventions(index: object, source_index: object, weights: object, values: object, turns: list) -> list:
    """The claims without support, the surest first, at most `FLAGS_AT_MOST`."""
    return []
