"""What a user gets from `sig` on Python that does not parse: every function that can be read, and a word about the rest."""
from __future__ import annotations

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

import ail_mcp as ail

AFTER = "\ndef after(z=1) -> str:\n    self.done = True\n    return z\n"
AFTER_LINE = "after(z=1)->str|mutates(self.done)"


def read(source):
    found = ail.signatures(source, "f.py")
    return [line.removeprefix("@SIG f.py|") for line in found.lines], found.notes


@pytest.mark.parametrize("broken, lines", [
    ("def broken(a, b:\n    return a +\n", ["broken(a,b)->Any"]),
    ("x = (1,\n", []), ("x = [1, 2\ny = 3\n", []), ("x = 'abc\n", []), ("x = foo('abc,\n  1)\n", []), ("x = 1)\n", []), ("x y z\n", []),
    ("<<<<<<< HEAD\ndef a(): pass\n=======\ndef b(): pass\n>>>>>>> other\n", ["a()->None", "b()->None"]),
    ("class A:\n    def m(self):\n        self.x = 1\n<<<<<<< HEAD\n    def n(self, y): return y\n>>>>>>> x\n",
     ["A.m(self)->None|mutates(self.x)", "A.n(self,y)->Any"]),
    ("%matplotlib inline\n!ls \"it's\nx = !pwd\nfoo?\n", []), ("def m():\n    %time x\n    return 1\n", ["m()->Any"]),
    ("def d():\n    '''unterminated\n    x\n".replace("'''", '"""'), ["d()->None"]),
    ("    def deep(self, q): return q\n", ["deep(self,q)->Any"]), ("def tabs():\n\tif 1:\n        return 1\n", ["tabs()->Any"]),
    ("class S: x y\n    def m(self): self.x = 1\ndef d(a): x y\n    def e(): return 1\n", ["S.m(self)->None|mutates(self.x)", "d(a)->None", "d.e()->Any"]),
    ("else:\n    def lone(): pass\n", ["lone()->None"]), ("try:\n    def lone(): pass\n", ["lone()->None"]), ("if x:\n", []), ("def empty():\n", ["empty()->None"]),
    ("@\n", []), ("@deco\nx = 1\n", []), ("class\n", []), ("def (x): pass\n", []), ("class A(B:\n    def m(self): pass\n", ["A.m(self)->None"]),
    ("def f(a, b=, c=3, *args, ): self.x = 1\n", ["f(a,b=...,c=3,*args)->None|mutates(self.x)"]),
    ("def g(a: int = 1 -> str:\n    return a\n", None), ("lambda\n", []), ("x = \\\n", []), ("\\ x\n", []),
])
def test_what_can_be_read_around_a_fault_is_read(broken, lines):
    found, notes = read(broken + AFTER)
    assert found[-1] == AFTER_LINE
    if lines is not None:
        assert found[:-1] == lines
    assert notes and notes[0].startswith("f.py: line ") and "best effort" in notes[0]


PYTHON2 = '''
class Old:
    def unpack(self, (a, b), c=0777, *rest):
        print "x", self.d.pop()
        try:
            self.y = 10L
        except ValueError, e:
            raise KeyError, "m"
        return `a`
    def show(self, async=None):
        print >>self.out, "text",
        exec "code" in ns
        if self.a <> 1: self.b = ur"x"
    def names(self):
        for x in self.xs: yield x
'''


def test_python_2():
    assert read(PYTHON2)[0] == [
        "Old.unpack(self,(a,b),c=0o777,*rest)->Any|mutates(self.d.pop,self.y)", "Old.show(self,async=None)->None|mutates(self.out.write,self.b)",
        "Old.names(self)->Any"]


