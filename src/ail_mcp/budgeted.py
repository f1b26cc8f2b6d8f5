"""A session to a snapshot of at most so many tokens: statements and trail, the rest counted in the comments."""
from __future__ import annotations

import collections
from collections import namedtuple

from .cleanturns import clean_turns
from .errors import BudgetError, FileError
from .extract import standing_statements
from .fitting import Chooser, typed_lines
from .snapshot import format_snapshot
from .trail import trail, trail_lines

Choice = namedtuple("Choice", "text tokens chooser notes")
Choice.__doc__ = "The snapshot, its tokens by the counter in use, the Chooser that knows what was taken and why, and lines for a person."

TRAIL_SHARE = .45      # of the room, where tools were used: what an agent needs next are mostly names that it used before
_JOINED = 150           # characters up to which neighbours are one statement: small pieces fit better than large ones
_TRIES = 12             # how often the whole is counted and cut to its size


def choose(session: object, name: str, redactor: object, budget: int, counter: object, extra: list[str]) -> Choice:
    """The best snapshot of a Session within `budget` tokens of `counter`; `extra` are lines that have to stand in it. Raises BudgetError when the
    boundaries of the user do not fit, FileError when the session says nothing.

    Names are written out: a pointer hides a name from who searches for it, and in a snapshot that was chosen to be short little recurs.
    """
    turns = clean_turns(session, redactor)
    chooser = Chooser(standing_statements(turns, _JOINED), counter.count)
    found = trail(turns)
    if not chooser.offers and not found.names:
        raise FileError(f"{name or 'the input'} holds no talk; give a session, a chat or notes")
    notes = redactor.redact_all(session.notes) if redactor else session.notes
    head = [f"# source: {name or 'standard input'}, {len(turns)} turns"]
    room = budget - counter.count(format_snapshot([*head, _kept_and_left(chooser), *extra])) - 8
    if room <= 0:
        raise BudgetError(f"the lines about the source alone take {budget - room:,} tokens; expected a larger budget")
    used_tools = bool(found.files or found.commands)
    left = chooser.begin(room)
    left = chooser.fill(left - int(room * TRAIL_SHARE) * used_tools) + int(room * TRAIL_SHARE) * used_tools
    names: list[str] = trail_lines(found, left, counter.count, "\n".join(typed_lines(chooser))) if used_tools else []
    return _cut_to_size(chooser, found, names, head, extra, budget, counter, notes)


def _cut_to_size(chooser: Chooser, found: object, names: list, head: list, extra: list, budget: int, counter: object, notes: list) -> Choice:
    """Count the whole; take more while it is too small, less while it is too large."""
    best = None
    for _ in range(_TRIES):
        lines = [*head, _kept_and_left(chooser), *typed_lines(chooser), *["# calls"] * bool(names), *names, *extra]
        text = format_snapshot(lines)
        size = counter.count(text)
        if size <= budget:
            before, best = best, Choice(text, size, chooser, notes)
            taken = len(chooser.taken)
            chooser.fill(budget - size)
            if len(chooser.taken) == taken or before and before.tokens >= size:
                break
        elif not chooser.drop_last():
            names = names[:-1] if names else names
            if not names:
                break
    if best is None:
        raise BudgetError(f"what has to be kept takes {size:,} tokens; expected a budget of at least that")
    return best


def _kept_and_left(chooser: Chooser) -> str:
    """A comment line: how much was taken, and what was left out, by class."""
    left = collections.Counter(offer.kind for index, offer in enumerate(chooser.offers) if index not in chooser.why)
    classes = ", ".join(f"{kind} {number}" for kind, number in left.most_common())
    return f"# statements {len(chooser.taken)} of {len(chooser.offers)}; left out: {classes or 'none'}"
