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
    `=` become None; cells in another language are left out and said.
    """
    try:
        book = json.loads(source)
        cells = book["cells"] if "cells" in book else [cell for sheet in book["worksheets"] for cell in sheet["cells"]]  # format 3
        language = (book.get("metadata") or {}).get("kernelspec", {}).get("language", "python")
        parts = [(number, cell.get("source", cell.get("input", ""))) for number, cell in enumerate(cells, 1)
                 if cell.get("cell_type") == "code"]
        parts = [(number, text if isinstance(text, str) else "".join(text)) for number, text in parts]
    except (ValueError, RecursionError) as error:
        return [], [f"line {getattr(error, 'lineno', 1)}: not a notebook: its JSON cannot be read"]
    except (KeyError, TypeError, AttributeError):
        return [], ["line 1: not a notebook: no list of cells in it"]
    if language not in ("python", "python3", "python2", "ipython", ""):
        return [], ["line 1: a notebook for another language than Python; not read"]
    out, faults = [], []
    for number, text in parts:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if _OTHER_LANGUAGE.match(text.lstrip()):
            faults.append(f"line 1: cell {number} is not Python; not read")
            continue
        out.append((number, _without_magics(text)))
    return out, faults
