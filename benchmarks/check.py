#!/usr/bin/env python3
"""Check: how often the verdict is right, how often a loss is certified as kept, and how fast; beside five other tools where they are installed.

    python3 benchmarks/check.py                  the corpus of tests/verdict_corpus.py, both halves, and the speed
    python3 benchmarks/check.py --eval FOLDER    labelled data in this layout: verdicts/dev.jsonl, gold/, compactions/, verdicts/corrupted/
    --install                                    put the other tools into a folder that is deleted afterwards (needs pip and its index)

"kept" is right when a reader of the summary alone knows the commitment. False: said to be kept, where it was changed, flipped, or is gone. The
other tools are given the same commitments: compaction-guard's `check`, groundrails' `ground` (lexical tier; without WordNet, which it would fetch and which
changes its figures by less than four points), the overlap test of session-handover, the normalised substring of compact-audit. ctxdrift takes no commitments but a
transcript: what it reports as lost there is laid on the commitments that speak of it, and the rest counts as kept. Injected errors are found when an
alarm that the clean summary does not raise is raised on the commitment or on the changed passage; once with the annotated commitments, once with those
that check finds in the source itself. One of these stands for an annotated one when it shares most of its words with it or with a quote of it.
"""
from __future__ import annotations

import argparse
import collections
import importlib.metadata
import json
import logging
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "skills" / "ail-context-compressor" / "scripts"), str(ROOT / "tests")]
import verdict_corpus  # noqa: E402

import ail_mcp as ail  # noqa: E402

RIVALS = ("compaction-guard", "groundrails", "session-handover", "compact-audit", "ctxdrift")
# What the lexical tier of groundrails imports; its other requirements are models and their runtimes.
NEEDS = "loguru tqdm typer python-dotenv numpy pyyaml pydantic rank-bm25 rapidfuzz wordfreq nltk polars pandas scipy".split()
FOLD = {"preserved": "kept", "paraphrased": "kept", "weakened": "weakening", "mutated": "mutation", "contradicted": "flip", "flipped": "flip", "polarity_flip": "flip",
        "dropped": "omission", "omitted": "omission", "safety_erasure": "omission", "stale_returned": "other", "scope_error": "other", "temporal_error": "other", "unverifiable": "uncertain"}


def fold(name: str) -> str:
    return FOLD.get(name, name)


# ---- the tools: (source, summary, statements) -> a verdict for each statement

def ours(source: bytes, summary: bytes, statements: list[str]) -> list[str]:
    rows = "\n".join(json.dumps({"id": str(n), "statement": text}) for n, text in enumerate(statements))
    return [fold(each["verdict"]) for each in ail.check(source, summary, ail.read_commitments(rows)).verdicts]


def plain(summary: bytes) -> str:
    """The text of a summary, of its messages if it is made of them."""
    try:
        return "\n\n".join(message["content"] for message in json.loads(summary))
    except ValueError:
        return summary.decode()


def version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def rival(name: str) -> object:
    """An adapter for another tool, or None and why not."""
    try:
        if name == "compaction-guard":
            from compaction_guard import check
            return lambda source, summary, statements: [fold(check([text], plain(summary)).findings[0].kind.value) for text in statements]
        if name == "groundrails":
            logging.getLogger("groundrails").setLevel(logging.ERROR)  # else it says of every word that WordNet is not here
            import nltk
            nltk.download = lambda *_, **__: False  # nothing is fetched while it is measured
            from groundrails.grounding import ground
            from groundrails.settings import mark_ready
            mark_ready()  # without the models that `init` would fetch: the lexical tier alone

            def by_ground(source: bytes, summary: bytes, statements: list[str]) -> list[str]:
                out = []
                for text in statements:
                    found = ground(text, [plain(summary)], semantic=False, ignore_language=True).match_type
                    out.append({"contradicted": "mutation", "none": "omission"}.get(found, "kept"))
                return out
            return by_ground
        if name == "session-handover":
            from session_handover.compact_audit import check_survival
            return lambda source, summary, statements: ["kept" if check_survival([{"text": text}], plain(summary))[0] else "omission" for text in statements]
        if name == "ctxdrift":
            return by_drift
        if name == "compact-audit":
            from compact_audit.extract import normalize
            return lambda source, summary, statements: ["kept" if normalize(text) in normalize(plain(summary)) else "omission" for text in statements]
    except ImportError as error:
        return f"not installed ({error.name})"
    raise ValueError(name)


