"""The commands: what each does, and one table with its options. Data goes to standard output, talk to standard error.

A command imports the rooms that it uses when it runs, since every room costs time to compile.
"""
from __future__ import annotations

import os
import sys
from collections import namedtuple

from . import __version__
from .errors import FileError, UsageError
from .files import read_text
from .options import INPUT_FILE, OUTPUT_FILE, READS_AND_WRITES, Option, read_options, the_file, whole_number
from .sigcommand import SIG_OPTIONS, run_sig, say_counts
from .snapshot import MAX_INPUT, expr_chain, parse
from .talk import open_or_say, say
from .terminal import write_result


def run_pack(args: object) -> int:
    """A snapshot of a session, chat, notes or code: all of it, or the best of it within a budget."""
    redactor = None if args.no_redact else _redactor(args)
    if args.budget is None and (args.ledger or args.explain or args.counter or args.since):
        raise UsageError("--ledger, --explain, --since and --counter go with --budget; give --budget N, or --budget auto")
    if args.budget is None:
        from .pack import pack
        with open_or_say(args.file) as stream:
            packed = pack(stream, _base_name(args.file), redactor=redactor, log=args.log, tasks=args.next, pointers=not args.no_pointers)
    else:
        from .budgetcommand import packed_within
        with open_or_say(args.file) as stream:
            packed = packed_within(stream, _base_name(args.file), args, redactor)
    if packed is not None:
        write_result(packed.parts, args.output or "-", args.force)
        for note in packed.notes:
            say(note)
        _say_redacted(redactor)
        _say_sizes(packed, args.stats)
    return 0


def run_extract(args: object) -> int:
    """What a session commits to, a line each, or its trail within so many tokens."""
    import json

    from .cleanturns import clean_turns
    from .extract import extract, statement_of
    from .sessions import read
    from .tokens import counter
    from .trail import trail, trail_lines
    redactor = _redactor(args)
    room = whole_number("--trail", args.trail, "tokens") if args.trail else None
    name = _base_name(args.file) or "standard input"
    with open_or_say(args.file) as stream:
        session = read(stream, name, tools=True)
    turns = clean_turns(session, redactor)
    if not turns:
        raise FileError(f"{name} holds no talk; give a session, a chat, notes or a snapshot")
    if room is not None:
        lines = trail_lines(trail(turns), room, counter().count)
    elif args.json:
        lines = [json.dumps({"type": atom.type, "text": statement_of(atom), "author": atom.author, "turn": atom.evidence.turn,
                             "span": [atom.evidence.start, atom.evidence.end], "confidence": atom.confidence, "criticality": atom.criticality},
                            ensure_ascii=False) for atom in extract(turns)]
    else:
        lines = [f"{atom.type} ({atom.author}, turn {atom.evidence.turn}): {statement_of(atom)}" for atom in extract(turns)]
    write_result("".join(line + "\n" for line in lines), args.output or "-", args.force)
    for note in session.notes:
        say(redactor.redact(note))
    _say_redacted(redactor)
    return 0


def run_parse(args: object) -> int:
    """Whether the input is a snapshot: a count of its sections, or all of them as JSON; possible secrets are told on standard error."""
    import json

    from .cleanlines import secrets_in
    from .redact import Redactor
    snapshot = parse(read_text(args.file, MAX_INPUT))
    for number, kind in secrets_in(snapshot, Redactor()):  # a snapshot that a model wrote went through no redactor
        say(f"line {number} may hold a secret ({kind}); `ail-mcp pack` of this file writes it without")
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
    """The input without its secrets; on standard error how many of each kind there were."""
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
    """The tokens of the input, by each counter of this machine."""
    import json

    from .sessions import decode_stream
    from .tokens import counters
    with open_or_say(args.file) as stream:
        text, _ = decode_stream(stream.read(1 << 20), stream, _base_name(args.file) or "standard input")
    sizes = {counter.name: counter.count(text) for counter in counters()}
    result = json.dumps({"tokens": sizes, "characters": len(text)}) if args.json else "\n".join(f"{n} {size}" for n, size in sizes.items())
    write_result(result + "\n", args.output or "-", args.force)
    return 0


def run_check(args: object) -> int:
    """What a summary kept, lost and changed of its source."""
    from .checkcommands import check_files
    return check_files(args, _redactor(args))


def run_repair(args: object) -> int:
    """A summary with what it lost put back."""
    from .checkcommands import repair_file
    return repair_file(args, _redactor(args))


def run_tried(args: object) -> int:
    """Whether an idea was tried or decided on."""
    from .checkcommands import tried_in
    return tried_in(args, _redactor(args))


def run_prompt(args: object) -> int:
    """The text that makes a chat write its own snapshot."""
    from .prompt import EJECT_PROMPT
    write_result(EJECT_PROMPT, args.output or "-", args.force)
    return 0


def run_atoms(args: object) -> int:
    """Commitments from one form to another."""
    from .atomcommands import convert_atoms
    return _with_counts(convert_atoms, args)


