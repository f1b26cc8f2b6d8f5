"""Credentials in tables and trees: XML and HTML elements, Markdown and CSV columns, SQL inserts, Kubernetes secrets.

Here the name of a value stands above it or around it. Each judge is called at a place where a row of `credentialforms` matched; one
that reads on returns how far it has read.
"""
from __future__ import annotations

from .keyvalue import SECRET, TOKEN, credential_key, has_letter_and_more, is_filler, is_prose_password, is_value
from .secretrules import KEYED
from .shapes import compiled, decode_base64, is_placeholder

_NAMED_TAG = r"""(?i)\b(?:name|key|id)=["']([\w.-]{1,80})["']"""


def take_element_credential(text: str, start: int, end: int, match: object, spans: list) -> None:
    ("""`<Password type="plain">VALUE</Password>`, `<string name="api_key">VALUE</string>`, `<property"""
     """ name="password"><value>VALUE</value>`.""")
    last = match.start()
    close = text.rfind(">", max(start, last - 400), last)
    opened = text.rfind("<", max(start, close - 200), close) if close >= 0 else -1
    if opened < 0 or last - close < 5 or "\n" in text[close:last]:
        return
    tag = text[opened + 1:close]
    named = compiled(_NAMED_TAG).search(tag)
    name = tag.split()[0] if tag.strip() else ""
    if name.lower() == "value":
        named = compiled(_NAMED_TAG).search(text[max(start, opened - 120):opened].rpartition("<")[2])
    strength, kind = credential_key(named[1] if named else name.rpartition(":")[2])
    if not strength:  # <td>Password</td><td>VALUE</td>, <key>apiKey</key><string>VALUE</string>
        before = compiled(r">[ ]{0,2}([^<>]{2,40}?)[ :]{0,2}</[\w:-]{1,16}>\s{0,12}\Z").search(text[max(start, opened - 80):opened])
        strength, kind = credential_key(before[1].replace(" ", "_")) if before else (0, "")
    first = close + 1 + len(text[close + 1:last]) - len(text[close + 1:last].lstrip())
    value = text[first:last].rstrip()
    if strength and is_value(value, strength, kind, True) and (has_letter_and_more(value) or not value.istitle()):
        spans.append((first, first + len(value), kind, KEYED))


def take_csv_credential(text: str, start: int, end: int, match: object, spans: list) -> None:
    """`user,password` as the head of lines with commas, semicolons or tabs between their cells."""
    first = max(text.rfind("\n", max(start, match.start() - 300), match.start()), start - 1) + 1
    last = text.find("\n", match.start(), min(end, match.start() + 300))
    head = text[first:last] if last >= 0 else ""
    if not compiled(r'[ ]{0,8}"?[A-Za-z][\w -]{0,40}"?(?:[,;\t][ ]?"?[A-Za-z][\w -]{0,40}"?){1,30}\r?').fullmatch(head):
        return
    comma = max(",;\t", key=head.count)
    columns = [(index, *credential_key(cell.strip(' "\t\r'))) for index, cell in enumerate(head.split(comma))]
    for _ in range(200):
        row, last = last + 1, text.find("\n", last + 1, min(end, last + 1000))
        cells = text[row:last if last >= 0 else min(end, row + 1000)].split(comma)
        if len(cells) != len(columns) or cells[0] == head.split(comma)[0]:
            return
        at = row
        for (_, strength, kind), cell in zip(columns, cells):
            value = cell.strip(' "\r')
            if strength >= TOKEN and is_value(value, strength, kind, True):
                place = at + cell.index(value)
                spans.append((place, place + len(value), kind, KEYED))
            at += len(cell) + 1
        if last < 0:
            return


