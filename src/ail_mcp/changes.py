"""What changed between two states of the commitments, and how two states with one origin come together.

After sections 7.4 and 7.6 of "Compress the Context, Keep the Commitments" (arXiv 2605.17304). Order is no change. Several atoms may stand under
one identity, so they are paired: equal ones first, then equivalent ones, then those that say the same with other strength, then the denial of
one value, then, where there can be one value only, another value. What is left was added or removed. Time is linear.
"""
from __future__ import annotations

from collections import namedtuple

from .atoms import Atom, fold, identity, matter, meaning, sign, strength, takes_one_value
from .errors import UsageError
from .losses import about_value, author_rank

Changes = namedtuple("Changes", "added removed changed superseded restated")
Changes.__doc__ = """From one state to the next: atoms `added` and `removed`, and pairs `(old, new)` that are `changed`, that are `superseded`
(changed, and the new state keeps the old value as rejected, or the new atom is a decision of a later turn), or that are `restated` (the meaning
is the same; words, evidence, confidence, criticality or author differ)."""

Conflict = namedtuple("Conflict", "identity base ours theirs")
Conflict.__doc__ = """What two sides made of one identity and that cannot both be: the identity, and lists of the atoms that the base and each side
have there. A side whose list is empty removed them."""

Merged = namedtuple("Merged", "atoms conflicts")


def diff(old: list[Atom], new: list[Atom], name: object = fold) -> Changes:
    """The changes from one state to the next; all five are empty for equal states in any order."""
    partners = _partners(old, new, name)
    rejected = {about_value(atom, name) for atom in new if not strength(atom)}
    changes = Changes([], [], [], [], [])
    for before, j in zip(old, partners):
        if j is None:
            changes.removed.append(before)
            continue
        after = new[j]
        if meaning(before, name) == meaning(after, name):
            if repr(before) != repr(after):
                changes.restated.append((before, after))
        elif after.type == "decision" and after.evidence.turn > before.evidence.turn or strength(before) and about_value(before, name) in rejected:
            changes.superseded.append((before, after))
        else:
            changes.changed.append((before, after))
    changes.added.extend(new[j] for j in _unpaired(new, partners))
    return changes


def apply_changes(changes: Changes, atoms: list[Atom]) -> list[Atom]:
    """The next state from the former one: what changed stands in its old place, what was added at the end.

    Raises UsageError where an atom that the changes start from is not there.
    """
    waiting: dict = {}
    for before, after in [(atom, None) for atom in changes.removed] + changes.changed + changes.superseded + changes.restated:
        waiting.setdefault(repr(before), []).append(after)
    result = [waiting[repr(atom)].pop() if waiting.get(repr(atom)) else atom for atom in atoms]
    if any(waiting.values()):
        raise UsageError("the changes start from other atoms; expected the state that they were made from")
    return [atom for atom in result if atom] + changes.added


def merge(base: list[Atom], ours: list[Atom], theirs: list[Atom], name: object = fold) -> Merged:
    """Bring two states with one origin together. What one side alone changed, added or removed holds; what both did alike holds once.

    A conflict is what both changed apart, what one changed and the other removed, and what one brought in against what the other brought in.
    Its atoms stand in the conflict and not in the result. So nothing is lost: the meaning of every atom of a side is in the result or in a
    conflict, or the other side, which had it too, changed or removed it. The order is that of `ours`, then what `theirs` added.
    """
    to_ours, to_theirs = _partners(base, ours, name), _partners(base, theirs, name)
    result: dict = {}  # place -> atom; the place is (0, that in ours) or (1, that in theirs)
    mine, yours = [], []  # what one side alone brought in: (place, atom, what it was)
    clashes: dict = {}  # identity -> Conflict
    for was, i, j in zip(base, to_ours, to_theirs):
        ms, ys = [ours[i]] if i is not None else [], [theirs[j]] if j is not None else []
        untouched_m, untouched_y = ([meaning(was, name)] == [meaning(atom, name) for atom in side] for side in (ms, ys))
        if ms and ys and meaning(ms[0], name) == meaning(ys[0], name):
            result[0, i] = _better(ms[0], ys[0], was)
        elif ms and untouched_y:
            mine.append(((0, i), ms[0], [was]))
        elif ys and untouched_m:
            yours.append(((0, i), ys[0], [was]))
        elif (ms and not untouched_m) or (ys and not untouched_y):
            _clash(clashes, identity(was, name), [was], ms, ys)
    mine += [((0, i), ours[i], []) for i in _unpaired(ours, to_ours)]
    yours += [((1, j), theirs[j], []) for j in _unpaired(theirs, to_theirs)]
    mine, yours = _join_twins(mine, yours, result, name)
    for place, atom, _ in _part(mine, yours, clashes, name):
        result[place] = atom
    return Merged([result[place] for place in sorted(result)], list(clashes.values()))


