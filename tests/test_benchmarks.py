"""No number in the README that the benchmark does not print."""
from __future__ import annotations

import sys

import pytest
from conftest import ROOT

import ail_mcp as ail

sys.path.insert(0, str(ROOT / "benchmarks"))


def test_the_table_of_sizes_in_the_readme_is_what_the_benchmark_measures():
    if not all(counter.exact for counter in ail.counters()):
        pytest.skip("exact token counts are not available here (tiktoken and its vocabulary)")
    import run
    assert run.table() in (ROOT / "README.md").read_text("utf-8"), "run `python3 benchmarks/run.py` and put its table into README.md"
