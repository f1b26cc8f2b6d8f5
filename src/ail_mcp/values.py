"""How far a value reaches: quoted in any way, or bare, with what belongs to the sentence or the markup around it given back."""
from __future__ import annotations

import re

CJK_SIGNS = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef\u3000-\u303f"

# An unquoted value. A separator ends it only when something new begins behind it, since people put all of these into passwords.
_BARE_RUN = re.compile(
    r"""(?:[^\s\x00-\x1f\x7f"'`<>,;&|\\\u2000-\u206f""" + CJK_SIGNS + r"""]|>(?![\s])|,(?![\s"'`\\]|[\w.-]{1,30}[=:]|$)|;(?![\s"'`\\]|[\w .-]{1,30}=|$)"""
    r"""|&(?![\w.-]{1,40}=|amp;|quot;|lt;|gt;|&|[ \t"'])|\|(?![\s|])|<(?![/A-Za-z!?])|\\(?![nrtbf"'`\\/u])|["'`](?=[\w!#$%^*+=~?.-])){1,512}""", re.M)
_VALUE_LEAD = re.compile(r"""[ \t]{0,16}(?:\x1b\[[0-9;]{0,8}m)?(?:\*\*|__(?=[ \t]))?[ \t]{0,4}""")
_OPEN_QUOTE = re.compile(r"""(?:[rbuf]{1,2}|[@$LR])?(\\{0,7})(["'`]|&quot;|&\#0?3[49];)|([\u201c\u2018\u00ab\u300c\u300e])""")
_CLOSERS = {"\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb", "\u300c": "\u300d", "\u300e": "\u300f"}
_QUOTED = {quote: re.compile(rf"[^{quote}\\\r\n]{{0,4096}}(?:\\.[^{quote}\\\r\n]{{0,4096}}){{0,400}}(?={quote})") for quote in "\"'`"}


def value_at(text: str, at: int, end: int) -> tuple[int, int, bool]:
    """Where the value that begins at `at` begins and ends, and whether it is quoted."""
    at = _VALUE_LEAD.match(text, at, end).end()
    quote = _OPEN_QUOTE.match(text, at, end)
    if not quote:
        bare = _BARE_RUN.match(text, at, end)
        return (at, trim_value(text, at, bare.end()), False) if bare else (at, at, False)
    first = quote.end()
    if quote[3]:
        last = text.find(_CLOSERS[quote[3]], first, min(end, first + 256))
        return first, last if last > 0 else first, True
    slashes, mark = quote[1], quote[2]
    if slashes or len(mark) > 1:
        last = text.find(slashes + mark, first, min(end, first + 4096))
        line = text.find("\n", first, min(end, first + 4096))
        if last < 0 or 0 <= line < last:
            bare = _BARE_RUN.match(text, first, end)
            return first, bare.end() if bare else first, False
        return first, last, True
    if text.startswith(mark * 3, first - 1):
        last = text.find(mark * 3, first + 2, min(end, first + 4096))
        return (first + 2, last, True) if last > 0 else (first, first, True)
    inside = _QUOTED[mark].match(text, first, min(end, first + 4200))
    if inside:
        return first, inside.end(), True
    bare = _BARE_RUN.match(text, first, end)  # the quote is never closed: cut off
    return first, bare.end() if bare else first, False


def trim_value(text: str, first: int, last: int) -> int:
    """Give back what belongs to the sentence, the markup or the call around an unquoted value."""
    while last > first:
        sign = text[last - 1]
        if sign in ".,:;" or sign in ")]}" and text.count(sign, first, last) > text.count("([{"[")]}".index(sign)], first, last):
            last -= 1
        elif text[last - 2:last] in ("**", "__") and last - 2 > first:
            last -= 2
        elif sign in "\"'`>":
            last -= 1
        else:
            break
    return last


