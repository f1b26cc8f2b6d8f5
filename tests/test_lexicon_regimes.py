"""How a lexicon grows: files on top of the table, learning from labels, proposals and their confirmation, checking what a model proposes."""
from __future__ import annotations

import itertools
import json
import re

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cli import TOKEN, one_line

import ail_mcp as ail

LEXICON = ail.Lexicon()
NOTHING = ail.Redactor()


def lines(records: list) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def layered(names: dict, aliases: dict) -> ail.Lexicon:
    return ail.Lexicon(ail.lexicon_layer({"ail_lexicon": 1, "version": 1, "names": names, "aliases": aliases}, "here"))


# files

def test_a_file_stands_on_the_table_and_wins(run, tmp_path):
    (tmp_path / "ours.json").write_text(json.dumps({"ail_lexicon": 1, "version": 3, "names": {"sprites": {"kind": "flag"}}, "aliases": {
        "sprite sheet": "sprites", "libs": None, "house style": {"name": "tone", "value": "formal"}, "lib": {"name": "sprites"}, "airgapped": {"name": "network_access", "opposite": True}}}))
    done = run("lexicon", "read", "--lexicon", "ours.json", stdin=b"no sprite sheets\nno lib\nuse the house style\nmust be airgapped\nno external libraries\n")
    read = [(atom["subject"], atom["value"], "ambiguous" in atom) for atom in map(json.loads, done.stdout.splitlines())]
    assert read == [("sprites", False, False), ("sprites", False, False), ("tone", "formal", False), ("network_access", False, False), ("external_libraries", False, False)]


@pytest.mark.parametrize("text, what", [
    ("{", "line 1"), ("[]", "no lexicon file"), ('{"ail_lexicon": 2}', "no lexicon file"), ('{"ail_lexicon": 1}', "version"), ('{"ail_lexicon": 1, "version": 0}', "version"),
    ('{"ail_lexicon": 1, "version": 1, "rows": {}}', "expected ail_lexicon"), ('{"ail_lexicon": 1, "version": 1, "names": []}', "names"),
    ('{"ail_lexicon": 1, "version": 1, "names": {"a b": {}}}', "name 1"), ('{"ail_lexicon": 1, "version": 1, "names": {"a": {"colour": 1}}}', "name 1"),
    ('{"ail_lexicon": 1, "version": 1, "aliases": {"x": "nobody"}}', "alias 1"), ('{"ail_lexicon": 1, "version": 1, "aliases": {"x": 3}}', "alias 1"),
    ('{"ail_lexicon": 1, "version": 1, "aliases": {"no longer": "cdn"}}', "grammar"), ('{"ail_lexicon": 1, "version": 1, "aliases": {"x": {"name": "cdn", "value": "y"}}}', "choice"),
    ('{"ail_lexicon": 1, "version": 1, "aliases": {"x": {"name": "tone", "opposite": true}}}', "flags"), ('{"ail_lexicon": 1, "version": 1, "aliases": {"x y": "cdn", "x-y": "cdn"}}', "alias 2"),
    ('{"ail_lexicon": 1, "version": 1, "aliases": {"x": "cdn", "x": "tone"}}', "twice"), ("[" * 100_000, "lexicon file")])
def test_a_broken_file_is_one_clear_line(run, tmp_path, text, what):
    (tmp_path / "bad.json").write_text(text)
    one_line(run("lexicon", "read", "--lexicon", "bad.json", stdin=b"no libs\n"), 2, "bad.json", what)


def test_a_missing_file_is_file_trouble(run):
    one_line(run("lexicon", "read", "--lexicon", "none.json", stdin=b"no libs\n"), 4, "none.json")


LAYERS = st.dictionaries(st.sampled_from(["zorp", "blip box", "quux"]), st.sampled_from(["cdn", None, {"name": "tone", "value": "wry"}, {"name": "cdn", "count": 4, "from": "learned"}]))


@given(LAYERS, st.integers(1, 9))
def test_a_layer_is_written_as_it_is_read(aliases, version):
    layer = {"version": version, "names": {"quirks": {"kind": "quantity", "predicate": "equals"}}, "aliases": aliases}
    text = ail.layer_text({**layer, "report": {"rare": [{"alias": "x"}], "gone": []}})
    again = json.loads(text)
    assert {key: again[key] for key in layer} == layer
    assert ail.layer_text({key: again[key] for key in ("version", "names", "aliases", "report")}) == text
    ail.lexicon_layer(again, "here")


# learning

