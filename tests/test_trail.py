"""The trail: files, commands, tests, commits and errors, ranked, within a budget."""
from __future__ import annotations

import pytest
from test_extract import call, turns_of

import ail_mcp as ail


def lines_of(turns: list, room: int = 2000) -> str:
    return "\n".join(ail.trail_lines(ail.trail(turns), room, lambda text: len(text) // 4 + 1))


EDIT = {"file_path": "/w/src/state.go", "old_string": "x", "new_string": "func LoadState(path string) error {\n\treturn saveAll(path)\n}"}


def test_files_stand_with_what_was_done_and_the_names_in_them():
    text = lines_of([call("Read", {"file_path": "/w/src/hooks.go"}, "1\tfunc RunHooks()"), call("Edit", EDIT, "ok"),
                     call("Write", {"file_path": "/w/src/new_test.go", "content": "func TestHookOrder(t *testing.T) {}"}, "ok")])
    assert "@ARCH edited := /w/src/state.go: LoadState" in text
    assert "@ARCH created := /w/src/new_test.go: TestHookOrder" in text
    assert "@ARCH read := /w/src/hooks.go: RunHooks" in text


def test_a_file_that_was_read_and_then_edited_is_edited():
    found = ail.trail([call("Edit", EDIT, "ok"), call("Read", {"file_path": EDIT["file_path"]}, "x")])
    assert [(use.path, use.how, use.times) for use in found.files] == [(EDIT["file_path"], "edited", 2)]


def test_an_edit_that_failed_edited_nothing():
    assert ail.trail([call("Edit", EDIT, "<tool_use_error>String not found</tool_use_error>", True)]).files == []


def test_files_of_a_patch():
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+def parse_rows(): pass\n*** Add File: src/b.py\n+y\n*** End Patch"
    assert {(use.path, use.how) for use in ail.trail([call("apply_patch", {"input": patch}, "ok")]).files} == {("src/a.py", "edited"), ("src/b.py", "created")}


@pytest.mark.parametrize(("output", "failed", "ending"), [("fine", False, " -> ok"), ("Exit code 1\nboom", False, " -> failed"), ("boom", True, " -> failed"), ("x", None, "")])
def test_commands_with_their_end(output, failed, ending):
    assert f"@ARCH ran := make report{ending}" in lines_of([call("Bash", {"command": "make report"}, output, failed)]).split("\n")


def test_a_pipe_does_not_hide_a_failed_test():
    found = ail.trail([call("Bash", {"command": "go test ./... | tail -5"}, "--- FAIL: TestLoad (0.1s)\nFAIL\tpkg\t0.2s", False)])
    assert found.commands[0].failed is True and found.tests[0].text.startswith("--- FAIL: TestLoad")


def test_an_error_is_open_until_the_same_call_goes_well():
    fails, works = call("Bash", {"command": "npm ci"}, "Error: lock file is old", True), call("Bash", {"command": "npm ci"}, "done", False)
    assert [error.solved for error in ail.trail([fails]).errors] == [False]
    assert [error.solved for error in ail.trail([fails, works]).errors] == [True]
    assert "lock file is old -> not solved" in lines_of([fails])


def test_commits_branches_and_requests():
    commit = call("Bash", {"command": "git commit -m x"}, "[main (root-commit) bdf6a41] First version\n 1 file changed")
    text = lines_of([commit, call("Bash", {"command": "git status"}, "On branch dev/fix\nnothing"),
                     call("Bash", {"command": "gh pr create"}, "https://github.com/o/r/pull/201")])
    assert "commit bdf6a41 on main: First version" in text and "branch dev/fix" in text and "https://github.com/o/r/pull/201" in text


def test_later_and_written_names_come_first():
    old = [call("Grep", {"pattern": "oldName"}, "x")] + turns_of(*[("reply", "nothing here")] * 200)
    names = [name.name for name in ail.trail([*old, call("Edit", EDIT, "ok")]).names]
    assert names.index("LoadState") < names.index("oldName")


@pytest.mark.parametrize("room", [0, 5, 30, 100, 1000])
def test_the_room_is_kept(room):
    turns = [call("Edit", {"file_path": f"/w/f{n}.py", "new_string": f"def name_{n}_x(): pass"}, "ok") for n in range(60)]
    count = lambda text: len(text) // 3 + 1  # noqa: E731
    lines = ail.trail_lines(ail.trail(turns), room, count)
    assert not lines or count("\n".join(lines)) <= room
    assert bool(lines) is (room >= 30)


def test_what_the_text_around_says_is_not_said_again():
    found = ail.trail([call("Edit", EDIT, "ok")])
    lines = "\n".join(ail.trail_lines(found, 500, len, "The function LoadState is done."))
    assert "LoadState" not in lines and "saveAll" in lines


def test_lines_parse_as_a_snapshot():
    text = lines_of([call("Edit", EDIT, "ok"), call("Bash", {"command": "a | b && c := d"}, "Error: x", True)])
    assert {section.tag for section in ail.parse("!AILv1\n" + text + "\n").sections} == {"@ARCH"}


def test_without_tools_the_lines_of_the_calls_count():
    assert "src/app.py" in lines_of(turns_of(("call", "Edit src/app.py"), ("reply", "I changed `src/app.py`.")))


def test_a_name_is_the_likelier_needed_the_more_and_the_later_it_was_asked_for():
    uses = ail.Uses(100)
    for turn, name, how in ((10, "parse_row", "asked"), (90, "read_row", "asked"), (90, "row_id", "output"), (80, "write_row", "asked"), (90, "write_row", "asked")):
        uses.add(turn, name, how)
    assert uses.chance("never_seen") == 0.0 < uses.chance("row_id") < uses.chance("read_row") < uses.chance("write_row") < 1.0
    assert uses.chance("parse_row") < uses.chance("read_row")


@pytest.mark.parametrize("name, form", [("8080", "number"), ("src/rows.py", "path"), ("https://a.example/x", "path"), ("src/rows", "part"), ("rows.py", "file"),
                                        ("MAX_ROWS", "constant"), ("max_rows", "snake"), ("RowReader", "Capital"), ("readRows", "small")])
def test_the_form_of_a_name(name, form):
    assert ail.form_of_name(name) == form and form in ail.NEED


def test_what_happened_takes_a_part_of_the_room_and_names_the_rest():
    turns = []
    for n in range(30):
        turns.append(call("Bash", {"command": f"make check-{n} --with-a-long-option={n}"}, "Error: failed\n", True))
        turns.append(call("Edit", {"file_path": f"src/module_{n}.py", "old_string": "a", "new_string": f"def handle_row_{n}(): pass"}))
    lines = ail.trail_lines(ail.trail(turns), 200, ail.counter("estimate").count)
    told = [line for line in lines if line.startswith(("@ARCH ran", "@ARCH error"))]
    assert told and ail.counter("estimate").count("\n".join(told)) <= 80
    assert sum("src/module_" in line for line in lines) >= 3
