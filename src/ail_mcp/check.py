"""A source and a summary to verdicts: what happened to each commitment, what the summary says that nobody did, and the measures.

Both sides are redacted before anything is compared, by one redactor, so that a value has the same name on both.
"""

from __future__ import annotations

import io
import json
from collections import namedtuple

from .atoms import TYPES, Atom, is_map
from .beside import Context, Rule, binding
from .claims import Knowledge
from .errors import FileError, SnapshotError, UsageError
from .evidence import SourceValues, all_strings
from .inventions import Invention, inventions
from .matching import TextIndex, Weights, partners
from .passages import plain_words
from .redact import Redactor
from .sessions import read
from .snapshot import hydrate, parse
from .tokens import counter
from .verdicts import SEVERITY, is_safety, judge

Commitment = namedtuple("Commitment", "id statement type criticality quotes", defaults=("fact", 0, ()))
Commitment.__doc__ = (
    """A commitment to look for: its id, the sentence, its type and criticality (0: the usual one), and words of the source that it comes from."""
)
Checked = namedtuple("Checked", "verdicts hallucinated measures notes sides doubtful", defaults=(((), ()), ()))
Checked.__doc__ = (
    """`verdicts`, `hallucinated` and `doubtful` are lists of plain dicts as `--json` prints them, `measures` a dict, `notes` lines for a person;
    `sides` are the parts of both texts, without secrets, that the spans count in."""
)

SOURCE_BYTES_AT_MOST = 256 << 20
COMMITMENTS_AT_MOST = 100_000
COMMITMENT_AT_MOST = 4_000  # characters

_GOLD_TYPES = {"rejected": "rejection"}
_MODAL_PHRASES = {
    "must_not": "must not be",
    "should_not": "should not be",
    "must": "must be",
    "should": "should be",
    "may": "may be",
    "was_rejected": "was rejected:",
    "open": "open:",
    "is": "",
}


def check(
    source: bytes,
    summary: bytes,
    commitments: list,
    *,
    names: tuple = ("the source", "the summary"),
    redactor: object = None,
    name: object = None,
) -> Checked:
    """Judge each commitment, and each claim of the summary. `name` maps a word to what a lexicon calls it. Raises FileError for a side that
    cannot be read."""
    redactor = redactor or Redactor()
    said, turns = _side_texts(source, names[0])
    told, _ = _side_texts(summary, names[1])
    clean = redactor.redact_all(said + told)
    said, told = clean[: len(said)], clean[len(said) :]
    source_index, index = TextIndex(*said, name=name), TextIndex(*told, name=name)
    weights = Weights(source_index, index)
    strings, edits = all_strings(source)
    values = SourceValues([*strings, *said], edits)
    context = Context(index, source_index, weights, values.holds)
    verdicts, aside = [], []
    statements = redactor.redact_all([commitment.statement for commitment in commitments])
    for commitment, statement in zip(commitments, statements):
        rule = Rule(statement, weights, is_safety(commitment.type, statement))
        said = _said_in(rule, source_index, weights)
        judged = judge(rule, context, said)
        aside += (
            Invention(
                index.text[match.start : match.end],
                match.start,
                match.end,
                f"against {commitment.id}: {change.reason}",
                change.verdict,
                change.confidence,
            )
            for change, match in judged.beside
        )
        verdicts.append(
            {
                "id": commitment.id,
                "verdict": judged.verdict,
                "statement": statement,
                "type": commitment.type,
                "criticality": commitment.criticality or _usual(rule, commitment.type),
                "source": _source_span(source_index, said),
                "summary": _span(index, judged.match),
                "reason": judged.reason,
                "confidence": judged.confidence,
            }
        )
    knowledge = Knowledge(source_index, index, TextIndex(*statements, name=name), weights)
    found = inventions(index, source_index, knowledge, values, turns, aside) if index.passages else ([], [])
    hallucinated, doubtful = ([_claim_told(each, index) for each in flags] for flags in found)
    told = measures(verdicts, hallucinated, source_index.text, index.text)
    return Checked(verdicts, hallucinated, told, [], (source_index.parts, index.parts), doubtful)


def _claim_told(flag: Invention, index: TextIndex) -> dict:
    return {"claim": flag.claim, "summary": _span(index, flag), "reason": flag.reason, "kind": flag.kind, "confidence": flag.confidence}


