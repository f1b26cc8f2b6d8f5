"""What happened to one commitment in a summary: kept, weakened, changed, flipped, misplaced, out of date, or gone.

The rules stand in the order of `_LOOKS`; each looks at one passage beside the commitment and gives a finding or None. The first finding on
the passages that speak of it decides; without one the share of its words that the summary holds does.
"""
from __future__ import annotations

import re
from collections import namedtuple

from .matching import content, partners, same_number
from .passages import last_part, plain_words, same_name, tokens
from .wording import CLASS_NOUNS, CUE_STEMS, CUES, LIGHT_STEMS, NEGATORS, OPPOSITES, ORDER_WORDS, near_stems, stem

VERDICTS = ("kept", "weakening", "mutation", "polarity_flip", "scope_error", "temporal_error", "omission", "safety_erasure", "uncertain")

# Worst first, as a person should see them.
SEVERITY = ("safety_erasure", "polarity_flip", "temporal_error", "mutation", "scope_error", "omission", "weakening", "uncertain", "kept")

Change = namedtuple("Change", "verdict reason confidence")
Judged = namedtuple("Judged", "verdict reason confidence match")

KEPT_FROM = 0.53  # share of a commitment's weight that must be there
WEAKENED_FROM = 0.40
SPEAKS_OF_FROM = 0.28  # a passage with less has another subject


_WITHOUT = re.compile(r"\b(?:no|not|never|nobody|nothing|don't|cannot|can't)\b.*\b(?:without|unless|until|except|before)\b")  # no X without Y asks for Y
_AFTER_BEFORE = re.compile(r"\b(?:before|until|unless)\b(.*)")


class Rule:
    """A commitment as the rules see it: its tokens, its cues, and what it weighs."""

    def __init__(self, text: str, weights: object, safety: bool = False) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.words = content(self.tokens)
        self.plain = plain_words(text)
        self.cues = binding(self.plain)
        self.weights = weights
        self.scale = sum(map(weights.of, self.words)) or 1.0
        self.safety = safety
        self.ruled_out = {token.key for token in self.words if token.negated}
        self.statuses = self._statuses()
        self.double = bool(_WITHOUT.search(self.plain))
        behind = _AFTER_BEFORE.search(self.plain)
        self.conditional = {token.key for token in tokens(behind[1])} if behind else set()  # of `X before Y`, the words of Y

    def _statuses(self) -> list:
        """(status, content tokens) of each clause that has one; a clause without subject goes with all that stands before it."""
        found, before = [], []
        for clause in _CLAUSES.split(self.text):
            here = content(tokens(clause))
            before = before + here
            status = _status(binding(plain_words(clause)))
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


