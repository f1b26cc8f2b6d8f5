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
        else:
            setattr(args, option.name, value)
    return args


def describe_options(options: tuple[Option, ...]) -> str:
    """The options as a block of help text, a line each."""
    heads = [", ".join(option.flags) + (f" {option.value}" if option.value else "") for option in options]
    width = max(map(len, heads))
    return "".join(f"  {head:{width}}  {option.about}{'; may be repeated' if option.many else ''}\n" for head, option in zip(heads, options))
