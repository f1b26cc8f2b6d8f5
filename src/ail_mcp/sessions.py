"""Every transcript format in one table, and the one call that reads a file of any of them.

The format is found by content, not by the file's name. A new format is a new row of FORMATS and a function that reads it.
"""
from __future__ import annotations

import io
import itertools
import re
import warnings
from collections import namedtuple

from .agentlogs import (
    is_codex,
    is_cursor_cli,
    is_gemini_chat,
    is_gemini_checkpoint,
    is_gemini_lines,
    is_gemini_log,
    is_opencode,
    is_pi,
    is_swe_agent,
    read_codex,
    read_cursor_cli,
    read_gemini_chat,
    read_gemini_checkpoint,
    read_gemini_lines,
    read_gemini_log,
    read_opencode,
    read_pi,
    read_swe_agent,
)
from .chatexports import (
    is_anthropic,
    is_chatgpt,
    is_claude_ai,
    is_deepseek,
    is_openai,
    is_openai_line,
    is_sharegpt,
    is_sharegpt_line,
    is_slack,
    read_chatgpt,
    read_claude_ai,
    read_deepseek,
    read_message_lines,
    read_messages,
    read_sharegpt,
    read_sharegpt_lines,
    read_slack,
)
from .claudecode import is_claude_code, read_claude_code
from .errors import FileError
from .markdownlogs import (
    is_aider,
    is_claude_screen,
    is_cursor_export,
    is_specstory,
    read_aider,
    read_claude_screen,
    read_cursor_export,
    read_specstory,
)
from .plainchat import is_markdown_chat, is_minutes, is_speaker_log, read_markdown_chat, read_minutes, read_speaker_log
from .transcript import LINE_LIMIT, Reading, Session, byte_lines, decode_text, json_records, parse_record, parse_whole, too_long

# `shape` says what `detect` and `read` are given: "lines" one JSON record (`detect` gives the weight of its vote), and all records;
# "document" one JSON value; "text" a text. Rows are tried in order. `read` None: there are no turns, the text is the content.
Format = namedtuple("Format", "name shape detect read")


def _speaker_log(style: str) -> Format:
    return Format(style, "text", lambda text: is_speaker_log(text, style), lambda text, reading: read_speaker_log(text, reading, style))


FORMATS = (
    Format("pi", "lines", is_pi, read_pi),
    Format("codex", "lines", is_codex, read_codex),
    Format("claude-code", "lines", is_claude_code, read_claude_code),
    Format("gemini-jsonl", "lines", is_gemini_lines, read_gemini_lines),
    Format("cursor-cli", "lines", is_cursor_cli, read_cursor_cli),
    Format("openai", "lines", is_openai_line, read_message_lines),
    Format("sharegpt", "lines", is_sharegpt_line, read_sharegpt_lines),
    Format("deepseek", "document", is_deepseek, read_deepseek),
    Format("chatgpt", "document", is_chatgpt, read_chatgpt),
    Format("claude.ai", "document", is_claude_ai, read_claude_ai),
    Format("swe-agent", "document", is_swe_agent, read_swe_agent),
    Format("opencode", "document", is_opencode, read_opencode),
    Format("gemini-chat", "document", is_gemini_chat, read_gemini_chat),
    Format("gemini-checkpoint", "document", is_gemini_checkpoint, read_gemini_checkpoint),
    Format("gemini-logs", "document", is_gemini_log, read_gemini_log),
    Format("sharegpt", "document", is_sharegpt, read_sharegpt),
    Format("slack", "document", is_slack, read_slack),
    Format("anthropic", "document", is_anthropic, read_messages),
    Format("openai", "document", is_openai, read_messages),
    Format("snapshot", "text", lambda text: text.lstrip().startswith("!AILv1"), None),
    Format("aider", "text", is_aider, read_aider),
    Format("specstory", "text", is_specstory, read_specstory),
    Format("cursor-export", "text", is_cursor_export, read_cursor_export),
    Format("claude-terminal", "text", is_claude_screen, read_claude_screen),
    _speaker_log("irc"),
    _speaker_log("dash-transcript"),
    _speaker_log("weechat"),
    _speaker_log("slack-copy"),
    Format("markdown-chat", "text", is_markdown_chat, read_markdown_chat),
    Format("minutes", "text", is_minutes, read_minutes),
)

_HEAD_SIZE = 1 << 18        # bytes that are looked at before anything is decided
_VOTERS = 12                # records that vote on the format of a file with one record a line
_VOTING_LINES = 1000        # lines and bytes in which they must turn up
_VOTING_SIZE = 8 << 20

