#!/usr/bin/env python3
"""What the features of a statement are worth, fitted to annotated sessions: the table WORTH of src/ail_mcp/salience.py, on standard output.

    python3 benchmarks/fit_worth.py SESSION GOLD.jsonl [SESSION GOLD.jsonl ...]

GOLD has a commitment a line with `quotes` (exact words of the session) and a `probe` (`all_of`: groups of words of which one each has to occur,
`none_of`: words that must not). A statement is a commitment when it holds words of a quote, or meets a probe by itself. A logistic
regression by gradient descent with a step of its own for each weight (Adagrad), strongly drawn to zero; standard error shows, for each session, how
often a fit on the others puts a commitment above a statement that is none (0.5 is chance).
"""
from __future__ import annotations

import bisect
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "skills" / "ail-context-compressor" / "scripts"))
import ail_mcp as ail

ROUNDS, STEP, DRAW = 300, 0.5, 10.0
JOINED = 150        # characters up to which neighbours are one statement, as `pack --budget` has them


def rows(session: str, gold: str) -> list[tuple[dict[str, float], int]]:
    """(features, whether it is a commitment) of each statement."""
    with open(session, "rb") as stream:
        found = ail.standing_statements(ail.read(stream, session, tools=True).turns, JOINED)
    atoms = [json.loads(line) for line in Path(gold).read_text("utf-8").splitlines() if line.strip()]
    quotes = [" ".join(quote.split()) for atom in atoms for quote in atom["quotes"]]
    probes = [atom["probe"] for atom in atoms]
    return [(features, int(any(_meets(" ".join(one.quote.split()), quote) for quote in quotes) or any(_says(one, probe) for probe in probes)))
            for one, features in zip(found, ail.features(found))]


def _meets(words: str, quote: str) -> bool:
    return quote in words or (len(words) > 25 and (words in quote or words[:40] in quote or words[-40:] in quote))


def _says(one: object, probe: dict) -> bool:
    words = f"{one.context}: {one.text}".lower()
    words += " " + words.replace("_", " ").replace("-", " ")
    return all(any(each.lower() in words for each in group) for group in probe["all_of"]) and not any(
        each.lower() in words for each in probe.get("none_of", ()))


def fit(data: list) -> dict[str, float]:
    """The weights of the features."""
    weights: dict[str, float] = {}
    squares: dict[str, float] = {}
    for _ in range(ROUNDS):
        slope: dict[str, float] = {name: DRAW * weight for name, weight in weights.items()}
        for features, truth in data:
            fault = chance(weights, features) - truth
            for name, value in features.items():
                if value:
                    slope[name] = slope.get(name, 0.0) + fault * value
        for name, value in slope.items():
            squares[name] = squares.get(name, 1e-8) + value * value
            weights[name] = weights.get(name, 0.0) - STEP * value / math.sqrt(squares[name])
    return weights


def chance(weights: dict[str, float], features: dict[str, float]) -> float:
    return 1 / (1 + math.exp(-sum(weights.get(name, 0.0) * value for name, value in features.items())))


def ordered(weights: dict[str, float], data: list) -> float:
    """How often a commitment comes above a statement that is none."""
    others = sorted(chance(weights, features) for features, truth in data if not truth)
    hits = [chance(weights, features) for features, truth in data if truth]
    return sum(bisect.bisect(others, hit) for hit in hits) / max(1, len(hits) * len(others))


def show(paths: list[str], rows: object) -> None:
    """Fit to pairs of files, of which `rows` makes the data."""
    sessions = [rows(session, gold) for session, gold in zip(paths[::2], paths[1::2])]
    for number, path in enumerate(paths[::2]):
        rest = [row for other, session in enumerate(sessions) if other != number for row in session]
        print(f"{path}: {ordered(fit(rest), sessions[number]):.3f} with weights of the others", file=sys.stderr)
    weights = fit([row for session in sessions for row in session])
    print("".join(f'"{name}": {weight:.2f},\n' for name, weight in sorted(weights.items()) if abs(weight) >= 0.005), end="")


if __name__ == "__main__":
    if len(sys.argv) < 3 or len(sys.argv) % 2 == 0:
        sys.exit(__doc__)
    show(sys.argv[1:], rows)
