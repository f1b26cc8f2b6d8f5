"""The @MEM dictionary: recurring names, and recurring parts of names and paths, become `$N` where that saves tokens.

A text is seen as runs of identifier characters, each distinct run once, with how often it occurs. A term is a stretch of a run between two
edges (signs, a change to upper case). What a term saves at a place depends only on the few characters around it, since no token of
cl100k or o200k reaches further. So the whole is a sum: each run takes the best set of terms that do not overlap, and a term enters the
dictionary where it adds more to these sums than its entry in @MEM costs.
"""
from __future__ import annotations

import collections
import heapq
import itertools
import re
from bisect import bisect_left, bisect_right

from .tokens import estimate, pieces

# What a pointer must be worth: it costs the reader a look-up, so to break even is not enough.
_LEAST_LENGTH = 4  # characters of a term
_LEAST_GAIN = 3  # tokens that a pointer saves in the whole text, its entry in @MEM paid
_MEM_TAG_COST = 4  # tokens of "@MEM" and its line break, and one to spare
_LAST_NUMBER = 999  # numbers of up to three digits are one token in both vocabularies

# What keeps the work linear; only made-up texts come near.
_MOST_SEGMENTS = 64  # a run with more edges is a blob (base64, minified code), not a name
_MOST_STRETCHES = 400_000  # stretches of runs that are looked at
_MOST_OFFERS = 200_000  # places of terms that are weighed
_CONTEXT = 12  # characters outside a run that are looked at

_SIGNS = "_./:-"
_DIGITS = frozenset("0123456789")
_ALNUM = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_RUN = re.compile(r"(?:[A-Za-z0-9_./]|-(?!>)|:(?!=))+")  # characters of identifiers, but no part of an operator
_SEGMENT = re.compile(r"[_./:-]+|[A-Z0-9]+[a-z0-9]*|[a-z0-9]+")
_SIGNS_AT_END = re.compile(r"[^A-Za-z0-9]*\Z")
_SIGNS_AND_WORD = re.compile(r"[^A-Za-z0-9]*[A-Za-z0-9]*")
_POINTED_TAGS = frozenset(("@CTX", "@ARCH", "@LOG", "@SIG", "@NEXT"))

_Place = collections.namedtuple("_Place", "left run right")  # a run, the signs before it, and what behind it a token could take in
_Span = collections.namedtuple("_Span", "start end saving term")  # a term at its offsets in a run, and the tokens it saves there


