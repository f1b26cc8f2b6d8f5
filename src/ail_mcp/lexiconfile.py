"""A lexicon file: a JSON layer on the closed table, read with every fault named by its place, and written the same way every time.

    {"ail_lexicon": 1, "version": 2,
     "names": {"sprites": {"kind": "flag", "predicate": "allowed"}},
     "aliases": {"sprite sheet": "sprites", "libs": null,
                 "html5 tag": {"name": "rendering_backend", "value": "Canvas", "count": 3, "from": "learned"}}}

`null` takes an alias of the closed table away. A file may carry a `report`, which is for people and is passed over.
"""
from __future__ import annotations

import json

from .errors import UsageError
from .files import read_text
from .lexicon import AliasEntry, Lexicon, NameRow, alias_words, closed_table, row_of

LEXICON_FORMAT = 1
LEXICON_FILE_AT_MOST = 20_000_000  # characters
_ROW_FIELDS = ("kind", "predicate", "unit", "verbs", "safety", "domain")
_ALIAS_FIELDS = ("name", "value", "opposite", "count", "from")


def open_lexicon(path: str | None, redactor: object) -> Lexicon:
    """The closed lexicon with the layer of a file on it, if one is given. Raises FileError, and UsageError for a fault in the file."""
    return Lexicon(lexicon_layer(read_layer(path, redactor), path)) if path else Lexicon()


def read_layer(path: str, redactor: object) -> dict:
    """The JSON object of a lexicon file, its form checked, secrets out. Raises FileError and UsageError."""
    text = redactor.redact_document(read_text(path, LEXICON_FILE_AT_MOST))
    try:
        layer = json.loads(text, object_pairs_hook=_named_once)
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}, line {error.lineno}: no JSON; expected a lexicon file such as `ail-mcp lexicon learn` writes") from None
    except RecursionError:
        raise UsageError(f"{path}: nested too deeply; expected a lexicon file") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    if type(layer) is not dict or layer.get("ail_lexicon") != LEXICON_FORMAT:
        raise UsageError(f'{path}: it is no lexicon file; expected an object with "ail_lexicon": {LEXICON_FORMAT}')
    return layer


def _named_once(pairs: list) -> dict:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice in one object; expected each once")
    return dict(pairs)


def lexicon_layer(layer: dict, where: str) -> dict:
    """A layer for `Lexicon` from the object of a lexicon file. Raises UsageError that names the place and what was expected there."""
    for field in layer:
        if field not in ("ail_lexicon", "version", "names", "aliases", "report"):
            raise UsageError(f"{where}: a field that no lexicon has; expected ail_lexicon, version, names, aliases, report")
    if type(layer.get("version")) is not int or layer["version"] < 1:
        raise UsageError(f"{where}, version: expected a whole number from 1")
    for field in ("names", "aliases"):
        if type(layer.setdefault(field, {})) is not dict:
            raise UsageError(f"{where}, {field}: expected an object")
    rows: dict[str, NameRow] = {}
    for number, (name, fields) in enumerate(layer["names"].items(), 1):
        place = f"{where}, name {number} of names"
        if type(fields) is not dict or not set(fields) <= set(_ROW_FIELDS):
            raise UsageError(f"{place}: expected an object of {', '.join(_ROW_FIELDS)}")
        rows[name] = _placed(place, row_of, name, fields)
    known = closed_table()[0] | rows
    aliases = {}
    for number, (text, value) in enumerate(layer["aliases"].items(), 1):
        place = f"{where}, alias {number} of aliases"
        words = _placed(place, alias_words, text)
        if words in aliases:
            raise UsageError(f"{place}: the same words as an alias before it; expected each once")
        aliases[words] = None if value is None else _alias_entry(place, value, known)
    return {"version": layer["version"], "names": rows, "aliases": aliases}


def _alias_entry(place: str, value: object, rows: dict) -> AliasEntry:
    fields = {"name": value} if type(value) is str else value
    if type(fields) is not dict or not set(fields) <= set(_ALIAS_FIELDS):
        raise UsageError(f"{place}: expected a canonical name, null, or an object of {', '.join(_ALIAS_FIELDS)}")
    row = rows.get(fields["name"]) if type(fields.get("name")) is str else None
    if row is None:
        raise UsageError(f"{place}: its name is no row of the table or of names; expected one that is")
    said, opposite = fields.get("value"), fields.get("opposite", False)
    if said is not None and (row.kind != "choice" or type(said) is not str or not said or len(said) > 200):
        raise UsageError(f"{place}: a value belongs to the alias of a choice; expected a text of at most 200 characters there, and none elsewhere")
    if type(opposite) is not bool or opposite and row.kind != "flag":
        raise UsageError(f"{place}: opposite is for flags; expected true or false there, and none elsewhere")
    if type(fields.get("count", 0)) is not int or type(fields.get("from", "")) is not str:
        raise UsageError(f"{place}: expected a whole number as count and a text as from")
    return AliasEntry(row.name, said, opposite, says=opposite)


def _placed(place: str, call: object, *arguments: object) -> object:
    try:
        return call(*arguments)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None


def layer_text(layer: dict) -> str:
    """A lexicon file as text: sorted, one alias a line, so that a diff shows what changed."""
    lines = [f'{{"ail_lexicon": {LEXICON_FORMAT}, "version": {layer["version"]},']
    for field in ("names", "aliases"):
        items = [f"  {_json(key)}: {_json(value)}" for key, value in sorted(layer[field].items())]
        lines.append(f' "{field}": {{' + ("\n" + ",\n".join(items) + "\n }," if items else "},"))
    lines[-1] = lines[-1].removesuffix(",")
    if layer.get("report"):
        lines[-1] += ","
        items = [f"  {_json(key)}: [" + ("\n" + ",\n".join("   " + _json(item) for item in value) + "\n  ]" if value else "]")
                 for key, value in sorted(layer["report"].items())]
        lines.append(' "report": {\n' + ",\n".join(items) + "\n }")
    return "\n".join(lines) + "}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