def binding(plain: str) -> dict:
    """The cues of a sentence, those that are part of a longer cue left out."""
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
        self.plain = plain_words(index.text[match.start:match.end])
        self.cues = binding(self.plain)
        self.double = bool(_WITHOUT.search(self.plain))
        self.binds = bool(self.cues.keys() & {"forbid", "restrict", "require", "reject"}) or any(token.negated for token in self.words)
        self.in_source = in_source
        self.missing = match.missing
        self.nowhere = [token for token in match.missing if all(each.hits[token.kind, token.key] < 0.55 for each in others or (match,))]
        self.added = [token for token in self.words if not any(_stands_for(token, other) for other in rule.words)]
        opposed = {before.key for before, _ in _opposites(rule, self)}
        self.context = context
        total = sum(map(rule.weights.of, self.words)) or 1.0
        self.mutual = 1 - sum(rule.weights.of(token) for token in self.added if token.key not in CUE_STEMS) / total
        rivals = [token for token in self.missing if token.kind == "name" and any(other.kind == "name" and _form(other.key) == _form(token.key) for other in self.added)]
        self.topic = match.own + 0.5 * sum(map(rule.weights.of, rivals)) / rule.scale + 0.6 * sum(rule.weights.of(token) for token in rule.words if token.key in opposed) / rule.scale

    def clauses(self) -> list:
        """(plain text, tokens, cues) of each clause of the passage."""
        text = self.context.index.text[self.match.start:self.match.end]
        return [(plain_words(clause), tokens(clause), binding(plain_words(clause))) for clause in _CLAUSES.split(text)]

    def supported(self, value: object) -> bool:
        """Whether the source has a value, and says it in a passage about the same."""
        return (value.kind == "word" or self.in_source(value)) and any(
            token.kind == value.kind and (same_number(token.key, value.key) if value.kind == "number" else same_name(token.key, value.key))
            for match in partners(self.words, self.context.source, self.context.weights, 4) if match.own >= 0.4 for token in match.tokens)

    def source_negates(self) -> bool:
        """Whether the source negates the same words as the passage."""
        negated = [token for token in self.words if token.negated]
        return any(match.own >= 0.6 and any(token.negated and token.key == negated[0].key for token in match.tokens)
                   for match in partners(negated, self.context.source, self.context.weights, 4))

    def source_says(self, key: str, negated: bool) -> bool:
        """Whether the source has a word, so negated, in a passage about the same."""
        return any(token.key == key and token.negated == negated for match in partners(self.words, self.context.source, self.context.weights, 4) if match.own >= 0.4
                   for token in match.tokens)


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
        cues = binding(plain_words(context.source.text[match.start:match.end]))
        missing = {token.key for token in match.missing}
        if kinds - cues.keys() or _status(there.cues) not in ("", _status(cues)) or any(token.key in missing for token in new):
            continue
        signs = {token.key: token.negated for token in match.tokens}
        if all(signs.get(token.key, token.negated) == token.negated for token in there.words) and negated <= {key for key, sign in signs.items() if sign}:
            return True
    return False


def _stands_for(a: object, b: object) -> bool:
    """Whether one token can stand for another."""
    if a.kind == "number" or b.kind == "number":
        return a.kind == b.kind and same_number(a.key, b.key)
    if a.key == b.key or a.kind == "name" and b.kind == "name" and same_name(a.key, b.key):
        return True
    return not near_stems(a.key).isdisjoint(near_stems(b.key))


_DANGER = frozenset(map(stem, "secret credential password token key private privacy personal customer production prod push force delete drop destroy wipe erase approval approve permission consent security "
                    "payment charge refund email publish expose leak disclose reset irreversible backup sudo root admin".split()))


def is_safety(kind: str, statement: str) -> bool:
    """Whether a commitment is a boundary of safety, privacy or permission: its type says so, or it forbids or limits what does harm."""
    if kind == "safety":
        return True
    if kind not in ("constraint", "preference"):
        return False
    return bool(binding(plain_words(statement)).keys() & {"forbid"}) and any(token.key in _DANGER for token in tokens(statement))


# ---- the rules: each gives a finding, or None

def _cancelled(rule: Rule, there: Beside) -> Change | None:
    """The summary says that the rule is no longer one."""
    cue = there.cues.get("cancel", frozenset()) | there.cues.get("widen", frozenset())
    cue -= rule.cues.get("cancel", frozenset()) | rule.cues.get("widen", frozenset())
    if rule.binds and cue and there.topic >= 0.33:
        return Change("polarity_flip", f"the summary lifts it (`{min(cue)}`)", 0.85)
    return None


