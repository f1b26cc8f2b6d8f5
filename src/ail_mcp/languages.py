"""Other languages than Python -> the same lines, by tree-sitter grammars when they are installed (the optional extra `languages`).

    @SIG server.go|Server.Handle(w:http.ResponseWriter,r:*http.Request)->error

A grammar only says where functions stand; names, parameters and types are read from the text. A grammar is native code that no one here
has checked, and one is known that never returns: so parsing happens in a child process, under a time limit for each file.
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
import threading

from .logicallines import is_balanced, split_top
from .signatures import SigMap
from .sourcetext import SourceText
from .syntax import decode_source, file_slot, visible

PARSE_SECONDS = 10
_HEADER_LONGEST = 8_000  # what is longer is cut: no header that a person wrote is
_LANGUAGES_EXTRA = "pip install 'ail-context-compressor[languages]'"

# One row for each language: suffixes; wheel and function that give the grammar; how a parameter is written (`colon`: name: type, `before`:
# type name, `go`: name type, `bare`: as it is); what an absent return type means; nodes that give a scope; query: @def the whole, @name.
_JS_QUERY = """[(function_declaration name: (_) @name) (generator_function_declaration name: (_) @name) (method_definition name: (_) @name)] @def
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)] @def)
(pair key: (_) @name value: [(arrow_function) (function_expression)] @def)
(assignment_expression left: [(identifier) (member_expression)] @name right: [(arrow_function) (function_expression)] @def)"""
_TS_QUERY = _JS_QUERY + """
[(function_signature name: (_) @name) (method_signature name: (_) @name) (abstract_method_signature name: (_) @name)] @def
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)] @def)"""
_TS_SCOPES = "class_declaration class abstract_class_declaration interface_declaration internal_module module"
_C_QUERY = "(function_declarator declarator: [(identifier) (field_identifier) (parenthesized_declarator)] @name) @decl"
_CPP_QUERY = """(function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name)
(template_function)] @name) @decl"""
_LANGUAGES = (
    ("JavaScript", ".js .mjs .cjs .jsx", "javascript", "language", "colon", "Any", "class_declaration class",
     _JS_QUERY + "\n(field_definition property: (_) @name value: [(arrow_function) (function_expression)] @def)"),
    ("TypeScript", ".ts .mts .cts", "typescript", "language_typescript", "colon", "Any", _TS_SCOPES, _TS_QUERY),
    ("TSX", ".tsx", "typescript", "language_tsx", "colon", "Any", _TS_SCOPES, _TS_QUERY),
    ("Go", ".go", "go", "language", "go", "None", "type_spec",
     "[(function_declaration name: (_) @name) (method_declaration name: (_) @name) (method_elem name: (_) @name)] @def"),
    ("Rust", ".rs", "rust", "language", "colon", "None", "impl_item trait_item mod_item",
     "[(function_item name: (_) @name) (function_signature_item name: (_) @name)] @def"),
    ("Java", ".java", "java", "language", "before", "None", "class_declaration interface_declaration enum_declaration record_declaration",
     "[(method_declaration name: (_) @name) (constructor_declaration name: (_) @name)] @def"),
    ("C", ".c .h", "c", "language", "before", "None", "", _C_QUERY),
    ("C++", ".cpp .cc .cxx .hpp .hh .hxx", "cpp", "language", "before", "None", "class_specifier struct_specifier namespace_definition",
     _CPP_QUERY),
    ("C#", ".cs", "c_sharp", "language", "before", "None", "class_declaration interface_declaration struct_declaration record_declaration",
     "[(method_declaration name: (_) @name) (constructor_declaration name: (_) @name) (local_function_statement name: (_) @name)] @def"),
    ("Ruby", ".rb", "ruby", "language", "bare", "Any", "class module", "[(method name: (_) @name) (singleton_method name: (_) @name)] @def"),
    ("PHP", ".php", "php", "language_php", "php", "Any", "class_declaration interface_declaration trait_declaration enum_declaration",
     "[(function_definition name: (_) @name) (method_declaration name: (_) @name)] @def"),
    ("Kotlin", ".kt .kts", "kotlin", "language", "colon", "None", "class_declaration object_declaration",
     "(function_declaration name: (_) @name) @def"),
    ("Swift", ".swift", "swift", "language", "colon", "None", "class_declaration protocol_declaration",
     """[(function_declaration name: (simple_identifier) @name) (protocol_function_declaration name: (simple_identifier) @name)
(init_declaration "init" @name)] @def"""),
)
LANGUAGE_SUFFIXES = tuple(suffix for row in _LANGUAGES for suffix in row[1].split())

# The child: one JSON job a line in, one JSON answer a line out. A function is [start, name start, name end, body start, end, scope,
# receiver], in bytes. Nothing of the current folder is imported: its path is that of the parent.
_GRAMMAR_CHILD = r"""
import json, sys
sys.path[:] = json.loads(sys.argv[1])
import importlib
from tree_sitter import Language, Parser, Query, QueryCursor
made = {}
LIFT = ("pointer_declarator", "reference_declarator", "init_declarator", "parenthesized_declarator")
def text(node):
    return node.text.decode("utf-8", "replace")
