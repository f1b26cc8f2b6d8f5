"""Every form in which atoms are written, in one table, and the one call that reads any of them."""
from __future__ import annotations

from collections import namedtuple

from .ailatoms import read_ail, write_ail
from .atoms import Atom
from .ccl import CORE, read_ccl, write_ccl, write_cclmin
from .errors import UsageError
from .recordtexts import read_json, read_yaml, write_json, write_yaml
from .snapshot import HEADER
from .statedprose import read_sentences, write_prose, write_sentences

Form = namedtuple("Form", "about write read lossless")
Form.__doc__ = """A row: what it is; `write(atoms) -> text`; `read(text) -> atoms` (None: no program can); whether `read(write(atoms))` gives the
atoms, up to evidence and order."""

FORMS = {
    "json": Form("canonical records, evidence too", write_json, read_json, True),
    "yaml": Form("the records as YAML", write_yaml, read_yaml, True),
    "ccl": Form("CCL-Core, a field a line", write_ccl, read_ccl, True),
    "cclmin": Form("CCL-Min: smaller, without criticality, confidence and author", write_cclmin, read_ccl, False),
    "ail": Form("an AILv1 snapshot", write_ail, read_ail, True),
    "sentences": Form("structured prose", write_sentences, read_sentences, True),
    "prose": Form("plain prose, for people only", write_prose, None, False),
}


def write_atoms(atoms: list[Atom], form: str) -> str:
    """Atoms as text in one of FORMS; they come grouped by what they are about. Raises UsageError for a form that is none."""
    if form not in FORMS:
        raise UsageError("there is no such form; expected one of " + ", ".join(FORMS))
    return FORMS[form].write(atoms)


def read_atoms(text: str) -> tuple[str, list[Atom]]:
    """`(form, atoms)` of a text in any form that can be read; its beginning says which. Raises UsageError and SnapshotError with the place."""
    form = form_of(text)
    return form, FORMS[form].read(text)


def form_of(text: str) -> str:
    """Which of FORMS a text is in, by how it starts."""
    start = text.removeprefix("\ufeff").lstrip()[:40]
    if start.startswith(HEADER):
        return "ail"
    if start.startswith(CORE):
        return "cclmin" if start.startswith(CORE + "m") else "ccl"
    if start.startswith(("{", "[")):
        return "json"
    return "yaml" if start.startswith(("- ", "---", "#")) else "sentences"
