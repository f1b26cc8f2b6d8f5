"""The HTML page of a check: whole, escaped, closed to the outside, and it works in a browser where there is one."""
from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from html.parser import HTMLParser

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

@pytest.fixture
def browser_page(tmp_path):
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the page was not tried in a browser")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no Chromium: the page was not tried in a browser")
    evil = "".join(ATTACKS)
    (tmp_path / "page.html").write_text(page(SOURCE + f"\nNever print {evil} in prod.", SUMMARY + f"\nPrint {evil} in prod."), "utf-8")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        shown = browser.new_page()
        shown.trouble, shown.asked = [], []
        shown.on("console", lambda message: shown.trouble.append(message.text))
        shown.on("pageerror", lambda error: shown.trouble.append(str(error)))
        shown.on("dialog", lambda dialog: (shown.trouble.append(dialog.message), dialog.dismiss()))
        shown.on("request", lambda request: shown.asked.append(request.url))
        shown.goto((tmp_path / "page.html").as_uri())
        yield shown
        assert shown.trouble == [] and len(shown.asked) == 1
        browser.close()


def test_the_page_filters_and_jumps_in_a_browser(browser_page):
    rows = browser_page.locator("#list li")
    seen = browser_page.locator("#list li:visible")
    kept = browser_page.locator("#list li[data-v=kept]").count()
    assert kept and seen.count() == rows.count() - kept
    browser_page.locator("#filter input[value=kept]").check()
    assert seen.count() == rows.count()
    browser_page.locator("#filter input[value=hallucinated]").uncheck()
    assert browser_page.locator("#list li[data-v=hallucinated]:visible").count() == 0
    browser_page.select_option("#risk", "3")
    assert seen.count() == browser_page.locator("#list li[data-r='3']:not([data-v=hallucinated])").count()
    assert browser_page.inner_text("#told") == f"{seen.count()} of {rows.count()} shown"
    browser_page.locator("#list li[data-v=polarity_flip]").first.click()
    assert browser_page.locator("mark.now").count() >= 1 and browser_page.locator("li.now").count() == 1
    first = browser_page.locator("li.now").get_attribute("data-f")
    browser_page.keyboard.press("j")
    assert browser_page.locator("li.now").get_attribute("data-f") != first
    browser_page.keyboard.press("k")
    assert browser_page.locator("li.now").get_attribute("data-f") == first
    browser_page.locator("mark:not(.off)").last.click()
    assert browser_page.locator("li.now").count() == 1
