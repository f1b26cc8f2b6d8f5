"""A commitment and a passage of a summary side by side: what is there, what is not, what is there instead, and whether the source says so too."""

from __future__ import annotations

import re
from collections import namedtuple
from functools import lru_cache

from .choices import choice
from .matching import content, partners, same_number
from .passages import last_part, plain_words, same_name, tokens
from .wording import CUE_STEMS, CUES, LIGHT_STEMS, OPPOSITES, near_stems

Change = namedtuple("Change", "verdict reason confidence")
_WITHOUT = re.compile(
    r"\b(?:no|not|never|nobody|nothing|don't|cannot|can't)\b.*\b(?:without|unless|until|except|before)\b"
)  # no X without Y asks for Y
_AFTER_BEFORE = re.compile(r"\b(?:before|until|unless)\b(.*)")
CLAUSES = re.compile(r"[;:,.]\s|\s[—–-]\s|\s(?=and\s|but\s)")


class Rule:
    """A commitment as the rules see it: its tokens, its cues, and what it weighs."""

    def __init__(self, text: str, weights: object, safety: bool = False) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.words = content(self.tokens)
        self.plain = plain_words(text)
        self.cues = dict(binding(self.plain))
        self.weights = weights
        self.scale = sum(map(weights.of, self.words)) or 1.0
        self.safety = safety
        self.ruled_out = {token.key for token in self.words if token.negated}
        self.statuses = self._statuses()
        self.double = bool(_WITHOUT.search(self.plain))
        self.choice = None if self.double else choice(text)
        behind = _AFTER_BEFORE.search(self.plain)
        self.conditional = {token.key for token in tokens(behind[1])} if behind else set()  # of `X before Y`, the words of Y

    def _statuses(self) -> list:
        """(status, content tokens) of each clause that has one; a clause without subject goes with all that stands before it."""
        found, before = [], []
        for clause in CLAUSES.split(self.text):
            here = content(tokens(clause))
            before = before + here
            status = status_of(binding(plain_words(clause)))
            if status:
                found.append((status, before))
        return found

    def add_cues(self, cues: dict) -> None:
        """Cues of the sentence of the source that the commitment comes from: what is soft there is not softened by the summary."""
        for name in ("hedge", "permit", "broaden", "cancel", "vague"):
            if name in cues:
                self.cues[name] = self.cues.get(name, frozenset()) | cues[name]

    @property
    def binds(self) -> bool:
        return bool(self.cues.keys() & {"forbid", "restrict", "require"}) or any(token.negated for token in self.words)


# Cues are looked for in this order, and what one has taken the next does not see: `may not` is no permission.
_ORDER = ("cancel", "widen", "forbid", "restrict", "broaden", "hedge", "permit", "require")
_SEPARATE = ("condition", "some", "vague", "open", "done", "reject", "adopt")


@lru_cache(maxsize=1 << 12)
def binding(plain: str) -> dict:
    """The cues of a sentence, those that are part of a longer cue left out. Not to be changed."""
    found = {}
    rest = plain
    for name in _ORDER:
        if name in ("restrict", "broaden"):  # may stand inside one another: `not outside`
            hits = CUES[name].findall(rest)
        else:
            hits = CUES[name].findall(rest)
            rest = CUES[name].sub(" _ ", rest)
        if hits:
            found[name] = frozenset(hits)
    for name in _SEPARATE:
        if hits := CUES[name].findall(plain):
            found[name] = frozenset(hits)
    return found


def status_of(cues: dict) -> str:
    """ "open" or "done"; what is both is open (`still has to be merged`)."""
    return "open" if "open" in cues else "done" if "done" in cues else ""


class Context:
    """The two texts, what they weigh, and what ever stood in the source."""

    def __init__(self, index: object, source: object, weights: object, in_source: object) -> None:
        self.index, self.source, self.weights, self.in_source = index, source, weights, in_source


class Beside:
    """A passage of the summary beside a rule: what of the rule is there, what is not, and what is there instead."""

    def __init__(self, rule: Rule, match: object, context: Context, others: list = ()) -> None:
        index, in_source = context.index, context.in_source
        self.match = match
        self.tokens = match.tokens
        self.words = content(self.tokens)
        self.plain = plain_words(index.text[match.start : match.end])
        self.cues = binding(self.plain)
        self.double = bool(_WITHOUT.search(self.plain))
        self.binds = bool(self.cues.keys() & {"forbid", "restrict", "require", "reject"}) or any(token.negated for token in self.words)
        self.in_source = in_source
        self.missing = match.missing
        self.nowhere = [token for token in match.missing if all(each.hits[token.kind, token.key] < 0.55 for each in others or (match,))]
        self.added = [token for token in self.words if not any(stands_for(token, other) for other in rule.words)]
        opposed = {before.key for before, _ in opposites(rule, self)}
        self.context = context
        total = sum(map(rule.weights.of, self.words)) or 1.0
        self.mutual = 1 - sum(rule.weights.of(token) for token in self.added if token.key not in CUE_STEMS) / total
        rivals = [
            token
            for token in self.missing
            if token.kind == "name" and any(other.kind == "name" and name_shape(other.key) == name_shape(token.key) for other in self.added)
        ]
        self.topic = (
            match.own
            + 0.5 * sum(map(rule.weights.of, rivals)) / rule.scale
            + 0.6 * sum(rule.weights.of(token) for token in rule.words if token.key in opposed) / rule.scale
        )

    def choice(self) -> object:
        """What the passage takes and turns down, if it tells of both; with what a semicolon joins to it."""
        text, passages, place = self.context.index.text, self.context.index.passages, self.match.place
        start, end = self.match.start, self.match.end
        if place and text[passages[place - 1].end - 1] == ";":
            start = min(start, passages[place - 1].start)
        if text[end - 1] == ";" and place + 1 < len(passages):
            end = max(end, passages[place + 1].end)
        return choice(text[start:end])

    def clauses(self) -> list:
        """(plain text, tokens, cues) of each clause of the passage."""
        return _clauses(self.context.index.text[self.match.start : self.match.end])

    def supported(self, value: object) -> bool:
        """Whether the source has a value, and says it in a passage about the same."""
        return (value.kind == "word" or self.in_source(value)) and any(
            token.kind == value.kind and (same_number(token.key, value.key) if value.kind == "number" else same_name(token.key, value.key))
            for match in partners(self.words, self.context.source, self.context.weights, 4)
            if match.own >= 0.4
            for token in match.tokens
        )

    def source_negates(self) -> bool:
        """Whether the source negates the same words as the passage."""
        negated = [token for token in self.words if token.negated]
        return any(
            match.own >= 0.6 and any(token.negated and token.key == negated[0].key for token in match.tokens)
            for match in partners(negated, self.context.source, self.context.weights, 4)
        )

    def source_says(self, key: str, negated: bool) -> bool:
        """Whether the source has a word, so negated, in a passage about the same."""
        return any(
            token.key == key and token.negated == negated
            for match in partners(self.words, self.context.source, self.context.weights, 4)
            if match.own >= 0.4
            for token in match.tokens
        )


