#!/usr/bin/env python3
"""pack --budget beside other packers: what an agent needed next and which commitments are held, at equal size; and an independent judge.

    python3 benchmarks/pack.py --eval DIR    DIR has compactions.py and general.py with their data (labelled real sessions; needs tiktoken)
    python3 benchmarks/pack.py --kit         compaction-conformance-kit (its own corpus, seeds 1-12, 10/20/30 % of characters, five rounds)
    python3 benchmarks/pack.py --speed       seconds and MiB for sessions that grow, plain and hostile
    --install                                put the other tools and the judge into an environment that is deleted afterwards (needs pip and its index)
    --tools PYTHON                           a Python where they are installed already

The other tools get the talk and a line for each call (its name and the first 400 characters), which is more than most of them read by themselves;
claude-handoff reads the session itself. What is over the budget is cut by the scorer and counted. `last words` is the end of the same text.
"""
from __future__ import annotations

import argparse
import io
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "skills" / "ail-context-compressor" / "scripts" / "ail_mcp.py"
sys.path[:0] = [str(SCRIPT.parent), str(ROOT / "tests")]
import ail_mcp as ail  # noqa: E402

JUDGE = "compaction-conformance-kit"
TOOLS = ("llmslim", "shenlun-forge", "claude-handoff")
TALK = ("human", "steer", "answer", "preference", "reply", "note")


# -- one packing by one tool, in its own process: `pack.py --by TOOL BUDGET FILE`

def talk_of(file: str) -> list[dict]:
    """The talk with a line for each call, as messages."""
    with open(file, "rb") as stream:
        turns = ail.read(stream, file, tools=True).turns
    return [{"role": "user" if turn.kind in TALK[:4] else "assistant", "content": turn.text[:400] if turn.kind == "call" else turn.text}
            for turn in turns if turn.kind in (*TALK, "call")]


def last_words(text: str, budget: int) -> str:
    """As much of the end as fits."""
    count = ail.counter("cl100k").count
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[len(text) - middle:]) <= budget else (low, middle - 1)
    return text[len(text) - low:]


def packed_by(tool: str, budget: int, file: str) -> str:
    if tool == "claude-handoff":
        return subprocess.run([str(Path(sys.executable).parent / tool), file, "--fit", str(budget), "-o", "-"], capture_output=True, text=True).stdout
    messages = talk_of(file)
    text = "\n\n".join(message["content"] for message in messages)
    if tool == "llmslim":
        from llmslim.mcp_server import fit_text
        return fit_text(text, budget)
    if tool == "shenlun-forge":
        from shenlun_forge.strategies.simple import SimpleStrategy
        query = next((message["content"] for message in reversed(messages) if message["role"] == "user"), "")
        return SimpleStrategy().compress_sync(messages, current_query=query, max_tokens=budget).compressed_text
    return last_words(text, budget)


# -- labelled sessions

def scores(folder: Path, command: str) -> list[str]:
    """[needed, held at native size; needed, held at half; held at 10 %, at 20 %], per cent, by the scorers of the folder."""
    found = []
    for share in ("1.0", "0.5"):
        printed = _scored(folder / "compactions.py", "--share", share, "--cmd", command.replace("FILE", "{before}"))
        found += re.findall(r"^all +[\d.]+% +([\d.]+)%", printed, re.M)
    return found + re.findall(r" all \d+/\d+ = ([\d.]+)%", _scored(folder / "general.py", "--cmd", command.replace("FILE", "{file}")))


def _scored(script: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, str(script), *words], capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    return done.stdout


def version(python: str, package: str) -> str:
    asked = subprocess.run([python, "-c", f"import importlib.metadata as m; print(m.version({package!r}))"], capture_output=True, text=True)
    return asked.stdout.strip() or "(not installed)"


