"""Where a text speaks of a commitment: the partner passage, found through an inverted index by names and values first, then by rare words.

The index is built once for a text; to look one commitment up costs the same however long the text is, so all of it is linear.
"""

from __future__ import annotations

import collections
import math
import re
from bisect import bisect_right
from functools import lru_cache

from .passages import PASSAGE_AT_MOST, last_part, passages, run_tokens, same_name, tokens
from .wording import CLASS_NOUNS, LIGHT_STEMS, ORDER_WORDS, near_stems

POSTINGS_AT_MOST = 1_500  # places that are looked at for one commitment; the rarest words go first
CANDIDATES = 8  # passages that are compared word by word

PART_BREAK = "\n\n"
Partner = collections.namedtuple("Partner", "place coverage own hits missing tokens start end")
Partner.__doc__ = """A passage (with the sentences beside it that say more of the same) and a commitment: its number, the share of the
commitment's weight that it and its surroundings hold (0 to 1), the share that it holds by itself, for each token of the commitment how well
it is met (0 to 1), the tokens that are not, the tokens of the passage, and its span."""
SAYS_MORE = 0.12  # share of the weight that makes the next sentence a part of the passage


class TextIndex:
    """A text of one or more parts (turns), its passages, and where each word, name and number stands. No passage spans two parts.

    `name`, if given, maps a surface word (lower case) to what it is called, as a lexicon does: words with one name can stand for each other.
    """

    def __init__(self, *parts: str, name: object = None) -> None:
        self.parts = parts
        self.name = name
        self.text = PART_BREAK.join(parts)
        self.passages: list = []
        self.part_starts: list = []  # offsets of the parts in the text
        at = 0
        for part in parts:
            self.part_starts.append(at)
            self.passages += passages(part, at, len(self.passages))
            at += len(part) + len(PART_BREAK)
        text = self.text
        self._tokens: dict = {}
        self._keys: dict = {}
        self._pieces: dict = {}
        self._breaks: list | None = None
        self._lower: str | None = None
        postings = collections.defaultdict(list)
        for place, passage in enumerate(self.passages):
            runs = text[passage.start : passage.end].split()
            keys: set = set().union(*map(_run_keys, runs))
            if name:
                keys.update(self.alias(run.strip(_SIGNS_AROUND)) for run in runs)
            for key in keys:
                postings[key].append(place)
        self.postings = dict(postings)

    def _all_keys(self, found: list) -> set:
        """What a passage is found by: stems, rows of near synonyms, values, names and their last parts."""
        keys = set()
        for token in found:
            keys.update(index_keys(token))
            if self.name and token.kind != "stop":
                keys.add(self.alias(token.text))
        return keys

    def alias(self, word: str) -> str:
        """The key of what a word is called."""
        return f"@{self.name(word.casefold())}"

    def met_at(self, token: object, place: int) -> float:
        """How well a passage meets a token: see `met`; 0.9 where another word has its name."""
        worth = met(token, self.keys_at(place), place, self)
        return worth if worth or not self.name else 0.9 * (self.alias(token.text) in self.keys_at(place))

    def has(self, token: object) -> bool:
        """Whether a name or value stands anywhere in the text, if only as a part of a longer name."""
        if any(key in self.postings for key in index_keys(token)):
            return True
        if self._lower is None:
            self._lower = self.text.casefold()
        return token.kind == "name" and len(token.key) > 4 and token.key in self._lower

    def tokens_at(self, place: int) -> list:
        if place not in self._tokens:
            passage = self.passages[place]
            self._tokens[place] = tokens(self.text[passage.start : passage.end])
        return self._tokens[place]

    def keys_at(self, place: int) -> set:
        if place not in self._keys:
            self._keys[place] = self._all_keys(self.tokens_at(place))
        return self._keys[place]

    def pieces_at(self, place: int) -> list:
        """The words and the pieces of names of a passage, in order."""
        if place not in self._pieces:
            self._pieces[place] = [piece for token in self.tokens_at(place) for piece in NAME_PIECE.findall(token.text.casefold())]
        return self._pieces[place]

    def words_at(self, place: int) -> str:
        passage = self.passages[place]
        return self.text[passage.start : passage.end]

    def part_of(self, offset: int) -> tuple:
        """The number of the part (from 0) that holds an offset, and the offset in it."""
        part = bisect_right(self.part_starts, offset) - 1
        return part, offset - self.part_starts[part]

    def line_of(self, offset: int) -> int:
        """The number of the line, from 1."""
        if self._breaks is None:
            self._breaks = [match.start() for match in re.finditer("\n", self.text)]
        return bisect_right(self._breaks, offset - 1) + 1

    def heads_of(self, place: int) -> list:
        """The heading or parent item of a passage, and those above."""
        found, head = [], self.passages[place].head
        while head >= 0 and len(found) < 3:
            found.append(head)
            head = self.passages[head].head
        return found

    def around(self, place: int) -> list:
        """The passages that a reader has in mind at this one: headings and parent items above, the sentences beside it, the items next to it."""
        passage, found = self.passages[place], self.heads_of(place)
        for step in (-1, 1, -2, 2):
            near = place + step
            if (
                0 <= near < len(self.passages)
                and near not in found
                and (self.passages[near].group == passage.group or self.passages[near].head in (passage.head, place) and passage.head >= 0)
            ):
                found.append(near)
        return found


