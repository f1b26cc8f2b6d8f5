"""Session files of other coding agents: Codex, Gemini CLI, opencode, Pi, Cursor CLI, SWE-agent. One function for each format."""
from __future__ import annotations

import re

from .transcript import Reading, as_dict, as_list, as_text, between, blocks_text, call_line, content_blocks, parse_whole, with_questions

SURE = 100      # weight of a record that settles the format alone

# -- Codex CLI: ~/.codex/sessions/**/rollout-*.jsonl, one {timestamp, type, payload} a line

_CODEX_TYPES = frozenset("session_meta response_item event_msg turn_context compacted world_state inter_agent_communication".split())
_CODEX_MACHINE_TAGS = """environment_context user_instructions turn_aborted user_shell_command skill subagent_notification collaboration_mode
apps_instructions plugins_instructions skills_instructions personality_spec model_switch INSTRUCTIONS user_action""".split()
_CODEX_MACHINE_STARTS = tuple(f"<{tag}{end}" for tag in _CODEX_MACHINE_TAGS for end in "> ") + (
    "<permissions instructions>", "# AGENTS.md instructions", "Warning: apply_patch was requested")
_CODEX_IDE, _CODEX_REQUEST = "# Context from my IDE setup:", "## My request for Codex:"
_EXIT_CODE = re.compile(r"[Ee]xit(?:ed with)? code:? (-?\d{1,9})")
_CODEX_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call")


def is_codex(record: dict) -> int:
    """The weight of a JSON record for Codex. The files of 2025-06 have no envelope but a header, which outweighs their bare messages."""
    kind = as_text(record.get("type"))
    bare = "record_type" in record or (not kind and "instructions" in record and "timestamp" in record)
    return SURE if bare else kind in _CODEX_TYPES and "payload" in record


def read_codex(records: object, reading: Reading) -> None:
    """Each text of the talk stands twice, as an event and as a response item. The events are the talk where a side has any, and the
    items else; items also hold what the harness put in. A rollback takes back the last prompts and all that came after them."""
    said: list[tuple] = []              # (source, role, kind, text, ts[, tool])
    events: set[str] = set()            # sides that have events
    forms: dict[str, dict] = {}
    for record in records:
        ts, kind, payload = record.get("timestamp"), record.get("type"), record.get("payload")
        if not isinstance(payload, dict):
            kind, payload = "response_item" if "type" in record else "session_meta", record
        what = payload.get("type")
        if kind == "response_item" and (what == "message" or (what is None and "role" in payload)):
            _codex_message(payload, ts, said, reading)
        elif kind == "response_item":
            _codex_item(payload, what, ts, said, forms, reading)
        elif kind == "event_msg" and what in ("user_message", "agent_message"):
            events.add(what)
            side = ("user", "human") if what == "user_message" else ("assistant", "reply")
            said.append(("event", *side, _codex_wish(as_text(payload.get("message"))), ts))
        elif kind == "event_msg" and what == "turn_aborted":
            said.append(("", "user", "abort", as_text(payload.get("reason")) or "aborted", ts))
        elif kind == "event_msg" and what == "thread_rolled_back":
            _codex_rollback(payload.get("num_turns"), "event" if "user_message" in events else "item", said, reading)
        elif kind == "event_msg" and what == "item_completed" and as_text(as_dict(payload.get("item")).get("type")).lower() == "plan":
            said.append(("", "assistant", "reply", as_text(payload["item"].get("text")), ts))
        elif kind == "compacted":
            summary = as_text(payload.get("message"))
            said.append(("", "assistant", "compact", summary, ts) if summary.strip() else ("", "system", "boundary", "", ts))
        elif isinstance(kind, str) and kind in _CODEX_TYPES:
            reading.skip("bookkeeping records")
        else:
            reading.unknown_type(kind)
    doubled = {("item", kind) for event, kind in (("user_message", "human"), ("agent_message", "reply")) if event in events}
    for source, role, kind, *rest in said:
        if (source, kind) not in doubled:
            reading.add(role, kind, *rest)
    reading.fold_repeats()


def _codex_message(payload: dict, ts: object, said: list, reading: Reading) -> None:
    text, role = blocks_text(payload.get("content")), payload.get("role")
    if role == "assistant":
        said.append(("item", "assistant", "reply", text, ts))
    elif role != "user":
        reading.skip("harness texts")
    elif text.lstrip().startswith("<turn_aborted"):
        said.append(("", "user", "abort", text, ts))
    elif text.lstrip().startswith(_CODEX_MACHINE_STARTS):
        shell = between(text, "<command>", "</command>").strip() if "<user_shell_command" in text[:40] else ""
        if shell:
            said.append(("", "user", "command", "!" + shell, ts))
        else:
            reading.skip("harness texts")
    else:
        said.append(("item", "user", "human", _codex_wish(text), ts))


