"""What is said over several turns: an answer with its question, a yes with what it accepts, a refusal with what it refuses, a failed way with what
worked instead, a list of tasks with their state."""
from __future__ import annotations

import json
import re

from .cues import find_cues, spoken_words
from .said import STATEMENT_AT_MOST, CueWeights, Statement, anchors_of, plain

_SHORT_ANSWER = 300         # characters of an answer that needs its question
_PICK = re.compile(r"(?<![\w.])(\d{1,2})\s?[.):=-]{0,2}\s?\(?([A-Ha-h])\b(?![\w'’-])((?:\s?(?:\+|&|,|and|und|et|y|и)\s?[A-Ha-h]\b){0,4})")
_BARE_PICK = re.compile(r"(?i)\s*(?:(?:option|let'?s go with|go with|choose|i choose|i pick|pick|number|no\.|#)\s{1,3})?(\d{1,2}|[a-h])"
                        r"(?:\s?(?:,|and|&|\+)\s?(\d{1,2}|[a-h]))?\s?[.!)]?\s*(?:please|thanks)?[.!]?\s*\Z")
_OPTION = re.compile(r"^[ \t>*_#-]{0,8}(?:[Oo]ption[ \t]{1,3})?([A-Ha-h]|\d{1,2})\*{0,2}[).:][ \t*]{1,6}([^\n]{2,300})"
                     r"|^[ \t|*]{1,8}([A-H])\)[ \t*]{0,4}([^\n]{2,300})", re.M)
_QUESTION_HEAD = re.compile(r"^[ \t>*_#-]{0,8}(\d{1,2})[.)][ \t]{1,4}([^\n]{2,200})", re.M)
_TASK_STATES = {"completed": "done", "done": "done", **dict.fromkeys(("pending", "in_progress", "todo", "open"), "open")}
_TAKES_BACK = re.compile(r"(?i)\s{0,4}(?:(?:wait|hmm|actually|oh|unfortunately)\b|(?:that|this|it|the (?:approach|attempt|previous \w{1,20}))"
                         r"(?:'s| is| was)? (?:won't|doesn't|didn't|does not|did not|not|isn't|wasn't|failed|fails|can't|cannot|couldn't|breaks)\b)")
_PROPOSES = ("decision", "goal", "open")


def bound_statements(turns: list, found: list) -> list[Statement]:
    """Statements that need more than one turn to be understood. `found` are those of single turns, in order."""
    by_turn: dict[int, list[Statement]] = {}
    for statement in found:
        by_turn.setdefault(statement.turn, []).append(statement)
    bound: list[Statement] = []
    reply = 0           # number of the last reply, and before which turn what was called
    replies: list[int] = []
    for number, turn in enumerate(turns, 1):
        if turn.kind == "reply":
            bound += _turned_back(number, turns, by_turn)
            reply = number
            replies.append(number)
        elif turn.kind in ("human", "steer") and reply:
            bound += _answered(number, turn.text, [turns[at - 1].text for at in replies[-3:]], by_turn.get(reply, []), by_turn.get(number, []))
        elif turn.kind == "answer":
            bound += (made_statement(number, "user", "decision", text, "", 0.15) for text in _form_answers(turn.text))
        if turn.kind in ("human", "steer"):
            bound += _refused(number, turns)
    return bound + _tasks(turns)


def made_statement(number: int, author: str, kind: str, text: str, context: str, bonus: float, quote: str = "", span: tuple = (0, 0)) -> Statement:
    """A statement that a rule put together, with the type that the rule knows."""
    said = plain(text)[:STATEMENT_AT_MOST]
    cues = {cue.kind: float(cue.weight) for cue in find_cues(said)}
    made = Statement(turn=number, kind="human" if author == "user" else "reply", author=author, start=span[0], end=span[1], text=said,
                     quote=quote or said, context=plain(context)[:100], under=(), unit="sentence", cues=CueWeights(cues),
                     words=spoken_words(said)[1], anchors=anchors_of(said), order=number, at=0, until=0, label=False, mark=False, spoken=len(said))
    made.sure, made.bonus = kind, bonus
    return made


def _answered(number: int, text: str, asked: list[str], proposed: list[Statement], own: list[Statement]) -> list[Statement]:
    """A short answer with the options it picks, or with the proposal it accepts."""
    if len(text) > _SHORT_ANSWER:
        return []
    picks = [(found[1], [letter.upper() for letter in re.findall(r"[A-Ha-h]\b", found[2] + found[3])]) for found in _PICK.finditer(text)]
    made = []
    for question, letters in picks:
        for reply in reversed(asked):
            title, options = _options_under(reply, question)
            chosen = [options[letter] for letter in letters if letter in options]
            if chosen:
                made.append(made_statement(number, "user", "decision", " + ".join(chosen), title, 0.3, text, (0, len(text))))
                break
    if made:
        return made
    bare = _BARE_PICK.match(text)
    if bare and asked:
        _, options = _options_under(asked[-1], "")
        chosen = [options[pick.upper()] for pick in bare.groups() if pick and pick.upper() in options]
        if chosen:
            return [made_statement(number, "user", "decision", " + ".join(chosen), "", 0.3, text, (0, len(text)))]
    if any(statement.cues["accept"] for statement in own[:1]) and proposed:
        offer = next((one for one in reversed(proposed) if one.mark or any(one.cues[kind] >= 2 for kind in _PROPOSES)), None)
        if offer is None:       # thanks for news is no decision
            return []
        said = f"{offer.text[:STATEMENT_AT_MOST - 80]} -> user: {plain(text)[:80]}"
        return [made_statement(number, "user", "decision", said, offer.context, 0.2, text, (0, len(text)))]
    return []


