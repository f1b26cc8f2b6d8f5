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

from .addresses import OPTIONAL_KINDS, find_emails, find_ipv4, find_ipv6, find_optional
from .credentials import find_credentials, find_json_credential
from .errors import UsageError
from .keyvalue import is_prose_password, is_random_secret
from .privatekeys import find_private_keys
from .secretrules import KEYED, OWN, find_tokens, token_rules
from .shapes import compiled
from .urlsecrets import find_url_secrets

Redacted = collections.namedtuple("Redacted", "text findings")
Redacted.__doc__ = "A redacted text, and the findings in the order of the text."
Finding = collections.namedtuple("Finding", "kind placeholder line")
Finding.__doc__ = "One replacement: what kind of secret, the name that stands there now, and the line (from 1). Never the value."

_PLACEHOLDER = r"REDACTED_([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*?)_([0-9]{1,9})(?![0-9])"
_REDACT_SEGMENT = 8192
_PASSES = 5
# A name beside which a value may go on: up to six signs and a letter, but for what ends a value.
_GLUE = r"(?!\\[nrt]|[\"'],)[^\sA-Za-z0-9_]{0,6}[A-Za-z0-9_]"
_GLUE_BEFORE = r"(?!(?:[0-9\[;]m|\\[nrt])\Z)[A-Za-z0-9_](?:[^\sA-Za-z0-9_=:]{0,6}|://)\Z"


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
        wanted = OPTIONAL_KINDS if "all" in optional else [_known_kind(kind, "--optional", (), OPTIONAL_KINDS) for kind in optional]
        self._optional = frozenset(wanted)
        self._allow = frozenset(allow)
        self._allow_patterns = tuple(_own_pattern(rule[1:-1], "--allow") for rule in allow if len(rule) > 2 and rule[0] == rule[-1] == "/")
        self._names: dict[str, tuple[str, str]] = {}
        self._numbers: dict[str, int] = {}
        self._known: dict[str, str] = {}
        self._index: dict[str, list[int]] = {}
        self._indexed = 0
        self._last: dict[str, list] = {}
        self.counts: dict[str, int] = {}
        self.findings: list[Finding] = []

    def redact(self, text: str) -> str:
        """The text with every secret replaced, as plain text."""
        return self.redact_all([text])[0]

    def redact_all(self, texts: list[str]) -> list[str]:
        """Like `redact` for many texts; what is found in one of them is replaced in all, also where it stands without its key."""
        known, self._last = self._last, {}  # of the call before, which is often for the same texts; a session also says many more than once
        for text in dict.fromkeys(texts):
            self._last[text] = known[text] if text in known else self._find(text)
        for text in self._last:
            self._see(text)
        found = {text: self._sweep(text, spans) for text, spans in self._last.items()}
        done = [self._replace_in(text, found[text]) for text in texts]
        return [self._settled(text, glued, lambda text: self._replace_in(text, self._sweep(text, self._find(text)))) for text, glued in done]

    def redact_document(self, text: str) -> str:
        """A whole file. The strings of JSON and JSON Lines are redacted as the values they are, with their key in view, and the rest
        is left as it was, so that the document stays valid. Anything else is plain text."""
        return self._settled(text, True, self._document_once)

    def _document_once(self, text: str) -> tuple[str, bool]:
        parts = None
        if "{" in text or "[" in text or "\\" in text:
            from .jsonparts import json_parts
            parts = json_parts(text)
        spans: list = []
        for key, value, place in parts.keyed if parts else ():
            find_json_credential(key, value, place, spans)
        joined = parts.joined if parts else text
        spans = self._find(joined, spans)
        self._see(text)
        spans = self._sweep(joined, spans)
        return self._replace(text, parts.raw_spans(spans)) if parts else self._replace_in(text, spans)

    def _settled(self, text: str, glued: bool, once: object) -> str:
        """The text after as many passes as it takes until a pass would change nothing: where a name is glued to other text, it can
        make a secret of what was none, as in `password bob@acme.dev"7Yx...`."""
        for _ in range(_PASSES):
            if not glued:
                break
            text, glued = once(text)
        return text

    def _replace_in(self, text: str, spans: list) -> tuple[str, bool]:
        return self._replace(text, [(*span[:3], text[span[0]:span[1]], "") for span in spans])

    def _see(self, text: str) -> None:
        """Numbering goes on behind the placeholders that are already there."""
        if "REDACTED_" in text:
            for kind, number in compiled(_PLACEHOLDER).findall(text):
                self._numbers[kind] = max(self._numbers.get(kind, 0), int(number))

    def _find(self, text: str, spans: list = ()) -> list:
        """The merged spans of everything that the rules find; the values that were found by their key are remembered."""
        spans = list(spans)
        find_private_keys(text, spans)
        start = 0
        while start < len(text):
            end = text.find("\n", start + _REDACT_SEGMENT) + 1 or len(text)
            taken: set[int] = set()
            words = set(text[start:end].split())  # whether a trigger occurs is asked of these: a text says most words more than once
            find_tokens(text, start, end, words, spans)
            if "://" in text[start:end]:
                find_url_secrets(text, start, end, spans, taken)
            find_credentials(text, start, end, words, spans)
            find_emails(text, start, end, spans, taken)
            find_ipv6(text, start, end, spans)
            find_ipv4(text, start, end, spans, "loopback" in self._optional)
            if self._optional:
                find_optional(text, start, end, spans, self._optional)
            start = end
        for kind, pattern in self._extra:
            spans.extend((match.start(), match.end(), kind, OWN) for match in pattern.finditer(text) if match.end() > match.start())
        spans = self._permitted(text, spans)
        for first, last, kind, rank in spans:
            if rank == KEYED and _worth_sweeping(text[first:last]):
                self._known.setdefault(text[first:last], kind)
        return spans

    def _permitted(self, text: str, spans: list) -> list:
        """Merge overlapping spans, after those that are kept or allowed are gone and placeholders are cut out of the rest."""
        if "REDACTED_" in text:
            spans = _around_placeholders(text, spans)
        merged: list[list] = []
        for first, last, kind, rank in sorted(spans, key=lambda span: (span[0], -span[1], -span[3])):
            if kind in self._keep or last <= first:
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
        if len(self._known) > _FEW and self._indexed != len(self._known):
            self._indexed, self._index = len(self._known), _index_by_head(self._known)
        more = list(_occurrences(text, self._known, self._index))
        return self._permitted(text, spans + more) if more else spans

    def _replace(self, text: str, spans: list) -> tuple[str, bool]:
        """Put the names in the place of `(start, end, kind, value, quotes around the name)`; whether one is glued to what stands beside it."""
        pieces, done, line, glued = [], 0, 1, False
        for first, last, kind, value, quotes in spans:
            if value not in self._names:
                label = kind.upper()
                self._numbers[label] = number = self._numbers.get(label, 0) + 1
                self._names[value] = f"REDACTED_{label}_{number}", kind
            name, kind = self._names[value]
            line += _line_breaks(text, done, first)
            self.counts[kind] = self.counts.get(kind, 0) + 1
            self.findings.append(Finding(kind, name, line))
            line += _line_breaks(text, first, last)
            pieces += text[done:first], quotes + name + quotes
            glued = glued or compiled(_GLUE).match(text, last) is not None or compiled(_GLUE_BEFORE).search(text[max(0, first - 8):first]) is not None
            done = last
        return ("".join(pieces) + text[done:] if pieces else text), glued