def quality_table(folder: Path | None, python: str | None) -> str:
    if folder is None or not (folder / "compactions.py").is_file() or not (folder / "general.py").is_file():
        return "labelled sessions: not here (give them with --eval DIR)"
    rows = [(f"ail-mcp {ail.__version__} pack --budget", f"{sys.executable} {SCRIPT} pack -f FILE --budget {{budget}} --counter cl100k"),
            ("last words", f"{sys.executable} {Path(__file__).resolve()} --by last-words {{budget}} FILE")]
    rows += [(f"{tool} {version(python, tool)}", f"{python} {Path(__file__).resolve()} --by {tool} {{budget}} FILE") for tool in TOOLS if python]
    lines = ["| % | needed, native size | held, native | needed, half | held, half | held, 10 % of the talk | held, 20 % |", "| --- |" + " ---: |" * 6]
    for name, command in rows:
        found = scores(folder, command)
        lines.append(f"| {name} | " + " | ".join(found if len(found) == 6 else ["did not run"] + [""] * 5) + " |")
    return "\n".join(lines + ([] if python else [f"not run: {', '.join(TOOLS)} (--install, or --tools PYTHON)"]))


# -- the independent judge: `pack.py --judged`, in its environment

class Characters:
    """Counts as the judge does."""

    name, exact = "characters", True

    @staticmethod
    def count(*texts: str) -> int:
        return sum(map(len, texts))


class Packer:
    """`pack --budget` as the judge calls it. What is refused, since the rules of the user do not fit, is nothing, and counted."""

    name = "ail-mcp"
    refused = 0

    def compact(self, turns: list, round_num: int = 1, budget_chars: int | None = None) -> object:
        from compaction_kit.compacted import CompactedContext
        if len(turns) == 1 and (turns[0].text.startswith("!AILv1") or not turns[0].text):
            text = turns[0].text
        else:
            text = "".join(json.dumps({"role": turn.role, "content": turn.text}) + "\n" for turn in turns)
        try:
            packed = ail.pack_within(io.BytesIO(text.encode()), "session", budget_chars, Characters, redactor=ail.Redactor()).packed.text if text else ""
        except ail.BudgetError:
            Packer.refused += 1
            packed = ""
        return CompactedContext(text=packed, compactor_name=self.name, round_num=round_num)


def judged() -> str:
    from compaction_kit.benchmark import run_budget_benchmark
    from compaction_kit.cli import COMPACTORS
    lines = [f"{JUDGE} {version(sys.executable, JUDGE)}, ail-mcp {ail.__version__}", "", "| budget, characters | packer | within | survival | updates resolved | stale | distinct pairs | refused |", "| --- | --- | --- |" + " ---: |" * 5]
    for share in (0.1, 0.2, 0.3):
        Packer.refused = 0
        for row in run_budget_benchmark({"ail-mcp": Packer, **COMPACTORS}, (share,), range(1, 13), 5)["entries"]:
            said, meant = row["randomized"], row["semantic"]
            stale = said["supersession"]["stale"] + meant["conflicts"]["stale"]
            lines.append(f"| {share:.0%} | {row['compactor']} | {'yes' if row['budget_compliant'] else 'no'} | {said['overall_final_survival']:.1%} | "
                         f"{meant['resolved_rate']:.1%} | {stale} of {said['supersession']['n'] + meant['conflicts']['n']} | "
                         f"{meant['distinct_pair_rate']:.1%} | {Packer.refused if row['compactor'] == 'ail-mcp' else '-'} |")
    return "\n".join(lines)


# -- speed

def record(number: str, content: object) -> str:
    """A line of a session as Claude Code writes it."""
    return json.dumps({"type": "user", "uuid": number, "sessionId": "s", "timestamp": "2026-01-02T03:00:00Z", "message": {"role": "user", "content": content}}) + "\n"


