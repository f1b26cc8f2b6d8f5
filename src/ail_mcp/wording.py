"""What words do in a rule: stems and near synonyms, opposites, and the cues for how strictly it binds.

All tables are English, general, and plain data. A cue is a phrase over lower-case words with single blanks between them (see `cues_in`).
"""

from __future__ import annotations

import re
from functools import lru_cache

# ---- stems

_ODD_FORMS = {
    form: base
    for row in """
send: sent / keep: kept / write: wrote written writes / run: ran running / make: made making / choose: chose chosen / give: gave given /
take: took taken / go: went gone goes / say: said / tell: told / build: built / find: found / hold: held / break: broke broken / begin:
began begun / leave: left / lose: lost / mean: meant / read: reading reads / see: saw seen / spend: spent / buy: bought / speak: spoke
spoken / teach: taught / think: thought / get: got gotten getting / put: putting / set: setting settings sets / do: did done does doing /
be: is are was were been being am / have: has had having / fall: fell fallen / throw: threw thrown / hide: hid hidden / forbid: forbade
forbidden / bring: brought / draw: drew drawn / know: knew known / show: shown / pay: paid / stick: stuck / quit: quitting / skip: skipped
skipping / datum: data / index: indices indexes indexed / person: people / child: children / human: humans / repository: repo repos
repositories / directory: dir dirs directories / database: db dbs databases / configuration: config configs configured configure configuring
/ production: prod / development: dev / environment: env envs environments / document: doc docs documentation documented / specification:
spec specs / authentication: auth / approximate: approx / maximum: max maximal / minimum: min minimal / parameter: param params / argument:
arg args / message: msg msgs / password: pwd passwd / application: app apps / information: info / dependency: dep deps dependencies /
implementation: impl / request: req / response: resp responses / analysis: analyses / branch: branches / use: used uses using / email: mail
emails mails emailed emailing mailing e-mail / reply: replied replies replying
""".split("/")
    for base, _, forms in [row.strip().partition(":")]
    for form in forms.split()
}
_SUFFIXES = tuple(
    suffix.partition(">")[::2]
    for suffix in (
        "ification>ify ization>iz isation>iz ational> atically> ically> ating> ated> ates> ate> atic> ation> ator> ements> ement> ment> "
        "ness> ity> ively> ive> edly> ably> ibly> "
        "able> ible> ional> ion> ings> ing> ed> al> or> er> ly> ic> ence> ance>"
    ).split()
)
_WHOLE_WORDS = frozenset("production university business information".split())
_VOWEL = re.compile("[aeiouy]")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a lower-case word: `fabricating`, `fabricated`, `fabrication` and `fabricate` are one. Short words stay as they are."""
    word = word.removesuffix("'s").removesuffix("’s").replace("’", "'")
    word = _ODD_FORMS.get(word, word)
    if len(word) > 3 and word.isalpha() and word not in _WHOLE_WORDS:
        if word.endswith("ies"):
            word = word[:-3] + "y"
        elif word.endswith(("sses", "ches", "shes", "xes", "zes")):
            word = word[:-2]
        elif word[-1] == "s" and word[-2] not in "sui":
            word = word[:-1]
        for suffix, instead in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3 and _VOWEL.search(word[: -len(suffix)]):
                word = word[: -len(suffix)] + instead
                break
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sz":
            word = word[:-1]
        word = word.removesuffix("e") if len(word) > 3 else word
        word = word[:-1] + "i" if len(word) > 3 and word[-1] == "y" else word
    return word


def _stems(words: str) -> frozenset:
    return frozenset(map(stem, words.split()))


# Words that say little about what a sentence is about.
STOP_WORDS = frozenset(
    """
