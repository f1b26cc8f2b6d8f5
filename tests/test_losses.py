"""Losses between two sets of atoms: each by its name, and none where nothing was lost."""
from __future__ import annotations

from dataclasses import replace

import pytest
from atom_sets import DAMAGE, close, damaged, sets
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail


@given(damaged())
def test_every_damage_is_named_exactly(case):
    kind, source, target, atom = case
    losses = ail.compare(source, target)
    assert [loss.kind for loss in losses] == [kind]
    assert losses[0].reason
    if kind == "hallucination":
        assert losses[0].source is None and losses[0].target.subject == "webgl"
    else:
        assert losses[0].source == atom


def test_the_generator_makes_every_kind():
    assert set(DAMAGE) == set(ail.LOSSES)


@pytest.mark.parametrize("kind", ail.LOSSES)
def test_each_kind_is_found_among_others(kind):
    source = [ail.Atom("constraint", "agents", "equals", 350), ail.Atom("safety", "use", "limited_to", "defence"), ail.Atom("fact", "port", "is", 8080)]
    i = 1 if kind == "safety_erasure" else 0
    instead, beside = DAMAGE[kind](source[i], source)
    assert [loss.kind for loss in ail.compare(source + beside, source[:i] + instead + source[i + 1:])] == [kind]


@given(sets, st.randoms(use_true_random=False))
def test_nothing_is_lost_by_order_or_wording(atoms, random):
    other = [replace(atom, evidence=ail.NOWHERE, confidence=1.0, criticality=1, subject=atom.subject.upper(), ambiguous=not atom.ambiguous) for atom in atoms]
    random.shuffle(other)
    assert ail.compare(atoms, other) == [] == ail.compare(other, atoms)


@pytest.mark.parametrize("form", [form for form, row in ail.FORMS.items() if row.lossless])
@given(sets)
def test_nothing_is_lost_in_another_form(form, atoms):
    assert ail.compare(atoms, ail.FORMS[form].read(ail.write_atoms(atoms, form))) == []


@given(sets, sets)
def test_every_difference_is_a_loss_and_every_loss_has_a_name(source, target):
    losses = ail.compare(source, target)
    assert {loss.kind for loss in losses} <= set(ail.LOSSES)
    gone = {ail.meaning(atom) for atom in source} - {ail.meaning(atom) for atom in target}
    new = {ail.meaning(atom) for atom in target} - {ail.meaning(atom) for atom in source}
    assert gone <= {ail.meaning(loss.source) for loss in losses if loss.source}
    assert new <= {ail.meaning(loss.target) for loss in losses if loss.target}


@given(sets, sets)
def test_a_target_atom_is_in_one_loss_at_most(source, target):
    from collections import Counter
    new = [repr(atom) for atom in target if ail.meaning(atom) not in {ail.meaning(a) for a in source}]
    said = Counter(repr(loss.target) for loss in ail.compare(source, target) if loss.target)
    assert all(said[text] == n for text, n in Counter(new).items())


@pytest.mark.parametrize("kind, before, after", [
    ("weakening", {"type": "constraint", "value": "x"}, {"type": "preference", "value": "x"}),
    ("weakening", {"type": "constraint", "value": "x"}, {"type": "constraint", "value": None}),
    ("weakening", {"type": "decision", "value": "x"}, {"type": "decision", "value": "x", "modality": "open"}),
    ("hallucination", {"type": "fact", "value": "x", "author": "tool"}, {"type": "constraint", "value": "x"}),
    ("hallucination", {"type": "fact", "value": "x", "author": "tool"}, {"type": "fact", "value": "x", "author": "user"}),
    ("hallucination", {"type": "preference", "value": "x"}, {"type": "preference", "value": "x", "modality": "must"}),
    ("hallucination", {"type": "open", "value": "x"}, {"type": "decision", "value": "x"}),
    ("hallucination", {"type": "open", "value": "x"}, {"type": "fact", "value": "x"}),
    ("weakening", {"type": "fact", "value": "x"}, {"type": "open", "value": "x"}),
    ("hallucination", {"type": "open", "value": "x"}, {"type": "done", "value": "x"}),
    ("hallucination", {"type": "goal", "value": "x"}, {"type": "done", "value": "x"}),
    ("temporal_error", {"type": "done", "value": "x"}, {"type": "open", "value": "x"}),
    ("temporal_error", {"type": "done", "value": "x"}, {"type": "goal", "value": "x"}),
    ("temporal_error", {"type": "rejection", "value": "x"}, {"type": "decision", "value": "x"}),
    ("temporal_error", {"type": "decision", "value": "x", "modality": "was_rejected"}, {"type": "decision", "value": "x"}),
    ("safety_erasure", {"type": "safety", "value": "x"}, {"type": "fact", "value": "x"}),
    ("mutation", {"type": "decision", "value": "x"}, {"type": "constraint", "value": "x"}),
    ("polarity_flip", {"type": "constraint", "value": True}, {"type": "constraint", "value": "no"}),
    ("scope_error", {"type": "constraint", "value": True, "scope": "all of it"}, {"type": "constraint", "value": True}),
])
def test_finer_losses(kind, before, after):
    source, target = (ail.Atom(**{"subject": "s", "predicate": "p", **fields}) for fields in (before, after))
    assert [loss.kind for loss in ail.compare([source], [target])] == [kind]


