"""What a user gets from `sig` on other languages: names, parameters and types with the extra, one clear line without it."""
from __future__ import annotations

import importlib.util

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ail_mcp as ail

needs_grammars = pytest.mark.skipif(importlib.util.find_spec("tree_sitter") is None, reason="the extra `languages` is not installed")

SAMPLES = {
    "a.js": ("export async function load(url, { retry = 3 } = {}, cb = () => 1) {}\nfunction* gen(a) { yield a }\nclass Cart { constructor(items = []) {}\n"
             "  async add(x) {}\n  #priv(a) {}\n  handler = (e) => { } }\nconst make = async (a, b) => a; const one = x => x;\nexports.run = function (v) {};\n"
             "function outer(a) { function inner(b) {} }",
             ["~load(url,{ retry=3 }={},cb=()=> 1)->Any", "gen(a)->Any", "Cart.constructor(items=[])->Any", "~Cart.add(x)->Any", "Cart.#priv(a)->Any",
              "Cart.handler(e)->Any", "~make(a,b)->Any", "one(x)->Any", "exports.run(v)->Any", "outer(a)->Any", "outer.inner(b)->Any"]),
    "a.ts": ("function f<T>(a: string, b?: number, c: Map<string, T[]> = new Map()): Promise<T | null> {}\ninterface Shop { find(id: number): Item | undefined }\n"
             "abstract class A<T> { abstract go(a: T): void; protected async run(...xs: T[]): Promise<void> {} arrow = (e: Event): void => {} }\n"
             "namespace N { export function inside() {} }",
             ["f(a:string,b?:number,c:Map<string,T[]>=new Map())->Promise<T|null>", "Shop.find(id:number)->Item|undefined", "A.go(a:T)->void",
              "~A.run(...xs:T[])->Promise<void>", "A.arrow(e:Event)->void", "N.inside()->Any"]),
    "a.tsx": ("export const App = ({ name }: Props): JSX.Element => <div>{name}</div>", ["App({ name }:Props)->JSX.Element"]),
    "a.go": ("package m\nfunc Plain(a, b int, c ...string) (int, error) { return 0, nil }\nfunc (s *Server) Handle(w http.ResponseWriter, r *http.Request) {}\n"
             "func Map[K comparable, V any](m map[K]V, f func(K) V) map[K]V { return nil }\ntype Store interface { Get(id string) (*Item, error) }",
             ["Plain(a:int,b:int,c:...string)->(int,error)", "Server.Handle(w:http.ResponseWriter,r:*http.Request)->None",
              "Map(m:map[K]V,f:func(K) V)->map[K]V", "Store.Get(id:string)->(*Item,error)"]),
    "a.rs": ("pub async fn load<'a, T: Clone>(url: &'a str, n: Option<u32>) -> Result<Vec<T>, Error> where T: Send { }\n"
             "impl<T> Store<T> { fn put(&mut self, k: String, v: T) { } }\ntrait Shape { fn area(&self) -> f64; }",
             ["~load(url:&str,n:Option<u32>)->Result<Vec<T>,Error>", "Store.put(&mut self,k:String,v:T)->None", "Shape.area(&self)->f64"]),
    "A.java": ("class A<T> { public A(int a, String... rest) { }\n @Override public <R> List<Map<String, R>> find(final int id, @Nullable T t) throws E { return null; }\n"
               " interface I { void go(int[] a); } }",
               ["A.A(a:int,rest:String...)->None", "A.find(id:int,t:T)->List<Map<String,R>>", "A.I.go(a:int[])->None"]),
    "a.c": ("static inline int add(int a, const char *b) { return a; }\nvoid none(void);\nstruct node *make(struct node **out, int (*cb)(int, void *), ...);",
            ["add(a:int,b:const char*)->int", "none()->None", "make(out:struct node**,cb:int (*)(int,void*),...)->struct node*"]),
    "a.cpp": ("namespace ns {\ntemplate <typename T>\nclass Box {\n public:\n  explicit Box(int a = 3);\n  T get() const;\n  bool operator==(const Box& o) const { return true; }\n"
              "  static auto mk(int x) -> Box<T> { }\n};\n}\nint main(int argc, char **argv) { Foo x(y); }",
              ["ns.Box.Box(a:int=3)->None", "ns.Box.get()->T", "ns.Box.operator==(o:const Box&)->bool", "ns.Box.mk(x:int)->Box<T>", "main(argc:int,argv:char**)->int"]),
    "a.cs": ("namespace N { class Cart<T> { public async Task<List<T>> AddAsync(string s, params int[] xs) { void Local(int q) {} } }\n interface I { void Go(ref int a); } }",
             ["~Cart.AddAsync(s:string,xs:params int[])->Task<List<T>>", "Cart.AddAsync.Local(q:int)->None", "I.Go(a:ref int)->None"]),
    "a.rb": ("module M\n class Cart\n  def initialize(items = [], *rest, key:, **kw, &blk); end\n  def self.make(a) = new(a)\n  def empty?; end\n end\nend\ndef top a, b = 1\nend",
             ["M.Cart.initialize(items=[],*rest,key:,**kw,&blk)->Any", "M.Cart.make(a)->Any", "M.Cart.empty?()->Any", "top(a,b=1)->Any"]),
    "a.php": ("<?php\nfunction top(int $a, ?string $b = null, array &...$rest): ?array { }\nclass Cart { function __construct(private int $x = 1) {} }",
              ["top($a:int,$b:?string=null,&...$rest:array)->?array", "Cart.__construct($x:int=1)->Any"]),
    "a.kt": ("suspend fun load(a: Int, b: String = \"x\"): List<String>? = null\nclass Cart<T>(val x: Int) : Base() {\n    fun add(item: T): Boolean { return true }\n"
             "    fun size() = 1\n    fun clear() {}\n}",
             ["~load(a:Int,b:String=\"x\")->List<String>?", "Cart.add(item:T)->Boolean", "Cart.size()->Any", "Cart.clear()->None"]),
    "a.swift": ("func load(_ url: URL, retry n: Int = 3) async throws -> [String: Int]? {\n    return nil\n}\nclass Cart<T>: Base {\n    init(items: [T] = []) { }\n}\n"
                "protocol P {\n    func go(a: Int) -> Bool\n}",
                ["~load(_ url:URL,retry n:Int=3)->[String:Int]?", "Cart.init(items:[T]=[])->None", "P.go(a:Int)->Bool"]),
}