class PartsOf:
    """Some parts of an indexed text: the same passages under the same numbers, but only those of these parts are found."""

    def __init__(self, index: TextIndex, chosen: list) -> None:
        self._index = index
        places = {place for place, passage in enumerate(index.passages) if chosen[index.part_of(passage.start)[0]]}
        self.postings = _PostingsIn(index, places)
        self.said = PART_BREAK.join(part for part, wanted in zip(index.parts, chosen) if wanted)

    def __getattr__(self, name: str) -> object:
        return getattr(self._index, name)


class _PostingsIn(dict):
    """The postings of an index in some of its places, each list made when it is asked for."""

    def __init__(self, index: TextIndex, places: set) -> None:
        self._all, self._places = index.postings, places

    def get(self, key: object, default: object = ()) -> object:
        if key not in self:
            self[key] = [place for place in self._all.get(key, ()) if place in self._places]
        return self[key] or default


def index_keys(token: object) -> tuple:
    """The keys under which a token is filed."""
    if token.kind == "number":
        value, _, written = token.key
        return (f"={value}", f"={written}") if value != written else (f"={value}",)
    if token.kind == "name":
        tail = last_part(token.key)
        return (token.key,) if tail == token.key else (token.key, tail)
    if token.kind == "stop":
        return ()
    return (token.key, *near_stems(token.key))


@lru_cache(maxsize=1 << 17)
def _run_keys(run: str) -> tuple:
    """The keys of one run without white space: a text has far fewer different ones than runs, and a passage is read in full when it matters."""
    return tuple(key for token in run_tokens(run[:PASSAGE_AT_MOST]) for key in index_keys(token))


class Weights:
    """How much a token says: the rarer in both texts, the more. Counted in passages."""

    def __init__(self, *indexes: TextIndex) -> None:
        self._indexes = indexes
        self._known: dict = {}
        self._total = sum(len(index.passages) for index in indexes) + 8

    def of(self, token: object) -> float:
        """The weight of a token."""
        name = token.kind, token.text
        if name not in self._known:
            self._known[name] = self._of(token)
        return self._known[name]

    def _of(self, token: object) -> float:
        if token.kind == "stop":
            return 0.0
        key = f"={token.key[0]}" if token.kind == "number" else token.key
        found = sum(len(index.postings.get(key, ())) for index in self._indexes)
        rarity = math.log(1 + self._total / (found + 1)) / math.log(1 + self._total)
        if token.kind == "word":
            return rarity * (
                0.35 if token.key in LIGHT_STEMS else 0.6 if token.key in CLASS_NOUNS or token.text.casefold() in ORDER_WORDS else 1.0
            )
        return rarity * (1.3 if token.kind == "name" else 1.2)


def met(token: object, keys: set, place: int, index: TextIndex) -> float:
    """How well a passage with these keys meets a token: 1 the same, 0.8 another word for it, 0 not at all."""
    if token.kind == "number":
        if keys.isdisjoint(index_keys(token)):
            pieces = NAME_PIECE.findall(token.text)
            return 0.9 if len(pieces) > 1 and _runs_on(pieces, index.pieces_at(place)) else 0.0
        return 1.0 if any(other.kind == "number" and same_number(token.key, other.key) for other in index.tokens_at(place)) else 0.5
    if token.kind == "name":
        if token.key in keys:
            return 1.0
        if last_part(token.key) in keys:
            return 1.0 if any(other.kind in ("name", "word") and same_name(token.key, other.key) for other in index.tokens_at(place)) else 0.5
        pieces = NAME_PIECE.findall(token.key)
        return 0.9 if len(pieces) > 1 and _runs_on(pieces, index.pieces_at(place)) else 0.0
    if token.key in keys:
        return 1.0
    return 0.8 if not near_stems(token.key).isdisjoint(keys) else 0.0