def by_drift(source: bytes, summary: bytes, statements: list[str]) -> list[str]:
    """ctxdrift on the transcript with the summary as its compaction, and once more behind it, since its rule for decisions looks there."""
    import ctxdrift
    try:
        records = json.loads(source)
    except ValueError:
        records = [json.loads(line) for line in source.splitlines() if line.strip()]
    text = plain(summary)
    events = ctxdrift._coerce_events([*records, {"role": "user", "content": f"{ctxdrift.COMPACTION_MARKERS[0]}]\n{text}"}, {"role": "user", "content": text}])
    *_, ours_is_last, _ = events
    places = [place for place in ctxdrift.find_compactions(events) if place.line_no == ours_is_last.line_no]
    lost = [re.sub(r" \(touched \d+x.*", "", item).strip() for finding in ctxdrift.analyze(events, places) if finding.rule in ("CD02", "CD04", "CD05", "CD06", "CD09")
            for item in finding.evidence]
    names = [Path(item).name for item in lost if " " not in item] + [item[:60] for item in lost if " " in item]
    return ["omission" if any(name in statement or statement in name for name in names) else "kept" for statement in statements]


# ---- the sets: lists of (source, summary, [(statement, label)])

def corpus(half: str) -> list:
    return [(json.dumps(case.source).encode(), case.summary.encode(), [(case.commitment, fold(case.kind))]) for case in verdict_corpus.cases(half) if case.kind != "hallucinated"]


def public(folder: Path) -> list:
    rows = map(json.loads, (folder / "verdicts" / "dev.jsonl").read_text().splitlines())
    return [(json.dumps(row["source"]).encode(), json.dumps(row["summary"]).encode(), [(row["commitment"], fold(row["label"]))]) for row in rows]


def real(folder: Path) -> list:
    out = []
    for labels in sorted((folder / "gold").glob("*.native_labels.jsonl")):
        name = labels.name.partition(".")[0]
        gold = {row["id"]: row["statement"] for row in map(json.loads, (folder / "gold" / f"{name}.gold.jsonl").read_text().splitlines())}
        wanted = [(gold[row["atom"]], fold(row["verdict"])) for row in map(json.loads, labels.read_text().splitlines()) if "atom" in row]
        place = folder / "compactions" / name
        out.append(((place / "before.jsonl").read_bytes(), (place / "native_summary.md").read_bytes(), wanted))
    return out


def table(title: str, rows: list, tools: dict) -> None:
    print(f"\n{title}: {sum(len(wanted) for _, _, wanted in rows)} commitments")
    for name, tool in tools.items():
        if isinstance(tool, str):
            print(f"  {name:24} skipped: {tool}")
            continue
        seen: collections.Counter = collections.Counter()
        try:
            for source, summary, wanted in rows:
                for (_, want), got in zip(wanted, tool(source, summary, [text for text, _ in wanted])):
                    seen[want, got] += 1
        except Exception as error:  # another tool's trouble is told, not hidden
            print(f"  {name:24} skipped: {type(error).__name__}")
            continue
        total = sum(seen.values())
        right = sum(n for (want, got), n in seen.items() if want == got)
        kept = sum(n for (want, got), n in seen.items() if (want == "kept") == (got == "kept"))
        false = sum(n for (want, got), n in seen.items() if got == "kept" and want not in ("kept", "weakening"))
        flips, of = seen["flip", "flip"], sum(n for (want, _), n in seen.items() if want == "flip")
        print(f"  {name:24} right name {100 * right / total:5.1f} %   kept or not {100 * kept / total:5.1f} %   false certificates {false:3}   flips {flips}/{of}")


def jsonl(path: Path) -> list:
    return [json.loads(line) for line in path.read_text().splitlines()]


def stems(text: str) -> set:
    return {token.key for token in ail.tokens(text) if token.kind != "stop"}


def share(statement: str, texts: list[str]) -> float:
    """The largest share of the words of a statement, and of a text, that they have in common."""
    words = stems(statement)
    return max((len(words & other) / max(len(words), min(len(other), 12)) for other in map(stems, texts)), default=0.0) if len(words) > 2 else 0.0


