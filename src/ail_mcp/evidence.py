"""What ever stood in a source, the outputs of its tools too: names and numbers as a set, and how its test runs ended.

Readers leave tool outputs out of the turns, since nobody said them; but a value that stands in one was not invented.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from functools import cached_property

from .passages import name_key
from .quantities import quantity
from .wording import near_stems, stem

_NAME_RUN = re.compile(r"[^\s\"'`“”‘’,;()\[\]{}<>|*!?…—–→=&\\]{2,200}")
_AMOUNT = re.compile(r"(?<![^\W_])[$€]?\d[\d,]{0,20}(?:\.\d{1,9})?\s?(?:%|[a-zA-Zµ]{1,9})?")
_PLAIN_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LETTER_RUN = re.compile(r"[^\W\d_]{2,}")
_OUTCOME = re.compile(
    r"\b(\d{1,6}) (?:of|/) ?(\d{1,6}) (?:tests? )?(?:pass|ok\b)|\b(\d{1,6}) (?:tests? )?(fail|error)|\b(?:all )?(\d{1,6}) (?:tests? )?pass|"
    r"^(FAIL|FAILED|ok|PASS)\b",
    re.M,
)
_OUTCOME_WORDS = ("pass", "PASS", "fail", "FAIL", "error", "ok")
_LINE_NUMBER = re.compile(r"\s{0,9}\d{1,6}(?:→|\t|:|\|)")


def _failures(match: re.Match) -> bool:
    """Whether a line of a test run reports a failure."""
    if match[1]:
        return match[1] != match[2]
    return int(match[3]) > 0 if match[3] else bool(match[6]) and match[6].startswith("FAIL")


_COUNTED_THINGS = re.compile(r"(?<![\w.#])(\d{1,6}|two|three|four|five|six|seven|eight|nine|ten) ([a-z]{3,20})(?: ([a-z]{3,20}s))?\b")
_NUMBERS = {word: str(n) for n, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
_LINES_LOOKED_AT = 200
_LOOKED_UP_AT_MOST = 50  # strange names for which a like one is sought
_WORD_RUN = re.compile(r"[^\W_]{2,}")
_PARTS_AT_MOST = 12  # parts of a path or dotted name under which it is also known


class SourceValues:
    """Names, numbers and words of a source, in lower case."""

    def __init__(self, texts: list, edits: list = ()) -> None:
        self._edited = {line: there for change in edits for line, there in edited_lines(*change)}
        self.names: set = set()
        self.amounts: set = set()
        self.numbers: set = set()
        whole = "\n".join(dict.fromkeys(texts))  # a transcript holds many texts twice
        self._whole = whole
        self.text = " ".join(whole.split())
        self.plain = self.text.casefold()
        self._stems: set = set()
        self._counts: dict = {}
        self._by_head: dict = {}
        self._sorted: list = []
        self._looked_up = 0
        self._lines_by_word: dict = {}
        self._raw_lines = dict.fromkeys(line for line in whole.split("\n") if 12 <= len(line) < 400)
        runs = set(_NAME_RUN.findall(self.plain))
        self.amounts = {"".join(found.split()) for found in _AMOUNT.findall(self.plain)}
        for run in runs:
            self._file(run)
        for amount in self.amounts:
            self.numbers.update(_PLAIN_NUMBER.findall(amount.replace(",", "")))

    @cached_property
    def lines(self) -> set:
        """The lines without white space, and without the line numbers that tools put in front."""
        lines = self._whole.split("\n")
        return {"".join(line.split()) for line in lines} | {
            "".join(line[match.end() :].split()) for line in lines if (match := _LINE_NUMBER.match(line))
        }

    @cached_property
    def last_outcome(self) -> tuple:
        """(whether it failed, what was said) of the last result of a test run; (False, "") where there is none."""
        told = (line for line in reversed(self._whole.split("\n")) if any(word in line for word in _OUTCOME_WORDS))
        last = next((found[-1] for line in told if (found := [*_OUTCOME.finditer(line)])), None)
        return (_failures(last), last[0]) if last else (False, "")

    def near(self, token: object, alike: object) -> str:
        """A name or amount of the source that the token may have been; empty if there is none."""
        if token.kind == "number":
            unit = "".join(char for char in token.text.casefold() if char.isalpha() or char in "%$€")
            return min(
                (
                    amount
                    for amount in self.amounts
                    if unit and amount.endswith(unit) and _PLAIN_NUMBER.search(amount) and amount[-len(unit) - 1 : -len(unit)].isdigit()
                ),
                default="",
            )
        if not self._by_head:
            for name in self.names:
                self._by_head.setdefault(name[:2], []).append(name)
        self._looked_up += 1
        if self._looked_up > _LOOKED_UP_AT_MOST:
            return ""
        size = len(token.key)
        return min(
            (
                name
                for name in self._by_head.get(token.key[:2], ())
                if abs(len(name) - size) <= max(3, size // 3) and not name.isdigit() and alike(name, token.key)
            ),
            default="",
        )

    def other_count(self, number: str, noun: str) -> str:
        """The number that the source has with a noun where it never has this one; empty if it has it, or has none."""
        if not self._counts:
            for found, *nouns in _COUNTED_THINGS.findall(self.plain):
                for word in filter(None, nouns):
                    self._counts.setdefault(stem(word), set()).add(_NUMBERS.get(found, found))
        known = self._counts.get(noun, set())
        return min(known) if len(known) == 1 and number not in known and len(min(known)) < 3 else ""

    def replaced(self, line: str) -> bool:
        """Whether the last edit that had a line of code took it away."""
        return self._edited.get("".join(line.split())) is False

    def like_line(self, line: str, within: bool = False) -> str:
        """A line of the source that shares most of its words, the most first; with `within`, one that may say more. Empty if there is none."""
        words = set(_WORD_RUN.findall(line.casefold()))
        if len(words) < 4:
            return ""
        if not self._lines_by_word:
            for each in self._raw_lines:
                for word in set(_WORD_RUN.findall(each.casefold())):
                    self._lines_by_word.setdefault(word, []).append(each)
        rarest = sorted(words, key=lambda word: (len(self._lines_by_word.get(word, ())) or 1 << 30, word))[:3]
        near = {each for word in rarest for each in self._lines_by_word.get(word, ())[:_LINES_LOOKED_AT]}
        best = max(
            (
                (len(words & other) / max(len(words), 0 if within else len(other)), each)
                for each in near
                for other in (set(_WORD_RUN.findall(each.casefold())),)
            ),
            default=(0, ""),
        )
        return best[1] if best[0] >= 0.6 else ""

    def knows(self, key: str) -> bool:
        """Whether a word with this stem, or one that can stand for it, ever stood in the source."""
        if not self._stems:
            self._stems = {
                stem(word) for name in self.names for word in (_LETTER_RUN.findall(name) if not name.isalpha() else (name,)) if len(word) < 40
            }
            self._stems |= {row for key in self._stems for row in near_stems(key)}
        return key in self._stems or not near_stems(key).isdisjoint(self._stems)

    def holds_line(self, line: str) -> bool:
        """Whether a line of code stood in the source, apart from its white space."""
        return "".join(line.split()) in self.lines

    def _file(self, run: str) -> None:
        key = name_key(run.lstrip("~:-+").rstrip("~.:-"))
        self.names.update((key, key.lstrip(".")))
        head, colon, line = key.rpartition(":")
        if colon and line.replace("-", "").isdigit():  # a path with the number of a line
            self.names.add(key)
            key = head
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
            if text != digits[0] and token.key[1]:
                return text in self.amounts or self._same_amount(token)
            return digits[0] in self.numbers
        key = token.key.removesuffix("'s").removesuffix("’s").lstrip("-<")
        if key in self.names or "redacted" in key or key[:1] == "/" and key[1:] in self.names:  # `/src/a.py` for `src/a.py`
            return True
        first, dash, last = key.partition("-")
        if dash and first.isdigit() and last.isdigit():  # a range of lines
            return first in self.numbers and last in self.numbers
        if self._begins_a_name(key + "_"):
            return True
        if "/" in key and any(sign in key for sign in "._0123456789"):  # a path: its parts in another order are another path
            return False
        return any(sign in key and all(piece in self.names for piece in key.split(sign) if piece) for sign in "/.:#")

    def _begins_a_name(self, head: str) -> bool:
        """Whether a longer name of the source begins so: `TestUpload` for `TestUpload_RetriesOnce`."""
        if not self._sorted:
            self._sorted = sorted(self.names)
        at = bisect_left(self._sorted, head)
        return at < len(self._sorted) and self._sorted[at].startswith(head)

    def _same_amount(self, token: object) -> bool:
        digits = _PLAIN_NUMBER.search(token.text.replace(",", ""))[0]
        return any((value := quantity(amount)) and value[1:] == token.key[:2] for amount in self._by_digits().get(digits, ()))

    def _by_digits(self) -> dict:
        if not hasattr(self, "_amounts_by_digits"):
            table: dict = {}
            for amount in self.amounts:
                if found := _PLAIN_NUMBER.search(amount.replace(",", "")):
                    table.setdefault(found[0], []).append(amount)
            self._amounts_by_digits = table
        return self._amounts_by_digits


_EDITS = (("old_string", "new_string"), ("oldString", "newString"), ("old_str", "new_str"))


def edited_lines(old: str, new: str) -> list:
    """(line without white space, whether it is there afterwards) of an edit."""
    before, after = ({"".join(line.split()): None for line in text.split("\n")} for text in (old, new))
    return [(line, False) for line in before if line not in after] + [(line, True) for line in after]


def all_strings(data: bytes) -> tuple[list, list]:
    """Every text in a source, whatever its form: the strings of JSON (a document, or a record a line), or the text itself; and the edits in it, as
    (old text, new text), in order."""
    text = data.decode("utf-8", "replace")
    if text.lstrip("\ufeff \r\n\t")[:1] not in ("{", "["):
        return [text], []
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
    edits: list = []
    while values:
        value = values.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            values.extend(value.values())
            found.extend(value)
            edits += [(value[old], value[new]) for old, new in _EDITS if isinstance(value.get(old), str) and isinstance(value.get(new), str)]
        elif isinstance(value, list):
            values.extend(value)
        elif type(value) in (int, float):
            found.append(str(value))
    found.reverse()
    edits.reverse()
    return found, edits
