"""Broken or old source -> source that this interpreter can parse, with every function still at its line.

A parser gives nothing for a file with one fault. So: cut the text into logical lines, the lines into top-level units, and keep each unit
that parses. In a unit that does not, control flow is flattened (only def and class keep their nesting: that is all a map needs, and it
cures lone `else`s, ten thousand `elif`s and a hundred indents alike), each logical line is tried by itself, and one that fails is
replaced by what can be known of it: a def by its name and those arguments that parse, an assignment by its targets, a return by a return.
What was replaced is said, with its line.
"""
from __future__ import annotations

import re
import warnings
from _ast import AST

from .logicallines import LogicalLine, closing_bracket, is_balanced, logical_lines, split_top
from .newsyntax import older_syntax
from .syntax import PARSER_FAULTS, parse_tree

_REPAIR_NOTES = 20
_DEEPEST_SCOPE = 90  # the parser refuses a hundred levels of indentation
_RAW_LONGEST = 200
_BATCH = 64  # texts that are tried together

def _tree_of(code: str) -> AST | None:
    try:
        return parse_tree(code)
    except PARSER_FAULTS:
        return None


def _try_parse(code: str) -> bool:
    return _tree_of(code) is not None


def _which_parse(codes: list[str]) -> list[bool]:
    """Which of many texts parse. Each is whole by itself, so a run of them is tried at once, up to the line that the parser names."""
    good = [False] * len(codes)
    start, size = 0, _BATCH
    while start < len(codes):
        stop = min(start + size, len(codes))
        fault = 0
        try:
            parse_tree("\n".join(codes[start:stop]))
        except SyntaxError as error:
            fault = error.lineno or -1
        except (ValueError, RecursionError, MemoryError):
            fault = -1
        if not fault:
            good[start:stop] = [True] * (stop - start)
            start, size = stop, _BATCH
            continue
        at, line = start, 1 + codes[start].count("\n")
        while at < stop - 1 and line < fault:
            at += 1
            line += 1 + codes[at].count("\n")
        if stop - start == 1 or (fault > 0 and at == start):
            start, size = start + 1, _BATCH
        elif fault > 0 and _try_parse("\n".join(codes[start:at])):
            good[start:at] = [True] * (at - start)
            start = at
        else:
            size = max(1, (at - start if fault > 0 else stop - start) // 2)
    return good


class _Raw:
    """Text that this interpreter cannot parse but that is plainly one expression: a name stands for it in the source, till the end."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def name_for(self, text: str, longest: int, fallback: str) -> str:
        text = re.sub(r"\s+", " ", text).strip().replace(", ", ",").replace(" | ", "|")
        plain = (0 < len(text) <= longest and text.isprintable() and "#" not in text and not re.search(r"\|\s*[a-z_]+\s*\(", text)
                 and is_balanced(text))
        if not plain:
            return fallback
        name = f"_ail_raw_{len(self.texts)}_"
        self.texts[name] = text
        return name


_RAW_PLACE = re.compile(r"_ail_raw_\d+_")


def put_raw(line: str, texts: dict[str, str], cleaned: object) -> str:
    """A section line with each raw text, cleaned, in the place of the name that stands for it."""
    return _RAW_PLACE.sub(lambda name: cleaned(texts.get(name[0], name[0])), line)


def _modern(code: str) -> str:
    """Python 2 spellings as Python 3 has them: 0777, 10L, ur'', <>, backticks."""
    code = re.sub(r"(?<![\w.])0+([1-7][0-7]*)[lL]?\b(?!\.)", r"0o\1", code)
    code = re.sub(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)[lL]\b", r"\1", code)
    return re.sub(r"`([^`\n]*)`", r"repr(\1)", re.sub(r"\b[uU][rR](?=[\"'])", "u", code).replace("<>", "!="))


def _simple(code: str) -> str:
    """What can be known of a simple statement that does not parse, as a statement that does."""
    parts = split_top(code, ";")
    if parts:
        edges = [-1, *(at for at, _ in parts), len(code)]
        pieces = [x for x in (code[a + 1:b].strip() for a, b in zip(edges, edges[1:])) if x]
        return "; ".join(x if ok else _one_simple(x) for x, ok in zip(pieces, _which_parse(pieces))) or "pass"
    return _one_simple(code)


def _one_simple(code: str) -> str:
    modern = _modern(code)
    if modern != code and _try_parse(modern):
        return modern
    word = re.match(r"\w*", code)[0]
    if word == "return":
        return "return ..."
    if word == "yield":
        return "yield"
    for at, _ in split_top(code, "=")[:1]:
        if code[at + 1:at + 2] != "=" and code[at - 1:at] not in ("!", "<", ">", "="):
            targets = code[:at].rstrip("+-*/%&|^@<> \t")
            if _try_parse(f"{targets} = ..."):
                return f"{targets} = ..."
    call = re.match(r"(?:await\s+)?([^\W\d][\w.]*)\s*\(", code)
    return f"{call[1]}()" if call and _try_parse(call[1]) else "pass"


def _print_call(code: str) -> str:
    """A Python 2 print statement as the call that does the same: `print >>f, x` writes to f."""
    code = _modern(code)
    rest = code[len("print"):].strip().rstrip(",")
    if not rest.startswith(">>"):
        return f"print({rest})"
    comma = split_top(rest, ",")
    stream, rest = (rest[2:comma[0][0]], rest[comma[0][0] + 1:]) if comma else (rest[2:], "")
    return next((call for call in (f"({stream.strip()}).write({rest})", f"({stream.strip()}).write()") if _try_parse(call)), "pass")


def _argument(piece: str, raw: _Raw) -> str:
    """One argument of a header that does not parse, as one that does; "" when not even a name can be read."""
    piece = piece.strip()
    if piece in ("*", "/") or _try_parse(f"def f({piece}): pass"):
        return piece
    modern = _modern(piece)
    if _try_parse(f"def f({modern}): pass"):
        return modern
    pattern = re.match(r"\(", piece)
    named = re.match(r"(\*{0,2})\s*([^\W\d]\w*)\s*", piece)
    if pattern:  # Python 2 unpacked tuples in place: def f(a, (b, c)=(1, 2))
        end = closing_bracket(piece, 0) + 1
        stars, name, rest = "", raw.name_for(piece[:end], _RAW_LONGEST, ""), piece[end:]
    elif named:
        stars, name, rest = named[1], named[2], piece[named.end():]
    else:
        return ""
    if name and not _try_parse(f"def f({name}): pass"):  # a keyword by now, as `async`
        name = raw.name_for(name, _RAW_LONGEST, "")
    if not name:
        return ""
    equals = split_top(rest, "=")
    at = equals[0][0] if equals else len(rest)
    annotation, default = rest[:at].strip().lstrip(":").strip(), _modern(rest[at + 1:].strip())
    out = stars + name
    if annotation:
        out += ":" + (annotation if _try_parse(f"({annotation}\n)") else raw.name_for(annotation, _RAW_LONGEST, "..."))
    if at < len(rest) and not stars:
        out += "=" + (default if default and _try_parse(f"({default}\n)") else raw.name_for(default, 40, "..."))
    return out


def _def_header(code: str, raw: _Raw) -> str:
    """A def header, with its suite if that stands on the same line, as one that parses; "" when it has no name."""
    if (not code.endswith(":") and _try_parse(code)) or (code.endswith(":") and _try_parse(code + " pass")):
        return code
    named = re.match(r"(async\s+)?def\s+([^\W\d]\w*)\s*", code)
    if named is None:
        return ""
    start = named.end()
    if code[start:start + 1] == "[":  # type parameters whose bracket is not closed
        end = min(closing_bracket(code, start) + 1, len(code))
        code = code[:start] + re.sub(r"[^\n]", " ", code[start:end]) + code[end:]
        if _try_parse(code + " pass" if code.endswith(":") else code):
            return code
        start = end
    start = code.find("(", start)
    end = len(code.rstrip(": \t")) if start < 0 else closing_bracket(code, start)
    pieces = []
    if start >= 0:
        inside = re.sub(r"#[^\n]*", "", code[start + 1:end]) if "#" in code else code[start + 1:end]
        edges = [-1, *(at for at, _ in split_top(inside, ",")), len(inside)]
        pieces = [text for text in (inside[a + 1:b].strip(": \t\n") for a, b in zip(edges, edges[1:])) if text]
        fine = _which_parse([f"def f({piece}): pass" for piece in pieces])
        pieces = [text for text in (piece if ok else _argument(piece, raw) for piece, ok in zip(pieces, fine)) if text]
    tail = code[end + 1:].lstrip()
    colons = split_top(tail, ":")
    colon = colons[0][0] if colons else len(tail)
    returns, suite = tail[:colon].strip(), tail[colon + 1:].strip()
    arrow = ""
    if returns.startswith("->"):
        returns = returns[2:].strip()
        arrow = f" -> {returns if returns and _try_parse(f'({returns})') else raw.name_for(returns, _RAW_LONGEST, '...')}"
    name = named[2] if _try_parse(f"def {named[2]}(): pass") else raw.name_for(named[2], _RAW_LONGEST, "_")
    head = f"{'async ' if named[1] else ''}def {name}"
    suite = "" if not suite else f" {suite}" if _try_parse(suite) else f" {_simple(suite)}"
    whole = f"{head}({', '.join(pieces)}){arrow}:{suite}"
    if _try_parse(whole if suite else whole + " pass"):
        return whole
    stand_in = raw.name_for(",".join(raw.texts.get(x, x) for x in pieces), _RAW_LONGEST, "*args")
    whole = f"{head}({stand_in}){arrow}:{suite}"
    return whole if _try_parse(whole if suite else whole + " pass") else ""


def _class_header(code: str) -> str:
    if _try_parse(code + " pass" if code.endswith(":") else code):
        return code
    named = re.match(r"class\s+([^\W\d]\w*)\s*", code)
    if named is None or not _try_parse(f"class {named[1]}: pass"):
        return ""
    if code[named.end():named.end() + 1] == "[":
        bare = f"class {named[1]}{code[closing_bracket(code, named.end()) + 1:]}"
        if _try_parse(bare + " pass" if bare.endswith(":") else bare):
            return bare
    colon = split_top(code, ":")
    suite = code[colon[0][0] + 1:].strip() if colon else ""
    return f"class {named[1]}:" + (f" {suite}" if suite and _try_parse(suite) else " pass" if suite else "")


_FIRST_WORD = re.compile(r"(?:async\s+)?(\w+)")
_CONTROL_WORDS = frozenset("if elif else for while with try except finally match case".split())
_BARE_WORDS = frozenset("else try finally except case".split())  # nothing of the line itself matters to a map


_EMBEDDED_HEADER = re.compile(r"\b(?:async\s+)?(def|class)\s+[^\W\d]\w*\s*[(:\[]")


_HEADER_WITHIN = 2_000  # characters
_STRING_TEXT = re.compile("(" + "'" * 3 + "|" + '"' * 3 + r")[\s\S]*?(?:\1|$)|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _stand_alone(word: str, code: str) -> str:
    """A logical line as it would parse by itself, control statements with an empty suite; what is returned need not parse."""
    if word in _CONTROL_WORDS:
        if word in _BARE_WORDS:
            colon = None if code.endswith(":") else split_top(code, ":")
            return code[colon[0][0] + 1:].strip() or "pass" if colon else "pass"
        if word in ("elif", "match"):
            code = "if" + code[len(word):]
    elif word == "print":
        if re.match(r"print\s*[^\s(=.]|print\s+\(", code):  # `print >>f, x` parses as a shift, and is none
            return _print_call(code)
    elif word == "raise" and split_top(code, ","):
        return "pass"
    return code + " pass" if code.endswith(":") else code


def _flatten(lines: list[LogicalLine], raw: _Raw) -> tuple[list[tuple[int, int, str]], list[tuple[int, str]]]:
    """Logical lines of a unit that does not parse -> (line, depth, code) that do, and (line, what was not read)."""
    words = []
    for logical in lines:
        found = _FIRST_WORD.match(logical.code)
        word = found[1] if found else ""
        soft = word in ("match", "case") and not logical.code.endswith(":")
        words.append("" if soft or (word == "class" and not re.match(r"class\s+[^\W\d]", logical.code)) else word)
    alone = [x.code + "\ndef f(): pass" if x.code.startswith("@") else _stand_alone(word, x.code) for word, x in zip(words, lines)]
    whole = [i for i, x in enumerate(lines) if not x.broken]
    good = dict(zip(whole, _which_parse([alone[i] for i in whole])))
    out: list[tuple[int, int, str]] = []
    faults: list[tuple[int, str]] = []
    frames: list[tuple[int, bool]] = []  # indentation of a header, whether it is a def or class
    decorators: list[int] = []
    for i, (logical, word) in enumerate(zip(lines, words)):
        while frames and logical.column <= frames[-1][0]:
            frames.pop()
        depth = min(sum(scope for _, scope in frames), _DEEPEST_SCOPE)
        code, ok = logical.code, good.get(i, False)
        if code.startswith("@"):
            if ok:
                decorators.append(len(out))
                out.append((logical.line, depth, code))
            continue
        embedded = None if ok or word in ("def", "class") else _EMBEDDED_HEADER.search(_STRING_TEXT.sub(_blanks, code[:_HEADER_WITHIN]))
        if embedded:  # something stands before it that does not belong there
            code, word = code[embedded.start():], embedded[1]
        if word == "def" or word == "class":
            repaired = code if ok else _def_header(code, raw) if word == "def" else _class_header(code)
            if repaired != code:
                faults.append((logical.line, f"{word} header read in part" if repaired else f"{word} header not read"))
            frames.append((logical.column, bool(repaired)))
            if repaired:
                out.append((logical.line, depth, repaired))
            decorators = []
            continue
        for at in decorators:  # a decorator needs a def right after it
            out[at] = (out[at][0], depth, "pass")
        decorators = []
        if word in _CONTROL_WORDS:
            frames.append((logical.column, False))
        if not ok:
            faults.append((logical.line, _fault_of(code, word)))
        out.append((logical.line, depth, alone[i] if ok else _simple(alone[i].removesuffix(" pass"))))
    for at in decorators:
        out[at] = (out[at][0], out[at][1], "pass")
    return _with_suites(out), faults


def _with_suites(rows: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """(line, depth, code) with a suite behind each header that nothing deeper follows, and none on the line of one with a block."""
    out = []
    for (line, depth, code), following in zip(rows, [*(depth for _, depth, _ in rows[1:]), 0]):
        if following <= depth and code.endswith(":"):
            code += " pass"
        elif following > depth and not code.endswith(":"):
            colon = split_top(code, ":")
            code = code[:colon[0][0] + 1] if colon else code
        out.append((line, depth, code))
    return out


def _fault_of(code: str, word: str) -> str:
    if code[:1] in "%!?" or code.endswith("?") or re.match(r"[\w, ]+=\s*[%!]", code):
        return "notebook magic, skipped"
    if word in ("print", "exec") or re.match(r"raise\s+[\w.]+\s*,", code) or "`" in code or "<>" in code:
        return "Python 2 statement, read in part"
    return "not valid here, read in part"


def _lay_out(parts: list[tuple[int, int, str]], first: int, count: int) -> str:
    """Statements back at their lines: `count` lines from number `first`, indented by depth. A later one on the same line follows `;`."""
    lines = [""] * count
    for line, depth, code in parts:
        at = line - first
        if lines[at] or at >= count:  # cannot happen for whole logical lines; keep the text parsable if it does
            continue
        pieces = code.split("\n")[:count - at]
        lines[at] = " " * depth + pieces[0]
        for i, piece in enumerate(pieces[1:], 1):
            lines[at + i] = piece
    return "\n".join(lines)


def _repair_unit(unit: list[LogicalLine], first: int, count: int, raw: _Raw) -> tuple[str, list[tuple[int, str]]]:
    parts, faults = _flatten(unit, raw)
    text = _lay_out(parts, first, count)
    if _try_parse(text):
        return text, faults
    headers = [(line, depth, code) for line, depth, code in parts if re.match(r"(?:async\s+)?def\b|class\b", code)]
    text = _lay_out(_with_suites(headers), first, count)
    if _try_parse(text):
        return text, [*faults, (unit[0].line, "only the headers of this block could be read")]
    return "\n" * (count - 1), [*faults, (unit[0].line, "this block could not be read")]


def recover_source(text: str) -> tuple[str, AST, dict[str, str], list[str]]:
    """A text that the parser refuses -> (a text that it takes, its tree, names that stand for raw text, faults as "line N: reason").

    Every function keeps its line number. The reasons are fixed phrases: they never hold text of the source.
    """
    faults: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            faults.append(f"line {line}: NUL byte, read as a space")
            text = text.replace("\0", " ")
        tree = _tree_of(text)
        if tree is not None:
            return text, tree, {}, faults
        text = older_syntax(text)  # the same text for every Python
        where, reason = 0, "nested too deeply for the parser"
        try:
            parse_tree(text)
        except SyntaxError as error:
            where, reason = error.lineno or 0, "syntax error"
        except (ValueError, RecursionError, MemoryError):
            pass
        raw = _Raw()
        total = text.count("\n") + 1
        lines = logical_lines(text)
        physical = text.split("\n")
        starts = [i for i, x in enumerate(lines) if x.column == 0 and not (
            i and (lines[i - 1].code.startswith("@") or re.match(r"(?:elif|else|except|finally)\b", x.code)))]
        if lines and (not starts or starts[0]):
            starts.insert(0, 0)
        edges = [*starts, len(lines)]
        firsts = [lines[start].line if i else 1 for i, start in enumerate(starts)] + [total + 1]
        units = ["\n".join(physical[a - 1:b - 1]) for a, b in zip(firsts, firsts[1:])]
        broken = [any(one.broken for one in lines[a:b]) for a, b in zip(edges, edges[1:])]
        whole = dict(zip([i for i, fault in enumerate(broken) if not fault],
                         _which_parse([unit for unit, fault in zip(units, broken) if not fault])))
        notes = []
        for i in range(len(units)):
            if not whole.get(i, False):
                units[i], unit_notes = _repair_unit(lines[edges[i]:edges[i + 1]], firsts[i], firsts[i + 1] - firsts[i], raw)
                where = where or lines[edges[i]].line
                notes += unit_notes
        text = "\n".join(units)
        tree = _tree_of(text)
        if tree is None:
            text, tree = "", _tree_of("")
    notes.sort()
    if notes:
        where = min(where or notes[0][0], notes[0][0])
    faults.append(f"line {where or 1}: {reason}; read statement by statement, best effort")
    faults += [f"line {line}: {what}" for line, what in notes[:_REPAIR_NOTES]]
    if len(notes) > _REPAIR_NOTES:
        faults.append(f"line {notes[_REPAIR_NOTES][0]}: and {len(notes) - _REPAIR_NOTES} more from here on")
    return text, tree, raw.texts, faults
