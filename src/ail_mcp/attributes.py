"""What a sentence says of what: its values by kind, the words that tell what they are values of, and whether it tells of a change.

`the deadline is Friday` and `we moved the deadline to Monday` say two dates of one thing, and the second tells of a change. A kind is what can
replace what: a date a date, an amount of money another, a number another of the same unit, a name a name. Words that only say how something is
said (`is`, `use`, `now`) tell nothing of the thing; words for one notion (`owner`, `owned by`, `responsible for`) are one.
"""
from __future__ import annotations

import re
from collections import namedtuple
from functools import lru_cache

from .quantities import amount_of
from .wording import OPPOSITES, ORDER_WORDS, STOP_WORDS, stem

ValueClaim = namedtuple("ValueClaim", "words verbs values gone change states")
ValueClaim.__doc__ = """`words` are the notions of one part of a sentence, `verbs` those of them that only tell what is done, `values` maps a kind to
the values of that kind in it (normal forms), `gone` are (kind, value) that it says hold no longer, `change` tells whether the sentence speaks of a
change, `states` whether it says what something is."""

CLAIM_AT_MOST = 160         # characters of a sentence that is looked at
_WORDS_AT_MOST = 9          # notions of a part; more is a story


def _in_any_case(phrases: str) -> str:
    """A pattern of the phrases (patterns themselves that begin with a letter), which `/` separates, in any case. Those with one first letter stand
    together, so that most words are told apart from all at a glance."""
    endings: dict[str, list[str]] = {}
    for phrase in phrases.split("/"):
        first, *rest = " ".join(phrase.split())
        endings.setdefault(first, []).append("".join(rest))
    return "(?:" + "|".join(f"[{first}{first.upper()}](?i:{'|'.join(each)})" for first, each in endings.items()) + ")"


def _any_of(phrases: str) -> str:
    """A pattern of the phrases (patterns themselves), which `/` separates."""
    return "(?:" + "|".join(" ".join(phrase.split()) for phrase in phrases.split("/")) + ")"


_CHANGES = re.compile(r"(?<![\w-])" + _in_any_case("""now/from (?:now|here) on/going forward/as of/no longer/not any ?more/instead/actually/
    correction/corrected/updated?/changed?/changes/change of plans?/moved?/moves/switch(?:ed|es)?/bump(?:ed|s)?/raised?/raises/
    lower(?:ed|s)?/increased?/decreased?/reduced?/cut/extend(?:ed)?/shorten(?:ed)?/pushed (?:back|out)/postponed?/slip(?:ped|s)/delay(?:ed)?/
    reschedule[ds]?/brought forward/renamed?/
    replaced?/replaces/rotated/rotation/rebased/upgraded?/downgraded?/took over/takes over/taking over/handed (?:over|to)/
    went (?:up|down)/goes (?:up|down)/go with/going with/went with/make (?:that|it)/rather/on second thought/scratch that/new/jetzt/nun/
    ab sofort/stattdessen/geändert/verschoben/désormais/maintenant/ahora/теперь/вместо""") + r"(?![\w-])")
# The words that these begin with, or hold: without one of them nothing is told to change.
CHANGE_WORDS = frozenset("""
    delay postpone reschedule extend shorten now going longer not more instead actually correction corrected update updated change changed changes
    moved move moves switch switched switches bump bumped bumps raise raised raises lower lowered lowers increase increased decrease decreased
    reduce reduced cut extended shortened pushed postponed slipped slips delayed rescheduled brought rename renamed replace replaced replaces
    rotated rotation rebased upgrade upgraded downgrade downgraded over handed went goes go make rather second scratch new jetzt nun sofort
    stattdessen geändert verschoben désormais maintenant ahora теперь вместо from statt nicht pas lieu vez не""".split())
_OPEN_TALK = re.compile(r"\?|(?<![\w'-])" + _in_any_case("""maybe/perhaps/might/could/would it/what if/how about/what about/should we/shall we/
    consider/considering/possibly/vielleicht/peut-être/quizás/возможно/another/additional/further/extra/also/too/
    more(?! (?:casual|formal|detailed|concise|verbose|serious|playful|friendly|thorough))/
    what (?:is|are|do|does)/why (?:is|are|do|does)/how (?:is|are|do|does)/which (?:is|are|do|does)/who (?:is|are|do|does)/
    when (?:is|are|do|does)""") + r"(?![\w-])")
