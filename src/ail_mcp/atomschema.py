"""The canonical record of an atom: its JSON Schema, and the way between records and atoms.

A record leaves out what an atom has anyway (`modality` of its type, full confidence, ...), so it is short; `from_record` fills it in.
"""
from __future__ import annotations

from .atoms import AUTHORS, ITEMS_AT_MOST, MODALITIES, NOWHERE, TEXT_AT_MOST, TYPES, Atom, Evidence, is_map
from .errors import UsageError

_TEXT = {"type": "string", "maxLength": TEXT_AT_MOST}
_FINITE = {"type": "number", "exclusiveMinimum": -1e300, "exclusiveMaximum": 1e300}
_SCALAR = [{"type": "null"}, {"type": "boolean"}, _FINITE, _TEXT]
_COUNT = {"type": "integer", "minimum": 0, "maximum": 2**53}

ATOM_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Atom: one commitment of a session",
    "type": "object",
    "required": ["type", "value"],
    "additionalProperties": False,
    "properties": {
        "type": {"enum": list(TYPES)},
        "subject": {**_TEXT, "default": ""},
        "predicate": {**_TEXT, "default": ""},
        "value": {"anyOf": [*_SCALAR, {"type": "array", "maxItems": ITEMS_AT_MOST, "items": {"anyOf": _SCALAR}},
                            {"type": "object", "minProperties": 1, "maxProperties": ITEMS_AT_MOST, "propertyNames": {"maxLength": TEXT_AT_MOST},
                             "additionalProperties": {"anyOf": _SCALAR}}]},
        "modality": {"enum": list(MODALITIES), "description": "the usual one of the type when it is not there"},
        "scope": {**_TEXT, "default": ""},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1, "default": 1},
        "criticality": {"enum": [1, 2, 3], "description": "3: later work is wrong without it; by type and value when it is not there"},
        "author": {"enum": list(AUTHORS), "default": "user"},
        "ambiguous": {"type": "boolean", "default": False},
        "evidence": {"type": "object", "additionalProperties": False, "properties": {
            "source": _TEXT, "turn": _COUNT, "start": _COUNT, "end": _COUNT, "quote": _TEXT}},
    },
}


def to_record(atom: Atom) -> dict:
    """The atom as a JSON object; fields that have their usual value are left out."""
    record = {"type": atom.type, "subject": atom.subject, "predicate": atom.predicate, "value": plain_value(atom.value)}
    record = {key: value for key, value in record.items() if value != "" or key == "value"}
    usual = Atom(atom.type, atom.subject, atom.predicate, atom.value, atom.modality, author=atom.author)
    if atom.modality != Atom(atom.type).modality:
        record["modality"] = atom.modality
    for name in ("scope", "confidence", "criticality", "ambiguous"):
        if getattr(atom, name) != getattr(usual, name):
            record[name] = getattr(atom, name)
    if atom.author != "user":
        record["author"] = atom.author
    if atom.evidence != NOWHERE:
        record["evidence"] = {name: value for name, value, none in zip(Evidence._fields, atom.evidence, NOWHERE) if value != none}
    return record


def from_record(record: object, where: str = "the record") -> Atom:
    """A JSON object as an atom. Raises UsageError that names the field, what is wrong and what was expected; `where` tells the place."""
    faults = schema_errors(record)
    if faults:
        raise UsageError(f"{where}: {faults[0]}")
    fields = dict(record)
    if "evidence" in fields:
        fields["evidence"] = Evidence(**fields["evidence"])
    fields["value"] = frozen_value(fields["value"])
    try:
        return Atom(**fields)
    except UsageError as fault:
        raise UsageError(f"{where}: {fault}") from None


def plain_value(value: object) -> object:
    """A value of an atom as JSON holds it."""
    return dict(value) if is_map(value) else list(value) if type(value) is tuple else value


def frozen_value(value: object) -> object:
    """A JSON value as an atom holds it."""
    return tuple(value.items()) if type(value) is dict else tuple(value) if type(value) is list else value


_PYTHON_TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def schema_errors(value: object, schema: dict | None = None, place: str = "") -> list[str]:
    """What in a JSON value breaks the schema, a line each with the place, never with the value; empty when nothing does.

    Knows the words of JSON Schema 2020-12 that ATOM_SCHEMA uses, and nothing else.
    """
    schema = ATOM_SCHEMA if schema is None else schema
    if "anyOf" in schema:
        found = [schema_errors(value, choice, place) for choice in schema["anyOf"]]
        if not min(found, key=len):
            return []
        return [f"{place or 'it'} is none of " + ", ".join(choice["type"] for choice in schema["anyOf"]) + " within their limits"]
    if "enum" in schema:
        fits = any(type(value) is type(allowed) and value == allowed for allowed in schema["enum"])
        return [] if fits else [f"{place or 'it'} is none of " + ", ".join(map(str, schema["enum"]))]
    kind = schema.get("type")
    if kind and not _is_kind(value, kind):
        return [f"{place or 'it'} is no {kind}"]
    return _limits(value, schema, place)


def _is_kind(value: object, kind: str) -> bool:
    if kind in ("number", "integer"):
        return type(value) in (int, float) and value == value and (kind == "number" or value == value // 1)
    return type(value) is _PYTHON_TYPES[kind]


def _limits(value: object, schema: dict, place: str) -> list[str]:
    faults = []
    if type(value) in (int, float):
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and value < low or high is not None and value > high or not schema.get("exclusiveMinimum", float("-inf")) < value \
                < schema.get("exclusiveMaximum", float("inf")):
            faults.append(f"{place or 'it'} is outside its range")
    elif type(value) is str and len(value) > schema.get("maxLength", len(value)):
        faults.append(f"{place or 'it'} is longer than {schema['maxLength']} characters")
    elif type(value) is list:
        if len(value) > schema["maxItems"]:
            faults.append(f"{place or 'it'} has more than {schema['maxItems']} items")
        for number, item in enumerate(value):
            faults += schema_errors(item, schema["items"], f"{place}[{number}]")
    elif type(value) is dict:
        faults += _object_errors(value, schema, place)
    return faults


def _object_errors(value: dict, schema: dict, place: str) -> list[str]:
    faults = [f"{name} is missing" for name in schema.get("required", ()) if name not in value]
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        faults.append(f"{place or 'it'} has {len(value)} items; expected {schema['minProperties']} to {schema['maxProperties']}")
    known, others = schema.get("properties", {}), schema.get("additionalProperties")
    for name, item in value.items():
        if len(name) > schema.get("propertyNames", {}).get("maxLength", len(name)):
            faults.append(f"a name in {place} is too long")
        elif name in known:
            faults += schema_errors(item, known[name], f"{place}.{name}" if place else name)
        elif others is False:
            faults.append("it has a field that no atom has; expected " + ", ".join(known))
        else:
            faults += schema_errors(item, others, f"an item of {place}")
    return faults
