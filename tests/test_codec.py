"""The codec: what is kept within a budget, in which form, and what is refused."""
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_atoms import atoms as any_atom
from test_renderings import in_order, tricky_atoms

import ail_mcp as ail

DECODABLE = [name for name, form in ail.FORMS.items() if form.read]


def count(text):
    return ail.estimate(text)


@pytest.mark.parametrize("form", DECODABLE)
@given(st.lists(any_atom | tricky_atoms, max_size=8), st.integers(0, 300))
def test_a_packet_keeps_its_budget_and_every_safety_atom(form, atoms, budget):
    try:
        packet = ail.encode(atoms, count, budget, form)
    except ail.BudgetError as refused:
        assert refused.code == 3 and str(budget) in str(refused)
        assert ail.encode([atom for atom in atoms if ail.safety_flag(atom)], count, None, form).tokens > budget
        return
    assert packet.tokens == count(packet.text) <= budget
    assert len(packet.kept) + len(packet.left) == len(atoms)
    assert not any(map(ail.safety_flag, packet.left))
    assert len(ail.FORMS[form].read(packet.text)) == len(packet.kept)


@given(st.lists(any_atom | tricky_atoms, max_size=8))
def test_without_a_budget_all_is_kept(atoms):
    packet = ail.encode(atoms, count)
    assert not packet.left and len(ail.read_ccl(packet.text)) == len(atoms)


def test_only_what_can_bear_it_is_minified():
    light = [ail.Atom("preference", "page", name, size, criticality=1) for name, size in (("margin", 12), ("padding", 4), ("columns", 3))]
    heavy = [ail.Atom("constraint", "libs", "allowed", False), ail.Atom("preference", "trip", "password_manager", "any"),
             ail.Atom("preference", "trip", "maybe", "boats", confidence=.7)]
    packet = ail.encode(light + heavy, count)
    assert packet.text.startswith("@CCL/1m ") and "PREF>page=margin12 padding4 columns3" in packet.text
    assert [ail.bears_minifying(atom) for atom in light + heavy] == [True] * 3 + [False] * 3
    assert "C={libs:false}" in packet.text and "@p.7" in packet.text


def test_doubtful_atoms_stand_in_the_words_of_their_source():
    doubtful = ail.Atom("constraint", "retries", "equals", 3, confidence=.4, evidence=ail.Evidence("s", 1, 0, 20, "perhaps three retries"))
    packet = ail.encode([doubtful], count, form="ail")
    assert "perhaps three retries" in packet.text and packet.raw == [doubtful]
    assert packet.kept == [ail.in_source_words(doubtful)]


def test_the_riskiest_stay_when_room_is_short():
    atoms = [ail.Atom("preference", "editor", "likes", "vim"), ail.Atom("fact", "server", "region", "eu-west"), ail.Atom("constraint", "retries", "equals", 3),
             ail.Atom("safety", value="never push to main")]
    room = ail.encode(atoms[2:], count).tokens
    packet = ail.encode(atoms, count, room)
    assert in_order(packet.kept) == in_order(atoms[2:]) and packet.left == [atoms[1], atoms[0]]


def test_safety_is_refused_rather_than_dropped(run, tmp_path):
    file = tmp_path / "atoms.json"
    file.write_text('[{"type":"safety","value":"never delete the production database"}]')
    refused = run("atoms", "-f", file, "--to", "ccl", "--budget", "5")
    assert refused.returncode == 3 and not refused.stdout and b"at least" in refused.stderr
    kept = run("atoms", "-f", file, "--to", "ccl", "--budget", "40")
    assert kept.returncode == 0 and b"never delete the production database" in kept.stdout


def test_the_command_says_what_it_left_out(run, tmp_path):
    file = tmp_path / "atoms.json"
    file.write_text('[{"type":"constraint","subject":"libs","predicate":"allowed","value":false},' + ",".join(
        '{"type":"preference","subject":"color_%d","predicate":"likes","value":"blue"}' % i for i in range(9)) + "]")
    short = run("atoms", "-f", file, "--to", "ail", "--budget", "30")
    assert short.returncode == 0 and b"libs:false" in short.stdout and b"left out" in short.stderr and b"preference" in short.stderr


@pytest.mark.parametrize("words", [("--budget", "many"), ("--to", "prose", "--budget", "9"), ("--to", "html"), ("--from", "prose"), ("--counter", "words", "--budget", "9")])
def test_what_cannot_be_is_said(run, tmp_path, words):
    file = tmp_path / "atoms.json"
    file.write_text('[{"type":"fact","value":1}]')
    assert run("atoms", "-f", file, *words).returncode == 2


def test_secrets_leave_before_atoms_are_read(run, tmp_path):
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"
    file = tmp_path / "atoms.json"
    file.write_text('[{"type":"fact","subject":"token","predicate":"equals","value":"%s"}]' % secret)
    for form in DECODABLE:
        out = run("atoms", "-f", file, "--to", form)
        assert secret.encode() not in out.stdout and b"REDACTED_GITHUB_TOKEN_1" in out.stdout


@pytest.mark.parametrize("record", [{"subject": "db", "predicate": "password"}, {"subject": "password", "predicate": "equals"}, {"subject": "auth_token"}])
@pytest.mark.parametrize("form", [*DECODABLE, "jsonl"])
def test_a_value_is_judged_with_the_names_of_its_atom(run, tmp_path, record, form):
    secret = "xK9!v" + "Lq2mZ7rT"
    atom = ail.from_record({"type": "fact", "value": secret, **record})
    file = tmp_path / "atoms"
    file.write_text(json.dumps({"type": "fact", "value": secret, **record}) if form == "jsonl" else ail.write_atoms([atom], form))
    (tmp_path / "none").write_text("[]")
    for words in (("atoms",), ("atoms", "--to", "sentences"), ("diff", "none"), ("merge", "none", "none")):
        done = run(*words, file)
        assert done.returncode == 0 and secret.encode() not in done.stdout + done.stderr
        assert b"REDACTED_" in done.stdout and b"redacted: 1 " in done.stderr


def test_names_that_are_no_credentials_keep_their_values(run):
    record = '{"type":"fact","subject":"token_counter","predicate":"equals","value":"cl100k_base"}'
    assert b"cl100k_base" in run("atoms", stdin=record.encode()).stdout


def test_what_another_said_is_not_minified_into_the_words_of_the_user():
    said = [ail.Atom("done", "page", name, size, author="assistant", criticality=1) for name, size in (("margin", 12), ("padding", 4), ("columns", 3))]
    packet = ail.encode(said, count)
    assert {atom.author for atom in ail.read_ccl(packet.text)} == {"assistant"}


def test_the_command_tells_what_the_four_stages_find(run, tmp_path):
    file = tmp_path / "atoms.json"
    file.write_text('[{"type":"safety","value":"never push to main"},{"type":"fact","value":1}]')
    assert b"safety: a safety atom without its source (1)" in run("atoms", "-f", file, "--to", "ccl", "--budget", "60").stderr
