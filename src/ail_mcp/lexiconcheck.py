"""Atoms that a model proposes, checked by schema, lexicon and source (the open parser of paper 4.4): the lexicon is the constraint, not the parser.

One proposal is one line, a JSON object: the canonical record of an atom (`ail-mcp schema`) with the words it was read from as
`evidence.quote`. The verdict is `accepted`, `ambiguous` (nothing speaks against it, and the lexicon cannot vouch for it), or `refused`.
"""
from __future__ import annotations

import re
from bisect import bisect_right
from collections import namedtuple
from dataclasses import replace

from .atoms import Atom, claim, fold, strength
from .atomschema import from_record, schema_errors, to_record
from .clausetokens import SENTENCE_AT_MOST, sentence_spans, tokens_of
from .errors import UsageError
from .lexicon import Lexicon, NameRow, alias_words
from .normalize import normalize
from .quantities import normal_value

Verdict = namedtuple("Verdict", "line verdict atom reasons")
Verdict.__doc__ = """`verdict` of the proposal on a line (`accepted`, `ambiguous`, `refused`), the atom with its canonical subject (None when it is no
atom), and why it is not accepted."""

PLACES_AT_MOST = 20  # of one quote in a source
_SPACE = re.compile(r"\s+")
_QUANTITY_PREDICATES = ("equals", "at_most", "at_least", "less_than", "more_than", "about", "between")
_PREDICATES_OF = {"flag": ("allowed", "required"), "quantity": _QUANTITY_PREDICATES, "choice": ("selected", "rejected", "equals"), "text": ()}


class Source:
    """A text that quotes are looked up in, white space apart, with the sentences that they stand in."""

    def __init__(self, text: str) -> None:
        self._lines = _SPACE.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
        self._folded = self._lines.replace("\n", " ")  # of the same length, so places are shared
        self._spans = sentence_spans(self._lines)
        self._ends = [end for _, end in self._spans]

    def sentences_with(self, quote: str) -> list[str]:
        """The whole sentences around each place where the quote stands (the first `PLACES_AT_MOST`); none when it stands nowhere."""
        words = " ".join(quote.split())
        found: list[str] = []
        at = self._folded.find(words) if words else -1
        while at >= 0 and len(found) < PLACES_AT_MOST:
            first = bisect_right(self._ends, at)
            last = first
            while last + 1 < len(self._spans) and self._spans[last + 1][0] < at + len(words):
                last += 1
            start = min(at, self._spans[first][0]) if first < len(self._spans) else at
            end = max(at + len(words), self._ends[last]) if last < len(self._ends) else at + len(words)
            found.append(self._folded[start:end])
            at = self._folded.find(words, at + 1)
        return found


def check_proposal(record: object, line: int, lexicon: Lexicon, source: Source | None = None) -> Verdict:
    """The verdict on one proposed atom. Its quote is read with the whole sentence around it, where the source is there."""
    faults = schema_errors(record)
    if faults:
        return Verdict(line, "refused", None, faults)
    try:
        atom = from_record(record)
    except UsageError as fault:
        return Verdict(line, "refused", None, [str(fault)])
    name = lexicon.canonical(atom.subject)
    atom = replace(atom, subject=name if name in lexicon.rows else atom.subject)
    quote = atom.evidence.quote
    around = source.sentences_with(quote) if source else [quote] if quote.strip() else []
    if source and not around:
        why = "the quote does not stand in the source" if quote.strip() else "evidence.quote is missing; expected the words of the source that say it"
        return Verdict(line, "refused", atom, [why])
    read = [_certain(text, name, lexicon) for text in around]
    against = _row_faults(atom, lexicon)
    if read and all(read) and not any(_same_claim(one, atom) for atoms in read for one in atoms):
        against.append(f"its quote says otherwise, for certain: {read[0][0].predicate}, and not this value")
    if against:
        return Verdict(line, "refused", atom, against)
    doubts = _doubts(atom, lexicon) or _quote_doubts(atom, around, [one for atoms in read for one in atoms], lexicon)
    return Verdict(line, "ambiguous" if doubts else "accepted", replace(atom, ambiguous=bool(doubts)), doubts)


def verdict_record(verdict: Verdict) -> dict:
    record = {"line": verdict.line, "verdict": verdict.verdict}
    if verdict.reasons:
        record["reasons"] = verdict.reasons
    if verdict.atom is not None:
        record["atom"] = to_record(verdict.atom)
    return record


def _row_faults(atom: Atom, lexicon: Lexicon) -> list[str]:
    """What the row of the subject forbids."""
    row = lexicon.rows.get(atom.subject)
    if row is None:
        return []
    if row.safety and atom.type in ("preference", "done"):
        return ["a safety boundary is no preference and no finished work; expected type safety or constraint"]
    fault = _kind_fault(atom.value, row) if atom.value is not None else ""
    return [fault] if fault else []


def _kind_fault(value: object, row: NameRow) -> str:
    kind = normal_value(value)[0]
    fits = {"flag": kind == "truth", "quantity": kind in ("number", "list"), "choice": kind != "truth" and kind != "map", "text": kind != "truth"}
    return "" if fits[row.kind] else f"the value is no {row.kind}, which the lexicon has for this subject"


def _certain(text: str, name: str, lexicon: Lexicon) -> list[Atom]:
    """What the lexicon itself reads in a text about a name."""
    return [read for read in normalize(text, lexicon) if not read.ambiguous and read.subject == name]


def _same_claim(read: Atom, atom: Atom) -> bool:
    return fold(read.predicate) == fold(atom.predicate) and claim(read) == claim(atom)


def _doubts(atom: Atom, lexicon: Lexicon) -> list[str]:
    row = lexicon.rows.get(atom.subject)
    if atom.ambiguous:
        return ["it calls itself ambiguous"]
    if row is None:
        return ["the subject is not in the lexicon"] if atom.subject else ["it has no subject, so the lexicon cannot check it"]
    if fold(atom.predicate) not in {row.predicate, *_PREDICATES_OF[row.kind]}:
        return [f"the predicate is not one of this subject; the usual one is {row.predicate}"]
    known = {fold(entry.value) for entry in lexicon.aliases.values() if entry.name == row.name and entry.value}
    if row.kind == "choice" and known and type(atom.value) is str and fold(_known_value(atom.value, row.name, lexicon)) not in known:
        return ["the value is none that the lexicon knows for this choice"]
    return []


def _quote_doubts(atom: Atom, around: list[str], read: list[Atom], lexicon: Lexicon) -> list[str]:
    """What about its quote leaves a doubt."""
    if not around:
        return ["it has no quote to check it by"]
    same = [one for one in read if _same_claim(one, atom)]
    if not same:
        text = min(around, key=len)
        if atom.subject not in lexicon.names_in(text):
            return ["its quote does not name the subject"]
        tokens = tokens_of(text, 0, min(len(text), SENTENCE_AT_MOST), lexicon)
        if claim(atom)[0] and atom.value is not False and any(token.kind in ("not", "no", "deny", "reject") for token in tokens):
            return ["a word that denies stands beside it, and the lexicon cannot tell what it denies"]
        return []
    if not any(fold(one.scope) == fold(atom.scope) for one in same):
        return ["its scope is not the one of its quote"]
    return [] if any(strength(one) == strength(atom) or one.type != atom.type for one in same) else ["it binds more or less than its quote"]


def _known_value(value: str, name: str, lexicon: Lexicon) -> str:
    """The value as the lexicon writes it, where it is an alias of one."""
    try:
        entry = lexicon.aliases.get(alias_words(value))
    except UsageError:
        return value
    return entry.value if entry and entry.name == name and entry.value else value