for line in sys.stdin.buffer:
    job = json.loads(line)
    key = job["module"], job["function"]
    if key not in made:
        language = Language(getattr(importlib.import_module("tree_sitter_" + key[0]), key[1])())
        made[key] = Parser(language), Query(language, job["query"])
    parser, query = made[key]
    tree = parser.parse(job["text"].encode("utf-8", "replace"))
    found, names = {}, {}
    for _, captures in QueryCursor(query).matches(tree.root_node):
        name = captures["name"][0]
        if "decl" in captures:
            node = captures["decl"][0]
            while node.parent is not None and node.parent.type in LIFT:
                node = node.parent
            start, node = node.start_byte, node.parent
            inside = node
            while inside is not None and inside.type != "compound_statement":
                inside = inside.parent
            if node is None or node.type not in ("function_definition", "declaration", "field_declaration") or (
                    inside is not None and node.type != "function_definition"):
                continue
        else:
            node = captures["def"][0]
        found[node.id, name.start_byte] = node, name
        names[node.id] = text(name)
    rows = []
    for node, name in found.values():
        scope, above = [], node.parent
        while above is not None:
            if above.type in job["scopes"]:
                named = above.child_by_field_name("name") or above.child_by_field_name("type")
                if named is not None:
                    scope.append(text(named))
            elif above.id in names:
                scope.append(names[above.id])
            above = above.parent
        body = node.child_by_field_name("body")
        if body is None:
            body = next((c for c in node.children if c.type in ("function_body", "body_statement", "block", "arrow_expression_clause")), None)
        receiver = node.child_by_field_name("receiver")
        rows.append([node.start_byte, name.start_byte, name.end_byte, body.start_byte if body is not None else node.end_byte, node.end_byte,
                     scope[::-1], text(receiver) if receiver is not None else ""])
    rows.sort(key=lambda row: (row[1], -row[4]))
    bad, todo = 0, [tree.root_node] if tree.root_node.has_error else []
    while todo and not bad:
        node = todo.pop()
        if node.type == "ERROR" or node.is_missing:
            bad = node.start_point[0] + 1
        todo.extend(c for c in reversed(node.children) if c.has_error or c.type == "ERROR")
    print(json.dumps([rows, bad]), flush=True)
