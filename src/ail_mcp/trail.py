"""What an agent did, and what of it will be needed again: files with the names touched in them, commands and how they ended, tests, commits, errors.

Every name is ranked by how likely it is needed, see `needed`. `trail_lines`
fills a budget with the best names and says for each what it is: the file that was edited, with the functions that the edits show; the command, with
its end.
"""
from __future__ import annotations

import collections
import re
from collections import namedtuple

from .needed import Uses
from .said import anchors_of

Trail = namedtuple("Trail", "files commands git tests errors names")
Trail.__doc__ = """What `trail` finds, each list best first: FileUse, CommandUse, Happening (git, tests, errors), NameUse."""
FileUse = namedtuple("FileUse", "path how times turn weight names")
FileUse.__doc__ = """`how` is created, edited or read; `turn` the last use; `weight` how likely it is needed; `names` the names used in it, best
first, those that a change to it defines in front."""
CommandUse = namedtuple("CommandUse", "command failed times turn weight worth")
CommandUse.__doc__ = """`failed` is how it ended the last time: True, False, or None where nothing says it. `worth` is 2 for tests and checks, 1 for
other work, less for a look around."""
Happening = namedtuple("Happening", "text turn solved weight")
Happening.__doc__ = "One line about a commit, a branch, a test or an error. `solved` says of an error whether the same call later went well."
NameUse = namedtuple("NameUse", "name weight path")
NameUse.__doc__ = "A name, number, hash or address; `path` is the file that it was used in most, or empty."

_PATH_KEYS = ("file_path", "filePath", "notebook_path", "path", "filename", "target_file")
_WRITES = re.compile(r"(?i)edit|write|create|replace|patch|insert|update_file|save")
_CREATES = re.compile(r"(?i)write|create|save")
_PATCHED = re.compile(r"\*\*\* (Add|Update|Delete) File: ([^\n]{1,400})")
_FILE_NAME = re.compile(r"[^\s/]{1,200}\.\w{1,12}\Z")
_COMMIT = re.compile(r"^\[([\w./ ()-]{1,120}?) ([0-9a-f]{7,40})\] ([^\n]{1,160})|^(Commit) ([0-9a-f]{7,40}) ([^\n]{1,160})", re.M)
_BRANCH = re.compile(r"^(?:On branch|Switched to (?:a new )?branch|\* ) ?'?([\w./-]{1,160})'?$", re.M)
_REQUEST = re.compile(r"https://[\w.-]{1,80}/[\w./-]{1,120}/(?:pull|merge_requests|issues)/\d{1,9}")
_TEST_LINE = re.compile(
    r"^(?:---? )?(?:FAIL|FAILED|PASS|ok|not ok|✗|✕|✖)[: \t]{1,4}[^\n]{2,160}|^=+ [^\n=]{0,120}(?:passed|failed)[^\n=]{0,80}=+"
    r"|^test result: [^\n]{1,120}|^Tests?:[ \t]{1,8}[^\n]{1,120}|^[ \t]{0,4}\d{1,7} (?:passing|failing|passed|failed)\b[^\n]{0,60}"
    r"|^(?:FAILED|OK) ?\([^\n]{1,60}\)", re.M)
_TESTED = re.compile(r"\b(?:test|tests|pytest|jest|vitest|spec|ci|check|lint|tsc|clippy)\b|test:")
_ERROR_LINE = re.compile(r"^[^\n]{0,200}?(?:[Ee]rror|[Ee]xception|[Pp]anic|fatal|denied|not found|[Ff]ailed|FAIL|cannot|undefined)[^\n]{0,160}", re.M)
_FAILED_OUTPUT = re.compile(r"^(?:Exit code [1-9]\d{0,2}\b|Error: |<tool_use_error>)")
_DEFINES = re.compile(r"\b(?:def|func|fn|function|class|struct|interface|type|trait|enum|module)[ \t]{1,4}"
                      r"(?:\([^()\n]{0,80}\)[ \t]{0,4})?([A-Za-z_]\w{2,80})")
