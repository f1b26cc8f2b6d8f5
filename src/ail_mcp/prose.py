"""Text to section lines: every line of prose and talk behind `@CTX`, fenced Python as the `@SIG` lines of its functions.

Nothing vanishes: a line is left out only when it is blank, and a code block becomes signatures only when it parses and holds a function.
"""
from __future__ import annotations

import re
import textwrap
from bisect import bisect_right
from itertools import islice

from .signatures import signatures
from .snapshot import each_line

_FENCE = re.compile(r"(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,9}){0,4}(`{3,}|~{3,})[ \t]*([^\s`]*)([^`]*)\Z")
_BLOCK_NUMBER = re.compile(r"CodeBlock_([0-9]{1,9})\]")
_PYTHON = frozenset(("python", "python3", "py", "py3"))


class Blocks:
    """The numbers of the code blocks of one snapshot: `CodeBlock_1`, ... without those that the text itself already names."""

    def __init__(self) -> None:
        self.count = 0  # blocks that became signatures
        self._number = 0
        self._taken: set[str] = set()

    def see(self, text: str) -> None:
        """Numbers that occur in a text are not given out."""
        if "CodeBlock_" in text:
            self._taken.update(_BLOCK_NUMBER.findall(text))

    def next_name(self) -> str:
        """The name of one more block."""
        self.count += 1
        self._number += 1
        while str(self._number) in self._taken:
            self._number += 1
        return f"CodeBlock_{self._number}"


def prose_lines(text: str, blocks: Blocks) -> object:
    """Section lines of a text, one after the other. Outside fences a line loses the white space at both ends, inside only at the right, so
    that code stays code."""
    blocks.see(text)
    ends = _fence_ends(text) if "```" in text or "~~~" in text else {}
    lines = enumerate(each_line(text))
    for i, line in lines:
        line = line.strip()
        if i not in ends:
            if line:
                yield "@CTX " + line
            continue
        inside = (code for _, code in islice(lines, ends[i] - i - 1))
        if _FENCE.match(line)[2].lower() in _PYTHON:
            inside = list(inside)
            functions = _functions(inside, blocks)
            if functions:
                yield from functions
                next(lines)  # the closing fence
                continue
        yield "@CTX " + line
        yield from ("@CTX " + code.rstrip() for code in inside if code.strip())
        yield "@CTX " + next(lines)[1].strip()


def code_lines(text: str) -> object:
    """Section lines of a text that is code as a whole: each non-blank line with its indentation."""
    return ("@CTX " + line.rstrip() for line in each_line(text) if line.strip())


def _fence_ends(text: str) -> dict[int, int]:
    """Where each line that can open a fence is closed: by the next line of the same mark alone, at least as long. From the end in one pass:
    of the closing lines behind, only those count that are longer than all before them."""
    marks = [(i, fence[1], fence[1] == line) for i, line in enumerate(map(str.strip, each_line(text)))
             if ("```" in line or "~~~" in line) and (fence := _FENCE.match(line))]
    ends: dict[int, int] = {}
    closers: dict[str, tuple[list[int], list[int]]] = {"`": ([], []), "~": ([], [])}  # lengths below zero, rising; and their lines
    for i, mark, alone in reversed(marks):
        lengths, places = closers[mark[0]]
        at = bisect_right(lengths, -len(mark)) - 1
        if at >= 0:
            ends[i] = places[at]
        if alone:
            while lengths and -lengths[-1] <= len(mark):
                lengths.pop()
                places.pop()
            lengths.append(-len(mark))
            places.append(i)
    return ends


def _functions(code: list[str], blocks: Blocks) -> list[str]:
    """The marker and the `@SIG` lines of a fenced Python block; empty when it does not parse or holds no function."""
    source = textwrap.dedent("\n".join(code))
    if "def " not in source:
        return []
    found = signatures(source, "CodeBlock")
    if found.notes or not found.lines:
        return []
    name = blocks.next_name()
    return [f"@CTX [{name}]", *("@SIG " + name + line.removeprefix("@SIG CodeBlock") for line in found.lines)]