def test_two_values_side_by_side_are_not_one_that_changed():
    fado, surf = (ail.Atom("preference", "trip", "likes", value) for value in ("fado", "surfing"))
    assert {loss.kind for loss in ail.compare([fado], [surf])} == {"omission", "hallucination"}


def test_a_rejected_value_returns_beside_the_choice():
    canvas, svg = ail.Atom("decision", "backend", "selected", "Canvas"), ail.Atom("rejection", "backend", "rejected", "SVG")
    back = ail.Atom("decision", "backend", "fallback", "svg")
    assert [(loss.kind, loss.source) for loss in ail.compare([canvas, svg], [canvas, svg, back])] == [("temporal_error", svg)]


def test_a_value_that_stands_elsewhere_does_not_return():
    svg, rejected = ail.Atom("decision", "logo", "selected", "SVG"), ail.Atom("rejection", "logo", "rejected", "SVG", scope="print")
    new = ail.Atom("fact", "logo", "format", "SVG")
    assert [loss.kind for loss in ail.compare([svg, rejected], [svg, rejected, new])] == ["hallucination"]


def test_true_returns_only_under_its_own_predicate():
    rejected = ail.Atom("rejection", "libs", "allowed", True)
    for predicate, kind in (("documented", "hallucination"), ("allowed", "temporal_error")):
        assert [loss.kind for loss in ail.compare([rejected], [rejected, ail.Atom("fact", "libs", predicate, True)])] == [kind]


def test_where_only_the_softer_form_is_left_the_rule_is_weakened():
    must, may = (ail.Atom("constraint", "tests", "run", "nightly", modality) for modality in ("must", "may"))
    assert [(loss.kind, loss.source, loss.target) for loss in ail.compare([must, may], [may])] == [("weakening", must, may)]
    assert [(loss.kind, loss.source) for loss in ail.compare([must, may], [must])] == [("omission", may)]


# Table 6 of the paper: what is injected into the epidemic simulation, what it is called, and whether it is a conflict. Every one takes CAR down.
EPIDEMIC = [ail.Atom("constraint", "external_libraries", "allowed", False), ail.Atom("constraint", "external_assets", "allowed", False),
            ail.Atom("constraint", "output", "equals", "code only"), ail.Atom("fact", "agent_count", "equals", 350),
            ail.Atom("constraint", "reset_control", "present", True), ail.Atom("fact", "grid_width", "equals", 80)]


@pytest.mark.parametrize("i, instead, kind, clash", [
    (1, [], "omission", False),
    (3, [200], "mutation", True),
    (0, [True], "polarity_flip", True),
    (2, ["provide explanation"], "mutation", True),
    (4, [], "omission", False),
], ids=["assets removed", "count 200", "libs true", "explanation", "reset removed"])
def test_table_6_of_the_paper(i, instead, kind, clash):
    damaged_set = EPIDEMIC[:i] + [replace(EPIDEMIC[i], value=value) for value in instead] + EPIDEMIC[i + 1:]
    [loss] = ail.compare(EPIDEMIC, damaged_set)
    assert loss.kind == kind and loss.source == EPIDEMIC[i]
    assert ail.car(EPIDEMIC, EPIDEMIC) == 1 > ail.car(EPIDEMIC, damaged_set) == pytest.approx(5 / 6)
    assert bool(loss.target and ail.conflict(loss.source, loss.target)) == clash


@given(close, close)
def test_a_mutation_or_a_flip_of_one_value_is_a_conflict(a, b):
    for loss in ail.compare([a], [b]):
        if loss.kind == "polarity_flip" or loss.kind == "mutation" and ail.sign(a) == 1 and a.type == b.type:
            assert ail.conflict(a, b)
