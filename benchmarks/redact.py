#!/usr/bin/env python3
"""Redaction: how fast, how complete, how much is touched by mistake; beside detect-secrets, redact-transcripts and secretmask.

    python3 benchmarks/redact.py             a chat log in 4 KB records: MB/s, secrets removed, plain records changed
    python3 benchmarks/redact.py --hostile   seconds for 1 MB of each hostile text, and the growth exponent (1 is linear, 2 quadratic)
    python3 benchmarks/redact.py --corpus F  a labelled corpus: secrets removed by group, plain records changed
    --install                                put the other tools into a folder that is deleted afterwards (needs pip and its index)

The log is made up here, the same on every machine: prose, code, and look-alikes of secrets; one record in two holds one secret. Processor
time of this process is measured, the best of three runs. detect-secrets reports what it finds; here that is replaced wherever it stands.
"""
from __future__ import annotations

import argparse
import json
import math
import random
import string
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "skills" / "ail-context-compressor" / "scripts"), str(ROOT / "tests")]
import ail_mcp as ail  # noqa: E402

RIVALS = ("detect-secrets", "redact-transcripts", "secretmask")
WORDS = ("the a model returns error when we call function with empty list so please check value of index before loop and then update test case because output "
         "differs from expected result in module parser config request response token user session cache key").split()
PLAIN = """password = os.environ["DB_PASSWORD"]|token = request.headers.get("X-Request")|max_tokens=4096, temperature=0.2|def login(user: str, password: str) -> bool:|commit 4f1c1a9e0f5f3f0f7b6f6c1f2e3d4c5b6a798081
"sessionId": "550e8400-e29b-41d4-a716-446655440000"|api_key: <YOUR_API_KEY>|risk-adjusted, task-0123-implement-the-rules|upgraded from 1.2.3.4 to 1.2.3.5|std::vector<int> v;|git@github.com:acme/repo.git|password: ${DB_PASSWORD}
{"usage":{"input_tokens":12842,"output_tokens":391}}|npm i lodash@4.17.21|for key, value in table.items(): print(key, value)|the secret to success is patience|https://acme.dev/reset-password?step=2"""
B62 = string.ascii_letters + string.digits


def secrets(chance: random.Random) -> list[tuple[str, str]]:
    """`(text, the secret in it)`: one of each kind that people paste."""
    def run(alphabet: str, length: int) -> str:
        return "".join(chance.choice(alphabet) for _ in range(length))
    hexadecimal = "0123456789abcdef"
    values = [("GITHUB_TOKEN={}", "gh" + "p_" + run(B62, 36)), ("use `{}` for staging", "sk" + "-ant-api03-" + run(B62 + "-_", 95)), ("(old key: {})", "sk" + "-proj-" + run(B62, 120)),
              ("aws_access_key_id = {}", "AK" + "IA" + run(string.ascii_uppercase, 16)), ("it prints {}.", "xox" + "b-123456789012-1234567890123-" + run(B62, 24)), ("\x1b[33m{}\x1b[0m", "gl" + "pat-" + run(B62, 20)),
              ("DB_PASSWORD={}", run(B62, 8) + "$" + run(B62, 4) + "7"), ("the wifi password is {} here", "Falcon" + run(B62, 6) + "42!"), ("postgres://app:{}@db:5432/app", run(B62, 16)),
              ('"api_key": "{}"', run(B62, 32)), ("Authorization: Bearer {}", run(B62 + "-_", 40)), ("X-Api-Key: {}", run(hexadecimal, 32)), ("密钥是{}，不要泄露", "hf" + "_" + run(B62, 34)),
              ("| prod | {} |", "gs" + "k_" + run(B62, 52)), ('{{"content":"login ok\\n{}\\nbye"}}', "np" + "m_" + run(B62, 36)), ("mail {} please", f"jane.{run('abcdef', 4)}@mail.example.org"),
              ("ssh root@{} -p 22", f"10.{chance.randrange(1, 250)}.{chance.randrange(1, 250)}.{chance.randrange(1, 250)}"), ("inet6 {}/64", f"2001:db8:{run(hexadecimal, 3)}::{chance.randrange(1, 9)}a")]
    return [(place.format(value), value) for place, value in values]


def chat_log(megabytes: float) -> list[tuple[str, str]]:
    """`(record of about 4 KB, the secret in it or empty)`."""
    chance, records, size = random.Random(7), [], 0
    plain = [line for row in PLAIN.split("\n") for line in row.split("|")]
    pool = [each for _ in range(40) for each in secrets(chance)]
    while size < megabytes * 1e6:
        parts, length = [], 0
        while length < 3900:
            part = chance.choice(plain) + "\n" if chance.random() < 0.35 else " ".join(chance.choice(WORDS) for _ in range(chance.randrange(20, 70))) + ".\n"
            parts.append(part)
            length += len(part)
        text, secret = chance.choice(pool) if len(records) % 2 else ("", "")
        parts.insert(chance.randrange(len(parts)), text + "\n")
        records.append(("## User\n" + "".join(parts), secret))
        size += len(records[-1][0].encode())
    return records


