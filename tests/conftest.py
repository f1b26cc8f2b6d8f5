"""The tests run against the built script, since that is what people run: `import ail_mcp` is that file, with every name of every room."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "skills" / "ail-context-compressor" / "scripts" / "ail_mcp.py"
EVAL = ROOT.parent / "shared" / "eval"  # labelled real data, where a developer has it
sys.path.insert(0, str(SCRIPT.parent))
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: what the tests start would ignore Ctrl-C too
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("default", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", deadline=None, max_examples=10_000, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def eval_data() -> Path:
    if not EVAL.is_dir():
        pytest.skip("the labelled real data is not on this machine")
    return EVAL


@pytest.fixture
def run(tmp_path):
    """Run the script as a person does: `run("unpack", stdin=b"...")` gives the finished process, output as bytes."""

    def call(*words: str, stdin: bytes = b"", cwd=tmp_path, env: dict | None = None) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, str(SCRIPT), *map(str, words)], input=stdin, capture_output=True, cwd=cwd,
                              env={**os.environ, **(env or {})}, timeout=120)

    return call