def sessions_of(size: int) -> dict[str, str]:
    """Sessions of about `size` bytes, no two parts the same: talk with the outputs of tools, talk alone, and texts that make rules look twice."""
    from planted import Planted
    made = {"usual": [], "all talk": []}
    for name, parts in made.items():
        while sum(map(len, parts)) < size:
            seed = len(parts)
            lines = Planted(seed, 60).data().decode().replace('"uuid": "u', f'"uuid": "{seed}u').replace('"parentUuid": "u', f'"parentUuid": "{seed}u')
            lines = re.sub(r'("(?:id|tool_use_id)": "m?)t', rf"\g<1>{seed}t", lines)
            outputs = [record(f"{seed}o{n}", [{"type": "tool_result", "tool_use_id": f"{seed}x{n}", "content": "".join(
                f"{line:6} def handle_{line}_{n}(request): return cache.get('key_{seed}_{line}', {line * 7})\n" for line in range(400))}])
                for n in range(20 if name == "usual" else 0)]
            parts.append(lines + "".join(outputs))
    texts = {name: "".join(parts) for name, parts in made.items()}
    for name, piece in {"one word": "a", "dashes": "- ", "brackets": "[(", "no, not": "no, 5, not 6 ", "quotes": "\"'`", "heads": "# a\n", "paths": "a/b/",
                        "digits": "1.", "never unless": "never unless "}.items():
        texts[name] = "".join(record(f"h{n}", f"{n} " + piece * (250_000 // len(piece))) for n in range(max(1, size // 250_000)))
    return texts


def speed_table() -> str:
    lines = ["| session | MB | seconds | MiB | growth (1 is linear) |", "| --- |" + " ---: |" * 4]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        rows: dict[str, list[tuple[float, float, float]]] = {}
        for size in (1_250_000, 2_500_000, 27_000_000):
            for name, text in sessions_of(size).items():
                if size > 3_000_000 and name not in ("usual", "all talk"):
                    continue
                file.write_text(text, encoding="utf-8")
                rows.setdefault(name, []).append((len(text) / 1e6, *min(_run(file) for _ in range(1 if size > 3_000_000 else 2))))
        for name, runs in rows.items():
            for number, (size, seconds, memory) in enumerate(runs):
                growth = f"{math.log(seconds / runs[number - 1][1]) / math.log(size / runs[number - 1][0]):.2f}" if number else ""
                lines.append(f"| {name} | {size:.2f} | {seconds:.2f} | {memory:.0f} | {growth} |")
    return "\n".join(lines)


# Run from a small process: a child's peak counts from what its parent holds.
_MEASURED = """import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"""


def _run(file: Path) -> tuple[float, float]:
    """(CPU seconds, peak MiB); 3 and 4 say that nothing fits or nothing is said, which takes as long."""
    done = subprocess.run([sys.executable, "-c", _MEASURED, sys.executable, str(SCRIPT), "pack", "-f", str(file), "--budget", "20000", "--counter", "estimate"],
                          capture_output=True, text=True)
    code, seconds, memory = done.stdout.split()
    if int(code) not in (0, 3, 4):
        sys.exit(f"{file} failed with {code}")
    return float(seconds), float(memory)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--eval", type=Path)
    options.add_argument("--kit", action="store_true")
    options.add_argument("--speed", action="store_true")
    options.add_argument("--install", action="store_true")
    options.add_argument("--tools")
    options.add_argument("--by", nargs=3, help=argparse.SUPPRESS)
    options.add_argument("--judged", action="store_true", help=argparse.SUPPRESS)
    args = options.parse_args()
    if args.by:
        sys.stdout.write(packed_by(args.by[0], int(args.by[1]), args.by[2]))
    elif args.judged:
        print(judged())
    elif args.speed:
        print(speed_table())
    else:
        with tempfile.TemporaryDirectory() as folder:
            python = args.tools
            if args.install:
                python = str(Path(folder) / "bin" / "python")
                subprocess.run([sys.executable, "-m", "venv", folder], check=True)
                subprocess.run([python, "-m", "pip", "install", "-q", "tiktoken", JUDGE, *TOOLS], check=True)
            if not args.kit:
                print(quality_table(args.eval, python))
            elif python:
                subprocess.run([python, str(Path(__file__).resolve()), "--judged"], check=True)
            else:
                print(f"{JUDGE}: not here (--install, or --tools PYTHON)")


if __name__ == "__main__":
    main()
