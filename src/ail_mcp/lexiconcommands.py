"""The commands on the lexicon: read phrases with it, let it learn, propose, confirm and check. Each file is redacted on its way in."""
from __future__ import annotations

import json
import os

from .atomcommands import clean_text
from .atomschema import to_record
from .errors import UsageError
from .lexicon import Lexicon
from .lexiconcheck import Source, check_proposal, verdict_record
from .lexiconfile import layer_text, lexicon_layer, open_lexicon, read_layer
from .lexiconlearn import LEARNED_FROM_AT_LEAST, json_lines, learn_aliases, lexicon_drift, read_labels
from .lexiconpropose import confirm_names, propose_names, read_phrases
from .normalize import normalize
from .options import whole_number
from .talk import say
from .terminal import write_result


def lexicon_read(args: object, redactor: object) -> int:
    """`lexicon read`: each phrase of a file as atoms, a JSON line each; what the lexicon does not know is marked ambiguous."""
    lexicon = open_lexicon(args.lexicon, redactor)
    atoms = [atom for phrase in read_phrases(clean_text(args.file, redactor)) for atom in normalize(phrase, lexicon)]
    write_result(_lines(to_record(atom) for atom in atoms), args.output or "-", args.force)
    unsure = sum(atom.ambiguous for atom in atoms)
    say(f"{len(atoms)} atoms, {unsure} of them in the words of the text, since lexicon {lexicon.version} does not know them")
    return 0


def lexicon_learn(args: object, redactor: object) -> int:
    """`lexicon learn`: a lexicon file from labelled phrases, with a report of what was not taken, and of the drift against an older file."""
    lexicon = open_lexicon(args.lexicon, redactor)
    labels = read_labels(clean_text(args.file, redactor), args.file)
    least = whole_number("--at-least", args.at_least, "phrases") if args.at_least else LEARNED_FROM_AT_LEAST
    names, aliases, report = learn_aliases(labels, lexicon, least)
    layer = {"version": 1, "names": names, "aliases": aliases}
    if args.against:
        old = read_layer(args.against, redactor)
        lexicon_layer(old, args.against)
        drift = lexicon_drift(old, layer)
        report.update(drift)
        layer["version"] = old["version"] + any(drift.values())
        say("drift against version {}: {}".format(old["version"], ", ".join(f"{len(drift[kind])} {kind}" for kind in drift)))
    write_result(layer_text({**layer, "report": report}), args.output or "-", args.force)
    left = ", ".join(f"{len(report[kind])} {kind}" for kind in ("conflicting", "rare", "unread"))
    say(f"{len(aliases)} aliases from {len(labels)} phrases; not taken: {left}")
    return 0


def lexicon_propose(args: object, redactor: object) -> int:
    """`lexicon propose`: the phrases that the lexicon cannot name, with candidates, as JSON to fill choices in."""
    lexicon = open_lexicon(args.lexicon, redactor)
    proposal = propose_names(read_phrases(clean_text(args.file, redactor)), lexicon)
    write_result(json.dumps(proposal, ensure_ascii=False, indent=1) + "\n", args.output or "-", args.force)
    say(f"{len(proposal['phrases'])} phrases to choose for; {proposal['unread']} more are no clear clause about one unknown thing")
    return 0


def lexicon_confirm(args: object, redactor: object) -> int:
    """`lexicon confirm`: the choices of a proposal as aliases of the project's lexicon file, which is replaced whole or not at all."""
    there = bool(args.lexicon) and os.path.lexists(args.lexicon)
    layer = read_layer(args.lexicon, redactor) if there else {"version": 0, "names": {}, "aliases": {}}
    lexicon = Lexicon(lexicon_layer(layer, args.lexicon)) if there else Lexicon()
    try:
        proposal = json.loads(clean_text(args.file, redactor))
    except (ValueError, RecursionError):
        raise UsageError(f"{args.file}: no JSON; expected what `ail-mcp lexicon propose` writes, with choices filled in") from None
    result, added = confirm_names(proposal, layer, lexicon, args.file)
    result["version"] = max(1, result["version"])
    text = layer_text({**result, "report": layer.get("report")})
    if args.output or not args.lexicon:
        write_result(text, args.output or "-", args.force)
    else:
        write_result(text, args.lexicon, force=there)
    say(f"{added} new aliases; version {result['version']}")
    return 0


def lexicon_check(args: object, redactor: object) -> int:
    """`lexicon check`: a verdict on each atom that a model proposes, a JSON line each. The exit code is 3 when one is refused."""
    source = Source(clean_text(args.source, redactor)) if args.source else None
    lexicon = open_lexicon(args.lexicon, redactor)
    records = json_lines(clean_text(args.file, redactor), args.file)
    verdicts = [check_proposal(record, line, lexicon, source) for line, record in records]
    write_result(_lines(map(verdict_record, verdicts)), args.output or "-", args.force)
    counts = {word: sum(verdict.verdict == word for verdict in verdicts) for word in ("accepted", "ambiguous", "refused")}
    say(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 3 if counts["refused"] else 0


def _lines(records: object) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


LEXICON_COMMANDS = {"read": lexicon_read, "learn": lexicon_learn, "propose": lexicon_propose, "confirm": lexicon_confirm, "check": lexicon_check}
