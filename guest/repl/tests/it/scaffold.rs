//! Names that a session defines, and how they stay whole.

use std::collections::BTreeMap;

use rlm_repl::Repl;
use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

use crate::host::{
    TestHost, check, check_with, profile, repl, repl_with, returned, settings, tell,
};

#[test]
fn names_that_a_script_overwrote_are_whole_again_in_the_next() {
    let host = TestHost::default();
    check(
        &host,
        &[
            ("print = now = FINAL = llm_query = 3\nprint + now", "6"),
            ("print('a', end='')\nnow()", "0"),
            (
                "def f():\n    global FINAL, print\n    FINAL = print = 1\nf()",
                "None",
            ),
            ("print('b', end='')\nFINAL(now())", "FINAL 1"),
            ("def final(): FINAL(2)\nFINAL = None", "None"),
            ("final()", "FINAL 2"),
        ],
    );
    assert_eq!(*host.said.borrow(), "ab");
}

#[test]
fn only_what_a_script_assigned_is_bound_again() {
    // Otherwise this name would be a function again.
    check(
        &TestHost::default(),
        &[
            ("def f(llm_query): return llm_query", "None"),
            ("f(1)", "1"),
            ("x = [now for now in [5]]\nx", "[5]"),
        ],
    );
}

#[test]
fn what_functions_overwrite_later_is_whole_again_too() {
    let host = TestHost::default();
    check(
        &host,
        &[
            (
                "def f():\n    global print, FINAL\n    print = FINAL = 3",
                "None",
            ),
            ("f()\nprint", "3"),
            ("print('a', end='')\nFINAL(1)", "FINAL 1"),
            ("f()", "None"),
            ("print('b', end='')", "None"),
            // Common words stay what a script made of them.
            ("budget = 5000\nfiles = ['a']", "None"),
            (
                "budget, files",
                "(5000, ['a']) = {\"$tuple\":[5000,[\"a\"]]}",
            ),
        ],
    );
    assert_eq!(*host.said.borrow(), "ab");
}

#[test]
fn helpers_of_researchers_are_there() {
    let host = TestHost::default();
    check(
        &host,
        &[
            ("buffers.append('a')", "None"),
            ("buffers", "['a'] = [\"a\"]"),
            (
                "chunk_indices(500000)",
                "[(0, 200000), (200000, 400000), (400000, 500000)] = [{\"$tuple\":[0,200000]},{\"$tuple\":[200000,400000]},{\"$tuple\":[400000,500000]}]",
            ),
            (
                "chunk_indices(10, 4, overlap=1)",
                "[(0, 4), (3, 7), (6, 10)] = [{\"$tuple\":[0,4]},{\"$tuple\":[3,7]},{\"$tuple\":[6,10]}]",
            ),
            (
                "chunk_indices(10, 4, overlap=4)",
                "ValueError: overlap must be smaller than chunk_size [value] <python-input-4>:1:1-32",
            ),
            ("budget()['llm_calls_left']", "3"),
            (
                "history[0]['content'], history_1",
                "('hi', [{'role': 'user', 'content': 'hi'}]) = {\"$tuple\":[\"hi\",[{\"role\":\"user\",\"content\":\"hi\"}]]}",
            ),
            ("history.append(1)\nlen(history)", "2"),
            ("len(history)", "1"),
        ],
    );
    assert_eq!(
        host.asked.borrow()[..2],
        [
            "budget{\"args\":[],\"kwargs\":{}}",
            "history{\"args\":[0],\"kwargs\":{}}"
        ]
    );
}