def take_insert_credential(text: str, start: int, end: int, match: object, spans: list) -> int:
    """`INSERT INTO users (name, password) VALUES ('bob', 'VALUE'), ...`."""
    columns = [credential_key(column.strip(" `\"[]\n")) for column in match["columns"].split(",")]
    at = match.end()
    if not any(strength >= TOKEN for strength, _ in columns):
        return at
    for _ in range(200):
        for strength, kind in columns:
            cell = compiled(r"""\s{0,20}(?:'((?:[^'\\\n]|\\.|''){0,400})'|[^,()'\n]{0,80})\s{0,20}[,)]""").match(text, at, end)
            if not cell:
                return at
            if strength >= TOKEN and cell[1] and is_value(cell[1], strength, kind, True):
                spans.append((*cell.span(1), kind, KEYED))
            at = cell.end()
        step = compiled(r"\s{0,20},\s{0,20}\(").match(text, at, end)
        if not step:
            return at
        at = step.end()
    return at


SECRET_ENTRIES = r"(?m)data:[ \t]*(?:\r?\n|\r)(?P<indent>[ ]{1,12})\w[^\n]{0,8192}(?:\n|\Z)(?:(?P=indent)[^\n]{0,8192}(?:\n|\Z)){0,200}"
_SECRET_ENTRY = r"""(?m)^[ ]{1,12}([\w.-]{1,120}):[ \t]+(["']?)(?P<v>[^\s"'{}|>&*!#-][^\s"']{3,8191})\2[ \t]*$"""


def take_kubernetes_credential(text: str, start: int, end: int, match: object, spans: list) -> None:
    """The entries right under `data:` (base64) and `stringData:` of a `kind: Secret`, in its YAML document."""
    at = match.start()
    if text[max(start, at - 40):at].rpartition("\n")[2].strip() not in ("", "string"):
        return
    low = max(text.rfind("\n---", max(start, at - 4096), at), text.rfind("\x00", max(start, at - 4096), at), start, at - 4096)
    high = min(end, match.end() + 2048)
    for edge in ("\n---", "\x00"):
        found = text.find(edge, match.end(), high)
        high = found if found >= 0 else high
    if "kind: Secret" not in text[low:high] and 'kind: "Secret"' not in text[low:high]:
        return
    indent, encoded = len(match["indent"]), text[max(start, at - 6):at].lower() != "string"
    for entry in compiled(_SECRET_ENTRY).finditer(text, match.start("indent"), match.end()):
        value = entry["v"]
        if len(entry[0]) - len(entry[0].lstrip()) != indent or is_placeholder(value) or is_filler(value):
            continue
        strength, kind = credential_key(entry[1])
        if len(value) % 4 == 0 and decode_base64(value) if encoded else is_value(value, strength or SECRET, kind, True):
            spans.append((*entry.span("v"), kind or "secret", KEYED))


def take_table_credential(text: str, start: int, end: int, match: object, spans: list) -> int:
    """Columns of a table of Markdown, MySQL or PostgreSQL whose head names a credential; `match` is in the line of dashes under the head."""
    first = max(text.rfind("\n", max(start, match.start() - 400), match.start()), start - 1) + 1
    last = text.find("\n", match.start(), min(end, match.start() + 400))
    if last < 0 or text[first:last].strip("|:+- \t\r>") or first <= start:
        return match.end()
    head = text[max(text.rfind("\n", max(start, first - 800), first - 1), start - 1, first - 800) + 1:first]
    columns = [(index, *credential_key(cell.strip(" `*_").replace(" ", "_"))) for index, cell in enumerate(head.split("|"))]
    columns = [column for column in columns if column[1]]
    while columns and last >= 0:
        row, last = last + 1, text.find("\n", last + 1, min(end, last + 2000))
        stop = last if last >= 0 else min(end, row + 2000)
        cells = text[row:stop].split("|")
        if len(cells) < 2:
            return row
        for index, strength, kind in columns:
            if index < len(cells):
                value = cells[index].strip(" `*\r")
                at = row + sum(map(len, cells[:index])) + index + len(cells[index]) - len(cells[index].lstrip(" `*"))
                if value and (is_prose_password(value) if kind == "password" else is_value(value, strength, kind, False)):
                    spans.append((at, at + len(value), kind, KEYED))
    return max(last, match.end())
