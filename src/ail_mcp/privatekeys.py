"""Private keys in armour: PEM, OpenSSH, PGP, SSH2, PuTTY, and PEM inside base64; whole, cut off, escaped, quoted or numbered.

Only the body is a secret. The BEGIN and END lines stay, so that a reader still sees what stood there (RFC 7468, RFC 4880,
PuTTY's PPK). Time is linear: every marker is looked for once, from left to right, and a body has a cap.
"""
from __future__ import annotations

from .secretrules import ARMOURED
from .shapes import compiled, decode_base64

_PEM_BEGIN = r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_PEM_CAP = 40_000
_PEM_RUN = "[A-Za-z0-9+/=]{30}"
# What may stand between two pieces of a body: line ends (real or escaped), quote marks, diff signs, line numbers, string joins.
_PEM_GAP = r"""(?:\\{1,4}[nr]|[\r\n]|[ \t>|+"',;=-]|[0-9]{1,6}[\t:|\u2192]|\x1b\[[0-9;]{0,8}m){0,64}"""
_PEM_PIECE = "[A-Za-z0-9+/]{16,4096}={0,3}|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\\r\\n\\\\]{0,100}"
_PEM_LAST = r"[A-Za-z0-9+/]{2,15}={0,3}(?=\\{1,4}[nr]|[\r\n\"']|\Z)"
_PUTTY = r"Private-Lines: [0-9]{1,4}(?:\r\n|\n|\r|\\n)((?:[ \t>+]{0,8}[A-Za-z0-9+/=]{4,128}(?:\r\n|\n|\r|\\n|\Z)){1,200})"
_WRAPPED_PEM = "(?<![A-Za-z0-9+/])(?:LS0tLS1CRUdJTi|LS0tLSBCRUdJTi)[A-Za-z0-9+/\n\r]{60,40000}={0,2}"


def find_private_keys(text: str, spans: list) -> None:
    """Append the bodies of all private keys in the whole text."""
    if "PRIVATE KEY" in text:
        _find_armoured(text, spans)
    if "Private-Lines" in text:
        for match in compiled(_PUTTY).finditer(text):
            spans.append((match.start(1), match.start(1) + len(match[1].rstrip("\r\n\\n")), "private_key", ARMOURED))
    if "LS0tL" in text:
        for match in compiled(_WRAPPED_PEM).finditer(text):
            if b"PRIVATE KEY" in decode_base64(match[0][:80]):
                spans.append((match.start(), match.end(), "private_key", ARMOURED))


def _find_armoured(text: str, spans: list) -> None:
    done, stop = 0, -2  # `stop` is the next END marker at or behind the place being looked at
    for begin in compiled(_PEM_BEGIN).finditer(text):
        first = begin.end()
        if begin.start() < done:
            continue
        if stop != -1 and stop < first:
            stop = text.find("END ", first)
            while stop != -1 and text[stop - 1] not in "- ":
                stop = text.find("END ", stop + 4)
        limit = min(len(text), first + _PEM_CAP)
        closed = stop != -1 and stop < limit
        body = text[first:stop if closed else limit]
        for mark in ("\x00", "BEGIN "):
            if mark in body:
                body, closed = body[:body.index(mark)], False
        if not compiled(_PEM_RUN).search(body):
            continue
        if closed:
            last = first + len(body.rstrip("- \t>|+\r\n\"'"))
            while compiled(r"\\[nr]\Z").search(text[last - 2:last]):
                last = first + len(text[first:last].rstrip("rn")[:-1].rstrip("\\"))
        else:
            last = _end_of_body(text, first, first + len(body))
        first = compiled(_PEM_GAP).match(text, first, last).end()
        if last - first >= 40:
            spans.append((first, last, "private_key", ARMOURED))
            done = last


def _end_of_body(text: str, first: int, limit: int) -> int:
    """Where a body without an END line ends: behind the last piece that still looks like base64."""
    last = first
    while True:
        start = compiled(_PEM_GAP).match(text, last, limit).end()
        piece = compiled(_PEM_PIECE).match(text, start, limit)
        if not piece:
            break
        last = piece.end()
    tail = compiled(_PEM_LAST).match(text, start, limit) if last > first else None
    return tail.end() if tail else last
