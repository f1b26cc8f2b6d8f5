"""Which files of a folder count: what git tracks, and what no .gitignore excludes; sorted, bounded, links not followed.

The rules are git's own (gitignore(5)): the last matching pattern wins, a deeper file wins over a higher one, nothing inside an excluded
folder comes back. Git itself is not run: its index is read, so a folder from elsewhere cannot make anything run.
"""
from __future__ import annotations

import os
import re
from collections import namedtuple

from .errors import FileError
from .files import reason_of
from .syntax import file_slot

Found = namedtuple("Found", "path name size")  # where to open it, its name relative to the folder with `/`, bytes

_DEEPEST_FOLDER = 64
_NEVER_FOLDERS = frozenset((".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", ".tox", ".nox", ".eggs", ".mypy_cache",
                            ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints"))
_IGNORE_FILE_BYTES = 1_000_000

_Rule = namedtuple("_Rule", "segments base negated folders_only")


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
    segments = line.split("/") if anchored else ["**", line]
    try:
        return _Rule(tuple(None if segment == "**" else _segment_parts(segment) for segment in segments), base, negated, folders_only)
    except re.error:
        return None


def _segment_parts(segment: str) -> tuple:
    """One name of a pattern, cut at its stars, between which anything may stand: (pattern, how many characters it takes) for each part."""
    out, size, parts, at = "", 0, [], 0
    while at < len(segment):
        sign = segment[at]
        klass = _SIGN_CLASS.match(segment, at)
        at += 1
        if sign == "*":
            parts.append((out, size))
            out, size = "", 0
            continue
        size += 1
        if sign == "?":
            out += "."
        elif klass:
            body = re.sub(r"\\(.)|([\[&~|])", lambda m: "\\" + (m[1] or m[2]) if not (m[1] or m[2]).isalnum() else m[1], klass[2], flags=re.S)
            out += f"[{'^' if klass[1] else ''}{body.replace(']', chr(92) + ']') if body.startswith(']') else body}]"
            at = klass.end()
        else:
            if sign == "\\" and at < len(segment):
                sign = segment[at]
                at += 1
            out += re.escape(sign)
    return tuple((re.compile(part, re.S), size) for part, size in (*parts, (out, size)))


_SIGN_CLASS = re.compile(r"\[([!^]?)((?:\]|\\.|[^\]\\])(?:\\.|[^\]\\])*)\]", re.S)


def _name_fits(parts: tuple, name: str) -> bool:
    """Whether a name fits: its start, its end, and the first place for each part between, which never has to be taken back."""
    (start, at), (end, size) = parts[0], parts[-1]
    if len(parts) == 1:
        return start.fullmatch(name) is not None
    if start.match(name) is None or end.fullmatch(name, max(0, len(name) - size)) is None:
        return False
    for part, _ in parts[1:-1]:
        found = part.search(name, at)
        if found is None:
            return False
        at = found.end()
    return at <= len(name) - size


def _path_fits(segments: tuple, names: list[str]) -> bool:
    """Whether a path fits a pattern. `**` (None) stands for any number of names; only the last one is ever tried again, so it takes at most
    one step for each name and segment."""
    if segments and segments[-1] is None and len(segments) > 1:  # `a/**`: what is inside a, not a itself
        segments = (*segments, _ANY_NAME)
    i = j = 0
    again: tuple[int, int] | None = None
    while j < len(names):
        if i < len(segments) and segments[i] is None:
            again = (i, j)
            i += 1
        elif i < len(segments) and _name_fits(segments[i], names[j]):
            i, j = i + 1, j + 1
        elif again:
            again = (again[0], again[1] + 1)
            i, j = again[0] + 1, again[1]
        else:
            return False
    return all(segment is None for segment in segments[i:])


_ANY_NAME = ((re.compile(""), 0), (re.compile(""), 0))


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
        if (is_folder or not rule.folders_only) and name.startswith(rule.base) \
                and _path_fits(rule.segments, name[len(rule.base):].split("/")):
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


def list_files(paths: list[str], suffixes: tuple[str, ...], at_most: int) -> tuple[list[tuple[str, str]], list[str]]:
    """Files and folders -> ((path, name) of every file to read, notes). Raises FileError when nothing of it can be read."""
    todo: list[tuple[str, str]] = []
    notes: list[str] = []
    closed = 0
    for path in paths:
        if not os.path.isdir(path):
            todo.append((path, os.path.basename(path)))
            continue
        above = path.replace(os.sep, "/").rstrip("/") + "/" if len(paths) > 1 else ""
        try:
            found, faults = files_in(path, suffixes, at_most)
        except OSError as error:
            notes.append(f"{file_slot(path)}: this folder cannot be read: {reason_of(error)}")
            closed += 1
            continue
        notes += [above + fault for fault in faults]
        todo += [(one.path, above + one.name) for one in found]
        if not found:
            notes.append(f"{file_slot(path)}: no source files in this folder")
    if closed == len(paths):
        raise FileError(notes[-1])
    return list(dict.fromkeys(todo)), notes


def files_in(folder: str, suffixes: tuple[str, ...], at_most: int) -> tuple[list[Found], list[str]]:
    """The files of a folder whose names end in one of `suffixes`, sorted by name -> (files, notes on what was left out).

    Raises OSError when the folder itself cannot be read; of folders in it only a note says so.
    """
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
            if where == folder:
                raise
            notes.append(f"{base[len(prefix):]}: this folder cannot be read: {reason_of(error)}")
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
                notes.append(f"{name[len(prefix):]}: cannot be read: {reason_of(error)}")
    found.sort(key=lambda one: one.name)
    if len(found) > at_most:
        notes.append(f"{folder}: {len(found)} files, more than {at_most}; the last {len(found) - at_most} by name were not read")
        del found[at_most:]
    return found, notes
