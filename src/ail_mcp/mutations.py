"""What a function changes: the state that is different after a call.

A write is an attribute, an item or a declared global that is bound or deleted, or a call whose verb says that it changes or writes.
Which verbs say so was counted over 660,000 lines of Python: where nearly every caller throws the result away, the call is made for
its effect (append, unlink, commit); where only some do, it counts when it is a statement of its own (update, add, execute); where
hardly anybody does, it never counts (str.replace, get). A container that the function makes itself is not state.
"""
from __future__ import annotations

from _ast import (
    AST,
    AsyncFunctionDef,
    Attribute,
    Await,
    BinOp,
    BoolOp,
    Call,
    ClassDef,
    Constant,
    Dict,
    DictComp,
    FunctionDef,
    IfExp,
    JoinedStr,
    Lambda,
    List,
    ListComp,
    Load,
    Name,
    NamedExpr,
    Set,
    SetComp,
    Slice,
    Starred,
    Subscript,
    Tuple,
    Yield,
    YieldFrom,
)

# Verbs that change something wherever they are called.
_VERBS_ALWAYS = frozenset(
    "append appendleft extend extendleft pop popleft popitem setdefault remove discard clear write writelines write_text write_bytes "
    "unlink mkdir makedirs rmdir removedirs rmtree commit rollback save".split())
# Verbs that count when the call is a statement of its own. `path.replace(new)` on its own line renames a file: no one throws away
# the result of str.replace.
_VERBS_ALONE = frozenset(
    "update add insert execute executemany executescript put put_nowait send sendall sendto set delete sort reverse replace rename "
    "touch chmod symlink_to hardlink_to truncate move copy copy2 copyfile copytree dump intersection_update difference_update "
    "symmetric_difference_update rotate move_to_end __setitem__ __delitem__".split())
# `storage.put_object_bytes(...)`: the same verbs with what they act on in the name.
_VERB_PREFIXES = ("put_", "write_", "save_", "delete_", "remove_", "insert_", "update_", "upload_", "store_")
# Functions that change their first argument.
_VERBS_ON_ARGUMENT = frozenset("setattr delattr __setattr__ __delattr__ heappush heappop heapify heapreplace heappushpop insort "
                               "insort_left insort_right shuffle".split())

_LITERAL_NODES = (List, Dict, Set)
_CONTAINER_NODES = (*_LITERAL_NODES, ListComp, DictComp, SetComp)
_CONTAINER_MAKERS = frozenset("list dict set defaultdict deque Counter bytearray OrderedDict".split())
# Calls that hand over something new: enough to say that `x.append` is no change of state.
_COPY_MAKERS = _CONTAINER_MAKERS | frozenset("sorted tuple frozenset array StringIO BytesIO copy deepcopy split rsplit splitlines "
                                             "readlines fromkeys md5 sha1 sha224 sha256 sha384 sha512 blake2b blake2s".split())

MUTATIONS_SHOWN = 5
_PATH_PARTS = 6


class Own:
    """What is known of one function's own scope while its statements are read. Nested functions and lambdas have their own."""

    __slots__ = ("binds", "declared", "gen", "method", "node", "scope", "value", "writes")

    def __init__(self, node: AST, scope: str, method: bool) -> None:
        self.node = node
        self.scope = scope  # "Class.outer." with the last dot
        self.method = method  # stands directly in a class body
        self.value = False  # some return gives a value
        self.gen = False  # some yield
        self.writes: dict[str, tuple[str, bool]] = {}  # text -> (root name, by a verb)
        self.binds: list[tuple[str, AST | None, bool]] = []  # plain names bound, with what, and whether by a plain assignment
        self.declared: list[str] = []  # global and nonlocal names


# A source text as words: each byte that is in no name becomes a blank, but for the full stop.
_AS_WORDS = bytes(sign if sign == 0x2e or sign == 0x5f or sign > 0x7f or chr(sign).isalnum() else 0x20 for sign in range(256))
_VERB_WORDS = frozenset(verb.encode() for verb in _VERBS_ALWAYS | _VERBS_ALONE | _VERBS_ON_ARGUMENT)
_PREFIX_WORDS = tuple(prefix.encode() for prefix in _VERB_PREFIXES)


