"""Drift on load: a snapshot that names a commit against the repository here, and nothing of the snapshot becomes a command."""
from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

import ail_mcp as ail

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not on this machine")
WHO = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"]


@pytest.fixture
def repository(tmp_path):
    def git(*words: str) -> str:
        return subprocess.run(["git", *WHO, *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    (tmp_path / "src").mkdir()
    for name, text in (("src/worker.py", "def make_thumbs(key): ...\ndef gone_soon(): ...\n"), ("src/old.py", "x = 1\n"), ("notes.md", "n\n"), ("same.md", "s\n")):
        (tmp_path / name).write_text(text)
    git("add", "."), git("commit", "-qm", "one")
    first = git("rev-parse", "HEAD")
    snapshot = (f"!AILv1\n@CTX fact := branch main, commit {first[:10]}\n@SIG worker.py|make_thumbs(key)->None\n@SIG worker.py|gone_soon()->None\n"
                "@CTX artifact := src/old.py and notes.md and same.md\n@CTX we talked about missing.md\n")
    return git, snapshot, tmp_path


def test_nothing_changed_is_0(run, repository):
    _, snapshot, folder = repository
    done = run("check", "--git", "-", stdin=snapshot.encode(), cwd=folder)
    assert done.returncode == 0 and done.stdout.endswith(b"HEAD is 0 commits ahead\n")


def test_the_newest_of_the_commits_counts_in_full_and_as_a_trail_names_it(run, repository):
    git, snapshot, folder = repository
    (folder / "notes.md").write_text("changed\n")
    git("commit", "-qam", "two")
    text = f"!AILv1\n@CTX commit {git('rev-parse', 'HEAD')} on main: two\n" + snapshot.partition("\n")[2].replace("branch main, ", "")
    done = run("check", "--git", "-", stdin=text.encode(), cwd=folder)
    assert done.returncode == 0 and b"HEAD is 0 commits ahead" in done.stdout


def test_files_and_symbols_gone_and_commits_ahead_are_told(run, repository):
    git, snapshot, folder = repository
    git("rm", "-q", "src/old.py")
    (folder / "src" / "worker.py").write_text("def make_thumbs(key): ...\n")
    (folder / "notes.md").write_text("changed\n")
    git("commit", "-qam", "two"), git("checkout", "-qb", "feature")
    done = run("check", "--git", "--json", "-", stdin=snapshot.encode(), cwd=folder)
    told = json.loads(done.stdout)
    assert done.returncode == 3
    assert (told["ahead"], told["behind"], told["branch"], told["here"]) == (1, 0, "main", "feature")
    assert told["gone"] == ["src/old.py"] and told["symbols"] == ["src/worker.py|gone_soon"] and told["changed"] == ["notes.md", "src/worker.py"]
    text = run("check", "--git", "-", stdin=snapshot.encode(), cwd=folder / "src").stdout.decode()
    assert "HEAD is 1 commit ahead" in text and "gone: src/old.py\n" in text and "branch main then, feature now" in text and "same.md" not in text


def test_what_git_does_not_know_is_told(run, repository, tmp_path_factory):
    _, snapshot, folder = repository
    other = snapshot.replace(snapshot.split("commit ")[1][:10], "0123456789")
    done = run("check", "--git", "-", stdin=other.encode(), cwd=folder)
    assert done.returncode == 3 and b"not in this repository" in done.stdout
    done = run("check", "--git", "-", stdin=b"!AILv1\n@CTX hello\n", cwd=folder)
    assert done.returncode == 2 and b"names no commit" in done.stderr
    assert run("check", "--git", "-", stdin=snapshot.encode(), cwd=tmp_path_factory.mktemp("none")).returncode == 4


def test_nothing_of_a_snapshot_or_a_repository_is_run(run, repository):
    git, snapshot, folder = repository
    trap = folder / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{folder}/sprung'\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "diff.external", "filter.x.clean", "core.sshCommand"):
        git("config", key, str(trap))
    (folder / ".gitattributes").write_text("* filter=x diff=x\n")
    evil = snapshot + "".join(f"@CTX commit {word} branch {word}\n@SIG {word}|f()->None\n" for word in
                              ("--output=sprung", "$(touch sprung)", "`touch sprung`", "--upload-pack=touch", "../../../etc/passwd", "a;touch sprung"))
    env = {"GIT_DIR": "/nowhere", "GIT_EXTERNAL_DIFF": str(trap), "GIT_PAGER": str(trap)}
    done = run("check", "--git", "-", stdin=evil.encode(), cwd=folder, env=env)
    assert done.returncode == 0 and b"HEAD is 0" in done.stdout
    assert not os.path.exists(folder / "sprung")


def test_a_link_out_of_the_repository_is_not_read(repository):
    _, snapshot, folder = repository
    (folder / "src" / "worker.py").unlink()
    os.symlink("/etc/hostname", folder / "src" / "worker.py")
    assert ail.drift(snapshot, str(folder), ail.Redactor()).symbols == ()