TRAINING = ("no {}", "don't use {}", "avoid {}", "{} are not allowed", "never use any {}", "{}=false")
HELD_OUT = ("without {}", "{} are forbidden", "must not use {}", "we do not use {} in tests", "{}: no", "zero {}", "no longer use {}")
WORDS = ("zorp", "blip box", "quux module", "frobnicator", "snark bundle", "vorpal kit")


def labelled(name: str, alias: str, forms: tuple = TRAINING) -> list[dict]:
    return [{"phrase": form.format(alias + "s"), "subject": name, "predicate": "allowed", "value": False} for form in forms]


@settings(max_examples=20)
@given(st.permutations(WORDS), st.data())
def test_what_is_learned_holds_for_phrasings_that_were_not_seen(words, data):
    owners = dict(zip(words, ("external_libraries", "frameworks", "sprites", "cdn")))
    seen = [label for alias, name in owners.items() for label in labelled(name, alias, tuple(data.draw(st.permutations(TRAINING))[:3]))]
    labels = ail.read_labels(lines(data.draw(st.permutations(seen))), "here")
    names, aliases, report = ail.learn_aliases(labels, LEXICON)
    assert set(names) == {"sprites"} and not report["conflicting"] and not report["unread"]
    learned = layered(names, aliases)
    for (alias, name), form in itertools.product(owners.items(), HELD_OUT):
        read = ail.normalize(form.format(alias + "s"), learned)
        assert [(atom.subject, atom.value, atom.ambiguous) for atom in read] == [(name, False, False)], form
        assert all(atom.ambiguous for atom in ail.normalize(form.format(alias + "s"), LEXICON))


def learn(records: list, **options) -> tuple[dict, dict, dict]:
    return ail.learn_aliases(ail.read_labels(lines(records), "here"), LEXICON, **options)


def test_quantities_and_choices_are_learned_too():
    _, aliases, _ = learn([{"phrase": "12 critters", "subject": "agent_count", "predicate": "equals", "value": 12},
                           {"quote": "at most 5 critters", "subject": "agents", "predicate": "at_most", "value": 5},
                           {"phrase": "use the drawing board", "subject": "rendering_backend", "predicate": "selected", "value": "Canvas"},
                           {"evidence": {"quote": "drawing board chosen"}, "subject": "rendering_backend", "predicate": "selected", "value": "Canvas"}])
    assert aliases == {"critters": {"name": "agent_count", "count": 2, "from": "learned"},
                       "drawing board": {"name": "rendering_backend", "value": "Canvas", "count": 2, "from": "learned"}}


def test_evidence_for_two_names_is_reported_and_not_taken():
    _, aliases, report = learn(labelled("cdn", "zorp") + labelled("frameworks", "zorp")[:1])
    assert aliases == {} and report["conflicting"] == [{"alias": "zorps", "counts": {"cdn": 6, "frameworks": 1}}]


def test_evidence_against_the_lexicon_is_reported_and_not_taken():
    _, aliases, report = learn([{"phrase": "no libs", "subject": "frameworks", "predicate": "allowed", "value": False}] * 3)
    assert aliases == {} and [row["reads"] for row in report["conflicting"]] == ["external_libraries"] * 3


def test_a_label_that_the_phrase_does_not_say_teaches_nothing():
    _, aliases, report = learn([{"phrase": "zorps are allowed", "subject": "cdn", "predicate": "allowed", "value": False},
                                {"phrase": "12 zorps", "subject": "agent_count", "predicate": "equals", "value": 13},
                                {"phrase": "no zorps or such", "subject": "cdn", "predicate": "allowed", "value": False}] * 3)
    assert aliases == {} and len(report["unread"]) == 9


def test_what_was_seen_once_is_rare():
    _, aliases, report = learn(labelled("cdn", "zorp")[:1])
    assert aliases == {} and report["rare"] == [{"alias": "zorps", "name": "cdn", "count": 1}]
    assert set(learn(labelled("cdn", "zorp")[:1], at_least=1)[1]) == {"zorps"}


def test_labels_of_one_new_name_that_disagree_on_its_kind_make_no_row():
    names, aliases, report = learn([*labelled("gizmo", "zorp"), {"phrase": "12 zorps", "subject": "gizmo", "predicate": "equals", "value": 12}])
    assert names == {} and aliases == {} and report["conflicting"] == [{"name": "gizmo", "counts": {"flag allowed": 6, "quantity equals": 1}}]


