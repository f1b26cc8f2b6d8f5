"""A claim of a summary beside what is known about the same: the source in its order, the rest of the summary, and the commitments.

Each look takes one thing that a clause claims (how many, a denial, a limit, a hedge, a word that has an opposite, the value of a label) and
asks every sentence about the same whether it says so too, says otherwise, or does not speak of it. Nobody says so, and one says otherwise:
the claim is wrong. Some say so, and the last word is another: it is out of date. New words alone are no error.
"""

from __future__ import annotations

import re
from collections import namedtuple

from .beside import DEFECT, name_shape
from .choices import choice
from .matching import TextIndex, content, near_places
from .passages import plain_words, tokens
from .wording import CUE_STEMS, CUES, LIGHT_STEMS, OPPOSITES, near_stems, stem

Otherwise = namedtuple("Otherwise", "claim kind reason confidence")
Asked = namedtuple("Asked", "what used answer kind late shared about words", defaults=(0.5, None))
Asked.__doc__ = """One thing that a clause claims: its words, the keys of the words that carry it, `answer(sentence)` (True: says so too, False:
says otherwise, None: does not speak of it), the verdict if it is wrong, whether a later sentence can overrule an earlier one, how many words a
sentence about the same shares at least and what share of their weight, and the words that tell what it is about (None: all others)."""
Known = namedtuple("Known", "place tokens keys plain text sure")
Known.__doc__ = """A sentence about the same: its place in time (commitments hold last, the summary's own come first), its tokens, their keys, its
plain text, its text, and whether it is a commitment."""

OF_HEADS = 0.25  # what the words of its headings add to it at most
AS_GOOD = 0.15  # a sentence that holds so much less than another is no witness against it
KNOWN_AT_MOST = 8
_CLAUSES = re.compile(
    r"[;:]\s|\s[—–-]\s|\s\(|\)|,\s(?=and\b|but\b|so\b|with\b|which\b|no\b)|\s(?=and were |and was |and then |but |so that |because )"
)
_NO = re.compile(r"\bnon-|\b(?:not|no|never|without|cannot|nothing|none|neither|nor)\b|n't\b")
_SOFT_NO = re.compile(
    r"\b(?:avoid\w*|stop\w*|skip\w*|refus\w+|forbid\w*|prohibit\w*|exclud\w+|omit\w*|reject\w*|remov\w+|drop\w*|instead|rather|unless|except|"
    r"declin\w+|no longer)\b"
)
_NOT_DONE = re.compile(r"\byet\b|\bha(?:d|s|ve)(?:n't| not)\b|\bnot been\b|\bneeds? to\b|\bstill\b|\bverify\b")
_DENIES = re.compile(
    r"(?<!but )(?<!, )(?:\b(?:not|never|cannot|nor|non|is no|are no|no longer)|n't)[ -]"
    r"(?:(?:be|been|being|to|the|a|an|any|get|have|has|even|ever|also) )*([a-z][\w.-]{2,40})"
)
_IN_MARKS = re.compile(r"[\"“>]")
_IN_PLACE_OF = re.compile(r"\b(?:instead of|rather than) (\S+(?: \S+){0,4})")


class Knowledge:
    """What the claims of a summary are held against. `source`, `summary` and `commitments` are indexes; the last may be empty."""

    def __init__(self, source: TextIndex, summary: TextIndex, commitments: TextIndex, weights: object) -> None:
        self.weights = weights
        self.indexes = ((source, 0), (summary, -len(summary.passages)), (commitments, len(source.passages)))
        self.summary, self.commitments = summary, commitments
        self._seen: dict = {}
        self.denied = [_denials(index) for index, _ in self.indexes]

    def about(self, words: list, here: int) -> list:
        """The sentences about these words, but the one of the summary at a place."""
        found = []
        for index, shift in self.indexes:
            for place in near_places(words, index, self.weights, KNOWN_AT_MOST):
                if (index is not self.summary or place != here) and index.passages[place].kind != "code":
                    found.append(self._known(index, place, shift))
        return found

    def deniers(self, keys: set, here: int) -> list:
        """The sentences that deny one of these words."""
        found = []
        for (index, shift), denied in zip(self.indexes, self.denied):
            places = [
                place
                for key in sorted(keys & denied.keys(), key=lambda key: (len(denied[key]), key))
                for place in denied[key][-KNOWN_AT_MOST:]
            ]
            for place in list(dict.fromkeys(places))[: 2 * KNOWN_AT_MOST]:
                if index is not self.summary or place != here:
                    found.append(self._known(index, place, shift))
        return found

    def _known(self, index: TextIndex, place: int, shift: int) -> Known:
        number = place + shift
        if number not in self._seen:
            text, found = index.words_at(place), index.tokens_at(place)
            self._seen[number] = Known(number, found, {token.key for token in found}, plain_words(text), text, index is self.commitments)
        return self._seen[number]


