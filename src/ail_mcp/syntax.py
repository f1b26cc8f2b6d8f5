"""Source bytes -> text -> syntax tree, as this interpreter reads them, whatever is in them."""
from __future__ import annotations

import sys
from _ast import AST, PyCF_ONLY_AST

PARSER_FAULTS = (SyntaxError, ValueError, RecursionError, MemoryError)  # what the parser raises for a text that it does not take


def parse_tree(text: str) -> AST:
    """The syntax tree of a source text, exactly as the interpreter's own parser gives it. Raises one of PARSER_FAULTS."""
    if sys.version_info >= (3, 11) or len(text) < 60_000:
        return compile(text, "<source>", "exec", PyCF_ONLY_AST, True)
    import threading

    # Python 3.10 turns its tree into objects by unguarded recursion: a sum of 100,000 terms ends the process, unless the stack is large.
    result: list = []

    def parse() -> None:
        try:
            result.append(compile(text, "<source>", "exec", PyCF_ONLY_AST, True))
        except PARSER_FAULTS as error:
            result.append(error)

    before = threading.stack_size(min(1 << 30, max(1 << 24, len(text) * 160 >> 12 << 12)))
    try:
        worker = threading.Thread(target=parse)
        worker.start()
        worker.join()
    except RuntimeError as error:
        raise MemoryError("no room for a large stack") from error
    finally:
        threading.stack_size(before)
    if isinstance(result[0], Exception):
        raise result[0]
    return result[0]


def parse_python(text: str) -> AST:
    """`parse_tree` without a word about doubtful escapes in the source: they are not this tool's to report."""
    if "warnings" not in sys.modules and all(piece[:1] in _PLAIN_ESCAPES for piece in text.split("\\")[1:]):
        return parse_tree(text)
    import warnings  # not free to load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return parse_tree(text)


_PLAIN_ESCAPES = "\n\\'\"abfnrtv0123x"  # behind a backslash, in any string


def decode_source(source: bytes | str) -> tuple[str, str]:
    """Source bytes -> (text with \n line ends, what was wrong or ""). By byte-order mark, coding cookie (PEP 263) or UTF-8."""
    fault = ""
    if isinstance(source, bytes) and source.isascii() and not source.startswith(b"+/v"):
        text = source.decode("ascii")
    else:
        from .decoding import decode_any
        text, fault = decode_any(source)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, fault


def visible(text: str) -> str:
    """The text with every character that shows nothing, or could be taken for the end of a line, as its escape."""
    if text.isprintable():
        return text
    import re

    return re.sub(_SHOWS_NOTHING, _escape, text)


# Controls, formats, blanks other than the space, surrogates, private use, and what Unicode keeps for no character. Listed here, since
# what the interpreter takes for printable changes with its Unicode tables.
_SHOWS_NOTHING = (
    "[\\x00-\\x1f\\x7f-\\xa0\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000"
    "\\ud800-\\uf8ff\\ufeff\\ufff0-\\ufffb\\ufffe\\uffff\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\U000e0000-\\U000e00ff\\U000f0000-\\U0010ffff]")


def _escape(match: object) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def file_slot(file: str) -> str:
    """A file name as it may stand in the file slot: no bar, no character that is not printable."""
    return visible(file.replace("|", "\\x7c"))
