"""The normal form of a session: turns, what was left out on the way, and how bytes become text and records.

A `Turn` is (role, kind, text, ts). `role` is who: user, assistant, system, subagent, doc, or a speaker's name. `ts` is the time as
the file writes it, or None; never sort by it, since exports hold answers dated before their question. `kind` says what the text is worth:

    human       typed by a person                       reply      assistant text that a person saw
    steer       typed while the agent ran, or said      note       document text around speakers
                when a tool call was refused            attachment text of a file that a person attached
    answer      picked or typed in a form, or a plan    compact    summary written at a compaction: second-hand
                approved; holds its question too        boundary   the mark of a compaction
    preference  custom instructions, memory notes       call       one line: tool and target
    command     slash or shell command of a person      sub        talk with a subagent
    abort       a person stopped or refused something   withdrawn  a queued prompt pulled back: not said

Tool outputs, reasoning, images and text that a harness wrote into the user's role are counted, not kept. A reader that was asked for
tools hangs what it knows of a call, its output too, on the `call` turn as a `Tool`; the turns and their numbers are the same either way.
"""
from __future__ import annotations

import itertools
import json
import re
import time
from collections import namedtuple

from .errors import FileError


class Turn(namedtuple("Turn", "role kind text ts")):
    """See above. `tool` is the Tool of a call that was read with tools (a CallTurn), else None."""

    __slots__ = ()
    tool = None


class CallTurn(Turn):
    """A turn that carries its Tool. It is the same tuple as it would be without."""


Session = namedtuple("Session", "format turns notes text", defaults=(None,))

LINE_LIMIT = 64 << 20       # bytes in one line; longer ones are refused, since a line is read whole
CALL_WIDTH = 200            # characters in the line that stands for a tool call
TOOL_TEXT_AT_MOST = 6_000   # characters of one argument of a call, and of its output: what is longer loses its middle
_ARGUMENTS_AT_MOST = 24

_WORDS_FROM_PEOPLE = ("human", "steer")
_BLOCKS_LEFT_OUT = {
    **dict.fromkeys(("thinking", "redacted_thinking", "reasoning"), "reasoning blocks"),
    **dict.fromkeys(("tool_result", "function_call_output", "custom_tool_call_output", "web_search_tool_result"), "tool outputs"),
    **dict.fromkeys(("image", "image_url", "input_image", "document", "file", "input_file", "input_audio"), "images and files"),
}
_PLAIN_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]{0,39}\Z")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Whole numbers are read as floats: the built-in refuses more than 4,300 digits, which would lose the record around them.
_RECORD_DECODER = json.JSONDecoder(parse_int=float)


class Tool:
    """One tool call: `name`; `arguments`, name to text (lists and maps inside are compact JSON); `output`, bounded; `failed` True, False, or
    None where the file does not say."""

    __slots__ = ("arguments", "failed", "name", "output")

    def __init__(self, name: str, arguments: dict[str, str], output: str = "", failed: bool | None = None) -> None:
        self.name, self.arguments, self.output, self.failed = name, arguments, output, failed


