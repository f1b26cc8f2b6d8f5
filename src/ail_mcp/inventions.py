"""What a summary says that its source does not: an order nobody gave, an approval nobody spoke, a value that was never there.

Each look at a passage gives flags with a confidence. A claim in other words is no invention, so nothing is flagged only because its words are
new: it must bind, report, or name something; else it is doubtful at most. What is shown is ranked by the fitted chance of an error (`doubt`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import namedtuple

from .beside import alike
from .claims import hedges, otherwise, turned
from .doubt import Wordings, chance_of, clauses, of_flags
from .matching import PartsOf, TextIndex, content, partners
from .passages import plain_words, tokens
from .unfinished import OpenThings, calls_open, done_by_now
from .wording import CUE_STEMS, CUES, LIGHT_STEMS, stem

Invention = namedtuple("Invention", "claim start end reason kind confidence")
Invention.__doc__ = """A flag: the claim, its span in the summary, the reason in words, the verdict it would be ("hallucinated", or what
became of something that the source has), and a confidence."""
FLAGS_AT_MOST = 10  # for one summary: more would not be read; as many again where the source surely says otherwise
SURE_FROM = 0.25  # chance of an error, for what is shown beyond that
DOUBTFUL_FROM = 0.05  # the same, for a clause that only its wording speaks against
PASSAGES_A_DOUBT = 15  # one in so many may be doubtful
TOLD_TWICE_FROM = 40  # passages; a shorter summary says everything once
LOOKED_UP_AT_MOST = 3_000  # passages that are compared with the source one by one
SPANS_AT_MOST = 300  # code spans that are looked for in all of the source

# What a product puts around its summary; nobody claims it of the session.
_FRAME = re.compile(
    r"This session is being continued from a|The summary below covers the earlier portion|If you need specific details from before compaction|"
    r"Please continue the conversation from where"
)
_PEOPLE = frozenset(("human", "steer", "answer", "preference", "command", "abort"))


class Sides:
    """What the looks need: the summary, the source, the words of people alone, and everything that ever stood in the source."""

    def __init__(self, index: TextIndex, source: TextIndex, people: PartsOf, values: object, knowledge: object) -> None:
        weights = knowledge.weights
        self.index, self.source, self.people, self.values, self.weights = index, source, people, values, weights
        self.knowledge = knowledge
        self.open_things = OpenThings(index, knowledge.commitments, weights)
        self.all_said = f" {' '.join(_words(source.text))} "
        self.spans = 0  # looked up so far
        self.said = f" {' '.join(_words(people.said))} "
        self.yes = bool(_YES.search(plain_words(people.said)))


def inventions(index: TextIndex, source: TextIndex, knowledge: object, values: object, turns: list, found: list = ()) -> tuple:
    """The claims without support, the likeliest errors first, `FLAGS_AT_MOST` and more if they are sure; and those that are only doubtful.
    `turns` holds (role, kind) of each part of the source, `found` flags that others raised."""
    people = PartsOf(source, [kind in _PEOPLE or role == "user" for role, kind in turns])
    sides = Sides(index, source, people, values, knowledge)
    shown: dict = {}
    doubtful: dict = {}
    for chance, flag in sorted(_doubted(sides, found), key=lambda each: (-each[0], each[1].start)):
        room = 2 * FLAGS_AT_MOST if chance >= SURE_FROM and flag.kind != "hallucinated" else FLAGS_AT_MOST
        claim = " ".join(flag.claim.split())
        if flag.reason != UNHEARD and len(shown) < room:
            shown.setdefault(claim, flag)
        elif claim not in shown and len(doubtful) < min(2 * FLAGS_AT_MOST, len(index.passages) / PASSAGES_A_DOUBT):
            doubtful.setdefault(claim, flag)
    return list(shown.values()), list(doubtful.values())


def _doubted(sides: Sides, found: list) -> list:
    """(chance of an error, flag) of each passage that something speaks against, if only its wording."""
    index, wordings = sides.index, Wordings(sides.index, sides.values.plain)
    starts = [passage.start for passage in index.passages]
    against: dict = {}
    for flag in found:
        against.setdefault(bisect_right(starts, flag.start) - 1, []).append(flag)
    told_twice = len(index.passages) >= TOLD_TWICE_FROM
    ranked = []
    for place, passage in enumerate(index.passages[:LOOKED_UP_AT_MOST]):
        text, code = index.words_at(place), passage.kind == "code"
        if _FRAME.search(text):
            continue
        flags = [flag for look in (_LOOKS_AT_CODE if code else _LOOKS_AT_TEXT) for flag in look(place, text, sides)] + against.get(place, [])
        told = of_flags(flags)
        chance, clause = max((chance_of({**wordings.features(each, place), **told}), each) for each in (not code and clauses(text)) or [text])
        if flags:
            ranked.append((chance, max(flags, key=lambda flag: flag.confidence)))
        elif chance >= DOUBTFUL_FROM and passage.kind == "text" and told_twice:
            ranked.append((chance, _flag(place, sides, clause.strip(), UNHEARD, _kind_of(clause, text), round(chance, 2))))
    return ranked


UNHEARD = "the summary says it here only, and not in the words of the source"
_OF_SAFETY = re.compile(
    r"\b(?:nolint|noqa|nosec|gosec|bandit|injection|insecure|security|unencrypted|plaintext|bypass\w*|sanitiz\w+|credentials?|privacy|"
    r"without (?:asking|review|approval|confirmation|permission|consent))\b"
)
_HOW_FAR = re.compile(
    r"\b(?:still|no longer|pending|outstanding|waiting|not yet|yet to|hasn't|haven't|already|done|finished|completed?|landed|shipped|merged|resolved|"
    r"(?:was|were|been|is|are|now) \w+ed|(?:added|updated|fixed|removed) (?:in|as|during|by|with))\b"
)


def _kind_of(clause: str, text: str) -> str:
    """What a clause of a passage would be that nothing but its wording speaks against: a new claim, or what became of an old one."""
    plain = plain_words(clause)
    if _OF_USER.search(plain):
        return "hallucinated"
    if _OF_SAFETY.search(plain_words(text)):
        return "safety_erasure"
    if hedges(plain) or CUES["vague"].search(plain):
        return "weakening"
    return "temporal_error" if _HOW_FAR.search(plain) else "hallucinated"


def _flag(place: int, sides: Sides, claim: str, reason: str, kind: str, confidence: float) -> Invention:
    passage = sides.index.passages[place]
    return Invention(claim, passage.start, passage.end, reason, kind, confidence)


# ---- the looks


def _strange_value(place: int, text: str, sides: Sides) -> list:
    """A number, path, hash or name that never stood in the source."""
    flags = []
    for token in sides.index.tokens_at(place):
        if (
            token.kind in ("number", "name") and not sides.values.holds(token) and f"<{token.text}>" not in text
        ):  # a placeholder names nothing
            near = sides.values.near(token, alike)
            precise = token.kind == "number" or any(map(str.isdigit, token.key)) or "/" in token.key or "_" in token.key
            confidence = 0.95 if near and precise else 0.85 if precise else 0.6
            reason = f"`{token.text}` is not in the source" + (f"; `{near}` is" if near else "")
            flags.append(_flag(place, sides, text, reason, "mutation" if near else "hallucinated", confidence))
        elif (
            token.kind == "word"
            and len(token.text) > 3
            and token.text.isupper()
            and not text.isupper()
            and token.text.casefold() not in sides.values.names
        ):
            flags.append(_flag(place, sides, text, f"`{token.text}` is not in the source", "hallucinated", 0.75))
    return flags


_IN_QUOTES = re.compile(r"[\"“]([^\"“”\n]{8,600})[\"”]")
_OF_USER = re.compile(r"\b(?:user|users|human|message|messages|said|asked|replied|feedback)\b")


def _words(text: str) -> list:
    return re.findall(r"[^\W_]+", text.casefold().replace("’", "").replace("'", ""))


def _false_quote(place: int, text: str, sides: Sides) -> list:
    """Words in quotation marks under the user's name that no person said."""
    about = plain_words(" ".join([text, *(sides.index.words_at(near) for near in sides.index.heads_of(place))]))
    if not _OF_USER.search(about):
        return []
    flags = []
    for match in _IN_QUOTES.finditer(text):
        words = _words(match[1])
        if len(words) < 3 or "[" in match[1] or f" {' '.join(words)} " in sides.said:
            continue
        grams = [" ".join(words[i : i + 3]) for i in range(len(words) - 2)]
        share = sum(f" {gram} " in sides.said for gram in grams) / len(grams)
        strange = max((len(run) for run in _runs([f" {gram} " in sides.said for gram in grams])), default=0)
        if 0.34 <= share < 0.9 and strange >= 4:
            flags.append(_flag(place, sides, match[0], "not in these words: nobody said a part of it", "hallucinated", 0.7))
        if share < 0.34 and f"{' '.join(words)}" not in sides.all_said:
            flags.append(_flag(place, sides, match[0], "nobody said this", "hallucinated", round(0.93 - 0.3 * share, 2)))
    return flags


