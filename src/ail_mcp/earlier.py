"""The statements of an earlier snapshot of the same session, so that only what was said since has to be chosen anew."""
from __future__ import annotations

import re

from .bindings import made_statement
from .errors import SnapshotError
from .extract import beliefs
from .snapshot import hydrate, parse

_SOURCE = re.compile(r"# source: .{0,2000}, turns 1-(\d{1,9})\s*\Z")
_AUTHORS = {"# user": "user", "# assistant": "assistant", "# note": "tool"}
_BONUS = 0.2                # it was chosen once


def earlier_statements(text: str, redact_all: object) -> tuple[int, list, list[str]]:
    """(the turn that it ends at, its statements, its @LOG lines) of a snapshot that `pack --budget` wrote; `redact_all` maps a list of texts.

    Raises SnapshotError, also where the snapshot does not say which turns it holds. The lines about files and calls are left out: the
    session tells them anew.
    """
    lines = redact_all(hydrate(parse(text)))
    ends = next((int(found[1]) for line in lines if (found := _SOURCE.match(line))), None)
    if ends is None:
        raise SnapshotError(0, "it does not say which turns of its session it holds",
                            "a snapshot that `pack --budget` wrote, with `# source: NAME, turns 1-N`")
    author, made, logs = "user", [], []
    for line in lines:
        tag, _, rest = line.partition(" ")
        if tag == "#":
            author = _AUTHORS.get(line, author)
        elif tag == "@LOG":
            logs.append(line)
        elif tag in ("@CTX", "@NEXT"):
            kind, _, words = rest.partition(" := ") if tag == "@CTX" else ("open", "", rest.removeprefix("?"))
            made += (_statement(part, kind, author) for part in words.split(" | ") if part.strip())
    return ends, made, logs


def _statement(words: str, kind: str, author: str) -> object:
    """A statement with the type that it had. A rule binds again only where its words do: the line says of what kind its most pressing part was."""
    made = made_statement(0, author, "", words, "", _BONUS)
    shares = beliefs(made)
    if kind in ("safety", "constraint"):
        kind = kind if shares.get("safety", 0.0) + shares.get("constraint", 0.0) >= 0.9 else ""
    made.sure = kind
    return made
