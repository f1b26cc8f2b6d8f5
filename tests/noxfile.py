"""The checks, each in an environment of its own. `tests/run` runs them all."""
from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = "skills/ail-context-compressor/scripts/ail_mcp.py"
VOCABULARY = ROOT / ".cache" / "tiktoken"
CACHE = {"PYTHONDONTWRITEBYTECODE": ""}  # compiled rooms are kept between the many runs of the script, as they are for most people
MCP = {"mcp1": "mcp>=1.23,<2", "mcp2": "mcp>=2,<3"}

nox.options.envdir = str(ROOT / ".nox")
nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["source", *MCP, "bare", "suite", "plain"]


@nox.session
def source(session: nox.Session) -> None:
    """The shipped script is fresh, the source is clean, the skill is one."""
    session.chdir(ROOT)
    session.install("ruff==0.17.6", "skills-ref==0.1.1")
    session.run("python", "src/build.py", "--check")
    session.run("ruff", "check", ".")
    session.run("agentskills", "validate", "skills/ail-context-compressor")


@nox.session(python=["3.10", "3.11", "3.12", "3.13"], venv_params=["--without-pip"])
def bare(session: nox.Session) -> None:
    """The self-test of the shipped script, with no package at all."""
    session.chdir(ROOT)
    session.run("python", "-I", "verify_ail.py")


@nox.session
def mcp1(session: nox.Session) -> None:
    """An environment with the MCP SDK 1.x, for the suite's clients and servers."""
    session.install(MCP["mcp1"])


@nox.session
def mcp2(session: nox.Session) -> None:
    """An environment with the MCP SDK 2.x, for the suite's clients and servers."""
    session.install(MCP["mcp2"])


@nox.session
def suite(session: nox.Session) -> None:
    """The whole suite with every optional package, and with exact token counts."""
    session.chdir(ROOT)
    session.install("-r", "tests/requirements.txt")
    session.run("python", "tests/seed_vocabulary.py", str(VOCABULARY))
    environments = [Path(session.virtualenv.location).with_name(name) / "bin" for name in MCP]
    pythons = [path for e in environments if (path := shutil.which("python", path=str(e)))]
    if len(pythons) < len(MCP):
        session.warn("without the environments of `-s mcp1 mcp2` the tests with the SDK's clients are skipped")
    session.run("python", "-m", "pytest", "-n", "2", *session.posargs,
                env={**CACHE, "TIKTOKEN_CACHE_DIR": str(VOCABULARY), "AIL_MCP_ENVS": os.pathsep.join(pythons)})


@nox.session(python=["3.10", "3.13"])
def plain(session: nox.Session) -> None:
    """The suite on the oldest and the newest Python without the optional packages: token counts are estimates."""
    session.chdir(ROOT)
    session.install("pytest", "pytest-xdist", "hypothesis")
    session.run("python", "-m", "pytest", "-n", "2", "-m", "not slow", *session.posargs, env={**CACHE, "HYPOTHESIS_PROFILE": "quick"})
