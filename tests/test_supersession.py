"""A later statement replaces an earlier one about the same thing, and leaves alone what is about another."""
import io
import json
import os
import subprocess
import sys

import pytest
from update_cases import APART, UPDATES

import ail_mcp as ail

BETWEEN = ("I will read the module and see how it hangs together.", "The tests of the importer are green again.", "That looks fine so far.")


def transcript(*turns):
    return "".join(json.dumps({"role": role, "content": text}) + "\n" for role, text in turns).encode()


def talk(old, new, asks="user", tells="user"):
    return transcript(("user", BETWEEN[0]), (asks, old), ("assistant", BETWEEN[1]), ("user", BETWEEN[2]), (tells, new), ("assistant", "Noted."))


def standing(data):
    turns = ail.clean_turns(ail.read(io.BytesIO(data), "s", tools=True), ail.Redactor())
    return " \n ".join(statement.text for statement in ail.standing_statements(turns, 150))


def packed(data, budget=900, **more):
    return ail.pack_within(io.BytesIO(data), "s", budget, ail.counter("estimate"), redactor=ail.Redactor(), **more).packed.text


@pytest.mark.parametrize(("old", "new"), UPDATES)
def test_an_update_in_other_words_replaces(old, new):
    said = standing(talk(old, new))
    assert old not in said and new.split("; ")[-1] in said
    text = packed(talk(old, new))
    assert old not in text and new.split("; ")[-1] in text


@pytest.mark.parametrize(("old", "new"), APART)
def test_what_is_about_something_else_stands_beside(old, new):
    said = standing(talk(old, new))
    assert old in said and new in said


def test_atoms_follow():
    data = talk("The deadline is Friday.", "We moved the deadline to Monday.")
    atoms = ail.extract(ail.clean_turns(ail.read(io.BytesIO(data), "s", tools=True), ail.Redactor()))
    values = [str(atom.value) for atom in atoms]
    assert any("Monday" in value for value in values) and not any("Friday" in value for value in values)


def test_the_assistant_does_not_replace_what_the_user_said():
    assert "The port is 8080." in standing(talk("The port is 8080.", "The port is 9090 now.", tells="assistant"))
    assert "The port is 8080." not in standing(talk("The port is 8080.", "The port is 9090 now.", asks="assistant", tells="assistant"))
    assert "The port is 8080." not in standing(talk("The port is 8080.", "The port is 9090 now.", asks="assistant"))


def test_the_order_of_the_talk_counts_and_every_step_goes():
    steps = [("user", f"We moved the deadline to {day} now.") for day in ("Monday", "Tuesday", "Thursday")]
    said = standing(transcript(("user", "The deadline is Friday."), *steps))
    assert "Thursday" in said and not any(day in said for day in ("Friday", "Monday", "Tuesday"))


def test_the_ledger_says_what_was_replaced():
    steps = [("user", f"We moved the deadline to {day} now.") for day in ("Monday", "Tuesday")]
    data = transcript(("user", "The deadline is Friday. Set the batch size of the importer to 5000."), *steps,
                      ("user", "No, the batch size of the importer must be 500, not 5000."))
    chosen = ail.pack_within(io.BytesIO(data), "s", 900, ail.counter("estimate"), redactor=ail.Redactor())
    replaced = [row["replaces"] for row in chosen.rows if "replaces" in row]
    assert replaced == [["The deadline is Friday.", "We moved the deadline to Monday now."], ["Set the batch size of the importer to 5000."]]


def test_a_value_that_changes_a_thousand_times_costs_no_more_than_its_turns():
    data = transcript(*(("user", f"The port is {8000 + n} now.") for n in range(3000)))
    chosen = ail.pack_within(io.BytesIO(data), "s", 900, ail.counter("estimate"), redactor=ail.Redactor())
    assert len(chosen.rows) == 1 and len(chosen.rows[0]["replaces"]) == 20 and "10999" in chosen.rows[0]["text"]


def test_only_the_sentence_that_is_old_goes():
    old = "Never restart the gateway. The port is 8080. Keep the log of every run."
    said = standing(talk(old, "The port is 9090 now."))
    assert "Never restart the gateway." in said and "Keep the log of every run." in said and "8080" not in said


def test_the_spans_of_what_stays_hold_its_words_alone():
    data = talk("Never restart the gateway. The port is 8080. Keep the log of every run.", "The port is 9090 now.")
    turns = ail.clean_turns(ail.read(io.BytesIO(data), "s", tools=True), ail.Redactor())
    for statement in ail.standing_statements(turns, 150):
        assert turns[statement.turn - 1].text[statement.start:statement.end] == statement.text == statement.quote


def test_a_value_of_an_earlier_snapshot_is_updated_too():
    first = [("user", "The port is 8080."), ("assistant", "Noted.")]
    old = packed(transcript(*first))
    assert "8080" in old
    text = packed(transcript(*first, ("user", "Actually the port should be 9090 now.")), since=old)
    assert "9090" in text and "8080" not in text


def test_claims_are_quick_on_texts_made_to_be_slow():
    for piece in ("a/", "1.", "A B-", "not ", "March 3 ", "x_", "$1,", "; with ", "on "):
        assert ail.claims(piece * 200_000) == []
        ail.claims(piece * (230 // len(piece)))


def test_updates_do_not_hang_on_the_order_of_sets():
    lines = [f"The {thing} of the {place} is {number} {unit}; the {place} of Berlin keeps {number} {thing}."
             for number in range(3, 9) for thing in ("port", "limit") for place in ("gateway", "importer") for unit in ("MB", "retries")]
    data = transcript(*(("user", line) for line in lines), ("user", "Actually the limit of the gateway is 12 MB now."))
    code = ("import sys, io; sys.path.insert(0, sys.argv[1]); import ail_mcp as ail\n"
            "turns = ail.clean_turns(ail.read(io.BytesIO(sys.stdin.buffer.read()), 's', tools=True), None)\n"
            "print([(each.text, each.replaces) for each in ail.standing_statements(turns, 0)])")
    folder = os.path.dirname(ail.__file__)
    told = {subprocess.run([sys.executable, "-c", code, folder], input=data, capture_output=True, check=True,
                           env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in "01234"}
    assert len(told) == 1 and b"12 MB" in told.pop()
