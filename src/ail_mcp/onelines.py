"""Source of one expression, over several lines or oddly spaced -> the same on one line, safe inside a section line."""
from __future__ import annotations

import re
import unicodedata

from .syntax import PARSER_FAULTS, parse_python, visible

_TRIPLE = "'" * 3
_EXPRESSION_PIECE = re.compile(
    rf"(?P<string>(?<!\w)[rRbBuUfF]{{0,2}}(?:\"\"\"(?:[^\"\\]|\\[\s\S]|\"(?!\"\"))*\"\"\"|{_TRIPLE}(?:[^'\\]|\\[\s\S]|'(?!''))*{_TRIPLE}|"
    r"\"(?:[^\"\\\n]|\\[\s\S])*\"|'(?:[^'\\\n]|\\[\s\S])*'))|(?P<blank>(?:\s|\\\n|#[^\n]*)+)|(?P<word>\w+)|[\s\S]")


def on_one_line(text: str) -> str:
    """The expression without comments, line ends and spare spaces; no string in it spans lines, and nothing looks like a mutates slot."""
    out: list[str] = []
    opened: list[list[int]] = []  # for each open bracket: where it stands in `out`, and how many commas are in it
    blank = False
    for found in _EXPRESSION_PIECE.finditer(text):
        kind, piece = found.lastgroup, found[0]
        if kind == "blank":
            blank = True
            continue
        before = out[-1] if out else ""
        if piece in ")]}" and opened:
            start, commas = opened.pop()
            if before == "," and (commas > 1 or not _is_tuple(out, start)):
                out.pop()
        elif blank and before and before not in "([{,|." and piece not in ",|.)":
            out.append(" ")
        blank = False
        if piece in "\"'":  # a string that does not end here: some Pythons end an f-string over lines at the wrong place
            return "..."
        if kind == "string":
            piece = _plain_string(piece)
        elif kind == "word" and not piece.isascii():
            piece = unicodedata.normalize("NFKC", piece)  # as the parser reads names
        elif piece in "([{":
            opened.append([len(out), 0])
        elif piece == "," and opened:
            opened[-1][1] += 1
        elif piece == "mutates" and before == "|":
            piece = " mutates"
        out.append(piece)
    return visible("".join(out))


def _is_tuple(out: list[str], start: int) -> bool:
    """Whether a trailing comma in the bracket at `out[start]` makes a tuple: `(a,)` and `x[a,]`, not `f(a,)`, `[a,]` or `{a,}`."""
    before = out[start - 1] if start else ""
    follows_name = before[-1:].isalnum() or before[-1:] in ("_", ")", "]")
    return out[start] != "{" and follows_name is (out[start] == "[")


def _plain_string(token: str) -> str:
    """A string token without triple quotes; an f-string over lines is left out."""
    token = token.replace("|mutates(", "\\x7cmutates(")
    if '"' * 3 not in token and _TRIPLE not in token:
        return token
    try:
        value = parse_python(token).body[0].value
    except PARSER_FAULTS:
        return "..."
    text = getattr(value, "value", None)
    prefix = "b" if isinstance(text, bytes) else ""
    if isinstance(text, (str, bytes)):
        text = text.decode("latin-1") if prefix else text
        return prefix + "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("|mutates(", "\\x7cmutates(") + "'"
    start = len(token) - len(token.lstrip("rRbBuUfF"))
    body = token[start + 3:-3]
    quote = next((sign for sign in "'\"" if sign not in body), "")
    return token[:start] + quote + body + quote if quote and "\n" not in body else "..."