# The words without one of which nothing is open talk, and nothing is said to hold no longer.
_OPEN_TALK_WORDS = frozenset("""
    maybe perhaps might could would what how should shall consider considering possibly vielleicht peut quizás возможно another additional further
    extra also too more why which who when""".split())
_NO_MORE_WORDS = frozenset("not no instead rather from replace replaced replaces statt nicht pas au en вместо не".split())
_PARTS = re.compile(r";\s|\s[—–-]\s|,\s(?=(?:and|but|so|because|since|which|while|then)\b)|\s(?=(?:because|with|but)\b)"
                    r"|,\s(?=(?:the|its) (?:old|previous|former)\b)|\s(?=and (?:use|keep|make|put|set|show|write|stick|the)\b)")
_OF_STATE = re.compile(r"(?i)\bstat(?:e|us)\b")
_STATES = re.compile(r"(?i)(?:\b(?:is|are|be|equals|stays?|named|called)|=)[\s`\"']{0,3}\Z")
STATING_WORDS = frozenset("is are be equals stay stays named called".split())
AT_A_TIME = frozenset(("date", "clock", "zone", "manner", "system", "color", "state", "money"))    # kinds of which a thing has one

_MONTHS_SAID = """
    jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov november dec december januar
    februar märz mai juni juli oktober dezember"""
_FEW_NUMBERS = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays tomorrow today"
_MANNERS = "short brief terse concise light serious long detailed verbose playful warm friendly formal informal casual dry thorough chatty"
_COLORS = "red green blue yellow orange purple black white gray grey pink"
_SYSTEMS = "metric imperial celsius fahrenheit tabs spaces ascending descending"
_SWITCHES = "enabled disabled true false"
_VALUE_WORDS = frozenset(f"{_MONTHS_SAID} {_FEW_NUMBERS} {_DAYS} {_MANNERS} {_COLORS} {_SYSTEMS} {_SWITCHES} "
                         "default hundred thousand million dark next".split())
_NUMBERED_NOUNS = frozenset("""
    step steps line lines item items phase part chapter section issue ticket task page row option question bug case rule requirement milestone
    sprint stage round shard host customer user batch group team table figure point day week request""".split())
_MONTH, _SMALL = ("(?:" + "|".join(words.split()) + ")" for words in (_MONTHS_SAID, _FEW_NUMBERS))
_SAID_NUMBER = _any_of(rf"{_SMALL}(?: (?:hundred|thousand|million))?/(?:one|a) (?:hundred|thousand|million)/\d[\d,]{{0,14}}(?:\.\d{{1,6}})?(?:k\b)?")
_MEASURE_UNIT = _any_of(r"%/percent\b/per cent\b/ns\b/ms\b/s\b/secs?\b/seconds?\b/mins?\b/minutes?\b/h\b/hours?\b/days?\b/weeks?\b/months?\b/"
                        r"[kKMGT]i?B\b/bytes?\b/px\b/pixels?\b/euros?\b/eur\b/usd\b/dollars?\b/€")
