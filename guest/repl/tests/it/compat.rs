//! What is rewritten: what it gives, where its errors stand, what is refused.

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

use crate::host::{TestHost, check, check_with, profile, repl, returned, tell};

/// What was rewritten in the last script of `sources`, as `rule line:column`.
fn rewrites(sources: &[&str]) -> Vec<String> {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let mut told = Vec::new();
    for source in sources {
        let Step::Complete(outcome) = repl.exec(source).expect("idle") else {
            panic!("{source} waits");
        };
        let rewrites = outcome.rewrites.iter();
        told = rewrites
            .map(|one| format!("{} {}:{}", one.rule, one.line, one.column))
            .collect();
    }
    told
}

#[test]
fn each_rewrite_is_listed_with_its_place() {
    for (source, told) in [
        ("x = 1\ny = [x, x]\nlen(y)", &[][..]),
        ("d = {'a': 1}\nmax(d, key=d.get)", &[]),
        ("'ab'.translate({97: 'b'})", &[]),
        ("d = {1: 2}\nif d:\n    del d[1]\nd += [1]", &[]),
        ("def f(): pass\nf.n = 1\nf.n += 1\ndel f.n", &[]),
        ("def f():\n    yield 1\nlist(f())", &[]),
        ("next(x for x in [1])", &[]),
        ("for x in map(abs, [1]): pass", &[]),
        ("any(x for x in [1])", &["looped 1:1"]),
        ("sum(x for x in [1])", &["looped 1:1"]),
        ("list(x for x in [1])", &["gathered 1:6"]),
        ("round(2.675, 2)", &[]),
        ("import re\nre.sub('a', lambda m: 'b', 'a')", &["re 2:1"]),
        ("import json\njson.dumps({1}, default=list)", &["json 2:1"]),
        ("issubclass(int, int)", &["missing-builtin 1:1"]),
        (
            "class A(object):\n    @property\n    def n(self): return 0\nclass B(A): pass\nB().n",
            &[],
        ),
    ] {
        assert_eq!(rewrites(&[source]), told, "{source}");
    }
}

#[test]
fn what_earlier_scripts_defined_decides_how_later_ones_are_read() {
    let class = "class A:\n    def __init__(self, n): self.n = n\n    def __len__(self): return self.n\n    def __lt__(self, o): return self.n < o.n";
    check(
        &TestHost::default(),
        &[
            (
                "def told(x): return 'full' if x else 'empty'\ndef less(x, y): return x < y, x > y, len(x)",
                "None",
            ),
            (class, "None"),
            (
                "told(A(1)), told(A(0)), less(A(1), A(2))",
                "('full', 'empty', (True, False, 1)) = {\"$tuple\":[\"full\",\"empty\",{\"$tuple\":[true,false,1]}]}",
            ),
            ("'full' if A(1) else 'empty'", "'full' = \"full\""),
            ("'full' if A(0) else 'empty'", "'empty' = \"empty\""),
            (
                "(A(0) or A(2)).n, not A(0), len(A(3))",
                "(2, True, 3) = {\"$tuple\":[2,true,3]}",
            ),
            (
                "[a.n for a in sorted([A(3), A(1), A(2)])], max(A(1), A(5)).n",
                "([1, 2, 3], 5) = {\"$tuple\":[[1,2,3],5]}",
            ),
            (
                "A(1) < A(2), A(1) > A(2)",
                "(True, False) = {\"$tuple\":[true,false]}",
            ),
        ],
    );
}

#[test]
fn functions_of_earlier_scripts_ask_later_classes() {
    let class = "class Base:\n    def __init__(self): self._v = 1\n    @property\n    def v(self): return self._v\n    @v.setter\n    def v(self, x): self._v = x * 2\n    @v.deleter\n    def v(self): self._v = 0\nclass A(Base):\n    @property\n    def v(self): return super().v\n    @v.setter\n    def v(self, x): Base.v.fset(self, x + 1)\n    @v.deleter\n    def v(self): self._v = -1\n    @classmethod\n    def make(cls): return cls()\n    def __getattr__(self, name): return name.upper()";
    let hooks = "class Told(A):\n    def __setattr__(self, name, x): object.__setattr__(self, name, [x])\n    def __delattr__(self, name): raise AttributeError('kept ' + name)";
    check(
        &TestHost::default(),
        &[
            (
                "def use(x):\n    x.v = 3\n    x.v += 1\n    first = x.v\n    del x.v\n    return first, x.v, x.other, getattr(x, 'v'), hasattr(x, 'no')\ndef new(c): return c.make()\ndef drop(x):\n    try:\n        del x.a\n    except AttributeError as e:\n        return str(e)",
                "None",
            ),
            (class, "None"),
            (
                "use(new(A))",
                "(20, -1, 'OTHER', -1, True) = {\"$tuple\":[20,-1,\"OTHER\",-1,true]}",
            ),
            (hooks, "None"),
            (
                "t = new(Told)\nt.a = 1\nt.a, t._v, drop(t)",
                "([1], [1], 'kept a') = {\"$tuple\":[[1],[1],\"kept a\"]}",
            ),
            (
                "isinstance(t, Base), issubclass(Told, A), [c.__name__ for c in Told.__mro__]",
                "(True, True, ['Told', 'A', 'Base', 'object']) = {\"$tuple\":[true,true,[\"Told\",\"A\",\"Base\",\"object\"]]}",
            ),
        ],
    );
}

