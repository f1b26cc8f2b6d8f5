"""Which files of a folder count: what git tracks, and what no .gitignore excludes; sorted, bounded, links not followed.

The rules are git's own (gitignore(5)): the last matching pattern wins, a deeper file wins over a higher one, nothing inside an excluded
folder comes back. Git itself is not run: its index is read, so a folder from elsewhere cannot make anything run.
"""
from __future__ import annotations

import os
import re
from collections import namedtuple

Found = namedtuple("Found", "path name size")  # where to open it, its name relative to the folder with `/`, bytes

_DEEPEST_FOLDER = 64
_NEVER_FOLDERS = frozenset((".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", ".tox", ".nox", ".eggs", ".mypy_cache",
                            ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints"))
_IGNORE_FILE_BYTES = 1_000_000

_Rule = namedtuple("_Rule", "pattern base negated folders_only")


def _ignore_rule(line: str, base: str) -> _Rule | None:
    """One line of a .gitignore that lies in the folder `base` ("" or "a/b/") -> a rule; None for blanks, comments and nonsense."""
    line = line.rstrip("\r\n")
    if line.endswith(" ") and not line.endswith("\\ "):
        line = line.rstrip(" ")
    negated = line.startswith("!")
    line = line[negated:]
    if not line or line.startswith("#"):
        return None
    folders_only = line.endswith("/")
    line = line.rstrip("/")
    anchored = "/" in line
    line = line.removeprefix("/")
    out, at = "" if anchored else "(?:.*/)?", 0
    while at < len(line):
        sign = line[at]
        at += 1
        if sign == "*":
            start = at - 1
            while line[at:at + 1] == "*":
                at += 1
            if at - start == 2 and (start == 0 or line[start - 1] == "/") and line[at:at + 1] in ("/", ""):
                out += "(?:.*/)?" if at < len(line) else ".*"
                at += 1
            else:
                out += "[^/]*"
        elif sign == "?":
            out += "[^/]"
        elif sign == "[" and line.find("]", at + 1) > 0:
            end = line.find("]", at + (2 if line[at] in "!^" else 1))
            if end < 0:
                out += r"\["
                continue
            body = line[at:end]
            body = ("^" + body[1:] if body[0] in "!^" else body).replace("\\", r"\\").replace("[", r"\[").replace("&&", r"\&&")
            out += f"(?!/)[{body}]"
            at = end + 1
        else:
            if sign == "\\" and at < len(line):
                sign = line[at]
                at += 1
            out += re.escape(sign)
    try:
        return _Rule(re.compile(out, re.S), base, negated, folders_only)
    except re.error:
        return None


def _read_rules(path: str, base: str) -> list[_Rule]:
    try:
        with open(path, "rb") as stream:
            text = stream.read(_IGNORE_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    return [rule for rule in (_ignore_rule(line, base) for line in text.split("\n")) if rule]


def _is_ignored(name: str, is_folder: bool, rules: list[_Rule]) -> bool:
    """Whether the last rule that matches a name (relative to the top) excludes it."""
    for rule in reversed(rules):
        if (is_folder or not rule.folders_only) and name.startswith(rule.base) and rule.pattern.fullmatch(name, len(rule.base)):
            return not rule.negated
    return False


def _git_top(folder: str) -> tuple[str, str] | None:
    """The work tree that a folder lies in, and its git folder; a `.git` file (work tree, submodule) is followed."""
    here = os.path.realpath(folder)
    while True:
        marker = os.path.join(here, ".git")
        if os.path.isdir(marker):
            return here, marker
        if os.path.isfile(marker):
            try:
                with open(marker, encoding="utf-8", errors="replace") as stream:
                    target = stream.read(4096).partition("gitdir:")[2].strip()
            except OSError:
                target = ""
            return here, os.path.join(here, target)
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def tracked_names(index: bytes) -> list[str]:
    """The paths in a git index (gitformat-index(5), versions 2 to 4); empty when it is something else."""
    if index[:4] != b"DIRC" or len(index) < 12:
        return []
    version, count = int.from_bytes(index[4:8], "big"), int.from_bytes(index[8:12], "big")
    out, at, last = [], 12, b""
    for _ in range(count):
        if version not in (2, 3, 4) or at + 62 > len(index):
            break
        start, extended = at, index[at + 60] & 0x40 and version > 2
        at += 64 if extended else 62
        if version == 4:  # the name is what is cut from the end of the last one, and a new end
            cut = index[at] & 0x7f
            while index[at] & 0x80 and at + 1 < len(index):
                at += 1
                cut = (cut + 1 << 7) | (index[at] & 0x7f)
            at += 1
        end = index.find(b"\0", at)
        if end < 0:
            break
        name = last[:len(last) - cut] + index[at:end] if version == 4 else index[at:end]
        last = name
        at = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8
        out.append(name.decode("utf-8", "surrogateescape"))
    return out


def files_in(folder: str, suffixes: tuple[str, ...], at_most: int) -> tuple[list[Found], list[str]]:
    """The files of a folder whose names end in one of `suffixes`, sorted by name -> (files, notes on what was left out)."""
    top = _git_top(folder)
    rules: list[_Rule] = []
    tracked: set[str] = set()
    prefix = ""
    if top is not None:
        prefix = os.path.relpath(os.path.realpath(folder), top[0]).replace(os.sep, "/")
        prefix = "" if prefix == "." else prefix + "/"
        common = top[1].partition(f"{os.sep}worktrees{os.sep}")[0]
        rules += _read_rules(os.path.join(common, "info", "exclude"), "")
        parts = prefix.split("/")
        for i in range(len(parts)):
            base = "".join(f"{part}/" for part in parts[:i])
            if base != prefix:
                rules += _read_rules(os.path.join(top[0], base, ".gitignore"), base)
        try:
            with open(os.path.join(top[1], "index"), "rb") as stream:
                tracked.update(name for name in tracked_names(stream.read()) if name.startswith(prefix))
        except OSError:
            pass
    tracked_folders = {name[:i] for name in tracked for i, sign in enumerate(name) if sign == "/"}
    found: list[Found] = []
    notes: list[str] = []
    todo = [(folder, prefix, rules, 0, False)]
    while todo:
        where, base, above, depth, excluded = todo.pop()
        try:
            with os.scandir(where) as stream:
                entries = sorted(stream, key=lambda entry: entry.name)
        except OSError as error:
            notes.append(f"{base[len(prefix):] or folder}: folder cannot be read: {error.strerror}")
            continue
        here = above if excluded else above + _read_rules(os.path.join(where, ".gitignore"), base)
        for entry in entries:
            name = base + entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    out = (excluded or entry.name in _NEVER_FOLDERS or _is_ignored(name, True, here)
                           or os.path.exists(os.path.join(entry.path, "pyvenv.cfg")))
                    if depth >= _DEEPEST_FOLDER:
                        notes.append(f"{name[len(prefix):]}: folders nested too deeply; not read")
                    elif not out or name in tracked_folders:
                        todo.append((entry.path, name + "/", here, depth + 1, out))
                elif entry.name.endswith(suffixes) and entry.is_file(follow_symlinks=False):
                    if name in tracked or (not excluded and not _is_ignored(name, False, here)):
                        found.append(Found(entry.path, name[len(prefix):], entry.stat().st_size))
            except OSError as error:
                notes.append(f"{name[len(prefix):]}: cannot be read: {error.strerror}")
    found.sort(key=lambda one: one.name)
    if len(found) > at_most:
        notes.append(f"{folder}: {len(found)} files, more than {at_most}; the last {len(found) - at_most} by name were not read")
        del found[at_most:]
    return found, notes
