"""One commitment as a record, and what two of them are to each other: identity, equivalence, conflict.

After sections 4.1, 4.2 and 4.5 of "Compress the Context, Keep the Commitments" (arXiv 2605.17304): an atom is
`(type, subject, predicate, value, modality, scope, evidence, confidence, criticality)`, and who said it. "No external libraries" is
`Atom("constraint", "external_libraries", "allowed", False, "must")`. A sentence whose parts nobody named is an atom too: subject and
predicate are empty and the value is the sentence.
"""
from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, replace

from .errors import UsageError
from .quantities import normal_value

# What a commitment can be (paper 4.1), and `done`, which real sessions need: a finished task, so that nobody does it again.
TYPES = ("goal", "constraint", "preference", "decision", "rejection", "fact", "procedure", "open", "done", "artifact", "safety", "tool_result")
MODALITIES = ("must", "must_not", "should", "should_not", "may", "is", "was_rejected", "open")
AUTHORS = ("user", "assistant", "tool")

# The modality that a type has unless it says otherwise.
USUAL_MODALITY = {"goal": "must", "constraint": "must", "preference": "should", "rejection": "was_rejected", "open": "open", "safety": "must"}

TEXT_AT_MOST = 4_000  # characters of a subject, predicate, scope, or one text in a value
ITEMS_AT_MOST = 200  # items of a list or a map

# Predicates under which several values stand side by side; under all others a second value contradicts the first.
MANY_VALUED = frozenset("includes likes dislikes contains covers mentions uses uses_also avoids requires supports visits".split())

Evidence = namedtuple("Evidence", "source turn start end quote", defaults=("", 0, 0, 0, ""))
Evidence.__doc__ = """Where an atom was said: the source's name, the turn (from 1; 0 unknown), the span of characters in that turn, the words."""
NOWHERE = Evidence()


@dataclass(frozen=True)
class Atom:
    """One commitment. `value` is a bool, an int, a float, a text, None (nothing said), a tuple of such (a list), or a tuple of
    `(name, such)` pairs (a map). `criticality` is 1 (helpful) to 3 (later work is wrong without it), `confidence` 0 to 1.

    Raises UsageError for a field outside its range, so that no invalid atom exists.
    """

    type: str
    subject: str = ""
    predicate: str = ""
    value: object = None
    modality: str = ""  # "" is the usual one of the type
    scope: str = ""
    evidence: Evidence = NOWHERE
    confidence: float = 1.0
    criticality: int = 0  # 0 is the usual one, see `usual_criticality`
    author: str = "user"
    ambiguous: bool = False  # the words are kept as they were said, since no rule says what they are called

    def __post_init__(self) -> None:
        require("type", self.type, TYPES)
        object.__setattr__(self, "modality", self.modality or USUAL_MODALITY.get(self.type, "is"))
        require("modality", self.modality, MODALITIES)
        require("author", self.author, AUTHORS)
        for name in ("subject", "predicate", "scope"):
            _short_text(name, getattr(self, name))
        _check_value(self.value)
        if type(self.criticality) is not int or not 0 <= self.criticality <= 3:
            raise UsageError("criticality is outside its range; expected 1, 2 or 3")
        if not self.criticality:
            object.__setattr__(self, "criticality", usual_criticality(self))
        if type(self.confidence) not in (int, float) or not 0 <= self.confidence <= 1:
            raise UsageError("confidence is outside its range; expected 0 to 1")
        object.__setattr__(self, "confidence", round(float(self.confidence), 2))
        if type(self.ambiguous) is not bool:
            raise UsageError("ambiguous is no truth value; expected true or false")