def _permitted(rule: Rule, there: Beside) -> Change | None:
    """What the rule forbids or limits is allowed."""
    permit, broaden = there.cues.get("permit"), there.cues.get("broaden", frozenset()) - rule.cues.get("broaden", frozenset())
    if not rule.binds or there.topic < (0.15 if there.mutual >= 0.6 else 0.25) or there.cues.keys() & {"forbid", "restrict"}:
        return None
    ruled_out = rule.ruled_out
    if any(token.negated and (not ruled_out or token.key in ruled_out) for token in there.words):
        return None
    if permit and "permit" not in rule.cues and "require" not in there.cues:
        hard = rule.cues.keys() & {"forbid", "restrict"} or ruled_out
        whole = there.match.own >= 0.8 and not ruled_out
        if broaden or "forbid" in rule.cues or _opposites(rule, there) or ruled_out and any(token.key in ruled_out for token in there.words):
            return Change("polarity_flip", f"what it rules out is allowed (`{min(permit)}`)", 0.85)
        if not hard and not whole:
            return Change("polarity_flip", f"what it requires is left open (`{min(permit)}`)", 0.6)
    if broaden and not there.cues.keys() & {"done", "open", "require", "hedge"} and (rule.cues.keys() & {"forbid", "restrict"} or permit):
        return Change("polarity_flip", f"the summary goes beyond its limit (`{min(broaden)}`)", 0.7)
    return None


def _opposites(rule: Rule, there: Beside) -> list:
    """Pairs (word of the rule that is gone, its opposite that came)."""
    added = {token.key: token for token in there.added}
    gone = {token.key: token for token in rule.words if token.key not in {other.key for other in there.words}}
    return [(token, added[key]) for token in gone.values() for key in OPPOSITES.get(token.key, ()) if key in added and added[key].negated == token.negated]


def _opposed(rule: Rule, there: Beside) -> Change | None:
    """A word of the rule became its opposite."""
    if there.topic >= 0.45:
        for before, after in _opposites(rule, there):
            return Change("polarity_flip", f"`{before.text}` became `{after.text}`", 0.75)
    return None


def _negation_changed(rule: Rule, there: Beside) -> Change | None:
    """The same words, with a negation lost or added."""
    if there.match.own < 0.5 or _CONDITION.match(there.plain) or _DEFECT.search(there.plain):
        return None
    here: dict = {}
    for token in there.words:
        here[token.key] = here.get(token.key, False) or token.negated
    negative = there.cues.keys() & {"forbid", "restrict", "reject"} or any(here.values())
    lost = [token for token in rule.words if token.negated and here.get(token.key) is False]
    added = [token for token in rule.words if not token.negated and here.get(token.key) and token.key not in rule.conditional and not there.source_negates()]
    close = there.match.own >= 0.7 and there.mutual >= 0.6
    instead = bool(_INSTEAD.search(there.plain)) and there.match.own >= 0.5 and there.mutual >= 0.5 and not _INSTEAD.search(rule.plain)
    if lost and added and close:
        return Change("polarity_flip", f"`{lost[0].text}` and `{added[0].text}` changed places", 0.85)
    if lost and not negative and not rule.double and "hedge" not in there.cues and not there.source_says(lost[0].key, False):
        return Change("polarity_flip", f"the negation before `{lost[0].text}` is gone", 0.75)
    if added and not there.double and not rule.cues.keys() & {"forbid", "restrict", "reject", "cancel"} and not any(token.negated for token in rule.words) and close or added and instead and not there.double:
        return Change("polarity_flip", f"`{added[0].text}` is negated", 0.7)
    return None


_CLAUSES = re.compile(r"[;:,.]\s|\s[—–-]\s|\s(?=and\s|but\s)")
_DEFECT = re.compile(r"\b(?:bug|problem|issue|root cause|defect)\b")  # what goes wrong is told there, not what is to be
_INSTEAD = re.compile(r"\b(?:instead of|rather than)\b")
_QUESTION = re.compile(r"\W*(?:is|are|was|were|do|does|did|can|could|should|shall|would|will|has|have|what|why|how|which|where|who|when)\b[^.!\n]*\?\W*\Z", re.I)
_CONDITION = re.compile(r"[^a-z]*(?:after|once|when|if|until|unless|before|as soon as)\b")


