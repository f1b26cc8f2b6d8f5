"""The commands on what a summary holds of its source."""
from __future__ import annotations

import collections
import gc
import json
import os

from .check import SOURCE_BYTES_AT_MOST, check, read_commitments
from .commitments import commitments_of
from .drift import drift, drift_text
from .errors import FileError, UsageError
from .files import read_text
from .options import whole_number
from .repair import lost_first, repair
from .snapshot import MAX_INPUT
from .talk import open_or_say, say
from .terminal import write_result
from .tokens import counter
from .tried import tried_text, was_it_tried
from .verdicts import SEVERITY
from .verdicttable import verdict_table

_SHORT_NAMES = {"flip": "polarity_flip", "scope": "scope_error", "temporal": "temporal_error", "safety": "safety_erasure"}
_LINES = 20  # of the table without --all


def check_files(args: object, redactor: object) -> int:
    """`check SOURCE SUMMARY`: 0, or 3 where --fail-on or --min-car says that this is not good enough."""
    if args.git:
        return _check_drift(args, redactor)
    if len(args.paths) != 2:
        raise UsageError(f"check takes two files, the source and the summary, and {len(args.paths)} were given")
    least = _share_between_0_and_1("--min-car", args.min_car)
    fail_on = _verdict_names("--fail-on", args.fail_on)
    checked = _checked(args, redactor)
    if args.html:
        from .report import html_page
        write_result(html_page(checked, tuple(redactor.redact(side_name(path)) for path in args.paths)), args.html, args.force)
    if args.json:
        told = {"verdicts": checked.verdicts, "hallucinated": checked.hallucinated, "doubtful": checked.doubtful,
                "measures": checked.measures}
        result = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    else:
        result = verdict_table(checked, None if args.all else _LINES)
    write_result(result, args.output or "-", args.force)
    failed = _shortfalls(checked, fail_on, least)
    if failed:
        say("check failed: " + ", ".join(failed))
    return 3 if failed else 0


def _check_drift(args: object, redactor: object) -> int:
    """`check --git SNAPSHOT`: what changed in the repository here since; 3 where a named file or function is gone, or the commit is unknown."""
    if len(args.paths) != 1 or args.atoms or args.html or args.min_car or args.fail_on:
        raise UsageError("check --git takes one snapshot, and of the options --json and -o")
    found = drift(read_text(args.paths[0], MAX_INPUT), ".", redactor)
    result = json.dumps(found._asdict(), ensure_ascii=False, indent=1) + "\n" if args.json else drift_text(found)
    write_result(redactor.redact(result), args.output or "-", args.force)
    return 3 if found.ahead is None or found.gone or found.symbols else 0


def _checked(args: object, redactor: object) -> object:
    """The check of the two files, against --atoms or against what the source is found to commit to. Raises AilError."""
    gc.disable()  # passages and statements hold no cycles, and there are many of them to look through
    source, summary = map(read_side, args.paths)
    names = tuple(map(side_name, args.paths))
    return check(source, summary, _commitments(args, source, names[0], redactor), names=names, redactor=redactor)


def _commitments(args: object, source: bytes, name: str, redactor: object) -> list:
    return read_commitments(read_text(args.atoms, MAX_INPUT)) if args.atoms else commitments_of(source, name, redactor)


def repair_file(args: object, redactor: object) -> int:
    """`repair SOURCE SUMMARY --budget N`: the summary with what it lost put back; 0, or 3 where something is lost still."""
    if len(args.paths) != 2:
        raise UsageError(f"repair takes two files, the source and the summary, and {len(args.paths)} were given")
    if args.budget is None:
        raise UsageError("repair needs the tokens that the mended summary may take, such as --budget 2000")
    budget, count = whole_number("--budget", args.budget, "tokens"), counter(args.counter)
    source, summary = map(read_side, args.paths)
    names = tuple(map(side_name, args.paths))
    done = repair(source, summary, _commitments(args, source, names[0], redactor), budget, count, names=names, redactor=redactor)
    write_result(done.text, args.output or "-", args.force)
    lost = lost_first(done.after)
    how = count.name if count.exact else "estimated"
    say(f"{len(done.added)} of {len(lost_first(done.before))} lost commitments put back; {done.tokens:,} of {budget:,} tokens ({how})")
    for each in lost[:_LINES]:
        say(f"still {each['verdict']}: {' '.join(each['statement'].split())[:200]}")
    if len(lost) > _LINES:
        say(f"... and {len(lost) - _LINES} more; `ail-mcp check` lists them")
    return 3 if lost else 0


def tried_in(args: object, redactor: object) -> int:
    """`tried IDEA FILE...`: 0 where a record speaks of the idea, 1 where none does."""
    if len(args.paths) < 2:
        raise UsageError('tried takes an idea and the files to search, such as: ail-mcp tried "poll the queue" session.ail')
    idea, *paths = args.paths
    records, total = was_it_tried(idea, [(side_name(path), read_side(path)) for path in paths], redactor)
    idea = redactor.redact(idea)
    if args.json:
        told = {"idea": idea, "records": [record._asdict() for record in records], "searched": {"files": len(paths), "records": total}}
        result = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    else:
        result = tried_text(idea, records, total, len(paths))
    write_result(result, args.output or "-", args.force)
    return 0 if records else 1


def read_side(path: str) -> bytes:
    """The bytes of a source or a summary. Raises FileError."""
    with open_or_say(path) as stream:
        data = stream.read(SOURCE_BYTES_AT_MOST + 1)
    if len(data) > SOURCE_BYTES_AT_MOST:
        raise FileError(f"{side_name(path)} is larger than {SOURCE_BYTES_AT_MOST >> 20} MiB; give a smaller file")
    return data


def side_name(path: str) -> str:
    return "standard input" if path == "-" else os.path.basename(path)


def _verdict_names(option: str, lists: list[str]) -> set[str]:
    """The verdicts that lists with commas name, short names spelled out. Raises UsageError."""
    names = {_SHORT_NAMES.get(name, name) for part in lists for name in part.replace(" ", "").split(",") if name}
    known = (*SEVERITY, "hallucinated")
    if not names <= set(known):
        raise UsageError(f"{option} takes {', '.join((*known, *_SHORT_NAMES))}, with commas between them")
    return names


def _shortfalls(checked: object, fail_on: set[str], least: float | None) -> list[str]:
    """What of a check is not good enough, in words."""
    car = checked.measures["car"]
    counts = collections.Counter(each["kind"] for each in checked.hallucinated) + collections.Counter(checked.measures["by_verdict"])
    counts["hallucinated"] = len(checked.hallucinated)
    failed = [f"{counts[name]} {name}" for name in sorted(fail_on) if counts.get(name)]
    if least is not None and car is not None and car < least:
        failed.append(f"CAR {car:.2f} is below {least:.2f}")
    return failed


def _share_between_0_and_1(option: str, text: str | None) -> float | None:
    try:
        value = None if text is None else float(text)
    except ValueError:
        value = -1.0
    if value is not None and not 0 <= value <= 1:
        raise UsageError(f"{option} needs a share between 0 and 1, such as {option} 0.9")
    return value
