#!/usr/bin/env python3
"""The experiment of "Compress the Context, Keep the Commitments" (arXiv 2605.17304, section 9), scored by decoding.

    python3 benchmarks/codec.py            tables 4 to 7 and the verdicts on the rejection criteria of section 8.1
    python3 benchmarks/codec.py --readme   the table that README.md shows

The five cases in benchmarks/cases/ are invented texts of about the paper's size, with 12 to 15 weighted gold atoms each. Every
representation is written by the program from the gold atoms and read back by the program's own decoder; what comes back equivalent counts. Plain
prose has no decoder: there an atom counts when the words of its probe stand in one sentence. So this measures what the forms hold, not
how well anybody extracts. `the text, cut` is the beginning of the text at the size of CCL-Core, as truncation would keep it.
"""
from __future__ import annotations

import json
import re
import sys
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "skills" / "ail-context-compressor" / "scripts"))
import ail_mcp as ail  # noqa: E402

CASES = Path(__file__).resolve().parent / "cases"
Case = namedtuple("Case", "name text atoms weights probes")
Row = namedtuple("Row", "text kept decoded")  # a representation, for each gold atom whether it holds it, and what it decodes to (None: no decoder)

# The rows of table 5: our name, the form, the paper's average gain and CAR in that row.
METHODS = (
    ("plain prose", "prose", "68.3%", ".61"), ("the text, cut", None, "", ""), ("structured prose", "sentences", "24.0%", "1.00"),
    ("JSON, grouped", "grouped", "-29.3%", "1.00"), ("JSON records", "json", "", ""), ("YAML records", "yaml", "", ""),
    ("CCL-Core", "ccl", "21.8%", "1.00"), ("CCL-Min", "cclmin", "42.4%", ".94"), ("AILv1", "ail", "", ""),
)
PRINTED = Path(__file__).resolve().parent / "cases" / "printed"  # what the paper prints, for table 7


def cases() -> list[Case]:
    """The five cases in the paper's order."""
    found = []
    for name in ("epidemic", "dashboard", "cleaning", "trip", "research"):
        rows = [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text("utf-8").splitlines()]
        found.append(Case(name, (CASES / f"{name}.txt").read_text("utf-8"), [ail.from_record(row["atom"]) for row in rows],
                          [row["weight"] for row in rows], [row["probe"] for row in rows]))
    return found


def lexical(text: str) -> int:
    """The paper's proxy: runs of letters and digits, and single signs."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def represent(case: Case, form: str | None) -> Row:
    """A representation of a case and what of it can be read back."""
    if form is None:
        words, size = re.findall(r"\w+|[^\w\s]|\s+", case.text), lexical(ail.write_ccl(case.atoms))
        while lexical("".join(words)) > size:
            words.pop()
        return Row("".join(words), surface(case, "".join(words)), None)
    if form == "grouped":
        text = grouped_json(case.atoms)
        decoded = from_grouped(text)
    else:
        text = ail.write_atoms(case.atoms, form)
        decoded = ail.FORMS[form].read(text) if ail.FORMS[form].read else None
    return Row(text, surface(case, text) if decoded is None else ail.held(case.atoms, decoded), decoded)


def surface(case: Case, text: str) -> list[bool]:
    """For each atom whether one sentence of the text has a word of every group of its probe."""
    sentences = [" ".join(part.lower().split()) for part in re.split(r"(?<=[.!?])\s+|\n", text)]
    return [any(all(any(word in sentence for word in group) for group in probe) for sentence in sentences) for probe in case.probes]


def grouped_json(atoms: list) -> str:
    """The shortest JSON we know for the same: what CCL-Core says, as objects in objects."""
    tree: dict = {}
    for atom in atoms:
        tree.setdefault(atom.type, {}).setdefault(atom.subject, {})[atom.predicate] = ail.plain_value(atom.value)
    return json.dumps(tree, separators=(",", ":"), ensure_ascii=False)


def from_grouped(text: str) -> list:
    """The atoms of such JSON."""
    return [ail.Atom(kind, subject, predicate, ail.frozen_value(value)) for kind, subjects in json.loads(text).items()
            for subject, predicates in subjects.items() for predicate, value in predicates.items()]


def scores(case: Case, row: Row) -> tuple[float, float, float]:
    """Gain in lexical tokens, CAR and WAR of a representation; as in the paper every gold atom is a critical one."""
    gain = 1 - lexical(row.text) / lexical(case.text)
    return gain, sum(row.kept) / len(row.kept), sum(w for w, yes in zip(case.weights, row.kept) if yes) / sum(case.weights)


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def averages(method: tuple, counters: tuple) -> tuple:
    """Averages over the cases: lexical tokens, gain, CAR, WAR, and the gain in each counter's tokens."""
    found = [(case, represent(case, method[1])) for case in cases()]
    gain, recall, weighted = (mean(list(column)) for column in zip(*(scores(case, row) for case, row in found)))
    real = [mean([1 - counter.count(row.text) / counter.count(case.text) for case, row in found]) for counter in counters]
    return mean([lexical(row.text) for _, row in found]), gain, recall, weighted, *real


