"""Chat exports inside a zip archive: read in place, a bounded number of bytes, nothing written to disk."""
from __future__ import annotations

import io

from .errors import FileError

ZIP_LIMIT = 256 << 20       # bytes of all texts of an archive, unpacked, and of an archive that comes through a pipe
_ENTRIES_AT_MOST = 100      # files of one export
_ZIP_DAMAGED = "is a zip archive that is damaged or locked; expected an export as it was downloaded"


def zipped_texts(stream: object, head: bytes, name: str) -> object:
    """Yields a binary stream for each `conversations*.json` of an archive, in order of their names; `head` are the bytes that were read of it.
    Raises FileError for an archive without one, a damaged or locked one, and at the byte where its texts are more than ZIP_LIMIT."""
    import zipfile
    import zlib

    faults = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError, OSError)
    try:
        archive = zipfile.ZipFile(_rewound(stream, head, name))
        entries = sorted((entry for entry in archive.infolist() if _is_talk(entry.filename)), key=lambda entry: entry.filename)
        if not entries:
            raise FileError(f"{name} is a zip archive without conversations.json: unpack it first, and give the file that holds the session")
        if len(entries) > _ENTRIES_AT_MOST or sum(entry.file_size for entry in entries) > ZIP_LIMIT:
            raise _zip_too_large(name)
        room = ZIP_LIMIT
        for entry in entries:
            unpacked = _Unpacked(archive.open(entry), room, name, faults)
            yield io.BufferedReader(unpacked, 1 << 16)
            room = unpacked.room
    except faults:
        raise FileError(f"{name} {_ZIP_DAMAGED}") from None


def _is_talk(path: str) -> bool:
    last = path.rsplit("/", 1)[-1]
    return last.startswith("conversations") and last.endswith(".json")


def _rewound(stream: object, head: bytes, name: str) -> object:
    """A stream that can go back: the file itself, or what a pipe gives."""
    if stream.seekable():
        stream.seek(0)
        return stream
    data = head + stream.read(ZIP_LIMIT)
    if len(data) > ZIP_LIMIT:
        raise _zip_too_large(name)
    return io.BytesIO(data)


def _zip_too_large(name: str) -> FileError:
    return FileError(f"{name} is a zip archive with more than {ZIP_LIMIT >> 20} MiB of conversations; unpack it, and give one file")


class _Unpacked(io.RawIOBase):
    """A stream of an archive that ends with FileError after `room` bytes, whatever size the archive claims."""

    def __init__(self, packed: object, room: int, name: str, faults: tuple) -> None:
        self._packed, self.room, self._name, self._faults = packed, room, name, faults

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        try:
            part = self._packed.read(len(buffer))
        except self._faults:
            raise FileError(f"{self._name} {_ZIP_DAMAGED}") from None
        self.room -= len(part)
        if self.room < 0:
            raise _zip_too_large(self._name)
        buffer[:len(part)] = part
        return len(part)
