"""Source bytes that are more than ASCII -> text, by byte-order mark, coding cookie (PEP 263) or UTF-8."""
from __future__ import annotations


def decode_any(source: bytes | str) -> tuple[str, str]:
    """Source bytes or text -> (text, what was wrong or ""). What is not text in its encoding is read all the same."""
    if isinstance(source, str):
        text = source[1:] if source.startswith("\ufeff") else source
        plain = text.encode("utf-8", "replace").decode("utf-8")
        return plain, "" if plain == text else "line 1: lone surrogates; replaced by ?"
    if source.startswith(b"\xef\xbb\xbf"):
        source, encoding = source[3:], "utf-8"
    elif source.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-32" if source.startswith(b"\xff\xfe\0\0") else "utf-16"
    else:
        encoding = _named_encoding(source)
    try:
        return source.decode(encoding), ""
    except (UnicodeError, LookupError, ValueError, TypeError, AssertionError) as error:
        line = source.count(b"\n", 0, getattr(error, "start", 0)) + 1
    try:
        return source.decode("utf-8"), f"line {line}: not in the encoding that it names; read as UTF-8"
    except UnicodeDecodeError:
        return source.decode("latin-1"), f"line {line}: bytes that are not text in its encoding; read as Latin-1"


def _named_encoding(source: bytes) -> str:
    """The encoding that a coding cookie in one of the first two lines names; UTF-8 without one."""
    lines = source[:1000].split(b"\n", 2)[:2]
    if not any(b"coding" in line for line in lines):
        return "utf-8"
    import re

    cookies = (re.match(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line) for line in lines)
    return next((m[1].decode("ascii") for m in cookies if m), "utf-8")
