"""A check as one HTML page: source and summary side by side, what was said of each passage marked in both.

The page is a file: it asks for nothing, and its Content-Security-Policy lets run what this room wrote, known by its hash, and nothing else. All that
comes from the two texts is escaped text, never markup, script, style, address or name; control and bidi characters are spelled out.
"""
from __future__ import annotations

import base64
import hashlib
import html
import re
from bisect import bisect_left, insort

from .verdicts import SEVERITY

WHOLE_SIDE_AT_MOST = 400_000    # characters; of a longer side only the surroundings of marks are shown, and what is left out is counted
_AROUND = 600                   # characters
_FINDINGS_AT_ONE_PLACE = 20     # named at a mark; more can stand there
_FINDING_CLASSES = ("hallucinated", *SEVERITY)
_RISKS = ((1, "all"), (2, "risk 2 and 3"), (3, "risk 3"))

# C0 and C1 without tab and line feed, marks that turn the direction of text, invisible ones, lone surrogates.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
                     "\ufeff\ufff9-\ufffb\ud800-\udfff\ufffe\uffff\U000e0000-\U000e0fff]")

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1b1b1b; --soft: #5c5c5c; --line: #ccc; --pane: #fafafa; --bad: #ffd0cc; --change: #ffe2b3;
  --gone: #e6dcff; --weak: #fff3a8; --good: #d5f0d2; --unsure: #dfe7ee; --now: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181b; --ink: #e8e8e8; --soft: #a7adb4; --line: #3b4047; --pane: #1d2024; --bad: #6b2620;
  --change: #66430c; --gone: #43366b; --weak: #575010; --good: #24482a; --unsure: #34414c; --now: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0; display: flex; flex-direction: column; height: 100vh; height: 100dvh;
  background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
header, #filter { padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.15rem; margin: 0 0 .2rem; max-height: 4.5em; overflow: auto; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0; padding: .5rem .8rem; border-bottom: 1px solid var(--line);
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
p { margin: .15rem 0; color: var(--soft); }
#filter { display: flex; flex-wrap: wrap; gap: .35rem .9rem; align-items: center; }
#filter label { padding: .1rem .35rem; border-radius: .3rem; white-space: nowrap; }
main { display: grid; grid-template-columns: minmax(17rem, 1fr) 1.4fr 1.4fr; flex: 1; min-height: 0; }
section { display: flex; flex-direction: column; min-width: 0; min-height: 0; border-right: 1px solid var(--line); }
section > div, ol { overflow: auto; flex: 1; margin: 0; padding: .6rem .8rem; }
ol { list-style: none; }
li { border-bottom: 1px solid var(--line); padding: .4rem .3rem; overflow-wrap: anywhere; }
li a { color: inherit; text-decoration: none; display: block; }
li a:hover span { text-decoration: underline; }
li span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 5; overflow: hidden; } li.now span { display: block; }
li.now { outline: 2px solid var(--now); outline-offset: -2px; }
b { border-radius: .3rem; padding: 0 .3rem; font-weight: 600; } small { color: var(--soft); display: block; }
pre { background: var(--pane); border: 1px solid var(--line); border-radius: .3rem; margin: 0 0 .7rem; padding: .5rem .6rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, monospace; unicode-bidi: isolate; }
pre i { color: var(--soft); font-style: normal; }
mark { color: inherit; border-radius: .2rem; cursor: pointer; scroll-margin: 2rem; } mark.off { background: none; cursor: auto; }
mark::before { content: attr(data-n); font-size: .68em; vertical-align: super; color: var(--soft); padding-right: .15em; }
mark.off::before { content: none; }
mark.now { outline: 2px solid var(--now); }
a:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--now); outline-offset: 1px; }
.hallucinated, .safety_erasure, .polarity_flip { background: var(--bad); } .temporal_error, .mutation, .scope_error { background: var(--change); }
.omission { background: var(--gone); } .weakening { background: var(--weak); } .uncertain { background: var(--unsure); }
.kept { background: var(--good); }
mark { text-decoration: underline 1px; text-underline-offset: .2em; } mark.off, mark.kept { text-decoration: none; }
mark.hallucinated, mark.safety_erasure, mark.polarity_flip { text-decoration-style: double; } mark.omission { text-decoration-style: dashed; }
mark.weakening, mark.uncertain { text-decoration-style: dotted; }
@media screen and (max-width: 60rem) { body { min-height: 44rem; } #keys { display: none; }
  header, #filter { padding: .4rem .8rem; font-size: .87rem; } #filter { gap: .25rem .4rem; } h2 { padding: .2rem .8rem; }
  main { grid-template: minmax(13rem, 4fr) minmax(10rem, 3fr) minmax(10rem, 3fr) / 100%; } }
