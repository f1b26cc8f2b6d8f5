"""A phrase to atoms with canonical names (paper 4.3): `normalize("don't use libs", lexicon)` is "external_libraries allowed false".

The pipeline for one clause stands in `clauses`; here a phrase falls into sentences and clauses, choices between two things are read
("Canvas, not SVG"), and what is not understood keeps its surface words, marked ambiguous. Nothing is guessed and nothing is lost.
"""
from __future__ import annotations

from .atoms import TEXT_AT_MOST, Atom, Evidence
from .clauses import CUE_KINDS, QUOTE_MARKS, Claim, cut_scope, only_tells, quotes_a_cue, read_clause, read_polarity, scope_of, words_as_said
from .clausetokens import SENTENCE_AT_MOST, Token, sentence_spans, tokens_of
from .lexicon import Lexicon

SURFACE_WORDS_AT_MOST = 4  # of a subject that the lexicon does not know
SURFACE_CHARACTERS_AT_MOST = 80
# "no doubt" and the like deny nothing.
DENIAL_IDIOMS = frozenset("doubt problem idea wonder matter sure yet clue worries thanks longer one need way time chance reason sense luck good "
                         "point bad big issue more less".split())

_PHRASE_PRONOUNS = frozenset("i it this that these its".split())  # what they stand for is outside the clause
_INNER_VERBS = frozenset("is are was were be been being it's".split())


def normalize(phrase: str, lexicon: Lexicon) -> list[Atom]:
    """The atoms of a phrase, in order. Each carries the sentence that it came from as evidence, with its place in the phrase.

    An atom with `ambiguous=True` keeps surface words: in its subject where the form of the clause is plain ("no frobnicators"), else the
    whole sentence as its value. Numbers of list items ("2.") are no content. Linear in the length of the phrase.
    """
    atoms = []
    for start, end in sentence_spans(phrase):
        if end - start <= SENTENCE_AT_MOST:
            atoms += [_atom_of_claim(claim, phrase, start, end) for claim in _sentence_claims(phrase, start, end, lexicon)]
        else:
            for first, last in _long_pieces(phrase, start, end):
                atoms.append(_atom_of_claim(Claim("fact", "", "", phrase[first:last], "is", "", True), phrase, first, last))
    return atoms


def _long_pieces(phrase: str, start: int, end: int) -> list[tuple[int, int]]:
    """A long text in pieces that an atom can hold, cut at blanks where there are any."""
    found = []
    while end - start > TEXT_AT_MOST:
        blank = phrase.rfind(" ", start + 1, start + TEXT_AT_MOST)
        cut = blank if blank > 0 else start + TEXT_AT_MOST
        found.append((start, cut))
        start = cut + (blank > 0)
    return [*found, (start, end)]


def _atom_of_claim(claim: Claim, phrase: str, start: int, end: int) -> Atom:
    return Atom(claim.type, claim.subject, claim.predicate, claim.value, claim.modality, claim.scope, Evidence("", 0, start, end, phrase[start:end]),
                ambiguous=claim.ambiguous)


def _sentence_claims(phrase: str, start: int, end: int, lexicon: Lexicon) -> list[Claim]:
    """The claims of one sentence; never none."""
    tokens = tokens_of(phrase, start, end, lexicon)
    if phrase[start:end].rstrip("\"'”) ").endswith("?"):
        return [Claim("open", "", "", phrase[start:end], "open", "", True)]
    return _understood(tokens, phrase, lexicon) or _surface(tokens, phrase, lexicon) or [_whole_sentence(tokens, phrase[start:end], lexicon)]


