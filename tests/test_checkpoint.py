"""Checkpoints: a new file with a safe name, whole or not at all, and no secret in it."""
from __future__ import annotations

import errno
import os
import random
import stat
import string
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ail_mcp as ail

SNAPSHOT = "!AILv1\n@CTX the queue is Redis\n@NEXT ?add the rate limit\n"


def token(seed: int = 1) -> str:
    """A GitHub token that never was one, made at run time. The letter after the first 20 is no digit, so a pointer may end there."""
    body = "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=36))
    return "gh" + "p_" + body[:16] + "q" + body[17:]


def test_a_checkpoint_is_a_new_private_file_with_the_snapshot(tmp_path):
    saved = ail.save_checkpoint("auth-rewrite_2", SNAPSHOT, str(tmp_path))
    path = tmp_path / "auth-rewrite_2.ail"
    assert (saved.file, saved.size, saved.redacted) == ("auth-rewrite_2.ail", len(SNAPSHOT), {})
    assert path.read_text("utf-8") == SNAPSHOT
    assert os.listdir(tmp_path) == ["auth-rewrite_2.ail"]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_ending_may_be_given(tmp_path):
    assert ail.save_checkpoint("one.ail", SNAPSHOT, str(tmp_path)).file == "one.ail"
    assert ail.checkpoint_file("Two.AIL") == "Two.ail"


def test_line_ends_and_the_byte_order_mark_are_made_plain(tmp_path):
    ail.save_checkpoint("a", "\ufeff!AILv1\r\n@CTX h\u00e9 \U0001f600\r@CTX \u2028 stays\r\n\r\n", str(tmp_path))
    assert (tmp_path / "a.ail").read_bytes() == "!AILv1\n@CTX h\u00e9 \U0001f600\n@CTX \u2028 stays\n".encode()


@pytest.mark.parametrize("name", [
    "", ".ail", "..", "../up", "a/b", "a\\b", "/etc/passwd", "C:evil", "a:stream", "~root", "a b", "a\nb", "a\0b", "-rf", ".hidden", "..a", "dot.",
    "caf\u00e9", "\u0661", "x" * 65, "con", "NUL", "aux.txt", "Com1", "lpt9.ail", "PRN.a.b", "a*", "$HOME", "%TEMP%", "a|b", "!AILv1", "a\u202eb",
])
def test_a_name_that_could_do_harm_is_refused_and_not_repeated(tmp_path, name):
    folder = tmp_path / "inside"
    folder.mkdir()
    with pytest.raises(ail.UsageError) as refused:
        ail.save_checkpoint(name, SNAPSHOT, str(folder))
    assert len(name) < 4 or name not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert [p.name for p in tmp_path.rglob("*")] == ["inside"]


@pytest.mark.parametrize("name", ["a", "_a", "1", "2026-11-30", "v1.2.3", "console", "com", "com10", "nullable", "x" * 64, "A_b-c.d"])
def test_ordinary_names_are_taken(tmp_path, name):
    ail.save_checkpoint(name, SNAPSHOT, str(tmp_path))
    assert os.listdir(tmp_path) == [name + ".ail"]


@given(st.text(max_size=80))
def test_any_name_is_refused_or_stays_in_its_folder(name):
    try:
        file = ail.checkpoint_file(name)
    except ail.UsageError:
        return
    assert file.endswith(".ail") and file == os.path.basename(file) and file.isascii() and not file.startswith((".", "-"))
    assert not set(file) & set('/\\:*?"<>|\0\n ')


def test_a_secret_in_the_name_is_refused_and_not_repeated(tmp_path):
    for name in (token(), "x-" + token(), token() + ".ail"):
        with pytest.raises(ail.UsageError, match="secret") as refused:
            ail.save_checkpoint(name, SNAPSHOT, str(tmp_path))
        assert token()[4:20] not in str(refused.value)
    assert os.listdir(tmp_path) == []


def test_secrets_in_the_text_are_replaced_before_it_is_written(tmp_path):
    saved = ail.save_checkpoint("a", f"!AILv1\n@MEM $1={token(2)}\n@CTX token {token()} and $1\n# {token()}\n", str(tmp_path))
    text = (tmp_path / "a.ail").read_text("utf-8")
    assert token()[4:20] not in text and token(2)[4:20] not in text and "REDACTED_" in text
    assert sum(saved.redacted.values()) >= 2
    ail.parse(text)


