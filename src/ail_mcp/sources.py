"""Where statements of a session stand: the talk, and texts that people and agents write through tools.

A TextSource is one text with its author, who is known from the envelope alone: a line that says "User:" inside an answer or a tool's output changes
nothing. What a slash command stands for is the user's; a document, a commit message or a task that the agent writes is the agent's; what a tool
gives back is the tool's, and can be a fact at most.
"""
from __future__ import annotations

import re
from bisect import bisect_right
from collections import namedtuple

TextSource = namedtuple("TextSource", "kind author text parts")
TextSource.__doc__ = """
`kind` is a kind of turns, or instructions (text of a slash command), document (what an agent wrote), report (prose that a tool
gave back). `parts` are (start in the text, number of the turn): a document told line by line is one source. For instructions, documents and reports
the text is no part of the turn's own."""

AUTHOR_OF = {"human": "user", "steer": "user", "answer": "user", "preference": "user", "note": "user", "reply": "assistant", "compact": "assistant",
             "instructions": "user", "document": "assistant", "report": "tool"}
OWN_TEXT = frozenset(("human", "steer", "answer", "preference", "note", "reply", "compact"))

_PROSE_FILE = re.compile(r"\.(?:md|markdown|txt|rst|adoc|mdx)\Z")
_HEREDOC = re.compile(r"<<-?\s{0,4}[\"']?(\w{1,40})[\"']?[^\n]{0,200}\n")
_MESSAGE_OPTION = re.compile(r"(?:\s-m|--(?:body|message|title|description|notes?|reason|comment|acceptance|design|text))[ =]"
                             r"(\"(?:[^\"\\]|\\.){24,4000}\"|'[^']{24,4000}')")
_REPORTERS = re.compile(r"(?i)fetch|websearch|web_search|\btask\b|agent|browse")
DOCUMENT_AT_MOST = 12_000
# Claude Code ends the message that starts the work on a plan with this line; no user says it.
_PLAN_NOTE = "\nIf you need specific details from before exiting plan mode "


def sources(turns: list) -> list[TextSource]:
    """All sources of a session in order. Notes that follow each other are one."""
    found: list[TextSource] = []
    lines: list[str] = []
    parts: list[tuple[int, int]] = []
    size = 0
    for number, turn in enumerate(turns, 1):
        if turn.kind == "note":
            parts.append((size, number))
            lines.append(turn.text)
            size += len(turn.text) + 1
            continue
        if lines:
            found.append(TextSource("note", "user", "\n".join(lines), tuple(parts)))
            lines, parts, size = [], [], 0
        if turn.kind in OWN_TEXT:
            found.append(TextSource(turn.kind, AUTHOR_OF[turn.kind], _own_words(turn.text), ((0, number),)))
        elif turn.tool is not None:
            found += (TextSource(kind, AUTHOR_OF[kind], text[:DOCUMENT_AT_MOST], ((0, number),))
                      for kind, text in _texts_beside(turn) if text.strip())
    if lines:
        found.append(TextSource("note", "user", "\n".join(lines), tuple(parts)))
    return found


def _own_words(text: str) -> str:
    at = text.rfind(_PLAN_NOTE)
    return text if at < 0 or "\n" in text[at + 1:].rstrip() else text[:at]


def part_of(source: TextSource, at: int) -> tuple[int, int]:
    """(start in the text, number of the turn) of the part in which a position lies."""
    return source.parts[bisect_right(source.parts, at, key=_start) - 1] if len(source.parts) > 1 else source.parts[0]


def _start(part: tuple[int, int]) -> int:
    return part[0]


def _texts_beside(turn: object) -> list[tuple[str, str]]:
    """(kind, text) of each prose text that a call carries, and of what a slash command of the user stands for. Which of the two it is, the turn
    says: a tool may have any name."""
    tool = turn.tool
    if turn.kind == "command":
        return [("instructions", tool.output)]
    arguments, found = tool.arguments, []
    path = arguments.get("file_path") or arguments.get("path") or arguments.get("filePath") or ""
    written = arguments.get("content") or arguments.get("new_string") or arguments.get("newString") or ""
    if written and _PROSE_FILE.search(path):
        found.append(("document", written))
    elif arguments.get("subject") and "description" in arguments:
        found.append(("document", f"{arguments['subject']}: {arguments['description']}"))
    command = arguments.get("command") or arguments.get("cmd") or ""
    if command and not path:
        found += (("document", text) for text in _prose_in_command(command))
    if _REPORTERS.search(tool.name) and tool.failed is not True:
        found.append(("report", tool.output))
    return found


def _prose_in_command(command: str) -> list[str]:
    """Texts of here-documents and of options that take a message."""
    found = []
    opening = _HEREDOC.search(command)
    if opening:
        end = command.find("\n" + opening[1], opening.end() - 1)
        body = command[opening.end():end if end >= 0 else len(command)]
        if _reads_as_prose(body):
            found.append(body)
    for option in _MESSAGE_OPTION.finditer(command, 0, 20_000):
        text = option[1][1:-1]
        if "<<" not in text[:40] and _reads_as_prose(text):
            found.append(text.replace("\\n", "\n").replace('\\"', '"'))
    return found


def _reads_as_prose(text: str) -> bool:
    """Whether most of a text is words: code has a mark for every few of them."""
    words, marks = len(re.findall(r"[^\W\d_]{2,}", text[:4000])), len(re.findall(r"[{}();=<>\[\]$\\]", text[:4000]))
    return words >= 4 and marks * 4 < words
