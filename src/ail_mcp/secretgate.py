"""Whether a redactor could find anything in a piece of a signature: cheap, without its rules, and any doubt is a yes.

Most maps hold no secret, and to load the rules takes longer than to map a file.
"""
from __future__ import annotations

# Vietnamese, Indonesian, Thai, Arabic (two), Hebrew, Hindi, Greek: whole keys, since they do not split into words as others do
FOREIGN_PASSWORDS = ("m\u1eadt kh\u1ea9u", "kata sandi", "\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19",
                     "\u0643\u0644\u0645\u0629 \u0627\u0644\u0645\u0631\u0648\u0631", "\u0643\u0644\u0645\u0629 \u0627\u0644\u0633\u0631",
                     "\u05e1\u05d9\u05e1\u05de\u05d4", "\u092a\u093e\u0938\u0935\u0930\u094d\u0921", "\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2")
# Pieces of every credential word, in lower case. A key contains one of them; what else it is, `keyvalue` says. A piece ends before a vowel
# where it can: a search is the faster the rarer its last letter is.
CREDENTIAL_STEMS = tuple("pass pwd pw psw secret token key auth cred sig cooki session jwt bearer pat psk salt sas otp mnemonic phras parol"
               " kennwort contras senha wachtwoord haslo has\u0142o"
               " losenord l\u00f6senord heslo sifr \u015fifr salasana adgangskod kodeord jelsz geheimni"
               " \u043f\u0430\u0440\u043e\u043b \u0441\u0435\u043a\u0440\u0435\u0442 \u0442\u043e\u043a\u0435\u043d"
               " \u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4 \u5bc6\u94a5 \u5bc6\u9470 \u79d8\u94a5 \u30d1\u30b9\u30ef\u30fc\u30c9"
               " \u6697\u8a3c\u756a\u53f7 \u30c8\u30fc\u30af\u30f3 \u30b7\u30fc\u30af\u30ec\u30c3\u30c8 \ube44\ubc00\ubc88\ud638"
               " \uc554\ud638 \ube44\ubc88 \ud1a0\ud070 \u4ee4\u724c lozinka mdp clav".split()) + FOREIGN_PASSWORDS
ASCII_STEMS = tuple(stem for stem in CREDENTIAL_STEMS if stem.isascii())

_NAME_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_ .,:=|*/+-~()[]{}<>&")
_DOUBTFUL = ("@", "%40", "\\'", '\\"', "://", "::", "-----", *ASCII_STEMS)
_BETWEEN_WORDS = str.maketrans(",:=|*()[]{}<>&\"'", " " * 16)


def is_only_names(piece: str) -> bool:
    """Letters and the signs of types and calls: no digit, no string, so nothing that could be a value."""
    return _NAME_SIGNS.issuperset(piece)


def has_long_word(text: str, least: int) -> bool:
    """Whether a word of at least so many characters is no plain name, but has a digit or other letters in it."""
    return any(len(word) >= least and not is_only_names(word) for word in text.translate(_BETWEEN_WORDS).split())


def may_hold_secret(piece: str) -> bool:
    """False only where every finder of `redact` would find nothing in an argument with its type and default, a return type or a name;
    what stands there without quotes and without a digit is taken for a name.

    What has no credential word near it must be a token (20 characters or more), an address (`@`, three dots, many colons), or a form that
    has blanks in it.
    """
    if is_only_names(piece):
        return False
    low = piece.lower().replace("path", "/").replace("pattern", "/")  # neither is a credential word, and both hold `pat`
    if not piece.isascii() or any(sign in low for sign in _DOUBTFUL) or piece.count(".") > 2 or piece.count(":") > 3:
        return True
    if '"' in piece and "'" in piece:
        return True
    parts = piece.split('"' if '"' in piece else "'")
    if any(len(text) >= 20 or (" " in text and len(text) > 3) for text in parts[1::2]):
        return True
    return any(has_long_word(part, 20) for part in parts[::2])
