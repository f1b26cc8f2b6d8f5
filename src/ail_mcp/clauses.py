"""One clause to claims, in the order of the paper's pipeline (4.3): polarity, subject, predicate, value, scope.

A clause is understood only when every word of it is: a name, a word of the grammar, a number, a filler, or part of a scope. One word that
nobody knows can turn a rule into something else ("no unnecessary libs"), so such a clause is not understood at all.
"""
from __future__ import annotations

from collections import namedtuple

from .clausetokens import MONEY, Token
from .lexicon import Lexicon, NameRow
from .phrasewords import BASE_VERBS, NO_SCOPE

Claim = namedtuple("Claim", "type subject predicate value modality scope ambiguous", defaults=("", False))
Claim.__doc__ = """What a clause says; the fields are those of an Atom."""

Polarity = namedtuple("Polarity", "sign modality mode verbal", defaults=("must", "", False))
Polarity.__doc__ = """`sign` is True, False, or None where nothing says; `mode` is "" or what else the words do: `required`, `allow`, `prefer`,
`only`, `choose`, `reject`, `open`; `verbal` tells a denial that wants a verb behind it ("don't") from one that wants a noun ("no")."""

CUE_KINDS = frozenset(("not", "no", "deny", "allow", "need", "optional", "must", "should", "prefer", "only", "choose", "reject", "open"))
SCOPE_WORDS_AT_MOST = 8
VALUE_WORDS_AT_MOST = {"choice": 3, "text": 8}
_TRUTH_OF = {"no": False, "not": False, "deny": False, "allow": True, "need": True, "optional": False}
QUOTE_MARKS = frozenset("\"'`“‘")
_COPULAS = frozenset(("is", "are", "be", "will be"))
_MODAL_KINDS = frozenset(("must", "should", "allow", "deny", "need", "optional", "prefer", "choose", "reject"))
_OPENS_VALUE = ("on", "by", "in", "to", "for", "from")


