"""CCL, the Context Compression Language of arXiv 2605.17304, section 7: atoms grouped by what they are about.

    packet  = ( "@CCL/1" | "@CCL/1m" ) , { field } ;
    field   = head , "=" , ( value | "{" , entry , [ "," ] , { entry , [ "," ] } , "}" ) ;
    head    = ( TYPE | SUBJECT | TYPE , ">" , name ) , { "@" , mark } ;
    entry   = key , [ ":" , value ] ;                        no value is `true`
    key     = name | subject , ">" , predicate ;

`GRID={w:80 h:50}` are two constraints on `grid`, `C={libs:false}` is one on `libs`, `FACT>server={port:8080}` is a fact, `SAFE="never push to
main"` a sentence. Under a type's own head a key is the subject, with the predicate that is usual for the type: `REJ={backend:SVG}` says
that SVG was rejected, `C={libs:false}` that libs are not allowed. Marks (`@should`, `@c1`, `@p.8`, `@assistant`, `@?`, `@in:desktop`) say
what is not as usual for the type.

CCL-Min (section 7.3) writes a field of several entries without braces, `AGENT=count350 initial_infected5`, and does without `@c` and `@p`
marks and authors: it is for atoms that can bear that.
"""
from __future__ import annotations

import re

from .atoms import AUTHORS, MODALITIES, TYPES, Atom, is_map
from .entrytext import Tokens, items_until, plain_scalar, read_name, read_value, scalar, value_text, word
from .errors import UsageError

TYPE_HEAD_OF = dict(zip(("TASK", "C", "PREF", "DEC", "REJ", "FACT", "PROC", "OPEN", "DONE", "ART", "SAFE", "TOOL"), TYPES))
_HEAD_OF = {kind: head for head, kind in TYPE_HEAD_OF.items()}
_SUBJECT_HEAD = re.compile("[A-Z][A-Z0-9_]*")
CORE, MIN = "@CCL/1", "@CCL/1m"

_PREDICATES = {"rejection": "rejected", "decision": "selected", "preference": "likes"}


def usual_predicate(kind: str, value: object) -> str:
    """The predicate that need not be written in a list of subjects: `libs:false` under C is `libs allowed false`."""
    return _PREDICATES.get(kind) or ("allowed" if type(value) is bool else "equals")


# -- groups: what AIL and CCL write as one field

def groups(atoms: list[Atom], lean: bool = False) -> dict[tuple, list[tuple[str, object]]]:
    """Atoms as fields, in order of first appearance: (type, subject, marks) -> [(key, value)]. The subject is None for the list of a type, where
    keys are subjects; a key of None is a value that stands alone. `lean` leaves out the marks that CCL-Min does without."""
    fields: dict[tuple, list] = {}
    sizes: dict[tuple, int] = {}
    for atom in atoms:
        group = (atom.type, atom.subject, marks(atom, lean))
        sizes[group] = sizes.get(group, 0) + (not _is_lone(atom) and not _is_usual(atom))
    for number, atom in enumerate(atoms):
        kind, subject, how = group = (atom.type, atom.subject, marks(atom, lean))
        if _is_lone(atom):
            fields[(*group, number)] = [(None, atom.value)]  # a value that stands alone is a field of its own
        elif _is_usual(atom):
            fields.setdefault((kind, None, how), []).append((word(subject), atom.value))
        elif sizes[group] == 1 or not subject:
            fields.setdefault((kind, None, how), []).append((f"{word(subject)}>{word(atom.predicate)}", atom.value))
        else:
            fields.setdefault(group, []).append((word(atom.predicate), atom.value))
    return fields


def _is_lone(atom: Atom) -> bool:
    return not atom.predicate and not is_map(atom.value)


def _is_usual(atom: Atom) -> bool:
    return bool(atom.subject) and atom.predicate == usual_predicate(atom.type, atom.value)


def atoms_of(kind: str, subject: str | None, how: dict, entries: list) -> list[Atom]:
    """The atoms of one field: what `groups` made, back."""
    found = []
    for key, value in entries:
        if key is None:
            about, predicate = subject or "", ""
        elif subject is not None:
            about, predicate = subject, key[0]
        else:
            about = key[0]
            predicate = key[1] if len(key) > 1 else usual_predicate(kind, value)
        found.append(Atom(kind, about, predicate, value, **how))
    return found


