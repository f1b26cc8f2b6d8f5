"""Later statements replace earlier ones about the same thing: a new value for the same words, a change that is told in other words, or a
correction that names the old value.

An update in other words gives one kind of value for a thing that an earlier statement gave another value of the same kind for, and both speak of
nothing else: a condition, a place or an owner that only one of them names keeps them apart. What the assistant says later does not replace what the
user said.
"""
from __future__ import annotations

import collections
import itertools
import re
from functools import cache

from .attributes import AT_A_TIME, CHANGE_WORDS, NUMBERED, SIDES, STATING_WORDS, claims, notion

_VALUE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)*")
_CORRECTED = re.compile(r"(?i)\b(?:not|instead of|rather than|from|statt|nicht|pas|au lieu de|en vez de|вместо|не)\s{1,9}(?:the\s{1,9})?[`\"']?"
                        r"(\d[\d,]*(?:\.\d+)*)")
_NEAR = 12                  # turns back to which a correction without further words reaches
_HOLDERS = 40               # statements with one value that a correction looks at, the latest
_EARLIER = 16               # claims of one kind about one thing that an update looks at, the latest
_REPLACED = 20              # replaced statements that the one that holds knows of, the latest
_OPPOSED = ({"@most", "@least"}, {"@begin", "@end"})
_SPOKEN = ("human", "steer", "answer", "preference")
_FILLER = frozenset("""the a an is are was were be to of in on at and or it its this that now then so we i you as for with has have will should must
set use""".split())


def without_superseded(found: list) -> list:
    """The statements that still hold at the end. `found` in order; what the assistant says later does not replace what the user said."""
    gone: set[int] = set()
    latest: dict[frozenset, int] = {}
    holders: dict[str, collections.deque] = {}
    same: dict[str, int] = {}
    for index, statement in enumerate(found):
        words = statement.text.casefold()
        before = same.get(words)
        if before is not None and found[before].context == statement.context:      # said twice: once is enough
            if found[before].author == "user" != statement.author:
                gone.add(index)
                continue
            gone.add(before)
        same[words] = index
        numbers = set(_VALUE.findall(statement.text))
        if not numbers:
            continue
        if statement.author == "user":
            _corrections(statement, index, found, holders, gone)
        if statement.unit in ("code", "output"):
            continue
        for number in numbers:
            holders.setdefault(number, collections.deque(maxlen=_HOLDERS)).append(index)
        about = frozenset([word for word in statement.words if not word[0].isdigit() and word not in _FILLER] + NUMBERED.findall(words))
        if 2 <= len(about) <= 24:
            before = latest.get(about)
            if before is not None and found[before].order != statement.order:
                older, newer = found[before], statement
                if older.author == "user" and newer.author != "user":
                    gone.add(index)
                    continue
                if before not in gone:
                    _replace(older, newer)
                gone.add(before)
            latest[about] = index
    return [statement for index, statement in enumerate(found) if index not in gone]


def _corrections(statement: object, index: int, found: list, holders: dict, gone: set) -> None:
    """A user's "500, not 5000" ends the life of what said 5000 about it; without further words, of what said so just before."""
    if len(statement.text) > 240:
        return
    for old in _CORRECTED.findall(statement.text):
        words = {word for word in statement.words if len(word) > 3 and not word[0].isdigit() and word not in _FILLER}
        for other in holders.get(old, ()):
            near = statement.order - found[other].order <= _NEAR
            shared = words & set(found[other].words)
            if other not in gone and found[other].order < statement.order and (shared if len(words) > 1 else near):
                gone.add(other)
                _replace(found[other], statement)


def without_updated(found: list) -> list:
    """The statements without those that a later one updates in other words. `found` are single sentences, in order."""
    claims_of = cache(claims)    # a session says many sentences more than once
    said = {index: claims_of(statement.text) for index, statement in enumerate(found) if _may_tell(statement)}
    wanted: dict[str, set] = {}                 # notion -> those beside which it makes a statement one to look at; itself where it does alone
    told: dict[tuple, collections.deque] = {}   # (notion or name, kind of value) -> (number, statement, claim), the latest; of what is asked for
    for index, each in said.items():
        for claim in each:
            if _can_update(claim, found[index].author == "user"):
                for one, others in _keys_of(claim):
                    wanted.setdefault(one, set()).update(others)
                for key in _asked(claim):
                    if key not in told:
                        told[key] = collections.deque(maxlen=_EARLIER)
    gone = _said_again(found)
    numbers = itertools.count()
    for index, statement in enumerate(found):
        tells, freely = index in said, statement.author == "user"
        if not tells and not (_asserts(statement) and _has_key(statement, wanted)):
            continue
        for claim in said[index] if tells else claims_of(statement.text):
            if tells and _can_update(claim, freely):
                seen = {entry[0]: entry for key in _asked(claim) for entry in told[key]}
                for _, other, earlier in map(seen.get, sorted(seen)):
                    if other not in gone and _may_replace(found[other], statement) and _updates(earlier, claim, freely):
                        gone.add(other)
                        _replace(found[other], statement)
                        statement.sure = statement.sure or found[other].sure        # it takes the place of what it replaces
                        statement.bonus = max(statement.bonus, found[other].bonus)
            entry = next(numbers), index, claim
            for key in itertools.product(_names_of(claim), claim.values):
                if key in told:
                    told[key].append(entry)
    return [statement for index, statement in enumerate(found) if index not in gone]


