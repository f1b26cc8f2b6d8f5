#!/usr/bin/env python3
"""What makes a clause of a summary doubtful, fitted to real summaries into which errors were put: the table DOUBT of src/ail_mcp/doubt.py, on
standard output.

    python3 benchmarks/fit_doubt.py FOLDER

FOLDER is laid out as for check.py --eval. A clause is wrong where an error put new words into it, or where it is labelled as an invention of the
summary itself. Standard error shows, for each session, how many of its errors stand among the ten and twenty likeliest passages of their
summary, with weights fitted to the other sessions. Needs scikit-learn.
"""
from __future__ import annotations

import collections
import difflib
import json
import re
import sys
from pathlib import Path

import check
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

ail = check.ail
Row = collections.namedtuple("Row", "session summary place features errors")
OF_ITS_OWN = -1  # the number of an error that nobody put there


def wrong_spans(text: str, errors: list[dict], session: str, folder: Path) -> list[tuple[int, int, int]]:
    """(start, end, number of the error) of what is wrong in a summary."""
    spans = []
    for number, error in enumerate(errors):
        before, after = (re.findall(r"\s+|\w+|\W", error[side]) for side in ("original", "corrupted"))
        start = text.find(error["corrupted"])
        for kind, _, _, first, last in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if kind != "equal" and after:
                begin = start + len("".join(after[:first]))
                spans.append((begin, begin + max(1, len("".join(after[first:last]))), number))
    labels = folder / "gold" / f"{session}.native_labels.jsonl"
    for label in check.jsonl(labels) if labels.exists() else ():
        at = text.find(label["passage"]) if "atom" not in label else -1
        if at >= 0:
            spans.append((at, at + len(label["passage"]), OF_ITS_OWN))
    return spans


def rows_of(source: bytes, text: str, wanted: list, session: str, summary: str, spans: list) -> list[Row]:
    """The clauses of a summary as check sees them."""
    rows: list[Row] = []
    seen: list = []
    of_flags, features = ail.of_flags, ail.Wordings.features

    def spy_on_features(self: object, clause: str, place: int) -> dict:
        found = features(self, clause, place)
        seen.append((self.index, clause, place, found))
        return found

    def spy_on_flags(flags: list) -> dict:
        told = of_flags(flags)
        seen.append(told)
        return told

    vars(sys.modules["ail_mcp"]).update(of_flags=spy_on_flags)
    ail.Wordings.features = spy_on_features
    try:
        ail.check(source, text.encode(), wanted)
    finally:
        vars(sys.modules["ail_mcp"]).update(of_flags=of_flags)
        ail.Wordings.features = features
    told: dict = {}
    for each in seen:
        if isinstance(each, dict):
            told = each
            continue
        index, clause, place, found = each
        passage = index.passages[place]
        at = index.text.find(clause[:40], passage.start, passage.end)
        at = passage.start if at < 0 else at
        rows.append(Row(session, summary, place, {**found, **told}, {n for start, end, n in spans if start < at + len(clause) and end > at}))
    return rows


def fit(rows: list[Row]) -> tuple:
    names = DictVectorizer(sparse=False)
    model = LogisticRegression(C=0.3, max_iter=3000, fit_intercept=False)
    model.fit(names.fit_transform([row.features for row in rows]), [bool(row.errors) for row in rows])
    return names, model


def among(rows: list[Row], names: object, model: object, most: int) -> tuple[int, int]:
    """How many errors stand among the `most` likeliest passages of their summary, and of how many."""
    found = total = 0
    for summary in {row.summary for row in rows}:
        here = [row for row in rows if row.summary == summary]
        best: dict = {}
        for row, worth in zip(here, model.decision_function(names.transform([row.features for row in here]))):
            best[row.place] = max(best.get(row.place, worth), worth)
        first = set(sorted(best, key=lambda place: -best[place])[:most])
        errors = {n for row in here for n in row.errors} - {OF_ITS_OWN}
        found += len({n for row in here if row.place in first for n in row.errors} & errors)
        total += len(errors)
    return found, total


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    rows: list[Row] = []
    for session, summaries in sorted(check.broken(folder, check.SEEN).items()):
        place = folder / "compactions" / session
        source, clean = (place / "before.jsonl").read_bytes(), (place / "native_summary.md").read_text()
        wanted = ail.read_commitments("\n".join(json.dumps({"id": row["id"], "statement": row["statement"]}) for row in check.commitments(folder, session)))
        for name, text, errors, _ in [("clean", clean, [], ""), *summaries]:
            rows += rows_of(source, text, wanted, session, f"{session} {name}", wrong_spans(text, errors, session, folder))
    for session in sorted({row.session for row in rows}):
        fitted = fit([row for row in rows if row.session != session])
        told = [among([row for row in rows if row.session == session], *fitted, most) for most in (10, 20)]
        print(f"{session}: {told[0][0]} and {told[1][0]} of {told[0][1]} errors with weights of the others", file=sys.stderr)
    names, model = fit(rows)
    print("".join(f'"{name}": {weight:.2f},\n' for name, weight in zip(names.feature_names_, model.coef_[0])), end="")


if __name__ == "__main__":
    main()
