"""What a user gets from `sig` on folders: which files count, and which part of the map fits a budget."""
from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ail_mcp as ail


def count(text: str) -> int:
    return len(text.split())


def words(text: str) -> int:
    """A counter that is not additive, as real ones are not: a piece of up to four characters is one token."""
    return sum(-(-len(word) // 4) for word in text.split())


@pytest.fixture
def shop(tmp_path):
    files = {"shop/__init__.py": "from .cart import Cart\n",
             "shop/cart.py": "class Cart:\n    def add(self, row): self.rows.append(row)\n    def total(self) -> int: return 1\ndef _hidden(): pass\n",
             "shop/util.py": "def used(x): return x\ndef unused(x): return x\n",
             "main.py": "from shop.util import used\nfrom shop import Cart\nused(1)\nused(2)\nCart()\ndef main() -> int: return used(3)\n"}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def names(found) -> list[str]:
    return [line.partition("|")[0][5:] + " " + line.partition("|")[2].partition("(")[0] for line in found.lines if line.startswith("@SIG ")]


def test_a_folder_is_read_in_order_with_paths_below_it(shop):
    assert names(ail.code_map([str(shop)])) == ["main.py main", "shop/cart.py Cart.add", "shop/cart.py Cart.total", "shop/cart.py _hidden",
                                                "shop/util.py used", "shop/util.py unused"]
    assert names(ail.code_map([str(shop / "shop" / "util.py")])) == ["util.py used", "util.py unused"]


def test_one_bad_file_never_stops_the_rest(shop):
    (shop / "a_bad.py").write_bytes(b"def ok(:\n\xff\x00")
    (shop / "b_big.py").write_bytes(b"x = 1\n" * 4_000_000)
    (shop / "c_none.py").write_text("def gone(): pass")
    if os.geteuid():
        (shop / "c_none.py").chmod(0)
    found = ail.code_map([str(shop)])
    assert "shop/util.py used" in names(found) and "a_bad.py ok" in names(found)
    assert any(note.startswith("a_bad.py: line ") for note in found.notes) and any("b_big.py: larger than 20 MB" in note for note in found.notes)
    with pytest.raises(ail.FileError):
        ail.code_map([str(shop / "missing.py")])
    with pytest.raises(ail.FileError):
        ail.code_map([str(shop / "b_big.py")])
    assert ail.code_map([str(shop)], files_at_most=2).notes[0].endswith("were not read")


def test_an_outline_names_each_file_and_class_once(shop):
    (shop / "shop" / "util.py").write_text("LIMIT = 3\ndef outer(a):\n    async def inner(): pass\nclass A:\n    class B:\n        def m(self): pass\n        def n(self): pass\n")
    assert ail.code_map([str(shop / "shop")], outline_only=True, constants=True).lines == [
        "cart.py", "  Cart", "    add(self,row)->None|mutates(self.rows.append)", "    total(self)->int", "  _hidden()->None",
        "util.py", "  LIMIT = 3", "  outer(a)->None", "    ~inner()->None", "  A", "    B", "      m(self)->None", "      n(self)->None"]


def test_a_budget_keeps_what_the_code_uses_most(shop):
    whole = ail.code_map([str(shop)])
    budget = count("\n".join(whole.lines)) + 2
    assert ail.code_map([str(shop)], budget=budget, count=count).lines == whole.lines
    (shop / "shop" / "more.py").write_text("".join(f"def helper_{i}(x): return x\n" for i in range(20)))
    whole = words("\n".join(ail.code_map([str(shop)]).lines))
    part = ail.code_map([str(shop)], budget=whole // 2, count=words)
    assert whole // 3 < words("\n".join(part.lines)) <= whole // 2
    assert {"shop/util.py used", "shop/cart.py Cart.add", "shop/cart.py Cart.total"} <= set(names(part))
    assert "shop/cart.py _hidden" not in names(part)
    assert any(line.startswith("# ") and "of 26 functions" in line for line in part.lines)
    assert any("_hidden" in note for note in part.notes)
    with pytest.raises(ail.UsageError):
        ail.code_map([str(shop)], budget=1, count=words)
    with pytest.raises(ail.UsageError):
        ail.code_map([str(shop)], budget=100)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(["a.py", "b/c.py", "_d.py"]), st.from_regex(r"_?[A-Za-z]{1,12}(\.[a-z]{1,6})?", fullmatch=True), st.integers(0, 5)),
                min_size=1, max_size=40, unique_by=lambda t: t[:2]), st.integers(12, 400), st.booleans())
