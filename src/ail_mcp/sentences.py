"""A turn's text to units: sentences, list items, table rows, code blocks and pasted output, each with its exact span and what it stands under.

One pass over the lines. A list item is one unit however many sentences it has; a heading or a line that ends with a colon is no unit but the
context of those that follow; fenced code is one unit; so is a run of lines that a program printed.
"""
from __future__ import annotations

import re
from collections import namedtuple

Unit = namedtuple("Unit", "start end kind under")
Unit.__doc__ = """`text[start:end]`; `kind` is sentence, item, row, code, quote or output; `under` are the spans (start, end) of the heading and of
the line with a colon that it stands under, outermost first."""

_FENCED = re.compile(r" {0,12}(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,8}(?:#{1,6}\s+\S|\*\*[^*\n]{1,120}\*\*:?\s*$)")
_ITEM = re.compile(r"(\s{0,40})(?:[-*+•‣◦–]|\d{1,3}[.)]|[a-zA-Z][.)]|\(?\d{1,2}\))(?:\s+\[[ xX~>-]\])?\s+(?=\S)")
_ROW = re.compile(r"\s{0,8}\|.*\|\s*$")
_RULE = re.compile(r"[\s|:+*=_─━═`-]*$")
_QUOTE = re.compile(r"\s{0,4}>\s?")
_OUTPUT = re.compile(
    r"\s{0,12}(?:\d{4}-\d\d-\d\d[ T]\d\d:|\[?\d\d:\d\d:\d\d|at [\w.$<>]{1,200}\(|File \"|Traceback \(|"
    r"(?:[\w.]{1,80})?(?:Error|Exception|Warning|error|warning|fatal|"
    r"remote|ERROR|WARN|INFO|DEBUG|FAIL|PASS)\b[^\n]{0,40}:|[$❯%#] \S|(?:\+\+\+|---|@@) |[-+] ?[{}();]|"
    r"(?:create|delete) mode \d|[{}\[\]();,]+\s*$|\d{1,6}\s*[│|→]|✓|✗|⎿)")
_SENTENCE_END = re.compile(r"[.!?…][)\"'”’`*]{0,3}\s+(?=[^a-z\s])|[。！？][」』”）]{0,2}|\n\s*\n")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|No|Nr|z\.B|d\.h|bzw|ca|т\.е|т\.д|p\.ej|Dr|Mr|Ms|St|incl|resp)|\b[A-Z])\.\Z")
_EDIT_MARK = re.compile(r"<{5,9} (?:SEARCH|HEAD|ORIGINAL|[\w/.-]{1,80}\s*\Z)|={5,9}\s*\Z|>{5,9} (?:REPLACE|UPDATED|[\w/.-]{1,80}\s*\Z)")
_PROSE_FENCES = ("md", "markdown", "text", "txt", "mdx")
LONGEST_LEAD = 200
UNIT_AT_MOST = 400          # characters; what is longer is several units, so that no end of it is lost
_PIECES_OF = ("sentence", "item", "quote", "row")


def units(text: str) -> list[Unit]:
    """The units of a text in order. Their spans do not overlap; blank lines, rules and marks of lists and tables are in none."""
    return _Splitter(text).run()