def run_diff(args: object) -> int:
    """What changed between two states."""
    from .changecommands import show_diff
    return _with_counts(show_diff, args)


def run_merge(args: object) -> int:
    """Two states with one origin together."""
    from .changecommands import merge_states
    return _with_counts(merge_states, args)


def run_schema(args: object) -> int:
    """The JSON Schema of an atom."""
    import json

    from .atomschema import ATOM_SCHEMA
    write_result(json.dumps(ATOM_SCHEMA, indent=1) + "\n", args.output or "-", args.force)
    return 0


def _lexicon(which: str) -> object:
    """The function of one command on the lexicon."""
    def run(args: object) -> int:
        from .lexiconcommands import LEXICON_COMMANDS
        return _with_counts(LEXICON_COMMANDS[which], args)
    return run


def _with_counts(work: object, args: object) -> int:
    """The exit code of `work(args, redactor)`; what was redacted is told."""
    redactor = _redactor(args)
    code = work(args, redactor)
    say_counts(redactor)
    return code


def run_mcp(args: object) -> int:
    """Serve over MCP until the client closes standard input."""
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
        plain, snapshot = counter.count(*packed.plain_parts), counter.count(*packed.parts)
        if always or plain < snapshot:
            how = counter.name if counter.exact else "estimated"
            cheaper = ": the plain text is cheaper" if plain < snapshot else ""
            say(f"{plain:,} tokens as plain text, {snapshot:,} as a snapshot ({how}){cheaper}")
            if not always:
                return


_RULES = (Option("--allow", "VALUE", "a value that is no secret", many=True),
          Option("--keep-kind", "KIND", "leave a kind alone, such as ipv4", many=True),
          Option("--extra", "NAME=REGEX", "a rule of your own", many=True))

Command = namedtuple("Command", "about options run files", defaults=("",))
Command.__doc__ = """A row of the table below: what the command is for, its options, the function that gets their values and returns the exit code,
and the files that it takes as bare words, other than one input."""

_COUNTER = Option("--counter", "NAME", "count as cl100k, o200k or estimate")
_ATOMS_FILE = Option("--atoms", "FILE", 'the commitments, one JSON object a line: {"id", "statement"} or atoms; else they are found in the source')
_LEXICON_FILE = Option("--lexicon", "FILE", "a lexicon file on top of the built-in table")

FORM_NAMES = ("json", "yaml", "ccl", "cclmin", "ail", "sentences", "prose")

