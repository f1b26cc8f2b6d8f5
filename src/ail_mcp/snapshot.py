"""The AILv1 grammar: one function for each production, from the document down to the identifier.

    ail_document = "!AILv1" , NEWLINE , { section } ;
    section      = mem_sec | ctx_sec | arch_sec | log_sec | sig_sec | next_sec ;
    mem_sec      = "@MEM" , { " " , pointer_id , "=" , identifier } , NEWLINE ;
    ctx_sec      = "@CTX" , " " , expr_chain , NEWLINE ;
    arch_sec     = "@ARCH" , " " , expr_chain , NEWLINE ;
    log_sec      = "@LOG" , " " , "!" , identifier , "(" , reason , ")" , " -> " , "^" , expr , NEWLINE ;
    sig_sec      = "@SIG" , " " , file_ref , "|" , [ "~" ] , fn_sig , "->" , type_id , [ "|mutates(" , mut_list , ")" ] , NEWLINE ;
    next_sec     = "@NEXT" , { " ?" , action_expr } , NEWLINE ;
    expr_chain   = expr , { ( "->" | "|" | ":=" ) , expr } ;
    pointer_id   = "$" , DIGIT , { DIGIT } ;
    identifier   = ( LETTER | DIGIT | "_" | "." | "/" | ":" | "-" )+ ;

Lines that start with `#` are comments. Reading is all that happens here: decoded content is data, never instructions.
"""
from __future__ import annotations

from .errors import SnapshotError

# This room is what every `unpack` compiles and runs, so it does without `re` and `collections`, whose import costs more than the work.

HEADER = "!AILv1"
MAX_INPUT = 32 * 2**20  # characters of a snapshot that is read
MAX_OUTPUT = 64 * 2**20  # characters after pointers are resolved: a small file must not grow into memory

# Who said what follows stands in a comment line of its own. Text from a session always stands behind a section tag,
# so nobody can write such a line from inside the session.
SPEAKERS = ("user", "user (while the agent worked)", "user (answer)", "user (preferences)", "user (interrupted)", "assistant", "calls",
            "attachment", "note", "summary (second-hand)")
SPEAKER_LINES = frozenset("# " + speaker for speaker in SPEAKERS)

DIGITS = "0123456789"
IDENTIFIER_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:-"
OPERATORS = ("->", ":=", "|")
_MUTATES = "|mutates("


class Section:
    """One line of a snapshot: its number (from 1), its tag (`@CTX`, ...; `#` for a comment), the text behind the tag, and the fields
    that the tag's production found in it (a dict, empty for comments)."""

    __slots__ = ("line", "tag", "text", "fields")

    def __init__(self, line: int, tag: str, text: str, fields: dict) -> None:
        self.line, self.tag, self.text, self.fields = line, tag, text, fields


class Snapshot:
    """A checked document: its text, and what each pointer (`$1`) stands for. Its sections are read from the text whenever they are asked
    for: to keep an object for each line would take fifty times the text."""

    __slots__ = ("text", "pointers")

    def __init__(self, text: str, pointers: dict[str, str]) -> None:
        self.text, self.pointers = text, pointers

    @property
    def sections(self) -> tuple[Section, ...]:
        return tuple(each_section(self.text))


# Lines ----------------------------------------------------------------------------------------------------------------------------

_BLOCK = 2**13  # characters; a block with an emoji takes four bytes for each