a an the this that these those it its they them their theirs he she him her his hers we us our you your yours i me my mine one ones who whom
whose which what where when why how be is are was were been being am do does did done doing have has had having will would shall should can
could may might must ought need needs and or but nor so yet if then else than as of at by for from in into on onto to up down out over under
with within about between through during before after above below again further also too very just only even still already both each any all
some such every anything something everything nothing anyone someone everyone nobody anybody whatever no not never none cannot more most
less least other another same own there here via per vs etc eg ie e.g i.e ok let lets now once while because since until unless though
although however instead rather upon toward towards across along s t d ll m re ve don doesn didn won wouldn shouldn isn aren wasn weren hasn
haven hadn can't don't doesn't didn't won't isn't aren't wasn't weren't shouldn't mustn't couldn't hasn't haven't it's that's there's i'm
i'd i'll we'll we're you're they're let's
""".split()
)
# Words that stand in every working session; they count, but little.
LIGHT_STEMS = _stems("""
use user agent assistant task work session run thing way make get go set put do done need want please new current file code change add
update fix issue step note summary also currently value line item part case kind type project time must should always system standing
instruction
""")
# A noun that only says what kind of thing the name beside it is: `the acme.com domain`, `branch main`.
CLASS_NOUNS = _stems("""
domain region database table directory folder path file branch repository service server host cluster bucket queue channel address replica
column field flag option variable function method class module package version tag account project environment namespace endpoint port key
model command script test pr ticket issue commit
""")

# Words that begin an order; as the first word of a sentence they are verbs.
ORDER_WORDS = frozenset(
    """
