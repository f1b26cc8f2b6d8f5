"""Secrets out: find them, name them, put `REDACTED_<KIND>_<n>` in their place, and touch nothing else.

    >>> redact("export GITHUB_TOKEN=" + token).text
    'export GITHUB_TOKEN=REDACTED_GITHUB_TOKEN_1'

The finders of the rooms below propose spans; here they are merged by one sort, filled with names, and replaced by position, never
by text. Equal values get equal names throughout a run. A placeholder says the kind and the order of appearance: no character, no
length and no hash of the value. Anything unexpected raises: the caller then has no output, never an unredacted one.
"""
from __future__ import annotations

import bisect
import collections
import json
import re
from json.decoder import scanstring

from .addresses import OPTIONAL_KINDS, find_emails, find_ipv4, find_ipv6, find_optional
from .credentials import find_credentials, find_json_credential, find_url_secrets
from .errors import UsageError
from .privatekeys import find_private_keys
from .secretrules import find_tokens, token_rules

Redacted = collections.namedtuple("Redacted", "text findings")
Redacted.__doc__ = "A redacted text, and the findings in the order of the text."
Finding = collections.namedtuple("Finding", "kind placeholder line")
Finding.__doc__ = "One replacement: what kind of secret, the name that stands there now, and the line (from 1). Never the value."

_PLACEHOLDER = re.compile(r"REDACTED_([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*?)_([0-9]{1,9})(?![0-9])")
_REDACT_SEGMENT = 8192
_FRONTIER = "\n\x00\n"  # stands between the strings of a JSON document; no rule reaches across it


def redact(text: str, **options) -> Redacted:
    """Redact one document (see `Redactor` for the options and `Redactor.redact_document` for how JSON is kept valid)."""
    run = Redactor(**options)
    return Redacted(run.redact_document(text), tuple(run.findings))


