"""Words, values and lists of `name:value` as CCL and the typed lines of AILv1 write them.

    value   = scalar | "[" { scalar [ "," ] } "]" | "{" name ":" scalar [ "," ] { name ":" scalar [ "," ] } "}" ;
    scalar  = "true" | "false" | "null" | number | word | string ;
    string  = a JSON string ;

A word is text without spaces, quotes and operators; what would be read as a number or a truth value is put in quotes. A number
starts without its zero (`.08`). White space parts items; the commas of the paper are read and not written, since each costs a token.
"""
from __future__ import annotations

import json
import re

from .atoms import is_map
from .errors import UsageError

# ASCII without operators, and everything beyond ASCII that is neither space nor invisible: no table of this Python's Unicode decides.
WORD = "[A-Za-z0-9_./+~%*\\-\u00a1-\u167f\u1681-\u1fff\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\uf900-\ufefe\uff00-\uffef\U00010000-\U0010ffff]"
_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(' + WORD + r"+)|(\S))", re.S)
_IS_WORD = re.compile(WORD + "+")
_IS_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")
_CONSTANTS = {"true": True, "false": False, "null": None}


class Tokens:
    """The tokens of a text, one at a time: `kind` is `"` for a string, `w` for a word, the character itself for an operator, "" at the end."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text, self.end, self.kind, self.value = text, start, "", ""
        self.next()

    def next(self) -> str:
        """Go on to the next token; returns the value of the one that is left."""
        left = self.value
        match = _TOKEN.match(self.text, self.end)
        if match is None:  # nothing but white space is left
            self.end, self.kind, self.value = len(self.text), "", ""
            return left
        self.end = match.end()
        if match[1] is not None:
            try:
                self.kind, self.value = '"', json.loads(match[1], strict=False)
            except ValueError:
                raise self.fault("a string that is not written as JSON writes it", '"text"') from None
        elif match[2] is not None:
            self.kind, self.value = "w", match[2]
        elif match[3] == '"':
            raise self.fault("a string that does not end", 'a second "')
        else:
            self.kind = self.value = match[3]
        return left

    @property
    def place(self) -> tuple[int, str, str]:
        """Where the reading stands; to set it is to go back there."""
        return self.end, self.kind, self.value

    @place.setter
    def place(self, place: tuple[int, str, str]) -> None:
        self.end, self.kind, self.value = place

    def take(self, kind: str, what: str) -> str:
        """The value of the token, which has to be of this kind. Raises UsageError."""
        if self.kind != kind:
            raise self.fault(f"no {what}", f"{what} there")
        return self.next()

    def fault(self, what: str, expected: str) -> UsageError:
        """An error with the line and column of this token; it does not repeat the text."""
        line = self.text.count("\n", 0, self.end) + 1
        column = self.end - (self.text.rfind("\n", 0, self.end) + 1)
        return UsageError(f"line {line}, column {column}: {what}; expected {expected}")


def word(text: str) -> str:
    """A text as a word where it can be one, else as a string."""
    if _IS_WORD.fullmatch(text) and text not in _CONSTANTS and not _IS_NUMBER.fullmatch(text):
        return text
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def scalar(value: object) -> str:
    """A scalar as text; `read_scalar` gives it back with its type."""
    if value is None or type(value) is bool:
        return "null" if value is None else "true" if value else "false"
    if type(value) is str:
        return word(value)
    text = repr(value)
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) and not text.endswith(".0") else text


def value_text(value: object) -> str:
    """A value as text."""
    if is_map(value):
        return "{" + " ".join(f"{word(name)}:{scalar(item)}" for name, item in value) + "}"
    if type(value) is tuple:
        return "[" + " ".join(map(scalar, value)) + "]"
    return scalar(value)


def plain_scalar(text: str) -> object:
    """What a bare word stands for: a truth value, a number, or itself."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if len(text) < 310 and _IS_NUMBER.fullmatch(text):
        return float(text) if "." in text or "e" in text else int(text)
    return text


def read_scalar(tokens: Tokens) -> object:
    """scalar: one value that is neither list nor map. Raises UsageError."""
    if tokens.kind == '"':
        return tokens.next()
    return plain_scalar(tokens.take("w", "value"))


def read_value(tokens: Tokens) -> object:
    """value: a scalar, a list or a map. Raises UsageError."""
    if tokens.kind == "[":
        tokens.next()
        return tuple(items_until(tokens, "]", read_scalar))
    if tokens.kind == "{":
        tokens.next()
        return tuple(items_until(tokens, "}", _read_pair))
    return read_scalar(tokens)


def _read_pair(tokens: Tokens) -> tuple[str, object]:
    name = read_name(tokens)
    tokens.take(":", "colon behind the name")
    return name, read_scalar(tokens)


def read_name(tokens: Tokens) -> str:
    """A word or a string, whatever it looks like."""
    return tokens.next() if tokens.kind == '"' else tokens.take("w", "name")


def items_until(tokens: Tokens, close: str, read: object) -> list:
    """The items up to the closing bracket, with or without a comma behind each. Raises UsageError."""
    items = []
    while tokens.kind != close:
        items.append(read(tokens))
        if tokens.kind == ",":
            tokens.next()
    tokens.next()
    return items
