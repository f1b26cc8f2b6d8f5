"""Chats as exported or as sent: ChatGPT, DeepSeek, Claude.ai, Slack, and message lists of the OpenAI and Anthropic interfaces and ShareGPT.

One function for each format. They are documents: one JSON value, or (message lists) one on each line.
"""
from __future__ import annotations

from .transcript import Reading, as_dict, as_list, as_text, between, blocks_text, call_line, content_blocks


def _chats_in(value: object) -> list[dict]:
    """The conversations of an export: a list, or a single one."""
    return [chat for chat in (value if isinstance(value, list) else [value]) if isinstance(chat, dict)]


def _add_title(chats: list, title: object, reading: Reading) -> None:
    """Where a file holds several chats, the title of each stands in front of it."""
    if len(chats) > 1:
        reading.add("doc", "note", title)


# -- ChatGPT and its look-alike DeepSeek: a tree of messages in `mapping`

def _mapped_messages_hold(value: object, key: str) -> bool:
    return any(key in as_dict(as_dict(node).get("message")) for chat in _chats_in(value) for node in as_dict(chat.get("mapping")).values())


def is_deepseek(value: object) -> bool:
    """`mapping` whose messages hold `fragments`."""
    return _mapped_messages_hold(value, "fragments")


def is_chatgpt(value: object) -> bool:
    """`mapping` whose messages have an `author`."""
    return _mapped_messages_hold(value, "author")


def _path_to(leaf: object, mapping: dict) -> list[dict]:
    """The messages from the root to a leaf. Siblings off the path are edits and regenerations: not said."""
    path, seen = [], set()
    while isinstance(leaf, str) and leaf in mapping and leaf not in seen:
        seen.add(leaf)
        node = as_dict(mapping[leaf])
        path.append(as_dict(node.get("message")))
        leaf = node.get("parent")
    return path[::-1]


def _leaves(mapping: dict) -> list[str]:
    return [key for key, node in mapping.items() if not as_dict(node).get("children")]


def read_chatgpt(value: object, reading: Reading) -> None:
    """Each chat from its root to `current_node` (the last leaf where that is missing). Custom instructions repeat in every chat: once is enough."""
    chats, known = _chats_in(value), set()
    for chat in chats:
        _add_title(chats, chat.get("title"), reading)
        mapping, leaf = as_dict(chat.get("mapping")), chat.get("current_node")
        if not (isinstance(leaf, str) and leaf in mapping):
            leaf = next(reversed(_leaves(mapping)), None)
        path = _path_to(leaf, mapping)
        if len(mapping) > len(path):
            reading.skip("messages on other branches", len(mapping) - len(path))
        for message in path:
            _chatgpt_message(message, known, reading)


def _chatgpt_message(message: dict, known: set, reading: Reading) -> None:
    content, ts, form = as_dict(message.get("content")), message.get("create_time"), as_dict(message.get("content")).get("content_type")
    role, hidden = as_text(as_dict(message.get("author")).get("role")), _is_hidden(as_dict(message.get("metadata")))
    if form == "user_editable_context":
        text = "\n".join(filter(None, (as_text(content.get("user_profile")), as_text(content.get("user_instructions")))))
        if text not in known:
            known.add(text)
            reading.add("user", "preference", text, ts)
        return
    parts = [part if isinstance(part, str) else as_text(as_dict(part).get("text")) for part in as_list(content.get("parts"))]
    text = "\n".join(parts) or as_text(content.get("text")) or as_text(content.get("result"))
    if form in ("thoughts", "reasoning_recap") or message.get("channel") == "analysis":
        reading.skip("reasoning blocks")
    elif not text:
        return
    elif role == "assistant" and (form == "code" or message.get("recipient", "all") not in ("all", None)):
        reading.add("assistant", "call", call_line(message.get("recipient"), text), ts)
    elif hidden or role not in ("user", "assistant"):
        reading.skip("tool outputs" if role == "tool" else "harness texts")
    else:
        reading.add(role, "human" if role == "user" else "reply", text, ts)


def _is_hidden(metadata: dict) -> bool:
    return bool(metadata.get("is_visually_hidden_from_conversation") or metadata.get("is_visually_hidden"))


def read_deepseek(value: object, reading: Reading) -> None:
    """No `current_node`: the leaf with the highest number is the live one."""
    chats = _chats_in(value)
    for chat in chats:
        _add_title(chats, chat.get("title"), reading)
        mapping = as_dict(chat.get("mapping"))
        leaf = max(_leaves(mapping), key=lambda key: int(key) if key.isdecimal() and len(key) < 19 else -1, default=None)
        for message in _path_to(leaf, mapping):
            for fragment in as_list(message.get("fragments")):
                kind, text = as_dict(fragment).get("type"), blocks_text(as_dict(fragment).get("content"))
                if kind in ("REQUEST", "RESPONSE"):
                    side = ("user", "human") if kind == "REQUEST" else ("assistant", "reply")
                    reading.add(*side, text, message.get("inserted_at"))
                else:
                    reading.skip("reasoning blocks" if kind == "THINK" else "tool outputs")