#[test]
fn show_vars_lists_what_scripts_made_so_far() {
    let lines = Profile {
        shows_values: true,
        ..profile()
    };
    let source = "def f(): pass\nx = [1, 2]\nprint(SHOW_VARS())";
    for (profile, none, all) in [
        (
            profile(),
            "No variables created yet. Use ```repl``` blocks to create variables.\n",
            "Available variables: {'f': 'function', 'x': 'list'}\n",
        ),
        (
            lines,
            "No variables defined.\n",
            "Variables:\n  f: function = <function>\n  x: list = [1, 2]\n",
        ),
    ] {
        let host = TestHost::default();
        check_with(
            &host,
            profile,
            &[("print(SHOW_VARS())", "None"), (source, "None")],
        );
        assert_eq!(*host.said.borrow(), format!("{none}{all}"));
    }
}

#[test]
fn models_are_asked_by_all_their_names() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let all = "llm_query('a'), llm_batch(['b', 'c'], model='m'), ask_llm('d', context='e'), rlm_query('f'), \
               rlm_query_batched(prompts=['g'], model='n')";
    let mut step = repl.exec(all).expect("idle");
    for (ticket, json) in [(0, "1"), (1, "[2, 3]"), (2, "4"), (3, "5"), (4, "[6]")] {
        assert_eq!(tell(step), format!("waits for [{ticket}], open []"));
        step = repl
            .resume(Resumption::Answers(vec![returned(ticket, json)]))
            .expect("waits");
    }
    assert_eq!(
        tell(step),
        "(1, [2, 3], 4, 5, [6]) = {\"$tuple\":[1,[2,3],4,5,[6]]}"
    );
    assert_eq!(
        *host.asked.borrow(),
        [
            "llm a",
            "llms b|c",
            "llm d\n\nContext:\ne",
            "rlm_query{\"args\":[[\"f\"]],\"kwargs\":{}}",
            "rlm_query_batched{\"args\":[[\"g\"]],\"kwargs\":{\"model\":\"n\"}}"
        ]
    );
    for (source, told) in [
        (
            "llm_batch('one text')",
            "TypeError: llm_batch() needs a list of prompts, not str",
        ),
        (
            "llm_query('a', temperature=1)",
            "TypeError: llm_query() got an unexpected keyword argument 'temperature'",
        ),
        ("rlm_query_batched([])", "[]"),
    ] {
        let step = tell(repl.exec(source).expect("idle"));
        assert!(step.starts_with(told), "{step}");
    }
}

#[test]
fn host_functions_are_called_from_where_nothing_can_wait() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    repl.exec("def ask(x): return later(x)\ndef apply(f, x): return f(x)")
        .expect("idle");
    for (source, asked, told) in [
        ("list(map(later, [3, 1]))", 2, "[30, 10]"),
        ("[*filter(lambda x: later(x) > 10, [3, 1])]", 2, "[3]"),
        ("sorted([3, 1, 2], key=ask)", 3, "[1, 2, 3]"),
        (
            "sorted([3, 1, 2], key=lambda x: later(x), reverse=True)",
            3,
            "[3, 2, 1]",
        ),
        (
            "max([3, 1], key=later), min(3, 1, key=ask)",
            4,
            "(3, 1) = {\"$tuple\":[3,1]}",
        ),
        ("xs = [3, 1]\nxs.sort(key=ask)\nxs", 2, "[1, 3]"),
        ("max([], key=later, default=7)", 0, "7"),
        ("(xs).sort(key=later)\nxs", 2, "[1, 3]"),
        (
            "list(map(lambda x: ask(x) + apply(later, x), [1]))",
            2,
            "[20]",
        ),
        (
            "list(map(lambda a, b: later(a) + b, [1, 2], [5, 6]))",
            2,
            "[15, 26]",
        ),
    ] {
        let mut step = repl.exec(source).expect("idle");
        for _ in 0..asked {
            let Step::Suspended(suspension) = &step else {
                panic!("{source}: {}", tell(step));
            };
            let ticket = suspension.waiting[0];
            let given = host.asked.borrow()[ticket as usize].clone();
            let given: u32 = given.trim_start_matches("later{\"args\":[")[..1]
                .parse()
                .expect("a number");
            let answer = returned(ticket, &format!("{}", given * 10));
            step = repl
                .resume(Resumption::Answers(vec![answer]))
                .expect("waits");
        }
        assert_eq!(
            tell(step).split(" = ").next(),
            told.split(" = ").next(),
            "{source}"
        );
    }
    let step = repl
        .exec("import asyncio\nawait asyncio.gather(*map(later, [1, 2]))")
        .expect("idle");
    assert!(tell(step).starts_with("waits for [22, 23]"));
}

