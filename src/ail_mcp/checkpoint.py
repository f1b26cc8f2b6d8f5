"""A checkpoint: a snapshot kept as a new file `<name>.ail` in one folder.

The caller may be a model that was talked into something, so there is little to ask for: no folder in the name, nothing that exists is
ever replaced, no link is followed, only the owner can read the file, and what is written is a valid snapshot without secrets.
"""
from __future__ import annotations

import os
import re
from collections import namedtuple

from .cleanlines import without_secrets_in
from .documents import format_snapshot
from .errors import FileError, UsageError
from .newfile import write_new
from .redact import Redactor
from .snapshot import hydrate, parse, plain_ends

CHECKPOINT_SUFFIX = ".ail"
CHECKPOINT_NAME_LENGTH = 64  # characters; with the suffix and a temporary name far below the 255 bytes of common file systems

# Device names that Windows reserves in every folder, also with an extension behind them (learn.microsoft.com, "Naming Files").
_DEVICE_NAME = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)
_NAME_RULE = f"1 to {CHECKPOINT_NAME_LENGTH} letters, digits, '.', '_' or '-', beginning with a letter, a digit or '_'"

Checkpoint = namedtuple("Checkpoint", "file size redacted")
Checkpoint.__doc__ = "What was written: the file name in its folder, its size in bytes, and how many secrets of each kind were taken out."


def save_checkpoint(name: str, snapshot: str, folder: str = ".") -> Checkpoint:
    """Write `snapshot` to the new file `<name>.ail` in `folder`, mode 0600, whole or not at all.

    Raises UsageError for the name, SnapshotError for the text, FileError when the file exists or cannot be written.
    """
    file = checkpoint_file(name)
    text, redacted = checkpoint_text(snapshot)
    target = os.path.join(folder, file)
    try:
        write_new(target, [text])
    except FileError as error:
        if os.path.lexists(target):  # also a link to nowhere
            raise FileError(f"{file} exists already and is never overwritten; choose another checkpoint name") from None
        raise FileError(f"{error}; checkpoints go to the server's working directory: start it in a folder that can be written to "
                        "(`cwd` in the configuration of many clients)") from None
    return Checkpoint(file, len(text.encode("utf-8")), redacted)


def checkpoint_file(name: str) -> str:
    """The file name for a checkpoint's name; `.ail` at its end may be given or not.

    Raises UsageError for a name that could leave the folder, hide, be a device or look like an option, or that holds a secret. The
    message never repeats the name: it may be the secret.
    """
    if name.lower().endswith(CHECKPOINT_SUFFIX):
        name = name[:-len(CHECKPOINT_SUFFIX)]
    if not name:
        raise UsageError(f"the checkpoint name is empty; expected {_NAME_RULE}")
    if len(name) > CHECKPOINT_NAME_LENGTH:
        raise UsageError(f"the checkpoint name has {len(name):,} characters; expected {_NAME_RULE}")
    if Redactor().redact(name) != name:
        raise UsageError("the checkpoint name looks like a secret or an address; choose one made of plain words")
    for position, letter in enumerate(name, 1):
        if not (letter.isascii() and letter.isalnum() or letter in "._-"):
            raise UsageError(f"character {position} of the checkpoint name is not allowed (a name, not a path); expected {_NAME_RULE}")
    if name[0] in ".-" or name[-1] == ".":
        raise UsageError(f"the checkpoint name begins with '.' or '-', or ends with '.'; expected {_NAME_RULE}")
    if _DEVICE_NAME.match(name):
        raise UsageError("the checkpoint name is a device name on Windows; choose another, such as one with the topic in it")
    return name + CHECKPOINT_SUFFIX


def checkpoint_text(snapshot: str) -> tuple[str, dict[str, int]]:
    """The text to write for a snapshot, and the secrets taken out of it by kind: redacted, valid, `\\n` line ends.

    A pointer can cut a secret in two (`$1` for its first half), so the text is also looked at with its pointers resolved; when a
    secret shows only there, it is the resolved text that is written. Raises SnapshotError when the text is no AILv1 snapshot.
    """
    redactor = Redactor()
    parsed = parse(snapshot.removeprefix("\ufeff"))
    lines = hydrate(parsed)
    clean = list(without_secrets_in(lines, redactor))
    names = list(parsed.pointers.values())
    if clean == lines and redactor.redact_all(names) == names:
        text = plain_ends(snapshot.removeprefix("\ufeff").rstrip("\r\n")) + "\n"
    else:
        text = format_snapshot(clean)
    return text, dict(redactor.counts)