STANDS_FOR = 0.5


def said(row: dict) -> list[str]:
    """What an annotated commitment is told by."""
    return [row["statement"], *row["quotes"]]


def own_words(folder: Path) -> None:
    """Verdicts on commitments that check finds itself, where one stands for an annotated commitment; labelled inventions among the flags."""
    count: collections.Counter = collections.Counter()
    for labels in sorted((folder / "gold").glob("*.native_labels.jsonl")):
        name = labels.name.partition(".")[0]
        gold, place = {row["id"]: row for row in jsonl(folder / "gold" / f"{name}.gold.jsonl")}, folder / "compactions" / name
        source = (place / "before.jsonl").read_bytes()
        checked = ail.check(source, (place / "native_summary.md").read_bytes(), ail.commitments_of(source, name, ail.Redactor()))
        count["flags"] = max(count["flags"], len(checked.hallucinated))
        for row in jsonl(labels):
            if "atom" in row:
                count["all"] += 1
                near = max(checked.verdicts, key=lambda each: share(each["statement"], said(gold[row["atom"]])))
                if share(near["statement"], said(gold[row["atom"]])) >= STANDS_FOR:
                    count["there"] += 1
                    count["right"] += (row["verdict"] == "preserved") == (near["verdict"] == "kept")
                    count["false"] += near["verdict"] == "kept" and row["verdict"] not in ("preserved", "weakened")
            else:
                count["inventions"] += 1
                count["seen"] += any(row["passage"] in each["summary"]["text"] or each["summary"]["text"] in row["passage"] for each in checked.hallucinated)
    print(f"\nits own commitments on the labelled summaries: {count['there']} of {count['all']} have one that stands for them; of these kept or not "
          f"{100 * count['right'] / count['there']:.1f} %, false certificates {count['false']}; "
          f"{count['seen']} of {count['inventions']} labelled inventions among at most {count['flags']} flags")


# More errors in the same summaries and two others: those that check was developed on and its weights fitted to, and those that nothing was.
SEEN, UNSEEN, COMMITMENTS = (ROOT / "benchmarks" / name for name in ("injected.jsonl", "injected_unseen.jsonl", "injected_commitments.jsonl"))


def commitments(folder: Path, session: str) -> list[dict]:
    path = folder / "gold" / f"{session}.gold.jsonl"
    return jsonl(path) if path.exists() else [row for row in jsonl(COMMITMENTS) if row["session"] == session]


def broken(folder: Path, *more: Path) -> dict:
    """session -> (name, text, what was done to it, from where) of each summary with errors, in FOLDER and in the files of this folder."""
    out: dict = {}
    for path in sorted((folder / "verdicts" / "corrupted").glob("*.jsonl")):
        out.setdefault(path.name[:2], []).append((path.stem, path.with_suffix(".md").read_text(), jsonl(path), "verdicts/corrupted"))
    for path in more:
        done: dict = {}
        for row in jsonl(path):
            done.setdefault(row["summary"], []).append(row)
        for name, rows in done.items():
            text = (folder / "compactions" / name[:2] / "native_summary.md").read_text()
            for row in rows:
                text = text.replace(row["original"], row["corrupted"])
            out.setdefault(name[:2], []).append((name, text, rows, path.name))
    return out


def new_lines(row: dict) -> list[str]:
    """What an error put into the summary."""
    return [line.strip() for line in row["corrupted"].split("\n") if line.strip() and line.strip() not in row["original"]]