#[test]
fn where_that_cannot_be_seen_there_is_a_hint() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl
        .exec("fs = [later]\nmax([1], key=fs[0])")
        .expect("idle");
    let Step::Complete(Outcome {
        ending: Ending::Raised(failure),
        ..
    }) = step
    else {
        panic!("{}", tell(step));
    };
    assert!(failure.hint.expect("a hint").contains("list comprehension"));
}

#[test]
fn a_pause_is_counted_for_each_function_that_is_not_pythons() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    for (source, pauses) in [
        ("1", 0),
        ("now()\nnow()", 2),
        ("FINAL(1)", 1),
        ("x = 1\nSHOW_VARS()", 1),
    ] {
        let Step::Complete(outcome) = repl.exec(source).expect("idle") else {
            panic!("{source} waits");
        };
        assert_eq!(outcome.pauses, pauses, "{source}");
    }
}

/// Names of builtins that the sources of the prelude use.
const BUILTINS: &str = "abs all any bool bytes chr complex dict divmod enumerate filter float format frozenset getattr \
                        hasattr hash id int isinstance iter len list map max min next object ord pow range repr \
                        reversed round set setattr slice sorted str sum tuple type zip";

/// Scripts that need a source of the prelude each, with what they give; they name no builtin.
const FEATURES: [(&str, &str); 22] = [
    ("import statistics\nstatistics.mean([1, 3])", "2"),
    (
        "from fractions import Fraction\nf'{Fraction(1, 2) + Fraction(1, 3)}'",
        "'5/6' = \"5/6\"",
    ),
    (
        "from typing import List, NamedTuple, TypeVar\nT = TypeVar('T')\nf'{T}'",
        "'~T' = \"~T\"",
    ),
    (
        "import pprint\npprint.pformat({'a': [1]})",
        "\"{'a': [1]}\"",
    ),
    (
        "from collections import OrderedDict\nOrderedDict(a=1)['a']",
        "1",
    ),
    (
        "import heapq\nheapq.nsmallest(2, [3, 1, 2])",
        "[1, 2] = [1,2]",
    ),
    ("import bisect\nbisect.bisect([1, 2], 1)", "1"),
    ("import textwrap\ntextwrap.dedent('  a')", "'a' = \"a\""),
    (
        "import string\nstring.Template('$a').substitute(a=1)",
        "'1' = \"1\"",
    ),
    ("import operator\noperator.itemgetter(0)([5])", "5"),
    (
        "import difflib\ndifflib.SequenceMatcher(None, 'ab', 'ab').ratio()",
        "1.0",
    ),
    (
        "import csv, io\n[row for row in csv.reader(io.StringIO('a,b'))]",
        "[['a', 'b']] = [[\"a\",\"b\"]]",
    ),
    (
        "import re\nre.sub(r'(?<=a)b', lambda m: m.group().upper(), 'ab')",
        "'aB' = \"aB\"",
    ),
    ("xs = [1, 2, 3]\ndel xs[0]\nxs", "[2, 3] = [2,3]"),
    (
        "def g():\n    yield 1\n    yield 2\n[x for x in g()]",
        "[1, 2] = [1,2]",
    ),
    (
        "from dataclasses import dataclass, field, asdict\n@dataclass(order=True)\nclass P:\n    x: 'int'\n    y: 'int' = \
         field(default=2)\nasdict(P(1))",
        "{'x': 1, 'y': 2} = {\"x\":1,\"y\":2}",
    ),
    (
        "class A:\n    def __init__(self): self.n = 1\n    @property\n    def x(self): return self.n\n    @x.setter\n    \
         def x(self, v): self.n = v\na = A()\na.x = 4\na.x",
        "4",
    ),
    (
        "class E(ValueError):\n    def __init__(self, n): self.n = n\ntry:\n    raise E(3)\nexcept E as e:\n    n = \
         e.n\nn",
        "3",
    ),
    (
        "class L:\n    def __lt__(self, other): return True\n    def __len__(self): return 0\n(L() < L(), not L())",
        "(True, True) = {\"$tuple\":[true,true]}",
    ),
    (
        "import json\njson.dumps({'a': {1}}, default=lambda o: 'set')",
        "'{\"a\": \"set\"}' = \"{\\\"a\\\": \\\"set\\\"}\"",
    ),
    (
        "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as f: print('x')\nf.getvalue()",
        "'x\\n' = \"x\\n\"",
    ),
    (
        "import urllib.parse\nurllib.parse.urlparse('http://a/b').path",
        "'/b' = \"/b\"",
    ),
];

