"""The MCP servers: the built-in one on the wire, and both SDK majors and the built-in one with the real clients.

The real clients need Python environments with the `mcp` package. AIL_MCP_ENVS lists their interpreters (separated as in PATH); without
it the running interpreter is taken if it has `mcp`, else those tests are skipped.
"""
from __future__ import annotations

import functools
import io
import itertools
import json
import os
import random
import signal
import string
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import ROOT, SCRIPT
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

BUILTIN = (sys.executable, str(SCRIPT), "mcp", "--builtin")
SNAPSHOT = "!AILv1\n@MEM $1=recipe_api\n@CTX $1 h\u00e9 \U0001f600\n@NEXT ?ship_it\n"
NAMES = ["ail_compress_text", "ail_extract_code_sigs", "ail_hydrate_state", "ail_save_checkpoint", "ail_check_snapshot", "ail_was_it_tried"]
MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def token(seed: int = 1) -> str:
    """A GitHub token that never was one, made at run time. The letter after the first 20 is no digit, so a pointer may end there."""
    body = "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=36))
    return "gh" + "p_" + body[:16] + "q" + body[17:]


# ---- the table ----

def test_the_table_says_what_each_tool_does_and_how_safe_it_is():
    assert [tool.name for tool in ail.MCP_TOOLS] == NAMES
    for tool in ail.MCP_TOOLS:
        listing = ail.tool_listing(tool)
        reads = tool.name != "ail_save_checkpoint"
        assert listing["annotations"] == {"title": tool.title, "readOnlyHint": reads, "destructiveHint": False, "idempotentHint": reads,
                                          "openWorldHint": False}
        assert 100 < len(tool.description.encode()) < 2048
        assert listing["inputSchema"]["required"] == list(tool.required) and listing["inputSchema"]["additionalProperties"] is False
        assert all(schema["description"] for schema in tool.parameters.values())
        code = tool.function.__code__
        assert list(tool.parameters) == list(code.co_varnames[:code.co_argcount])
        optional = code.co_argcount - len(tool.function.__defaults__ or ())
        assert tool.required == code.co_varnames[:optional]
    assert 200 < len(ail.MCP_INSTRUCTIONS.encode()) < 2048
    assert all(name in ail.MCP_INSTRUCTIONS for name in NAMES)


CHOICES = ail.McpTool("t", "T", "d", {"how": {"type": "string", "enum": ["a", "b"], "description": "d"}, "n": {"type": "integer", "description": "d"},
                                      "yes": {"type": "boolean", "description": "d"}}, (), lambda **given: repr(given), {})


@pytest.mark.parametrize("tool, arguments, fault", [
    (0, {}, "needs the argument text"),
    (0, {"text": None}, "text is null; expected a string"),
    (0, {"text": 5}, "text is a number; expected a string"),
    (0, {"text": True}, "text is true or false; expected a string"),
    (0, {"text": ["a"]}, "text is an array; expected a string"),
    (0, {"text": ""}, "text is empty"),
    (0, {"text": "a", "next": "b"}, "next is a string; expected an array"),
    (0, {"text": "a", "next": "[1"}, "next is a string; expected an array"),
    (0, {"text": "a", "next": "[" * 100_000}, "next is a string; expected an array"),
    (0, {"text": "a", "next": [1]}, "next[0] is a number; expected a string"),
    (0, {"text": "a", "log": ["x"] * 201}, "log has 201 entries; expected at most 200"),
    (0, {"text": "a", "log": ["x", "y" * 2001]}, "log[1] has 2,001 characters; expected at most 2,000"),
    (0, {"text": "x" * (16 * 2**20 + 1)}, "text has 16,777,217 characters; expected at most 16,777,216"),
    (0, {"text": "a", "txt": "b"}, "no argument txt; expected text, name, log, next"),
    (3, {"name": "a"}, "needs the argument snapshot"),
    (CHOICES, {"how": "c"}, "how is none of its choices; expected one of a, b"),
    (CHOICES, {"n": "1"}, "n is a string; expected a number"),
    (CHOICES, {"n": True}, "n is true or false; expected a number"),
    (CHOICES, {"yes": 1}, "yes is a number; expected true or false"),
])
def test_a_wrong_argument_is_named_with_what_is_expected(tool, arguments, fault):
    text, failed = ail.call_tool_row(ail.MCP_TOOLS[tool] if isinstance(tool, int) else tool, arguments)
    assert failed and fault in text and "\n" not in text


