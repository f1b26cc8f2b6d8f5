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


def test_the_table_of_forms_in_the_readme_is_what_the_codec_benchmark_measures():
    if not all(counter.exact for counter in ail.counters()):
        pytest.skip("exact token counts are not available here (tiktoken and its vocabulary)")
    import codec
    assert codec.table_5(tuple(ail.counters())) in (ROOT / "README.md").read_text("utf-8"), \
        "run `python3 benchmarks/codec.py --readme` and put its table into README.md"


def test_the_table_of_code_maps_has_a_row_for_every_tool_and_this_version():
    import sig
    table = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    for name, program, *_ in sig.TOOLS:
        assert f"\n| {name} | {'' if program else f'{ail.__version__} | '}" in table, "run benchmarks/sig.py and put its table into benchmarks/README.md"


def test_a_signature_is_found_in_what_each_tool_prints():
    import sig
    for shape, line in ((sig.DEF, "  async def go(self, a: int, b='(', **kw) -> dict[str, 'A']:\n    pass"), (sig.CTAGS, "pkg/m.py A.go(self, a: int, b='(', **kw) -> typename:dict[str,A]"),
                        (sig.SIG, "@SIG m.py|~A.go(self,a:int,b='(',**kw)->dict[str,A]|mutates(self.x)"), (sig.OUTLINE, "  ~go(self,a:int,b='(',**kw)->dict[str,A]|mutates(self.x)")):
        found = sig.signatures_in(f"before\n{line}\nafter", shape)
        assert (dict(found.calls), dict(found.returns), found.asyncs["go"]) == ({("go", "a,b,**kw"): 1}, {("go", "dict[str,A]"): 1}, shape is not sig.CTAGS), shape


def test_every_decodable_form_holds_every_gold_atom_and_injected_errors_get_their_names():
    import codec
    for case in codec.cases():
        assert 12 <= len(case.atoms) <= 15
        for _, form, *_ in codec.METHODS:
            row = codec.represent(case, form)
            assert row.decoded is None or all(row.kept)
    atoms = codec.cases()[0].atoms
    for what, name, damage in codec.injections():
        assert [loss.kind for loss in ail.compare(atoms, ail.read_ccl(ail.write_ccl(damage(atoms))))] == [name], what


def test_the_table_of_checks_has_a_row_for_every_tool_and_this_version():
    import check
    table = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    assert f"\n| ail-mcp | {ail.__version__} | " in table and all(f"\n| {name}" in table for name in check.RIVALS)


def test_injected_errors_are_found_and_named(eval_data, capsys):
    """Floors under what was measured, on summaries that are not part of this repository."""
    import check
    told = check.injected(eval_data, False, check.UNSEEN)
    given, unseen = told["verdicts/corrupted"], told[check.UNSEEN.name]
    assert given["found"] >= 0.8 * given["injected"] and given["named"] >= 0.65 * given["injected"] and given["besides"] <= 0.05 * given["clean"]
    assert unseen["found"] >= 0.55 * unseen["injected"]
    assert f"{given['found']} of {given['injected']} found" in capsys.readouterr().out


def test_what_is_put_into_a_summary_names_its_kind_and_its_place():
    import check
    for path in (check.SEEN, check.UNSEEN):
        for row in check.jsonl(path):
            assert row["kind"] in (*ail.SEVERITY, "hallucinated") and row["original"] and row["original"] != row["corrupted"]
    assert len({row["id"] for row in check.jsonl(check.COMMITMENTS)}) == len(check.jsonl(check.COMMITMENTS))