def _around_placeholders(text: str, spans: list) -> list:
    """The spans with what stands in them as a placeholder cut out: anybody can write such a word into a secret. Of what is left of a key,
    every part counts; of any other value only what is glued to the placeholder, for behind a blank the sentence goes on; and in a value
    with blanks, only what looks like a secret by itself."""
    held = [match.span() for match in compiled(_PLACEHOLDER).finditer(text)]
    ends = [last for _, last in held]
    cut = []
    for first, last, kind, rank in spans:
        near = bisect.bisect_right(ends, first)
        if near == len(held) or held[near][0] >= last:
            cut.append((first, last, kind, rank))
            continue
        blanks = kind != "private_key" and compiled(r"\s").search(text, first, last)
        while first < last:
            start, end = held[near] if near < len(held) else (last, last)
            piece = compiled(r"(?s)\w(?:.*\w)?").search(text, first, min(start, last))
            if piece and compiled("[^\\W_]{4}").search(piece[0]) and (
                    not blanks or not compiled(r"\s").search(piece[0]) and (is_prose_password(piece[0]) or is_random_secret(piece[0]))):
                cut.append((*piece.span(), kind, rank))
            first, near = max(end, first), near + 1
    return cut


def _line_breaks(text: str, start: int, end: int) -> int:
    count = text.count("\n", start, end)
    returns = text.count("\r", start, end)
    return count + returns - text.count("\r\n", start, end) if returns else count