def test_learning_does_not_depend_on_the_order_and_reports_drift(run, tmp_path):
    first = labelled("cdn", "zorp") + labelled("frameworks", "blip box") + labelled("cdn", "quux module")
    second = labelled("cdn", "zorp")[:4] + labelled("analytics", "blip box") + labelled("cdn", "frobnicator")
    (tmp_path / "a.jsonl").write_text(lines(first))
    (tmp_path / "b.jsonl").write_text(lines(first[::-1]))
    (tmp_path / "c.jsonl").write_text(lines(second))
    old = run("lexicon", "learn", "a.jsonl", "-o", "old.json")
    assert old.returncode == 0 and old.stdout == b""
    again = json.loads(run("lexicon", "learn", "b.jsonl").stdout)
    assert again == json.loads((tmp_path / "old.json").read_text())
    done = run("lexicon", "learn", "c.jsonl", "--against", "old.json")
    new = json.loads(done.stdout)
    assert new["version"] == 2 and b"1 new, 1 gone, 1 changed, 1 moved" in done.stderr
    report = new["report"]
    assert [row["alias"] for kind in ("new", "gone", "changed", "moved") for row in report[kind]] == ["frobnicators", "quux modules", "blip boxs", "zorps"]
    assert report["moved"] == [{"alias": "zorps", "was": 6, "now": 4}]
    assert json.loads(run("lexicon", "learn", "a.jsonl", "--against", "old.json").stdout)["version"] == 1
    one_line(run("lexicon", "learn", "c.jsonl", "-o", "old.json"), 4, "there already")


@pytest.mark.parametrize("line, what", [("no libs", "line 2"), ("[1]", "line 2"), ('{"phrase": "x"}', "subject"), ('{"phrase": "x", "subject": "y", "predicate": "z", "value": [1]}', "value"),
                                        ('{"subject": "y", "predicate": "z", "value": 1}', "phrase")])
def test_a_broken_label_is_named_by_its_line(run, line, what):
    one_line(run("lexicon", "learn", stdin=(lines(labelled("cdn", "zorp")[:1]) + line).encode()), 2, "line 2", what)


# proposing and confirming

def propose(*phrases: str) -> dict:
    return ail.propose_names(list(phrases), LEXICON)


def candidates(phrase: str) -> list[tuple]:
    entry, = propose(phrase)["phrases"]
    return [(row["name"], row.get("value")) for row in entry["candidates"]]


@pytest.mark.parametrize("phrase, expected", [("no external blobs", ("external_libraries", None)), ("at most 5 agnets", ("agent_count", None)), ("use postgrs", ("database", "Postgres")),
                                              ("avoid telemetrics", ("analytics", None)), ("no productoin deploys", ("production_deploys", None))])
def test_candidates_share_words_or_letters_and_fit_the_clause(phrase, expected):
    assert expected in candidates(phrase)


def test_a_candidate_of_another_kind_is_not_proposed():
    assert ("external_libraries", None) not in candidates("at most 5 external blobs")


def test_proposals_count_phrases_and_leave_prose_alone():
    proposal = propose("no zorps", "no libs", "don't use zorps", "the page was slow all day and nobody knew why", "no blips for the frontend")
    assert [(entry["words"], entry["count"], entry["choice"]) for entry in proposal["phrases"]] == [("zorps", 2, None), ("blips", 1, None)]
    assert proposal["unread"] == 1 and proposal["lexicon"] == LEXICON.version


def test_a_confirmed_choice_is_known_from_then_on(run, tmp_path):
    (tmp_path / "phrases.txt").write_text("no zorps\nno external blobs\n12 blips\nno snarks\nuse the quux\n")
    proposal = json.loads(run("lexicon", "propose", "phrases.txt").stdout)
    chosen = {"zorps": "cdn", "blips": {"name": "blip_count", "kind": "quantity", "predicate": "equals"}, "quux": {"name": "rendering_backend", "value": "Quux"}}
    for entry in proposal["phrases"]:
        entry["choice"] = chosen.get(entry["words"])
        if entry["words"] == "external blobs":
            entry["choice"] = [row["name"] for row in entry["candidates"]].index("external_libraries") + 1
    (tmp_path / "chosen.json").write_text(json.dumps(proposal))
    done = run("lexicon", "confirm", "chosen.json", "--lexicon", "ours.json")
    assert done.returncode == 0 and done.stdout == b"" and b"4 new aliases; version 1" in done.stderr
    read = run("lexicon", "read", "phrases.txt", "--lexicon", "ours.json").stdout
    assert [(atom["subject"], atom["value"], "ambiguous" in atom) for atom in map(json.loads, read.splitlines())] == [
        ("cdn", False, False), ("external_libraries", False, False), ("blip_count", 12, False), ("snarks", False, True), ("rendering_backend", "Quux", False)]
    before = (tmp_path / "ours.json").read_bytes()
    assert b"0 new aliases; version 1" in run("lexicon", "confirm", "chosen.json", "--lexicon", "ours.json").stderr
    assert (tmp_path / "ours.json").read_bytes() == before
    proposal["phrases"] = [{"words": "zorps", "choice": "frameworks"}]
    one_line(run("lexicon", "confirm", "--lexicon", "ours.json", stdin=json.dumps(proposal).encode()), 2, "phrase 1", "something else")
    assert (tmp_path / "ours.json").read_bytes() == before