def table_5(counters: tuple) -> str:
    """The aggregate table as Markdown, the paper's figures beside ours."""
    lines = ["| representation | lexical tokens | gain | CAR | WAR | gain cl100k | gain o200k | gain in the paper | CAR in the paper |",
             "| --- |" + " ---: |" * 8]
    for method in METHODS:
        size, gain, recall, weighted, *real = averages(method, counters)
        cells = [method[0], f"{size:.1f}", f"{gain:.1%}", f"{recall:.2f}", f"{weighted:.2f}", *(f"{share:.1%}" for share in real), *method[2:]]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def table_4() -> str:
    """A row for each case and method."""
    lines = [f"{'case':10} {'method':17} {'full':>5} {'comp':>5} {'gain':>8} {'CAR':>5} {'WAR':>5}"]
    for case in cases():
        for name, form, *_ in METHODS:
            row = represent(case, form)
            gain, recall, weighted = scores(case, row)
            lines.append(f"{case.name:10} {name:17} {lexical(case.text):5} {lexical(row.text):5} {gain:8.1%} {recall:5.2f} {weighted:5.2f}")
    return "\n".join(lines) + "\n"


def injections() -> list[tuple[str, str, object]]:
    """The five errors of table 6 for the epidemic case: what is done, the name it should get, and atoms -> damaged atoms."""
    def without(subject: str, predicate: str) -> object:
        return lambda atoms: [a for a in atoms if (a.subject, a.predicate) != (subject, predicate)]

    def changed(subject: str, predicate: str, value: object) -> object:
        return lambda atoms: [replace(a, value=value) if (a.subject, a.predicate) == (subject, predicate) else a for a in atoms]

    return [("remove assets:false", "omission", without("assets", "allowed")),
            ("change count:350 to count:200", "mutation", changed("agents", "count", 200)),
            ("change libraries:false to libraries:true", "polarity_flip", changed("libraries", "allowed", True)),
            ("replace the output contract by 'explanation'", "mutation", changed("output", "equals", "explanation")),
            ("delete reset", "omission", without("ui", "reset"))]


def table_6() -> str:
    """Injected errors, found after a round trip through CCL-Core."""
    atoms = cases()[0].atoms
    lines = [f"{'injected error':46} {'detected as':22} {'CAR':>5} conflict"]
    for what, _, damage in injections():
        damaged = ail.read_ccl(ail.write_ccl(damage(atoms)))
        losses = ail.compare(atoms, damaged)
        clash = any(loss.source and loss.target and ail.conflict(loss.source, loss.target) for loss in losses)
        lines.append(f"{what:46} {', '.join(loss.kind for loss in losses):22} {ail.car(atoms, damaged, least=1):5.2f} {'yes' if clash else 'no'}")
    return "\n".join(lines) + "\n"


