#!/usr/bin/env python3
"""What makes it likely that a name is needed again, fitted to sessions that went on: the table NEED of src/ail_mcp/needed.py, on standard output.

    python3 benchmarks/fit_needed.py BEFORE.jsonl AFTER.jsonl [BEFORE.jsonl AFTER.jsonl ...]

BEFORE is a session up to a compaction and AFTER what followed. A name of BEFORE is needed when somebody says it in AFTER or a tool is called with
it. The fit is that of fit_worth.py; standard error shows, for each session, how often a fit on the others puts a needed name above another.
"""
from __future__ import annotations

import sys

import fit_worth

ail = fit_worth.ail


def rows(before: str, after: str) -> list[tuple[dict[str, float], int]]:
    """(features, whether it was needed) of each name."""
    tracker = ail._Tracker(turns_of(before))
    later: set[str] = set()
    for turn in turns_of(after):
        for text in (turn.text, *(turn.tool.arguments.values() if turn.tool is not None else ())):
            later |= {name.rstrip(".,:;") for name in ail.anchors_of(text)}
    return [(tracker.uses.features(name), int(name in later)) for name in tracker.uses.last]


def turns_of(path: str) -> list:
    with open(path, "rb") as stream:
        return ail.read(stream, path, tools=True).turns


if __name__ == "__main__":
    if len(sys.argv) < 3 or len(sys.argv) % 2 == 0:
        sys.exit(__doc__)
    fit_worth.show(sys.argv[1:], rows)
