//! What a script changes, and what later scripts of the session see of it.

use std::collections::BTreeMap;

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

use crate::host::{TestHost, check, check_with, profile, repl, tell};

/// Runs `first` and `later` in one session, and expects of `later` what a fresh session gives.
fn same_as_alone(first: &str, later: &str) {
    let hosts = [TestHost::default(), TestHost::default()];
    let mut alone = repl(&hosts[0]);
    let expected = tell(alone.exec(later).expect("idle"));
    assert!(!expected.contains("Error"), "{later}: {expected}");
    let mut after = repl(&hosts[1]);
    let source = format!(
        "def evil(*a, **k):\n    print('evil')\n    return 'forged'\nclass Evil:\n    def __init__(self, *a, **k): \
         evil()\n    def __str__(self): return evil()\n    def __repr__(self): return evil()\n    def __call__(self, *a, \
         **k): return evil()\ntry:\n    {}\nexcept (TypeError, AttributeError) as problem:\n    problem = None",
        first.replace('\n', "\n    ")
    );
    let told = tell(after.exec(&source).expect("idle"));
    assert!(told == "None", "{first}: {told}");
    hosts[1].said.borrow_mut().clear();
    let told = tell(after.exec(later).expect("idle"));
    assert_eq!(told, expected, "{first}");
    assert_eq!(*hosts[1].said.borrow(), *hosts[0].said.borrow(), "{first}");
}

