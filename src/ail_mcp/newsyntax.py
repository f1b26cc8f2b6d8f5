"""Syntax newer than the running interpreter, spelled in older syntax of the same length, so that what is read does not rest on its version.

`except*` (3.11), stars in types and subscripts (3.11), type parameters, `type` statements and free f-strings (3.12): all are valid under
some Python that this tool runs on, and the positions of every other node stay what they are in the source.
"""
from __future__ import annotations

import re
from _ast import AST

from .syntax import PARSER_FAULTS, parse_python

TYPE_STATEMENT = "_ty_"  # `type X = int` is parsed as `X:_ty_ = int`
_NEWER_SPOT = re.compile(
    r"#[^\n]*|(?P<string>(?<!\w)(?P<prefix>[rRbBuUfF]{0,2})(?:\"\"\"|" + "'" * 3 + r"|\"|'))|"
    r"(?P<except>^[ \t]*except[ \t]*\*)|(?P<type>(?:^[ \t]*|[;:][ \t]*)type[ \t]+(?P<name>[^\W\d]\w*)[ \t]*(?=[\[=]))|"
    r"(?P<header>^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+[^\W\d]\w*[ \t]*(?=\[))|(?P<star>(?<=[\[,:])[ \t\n]*\*(?!\*))|[\[\](){}]", re.M)
_STRING_INSIDE = {quote: re.compile(rf"[^{quote}\\\n]*(?:\\[\s\S][^{quote}\\\n]*)*") for quote in "\"'"}
_LITERAL_PART = {quote: re.compile(rf"(?:[^{quote}\\{{}}\n]|\\[\s\S]|\{{\{{|\}}\}})*") for quote in "\"'"}
_DEEPEST_FSTRING = 8


def parse_newer(text: str) -> AST | None:
    """The tree of a source that the interpreter refuses, if all that it refuses is newer syntax; its positions are those of `text`."""
    older = older_syntax(text, stars=True)
    if older == text:
        return None
    try:
        return parse_python(older)
    except PARSER_FAULTS:
        return None