def marks(atom: Atom, lean: bool = False, modality: bool = True) -> str:
    """What of an atom is not as usual for its type, as marks; without the modality where something else tells it."""
    usual = Atom(atom.type, atom.subject, atom.predicate, atom.value, atom.modality, author=atom.author)
    found = [atom.modality] if modality and atom.modality != Atom(atom.type).modality else []
    if not lean:
        if atom.criticality != usual.criticality:
            found.append(f"c{atom.criticality}")
        if atom.confidence != 1:
            found.append("p" + scalar(atom.confidence))
        if atom.author != "user":
            found.append(atom.author)
    if atom.ambiguous:
        found.append("?")
    if atom.scope:
        found.append("in:" + word(atom.scope))
    return "".join("@" + mark for mark in found)


def read_marks(tokens: Tokens) -> dict:
    """Marks as fields of an Atom. Raises UsageError."""
    how: dict = {}
    while tokens.kind == "@":
        tokens.next()
        if tokens.kind == "?":
            tokens.next()
            how["ambiguous"] = True
            continue
        mark = tokens.take("w", "mark behind the @")
        if mark in MODALITIES:
            how["modality"] = mark
        elif mark in AUTHORS:
            how["author"] = mark
        elif mark in ("c1", "c2", "c3"):
            how["criticality"] = int(mark[1])
        elif mark[0] == "p" and type(plain_scalar(mark[1:])) in (int, float):
            how["confidence"] = plain_scalar(mark[1:])
        elif mark == "in":
            tokens.take(":", "colon behind @in")
            how["scope"] = read_name(tokens)
        else:
            raise tokens.fault("a mark that is none", "@must, @should, ..., @c1, @p.8, @assistant, @?, or @in:scope")
    return how


def body(kind: str, subject: str | None, how: str, entries: list) -> str:
    """A field without its type: `{libs:false assets:false}`, `grid={w:80}`, `grid=80`, `="a sentence"`."""
    name = word(subject) if subject else ""
    if entries[0][0] is None:
        return f"{name}{how}={value_text(entries[0][1])}"
    listed = " ".join(key if value is True else f"{key}:{value_text(value)}" for key, value in entries)
    return f"{name}{how}" + ("=" if name else "") + "{" + listed + "}"


def read_entries(tokens: Tokens) -> list:
    """What stands in braces: [(key parts, value)]. Raises UsageError."""
    tokens.take("{", "opening brace")
    return items_until(tokens, "}", _read_entry)


def _read_entry(tokens: Tokens) -> tuple:
    key = [read_name(tokens)]
    if tokens.kind == ">":
        tokens.next()
        key.append(read_name(tokens))
    if tokens.kind != ":":
        return key, True
    tokens.next()
    return key, read_value(tokens)


# -- CCL-Core

def write_ccl(atoms: list[Atom]) -> str:
    """Atoms as CCL-Core, one field a line. `read_ccl` gives them back, grouped, without their evidence."""
    return CORE + "\n" + "".join(_core_field(*field[:3], entries) + "\n" for field, entries in groups(atoms).items())


def _core_field(kind: str, subject: str | None, how: str, entries: list) -> str:
    text = body(kind, None, "", entries)
    return _head(kind, subject) + how + (text if text.startswith("=") else "=" + text)


def _head(kind: str, subject: str | None) -> str:
    if not subject:
        return _HEAD_OF[kind]
    head = subject.upper()
    if kind == "constraint" and _SUBJECT_HEAD.fullmatch(head) and head.lower() == subject and head not in TYPE_HEAD_OF and head != "T":
        return head
    return f"{_HEAD_OF[kind]}>{word(subject)}"


def read_ccl(text: str) -> list[Atom]:
    """The atoms of a CCL packet, Core or Min. Raises UsageError with line and column."""
    text = text.removeprefix("\ufeff").lstrip()
    header = text.split(None, 1)[0] if text else ""
    if header not in (CORE, MIN):
        raise UsageError(f"line 1: this is no CCL packet; expected {CORE} or {MIN} at its start")
    tokens = Tokens(text, len(header))
    atoms: list[Atom] = []
    while tokens.kind:
        atoms += _read_field(tokens, header == MIN)
    return atoms


