"""`pack --budget`: the options that go with it."""
from __future__ import annotations

import gc
import json
import os
import sys

from .budgeted import pack_within
from .errors import UsageError
from .files import read_text
from .newfile import must_be_free, standard_stream
from .options import whole_number
from .snapshot import MAX_INPUT
from .talk import say
from .terminal import write_result
from .tokens import counter


def packed_within(stream: object, name: str, args: object, redactor: object) -> object:
    """The Packed of `pack --budget`, its ledger written; None where one row was asked for and printed. Raises AilError."""
    gc.disable()  # statements hold no cycles, and there are many of them to look through
    budget = None if args.budget == "auto" else whole_number("--budget", args.budget, "tokens")
    count = counter(args.counter)
    _refuse_one_place_for_two(args)
    chosen = pack_within(stream, name, budget, count, redactor=redactor, log=tuple(args.log), tasks=tuple(args.next),
                         since=read_text(args.since, MAX_INPUT) if args.since else "")
    rows = chosen.rows if args.explain or args.ledger else []
    if args.explain:
        row = next((row for row in rows if row["id"] == args.explain), None)
        if row is None:
            raise UsageError(f"there is no statement of that id; expected s1 to s{len(rows)} (--ledger lists them)")
    if args.ledger:
        write_result("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), args.ledger, args.force)
    if args.explain:
        write_result(json.dumps(row, ensure_ascii=False, indent=1) + "\n", args.output or "-", args.force)
        return None
    how = count.name if count.exact else "estimated"
    say(f"{chosen.tokens:,} of {chosen.budget:,} tokens ({how}){' by --budget auto' if budget is None else ''}")
    return chosen.packed


def _refuse_one_place_for_two(args: object) -> None:
    """Raise UsageError where the ledger would go where the input is or where the result goes, and FileError where a file is in the way of either:
    before anything is written, so that there are both or none."""
    if args.ledger:
        result, ledger, given = (_leads_to(path) for path in (args.output or "-", args.ledger, args.file))
        if ledger == result:
            raise UsageError("the ledger and the result would go to one place; give another file to --ledger or -o")
        if ledger == given and args.file != "-":
            raise UsageError("the ledger would replace the input; give another file to --ledger")
        for path in (args.output or "-", args.ledger):
            if not args.force and path != "-" and standard_stream(path) is None:
                must_be_free(path)


def _leads_to(path: str) -> object:
    """What a path leads to: a standard stream or the name of a file."""
    return sys.stdout if path == "-" else standard_stream(path) or os.path.realpath(path)
