"""Where credentials stand: assignments in any syntax.

A finder only says "here is a key and here is a value"; whether they are a credential is for `keyvalue` to say. Every pattern has a
bounded reach and a literal to begin with; a text without the literal costs one `in`.
"""
from __future__ import annotations

from .credentialforms import find_forms, take_cookies
from .keyvalue import (
    PASSWORD,
    SECRET,
    SEED_WORDS,
    TOKEN,
    WEAK,
    credential_key,
    has_letter_and_more,
    is_basic_pair,
    is_prose_password,
    is_random_secret,
    is_value,
)
from .neighbours import has_account_beside, is_option_of_pairs
from .secretgate import CREDENTIAL_STEMS
from .secretrules import KEYED
from .shapes import character_classes, compiled, is_placeholder, is_wordy, looks_random
from .values import value_at

# Behind the stem: the rest of the key, what closes it (quotes, brackets, markdown), and what makes it an assignment.
_KEY_ACCENTS = "\u00df-\u024f\u0430-\u044f"
_KEY_ASSIGN = (r"""(?P<tail>[a-z0-9_$.\-""" + _KEY_ACCENTS +
           r"""]{0,48})(?![a-z0-9_$\-])(?P<close>(?:\\{0,3}["'`]|\[[0-9]{0,4}\]|</[a-z]{1,8}>|[\])\u300d\u300f\u3011\u201d]|\*\*|__"""
           r"""|&quot;|&nbsp;|%22|\x1b\[[0-9;]{0,8}m){0,4})[ \t]{0,16}"""
           r"""(?P<sep>:=|=>|->|<-|===?|!==?|:-|\?\?|\?:|\|\||\?=|or(?=[ ]["'])|\{(?=[ ]?["'])|,[ ]with:"""
           r"""|[=:\uff1a\uff1d]|%3[ad](?:%22)?|,(?=[ \t]{0,4}[rbuf]?\\{0,3}["'`])"""
           r"""|\((?=[ \t]{0,4}[rbuf@$]?\\{0,3}["'`])|(?:>|&gt;)(?=[^\s<])|\|(?!\|)|[\u2013\u2014\u2192]"""
           r"""|(?:string|str|text|as string|n?(?:var)?char2?(?:\([0-9a-z]{1,5}\))?)[ \t]{0,4}:?=(?=[ \t]{0,4}["'`])"""
           r"""|(?<=[ \t])(?=[A-Za-z0-9+/_=~.-]{16}|["'][^\s"']{6,80}["']|\S{6,80}[ \t]{0,4}(?:\r?\n|\Z))"""
           r"""|\r?\n(?=[A-Za-z0-9+/_=~.-]{20,256}[ \t]{0,4}(?:\r?\n|\Z)))""")
_KEY_CHARS = ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-$"
              + "".join(map(chr, [*range(0xC0, 0x250), *range(0x410, 0x450)])))

# What may stand between `password:` and the quoted value: a type (`: str = "x"`), or a list or a wrapper (`= ["x"`, `= SecretStr("x"`).
_TYPE_NOTE = (r"""[ \t]{0,4}[&*]{0,2}(?:'static )?[A-Za-z_][\w.<>\[\]|?]{0,30}(?: \| [A-Za-z]{1,12})?[ \t]{0,4}=["""
              r""" \t]{0,4}(?=[rbuf@$]?["'`])""")
_WRAPPER = (r"""[ \t]{0,4}(?:[\[(]|(?:new )?(?:String|SecureString|SecretStr|Secret|str|bytes|Buffer\.from|sensitive)\()["""
            r""" \t]{0,4}(?=[rbu]?\\{0,3}["'])""")
_WORD_BEFORE = r"([A-Za-z]{2,12})[ ]\Z"
_SETTER = r"\A(?:.{0,60}[.])?(?:[Ss]et|[Ww]ith|[Uu]se|[Uu]sing|[Aa]dd|[Pp]ut)(?=[A-Z_])_?"  # of a call: `client.setPassword(`
_LINE_HEAD = (r"(?i)(?:[\w./-]{1,80}:[0-9]{1,6}:)?[ \t>+#*|$-]{0,24}(?:[0-9]{1,6}[\t\u2192:|][ \t]{0,24})?(?:(?:export|set|setx|env|arg"
              r"|local|define|enable|username \S{1,40}|declare(?: -x)?|const|let|var|val|static|final|public|private|-e|--env) +|- )?[\"'`]{0,1}")