@media print { #filter label, #keys { display: none; } body, main { display: block; height: auto; } section { border: 0; }
  section, section > div, ol { display: block; overflow: visible; } li span { display: block; } li.now, mark.now { outline: none; }
  h1 { max-height: none; } h2 { break-after: avoid; white-space: normal; overflow-wrap: anywhere; }
  li { break-inside: avoid; } b, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""

_SCRIPT = """
"use strict";
const all = (what) => [...document.querySelectorAll(what)];
const rows = all("#list li"), marks = all("mark"), boxes = all("#filter input"), risk = document.getElementById("risk");
const told = document.getElementById("told");
const byFinding = new Map();
for (const mark of marks) for (const f of mark.dataset.f.split(" ")) { if (!byFinding.has(f)) byFinding.set(f, []); byFinding.get(f).push(mark); }
function filter() {
  const on = new Set(boxes.filter((box) => box.checked).map((box) => box.value)), least = Number(risk.value), shown = new Set();
  for (const row of rows) {
    row.hidden = !(on.has(row.dataset.v) && Number(row.dataset.r) >= least);
    if (!row.hidden) shown.add(row.dataset.f);
  }
  for (const mark of marks) mark.classList.toggle("off", !mark.dataset.f.split(" ").some((f) => shown.has(f)));
  const without = boxes.filter((box) => !box.checked).map((box) => box.value.replace("_", " "));
  told.textContent = shown.size + " of " + rows.length + " shown" + (without.length ? ", without " + without.join(", ") : "");
}
function go(row) {
  const f = row.dataset.f;
  for (const other of all(".now")) other.classList.remove("now");
  row.classList.add("now");
  for (const mark of byFinding.get(f) || []) mark.classList.add("now");
  for (const side of ["s", "t"]) {
    let mark = document.getElementById(side + f);
    while (mark && mark.tagName !== "MARK") mark = mark.nextElementSibling;
    if (!mark) continue;
    mark.classList.add("now");  // where many findings meet, not all are named
    mark.scrollIntoView({ block: mark.offsetHeight > mark.closest("div").clientHeight / 2 ? "start" : "center" });
  }
  row.querySelector("a").focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}
for (const box of [...boxes, risk]) box.addEventListener("change", filter);
for (const row of rows) row.addEventListener("click", (event) => { event.preventDefault(); go(row); });
for (const mark of marks) mark.addEventListener("click", () => {
  const row = rows.find((one) => !one.hidden && mark.dataset.f.split(" ").includes(one.dataset.f));
  if (row) go(row);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT" || !["j", "k"].includes(event.key)) return;
  const open = rows.filter((row) => !row.hidden), at = open.findIndex((row) => row.classList.contains("now"));
  const next = open[event.key === "j" ? at + 1 : at < 0 ? open.length - 1 : at - 1];
  if (next) go(next);
});
filter();
"""


def html_page(checked: object, names: tuple[str, str]) -> str:
    """The page of a Checked; `names` are those of source and summary, without secrets."""
    findings = _findings(checked)
    numbers = checked.measures
    counts = {name: sum(each["verdict"] == name for each in findings) for name in _FINDING_CLASSES}
    policy = f"default-src 'none'; script-src '{_hash_of(_SCRIPT)}'; style-src '{_hash_of(_STYLE)}'; base-uri 'none'; form-action 'none'"
    car, war = ("-" if numbers[name] is None else f"{numbers[name]:.2f}" for name in ("car", "war"))
    sizes = numbers["tokens"]
    parts = [
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>Check of {seen_text(names[1])}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<header>\n"
        f"<h1>What {seen_text(names[1])} holds of {seen_text(names[0])}</h1>\n"
        f"<p>{numbers['kept']} of {numbers['commitments']} commitments kept; CAR {car}, WAR {war}; "
        f"{len(checked.hallucinated)} claims without support, {len(checked.doubtful)} doubtful; {sizes['source']:,} tokens of source, "
        f"{sizes['summary']:,} of summary ({seen_text(sizes['counter'])})</p>\n"
        '<p id="keys">Click a finding or a mark to jump; keys j and k go on and back.</p>\n</header>\n<form id="filter" aria-label="Filter">\n']
    for name in _FINDING_CLASSES:
        if counts[name]:
            ticked = "" if name == "kept" else " checked"
            parts.append(f'<label class="{name}"><input type="checkbox" value="{name}"{ticked}> {_class_words(name)} {counts[name]}</label>\n')
    choices = "".join(f'<option value="{least}">{words}</option>' for least, words in _RISKS)
    parts.append(f'<label>risk <select id="risk">{choices}</select></label>\n'
                 f'<output id="told" aria-live="polite">{len(findings)} findings</output>\n</form>\n<main>\n'
                 '<section aria-label="Findings"><h2>Findings</h2>\n<ol id="list">\n')
    parts += (_row(number, each) for number, each in enumerate(findings, 1))
    parts.append("</ol></section>\n")
    for key, name, texts in zip(("source", "summary"), names, checked.sides):
        parts.append(f'<section aria-label="{key}"><h2>{key.capitalize()}: {seen_text(name)}</h2>\n<div tabindex="0">\n')
        parts += _side(key, texts, findings)
        parts.append("</div></section>\n")
    parts.append(f"</main>\n<script>{_SCRIPT}</script>\n</body>\n</html>\n")
    return "".join(parts)


def _findings(checked: object) -> list[dict]:
    """Verdicts and unsupported claims in one form, worst first, the costly first among equals."""
    rank = {name: place for place, name in enumerate(_FINDING_CLASSES)}
    found = list(checked.verdicts) + [
        {**each, "verdict": verdict or each["kind"], "statement": each["claim"], "type": each["kind"], "criticality": risk, "source": None}
        for claims, verdict, risk in ((checked.hallucinated, "", 2), (checked.doubtful, "uncertain", 1)) for each in claims]
    return sorted(found, key=lambda each: (rank[each["verdict"]], -each["criticality"], -each["confidence"]))


def _row(number: int, each: dict) -> str:
    target = f"s{number}" if each["source"] else f"t{number}" if each["summary"] else f"f{number}"
    verdict, risk = each["verdict"], each["criticality"]
    return (f'<li id="f{number}" data-f="{number}" data-v="{verdict}" data-r="{risk}"><a href="#{target}">{number} '
            f'<b class="{verdict}">{_class_words(verdict)}</b> <span>{seen_text(each["statement"])}</span>'
            f'<small>{seen_text(each["reason"])} · {seen_text(each["type"])} · risk {risk} · sure {each["confidence"]:.2f}</small></a></li>\n')


def _class_words(name: str) -> str:
    return name.replace("_", " ")


_SIDES = {"source": ("s", "turn"), "summary": ("t", "part")}  # the letter of its places in the page, and what a span calls the number of its part


def _side(side: str, texts: tuple, findings: list[dict]) -> list[str]:
    """The parts of one side; of a long one the surroundings of marks only."""
    letter, part = _SIDES[side]
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for number, each in enumerate(findings, 1):
        span = each[side]
        if span and span["start"] < span["end"]:
            spans.setdefault(span[part], []).append((span["start"], span["end"], number))
    whole = sum(map(len, texts)) <= WHOLE_SIDE_AT_MOST
    shown = [f'<pre aria-label="part {number}">{_marked(letter, text, spans.get(number, []), findings, whole)}</pre>\n'
             for number, text in enumerate(texts, 1) if whole or number in spans]
    if len(shown) < len(texts):
        shown.append(f"<p>{len(texts) - len(shown):,} parts without a finding are left out.</p>\n")
    return shown


def _marked(letter: str, text: str, spans: list, findings: list[dict], whole: bool) -> str:
    """A text with its spans (start, end, number of the finding) as marks. Where spans overlap, a piece is named after the worst of its findings."""
    starts: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for start, end, number in spans:
        starts.setdefault(start, []).append(number)
        ends.setdefault(end, []).append(number)
    active: list[int] = []
    out, edges = [], sorted({0, len(text), *starts, *ends})
    for at, until in zip(edges, edges[1:]):
        for number in ends.get(at, ()):
            del active[bisect_left(active, number)]
        new = sorted(starts.get(at, ()))
        for number in new:
            insort(active, number)
            out.append(f'<span id="{letter}{number}"></span>')
        piece = text[at:until]
        if active:
            worst, named = findings[active[0] - 1]["verdict"], " ".join(map(str, active[:_FINDINGS_AT_ONE_PLACE]))
            out.append(f'<mark class="{worst}" data-f="{named}" data-n="{",".join(map(str, new[:3]))}">{seen_text(piece)}</mark>')
        else:
            out.append(seen_text(piece) if whole or len(piece) <= 2 * _AROUND else _surroundings(piece))
    return "".join(out)


def _surroundings(piece: str) -> str:
    return f"{seen_text(piece[:_AROUND])}<i> [{len(piece) - 2 * _AROUND:,} characters left out] </i>{seen_text(piece[-_AROUND:])}"


def seen_text(text: str) -> str:
    """Text as HTML text or attribute: escaped, and what cannot be seen or turns text around spelled out."""
    return html.escape(_UNSEEN.sub(_code_of, text.replace("\r\n", "\n")))


def _code_of(match: object) -> str:
    return f"[U+{ord(match[0]):04X}]"


def _hash_of(text: str) -> str:
    """As a policy names an inline script or style (CSP level 2, 4.2.5)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
