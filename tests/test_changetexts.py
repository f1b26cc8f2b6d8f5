"""What `diff` and `merge` print, and how they end."""
from __future__ import annotations

import json

import pytest
from atom_sets import repeated, sets
from hypothesis import given
from test_changes import NEW, OLD

import ail_mcp as ail


@given(sets, sets)
def test_the_patch_is_json_patch(old, new):
    jsonpatch = pytest.importorskip("jsonpatch")
    patch = ail.json_patch(ail.diff(old, new), old)
    patched = jsonpatch.apply_patch(json.loads(ail.write_json(old)), json.loads(json.dumps(patch)))
    assert repeated(ail.read_json(json.dumps(patched))) == repeated(new)
    assert (not patch) == (repeated(old) == repeated(new))


@given(sets, sets)
def test_each_change_has_its_line(old, new):
    changes = ail.diff(old, new)
    marks = "".join(line[0] for line in ail.changes_text(changes).splitlines())
    told = [pair for pair in changes.restated if repr(ail.without_evidence(pair[0])) != repr(ail.without_evidence(pair[1]))]
    assert marks == "^" * len(changes.superseded) + "~" * len(changes.changed) + "=" * len(told) + "-" * len(changes.removed) + "+" * len(changes.added)


@given(sets, sets)
def test_before_and_after_are_two_packets(old, new):
    changes = ail.diff(old, new)
    _, before, after = ("\n" + ail.before_and_after(changes)).replace("\n# after\n", "\n# before\n").split("\n# before\n")
    assert all(ail.without_evidence(atom) in ail.read_ccl(before) for atom in changes.removed)
    assert all(ail.without_evidence(atom) in ail.read_ccl(after) for atom in changes.added)


def write(path, atoms, form):
    path.write_text(ail.write_atoms(atoms, form), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", [form for form, row in ail.FORMS.items() if row.lossless])
def test_states_of_any_form_are_compared(run, tmp_path, form):
    done = run("diff", write(tmp_path / "a", OLD, "json"), write(tmp_path / "b", NEW, form))
    assert done.returncode == 0
    assert sorted(done.stdout.decode().splitlines()) == ["+ preference trip likes: \"fado\"", "+ rejection day_trip rejected: \"Sintra\"",
                                                         "^ decision day_trip selected: \"Sintra\" -> \"Cascais\"", "~ fact days equals: 4 -> 5"]
    assert b"added 2, changed 1, superseded 1" in done.stderr


def test_equal_states_print_nothing(run, tmp_path):
    done = run("diff", write(tmp_path / "a", OLD, "ccl"), "-", stdin=ail.write_atoms(OLD[::-1], "yaml").encode())
    assert (done.returncode, done.stdout) == (0, b"") and b"no changes" in done.stderr


def test_diff_as_data(run, tmp_path):
    a, b = write(tmp_path / "a", OLD, "json"), write(tmp_path / "b", NEW, "json")
    assert json.loads(run("diff", a, b, "--to", "patch").stdout) == ail.json_patch(ail.diff(OLD, NEW), OLD)
    found = json.loads(run("diff", a, b, "--to", "json").stdout)
    assert found["superseded"] == [{"old": ail.to_record(OLD[0]), "new": ail.to_record(NEW[0])}]
    assert run("diff", a, b, "--to", "ccl").stdout.decode().startswith("# before\n@CCL/1\n")


def test_merge_without_conflict(run, tmp_path):
    base, theirs = write(tmp_path / "base", OLD, "json"), write(tmp_path / "theirs", [*OLD, ail.Atom("goal", value="see the coast")], "ail")
    done = run("merge", base, write(tmp_path / "ours", NEW, "ccl"), theirs, "--to", "ail", "-o", tmp_path / "merged.ail")
    assert done.returncode == 0 and not done.stdout
    assert repeated(ail.read_ail((tmp_path / "merged.ail").read_text("utf-8"))) == repeated([*NEW, ail.Atom("goal", value="see the coast")])


def test_merge_with_a_conflict_writes_it_and_ends_with_3(run, tmp_path):
    theirs = [OLD[0], OLD[1], ail.Atom("fact", "days", "equals", 7)]
    files = [write(tmp_path / name, atoms, "json") for name, atoms in (("base", OLD), ("ours", NEW), ("theirs", theirs))]
    done = run("merge", *files, "--to", "ccl")
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert [ail.from_record(record) for record in found["atoms"]] == NEW[:4]
    assert found["conflicts"] == [{"about": {"type": "fact", "subject": "days", "predicate": "equals"}, "base": [ail.to_record(OLD[2])],
                                   "ours": [ail.to_record(NEW[4])], "theirs": [ail.to_record(theirs[2])]}]


def test_secrets_go_first_and_one_secret_has_one_name(run, tmp_path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    a, b = (write(tmp_path / name, [ail.Atom("fact", "token", "is", secret), ail.Atom("fact", "days", "equals", n)], "json") for name, n in (("a", 4), ("b", 5)))
    for words in (["diff", a, b], ["diff", a, b, "--to", "json"], ["merge", a, b, a]):
        done = run(*words)
        assert done.returncode == 0 and secret.encode() not in done.stdout + done.stderr
    assert run("diff", a, b).stdout == b"~ fact days equals: 4 -> 5\n"


@pytest.mark.parametrize("words, code", [(["diff"], 2), (["diff", "a"], 2), (["diff", "a", "a", "a"], 2), (["diff", "-", "-"], 2), (["merge", "a", "a"], 2),
                                         (["diff", "a", "a", "--to", "html"], 2), (["merge", "a", "a", "a", "--to", "html"], 2),
                                         (["diff", "a", "gone"], 4), (["diff", "a", "bad"], 2), (["merge", "a", "bad.ail", "a"], 3)])
def test_what_cannot_be_done_is_said(run, tmp_path, words, code):
    write(tmp_path / "a", OLD, "json")
    (tmp_path / "bad").write_text('[{"type": "nothing"}]')
    (tmp_path / "bad.ail").write_text("!AILv1\nnonsense\n")
    done = run(*words)
    assert done.returncode == code and not done.stdout and done.stderr.count(b"\n") == 1
    if "bad" in words:
        assert done.stderr.startswith(b"ail-mcp: B: record 1: ")
    if "bad.ail" in words:
        assert done.stderr.startswith(b"ail-mcp: OURS: line 2: ")


def test_a_line_of_a_change_is_one_line():
    atom = ail.Atom("fact", "a\nb", "is", "x\ny", scope="s\nt")
    assert ail.changes_text(ail.diff([], [atom])).count("\n") == 1
