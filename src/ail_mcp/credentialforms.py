"""Credentials that stand in no plain assignment: headers, cookies, command lines, configuration files, sentences.

A row is `literals, judge, pattern, ...`: each place of a literal (in lower case) is tried with the pattern, which begins there and
has a bounded reach. Its group `v` is the value. A text without the literals costs one search each.
"""
from __future__ import annotations

from .commandforms import POSITIONAL_CALLS, POSITIONAL_COMMANDS
from .credentialtables import (
    SECRET_ENTRIES,
    take_csv_credential,
    take_element_credential,
    take_insert_credential,
    take_kubernetes_credential,
    take_table_credential,
)
from .keyvalue import (
    PASSWORD,
    credential_key,
    has_letter_and_more,
    is_basic_pair,
    is_code,
    is_filler,
    is_prose_password,
    is_random_secret,
    is_value,
)
from .neighbours import has_account_option
from .secretgate import CREDENTIAL_STEMS
from .secretrules import KEYED
from .shapes import character_classes, compiled, is_placeholder, looks_random
from .values import trim_value, value_at


def find_forms(text: str, low: str, vocabulary: str, present: set[str], start: int, end: int, spans: list) -> None:
    """Append the credentials of all rows in `text[start:end]`. `low` is a line break and that piece in lower case; `vocabulary` has all
    of its words; `present` are the stems of credential words in it: a row's gate is one of them, a sign, or a word of its own."""
    base = start - 1
    present.update([gate for gate in _OWN_GATES if gate in vocabulary])
    for _, literal, judge, pattern, *rest in sorted(row for gate in present for row in _FORMS_BY_GATE.get(gate, ())):
        at = low.find(literal)
        while at >= 0:
            match = compiled(pattern).match(text, base + at, end)
            done = judge(text, start, end, match, spans, *rest) if match else 0  # a judge that has read further says how far
            at = low.find(literal, max(at + len(literal), (done or 0) - base))
    if "pass" in present:
        for word in compiled(_PASS_WORD).finditer(low):
            at = base + word.end()
            for judge, pattern, *rest in _PASS_FORMS_BY_SIGN.get(text[at:at + 1], ()):
                match = compiled(pattern).match(text, at, end)
                if match:
                    judge(text, start, end, match, spans, *rest)
    at = low.find(" -")
    while at >= 0:
        for judge, pattern, *rest in (*_OPTIONS.get(low[at + 2:at + 3], ()), *(_LONG_OPTIONS if low[at + 3:at + 4].isalpha() else ())):
            match = compiled(pattern).match(text, base + at, end)
            if match:
                judge(text, start, end, match, spans, *rest)
        at = low.find(" -", at + 2)
    for match in compiled(_PGPASS).finditer(text, start, end):
        _take_pgpass(text, start, end, match, spans)
    for match in compiled(_ENV_LINE).finditer(low):
        _take_keyed(text, end, text[base + match.start("k"):base + match.end("k")], base + match.end(), spans)


def _line_before(text: str, start: int, at: int, reach: int) -> str:
    low = max(start, at - reach)
    return text[max(text.rfind("\n", low, at), text.rfind("\r", low, at), low - 1) + 1:at]


def _take(text: str, start: int, end: int, match: object, spans: list, kind: str, test: object = None) -> None:
    """The match's `v` when it passes the test (default: it is no filler)."""
    first, last = match.span("v")
    last = trim_value(text, first, last)
    value = text[first:last]
    if len(value) >= 4 and not is_placeholder(value) and not is_filler(value) and (test is None or test(value)):
        spans.append((first, last, kind, KEYED))


def _take_after_command(text: str, start: int, end: int, match: object, spans: list, commands: str, test: object = None) -> None:
    """An option of one of `commands` earlier on the line."""
    if compiled(rf"(?<![\w-])(?:{commands})(?![\w])[^|;&\n]*\Z").search(_line_before(text, start, match.start() + 1, 320)):
        _take(text, start, end, match, spans, "password", test)