class _Splitter:
    """The state between the lines of one text: the open paragraph or item, and the headings above."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[Unit] = []
        self.heading: tuple = ()
        self.lead: tuple = ()
        self.parents: list[tuple[int, tuple]] = []     # (indent, span) of items that others stand under
        self.open: list = []                           # [start, end, kind] of the running paragraph, item or output
        self.fence, self.prose = "", False             # the mark of the open fence, and whether a document is in it
        self.replaced = False                          # inside the part of an edit that goes away
        self.header: tuple = ()

    def run(self) -> list[Unit]:
        at = 0
        while at < len(self.text):
            end = self.text.find("\n", at)
            end = len(self.text) if end < 0 else end
            self.line(at, end)
            at = end + 1
        self.close()
        return self.out

    def line(self, at: int, end: int) -> None:
        line = self.text[at:min(end, at + 4000)]
        fenced = _FENCED.match(line) if "```" in line or "~~~" in line else None
        if self.fence and fenced and line.strip() == self.fence:
            self.close()
            self.fence, self.replaced = "", False
            return
        if self.fence and _EDIT_MARK.match(line):
            self.close()
            self.replaced = line[0] == "<"      # what an edit looks for is old; what it puts there comes behind "====="
            return
        if self.replaced:
            return
        if self.fence and not self.prose:
            self.extend(at, end, "code")
            return
        if fenced and not self.fence and line.count(fenced[1]) == 1:
            self.close()
            self.fence, self.prose = fenced[1], line.strip(" `~").lower() in _PROSE_FENCES
            return
        if not line or _RULE.match(line):
            self.close()
            if not self.text[at:end].strip() and self.lead and not self.lead[2]:
                self.lead = (*self.lead[:2], True)     # a blank line right after the lead-in: what follows still stands under it
            self.header = self.header if "|" in line else ()
            return
        if _HEADING.match(line):
            self.close()
            start = at + len(line) - len(line.lstrip(" #\t"))
            self.heading, self.lead, self.parents = (start, end), (), []
            return
        if _ROW.match(line):
            self.close()
            if not self.header:
                self.header = (at, end)
            else:
                self.add(at, end, "row")
            return
        item = _ITEM.match(line)
        if item:
            self.item(at, end, item)
        elif _OUTPUT.match(line):
            self.extend(at, end, "output")
        elif _QUOTE.match(line) and line.lstrip()[:1] == ">":
            self.extend(at, end, "quote")
        elif self.open and self.open[2] == "item" and line[:1] in " \t":
            self.extend(at, end, "item")
        else:
            self.extend(at, end, "sentence")

    def item(self, at: int, end: int, item: object) -> None:
        self.close()
        indent = len(item[1].expandtabs(4))
        while self.parents and self.parents[-1][0] >= indent:
            self.parents.pop()
        body = (at + item.end(), end)
        self.open = [*body, "item"]
        self.parents.append((indent, body))

    def extend(self, at: int, end: int, kind: str) -> None:
        if self.open and self.open[2] != kind:
            self.close()
        if self.open:
            self.open[1] = end
        else:
            self.open = [at, end, kind]
        if kind not in ("item",) and self.parents and self.text[at:at + 1] not in (" ", "\t"):
            self.parents = []

    def close(self) -> None:
        if not self.open:
            return
        start, end, kind = self.open
        self.open = []
        if kind != "sentence":
            self.add(start, end, kind)
            return
        for first, last in sentence_parts(self.text, start, end):
            tail = self.text[first:last].rstrip(" *_`\t")
            if tail.endswith((":", "：")) and last - first <= LONGEST_LEAD and last == end:
                self.lead = (first, last, False)
            else:
                self.add(first, last, "sentence")
                if self.lead and self.lead[2]:
                    self.lead = ()

    def add(self, start: int, end: int, kind: str) -> None:
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if start < end:
            above = [span for _, span in self.parents if span[0] != start][-1:]
            header = [self.header] if kind == "row" and self.header else []
            lead = [self.lead[:2]] if self.lead and self.lead[0] < start else []
            under = tuple([*([self.heading] if self.heading else []), *lead, *above, *header])
            pieces = short_parts(self.text, start, end) if kind in _PIECES_OF else [(start, end)]
            self.out += (Unit(first, last, kind, under) for first, last in pieces)


def sentence_parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """(start, end) of the sentences in a part of a text; ends after e.g. and initials are none."""
    spans, at = [], start
    for mark in _SENTENCE_END.finditer(text, start, end):
        if mark[0][0] == "." and _ABBREVIATED.search(text[max(at, mark.start() - 8):mark.start() + 1]):
            continue
        spans.append((at, mark.end() - len(mark[0]) + len(mark[0].rstrip())))
        at = mark.end()
    if at < end:
        spans.append((at, end))
    return spans


def short_parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """(start, end) of parts of at most UNIT_AT_MOST characters: cut behind a sentence, else a line, else a word."""
    spans = []
    while end - start > UNIT_AT_MOST:
        limit = start + UNIT_AT_MOST
        sentences = [mark.end() for mark in _SENTENCE_END.finditer(text, start, limit)]
        cut = sentences[-1] if sentences else max(text.rfind("\n", start, limit), start) + 1
        if cut <= start + 1:
            cut = max(text.rfind(" ", start, limit), start) + 1
        cut = limit if cut <= start + 1 else cut
        spans.append((start, start + len(text[start:cut].rstrip())))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    return [*spans, (start, end)] if start < end else spans