use send point keep put set make do add remove delete drop run write read store save log print call ask tell check verify test build deploy
push pull commit merge rebase route treat serve limit cap restrict allow deny block stop start open close fix update change edit modify
touch follow respect obey avoid prefer try ensure require return reply answer respond show hide include exclude move copy rename create
generate wait retry skip ignore report notify email contact disclose share publish post release ship install upgrade downgrade pin lock bump
format lint review approve reject accept refund charge pay bill book schedule cancel encrypt redact mask rotate expose fabricate invent cite
quote translate summarize document describe implement support handle parse validate convert normalize rely depend let leave take give get
stay go switch replace swap prepend append wrap import export fetch download upload query select insert archive back restore stage sign tag
label name mention spend escalate page alert warn confirm request obtain seek never always only please
""".split()
)

# ---- near synonyms: the words of a row can stand for each other

_SYNONYM_ROWS = """
budget spend cost expense expenditure money outlay price
cap limit ceiling maximum bound threshold quota
allow permit authorize authorise approve grant let enable
forbid prohibit ban disallow bar block deny
restrict confine constrain limit
remove delete drop erase purge wipe destroy discard eliminate clear strip
add insert introduce append include create
modify change edit alter touch update adjust rewrite revise
keep retain preserve stay remain maintain hold
send deliver dispatch transmit forward go
customer client user
fabricate invent forge fake
cite citation reference source
disclose reveal say tell state inform mention announce acknowledge
automate bot
production live
staging preproduction
query read select
write mutate insert update
deploy deployment release rollout ship launch roll
traffic load
canary
region zone location
store save persist keep
secret credential password token
log record print
commit push
merge land
rename move
fail break error failure
pass succeed success
fix repair resolve correct solve
test check verify validate verification
build compile
run execute launch invoke
start begin launch
stop halt end cease abort
use adopt employ utilize utilise apply
replace swap substitute supersede
reject refuse decline discard dismiss rule
choose pick select decide prefer
ask request require
confirm approve approval sign
human person manual manually people reviewer
agent assistant bot
file source
folder directory
function method routine
large big huge
small little tiny
fast quick rapid
show display render
hide conceal
copy duplicate replicate
migrate move transfer
backup snapshot
retry attempt
wait delay pause
notify alert inform warn
team group
schedule plan
report summary document
contact email call reach message
refund reimburse repay
payment charge
transaction transfer payment
purchase buy order
publish post release
share expose disclose publish
public external
internal private
access permission right
wrong incorrect
cause root reason
idea approach option
goal aim objective
question query
answer reply respond response
pull fetch
return give yield
need require
parse read
convert transform turn normalize normalise
absolute full
empty blank
missing absent lack
duplicate double
many multiple several
own ownership
country jurisdiction
personal pii private
anonymize anonymise redact mask
encrypt cipher
open pending outstanding unresolved unfinished todo
finish complete done
direct directly straight
hour
exceed surpass above
outside beyond
original first initial
next follow
explain describe
review inspect
issue problem bug
directive instruction rule guideline order
workflow flow
interrupt stop block disturb
follow obey respect honor honour
citation quote
datum information record
instance machine server vm
job task
gpu accelerator
compute processing
staff employee
legal law
contract agreement
price quote
vendor supplier
invoice bill
"""


def _synonym_table() -> dict:
    table: dict = {}
    for number, row in enumerate(_SYNONYM_ROWS.strip().split("\n")):
        for member in _stems(row):
            table.setdefault(member, set()).add(number)
    return {member: frozenset(rows) for member, rows in table.items()}


_SYNONYMS = _synonym_table()


@lru_cache(maxsize=1 << 16)
def near_stems(key: str) -> frozenset:
    """The rows of the synonym table that hold a stem, as numbers; two stems with a common row can stand for each other."""
    return _SYNONYMS.get(key, frozenset())


# ---- opposites

_OPPOSITE_ROWS = """
allow/forbid permit/prohibit enable/disable on/off keep/remove include/exclude before/after inside/outside public/private open/close
add/remove start/stop increase/decrease raise/lower with/without pass/fail succeed/fail accept/reject approve/reject
synchronous/asynchronous sync/async internal/external production/staging production/development production/scratch production/sandbox
production/test read/write read/edit show/hide lock/unlock required/optional mandatory/optional strict/lenient strict/loose first/last
minimum/maximum least/most more/fewer more/less above/below over/under absolute/relative encrypt/decrypt encrypted/plaintext push/pull
manual/automatic true/false yes/no left/right client/server up/down always/never all/none blocking/nonblocking local/remote safe/unsafe
valid/invalid active/inactive permanent/temporary online/offline merge/revert mutable/immutable ascending/descending primary/replica
primary/secondary input/output import/export success/failure keep/delete keep/drop retain/delete preserve/discard anonymous/identified
anonymized/raw redacted/raw clear/keep immediate/deferred eager/lazy new/old upgrade/downgrade cached/uncached opt-in/opt-out
signed/unsigned verified/unverified attended/unattended weekday/weekend commit/uncommitted stay/leave remain/leave keep/leave leave/remove stay/move
remain/move
"""
OPPOSITES: dict = {}
for _left, _, _right in (pair.partition("/") for pair in _OPPOSITE_ROWS.split()):
    OPPOSITES.setdefault(stem(_left), set()).add(stem(_right))
    OPPOSITES.setdefault(stem(_right), set()).add(stem(_left))

# ---- cues: how a sentence binds

_CUE_ROWS = {
    # what is not to be
    "forbid": """can no longer|may no longer|no longer allowed|no longer permitted|
        untouched|intact|frozen|leave alone|left alone|never|must not|mustn't|shall not|do not|don't|does not|doesn't|should not|
        shouldn't|cannot|can not|can't|may not|not allowed|not permitted|forbidden|prohibited|banned|off limits|off-limits|
        not acceptable|unacceptable|no one may|nobody may|under no circumstances|not to be|is out of bounds|disallowed|barred|
        refuse to|refrain from|avoid|ruled out|not ok|not okay|strictly no|needs to stay out|stay out of|stay away from|keep out of|
        keep away from|hands off|not happen|an okay from|an ok from|the okay from|the ok from|
        a yes from|a go-ahead from|the go-ahead from|approval from|permission from|sign-off from|consent from""",
    # only so far and no further
    "restrict": """only|solely|exclusively|at most|no more than|not more than|up to|at least|no less than|no fewer than|not exceed|never exceed|
        cannot exceed|must not exceed|maximum|max|minimum|cap|capped|limit|limited|ceiling|restricted|confined|read-only|readonly|
        nothing but|nothing outside|nothing else|nowhere else|no other|must stay|must remain|stay within|remain within|stays within|
        stays in|keep within|no later than|no earlier than|exactly|strictly|reserved for|stay under|stay below|not outside|
        stay inside|stick to|or less|or fewer|or lower|or under|the most|the only|the one|nothing above|restrict|restricts|confine|
        confines|shorter than|less than|fewer than|smaller than|at or below|at or under|not above|not over|off limits""",
    # holds only so
    "condition": """unless|until|without|except|before|first""",
    "require": """must|always|required|require|requires|mandatory|have to|has to|shall|ensure|make sure|needs to|need to|obligatory|
        be sure to|without exception|every time|is to be|are to be|no exceptions|is needed|are needed|is necessary|are necessary|
        each and every|no matter what""",
    # what is allowed, or no longer binding
    "permit": """may|can|allowed|permitted|is fine|are fine|fine to|is ok|are ok|ok to|okay|is acceptable|are acceptable|approved|granted|
        feel free|free to|authorized|authorised|welcome to|as needed|as necessary|whenever needed|whenever|fair game|good to go|
        go ahead|cleared to|green light|clearance|at will|at your discretion|at its discretion|if convenient|no problem|no restriction|
        no restrictions|no limit|no limits|unrestricted|unlimited|open to|able to|has been opened|have been opened|permission|
        signed off""",
    "cancel": """no longer applies|no longer apply|no longer required|no longer needed|no longer necessary|no longer in force|
        no longer binding|no longer in effect|no need to|no need for|not required|not needed|not necessary|isn't required|
        isn't needed|isn't necessary|aren't required|unnecessary|need not|needn't|don't need to|doesn't need to|do not need to|
        does not need to|do not have to|does not have to|don't have to|doesn't have to|optional|lifted|waived|has expired|
        been removed|been dropped|been lifted|been waived|been suspended|suspended|been relaxed|not mandatory|can be skipped|
        may be skipped|can skip|may skip|fine to skip|ok to skip|okay to skip|can be ignored|may be ignored|can be omitted|
        may be omitted|does not apply|doesn't apply|do not apply|don't apply|is over|was retired|being retired|been retired|
        is retired|deprecated in favor|not binding|been revoked|is revoked|without asking|without approval|without waiting|
        without review|without confirmation|without a backup|without checking|without permission|without sign-off""",
    # the rule is said to be no limit
    "widen": """not only|not just|not merely|not limited|not restricted|not confined|no longer limited|no longer restricted|no longer confined|
        isn't limited|aren't limited|isn't restricted|aren't restricted|not bound to|need not stay|been raised|was raised|raised to|
        increased to|been increased|was increased|been extended|been expanded|been doubled|been relaxed|been opened up|been loosened|
        not have to stay|not have to remain|not need to stay|is no limit|are no limits|no limit on|no restriction on|no cap on|
        without any limit|without limits|without limit|without a limit|without a cap|any more|anymore""",
    # farther than the rule goes
    "broaden": """as needed|as necessary|as often as|as long as|as long as needed|whenever|outside|beyond|anything|anywhere|anyone|everyone|
        everything|as much|as many|every|not just|not only|and others|or others|inside or outside|other than|elsewhere|full access|
        full write access|full|more than|above|over|all of|whatever|wherever|whichever|regardless|no matter|either|freely|directly|
        without limit|exceeded|exceed|past""",
    # not quite
    "hedge": """mostly|usually|generally|typically|normally|often|sometimes|occasionally|ideally|preferably|prefer|prefers|preferred|try|
        tries to|tried to avoid|should avoid|where possible|when possible|if possible|where practical|where feasible|when feasible|
        if feasible|when convenient|if convenient|when it seems|if it seems|when appropriate|as appropriate|where appropriate|tends|
        tend|largely|in general|in most cases|most of the time|should|ought|might|perhaps|maybe|consider|considered|aim|aims|
        hopefully|nice to have|reasonable|reasonably|somewhat|loosely|for the most part|by default|as a rule|more or less|or so|ish|
        good idea|good practice|encouraged|recommended|recommend|suggested|suggest|lean|leaning|leans|likely|probably|
        possibly|could|as far as possible|within reason|a guideline|keep an eye|keep in mind|be careful|be mindful|with care|careful|
        worth|not always|discouraged|frowned upon|not ideal|not recommended|not preferred|best avoided|better avoided|inadvisable|
        undesirable|sparingly|minimize|minimise|minimized|to a minimum|exceptional cases|only rarely|rarely|seldom|infrequently|
        uncommon|with caution|cautiously|caution|as little as possible|selectively|lightly|low priority|if need be|when needed most|
        unless there is a good reason|good reason|as much as possible|expected to|supposed to|meant to|intended to|by convention|
        customary|customarily|standard practice|the norm|preference|preferred option|guideline|advisable|advised|mainly|primarily|
        may then|when time|if time|time allows|time permits|unless needed|unless necessary|be nice|would be good|helpful to|some of|
        in principle|when it matters|when important|as a courtesy|softly|best effort|better not|better not to|where you can|when you can|
        if you can|nicer|preferable|would be better|good to|nice to|best to|better to|good if|
        it is good|it is nice|think twice|double-check when|most of|mostly to""",
    "hard": """never|must|always|only|exactly|at most|at least|required|mandatory|strictly|under no circumstances|no exceptions|every|all""",
    "some": """some|several|a few|few|a couple of|many|a number of|a handful|some of|various|most of|part of|a portion""",
    "vague": """some|several|a few|few|various|certain|many|a number of|a couple of|a small|a handful|unchanged|as before|as agreed|
        appropriate|reasonable|suitable|relevant|limited|small|modest|low|high|large|a portion|a slice|a share|part of|a while|
        soon|later|recently|a bit|short|long|set|in place|the usual|as discussed|a fixed|a certain""",
    # how far a thing is
    "open": """not done|not finished|not merged|not complete|not completed|isn't done|isn't finished|isn't merged|nothing has been|not been|
        still|pending|not yet|to do|todo|to be|waiting|in progress|remains to|remains open|remains unfinished|remains unresolved|
        outstanding|unfinished|incomplete|ongoing|underway|needs to be|need to be|has to be|have to be|hadn't|hasn't|haven't|
        had not|has not|have not|yet to|will be|next step|up next|unresolved|blocked|failing|fails|is open|left to|still failing|
        unmerged|uncommitted|untested|undecided|under discussion|was proposed|is proposed|planned""",
    "done": """done|finished|complete|completed|merged|passed|passes|passing|all pass|fixed|resolved|landed|shipped|deployed|released|
        succeeded|closed|implemented|clean|pushed""",
    # options that were turned down
    "reject": """rejected|refused|declined|dropped|abandoned|ruled out|ruled|discarded|dismissed|reverted|rolled back|undone|not to use|
        decided against|instead of|rather than|no longer|stopped|turned down|removed|superseded|replaced|gave up|objected|
        didn't work|did not work|failed|what are you doing|vetoed|not do|backed out|unacceptable""",
    "adopt": """adopted|chosen|we use|is used|are used|use|uses|using|switched to|switch to|moved to|move to|go with|going with|went with|
        selected|decided on|opted for|settled on|the plan is|will use|now uses|continue with|continues with|proceed with|keep using|
        as decided|picked|considered|accepted|approved|confirmed|kept|
        retained|agreed""",
}


