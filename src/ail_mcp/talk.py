"""Standard error carries talk: what a person is told beside the result."""
from __future__ import annotations

import sys

from .files import is_terminal, open_input

# Escaped where a person reads them: control characters could move the cursor or recolour; tab and line feed stay. Signs of direction could
# show a text in another order than it has, and U+2028 and U+2029 break lines.
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}
_ESCAPES |= {code: f"\\u{code:04x}" for code in (0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))}


def say(line: str) -> None:
    """One line of talk on standard error."""
    if sys.stderr is not None:
        try:
            print("ail-mcp: " + escape_controls(line.replace("\n", " ")), file=sys.stderr, flush=True)
        except OSError:
            pass  # nobody can be told, and the result stands


def escape_controls(text: str) -> str:
    return text.translate(_ESCAPES)


def open_or_say(path: str) -> object:
    """The stream to read from; a person at a terminal is told that it is waited for."""
    stream = open_input(path)
    if path == "-" and is_terminal(stream):
        say("reading from the terminal; end with Ctrl-D, or give -f FILE")
    return stream