_SIGNS_AROUND = "\"'`“”‘’,;.:()[]{}<>*!?"
NAME_PIECE = re.compile(r"[^\W_]+")


def _runs_on(pieces: list, said: list) -> bool:
    """Whether the pieces of a name stand one after the other: `mid turn commit` for `mid_turn_commit`."""
    return any(said[at : at + len(pieces)] == pieces for at, piece in enumerate(said) if piece == pieces[0])


def same_number(a: tuple, b: tuple) -> bool:
    """Whether two quantities agree: equal values, and units that are equal or left out."""
    return a[0] == b[0] and a[1] == b[1] or a[2] == b[2] and (not a[1] or not b[1])


def content(found: list) -> list:
    """The distinct tokens that say something, in order."""
    return list({(token.kind, token.key): token for token in found if token.kind != "stop"}.values())


def partners(words: list, index: TextIndex, weights: Weights, limit: int = CANDIDATES) -> list:
    """The passages that may speak of the commitment with these content tokens, the best first."""
    if not words:
        return []
    scale = sum(map(weights.of, words)) or 1.0
    best = near_places(words, index, weights, limit)
    return sorted(
        (_match(words, place, index, weights, scale) for place in best), key=lambda match: (-match.coverage, -match.own, match.place)
    )


def near_places(words: list, index: TextIndex, weights: Weights, limit: int) -> list:
    """The numbers of the passages that share most with these content tokens, by their worth, the best first."""
    score: dict = {}
    room = POSTINGS_AT_MOST
    for token in sorted(words, key=lambda token: -weights.of(token)):
        seen = set()
        for key in (*index_keys(token), *((index.alias(token.text),) if index.name else ())):
            places = index.postings.get(key, ())
            if len(places) > room:  # too common to lead anywhere, unless nothing rarer does
                if score:
                    continue
                places = places[:room]
            worth = weights.of(token) * (0.8 if type(key) is int else 1.0)
            for place in [place for place in places if place not in seen] if seen else places:
                score[place] = score.get(place, 0.0) + worth
            seen.update(places)
            room -= len(places)
    least = sorted(score.values())[-limit] if len(score) > limit else 0.0
    return sorted((place for place, worth in score.items() if worth >= least), key=lambda place: (-score[place], place))[:limit]


def _match(words: list, place: int, index: TextIndex, weights: Weights, scale: float) -> Partner:
    here = {(token.kind, token.key): index.met_at(token, place) for token in words}
    first = last = place
    for step in (-1, 1):
        near = place + step
        while (
            0 <= near < len(index.passages)
            and index.passages[near].group == index.passages[place].group
            and index.passages[near].kind == "text"
        ):
            more = {(token.kind, token.key): index.met_at(token, near) for token in words}
            new = [token for token in words if more[token.kind, token.key] > here[token.kind, token.key]]
            if (
                sum(weights.of(token) * (more[token.kind, token.key] - here[token.kind, token.key]) for token in new) < SAYS_MORE * scale
                or len(new) < 2
                and new[0].kind == "word"
            ):
                break
            here = {key: max(worth, more[key]) for key, worth in here.items()}
            first, last = min(first, near), max(last, near)
            near += step
    own = sum(weights.of(token) * here[token.kind, token.key] for token in words)
    around = index.around(place)
    hits = {}
    for token in words:
        worth = here[token.kind, token.key]
        hits[token.kind, token.key] = worth if worth >= 0.8 else max([worth, *(0.75 * index.met_at(token, near) for near in around)])
    total = sum(weights.of(token) * hits[token.kind, token.key] for token in words)
    missing = [token for token in words if here[token.kind, token.key] < 0.55]
    found = [token for near in range(first, last + 1) for token in index.tokens_at(near)]
    return Partner(place, total / scale, own / scale, hits, missing, found, index.passages[first].start, index.passages[last].end)
