"""The turns of a session without its secrets: what extraction and the trail are given. A text without turns is one note."""
from __future__ import annotations

from .transcript import CallTurn, Tool, Turn


def clean_turns(session: object, redactor: object) -> list[Turn]:
    """The turns of a Session of `sessions.read`, every text, argument and output redacted; None as redactor leaves them as they are.

    All texts go through at once, so that a password named late is also found where it stood alone before.
    """
    turns = session.turns or ([Turn("doc", "note", session.text, None)] if session.text and not session.text.isspace() else [])
    if redactor is None:
        return turns
    texts = []
    for turn in turns:
        texts.append(turn.text)
        if turn.tool is not None:
            texts += (*turn.tool.arguments.values(), turn.tool.output)
    clean = iter(redactor.redact_all(texts))
    return [_clean(turn, clean) for turn in turns]


def _clean(turn: Turn, clean: object) -> Turn:
    made = (CallTurn if turn.tool is not None else Turn)(turn.role, turn.kind, next(clean), turn.ts)
    if turn.tool is not None:
        arguments = {name: next(clean) for name in turn.tool.arguments}
        made.tool = Tool(turn.tool.name, arguments, next(clean), turn.tool.failed)
    return made
