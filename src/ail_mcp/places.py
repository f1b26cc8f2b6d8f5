"""What became of the values and things of a commitment: replaced where they stood, made vague, or gone. Each look gives a change, or None."""

from __future__ import annotations

from .beside import Beside, Change, Rule, alike, name_shape
from .wording import CLASS_NOUNS, CUE_STEMS, LIGHT_STEMS, ORDER_WORDS, stem


def value_changed(rule: Rule, there: Beside) -> Change | None:
    """Another number, name, path or version stands where the rule has its own."""
    for token in there.missing:
        if token.kind == "word":
            continue
        rest = (there.match.own * rule.scale) / max(rule.scale - rule.weights.of(token), 0.01)
        for other in there.added:
            if (
                other.kind != token.kind
                or rest < (0.4 if there.mutual >= 0.3 and len(rule.words) < 7 else 0.5)
                or not _same_place(token, other, rule, there)
            ):
                continue
            if not there.in_source(other) or there.mutual >= 0.6 and not there.supported(other):
                return Change("mutation", f"`{token.text}` became `{other.text}`", 0.9)
            if rest >= 0.85 and there.mutual >= 0.6:
                return Change(
                    "temporal_error" if token.kind == "number" else "scope_error", f"`{other.text}` stands where `{token.text}` should", 0.6
                )
    return None


def proper_changed(rule: Rule, there: Beside) -> Change | None:
    """Another place or person, or a thing with a name, stands where the rule has its own, and the source never speaks of it."""
    gone = [token for token in _proper(rule.tokens) if token in there.nowhere]
    new = [token for token in _proper(there.tokens) if token in there.added and token.key not in there.context.source.postings]
    if not gone or not new:
        return None
    rest = (there.match.own * rule.scale) / max(rule.scale - sum(map(rule.weights.of, gone)), 0.01)
    if rest >= 0.5:
        at = rule.tokens.index(gone[0])
        place = rule.tokens[at - 1].text.casefold() in _PLACING or rule.tokens[at + 1 : at + 2] and rule.tokens[at + 1].kind == "word"
        return Change("mutation" if place else "scope_error", f"`{gone[0].text}` became `{new[0].text}`", 0.8)
    return None


_PLACING = frozenset("in at on to from of inside outside near through into onto via use using".split())


def _proper(found: list) -> list:
    """The plain words with a capital, but the first."""
    return [token for token in found[1:] if token.kind == "word" and token.text[0].isupper() and not token.text.isupper()]


def _same_place(token: object, other: object, rule: Rule, there: Beside) -> bool:
    """Whether two values play the same part: one dimension and a common neighbour, or names of one form."""
    if token.kind == "number":
        return (token.key[1] == other.key[1]) and (
            bool(token.key[1]) or bool(_neighbours(token, rule.tokens) & _neighbours(other, there.tokens))
        )
    alone = sum(each.kind == "name" for each in rule.words) == 1 == sum(each.kind == "name" for each in there.added) and len(rule.words) < 9
    return (
        alike(token.key, other.key)
        or alone
        and name_shape(token.key) == name_shape(other.key)
        or bool(_neighbours(token, rule.tokens) & _neighbours(other, there.tokens))
        and name_shape(token.key) == name_shape(other.key)
    )


def _neighbours(token: object, found: list) -> set:
    words = [t for t in found if t.kind != "stop"]
    keys = [t.key for t in words]
    at = next((i for i, t in enumerate(words) if t.key == token.key), None)
    return set() if at is None else set(keys[max(0, at - 2) : at] + keys[at + 1 : at + 3])


def value_gone(rule: Rule, there: Beside) -> Change | None:
    """The sentence is there, its number is not."""
    numbers = [token for token in rule.words if token.kind == "number"]
    gone = [token for token in numbers if token in there.nowhere]
    if gone and len(gone) == len(numbers):
        rest = (there.match.own * rule.scale) / max(rule.scale - sum(map(rule.weights.of, gone)), 0.01)
        vague = there.cues.get("some") or there.cues.get("vague")
        if rest >= 0.55 and vague and there.mutual >= 0.4:
            return Change(
                "weakening" if "some" in there.cues else "mutation", f"`{gone[0].text}` is replaced by a vague word (`{min(vague)}`)", 0.7
            )
        if rest >= (0.5 if len(rule.words) < 8 else 0.85) and there.mutual >= 0.6 and not there.cues.keys() & {"permit", "cancel"}:
            return Change("mutation", f"`{gone[0].text}` is not there", 0.6)
    return None


def slot_replaced(rule: Rule, there: Beside) -> Change | None:
    """The same sentence about another thing: a word of it is replaced where it stood, or the only one that differs is."""
    gone = [token for token in there.nowhere if token.key not in CUE_STEMS]
    new = [token for token in there.added if token.key not in CUE_STEMS and token.key not in LIGHT_STEMS]
    if any(all(token.key in CLASS_NOUNS for token in side) for side in (gone, new)) or {token.kind for token in gone}.isdisjoint(
        token.kind for token in new
    ):
        return None
    rest = (there.match.own * rule.scale) / max(rule.scale - sum(map(rule.weights.of, gone)), 0.01)
    if rest < 0.8 or len(gone) > 3 or len(rule.words) > 9 or any(there.supported(token) for token in new):
        return None
    same_slot = _slots(rule.tokens, gone) & _slots(there.tokens, new)
    only = (
        len(gone) <= 2
        and len(new) <= 2
        and len(there.words) <= len(rule.words) + 1
        and there.match.own >= 0.45
        and there.mutual >= 0.5
        and len(rule.words) <= 6
    )
    things = [token for token in gone if not is_verb(token, rule.tokens)], [token for token in new if not is_verb(token, there.tokens)]
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
    return {other.key for other in found[max(0, at - 3) : at]}


def is_verb(token: object, found: list = ()) -> bool:
    """Whether a word looks like a verb: it can begin an order or ends in -ed or -ing, and no article stands before it."""
    word = token.text.casefold()
    odd = token.key in ORDER_WORDS and word.endswith(("n", "t"))  # `shown`, `kept`
    if token.kind != "word" or word not in ORDER_WORDS and not odd and not word.endswith(("ed", "ing")):
        return False
    at = next((i for i, other in enumerate(found) if other.key == token.key), 0)
    return not (
        at
        and found[at - 1].text.casefold() in _ARTICLES
        or at + 1 < len(found)
        and word.endswith(("ed", "ing"))
        and found[at + 1].kind == "word"
    )


_ARTICLES = frozenset("the a an this that these those our your my their its of for all any every no failed".split())


def qualifier_gone(rule: Rule, there: Beside) -> Change | None:
    """The same sentence without a word that says of which thing: `customer data` became `data`."""
    if there.match.own < 0.6 or there.mutual < 0.6 or len(rule.words) > 7:
        return None
    here = {token.key for token in there.words}
    for before, token in zip(rule.tokens, rule.tokens[1:]):
        if before.kind == "word" and token.kind == "word" and before not in there.missing and token.key in here:
            continue
        if (
            before.kind == "word"
            and before in there.nowhere
            and not is_verb(before)
            and token.kind == "word"
            and token.key in here
            and before.key not in LIGHT_STEMS | CLASS_NOUNS
        ):
            return Change("weakening", f"`{before.text}` is gone from `{before.text} {token.text}`", 0.6)
    names = [token for token in there.nowhere if token.kind == "name"]
    if names and len(rule.words) < 12:
        return Change("weakening", f"`{names[0].text}` is gone", 0.6)
    return None