def test_arguments_that_only_look_wrong_are_taken():
    compress = ail.MCP_TOOLS[0]
    taken = ail.checked_arguments(compress, {"text": "a", "name": None, "log": None, "next": '["b", "c"]'})
    assert taken == {"text": "a", "next": ["b", "c"]}
    assert ail.checked_arguments(compress, {"text": "\ud83d\ude00 \ud83d x"}) == {"text": "\U0001f600 \ufffd x"}
    assert ail.call_tool_row(CHOICES, {"how": "a", "n": 3, "yes": True}) == ("{'how': 'a', 'n': 3, 'yes': True}", False)


def test_the_example_configuration_starts_this_server():
    example = json.loads((ROOT / "claude_desktop_config.example.json").read_text("utf-8"))
    server = example["mcpServers"]["ail-context-compressor"]
    path, command = server["args"]
    assert server["command"] == "python3" and command == "mcp"
    assert path.startswith("/absolute/path/to/") and path.endswith(SCRIPT.relative_to(ROOT).as_posix())


# ---- the built-in server on the wire ----

def exchange(*lines: object, command: tuple = BUILTIN, cwd: object = None, env: dict | None = None) -> tuple[list, str]:
    """Send messages (or raw bytes) a line each, close, and get the answers and what was said on standard error."""
    data = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    done = subprocess.run(command, input=data, capture_output=True, cwd=cwd, timeout=60, env={**os.environ, **(env or {})})
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"" or done.stdout.endswith(b"\n")
    return [json.loads(line) for line in done.stdout.split(b"\n")[:-1]], done.stderr.decode()


def ask(number: object, method: str, **params: object) -> dict:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number: object, tool: str, **arguments: object) -> dict:
    return ask(number, "tools/call", name=tool, arguments=arguments)


def answer(line: object) -> object:
    """What a fresh server answers to one line."""
    return ail.answer_line(ail.open_session(ail.MCP_TOOLS), line if isinstance(line, bytes) else json.dumps(line).encode())


def fault(line: object) -> tuple:
    body = answer(line)
    assert set(body) == {"jsonrpc", "id", "error"}
    return body["error"]["code"], body["id"]