@lru_cache(maxsize=1 << 12)
def _clauses(text: str) -> list:
    return [(plain_words(clause), tokens(clause), binding(plain_words(clause))) for clause in CLAUSES.split(text)]


_TELLING = frozenset(("cancel", "widen", "forbid", "permit", "broaden", "hedge", "some", "vague", "reject", "adopt"))


def faithful(there: Beside, context: Context) -> bool:
    """Whether the source says the passage in nearly the same words, what is new in it too: then it is no error, whatever commitment it
    seems to contradict."""
    kinds = there.cues.keys() & _TELLING
    new = [token for token in there.added if token.key not in LIGHT_STEMS and token.key not in CUE_STEMS]
    negated = {token.key for token in there.words if token.negated}
    for match in partners(there.words, context.source, context.weights, 4):
        if match.own < 0.6:
            continue
        said = plain_words(context.source.text[match.start : match.end])
        cues = binding(said)
        if any(bound.search(there.plain) and not bound.search(said) for bound in (UP_TO, FROM_ON)):
            continue
        missing = {token.key for token in match.missing}
        if kinds - cues.keys() or status_of(there.cues) not in ("", status_of(cues)) or any(token.key in missing for token in new):
            continue
        signs = {token.key: token.negated for token in match.tokens}
        if all(signs.get(token.key, token.negated) == token.negated for token in there.words) and negated <= {
            key for key, sign in signs.items() if sign
        }:
            return True
    return False


UP_TO = re.compile(r"\b(?:at most|(?:no|not) more than|up to|max(?:imum)?|cap(?:ped)?|limit(?:ed)?|or (?:less|fewer)|exceed)\b")
FROM_ON = re.compile(r"\b(?:at least|(?:no|not) (?:less|fewer) than|min(?:imum)?|or more)\b")


def stands_for(a: object, b: object) -> bool:
    """Whether one token can stand for another."""
    if a.kind == "number" or b.kind == "number":
        return a.kind == b.kind and same_number(a.key, b.key)
    if a.key == b.key or a.kind == "name" and b.kind == "name" and same_name(a.key, b.key):
        return True
    return not near_stems(a.key).isdisjoint(near_stems(b.key))


def opposites(rule: Rule, there: Beside) -> list:
    """Pairs (word of the rule that is gone, its opposite that came)."""
    added = {token.key: token for token in there.added}
    gone = {token.key: token for token in rule.words if token.key not in {other.key for other in there.words}}
    return [
        (token, added[key])
        for token in gone.values()
        for key in sorted(OPPOSITES.get(token.key, ()))
        if key in added and added[key].negated == token.negated
    ]


def name_shape(name: str) -> tuple:
    """The name_shape of a name: which signs it has, whether digits."""
    return tuple(sign in name for sign in "/._-:@#") + (any(map(str.isdigit, name)),)


def alike(a: str, b: str) -> bool:
    """Whether two different names are likely meant as one: a common beginning or end of half the longer, or the same characters but a few."""
    if same_name(a, b):
        return False
    head = _common(a, b)
    tail = _common(a[::-1], b[::-1])
    if last_part(a) == last_part(b) and len(last_part(a)) > 4:
        return True
    if len(a) > 5 and "".join(filter(str.isalnum, a)) == "".join(filter(str.isalnum, b)):
        return True
    longest = max(len(a), len(b))
    return longest > 3 and (head + tail >= 0.6 * longest or len(a) == len(b) and len(a) > 5 and sorted(a) == sorted(b))


def _common(a: str, b: str) -> int:
    n = 0
    for x, y in zip(a, b):
        if x != y:
            break
        n += 1
    return n


CONDITION = re.compile(r"[^a-z]*(?:after|once|when|if|until|unless|before|as soon as)\b")
DEFECT = re.compile(r"\b(?:bug|problem|issue|root cause|defect|because|wasn't|didn't)\b")  # what goes wrong is told there, not what is to be
