//! The README's table of what runs, worked out by running it.

use std::fs;
use std::path::Path;

use rlm_sandbox::Ending;

use crate::check::{block_on, sandbox};

const BEGIN: &str = "<!-- what runs: `UPDATE_EXPECT=1 cargo test what_runs` writes this -->\n";
const END: &str = "<!-- end of what runs -->";

/// What models write, in the order of the table, and a program that does it.
const PROBES: [(&str, &str); 39] = [
    (
        "Functions, closures, decorators, `*args`",
        "def d(f):\n    def g(*a, **k): return f(*a, **k)\n    return g\n@d\ndef f(x): return x\nf(1)",
    ),
    (
        "Classes, special methods",
        "class A:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return A(self.x + o.x)\n(A(1) + A(2)).x",
    ),
    (
        "`__len__`, `__bool__`, `__lt__` of classes",
        "class A:\n    def __len__(self): return 0\n    def __lt__(self, o): return True\nbool(A()), A() < A()",
    ),
    (
        "`@property`, `@staticmethod`, `@classmethod`",
        "class A:\n    @property\n    def x(self): return 1\n    @classmethod\n    def make(cls): return cls()\nA.make().x",
    ),
    (
        "Data classes",
        "from dataclasses import dataclass, asdict\n@dataclass\nclass P:\n    x: int\nasdict(P(1))",
    ),
    ("`match`", "match [1, 2]:\n    case [a, *b]: print(a, b)"),
    (
        "`await`, `asyncio.gather`",
        "import asyncio\nasync def f(x): return x\nawait asyncio.gather(f(1), f(2))",
    ),
    (
        "Methods as values: `key=d.get`, `map(str.strip, xs)`",
        "d = {'a': 1}\nmax(d, key=d.get), list(map(str.strip, [' a ']))",
    ),
    (
        "Generator expressions, `map`, `zip` taken step by step",
        "g = (x for x in [1, 2])\nnext(g), next(map(abs, [-1]))",
    ),
    (
        "Generator functions, also without an end, `send`, `yield from`",
        "def f(n):\n    while True:\n        more = yield n\n        n += more or 1\ng = f(3)\nnext(g), g.send(5)",
    ),
    (
        "`@contextmanager`",
        "from contextlib import contextmanager\n@contextmanager\ndef f():\n    yield 1\nwith f() as x: print(x)",
    ),
    (
        "`del` of names, items, slices",
        "d = {1: 2}\nxs = [1, 2, 3]\ndel d[1]\ndel xs[:2]\ndel d\nxs",
    ),
    (
        "`re.sub` with a function, `re.VERBOSE`, `lastgroup`",
        "import re\nre.sub('a+', lambda m: m[0].upper(), 'aab'), re.match(r'a +  # word', 'aa', re.VERBOSE)[0]",
    ),
    (
        "`json.dumps(default=str)`",
        "import json\nfrom datetime import date\njson.dumps({'d': date(2026, 1, 31)}, default=str)",
    ),
    (
        "`str.translate`, `format_map`, `int.bit_length`",
        "'ab'.translate(str.maketrans('a', 'x')), '{a}'.format_map({'a': 1}), (5).bit_length()",
    ),
    (
        "`OrderedDict`, `ChainMap`, `cmp_to_key`, `total_ordering`, `wraps`",
        "from collections import OrderedDict\nfrom functools import cmp_to_key\nsorted([2, 1], key=cmp_to_key(lambda a, b: a - b)), OrderedDict(a=1)",
    ),
    (
        "`io.StringIO`, `csv`, `pprint`, `difflib`, `fractions`, `uuid`",
        "import csv, io\nlist(csv.reader(io.StringIO('a,b')))",
    ),
    (
        "`concurrent.futures`",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool: print(list(pool.map(abs, [-1])))",
    ),
    (
        "Host functions in callbacks of `map`, `sorted`",
        "[*map(len, ['a'])]",
    ),
    (
        "Several arguments of exceptions, `raise … from`, `__cause__`, `ConnectionError`",
        "try:\n    raise ConnectionError('a', 1) from KeyError(2)\nexcept OSError as e: print(e.args, e.__cause__)",
    ),
    (
        "Exceptions of your own, with an empty body",
        "class ParseError(ValueError): pass\ntry:\n    raise ParseError('line', 3)\nexcept ValueError as e: print(e)",
    ),
    (
        "`NamedTuple`, `ABC`, `Protocol` and `Generic` as bases",
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 0\nP(1)",
    ),
    (
        "`__format__`, `__getattr__`, `+=`, `vars`, `del` of attributes",
        "class A:\n    def __format__(self, spec): return spec\na = A()\na.x = 1\ndel a.x\nf'{a:3}', dict(vars(a))",
    ),
    (
        "`isinstance(x, Mapping)`, `type(e) is ValueError`",
        "from collections.abc import Mapping\nisinstance({}, Mapping), type(ValueError()) is ValueError",
    ),
    ("Inheritance", "class A: pass\nclass B(A): pass"),
    (
        "Exceptions of your own with methods",
        "class ParseError(Exception):\n    def __init__(self, line): self.line = line",
    ),
    ("`Enum`", "from enum import Enum\nclass C(Enum):\n    A = 1"),
    ("Asynchronous generators", "async def f():\n    yield 1"),
    (
        "`async with`, `async for`",
        "async def f(lock):\n    async with lock: pass",
    ),
    ("`except*`", "try:\n    pass\nexcept* ValueError:\n    pass"),
    ("Metaclasses", "class M(type): pass"),
    ("`from x import *`", "from math import *"),
    ("`str`, `int`, `UserDict` as bases", "class Tag(str): pass"),
    (
        "`asyncio` but for `run`, `gather`, `sleep`",
        "import asyncio\nasyncio.create_task",
    ),
    ("`globals()`, `dir()`", "globals()"),
    ("`eval`, `exec`", "eval('1 + 1')"),
    ("Files", "open('a.txt', 'w')"),
    ("NumPy, pandas", "import pandas"),
    ("`requests`", "import requests"),
];

#[test]
fn what_runs_is_what_the_readme_says() {
    let mut table = String::from("| What | |\n|---|---|\n");
    for (what, program) in PROBES {
        let mut session = block_on(async { sandbox().session().open() }).expect("opens");
        let outcome = block_on(session.exec(program)).expect("runs");
        let fate = match &outcome.ending {
            Ending::Value(_) if outcome.rewrites.is_empty() => String::from("runs"),
            Ending::Value(_) => String::from("runs, rewritten"),
            Ending::Raised(exception) => {
                let hint = exception.hint.as_ref();
                format!("no: {}", hint.unwrap_or(&exception.message))
            }
            other => panic!("{what}: {other:?}"),
        };
        table.push_str(&format!("| {what} | {fate} |\n"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).expect("readable");
    let (before, rest) = readme.split_once(BEGIN).expect("its place");
    let (written, after) = rest.split_once(END).expect("its end");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("writable");
    } else {
        assert_eq!(written, table, "run the test with UPDATE_EXPECT=1");
    }
}
