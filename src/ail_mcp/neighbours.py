"""The company a key keeps: beside a user or a host, even a plain word in lower case is a password.

    username: admin              host=db user=app password=sunshine
    password: sunshine           docker login --username bob --password sunshine

Without such a neighbour a bare word behind a key may be a type, a variable or the rest of a sentence.
"""
from __future__ import annotations

from .shapes import compiled

_ACCOUNT_WORD = (r"(?i)(?<![a-z])(?:user(?:[ _-]?(?:name|id))?|uid|usr|login|host(?:name)?|server|data[ ]source|catalog|db[ _-]?name"
                 r"|database|account|e-?mail)")
_ACCOUNT_PAIR = _ACCOUNT_WORD + r"""["'`*]{0,3}[ ]?[:=][ ]?(?P<v>[^\s,;&(){}\[\]]{1,80})"""
_ACCOUNT_LINE = _ACCOUNT_WORD + r"""["'`*]{0,3}[ \t]{0,16}[:=][ \t]{0,16}["'`]?(?P<v>[^\s,;&(){}\[\]"'`]{1,80})["'`]?[ \t\r]*\Z"""
_ACCOUNT_OPTION = r"(?i)\s--?(?:u|user(?:name)?|login|h|host(?:name)?|e?mail|account|server|db|database)[ =](?!and |or |is |to )[^\s-]"
_OPTION_OF_PAIRS = r"""(?:^|[\s"'])--?(?:set(?:-string|-literal)?|from-literal|build-arg|env|e|o|set-env-vars)[ =]["']?\Z"""
_LINE_MARKS = r"(?:[\w./-]{1,80}:[0-9]{1,6}:)?[ \t>+*|-]{0,40}(?:[0-9]{1,6}[\t\u2192:|\u2502][ \t]{0,40})?[ \t>+*|\"'`-]{0,40}"
_REACH = 160


def has_account_beside(text: str, start: int, end: int, first: int, last: int, value: str) -> bool:
    """Does the pair in `text[first:last]` stand in a row with the pair of a user, a host or a database: in its line, or in the line
    above or below where it has its line alone? Two pairs with one value are types or labels, and commas or brackets make it code."""
    if compiled("(?i)pass|secret|token|pwd|cred").search(value):
        return False
    low = max(start, first - _REACH)
    line_first = max(text.rfind("\n", low, first) + 1, low)
    line_last = text.find("\n", last, min(end, last + _REACH))
    line_last = line_last if line_last >= 0 else min(end, last + _REACH)
    before, after = text[line_first:first], text[last:line_last]
    for pair in compiled(_ACCOUNT_PAIR).finditer(before):
        if pair["v"] != value and not compiled(r"[,(){}\[\]]").search(before, pair.end()):
            return True
    pair = compiled("(?i)[ ;&|]{1,3}(?:[\\w.-]{0,40}[_.])?" + _ACCOUNT_PAIR[4:]).match(after)
    if pair and pair["v"] != value:
        return True
    if not compiled(_LINE_MARKS).fullmatch(before) or after.strip(" \t\r\"'`")[:1] not in ("", "#"):
        return False
    above = text[max(start, line_first - 1 - _REACH):max(start, line_first - 1)].rpartition("\n")[2]
    below = text[line_last + 1:min(end, line_last + 1 + _REACH)].partition("\n")[0]
    return any(line and line["v"] != value for line in map(compiled(_ACCOUNT_LINE).search, (above, below)))


def is_option_of_pairs(text: str, start: int, first: int) -> bool:
    """Is the key at `first` what a command-line option sets: `--set auth.password=`, `-e DB_PASSWORD=`?"""
    return bool(compiled(_OPTION_OF_PAIRS).search(text[max(start, first - 24):first]))


def has_account_option(line: str) -> bool:
    """Does a command line name a user or a host among its options?"""
    return bool(compiled(_ACCOUNT_OPTION).search(line))