_STEM_WORDS = tuple((stem.partition(" ")[0], stem) for stem in CREDENTIAL_STEMS)  # a word that is there when the stem is
_ASCII_STEM_WORDS = tuple(pair for pair in _STEM_WORDS if pair[1].isascii())


def ascii_lower(text: str) -> str:
    """Lower case with the same length, so that positions hold."""
    low = text.lower()
    return low if len(low) == len(text) else "".join([c.lower() if len(c.lower()) == 1 else c for c in text])


def find_credentials(text: str, start: int, end: int, words: set[str], spans: list) -> None:
    """Append every credential found by the company it keeps in `text[start:end]`, whose words are `words`."""
    low = "\n" + ascii_lower(text[start:end])  # with a line break in front, so that every line begins alike
    base = start - 1
    vocabulary = ascii_lower(" ".join(words)) if len(words) > 100 else low
    present = {stem for word, stem in (_ASCII_STEM_WORDS if low.isascii() else _STEM_WORDS) if word in vocabulary}
    seen: set[int] = set()
    run = [0, 0]  # the last long unquoted value: what looks like an assignment inside of it is none
    for stem in sorted(present):
        at = low.find(stem)
        while at >= 0:
            match = compiled(_KEY_ASSIGN).match(low, at + len(stem))
            if match and match.end() not in seen:
                seen.add(match.end())
                if not run[0] < base + match.end() < run[1] - 100:
                    _judge_assignment(text, start, end, base + at, base, match, spans, run)
            at = low.find(stem, at + len(stem))
    find_forms(text, low, vocabulary, present, start, end, spans)


def _judge_assignment(text: str, start: int, end: int, at: int, base: int, match: object, spans: list, run: list) -> None:
    """A key with a stem at `at` and a separator: find where the key begins and what the value is, and let the judge decide."""
    head = text[max(start, at - 64):at]
    first = at - len(head) + len(head.rstrip(_KEY_CHARS))
    key_end, after = base + match.end("tail"), base + match.end()
    key, sep, close = text[first:key_end].strip("-.$"), match["sep"], match["close"]
    if sep == "(":
        key = compiled(_SETTER).sub("", key)
    strength, kind = credential_key(key) if key_end - first <= 80 else (0, "")
    before = text[max(start, first - 3):first]
    if not strength or before == "://" or before[-2:] == "::":  # the user part of a URL has its own rule; a scope names a type
        return
    if before[-1:] == "@" and sep == "":  # `@SIG` of a snapshot, a decorator
        return
    if before[-1:] == ":" and compiled(r"arn:[\w:/-]{1,100}\Z").search(text, max(start, first - 104), first):
        return
    if strength == WEAK and before[-1:] == " " and (word := compiled(_WORD_BEFORE).search(text, max(start, first - 16), first)):
        strength, kind = credential_key(word[1] + "_" + key)  # `api key: ...`
    if not _separator_fits(text, start, first, after, end, key, sep, close, before, strength):
        return
    lead = text[after:after + 24].lstrip(" \t")[:1]
    note = None
    if sep == ":" and (lead.isalpha() or lead in "&*") and "=" in text[after:after + 60]:
        note = compiled(_TYPE_NOTE).match(text, after, end)
    if not note and lead in ("[", "(", "S", "s", "b", "B", "n"):
        note = compiled(_WRAPPER).match(text, after, end)
    after = note.end() if note else after
    value_first, value_last, quoted = value_at(text, after, end)
    if kind == "seed_phrase" and not quoted and (words := compiled(SEED_WORDS).match(text, value_first, end)):
        value_last = words.end()
    if not quoted and (before[-1:] in ("?", "&", "#") or sep[:1] == "%"):  # a query: it ends at the next sign that is not encoded
        fragment = "[&#]" if "://" in text[max(start, first - 300):first].rpartition(" ")[2] else "&"
        stop = compiled("%2[26Cc]|%7[Dd]" if sep[:1] == "%" else fragment).search(text, value_first, value_last)
        value_last = stop.start() if stop else value_last
    if not quoted and value_last - value_first > 100:
        run[:] = value_first, value_last
    if value_first == value_last or text[value_first] in "|>" and not quoted:
        head = _line_head(text, start, first)
        if sep not in (":", "\uff1a") or close.strip("\"'`*_"):
            return
        indent = len(head) - len(head.lstrip()) if compiled(_LINE_HEAD).fullmatch(head[-120:]) else 999
        value_first, value_last, quoted = _next_line_value(text, value_first, end, indent)
    value = text[value_first:value_last]
    if not quoted and value[:1] + value[-1:] in ("()", "[]", "{}", "<>") and kind == "password" and is_prose_password(value[1:-1]):
        value_first, value_last, value = value_first + 1, value_last - 1, value[1:-1]
    sure = key == key.upper() and sep in ("=", ":-") and base + match.start("sep") == key_end + len(close)
    if kind == "password" and not sure and sep in ("=", ":"):
        sure = sep == "=" and (text[first:first + 2] == "--" or key.count(".") >= 2 or is_option_of_pairs(text, start, first))
        if not sure and not quoted and value.isalpha():
            sure = "_" in key and key == key.upper()
            if not sure and has_account_beside(text, start, end, first, value_last, value):
                strength, sure = PASSWORD, True
    kind = _accept(value, key, strength, kind, sep, quoted, sure, before)
    if kind:
        spans.append((value_first, value_last, kind, KEYED))
        if text[after - 1:after] == "[" or text[value_first - 2:value_first - 1] == "[":
            _take_list(text, value_last, end, strength, kind, spans)


