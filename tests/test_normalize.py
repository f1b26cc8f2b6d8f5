"""Normalization: the paper's Table 1 and the whole kind behind each of its rows, the traps, and the laws for any text."""
from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

LEXICON, AGAIN = ail.Lexicon(), ail.Lexicon()


def read(phrase: str) -> list[tuple]:
    """(subject, predicate, value) of each atom."""
    return [(atom.subject, atom.predicate, atom.value) for atom in ail.normalize(phrase, LEXICON)]


def one(phrase: str) -> ail.Atom:
    atoms = ail.normalize(phrase, LEXICON)
    assert len(atoms) == 1, atoms
    return atoms[0]


def kept_as_said(phrase: str) -> bool:
    """Whether the phrase was left alone: one ambiguous atom that holds it whole."""
    atoms = ail.normalize(phrase, LEXICON)
    return [(atom.ambiguous, atom.subject, atom.value) for atom in atoms] == [(True, "", phrase)]


@pytest.mark.parametrize("phrase, expected", [
    ("no external libraries", [("external_libraries", "allowed", False)]),
    ("don’t use libs", [("external_libraries", "allowed", False)]),
    ("assets=0", [("external_assets", "allowed", False)]),
    ("350 agents", [("agent_count", "equals", 350)]),
    ("Canvas chosen, SVG rejected", [("rendering_backend", "selected", "Canvas"), ("rendering_backend", "rejected", "SVG")]),
])
def test_table_1_of_the_paper(phrase, expected):
    assert read(phrase) == expected
    assert not any(atom.ambiguous for atom in ail.normalize(phrase, LEXICON))


NO_LIBS = ("no external libraries", "don't use libs", "don't use any external libraries.", "avoid dependencies", "libs=false", "libs: no", "libs: none", "libs = 0",
           "never use third-party packages", "without libraries", "must not use libs", "We must not use external libraries!", "libs are not allowed",
           "external libraries are forbidden", "libraries not permitted", "no libs, please", "dependencies are prohibited", "zero dependencies", "0 external libraries",
           "libs: forbidden", "external_libraries: false", "- no libs", "* **No external libraries**", "`libs=false`", "you may not use libs", "dependency-free",
           "must be dependency-free", "refrain from using libraries", "do without libs", "no longer use libs", "under no circumstances use libs", "Rule: no libs",
           "no pip packages", "stop using external packages", "External libs aren't allowed", "can't use libs", "Libraries must never be used")


@pytest.mark.parametrize("phrase", NO_LIBS)
def test_ways_to_forbid_a_thing_are_one_atom(phrase):
    atom = one(phrase)
    assert ail.equivalent(atom, one("no external libraries"), LEXICON.canonical), atom
    assert not atom.ambiguous


@pytest.mark.parametrize("phrase", ["libs=true", "libs: yes", "libs are allowed", "you may use libs", "external libraries are fine", "libs are not forbidden", "feel free to use libs",
                                    "don't hesitate to use libs", "libs=1", "external libraries: allowed"])
def test_ways_to_allow_a_thing_are_one_atom_and_the_opposite(phrase):
    atom = one(phrase)
    assert ail.equivalent(atom, one("libs=true"), LEXICON.canonical), atom
    assert ail.conflict(atom, one("no libs"), LEXICON.canonical)


@pytest.mark.parametrize("phrase", ["write tests", "include tests", "tests are required", "we need tests", "must have tests", "don't skip tests", "never forget to write tests",
                                    "tests: yes", "make sure to add tests", "do not omit the tests", "always write unit tests"])
def test_what_must_be_there(phrase):
    atom = one(phrase)
    assert (atom.subject, atom.predicate, atom.value, atom.modality) == ("automated_tests", "required", True, "must"), atom


@pytest.mark.parametrize("phrase, value, modality", [("no tests", False, "must"), ("don't write tests", False, "must"), ("skip the tests", False, "must"), ("tests are not required", False, "may"),
                                                     ("no need for tests", False, "may"), ("tests are optional", False, "may"), ("tests should be included", True, "should"),
                                                     ("you should not write tests", False, "should"), ("ideally add tests", True, "should")])
def test_how_strongly_it_binds(phrase, value, modality):
    assert (one(phrase).value, one(phrase).modality) == (value, modality)