"""


def _row_for(name: str) -> tuple | None:
    dot = name.rfind(".")
    return next((row for row in _LANGUAGES if dot >= 0 and name[dot:].lower() in row[1].split()), None)


def language_of(name: str) -> str:
    """The language of a file by its name; "" when it is none of those that can be read."""
    row = _row_for(name)
    return row[0] if row else ""


class Grammars:
    """The child process that parses. Made for a run over many files; `close` ends it."""

    def __init__(self) -> None:
        self.child: subprocess.Popen | None = None

    def ask(self, job: dict) -> tuple[list, int] | str:
        """Spans of the functions and the first line that the grammar did not take, or what went wrong."""
        if self.child is None:
            paths = [path for path in sys.path if path not in ("", ".")]
            self.child = subprocess.Popen([sys.executable, "-I", "-c", _GRAMMAR_CHILD, json.dumps(paths)], stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child, late = self.child, []
        timer = threading.Timer(PARSE_SECONDS, lambda: (late.append(True), child.kill()))
        timer.start()
        try:
            child.stdin.write(json.dumps(job).encode() + b"\n")
            child.stdin.flush()
            answer = child.stdout.readline()
        except OSError:
            answer = b""
        finally:
            timer.cancel()
        if answer:
            rows, bad = json.loads(answer)
            return rows, bad
        self.close()
        if late:
            return f"took longer than {PARSE_SECONDS} seconds to parse; not read"
        return "the grammar cannot be loaded or failed; not read"

    def close(self) -> None:
        if self.child is not None:
            self.child.kill()
            self.child.communicate()
            self.child = None


def has_grammar(name: str) -> bool:
    """Whether the grammar for a file of this name is installed."""
    from importlib.util import find_spec

    row = _row_for(name)
    return row is not None and find_spec("tree_sitter") is not None and find_spec(f"tree_sitter_{row[2]}") is not None


def split_by_grammar(todo: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[str]]:
    """(path, name) of files -> (those that can be read, a note for each language whose grammar is not installed)."""
    unread = {path for path, _ in todo if language_of(path) and not has_grammar(path)}
    return [(path, name) for path, name in todo if path not in unread], missing_extra([path for path, _ in todo if path in unread])


def missing_extra(names: list[str]) -> list[str]:
    """One line for each language of files that no grammar is installed for: how many there are, and how to get it."""
    counts: dict[str, int] = {}
    for name in names:
        counts[language_of(name)] = counts.get(language_of(name), 0) + 1
    return [f"{number} {language} file{'s' * (number > 1)} not read: needs the optional grammars, {_LANGUAGES_EXTRA}"
            for language, number in sorted(counts.items())]


def _on_one_line(text: str) -> str:
    """One line, without spaces around what separates."""
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r" ?([,:=|]) ?", r"\1", text).replace("( ", "(").replace(" )", ")")


def _without_comments(text: str) -> str:
    strings = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    return re.sub(rf"({strings})|//[^\n]*|/\*[\s\S]*?\*/", lambda m: m[1] or " ", text)


def _parameters_end(text: str, at: int) -> int:
    """The position of the bracket that closes the one at `at`."""
    closing = split_top(text[at:], ")")
    return at + closing[0][0] if closing else len(text)


def _parameter_pieces(text: str) -> list[str]:
    """A parameter list at its top-level commas; angle brackets count, but for those of `->`, `=>`, `<=` and `>=`."""
    masked = re.sub(r"[-=]>|[<>]=", "__", text).replace("<", "(").replace(">", ")")
    if masked.count("(") != masked.count(")"):
        masked = text
    edges = [-1, *(at for at, _ in split_top(masked, ",")), len(text)]
    return [piece for piece in (text[a + 1:b].strip() for a, b in zip(edges, edges[1:])) if piece]


_TYPE_BEFORE_NAME = re.compile(r"([\s\S]*[\s*&>\].]|)(\w+)((?:\s*\[[^\]]*\])*)")
_FUNCTION_POINTER = re.compile(r"([^()]*\(\s*[*&^]\s*)(\w+)(\s*\)[\s\S]*)")


def _typed_before(piece: str) -> str:
    """`const char *b = 0` -> `b:const char*=0`; a type alone stays as it is."""
    equals = split_top(piece, "=")
    head, default = (piece[:equals[0][0]], piece[equals[0][0] + 1:]) if equals else (piece, "")
    head = re.sub(r"@\w+(?:\([^()]*\))?\s+|\bfinal\s+", "", head).strip()
    pointer = _FUNCTION_POINTER.fullmatch(head)
    named = pointer or _TYPE_BEFORE_NAME.fullmatch(head)
    if named and named[1].strip():
        head = f"{named[2]}:{_on_one_line(named[1] + named[3]).replace(' *', '*').replace(' &', '&')}"
    elif head == "void":
        return ""
    return _on_one_line(head) + (f"={_on_one_line(default)}" if default else "")


def _typed_php(piece: str) -> str:
    found = re.fullmatch(r"((?:public|protected|private|readonly|\s)*)([^$=]*?)\s*(&?(?:\.\.\.)?\$\w+)\s*(?:=([\s\S]*))?", piece)
    if found is None:
        return _on_one_line(piece)
    return found[3] + (f":{_on_one_line(found[2])}" if found[2].strip() else "") + (f"={_on_one_line(found[4])}" if found[4] else "")


def _typed_go(pieces: list[str]) -> list[str]:
    named = any(re.match(r"(?!chan\b|func\b|map\b|struct\b|interface\b)\w+\s+\S", piece) for piece in pieces)
    out, kind = [], ""
    for piece in reversed(pieces):
        name, _, rest = re.sub(r"\s+", " ", piece).partition(" ") if named else ("", "", piece)
        kind = rest or kind
        out.append(f"{name}:{_on_one_line(kind)}" if named and kind else _on_one_line(piece))
    return out[::-1]


def _parameters(style: str, text: str) -> list[str]:
    pieces = _parameter_pieces(_without_comments(text))
    if style == "go":
        return _typed_go(pieces)
    shape = {"before": _typed_before, "php": _typed_php}.get(style, _on_one_line)
    return [piece for piece in map(shape, pieces) if piece]


_TYPE_MODIFIERS = re.compile(r"\b(?:public|private|protected|internal|static|final|abstract|virtual|override|sealed|async|unsafe|extern|inline|"
                        r"constexpr|explicit|friend|synchronized|native|default|partial|new|strictfp|typename)\b|@\w+(?:\([^()]*\))?|\[[^\]\[]*\]\s+")


def _type_before(text: str) -> str:
    text = re.sub(r"\btemplate\s*<[^{}();]*>", " ", _without_comments(text))
    text = _on_one_line(_TYPE_MODIFIERS.sub(" ", text))
    text = re.sub(r"^<[^()]*?>\s(?=\S)", "", text)  # Java's type parameters
    return text.replace(" *", "*").replace(" &", "&")


def _type_after(text: str, style: str) -> str:
    text = re.sub(r"\s*(?:=>|[{;=])\s*$", "", _on_one_line(_without_comments(text)))
    text = re.sub(r"^(?:const|noexcept|async|throws|rethrows|override|final|\s)+", "", text)
    text = re.sub(r"^(?::|->|=>)\s?", "", text) if style != "go" else text
    return re.split(r"\s(?:where|throws)\b|^(?:where|throws)\b", text)[0].strip()


def _name_text(name: str) -> str:
    name = re.sub(r"<[^<>()]*>", "", re.sub(r"<[^<>()]*>", "", name)).replace("::", ".").strip("\"'`")
    name = re.sub(r"^\[(.+)\]$", r"\1", name)  # computed names of JavaScript
    return re.sub(r"[^\w.$~=?!<>+*/%&^#-]", "_", visible(name)) or "_"


def _function_line(row: tuple, span: list, raw: bytes, head: str, source: SourceText) -> str:
    start, name_start, name_end, body, end, scope, receiver = span
    style, absent = row[4], "Any" if raw[body:body + 1] == b"=" else row[5]  # Kotlin's `fun f() = expression`

    def cut(first: int, last: int) -> str:
        return raw[first:last].decode("utf-8", "replace")

    behind_name = start <= name_start < end  # an arrow function stands behind its name
    after = cut(name_end if behind_name else start, max(body, start))[:_HEADER_LONGEST]
    if row[0] == "Rust":  # a lifetime looks like a string that never ends
        after = re.sub(r"'\w+(?!')\s*(?:,\s*|\+\s*)?", "", after).replace("<>", "")
    opening = re.match(r"\s*(?:async\b\s*)?(?:function\b\s*\*?\s*)?(?:[?!]\s*)?(?:<[^(){}]*>\s*(?=\()|\[[^\](){}]*\]\s*(?=\())?\(", after)
    rest = ""
    if opening:
        close = _parameters_end(after, opening.end() - 1)
        parameters, rest = _parameters(style, after[opening.end():close]), after[close + 1:]
    else:
        lone = re.match(r"\s*(?:async\s+)?([\w$]+)\s*=>" if style == "colon" else r"[ \t]+(?!=)([^\n;]+)", after)
        parameters = [_on_one_line(piece) for piece in _parameter_pieces(lone[1])] if lone and style in ("colon", "bare") else []
    if style == "bare":
        rest = ""
    before = cut(max(start, name_start - _HEADER_LONGEST), name_start) if behind_name else after
    mark = "~" if re.search(r"\b(?:async|suspend)\b", re.sub(r"\([^()]*\)", "", before)[:200] if opening or style != "colon" else before[:10]) or (
        row[0] == "Swift" and re.match(r"\s*async\b", rest)) else ""
    trailing = re.search(r"->([^{;]*)", rest) if row[0] == "C++" else None
    returns = _type_after(trailing[0], "colon") if trailing else _type_before(before) if style == "before" else _type_after(rest, style)
    returns = absent if not returns or returns == "void" and style == "before" else returns
    if style == "go" and receiver:
        found = re.search(r"\*?\s*(\w+)\s*(?:\[[^\]]*\])?\s*\)$", receiver)
        scope = [found[1]] if found else scope
    name = ".".join(map(_name_text, [*scope, cut(name_start, name_end)]))
    parameters = [source.cleaned(visible(piece)) if is_balanced(piece) and "|mutates(" not in piece else "..." for piece in parameters]
    returns = source.cleaned(visible(returns)) if is_balanced(returns) else absent
    returns = f"({returns})" if re.search(r"\|\s*[a-z_]+\s*\(", returns) else returns
    return f"{head}{mark}{name}({','.join(parameters)})->{returns.replace('|mutates(', '| mutates(')}"


def language_signatures(source: bytes | str, file: str, name: str = "", *, grammars: Grammars | None = None, redact: object = None) -> SigMap:
    """Source in one of the languages above -> one @SIG line for each function: name, parameters, return type. No mutations.

    `file`: the text of the file slot; `name`: the file's name where its suffix is to be found, else `file` itself. `grammars`: shared by a run
    over many files. Never raises for what is in the source; says in a note what is missing or was not taken.
    """
    slot, row = file_slot(file), _row_for(name or file)
    if row is None:
        return SigMap([], [f"{slot}: line 1: not a language that can be read"])
    if not has_grammar(name or file):
        return SigMap([], [f"{slot}: {missing_extra([name or file])[0]}"])
    text, fault = decode_source(source)
    notes = [f"{slot}: {fault}"] if fault else []
    shared = grammars or Grammars()
    answer = shared.ask({"module": row[2], "function": row[3], "query": row[7], "scopes": row[6].split(), "text": text})
    if grammars is None:
        shared.close()
    if isinstance(answer, str):
        return SigMap([], [*notes, f"{slot}: line 1: {answer}"])
    spans, bad = answer
    if bad:
        notes.append(f"{slot}: line {bad}: not fully understood by the grammar; what could be read is there")
    raw, shaper = text.encode("utf-8", "replace"), SourceText("", redact)
    return SigMap([_function_line(row, span, raw, f"@SIG {slot}|", shaper) for span in spans], notes)
