"""Atoms without secrets: a value is judged with the names that it stands under, whatever form it was read from.

The file was redacted as text before it was read; here goes what only the parts of an atom give away, such as `password must be "..."`.
"""
from __future__ import annotations

import json
from dataclasses import replace

from .atoms import Atom
from .atomschema import frozen_value, plain_value
from .errors import UsageError
from .keyvalue import credential_key


def clean_atoms(atoms: list[Atom], redactor: object) -> list[Atom]:
    """The atoms with every secret replaced. Raises UsageError where one no longer fits its limits then."""
    parts = [{"about": atom.subject, "says": atom.predicate, "where": atom.scope, "source": atom.evidence.source, "words": atom.evidence.quote,
              "held": {_credential_name(atom): plain_value(atom.value)}} for atom in atoms]
    before = json.dumps(parts, ensure_ascii=False)
    after = redactor.redact_document(before)
    if after == before:
        return atoms
    return [atom if old == new else _with_parts(atom, new) for atom, old, new in zip(atoms, parts, json.loads(after))]


def _credential_name(atom: Atom) -> str:
    """The name of the value that says it is a secret, if one does: `api` and `key` do so together."""
    names = (atom.predicate, atom.subject, f"{atom.subject}_{atom.predicate}")
    return next((name for name in names if len(name) <= 80 and credential_key(name)[0]), "it")


def _with_parts(atom: Atom, parts: dict) -> Atom:
    (value,) = parts["held"].values()
    evidence = atom.evidence._replace(source=parts["source"], quote=parts["words"])
    try:
        return replace(atom, subject=parts["about"], predicate=parts["says"], value=frozen_value(value), scope=parts["where"], evidence=evidence)
    except UsageError as fault:
        raise UsageError(f"an atom does not fit its limits without its secret: {fault}") from None