# What is no text although it need not hold a NUL byte near its beginning.
_BINARY_STARTS = (
    (b"\x1f\x8b", "a gzip file: unpack it first"), (b"SQLite format 3", "a SQLite database"),
    (b"%PDF-", "a PDF: copy its text into a file"), (b"\x89PNG", "an image"), (b"\xff\xd8\xff", "an image"), (b"\x7fELF", "a program"),
)

_PYTHON_DEFINITION = re.compile(r"^[ \t]{0,200}(?:async[ \t]{1,9})?(?:def|class)[ \t]{1,9}[^\W\d]\w{0,200}[ \t]{0,9}[(:\[]", re.M)
_PYTHON_LIMIT = 4 << 20     # characters; parsing costs some fifty bytes for each
_PYTHON_STATEMENT = re.compile(r"\n[ \t]{0,200}(?:def|class|return|import|while|with|try)\b")
_PYTHON_LINKS = 50_000
_ONLY_AST = 0x400           # the flag of `compile` behind ast.parse, which would cost an import


def read(stream: object, name: str, tools: bool = False) -> Session:
    """Read a transcript, notes or code from a binary stream, which may be a pipe.

    `name` is used in messages, and its ending to tell Python. The result's `turns` are in file order; `notes` are lines of facts about
    what was read and left out; `text` is the whole text of a format that is text (then there may be no turns), None for JSON.
    With `tools`, `call` turns keep arguments and output.
    Raises FileError when there is nothing to read, when it is no text, and when a line is longer than 64 MiB.
    """
    head = _read_up_to(stream, _HEAD_SIZE)
    if not head:
        raise FileError(f"{name} is empty: nothing to read; give a session, notes or code")
    if head.startswith(b"PK\3\4"):
        return _read_zip(stream, head, name, tools)
    what = next((what for start, what in _BINARY_STARTS if head.startswith(start)), "")
    if what:
        raise FileError(f"{name} is {what}; expected a transcript or text")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:4] == b"\0\0\xfe\xff":
        text, notes = decode_text(head + stream.read(), name)
        if not _may_hold_records(text[:_HEAD_SIZE].encode("utf-8", "replace")):
            return _read_text(text, notes, name, tools)
        data = text.encode("utf-8", "replace")
        head, stream = data[:_HEAD_SIZE], io.BytesIO(data[_HEAD_SIZE:])
    if b"\0" in head:
        raise FileError(f"{name} looks binary: it holds NUL bytes; expected a transcript or text")
    if _may_hold_records(head):
        return _read_json(io.BufferedReader(_HeadFirst(head, stream), 1 << 16), name, tools)
    return _read_text(*decode_stream(head, stream, name), name, tools)


def detect(head: bytes, name: str = "") -> str:
    """The name of the format that `read` would find, from the beginning of a file (or all of it: the more, the surer); "binary" if it is no text."""
    try:
        return read(io.BytesIO(head), name or "input").format if head else "notes"
    except FileError:
        return "binary"


def looks_like_python(text: str, name: str = "") -> bool:
    """Whether a text is Python source: its name says so, or it parses and defines a function or a class, which prose hardly ever does."""
    if name.endswith((".py", ".pyi")):
        return True
    if len(text) > _PYTHON_LIMIT or not _PYTHON_DEFINITION.search(text) or _has_endless_chain(text):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(text, "input", "exec", _ONLY_AST, True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        from .newsyntax import parse_newer
        tree = parse_newer(text)
        if tree is None:
            return False
    todo = list(tree.body)
    while todo:
        node = todo.pop()
        if type(node).__name__ in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
            return True
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, None)
            if isinstance(inner, list):
                todo += inner
    return False


def _has_endless_chain(text: str) -> bool:
    """Whether `1+1+1...` or `a.b.c...` may run over more links than the parser of Python 3.10 survives: it has no depth check there, and
    crashes with the whole process at some hundred thousand. Counted between lines that can only begin a statement."""
    return any(sum(map(part.count, "-+*/%@&|^<>.([")) > _PYTHON_LINKS for part in _PYTHON_STATEMENT.split(text))


# -- one shape each

def _read_zip(stream: object, head: bytes, name: str, tools: bool) -> Session:
    """The chats of an export as it was downloaded, one after the other."""
    from .ziparchives import zipped_texts
    parts = []
    for text in zipped_texts(stream, head, name):
        if not _starts_like_json(text.peek(1 << 10)):
            raise FileError(f"{name} is a zip archive whose conversations are no JSON; expected an export as it was downloaded")
        parts.append(_read_json(text, name, tools))
    turns = [turn for part in parts for turn in part.turns]
    if not turns:
        raise FileError(f"{name} is a zip archive whose conversations hold no talk that can be read; give the file that holds the session")
    notes = [note for part in parts for note in part.notes]
    return Session(parts[0].format, turns, ["read inside a zip archive", *dict.fromkeys(notes)])


