"""What a command ended with, if not well: an exit code, and one clear line for whatever went wrong."""
from __future__ import annotations

import os

from .errors import AilError
from .talk import say


def failed(error: BaseException) -> int:
    """Say what went wrong; returns the exit code. Raises the error again where it is none of a command's, such as the end of the process."""
    if isinstance(error, AilError):
        return _fail(str(error), error.code)
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that the interpreter's own flush at exit finds no broken pipe
        return 141
    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, OSError):
        return _fail(f"reading or writing failed: {(error.strerror or type(error).__name__).lower()}", 4)
    if isinstance(error, MemoryError):
        return _fail("out of memory; give a smaller file", 1)
    if not isinstance(error, Exception):
        raise error
    at = error.__traceback__
    while at.tb_next:
        at = at.tb_next
    # The message of an unforeseen error may hold the text that was worked on, so only its kind and place are told.
    place = f"line {at.tb_lineno} of {os.path.basename(at.tb_frame.f_code.co_filename)}"
    return _fail(f"internal error: {type(error).__name__} at {place}; please report it with the command that you ran", 1)


def _fail(message: str, code: int) -> int:
    """Say what went wrong. A file name or an argument may hold a secret, so a message that cannot be redacted is not said."""
    try:
        from .redact import redact
        message = redact(message).text
    except Exception:
        message = "an error, and the redactor failed on its message; please report it with the command that you ran"
    try:
        say(message)
    except BrokenPipeError:
        pass
    return code
