"""Where people and machines can be reached: e-mail, IPv4, IPv6; and, when asked for, cards, IBANs, phone and social numbers.

Every finder takes the text, a range, and a list to append `(start, end, kind, rank)` to. Each starts from one rare character (`@`,
a dot between digits, two colons) and looks a bounded way to both sides, so that time stays linear.
"""
from __future__ import annotations

from .secretrules import ADDRESS
from .shapes import compiled

_LOCAL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._%+-'" + "".join(map(chr, range(0xC0, 0x250)))
_DOMAIN = ("(?:[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f-]{0,61}[A-Za-z0-9\u00c0-\u024f])?\\.){1,8}(?:[A-Za-z]{2,24}"
           "|xn--[A-Za-z0-9-]{2,40})(?![A-Za-z0-9]|[_-][A-Za-z0-9])")
_FILE_DOMAIN = r"(?i)(?:[a-z0-9-]{1,63}\.){1,6}(?:com|org|net|edu|gov|io|de|uk|fr|es|it|nl|ch|at|ru|jp|cn|br|in|eu|us|ca|au)(?=\.[a-z])"
_NOT_TLD = frozenset(
    "png jpg jpeg gif svg webp avif ico bmp tiff mp3 mp4 mov webm pdf service socket timer target mount slice path js mjs cjs ts tsx"
    " jsx py pyc rb php java"
    " kt go rs cs cpp hpp css scss less html htm xml json yaml yml toml ini cfg conf lock log txt md rst csv tsv zip tar gz tgz bz2"
    " xz whl jar aar exe dll"
    " dylib plist desktop min map vue svelte swift proto sql sh bat ps1 jsonl ipynb ttf woff".split())
_SSH_WORD = r"(?:^|[\s;&|$(`])(?:ssh|scp|sftp|rsync|mosh|sshfs|autossh|ssh-copy-id)(?:[ \t]+-\S+(?:[ \t]+[^\s@-]\S*)?){0,4}[ \t]+\Z"


def find_emails(text: str, start: int, end: int, spans: list, taken: set[int]) -> None:
    """E-mail addresses, also percent-encoded. `taken` holds the places of `@` that belong to a URL's user part."""
    for sign in ("@", "%40"):
        if text.find(sign, start, end) >= 0:
            for match in compiled(sign + "(?=[A-Za-z0-9\u00c0-\u024f])").finditer(text, start, end):
                at, after = match.span()
                domain = compiled(_DOMAIN).match(text, after, min(end, after + 255))
                if domain and domain[0].lower().rsplit(".", 1)[1] in _NOT_TLD:  # the name of a file: jane@mail.example.com.py
                    domain = compiled(_FILE_DOMAIN).match(text, after, domain.end())
                if domain and at not in taken:
                    first = _email_start(text, max(start, at - 64), at)
                    if first < at and _is_email(text, first, at, domain):
                        spans.append((first, domain.end(), "email", ADDRESS))


def _email_start(text: str, low: int, at: int) -> int:
    """Where the name before `@` begins; an escape, a colour or a percent sign before it belongs to the text around."""
    head = text[low:at]
    first = low + len(head.rstrip(_LOCAL))
    sign = text[first - 1] if first else ""
    if sign == "\\" and text[first] in "nrtbf":
        first += 1
    elif sign in ("[", ";") and (colour := compiled("[0-9]{1,3}m").match(text, first, at)) and compiled(
        r"(?:\x1b|x1b|033|\\e|u001b)\[[0-9;]*\Z").search(text[max(0, first - 14):first]):
        first = colour.end()
    escape = compiled("%(?:20|2[1-9ACDEF]|3[A-F]|0A|0D)").match(text, first, at)
    if escape:
        first = escape.end()
    return first + len(text[first:at]) - len(text[first:at].lstrip("._'%-"))


def _is_email(text: str, first: int, at: int, domain: object) -> bool:
    host, after = domain[0].lower(), text[domain.end():domain.end() + 2]
    if host.rsplit(".", 1)[1] in _NOT_TLD or text[at - 1] in ".-" or after[:1] in ("(", "["):
        return False
    if host in ("openssh.com", "libssh.org", "ssh.com") and compiled(r"zlib|[\w.]+-.*").fullmatch(text, first, at):  # an algorithm
        return False
    left = text[max(0, first - 60):first]
    if left.endswith("://") or after[:1] == ":" and compiled(r"[A-Za-z~/._]").match(after[1:]):  # ssh://git@host, git@host:path
        return False
    by_ssh = "ssh" in left or "scp" in left or "sftp" in left or "rsync" in left or "mosh" in left
    return not (by_ssh and compiled(_SSH_WORD).search(left))


_IPV4_TAIL = r"\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}"  # from the first dot: a search for a dot is fast
_VERSION_WORDS = frozenset(
    "v ver version versions release releases released rel build builds firmware fw driver drivers section sections sec chapter clause"
    " appendix figure fig table oid assembly package pkg upgrade upgraded upgrading"
    " downgrade downgraded patch patched hotfix rev revision schema sdk edition dll kernel rfc tag tagged bump bumped pin pinned sp"
    " kb nuget runtime compiler installer jdk jre app os ios ipados android windows linux ssl step heading item rule article para"
    " paragraph example".split())
