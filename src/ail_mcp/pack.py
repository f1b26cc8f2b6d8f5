"""A session, chat, notes or code to a snapshot: read, redact, write section lines, put pointers in. Nothing is left out by its meaning."""
from __future__ import annotations

from collections import namedtuple

from .cleanlines import without_secrets_in
from .errors import FileError, SnapshotError
from .pointers import point
from .prose import Blocks, code_lines, prose_lines
from .sessions import read
from .signatures import signatures
from .snapshot import MAX_INPUT, format_snapshot, hydrate, parse
from .statements import log_lines, next_lines
from .tokens import counters

Packed = namedtuple("Packed", "text plain notes")
Packed.__doc__ = """A snapshot; the plain text that it stands for, to compare sizes with; and what a person should be told about it, a line each."""

# Who said it, for each kind of turn that is carried; turns of other kinds are counted and left out.
_SPEAKER = {
    "human": "user", "steer": "user (while the agent worked)", "answer": "user (answer)", "preference": "user (preferences)",
    "abort": "user (interrupted)", "reply": "assistant", "call": "calls", "attachment": "attachment", "note": "note",
    "compact": "summary (second-hand)",
}
REDACTED_COMMENT = "# REDACTED_x_n stands for a removed value; the same name is the same value"
NOT_REDACTED = "# not redacted: this snapshot may hold secrets"


def pack(stream: object, name: str = "", *, redactor: object, log: tuple = (), tasks: tuple = (), pointers: bool = True) -> Packed:
    """Write a snapshot of what a binary stream holds: a session, chat, notes, Python source, or a snapshot (which stays what it is).

    `name` is the file's name, for the file slot of `@SIG` and for comments. `log` holds `approach|reason|replacement` texts and `tasks` open
    tasks; they stand at the end. `redactor` (a Redactor) removes secrets from all of it; None leaves them in and marks the snapshot so.
    Raises FileError and UsageError.
    """
    redact = redactor.redact if redactor else str
    name = clean_name(name, redact)
    source = read(stream, name or "the input")
    called = name or "the input"
    if source.text is None:
        comments, lines, plain = _session_body(source, name, redactor)
        notes = [comment.removeprefix("# ") for comment in comments[:1]]
    elif len(source.text) > MAX_INPUT // 2:  # each line gets a tag, and the snapshot has to be read back
        raise FileError(f"{called} has {len(source.text):,} characters of text; at most {MAX_INPUT // 2:,}: split it")
    else:
        notes = [redact(note) for note in source.notes if not note.startswith("format: ")]
        comments, lines, plain = TEXT_BODIES.get(source.format, _prose_body)(source.text, name, redactor, notes)
    said, about = log_lines(log, redact)
    lines += said + next_lines(tasks, redact)
    notes += about
    if not lines:
        raise FileError(f"{called} holds no text; give a session, a chat, notes or code")
    if redactor is None:
        comments.append(NOT_REDACTED)
    elif redactor.counts:
        comments.append(REDACTED_COMMENT)
    lines = [*(comment for comment in comments if comment not in lines), *lines]
    if sum(map(len, lines)) + len(lines) > MAX_INPUT - 2**16:  # the header and @MEM come on top
        raise FileError(f"{called} gives a snapshot of more than {MAX_INPUT:,} characters, the most that can be read back: split it")
    return Packed(format_snapshot(point(lines, counters()) if pointers else lines), plain, notes)


def clean_name(name: str, redact: object) -> str:
    """The name of a file on one line, whatever it is called, without its secrets."""
    return " ".join(redact(name.encode("utf-8", "replace").decode()).split())


def _session_body(session: object, name: str, redactor: object) -> tuple[list[str], list[str], str]:
    """(comments, lines, plain text) of a session: each turn behind the line that says whose it is."""
    turns = [turn for turn in session.turns if turn.kind in _SPEAKER]
    texts = [turn.text for turn in turns] + session.notes
    if redactor:  # all at once, so that a password named late is also found where it stood alone before
        texts = redactor.redact_all(texts)
    lines: list[str] = []
    plain: list[str] = []
    blocks = Blocks()
    speaker = ""
    for turn, text in zip(turns, texts):
        body = prose_lines(text, blocks)
        if body:
            if _SPEAKER[turn.kind] != speaker:
                speaker = _SPEAKER[turn.kind]
                lines.append("# " + speaker)
                plain.append(speaker + ":")
            lines += body
            plain.append(text)
    facts = "; ".join(texts[len(turns):])
    return [f"# source: {name or 'standard input'}; {facts}", *_blocks_comment(blocks)], lines, "\n".join(plain)


def _snapshot_body(text: str, name: str, redactor: object, notes: list[str]) -> tuple[list[str], list[str], str]:
    """A snapshot packs to itself: its comments and sections, with the pointers resolved so that they are chosen anew."""
    try:
        lines = hydrate(parse(text))
    except SnapshotError as error:
        notes.append(f"{name or 'the input'} begins like a snapshot but is none ({error}); it is packed as notes")
        return _prose_body(text, name, redactor, notes)
    if redactor:
        lines = without_secrets_in(lines, redactor)
    return [], lines, "\n".join(line.partition(" ")[2] for line in lines)


def _python_body(text: str, name: str, redactor: object, notes: list[str]) -> tuple[list[str], list[str], str]:
    """The signatures of Python source; its lines when it holds no function."""
    plain = redactor.redact(text) if redactor else text
    found = signatures(plain, name or "stdin", redact=redactor.redact if redactor else None)
    notes += found.notes
    return [], list(found.lines) or code_lines(plain), plain


def _prose_body(text: str, name: str, redactor: object, notes: list[str]) -> tuple[list[str], list[str], str]:
    plain = redactor.redact_document(text) if redactor else text
    blocks = Blocks()
    lines = prose_lines(plain, blocks)
    return _blocks_comment(blocks), lines, plain


TEXT_BODIES = {"snapshot": _snapshot_body, "python": _python_body}


def _blocks_comment(blocks: Blocks) -> list[str]:
    return [f"# Python blocks that stand as their signatures, each behind its [CodeBlock_N] mark: {blocks.count}"] if blocks.count else []