@pytest.mark.parametrize("phrase, predicate, value", [
    ("exactly 350 agents", "equals", 350), ("agents: 350", "equals", 350), ("agent count = 350", "equals", 350), ("use 350 agents", "equals", 350), ("the number of agents is 350", "equals", 350),
    ("at most 5 agents", "at_most", 5), ("no more than 5 agents", "at_most", 5), ("up to 5 agents", "at_most", 5), ("max 5 agents", "at_most", 5), ("5 agents or fewer", "at_most", 5),
    ("agents <= 5", "at_most", 5), ("never more than 5 agents", "at_most", 5), ("must not exceed 5 agents", "at_most", 5), ("a maximum of five agents", "at_most", 5),
    ("at least 5 agents", "at_least", 5), ("no fewer than 5 agents", "at_least", 5), ("5 or more agents", "at_least", 5), ("agents >= 5", "at_least", 5), ("not less than 5 agents", "at_least", 5),
    ("fewer than 5 agents", "less_than", 5), ("more than 5 agents", "more_than", 5), ("about 350 agents", "about", 350), ("between 3 and 5 agents", "between", (3, 5)),
    ("3-5 agents", "between", (3, 5)), ("1,500 agents", "equals", 1500), ("twenty-five agents", "equals", 25), ("no agents", "equals", 0)])
def test_quantities(phrase, predicate, value):
    assert read(phrase) == [("agent_count", predicate, value)]


@pytest.mark.parametrize("phrase", ["timeout: 500 ms", "timeout=500ms", "timeout is 0.5 seconds", "500 ms timeout", "a request timeout of 500 milliseconds", "the timeout must be .5 s"])
def test_units_stay_with_their_numbers(phrase):
    assert ail.equivalent(one(phrase), one("timeout: 500 ms"), LEXICON.canonical)


@pytest.mark.parametrize("phrase", ["5 timeouts", "timeout of 5 MB", "memory of 3 seconds", "350 agents per second", "budget of 3 days", "several agents", "version 2 of the agents"])
def test_a_number_of_another_kind_is_no_value(phrase):
    assert all(atom.ambiguous for atom in ail.normalize(phrase, LEXICON))


@pytest.mark.parametrize("phrase", ["Canvas instead of SVG", "Canvas over SVG", "Canvas rather than SVG", "use Canvas, not SVG", "Canvas, not SVG", "not SVG but Canvas", "SVG rejected, Canvas chosen",
                                    "we chose Canvas over SVG", "go with Canvas instead of SVG", "switch from SVG to Canvas", "replace SVG with Canvas", "Canvas replaces SVG",
                                    "rejected SVG and chose Canvas", "SVG was replaced by Canvas", "Canvas selected; SVG ruled out", "the HTML5 canvas instead of an SVG element"])
def test_one_thing_rather_than_another(phrase):
    atoms = {atom.type: atom for atom in ail.normalize(phrase, LEXICON)}
    assert set(atoms) == {"decision", "rejection"}
    assert ail.equivalent(atoms["decision"], ail.Atom("decision", "rendering_backend", "selected", "Canvas"), LEXICON.canonical)
    assert ail.equivalent(atoms["rejection"], ail.Atom("rejection", "rendering_backend", "rejected", "SVG"), LEXICON.canonical)


def test_choices_that_nobody_knows_keep_their_words():
    atoms = ail.normalize("frobnicators instead of Postgres", LEXICON)
    assert [(atom.type, atom.subject, atom.value, atom.ambiguous) for atom in atoms] == [("decision", "", "frobnicators", True), ("rejection", "database", "Postgres", False)]


def test_preferences_bind_less_and_reject_nothing():
    assert [(a.type, a.value, a.modality) for a in ail.normalize("prefer tabs over spaces", LEXICON)] == [("preference", "tabs", "should"), ("preference", "spaces", "should_not")]
    assert [(a.type, a.value, a.modality) for a in ail.normalize("prefer Postgres", LEXICON)] == [("preference", "Postgres", "should")]


@pytest.mark.parametrize("phrase, scope", [
    ("no libs for the frontend", "frontend"), ("no libs in tests", "tests"), ("no network access on the build server", "build server"), ("In tests, no libs", "tests"), ("If you use tests, no libs", "If you use tests"),
    ("Frontend: no libs", "Frontend"), ("no libs unless I ask", "unless I ask"), ("no libs except d3", "except d3"), ("no libs outside the tests", "outside the tests"),
    ("no libs for now", "for now"), ("no libs, unless I ask", "unless I ask"), ("no libs in tests unless I ask", "tests unless I ask"), ("no libs or assets in the demo", "demo"),
    ("no libs for the frontend and backend", "frontend and backend")])
def test_scopes(phrase, scope):
    atoms = ail.normalize(phrase, LEXICON)
    assert {atom.scope for atom in atoms} == {scope} and not any(atom.ambiguous for atom in atoms)


