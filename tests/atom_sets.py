"""Sets of atoms for hypothesis, and the eight kinds of damage, each done to one atom of a set so that its name is certain."""
from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

import ail_mcp as ail

# Few choices, so that equal, opposed and rejected atoms really come up.
SUBJECTS = ["", "libs", "Libs", "rate limit", "rate-limit", "backend", "password", "trip"]
PREDICATES = ["allowed", "equals", "likes", "selected", ""]
VALUES = [None, True, False, "yes", 5, "five", "500 ms", "0.5s", 350, 1, 1.0, "Canvas", "SVG", "fado", ("a", "b"), (("w", 80), ("h", 50))]
SCOPES = ["", "chart", "production"]
close = st.builds(ail.Atom, st.sampled_from(ail.TYPES), st.sampled_from(SUBJECTS), st.sampled_from(PREDICATES), st.sampled_from(VALUES),
                  st.sampled_from(("", *ail.MODALITIES)), st.sampled_from(SCOPES), confidence=st.sampled_from([0.5, 1.0]), criticality=st.integers(0, 3),
                  author=st.sampled_from(ail.AUTHORS), ambiguous=st.booleans(),
                  evidence=st.sampled_from([ail.NOWHERE, ail.Evidence("a.jsonl", 3, 0, 9, "no libs!!")]))
narrow = st.builds(ail.Atom, st.sampled_from(["fact", "decision"]), st.sampled_from(["libs", "Libs", ""]), st.sampled_from(["allowed", "likes"]),
                   st.sampled_from([True, False, 5, "five", "Canvas"]), st.sampled_from(["must", "must_not", "should", "was_rejected", "open"]),
                   criticality=st.sampled_from([1, 3]), author=st.sampled_from(["user", "tool"]))
sets = st.lists(narrow, max_size=6) | st.lists(close, max_size=12)


def repeated(atoms: list) -> list[str]:
    """A set as what it is apart from order: equal only where every field of every atom is, and `True` is not 1."""
    return sorted(map(repr, atoms))


def meanings(atoms: list) -> set:
    return {ail.meaning(atom) for atom in atoms}


def _plain_rule(atom) -> bool:
    return atom.modality in ("must", "is") and atom.type not in ("open", "rejection", "done") and ail.sign(atom) > 0


def _alone(atom, atoms) -> bool:
    """Whether no other atom of the set has the same subject, so that what is done to this one can be told from what stands beside it."""
    return sum(ail.fold(other.subject) == ail.fold(atom.subject) for other in atoms) == 1


def omission(atom, atoms):
    return None if ail.safety_flag(atom) else ([], [])


def safety_erasure(atom, atoms):
    return ([], []) if ail.safety_flag(atom) else None


def weakening(atom, atoms):
    return ([replace(atom, modality="should_not" if atom.modality == "must_not" else "may")], []) if ail.strength(atom) >= 2 and atom.modality != "should_not" else None


def mutation(atom, atoms):
    return ([replace(atom, value="something else entirely")], []) if ail.takes_one_value(atom) and _plain_rule(atom) and type(atom.value) is not bool else None


def polarity_flip(atom, atoms):
    flipped = {"must": "must_not", "should": "should_not", "must_not": "must", "should_not": "should"}.get(atom.modality)
    return ([replace(atom, modality=flipped)], []) if flipped else None


def scope_error(atom, atoms):
    return [replace(atom, scope="the wrong thing")], []


def temporal_error(atom, atoms):
    """The rejected option comes back: a rejection is put beside the atom in the source, and the target asserts it instead of the choice."""
    if not (_plain_rule(atom) and ail.takes_one_value(atom)) or type(atom.value) is bool or ail.matter(atom)[0] == "truth":
        return None
    rejection = ail.Atom("rejection", atom.subject, "rejected", "the old way")
    return [replace(atom, value="the old way"), rejection], [rejection]


def hallucination(atom, atoms):
    return [atom, ail.Atom("constraint", "webgl", "required", True)], []


DAMAGE = {kind.__name__: kind for kind in (omission, weakening, mutation, polarity_flip, scope_error, temporal_error, hallucination, safety_erasure)}


@st.composite
def damaged(draw):
    """`(kind, source, target, atom)`: a set, the same set reordered with one of its atoms damaged, which damage it is, and the atom."""
    source = draw(st.lists(close, min_size=1, max_size=10))
    chances = [(kind, i) for i, atom in enumerate(source) for kind, damage in DAMAGE.items() if _alone(atom, source) and damage(atom, source)]
    if not chances:
        source = [ail.Atom("constraint", "grid", "equals", 80)]
        chances = [("mutation", 0)]
    kind = draw(st.sampled_from(sorted({kind for kind, _ in chances})))
    i = draw(st.sampled_from([i for k, i in chances if k == kind]))
    instead, beside = DAMAGE[kind](source[i], source)
    target = draw(st.permutations(source[:i] + source[i + 1:] + instead))
    return kind, source + beside, target, source[i]