class Redactor:
    """One run over one or many texts, with one numbering.

    allow       values that stay, or `/REGEX/` that a whole value must match to stay
    keep_kinds  kinds that stay, such as "ipv4"
    extra       own rules: `NAME=REGEX` (see `extra_rule`)
    optional    kinds of `OPTIONAL_KINDS` to look for as well, or "all"

    `counts` says how many replacements each kind had; `findings` lists them. A value of at least 8 characters that was found by
    its key (`password=...`) is also replaced where it stands alone, in the same call and in later ones.
    """

    def __init__(self, *, allow=(), keep_kinds=(), extra=(), optional=()) -> None:
        self._extra = tuple(extra_rule(rule) if isinstance(rule, str) else rule for rule in extra)
        self._keep = frozenset(_known_kind(kind, "--keep-kind", [kind for kind, _ in self._extra]) for kind in keep_kinds)
        self._optional = frozenset(OPTIONAL_KINDS if "all" in optional else [_known_kind(kind, "--optional", (), OPTIONAL_KINDS) for kind in optional])
        self._allow = frozenset(allow)
        self._allow_patterns = tuple(safe_pattern(rule[1:-1], "--allow") for rule in allow if len(rule) > 2 and rule[0] == rule[-1] == "/")
        self._names: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._known: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.findings: list[Finding] = []

    def redact(self, text: str) -> str:
        """The text with every secret replaced. For plain text; a JSON string may have to be escaped anew by the caller."""
        return self.redact_all([text])[0]

    def redact_all(self, texts: list[str]) -> list[str]:
        """Like `redact` for many texts, and a secret found in any of them is also replaced where it stands alone in an earlier one."""
        spans = [self._find(text) for text in texts]
        for text in texts:
            self._see(text)
        return [self._replace(text, self._sweep(text, found)) for text, found in zip(texts, spans)]

    def redact_document(self, text: str) -> str:
        """A whole file. The strings of JSON and JSON Lines are redacted as the values they are, with their key in view, and written
        back escaped, so that the document stays valid and every other character stays as it was. Anything else is plain text."""
        parts, keyed = json_parts(text)
        if parts is None:
            return self.redact(text)
        joined = _FRONTIER.join(part[2] for part in parts)
        starts, position = [], 0
        for part in parts:
            starts.append(position)
            position += len(part[2]) + len(_FRONTIER)
        found = []
        for index, key in keyed:
            find_json_credential(key, parts[index][2], starts[index], found)
        self._see(text)
        spans = self._sweep(joined, self._find(joined, found))
        return self._replace(text, _to_raw(text, parts, starts, joined, spans))

    def _see(self, text: str) -> None:
        """Numbering goes on behind the placeholders that are already there."""
        if "REDACTED_" in text:
            for kind, number in _PLACEHOLDER.findall(text):
                self._numbers[kind] = max(self._numbers.get(kind, 0), int(number))

    def _find(self, text: str, spans: list | None = None) -> list:
        spans = [] if spans is None else spans
        find_private_keys(text, spans)
        start = 0
        while start < len(text):
            end = text.find("\n", start + _REDACT_SEGMENT) + 1 or len(text)
            taken: set[int] = set()
            find_tokens(text, start, end, spans)
            if "://" in text[start:end]:
                find_url_secrets(text, start, end, spans, taken)
            find_credentials(text, start, end, spans)
            find_emails(text, start, end, spans, taken)
            find_ipv6(text, start, end, spans)
            find_ipv4(text, start, end, spans, "loopback" in self._optional)
            if self._optional:
                find_optional(text, start, end, spans, self._optional)
            start = end
        for kind, pattern in self._extra:
            spans.extend((match.start(), match.end(), kind, 5) for match in pattern.finditer(text) if match.end() > match.start())
        spans = self._permitted(text, spans)
        for first, last, kind, rank in spans:
            if rank in (1, 2) and _worth_sweeping(text[first:last]):
                self._known.setdefault(text[first:last], kind)
        return spans

    def _permitted(self, text: str, spans: list) -> list:
        """Merge overlapping spans, after those that are kept, allowed, or touch a placeholder are gone."""
        held = [match.span() for match in _PLACEHOLDER.finditer(text)] if "REDACTED_" in text else []
        ends = [last for _, last in held]
        merged: list[list] = []
        for first, last, kind, rank in sorted(spans, key=lambda span: (span[0], -span[1], -span[3])):
            if kind in self._keep or last <= first:
                continue
            if held:
                near = bisect.bisect_right(ends, first)
                if near < len(held) and held[near][0] < last:
                    continue
            if self._allow and self._is_allowed(text[first:last]):
                continue
            if merged and first < merged[-1][1]:
                top = merged[-1]
                if rank > top[3]:
                    top[2:] = kind, rank
                top[1] = max(top[1], last)
            else:
                merged.append([first, last, kind, rank])
        return merged

    def _is_allowed(self, value: str) -> bool:
        return value in self._allow or any(pattern.fullmatch(value) for pattern in self._allow_patterns)

    def _sweep(self, text: str, spans: list) -> list:
        """Add the places where a known value stands alone."""
        if not self._known:
            return spans
        more = list(_occurrences(text, self._known))
        return self._permitted(text, spans + more) if more else spans

    def _replace(self, text: str, spans: list) -> str:
        pieces, done, line = [], 0, 1
        for first, last, kind, value in ((*span[:3], span[4] if len(span) > 4 else text[span[0]:span[1]]) for span in spans):
            name = self._names.get(value)
            if name is None:
                label = kind.upper()
                self._numbers[label] = number = self._numbers.get(label, 0) + 1
                self._names[value] = name = f"REDACTED_{label}_{number}"
            line += _line_breaks(text, done, first)
            self.counts[kind] = self.counts.get(kind, 0) + 1
            self.findings.append(Finding(kind, name, line))
            line += _line_breaks(text, first, last)
            pieces.append(text[done:first])
            pieces.append(name)
            done = last
        return "".join(pieces) + text[done:] if pieces else text


def _line_breaks(text: str, start: int, end: int) -> int:
    count = text.count("\n", start, end)
    returns = text.count("\r", start, end)
    return count + returns - text.count("\r\n", start, end) if returns else count