_LINKING_WORDS = frozenset("to from is was of at in no number file id info requires needs and or with".split())
_VERSION_AFTER = (r"(?i)[ \t]*(?:patch\b|release\b|build\b|firmware\b|\(?(?:file |product |assembly )?version\b|\.tar|\.zip|\.tgz|\.whl"
                  r"|\.jar|\.exe|\.rpm|\.deb|-(?:alpha|beta|rc|snapshot|preview|\w*ubuntu))")
_HOST_WORD = (r"(?i)\b(?:ips?|ipv4|host|hosts|server|servers|addr|address|addresses|inet|peer|client|node|gateway|dns|nameserver|route"
              r"|port|ping|ssh|subnet|cidr|proxy|bind|listen|remote|allow|deny|connect\w*|forwarded|box|machine|router)\b")


_NO_ADDRESS_BEFORE = r"(?:[0-9A-Za-z_]|[0-9A-Za-z.]\.|[=~^]=|[0-9A-Za-z]/|[A-Za-z]-|\+)\Z"


def find_ipv4(text: str, start: int, end: int, spans: list, loopback: bool = False) -> None:
    """IPv4 addresses of every range; versions, section numbers, OIDs, loopback, netmasks and 0.0.0.0 are left alone."""
    for match in compiled(_IPV4_TAIL).finditer(text, start, end):
        dot, last = match.span()
        head = text[max(start, dot - 3):dot]
        first = dot - len(head) + len(head.rstrip("0123456789"))
        after = text[last:last + 16]
        if (first == dot or after[:1].isalnum() and after[:1].isascii() or after[:1] == "_" or after[:1] == "." and after[1:2].isdigit()
                or text[first - 1:first].isdigit()):
            continue
        parts = text[first:last].split(".")
        if any(len(part) > 1 and part[0] == "0" or int(part) > 255 for part in parts) or not loopback and parts[0] in ("127", "0", "255"):
            continue
        before = text[max(0, first - 48):first]
        if compiled(_NO_ADDRESS_BEFORE).search(before[-2:]) and not _address_edge(before):
            continue
        if compiled(r"[0-9]?\.[0-9]{1,4}[ ,]\Z").search(before) and compiled("[ ,-]{1,2}[0-9]*\\.[0-9]").match(after):  # the path of a drawing
            continue
        line = before[max(before.rfind("\n"), before.rfind("\r")) + 1:]
        if _follows_version_word(line) or compiled(_VERSION_AFTER).match(after) or _is_version_line(line, parts, after):
            continue
        spans.append((first, last, "loopback" if parts[0] in ("127", "0", "255") else "ipv4", ADDRESS))


def _follows_version_word(line: str) -> bool:
    """`version: 1.2.3.4`, `packageVersion":"1.2.3.4`, `upgraded from 1.2.3.4 to 1.2.3.5`: the last word that says something."""
    words = compiled("[A-Z]?[a-z]+|[A-Z]+").findall(line)
    while words and words[-1].lower() in _LINKING_WORDS:
        words.pop()
    return bool(words) and words[-1].lower() in _VERSION_WORDS


def _is_version_line(line: str, parts: list[str], after: str) -> bool:
    ("""No version word right before the number, but it counts as versions do: `upgraded from A to B`, `4.8.1.0`, `>=1.2.3.4`,"""
     """ `redis:7.2.4.1`, `1.2.3.4 Scope`.""")
    if all(int(part) < 100 for part in parts) and int(parts[0]) < 32 and parts[0] != "10":
        if compiled(r"(?:[<>~^]=?|\u00a7)[ ]?\Z|[A-Za-z][\w.-]{0,40}:\Z").search(line) and not compiled(_HOST_WORD).search(line):
            return True
        if not line.strip(" #*") and compiled(r"[ ]{1,2}[A-Z][a-z]").match(after):
            return True
    about = (compiled(r"(?i)\b(?:upgrad|downgrad|version|release|updat)").search(line)
             or int(parts[0]) < 32 and parts[0] != "10" and compiled(r"(?i)\b(?:since|prior to|fixes|back to|up to|than|until)[ ]\Z").search(line)
             or parts[3] == "0" and int(parts[0]) < 32 and parts[0] != "10" and after[:1] != "/")
    return bool(about) and not compiled(_HOST_WORD).search(line)


