"""The lines of a snapshot without secrets, still a snapshot."""
from __future__ import annotations


def without_secrets_in(lines: list[str], redactor: object) -> list[str]:
    """Section and comment lines, pointers resolved, with the secrets behind their tags replaced.

    A tag is no key of what follows, so it is kept out; lines of `@CTX` that follow one another are looked at together, since a private key
    spans lines. Resolve the pointers before (`hydrate`): one can cut a secret in two.
    """
    tags: list[str] = []
    bodies: list[str] = []
    for line in lines:
        tag, _, body = line.partition(" ")
        if tag == "@CTX" and tags[-1:] == ["@CTX"]:
            bodies[-1] += "\n" + body
        else:
            tags.append(tag)
            bodies.append(body)
    clean = zip(tags, redactor.redact_all(bodies))
    return [f"{tag} {line}" if line else tag for tag, body in clean for line in body.split("\n") if line or tag != "@CTX"]
