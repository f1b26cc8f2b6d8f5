"""A check as a table for the terminal: worst first, one line each, and the reason below where the verdict does not say it all."""

from __future__ import annotations

from .verdicts import NOT_SPOKEN_OF, SEVERITY

_WIDTH = 100  # characters of a line's text


def verdict_table(checked: object, most: int | None) -> str:
    """The table as text; with `most`, only so many lines, and none for what was kept."""
    rank = {name: n for n, name in enumerate((*SEVERITY[:-1], "doubtful", SEVERITY[-1]))}
    rank["hallucinated"] = rank["omission"]  # what nobody said stands with what is gone, and before it
    rows = [(each["kind"], 0, each["confidence"], "", each["claim"], each["reason"]) for each in checked.hallucinated]
    rows += [("doubtful", 0, 0, "", each["claim"], each["reason"]) for each in checked.doubtful]
    rows = sorted(rows + [
        (each["verdict"], each["criticality"], each["confidence"], _short(each["id"], 12), each["statement"], each["reason"])
        for each in checked.verdicts
        if most is None or each["verdict"] != "kept"
    ], key=lambda row: (rank[row[0]], row[0] == "omission", -row[1], -row[2]))  # fmt: skip
    lines = [f"{name:14} {key:12} {_short(text, _WIDTH)}{_below(reason)}" for name, _, _, key, text, reason in rows]
    left = 0 if most is None else max(0, len(lines) - most)
    shown = lines if most is None else lines[:most]
    if left:
        shown.append(f"... and {left} more: --all shows them")
    numbers = checked.measures
    by_verdict = ", ".join(f"{n} {name}" for name, n in numbers["by_verdict"].items())
    car = "-" if numbers["car"] is None else f"{numbers['car']:.2f}"
    war = "-" if numbers["war"] is None else f"{numbers['war']:.2f}"
    claims = f"{len(checked.hallucinated)} claims without support, {len(checked.doubtful)} doubtful"
    shown.append(f"{numbers['commitments']} commitments: {by_verdict or 'none'}; {claims}")
    sizes = numbers["tokens"]
    shown.append(f"CAR {car}, WAR {war}; {sizes['source']:,} tokens of source, {sizes['summary']:,} of summary ({sizes['counter']})")
    return "\n".join(shown) + "\n"


def _below(reason: str) -> str:
    return "" if reason == NOT_SPOKEN_OF else f"\n{'':28}{_short(reason, _WIDTH)}"


def _short(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 3] + "..."
