"""The commands: what each does, and one table with its options. Data goes to standard output, talk to standard error.

A command imports the rooms that it uses when it runs, since every room costs time to compile.
"""
from __future__ import annotations

import os
import sys
from collections import namedtuple

from . import __version__
from .errors import FileError, UsageError
from .files import is_terminal, open_input, read_text
from .options import INPUT_FILE, OUTPUT_FILE, READS_AND_WRITES, Option, read_options, the_file
from .snapshot import MAX_INPUT, expr_chain, parse
from .terminal import say, write_result


def run_pack(args: object) -> int:
    from .pack import pack
    redactor = None if args.no_redact else _redactor(args)
    with _opened(args.file) as stream:
        packed = pack(stream, _base_name(args.file), redactor=redactor, log=args.log, tasks=args.next, pointers=not args.no_pointers)
    write_result(packed.text, args.output or "-", args.force)
    for note in packed.notes:
        say(note)
    _say_redacted(redactor)
    _say_sizes(packed, args.stats)
    return 0


def run_parse(args: object) -> int:
    import json

    from .redact import redact
    text = read_text(args.file, MAX_INPUT)
    snapshot = parse(text)
    for finding in redact(text).findings:  # a snapshot that a model wrote went through no redactor
        say(f"line {finding.line} may hold a secret ({finding.kind}); `ail-mcp pack` of this file writes it without")
    if args.json:
        sections = [{"line": s.line, "tag": s.tag, "text": s.text, **s.fields, **_chain(s)} for s in snapshot.sections]
        result = json.dumps({"pointers": snapshot.pointers, "sections": sections}, ensure_ascii=False, indent=1)
    else:
        tags = [s.tag for s in snapshot.sections if s.tag != "#"]
        result = "valid AILv1: " + (", ".join(f"{tags.count(tag)} {tag}" for tag in dict.fromkeys(tags)) or "no section")
    write_result(result + "\n", args.output or "-", args.force)
    return 0


def _chain(section: object) -> dict:
    return {"chain": expr_chain(section.text)} if section.tag in ("@CTX", "@ARCH") else {}


def run_sig(args: object) -> int:
    from .codemap import FILE_BYTES_AT_MOST, code_map
    from .signatures import SigMap, may_hold_secret, signatures
    options = {"no_self": args.no_self, "no_mutations": args.no_mutations, "fields": args.fields, "constants": args.constants}
    redactor: list = []  # made for the first line that could hold a secret: most maps need none

    def redact(line: str) -> str:
        if args.no_redact or not may_hold_secret(line):
            return line
        if not redactor:
            from .redact import Redactor
            redactor.append(Redactor())
        return redactor[0].redact(line)

    def count(text: str) -> int:
        from .tokens import counter
        return counter().count(text)

    def finish(lines: list[str]) -> list[str]:
        from .pointers import point
        from .tokens import counters
        return point(lines, counters())

    paths = args.file or ["-"]
    if "-" in paths:
        if len(paths) > 1 or args.budget or args.outline or args.pointers:
            raise UsageError("standard input takes no other file, no --budget, --outline or --pointers; give files")
        with _opened("-") as stream:
            source = stream.read(FILE_BYTES_AT_MOST + 1)
        if len(source) > FILE_BYTES_AT_MOST:
            raise FileError(f"standard input is larger than {FILE_BYTES_AT_MOST // 1_000_000} MB; give a smaller source")
        found = signatures(source, "stdin", redact=redact, **options)
    else:
        if args.budget is not None and not (args.budget.isdecimal() and len(args.budget) < 10):
            raise UsageError("--budget needs a whole number of tokens, such as --budget 2000")
        found = code_map(paths, redact=redact, budget=args.budget and int(args.budget), count=count, outline_only=args.outline,
                         finish=finish if args.pointers else None, progress=_progress("files"), **options)
    found = SigMap(found.lines, [redact(note) for note in found.notes])
    write_result("".join(line + "\n" for line in found.lines), args.output or "-", args.force)
    for note in found.notes:
        say(note)
    if redactor and redactor[0].counts:
        _say_redacted(redactor[0])
    return 0


def run_redact(args: object) -> int:
    from .redact import redaction_report
    from .sessions import decode_stream
    redactor = _redactor(args)
    with _opened(args.file) as stream:
        text, notes = decode_stream(stream.read(1 << 20), stream, _base_name(args.file) or "standard input")
    write_result(redactor.redact_document(text), args.output or "-", args.force)
    for note in notes:
        say(note)
    _say_redacted(redactor)
    if args.report:
        sys.stderr.write(redaction_report(redactor))
    return 0


def run_count(args: object) -> int:
    import json

    from .sessions import decode_stream
    from .tokens import counters
    with _opened(args.file) as stream:
        text, _ = decode_stream(stream.read(1 << 20), stream, _base_name(args.file) or "standard input")
    sizes = {counter.name: counter.count(text) for counter in counters()}
    result = json.dumps({"tokens": sizes, "characters": len(text)}) if args.json else "\n".join(f"{n} {size}" for n, size in sizes.items())
    write_result(result + "\n", args.output or "-", args.force)
    return 0