NEWER = r'''
type X = int
type Y[T: (int, str) = int, *Ts, **P] = dict[T, str]
@dataclass
class A[T](Base[T]):
    type Inner = list[T]
    x: int = 1
    def f[
        U, V: [1]
    ](self, a: T, *args: *Ts, key: tuple[int, *Ts] = (1,)) -> Callable[[*Ts], U]:
        self.x = f"{d["k"]} {'\n'.join(xs)} {self.q.pop("z")} {f'{f"{1}"}'} {n:#06x} {n:'>{w}}"
        return a
async def g(x=f"{d["k"]}", y=f'{a['b']!r:>{w}}', z=f"""{x
}""", s="type X = [1]"):
    try:
        pass
    except* ValueError as e:
        x.items[0] = e
    except *KeyError:
        del x.y
    q = x[*a, 1]
    with (open(x) as self.fh, y):
        match x:
            case {"a": [1, *rest]}:
                def inner(): pass
    type Z = int
def h[T](x: T) -> T: return x
'''
NEWER_LINES = ["@CTX f.py:X := int", "@CTX f.py:Y := dict[T,str]", "A(x:int=1)->A",
               "A.f(self,a:T,*args:*Ts,key:tuple[int,*Ts]=(1,))->Callable[[*Ts],U]|mutates(self.x,self.q.pop)",
               """~g(x=f"{d["k"]}",y=f'{a['b']!r:>{w}}',z=...,s="type X = [1]")->None|mutates(x.items,x.y,self.fh)""", "g.inner()->None", "h(x:T)->T"]


def test_newer_syntax_is_read_alike_by_every_python():
    """All of it is valid under 3.13; the suite runs on 3.10 too."""
    found = ail.signatures(NEWER, "f.py", fields=True, constants=True)
    assert [line.removeprefix("@SIG f.py|") for line in found.lines] == NEWER_LINES
    assert found.notes == []
    alone = [ail.signatures(part, "f.py").notes for part in ("type X = int\n", "class A[T]: pass\n", "try: pass\nexcept* E: pass\n", "x = a[*b]\n", "f'{a['b']}'\n")]
    assert alone == [[]] * 5


@pytest.mark.parametrize("code", ["type X = int\ndef f(): pass", "class A[T]:\n    def f(self): pass", "def f[T](): pass", "def f(*a: *Ts): pass",
                                  "def f():\n    try: pass\n    except* E: pass", "def f(x):\n    return f'{x['a']}'"])
def test_newer_syntax_in_a_text_is_signatures_under_every_python(run, code):
    packed = run("pack", stdin=f"Some words.\n\n```python\n{code}\n```\n".encode()).stdout.decode()
    assert "@SIG CodeBlock_1|" in packed
    assert "@SIG " in run("pack", stdin=code.encode() + b"\n").stdout.decode()


def test_newer_syntax_in_a_broken_file_is_read_alike_by_every_python():
    lines, notes = read("class A[T]:\n    def f[U](self, x: T = f'{d['a']}', /): self.y = x\ntype X = int\ndef broken(:\n    pass\n")
    assert lines == ["A.f(self,x:T=f'{d[\"a\"]}',/)->None|mutates(self.y)", "broken()->None"]
    assert notes == ["f.py: line 4: syntax error; read statement by statement, best effort", "f.py: line 4: def header read in part"]


def test_what_is_escaped_does_not_rest_on_the_unicode_tables():
    """U+1FAE8 came with Unicode 15, U+1C8A with 16: some of the Pythons know them."""
    lines, _ = read("def f(a='\U0001fae8\u1c8a', b='\u2028\u00ad\U000e0041', c='é大'): pass\n")
    assert lines == ["f(a='\U0001fae8\u1c8a',b='\\u2028\\xad\\U000e0041',c='é大')->None"]