def test_the_handshake_era(tmp_path):
    hello = ask(0, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"})
    answers, said = exchange(hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, ask("p", "ping"), ask(2, "tools/list"),
                             call("c", "ail_hydrate_state", snapshot=SNAPSHOT), cwd=tmp_path)
    assert said == ""
    assert [a["id"] for a in answers] == [0, "p", 2, "c"]
    first = answers[0]["result"]
    assert first["protocolVersion"] == "2025-06-18" and first["capabilities"] == {"tools": {}}
    assert first["serverInfo"] == {"name": "ail-context-compressor", "version": ail.__version__}
    assert first["instructions"] == ail.MCP_INSTRUCTIONS
    assert answers[1]["result"] == {}
    assert answers[2]["result"] == {"tools": [ail.tool_listing(tool) for tool in ail.MCP_TOOLS]}
    assert answers[3]["result"] == {"content": [{"type": "text", "text": ail.unpack(SNAPSHOT)}], "isError": False}


@pytest.mark.parametrize("asked, agreed", [("2024-11-05",) * 2, ("2025-11-25",) * 2, ("2099-01-01", "2025-11-25"), (None, "2025-11-25"),
                                           ([], "2025-11-25"), ("2026-07-28", "2025-11-25")])
def test_an_unknown_version_is_answered_with_the_newest_of_the_handshake(asked, agreed):
    assert answer(ask(1, "initialize", protocolVersion=asked))["result"]["protocolVersion"] == agreed


def test_the_modern_era():
    found = answer(ask("d", "server/discover", _meta=MODERN))["result"]
    assert found["supportedVersions"] == ["2026-07-28"] and found["resultType"] == "complete"
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"] == {"name": "ail-context-compressor", "version": ail.__version__}
    assert (found["ttlMs"], found["cacheScope"]) == (0, "private")
    listed = answer(ask(1, "tools/list", _meta=MODERN))["result"]
    assert [tool["name"] for tool in listed["tools"]] == NAMES and listed["ttlMs"] == 0
    called = answer(ask(2, "tools/call", _meta=MODERN, name="ail_hydrate_state", arguments={"snapshot": SNAPSHOT}))["result"]
    assert called["resultType"] == "complete" and called["isError"] is False and "ttlMs" not in called
    refused = answer(ask(3, "tools/list", _meta={**MODERN, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}))["error"]
    assert refused["code"] == -32022 and refused["data"] == {"supported": ["2026-07-28"], "requested": "2031-01-01"}
    assert fault(ask(4, "ping", _meta={"io.modelcontextprotocol/protocolVersion": 7})) == (-32602, 4)
    assert "resultType" not in answer(ask(5, "tools/list", _meta={"progressToken": 1}))["result"]


@pytest.mark.parametrize("line, code, number", [
    (b"{", -32700, None), (b"nonsense", -32700, None), (b"\xff\xfe{}", -32700, None), (b'"\xc3(', -32700, None),
    (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', -32700, None), (b"1" * 5000, -32700, None), (b"[" * 200_000, -32700, None),
    (b'{"a":' * 100_000, -32700, None),
    (b"1", -32600, None), (b"null", -32600, None), (b'"ping"', -32600, None), (b"{}", -32600, None), (b"[]", -32600, None),
    ({"id": 1, "method": "ping"}, -32600, None), ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600, None),
    ({"jsonrpc": "2.0", "id": 1}, -32600, 1), ({"jsonrpc": "2.0", "id": 0, "method": 3}, -32600, 0),
    ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600, None), ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600, None),
    ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, -32600, None), ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, -32600, None),
    ({"jsonrpc": "2.0", "id": "a", "method": "nope"}, -32601, "a"), ({"jsonrpc": "2.0", "id": 0, "method": "resources/list"}, -32601, 0),
    ({"jsonrpc": "2.0", "id": "", "method": "tools/list", "params": [1]}, -32602, ""),
    (ask(1, "tools/call"), -32602, 1), (ask(1, "tools/call", name=7), -32602, 1), (ask(1, "tools/call", name="nope"), -32602, 1),
    (ask(1, "tools/call", name="ail_hydrate_state", arguments=[1]), -32602, 1),
    ([ask(1, "ping")], -32600, None), ([[]], -32600, None),
])
def test_what_is_no_request_gets_the_right_code_and_id(line, code, number):
    assert fault(line) == (code, number)


@pytest.mark.parametrize("line", [
    b"", b"  \r\n", {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "method": "tools/call", "params": 7},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}, {"jsonrpc": "2.0", "id": 1, "result": {}},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}},
])
def test_notifications_and_answers_get_no_answer(line):
    assert answer(line) is None


def test_a_tool_without_arguments_is_told_what_it_needs():
    for request in (ask(1, "tools/call", name="ail_hydrate_state"), ask(1, "tools/call", name="ail_hydrate_state", arguments=None)):
        result = answer(request)["result"]
        assert result["isError"] and "needs the argument snapshot" in result["content"][0]["text"]


@pytest.mark.parametrize("version, answered", [("2025-03-26", True), ("2024-11-05", True), ("2025-06-18", False), ("2025-11-25", False)])
def test_batches_are_answered_where_the_version_has_them(version, answered):
    session = ail.open_session(ail.MCP_TOOLS)
    ail.answer_line(session, json.dumps(ask(1, "initialize", protocolVersion=version)).encode())
    send = lambda batch: ail.answer_line(session, json.dumps(batch).encode())  # noqa: E731
    batch = [ask(1, "ping"), {"jsonrpc": "2.0", "method": "notifications/x"}, 3, ask("b", "nope")]
    if answered:
        assert [(a["id"], a.get("error", {}).get("code")) for a in send(batch)] == [(1, None), (None, -32600), ("b", -32601)]
        assert send([{"jsonrpc": "2.0", "method": "notifications/x"}]) is None
    else:
        assert send(batch)["error"]["code"] == -32600
    assert send([])["error"]["code"] == send([ask(1, "ping")] * 101)["error"]["code"] == -32600