def _cue_pattern(row: str, more: str) -> re.Pattern:
    phrases = sorted((" ".join(phrase.split()) for phrase in row.split("|")), key=lambda phrase: (-len(phrase), phrase))
    return re.compile(r"(?<![\w'-])(?:" + "|".join(map(re.escape, phrases)) + r")(?![\w'-])" + more)


CUE_STEMS = frozenset(stem(word) for row in _CUE_ROWS.values() for phrase in row.split("|") for word in phrase.split())

_MORE = {
    "require": r"|(?<![\w'-])needs?(?= [a-z])",
    "cancel": r"|(?<!not )(?<!n't )(?<!never )(?<![\w'-])skip (?:the|any)\b"
    r"|(?<![\w'-])no longer (?:needs?|requires?|have to|has to|necessary|mandatory|binding|appl\w+|restricted|limited|forbidden|"
    r"prohibited|in (?:force|effect))\b|(?<![\w'-])no (?:\w+ ){1,3}(?:is|are) (?:needed|required|necessary)\b"
    r"|(?<![\w'-])without (?:a |an |any |the |human |prior |further |explicit |first |their |his |her )*(?:asking|approval|approvals|waiting|"
    r"review|confirmation|confirming|checking|permission|sign-off|consent|consulting|a backup)\b",
    "widen": r"|(?<![\w'-])no (?:[a-z]{2,20} )?(?:cap|limit|ceiling|maximum|restriction)s?(?![\w'-])",
    "hedge": r"|(?<!in )(?<![\w'-])favou?rs?(?![\w'-])"
    r"|(?<![\w'-])(?:about|around|roughly|approximately|approx\.?|near|nearly|almost|circa|ca\.|some)(?= [$€£~]?\d| (?:two|three|"
    r"four|five|six|seven|eight|nine|ten|twelve)\b)"
    r"|(?<![\w'-])(?:where|when|if|whenever|wherever|as far as|insofar as) (?:(?:it|that|this|they|you) (?:is |are |seems? |looks? |"
    r"feels? )?)?(?:convenient|possible|practical|practicable|feasible|appropriate|reasonable|"
    r"sensible|easy|useful|helpful|important|relevant|suitable|advisable|time (?:allows|permits)|there is time|makes sense|able)\b",
    "some": r"|(?<!at )(?<![\w'-])most(?! \d)(?![\w'-])",
    "restrict": r"|(?<![\w'-])(?:under|below|within)(?= [$€£~]?\d)",
    "forbid": r"|(?<![\w'-])(?:leave|keep) (?:[\w./-]{1,40} ){1,5}(?:alone|untouched|intact)\b",
    "broaden": r"|(?<!before )(?<!without )(?<!if )(?<!not )(?<!for )(?<!whether )(?<![\w'-])any(?! more)(?![\w'-])",
}
CUES = {name: _cue_pattern(row, _MORE.get(name, "")) for name, row in _CUE_ROWS.items()}


