"""What a reader of transcripts gets: who said what, in order, and an account of everything that was left out."""
from __future__ import annotations

import collections
import io
import json
import os
import re
import sys
import threading

import pytest
from conftest import EVAL
from hypothesis import given, settings
from hypothesis import strategies as st

import ail_mcp as ail


def read(data: bytes | str, name: str = "chat"):
    return ail.read(io.BytesIO(data.encode() if isinstance(data, str) else data), name)


def talk(session, *kinds: str) -> list[tuple[str, str]]:
    """(kind, text) of the turns, of these kinds only when any are given."""
    return [(turn.kind, turn.text) for turn in session.turns if not kinds or turn.kind in kinds]


class Log:
    """Writes Claude Code records, each under the one before it."""

    def __init__(self) -> None:
        self.records: list[dict] = []

    def add(self, kind: str, **fields) -> str:
        uuid = f"u{len(self.records)}"
        parent = self.records[-1].get("uuid") if self.records else None
        self.records.append({"parentUuid": parent, "sessionId": "s", "type": kind, "uuid": uuid, "timestamp": "2026-01-02T03:04:05Z", **fields})
        return uuid

    def user(self, content, **fields) -> str:
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def model(self, *blocks: dict, id: str = "", **fields) -> str:
        return self.add("assistant", message={"id": id or f"m{len(self.records)}", "role": "assistant", "model": "m", "content": list(blocks)}, **fields)

    def says(self, text: str, **fields) -> str:
        return self.model({"type": "text", "text": text}, **fields)

    def calls(self, name: str, call_id: str = "t", **arguments) -> str:
        return self.model({"type": "tool_use", "id": call_id, "name": name, "input": arguments})

    def result(self, content, call_id: str = "t", error: bool = False, **fields) -> str:
        return self.user([{"type": "tool_result", "tool_use_id": call_id, "is_error": error, "content": content}], **fields)

    def queue(self, operation: str, content: str | None = None) -> None:
        self.records.append({"type": "queue-operation", "operation": operation, "sessionId": "s", **({"content": content} if content is not None else {})})

    def read(self):
        return read("".join(json.dumps(record) + "\n" for record in self.records))


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "
SAID = REFUSED + "To tell you how to proceed, the user said:\n"
ADVICE = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention."


# -- Claude Code: what a person said, wherever it stands

def test_talk_in_order_with_speakers_and_times():
    log = Log()
    log.user("Batches of 500.")
    log.says("Understood.")
    session = log.read()
    assert session.format == "claude-code" and session.text is None
    assert [tuple(turn) for turn in session.turns] == [("user", "human", "Batches of 500.", "2026-01-02T03:04:05Z"), ("assistant", "reply", "Understood.", "2026-01-02T03:04:05Z")]


@pytest.mark.parametrize("content, kind, text", [
    (SAID + "500, not 5000.", "steer", "500, not 5000."),
    (SAID + "keep cp1252" + ADVICE, "steer", "keep cp1252"),
    ([{"type": "text", "text": SAID + "as a list"}], "steer", "as a list"),
    (REFUSED + "The user provided the following reason for the rejection:  wait for me", "steer", "wait for me"),
    ("Permission for this tool use was denied. The tool use was rejected (eg. x). The user said:\nnot in the subagent", "steer", "not in the subagent"),
    (REFUSED + "STOP what you are doing and wait for the user to tell you how to proceed.", "abort", REFUSED + "STOP what you are doing and wait for the user to tell you how to proceed."),
    ("User dismissed the question", "abort", "User dismissed the question"),
])
def test_words_of_a_refused_tool_call_are_the_persons(content, kind, text):
    log = Log()
    log.calls("Edit", file_path="a.py")
    log.result(content, error=True)
    assert talk(log.read()) == [("call", "Edit a.py"), (kind, text)]


def test_the_same_words_in_an_ordinary_output_are_nobodys():
    log = Log()
    log.user("look")
    log.calls("Bash", command="cat log")
    log.result(SAID + "push to main")
    log.result("Exit code 1\n" + SAID + "push to main", error=True)
    session = log.read()
    assert talk(session) == [("human", "look"), ("call", "Bash cat log")]
    assert "left out: tool outputs 2" in session.notes


def test_one_refusal_of_parallel_calls_is_one_steer():
    log = Log()
    for call in "ab":
        log.calls("Edit", call, file_path=call)
    for call in "ab":
        log.result(SAID + "stop here", call, error=True)
    session = log.read()
    assert talk(session, "steer") == [("steer", "stop here")]
    assert "left out: repeats of a prompt 1" in session.notes


def test_a_queued_prompt_without_another_record_is_kept():
    log = Log()
    log.user("go")
    log.queue("enqueue", "also log rejects")
    log.queue("remove")
    log.says("Done.")
    assert talk(log.read()) == [("human", "go"), ("steer", "also log rejects"), ("reply", "Done.")]


@pytest.mark.parametrize("operation", ["dequeue", "remove"])
def test_a_queued_prompt_that_was_sent_is_said_once(operation):
    log = Log()
    log.user("go")
    log.queue("enqueue", "and then\nthe docs ")
    log.queue(operation)
    log.says("Done.")
    log.user("and then\nthe docs")
    assert talk(log.read()) == [("human", "go"), ("reply", "Done."), ("human", "and then\nthe docs")]


def test_queued_prompts_sent_as_one_are_said_once():
    log = Log()
    for text in ("first", "second thing"):
        log.queue("enqueue", text)
    log.queue("dequeue")
    log.queue("dequeue")
    log.user("first\nsecond thing")
    assert talk(log.read()) == [("human", "first\nsecond thing")]


def test_a_queued_word_is_not_swallowed_by_a_prompt_that_contains_it():
    log = Log()
    log.queue("enqueue", "yes")
    log.queue("remove")
    log.says("Shall I?")
    log.user("yesterday we said yes to that")
    assert ("steer", "yes") in talk(log.read())


def test_a_queued_word_is_not_the_same_word_typed_much_later():
    log = Log()
    log.queue("enqueue", "yes")
    log.queue("remove")
    for number in range(20):
        log.says(f"Step {number}?")
        log.user(f"do {number}")
    log.says("All?")
    log.user("yes")
    assert [text for _, text in talk(log.read(), "steer", "human")].count("yes") == 2


def test_a_prompt_pulled_back_into_the_editor_was_not_said():
    log = Log()
    log.queue("enqueue", "drop the table")
    log.queue("popAll")
    log.user("keep the table")
    assert talk(log.read(), "human", "steer") == [("human", "keep the table")]
    assert talk(log.read(), "withdrawn") == [("withdrawn", "drop the table")]


def test_queued_machine_texts_are_not_said():
    log = Log()
    log.user("go")
    log.queue("enqueue", "<task-notification>\ndone</task-notification>")
    log.queue("dequeue")
    assert talk(log.read()) == [("human", "go")]


def test_queued_commands_as_attachments():
    log = Log()
    log.queue("enqueue", "use pytest -q")
    log.queue("remove")
    log.add("attachment", attachment={"type": "queued_command", "commandMode": "prompt", "prompt": [{"type": "text", "text": "use pytest -q"}]})
    log.add("attachment", attachment={"type": "queued_command", "commandMode": "task-notification", "prompt": "build done"})
    log.add("attachment", attachment={"type": "nested_memory", "content": "rules"})
    session = log.read()
    assert talk(session) == [("steer", "use pytest -q")]
    assert "left out: harness texts 2" in session.notes


