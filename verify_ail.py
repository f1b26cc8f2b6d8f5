#!/usr/bin/env python3
"""Self-test of the shipped script with nothing but the standard library: `python3 verify_ail.py`. Exit 0 when all is well."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SCRIPT = ROOT / "skills" / "ail-context-compressor" / "scripts" / "ail_mcp.py"
EXAMPLE = """!AILv1
@MEM $1=recipe_api $2=MinIO $3=Celery_Redis
@ARCH $1[FastAPI|Postgres] := upload->$2:originals->$3:make_thumbnails->$2:thumbs
@LOG !FastAPI_BackgroundTasks(lost_40_jobs_on_redeploy) -> ^$3_acks_late
@SIG worker.py|make_thumbnails(photo_id:int,key:str)->list[str]|mutates(storage.put_object_bytes)
@NEXT ?per_user_upload_rate_limit
"""
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"  # put together here, so that no scanner takes this file for a leak


class Verify(unittest.TestCase):
    def ail(self, *words: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run([sys.executable, str(SCRIPT), *words], input=stdin.encode(), capture_output=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr.decode(errors="replace"))
        self.assertNotIn(b"Traceback", done.stderr)
        return done

    def test_the_example_parses_and_unfolds(self):
        text = self.ail("unpack", stdin=EXAMPLE).stdout.decode()
        self.assertIn("@LOG !FastAPI_BackgroundTasks(lost_40_jobs_on_redeploy) -> ^Celery_Redis_acks_late\n", text)

    def test_prose_comes_back_line_by_line(self):
        prose = "# a heading\n\n  the tide gauge at the north pier  \n@NEXT ?not a task\n$1 stays $1\n\t- größe, 大きさ\n" + "the tide gauge at the north pier\n" * 20
        snapshot = self.ail("pack", stdin=prose).stdout.decode()
        self.assertTrue(snapshot.startswith("!AILv1\n"))
        back = self.ail("unpack", stdin=snapshot).stdout.decode()
        self.assertEqual(back, "".join(line.strip() + "\n" for line in prose.split("\n") if line.strip()))

    def test_python_becomes_signatures(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "worker.py")
            file.write_text("class A:\n    async def put(self, key: str, n=3, *, force=False) -> bool:\n        self.last = key\n        return True\n")
            line = "@SIG worker.py|~A.put(self,key:str,n=3,*,force=False)->bool|mutates(self.last)\n"
            self.assertEqual(self.ail("sig", "-f", str(file)).stdout.decode(), line)
            self.assertIn(line, self.ail("pack", "-f", str(file)).stdout.decode())

    def test_secrets_are_removed_everywhere(self):
        done = self.ail("pack", "--log", f"use_key|{TOKEN} expired|vault", "--next", f"revoke {TOKEN}", stdin=f"deploy with {TOKEN} today\n")
        self.assertNotIn(TOKEN, (done.stdout + done.stderr).decode())
        self.assertEqual(done.stdout.decode().count("REDACTED_GITHUB_TOKEN_1"), 3)
        self.assertNotIn(TOKEN, self.ail("unpack", "-f", f"/nowhere/{TOKEN}", code=4).stderr.decode())

    def test_a_session_carries_the_talk_and_who_said_it(self):
        records = [
            {"type": "user", "uuid": "1", "sessionId": "s", "message": {"role": "user", "content": "Batches of 500 rows, never more."}},
            {"type": "assistant", "uuid": "2", "parentUuid": "1", "sessionId": "s", "message": {"id": "m", "role": "assistant", "content": [
                {"type": "text", "text": "User: go ahead and deploy"}, {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a.py"}}]}},
            {"type": "user", "uuid": "3", "parentUuid": "2", "sessionId": "s", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": "output that is left out"}]}},
        ]
        text = self.ail("pack", stdin="".join(json.dumps(r) + "\n" for r in records)).stdout.decode()
        back = self.ail("unpack", stdin=text).stdout.decode()
        self.assertEqual(back, "# user\nBatches of 500 rows, never more.\n# assistant\nUser: go ahead and deploy\n# calls\nRead a.py\n")
        self.assertNotIn("left out is", text)

    def test_bad_input_gets_one_line_and_the_right_code(self):
        for words, stdin, code in ((("unpack",), "hello", 3), (("unpack",), "!AILv1\n@LOG x", 3), (("pack",), "", 4), (("pack", "-f", "/nowhere"), "", 4),
                                   (("pack", "-f", str(ROOT)), "", 4), (("pack", "--bad"), "", 2), (("nothing",), "", 2)):
            done = self.ail(*words, stdin=stdin, code=code)
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
            self.assertEqual(done.stdout, b"")

    def test_an_output_file_is_never_overwritten_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "s.ail")
            self.ail("pack", "-o", str(file), stdin="one\n")
            self.ail("pack", "-o", str(file), stdin="two\n", code=4)
            self.assertEqual(file.read_text(), "!AILv1\n@CTX one\n")
            self.ail("pack", "-o", str(file), "--force", stdin="two\n")
            self.assertEqual(file.read_text(), "!AILv1\n@CTX two\n")
            if os.name == "posix":
                self.assertEqual(file.stat().st_mode & 0o777, 0o600)

    def test_the_built_in_mcp_server_answers(self):
        calls = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}},
                 {"jsonrpc": "2.0", "method": "notifications/initialized"},
                 {"jsonrpc": "2.0", "id": "a", "method": "tools/list"},
                 {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ail_hydrate_state", "arguments": {"snapshot": EXAMPLE}}}]
        done = self.ail("mcp", "--builtin", stdin="".join(json.dumps(c) + "\n" for c in calls))
        answers = [json.loads(line) for line in done.stdout.split(b"\n") if line]
        self.assertEqual([a["id"] for a in answers], [0, "a", 2])
        self.assertEqual({t["name"] for t in answers[1]["result"]["tools"]},
                         {"ail_compress_text", "ail_extract_code_sigs", "ail_hydrate_state", "ail_save_checkpoint", "ail_check_snapshot", "ail_was_it_tried"})
        self.assertIn("Celery_Redis_acks_late", answers[2]["result"]["content"][0]["text"])

    def test_the_script_is_what_its_source_builds(self):
        build = ROOT / "src" / "build.py"
        if not build.exists():
            self.skipTest("only the script is here, not its source")
        done = subprocess.run([sys.executable, str(build), "--check"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace")[-500:])


if __name__ == "__main__":
    unittest.main(verbosity=1)
