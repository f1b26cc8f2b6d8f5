"""Diff and merge of two states: their laws, and what a person sees."""
from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from atom_sets import meanings, repeated, sets
from hypothesis import given, settings
from hypothesis import strategies as st

import ail_mcp as ail


@settings(max_examples=settings.default.max_examples * 10)
@given(sets, st.randoms(use_true_random=False))
def test_order_is_no_change(atoms, random):
    other = list(atoms)
    random.shuffle(other)
    assert not any(ail.diff(atoms, other))


@settings(max_examples=settings.default.max_examples * 10)
@given(sets, sets)
def test_the_changes_lead_from_one_state_to_the_next(old, new):
    assert repeated(ail.apply_changes(ail.diff(old, new), old)) == repeated(new)


@settings(max_examples=settings.default.max_examples * 10)
@given(sets, sets)
def test_each_change_is_what_it_is_called(old, new):
    changes = ail.diff(old, new)
    for before, after in changes.changed + changes.superseded:
        assert ail.identity(before) == ail.identity(after) and not ail.equivalent(before, after)
    for before, after in changes.restated:
        assert ail.equivalent(before, after) and repr(before) != repr(after)
    # What could have been paired is paired: no added atom is equivalent to a removed one or contradicts it.
    assert not any(ail.equivalent(a, b) or ail.conflict(a, b) for a in changes.added for b in changes.removed)


def test_changes_do_not_fit_another_state():
    with pytest.raises(ail.UsageError):
        ail.apply_changes(ail.diff([ail.Atom("fact", "a", "is", 1)], []), [ail.Atom("fact", "a", "is", True)])


OLD = [ail.Atom("decision", "day_trip", "selected", "Sintra"), ail.Atom("preference", "trip", "likes", "pastries"), ail.Atom("fact", "days", "equals", 4)]
NEW = [ail.Atom("decision", "day_trip", "selected", "Cascais"), ail.Atom("rejection", "day_trip", "rejected", "Sintra"), OLD[1],
       ail.Atom("preference", "trip", "likes", "fado"), ail.Atom("fact", "days", "equals", 5)]


def test_the_trip_of_the_paper():
    changes = ail.diff(OLD, NEW)
    assert changes.superseded == [(OLD[0], NEW[0])] and changes.changed == [(OLD[2], NEW[4])]
    assert changes.added == [NEW[1], NEW[3]] and not changes.removed and not changes.restated


def test_a_later_decision_supersedes():
    first, later = (replace(OLD[0], value=value, evidence=ail.Evidence("s", turn)) for value, turn in (("Sintra", 2), ("Cascais", 9)))
    assert ail.diff([first], [later]).superseded == [(first, later)]
    assert ail.diff([later], [first]).changed == [(later, first)]


def test_other_words_for_the_same_are_a_restatement():
    a, b = ail.Atom("constraint", "libs", "allowed", False), ail.Atom("constraint", "Libs", "allowed", True, "must_not", confidence=0.5)
    assert ail.diff([a], [b]).restated == [(a, b)]


def test_equivalent_atoms_are_paired_before_those_of_other_strength():
    must, may = (ail.Atom("constraint", "libs", "allowed", False, modality) for modality in ("must", "may"))
    again = [replace(atom, confidence=0.5) for atom in (may, must)]
    assert ail.diff([must, may], again).restated == [(must, again[1]), (may, again[0])]


def conflicts_hold(merged, side):
    return [atom for conflict in merged.conflicts for atom in getattr(conflict, side)]


@settings(max_examples=settings.default.max_examples * 10)
@given(sets, sets)
def test_what_one_side_alone_did_holds(base, side):
    assert ail.merge(base, side, base) == (side, [])
    assert ail.merge(base, side, side) == (side, [])
    merged = ail.merge(base, base, side)
    assert repeated(merged.atoms) == repeated(side) and not merged.conflicts


