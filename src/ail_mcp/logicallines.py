"""Any text that was meant to be Python -> its logical lines, by a lexer that nothing can stop."""
from __future__ import annotations

import re
from collections import namedtuple

LogicalLine = namedtuple("LogicalLine", "line end column code broken")  # first and last line number, indentation, text, bracket fault
_LEX = re.compile(r"[\"'#()\[\]{}\n]|\\\n?")
_TO_LINE_END = re.compile(r"[^\n]*")
_STRING_REST = {quote: re.compile(rf"[^{quote}\\\n]*(?:\\[\s\S][^{quote}\\\n]*)*") for quote in "\"'"}
# What can stand at the start of a line only outside brackets: a bracket that is open there was never closed.
_STATEMENT_START = re.compile(
    r"[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w|class[ \t]+\w+[ \t]*[(:\[]|[^\W\d]\w*(?:\.\w+)+[ \t]+[-+*/|&]?=[ \t]|"
    r"(?:return|raise|import|while|with|try|except|finally|pass|break|continue|del|global|nonlocal|assert)\b(?![ \t]*[=.,)]))")
_STATEMENT_START_LEFT = re.compile(r"[ \t]*(?:@[^\W\d]|(?:if|elif|for|else)\b[^\n]*:[ \t]*(?:#[^\n]*)?$|[\w.]+ = )", re.M)
_HEADER_START = re.compile(r"(?:async\s+)?(?:def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b")
_CODE_AT_LINE_START = re.compile(r"\n([ \t]*)(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:])")


def logical_lines(text: str) -> list[LogicalLine]:
    """Cut a text into logical lines, by strings, comments, brackets and continuations; works on any text, in linear time.

    A bracket that is still open where a statement must begin ends there. A triple-quoted string that never ends is taken to end on its
    own line, and so is the one that seems to have swallowed code.
    """
    short: set[int] = set()  # triple quotes that are taken to end on their line
    for _ in range(3):
        lines, suspects = _cut_lines(text, short)
        if not suspects:
            break
        short |= suspects
    for i in range(len(lines) - 2, -1, -1):  # what opens no block cannot be followed by a deeper line: it is itself out of place
        one, column = lines[i], lines[i + 1].column
        if column > one.column and not one.code.endswith(":") and not _HEADER_START.match(one.code):
            lines[i] = one._replace(column=column)
    return lines


def _cut_lines(text: str, short: set[int]) -> tuple[list[LogicalLine], set[int]]:
    out: list[LogicalLine] = []
    swallowed: set[int] = set()
    length, at, number = len(text), 0, 1
    while at < length:
        start = at
        while at < length and text[at] in " \t\f":
            at += 1
        if at < length and text[at] in "\n#":
            at = _TO_LINE_END.match(text, at).end() + 1
            number += 1
            continue
        column = len(text[start:at].rpartition("\f")[2].expandtabs(8))
        begin, first, depth, broken, code_end = at, number, 0, False, -1
        while True:
            found = _LEX.search(text, at)
            if found is None:
                at = length
                broken = broken or depth > 0
                break
            sign, at = found[0], found.end()
            if sign == "\n":
                number += 1
                if depth <= 0:
                    break
                left = _STATEMENT_START_LEFT.match(text, at)
                if _STATEMENT_START.match(text, at) or (left and len(left[0]) - len(left[0].lstrip()) <= column):
                    broken = True
                    break
            elif sign in "([{":
                depth += 1
            elif sign in ")]}":
                depth -= 1
                if depth < 0:
                    depth, broken = 0, True
            elif sign == "#":
                if depth <= 0:
                    code_end = at - 1
                at = _TO_LINE_END.match(text, at).end()
            elif sign[0] == "\\":
                number += sign != "\\"
            elif text.startswith(sign * 2, at):
                if at in short:
                    at, broken, depth = _TO_LINE_END.match(text, at).end(), True, 0
                    continue
                end = _triple_end(text, at + 2, sign * 3)
                content = text[at + 2:end if end >= 0 else length]
                code = _CODE_AT_LINE_START.search(content)
                if code and len(code[1].expandtabs(8)) <= column:
                    swallowed.add(at)
                if end < 0:
                    return out, {min(swallowed)} if swallowed else {at}
                number += content.count("\n")
                at = end + 3
            else:
                end = _STRING_REST[sign].match(text, at).end()
                number += text.count("\n", at, end)
                at = end
                if at < length and text[at] == sign:
                    at += 1
                else:  # the string does not end on its line, and no bracket outlives it
                    broken, depth = True, 0
        stop = at - 1 if at <= length and text[at - 1:at] == "\n" else at
        code = text[begin:code_end if code_end >= begin else stop].rstrip(" \t\f\n\\")
        out.append(LogicalLine(first, max(first, number - (stop < at)), column, code, broken))
    return out, set()


def _triple_end(text: str, at: int, quotes: str) -> int:
    while True:
        at = text.find(quotes, at)
        if at < 0:
            return -1
        back = at
        while text[back - 1] == "\\":
            back -= 1
        if (at - back) % 2 == 0:
            return at
        at += 1


def split_top(text: str, separators: str) -> list[tuple[int, str]]:
    """The positions of separators outside brackets and strings, with the separator; stops at a bracket that closes nothing."""
    out, depth, at = [], 0, 0
    pattern = re.compile(rf"[\"'()\[\]{{}}{re.escape(separators)}]")
    while True:
        found = pattern.search(text, at)
        if found is None:
            return out
        sign, at = found[0], found.end()
        if sign in "\"'":
            if text.startswith(sign * 2, at):
                end = _triple_end(text, at + 2, sign * 3)
                at = len(text) if end < 0 else end + 3
            else:
                at = _STRING_REST[sign].match(text, at).end() + 1
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0:
                return out
        if depth == 0 and sign in separators:
            out.append((found.start(), sign))


def closing_bracket(text: str, at: int) -> int:
    """The position of the bracket that closes the one at `at`; the end of the text when none does."""
    closing = split_top(text[at:], ")]}")
    return at + closing[0][0] if closing else len(text)


def is_balanced(text: str) -> bool:
    opened = []
    bare = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", "", text)
    for sign in bare:
        if sign in "([{":
            opened.append(")]}"["([{".index(sign)])
        elif sign in ")]}" and (not opened or opened.pop() != sign):
            return False
    return not opened and '"' not in bare and "'" not in bare