@pytest.mark.parametrize("entry, what", [({"words": "zorp", "choice": "nobody"}, "not in the lexicon"), ({"words": "zorp", "choice": 2, "candidates": []}, "no candidate"), ({"choice": "cdn"}, "words"),
                                         ({"words": "no longer", "choice": "cdn"}, "grammar"), ({"words": "zorp", "choice": [1]}, "as choice"), ({"words": "zorp", "choice": {"name": "cdn", "value": "x"}}, "choice"),
                                         ({"words": "zorp", "choice": {"name": "A Name", "kind": "flag"}}, "canonical"), ("zorp", "object")])
def test_a_choice_that_cannot_be_is_refused_and_nothing_is_written(run, tmp_path, entry, what):
    proposal = {"ail_proposal": 1, "phrases": [{"words": "blip", "choice": "cdn"}, entry]}
    one_line(run("lexicon", "confirm", "--lexicon", "ours.json", stdin=json.dumps(proposal).encode()), 2, what)
    assert not (tmp_path / "ours.json").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"ail_proposal": 1}', "[" * 100_000])
def test_what_is_no_proposal(run, text):
    one_line(run("lexicon", "confirm", stdin=text.encode()), 2, "expected what `ail-mcp lexicon propose` writes")


# checking proposals

SOURCE = "Use no external\nlibraries.\n- 350 agents\nCanvas chosen, SVG rejected.\nNever under any moon allow analytics here.\nno libs in tests\n"


def verdict(subject: str, predicate: str, value: object, quote: str = "", source: str | None = SOURCE, **more) -> tuple[str, str]:
    record = {"type": "constraint", "subject": subject, "predicate": predicate, "value": value, **more}
    if quote:
        record["evidence"] = {"quote": quote}
    found = ail.check_proposal(record, 1, LEXICON, None if source is None else ail.Source(source))
    return found.verdict, " ".join(found.reasons)


@pytest.mark.parametrize("proposal", [("libs", "allowed", False, "no external libraries"), ("external_libraries", "allowed", False, "no  external\n libraries"), ("agents", "equals", 350, "350 agents")])
def test_what_schema_lexicon_and_source_bear_out_is_accepted(proposal):
    assert verdict(*proposal) == ("accepted", "")


def test_an_accepted_atom_has_its_canonical_subject():
    record = {"type": "constraint", "subject": "libs", "predicate": "allowed", "value": False, "evidence": {"quote": "no libs"}}
    assert ail.check_proposal(record, 1, LEXICON).atom == ail.Atom("constraint", "external_libraries", "allowed", False, evidence=ail.Evidence(quote="no libs"))


@pytest.mark.parametrize("proposal, why", [
    (("libs", "allowed", True, "no external libraries"), "otherwise"), (("agents", "equals", 200, "350 agents"), "otherwise"), (("agents", "at_most", 350, "350 agents"), "otherwise"),
    (("libs", "allowed", True, "external\nlibraries"), "otherwise"), (("libs", "allowed", 12, "no external libraries"), "no flag"), (("agents", "equals", True, "350 agents"), "no quantity"),
    (("rendering_backend", "selected", "SVG", "SVG rejected"), "otherwise"), (("libs", "allowed", False, "never use libs"), "does not stand"), (("libs", "allowed", False), "missing")])
def test_what_they_speak_against_is_refused(proposal, why):
    found, reasons = verdict(*proposal)
    assert found == "refused" and why in reasons


@pytest.mark.parametrize("proposal, why", [
    (("frobnicators", "allowed", False, "350 agents"), "not in the lexicon"), (("frameworks", "allowed", False, "350 agents"), "does not name"), (("analytics", "allowed", True, "allow analytics"), "denies"),
    (("rendering_backend", "selected", "Frob", "Canvas chosen"), "none that the lexicon knows"), (("libs", "liked", False, "no external libraries"), "predicate"),
    (("libs", "allowed", False, "no libs in tests"), "scope")])