def _denials(index: TextIndex) -> dict:
    """stem -> the passages that deny a word with this stem: the one behind a negation."""
    found: dict = {}
    for place, passage in enumerate(index.passages):
        if passage.kind != "code" and (plain := index.text[passage.start : passage.end]) and _NO.search(plain):
            for word in _DENIES.findall(plain_words(plain)):
                found.setdefault(stem(word), []).append(place)
    return found


def otherwise(place: int, text: str, knowledge: Knowledge, stands: object) -> list:
    """What is known otherwise of a sentence of the summary, the surest first. `stands(plain)` tells whether the source has these very words."""
    found = []
    above = {token.key: token for near in knowledge.summary.heads_of(place) for token in content(knowledge.summary.tokens_at(near))}
    for clause in dict.fromkeys([*_CLAUSES.split(text), text]):
        claim = tokens(clause)
        words = [token for token in content(claim) if token.key not in CUE_STEMS or token.key in _OPPOSITE]
        if not 1 < len(words) <= 24:
            continue
        plain = plain_words(clause)
        flags, about = [], None
        for each in [each for look in _CLAIM_LOOKS for each in look(claim, plain, clause)]:
            if each.words is None and about is None:
                about = knowledge.about(words, place)
            known = about if each.words is None else knowledge.about(each.words, place)
            flags.append(_judged(each, words, above, known, knowledge, clause))
        if clause is not text or not any(flags):
            for each in _affirmed(claim, plain, clause):
                against = knowledge.deniers({token.key for token in words}, place)
                if any(each.answer(known) is False for known in against):
                    known = against + (about or knowledge.about(words, place))
                    flags.append(_judged(each, words, above, known, knowledge, clause))
        flags = [flag for flag in flags if flag]
        found += flags if flags and not stands(clause) else [flag for flag in flags if flag.kind == "temporal_error" and not _IN_MARKS.search(text)]
    return sorted(found, key=lambda flag: -flag.confidence)


def _judged(asked: Asked, words: list, above: dict, known: list, knowledge: Knowledge, clause: str) -> Otherwise | None:
    """What the sentences about the same say to one thing that a clause claims. `above` are the words of the headings: a sentence that has them
    too is the more about the same."""
    rest = [token for token in asked.words or words if token.key not in asked.used]
    scale = sum(map(knowledge.weights.of, rest))
    if not scale:
        return None
    yes, no = [], []
    for each in known:
        shared = [token for token in rest if token.key in each.keys]
        heads = [token for key, token in above.items() if key in each.keys and key not in asked.used and token not in shared]
        own = min(1.0, sum(map(knowledge.weights.of, shared)) / scale + min(OF_HEADS, sum(map(knowledge.weights.of, heads)) / scale))
        if own >= OF_HEADS and shared and sum(token.key not in LIGHT_STEMS for token in shared + heads) >= asked.shared:
            said = asked.answer(each)
            if said if own < asked.about * (0.6 if each.sure else 1) else said is not None:
                (yes if said else no).append((own, each.place, each))
    if not no:
        return None
    most, _, against = max(no, key=lambda vote: (vote[0], vote[1]))
    alike = [vote for vote in yes if vote[0] >= most - AS_GOOD or vote[2].sure]
    if alike:  # it was so once: the last word counts, and a commitment is one
        last = max(alike, key=lambda vote: vote[1])
        later = [vote for vote in no if vote[1] > last[1] and (vote[2].sure or vote[0] >= max(each[0] for each in alike) - AS_GOOD / 3)]
        if not asked.late or not later:
            return None
        against = later[-1][2]
    said = "the commitment" if against.sure else "the summary itself" if against.place < 0 else "the source"
    kind = "temporal_error" if alike else asked.kind
    return Otherwise(
        clause.strip(),
        kind,
        f"`{asked.what}`: {said} says `{' '.join(against.text.split())[:120]}`",
        round(0.58 + 0.24 * most - 0.06 * bool(alike), 2),
    )