def table_7(counters: tuple) -> str:
    """Token counts of what the paper prints (the two examples that our copy has whole), and of our forms for the trip case."""
    trip = next(case for case in cases() if case.name == "trip").atoms
    texts = [("the paper's CCL-Core", (PRINTED / "epidemic.ccl").read_text("utf-8")), ("the paper's CCL-Min", (PRINTED / "epidemic.cclmin").read_text("utf-8")),
             *((f"trip, {form}", ail.write_atoms(trip, form)) for form in ("ccl", "cclmin", "ail", "sentences", "json"))]
    lines = [f"{'text':22} {'lexical':>8}" + "".join(f"{counter.name:>8}" for counter in counters)]
    lines += [f"{name:22} {lexical(text.rstrip()):8}" + "".join(f"{counter.count(text.rstrip()):8}" for counter in counters) for name, text in texts]
    return "\n".join(lines) + "\n"


def criteria(counters: tuple) -> list[tuple[str, bool, str]]:
    """The five rejection criteria of section 8.1: (criterion, whether CCL is rejected by it, why)."""
    average = {method[1]: averages(method, counters) for method in METHODS}
    rows = {form: [(case, represent(case, form)) for case in cases()] for form in ("cclmin", "grouped", "json", "ccl", "sentences")}

    def errors(form: str) -> int:
        kinds = ("mutation", "polarity_flip", "scope_error")
        return sum(loss.kind in kinds for case, row in rows[form] for loss in ail.compare(case.atoms, row.decoded))

    def unsafe(form: str) -> int:
        return sum(ail.safety_flag(atom) and not kept for case, row in rows[form] for atom, kept in zip(case.atoms, row.kept))

    def at_equal_size(form: str) -> float:
        """Average WAR of a form within the lexical tokens that CCL-Core takes for all."""
        shares = []
        for case in cases():
            packet = ail.encode(case.atoms, lexical, lexical(ail.write_ccl(case.atoms)), form)
            shares.append(ail.war(case.atoms, packet.kept, weights=case.weights))
        return mean(shares)

    core, plain = average["ccl"], average["sentences"]
    json_errors, min_errors = errors("grouped"), errors("cclmin")
    return [
        ("CCL-Core is not more compact than JSON and YAML", core[0] >= min(average[f][0] for f in ("grouped", "json", "yaml")),
         f"{core[0]:.1f} lexical tokens against {average['grouped'][0]:.1f} (grouped JSON) and {average['yaml'][0]:.1f} (YAML)"),
        ("CCL-Core holds no more weighted atoms than structured prose of the same size", core[3] <= at_equal_size("sentences"),
         f"WAR {core[3]:.2f} against {at_equal_size('sentences'):.2f}; where size does not count it is a tie, {core[3]:.2f} against {plain[3]:.2f} "
         f"(structured) and {average['prose'][3]:.2f} (plain)"),
        ("CCL-Min makes more mutation, polarity or scope errors than JSON", min_errors > json_errors, f"{min_errors} against {json_errors}"),
        ("CCL decodes to fewer atoms than structured prose of comparable size", core[2] < plain[2],
         f"CAR {core[2]:.2f} against {plain[2]:.2f}, by program; what a model would decode is not measured"),
        ("safety atoms are lost more often under CCL", unsafe("ccl") + unsafe("cclmin") > 2 * unsafe("sentences"),
         f"{unsafe('ccl')} and {unsafe('cclmin')} (Min) against {unsafe('sentences')}; the codec refuses rather than drop one"),
    ]


def main() -> None:
    counters = tuple(ail.counters())
    if not all(counter.exact for counter in counters):
        sys.exit("exact counts need tiktoken and its vocabulary; run tests/run once, then TIKTOKEN_CACHE_DIR=.cache/tiktoken")
    if "--readme" in sys.argv:
        print(table_5(counters), end="")
        return
    print("Table 4: each case (lexical tokens)\n\n" + table_4())
    print("Table 5: averages\n\n" + table_5(counters))
    print("Table 6: injected errors\n\n" + table_6())
    print("Table 7: tokens\n\n" + table_7(counters))
    print("Rejection criteria of section 8.1\n")
    for number, (what, rejected, why) in enumerate(criteria(counters), 1):
        print(f"{number}. {what}: {'MET, CCL is rejected' if rejected else 'not met'} ({why})")


if __name__ == "__main__":
    main()