def _value_changed(rule: Rule, there: Beside) -> Change | None:
    """Another number, name, path or version stands where the rule has its own."""
    for token in there.missing:
        if token.kind == "word":
            continue
        rest = (there.match.own * rule.scale) / max(rule.scale - rule.weights.of(token), 0.01)
        for other in there.added:
            if other.kind != token.kind or rest < (0.4 if there.mutual >= 0.3 and len(rule.words) < 7 else 0.5) or not _same_place(token, other, rule, there):
                continue
            if not there.in_source(other) or there.mutual >= 0.6 and not there.supported(other):
                return Change("mutation", f"`{token.text}` became `{other.text}`", 0.9)
            if rest >= 0.85 and there.mutual >= 0.6:
                return Change("temporal_error" if token.kind == "number" else "scope_error", f"`{other.text}` stands where `{token.text}` should", 0.6)
    return None


def _same_place(token: object, other: object, rule: Rule, there: Beside) -> bool:
    """Whether two values play the same part: one dimension and a common neighbour, or names of one form."""
    if token.kind == "number":
        return (token.key[1] == other.key[1]) and (bool(token.key[1]) or bool(_neighbours(token, rule.tokens) & _neighbours(other, there.tokens)))
    alone = sum(each.kind == "name" for each in rule.words) == 1 == sum(each.kind == "name" for each in there.added) and len(rule.words) < 9
    return alike(token.key, other.key) or alone and _form(token.key) == _form(other.key) or bool(_neighbours(token, rule.tokens) & _neighbours(other, there.tokens)) and _form(token.key) == _form(other.key)


def _neighbours(token: object, found: list) -> set:
    words = [t for t in found if t.kind != "stop"]
    keys = [t.key for t in words]
    at = next((i for i, t in enumerate(words) if t.key == token.key), None)
    return set() if at is None else set(keys[max(0, at - 2):at] + keys[at + 1:at + 3])


def _form(name: str) -> tuple:
    """The outline of a name: which signs it has, whether digits."""
    return tuple(sign in name for sign in "/._-:@") + (any(map(str.isdigit, name)), )


def alike(a: str, b: str) -> bool:
    """Whether two different names are likely meant as one: a common beginning or end of half the longer, or the same characters but a few."""
    if same_name(a, b):
        return False
    head = _common(a, b)
    tail = _common(a[::-1], b[::-1])
    if last_part(a) == last_part(b) and len(last_part(a)) > 4:
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


def _value_gone(rule: Rule, there: Beside) -> Change | None:
    """The sentence is there, its number is not."""
    numbers = [token for token in rule.words if token.kind == "number"]
    gone = [token for token in numbers if token in there.nowhere]
    if gone and len(gone) == len(numbers):
        rest = (there.match.own * rule.scale) / max(rule.scale - sum(map(rule.weights.of, gone)), 0.01)
        vague = there.cues.get("some") or there.cues.get("vague")
        if rest >= 0.55 and vague and there.mutual >= 0.4:
            return Change("weakening" if "some" in there.cues else "mutation", f"`{gone[0].text}` is replaced by a vague word (`{min(vague)}`)", 0.7)
        if rest >= (0.5 if len(rule.words) < 8 else 0.85) and there.mutual >= 0.6 and not there.cues.keys() & {"permit", "cancel"}:
            return Change("mutation", f"`{gone[0].text}` is not there", 0.6)
    return None


def _not_all(rule: Rule, there: Beside) -> Change | None:
    """All became most or some."""
    some = there.cues.get("some", frozenset()) - rule.cues.get("some", frozenset())
    if some and (_UNIVERSAL.search(rule.plain) or any(token.kind == "number" for token in rule.words)) and not _UNIVERSAL.search(there.plain) and there.match.own >= 0.45 and there.mutual >= 0.5:
        return Change("weakening", f"all became `{min(some)}`", 0.75)
    return None


_UNIVERSAL = re.compile(r"\b(?:all|every|each|any|always|no|never|both|none)\b")


