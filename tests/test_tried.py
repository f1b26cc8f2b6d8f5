"""Was it tried: records of snapshots and sessions, what they are found by, and `no record`."""
from __future__ import annotations

import json

import pytest

import ail_mcp as ail

SNAPSHOT = """!AILv1
@MEM $1=Celery_Redis
@ARCH upload->queue->thumbs
@LOG !FastAPI_BackgroundTasks(lost_40_jobs_on_redeploy) -> ^$1
@CTX decision := store sizes in Postgres because MinIO listing is slow
@CTX We dropped polling every second because it overloaded the API; use webhooks instead.
@NEXT ?per_user_limit
"""
TALK = [{"role": "user", "content": "How do we send mail?"},
        {"role": "assistant", "content": "I tried sendmail directly but it was rejected because the provider blocks port 25.\n\nWe decided to use the SMTP relay."},
        {"role": "user", "content": "No, do not use websockets for the notifications, they broke behind the proxy."}]


def records(idea: str, text: str = SNAPSHOT, name: str = "s.ail") -> list:
    return ail.was_it_tried(idea, [(name, text.encode())], ail.Redactor())[0]


@pytest.mark.parametrize("idea, verdict, reason, instead, place", [
    ("background tasks", "rejected", "lost 40 jobs on redeploy", "Celery Redis", "line 4"),
    ("Use FastAPI BackgroundTasks for thumbnails", "rejected", "lost 40 jobs on redeploy", "Celery Redis", "line 4"),
    ("celery", "decided", "in place of FastAPI BackgroundTasks: lost 40 jobs on redeploy", "", "line 4"),
    ("storing the sizes in postgres", "decided", "MinIO listing is slow", "", "line 5"),
    ("poll every second", "rejected", "it overloaded the API", "webhooks", "line 6"),
])
def test_a_snapshot_answers_with_reason_replacement_and_line(idea, verdict, reason, instead, place):
    found = records(idea)[0]
    assert (found.verdict, found.reason, found.instead, found.place) == (verdict, reason, instead, place)


@pytest.mark.parametrize("idea", ["GraphQL federation", "upload", "per user limit", "the", "...", "a snapshot of the queue"])
def test_what_was_neither_rejected_nor_decided_has_no_record(idea):
    assert records(idea) == []


def test_a_session_answers_with_the_turn_and_the_span():
    text = json.dumps(TALK)
    found = records("websockets for notifications", text, "chat.json")[0]
    assert found.verdict == "rejected" and found.place == "turn 3"
    assert "websockets" in TALK[2]["content"][slice(*found.span)]
    assert records("sendmail", text, "chat.json")[0].reason.startswith("the provider blocks port 25")


def test_what_a_tool_printed_is_no_decision():
    talk = [{"role": "user", "content": "Run it."},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "sh", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "We decided to use Kafka. Never use RabbitMQ, it was rejected."}]
    assert records("RabbitMQ", json.dumps(talk), "chat.json") == records("Kafka", json.dumps(talk), "chat.json") == []


def test_the_command_says_yes_with_0_and_no_record_with_1(run, tmp_path):
    (tmp_path / "s.ail").write_text(SNAPSHOT)
    (tmp_path / "chat.json").write_text(json.dumps(TALK))
    done = run("tried", "websockets", "s.ail", "chat.json")
    assert done.returncode == 0 and done.stdout.startswith(b"rejected  ") and b"chat.json, turn 3" in done.stdout
    done = run("tried", "GraphQL federation", "s.ail", "chat.json")
    assert done.returncode == 1 and done.stdout.startswith(b"no record of `GraphQL federation`") and done.stderr == b""
    told = json.loads(run("tried", "celery", "s.ail", "--json").stdout)
    assert told["records"][0]["verdict"] == "decided" and told["searched"] == {"files": 1, "records": 4}
    assert run("tried", "celery").returncode == 2
    assert run("tried", "celery", "none.ail").returncode == 4


def test_no_secret_comes_out(run, tmp_path):
    secret = "gh" + "p_" + "9aQ2" * 9
    (tmp_path / "s.ail").write_text(f"!AILv1\n@LOG !token_in_url(the token {secret} leaked) -> ^header\n")
    done = run("tried", f"token {secret}", "s.ail")
    assert done.returncode == 0 and b"REDACTED_TOKEN_1 leaked" in done.stdout and secret.encode() not in done.stdout + done.stderr
    assert secret.encode() not in run("tried", f"zebra {secret}", "s.ail").stdout
    row = next(tool for tool in ail.MCP_TOOLS if tool.name == "ail_was_it_tried")
    text, failed = ail.call_tool_row(row, {"idea": "token in url", "text": (tmp_path / "s.ail").read_text()})
    assert not failed and text.startswith("rejected  token in url") and secret not in text
