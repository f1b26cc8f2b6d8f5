"""A text as passages and tokens: sentences and list items with the headings above them; words, numbers with units, and names in one form.

A name is whatever is no plain word: an identifier, a path, a version, a hash, an address. Spans are offsets into the text, so a verdict can point.
"""

from __future__ import annotations

import re
from collections import namedtuple
from functools import lru_cache

from .quantities import amount_of
from .wording import NEGATORS, STOP_WORDS, negated_words, stem

Lexeme = namedtuple("Lexeme", "text kind key negated")
Lexeme.__doc__ = """One token: the text, its kind ("word", "number", "name"; "stop" for a word that says little), the form in which equal things are
equal, and whether a negation reaches it."""
Passage = namedtuple("Passage", "start end head kind depth group")
Passage.__doc__ = """A sentence, list item or line of code: its span, the number of the passage that is its heading or parent item (-1: none), "text",
"head" or "code", its indentation, and the number of the paragraph or item that it is a sentence of."""

_TOKEN_RUN = re.compile(
    r"[$€£]?\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?%?(?![\w,])|[^\s\"'`“”‘’,;()\[\]{}<>|*!?…—–→=&\\]+(?:'[a-z]{1,2}(?![a-z]))?|[,;()\[\]{}!?…—–→]"
)
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?\Z")
_NUMBER_RUN = re.compile(r"[$€£]?[+-]?\d[\d,]{0,20}(?:\.\d{1,12})?(?:%|[a-zµ]{1,5}/?[a-z]{0,3})?\Z", re.I)
_SIMPLE_WORDS = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})+\Z")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_UNIT_WORDS = frozenset(
    "ms s sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month months year years b byte bytes kb mb "
    "gb tb kib mib gib tib percent % px usd dollars dollar "
    "euros eur token tokens lines rows tests characters chars users requests retries attempts files commits workers replicas agents "
    "connections items pages records times people items".split()
)
_MEASURED = frozenset("time size length share rate px eur usd tokens lines rows tests".split())  # of units that quantities knows
_COUNTERS = frozenset("times percent".split())
_CALENDAR = {
    form: day
    for day in (
        "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december"
    ).split()
    for form in (day, day + "s")
}
_SMALL_NUMBERS = {word: str(n) for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split()) if n != 1}
_TRAILING = ".:…·-–/"
_OPENING_SIGNS = "\"'`“‘([{<*"
_CLOSING_SIGNS = "\"'`”’)]}>*,;.:!?"


def tokens(text: str) -> list:
    """The tokens of a passage, in order. Linear; a run of more than 200 characters is one name."""
    raw = []  # (text, kind, key), None for a clause break
    runs = _TOKEN_RUN.findall(text)
    i = 0
    while i < len(runs):
        run = runs[i]
        i += 1
        if run.isalpha() and run.casefold() not in _SMALL_NUMBERS:
            raw += _word_tokens(run)
            continue
        if len(run) == 1 and run in ",;()[]{}!?…—–→":
            if run != "," or raw and raw[-1] and raw[-1][1] != "number":
                raw.append(None)
            continue
        if run.endswith((".", ":", ";")) and run[:-1].isalpha() and run[:-1].casefold() not in _SMALL_NUMBERS:
            raw.extend(_token_of(run[:-1]))
            raw.append(None)
            continue
        word = run.strip("~").rstrip(_TRAILING + "~") or run
        if word[:1] in "-+@." and word.lstrip("-+@.").isalpha() and not word.startswith("--"):
            word = word.lstrip("-+")
        if not any(map(str.isalnum, word)):
            continue
        lower = word.casefold()
        if lower in _SMALL_NUMBERS or _NUMBER_RUN.match(word):
            unit_run = runs[i].rstrip(".:") if i < len(runs) else ""
            unit = unit_run.casefold()
            digits = _SMALL_NUMBERS.get(lower, lower)
            value = amount_of(f"{digits} {unit}") if unit in _UNIT_WORDS else None
            if value:
                i += 1
                plain = amount_of(digits)
                raw.append(
                    (f"{word} {unit_run}", "number", (*(value[1:] if value[2] in _MEASURED else (value[1], "")), plain[1] if plain else value[1]))
                )
                if unit not in _COUNTERS and len(unit) > 2:
                    raw.append((unit, "word", stem(unit)))
                continue
            value = amount_of(digits)
            if value and (not value[2] or value[2] in _MEASURED):
                raw.append((word, "number", (*value[1:], _bare(digits, value[1]))))
                continue
        raw.extend([(word, "name", name_key(lower))] if run.rstrip(".:…").endswith("/") and len(word) > 1 else _token_of(word))
    words = [None if token is None else token[0].casefold().replace("’", "'") for token in raw]
    signs = negated_words(words)
    return [Lexeme(*token, sign) for token, sign in zip(raw, signs) if token is not None]


