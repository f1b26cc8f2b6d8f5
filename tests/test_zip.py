"""Chat exports in the zip archive that they were downloaded in."""
import io
import json
import zipfile

import pytest

import ail_mcp as ail

CHAT = [{"uuid": "c", "name": "Exam", "chat_messages": [
    {"uuid": "m1", "sender": "human", "text": "Pick 3 questions at most.", "content": [{"type": "text", "text": "Pick 3 questions at most."}]},
    {"uuid": "m2", "sender": "assistant", "text": "Three it is.", "content": [{"type": "text", "text": "Three it is."}]}]}]


class Pipe(io.BytesIO):
    def seekable(self):
        return False


def archive(files, how=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", how) as made:
        for name, text in files:
            made.writestr(name, text)
    return data.getvalue()


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("stream", [io.BytesIO, Pipe])
def test_an_export_reads_as_its_file_does(how, stream):
    plain = ail.read(io.BytesIO(json.dumps(CHAT).encode()), "conversations.json")
    packed = ail.read(stream(archive([("users.json", "[]"), ("export/conversations.json", json.dumps(CHAT)), ("photo.png", b"\x89PNG")], how)), "e.zip")
    assert packed.format == "claude.ai" and packed.turns == plain.turns and len(packed.turns) == 2
    assert "read inside a zip archive" in packed.notes


def test_an_export_in_parts_is_one_session(run, tmp_path):
    second = json.loads(json.dumps(CHAT).replace("Three it is", "Four after all"))
    file = tmp_path / "export.zip"
    file.write_bytes(archive([("conversations-001.json", json.dumps(second)), ("conversations-000.json", json.dumps(CHAT))]))
    made = run("pack", "-f", file)
    assert made.returncode == 0 and made.stdout.index(b"Three it is") < made.stdout.index(b"Four after all")
    assert {path.name for path in tmp_path.iterdir()} == {"export.zip"}       # nothing is unpacked to disk


def lying(data, size):
    """The archive with another size written in it than its file has."""
    end = data.rindex(b"PK\1\2") + 24
    return data[:end] + size.to_bytes(4, "little") + data[end + 4:]


GOOD = archive([("conversations.json", json.dumps(CHAT))])


@pytest.mark.parametrize("data, words", [
    (archive([("other.json", "{}")]), "without conversations.json"), (GOOD[:60], "damaged"), (GOOD[:50] + b"\0\0\0\0" + GOOD[54:], "damaged"),
    (archive([("conversations.json", "PK\3\4")]), "no JSON"), (archive([("conversations.json", "[]")]), "no talk"),
    (archive([(f"conversations-{n}.json", "[]") for n in range(101)]), "more than"), (lying(GOOD, 1 << 30), "more than"),
])
def test_other_archives_are_refused_in_one_line(data, words):
    with pytest.raises(ail.FileError, match=words) as error:
        ail.read(io.BytesIO(data), "e.zip")
    assert str(error.value).startswith("e.zip") and "\n" not in str(error.value)


def test_a_bomb_ends_at_the_limit(monkeypatch):
    ail.read(io.BytesIO(GOOD), "e.zip")         # loads the room
    monkeypatch.setattr(ail, "ZIP_LIMIT", 100_000)
    with pytest.raises(ail.FileError, match="more than"):
        ail.read(io.BytesIO(archive([("conversations.json", "[\n" + " \n" * 5_000_000 + "]")])), "e.zip")
    unpacked = ail._Unpacked(io.BytesIO(b" " * 200_000), 100_000, "e.zip", ())     # an archive that claims less than it holds
    with pytest.raises(ail.FileError, match="more than"):
        while unpacked.readinto(bytearray(50_000)):
            pass