#[test]
fn variables_with_names_of_builtins_break_no_feature() {
    let hides = format!(
        "{} = 5",
        BUILTINS.split_whitespace().collect::<Vec<_>>().join(" = ")
    );
    let shown = format!(
        "{{{}}}",
        BUILTINS.split_whitespace().collect::<Vec<_>>().join(", ")
    );
    for (source, expected) in FEATURES {
        // Before the first use of the feature, and after it.
        for steps in [
            [
                (hides.as_str(), "None"),
                (source, expected),
                (source, expected),
            ],
            [
                (source, expected),
                (hides.as_str(), "None"),
                (source, expected),
            ],
        ] {
            let host = TestHost::default();
            let mut repl = repl(&host);
            for (source, expected) in steps {
                assert_eq!(tell(repl.exec(source).expect("idle")), expected, "{source}");
            }
            // They stay what the script made of them.
            assert_eq!(
                tell(repl.exec(&shown).expect("idle")),
                "{5} = {\"$set\":[5]}"
            );
        }
    }
}

#[test]
fn what_could_not_be_bound_is_bound_for_the_next_script() {
    let host = TestHost {
        contexts: BTreeMap::from([("a.json".into(), b"{".to_vec())]),
        ..TestHost::default()
    };
    let mut repl = repl(&host);
    let refused = tell(
        repl.exec("import statistics\ncontext\ndel x[0]\nFINAL(answer)")
            .expect("idle"),
    );
    assert!(
        refused.starts_with("ValueError: context 'a.json' is not JSON"),
        "{refused}"
    );
    let again = tell(repl.exec("context").expect("idle"));
    assert!(
        again.starts_with("ValueError: context 'a.json' is not JSON"),
        "{again}"
    );
    for (source, expected) in [
        ("files['a.json']", "'{' = \"{\""),
        ("import statistics\nstatistics.mean([1, 3])", "2"),
        ("x = [1, 2]\ndel x[0]\nx", "[2]"),
        ("answer['ready']", "False = false"),
        ("FINAL(1)", "FINAL 1"),
    ] {
        assert_eq!(tell(repl.exec(source).expect("idle")), expected);
    }
}

