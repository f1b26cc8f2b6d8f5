"""Secrets in the lines of a snapshot: where they are, and the lines without them, still a snapshot."""
from __future__ import annotations

from array import array
from itertools import groupby

from .snapshot import each_hydrated, each_section


def without_secrets_in(lines: object, redactor: object) -> object:
    """Section and comment lines, pointers resolved, with the secrets behind their tags replaced; one after the other.

    A tag is no key of what follows, so it is kept out; lines of `@CTX` that follow one another are looked at together, since a private key
    spans lines. Resolve the pointers before (`hydrate`): one can cut a secret in two.
    """
    tags: list[str] = []
    bodies: list[str] = []
    for tag, body in _bodies(lines):
        tags.append(tag)
        bodies.append(body)
    clean = zip(tags, redactor.redact_all(bodies))
    return (f"{tag} {line}" if line else tag for tag, body in clean for line in body.split("\n") if line or tag != "@CTX")


def secrets_in(snapshot: object, redactor: object) -> object:
    """(line number, kind) of each secret that `redactor` finds in a snapshot: in its lines, pointers resolved, and in the values of pointers."""
    numbers = array("L")

    def lines() -> object:
        for number, line in each_hydrated(snapshot):
            numbers.append(number)
            yield line

    start = 0
    for _, body in _bodies(lines()):
        yield from ((numbers[start + line - 1], kind) for line, kind in _found(redactor, body))
        start += body.count("\n") + 1
    for section in each_section(snapshot.text) if snapshot.pointers else ():
        for value in section.fields.get("pointers", {}).values():
            yield from ((section.line, kind) for _, kind in _found(redactor, value))


def _found(redactor: object, text: str) -> list[tuple[int, str]]:
    before = len(redactor.findings)
    redactor.redact(text)
    return [(finding.line, finding.kind) for finding in redactor.findings[before:]]


def _bodies(lines: object) -> object:
    """(tag, text behind it) of each line; neighbours with the tag `@CTX` are one text."""
    for tag, group in groupby(lines, lambda line: line.partition(" ")[0]):
        bodies = (line.partition(" ")[2] for line in group)
        yield from ((tag, body) for body in (["\n".join(bodies)] if tag == "@CTX" else bodies))