@settings(max_examples=settings.default.max_examples * 10)
@given(sets, sets, sets)
def test_merge_does_not_mind_who_is_who(base, ours, theirs):
    def seen(merged, a, b):
        return repeated(merged.atoms), sorted((c.identity, repeated(c.base), repeated(getattr(c, a)), repeated(getattr(c, b))) for c in merged.conflicts)

    assert seen(ail.merge(base, ours, theirs), "ours", "theirs") == seen(ail.merge(base, theirs, ours), "theirs", "ours")


@settings(max_examples=settings.default.max_examples * 10)
@given(sets, sets, sets)
def test_merge_loses_and_invents_nothing(base, ours, theirs):
    merged = ail.merge(base, ours, theirs)
    for side, other, own in ((ours, theirs, "ours"), (theirs, ours, "theirs")):
        there = meanings(merged.atoms) | meanings(conflicts_hold(merged, own))
        lost = meanings(side) - there
        assert lost <= meanings(base), "what a side brought in is in the result or in a conflict"
        assert all(sum(ail.meaning(a) == key for a in other) < sum(ail.meaning(a) == key for a in base) for key in lost), "the other side took it away"
    assert set(map(repr, merged.atoms)) <= set(map(repr, ours + theirs))
    assert set(map(repr, conflicts_hold(merged, "ours"))) <= set(map(repr, ours))
    assert set(map(repr, conflicts_hold(merged, "base"))) <= set(map(repr, base))


@settings(max_examples=settings.default.max_examples * 10)
@given(sets, sets)
def test_what_two_sides_add_is_together_or_in_conflict(ours, theirs):
    merged = ail.merge([], ours, theirs)
    here, there = (Counter(map(ail.meaning, side)) for side in (ours, theirs))  # what both say goes together once for each time that both say it
    clashing = {ail.meaning(a) for a in ours for b in theirs if ail.conflict(a, b) and here[ail.meaning(a)] > there[ail.meaning(a)]}
    assert clashing >= meanings(conflicts_hold(merged, "ours"))
    alone = [a for a in ours if ail.meaning(a) not in meanings(theirs)], [b for b in theirs if ail.meaning(b) not in meanings(ours)]
    assert not any(ail.conflict(a, b) for a in alone[0] for b in alone[1] if a in merged.atoms and b in merged.atoms)


LIMIT = ail.Atom("constraint", "retries", "equals", 3)


@pytest.mark.parametrize("ours, theirs, held, clash", [
    ([replace(LIMIT, value=5)], [LIMIT], [5], None),
    ([replace(LIMIT, value=5)], [replace(LIMIT, value="five")], [5], None),
    ([replace(LIMIT, value=5)], [replace(LIMIT, value=7)], [], ([3], [5], [7])),
    ([replace(LIMIT, value=5)], [], [], ([3], [5], [])),
    ([], [replace(LIMIT, modality="may")], [], ([3], [], [3])),
    ([], [LIMIT], [], None),
    ([replace(LIMIT, modality="may")], [replace(LIMIT, modality="should")], [], ([3], [3], [3])),
], ids=["one changed", "both alike", "both apart", "changed and removed", "removed and weakened", "removed", "weakened apart"])
def test_three_ways(ours, theirs, held, clash):
    merged = ail.merge([LIMIT], ours, theirs)
    assert [atom.value for atom in merged.atoms if atom.value != "five"] == [value for value in held if merged.atoms[0].value == value]
    assert [tuple([atom.value for atom in side] for side in conflict[1:]) for conflict in merged.conflicts] == ([clash] if clash else [])


def test_two_wishes_side_by_side_both_stay():
    fado, surf = (ail.Atom("preference", "trip", "likes", value) for value in ("fado", "surfing"))
    assert ail.merge([], [fado], [surf]) == ([fado, surf], [])
    assert ail.merge([], [fado], [replace(fado, modality="should_not")]).conflicts == [(ail.identity(fado), [], [fado], [replace(fado, modality="should_not")])]