@pytest.mark.parametrize("phrase, subjects", [
    ("no libs, assets or frameworks", ["external_libraries", "external_assets", "frameworks"]), ("don't use libs and assets", ["external_libraries", "external_assets"]),
    ("libs and assets are forbidden", ["external_libraries", "external_assets"]), ("no libs, no assets", ["external_libraries", "external_assets"]),
    ("350 agents and 5 retries", ["agent_count", "retry_count"]), ("include a reset button and a speed slider", ["reset_control", "speed_control"]),
    ("no libs and 350 agents", ["external_libraries", "agent_count"]), ("no libs. Use Canvas.", ["external_libraries", "rendering_backend"]),
    ("no libs for the frontend and use Postgres", ["external_libraries", "database"]), ("no libs/frameworks", ["external_libraries", "frameworks"])])
def test_several_clauses(phrase, subjects):
    atoms = ail.normalize(phrase, LEXICON)
    assert [atom.subject for atom in atoms] == subjects and not any(atom.ambiguous for atom in atoms)


def test_a_reason_stands_apart_and_is_kept():
    rule, reason = ail.normalize("no external libraries because the page must work offline", LEXICON)
    assert (rule.subject, rule.ambiguous) == ("external_libraries", False)
    assert (reason.type, reason.value, reason.ambiguous) == ("fact", "because the page must work offline", True)


@pytest.mark.parametrize("phrase, subject", [
    ("never push to main", "main_branch_pushes"), ("don't force-push", "force_pushes"), ("do not deploy to production", "production_deploys"), ("no secrets in logs", "secrets_in_logs"),
    ("never log passwords", "secrets_in_logs"), ("don't commit API keys", "secrets_in_repository"), ("never delete user data", "deleting_data"), ("don't buy anything", "payments"),
    ("defensive only", "security_scope"), ("always ask first", "confirmation_first"), ("ask for permission", "confirmation_first"), ("read-only", "read_only"), ("no personal data", "personal_data"),
    ("do not touch the production database", "production_changes"), ("don't merge the PR", "merging"), ("no exploits", "offensive_security"), ("never run as root", "root_access")])
def test_safety_boundaries(phrase, subject):
    atom = one(phrase)
    assert (atom.type, atom.subject, atom.ambiguous, atom.criticality) == ("safety", subject, False, 3)


@pytest.mark.parametrize("phrase", [
    "not only Canvas but also SVG", "use Canvas or SVG", "Canvas vs SVG", "not all libs", "no unnecessary tests for libs here", "no, use Canvas", "maybe no libs", "the user said no libs", "libs", "Canvas",
    "external libraries that are not allowed in production crash the build", "he never said no libs", "don't change external libraries and their tests", "no doubt about the libs",
    "not sure about the libs", "whether or not to use libs", "no libs, vanilla JS", "I don't think we should use libs", "as few libs as possible",
    'add a "no tests" label', "don't not use libs", "no libs, unless they are small, and no assets", "the database is slow", "the deadline is tight", "don't reset", "no drop zone for assets",
    "none of the libs work", "libs are not always allowed", "not necessarily no libs", "no test that cannot fail", "don't only use Canvas", "tests added", "Added tests for the parser", "writing integration tests", "run tests", "create_comment", "SQLite DB",
    "import yaml", "Import the CSV in batches", '"text": "no libs"', "no tests added", "cached: 0", "We don't have tests", "no schema changes after that"])
def test_traps_are_left_alone(phrase):
    atoms = ail.normalize(phrase, LEXICON)
    assert all(atom.ambiguous for atom in atoms), atoms
    assert ail.fold(" ".join(str(part) for atom in atoms for part in (atom.subject, atom.value))) != ""


def test_a_question_claims_nothing():
    atom = one("Should we use Canvas?")
    assert (atom.type, atom.modality, atom.ambiguous, atom.value) == ("open", "open", True, "Should we use Canvas?")


def test_open_choices():
    assert [(a.type, a.subject, a.modality) for a in ail.normalize("database: TBD\nrendering backend undecided", LEXICON)] == [("open", "database", "open"), ("open", "rendering_backend", "open")]


@pytest.mark.parametrize("phrase, subject, predicate, value", [
    ("don't use frobnicators", "frobnicators", "allowed", False), ("frobnicators are forbidden", "frobnicators", "allowed", False), ("frobnicators must not be used", "frobnicators", "allowed", False),
    ("12 widgets", "widgets", "equals", 12), ("at most 12 widgets", "widgets", "at_most", 12), ("colour=blue", "colour", "equals", "blue"), ("frobnicator chosen", "", "selected", "frobnicator"),
    ("no unnecessary libs", "unnecessary libs", "allowed", False)])
def test_a_plain_clause_about_an_unknown_thing_keeps_its_words(phrase, subject, predicate, value):
    atom = one(phrase)
    assert (atom.subject, atom.predicate, atom.value, atom.ambiguous) == (subject, predicate, value, True)


