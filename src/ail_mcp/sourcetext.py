"""Expressions as text on one line: cut from the source as written, without spare spaces, and safe inside a section line."""
from __future__ import annotations

import re
from _ast import AST, Constant, Lambda, Name, NamedExpr, Yield, YieldFrom

from .syntax import PARSER_FAULTS, parse_tree, visible

DEFAULT_SHOWN = 40  # characters; 99.9 % of the defaults in 660,000 lines are shorter, so showing them whole costs nothing
_WRAPPED = (Lambda, NamedExpr, Yield, YieldFrom)
_TYPE_TEXT = re.compile(r"[\w.,\[\]| \"']+")
_QUOTED_NAME = re.compile(r"([\"'])([^\W\d][\w.]*)\1")
_STRINGS = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_unquoted_types: dict[str, str] = {}


class SourceText:
    """A source text, ready to have the text of tree nodes cut out of it, each on one line and without spare spaces."""

    __slots__ = ("ascii", "lines", "redact")

    def __init__(self, text: str, redact: object = None) -> None:
        self.lines = text.split("\n")
        self.ascii = text.isascii()
        self.redact = redact  # text -> text without secrets

    def of(self, node: AST) -> str:
        """The source of an expression as written; printed from the tree where it spans lines or holds anything odd."""
        if node.__class__ is Name:
            return node.id
        if node.lineno == node.end_lineno:
            line = self.lines[node.lineno - 1]
            if self.ascii or line.isascii():
                text = line[node.col_offset:node.end_col_offset]
            else:  # columns count UTF-8 bytes
                text = line.encode("utf-8", "surrogatepass")[node.col_offset:node.end_col_offset].decode("utf-8", "replace")
            if node.__class__ is Constant:
                if text.isprintable() and "|mutates(" not in text:
                    return text
            elif " " not in text and '"' not in text and "'" not in text and text.isascii() and text.isprintable():
                return text
            elif text.isascii() and text.isprintable() and "|mutates(" not in text:
                squeezed = _squeeze(text)
                if squeezed and "|mutates(" not in squeezed:
                    return squeezed
        return _print_node(node)

    def annotation(self, node: AST) -> str:
        """An annotation: a quoted type without its quotes, and nothing that could be taken for a default or another slot."""
        if node.__class__ is Constant and node.value.__class__ is str:
            text = _unquoted(node.value) or self.of(node)
        else:
            text = self.of(node)
            if ('"' in text or "'" in text) and "Literal" not in text and "Annotated" not in text:
                text = _QUOTED_NAME.sub(_bare_name, text) if _TYPE_TEXT.fullmatch(text) else text
        if "=" in text or node.__class__ in _WRAPPED:
            return f"({text})"
        return text

    def cleaned_names(self, text: str) -> str:
        """A function's name or the slot of what it changes, without secrets: a token is a valid name."""
        if self.redact is None:
            return text
        return re.sub(r"\w{16,}", lambda word: self.redact(word[0]), text)

    def cleaned(self, text: str) -> str:
        """An argument, field or return type without secrets; still one whole piece: where too much is gone, only its name stays."""
        if self.redact is None:
            return text
        clean = visible(self.redact(text))
        if clean == text:
            return text
        name = re.match(r"[*\w]*", text)[0]
        bare = _STRINGS.sub("", clean)
        whole = (clean.startswith(name) and "|mutates(" not in clean and '"' not in bare and "'" not in bare
                 and all(bare.count(a) == bare.count(b) for a, b in ("()", "[]", "{}")))
        return clean if whole else f"{name}=..." if name else "..."

    def default(self, node: AST) -> str:
        """A default as written, or `...` where it is longer than 40 characters."""
        text = self.of(node)
        if node.__class__ in _WRAPPED and (node.__class__ is not Lambda or "," in text):
            text = f"({text})"
        return text if len(text) <= DEFAULT_SHOWN else "..."


def _bare_name(match: re.Match[str]) -> str:
    return _unquoted(match[2]) or match[0]


def _unquoted(text: str) -> str:
    """A type that was written as a string, without quotes and spare spaces; "" when it is not plainly a type."""
    known = _unquoted_types.get(text)
    if known is None:
        known = ""
        if len(text) < 200 and re.fullmatch(r"[\w.,\[\]| ]+", text):
            bare = text.strip().replace(", ", ",").replace(" | ", "|")
            try:
                tree = parse_tree(bare)
            except PARSER_FAULTS:
                tree = None
            body = tree.body[0].value if tree is not None and len(tree.body) == 1 and hasattr(tree.body[0], "value") else None
            if " " not in bare and body.__class__.__name__ in ("Name", "Attribute", "Subscript", "BinOp", "Constant"):
                known = bare
        if len(_unquoted_types) < 10_000:
            _unquoted_types[text] = known
    return known


def _squeeze(text: str) -> str:
    """Source on one line without spaces after commas and around bars, outside strings; "" where cutting is not safe."""
    if "  " in text or "#" in text or "\\" in text or "\t" in text:
        return ""
    if '"' not in text and "'" not in text:
        return text.replace(", ", ",").replace(" | ", "|")
    if '"' * 3 in text or "'" * 3 in text:
        return ""
    parts = _STRINGS.split(text)
    parts[::2] = [x.replace(", ", ",").replace(" | ", "|") for x in parts[::2]]
    return "".join(parts)


def _print_node(node: AST) -> str:
    import ast  # only where cutting fails: loading it takes longer than reading a file

    try:
        text = ast.unparse(node)
    except (RecursionError, MemoryError, ValueError):
        return "..."
    parts = _STRINGS.split(text)
    parts[::2] = [x.replace(", ", ",").replace(" | ", "|").replace("|mutates(", "| mutates(") for x in parts[::2]]
    parts[1::2] = [x.replace("|mutates(", "\\x7cmutates(") for x in parts[1::2]]
    return visible("".join(parts))
