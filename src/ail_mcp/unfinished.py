"""What a summary or a commitment has as open, beside where the summary says that it is done; and what stands as open, and was done."""

from __future__ import annotations

import re
from collections import namedtuple

from .beside import binding, status_of
from .matching import content
from .passages import plain_words, tokens
from .wording import CUE_STEMS, LIGHT_STEMS, near_stems, stem

Unfinished = namedtuple("Unfinished", "text keys all_keys weight")
_OPEN_HEAD = re.compile(
    r"\b(?:pending|remaining|open (?:tasks?|items?|points?|questions?)|to ?dos?|next steps?|not yet|outstanding|left to do|still to)\b"
)
_NOT_SO = re.compile(
    r"\b(?:not|no|never|yet|without|about to|start\w*|began|begin|begun|in the (?:process|middle)|will|would|should|must|plan\w*|needs?|needed|to be|"
    r"wants?|wanted|ask\w*|request\w*|if|once|after|when|until|before|next|continu\w+|interrupted|partly|propos\w+|suggest\w*|fail\w*)\b|n't\b|\?"
)
_OPEN_NOW = re.compile(
    r"\b(?:still|outstanding|pending|waiting|yet to|not yet|hasn't|haven't|has not|have not|remains? to|(?:has|have|needs?|is|are) to be)\b"
)
_OVER = re.compile(r"\b(?:already|done|finished|completed?|passed|passes|merged|landed)\b")
_PAST = re.compile(r"\b(?:ran|sent|made|wrote|written|built|[a-z]{2,14}ed)\b")
_WORDS_IN_MARKS = re.compile(r"`[^`]{1,80}`|\"[^\"]{1,80}\"|“[^”]{1,80}”")
OPEN_FROM = 0.5  # share of the weight of an open thing that a clause about it holds
SAID_FROM = 0.6  # share of the weight of a clause that a sentence about the same holds
THINGS_AT_MOST = 50  # open things with one word that are looked at
CLAUSE_FROM = 0.3  # share of the clause's own weight


class OpenThings:
    """What is open by the words of a summary and of the commitments."""

    def __init__(self, summary: object, commitments: object, weights: object) -> None:
        self.weights = weights
        self.places = set(_under_open_heads(summary))
        self.found = [self._unfinished(summary, place) for place in sorted(self.places) if summary.passages[place].kind == "text"]
        self.found += [
            self._unfinished(commitments, place)
            for place in range(len(commitments.passages))
            if status_of(binding(plain_words(commitments.words_at(place)))) == "open"
        ]
        self.found = [thing for thing in self.found if thing.weight and not _OVER.search(plain_words(thing.text))]
        self.with_key: dict = {}
        for thing in self.found:
            for key in thing.keys:
                self.with_key.setdefault(key, []).append(thing)

    def _unfinished(self, index: object, place: int) -> Unfinished:
        words = _telling_words(index.tokens_at(place))
        keys = {token.key for token in index.tokens_at(place) if token.kind == "word"}
        return Unfinished(index.words_at(place), frozenset(token.key for token in words), frozenset(keys), sum(map(self.weights.of, words)))

    def said_done(self, place: int, clause: str) -> Unfinished | None:
        """The open thing that a clause of a passage says is done; None where it says no such thing."""
        plain = plain_words(_WORDS_IN_MARKS.sub(" ", clause))
        if place in self.places or _NOT_SO.search(plain) or status_of(binding(plain)) == "open":
            return None
        over, doings = _OVER.search(plain), set(map(stem, _PAST.findall(plain)))
        words = _telling_words(tokens(clause)) if over or doings else []
        scale = sum(map(self.weights.of, words))
        near = dict.fromkeys(thing for token in words for thing in self.with_key.get(token.key, ())[:THINGS_AT_MOST])
        for thing in near if len(words) > 1 else ():
            common = [token for token in words if token.key in thing.keys]
            held = sum(map(self.weights.of, common))
            if len(common) > 1 and held >= OPEN_FROM * thing.weight and held >= CLAUSE_FROM * scale and (over or _same_doing(doings, thing)):
                return thing
        return None


def calls_open(clause: str) -> bool:
    return bool(_OPEN_NOW.search(plain_words(_WORDS_IN_MARKS.sub(" ", clause))))


def done_by_now(clause: str, known: list, weights: object) -> object:
    """The sentence of what is known about the same that says that what a clause calls open is done; None where none does, or a later one does not."""
    words = _telling_words(tokens(clause))
    doings = {token.key for token in tokens(clause) if token.kind == "word"}
    scale = sum(map(weights.of, words))
    last = None
    for each in sorted(known, key=lambda each: each.place):
        common = [token for token in words if token.key in each.keys]
        if not common or sum(map(weights.of, common)) < SAID_FROM * scale:
            continue
        if _OPEN_NOW.search(each.plain) or _NOT_SO.search(each.plain):
            last = None
        elif _OVER.search(each.plain) or doings & set(map(stem, _PAST.findall(each.plain))):
            last = each
    return last


def _under_open_heads(summary: object) -> list:
    """The passages under a heading, or behind a line with a colon, that says that what follows is open."""
    found, lead = [], None
    for place, passage in enumerate(summary.passages):
        text = summary.words_at(place)
        if lead and (passage.depth < lead.depth or passage.head != lead.head and passage.depth <= lead.depth):
            lead = None
        if lead or any(_OPEN_HEAD.search(plain_words(summary.words_at(head))) for head in summary.heads_of(place)):
            found.append(place)
        if passage.kind == "text" and text.rstrip(" *").endswith(":"):
            lead = passage if _OPEN_HEAD.search(plain_words(text)) else None
    return found


def _same_doing(doings: set, thing: Unfinished) -> bool:
    """Whether something that was done is what the open thing asks for."""
    return any(doing in thing.all_keys or any(not near_stems(doing).isdisjoint(near_stems(key)) for key in thing.all_keys) for doing in doings)


def _telling_words(found: list) -> list:
    return [token for token in content(found) if token.key not in CUE_STEMS and token.key not in LIGHT_STEMS]