class Reading:
    """The state of reading one file: the turns so far, and the count of everything that did not become one. With `tools`, calls keep
    their arguments and outputs."""

    __slots__ = (
        "broken", "calls", "cut_off", "facts", "first_broken", "first_replaced", "nuls", "records", "replaced", "skipped", "surrogates", "tools",
        "turns", "unknown",
    )

    def __init__(self, tools: bool = False) -> None:
        self.tools = tools
        self.calls: dict[str, Tool] = {}    # by the id of the call, until its output came
        self.turns: list[Turn] = []
        self.records = self.broken = self.first_broken = self.replaced = self.first_replaced = self.surrogates = self.nuls = 0
        self.cut_off = False
        self.skipped: dict[str, int] = {}
        self.unknown: dict[str, int] = {}
        self.facts: list[str] = []

    def add(self, role: object, kind: str, text: object, ts: object = None, tool: Tool | None = None) -> bool:
        """Append a turn unless its text is blank (a boundary may be); True when it was appended."""
        if not isinstance(text, str) or not ((text and not text.isspace()) or kind == "boundary"):
            return False
        turn = Turn if tool is None else CallTurn
        self.turns.append(turn(self.clean(role) if isinstance(role, str) and role else "user", kind, self.clean(text), self.when(ts)))
        if tool is not None:
            self.turns[-1].tool = tool
        return True

    def tool(self, name: object, arguments: object, call_id: object = None) -> Tool | None:
        """The Tool of a call, for `add`; None unless tools were asked for."""
        if not self.tools:
            return None
        if isinstance(arguments, str):
            arguments = (parse_whole(arguments) if arguments[:1] == "{" else None) or {"input": arguments}
        texts = ((self.clean(key[:80]), self.clean(_middle_out(value if isinstance(value, str) else _compact(value))))
                 for key, value in itertools.islice(as_dict(arguments).items(), _ARGUMENTS_AT_MOST))
        tool = Tool(self.clean(" ".join(as_text(name)[:80].split())), dict(texts))
        if isinstance(call_id, str):
            self.calls[call_id] = tool
        return tool

    def returned(self, call_id: object, text: str, failed: bool | None = None) -> None:
        """The output of the call with this id, when it comes; it may be that of a call nobody saw."""
        tool = self.calls.pop(call_id, None) if isinstance(call_id, str) else None
        if tool:
            tool.output, tool.failed = self.clean(_middle_out(text)), failed

    def skip(self, what: str, count: int = 1) -> None:
        """Count something that is left out, under a name in the plural."""
        self.skipped[what] = self.skipped.get(what, 0) + count

    def skip_block(self, kind: object) -> None:
        """Count a block of a message that is no talk, by its type."""
        self.skip(_BLOCKS_LEFT_OUT.get(as_text(kind), "blocks without talk"))

    def unknown_type(self, name: object) -> None:
        """Count a record of a type that this reader does not know. Odd names are not repeated: they could be anything."""
        name = name if isinstance(name, str) and _PLAIN_TYPE.match(name) else "(no plain name)"
        if name in self.unknown or len(self.unknown) < 20:
            self.unknown[name] = self.unknown.get(name, 0) + 1
        else:
            self.unknown["(others)"] = self.unknown.get("(others)", 0) + 1

    def clean(self, text: str) -> str:
        """Replace what JSON can spell and a text file cannot carry, NUL characters and lone surrogates, by U+FFFD, and count it."""
        if "\0" in text:
            self.nuls += text.count("\0")
            text = text.replace("\0", "\ufffd")
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError:
            text, count = _LONE_SURROGATE.subn("\ufffd", text)
            self.surrogates += count
        return text

    def when(self, ts: object) -> str | None:
        """A time as text: short strings as they are, epoch seconds or milliseconds as ISO 8601 in UTC, else None."""
        if isinstance(ts, str):
            return self.clean(ts) if 0 < len(ts) <= 64 else None
        if isinstance(ts, (int, float)) and not isinstance(ts, bool) and 0 < ts < 1e14:
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ts / 1000 if ts > 1e11 else ts))
        return None

    def printed(self, text: str) -> None:
        """What a program printed after the last turn, in formats that show the screen: it hangs on the reply or call before it."""
        if self.tools and self.turns and self.turns[-1].kind in ("reply", "call"):
            last = self.turns[-1]
            tool = last.tool or Tool("screen", {"input": last.text} if last.kind == "call" else {})
            if len(tool.output) < TOOL_TEXT_AT_MOST:
                tool.output = self.clean(_middle_out(f"{tool.output}\n{text}".lstrip("\n")))
            if last.tool is None:
                self.turns[-1] = CallTurn(*last)
                self.turns[-1].tool = tool

    def fold_repeats(self) -> None:
        """Keep only the last of equal prompts with no reply between: a prompt comes again after a hook stop, an interrupt or a
        resume, and the words of one refusal are written once for each of the parallel tool calls that it refused."""
        last: dict[str, int] = {}
        dropped = set()
        for index, turn in enumerate(self.turns):
            if turn.kind in ("reply", "answer", "compact"):
                last.clear()
            elif turn.kind in _WORDS_FROM_PEOPLE:
                key = turn.text.strip()
                if key in last:
                    dropped.add(last[key])
                last[key] = index
        if dropped:
            self.turns = [turn for index, turn in enumerate(self.turns) if index not in dropped]
            self.skip("repeats of a prompt", len(dropped))

    def notes(self, format_name: str) -> list[str]:
        """Plain lines of facts: format, records, what does not parse, what is unknown, what was left out."""
        lines = [f"format: {format_name}"]
        if self.records:
            lines.append(f"records read: {self.records}")
        if self.broken:
            cut = " (the last line is cut off; the file may still be written)" if self.cut_off else ""
            lines.append(f"lines that are not JSON objects, skipped: {self.broken}, first: line {self.first_broken}{cut}")
        if self.replaced:
            lines.append(f"bytes that are not UTF-8, replaced: {self.replaced}, first: line {self.first_replaced}")
        if self.nuls:
            lines.append(f"NUL characters, replaced: {self.nuls}")
        if self.surrogates:
            lines.append(f"lone surrogates, replaced: {self.surrogates}")
        if self.unknown:
            lines.append("records of unknown type, skipped: " + counts_text(self.unknown))
        if self.skipped:
            lines.append("left out: " + counts_text(self.skipped))
        return lines + self.facts


