"""Changes and conflicts as people and programs read them: lines of text, records, JSON Patch (RFC 6902), and CCL before and after."""
from __future__ import annotations

from .atoms import Atom
from .atomschema import to_record
from .changes import Changes, Conflict
from .entrytext import word
from .losses import shown
from .renderings import write_atoms


def changes_text(changes: Changes) -> str:
    """A line for each change: `+` added, `-` removed, `~` changed, `^` superseded, `=` the same in other words or with other marks. That only
    the evidence differs is not told.

        ^ decision day_trip selected: "Sintra" -> "Cascais"
    """
    lines = [f"{mark} {_about(old)}: {_change(old, new)}"
             for mark, pairs in (("^", changes.superseded), ("~", changes.changed), ("=", changes.restated))
             for old, new in pairs if _change(old, new)]
    lines += [f"{mark} {_about(atom)}: {_saying(atom)}" for mark, atoms in (("-", changes.removed), ("+", changes.added)) for atom in atoms]
    return "".join(line + "\n" for line in lines)


def _about(atom: Atom) -> str:
    names = " ".join(word(name) for name in (atom.subject, atom.predicate) if name)
    return f"{atom.type} {names}".rstrip() + (f" for {word(atom.scope)}" if atom.scope else "")


def _saying(atom: Atom) -> str:
    return shown(atom.value) if atom.modality == Atom(atom.type).modality else f"{atom.modality} {shown(atom.value)}"


def _change(old: Atom, new: Atom) -> str:
    """What is different, field by field; modality and value are one, since "must not, true" is "must, false"."""
    parts = []
    if (old.modality, repr(old.value)) != (new.modality, repr(new.value)):
        parts.append(f"{_saying(old)} -> {_saying(new)}" if old.modality == new.modality else
                     f"{old.modality} {shown(old.value)} -> {new.modality} {shown(new.value)}")
    parts += [f"{field} {shown(getattr(old, field))} -> {shown(getattr(new, field))}"
              for field in ("subject", "predicate", "scope", "criticality", "confidence", "author", "ambiguous")
              if getattr(old, field) != getattr(new, field)]
    return ", ".join(parts)


def changes_record(changes: Changes) -> dict:
    """Changes as JSON: `added` and `removed` are lists of records, the others lists of `{"old": record, "new": record}`."""
    return {name: [to_record(item) if isinstance(item, Atom) else dict(zip(("old", "new"), map(to_record, item))) for item in items]
            for name, items in changes._asdict().items()}


def json_patch(changes: Changes, old: list[Atom]) -> list[dict]:
    """The operations that make of the JSON array of the old atoms that of the new ones, up to order. What changed keeps its place, what was added
    stands at the end; removals come from the last to the first, so that no place moves before it is used."""
    places: dict = {}
    for i, atom in reversed(list(enumerate(old))):
        places.setdefault(repr(atom), []).append(i)
    patch = []
    for before, after in changes.changed + changes.superseded + changes.restated:
        patch += _record_patch(f"/{places[repr(before)].pop()}", to_record(before), to_record(after))
    gone = sorted((places[repr(atom)].pop() for atom in changes.removed), reverse=True)
    patch += [{"op": "remove", "path": f"/{i}"} for i in gone]
    return patch + [{"op": "add", "path": "/-", "value": to_record(atom)} for atom in changes.added]


def _record_patch(place: str, old: dict, new: dict) -> list[dict]:
    """The operations on one record, a field each; fields have plain names, which need no escape in a path."""
    patch = [{"op": "remove", "path": f"{place}/{field}"} for field in old if field not in new]
    patch += [{"op": "add", "path": f"{place}/{field}", "value": new[field]} for field in new if field not in old]
    return patch + [{"op": "replace", "path": f"{place}/{field}", "value": new[field]}
                    for field in new if field in old and repr(old[field]) != repr(new[field])]


def before_and_after(changes: Changes) -> str:
    """What changed as two CCL packets: how it was, and how it is."""
    pairs = changes.superseded + changes.changed + [pair for pair in changes.restated if _change(*pair)]
    return "".join(f"# {title}\n{write_atoms(atoms, 'ccl')}" for title, atoms in (
        ("before", [old for old, _ in pairs] + changes.removed), ("after", [new for _, new in pairs] + changes.added)))


def conflict_record(conflict: Conflict) -> dict:
    """A conflict as JSON: what it is about, and the records of the three sides."""
    names = dict(zip(("type", "subject", "predicate", "scope"), conflict.identity))
    return {"about": {name: value for name, value in names.items() if value},
            **{side: [to_record(atom) for atom in getattr(conflict, side)] for side in ("base", "ours", "theirs")}}
