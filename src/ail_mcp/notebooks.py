"""Notebooks: the code cells of an .ipynb file as Python source."""
from __future__ import annotations

import json
import re

from .syntax import PARSER_FAULTS, parse_python

_OTHER_LANGUAGE = re.compile(r"%%(?:!|(?:bash|cmd|html|HTML|javascript|js|latex|markdown|perl|powershell|R|ruby|script|sh|sql|svg|SVG|"
                             r"writefile|file|cython)\b)")
_MAGIC_LINE = re.compile(r"(?m)^[ \t]*[%!?].*$|^[^\n\"'#]*[\w.)\]]\?{1,2}[ \t]*$")
_MAGIC_VALUE = re.compile(r"(?m)^([\w., \t]+=[ \t]*)[%!].*$")


def _without_magics(text: str) -> str:
    try:
        parse_python(text)
    except PARSER_FAULTS:
        return _MAGIC_VALUE.sub(r"\1None", _MAGIC_LINE.sub("", text))
    return text


def notebook_cells(source: bytes | str) -> tuple[list[tuple[int, str]], list[str]]:
    """A notebook -> ([(cell number from 1, Python source)], faults as "line N: reason").

    Cells count as the notebook shows them, text cells too. Magics are blanked, so that every line keeps its place; `!` and `%` after
    `=` become None. A cell in another language, or one that is no cell, is left out and said; the others are read.
    """
    try:
        book = json.loads(source)
    except (ValueError, RecursionError) as error:
        return [], [f"line {getattr(error, 'lineno', 1)}: not a notebook: its JSON cannot be read"]
    cells = _member(book, "cells", list)
    if not cells:  # format 3
        cells = [cell for sheet in _member(book, "worksheets", list) for cell in _member(sheet, "cells", list)]
    if not cells and not (isinstance(book, dict) and ("cells" in book or "worksheets" in book)):
        return [], ["line 1: not a notebook: no list of cells in it"]
    language = _member(_member(_member(book, "metadata", dict), "kernelspec", dict), "language", str)
    if language.lower() not in ("python", "python3", "python2", "ipython", ""):
        return [], ["line 1: a notebook for another language than Python; not read"]
    out, faults = [], []
    for number, cell in enumerate(cells, 1):
        if _member(cell, "cell_type", str) in ("markdown", "raw", "heading"):
            continue
        text = _cell_text(cell)
        if text is None:
            faults.append(f"line 1: cell {number} holds no source text; not read")
        elif _OTHER_LANGUAGE.match(text.lstrip()):
            faults.append(f"line 1: cell {number} is not Python; not read")
        else:
            out.append((number, _without_magics(text)))
    return out, faults


def _member(value: object, key: str, kind: type) -> object:
    """A member of a JSON object where it is of the kind that is expected there; an empty one of that kind otherwise."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else kind()


def _cell_text(cell: object) -> str | None:
    """The source of a code cell: a text or a list of texts (`input` in format 3); None for anything else."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    return source.replace("\r\n", "\n").replace("\r", "\n") if isinstance(source, str) else None
