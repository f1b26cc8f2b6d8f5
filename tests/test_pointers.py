"""Pointers: recurring names become `$N`, everything comes back exactly, and it never costs a token more, with a vocabulary or without."""
from __future__ import annotations

import argparse
import asyncio
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

ESTIMATE = (ail.counter("estimate"),)
MODES = [ESTIMATE] + ([ail.counters()] if ail.counters()[0].exact else [])


@pytest.fixture(params=MODES, ids=["estimate", "exact"][:len(MODES)])
def counters(request):
    return request.param


def hydrated(lines: list[str]) -> list[str]:
    """What a decoder makes of it, in one pass."""
    if not lines or not lines[0].startswith("@MEM"):
        return lines
    values = dict(definition.split("=", 1) for definition in lines[0].split(" ")[1:])
    return [line if line.startswith("#") else re.sub(r"\$[0-9]+", lambda m: values.get(m[0], m[0]), line) for line in lines[1:]]


def never_dearer(lines: list[str], result: list[str]) -> bool:
    """True by the exact counters, where there are any."""
    before, after = ("".join(line + "\n" for line in ["!AILv1", *text]) for text in (lines, result))
    return all(counter.count(after) <= counter.count(before) for counter in ail.counters() if counter.exact)


def check(lines: list[str], counters: tuple) -> list[str]:
    """Point, and assert all that must hold for any lines."""
    result = ail.point(list(lines), counters)
    assert hydrated(result) == lines
    assert never_dearer(lines, result)
    assert ail.point(hydrated(result), counters) == result
    if result != lines:
        assert result[0].startswith("@MEM ") and not any(line.startswith("@MEM") for line in result[1:])
        terms = [definition.split("=", 1)[1] for definition in result[0].split(" ")[1:]]
        assert len(set(terms)) == len(terms) and all(map(ail.identifier, terms))
    return result


def mem(result: list[str]) -> dict[str, str]:
    return dict(definition.split("=", 1) for definition in result[0].split(" ")[1:]) if result[0].startswith("@MEM") else {}


PATHS = [f"@ARCH src/app/api/v1/{name}_controller.py := checks the input" for name in
         "users berths tides pilots orders sizes quays gates ships crews cranes ropes".split()]
QUEUE = ["@CTX Celery_Redis_worker_pool_settings changed", "@LOG !threads(Celery_Redis_worker_pool_settings) -> ^Celery_Redis_worker_pool_settings_acks_late",
         "@NEXT ?tune Celery_Redis_worker_pool_settings ?drop Celery_Redis_worker_pool_settings_old",
         "@CTX Celery_Redis_worker_pool_settings and Celery_Redis_worker_pool_settings again"]


def test_a_folder_of_twelve_paths(counters):
    result = check(PATHS, counters)
    assert mem(result)["$1"].strip("/") == "src/app/api/v1"
    assert re.match(r"@ARCH \$1/?users", result[1])


def test_a_name_inside_a_longer_name(counters):
    result = check(QUEUE, counters)
    assert mem(result) == {"$1": "Celery_Redis_worker_pool_settings"}
    assert result[2] == "@LOG !threads($1) -> ^$1_acks_late"
    assert result[3] == "@NEXT ?tune $1 ?drop $1_old"


def test_the_longer_of_two_overlapping_terms_wins_where_it_saves_more(counters):
    lines = [f"@CTX services/billing/ledger/invoice_builder.py and services/billing/ledger/x{i}.py" for i in range(10)]
    first, *others = mem(check(lines, counters)).values()
    assert first == "services/billing/ledger/invoice_builder.py"
    if counters[0].exact:
        assert [other.startswith("services/billing/ledger") for other in others] == [True]


def test_nothing_that_pays_nothing_changed(counters):
    for lines in ([], ["# only a comment"], ["@CTX hello world", "@NEXT ?go on"], ["@CTX src/app/api/users.py once"], ["@NEXT"]):
        assert ail.point(list(lines), counters) == lines