# ---- the looks: (tokens of a clause, its plain text, the clause) -> what to ask

_NUMBERED = """bug step task item section message phase version line scenario caveat option issue pr number prompt commit level part figure
table"""
_LABELS = frozenset(map(stem, _NUMBERED.split()))


def counts(found: list) -> list:
    """(number, thing counted, the two words before, the words near it) of each count in a sentence: `8 caveats`; but not `step 3` or `line 40`."""
    out = []
    words = [token for token in found if token.kind != "stop"]
    for at, token in enumerate(words):
        if token.kind != "number" or token.key[1] or (place := found.index(token)) and found[place - 1].key in _LABELS:
            continue
        thing = next(
            (other for other in words[at + 1 : at + 4] if other.kind == "word" and other.text[-1] in "sS" and other.text[-2:] != "ss"), None
        )
        if thing and not any(other.kind == "number" for other in words[at + 1 : words.index(thing)]):
            near = [other for other in words[max(0, at - 1) : words.index(thing) + 1] if other.kind != "number"]
            out.append((token, thing, tuple(other.key for other in words[max(0, at - 2) : at]), near))
    return out


def _counted(claim: list, plain: str, clause: str) -> list:
    """How many there are."""
    asked = []
    for number, thing, before, near in counts(claim):
        for about, words, alike in (
            (0.5, None, lambda it, lead, thing=thing: it.key == thing.key),
            (0.8, near, lambda it, lead, thing=thing: it.key == thing.key),
            (0.35, None, lambda it, lead, before=before: len(before) == 2 and lead == before),
        ):

            def answer(known: Known, number: object = number, alike: object = alike) -> bool | None:
                if any(token.kind == "number" and token.key[0] == number.key[0] for token in known.tokens):
                    return True
                return False if any(alike(it, lead) for _, it, lead, _ in counts(known.tokens)) else None

            asked.append(Asked(f"{number.text} {thing.text}", {number.key}, answer, "mutation", True, 2, about, words))
    return asked


_LABELLED = re.compile(
    r"[-*|\s]{0,12}([A-Z][\w/-]{1,30}(?: [\w/&-]{1,20}){0,3})\*{0,2}\s?[:|]\*{0,2}[^\w(]{0,6}(\w[^(|:.;,—–\n]{0,40})(?:[(|:;,—–\n]|\.?\s{0,3}\Z)"
)


def _label(text: str) -> tuple:
    """(tokens of the label, of its value) of `Tests: PASS` or of a row of a table; empty where there is none, or the value is a sentence."""
    found = _LABELLED.match(text)
    if not found:
        return (), ()
    name, value = content(tokens(found[1])), content(tokens(found[2]))
    return (name, value) if name and 0 < len(value) <= 3 else ((), ())


def _labelled(claim: list, plain: str, clause: str) -> list:
    """The value that a label has."""
    name, value = _label(clause)
    if not name or all(token.key in LIGHT_STEMS for token in name):
        return []
    keys, here = {token.key for token in name}, {token.key for token in value}

    def answer(known: Known) -> bool | None:
        its, _ = _label(known.text)
        if {token.key for token in its} != keys:
            return True if here <= known.keys else None
        return not here.isdisjoint(known.keys)

    kind = "polarity_flip" if here & _OUTCOMES else "scope_error"
    return [Asked(" ".join(token.text for token in value), here, answer, kind, True, 1, 0.9, name)]


_OUTCOMES = frozenset(
    map(stem, "pass fail approve reject yes no on off enabled disabled true false success error allow deny required optional".split())
)


_SEQUENCE = re.compile(r"\S+(?:\s?(?:→|->| then |, then )\s?(?:[a-z]{1,8} )?\S+)+")


