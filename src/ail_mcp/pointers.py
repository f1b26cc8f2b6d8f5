"""The @MEM dictionary: recurring names, and recurring parts of names and paths, become `$N` where that saves tokens.

What a term (see `terms`) saves at a place depends only on the few characters around it, since no token of cl100k or o200k reaches further.
So the whole is a sum: each run takes the best set of terms that do not overlap, and a term enters the dictionary where it adds more to these
sums than its entry in @MEM costs.
"""
from __future__ import annotations

import collections
import heapq
import re
from bisect import bisect_right
from functools import cache
from itertools import islice

from .documents import lines_in
from .terms import LEAST_POINTER_GAIN, TERM_CONTEXT, Place, around_stretch, places_of_runs, recurring_terms, split_body
from .tokens import estimate, pieces

_MEM_TAG_COST = 4  # tokens of "@MEM" and its line break, and one to spare
_LAST_NUMBER = 999  # numbers of up to three digits are one token in both vocabularies
_MOST_OFFERS = 200_000  # places of terms that are weighed, so that the work stays linear; only made-up texts come near

_AUDITED_LINES = 1000  # lines that are counted at once

_Span = collections.namedtuple("_Span", "start end saving term")  # a term at its offsets in a run, and the tokens it saves there


def point(blocks: list[str], counters: tuple) -> list[str]:
    """Put pointers into the section lines of a snapshot.

    `blocks` are sections and comments without header and `@MEM`, in texts of one or more whole lines; `counters` come from
    `tokens.counters`. The result is one `@MEM` line and the same blocks with `$N` in them, numbered by first appearance; or the blocks as
    they are where nothing pays; `blocks` are used up. It never costs more tokens than before: exact counters audit it, and without them only such
    savings count as are certain. Comments, tags and the approach of `@LOG` are not touched, and numbers that the text itself uses as `$N` are not
    given out.
    """
    exact = all(c.exact for c in counters)
    saving, price, audit = _exact_meter(counters) if exact else _cautious_meter()
    runs_of_word, places = places_of_runs(lines_in(blocks))
    numbers = _free_numbers(blocks)
    slots, gains = _choose(recurring_terms(places), places, saving, price, len(numbers))
    while gains:
        result = list(blocks) if exact else blocks  # in place where nothing is audited: each block is held once
        _write(result, runs_of_word, slots, numbers)
        if audit(blocks, result):
            return result
        # The sum of savings is true to a few tokens. Where these few decide, the least useful quarter goes.
        for term in sorted(gains, key=lambda term: (gains[term], term))[:-(-len(gains) // 4)]:
            del gains[term]
        slots = {place: kept for place, spans in slots.items() if (kept := [span for span in spans if span.term in gains])}
    return blocks


def _free_numbers(blocks: list[str]) -> list[str]:
    """The pointers that can be given out. A number that occurs as `$N` anywhere is the text's own, also with zeros before it."""
    taken = {number.lstrip("0") for block in blocks for number in re.findall(r"\$([0-9]+)", block)}
    return [f"${n}" for n in range(1, _LAST_NUMBER + 1) if str(n) not in taken]


# Which terms pay ------------------------------------------------------------------------------------------------------------------


def _choose(terms: dict, places: dict[str, dict], saving: object, price: object, room: int) -> tuple[dict, dict]:
    """At most `room` terms that pay, and where they stand: (place -> spans, term -> tokens gained).

    Takes the term that adds most, again and again. What a term adds shrinks as others are taken, so a term whose figure is out of date goes
    back into the queue with its new one. At the end those go that others have made useless.
    """
    slots: dict[Place, list] = {}
    values: dict[Place, int] = {}
    prices = {term: price(term) for term in terms}

    def offer(term: str) -> tuple[int, list]:
        gain, news = -prices[term], []
        for run, starts in terms[term].items():
            for place, times in places[run].items():
                spans = []
                for start in starts:
                    left, right = around_stretch(place, start, start + len(term))
                    tokens = saving(left, term, right)
                    if tokens > 0:
                        spans.append(_Span(start, start + len(term), tokens, term))
                if spans:
                    old = slots.get(place)
                    value = _best_cover(old + spans)[0] if old else spans[0].saving if len(spans) == 1 else _best_cover(spans)[0]
                    gain += times * (value - values.get(place, 0))
                    news.append((place, spans, value))
        return gain, news

    queue = []
    sizes: dict[str, int] = {}
    for term, runs in terms.items():
        sizes[term] = sum(len(starts) * len(places[run]) for run, starts in runs.items())
        n = sum(len(starts) * sum(places[run].values()) for run, starts in runs.items())
        hope = n * (prices[term] - 4) - prices[term]  # at best the term saves what it costs in @MEM without its number
        if hope >= LEAST_POINTER_GAIN:
            queue.append((-hope, term))
    heapq.heapify(queue)
    gains: dict[str, int] = {}
    work = _MOST_OFFERS
    while queue and len(gains) < room and work > 0:
        _, term = heapq.heappop(queue)
        gain, news = offer(term)
        work -= sizes[term] + sum(len(slots.get(place, ())) for place, _, _ in news)
        if gain < LEAST_POINTER_GAIN:
            continue
        if queue and gain < -queue[0][0]:
            heapq.heappush(queue, (-gain, term))
            continue
        gains[term] = gain
        for place, spans, value in news:
            slots.setdefault(place, []).extend(spans)
            values[place] = value
    _prune(terms, places, prices, slots, gains)
    total = sum(_best_cover(spans)[0] * places[place.run][place] for place, spans in slots.items()) - sum(prices[term] for term in gains)
    return (slots, gains) if total - _MEM_TAG_COST >= LEAST_POINTER_GAIN else ({}, {})


def _prune(terms: dict, places: dict[str, dict], prices: dict[str, int], slots: dict, gains: dict[str, int]) -> None:
    """Take out of `slots` and `gains` the terms without which the others would do as well, the least useful first."""
    for term in sorted(gains, key=lambda term: (gains[term], term)):
        gain, rest = -prices[term], []
        for run in terms[term]:
            for place, times in places[run].items():
                spans = slots.get(place, [])
                others = [span for span in spans if span.term != term]
                if len(others) < len(spans):
                    gain += times * (_best_cover(spans)[0] - _best_cover(others)[0])
                    rest.append((place, others))
        gains[term] = gain
        if gain < LEAST_POINTER_GAIN:
            del gains[term]
            slots.update(rest)


def _best_cover(spans: list) -> tuple[int, list]:
    """The set of spans that do not overlap and save most together: (tokens saved, spans in order)."""
    if len(spans) < 2:
        return (spans[0].saving, spans) if spans else (0, [])
    spans = sorted(spans, key=lambda span: (span.end, span.start))
    ends = [span.end for span in spans]
    best = [(0, None)]  # of the first k spans: tokens saved, and (last span taken, how many came before it)
    for k, span in enumerate(spans):
        before = bisect_right(ends, span.start, 0, k)
        with_it = best[before][0] + span.saving
        best.append((with_it, (span, before)) if with_it > best[k][0] else best[k])
    cover = []
    taken = best[-1][1]
    while taken:
        cover.append(taken[0])
        taken = best[taken[1]][1]
    return best[-1][0], cover[::-1]


# What they save -------------------------------------------------------------------------------------------------------------------


def _exact_meter(counters: tuple) -> tuple:
    """(saving, price, audit) by exact counters; where they differ, the worse one decides."""
    counts = [counter.count for counter in counters]

    @cache
    def saving(left: str, term: str, right: str) -> int:
        plain, pointed = left + term + right, f"{left}$1{right}"
        return min(count(plain) - count(pointed) for count in counts)

    def price(term: str) -> int:
        return max(count(" $1=" + term) for count in counts)

    def audit(blocks: list[str], result: list[str]) -> bool:
        sizes = [-count(result[0] + "\n") for count in counts]
        changed = ((a, b) for old, new in zip(blocks, result[1:]) if old != new for a, b in zip(old.split("\n"), new.split("\n")) if a != b)
        while batch := list(islice(changed, _AUDITED_LINES)):  # no token reaches over the tag at the start of a line
            before, after = ("".join(line + "\n" for line in lines) for lines in zip(*batch))
            sizes = [size + count(before) - count(after) for size, count in zip(sizes, counts)]
        return min(sizes) >= 0

    return saving, price, audit


_SAFE_SIGNS = frozenset(" \"#$'()*+,-./:;<=>?@[\\_{")  # together with a dollar sign one token in both vocabularies


def _cautious_meter() -> tuple:
    """(saving, price, audit) without a vocabulary: what is certain, by the pieces that a text falls into before tokens are looked for.

    A piece is at least one token, and pieces that stay cost what they cost. So a term saves at least the number of pieces that go, less the
    most that new ones can cost. In @MEM an estimate is enough: where it is too low, the same pieces cost more at every place they go from.
    """
    @cache
    def saving(left: str, term: str, right: str) -> int:
        around = left + right
        if len(left) > TERM_CONTEXT or len(right) >= TERM_CONTEXT or not around.isascii() or right.startswith("'") or _CONTROL.search(around):
            return 0
        return _sure_saving(pieces(left + term + right), pieces(f"{left}$1{right}"))

    return saving, lambda term: 3 + estimate("=" + term), lambda blocks, result: True


_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f]")


def _sure_saving(before: list[str], after: list[str]) -> int:
    """Tokens that at least go when pieces change: one for each old piece, less the most that each new one can cost."""
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    same = 0
    while same < len(before) and same < len(after) and before[same] == after[same]:
        same += 1
    saved = len(before) - same
    for piece in after[same:]:
        saved -= 1 if piece.isdigit() or len(piece) == 2 and piece[1] == "$" and piece[0] in _SAFE_SIGNS else len(piece)
    return saved


# Writing --------------------------------------------------------------------------------------------------------------------------


def _write(blocks: list[str], runs_of_word: dict, slots: dict, numbers: list[str]) -> None:
    """Put the pointers into the blocks, numbered in the order in which they first appear, and the @MEM line before them."""
    pointers: dict[str, str] = {}
    covers = {place: cover for place, spans in slots.items() if (cover := _best_cover(spans)[1])}
    changing = {word for word, found in runs_of_word.items() if any(place in covers for _, place in found)}
    written: dict[str, str] = {}

    def rewrite(word: str) -> str:
        parts, at = [], 0
        for offset, place in runs_of_word[word]:
            for span in covers.get(place, ()):
                if span.term not in pointers:
                    pointers[span.term] = numbers[len(pointers)]
                parts += word[at:offset + span.start], pointers[span.term]
                at = offset + span.end
        return "".join(parts) + word[at:]

    def pointed(line: str) -> str:
        head, body = split_body(line)
        if changing.isdisjoint(body):
            return line
        for word in body:
            if word in changing and word not in written:
                written[word] = rewrite(word)
        return head + " ".join([written.get(word, word) for word in body])[:-1]

    for i, block in enumerate(blocks):
        blocks[i] = "\n".join(map(pointed, block.split("\n")))
    blocks.insert(0, " ".join(["@MEM", *(f"{number}={term}" for term, number in pointers.items())]))
