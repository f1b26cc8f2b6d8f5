"""Atoms as JSON, and as a small safe part of YAML: a list of records, each value on its line.

The YAML is read and written without a library: `- name: value` starts a record, `  name: value` goes on, and a value is a plain word, a
JSON string, a number, `true`, `false`, `null`, or a list or map as JSON writes it. No anchors, tags, or text over several lines.
"""
from __future__ import annotations

import json
import re

from .atoms import Atom
from .atomschema import from_record, to_record
from .errors import UsageError

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
# What YAML 1.1 takes for something else than text.
_NOT_TEXT = frozenset("y n yes no true false on off null".split())
_SPECIAL = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write_json(atoms: list[Atom]) -> str:
    """Atoms as a JSON array, a record a line, evidence too."""
    return "[" + ",\n".join(json.dumps(to_record(atom), ensure_ascii=False, separators=(",", ":")) for atom in atoms) + "]\n"


def read_json(text: str) -> list[Atom]:
    """The atoms of a JSON array, of one object, or of JSON Lines. Raises UsageError that says which record is wrong."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return [from_record(_json_line(line, number), f"line {number}") for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    records = found if type(found) is list else [found]
    return [from_record(record, f"record {number}") for number, record in enumerate(records, 1)]


def _json_line(line: str, number: int) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError(f"line {number}: this is no JSON; expected an array of records, or one record a line") from None


def write_yaml(atoms: list[Atom]) -> str:
    """Atoms as YAML records, without evidence."""
    lines = []
    for atom in atoms:
        record = to_record(atom)
        record.pop("evidence", None)
        lines += [("  " if i else "- ") + f"{name}: {_yaml_value(value)}" for i, (name, value) in enumerate(record.items())]
    return "".join(line + "\n" for line in lines) or "[]\n"


def _yaml_value(value: object) -> str:
    if type(value) is str and _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT:
        return value
    # YAML forbids some characters that JSON allows, and takes 1e-07 for text.
    text = _SPECIAL.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))
    return text if type(value) is not float or "." in text else text.replace("e", ".0e")


def read_yaml(text: str) -> list[Atom]:
    """The atoms of such YAML. Raises UsageError with the line."""
    records: list[tuple[int, dict]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#") or line in ("[]", "---"):
            continue
        name, colon, value = line[2:].partition(": ")
        if line[:2] == "- ":
            records.append((number, {}))
        if line[:2] not in ("- ", "  ") or not colon or not records or name.strip() != name or name in records[-1][1]:
            raise UsageError(f"line {number}: this is none of the YAML that holds atoms; expected `- type: ...` and then `  name: value` lines")
        records[-1][1][name] = _read_yaml_value(value.strip(), number)
    return [from_record(record, f"line {number}") for number, record in records]


def _read_yaml_value(text: str, number: int) -> object:
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"line {number}: a value that is no word, number or JSON; expected one of these") from None
