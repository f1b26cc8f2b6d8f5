"""The words of a command line to values, from a table of options. `argparse` does more, and costs more than a whole `unpack` may."""
from __future__ import annotations

from .errors import UsageError


class Option:
    """One row: its flags (`-f --file`), the name of its value (`""` for a switch), what it is for, and whether it may be repeated."""

    __slots__ = ("flags", "value", "about", "many")

    def __init__(self, flags: str, value: str, about: str, many: bool = False) -> None:
        self.flags, self.value, self.about, self.many = flags.split(), value, about, many

    @property
    def name(self) -> str:
        return self.flags[-1].lstrip("-").replace("-", "_")


class Args:
    """The values of one command line as attributes; a switch is False or True, a repeated option a list, any other a text or None."""

    def __init__(self, options: tuple[Option, ...]) -> None:
        self.paths: list[str] = []  # words that belong to no option
        for option in options:
            setattr(self, option.name, [] if option.many else None if option.value else False)


def read_options(command: str, options: tuple[Option, ...], words: list[str]) -> Args:
    """Values of `words`: `--name value`, `--name=value`, `-f value`, `-fvalue`; `--` ends the options. Raises UsageError.

    The message names an option but never a value, since a value may be a secret.
    """
    args = Args(options)
    known = {flag: option for option in options for flag in option.flags}
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--":
            args.paths += words
            break
        if word == "-" or not word.startswith("-"):
            args.paths.append(word)
            continue
        flag, equals, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
        option = known.get(flag)
        if option is None:
            raise UsageError(f"{command} has no option {flag}; see `ail-mcp {command} --help`")
        if not option.value:
            if equals:
                raise UsageError(f"{flag} takes no value; see `ail-mcp {command} --help`")
            setattr(args, option.name, True)
            continue
        if not equals:
            if not words:
                raise UsageError(f"{flag} needs a value: {flag} {option.value}")
            value = words.pop(0)
        if option.many:
            getattr(args, option.name).append(value)
        elif not value:
            raise UsageError(f"{flag} needs a value: {flag} {option.value}")
        elif getattr(args, option.name) is not None:
            raise UsageError(f"{flag} was given twice; {command} takes it once")
        else:
            setattr(args, option.name, value)
    return args


def the_file(command: str, args: Args) -> str:
    """The one file that a command reads, from `-f` or as a bare word; `-` for standard input. Raises UsageError for several."""
    given = [path for path in (args.file, *args.paths) if path is not None]
    if len(given) > 1:
        raise UsageError(f"{command} reads one file and {len(given)} were given")
    return given[0] if given else "-"


def whole_number(flag: str, value: str, of: str) -> int:
    """The value of an option as a whole number. Raises UsageError."""
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise UsageError(f"{flag} needs a whole number of {of}, such as {flag} 2000")
    return int(value)


INPUT_FILE = Option("-f --file", "FILE", "the file to read; - or nothing is standard input")
OUTPUT_FILE = (Option("-o --output", "FILE", "write here instead of to standard output (/dev/stdout is that too); a file that is there stays"),
               Option("--force", "", "let -o replace a file"))
READS_AND_WRITES = (INPUT_FILE, *OUTPUT_FILE)
