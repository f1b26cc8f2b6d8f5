#!/usr/bin/env python3
"""Speed: each figure as a ratio against a baseline of the same run, since machines differ and are noisy.

    python3 benchmarks/speed.py           the table
"""
from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "skills" / "ail-context-compressor" / "scripts" / "ail_mcp.py"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as it is for most people
# What reading and parsing costs: the lower limit for any tool that reads such a file.
READ_AND_PARSE = "import json,sys\nfor line in open(sys.argv[1],'rb'): json.loads(line)"
WORDS = """the a gauge tide harbour pilot berth service fit constituent header file when silent hours keep last good plan entry north pier old machine
pump house night write read never always only unless until because rejected instead use src/app/api/users.py src/app/api/berths.py tide_fit_service
constituents_table recipe_api visibility_timeout 3600 500 5000 12.5 GET /berths/{id} make_thumbnails MinIO Celery_Redis acks_late""".split()


def measure(*command: object) -> tuple[float, float]:
    """(CPU seconds, peak MiB) of a whole process."""
    pid = os.posix_spawn(str(command[0]), list(map(str, command)), ENVIRONMENT, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"{command} failed with {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def paired(times: int, one: tuple, other: tuple) -> tuple[float, float, float]:
    """(median CPU of `one`, of `other`, median of the ratios), run in turn."""
    pairs = [(measure(*one)[0], measure(*other)[0]) for _ in range(times)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), statistics.median(a / b for a, b in pairs)


def session(path: Path, megabytes: float, talk: float) -> None:
    """An invented Claude Code session of about this size, of which the share `talk` is talk and the rest tool outputs."""
    rng = random.Random(7)
    parent, size, number = None, 0, 0

    def sentence(words: int) -> str:
        return " ".join(rng.choices(WORDS, k=words)).capitalize() + "."

    with open(path, "w", encoding="utf-8") as out:
        while size < megabytes * 2**20:
            number += 1
            if rng.random() < talk:
                role = rng.choice(("user", "assistant"))
                content = "\n".join(sentence(rng.randint(5, 25)) for _ in range(rng.randint(4, 60)))
                blocks = content if role == "user" else [{"type": "text", "text": content}]
            else:
                role, blocks = "user", [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "\n".join(sentence(12) for _ in range(30))}]
            line = json.dumps({"type": role, "uuid": f"u{number}", "parentUuid": parent, "sessionId": "s", "isSidechain": False,
                               "message": {"role": role, "id": f"m{number}", "content": blocks}}) + "\n"
            parent = f"u{number}"
            size += out.write(line)


def main() -> None:
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        small, usual, tenfold, spoken = (Path(folder, name) for name in ("small.ail", "usual.jsonl", "tenfold.jsonl", "spoken.jsonl"))
        small.write_text("!AILv1\n@MEM $1=recipe_api\n@CTX goal := keep $1 fast\n")
        session(usual, 2, 0.2)
        session(tenfold, 20, 0.2)
        session(spoken, 2, 0.98)
        print(f"Python {sys.version.split()[0]}, CPU seconds of whole processes, medians\n")
        script = shutil.copy(SCRIPT, folder)  # Python keeps what it compiles beside the script
        lines = len(Path(threading.__file__).read_text("utf-8").splitlines())
        for what, words, goal in (("unpack of a small file", ("unpack", "-f", small), 2), (f"sig of a file of {lines:,} lines", ("sig", "-f", threading.__file__), 3)):
            for when, flags in (("first run, nothing compiled yet", ("-B",)), ("later runs", ())):
                measure(python, *flags, script, *words)
                a, b, ratio = paired(31, (python, *flags, script, *words), (python, "-c", "pass"))
                print(f"{what}, {when} / python3 -c pass: {a:.3f} / {b:.3f} = {ratio:.2f} (goal: at most {goal})")
                shutil.rmtree(Path(folder, "__pycache__"), ignore_errors=True)
        floor = measure(python, "-c", READ_AND_PARSE, usual)[0]
        for name, file in (("2 MB session, a fifth of it talk", usual), ("2 MB session, nearly all talk", spoken)):
            a, b, _ = paired(5, (python, SCRIPT, "pack", "-f", file), (python, "-c", READ_AND_PARSE, file))
            print(f"pack of a {name}: {a:.2f}, of which reading and parsing {b:.2f}: {a - b:.2f} s more (goal: under 1)")
            floor = b if file is usual else floor
        a, b, ratio = paired(3, (python, SCRIPT, "pack", "-f", tenfold), (python, SCRIPT, "pack", "-f", usual))
        print(f"pack of ten times as much: {a:.2f} / {b:.2f} = {ratio:.1f} times (goal: at most 11)")
        short = Path(folder, "short lines.txt")
        short.write_text("x\n" * 2**21)
        for file in (usual, tenfold, spoken, short):
            peak = measure(python, SCRIPT, "pack", "-f", file)[1]
            print(f"peak memory, {file.stat().st_size / 2**20:.0f} MB {file.stem}: {peak:.0f} MiB = {peak / (file.stat().st_size / 2**20):.1f} times the file (goal: under 3 for sessions from 10 MB on)")


if __name__ == "__main__":
    if not hasattr(os, "wait4"):
        sys.exit("needs POSIX for the CPU time of finished processes")
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    main()
