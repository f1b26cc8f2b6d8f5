"""Files and folders -> one map, Python and what grammars are installed for. One bad file never stops the rest."""
from __future__ import annotations

import os

from .errors import FileError, UsageError
from .signatures import SigMap, signatures
from .syntax import file_slot

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw", ".ipynb")
FILES_AT_MOST = 20_000
FILE_BYTES_AT_MOST = 20_000_000


def code_map(paths: list[str], *, no_self: bool = False, no_mutations: bool = False, fields: bool = False, constants: bool = False,
             outline_only: bool = False, budget: int | None = None, count: object = None, redact: object = None, finish: object = None,
             progress: object = None, files_at_most: int = FILES_AT_MOST) -> SigMap:
    """Files and folders -> one map, sorted by file within each folder; one bad file never stops the rest.

    Python, notebooks, and other languages whose grammars are installed; where they are not, one note for each language says so. A file
    that is named itself is read as Python unless its suffix says another language.

    `redact` (text -> text) takes secrets out of file names and of what stands in signatures.
    The file slot is the base name for a path that is a file, and the path below the folder for what a folder holds; with several paths
    it begins with the folder as given, and two files of the same base name stand there as given.
    `budget` in tokens, measured by `count` (text -> tokens); the other options as in `signatures`. `finish` turns the lines into those
    to be printed (pointers), `outline_only` into an outline. `progress(done, total, name)` is called before each file.
    Notes are for standard error. Raises FileError when a path does not exist or none can be read, UsageError for a budget without a
    counter or one that holds nothing.
    """
    if budget is not None and (count is None or budget <= 0):
        raise UsageError("a budget needs a number of tokens above zero")
    for path in paths:
        if not os.path.lexists(path):
            raise FileError(f"{file_slot(path)}: no such file or folder")
    notes: list[str] = []
    grammars, missing = None, []
    todo = [(path, os.path.basename(path)) for path in dict.fromkeys(paths)]
    if any(os.path.isdir(path) or not path.lower().endswith(PYTHON_SUFFIXES) for path, _ in todo):
        from .folders import list_files
        from .languages import LANGUAGE_SUFFIXES, Grammars, language_of, language_signatures, split_by_grammar

        todo, notes = list_files(paths, PYTHON_SUFFIXES + LANGUAGE_SUFFIXES, files_at_most)
        todo, missing = split_by_grammar(todo)
        grammars = Grammars()
    lines: list[str] = []
    uses: dict[str, int] = {}
    unreadable = 0
    for done, (path, name) in enumerate(_told_apart(todo)):
        slot = redact(name) if redact is not None else name
        if progress is not None:
            progress(done, len(todo), slot)
        try:
            source = _read_source(path)
        except FileError as error:
            notes.append(f"{file_slot(slot)}: {error}")
            unreadable += 1
            continue
        if grammars is not None and language_of(path):
            part = language_signatures(source, slot, path, grammars=grammars, redact=redact)
        else:
            part = signatures(source, slot, no_self=no_self, no_mutations=no_mutations, fields=fields, constants=constants, redact=redact)
            if part.notes and not path.lower().endswith(PYTHON_SUFFIXES):
                part.notes = _foreign_notes(part, path, file_slot(slot))
        lines += part.lines
        notes += part.notes
        if budget is not None:
            from .ranking import count_names

            count_names(source, uses)
    if grammars is not None:
        grammars.close()
    notes += missing
    if todo and unreadable == len(todo):
        raise FileError(notes[-1])
    shape = finish or list
    if outline_only or budget is not None:
        from .ranking import outline, within_budget

        shape = outline if outline_only else shape  # an outline names each file once: it has no use for pointers
        if budget is not None:
            fitted = within_budget(lines, budget, count, uses, shape)
            return SigMap(fitted.lines, notes + fitted.notes)
    return SigMap(shape(lines), notes)


def _told_apart(todo: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """(path, name) with the path in the place of a name that several files have."""
    homes: dict[str, int] = {}
    for _, name in todo:
        homes[name] = homes.get(name, 0) + 1
    return [(path, name if homes[name] == 1 else path.replace(os.sep, "/")) for path, name in todo]


def _read_source(path: str) -> bytes:
    """The bytes of a file; FileError says why they cannot be had."""
    try:
        with open(path, "rb") as stream:
            source = stream.read(FILE_BYTES_AT_MOST + 1)
    except OSError as error:
        raise FileError(f"cannot be read: {(error.strerror or type(error).__name__).lower()}") from None
    if len(source) > FILE_BYTES_AT_MOST:
        raise FileError(f"larger than {FILE_BYTES_AT_MOST // 1_000_000} MB; not read")
    return source


def _foreign_notes(part: SigMap, path: str, slot: str) -> list[str]:
    """The notes on a file that is Python by no suffix: one line where it is something else, such as notes."""
    if part.lines and "." not in os.path.basename(path)[1:]:
        return part.notes
    number = len(part.lines)
    found = f"{number} function{'s' * (number > 1)} found in it, best effort" if number else "no function found in it"
    return [f"{slot}: not Python as a whole; {found}"]
