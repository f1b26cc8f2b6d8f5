"""A session to a snapshot of at most so many tokens: the statements that matter most and the trail; what is left out is counted in a comment.

Names are written out, without pointers: a pointer hides a name from who searches for it, and what was chosen to be short recurs little.
"""
from __future__ import annotations

import collections
from collections import namedtuple

from .cleanturns import clean_turns
from .documents import format_blocks, format_snapshot
from .earlier import earlier_statements
from .errors import BudgetError, FileError, UsageError
from .extract import atom_of, standing_statements
from .fitting import CLASSES, Chooser, typed_lines
from .pack import TEXT_BODIES, Packed, clean_name, redaction_mark, with_comments
from .scores import risk
from .sessions import read
from .snapshot import line_blocks
from .statements import log_lines, next_lines
from .trail import trail, trail_lines


class Chosen(namedtuple("Chosen", "packed tokens budget chooser")):
    """A Packed; its tokens by the counter in use; the budget; and the Chooser, None where the input was packed whole."""

    __slots__ = ()

    @property
    def rows(self) -> list[dict]:
        """The ledger: a dict for each statement, in the order of the session."""
        return ledger(self.chooser) if self.chooser else []


TRAIL_SHARE = 0.40          # of the room, where tools were used: what an agent needs next are mostly names that it used before
LEAST_BUDGET, MOST_BUDGET = 1_000, 8_000    # of a budget that nobody gave, unless the boundaries alone take half of it
_TALK_SHARE = 5             # such a budget is a fifth of the talk
_TALK = ("human", "steer", "answer", "preference", "reply", "note", "compact")
_JOINED = 150               # characters up to which neighbours are one statement: small pieces fit better than large ones
_TRIES = 40                 # how often the whole is counted and mended
_COUNTS_SHARE = 25          # a snapshot counts what was left out by class where that takes a 25th of its budget at most, else as one number