_FAIL_ON = {"flip": "polarity_flip", "scope": "scope_error", "temporal": "temporal_error", "safety": "safety_erasure"}  # short names
_LINES = 20  # of the table without --all


def run_check(args: object) -> int:
    import json

    from .check import SOURCE_BYTES_AT_MOST, check, read_commitments
    from .verdicts import SEVERITY
    if len(args.paths) != 2:
        raise UsageError(f"check takes two files, the source and the summary, and {len(args.paths)} were given")
    if not args.atoms:
        raise UsageError("check needs the commitments to look for: --atoms FILE")
    least = _share_between_0_and_1("--min-car", args.min_car)
    fail_on = {_FAIL_ON.get(name, name) for part in args.fail_on for name in part.replace(" ", "").split(",") if name}
    unknown = fail_on - {*SEVERITY, "hallucinated"}
    if unknown:
        raise UsageError(f"--fail-on takes {', '.join((*SEVERITY, 'hallucinated', *_FAIL_ON))}, with commas between them")
    commitments = read_commitments(read_text(args.atoms, MAX_INPUT))
    sides = []
    for path in args.paths:
        with _opened(path) as stream:
            data = stream.read(SOURCE_BYTES_AT_MOST + 1)
        if len(data) > SOURCE_BYTES_AT_MOST:
            raise FileError(f"{_base_name(path) or 'standard input'} is larger than {SOURCE_BYTES_AT_MOST >> 20} MiB; give a smaller file")
        sides.append(data)
    checked = check(*sides, commitments, names=tuple(_base_name(path) or "standard input" for path in args.paths))
    if args.json:
        told = {"verdicts": checked.verdicts, "hallucinated": checked.hallucinated, "measures": checked.measures}
        result = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    else:
        from .verdicttable import verdict_table
        result = verdict_table(checked, None if args.all else _LINES)
    write_result(result, args.output or "-", args.force)
    car = checked.measures["car"]
    counts = {**checked.measures["by_verdict"], "hallucinated": len(checked.hallucinated)}
    failed = [f"{counts[name]} {name}" for name in sorted(fail_on) if counts.get(name)]
    if least is not None and car is not None and car < least:
        failed.append(f"CAR {car:.2f} is below {least:.2f}")
    if failed:
        say("check failed: " + ", ".join(failed))
    return 3 if failed else 0


def _share_between_0_and_1(option: str, text: str | None) -> float | None:
    try:
        value = None if text is None else float(text)
    except ValueError:
        value = -1.0
    if value is not None and not 0 <= value <= 1:
        raise UsageError(f"{option} needs a share between 0 and 1, such as {option} 0.9")
    return value


def run_prompt(args: object) -> int:
    from .prompt import EJECT_PROMPT
    write_result(EJECT_PROMPT, args.output or "-", args.force)
    return 0


def run_mcp(args: object) -> int:
    from .server import serve
    return serve(builtin=args.builtin)


def _progress(what: str) -> object:
    """A function that shows how far the work is, on a terminal only; None elsewhere."""
    if not is_terminal(sys.stderr):
        return None

    def show(done: int, total: int, _: str) -> None:
        if total > 20:
            sys.stderr.write(f"\r{done + 1} of {total} {what}" if done + 1 < total else "\r\033[K")
    return show


def _opened(path: str) -> object:
    stream = open_input(path)
    if path == "-" and is_terminal(stream):
        say("reading from the terminal; end with Ctrl-D, or give -f FILE")
    return stream


def _base_name(path: str) -> str:
    return "" if path == "-" else os.path.basename(path)


def _redactor(args: object) -> object:
    from .redact import Redactor
    return Redactor(allow=args.allow, keep_kinds=args.keep_kind, extra=args.extra)


def _say_redacted(redactor: object) -> None:
    from .redact import redaction_summary
    if redactor is None:
        say("not redacted, as you asked: the snapshot may hold secrets and says so")
    elif redactor.counts:
        say(redaction_summary(redactor.counts))


def _say_sizes(packed: object, always: bool) -> None:
    """Tokens before and after: when asked for, and when the plain text would have been cheaper."""
    from .tokens import counters
    for counter in counters():
        plain, snapshot = counter.count(packed.plain), counter.count(packed.text)
        if always or plain < snapshot:
            how = counter.name if counter.exact else "estimated"
            cheaper = ": the plain text is cheaper" if plain < snapshot else ""
            say(f"{plain:,} tokens as plain text, {snapshot:,} as a snapshot ({how}){cheaper}")
            if not always:
                return


_RULES = (Option("--allow", "VALUE", "a value that is no secret", many=True),
          Option("--keep-kind", "KIND", "leave a kind alone, such as ipv4", many=True),
          Option("--extra", "NAME=REGEX", "a rule of your own", many=True))

