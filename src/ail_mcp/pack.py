"""A session, chat, notes or code to a snapshot: read, redact, write section lines, put pointers in. Nothing is left out by its meaning."""
from __future__ import annotations

from .cleanlines import without_secrets_in
from .documents import format_blocks, lines_in
from .errors import FileError, SnapshotError
from .pointers import point
from .prose import Blocks, code_lines, prose_lines
from .sessions import read
from .signatures import signatures
from .snapshot import HEADER, MAX_INPUT, each_hydrated, line_blocks, parse
from .statements import log_lines, next_lines
from .tokens import counters


class Packed:
    """A snapshot, in parts to be written one behind the other; the plain texts that it stands for, to compare sizes with; and what a person
    should be told about it, a line each."""

    __slots__ = ("parts", "said", "notes")

    def __init__(self, parts: list[str], said: list[str], notes: list[str]) -> None:
        self.parts, self.said, self.notes = parts, said, notes

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def plain_parts(self) -> list[str]:
        return [part for text in self.said for part in ("\n", text)][1:]

    @property
    def plain(self) -> str:
        return "".join(self.plain_parts)


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
        comments, blocks, plain = _session_body(source, name, redactor)
        notes = [comment.removeprefix("# ") for comment in comments[:1]]
    else:
        most = MAX_INPUT if source.format == "snapshot" else MAX_INPUT // 2  # each line of a text gets a tag, and the whole is to be read back
        if len(source.text) > most:
            raise FileError(f"{called} has {len(source.text):,} characters of text; at most {most:,}: split it")
        notes = [redact(note) for note in source.notes if not note.startswith("format: ")]
        comments, blocks, plain = TEXT_BODIES.get(source.format, _prose_body)(source.text, name, redactor, notes)
    stated, about = log_lines(log, redact)
    stated += next_lines(tasks, redact)
    blocks += line_blocks(stated)
    plain += [line.partition(" ")[2] for line in stated] if plain else []
    notes += about
    if not blocks:
        raise FileError(f"{called} holds no text; give a session, a chat, notes or code")
    blocks = with_comments([*comments, *redaction_mark(redactor)], blocks)
    size, most = sum(map(len, blocks)) + len(blocks), MAX_INPUT - 2**16  # the header and @MEM come on top
    if size > most:
        raise FileError(f"{called} gives a snapshot of {size:,} characters, since each of its {sum(1 for _ in lines_in(blocks)):,} lines gets a tag; "
                        f"at most {most:,} can be read back: split it into {-(-size // most)} parts, or take the best of it with --budget")
    plain = plain or [HEADER, *blocks, ""]  # a snapshot
    if pointers:
        blocks = point(blocks, counters())
    return Packed(format_blocks(blocks), plain, notes)


def redaction_mark(redactor: object) -> list[str]:
    """The comment line about redaction that a snapshot carries, if any."""
    return [NOT_REDACTED] if redactor is None else [REDACTED_COMMENT] if redactor.counts else []


def with_comments(comments: list[str], blocks: list[str]) -> list[str]:
    """Blocks of lines behind the comments that do not stand in them already: a packed snapshot packs to itself."""
    there = {line for line in lines_in(blocks) if line.startswith("#")} if comments else ()
    return [*(comment for comment in comments if comment not in there), *blocks]


def clean_name(name: str, redact: object) -> str:
    """The name of a file on one line, whatever it is called, without its secrets."""
    return " ".join(redact(name.encode("utf-8", "replace").decode()).split())


def _session_body(session: object, name: str, redactor: object) -> tuple[list[str], list[str], list[str]]:
    """(comments, blocks of lines, plain texts) of a session: each turn behind the line that says whose it is."""
    turns = [turn for turn in session.turns if turn.kind in _SPEAKER]
    texts = [turn.text for turn in turns] + session.notes
    if redactor:  # all at once, so that a password named late is also found where it stood alone before
        texts = redactor.redact_all(texts)
    speakers = [_SPEAKER[turn.kind] for turn in turns]
    facts = "; ".join(texts[len(turns):])
    plain: list[str] = []
    code = Blocks()

    def lines() -> object:
        before = ""
        for speaker, text in zip(speakers, texts):
            body = prose_lines(text, code)
            first = next(body, None)
            if first is None:
                continue
            if speaker != before:
                before = speaker
                yield "# " + speaker
                plain.append(speaker + ":")
            yield first
            yield from body
            plain.append(text)

    blocks = line_blocks(lines())
    return [f"# source: {name or 'standard input'}; {facts}", *_blocks_comment(code)], blocks, plain


def _snapshot_body(text: str, name: str, redactor: object, notes: list[str]) -> tuple[list[str], list[str], list[str]]:
    """A snapshot packs to itself: its comments and sections, with the pointers resolved so that they are chosen anew. What it is compared
    with is itself without pointers, since there is no plainer text that says the same."""
    try:
        blocks = line_blocks(line for _, line in each_hydrated(parse(text)))
    except SnapshotError as error:
        notes.append(f"{name or 'the input'} begins like a snapshot but is none ({error}); it is packed as notes")
        return _prose_body(text, name, redactor, notes)
    if redactor:
        blocks = line_blocks(without_secrets_in(lines_in(blocks), redactor))
    return [], blocks, []


def _python_body(text: str, name: str, redactor: object, notes: list[str]) -> tuple[list[str], list[str], list[str]]:
    """The signatures of Python source; its lines when it holds no function."""
    plain = redactor.redact(text) if redactor else text
    found = signatures(plain, name or "stdin", redact=redactor.redact if redactor else None)
    notes += found.notes
    return [], line_blocks(found.lines or code_lines(plain)), [plain]


def _prose_body(text: str, name: str, redactor: object, notes: list[str]) -> tuple[list[str], list[str], list[str]]:
    plain = redactor.redact_document(text) if redactor else text
    code = Blocks()
    blocks = line_blocks(prose_lines(plain, code))
    return _blocks_comment(code), blocks, [plain]


TEXT_BODIES = {"snapshot": _snapshot_body, "python": _python_body}


def _blocks_comment(code: Blocks) -> list[str]:
    return [f"# Python blocks that stand as their signatures, each behind its [CodeBlock_N] mark: {code.count}"] if code.count else []
