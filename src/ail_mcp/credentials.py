"""Where credentials stand: assignments in any syntax, and URLs.

A finder only says "here is a key and here is a value"; whether they are a credential is for `keyvalue` to say. Every pattern has a
bounded reach and a literal to begin with; a text without the literal costs one `in`.
"""
from __future__ import annotations

import functools
import re

from .credentialforms import find_forms
from .keyvalue import SECRET, WEAK, credential_key, has_letter_and_more, is_basic_pair, is_filler, is_prose_password, is_random_secret, is_value
from .secretrules import character_classes, looks_random
from .values import CJK_SIGNS, value_at

# Pieces of every credential word, in lower case. A key contains one of them; what else it is, the judge says.
_STEMS = tuple("pass pwd pw psw secret token key auth cred sig cookie session jwt bearer pat salt sas otp mnemonic phrase parole kennwort contrase senha wachtwoord parola haslo has\u0142o"
               " losenord l\u00f6senord heslo sifre \u015fifre salasana adgangskode kodeord jelszo jelsz\u00f3 geheimnis \u043f\u0430\u0440\u043e\u043b \u0441\u0435\u043a\u0440\u0435\u0442 \u0442\u043e\u043a\u0435\u043d"
               " \u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4 \u5bc6\u94a5 \u5bc6\u9470 \u79d8\u94a5 \u30d1\u30b9\u30ef\u30fc\u30c9 \u6697\u8a3c\u756a\u53f7 \u30c8\u30fc\u30af\u30f3 \u30b7\u30fc\u30af\u30ec\u30c3\u30c8 \ube44\ubc00\ubc88\ud638 \uc554\ud638 \ud1a0\ud070 \u4ee4\u724c".split())

_ASCII_STEMS = tuple(stem for stem in _STEMS if stem.isascii())

# Behind the stem: the rest of the key, what closes it (quotes, brackets, markdown), and what makes it an assignment.
_KEY_ASSIGN = (r"""(?P<tail>[a-z0-9_$.\-]{0,48})(?![a-z0-9_$\-])(?P<close>(?:\\{0,3}["'`]|[\])]|\*\*|__|&quot;|\x1b\[[0-9;]{0,8}m){0,4})[ \t]{0,16}"""
           r"""(?P<sep>:=|=>|->|===?|!==?|:-|\?\?|\|\||\?=|[=:\uff1a\uff1d]|,(?=[ \t]{0,4}[rbuf]?\\{0,3}["'`])|\((?=[ \t]{0,4}[rbuf@$]?\\{0,3}["'`])|>(?=[^\s<]))""")
_KEY_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-$\u00e7\u00f1\u015f\u0142\u00f6\u00f3"

_TYPE_NOTE = re.compile(r"""[ \t]{0,4}[&*]{0,2}(?:'static )?[A-Za-z_][\w.<>\[\]|?]{0,30}(?: \| [A-Za-z]{1,12})?[ \t]{0,4}=[ \t]{0,4}(?=[rbuf@$]?["'`])""")
_CALL_NOTE = re.compile(r"""[ \t]{0,4}(?:[A-Za-z_][\w.:]{0,40}\(|\[)[ \t]{0,4}(?=["'])""")
_LINE_HEAD = re.compile(r"(?i)(?:[\w./-]{1,80}:[0-9]{1,6}:)?[ \t>+#*|$-]{0,24}(?:[0-9]{1,6}[\t\u2192:|][ \t]{0,24})?(?:(?:export|set|setx|env|arg|local|declare(?: -x)?|const|let|var|val|static|final|public|private|-e|--env) +|- )?[\"'`]{0,1}")


def _key_start(text: str, at: int, low: int) -> int:
    """Where the identifier begins of which a stem was found at `at`."""
    head = text[max(low, at - 64):at]
    return at - len(head) + len(head.rstrip(_KEY_CHARS))


@functools.lru_cache(maxsize=None)
def _stem_pattern(stem: str) -> re.Pattern[str]:
    return re.compile(re.escape(stem) + _KEY_ASSIGN)


