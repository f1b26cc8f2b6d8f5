"""Files out: whole or not at all, never over a file that is there unless that is asked for, never through a link."""
from __future__ import annotations

import os
import sys

from .errors import FileError
from .files import reason_of


def write_new(path: str, parts: list[str], force: bool = False) -> None:
    """Write a whole file, from texts that follow one another, or nothing: a file that is there stays unless `force`, links are replaced
    and never followed, mode 0600.

    With `force` a device or pipe is written to as it is. Raises FileError.
    """
    folder, name = os.path.split(path)
    if not name:
        raise FileError(f"cannot write {path}: it names no file")
    try:
        if force and os.path.exists(path) and not os.path.isfile(path) and not os.path.islink(path):
            if os.path.isdir(path):
                raise FileError(f"cannot write {path}: it is a folder")
            with open(path, "wb") as out:
                _write_parts(out, parts)
            return
        if not force and os.path.lexists(path):
            raise _there_already(path)
        _write_whole(folder, path, parts, force)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write {path}: {reason_of(error)}") from None


def standard_stream(path: str) -> object:
    """The stream that a path is another name of, such as /dev/stdout, which is a link that must not be replaced; else None."""
    try:
        there = os.stat(path)
    except (OSError, ValueError):
        return None
    for stream in (sys.stdout, sys.stderr):
        try:
            if there.st_ino and os.path.samestat(there, os.fstat(stream.fileno())):
                return stream
        except (AttributeError, OSError, ValueError):  # closed, or none of the system's
            pass
    return None


def must_be_free(path: str) -> None:
    """Raise FileError where something has that name, before work is done for a file that cannot be written."""
    if os.path.lexists(path):
        raise _there_already(path)


def _write_whole(folder: str, path: str, parts: list[str], force: bool) -> None:
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
            _write_parts(out, parts)
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


def _write_parts(out: object, parts: list[str]) -> None:
    for part in parts:
        out.write(part.encode("utf-8", "replace"))


def _there_already(path: str) -> FileError:
    return FileError(f"{path} is there already; choose another name, or --force to replace it")
