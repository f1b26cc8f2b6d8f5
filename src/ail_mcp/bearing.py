"""What became of the force of a rule: lifted, allowed, turned round, softened, or no rule any more. Each look gives a change, or None."""

from __future__ import annotations

import re

from .beside import CONDITION, DEFECT, FROM_ON, UP_TO, Beside, Change, Rule, opposites, status_of
from .wording import CUE_STEMS, ORDER_WORDS


def cancelled(rule: Rule, there: Beside) -> Change | None:
    """The summary says that the rule is no longer one."""
    cue = there.cues.get("cancel", frozenset()) | there.cues.get("widen", frozenset())
    cue -= rule.cues.get("cancel", frozenset())
    if "widen" in rule.cues:  # it says itself `not only`
        cue -= there.cues.get("widen", frozenset())
    if rule.binds and cue and there.topic >= 0.33:
        return Change("polarity_flip", f"the summary lifts it (`{min(cue)}`)", 0.85)
    return None


def permitted(rule: Rule, there: Beside) -> Change | None:
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
        if broaden or "forbid" in rule.cues or opposites(rule, there) or ruled_out and any(token.key in ruled_out for token in there.words):
            return Change("polarity_flip", f"what it rules out is allowed (`{min(permit)}`)", 0.85)
        if not hard and not whole:
            return Change("polarity_flip", f"what it requires is left open (`{min(permit)}`)", 0.6)
    tells = rule.statuses or there.cues.keys() & {"done", "open", "require", "hedge"}  # how far a thing is, and no limit
    if broaden and not tells and (rule.cues.keys() & {"forbid", "restrict"} or permit):
        return Change("polarity_flip", f"the summary goes beyond its limit (`{min(broaden)}`)", 0.7)
    return None


_BEYOND = re.compile(r"\b(?:outside|except|but|unless|beyond|other|else|elsewhere|without|more|out of|from|leaves?)\b")


def same_choice(rule: Rule, there: Beside) -> bool:
    """Whether rule and passage take and turn down the same two things, in whatever words."""
    one, other = rule.choice, there.choice() if rule.choice else None
    return bool(one and other) and bool(one.taken & other.taken and one.out & other.out)


def chosen_otherwise(rule: Rule, there: Beside) -> Change | None:
    """What the rule turns down is taken, or something else is taken in its stead."""
    one, other = rule.choice, there.choice() if rule.choice else None
    if not one or not other or one.taken & other.taken:
        return None
    if one.taken & other.out and one.out & other.taken:
        return Change("polarity_flip", "what it takes and what it turns down changed places", 0.85)
    if one.out & other.out and len(rule.words) <= 8 and not any(token in rule.words for token in there.words if token.key in one.taken):
        return Change("mutation", "something else is taken in its stead", 0.75)
    return None


def turned_round(rule: Rule, there: Beside) -> Change | None:
    """At most became at least; what is to be, or to be only here, is not to be here."""
    if there.match.own < 0.6 or there.mutual < 0.6:
        return None
    for one, other in ((UP_TO, FROM_ON), (FROM_ON, UP_TO)):
        if one.search(rule.plain) and not other.search(rule.plain) and other.search(there.plain) and not one.search(there.plain):
            return Change("polarity_flip", f"`{one.search(rule.plain)[0]}` became `{other.search(there.plain)[0]}`", 0.85)
    if (
        rule.cues.keys() & {"restrict", "require"}
        and "forbid" in there.cues
        and not rule.cues.keys() & {"forbid", "reject"}
        and not rule.ruled_out
    ):
        told = [token for token in there.words if token.key not in CUE_STEMS or token in rule.words]
        first = next((at for at, token in enumerate(told) if token.negated), len(told))
        if (
            0 < len(told) - first >= first
            and all(token.negated for token in told[first:])
            and not _BEYOND.search(there.plain)
            and not any(token in there.added for token in told)
        ):
            return Change("polarity_flip", f"what it asks for is ruled out (`{min(there.cues['forbid'])}`)", 0.8)
    return None


def opposed(rule: Rule, there: Beside) -> Change | None:
    """A word of the rule became its opposite."""
    if there.topic >= 0.45:
        for before, after in opposites(rule, there):
            return Change("polarity_flip", f"`{before.text}` became `{after.text}`", 0.75)
    return None