def hot_lines(text: str, count: int) -> bytearray | None:
    """Mark the lines (by number, from 1) where an expression may hold a mutating call or a yield; None when there are none.

    Most lines hold neither, and their expressions need no walk: that makes reading a tree about as cheap as parsing it.
    """
    raw = text.encode("utf-8", "surrogatepass")
    spots, at = [], 0
    for piece in raw.translate(_AS_WORDS).split(b"."):
        word = piece.lstrip().partition(b" ")[0]
        if word in _VERB_WORDS or word.startswith(_PREFIX_WORDS):
            spots.append(at + len(piece) - len(piece.lstrip()))  # where the name stands behind its full stop
        at += len(piece) + 1
    for word in (b"yield", b"attr(", b"heap"):  # yields, and the functions of _VERBS_ON_ARGUMENT that are called by their bare names
        at = raw.find(word)
        while at >= 0:
            spots.append(at + 1)
            at = raw.find(word, at + len(word))
    if not spots:
        return None
    spots.sort()
    hot = bytearray(count + 2)
    line, last = 1, 0
    for at in spots:
        line += raw.count(b"\n", last, at)
        last = at
        hot[line] = 1
    return hot


def dotted(node: AST) -> tuple[str, str] | None:
    """The path of a written place, and its root name: `self.rows[k].x` is ("self.rows.x", "self"). None for a fresh literal."""
    parts = []
    while True:
        kind = node.__class__
        if kind is Name:
            root = node.id
            break
        if kind is Attribute:
            parts.append(node.attr)
            node = node.value
        elif kind is Subscript or kind is Await or kind is Starred:
            node = node.value
        elif kind is Call:
            node = node.func
        elif kind is BinOp:  # (folder / "name").unlink()
            node = node.left
        elif kind is BoolOp:
            node = node.values[0]
        elif kind is IfExp:
            node = node.body
        elif kind is NamedExpr:
            node = node.target
        elif kind in _CONTAINER_NODES or kind is Constant or kind is JoinedStr:
            return None
        else:
            root = "?"
            break
    parts.append(root)
    parts.reverse()
    if len(parts) > _PATH_PARTS:
        parts = [*parts[:2], "", *parts[-2:]]
    return ".".join(parts), root


def note_targets(target: AST, own: Own, value: AST | None = None, plain: bool = True) -> None:
    """A target of an assignment, `for`, `with` or `del`: places are writes, plain names are bindings."""
    todo = [target]
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind is Attribute or kind is Subscript:
            place = dotted(node)
            if place is not None and place[0] not in own.writes:
                own.writes[place[0]] = (place[1], False)
        elif kind is Name:
            own.binds.append((node.id, value if node is target else None, plain))
        elif kind is Tuple or kind is List:
            todo.extend(reversed(node.elts))
        elif kind is Starred:
            todo.append(node.value)


def note_calls(node: AST, own: Own, alone: bool = False) -> None:
    """Walk an expression of the own scope for mutating calls and yields. `alone`: it is a whole statement, its value thrown away."""
    whole = (node.value if node.__class__ is Await else node) if alone else None
    todo = [node]
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind is Name or kind is Constant or kind is Lambda:
            continue
        if kind is Call:
            func = node.func
            verb = func.attr if func.__class__ is Attribute else func.id if func.__class__ is Name else ""
            if verb in _VERBS_ON_ARGUMENT:
                place = dotted(node.args[0] if node.args else func)
            elif func.__class__ is Attribute and (
                    verb in _VERBS_ALWAYS or (node is whole and (verb in _VERBS_ALONE or verb.startswith(_VERB_PREFIXES)))):
                place = dotted(func)
            else:
                place = None
            if place is not None and place[0] not in own.writes:
                own.writes[place[0]] = (place[1], True)
        elif kind is Yield or kind is YieldFrom:
            own.gen = True
        for field in reversed(node._fields):
            child = getattr(node, field, None)
            if child.__class__ is list:
                todo.extend(x for x in reversed(child) if isinstance(x, AST))
            elif isinstance(child, AST):
                todo.append(child)