def _options_under(reply: str, question: str) -> tuple[str, dict[str, str]]:
    """(title, options by letter or number) of the question with this number in a reply; of the last list in it where there is no number."""
    part, title = reply, ""
    if question:
        heads = list(_QUESTION_HEAD.finditer(reply))
        at = next((place for place, head in enumerate(heads) if head[1] == question), None)
        if at is None:
            return "", {}
        part = reply[heads[at].end():heads[at + 1].start() if at + 1 < len(heads) else len(reply)]
        title = heads[at][2].strip(" *#:")
    options: dict[str, str] = {}
    for found in _OPTION.finditer(part):
        letter, words = (found[1], found[2]) if found[1] else (found[3], found[4])
        options[letter.upper()] = f"{letter.upper()}) {words.strip(' *|')}"
    return title, options


def _form_answers(text: str) -> list[str]:
    """The pairs of a form as `question = answer`."""
    pairs = re.findall(r"\"([^\"\n]{3,300})\"\s?=\s?\"([^\"]{1,300})\"", text[:20_000])
    return [f"{question} = {answer}" for question, answer in pairs]


def _refused(number: int, turns: list) -> list[Statement]:
    """A person stopped the agent, or refused its call, and said why: what was about to be done is rejected."""
    turn = turns[number - 1]
    if len(turn.text) > 400 or turn.text.count("\n") > 3 or turn.text.startswith("The user wants to"):
        return []
    before = turns[max(0, number - 5):number - 1]
    stopped = [at for at, other in enumerate(before) if other.kind == "abort"]
    if not (stopped or turn.kind == "steer"):
        return []
    if not any(cue.kind in ("refuse", "correction") or cue.kind == "rejection" and cue.weight >= 2 for cue in find_cues(turn.text)):
        return []
    doing = before[:stopped[0]] if stopped else before
    proposal = next((plain(other.text) for other in reversed(doing) if other.kind == "reply" and len(other.text) > 30), "")
    call = next((other.text for other in reversed(doing) if other.kind == "call"), "")
    if not (proposal or call):
        return []
    instead = next((plain(other.text) for other in turns[number:number + 3] if other.kind == "reply"), "")
    said = f"{_ending_of(proposal or call)} -> stopped by the user: {plain(turn.text)[:130]}" + (f" -> {instead[:70]}" if instead else "")
    return [made_statement(number, "user", "rejection", said, "", 0.1, turn.text, (0, len(turn.text)))]


def _ending_of(text: str) -> str:
    """The last words of a text, from the beginning of a sentence or at least of a word."""
    if len(text) <= 190:
        return text
    tail = text[-190:]
    cut = tail.find(". ") + 1 or tail.find(" ")
    return tail[cut + 1:] if cut < 120 else tail[tail.find(" ") + 1:]


def _turned_back(number: int, turns: list, by_turn: dict) -> list[Statement]:
    """An agent takes back what it just did ("Wait, that won't work"): the words with what they are about."""
    own = by_turn.get(number, [])[:1]
    if not own or own[0].cues["rejection"] < 2 or not _TAKES_BACK.match(own[0].quote):
        return []
    before = next((turn for turn in reversed(turns[max(0, number - 4):number - 1]) if turn.kind in ("call", "reply")), None)
    if before is None:
        return []
    said = f"{plain(before.text)[:160]} -> {own[0].text[:230]}"
    return [made_statement(number, "assistant", "rejection", said, "", 0.1, own[0].quote, (own[0].start, own[0].end))]


def _tasks(turns: list) -> list[Statement]:
    """The last state of every task that the agent wrote down: open or done."""
    state: dict[str, tuple[str, int]] = {}
    names: dict[str, str] = {}
    for number, turn in enumerate(turns, 1):
        if turn.tool is None or turn.kind != "call":
            continue
        arguments = turn.tool.arguments
        listed = arguments.get("todos") or arguments.get("plan")
        if listed and listed[:1] == "[":
            try:
                tasks = json.loads(listed)
            except ValueError:
                continue
            state = {}
            for task in tasks:
                if isinstance(task, dict) and isinstance(task.get("content") or task.get("step"), str):
                    state[task.get("content") or task["step"]] = str(task.get("status")), number
        elif arguments.get("subject") and turn.tool.name.startswith("Task"):
            names[str(len(names) + 1)] = arguments["subject"]
            state[arguments["subject"]] = "pending", number
        elif arguments.get("taskId") in names and arguments.get("status"):
            state[names[arguments["taskId"]]] = arguments["status"], number
    found = []
    for kind in ("open", "done"):
        tasks = [(task, status, number) for task, (status, number) in state.items() if _TASK_STATES.get(status) == kind]
        for task, status, number in tasks[:20]:
            found.append(made_statement(number, "assistant", kind, f"Task {status.replace('_', ' ')}: {task}", "", 0.15 if kind == "open" else -0.1))
    return found

