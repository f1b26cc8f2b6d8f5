"""Where the program starts and ends: one command and its exit code.

`unpack` and `sig` are run from here, because they must start fastest: only what both need is imported at the top. The other commands stand
in `commands` and import the rooms that they use when they run (see src/build.py).
"""
from __future__ import annotations

from .files import read_text
from .options import READS_AND_WRITES, read_options, the_file
from .terminal import flush_output, use_utf8, write_result


def run_safely(words: list[str]) -> int:
    """Run one command; returns the exit code. Every failure is one line on standard error, without a traceback."""
    try:
        use_utf8()
        code = run(words)
        flush_output()
        return code
    except BaseException as error:
        from .failures import failed
        return failed(error)


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