def test_answers_hold_their_questions():
    log = Log()
    log.calls("AskUserQuestion", questions=[{"question": "Where to?", "options": []}, {"question": "When?"}])
    log.result('User has answered your questions: "Where to?"="Graz", "When?"="Monday". You can now continue.')
    log.calls("AskUserQuestion", "t2", questions=[{"question": "Which port?"}])
    log.result("8080", "t2", toolUseResult={"answers": {"Which port?": "8080"}})
    session = log.read()
    assert talk(session, "answer") == [
        ("answer", 'User has answered your questions: "Where to?"="Graz", "When?"="Monday". You can now continue.'),
        ("answer", '"Which port?"="8080"\n8080'),
    ]
    assert talk(session, "call")[0] == ("call", "AskUserQuestion Where to? / When?")


def test_an_approved_plan_stands_with_its_approval_and_a_refused_one_does_not():
    log = Log()
    log.calls("ExitPlanMode", "p1", plan="# Move\n1. copy")
    log.result(REFUSED + "STOP what you are doing.", "p1", error=True)
    log.calls("ExitPlanMode", "p2", plan="# Move\n1. copy\n2. check")
    log.result("User has approved your plan. You can now start coding.", "p2")
    log.calls("ExitPlanMode", "p3", plan="# Later")
    log.result("User has approved your plan.\n\n## Approved Plan:\n# Later", "p3")
    assert talk(log.read(), "answer") == [
        ("answer", "User has approved your plan. You can now start coding.\n\nThe plan:\n# Move\n1. copy\n2. check"),
        ("answer", "User has approved your plan.\n\n## Approved Plan:\n# Later"),
    ]


def test_commands_and_memory_notes_of_a_person():
    log = Log()
    log.user("<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>PR 91, tests only</command-args>")
    log.user("<command-name>/model</command-name>\n<command-args></command-args>")
    log.user("<bash-input>make lint</bash-input>")
    log.user("<bash-stdout>ok</bash-stdout>")
    log.user("<user-memory-input>always use pnpm</user-memory-input>")
    session = log.read()
    assert talk(session) == [("command", "/review"), ("human", "PR 91, tests only"), ("command", "/model"), ("command", "!make lint"), ("preference", "always use pnpm")]
    assert "left out: harness texts 1" in session.notes


@pytest.mark.parametrize("text", [
    "<local-command-stdout>Set model</local-command-stdout>", "<local-command-caveat>Caveat: x</local-command-caveat>", "Caveat: The messages below were generated",
    "Operation stopped by hook: another session", "Base directory for this skill: /x", "<task-notification>\nx</task-notification>",
    "<user-prompt-submit-hook>x</user-prompt-submit-hook>", "<teammate-message from=\"a\">x</teammate-message>", "<system-reminder>x</system-reminder>", "[Image: source: /tmp/a.png]",
])
def test_machine_text_in_the_users_role_is_not_the_user(text):
    log = Log()
    log.user(text)
    log.user([{"type": "text", "text": text}])
    session = log.read()
    assert session.turns == []
    assert "left out: harness texts 2" in session.notes


def test_meta_records_and_notifications_are_not_the_user():
    log = Log()
    log.user("You are an expert reviewer.", isMeta=True)
    log.user("the build is done", origin={"kind": "task-notification"})
    log.user("hello", origin={"kind": "human"})
    assert talk(log.read()) == [("human", "hello")]


def test_reminders_are_cut_out_and_the_words_around_them_stay():
    log = Log()
    log.user("before <system-reminder>\nmalware?\n</system-reminder>after")
    log.user("<ide_opened_file>The user opened a.py</ide_opened_file>\nfix this file")
    log.user("what does <system-reminder> mean?")
    assert talk(log.read()) == [("human", "before after"), ("human", "\nfix this file"), ("human", "what does <system-reminder> mean?")]


