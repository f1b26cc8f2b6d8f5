"""Measures, scores and proxies: their laws, and the paper's numbers."""
from __future__ import annotations

from dataclasses import replace

import pytest
from atom_sets import close, meanings, sets
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

shares = st.floats(0, 1)


def test_the_weights_are_whole():
    assert sum(ail.CONFIDENCE_WEIGHTS.values()) == 100 == sum(ail.RISK_WEIGHTS.values())
    assert [ail.CONFIDENCE_WEIGHTS[part] for part in ("span", "agree", "roundtrip", "schema", "anchor")] == [30, 25, 20, 15, 10]


@given(st.lists(shares, min_size=5, max_size=5), st.integers(0, 4), shares)
def test_confidence_grows_with_each_part(parts, i, other):
    low, high = sorted((parts[i], other))
    less, more = (ail.confidence(*parts[:i], part, *parts[i + 1:]) for part in (low, high))
    assert 0 <= less <= more <= 1


def test_confidence_has_its_ends_and_refuses_what_is_no_share():
    assert ail.confidence(0, 0, 0, 0, 0) == 0 and ail.confidence(1, 1, 1, 1, 1) == 1
    assert ail.confidence(1, 0, 0, 1, 0) == pytest.approx(0.45)
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(ail.UsageError):
            ail.confidence(1, 1, bad, 1, 1)


@given(close, st.integers(1, 3), shares, st.booleans())
def test_risk_grows_with_each_part(atom, criticality, confidence, ambiguous):
    def not_less(a, b):
        assert 0 <= ail.risk(a) <= ail.risk(b) <= 1

    not_less(*sorted((atom, replace(atom, criticality=criticality)), key=lambda a: a.criticality))
    not_less(*sorted((atom, replace(atom, confidence=confidence)), key=lambda a: -a.confidence))
    not_less(*sorted((atom, replace(atom, ambiguous=ambiguous)), key=lambda a: a.ambiguous))
    not_less(*sorted((atom, replace(atom, type="safety", modality=atom.modality)), key=ail.safety_flag))


@given(close)
def test_what_is_critical_or_safety_is_never_of_low_risk(atom):
    if atom.criticality == 3 or ail.safety_flag(atom):
        assert ail.risk(atom) >= ail.HIGH_RISK > ail.LOW_RISK
    elif atom.criticality == 1:
        assert ail.risk(atom) <= ail.LOW_RISK


QUIET = ail.Atom("fact", "port", "is", 8080)


@pytest.mark.parametrize("change", [{"type": "safety"}, {"subject": "API key"}, {"predicate": "requires consent"}, {"value": "never delete backups"},
                                    {"value": ("blue", "passwords")}, {"value": (("secrets", 1),)}, {"scope": "production"}, {"scope": "read-only copy"}])
def test_any_one_detector_sets_the_safety_flag(change):
    atom = replace(QUIET, **change)
    assert not ail.safety_flag(QUIET) and ail.safety_flag(atom)
    assert sum((ail.safe_by_type(atom), ail.safe_by_words(atom), ail.safe_by_scope(atom))) == 1


@given(close, st.sampled_from([{"type": "safety"}, {"value": "the password"}, {"scope": "production"}]), st.sampled_from(["", "port", "chart"]))
def test_no_detector_silences_another(atom, loud, quiet):
    assert ail.safety_flag(replace(atom, **{"subject": quiet, "scope": quiet, **loud}))
    assert ail.safety_flag(atom) <= ail.safety_flag(atom, ("fado",))


@pytest.mark.parametrize("subject", ["deploys", "TLS", "dry run", "bookings", "merging"])
def test_what_the_lexicon_marks_is_flagged_under_any_of_its_names(subject):
    assert ail.safety_flag(replace(QUIET, subject=subject)) and ail.safe_by_words(replace(QUIET, subject=subject.upper()))
    assert all(ail.safety_flag(replace(QUIET, subject=name)) for name, row in ail.closed_table()[0].items() if row.safety)


def test_a_project_adds_words():
    assert ail.safety_flag(QUIET, ("port",)) and ail.safety_flag(QUIET, ("Port is",)) and not ail.safety_flag(QUIET, ("ort", "", "-"))


GOLD = [ail.Atom("constraint", "libs", "allowed", False), ail.Atom("fact", "agents", "equals", 350), ail.Atom("preference", "theme", "is", "dark"),
        ail.Atom("fact", "status", "is", "draft")]


def test_the_measures_count_what_they_say():
    assert [atom.criticality for atom in GOLD] == [3, 3, 1, 2]
    kept = [ail.Atom("constraint", "Libs", "allowed", True, "must_not"), GOLD[2]]
    assert ail.held(GOLD, kept) == [True, False, True, False]
    assert ail.car(GOLD, kept) == 1 / 2 and ail.car(GOLD, kept, least=1) == 1 / 2
    assert ail.war(GOLD, kept) == pytest.approx(4 / 9)
    assert ail.war(GOLD, kept, weights=[10, 0, 0, 0]) == 1 and ail.war(GOLD, kept, weights=[0, 5, 0, 5]) == 0
    assert ail.density(GOLD, kept, 20) == 1 / 20 and ail.density(GOLD, kept, 0) == 0
    assert not ail.recoverable(GOLD, kept) and ail.recoverable(GOLD, GOLD[:2])


def test_a_name_map_decides_what_is_held():
    other = [ail.Atom("constraint", "packages", "allowed", False)]
    assert ail.car(GOLD[:1], other) == 0
    assert ail.car(GOLD[:1], other, name=lambda word: {"packages": "libs"}.get(word, word)) == 1


@given(sets, sets)
def test_the_measures_keep_their_bounds(gold, kept):
    for measure in (ail.car, ail.war):
        assert 0 <= measure(gold, kept) <= measure(gold, kept + gold) == 1 == measure([], kept)
    assert ail.recoverable(gold, kept) == (ail.car(gold, kept) == 1)
    assert 0 <= ail.agreement([gold, kept]) == ail.agreement([kept, gold]) <= 1
    assert (ail.agreement([gold, kept]) == 1) == (meanings(gold) == meanings(kept))


@given(sets, st.randoms(use_true_random=False))
def test_an_extractor_that_does_not_mind_the_order_is_consistent(atoms, random):
    again = list(atoms)
    random.shuffle(again)
    found = ail.proxies(atoms, packet=again, again=again, other=again)
    assert found[:3] == (1, 1, 1) and found.high_risk_held == 1
    assert not [reason for reason in ail.doubts(found) if "agree" in reason or "packet" in reason]


def test_the_proxies_say_why_to_be_careful():
    doubtful = [*GOLD, ail.Atom("fact", "cause", "is", "a race", confidence=0.4)]
    found = ail.proxies(doubtful, packet=GOLD[1:], again=doubtful[:4], other=GOLD[:2], schema_failures=2)
    assert found == (4 / 5, 2 / 5, 3 / 5, 2, 1, 2, 1 / 2)
    assert ail.doubts(found) == ["two runs of the extractor agree on 80 % of the atoms", "two extractors agree on 40 % of the atoms",
                                 "the atoms and the decoded packet agree on 60 % of the atoms", "records that fail the schema: 2",
                                 "atoms of low confidence: 1", "the packet holds 50 % of the 2 atoms of high risk"]
    assert ail.doubts(ail.proxies(GOLD)) == []


def test_support_is_the_share_of_passes():
    assert ail.support(GOLD[:2], [GOLD, GOLD[:1], GOLD[1:] + GOLD[1:]]) == [2 / 3, 2 / 3]
    assert ail.support(GOLD[:1], []) == [1]
