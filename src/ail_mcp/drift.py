"""Drift on load: what became of the repository since a snapshot that names a commit was written.

The snapshot comes from somebody else, so nothing of it becomes a command: of its words only a commit of hexadecimal digits is given to git, behind
`--end-of-options`; branch and file names are compared with what git lists. Git is run without a shell, reads objects only (no hook, filter, pager,
fetch or lock), and gets none of the GIT_ variables around.
"""
from __future__ import annotations

import os
import re
import subprocess
from collections import namedtuple

from .commitments import clean_lines
from .errors import FileError, UsageError

Drift = namedtuple("Drift", "commit branch here ahead behind gone changed symbols")
Drift.__doc__ = """`commit` and `branch` that the snapshot names (branch "" when it does not), `here` the branch now ("" detached); the commits that
HEAD has and the snapshot's has not, and the other way round, None when that commit is not in this repository; named files that are gone, and that
changed; `file|name` of signatures whose name is nowhere in its file."""

_COMMIT_NAMED = re.compile(r"\b(?:commit|head|sha|revision)\b\W{0,4}(?:is |at )?\W{0,2}([0-9a-f]{7,40})(?![\w])", re.I)
_BRANCH_NAMED = re.compile(r"(?:\bbranch\b\W{0,4}(?:is |named )?|\bcommit [0-9a-f]{7,40} on )[`'\"]?([\w./-]{1,200})", re.I)
_PATH_WORD = re.compile(r"[\w./@+-]+")
_SYMBOL = re.compile(r"~?([\w.]+)\(")
_FILE_AT_MOST = 4 << 20     # bytes of a file that is searched for a name
_SECONDS = 60
_COMMITS_AT_MOST = 20       # the last that are named; the newest of them counts


def drift(text: str, folder: str, redactor: object) -> Drift:
    """What changed in the repository of `folder` since the commit that a snapshot names.

    Raises SnapshotError, UsageError when it names no commit, FileError where git or a repository is missing.
    """
    lines = [line for _, line in clean_lines(text, redactor)]
    told = "\n".join(lines)
    commits = _COMMIT_NAMED.findall(told)
    if not commits:
        raise UsageError("the snapshot names no commit; expected a line such as: @CTX fact := branch main, commit 1a2b3c4")
    branch = (_BRANCH_NAMED.findall(told) or [""])[-1].rstrip(".,;:")
    root = _git(folder, "rev-parse", "--show-toplevel")
    if root is None:
        raise FileError("this folder is in no git repository; run the check in the repository that the snapshot is about")
    root = root.rstrip("\n")
    here = (_git(root, "symbolic-ref", "--quiet", "--short", "HEAD") or "").strip()
    found = [_seen_from_head(root, commit.lower()) for commit in dict.fromkeys(commits[-_COMMITS_AT_MOST:])]
    ahead, behind, known, commit = min((place for place in found if place), default=(None, None, "", commits[-1].lower()))
    if not known:
        return Drift(commit, branch, here, None, None, (), (), ())
    then = set(filter(None, (_git(root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", known) or "").split("\0")))
    named = _named_files(told, then)
    differ = set((_git(root, "diff-tree", "-r", "-z", "--name-only", "--no-renames", known, "HEAD", "--") or "").split("\0"))
    gone = tuple(sorted(file for file in named if not os.path.lexists(os.path.join(root, file))))
    return Drift(commit, branch, here, ahead, behind, gone, tuple(sorted((named & differ) - set(gone))), tuple(_symbols_gone(lines, named, root)))


def _seen_from_head(root: str, commit: str) -> tuple[int, int, str, str] | None:
    """(commits ahead, behind, the whole name, the name as given) of a commit, None where the repository has it not."""
    known = (_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}") or "").strip()
    counted = _git(root, "rev-list", "--left-right", "--count", f"{known}...HEAD", "--") if known else None
    if not counted:
        return None
    behind, ahead = map(int, counted.split())
    return ahead, behind, known, commit


def _git(folder: str, *words: str) -> str | None:
    """What a git command prints, None when it fails. Raises FileError where there is no git or it takes too long."""
    around = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    safe = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    command = ["git", "--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-C", folder, *words]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**around, **safe},
                              timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise FileError(f"git took longer than {_SECONDS} seconds; try `git status` here") from None
    except OSError:
        raise FileError("git cannot be started; install it, or check without --git") from None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _named_files(told: str, files: set[str]) -> set[str]:
    """The files of a tree that a text names: by their path, or by a last part that only one file has."""
    tails: dict[str, list[str]] = {}
    for file in files:
        tails.setdefault(file.rpartition("/")[2], []).append(file)
    named = set()
    for word in set(_PATH_WORD.findall(told)):
        word = word.removeprefix("./").rstrip(".-")
        if word in files:
            named.add(word)
        elif len(tails.get(word, ())) == 1 and "." in word:
            named.add(tails[word][0])
    return named


def _symbols_gone(lines: list[str], named: set[str], root: str) -> list[str]:
    """`file|name` of each @SIG line whose file is there and no longer holds the name."""
    texts: dict[str, str] = {}
    gone = []
    for line in lines:
        file, bar, rest = line.removeprefix("@SIG ").partition("|")
        symbol = _SYMBOL.match(rest)
        if not (line.startswith("@SIG ") and bar and symbol):
            continue
        places = [name for name in named if name == file or name.endswith("/" + file)]
        if len(places) == 1 and places[0] not in texts:
            texts[places[0]] = _content(root, places[0])
        text = texts.get(places[0], "") if len(places) == 1 else ""
        name = symbol[1].rpartition(".")[2]
        if text and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            gone.append(f"{places[0]}|{symbol[1]}")
    return list(dict.fromkeys(gone))


def _content(root: str, file: str) -> str:
    """The text of a file of the working tree, "" for what is no plain file inside it."""
    path = os.path.join(root, file)
    inside = os.path.realpath(path).startswith(os.path.realpath(root) + os.sep)
    if not inside or not os.path.isfile(path) or os.path.getsize(path) > _FILE_AT_MOST:
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError:
        return ""


def drift_text(found: Drift) -> str:
    """One line for each thing that changed, for a person."""
    if found.ahead is None:
        return f"commit {found.commit} is not in this repository: another one, or rewritten since\n"
    lines = [f"commit {found.commit}: HEAD is {found.ahead} commit{'s' * (found.ahead != 1)} ahead"
             + (f", and {found.behind} of the snapshot are not in it" if found.behind else "")]
    if found.branch and found.branch != found.here:
        lines.append(f"branch {found.branch} then, {found.here or 'none (detached)'} now")
    lines += [f"gone: {what}" for what in (*found.gone, *found.symbols)] + [f"changed: {file}" for file in found.changed]
    return "\n".join(lines) + "\n"