@pytest.mark.parametrize("source, count", [
    ("def q(x):\n    if x: pass\n" + "    elif x == 1:\n        self.y = 1\n" * 2000, 1), ("if x: pass\n" + "elif x:\n    def k(): pass\n" * 2000, 2000),
    ("x = " + "+".join(["1"] * 20_000) + "\n", 0), ("def g(a=" + "+".join(["1"] * 20_000) + "): pass\n", 1), ("x = " + "-" * 20_000 + "1\n", 0),
    ("def k():\n    x" + ".a()" * 5000 + ".append(1)\n", 1), ("x = " + "(" * 250 + ")" * 250 + "\n", 0), ("x = " + "(" * 50_000 + "\n", 0), (")" * 50_000 + "\n", 0),
    ("".join("  " * i + "if x:\n" for i in range(150)) + "  " * 150 + "def deep(): pass\n", 1),
    ("".join("  " * i + f"def f{i}():\n" for i in range(150)) + "  " * 150 + "pass\n", 150),
    ("x = '" + "a" * 1_000_000 + "'\n", 0), ("x = '" + "a" * 1_000_000 + "\n", 0), ("x = " + '"""' + "a\n" * 5_000, None), (" " * 100_000 + "x y\n", 0),
    ('x = """' + "\\" * 100_000 + "\n", None), ('"' * 100_001 + "\n", 0), ("a." * 100_000 + "\n", 0), ("a =" * 50_000 + " $\n", 0), ("def q(" + "a," * 20_000 + "$):\n pass\n", 1),
    ("x y;" * 5_000 + "\n", 0), ("print 'x'\n" * 5_000, 0), ("x y\n" * 5_000, 0), ("@a\n" * 5_000, 0), ("def g(a, b:\n" * 2_000, 2000), ("class A:\n" * 2_000, 0),
    ("x = " + "lambda:" * 20_000 + "1\n", 0), ("\f" * 50_000 + "$\n", 0), ("\0" * 50_000 + "\n", 0), ("\\\n" * 50_000 + "$\n", 0),
    ("def g[" + "T," * 20_000 + "](a: = 1): pass\n", 1), ("def g(a:" + "'x'|" * 100_000 + "'y'): pass\n", 1),
], ids=range(32))
def test_hostile_input_is_read_around(source, count):
    lines, _ = read(source + AFTER)
    if count is not None:
        assert lines[-1] == AFTER_LINE
        assert len(lines) == count + 1


def test_notes_never_hold_text_of_the_source():
    word = "hunter" + "2hunter2"
    _, notes = read(f"def f(a, {word!r}: pass\nx = {word} {word}\nprint '{word}'\n%{word}\n{word}?\n")
    assert len(notes) > 3 and word not in "".join(notes)


PIECES = st.sampled_from(["def f(", "a, b=1", "):", "\n", "\n    ", "return x", "class A:", "if x:", "else:", '"""', "'", '"', "(", ")", "[", "]", "{", "}", "#", "\\", "@", "print x",
                          "self.x = 1", "x.append(1)", "lambda", "%m", "\0", "\t", ";", ":", "=", "->", "async def g(x)", "try:", "except E, e:", "\u2028", "é", "`", "\f", "\r"])


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_gives_lines_that_parse(text):
    found = ail.signatures(text, "f.py")
    for line in found.lines:
        assert line.startswith("@SIG f.py|") and line.isprintable()
        assert ail.parse(f"!AILv1\n{line}\n").sections[0].tag == "@SIG"
    assert all(note.startswith("f.py: line ") for note in found.notes)


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_taken(raw):
    ail.signatures(raw, "f.py")
    ail.signatures(b"def f(x='" + raw + b"'): pass\n" + raw, "f.py")


@settings(max_examples=60)
@given(st.data())
def test_one_fault_in_a_real_module_costs_few_functions(data):
    source = (ROOT / "tests" / "golden" / "sig_module.py.txt").read_text("utf-8")
    at = data.draw(st.integers(0, len(source)))
    faulty = source[:at] + data.draw(st.sampled_from(["(", ")", "'", "\n$\n", "\n<<<<<<< HEAD\n", "\n%magic\n", "]", " x y ", '"' * 3])) + source[at:]
    names = [{line.partition("|")[2].partition("(")[0].rpartition(".")[2] for line in ail.signatures(text, "f.py").lines} for text in (source, faulty)]
    assert len(names[0] - names[1]) <= 3
