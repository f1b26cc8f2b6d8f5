"""Text to section lines: every line of prose and talk behind `@CTX`, fenced Python as the `@SIG` lines of its functions.

Nothing vanishes: a line is left out only when it is blank, and a code block becomes signatures only when it parses and holds a function.
"""
from __future__ import annotations

import re
import textwrap

from .signatures import signatures
from .snapshot import split_lines

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([^\s`]*)([^`]*)\Z")
_PYTHON = frozenset(("python", "python3", "py", "py3"))


class Blocks:
    """The numbers of the code blocks of one snapshot: `CodeBlock_1`, ... without those that the text itself already names."""

    def __init__(self) -> None:
        self.count = 0  # blocks that became signatures
        self._number = 0

    def next_name(self, text: str) -> str:
        self.count += 1
        self._number += 1
        while f"CodeBlock_{self._number}]" in text:
            self._number += 1
        return f"CodeBlock_{self._number}"


def prose_lines(text: str, blocks: Blocks) -> list[str]:
    """Section lines of a text. Outside fences a line loses the white space at both ends, inside only at the right, so that code stays code."""
    lines = split_lines(text)
    out: list[str] = []
    i = 0
    while i < len(lines):
        line = lines[i].strip()
        fence = _FENCE.match(line) if line.startswith(("```", "~~~")) else None
        end = _fence_end(lines, i, fence[1]) if fence else None
        if end is None:
            if line:
                out.append("@CTX " + line)
            i += 1
            continue
        inside = lines[i + 1:end]
        functions = _functions(inside, text, blocks) if fence[2].lower() in _PYTHON else ()
        if functions:
            out += functions
        else:
            out.append("@CTX " + line)
            out += ("@CTX " + code.rstrip() for code in inside if code.strip())
            out.append("@CTX " + lines[end].strip())
        i = end + 1
    return out


def code_lines(text: str) -> list[str]:
    """Section lines of a text that is code as a whole: each non-blank line with its indentation."""
    return ["@CTX " + line.rstrip() for line in split_lines(text) if line.strip()]


def _fence_end(lines: list[str], start: int, fence: str) -> int | None:
    """The line that closes the fence opened at `start`: the same mark, at least as long, alone. None when it never closes."""
    for i in range(start + 1, len(lines)):
        line = lines[i].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return i
    return None


def _functions(code: list[str], text: str, blocks: Blocks) -> list[str]:
    """The marker and the `@SIG` lines of a fenced Python block; empty when it does not parse or holds no function."""
    source = textwrap.dedent("\n".join(code))
    if "def " not in source:
        return []
    found = signatures(source, "CodeBlock")
    if found.notes or not found.lines:
        return []
    name = blocks.next_name(text)
    return [f"@CTX [{name}]", *("@SIG " + name + line.removeprefix("@SIG CodeBlock") for line in found.lines)]
