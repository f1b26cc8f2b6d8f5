"""Python source -> @SIG lines: one line for each function, with what it takes, what it gives back and what it changes.

    @SIG worker.py|make_thumbnails(photo_id:int,key:str)->list[str]|mutates(storage.put_object_bytes)

The reader is made for three things. Complete: every def in every branch, class and function is a line, overloads and setters too.
Safe: no text of the source can begin a line or a slot of its own. Fast: one loop over the statements, no recursion, expressions
are walked only on lines where a pattern finds something to look for, and text is cut from the source instead of printed from the tree.
"""
from __future__ import annotations

from _ast import (
    AST,
    AnnAssign,
    Assert,
    Assign,
    AsyncFor,
    AsyncFunctionDef,
    AsyncWith,
    AugAssign,
    ClassDef,
    Constant,
    Delete,
    Expr,
    For,
    FunctionDef,
    Global,
    If,
    Match,
    Name,
    Nonlocal,
    Raise,
    Return,
    Try,
    While,
    With,
)

from .mutations import Own, changed_state, hot_lines, mutation_slot, note_calls, note_targets
from .sourcetext import SourceText
from .syntax import PARSER_FAULTS, decode_source, file_slot, parse_python, visible


class SigMap:
    """What `signatures` gives: `lines`, section lines without line ends; `notes`, "FILE: line N: reason" for standard error."""

    __slots__ = ("lines", "notes")

    def __init__(self, lines: list[str], notes: list[str]) -> None:
        self.lines = lines
        self.notes = notes


_SELF_NAMES = frozenset(("self", "cls", "mcs", "metacls", "_cls", "klass"))

# Statements by what must be done with them. `TryStar` came with 3.11.
(_EXPR, _ASSIGN, _RETURN, _AUGMENT, _ANNOTATED, _DELETE, _DECLARE, _OTHER, _COMPOUND, _IF, _DEF, _CLASS, _FOR, _WITH, _TRY, _WHILE,
 _MATCH) = range(1, 18)
_KINDS = {Expr: _EXPR, Assign: _ASSIGN, Return: _RETURN, AugAssign: _AUGMENT, AnnAssign: _ANNOTATED, Delete: _DELETE, Global: _DECLARE,
          Nonlocal: _DECLARE, Raise: _OTHER, Assert: _OTHER, If: _IF, FunctionDef: _DEF, AsyncFunctionDef: _DEF, ClassDef: _CLASS,
          For: _FOR, AsyncFor: _FOR, With: _WITH, AsyncWith: _WITH, Try: _TRY, While: _WHILE, Match: _MATCH}


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
                warm = hot is not None and hot.find(1, node.lineno, node.end_lineno + 1) >= 0
                if kind == _EXPR:
                    if warm:
                        note_calls(node.value, own, True)
                    continue
                if kind == _ASSIGN:
                    for target in node.targets:
                        if target.__class__ is Name:
                            own.binds.append((target.id, node.value, True))
                        else:
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
                    continue
                if warm:
                    note_calls(node, own)
                continue
            frames.append(frame)  # the rest of this body comes after the suites of this statement
            if kind == _IF:
                test = node.test
                if own is not None and hot is not None and hot.find(1, test.lineno, test.end_lineno + 1) >= 0:
                    note_calls(test, own)
                if node.orelse:
                    frames.append((iter(node.orelse), scope, own, in_class))
                frames.append((iter(node.body), scope, own, in_class))
                break
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
                if kind == _WHILE:
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
    return ",".join(out if source.redact is None else map(source.cleaned, out))


def _is_static(node: AST) -> bool:
    return any(getattr(d, "id", getattr(d, "attr", "")) == "staticmethod" for d in node.decorator_list)


def _return_type(own: Own, source: SourceText) -> str:
    if own.node.returns is None:
        return "Any" if own.value or own.gen else "None"
    text = source.cleaned(source.annotation(own.node.returns))
    return f"({text})" if "|" in text and "(" in text and _reads_as_slot(text) else text


def _reads_as_slot(text: str) -> bool:
    """Whether a bar with a call behind it is in the text: a reader could take it for the next slot."""
    import re

    return re.search(r"\|\s*[a-z_]+\s*\(", text) is not None


def signature_line(own: Own, head: str, source: SourceText, no_self: bool = False, no_mutations: bool = False) -> str:
    """The section line of one function; `head` is `@SIG FILE|`."""
    node = own.node
    mark = "~" if node.__class__ is AsyncFunctionDef else ""
    slot = ""
    if not no_mutations and (own.writes or own.declared):
        arguments = node.args
        names = {a.arg for group in (arguments.posonlyargs, arguments.args, arguments.kwonlyargs) for a in group}
        names.update(a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None)
        slot = source.cleaned_names(mutation_slot(changed_state(own, names)))
    return f"{head}{mark}{source.cleaned_names(own.scope + node.name)}({_argument_list(own, source, no_self)})->{_return_type(own, source)}{slot}"


def signatures(source: bytes | str, file: str, *, no_self: bool = False, no_mutations: bool = False, fields: bool = False,
               constants: bool = False, redact: object = None) -> SigMap:
    """Python source, or a notebook when `file` ends in .ipynb -> one @SIG line for each function, in source order.

    `source`: bytes (decoded as Python would) or text. `file`: the text of the file slot; cells of a notebook are `FILE:NUMBER`.
    `no_self`: without self/cls of methods. `no_mutations`: without the mutates slot.
    `fields`: one constructor line for each dataclass, NamedTuple, TypedDict, enum, Protocol and their like.
    `constants`: `@CTX FILE:NAME := VALUE` for module constants. `redact`: a function from text to text, applied to each
    argument with its name, each return type and each constant: what it replaces can never break a line apart.
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
        except PARSER_FAULTS:
            pass
    raw: dict[str, str] = {}
    if tree is None and "\0" not in text:
        from .newsyntax import parse_newer

        tree = parse_newer(text)
    if tree is None:
        from .recovery import recover_source

        text, tree, raw, faults = recover_source(text)
        notes += [f"{slot}: {fault}" for fault in faults]
    found = SourceText(text, redact)
    head = f"@SIG {slot}|"
    numbered = [(own.node.lineno, signature_line(own, head, found, no_self, no_mutations))
                for own in own_scopes(tree, hot_lines(text, len(found.lines)))]
    if fields or constants:
        from .fields import field_lines

        numbered = sorted(numbered + field_lines(tree, found, slot, fields, constants), key=lambda pair: pair[0])
    lines = [visible(line) for _, line in numbered]
    if raw:
        from .recovery import put_raw

        lines = [put_raw(line, raw, found.cleaned) for line in lines]
    return SigMap(lines, notes)