def _softened(rule: Rule, there: Beside) -> Change | None:
    """A hard rule or exact thing became a wish."""
    hedge = there.cues.get("hedge", frozenset()) - rule.cues.get("hedge", frozenset())
    if not rule.cues.keys() & {"forbid", "restrict", "require"}:
        hedge -= {"should", "ought"}
    if hedge and (rule.cues.keys() & {"forbid", "restrict", "require"} or rule.ruled_out and len(rule.words) < 9 or any(token.kind == "number" for token in rule.words) or there.mutual >= 0.6 and len(rule.words) < 9) and there.match.own >= 0.3 and there.mutual >= 0.3:
        return Change("weakening", f"softened (`{min(hedge)}`)", 0.8)
    return None


def _ruled_out_gone(rule: Rule, there: Beside) -> Change | None:
    """What the rule forbids by name is named nowhere."""
    gone = [token for token in there.nowhere if token.negated and token.kind == "name" and token.key not in there.context.index.postings]
    if gone and rule.cues.keys() & {"forbid", "restrict"}:
        return Change("omission", f"`{gone[0].text}`, which it rules out, is not in the summary", 0.6)
    return None


_STRICT = frozenset("must always mandatory required requires shall".split())


def _unbound(rule: Rule, there: Beside) -> Change | None:
    """The words are there, what made them a rule is not."""
    if not rule.binds or there.match.own < 0.5 or _DEFECT.search(there.plain) or there.cues.keys() & {"forbid", "restrict", "require", "reject"} or any(token.negated for token in there.words):
        return None
    if "done" in there.cues or "permit" in rule.cues:
        return None
    hard = rule.cues.get("forbid", frozenset()) | rule.cues.get("restrict", frozenset())
    if len(rule.words) < 9 and there.mutual >= 0.6:
        hard |= rule.cues.get("require", frozenset()) & _STRICT
    if hard and len(rule.words) < 14:
        return Change("weakening", f"the words that make it a rule are gone (`{min(hard)}`)", 0.6)
    return None


def _judge_status(rule: Rule, beside: list) -> Judged | None:
    """Open stands as done, or done as open, in a clause about what the commitment or a clause of it is about; and no other clause has it right."""
    wrong = [(clause, match) for there in beside for right, clause, match in _status_clauses(rule, there) if not right]
    if not wrong or any(right for there in beside for right, _, _ in _status_clauses(rule, there)):
        return None
    return Judged("temporal_error", wrong[0][0], 0.6, wrong[0][1])


def _status_clauses(rule: Rule, there: Beside) -> list:
    """(right, reason, match) of each clause of a passage that tells how far a thing of the rule is."""
    out: list = []
    for clause, found, cues in there.clauses():
        now = _status(cues)
        if not now or _CONDITION.match(clause):
            continue
        things = [token for token in content(found) if token.key not in CUE_STEMS and token.key not in LIGHT_STEMS]
        total = sum(map(rule.weights.of, things))
        shared = [token for token in things if any(_stands_for(token, other) for other in rule.words)]
        if not shared or sum(map(rule.weights.of, shared)) < 0.5 * total:
            continue
        for was, words in rule.statuses:
            common = [token for token in shared if any(_stands_for(token, other) for other in words)]
            strong = any(token.kind == "name" for token in common) or len(common) > 1 or len(things) == 1 and common or len(rule.words) < 6 and common
            if strong and (was == now or not _same_status_in_source(found, now, there.context)):
                out.append((was == now, "open stands as done" if was == "open" else "done stands as open", there.match))
    return out


def _same_status_in_source(found: list, status: str, context: Context) -> bool:
    """Whether the source says the same of the same."""
    words = [token for token in content(found) if token.key not in LIGHT_STEMS]
    said = [(match.place, was) for match in partners(words, context.source, context.weights, 8) if match.own >= 0.6
            and (was := _status(binding(plain_words(context.source.text[match.start:match.end]))))]
    return bool(said) and max(said)[1] == status  # the last word counts


def _status(cues: dict) -> str:
    """"open" or "done"; what is both is open (`still has to be merged`)."""
    return "open" if "open" in cues else "done" if "done" in cues else ""


