"""A map as an outline, and the part of a map that fits a budget: the names that the code uses most come first."""
from __future__ import annotations

import re
from collections import Counter as Tally
from collections import namedtuple

from .errors import UsageError
from .signatures import SigMap
from .syntax import decode_source

_FILL_TRIES = 24
_LISTED_SHARE = 8  # at most an eighth of a budget goes to naming what was left out

_Unit = namedtuple("_Unit", "file name lines first uses private")  # one class or function of a file, whole; `first`: its place in the map


def count_names(source: bytes, uses: dict[str, int]) -> None:
    """Add to `uses` how often each name stands in a source."""
    for name, number in Tally(re.findall(r"[^\W\d]\w*", decode_source(source)[0])).items():
        uses[name] = uses.get(name, 0) + number


def _name_of(line: str) -> str:
    """The qualified name in a @SIG line; "" for other lines."""
    if not line.startswith("@SIG "):
        return ""
    name = line[line.find("|") + 1:]
    return name[:name.find("(")].lstrip("~")


def _file_of(line: str) -> str:
    return line[5:line.find("|")] if line.startswith("@SIG ") else line[5:line.find(" := ")].rpartition(":")[0]


def outline(lines: list[str]) -> list[str]:
    """@SIG lines of a map -> the same for reading: each file once, each class once, methods and nested functions indented. Not AIL."""
    out: list[str] = []
    file, opened = None, []
    for line in lines:
        if not line.startswith(("@SIG ", "@CTX ")):
            out.append(line)
            continue
        if _file_of(line) != file:
            file, opened = _file_of(line), []
            out.append(file)
        if line.startswith("@CTX "):
            name, _, value = line[5:].partition(" := ")
            out.append(f"  {name.rpartition(':')[2]} = {value}")
            opened = []
            continue
        body = line[line.find("|") + 1:]
        parts = _name_of(line).split(".")
        same = 0
        while same < min(len(opened), len(parts) - 1) and opened[same] == parts[same]:
            same += 1
        for depth in range(same, len(parts) - 1):
            out.append(f"{'  ' * (depth + 1)}{parts[depth]}")
        mark = "~" if body.startswith("~") else ""
        out.append(f"{'  ' * len(parts)}{mark}{parts[-1]}{body[body.find('('):]}")
        opened = parts
    return out


def _units(lines: list[str], uses: dict[str, int]) -> list[_Unit]:
    """The lines of a map, grouped by file and top-level name, each with how often the code uses that name."""
    groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for i, line in enumerate(lines):
        name = _name_of(line).partition(".")[0] or "(constants)"
        groups.setdefault((_file_of(line), name), []).append((i, line))
    homes = Tally(name for _, name in groups)
    return [_Unit(file, name, members, members[0][0], max(0, uses.get(name, 0) - homes[name]) / homes[name],
                  name.startswith("_") or any(part.startswith("_") and not part.startswith("__") for part in file.split("/")))
            for (file, name), members in groups.items()]


def _left_out(units: list[_Unit]) -> list[str]:
    """`FILE: name, name` for each file that has units among those left out, in the order of the map."""
    by_file: dict[str, list[str]] = {}
    for unit in sorted(units, key=lambda one: one.first):
        by_file.setdefault(unit.file, []).append(f"{unit.name}({len(unit.lines)})" if len(unit.lines) > 1 else unit.name)
    return [f"{file}: {', '.join(names)}" for file, names in by_file.items()]


def within_budget(lines: list[str], budget: int, count: object, uses: dict[str, int], finish: object = None) -> SigMap:
    """The part of a map that fits into `budget` tokens, by rank, with a comment that says how much that is and what is missing.

    Rank: public names before private ones, then how often the name is used in the given files (for a name that several files define, its
    share), then the order of the map. A class or a function with what is nested in it is kept whole or not at all.
    `count`: text -> tokens. `finish`: lines -> lines as they will be printed (pointers, outline); the budget holds for its result.
    Raises UsageError when not even the comment fits.
    """
    finish = finish or list
    whole = finish(lines)
    functions = sum(line.startswith("@SIG ") for line in lines)

    def cost(text_lines: list[str]) -> int:
        return count("\n".join(text_lines) + "\n") if text_lines else 0

    total = cost(whole)
    if total <= budget:
        return SigMap(whole, [])
    units = sorted(_units(lines, uses), key=lambda one: (one.private, -one.uses, one.first))

    def drawn(kept: list[_Unit]) -> list[str]:
        chosen = finish([line for _, line in sorted(member for unit in kept for member in unit.lines)])
        number = sum(line.startswith("@SIG ") for unit in kept for _, line in unit.lines)
        share = f"# {number} of {functions} functions; the whole map takes {total} tokens"
        ids = {id(unit) for unit in kept}
        missing = _left_out([unit for unit in units if id(unit) not in ids])
        room = min(budget // _LISTED_SHARE, budget - cost([*chosen, share]))
        shown: list[str] = []
        spent = count("# left out: ; and 100000 more files\n")
        for text in missing:
            spent += count("; " + text)
            if spent > room:
                break
            shown.append(text)
        rest = len(missing) - len(shown)
        tail = [f"# left out: {'; '.join(shown)}{f'; and {rest} more files' if rest else ''}"] if shown else []
        return [*chosen, share, *tail]

    price = {id(unit): cost(finish([line for _, line in unit.lines])) for unit in units}
    least = cost(drawn([]))
    if least > budget:
        raise UsageError(f"a budget of {budget} tokens holds nothing of this map; its summary alone takes {least}, the whole map {total}")
    scale, room, kept, high = 1.0, budget - least, [], 0
    for _ in range(4):  # units are priced apart; together they cost less where `finish` shares a file or a class among them
        kept, spent = [], 0.0
        for unit in units:  # what does not fit is passed over: a smaller one behind it may
            if spent + price[id(unit)] * scale <= room:
                kept.append(unit)
                spent += price[id(unit)] * scale
        real = cost(drawn(kept))
        if not kept or (real <= budget and (len(kept) == len(units) or real * 50 >= budget * 49)):
            break
        scale *= max(0.2, (real - least) / spent)
    low, high = 0, len(kept)
    while low < high:  # the budget holds for the whole text, as it is printed
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(drawn(kept[:middle])) <= budget else (low, middle - 1)
    kept = kept[:low]
    taken = {id(unit) for unit in kept}
    gap = budget - cost(drawn(kept))
    for unit in [unit for unit in units if id(unit) not in taken and price[id(unit)] * scale <= gap][:_FILL_TRIES]:
        if cost(drawn([*kept, unit])) <= budget:
            kept.append(unit)
            taken.add(id(unit))
    missing = [unit for unit in units if id(unit) not in taken]
    return SigMap(drawn(kept), [f"left out: {text}" for text in _left_out(missing)])