def run_tokens(run: str) -> list:
    """The tokens of one run without white space; most are a plain word, perhaps in quotes or before a comma."""
    word = run.lstrip(_OPENING_SIGNS).rstrip(_CLOSING_SIGNS)
    if word.isalpha() and word.casefold() not in _SMALL_NUMBERS:
        return [Lexeme(*token, False) for token in _word_tokens(word)]
    return tokens(run)


def _bare(digits: str, value: object) -> object:
    """The number as it is written, without its unit."""
    plain = amount_of(digits.strip("$€£%").rstrip("abcdefghijklmnopqrstuvwxyzµ/"))
    return plain[1] if plain else value


def _token_of(word: str) -> list:
    """One or more tokens of a run without white space."""
    lower = word.casefold()
    if lower in _CALENDAR:
        return [(word, "name", _CALENDAR[lower])]
    if _LETTERS.match(word) and not _CAMEL.search(word):
        return [
            (
                word,
                "stop" if lower.replace("’", "'") in STOP_WORDS or lower in NEGATORS and len(lower) < 8 and lower in _PLAIN_NEGATORS else "word",
                stem(lower),
            )
        ]
    if _SIMPLE_WORDS.match(word):
        return [part for piece in word.split("-") for part in _token_of(piece)]
    if (
        "/" in word
        and all(_LETTERS.match(piece) for piece in word.split("/") if piece)
        and word.count("/") == 1
        and not word.startswith("/")
        and not word.endswith("/")
    ):
        return [part for piece in word.split("/") for part in _token_of(piece)] + [(word, "name", lower)]
    return [(word[:200], "name", name_key(lower.removesuffix("'s").removesuffix("’s")))]


@lru_cache(maxsize=1 << 14)  # texts are full of the same words
def _word_tokens(word: str) -> tuple:
    return tuple(_token_of(word))


_PLAIN_NEGATORS = frozenset("not no never without nor neither none cannot".split())


def name_key(name: str) -> str:
    """A name as it is compared: lower case, without `./`, a sign at the end, or the brackets of a call."""
    return name.casefold().removeprefix("./").rstrip("/.:").lstrip("@")[:200] or name


def last_part(key: str) -> str:
    """The last part of a path or dotted name: `paths.ToRelativePath` and `cli/strategy/x.go` are also known as `torelativepath` and `x.go`."""
    tail = key.rsplit("/", 1)[-1]
    head, dot, end = tail.rpartition(".")
    return end if dot and len(end) > 4 and head.replace("_", "").replace(".", "").isalnum() else tail


def same_name(a: str, b: str) -> bool:
    """Whether two names are one, one of them written with more of its path."""
    if a == b:
        return True
    a, b = a.rstrip("*"), b.rstrip("*")
    long, short = (a, b) if len(a) > len(b) else (b, a)
    return len(short) > 2 and long.endswith(short) and long[-len(short) - 1] in "/.:~" or short[:1] == "/" and long.startswith(short + "/")


# ---- passages

PASSAGE_AT_MOST = 1_500  # characters; longer ones are cut, so that a look at one costs little whatever the text is
_LIST_MARK = re.compile(r"(?:[-*+•◦]|\d{1,3}[.)]|\[[ xX]\]|[a-z][.)])(?=\s)")
_TABLE_RULE = re.compile(r"[|:\s-]+\Z")
_ATX = re.compile(r"#{1,6}\s")
_NUMBERED_HEAD = re.compile(r"\d{1,2}[.)]\s+[A-Z][^.!?]{2,60}:?\s*\Z")
_SENTENCE_STOP = re.compile(r"(?<![\s.(][A-Z])(?<!\.)[.!?](?:[\"'”’)*`]{0,3})(?=\s+[\"'“‘(*`\[]{0,3}[A-Za-z0-9#/\[])|;(?=\s)")
_SHORT_FORM = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|sec|dr|mr|mrs|ms|st)|\b[A-Z])\.\Z", re.I)