_BAD = re.compile(r"FAIL|fail|✗|✕|✖|not ok|[Ee]rror")
COMMAND_AT_MOST = 160
NAMES_IN_FILE = 40
_SURE_SHARE = 0.3          # of the room, at most, for them
_SURE_OF_EACH = 2           # of commands, commits, tests and errors the best so many come first
_NAMES_WEIGHED = 4_000      # the likeliest, of which the tokens are counted
_LINE_TOKENS = 5, 1         # of what begins a line, and of one more name on it
_COST_POWER = 0.7           # a long name must be likelier, but not by all of its length
_MISSES = 40                # offers that may be too long for the room before the search ends
_LOOKS = re.compile(r"(?:cd [^&;|]{1,200}&& ?)?(?:ls|cat|head|tail|grep|rg|find|sed -n|wc|pwd|echo|which|sleep|tree|stat|"
                    r"git (?:status|log|diff|show|branch|fetch|remote|blame)|gh (?:pr|issue|run|api)\b(?! create))\b")


def trail(turns: list) -> Trail:
    """The trail of a session read with tools; without them, what the one line of each call tells."""
    return _Tracker(turns).result()


class _Tracker:
    """The counts of everything that was used, filled in one pass over the turns."""

    def __init__(self, turns: list) -> None:
        self.count = len(turns)
        self.uses = Uses(self.count)
        self.where: dict[str, collections.Counter] = {}                 # name -> file -> weight
        self.files: dict[str, list] = {}                    # path -> [how, times, turn]
        self.commands: dict[str, list] = {}                 # command -> [failed, times, turn]
        self.defined: dict[str, set] = {}                   # file -> names that changes to it define
        self.git: dict[str, int] = {}
        self.tests: dict[str, int] = {}
        self.errors: dict[str, tuple[int, str]] = {}        # call -> (turn, line)
        self.unsolved: set[str] = set()
        for number, turn in enumerate(turns, 1):
            if turn.tool is not None and turn.kind == "call":
                self.call(number, turn.tool)
            elif turn.tool is not None and turn.kind == "reply":
                self.use(number, turn.text, "said")
                self.use(number, turn.tool.output, "output")
                self.commits(number, turn.tool.output)
            elif turn.kind == "call":
                self.use(number, turn.text, "asked")
            elif turn.tool is not None:
                self.use(number, turn.tool.output, "user")
            elif turn.kind in ("human", "steer", "answer", "preference", "note"):
                self.use(number, turn.text, "user")
            elif turn.kind in ("reply", "compact"):
                self.use(number, turn.text, "said")

    def use(self, number: int, text: str, how: str, path: str = "") -> None:
        """Count the names in a text, each once."""
        for name in anchors_of(text):
            name = name.rstrip(".,:;")
            if name[:1].isdigit() and name[-1:].isdigit() and len(name) < 3:
                continue
            self.uses.add(number, name, how)
            if path and "/" not in name:
                self.where.setdefault(name, collections.Counter())[path] += self.uses.fresh(number)

    def call(self, number: int, tool: object) -> None:
        arguments = tool.arguments
        path = next((arguments[key] for key in _PATH_KEYS if arguments.get(key) and _FILE_NAME.search(arguments[key])), "")
        command = arguments.get("command") or arguments.get("cmd") or ""
        if command[:2] == '["':
            command = command.strip('[]"').replace('","', " ")
        writes = bool(path and _WRITES.search(tool.name))
        failed = True if tool.failed or _FAILED_OUTPUT.match(tool.output) else tool.failed
        if path:
            creates = writes and _CREATES.search(tool.name) and "old_string" not in arguments
            self.file(number, path, "created" if creates else "edited" if writes else "read", failed)
        for what, patched in _PATCHED.findall("\n".join(arguments.values())):
            self.file(number, patched.strip(), "created" if what == "Add" else "edited", failed)
            path = path or patched.strip()
        if path and writes:
            for value in arguments.values():
                self.defined.setdefault(path, set()).update(_DEFINES.findall(value))
        for key, value in arguments.items():
            self.use(number, value, "written" if writes or "\n*** " in value else "asked", path if key not in _PATH_KEYS else "")
        self.use(number, tool.output, "output", path)
        self.commits(number, tool.output)
        if command:
            self.command(number, command, failed, tool.output)
            self.ended(number, command, failed, tool.output)

    def file(self, number: int, path: str, how: str, failed: bool | None) -> None:
        if failed:
            return
        before = self.files.get(path)
        if before is None:
            self.files[path] = [how, 1, number]
        else:
            if how != "read" and before[0] != "created":
                before[0] = "edited" if before[0] == "edited" or how == "edited" else "created" if before[0] == "read" and how == "created" else how
            before[1] += 1
            before[2] = number

    def command(self, number: int, command: str, failed: bool | None, output: str) -> None:
        line = " ".join(command.split("<<", 1)[0].split())[:COMMAND_AT_MOST]
        times = self.commands.get(line, (None, 0))[1]
        tested = list(dict.fromkeys(" ".join(test.split()) for test in _TEST_LINE.findall(output)))[:8] if _TESTED.search(line) else []
        if any(map(_BAD.search, tested)):
            failed = True       # a pipe hides how a test run ended
        self.commands[line] = [failed, times + 1, number]
        if command.lstrip().startswith("git") or "git " in command:
            for branch in _BRANCH.findall(output)[:1]:
                self.git[f"branch {branch}"] = number
        for request in _REQUEST.findall(output)[:2]:
            self.git[request] = number
        self.tests.update(dict.fromkeys(tested, number))

    def commits(self, number: int, output: str) -> None:
        """What git prints at a commit, or aider: `[main 22c57db] message`, `Commit 22c57db message`."""
        for where, commit, message, _, aiders, aiders_message in _COMMIT.findall(output):
            branch = where.replace("(root-commit)", "").strip()
            self.git[f"commit {commit} on {branch}: {message}" if commit else f"commit {aiders}: {aiders_message}"] = number

    def ended(self, number: int, call: str, failed: bool | None, output: str) -> None:
        """Remember an error until the same call goes well."""
        key = " ".join(call.split())[:80]
        if failed:
            line = _ERROR_LINE.search(output)
            text = " ".join((line[0] if line else output[:200]).replace("<tool_use_error>", "").split())[:200]
            self.errors[key] = number, text
            self.unsolved.add(key)
        elif key in self.unsolved:
            self.unsolved.discard(key)

    def result(self) -> Trail:
        fresh, chance = self.uses.fresh, self.uses.chance
        homes = {name: max(places.items(), key=lambda item: (item[1], item[0]))[0] for name, places in self.where.items()}
        names = sorted((NameUse(name, chance(name), homes.get(name, "")) for name in self.uses.last), key=lambda use: (-use.weight, use.name))
        in_file: dict[str, list[str]] = {}
        for name in names:
            if name.path:
                in_file.setdefault(name.path, []).append(name.name)
        files = [FileUse(path, how, times, turn, chance(path) + (how != "read") * fresh(turn),
                         self.names_in(path, in_file.get(path, ()))) for path, (how, times, turn) in self.files.items()]
        commands = [CommandUse(line, failed, times, turn, fresh(turn) * (1 + 0.5 * min(times, 4)) * _command_worth(line), _command_worth(line))
                    for line, (failed, times, turn) in self.commands.items()]
        git = [Happening(text, turn, None, 2 * fresh(turn)) for text, turn in self.git.items()]
        tests = [Happening(text, turn, None, fresh(turn) * (2.0 if _BAD.search(text) else 0.3 if text.startswith("ok") else 1.0))
                 for text, turn in self.tests.items()]
        errors = [Happening(f"{call}: {text}", turn, call not in self.unsolved, fresh(turn) * (2.0 if call in self.unsolved else 0.5))
                  for call, (turn, text) in self.errors.items()]
        return Trail(*(sorted(found, key=lambda use: (-use.weight, use[0])) for found in (files, commands, git, tests, errors)), names)


    def names_in(self, path: str, names: list[str]) -> tuple[str, ...]:
        defined = self.defined.get(path, ())
        return tuple(sorted(names, key=lambda name: name not in defined)[:NAMES_IN_FILE])