def _worth_sweeping(value: str) -> bool:
    """At least 8 characters, and no word or name that a text is full of anyway."""
    return len(value) >= 8 and not re.fullmatch(r"[A-Za-z]+|[A-Za-z_-]{8,15}|[0-9.,-]+", value)


def _occurrences(text: str, known: dict[str, str]):
    """Yield the spans of all known values. For few values one search each; for many, one look at every place."""
    if len(known) <= 40:
        for value, kind in known.items():
            at = text.find(value)
            while at >= 0:
                if _stands_alone(text, at, at + len(value)):
                    yield at, at + len(value), kind, 1
                at = text.find(value, at + len(value))
        return
    lengths: dict[str, list[int]] = {}
    for value in sorted(known, key=len, reverse=True):
        sizes = lengths.setdefault(value[:8], [])
        if len(value) not in sizes[-1:]:
            sizes.append(len(value))
    for at in [at for at in range(len(text) - 7) if text[at:at + 8] in lengths]:
        for size in lengths[text[at:at + 8]][:64]:
            if text[at:at + size] in known and _stands_alone(text, at, at + size):
                yield at, at + size, known[text[at:at + size]], 1
                break


def _stands_alone(text: str, first: int, last: int) -> bool:
    """Not a piece of a longer word; a long value is itself wherever it stands."""
    left, right = text[first - 1:first] if first else "", text[last:last + 1]
    inside = (left.isascii() and left.isalnum() and text[first].isalnum() and text[max(0, first - 2):first] not in ("\\n", "\\r", "\\t")
              or right.isascii() and right.isalnum() and text[last - 1].isalnum())
    return not inside or last - first >= 20


# ---- JSON: which strings, where, and under which key

_JSON_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],]')
_JSON_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")


def json_parts(text: str):
    """Cut a document into parts `(start, end, value, is_string)` and a list of `(part index, key)`; `(None, None)` when no part is JSON.

    The parts are the strings of the JSON documents in it (the whole text, or single lines), and the plain text between them.
    """
    head = text.lstrip("\ufeff \t\r\n")[:1]
    if head not in ("{", "[") and "\n{" not in text and "\n[" not in text or not head:
        return None, None
    if head in ("{", "[") and _is_json(text.lstrip("\ufeff")):
        ranges = [(0, len(text))]
    else:
        ranges, start = [], 0
        while start < len(text):
            end = text.find("\n", start) + 1 or len(text)
            if text[start] in "{[" and text.find('"', start, end) > 0 and _is_json(text[start:end]):
                ranges.append((start, end))
            start = end
        if not ranges:
            return None, None
    parts: list[tuple] = []
    keyed: list[tuple[int, str]] = []
    done = 0
    for start, end in ranges:
        if start > done:
            parts.append((done, start, text[done:start], False))
        _json_strings(text, start, end, parts, keyed)
        done = end
    if done < len(text):
        parts.append((done, len(text), text[done:], False))
    return parts, keyed


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def _json_strings(text: str, start: int, end: int, parts: list, keyed: list) -> None:
    """One pass over the strings of valid JSON. A frame of the stack is `[is_object, key, name, value index]`, where `name` is what
    a `"name": ...` beside a `"value": ...` said."""
    stack: list[list] = [[False, "", "", -1]]
    frame = stack[0]
    for match in _JSON_TOKEN.finditer(text, start, end):
        first = match.start()
        sign = text[first]
        if sign == '"':
            last = match.end()
            value = text[first + 1:last - 1]
            if "\\" in value:
                value = scanstring(text, first + 1, False)[0]
            is_key = frame[0] and not frame[1] and text[last:last + 8].lstrip()[:1] in (":", "")
            index = len(parts)
            if is_key:
                frame[1] = value or " "
                if len(value) >= 6:
                    parts.append((first + 1, last - 1, value, True))
                continue
            if len(value) >= 4:
                parts.append((first + 1, last - 1, value, True))
                key = frame[1]
                if key:
                    keyed.append((index, key))
                    low = key.lower()
                    if low in ("value", "val"):
                        frame[3] = index
                    elif low in ("name", "key", "header", "parameter", "variable"):
                        frame[2] = value
                    if frame[2] and frame[3] >= 0 and len(frame[2]) < 80:
                        keyed.append((frame[3], frame[2]))
        elif sign == ",":
            if frame[0]:
                frame[1] = ""
        elif sign == "{":
            frame = [True, "", "", -1]
            stack.append(frame)
        elif sign == "[":
            frame = [False, frame[1], "", -1]
            stack.append(frame)
        elif len(stack) > 1:
            stack.pop()
            frame = stack[-1]