#[test]
fn no_script_binds_names_of_contexts_for_a_later_one() {
    let contexts = || BTreeMap::from([("a.txt".into(), b"mine".to_vec())]);
    let expected = "('mine', {'a.txt': 'mine'}, ['a.txt'], 'mine') = \
                    {\"$tuple\":[\"mine\",{\"a.txt\":\"mine\"},[\"a.txt\"],\"mine\"]}";
    let shown = "context, files, context_files, context_0";
    let forges = "global context, files, context_files, context_0\n    context = files = context_files = context_0 = 0";
    for steps in [
        vec![format!("def f():\n    {forges}\n"), String::from("f()")],
        vec![format!("def f():\n    {forges}\nf()"), String::from("f()")],
        vec![
            format!("def f():\n    {forges}\n"),
            shown.to_owned(),
            String::from("f()"),
        ],
        vec![
            String::from("eval('[context := 0 for i in [1]]')"),
            String::from("exec('files = context_files = context_0 = 0')"),
        ],
        vec![
            shown.to_owned(),
            String::from("exec('context = files = context_files = context_0 = 0')"),
        ],
        vec![
            shown.to_owned(),
            String::from("exec('def g():\\n global context, files\\n context = files = 0')"),
            String::from("g()"),
        ],
        vec![
            shown.to_owned(),
            String::from("context = files = context_files = context_0 = 0"),
        ],
        vec![
            shown.to_owned(),
            String::from("del context, files, context_files, context_0"),
        ],
    ] {
        let host = TestHost {
            contexts: contexts(),
            ..TestHost::default()
        };
        let mut repl = repl_with(
            &host,
            Profile {
                eval: true,
                ..profile()
            },
        );
        for step in &steps {
            let told = tell(repl.exec(step).expect("idle"));
            assert!(!told.contains("Error"), "{step}: {told}");
        }
        for _ in 0..2 {
            assert_eq!(tell(repl.exec(shown).expect("idle")), expected, "{steps:?}");
        }
        // What a function binds while a script runs is that script's own doing.
        tell(repl.exec(steps.last().expect("some")).expect("idle"));
        assert_eq!(tell(repl.exec(shown).expect("idle")), expected, "{steps:?}");
    }
}

#[test]
fn exceptions_have_their_context_beside_classes_with_getattr() {
    check(
        &TestHost::default(),
        &[(
            "class A:\n    def __getattr__(self, name): return name\nx = A().b\ntry:\n    try:\n        1 / 0\n    except \
             ZeroDivisionError as e:\n        raise ValueError('v') from e\nexcept ValueError as e:\n    y = \
             repr(e.__cause__), e.__suppress_context__\nx, y",
            "('b', (\"ZeroDivisionError('division by zero')\", True)) = {\"$tuple\":[\"b\",{\"$tuple\":[\"ZeroDivisionError('division by zero')\",true]}]}",
        )],
    );
}

/// CPython may crash there, so it is no program to compare with it.
#[test]
fn a_key_may_take_the_dict_of_an_instance_away() {
    check(
        &TestHost::default(),
        &[(
            "class K:\n    armed = False\n    def __hash__(self): return hash('attr')\n    def __eq__(self, other):\n        if \
             K.armed:\n            a.__dict__ = {}\n        return False\nclass A: pass\na = A()\na.__dict__[K()] = 1\nK.armed = \
             True\na.attr = 5\nK.armed = False\nb = A()\nb.__dict__[K()] = 1\na = b\nK.armed = True\ntry:\n    del a.attr\nexcept \
             AttributeError as e:\n    print(e)\n'there'",
            "'there' = \"there\"",
        )],
    );
}

