"""How far a value reaches: quoted in any way, or bare, with what belongs to the sentence or the markup around it given back."""
from __future__ import annotations

from .shapes import compiled

# An unquoted value. A separator ends it only when something new begins behind it, since people put all of these into passwords.
_BARE_RUN = (r"""(?m)(?:[^\s\x00-\x1f\x7f"'`<>,;&|\\]|>(?![\s])|,(?![\s"'`\\]|[\w.-]{1,30}[=:]|$)|;(?![\s"'`\\]|[\w .-]{1,30}=|$)"""
             r"""|&(?![\w.-]{1,40}=|amp;|quot;|lt;|gt;|&|[ \t"'])|\|(?![\s|])|<(?![/A-Za-z!?])|\\(?![nrtbf"'`\\/u])"""
             r"""|["'`](?=[\w!#$%^*+=~?.-])){1,2048}""")
_VALUE_LEAD = (r"[ \t]{0,16}(?:\x1b\[[0-9;]{0,8}m)?"
               r"(?:\*\*|\*(?=[ \t])|\|\||&nbsp;|__(?=[ \t])|</[a-z]{1,8}>)?[ \t]{0,4}(?:<(?:code|b|strong|kbd|tt|em|i|pre)>)?")
_OPEN_QUOTE = r"""(?:[rbuf]{1,2}|[@$LR])?(\\{0,7})(["'`]|&quot;|&\#0?3[49];)|([\u201c\u2018\u00ab\u300c\u300e])"""
_CLOSERS = {"\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb", "\u300c": "\u300d", "\u300e": "\u300f"}
_QUOTED_CAP = 4200


def value_at(text: str, at: int, end: int) -> tuple[int, int, bool]:
    """Where the value that begins at `at` begins and ends, and whether it is quoted."""
    at = compiled(_VALUE_LEAD).match(text, at, end).end()
    quote = compiled(_OPEN_QUOTE).match(text, at, end)
    if not quote:
        return at, trim_value(text, at, bare_end(text, at, end)), False
    first = quote.end()
    if quote[3]:
        last = text.find(_CLOSERS[quote[3]], first, min(end, first + 256))
        return first, last if last > 0 else first, True
    slashes, mark = quote[1], quote[2]
    if slashes or len(mark) > 1:
        last = text.find(slashes + mark, first, min(end, first + _QUOTED_CAP))
        if last < 0 or text.find("\n", first, last) >= 0:
            return first, bare_end(text, first, end), False
        return first, last, True
    if text.startswith(mark * 3, first - 1):
        last = text.find(mark * 3, first + 2, min(end, first + _QUOTED_CAP))
        return (first + 2, last, True) if last > 0 else (first, first, True)
    inside = compiled(rf"[^{mark}\\\r\n]*(?:\\.[^{mark}\\\r\n]*)*(?={mark})").match(text, first, min(end, first + _QUOTED_CAP))
    if inside:
        return first, inside.end(), True
    return first, bare_end(text, first, end), False  # the quote is never closed: cut off


def bare_end(text: str, at: int, end: int) -> int:
    """Where an unquoted value that begins at `at` ends."""
    bare = compiled(_BARE_RUN).match(text, at, before_ideographs(text, at, end))
    return bare.end() if bare else at


def before_ideographs(text: str, at: int, end: int) -> int:
    """Where the next typographic or East Asian sign stands, which belongs to the sentence and not to a value; else `end`."""
    if text.isascii():
        return end
    sign = compiled("[\u2000-\u206f\u2e80-\uffef]").search(text, at, min(end, at + 2048))
    return sign.start() if sign else end


def trim_value(text: str, first: int, last: int) -> int:
    """Give back what belongs to the sentence, the markup or the call around an unquoted value."""
    low = max(first, last - 200)
    while last > first:
        sign = text[last - 1]
        if sign in ".,:;\"'`>" or sign in ")]}" and text.count(sign, low, last) > text.count("([{"[")]}".index(sign)], low, last):
            last -= 1
        elif text[last - 2:last] in ("**", "__") and last - 2 > first:
            last -= 2
        else:
            break
    return last
