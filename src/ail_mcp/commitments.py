"""The commitments of a source, found in it: what a check looks for when nobody gave a list."""
from __future__ import annotations

import io

from .ailatoms import read_section
from .atoms import Atom, conflict
from .check import COMMITMENT_AT_MOST, Commitment, atom_sentence
from .cleanturns import clean_turns
from .errors import AilError, FileError, SnapshotError
from .extract import atom_of, beliefs, extract, hold_at_the_end, standing_statements
from .said import single_statements
from .sessions import read
from .snapshot import each_hydrated, parse
from .sources import sources
from .transcript import Turn

_ONLY_TELL = ("fact", "done", "artifact")
_USER_FIRST = ("user", "assistant", "tool")


def commitments_of(source: bytes, name: str, redactor: object) -> list[Commitment]:
    """The commitments of a session, of notes or of a snapshot (its typed lines, then its talk), secrets out, what people said first.

    A sentence stands once. Where a person and an assistant contradict each other, the person's words stand. Raises FileError where there is no talk.
    """
    session = read(io.BytesIO(source), name, tools=True)
    if session.format == "snapshot":
        atoms, turns = typed_atoms(session.text, redactor, name)
    else:
        atoms, turns = [], clean_turns(session, redactor)
        if not turns:
            raise FileError(f"{name} holds no talk; give a session, a chat, notes or a snapshot")
    single = single_statements(sources(turns), hold_at_the_end)
    atoms += sentences_of(extract(turns, single=single), turns, single)
    atoms.sort(key=lambda atom: _USER_FIRST.index(atom.author))
    said: dict[str, Atom] = {}
    for atom in atoms:
        sentence = (atom.value if isinstance(atom.value, str) and not atom.subject else atom_sentence(atom)).strip()[:COMMITMENT_AT_MOST]
        if sentence and sentence not in said and not any(conflict(atom, other) for other in said.values() if atom.subject and other.author == "user"):
            said[sentence] = atom
    return [Commitment(f"c{number}", sentence, atom.type, atom.criticality, (atom.evidence.quote,) if atom.evidence.quote else ())
            for number, (sentence, atom) in enumerate(said.items(), 1)]


def sentences_of(atoms: list[Atom], turns: list, single: list) -> list[Atom]:
    """The atoms, those of several sentences taken apart: half of what was said together can be lost. A sentence that only tells and names nothing is
    left out."""
    inside: dict[int, list] = {}
    for statement in standing_statements(turns, 0, single=single):
        inside.setdefault(statement.turn, []).append(statement)
    found = []
    for atom in atoms:
        start, end = atom.evidence.start, atom.evidence.end
        pieces = [piece for piece in inside.get(atom.evidence.turn, ()) if start <= piece.start < piece.end <= end]
        if len(pieces) < 2:
            found.append(atom)
            continue
        for piece in pieces:
            kind, belief = max(sorted(beliefs(piece).items()), key=lambda item: item[1])
            if kind not in _ONLY_TELL or piece.anchors:
                found.append(atom_of(piece, kind, belief))
    return found


def typed_atoms(text: str, redactor: object, name: str) -> tuple[list[Atom], list[Turn]]:
    """(atoms of a snapshot's typed lines, the rest of its talk as turns). Raises SnapshotError."""
    numbered = clean_lines(text, redactor, name)
    found = [(read_line(line), line) for _, line in numbered]
    talk = [Turn("doc", "note", line[5:], None) for atoms, line in found if not atoms and line.startswith("@CTX ")]
    return [atom for atoms, _ in found for atom in atoms], talk


def parse_file(text: str, name: str) -> object:
    """The snapshot that stands in a file of this name, one of several. Raises SnapshotError, which says which."""
    try:
        return parse(text)
    except SnapshotError as fault:
        fault.args = (f"{name}, {fault}" if name else str(fault),)
        raise


def clean_lines(text: str, redactor: object, name: str = "") -> list[tuple[int, str]]:
    """(number, line) of a snapshot, pointers resolved and secrets out. The text behind a tag is looked at as a whole, so that a value keeps the name
    before it. Raises SnapshotError."""
    numbered = list(each_hydrated(parse_file(text, name)))
    bodies = redactor.redact_all([line.partition(" ")[2] for _, line in numbered])
    return [(number, f"{line.partition(' ')[0]} {body}") for (number, line), body in zip(numbered, bodies)]


def read_line(line: str) -> list[Atom]:
    """The atoms of one section line; none for talk, comments, code, and for a line that is none without its secrets."""
    try:
        return [] if line.startswith(("#", "@SIG ")) or "\n" in line else read_section(line)
    except AilError:
        return []