/// Places of a module where a name is bound, with `@` for the name and `#` for a value.
const BINDINGS: [&str; 34] = [
    "@ = #",
    "@: int = #",
    "(@, x) = (#, 1)",
    "[*@] = [1]",
    "for @ in [#]: pass",
    "for x, @ in [(1, #)]: pass",
    "import json as @",
    "from json import loads as @",
    "with contextlib.nullcontext(#) as @: pass",
    "try: 1 / 0\nexcept ZeroDivisionError as @: pass",
    "(@ := #)",
    "[x for x in [1] if (@ := #)]",
    "{x: (@ := #) for x in [1]}",
    "f'{(@ := #)}'",
    "match #:\n    case @: pass",
    "match [#]:\n    case [*@]: pass",
    "match {'a': 1}:\n    case {**@}: pass",
    "match [1]:\n    case [_] as @: pass",
    "def @(*args, **kwargs): return 'forged'",
    "async def @(*args, **kwargs): return 'forged'",
    "class @: pass",
    "def f(x=(@ := #)): pass",
    "def f(*, x=(@ := #)): pass",
    "def f(x=f'{(@ := #)}'): pass",
    "def f(x=[(@ := #) for y in [1]]): pass",
    "async def f(x=(@ := #)): pass",
    "@(lambda f: f if (@@ := #) else f)\ndef f(): pass",
    "def decorate(*x): return lambda f: f\n@decorate(@@ := #)\ndef f(): pass",
    "def decorate(*x): return lambda f: f\n@decorate((@@ := #))\nclass A: pass",
    "x = (lambda y=(@ := #): y)()",
    "def f():\n    global @\n    @ = #\nf()",
    "def f():\n    def g():\n        global @\n        @ = #\n    g()\nf()",
    "class A:\n    global @\n    @ = #",
    "@ = 1\ndel @",
];

#[test]
fn names_of_ours_are_whole_wherever_a_script_binds_them() {
    let names = [
        "print",
        "llm_query",
        "now",
        "FINAL",
        "SHOW_VARS",
        "read_context",
        "context",
        "files",
    ];
    let contexts = || BTreeMap::from([("a.txt".into(), b"mine".to_vec())]);
    let shown = "print('heard', end='')\n(context, files, type(now()) is int, type(SHOW_VARS()) is str, \
                 read_context('a.txt'), str(llm_query), str(FINAL)[:15])";
    let host = TestHost {
        contexts: contexts(),
        ..TestHost::default()
    };
    let expected = tell(repl(&host).exec(shown).expect("idle"));
    assert!(expected.starts_with("('mine'"), "{expected}");
    let mut bound = 0;
    for form in BINDINGS {
        for name in names {
            let host = TestHost {
                contexts: contexts(),
                ..TestHost::default()
            };
            let mut repl = repl(&host);
            let source = form
                .replace("@@", name)
                .replace("@(lambda", "\u{1}(lambda")
                .replace("@decorate", "\u{1}decorate")
                .replace('@', name)
                .replace('\u{1}', "@")
                .replace('#', "(lambda *a, **k: 'forged')");
            let told = tell(
                repl.exec(&format!("import contextlib\n{source}"))
                    .expect("idle"),
            );
            // Some places are refused, in their own words.
            bound += usize::from(!told.contains("Error"));
            for _ in 0..2 {
                host.said.borrow_mut().clear();
                assert_eq!(
                    tell(repl.exec(shown).expect("idle")),
                    expected,
                    "{source}: {told}"
                );
                assert_eq!(*host.said.borrow(), "heard", "{source}");
            }
        }
    }
    assert!(bound > 25 * names.len(), "{bound}");
}

#[test]
fn a_stream_that_stays_redirected_is_whole_in_the_next_script() {
    for source in [
        "sys.stdout = None",
        "sys.stderr = io.StringIO()",
        "sys.stdout = sys.stderr",
        "contextlib.redirect_stdout(None).__enter__()",
        "contextlib.redirect_stdout(io.StringIO()).__enter__()",
        "contextlib.redirect_stderr(None).__enter__()",
        "s = contextlib.ExitStack()\ns.enter_context(contextlib.redirect_stdout(None))",
        "def g():\n    with contextlib.redirect_stdout(None):\n        yield 1\n        yield 2\nx = g()\nnext(x)",
        "class W:\n    def write(self, text): raise ValueError\ncontextlib.redirect_stdout(W()).__enter__()",
        "from concurrent.futures import ThreadPoolExecutor\ncontextlib.redirect_stdout(None).__enter__()",
    ] {
        let host = TestHost::default();
        let mut repl = repl(&host);
        let told = tell(
            repl.exec(&format!("import contextlib, io, sys\n{source}\nNone"))
                .expect("idle"),
        );
        assert_eq!(told, "None", "{source}");
        for _ in 0..2 {
            let heard = "import pprint\nprint('a', end='')\npprint.pprint(1)\nprint('b', file=sys.stderr, end='')";
            assert_eq!(tell(repl.exec(heard).expect("idle")), "None", "{source}");
        }
        assert_eq!(*host.said.borrow(), "a1\n!ba1\n!b", "{source}");
    }
}