def _runs(held: list) -> list:
    """The runs of False in a list."""
    runs, run = [], []
    for each in [*held, True]:
        if each:
            runs.append(run)
            run = []
        else:
            run.append(each)
    return runs


_YES = re.compile(
    r"\b(?:yes|yep|yeah|ok|okay|approved?|approve|go ahead|lgtm|looks good|do it|agreed?|sure|perfect|sounds good|proceed|ship it|fine|"
    r"please do|confirmed?|merge it)\b"
)
_ACT = (
    r"(?:approv\w+|confirm\w+|agree\w*|sign(?:ed|s)? off|authori[sz]ed|accept\w*|request\w*|ask\w*|want\w*|suggest\w*|propos\w*|prefer\w*|"
    r"decid\w*|chose|insist\w*|instruct\w*|told|demand\w*|"
    r"reject\w*|declin\w*|specif\w+|clarif\w+|emphasi[sz]\w+|mention\w*|direct(?:ed|s)|stress\w*|point\w* out|not(?:ed|es)|granted|allow\w*|"
    r"permi\w+|cho\w+)"
)
_BY_USER = re.compile(
    rf"\b(?:the |per |from )?(?:user|users|client|customer|owner)(?:'s)?(?: \w+){{0,2}}? ({_ACT})\b|\b({_ACT})(?: \w+)? by the (?:user|"
    rf"client|customer|owner)\b"
)
_APPROVALS = re.compile(r"approv|confirm|agree|sign|authori|accept|grant|allow|permi")