def _revived(rule: Rule, there: Beside) -> Change | None:
    """An option that was turned down stands as the chosen one."""
    if "reject" in rule.cues and "adopt" in there.cues and not there.cues.keys() & {"reject", "forbid", "cancel"} and there.mutual >= 0.5 and not any(token.negated for token in there.words):
        return Change("temporal_error", f"it was turned down, and stands as chosen (`{min(there.cues['adopt'])}`)", 0.7)
    return None


def _slot_replaced(rule: Rule, there: Beside) -> Change | None:
    """The same sentence about another thing: a word of it is replaced where it stood, or the only one that differs is."""
    gone = [token for token in there.nowhere if token.key not in CUE_STEMS]
    new = [token for token in there.added if token.key not in CUE_STEMS and token.key not in LIGHT_STEMS]
    if not gone or not new or {token.kind for token in gone}.isdisjoint(token.kind for token in new):
        return None
    rest = (there.match.own * rule.scale) / max(rule.scale - sum(map(rule.weights.of, gone)), 0.01)
    if rest < 0.8 or len(gone) > 3 or len(rule.words) > 9 or any(there.supported(token) for token in new):
        return None
    same_slot = _slots(rule.tokens, gone) & _slots(there.tokens, new)
    only = len(gone) <= 2 and len(new) <= 2 and len(there.words) <= len(rule.words) + 1 and there.match.own >= 0.45 and there.mutual >= 0.5 and len(rule.words) <= 6
    things = [token for token in gone if not _is_verb(token, rule.tokens)], [token for token in new if not _is_verb(token, there.tokens)]
    if not same_slot and not only or not all(things):
        return None
    gone, new = things
    value = gone[0].kind != "word" or _leads(rule.tokens, gone[0]) & _VALUE_LEADS
    return Change("mutation" if value else "scope_error", f"`{gone[0].text}` became `{new[0].text}`", 0.65 if same_slot else 0.55)


_VALUE_LEADS = frozenset(map(stem, "use stay remain set is be keep".split()))


def _slots(found: list, wanted: list) -> set:
    """The places of runs of wanted tokens: (token before, token behind), by stems; "" at an end."""
    keys = {token.key for token in wanted}
    slots, at = set(), 0
    while at < len(found):
        if found[at].key in keys:
            end = at
            while end < len(found) and found[end].key in keys:
                end += 1
            slots.add((found[at - 1].key if at else "", found[end].key if end < len(found) else ""))
            at = end
        at += 1
    return slots


def _leads(found: list, token: object) -> set:
    at = next((i for i, other in enumerate(found) if other.key == token.key), 0)
    return {other.key for other in found[max(0, at - 3):at]}


def _is_verb(token: object, found: list = ()) -> bool:
    """Whether a word looks like a verb: it can begin an order or ends in -ed or -ing, and no article stands before it."""
    word = token.text.casefold()
    if token.kind != "word" or word not in ORDER_WORDS and not word.endswith(("ed", "ing")):
        return False
    at = next((i for i, other in enumerate(found) if other.key == token.key), 0)
    return not (at and found[at - 1].text.casefold() in _ARTICLES or at + 1 < len(found) and word.endswith(("ed", "ing")) and found[at + 1].kind == "word")


_ARTICLES = frozenset("the a an this that these those our your my their its of for all any every no failed".split())


def _qualifier_gone(rule: Rule, there: Beside) -> Change | None:
    """The same sentence without a word that says of which thing: `customer data` became `data`."""
    if there.match.own < 0.6 or there.mutual < 0.6 or len(rule.words) > 7:
        return None
    here = {token.key for token in there.words}
    for before, token in zip(rule.tokens, rule.tokens[1:]):
        if before.kind == "word" and token.kind == "word" and before not in there.missing and token.key in here:
            continue
        if before.kind == "word" and before in there.nowhere and not _is_verb(before) and token.kind == "word" and token.key in here and before.key not in LIGHT_STEMS | CLASS_NOUNS:
            return Change("weakening", f"`{before.text}` is gone from `{before.text} {token.text}`", 0.6)
    names = [token for token in there.nowhere if token.kind == "name"]
    if names and len(rule.words) < 12:
        return Change("weakening", f"`{names[0].text}` is gone", 0.6)
    return None


