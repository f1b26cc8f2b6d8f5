"""The command line. A command reads, calls one function, prints: data on standard output, talk on standard error.

Only what every start needs is imported at the top; a command imports the rooms that it uses when it runs (see src/build.py).
"""
from __future__ import annotations

import os
import sys

from . import __version__
from .errors import AilError, UsageError
from .files import read_text
from .options import Option, describe_options, read_options
from .snapshot import MAX_INPUT, unpack
from .terminal import say, use_utf8, write_result

_FILE = Option("-f --file", "FILE", "the file to read; - or nothing is standard input")
_OUT = (Option("-o --output", "FILE", "write here instead of to standard output; a file that is there stays"),
        Option("--force", "", "let -o replace a file"))
_RULES = (Option("--allow", "VALUE", "a value that is no secret", many=True),
          Option("--keep-kind", "KIND", "leave a kind alone, such as ipv4", many=True),
          Option("--extra", "NAME=REGEX", "a rule of your own", many=True))

# A command: what it is for, and its options.
_COMMANDS = {
    "pack": ("write a snapshot of a session, chat, notes or code", (
        _FILE, *_OUT,
        Option("--log", '"WHAT|WHY|INSTEAD"', "a rejected approach, the reason, what replaced it", many=True),
        Option("--next", "TASK", "an open task", many=True),
        Option("--stats", "", "tokens before and after, on standard error"),
        Option("--no-pointers", "", "write every name out"),
        Option("--no-redact", "", "leave secrets in (the snapshot says so)"), *_RULES)),
    "unpack": ("print the text that a snapshot carries", (_FILE, *_OUT)),
    "parse": ("check a snapshot and count its sections", (_FILE, *_OUT, Option("--json", "", "the sections as one JSON object"))),
    "sig": ("print the @SIG lines of Python files and folders", (
        Option("-f --file", "PATH", "a file or a folder; - is standard input", many=True), *_OUT,
        Option("--fields", "", "a line for each dataclass, NamedTuple, TypedDict and enum, with its fields"),
        Option("--constants", "", "module constants, as @CTX lines"),
        Option("--no-self", "", "without self and cls"),
        Option("--no-mutations", "", "without what a function changes"),
        Option("--budget", "N", "at most so many tokens: whole functions and classes, the most used first"),
        Option("--outline", "", "each file and class once, indented: for reading, not AILv1"),
        Option("--pointers", "", "recurring names through an @MEM line"),
        Option("--no-redact", "", "leave secrets in default values"))),
    "redact": ("replace the secrets in a text", (
        _FILE, *_OUT, *_RULES, Option("--report", "", "kinds, counts and line numbers on standard error, never values"))),
    "count": ("count the tokens of a text", (_FILE, *_OUT, Option("--json", "", "as one JSON object"))),
    "prompt": ("print a text to paste into a chat, so that it writes its own snapshot", _OUT),
    "mcp": ("serve the tools over MCP on standard input and output", (
        Option("--builtin", "", "the built-in server, even where the mcp package is installed"),)),
}

_ABOUT = """usage: ail-mcp COMMAND [OPTIONS] [FILE]

Hand a working session over as a small text file, secrets removed first.

commands:
{commands}
  ail-mcp COMMAND --help    the options of a command
  ail-mcp --version         the version

examples:
  ail-mcp pack -f session.jsonl -o session.ail    a session as a snapshot
  ail-mcp unpack -f session.ail                   the text that it carries
  ail-mcp sig -f src/                             a map of Python code

exit codes: 0 good, 1 internal error, 2 usage, 3 invalid snapshot or failed check, 4 file trouble
"""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code. Every failure is one line on standard error, without a traceback."""
    try:
        use_utf8()
        code = run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except AilError as error:
        return _fail(str(error), error.code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that the interpreter's own flush at exit finds no broken pipe
        return 141
    except KeyboardInterrupt:
        return 130
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
    command, words = (words[0], words[1:]) if words else ("", [])
    if command in ("-h", "--help", "help"):
        write_result(_ABOUT.format(commands="".join(f"  {name:8}{about}\n" for name, (about, _) in _COMMANDS.items())))
        return 0
    if command in ("-V", "--version"):
        write_result(f"ail-mcp {__version__}\n")
        return 0
    if command not in _COMMANDS:
        fault = f"there is no command {command!r}" if command else "no command was given"
        raise UsageError(f"{fault}; expected one of {', '.join(_COMMANDS)} (see `ail-mcp --help`)")
    about, options = _COMMANDS[command]
    if "-h" in words or "--help" in words:
        write_result(f"usage: ail-mcp {command} [OPTIONS]\n\n{about[0].upper()}{about[1:]}.\n\n{describe_options(options)}")
        return 0
    args = read_options(command, options, words)
    if command == "sig":
        args.file += args.paths
    elif any(option is _FILE for option in options):
        given = [path for path in (args.file, *args.paths) if path is not None]
        if len(given) > 1:
            raise UsageError(f"{command} reads one file and {len(given)} were given")
        args.file = given[0] if given else "-"
    elif args.paths:
        raise UsageError(f"{command} takes no file")
    if command == "unpack":
        write_result(unpack(read_text(args.file, MAX_INPUT)), args.output or "-", args.force)
        return 0
    from .commands import COMMANDS
    return COMMANDS[command](args)


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
