#!/usr/bin/env python3
"""Time to compare, diff, merge, write and read sets of atoms, and how it grows with their number.

    python3 benchmarks/atoms.py            2,500 to 10,000 invented atoms
    python3 benchmarks/atoms.py 1000 2000  other numbers

Seconds are processor time, the least of three runs. "growth" is the time for the last number over the time for the one before, divided by what the number
itself grew: 1.0 is linear.
"""
from __future__ import annotations

import random
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "skills" / "ail-context-compressor" / "scripts"))
import ail_mcp as ail

RUNS = 3


def invented(n: int) -> list:
    """A state of n atoms: values, rules, choices with what they replaced, wishes side by side, sentences."""
    rng = random.Random(n)
    atoms = []
    for i in range(n):
        subject = f"service_{i // 8}"
        atoms.append((ail.Atom("fact", subject, f"limit_{i}", rng.randrange(10_000)),
                      ail.Atom("constraint", subject, f"uses_library_{i}", False),
                      ail.Atom("decision", subject, f"backend_{i}", rng.choice(["Canvas", "SVG", "WebGL"])),
                      ail.Atom("rejection", subject, "rejected", f"option {i}"),
                      ail.Atom("preference", "trip", "likes", f"place {i}"),
                      ail.Atom("constraint", value=f"never change table {i}"))[i % 6])
    return atoms


def changed(atoms: list, seed: int) -> list:
    """The state after a fifth of its atoms was dropped, changed, weakened or moved, and as many came in."""
    rng = random.Random(seed)
    result = []
    for i, atom in enumerate(atoms):
        how = rng.randrange(20)
        if how == 0:
            continue
        if how == 1:
            atom = replace(atom, value=f"other {seed} {i}")
        elif how == 2:
            atom = replace(atom, modality="may")
        elif how == 3:
            atom = replace(atom, scope="staging")
        result.append(atom)
        if how == 4:
            result.append(ail.Atom("fact", f"new_{seed}_{i}", "is", i))
    rng.shuffle(result)
    return result


WORK = {
    "compare": lambda a, b, c: ail.compare(a, b),
    "diff": lambda a, b, c: ail.diff(a, b),
    "diff as JSON Patch": lambda a, b, c: ail.json_patch(ail.diff(a, b), a),
    "merge": lambda a, b, c: ail.merge(a, b, c),
    "four stages": lambda a, b, c: ail.four_stages(a, b, b, c),
    "CAR and WAR": lambda a, b, c: (ail.car(a, b), ail.war(a, b)),
    **{f"write and read {form}": lambda a, b, c, form=form: ail.FORMS[form].read(ail.write_atoms(a, form)) for form, row in ail.FORMS.items() if row.read},
    "encode, half of the budget": lambda a, b, c: ail.encode(a, len, len(ail.write_atoms(a, "ccl")) // 2),
}


def seconds(work: object, state: tuple) -> float:
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        work(*state)
        best = min(best, time.process_time() - start)
    return best


def main() -> int:
    numbers = [int(word) for word in sys.argv[1:]] or [2_500, 5_000, 10_000]
    states = [(base, changed(base, 1), changed(base, 2)) for base in map(invented, numbers)]
    print("| atoms | " + " | ".join(f"{n:,}" for n in numbers) + " | growth |\n| --- |" + " ---: |" * (len(numbers) + 1))
    for name, work in WORK.items():
        times = [seconds(work, state) for state in states]
        growth = times[-1] / times[-2] / (numbers[-1] / numbers[-2]) if len(numbers) > 1 else 1.0
        print(f"| {name} | " + " | ".join(f"{t:.2f} s" for t in times) + f" | {growth:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
