"""What the lexicon could not name, with what each could mean, for a person to choose (the interactive regime of paper 4.4).

`propose` writes JSON: each phrase with one unknown thing in it, the candidates with a score and the reason, and `"choice": null`. A person
(or a test downstream) fills the choices in, and `confirm` makes aliases of them. A candidate is listed only if the clause would read with it.
"""
from __future__ import annotations

import difflib
import json

from .clausetokens import SENTENCE_AT_MOST, Token, sentence_spans, tokens_of
from .errors import UsageError
from .lexicon import AliasEntry, Lexicon, NameRow, alias_words
from .lexiconfile import LEXICON_FORMAT, lexicon_layer
from .lexiconlearn import UNKNOWN_WORDS_AT_MOST, read_with, unknown_run
from .normalize import normalize
from .phrasewords import word_forms

CANDIDATES_AT_MOST = 5
LEAST_SCORE = 0.2
LEAST_LIKENESS = 0.75  # of two words, by the letters that they share in order: finds typing errors
BESIDE_SCORE = 0.25  # a name in the same phrase
_PHRASE_FIELDS = ("phrase", "quote", "statement")
_PROBES = (("flag", "allowed"), ("quantity", "equals"), ("choice", "selected"))


def propose_names(phrases: list[str], lexicon: Lexicon) -> dict:
    """The proposal for phrases that are not read for certain, most frequent first. Phrases without exactly one unknown thing in a clear
    clause are counted as `unread`: nothing can be proposed for them."""
    index = _NameIndex(lexicon)
    found: dict[tuple[str, ...], dict] = {}
    unread = 0
    for phrase in phrases:
        if all(not atom.ambiguous for atom in normalize(phrase, lexicon)):
            continue
        listed = False
        for start, end in sentence_spans(phrase):
            if end - start > SENTENCE_AT_MOST:
                continue
            tokens = tokens_of(phrase, start, end, lexicon)
            gap = unknown_run(tokens, phrase)
            if gap is None:
                continue
            words = tuple(token.text for token in tokens[gap[0]:gap[1]])
            if words in found:
                found[words]["count"] += 1
                listed = True
                continue
            entry = _proposal(tokens, gap, phrase, lexicon, index)
            if entry:
                found[words] = {"phrase": phrase[start:end], **entry, "count": 1, "choice": None}
                listed = True
        unread += not listed
    ordered = sorted(found.values(), key=lambda entry: (-entry["count"], entry["words"]))
    return {"ail_proposal": LEXICON_FORMAT, "lexicon": lexicon.version, "phrases": ordered, "unread": unread}


def _proposal(tokens: list[Token], gap: tuple[int, int], phrase: str, lexicon: Lexicon, index: _NameIndex) -> dict | None:
    run = tokens[gap[0]:gap[1]]
    try:
        words = alias_words(phrase[run[0].start:run[-1].end])
    except UsageError:
        return None
    probes = [NameRow("_unknown", kind, predicate, verbs=("use", "add", "make")) for kind, predicate in _PROBES]
    kinds = [probe.kind for probe in probes if _reads(tokens, gap, phrase, lexicon, probe)]
    if len(words) > UNKNOWN_WORDS_AT_MOST or not kinds:
        return None
    beside = [token.data.name for token in tokens[:gap[0]] + tokens[gap[1]:] if token.kind == "name"]
    candidates = []
    for entry, score, because in index.like(words, beside):
        row = lexicon.rows[entry.name]
        if _reads(tokens, gap, phrase, lexicon, row, entry.value):
            value = {"value": entry.value} if entry.value else {}
            candidates.append({"name": entry.name, **value, "predicate": row.predicate, "kind": row.kind, "score": score, "because": because})
    return {"words": " ".join(words), "kinds": kinds, "candidates": candidates[:CANDIDATES_AT_MOST]}


def _reads(tokens: list[Token], gap: tuple[int, int], phrase: str, lexicon: Lexicon, row: NameRow, value: str | None = None) -> bool:
    entry = AliasEntry(row.name, value or ("value" if row.kind == "choice" else None))
    clause = [token for i, token in enumerate(tokens) if token.kind != "name" or gap[0] <= i < gap[1]]  # what stands beside is no part of the test
    shift = sum(token.kind == "name" for token in tokens[:gap[0]])
    return bool(read_with(clause, (gap[0] - shift, gap[1] - shift), entry, row, phrase, lexicon))