def test_where_the_sum_was_wrong_the_least_useful_terms_go_until_it_pays():
    """A counter to which each entry of @MEM costs more than the entry alone would: the audit refuses what the sum of savings promised."""
    def count(*texts: str) -> int:
        return sum(len(text) + (400 * text.count("=") if text.startswith("@MEM ") else 0) for text in texts)

    names = {letter * 30: uses for letter, uses in (("x", 40), ("y", 3), ("z", 3), ("u", 3), ("v", 3))}
    lines = [f"@CTX {name}" for name, uses in names.items() for _ in range(uses)]
    additive = ail.point(lines, (ail.Counter("plain", lambda *texts: sum(map(len, texts)), True),))
    result = ail.point(lines, (ail.Counter("dear entries", count, True),))
    assert len(mem(result)) < len(mem(additive)) and "x" * 4 in "".join(mem(result).values())
    assert hydrated(result) == lines and sum(count(line + "\n") for line in result) <= sum(count(line + "\n") for line in lines)


def test_numbers_of_the_text_are_not_given_out(counters):
    lines = [*PATHS, "@CTX it costs $1 or $03, not $12", "# $2 in a comment"]
    numbers = list(mem(check(lines, counters)))
    assert numbers and not {"$1", "$2", "$3", "$03", "$12"} & set(numbers)


def test_numbers_follow_the_text(counters):
    result = check([*PATHS, *QUEUE, *PATHS], counters)
    numbers = re.findall(r"\$[0-9]+", " ".join(result[1:]))
    assert list(dict.fromkeys(numbers)) == [f"${n}" for n in range(1, len(mem(result)) + 1)]


def test_no_digit_behind_a_pointer(counters):
    lines = [f"@CTX storage_bucket_region_name_{i} storage_bucket_region_name_{i}" for i in range(10, 40)]
    result = check(lines, counters)
    assert mem(result)
    assert not any(re.search(r"\$[0-9]+storage", line) for line in result)


def test_comments_tags_and_rejected_approaches_stay(counters):
    name = "in_memory_event_bus_subscription"
    lines = [f"# {name} {name}", *[f"@LOG !{name}({name} and {name}) -> ^{name}_{c}" for c in "abcdef"], f"@LOG !{name}-({name}) -> ^{name}"]
    result = check(lines, counters)
    assert result[1] == lines[0]
    assert result[2] == f"@LOG !{name}($1 and $1) -> ^$1_a"
    assert all(line.startswith(f"@LOG !{name}") for line in result[2:])


def test_operators_stay_whole(counters):
    lines = [f"@ARCH upload_service_queue->thumbnail_worker_pool->upload_service_queue{c} := upload_service_queue|thumbnail_worker_pool-x:=1" for c in "abcdefgh"]
    result = check(lines, counters)
    assert mem(result)
    for line, plain in zip(result[1:], lines):
        assert line.count("->") == plain.count("->") and line.count(":=") == plain.count(":=")


def test_signatures_still_parse(counters):
    lines = [f"@SIG src/storage/object_store.py|~ObjectStore.{verb}_object(self,key:storage.ObjectKey,*,mode='a->b|c')->storage.ObjectKey|mutates(self.object_index)"
             for verb in "put get copy move list drop lock".split()]
    result = check(lines, counters)
    assert mem(result)
    snapshot = ail.parse(ail.format_snapshot(result))
    assert ail.hydrate(snapshot) == lines


def test_the_estimate_alone_saves_something_substantial():
    rng = random.Random(5)
    paths = [f"services/{area}/adapters/{kind}/{name}_repository.py" for area in ("billing", "shipping") for kind in ("postgres", "memory")
             for name in ("invoice", "customer", "parcel")]
    lines = ["@ARCH " + " -> ".join(rng.sample(paths, 3)) for _ in range(30)]
    result = check(lines, ESTIMATE)
    assert sum(map(len, result)) < 0.7 * sum(map(len, lines))


def test_a_vocabulary_finds_at_least_what_the_estimate_finds():
    if len(MODES) < 2:
        pytest.skip("no vocabulary on this machine")
    for lines in (PATHS, QUEUE, PATHS + QUEUE):
        sizes = [MODES[1][0].count("\n".join(ail.point(list(lines), mode))) for mode in MODES]
        assert sizes[1] <= sizes[0]


NAMES = st.sampled_from(["src", "app", "api", "users", "Celery", "Redis", "tokenManager", "HTTPServer", "acks", "late", "a", "1", "v2", "characteristics",
                         "internationalization", "qzxv", "", "ABCDEF", "0f3e"])
