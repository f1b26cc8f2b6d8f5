"""What a map of functions leaves out and people ask for: the fields of data classes, as one constructor line, and module constants.

    @SIG shop.py|Point(x:int,y:int=0,tags:list[str]=...)->Point
    @SIG shop.py|Colour(RED=1,GREEN=2)->Colour
    @CTX shop.py:TIMEOUT := 30
"""
from __future__ import annotations

import re
from _ast import AST, AnnAssign, Assign, AsyncFunctionDef, Attribute, Call, ClassDef, Constant, FunctionDef, Name, Subscript

from .newsyntax import TYPE_STATEMENT
from .sourcetext import SourceText

CONSTANT_SHOWN = 60  # characters
_BY_DECORATOR = {"dataclass": "data", "define": "attrs", "frozen": "attrs", "mutable": "attrs", "attrs": "attrs", "s": "attrs"}
_BY_BASE = {"NamedTuple": "tuple", "TypedDict": "dict", "BaseModel": "model", "BaseSettings": "model", "SQLModel": "model",
            "Struct": "data", "Enum": "enum", "IntEnum": "enum", "StrEnum": "enum", "Flag": "enum", "IntFlag": "enum",
            "ReprEnum": "enum", "Protocol": "protocol"}
_FIELD_CALLS = frozenset(("field", "Field", "ib", "attrib", "PrivateAttr"))
_TYPE_MAKERS = frozenset(("namedtuple", "NamedTuple", "TypedDict", "NewType", "TypeVar", "Enum", "IntEnum", "make_dataclass"))
_CONSTANT_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")


def _last_name(node: AST) -> str:
    """The last name of a reference, called or subscripted or not: `attr.s(auto_attribs=True)` is "s", `Protocol[T]` is "Protocol"."""
    while node.__class__ is Call or node.__class__ is Subscript:
        node = node.func if node.__class__ is Call else node.value
    return node.attr if node.__class__ is Attribute else node.id if node.__class__ is Name else ""


def _options(node: AST | None) -> dict[str, AST]:
    return {word.arg: word.value for word in node.keywords if word.arg} if node.__class__ in (Call, ClassDef) else {}


def _is_constant(node: AST | None, value: object) -> bool:
    return node.__class__ is Constant and node.value is value


def _field(kind: str, node: AST, source: SourceText) -> tuple[str, str, bool] | None:
    """A statement of a class body -> (name, text of the argument, keyword only); None when it is no field of the constructor."""
    value = node.value
    if node.__class__ is AnnAssign:
        target, annotation = node.target, source.annotation(node.annotation)
        if _last_name(node.annotation) in ("ClassVar", TYPE_STATEMENT):
            return None
    else:
        target, annotation = node.targets[0], ""
        if kind == "enum":
            if target.__class__ is not Name or target.id.startswith("_"):
                return None
            return target.id, f"{target.id}={source.default(value)}", False
        if not (kind == "attrs" and _last_name(value) in ("ib", "attrib", "field")):
            return None
    if target.__class__ is not Name:
        return None
    options = _options(value) if _last_name(value) in _FIELD_CALLS else {}
    if _is_constant(options.get("init"), False) or _last_name(value) == "PrivateAttr":
        return None
    name = target.id.lstrip("_") if kind == "attrs" else target.id
    text = f"{name}:{annotation}" if annotation else name
    if value is None:
        default = None
    elif value.__class__ is Call and _last_name(value) in _FIELD_CALLS:
        default = options.get("default", value.args[0] if value.args else None)
        if default is None and ("default_factory" in options or "factory" in options):
            text += "=..."
        elif default is not None and not (kind == "model" and _is_constant(default, ...)):
            text += f"={source.default(default)}"
        default = None
    else:
        default = value
    return name, text if default is None else f"{text}={source.default(default)}", _is_constant(options.get("kw_only"), True)


def _class_kind(node: ClassDef, known: dict[str, tuple[str, dict]]) -> tuple[str, AST | None]:
    """What makes the fields of a class (or ""), and the decorator that says so."""
    for decorator in node.decorator_list:
        kind = _BY_DECORATOR.get(_last_name(decorator), "")
        if kind and (kind != "attrs" or _last_name(decorator) != "s" or decorator.__class__ in (Attribute, Call)):
            return kind, decorator
    for base in node.bases:
        name = _last_name(base)
        kind = _BY_BASE.get(name) or known.get(name, ("", {}))[0]
        if kind and not (kind in ("attrs", "tuple") and name in known) and (kind != "data" or name == "Struct"):
            return ("" if kind == "protocol" and name in known else kind), None
    return "", None