def _middle_out(text: str) -> str:
    """The text; when it is long, its beginning and its end, cut at lines."""
    if len(text) <= TOOL_TEXT_AT_MOST:
        return text
    head, tail = text[:TOOL_TEXT_AT_MOST * 2 // 3], text[-TOOL_TEXT_AT_MOST // 3:]
    return f"{head[:head.rfind(chr(10)) + 1] or head}[...]\n{tail[tail.find(chr(10)) + 1:]}"


def _compact(value: object) -> str:
    """A number, list or map of an argument as JSON; whole numbers were read as floats and are written as whole numbers."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def counts_text(counts: dict[str, int]) -> str:
    """`{"images": 2, "tool outputs": 9}` as "tool outputs 9, images 2": most first, then by name."""
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


# -- values of any type: a transcript is somebody else's file, so no field is trusted to have the type that its format gives it

def as_dict(value: object) -> dict:
    """The value if it is a dict, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def content_blocks(content: object) -> list[dict]:
    """The content of a message as a list of blocks: a bare string is one text block; what is no block is left away."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, dict) else {"type": "text", "text": block} for block in as_list(content) if isinstance(block, (dict, str))]


def blocks_text(content: object) -> str:
    """The texts of a string or of a list of blocks, one a line; blocks without text give nothing."""
    return content if isinstance(content, str) else "\n".join(filter(None, (as_text(block.get("text")) for block in content_blocks(content))))


def between(text: str, start: str, end: str) -> str:
    """What stands between the first `start` and the next `end`; empty when either is missing."""
    head = text.find(start)
    tail = text.find(end, head + len(start)) if head >= 0 else -1
    return text[head + len(start):tail] if tail >= 0 else ""


def with_questions(questions: object, answers: dict, text: str) -> str:
    """The answer to a form, with a line in front for each question that its text does not repeat: a bare "1 and 2" says nothing alone."""
    asked = [as_text(as_dict(entry).get("question")) for entry in as_list(questions)]
    missing = [question for question in asked if question and question not in text]
    lines = [f'"{question}"="{answers[question]}"' if isinstance(answers.get(question), str) else f'"{question}"' for question in missing]
    return "\n".join(lines + [text])


# -- tool calls

# The argument that says what a call was about, best first. A search is told by what it looks for and where, hence two parts.
_CALL_KEYS = ("pattern file_path filePath notebook_path path glob command cmd url query skill subject title taskId task_id issueId id name "
              "description prompt question code input").split()
_CALL_FIRST_PARTS = {"pattern", "taskId"}


def call_line(name: object, arguments: object) -> str:
    """One line for a tool call: `ToolName target`, without line breaks, cut at a word so that no secret is cut in half."""
    tool = " ".join(as_text(name)[:200].split())[:80] or "tool"
    if isinstance(arguments, str) and arguments[:1] == "{":
        arguments = parse_whole(arguments) or arguments
    if isinstance(arguments, str):
        return f"{tool} {shorten(arguments)}".rstrip()
    return f"{tool} {shorten(_call_target(as_dict(arguments)))}".rstrip()


def _call_target(arguments: dict) -> str:
    todos = [as_dict(todo) for todo in as_list(arguments.get("todos")) or as_list(arguments.get("plan"))]
    if todos:
        done = sum(todo.get("status") == "completed" for todo in todos)
        now = next((as_text(todo.get("content")) or as_text(todo.get("step")) for todo in todos if todo.get("status") == "in_progress"), "")
        return f"{done} of {len(todos)} done" + (f", now: {now}" if now else "")
    if isinstance(arguments.get("questions"), list):
        return " / ".join(filter(None, (as_text(as_dict(question).get("question")) for question in arguments["questions"])))
    if isinstance(arguments.get("plan"), str):
        return next((line for line in arguments["plan"][:2000].split("\n") if line.strip()), "")
    parts = []
    for key in _CALL_KEYS:
        value = arguments.get(key)
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            value = " ".join(value[:40])
        if isinstance(value, str) and value.strip():
            parts.append(value)
            if key not in _CALL_FIRST_PARTS:
                break
    if parts and arguments.get("taskId") and isinstance(arguments.get("status"), str):
        parts[1:] = [arguments["status"]]
    return " ".join(parts) or next((value for value in arguments.values() if isinstance(value, str) and value.strip()), "")


def shorten(text: str, width: int = CALL_WIDTH) -> str:
    """The text on one line, at most about `width` characters. It is cut between words, and a word that alone is longer (up to
    four widths) is kept whole, for half a token is still a secret but no longer looks like one."""
    words = text[:width * 8].split()
    if len(text) > width * 8 and words and not text[width * 8 - 1].isspace():
        words.pop()         # the slice may have cut this word
    kept, size = [], 0
    for word in words:
        if size + len(word) > width and (kept or len(word) > width * 4):
            break
        kept.append(word)
        size += len(word) + 1
    return " ".join(kept) + (" ..." if len(kept) < len(words) or len(text) > width * 8 else "")


# -- bytes to text, bytes to records

def decode_text(data: bytes, name: str = "") -> tuple[str, list[str]]:
    """Bytes of a text file as text, and notes about what had to be mended.

    UTF-8 (a byte order mark is dropped) or UTF-16 / UTF-32 with one. Bytes that do not decode become U+FFFD and are counted.
    Raises FileError when the data holds a NUL character, for then it is no text.
    """
    encoding = next((codec for mark, codec in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    notes = []
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as fault:
        text = data.decode(encoding, "replace")
        before = data[:fault.start].decode(encoding, "replace")
        count = text.count("\ufffd") - (data.count("\ufffd".encode()) if encoding == "utf-8" else 0)
        line = before.count("\n") + before.count("\r") - before.count("\r\n") + 1
        notes.append(f"bytes that are not {encoding.upper()}, replaced: {max(count, 1)}, first: line {line}")
    if "\0" in text:
        who = f"{name} " if name else ""
        raise FileError(f"{who}looks binary: it holds NUL characters; expected text in UTF-8, or in UTF-16 with a byte order mark")
    return text.removeprefix("\ufeff"), notes


# Longest mark first: the UTF-16 mark is the beginning of the UTF-32 one.
_BYTE_ORDER_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def byte_lines(stream: object, name: str) -> object:
    """(number, line) for each line of a buffered binary stream; a line of more than LINE_LIMIT is a FileError, and is not read to its end."""
    for number, line in enumerate(iter(lambda: stream.readline(LINE_LIMIT + 1), b""), 1):
        if len(line) > LINE_LIMIT:
            raise too_long(name, number)
        yield number, line


def too_long(name: str, number: int) -> FileError:
    """The error for a line that is longer than LINE_LIMIT."""
    return FileError(f"{name}: line {number} is longer than {LINE_LIMIT >> 20} MiB; expected a transcript with one record a line, or text")


def parse_record(line: bytes, number: int, reading: Reading) -> object:
    """The JSON value of one line, or None if it does not parse (nested too deep counts as that). Mended bytes are counted in `reading`."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("utf-8", "replace")
        reading.first_replaced = reading.first_replaced or number
        reading.replaced += text.count("\ufffd") - line.count("\ufffd".encode())
    try:
        return _RECORD_DECODER.decode(text.removeprefix("\ufeff") if number == 1 else text)
    except (ValueError, RecursionError):
        return None


def parse_whole(text: str) -> object:
    """The value of a text that is one JSON document, or None."""
    try:
        return _RECORD_DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def json_records(lines: object, reading: Reading) -> object:
    """The JSON objects among (number, line) pairs. Blank lines are nothing; lines that are no object are counted and passed over."""
    number, line, record = 0, b"\n", {}
    for number, line in lines:
        record = parse_record(line, number, reading)
        if type(record) is dict:
            reading.records += 1
            yield record
        elif not line.isspace():
            reading.broken += 1
            reading.first_broken = reading.first_broken or number
    reading.cut_off = record is None and not line.endswith(b"\n")
