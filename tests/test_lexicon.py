"""The lexicon: the laws of its table, names that stay what they are, layers that win in their order."""
from __future__ import annotations

import collections
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

LEXICON = ail.Lexicon()
ALIASES = sorted(LEXICON.aliases)


def listed_aliases() -> list[tuple[str, str]]:
    """Every alias as the table spells it out, with the row that claims it."""
    found = [(alias, row.name) for row, texts in ail._table_rows(ail.LEXICON_ROWS) for text in texts for alias in ail._expanded_alias(text.lstrip("!+"))]
    return found + [(text.lstrip("?+"), name) for name, _, texts in ail._table_choices(ail.LEXICON_CHOICES) for text in texts]


def test_the_table_is_large_enough_to_be_useful_and_names_every_domain():
    handwritten = sum(len(texts) for _, texts in ail._table_rows(ail.LEXICON_ROWS)) + sum(len(texts) for _, _, texts in ail._table_choices(ail.LEXICON_CHOICES))
    assert handwritten >= 250
    rows = collections.Counter(row.domain for row in LEXICON.rows.values())
    assert set(rows) == {"software", "data", "travel", "writing"} and min(rows.values()) >= 25


def test_an_alias_belongs_to_one_row_only():
    owners = collections.defaultdict(set)
    for alias, name in listed_aliases():
        owners[ail.alias_words(alias)].add(name)
    for name in LEXICON.rows:
        owners[ail.alias_words(name)].add(name)
    assert {words: names for words, names in owners.items() if len(names) > 1} == {}
    assert set(owners) == set(LEXICON.aliases)


def test_a_row_named_twice_or_an_alias_claimed_twice_is_an_error_of_the_table(monkeypatch):
    monkeypatch.setattr(ail, "LEXICON_ROWS", ail.LEXICON_ROWS + "second_row = flag allowed\n    lib\n")
    with pytest.raises(ValueError, match="external_libraries and for second_row"):
        ail.closed_table.__wrapped__()
    names = [row.name for row, _ in ail._table_rows(ail.LEXICON_ROWS)]
    assert len(set(names)) == len(names)


def test_every_row_is_one_that_a_file_could_hold():
    for row in LEXICON.rows.values():
        fields = {"kind": row.kind, "predicate": row.predicate, "unit": row.unit, "verbs": " ".join(row.verbs), "safety": row.safety, "domain": row.domain}
        assert ail.row_of(row.name, fields) == row


def test_every_choice_has_its_row_and_every_value_one_row():
    choices = ail._table_choices(ail.LEXICON_CHOICES)
    assert {LEXICON.rows[name].kind for name, _, _ in choices} == {"choice"}
    values = [value.casefold() for _, value, _ in choices]
    assert len(set(values)) == len(values)


def test_safety_rows_are_there_for_every_boundary():
    for name in ("production_changes", "production_deploys", "secrets_in_repository", "secret_disclosure", "personal_data", "pushing", "main_branch_pushes",
                 "force_pushes", "deleting_files", "deleting_data", "deploys", "payments", "security_scope", "destructive_commands", "confirmation_first"):
        assert LEXICON.is_safety(name), name
    assert not LEXICON.is_safety("external_libraries") and not LEXICON.is_safety("no such row")


def test_no_alias_is_a_word_of_the_grammar():
    for words in ALIASES:
        length, what = ail.longest(ail.PHRASE_TREE, [(word, 0, 0) for word in words], 0)
        assert length < len(words) or what[0] == "verb", words


@pytest.mark.parametrize("name, canonical", [("libs", "external_libraries"), ("External Libraries", "external_libraries"), ("external-libraries", "external_libraries"),
                                             ("Third-party packages", "external_libraries"), ("agents", "agent_count"), ("db", "database"), ("PII", "personal_data")])
def test_names_become_canonical(name, canonical):
    assert LEXICON.canonical(name) == canonical


@pytest.mark.parametrize("name", ["offline", "Canvas", "tabs", "frobnicator", "", "libs and assets", "my libs"])
def test_what_is_no_name_of_a_row_is_only_folded(name):
    """A word for the opposite, for a value, or for more than a row must not become the row."""
    assert LEXICON.canonical(name) == ail.fold(name)


@given(st.text() | st.sampled_from([" ".join(words) for words in ALIASES]))
def test_canonical_is_idempotent(name):
    once = LEXICON.canonical(name)
    assert LEXICON.canonical(once) == once