#[test]
fn errors_stand_where_the_script_has_them() {
    check(
        &TestHost::default(),
        &[
            (
                "def drop(d, k):\n    del d[k]  # gone\n    return d",
                "None",
            ),
            (
                "drop({}, 'é')",
                "KeyError: 'é' [key] <python-input-1>:1:1-14 <python-input-0>:2:9-13",
            ),
            (
                "def g(xs):\n    for x in xs:\n        yield 1 / x\nfor y in g([0, 1]): pass",
                "ZeroDivisionError: division by zero [other] <python-input-2>:4:10-19 <python-input-2>:3:15-20",
            ),
            (
                "x = 1\ndel x\nx + 1",
                "NameError: name 'x' is not defined [name] <python-input-3>:3:1-2",
            ),
            (
                "y = {'a': 'b'}; max(y, key=y.get), nope",
                "NameError: name 'nope' is not defined [name] <python-input-4>:1:36-40",
            ),
        ],
    );
}

#[test]
fn a_name_that_was_deleted_is_gone() {
    check(
        &TestHost::default(),
        &[
            ("a = b = 1", "None"),
            ("del a", "None"),
            (
                "a",
                "NameError: name 'a' is not defined [name] <python-input-2>:1:1-2",
            ),
            (
                "del a",
                "NameError: name 'a' is not defined [name] <python-input-3>:1:5-6",
            ),
            ("a = 2\na", "2"),
            (
                "def f():\n    n = 1\n    del n\n    return n\nf()",
                "UnboundLocalError: cannot access local variable 'n' where it is not associated with a value [name] <python-input-5>:5:1-4 <python-input-5>:4:12-13",
            ),
        ],
    );
    let host = TestHost::default();
    let mut repl = repl(&host);
    let mut names = Vec::new();
    for source in ["a = b = 1", "if a:\n    del b"] {
        if let Step::Complete(outcome) = repl.exec(source).expect("idle") {
            names = outcome.names;
        }
    }
    assert_eq!(names, ["a"]);
}

#[test]
fn exceptions_hold_what_they_hold_in_python() {
    check(
        &TestHost::default(),
        &[
            ("class E(ValueError): pass", "None"),
            (
                "def told():\n    try:\n        raise E('a', 1)\n    except E as e:\n        return len(e.args)\ntold()",
                "2",
            ),
            ("raise E('x')", "E: x [value] <python-input-2>:1:7-7"),
            (
                "raise ConnectionResetError(104, 'reset')",
                "ConnectionResetError: [Errno 104] reset [other] <python-input-3>:1:7-7",
            ),
            (
                "raise SyntaxError('bad line')",
                "SyntaxError: bad line [syntax] <python-input-4>:1:7-7",
            ),
        ],
    );
}

#[test]
fn what_cannot_be_is_refused_with_what_to_write_instead() {
    for (source, part, hint) in [
        ("class B(str): pass", "builtin type", "attribute"),
        ("class M(type): pass", "metaclass", "decorator"),
        (
            "class A:\n    @singledispatchmethod\n    def x(self): return 1",
            "decorated",
            "wrap",
        ),
        (
            "class A:\n    def __del__(self): print(1)",
            "special method",
            "close",
        ),
        ("async def f():\n    yield 1", "asynchronous", "list"),
        ("import numpy", "numpy", "statistics"),
        ("import requests", "requests", "network"),
        ("globals()['x']", "globals", "dict"),
        ("'é'.encode('koi8-r')", "koi8-r", "utf-8"),
    ] {
        let host = TestHost::default();
        let Step::Complete(outcome) = repl(&host).exec(source).expect("idle") else {
            panic!("{source} waits");
        };
        let Ending::Raised(failure) = outcome.ending else {
            panic!("{source} runs");
        };
        assert!(failure.exception.message.contains(part), "{failure:?}");
        assert!(
            failure
                .hint
                .as_ref()
                .is_some_and(|told| told.contains(hint)),
            "{failure:?}"
        );
    }
}

