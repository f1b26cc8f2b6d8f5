"""A phrase to sentences, and a sentence to tokens: names of the lexicon, words of the grammar, numbers, and words that nobody knows."""
from __future__ import annotations

import re
from collections import namedtuple
from functools import lru_cache

from .lexicon import Lexicon
from .phrasewords import NO_SENTENCE_END, PHRASE_TREE, longest, words_of
from .quantities import quantity

SENTENCE_AT_MOST = 600  # characters; what is longer is prose and is kept as it stands

Token = namedtuple("Token", "kind data text start end")
Token.__doc__ = """`kind` is `name` (data: an AliasEntry), `number` (data: `(value, dimension)`), `word` (not known), or a kind of
`PHRASE_GRAMMAR` with its data; `text` is folded, `start` and `end` are its place in the phrase."""

MONEY = ("eur", "usd")
_KNOWN_DIMENSIONS = frozenset(("time", "size", "length", "share", "rate", "px", *MONEY))
_PHRASE_LIST_MARK = re.compile(r"[ \t]*(?:[-*•+>]|\d{1,3}[.)])[ \t]+")
_PHRASE_END = re.compile(r"[.!?;]+(?=\s|$)")
_PHRASE_LINE = re.compile(r"[^\r\n]+")
_quantity_of = lru_cache(maxsize=1 << 12)(quantity)  # a file of phrases says most of its words again and again
_LAST_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|\.){0,8}\Z")


def sentence_spans(phrase: str) -> list[tuple[int, int]]:
    """Where the sentences of a phrase stand: lines, parted behind `.`, `!`, `?` and `;`, without marks of lists and blanks at the ends."""
    found = []
    for line in _PHRASE_LINE.finditer(phrase):
        start, end = line.span()
        if mark := _PHRASE_LIST_MARK.match(phrase, start, end):
            start = mark.end()
        for stop in _PHRASE_END.finditer(phrase, start, end):
            last = _LAST_WORD.search(phrase, max(start, stop.start() - 10), stop.start())
            if stop[0] == "." and last and last[0].casefold() in NO_SENTENCE_END:
                continue
            found.append((start, stop.end()))
            start = stop.end()
        found.append((start, end))
    return [span for start, end in found if (span := _trimmed_span(phrase, start, end))]


def _trimmed_span(phrase: str, start: int, end: int) -> tuple[int, int] | None:
    text = phrase[start:end]
    start += len(text) - len(text.lstrip())
    end -= len(text) - len(text.rstrip())
    return (start, end) if start < end and any(map(str.isalnum, text)) else None


def tokens_of(phrase: str, start: int, end: int, lexicon: Lexicon) -> list[Token]:
    """The tokens of `phrase[start:end]`. Where several fit, the longest; of two that are equally long a number, then a name, then grammar."""
    words = words_of(phrase[start:end])
    tokens, at = [], 0
    while at < len(words):
        n, kind, data = 1, "word", None
        grammar, what = longest(PHRASE_TREE, words, at)
        if grammar:
            n, (kind, data) = grammar, what
        name, entry = lexicon.find(words, at)
        if name and name >= grammar:
            n, kind, data = name, "name", entry
        number, value = _number_at(words, at)
        if number and number >= max(name, grammar):
            n, kind, data = number, "number", value
        first, last = words[at][1], words[at + n - 1][2]
        if tokens and tokens[-1].end == start + first - 1 and phrase[start + first - 1] == "_":
            tokens[-1] = tokens[-1]._replace(kind="word", data=None)  # an identifier that is no name as a whole: create_comment
            kind, data = "word", None
        tokens.append(Token(kind, data, " ".join(word for word, _, _ in words[at:at + n]), start + first, start + last))
        at += n
    return _with_ranges(tokens, phrase)


def _with_ranges(tokens: list[Token], phrase: str) -> list[Token]:
    """`3-5`, `3 to 5` and `between 3 and 5` as one number whose value is a pair."""
    found: list[Token] = []
    for i, token in enumerate(tokens):
        found.append(token)
        if token.kind != "number" or len(found) < 2 or type(token.data[0]) is tuple:
            continue
        near = phrase[found[-2].end:token.start] in ("-", "\u2013") and found[-2].kind == "number"
        joined = len(found) > 2 and found[-3].kind == "number" and (
            found[-2].text == "to" or found[-2].text in ("\u2013", "-") or found[-2].text == "and" and len(found) > 3 and found[-4].data == "between")
        first = found[-2] if near else found[-3] if joined else None
        follows = i + 1 < len(tokens) and tokens[i + 1].kind == "number" and phrase[token.end:tokens[i + 1].start] == "-"
        if first is None or type(first.data[0]) is tuple or follows or near and phrase[first.start - 1:first.start] == "-":
            continue
        low, high = first.data[0], token.data[0]
        if first.data[1] not in ("", token.data[1]):
            continue
        if token.data[1] and not first.data[1] and type(high) is str and type(low) is int:
            unit = high.lstrip("0123456789.,+-")
            low = f"{low}{unit}"
        del found[-2 if near else -3:]
        found.append(Token("number", ((low, high), token.data[1]), phrase[first.start:token.end].casefold(), first.start, token.end))
    return found


def _number_at(words: list[tuple[str, int, int]], at: int) -> tuple[int, tuple | None]:
    """`(how many words, (value, dimension))` of a number with or without unit. The value is an int or float, or the words as they stand
    where a unit or the form (1.10, 007) is part of it."""
    word = words[at][0]
    following = words[at + 1][0] if at + 1 < len(words) else ""
    if following and len(word) < 12:
        if (both := _quantity_of(f"{word}-{following}")) and both[2] == "" and word.isalpha() and following.isalpha():
            return 2, (int(both[1]), "")
    found = _quantity_of(word)
    if found is None:
        return (1, (word, "")) if word[0].isdigit() and not any(map(str.isalpha, word)) else (0, None)
    if found[2] == "":
        if following and (unit := _quantity_of(f"{word} {following}")) and unit[2] in _KNOWN_DIMENSIONS:
            return 2, (f"{word} {following}" if following not in "%€$" else word + following, unit[2])
        plain = found[1]
        digits = word.replace(",", "").lstrip("+-")
        if plain.denominator == 1 and (digits.isdigit() and len(digits) < 16 or word.isalpha()):
            return 1, (int(plain), "")
        if digits.replace(".", "", 1).isdigit() and len(digits) < 16:
            return 1, (float(plain), "")
        return 1, (word, "")
    return (1, (word, found[2])) if found[2] in _KNOWN_DIMENSIONS else (0, None)
