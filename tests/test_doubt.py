"""Clauses of a summary that only their wording speaks against: what it says once, and not as its source puts it."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

THINGS = "parser scanner planner loader mailer indexer router cache queue ledger".split()
TALK = [f"The {thing} reads its {other} settings from config/{thing}.toml at start." for thing in THINGS for other in THINGS[:5] if other != thing]
NOBODYS = "The old invoices get archived overseas by the night crew."
ROWS = '{"id": "a", "statement": "The parser reads its scanner settings from config/parser.toml at start."}'


def told(summary: str) -> object:
    source = "\n".join(json.dumps({"role": "assistant", "content": text}) for text in TALK)
    return ail.check(source.encode(), summary.encode(), ail.read_commitments(ROWS))


@pytest.mark.parametrize("at", [0, 20, len(TALK)])
def test_a_clause_in_words_of_nobody_is_doubtful_in_a_long_summary(at):
    checked = told("\n\n".join([*TALK[:at], NOBODYS, *TALK[at:]]))
    assert [each["claim"] for each in checked.doubtful] == [NOBODYS] and not checked.hallucinated
    only = checked.doubtful[0]
    assert only["reason"] == ail.UNHEARD and 0 < only["confidence"] < 0.5 and only["summary"]["text"] == NOBODYS


def test_a_summary_in_the_words_of_its_source_holds_nothing_doubtful():
    assert not told("\n\n".join(TALK)).doubtful


def test_a_line_without_words_is_nothing():
    assert not told("\n\n".join([*TALK, ")", "—", "; ", "()"])).doubtful


def test_a_short_summary_says_everything_once():
    assert not told("\n\n".join([*TALK[:5], NOBODYS])).doubtful


def test_doubtful_clauses_are_few_and_the_likeliest_errors_come_first():
    words = "amber uncle juggles lanterns bronze sister paints bridges coral tailor mends kites denim sailor counts pebbles ebony baker folds maps".split()
    strange = [f"{one.capitalize()} {two} {three} {four}." for one, two, three, four in zip(words, words[1:], words[2:], words[3:])][::2]
    strange += ["Purple owls hum.", "Grey foxes whistle tunes, happily.", "Seven tall dwarfs dig trenches."]
    checked = told("\n\n".join(TALK + strange))
    assert 3 <= len(checked.doubtful) <= (len(TALK) + len(strange)) / ail.PASSAGES_A_DOUBT + 1
    sure = [each["confidence"] for each in checked.doubtful]
    assert sure == sorted(sure, reverse=True)


@pytest.mark.parametrize("clause, kind", [
    ("a steady rhythm would be somewhat nicer", "weakening"), ("that chapter is finished already", "temporal_error"),
    ("the gosec warning got hushed", "safety_erasure"), ("the user wants purple lanterns", "hallucinated"), ("their uncle juggles lanterns", "hallucinated"),
])
def test_a_doubtful_clause_has_the_name_of_what_it_would_be(clause, kind):
    checked = told("\n\n".join([*TALK, f"Overseas, {clause}."]))
    assert [each["kind"] for each in [*checked.doubtful, *checked.hallucinated]] == [kind]


def test_doubtful_clauses_are_shown_and_are_no_failure(run, tmp_path):
    (tmp_path / "source.md").write_text("\n\n".join(TALK))
    (tmp_path / "summary.md").write_text("\n\n".join([*TALK, NOBODYS]))
    (tmp_path / "atoms.jsonl").write_text(ROWS)
    words = ("check", "source.md", "summary.md", "--atoms", "atoms.jsonl")
    done = run(*words, "--fail-on", "hallucinated", "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 0 and "doubtful" in done.stdout.decode() and NOBODYS in done.stdout.decode() and "1 doubtful" in done.stdout.decode()
    assert NOBODYS in (tmp_path / "page.html").read_text()


@given(st.dictionaries(st.sampled_from([name for name in ail.DOUBT if name]), st.floats(0, 1)))
def test_the_chance_of_an_error_is_a_chance(features):
    more = {**features, "": 1.0}
    assert 0 < ail.chance_of(more) < 1
    assert ail.chance_of({**more, "own runs many": 1.0}) <= ail.chance_of({**more, "own runs many": 0.0})


@given(st.text(max_size=200) | st.lists(st.sampled_from(["one two", ", ", " and ", "; ", " (", ")", " → ", " that "])).map("".join))
def test_clauses_lose_no_words(text):
    assert list(filter(str.isalnum, "".join(ail.clauses(text)))) == list(filter(str.isalnum, text))