def point(lines: list[str], counters: tuple) -> list[str]:
    """Put pointers into the section lines of a snapshot.

    `lines` are sections and comments without line breaks, without header and `@MEM`; `counters` come from `tokens.counters`. The result is
    one `@MEM` line and the same lines with `$N` in them, numbered by first appearance; or the lines as they are where nothing pays. It
    never costs more tokens than the lines: exact counters audit it, and without them only such savings count as are certain. Comments,
    tags and the approach of `@LOG` are not touched, and numbers that the text itself uses as `$N` are not given out.
    """
    saving, price, audit = _exact_meter(counters) if all(c.exact for c in counters) else _cautious_meter()
    bodies = [_split_body(line) for line in lines]
    words = collections.Counter(word for _, body in bodies for word in body)
    runs_of_word = {word: found for word in words if len(word) >= _LEAST_LENGTH and (found := _runs_in(word))}
    places: dict[str, dict] = {}  # run -> place -> how often
    for word, found in runs_of_word.items():
        for _, place in found:
            times = places.setdefault(place.run, {})
            times[place] = times.get(place, 0) + words[word]
    numbers = _free_numbers(lines)
    slots, gains = _choose(_recurring_terms(places), places, saving, price, len(numbers))
    while gains:
        result = _write(bodies, runs_of_word, slots, numbers)
        if audit(lines, result):
            return result
        # The sum of savings is true to a few tokens. Where these few decide, the least useful quarter goes.
        for term in sorted(gains, key=lambda term: (gains[term], term))[:-(-len(gains) // 4)]:
            del gains[term]
        slots = {place: kept for place, spans in slots.items() if (kept := [span for span in spans if span.term in gains])}
    return list(lines)


# Reading the lines ----------------------------------------------------------------------------------------------------------------


def _split_body(line: str) -> tuple[str, list[str]]:
    """A line as the head that stays and the words of its body, cut at single blanks; the line break is part of the last word."""
    tag, blank, _ = line.partition(" ")
    if tag not in _POINTED_TAGS or not blank:
        return line, []
    start = len(tag) + 1
    if tag == "@LOG":  # the approach is an identifier; behind its bracket pointers may stand
        start = line.find("(", start) - 1
        if start < 0:
            return line, []
        if line[start] not in _ALNUM:  # its last sign would melt with what follows; begin at the next blank
            start = line.find(" ", start) + 1 or len(line)
    words = line[start:].split(" ")
    words[-1] += "\n"
    return line[:start], words


def _runs_in(word: str) -> list[tuple[int, _Place]]:
    """The runs of a word that are long enough to hold a term, with their offsets."""
    found = []
    for match in _RUN.finditer(word):
        start, end = match.span()
        if end - start < _LEAST_LENGTH:
            continue
        left = " "
        if start:
            left = _SIGNS_AT_END.search(word, max(0, start - _CONTEXT), start)[0]
            if len(left) == start:
                left = " " + left
        right = ""
        if end < len(word) and (word[end - 1] not in _ALNUM or word[end] == "'" or word[end] > "\x7f"):
            right = _SIGNS_AND_WORD.match(word, end, end + _CONTEXT)[0]
        found.append((start, _Place(left, match[0], right)))
    return found


def _free_numbers(lines: list[str]) -> list[str]:
    """The pointers that can be given out. A number that occurs as `$N` anywhere is the text's own, also with zeros before it."""
    taken = {number.lstrip("0") for line in lines for number in re.findall(r"\$([0-9]+)", line)}
    return [f"${n}" for n in range(1, _LAST_NUMBER + 1) if str(n) not in taken]


# Which terms there are ------------------------------------------------------------------------------------------------------------


def _recurring_terms(places: dict[str, dict]) -> dict[str, dict[str, list[int]]]:
    """Every stretch of a run that occurs more than once and could pay: term -> run -> offsets.

    A stretch that always stands inside the same longer one is left out: the longer one saves more each time.
    """
    frames = _frames(places)
    counts = collections.Counter()
    for run, frame in frames.items():
        n = sum(places[run].values())
        for start, ends, _, _ in frame:
            for end in ends:
                counts[run[start:end]] += n
    terms: dict[str, dict[str, list[int]]] = {}
    hopeless = set()
    for run, frame in frames.items():
        for start, ends, longer_start, longer_ends in frame:
            for end, longer_end in zip(ends, longer_ends):
                term = run[start:end]
                n = counts[term]
                if n < 2 or term in hopeless:
                    continue
                if (
                    len(term) < _LEAST_LENGTH
                    or n * (len(term) - 2) - len(term) < _LEAST_GAIN  # were every character a token, it would not pay
                    or not term.strip(_SIGNS)
                    or counts[run[longer_start:end]] == n and longer_start < start
                    or counts[run[start:longer_end]] == n and longer_end > end
                ):
                    hopeless.add(term)
                    terms.pop(term, None)
                else:
                    terms.setdefault(term, {}).setdefault(run, []).append(start)
    return terms


def _frames(places: dict[str, dict]) -> dict[str, list[tuple]]:
    """For each run, where a term can start, where it can end then, and the next longer start and ends.

    A stretch recurs only where each two neighbouring segments of it do. Where a segment never occurs without the one before it (behind it),
    a term that starts (ends) with it is not worth a look. No term ends before a digit, which would become part of its number.
    """
    alone, together, before_digit = collections.Counter(), collections.Counter(), set()
    cuts: dict[str, list[str]] = {}
    for run, times in places.items():
        segments = _SEGMENT.findall(run)
        if len(segments) > _MOST_SEGMENTS:
            continue
        n = sum(times.values())
        if n > 1 or len(segments) > 1:
            cuts[run] = segments
        for segment in segments:
            alone[segment] += n
        for pair in zip(segments, segments[1:]):
            together[pair] += n
            if pair[1][0] in _DIGITS:
                before_digit.add(pair[0])
    frames: dict[str, list[tuple]] = {}
    room = _MOST_STRETCHES
    for run, segments in cuts.items():
        offsets = [0, *itertools.accumulate(map(len, segments))]
        pairs = [together[pair] for pair in zip(segments, segments[1:])]
        starts, ends = [0], []
        for i, n in enumerate(pairs):
            if n < alone[segments[i + 1]]:
                starts.append(offsets[i + 1])
            word_ends = segments[i][0] in _ALNUM and segments[i + 1][0] not in _ALNUM
            if (word_ends or n < alone[segments[i]] or segments[i + 1] in before_digit) and segments[i + 1][0] not in _DIGITS:
                ends.append(offsets[i + 1])
        ends.append(len(run))
        # end -> the next that could take its place. For the end of a word not that of its sign, which may better stay with what follows.
        longer = {}
        next_end = next_word_end = len(run)
        for end in reversed(ends):
            word_ends = run[end - 1] in _ALNUM
            longer[end] = next_word_end if word_ends else next_end
            next_end = end
            if word_ends:
                next_word_end = end
        breaks = [offsets[i + 1] for i, n in enumerate(pairs) if n < 2] + [len(run)]
        frame = []
        for k, start in enumerate(starts):
            reach = breaks[bisect_left(breaks, start + 1)]
            first, last = bisect_right(ends, start), bisect_right(ends, reach)
            if first < last:
                frame.append((start, ends[first:last], starts[k - 1] if k else 0, [longer[end] for end in ends[first:last]]))
                room -= last - first
        if room < 0:
            break
        frames[run] = frame
    return frames


def _around(place: _Place, start: int, end: int) -> tuple[str, str]:
    """What stands around a stretch of a run, as far as a token could reach into it: the signs and the rest of a word that is cut."""
    left, run, right = place
    if start:
        stem = run[:start]
        if run[start] in _ALNUM:
            stem = stem.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        stem = stem.rstrip(_SIGNS)
        left = run[len(stem):start] if stem else left + run[:start]
    if end < len(run):
        if run[end] in _SIGNS and run[end - 1] in _ALNUM:
            right = ""
        else:
            tail = _SIGNS_AND_WORD.match(run, end)
            right = tail[0] if tail.end() < len(run) else tail[0] + right
    return left, right


# Which terms pay ------------------------------------------------------------------------------------------------------------------


def _choose(terms: dict, places: dict[str, dict], saving: object, price: object, room: int) -> tuple[dict, dict]:
    """At most `room` terms that pay, and where they stand: (place -> spans, term -> tokens gained).

    Takes the term that adds most, again and again. What a term adds shrinks as others are taken, so a term whose figure is out of date goes
    back into the queue with its new one. At the end those go that others have made useless.
    """
    slots: dict[_Place, list] = {}
    values: dict[_Place, int] = {}
    prices = {term: price(term) for term in terms}

    def offer(term: str) -> tuple[int, list]:
        gain, news = -prices[term], []
        for run, starts in terms[term].items():
            for place, times in places[run].items():
                spans = []
                for start in starts:
                    left, right = _around(place, start, start + len(term))
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
        if hope >= _LEAST_GAIN:
            queue.append((-hope, term))
    heapq.heapify(queue)
    gains: dict[str, int] = {}
    work = _MOST_OFFERS
    while queue and len(gains) < room and work > 0:
        _, term = heapq.heappop(queue)
        gain, news = offer(term)
        work -= sizes[term] + sum(len(slots.get(place, ())) for place, _, _ in news)
        if gain < _LEAST_GAIN:
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
    return (slots, gains) if total - _MEM_TAG_COST >= _LEAST_GAIN else ({}, {})


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
        if gain < _LEAST_GAIN:
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
    known: dict[tuple, int] = {}

    def saving(left: str, term: str, right: str) -> int:
        key = left, term, right
        if key not in known:
            plain, pointed = left + term + right, f"{left}$1{right}"
            known[key] = min(count(plain) - count(pointed) for count in counts)
        return known[key]

    def price(term: str) -> int:
        return max(count(" $1=" + term) for count in counts)

    def audit(lines: list[str], result: list[str]) -> bool:
        changed = [i for i, line in enumerate(lines) if line != result[i + 1]]
        before = "\n".join(lines[i] for i in changed) + "\n"
        after = "\n".join([result[0], *(result[i + 1] for i in changed)]) + "\n"
        return all(count(after) <= count(before) for count in counts)

    return saving, price, audit


_SAFE_SIGNS = frozenset(" \"#$'()*+,-./:;<=>?@[\\_{")  # together with a dollar sign one token in both vocabularies


def _cautious_meter() -> tuple:
    """(saving, price, audit) without a vocabulary: what is certain, by the pieces that a text falls into before tokens are looked for.

    A piece is at least one token, and pieces that stay cost what they cost. So a term saves at least the number of pieces that go, less the
    most that new ones can cost. In @MEM an estimate is enough: where it is too low, the same pieces cost more at every place they go from.
    """
    known: dict[tuple, int] = {}

    def saving(left: str, term: str, right: str) -> int:
        key = left, term, right
        if key not in known:
            around = left + right
            if len(left) > _CONTEXT or len(right) >= _CONTEXT or not around.isascii() or right.startswith("'") or _CONTROL.search(around):
                known[key] = 0
            else:
                known[key] = _sure_saving(pieces(left + term + right), pieces(f"{left}$1{right}"))
        return known[key]

    return saving, lambda term: 3 + estimate("=" + term), lambda lines, result: True


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


def _write(bodies: list, runs_of_word: dict, slots: dict, numbers: list[str]) -> list[str]:
    """The @MEM line and the lines with their pointers, numbered in the order in which they first appear."""
    pointers: dict[str, str] = {}
    covers = {place: _best_cover(spans)[1] for place, spans in slots.items()}
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

    lines = []
    for head, body in bodies:
        for word in body:
            if word not in written:
                written[word] = rewrite(word) if word in runs_of_word else word
        lines.append(head + " ".join([written[word] for word in body])[:-1] if body else head)
    return [" ".join(["@MEM", *(f"{number}={term}" for term, number in pointers.items())]), *lines]