def _false_attribution(place: int, text: str, sides: Sides) -> list:
    """Something that a person is said to have asked, approved or proposed, and did not."""
    plain = plain_words(text)
    act = _BY_USER.search(plain)
    if not act:
        return []
    verb = act[1] or act[2]
    approval = bool(_APPROVALS.match(verb))
    if approval and not sides.yes:
        return [_flag(place, sides, text, f"no person {verb} anything", "hallucinated", 0.9)]
    words = [
        token
        for token in content(sides.index.tokens_at(place))
        if token.text.casefold() not in ("user", verb) and plain_words(token.text) not in act[0]
    ]
    behind = [token for token in content(tokens(plain[act.end() :])) if token.key not in LIGHT_STEMS]
    if len(words) < 3:
        return []
    held = _support(words, sides.people, sides)
    if held < 0.3 and not _IN_QUOTES.search(text):
        sure = 0.5 + 0.6 * (0.3 - held) + 0.4 * max(0.0, _support(words, sides.source, sides) - held)
        reason = f"no person said so (the closest words hold {held:.0%} of it)"
        return [_flag(place, sides, text, reason, "hallucinated", round(min(0.88, sure), 2))]
    if _ASSERTED.match(verb) and len(behind) > 1 and "?" not in text:
        near = max(partners(behind, sides.people, sides.weights, 4), key=lambda match: match.own, default=None)
        if near and sides.people.text[near.start : near.end].rstrip(" \"'*)").endswith("?"):
            return [_flag(place, sides, text, "a person asked about it, and said no such thing", "hallucinated", 0.74)]
    return []


_ASSERTED = re.compile(r"point|note|said|suggest|propos|confirm|clarif|decid|insist|emphasi|mention|specif|agree|stress")


def _support(words: list, index: TextIndex, sides: Sides) -> float:
    """The largest share of the words that one passage holds, with the sentences around it."""
    return max((match.own for match in partners(words, index, sides.weights, 4)), default=0.0)


