#!/usr/bin/env python3
"""Code maps: `sig` beside other tools on the same files in one run. Tokens, functions found, arguments right, seconds.

    python3 benchmarks/sig.py [FOLDER] [--list FILE] [--tools DIR]

Without a folder: the standard library of this Python, without its tests. DIR is searched for the peers' programs (its own virtual
environments and node_modules too); one that is missing is named and left out:

    for t in aider-chat mypy ast-outline; do python3 -m venv DIR/$t && DIR/$t/bin/pip install $t; done
    npm install --prefix DIR repomix;  apt-get install universal-ctags

A function counts as found when its name comes out as often as `ast` sees it, and its arguments as right when a signature of that name with the
same argument names and stars comes out; the file is not compared, which favours the peers. "changes" are lines that name mutated state.
Tokens are exact with tiktoken and its vocabulary, estimates otherwise. The last line sets `sig` beside `ast.parse`.
"""
from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "skills" / "ail-context-compressor" / "scripts" / "ail_mcp.py"
sys.path.insert(0, str(SCRIPT.parent))
import ail_mcp as ail  # noqa: E402

AIDER = """import os, sys
from aider.io import InputOutput
from aider.repomap import RepoMap
class Model:
    token_count = staticmethod(lambda text: len(text) // 4)
files = sorted(os.path.join(d, f) for d, _, fs in os.walk(sys.argv[1]) for f in fs)
print(RepoMap(map_tokens=10**8, root=sys.argv[1], main_model=Model(), io=InputOutput(), max_context_window=10**9).get_repo_map([], files))
"""
# name, program to look for, arguments ({py} the program's Python, {dir} the files, {out} a folder for results)
PEERS = (
    ("universal-ctags -x", "ctags", ["{tool}", "-R", "--languages=Python", "--python-kinds=fm", "--sort=no", "-x", "--_xformat=%F %N%S", "{dir}"]),
    ("repomix --compress", "repomix", ["{tool}", "{dir}", "--compress", "-o", "{out}/map.xml", "--no-security-check", "--quiet"]),
    ("stubgen", "stubgen", ["{tool}", "--include-private", "--parse-only", "-q", "-o", "{out}", "{dir}"]),
    ("ast-outline", "ast-outline", ["{tool}", "{dir}", "--no-docs", "--no-lines"]),
    ("aider, whole map", "aider", ["{py}", "-c", AIDER, "{dir}"]),
)


def arguments(text: str) -> str | None:
    """The argument names with stars of a parenthesised list without self or cls, whatever its types and defaults; None when unreadable."""
    try:
        node = ast.parse(f"def f{text}: pass").body[0].args
    except (SyntaxError, ValueError, IndexError):
        return None
    stars = [f"*{a.arg}" for a in (node.vararg,) if a] + [f"**{a.arg}" for a in (node.kwarg,) if a]
    names = [a.arg for a in node.posonlyargs + node.args + node.kwonlyargs]
    return ",".join([*names[names[:1] in (["self"], ["cls"]):], *stars])


def signatures_in(text: str) -> Counter:
    """(name, arguments) of whatever looks like a signature: `def name(..)`, a @SIG line, a ctags line."""
    found: Counter = Counter()
    for match in re.finditer(r"(?m)(?:\bdef +|^@SIG [^|\n]*\|~?(?:[\w]+\.)*|^\S+\.py (?:[\w.]+\.)?)(\w+) ?(?=\()", text):
        at, depth = match.end(), 0
        while at < min(len(text), match.end() + 5000):
            quoted = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"").match(text, at)
            if quoted:
                at = quoted.end()
                continue
            depth += (text[at] in "([{") - (text[at] in ")]}")
            at += 1
            if not depth:
                break
        found[match[1], arguments(" ".join(text[match.end():at].split()))] += 1
    return found


def truth(files: list[Path]) -> Counter:
    found: Counter = Counter()
    for path in files:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found[node.name, arguments(f"({ast.unparse(node.args)})")] += 1
    return found


