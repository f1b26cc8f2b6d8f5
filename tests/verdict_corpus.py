"""A corpus of summaries with one known error each, made from templates; the same on every machine.

`cases("seen")` and `cases("unseen")` use different phrasings for the same kinds of error: rules are written while looking at the first half and
tried on the second. A case is (id, kind, commitment, source turns, summary). Kinds: kept, omission, weakening, mutation, polarity_flip,
scope_error, temporal_error, hallucinated, safety_erasure.
"""
from __future__ import annotations

import random
from collections import namedtuple

Case = namedtuple("Case", "id kind commitment source summary")

# Each family: the commitment; slots with values and, after `>`, what a mistaken summary puts there; and for each kind the phrasings, seen | unseen.
FAMILIES = """
# spend
say: Do not spend more than {cap} on {what}.
slot cap: $400>$900; $1,250>$1,520; 60 dollars>80 dollars
slot what: cloud runners>printed flyers; test devices>office chairs
kept: Spending on {what} is capped at {cap}. / At most {cap} may be spent on {what}. | Keep the cost of {what} at or below {cap}. / For {what} the ceiling is {cap}.
weakening: Spending on {what} should be around {cap} if possible. / Try to keep {what} near {cap}. | Ideally {what} cost roughly {cap}. / We would prefer to spend about {cap} on {what}.
polarity_flip: Spending more than {cap} on {what} is fine. / The {cap} cap on {what} no longer applies. | It is okay to exceed {cap} on {what}. / There is no limit of {cap} on {what} any more; spend freely.
scope_error: Do not spend more than {cap} on {what'}. | At most {cap} may be spent on {what'}.
temporal_error: -
# paths
say: Only edit files in {dir}.
slot dir: lib/parser/>lib/lexer/; services/auth/>services/mail/; docs/guide/>docs/api/
kept: Edits are limited to {dir}. / Nothing outside {dir} may be changed. | Changes are allowed in {dir} only. / Stay within {dir} when editing files.
weakening: Edit mostly files in {dir}. / Edits usually happen in {dir}. | Prefer to edit files in {dir}. / It would be good to edit files mainly in {dir}.
polarity_flip: Files outside {dir} may be edited too. / Edit any file, not only those in {dir}. | Feel free to edit files beyond {dir}. / Editing is not restricted to {dir}.
scope_error: -
temporal_error: -
# never
say: Never {act} without asking {who}.
slot act: force-push the release branch>delete the release branch; delete user accounts>disable user accounts; restart the billing service>redeploy the billing service
slot who: Dana>Piotr; the on-call engineer>the new intern
kept: Always ask {who} before you {act}. / Do not {act} unless {who} was asked. | {who} must be asked first before anyone may {act}. / You must not {act} without {who} being asked.
weakening: Try not to {act} without asking {who}. / It is good practice to ask {who} before you {act}. | Where possible, ask {who} before you {act}. / Usually ask {who} before you {act}.
polarity_flip: You may {act} without asking {who}. / There is no need to ask {who} before you {act}. | Go ahead and {act} without asking {who}. / Asking {who} before you {act} is optional.
scope_error: Never {act} without asking {who'}. | Do not {act} unless {who'} was asked.
temporal_error: -
# must stay
say: {data} must stay in {place}.
slot data: Patient records>Marketing photos; Payment logs>Crash dumps
slot place: the Frankfurt cluster>the Dublin cluster; bucket eu-archive-2>bucket eu-archive-7
kept: {data} must remain in {place}. / {data} may not leave {place}. | {data} are to be kept in {place} at all times. / Never move {data} out of {place}.
weakening: {data} are usually in {place}. / {data} should preferably stay in {place}. | {data} generally stay in {place}. / {data} tend to be kept in {place} where feasible.
polarity_flip: {data} may leave {place}. / {data} can be copied outside {place}. | {data} do not have to stay in {place}. / Moving {data} out of {place} is allowed.
scope_error: {data'} must stay in {place}. | {data'} must remain in {place}.
temporal_error: -
# at most
say: Retry {op} at most {n} times.
slot op: the upload>the download; failed payments>failed logins; the index job>the backup job
slot n: 3>8; four>nine; 7>1
kept: {op} may be retried no more than {n} times. / Stop retrying {op} after {n} attempts. | The limit is {n} retries for {op}. / {op}: maximum of {n} retries.
weakening: Retry {op} a few times. / Retry {op} about {n} times. | Retry {op} roughly {n} times or so. / {op} should be retried several times.
polarity_flip: Retry {op} as often as needed. / Retry {op} more than {n} times. | There is no limit on how often {op} is retried. / Keep retrying {op} beyond {n} times.
scope_error: Retry {op'} at most {n} times. | The limit is {n} retries for {op'}.
temporal_error: -
# always
say: Always {duty} before a release.
slot duty: run the migration check>run the load check; update CHANGELOG.md>update ROADMAP.md; tag the commit>squash the commit
kept: Before every release you must {duty}. / It is mandatory to {duty} before releasing. | A release requires that you {duty} first. / No release before you {duty}.
weakening: Consider whether to {duty} before a release. / It would be nice to {duty} before a release. | If there is time, {duty} before a release. / Usually {duty} before a release.
polarity_flip: There is no need to {duty} before a release. / Never {duty} before a release. | You can skip this: {duty} before a release. / It is not necessary to {duty} before a release.
scope_error: -
temporal_error: -
# instead
say: Use {good}, not {bad}.
slot good: pnpm>bun; PostgreSQL 16>PostgreSQL 14; structlog>loguru
slot bad: npm>npm; SQLite>SQLite; print statements>print statements
kept: Use {good} instead of {bad}. / {good} is used rather than {bad}. | We use {good}; {bad} is out. / {bad} is not to be used, {good} is.
weakening: Prefer {good} where possible. / {good} might be better than {bad}. | Perhaps use {good} rather than {bad}. / {good} is usually used.
polarity_flip: Use {bad}, not {good}. / Use {bad} instead of {good}. | We use {bad} rather than {good}. / {bad} is used; {good} is not.
scope_error: -
temporal_error: -
# value
say: The {param} of {comp} is {val}.
slot param: timeout>batch size; port>log level
slot comp: the gateway>the scheduler; worker-b>worker-d
slot val: 45>54; 8085>8058; 900>300
kept: {comp} has a {param} of {val}. / For {comp} the {param} is set to {val}. | {param} of {comp}: {val}. / {comp} uses {val} as its {param}.
weakening: The {param} of {comp} is about {val}. | The {param} of {comp} is roughly {val} or so.
polarity_flip: The {param} of {comp} is not {val}. | The {param} of {comp} is no longer {val}.
scope_error: The {param} of {comp'} is {val}. | For {comp'} the {param} is set to {val}.
temporal_error: -
# rejected
say: We tried {opt} and dropped it because {why}.
slot opt: Redis Streams>Redis Streams; a regex parser>a regex parser; server-side rendering>server-side rendering
slot why: it lost messages>it lost messages; it was too slow>it was too slow
kept: {opt} was tried and dropped: {why}. / {opt} was abandoned because {why}. | {opt} was ruled out since {why}. / Rejected: {opt} ({why}).
weakening: -
polarity_flip: -
scope_error: -
temporal_error: We use {opt}. / The plan is to use {opt}. | {opt} is the chosen approach. / We decided on {opt}.
# open
say: {task} is still open.
slot task: The rate limit for uploads>x; The flaky login test>x; The French translation>x
kept: {task} is not done yet. / Still open: {task}. | {task} remains to be done. / {task} is pending.
weakening: -
polarity_flip: -
scope_error: -
temporal_error: {task} is done. / {task} was finished. | {task} has been completed. / {task} is already resolved.
# done
say: {task} is finished and merged.
slot task: The cache layer>x; The CSV export>x; The password reset page>x
kept: {task} was finished and merged. / {task} is done; it is merged. | Merged: {task} is complete. / {task} has been completed and merged.
weakening: -
polarity_flip: -
scope_error: -
temporal_error: {task} is still open. / {task} still has to be finished and merged. | {task} is not finished yet and waits to be merged. / {task} remains unfinished.
# safety
say: Never {harm}.
slot harm: log passwords>x; push to the main branch>x; share customer data with third parties>x; run migrations on the production database>x
kept: It is forbidden to {harm}. / You must not {harm}. | Under no circumstances {harm}. / Do not {harm}.
weakening: Try not to {harm}. / Avoid it where possible to {harm}. | Preferably do not {harm}. / Be careful when you {harm}.
polarity_flip: It is fine to {harm}. / You may {harm}. | Feel free to {harm}. / Permission was granted to {harm}.
scope_error: -
temporal_error: -
"""
INVENTED = """
The user approved the rollout to all regions. / The user asked for a dark theme on the settings page. / Deadline: everything must ship by Friday noon. / All 42 tests pass. / The memory limit was raised to 768 MB. / A ticket was filed as OPS-4417.
| The client signed off the new pricing page. / The user wants every module rewritten in Rust. / Nobody may deploy on Thursdays. / The whole suite is green: 42 of 42 tests pass. / The quota was set to 19 GB. / The results were published in docs/launch-report.md.
"""
FILLER = ("The lint step finished and its output was archived.", "Two reviewers looked at the patch in the morning.", "The meeting notes were sent around.", "Screenshots of the old page are in the wiki.",
          "The office moves to the third floor next month.", "The nightly job took eleven minutes.", "A colleague fixed a typo in the footer.", "The demo went well and people liked the colours.")
