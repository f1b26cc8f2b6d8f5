"""The skill and the documents: what agents' loaders trip over is not there, and what is shown works."""
from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys

from conftest import ROOT, SCRIPT

import ail_mcp as ail

SKILL = ROOT / "skills" / "ail-context-compressor"
TEXT = (SKILL / "SKILL.md").read_text("utf-8")
_, HEAD, BODY = TEXT.split("---\n", 2)
README = (ROOT / "README.md").read_text("utf-8")


def blocks(text: str) -> list[str]:
    return re.findall(r"(?ms)^[ ]*```[a-z]*\n(.*?)^[ ]*```", text)


def test_the_front_matter_holds_what_every_loader_takes():
    keys = re.findall(r"(?m)^([a-z-]+):", HEAD)
    assert set(keys) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    fields = dict(re.findall(r"(?m)^([a-z-]+): (.+)$", HEAD))
    assert fields["name"] == SKILL.name
    assert len(fields["description"]) <= 1024 and not set("<>") & set(fields["description"])
    assert "---" not in fields["description"] and ": " not in fields["description"]
    assert f'version: "{ail.__version__}"' in HEAD


def test_no_argument_pattern_stands_in_the_skill():
    """Some agents put arguments in place of a dollar sign and a number, and run what stands behind an exclamation mark and a backtick."""
    assert not re.search(r"\$\d|\$ARGUMENTS|!`|```!", TEXT)
    assert not TEXT.startswith("\ufeff") and TEXT.count("\n") < 500


def test_every_linked_file_exists():
    for file, text in ((SKILL / "SKILL.md", TEXT), (ROOT / "README.md", README)):
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (file.parent / target).exists(), target


def test_the_commands_of_the_skill_work(tmp_path):
    (tmp_path / "notes.md").write_text("Notes of the day.\n")
    (tmp_path / "session.jsonl").write_text(json.dumps({"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s",
                                                        "message": {"role": "user", "content": "Never push to main."}}) + "\n")
    (tmp_path / "session.ail").write_text("!AILv1\n@CTX safety := never push to main\n")
    (tmp_path / "src").mkdir()
    commands = [line.strip() for block in blocks(BODY) for line in block.split("\n") if line.strip()] + re.findall(r"`(python3 scripts/[^`]+)`", BODY)
    assert len(commands) >= 5
    for command in sorted(set(commands)):
        words = shlex.split(command.replace("COMMAND", "pack").replace("scripts/ail_mcp.py", str(SCRIPT)).replace("-o session.ail", "-o session.ail --force"))
        done = subprocess.run([sys.executable, *words[1:]], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)


def test_the_snapshots_that_are_shown_parse():
    shown = [block for file in (SKILL / "references" / "FORMAT.md", ROOT / "README.md") for block in blocks(file.read_text("utf-8")) if block.startswith("!AILv1")]
    assert len(shown) >= 2
    for block in shown:
        assert ail.unpack(block)


def test_the_grammar_in_the_reference_is_the_grammar_of_the_decoder():
    grammar = next(block for block in blocks((SKILL / "references" / "FORMAT.md").read_text("utf-8")) if block.startswith("ail_document"))
    source = (ROOT / "src" / "ail_mcp" / "snapshot.py").read_text("utf-8")
    assert all(line.strip() in source for line in grammar.split("\n"))


def test_the_eject_prompt_is_one_text_and_asks_for_a_valid_snapshot():
    assert ail.EJECT_PROMPT in (SKILL / "references" / "EJECT.md").read_text("utf-8")
    lines = [line for line in ail.EJECT_PROMPT.split("\n") if line.startswith("@")]
    assert len(lines) > 8
    assert ail.parse("!AILv1\n" + "\n".join(lines))


def test_the_shown_json_of_check_has_the_fields_that_check_prints(run, tmp_path):
    shown = json.loads(next(block for block in blocks((SKILL / "references" / "CHECK.md").read_text("utf-8")) if block.startswith("{")))
    (tmp_path / "a.md").write_text("The upload limit is 25 MB.\n")
    (tmp_path / "b.md").write_text("The upload limit is 52 MB. Acme approved it.\n")
    told = json.loads(run("check", "a.md", "b.md", "--json").stdout)

    def fields(value: object) -> object:
        return {key: fields(inner) for key, inner in value.items() if key != "..."} if isinstance(value, dict) else None

    assert fields(told["verdicts"][0]) == fields(shown["verdicts"][0]) and set(told) == set(shown)
    assert set(told["hallucinated"][0]) == set(shown["hallucinated"][0])
    assert set(told["measures"]) == set(shown["measures"]) and set(told["measures"]["proxies"]) == set(shown["measures"]["proxies"])
    assert (told["verdicts"][0]["verdict"], told["verdicts"][0]["type"]) == ("mutation", "constraint")
    words = (SKILL / "references" / "CHECK.md").read_text("utf-8")
    assert all(f"`{name}`" in words for name in ail.SEVERITY)
    assert all(f'"{name}"' in words for record in (ail.Record, ail.Drift) for name in record._fields)


def test_every_configuration_that_is_shown_is_the_example():
    example = json.loads((ROOT / "claude_desktop_config.example.json").read_text("utf-8"))
    shown = [json.loads(block) for block in blocks(README) if block.lstrip().startswith("{")]
    assert shown == [example]
    server = example["mcpServers"]["ail-context-compressor"]
    assert server["command"] == "python3" and server["args"][0].endswith(str(SCRIPT.relative_to(ROOT))) and server["args"][1] == "mcp"


def test_the_picture_of_the_house_is_the_house():
    done = subprocess.run([sys.executable, ROOT / "src" / "build.py", "--house"], capture_output=True, text=True, check=True)
    assert done.stdout in README, "put what `python3 src/build.py --house` prints into README.md"


def test_the_documents_name_no_machine():
    for file in (ROOT / "README.md", ROOT / "SECURITY.md", *SKILL.rglob("*.md")):
        assert not re.search(r"/(?:work|root)/|/home/\w", file.read_text("utf-8")), file