def cues_in(plain: str, *names: str) -> dict:
    """The phrases of each kind of cue in a plain text (lower case, single blanks): `{"hedge": {"usually"}}`; kinds without one are left out."""
    return {name: found for name in names or CUES if (found := frozenset(CUES[name].findall(plain)))}


# ---- negation

NEGATORS = frozenset(
    """
not no non never without nor neither none cannot can't don't doesn't didn't won't isn't aren't wasn't weren't shouldn't mustn't couldn't
wouldn't hasn't haven't hadn't nothing nobody avoid avoids avoided stop stops stopped stopping skip skips skipped skipping refuse refused
refuses forbid forbids forbidden prohibit prohibits prohibited ban bans banned disallow disallowed exclude excluded excludes omit omits
omitted replaces replacing rejected reject rejects removed removing remove removes drop drops dropped instead rather unless except ruled
declined refrain
""".split()
)
_NOT_ALONE = frozenset("only just merely simply necessarily".split())  # `not just` adds
_CLAUSE_WORDS = frozenset("before until but however instead then so and because since which while although though yet".split())


_BE = frozenset("be been being get".split())


def negated_words(words: list) -> list:
    """For each word of a clause (None for a clause break) whether a negation reaches it: from the negator to the next break, at most eight words;
    two negators cancel (`do not skip`). What `must not be` done is negated too, though it stands before."""
    out, sign, left, begin = [], False, 0, 0
    for at, (word, after) in enumerate(zip(words, [*words[1:], None])):
        if word is None or word in _CLAUSE_WORDS:
            sign, left, begin = False, 0, at + 1
        if word in ("replaced", "superseded") and after == "by":  # by what stands behind it
            out[begin:at] = [True] * (at - begin)
        if word in NEGATORS and after not in _NOT_ALONE or word == "place" and after == "of" and at and words[at - 1] == "in":
            if after in _BE and not sign and at - begin <= 6:
                out[begin:at] = [True] * (at - begin)
            out.append(sign)
            sign, left = word == "nor" or not sign, 1 if word == "non" else 8
            continue
        out.append(sign and left > 0)
        left -= 1
    return out