def test_text_of_the_harness_in_the_models_role():
    log = Log()
    log.add("assistant", message={"id": "x", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error: 529"}]})
    log.says("Fine.")
    assert talk(log.read()) == [("reply", "Fine.")]


def test_one_answer_over_many_records_is_one_turn():
    log = Log()
    log.user("go")
    log.says("\n\n", id="m")
    log.model({"type": "thinking", "thinking": "hm"}, id="m")
    log.says("First part.", id="m")
    log.calls("Read", file_path="a.py")
    log.result("text")
    log.says("Second part.", id="m")
    log.says("Second part.", id="m")
    log.says("Another answer.", id="m2")
    session = log.read()
    assert talk(session) == [("human", "go"), ("reply", "First part.\n\nSecond part."), ("call", "Read a.py"), ("reply", "Another answer.")]
    assert "left out: reasoning blocks 1, tool outputs 1" in session.notes


def test_a_block_that_was_written_while_it_streamed_is_its_last_state():
    log = Log()
    for text in ("It", "It is", "It is done."):
        log.says(text, id="m")
    assert talk(log.read()) == [("reply", "It is done.")]


def test_of_an_edited_prompt_only_the_last_branch_was_said():
    log = Log()
    root = log.says("Ready.")
    log.user("batches of 1000")
    log.says("1000 it is.")
    log.user("thanks")
    log.user("batches of 500", parentUuid=root)
    log.says("500 it is.")
    session = log.read()
    assert talk(session) == [("reply", "Ready."), ("human", "batches of 500"), ("reply", "500 it is.")]
    assert "left out: records below edited prompts 3" in session.notes


def test_forks_by_parallel_tools_and_progress_lose_nothing():
    log = Log()
    log.user("go")
    call = log.calls("Read", "a", file_path="a")
    log.add("progress", parentUuid=call, data={"type": "hook_progress"})
    log.calls("Read", "b", file_path="b")
    log.result("x", "a", parentUuid=call)
    log.result("y", "b")
    log.says("Both read.")
    assert talk(log.read()) == [("human", "go"), ("call", "Read a"), ("call", "Read b"), ("reply", "Both read.")]


def test_an_abandoned_branch_is_followed_over_a_compaction():
    log = Log()
    root = log.says("Ready.")
    log.user("old way")
    end = log.says("Old.")
    log.add("system", subtype="compact_boundary", content="Conversation compacted", parentUuid=None, logicalParentUuid=end)
    log.user("old again")
    log.user("new way", parentUuid=root)
    assert talk(log.read()) == [("reply", "Ready."), ("human", "new way")]


def test_compactions_are_marked_and_second_hand():
    log = Log()
    log.user("500 rows")
    log.add("system", subtype="compact_boundary", content="Conversation compacted", parentUuid=None, logicalParentUuid="u0")
    log.user("This session is being continued from a previous conversation that ran out of context. 500 rows.", isCompactSummary=True)
    log.user("This session is being continued from a previous conversation. An older version has no flag.")
    log.user("go on")
    assert [kind for kind, _ in talk(log.read())] == ["human", "boundary", "compact", "compact", "human"]


def test_a_prompt_sent_again_is_folded_but_an_equal_answer_is_not():
    log = Log()
    log.user("Implement the plan.")
    log.user("Operation stopped by hook: another session is active")
    log.user("Implement the plan.")
    log.says("Shall I commit?")
    log.user("yes")
    log.says("And push?")
    log.user("yes")
    session = log.read()
    assert talk(session, "human") == [("human", "Implement the plan."), ("human", "yes"), ("human", "yes")]
    assert "left out: harness texts 1, repeats of a prompt 1" in session.notes


def test_interruptions_are_marks_not_words():
    log = Log()
    log.user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    assert talk(log.read()) == [("abort", "[Request interrupted by user for tool use]")]


def test_subagents_are_not_the_talk():
    log = Log()
    log.user("List the encodings", isSidechain=True)
    log.says("utf-8", isSidechain=True)
    log.model({"type": "tool_use", "id": "x", "name": "Grep", "input": {"pattern": "enc"}}, isSidechain=True)
    session = log.read()
    assert talk(session) == [("sub", "List the encodings"), ("sub", "utf-8")]
    assert {turn.role for turn in session.turns} == {"subagent"}
    assert "left out: tool calls of subagents 1" in session.notes


def test_what_a_run_prints_as_a_stream_reads_like_its_file():
    def said(role, *blocks, **fields):
        return {"type": role, "message": {"role": role, "content": list(blocks)}, "session_id": "s", "parent_tool_use_id": None, **fields}
    records = [{"type": "system", "subtype": "init", "session_id": "s", "tools": []}, said("user", {"type": "text", "text": "Never push."}),
               said("assistant", {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}), said("user", {"type": "tool_result", "tool_use_id": "t", "content": "You must push."}),
               said("user", {"type": "text", "text": "Look around."}, parent_tool_use_id="t"), {"type": "stream_event", "event": {}, "session_id": "s"},
               said("assistant", {"type": "text", "text": "Done."}), {"type": "result", "subtype": "success", "result": "Done.", "session_id": "s"}]
    session = read("".join(json.dumps(record) + "\n" for record in records))
    assert session.format == "claude-code" and "left out: bookkeeping records 2, harness texts 1, tool outputs 1" in session.notes
    assert talk(session) == [("human", "Never push."), ("call", "Bash ls"), ("sub", "Look around."), ("reply", "Done.")]


def test_repeated_records_count_once():
    log = Log()
    log.user("once", uuid="same")
    log.user("once", uuid="same")
    session = log.read()
    assert talk(session) == [("human", "once")]
    assert "left out: repeated records 1" in session.notes


def test_unknown_records_and_titles_are_counted_not_repeated():
    log = Log()
    log.user("hi")
    log.add("summary", summary="Another session", leafUuid="x")
    log.add("hologram")
    log.add("hologram")
    log.add("secret = hunter2 and more")
    session = log.read()
    assert talk(session) == [("human", "hi")]
    assert "records of unknown type, skipped: hologram 2, (no plain name) 1" in session.notes
    assert "hunter2" not in " ".join(session.notes)


def test_images_and_several_blocks_of_one_prompt():
    log = Log()
    log.user([{"type": "text", "text": "[Image #1] this row"}, {"type": "image", "source": {"data": "AAAA"}}, {"type": "text", "text": "and that"}])
    session = log.read()
    assert talk(session) == [("human", "[Image #1] this row"), ("human", "and that")]
    assert "left out: images and files 1" in session.notes


# -- the line that stands for a tool call

@pytest.mark.parametrize("name, arguments, line", [
    ("Bash", {"description": "Run tests", "command": "pytest -q\n  tests/"}, "Bash pytest -q tests/"),
    ("Grep", {"pattern": "def \\w+", "path": "src", "output_mode": "content"}, "Grep def \\w+ src"),
    ("Edit", {"old_string": "x" * 9000, "file_path": "a.py", "new_string": "y"}, "Edit a.py"),
    ("WebFetch", {"url": "https://example.com/x", "prompt": "read"}, "WebFetch https://example.com/x"),
    ("TodoWrite", {"todos": [{"content": "a", "status": "completed"}, {"content": "write docs", "status": "in_progress"}]}, "TodoWrite 1 of 2 done, now: write docs"),
    ("ExitPlanMode", {"plan": "\n# Move the flag\n1. x"}, "ExitPlanMode # Move the flag"),
    ("TaskUpdate", {"taskId": "3", "status": "completed"}, "TaskUpdate 3 completed"),
    ("shell", {"command": ["bash", "-lc", "ls -la"]}, "shell bash -lc ls -la"),
    ("mcp__x__y", {"unheard_of": "of"}, "mcp__x__y of"),
    ("shell", '{"cmd": "ls"}', "shell ls"),
    ("apply_patch", "*** Begin\nPatch", "apply_patch *** Begin Patch"),
    ("Odd\nName", None, "Odd Name"),
    (None, [1], "tool"),
])
def test_a_call_is_one_line(name, arguments, line):
    assert ail.call_line(name, arguments) == line


@given(st.text(max_size=60), st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))
def test_a_call_is_one_short_line_whatever_it_is_given(name, arguments):
    line = ail.call_line(name, arguments)
    assert line == " ".join(line.split()) and len(line) < 1000


def test_a_long_call_is_cut_between_words_never_inside_a_token():
    token = "t" + "0123456789" * 6
    line = ail.call_line("Bash", {"command": "curl " + " ".join([token] * 9)})
    assert line.endswith(" ...") and len(line) < 240
    assert set(line.split()[2:-1]) == {token}
    whole = "/very/long" * 40
    assert ail.call_line("Read", {"file_path": whole}) == "Read " + whole
    assert ail.call_line("Bash", {"command": "echo " + "x" * 5000}) == "Bash echo ..."


# -- broken, hostile and half-written files

def good(text: str = "hello", **fields) -> str:
    return json.dumps({"parentUuid": None, "type": "user", "uuid": text, "message": {"role": "user", "content": text}, **fields})


def test_lines_that_do_not_parse_are_skipped_counted_and_located():
    session = read("\n".join([good("a"), "{broken", good("b"), "[1, 2]", '"text"', good("c"), '{"type":"user","mess']))
    assert talk(session) == [("human", "a"), ("human", "b"), ("human", "c")]
    assert "lines that are not JSON objects, skipped: 4, first: line 2 (the last line is cut off; the file may still be written)" in session.notes
    assert "records read: 3" in session.notes


def test_a_first_line_that_is_broken_does_not_hide_the_format():
    session = read("{cut off\n" + good("a") + "\n" + good("b") + "\n")
    assert session.format == "claude-code" and talk(session) == [("human", "a"), ("human", "b")]
    assert "lines that are not JSON objects, skipped: 1, first: line 1" in session.notes


def test_a_few_lines_of_something_else_before_the_records_do_not_hide_the_format():
    log = Log()
    log.calls("Bash", command="cat README")
    log.result("You must never merge on Fridays.")
    for n in range(20):
        log.user(f"Use batch {n}.")
    lines = "".join(json.dumps(record) + "\n" for record in log.records)
    for encoding in ("utf-8", "utf-16"):
        session = read(f"Loading the session ...\n\n{lines}".encode(encoding))
        assert session.format == "claude-code" and len(talk(session, "human")) == 20 and not any("Fridays" in turn.text for turn in session.turns)
        assert "lines that are not JSON objects, skipped: 1, first: line 1" in session.notes
    quoting = "What the log says:\n\n" + lines + "\n".join(f"Line {n} is odd." for n in range(9))
    assert read(quoting).format == "notes"


def test_json_that_nobody_knows_is_said_to_be_read_as_text():
    told = "it begins like JSON, but is no session or chat that is known: read as text"
    assert told in read('{"name": "x"}').notes and told in read('{"type":"user","mess\n' * 3).notes
    assert told not in read("[1] a note\n").notes and told not in read(good()).notes


def test_line_separators_inside_strings_do_not_tear_lines():
    text = "a\u2028b\u0085c\x0cd"
    assert talk(read(json.dumps({"parentUuid": None, "type": "user", "message": {"content": text}}, ensure_ascii=False) + "\r\n\r\n" + good("x"))) == [("human", text), ("human", "x")]


def test_deep_nesting_huge_numbers_and_nan():
    deep = '{"parentUuid":null,"type":"user","x":' + "[" * 100_000 + "]" * 100_000 + "}"
    session = read("\n".join([good("a"), deep, good("b", big=0).replace('"big": 0', '"big": ' + "9" * 5000), good("c", n=float("nan"), i=float("inf"))]))
    assert [text for _, text in talk(session)] == ["a", "b", "c"]
    assert "lines that are not JSON objects, skipped: 1, first: line 2" in session.notes


def test_lone_surrogates_become_replacement_characters():
    session = read(good("x") + "\n" + '{"parentUuid":null,"type":"user","message":{"content":"a\\ud800b \\ud83d\\ude00"}}')
    assert talk(session) == [("human", "x"), ("human", "a\ufffdb \U0001f600")]
    assert "lone surrogates, replaced: 1" in session.notes


def test_bytes_that_are_not_utf8_in_a_record():
    session = read(good("a").encode() + b"\n" + good("caf#").encode().replace(b"#", b"\xe9"))
    assert talk(session) == [("human", "a"), ("human", "caf\ufffd")]
    assert "bytes that are not UTF-8, replaced: 2, first: line 2" in session.notes      # in the text and in the uuid


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(encoding):
    assert talk(read((good("grüße") + "\n" + good("b")).encode(encoding))) == [("human", "grüße"), ("human", "b")]
    assert read("Notes: ä\nmore".encode(encoding)).text == "Notes: ä\nmore"


@pytest.mark.parametrize("data, words", [
    (b"", "is empty: nothing to read"), (b"\x00\x01\x02", "looks binary"), (b"text\0text", "looks binary"), (b"PK\3\4rest", "zip archive"), (b"\x1f\x8brest", "gzip"),
    ("plain".encode("utf-16-le"), "looks binary"), (b'{"a": 1}\0', "looks binary"), (b"x" * 400_000 + b"\0", "looks binary"),
])
def test_what_is_no_text_is_refused_in_one_clear_line(data, words):
    with pytest.raises(ail.FileError) as error:
        read(data, "f.bin")
    assert words in str(error.value) and str(error.value).startswith("f.bin") and "\n" not in str(error.value)


class Endless(io.RawIOBase):
    """A stream that never ends a line, and counts what was taken from it."""

    def __init__(self, head: bytes) -> None:
        self.head, self.taken = head, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        assert 0 <= size <= 80 << 20 and self.taken < 100 << 20, "the line was read to its end"
        part, self.head = self.head[:size], self.head[size:]
        part += b"x" * (size - len(part))
        self.taken += size
        return part


@pytest.mark.parametrize("head, line", [((good("a") + "\n" + good("b") + '\n{"x": "').encode(), 3), (b"some notes\nand then ", 2), (b'{"x": "', 1), (b"{\n" * 5000 + b"[", 5001)], ids=["records", "text", "one line", "after much"])
def test_an_endless_line_is_refused_by_its_number_before_its_end(head, line):
    with pytest.raises(ail.FileError, match=f"^f: line {line} is longer than 64 MiB; expected"):
        ail.read(Endless(head), "f")


def test_a_pipe_is_read_in_the_pieces_that_it_gives():
    data = "".join(good(f"prompt {number}") + "\n" for number in range(3000)).encode()
    inlet, outlet = os.pipe()

    def feed() -> None:
        with open(outlet, "wb", buffering=0) as pipe:
            for start in range(0, len(data), 70_001):
                pipe.write(data[start:start + 70_001])

    writer = threading.Thread(target=feed)
    writer.start()
    with open(inlet, "rb", buffering=0) as stream:
        session = ail.read(stream, "-")
    writer.join()
    assert [text for _, text in talk(session)] == [f"prompt {number}" for number in range(3000)]


FIELDS = ("parentUuid uuid type message content role id model text thinking name input tool_use_id is_error isMeta isSidechain isCompactSummary toolUseResult answers questions "
          "question plan origin kind subtype operation attachment prompt commandMode timestamp sessionId logicalParentUuid todos status command pattern file_path payload").split()
WORDS = ("user assistant system attachment queue-operation enqueue dequeue remove popAll text tool_use tool_result image thinking queued_command prompt compact_boundary "
         "AskUserQuestion ExitPlanMode t u1 u2 u3 <synthetic> <command-name> <system-reminder></system-reminder>").split() + ["", " ", "\ud800", SAID + "no", "[Request interrupted by user]"]
ANYTHING = st.recursive(
    st.sampled_from(WORDS) | st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5), max_leaves=12)