#[test]
fn no_script_changes_a_class_of_the_sandbox_for_a_later_one() {
    let pairs = [
        (
            "def g(): yield 1\ntype(g())._run = type(g())._work = type(g()).__next__ = type(g()).send = evil",
            "def h():\n    yield 1\n    yield 2\n[*h()]",
        ),
        (
            "import re\np = re.compile(r'a (?# b)', re.VERBOSE)\ntype(p).sub = evil\ntype(p).search = type(p).match = evil",
            "import re\nre.compile(r'a  # x', re.VERBOSE).sub('c', 'bab')",
        ),
        (
            "import re\nm = re.compile(r'(a)\\Z', re.VERBOSE).search('a')\ntype(m).group = evil",
            "import re\nre.compile(r'(a) # x', re.VERBOSE).search('a').group(1)",
        ),
        (
            "import re\np = re.compile(r'a (?# b)', re.VERBOSE)\np.sub = evil",
            "import re\nre.compile(r'a (?# b)', re.VERBOSE).sub('c', 'bab')",
        ),
        (
            "import re\np = re.compile(r'a (?# b)', re.VERBOSE)\nobject.__setattr__(p.match('a').re, 'findall', evil)",
            "import re\nre.compile(r'a (?# b)', re.VERBOSE).findall('a')",
        ),
        (
            "UserWarning.made = evil",
            "try:\n    raise UserWarning('x')\nexcept UserWarning as e:\n    r = str(e), type(e).__name__\nr",
        ),
        (
            "UserWarning.above = UserWarning.has = UserWarning.body = Evil",
            "try:\n    raise UserWarning('x')\nexcept Warning as e:\n    r = str(e)\nr",
        ),
        (
            "class C:\n    @property\n    def x(self): return 1\ntype(property(lambda s: 1)).__init__ = evil",
            "class D:\n    @property\n    def y(self): return 2\n    @y.setter\n    def y(self, v): self.z = v\nd = D()\nd.y = 4\nd.y, d.z",
        ),
        (
            "m = map(str, [1])\ntype(m).__next__ = evil\nz = zip([1], [2])\ntype(z).__next__ = evil",
            "m = map(str, [1, 2])\nnext(m), [*zip([1], [2])]",
        ),
        (
            "b = bytearray(b'ab')\ntype(b).append = type(b).__len__ = evil",
            "b = bytearray(b'xy')\nb.append(65)\nlen(b), bytes(b)",
        ),
        (
            "import json\njson.JSONDecoder.decode = json.JSONEncoder.encode = evil",
            "import json\njson.JSONDecoder().decode('[1]')",
        ),
        (
            "import threading\ntype(threading.Lock()).acquire = evil\nthreading.Thread.start = threading.Thread.join = evil",
            "import threading\nlock = threading.Lock()\nwith lock:\n    r = lock.locked()\nt = threading.Thread(target=lambda: print('ran'))\nt.start()\nt.join()\nr",
        ),
        (
            "import io\nio.StringIO.write = io.StringIO.getvalue = evil",
            "import io\ns = io.StringIO()\ns.write('a')\ns.getvalue()",
        ),
        (
            "from concurrent.futures import Future, ThreadPoolExecutor\nFuture.result = evil\nThreadPoolExecutor.submit = evil",
            "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n    r = pool.submit(lambda: 5).result()\nr",
        ),
        (
            "import queue\nqueue.Queue.put = queue.Queue.get = evil",
            "import queue\nq = queue.Queue()\nq.put(1)\nq.get()",
        ),
        (
            "from fractions import Fraction\nFraction.__add__ = Fraction.__repr__ = evil",
            "from fractions import Fraction\nstr(Fraction(1, 2) + Fraction(1, 3))",
        ),
        (
            "import uuid\nuuid.UUID.__str__ = uuid.UUID.__init__ = evil",
            "import uuid\nstr(uuid.UUID('12345678123456781234567812345678'))",
        ),
        (
            "import dataclasses\nfrom collections import OrderedDict\nOrderedDict.__init__ = evil\ndataclasses.dataclass(OrderedDict)",
            "from collections import OrderedDict\nOrderedDict(a=1)['a']",
        ),
        (
            "object.__setattr__(UserWarning, 'made', evil)",
            "try:\n    raise UserWarning('x')\nexcept UserWarning as e:\n    r = str(e)\nr",
        ),
        (
            "UserWarning.__init__('UserWarning', None, ValueError)",
            "try:\n    raise UserWarning('x')\nexcept Warning as e:\n    r = type(e).__name__, isinstance(e, ValueError)\nr",
        ),
        (
            "Warning.__init__('Warning', Warning, Exception)",
            "try:\n    raise EOFError('x')\nexcept Warning:\n    r = 1\nexcept EOFError:\n    r = 2\nr",
        ),
        (
            "UserWarning.__name__ = 'TimeoutError'",
            "try:\n    raise UserWarning('x')\nexcept Warning as e:\n    r = type(e).__name__, repr(e)\nr",
        ),
        (
            "import json\njson.JSONDecodeError.__name__ = evil",
            "import json\ntry:\n    json.loads('{')\nexcept json.JSONDecodeError as e:\n    r = type(e).__name__[:4], e.pos\nr",
        ),
        (
            "import collections.abc\ncollections.abc.Mapping._rlm_kind = 'Sized'",
            "import collections.abc\nisinstance([], collections.abc.Mapping), isinstance({}, collections.abc.Mapping)",
        ),
        (
            "import enum\nenum.Enum.__str__ = enum.Enum.name = enum.IntEnum.__lt__ = evil",
            "import enum\nclass A(enum.IntEnum):\n    X = 1\nf'{A.X} {A.X.name}', A.X < 2",
        ),
        (
            "import enum\nenum.Enum._member_names_.append('x')",
            "import enum\nclass A(enum.Enum):\n    X = 1\n[*A], A(1), A['X']",
        ),
        (
            "import enum\nenum.Enum.__members__['x'] = enum.Flag._value2member_map_[1] = 1",
            "import enum\nclass A(enum.Flag):\n    X = 1\n    Y = 2\n[*A], A(3), A.__members__",
        ),
        (
            "import typing\ntyping.List.__init__('typing', 'Dict')\ntyping.Any._home = evil",
            "import typing\ntyping.List[int], typing.Any",
        ),
    ];
    for (first, later) in pairs {
        same_as_alone(first, later);
    }
}

