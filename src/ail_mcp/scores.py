"""How sure an atom is, how costly it would be to lose it, and whether safety hangs on it.

After sections 4.5 and 4.6 of "Compress the Context, Keep the Commitments" (arXiv 2605.17304). The weights stand here and nowhere else.
"""
from __future__ import annotations

import functools
import re

from .atoms import Atom
from .errors import UsageError

# What confidence is made of, in hundredths (paper 4.6).
CONFIDENCE_WEIGHTS = {"span": 30, "agree": 25, "roundtrip": 20, "schema": 15, "anchor": 10}

# What risk is made of, in hundredths. The paper names the parts and leaves the weights open. Here the cost of a loss and safety count most, so
# that either alone makes an atom high; doubt comes next, then words that nobody mapped.
RISK_WEIGHTS = {"criticality": 40, "safety": 40, "doubt": 15, "ambiguity": 5}

HIGH_RISK = 0.40  # at least this is high: every criticality 3, and all that safety hangs on
LOW_RISK = 0.30  # at most this is low: criticality 1, or 2 where doubt is at most two thirds
LOW_CONFIDENCE = 0.60  # below this an atom is not trusted without its source

# Beginnings of words that speak of safety, privacy or permission, in a subject, a predicate or a value. Conservative: a false alarm costs some
# tokens, a miss costs the boundary.
SAFETY_WORDS = ("safe", "secur", "secret", "password", "passphrase", "credential", "privacy", "confidential", "pii", "gdpr", "hipaa", "consent",
                "permission", "authori", "unauthori", "refus", "forbid", "prohibit", "illegal", "harmful", "danger", "weapon", "malware",
                "ransomware", "phish", "exploit", "jailbreak", "destructive", "irreversibl", "delet", "overwrit", "wipe", "leak", "exfiltrat",
                "encrypt", "anonymi", "pseudonymi", "redact", "embargo", "medical", "suicid", "minors")
SAFETY_PHRASES = ("api key", "personal data", "private data", "private key", "patient data", "customer data", "force push", "push to main",
                  "drop table", "ask before", "ask first", "without asking", "rm rf", "defensive only")
# What a scope says when it draws a boundary.
SAFETY_SCOPES = ("defensive", "internal", "private", "confidential", "restricted", "authori", "production", "sandbox", "staging", "read only",
                 "offline", "personal", "patient", "minors", "children", "safety", "security", "privacy", "compliance", "legal")

_PLAIN_WORD = re.compile(r"[^\W_]+")


def confidence(span: float, agree: float, roundtrip: float, schema: float, anchor: float) -> float:
    """How far an atom is to be believed, 0 to 1: its span is in the source, other passes found it, it comes back from its rendering, its record
    fits the schema, a name or number in it stands in the source. Each part is 0 to 1. A signal for caution, no probability of truth.

    Raises UsageError for a part outside 0 to 1.
    """
    parts = {"span": span, "agree": agree, "roundtrip": roundtrip, "schema": schema, "anchor": anchor}
    for name, part in parts.items():
        if not 0 <= part <= 1:
            raise UsageError(f"{name} is outside its range; expected 0 to 1")
    return sum(CONFIDENCE_WEIGHTS[name] * part for name, part in parts.items()) / 100


def risk(atom: Atom, words: tuple[str, ...] = ()) -> float:
    """How bad it would be to lose or bend the atom, 0 to 1 (paper 4.6). `words` as for `safety_flag`."""
    parts = {"criticality": (atom.criticality - 1) / 2, "safety": safety_flag(atom, words), "doubt": 1 - atom.confidence,
             "ambiguity": atom.ambiguous}
    return sum(RISK_WEIGHTS[name] * part for name, part in parts.items()) / 100


def safety_flag(atom: Atom, words: tuple[str, ...] = ()) -> bool:
    """Whether safety, privacy or permission hangs on the atom: any one of three detectors is enough, and none silences another.

    `words` are beginnings of words, or phrases, that a project adds to the table; nothing takes a row away.
    """
    return safe_by_type(atom) or safe_by_words(atom, words) or safe_by_scope(atom)


def safe_by_type(atom: Atom) -> bool:
    return atom.type == "safety"


def safe_by_words(atom: Atom, words: tuple[str, ...] = ()) -> bool:
    text = _plain(" ".join((atom.subject, atom.predicate, *_texts(atom.value))))
    return _speaks_of(text, SAFETY_WORDS + SAFETY_PHRASES + tuple(_plain(word).strip() for word in words)) or _names_a_boundary(atom.subject)


@functools.lru_cache(maxsize=4096)
def _names_a_boundary(subject: str) -> bool:
    """Whether the lexicon marks the subject, under whichever of its names, as a boundary: `deploys`, `TLS`, `dry run`."""
    if not subject:
        return False
    from .lexicon import shared_lexicon
    lexicon = shared_lexicon()
    return lexicon.is_safety(lexicon.canonical(subject))


def safe_by_scope(atom: Atom) -> bool:
    return _speaks_of(_plain(atom.scope), SAFETY_SCOPES)


def _plain(text: str) -> str:
    """The words of a text in lower case, a blank before each: ` drop table`."""
    return "".join(" " + word for word in _PLAIN_WORD.findall(text.casefold()))


def _speaks_of(text: str, beginnings: tuple[str, ...]) -> bool:
    return any(word and " " + word in text for word in beginnings)


def _texts(value: object) -> list[str]:
    """Every text in a value: itself, those of a list, the names and texts of a map."""
    if type(value) is str:
        return [value]
    return [text for item in value for text in _texts(item)] if type(value) is tuple else []
