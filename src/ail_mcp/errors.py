"""What can go wrong, said so that a person can mend it: what, where, what was expected, what to try."""
from __future__ import annotations


class AilError(Exception):
    """An error for the user's eyes: one line of text, and the exit code that goes with it.

    The codes are those of every command: 1 internal, 2 usage, 3 invalid snapshot or failed check, 4 file trouble.
    Messages never carry the text that was being worked on, since that text may hold a secret.
    """

    code = 1


class UsageError(AilError):
    """The caller asked for something that cannot be done; the message says what to ask instead."""

    code = 2


class SnapshotError(AilError):
    """A text is not a valid AILv1 snapshot. `line` is the number of the offending line, from 1; 0 means the whole text."""

    code = 3

    def __init__(self, line: int, fault: str, expected: str) -> None:
        super().__init__(f"line {line}: {fault}; expected {expected}" if line else f"{fault}; expected {expected}")
        self.line = line
        self.fault = fault
        self.expected = expected


class BudgetError(AilError):
    """What must be kept does not fit into the budget; the message says how many tokens it needs."""

    code = 3


class FileError(AilError):
    """A file cannot be read or written: missing, a folder, no permission, binary, too large."""

    code = 4
