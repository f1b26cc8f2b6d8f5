"""JSON as the values it holds: which strings a document has, under which keys, and where a piece of a value stands in the raw text.

Nothing is parsed into objects and written back: the strings are found in the raw text, so that every other character stays as it
was, and a document that was valid stays valid.
"""
from __future__ import annotations

import bisect
import json
from json.decoder import scanstring

from .keyvalue import PASSWORD, credential_key
from .shapes import compiled

FRONTIER = "\n\x00\n"  # stands between the joined values; no rule reaches across it
_JSON_TOKEN = r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],]|:[ \t\r\n]{0,40}([0-9]{6,24})(?=[ \t\r\n]{0,40}[,}])'
_JSON_ESCAPE = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
_NAME_FIELDS = ("name", "key", "header", "parameter", "variable", "parameterkey", "subject", "predicate")
_VALUE_FIELDS = ("value", "val", "parametervalue")


class JsonParts:
    """A document cut into parts. A part is a string of its JSON (decoded), or a stretch of plain text around JSON lines.

    joined  all parts in one text, with FRONTIER between them
    keyed   `(key, value, place in joined)` of every string that has a key
    """

    def __init__(self, text: str, ranges: list[tuple[int, int]]) -> None:
        self._text = text
        self._parts: list[tuple[int, int, str, bool, str]] = []  # start, end, value, is it escaped, the quotes that a name needs
        self._starts: list[int] = []
        self._length = 0
        self.keyed: list[tuple[str, str, int]] = []
        done = 0
        for start, end in ranges:
            self._add_text(done, start)
            self._add_strings(start, end)
            done = end
        self._add_text(done, len(text))
        self.joined = FRONTIER.join(part[2] for part in self._parts)

    def _add(self, start: int, end: int, value: str, quotes: str = "") -> int:
        self._parts.append((start, end, value, end - start != len(value), quotes))
        place = self._length
        self._starts.append(place)
        self._length += len(value) + len(FRONTIER)
        return place

    def _add_text(self, start: int, end: int) -> None:
        if end > start:
            self._add(start, end, self._text[start:end])

    def _add_strings(self, start: int, end: int) -> None:
        """One pass over the strings of valid JSON. A frame of the stack is an object or a list: `[is object, key, name, value, place]`,
        where `name` is what a `"name": ...` said beside the `"value": ...` at `place`."""
        text = self._text
        frame: list = [False, "", "", "", -1]
        stack = [frame]
        for match in compiled(_JSON_TOKEN).finditer(text, start, end):
            first, last = match.span()
            sign = text[first]
            if sign == '"':
                raw = text[first + 1:last - 1]
                value = scanstring(text, first + 1, False)[0] if "\\" in raw else raw
                if frame[0] and not frame[1]:  # a key; it may hold a secret itself
                    frame[1] = value or " "
                    if len(value) >= 6:
                        self._add(first + 1, last - 1, value)
                elif len(value) >= 4:
                    place = self._add(first + 1, last - 1, value)
                    if frame[1]:
                        self.keyed.append((frame[1], value, place))
                        self._pair(frame, value, place)
                    if not frame[0]:  # ["DB_PASSWORD", "hunter22"]
                        if frame[2] and any(map(str.isdigit, value)):
                            self.keyed.append((frame[2], value, place))
                        frame[2] = value if compiled("[A-Za-z_-]{2,40}").fullmatch(value) else ""
            elif sign == ",":
                if frame[0]:
                    frame[1] = ""
            elif sign == ":":
                if frame[1] and credential_key(frame[1])[0] == PASSWORD:  # "password": 12345678
                    self.keyed.append((frame[1], match[1], self._add(*match.span(1), match[1], '"')))
            elif sign in "{[":
                frame = [sign == "{", "" if sign == "{" else frame[1], "", "", -1]
                stack.append(frame)
            elif len(stack) > 1:
                stack.pop()
                frame = stack[-1]

    def _pair(self, frame: list, value: str, place: int) -> None:
        """`{"name": "API_KEY", "value": "..."}`, in either order: the name is the key of the value."""
        field = frame[1].lower()
        if field in _NAME_FIELDS and len(value) < 80:
            if not credential_key(frame[2])[0]:  # of a subject and a predicate, the one that names a secret
                frame[2] = value
        elif field in _VALUE_FIELDS:
            frame[3:] = value, place
        else:
            return
        if frame[2] and frame[4] >= 0:
            self.keyed.append((frame[2], frame[3], frame[4]))

    def raw_spans(self, spans: list) -> list[tuple[int, int, str, str, str]]:
        """Sorted spans of `joined` as `(start, end, kind, value, quotes)` of the document; what reaches over the end of its part is cut.
        A number goes as a whole, and `quotes` have to stand around the name that takes its place."""
        found = []
        shift = index = -1  # how much longer the raw string is, up to where part `index` has been walked
        for first, last, kind, _ in spans:
            part = bisect.bisect_right(self._starts, first) - 1
            start, end, value, escaped, quotes = self._parts[part]
            low, high = first - self._starts[part], min(last - self._starts[part], len(value))
            if high <= low or quotes and found and found[-1][1] == end:
                continue
            if quotes:
                low, high = 0, len(value)
            if escaped:
                if part != index:
                    index, shift = part, 0
                    escapes = compiled(_JSON_ESCAPE).finditer(self._text, start, end)
                    ahead = next(escapes, None)
                ends = []
                for target in (low, high):
                    while ahead and ahead.start() - start - shift < target:
                        shift += len(ahead[0]) - 1
                        ahead = next(escapes, None)
                    ends.append(start + target + shift)
            else:
                ends = [start + low, start + high]
            found.append((*ends, kind, value[low:high], quotes))
        return found


def json_parts(text: str) -> JsonParts | None:
    ("""The parts of a document that is JSON, JSON Lines, or text with lines of JSON in it; None when no JSON is there. A bare string is JSON"""
     """ when it has other escapes than of line ends and tabs; without, it is as safe as any text, and may go on in the next line, as a key does.""")
    head = text[:4096].lstrip("\ufeff \t\r\n")[:1]
    if head not in ("{", "[", '"') and not compiled(r'\n[ \t]{0,40}[{\["]').search(text) or not text:
        return None
    begin = 1 if text[0] == "\ufeff" else 0
    if head in ("{", "[") and _is_json(text[begin:]):
        return JsonParts(text, [(begin, len(text))])
    ranges, start = [], begin
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        line = text[start:start + 40].lstrip(" \t")[:1]
        if line == '"':
            if compiled(r"\\[^nrt]").search(text, start, end) and _is_json(text[start:end], str):
                ranges.append((start, end))
        elif line in ("{", "[") and text.find('"', start, end) > 0 and _is_json(text[start:end]):
            ranges.append((start, end))
        start = end
    return JsonParts(text, ranges) if ranges else None


def _is_json(text: str, kinds: object = (dict, list)) -> bool:
    try:
        return isinstance(json.loads(text), kinds)
    except (ValueError, RecursionError):
        return False
