"""How much of a set of atoms another set still holds, and what can be known about that without labels.

After section 5 of "Compress the Context, Keep the Commitments" (arXiv 2605.17304): CAR, WAR, CD and recoverability compare with atoms that
are known to be right (`gold`); the proxies of 5.5 need none. An atom is held when the other set has an equivalent one. `name` is the mapping
of names that identity uses (see `atoms.identity`). All is linear in the number of atoms.
"""
from __future__ import annotations

import collections
from collections import namedtuple

from .atoms import Atom, fold, meaning
from .scores import HIGH_RISK, LOW_CONFIDENCE, risk

CRITICAL = 3  # the criticality from which an atom belongs to the critical ones, the paper's A_c


def held(gold: list[Atom], kept: list[Atom], name: object = fold) -> list[bool]:
    """For each gold atom whether `kept` has an equivalent one."""
    there = {meaning(atom, name) for atom in kept}
    return [meaning(atom, name) in there for atom in gold]


def car(gold: list[Atom], kept: list[Atom], name: object = fold, least: int = CRITICAL) -> float:
    """Critical atom recall (5.1): the share of the gold atoms of criticality `least` or more that are held, 0 to 1; 1 where there is none."""
    return war(gold, kept, name, [int(atom.criticality >= least) for atom in gold])


def war(gold: list[Atom], kept: list[Atom], name: object = fold, weights: list[float] | None = None) -> float:
    """Weighted atom recall (5.2): the share of the gold atoms' weight that is held, 0 to 1; 1 where nothing has weight.

    Without `weights`, one for each gold atom and none below 0, an atom weighs its criticality and all gold atoms count: over the critical ones
    alone that would say again what `car` says.
    """
    weights = [atom.criticality for atom in gold] if weights is None else weights
    total = sum(weights)
    return sum(w for w, yes in zip(weights, held(gold, kept, name)) if yes) / total if total else 1.0


def density(gold: list[Atom], kept: list[Atom], tokens: int, name: object = fold, least: int = CRITICAL) -> float:
    """Commitment density (5.3): critical atoms held for each token of the text that holds them; 0 for a text without tokens."""
    critical = [atom for atom in gold if atom.criticality >= least]
    return sum(held(critical, kept, name)) / tokens if tokens else 0.0


def recoverable(gold: list[Atom], decoded: list[Atom], name: object = fold, least: int = CRITICAL) -> bool:
    """Whether every critical atom has an equivalent in what was decoded (5.4). That says no more than `car` of 1."""
    return car(gold, decoded, name, least) == 1


def agreement(passes: list[list[Atom]], name: object = fold) -> float:
    """The share of what any pass found that all of them found, 0 to 1; 1 where none found anything.

    Two extractors give their agreement; one extractor over the text and over the same text shuffled or cut in other places, its
    self-consistency; atoms and what was decoded from their rendering, round-trip consistency: what is lost and what is invented both count.
    """
    found = [{meaning(atom, name) for atom in atoms} for atoms in passes]
    either = set().union(*found)
    return len(either.intersection(*found)) / len(either) if either else 1.0


def support(atoms: list[Atom], passes: list[list[Atom]], name: object = fold) -> list[float]:
    """For each atom the share of the passes that found it: the part `agree` of `scores.confidence`. 1 where there is no pass."""
    times = collections.Counter(key for found in passes for key in {meaning(atom, name) for atom in found})
    return [times[meaning(atom, name)] / len(passes) if passes else 1.0 for atom in atoms]


Proxies = namedtuple("Proxies", "self_consistency agreement roundtrip schema_failures low_confidence high_risk high_risk_held")
Proxies.__doc__ = """What can be known without labels (5.5): three shares from 0 to 1 (None where nothing was given to compare), the number of records
that no schema takes, of atoms that are little believed and of atoms of high risk, and the share of the latter that the packet holds."""


def proxies(atoms: list[Atom], packet: list[Atom] | None = None, again: list[Atom] | None = None, other: list[Atom] | None = None,
            schema_failures: int = 0, name: object = fold) -> Proxies:
    """`packet` are the atoms decoded from the packet, `again` those of the same extractor over the text shuffled or cut elsewhere, `other`
    those of another extractor."""
    def share(those: list[Atom] | None) -> float | None:
        return None if those is None else agreement([atoms, those], name)

    high = [atom for atom in atoms if risk(atom) >= HIGH_RISK]
    return Proxies(share(again), share(other), share(packet), schema_failures, sum(atom.confidence < LOW_CONFIDENCE for atom in atoms), len(high),
                   None if packet is None else war(high, packet, name, [1] * len(high)))


def doubts(found: Proxies) -> list[str]:
    """Why a larger packet, raw spans or no compression would be the better choice, in words; nothing where the proxies see no reason."""
    shares = {"two runs of the extractor": found.self_consistency, "two extractors": found.agreement,
              "the atoms and the decoded packet": found.roundtrip}
    counts = {"records that fail the schema": found.schema_failures, "atoms of low confidence": found.low_confidence}
    reasons = [f"{who} agree on {_percent(share)} of the atoms" for who, share in shares.items() if share is not None and share < 1]
    reasons += [f"{what}: {n}" for what, n in counts.items() if n]
    if found.high_risk_held is not None and found.high_risk_held < 1:
        reasons.append(f"the packet holds {_percent(found.high_risk_held)} of the {found.high_risk} atoms of high risk")
    return reasons


def _percent(share: float) -> str:
    return f"{int(100 * share)} %"  # never rounded up to 100
