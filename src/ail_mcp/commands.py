"""The commands: what each does, and one table with its options. Data goes to standard output, talk to standard error.

A command imports the rooms that it uses when it runs, since every room costs time to compile.
"""
from __future__ import annotations

import os
import sys
from collections import namedtuple

from . import __version__
from .errors import UsageError
from .files import read_text
from .options import INPUT_FILE, OUTPUT_FILE, READS_AND_WRITES, Option, read_options, the_file
from .sigcommand import SIG_OPTIONS, open_or_say, run_sig, say_counts
from .snapshot import MAX_INPUT, expr_chain, parse
from .terminal import say, write_result


def run_pack(args: object) -> int:
    from .pack import pack
    redactor = None if args.no_redact else _redactor(args)
    with open_or_say(args.file) as stream:
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


def run_redact(args: object) -> int:
    from .redact import redaction_report
    from .sessions import decode_stream
    redactor = _redactor(args)
    with open_or_say(args.file) as stream:
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
    with open_or_say(args.file) as stream:
        text, _ = decode_stream(stream.read(1 << 20), stream, _base_name(args.file) or "standard input")
    sizes = {counter.name: counter.count(text) for counter in counters()}
    result = json.dumps({"tokens": sizes, "characters": len(text)}) if args.json else "\n".join(f"{n} {size}" for n, size in sizes.items())
    write_result(result + "\n", args.output or "-", args.force)
    return 0


def run_prompt(args: object) -> int:
    from .prompt import EJECT_PROMPT
    write_result(EJECT_PROMPT, args.output or "-", args.force)
    return 0


def run_mcp(args: object) -> int:
    from .server import serve
    return serve(builtin=args.builtin)


def _base_name(path: str) -> str:
    return "" if path == "-" else os.path.basename(path)


def _redactor(args: object) -> object:
    from .redact import Redactor
    return Redactor(allow=args.allow, keep_kinds=args.keep_kind, extra=args.extra)


def _say_redacted(redactor: object) -> None:
    if redactor is None:
        say("not redacted, as you asked: the snapshot may hold secrets and says so")
    else:
        say_counts(redactor)


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
    "sig": Command("print the @SIG lines of Python files and folders", SIG_OPTIONS, run_sig),
    "redact": Command("replace the secrets in a text", (
        *READS_AND_WRITES, *_RULES, Option("--report", "", "kinds, counts and line numbers on standard error, never values")), run_redact),
    "count": Command("count the tokens of a text", (*READS_AND_WRITES, Option("--json", "", "as one JSON object")), run_count),
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
        file = " [FILE]" if INPUT_FILE in command.options else ""
        write_result(f"usage: ail-mcp {name} [OPTIONS]{file}\n\n{about}.\n\n{_describe_options(command.options)}")
        return 0
    args = read_options(name, command.options, words)
    if INPUT_FILE in command.options:
        args.file = the_file(name, args)
    elif name != "sig" and args.paths:
        raise UsageError(f"{name} takes no file")
    return command.run(args)


def _describe_options(options: tuple[Option, ...]) -> str:
    """The options as a block of help text, a line each."""
    heads = [", ".join(option.flags) + (f" {option.value}" if option.value else "") for option in options]
    width = max(map(len, heads))
    return "".join(f"  {head:{width}}  {option.about}{'; may be repeated' if option.many else ''}\n" for head, option in zip(heads, options))
