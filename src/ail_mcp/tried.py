"""Was it tried? The rejections and decisions of snapshots and sessions that speak of an idea, with reason, replacement and place.

A `@LOG` line is two records: what was rejected, and what was taken in its place. In a session every statement counts that turns something down or
settles it, also those that no summary has room for.
"""
from __future__ import annotations

import collections
import io
import re
from collections import namedtuple
from math import log

from .cleanturns import clean_turns
from .commitments import clean_lines, read_line
from .errors import FileError
from .extract import beliefs
from .said import statements
from .sessions import read
from .sources import sources
from .transcript import Turn
from .wording import CUE_STEMS, LIGHT_STEMS, STOP_WORDS, near_stems, stem

Record = namedtuple("Record", "verdict option reason instead source place span words share", defaults=(0.0,))
Record.__doc__ = """`verdict` is rejected or decided; `option`, `reason` and `instead` are texts, empty where nobody said; `source` is the file,
`place` "line 4" or "turn 3", `span` (start, end) in that turn or (0, 0), `words` what stands there, `share` how much of the idea is in it."""

RECORDS_AT_MOST = 5
_SPEAKS_OF_FROM = 0.6       # share of the idea
_COVERED_FROM = 0.34        # share of the idea, where the whole option is in it
_BELIEVED_FROM = 0.25       # how sure extraction is that a statement turns something down, or settles it
_CUE_FROM = 3               # or how plain a cue for either is
_WORD_OR_NAME = re.compile(r"[^\W_]+(?:[_./:-]+[^\W_]+)*")
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_WHY = re.compile(r"\b(?:because|since|due to|given that|the reason (?:is|was)|as it|as they)\b:?\s*([^\n.;]{3,300})|\(([^()\n]{6,300})\)", re.I)
_INSTEAD = re.compile(
    r"\b(?:switch(?:ed|ing)? to|moved? to|replac(?:ed|ing)(?: \w+){0,3} (?:by|with)|in favou?r of|go(?:ing)? with|went with|"
    r"instead,? (?:we )?(?:use|used|using)|use)\s+([^\n.;,()]{2,120})", re.I)
_NO_LONGER = re.compile(r"\b(?:was|were) (?:rejected|dropped|abandoned)|\b(?:not|never|no longer|n't)\b.{0,20}\buse", re.I)


def was_it_tried(idea: str, files: list[tuple[str, bytes]], redactor: object) -> tuple[list[Record], int]:
    """(the records that speak of the idea, the best first, how many records there are). `files` are (name, content). Raises FileError."""
    records = [record for name, data in files for record in _records(name, data, redactor)]
    wanted = _keys(redactor.redact(idea))
    spread = collections.Counter(key for record in records for key in _key_set(_found_by(record)))
    scored = []
    for order, record in enumerate(records):
        share = _share_of_idea(wanted, record, spread, len(records))
        if share:
            scored.append((-share, record.verdict != "rejected", -order, record._replace(share=round(share, 2))))
    best = {}
    for *_, record in sorted(scored):
        best.setdefault((record.verdict, record.option or record.words), record)
    return list(best.values())[:RECORDS_AT_MOST], len(records)


# ---- what was rejected and decided


def _records(name: str, data: bytes, redactor: object) -> list[Record]:
    session = read(io.BytesIO(data), name, tools=True)
    if session.format == "snapshot":
        return _of_snapshot(name, session.text, redactor)
    turns = clean_turns(session, redactor)
    if not turns:
        raise FileError(f"{name or 'the input'} holds no talk; give a snapshot, a session or notes")
    return _of_turns(name, turns, "turn" if session.turns else "line")


def _of_snapshot(name: str, text: str, redactor: object) -> list[Record]:
    """The typed lines, and what stands in the talk."""
    records, talk = [], []
    for number, line in clean_lines(text, redactor, name):
        place, atoms = f"line {number}", read_line(line)
        if not atoms and line.startswith("@CTX "):
            talk.append((place, line[5:]))
        for atom in atoms:
            if line.startswith("@LOG "):
                said = {key: _words_apart(str(value)) for key, value in atom.value}
                option = " ".join(part for part in (atom.subject, said["option"]) if part)
                records.append(Record("rejected", option, said["reason"], said["instead"], name, place, (0, 0), line))
                records.append(Record("decided", said["instead"], f"in place of {option}: {said['reason']}", "", name, place, (0, 0), line))
            elif atom.type in ("rejection", "decision"):
                records.append(_record("rejected" if atom.type == "rejection" else "decided", line.partition(" := ")[2], name, place, (0, 0)))
    found = _of_turns(name, [Turn("doc", "note", words, None) for _, words in talk], "line")
    return records + [record._replace(place=talk[int(record.place.split()[1]) - 1][0]) for record in found]