def plain_ends(text: str) -> str:
    """The text with every line end as LF. Ends are LF, CR LF and CR only: U+2028, U+0085 and form feeds are content."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def each_line(text: str) -> object:
    """The lines of a text without their ends, one after the other: a list of all costs up to sixty times the text."""
    text, start = plain_ends(text), 0
    while start >= 0:
        end = text.find("\n", start + _BLOCK)
        yield from text[start:end if end >= 0 else len(text)].split("\n")
        start = end + 1 if end >= 0 else -1


def line_blocks(lines: object) -> list[str]:
    """Lines, joined to texts of some 8 Ki characters, which cost no more than their characters. Raises SnapshotError for a line that
    holds a line break: it would read as two."""
    blocks: list[str] = []
    batch: list[str] = []
    room = _BLOCK
    for line in lines:
        batch.append(line)
        room -= len(line) + 1
        if room < 0:
            blocks.append(_block(batch))
            batch, room = [], _BLOCK
    return [*blocks, _block(batch)] if batch else blocks


def _block(lines: list[str]) -> str:
    block = "\n".join(lines)
    if block.count("\n") >= len(lines) or "\r" in block:
        raise SnapshotError(0, "a line break inside a line", "one line for each section")
    return block


# The grammar ----------------------------------------------------------------------------------------------------------------------


def parse(text: str) -> Snapshot:
    """ail_document: check a whole snapshot, line by line.

    Returns the sections with pointers still in place (`hydrate` resolves them). Raises SnapshotError with the number of the
    first bad line, the fault and what was expected there.
    """
    if len(text) > MAX_INPUT:
        raise SnapshotError(0, f"the snapshot has {len(text):,} characters", f"at most {MAX_INPUT:,}; split it")
    text = text.removeprefix("\ufeff")
    first = next(each_line(text))
    if first.rstrip() != HEADER:
        fault = "a code fence stands around the snapshot" if first.startswith("```") else "this is not an AILv1 snapshot"
        raise SnapshotError(1, fault, f"{HEADER} alone on the first line")
    pointers: dict[str, str] = {}
    for part in each_section(text):
        if part.tag == "@MEM":
            for pointer, value in part.fields["pointers"].items():
                if pointers.setdefault(pointer, value) != value:
                    raise SnapshotError(part.line, f"{pointer} is defined a second time with another value", "one value for each pointer")
    return Snapshot(text, pointers)


def each_section(text: str) -> object:
    """The sections and comments of a document, one after the other. Raises SnapshotError at the first line that is neither."""
    return (section(number, line) for number, line in enumerate(each_line(text), 1) if number > 1 and line.strip())


def section(number: int, line: str) -> Section:
    """section: one line that is not blank. `number` is for the error message."""
    if line.startswith("#"):
        return Section(number, "#", line[1:].removeprefix(" "), {})
    tag, _, text = line.partition(" ")
    production = _PRODUCTIONS.get(tag)
    if production is None:
        # A tag is repeated only where it cannot be a secret.
        name = tag if tag[1:].isalpha() and len(tag) < 12 else "this"
        fault = f"{name} is not a section" if tag.startswith("@") else "a line that is no section, no comment and not blank"
        raise SnapshotError(number, fault, "one of " + " ".join(_PRODUCTIONS) + " at the start of the line, or # for a comment")
    return Section(number, tag, text, production(number, text))


def mem_sec(number: int, text: str) -> dict:
    """mem_sec: `$1=name $2=other`, any number of definitions, one space between."""
    pointers: dict[str, str] = {}
    for definition in text.rstrip().split(" ") if text.strip() else ():
        name, equals, value = definition.partition("=")
        if not equals or not pointer_id(name):
            raise SnapshotError(number, "a definition that does not start with a pointer", "$N=name, such as $1=recipe_api, with one space between")
        if not identifier(value):
            raise SnapshotError(number, f"the value of {name} is not an identifier", "letters, digits and _ . / : - without spaces")
        if pointers.setdefault(name, value) != value:
            raise SnapshotError(number, f"{name} is defined a second time with another value", "one value for each pointer")
    return {"pointers": pointers}


def ctx_sec(number: int, text: str) -> dict:
    """ctx_sec: prose, talk, or a typed commitment (`constraint := no new dependencies`)."""
    _something(number, "@CTX", text)
    return {}


def arch_sec(number: int, text: str) -> dict:
    """arch_sec: structure and flow (`$1[FastAPI|Postgres] := upload->$2`)."""
    _something(number, "@ARCH", text)
    return {}


def log_sec(number: int, text: str) -> dict:
    """log_sec: a rejected approach, why, and what replaced it: `!approach(reason) -> ^replacement`."""
    form = "@LOG !approach(reason) -> ^replacement"
    head, arrow, replacement = text.rstrip().partition(") -> ^")
    if not head.startswith("!"):
        raise SnapshotError(number, "the rejected approach has no ! before it", form)
    approach, bracket, reason = head[1:].partition("(")
    if not identifier(approach):
        raise SnapshotError(number, "the rejected approach is not an identifier", form + ", the approach made of letters, digits and _ . / : -")
    if not bracket or not arrow:
        raise SnapshotError(number, "the reason in brackets or the replacement behind ' -> ^' is missing", form)
    if not reason.strip() or not replacement.strip():
        raise SnapshotError(number, "the reason or the replacement is empty", form)
    return {"approach": approach, "reason": reason, "replacement": replacement}


def sig_sec(number: int, text: str) -> dict:
    """sig_sec: one function, `file|~name(args)->type|mutates(a,b)`; brackets and strings may hold any separator."""
    form = "@SIG file|name(arguments)->type, with ~ before an async name and |mutates(a,b) at the end where it changes state"
    file, bar, rest = text.rstrip().partition("|")
    if not bar or not file.strip():
        raise SnapshotError(number, "the file slot is missing", form)
    is_async = rest.startswith("~")
    name, bracket, _ = rest[is_async:].partition("(")
    if not bracket or not name or any(c.isspace() for c in name) or any(operator in name for operator in OPERATORS):
        raise SnapshotError(number, "no function name with its arguments in brackets", form)
    start = is_async + len(name)
    close = _closing(rest, start)
    if close is None:
        raise SnapshotError(number, "the brackets of the arguments do not close", form)
    if rest[close + 1:close + 3] != "->":
        raise SnapshotError(number, "no -> right behind the arguments", form)
    returns, mutates = rest[close + 3:], ()
    slot = returns.rfind(_MUTATES)
    if slot >= 0 and returns.endswith(")"):
        mutates = tuple(returns[slot + len(_MUTATES):-1].split(","))
        returns = returns[:slot]
        if not all(item.strip() for item in mutates):
            raise SnapshotError(number, "an empty entry in mutates()", "|mutates(a,b), or no such slot")
    if not returns.strip() or _MUTATES in returns:
        raise SnapshotError(number, "the return type is missing or the mutates slot does not close", form)
    return {"file": file, "async": is_async, "name": name, "arguments": rest[start + 1:close], "returns": returns, "mutates": mutates}


def next_sec(number: int, text: str) -> dict:
    """next_sec: open tasks, each behind ` ?`."""
    text = text.rstrip()
    if not text:
        return {"tasks": ()}
    if not text.startswith("?"):
        raise SnapshotError(number, "a task without ? before it", "@NEXT ?task ?other task")
    tasks = tuple(task.rstrip() for task in text[1:].split(" ?"))
    if not all(tasks):
        raise SnapshotError(number, "an empty task", "words behind each ?")
    return {"tasks": tasks}


def expr_chain(text: str) -> list[str]:
    """expr_chain: the expressions of a `@CTX` or `@ARCH` text and the operators between them, in turn.

    An expression is any text, so a chain of one is normal: `upload->$2:originals` is `["upload", "->", "$2:originals"]`.
    """
    chain = [text]
    for operator in OPERATORS:
        split: list[str] = []
        for i, part in enumerate(chain):
            if i % 2:
                split.append(part)
            else:
                for piece in part.split(operator):
                    split += (piece, operator)
                split.pop()
        chain = split
    return [part.strip() for part in chain]


def pointer_id(text: str) -> bool:
    """pointer_id: a dollar sign and ASCII digits."""
    return text.startswith("$") and len(text) > 1 and not text[1:].strip(DIGITS)


def identifier(text: str) -> bool:
    """identifier: ASCII letters, digits and `_ . / : -`, at least one."""
    return bool(text) and not text.strip(IDENTIFIER_CHARACTERS)


_TAGS = ("@MEM ", "@CTX ", "@ARCH ", "@LOG ", "@SIG ", "@NEXT ")
_PRODUCTIONS = {"@MEM": mem_sec, "@CTX": ctx_sec, "@ARCH": arch_sec, "@LOG": log_sec, "@SIG": sig_sec, "@NEXT": next_sec}


def _something(number: int, tag: str, text: str) -> None:
    if not text.strip():
        raise SnapshotError(number, f"{tag} with nothing behind it", f"{tag}, one space, and text")


def _closing(text: str, start: int) -> int | None:
    """Where the bracket at `start` closes. Strings are skipped; where that finds no end, an apostrophe was no quote (Rust's `&'a str`)."""
    for quoted in (True, False):
        depth, quote, escaped = 0, "", False
        for i in range(start, len(text)):
            c = text[i]
            if quote:
                if escaped:
                    escaped = False
                elif c == "\\":
                    escaped = True
                elif c == quote:
                    quote = ""
            elif quoted and c in "'\"":
                quote = c
            elif c in "([{":
                depth += 1
            elif c in ")]}":
                depth -= 1
                if not depth:
                    return i
    return None


def hydrate(snapshot: Snapshot) -> list[str]:
    """Every line of the snapshot but `@MEM`, pointers resolved in one pass; an undefined `$N` stays, a value is never resolved again.

    Comments are facts about the snapshot and stay as they are. Raises SnapshotError when the result would be larger than MAX_OUTPUT,
    before it is built.
    """
    return [line for _, line in each_hydrated(snapshot)]


def each_hydrated(snapshot: Snapshot) -> object:
    """(number, line) of the lines that `hydrate` gives, one after the other."""
    size = 0
    for number, line in enumerate(each_line(snapshot.text), 1):
        if number == 1 or not line.strip():
            continue
        tag, _, text = line.partition(" ")
        if line.startswith("#"):
            yield number, "# " + line[1:].removeprefix(" ")
        elif tag != "@MEM":
            text, grown = _resolve(text, snapshot.pointers, MAX_OUTPUT - size)
            size += grown
            if size > MAX_OUTPUT:
                raise SnapshotError(number, f"the pointers unfold to more than {MAX_OUTPUT:,} characters", "a snapshot that unfolds to less")
            yield number, f"{tag} {text}" if text else tag


def _resolve(text: str, values: dict[str, str], room: int) -> tuple[str, int]:
    """A text with its pointers resolved, and its size then; where that is more than `room`, the text is not built."""
    pieces = text.split("$")
    if len(pieces) == 1 or not values:
        return text, len(text)
    size = len(pieces[0])
    for i in range(1, len(pieces)):
        piece = pieces[i]
        rest = piece.lstrip(DIGITS)
        value = values.get("$" + piece[:len(piece) - len(rest)])
        pieces[i] = "$" + piece if value is None else value + rest
        size += len(pieces[i])
        if size > room:
            return "", size
    return "".join(pieces), size


def unpack(text: str) -> str:
    """The text that a snapshot carries: `@CTX` lines without their tag, who said it where that is known, all else with its tag.

    `unpack(pack(text))` is every non-blank line of a prose text, in order. Where the snapshot says who spoke, a line of talk that looks like
    such a mark or like a section keeps its `@CTX`, so that nobody can pose as another, or as a task, in the result. Raises SnapshotError.
    """
    snapshot = parse(text)
    spoken = any("# " + line[1:].removeprefix(" ") in SPEAKER_LINES for line in each_line(snapshot.text) if line.startswith("#"))
    return "".join(block + "\n" for block in line_blocks(_each_carried(snapshot, spoken)))


def _each_carried(snapshot: Snapshot, spoken: bool) -> object:
    for _, line in each_hydrated(snapshot):
        if line.startswith("@CTX "):
            said = line[5:]
            yield line if spoken and (said in SPEAKER_LINES or said.startswith(_TAGS)) else said
        elif not line.startswith("#") or line in SPEAKER_LINES:
            yield line