def _side_texts(data: bytes, name: str) -> tuple[list, list]:
    """The texts of one side, a part for each turn, and (role, kind) of each part; a snapshot as sentences."""
    session = read(io.BytesIO(data), name)
    if session.text is None or session.turns:
        turns = [turn for turn in session.turns if turn.kind != "withdrawn"]
        if turns:
            return [turn.text for turn in turns], [(turn.role, turn.kind) for turn in turns]
        if session.text is None:
            raise FileError(f"{name} holds no talk; give a session, a summary or notes")
    if session.format == "snapshot":
        try:
            return ["\n\n".join(map(_sentence, hydrate(parse(session.text))))], [("doc", "note")]
        except SnapshotError:
            pass
    return [session.text], [("doc", "note")]


_SECTION_WORDS = {"@LOG": "Rejected: ", "@NEXT": "Open: "}


def _sentence(line: str) -> str:
    """A section line as a sentence: `!x(why) -> ^y` was rejected in favour of y."""
    tag, _, body = line.partition(" ")
    if tag == "@LOG":
        body = body.removeprefix("!").replace("(", " because ", 1).replace(") -> ^", "; replaced by ", 1)
    elif tag == "@NEXT":
        body = body.removeprefix("?").replace(" ?", "; ")
    elif line.startswith("#"):
        return line
    else:
        body = body.replace(" := ", ": ").replace("->", " -> ")
    return _SECTION_WORDS.get(tag, "") + body


def _span(index: TextIndex, match: object) -> dict | None:
    if match is None:
        return None
    part, start = index.part_of(match.start)
    return {
        "text": index.text[match.start : match.end],
        "part": part + 1,
        "start": start,
        "end": start + match.end - match.start,
        "line": index.line_of(match.start),
    }


def _said_in(rule: Rule, index: TextIndex, weights: Weights) -> object:
    """The passage of the source that says it, as far as that can be told; None where no passage holds a third of it."""
    best = max(partners(rule.words, index, weights, 4), key=lambda match: (match.own, -match.place), default=None)
    return best if best is not None and best.own >= 0.33 else None


def _source_span(index: TextIndex, said: object) -> dict | None:
    if said is None:
        return None
    part, start = index.part_of(said.start)
    return {"turn": part + 1, "text": index.text[said.start : said.end], "start": start, "end": start + said.end - said.start}


def _usual(rule: Rule, kind: str) -> int:
    """How costly it is to lose: 3 for what binds and for exact numbers, else 2; 1 for preferences and finished work."""
    if kind in ("preference", "done"):
        return 1
    return (
        3
        if kind in ("goal", "constraint", "safety", "rejection") or rule.safety or rule.binds or any(token.kind == "number" for token in rule.words)
        else 2
    )


# ---- measures (paper, section 5)

_RIGHT = ("kept",)
_WORTH = {1: 1.0, 2: 2.0, 3: 4.0}


def measures(verdicts: list, hallucinated: list, source: str, summary: str) -> dict:
    """CAR, WAR, CD, recall by type, tokens of both sides, safety coverage, and what can be told where no truth is known."""
    count = counter()
    tokens_there = count.count(summary)
    critical = [each for each in verdicts if each["criticality"] == 3]
    safety = [each for each in verdicts if each["type"] == "safety" or is_safety(each["type"], each["statement"])]
    types = sorted({each["type"] for each in verdicts})
    worth = sum(_WORTH[each["criticality"]] for each in verdicts)
    return {
        "commitments": len(verdicts),
        "kept": _kept(verdicts),
        "critical": len(critical),
        "car": _share(_kept(critical), len(critical)),
        "war": _share(sum(_WORTH[each["criticality"]] for each in verdicts if each["verdict"] in _RIGHT), worth),
        "cd": round(_kept(critical) / tokens_there, 6) if tokens_there else 0.0,
        "by_verdict": {name: n for name in SEVERITY if (n := sum(each["verdict"] == name for each in verdicts))},
        "recall_by_type": {name: _share(_kept(of), len(of)) for name in types for of in [[each for each in verdicts if each["type"] == name]]},
        "safety_coverage": _share(_kept(safety), len(safety)),
        "tokens": {"source": count.count(source), "summary": tokens_there, "counter": count.name},
        "proxies": {
            "low_confidence": sum(each["confidence"] < 0.6 for each in verdicts),
            "uncertain": sum(each["verdict"] == "uncertain" for each in verdicts),
            "without_source_span": sum(each["source"] is None for each in verdicts),
            "hallucinated": len(hallucinated),
        },
    }


