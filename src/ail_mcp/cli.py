"""Where the program starts and ends: one command, an exit code, and one clear line for whatever goes wrong.

`unpack` and `sig` are run from here, because they must start fastest: only what both need is imported at the top. The other commands stand
in `commands` and import the rooms that they use when they run (see src/build.py).
"""
from __future__ import annotations

import os

from .errors import AilError
from .files import read_text
from .options import READS_AND_WRITES, read_options, the_file
from .terminal import flush_output, say, use_utf8, write_result


def run_safely(words: list[str]) -> int:
    """Run one command; returns the exit code. Every failure is one line on standard error, without a traceback."""
    try:
        use_utf8()
        code = run(words)
        flush_output()
        return code
    except AilError as error:
        return _fail(str(error), error.code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that the interpreter's own flush at exit finds no broken pipe
        return 141
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _fail(f"reading or writing failed: {(error.strerror or type(error).__name__).lower()}", 4)
    except MemoryError:
        return _fail("out of memory; give a smaller file", 1)
    except Exception as error:
        at = error.__traceback__
        while at.tb_next:
            at = at.tb_next
        # The message of an unforeseen error may hold the text that was worked on, so only its kind and place are told.
        place = f"line {at.tb_lineno} of {os.path.basename(at.tb_frame.f_code.co_filename)}"
        return _fail(f"internal error: {type(error).__name__} at {place}; please report it with the command that you ran", 1)


def run(words: list[str]) -> int:
    """Run the command that `words` name. Raises AilError."""
    if not {"-h", "--help"} & set(words):
        if words[:1] == ["unpack"]:
            from .snapshot import MAX_INPUT, unpack
            args = read_options("unpack", READS_AND_WRITES, words[1:])
            write_result(unpack(read_text(the_file("unpack", args), MAX_INPUT)), args.output or "-", args.force)
            return 0
        if words[:1] == ["sig"]:
            from .sigcommand import SIG_OPTIONS, run_sig
            return run_sig(read_options("sig", SIG_OPTIONS, words[1:]))
    from .commands import run_command
    return run_command(words)


def _fail(message: str, code: int) -> int:
    """Say what went wrong. A file name or an argument may hold a secret, so a message that cannot be redacted is not said."""
    try:
        from .redact import redact
        message = redact(message).text
    except Exception:
        message = "an error, and the redactor failed on its message; please report it with the command that you ran"
    try:
        say(message)
    except BrokenPipeError:
        pass
    return code