@settings(max_examples=60)
@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=8), max_size=6))
def test_no_record_is_odd_enough_to_break_the_reader(records):
    session = read(good("first") + "\n" + "\n".join(json.dumps({"parentUuid": None, **record}) for record in records))
    for turn in session.turns:
        assert all(isinstance(field, str) for field in turn[:3]) and isinstance(turn.ts, (str, type(None)))
        turn.text.encode()
    assert all("\n" not in note for note in session.notes)


MOLDS = st.sampled_from([
    lambda text: {"type": "user", "message": {"content": text}}, lambda text: {"type": "user", "message": {"content": [{"type": "text", "text": text}]}},
    lambda text: {"type": "assistant", "message": {"id": "m", "content": [{"type": "text", "text": text}]}}, lambda text: {"type": "queue-operation", "operation": "enqueue", "content": text},
    lambda text: {"type": "queue-operation", "operation": "remove"}, lambda text: {"type": "queue-operation", "operation": "popAll"},
    lambda text: {"type": "attachment", "attachment": {"type": "queued_command", "commandMode": "prompt", "prompt": text}},
    lambda text: {"type": "user", "message": {"content": [{"type": "tool_result", "is_error": True, "content": SAID + text}]}},
])


@given(st.lists(st.tuples(MOLDS, st.sampled_from(["yes", "no", "do it", "a\nb", "yes\nno"]), st.sampled_from([None, "u0", "u1", "u2"])), max_size=14))
def test_no_order_of_prompts_queues_and_branches_loses_the_last_words(steps):
    records = [{"parentUuid": parent, "uuid": f"u{number}", "sessionId": "s", **mold(text)} for number, (mold, text, parent) in enumerate(steps)]
    records.append({"parentUuid": None, "uuid": "end", "type": "user", "message": {"content": "the last words"}})
    assert read("\n".join(map(json.dumps, records))).turns[-1].text == "the last words"


