"""The Budgeted Commitment Codec: rank, encode, verify, fall back to the source's words where doubt is high (arXiv 2605.17304, section 8).

Extraction and normalization come before; here atoms go in and a packet comes out. Safety atoms are never minified and never left out: a
budget that cannot hold them is refused, with the number of tokens that it would take.
"""
from __future__ import annotations

import collections
from dataclasses import replace

from .atoms import Atom, without_evidence
from .ccl import write_cclmin
from .errors import AilError, BudgetError, UsageError
from .renderings import FORMS, write_atoms
from .scores import LOW_CONFIDENCE, LOW_RISK, risk, safety_flag

HIGH_CONFIDENCE = 0.90  # what may be minified is at least so sure
TRIES_TO_FILL = 32  # how many atoms are tried in the room that is left behind the last one that fits

Packet = collections.namedtuple("Packet", "text tokens kept left raw")
Packet.__doc__ = """An encoded set of atoms: its text and size; the atoms in it, as they stand there; the atoms that did not fit, the riskiest
first; and the atoms that stand as the words of their source."""


def encode(atoms: list[Atom], count: object, budget: int | None = None, form: str = "ccl") -> Packet:
    """Atoms as text of at most `budget` tokens by `count(text)`, the riskiest first, in one of the forms that a program reads back.

    In the form `ccl` each atom stands in the cheapest way that it can bear: CCL-Min for what `bears_minifying`, CCL-Core for the rest. Raises
    BudgetError when the safety atoms alone need more, and UsageError for a form that nobody can decode.
    """
    if form not in FORMS or FORMS[form].read is None:
        raise UsageError("no such form can be decoded; expected one of " + ", ".join(name for name, row in FORMS.items() if row.read))
    raw = [atom for atom in atoms if needs_source(atom)]
    stated = [in_source_words(atom) if needs_source(atom) else atom for atom in atoms]
    ranked = sorted(stated, key=lambda atom: (not safety_flag(atom), -risk(atom)))  # equal risk keeps the order of the input
    bound = sum(map(safety_flag, ranked))
    kept = ranked if budget is None else _fitting(ranked, bound, count, budget, form)
    missing = collections.Counter(map(id, ranked)) - collections.Counter(map(id, kept))
    text = write_packet(kept, form)
    verify(kept, text, form)
    return Packet(text, count(text), kept, [atom for atom in ranked if id(atom) in missing], raw)


def bears_minifying(atom: Atom) -> bool:
    """Whether an atom may stand in CCL-Min (paper 7.3): low risk, high confidence, no safety flag, low criticality. CCL-Min leaves the author
    out, and what another said must not come back as the user's."""
    return atom.author == "user" and atom.criticality == 1 and atom.confidence >= HIGH_CONFIDENCE and risk(atom) <= LOW_RISK and not safety_flag(atom)


def needs_source(atom: Atom) -> bool:
    """Whether the words of the source say it better than the atom: it is not trusted, and they are known."""
    return atom.confidence < LOW_CONFIDENCE and bool(atom.evidence.quote)


def in_source_words(atom: Atom) -> Atom:
    """The atom with its parts taken back: a sentence of the same type and author, marked ambiguous."""
    return replace(atom, subject="", predicate="", value=atom.evidence.quote, ambiguous=True)


def write_packet(atoms: list[Atom], form: str) -> str:
    """Atoms in a form; for `ccl` each in the cheapest way that it can bear."""
    if form == "ccl" and any(map(bears_minifying, atoms)):
        minified = write_cclmin(atoms, core=lambda atom: not bears_minifying(atom))
        return min(minified, write_atoms(atoms, form), key=len)
    return write_atoms(atoms, form)


def verify(atoms: list[Atom], text: str, form: str) -> None:
    """Decode a packet and compare: every atom has to come back, and nothing else. Raises AilError, since a packet that does not decode to
    what went in must not leave the program."""
    read = FORMS[form].read(text)
    if form == "json":
        read = [without_evidence(atom) for atom in read]
    plain = [_as_minified if form == "cclmin" or text.startswith("@CCL/1m") and bears_minifying(atom) else without_evidence for atom in atoms]
    if collections.Counter(read) != collections.Counter(strip(atom) for strip, atom in zip(plain, atoms)):
        raise AilError("the packet does not decode to the atoms that went in; use --to json, and report the input")


def _as_minified(atom: Atom) -> Atom:
    """What CCL-Min carries of an atom."""
    return Atom(atom.type, atom.subject, atom.predicate, atom.value, atom.modality, atom.scope, ambiguous=atom.ambiguous)


def _fitting(ranked: list[Atom], bound: int, count: object, budget: int, form: str) -> list[Atom]:
    """The longest beginning of `ranked` that fits, and then what of the next atoms still does. The first `bound` atoms have to be in it."""
    def size(atoms: list[Atom]) -> int:
        return count(write_packet(atoms, form))

    needed = size(ranked[:bound])
    if needed > budget:
        raise BudgetError(f"{bound} safety commitments need {needed:,} tokens and the budget is {budget:,}; expected at least {needed:,}")
    low, high = bound, len(ranked)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(ranked[:middle]) <= budget else (low, middle - 1)
    kept = ranked[:low]
    for atom in ranked[low + 1:low + 1 + TRIES_TO_FILL]:
        if size([*kept, atom]) <= budget:
            kept.append(atom)
    return kept
