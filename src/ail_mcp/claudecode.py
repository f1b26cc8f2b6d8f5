"""Claude Code session files and printed streams: records to turns.

Files are `~/.claude/projects/<slug>/<uuid>.jsonl`; a stream is what `claude -p --output-format stream-json` prints.

What a person said is in five places, and only one of them is user text: a refused tool call carries the words of the refusal in an
error result; a prompt typed while the agent ran may exist only in a queue record or in a `queued_command` attachment; answers to question
forms and plan approvals are tool results; what follows a slash command is in `<command-args>`. And not all user text is a person's:
harness, hooks and skills write there too. The envelope tells them apart, never the wording of a message from elsewhere.

The vendor calls the format internal, so nothing here relies on a field being there or having the type that it had in versions 1.0 to 2.1.
"""
from __future__ import annotations

from collections import deque

from .transcript import Reading, as_dict, as_text, between, blocks_text, call_line, content_blocks, with_questions

# How the texts begin that a harness writes into the user's role.
_CLAUDE_MACHINE_TAGS = ("command-name", "command-message", "command-args", "local-command-stdout", "local-command-stderr", "local-command-caveat",
                        "bash-input", "bash-stdout", "bash-stderr", "task-notification", "user-prompt-submit-hook", "teammate-message",
                        "system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "user-memory-input")
_CLAUDE_MACHINE_STARTS = tuple(f"<{tag}{end}" for tag in _CLAUDE_MACHINE_TAGS for end in "> ") + (
    "Caveat: The messages below", "Operation stopped by hook:", "Base directory for this skill:", "[Image: ")
_CLAUDE_SUMMARY_START = "This session is being continued from a previous conversation"
_CLAUDE_INTERRUPTED = "[Request interrupted by user"

# Harness text that stands inside or in front of what a person typed: it is cut out, the rest stays.
_CLAUDE_LEADING_ASIDES = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics")

# Refusals: how the error begins, what stands before the person's words, and advice to the model that newer versions append.
_CLAUDE_REFUSALS = ("The user doesn't want to ", "Permission for this tool use was denied", "User rejected", "User dismissed")
_CLAUDE_REFUSAL_WORDS = ("the user said:\n", "The user said:\n", "The user provided the following reason for the rejection:")
_CLAUDE_REFUSAL_ADVICE = "\n\nNote: The user's next message may contain a correction"

_CLAUDE_FORMS = ("AskUserQuestion", "ExitPlanMode")
_CLAUDE_BOOKKEEPING = frozenset(
    "file-history-snapshot last-prompt ai-title custom-title agent-name permission-mode mode pr-link summary progress"
    " result stream_event control_request control_response keep_alive".split())  # of a printed stream; its result says the last reply again
_CLAUDE_TYPES = _CLAUDE_BOOKKEEPING | {"user", "assistant", "system", "attachment", "queue-operation"}
_QUEUE_DEPTH = 64           # queued prompts that may wait for their copy in a user record
_QUEUE_PATIENCE = 8         # typed prompts after which the copy of a taken prompt is no longer expected


def is_claude_code(record: dict) -> bool:
    """Whether a JSON record looks like one of Claude Code's."""
    kind = as_text(record.get("type"))
    at_home = "sessionId" in record or "leafUuid" in record or "messageId" in record
    return "parentUuid" in record or (at_home and kind in _CLAUDE_TYPES) or (
        kind in ("user", "assistant") and as_dict(record.get("message")).get("role") == kind)


def read_claude_code(records: object, reading: Reading) -> None:
    """Turn the records of one file, in file order, into turns of `reading`.

    File order is kept, since parallel tools and progress records fork the tree of parents at every step; only where two typed
    prompts share a parent was a prompt edited, and then only the last branch was said.
    """
    session = ClaudeSession(reading)
    for record in records:
        session.take(record)
    session.close()


def _of_subagent(record: dict) -> bool:
    return bool(record.get("isSidechain") or record.get("parent_tool_use_id"))


class ClaudeSession:
    """What must be remembered between the records of a file. Turns go to `reading`; `origins` names the record of each."""

    __slots__ = (
        "command", "edited_away", "forms", "ids", "last_uuid", "messages", "origins", "parents", "person_spoke", "prompt_under", "reading",
        "said_elsewhere", "unclaimed", "waiting",
    )

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.origins: list[str | None] = []
        self.command: object = None                         # the Tool of the last slash command: the text it stands for comes next
        self.parents: dict[str, str | None] = {}            # uuid -> uuid of the parent
        self.last_uuid: str | None = None
        self.prompt_under: dict[str, str] = {}              # parent -> the last typed prompt under it
        self.edited_away: set[str] = set()                  # typed prompts that a later sibling replaced
        self.messages: dict[str, tuple[int, list]] = {}     # message id -> index of its reply, texts of the reply
        self.person_spoke = -1                              # index of the last turn that is neither a reply nor a call
        self.forms: dict[str, tuple[str, dict]] = {}        # id of a tool call -> (form, what it showed)
        self.waiting: deque = deque()                       # queued prompts not yet taken, as [text, turn index, patience]
        self.unclaimed: deque = deque(maxlen=_QUEUE_DEPTH)  # queued prompts, taken or not, whose copy may still come
        self.said_elsewhere: set[int] = set()               # indexes of turns to drop: the same words stand elsewhere
        self.ids: set[str] = set()

    def take(self, record: dict) -> None:
        """Read one record."""
        uuid, parent, kind = record.get("uuid"), record.get("parentUuid") or record.get("logicalParentUuid"), record.get("type")
        if isinstance(record.get("sessionId"), str):
            self.ids.add(record["sessionId"])
        if isinstance(uuid, str):
            if uuid in self.parents:
                self.reading.skip("repeated records")
                return
            parent = parent if isinstance(parent, str) else None
            self.parents[uuid] = self.last_uuid if parent == self.last_uuid else parent     # the same object: half the memory
            self.last_uuid = uuid
        if kind == "assistant":
            self.assistant(record)
        elif kind == "user":
            self.user(record)
        elif kind == "queue-operation":
            self.queue(record)
        elif kind == "attachment":
            self.attachment(record)
        elif kind == "system":
            if record.get("subtype") == "compact_boundary":
                self.say(record, "system", "boundary", as_text(record.get("content")))
            else:
                self.reading.skip("harness texts")
        elif isinstance(kind, str) and kind in _CLAUDE_BOOKKEEPING:
            self.reading.skip("bookkeeping records")
        else:
            self.reading.unknown_type(kind)

    def say(self, record: dict, role: str, kind: str, text: object, tool: object = None) -> bool:
        """Add a turn that comes from this record; False when there was nothing in it."""
        if not self.reading.add(role, kind, text, record.get("timestamp"), tool):
            return False
        uuid = record.get("uuid")
        self.origins.append(uuid if isinstance(uuid, str) else None)
        if kind not in ("reply", "call", "sub"):
            self.person_spoke = len(self.origins) - 1
        return True

    # -- the assistant's side

    def assistant(self, record: dict) -> None:
        """Replies and tool calls. Text of the model `<synthetic>` is the harness speaking ("API Error: ...")."""
        message, side = as_dict(record.get("message")), _of_subagent(record)
        machine = message.get("model") == "<synthetic>" or bool(record.get("isApiErrorMessage"))
        for block in content_blocks(message.get("content")):
            kind = block.get("type")
            if kind == "text":
                if machine:
                    self.reading.skip("harness texts")
                elif side:
                    self.say(record, "subagent", "sub", block.get("text"))
                else:
                    self.reply(record, message.get("id"), as_text(block.get("text")))
            elif kind in ("tool_use", "server_tool_use"):
                self.call(record, block, side)
            else:
                self.reading.skip_block(kind)

    def reply(self, record: dict, message_id: object, text: str) -> None:
        """One answer is many records, one block in each, with results of parallel tools between them: the message id joins them."""
        index, texts = self.messages.get(message_id, (-1, [])) if isinstance(message_id, str) else (-1, [])
        if index < 0 or index < self.person_spoke:
            if self.say(record, "assistant", "reply", text) and isinstance(message_id, str):
                self.messages[message_id] = len(self.origins) - 1, [text]
        elif text and not text.isspace() and text not in texts[-8:]:
            if text.startswith(texts[-1]):
                texts.pop()             # the same block, longer: written while it streamed
            texts.append(text)

    def call(self, record: dict, block: dict, side: bool) -> None:
        name, shown, call_id = as_text(block.get("name")), as_dict(block.get("input")), block.get("id")
        if name in _CLAUDE_FORMS and isinstance(call_id, str):
            self.forms[call_id] = name, shown
        if side:
            self.reading.skip("tool calls of subagents")
        else:
            self.say(record, "assistant", "call", call_line(name, shown), self.reading.tool(name, shown, call_id))

    # -- the user's role: a person, or a machine in it

    def user(self, record: dict) -> None:
        """Each block on its own: what a person typed, what a tool returned, an image."""
        for block in content_blocks(as_dict(record.get("message")).get("content")):
            kind = block.get("type")
            if kind == "text":
                self.user_text(record, as_text(block.get("text")))
            elif kind == "tool_result":
                self.result(record, block)
            else:
                self.reading.skip_block(kind)

    def user_text(self, record: dict, text: str) -> None:
        meta = bool(record.get("isMeta"))
        if record.get("isCompactSummary") or (not meta and text.startswith(_CLAUDE_SUMMARY_START)):
            self.say(record, "user", "compact", text)
        elif text.startswith(_CLAUDE_INTERRUPTED):
            self.say(record, "user", "abort", text)
        elif _of_subagent(record):
            self.say(record, "subagent", "sub", text)
        elif meta or as_dict(record.get("origin")).get("kind") == "task-notification":
            if meta and self.command and not self.command.output:
                self.reading.returned("command", text)
            self.reading.skip("harness texts")
        else:
            words = without_asides(text)
            if words.lstrip().startswith(_CLAUDE_MACHINE_STARTS):
                self.machine_text(record, words)
            elif self.say(record, "user", "human", words):
                self.claim(words)
                self.typed(record)
            elif text:
                self.reading.skip("harness texts")

    def machine_text(self, record: dict, text: str) -> None:
        """Text with a harness tag: what a person typed inside it is kept (command and arguments, a memory note), the rest is counted."""
        name = between(text, "<command-name>", "</command-name>")
        self.command = self.reading.tool("command", {"input": name}, "command") if name else None
        shell = between(text, "<bash-input>", "</bash-input>")
        said = self.say(record, "user", "command", name or (f"!{shell}" if shell else ""), self.command)
        said |= self.say(record, "user", "human", between(text, "<command-args>", "</command-args>"))
        said |= self.say(record, "user", "preference", between(text, "<user-memory-input>", "</user-memory-input>"))
        if not said:
            self.reading.skip("harness texts")

    def result(self, record: dict, block: dict) -> None:
        """A tool result: a refusal with or without words, the answer to a form, or the output of a tool (counted, not kept)."""
        call_id, extra = block.get("tool_use_id"), record.get("toolUseResult")
        self.reading.returned(call_id, blocks_text(block.get("content")) if self.reading.tools else "", block.get("is_error") is True)
        form, shown = self.forms.get(call_id, ("", {})) if isinstance(call_id, str) else ("", {})
        refused = block.get("is_error") is True or (isinstance(extra, str) and extra.startswith("Error: The user doesn't want to "))
        if not refused and not form:
            self.reading.skip("tool outputs")
            return
        text = blocks_text(block.get("content"))
        if refused and text.startswith(_CLAUDE_REFUSALS):
            words = refusal_words(text)
            if words:
                self.say(record, "user", "steer", words)
            elif not self.say(record, "user", "abort", text.split(_CLAUDE_REFUSAL_ADVICE, 1)[0]):
                self.reading.skip("tool outputs")
        elif not refused and self.say(record, "user", "answer", answer_text(form, shown, text, extra)):
            pass
        else:
            self.reading.skip("tool outputs")

    # -- prompts typed while the agent ran

    def queue(self, record: dict) -> None:
        """First in, first out: `dequeue` sends the next one as a prompt, `remove` hands it over in mid-turn (often no other record has
        it), `popAll` pulls all back into the editor: not said."""
        operation, text = record.get("operation"), as_text(record.get("content"))
        if operation == "enqueue":
            entry = [text.strip(), None, _QUEUE_PATIENCE]
            self.waiting.append(entry)
            if text.lstrip().startswith(_CLAUDE_MACHINE_STARTS):
                self.reading.skip("harness texts")
            elif self.say(record, "user", "steer", without_asides(text)):
                entry[1] = len(self.origins) - 1
                self.unclaimed.append(entry)
        elif operation == "popAll":
            for entry in self.waiting:
                if entry[1] is not None:
                    self.reading.turns[entry[1]] = self.reading.turns[entry[1]]._replace(kind="withdrawn")
                    entry[2] = 0
            self.waiting.clear()
        elif operation in ("dequeue", "remove"):
            if self.waiting:
                self.waiting.popleft()[2] -= 1      # from now on its patience runs, see claim
        else:
            self.reading.unknown_type(operation)

    def attachment(self, record: dict) -> None:
        """Newer versions hand a queued prompt over as an attachment; all other kinds are context that the harness adds."""
        attached = as_dict(record.get("attachment"))
        text = blocks_text(attached.get("prompt"))
        prompt = attached.get("type") == "queued_command" and attached.get("commandMode") == "prompt"
        if prompt and self.say(record, "user", "steer", without_asides(text)):
            self.claim(text)
        else:
            self.reading.skip("harness texts")

    def claim(self, text: str) -> None:
        """These words have a record of their own: drop the copy that came by the queue. Several queued prompts may be sent as one,
        each on lines of its own. A queued "yes" is not the "yes" that is typed long after it was taken."""
        text, later = text.strip(), []
        framed = f"\n{text}\n"
        found = False
        for entry in self.unclaimed:
            queued, index, patience = entry
            if patience <= 0:
                continue
            same = queued == text and not found
            if same or (len(queued) < len(text) and f"\n{queued}\n" in framed):
                self.said_elsewhere.add(index)
                found = found or same
                continue
            if patience < _QUEUE_PATIENCE:
                entry[2] -= 1
            later.append(entry)
        self.unclaimed.clear()
        self.unclaimed.extend(later)

    # -- edited prompts

    def typed(self, record: dict) -> None:
        """Remember a typed prompt under its parent. A second one there means that the first was edited."""
        uuid = record.get("uuid")
        parent = self.parents.get(uuid) if isinstance(uuid, str) else None
        if parent is not None:
            before = self.prompt_under.get(parent)
            if before is not None and before != uuid:
                self.edited_away.add(before)
            self.prompt_under[parent] = uuid

    def abandoned(self) -> set[str]:
        """The records on branches below edited prompts."""
        children: dict[str, list[str]] = {}
        for uuid, parent in self.parents.items():
            if parent is not None:
                children.setdefault(parent, []).append(uuid)
        gone, todo = set(), list(self.edited_away)
        while todo:
            uuid = todo.pop()
            if uuid not in gone:
                gone.add(uuid)
                todo += children.get(uuid, ())
        return gone

    def close(self) -> None:
        """Drop what was not said (edited away) or stands elsewhere (queue copies), fold repeats, and note it."""
        gone = self.abandoned() if self.edited_away else set()
        reading = self.reading
        for index, texts in self.messages.values():
            if reading.turns[index].text != texts[-1]:
                reading.turns[index] = reading.turns[index]._replace(text=reading.clean("\n\n".join(texts)))
        if gone:
            reading.skip("records below edited prompts", len(gone))
        if gone or self.said_elsewhere:
            reading.turns = [turn for index, (turn, origin) in enumerate(zip(reading.turns, self.origins))
                             if index not in self.said_elsewhere and origin not in gone]
        reading.fold_repeats()
        if len(self.ids) > 1:
            reading.facts.append(f"session ids in this file: {len(self.ids)}")


def is_machine_text(text: str) -> bool:
    """Whether a text in the user's role begins as the harness's texts do."""
    return text.lstrip().startswith((*_CLAUDE_MACHINE_STARTS, _CLAUDE_SUMMARY_START))


def without_asides(text: str) -> str:
    """The text without the harness's asides: reminders anywhere, and notes of the editor in front. One that is never closed stays."""
    opening, closing, kept, start = "<system-reminder>", "</system-reminder>", [], 0
    while (head := text.find(opening, start)) >= 0 and (tail := text.find(closing, head)) >= 0:
        kept.append(text[start:head])
        start = tail + len(closing)
    text = "".join(kept) + text[start:] if start else text
    start = 0
    while True:
        head = start + len(text[start:start + 200]) - len(text[start:start + 200].lstrip())
        tag = next((tag for tag in _CLAUDE_LEADING_ASIDES if text.startswith(f"<{tag}>", head)), None)
        tail = text.find(f"</{tag}>", head) if tag else -1
        if tail < 0:
            return text[start:]
        start = tail + len(tag) + 3


def refusal_words(text: str) -> str:
    """What the person said when refusing a tool call; empty when they said nothing."""
    for marker in _CLAUDE_REFUSAL_WORDS:
        if marker in text:
            return text.split(marker, 1)[1].split(_CLAUDE_REFUSAL_ADVICE, 1)[0].strip()
    return ""


def answer_text(form: str, shown: dict, text: str, extra: object) -> str:
    """An answer that can stand alone: as the tool reports it, with the questions or the approved plan added where the report lacks them."""
    if form == "ExitPlanMode":
        plan = as_text(shown.get("plan")) or as_text(as_dict(extra).get("plan"))
        return text if not plan.strip() or plan.strip() in text else f"{text}\n\nThe plan:\n{plan}"
    return with_questions(shown.get("questions"), as_dict(as_dict(extra).get("answers")), text)