def _words_apart(text: str) -> str:
    """Words that an identifier had to join are words again; a text that has spaces keeps its names."""
    return text if " " in text else text.replace("_", " ")


def _of_turns(name: str, turns: list, unit: str) -> list[Record]:
    records = []
    for statement in statements(sources(turns), 0):
        believed, cues = beliefs(statement), statement.cues
        rejects, decides = believed.get("rejection", 0.0), believed.get("decision", 0.0)
        said = max(rejects, decides) >= _BELIEVED_FROM or max(cues["rejection"], cues["decision"]) >= _CUE_FROM
        if statement.author != "tool" and said:
            verdict = "rejected" if rejects >= decides or _NO_LONGER.search(statement.text) else "decided"
            words = f"{statement.context}: {statement.text}" if statement.context else statement.text
            place = f"{unit} {statement.turn}"
            records.append(_record(verdict, words, name, place, (statement.start, statement.end)))
    return records


def _record(verdict: str, words: str, name: str, place: str, span: tuple[int, int]) -> Record:
    """A record from a sentence: its reason and replacement where it names them."""
    why, instead = _WHY.search(words), _INSTEAD.search(words)
    reason = (why[1] or why[2]).strip() if why else ""
    other = instead[1].strip().removesuffix(" instead") if instead and verdict == "rejected" else ""
    return Record(verdict, "", reason, other, name, place, span, words)


# ---- whether a record speaks of the idea


def _keys(text: str) -> list[tuple[str, ...]]:
    """For each word or name that says something, the stems of its pieces: `FastAPI_BackgroundTasks` is fast, api, background, task."""
    found = {}
    for run in _WORD_OR_NAME.findall(text):
        pieces = tuple(stem(piece.casefold()) for piece in _NAME_PART.findall(run) if piece.casefold() not in STOP_WORDS)
        if pieces:
            found[pieces] = None
    telling = [pieces for pieces in found if not all(piece in LIGHT_STEMS or piece in CUE_STEMS for piece in pieces)]
    return telling or list(found)


def _key_set(text: str) -> set:
    """All that a text can be met by: the stems of all pieces, neighbours written as one word, and rows of near synonyms (numbers)."""
    pieces = [stem(piece.casefold()) for run in _WORD_OR_NAME.findall(text) for piece in _NAME_PART.findall(run)]
    near = (row for piece in pieces for row in near_stems(piece))
    return {*pieces, *near, *map("".join, zip(pieces, pieces[1:])), *map("".join, zip(pieces, pieces[1:], pieces[2:]))}


def _found_by(record: Record) -> str:
    """What a record is found by: a rejected option with its reason, a chosen one alone, else the sentence."""
    return record.words if not record.option else record.option if record.verdict == "decided" else f"{record.option} {record.reason}"


def _share_of_idea(wanted: list[tuple[str, ...]], record: Record, spread: collections.Counter, total: int) -> float:
    """How much of the idea the record holds, 0 where it speaks of something else."""
    here = _key_set(_found_by(record))
    weight = {pieces: sum(log(2 + total / (1 + spread[piece])) for piece in pieces) for pieces in wanted}
    share = sum(weight[pieces] * _met(pieces, here) for pieces in wanted) / (sum(weight.values()) or 1.0)
    if share >= _SPEAKS_OF_FROM:
        return share
    option = _keys(record.option)
    asked = _key_set(" ".join(" ".join(pieces) for pieces in wanted))
    covered = option and all(_met(pieces, asked) == 1 for pieces in option)
    return share if covered and share >= _COVERED_FROM else 0.0


def _met(pieces: tuple[str, ...], keys: set) -> float:
    """How much of a word or name is there: 1 the same, 0.8 another word for it."""
    if "".join(pieces) in keys:
        return 1.0
    met = sum(1.0 if piece in keys else 0.8 if not near_stems(piece).isdisjoint(keys) else 0.0 for piece in pieces)
    return met / len(pieces)


# ---- the answer


def tried_text(idea: str, records: list[Record], total: int, files: int) -> str:
    """The answer for a person: a block for each record, or one line that says that there is none."""
    if not records:
        return f"no record of `{_cut_line(idea, 100)}`: {total} rejections and decisions in {files} file{'s' * (files != 1)}\n"
    return "".join(map(_record_text, records))


def _record_text(record: Record) -> str:
    lines = [f"{record.verdict}  {_cut_line(record.option or record.words, 200)}"]
    lines += [f"  {name}: {_cut_line(text, 300)}" for name, text in (("why", record.reason), ("instead", record.instead)) if text]
    where = f"{record.source or 'standard input'}, {record.place}" + (f", characters {record.span[0]}-{record.span[1]}" if record.span[1] else "")
    return "\n".join([*lines, f"  at: {where}" + (f": {_cut_line(record.words, 300)}" if record.option else "")]) + "\n"


def _cut_line(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 3] + "..."