def _line_head(text: str, start: int, first: int) -> str:
    """What stands before `first` in its line."""
    low = max(start, first - 200)
    return text[max(text.rfind("\n", low, first), text.rfind("\r", low, first), low - 1) + 1:first]


def _separator_fits(text: str, start: int, first: int, after: int, end: int, key: str, sep: str, close: str, before: str, strength: int) -> bool:
    """Does the sign behind the key assign a value here, or is it a scope, an arrow, a call, a table?"""
    if sep == ">":
        return before[-1:] in ("<", ":") or before[-2:] == "</"
    if sep == "&gt;":
        return before == "lt;"
    if sep == "|":
        if text[after:after + 1] not in (" ", "\t", "`"):
            return False
        in_row = text[max(start, first - 16):first].strip(" \t*`_")[-1:] == "|"
        return in_row or is_random_secret(text[after:value_at(text, after, end)[1]].strip(" `"))
    if sep in ("\n", "\r\n"):  # a label alone in its line, and the value alone in the next
        return strength >= TOKEN and compiled(r"[ \t>*#-]{0,12}(?:\w{2,16} ){0,2}").fullmatch(_line_head(text, start, first)) and (
            is_random_secret(text[after:value_at(text, after, end)[1]], 20))
    if sep in ("", "\u2013", "\u2014", "\u2192"):
        value_first, value_last, _ = value_at(text, after, end)
        value = text[value_first:value_last]
        if is_random_secret(value):
            return True
        alone = sep != "" or compiled(_LINE_HEAD).fullmatch(_line_head(text, start, first)[-120:])  # a line of `requirepass VALUE`
        return bool(alone) and strength >= TOKEN and key.lower() != "pass" and is_prose_password(value) and not compiled(r"\w+=\w*").fullmatch(value)
    if sep in (":", "="):
        return text[after:after + 1] != ":" and not (text[after:after + 1] == "?" and text[first - 2:first] == "${")
    if sep == "->":
        return not text[after:after + 1].isalpha() or '"' in close
    if sep == "(":
        return not close and bool(compiled(r"(?i)(?:.{0,60}[._])?(?:set|with|use|using|add|put|basic|api|auth|db|secret|access)?[._]?").fullmatch(
            key[:-len(_last_word(key))] or "."))
    if sep == ",":
        return bool(compiled("[\"'`]").search(close))
    return True


