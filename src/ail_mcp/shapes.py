"""What a string looks like: random or made of words, how many classes of characters, base64 or not."""
from __future__ import annotations

import base64
import binascii
import functools
import re

# Patterns are kept as text and compiled at first use: a run that meets no secret pays for almost none of them.
compiled = functools.lru_cache(maxsize=None)(re.compile)

_INNER_DIGITS = "[0-9]+(?=[A-Za-z])"
_WORD_PIECE = "[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|[0-9]{1,4}(?![0-9A-Za-z])|[0-9]{1,2}|[A-Za-z]"


def character_classes(value: str) -> int:
    """How many of lower case, upper case, digits and symbols occur."""
    return ((value != value.upper()) + (value != value.lower()) + any(map(str.isdigit, value))
            + any(not (c.isalnum() or c.isspace()) for c in value))


def looks_random(value: str) -> bool:
    """Is this no identifier? Digits between its letters, or letters that change case as no camelCase name does."""
    if len(set(value)) < min(8, len(value) - len(value) // 4):
        return False
    inner = compiled(_INNER_DIGITS).findall(value)
    if len(inner) >= 2 or inner and sum(map(len, inner)) >= 3:
        return True
    changes = sum(a.islower() != b.islower() or a.isdigit() != b.isdigit() for a, b in zip(value, value[1:]) if a.isalnum() and b.isalnum())
    return changes >= 0.3 * len(value)


def is_wordy(value: str) -> bool:
    """Is it made of words, as names and paths are: `user_password`, `nextPageToken`, `db.internal/main`, `v2`?"""
    if not compiled(r"[\w.:/ -]+").fullmatch(value):
        return False
    pieces = compiled("[A-Za-z0-9]+").findall(value)
    for piece in pieces:
        parts = compiled(_WORD_PIECE).findall(piece)
        words = sum(not part.isdigit() for part in parts)
        if "".join(parts) != piece or len(parts) > 1 and len(piece) < 2.6 * words + 1 or len(parts) - words > 1:
            return False
    return bool(pieces)


def decode_base64(text: str) -> bytes:
    """The bytes of base64 or base64url, padding optional; empty when it is neither."""
    text = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def is_placeholder(value: str) -> bool:
    """Whether a whole value is the name that stands for a removed one. With more glued to it, it is a value: anybody can write such a word."""
    return value.startswith("REDACTED_") and compiled(r"REDACTED_[A-Z0-9_]{1,60}_[0-9]{1,9}\W{0,9}").fullmatch(value) is not None
