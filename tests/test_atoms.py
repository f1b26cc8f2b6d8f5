"""Atoms: what two commitments are to each other, and values in one form."""
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ail_mcp as ail

words = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
names = st.sampled_from(["", "libs", "Libs", "rate limit", "rate-limit", "likes"]) | words
scalars = st.none() | st.booleans() | st.integers(-10**9, 10**9) | st.floats(-1e9, 1e9, allow_nan=False) | st.sampled_from(["500 ms", "0.5s", "yes", "no"]) | words
values = scalars | st.lists(scalars, max_size=3).map(tuple) | st.dictionaries(words, scalars, min_size=1, max_size=3).map(lambda d: tuple(d.items()))
atoms = st.builds(ail.Atom, st.sampled_from(ail.TYPES), names, names, values, st.sampled_from(("", *ail.MODALITIES)), names,
                  confidence=st.floats(0, 1), criticality=st.integers(0, 3), author=st.sampled_from(ail.AUTHORS), ambiguous=st.booleans())
# Few choices, so that pairs of equal and opposed atoms really come up.
close_atoms = st.builds(ail.Atom, st.sampled_from(["fact", "constraint"]), st.sampled_from(["", "libs", "Libs"]), st.sampled_from(["allowed", "likes"]),
                        st.sampled_from([True, False, "yes", 5, "five", "500 ms", "0.5s", "fado"]), st.sampled_from(["must", "must_not", "is", "should"]))


@settings(max_examples=settings.default.max_examples * 10)
@given(close_atoms, close_atoms, close_atoms)
def test_equivalence_and_conflict_keep_their_laws(a, b, c):
    assert ail.equivalent(a, a)
    assert ail.equivalent(a, b) == ail.equivalent(b, a)
    assert not (ail.equivalent(a, b) and ail.equivalent(b, c)) or ail.equivalent(a, c)
    assert not (ail.equivalent(a, b) and ail.conflict(a, b))
    assert ail.conflict(a, b) == ail.conflict(b, a)


@settings(max_examples=settings.default.max_examples * 10)
@given(atoms, atoms)
def test_the_laws_hold_for_any_atoms(a, b):
    assert ail.equivalent(a, a) and not ail.conflict(a, a)
    assert not (ail.equivalent(a, b) and ail.conflict(a, b))
    assert ail.conflict(a, b) == ail.conflict(b, a)


def test_two_ways_to_forbid_are_one_rule():
    no = ail.Atom("constraint", "external_libraries", "allowed", False)
    must_not = ail.Atom("constraint", "External libraries", "allowed", True, "must_not")
    assert ail.equivalent(no, must_not)
    assert ail.conflict(no, ail.Atom("constraint", "external_libraries", "allowed", True))


def test_a_weaker_rule_is_neither_equal_nor_a_conflict():
    hard, soft = ail.Atom("constraint", "output", "equals", "html"), ail.Atom("constraint", "output", "equals", "html", "should")
    assert not ail.equivalent(hard, soft) and not ail.conflict(hard, soft)


def test_several_values_side_by_side_are_no_conflict():
    assert not ail.conflict(ail.Atom("preference", "trip", "likes", "fado"), ail.Atom("preference", "trip", "likes", "pastries"))
    assert ail.conflict(ail.Atom("preference", "trip", "likes", "fado"), ail.Atom("preference", "trip", "likes", "fado", "should_not"))


def test_a_choice_and_its_rejected_option_live_together():
    canvas, svg = ail.Atom("decision", "backend", "selected", "Canvas"), ail.Atom("decision", "backend", "selected", "SVG", "was_rejected")
    assert not ail.conflict(canvas, svg)
    assert ail.conflict(canvas, ail.Atom("decision", "backend", "selected", "canvas", "was_rejected"))
    assert not ail.conflict(canvas, ail.Atom("decision", "backend", "selected", "WebGL", "open"))


def test_a_subject_without_a_word_is_no_subject():
    a, b = ail.Atom("fact", "", "is", "x"), ail.Atom("fact", "-", "is", "y")
    assert not ail.conflict(a, b) and not ail.conflict(b, a)


def test_sentences_about_different_things_are_no_conflict():
    assert not ail.conflict(ail.Atom("constraint", value="never push to main"), ail.Atom("constraint", value="keep the API"))


@pytest.mark.parametrize("same", [("500 ms", "0.5s", ".5 seconds"), ("five", "5", 5), ("yes", True), ("10,000", "10k", 10_000),
                                  ("2026-3-1", "1 March 2026", "March 1st, 2026"), ("€20", "20 EUR"), ('"Canvas"', "canvas"), ("twenty-five days", "25 d")])
def test_one_value_has_one_form(same):
    assert len({ail.normal_value(value) for value in same}) == 1


@pytest.mark.parametrize("pair", [("1.10", "1.1"), ("007", "7"), ("500", "5000"), ("5 ms", "5 s"), ("350 agents", "350 rows"), ("10 MB", "10 MiB"), ("-5", "5"), ("5 times", "5 s"), ("3 lengths", "3 m"),
                                  (True, 1), (None, ""), (("a", "b"), ("b", "a"))])
def test_other_values_stay_apart(pair):
    assert ail.normal_value(pair[0]) != ail.normal_value(pair[1])


@given(values)
def test_any_value_has_a_form(value):
    hash(ail.normal_value(value))


@pytest.mark.parametrize("fields", [{"type": "rule"}, {"type": "fact", "modality": "shall"}, {"type": "fact", "author": "somebody"}, {"type": "fact", "confidence": 2},
                                    {"type": "fact", "criticality": 4}, {"type": "fact", "value": [1]}, {"type": "fact", "value": float("nan")},
                                    {"type": "fact", "subject": "x" * 5000}, {"type": "fact", "value": (("a", 1), ("a", 2))}])
def test_no_invalid_atom_exists(fields):
    with pytest.raises(ail.UsageError):
        ail.Atom(**fields)


@pytest.mark.parametrize("hostile", ["9" * 1_000_000, "1," * 500_000, " " * 1_000_000 + "x", "1 " * 500_000, "a-" * 500_000, "-" * 1_000_000])
def test_hostile_values_are_no_numbers(hostile):
    assert ail.normal_value(hostile)[0] == "words"