def _take_beside_user(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`-u bob -p VALUE` of any command, and the other way round; `mysql -p` has a database behind it."""
    line = _line_before(text, start, match.start(), 240)
    beside = compiled(r"[ ]--?(?:u|l|d|user(?:name)?|login)[ =][^\s-]\S{0,80}\Z").search(line.lower()) or compiled(
        r"[ ]-[ul][ ][^\s-]").match(text, match.end())
    if beside and not compiled(r"(?<![\w-])(?:mysql|mariadb|mkdir)").search(line):
        _take(text, start, end, match, spans, "password", _looks_typed_option)


def _take_list_option(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`["sshpass", "-p", "VALUE"]`, `["mysql", "-pVALUE"]`."""
    commands = r"(?<![\w-])(?:mysql\w{0,8}|mariadb|sshpass|docker|podman|mongo\w{0,8}|7z|zip)[\"']"
    if compiled(commands).search(_line_before(text, start, match.start(), 240)):
        _take(text, start, end, match, spans, "password", _looks_typed_option)


def _take_header(text: str, start: int, end: int, match: object, spans: list) -> None:
    scheme, value = (match["scheme"] or "").lower(), match["v"]
    left = text[max(start, match.start() - 2):match.start()]
    if left[-1:].isalpha() and left[-1:].isascii() and left not in ("\\n", "\\r", "\\t"):
        return
    if scheme == "basic":
        if is_basic_pair(value):
            spans.append((*match.span("v"), "basic_auth", KEYED))
    elif (len(value) >= (12 if scheme else 16) and any(map(str.isdigit, value)) and not is_filler(value)
          and (looks_random(value) or len(value) >= 20 and sum(map(str.isdigit, value)) >= 4)):
        spans.append((match.start("v"), trim_value(text, *match.span("v")), "bearer_token" if scheme == "bearer" else "token", KEYED))


_COOKIE = r"([\w.%!#$&*+^|~-]{1,80})=(\"?)([^;,\s\"']{8,4096})"
_COOKIE_NAME = (r"(?i)sess|sid\b|sid$|auth|token|jwt|csrf|xsrf|remember|login|identity|secret|_id$|^id$|access|refresh|asp\.net"
                r"|cf_clearance|user")


def _take_cookie_header(text: str, start: int, end: int, match: object, spans: list) -> int:
    take_cookies(text, match.start("v"), match.end("v"), 0, spans)
    return match.end("v")


def take_cookies(text: str, first: int, last: int, offset: int, spans: list) -> None:
    """The session cookies among `name=value; name=value` in `text[first:last]`; `offset` is added to their places."""
    for pair in compiled(_COOKIE).finditer(text, first, last):
        value = pair[3]
        random = len(value) >= 16 and any(map(str.isdigit, value)) or looks_random(value)
        if random and compiled(_COOKIE_NAME).search(pair[1]) and not is_filler(value):
            spans.append((offset + pair.start(3), offset + pair.end(3), "session", KEYED))


_NAME_BEFORE = (r"""(?i)(?:name|key|param(?:eter)?|variable|header)["'`]?[ \t]{0,4}[:=]["""
                r""" \t]{0,4}["'`]?(?P<k>[A-Za-z][\w.-]{0,60})["'`]?[ \t]{0,8}(?:[,;]|/?>)?\s{0,40}[>+|-]{0,4}["""
                r""" \t]{0,40}<?["'`]?(?:parameter|default)?\Z""")


def _take_named(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`name: API_KEY` and `value: ...` beside each other."""
    name = compiled(_NAME_BEFORE).search(text[max(start, match.start() - 160):match.start()].rpartition("\x00")[2])
    if name:
        _take_keyed(text, end, name["k"], match.end(), spans)


def _take_flag(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`--db-password VALUE`, `ENV API_KEY VALUE`: a key, blanks, a value."""
    key = match["k"]
    _take_keyed(text, end, key, match.end(), spans, key == key.upper() or has_account_option(_line_before(text, start, match.start(), 240)))


def _take_keyed(text: str, end: int, key: str, at: int, spans: list, sure: bool = False) -> None:
    strength, kind = credential_key(key)
    if strength:
        first, last, quoted = value_at(text, at, end)
        value = text[first:last]
        if value[:1] != "-" and not (kind == "session" and "=" in value) and is_value(value, strength, kind, quoted, sure or key == key.upper()):
            spans.append((first, last, kind, KEYED))


def _take_prose(text: str, start: int, end: int, match: object, spans: list, kind: str) -> None:
    """`the password for the box is hunter22`: no quotes and no `=`, so the value must look like a secret by itself."""
    if match[0][:1].isalpha() and match[0][:1].isascii() and text[match.start() - 1:match.start()].isalnum() and match.start() > start:
        return
    first, last, quoted = value_at(text, match.end(), min(end, match.end() + 240))
    value = text[first:last]
    if kind != "password":
        found = is_random_secret(value)
    else:
        found = is_prose_password(value) or quoted and not is_code(value or "(") and is_value(value, PASSWORD, kind, True)
    if found:
        spans.append((first, last, kind, KEYED))


_IS_PASSWORD = (r"(?:(?<=[\s`\"'(])|(?<![^\x00]))(?P<v>[^\s`\"'()<>]{8,100})[`\"']{0,1}[ ]{1,2}(?:is|as|was)[ ](?:the|my|our|your|his|her"
                r"|their|new|a)[ ](?:[a-z]{1,12}[ ]){0,2}pass(?:word|phrase|wd|code)\Z")
_LOGIN_WORD = (r"(?i)\b(?:log(?:in|[ ]in|on|ged)|sign[ ]?in|creds?|credentials|account|user(?:name)?|wi-?fi|wlan|ssid|zugangsdaten|identifiants"
               r"|usuario)\b[^\n]{0,40}?[ \t]`?[\w.@+-]{2,60}`?\Z")


def _take_before(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`Xk2#9fw is the admin password`."""
    head = text[max(start, match.start() - 150):match.start()]
    if " is " in head or " as " in head or " was " in head:
        found = compiled(_IS_PASSWORD).search(head)
        if found and _looks_typed_alone(found["v"]):
            at = match.start() - len(head)
            spans.append((at + found.start("v"), at + found.end("v"), "password", KEYED))


def _take_behind(text: str, start: int, end: int, match: object, spans: list, pattern: str) -> None:
    """What stands before the literal: `root:VALUE@tcp(db)`, `"VALUE" | ConvertTo-SecureString`."""
    low = max(start, match.start() - 200)
    found = compiled(pattern).search(text[low:match.start()])
    if found and not is_filler(found["v"]) and not is_placeholder(found["v"]):
        spans.append((low + found.start("v"), low + found.end("v"), "password", KEYED))


def _take_pair(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`log in with admin / Xk2#9fw`."""
    if compiled(_LOGIN_WORD).search(_line_before(text, start, match.start(), 120)):
        _take(text, start, end, match, spans, "password", _looks_typed)


_ECHO = (r"""(?:echo|printf|yes)[ \t]{1,4}(?:-n[ \t]{1,4})?(?P<q>["']?)(?:[\w.-]{1,40}:)?(?P<v>[^\s"'|$][^\s"'|]{4,100})(?P=q)[ \t]{0,4}\|?["""
         r"""^|]{0,80}\Z""")


def _take_piped(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`echo PASSWORD | sudo -S`, `echo PASSWORD | docker login --password-stdin`."""
    if not match[0].strip() and text[match.start() - 8:match.start()] not in ("chpasswd", "| passwd"):
        return
    line = _line_before(text, start, match.start(), 240)
    found = compiled(_ECHO).search(line)
    if found and not is_filler(found["v"]):
        at = match.start() - len(line)
        spans.append((at + found.start("v"), at + found.end("v"), "password", KEYED))


def _take_pgpass(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`host:port:database:user:password` (PostgreSQL's .pgpass)."""
    if compiled(r"[ \t>+]{0,8}[\w.*-]{1,120}").fullmatch(_line_before(text, start, match.start(), 130)):
        _take(text, start, end, match, spans, "password", has_letter_and_more)


def _take_netrc(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`machine HOST login NAME password VALUE`, on one line or several; `requirepass VALUE` of Redis."""
    before = r"(?i)(?:^|\s)(?:machine\s+\S{1,120}|default)\s+(?:(?:login|account)\s+\S{1,120}\s+){1,2}pass(?:word|wd)\Z"
    if compiled(before).search(text[max(start, match.start() - 300):match.start()]):
        _take(text, start, end, match, spans, "password")
    elif text[match.start() - 11:match.start()] == "requirepass":
        _take(text, start, end, match, spans, "password", has_letter_and_more)


def _take_openssl(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`-passin pass:VALUE`, and `pass:VALUE` without a blank."""
    known = compiled(r"-pass(?:in|out)?[ ]pass\Z").search(text[max(start, match.start() - 16):match.start()])
    _take(text, start, end, match, spans, "password", None if known else _looks_typed)


def _looks_braced(value: str) -> bool:
    """ODBC's `Pwd={...}`, and not the `{name!r}` of a format string."""
    return has_letter_and_more(value) and not compiled(r"[A-Za-z_][\w.]*(?:![rsa])?(?::[^}]*)?").fullmatch(value)


def _looks_typed_option(value: str) -> bool:
    return len(value) >= 6 and ":" not in value and is_prose_password(value)


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def _looks_typed(value: str) -> bool:
    typed = looks_random(value) or bool(compiled("[0-9]{2}|[^\\w/.:-]").search(value))
    return typed and "/" not in value and _looks_typed_alone(value)


def _looks_typed_alone(value: str) -> bool:
    return character_classes(value) >= 3 and is_prose_password(value) and not compiled(r"\w+=\w*").fullmatch(value)


def _looks_like_login(value: str) -> bool:
    return len(value) >= 6 and is_prose_password(value) and not compiled(r"[\w-]+(?:\.[\w-]+){0,4}\.[a-z]{2,4}(?::[0-9]+)?").fullmatch(value)


_SPACE_VALUE = r"""[ \t]{1,4}(?P<q>["']?)(?P<v>[^\s"'|;<>]{4,200})(?P=q)"""
_USER_VALUE = r"""[ =]{0,2}(?P<q>["']?)[^\s:'"$<{]{1,80}(?:[:,]|(?P=q)[:,](?P=q))(?P<v>[^\s'"$<{][^\s'"]{3,200})(?P=q)"""
_TUPLE = r"""[ \t]{0,4}[(\[]?[ \t]{0,4}["'][^"'\n]{1,80}["'][ \t]{0,4},[ \t]{0,4}(?P<q>["'])(?P<v>[^"'\n]{5,100})(?P=q)"""
_LIST_OPTION = r"""["']-p(?:["'],[ ]?["'])?(?P<v>[^"'\s]{4,100})["']"""
_HEADER = (r"""["'`\]\\]{0,6}[ \t]{0,8}(?:[:=,(]|=>)[ \t]{0,8}[rbuf]?["'`\\]{0,6}(?:(?P<scheme>bearer|basic|token|apikey|api-key|digest"""
           r"""|key|negotiate|bot|oauth|splunk|ntlm)[ \t:=]{1,4})?["'`\\]{0,2}(?P<v>[A-Za-z0-9+/=_.~:-]{8,4096})""")
_GLUED_VALUE = r"""(?P<q>["']?)(?P<v>[^\s"'|;<>-][^\s"'|;<>]{3,200})(?P=q)"""
_PROSE_VERB = r"(?:is now|is still|is|was|should be|will be|set to|to|ist|lautet|es|est|\u00e9|\u00e8|\u00e4r|is:)"
_PROSE_FOR = (r"(?:[ \t]+(?:for|of|to|on|f\u00fcr|vom?|zum|de|di|del|da|do|para|por|pour|voor|van|till|p\u00e5"
              r"|\u043e\u0442|\u0434\u043b\u044f|\u043a)[ \t]+[^\n.:=\x00]{1,40}?"
              r"|[ \t]+\([^()\n\x00]{1,40}\))")
_PROSE_IS = (rf"(?:{_PROSE_FOR}[ \t]{{0,4}}:(?=[ \t])|{_PROSE_FOR}?[ \t]{{0,4}}(?:'s\b|\b{_PROSE_VERB}\b|\u2014|\u2192|--?>|-)[ \t]{{0,4}}:?)"
             rf"[ \t]{{0,4}}")
_PROSE_GAP = r"[ ,][^\n.:=;\x00]{2,40}?[ ](?:is|was|to)[ ]{1,2}[`\"'(]{0,1}(?P<v>[^\s`\"'|<>()]{8,100})"
_CJK_PROSE = (r"(?:\ube44\ubc88|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638"
              r"|\uc554\ud638)(?:\uff08[^\uff08\uff09\n]{1,24}\uff09)?[ \t]{0,2}"
              r"(?:\u662f|\u4e3a|\u70ba|\u306f|\u3092|\u304c|\ub294|\uc740)?[ \t]{0,2}[:\uff1a]?[ \t]{0,2}")


def _prose(gate: str, *words: str) -> list:
    return [row for word in words for row in (
        (gate, word, _take_prose, "(?i)" + word + r"\w{0,3}" + _PROSE_IS, "password"),
        (gate, word + " ", _take, "(?i)" + word + r"[ ](?P<v>[^\s`*\"'|<>()]{8,100})", "password", _looks_typed_alone))]


# gate, literal, judge, pattern, arguments of the judge
_FORMS = [
    *((gate, literal, _take, pattern, kind, has_letter_and_more if kind == "password" else is_random_secret)
      for gate, literal, pattern, kind in POSITIONAL_COMMANDS),
    *((gate, literal, _take, pattern, kind, _looks_like_login if kind == "password" else is_random_secret)
      for gate, literal, pattern, kind in POSITIONAL_CALLS),
    ("@", "@tcp(", _take_behind, r"(?i)@tcp\(", r"[\w.-]{1,64}:(?P<v>[^\s:\"'`]{4,100})\Z"),
    ("", "securestring", _take_behind, r"(?i)securestring", r"""(?P<q>["'])(?P<v>[^"'\n]{4,100})(?P=q)[ ]{0,4}\|[ ]{0,4}[Cc]onvert[Tt]o-\Z"""),
    ("|", "| kinit", _take_piped, r"(?i)\|[ ]kinit"), ("|", "| cryptsetup", _take_piped, r"(?i)\|[ ]cryptsetup"),
    ("auth", "authorization", _take_header, "(?i)authorization" + _HEADER),
    ("auth", "x-auth-token", _take_header, "(?i)x-auth-token" + _HEADER),
    ("bearer", "bearer ", _take_header, r"(?i)(?P<scheme>bearer)[ \t]{1,4}(?P<v>[A-Za-z0-9+/=_.~-]{12,4096})"),
    ("", "basic", _take_header, r"(?i)(?P<scheme>basic)[ \t]{1,4}(?P<v>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9])"),
    ("cooki", "cookie", _take_cookie_header, r"""(?i)cookies?["'`]?[ \t]{0,4}(?:[:=,]|[ ])[ \t]{0,4}["'`]?(?P<v>[^\r\n\x00]{8,8192})"""),
    ("", "--", _take_flag,
     r"""(?<![\w-])--(?P<k>[A-Za-z][\w.-]{0,60})(?:[ \t]{1,8}(?=[^\s-])|["'],\s{0,20}(?=["'][^-])|["']?\r?\n[ \t]{0,20}-[ ](?=[^\s-]))"""),
    ('"', '"-p', _take_list_option, _LIST_OPTION), ("'", "'-p", _take_list_option, _LIST_OPTION),
    (".", ".tochararray(", _take_behind, r"(?i)\.tochararray\(", r"""["](?P<v>[^"\s]{4,100})["]\Z"""),
    ("", "identified", _take, r"""(?i)identified[ ](?:with[ ]\S{1,40}[ ])?by[ \t]{1,4}(?:password[ ])?(?P<q>["'])(?P<v>[^\s"']{4,200})(?P=q)""",
     "password", has_letter_and_more),
    ("|", "| sudo -s", _take_piped, r"(?i)\|[ ]sudo[ ]-S"),
    ("auth", "auth", _take, r"""(?i)auth\w{0,12}[ \t]{0,4}[=:(]{1,2}""" + _TUPLE, "password", _looks_like_login),
    ("(", "login(", _take, r"(?i)login\(" + _TUPLE, "password", _looks_like_login),
    ("cred", "credential", _take, r"(?i)credentials?[ \t]{0,4}[=:(]{1,2}" + _TUPLE, "password", _looks_like_login),
    ("", "value", _take_named, r"""(?i)value["'`]?[ \t]{0,4}(?:[:=]|>)"""),
    (":", "data:", take_kubernetes_credential, "(?i)" + SECRET_ENTRIES),
    ("+", "+--", take_table_credential, r"\+--"), ("+", "-+-", take_table_credential, r"-\+-"),
    ("|", "|--", take_table_credential, r"\|--"), ("|", "| --", take_table_credential, r"\| --"),
    ("|", "|:-", take_table_credential, r"\|:-"), ("|", "| :-", take_table_credential, r"\| :-"),
    ("/", " / ", _take_pair, r"[ \t][/|][ \t]{1,2}`?(?P<v>[^\s`\"'|<>()]{8,100})"),
    ("pwd", "pwd", _take, r"(?i)pwd[ ]?=[ ]?\{(?P<v>[^{}\r\n]{4,120})\}(?=;|\"|'|$)", "password", _looks_braced),
    ("<", "</", take_element_credential, "</"),
    ('"', 'variable "', _take_flag,
     r"""(?i)variable[ ]"(?P<k>[A-Za-z][\w.-]{0,60})"[ ]?\{[^{}\x00]{0,300}?default[ \t]{0,16}=[ \t]{0,4}"""),
    ("", "securestring", _take, r"""(?i)securestring[ ]{1,4}(?:-string[ ]{1,4})?(?P<q>["'])(?P<v>[^"'\n]{4,120})(?P=q)""", "password"),
    ("pass", "insert into", take_insert_credential,
     r"""(?i)insert[ ]into[ ]{1,4}[\w.`"\[\]]{1,80}[ ]{0,4}\("""
     r"""(?P<columns>[^()]{1,600})\)\s{0,20}values\s{0,20}\("""),
    ("pass", "set password", _take,
     r"""(?i)set[ ]password(?:[ ]for[ ][^=\n]{1,80})?[ ]?=[ ]?(?P<q>["'])(?P<v>[^"'\n]{4,120})(?P=q)""", "password"),
    ("cred", "cred", _take,
     r"""(?i)cred(?:ential)?s?[ ]?(?:are|is|:|=|-{1,2}>?|\u2192)?[ ]{0,2}[\w.@+-]{2,40}[:/](?P<v>[^\s`"'|<>()]{8,100})""", "password", _looks_typed),
    ("secret", "secret access key", _take,
     r"(?i)secret access key[\"'`:]{0,2}\s{0,8}(?P<v>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])", "aws_secret_key"),
    ("/", " /u:", _take, r"(?i)[ ]/u:[^\n|&]{0,100}?[ ]/p:(?P<q>[\"']?)(?P<v>[^\s\"']{4,80})(?P=q)", "password", has_letter_and_more),
    ("", "net u", _take,
     r"(?i)net[ ]use(?:r[ ][\w.$-]{1,60}|[^\n|&]{0,100}?[ ]/user:[^\s]{1,60}|[ ]\S{1,4}[ ]\\\\\S{1,80}(?=[ ]\S{1,80}[ ]/user:))[ ]"
     r"(?P<v>[^\s\"'/*]{4,80})", "password", has_letter_and_more),
    ("secret", "secret set ", _take_flag, r"(?i)secret[ ]set[ ](?P<k>[A-Za-z][\w.-]{0,60})[ ](?:--body|-b|--value)[ =]"),
    ("sig", "sig", _take, r"(?i)(?<=[?&-])sig(?:nature)?=(?P<v>[A-Za-z0-9%+/=_~-]{20,600})", "signature", _has_digit),
    *_prose("pwd", "pwd"), *_prose("pw", "pw"), *_prose("kennwort", "kennwort"), *_prose("contras", "contrase\u00f1a"),
    *_prose("senha", "senha"), *_prose("wachtwoord", "wachtwoord"), *_prose("parol", "parola"), *_prose("clav", "clave"),
    *_prose("has\u0142o", "has\u0142o"), *_prose("l\u00f6senord", "l\u00f6senord"), *_prose("\u043f\u0430\u0440\u043e\u043b",
        "\u043f\u0430\u0440\u043e\u043b\u044c"),
    *((word, word, _take_prose, _CJK_PROSE, "password") for word in ("\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4",
        "\u30d1\u30b9\u30ef\u30fc\u30c9", "\u6697\u8a3c\u756a\u53f7", "\ube44\ubc00\ubc88\ud638", "\uc554\ud638", "\ube44\ubc88")),
    *((word, word + " ", _take_prose,
       rf"(?i){word}(?:{_PROSE_FOR}[ \t]{{0,4}}:|[ ](?:is now|is|was|to|-|\u2014)[ \t]{{0,4}}:?)[ \t]{{1,4}}", "secret")
      for word in ("secret", "token", "key")),
]
# A row without a gate is gated by the first word of its literal.
_FORMS = [(gate or literal.split()[0], literal, *row) for gate, literal, *row in _FORMS]


def _by_gate(forms: list) -> dict[str, list]:
    """gate -> (number of the row, literal, judge, pattern, ...)."""
    rows: dict[str, list] = {}
    for number, (gate, *row) in enumerate(forms):
        rows.setdefault(gate, []).append((number, *row))
    return rows


_FORMS_BY_GATE = _by_gate(_FORMS)
_OWN_GATES = tuple(sorted(_FORMS_BY_GATE.keys() - set(CREDENTIAL_STEMS)))
# Behind a word of the `pass` family: the signs that may follow, judge, pattern, arguments
_PASS_WORD = "pass(?:(?:word|wd|phrase|code|wort)s?|(?<=de pass)e(?= )|(?<![a-z]pass)(?= is | was | for |[:,;\t]|\r?\n))"
_PASS_FORMS = (
    (" \t'-\u2014(\"`*", _take_prose, "(?i)[\"'`*]{0,3}" + _PROSE_IS, "password"),
    (" ,", _take, _PROSE_GAP, "password", _looks_typed_alone),
    (" ", _take, r"(?i)[ ]from[ ][`\"']{0,1}(?P<v>[^\s`\"'|<>()]{8,100})[`\"']{0,1}[ ]to[ ]", "password", _looks_typed_alone),
    (" ", _take, r"[ ]{1,2}(?:`|\*\*|[(\[])?(?P<v>[^\s`*\"'|<>()]{8,100})", "password", _looks_typed_alone),
    (" ", _take, r"""[ ]{1,2}(?P<q>["'])(?P<v>[^\s"']{4,200})(?P=q)""", "password", has_letter_and_more),
    (" \t\r\n", _take_netrc, r"\s{1,8}(?P<v>\S{4,200})"),
    (" =", _take, r"[ ]?=[ ]?\{(?P<v>[^{}\r\n]{4,120})\}(?=;|\"|'|$)", "password", _looks_braced),
    (":", _take_openssl, r":(?P<v>[^\s\"']{4,200})"),
    ("\"')]", _take, r"""["')\]]{1,4}\.(?:(?:type|fill|send_keys|sendKeys|setValue|set_value|val)\(|value[ ]?=[ ]?)["']"""
     r"""(?P<v>[^"'\n]{4,100})["']""", "password"),
    (":*", _take, r"""[:*]{1,2}["'][^\n]{0,20}\n[ \t]{0,20}(?:exp_)?send[ ](?:--[ ])?["'](?P<v>[^"'\\\n]{4,80})""", "password"),
    ("-", _take_piped, r"-stdin"),
    (" \r\n", _take_piped, r"(?:\s|\Z)"),
    (",;\t\r\n", take_csv_credential, r"(?:[,;\s]|\Z)"),
    (" \t\r\n.,;!?)", _take_before, ""),
)
_PASS_FORMS_BY_SIGN = {sign: [form for signs, *form in _PASS_FORMS if sign in signs] for sign in ["", *"".join(form[0] for form in _PASS_FORMS)]}
_PGPASS = r":(?:[0-9]{4,5}|\*):(?m:[\w.*-]{1,64}:[\w.*@-]{1,64}:(?P<v>[^\s:]{4,200})[ \t]*$)"
_ENV_LINE = r"\n[ \t>+]{0,8}(?:env|arg|setenv|set[ \t]+-[a-z]{1,3}|set)[ \t]{1,8}(?P<k>[a-z][\w.-]{0,60})[ \t]{1,8}(?=[^\s=-])"
_LONG_OPTION = r"[ ]-(?P<k>[A-Za-z][\w.-]{1,60})[ \t]{1,8}(?=[^\s-])"
# options of several letters
_LONG_OPTIONS = ((_take_flag, _LONG_OPTION), (_take_after_command, "[ ]-[A-Za-z]{1,6}[uU]" + _USER_VALUE, "curl|wget"))
_SNMP = "snmp[a-z]{2,10}"
# single-letter options: the letter, then judge, pattern, the commands that use it so
_OPTIONS = {
    "p": ((_take_beside_user, "[ ]-[pP]" + _SPACE_VALUE),
          (_take_after_command, r"[ ]-p" + _GLUED_VALUE, "mysql[a-z-]{0,12}|mariadb[a-z-]{0,12}|sshpass|7za?|unrar|rar"),
          (_take_after_command, r"[ ]-[pP]" + _SPACE_VALUE, r"sshpass|(?:docker|podman|nerdctl|buildah|az|oc|helm \w{1,12}|cf)[ ]login"
                                                            r"|rdesktop|mongo(?:sh|dump|restore|import|export)?|sqlcmd|bcp|(?:un)?zip",
           has_letter_and_more)),
    "x": ((_take_after_command, "[ ]-X" + _SPACE_VALUE, _SNMP, has_letter_and_more),),
    "a": ((_take_after_command, "[ ]-A" + _SPACE_VALUE, _SNMP, has_letter_and_more),
          (_take_after_command, "[ ]-a" + _SPACE_VALUE, "redis-cli"), (_take_after_command, "[ ]-a" + _USER_VALUE, "https?|xh")),
    "k": ((_take_after_command, "[ ]-k" + _SPACE_VALUE, "openssl", has_letter_and_more),),
    "w": ((_take_after_command, "[ ]-w" + _SPACE_VALUE, "ldap[a-z]{3,10}"),),
    "u": ((_take_after_command, r"""(?i)[ ]-U[ \t]{0,4}["']?[\w.\\/-]{1,64}%(?P<v>[^\s"']{4,100})""", "smb[a-z]{3,8}|rpcclient|net"),
          (_take_after_command, "[ ]-[uU]" + _USER_VALUE, "curl|wget|lftp")),
    "h": ((_take_after_command, r"[ ]-hp" + _GLUED_VALUE, "rar"),),
    "b": ((_take_cookie_header, r"""[ ]-b[ \t]{0,4}["'](?P<v>[^\r\n"']{8,4096})"""),),
    "-": ((_take, "[ ]--user(?:name)?" + _USER_VALUE, "password", _looks_like_login), (_take_after_command, "[ ]--pass" + _SPACE_VALUE, "redis-cli"),
          (_take_after_command, "[ ]--(?:user|auth|proxy-user)" + _USER_VALUE, "curl|wget|https?|xh")),
}
