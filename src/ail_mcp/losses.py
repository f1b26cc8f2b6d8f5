"""What happened to each commitment between two sets of atoms: every loss by one of eight names, with the pair of atoms and a reason.

After section 6 of "Compress the Context, Keep the Commitments" (arXiv 2605.17304). Both sides are structured, so the comparison is exact: what
is equivalent is kept, and what is left over is paired by ever fewer parts, each pairing with its name:

    the target asserts what the source rejects      temporal_error
    same identity and value                         weakening, polarity_flip, hallucination (it binds more than was said)
    same but for the scope                          scope_error
    same but for the type                           safety_erasure, weakening, hallucination, temporal_error, mutation
    same identity, another value                    mutation, weakening (the value is gone)
    a source atom alone                             safety_erasure where safety hangs on it, else omission, or weakening (a softer form is there)
    a target atom alone                             hallucination

An atom is in one loss at most, except that one rejection may come back in several. The order of the atoms does not matter for what is kept.
Time is linear: every step is a dictionary.
"""
from __future__ import annotations

import json
from collections import namedtuple

from .atoms import AUTHORS, Atom, fold, identity, matter, meaning, sign, strength, takes_one_value
from .atomschema import plain_value
from .scores import safety_flag

LOSSES = ("omission", "weakening", "mutation", "polarity_flip", "scope_error", "temporal_error", "hallucination", "safety_erasure")

Loss = namedtuple("Loss", "kind source target reason")
Loss.__doc__ = """One loss: its name of LOSSES, the source atom (None for an invention), the target atom (None for what is gone), and why."""

# How far a type binds later work: a rule, a wish, a mere fact.
FORCE = {"safety": 2, "constraint": 2, "goal": 2, "decision": 2, "rejection": 2, "procedure": 2, "preference": 1}


def compare(source: list[Atom], target: list[Atom], name: object = fold) -> list[Loss]:
    """The losses from `source` to `target`: those of the source atoms in their order, then the inventions. Empty for equal sets in any order."""
    return _Comparison(source, target, name).losses()


def about_value(atom: Atom, name: object = fold) -> tuple:
    """What a value is known by wherever it comes back: subject and matter, under any type and predicate. True and false say nothing without
    their predicate."""
    what = matter(atom)
    return name(atom.subject), what, fold(atom.predicate) if what[0] == "truth" else ""


class _Seen:
    """An atom with the keys by which it is paired, worked out once."""

    __slots__ = ("about", "atom", "identity", "matter", "meaning", "sign", "strength")

    def __init__(self, atom: Atom, name: object) -> None:
        self.atom, self.identity, self.meaning = atom, identity(atom, name), meaning(atom, name)
        self.matter, self.sign, self.strength = matter(atom), sign(atom), strength(atom)
        self.about = about_value(atom, name)