def _kept(verdicts: list) -> int:
    return sum(each["verdict"] in _RIGHT for each in verdicts)


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


# ---- commitments from a file


def read_commitments(text: str, name: str = "--atoms") -> list:
    """JSONL of atoms, or of `{"id", "statement"}`, or one JSON list of either. Raises UsageError with the line that is wrong."""
    rows = []
    if text.lstrip("\ufeff \n\r\t").startswith("["):
        try:
            rows = list(enumerate(json.loads(text.lstrip("\ufeff")), 1))
        except (ValueError, RecursionError):
            raise UsageError(f"{name} begins like a JSON list and is none; expected one JSON object a line") from None
    else:
        for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
            if line.strip():
                try:
                    rows.append((number, json.loads(line)))
                except (ValueError, RecursionError):
                    raise UsageError(f"{name}, line {number}: no JSON object; expected {_ATOM_FORMS}") from None
    if len(rows) > COMMITMENTS_AT_MOST:
        raise UsageError(f"{name} holds {len(rows):,} commitments; at most {COMMITMENTS_AT_MOST:,}")
    found = [_commitment(row, number, name) for number, row in rows]
    if not found:
        raise UsageError(f"{name} holds no commitment; expected {_ATOM_FORMS}")
    return found


_ATOM_FORMS = 'objects such as {"id": "a1", "statement": "Never push to main."}, or atoms with type and value'


def _commitment(row: object, number: int, name: str) -> Commitment:
    if not isinstance(row, dict):
        raise UsageError(f"{name}, line {number}: no JSON object; expected {_ATOM_FORMS}")
    statement = row.get("statement")
    kind = _GOLD_TYPES.get(row.get("type"), row.get("type"))
    if not isinstance(statement, str):
        if "type" not in row or not ("value" in row or "subject" in row):
            raise UsageError(f"{name}, line {number}: neither a statement nor an atom; expected {_ATOM_FORMS}")
        statement = atom_sentence(_atom(row, number, name))
    if not statement.strip() or len(statement) > COMMITMENT_AT_MOST:
        raise UsageError(f"{name}, line {number}: the statement is empty or has more than {COMMITMENT_AT_MOST:,} characters")
    criticality = row.get("criticality")
    criticality = criticality if criticality in (1, 2, 3) and type(criticality) is int else 0
    return Commitment(str(row.get("id", number))[:200], statement, kind if kind in TYPES else _type_of(statement), criticality)


def _type_of(statement: str) -> str:
    """The type of a sentence that is given without one: what forbids, limits or requires is a constraint."""
    return "constraint" if binding(plain_words(statement)).keys() & {"forbid", "restrict", "require"} else "fact"


def _atom(row: dict, number: int, name: str) -> Atom:
    value = row.get("value")
    value = tuple(value.items()) if isinstance(value, dict) else tuple(value) if isinstance(value, list) else value
    try:
        return Atom(
            _GOLD_TYPES.get(row["type"], row["type"]),
            str(row.get("subject") or ""),
            str(row.get("predicate") or ""),
            value,
            row.get("modality") or "",
            str(row.get("scope") or ""),
        )
    except UsageError as error:
        raise UsageError(f"{name}, line {number}: {error}") from None


def atom_sentence(atom: Atom) -> str:
    """An atom as a sentence that can be looked for: `external_libraries allowed False` must not be there."""
    said = " ".join(part.replace("_", " ") for part in (atom.subject, atom.predicate) if part)
    modal = _MODAL_PHRASES[atom.modality] if said or atom.modality in ("was_rejected", "open") else ""
    if type(atom.value) is bool:
        negative = atom.value == atom.modality.endswith("_not")
        return f"{said} must not be" if negative and atom.modality.startswith("must") else f"not {said}" if negative else f"{said} {modal}".strip()
    value = (
        ", ".join(f"{k} {v}" for k, v in atom.value)
        if is_map(atom.value)
        else ", ".join(map(str, atom.value))
        if type(atom.value) is tuple
        else ""
        if atom.value is None
        else str(atom.value)
    )
    return " ".join(part for part in (said, modal, value, f"({atom.scope})" if atom.scope else "") if part)