def pack_within(stream: object, name: str, budget: int | None, counter: object, *, redactor: object, log: tuple = (), tasks: tuple = (),
                since: str = "") -> Chosen:
    """The best snapshot of what a binary stream holds within `budget` tokens by `counter`; None takes a fifth of the talk, within LEAST_BUDGET and
    MOST_BUDGET, and more where the boundaries need it.

    `name`, `redactor`, `log` and `tasks` are those of `pack`. With `since`, the text of an earlier snapshot of the same session, its statements
    stand for the turns that it holds, and only later turns are chosen from; what they replace is gone. A snapshot or code that
    fits is packed whole. Raises BudgetError when what may not be left out does not fit, FileError and UsageError.
    """
    redact = redactor.redact if redactor else str
    name = clean_name(name, redact)
    session = read(stream, name or "the input", tools=True)
    said, about = log_lines(log, redact)
    extra = said + next_lines(tasks, redact)
    if session.format in TEXT_BODIES:
        if since:
            raise UsageError("--since goes with a session that has turns; this is a snapshot or code")
        return _whole(session, name, redactor, budget, counter, extra, about)
    turns = clean_turns(session, redactor)
    ends, before = 0, []
    if since:
        ends, before, logs = earlier_statements(since, redactor.redact_all if redactor else list)
        if ends > len(turns):
            raise UsageError(f"the snapshot of --since ends at turn {ends:,} and this session has {len(turns):,}; "
                             "expected a later state of the same session")
        extra = [*logs, *(line for line in extra if line not in logs)]
    chooser = Chooser(standing_statements(turns, _JOINED, before=before, ends=ends), counter.count)
    if budget is None:
        talk = sum(counter.count(turn.text) for turn in turns if turn.kind in _TALK)
        budget = max(min(MOST_BUDGET, max(LEAST_BUDGET, talk // _TALK_SHARE)), 2 * chooser.bound_tokens())
    head = [f"# source: {name or 'standard input'}, turns 1-{len(turns)}"]
    head += redaction_mark(redactor)
    text = _Fit(chooser, trail(turns), head, extra, budget, counter.count).text(name or "the input")
    notes = about + (redactor.redact_all(session.notes) if redactor else session.notes)
    plain = [turn.text for turn in turns if turn.kind in _TALK]
    return Chosen(Packed([text], plain, notes), counter.count(text), budget, chooser)


def _whole(session: object, name: str, redactor: object, budget: int | None, counter: object, extra: list[str], notes: list[str]) -> Chosen:
    """A snapshot as it is, code as its signatures. Raises BudgetError where that is too large."""
    comments, blocks, plain = TEXT_BODIES[session.format](session.text, name, redactor, notes)
    parts = format_blocks(with_comments([*comments, *redaction_mark(redactor)], [*blocks, *line_blocks(extra)]))
    size = counter.count(*parts)
    if budget is not None and size > budget:
        what = "the snapshot" if session.format == "snapshot" else "the map of this code"
        raise BudgetError(f"{what} takes {size:,} tokens; expected a budget of at least that" + (
            ": pack the session itself with the smaller budget" if session.format == "snapshot" else ", or `ail-mcp sig --budget`"))
    return Chosen(Packed(parts, plain or parts, notes), size, budget or size, None)


class _Fit:
    """One snapshot while it is fitted to its budget."""

    def __init__(self, chooser: Chooser, found: object, head: list[str], extra: list[str], budget: int, count: object) -> None:
        self.chooser, self.found, self.head, self.extra, self.budget, self.count = chooser, found, head, extra, budget, count
        self.names: list[str] = []
        self.by_class = count(kept_and_left(chooser, True)) * _COUNTS_SHARE <= budget

    def text(self, name: str) -> str:
        """The snapshot. Raises BudgetError when what must stand in it does not fit, FileError when there is nothing to say."""
        if not (self.chooser.offers or self.found.names or self.extra):
            raise FileError(f"{name} holds no talk; give a session, a chat or notes")
        room = self.budget - self.count(self.whole())
        if room < 0:
            raise BudgetError(f"the header and what was given in --log and --next take {self.budget - room:,} tokens; expected a larger budget")
        left = self.chooser.take_bound(room)
        self.by_class &= self.count(self.whole()) <= self.budget
        bound, needed = len(self.chooser.taken), self.count(self.whole())
        if needed > self.budget:  # counted as it would stand there: the next try must not be refused again
            raise BudgetError(f"{bound} boundaries and rules of the user take {needed:,} tokens with the header and the budget is {self.budget:,}; "
                              f"expected at least {needed:,}")
        of_trail = int(room * TRAIL_SHARE) if self.found.files or self.found.commands else 0
        left = self.chooser.fill(self.chooser.begin(left) - of_trail) + of_trail
        if of_trail:
            self.names = trail_lines(self.found, max(0, left), self.count, "\n".join(typed_lines(self.chooser)))
        return self.mended()

    def whole(self) -> str:
        calls = ["# calls", *self.names] if self.names else []
        return format_snapshot([*self.head, kept_and_left(self.chooser, self.by_class), *typed_lines(self.chooser), *calls, *self.extra])

    def mended(self) -> str:
        """Count the whole, take more while there is room, give back while it is too large."""
        best = ""
        for _ in range(_TRIES):
            text = self.whole()
            over = self.count(text) - self.budget
            if over > 0:
                if not self.chooser.give_back(over):
                    if not self.names:
                        break
                    del self.names[-max(1, len(self.names) // 8):]
                continue
            best, before = text, len(self.chooser.taken)
            self.chooser.fill(-over)
            if len(self.chooser.taken) == before:
                break
        if not best:
            raise BudgetError(f"what may not be left out takes {self.budget + over:,} tokens; expected a budget of at least that")
        return self.topped_up(best)

    def topped_up(self, text: str) -> str:
        """What the estimated cost of a line left out, where the whole still has the room for it when it is counted."""
        chooser, left = self.chooser, self.budget - self.count(text)
        seen = chooser.given_back.union(chooser.why)
        more = [index for index, offer in enumerate(chooser.offers) if offer.cost <= left and index not in seen]
        for index in sorted(more, key=lambda index: -chooser.gain(index))[:_TRIES]:
            if chooser.offers[index].cost <= left:
                chooser.take(index, "fills the room that is left")
                longer = self.whole()
                if self.count(longer) <= self.budget:
                    text, left = longer, self.budget - self.count(longer)
                else:
                    chooser.untake()
        return text


def kept_and_left(chooser: Chooser, by_class: bool) -> str:
    """A comment line: how many statements stand in the snapshot, and how many were left out, by class where there is room."""
    kept = f"# statements {len(chooser.taken)} of {len(chooser.offers)}"
    if not by_class:
        return kept
    left = collections.Counter(offer.kind for index, offer in enumerate(chooser.offers) if index not in chooser.why)
    classes = ", ".join(f"{kind} {left[kind]}" for kind in CLASSES if left[kind])
    return f"{kept}; left out: {classes or 'none'}"


def ledger(chooser: Chooser) -> list[dict]:
    """A row for each statement: what it is, where it was said, what it is worth, whether it was kept, and why."""
    rows = []
    for index, offer in enumerate(chooser.offers):
        statement, atom = offer.statement, atom_of(offer.statement, offer.kind, offer.belief)
        rows.append({"id": f"s{index + 1}", "type": offer.kind, "author": statement.author, "turn": statement.turn,
                     "span": [statement.start, statement.end], "text": statement.text, "under": statement.context,
                     **({"replaces": statement.replaces} if statement.replaces else {}),
                     "risk": round(risk(atom), 2), "belief": round(offer.belief, 2), "worth": round(offer.worth, 2), "tokens": offer.cost,
                     "kept": index in chooser.why,
                     "why": chooser.why.get(index, "adds less for its tokens than what was kept")})
    return rows