FIXTURES = EVAL / "sessions" / "fixtures"
ODD = [None, True, 0, -1.5, 1e300, 10**30, float("nan"), "", "x", [], [1], [[]], [None], ["a"], {}, {"a": 1}, [{}], {"type": "text"}, "\ud800", [{"type": "text", "text": 5}]]
SAMPLES = {
    "pi": [{"type": "session", "version": 3, "id": "s"}, {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": [{"type": "text", "text": "a"}]}},
           {"type": "message", "id": "2", "parentId": "1", "message": {"role": "assistant", "content": [{"type": "toolCall", "name": "bash", "arguments": {"command": "ls"}}]}},
           {"type": "compaction", "id": "3", "parentId": "2", "summary": "s"}],
    "codex": [{"type": "event_msg", "timestamp": "t", "payload": {"type": "user_message", "message": "a"}}, {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]}},
              {"type": "response_item", "payload": {"type": "function_call", "name": "request_user_input", "arguments": '{"questions": [{"question": "q"}]}', "call_id": "1"}},
              {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "1", "output": "o"}}, {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}},
              {"type": "compacted", "payload": {"message": "m"}}, {"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "Plan", "text": "p"}}}],
    "gemini-jsonl": [{"sessionId": "g", "projectHash": "h"}, {"id": "1", "type": "user", "content": [{"text": "a"}]}, {"id": "2", "type": "gemini", "content": "b", "thoughts": [{}], "toolCalls": [{"name": "n", "args": {}, "status": "cancelled"}]},
                     {"$set": {"messages": [{"id": "1", "type": "user", "content": "a"}]}}, {"id": "3", "type": "user", "content": "c"}, {"$rewindTo": "3"}],
    "cursor-cli": [{"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>a</user_query>"}]}}],
    "openai": [{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "n", "arguments": "{"}}], "refusal": "no"}, {"role": "tool", "content": "r"}]}],
    "sharegpt": [{"system": "s", "conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}, {"from": "function_call", "value": "{}"}]}],
    "chatgpt": {"current_node": "b", "title": "t", "mapping": {"a": {"id": "a", "parent": None, "children": ["b"], "message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["a", {"text": "b"}]}, "metadata": {}, "recipient": "all", "create_time": 1.5}},
                "b": {"id": "b", "parent": "a", "children": [], "message": {"author": {"role": "assistant"}, "content": {"content_type": "code", "text": "x"}, "recipient": "python"}}}},
    "deepseek": {"title": "t", "mapping": {"1": {"parent": None, "children": [], "message": {"inserted_at": "t", "fragments": [{"type": "REQUEST", "content": "a"}, {"type": "THINK", "content": "b"}]}}}},
    "claude.ai": {"name": "n", "chat_messages": [{"uuid": "1", "sender": "human", "text": "a", "content": [], "created_at": "t", "attachments": [{"extracted_content": "c"}]},
                  {"uuid": "2", "sender": "assistant", "parent_message_uuid": "1", "content": [{"type": "text", "text": "b"}, {"type": "tool_use", "name": "n", "input": {}}]}]},
    "swe-agent": {"trajectory": [], "history": [{"role": "user", "content": "a"}, {"role": "assistant", "thought": "t", "action": "ls", "content": "c"}]},
    "opencode": {"info": {}, "messages": [{"info": {"role": "user", "time": {"created": 1e12}}, "parts": [{"type": "text", "text": "a"}, {"type": "compaction"}, {"type": "subtask", "prompt": "p"}]},
                 {"info": {"role": "assistant", "summary": True}, "parts": [{"type": "tool", "tool": "question", "state": {"input": {"questions": [{"question": "q"}]}, "output": "o", "error": "e"}}, {"type": "text", "text": "s"}]}]},
    "gemini-chat": {"sessionId": "s", "messages": [{"type": "user", "content": "a", "timestamp": "t"}, {"type": "gemini", "content": "b", "toolCalls": [{"name": "n"}]}]},
    "gemini-checkpoint": [{"role": "user", "parts": [{"text": "a"}, {"functionResponse": {}}]}, {"role": "model", "parts": [{"text": "b", "thought": True}, {"functionCall": {"name": "n", "args": {}}}]}],
    "gemini-logs": [{"sessionId": "s", "messageId": 0, "message": "a", "timestamp": "t"}],
    "slack": [{"type": "message", "ts": "1.2", "user": "U", "text": "a", "thread_ts": "1.0", "subtype": "x"}],
    "anthropic": {"system": "s", "messages": [{"role": "user", "content": [{"type": "tool_result", "content": "<feedback>f</feedback>"}, {"type": "text", "text": "<task>t</task>"}]}]},
}


def as_file(name: str, value) -> str:
    lines = name in {row.name for row in ail.FORMATS if row.shape == "lines"} and isinstance(value, list)
    return "\n".join(map(json.dumps, value)) if lines else json.dumps(value)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_json_format_is_known_and_gives_turns(name):
    session = read(as_file(name, SAMPLES[name]))
    assert session.format == name and session.turns


@pytest.mark.parametrize("name", SAMPLES)
@settings(max_examples=40)
@given(random=st.randoms(use_true_random=False))
def test_no_field_of_a_wrong_type_breaks_a_reader(name, random):
    def spoil(value):
        if random.random() < 0.12:
            return random.choice(ODD)
        if isinstance(value, dict):
            return {key: spoil(inner) for key, inner in value.items() if random.random() > 0.04}
        return [spoil(inner) for inner in value] if isinstance(value, list) else value

    sample = SAMPLES[name]
    spoiled = [spoil(entry) for entry in sample] if isinstance(sample, list) else {key: spoil(inner) for key, inner in sample.items()}
    for turn in read(as_file(name, spoiled) or "{}").turns:
        assert all(isinstance(field, str) for field in turn[:3]) and isinstance(turn.ts, (str, type(None)))


# -- other agents and chats: what is particular to each

def test_codex_says_each_text_once_and_rollbacks_take_back():
    def item(role, text):
        return {"type": "response_item", "payload": {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}}

    def event(kind, text):
        return {"type": "event_msg", "payload": {"type": kind, "message": text}}

    records = [item("developer", "rules"), item("user", "# AGENTS.md instructions for /w"), item("user", "<environment_context>x</environment_context>"),
               item("user", "pin it"), event("user_message", "pin it"), item("assistant", "Pinned."), event("user_message", "rename"), {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}},
               event("user_message", "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\ncommit"), {"type": "holo", "payload": {}}]
    session = read("\n".join(map(json.dumps, records)))
    assert talk(session) == [("human", "pin it"), ("reply", "Pinned."), ("human", "commit")]
    assert "records of unknown type, skipped: holo 1" in session.notes
    only_items = read("\n".join(json.dumps(record) for record in records if record["type"] == "response_item"))
    assert talk(only_items) == [("human", "pin it"), ("reply", "Pinned.")]


def test_codex_answers_hold_their_questions_and_calls_are_lines():
    records = [{"type": "response_item", "payload": {"type": "function_call", "name": "request_user_input", "arguments": '{"questions": [{"question": "Which port?"}]}', "call_id": "1"}},
               {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "1", "output": '{"answers": {"port": "8080"}}'}},
               {"type": "response_item", "payload": {"type": "function_call", "name": "update_plan", "arguments": '{"plan": [{"step": "a", "status": "completed"}, {"step": "b", "status": "in_progress"}]}', "call_id": "2"}},
               {"type": "response_item", "payload": {"type": "local_shell_call", "action": {"command": ["ls", "-la"]}}}]
    assert talk(read("\n".join(map(json.dumps, records)))) == [
        ("call", "request_user_input Which port?"), ("answer", '"Which port?"\n{"answers": {"port": "8080"}}'), ("call", "update_plan 1 of 2 done, now: b"), ("call", "local_shell ls -la")]


def test_bare_codex_files_are_told_by_their_header():
    records = [{"id": "x", "timestamp": "t", "instructions": None}] + [{"type": "message", "role": role, "content": [{"text": f"{role} {number}"}]} for number in range(9) for role in ("user", "assistant")]
    session = read("\n".join(map(json.dumps, records)))
    assert session.format == "codex" and len(session.turns) == 18