_DIGIT, _LETTER, _SIGN = r"(?=\d)", r"(?=[^\W\d])", r"(?=[^\w\s])"     # how a value begins
_ANYHOW = _DIGIT + _LETTER + _SIGN
_PLAIN_KINDS = (  # kind, how it begins, pattern; the first that matches at a place is taken
    ("place", _LETTER, r"https?://[^\s\"'<>)\\,]{1,200}"),
    ("date", _DIGIT, r"\d{4}-\d\d-\d\d(?![\d-])"),
    ("date", _DIGIT, r"\d{1,2}(?:st|nd|rd|th)\b|(?:0\d|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b"),
    ("date", _LETTER, r"Q[1-4]\b"),
    ("clock", _DIGIT, r"\d{1,2}:\d\d\b(?: ?[ap]m\b)?"),
    ("money", _SIGN, r"[$€£] ?\d[\d,]{0,14}(?:\.\d{1,2})?k?\b"),
    ("money", _DIGIT, rf"(?i:{_SAID_NUMBER}) (?:(?i:dollars?|euros?)|USD|EUR)\b"),
    ("place", _ANYHOW, r"(?<![\w/.-])(?:~|\.{1,2})?/?(?:[\w.@-]{1,60}/){1,12}[\w.@-]{1,60}"),
    ("place", _DIGIT + _LETTER, r"[\w-]{1,60}(?:\.[\w-]{1,40}){0,6}\."
     r"(?:internal|local|com|org|net|io|dev|example|py|go|ts|js|rs|md|json|ya?ml|toml|sh|csv|log|txt|sql)\b"),
    ("version", _DIGIT, r"(?<=[a-z]:)\d[\w.-]{0,30}\b|\d{1,5}(?:\.\d{1,6}){2,4}\b"),
    ("version", _LETTER, r"v\d{1,5}(?:\.\d{1,6}){0,4}\b"),
    ("measure", _DIGIT, rf"(?<![\w.])(?i:{_SAID_NUMBER}) ?{_MEASURE_UNIT}"),
    ("name", _LETTER, r"[A-Z]{1,8}\d{0,4}-\d{1,8}\b|[a-z]{2,30}(?:-[a-z]{1,20}){0,3}-\d{1,6}\b|[a-z]{1,30}\d{0,6}_\w{2,60}\b"),
    ("number", _DIGIT, r"(?<![\w.-])\d[\d,]{0,14}(?:\.\d{1,6})?(?![\w-])"),
    ("zone", _LETTER, r"(?:UTC|GMT|CES?T|E[SD]T|P[SD]T|M[SD]T|JST)\b|(?:[A-Z][a-z]{2,12} ){1,2}[Tt]ime\b"),
    ("name", _LETTER, r"[A-Z][\w'’.]{0,40}(?:[ -][A-Z][\w'’]{0,40}){0,3}"),
)
_WORDED_KINDS = (  # those that a text without any word of _VALUE_WORDS does not hold
    ("date", _LETTER, rf"(?i:{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?|(?:{_DAYS.replace(' ', '|')}|next week)\b)"),
    ("date", _DIGIT, rf"(?i:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}\b(?:,? \d{{4}}\b)?)"),
    ("money", _LETTER, rf"(?i:{_SAID_NUMBER} (?:dollars?|euros?|usd|eur)\b)"),
    ("measure", _LETTER, rf"(?i:{_SAID_NUMBER} {_MEASURE_UNIT})"),
    ("number", _LETTER, rf"(?i:{_SMALL}(?: (?:hundred|thousand|million))?)(?![\w-])"),
    ("state", _LETTER, rf"(?i:(?:on|off)(?= by default)|(?:{_SWITCHES.replace(' ', '|')})\b)"),
    ("system", _LETTER, rf"(?i:(?:{_SYSTEMS.replace(' ', '|')}|light mode|dark mode)\b)"),
    ("manner", _LETTER, rf"(?i:(?:{_MANNERS.replace(' ', '|')})\b)"),
    ("color", _LETTER, rf"(?i:(?:{_COLORS.replace(' ', '|')})\b)"),
)
_VALUE_KINDS = (*_WORDED_KINDS, *_PLAIN_KINDS)


# Where a value can begin with a letter: those of the first sort not with a plain lower-case word, those of the second with some words only.
_NOT_PLAIN, _WORDED = r"(?![a-z]{1,99}(?![\w.@/:-]))", rf"(?={_in_any_case('/'.join(sorted(_VALUE_WORDS)) + '/a/one/on/off')}\b)"


def _value_pattern(*tables: tuple) -> re.Pattern:
    """One pattern of all kinds; the group that matches tells the place of the kind in _VALUE_KINDS."""
    ways = []
    for letter, begins in (("d", _DIGIT), ("l", _LETTER), ("s", _SIGN)):
        for table in tables:
            kinds = [f"(?P<k{_VALUE_KINDS.index(row)}{letter}>{row[2]})" for row in table if begins in row[1]]
            needed = "" if begins != _LETTER else _WORDED if table is _WORDED_KINDS else _NOT_PLAIN
            ways += [f"{begins}{needed}(?:{'|'.join(kinds)})"] * bool(kinds)
    return re.compile(r"(?<!\w)(?:" + "|".join(ways) + ")")


_KIND_OF_GROUP = {f"k{number}{letter}": kind for number, (kind, _, _) in enumerate(_VALUE_KINDS) for letter in "dls"}


_PLAIN_VALUES, _ALL_VALUES = _value_pattern(_PLAIN_KINDS), _value_pattern(_WORDED_KINDS, _PLAIN_KINDS)
NUMBERED = re.compile(r"\b(?:" + "|".join(sorted(_NUMBERED_NOUNS)) + r") \d{1,6}\b|#\d{1,8}\b")      # a number that is a name: `step 2`
_NO_MORE = re.compile(r"(?i)\b(?:not|no longer(?: \w{1,12}){0,2}|instead of|rather than|from|replaced?|replaces|statt|nicht|pas|au lieu de|en vez de|"
                      r"вместо|не)\s{1,4}(?:the\s{1,4})?[`\"']?\Z")
