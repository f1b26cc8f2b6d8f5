"""What each command does, but for `unpack`, which stands in `cli` because it is the one that must start fastest."""
from __future__ import annotations

import json
import os
import sys

from .files import is_terminal, open_input, read_text
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
    snapshot = parse(read_text(args.file, MAX_INPUT))
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
    from .codemap import code_map
    from .errors import UsageError
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
            found = signatures(stream.read(), "stdin", redact=redact, **options)
    else:
        if args.budget is not None and not args.budget.isdecimal():
            raise UsageError("--budget needs a whole number of tokens, such as --budget 2000")
        found = code_map(paths, redact=redact, budget=args.budget and int(args.budget), count=count, outline_only=args.outline,
                         finish=finish if args.pointers else None, progress=_progress("files"), **options)
    found = SigMap(found.lines, [redact("@SIG " + note)[5:] for note in found.notes])
    write_result("".join(line + "\n" for line in found.lines), args.output or "-", args.force)
    for note in found.notes:
        say(note)
    if redactor and redactor[0].counts:
        _say_redacted(redactor[0])
    return 0


def run_redact(args: object) -> int:
    from .redact import redaction_report
    from .sessions import decode_text
    redactor = _redactor(args)
    with _opened(args.file) as stream:
        text, notes = decode_text(stream.read())
    write_result(redactor.redact_document(text), args.output or "-", args.force)
    for note in notes:
        say(note)
    _say_redacted(redactor)
    if args.report:
        sys.stderr.write(redaction_report(redactor))
    return 0


def run_count(args: object) -> int:
    from .sessions import decode_text
    from .tokens import counters
    with _opened(args.file) as stream:
        text, _ = decode_text(stream.read())
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


COMMANDS = {"pack": run_pack, "parse": run_parse, "sig": run_sig, "redact": run_redact, "count": run_count, "prompt": run_prompt, "mcp": run_mcp}


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