def test_a_secret_that_pointers_cut_in_two_is_replaced(tmp_path):
    secret = token()
    ail.save_checkpoint("a", f"!AILv1\n@MEM $1={secret[:20]}\n@CTX the key is $1{secret[20:]} here\n@CTX tail\n", str(tmp_path))
    text = (tmp_path / "a.ail").read_text("utf-8")
    assert secret not in ail.unpack(text) and "REDACTED_" in text and ail.unpack(text).endswith("tail\n")


@pytest.mark.parametrize("text", ["", "hello", "!AILv2\n", "!AILv1\nplain", "!AILv1\n@XXX a", "!AILv1\n@LOG broken"])
def test_only_a_snapshot_is_written(tmp_path, text):
    with pytest.raises(ail.SnapshotError, match=r"line [12]:"):
        ail.save_checkpoint("a", text, str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_what_is_there_stays(tmp_path):
    (tmp_path / "file.ail").write_text("mine")
    (tmp_path / "folder.ail").mkdir()
    for name in ("file", "folder"):
        with pytest.raises(ail.FileError, match=f"{name}.ail exists already"):
            ail.save_checkpoint(name, SNAPSHOT, str(tmp_path))
    assert (tmp_path / "file.ail").read_text() == "mine"
    assert sorted(os.listdir(tmp_path)) == ["file.ail", "folder.ail"]


@pytest.mark.skipif(os.name != "posix", reason="making links needs rights on Windows")
def test_links_are_not_followed(tmp_path):
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.write_text("mine")
    inside.mkdir()
    (inside / "live.ail").symlink_to(outside)
    (inside / "dangling.ail").symlink_to(tmp_path / "new")
    for name in ("live", "dangling"):
        with pytest.raises(ail.FileError, match="exists already"):
            ail.save_checkpoint(name, SNAPSHOT, str(inside))
    assert outside.read_text() == "mine" and not (tmp_path / "new").exists()
    assert sorted(os.listdir(inside)) == ["dangling.ail", "live.ail"]


def test_of_many_at_once_one_wins_and_its_text_is_whole(tmp_path):
    texts = [f"!AILv1\n@CTX writer {i}\n" + f"@CTX {i}\n" * 2000 for i in range(8)]

    def save(text: str) -> bool:
        try:
            ail.save_checkpoint("same", text, str(tmp_path))
            return True
        except ail.FileError:
            return False

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(save, texts))
    assert sum(won) == 1
    assert (tmp_path / "same.ail").read_text("utf-8") == texts[won.index(True)]
    assert os.listdir(tmp_path) == ["same.ail"]


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ail.FileError, match="no space left"):
        ail.save_checkpoint("a", SNAPSHOT, str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_a_file_system_without_hard_links_will_do(tmp_path, monkeypatch):
    def refused(*paths: str, **options: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    ail.save_checkpoint("a", SNAPSHOT, str(tmp_path))
    assert (tmp_path / "a.ail").read_text("utf-8") == SNAPSHOT
    with pytest.raises(ail.FileError, match="exists already"):
        ail.save_checkpoint("a", SNAPSHOT, str(tmp_path))
    assert os.listdir(tmp_path) == ["a.ail"]


def test_a_folder_that_cannot_be_written_to_is_said_plainly(tmp_path):
    with pytest.raises(ail.FileError, match="working directory") as failed:
        ail.save_checkpoint("a", SNAPSHOT, str(tmp_path / "missing"))
    assert "cwd" in str(failed.value) and "\n" not in str(failed.value)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1).filter(str.strip), max_size=5))
def test_what_is_written_carries_what_was_given(lines):
    given = "".join(["!AILv1\n", *(f"@CTX {line}\n" for line in lines)])
    text, redacted = ail.checkpoint_text(given)
    ail.parse(text)
    assert redacted or ail.unpack(text) == ail.unpack(given)


def test_a_valid_snapshot_with_a_private_key_is_cleaned_not_refused():
    body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
    mark = "PRIVATE" + " KEY-----"
    snapshot = f"!AILv1\n@CTX before\n@CTX -----BEGIN {mark}\n@CTX {body}\n@CTX {body}\n@CTX -----END {mark}\n@NEXT ?after\n"
    text, counts = ail.checkpoint_text(snapshot)
    assert body not in text and counts == {"private_key": 1}
    assert ail.parse(text) and text.endswith("@NEXT ?after\n")
    shown = ail.hydrate_state(snapshot)
    assert body not in shown and shown.startswith("before\n") and shown.endswith("@NEXT ?after\n")


def test_a_secret_in_a_name_that_nothing_uses_is_not_written():
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert token not in ail.checkpoint_text(f"!AILv1\n@MEM $1={token}\n@CTX text\n")[0]
