"""The best of a session within a budget of tokens: which statements stand in the snapshot, and what an agent will need of its trail.

Statements are taken one after the other, each by what it adds for the tokens that it costs: how likely it is a commitment, how much of the
session's vocabulary it brings that was not said yet, and what its line costs, which is less where others of the same turn and heading stand
already. First come the boundaries and sure rules of the user, which are kept or refused, and then the best of each class, so that no class is
empty that has something to say.
"""
from __future__ import annotations

import collections
import heapq
from collections import namedtuple
from itertools import chain
from math import log

from .extract import COMMON_WORDS, beliefs, binds, likeliest
from .said import unlabelled
from .salience import importance

Offer = namedtuple("Offer", "statement heading text kind belief bound worth cost opening")
Offer.__doc__ = """A statement that may be taken: the beginning of what it stands under and its words, as they stand in a line of its type; its
likeliest type and how likely that is; whether it may not be left out without refusing (a boundary or a sure rule, in the user's own words); how
likely it is a commitment; the tokens of its text, and those of the line with its heading where it is the first of its place."""

CLASSES = ("goal", "safety", "constraint", "preference", "rejection", "decision", "open", "fact", "done", "artifact")
BOUND = "a boundary or a sure rule of the user"
LINE_AT_MOST = 800      # characters of a line that further statements of its place join
_TAG_TOKENS = 6         # `@CTX constraint := ` and the end of the line
_BASE = 2.0             # what a statement is worth beside the words that it brings
_SAID_BEFORE = 0.3      # what a word is still worth each time it was said
_HEADING_AT_MOST = 60   # characters of what a statement stands under; the rest of a long heading costs more than it tells


class Chooser:
    """Takes statements until the room is full; asked again with more room, it goes on where it stopped."""

    def __init__(self, statements: list, count: object) -> None:
        headings = {context: _cut(context) for context in {s.context for s in statements}}
        openings = {heading: _TAG_TOKENS + (count(heading) + 1 if heading else 0) for heading in set(headings.values())}
        self.offers = [_offer(s, headings[s.context], worth, count, openings[headings[s.context]])
                       for s, worth in zip(statements, importance(statements))]
        self.taken: list[int] = []
        self.why: dict[int, str] = {}
        self.given_back: set[int] = set()
        self.opened: set[tuple] = set()
        self.said: collections.Counter = collections.Counter()
        spread = collections.Counter(chain.from_iterable(set(s.words) for s in statements))
        self.weight = {word: log(1 + times) for word, times in spread.items() if len(word) > 2 and word not in COMMON_WORDS}
        self.adds = dict(self.weight)       # what each word adds now
        self.terms = [tuple(filter(self.weight.__contains__, dict.fromkeys(s.words))) for s in statements]
        self.in_place: dict[tuple, list[int]] = {}
        for index, offer in enumerate(self.offers):
            self.in_place.setdefault(place_of(offer), []).append(index)

    def cost(self, index: int) -> int:
        """Tokens that the statement adds now."""
        offer = self.offers[index]
        return offer.cost + (0 if place_of(offer) in self.opened else offer.opening)

    def gain(self, index: int) -> float:
        offer = self.offers[index]
        brings = sum(map(self.adds.__getitem__, self.terms[index]))
        return (offer.worth + offer.statement.bonus) * (_BASE + brings) / (self.cost(index) + 3)

    def take(self, index: int, why: str) -> int:
        """Take one; returns what it cost."""
        cost = self.cost(index)
        self.opened.add(place_of(self.offers[index]))
        self.say(index, 1)
        self.taken.append(index)
        self.why[index] = why
        return cost

    def say(self, index: int, times: int) -> None:
        """Count the words of a statement as said once more, or once less: each adds the less, the more often it is said."""
        for word in self.terms[index]:
            self.said[word] += times
            self.adds[word] = self.weight[word] * _SAID_BEFORE ** self.said[word]

    def give_back(self, tokens: int) -> bool:
        """Give back what was taken last, about so many tokens; False when only what must stay is left."""
        before = len(self.taken)
        while tokens > 0 and self.taken and self.why[self.taken[-1]] != BOUND:
            tokens -= self.offers[self.untake()].cost
        return len(self.taken) < before

    def untake(self) -> int:
        """Give back what was taken last, for good; returns its place."""
        index = self.taken.pop()
        del self.why[index]
        self.given_back.add(index)
        self.say(index, -1)
        return index

    def fill(self, room: int) -> int:
        """Take what adds most while it fits; returns the room that is left."""
        heap = [(-self.gain(index), index, 0) for index, offer in enumerate(self.offers)
                if offer.cost <= room and index not in self.why and index not in self.given_back]
        heapq.heapify(heap)
        round_ = 0
        while heap:
            _, index, checked = heapq.heappop(heap)
            if index in self.why:
                continue
            if checked != round_:
                heapq.heappush(heap, (-self.gain(index), index, round_))
            elif self.cost(index) <= room:
                opens = place_of(self.offers[index]) not in self.opened
                room -= self.take(index, "adds most for its tokens")
                round_ += 1
                if opens:       # its neighbours became cheaper
                    for other in self.in_place[place_of(self.offers[index])]:
                        heapq.heappush(heap, (-self.gain(other), other, round_))
        return room

    def bound_tokens(self) -> int:
        """What the statements that may not be left out take, at most."""
        return sum(offer.cost + offer.opening for offer in self.offers if offer.bound)

    def take_bound(self, room: int) -> int:
        """Take what may not be left out; returns the room that is left, less than none where the texts alone are larger than the room."""
        for index, offer in enumerate(self.offers):
            if offer.bound:
                room -= self.take(index, BOUND)
        return room

    def begin(self, left: int) -> int:
        """Take the best of each class; returns the room that is left."""
        for kind in CLASSES:
            own = [index for index, offer in enumerate(self.offers) if offer.kind == kind and index not in self.why]
            best = max(own, key=self.gain, default=None)
            if best is not None and self.cost(best) <= left // 20:
                left -= self.take(best, "the best of its class")
        return left


