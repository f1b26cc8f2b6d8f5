"""The words of rules as rows: what denies, allows, limits, chooses and compares, which verbs add nothing, and how a text falls into words."""
from __future__ import annotations

import re
from functools import lru_cache

# Verbs that say no more than the claim does, by class; a row of the lexicon names the classes that it takes.
VERB_CLASSES = {
    "use": "use; utilize; utilise; employ; rely on; depend on; include; have; want; work with; stick to; stick with; bring in; "
        "let us use; let's use; be using; use of; the use of; making use of; make use of; there be",
    "load": "import; load; pull in; fetch",
    "add": "add; install; introduce; pull in; bring in; include",
    "make": "make; write; build; implement; create; provide; produce; output; return; generate; render; draw; deliver; ship; add; include; "
        "have; support; put in; answer; reply; respond; be written; be built",
    "act": "do; perform; make; run; start; trigger; execute; attempt; carry out",
    "have": "have; set; keep; set to; show; start with; there be; be set",
    "change": "change; modify; touch; edit; alter; update; access; write to",
    "take": "take; travel by; get around by; book; use",
    "stay": "stay in; stay at; stay; book; sleep in",
    "visit": "visit; go to; see; plan",
    "eat": "eat; serve; drink; order",
    "spend": "spend; cost; pay",
}

