"""Python source -> @SIG lines: one line for each function, with what it takes, what it gives back and what it changes.

    @SIG worker.py|make_thumbnails(photo_id:int,key:str)->list[str]|mutates(storage.put_object_bytes)

The reader is made for three things. Complete: every def in every branch, class and function is a line, overloads and setters too.
Safe: no text of the source can begin a line or a slot of its own. Fast: one loop over the statements, no recursion, expressions
are walked only on lines where a pattern finds something to look for, and text is cut from the source instead of printed from the tree.
"""
from __future__ import annotations

import re
import warnings
from _ast import (AST, AnnAssign, Assert, Assign, AsyncFor, AsyncFunctionDef, AsyncWith, AugAssign, ClassDef, Constant, Delete, Expr, For,
                  FunctionDef, Global, If, Lambda, Match, Name, NamedExpr, Nonlocal, PyCF_ONLY_AST, Raise, Return, Try, While, With,
                  Yield, YieldFrom)
from collections import namedtuple

from .mutations import Own, changed_state, hot_lines, mutation_slot, note_calls, note_targets

SigMap = namedtuple("SigMap", "lines notes")
SigMap.__doc__ = """What `signatures` gives: `lines`, section lines without line ends; `notes`, "FILE: line N: reason" for standard error."""

DEFAULT_SHOWN = 40  # characters; 99.9 % of the defaults in 660,000 lines are shorter, so showing them whole costs nothing
_SELF_NAMES = frozenset(("self", "cls", "mcs", "metacls", "_cls", "klass"))

# Statements by what must be done with them. `TryStar` came with 3.11.
(_EXPR, _ASSIGN, _RETURN, _AUGMENT, _ANNOTATED, _DELETE, _DECLARE, _OTHER, _COMPOUND, _IF, _DEF, _CLASS, _FOR, _WITH, _TRY, _WHILE,
 _MATCH) = range(1, 18)
_KINDS = {Expr: _EXPR, Assign: _ASSIGN, Return: _RETURN, AugAssign: _AUGMENT, AnnAssign: _ANNOTATED, Delete: _DELETE, Global: _DECLARE,
          Nonlocal: _DECLARE, Raise: _OTHER, Assert: _OTHER, If: _IF, FunctionDef: _DEF, AsyncFunctionDef: _DEF, ClassDef: _CLASS,
          For: _FOR, AsyncFor: _FOR, With: _WITH, AsyncWith: _WITH, Try: _TRY, While: _WHILE, Match: _MATCH}


def parse_python(text: str) -> AST:
    """The syntax tree of a source text. Raises SyntaxError, ValueError, RecursionError or MemoryError, as the parser does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a doubtful escape in the source is not this tool's to report
        return compile(text, "<source>", "exec", PyCF_ONLY_AST, True)


def own_scopes(tree: AST, hot: bytearray | None) -> list[Own]:
    """Every function of a tree in source order, with what its own scope returns, yields, writes, binds and declares.

    One loop over statements with an explicit stack: deep nesting and ten thousand `elif` cannot exhaust anything.
    """
    kinds, found = _KINDS.get, []
    frames: list[tuple] = [(iter(tree.body), "", None, False)]  # statements, scope, the function they run in, directly in a class
    while frames:
        body, scope, own, in_class = frame = frames.pop()
        for node in body:
            kind = kinds(node.__class__, 0)
            if not kind:
                if node.__class__.__name__ != "TryStar":
                    continue
                kind = _TRY
            if kind < _COMPOUND:
                if own is None:
                    continue
                if kind == _ASSIGN:
                    for target in node.targets:
                        note_targets(target, own, node.value)
                elif kind == _RETURN:
                    value = node.value
                    if value is not None and not own.value and not (value.__class__ is Constant and value.value is None):
                        own.value = True
                elif kind == _AUGMENT:
                    note_targets(node.target, own)
                elif kind == _ANNOTATED:
                    if node.value is not None:
                        note_targets(node.target, own, node.value, False)
                elif kind == _DELETE:
                    for target in node.targets:
                        note_targets(target, own)
                elif kind == _DECLARE:
                    own.declared.extend(node.names)
                if hot is not None and hot.find(1, node.lineno, node.end_lineno + 1) >= 0:
                    if kind == _EXPR:
                        note_calls(node.value, own, True)
                    elif kind != _DECLARE:
                        note_calls(node, own)
                continue
            frames.append(frame)  # the rest of this body comes after the suites of this statement
            if kind == _DEF:
                inner = Own(node, scope, in_class)
                found.append(inner)
                if own is not None and hot is not None:
                    for expression in node.decorator_list:
                        note_calls(expression, own)
                frames.append((iter(node.body), f"{scope}{node.name}.", inner, False))
                break
            if kind == _CLASS:
                frames.append((iter(node.body), f"{scope}{node.name}.", None, True))
                break
            if own is not None and kind != _TRY:
                if kind == _IF or kind == _WHILE:
                    heads = (node.test,)
                elif kind == _FOR:
                    note_targets(node.target, own)
                    heads = (node.iter, node.target)
                elif kind == _WITH:
                    heads = [item.context_expr for item in node.items]
                    for item in node.items:
                        if item.optional_vars is not None:
                            note_targets(item.optional_vars, own)
                else:
                    heads = [node.subject, *(case.guard for case in node.cases if case.guard is not None)]
                if hot is not None:
                    for head in heads:
                        if hot.find(1, head.lineno, head.end_lineno + 1) >= 0:
                            note_calls(head, own)
            if kind == _MATCH:
                suites = [case.body for case in node.cases]
            elif kind == _WITH:
                suites = (node.body,)
            elif kind == _TRY:
                suites = (node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody)
            else:
                suites = (node.body, node.orelse)
            for suite in reversed(suites):
                if suite:
                    frames.append((iter(suite), scope, own, in_class))
            break
    return found


class SourceText:
    """A source text, ready to have the text of tree nodes cut out of it, each on one line and without spare spaces."""

    __slots__ = ("text", "lines", "ascii")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.ascii = text.isascii()

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
                if squeezed:
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

    def default(self, node: AST) -> str:
        """A default as written, or `...` where it is longer than 40 characters."""
        text = self.of(node)
        if node.__class__ in _WRAPPED and (node.__class__ is not Lambda or "," in text):
            text = f"({text})"
        return text if len(text) <= DEFAULT_SHOWN else "..."


_WRAPPED = (Lambda, NamedExpr, Yield, YieldFrom)
_TYPE_TEXT = re.compile(r"[\w.,\[\]| \"']+")
_QUOTED_NAME = re.compile(r"([\"'])([^\W\d][\w.]*)\1")
_STRINGS = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_unquoted_types: dict[str, str] = {}


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
                body = compile(bare, "<type>", "eval", PyCF_ONLY_AST, True).body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                body = None
            if body is not None and " " not in bare and body.__class__.__name__ in ("Name", "Attribute", "Subscript", "BinOp", "Constant"):
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


def visible(text: str) -> str:
    """The text with every character that is not printable as its escape: no reader can take one of them for the end of a line."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}" if ord(c) < 65536
                   else f"\\U{ord(c):08x}" for c in text)


