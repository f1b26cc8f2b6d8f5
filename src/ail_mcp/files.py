"""Files in: what can be read, and one clear reason for what cannot."""
from __future__ import annotations

import os
import sys

from .errors import FileError


def open_input(path: str) -> object:
    """A binary stream: the file, or standard input for `-`. Raises FileError for what is missing, a folder or not ours to read."""
    if path == "-":
        if sys.stdin is None:
            raise FileError("standard input is closed; give -f FILE")
        return sys.stdin.buffer
    try:
        if os.path.isdir(path):
            raise FileError(f"{path} is a folder; give a file (only `sig` takes folders)")
        return open(path, "rb")
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {path}: {reason_of(error)}") from None


def read_text(path: str, limit: int) -> str:
    """The text of a UTF-8 file or standard input, at most `limit` characters. Raises FileError."""
    with open_input(path) as stream:
        try:
            data = stream.read(4 * limit + 1)
        except OSError as error:
            raise FileError(f"cannot read {path}: {reason_of(error)}") from None
    if len(data) > 4 * limit:
        raise _too_long(path, limit)
    if b"\0" in data[:4096]:
        raise FileError(f"{path} looks binary (a NUL byte); give text in UTF-8")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{path}, line {line}: not UTF-8; give text in UTF-8") from None
    if len(text) > limit:
        raise _too_long(path, limit)
    return text


def _too_long(path: str, limit: int) -> FileError:
    return FileError(f"{path} is too long; at most {limit:,} characters can be read: split it")


def reason_of(error: Exception) -> str:
    """Why a file could not be opened, in words that hold nothing of the file."""
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return "the name holds a character that no file name may have"


def is_terminal(stream: object) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False