def test_a_line_that_is_too_long_is_refused_and_not_kept(monkeypatch):
    monkeypatch.setattr(ail, "MAX_LINE", 1000)
    for junk in (b"x" * 1001, b"x" * 300_000):
        assert list(ail.message_lines(io.BytesIO(b"a\n" + junk + b"\nb\n"))) == [b"a\n", None, b"b\n"]
        assert list(ail.message_lines(io.BytesIO(junk))) == [None]
    assert list(ail.message_lines(io.BytesIO(b"x" * 1000 + b"\n" + b"y" * 1000))) == [b"x" * 1000 + b"\n", b"y" * 1000]
    assert ail.answer_line({}, None)["error"]["code"] == -32600


def test_after_a_line_of_65_mib_the_server_still_answers():
    answers, said = exchange(b"x" * (65 * 2**20), ask(1, "ping"))
    assert answers[0]["error"]["code"] == -32600 and "67,108,864" in answers[0]["error"]["message"]
    assert answers[1] == {"jsonrpc": "2.0", "id": 1, "result": {}} and said == ""


def test_ids_come_back_as_they_were_sent():
    numbers = [0, -1, 2**70, "", "\u00e9\u2028\U0001f600", "server-discover-probe-1"]
    answers, _ = exchange(*(ask(number, "ping") for number in numbers), b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}')
    assert [a["id"] for a in answers] == [*numbers, "\ud800"]


