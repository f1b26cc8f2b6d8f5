"""Atoms as sentences: structured prose of fixed forms that a program reads back, and plain prose that only people read.

    Goal: "an epidemic in one file".
    Constraint: libs must be false; assets must be false.
    Constraint on grid: w must be 80; h must be 50.

A line is `Type [on subject] [(marks)]: item; item.` and an item `[name] [verb] value`. Under a subject the name is the predicate; without
one it is the subject of the usual predicate, as in CCL, or `subject>predicate`. The verb is the modality; without one it is the usual one.
"""
from __future__ import annotations

from .atoms import TYPES, USUAL_MODALITY, Atom, is_map
from .ccl import marks, read_marks, usual_predicate
from .entrytext import Tokens, read_name, read_value, value_text, word
from .errors import UsageError

_KIND_NAMES = {kind: kind.capitalize().replace("_", " ") for kind in TYPES}
_MODAL_VERBS = {"must": "must be", "must_not": "must not be", "should": "should be", "should_not": "should not be", "may": "may be", "is": "is",
          "was_rejected": "was rejected as", "open": "remains open as"}
_MODAL_WORDS = frozenset("must should may is was remains on".split())


def write_sentences(atoms: list[Atom]) -> str:
    """Atoms as structured prose. `read_sentences` gives them back, grouped, without evidence."""
    lines: dict[tuple, list[str]] = {}
    sizes: dict[tuple, int] = {}
    for atom in atoms:
        sizes[atom.type, atom.subject] = sizes.get((atom.type, atom.subject), 0) + 1
    for atom in atoms:
        subject, verb, name = "", _MODAL_VERBS[atom.modality] + " ", ""
        if atom.subject and atom.predicate == usual_predicate(atom.type, atom.value):
            name = _name(atom.subject)
        elif atom.subject and (sizes[atom.type, atom.subject] > 1 or not atom.predicate):
            subject, name = atom.subject, _name(atom.predicate) if atom.predicate else ""
        elif atom.subject or atom.predicate or is_map(atom.value):
            name = f"{_name(atom.subject)}>{_name(atom.predicate)}"
        elif atom.modality == USUAL_MODALITY.get(atom.type, "is"):
            verb = ""
        value = _name(atom.value) if type(atom.value) is str else value_text(atom.value)
        key = (atom.type, subject, marks(atom, modality=False))
        lines.setdefault(key, []).append(f"{name} {verb}{value}".lstrip())
    return "".join(f"{_KIND_NAMES[kind]}{' on ' + word(subject) if subject else ''}{f' ({how})' if how else ''}: {'; '.join(items)}.\n"
                   for (kind, subject, how), items in lines.items())


def _name(text: str) -> str:
    """A word that is none of the words by which a verb starts, or a string."""
    return f'"{text}"' if text in _MODAL_WORDS else word(text)


def read_sentences(text: str) -> list[Atom]:
    """The atoms of structured prose. Raises UsageError with the line."""
    atoms: list[Atom] = []
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1):
        if line.strip():
            try:
                atoms += _read_line(line.strip())
            except UsageError as fault:
                raise UsageError(str(fault).replace("line 1", f"line {number}", 1)) from None
    return atoms


def _read_line(line: str) -> list[Atom]:
    kind = next((kind for kind, name in _KIND_NAMES.items() if line.startswith(name) and line[len(name):len(name) + 1] in (" ", ":")), None)
    if kind is None or not line.endswith("."):
        raise UsageError("line 1: no sentence that holds atoms; expected `Type [on subject]: item; item.`, such as `Constraint: libs must be false.`")
    tokens, subject, how = Tokens(line[:-1], len(_KIND_NAMES[kind])), "", {}
    if tokens.kind == "w" and tokens.value == "on":
        tokens.next()
        subject = read_name(tokens)
    if tokens.kind == "(":
        tokens.next()
        how = read_marks(tokens)
        tokens.take(")", "closing bracket behind the marks")
    tokens.take(":", "colon behind the type")
    atoms = [_read_item(tokens, kind, subject, how)]
    while tokens.kind == ";":
        tokens.next()
        atoms.append(_read_item(tokens, kind, subject, how))
    if tokens.kind:
        raise tokens.fault("something behind the item", "a semicolon or the full stop")
    return atoms


def _read_item(tokens: Tokens, kind: str, subject: str, how: dict) -> Atom:
    """item: `[name] [verb] value`."""
    if tokens.kind in "[{" or tokens.kind == "w" and tokens.value in _MODAL_WORDS:
        modality = _read_verb(tokens)
        return Atom(kind, subject, "", read_value(tokens), modality, **how)
    before = tokens.place
    name, predicate = read_name(tokens), None
    if tokens.kind == ">":
        tokens.next()
        predicate = read_name(tokens)
    if tokens.kind != "w" or tokens.value not in _MODAL_WORDS:  # a value with nothing before it
        tokens.place = before
        return Atom(kind, subject, "", read_value(tokens), **how)
    modality = _read_verb(tokens)
    value = read_value(tokens)
    if subject:
        return Atom(kind, subject, name, value, modality, **how)
    return Atom(kind, name, usual_predicate(kind, value) if predicate is None else predicate, value, modality, **how)


def _read_verb(tokens: Tokens) -> str:
    """The modality that the words here say; "" where no verb stands. Raises UsageError."""
    if tokens.kind != "w" or tokens.value not in _MODAL_WORDS:
        return ""
    said = tokens.next()
    for modality, verb in _MODAL_VERBS.items():
        first, *others = verb.split()
        negated = len(others) == 2 and others[0] == "not"
        if first == said and negated == (tokens.kind == "w" and tokens.value == "not" and bool(others)):
            for other in others:
                if tokens.value != other:
                    break
                tokens.next()
            else:
                return modality
    raise tokens.fault("a verb that does not end", " / ".join(_MODAL_VERBS.values()))


def write_prose(atoms: list[Atom]) -> str:
    """Atoms as plain prose, one paragraph, for comparison: no decoder reads it back."""
    said = []
    for atom in atoms:
        about = " ".join(filter(None, (atom.subject, atom.predicate))).replace("_", " ")
        value = value_text(atom.value).strip('"').replace("_", " ")
        not_ = "not " if atom.modality in ("must_not", "should_not", "was_rejected") else ""
        said.append(f"{about} {not_}{value}".strip())
    return ". ".join(said) + "." * bool(said) + "\n"