_DOINGS = re.compile(r"\b(?:(?:be|been|being|are|is|was|were|gets?|got) ([a-z]{2,20}(?:ed|en|nt|lt|pt))"
                     r"|(?:we|i|you|they|please|to|will|should|must|can) (?!be\b)([a-z]{2,20}))\b")
_LABELLED_VALUE = re.compile(r"(?i)[\s>*_#-]{0,8}(?:[a-z]{2,20} ){0,2}" + _any_of("""rule/constraint/fact/goal/state/status/preference/decision/
    note/update/correction/change/plans?/fyi/reminder/news/up/heads-up/requirement/info""") + r"\*{0,2}:\*{0,2}\s")
_ACTING = re.compile(r"\s" + _any_of("is/are/was/owns?/now/took/takes/has/have/will/handles?/leads?/reviews?/approves?/signs?/maintains?/manages?/"
                             "decides?/runs?/becomes?/does") + r"\b")

# Words for one notion; the notion is the first. A notion with `@` is what a kind of value is by itself: it tells nothing more.
_WORDS_OF = {
    "@date": "deadline due date target eta schedule scheduled plan planned day timing frist termin",
    "@most": "cap capped limit limited ceiling maximum max under below most exceed over up within beyond",
    "@least": "minimum min floor above least",
    "@begin": "start starts begin begins opens", "@end": "end ends close closes finish finishes",
    "money": "budget spend spending cost expense expenditure allowance",
    "own": "owner own owned responsible charge maintainer maintain lead handle handled belong",
    "oncall": "oncall pager duty escalation",
    "@name": "call called calling name named codename label title titled designate designated rename renamed",
    "release": "release ship rollout", "disclose": "disclose reveal share tell expose leak",
    "zone": "timezone zone time timestamp clock",
    "answer": "answer reply response",
    "branch": "branch rebase rebased checkout",
    "review": "review reviewed reviewer", "approve": "approve approver approved", "retry": "retry retries",
}
_NOTIONS = {form(word): notion for form in (stem, str) for notion, words in _WORDS_OF.items() for word in words.split()}
# Words that tell nothing of the thing; the second row does where nothing else is said.
_WEAK = frozenset("""
    use used uses using set sets make makes keep keeps kept write writes show shows put puts give gives get gets got want wants need needs go goes
    work works save take takes hold holds run runs live lives stay stays become becomes please let lets print allow allowed like last lasts happen
    happens base based park parked sit sits done stick land lands user week today active current currently long about
    """.split())
_LIGHT_NOUNS = frozenset("report reports value total number count version default status display plan".split())
# What sets one thing apart from another of its kind.
SIDES = frozenset(OPPOSITES) | frozenset(map(stem, "production staging development test local remote primary backup secondary replica main unit "
                                             "integration mobile desktop web first second third next previous nightly weekly daily monthly".split()))
_NO_CLAIM = ValueClaim(frozenset(), frozenset(), {}, frozenset(), False, False)
_APOSTROPHE = re.compile("['’]")
_CLAIM_WORD = re.compile(r"[^\W\d_][\w'’]{0,60}")
_BEFORE_NUMBER = re.compile(r"[A-Za-z]{2,12} \Z")
_MAY_HOLD_VALUE = re.compile(r"[\d/_]|[\w,;:)] [\"'`(]?[A-Z]\w|\w\.\w|\A\W{0,8}[A-Z][\w'’-]{1,40}" + _ACTING.pattern)
_ONCALL = re.compile(r"(?i)\bon[- ]call\b")


_NOT_STOPPED = {*_NOTIONS, *"before after first".split()}     # though they are short words


def claims(text: str) -> list[ValueClaim]:
    """The claims of a statement, one for each part that gives a value. Questions, guesses and what is added to something give none."""
    if len(text) > CLAIM_AT_MOST:
        return []
    folded = text.casefold()
    words = frozenset(_CLAIM_WORD.findall(folded))
    worded = not words.isdisjoint(_VALUE_WORDS)
    if not (worded or _MAY_HOLD_VALUE.search(text)):
        return []
    pieces = words.union(*(_APOSTROPHE.split(word) for word in words if not word.isalpha()))
    if ("?" in text or not pieces.isdisjoint(_OPEN_TALK_WORDS)) and _OPEN_TALK.search(text):
        return []
    values = _ALL_VALUES if worded else _PLAIN_VALUES
    if "call" in folded:
        text = _ONCALL.sub("oncall", text)
    label = _LABELLED_VALUE.match(text)
    change = not words.isdisjoint(CHANGE_WORDS) and bool(_CHANGES.search(text))
    state = bool(label and _OF_STATE.search(label[0]))
    lifted = not pieces.isdisjoint(_NO_MORE_WORDS)
    stated = "=" in text or not pieces.isdisjoint(STATING_WORDS)
    found: list[ValueClaim] = []
    before = ""
    for part in _PARTS.split(text[label.end():] if label else text):
        claim = _claim(f"{before} {part}" if part.startswith("with") else part, values, change, state, lifted, stated)
        if (claim.values or claim.gone) and len(claim.words) <= _WORDS_AT_MOST:
            found.append(claim)
            part = ""
        before = part
    return found