def read_clause(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """The claims of a clause without "and"; None when it is not understood."""
    marks = [i for i, token in enumerate(tokens) if token.kind == "mark"]
    if len(marks) > 1:
        return None
    if marks:
        return _keyed_claims(tokens[:marks[0]], tokens[marks[0] + 1:], phrase, lexicon)
    head, scope = cut_scope(tokens, phrase)
    if scope and (found := _unkeyed(head, phrase, lexicon)):
        return [claim._replace(scope=scope) for claim in found]
    return _unkeyed([token._replace(kind="fill") if token.kind == "place" else token for token in tokens], phrase, lexicon)


def _unkeyed(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """Polarity, subject, predicate and value of a clause without key and scope."""
    polarity = read_polarity(tokens)
    row, names = read_subject(tokens, lexicon)
    if polarity is None or row is None or quotes_a_cue(tokens):
        return None
    rest = [token for token in tokens if token.kind not in CUE_KINDS and token.kind not in ("fill", "name")]
    verbs = [token for token in rest if token.kind == "verb"]
    rest = [token for token in rest if token.kind != "verb"]
    classes = {*row.verbs, "add"} if row.kind == "choice" else set(row.verbs)
    if not all(classes & set(verb.data) for verb in verbs) or not _is_rule(tokens, verbs, polarity) or only_tells(tokens):
        return None
    if row.kind == "text":
        return _text_claims(tokens, row, phrase) if polarity.sign is not False and polarity.mode in ("", "choose", "open") else None
    read = {"flag": _flag_claims, "quantity": _quantity_claims, "choice": _choice_claims}[row.kind]
    stated = bool(verbs) or row.kind == "choice" and any(token.text in _COPULAS for token in tokens)  # "the database is Postgres"
    return read(row, names, polarity, stated, rest)


def only_tells(tokens: list[Token]) -> bool:
    """Whether somebody only says what is missing: "I don't have tests"."""
    texts = {token.text for token in tokens}
    return "have" in texts and bool(texts & {"i", "we", "you"}) and any(token.kind == "not" and not token.data for token in tokens)


def _is_rule(tokens: list[Token], verbs: list[Token], polarity: Polarity) -> bool:
    """Whether the verbs of a clause command or forbid: "add tests" does; "tests added", "adding tests" and "adds tests" only tell."""
    forms = {"base" if verb.text.split()[0] in BASE_VERBS else verb.text.split()[0][-3:] for verb in verbs} - {"base"}
    if not forms or any(token.kind in _MODAL_KINDS or token.kind == "not" and token.data for token in tokens):
        return True
    return polarity.sign is False and forms == {"ing"}  # "without using libs"


# polarity

def read_polarity(tokens: list[Token]) -> Polarity | None:
    """What the cues of a clause say together; None where they do not add up. A denial of a denial affirms: "don't skip tests"."""
    cues: dict[str, list[Token]] = {}
    for token in tokens:
        if token.kind in CUE_KINDS:
            cues.setdefault(token.kind, []).append(token)
    denials = cues.pop("not", []) + cues.pop("no", [])
    kinds = set(cues)
    if denials and any(token.data == "always" for token in cues.get("must", ())):
        return None  # "not always" is less than "not"
    if len(denials) > 1 or any(len(found) > 1 for kind, found in cues.items() if kind not in ("must", "should", "choose", "reject", "only")):
        return None
    wish = "should" if "should" in kinds or denials and denials[0].data == "should" else "must"
    kinds -= {"must", "should"}
    if len(kinds) > 1 and kinds not in ({"only", "allow"}, {"only", "need"}, {"prefer", "choose"}):
        return None
    verbal = bool(denials) and denials[0].kind == "not"
    if not kinds:
        if denials:
            return Polarity(False, wish, "", verbal)
        return Polarity(True, wish) if "must" in cues or "should" in cues else Polarity(None)
    if "only" in kinds:
        return None if denials else Polarity(True, wish, "only")
    kind = next(iter(kinds - {"choose"} or kinds))
    if kind in ("optional", "prefer", "reject", "open"):
        if denials:
            return None
        return {"optional": Polarity(False, "may", "required"), "prefer": Polarity(True, "should", "prefer"),
                "reject": Polarity(False, "was_rejected", "reject"), "open": Polarity(None, "open", "open")}[kind]
    if kind == "choose":
        return Polarity(False, "was_rejected", "reject") if denials else Polarity(True, "is", "choose")
    if kind == "need":
        return Polarity(False, "may", "required") if denials else Polarity(True, wish, "required")
    if kind == "allow":
        return Polarity(False, wish) if denials else Polarity(True, "may", "allow")
    denied = cues["deny"][0]
    if denied.data == "must" and denials and not verbal:
        return None  # "no drop zone"
    if denials:  # "not forbidden" allows, "never skip" commands
        return Polarity(True, "may", "allow") if denied.data == "may" else Polarity(True, wish)
    return Polarity(False, wish)


def quotes_a_cue(tokens: list[Token]) -> bool:
    """Whether a cue stands in quotes inside the clause: it is talked about and says nothing ("add a 'not found' page")."""
    return any(before.text in QUOTE_MARKS and token.kind in CUE_KINDS and i for i, (before, token) in enumerate(zip(tokens, tokens[1:])))


# subject

def read_subject(tokens: list[Token], lexicon: Lexicon) -> tuple[NameRow | None, list[Token]]:
    """`(row, its name tokens)`; `(None, [])` where no row is named, or more than one."""
    names = [token for token in tokens if token.kind == "name"]
    rows = {token.data.name for token in names}
    if len(rows) != 1:
        return None, []
    row = lexicon.rows[names[0].data.name]
    if all(token.data.weak for token in names) and len({token.data.value for token in names}) < 2:
        return None, []
    return row, names


# predicate and value

def _flag_claims(row: NameRow, names: list[Token], polarity: Polarity, verb: bool, rest: list[Token]) -> list[Claim] | None:
    opposite = any(token.data.opposite for token in names)
    sign, modality, mode, verbal = polarity
    if rest:
        zero = len(rest) == 1 and rest[0].kind == "number" and rest[0].data == (0, "")
        if not zero or sign is not None or opposite:
            return None
        sign = False
    if mode == "open":
        return [Claim("open", row.name, row.predicate, None, "open")]
    if mode == "only" and not opposite or verbal and not verb and "act" not in row.verbs and row.verbs:
        return None
    if sign is None:
        if not verb and not any(token.data.says for token in names):
            return None  # a name alone claims nothing
        sign = True
    predicate = row.predicate
    if mode == "required" and predicate != "required":
        if opposite:
            return None
        predicate = "required"
    return [_row_claim(mode, row, predicate, sign != opposite, modality)]


def _quantity_claims(row: NameRow, names: list[Token], polarity: Polarity, verb: bool, rest: list[Token]) -> list[Claim] | None:
    numbers = [token for token in rest if token.kind == "number"]
    limits = [token for token in rest if token.kind == "limit"]
    others = [token for token in rest if token.kind not in ("number", "limit")]
    sign, modality, mode, verbal = polarity
    if mode == "open" and not rest:
        return [Claim("open", row.name, row.predicate, None, "open")]
    if not rest and sign is False and not mode and "none" in row.verbs and (not verbal or "act" in row.verbs and not verb):
        return [_row_claim(mode, row, row.predicate, 0, modality)]
    if others or len(limits) > 1 or len(numbers) != 1 or mode == "required" and sign is False:
        return None
    limit = limits[0].data if limits else ""
    value, dimension = numbers[0].data
    if type(value) is tuple:
        if limit not in ("", "between"):
            return None
        limit = "between"
    elif limit == "between":
        return None
    if sign is False and mode != "reject":
        limit = {"more_than": "at_most", "less_than": "at_least"}.get(limit, "")
        if not limit:
            return None
    if not _unit_fits(dimension, row.unit, numbers[0].start < names[0].start) or mode == "allow" and limit != "at_most":
        return None
    if mode == "allow":
        mode, modality = "", "must"  # "may have up to 5" is a limit
    return [_row_claim(mode, row, limit or row.predicate, value, modality)]


def _unit_fits(dimension: str, unit: str, before: bool) -> bool:
    """Whether a number of this dimension can be a value of the row. "5 timeouts" are no time, "timeout 5" may be one."""
    if not dimension:
        return not (before and unit in ("time", "size", "money"))
    return dimension in MONEY if unit == "money" else dimension == unit


def _choice_claims(row: NameRow, names: list[Token], polarity: Polarity, verb: bool, rest: list[Token]) -> list[Claim] | None:
    values = {token.data.value for token in names} - {None}
    sign, modality, mode, verbal = polarity
    if rest:
        return None
    if mode == "open" and not values:
        return [Claim("open", row.name, row.predicate, None, "open")]
    if len(values) != 1 or mode == "open" or mode == "required" and sign is False or verbal and not verb:
        return None
    says = verb or any(token.data.says for token in names)
    if sign is None and not says:
        return None  # the value alone: nothing says that it was chosen
    value = values.pop()
    if mode in ("choose", "reject"):
        return [_row_claim(mode, row, "rejected" if mode == "reject" else row.predicate, value, modality)]
    if sign is False:
        return [_row_claim(mode, row, row.predicate, value, modality + "_not")]
    return [_row_claim(mode, row, row.predicate, value, modality)]


def _text_claims(tokens: list[Token], row: NameRow, phrase: str) -> list[Claim] | None:
    """`deadline is Friday`, `deduplicate by customer_id`: the words behind the name, where something says that they are its value."""
    at = next(i for i, token in enumerate(tokens) if token.kind == "name")
    before, behind = tokens[:at], tokens[at + 1:]
    if any(token.kind not in ("fill", "must", "should", "verb") for token in before) or not behind:
        return None
    opened = tokens[at].text.rpartition(" ")[2] in _OPENS_VALUE
    if behind[0].kind == "open" and len(behind) == 1:
        return [Claim("open", row.name, row.predicate, None, "open")]
    if not opened:
        if behind[0].text not in ("is", "are", "will be") or len(behind) < 2:
            return None
        behind = behind[1:]
        first = phrase[behind[0].start]
        if not (first.isupper() or first.isdigit() or first in "\"'`“"):
            return None  # "the deadline is tight" names no deadline
    value = words_as_said(behind, phrase)
    plain = value and not any(token.kind in CUE_KINDS or token.kind in ("reason", "versus", "join") for token in behind)
    if not plain or len(behind) > VALUE_WORDS_AT_MOST["text"]:
        return None
    return [_row_claim("", row, row.predicate, value, "should" if any(token.kind == "should" for token in before) else "must")]


def _row_claim(mode: str, row: NameRow, predicate: str, value: object, modality: str) -> Claim:
    kind = {"choose": "decision", "reject": "rejection", "prefer": "preference"}.get(mode) or ("safety" if row.safety else "constraint")
    return Claim(kind, row.name, predicate, value, modality)


def _keyed_claims(left: list[Token], right: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """`libs=false`, `timeout: 500 ms`, `database: Postgres`, `title: ...`: a name, a mark, a value."""
    left = [token for token in left if token.kind != "fill"]
    if len(left) != 1 or left[0].kind != "name" or left[0].data.value is not None or not right:
        return None
    key = left[0]
    if key.text.endswith("ed") and tuple(key.text.split()) not in lexicon.aliases:
        return None  # "cached: 0" counts what was cached
    row = lexicon.rows[key.data.name]
    words = [token for token in right if token.kind != "fill"]
    if len(words) == 1 and words[0].kind == "open":
        return [Claim("open", row.name, row.predicate, None, "open")]
    if row.kind == "flag":
        value = _truth_value(words)
        if value is None:
            return None
        value = value != key.data.opposite
        modality = "may" if value and row.predicate == "allowed" or words[0].kind == "optional" else "must"
        return [_row_claim("", row, row.predicate, value, modality)]
    if row.kind == "quantity":
        return _unkeyed([key, *right], phrase, lexicon)
    named = [token for token in words if token.kind == "name" and token.data.name == row.name and token.data.value is not None]
    if row.kind == "choice" and named:
        return [_row_claim("", row, row.predicate, named[0].data.value, "must")] if len(words) == 1 else None
    value = words_as_said(right, phrase)
    if not value or len(words) > VALUE_WORDS_AT_MOST[row.kind] or any(token.kind in CUE_KINDS or token.kind in ("join", "versus") for token in words):
        return None
    return [_row_claim("", row, row.predicate, value, "must")]


def _truth_value(words: list[Token]) -> bool | None:
    """`false`, `no`, `0`, `not allowed`, `required` as a truth value."""
    if len(words) == 2 and words[0].kind in ("not", "no") and words[1].kind in ("allow", "deny"):
        return words[1].kind == "deny"
    if len(words) != 1:
        return None
    if words[0].kind == "truth":
        return words[0].data == "yes"
    if words[0].kind == "number":
        return {0: False, 1: True}.get(words[0].data[0]) if type(words[0].data[0]) is int else None
    return _TRUTH_OF.get(words[0].kind)


# scope

def cut_scope(tokens: list[Token], phrase: str) -> tuple[list[Token], str]:
    """`(the clause without its scope, the scope's words)`: "for the frontend", "in tests", "unless I ask". The scope is "" where there is
    none, or where what looks like one is a reason or an example."""
    for i, token in enumerate(tokens):
        if token.kind in ("place", "condition") and any(before.kind != "fill" for before in tokens[:i]):
            return tokens[:i], scope_of(tokens[i:], phrase)
    return tokens, ""


def scope_of(tail: list[Token], phrase: str) -> str:
    """The words of a scope that begins with its preposition. One that says where is dropped (in, on, for); one that says unless, is kept."""
    body = tail[1:]
    while body and body[0].kind == "fill":
        body = body[1:]
    keep = keep_all = tail[0].kind == "condition"
    if not body and not (keep and tail[0].text in ("for now", "at the moment")) or len(body) > SCOPE_WORDS_AT_MOST:
        return ""
    if body and body[0].text in (("that", "this", "it") if keep else NO_SCOPE):
        return ""
    for i, token in enumerate(body):
        if token.kind in ("reason", "versus", "mark", "choose", "reject", "change"):
            return ""
        following = body[i + 1].kind if i + 1 < len(body) else "word"
        if token.kind == "join" and (token.text not in ("and", "or", "&", "/", "nor") or following not in ("word", "fill", "place")):
            return ""  # what is joined on could be another rule
        if token.kind == "condition":
            keep_all = True  # "in tests unless I ask"
        if not keep_all and token.kind in (CUE_KINDS | {"limit"}):
            return ""
    return words_as_said(tail if keep else body, phrase)


def words_as_said(tokens: list[Token], phrase: str) -> str:
    """The words of tokens as they stand in the phrase, white space folded, without signs at the ends."""
    return " ".join(phrase[tokens[0].start:tokens[-1].end].split()).strip(" .!;,*\"'`“”") if tokens else ""