def test_what_they_cannot_vouch_for_is_ambiguous(proposal, why):
    found, reasons = verdict(*proposal)
    assert (found in ("ambiguous", "refused")) and why in reasons or found == "refused" and "otherwise" in reasons
    assert found != "accepted"


def test_weaker_than_its_quote_and_without_a_quote():
    assert verdict("libs", "allowed", False, "no external libraries", modality="should")[0] == "ambiguous"
    assert verdict("libs", "allowed", False, source=None) == ("ambiguous", "it has no quote to check it by")


def test_a_safety_boundary_is_no_preference():
    assert verdict("pushing", "allowed", False, "350 agents", type="preference")[0] == "refused"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
    st.sampled_from(["type", "subject", "predicate", "value", "evidence", "quote", "x"]), inner, max_size=5), max_leaves=8), st.text(max_size=20))
def test_any_proposal_has_a_verdict(record, source):
    found = ail.check_proposal(record, 1, LEXICON, ail.Source(source))
    assert found.verdict in ("accepted", "ambiguous", "refused") and bool(found.reasons) == (found.verdict != "accepted")


def test_check_tells_by_its_exit_code(run, tmp_path):
    (tmp_path / "src.txt").write_text(SOURCE)
    good = {"type": "constraint", "subject": "libs", "predicate": "allowed", "value": False, "evidence": {"quote": "no external libraries"}}
    done = run("lexicon", "check", "--source", "src.txt", stdin=lines([good]).encode())
    assert done.returncode == 0 and json.loads(done.stdout)["verdict"] == "accepted"
    done = run("lexicon", "check", "--source", "src.txt", stdin=lines([good, {**good, "value": True}]).encode())
    assert done.returncode == 3 and [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["accepted", "refused"]
    assert b"1 accepted, 0 ambiguous, 1 refused" in done.stderr


# the commands

def test_secrets_in_phrases_reach_no_output(run, tmp_path):
    phrase = f"no zorps with {TOKEN}"
    (tmp_path / "labels.jsonl").write_text(lines([{"phrase": f"no {TOKEN}", "subject": "cdn", "predicate": "allowed", "value": False}] * 3))
    (tmp_path / "proposed.jsonl").write_text(lines([{"type": "fact", "subject": TOKEN, "value": TOKEN, "evidence": {"quote": TOKEN}}]))
    for done in (run("lexicon", "read", stdin=phrase.encode()), run("lexicon", "propose", stdin=f"no {TOKEN}\n".encode()), run("lexicon", "learn", "labels.jsonl"),
                 run("lexicon", "check", "proposed.jsonl"), run("lexicon", "confirm", stdin=json.dumps({"ail_proposal": 1, "phrases": [{"words": TOKEN, "choice": "cdn"}]}).encode())):
        assert TOKEN.encode() not in done.stdout + done.stderr


def test_a_command_with_commands_of_its_own(run):
    assert b"lexicon learn" in run("lexicon", "--help").stdout and run("lexicon", "learn", "--help").stdout.startswith(b"usage: ail-mcp lexicon learn")
    one_line(run("lexicon"), 2, "lexicon read")
    one_line(run("lexicon", "frob"), 2, "lexicon read")


@pytest.mark.parametrize("hostile", ["no " + "zorp" * 250_000 + "\n", "no zorps\n" * 5_000, "no z%d\n" * 5_000, '{"phrase": ' * 80_000])
def test_a_hostile_file_is_proposed_for(hostile):
    text = "".join(line % number if "%d" in line else line for number, line in enumerate(hostile.splitlines(True)))
    ail.propose_names(ail.read_phrases(text), LEXICON)
    ail.Source(text).sentences_with("no zorps")


def test_the_examples_of_the_reference_are_what_the_program_does(run, tmp_path):
    text = (ROOT / "skills" / "ail-context-compressor" / "references" / "LEXICON.md").read_text("utf-8")
    json_blocks = [block.strip() for block in re.findall(r"(?ms)^[ ]*```json\n(.*?)^[ ]*```", text)]
    read, layer, proposed = json_blocks
    assert json.loads(run("lexicon", "read", stdin=b"don't use libs\n").stdout) == json.loads(read)
    ail.lexicon_layer(json.loads(layer), "the reference")
    assert ail.check_proposal(json.loads(proposed), 1, LEXICON).verdict == "accepted"