def _argument_list(own: Own, source: SourceText, no_self: bool) -> str:
    arguments = own.node.args
    positional = arguments.posonlyargs + arguments.args if arguments.posonlyargs else arguments.args
    out = []
    first_default = len(positional) - len(arguments.defaults)
    for i, argument in enumerate(positional):
        text = argument.arg
        if argument.annotation is not None:
            text = f"{text}:{source.annotation(argument.annotation)}"
        if i >= first_default:
            text = f"{text}={source.default(arguments.defaults[i - first_default])}"
        out.append(text)
    slash = len(arguments.posonlyargs)
    if slash:
        out.insert(slash, "/")
    if no_self and own.method and positional and positional[0].arg in _SELF_NAMES and first_default > 0 and not _is_static(own.node):
        del out[0]
        if slash == 1:
            del out[0]
    star = arguments.vararg
    if star is not None:
        out.append(f"*{star.arg}" if star.annotation is None else f"*{star.arg}:{source.annotation(star.annotation)}")
    elif arguments.kwonlyargs:
        out.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        text = argument.arg
        if argument.annotation is not None:
            text = f"{text}:{source.annotation(argument.annotation)}"
        if default is not None:
            text = f"{text}={source.default(default)}"
        out.append(text)
    star = arguments.kwarg
    if star is not None:
        out.append(f"**{star.arg}" if star.annotation is None else f"**{star.arg}:{source.annotation(star.annotation)}")
    return ",".join(out)


def _is_static(node: AST) -> bool:
    return any(getattr(d, "id", getattr(d, "attr", "")) == "staticmethod" for d in node.decorator_list)


def _return_type(own: Own, source: SourceText) -> str:
    if own.node.returns is None:
        return "Any" if own.value or own.gen else "None"
    text = source.annotation(own.node.returns)
    return f"({text})" if "|" in text and re.search(r"\|\s*[a-z_]+\s*\(", text) else text


def signature_line(own: Own, head: str, source: SourceText, no_self: bool = False, no_mutations: bool = False) -> str:
    """The section line of one function; `head` is `@SIG FILE|`."""
    node = own.node
    mark = "~" if node.__class__ is AsyncFunctionDef else ""
    slot = ""
    if not no_mutations and (own.writes or own.declared):
        arguments = node.args
        names = {a.arg for group in (arguments.posonlyargs, arguments.args, arguments.kwonlyargs) for a in group}
        names.update(a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None)
        slot = mutation_slot(changed_state(own, names))
    return f"{head}{mark}{own.scope}{node.name}({_argument_list(own, source, no_self)})->{_return_type(own, source)}{slot}"