#[test]
fn what_an_earlier_script_named_is_not_what_a_later_one_names() {
    let pairs = [
        (
            "if 0:\n    class Account(Exception): pass",
            "class Account:\n    limit = 100\n    def __init__(self, owner='?', amount=0):\n        self.owner, self.amount = owner, amount\n    def may(self, n):\n        return n <= self.limit\nclass Strict(Account):\n    limit = 1\n    def kind(self):\n        return 'strict'\nclass Closed(Account):\n    def may(self, n):\n        return False\nprint(Strict('bob', 7).may(50), Closed('eve', 1).may(5), Closed('eve', 1).owner)",
        ),
        (
            "def unused():\n    class Enum(ValueError): pass\n    class ABC(Enum): pass",
            "from enum import Enum\nfrom abc import ABC\nclass C(Enum):\n    A = 1\nclass D(ABC): pass\nC.A.value, type(D()).__name__",
        ),
        (
            "def func(): pass\nfunc.start = func.now = func.group = 1",
            "import re\nfrom datetime import datetime\nm = re.search('b', 'abc')\nm.start(), m.group(), datetime.now().year > 2000",
        ),
        (
            "from typing import NamedTuple\nclass Span(NamedTuple):\n    end: int\n    def start(self): return 1\n    def items(self): return 2",
            "import re\nm = re.search('b', 'abc')\nm.start(), [*{1: 2}.items()]",
        ),
        (
            "s = 'see x.__doc__'",
            "class A:\n    def __f(self): return 1\n    def g(self):\n        yield self.__f()\n[*A().g()]",
        ),
        (
            "def func(): pass\nfunc.args = 1\nfunc.search = 1",
            "import re\ntry:\n    raise LookupError(1, 2)\nexcept LookupError as e:\n    r = e.args\nm = re.compile('b').search('abc')\nr, m.group()",
        ),
        (
            "if 0:\n    def int(x): return llm_query(x)",
            "import itertools\nm = map(int, itertools.count())\nnext(m), next(m)",
        ),
        (
            "def f(x): return llm_query(x)",
            "import itertools\ndef f(x): return x + 1\nm = map(f, itertools.count())\nnext(m), next(m)",
        ),
        (
            "import re\np = re.compile(r'\\d+$')\np._made = {}",
            "import re\nre.findall(r'\\d+$', 'order 66\\n')",
        ),
        (
            "import re\nclass K:\n    def __hash__(self): return hash(None)\n    def __eq__(self, other): return evil() == 'forged'\n\
             re.compile(r'\\d+$')._natively((K(), False, True))",
            "import re\nre.findall(r'\\d+$', 'order 66\\n')",
        ),
        (
            "import queue, heapq\nheapq.heappush = heapq.heappop = evil",
            "import queue\nq = queue.PriorityQueue()\nq.put(3)\nq.put(1)\nq.get()",
        ),
        (
            "import csv\ncsv.Sniffer().preferred.insert(0, Evil())",
            "import csv\ncsv.Sniffer().sniff('a;b\\n1;2\\n').delimiter",
        ),
        (
            "import calendar\ncalendar.firstweekday.__self__.formatweekheader = evil",
            "import calendar\ncalendar.weekheader(3)",
        ),
        (
            "import keyword\nkeyword.kwlist.append('x')",
            "import keyword\nkeyword.iskeyword('x')",
        ),
        (
            "import re\np = re.compile(r'\\d+$')\np._natively = p._hard = evil",
            "import re\nre.findall(r'\\d+$', 'order 66\\n')",
        ),
        (
            "import re\nq = re.compile(r'(?P<user>\\w+):(?P<role>\\w+)$')\nq.groupindex['user'] = 2",
            "import re\nre.sub(r'(?P<user>\\w+):(?P<role>\\w+)$', r'\\g<user>', 'guest:admin')",
        ),
    ];
    for (first, later) in pairs {
        same_as_alone(first, later);
    }
}

