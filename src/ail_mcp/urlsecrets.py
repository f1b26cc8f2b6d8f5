"""Secrets in the user part of a URL (RFC 3986, 3.2.1): passwords of connection strings, tokens of clone addresses."""
from __future__ import annotations

from .keyvalue import has_random_piece, is_filler, is_random_secret
from .secretrules import KEYED
from .shapes import compiled, is_placeholder
from .values import before_ideographs

_AUTHORITY = r"""[^\s/?#"'<>`\\\x00-\x1f]{3,400}"""
_LOOSE_AUTHORITY = r"[^\s/?#\"'<>`\\:@]{0,64}:(?![0-9]{1,5}[#?])[^\s/\"'<>`\\@]{3,100}@(?=[A-Za-z0-9\[])"
_USER_WORDS = ("user", "username", "usr", "name", "login", "u", "myuser", "foo")
_HOST_AFTER = r"[A-Za-z0-9\[$({<%_-]"


def find_url_secrets(text: str, start: int, end: int, spans: list, taken: set[int]) -> None:
    """`scheme://user:password@host`: the password, up to the last `@` (RFC 3986 3.2.1); also `token@host` and `token:x-oauth-basic@host`.

    The places of `@` in it are put into `taken`, since none of them is an e-mail's."""
    at = text.find("://", start, end)
    while at >= 0:
        first = at + 3
        authority = compiled(_AUTHORITY).match(text, first, before_ideographs(text, first, end))
        stop = authority.end() if authority else first
        sign = text.rfind("@", first, stop)
        if sign < 0 and text[stop:stop + 1] in ("#", "?"):  # not encoded, as people type it
            loose = compiled(_LOOSE_AUTHORITY).match(text, first, end)
            if loose:
                sign = loose.end() - 1
        if sign >= 0:
            taken.update(i for i in range(first, sign + 1) if text[i] == "@")
            colon = text.find(":", first, sign)
            user = text[first:colon if colon >= 0 else sign]
            password = text[colon + 1:sign] if colon >= 0 else ""
            default = user == password and compiled(r"(?i)localhost\b|127\.|\[::1\]").match(text, sign + 1)  # guest:guest@localhost
            if compiled(_HOST_AFTER).match(text, sign + 1) and not default:
                if password and _is_url_password(user, password):
                    spans.append((colon + 1, sign, "password", KEYED))
                elif (not password or password in ("x-oauth-basic", "x-token-auth")) and is_random_secret(user):
                    spans.append((first, first + len(user), "token", KEYED))
        at = text.find("://", max(first, stop), end)


def _is_url_password(user: str, password: str) -> bool:
    """No template and no `user:password`; a name that is its own password is one."""
    if is_placeholder(password):
        return False
    if compiled(r"[\[$({<%]|.*(?:\$\{|\{\{|[)}>]\Z)").match(password) and not has_random_piece(password):
        return False
    if user.lower() in _USER_WORDS and password.isalpha() and password.islower() and len(password) <= 6:
        return False
    return len(password) >= 2 and not is_filler(password)