# Rows `(kind, what it says, words)`. The longest match wins; of two rows with the same words the first.
PHRASE_GRAMMAR = (
    ("not", "", "not; never; don't; do not; dont; no longer; isn't; aren't; never ever; under no circumstances"),
    ("not", "must", "won't; will not; must not; mustn't; shall not; may not; cannot; can't; can not; must never; may never; is not to; are not to"),
    ("not", "should", "should not; shouldn't; ought not to; try not to; prefer not to; rather not; better not; should never"),
    ("no", "", "no; zero; without; without any; not any; no such; free of; nor; neither; never any"),
    ("deny", "may", "forbidden; prohibited; banned; disallowed; off limits; not welcome; ban; forbid; prohibit; disallow; "
        "unacceptable; verboten"),
    ("deny", "must", "avoid; skip; omit; leave out; exclude; refrain from; do without; stay away from; steer clear of; "
        "keep away from; forget; forget to; avoid using; stop; drop; leave away"),
    ("allow", "", "allowed; permitted; ok; okay; fine; acceptable; welcome; allow; permit; feel free to; don't hesitate to; "
        "do not hesitate to; can; may; allowed to; free to; ok to; okay to; fine to; can be used; may be used; good to go"),
    ("need", "", "required; mandatory; necessary; needed; need; require; obligatory; essential; must have"),
    ("optional", "", "optional; no need for; no need to; don't need; do not need; don't need to; do not need to; not needed; "
        "needn't; need not; not necessary; not required; nice to have; not mandatory; don't have to; do not have to; not have to; "
        "isn't required; aren't required; isn't needed; aren't needed; isn't necessary; aren't necessary"),
    ("must", "", "must; have to; has to; shall; need to; needs to; make sure to; make sure; make sure that; ensure; ensure that; be sure to; "
        "remember to"),
    ("must", "always", "always; must always"),
    ("hedge", "", "not just; don't just; don't only; not really; not every; not all; not any more than"),
    ("should", "", "should; ought to; ideally; preferably; try to; if possible; where possible; when possible; whenever possible; "
        "would like; would like to"),
    ("prefer", "", "prefer; preferred; preferable; favor; favour; preference for; preference; would prefer; rather use; "
        "would rather use"),
    ("only", "", "only; exclusively; solely; nothing but; strictly; purely; just"),
    ("choose", "", "choose; chose; chosen; select; pick; decided on; decide on; decided for; go with; going with; went with; "
        "settle on; settled on; opt for; opted for; adopt; wins; won; agreed on; agreed to use; decided to use; decided to go with; "
        "final choice; winner; let's go with"),
    ("reject", "", "reject; ruled out; rule out; dismissed; discarded; dropped; abandoned; decided against; decide against; "
        "turned down; given up; gave up; gave up on; not chosen; not selected; not picked; wasn't chosen; was not chosen; voted down; "
        "out of the question; scrapped; vetoed; decided not to use"),
    ("open", "", "tbd; to be decided; to be determined; undecided; not decided; not yet decided; open question; still open; "
        "unresolved; not decided yet"),
    ("limit", "at_most", "at most; no more than; not more than; up to; max; maximum; maximum of; a maximum of; at max; no greater than; "
        "no larger than; no longer than; no higher than; within; or less; or fewer; or below; capped at; cap at; cap of; limited to; "
        "limit to; limit of; limit; tops; <=; ≤; upper limit; upper limit of; not above; not over"),
    ("limit", "at_least", "at least; no less than; not less than; no fewer than; not fewer than; min; minimum; minimum of; a minimum of; "
        "at minimum; or more; or greater; or above; or higher; >=; ≥; no smaller than; no lower than; not below; not under; lower limit"),
    ("limit", "less_than", "less than; fewer than; under; below; smaller than; shorter than; lower than; <"),
    ("limit", "more_than", "more than; over; above; greater than; larger than; longer than; exceed; >"),
    ("limit", "equals", "exactly; precisely; equal; equal to; a total of; in total; total of"),
    ("limit", "about", "about; around; roughly; approximately; approx; circa; ~; ≈"),
    ("limit", "between", "between; from"),
    ("versus", "left", "instead of; rather than; in place of; in lieu of; over; and not; but not; as opposed to; replaces; supersedes; "
        "preferred over; preferred to; chosen over; picked over; to replace"),
    ("versus", "right", "in favor of; in favour of; replaced by; replaced with; superseded by"),
    ("change", "to", "switch from; switched from; move from; moved from; migrate from; migrated from; change from; changed from"),
    ("change", "with by for", "replace; swap; exchange; swap out"),
    ("place", "", "for; in; on; inside; inside of; during; at; throughout; across"),
    ("condition", "", "except; except for; except in; except on; other than; apart from; besides; unless; if; when; while; until; "
        "after; before; outside; outside of; only in; only for; only on; only if; only when; for now; as long as; once; whenever; where; "
        "without; but only; but not for; but not in; excluding; at the moment; not in; not for; not on; not inside; not during; in all but; "
        "except when; except if; within"),
    ("reason", "", "because; because of; so that; otherwise; due to; in order to; given that; to keep; to avoid"),
    ("join", "and", "and; &; plus; as well as; along with; and also; ,; ;; –; —; -"),
    ("join", "or", "or; /; nor; and no; or any; , or; and/or"),
    ("join", "but", "but; but also; yet; however; although; though; not only; whereas"),
    ("mark", "", "=; :; :=; =="),
    ("truth", "yes", "true; yes; on; enabled; 1"),
    ("truth", "no", "false; no; off; disabled; never; none; 0; n"),
    ("fill", "", "a; an; the; any; our; my; your; their; its; this; these; we; you; i; it; us; is; are; be; been; being; was; "
        "were; to; of; please; also; there; ever; at all; whatsoever; here; then; as; with; so far; by; will; let us; let's; "
        "we're; we'll; i'll; you'll; it's; anything; anyone; anybody; anywhere; any kind of; times; i'm; has been; have been; \"; '; `; *; .; "
        "!; “; ”; ’"),
    ("label", "", "note; important; rule; reminder; constraint; requirement; warning; decision; preference; decided; rules; "
        "constraints; requirements; user; human; assistant; me; you; hard rule; hard constraint"),
)

# A scope that begins with one of these words is a reason, an example or a manner of speaking.
NO_SCOPE = frozenset("example instance order reason reasons sake purpose general particular fact case mind principle total short all addition detail "
                     "theory practice advance mine yours case place time which that this it".split())