def row(name: str, text: str, seconds: float, want: Counter) -> str:
    got = signatures_in(text)
    names = [Counter(), Counter()]
    for side, pairs in zip(names, (want, got)):
        for (function, _), n in pairs.items():
            side[function] += n
    total = sum(want.values())
    found, right = sum((names[0] & names[1]).values()), sum((want & got).values())
    sizes = [counter.count(text) for counter in ail.counters()]
    changes = text.count("|mutates(")
    return (f"| {name} | {' | '.join(f'{size / max(1, found):.1f}' for size in sizes)} | {100 * found / total:.1f} % | {100 * right / total:.1f} % "
            f"| {changes or '-'} | {seconds:.2f} |")


def cpu(call: object, *values: object) -> float:
    start = time.process_time()
    result = call(*values)
    seconds = time.process_time() - start
    del result
    return seconds


def find_tool(name: str, where: Path | None) -> str | None:
    inside = sorted(where.glob(f"**/bin/{name}")) + sorted(where.glob(f"**/.bin/{name}")) if where else []
    return str(inside[0]) if inside else shutil.which(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=sysconfig.get_path("stdlib"))
    parser.add_argument("--list", help="a file with one path a line, instead of a folder")
    parser.add_argument("--tools", type=Path, help="where the peers are installed")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.list:
        paths = [Path(line.strip()) for line in Path(options.list).read_text("utf-8").split("\n") if line.strip()]
    else:
        paths = [p for p in sorted(Path(options.folder).rglob("*.py")) if not {"test", "tests", "site-packages", "idle_test"} & set(p.parts)]
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Path(scratch, "files")
        files = []
        for i, path in enumerate(paths):  # under one roof, with names that are module names and do not clash
            copy = corpus / f"p{i:04}" / path.name
            copy.parent.mkdir(parents=True)
            shutil.copyfile(path, copy)
            try:
                ast.parse(copy.read_bytes())
                files.append(copy)
            except (SyntaxError, ValueError):
                copy.unlink()
        want = truth(files)
        size = sum(path.stat().st_size for path in files) / 1e6
        print(f"{len(files)} files, {size:.1f} MB, {sum(want.values())} functions\n")
        print(f"| tool | {' | '.join(f'{c.name} a function found' for c in ail.counters())} | found | arguments right | changes | seconds |")
        print("|---|" + "---:|" * (len(ail.counters()) + 4))
        sources = [(path.name, path.read_bytes()) for path in files]
        bare = {"no_self": True, "no_mutations": True}
        for name, switches in (("sig", {}), ("sig --no-self", {"no_self": True}), ("sig --no-self --no-mutations", bare)):
            start = time.perf_counter()
            lines = [line for file, raw in sources for line in ail.signatures(raw, file, **switches).lines]
            seconds = time.perf_counter() - start
            print(row(name, "\n".join(lines) + "\n", seconds, want), flush=True)
        missing = []
        for name, program, command in PEERS:
            tool = find_tool(program, options.tools)
            if tool is None:
                missing.append(name)
                continue
            out = Path(scratch, program)
            out.mkdir()
            values = {"tool": tool, "py": str(Path(tool).resolve().parent / "python") if program != "aider" else str(Path(tool).parent / "python"),
                      "dir": str(corpus), "out": str(out)}
            words = [AIDER if word is AIDER else word.format(**values) for word in command]
            start = time.perf_counter()
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", cwd=out, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "PYTHONWARNINGS": "ignore"})
            seconds = time.perf_counter() - start
            text = done.stdout if program not in ("repomix", "stubgen") else "\n".join(
                p.read_text("utf-8", "replace") for p in sorted(out.rglob("*")) if p.is_file() and p.suffix in (".xml", ".pyi"))
            text = text.replace(str(corpus) + "/", "")
            print(row(name, text, seconds, want) if text.strip() else f"| {name} | gave nothing: {done.stderr.strip()[-80:]} |", flush=True)
        for name in missing:
            print(f"| {name} | not installed here |")
        parse, whole = 0.0, 0.0  # file by file in turn, the better of three: other work on the machine meets both alike
        for file, raw in sources:
            parse += min(cpu(ast.parse, raw) for _ in range(3))
            whole += min(cpu(ail.signatures, raw, file) for _ in range(3))
        print(f"\nin process, CPU: ast.parse {size / parse:.1f} MB/s, sig {size / whole:.1f} MB/s, {whole / parse:.2f} times ast.parse")
    return 0


if __name__ == "__main__":
    sys.exit(main())