def test_a_budget_is_kept_whatever_the_map(rows, budget, as_outline):
    from collections import Counter
    lines = [f"@SIG {file}|{name}({','.join('abcde'[:n])})->None" for file, name, n in sorted(rows)]
    finish = ail.outline if as_outline else None
    uses = Counter({name.partition(".")[0]: n for _, name, n in rows})
    try:
        part = ail.within_budget(lines, budget, words, uses, finish)
    except ail.UsageError:
        return
    assert words("\n".join(part.lines)) <= budget
    if not as_outline:
        kept = [line for line in part.lines if line.startswith("@SIG ")]
        assert kept == [line for line in lines if line in set(kept)], "the order of the map stays"
        whole = {(line.partition("|")[0], line.partition("|")[2].partition("(")[0].partition(".")[0]) for line in kept}
        assert all(line in kept for line in lines if (line.partition("|")[0], line.partition("|")[2].partition("(")[0].partition(".")[0]) in whole)


IGNORES = ["build/", "*.pyi", "/a", "!a/m.py", "b/**", "**/foo", "a/*/m.py", "foo.py", "!foo.py", "x\\ y", "[ab].py", "m?.py", "*", "!*/", "!*.py", "/b/*", "a/**/n.py",
           "[!a]1.py", "#x", "\\#x", "t/**/", "m.py ", "a[", "**", "!", "/"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge here")
@settings(max_examples=25)
@given(st.data())
def test_files_are_those_that_git_would_list(tmp_path_factory, data):
    top = tmp_path_factory.mktemp("repo")
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    part = st.sampled_from(["a", "b", "build", "foo", "x y", "t"])
    for parts in data.draw(st.lists(st.tuples(st.lists(part, max_size=3), st.sampled_from(["m.py", "n.py", "foo.py", "a.pyi", "a1.py", "#x.py"])), min_size=1, max_size=15)):
        path = top.joinpath(*parts[0], parts[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    folders = [top, *[p for p in top.rglob("*") if p.is_dir() and ".git" not in p.parts]]
    for folder in data.draw(st.lists(st.sampled_from(folders), max_size=3, unique=True)):
        (folder / ".gitignore").write_text("\n".join(data.draw(st.lists(st.sampled_from(IGNORES), min_size=1, max_size=4))))
    tracked = data.draw(st.lists(st.sampled_from(sorted(top.rglob("*.py"), key=str) or [top]), max_size=3))
    if tracked:
        subprocess.run(["git", "add", "-f", *map(str, tracked)], cwd=top, check=True, capture_output=True)
        if data.draw(st.booleans()):
            subprocess.run(["git", "update-index", "--index-version", "4"], cwd=top, check=True)
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=top, capture_output=True, check=True).stdout
    want = sorted({name for name in listed.decode().split("\0") if name.endswith((".py", ".pyi"))})
    assert [one.name for one in ail.files_in(str(top), (".py", ".pyi"), 1000)[0]] == want


def test_what_is_not_source_is_passed_over(shop):
    for folder in ("node_modules", "__pycache__", ".tox", "env"):
        (shop / folder).mkdir()
        (shop / folder / "x.py").write_text("def no(): pass")
    (shop / "env" / "pyvenv.cfg").write_text("")
    (shop / "loop").symlink_to(shop)
    (shop / "link.py").symlink_to(shop / "main.py")
    assert not [name for name in names(ail.code_map([str(shop)])) if name.endswith(" no") or name.startswith(("loop", "link"))]


@settings(max_examples=100)
@given(st.binary(max_size=300), st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_any_index_is_taken(rest, version, number):
    ail.tracked_names(b"DIRC" + version.to_bytes(4, "big") + number.to_bytes(4, "big") + rest)


@pytest.mark.parametrize("pattern, name, hit", [
    ("*.py", "a/b.py", True), ("/*.py", "a/b.py", False), ("/*.py", "b.py", True), ("a/**/z.py", "a/z.py", True), ("a/**/z.py", "a/b/c/z.py", True),
    ("**/x", "x", True), ("**/x", "a/b/x", True), ("a/**", "a", False), ("a/**", "a/b/c", True), ("a*b*c", "aXbYc", True), ("a*b*c", "aXbY", False),
    ("[ab]?.py", "az.py", True), ("[!ab]?.py", "az.py", False), ("*", "a/b", True), ("ab*ba", "aba", False), ("\\*x", "*x", True), ("\\*x", "ax", False),
    ("[]-]x", "]x", True), ("a[\\]]b*", "a]bc", True),
])
def test_a_pattern_of_gitignore_means_what_git_says(pattern, name, hit):
    rule = ail._ignore_rule(pattern, "")
    assert bool(rule and ail._path_fits(rule.segments, name.split("/"))) is hit


def test_a_hostile_gitignore_takes_no_longer_than_its_size():
    """Backtracking patterns would run for hours here."""
    many_stars = ail._ignore_rule("*a" * 30 + "*b", "")
    assert not ail._path_fits(many_stars.segments, ["a" * 200])
    many_folders = ail._ignore_rule("**/" * 30 + "x", "")
    assert not ail._path_fits(many_folders.segments, ["n"] * 200)


@pytest.fixture
def unreadable(tmp_path, monkeypatch):
    """A folder that cannot be listed, for root too."""
    real = os.scandir

    def refuse(path):
        if os.path.basename(path) == "closed":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.py").write_text("def f(): pass\n")
    return tmp_path


def test_a_folder_that_cannot_be_read_is_an_error_and_one_inside_is_a_note(unreadable, capsys):
    closed = str(unreadable / "closed")
    with pytest.raises(ail.FileError) as error:
        ail.code_map([closed])
    assert str(error.value) == f"{closed}: this folder cannot be read: permission denied"
    assert ail.main(["sig", "-f", closed]) == 4
    assert capsys.readouterr().err.endswith("this folder cannot be read: permission denied\n")
    found = ail.code_map([str(unreadable)])
    assert found.lines == ["@SIG a.py|f()->None"] and found.notes == ["closed/: this folder cannot be read: permission denied"]
    found = ail.code_map([closed, str(unreadable / "a.py")])
    assert found.lines == ["@SIG a.py|f()->None"] and len(found.notes) == 1


def test_a_file_that_is_no_python_gets_one_line(tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text("# Notes\n\n- don't push (yet\n- it's 5 o'clock\n\n```\nx = [\n```\n")
    found = ail.code_map([str(notes)])
    assert found.lines == [] and found.notes == ["notes.md: not Python as a whole; no function found in it"]
    notes.write_text("# Notes\n\n- don't push (yet\n\n```python\ndef f(x): return x\n```\n")
    found = ail.code_map([str(notes)])
    assert found.lines == ["@SIG notes.md|f(x)->Any"] and found.notes == ["notes.md: not Python as a whole; 1 function found in it, best effort"]
    script = tmp_path / "tool"
    script.write_text("print 'a'\ndef f(x): print x\n")
    assert [note.partition(": ")[2][:7] for note in ail.code_map([str(script)]).notes] == ["line 1:", "line 2:"]