def _read_json(stream: object, name: str, tools: bool) -> Session:
    """A file that begins like JSON: records on lines, one document, or after all a text."""
    lines, peeked, votes = byte_lines(stream, name), [], {}
    first, filled, records, prose, size = None, 0, 0, 0, 0
    for number, line in lines:
        peeked.append((number, line))
        size += len(line)
        if line.isspace():
            continue
        value = parse_record(line, number, Reading())
        first, filled = (value if filled == 0 else first), filled + 1
        prose += value is None and not _starts_like_json(line)
        if isinstance(value, dict):
            records += 1
            row, weight = next(((row, weight) for row in FORMATS if row.shape == "lines" and (weight := int(row.detect(value)))), (None, 0))
            if row:
                votes[row] = votes.get(row, 0) + weight
        if records == _VOTERS or filled == _VOTING_LINES or size > _VOTING_SIZE:
            break
    if filled == 1 or not isinstance(first, dict):      # one line, or no record to begin with: perhaps one document
        data = bytearray()
        for _, line in itertools.chain(peeked, lines):
            data += line
        peeked.clear()
        line = b""              # it may be all of the file: hold it once
        text, notes = decode_text(data, name)
        value = first if filled == 1 and first is not None else parse_whole(text)
        row = next((row for row in FORMATS if row.shape == "document" and row.detect(value)), None) if value is not None else None
        if row:
            data = text = ""        # the value holds it all: read it without them in memory
            reading = Reading(tools)
            reading.facts += notes
            row.read(value, reading)
            return Session(row.name, reading.turns, reading.notes(row.name))
        if not votes:
            return _read_text(text, notes, name, tools)
        lines = byte_lines(io.BytesIO(data), name)
    if not votes or prose > records:        # a text that begins with JSON
        return _read_text(*decode_stream(b"".join(line for _, line in peeked) if peeked else bytes(data), stream, name), name, tools)
    row = max(votes, key=lambda row: votes[row])
    reading = Reading(tools)
    row.read(json_records(itertools.chain(peeked, lines), reading), reading)
    return Session(row.name, reading.turns, reading.notes(row.name))


def _read_text(text: str, notes: list[str], name: str, tools: bool) -> Session:
    """A text in the first style that it shows; without one it is Python or notes."""
    row = next((row for row in FORMATS if row.shape == "text" and row.detect(text)), None)
    if looks_like_python(text, name) and not (row and row.name == "snapshot"):
        row = Format("python", "text", None, None)
    reading = Reading(tools)
    reading.facts += notes
    if row and row.read:
        row.read(text, reading)
    name = row.name if row else "notes"
    if not row and text.lstrip()[:1] == "{":
        reading.facts.append("it begins like JSON, but is no session or chat that is known: read as text")
    return Session(name, reading.turns, reading.notes(name), text)


# -- streams

def _starts_like_json(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def _may_hold_records(head: bytes) -> bool:
    """Whether it begins like JSON, if need be behind a few lines that a program printed: read as notes, outputs of tools would be talk."""
    lines = [line[:1] for line in head.split(b"\n") if line and not line.isspace()]
    return _starts_like_json(head) or lines.count(b"{") >= 9 * (len(lines) - lines.count(b"{"))


def _read_up_to(stream: object, size: int) -> bytes:
    """So many bytes unless the stream ends before: a pipe gives what it has."""
    parts, missing = [], size
    while missing > 0 and (part := stream.read(missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def decode_stream(head: bytes, stream: object, name: str) -> tuple[str, list[str]]:
    """All of a text stream, decoded; stops at a line of more than LINE_LIMIT bytes."""
    data, line_start, part = bytearray(), 0, head
    while part:
        data += part
        line_start = max(line_start, data.rfind(b"\n", line_start) + 1, data.rfind(b"\r", line_start) + 1)
        if len(data) - line_start > LINE_LIMIT:
            raise too_long(name, data.count(b"\n", 0, line_start) + 1)
        part = stream.read(1 << 20)
    return decode_text(data, name)


class _HeadFirst(io.RawIOBase):
    """A stream with what was read of it put back in front."""

    def __init__(self, head: bytes, stream: object) -> None:
        self._head, self._stream = memoryview(head), stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        part, self._head = (self._head[:len(buffer)], self._head[len(buffer):]) if self._head else (self._stream.read(len(buffer)) or b"", self._head)
        buffer[:len(part)] = part
        return len(part)
