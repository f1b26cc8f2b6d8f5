"""What a person states beside the text: rejected approaches (`@LOG`) and open tasks (`@NEXT`), made to fit the grammar."""
from __future__ import annotations

import re

from .errors import UsageError

_NOT_IDENTIFIER = re.compile(r"[^A-Za-z0-9_./:-]+")
_LOG_FORM = "approach|reason|replacement, such as 'sync_ping|timeout on large subnets|async_arp_scan'"


def log_lines(entries: tuple[str, ...], redact: object) -> tuple[list[str], list[str]]:
    """(`@LOG` lines, notes for the person) of `approach|reason|replacement` texts; `redact` takes secrets out of a text.

    An approach has to be an identifier: words are joined with `_`, and where that loses more than spaces the words as they were
    stand before the reason. Raises UsageError for an entry that is not of this form.
    """
    lines, notes = [], []
    for number, entry in enumerate(entries, 1):
        parts = [_one_line(part) for part in redact(entry).split("|", 2)]
        if len(parts) != 3 or not all(parts):
            raise UsageError(f"--log entry {number} has {len([p for p in parts if p])} of its 3 parts; expected {_LOG_FORM}")
        words, reason, replacement = parts[0].removeprefix("!").strip(), parts[1], parts[2].removeprefix("^").strip()
        approach = _NOT_IDENTIFIER.sub("_", words).strip("_") or f"approach_{number}"
        if approach != words:
            notes.append(f"--log entry {number}: the approach is written as the identifier {approach}")
            if approach != "_".join(words.split()):
                reason = f"{words}: {reason}"
        if not replacement:
            raise UsageError(f"--log entry {number} has 2 of its 3 parts; expected {_LOG_FORM}")
        lines.append(f"@LOG !{approach}({reason.replace(') -> ^', ')->^')}) -> ^{replacement}")
    return lines, notes


def next_lines(tasks: tuple[str, ...], redact: object) -> list[str]:
    """One `@NEXT` line for all open tasks, or none. Raises UsageError for an empty task."""
    words = []
    for number, task in enumerate(tasks, 1):
        text = _one_line(redact(task)).lstrip("? ")
        while " ?" in text:  # would begin another task
            text = text.replace(" ?", "?")
        if not text:
            raise UsageError(f"--next entry {number} is empty; expected the task in a few words")
        words.append(" ?" + text)
    return ["@NEXT" + "".join(words)] if words else []


def _one_line(text: str) -> str:
    """White space folded; bytes of a command line that are no UTF-8 become question marks."""
    return " ".join(text.encode("utf-8", "replace").decode().split())