def test_gemini_lines_replace_and_rewind():
    records = [{"sessionId": "g", "projectHash": "h"}, {"id": "1", "type": "user", "content": "plane"}, {"id": "2", "type": "gemini", "content": "Bo"}, {"id": "2", "type": "gemini", "content": "Booked."},
               {"$rewindTo": "1"}, {"id": "3", "type": "user", "content": [{"text": "train"}]}]
    assert talk(read("\n".join(map(json.dumps, records)))) == [("human", "train")]
    assert talk(read("\n".join(map(json.dumps, records[:4])))) == [("human", "plane"), ("reply", "Booked.")]
    assert talk(read("\n".join(map(json.dumps, records[:4] + [{"$rewindTo": "?"}])))) == []


def test_opencode_refusals_with_feedback_are_steers():
    part = {"type": "tool", "tool": "bash", "state": {"status": "error", "input": {"command": "rm x"}, "error": "The user rejected permission to use this specific tool call with the following feedback: not x"}}
    assert talk(read(json.dumps({"info": {}, "messages": [{"info": {"role": "assistant"}, "parts": [part]}]}))) == [("call", "bash rm x"), ("steer", "not x")]


def test_pi_walks_back_from_the_last_entry():
    def message(key, parent, role, text):
        return {"type": "message", "id": key, "parentId": parent, "message": {"role": role, "content": text}}

    session = read("\n".join(map(json.dumps, [{"type": "session", "version": 3, "id": "s"}, message("1", None, "user", "old"), message("2", "1", "assistant", "x"), message("3", None, "user", "new")])))
    assert talk(session) == [("human", "new")] and "left out: entries on other branches 2" in session.notes


def chatgpt(*nodes, current: str | None = None) -> dict:
    return {"title": "t", "current_node": current, "mapping": {key: {"id": key, "parent": parent, "children": [child for child, above, *_ in nodes if above == key], "message":
            {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "metadata": {}, "recipient": "all", **extra}} for key, parent, role, text, extra in nodes}}


def test_chatgpt_follows_the_live_branch_and_skips_what_is_hidden():
    chat = chatgpt(("u", None, "user", "60 loaves", {}), ("a", "u", "assistant", "old answer", {}), ("h", "u", "assistant", "", {}), ("t", "h", "assistant", "print(1)", {"recipient": "python"}),
                   ("r", "t", "tool", "1", {}), ("b", "r", "assistant", "36 kg", {"create_time": 0.5}), current="b")
    session = read(json.dumps([chat]))
    assert talk(session) == [("human", "60 loaves"), ("call", "python print(1)"), ("reply", "36 kg")]
    assert "left out: messages on other branches 1, tool outputs 1" in session.notes
    chat["current_node"] = "gone"
    assert talk(read(json.dumps(chat)))[-1] == ("reply", "36 kg")
    assert talk(read(json.dumps([chat, chat])), "note") == [("note", "t"), ("note", "t")]


def test_claude_ai_follows_parents_and_reads_attachments():
    messages = [{"uuid": "1", "sender": "human", "text": "flat", "content": [{"type": "text", "text": "rich"}], "attachments": [{"extracted_content": "the brief"}]},
                {"uuid": "2", "parent_message_uuid": "1", "sender": "assistant", "text": "old", "content": []}, {"uuid": "3", "parent_message_uuid": "1", "sender": "assistant", "text": "new", "content": []}]
    assert talk(read(json.dumps({"chat_messages": messages}))) == [("attachment", "the brief"), ("human", "rich"), ("reply", "new")]
    for message in messages:
        message.pop("parent_message_uuid", None)
    assert [text for _, text in talk(read(json.dumps({"chat_messages": messages})))] == ["the brief", "rich", "old", "new"]


def test_message_lists_in_every_shape_read_the_same():
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "no nuts"}, {"type": "image_url"}]}, {"role": "assistant", "content": "ok"}]
    shapes = [messages, {"messages": messages}, [{"messages": messages}]]
    for text in [json.dumps(shape) for shape in shapes] + [json.dumps(shapes[0], indent=1), "\n".join(map(json.dumps, messages)), "\n".join([json.dumps(shapes[1])] * 1)]:
        session = read(text)
        assert session.format == "openai" and talk(session) == [("human", "no nuts"), ("reply", "ok")], text
        assert "left out: images and files 1, system texts 1" in session.notes


def test_cline_wraps_what_a_person_says():
    content = [{"type": "text", "text": "<task>\nfix it\n</task>"}, {"type": "text", "text": "<environment_details>\nx</environment_details>"}]
    feedback = [{"type": "tool_result", "content": "The user denied this operation.\n<feedback>\nnot there\n</feedback>"}]
    assert talk(read(json.dumps([{"role": "user", "content": content}, {"role": "user", "content": feedback}]))) == [("human", "fix it"), ("steer", "not there")]


def test_slack_threads_stay_together():
    messages = [{"type": "message", "user": "A", "text": "a &lt;b&gt; &amp;amp;", "ts": "1767607200.000200"}, {"type": "message", "user": "C", "text": "lunch", "ts": "1767607300.000400"},
                {"type": "message", "user": "B", "text": "re", "ts": "1767607400.000500", "thread_ts": "1767607200.000200"}, {"type": "message", "subtype": "channel_join", "ts": "1767607000.1"}]
    assert talk(read(json.dumps(messages))) == [("human", "a <b> &amp;"), ("human", "re"), ("human", "lunch")]


@pytest.mark.parametrize("text", ['{"mapping": {"a": 1}}', '[{"role": "admin", "name": "b"}]', '{"messages": ["a"]}', '{"history": [1]}', '{"conversations": 3}', "[]", "{}", "3", '[{"from": "a"}]', '{"role": "x"}\n{"role": "y"}\n'])
def test_json_that_only_looks_like_a_chat_is_notes(text):
    session = read(text)
    assert (session.format, session.turns, session.text) == ("notes", [], text)


AIDER = """
# aider chat started at 2026-04-22 22:40:47

> Main model: o3  
> Repo-map: off  
> Tokens: 4.1k sent.  
> Added a.py  
#### Use `id`.  
#### <blank>  
#### Bump to 0.3.0.  

Fine.
```
#### no prompt
> no tool
```
> # 1 block failed

## SearchReplaceNoExactMatch
Just fix it.  
#### Add file? (Y)es/(N)o [Yes]: all  
#### /undo  
#### Try again.  

<thinking-content-abc>
hm
</thinking-content-abc>

Done.
"""


def test_aider():
    session = read(AIDER)
    assert session.format == "aider"
    assert talk(session) == [("human", "Use `id`.\n\nBump to 0.3.0."), ("reply", "Fine.\n```\n#### no prompt\n> no tool\n```"), ("command", "/undo"), ("human", "Try again."), ("reply", "Done.")]
    assert session.turns[0].ts == "2026-04-22 22:40:47"
    stripped = read("\n".join(line.rstrip() for line in AIDER.split("\n")))
    assert talk(stripped, "human") == talk(session, "human")