def _is_new(value: AST | None, makers: frozenset[str], depth: int = 4) -> bool:
    """Whether an expression certainly gives a container that nothing else holds."""
    kind = value.__class__
    if kind in _CONTAINER_NODES:
        return True
    if kind is Call:
        func = value.func
        return (func.__class__ is Name and func.id in makers) or (
            makers is _COPY_MAKERS and func.__class__ is Attribute and func.attr in makers)
    if makers is _COPY_MAKERS and depth:
        if kind is BinOp:  # [0] * n, list(a) + b
            return _is_new(value.left, makers, depth - 1) or _is_new(value.right, makers, depth - 1)
        if kind is Subscript:  # a[:]
            return value.slice.__class__ is Slice
    return False


def _declared_writes(own: Own) -> list[str]:
    """Declared globals and nonlocals that the own scope really binds: by =, +=, for, with, del, import, def, class, as, match."""
    declared, bound = set(own.declared), set()
    todo: list[AST] = list(own.node.body)
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind is Name:
            if node.ctx.__class__ is not Load:
                bound.add(node.id)
            continue
        if kind is Lambda:
            continue
        if kind is FunctionDef or kind is AsyncFunctionDef or kind is ClassDef:
            bound.add(node.name)
            continue
        for field in node._fields:
            child = getattr(node, field, None)
            if child.__class__ is list:
                todo.extend(x for x in child if isinstance(x, AST))
            elif isinstance(child, AST):
                todo.append(child)
            elif child.__class__ is str and field in ("name", "asname", "rest"):  # import, except .. as, match captures
                bound.add(child.partition(".")[0])
    return [name for name in dict.fromkeys(own.declared) if name in declared & bound]


def _alias_of(value: AST | None) -> tuple[str, str] | None:
    """The place that a plain name stands for after `name = self.items` or `name = self.rows[k]`; None for anything that is called."""
    node = value
    while node.__class__ is Attribute or node.__class__ is Subscript:
        node = node.value
    return dotted(value) if node.__class__ is Name and node is not value else None


def _may_be_shared(value: AST | None) -> bool:
    """Whether an expression hands on something that exists already: `cache`, `self.rows`, `given or []`."""
    if value.__class__ is BoolOp:
        return any(_may_be_shared(x) for x in value.values)
    if value.__class__ is IfExp:
        return _may_be_shared(value.body) or _may_be_shared(value.orelse)
    return value.__class__ is Name or value.__class__ is Attribute or (value.__class__ is Subscript and value.slice.__class__ is not Slice)


def changed_state(own: Own, parameters: set[str]) -> list[str]:
    """The function's mutations in source order, declared globals first, without what touches only its own fresh containers.

    A local name that stands for a place (`items = self.items`) is followed there: `items.append` becomes `self.items.append`, and where
    the names differ both are listed.
    """
    out = dict.fromkeys(_declared_writes(own)) if own.declared else {}
    if not own.writes:
        return list(out)
    binds: dict[str, list] = {}
    for text, (root, by_verb) in own.writes.items():
        if own.binds and root not in parameters and root not in own.declared:
            if not binds:
                for name, value, plain in own.binds:
                    binds.setdefault(name, []).append((value, plain))
            values = binds.get(root, ())
            if any(_is_new(v, _CONTAINER_MAKERS) for v, plain in values if plain or v.__class__ in _LITERAL_NODES) and not any(
                    _may_be_shared(v) for v, _ in values):
                continue
            if by_verb and values and all(_is_new(v, _COPY_MAKERS) for v, _ in values):
                continue
            origin = _alias_of(values[0][0]) if len(values) == 1 else None
            if origin is not None and origin[1] not in binds:
                if origin[0].endswith("." + root):
                    out[origin[0] + text[len(root):]] = None
                else:
                    out[text] = out[origin[0]] = None
                continue
        out[text] = None
    return list(out)


def mutation_slot(changes: list[str]) -> str:
    """The slot's text: at most five places, then how many more there are."""
    if len(changes) > MUTATIONS_SHOWN:
        changes = [*changes[:MUTATIONS_SHOWN], f"+{len(changes) - MUTATIONS_SHOWN}"]
    return f"|mutates({','.join(changes)})" if changes else ""
