"""A summary with what it lost put back, word for word, worst first, within a budget; and the same list for an agent that mends by itself.

What the summary says wrongly is not cut out: no program can tell what else hangs on it. The words of the source stand behind it, under a line that
says that they hold.
"""
from __future__ import annotations

import io
import re
from collections import namedtuple

from .check import check
from .commitments import clean_lines, parse_file
from .documents import format_snapshot
from .errors import BudgetError
from .sessions import read
from .snapshot import hydrate
from .verdicts import SEVERITY, is_safety

Repaired = namedtuple("Repaired", "text tokens added before after")
Repaired.__doc__ = "The mended summary and its tokens; the verdicts (dicts of a Checked) that were put back; the Checked of before and of after."

_HEAD_AIL = "# restored from the source: where lines above say otherwise, these hold"
_HEAD_TEXT = "Restored from the source (where the text above says otherwise, these hold):"
_POINTER = re.compile(r"\$\d")
_LAST_TRIES = 12
ADVICE_CHARACTERS = 8_000   # of the whole list for an agent


def lost_first(checked: object) -> list[dict]:
    """The verdicts that are not kept: boundaries of safety, then by verdict, then the costliest."""
    rank = {name: place for place, name in enumerate(SEVERITY)}
    lost = [each for each in checked.verdicts if each["verdict"] != "kept"]
    return sorted(lost, key=lambda each: (not is_safety(each["type"], each["statement"]), rank[each["verdict"]], -each["criticality"]))


def repair(source: bytes, summary: bytes, commitments: list, budget: int, counter: object, *, names: tuple, redactor: object) -> Repaired:
    """Put back what `summary` lost of `commitments`, so that the whole takes at most `budget` tokens by `counter`, and check again.

    Raises BudgetError when the summary alone, or a lost boundary of safety, does not fit; FileError for a side that cannot be read.
    """
    before = check(source, summary, commitments, names=names, redactor=redactor)
    write = _mender(summary, names[1], redactor)
    bare = counter.count(write([]))
    if bare > budget:
        raise BudgetError(f"the summary alone takes {bare:,} tokens; expected a budget of at least that")
    lost = lost_first(before)
    must = [each for each in lost if is_safety(each["type"], each["statement"])]
    needed = counter.count(write(must))
    if needed > budget:
        raise BudgetError(f"the summary and the {len(must)} lost boundaries of safety take {needed:,} tokens; expected a budget of at least that")
    taken, room = list(must), budget - needed
    for each in lost[len(must):]:
        cost = counter.count(_typed_line(each) + "\n")
        if cost <= room:
            taken.append(each)
            room -= cost
    while counter.count(write(taken)) > budget:     # the head, and tokens that reach over a line end
        taken.pop()
    for each in [each for each in lost if each not in taken][:_LAST_TRIES]:     # the sum of lines can be more than the whole
        if counter.count(write([*taken, each])) <= budget:
            taken.append(each)
    text = write(taken)
    after = check(source, text.encode("utf-8"), commitments, names=names, redactor=redactor) if taken else before
    return Repaired(text, counter.count(text), taken, before, after)


def _mender(summary: bytes, name: str, redactor: object) -> object:
    """A function from verdicts to the whole text with their words put back: typed lines in a snapshot, a list elsewhere."""
    session = read(io.BytesIO(summary), name)
    if session.format == "snapshot":
        parsed = parse_file(session.text, name)
        lines = [line for _, line in clean_lines(session.text, redactor, name)]
        same = [line for block in lines for line in block.split("\n")] == hydrate(parsed)

        def snapshot(taken: list[dict]) -> str:
            more = [_HEAD_AIL, *map(_typed_line, taken)] if taken else []
            if same and not (parsed.pointers and any(map(_POINTER.search, more))):
                return session.text.rstrip("\r\n") + "\n" + "".join(line + "\n" for line in more)
            return format_snapshot([*(line for block in lines for line in _still_lines(block)), *more])
        return snapshot
    told = session.text if session.text is not None and not session.turns else "\n\n".join(turn.text for turn in session.turns)
    told = redactor.redact_document(told).rstrip("\n") + "\n"
    return lambda taken: told + (f"\n{_HEAD_TEXT}\n\n" + "".join(f"- {_restored_words(each)}\n" for each in taken) if taken else "")


def _still_lines(block: str) -> list[str]:
    """A line that its secrets broke in two is two lines of the same tag."""
    head, *more = block.split("\n")
    return [head, *(f"{head.partition(' ')[0]} {line}" for line in more if line.strip())]


def _restored_words(verdict: dict) -> str:
    return " ".join(verdict["statement"].split())


def _typed_line(verdict: dict) -> str:
    words = _restored_words(verdict)
    return "@NEXT ?" + words.lstrip("? ").replace(" ?", "?") if verdict["type"] == "open" else f"@CTX {verdict['type']} := {words}"


# ---- for an agent


def advice_text(checked: object, most: int) -> str:
    """What to put back, the worst `most` first and the exact words of each, then what to take out; at most ADVICE_CHARACTERS."""
    lost = lost_first(checked)
    numbers = checked.measures
    lines = [f"{numbers['kept']} of {numbers['commitments']} commitments kept; {len(lost)} lost, changed or uncertain; "
             f"{len(checked.hallucinated)} claims that the source does not support"]
    if lost:
        lines.append("Put back, in these words, and take out what contradicts them:")
    told = _first_within([_advice(each) for each in lost[:most]], ADVICE_CHARACTERS * 3 // 4)
    lines += told
    if len(told) < len(lost):
        lines.append(f"... and {len(lost) - len(told)} more: mend these first, then check again")
    if checked.hallucinated:
        lines.append("Take out, unless you know that it is so:")
        claims = [f"- {_short_line(each['claim'], 200)} ({_short_line(each['reason'], 120)})" for each in checked.hallucinated[:most]]
        lines += _first_within(claims, ADVICE_CHARACTERS // 4 - 400)
    if checked.doubtful:
        lines.append("Said once only, and not as the source puts it; look whether it is so:")
        lines += _first_within([f"- {_short_line(each['claim'], 120)}" for each in checked.doubtful[:most]], 300)
    return "\n".join(lines) + "\n"


def _advice(verdict: dict) -> str:
    wrong = verdict["summary"] if verdict["verdict"] not in ("omission", "safety_erasure") else None
    there = f"\n  the summary says: {_short_line(wrong['text'], 200)}" if wrong else ""
    return f"- [{verdict['verdict']}, {verdict['type']}] {_restored_words(verdict)}\n  why: {_short_line(verdict['reason'], 160)}{there}"


def _first_within(lines: list[str], room: int) -> list[str]:
    taken = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken


def _short_line(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[:width - 3] + "..."