def _understood(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """The claims of a sentence of which every word is understood, else None."""
    while tokens and tokens[-1].text in (",", ";"):
        tokens = tokens[:-1]
    if len(tokens) > 2 and tokens[0].kind == "label" and tokens[1].text == ":":
        tokens = tokens[2:]
    for at, token in enumerate(tokens):
        if token.kind == "reason" and at:  # the reason is a sentence of its own
            claims = _understood(tokens[:at], phrase, lexicon)
            why = words_as_said(tokens[at:], phrase)
            return [*claims, Claim("fact", "", "", why, "is", "", True)] if claims and len(tokens) > at + 1 else claims
    if scoped := _scope_in_front(tokens, phrase, lexicon):
        return scoped
    return _clause_claims(tokens, phrase, lexicon) or _joined_claims(tokens, phrase, lexicon)


def _clause_claims(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    return _choice_of_two(tokens, phrase, lexicon) or read_clause(tokens, phrase, lexicon)


def _scope_in_front(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """`In tests, no network`, `Frontend: no libs`: the rule behind, with the scope in front."""
    ends = [i for i, token in enumerate(tokens) if token.text in (",", ":")]
    if not ends or not tokens or ends[0] == 0:
        return None
    front, rest = tokens[:ends[0]], tokens[ends[0] + 1:]
    if front[0].kind in ("place", "condition"):
        scope = scope_of(front, phrase)
    elif tokens[ends[0]].text == ":" and len(front) <= 3 and all(token.kind in ("word", "fill", "name") for token in front):
        if any(token.text in QUOTE_MARKS for token in front):
            return None  # a key of JSON
        scope = words_as_said(front, phrase)
    else:
        return None
    claims = _clause_claims(rest, phrase, lexicon) or _joined_claims(rest, phrase, lexicon) if scope else None
    return [claim._replace(scope=scope) for claim in claims] if claims and not any(claim.scope for claim in claims) else None


# clauses side by side

def _joined_claims(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """`no libs and no assets`, `no libs, assets or fonts`, `libs and assets are forbidden`."""
    parts: list[list[Token]] = [[]]
    joins: list[Token] = []
    for token in tokens:
        if token.kind == "join":
            if parts[-1]:
                parts.append([])
            joins.append(token)
        else:
            parts[-1].append(token)
    parts = [part for part in parts if any(token.kind != "fill" for token in part)]
    if len(parts) < 2:
        return _clause_claims(parts[0], phrase, lexicon) if parts and joins else None
    if len(parts) == 2 and parts[1][0].kind == "condition" and joins[0].text == ",":
        return read_clause([*parts[0], *parts[1]], phrase, lexicon)
    either = any(join.data == "or" for join in joins)
    claims = [_clause_claims(part, phrase, lexicon) for part in parts]
    if all(claims):
        if either and not all(_denies(claim) for found in claims for claim in found):
            return None  # one or the other: nothing is settled
        return [claim for found in claims for claim in found]
    return _distributed(parts, joins, claims, phrase, lexicon)


def _denies(claim: Claim) -> bool:
    return claim.value is False or claim.modality in ("must_not", "should_not", "was_rejected")


def _distributed(parts: list[list[Token]], joins: list[Token], claims: list, phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """One clause with cues, at either end, and bare names beside it: the cues hold for each of them.

    A list of denied things ends with "or", or has two parts; "no libs, vanilla JS" is no such list. What is affirmed is joined by "and",
    and never two values of one choice.
    """
    ends = [i for i in (0, len(parts) - 1) if claims[i]]
    if len(ends) != 1 or sum(map(bool, claims)) != 1:
        return None
    said = parts[ends[0]]
    last, scope = cut_scope(parts[-1], phrase)
    if scope:
        parts = [*parts[:-1], last]
        said = parts[ends[0]]
    frame = [token for token in said if token.kind != "name"]
    found = []
    for i, part in enumerate(parts):
        names = [token for token in part if token.kind == "name"]
        if len(names) != 1 or i != ends[0] and any(token.kind not in ("name", "fill") for token in part):
            return None
        at = next((k for k, token in enumerate(said) if token.kind == "name"), len(said))
        claim = read_clause([*frame[:at], names[0], *frame[at:]], phrase, lexicon)
        if not claim:
            return None
        found += [one._replace(scope=scope or one.scope) for one in claim]
    denied = _denies(found[0])
    words = [join.text for join in joins]
    if any(join.data == "but" for join in joins) or any(_denies(claim) != denied for claim in found):
        return None
    if denied and joins[-1].data != "or" and (len(parts) > 2 or words != ["and"]):
        return None
    if denied and len({(lexicon.rows[claim.subject].kind, claim.predicate) for claim in found}) > 1:
        return None
    if not denied and (joins[-1].data != "and" or joins[-1].text == "," or len({claim.subject for claim in found}) < len(found)):
        return None
    return found


# one thing rather than another

def _choice_of_two(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """`Canvas instead of SVG`, `tabs over spaces`, `Canvas, not SVG`, `not SVG but Canvas`, `switch from SVG to Canvas`: what was chosen and what
    was rejected. A side that the lexicon does not know keeps its words."""
    cut = _two_sides(tokens)
    if cut is None:
        return None
    chosen, rejected, strong = cut
    loser, scope = cut_scope(rejected, phrase)
    sides = [_side_of_choice(side, phrase) for side in (chosen, loser if scope else rejected)]
    if None in sides or not strong and (len({name for name, _ in sides}) > 1 or not sides[0][0]):
        return None
    prefers = any(token.kind in ("prefer", "should") for token in chosen)
    known = [lexicon.rows.get(name) for name, _ in sides]
    claims = []
    for (name, value), row, won in zip(sides, known, (True, False)):
        kind = "preference" if prefers else "decision" if won else "rejection"
        modality = ("should" if won else "should_not") if prefers else "is" if won else "was_rejected"
        if row is not None and row.kind == "flag":
            claims.append(Claim(kind, name, row.predicate, won, "should" if prefers else modality, scope))
        else:
            claims.append(Claim(kind, name, "selected" if won or prefers else "rejected", value, modality, scope, row is None))
    return claims


def _two_sides(tokens: list[Token]) -> tuple[list[Token], list[Token], bool] | None:
    """`(chosen, rejected, whether the words leave no doubt)`; where there is doubt both sides have to be values of one choice."""
    if tokens and tokens[0].kind == "change":
        at = next((i for i, token in enumerate(tokens) if token.text in tokens[0].data.split()), 0)
        return (tokens[at + 1:], tokens[1:at], True) if at else None
    if tokens and tokens[0].text == "not":
        at = next((i for i, token in enumerate(tokens) if token.data == "but"), 0)
        return (tokens[at + 1:], tokens[1:at], False) if at else None
    turns = [i for i, token in enumerate(tokens) if token.kind == "versus" or token.text in ("over", "not") or token.kind == "no" and i > 1]
    if len(turns) != 1 or not 0 < turns[0] < len(tokens) - 1:
        return None
    at = turns[0]
    left, right, turn = tokens[:at], tokens[at + 1:], tokens[at]
    while left and left[-1].text in (",", "and", "but", "is", "was", "be", "been"):
        left = left[:-1]
    strong = turn.kind == "versus" or turn.text == "over" and any(token.kind in ("choose", "prefer") for token in left)
    return (right, left, strong) if turn.data == "right" else (left, right, strong)


def _side_of_choice(tokens: list[Token], phrase: str) -> tuple[str, object] | None:
    """`(row, value)` of one side, `("", words)` where its words are not known, None where it is more than a thing."""
    while tokens and tokens[0].kind in ("fill", "verb", "choose", "prefer", "must", "should", "only", "reject"):
        tokens = tokens[1:]
    while tokens and tokens[-1].kind in ("fill", "choose", "prefer", "reject"):
        tokens = tokens[:-1]
    if not 0 < len(tokens) <= 3 or any(token.kind not in ("word", "name", "number") for token in tokens):
        return None
    if len(tokens) == 1 and tokens[0].kind == "name":
        return None if tokens[0].data.opposite else tokens[0].data[:2]
    words = words_as_said(tokens, phrase)
    return ("", words) if words and len(words) <= SURFACE_CHARACTERS_AT_MOST else None


# what is not understood

def _surface(tokens: list[Token], phrase: str, lexicon: Lexicon) -> list[Claim] | None:
    """A clause of plain form about something that the lexicon does not know: its subject keeps its words."""
    if any(token.kind in ("join", "reason", "versus", "change", "label", "limit") and token.text != "," for token in tokens):
        tokens = tokens if all(token.kind != "join" and token.kind != "reason" for token in tokens) else []
    head, scope = cut_scope(tokens, phrase)
    if not head or head is not tokens and not scope and len(head) < len(tokens):
        return None
    return _surface_pair(head, phrase, scope) or _surface_count(head, phrase, scope) or _surface_rule(head, phrase, scope, lexicon)


def _unknown_thing(tokens: list[Token], phrase: str) -> str:
    """The words of a thing without a name, or "" where it is too much for one."""
    while tokens and tokens[0].kind == "fill":
        tokens = tokens[1:]
    while tokens and tokens[-1].kind == "fill":
        tokens = tokens[:-1]
    if not 0 < len(tokens) <= SURFACE_WORDS_AT_MOST or any(token.kind not in ("word", "name", "verb", "fill", "truth") for token in tokens):
        return ""
    if _holds_signs(tokens):
        return ""
    words = words_as_said(tokens, phrase)
    return words if len(words) <= SURFACE_CHARACTERS_AT_MOST else ""


def _holds_signs(tokens: list[Token]) -> bool:
    """Whether brackets and other signs of code stand among the words."""
    return any(token.kind == "word" and not any(map(str.isalnum, token.text)) for token in tokens)


def _surface_pair(tokens: list[Token], phrase: str, scope: str) -> list[Claim] | None:
    """`colour = blue`."""
    at = next((i for i, token in enumerate(tokens) if token.text in ("=", ":=", "==")), 0)
    key, value = _unknown_thing(tokens[:at], phrase), tokens[at + 1:]
    if scope or not at or not key or len(value) > 4 or any(token.kind not in ("word", "name", "number", "truth") for token in value):
        return None
    if _holds_signs(value):
        return None
    text = words_as_said(value, phrase)
    found = value[0].data[0] if len(value) == 1 and value[0].kind == "number" else text
    return [Claim("constraint", key, "equals", found, "must", "", True)] if text else None


def _surface_count(tokens: list[Token], phrase: str, scope: str) -> list[Claim] | None:
    """`12 widgets`, `at most 3 columns`."""
    while tokens and tokens[0].kind in ("fill", "must"):
        tokens = tokens[1:]
    limit = tokens[0].data if tokens and tokens[0].kind == "limit" else ""
    number, rest = tokens[bool(limit):][:1], tokens[bool(limit):][1:]
    if not number or number[0].kind != "number" or limit == "between":
        return None
    if any(token.kind not in ("word", "name") or not token.text[:1].isalpha() for token in rest):
        return None
    if rest and phrase[number[0].end:rest[0].start] not in (" ", "-"):
        return None  # a line of a listing
    words = _unknown_thing(rest, phrase)
    return [Claim("constraint", words, limit or "equals", number[0].data[0], "must", scope, True)] if words and len(rest) <= 3 else None


def _surface_rule(tokens: list[Token], phrase: str, scope: str, lexicon: Lexicon) -> list[Claim] | None:
    """`no frobnicators`, `don't use frobnicators`, `frobnicators are forbidden`, `frobnicator chosen`."""
    polarity = read_polarity(tokens)
    cues = [i for i, token in enumerate(tokens) if token.kind in CUE_KINDS]
    kinds = {tokens[i].kind for i in cues}
    if polarity is None or polarity.sign is None or polarity.mode not in ("", "allow", "choose", "reject"):
        return None
    if not kinds & {"not", "no", "deny", "choose", "reject"}:
        return None
    thing = [i for i, token in enumerate(tokens) if token.kind not in CUE_KINDS and token.kind != "fill"]
    while thing and tokens[thing[-1]].kind == "verb" and "use" in tokens[thing[-1]].data and thing[-1] > cues[-1]:
        thing.pop()  # "frobnicators must not be used"
    while thing and tokens[thing[0]].kind == "verb" and set(tokens[thing[0]].data) & {"use", "add"} and thing[0] > cues[0]:
        thing.pop(0)  # "don't use frobnicators"
    if not thing or any(thing[0] < cue < thing[-1] for cue in cues):
        return None  # a cue in the middle binds to something inside
    if any(token.kind not in CUE_KINDS and token.kind != "fill" for token in tokens[cues[0]:cues[-1]]) or quotes_a_cue(tokens):
        return None
    if thing[-1] < cues[0] and kinds & {"not", "no"} and not kinds & {"allow", "choose", "deny"} and tokens[-1].kind != "verb":
        return None  # "the state is not"
    between = tokens[thing[0]:thing[-1] + 1]
    words = _unknown_thing(between, phrase)
    outside = {token.text for token in tokens if token.kind == "fill"}
    if not words or outside & _PHRASE_PRONOUNS or only_tells(tokens) or any(token.text in DENIAL_IDIOMS | _INNER_VERBS for token in between):
        return None
    if polarity.mode in ("choose", "reject"):
        kind, predicate = ("decision", "selected") if polarity.mode == "choose" else ("rejection", "rejected")
        return [Claim(kind, "", predicate, words, polarity.modality, scope, True)]
    name = lexicon.canonical(words)
    known = lexicon.rows.get(name)
    subject = name if known and known.kind in ("flag", "choice") else words
    return [Claim("constraint", subject, "allowed", polarity.sign, polarity.modality, scope, True)]


def _whole_sentence(tokens: list[Token], sentence: str, lexicon: Lexicon) -> Claim:
    """The sentence as it stands. Its type says only what a word of it shows: that it is a rule, and whether it touches a safety boundary."""
    kinds = {token.kind for token in tokens}
    rule = bool(kinds & {"not", "no", "deny", "must", "only", "limit"})
    safety = rule and any(token.kind == "name" and lexicon.is_safety(token.data.name) for token in tokens)
    kind = "safety" if safety else "constraint" if rule else "fact"
    return Claim(kind, "", "", sentence, "must" if rule else "is", "", True)