def _read_field(tokens: Tokens, lean: bool) -> list[Atom]:
    head = tokens.take("w", "head of a field, such as TASK or C")
    kind, subject = TYPE_HEAD_OF.get("TASK" if head == "T" else head), None
    if kind is None:
        if not _SUBJECT_HEAD.fullmatch(head):
            raise tokens.fault("a head that is none", "upper-case letters, or one of " + " ".join(TYPE_HEAD_OF))
        kind, subject = "constraint", head.lower()
    elif tokens.kind == ">":
        tokens.next()
        subject = read_name(tokens)
    how = read_marks(tokens)
    tokens.take("=", "= behind the head")
    if tokens.kind == "{":
        entries = read_entries(tokens)
        if subject is not None and any(len(key) > 1 for key, _ in entries):
            raise tokens.fault("an entry with > under a subject", "predicates only")
        return atoms_of(kind, subject, how, entries)
    if lean:
        return _read_lean(tokens, kind, subject, how)
    return atoms_of(kind, subject, how, [(None, read_value(tokens))])


# -- CCL-Min

_NAME = "[A-Za-z_]*[A-Za-z]"
_IS_NAME = re.compile(_NAME)
_GLUED = re.compile(f"({_NAME})(\\d+\\.?\\d*|\\.\\d+)")


def write_cclmin(atoms: list[Atom], core: object = None) -> str:
    """Atoms as CCL-Min on one line; those of which `core(atom)` is true stand as CCL-Core in the same packet. Criticality, confidence
    and author of the others are left out."""
    whole = [atom for atom in atoms if core and core(atom)]
    lean = [atom for atom in atoms if not (core and core(atom))]
    fields = [_core_field(*field[:3], entries) for field, entries in groups(whole).items()]
    fields += [_lean_field(*field[:3], entries) for field, entries in groups(lean, lean=True).items()]
    return " ".join((MIN, *fields)) + "\n"


def _lean_field(kind: str, subject: str | None, how: str, entries: list) -> str:
    written = [_lean_entry(key, value, subject is None) for key, value in entries if key is not None]
    if len(written) > 1 or written and (written[0][0] == "!" or written[0] == f"{entries[0][0]}:{value_text(entries[0][1])}"):
        return _head(kind, subject) + how + "=" + " ".join(written)
    return _core_field(kind, subject, how, entries)  # a lone `reset` would read as a value


def _lean_entry(key: str, value: object, listed: bool) -> str:
    """`reset` is true, `count350` a number; false is `libs0` in the list of a type, as in the paper, and `!name` under a subject."""
    last = key.rpartition(">")[2]
    if value is True:
        return key if not _GLUED.fullmatch(last) else key + ":true"
    if value is False and not listed:
        return "!" + key
    if _IS_NAME.fullmatch(last):
        if value is False:
            return key + "0"
        glued = key + value_text(value) if type(value) in (int, float) else ""
        if _GLUED.fullmatch(glued.rpartition(">")[2]) and not (listed and glued.endswith(last + "0")):
            return glued
    return f"{key}:{value_text(value)}"


def _read_lean(tokens: Tokens, kind: str, subject: str | None, how: dict) -> list[Atom]:
    """A value that stands alone, or a list of entries without braces."""
    start = tokens.place
    if tokens.kind != "!":
        alone = read_value(tokens)
        if not tokens.kind or tokens.kind in ("w", '"') and _at_head(tokens):
            return atoms_of(kind, subject, how, [(None, alone)])
        tokens.place = start
    entries = [_read_lean_entry(tokens, subject is None)]
    while tokens.kind == "," or tokens.kind in ("w", '"', "!") and not _at_head(tokens):
        if tokens.kind == ",":
            tokens.next()
        entries.append(_read_lean_entry(tokens, subject is None))
    return atoms_of(kind, subject, how, entries)


def _at_head(tokens: Tokens) -> bool:
    """Whether the next field starts here: a head with its marks and `=`."""
    start = tokens.place
    try:
        if tokens.kind != "w":
            return False
        tokens.next()
        if tokens.kind == ">":
            tokens.next()
            read_name(tokens)
        read_marks(tokens)
        return tokens.kind == "="
    except UsageError:
        return False
    finally:
        tokens.place = start


def _read_lean_entry(tokens: Tokens, listed: bool) -> tuple:
    """One entry; `=` stands for `:` in packets that people wrote after the paper (`I0=5`)."""
    if tokens.kind == "!":
        tokens.next()
        return [read_name(tokens)], False
    quoted = tokens.kind == '"'
    key = [read_name(tokens)]
    if tokens.kind == ">":
        tokens.next()
        quoted = tokens.kind == '"'
        key.append(read_name(tokens))
    if tokens.kind in (":", "="):
        tokens.next()
        return key, read_value(tokens)
    glued = None if quoted else _GLUED.fullmatch(key[-1])
    if not glued:
        return key, True
    key[-1] = glued[1]
    return key, False if listed and glued[2] == "0" else plain_scalar(glued[2])
