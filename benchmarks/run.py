#!/usr/bin/env python3
"""Sizes: tokens of the plain text, of the same content as compact JSON, and of the snapshot, in cl100k and o200k.

    python3 benchmarks/run.py           the table as Markdown, the one that README.md shows

The inputs are invented texts (benchmarks/inputs/) and the standard library's argparse.py as it is on this machine, which README leaves out
because it differs from Python to Python. Needs tiktoken with its vocabulary; `tests/run` puts both in place.
"""
from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "skills" / "ail-context-compressor" / "scripts"))
import ail_mcp as ail  # noqa: E402

INPUTS = Path(__file__).resolve().parent / "inputs"
# What is measured: a name for the row, the plain text, and a snapshot of it by hand where there is one.
ROWS = (
    ("a paragraph", INPUTS / "paragraph.txt", None),
    ("a chat, 10 turns", INPUTS / "chat.md", None),
    ("the same chat, written by hand", INPUTS / "chat.md", INPUTS / "handwritten.ail"),
    ("a design discussion", INPUTS / "design.md", None),
    ("a Python module", INPUTS / "module.py", None),
)
HEAD = ("input", "plain", "JSON", "AILv1", "of plain", "plain", "JSON", "AILv1", "of plain", "what is kept")


def measure(path: Path, by_hand: Path | None) -> tuple[list[tuple[int, int, int]], str]:
    """((plain, JSON, AILv1) tokens for each counter, what the snapshot keeps) of one input."""
    plain = path.read_text("utf-8")
    if by_hand:
        snapshot, kept = by_hand.read_text("utf-8"), "a summary"
    else:
        snapshot = ail.pack(io.BytesIO(plain.encode()), path.name, redactor=ail.Redactor()).text
        lines = [line.strip() for line in plain.split("\n") if line.strip()]
        if [line.strip() for line in ail.unpack(snapshot).split("\n") if line.strip()] == lines:
            kept = "every line"
        else:
            kept = "signatures" if path.suffix == ".py" else "every line; code as signatures"
    texts = (plain, as_json(snapshot), snapshot)
    return [tuple(counter.count(text) for text in texts) for counter in ail.counters()], kept


def as_json(snapshot: str) -> str:
    """What the snapshot says, as JSON without white space: an object for each line, pointers resolved."""
    parsed = ail.parse("!AILv1\n" + "\n".join(ail.hydrate(ail.parse(snapshot))))
    records = [{"type": s.tag[1:].lower(), **(s.fields or {"text": s.text})} for s in parsed.sections if s.tag != "#"]
    return json.dumps(records, ensure_ascii=False, separators=(",", ":"))


def table(rows: tuple = ROWS) -> str:
    """The Markdown table; the first four columns of numbers are cl100k, the second four o200k."""
    if not all(counter.exact for counter in ail.counters()):
        sys.exit("exact counts need tiktoken and its vocabulary; run tests/run once, then TIKTOKEN_CACHE_DIR=.cache/tiktoken")
    lines = ["| " + " | ".join(HEAD) + " |", "| --- |" + " ---: |" * 8 + " --- |"]
    for name, path, by_hand in rows:
        sizes, kept = measure(path, by_hand)
        cells = [name]
        for plain, compact, snapshot in sizes:
            cells += [f"{plain:,}", f"{compact:,}", f"{snapshot:,}", f"{snapshot / plain:.0%}"]
        lines.append("| " + " | ".join([*cells, kept]) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table((*ROWS, (f"argparse.py of Python {sys.version_info[0]}.{sys.version_info[1]}", Path(argparse.__file__), None))), end="")