#[test]
fn streams_have_what_those_of_python_have() {
    let host = TestHost::default();
    check(
        &host,
        &[
            (
                "import sys\nout = sys.stdout\nstr([out.encoding, out.errors, out.mode, out.name, out.closed, sys.stderr.name, sys.__stdout__ is out])",
                "\"['utf-8', 'strict', 'w', '<stdout>', False, '<stderr>', True]\"",
            ),
            (
                "out.reconfigure(encoding='utf-8')\nout.write('a'), sys.stderr.write('b\\n')",
                "(1, 2) = {\"$tuple\":[1,2]}",
            ),
            (
                "try: out.fileno()\nexcept OSError as e: r = str(e)\nr",
                "'fileno' = \"fileno\"",
            ),
            // A function of an earlier script prints to what is there now.
            ("def say(): print('said')", "None"),
            (
                "import io\nsys.stdout = io.StringIO()\nsay()\nsys.stdout.getvalue()",
                "'said\\n' = \"said\\n\"",
            ),
            ("say()", "None"),
            // A method `write` can wait for the host.
            (
                "class Model:\n    def write(self, text):\n        if text.strip(): out.write(llm_query(text) + '\\n')\nprint('a', 'b', file=Model())",
                "waits for [0], open []",
            ),
        ],
    );
    assert_eq!(*host.said.borrow(), "a!b\nsaid\n");
}

#[test]
fn functions_read_what_contexts_are_now() {
    let host = TestHost {
        contexts: BTreeMap::from([("a.txt".into(), b"mine".to_vec())]),
        ..TestHost::default()
    };
    check(
        &host,
        &[
            ("def grab(): return context, files['a.txt']", "None"),
            ("context = 'forged'\nfiles = {'a.txt': 'forged'}", "None"),
            (
                "grab()",
                "('mine', 'mine') = {\"$tuple\":[\"mine\",\"mine\"]}",
            ),
        ],
    );
}

#[test]
fn what_is_evaluated_leaves_room_for_the_scripts_to_come() {
    let host = TestHost::default();
    let mut repl = repl_with(
        &host,
        Profile {
            eval: true,
            ..profile()
        },
    );
    let source = "n = 0\ntry:\n    for j in range(70):\n        exec('x=(' + ','.join(\"'q%d'\" % i for i in range(j * \
                  1000, j * 1000 + 1000)) + ')')\n        n += 1\nexcept RuntimeError as e:\n    n = str(e)[:33]\nn";
    let told = tell(repl.exec(source).expect("idle"));
    assert!(told.contains("the interpreter's tables are full"), "{told}");
    for (source, expected) in [("1", "1"), ("len(x)", "1000"), ("FINAL(1)", "FINAL 1")] {
        assert_eq!(tell(repl.exec(source).expect("idle")), expected);
    }
}

#[test]
fn variables_with_names_of_exceptions_break_no_listing() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    tell(
        repl.exec("OverflowError = ValueError = TypeError = BaseException = Exception = 0\ny = 1\nx = [print]")
            .expect("idle"),
    );
    let look = Look {
        repr_bytes: 100,
        user_reprs: false,
        json: true,
    };
    let listed = repl.variables(&look).expect("listed");
    let y = listed.iter().find(|variable| variable.name == "y");
    assert_eq!(y.and_then(|y| y.json.as_deref()), Some("1"), "{listed:?}");
}

