"""Later statements replace earlier ones about the same thing: a new value for the same words, or a correction that names the old value."""
from __future__ import annotations

import collections
import re

_VALUE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)*")
_CORRECTED = re.compile(r"(?i)\b(?:not|instead of|rather than|from|statt|nicht|pas|au lieu de|en vez de|вместо|не)\s{1,9}(?:the\s{1,9})?[`\"']?"
                        r"(\d[\d,]*(?:\.\d+)*)")
_NEAR = 12                  # turns back to which a correction without further words reaches
_HOLDERS = 40               # statements with one value that a correction looks at, the latest
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
        numbers = set(_VALUE.findall(statement.text)) if statement.unit not in ("code", "output") else set()
        if statement.author == "user":
            _corrections(statement, index, found, holders, gone)
        for number in numbers:
            holders.setdefault(number, collections.deque(maxlen=_HOLDERS)).append(index)
        about = frozenset(word for word in statement.words if not word[0].isdigit() and word not in _FILLER)
        if numbers and 2 <= len(about) <= 24:
            before = latest.get(about)
            if before is not None and found[before].order != statement.order:
                older, newer = found[before], statement
                if older.author == "user" and newer.author != "user":
                    gone.add(index)
                    continue
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
            if found[other].order < statement.order and (shared if len(words) > 1 else near):
                gone.add(other)