def _to_raw(text: str, parts: list, starts: list[int], joined: str, spans: list) -> list:
    """Spans of the joined values as spans of the document, each with the value that it stands for."""
    raw = []
    for first, last, kind, rank in spans:
        index = bisect.bisect_right(starts, first) - 1
        begin, end, value, is_string = parts[index]
        low, high = first - starts[index], min(last - starts[index], len(value))
        if high <= low:
            continue
        if is_string and end - begin != len(value):
            low, high = _raw_offsets(text[begin:end], low, high)
        raw.append((begin + low, begin + high, kind, rank, joined[first:min(last, starts[index] + len(value))]))
    return raw


def _raw_offsets(literal: str, low: int, high: int) -> tuple[int, int]:
    """Where the decoded positions `low` and `high` are in an escaped string."""
    found = []
    shift = 0
    for target in (low, high):
        for match in _JSON_ESCAPE.finditer(literal, found[0] if found else 0):
            if match.start() - shift >= target:
                break
            shift += len(match[0]) - 1
        found.append(target + shift)
    return found[0], found[1]


# ---- options

def _known_kind(kind: str, option: str, more=(), kinds=()) -> str:
    name = kind.lower()
    known = list(kinds) or sorted({rule[0] for rule in token_rules()} | set(_OTHER_KINDS) | set(OPTIONAL_KINDS) | set(more))
    if name not in known:
        raise UsageError(f"{option}: there is no such kind; expected one of {', '.join(known)}")
    return name


_OTHER_KINDS = ("jwt", "private_key", "password", "secret", "api_key", "token", "credential", "session", "signature", "aws_secret_key", "basic_auth", "email", "ipv4", "ipv6")


def extra_rule(spec: str) -> tuple[str, re.Pattern[str]]:
    """`NAME=REGEX` as a rule. NAME becomes the kind; UsageError when either part is no good or the pattern could blow up."""
    name, equals, pattern = spec.partition("=")
    if not equals or not re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", name) or name.endswith("_") or "__" in name:
        raise UsageError("--extra: expected NAME=REGEX, where NAME is letters, digits and single underscores; for example ticket=ACME-[0-9]{4,8}")
    return name.lower(), safe_pattern(pattern, f"--extra {name}")


def safe_pattern(pattern: str, option: str) -> re.Pattern[str]:
    """Compile a pattern from outside; UsageError when it is wrong, matches the empty text, or can take more than linear time."""
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(f"{option}: this is no regular expression ({getattr(error, 'msg', 'too large')}); try it with python3 -m re first") from None
    return compiled


def redaction_summary(counts: dict[str, int]) -> str:
    """One line for the terminal: `redacted: 2 github_token, 1 email`."""
    return "redacted: " + (", ".join(f"{counts[kind]} {kind}" for kind in sorted(counts, key=lambda kind: (-counts[kind], kind))) or "nothing")


def redaction_report(redactor: Redactor) -> str:
    """Kinds, how many values and places, and the lines, as text. No value ever."""
    rows = []
    for kind in sorted(redactor.counts):
        found = [finding for finding in redactor.findings if finding.kind == kind]
        lines = sorted({finding.line for finding in found})
        shown = ", ".join(map(str, lines[:20])) + (f" and {len(lines) - 20} more" if len(lines) > 20 else "")
        rows.append(f"{kind}: {len({finding.placeholder for finding in found})} values in {len(found)} places, line {shown}")
    return "\n".join(rows or ["nothing found"]) + "\n"