_LOOKS = (_cancelled, _permitted, _value_changed, _opposed, _negation_changed, _revived, _not_all, _softened, _slot_replaced, _value_gone, _ruled_out_gone, _unbound, _qualifier_gone)
_LOSSES = (_ruled_out_gone, _value_gone, _unbound, _qualifier_gone)  # what is not there needs no support in the source


def judge(rule: Rule, context: Context, said: object = None) -> Judged:
    """The verdict on one commitment, and the passage that it rests on. `said` is the passage of the source that it comes from, if one is known."""
    found = partners(rule.words, context.index, rule.weights)
    if not found:
        return _gone(rule)
    best = found[0]
    if said is not None and said.own >= 0.5:
        rule.add_cues(binding(plain_words(context.source.text[said.start:said.end])))
    together = sum(rule.weights.of(token) * max(match.hits[token.kind, token.key] for match in found[:4]) for token in rule.words) / rule.scale
    held = 0.7 * best.coverage + 0.3 * together
    if _QUESTION.match(context.index.text[best.start:best.end]) and "?" not in rule.text:
        held *= 0.75  # who asks does not say
    ranked = sorted(found, key=lambda match: (-match.own, match.place))
    if rule.statuses:
        judged = _judge_status(rule, [Beside(rule, match, context) for match in found])
        if judged:
            return judged
    soft: list = []  # a softened copy beside one that is whole does no harm
    for match in ranked:
        there = Beside(rule, match, context, found[:4])
        if there.topic < SPEAKS_OF_FROM and there.mutual < 0.6 or match.own < 0.7 * ranked[0].own or match not in ranked[:4]:
            continue
        change = _first_change(rule, there)
        if change and change.verdict != "weakening":
            return Judged(*change, match)
        if change or there.binds or not ("forbid" in rule.cues or rule.ruled_out):
            soft.append((change, match))
    if soft and all(change for change, match in soft if match.own >= 0.55 or match is soft[0][1]):
        return Judged(*soft[0][0], soft[0][1])
    if held >= KEPT_FROM:
        return Judged("kept", "its words, values and strength are there", round(min(0.99, held), 2), best)
    if _in_other_words(rule, Beside(rule, ranked[0], context)):
        return Judged("kept", "in other words: the same names and values, bound in the same way", 0.55, ranked[0])
    if held >= WEAKENED_FROM:
        lost = ", ".join(f"`{token.text}`" for token in best.missing[:4])
        return Judged("weakening", f"only a part is there; not found: {lost}", 0.5, best)
    return _gone(rule)


def _in_other_words(rule: Rule, there: Beside) -> bool:
    """A short sentence that names all that the rule names, nothing else of weight, and binds in the same direction."""
    anchors = [token for token in rule.words if token.kind != "word"]
    same_way = rule.binds and not there.cues.keys() & {"permit", "hedge", "cancel", "widen"} and (
        there.cues.keys() & {"forbid", "restrict", "require"} or any(token.negated for token in there.words))
    return bool(anchors) and len(rule.words) <= 7 and same_way and not any(token in there.missing for token in anchors) and there.mutual >= 0.6 and there.match.own >= 0.3


def _first_change(rule: Rule, there: Beside) -> Change | None:
    trusted = None
    for look in _LOOKS:
        change = look(rule, there)
        if change and look not in _LOSSES:
            trusted = faithful(there, there.context) if trusted is None else trusted
            change = None if trusted else change
        if change:
            return change
    return None


def _gone(rule: Rule) -> Judged:
    if rule.safety:
        return Judged("safety_erasure", "the boundary is not in the summary", 0.7, None)
    return Judged("omission", "the summary does not speak of it", 0.7, None)