def _names_of(claim: object) -> list[str]:
    return [*claim.words, *map(notion, claim.values.get("name", ()))]


def _asked(claim: object) -> object:
    """The (notion or name, kind of value) under which a claim looks for what it updates."""
    return itertools.product(_names_of(claim), {*claim.values, *(kind for kind, _ in claim.gone)})


def _replace(older: object, newer: object) -> None:
    newer.replaces = [*newer.replaces, *older.replaces, older.text][-_REPLACED:]


def _said_again(found: list) -> set[int]:
    """The places of what the same person says again later in the same words, under the same heading."""
    gone, last = set(), {}
    for index, statement in enumerate(found):
        words = statement.text.casefold(), statement.context, statement.author
        if words in last:
            gone.add(last[words])
        last[words] = index
    return gone


def _asserts(statement: object) -> bool:
    return not statement.mark and statement.author != "tool" and statement.unit not in ("code", "output", "quote")


def _may_tell(statement: object) -> bool:
    """Whether a statement may tell of an update: what a person says by the way may, all else has to speak of a change, an agent of what now is."""
    if not _asserts(statement) or statement.cues["narration"] and statement.author != "user":
        return False
    return statement.kind in _SPOKEN or not CHANGE_WORDS.isdisjoint(statement.words) and (
        statement.author == "user" or not STATING_WORDS.isdisjoint(statement.words))


def _can_update(claim: object, freely: bool) -> bool:
    """Whether a claim can update any other (see `_updates`)."""
    return claim.states or freely and bool(claim.change or claim.gone or not AT_A_TIME.isdisjoint(claim.values))


def _keys_of(claim: object) -> list[tuple]:
    """What an earlier statement has to hold so that it can be updated: one notion where there is but one, else two (see `_updates`). As (notion,
    those of which one has to stand beside it, itself where it does alone)."""
    words = [word.partition(" ")[0] for word in claim.words if word[0] != "@"]
    names = [*words, *map(notion, claim.values.get("name", ()))]
    if claim.gone or len(claim.words - claim.verbs) < 2 or len(words) < 2:
        return [(name, {name}) for name in words or names or claim.words]
    return [(name, set(names) - {name}) for name in names]


def _has_key(statement: object, wanted: dict) -> bool:
    held = {*map(notion, statement.words), *["oncall"] * ("call" in statement.words)}
    return any(name in wanted and not wanted[name].isdisjoint(held) for name in held)


def _may_replace(older: object, newer: object) -> bool:
    """Whether the newer statement comes later, from somebody who may, and is told of no other part of a document."""
    return older.turn < newer.turn and (newer.author == "user" or older.author != "user") and (
        newer.context in ("", older.context))


def _updates(earlier: object, later: object, freely: bool) -> bool:
    """Whether the later claim gives another value of one kind for what the earlier one speaks of, and of nothing else. `freely` takes a change at
    its word; else, and where no change is told, both have to say what the very same thing is."""
    if freely and any(value in earlier.values.get(kind, ()) for kind, value in later.gone) and earlier.words & later.words:
        return True
    kinds = [kind for kind, values in later.values.items() if kind in earlier.values and not values & earlier.values[kind]]
    if len(kinds) != 1:
        return False
    told, telling = _apart(earlier, kinds[0]), _apart(later, kinds[0])
    common = {name for name in told & telling if name[0] != "@"}
    if not (later.change and freely):
        return (later.change or freely) and told == telling and bool(common) and (freely and kinds[0] in AT_A_TIME or earlier.states and later.states)
    left = [{name for name in each if name[0] != "@"} for each in (told - telling, telling - told)]
    if left[0] and left[1] or not told & telling or any(pair <= told ^ telling for pair in _OPPOSED):
        return False
    more = (left[0] | left[1]) - earlier.verbs - later.verbs    # one of them says more: of two things or more that both name
    return not more or len(more) < len(common) and not more & SIDES


def _apart(claim: object, kind: str) -> frozenset:
    """What a claim speaks of: its notions, and its values of other kinds."""
    return claim.words | {notion(str(value)) for other, values in claim.values.items() if other != kind for value in values}
