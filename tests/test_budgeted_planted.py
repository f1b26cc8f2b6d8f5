"""pack --budget on sessions whose contents are known: what was planted stands in 2,000 tokens, and what must not come out does not."""
import io
import re

import pytest
from planted import Planted

import ail_mcp as ail

BUDGET = 2000


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("filler", [20, 60, 120])
def test_what_was_planted_stands_in_two_thousand_tokens(seed, filler):
    planted = Planted(seed, filler)
    chosen = ail.pack_within(io.BytesIO(planted.data()), "planted.jsonl", BUDGET, ail.counter(), redactor=ail.Redactor())
    assert chosen.tokens <= BUDGET
    text = chosen.packed.text.casefold()
    said = [part for line in text.splitlines() for part in line.split(" | ")]      # a statement has to hold all of its words by itself
    lost = [(kind, words) for kind, words in planted.kept if not any(all(word in part for word in words) for part in said)]
    assert len(planted.kept) == 32 and len(lost) <= 3, lost
    assert not [kind for kind, _ in lost if kind in ("safety", "rejection")], lost
    for thing, value in planted.stale:      # a correction may name the old value, as what no longer holds
        assert not [part for part in said if thing in part and re.search(rf"(?<!not ){value}", part)]
    assert not [secret for secret in planted.secrets if secret.casefold() in text]
    assert planted.injected[:40].casefold() not in text and planted.posed.casefold() not in text
