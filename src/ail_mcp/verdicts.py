"""What happened to one commitment in a summary: kept, weakened, changed, flipped, misplaced, out of date, or gone.

The rules stand in the order of `_LOOKS`; each looks at one passage beside the commitment and gives a finding or None. The first finding on
the passages that speak of it decides; without one the share of its words that the summary holds does.
"""
from __future__ import annotations

from collections import namedtuple

from .matching import content, partners, same_number
from .passages import last_part, plain_words, same_name, tokens
from .wording import CLASS_NOUNS, CUES, LIGHT_STEMS, OPPOSITES, ORDER_STEMS, near_stems, stem

VERDICTS = ("kept", "weakening", "mutation", "polarity_flip", "scope_error", "temporal_error", "omission", "safety_erasure", "uncertain")

# Worst first, as a person should see them.
SEVERITY = ("safety_erasure", "polarity_flip", "temporal_error", "mutation", "scope_error", "omission", "weakening", "uncertain", "kept")

Change = namedtuple("Change", "verdict reason confidence")
Judged = namedtuple("Judged", "verdict reason confidence match")

KEPT_FROM = 0.60  # share of a commitment's weight that must be there
WEAKENED_FROM = 0.47
SPEAKS_OF_FROM = 0.28  # a passage with less has another subject


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
        self.keys = {token.key for token in self.words}

    @property
    def binds(self) -> bool:
        return bool(self.cues.keys() & {"forbid", "restrict", "require"}) or any(token.negated for token in self.words)


# Cues are looked for in this order, and what one has taken the next does not see: `may not` is no permission.
_ORDER = ("cancel", "forbid", "restrict", "broaden", "hedge", "permit", "require")
_SEPARATE = ("vague", "open", "done", "reject", "adopt")


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


class Beside:
    """A passage of the summary beside a rule: what of the rule is there, what is not, and what is there instead."""

    def __init__(self, rule: Rule, match: object, index: object, in_source: object) -> None:
        self.match = match
        self.tokens = match.tokens
        self.words = content(self.tokens)
        self.plain = plain_words(index.text[match.start:match.end])
        self.cues = binding(self.plain)
        self.in_source = in_source
        self.missing = match.missing
        self.added = [token for token in self.words if not any(_stands_for(token, other) for other in rule.words)]
        opposed = {before.key for before, _ in _opposites(rule, self)}
        self.topic = match.own + 0.6 * sum(rule.weights.of(token) for token in rule.words if token.key in opposed) / rule.scale


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
    cue = there.cues.get("cancel", frozenset()) - rule.cues.get("cancel", frozenset())
    if rule.binds and cue and there.topic >= 0.33:
        return Change("polarity_flip", f"the summary lifts it (`{min(cue)}`)", 0.85)
    return None


def _permitted(rule: Rule, there: Beside) -> Change | None:
    """What the rule forbids or limits is allowed."""
    permit, broaden = there.cues.get("permit"), there.cues.get("broaden", frozenset()) - rule.cues.get("broaden", frozenset())
    if not rule.cues.keys() & {"forbid", "restrict"} or there.topic < 0.25:
        return None
    if there.cues.keys() & {"forbid"} or any(token.negated for token in there.words):
        return None
    if permit and not rule.cues.get("permit"):
        if broaden or "restrict" not in there.cues and ("forbid" in rule.cues or _opposites(rule, there)):
            return Change("polarity_flip", f"what it rules out is allowed (`{min(permit)}`)", 0.85)
    if broaden and "restrict" not in there.cues and not there.cues.keys() & {"done", "open"}:
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
    if there.match.own < 0.5:
        return None
    here = {}
    for token in there.words:
        here[token.key] = here.get(token.key, False) or token.negated
    negative = there.cues.keys() & {"forbid", "restrict", "reject"} or any(here.values())
    lost = [token for token in rule.words if token.negated and token.key in here]
    if lost and not negative and "hedge" not in there.cues:
        return Change("polarity_flip", f"the negation before `{lost[0].text}` is gone", 0.75)
    added = [token for token in rule.words if not token.negated and here.get(token.key)]
    if len(added) >= 2 and not rule.cues.keys() & {"forbid", "restrict", "reject", "cancel"} and not any(token.negated for token in rule.words) and "forbid" in there.cues:
        return Change("polarity_flip", f"`{added[0].text}` is negated", 0.7)
    return None


def _value_changed(rule: Rule, there: Beside) -> Change | None:
    """Another number, name, path or version stands where the rule has its own."""
    for token in there.missing:
        if token.kind == "word":
            continue
        rest = (there.match.own * rule.scale) / max(rule.scale - rule.weights.of(token), 0.01)
        for other in there.added:
            if other.kind != token.kind or rest < 0.5 or not _same_place(token, other, rule, there):
                continue
            if not there.in_source(other):
                return Change("mutation", f"`{token.text}` became `{other.text}`", 0.9)
            if rest >= 0.85:
                return Change("temporal_error" if token.kind == "number" else "scope_error", f"`{other.text}` stands where `{token.text}` should", 0.6)
    return None