def _last_word(key: str) -> str:
    return compiled(r"[A-Z]?[a-z]+\Z|[A-Z]+\Z|[^_.-]*\Z").search(key)[0]


# comparisons, arguments and defaults: only what can be no name is a secret there
_LOOSE_SEPARATORS = ("==", "===", "!=", "!==", "(", ",", "??", "?:", "||", "or", "{", ", with:")


def _accept(value: str, key: str, strength: int, kind: str, sep: str, quoted: bool, sure: bool, before: str) -> str:
    """The kind of the secret that `value` is, or empty. `sure` places, an env line or a flag, hold literals only."""
    if sep in _LOOSE_SEPARATORS:
        weak = strength == WEAK and not (key == key.upper() and is_random_secret(value))
        if not quoted or weak or len(value) < (6 if kind == "password" else 8) or not has_letter_and_more(value):
            return ""
        mixed = looks_random(value) or character_classes(value) >= 3 or compiled("[0-9]{2}").search(value)
        return kind if mixed and is_value(value, min(strength, SECRET), kind, True) else ""
    if kind == "session" and "=" in value[:64]:  # a header: its cookies are looked at one by one
        return ""
    if key.lower() == "pass" and not quoted and (value[:4].lower() == "test" or "/" in value or not is_prose_password(value)):
        return ""  # a verb, or what test runners print
    if key in ("PWD", "OLDPWD"):
        return kind if is_prose_password(value) else ""
    if strength == WEAK and sep == "=" and before[-1:] in ("?", "&") and compiled("[0-9a-fA-F-]{20,128}").fullmatch(value):
        return kind  # a key in a query is a credential even when it is hexadecimal
    if kind == "credential" and key.lower().endswith("auth") and is_basic_pair(value):
        return "basic_auth"
    return kind if is_value(value, strength, kind, quoted, sure) else ""


_NEXT_LINE = r"(?:[|>][+-]?)?[ \t]{0,16}(?:(?:\r\n|\n|\r)[ \t]{0,40}){1,2}(?=\S)"


def _next_line_value(text: str, first: int, end: int, indent: int) -> tuple[int, int, bool]:
    ("""`password:` and the value alone on one of the next lines, or as a YAML block; not indented, it must be mixed of all kinds"""
     """ of signs.""")
    step = compiled(_NEXT_LINE).match(text, first, end)
    if not step:
        return first, first, False
    value_first, value_last, quoted = value_at(text, step.end(), end)
    value, rest = text[value_first:value_last], text[value_last:value_last + 80].lstrip("\"'` \t")
    deeper = len(step[0]) - max(step[0].rfind("\n"), step[0].rfind("\r")) - 1 > indent
    if rest[:1] not in ("", "\n", "\r", "\x00", "#") or not is_prose_password(value):
        return first, first, False
    if not deeper and (character_classes(value) < 3 or is_wordy(value)):
        return first, first, False
    return value_first, value_last, quoted


def _take_list(text: str, at: int, end: int, strength: int, kind: str, spans: list) -> None:
    """The rest of `api_keys = ["...", "..."]`."""
    for _ in range(32):
        step = compiled(r"""["'`][ \t]{0,4},\s{0,40}(?=["'`])""").match(text, at, end)
        if not step:
            return
        first, at, quoted = value_at(text, step.end(), end)
        if is_value(text[first:at], strength, kind, quoted):
            spans.append((first, at, kind, KEYED))


def find_json_credential(key: str, value: str, start: int, spans: list) -> None:
    """A string of a JSON document with its key in view."""
    if len(key) > 80 or len(value) > 8192 or is_placeholder(value):
        return
    strength, kind = credential_key(key)
    if kind == "session" and "=" in value:
        take_cookies(value, 0, len(value), start, spans)
    elif kind == "credential" and is_basic_pair(value):
        spans.append((start, start + len(value), "basic_auth", KEYED))
    elif compiled("(?i)(?:bearer|basic|token|digest) ").match(value) or "://" in value:
        return
    elif strength and is_value(value, strength, kind, True):
        spans.append((start, start + len(value), kind, KEYED))