def ascii_lower(text: str) -> str:
    """Lower case with the same length, so that positions hold."""
    low = text.lower()
    return low if len(low) == len(text) else "".join([c.lower() if len(c.lower()) == 1 else c for c in text])


def find_credentials(text: str, start: int, end: int, spans: list) -> None:
    """Append every credential found by the company it keeps in `text[start:end]`."""
    low = "\n" + ascii_lower(text[start:end])  # with a line break in front, so that every line begins alike
    base = start - 1
    present = {stem for stem in (_ASCII_STEMS if low.isascii() else _STEMS) if stem in low}
    seen: set[int] = set()
    for stem in sorted(present):
        for match in _stem_pattern(stem).finditer(low):
            if match.end() not in seen:
                seen.add(match.end())
                _judge_assignment(text, start, end, base, match, spans)
    find_forms(text, low, present, start, end, spans)


def _judge_assignment(text: str, start: int, end: int, base: int, match: re.Match, spans: list) -> None:
    first = _key_start(text, base + match.start(), start)
    key_end = base + match.end("tail")
    sep, close = match["sep"], match["close"]
    key = text[first:key_end].strip("-.$")
    if key_end - first > 80:
        return
    strength, kind = credential_key(key)
    if not strength:
        return
    before = text[max(start, first - 2):first]
    after = base + match.end()
    if sep == ">":
        if not (before[-1:] == "<" or before[-2:] == "</" or before[-1:] == ":"):
            return
    if sep in (":", "=") and text[after:after + 1] == ":" or sep == "->" and text[after:after + 1].isalpha() and "\"" not in close:
        return
    if sep == "(" and (close or not re.fullmatch(r"(?i)(?:\.|(?:.*[._])?(?:set|with|use|using|add|put|basic)?[._]?)", key[:-len(_last_word(key))] or ".")):
        return
    if sep == "," and not re.search("[\"'`]", close):
        return
    if sep == ":" and (note := _TYPE_NOTE.match(text, after, end)):
        after = note.end()
    elif sep in "=:" and text[after:after + 40].lstrip()[:1] in "S[" and (note := _CALL_NOTE.match(text, after, end)) and strength != WEAK:
        if text[after:note.end()].strip() in ("[", "String(", "SecureString(", "SecretStr(", "Secret("):
            after = note.end()
    value_first, value_last, quoted = value_at(text, after, end)
    line_start = max(text.rfind("\n", start, first), text.rfind("\r", start, first), start - 1) + 1
    head = text[line_start:first]
    at_line = bool(_LINE_HEAD.fullmatch(head[-120:]))
    if value_first == value_last or value_first < value_last and text[value_first] in "|>" and not quoted:
        if sep in (":", "\uff1a") and at_line and not close.strip("\"'`*_"):
            value_first, value_last, quoted = _next_line_value(text, value_first, value_last, end, len(head) - len(head.lstrip()))
        if value_first >= value_last:
            return
    value = text[value_first:value_last]
    upper = key == key.upper() and sep in ("=", ":-") and match.end("tail") + len(close) == match.start("sep")
    comparison = sep in ("==", "===", "!=", "!==")
    flag = before.endswith("--") or text[first:first + 2] == "--"
    if comparison or sep == "(" or sep == "," or sep in ("??", "||"):
        if not quoted or strength == WEAK or not (has_letter_and_more(value) and is_value(value, min(strength, SECRET), kind, True)) or not (
                looks_random(value) or character_classes(value) >= 3 or re.search("[0-9]{2}", value)):
            return
    elif key == "PWD" or key == "OLDPWD":
        if not is_prose_password(value):
            return
    elif strength == WEAK and before[-1:] in ("?", "&") and sep == "=" and len(value) >= 20 and re.fullmatch("[0-9a-fA-F-]+", value):
        pass  # a key in a query is a credential even when it is hexadecimal
    elif kind == "credential" and is_basic_pair(value) and re.search(r"(?i)auth\Z", key):
        kind = "basic_auth"
    elif not is_value(value, strength, kind, quoted, upper or flag and sep == "="):
        return
    spans.append((value_first, value_last, kind, 1 if strength < SECRET else 2))