LOG = "pytest: 41 passed, 1 failed in 12.2s"


def families() -> list:
    """The families as dicts: say, slots, and for each kind (seen, unseen) lists of phrasings."""
    found: list = []
    for line in FAMILIES.strip().split("\n"):
        head, _, rest = line.partition(": ")
        if line.startswith("# "):
            found.append({"name": line[2:], "slots": {}, "kinds": {}})
        elif head == "say":
            found[-1]["say"] = rest
        elif head.startswith("slot "):
            found[-1]["slots"][head[5:]] = [tuple(pair.strip().split(">")) for pair in rest.split(";")]
        elif rest != "-":
            found[-1]["kinds"][head] = _halves(rest)
    return found


def _halves(text: str) -> tuple:
    seen, _, unseen = text.partition("|")
    return tuple([phrase.strip() for phrase in half.split(" / ") if phrase.strip()] for half in (seen, unseen))


def _fill(template: str, right: dict, wrong: dict) -> str:
    for name in right:
        template = template.replace("{" + name + "'}", wrong[name]).replace("{" + name + "}", right[name])
    return template[:1].upper() + template[1:]


def cases(half: str) -> list:
    """All cases of one half, in a fixed order."""
    chance = random.Random(f"verdicts-{half}")
    which = ("seen", "unseen").index(half)
    out: list = []

    def add(family: str, kind: str, commitment: str, sentence: str) -> None:
        before, after = chance.sample(FILLER, 2)
        source = [{"role": "user", "content": commitment}, {"role": "assistant", "content": f"Understood. {before}"}, {"role": "tool", "content": LOG}, {"role": "assistant", "content": after}]
        others = [text for text in FILLER if text not in (before, after)]
        lines = [chance.choice(others), sentence, after]
        summary = "\n".join("- " + line for line in lines if line) if chance.random() < 0.5 else " ".join(line for line in lines if line)
        out.append(Case(f"{family}-{kind}-{len(out)}", kind, commitment, source, summary))

    for family in families():
        names = list(family["slots"])
        rounds = max(map(len, family["slots"].values()))
        for n in range(rounds):
            right = {name: family["slots"][name][n % len(family["slots"][name])][0] for name in names}
            wrong = {name: family["slots"][name][n % len(family["slots"][name])][1] for name in names}
            commitment = _fill(family["say"], right, wrong)
            for kind, halves in family["kinds"].items():
                for phrase in halves[which]:
                    add(family["name"], kind, commitment, _fill(phrase, right, wrong))
                    if kind == "kept":
                        for name in names:  # the same sentence with one value changed
                            if wrong[name] not in (right[name], "x") and name in ("cap", "dir", "place", "n", "good", "val"):
                                add(family["name"], "mutation", commitment, _fill(phrase, {**right, name: wrong[name]}, wrong))
            add(family["name"], "safety_erasure" if family["name"] in ("safety", "never") else "omission", commitment, "")
            add(family["name"], "kept", commitment, commitment)
    family = families()[0]
    for n, claim in enumerate(_halves(" ".join(INVENTED.split()))[which] * 4):
        right = {name: values[n % len(values)][0] for name, values in family["slots"].items()}
        commitment = _fill(family["say"], right, right)
        add("invented", "hallucinated", commitment, f"{commitment} {claim}")
    return out
