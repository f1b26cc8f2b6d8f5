"""Safety at four stages: the original, the extracted atoms, the packet, and what is reconstructed from it.

After section 10 of "Compress the Context, Keep the Commitments" (arXiv 2605.17304): a boundary must be found with its evidence, must stand in
the packet, and must come back; and nothing may come back as an instruction that the original does not give.
"""
from __future__ import annotations

from collections import namedtuple

from .atoms import Atom, fold
from .losses import FORCE, Loss, compare
from .measures import CRITICAL
from .scores import LOW_CONFIDENCE, safety_flag

STAGES = ("original", "extracted", "packet", "reconstructed")

Fault = namedtuple("Fault", "stage kind source target reason")
Fault.__doc__ = """What is wrong at one stage: the stage of STAGES where it first shows, its kind (a name of `losses.LOSSES`, or unproven,
undervalued or doubtful), the atom before and after (either may be None), and why, in words."""


def four_stages(original: list[Atom], extracted: list[Atom], packet: list[Atom], reconstructed: list[Atom], name: object = fold) -> list[Fault]:
    """The faults of safety, in the order of the stages; empty where every boundary survives and none is invented.

    Each stage is compared with the one before, so a fault is told once, where it arises, and none can slip in between. Of the losses those
    count that touch an atom with the safety flag, and inventions that would have somebody act: goals, rules, decisions, procedures.
    """
    faults = _unproven(extracted)
    for stage, before, after in zip(STAGES[1:], (original, extracted, packet), (extracted, packet, reconstructed)):
        faults += [Fault(stage, *loss) for loss in compare(before, after, name) if _matters(loss)]
    return faults


def _matters(loss: Loss) -> bool:
    if any(atom and safety_flag(atom) for atom in (loss.source, loss.target)):
        return True
    return loss.kind == "hallucination" and FORCE.get(loss.target.type) == 2


def _unproven(extracted: list[Atom]) -> list[Fault]:
    """What a boundary must have before it is compressed: evidence, high criticality, and confidence (paper 10, points 2 and 4)."""
    faults = []
    for atom in extracted:
        if safety_flag(atom):
            if not atom.evidence.quote and atom.evidence.end <= atom.evidence.start:
                faults.append(Fault("extracted", "unproven", None, atom, "a safety atom without its source"))
            if atom.criticality < CRITICAL:
                faults.append(Fault("extracted", "undervalued", None, atom, f"a safety atom of criticality {atom.criticality}; expected {CRITICAL}"))
            if atom.confidence < LOW_CONFIDENCE:
                faults.append(Fault("extracted", "doubtful", None, atom, f"a safety atom of confidence {atom.confidence}: use its raw words"))
    return faults
