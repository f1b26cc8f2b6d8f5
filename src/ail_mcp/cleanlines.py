"""The lines of a snapshot without secrets, still a snapshot."""
from __future__ import annotations

from itertools import groupby


def without_secrets_in(lines: object, redactor: object) -> object:
    """Section and comment lines, pointers resolved, with the secrets behind their tags replaced; one after the other.

    A tag is no key of what follows, so it is kept out; lines of `@CTX` that follow one another are looked at together, since a private key
    spans lines. Resolve the pointers before (`hydrate`): one can cut a secret in two.
    """
    tags: list[str] = []
    bodies: list[str] = []
    for tag, group in groupby(lines, lambda line: line.partition(" ")[0]):
        parts = (line.partition(" ")[2] for line in group)
        together = ["\n".join(parts)] if tag == "@CTX" else list(parts)
        tags += [tag] * len(together)
        bodies += together
    clean = zip(tags, redactor.redact_all(bodies))
    return (f"{tag} {line}" if line else tag for tag, body in clean for line in body.split("\n") if line or tag != "@CTX")
