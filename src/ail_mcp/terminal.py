"""Standard output carries data and nothing else, in UTF-8 with plain line feeds."""
from __future__ import annotations

import sys

from .errors import FileError
from .files import is_terminal, reason_of


def use_utf8() -> None:
    """Whatever the locale says. What cannot be written as UTF-8 comes out as a backslash escape."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def write_result(result: str | list[str], output: str = "-", force: bool = False) -> None:
    """The result of a command, a text or texts that follow one another, to a file or to standard output (with control characters escaped
    on a terminal)."""
    parts = [result] if isinstance(result, str) else result
    stream = sys.stdout
    if output != "-":
        from .newfile import standard_stream, write_new
        stream = standard_stream(output)
    if stream is None and output != "-":
        write_new(output, parts, force)
    elif stream is None:
        raise FileError("standard output is closed; give -o FILE")
    else:
        if is_terminal(stream):
            from .talk import escape_controls
            parts = map(escape_controls, parts)
        try:
            for part in parts:
                stream.write(part)
        except OSError as error:
            raise _cannot_write(error) from None


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
