"""Chats and notes kept as plain text: who speaks is written in the text itself, in one of a few house styles.

The style is chosen once for a whole file, and only when the file shows it consistently, since any pattern also occurs by chance:
`Note:` is no speaker, program output has `--- lines ---`, and what stands in a code fence is nobody's turn.
"""
from __future__ import annotations

import re

from .snapshot import plain_ends
from .transcript import Reading

CHAT_SAMPLE = 1 << 20        # characters of a text that are looked at to find its style

_CHAT_PEOPLE = frozenset("user human you me prompt".split())
_CHAT_MODELS = ("assistant ai claude chatgpt gpt cursor agent model response gemini copilot grok deepseek mistral llama bot").split()
_CHAT_ROLE = "(?:user|human|you|me|prompt|system|" + "|".join(_CHAT_MODELS) + r")(?:[ -](?:sonnet|opus|haiku|pro|flash|mini|code|[\d.]{1,8}o?)){0,3}"

# House styles of a chat with a model, best first: `## User`, `You said:`, `**User:**`, `User:`. Each gives who, and the text behind it if any.
_CHAT_STYLES = (
    r"^(?P<level>#{1,4}) {0,4}\**(?P<who>" + _CHAT_ROLE + r")\**(?: {0,4}(?:\([^)\n]{0,80}\)|\[[^\]\n]{0,80}\]))? {0,4}:? {0,4}(?P<said>)$",
    r"^(?:#{1,6} {0,4})?\**(?P<who>you|chatgpt|claude|gemini|copilot|grok|deepseek) said ?:?\** {0,4}(?P<said>)$",
    r"^\*\*(?P<who>" + _CHAT_ROLE + r")(?: {0,4}[(\[][^)\]\n]{0,40}[)\]])?(?::\*\*|\*\*:?)[ \t]{0,8}(?P<said>.*)$",
    r"^(?P<who>(?-i:User|Human|You|Me|Prompt|System|Assistant|AI|Claude|ChatGPT|GPT-?[\w.]{0,8}|Cursor|Agent|Model|Response|Gemini|Copilot))"
    r":[ \t]{0,8}(?P<said>.*)$",
)

# Styles in which every speaker is named at the head of a line, with a time. Service lines (joined, quit) are counted, not kept.
_SPEAKER_STYLES = {
    "irc": r"^\[?(?P<ts>\d\d:\d\d(?::\d\d)?)\]?[ \t]{1,4}<[ @+%~&]?(?P<who>[^>\s]{1,40})>[ \t]?(?P<said>.*)$",
    "dash-transcript": r"^--- (?P<who>[A-Z][\w ]{1,20}) \[(?P<ts>\d{4}-\d\d-\d\d[^\]\n]{0,30})\] ---(?P<said>)$",
    "weechat": r"^(?P<ts>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\t[@+%~&]?(?P<who>[^\t\n]{1,40})\t(?P<said>.*)$",
    "slack-copy": r"^(?:\[(?P<ts>(?:[\d./-]{4,10},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?)\] {1,2}(?P<who>[^\W\d_][^\n:;=(){}]{0,60})"
                  r"|(?P<who2>[^\W\d_][\w.'’-]{0,30}(?: [\w(][\w.'’()-]{0,30}){0,5})"
                  r"(?: {2,4}\[?(?P<ts2>\d{1,2}:\d\d(?: ?[AaPp][Mm])?)| \[?(?P<ts3>\d{1,2}:\d\d ?[AaPp][Mm]))\]?)(?P<said>)$",
}
_SPEAKER_DENSITY = {"irc": (3, 5), "dash-transcript": (2, 2000), "weechat": (3, 5), "slack-copy": (3, 40)}     # least heads, most lines for each
_SPEAKER_SERVICE = r"^\[?\d\d:\d\d(?::\d\d)?\]?[ \t]{1,4}(?:-!-|\*\*\*|-->|<--).*$"
_SERVICE_NICKS = frozenset(("-->", "<--", "--", " *", "*", "=!="))