#[test]
fn nothing_is_rewritten_where_that_is_not_wanted() {
    let plain = Profile {
        compat: false,
        ..profile()
    };
    check_with(
        &TestHost::default(),
        plain,
        &[
            ("def f(): return 1\nf()", "1"),
            ("next(x for x in [1])", "1"),
            (
                "bytearray(b'a')",
                "NameError: name 'bytearray' is not defined [name] <python-input-2>:1:1-16",
            ),
            (
                r#"import re; [bool(re.search(r'x$', 'x\n')), bool(re.search(r'x\Z', 'x\n')), bool(re.search('[$]x$', '$x')), re.sub(r'\d*', '+', '1a'), re.sub('$', '!', 'a\n')]"#,
                r#"[True, False, True, '++a+', 'a!\n!'] = [true,false,true,"++a+","a!\n!"]"#,
            ),
            (
                r#"[re.findall(r'\w*', 'ab cd'), re.split('x*', 'axb'), re.split('(x)|', 'axb'), re.sub('a', r'\t', 'a'), [m.span() for m in re.finditer(r'\b|a', 'a b')]]"#,
                r#"[['ab', '', 'cd', ''], ['', 'a', '', 'b', ''], ['', None, 'a', 'x', '', None, 'b', None, ''], '\t', [(0, 0), (0, 1), (1, 1), (2, 2), (3, 3)]] = [["ab","","cd",""],["","a","","b",""],["",null,"a","x","",null,"b",null,""],"\t",[{"$tuple":[0,0]},{"$tuple":[0,1]},{"$tuple":[1,1]},{"$tuple":[2,2]},{"$tuple":[3,3]}]]"#,
            ),
            (
                "re.findall('A', 'a', re.ASCII)",
                "NotImplementedError: flags of re other than IGNORECASE, MULTILINE and DOTALL are not available here [unsupported] <python-input-5>:1:1-31",
            ),
        ],
    );
}

#[test]
fn methods_and_parameters_ask_where_all_items_are_taken() {
    let ask = "class A:\n    def ask(self, p): return llm_query(p)\na = A()\ndef each(f, ps): return list(map(f, ps))\n\
               def gen(ps):\n    for p in ps: yield a.ask(p)\nps = ['a', 'b']\n";
    for source in [
        "list(map(a.ask, ps))",
        "[*map(lambda p: a.ask(p), ps)]",
        "each(a.ask, ps)",
        "each(llm_query, ps)",
        "list(dict(zip(ps, map(a.ask, ps))).values())",
        "list(dict(zip(ps, gen(ps))).values())",
        "[x for _, x in sorted(enumerate(gen(ps)))]",
        "class B:\n    def all(self):\n        for p in ps: yield a.ask(p)\nlist(B().all())",
        "' '.join(map(a.ask, ps)).split()",
        "out = []\nout.extend(a.ask(p) for p in ps)\nout",
        "out = []\nout += map(a.ask, ps)\nout",
        "x, y = (a.ask(p) for p in ps)\n[x, y]",
        "x, y = map(a.ask, ps)\n[x, y]",
    ] {
        let host = TestHost::default();
        let mut repl = repl(&host);
        let mut step = repl.exec(&format!("{ask}{source}")).expect("idle");
        for ticket in 0..2 {
            assert_eq!(
                tell(step),
                format!("waits for [{ticket}], open []"),
                "{source}"
            );
            let answers = vec![returned(ticket, "\"yes\"")];
            step = repl.resume(Resumption::Answers(answers)).expect("waits");
        }
        assert_eq!(tell(step), "['yes', 'yes'] = [\"yes\",\"yes\"]", "{source}");
    }
}

#[test]
fn what_is_found_first_ends_the_asking() {
    let ask = "class A:\n    def ask(self, p): return llm_query(p)\ndef asked(ps):\n    for p in ps: yield A().ask(p)\nps = ['a', 'b', 'c']\n";
    for source in [
        "any(llm_query(p) == 'yes' for p in ps)",
        "not all(A().ask(p) != 'yes' for q in ps for p in [q])",
        "next(llm_query(p) for p in ps) == 'yes'",
        "for x in map(llm_query, ps): break\nx == 'yes'",
        "for x in map(A().ask, ps): break\nx == 'yes'",
        "for x in (llm_query(p) for p in ps): break\nx == 'yes'",
        "for i, x in enumerate(map(lambda p: llm_query(p), ps)): break\nx == 'yes'",
        "for i, x in enumerate(llm_query(p) for p in ps): break\nx == 'yes'",
        "for p, x in zip(ps, asked(ps)): break\nx == 'yes'",
        "for x in filter(lambda p: llm_query(p) == 'yes', ps): break\nx == 'a'",
        "for x in iter(lambda: llm_query('a'), 'no'): break\nx == 'yes'",
        "next(x for x in asked(ps)) == 'yes'",
        "g = enumerate(asked(ps))\nnext(g)[1] == 'yes'",
    ] {
        let host = TestHost::default();
        let mut repl = repl(&host);
        let step = repl.exec(&format!("{ask}{source}")).expect("idle");
        assert_eq!(tell(step), "waits for [0], open []", "{source}");
        let answers = vec![returned(0, "\"yes\"")];
        let step = repl.resume(Resumption::Answers(answers)).expect("waits");
        assert_eq!(tell(step), "True = true", "{source}");
        assert_eq!(host.asked.borrow().len(), 1, "{source}");
    }
}