@pytest.mark.parametrize("phrase", ["The runner's YAML error came from commit-message lines dropping to column 1.", "It should not be cleared by SaveChanges", "no answer is recorded",
                                    "the state is not idempotent", 'Need to add "not found" handling', "We can bikeshed the syntax", "did not find the expected key", "no doubt", "165 }", "34 mutex.Lock()", "223\tcontinue", "I don't have the previous context",
                                    "k = detect(text)", "61125160-3886-48b7-a623-d02af0270e13", "no session handling ("])
def test_prose_is_kept_as_it_was_said(phrase):
    assert kept_as_said(phrase)


def test_weak_words_count_beside_their_row_only():
    assert read("tone: formal") == [("tone", "selected", "formal")]
    assert all(atom.ambiguous for atom in ail.normalize("must be fast", LEXICON) + ail.normalize("no train", LEXICON) + ail.normalize("use spaces", LEXICON))


# laws

UNKNOWN = st.sampled_from("frobnicator quux if that while really page (later) cannot -- : # 12 .5 1,500 2026-03-01 v1.10 €20".split())
KNOWN = st.sampled_from([" ".join(words) for words in sorted(LEXICON.aliases)] + ["libs", "agents", "Canvas", "SVG", "retries", "main branch"])
CUES = st.sampled_from([phrase for _, _, words in ail.PHRASE_GRAMMAR for phrase in words.split("; ")] + [verb for verbs in ail.VERB_CLASSES.values() for verb in verbs.split("; ")])
NUMBERS = st.integers(2, 10**6).map(str) | st.sampled_from(["500 ms", "20%", "0.5", "3-5", "1,500", "€20"])
PHRASES = st.lists(UNKNOWN | KNOWN | CUES | CUES | KNOWN | NUMBERS, min_size=1, max_size=7).map(" ".join)


def said(atoms: list) -> str:
    """Every word of the atoms, with `False` and `True` as the numbers that people write for them."""
    return " ".join(str(part) for atom in atoms for part in (atom.subject, atom.predicate, atom.value, atom.scope))


def numbers(text: str) -> set[float]:
    return {float(digits.replace(",", "")) for digits in re.findall(r"(?<![\d.])\d+(?:,\d{3})*(?:\.\d+)?|(?<!\d)\.\d+", text)}


@given(st.text(max_size=60) | PHRASES)
def test_any_text_is_read_the_same_way_twice_and_quoted_where_it_stands(phrase):
    atoms = ail.normalize(phrase, LEXICON)
    assert atoms == ail.normalize(phrase, AGAIN)
    for atom in atoms:
        assert atom.evidence.quote == phrase[atom.evidence.start:atom.evidence.end] != ""
    if any(map(str.isalnum, phrase)) and not re.match(r"\s*[\d.)\s>*•+-]+$", phrase):
        assert atoms


@given(PHRASES)
def test_no_number_is_lost(phrase):
    atoms = ail.normalize("so: " + phrase, LEXICON)
    kept = numbers(said(atoms)) | ({0.0, 1.0} if any(type(atom.value) is bool for atom in atoms) else set())
    assert numbers(phrase) <= kept, atoms


@given(PHRASES)
def test_no_known_name_is_lost(phrase):
    atoms = ail.normalize(phrase, LEXICON)
    kept = {atom.subject for atom in atoms} | set(LEXICON.names_in(said(atoms)))
    assert set(LEXICON.names_in(phrase)) <= kept, atoms


@given(PHRASES)
def test_what_is_certain_has_a_row_and_a_value_of_its_kind(phrase):
    for atom in ail.normalize(phrase, LEXICON):
        if not atom.ambiguous:
            row = LEXICON.rows[atom.subject]
            assert {"flag": type(atom.value) is bool, "quantity": type(atom.value) in (int, float, str, tuple), "choice": type(atom.value) is str,
                    "text": type(atom.value) is str}[row.kind] or atom.type == "open"


@given(KNOWN, st.sampled_from(["frobnicator", "quux", "unnecessary"]))
def test_one_unknown_word_makes_a_clause_uncertain(name, word):
    assert all(atom.ambiguous for atom in ail.normalize(f"no {word} {name} {word}", LEXICON))


@pytest.mark.parametrize("hostile", ["no " * 330_000, "no libs and " * 80_000, "a" * 1_000_000, "libs=" * 200_000, "no libs. " * 11_000, "\n" * 1_000_000, "1 " * 500_000,
                                     "not (" * 200_000, "- 1. " * 20_000, "\u0301" * 1_000_000, "Canvas not SVG over " * 50_000, "no libs\n" * 11_000, "." * 1_000_000])
def test_a_hostile_megabyte_is_read(hostile):
    ail.normalize(hostile, LEXICON)