def test_an_answer_comes_before_the_input_ends_and_ctrl_c_ends_quietly(tmp_path):
    with subprocess.Popen(BUILTIN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as server:
        for number in range(3):
            server.stdin.write(json.dumps(ask(number, "ping")).encode() + b"\n")
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["id"] == number
        if os.name == "posix":
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 130
            assert server.stderr.read() == b"" and server.stdout.read() == b""
        else:
            server.stdin.close()
            assert server.wait(20) == 0


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such pipes")
def test_a_client_that_is_gone_ends_the_server_quietly(tmp_path):
    with subprocess.Popen(BUILTIN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as server:
        server.stdout.close()
        server.stdin.write(json.dumps(ask(1, "tools/list")).encode() + b"\n")
        server.stdin.flush()
        assert server.wait(20) == 141
        assert server.stderr.read() == b""


def test_an_empty_input_is_a_good_end():
    assert exchange() == ([], "")


# A table of its own, to see that a tool can neither write on the wire nor let its texts out. Run as `python -c ODD SCRIPT_FOLDER [builtin]`.
ODD = """
import os, sys
sys.path.insert(0, sys.argv[1])
import ail_mcp as ail
def noisy():
    print("STRAY-PRINT", flush=True)
    os.write(1, b"STRAY-BYTES\\n")
    return "quiet"
def broken():
    raise ValueError("PRIVATE-TEXT")
rows = tuple(ail.McpTool(f.__name__, f.__name__, "An odd tool.", {}, (), f, {}) for f in (noisy, broken))
sys.exit(ail.serve(builtin="builtin" in sys.argv, tools=rows))
"""


def see_odd_tools(noisy: dict, broken: dict, said: str) -> None:
    assert noisy["texts"] == ["quiet"] and not noisy["error"]
    assert broken["error"] and "broken failed" in broken["texts"][0] and "PRIVATE" not in json.dumps(broken)
    assert "broken failed: ValueError in broken, line" in said and "PRIVATE" not in said
    assert "STRAY-PRINT" in said and "STRAY-BYTES" in said


def test_stray_output_and_faults_stay_off_the_wire():
    answers, said = exchange(call(1, "noisy"), call(2, "broken"), command=(sys.executable, "-c", ODD, str(SCRIPT.parent), "builtin"))
    noisy, broken = ({"texts": [a["result"]["content"][0]["text"]], "error": a["result"]["isError"]} for a in answers)
    see_odd_tools(noisy, broken, said)


def test_a_broken_mcp_package_falls_back_with_one_line(tmp_path):
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp" / "__init__.py").write_text("raise RuntimeError('PRIVATE')\n")
    (tmp_path / "mcp-1.99.0.dist-info").mkdir()
    (tmp_path / "mcp-1.99.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: mcp\nVersion: 1.99.0\n")
    answers, said = exchange(ask(1, "ping"), command=BUILTIN[:3], env={"PYTHONPATH": str(tmp_path)})
    assert answers == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
    assert said.count("\n") == 1 and "built-in server" in said and "PRIVATE" not in said


# ---- fuzz ----

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20)
REQUESTS = st.fixed_dictionaries({"jsonrpc": st.just("2.0")}, optional={
    "id": st.integers() | st.text() | JSON,
    "method": st.sampled_from([*("initialize", "server/discover", "ping", "tools/list", "tools/call")]) | st.text(),
    "params": JSON | st.fixed_dictionaries({"name": st.sampled_from(NAMES[:3]) | JSON}, optional={
        "arguments": JSON | st.dictionaries(st.sampled_from(["text", "code", "file", "snapshot", "name", "log", "next"]), JSON | st.text(), max_size=3),
        "_meta": JSON | st.just(MODERN)})})


@given(st.binary() | (JSON | REQUESTS | st.lists(REQUESTS, max_size=3)).map(lambda value: json.dumps(value).encode()),
       st.sampled_from(["", "2025-03-26"]))
def test_any_line_gets_a_proper_answer_or_none(line, version):
    session = ail.open_session(ail.MCP_TOOLS)
    session["version"] = version
    answers = ail.answer_line(session, line)
    for body in answers if isinstance(answers, list) else [answers] if answers else []:
        assert body["jsonrpc"] == "2.0" and len(body) == 3 and ("result" in body) != ("error" in body)
        assert body["id"] is None or type(body["id"]) in (str, int)
        assert "error" not in body or body["error"]["code"] in (-32700, -32600, -32601, -32602, -32022), body
        json.dumps(body).encode("ascii")


def test_the_server_outlives_thousands_of_broken_lines(tmp_path):
    chance = random.Random(7)
    good = [json.dumps(line).encode() for line in (ask(1, "tools/list"), call("x", "ail_hydrate_state", snapshot=SNAPSHOT), [1, {}],
                                                   ask(2, "initialize", protocolVersion="2025-03-26"), call(3, "ail_compress_text", text="a b"))]
    lines = []
    for _ in range(3000):
        line = bytearray(chance.choice(good))
        for _ in range(chance.randrange(6)):
            at = chance.randrange(len(line) + 1)
            line[at:at + chance.randrange(4)] = chance.randbytes(chance.randrange(4))
        lines.append(bytes(line).replace(b"\n", b" ") if chance.random() < 0.8 else chance.randbytes(chance.randrange(80)).replace(b"\n", b""))
    answers, said = exchange(*lines, ask("end", "ping"), cwd=tmp_path)
    assert answers[-1] == {"jsonrpc": "2.0", "id": "end", "result": {}}
    assert len(answers) > 1500 and "Traceback" not in said
    assert os.listdir(tmp_path) == []


# ---- planted secrets ----

def planted() -> list:
    """Calls with a secret in every place that takes text; each must come back without it."""
    key = token()
    return [
        ["ail_compress_text", {"text": f"the key is {key}\n```python\nK = '{key}'\n```", "name": f"{key}.md", "log": [f"{key}|{key}|{key}"],
                               "next": [f"rotate {key}"]}],
        ["ail_compress_text", {"text": f"def f(k='{key}'):\n    pass\n", "name": "a.py"}],
        ["ail_compress_text", {"text": "a", "log": [f"no slots {key}"]}],
        ["ail_compress_text", {"text": "a", "log": [key]}],
        ["ail_compress_text", {"text": f"!AILv1\n@CTX {key}\n"}],
        ["ail_compress_text", {"text": f"!AILv1\n@{key} broken\n"}],
        ["ail_compress_text", {"text": "a", key: "b"}],
        ["ail_compress_text", {"text": [key]}],
        ["ail_compress_text", {"text": "a", "next": key}],
        ["ail_extract_code_sigs", {"code": f"def f(k='{key}'): return k", "file": f"{key}.py"}],
        ["ail_extract_code_sigs", {"code": f"def broken(: # {key}", "file": f"{key}.py"}],
        ["ail_hydrate_state", {"snapshot": f"!AILv1\n@MEM $1={key} $2={key[:20]}\n@CTX $1 and $2{key[20:]} and {key}\n"}],
        ["ail_hydrate_state", {"snapshot": key}],
        ["ail_hydrate_state", {"snapshot": f"!AILv1\n@{key}\n"}],
        ["ail_hydrate_state", {"snapshot": f"!AILv1\n@MEM {key}=1\n"}],
        ["ail_save_checkpoint", {"name": key, "snapshot": SNAPSHOT}],
        ["ail_save_checkpoint", {"name": f"../{key}", "snapshot": SNAPSHOT}],
        ["ail_save_checkpoint", {"name": "held", "snapshot": f"!AILv1\n@CTX {key}\n"}],
        ["ail_save_checkpoint", {"name": "other", "snapshot": f"!AILv1\n{key}\n"}],
        [key, {}],
    ]


def see_no_secret(cwd: Path, *outputs: str) -> None:
    assert "REDACTED_" in (cwd / "held.ail").read_text("utf-8")
    written = [path.name + path.read_text("utf-8") for path in cwd.iterdir()]
    for text in (*outputs, *written):
        assert token()[4:16] not in text


def test_no_secret_leaves_the_built_in_server(tmp_path):
    key = token()
    requests = [call(i, tool, **arguments) for i, (tool, arguments) in enumerate(planted())]
    requests += [ask(90, key), ask(91, "ping", _meta={"io.modelcontextprotocol/protocolVersion": key}),
                 ask(92, "initialize", protocolVersion=key), {"jsonrpc": "2.0", "id": 93, "method": key, "params": key}]
    answers, said = exchange(*requests, f'{{"broken {key}'.encode(), cwd=tmp_path)
    assert len(answers) == len(requests) + 1
    see_no_secret(tmp_path, json.dumps(answers), said)
    assert os.listdir(tmp_path) == ["held.ail"]


# ---- the real clients ----

def environments() -> list:
    """Interpreters that have the mcp package."""
    listed = os.environ.get("AIL_MCP_ENVS", "")
    return [path for path in listed.split(os.pathsep) if path] or ([sys.executable] if find_spec("mcp") else [])


@functools.cache
def major(python: str) -> int:
    """The major version of an environment's mcp package."""
    code = "import importlib.metadata; print(importlib.metadata.version('mcp').split('.')[0])"
    return int(subprocess.run([python, "-c", code], capture_output=True, check=True, timeout=60).stdout)


ENVIRONMENTS = environments()
SERVERS = [*((python, str(SCRIPT), "mcp") for python in ENVIRONMENTS), BUILTIN]
PAIRS = list(itertools.product(ENVIRONMENTS, SERVERS))
needs_clients = pytest.mark.skipif(not ENVIRONMENTS, reason="no Python with the mcp package: set AIL_MCP_ENVS, or install mcp here")


def converse(client: str, server: tuple, calls: list, cwd: Path, **env: str) -> tuple[dict, str]:
    """What a real client of the mcp package gets from a server, and what was said on standard error."""
    done = subprocess.run([client, str(ROOT / "tests" / "mcp_client.py"), "--", *server], input=json.dumps(calls).encode(), capture_output=True,
                          cwd=cwd, timeout=120, env={**os.environ, **env})
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout), done.stderr.decode()