# -- Claude.ai

def is_claude_ai(value: object) -> bool:
    """Conversations with `chat_messages`."""
    return "chat_messages" in next(iter(_chats_in(value)), {})


def read_claude_ai(value: object, reading: Reading) -> None:
    """`content` first: `text` is a copy in which tool blocks became filler. Long pasted text is in `attachments`."""
    chats = _chats_in(value)
    for chat in chats:
        _add_title(chats, chat.get("name"), reading)
        for message in _claude_ai_path([as_dict(message) for message in as_list(chat.get("chat_messages"))], reading):
            person, ts = message.get("sender") == "human", message.get("created_at")
            for attached in as_list(message.get("attachments")):
                reading.add("user", "attachment", as_dict(attached).get("extracted_content"), ts)
            for block in content_blocks(message.get("content") or as_text(message.get("text"))):
                kind = block.get("type")
                if kind == "text":
                    reading.add("user" if person else "assistant", "human" if person else "reply", block.get("text"), ts)
                elif kind == "tool_use":
                    reading.add("assistant", "call", call_line(block.get("name"), block.get("input")), ts)
                else:
                    reading.skip_block(kind)


def _claude_ai_path(messages: list[dict], reading: Reading) -> list[dict]:
    """The messages from the first to the last, along parents where the export has them (then edits make branches)."""
    by_id = {message["uuid"]: message for message in messages if isinstance(message.get("uuid"), str)}
    if not any(isinstance(message.get("parent_message_uuid"), str) and message["parent_message_uuid"] in by_id for message in messages):
        return messages
    path, seen, last = [], set(), messages[-1].get("uuid")
    while isinstance(last, str) and last in by_id and last not in seen:
        seen.add(last)
        path.append(by_id[last])
        last = by_id[last].get("parent_message_uuid")
    if len(messages) > len(path):
        reading.skip("messages on other branches", len(messages) - len(path))
    return path[::-1]


# -- message lists of the OpenAI and Anthropic interfaces

_API_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_ANTHROPIC_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking")


def _message_list(value: object) -> list | None:
    """The messages of the first chat in a value of any of the shapes: {messages}, [message], [{messages}]."""
    if isinstance(value, list):
        first = as_dict(value[0]) if value else {}
        return value if "role" in first else first.get("messages") if isinstance(first.get("messages"), list) else None
    return value.get("messages") if isinstance(value, dict) and isinstance(value.get("messages"), list) else None


def is_openai(value: object) -> bool:
    """A list of messages with roles."""
    messages = _message_list(value)
    return bool(messages) and as_dict(messages[0]).get("role") in _API_ROLES and ("content" in messages[0] or "tool_calls" in messages[0])


def is_anthropic(value: object) -> bool:
    """A list of messages with roles, with a `system` beside it or with blocks that only Anthropic's interface has."""
    return is_openai(value) and ((isinstance(value, dict) and "system" in value) or any(
        block.get("type") in _ANTHROPIC_BLOCKS for message in _message_list(value) for block in content_blocks(as_dict(message).get("content"))))


def is_openai_line(record: dict) -> bool:
    """A chat or a message on a line."""
    return (isinstance(record.get("messages"), list) and is_openai(record)) or (record.get("role") in _API_ROLES and "content" in record)


def read_messages(value: object, reading: Reading) -> None:
    """Chats of either interface, or the messages of one."""
    for entry in [value] if isinstance(value, dict) else as_list(value):
        _read_chat_or_message(as_dict(entry), reading)


def read_message_lines(records: object, reading: Reading) -> None:
    """The same, one on each line."""
    for record in records:
        _read_chat_or_message(record, reading)


def _read_chat_or_message(entry: dict, reading: Reading) -> None:
    if isinstance(entry.get("messages"), list):
        if entry.get("system"):
            reading.skip("system texts")
        for message in entry["messages"]:
            _add_api_message(as_dict(message), reading)
    elif "role" in entry:
        _add_api_message(entry, reading)
    else:
        reading.unknown_type(entry.get("type"))