# Indented only as a list item: indented `key: value` lines are code or YAML.
_MINUTES_LINE = r"^(?:[ \t]{0,16}[-*] )?(?:\[\d\d:\d\d\] )?\**@?(?P<who>[^\W\d_][\w.-]{1,20})\**: (?P<said>\S.*)$"
# Names before a colon that are fields, log levels or marks of a note, not people.
_MINUTES_FIELDS = frozenset("""
note notes todo fixme warning warn error info debug trace fatal critical hint tip important example see e.g i.e http https file
path name title date author from to cc bcc subject reply-to sent re commit merge version license status type description summary
pros cons why when then given test story key value default required returns return args raises param input output step action
result expected actual question answer q a id url host port image tag tags env run uses with on if else try case
""".split())
_MINUTES_LEAST = {2: 12}     # number of people who speak at least twice -> lines that they must say; 8 for three or more

_FENCE_LINE = re.compile(r"^[ \t>]{0,40}(?:[-*+] {1,4})?(`{3,}|~{3,})(.{0,200})", re.M)


def is_speaker_log(text: str, style: str) -> bool:
    """Whether a text is a log in the named style: enough lines that head a speaker, and not too far apart (a manual that shows some is no log)."""
    sample = plain_ends(text[:CHAT_SAMPLE])
    least, apart = _SPEAKER_DENSITY[style]
    starts = [head.start() for head in re.finditer(_SPEAKER_STYLES[style], sample, re.M)]
    return len(starts) >= least and sample.count("\n", starts[0], starts[-1]) < apart * len(starts)


def is_markdown_chat(text: str) -> bool:
    """Whether a text marks both a person and a model as speakers, in one of the chat styles."""
    return _chat_style(plain_ends(text[:CHAT_SAMPLE])) is not None


def is_minutes(text: str) -> bool:
    """Whether a text has many lines `name: text` by at least two names that occur twice, most of them in words rather than as values."""
    said: dict[str, list[int]] = {}
    for head in _minutes_heads(plain_ends(text[:CHAT_SAMPLE])):
        said.setdefault(head["who"].lower(), []).append(len(head["said"][:200].split()) > 2)
    lines, worded = sum(map(len, said.values())), sum(map(sum, said.values()))
    return len(said) > 1 and lines >= _MINUTES_LEAST.get(len(said), 8) and worded * 5 >= lines * 3


def read_speaker_log(text: str, reading: Reading, style: str) -> None:
    """Chat rooms and copies of them: each headed line begins a turn, and lines without a head go on with it; before the first they are notes."""
    text = plain_ends(text)
    for head, end in _with_ends(re.finditer(_SPEAKER_STYLES[style], text, re.M), text):
        if head is None:
            _add_chat_turn(reading, "doc", "note", text[:end])
            continue
        part = head.groupdict()
        who = (part["who"] or part.get("who2") or "?").strip()
        said, services = re.subn(_SPEAKER_SERVICE, "", text[head.start("said"):end], flags=re.M)
        if services:
            reading.skip("service lines", services)
        if who in _SERVICE_NICKS:
            reading.skip("service lines")
        else:
            _add_chat_turn(reading, who, "reply" if who.lower() in _CHAT_MODELS else "human", said, part["ts"] or part.get("ts2") or part.get("ts3"))


def read_markdown_chat(text: str, reading: Reading) -> None:
    """A chat with a model in one of the chat styles. Text before the first speaker is a note; fences hide speakers."""
    text = plain_ends(text)
    style, level = _chat_style(text[:CHAT_SAMPLE]) or (re.compile("(?!)"), None)
    heads = (head for head in outside_fences(style.finditer(text), text) if level is None or head["level"] == level)
    for head, end in _with_ends(heads, text):
        kind = _chat_side(head["who"]) if head else "note"
        if head is None:
            _add_chat_turn(reading, "doc", kind, text[:end])
        elif kind == "inject":
            reading.skip("system texts")
        else:
            _add_chat_turn(reading, "user" if kind == "human" else "assistant", kind, text[head.start("said"):end])