@given(st.sampled_from(ALIASES), st.sampled_from(ALIASES))
def test_the_longest_alias_is_found_wherever_it_stands(a, b):
    words = ail.words_of("zzz " + " ".join(a) + " zzz " + " ".join(b))
    length, entry = LEXICON.find(words, 1)
    assert (length, entry) == (len(a), LEXICON.aliases[a])
    strong = {entry.name for entry in (LEXICON.aliases[a], LEXICON.aliases[b]) if not entry.weak}
    assert set(LEXICON.names_in("zzz " + " ".join(a) + " zzz " + " ".join(b))) == strong


def layer(aliases: dict, names: dict | None = None) -> dict:
    return {"version": 1, "names": names or {}, "aliases": {ail.alias_words(text): entry for text, entry in aliases.items()}}


def test_a_later_layer_wins_and_can_take_an_alias_away():
    first = layer({"lib": ail.AliasEntry("frameworks"), "zorp": ail.AliasEntry("frameworks")})
    second = layer({"zorp": ail.AliasEntry("cdn"), "package": None})
    assert ail.Lexicon(first).canonical("libs") == "frameworks"
    assert ail.Lexicon(first, second).canonical("zorp") == "cdn"
    assert ail.Lexicon(second, first).canonical("zorp") == "frameworks"
    assert ail.Lexicon(second).canonical("package") == "package" and LEXICON.canonical("package") == "external_libraries"


def test_a_layer_adds_rows_and_its_plurals_are_found_as_singulars():
    own = ail.Lexicon(layer({"sprite sheets": ail.AliasEntry("sprites")}, {"sprites": ail.row_of("sprites", {"kind": "flag"})}))
    assert own.canonical("Sprite sheet") == own.canonical("sprite-sheets") == "sprites"


def test_the_version_tells_lexicons_apart_and_nothing_else():
    a, b = layer({"zorp": ail.AliasEntry("cdn"), "blip": ail.AliasEntry("cdn")}), layer({"blip": ail.AliasEntry("cdn"), "zorp": ail.AliasEntry("cdn")})
    assert ail.Lexicon(a).version == ail.Lexicon(b).version != LEXICON.version == ail.Lexicon().version
    assert len({ail.Lexicon(layer({"zorp": entry})).version for entry in (ail.AliasEntry("cdn"), ail.AliasEntry("frameworks"), ail.AliasEntry("cdn", opposite=True))}) == 3


@pytest.mark.parametrize("text", ["", " ", "!!", "not", "no longer", "at most", "one two three four five six seven eight nine"])
def test_what_cannot_be_an_alias(text):
    with pytest.raises(ail.UsageError):
        ail.alias_words(text)


@pytest.mark.parametrize("fields, what", [({"kind": "maybe"}, "kind"), ({"unit": "parsec"}, "unit"), ({"verbs": "fly"}, "verbs"), ({"safety": "yes"}, "safety"),
                                          ({"predicate": "Is Allowed"}, "predicate"), ({"predicate": ""}, "predicate"), ({"domain": 3}, "domain")])
def test_a_row_with_a_bad_field_is_refused_by_name(fields, what):
    with pytest.raises(ail.UsageError, match=what):
        ail.row_of("some_name", fields)


@pytest.mark.parametrize("hostile", ["external " * 120_000, "a" * 1_000_000, "no " * 330_000, "number of " * 100_000, "_" * 1_000_000, "ö\u0301'" * 300_000])
def test_look_ups_in_a_megabyte_are_linear(hostile):
    LEXICON.names_in(hostile)
    LEXICON.canonical(hostile)


def test_word_forms_know_plurals_participles_and_past_forms():
    for word, base in (("libraries", "library"), ("pushes", "push"), ("caches", "cache"), ("deleting", "delete"), ("committing", "commit"), ("deployed", "deploy"),
                       ("used", "use"), ("retried", "retry"), ("boxes", "box")):
        assert base in ail.word_forms(word), word
    assert "us" not in ail.word_forms("using") and ail.word_forms("css") == ("css",)


def test_every_verb_class_of_a_row_exists():
    assert set(itertools.chain.from_iterable(row.verbs for row in LEXICON.rows.values())) <= {*ail.VERB_CLASSES, "none"}