def label(value: object) -> str:
    name = Path(value[0] if isinstance(value, tuple) else value).parts[-3:-2] or ["python"]
    return "builtin" if isinstance(value, tuple) and value[-1] == "--builtin" else name[0]


CALLS = [
    ["ail_compress_text", {"text": "First line.\n\n  Second h\u00e9 \U0001f600.\n", "next": ["ship_it"], "log": ["polling|too slow|webhooks"]}],
    ["ail_extract_code_sigs", {"code": "class A:\n    async def f(self, n: int = 1) -> str:\n        self.n = n\n", "file": "app/a.py"}],
    ["ail_hydrate_state", {"snapshot": SNAPSHOT}],
    ["ail_save_checkpoint", {"name": "one", "snapshot": SNAPSHOT}],
    ["ail_save_checkpoint", {"name": "one", "snapshot": SNAPSHOT}],
    ["ail_save_checkpoint", {"name": "../up", "snapshot": SNAPSHOT}],
    ["ail_save_checkpoint", {"name": "two", "snapshot": "no snapshot"}],
    ["ail_hydrate_state", {"snapshot": "!AILv1\n@CTX a\nplain\n"}],
    ["ail_extract_code_sigs", {"code": "x = 1\n"}],
    ["ail_compress_text", {}],
    ["ail_compress_text", {"text": 5}],
    ["ail_compress_text", {"text": "a", "colour": "b"}],
    ["ail_compress_text", {"text": "a", "next": '["b"]'}],
    ["ail_nothing", {}],
]
FAULTS = {  # by the place in CALLS: what the model is told
    4: "one.ail exists already", 5: "character 3 of the checkpoint name", 6: "line 1: ", 7: "line 3: ", 8: "no signature found", 9: "needs the argument text",
    10: "text is a number; expected a string", 11: "no argument colour; expected text, name, log, next", 13: "no tool ail_nothing; expected one of",
}