NAME = st.builds("".join, st.lists(st.tuples(NAMES, st.sampled_from(["_", "/", ".", ":", "-", "", "::", "--"])).map("".join), min_size=1, max_size=7))
BEFORE = st.sampled_from(["", "", "", "(", '"', "`", "$", "->", "|", "“", "é", "\t", "'", "[", ":=", "#", "中", "**", "\x1c", "$1", "\u2028", "=>("])
AFTER = st.sampled_from(["", "", "", ")", '"', "`", ",", "'s", "->", "|", "”", "é", "\t", ":=", "1", "$1", "中", ". ", ">", "=", "\u0301", "\x85"])


@st.composite
def section_lines(draw):
    """Lines in which a few names come again and again, in all surroundings."""
    names = draw(st.lists(NAME, min_size=1, max_size=5))
    words = st.builds("{}{}{}".format, BEFORE, st.sampled_from(names), AFTER)
    texts = draw(st.lists(st.lists(words, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=10))
    forms = ("@CTX {}", "@ARCH {}", "@NEXT ?{}", "# {}", "@LOG !approach({}) -> ^{}", "@LOG !a-(b{}) -> ^x", "@SIG f.py|g()->{}")
    return [draw(st.sampled_from(forms)).format(text, text) for text in texts]


@given(section_lines())
def test_any_lines_come_back_and_never_cost_more(lines):
    for mode in MODES:
        check(lines, mode)


@given(st.lists(st.text(st.characters(exclude_characters="\r\n")).map("@CTX ".__add__), max_size=6).map(lambda lines: lines * 3))
def test_any_text_comes_back(lines):
    for mode in MODES:
        check(lines, mode)


def test_random_words_never_cost_more_by_estimate():
    """Where words are odd, an entry in @MEM costs more than an estimate knows."""
    for seed in range(150):
        rng = random.Random(seed)
        letters = rng.choice(["abcdefghijklmnopqrstuvwxyz", "qxzjvkw", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"])
        words = ["".join(rng.choices(letters, k=rng.randint(1, 12))) for _ in range(6)]
        names = [rng.choice("_/.-:").join(rng.choices(words, k=rng.randint(2, 7))) for _ in range(3)]
        check([f"@CTX {rng.choice(names)}{rng.choice(['', '_x', ')'])} ({rng.choice(names)}" for _ in range(rng.randint(1, 6))], ESTIMATE)


HOSTILE = ["a", "a/", "aA", "-", "->", ":=", "$", "$1", "'", "(", " ", "漢字", "\ud800", "src/app/api/ ", "a_b_a_", "0f", "A", ".", "::"]


@pytest.mark.parametrize("unit", HOSTILE, ids=ascii)
def test_hostile_text(unit, counters):
    line = "@CTX " + unit * (100_000 // len(unit))
    result = ail.point([line, line], counters)
    assert hydrated(result) == [line, line]


def test_many_random_paths_of_single_letters(counters):
    rng = random.Random(9)
    lines = ["@CTX " + " ".join("/".join(rng.choices("ab", k=30)) for _ in range(5)) for _ in range(30)]
    assert hydrated(ail.point(list(lines), counters)) == lines


def as_lines(text: str) -> list[str]:
    return ["@CTX " + line.rstrip() for line in re.split(r"\r\n|\r|\n", text) if line.strip()]


def test_real_sessions_never_cost_more(eval_data):
    texts = [path.read_text("utf-8", "replace")[:40_000] for path in sorted(eval_data.glob("sessions/raw/*")) + sorted(eval_data.glob("compactions/*/*.md"))]
    pointed = 0
    for text in texts:
        pointed += check(as_lines(text), ESTIMATE)[0].startswith("@MEM")
    assert pointed > len(texts) / 2


@pytest.mark.slow
def test_real_sessions_and_code_never_cost_more_in_either_way(eval_data):
    """Many short and long texts, since the edge cases are where a pointer just pays."""
    texts = [path.read_text("utf-8", "replace") for path in sorted(eval_data.glob("sessions/raw/*.md"))]
    texts += [path.read_text("utf-8", "replace")[:100_000] for path in sorted(eval_data.glob("compactions/*/before.jsonl"))]
    texts += [text[i:i + 2000] for text in texts for i in range(0, len(text), 20_000)]
    code = [Path(argparse.__file__), *sorted(Path(asyncio.__file__).parent.glob("*.py"))]
    for lines in [*map(as_lines, texts), *(list(ail.signatures(path.read_bytes(), f"lib/asyncio/{path.name}").lines) for path in code)]:
        for mode in MODES:
            check(lines, mode)
