"""A snapshot from its lines: what is written here, `parse` is sure to read."""
from __future__ import annotations

from .errors import SnapshotError
from .snapshot import HEADER, MAX_INPUT, line_blocks, section


def format_snapshot(lines: list[str]) -> str:
    """A document from its section and comment lines, in order; `parse` of the result is sure to succeed.

    Raises SnapshotError when a line is none: an encoder must not write what no decoder reads.
    """
    return "".join(format_blocks(line_blocks(lines)))


def format_blocks(blocks: list[str]) -> list[str]:
    """Like `format_snapshot`, from blocks of lines to the parts of the document, to be written one behind the other; `blocks` are used up."""
    for number, line in enumerate(lines_in(blocks), 2):
        section(number, line)
    size = len(HEADER) + 1 + sum(map(len, blocks)) + len(blocks)
    if size > MAX_INPUT:
        raise SnapshotError(0, f"the snapshot has {size:,} characters", f"at most {MAX_INPUT:,}; split the input")
    for i, block in enumerate(blocks):
        blocks[i] = block + "\n"  # in place: each is held once
    blocks.insert(0, HEADER + "\n")
    return blocks


def lines_in(blocks: object) -> object:
    """The lines of blocks, one after the other. A single line is a block too."""
    return (line for block in blocks for line in block.split("\n"))