def _address_edge(before: str) -> bool:
    """A letter before an address that is no word: an escape, a colour, `::ffff:`'s end, `http://`, `ip-`, a range's dash."""
    return bool(compiled(r"(?:\\[nrt]|[0-9\[]m|%[0-9A-F]{2}|\\u[0-9a-fA-F]{4}|//|(?i:\b(?:ip|host|inet|addr|to|net|udp|tcp|ssh|from"
                         r"|[a-z]*addr(?:ess)?)[-/=])|[?&][a-z_]{1,20}=)\Z").search(before)
                or compiled(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}/\Z").search(before))


_COLONS = ":[0-9A-Fa-f]{0,4}:"
_HEX_COLON = "0123456789abcdefABCDEF:"


def find_ipv6(text: str, start: int, end: int, spans: list) -> None:
    """IPv6 addresses, also with an IPv4 tail; times, MAC addresses, slices, C++ and Rust scopes, `::` and `::1` are left alone."""
    done = start
    for match in compiled(_COLONS).finditer(text, start, end):
        at = match.start()
        if at < done:
            continue
        low = max(done, at - 40)
        first = low + len(text[low:at].rstrip(_HEX_COLON))
        done = last = compiled("[0-9A-Fa-f:]{2,60}").match(text, at, end).end()
        tail = compiled(r"(?:\.[0-9]{1,3}){3}(?!\.?[0-9])").match(text, last, end)
        if tail:
            last = tail.end()
        else:
            if text[last:last + 1].isascii() and text[last:last + 1].isalnum():  # no group but the beginning of a word: `2001:db8::1:bob@acme.dev`
                last = text.rfind(":", first, last) + 1
            if text[last - 1] == ":" and text[last - 2] != ":":
                last -= 1
        if text[first] == ":" and text[first + 1:first + 2] != ":":  # `addr:2001:db8::1`
            first += 1
        left, right = text[max(0, first - 6):first], text[last:last + 1]
        if left[-1:] == "\\" and text[first] in "bf":
            first += 1
        elif left and (left[-1].isalnum() and left[-1].isascii() or left[-1] in "_.") and not compiled(
            r"(?:\\[nrt]|[0-9\[]m|%[0-9A-F]{2})\Z").search(left):
            continue
        if not (right.isascii() and right.isalnum() or right in ("_", "(")) and is_ipv6(text[first:last], left):
            spans.append((first, last, "ipv6", ADDRESS))


def is_ipv6(value: str, left: str = "") -> bool:
    """Is `value` an address worth hiding? It parses by RFC 4291, and has the look of an address rather than of code or a time."""
    body = value
    v4 = compiled(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}\Z").search(value)
    if v4:
        if any(int(part) > 255 for part in v4[0].split(".")):
            return False
        body = value[:v4.start()] + "0:0"
    if body.count("::") > 1 or ":::" in body:
        return False
    sides = body.split("::")
    groups = [group for side in sides for group in side.split(":") if side]
    if any(not 1 <= len(group) <= 4 for group in groups) or not (len(groups) == 8 if len(sides) == 1 else len(groups) <= 7):
        return False
    if v4:
        return bool(groups[:-2])
    if not any(c.isdigit() for c in value) or all(len(group) == 2 for group in groups) and len(sides) == 1:
        return False
    if len(sides) == 1:
        return len(set(groups)) > 1
    if len(groups) < 2:
        return False
    if len(groups) == 2 and all(group.isdigit() for group in groups) and (left.endswith("[") or len(groups[0]) < 4):
        return False
    return len(groups[0]) >= 3 and bool(sides[0]) or (value.startswith("64:ff9b") or len(groups) >= 5)


# ---- optional kinds, off by default

_CARD = (r"(?<![0-9A-Za-z._-])(?:[0-9]{4}[ -]){3}[0-9]{1,7}(?![0-9])|(?<![0-9A-Za-z._-])[0-9]{4}[ -][0-9]{6}[ -][0-9]{5}(?![0-9])"
         r"|(?<![0-9A-Za-z._-])[0-9]{13,19}(?![0-9A-Za-z])")
_IBAN = r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])"
_SSN = r"(?<![0-9-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9-])"
_PHONE = (r"(?<![0-9A-Za-z.+-])(?:\+[0-9]{1,3}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9]{1,4}(?:[ .-]?[0-9]{2,4}){2,4}|(?:\([2-9][0-9]{2}\) ?"
          r"|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4})(?![0-9])")
_HASH = r"\$(?:2[abxy]?|5|6|y|1|apr1|argon2(?:id?|d))\$[./A-Za-z0-9$=,+]{20,200}"
OPTIONAL_KINDS = ("card", "iban", "ssn", "phone", "loopback", "password_hash")


def _luhn_holds(digits: str) -> bool:
    doubled = [int(d) * 2 if i % 2 else int(d) for i, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def _iban_holds(value: str) -> bool:
    value = value.replace(" ", "")
    return 15 <= len(value) <= 34 and int("".join(str(int(c, 36)) for c in value[4:] + value[:4])) % 97 == 1


def find_optional(text: str, start: int, end: int, spans: list, kinds: frozenset) -> None:
    """The kinds of `OPTIONAL_KINDS` that were asked for (loopback belongs to `find_ipv4`)."""
    checks = {"card": (_CARD, lambda v: v[0] in "23456" and len(set(v)) > 2 and _luhn_holds(v.replace(" ", "").replace("-", ""))),
              "iban": (_IBAN, _iban_holds), "ssn": (_SSN, None), "phone": (_PHONE, None), "password_hash": (_HASH, None)}
    for kind in sorted(kinds & checks.keys()):
        pattern, judge = checks[kind]
        for match in compiled(pattern).finditer(text, start, end):
            if judge is None or judge(match[0]):
                spans.append((match.start(), match.end(), kind, ADDRESS))