def _add_api_message(message: dict, reading: Reading) -> None:
    role = message.get("role")
    for block in content_blocks(message.get("content")):
        kind = block.get("type")
        text = as_text(block.get("text")) or as_text(block.get("refusal"))
        if kind in ("text", "input_text", "output_text", "refusal", None):
            if role == "user":
                _add_user_text(text, reading)
            elif role == "assistant":
                reading.add("assistant", "reply", text)
            elif text:
                reading.returned(message.get("tool_call_id"), text)
                reading.skip("tool outputs" if role in ("tool", "function") else "system texts")
        elif kind in ("tool_use", "server_tool_use"):
            reading.add("assistant", "call", call_line(block.get("name"), block.get("input")), None,
                        reading.tool(block.get("name"), block.get("input"), block.get("id")))
        elif kind == "tool_result":
            reading.returned(block.get("tool_use_id"), blocks_text(block.get("content")), block.get("is_error") is True or None)
            if not reading.add("user", "steer", between(blocks_text(block.get("content")), "<feedback>", "</feedback>").strip()):
                reading.skip("tool outputs")
        else:
            reading.skip_block(kind)
    for call in as_list(message.get("tool_calls")) or [{"function": message.get("function_call")}] * bool(message.get("function_call")):
        function = as_dict(as_dict(call).get("function"))
        tool = reading.tool(function.get("name"), function.get("arguments"), as_dict(call).get("id"))
        reading.add("assistant", "call", call_line(function.get("name"), function.get("arguments")), None, tool)
    reading.add("assistant", "reply", message.get("refusal"))


def _add_user_text(text: str, reading: Reading) -> None:
    """A person's text; Cline wraps it in `<task>` or `<feedback>` and puts its environment beside it."""
    if text.lstrip().startswith("<environment_details>"):
        reading.skip("harness texts")
    elif text.lstrip().startswith("<task>"):
        reading.add("user", "human", between(text, "<task>", "</task>").strip() or text)
    elif not ("<feedback>" in text and reading.add("user", "steer", between(text, "<feedback>", "</feedback>").strip())):
        reading.add("user", "human", text)


# -- ShareGPT

_SHAREGPT_SIDES = {
    **dict.fromkeys(("human", "user"), ("user", "human")),
    **dict.fromkeys(("gpt", "assistant", "chatgpt", "bing", "bard"), ("assistant", "reply")),
}


def is_sharegpt(value: object) -> bool:
    """`conversations` of `{from, value}`, or the bare list."""
    first = as_dict(value[0]) if isinstance(value, list) and value else as_dict(value)
    turn = as_dict(next(iter(as_list(first.get("conversations") or first.get("conversation"))), first))
    return ("from" in turn and "value" in turn) or (turn is not first and "role" in turn and "content" in turn)


def is_sharegpt_line(record: dict) -> bool:
    """One conversation on a line."""
    return isinstance(record.get("conversations"), list) and is_sharegpt(record)


def read_sharegpt(value: object, reading: Reading) -> None:
    """Conversations, or the turns of one."""
    for entry in [value] if isinstance(value, dict) else as_list(value):
        read_sharegpt_lines([as_dict(entry)], reading)


def read_sharegpt_lines(records: object, reading: Reading) -> None:
    """The same, one on each line."""
    for record in records:
        if record.get("system"):
            reading.skip("system texts")
        for turn in as_list(record.get("conversations") or record.get("conversation")) or [record] * ("from" in record):
            turn = as_dict(turn)
            who, text = as_text(turn.get("from") or turn.get("role")).lower(), turn.get("value") or turn.get("content")
            if who in _SHAREGPT_SIDES:
                reading.add(*_SHAREGPT_SIDES[who], text)
            elif who == "function_call":
                reading.add("assistant", "call", call_line("function_call", text))
            else:
                reading.skip("system texts" if who == "system" else "tool outputs")


# -- Slack export: <channel>/<date>.json

_SLACK_SERVICE = ("channel_join", "channel_leave", "channel_topic", "channel_purpose", "bot_add")


def is_slack(value: object) -> bool:
    """A list of `{type: "message", ts}`."""
    first = as_dict(value[0]) if isinstance(value, list) and value else {}
    return first.get("type") == "message" and "ts" in first


def read_slack(value: list, reading: Reading) -> None:
    """Threads together, in order of their stamps, which are text: seconds and microseconds, too long for a float."""
    messages = [message for message in value if isinstance(message, dict)]
    messages.sort(key=lambda message: (_slack_stamp(message.get("thread_ts") or message.get("ts")), _slack_stamp(message.get("ts"))))
    for message in messages:
        if message.get("subtype") in _SLACK_SERVICE:
            reading.skip("service lines")
        else:
            text = as_text(message.get("text")).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
            reading.add(as_text(message.get("user")) or as_text(message.get("bot_id")) or "?", "human", text, message.get("ts"))


def _slack_stamp(ts: object) -> tuple[str, str]:
    seconds, _, micros = as_text(ts).partition(".")
    return seconds.rjust(12, "0"), micros
