"""Expressions as text on one line: cut from the source as written, without spare spaces, and safe inside a section line."""
from __future__ import annotations

from _ast import AST, Constant, Lambda, Name, NamedExpr, Yield, YieldFrom

from .secretgate import has_long_word
from .syntax import PARSER_FAULTS, parse_tree, visible

DEFAULT_SHOWN = 40  # characters; 99.9 % of the defaults in 660,000 lines are shorter, so showing them whole costs nothing
_WRAPPED = (Lambda, NamedExpr, Yield, YieldFrom)
# What stands in a plain type besides names; and what stands besides it in one that quotes names.
_TYPE_SIGNS = str.maketrans("", "", "_.,[]| ")
_QUOTED_TYPE_SIGNS = str.maketrans("", "", "_.,[]| \"'")
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
        if self.ascii and node.lineno == node.end_lineno:
            text = self.lines[node.lineno - 1][node.col_offset:node.end_col_offset]
        else:
            text = self.cut(node)
        if text.isprintable():
            if node.__class__ is Constant:
                if "|mutates(" not in text and '"' * 3 not in text and "'" * 3 not in text:
                    return text
            elif text.isascii():
                if " " not in text and '"' not in text and "'" not in text:
                    return text
                squeezed = _squeeze(text)
                if squeezed and "|mutates(" not in squeezed:
                    return squeezed
        from .onelines import on_one_line

        return on_one_line(text)

    def cut(self, node: AST) -> str:
        """The source of a node, as it stands there."""
        first, last, start, end = node.lineno - 1, node.end_lineno - 1, node.col_offset, node.end_col_offset
        lines = [self.lines[first]] if first == last else self.lines[first:last + 1]
        if self.ascii or (lines[0].isascii() and lines[-1].isascii()):
            lines[-1] = lines[-1][:end]
            lines[0] = lines[0][start:]
        else:  # columns count UTF-8 bytes
            lines[-1] = lines[-1].encode("utf-8", "surrogatepass")[:end].decode("utf-8", "replace")
            lines[0] = lines[0].encode("utf-8", "surrogatepass")[start:].decode("utf-8", "replace")
        return "\n".join(lines)

    def annotation(self, node: AST) -> str:
        """An annotation: a quoted type without its quotes, and nothing that could be taken for a default or another slot."""
        if node.__class__ is Constant and node.value.__class__ is str:
            text = _unquoted(node.value) or self.of(node)
        else:
            text = self.of(node)
            if ('"' in text or "'" in text) and "Literal" not in text and "Annotated" not in text:
                text = _without_quotes(text)
        if "=" in text or node.__class__ in _WRAPPED:
            return f"({text})"
        return text

    def cleaned_names(self, text: str) -> str:
        """A function's name or the slot of what it changes, without secrets: a token is a valid name."""
        if self.redact is None or not has_long_word(text, 16):
            return text
        import re

        return re.sub(r"\w{16,}", lambda word: self.redact(word[0]), text)

    def cleaned(self, text: str) -> str:
        """An argument, field or return type without secrets; still one whole piece: where too much is gone, only its name stays."""
        if self.redact is None:
            return text
        clean = visible(self.redact(text))
        if clean == text:
            return text
        name = next((text[:i] for i, sign in enumerate(text) if not (sign.isalnum() or sign in "*_")), text)
        bare = "".join(cut_strings(clean)[::2])
        whole = (clean.startswith(name) and "|mutates(" not in clean and '"' not in bare and "'" not in bare
                 and all(bare.count(a) == bare.count(b) for a, b in ("()", "[]", "{}")))
        return clean if whole else f"{name}=..." if name else "..."

    def default(self, node: AST) -> str:
        """A default as written, or `...` where it is longer than 40 characters."""
        text = self.of(node)
        if node.__class__ in _WRAPPED and (node.__class__ is not Lambda or "," in text):
            text = f"({text})"
        return text if len(text) <= DEFAULT_SHOWN else "..."


def cut_strings(text: str) -> list[str]:
    """Text outside and inside of its one-line strings, in turn; the strings with their quotes. Ends at a string that is not closed."""
    parts, start, single, double = [], 0, -1, -1
    while True:
        single = single if single >= start else text.find("'", start) % (len(text) + 1)  # not there: at the end
        double = double if double >= start else text.find('"', start) % (len(text) + 1)
        first = min(single, double)
        end = _string_end(text, first) if first < len(text) else -1
        if end < 0:
            return [*parts, text[start:]]
        parts += text[start:first], text[first:end]
        start = end


def _string_end(text: str, at: int) -> int:
    """The position behind the quote that closes the one at `at`, -1 when none does."""
    end = at
    while True:
        end = text.find(text[at], end + 1)
        back = end
        while back > at + 1 and text[back - 1] == "\\":
            back -= 1
        if end < 0 or (end - back) % 2 == 0:
            return end + 1 if end >= 0 else -1


def _without_quotes(text: str) -> str:
    """An annotation that quotes some of its names, without those quotes; the same where anything but names and brackets is in it."""
    if not text.translate(_QUOTED_TYPE_SIGNS).isalnum():
        return text
    parts = cut_strings(text)
    parts[1::2] = [string[1:-1].replace(".", "_").isidentifier() and _unquoted(string[1:-1]) or string for string in parts[1::2]]
    return "".join(parts)


def _unquoted(text: str) -> str:
    """A type that was written as a string, without quotes and spare spaces; "" when it is not plainly a type."""
    known = _unquoted_types.get(text)
    if known is None:
        known = ""
        if len(text) < 200 and text.translate(_TYPE_SIGNS).isalnum():
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
    parts = cut_strings(text)
    parts[::2] = [x.replace(", ", ",").replace(" | ", "|") for x in parts[::2]]
    return "".join(parts)
