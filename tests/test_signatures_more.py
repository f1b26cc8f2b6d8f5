"""What a user gets from `sig`: inputs of every kind that is hard, in the places where code has them."""
from __future__ import annotations

import pytest

import ail_mcp as ail

CASES = [
    # overloads, properties, decorators
    ("class Q:\n    @t.overload\n    def get(self, k: str) -> str: ...\n    @t.overload\n    def get(self, k: int, /) -> int: ...\n    def get(self, k): return self.d[k]",
     ["Q.get(self,k:str)->str", "Q.get(self,k:int,/)->int", "Q.get(self,k)->Any"]),
    ("class Q:\n    @functools.cached_property\n    def size(self) -> int: self._size = 1; return 1\n    @size.deleter\n    def size(self): del self._size",
     ["Q.size(self)->int|mutates(self._size)", "Q.size(self)->None|mutates(self._size)"]),
    ("class Q:\n    @staticmethod\n    async def open(path: 'Path', *, mode='r') -> 'Q': return Q()", ["~Q.open(path:Path,*,mode='r')->Q"]),
    ("@app.get('/x/{id}', responses={404: {'d': 'def g(a): pass'}})\n@retry(lambda e: (e, 1))\nasync def read(id: int = Path(ge=1)) -> Item: ...",
     ["~read(id:int=Path(ge=1))->Item"]),
    # markers and defaults
    ("def f(a, /, *, b): ...", ["f(a,/,*,b)->None"]), ("def f(*, a, b=2, c): ...", ["f(*,a,b=2,c)->None"]),
    ("def f(a=1, /, *args, b, **kw: Unpack[TD]): ...", ["f(a=1,/,*args,b,**kw:Unpack[TD])->None"]),
    ("def f(a=b'\\x00', c=-1.5e-3, d=1_000, e=2j, g=...): ...", ["f(a=b'\\x00',c=-1.5e-3,d=1_000,e=2j,g=...)->None"]),
    ("def f(a={'k': [1, 2]}, b=(), c=x.y[0], d=not z): ...", ["f(a={'k': [1,2]},b=(),c=x.y[0],d=not z)->None"]),
    ("def f(a=lambda: (yield), b=lambda *a, k=1: k): ...", ["f(a=lambda: (yield),b=(lambda *a,k=1: k))->None"]),
    ("def f(a='" + "x" * 38 + "', b='" + "x" * 39 + "'): ...", ["f(a='" + "x" * 38 + "',b=...)->None"]),
    ("def f(sep='->', q=\"it's\", p='a)(', o='[|mutates(x)'): ...", ["f(sep='->',q=\"it's\",p='a)(',o='[\\x7cmutates(x)')->None"]),
    ("def f(a='é\u2029b\x85\x0bc'): ...", ["f(a='é\\u2029b\\x85\\x0bc')->None"]),
    ("def f(a=\"\"\"one\n@LOG !x(y) -> ^z\"\"\"): ...", ["f(a='one\\n@LOG !x(y) -> ^z')->None"]),
    ("def f(a=r'''\\d\n\"''', b=f\"\"\"{x}\"\"\"): ...", ["f(a='\\\\d\\n\"',b=f'{x}')->None"]),
    ("def f(\n    a: int = (  # one (\n        1 +\n        2\n    ),\n    b=[\n        'x',  # ]\n        'y',\n    ],\n    c=(\n        1,\n    ),\n): ...",
     ["f(a:int=1 + 2,b=['x','y'],c=(1,))->None"]),
    ("def f(a \\\n  : int \\\n  = 3): ...", ["f(a:int=3)->None"]), ("def f(a=1if x else 2): ...", ["f(a=1if x else 2)->None"]),
    ("def f(a=(x := 3), b=[*y], c={**z}): ...", ["f(a=(x := 3),b=[*y],c={**z})->None"]),
    # annotations
    ("def f(a: 'int | None' = None, b: \"dict[str, 'X']\" = {}): ...", ["f(a:int|None=None,b:\"dict[str, 'X']\"={})->None"]),
    ("def f(a: Literal['x y', \"Z\"], b: Annotated['T', Doc('a, b')]) -> 'Iterator[T]': ...", ["f(a:Literal['x y',\"Z\"],b:Annotated['T',Doc('a, b')])->Iterator[T]"]),
    ("def f(cb: Callable[..., Awaitable[tuple[int, ...]]]) -> Callable[[], None] | None: ...",
     ["f(cb:Callable[...,Awaitable[tuple[int,...]]])->Callable[[],None]|None"]),
    ("def f(a: x[1:2, ::3], b: (int, str), c: {'d': 1}) -> lambda: 1: ...", ["f(a:x[1:2,::3],b:(int,str),c:{'d': 1})->(lambda: 1)"]),
    ("def f(größe: 'Maß' = 'ß', *, ｘ=1): ...", ["f(größe:Maß='ß',*,x=1)->None"]),
    # returns
    ("def f():\n    try: return\n    finally: pass", ["f()->None"]), ("def f():\n    def g(): return 1\n    class C:\n        def m(self): yield\n    x = [(yield) for _ in ()] if 0 else 1",
     ["f()->Any", "f.g()->Any", "f.C.m(self)->Any"]),
    ("async def f():\n    async for x in y: yield x", ["~f()->Any"]), ("def f():\n    for x in y:\n        if x: break\n    else: return x", ["f()->Any"]),
    ("def f(): raise NotImplementedError", ["f()->None"]), ("f = lambda x: x\ndef g(h=lambda: (yield)): pass", ["g(h=lambda: (yield))->None"]),
    # places of functions
    ("with a, b as c:\n  while x:\n    for y in z:\n      try: pass\n      except E:\n        def f(): pass\n      else:\n        async def g(): pass", ["f()->None", "~g()->None"]),
    ("if T:\n    class A:\n        if X:\n            def m(self): pass\n        else:\n            def m(self, y): pass", ["A.m(self)->None", "A.m(self,y)->None"]),
    ("match a:\n    case {'k': v} if v:\n        def f(): pass\n    case _:\n        class B:\n            def g(self): pass", ["f()->None", "B.g(self)->None"]),
    ("class A: \n  class B:\n    def x(self):\n      def y():\n        class C:\n          z = lambda s: s\n          def w(s): pass", ["A.B.x(self)->None", "A.B.x.y()->None", "A.B.x.y.C.w(s)->None"]),
    ("def f(): pass; x = 1\nclass A: pass\ndef f(a): pass", ["f()->None", "f(a)->None"]), ("x = '''\ndef no(): pass\n'''\n# def no2(): pass\nif 1: pass\ndef yes(): pass", ["yes()->None"]),
    # what is changed
    ("def f(self):\n    self.a = self.b = 1\n    self.a += 2\n    self.c: int = 3\n    self.d: int", ["f(self)->None|mutates(self.a,self.b,self.c)"]),
    ("def f(self, k):\n    (self.x, [self.y, *self.z]), self.d[k] = k", ["f(self,k)->None|mutates(self.x,self.y,self.z,self.d)"]),
    ("def f(c):\n    for c.i, c.j[0] in c: pass\n    with c as (c.k, m): pass", ["f(c)->None|mutates(c.i,c.j,c.k)"]),
    ("async def f(s):\n    async with s.lock as s.held: pass\n    async for s.row in s: await s.q.put(1)", ["~f(s)->None|mutates(s.held,s.row,s.q.put)"]),
    ("N = 0\ndef f():\n    global N, M\n    N += 1\n    return M", ["f()->Any|mutates(N)"]), ("def f():\n    global np, g\n    import numpy as np\n    def g(): pass", ["f()->None|mutates(np,g)", "f.g()->None"]),
    ("def f():\n    n = 0\n    def g():\n        nonlocal n\n        n = 1\n    return g", ["f()->Any", "f.g()->None|mutates(n)"]),
    ("def f(x):\n    out = []\n    for i in x: out.append(i)\n    seen = set()\n    seen.add(1)\n    return out", ["f(x)->Any"]),
    ("def f(x, out=None):\n    out = out or []\n    out.append(x)", ["f(x,out=None)->None|mutates(out.append)"]),
    ("def f(self):\n    rows = self.rows\n    rows.append(1)\n    rows[0] = 2", ["f(self)->None|mutates(self.rows.append,self.rows)"]),
    ("def f(s):\n    s.replace('a', 'b')\n    t = s.replace('a', 'b')\n    log.info('x')\n    d.get(1)\n    return s.strip()", ["f(s)->Any|mutates(s.replace)"]),
    ("def f(d):\n    x = d.pop('k', None)\n    y = d.setdefault('z', [])\n    d.update(a=1)\n    z = d.update", ["f(d)->None|mutates(d.pop,d.setdefault,d.update)"]),
    ("def f(p):\n    with open(p, 'w') as fh:\n        fh.write('x')\n    p.unlink()\n    (p / 'a').mkdir()", ["f(p)->None|mutates(fh.write,p.unlink,p.mkdir)"]),
    ("def f(self):\n    " + "\n    ".join(f"self.a{i} = {i}" for i in range(8)), ["f(self)->None|mutates(self.a0,self.a1,self.a2,self.a3,self.a4,+3)"]),
    ("def f(o, h):\n    setattr(o, 'a', 1)\n    heapq.heappush(h, 1)\n    random.shuffle(h)\n    object.__setattr__(o, 'b', 2)", ["f(o,h)->None|mutates(o,h)"]),
    ("def f(d):\n    del d['a'], d.b, e\n    if (n := d.x) and n: pass\n    [d.add(i) for i in n]", ["f(d)->None|mutates(d,d.b)"]),
    ("def f(x):\n    def g(): x.y = 1\n    return lambda: x.append(2)", ["f(x)->Any", "f.g()->None|mutates(x.y)"]),
    ("def f(self):\n    return self.items.append(1) or self.cache.clear()", ["f(self)->Any|mutates(self.items.append,self.cache.clear)"]),
    ("def f(c):\n    (c.items\n        .append(1))\n    c . rows . extend ([])", ["f(c)->None|mutates(c.items.append,c.rows.extend)"]),
    ("def f(a, b):\n    a[0], b[1:2] = b, a\n    a.x.y[1].z = 1", ["f(a,b)->None|mutates(a,b,a.x.y.z)"]),
    # odd bytes and layouts
    ("\ufeffdef f(): pass\r\n\r\ndef g():\r\n\treturn 1", ["f()->None", "g()->Any"]), ("def f(): pass\n\x0c\ndef g(x='\x0c'): pass", ["f()->None", "g(x='\\x0c')->None"]),
    ("class A:\n\n\n  def f(self,):return(1)\n  def g(self)->(int):pass", ["A.f(self)->Any", "A.g(self)->int"]),
    # broken
    ("def ok(a): return a\ndef bad(a, b=[1, 2:\n    self.x = 1\nclass C:\n    def m(self, q: int = 1): return q", ["ok(a)->Any", "bad(a,b=...)->None|mutates(self.x)", "C.m(self,q:int=1)->Any"]),
    ("class A(B:\n    def m(self): self.y = 1\ndef n(): pass", ["A.m(self)->None|mutates(self.y)", "n()->None"]),
    ("def f(x):\n    print x\n    exec 'a' in d\n    raise E, 'm'\ndef g((a, b), c=0777): return `a`", ["f(x)->None", "g((a,b),c=0o777)->Any"]),
    ("%load_ext x\nfiles = !ls *.py\ndef f(p):\n    !rm {p}\n    return p\n%%time", ["f(p)->Any"]), ("def a(): pass\n\0\ndef b(): pass", ["a()->None", "b()->None"]),
]


@pytest.mark.parametrize("source, lines", CASES)
def test_a_hard_input_gives_the_right_lines(source, lines):
    found = ail.signatures(source, "f.py")
    assert [line.removeprefix("@SIG f.py|") for line in found.lines] == lines