def injected(folder: Path, own: bool, *more: Path) -> dict:
    """Errors that were put into real summaries: found, named, and alarms besides, by where they are from."""
    totals: dict = collections.defaultdict(collections.Counter)
    parts = []
    for name, summaries in sorted(broken(folder, *more).items()):
        gold = commitments(folder, name)
        texts = {row["id"]: said(row) for row in gold}
        source = (folder / "compactions" / name / "before.jsonl").read_bytes()
        wanted = ail.commitments_of(source, name, ail.Redactor()) if own else ail.read_commitments(
            "\n".join(json.dumps({"id": row["id"], "statement": row["statement"]}) for row in gold))
        clean = ail.check(source, (folder / "compactions" / name / "native_summary.md").read_bytes(), wanted)
        before, claims = {each["id"]: each["verdict"] for each in clean.verdicts}, {each["claim"] for each in [*clean.hallucinated, *clean.doubtful]}
        for version, text, rows, of in summaries:
            count: collections.Counter = collections.Counter()
            checked = ail.check(source, text.encode(), wanted)
            news = [(each["id"], each["statement"], each["verdict"], each["summary"]) for each in checked.verdicts if each["verdict"] not in ("kept", before[each["id"]])]
            news += [("", "", each["kind"], each["summary"]) for each in [*checked.hallucinated, *checked.doubtful] if each["claim"] not in claims]
            count["clean"] = sum(verdict != "kept" for verdict in before.values()) + len(claims)
            explained = set()
            for row in rows:
                lost = [line for line in row["original"].split("\n") if line.strip() and line not in row["corrupted"]]
                about = texts[row["atom"]] if row["atom"] else lost if row["kind"] == "omission" else []
                hits = [n for n, (key, statement, _, span) in enumerate(news)
                        if (share(statement, about) >= STANDS_FOR if own else key and key == row["atom"])
                        or span and any(line in span["text"] or span["text"] in line for line in new_lines(row))]
                explained.update(hits)
                kinds = {fold(news[n][2]) for n in hits} | {news[n][2] for n in hits}
                count["injected"] += 1
                count["found"] += bool(hits)
                count["named"] += row["kind"] in kinds or fold(row["kind"]) == "omission" and "omission" in kinds
            count["besides"] = len(news) - len(explained)
            parts.append(f"{version}: {count['found']} and {count['named']} of {count['injected']}")
            totals[of] += count
    print(f"\ninjected errors, {'its own' if own else 'annotated'} commitments")
    for what, total in totals.items():
        print(f"  {what}: {total['found']} of {total['injected']} found by a new alarm, {total['named']} with the right name; "
              f"{total['besides']} new alarms besides, {total['clean']} on the clean summaries")
    print(f"  found and named: {'; '.join(parts)}")
    return totals


def speed() -> None:
    """A session of 2.5 MB against a summary of about 4,000 tokens."""
    lines = [f"Step {n}: module_{n % 97}.py now retries {n % 7 + 2} times because queue {n % 31} was slow." for n in range(30_000)]
    session = "\n".join(json.dumps({"role": ("user", "assistant")[n % 2], "content": "\n".join(lines[20 * n:20 * n + 20])}) for n in range(1500)).encode()[:2_500_000].rpartition(b"\n")[0]
    summary = "\n".join("- " + line for line in lines[:180]).encode()
    rows = ail.read_commitments("\n".join(json.dumps({"id": str(n), "statement": lines[7 * n]}) for n in range(60)))
    best = []
    for part in (session[:len(session) // 4].rpartition(b"\n")[0], session):
        times = []
        for _ in range(3):
            start = time.process_time()
            ail.check(part, summary, rows)
            times.append(time.process_time() - start)
        best.append(min(times))
    print(f"\nspeed: {len(session) / 1e6:.1f} MB, 60 commitments: {best[1]:.2f} s (a quarter of it: {best[0]:.2f} s)")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--eval", type=Path)
    options.add_argument("--install", action="store_true")
    args = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.install:
            pip = [sys.executable, "-m", "pip", "install", "-q", "--target", folder]
            for words in (*(["--no-deps", name] for name in RIVALS), NEEDS):
                subprocess.run([*pip, *words], check=False, stderr=subprocess.DEVNULL)
            sys.path.append(folder)
        tools = {f"ail-mcp {ail.__version__}": ours, **{f"{name} {version(name)}".strip(): rival(name) for name in RIVALS}, "all kept": lambda source, summary, statements: ["kept"] * len(statements)}
        for half in ("seen", "unseen"):
            table(f"own corpus, {half} phrasings", corpus(half), tools)
        if args.eval:
            table("public mutation corpus", public(args.eval), tools)
            table("labelled real summaries", real(args.eval), tools)
            own_words(args.eval)
            injected(args.eval, False, SEEN, UNSEEN)
            injected(args.eval, True, SEEN, UNSEEN)
        speed()


if __name__ == "__main__":
    main()