#[test]
fn no_name_of_an_exception_class_is_more_than_a_name() {
    let host = TestHost::default();
    let mut session = repl(&host);
    let source = "class Odd(ValueError): pass\ntry:\n    Odd.__name__ = [print]\nexcept TypeError: pass\nraise Odd('x')";
    let text = tell(session.exec(source).expect("idle"));
    assert!(text.starts_with("Odd: x"), "{text}");
}

#[test]
fn no_variable_with_the_name_of_a_builtin_reaches_code_of_the_sandbox() {
    // Each is made a variable after the later script's helpers were fed, and before.
    let scripts = [
        "def h():\n    yield 1\n    yield 2\n[*h()]",
        "import statistics\nstatistics.median([3, 1, 2])",
        "import textwrap\ntextwrap.shorten('hello wide world', width=12)",
        "import heapq\nheapq.nlargest(2, [1, 5, 3])",
        "import re\nre.compile(r'a (b) # x', re.VERBOSE).findall('ab')",
        "class Odd(ValueError): pass\ntry:\n    raise Odd('x')\nexcept ValueError as e:\n    r = f'{e}'\nr",
        "import string\nstring.Template('$a b').substitute({'a': 1})",
        "import difflib\ndifflib.get_close_matches('appel', ('ape', 'apple'))",
        "import pprint\npprint.pformat((1, 2))",
        "import struct\nstruct.unpack('<H', struct.pack('<H', 258))",
        "from enum import Enum, Flag\nclass C(Enum):\n    A = 1\nclass F(Flag):\n    X = 1\n    Y = 2\nC.A.value, C(1).name, (F.X | F.Y).value",
        "from collections import Counter\nclass W(Counter): pass\nW('aab').most_common(1)",
        "from collections import OrderedDict\nclass D(OrderedDict): pass\n[*D.fromkeys('ab', 1)], D(a=1) == 5",
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: 'a number'\n    def twice(self): return self.x * 2\nP(3).twice(), P(3).x",
        "from fractions import Fraction\nFraction(1, 2) == 'a', Fraction(1, 2) + 1 == Fraction(3, 2)",
        "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.warn('x')\nw[0].category.__name__",
        "from dataclasses import dataclass\n@dataclass(order=True)\nclass Q:\n    n: 'a number' = 1\nQ() < Q(2), f'{Q()}'",
    ];
    let refused = "try:\n    chunk_indices('text')\nexcept TypeError as e:\n    r = f'{e}'\nr";
    let names = [
        "TypeError",
        "ValueError",
        "KeyError",
        "StopIteration",
        "IndexError",
        "Exception",
        "BaseException",
        "AttributeError",
        "NotImplementedError",
        "len",
        "str",
        "int",
        "list",
        "dict",
        "tuple",
        "set",
        "type",
        "isinstance",
        "issubclass",
        "staticmethod",
        "classmethod",
        "property",
        "super",
        "delattr",
        "callable",
        "vars",
        "dir",
        "object",
        "NotImplemented",
        "Ellipsis",
        "range",
        "sorted",
        "min",
        "max",
        "sum",
        "zip",
        "map",
        "any",
        "all",
        "iter",
        "next",
        "repr",
        "getattr",
        "hasattr",
        "setattr",
        "enumerate",
        "reversed",
        "bytes",
        "float",
        "bool",
        "abs",
        "ord",
        "chr",
        "id",
        "hash",
        "divmod",
        "round",
        "callable",
        "filter",
        "frozenset",
        "property",
        "staticmethod",
        "super",
        "object",
        "vars",
        "dir",
        "format",
    ];
    for source in scripts.into_iter().chain([refused]) {
        for is_fed_first in [true, false] {
            let host = TestHost::default();
            let mut session = repl(&host);
            let expected = tell(session.exec(source).expect("idle"));
            assert!(!expected.contains("Error:"), "{expected}");
            if !is_fed_first {
                session = repl(&host);
            }
            let own: Vec<_> = names
                .iter()
                .filter(|name| !source.contains(*name))
                .collect();
            let mut text =
                String::from("def evil(*a, **k):\n    print('evil')\n    return 'forged'");
            for name in own {
                text.push_str(&format!("\n{name} = evil"));
            }
            assert_eq!(tell(session.exec(&text).expect("idle")), "None");
            assert_eq!(
                tell(session.exec(source).expect("idle")),
                expected,
                "{source} {is_fed_first}"
            );
            assert_eq!(*host.said.borrow(), "", "{source} {is_fed_first}");
        }
    }
}

