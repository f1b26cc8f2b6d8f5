"""Files in and out: opened, written and named as if an attacker had chosen them."""
from __future__ import annotations

import os
import sys

from .errors import FileError


def open_input(path: str) -> object:
    """A binary stream: the file, or standard input for `-`. Raises FileError for what is missing, a folder or not ours to read."""
    if path == "-":
        return sys.stdin.buffer
    try:
        if os.path.isdir(path):
            raise FileError(f"{path} is a folder; give a file (only `sig` takes folders)")
        return open(path, "rb")
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path}: {_reason(error)}") from None


def read_text(path: str, limit: int) -> str:
    """The text of a UTF-8 file or standard input, at most `limit` characters. Raises FileError."""
    with open_input(path) as stream:
        try:
            data = stream.read(4 * limit + 1)
        except OSError as error:
            raise FileError(f"cannot read {path}: {_reason(error)}") from None
    if b"\0" in data[:4096]:
        raise FileError(f"{path} looks binary (a NUL byte); give text in UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{path}, line {line}: not UTF-8; give text in UTF-8") from None
    if len(text) > limit:
        raise FileError(f"{path} is too long; at most {limit:,} characters can be read: split it")
    return text


def write_new(path: str, text: str, force: bool = False) -> None:
    """Write a whole file or nothing: a file that is there stays unless `force`, links are replaced and never followed, mode 0600.

    With `force` a device or pipe is written to as it is. Raises FileError.
    """
    data = text.encode("utf-8")
    folder, name = os.path.split(path)
    if not name:
        raise FileError(f"cannot write {path}: it names no file")
    try:
        if force and os.path.exists(path) and not os.path.isfile(path):
            if os.path.isdir(path):
                raise FileError(f"cannot write {path}: it is a folder")
            with open(path, "wb") as out:
                out.write(data)
            return
        if not force and os.path.lexists(path):
            raise _there_already(path)
        _write_whole(folder, path, data, force)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write {path}: {_reason(error)}") from None


def _write_whole(folder: str, path: str, data: bytes, force: bool) -> None:
    """Write beside the target, then give it its name in one step; a half-written file never has the name."""
    part = os.path.join(folder, f".ail-{os.getpid()}.tmp")
    number = 0
    while os.path.lexists(part):  # left by a process that was killed
        number += 1
        part = os.path.join(folder, f".ail-{os.getpid()}-{number}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(part, flags, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if force:
            os.replace(part, path)
            return
        try:
            os.link(part, path)  # fails where a file has come meanwhile, unlike a rename
        except FileExistsError:
            raise _there_already(path) from None
        except OSError:  # a file system without hard links: take the name first, so that nobody else's file is replaced
            os.close(os.open(path, flags, 0o600))
            try:
                os.replace(part, path)
            except OSError:
                os.unlink(path)
                raise
    finally:
        if os.path.lexists(part):
            os.unlink(part)


def _there_already(path: str) -> FileError:
    return FileError(f"{path} is there already; choose another name, or --force to replace it")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return "the name holds a character that no file name may have"


def is_terminal(stream: object) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False

