"""The commands `diff` and `merge`: states in any form that a program can read."""
from __future__ import annotations

import json

from .atomcommands import clean_states
from .atoms import Atom
from .atomschema import to_record
from .changes import diff, merge
from .changetexts import before_and_after, changes_record, changes_text, conflict_record, json_patch
from .errors import AilError, UsageError
from .renderings import FORMS, write_atoms
from .talk import say
from .terminal import write_result
from .transcript import counts_text

DIFF_FORMS = ("text", "patch", "ccl", "json")


def show_diff(args: object, redactor: object) -> int:
    """`diff A B`: what changed, in one of DIFF_FORMS; 0 also when something did."""
    form = args.to or "text"
    if form not in DIFF_FORMS:
        raise UsageError("--to needs one of " + ", ".join(DIFF_FORMS))
    old, new = _states(("A", "B"), args.paths, redactor)
    changes = diff(old, new)
    if form == "text":
        result = changes_text(changes)
    elif form == "ccl":
        result = before_and_after(changes)
    elif form == "patch":
        result = "[" + ",\n".join(json.dumps(operation, ensure_ascii=False) for operation in json_patch(changes, old)) + "]\n"
    else:
        result = json.dumps(changes_record(changes), ensure_ascii=False, indent=1) + "\n"
    write_result(result, args.output or "-", args.force)
    counts = {name: len(items) for name, items in changes._asdict().items() if items}
    say(counts_text(counts) if counts else "no changes")
    return 0


def merge_states(args: object, redactor: object) -> int:
    """`merge BASE OURS THEIRS`: the commitments together, 0; with conflicts a JSON object that holds them beside the rest, 3."""
    form = args.to or "json"
    if form not in FORMS:
        raise UsageError("--to needs one of " + ", ".join(FORMS))
    merged = merge(*_states(("BASE", "OURS", "THEIRS"), args.paths, redactor))
    if not merged.conflicts:
        write_result(write_atoms(merged.atoms, form), args.output or "-", args.force)
        return 0
    both = {"atoms": [to_record(atom) for atom in merged.atoms], "conflicts": [conflict_record(conflict) for conflict in merged.conflicts]}
    write_result(json.dumps(both, ensure_ascii=False, indent=1) + "\n", args.output or "-", args.force)
    say(f"conflicts {len(merged.conflicts)}: decide each, and put what holds under `atoms`" + ("" if form == "json" else "; written as JSON"))
    return 3


def _states(roles: tuple[str, ...], paths: list[str], redactor: object) -> list[list[Atom]]:
    """The atoms of each file, secrets out by one redactor, so that one secret has one name in all. Errors say which file by its role."""
    if len(paths) != len(roles) or paths.count("-") > 1:
        raise UsageError(f"expected {len(roles)} files: {' '.join(roles)}; one of them may be - for standard input")
    states = []
    for role, path in zip(roles, paths):
        try:
            states.append(clean_states(path, redactor))
        except AilError as fault:
            fault.args = (f"{role}: {fault}",)
            raise
    return states