#[test]
fn exceptions_and_results_of_an_earlier_script_are_none_of_a_later_one() {
    let host = TestHost::default();
    check(
        &host,
        &[
            (
                "class Mine(ValueError):\n    def __init__(self, *args):\n        self.code = 7\n        super().__init__(*args)\n\
                 try:\n    raise Mine('same')\nexcept Mine as e:\n    kept = e\nkept.code",
                "7",
            ),
            (
                "try:\n    int('x')\nexcept ValueError as e:\n    pass\ntry:\n    raise ValueError('same')\nexcept ValueError as \
                 e:\n    r = type(e).__name__, isinstance(e, Mine)\nr",
                "('ValueError', False) = {\"$tuple\":[\"ValueError\",false]}",
            ),
            // What was kept stays what it was.
            (
                "kept.code, type(kept).__name__",
                "(7, 'Mine') = {\"$tuple\":[7,\"Mine\"]}",
            ),
            (
                "class Says:\n    def __str__(self):\n        print('ran')\n        return 'x'\n    __repr__ = __str__\n\
                 def g():\n    yield 1\n    return Says()\ni = g()\nnext(i)\ntry: next(i)\nexcept StopIteration: pass",
                "None",
            ),
        ],
    );
    host.said.borrow_mut().clear();
    let mut session = repl(&host);
    for source in [
        "class Mine(KeyError): pass\ntry:\n    raise Mine('same')\nexcept Mine: pass",
        "class Other(KeyError): pass\nraise KeyError('same')",
    ] {
        let told = tell(session.exec(source).expect("idle"));
        assert!(!told.contains("Mine"), "{told}");
    }
    assert_eq!(*host.said.borrow(), "");
}

#[test]
fn no_script_changes_the_texts_of_contexts_for_a_later_one() {
    let host = TestHost {
        contexts: BTreeMap::from([
            ("a.txt".into(), b"mine".to_vec()),
            ("b.txt".into(), b"too".to_vec()),
        ]),
        ..TestHost::default()
    };
    let read = "files['b.txt'], sorted(files), context_files, len(context_files)";
    let mut session = repl(&host);
    let expected = tell(session.exec(read).expect("idle"));
    let reads = *host.reads.borrow();
    for change in [
        "files['b.txt'] = 'forged'",
        "files.clear()\ncontext_files.append('c.txt')",
        "files.update({'x': 'y'})\nkept = files",
        "kept['b.txt'] = 'forged'",
        "def grab(): return files['b.txt']\nfiles['b.txt'] = 'forged'",
    ] {
        tell(session.exec(change).expect("idle"));
        assert_eq!(
            tell(session.exec(read).expect("idle")),
            expected,
            "{change}"
        );
    }
    // No text is fetched again for that.
    assert_eq!(*host.reads.borrow(), reads);
    tell(session.exec("files['b.txt'] = 'forged'").expect("idle"));
    assert_eq!(
        tell(session.exec("grab()").expect("idle")),
        "'too' = \"too\""
    );
}

#[test]
fn names_of_contexts_are_free_where_there_are_none() {
    let empty = "(files, context_files)";
    let before = tell(repl(&TestHost::default()).exec(empty).expect("idle"));
    let before = before.as_str();
    let host = TestHost::default();
    check(
        &host,
        &[
            (empty, before),
            ("files['a'] = 'forged'\ncontext_files.append('a')", "None"),
            (empty, before),
            ("def seen(): return files, context_files", "None"),
            ("seen() == ({}, [])", "True = true"),
            ("files = 5", "None"),
            ("files", "5"),
            ("seen()[0]", "5"),
            ("context_files", "[]"),
            (
                "context",
                "NameError: name 'context' is not defined [name] <python-input-9>:1:1-8",
            ),
            ("context = 7", "None"),
            ("context", "7"),
        ],
    );
    assert!(before.starts_with("({}, [])"), "{before}");
}