_CLAUSE_BREAK = re.compile(r"[;:,]\s|\s[—–-]\s|\s\(|\)|\s(?=and were |and was |but )")
_REPORT = re.compile(
    r"\b(?:filed|opened|created|merged|deployed|published|released|announced|emailed|posted|scheduled|approved|promised|agreed|signed|paid|"
    r"hired|migrated|squash\w*|must|never|always|should|"
    r"to be|needs? to|has to|have to|required?|mandatory|deadline|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|end of)|only|"
    r"no longer|do not|don't|please|before|until|"
    r"passed|passes|pass|succeeded|verified|completed?|will)\b"
)


def _new_clause(place: int, text: str, sides: Sides) -> list:
    """A clause that binds or reports, made of words that the source does not have."""
    flags = []
    for clause in _CLAUSE_BREAK.split(text):
        plain = plain_words(clause)
        report = _REPORT.search(plain)
        if not report:
            continue
        words = [
            token for token in content(tokens(clause)) if token.kind == "word" and token.key not in LIGHT_STEMS and token.key not in CUE_STEMS
        ]
        if len(words) < 2:
            continue
        new = [token for token in words if not sides.values.knows(token.key)]
        held, share = _support(words, sides.source, sides), len(new) / len(words)
        if not new and held < 0.4 and _ACTS.search(plain) and len(words) <= 8:
            reason = f"the source does not say so (its closest words hold {held:.0%} of it)"
            sure = 0.5 + 0.2 * (0.4 - held)
        elif held < 0.6 and share >= 0.2:
            reason = f"the source never speaks of `{new[0].text}`"
            sure = min(0.8, (0.45 if _ACTS.search(plain) else 0.35) + 0.35 * share + 0.2 * (0.6 - held))
        else:
            continue
        flags.append(_flag(place, sides, clause.strip(), reason, _kind_of(clause, text), round(sure, 2)))
    return flags


_ACTS = re.compile(
    r"\b(?:filed|opened|deployed|published|released|announced|emailed|scheduled|approved|promised|signed|paid|hired|migrated|to be|must|"
    r"never|please|required?|deadline)\b"
)
_ALL_PASS = re.compile(
    r"\b(?:all|every) (?:the )?(?:\d+ )?(?:unit |integration )?(?:tests?|checks?)\b.{0,30}?\b(?:pass|green|succeed)|"
    r"\ball \d+ (?:\w+ )?(?:pass|tests? pass)|\b(?:build|suite|ci) is green|\b(?:whole|full) suite\b.{0,20}\b(?:pass|green)"
)
_ASKED = re.compile(r"\b(?:must|should|need|verify|ensure|until|make sure|re-?run|fail|not)")
_SOME_OF = re.compile(r"\b(\w+) of (?:the )?(\w+)\b")
_NUMBER_WORDS = {word: n for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}


def _false_result(place: int, text: str, sides: Sides) -> list:
    """All tests pass, where the last run that the source shows had failures; a part of a number that the source never split so."""
    plain = plain_words(text)
    flags = []
    if _ALL_PASS.search(plain) and sides.values.last_outcome[0] and not _ASKED.search(plain):
        flags.append(
            _flag(place, sides, text, f"the last result in the source is `{sides.values.last_outcome[1].strip()}`", "hallucinated", 0.8)
        )
    for match in _SOME_OF.finditer(plain):
        few, many = (_NUMBER_WORDS.get(word, int(word) if word.isdigit() and len(word) < 7 else None) for word in match.groups())
        if (
            few is not None
            and many is not None
            and few <= many
            and match[0] not in sides.values.plain
            and f"{few}/{many}" not in sides.values.plain
            and f"{few} of {many}" not in sides.values.plain
        ):
            flags.append(_flag(place, sides, text, f"the source does not say `{match[0]}`", "mutation", 0.85))
    for digits, noun in _COUNTED.findall(plain):
        other = sides.values.other_count(_COUNT_WORDS.get(digits, digits), stem(noun))
        if other:
            flags.append(_flag(place, sides, text, f"`{digits} {noun}`: the source has {other}", "mutation", 0.55))
    return flags


_COUNTED = re.compile(r"(?<![\w.#])(\d{1,6}|two|three|four|five|six|seven|eight|nine|ten) (?:[a-z]{3,20} )?([a-z]{3,20}s)\b")
_COUNT_WORDS = {word: str(n) for word, n in _NUMBER_WORDS.items()}
_LEFT_OUT = re.compile(r"(?<![\w/])\.\.\.|…")  # `./...` is a path
_SPAN_OF_CODE = re.compile(r"`([^`\n]{1,300})`")


