"""Repair: what was lost comes back word for word, worst first, within the budget; and the list for agents."""
from __future__ import annotations

import json

import pytest

import ail_mcp as ail

SOURCE = """# Rules
Never delete the production database. The upload limit is 25 MB. Use pnpm, not npm.
The French translation is still open.
"""
ROWS = "\n".join(json.dumps({"id": i, "statement": words, "type": kind}) for i, words, kind in (
    ("a", "The upload limit is 25 MB.", "constraint"), ("b", "Use pnpm, not npm.", "preference"),
    ("c", "Never delete the production database.", "safety"), ("d", "The French translation is still open.", "open")))
COUNT = ail.counter("estimate")


def mended(summary: str, budget: int = 1000, source: str = SOURCE) -> object:
    return ail.repair(source.encode(), summary.encode(), ail.read_commitments(ROWS), budget, COUNT, names=("source", "summary"), redactor=ail.Redactor())


def test_lost_words_come_back_the_boundary_of_safety_first():
    done = mended("We talked about uploads.\n")
    assert done.added[0]["id"] == "c" and {each["id"] for each in done.added} == {"a", "b", "c", "d"}
    assert done.text.startswith("We talked about uploads.\n\nRestored from the source")
    assert done.text.index("- Never delete") < done.text.index("- Use pnpm, not npm.")
    assert [each["verdict"] for each in done.after.verdicts] == ["kept"] * 4


def test_a_snapshot_stays_a_snapshot_with_typed_lines():
    done = mended("!AILv1\n@MEM $1=alpha_project\n@CTX $1 and $1\n")
    assert ail.parse(done.text).pointers == {"$1": "alpha_project"}
    kinds = {(atom.type, atom.value) for atom in ail.read_ail(done.text)}
    assert ("safety", "Never delete the production database.") in kinds and ("open", "The French translation is still open.") in kinds


def test_restored_words_with_a_pointer_sign_are_not_resolved():
    row = json.dumps({"id": "a", "statement": "Lunch costs $1 for each worker.", "type": "fact"})
    done = ail.repair(b"Lunch costs $1 for each worker.", b"!AILv1\n@MEM $1=alpha\n@CTX $1 is big\n", ail.read_commitments(row), 500, COUNT,
                      names=("a", "b"), redactor=ail.Redactor())
    assert "Lunch costs $1 for each worker." in ail.unpack(done.text) and "alpha is big" in ail.unpack(done.text)


@pytest.mark.parametrize("summary", ["We talked.\n", "!AILv1\n@CTX we talked\n"])
def test_the_budget_holds_and_safety_is_never_dropped_silently(summary):
    whole = mended(summary)
    taken = set()
    for budget in range(1, whole.tokens + 2):
        try:
            done = mended(summary, budget)
        except ail.BudgetError as error:
            assert "tokens; expected a budget" in str(error)
            assert not taken
            continue
        taken.add(len(done.added))
        assert COUNT.count(done.text) == done.tokens <= budget and done.added[0]["id"] == "c"
    assert max(taken) == 4 and min(taken) < 4


def test_a_whole_summary_stays_as_it_is():
    assert mended(SOURCE).text == SOURCE and mended(SOURCE).added == []


def test_the_command_mends_and_says_what_is_lost_still(run, tmp_path):
    (tmp_path / "source.md").write_text(SOURCE)
    (tmp_path / "summary.md").write_text("The upload limit is 52 MB.\n")
    (tmp_path / "atoms.jsonl").write_text(ROWS)
    done = run("repair", "source.md", "summary.md", "--budget", "500", "--atoms", "atoms.jsonl", "-o", "out.md")
    text = (tmp_path / "out.md").read_text()
    assert "- The upload limit is 25 MB." in text and b"4 of 4 lost commitments put back" in done.stderr
    assert done.returncode == (3 if b"still" in done.stderr else 0)
    assert run("repair", "source.md", "source.md", "--budget", "500", "--atoms", "atoms.jsonl").returncode == 0
    assert run("repair", "source.md", "summary.md", "--atoms", "atoms.jsonl").returncode == 2
    small = run("repair", "source.md", "summary.md", "--budget", "12", "--atoms", "atoms.jsonl")
    assert small.returncode == 3 and b"boundar" in small.stderr and small.stdout == b""


def test_no_secret_comes_back(run, tmp_path):
    secret = "gh" + "p_" + "9aQ2" * 9
    (tmp_path / "source.md").write_text(f"Always use the token {secret} for the upload to production.\n")
    for summary in ("We talked.\n", f"!AILv1\n@CTX we have {secret}\n"):
        (tmp_path / "summary").write_text(summary)
        done = run("repair", "source.md", "summary", "--budget", "500")
        assert b"REDACTED_" in done.stdout and secret.encode() not in done.stdout + done.stderr


def tool(**arguments: object) -> tuple[str, bool]:
    return ail.call_tool_row(next(row for row in ail.MCP_TOOLS if row.name == "ail_check_snapshot"), arguments)


def test_the_tool_gives_the_words_to_put_back_worst_first():
    text, failed = tool(source=SOURCE, summary="The upload limit is 52 MB. Acme approved the launch on Friday.")
    assert not failed and text.index("Never delete the production database.") < text.index("Use pnpm, not npm.")
    assert "the summary says: The upload limit is 52 MB." in text and "25 MB" in text
    one, _ = tool(source=SOURCE, summary="nothing", most=1)
    assert one.count("- [") == 1 and "more: mend these first" in one
    assert tool(source=SOURCE, summary=SOURCE)[0].startswith("4 of 4 commitments kept; 0 lost")


def test_the_answer_of_the_tool_is_bounded():
    rules = "".join(f"Never touch module_{n} in the {'very ' * 40}old part number {n}.\n\n" for n in range(400))
    text, failed = tool(source=rules, summary="Nothing at all. " + "Frobnicate zyx_7 now. " * 50, most=50)
    assert not failed and 1000 < len(text) <= 8_000 and "Never touch module_" in text