COMMANDS = {
    "pack": Command("write a snapshot of a session, chat, notes or code", (
        *READS_AND_WRITES,
        Option("--log", '"WHAT|WHY|INSTEAD"', "a rejected approach, the reason, what replaced it", many=True),
        Option("--next", "TASK", "an open task", many=True),
        Option("--budget", "N", "at most so many tokens: what matters most, and what an agent will need; auto is a fifth of the talk"),
        _COUNTER,
        Option("--since", "SNAPSHOT", "with --budget: bring an earlier snapshot of this session up to date, from the turns that came after it"),
        Option("--ledger", "FILE", "with --budget: every statement, kept or not, and why, as JSON Lines"),
        Option("--explain", "ID", "with --budget: one row of the ledger instead of the snapshot"),
        Option("--stats", "", "tokens before and after, on standard error"),
        Option("--no-pointers", "", "write every name out"),
        Option("--no-redact", "", "leave secrets in (the snapshot says so)"), *_RULES), run_pack),
    "unpack": Command("print the text that a snapshot carries", READS_AND_WRITES, None),  # run by `cli`, only its help is here
    "extract": Command("list what a session commits to: goals, rules, decisions, rejected approaches, facts, open tasks", (
        *READS_AND_WRITES, Option("--json", "", "one JSON object a line"),
        Option("--trail", "N", "instead the files, commands and names of the session, in at most N tokens"), *_RULES), run_extract),
    "parse": Command("check a snapshot and count its sections", (
        *READS_AND_WRITES, Option("--json", "", "the sections as one JSON object")), run_parse),
    "sig": Command("print the @SIG lines of Python files and folders", SIG_OPTIONS, run_sig),
    "redact": Command("replace the secrets in a text", (
        *READS_AND_WRITES, *_RULES, Option("--report", "", "kinds, counts and line numbers on standard error, never values")), run_redact),
    "count": Command("count the tokens of a text", (*READS_AND_WRITES, Option("--json", "", "as one JSON object")), run_count),
    "check": Command("say what a summary kept, lost and changed of its source", (
        _ATOMS_FILE,
        Option("--json", "", "verdicts, hallucinated claims and measures as one JSON object"),
        Option("--html", "FILE", "also one page for a browser: source and summary side by side, marked"),
        Option("--git", "", "instead what changed in the repository here since the commit that one snapshot names"),
        Option("--all", "", "every line of the table, the kept ones too"),
        Option("--min-car", "SHARE", "exit 3 when less of the critical commitments is kept, such as 0.9"),
        Option("--fail-on", "LIST", "exit 3 when one of these verdicts occurs, such as omission,flip,safety,hallucinated", many=True),
        *OUTPUT_FILE, *_RULES), run_check, "SOURCE SUMMARY"),
    "repair": Command("put the lost commitments back into a summary, word for word, worst first, and check again", (
        Option("--budget", "N", "tokens that the mended summary may take"),
        _COUNTER, _ATOMS_FILE, *OUTPUT_FILE, *_RULES), run_repair, "SOURCE SUMMARY"),
    "tried": Command("say whether an idea was rejected or decided on before, why, and what was taken instead; exit code 1 when there is no record", (
        Option("--json", "", "the records as one JSON object"), *OUTPUT_FILE, *_RULES), run_tried, "IDEA FILE..."),
    "atoms": Command("write commitments in another form: " + ", ".join(FORM_NAMES), (
        *READS_AND_WRITES,
        Option("--to", "FORM", "the form to write; json when it is not given"),
        Option("--from", "FORM", "the form of the input, when its beginning does not tell"),
        Option("--budget", "N", "at most so many tokens: the riskiest first, safety always, each as small as it can bear"),
        _COUNTER, *_RULES), run_atoms),
    "diff": Command("show what changed between two states of the commitments, in any form that can be read", (
        Option("--to", "FORM", "text (when it is not given), patch (JSON Patch), ccl (before and after), json"), *OUTPUT_FILE, *_RULES),
        run_diff, "A B"),
    "merge": Command("bring two states with one origin together; conflicts are written out, and the exit code is 3", (
        Option("--to", "FORM", "the form to write; json when it is not given, and always when there are conflicts"), *OUTPUT_FILE, *_RULES),
        run_merge, "BASE OURS THEIRS"),
    "schema": Command("print the JSON Schema of a commitment", OUTPUT_FILE, run_schema),
    "lexicon read": Command("read phrases as commitments with canonical names", (
        *READS_AND_WRITES, _LEXICON_FILE, *_RULES), _lexicon("read")),
    "lexicon learn": Command("learn names for things from labelled phrases", (
        *READS_AND_WRITES, _LEXICON_FILE,
        Option("--at-least", "N", "phrases before a name is believed; 2 when it is not given"),
        Option("--against", "OLD", "a lexicon file of before: report what drifted, and count its version on"), *_RULES), _lexicon("learn")),
    "lexicon propose": Command("list what the lexicon cannot name, with candidates to choose from", (
        *READS_AND_WRITES, _LEXICON_FILE, *_RULES), _lexicon("propose")),
    "lexicon confirm": Command("take the choices made in a proposal into a lexicon file", (
        *READS_AND_WRITES, Option("--lexicon", "FILE", "the project's lexicon file, made or brought up to date"), *_RULES), _lexicon("confirm")),
    "lexicon check": Command("check commitments that a model proposes, by schema, lexicon and source", (
        *READS_AND_WRITES, _LEXICON_FILE, Option("--source", "FILE", "the text that every quote has to stand in"), *_RULES), _lexicon("check")),
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
        write_result(_ABOUT.format(commands=_list_commands(COMMANDS)))
        return 0
    if name in ("-V", "--version"):
        write_result(f"ail-mcp {__version__}\n")
        return 0
    own = [command for command in COMMANDS if name and command.startswith(name + " ")]
    if own and words[:1] and f"{name} {words[0]}" in own:
        name, words = f"{name} {words[0]}", words[1:]
    elif own and {"-h", "--help"} & set(words):
        write_result(f"usage: ail-mcp {name} COMMAND [OPTIONS] [FILE]\n\n{_list_commands(own)}")
        return 0
    elif own:
        raise UsageError(f"{name} has commands of its own; expected one of {', '.join(own)} (see `ail-mcp {name} --help`)")
    if name not in COMMANDS:
        fault = f"there is no command {name!r}" if name else "no command was given"
        raise UsageError(f"{fault}; expected one of {', '.join(COMMANDS)} (see `ail-mcp --help`)")
    command = COMMANDS[name]
    if "-h" in words or "--help" in words:
        about = command.about[0].upper() + command.about[1:]
        file = " [FILE]" if INPUT_FILE in command.options else f" {command.files}" if command.files else ""
        write_result(f"usage: ail-mcp {name} [OPTIONS]{file}\n\n{about}.\n\n{_describe_options(command.options)}")
        return 0
    args = read_options(name, command.options, words)
    if INPUT_FILE in command.options:
        args.file = the_file(name, args)
    elif name != "sig" and args.paths and not command.files:
        raise UsageError(f"{name} takes no file")
    return command.run(args)


def _list_commands(names: object) -> str:
    """The commands as a block of help text, a line each."""
    width = max(map(len, names)) + 2
    return "".join(f"  {name:{width}}{COMMANDS[name].about}\n" for name in names)


def _describe_options(options: tuple[Option, ...]) -> str:
    """The options as a block of help text, a line each."""
    heads = [", ".join(option.flags) + (f" {option.value}" if option.value else "") for option in options]
    width = max(map(len, heads))
    return "".join(f"  {head:{width}}  {option.about}{'; may be repeated' if option.many else ''}\n" for head, option in zip(heads, options))