def negation_changed(rule: Rule, there: Beside) -> Change | None:
    """The same words, with a negation lost or added."""
    if (
        there.match.own < 0.5
        or CONDITION.match(there.plain)
        or DEFECT.search(there.plain)
        or status_of(rule.cues) == status_of(there.cues) == "open"
    ):
        return None
    here: dict = {}
    for token in there.words:
        here[token.key] = here.get(token.key, False) or token.negated
    negative = there.cues.keys() & {"forbid", "restrict", "reject"} or any(here.values())
    lost = [token for token in rule.words if token.negated and here.get(token.key) is False]
    added = [
        token
        for token in rule.words
        if not token.negated
        and here.get(token.key)
        and token.key not in rule.conditional
        and not _EXCEPT.search(there.plain)
        and not there.source_negates()
    ]
    close = there.match.own >= 0.7 and there.mutual >= 0.6
    instead = bool(INSTEAD.search(there.plain)) and there.match.own >= 0.5 and there.mutual >= 0.5 and not INSTEAD.search(rule.plain)
    if lost and added and close:
        return Change("polarity_flip", f"`{lost[0].text}` and `{added[0].text}` changed places", 0.85)
    if (
        lost
        and there.mutual >= 0.25
        and not negative
        and not rule.double
        and "hedge" not in there.cues
        and not there.source_says(lost[0].key, False)
    ):
        return Change("polarity_flip", f"the negation before `{lost[0].text}` is gone", 0.75)
    if there.double and not rule.conditional:  # no X without Y asks for Y; but `never X before Y` denies `X before Y`
        return None
    free = not rule.cues.keys() & {"forbid", "restrict", "reject", "cancel"} and not rule.ruled_out
    if added and (free and close or instead):
        return Change("polarity_flip", f"`{added[0].text}` is negated", 0.7)
    return None


_EXCEPT = re.compile(r"\bexcept\b")  # what is left out of one thing is not denied
INSTEAD = re.compile(r"\b(?:instead of|rather than)\b")


def not_all(rule: Rule, there: Beside) -> Change | None:
    """All became most or some."""
    some = there.cues.get("some", frozenset()) - rule.cues.get("some", frozenset())
    if "restrict" in there.cues:  # `the most we spend` is a limit
        some -= {"most"}
    if (
        some
        and (_UNIVERSAL.search(rule.plain) or any(token.kind == "number" for token in rule.words))
        and not _UNIVERSAL.search(there.plain)
        and there.match.own >= 0.45
        and there.mutual >= 0.5
    ):
        return Change("weakening", f"all became `{min(some)}`", 0.75)
    return None


_UNIVERSAL = re.compile(r"\b(?:all|every|each|any|always|no|never|both|none)\b")


def softened(rule: Rule, there: Beside) -> Change | None:
    """A hard rule or exact thing became a wish."""
    hedge = there.cues.get("hedge", frozenset()) - rule.cues.get("hedge", frozenset())
    if not rule.cues.keys() & {"forbid", "restrict", "require"}:
        hedge -= {"should", "ought"}
    if (
        hedge
        and (
            rule.cues.keys() & {"forbid", "restrict", "require"}
            or rule.ruled_out
            and len(rule.words) < 9
            or any(token.kind == "number" for token in rule.words)
            or there.mutual >= 0.6
            and len(rule.words) < 9
        )
        and there.match.own >= 0.3
        and there.mutual >= 0.3
    ):
        return Change("weakening", f"softened (`{min(hedge)}`)", 0.8)
    return None


def ruled_out_gone(rule: Rule, there: Beside) -> Change | None:
    """What the rule forbids by name is named nowhere."""
    gone = [token for token in there.nowhere if token.negated and token.kind == "name" and token.key not in there.context.index.postings]
    if gone and rule.cues.keys() & {"forbid", "restrict"}:
        return Change("omission", f"`{gone[0].text}`, which it rules out, is not in the summary", 0.6)
    return None


_STRICT = frozenset("must always mandatory required requires shall".split())


def unbound(rule: Rule, there: Beside) -> Change | None:
    """The words are there, what made them a rule is not."""
    if (
        not rule.binds
        or there.match.own < 0.5
        or DEFECT.search(there.plain)
        or there.cues.keys() & {"forbid", "restrict", "require", "reject"}
        or any(token.negated for token in there.words)
    ):
        return None
    if "done" in there.cues or "permit" in rule.cues:
        return None
    if rule.double and "condition" in there.cues:  # first this, then that
        return None
    hard = rule.cues.get("forbid", frozenset()) | rule.cues.get("restrict", frozenset())
    if len(rule.words) < 9 and there.mutual >= 0.6:
        hard |= rule.cues.get("require", frozenset()) & _STRICT
    if there.tokens[0].text.casefold() in ORDER_WORDS:
        hard = frozenset(cue for cue in hard if cue.split()[0] not in _STRICT)  # an order binds
    if hard and len(rule.words) < 14:
        return Change("weakening", f"the words that make it a rule are gone (`{min(hard)}`)", 0.6)
    return None