class _Comparison:
    """The two sets while they are paired: the places of what is still unpaired, and the losses so far with their places."""

    def __init__(self, source: list[Atom], target: list[Atom], name: object) -> None:
        self.source, self.target = [_Seen(atom, name) for atom in source], [_Seen(atom, name) for atom in target]
        said, kept = ({seen.meaning for seen in atoms} for atoms in (self.source, self.target))
        self.gone = [i for i, seen in enumerate(self.source) if seen.meaning not in kept]
        self.new = [j for j, seen in enumerate(self.target) if seen.meaning not in said]
        self.found: list[tuple[int, int, Loss]] = []

    def losses(self) -> list[Loss]:
        self.authors()
        self.returned()
        self.pair(lambda seen: (seen.identity, seen.matter), _same_matter)
        self.pair(lambda seen: (seen.identity[:3], seen.sign, seen.matter), _other_scope)
        self.pair(lambda seen: (seen.identity[1:], seen.sign < 0, seen.matter), _other_type)
        self.pair(lambda seen: (seen.identity, seen.sign) if takes_one_value(seen.atom) else None, _other_value)
        self.alone()
        return [loss for _, _, loss in sorted(self.found, key=lambda found: found[:2])]

    def note(self, i: int | None, j: int | None, kind: str, reason: str) -> None:
        a, b = None if i is None else self.source[i].atom, None if j is None else self.target[j].atom
        self.found.append((len(self.source) if i is None else i, -1 if j is None else j, Loss(kind, a, b, reason)))

    def pair(self, key: object, judge: object) -> None:
        """Pair what is left and has one key, in order; `judge(a, b)` names the loss. What has the key None pairs with nothing."""
        waiting: dict = {}
        for i in reversed(self.gone):
            waiting.setdefault(key(self.source[i]), []).append(i)
        waiting.pop(None, None)
        left, paired = [], set()
        for j in self.new:
            partners = waiting.get(key(self.target[j]))
            if partners:
                i = partners.pop()
                paired.add(i)
                self.note(i, j, *judge(self.source[i].atom, self.target[j].atom))
            else:
                left.append(j)
        self.new, self.gone = left, [i for i in self.gone if i not in paired]

    def authors(self) -> None:
        """Who said it, where all else is the same: words of a tool must not come back as the user's, nor the user's as a tool's."""
        highest = _highest(self.source)
        for key, j in _highest(self.target).items():
            if key in highest:
                was, now = self.source[highest[key]].atom, self.target[j].atom
                if was.author != now.author:
                    self.note(highest[key], j, "hallucination" if author_rank(now) > author_rank(was) else "weakening",
                              f"said by the {was.author}, stands as said by the {now.author}")

    def returned(self) -> None:
        """Values that the source rejects, or keeps only as superseded, and that the target asserts."""
        rejected: dict = {}
        stands = {(seen.about, seen.sign) for seen in self.source if seen.strength}
        for i, seen in enumerate(self.source):
            if not seen.strength:
                rejected.setdefault((seen.about, -seen.sign), i)
        current: dict = {}  # identity -> the atoms that are gone, among them the one that the returned value replaces
        for i in reversed(self.gone):
            current.setdefault(self.source[i].identity, []).append(i)
        left, paired = [], set()
        for j in self.new:
            seen = self.target[j]
            about = seen.about, seen.sign
            if seen.strength < 1 or about not in rejected or about in stands:
                left.append(j)
                continue
            replaced = current.get(seen.identity) if takes_one_value(seen.atom) else None
            i = replaced.pop() if replaced else rejected[about]
            paired.add(i)
            self.note(i, j, "temporal_error", f"{shown(seen.atom.value)} was rejected and stands as current")
        self.new, self.gone = left, [i for i in self.gone if i not in paired]

    def alone(self) -> None:
        left = {(seen.identity, seen.matter, seen.sign): seen for seen in sorted(self.target, key=lambda seen: seen.strength)}  # the strongest form
        places = {id(seen): j for j, seen in enumerate(self.target)}
        for i in self.gone:
            seen = self.source[i]
            form = left.get((seen.identity, seen.matter, seen.sign))
            if form and form.strength < seen.strength:
                self.note(i, places[id(form)], "weakening", f"only its softer form is left: {form.atom.modality}")
            elif safety_flag(seen.atom):
                self.note(i, None, "safety_erasure", "a safety boundary is gone")
            else:
                self.note(i, None, "omission", "it is gone")
        for j in self.new:
            self.note(None, j, "hallucination", "nothing in the source says it")


def _highest(atoms: list[_Seen]) -> dict:
    """meaning -> the place of the atom with it whose author counts most."""
    found: dict = {}
    for i, seen in enumerate(atoms):
        if seen.meaning not in found or author_rank(seen.atom) > author_rank(atoms[found[seen.meaning]].atom):
            found[seen.meaning] = i
    return found


def author_rank(atom: Atom) -> int:
    """Whose word counts more: the user's above the assistant's above a tool's."""
    return -AUTHORS.index(atom.author)


def _same_matter(a: Atom, b: Atom) -> tuple[str, str]:
    change = f"{_said(a)} became {_said(b)}"
    if sign(a) * sign(b) < 0:
        return "polarity_flip", change
    if strength(b) > strength(a):
        return "hallucination", "it binds more than was said: " + change
    return "weakening", change


def _other_scope(a: Atom, b: Atom) -> tuple[str, str]:
    return "scope_error", f"for {a.scope or 'everything'} became for {b.scope or 'everything'}"


def _other_type(a: Atom, b: Atom) -> tuple[str, str]:
    change = f"{a.type} became {b.type}"
    if a.type == "safety":
        return "safety_erasure", "a safety boundary stands as something else: " + change
    if a.type == "done" and b.type in ("goal", "open"):
        return "temporal_error", "finished work stands as open: " + change
    if b.type == "done":
        return "hallucination", "nobody said that it is finished: " + change
    if sign(a) == 0 != sign(b):
        return "hallucination", "an open matter stands as settled: " + change
    before, after = FORCE.get(a.type, 0), FORCE.get(b.type, 0)
    if after > before:
        return "hallucination", "it binds more than was said: " + change
    return ("weakening" if after < before or sign(b) == 0 != sign(a) else "mutation"), change


def _other_value(a: Atom, b: Atom) -> tuple[str, str]:
    if b.value is None:
        return "weakening", f"its value {shown(a.value)} is gone"
    return "mutation", f"{_said(a)} became {_said(b)}"


def _said(atom: Atom) -> str:
    return f"{atom.modality} {shown(atom.value)}"


def shown(value: object) -> str:
    """A value as JSON on one line, so that text, number and truth value are told apart."""
    return json.dumps(plain_value(value), ensure_ascii=False)