def _ordered(claim: list, plain: str, clause: str) -> list:
    """What comes after what: `#1 → #2 → #3`."""
    found = _SEQUENCE.search(clause)
    order = [token.key for token in tokens(found[0]) if token.kind != "word" and token.kind != "stop"] if found else []
    if len(order) < 2 or len(set(order)) < len(order):
        return []

    def answer(known: Known) -> bool | None:
        there = [token.key for token in known.tokens if token.key in order]
        if len(there) < max(2, len(order) - 1) or len(set(there)) < len(there):
            return None
        return there == [key for key in order if key in there]

    return [Asked(found[0].strip(), set(), answer, "mutation", True, 2, 0.5)]


def _changed_places(claim: list, plain: str, clause: str) -> list:
    """Which of two things of one form comes first: `JSONL here, JSON there`."""
    names = list(dict.fromkeys(token.key for token in claim if token.kind == "name"))
    asked = []
    for one, other in zip(names, names[1:]):
        ending, there = one.rpartition(".")[2], other.rpartition(".")[2]
        if ending != there if "." in one + other else name_shape(one) != name_shape(other):
            continue

        def answer(known: Known, one: str = one, other: str = other) -> bool | None:
            order = [token.key for token in known.tokens if token.key in (one, other)]
            return order == [one, other] if len(order) == 2 and one in order and other in order else None

        asked.append(Asked(f"{one} before {other}", set(), answer, "scope_error", False, 2, 0.6))
    return asked


def _denied(claim: list, plain: str, clause: str) -> list:
    """That a thing is not, or is not done."""
    if not _NO.search(plain) or _SOFT_NO.search(plain) or _NOT_DONE.search(plain):
        return []
    gone = {token.key for token in claim if token.negated and token.kind != "stop"}

    def answer(known: Known) -> bool | None:
        shared = [token for token in known.tokens if token.key in gone and token.kind != "stop"]
        if not shared:
            return None
        if any(token.negated for token in shared) or _NO.search(known.plain) or _SOFT_NO.search(known.plain):
            return True
        return False if len({token.key for token in shared}) > 1 or any(token.kind == "name" for token in shared) else None

    return [Asked(_NO.search(plain)[0], set(), answer, "polarity_flip", False, 2)] if gone else []


def _affirmed(claim: list, plain: str, clause: str) -> list:
    """That a thing is, or is done, without any negation."""
    if _NO.search(plain) or _SOFT_NO.search(plain):
        return []
    keys = {token.key for token in claim if token.kind != "stop"}
    names = {token.key for token in claim if token.kind == "name"}

    def answer(known: Known) -> bool | None:
        shared = keys & known.keys
        if not _NO.search(known.plain):
            return True if len(shared) > 1 else None
        denied = {stem(word) for word in _DENIES.findall(known.plain)} & keys
        if not denied:
            return None if any(token.negated for token in known.tokens if token.key in keys) else True
        return False if len(shared) > 2 or len(shared) == 2 and names & shared else None

    return [Asked("it is so", set(), answer, "polarity_flip", False, 2)]


def _instead(claim: list, plain: str, clause: str) -> list:
    """What something is done instead of."""
    found = _IN_PLACE_OF.search(plain)
    left = [token.key for token in tokens(found[1]) if token.kind != "stop"][:1] if found else []
    if not left or left[0] in LIGHT_STEMS or DEFECT.search(plain):
        return []

    def answer(known: Known) -> bool | None:
        signs = [token.negated for token in known.tokens if token.key == left[0]]
        return any(signs) or (False if signs and known.sure else None)  # that it was so before is no surprise

    return [Asked(found[0].strip(), set(), answer, "temporal_error", True, 2)]


# Words whose opposite contradicts them wherever they stand; of most pairs both can be true of one thing (`first` and `last`, `client` and `server`).
_CONTRARY = """automatic manual synchronous asynchronous sync async internal external required optional mandatory strict lenient minimum maximum
absolute relative encrypted plaintext blocking nonblocking safe unsafe valid invalid active inactive permanent temporary online offline mutable
immutable ascending descending primary secondary immediate deferred eager lazy cached uncached signed unsigned verified unverified allow forbid
permit prohibit enable disable include exclude approve reject accept increase decrease always never"""
_OPPOSITE = {key: frozenset(OPPOSITES[key]) for key in map(stem, _CONTRARY.split()) if key in OPPOSITES}