def _last_word(key: str) -> str:
    return re.search(r"[A-Z]?[a-z]+\Z|[A-Z]+\Z|[^_.-]*\Z", key)[0]


_NEXT_LINE = re.compile(r"(?:[|>][+-]?)?[ \t]{0,16}(?:\r\n|\n|\r)([ \t]{1,40})(?=\S)")


def _next_line_value(text: str, first: int, last: int, end: int, indent: int) -> tuple[int, int, bool]:
    """`password:` and the value alone on the next line, further to the right; also a YAML block scalar."""
    step = _NEXT_LINE.match(text, first, end)
    if not step or len(step[1]) <= indent:
        return first, first, False
    value_first, value_last, quoted = value_at(text, step.end(), end)
    rest = text[value_last:value_last + 80].lstrip("\"'` \t")
    if rest[:1] not in ("", "\n", "\r", "\x00", "#") or not is_prose_password(text[value_first:value_last]):
        return first, first, False
    return value_first, value_last, quoted


def find_json_credential(key: str, value: str, start: int, spans: list) -> None:
    """A string of a JSON document with its key in view."""
    if len(key) > 80 or len(value) > 8192:
        return
    strength, kind = credential_key(key)
    if not strength or value.startswith("-----BEGIN") or value.startswith("REDACTED_"):
        return
    if kind == "credential" and is_basic_pair(value):
        spans.append((start, start + len(value), "basic_auth", 2))
    elif "://" not in value and not re.match("(?i)(?:bearer|basic|token|digest) ", value) and is_value(value, strength, kind, True):
        spans.append((start, start + len(value), kind, 1 if strength < SECRET else 2))


# ---- URLs

_AUTHORITY = re.compile(r"[^\s/?#\"'<>`\\\x00-\x1f" + CJK_SIGNS + "]{3,400}")
_HOST_AFTER = re.compile(r"[A-Za-z0-9\[$({<%_-]")


def find_url_secrets(text: str, start: int, end: int, spans: list, taken: set[int]) -> None:
    """`scheme://user:password@host`: the password, up to the last `@` (RFC 3986 3.2.1); also `token@host` and `token:x-oauth-basic@host`.

    The places of `@` in it are put into `taken`, since none of them is an e-mail's."""
    at = text.find("://", start, end)
    while at >= 0:
        first = at + 3
        authority = _AUTHORITY.match(text, first, end)
        sign = text.rfind("@", first, authority.end()) if authority else -1
        if sign >= 0:
            taken.update(i for i in range(first, sign + 1) if text[i] == "@")
            colon = text.find(":", first, sign)
            user = text[first:colon if colon >= 0 else sign]
            password = text[colon + 1:sign] if colon >= 0 else ""
            if _HOST_AFTER.match(text, sign + 1):
                if password and _is_url_password(user, password, text[at - 12:at]):
                    spans.append((colon + 1, sign, "password", 2))
                elif (not password or password in ("x-oauth-basic", "x-token-auth")) and is_random_secret(user):
                    spans.append((first, first + len(user), "token", 2))
        at = text.find("://", max(first, authority.end() if authority else first), end)


def _is_url_password(user: str, password: str, scheme: str) -> bool:
    if re.match(r"[\[$({<%]|REDACTED_", password) or re.search(r"\$\{|\{\{|[)}>]\Z", password) or len(set(password)) <= 2 and len(password) > 2:
        return False
    words = ("user", "username", "usr", "name", "login", "u", "myuser", "foo")
    return len(password) >= 2 and not (is_filler(password) and (user.lower() in words or password.lower() != user.lower() or len(password) < 4)) and not (
        user.lower() in words and password.isalpha() and password.islower() and len(password) <= 6)