def older_syntax(text: str, stars: bool = False) -> str:
    """Newer syntax replaced, character for character. `stars`: also `x[*a]` and `*args: *Ts`, as `x[-a]` and `*args: -Ts`."""
    out: list[str] = []
    done = at = 0
    brackets: list[str] = []
    work = [10_000 + len(text) // 4]  # how many signs in f-strings may still be looked at: hostile text could make that many more
    while True:
        spot = _NEWER_SPOT.search(text, at)
        if spot is None:
            return "".join(out) + text[done:] if out else text
        first, at, new = spot.start(), spot.end(), ""
        sign = spot[0][-1]
        if spot["string"]:
            quote = spot["string"][len(spot["prefix"]):]
            if "f" in spot["prefix"].lower():
                at, new = _older_fstring(text, first, len(spot["prefix"]), quote, work)
            if not new:
                at = _string_stop(text, at, quote)
        elif spot["except"]:
            new = spot[0][:-1] + " "
        elif spot["header"] or spot["type"]:
            bracket = at
            if text[at] == "[":
                at = _bracket_stop(text, at)
            blank = re.sub(r"[^\n]", " ", text[bracket:at]).replace(" \n", "\\\n")
            if spot["header"]:
                new = spot[0] + blank
            else:
                lead = spot[0][:spot.start("name") - first].rpartition("type")
                new = lead[0] + spot["name"] + ":" + TYPE_STATEMENT + lead[2][1:] + spot[0][spot.end("name") - first:] + blank
        elif spot["star"]:
            if stars and (brackets[-1:] == ["x["] or (text[first - 1] == ":" and brackets[-1:] == ["("])):
                new = spot[0][:-1] + "-"
        elif sign in "([{":
            brackets.append("x[" if sign == "[" and re.match(r"[\w)\]]", text[first - 1:first]) else sign)
        elif sign in ")]}" and brackets:
            brackets.pop()
        if new and new != text[first:at]:
            out += text[done:first], new
            done = at


def _string_stop(text: str, at: int, quote: str) -> int:
    """The position behind the string whose contents begin at `at`; where it does not end, right there."""
    if len(quote) == 1:
        end = _STRING_INSIDE[quote].match(text, at).end()
        return end + 1 if text[end:end + 1] == quote else at
    end = at - 1
    while True:
        end = text.find(quote, end + 1)
        back = end
        while back > at and text[back - 1] == "\\":
            back -= 1
        if end < 0 or (end - back) % 2 == 0:
            return end + 3 if end >= 0 else at


def _bracket_stop(text: str, at: int) -> int:
    """The position behind the bracket that closes the one at `at`; `at` itself when none does."""
    depth, end = 0, at
    while True:
        spot = _NEWER_SPOT.search(text, end)
        if spot is None or spot["header"] or spot["type"]:
            return at
        end = spot.end()
        if spot["string"]:
            end = _string_stop(text, end, spot["string"][len(spot["prefix"]):])
        elif spot[0] in "[({":
            depth += 1
        elif spot[0] in "])}":
            depth -= 1
            if depth == 0:
                return end


def _older_fstring(text: str, first: int, prefix: int, quote: str, work: list[int], depth: int = 0) -> tuple[int, str]:
    """(position behind the f-string at `first`, its older spelling). What older rules forbid in its fields, quotes of its own kind and
    backslashes, is put in other quotes or blanked; an f-string that cannot be told apart stays as it is."""
    at = first + prefix + len(quote)
    out = [text[first:at]]
    inside = depth < _DEEPEST_FSTRING and work[0] > 0
    while inside:
        if len(quote) == 1:
            literal = _LITERAL_PART[quote].match(text, at).end()
        else:
            literal = at
            while literal < len(text) and not text.startswith(quote, literal):
                sign = text[literal]
                if sign == "{" and text[literal + 1:literal + 2] != "{":
                    break
                work[0] -= 1
                literal += 2 if sign == "\\" or text[literal:literal + 2] in ("{{", "}}") else 1
        out.append(text[at:literal])
        at = literal
        if text.startswith(quote, at):
            return at + len(quote), "".join(out) + quote
        if text[at:at + 1] != "{":
            break
        at, field = _older_field(text, at, quote, work, depth)
        out.append(field)
        inside = bool(field)
    return first + prefix + len(quote), ""


def _older_field(text: str, at: int, quote: str, work: list[int], depth: int) -> tuple[int, str]:
    """(position behind the replacement field at `at`, its older spelling); an empty spelling where it does not end."""
    out, level, start, in_format = ["{"], 1, at + 1, False
    other = "'" if quote[0] == '"' else '"'
    while True:
        spot = _FIELD_SPOT.search(text, start)
        work[0] -= 1
        if spot is None or work[0] < 0 or (spot[0] == "\n" and len(quote) == 1):  # over lines in single quotes: no older spelling
            return at, ""
        out.append(text[start:spot.start()])
        start = spot.end()
        if in_format and level == 1 and spot[0] not in "{}":  # behind the colon, quotes and `#` are signs like others
            start = spot.start() + 1
            out.append(text[spot.start()])
        elif spot["string"]:
            mark = spot["string"][len(spot["prefix"]):]
            if "f" in spot["prefix"].lower():
                start, new = _older_fstring(text, spot.start(), len(spot["prefix"]), mark, work, depth + 1)
                if not new:
                    return at, ""
            else:
                start = _string_stop(text, start, mark)
                if start == spot.end():
                    return at, ""
                new = text[spot.start():start]
            content = new[len(spot["prefix"]) + len(mark):len(new) - len(mark)]
            if len(quote) == 1 and (mark[0] == quote or "\\" in new or quote in new):
                clean = "".join(" " if "f" in spot["prefix"].lower() or sign in "\\\"'\n" else sign for sign in content)
                new = spot["prefix"] + other * len(mark) + clean + other * len(mark)
            elif "\\" in new or quote in new:
                new = spot["prefix"] + mark + content.replace("\\", " ").replace(quote, " " * len(quote)) + mark
            out.append(new)
        elif spot[0] in "([{":
            level += 1
            out.append(spot[0])
        elif spot[0] in ")]}":
            level -= 1
            out.append(spot[0])
            if level == 0:
                return start, "".join(out)
        elif spot[0] == ":":
            in_format = in_format or level == 1
            out.append(":")
        elif spot[0][0] == "#":
            out.append(" " * len(spot[0]))
        else:
            out.append("\n" if spot[0] == "\n" else " ")


_FIELD_SPOT = re.compile(r"#[^\n]*|(?P<string>(?<!\w)(?P<prefix>[rRbBuUfF]{0,2})(?:\"\"\"|" + "'" * 3 + r"|\"|'))|[\[\](){}:\\\n]")