_FEW = 40


def _worth_sweeping(value: str) -> bool:
    """At least 8 characters, and no word, name or number that a text is full of anyway."""
    word = value.isalpha() and (value.islower() or value.istitle() or value.isupper())
    return len(value) >= 8 and not word and not compiled(r"[A-Za-z_-]{8,15}|[0-9.,-]+").fullmatch(value)


def _index_by_head(known: dict[str, str]) -> dict[str, list[int]]:
    """For the first 8 characters of all values: how long the values are that begin so, the longest first."""
    lengths: dict[str, set[int]] = {}
    for value in known:
        lengths.setdefault(value[:8], set()).add(len(value))
    return {head: sorted(sizes, reverse=True)[:64] for head, sizes in lengths.items()}


def _occurrences(text: str, known: dict[str, str], index: dict[str, list[int]]):
    """Yield the spans of all known values. For a few values one search each; for many, one look at every place."""
    if len(known) <= _FEW:
        for value, kind in known.items():
            at = text.find(value)
            while at >= 0:
                if _stands_alone(text, at, at + len(value)):
                    yield at, at + len(value), kind, KEYED
                at = text.find(value, at + len(value))
        return
    for at in [at for at in range(len(text) - 7) if text[at:at + 8] in index]:
        for size in index[text[at:at + 8]]:
            if text[at:at + size] in known and _stands_alone(text, at, at + size):
                yield at, at + size, known[text[at:at + size]], KEYED
                break


def _stands_alone(text: str, first: int, last: int) -> bool:
    """Not a piece of a longer word; a long value is itself wherever it stands."""
    left, right = text[first - 1:first] if first else "", text[last:last + 1]
    inside = (left.isascii() and left.isalnum() and text[first].isalnum() and text[max(0, first - 2):first] not in ("\\n", "\\r", "\\t")
              or right.isascii() and right.isalnum() and text[last - 1].isalnum())
    return not inside or last - first >= 20


# ---- options

def _known_kind(kind: str, option: str, more=(), kinds=()) -> str:
    name = kind.lower()
    known = list(kinds) or sorted({rule[0] for rule in token_rules()} | set(_OTHER_KINDS) | set(OPTIONAL_KINDS) | set(more))
    if name not in known:
        raise UsageError(f"{option}: there is no such kind; expected one of {', '.join(known)}")
    return name


_OTHER_KINDS = tuple("api_key aws_secret_key basic_auth bearer_token credential discord_token email ipv4 ipv6 jwt password private_key"
                     " secret seed_phrase session signature token".split())


def extra_rule(spec: str) -> tuple[str, object]:
    """`NAME=REGEX` as a rule. NAME becomes the kind; UsageError when either part is no good or the pattern could blow up."""
    name, equals, pattern = spec.partition("=")
    if not equals or not compiled("[A-Za-z][A-Za-z0-9_]{0,39}").fullmatch(name) or name.endswith("_") or "__" in name:
        raise UsageError("--extra: expected NAME=REGEX, where NAME is letters, digits and single underscores; for example"
                         " ticket=ACME-[0-9]{4,8}")
    return name.lower(), _own_pattern(pattern, f"--extra {name}")


def _own_pattern(pattern: str, option: str) -> object:
    """A pattern from outside, compiled; UsageError when it could blow up."""
    from .saferegex import safe_pattern
    return safe_pattern(pattern, option)


def redaction_summary(counts: dict[str, int]) -> str:
    """One line for the terminal: `redacted: 2 github_token, 1 email`."""
    kinds = sorted(counts, key=lambda kind: (-counts[kind], kind))
    return "redacted: " + (", ".join(f"{counts[kind]} {kind}" for kind in kinds) or "nothing")


def redaction_report(redactor: Redactor) -> str:
    """Kinds, how many values and places, and the lines, as text. No value ever."""
    rows = []
    for kind in sorted(redactor.counts):
        found = [finding for finding in redactor.findings if finding.kind == kind]
        lines = sorted({finding.line for finding in found})
        shown = ", ".join(map(str, lines[:20])) + (f" and {len(lines) - 20} more" if len(lines) > 20 else "")
        rows.append(f"{kind}: {len({finding.placeholder for finding in found})} values in {len(found)} places, line {shown}")
    return "\n".join(rows or ["nothing found"]) + "\n"