def _codex_item(payload: dict, what: object, ts: object, said: list, forms: dict, reading: Reading) -> None:
    call_id = as_text(payload.get("call_id"))
    if what in _CODEX_CALLS:
        arguments = payload.get("arguments") or payload.get("input") or payload.get("action")
        if payload.get("name") == "request_user_input":
            forms[call_id] = as_dict(parse_whole(as_text(arguments)))
        name = payload.get("name") or as_text(what).removesuffix("_call")
        said.append(("", "assistant", "call", call_line(name, arguments), ts, reading.tool(name, arguments, call_id)))
    elif what in ("function_call_output", "custom_tool_call_output") and call_id in forms:
        output = payload.get("output")
        said.append(("", "user", "answer", with_questions(forms[call_id].get("questions"), {}, blocks_text(output)), ts))
    else:
        if what in ("function_call_output", "custom_tool_call_output") and reading.tools:
            _codex_returned(call_id, payload.get("output"), reading)
        reading.skip_block(what)


def _codex_returned(call_id: str, output: object, reading: Reading) -> None:
    """Outputs are text, or JSON in text with the exit code beside it; the text form says `Exit code: 1` or `Process exited with code 1`."""
    text = output if isinstance(output, str) else blocks_text(output)
    inner = as_dict(parse_whole(text)) if text[:1] == "{" else {}
    code = as_dict(inner.get("metadata")).get("exit_code")
    if isinstance(code, (int, float)):
        reading.returned(call_id, as_text(inner.get("output")), code != 0)
        return
    head = _EXIT_CODE.search(text[:300])
    reading.returned(call_id, text, head[1] != "0" if head else None)


def _codex_wish(text: str) -> str:
    """Prompts from an editor begin with what is open there; the wish comes last."""
    return text.split(_CODEX_REQUEST, 1)[1].strip() if text.startswith(_CODEX_IDE) and _CODEX_REQUEST in text else text


def _codex_rollback(turns: object, source: str, said: list, reading: Reading) -> None:
    left = int(turns) if isinstance(turns, (int, float)) and 0 < turns < 1e6 else 1
    before = len(said)
    while left and said:
        entry = said.pop()
        left -= entry[0] == source and entry[2] == "human"
    reading.skip("turns that were rolled back", before - len(said))


# -- Gemini CLI: ~/.gemini/tmp/<hash>/: chats/session-*.json and .jsonl, checkpoint-<tag>.json, logs.json

def is_gemini_chat(value: object) -> bool:
    """One object with `sessionId` and `messages`."""
    return isinstance(value, dict) and "sessionId" in value and isinstance(value.get("messages"), list)


def read_gemini_chat(value: dict, reading: Reading) -> None:
    """A whole session in one document."""
    for message in as_list(value.get("messages")):
        _add_all(reading, _gemini_message(as_dict(message), reading))


def is_gemini_lines(record: dict) -> int:
    """The first line of the newer, line-wise form."""
    return SURE * ("sessionId" in record and "projectHash" in record)


def read_gemini_lines(records: object, reading: Reading) -> None:
    """A later line with the same id replaces the earlier one (that is how streaming is kept); `$rewindTo` takes back a message and all
    after it, and everything if it is not known; `$set` may carry all messages."""
    kept: dict[str, list[tuple]] = {}
    for record in records:
        if "$rewindTo" in record:
            ids = list(kept)
            start = ids.index(record["$rewindTo"]) if record["$rewindTo"] in ids else 0
            for key in ids[start:]:
                del kept[key]
            reading.skip("messages that were taken back", len(ids) - start)
        elif isinstance(record.get("$set"), dict):
            messages = record["$set"].get("messages")
            if isinstance(messages, list):
                kept = {as_text(as_dict(message).get("id")) or f"#{number}": _gemini_message(as_dict(message), reading)
                        for number, message in enumerate(messages)}
        elif isinstance(record.get("id"), str) and "type" in record:
            kept[record["id"]] = _gemini_message(record, reading)
        else:
            reading.skip("bookkeeping records")
    for turns in kept.values():
        _add_all(reading, turns)


