"""`sig`: a map of files and folders, or of the source on standard input."""
from __future__ import annotations

import sys

from .codemap import FILE_BYTES_AT_MOST, code_map
from .errors import FileError, UsageError
from .files import is_terminal
from .options import OUTPUT_FILE, Option, whole_number
from .secretgate import is_only_names, may_hold_secret
from .signatures import SigMap, signatures
from .talk import open_or_say, say
from .terminal import write_result

SIG_OPTIONS = (
    Option("-f --file", "PATH", "a file or a folder; - is standard input", many=True), *OUTPUT_FILE,
    Option("--fields", "", "a line for each dataclass, NamedTuple, TypedDict and enum, with its fields"),
    Option("--constants", "", "module constants, as @CTX lines"),
    Option("--no-self", "", "without self and cls"),
    Option("--no-mutations", "", "without what a function changes"),
    Option("--budget", "N", "at most so many tokens: whole functions and classes, the most used first"),
    Option("--outline", "", "each file and class once, indented: for reading, not AILv1"),
    Option("--pointers", "", "recurring names through an @MEM line"),
    Option("--no-redact", "", "leave secrets in default values"))


def run_sig(args: object) -> int:
    import gc

    gc.disable()  # trees hold no cycles, and there is much of them to look through
    paths = [*args.file, *args.paths] or ["-"]
    redact = _PieceRedactor(args.no_redact)
    options = {"no_self": args.no_self, "no_mutations": args.no_mutations, "fields": args.fields, "constants": args.constants, "redact": redact}
    if "-" not in paths:
        budget = args.budget and whole_number("--budget", args.budget, "tokens")
        found = code_map(paths, budget=budget, count=_count_tokens, outline_only=args.outline,
                         finish=_with_pointers if args.pointers else None, progress=_show_progress if is_terminal(sys.stderr) else None, **options)
    elif len(paths) > 1 or args.budget or args.outline or args.pointers:
        raise UsageError("standard input takes no other file, no --budget, --outline or --pointers; give files")
    else:
        found = _map_of_input(options)
    write_result("".join(line + "\n" for line in found.lines), args.output or "-", args.force)
    for note in found.notes:
        say(redact(note))
    if redact.redactor is not None:
        say_counts(redact.redactor)
    return 0


class _PieceRedactor:
    """Takes secrets out of the pieces of a map. The redactor is loaded for the first piece that could hold one."""

    def __init__(self, off: bool) -> None:
        self.off = off
        self.redactor: object = None

    def __call__(self, piece: str) -> str:
        if self.off or is_only_names(piece):
            return piece
        if self.redactor is None:
            if not may_hold_secret(piece):
                return piece
            from .redact import Redactor
            self.redactor = Redactor()
        return self.redactor.redact(piece)  # from now on every piece: a value that was found is looked for in all of them


def _map_of_input(options: dict) -> SigMap:
    with open_or_say("-") as stream:
        source = stream.read(FILE_BYTES_AT_MOST + 1)
    if len(source) > FILE_BYTES_AT_MOST:
        raise FileError(f"standard input is larger than {FILE_BYTES_AT_MOST // 1_000_000} MB; give a smaller source")
    return signatures(source, "stdin", **options)


def _count_tokens(text: str) -> int:
    from .tokens import counter
    return counter().count(text)


def _with_pointers(lines: list[str]) -> list[str]:
    from .pointers import point
    from .tokens import counters
    return point(lines, counters())


def _show_progress(done: int, total: int, _: str) -> None:
    """How far the work is, for a terminal."""
    if total > 20:
        sys.stderr.write(f"\r{done + 1} of {total} files" if done + 1 < total else "\r\033[K")


def say_counts(redactor: object) -> None:
    """What was replaced, if anything was."""
    if redactor.counts:
        from .redact import redaction_summary
        say(redaction_summary(redactor.counts))