def _cut(heading: str) -> str:
    if len(heading) <= _HEADING_AT_MOST:
        return heading
    return heading[:_HEADING_AT_MOST].rpartition(" ")[0] or heading[:_HEADING_AT_MOST]


def _offer(statement: object, heading: str, worth: float, count: object, opening: int) -> Offer:
    shares = beliefs(statement)
    kind = likeliest(shares)
    text = unlabelled(statement.text) if kind == statement.sure else statement.text
    return Offer(statement, heading, text, kind, shares[kind], binds(statement, shares), worth, count(text) + 1, opening)


def place_of(offer: Offer) -> tuple:
    """What may stand on one line: statements of one turn under one heading; without a heading, those of one author and type."""
    statement = offer.statement
    return (statement.author, statement.context, statement.turn) if statement.context else (statement.author, "", offer.kind)


def typed_lines(chooser: Chooser) -> list[str]:
    """What was taken as section lines: the user's and then the assistant's and the tools', by class, in the order of the session. A line holds
    what belongs to one place, its parts behind ` | `, and is of the class of its most pressing part."""
    lines = []
    for author, mark in (("user", "# user"), ("assistant", "# assistant"), ("tool", "# note")):
        places: dict[tuple, list[Offer]] = {}
        for index in sorted(chooser.taken):
            offer = chooser.offers[index]
            if offer.statement.author == author:
                places.setdefault(place_of(offer), []).append(offer)
        own: list[tuple[int, str]] = []
        for offers in places.values():
            kind = min(CLASSES.index(offer.kind) for offer in offers)
            own += ((kind, text) for text in _wrapped(offers))
        own.sort(key=lambda line: line[0])      # stable: the order of the session within a class
        lines += [mark] * bool(own)
        lines += (f"@NEXT ?{text.replace(' ?', '?')}" if CLASSES[kind] == "open" else f"@CTX {CLASSES[kind]} := {text}" for kind, text in own)
    return lines


def _wrapped(offers: list[Offer]) -> list[str]:
    """The texts of one place, joined as long as a line stays short; each line names the heading."""
    heading = offers[0].heading
    lines: list[str] = []
    for offer in offers:
        if lines and len(lines[-1]) + len(offer.text) < LINE_AT_MOST:
            lines[-1] += " | " + offer.text
        else:
            lines.append(f"{heading}: {offer.text}" if heading else offer.text)
    return lines