def _gemini_message(message: dict, reading: Reading) -> list[tuple]:
    """The turns in one message, as arguments of Reading.add."""
    kind, ts, text = message.get("type"), message.get("timestamp"), blocks_text(message.get("displayContent") or message.get("content"))
    if kind == "user":
        return [("user", "human", text, ts)]
    if kind not in ("gemini", "model"):
        reading.skip("harness texts")
        return []
    turns = [("assistant", "reply", text, ts)]
    if message.get("thoughts"):
        reading.skip("reasoning blocks", max(1, len(as_list(message["thoughts"]))))
    for call in as_list(message.get("toolCalls")):
        call = as_dict(call)
        line = call_line(call.get("name"), call.get("args"))
        failed = {"success": False, "error": True, "cancelled": True}.get(as_text(call.get("status")))
        tool = reading.tool(call.get("name"), call.get("args"))
        if tool:
            tool.output, tool.failed = blocks_text(call.get("resultDisplay")), failed
        turns.append(("assistant", "call", line, ts, tool))
        if call.get("status") == "cancelled":
            turns.append(("user", "abort", f"refused: {line}", ts))
        else:
            reading.skip("tool outputs")
    return turns


def is_gemini_checkpoint(value: object) -> bool:
    """`{"history": [{role, parts}]}`, or the bare list."""
    entries = as_list(value.get("history")) if isinstance(value, dict) else as_list(value)
    return any(isinstance(entry, dict) and "role" in entry and "parts" in entry for entry in entries[:20])


def read_gemini_checkpoint(value: object, reading: Reading) -> None:
    """What `/chat save` writes: contents with parts. Set-up text and compression summaries come in the user's role."""
    for entry in as_list(value.get("history")) if isinstance(value, dict) else as_list(value):
        entry = as_dict(entry)
        for part in as_list(entry.get("parts")):
            part = as_dict(part)
            text, call = as_text(part.get("text")), as_dict(part.get("functionCall"))
            if call:
                tool = reading.tool(call.get("name"), call.get("args"))
                reading.add("assistant", "call", call_line(call.get("name"), call.get("args")), None, tool)
            elif not text:
                reading.skip("tool outputs" if "functionResponse" in part else "blocks without talk")
            elif part.get("thought"):
                reading.skip("reasoning blocks")
            elif entry.get("role") != "user":
                reading.add("assistant", "reply", text)
            elif text.lstrip().startswith(("This is the Gemini CLI", "<session_context>")):
                reading.skip("harness texts")
            else:
                reading.add("user", "compact" if "<state_snapshot>" in text else "human", text)


def is_gemini_log(value: object) -> bool:
    """`logs.json`: a list of prompts."""
    first = as_dict(value[0]) if isinstance(value, list) and value else {}
    return "messageId" in first and "sessionId" in first and "message" in first


def read_gemini_log(value: list, reading: Reading) -> None:
    """Prompts only, slash commands too."""
    for entry in value:
        reading.add("user", "human", as_dict(entry).get("message"), as_dict(entry).get("timestamp"))


# -- opencode: `opencode export`

_OPENCODE_REFUSED, _OPENCODE_FEEDBACK = "The user rejected permission", "with the following feedback:"


def is_opencode(value: object) -> bool:
    """`{info, messages: [{info, parts}]}`."""
    return isinstance(value, dict) and isinstance(value.get("info"), dict) and isinstance(value.get("messages"), list)


def read_opencode(value: dict, reading: Reading) -> None:
    """A person's text parts are those that are not synthetic; an assistant message with `summary` true is a compaction."""
    for message in as_list(value.get("messages")):
        info = as_dict(as_dict(message).get("info"))
        person, ts = info.get("role") == "user", as_dict(info.get("time")).get("created")
        for part in as_list(as_dict(message).get("parts")):
            part = as_dict(part)
            kind = part.get("type")
            if kind == "text" and (part.get("synthetic") or part.get("ignored")):
                reading.skip("harness texts")
            elif kind == "text":
                said = "human" if person else "compact" if info.get("summary") is True else "reply"
                reading.add("user" if person else "assistant", said, part.get("text"), ts)
            elif kind == "tool":
                _opencode_tool(part, ts, reading)
            elif kind == "compaction":
                reading.add("system", "boundary", "", ts)
            elif kind == "subtask":
                reading.add("assistant", "call", call_line("subtask", part), ts)
            else:
                reading.skip_block(kind)


def _opencode_tool(part: dict, ts: object, reading: Reading) -> None:
    state, name = as_dict(part.get("state")), part.get("tool")
    tool = reading.tool(name, state.get("input"), "opencode")
    reading.add("assistant", "call", call_line(name, state.get("input")), ts, tool)
    error, code = as_text(state.get("error")), as_dict(state.get("metadata")).get("exit")
    reading.returned("opencode", error or as_text(state.get("output")), bool(error) or bool(code))
    if error.startswith(_OPENCODE_REFUSED):
        words = error.partition(_OPENCODE_FEEDBACK)[2].strip()
        reading.add("user", "steer" if words else "abort", words or error, ts)
    elif name == "question" and as_text(state.get("output")):
        reading.add("user", "answer", with_questions(as_dict(state.get("input")).get("questions"), {}, state["output"]), ts)
    else:
        reading.skip("tool outputs")