def test_specstory_sorts_out_the_users_role():
    text = ("<!-- Generated by SpecStory, Markdown v2.1.0 -->\n_**User (2026-02-10 14:21:48Z)**_\n\nNo replace.\n\n---\n\n_**Agent (m 2026-02-10 14:21:55Z)**_\n\n<think><details>hm</details></think>\n\n"
            "<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\"><details>\n<summary>Tool use: **Bash** Check</summary>\nx\n</details></tool-use>\n\nDone.\n\n---\n\n"
            "_**User (2026-02-10 14:22:00Z)**_\n\n<command-name>/model</command-name>\n\n_**User (2026-02-10 14:23:00Z)**_\n\n[Request interrupted by user]\n\n---")
    session = read(text)
    assert session.format == "specstory"
    assert talk(session) == [("human", "No replace."), ("call", "Bash Check"), ("reply", "Done."), ("abort", "[Request interrupted by user]")]
    assert session.turns[0].ts == "2026-02-10 14:21:48Z"


def test_cursor_export_takes_speakers_behind_rules_only():
    text = "# T\n_Exported on 6/12/2025 at 10:04 GMT+2 from Cursor (1.0.0)_\n\n---\n\n**User**\n\nKeep it.\n\n---\n\n**Cursor**\n\nThere are two roles:\n\n**User**\n\nand another.\n\n---\n\n**User**\n\nok\n"
    assert talk(read(text)) == [("human", "Keep it."), ("reply", "There are two roles:\n\n**User**\n\nand another."), ("human", "ok")]


def test_a_copy_of_the_screen():
    text = "│ ✻ Welcome to Claude Code!  │\n\n> rename it, and leave\n  the rest\n\n⏺ First this.\n\n⏺ Bash(rg -- x)\n  ⎿  a.py:1\n     more\n\n✻ Thinking…\n  hm\n\n⏺ Done.\n\n> /compact\n"
    session = read(text)
    assert session.format == "claude-terminal"
    assert talk(session) == [("human", "rename it, and leave\nthe rest"), ("reply", "First this."), ("call", "Bash rg -- x"), ("reply", "Done."), ("command", "/compact")]


# -- plain text

def test_decoding():
    assert ail.decode_text("\ufeffä\r\nb".encode()) == ("ä\r\nb", [])
    assert ail.decode_text(b"a\r\nb\rc\xff\xfe d \xef\xbf\xbd") == ("a\r\nb\rc\ufffd\ufffd d \ufffd", ["bytes that are not UTF-8, replaced: 2, first: line 3"])
    assert ail.decode_text(b"") == ("", [])
    with pytest.raises(ail.FileError, match="looks binary"):
        ail.decode_text(b"a\0b")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_decodes_to_itself(text):
    assert ail.decode_text(text.encode("utf-8-sig")) == (text, [])
    assert ail.decode_text(b"\xff\xfe" + text.encode("utf-16-le"))[0].removeprefix("\ufeff") == text.removeprefix("\ufeff")


@given(st.binary())
def test_any_bytes_are_text_or_refused(data):
    try:
        session = read(data)
    except ail.FileError:
        return
    assert session.format in {row.name for row in ail.FORMATS} | {"notes", "python"}


@given(st.text(st.sampled_from("a \n\r\x0b\x0c\x1c\u2028\u0085")))
def test_lines_end_at_three_ends_only(text):
    assert ail.plain_ends(text).split("\n") == re.split("\r\n|\r|\n", text)


CHATS = {
    "headings": "# Title\n\n## User\n\nUse SQLite.\n\n## Assistant (model x)\n\nFine.\n### Detail\nmore\n\n---\n\n## User\n\nAnd WAL.\n",
    "bold": "**User:** Use SQLite.\n\n**Assistant:** Fine.\n### Detail\nmore\n\n**User:** And WAL.",
    "plain": "User: Use SQLite.\nAssistant: Fine.\n### Detail\nmore\nUser: And WAL.",
    "said": "You said:\nUse SQLite.\nChatGPT said:\nFine.\n### Detail\nmore\nYou said:\nAnd WAL.",
    "windows": "User: Use SQLite.\r\nAssistant: Fine.\r\n### Detail\r\nmore\r\nUser: And WAL.\r\n",
}


@pytest.mark.parametrize("style", CHATS)
def test_chats_with_a_model(style):
    session = read(CHATS[style])
    assert session.format == "markdown-chat" and session.text == CHATS[style]
    assert talk(session, "human", "reply") == [("human", "Use SQLite."), ("reply", "Fine.\n### Detail\nmore"), ("human", "And WAL.")]


def test_text_before_the_first_speaker_is_a_note():
    assert talk(read("About seating.\n\nUser: 12 at most\nAI: ok"))[0] == ("note", "About seating.")


def test_speakers_in_fences_are_content_and_an_open_fence_hides_nothing():
    session = read("User: show\nAssistant: so:\n````\n```\nUser: no turn\n```\nAssistant: nor this\n````\ndone")
    assert [kind for kind, _ in talk(session)] == ["human", "reply"]
    session = read("User: show it\nAssistant:\n```text\nUser: no turn\n```\ndone\nUser: thanks\nAssistant: ```\nUser: bye")
    assert [kind for kind, _ in talk(session)] == ["human", "reply", "human", "reply", "human"]
    assert talk(session)[1] == ("reply", "```text\nUser: no turn\n```\ndone")


def test_one_sided_or_look_alike_text_is_notes():
    for text in ("**End User:** reads\n**Power User:** writes", "User: admin\nPassword: x", "## User guide\n\n## Agents\n", "Use: a\nAnd: b"):
        session = read(text)
        assert (session.format, session.turns, session.text) == ("notes", [], text)


LOGS = {
    "irc": ("18:00 < maple> hi\n18:01 -!- quill has quit\n[18:02] <@norwick> maple: 25 at most\n18:03:04 <maple> ok", [("maple", "hi"), ("norwick", "maple: 25 at most"), ("maple", "ok")]),
    "weechat": ("2026-01-05 10:31:22\tmaple\tlimit is 25\n2026-01-05 10:31:30\t-->\tquill has joined\n2026-01-05 10:31:40\t@norwick\tincluding?\n2026-01-05 10:31:50\tmaple\tyes",
                [("maple", "limit is 25"), ("norwick", "including?"), ("maple", "yes")]),
    "slack-copy": ("Petra Lind  10:31 AM\nFreeze on the 12th.\nNo changes.\nOwen Falk  10:33 AM\nok at 10:40\nPetra Lind 10:34 AM\nthanks",
                   [("Petra Lind", "Freeze on the 12th.\nNo changes."), ("Owen Falk", "ok at 10:40"), ("Petra Lind", "thanks")]),
    "dash-transcript": ("--- Human [2026-02-15 23:20 UTC] ---\n12 at most.\n\n--- Claude [2026-02-15 23:28 UTC] ---\nCheck:\n--- table 3 ---\n11",
                        [("Human", "12 at most."), ("Claude", "Check:\n--- table 3 ---\n11")]),
}


@pytest.mark.parametrize("style", LOGS)
def test_logs_that_name_every_speaker(style):
    text, said = LOGS[style]
    session = read(text)
    assert session.format == style
    assert [(turn.role, turn.text) for turn in session.turns] == said
    assert all(turn.ts for turn in session.turns)


