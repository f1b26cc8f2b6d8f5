#!/usr/bin/env python3
"""Code maps: `sig` beside other tools on the same files in one run. Tokens, functions found, arguments and returns right, CPU seconds.

    python3 benchmarks/sig.py [FOLDER ...] [--list FILE] [--tools DIR] [--install]

Without a folder: the standard library of this Python, without its tests. The peers' programs are searched in DIR and on the path; --install puts
them into DIR with pip and npm first, but for universal-ctags, which is a package of the system. One that is missing, fails or hangs is named and left out.

Every tool is one command over one copy of the files, `sig` too. A function counts as found when its name comes out as often as `ast` sees it, its
arguments as right when a signature of that name with the same argument names and stars comes out, its return as right when the annotation
comes out beside the name, its async when the name is so marked; the file and the class are not compared, which favours the peers. "changes" are
lines that name mutated state. Tokens are exact with tiktoken and its vocabulary, estimates otherwise, and per function found: what a tool leaves
out makes it no cheaper. The last line sets `sig` beside `ast.parse`.
"""
from __future__ import annotations

import argparse
import ast
import os
import re
import resource
import shutil
import signal
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
# Where a signature begins in a tool's output: its name, its brackets next; a group `async` that is not empty marks it so.
DEF = r"\b(?P<async>async +)?def +(?P<name>\w+)(?P<types>\[[^\n(]*\])?"
SIG = r"^@SIG [^|\n]*\|(?P<async>~?)(?:[\w<>]+\.)*(?P<name>\w+)(?P<types>\[[^\n(]*\])?"
OUTLINE = r"^ +(?P<async>~?)(?P<name>\w+)(?P<types>\[[^\n(]*\])?"
CTAGS = r"^\S+\.py (?:[\w.]*\.)?(?P<async>)(?P<name>\w+)(?P<types>)"
CTAGS_ARGS = ["{tool}", "-R", "--languages=Python", "--sort=no", "-x"]
# name, program to look for, package that has it, arguments ({py} the program's Python, {dir} the files, {out} a folder for results), what its lines look like
TOOLS = (
    ("sig", "", "", ["{self}", "sig", "-f", "{dir}"], SIG),
    ("sig --pointers", "", "", ["{self}", "sig", "--pointers", "-f", "{dir}"], SIG),
    ("sig --no-self --no-mutations", "", "", ["{self}", "sig", "--no-self", "--no-mutations", "-f", "{dir}"], SIG),
    ("sig --outline", "", "", ["{self}", "sig", "--outline", "-f", "{dir}"], OUTLINE),
    ("sig --outline --no-self --no-mutations", "", "", ["{self}", "sig", "--outline", "--no-self", "--no-mutations", "-f", "{dir}"], OUTLINE),
    ("universal-ctags, name and arguments", "ctags", "", [*CTAGS_ARGS, "--python-kinds=fm", "--_xformat=%F %N%S", "{dir}"], CTAGS),
    ("universal-ctags, class and return too", "ctags", "", [*CTAGS_ARGS, "--python-kinds=cfm", "--_xformat=%F %{{scope}}.%N%S -> %{{typeref}}", "{dir}"], CTAGS),
    ("repomix --compress", "repomix", "repomix", ["{tool}", "{dir}", "--compress", "-o", "{out}/map.xml", "--no-security-check", "--quiet"], DEF),
    ("the same, --remove-comments", "repomix", "repomix",
     ["{tool}", "{dir}", "--compress", "--remove-comments", "-o", "{out}/map.xml", "--no-security-check", "--quiet"], DEF),
    ("stubgen --include-private", "stubgen", "mypy", ["{tool}", "--include-private", "--parse-only", "-q", "-o", "{out}", "{dir}"], DEF),
    ("ast-outline --no-docs --no-lines", "ast-outline", "ast-outline", ["{tool}", "{dir}", "--no-docs", "--no-lines"], DEF),
    ("aider, whole repo map", "aider", "aider-chat", ["{py}", "-c", AIDER, "{dir}"], DEF),
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


def plain(type_text: str) -> str:
    """An annotation without spaces and quotes: `-> "A"` and `->A` are the same."""
    return re.sub(r"[\s'\"]|^typename:", "", type_text)


QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")


def bracketed(text: str, at: int, ends: str = "") -> int:
    """Just behind the bracket that closes what opens at `at`; with ends: the first of them outside of brackets."""
    depth, start = 0, at
    while at < min(len(text), start + 5000):
        quoted = QUOTED.match(text, at)
        if quoted:
            at = quoted.end()
            continue
        if ends and not depth and text.startswith(tuple(ends), at):
            return at
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
        if not ends and not depth:
            return at
    return at


class Found:
    """What signatures say: (name, arguments), (name, return) where there is one, names marked async; each with how often."""

    def __init__(self) -> None:
        self.calls: Counter = Counter()
        self.returns: Counter = Counter()
        self.asyncs: Counter = Counter()

    @property
    def names(self) -> Counter:
        out: Counter = Counter()
        for (name, _), n in self.calls.items():
            out[name] += n
        return out


def signatures_in(text: str, shape: str) -> Found:
    found = Found()
    for match in re.finditer(rf"(?m){shape} ?(?=\()", text):
        end = bracketed(text, match.end())
        found.calls[match["name"], arguments(" ".join(text[match.end():end].split()))] += 1
        arrow = re.compile(r"\s*->\s*").match(text, end)
        if arrow:
            until = bracketed(text, arrow.end(), ":\n" if shape is DEF else "\n")
            found.returns[match["name"], plain(text[arrow.end():until].partition("|mutates(")[0])] += 1
        found.asyncs[match["name"]] += bool(match["async"])
    return found


def truth(files: list[Path]) -> Found:
    found = Found()
    for path in files:
        raw = path.read_bytes()
        for node in ast.walk(ast.parse(raw)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.calls[node.name, arguments(f"({ast.unparse(node.args)})")] += 1
                if node.returns:
                    found.returns[node.name, plain(ast.unparse(node.returns))] += 1
                found.asyncs[node.name] += isinstance(node, ast.AsyncFunctionDef)
    return found


def share(want: Counter, got: Counter) -> str:
    return f"{100 * sum((want & got).values()) / max(1, sum(want.values())):.1f} %"


def row(name: str, version: str, text: str, shape: str, seconds: float, want: Found) -> str:
    got = signatures_in("\n".join(ail.hydrate(ail.parse(f"{ail.HEADER}\n{text}"))) if shape is SIG else text, shape)
    found = max(1, sum((want.names & got.names).values()))
    sizes = " | ".join(f"{counter.count(text) / found:.1f}" for counter in ail.counters())
    shares = " | ".join(share(a, b) for a, b in ((want.names, got.names), (want.calls, got.calls), (want.returns, got.returns), (want.asyncs, got.asyncs)))
    return f"| {name} | {version} | {sizes} | {shares} | {text.count('|mutates(') or '-'} | {seconds:.2f} |"


def cpu(call: object, *values: object) -> float:
    start = time.process_time()
    result = call(*values)
    seconds = time.process_time() - start
    del result
    return seconds


def install(where: Path) -> None:
    """The peers, each alone: two of them want different versions of one parser. What does not install is missing afterwards."""
    for package in sorted({package for *_, package, _, _ in TOOLS if package not in ("", "repomix")}):
        home = where / package
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=False)
        subprocess.run([str(home / "bin" / "pip"), "install", "-q", package], check=False, stderr=subprocess.DEVNULL)
    if shutil.which("npm"):
        subprocess.run(["npm", "install", "--silent", "--prefix", str(where), "repomix"], check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def find_tool(name: str, where: Path | None) -> str | None:
    inside = sorted(where.glob(f"*/bin/{name}")) + sorted(where.glob(f"**/.bin/{name}")) if where else []
    return str(inside[0]) if inside else shutil.which(name)


def version(tool: str, python: str, package: str) -> str:
    """What a tool calls its version: its package's where a Python stands beside it."""
    ask = [python, "-c", f"import importlib.metadata as m; print(m.version({package!r}))"] if package and Path(python).exists() else [tool, "--version"]
    try:
        said = subprocess.run(ask, capture_output=True, encoding="utf-8", errors="replace", stdin=subprocess.DEVNULL, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    number = re.search(r"\d+\.\d[\w.]*", said)
    return number[0] if number else "?"


def run(program: str, command: list[str], values: dict, limit: float) -> tuple[str, float, str]:
    """(what it printed or wrote, CPU seconds with its start and its helpers, its trouble in a few words)."""
    words = [word if word is AIDER else word.format(**values) for word in command]
    out = Path(values["out"])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        process = subprocess.Popen([*([sys.executable] if not program else []), *words], cwd=out, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, "PYTHONWARNINGS": "ignore"}, start_new_session=True)
        stdout, stderr = process.communicate(timeout=limit)
    except OSError as error:
        return "", 0, str(error)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # with the helpers that it started
        process.wait()
        return "", limit, f"stopped after {limit:.0f} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    text = stdout.decode("utf-8", "replace") if program not in ("repomix", "stubgen") else "\n".join(
        path.read_text("utf-8", "replace") for path in sorted(out.rglob("*")) if path.suffix in (".xml", ".pyi"))
    said = stderr.decode("utf-8", "replace").split() or [f"exit code {process.returncode}"]
    return text.replace(values["dir"] + "/", ""), seconds, " ".join(said)[-100:]


def lay_out(paths: list[Path], corpus: Path) -> list[Path]:
    """Copies under one roof as an import would see them, `package/module.py`; a name that is taken gets a folder of its own. What `ast` refuses is left out:
    some peers stop at the first such file."""
    files = []
    for number, path in enumerate(paths):
        top = path.parent
        while (top / "__init__.py").exists():
            top = top.parent
        copy = corpus / path.relative_to(top)
        if copy.exists():
            copy = corpus / f"p{number}" / path.relative_to(top)
        try:
            ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        files.append(copy)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--list", help="a file with one path a line, instead of folders")
    parser.add_argument("--tools", type=Path, metavar="DIR", help="where the peers are installed")
    parser.add_argument("--install", action="store_true", help="install them there first")
    parser.add_argument("--limit", type=float, default=600, help="seconds that one tool may take")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.install:
        if not options.tools:
            parser.error("--install needs --tools DIR")
        install(options.tools)
    if options.list:
        paths = [Path(line.strip()) for line in Path(options.list).read_text("utf-8").split("\n") if line.strip()]
    else:
        folders = [Path(folder).resolve() for folder in options.folders or [sysconfig.get_path("stdlib")]]
        paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))
                 if not {"test", "tests", "site-packages", "idle_test"} & set(path.relative_to(folder).parts)]
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Path(scratch, "files")
        files = lay_out(paths, corpus)
        want = truth(files)
        size = sum(path.stat().st_size for path in files) / 1e6
        print(f"{len(files)} files, {size:.1f} MB, {sum(want.calls.values())} functions, {sum(want.returns.values())} with an annotated return, "
              f"{sum(want.asyncs.values())} async; Python {sys.version.split()[0]}\n")
        print(f"| tool | version | {' | '.join(f'{c.name} a function found' for c in ail.counters())} | found | arguments right | returns right | async marked "
              "| changes | CPU seconds |")
        print("| --- | --- |" + " ---: |" * (len(ail.counters()) + 6))
        for number, (name, program, package, command, shape) in enumerate(TOOLS):
            tool = find_tool(program, options.tools) if program else sys.executable
            if tool is None:
                print(f"| {name} | not installed here |")
                continue
            python = str(Path(tool).parent / "python")
            out = Path(scratch, f"out{number}")
            out.mkdir()
            text, seconds, trouble = run(program, command, {"tool": tool, "py": python, "self": str(SCRIPT), "dir": str(corpus), "out": str(out)}, options.limit)
            said = version(tool, python, package) if program else ail.__version__
            print(row(name, said, text, shape, seconds, want) if text.strip() else f"| {name} | {said} | gave nothing: {trouble} |", flush=True)
        sources = [(path.name, path.read_bytes()) for path in files]
        parse, whole = 0.0, 0.0  # file by file in turn, the better of three: other work on the machine meets both alike
        for file, raw in sources:
            parse += min(cpu(ast.parse, raw) for _ in range(3))
            whole += min(cpu(ail.signatures, raw, file) for _ in range(3))
        print(f"\nin process, CPU: ast.parse {size / parse:.1f} MB/s, sig {size / whole:.1f} MB/s, {whole / parse:.2f} times ast.parse")
    return 0


if __name__ == "__main__":
    sys.exit(main())