def read_minutes(text: str, reading: Reading) -> None:
    """Minutes of a meeting: lines `name: text` by those who speak at least twice are theirs, all other lines are notes."""
    text, done = plain_ends(text), 0
    heads = _minutes_heads(text)
    for head in heads:
        for line in text[done:head.start()].split("\n"):
            reading.add("doc", "note", line)
        reading.add(head["who"], "human", head["said"])
        done = head.end()
    for line in text[done:].split("\n"):
        reading.add("doc", "note", line)
    reading.facts.append(f"speakers: {len({head['who'].lower() for head in heads})}")


def _with_ends(heads: object, text: str) -> object:
    """(head, where the next begins) for each head, and before them (None, where the first begins)."""
    before = None
    for head in heads:
        yield before, head.start()
        before = head
    yield before, len(text)


def _add_chat_turn(reading: Reading, role: str, kind: str, text: str, ts: str | None = None) -> None:
    reading.add(role, kind, without_end_rules(text), ts)


def without_end_rules(text: str) -> str:
    """The text stripped, and without rules (`---`) at its end: between turns they are the exporter's."""
    end = len(text)
    while True:
        while end and text[end - 1].isspace():
            end -= 1
        start = text.rfind("\n", 0, end) + 1
        if end - start < 3 or text[start:end].strip("-"):
            return text[:end].strip()
        end = start


def _chat_side(who: str) -> str:
    who = who.lower()
    return "human" if who in _CHAT_PEOPLE else "inject" if who == "system" else "reply"


def _chat_style(sample: str) -> tuple[object, str | None] | None:
    """(compiled style, level of its headings or None): the first style that marks both sides, at its highest level that does."""
    for pattern in _CHAT_STYLES:
        style, sides = re.compile(pattern, re.M | re.I), {}
        for head in outside_fences(style.finditer(sample), sample):
            sides.setdefault(head.groupdict().get("level"), set()).add(_chat_side(head["who"]))
        for level in sorted(sides, key=str):
            if {"human", "reply"} <= sides[level]:
                return style, level
    return None


def _minutes_heads(text: str) -> list:
    """The lines `name: text` outside fences of those names that head two lines or more."""
    heads = [head for head in outside_fences(re.finditer(_MINUTES_LINE, text, re.M), text) if head["who"].lower() not in _MINUTES_FIELDS]
    counts: dict[str, int] = {}
    for head in heads:
        counts[head["who"].lower()] = counts.get(head["who"].lower(), 0) + 1
    return [head for head in heads if counts[head["who"].lower()] > 1]


def outside_fences(found: object, text: str) -> object:
    """Those of the matches, in order, that begin outside code fences. A fence that is never closed hides nothing."""
    spans, at = None, 0
    for match in found:
        spans = fence_spans(text) if spans is None else spans
        while at < len(spans) and spans[at][1] <= match.start():
            at += 1
        if at == len(spans) or match.start() < spans[at][0]:
            yield match


def fence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each code fence, fence lines included, by CommonMark's rule: closed by a bare run of the same mark, not shorter."""
    marks = [(found.start(), found.end(), found[1][0], min(len(found[1]), 9), not found[2].strip()) for found in _FENCE_LINE.finditer(text)]
    spans, at = [], 0
    hopeless: dict[str, int] = {}       # mark -> least length for which no closing fence follows, so that none is sought twice
    while at < len(marks):
        start, _, mark, length, _ = marks[at]
        if length < hopeless.get(mark, 10):
            closing = next((index for index in range(at + 1, len(marks))
                            if marks[index][2] == mark and marks[index][3] >= length and marks[index][4]), None)
            if closing is None:
                hopeless[mark] = length
            else:
                spans.append((start, marks[closing][1]))
                at = closing
        at += 1
    return spans
