"""Which terms recur in the lines of a snapshot: names, and the parts of names and paths between two edges (signs, a change to upper case).

A text is seen as runs of identifier characters, each distinct run once, with the places that it stands in and how often.
"""
from __future__ import annotations

import collections
import itertools
import re
from bisect import bisect_left, bisect_right

LEAST_TERM_LENGTH = 4  # characters
LEAST_POINTER_GAIN = 3  # tokens that a pointer saves in the whole text, its entry in @MEM paid: it costs the reader a look-up

# What keeps the work linear; only made-up texts come near.
_MOST_SEGMENTS = 64  # a run with more edges is a blob (base64, minified code), not a name
_MOST_STRETCHES = 400_000  # stretches of runs that are looked at
TERM_CONTEXT = 12  # characters outside a run that are looked at

_SIGNS = "_./:-"
_DIGITS = frozenset("0123456789")
_ALNUM = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_RUN = re.compile(r"(?:[A-Za-z0-9_./]|-(?!>)|:(?!=))+")  # characters of identifiers, but no part of an operator
_SEGMENT = re.compile(r"[_./:-]+|[A-Z0-9]+[a-z0-9]*|[a-z0-9]+")
_SIGNS_AT_END = re.compile(r"[^A-Za-z0-9]*\Z")
_SIGNS_AND_WORD = re.compile(r"[^A-Za-z0-9]*[A-Za-z0-9]*")
_POINTED_TAGS = frozenset(("@CTX", "@ARCH", "@LOG", "@SIG", "@NEXT"))

Place = collections.namedtuple("Place", "left run right")  # a run, the signs before it, and what behind it a token could take in


def places_of_runs(lines: object) -> tuple[dict, dict]:
    """(word -> its runs with their offsets, run -> place -> how often it stands there) for the words of all lines in which something recurs."""
    words = collections.Counter()
    for line in lines:
        words.update([word for word in split_body(line)[1] if len(word) >= LEAST_TERM_LENGTH])
    recurs = _recurring_segments(words)
    runs_of_word = {word: found for word in words if (found := [run for run in _runs_in(word) if _may_hold_term(run[1].run, recurs)])}
    places: dict[str, dict] = {}
    for word, found in runs_of_word.items():
        for _, place in found:
            times = places.setdefault(place.run, {})
            times[place] = times.get(place, 0) + words[word]
    return runs_of_word, places


def _recurring_segments(words: dict[str, int]) -> set[str]:
    """The segments that occur more than once. Numbers and hashes that never come again are most of the words of a long text: what is kept
    for each place would take twenty times their size."""
    once, recurs = set(), set()
    for word, n in words.items():
        for run in _RUN.findall(word):
            for segment in _SEGMENT.findall(run):
                if n > 1 or segment in once:
                    recurs.add(segment)
                else:
                    once.add(segment)
    return recurs


def _may_hold_term(run: str, recurs: set[str]) -> bool:
    """Whether segments that recur stand side by side in a run for the length of a term."""
    length = 0
    for segment in _SEGMENT.findall(run):
        length = length + len(segment) if segment in recurs else 0
        if length >= LEAST_TERM_LENGTH:
            return True
    return False


def split_body(line: str) -> tuple[str, list[str]]:
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


def _runs_in(word: str) -> list[tuple[int, Place]]:
    """The runs of a word that are long enough to hold a term, with their offsets."""
    found = []
    for match in _RUN.finditer(word):
        start, end = match.span()
        if end - start < LEAST_TERM_LENGTH:
            continue
        left = " "
        if start:
            left = _SIGNS_AT_END.search(word, max(0, start - TERM_CONTEXT), start)[0]
            if len(left) == start:
                left = " " + left
        right = ""
        if end < len(word) and (word[end - 1] not in _ALNUM or word[end] == "'" or word[end] > "\x7f"):
            right = _SIGNS_AND_WORD.match(word, end, end + TERM_CONTEXT)[0]
        found.append((start, Place(left, match[0], right)))
    return found


def recurring_terms(places: dict[str, dict]) -> dict[str, dict[str, list[int]]]:
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
                    len(term) < LEAST_TERM_LENGTH
                    or n * (len(term) - 2) - len(term) < LEAST_POINTER_GAIN  # were every character a token, it would not pay
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


def around_stretch(place: Place, start: int, end: int) -> tuple[str, str]:
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