@needs_clients
@pytest.mark.parametrize("client, server", PAIRS, ids=label)
def test_every_client_gets_the_same_from_every_server_and_never_a_secret(client, server, tmp_path):
    report, said = converse(client, server, CALLS + planted(), tmp_path)
    modern = server == BUILTIN or major(server[0]) == 2
    assert report["protocol"] == ("2026-07-28" if modern and major(client) == 2 else "2025-11-25")
    assert {"name": "ail-context-compressor", "version": ail.__version__}.items() <= report["server"].items()
    assert report["instructions"] == ail.MCP_INSTRUCTIONS
    assert report["tools"] == [ail.tool_listing(tool) for tool in ail.MCP_TOOLS]
    for i, (asked, got) in enumerate(zip(CALLS, report["calls"])):
        if "code" in got:
            assert asked[0] == "ail_nothing" and got["code"] == -32602 and FAULTS[i] in got["message"]
            continue
        assert len(got["texts"]) == 1 and got["other"] == [] and got["structured"] is None
        assert got["error"] == (i in FAULTS), got
        assert FAULTS.get(i, "") in got["texts"][0]
    packed, signature, text, saved = (got["texts"][0] for got in report["calls"][:4])
    assert ail.unpack(packed).startswith("First line.\nSecond h\u00e9 \U0001f600.\n") and "@NEXT ?ship_it" in packed
    assert "@LOG !polling(too slow) -> ^webhooks" in packed
    assert signature.startswith("@SIG app/a.py|~A.f(") and signature.count("\n") == 1
    assert text == ail.unpack(SNAPSHOT)
    assert saved.startswith("Saved one.ail (") and (tmp_path / "one.ail").read_text("utf-8") == SNAPSHOT
    assert said == ""
    assert len(report["calls"]) == len(CALLS) + len(planted())
    see_no_secret(tmp_path, json.dumps(report))
    assert sorted(os.listdir(tmp_path)) == ["held.ail", "one.ail"]


@needs_clients
@pytest.mark.parametrize("server", [server for server in SERVERS if server == BUILTIN or major(server[0]) == 2], ids=label)
def test_the_new_client_can_shake_hands_the_old_way(server, tmp_path):
    new = [python for python in ENVIRONMENTS if major(python) == 2]
    if not new:
        pytest.skip("no environment has mcp 2.x")
    report, _ = converse(new[0], server, CALLS[2:3], tmp_path, MODE="legacy")
    assert report["protocol"] == "2025-11-25" and report["calls"][0]["texts"] == [ail.unpack(SNAPSHOT)]


@needs_clients
@pytest.mark.parametrize("python", ENVIRONMENTS, ids=label)
def test_stray_output_and_faults_stay_off_the_wire_of_the_sdk(python, tmp_path):
    report, said = converse(python, (python, "-c", ODD, str(SCRIPT.parent)), [["noisy", {}], ["broken", {}], ["noisy", {}]], tmp_path)
    see_odd_tools(report["calls"][2], report["calls"][1], said)


@needs_clients
@pytest.mark.parametrize("python", ENVIRONMENTS, ids=label)
def test_the_sdk_servers_end_well(python, tmp_path):
    command = (python, str(SCRIPT), "mcp")
    hello = ask(1, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
    key = token()
    answers, said = exchange(hello, f'{{"broken {key}'.encode(), ask(2, key), ask(3, "ping", cursor=key), command=command, cwd=tmp_path)
    assert answers[0]["id"] == 1 and key[4:16] not in said and "Traceback" not in said
    if os.name == "posix":
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as server:
            server.stdin.write(json.dumps(hello).encode() + b"\n")
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["id"] == 1
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 130
            assert server.stderr.read() == b""