@needs_grammars
@pytest.mark.parametrize("name", SAMPLES)
def test_names_parameters_and_types(name):
    source, lines = SAMPLES[name]
    found = ail.language_signatures(source, name)
    if "optional grammars" in "".join(found.notes):
        pytest.skip(found.notes[0])
    assert [line.removeprefix(f"@SIG {name}|") for line in found.lines] == lines
    assert ail.parse("!AILv1\n" + "\n".join(found.lines) + "\n").sections


def test_without_a_grammar_one_line_says_what_to_install(monkeypatch, tmp_path):
    ail.has_grammar("x.go")
    monkeypatch.setattr(ail, "has_grammar", lambda name: False)
    for name in ("a.go", "b.go", "c.rs", "d.py"):
        (tmp_path / name).write_text("def f(): pass")
    found = ail.code_map([str(tmp_path)])
    assert found.lines == ["@SIG d.py|f()->None"]
    assert [note.partition(" not read")[0] for note in found.notes] == ["2 Go files", "1 Rust file"]
    assert "pip install" in found.notes[0] and "pip install" in ail.code_map([str(tmp_path / "a.go")]).notes[0]


@pytest.mark.parametrize("child, word", [("import time\ntime.sleep(60)", "longer than"), ("import nothing_like_this", "failed"),
                                         ("import os\nos.abort()", "failed")])
def test_a_grammar_that_hangs_or_dies_costs_one_file(monkeypatch, child, word):
    ail.has_grammar("x.go")
    monkeypatch.setattr(ail, "has_grammar", lambda name: True)
    monkeypatch.setattr(ail, "_GRAMMAR_CHILD", child)
    monkeypatch.setattr(ail, "PARSE_SECONDS", 0.5 if "sleep" in child else 20)
    found = ail.language_signatures("package m", "a.go")
    assert found.lines == [] and word in found.notes[0]


@needs_grammars
@settings(max_examples=30)
@given(st.lists(st.sampled_from(["func f(", "class A {", "def f(", "fn f(", "a: ", "int ", "b", ", ", "= '", '"', ")", "{", "}", "->", "|mutates(x)", "\n", "\u2028", "\r", "<", ">", "//",
                                 "/*", "(", "[", "end", "=> ", "const x = "]), max_size=25).map("".join), st.sampled_from(sorted(SAMPLES)))
def test_any_text_gives_whole_lines(text, name):
    for line in ail.language_signatures(text, name).lines:
        assert line.isprintable() and "|mutates(" not in line
        assert ail.parse(f"!AILv1\n{line}\n").sections[0].tag == "@SIG"
