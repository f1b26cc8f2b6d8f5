"""Which of two a sentence takes, and which it turns down: `use pnpm, not npm`, `npm was replaced by pnpm`, `we moved from npm to pnpm`."""

from __future__ import annotations

import re
from collections import namedtuple

from .matching import content
from .passages import last_part, plain_words, tokens
from .wording import CUE_STEMS, ORDER_WORDS, stem

Choice = namedtuple("Choice", "taken out")
Choice.__doc__ = """The keys of the words that name what is taken, and of those that name what is not."""

_PHRASE = 8  # words that are read of what is taken or turned down
_END = re.compile(
    r"[;:.()!?](?:\s|\Z)|,\s(?:and|but|so|which)\s|\s[—–-]\s|\s(?:because|since|so that|when|if|for|as|but|which|until|before|after)\s"
)
_TAKEN_BEFORE = re.compile(
    r"(?:,| and)? (?:instead of|rather than|in place of|in lieu of|replac(?:es|ing)|takes? the place of|supersedes?|"
    r"(?:was |is |were |been )?(?:chosen|picked|preferred|selected|taken) over) |(?:,| and) not (?:with |by |to |in )?"
)
_TAKEN_BEHIND = re.compile(r" (?:(?:is|was|were|are|been|be|to be) )?(?:replaced|superseded) (?:by|with) | in favou?r of ")
_MOVE = re.compile(r"\b(?:switch|mov|migrat|chang|go)\w* (?:[\w./-]{1,40} ){0,3}?from (?=\S)")
_FRONT = re.compile(r"(?:\A|[,;:.] )(?:instead of|rather than) ([^,;]{1,80}), (.{1,80})")
_NOT_BUT = re.compile(r"\bnot ((?:[\w./+#-]{1,40} ){1,4})but (.{1,80})")
_OUT = re.compile(
    r"\b(?:not (?:be |to be )?(?:used|allowed|permitted|taken)|isn't used|ruled out|rejected|dropped|abandoned|off limits|forbidden|banned|"
    r"is out|are out|was out|don't use|do not use|do not|don't|avoid|never|no|drop|gone)\b"
)


def choice(text: str) -> Choice | None:
    """What a sentence takes, and what it turns down; None where it does not tell of both."""
    plain = plain_words(text)
    found = _FRONT.search(plain) or _NOT_BUT.search(plain)
    if found:
        return _pair(found[2], found[1])
    found = _MOVE.search(plain)
    if found:
        old, to, new = _END.split(plain[found.end() :], maxsplit=1)[0].partition(" to ")
        return _pair(new, old) if to else None
    if " over " in plain and len(plain.split()) <= 7:
        taken, _, out = plain.partition(" over ")
        return _pair(taken, out)
    for pattern, taken_first in ((_TAKEN_BEFORE, True), (_TAKEN_BEHIND, False)):
        found = pattern.search(plain)
        if found:
            before = " ".join(_END.split(plain[: found.start()])[-1].split()[-_PHRASE:])
            behind = plain[found.end() :]
            return _pair(before, behind) if taken_first else _pair(behind, before)
    return _of_clauses(plain)


def _of_clauses(plain: str) -> Choice | None:
    """One clause turns something down, the one beside it takes something else."""
    clauses = [clause for clause in re.split(r"[,;:.] |,? and ", plain[:300]) if clause.strip(" .!")]
    if len(clauses) != 2 or max(len(clause.split()) for clause in clauses) > 8:
        return None
    out = [bool(_OUT.search(clause)) for clause in clauses]
    if out[0] == out[1]:
        return None
    return _pair(clauses[out.index(False)], clauses[out.index(True)])


def _pair(taken: str, out: str) -> Choice | None:
    """A choice between two phrases, without the words that both have."""
    new, old = (_names_in(_END.split(f"{side} ", maxsplit=1)[0]) for side in (taken, out))
    return Choice(new - old, old - new) if new - old and old - new else None


def _names_in(phrase: str) -> frozenset:
    """The keys of the words of a phrase that name something, and of the words that the last part of a name is made of."""
    found = content(tokens(" ".join(phrase.split()[:_PHRASE])))
    keys = {token.key for token in found if token.kind != "word" or token.text.casefold() not in ORDER_WORDS and token.key not in CUE_STEMS}
    pieces = {stem(piece) for token in found if token.kind == "name" for piece in re.split(r"[\W_]+", last_part(token.key)) if len(piece) > 2}
    return frozenset(keys | pieces)
