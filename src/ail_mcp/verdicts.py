"""What happened to one commitment in a summary: kept, weakened, changed, flipped, misplaced, out of date, or gone.

The looks stand in the order of `_CHANGE_LOOKS`; each sees one passage beside the commitment and gives a change or None. The first change on the
passages that speak of it decides; without one, the share of its words that the summary holds does.
"""

from __future__ import annotations

import re
from collections import namedtuple

from .bearing import (
    cancelled,
    chosen_otherwise,
    negation_changed,
    not_all,
    opposed,
    permitted,
    ruled_out_gone,
    same_choice,
    softened,
    turned_round,
    unbound,
)
from .beside import CONDITION, Beside, Change, Context, Rule, binding, faithful, stands_for, status_of
from .matching import content, partners
from .passages import plain_words, tokens
from .places import proper_changed, qualifier_gone, slot_replaced, value_changed, value_gone
from .wording import CUE_STEMS, LIGHT_STEMS, stem

NOT_SPOKEN_OF = "the summary does not speak of it"
# Worst first, as a person should see them.
SEVERITY = ("safety_erasure", "polarity_flip", "temporal_error", "mutation", "scope_error", "omission", "weakening", "uncertain", "kept")
Judged = namedtuple("Judged", "verdict reason confidence match beside", defaults=((),))
Judged.__doc__ = (
    """A verdict; its reason, confidence and passage; and (change, match) of passages that say otherwise although another has it right."""
)
KEPT_FROM = 0.53  # share of a commitment's weight that must be there
WEAKENED_FROM = 0.47
SPEAKS_OF_FROM = 0.28  # a passage with less has another subject
_DANGER = frozenset(
    map(
        stem,
        "secret credential password token key private privacy personal customer production prod push force delete drop destroy wipe erase "
        "approval approve permission consent security "
        "payment charge refund email publish expose leak disclose reset irreversible backup sudo root admin".split(),
    )
)


def is_safety(kind: str, statement: str) -> bool:
    """Whether a commitment is a boundary of safety, privacy or permission: its type says so, or it forbids or limits what does harm."""
    if kind == "safety":
        return True
    if kind not in ("constraint", "preference"):
        return False
    return bool(binding(plain_words(statement)).keys() & {"forbid"}) and any(token.key in _DANGER for token in tokens(statement))


def _judge_status(rule: Rule, beside: list) -> tuple[Judged | None, list]:
    """Open stands as done, or done as open, in a clause about what the commitment or a clause of it is about: a verdict if no other clause has it
    right, else what stands beside."""
    clauses = [each for there in beside for each in _status_clauses(rule, there)]
    wrong = [(Change("temporal_error", reason, 0.6), match) for right, reason, match in clauses if not right]
    if wrong and not any(right for right, _, _ in clauses):
        return Judged(*wrong[0][0], wrong[0][1]), []
    return None, wrong[:1]


def _status_clauses(rule: Rule, there: Beside) -> list:
    """(right, reason, match) of each clause of a passage that tells how far a thing of the rule is."""
    out: list = []
    label, before = "", []  # `To do: the report`, `The report: done`
    for clause, found, cues in there.clauses():
        now = status_of(cues)
        things = [token for token in content(found) if token.key not in CUE_STEMS and token.key not in LIGHT_STEMS]
        if now and not things and clause.startswith("and "):  # `still has to be finished and merged` tells one thing
            continue
        if now and not things:
            label, things = ("", before) if before else (now, [])
        elif label and not now:
            now, label = label, ""
        before = things
        if not now or not things or CONDITION.match(clause):
            continue
        total = sum(map(rule.weights.of, things))
        shared = [token for token in things if any(stands_for(token, other) for other in rule.words)]
        if not shared or sum(map(rule.weights.of, shared)) < 0.6 * total:
            continue
        for was, words in rule.statuses:
            common = [token for token in shared if any(stands_for(token, other) for other in words)]
            strong = (
                any(token.kind == "name" for token in common)
                or len(common) > 1
                or len(things) == 1
                and common
                or len(rule.words) < 6
                and common
            )
            if strong and (was == now or not _same_status_in_source(found, now, there.context)):
                out.append((was == now, "open stands as done" if was == "open" else "done stands as open", there.match))
    return out


def _same_status_in_source(found: list, status: str, context: Context) -> bool:
    """Whether the source says the same of the same."""
    words = [token for token in content(found) if token.key not in LIGHT_STEMS]
    said = [
        (match.place, was)
        for match in partners(words, context.source, context.weights, 8)
        if match.own >= 0.6 and (was := status_of(binding(plain_words(context.source.text[match.start : match.end]))))
    ]
    return bool(said) and max(said)[1] == status  # the last word counts


def _revived(rule: Rule, there: Beside) -> Change | None:
    """An option that was turned down stands as the chosen one."""
    if (
        "reject" in rule.cues
        and "adopt" in there.cues
        and not there.cues.keys() & {"reject", "forbid", "cancel"}
        and there.mutual >= 0.5
        and not any(token.negated for token in there.words)
    ):
        return Change("temporal_error", f"it was turned down, and stands as chosen (`{min(there.cues['adopt'])}`)", 0.7)
    return None