def file_slot(file: str) -> str:
    """A file name as it may stand in the file slot: no bar, no character that is not printable."""
    return visible(file.replace("|", "\\x7c"))


_CODING_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


def decode_source(source: bytes | str) -> tuple[str, str]:
    """Source bytes -> (text with \\n line ends, what was wrong or ""). By byte-order mark, coding cookie (PEP 263) or UTF-8."""
    fault = ""
    if isinstance(source, str):
        text = source[1:] if source.startswith("\ufeff") else source
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            text, fault = text.encode("utf-8", "replace").decode("utf-8"), "line 1: lone surrogates; replaced by ?"
    elif source.isascii() and not source.startswith(b"+/v"):
        text = source.decode("ascii")
    else:
        if source.startswith(b"\xef\xbb\xbf"):
            source, encoding = source[3:], "utf-8"
        elif source.startswith((b"\xff\xfe", b"\xfe\xff")):
            encoding = "utf-32" if source.startswith(b"\xff\xfe\0\0") else "utf-16"
        else:
            cookies = (_CODING_COOKIE.match(line) for line in source[:1000].split(b"\n", 2)[:2])
            encoding = next((m[1].decode("ascii") for m in cookies if m), "utf-8")
        try:
            text = source.decode(encoding)
        except (UnicodeError, LookupError, ValueError, TypeError, AssertionError) as error:
            line = source.count(b"\n", 0, getattr(error, "start", 0)) + 1
            try:
                text, fault = source.decode("utf-8"), f"line {line}: not in the encoding that it names; read as UTF-8"
            except UnicodeDecodeError:
                text, fault = source.decode("latin-1"), f"line {line}: bytes that are not text in its encoding; read as Latin-1"
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, fault


def signatures(source: bytes | str, file: str, *, no_self: bool = False, no_mutations: bool = False, fields: bool = False,
               constants: bool = False, redact: object = None) -> SigMap:
    """Python source, or a notebook when `file` ends in .ipynb -> one @SIG line for each function, in source order.

    `source`: bytes (decoded as Python would) or text. `file`: the text of the file slot; cells of a notebook are `FILE:NUMBER`.
    `no_self`: without self/cls of methods. `no_mutations`: without the mutates slot.
    `fields`: one constructor line for each dataclass, NamedTuple, TypedDict, enum, Protocol and their like.
    `constants`: `@CTX FILE:NAME := VALUE` for module constants. `redact`: a function from text to text, applied to each line.
    Never raises for what is in the source: what cannot be read is said in the notes.
    """
    if not file.lower().endswith(".ipynb"):
        return _map_source(source, file_slot(file), no_self, no_mutations, fields, constants, redact)
    from .notebooks import notebook_cells

    cells, faults = notebook_cells(source)
    maps = [(number, _map_source(text, f"{file_slot(file)}:{number}", no_self, no_mutations, fields, constants, redact))
            for number, text in cells]
    return SigMap([line for _, part in maps for line in part.lines],
                  [f"{file_slot(file)}: {fault}" for fault in faults] + [note for _, part in maps for note in part.notes])


def _map_source(source: bytes | str, slot: str, no_self: bool, no_mutations: bool, fields: bool, constants: bool,
                redact: object) -> SigMap:
    text, fault = decode_source(source)
    notes = [f"{slot}: {fault}"] if fault else []
    tree = None
    if "\0" not in text:
        try:
            tree = parse_python(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    raw: dict[str, str] = {}
    if tree is None:
        from .recovery import recover_source

        text, tree, raw, faults = recover_source(text)
        notes += [f"{slot}: {fault}" for fault in faults]
    found = SourceText(text)
    head = f"@SIG {slot}|"
    numbered = [(own.node.lineno, signature_line(own, head, found, no_self, no_mutations))
                for own in own_scopes(tree, hot_lines(text, len(found.lines)))]
    if fields or constants:
        from .fields import field_lines

        numbered = sorted(numbered + field_lines(tree, found, slot, fields, constants), key=lambda pair: pair[0])
    lines = [visible(line) for _, line in numbered]
    if raw:
        lines = [_RAW_PLACE.sub(lambda m: raw.get(m[0], m[0]), line) for line in lines]
    if redact is not None:
        lines = [visible(redact(line)) for line in lines]
    return SigMap(lines, notes)


_RAW_PLACE = re.compile(r"_ail_raw_\d+_")
_SECRET_GATE = re.compile(r"[\"'](?=[^\"']{4})|@|://|\d{5}|(?=[^\W_]*\d)\w{16}")


def may_hold_secret(line: str) -> bool:
    """Whether a redactor could find anything in a @SIG line: False only when the line is names, short numbers and short strings.

    Cheap, and doubtful cases are True: a string of four characters or more, an `@` after the tag, a URL, five digits in a row, a run of
    sixteen word characters with a digit.
    """
    return _SECRET_GATE.search(line, 5) is not None