def passages(text: str, offset: int = 0, before: int = 0) -> list:
    """All passages of a text, in order. `offset` is where it stands in a longer text, `before` how many passages that has already."""
    out: list = []
    heads: list = []  # numbers of the headings and list items that are open, with their depths
    fence = ""
    group = offset  # no text has more groups than characters
    pos = 0
    paragraph = None  # (start, end, depth) of lines that are one paragraph

    def close() -> None:
        nonlocal paragraph, group
        if paragraph:
            start, end, depth, is_item = paragraph
            group += 1
            parent = heads[-1][0] if heads else -1
            first = before + len(out)
            out.extend(Passage(a + offset, b + offset, parent, "text", depth, group) for a, b in _sentences(text, start, end))
            if is_item and before + len(out) > first:
                heads.append((first, depth))
            paragraph = None

    for line in text.split("\n"):
        start, pos = pos, pos + len(line) + 1
        bare = line.strip()
        if not bare:
            if not fence:
                close()
            continue
        begin = start + len(line) - len(line.lstrip())
        end = start + len(line.rstrip())
        if bare.startswith(("```", "~~~")):
            close()
            fence = "" if fence and bare.startswith(fence) else fence or bare[:3]
            group += 1
            continue
        if fence:
            parent, depth = heads[-1][0] if heads else -1, begin - start
            out += (Passage(a + offset, b + offset, parent, "code", depth, group) for a, b in _pieces(text, begin, end))
            continue
        depth = begin - start
        if bare[0] == "|" == bare[-1]:  # a row of a table says one thing
            close()
            if not _TABLE_RULE.match(bare):
                group += 1
                out += (Passage(a + offset, b + offset, heads[-1][0] if heads else -1, "text", depth, group) for a, b in _pieces(text, begin, end))
            continue
        mark = _LIST_MARK.match(bare)
        atx = _ATX.match(bare)
        bold = bare.startswith("**") and bare.rstrip(":").endswith("**") and bare.count("**") == 2
        if atx or bold and not mark or depth == 0 and (_NUMBERED_HEAD.match(bare) or bare.endswith(":") and len(bare) < 80 and not mark):
            close()
            level = -100 + len(atx[0]) if atx else -50 if bold and depth == 0 else -60 if not mark else -55
            while heads and heads[-1][1] >= level:
                heads.pop()
            group += 1
            begin += len(mark[0]) + 1 if mark else 0
            out.append(Passage(begin + offset, end + offset, heads[-1][0] if heads else -1, "head", level, group))
            heads.append((before + len(out) - 1, level))
        elif mark:
            close()
            while heads and heads[-1][1] >= depth:
                heads.pop()
            begin += mark.end()
            begin += len(text[begin:end]) - len(text[begin:end].lstrip())
            paragraph = (begin, end, depth, True)
        elif paragraph and depth >= paragraph[2]:
            paragraph = (paragraph[0], end, paragraph[2], paragraph[3])
        else:
            close()
            while heads and heads[-1][1] >= max(depth, 0) and heads[-1][1] >= 0:
                heads.pop()
            paragraph = (begin, end, depth, False)
    close()
    return out


def _sentences(text: str, start: int, end: int) -> list:
    """The spans of the sentences between two offsets."""
    out, first = [], start
    for match in _SENTENCE_STOP.finditer(text, start, end):
        stop = match.end()
        if match[0] != ";" and _SHORT_FORM.search(text, max(first, stop - 8), stop):
            continue
        out.append((first, stop))
        first = stop
        while first < end and text[first].isspace():
            first += 1
    if first < end:
        out.append((first, end))
    return out if max((b - a for a, b in out), default=0) <= PASSAGE_AT_MOST else [piece for a, b in out for piece in _pieces(text, a, b)]


def _pieces(text: str, start: int, end: int) -> list:
    """A span cut between words into pieces that are short enough."""
    out = []
    while end - start > PASSAGE_AT_MOST:
        cut = text.rfind(" ", start + 1, start + PASSAGE_AT_MOST)
        cut = start + PASSAGE_AT_MOST if cut < 0 else cut
        out.append((start, cut))
        start = cut
    return [*out, (start, end)]


def plain_words(text: str) -> str:
    """A text for the cues: lower case, straight apostrophes, single blanks, without marks of emphasis."""
    return " ".join(text.casefold().replace("’", "'").replace("*", " ").replace("`", " ").split())