/// Returns a session with the state of `from`, and all functions but those in `without`.
fn moved<'a>(
    from: &mut Repl<&'a TestHost>,
    host: &'a TestHost,
    without: &[&str],
) -> Repl<&'a TestHost> {
    let mut bytes = Vec::new();
    for piece in 0.. {
        match from.dump(piece).expect("written") {
            piece if piece.is_empty() => break,
            piece => bytes.extend(piece),
        }
    }
    let mut to = session(host, without);
    to.load(bytes, true).expect("read");
    to
}

fn session<'a>(host: &'a TestHost, without: &[&str]) -> Repl<&'a TestHost> {
    let mut settings = settings(profile());
    settings
        .functions
        .retain(|function| !without.contains(&&*function.name));
    let mut repl = Repl::new(host);
    repl.configure(settings).expect("fits");
    repl
}

#[test]
fn a_function_takes_the_place_of_a_variable_of_its_name() {
    let host = TestHost::default();
    let mut before = session(&host, &["now"]);
    let bind = "def now(): return 'forged'\ndef f(): return now()\nf()";
    assert_eq!(
        tell(before.exec(bind).expect("idle")),
        "'forged' = \"forged\""
    );
    let mut after = moved(&mut before, &host, &[]);
    assert_eq!(tell(after.exec("f()").expect("idle")), "0");
    assert_eq!(tell(after.exec("now()").expect("idle")), "1");
    // Without it, a script may have the name for itself again, until it is given back.
    let mut without = moved(&mut after, &host, &["now"]);
    assert_eq!(tell(without.exec("now = 5\nnow").expect("idle")), "5");
    assert_eq!(tell(without.exec("now").expect("idle")), "5");
    let mut again = moved(&mut without, &host, &[]);
    assert_eq!(tell(again.exec("now()").expect("idle")), "2");
}

#[test]
fn a_function_takes_the_place_of_a_variable_of_a_script_that_waited() {
    let host = TestHost::default();
    let mut before = session(&host, &["now"]);
    let bind = "now = str\nlater()\nnow(1)";
    assert_eq!(
        tell(before.exec(bind).expect("idle")),
        "waits for [0], open []"
    );
    let mut after = moved(&mut before, &host, &[]);
    let answers = Resumption::Answers(vec![returned(0, "1")]);
    assert_eq!(tell(after.resume(answers).expect("waits")), "'1' = \"1\"");
    assert_eq!(tell(after.exec("now()").expect("idle")), "1");
}

#[test]
fn functions_of_scripts_bind_names_of_later_functions_for_one_script() {
    let host = TestHost::default();
    let mut before = session(&host, &["now"]);
    let bind = "def f():\n    global now\n    now = 'forged'";
    before.exec(bind).expect("idle");
    let mut after = moved(&mut before, &host, &[]);
    assert_eq!(
        tell(after.exec("f()\nnow").expect("idle")),
        "'forged' = \"forged\""
    );
    assert_eq!(tell(after.exec("now()").expect("idle")), "0");
}

#[test]
fn workers_of_a_pool_ask_functions_that_are_given_later_at_once() {
    let host = TestHost::default();
    let mut before = session(&host, &["later"]);
    let pool = "from concurrent.futures import ThreadPoolExecutor\n\
                list(ThreadPoolExecutor(2).map(lambda n: now(), [1, 2]))";
    before.exec(pool).expect("idle");
    let mut after = moved(&mut before, &host, &[]);
    let both = "list(ThreadPoolExecutor(2).map(lambda n: later(n), [1, 2]))";
    assert_eq!(
        tell(after.exec(both).expect("idle")),
        "waits for [2, 3], open []"
    );
    // And a name that is no function any more is the script's.
    let mut without = moved(&mut before, &host, &["later", "now"]);
    without.exec("now = 5").expect("idle");
    assert_eq!(tell(without.exec("now").expect("idle")), "5");
}
