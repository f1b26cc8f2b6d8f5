"""The commands that work on commitments."""
from __future__ import annotations

from .errors import UsageError
from .files import read_text
from .renderings import FORMS, read_atoms, write_atoms
from .snapshot import MAX_INPUT
from .terminal import write_result


def clean_text(path: str, redactor: object) -> str:
    """The text of a file without its secrets. Raises FileError."""
    return redactor.redact_document(read_text(path, MAX_INPUT))


def convert_atoms(args: object, redactor: object) -> int:
    """`atoms`: read commitments in any form, write them in another."""
    text = clean_text(args.file, redactor)
    given = getattr(args, "from")
    if given is None:
        _, atoms = read_atoms(text)
    elif given not in FORMS or FORMS[given].read is None:
        raise UsageError("--from needs a form that a program can read: " + ", ".join(name for name, form in FORMS.items() if form.read))
    else:
        atoms = FORMS[given].read(text)
    write_result(write_atoms(atoms, args.to or "json"), args.output or "-", args.force)
    return 0