def _opposite(claim: list, plain: str, clause: str) -> list:
    """A word that has an opposite."""
    keys, asked = {token.key for token in claim}, []
    for token in claim:
        others = _OPPOSITE.get(token.key, frozenset())
        if token.kind != "word" or not others or others & keys:
            continue

        def answer(known: Known, token: object = token, others: set = others) -> bool | None:
            if token.key in known.keys or any(
                not near_stems(token.key).isdisjoint(near_stems(key)) for key in known.keys if type(key) is str
            ):
                return True
            there = [other for other in known.tokens if other.key in others]
            return any(other.negated != token.negated for other in there) if there else None

        asked.append(Asked(token.text, {token.key}, answer, "polarity_flip", True, 2))
    return asked


def _chosen(claim: list, plain: str, clause: str) -> list:
    """What is taken, and what is turned down for it."""
    told = choice(clause)
    if not told or DEFECT.search(plain):
        return []

    def answer(known: Known) -> bool | None:
        other = choice(known.text)
        if not other or told.taken & other.taken and told.out & other.out:
            return True if other else None
        return False if told.taken & other.out and told.out & other.taken else None

    return [Asked(" ".join(clause.split())[:60], set(), answer, "temporal_error", False, 2, 0.35)]


_ONLY = re.compile(r"\b(?:only|just|solely|exclusively)\b")
_EVERY = re.compile(r"\b(?:all|every|each|any|both)\b")
_NEVER_NOT = re.compile(r"\b(?:all|every|each|always|never|both|none|no)\b")
_PARTLY = re.compile(r"\b(?:not (?:always|all|every)|some of|some|several|usually|mostly|often|sometimes|partly|most|occasionally)\b")
_PERHAPS = re.compile(r"\b(?:may|might|maybe|could|perhaps|possibly)\b(?! not)")
_NO_HEDGE = frozenset(
    "should|ought|likely|worth|considered|encouraged|favor|favour|preference|customary|suggested|suggest|recommended|recommend|prefer|preferred|"
    "expected to|meant to|intended to|supposed to|by default|as a rule|low priority|reasonable|helpful to".split("|")
)


def _limited(claim: list, plain: str, clause: str) -> list:
    """That it holds of one thing only."""
    if not _ONLY.search(plain) or _EVERY.search(plain):
        return []

    def answer(known: Known) -> bool | None:
        return True if _ONLY.search(known.plain) else False if _EVERY.search(known.plain) else None

    return [Asked("only", set(), answer, "scope_error", True, 2)]


def _in_part(claim: list, plain: str, clause: str) -> list:
    """That it holds of a part, or not always."""
    partly = _PARTLY.search(plain)

    def answer(known: Known) -> bool | None:
        return True if _PARTLY.search(known.plain) else False if _NEVER_NOT.search(known.plain) else None

    return [Asked(partly[0], set(), answer, "weakening", False, 2)] if partly else []


def hedges(plain: str) -> set:
    """What makes a sentence less than certain."""
    return (set(CUES["hedge"].findall(plain)) | set(_PERHAPS.findall(plain))) - _NO_HEDGE


def _hedged(claim: list, plain: str, clause: str) -> list:
    """That it is so perhaps, or about so."""
    found = hedges(plain)
    if not found:
        return []
    return [Asked(min(found), set(), lambda known: bool(hedges(known.plain)) or "?" in known.text, "weakening", False, 2)]


_CLAIM_LOOKS = (_counted, _labelled, _ordered, _changed_places, _chosen, _denied, _instead, _opposite, _limited, _in_part, _hedged)


def turned(plain: str, said: str) -> str:
    """The verdict that two lines alike differ by."""
    if bool(_NO.search(plain)) != bool(_NO.search(said)):
        return "polarity_flip"
    if any(_ONLY.search(a) and not _ONLY.search(b) and _EVERY.search(b) for a, b in ((plain, said), (said, plain))):
        return "scope_error"
    return "weakening" if hedges(plain) - hedges(said) else "mutation"
