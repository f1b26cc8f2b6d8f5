"""The command `check`."""
from __future__ import annotations

import json
import os

from .check import SOURCE_BYTES_AT_MOST, check, read_commitments
from .errors import FileError, UsageError
from .files import read_text
from .sigcommand import open_or_say
from .snapshot import MAX_INPUT
from .terminal import say, write_result
from .verdicts import SEVERITY
from .verdicttable import verdict_table

_FAIL_ON = {"flip": "polarity_flip", "scope": "scope_error", "temporal": "temporal_error", "safety": "safety_erasure"}  # short names
_LINES = 20  # of the table without --all


def check_summary(args: object) -> int:
    """`check SOURCE SUMMARY`: the verdicts as a table or JSON; 3 when one of --fail-on occurs or too little is kept. Raises AilError."""
    if len(args.paths) != 2:
        raise UsageError(f"check takes two files, the source and the summary, and {len(args.paths)} were given")
    if not args.atoms:
        raise UsageError("check needs the commitments to look for: --atoms FILE")
    least = _share_between_0_and_1("--min-car", args.min_car)
    fail_on = {_FAIL_ON.get(name, name) for part in args.fail_on for name in part.replace(" ", "").split(",") if name}
    unknown = fail_on - {*SEVERITY, "hallucinated"}
    if unknown:
        raise UsageError(f"--fail-on takes {', '.join((*SEVERITY, 'hallucinated', *_FAIL_ON))}, with commas between them")
    commitments = read_commitments(read_text(args.atoms, MAX_INPUT))
    sides = []
    for path in args.paths:
        with open_or_say(path) as stream:
            data = stream.read(SOURCE_BYTES_AT_MOST + 1)
        if len(data) > SOURCE_BYTES_AT_MOST:
            raise FileError(f"{_file_name(path) or 'standard input'} is larger than {SOURCE_BYTES_AT_MOST >> 20} MiB; give a smaller file")
        sides.append(data)
    checked = check(*sides, commitments, names=tuple(_file_name(path) or "standard input" for path in args.paths))
    if args.json:
        told = {"verdicts": checked.verdicts, "hallucinated": checked.hallucinated, "measures": checked.measures}
        result = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    else:
        result = verdict_table(checked, None if args.all else _LINES)
    write_result(result, args.output or "-", args.force)
    car = checked.measures["car"]
    counts = {**checked.measures["by_verdict"], "hallucinated": len(checked.hallucinated)}
    failed = [f"{counts[name]} {name}" for name in sorted(fail_on) if counts.get(name)]
    if least is not None and car is not None and car < least:
        failed.append(f"CAR {car:.2f} is below {least:.2f}")
    if failed:
        say("check failed: " + ", ".join(failed))
    return 3 if failed else 0


def _share_between_0_and_1(option: str, text: str | None) -> float | None:
    try:
        value = None if text is None else float(text)
    except ValueError:
        value = -1.0
    if value is not None and not 0 <= value <= 1:
        raise UsageError(f"{option} needs a share between 0 and 1, such as {option} 0.9")
    return value


def _file_name(path: str) -> str:
    return "" if path == "-" else os.path.basename(path)