NO_SENTENCE_END = frozenset("e.g i.e etc vs approx ca incl no fig eq sec cf al dr mr mrs ms st resp max min".split())

ALIAS_WORDS_AT_MOST = 8
ARTICLES = frozenset("a an the any our my your their".split())  # "delete the files" is "delete files"
_PHRASE_WORD = re.compile(r"(?<![^\W_])[+-]?[€$£]?(?:\d+(?:[.,]\d+)*|\.\d+)[^\W_]*%?|[^\W_]+(?:['’.][^\W_]+)*(?:\+\+|#)?|[<>:=!]=|[^\w\s]|_")


def words_of(text: str) -> list[tuple[str, int, int]]:
    """The words and signs of a text, folded, with where they stand. Hyphens and underscores inside a word part it in two."""
    found = []
    for match in _PHRASE_WORD.finditer(text):
        word, start, end = match[0], match.start(), match.end()
        if word in "-_‑" and 0 < start and end < len(text) and text[start - 1].isalnum() and (text[end].isalnum() or text[end] in "-_"):
            continue
        found.append((word.casefold().replace("’", "'"), start, end))
    return found


@lru_cache(maxsize=1 << 12)
def word_forms(word: str) -> tuple[str, ...]:
    """A word, and what it could be a plural, a participle or a past form of; the lexicon knows which of these exists."""
    forms = [word]
    if len(word) < 4 or not word.isalpha():
        return (word,)
    if word.endswith("ies"):
        forms.append(word[:-3] + "y")
    elif word.endswith(("ches", "shes", "sses", "xes", "zes")):
        forms += [word[:-2], word[:-1]]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        forms.append(word[:-1])
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 1:
            forms += [base, base + "e"] if len(base) > 2 else [base + "e"]
            if len(base) > 3 and base[-1] == base[-2]:
                forms.append(base[:-1])
    if word.endswith("ied"):
        forms.append(word[:-3] + "y")
    return tuple(forms)


def plant(tree: dict, words: tuple[str, ...], what: object) -> None:
    """Put a row of words into a tree of words; `longest` finds it."""
    for word in words:
        tree = tree.setdefault(word, {})
    tree[""] = what


def longest(tree: dict, words: list[tuple[str, int, int]], at: int, skipped: frozenset = frozenset()) -> tuple[int, object]:
    """`(how many words, what they stand for)` of the longest row of words in the tree that begins at `at`; `(0, None)` for none. One word
    of `skipped` may stand before each but the first. A look-up goes no deeper than the tree, so a text is looked through in linear time."""
    found, i, trees = (0, None), at, [tree]
    while i < len(words):
        if i > at and words[i][0] in skipped and i + 1 < len(words):
            i += 1
        forms = word_forms(words[i][0])
        trees = [tree[form] for form in forms for tree in trees if form in tree]
        if not trees:
            break
        i += 1
        if ends := [tree[""] for tree in trees if "" in tree]:
            found = (i - at, ends[0])  # the word as it stands comes before what it could be a form of
    return found


def _grammar_tree() -> dict:
    tree: dict = {}
    for name, words in VERB_CLASSES.items():
        for phrase in words.split("; "):
            key = tuple(word for word, _, _ in words_of(phrase))
            known = longest(tree, [(word, 0, 0) for word in key], 0)
            classes = known[1][1] if known[0] == len(key) and known[1][0] == "verb" else ()
            plant(tree, key, ("verb", (*classes, name)))
    for kind, data, words in PHRASE_GRAMMAR:
        for phrase in words.split("; "):
            key = tuple(word for word, _, _ in words_of(phrase))
            node = tree
            for word in key:
                node = node.get(word, {})
            if key and "" not in node:
                plant(tree, key, (kind, data))
    return tree


PHRASE_TREE = _grammar_tree()
BASE_VERBS = frozenset(phrase.split()[0] for phrases in VERB_CLASSES.values() for phrase in phrases.split("; "))
