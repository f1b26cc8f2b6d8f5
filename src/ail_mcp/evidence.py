"""What ever stood in a source, the outputs of its tools too: names and numbers as a set, and how its test runs ended.

Readers leave tool outputs out of the turns, since nobody said them; but a value that stands in one was not invented.
"""
from __future__ import annotations

import json
import re

from .passages import name_key
from .quantities import quantity

_NAME_RUN = re.compile(r"[^\s\"'`“”‘’,;()\[\]{}<>|*!?…—–→=&\\]{2,200}")
_AMOUNT = re.compile(r"[$€]?\d[\d,]{0,20}(?:\.\d{1,9})?\s?(?:%|[a-zA-Zµ]{1,9})?")
_PLAIN_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PARTS_AT_MOST = 12  # parts of a path or dotted name under which it is also known


class SourceValues:
    """Names, numbers and words of a source, in lower case."""

    def __init__(self, texts: object) -> None:
        self.names: set = set()
        self.amounts: set = set()
        self.numbers: set = set()
        runs: set = set()
        for text in texts:
            text = text.casefold()
            runs.update(_NAME_RUN.findall(text))
            self.amounts.update("".join(found.split()) for found in _AMOUNT.findall(text))
        for run in runs:
            self._file(run)
        for amount in self.amounts:
            self.numbers.update(_PLAIN_NUMBER.findall(amount.replace(",", "")))

    def _file(self, run: str) -> None:
        key = name_key(run.strip("~.:-"))
        self.names.add(key)
        for sign in "/.:#-":
            if sign in key:
                parts = key.split(sign)
                self.names.update(parts[:_PARTS_AT_MOST])
                for n in range(1, min(len(parts), _PARTS_AT_MOST)):
                    self.names.add(sign.join(parts[n:]))
                    self.names.add(sign.join(parts[:n]))

    def holds(self, token: object) -> bool:
        """Whether a token's value ever stood in the source."""
        if token.kind == "number":
            text = "".join(token.text.casefold().split()).replace(",", "")
            digits = _PLAIN_NUMBER.search(text)
            if digits is None:  # a number in words
                return True
            if text != digits[0]:
                return text in self.amounts or self._same_amount(token)
            return digits[0] in self.numbers
        key = token.key
        if key in self.names or key.startswith("redacted_"):
            return True
        pieces = [piece for sign in "/.:#" if sign in key for piece in [key.split(sign)]]
        return any(all(piece in self.names or not piece for piece in parts) for parts in pieces if "/" not in key)

    def _same_amount(self, token: object) -> bool:
        digits = _PLAIN_NUMBER.search(token.text.replace(",", ""))[0]
        return any((value := quantity(amount)) and value[1:] == token.key for amount in self._by_digits().get(digits, ()))

    def _by_digits(self) -> dict:
        if not hasattr(self, "_amounts_by_digits"):
            table: dict = {}
            for amount in self.amounts:
                if found := _PLAIN_NUMBER.search(amount.replace(",", "")):
                    table.setdefault(found[0], []).append(amount)
            self._amounts_by_digits = table
        return self._amounts_by_digits


def all_strings(data: bytes) -> list:
    """Every text in a source, whatever its form: the strings of JSON (a document, or a record a line), or the text itself."""
    text = data.decode("utf-8", "replace")
    if text.lstrip("\ufeff \r\n\t")[:1] not in ("{", "["):
        return [text]
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):
        values = []
        for line in text.split("\n"):
            try:
                values.append(json.loads(line) if line.strip() else None)
            except (ValueError, RecursionError):
                values.append(line)
    found: list = []
    while values:
        value = values.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            values.extend(value.values())
            found.extend(value)
        elif isinstance(value, list):
            values.extend(value)
        elif type(value) in (int, float):
            found.append(str(value))
    found.reverse()
    return found
