"""Regular expressions from outside: only those that take linear time on any text.

Python's engine backtracks. A pattern is safe here when no unbounded repetition holds more than one character at a time, and when a
run of its characters can neither be entered in the middle nor shared with a neighbour, which is what makes time grow faster than
the text. The check is strict: it refuses some harmless patterns and says how to write them.
"""
from __future__ import annotations

import re

from .errors import UsageError

_MANY = 1000          # a repetition that may go on longer counts as unbounded
_WAYS = 2000          # in how many ways the bounded repetitions may match one place
_SAMPLE = "".join(map(chr, range(0x250))) + "\u0430\u4e2d\uac00\u2028"


def safe_pattern(pattern: str, option: str) -> re.Pattern[str]:
    """Compile a pattern of the user's; UsageError when it is none, matches the empty text, or can take more than linear time."""
    parser = re._parser if hasattr(re, "_parser") else re.sre_parse  # the second is Python 3.10's
    try:
        compiled_pattern = re.compile(pattern)
        tree = parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(f"{option}: not a regular expression ({getattr(error, 'msg', 'too large')}); expected Python's syntax, for"
                         f" example ACME-[0-9]{{4,12}}") from None
    if compiled_pattern.match(""):
        raise UsageError(f"{option}: the pattern matches the empty text; expected one that needs at least one character")
    fault = _fault_in(list(tree), compiled_pattern.flags)
    if fault:
        raise UsageError(f"{option}: the pattern could take more than linear time ({fault}); use bounded repetitions such as {{1,80}}"
                         f" with a fixed sign before them")
    return compiled_pattern


def _fault_in(items: list, flags: int) -> str:
    """What is wrong with a sequence of parsed items, or empty."""
    entered: list[frozenset] = []       # the sets of the fixed signs so far: a run cannot begin inside a run of other signs
    open_run: frozenset | None = None   # the signs of the last unbounded run, while nothing fixed has closed it
    ways = 1
    parts = list(_regex_items(items, flags))
    # can the match still fail behind this part?
    needed = [any(part[1] >= 1 or part[0] == "fault" for part in parts[index + 1:]) for index in range(len(parts))]
    for index, (kind, low, high, chars, inner) in enumerate(parts):
        if kind == "fault":
            return inner
        unbounded = high > _MANY
        if unbounded and chars is None:
            return "a repeated group may repeat without a bound"
        if unbounded:
            if needed[index] and not any(not before & chars for before in entered):
                return "a repetition without a bound has no fixed sign of another kind before it"
            if open_run is not None and open_run & chars:
                return "two repetitions without a bound can share the same text"
            open_run = chars if open_run is None else open_run | chars
        else:
            ways *= _ways_of(low, high, inner)
        if low >= 1 and chars is not None:
            entered.append(chars)
            if not unbounded and open_run is not None and not open_run & chars:
                open_run = None
        if ways > _WAYS:
            return "its repetitions can match the same text in too many ways"
    return ""


def _regex_items(items: list, flags: int):
    """Yield `(kind, low, high, characters or None, ways inside)` for each item; `("fault", ..., message)` for what is refused."""
    for operation, value in items:
        name = str(operation)
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            yield "one", 1, 1, _characters(operation, value, flags), 0
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, body = value
            body = _unwrap(list(body))
            single = _characters(*body[0], flags) if len(body) == 1 and str(body[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN") else None
            fault = "" if single is not None else _fault_in(body, flags)
            if single is None and not fault and any(item[2] > _MANY for item in _regex_items(body, flags)):
                fault = "a repetition inside a repetition has no bound" if high > 1 else ""
            ways = 1
            for _, least, most, _, inside in _regex_items(body, flags) if single is None and not fault else ():
                ways *= _ways_of(least, most, inside)
            if fault:
                yield "fault", 0, 0, None, fault
            else:
                yield "many", int(low), int(high), single, ways if single is None else 0
        elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
            yield from _regex_items(list(value[3] if name == "SUBPATTERN" else value), flags)
        elif name == "BRANCH":
            for branch in value[1]:
                fault = _fault_in(list(branch), flags)
                parts = list(_regex_items(list(branch), flags))
                if not fault and any(part[2] > _MANY for part in parts):
                    fault = "a repetition without a bound stands inside an alternative"
                if fault:
                    yield "fault", 0, 0, None, fault
            yield "many", 1, _alternatives(value[1], flags), None, 0
        elif name in ("ASSERT", "ASSERT_NOT"):
            parts = list(_regex_items(list(value[1]), flags))
            if any(part[0] == "fault" or part[2] > _MANY for part in parts):
                yield "fault", 0, 0, None, "a repetition without a bound stands inside a look-around"
        elif name != "AT":
            yield "fault", 0, 0, None, "back-references and conditions are not taken"


def _ways_of(low: int, high: int, inside: int) -> int:
    """In how many ways a bounded repetition can match one place: how often it repeats, and what each round can do inside."""
    return (high - low + 1) * max(1, inside) ** min(high, 40)


def _alternatives(branches: list, flags: int) -> int:
    """In how many ways alternatives can begin at one place: one, when no two begin with the same sign."""
    seen: set[str] = set()
    for branch in branches:
        first = next(iter(_regex_items(list(branch), flags)), None)
        if first is None or first[1] < 1 or first[3] is None or first[3] & seen:
            return len(branches)
        seen |= first[3]
    return 1


def _unwrap(items: list) -> list:
    while len(items) == 1 and str(items[0][0]) == "SUBPATTERN":
        items = list(items[0][1][3])
    return items


def _characters(operation: object, value: object, flags: int) -> frozenset[str]:
    """Which characters of a sample of Unicode one item matches. Without regard to case, since a flag may say so."""
    name = str(operation)
    if name == "ANY":
        return frozenset(_SAMPLE)
    if name in ("LITERAL", "NOT_LITERAL"):
        signs = {chr(value).lower(), chr(value).upper()}
        return frozenset(signs) if name == "LITERAL" else frozenset(_SAMPLE) - {chr(value)}
    signs, negated = set(), False
    for part, data in value:
        what = str(part)
        if what == "NEGATE":
            negated = True
        elif what == "LITERAL":
            signs |= {chr(data).lower(), chr(data).upper()}
        elif what == "RANGE":
            signs |= {each for sign in _SAMPLE if data[0] <= ord(sign) <= data[1] for each in (sign, sign.lower(), sign.upper())}
        else:
            test = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[str(data).rsplit("_", 1)[1]]
            found = set(re.findall(test, _SAMPLE))
            signs |= set(_SAMPLE) - found if "_NOT_" in str(data) else found
    return frozenset(set(_SAMPLE) - signs if negated else signs)