def rivals(folder: str | None) -> dict[str, object]:
    """Name -> function from text to redacted text, of those that are installed."""
    if folder:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, *RIVALS], check=False)
        sys.path.append(folder)
    found: dict[str, object] = {}
    try:
        from detect_secrets.core.scan import scan_file
        from detect_secrets.settings import default_settings

        def with_detect_secrets(text: str) -> str:
            with tempfile.TemporaryDirectory() as place, default_settings():
                path = Path(place, "record.txt")
                path.write_text(text, encoding="utf-8")
                for secret in list(scan_file(str(path))):
                    if secret.secret_value:
                        text = text.replace(secret.secret_value, "***")
            return text

        found["detect-secrets"] = with_detect_secrets
    except ImportError:
        pass
    try:
        import redact_transcripts
        found["redact-transcripts"] = redact_transcripts.Redactor().redact_text
    except ImportError:
        pass
    try:
        import secretmask
        found["secretmask"] = secretmask.mask_text
    except ImportError:
        pass
    return found


def measure(function: object, records: list[tuple[str, str]], runs: int) -> tuple[float, int, int]:
    """(MB/s, secrets removed, records without a secret that were changed)."""
    size, best, out = sum(len(text.encode()) for text, _ in records), math.inf, []
    for text, _ in records[:5]:
        function(text)
    for _ in range(runs):
        start = time.process_time()
        out = [function(text) for text, _ in records]
        best = min(best, time.process_time() - start)
    removed = sum(secret != "" and secret not in after for (_, secret), after in zip(records, out))
    changed = sum(not secret and after != text for (text, secret), after in zip(records, out))
    return size / 1e6 / best, removed, changed


def speed_table(folder: str | None, megabytes: float) -> str:
    records = chat_log(megabytes)
    holding = sum(bool(secret) for _, secret in records)
    lines = ["| tool | MB/s | secrets removed | plain records changed |", "| --- | ---: | ---: | ---: |"]
    others = rivals(folder)
    for name, function in {"ail-mcp": lambda text: ail.redact(text).text, **others}.items():
        few = records[:60] if name == "detect-secrets" else records  # it needs seconds for a megabyte
        rate, removed, changed = measure(function, few, 3 if name == "ail-mcp" else 1)
        wanted = sum(bool(secret) for _, secret in few)
        lines.append(f"| {name} | {rate:.1f} | {100 * removed / wanted:.1f} % of {wanted} | {100 * changed / (len(few) - wanted):.1f} % of {len(few) - wanted} |")
    lines += [f"| {name} | not installed: `--install`, or pip install {name} | | |" for name in RIVALS if name not in others]
    return "\n".join([*lines, "", f"{len(records)} records, {sum(len(text.encode()) for text, _ in records) / 1e6:.1f} MB, {holding} with a secret; Python {sys.version.split()[0]}"])


def corpus_table(path: str) -> str:
    """A file of JSON lines `{"text", "secrets": [{"start", "end", "kind"}], "group"}`. A secret is removed when no 12 characters of it are left;
    for a private key, `core_start` and `core_end` say where its body is. Kinds that begin with `opt_` do not count."""
    groups: dict[str, list[int]] = {}
    plain = changed = again = 0
    for row in map(json.loads, Path(path).read_text("utf-8").splitlines()):
        text = row["text"]
        after = ail.redact(text).text
        again += ail.redact(after).text != after
        plain += not row["secrets"]
        changed += not row["secrets"] and after != text
        for secret in row["secrets"]:
            if not secret["kind"].startswith("opt_"):
                value = text[secret.get("core_start", secret["start"]):secret.get("core_end", secret["end"])]
                rest = text[:secret["start"]] + "\0" + text[secret["end"]:]
                pieces = {value[i:i + 12] for i in range(len(value) - 11)} if len(value) > 16 else {value}
                group = groups.setdefault(row["group"], [0, 0])
                group[0] += not any(piece in after and piece not in rest for piece in pieces)
                group[1] += 1
    groups = {**dict(sorted(groups.items())), "all": [sum(group[i] for group in groups.values()) for i in (0, 1)]}
    lines = ["| group | secrets removed |", "| --- | ---: |", *(f"| {name} | {done} of {wanted} ({100 * done / wanted:.1f} %) |" for name, (done, wanted) in groups.items())]
    return "\n".join([*lines, "", f"records without a secret that were changed: {changed} of {plain}; records that change when redacted again: {again}"])


def hostile_table(size: int) -> str:
    from test_redact_properties import HOSTILE  # the families that the tests use
    ail.redact("password=hunter22x bob@acme.dev 10.2.3.4")
    lines, worst = ["| hostile text | 1/4 | whole | exponent |", "| --- | ---: | ---: | ---: |"], 0.0
    for name, make in HOSTILE.items():
        times = []
        for each in (size // 4, size):
            text = make(each)
            start = time.process_time()
            ail.redact(text)
            times.append(time.process_time() - start)
        exponent = f"{math.log(times[1] / times[0], 4):.2f}" if times[0] > 0.01 else "-"
        worst = max(worst, times[1])
        lines.append(f"| {name} | {times[0]:.2f} s | {times[1]:.2f} s | {exponent} |")
    return "\n".join([*lines, "", f"worst: {worst:.2f} s for {size / 1e6:.1f} MB"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--corpus", metavar="F")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--megabytes", type=float, default=3.0)
    args = parser.parse_args()
    if args.hostile:
        print(hostile_table(int(args.megabytes / 3 * 1e6)))
        return 0
    if args.corpus:
        print(corpus_table(args.corpus))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        print(speed_table(folder if args.install else None, args.megabytes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
