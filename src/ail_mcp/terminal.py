"""Standard output carries data, standard error carries talk; both are UTF-8 with plain line feeds."""
from __future__ import annotations

import os
import sys

from .errors import FileError
from .files import is_terminal, open_input, reason_of

# Escaped where a person reads them: control characters could move the cursor or recolour; tab and line feed stay. Signs of direction could
# show a text in another order than it has, and U+2028 and U+2029 break lines.
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}
_ESCAPES |= {code: f"\\u{code:04x}" for code in (0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))}


def use_utf8() -> None:
    """Whatever the locale says. What cannot be written as UTF-8 comes out as a backslash escape."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def write_result(result: str | list[str], output: str = "-", force: bool = False) -> None:
    """The result of a command, a text or texts that follow one another, to a file or to standard output (with control characters escaped
    on a terminal)."""
    parts = [result] if isinstance(result, str) else result
    stream = sys.stdout if output == "-" else standard_stream(output)
    if stream is None and output != "-":
        from .newfile import write_new
        write_new(output, parts, force)
    elif stream is None:
        raise FileError("standard output is closed; give -o FILE")
    else:
        shown = map(escape_controls, parts) if is_terminal(stream) else parts
        try:
            for part in shown:
                stream.write(part)
        except OSError as error:
            raise _cannot_write(error) from None


def standard_stream(path: str) -> object:
    """The stream that a path is another name of, such as /dev/stdout, which is a link that must not be replaced; else None."""
    try:
        there = os.stat(path)
    except (OSError, ValueError):
        return None
    for stream in (sys.stdout, sys.stderr):
        try:
            if there.st_ino and os.path.samestat(there, os.fstat(stream.fileno())):
                return stream
        except (AttributeError, OSError, ValueError):  # closed, or none of the system's
            pass
    return None


def flush_output() -> None:
    """Write out what is still held. Raises FileError where there is no room, BrokenPipeError where nobody reads."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        raise _cannot_write(error) from None


def _cannot_write(error: OSError) -> OSError | FileError:
    if isinstance(error, BrokenPipeError):
        return error
    return FileError(f"cannot write to standard output: {reason_of(error)}")


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