#[test]
fn names_of_contexts_that_are_gone_are_unbound() {
    let texts = [("a.txt", "first"), ("b.txt", "second")];
    let contexts = texts.map(|(name, text)| (name.into(), text.into()));
    let host = TestHost {
        contexts: BTreeMap::from(contexts),
        ..TestHost::default()
    };
    let mut session = repl(&host);
    let mut run = |files: Option<&[Entry]>, source: &str| {
        if let Some(files) = files {
            let default = files.first().cloned();
            session.set_contexts(files.to_vec(), default).expect("idle");
        }
        tell(session.exec(source).expect("idle"))
    };
    let entry = |name: &str, text: &str| Entry {
        name: name.into(),
        form: Form::Text,
        size_bytes: text.len() as u64,
        characters: text.len() as u64,
    };
    let both = texts.map(|(name, text)| entry(name, text));
    run(
        None,
        "def read(): return context\ndef other(): return context_1",
    );
    assert_eq!(
        run(None, "read(), other()"),
        r#"('first', 'second') = {"$tuple":["first","second"]}"#
    );
    assert_eq!(run(Some(&both[..1]), "read()"), r#"'first' = "first""#);
    let told = run(None, "other()");
    assert!(told.starts_with("NameError: name 'context_1'"), "{told}");
    for source in ["context", "read()"] {
        let told = run(Some(&[]), source);
        assert!(
            told.starts_with("NameError: name 'context' is not"),
            "{told}"
        );
    }
    run(None, "context = 'own'");
    assert_eq!(run(Some(&[]), "read()"), r#"'own' = "own""#);
    assert_eq!(run(Some(&both), "read()"), r#"'first' = "first""#);
    assert_eq!(run(None, "other()"), r#"'second' = "second""#);
}

#[test]
fn evaluated_names_and_earlier_functions_read_what_contexts_are() {
    let contexts = BTreeMap::from([("a.txt".into(), b"mine".to_vec())]);
    let host = TestHost {
        contexts,
        ..TestHost::default()
    };
    let lists = Profile {
        eval: true,
        ..profile()
    };
    check_with(
        &host,
        lists,
        &[
            ("context", "'mine' = \"mine\""),
            ("context = 'forged'", "None"),
            ("eval('con' + 'text')", "'mine' = \"mine\""),
        ],
    );
}

#[test]
fn what_reads_contexts_is_whole_again_for_the_next_script() {
    let host = TestHost {
        contexts: BTreeMap::from([("a.txt".into(), b"mine".to_vec())]),
        ..TestHost::default()
    };
    let opens = Profile {
        opens_contexts: true,
        ..profile()
    };
    check_with(
        &host,
        opens,
        &[
            ("open('a.txt').read()", "'mine' = \"mine\""),
            ("open = lambda *a: 'forged'", "None"),
            ("open('a.txt').read()", "'mine' = \"mine\""),
            ("def f():\n    global open\n    open = 5\nf()", "None"),
            ("open('a.txt').read()", "'mine' = \"mine\""),
        ],
    );
}

#[test]
fn a_variable_that_cannot_be_shown_is_there() {
    let host = TestHost::default();
    let mut session = repl(&host);
    tell(
        session
            .exec("class Odd:\n    def __repr__(self): raise ValueError\nx = Odd()\ny = 1")
            .expect("idle"),
    );
    let shown = session.get_variable("x").expect("idle").expect("bound");
    assert_eq!((shown.repr.as_str(), shown.json), ("...", None));
    assert!(session.get_variable("missing").expect("idle").is_none());
}

#[test]
fn no_generator_of_an_earlier_script_runs_in_a_later_one() {
    let generator = |finally: &str| {
        format!("def g():\n    global FINAL, n\n    try: yield\n    finally:\n        {finally}\n")
    };
    for (finally, held, later) in [
        ("FINAL('forged')", "print", "FINAL('honest')"),
        ("FINAL('forged')", "context", "FINAL('honest')"),
        ("FINAL = print", "print", "FINAL('honest')"),
        ("n = 'forged'", "n", "n = 1\nm = 2\nn"),
        ("n = 'forged'", "x", "n = 1\nx = 2\nm = 3\nn"),
        ("while True: pass", "print", "1 + 1"),
        ("print('seen')", "FINAL", "1 + 1"),
    ] {
        let first = format!("{}{held} = g()\nnext({held})\nNone", generator(finally));
        same_as_alone(&first, later);
    }
    // What keeps itself from being closed is not closed again.
    let ghost = "n = 0\ndef g():\n    global n\n    while True:\n        try: yield\n        except GeneratorExit: n += 1\nx = g()\n\
                 next(x)\ndel x\nn == 1";
    check(
        &TestHost::default(),
        &[
            (ghost, "True = true"),
            ("y = 1\nz = 2\nn == 1", "True = true"),
        ],
    );
    let of_class = "from fractions import Fraction\ndef g():\n    try: yield\n    finally: Fraction.__add__ = lambda a, b: 'forged'\n\
                    FINAL = g()\nnext(FINAL)\nNone";
    for later in [
        "1 + 1",
        "from fractions import Fraction\nstr(Fraction(1, 2) + Fraction(1, 3))",
    ] {
        same_as_alone(of_class, later);
    }
}

#[test]
fn generators_that_nothing_refers_to_are_closed_before_the_script_ends() {
    let host = TestHost::default();
    let many = "log = []\ndef g(i):\n    try: yield\n    finally: log.append(i)\nxs = [g(i) for i in range(1000)]\n\
                for x in xs: next(x)\ndel x\nxs.clear()\nlog.sort()";
    let raised = "def g():\n    try: yield\n    finally: pass\ndef f():\n    x = g()\n    next(x)\n    raise ValueError('its own')\n\
                  try:\n    try: f()\n    except ValueError: raise\nexcept ValueError as e:\n    said = str(e)\nsaid";
    let value = "def g():\n    yield 1\nif True:\n    return_value = 42\nsum(g())";
    let stale = "def g():\n    yield 1\n    return 'R'\nif len('a') > 3:\n    return_value = 42\nx = g()\nnext(x)\nnext(x, 0)\n'mine'";
    check(
        &host,
        &[
            (many, "None"),
            ("log == list(range(1000))", "True = true"),
            (raised, "'its own' = \"its own\""),
            (value, "42"),
            (stale, "'mine' = \"mine\""),
        ],
    );
    assert_eq!(host.said.borrow().as_str(), "");
}

#[test]
fn scripts_without_new_names_leave_the_tables_of_a_session_as_they_are() {
    // More than the interpreter has room for.
    const EXECUTIONS: usize = 70_000;
    let host = TestHost::default();
    let mut session = repl(&host);
    let before = "import contextlib, threading\nfrom concurrent.futures import ThreadPoolExecutor\nanswer\n\
                  def kept(n): return 10 // n\nNone";
    assert_eq!(tell(session.exec(before).expect("idle")), "None");
    for number in 0..EXECUTIONS {
        let step = match number % 1000 {
            // What is past is known by its own name all the same.
            0 => tell(session.exec("\n\nkept(0)").expect("idle")),
            _ => tell(session.exec("x = 1").expect("idle")),
        };
        let expected = format!(
            "ZeroDivisionError: division by zero [other] <python-input-{}>:3:1-8 <python-input-0>:4:21-28",
            number + 1
        );
        match number % 1000 {
            0 => assert_eq!(step, expected),
            _ => assert_eq!(step, "None", "{number}"),
        }
    }
}