class _NameIndex:
    """Which names an unknown run of words could stand for, by words and letters in common with their aliases."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._by_stem: dict[str, list[tuple[frozenset, AliasEntry, str]]] = {}
        self._by_letter: dict[str, set[str]] = {}
        for words, entry in sorted(lexicon.aliases.items()):
            stems = frozenset(map(_stem, words))
            for stem in stems:
                self._by_stem.setdefault(stem, []).append((stems, entry, " ".join(words)))
                self._by_letter.setdefault(stem[:1], set()).add(stem)
        self._likes: dict[str, dict[str, float]] = {}

    def like(self, words: tuple[str, ...], beside: list[str]) -> list[tuple[AliasEntry, float, str]]:
        """`(entry, score, reason)`, best first: the share of words in common, weaker for words that are only alike."""
        best: dict[tuple, tuple[float, str]] = {}
        mine = {_stem(word) for word in words}
        for stem in sorted(mine):
            for known, likeness in self._alike(stem).items():
                for stems, entry, text in self._by_stem[known]:
                    score = round(likeness * len(mine & stems | {known}) / len(mine | stems - {known} | {stem}), 2)
                    key = (entry.name, entry.value)
                    if score >= LEAST_SCORE and not entry.opposite and score > best.get(key, (0.0, ""))[0]:
                        best[key] = (score, f"like {text!r}")
        for name in beside:
            score = best.get((name, None), (0.0, ""))[0]
            if score < BESIDE_SCORE:
                best[name, None] = (BESIDE_SCORE, "stands beside it")
        ordered = sorted(best.items(), key=lambda item: (-item[1][0], item[0][0], item[0][1] or ""))
        return [(AliasEntry(name, value), score, because) for (name, value), (score, because) in ordered[:4 * CANDIDATES_AT_MOST]]

    def _alike(self, stem: str) -> dict[str, float]:
        """The stems of the lexicon that are this one (1.0) or alike."""
        if stem not in self._likes:
            matcher = difflib.SequenceMatcher(None, "", stem, autojunk=False)
            likes = self._likes[stem] = {stem: 1.0} if stem in self._by_stem else {}
            for other in sorted(self._by_letter.get(stem[:1], ())) if 3 < len(stem) < 40 else ():
                matcher.set_seq1(other)
                if other != stem and matcher.real_quick_ratio() >= LEAST_LIKENESS <= matcher.quick_ratio() and matcher.ratio() >= LEAST_LIKENESS:
                    likes[other] = matcher.ratio()
        return self._likes[stem]


def _stem(word: str) -> str:
    return min(word_forms(word), key=len)


def read_phrases(text: str) -> list[str]:
    """The phrases of a file: of each line its `phrase`, `quote` or `statement` when it is a JSON object, the line itself otherwise."""
    phrases = []
    for line in text.split("\n"):
        record = None
        if line.lstrip().startswith("{"):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                pass
        if type(record) is dict:
            phrases += [record[field] for field in _PHRASE_FIELDS if type(record.get(field)) is str][:1]
        elif line.strip():
            phrases.append(line.strip())
    return phrases


def confirm_names(proposal: object, layer: dict, lexicon: Lexicon, where: str) -> tuple[dict, int]:
    """`(the layer with the chosen aliases, how many are new)`. A choice is a canonical name, the number of a candidate, or an object with `name`
    and, for a value of a choice, `value`; with `kind` and `predicate` it makes a new row. Raises UsageError; nothing is half taken.
    """
    phrases = proposal.get("phrases") if type(proposal) is dict and proposal.get("ail_proposal") == LEXICON_FORMAT else None
    if type(phrases) is not list:
        raise UsageError(f"{where}: it is no proposal; expected what `ail-mcp lexicon propose` writes, with choices filled in")
    names, aliases, added = dict(layer["names"]), dict(layer["aliases"]), 0
    for number, entry in enumerate(phrases, 1):
        place = f"{where}, phrase {number}"
        if type(entry) is not dict or type(entry.get("words")) is not str:
            raise UsageError(f"{place}: expected an object with words and choice")
        if entry.get("choice") is None:
            continue
        chosen, row = _choice_of(entry, place)
        if row:
            if row != names.setdefault(chosen["name"], row):
                raise UsageError(f"{place}: the new name has another kind elsewhere in the lexicon; expected one kind for one name")
        elif chosen["name"] not in lexicon.rows and chosen["name"] not in names:
            raise UsageError(f"{place}: the name is not in the lexicon; expected one that is, or kind and predicate for a new one")
        count = entry.get("count")
        alias = {**chosen, "count": count if type(count) is int else 1, "from": "confirmed"}
        present = aliases.get(entry["words"])
        if present is not None and {k: v for k, v in _fields(present).items() if k not in ("count", "from")} != chosen:
            raise UsageError(f"{place}: its words stand for something else in the lexicon file; take that alias out first")
        added += present is None
        aliases[entry["words"]] = alias
    changed = aliases != layer["aliases"] or names != layer["names"]
    result = {"version": layer["version"] + changed, "names": names, "aliases": aliases}
    lexicon_layer({"ail_lexicon": LEXICON_FORMAT, **result}, where)
    return result, added


def _fields(alias: object) -> dict:
    return {"name": alias} if type(alias) is str else alias


def _choice_of(entry: dict, place: str) -> tuple[dict, dict | None]:
    """`(name and value, the fields of a new row or None)` of what was chosen."""
    choice = entry["choice"]
    if type(choice) is int:
        candidates = entry.get("candidates")
        if type(candidates) is not list or not 0 < choice <= len(candidates) or type(candidates[choice - 1]) is not dict:
            raise UsageError(f"{place}: there is no candidate of that number; expected 1 to the number of candidates")
        choice = {key: candidates[choice - 1][key] for key in ("name", "value") if key in candidates[choice - 1]}
    if type(choice) is str:
        choice = {"name": choice}
    if type(choice) is not dict or not set(choice) <= {"name", "value", "kind", "predicate", "unit", "safety"} or type(choice.get("name")) is not str:
        raise UsageError(f"{place}: expected as choice null, a name, the number of a candidate, or an object with name")
    row = {key: choice[key] for key in ("kind", "predicate", "unit", "safety") if key in choice}
    return {key: choice[key] for key in ("name", "value") if key in choice}, row or None