def require(field: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise UsageError unless the value is one of the allowed words; the message does not repeat it."""
    if value not in allowed:
        raise UsageError(f"{field} is none that is known; expected one of {', '.join(allowed)}")


def _short_text(field: str, value: object) -> None:
    if type(value) is not str or len(value) > TEXT_AT_MOST:
        raise UsageError(f"{field} is no text of at most {TEXT_AT_MOST} characters")
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise UsageError(f"{field} holds half a character (a lone surrogate), which no file can hold")


def _check_value(value: object) -> None:
    """A scalar, a list of scalars or a map of scalars; nothing is nested deeper, so every rendering can hold it."""
    items = value if type(value) is tuple else (value,)
    if len(items) > ITEMS_AT_MOST:
        raise UsageError(f"value has more than {ITEMS_AT_MOST} items")
    named = is_map(value)
    for item in items:
        if named:
            _short_text("a name in value", item[0])
            item = item[1]
        if type(item) is str:
            _short_text("value", item)
        elif type(item) in (int, float) and not -1e300 < item < 1e300:
            raise UsageError("value is no number between -1e300 and 1e300")
        elif item is not None and type(item) not in (bool, int, float):
            raise UsageError("value is none of truth value, number, text, list of these, map of these")
    if named and len({name for name, _ in value}) < len(value):
        raise UsageError("value names an item twice")


def is_map(value: object) -> bool:
    """Whether a value is a map: a tuple of `(name, value)` pairs."""
    return type(value) is tuple and bool(value) and all(type(item) is tuple and len(item) == 2 for item in value)


def usual_criticality(atom: Atom) -> int:
    """How costly it is to lose the atom when nobody said (paper 4.5): 3 for negations, exact numbers, goals, rules, user's decisions,
    rejected options and safety boundaries; 1 for preferences and finished work; else 2."""
    if atom.type in ("goal", "constraint", "safety", "rejection") or atom.type == "decision" and atom.author == "user":
        return 3
    if atom.modality in ("must", "must_not", "should_not", "was_rejected") or atom.value is False:
        return 3
    if type(atom.value) in (int, float):
        return 3
    return 1 if atom.type in ("preference", "done") else 2


def fold(name: str) -> str:
    """A name as identity compares it: lower case, and one `_` for each run of spaces, hyphens and underscores."""
    return "_".join(name.casefold().replace("-", " ").replace("_", " ").split())


def identity(atom: Atom, name: object = fold) -> tuple[str, str, str, str]:
    """What the atom is about: `norm(type, subject, predicate, scope)` (paper 4.2). `name` maps surface words to canonical ones; a lexicon's
    `canonical` does more than `fold`."""
    return atom.type, name(atom.subject), fold(atom.predicate), fold(atom.scope)


# Modalities by what they bind to; the sign is kept apart, so that "must not, true" and "must, false" are one rule.
_STRENGTH = {"must": 3, "must_not": 3, "is": 3, "should": 2, "should_not": 2, "may": 1, "was_rejected": 0, "open": -1}
_NEGATIVE = ("must_not", "should_not")


def strength(atom: Atom) -> int:
    """How far the atom binds: 3 must and is, 2 should, 1 may, 0 was rejected, -1 open."""
    return _STRENGTH[atom.modality]


def claim(atom: Atom) -> tuple[bool, object]:
    """`(affirmed, value)`: a negative modality over a truth value is the other truth value; over anything else it negates the atom."""
    negative = atom.modality in _NEGATIVE
    if type(atom.value) is bool:
        return True, normal_value(atom.value != negative)
    return not negative, normal_value(atom.value)


def meaning(atom: Atom, name: object = fold) -> tuple:
    """A key that is equal for equivalent atoms: identity, what is claimed, and how strongly."""
    return identity(atom, name), claim(atom), strength(atom)


def equivalent(a: Atom, b: Atom, name: object = fold) -> bool:
    """Same identity, equal normalized value, compatible modality (paper 4.2). Reflexive, symmetric and transitive, since it compares keys."""
    return meaning(a, name) == meaning(b, name)


def sign(atom: Atom) -> int:
    """1 where the atom affirms its `matter`, -1 where it denies or rejects it, 0 where it is open."""
    affirmed, value = claim(atom)
    if atom.modality == "open":
        return 0
    return 1 if (affirmed and value != ("truth", False)) != (atom.modality == "was_rejected") else -1


def matter(atom: Atom) -> tuple:
    """The normal value that `sign` affirms or denies: "false" denies what "true" affirms, so both have one matter."""
    value = claim(atom)[1]
    return ("truth", True) if value[0] == "truth" and atom.modality != "open" else value


def takes_one_value(atom: Atom) -> bool:
    """Whether a second value under the same identity contradicts the first: not under a predicate of `MANY_VALUED`, and not for texts without
    subject, where another sentence is another thing."""
    return bool(fold(atom.subject)) and fold(atom.predicate) not in MANY_VALUED


def conflict(a: Atom, b: Atom, name: object = fold) -> bool:
    """Same identity, and values or polarity that cannot both hold. Symmetric; never true of equivalent atoms.

    One value affirmed and denied (or rejected) is a conflict, and so are two values affirmed where there can be one. A weaker or stronger form
    of the same claim is none, nor is one value rejected and another chosen, nor anything open.
    """
    if identity(a, name) != identity(b, name):
        return False
    if matter(a) == matter(b):
        return sign(a) * sign(b) < 0
    return sign(a) == sign(b) == 1 and takes_one_value(a)


def without_evidence(atom: Atom) -> Atom:
    """The atom as every lossless rendering but JSON carries it."""
    return replace(atom, evidence=NOWHERE)