Command = namedtuple("Command", "about options run")
Command.__doc__ = "A row of the table below: what the command is for, its options, and the function that gets their values and returns the exit code."

COMMANDS = {
    "pack": Command("write a snapshot of a session, chat, notes or code", (
        *READS_AND_WRITES,
        Option("--log", '"WHAT|WHY|INSTEAD"', "a rejected approach, the reason, what replaced it", many=True),
        Option("--next", "TASK", "an open task", many=True),
        Option("--stats", "", "tokens before and after, on standard error"),
        Option("--no-pointers", "", "write every name out"),
        Option("--no-redact", "", "leave secrets in (the snapshot says so)"), *_RULES), run_pack),
    "unpack": Command("print the text that a snapshot carries", READS_AND_WRITES, None),  # run by `cli`, only its help is here
    "parse": Command("check a snapshot and count its sections", (
        *READS_AND_WRITES, Option("--json", "", "the sections as one JSON object")), run_parse),
    "sig": Command("print the @SIG lines of Python files and folders", (
        Option("-f --file", "PATH", "a file or a folder; - is standard input", many=True), *OUTPUT_FILE,
        Option("--fields", "", "a line for each dataclass, NamedTuple, TypedDict and enum, with its fields"),
        Option("--constants", "", "module constants, as @CTX lines"),
        Option("--no-self", "", "without self and cls"),
        Option("--no-mutations", "", "without what a function changes"),
        Option("--budget", "N", "at most so many tokens: whole functions and classes, the most used first"),
        Option("--outline", "", "each file and class once, indented: for reading, not AILv1"),
        Option("--pointers", "", "recurring names through an @MEM line"),
        Option("--no-redact", "", "leave secrets in default values")), run_sig),
    "redact": Command("replace the secrets in a text", (
        *READS_AND_WRITES, *_RULES, Option("--report", "", "kinds, counts and line numbers on standard error, never values")), run_redact),
    "count": Command("count the tokens of a text", (*READS_AND_WRITES, Option("--json", "", "as one JSON object")), run_count),
    "check": Command("say what a summary kept, lost and changed of its source", (
        Option("--atoms", "FILE", 'the commitments, one JSON object a line: {"id", "statement"} or atoms'),
        Option("--json", "", "verdicts, hallucinated claims and measures as one JSON object"),
        Option("--all", "", "every line of the table, the kept ones too"),
        Option("--min-car", "SHARE", "exit 3 when less of the critical commitments is kept, such as 0.9"),
        Option("--fail-on", "LIST", "exit 3 when one of these verdicts occurs, such as omission,flip,safety,hallucinated", many=True),
        *OUTPUT_FILE), run_check),
    "prompt": Command("print a text to paste into a chat, so that it writes its own snapshot", OUTPUT_FILE, run_prompt),
    "mcp": Command("serve the tools over MCP on standard input and output", (
        Option("--builtin", "", "the built-in server, even where the mcp package is installed"),), run_mcp),
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

exit codes: 0 good, 1 internal error, 2 usage, 3 invalid snapshot or failed check, 4 file trouble, 130 interrupted, 141 broken pipe
"""


def run_command(words: list[str]) -> int:
    """Run the command that `words` name, or print help; returns the exit code. Raises AilError."""
    name, words = (words[0], words[1:]) if words else ("", [])
    if name in ("-h", "--help", "help"):
        write_result(_ABOUT.format(commands="".join(f"  {name:8}{command.about}\n" for name, command in COMMANDS.items())))
        return 0
    if name in ("-V", "--version"):
        write_result(f"ail-mcp {__version__}\n")
        return 0
    if name not in COMMANDS:
        fault = f"there is no command {name!r}" if name else "no command was given"
        raise UsageError(f"{fault}; expected one of {', '.join(COMMANDS)} (see `ail-mcp --help`)")
    command = COMMANDS[name]
    if "-h" in words or "--help" in words:
        about = command.about[0].upper() + command.about[1:]
        file = " [FILE]" if INPUT_FILE in command.options else " SOURCE SUMMARY" if name == "check" else ""
        write_result(f"usage: ail-mcp {name} [OPTIONS]{file}\n\n{about}.\n\n{_describe_options(command.options)}")
        return 0
    args = read_options(name, command.options, words)
    if INPUT_FILE in command.options:
        args.file = the_file(name, args)
    elif name == "sig":
        args.file += args.paths
    elif name == "check":
        pass
    elif args.paths:
        raise UsageError(f"{name} takes no file")
    return command.run(args)


def _describe_options(options: tuple[Option, ...]) -> str:
    """The options as a block of help text, a line each."""
    heads = [", ".join(option.flags) + (f" {option.value}" if option.value else "") for option in options]
    width = max(map(len, heads))
    return "".join(f"  {head:{width}}  {option.about}{'; may be repeated' if option.many else ''}\n" for head, option in zip(heads, options))