# -- Pi: ~/.pi/agent/sessions/**.jsonl, a tree of entries

def is_pi(record: dict) -> int:
    """The header line of a session."""
    return SURE * (record.get("type") == "session" and "version" in record and "id" in record)


def read_pi(records: object, reading: Reading) -> None:
    """The entries from the last one back to the root were said; other branches were taken back."""
    entries: dict[str, tuple[object, list]] = {}
    last = None
    for record in records:
        key = record.get("id")
        if isinstance(key, str) and record.get("type") != "session":
            entries[key] = record.get("parentId"), _pi_turns(record, reading)
            last = key
    path, seen = [], set()
    while isinstance(last, str) and last in entries and last not in seen:
        seen.add(last)
        path.append(entries[last][1])
        last = entries[last][0]
    if len(entries) > len(path):
        reading.skip("entries on other branches", len(entries) - len(path))
    for turns in reversed(path):
        _add_all(reading, turns)


def _pi_turns(record: dict, reading: Reading) -> list[tuple]:
    kind, ts, message = record.get("type"), record.get("timestamp"), as_dict(record.get("message"))
    if kind == "compaction":
        return [("assistant", "compact", record.get("summary"), ts)]
    if kind != "message" or message.get("role") == "toolResult":
        reading.returned(message.get("toolCallId"), blocks_text(message.get("content")), message.get("isError") is True)
        reading.skip("tool outputs" if kind == "message" else "harness texts" if kind == "custom_message" else "bookkeeping records")
        return []
    return _message_turns(message.get("role"), message.get("content"), ts, reading)


# -- Cursor CLI: ~/.cursor/projects/<slug>/agent-transcripts/**.jsonl

def is_cursor_cli(record: dict) -> bool:
    """`{role, message: {content}}`."""
    return record.get("role") in ("user", "assistant") and isinstance(record.get("message"), dict)


def read_cursor_cli(records: object, reading: Reading) -> None:
    """Prompts are wrapped in `<user_query>`; there are no times."""
    for record in records:
        turns = _message_turns(record.get("role"), as_dict(record.get("message")).get("content"), None, reading) if "role" in record else []
        for role, kind, text, *rest in turns:
            reading.add(role, kind, between(text, "<user_query>", "</user_query>").strip() or text if kind == "human" else text, *rest)


# -- SWE-agent: .traj

def is_swe_agent(value: object) -> bool:
    """`{trajectory, history}`."""
    return isinstance(value, dict) and "trajectory" in value and "history" in value


def read_swe_agent(value: dict, reading: Reading) -> None:
    """The first user entry that is no demonstration is the issue; later ones are what the environment answers."""
    asked = False
    for entry in as_list(value.get("history")):
        entry = as_dict(entry)
        text, role = blocks_text(entry.get("content")), entry.get("role")
        if role == "system" or entry.get("is_demo"):
            reading.skip("harness texts")
        elif role == "assistant":
            reading.add("assistant", "reply", as_text(entry.get("thought")) or text)
            if isinstance(entry.get("action"), str) and entry["action"].strip():
                tool = reading.tool("shell", {"command": entry["action"]}, "shell")
                reading.add("assistant", "call", call_line("shell", entry["action"]), None, tool)
        elif not asked:
            asked = reading.add("user", "human", text)
        else:
            reading.returned("shell", text)
            reading.skip("tool outputs")


# -- what several of them share

def _message_turns(role: object, content: object, ts: object, reading: Reading) -> list[tuple]:
    """Text and calls of one message with blocks, as arguments of Reading.add."""
    turns, person = [], role == "user"
    for block in content_blocks(content):
        kind = block.get("type")
        if kind == "text":
            turns.append(("user" if person else "assistant", "human" if person else "reply", as_text(block.get("text")), ts))
        elif kind in ("toolCall", "tool_use"):
            name, arguments = block.get("name"), block.get("arguments") or block.get("input")
            turns.append(("assistant", "call", call_line(name, arguments), ts, reading.tool(name, arguments, block.get("id"))))
        else:
            reading.skip_block(kind)
    return turns


def _add_all(reading: Reading, turns: list[tuple]) -> None:
    for turn in turns:
        reading.add(*turn)
