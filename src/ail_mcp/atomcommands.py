"""The commands that work on commitments."""
from __future__ import annotations

from .atoms import TYPES, Atom
from .cleanatoms import clean_atoms
from .codec import encode
from .errors import UsageError
from .files import read_text
from .options import whole_number
from .renderings import FORMS, read_atoms, write_atoms
from .snapshot import MAX_INPUT
from .stages import four_stages
from .talk import say
from .terminal import write_result
from .transcript import counts_text


def clean_text(path: str, redactor: object) -> str:
    """The text of a file without its secrets. Raises FileError."""
    return redactor.redact_document(read_text(path, MAX_INPUT))


def clean_states(path: str, redactor: object, given: str | None = None) -> list[Atom]:
    """The atoms of a file without their secrets; `given` is the form where its beginning does not tell. Raises AilError."""
    text = clean_text(path, redactor)
    return clean_atoms(FORMS[given].read(text) if given else read_atoms(text)[1], redactor)


def convert_atoms(args: object, redactor: object) -> int:
    """`atoms`: read commitments in any form, write them in another, within a budget where one is given."""
    given, form = getattr(args, "from"), args.to or "json"
    if given is not None and (given not in FORMS or FORMS[given].read is None):
        raise UsageError("--from needs a form that a program can read: " + ", ".join(name for name, row in FORMS.items() if row.read))
    atoms = clean_states(args.file, redactor, given)
    if args.budget is None:
        write_result(write_atoms(atoms, form), args.output or "-", args.force)
        return 0
    packet = encode(atoms, _counting(args.counter), whole_number("--budget", args.budget, "tokens"), form)
    write_result(packet.text, args.output or "-", args.force)
    say(f"{packet.tokens:,} tokens, {len(packet.kept)} of {len(atoms)} commitments kept")
    if packet.left:
        counts = {kind: sum(atom.type == kind for atom in packet.left) for kind in TYPES}
        say("left out: " + counts_text({kind: number for kind, number in counts.items() if number}))
    stated = packet.kept + packet.left
    faults = four_stages(stated, stated, packet.kept, FORMS[form].read(packet.text))
    for reason in dict.fromkeys(fault.reason for fault in faults):
        say(f"safety: {reason} ({sum(fault.reason == reason for fault in faults)})")
    return 0


def _counting(name: str | None) -> object:
    """The function that counts tokens, by the counter of that name; the first exact one, else the estimate, when there is no name."""
    from .tokens import counter
    return counter(name).count if name else counter().count