def _same_place(token: object, other: object, rule: Rule, there: Beside) -> bool:
    """Whether two values play the same part: one dimension and a common neighbour, or names of one form."""
    if token.kind == "number":
        return (token.key[1] == other.key[1]) and (bool(token.key[1]) or bool(_neighbours(token, rule.tokens) & _neighbours(other, there.tokens)))
    return alike(token.key, other.key) or bool(_neighbours(token, rule.tokens) & _neighbours(other, there.tokens)) and _form(token.key) == _form(other.key)


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
    gone = [token for token in numbers if there.match.hits[token.kind, token.key] < 0.5]
    if gone and len(gone) == len(numbers):
        rest = (there.match.own * rule.scale) / max(rule.scale - sum(map(rule.weights.of, gone)), 0.01)
        if rest >= 0.55 and "vague" in there.cues:
            return Change("mutation" if len(rule.words) < 12 else "weakening", f"`{gone[0].text}` is replaced by a vague word (`{min(there.cues['vague'])}`)", 0.7)
    return None


def _softened(rule: Rule, there: Beside) -> Change | None:
    """A hard rule or exact thing became a wish."""
    hedge = there.cues.get("hedge", frozenset()) - rule.cues.get("hedge", frozenset())
    if hedge and rule.binds and there.match.own >= 0.3:
        return Change("weakening", f"softened (`{min(hedge)}`)", 0.8)
    return None


def _unbound(rule: Rule, there: Beside) -> Change | None:
    """The words are there, what made them a rule is not."""
    if not rule.binds or there.match.own < 0.5 or there.cues.keys() & {"forbid", "restrict", "require", "reject"} or any(token.negated for token in there.words):
        return None
    if "done" in there.cues or "permit" in rule.cues:
        return None
    hard = rule.cues.get("forbid", frozenset()) | rule.cues.get("restrict", frozenset())
    if hard and len(rule.words) < 14:
        return Change("weakening", f"the words that make it a rule are gone (`{min(hard)}`)", 0.6)
    return None


def _status_changed(rule: Rule, there: Beside) -> Change | None:
    """Open stands as done, or done as open."""
    if there.match.own < 0.55:
        return None
    was, now = rule.cues.keys() & {"open", "done"}, there.cues.keys() & {"open", "done"}
    if len(was) == 1 and len(now) == 1 and was != now and not rule.binds:
        return Change("temporal_error", "open stands as done" if "open" in was else "done stands as open", 0.55)
    return None


def _qualifier_gone(rule: Rule, there: Beside) -> Change | None:
    """The same sentence without a word that says of which thing: `customer data` became `data`."""
    if there.match.own < 0.6 or len(rule.words) > 14:
        return None
    here = {token.key for token in there.words}
    for before, token in zip(rule.tokens, rule.tokens[1:]):
        if before.kind == "word" and token.kind == "word" and before not in there.missing and token.key in here:
            continue
        if before.kind == "word" and before in there.missing and before.key not in ORDER_STEMS and token.kind == "word" and token.key in here and before.key not in LIGHT_STEMS | CLASS_NOUNS:
            return Change("weakening", f"`{before.text}` is gone from `{before.text} {token.text}`", 0.6)
    names = [token for token in there.missing if token.kind == "name"]
    if names and len(rule.words) < 12:
        return Change("weakening", f"`{names[0].text}` is gone", 0.6)
    return None


_LOOKS = (_cancelled, _permitted, _value_changed, _opposed, _negation_changed, _value_gone, _softened, _status_changed, _unbound, _qualifier_gone)


def judge(rule: Rule, index: object, in_source: object) -> Judged:
    """The verdict on one commitment, and the passage that it rests on."""
    found = partners(rule.words, index, rule.weights)
    if not found:
        return _gone(rule)
    best = found[0]
    together = sum(rule.weights.of(token) * max(match.hits[token.kind, token.key] for match in found[:4]) for token in rule.words) / rule.scale
    held = 0.4 * best.coverage + 0.6 * together
    ranked = sorted(found, key=lambda match: (-match.own, match.place))
    for match in ranked[:3]:
        there = Beside(rule, match, index, in_source)
        if there.topic < SPEAKS_OF_FROM or match.own < 0.7 * ranked[0].own:
            break
        for look in _LOOKS:
            finding = look(rule, there)
            if finding:
                return Judged(*finding, match)
    if held >= KEPT_FROM:
        return Judged("kept", "its words, values and strength are there", round(min(0.99, held), 2), best)
    if held >= WEAKENED_FROM:
        lost = ", ".join(f"`{token.text}`" for token in best.missing[:4])
        return Judged("weakening", f"only a part is there; not found: {lost}", 0.5, best)
    return _gone(rule)


def _gone(rule: Rule) -> Judged:
    if rule.safety:
        return Judged("safety_erasure", "the boundary is not in the summary", 0.7, None)
    return Judged("omission", "the summary does not speak of it", 0.7, None)
