"""Atoms as AILv1 section lines, and the typed lines of any snapshot as atoms.

    @CTX constraint := never push to main              a sentence
    @CTX constraint := {libs:false assets:false}       what CCL writes as C={...}
    @CTX constraint := grid={w:80 h:50} cell=8         what CCL writes as GRID={...} and CELL=8
    @LOG !backend:SVG(slow at 5k nodes) -> ^Canvas     a rejected option, why, and what stands in its place
    @NEXT ?measure start-up                            an open task
    @ARCH web -> queue -> worker                       an artifact that is said in one line
    @SIG app.py|main()->None                           an artifact whose predicate is `signature`

Talk (`@CTX` without a type) holds no atoms that a decoder could find.
"""
from __future__ import annotations

from .atoms import TYPES, Atom, is_map
from .ccl import atoms_of, body, groups, marks, read_entries, read_marks
from .documents import format_snapshot
from .entrytext import Tokens, read_name, read_value
from .errors import SnapshotError, UsageError
from .snapshot import hydrate, log_sec, next_sec, parse, section, sig_sec

_REASONED = ("option", "reason", "instead")


def write_ail(atoms: list[Atom]) -> str:
    """Atoms as a snapshot; `read_ail` gives them back, without their evidence."""
    return format_snapshot(ail_lines(atoms))


def ail_lines(atoms: list[Atom]) -> list[str]:
    """Atoms as section lines: each sentence on its own, the named ones of a type on one line, all open tasks on one line."""
    own = [_own_line(atom) for atom in atoms]
    tasks = [line.removeprefix("@NEXT ") for line in own if line.startswith("@NEXT ")]
    lines = [line for line in own if line and not line.startswith("@NEXT ")]
    named: dict[str, list[str]] = {}
    for (kind, subject, how, *_), entries in groups([atom for atom, line in zip(atoms, own) if not line]).items():
        text = entries[0][1]
        if entries[0][0] is None and not subject and not how and type(text) is str and _is_plain(kind, text):
            lines.append(f"@CTX {kind} := {text}")
        else:
            named.setdefault(kind, []).append(body(kind, subject, how, entries))
    lines += [f"@CTX {kind} := " + " ".join(bodies) for kind, bodies in named.items()]
    return lines + ["@NEXT " + " ".join(tasks)] * bool(tasks)


def _is_plain(kind: str, text: str) -> bool:
    """Whether a sentence reads back as itself behind the type."""
    return text == text.strip() != "" and not _breaks(text) and read_typed(kind, text) == [Atom(kind, value=text)]


def _breaks(text: str) -> bool:
    return "\n" in text or "\r" in text


def _own_line(atom: Atom) -> str:
    """The line of an atom that has a section of its own and fits it, else ""."""
    line = ""
    if marks(atom):
        return ""
    if atom.type == "rejection" and atom.predicate == "rejected" and is_map(atom.value) and tuple(name for name, _ in atom.value) == _REASONED:
        option, reason, instead = (value for _, value in atom.value)
        if all(type(value) is str for value in (option, reason, instead)):
            line = f"@LOG !{atom.subject}:{option}({reason}) -> ^{instead}"
    elif not atom.subject and not atom.predicate and type(atom.value) is str:
        line = {"open": f"@NEXT ?{atom.value}", "artifact": f"@ARCH {atom.value}"}.get(atom.type, "")
    elif atom.type == "artifact" and atom.predicate == "signature" and type(atom.value) is str:
        line = f"@SIG {atom.subject}|{atom.value}"
    try:
        return line if line and not _breaks(line) and line == line.rstrip() and read_section(line) == [atom] else ""
    except (SnapshotError, UsageError):
        return ""


def read_ail(text: str) -> list[Atom]:
    """The atoms of a snapshot's typed lines, pointers resolved. Raises SnapshotError, and UsageError for an atom that is none."""
    return [atom for line in hydrate(parse(text)) for atom in read_section(line)]


def read_section(line: str) -> list[Atom]:
    """The atoms of one section line (its pointers resolved); none for talk and comments."""
    part = section(0, line)
    if part.tag == "@CTX":
        kind, defined, text = part.text.partition(" := ")
        return read_typed(kind, text.strip()) if defined and kind in TYPES and text.strip() else []
    if part.tag == "@LOG":
        found = log_sec(0, part.text)
        subject, colon, option = found["approach"].partition(":")
        values = (option if colon else subject, found["reason"], found["replacement"])
        return [Atom("rejection", subject if colon else "", "rejected", tuple(zip(_REASONED, values)))]
    if part.tag == "@NEXT":
        return [Atom("open", value=task) for task in next_sec(0, part.text)["tasks"]]
    if part.tag == "@ARCH":
        return [Atom("artifact", value=part.text.strip())]
    if part.tag == "@SIG":
        sig_sec(0, part.text)
        file, _, rest = part.text.rstrip().partition("|")
        return [Atom("artifact", file, "signature", rest)]
    return []


def read_typed(kind: str, text: str) -> list[Atom]:
    """What stands behind `@CTX type := `: CCL fields without their type, or else a sentence."""
    try:
        tokens, atoms = Tokens(text), []
        while tokens.kind:
            atoms += _read_body(tokens, kind)
        return atoms
    except UsageError:
        return [Atom(kind, value=text)]


def _read_body(tokens: Tokens, kind: str) -> list[Atom]:
    """One field without its type: `{libs:false}`, `grid={w:80}`, `grid=80`, `="a sentence"`. Raises UsageError."""
    subject = read_name(tokens) if tokens.kind in ("w", '"') else None
    how = read_marks(tokens)
    if subject is None and tokens.kind == "{":
        return atoms_of(kind, subject, how, read_entries(tokens))
    tokens.take("=", "= behind the name")
    if subject is None or tokens.kind != "{":
        return atoms_of(kind, subject, how, [(None, read_value(tokens))])
    entries = read_entries(tokens)
    if any(len(key) > 1 for key, _ in entries):
        raise tokens.fault("an entry with > under a subject", "predicates only")
    return atoms_of(kind, subject, how, entries)
