"""What the trail shows happened, as statements: commits are done work, changed files are artifacts, commands that check or work are facts."""
from __future__ import annotations

from .bindings import made_statement

_AT_MOST = {"done": 14, "artifact": 12, "fact": 8}


def happened_statements(found: object) -> list:
    """Statements of a Trail. Their words stand in no turn's own text, so they have no span; the turn is the last one where it happened."""
    made: dict[str, list] = {kind: [] for kind in _AT_MOST}
    for one in found.git:
        if one.text.startswith("commit "):
            made["done"].append((one.turn, f"Committed: {one.text.removeprefix('commit ')}"))
        else:
            made["artifact"].append((one.turn, one.text))
    for use in found.files:
        if use.how != "read":
            folder, _, name = use.path.replace("\\", "/").rpartition("/")
            made["artifact"].append((use.turn, f"File {use.how}: {name} in {folder[-120:]}" + (": " + ", ".join(use.names[:6]) if use.names else "")))
    for one in found.tests[:3]:
        made["fact"].append((one.turn, f"Test result: {one.text}"))
    for use in found.commands:
        if use.worth >= 1 and use.failed is not None:
            made["fact"].append((use.turn, f"Command {'failed' if use.failed else 'works'}: {use.command}"))
    for error in found.errors[:3]:
        if not error.solved:
            made["fact"].append((error.turn, f"Error not solved: {error.text}"))
    return [made_statement(turn, "tool" if kind == "fact" else "assistant", kind, text, "", -0.1)
            for kind, entries in made.items() for turn, text in entries[:_AT_MOST[kind]]]
