"""`pack --budget`: the options that go with it."""
from __future__ import annotations

import json

from .budgeted import pack_within
from .errors import UsageError
from .files import read_text
from .options import whole_number
from .snapshot import MAX_INPUT
from .terminal import say, write_result
from .tokens import counter


def packed_within(stream: object, name: str, args: object, redactor: object) -> object:
    """The Packed of `pack --budget`, its ledger written; None where one row was asked for and printed. Raises AilError."""
    budget = None if args.budget == "auto" else whole_number("--budget", args.budget, "tokens")
    count = counter(args.counter)
    chosen = pack_within(stream, name, budget, count, redactor=redactor, log=tuple(args.log), tasks=tuple(args.next),
                         since=read_text(args.since, MAX_INPUT) if args.since else "")
    if args.explain:
        row = next((row for row in chosen.rows if row["id"] == args.explain), None)
        if row is None:
            raise UsageError(f"there is no statement of that id; expected s1 to s{len(chosen.rows)} (--ledger lists them)")
        write_result(json.dumps(row, ensure_ascii=False, indent=1) + "\n", args.output or "-", args.force)
        return None
    if args.ledger:
        write_result("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in chosen.rows), args.ledger, args.force)
    how = count.name if count.exact else "estimated"
    say(f"{chosen.tokens:,} of {chosen.budget:,} tokens ({how}){' by --budget auto, a fifth of the talk' if budget is None else ''}")
    return chosen.packed