def _partners(old: list[Atom], new: list[Atom], name: object) -> list[int | None]:
    """For each old atom the place of the new one that it became, None where it is gone; no new atom is used twice."""
    found: list[int | None] = [None] * len(old)
    free = list(range(len(new)))
    for key in (repr,
                lambda atom: meaning(atom, name),
                lambda atom: (identity(atom, name), matter(atom), sign(atom)),
                lambda atom: (identity(atom, name), matter(atom)),
                lambda atom: (identity(atom, name), sign(atom)) if takes_one_value(atom) else None):
        waiting: dict = {}
        for j in reversed(free):
            waiting.setdefault(key(new[j]), []).append(j)
        waiting.pop(None, None)
        for i, atom in enumerate(old):
            if found[i] is None and waiting.get(key(atom)):
                found[i] = waiting[key(atom)].pop()
        used = set(found)
        free = [j for j in free if j not in used]
    return found


def _unpaired(new: list[Atom], partners: list[int | None]) -> list[int]:
    used = set(partners)
    return [j for j in range(len(new)) if j not in used]


def _better(a: Atom, b: Atom, was: Atom | None = None) -> Atom:
    """One of two equivalent atoms: the one that its side restated, else the one that says more for itself. It does not matter which is which."""
    if was and repr(was) in (repr(a), repr(b)):
        return b if repr(was) == repr(a) else a
    return max(a, b, key=lambda atom: (atom.criticality, atom.confidence, author_rank(atom), repr(atom)))


def _join_twins(mine: list, yours: list, result: dict, name: object) -> tuple[list, list]:
    """What both sides brought in alike goes into the result once; the rest of both sides comes back."""
    for key in (repr, lambda atom: meaning(atom, name)):
        waiting: dict = {}
        for entry in reversed(mine):
            waiting.setdefault(key(entry[1]), []).append(entry)
        left, joined = [], set()
        for entry in yours:
            if waiting.get(key(entry[1])):
                place, atom, _ = waiting[key(entry[1])].pop()
                joined.add(place)
                result[place] = _better(atom, entry[1])
            else:
                left.append(entry)
        mine, yours = [entry for entry in mine if entry[0] not in joined], left
    return mine, yours


def _part(mine: list, yours: list, clashes: dict, name: object) -> list:
    """Put what the sides brought in against each other into the conflicts (see `atoms.conflict`); the rest comes back."""
    claims: tuple[dict, dict] = ({}, {})  # of each side: identity -> sign -> matters
    for entries, said in zip((mine, yours), claims):
        for _, atom, _ in entries:
            said.setdefault(identity(atom, name), {1: set(), 0: set(), -1: set()})[sign(atom)].add(matter(atom))
    left = []
    for entries, other, is_mine in ((mine, claims[1], True), (yours, claims[0], False)):
        for entry in entries:
            _, atom, was = entry
            key = identity(atom, name)
            if key in other and _contradicted(atom, other[key]):
                _clash(clashes, key, was, *(([atom], []) if is_mine else ([], [atom])))
            else:
                left.append(entry)
    return left


def _contradicted(atom: Atom, said: dict[int, set]) -> bool:
    """Whether `atoms.conflict` holds with any of one identity whose matters are given by sign."""
    if sign(atom) and matter(atom) in said[-sign(atom)]:
        return True
    return sign(atom) == 1 and takes_one_value(atom) and len(said[1]) > (matter(atom) in said[1])


def _clash(clashes: dict, key: tuple, base: list[Atom], ours: list[Atom], theirs: list[Atom]) -> None:
    for there, atoms in zip(clashes.setdefault(key, Conflict(key, [], [], []))[1:], (base, ours, theirs)):
        there.extend(atoms)