_CHANGE_LOOKS = (
    cancelled,
    permitted,
    value_changed,
    proper_changed,
    chosen_otherwise,
    turned_round,
    opposed,
    negation_changed,
    _revived,
    not_all,
    softened,
    slot_replaced,
    value_gone,
    ruled_out_gone,
    unbound,
    qualifier_gone,
)
_LOSSES = (ruled_out_gone, value_gone, unbound, qualifier_gone)  # what is not there needs no support in the source
_OF_FORCE = (
    cancelled,
    permitted,
    turned_round,
    opposed,
    negation_changed,
    slot_replaced,
    unbound,
)  # a choice in other words has none of these
_TURNS = tuple(
    look for look in _CHANGE_LOOKS if look not in (*_LOSSES, _revived)
)  # what a passage can say wrongly, whatever else it leaves out
_QUESTION = re.compile(
    r"\W*(?:is|are|was|were|do|does|did|can|could|should|shall|would|will|has|have|what|why|how|which|where|who|when)\b[^.!\n]*\?\W*\Z", re.I
)


def judge(rule: Rule, context: Context, said: object = None) -> Judged:
    """The verdict on one commitment, and the passage that it rests on. `said` is the passage of the source that it comes from, if one is known."""
    found = partners(rule.words, context.index, rule.weights)
    if not found:
        return _gone(rule)
    if said is not None and said.own >= 0.5:
        rule.add_cues(binding(plain_words(context.source.text[said.start : said.end])))
    judged = _verdict(rule, found, context)
    elsewhere = [(change._replace(confidence=0.68), match) for match in found if (change := _against(rule, found, match, judged, context))]
    return judged._replace(
        beside=(*elsewhere, *((change._replace(confidence=0.62 if match.own >= 0.7 else 0.56), match) for change, match in judged.beside))
    )


def _against(rule: Rule, found: list, match: object, judged: Judged, context: Context) -> Change | None:
    """What a passage that is all about the commitment says otherwise, though the verdict rests on another one."""
    if match.own < 0.2 or judged.match is not None and match.place == judged.match.place:
        return None
    there = Beside(rule, match, context, found[:4])
    looks = _TURNS if len(rule.words) < 7 else _TURNS[2:]  # of a long rule, what is lifted or allowed may be another thing
    return _first_change(rule, there, looks) if there.mutual >= 0.5 else None


def _verdict(rule: Rule, found: list, context: Context) -> Judged:
    """The verdict that the passages about a commitment give, the best first."""
    best = found[0]
    together = (
        sum(rule.weights.of(token) * max(match.hits[token.kind, token.key] for match in found[:4]) for token in rule.words) / rule.scale
    )
    held = 0.7 * best.coverage + 0.3 * together
    if _QUESTION.match(context.index.text[best.start : best.end]) and "?" not in rule.text:
        held *= 0.75  # who asks does not say
    ranked = sorted(found, key=lambda match: (-match.own, match.place))
    aside: list = []
    if rule.statuses:
        judged, aside = _judge_status(rule, [Beside(rule, match, context) for match in found])
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
    nowhere = [token for token in rule.words if token.kind == "name" and not context.index.has(token)]
    if held >= KEPT_FROM and len(nowhere) > 1 and len(nowhere) >= 0.4 * sum(token.kind == "name" for token in rule.words):
        return Judged("weakening", f"a part of it is gone: `{nowhere[0].text}`, `{nowhere[1].text}`", 0.55, best)
    precise = [token for token in nowhere if any(map(str.isdigit, token.key)) and not token.key.startswith("redacted")]
    if held >= KEPT_FROM and sum(map(rule.weights.of, precise)) >= 0.2 * rule.scale:
        return Judged("omission", f"what it is about is not there: `{precise[0].text}`", 0.55, best)
    if held >= KEPT_FROM and "forbid" in rule.cues and not any(Beside(rule, match, context).binds for match in found[:4] if match.own >= 0.4):
        return Judged("uncertain", "its words are there, but nothing that forbids", 0.4, best)
    if held >= KEPT_FROM:
        aside += [(change, match) for change, match in soft if change][:1]
        return Judged("kept", "its words, values and strength are there", round(min(0.99, held), 2), best, tuple(aside))
    if _in_other_words(rule, Beside(rule, ranked[0], context)):
        return Judged("kept", "in other words: the same names and values, bound in the same way", 0.55, ranked[0])
    if _all_named(rule, context.index):
        return Judged("kept", "its names and values are all there, in more than one place", 0.5, best)
    if held >= WEAKENED_FROM:
        lost = ", ".join(f"`{token.text}`" for token in best.missing[:4])
        return Judged("weakening", f"only a part is there; not found: {lost}", 0.5, best)
    return _gone(rule)


def _in_other_words(rule: Rule, there: Beside) -> bool:
    """A short sentence that names all that the rule names, nothing else of weight, and binds in the same direction."""
    anchors = [token for token in rule.words if token.kind != "word"]
    same_way = (
        rule.binds
        and not there.cues.keys() & {"permit", "hedge", "cancel", "widen"}
        and (there.cues.keys() & {"forbid", "restrict", "require"} or any(token.negated for token in there.words))
    )
    return (
        bool(anchors)
        and len(rule.words) <= 7
        and same_way
        and not any(token in there.missing for token in anchors)
        and there.mutual >= 0.6
        and there.match.own >= 0.3
    )


def _all_named(rule: Rule, index: object) -> bool:
    """A commitment that tells what there is, by names, all of which the summary has: it may tell of them one by one."""
    named = [token for token in rule.words if token.kind != "word" and not token.negated]
    free = not rule.cues.keys() & {"forbid", "restrict", "require", "reject", "cancel", "permit"}
    return len(named) >= 3 and free and all(map(index.has, named)) and sum(map(rule.weights.of, named)) >= 0.4 * rule.scale


def _first_change(rule: Rule, there: Beside, looks: tuple = ()) -> Change | None:
    trusted = None
    same = same_choice(rule, there)
    for look in looks or _CHANGE_LOOKS:
        if same and look in _OF_FORCE:
            continue
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
    return Judged("omission", NOT_SPOKEN_OF, 0.7, None)
