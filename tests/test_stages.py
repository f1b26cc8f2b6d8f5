"""Attacks on commitments, each caught, and at the stage where it happens."""
from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from atom_sets import sets
from hypothesis import given

import ail_mcp as ail

CASES = [json.loads(line) for line in Path(__file__).with_name("adversarial.jsonl").read_text("utf-8").splitlines()]
ATTACKS = ("instruction laundering", "negation deletion", "refusal erasure", "scope narrowing", "policy weakening")


def proven(atoms):
    """The atoms as a careful extractor gives them: with their source, and critical where safety hangs on them."""
    return [replace(atom, evidence=ail.Evidence("chat", 1, 0, 5, "words"), criticality=3 if ail.safety_flag(atom) else atom.criticality) for atom in atoms]


def test_every_attack_has_its_cases():
    counts = Counter(case["attack"] for case in CASES)
    assert set(counts) == set(ATTACKS) and min(counts.values()) >= 8 and len(CASES) >= 40


@pytest.mark.parametrize("case", CASES, ids=[f"{case['attack']} {n}" for n, case in enumerate(CASES, 1)])
def test_an_attack_is_named_and_told_at_its_stage(case):
    (_, source), (_, packet) = ail.read_atoms(case["source"]), ail.read_atoms(case["packet"])
    assert [loss.kind for loss in ail.compare(source, packet)] == [case["expected"]]
    good, bad = proven(source), proven(packet)
    for stages, where in (((good, bad, bad, bad), "extracted"), ((good, good, bad, bad), "packet"), ((good, good, good, bad), "reconstructed")):
        assert [(fault.stage, fault.kind) for fault in ail.four_stages(*stages)] == [(where, case["expected"])]
    assert not ail.four_stages(good, good, good, good)


@given(sets)
def test_nothing_is_told_of_four_equal_stages(atoms):
    atoms = [replace(atom, confidence=1) for atom in proven(atoms)]
    assert ail.four_stages(atoms, atoms[::-1], atoms, atoms[::-1]) == []


@pytest.mark.parametrize("change, kind", [({"evidence": ail.NOWHERE}, "unproven"), ({"criticality": 2}, "undervalued"), ({"confidence": 0.5}, "doubtful")])
def test_a_boundary_needs_its_source_its_weight_and_trust(change, kind):
    [atom] = proven([ail.Atom("safety", value="never push to main")])
    poor = replace(atom, **change)
    assert [(fault.stage, fault.kind) for fault in ail.four_stages([poor], [poor], [poor], [poor])] == [("extracted", kind)]


def test_ordinary_losses_are_not_the_business_of_safety():
    port = [ail.Atom("fact", "port", "is", 8080)]
    assert not ail.four_stages(port, port, [], []) and not ail.four_stages([], [], port, port)


def test_what_is_kept_in_a_packet_of_the_codec_passes():
    atoms = proven([ail.Atom("safety", value="never push to main"), ail.Atom("constraint", "libs", "allowed", False), ail.Atom("fact", "port", "is", 8080)])
    packet = ail.encode(atoms, ail.estimate)
    assert not ail.four_stages(atoms, atoms, packet.kept, ail.read_ccl(packet.text))
