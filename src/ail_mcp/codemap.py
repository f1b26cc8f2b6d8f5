"""Files and folders -> one map, Python and what grammars are installed for. One bad file never stops the rest."""
from __future__ import annotations

import os
import re
from collections import Counter as Tally

from .errors import FileError, UsageError
from .signatures import SigMap, signatures
from .syntax import decode_source, file_slot

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
    notes: list[str] = []
    todo: list[tuple[str, str]] = []
    for path in paths:
        if os.path.isdir(path):
            from .folders import files_in
            from .languages import LANGUAGE_SUFFIXES

            found, faults = files_in(path, PYTHON_SUFFIXES + LANGUAGE_SUFFIXES, files_at_most)
            above = path.replace(os.sep, "/").rstrip("/") + "/" if len(paths) > 1 else ""
            notes += [above + fault for fault in faults]
            todo += [(one.path, above + one.name) for one in found]
            if not found:
                notes.append(f"{file_slot(path)}: no source files in this folder")
        elif os.path.exists(path):
            todo.append((path, os.path.basename(path)))
        else:
            raise FileError(f"{file_slot(path)}: no such file or folder")
    todo, grammars, missing = list(dict.fromkeys(todo)), None, []
    if not all(path.lower().endswith(PYTHON_SUFFIXES) for path, _ in todo):
        from .languages import Grammars, has_grammar, language_of, language_signatures, missing_extra

        unread = [path for path, _ in todo if language_of(path) and not has_grammar(path)]
        missing, grammars = missing_extra(unread), Grammars()
        todo = [(path, name) for path, name in todo if path not in set(unread)]
    homes = Tally(name for _, name in todo)
    todo = [(path, name if homes[name] == 1 else path.replace(os.sep, "/")) for path, name in todo]
    if redact is not None:
        todo = [(path, redact(name)) for path, name in todo]
    lines: list[str] = []
    uses: Tally[str] = Tally()
    unreadable = 0
    for done, (path, name) in enumerate(todo):
        if progress is not None:
            progress(done, len(todo), name)
        try:
            with open(path, "rb") as stream:
                source = stream.read(FILE_BYTES_AT_MOST + 1)
        except OSError as error:
            notes.append(f"{file_slot(name)}: cannot be read: {error.strerror}")
            unreadable += 1
            continue
        if len(source) > FILE_BYTES_AT_MOST:
            notes.append(f"{file_slot(name)}: larger than {FILE_BYTES_AT_MOST // 1_000_000} MB; not read")
            unreadable += 1
            continue
        if grammars is not None and language_of(path):
            part = language_signatures(source, name, path, grammars=grammars, redact=redact)
        else:
            part = signatures(source, name, no_self=no_self, no_mutations=no_mutations, fields=fields, constants=constants, redact=redact)
        lines += part.lines
        notes += part.notes
        if budget is not None:
            uses.update(re.findall(r"[^\W\d]\w*", decode_source(source)[0]))
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
