"""Values as they are compared: numbers with units, truth values, dates, and words, each in one form.

`500 ms`, `0.5s` and `.5 seconds` are one value, `five` is 5, `yes` is true, `2026-3-1` and `1 March 2026` are one date. What is none of
these is compared as words, without case and quotes. Versions (`1.10`) and numbers with leading zeros stay texts: 1.10 is not 1.1.
"""
from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_UNITS = {  # unit -> (dimension, how many of the base unit)
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), ("time", Fraction(1, 10**9))),
    **dict.fromkeys(("us", "µs", "μs", "microsecond", "microseconds"), ("time", Fraction(1, 10**6))),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), ("time", Fraction(1, 1000))),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("time", Fraction(1))),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("time", Fraction(60))),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ("time", Fraction(3600))),
    **dict.fromkeys(("d", "day", "days"), ("time", Fraction(86400))),
    **dict.fromkeys(("week", "weeks"), ("time", Fraction(604800))),
    **dict.fromkeys(("b", "byte", "bytes"), ("size", Fraction(1))),
    **dict.fromkeys(("kb", "kilobyte", "kilobytes"), ("size", Fraction(10**3))),
    **dict.fromkeys(("mb", "megabyte", "megabytes"), ("size", Fraction(10**6))),
    **dict.fromkeys(("gb", "gigabyte", "gigabytes"), ("size", Fraction(10**9))),
    **dict.fromkeys(("tb", "terabyte", "terabytes"), ("size", Fraction(10**12))),
    "kib": ("size", Fraction(2**10)), "mib": ("size", Fraction(2**20)), "gib": ("size", Fraction(2**30)), "tib": ("size", Fraction(2**40)),
    **dict.fromkeys(("mm", "millimeter", "millimeters", "millimetre", "millimetres"), ("length", Fraction(1, 1000))),
    **dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres"), ("length", Fraction(1, 100))),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), ("length", Fraction(1))),
    **dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres"), ("length", Fraction(1000))),
    **dict.fromkeys(("%", "percent", "per cent"), ("share", Fraction(1, 100))),
    **dict.fromkeys(("hz", "hertz"), ("rate", Fraction(1))), "khz": ("rate", Fraction(10**3)), "mhz": ("rate", Fraction(10**6)),
    "ghz": ("rate", Fraction(10**9)),
    **dict.fromkeys(("px", "pixel", "pixels"), ("px", Fraction(1))),
    **dict.fromkeys(("€", "eur", "euro", "euros"), ("eur", Fraction(1))), **dict.fromkeys(("$", "usd", "dollar", "dollars"), ("usd", Fraction(1))),
    **dict.fromkeys(("token", "tokens"), ("tokens", Fraction(1))), **dict.fromkeys(("line", "lines"), ("lines", Fraction(1))),
    **dict.fromkeys(("row", "rows"), ("rows", Fraction(1))), **dict.fromkeys(("test", "tests"), ("tests", Fraction(1))),
}
_DIMENSIONS = frozenset(dimension for dimension, _ in _UNITS.values())
_NUMBER = re.compile(r"([€$]?)([+-]?(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,30})?(?:\.\d{1,30})?)"  # currency, digits
                     r"(?:e([+-]?\d{1,3}))?\s{0,3}(k(?![a-z]))?\s{0,3}([a-zµμ%€ ]{0,14})")
_ISO_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_WORD_DATE = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3,9})|([a-z]{3,9})\s+(\d{1,2})(?:st|nd|rd|th)?),?\s+(\d{4})")
_MONTHS = {name[:n]: i for i, name in enumerate(("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
                                                "november", "december"), 1) for n in (3, len(name))} | {"sept": 9}
_TRUTH = {"true": True, "yes": True, "on": True, "enabled": True, "false": False, "no": False, "off": False, "disabled": False}
_WORDS = {word: n for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
                                           "sixteen seventeen eighteen nineteen".split())} | {
    word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_QUOTES = "\"'`“”‘’«»"


def normal_value(value: object) -> tuple:
    """A value as a key that is equal for equal values: `("number", int or Fraction, dimension)`, `("truth", bool)`, `("date", (y, m, d))`,
    `("words", text)`, `("list", ...)`, `("map", ...)` (its order does not matter) or `("nothing",)`."""
    if value is None:
        return ("nothing",)
    if type(value) is bool:
        return ("truth", value)
    if type(value) in (int, float):
        return ("number", Fraction(str(value)), "")
    if type(value) is tuple:
        if value and all(type(item) is tuple for item in value):
            return ("map", tuple(sorted((str(name).casefold(), normal_value(item)) for name, item in value)))
        return ("list", tuple(normal_value(item) for item in value))
    return _normal_text(value)


def _normal_text(text: str) -> tuple:
    words = " ".join(text.strip().strip(_QUOTES).casefold().split())
    if words in _TRUTH:
        return ("truth", _TRUTH[words])
    return quantity(words) or _date(words) or ("words", words)


def quantity(text: str) -> tuple | None:
    """A number with or without unit as `("number", int or Fraction in the base unit, dimension)`; None for anything else. A unit that is not in
    the table is its own dimension: `350 agents` is 350 of "agents"."""
    words = text.strip().casefold()
    if words.isdecimal() and words.isascii() and words[0] != "0" and len(words) <= 30:  # most are plain
        return ("number", int(words), "")
    head, _, rest = words.partition(" ")
    tens, _, ones = head.partition("-")
    if head in _WORDS or tens in _WORDS and ones in _WORDS:
        words = f"{_WORDS.get(head) if head in _WORDS else _WORDS[tens] + _WORDS[ones]} {rest}"
    if len(words) > 80:
        return None
    match = _NUMBER.fullmatch(words.strip())
    digits = match and match[2].lstrip("+-").replace(",", "")
    if not digits or digits == "." or len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        return None
    if "." in digits and digits.endswith("0") and not match[5]:
        return None  # 1.10 and 2.0 are versions more often than numbers, and are equal only to themselves
    number = Fraction(match[2].replace(",", "")) * (1000 if match[4] else 1)
    if match[3]:
        number *= Fraction(10) ** int(match[3])
    unit = " ".join((match[1] or match[5]).split())
    dimension, factor = _UNITS.get(unit, (unit.removesuffix("s") if len(unit) > 3 else unit, Fraction(1)))
    if unit and unit not in _UNITS and dimension in _DIMENSIONS:
        dimension = f"{dimension} counted"  # "5 times" are no 5 seconds
    number *= factor
    return ("number", number.numerator if number.denominator == 1 else number, dimension)  # an int is hashed and compared ten times as fast


amount_of = lru_cache(maxsize=1 << 14)(quantity)  # for the numbers in a text, which are the same few again and again


def _date(words: str) -> tuple | None:
    if match := _ISO_DATE.fullmatch(words):
        year, month, day = map(int, match.groups())
    elif (match := _WORD_DATE.fullmatch(words)) and (match[2] or match[3]) in _MONTHS:
        year, month, day = int(match[5]), _MONTHS[match[2] or match[3]], int(match[1] or match[4])
    else:
        return None
    return ("date", (year, month, day)) if 1 <= month <= 12 and 1 <= day <= 31 else None
