"""The HTML page of a check: whole, escaped, closed to the outside, and it works in a browser where there is one."""
from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import browser
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

SOURCE = "Never delete the production database. The upload limit is 25 MB. Use pnpm, not npm.\n\nThe French translation is still open.\n"
SUMMARY = "Deleting the production database is fine. The upload limit is 25 MB. Acme Corp approved the launch on Friday.\n"
ATTACKS = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "' autofocus onfocus=alert(1) x='", "</pre></main><style>*{}",
           "<!--", "]]>", "&lt;b&gt; &amp; &#60;", "javascript:alert(1)", "<a href=javascript:alert(1)>", "</title><base href=//x.y>", "${1} `x` \\u003cb>")
UNSEEN = "\x00\x07\x1b[31m\x7f\x9b\u202e\u2066\u200b\u200f\u2028\ufeff\U000e0041\ud800"


def page(source: str = SOURCE, summary: str = SUMMARY, names: tuple = ("a.md", "b.md")) -> str:
    data = source.encode("utf-8", "replace")
    redactor = ail.Redactor()
    checked = ail.check(data, summary.encode("utf-8", "replace"), ail.commitments_of(data, "source", redactor), redactor=redactor)
    return ail.html_page(checked, names)


class Outline(HTMLParser):
    """The elements of a page with their attributes, its text by element, and whether every element is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements, self.open, self.texts, self.sound = [], [], {}, True
        self.feed(text)
        self.close()
        self.sound &= not self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        self.sound &= bool(self.open) and self.open.pop() == tag

    def handle_comment(self, data):
        self.sound = False

    def handle_data(self, data):
        for tag in self.open:
            self.texts[tag] = self.texts.get(tag, "") + data


KNOWN = {"html", "head", "meta", "title", "style", "body", "header", "h1", "p", "form", "label", "input", "select", "option", "output", "main", "section", "h2",
         "ol", "li", "a", "b", "span", "small", "div", "pre", "mark", "i", "script"}


def is_closed(text: str) -> Outline:
    """Nothing but what the room writes: its elements, no handler, no address but to a place in the page, the one script and style by their hash."""
    outline = Outline(text)
    assert outline.sound
    assert {tag for tag, _ in outline.elements} <= KNOWN
    for tag, attributes in outline.elements:
        assert not any(name.startswith("on") or name in ("style", "src", "action", "srcset", "formaction") for name in attributes), (tag, attributes)
        assert re.fullmatch(r"#[stf]\d+", attributes.get("href", "#s1"))
    policy = next(attributes["content"] for tag, attributes in outline.elements if attributes.get("http-equiv") == "Content-Security-Policy")
    for kind in ("script", "style"):
        assert [tag for tag, _ in outline.elements].count(kind) == 1
        digest = base64.b64encode(hashlib.sha256(outline.texts[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    return outline


def test_the_page_shows_both_texts_whole_with_the_findings_marked_in_them():
    text = page()
    outline = is_closed(text)
    shown = outline.texts["pre"].replace("\n", "")
    assert SOURCE.replace("\n", "") in shown and SUMMARY.replace("\n", "") in shown
    assert {attributes["class"] for tag, attributes in outline.elements if tag == "mark"} >= {"hallucinated", "kept", "polarity_flip"}
    rows = [attributes for tag, attributes in outline.elements if tag == "li"]
    ids = {attributes["id"] for _, attributes in outline.elements if "id" in attributes}
    assert [int(row["data-f"]) for row in rows] == list(range(1, len(rows) + 1)) and len(rows) >= 5
    assert all(attributes["href"][1:] in ids for tag, attributes in outline.elements if tag == "a")


@pytest.mark.parametrize("attack", ATTACKS)
def test_text_is_never_markup(attack):
    rule = f"Never print {attack} in the file report_{{x}}.md before the 25 MB limit."
    outline = is_closed(page(rule, f"Print {attack} whenever you like. Acme {attack} approved it.", (attack, attack)))
    assert attack in outline.texts["title"] and attack in outline.texts["pre"] and attack in outline.texts["h1"]


def test_what_cannot_be_seen_is_spelled_out():
    text = ail.seen_text(f"a{UNSEEN}\tb\n")
    assert text.startswith("a[U+0000][U+0007][U+001B][31m") and text.endswith("[U+D800]\tb\n") and "[U+202E]" in text
    assert not any(mark in text for mark in UNSEEN if mark not in "[31m")
    is_closed(page(f"Never touch the file {UNSEEN[1:]}x.md at all.", f"{UNSEEN[1:]}", (UNSEEN, "b")))


SPAN = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda pair: (min(pair), max(pair)))


@given(st.text("ab<&\"'\n", min_size=0, max_size=40), st.lists(SPAN, max_size=12))
def test_any_overlap_of_spans_keeps_the_text_and_the_order_of_elements(text, spans):
    verdicts = [{"id": str(n), "verdict": "mutation", "statement": "x", "type": "fact", "criticality": 1, "reason": "r", "confidence": 0.5, "summary": None,
                 "source": {"turn": 1, "start": min(a, len(text)), "end": min(b, len(text))}} for n, (a, b) in enumerate(spans)]
    numbers = {"kept": 0, "commitments": len(spans), "car": None, "war": None, "tokens": {"source": 0, "summary": 0, "counter": "estimate"}}
    outline = is_closed(ail.html_page(ail.Checked(verdicts, [], numbers, [], ((text,), ())), ("a", "b")))
    assert outline.texts.get("pre", "") == text
    marked = sum(any(v["source"]["start"] <= at < v["source"]["end"] for v in verdicts) for at in range(len(text)))
    assert len(outline.texts.get("mark", "")) == marked


def test_a_long_source_is_cut_to_the_surroundings_and_says_so():
    filler = "Lorem ipsum dolor sit amet. " * 30_000
    talk = [{"role": "user", "content": "Never delete the production database."}, {"role": "assistant", "content": filler + "The limit is 25 MB. " + filler},
            {"role": "user", "content": "thanks"}]
    text = page(json.dumps(talk), "Deleting the production database is fine.")
    assert len(text) < 300_000 and "left out" in is_closed(text).texts["p"] + is_closed(text).texts.get("i", "")


def test_the_command_writes_the_page_without_secrets(run, tmp_path):
    secret = "gh" + "p_" + "9aQ2" * 9
    (tmp_path / "source.md").write_text(f"Always use the token {secret} for the upload.\n")
    (tmp_path / f"{secret}.md").write_text(f"The token is {secret}.\n")
    done = run("check", "source.md", f"{secret}.md", "--html", "page.html")
    text = (tmp_path / "page.html").read_text()
    assert done.returncode == 0 and secret not in text and "REDACTED_" in text and b"commitments" in done.stdout
    assert run("check", "source.md", f"{secret}.md", "--html", "page.html").returncode == 4
    assert run("check", "source.md", f"{secret}.md", "--html", "page.html", "--force").returncode == 0
    is_closed(text)


# ---- in a browser ----

RULES = 200


@pytest.fixture
def shown(tmp_path):
    """The page of a check with hostile texts and some 200 verdicts, opened without a network; what it logs, asks for or pops up fails the test."""
    if browser.PROGRAM is None:
        pytest.skip("there is no Chromium: the page was not tried in a browser")
    evil = "".join(ATTACKS) + "\u202e\u2066"
    rules = [f"Never write to table_{n} before step {n} is done." for n in range(RULES)]
    said = [("Writing to table_{0} before step {0} is fine.", "Never write to table_{0} before step {0} is done.", "")[n % 3].format(n) for n in range(RULES)]
    (tmp_path / "page.html").write_text(page("\n\n".join([SOURCE, *rules, f"Never print {evil} in prod.", "w" * 3000, "The last line of the source."]),
                                             "\n\n".join([SUMMARY, *filter(None, said), f"Print {evil} in prod.", "The last line of the summary."]), (evil, evil)), "utf-8")
    with browser.Page(tmp_path) as opened:
        opened.open(tmp_path / "page.html")
        yield opened
        assert opened.trouble == [] and len(opened.asked) == 1


def rows(shown, more: str = "") -> int:
    return shown.js(f"[...document.querySelectorAll(`#list li{more}`)].filter((row) => row.checkVisibility()).length")


def now(shown) -> str:
    return shown.js("document.querySelector('li.now').dataset.f")


# Of an element: whether a person sees some of it, not behind the edge of the window or of the pane that it scrolls in.
IN_SIGHT = """(it) => { const box = it.getClientRects()[0], at = document.elementFromPoint(box.x + 3, box.y + box.height / 2); return at === it || it.contains(at); }"""


@pytest.mark.slow
def test_the_page_filters_by_class_and_by_risk(shown):
    whole, kept = shown.js("document.querySelectorAll('#list li').length"), shown.js("document.querySelectorAll('#list li[data-v=kept]').length")
    assert whole > RULES and kept and rows(shown) == whole - kept and shown.js("document.getElementById('told').textContent").endswith("shown, without kept")
    shown.click("#filter input[value=kept]")
    assert rows(shown) == whole and shown.js("document.getElementById('told').textContent") == f"{whole} of {whole} shown"
    shown.click("#filter input[value=polarity_flip]")
    assert rows(shown, "[data-v=polarity_flip]") == 0 and shown.js("document.querySelectorAll('mark.polarity_flip:not(.off)').length") == 0
    shown.js("document.getElementById('risk').value = '3'; document.getElementById('risk').dispatchEvent(new Event('change'))")
    assert 0 < rows(shown) == rows(shown, "[data-r='3']") < whole


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 400])
def test_a_verdict_leads_to_its_words_on_both_sides_by_mouse_and_by_keyboard(shown, width):
    shown.size(width, 800)
    assert shown.js("document.documentElement.scrollWidth") <= width
    flips = shown.js("[...document.querySelectorAll('#list li[data-v=polarity_flip]')].map((row) => row.id)")
    shown.click(f"#{flips[-1]} a")
    assert now(shown) == flips[-1][1:]
    marks = f"['source', 'summary'].map((side) => document.querySelector(`section[aria-label=${{side}}] mark.now`)).map({IN_SIGHT})"
    assert shown.js(marks) == [True, True] and shown.js(f"({IN_SIGHT})(document.querySelector('li.now a'))")
    shown.press("k")
    assert now(shown) == flips[-2][1:] and shown.js(marks) == [True, True]
    shown.press("j")
    assert now(shown) == flips[-1][1:]
    shown.press("Tab")
    shown.press("Enter")
    after = now(shown)
    assert after != flips[-1][1:] and shown.js("document.activeElement.parentNode.className") == "now"
    shown.click(f"mark[data-f='{flips[0][1:]}']")
    assert now(shown) == flips[0][1:] and shown.js(f"({IN_SIGHT})(document.querySelector('li.now a'))")


@pytest.mark.slow
def test_print_shows_all_that_the_filter_shows_and_no_colour_stands_alone(shown):
    shown.media("print")
    shown.size(720, 1000)
    cut = shown.js("""[...document.querySelectorAll("body *")].filter((it) => it.checkVisibility() && getComputedStyle(it).display !== "inline"
        && (it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1) && getComputedStyle(it).overflow !== "visible").map((it) => it.outerHTML.slice(0, 80))""")
    assert cut == [] and shown.js("document.documentElement.scrollWidth") <= 720
    assert shown.js("document.getElementById('told').checkVisibility()") and not shown.js("document.querySelector('#filter label').checkVisibility()")
    assert int(re.search(rb"/Type /Pages[^>]*/Count (\d+)|/Count (\d+)[^>]*/Type /Pages", shown.pdf()).group(0).split(b"/Count ")[1].split()[0]) > 5
    bare = shown.js("[...document.querySelectorAll('mark:not(.off)')].filter((mark) => getComputedStyle(mark).textDecorationLine !== 'underline').length")
    assert bare == 0 and shown.js("[...document.querySelectorAll('#list li b')].every((name) => name.textContent.length > 3)")


# Of every element that has text of its own: the contrast of its colour with what stands behind it, as WCAG 2 counts it.
CONTRAST = """(() => {
  const light = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map((c) => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = (it) => { for (; it; it = it.parentElement) { const c = getComputedStyle(it).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  return Math.min(...[...document.querySelectorAll("header *, label, li b, li span, li small, pre, mark, h2")].filter((it) => it.checkVisibility()).map((it) => {
    const pair = [light(getComputedStyle(it).color), light(ground(it))].sort(); return (pair[1] + .05) / (pair[0] + .05); }));
})()"""


@pytest.mark.slow
def test_text_can_be_read_in_light_and_in_dark(shown):
    grounds = []
    for scheme in ("light", "dark"):
        shown.media("screen", scheme)
        grounds.append(shown.js("getComputedStyle(document.body).backgroundColor"))
        assert shown.js(CONTRAST) >= 4.5, scheme
    assert grounds[0] != grounds[1]


@pytest.mark.slow
def test_hostile_text_is_text(shown):
    assert shown.js("document.scripts.length") == 1 and shown.js("document.querySelectorAll('img, svg, base, iframe, pre a').length") == 0
    texts = shown.js("[document.title, document.querySelector('h1').textContent, ...[...document.querySelectorAll('pre')].map((pre) => pre.textContent)].join('\\n')")
    for attack in ATTACKS:
        assert texts.count(attack) >= 4, attack
    assert "\u202e" not in texts and "[U+202E][U+2066]" in texts