def trail_lines(found: Trail, room: int, count: object, said: str = "") -> list[str]:
    """Section lines of at most `room` tokens (`count` tells the tokens of a text): the names that are needed most, grouped by what they are.

    Files stand with the names used in them, `@ARCH edited := src/state.go: Load Save`, commands with their end, `@ARCH ran := make test -> ok`.
    Names that stand in `said`, the text around these lines, are left out.
    """
    files = {use.path: use for use in found.files}
    offers = [(use.weight, "file", use.path, use.path) for use in found.files]
    offers += [(name.weight, "name", name.name, name.name) for name in found.names[:_NAMES_WEIGHED] if name.name not in files]
    happened = (("ran", 0.05, found.commands), ("git", 0.3, found.git), ("test", 0.05, found.tests), ("error", 0.05, found.errors))
    told = [(worth, kind, place, use) for kind, worth, uses in happened for place, use in enumerate(uses)]
    offers += [(worth * use.weight, kind, use[0], use[0] + _ending(use)) for worth, kind, _, use in told]
    costs = [count(offer[3]) + _LINE_TOKENS[offer[1] == "name"] for offer in offers]
    best = sorted(zip(offers, costs), key=lambda one: (-one[0][0] / one[1] ** _COST_POWER, *one[0][1:3]))
    first = [(kind, use[0], use[0] + _ending(use)) for _, kind, place, use in sorted(told, key=lambda one: one[2]) if place < _SURE_OF_EACH]
    chosen: list[tuple[str, str, str]] = []
    left, misses = room, 0
    for kind, what, text in first:
        cost = count(text) + _LINE_TOKENS[False]
        if cost <= left - room * (1 - _SURE_SHARE) and text not in said:
            left -= cost
            said += text + "\n"
            chosen.append((kind, what, text))
    for (_, kind, what, text), cost in best:
        if kind == "name" and what in said or kind in ("git", "error", "test") and text in said or (kind, what, text) in chosen[:len(first)]:
            continue
        if cost > left:
            misses += 1
            if misses > _MISSES:
                break
            continue
        left -= cost
        said += text + "\n"
        chosen.append((kind, what, text))
    lines = _trail_parts(chosen, files, {name.name: name.path for name in found.names})
    while chosen and count("\n".join(lines)) > room:
        del chosen[-max(1, len(chosen) // 40):]
        lines = _trail_parts(chosen, files, {name.name: name.path for name in found.names})
    return lines


def _trail_parts(chosen: list, files: dict, home: dict) -> list[str]:
    """Chosen (kind, name, text) as section lines: files by how they were used, each with its names; commands and what happened; other names."""
    taken: dict[str, dict[str, str]] = {kind: {} for kind in ("file", "ran", "git", "test", "error", "name")}
    for kind, what, text in chosen:
        taken[kind][what] = text
    inside: dict[str, list[str]] = {}
    loose = []
    for name in taken["name"]:
        inside.setdefault(home[name], []).append(name) if home[name] in taken["file"] else loose.append(name)
    lines = []
    for how in ("edited", "created", "read"):
        for path in taken["file"]:
            if files[path].how == how:
                names = sorted(inside.get(path, ()), key=lambda name: _place(name, files[path].names))
                lines.append(f"@ARCH {how} := {path}" + (": " + " ".join(names) if names else ""))
    lines += (f"@ARCH {kind} := {text}" for kind in ("ran", "git", "test", "error") for text in taken[kind].values())
    return lines + ["@ARCH also named := " + " ".join(loose)] * bool(loose)


def _place(name: str, names: tuple) -> int:
    return names.index(name) if name in names else len(names)


def _command_worth(line: str) -> float:
    """A look around is not done again for its own sake; tests and checks are."""
    return 0.2 if _LOOKS.match(line) else 2.0 if _TESTED.search(line) else 1.0


def _ending(use: tuple) -> str:
    if isinstance(use, CommandUse):
        return {True: " -> failed", False: " -> ok", None: ""}[use.failed]
    return {True: " -> solved", False: " -> not solved", None: ""}[use.solved]