def _false_command(place: int, text: str, sides: Sides) -> list:
    """A command or expression in code marks that does not stand in the source as it is."""
    flags = []
    for match in _SPAN_OF_CODE.finditer(text):
        span = " ".join(match[1].split())
        sides.spans += 1
        if (
            len(span) < 6
            or not (" " in span or "<" in span)
            or _LEFT_OUT.search(span)
            or sides.spans > SPANS_AT_MOST
            or _stands(span, sides.values.text)
        ):
            continue
        known = sides.values.like_line(span, within=True) or _support(content(tokens(span)), sides.source, sides) > 0.5
        kind = "safety_erasure" if _OF_SAFETY.search(plain_words(span)) else "mutation" if known else "hallucinated"
        sure = 0.62 if "&&" in span or " --" in span else 0.5
        flags.append(_flag(place, sides, match[0], "the source does not have it in these words", kind, sure))
    return flags


def _stands(span: str, text: str) -> bool:
    """Whether a span stands in a text, and not as a part of longer words."""
    at = text.find(span)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(span) : at + len(span) + 1]
        if not (before.isalnum() and span[0].isalnum()) and not (
            span[-1].isalnum()
            and (after.isalnum() or after in (":", "-", "_", "/") and text[at + len(span) + 1 : at + len(span) + 2].isalnum())
        ):
            return True
        at = text.find(span, at + 1)
    return False


def _false_code(place: int, text: str, sides: Sides) -> list:
    """A line of code that the source does not have."""
    if _LEFT_OUT.search(text) or len(text) < 12:
        return []
    words = content(sides.index.tokens_at(place))
    if len(words) < 3:
        return []
    mark = _COMMENT.match(text)
    bare = text[mark.end() :] if mark else text
    if sides.values.holds_line(text) or sides.values.holds_line(bare):
        old = sides.values.replaced(text) and not _OF_OLD.search(
            plain_words(" ".join(map(sides.index.words_at, sides.index.heads_of(place))))
        )
        return [_flag(place, sides, text, "this line was replaced later in the source", "temporal_error", 0.75)] if old else []
    if " ".join(bare.split()) in sides.values.text:
        return []
    like = sides.values.like_line(text)
    if not like:
        return [_flag(place, sides, text, "this line is not in the source", "mutation", 0.4)]
    return [
        _flag(
            place,
            sides,
            text,
            f"the source has this line otherwise: `{like.strip()[:120]}`",
            turned(plain_words(text), plain_words(like)),
            0.72,
        )
    ]


_OF_OLD = re.compile(r"\b(?:before|from|old|was|removed|replaced|original\w*|previous\w*)\b")
_COMMENT = re.compile(r"\s*(?://|#|\*|--|<!--)\s*(?=\S)")


def _otherwise(place: int, text: str, sides: Sides) -> list:
    """A sentence, or a comment in code, that what is known says otherwise."""
    if sides.index.passages[place].kind == "code":
        mark = _COMMENT.match(text)
        if not mark:
            return []
        text = text[mark.end() :]
    found = otherwise(place, text, sides.knowledge, lambda clause: f" {' '.join(_words(clause))} " in sides.all_said)
    return [_flag(place, sides, each.claim, each.reason, each.kind, each.confidence) for each in found[:1]]


def _not_done(place: int, text: str, sides: Sides) -> list:
    """Something stands as done that the summary itself, or a commitment, has as open; or as open, and was done."""
    for clause in dict.fromkeys([*clauses(text), text]):
        thing = sides.open_things.said_done(place, clause)
        if thing:
            return [_flag(place, sides, clause.strip(), f"it is open: `{' '.join(thing.text.split())[:120]}`", "temporal_error", 0.72)]
        words = content(tokens(clause)) if calls_open(clause) else []
        done = done_by_now(clause, sides.knowledge.about(words, place), sides.weights) if len(words) > 1 else None
        if done:
            return [_flag(place, sides, clause.strip(), f"it is done: `{' '.join(done.text.split())[:120]}`", "temporal_error", 0.7)]
    return []


_LOOKS_AT_TEXT = (_otherwise, _not_done, _strange_value, _false_quote, _false_attribution, _new_clause, _false_result, _false_command)
_LOOKS_AT_CODE = (_otherwise, _strange_value, _false_code)