def _class_line(node: ClassDef, scope: str, source: SourceText, known: dict[str, tuple[str, dict]], slot: str) -> str | None:
    """The constructor or field line of a class; None when it has no fields of its own or writes its constructor itself."""
    kind, decorator = _class_kind(node, known)
    if not kind:
        return None
    fields: dict[str, tuple[str, bool]] = {}
    for base in reversed(node.bases):
        base_kind, inherited = known.get(_last_name(base), ("", {}))
        if base_kind == kind:
            fields.update(inherited)
    options = _options(decorator) if decorator is not None else _options(node)
    keyword_only = kind in ("model", "dict") or _is_constant(options.get("kw_only"), True)
    optional = kind == "dict" and _is_constant(options.get("total"), False)
    for statement in node.body:
        if statement.__class__ is AnnAssign and _last_name(statement.annotation) == "KW_ONLY":
            keyword_only = True
        elif statement.__class__ is AnnAssign or statement.__class__ is Assign:
            field = _field(kind, statement, source)
            if field is not None:
                fields[field[0]] = (field[1] + "=..." if optional else field[1], keyword_only or field[2])
    known[node.name] = (kind, fields)
    own_constructor = any(x.__class__ is FunctionDef and x.name == "__init__" for x in node.body)
    if not fields or (own_constructor and kind != "enum"):
        return None
    positional = [text for text, by_keyword in fields.values() if not by_keyword]
    named = [text for text, by_keyword in fields.values() if by_keyword]
    name = scope + node.name
    return f"@SIG {slot}|{name}({','.join(map(source.cleaned, [*positional, *(['*', *named] if named else [])]))})->{name}"


def _constant_line(node: AST, source: SourceText, slot: str) -> str | None:
    """`@CTX FILE:NAME := VALUE` of a module-level assignment to one upper-case name, or of a type made by a call."""
    if node.__class__.__name__ == "TypeAlias":
        target = node.name
    elif node.__class__ is Assign and len(node.targets) == 1:
        target = node.targets[0]
    else:
        target = node.target if node.__class__ is AnnAssign and node.value is not None else None
    if target.__class__ is not Name:
        return None
    is_type = node.__class__.__name__ == "TypeAlias" or (node.value.__class__ is Call and _last_name(node.value) in _TYPE_MAKERS) or (
        node.__class__ is AnnAssign and _last_name(node.annotation) in ("TypeAlias", TYPE_STATEMENT))
    if not is_type and not _CONSTANT_NAME.fullmatch(target.id):
        return None
    text = source.of(node.value)
    if len(text) > CONSTANT_SHOWN:
        text = {"(": "(...)", "[": "[...]", "{": "{...}"}.get(text[0], "...")
    text = source.cleaned(f"{target.id}={text}").partition("=")[2]
    return f"@CTX {slot}:{target.id} := {text}"


def field_lines(tree: AST, source: SourceText, slot: str, fields: bool, constants: bool) -> list[tuple[int, str]]:
    """(line number, section line) of every class with fields and of every module constant, as asked for."""
    out: list[tuple[int, str | None]] = []
    known: dict[str, tuple[str, dict]] = {}
    frames = [(iter(tree.body), "", True)]
    while frames:
        body, scope, top = frame = frames.pop()
        for node in body:
            kind = node.__class__
            inner, deeper = scope, top
            if kind is ClassDef or kind is FunctionDef or kind is AsyncFunctionDef:
                inner, deeper = f"{scope}{node.name}.", False
                if fields and kind is ClassDef:
                    out.append((node.lineno, _class_line(node, scope, source, known, slot)))
            elif constants and top and (kind is Assign or kind is AnnAssign or kind.__name__ == "TypeAlias"):
                out.append((node.lineno, _constant_line(node, source, slot)))
                continue
            suites = [getattr(part, field, None) for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ()))
                      for field in ("body", "orelse", "finalbody")]
            suites = [suite for suite in suites if suite.__class__ is list and suite]
            if suites:
                frames.append(frame)
                frames += [(iter(suite), inner, deeper) for suite in reversed(suites)]
                break
    return [(line, text) for line, text in out if text]