def _claim(part: str, pattern: re.Pattern, change: bool, state: bool, lifted: bool, stated: bool) -> ValueClaim:
    """The claim of one part. Where it is said to be the state of things, what is told of the value behind it is no part of what it is a value of.
    `lifted` and `stated` tell whether the sentence has words that say of a value that it holds no longer, or that it is one."""
    values: dict[str, set] = {}
    gone: set = set()
    named: set[str] = set()
    rest, at, states = [], 0, False
    for match in pattern.finditer(part):
        kind = _KIND_OF_GROUP[match.lastgroup]
        start = match.start() + (_name_at(match, part) if kind == "name" else 0)
        if start >= match.end():
            continue
        numbered = kind == "number" and _BEFORE_NUMBER.search(part, max(0, start - 24), start)
        key, value = _normal(kind, part[start:match.end()])
        if numbered and numbered[0].casefold().strip() in _NUMBERED_NOUNS:
            named.add(f"{numbered[0].casefold().strip()} {value}")
        elif lifted and _NO_MORE.search(part, max(0, start - 40), start):
            gone.add((key, value))
        else:
            values.setdefault(key, set()).add(value)
            states |= stated and bool(_STATES.search(part, max(0, start - 12), start))
        rest.append(part[at:start])
        at = match.end()
    if not values and not gone:
        return _NO_CLAIM
    rest.append("" if state else part[at:])
    said = " ".join(rest)
    if change:
        said = _CHANGES.sub(_kept_notion, said)
    verbs = " ".join(passive or active for passive, active in _DOINGS.findall(said.lower())) if values else ""
    told = {kind: frozenset(each) for kind, each in values.items()}
    return ValueClaim(_notions(said) | named, _notions(verbs), told, frozenset(gone), change, states)


def _kept_notion(change: re.Match) -> str:
    """What a word of change says of the thing: `rebased` tells of a branch."""
    return change[0] if change[0].casefold() in _NOTIONS else " "


def _name_at(match: re.Match, part: str) -> int:
    """Where in a run of capitalised words the name begins; its length where there is none: the first word of a sentence is one if it acts."""
    words = match[0]
    if words.casefold() in STOP_WORDS:
        return len(words)
    if not words[0].isupper() or part[:match.start()].strip(" \"'(*_`"):
        return 0
    first, _, more = words.partition(" ")
    if first.casefold() in STOP_WORDS or first.casefold() in ORDER_WORDS:
        return len(first) + 1 if more else len(words)
    return 0 if more or _ACTING.match(part, match.end()) and not first.endswith("s") else len(words)


def _normal(kind: str, text: str) -> tuple[str, object]:
    """(kind, normal form) of a value; a number with a unit is of the kind of its unit."""
    text = text.strip(" .,:").casefold()
    amount = amount_of(text.replace("£", "$")) if kind in ("measure", "money", "number") else None
    if kind == "measure":
        return (f"in {amount[2]}", amount[1]) if amount else ("in " + text.split()[-1].removesuffix("s"), text)
    return (kind, amount[1]) if amount else (kind, text)


def _notions(text: str) -> frozenset:
    """What the words of a text speak of."""
    found = _CLAIM_WORD.findall(text.casefold())
    words = [word for word in found if word not in _WEAK and (word not in STOP_WORDS or word in _NOT_STOPPED)]
    return frozenset(map(notion, [word for word in words if word not in _LIGHT_NOUNS] or words))


@lru_cache(maxsize=1 << 16)
def notion(word: str) -> str:
    """What a lower-case word speaks of: the first of the words for it, else its stem."""
    root = stem(word.removesuffix("ly") if len(word) > 6 else word)
    return _NOTIONS.get(word) or _NOTIONS.get(root, root)