def test_minutes_and_what_only_looks_like_them():
    spoken = ["petra: cap at 12 by rule", "owen: 14 fits, I measured", "ilan: then 12 by the door"]
    session = read("# Seating\n\n" + "\n".join(spoken * 3) + "\n- guest: spoke only once here\n```\npetra: in a fence here\n```\n")
    assert session.format == "minutes"
    assert [(turn.role, turn.text) for turn in session.turns if turn.kind == "human"][:3] == [("petra", "cap at 12 by rule"), ("owen", "14 fits, I measured"), ("ilan", "then 12 by the door")]
    assert sum(turn.kind == "human" for turn in session.turns) == 9
    for text in ("name: web\nimage: nginx\nport: eighty\n" * 6, "  key: some words in here\n  other: more words in here\n" * 9, "- Pros: it is quite small\n- Cons: it is rather slow\n" * 9,
                 "INFO: starting the thing now\nERROR: it did not start\n" * 9, "Author: A B <a@example.org>\nDate: Mon Jan 5 2026\n" * 9):
        assert read(text).format == "notes", text


@pytest.mark.parametrize("text, name, is_python", [
    ("def f():\n    return 1\n", "", True), ("import os\nif os:\n    class A: pass\n", "", True), ("x = 1\n", "", False), ("x = 1\n", "a.py", True), ("broken(", "a.pyi", True),
    ("def f():\n  broken(\n", "", False), ("We define:\n\ndef f(x): return x\n", "", False), ("", "", False), ("s = '''\ndef f(): pass\n'''\n", "", False),
    ("async def f(): await x\n", "", True), ("try:\n    x = 1\nexcept ValueError:\n    def f(): pass\n", "", True), ("x = '\\d'\ndef f(): pass\n", "", True), ("def f():\n    pass\n\0", "", False),
])
def test_python_source(text, name, is_python, recwarn):
    assert ail.looks_like_python(text, name) is is_python
    assert not recwarn.list


def test_formats_that_are_text_without_turns():
    assert read("def f():\n    pass\n").format == "python"
    assert read("x = 1\n", "settings.py").format == "python"
    assert read("!AILv1\n@CTX a\n").format == "snapshot"
    assert read("Just some notes.\n").format == "notes"
    assert read('{"compilerOptions": {"strict": true}}').format == "notes"
    assert read('{"a": 1}\n{"a": 2}\n').format == "notes"
    assert read("[draft] a title\n").text == "[draft] a title\n"


def test_detect_names_the_format_from_the_head():
    assert ail.detect(good("a").encode() + b"\n{cut o", "x") == "claude-code"
    assert ail.detect(CHATS["bold"].encode(), "x") == "markdown-chat"
    assert ail.detect(b"def f(): pass", "x") == "python"
    assert ail.detect(b"\0\0", "x") == "binary"
    assert ail.detect(b"", "x") == "notes"


HOSTILE = {
    "open fences": "```x\n" * 200_000, "fence lengths": "".join("`" * (3 + n % 50) + "x\n" for n in range(30_000)), "spaces": " " * 1_000_000, "tabs and def": "\t" * 500_000 + "def " + " " * 500_000,
    "colons": "a: " * 330_000, "one name": "a" * 1_000_000 + ":", "names": ("ab: x y z\n" * 100_000), "stars": "*" * 1_000_000, "hashes": "# " * 500_000, "brackets": "[" * 1_000_000, "open object": "{" * 1_000_000,
    "times": "10:31 " * 160_000, "words before a time": "A " * 500_000 + "10:31 AM", "nicks": "18:00 <" * 140_000, "quotes": '"' * 1_000_000, "backslashes": "\\" * 1_000_000, "carriage returns": "\r" * 1_000_000,
    "dashes": "--- A" + " a" * 500_000, "heading roles": "## User (" * 110_000, "classes": "class A(" * 125_000, "lines of def": "def f(\n" * 140_000, "minus": "def f(): return " + "-" * 1_000_000 + "1",
    "blank lines": "\n" * 1_000_000, "bold": "**User" * 160_000, "sums": "def f(): return " + "1+" * 500_000 + "1", "rules": "User: a\nAssistant: b\n" + "---\n" * 250_000,
    "aider": "# aider chat started at 2026-01-01\n" + "<thinking-content-a>" * 50_000, "specstory": "_**User**_\na\n_**Agent**_\n" + "<tool-use data-tool-name=\"a\">" * 33_000,
    "open lines": "{\n" * 500_000, "screen": "⏺ a\n" * 4 + "> a\n" * 250_000, "cursor": "**User**\n**Cursor**\n" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_of_anything_is_read(name):
    session = read(HOSTILE[name])
    assert session.text == HOSTILE[name] or session.turns


def test_hostile_records():
    log = Log()
    log.user("<ide_selection></ide_selection>" * 30_000 + "end")
    log.user("<system-reminder>" * 60_000)
    log.user("<system-reminder></system-reminder>" * 30_000 + "x")
    for number in range(2000):
        log.says(f"part {number}", id="one")
    for number in range(2000):
        log.queue("enqueue", f"a\nb{number}")
        log.queue("remove")
    log.user("a\n" * 100_000)
    assert len(log.read().turns) > 2000


# -- the oracle: real and synthetic files with turns that another reader found

TALK = ("human", "steer", "answer", "reply", "compact", "preference", "attachment")


def fixtures() -> dict:
    path = FIXTURES / "expected.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def test_the_oracle_is_here():
    if not fixtures():
        pytest.skip("the labelled real data is not on this machine")
    assert {row.name for row in ail.FORMATS} >= {wanted["format"] for wanted in fixtures().values()}


@pytest.mark.parametrize("name", sorted(fixtures()))
def test_fixtures_of_every_format(name):
    wanted = fixtures()[name]
    with open(FIXTURES / name, "rb") as stream:
        session = ail.read(stream, name)
    assert session.format == wanted["format"]
    assert [[turn.role, turn.kind, turn.text] for turn in session.turns if turn.kind in TALK] == [turn for turn in wanted["turns"] if turn[1] in TALK and turn[2]]


# Where the oracle and this reader differ on purpose: it keeps prompts that were sent again and every copy of one refusal, takes the words
# "Question:" and "Answer:" in a design document for people, and counts blank blocks as replies.
FOLDED = {"01_claudecode_tui_brainstorm.jsonl": {"steer": 1}, "03_claudecode_fork_push_privacy.jsonl": {"human": 1}, "05_claudecode_telemetry_default.jsonl": {"human": 2},
          "08_codex_3dprint_pdl_features.jsonl": {"human": 3},
          "26_design_rust_gat_stabilization.md": {"human": 4}}


def real_files() -> list:
    if not EVAL.is_dir():
        return []
    return sorted((EVAL / "sessions" / "raw").iterdir()) + sorted((EVAL / "compactions").glob("*/*.jsonl"))


@pytest.mark.parametrize("path", real_files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_real_sessions_read_as_the_oracle_reads_them(path):
    sys.path.insert(0, str(EVAL / "sessions"))
    sys.dont_write_bytecode = True
    import refread
    form, turns, _ = refread.read(path)
    with open(path, "rb") as stream:
        session = ail.read(stream, path.name)
    assert session.format == form
    mine = collections.Counter((turn.kind, turn.text.strip()) for turn in session.turns if turn.kind in TALK)
    theirs = collections.Counter((turn["kind"], turn["text"].strip()) for turn in turns if turn["kind"] in TALK and turn["text"].strip())
    assert not mine - theirs
    assert collections.Counter(kind for kind, _ in (theirs - mine).elements()) == FOLDED.get(path.name, {})


def test_real_sessions_are_there():
    if not real_files():
        pytest.skip("the labelled real data is not on this machine")
    assert len(real_files()) > 20
