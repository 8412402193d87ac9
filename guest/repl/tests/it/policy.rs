//! What a profile allows.

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;
use rlm_repl::{Repl, validate, wrap};

use crate::host::{TestHost, check, check_with, profile, repl_with, settings, tell};

#[test]
fn a_refused_script_has_not_begun() {
    let strict = Profile {
        imports: Imports::Only(vec!["json".into(), "string".into()]),
        refused: vec![Syntax::Await, Syntax::Class],
        ..profile()
    };
    let host = TestHost::default();
    check_with(
        &host,
        strict,
        &[
            (
                "print(1)\nimport re",
                "ImportError: import of 're' is not allowed in this sandbox (allowed: json, string) [import-denied] <python-input-0>:2:1-10",
            ),
            (
                "print(1)\ntry:\n    import os.path\nexcept ImportError: pass",
                "ImportError: import of 'os.path' is not allowed in this sandbox (allowed: json, string) [import-denied] <python-input-0>:3:5-19",
            ),
            (
                "import json, string\nstring.digits",
                "'0123456789' = \"0123456789\"",
            ),
            (
                "print(1)\nx = await now()",
                "ValueError: Code contains 'await' which is not supported in Monty. Remove 'await' keywords — external function calls are synchronous in Monty. [policy] <python-input-1>:2:5-16",
            ),
            (
                "async def f(): pass",
                "ValueError: Code contains 'await' which is not supported in Monty. Remove 'await' keywords — external function calls are synchronous in Monty. [policy] <python-input-1>:1:11-12",
            ),
            ("x = 'await' # await", "None"),
            (
                "class A: pass",
                "SyntaxError: class is not allowed in this sandbox [policy] <python-input-2>:1:7-8",
            ),
            (
                "_rlm_show = 1",
                "NameError: '_rlm_show': names that begin with _rlm_ are the sandbox's own [policy] <python-input-2>:1:1-10",
            ),
        ],
    );
    assert_eq!(*host.said.borrow(), "");
    let none = Profile {
        imports: Imports::Only(vec![]),
        ..profile()
    };
    check_with(
        &host,
        none,
        &[(
            "import json",
            "ImportError: import of 'json' is not allowed in this sandbox (nothing can be imported) [import-denied] <python-input-0>:1:1-12",
        )],
    );
}

#[test]
fn eval_and_exec_are_not_there() {
    check(
        &TestHost::default(),
        &[
            (
                "eval('1')",
                "NameError: name 'eval' is not defined [name] <python-input-0>:1:1-10",
            ),
            (
                "f = exec\nf('import os')",
                "NameError: name 'exec' is not defined [name] <python-input-1>:1:5-9",
            ),
            (
                "try:\n    exec('x = 1')\nexcept NameError as e:\n    x = str(e)\nx",
                "\"name 'exec' is not defined\"",
            ),
            (
                "__import__('os')",
                "NameError: name '__import__' is not defined [name] <python-input-3>:1:1-17",
            ),
            // A script may have a function of that name.
            ("def eval(text): return text + '!'", "None"),
            ("eval('a')", "'a!' = \"a!\""),
        ],
    );
}

#[test]
fn a_name_that_is_unbound_again_brings_no_builtin_back() {
    for name in ["eval", "exec", "locals"] {
        let host = TestHost::default();
        let mut repl = repl_with(&host, profile());
        let undefined = format!("NameError: name '{name}' is not defined");
        for source in [
            format!("try: 1/0\nexcept Exception as {name}: pass\n{name}('import os')"),
            format!("{name} = 1\ndel {name}\n{name}('import os')"),
            format!("def f():\n    global {name}\n    {name} = 1\n    del {name}\nf()\n{name}"),
            format!("def f():\n    return {name}\nf()('import os')"),
            format!("f = [{name}][0]"),
            format!("[*map({name}, ['1'])]"),
            format!("class A:\n    run = {name}"),
            format!("print(f'{{{name}}}')"),
        ] {
            let step = tell(repl.exec(&source).expect("idle"));
            assert!(step.starts_with(&undefined), "{source}: {step}");
        }
    }
}

#[test]
fn names_of_its_own_show_evaluated_code_no_builtin_that_is_disabled() {
    let free = Profile {
        eval: true,
        ..profile()
    };
    let host = TestHost::default();
    let mut repl = repl_with(&host, free);
    for source in [
        "eval('locals', {})",
        "eval('locals()', {'x': 1})",
        "exec('f = locals', {})",
        "exec('def f(): return locals\\nf()', {})",
        "eval('locals', {}, {})",
        "d = {}\nexec('g = lambda: locals', d)\nd['g']()",
    ] {
        let step = tell(repl.exec(source).expect("idle"));
        assert!(
            step.starts_with("NameError: name 'locals' is not defined"),
            "{source}: {step}"
        );
    }
}

#[test]
fn what_eval_and_exec_are_given_is_checked_where_they_are_allowed() {
    let free = Profile {
        eval: true,
        ..profile()
    };
    let host = TestHost::default();
    let mut repl = repl_with(&host, free);
    for (source, told) in [
        ("eval('1 + 1')", "2"),
        (
            "exec('x = 5\\nimport heapq\\nh = [3, 1]\\nheapq.heapify(h)')\nx, h",
            "(5, [1, 3])",
        ),
        (
            "exec('import os')",
            "ImportError: import of 'os' is not allowed",
        ),
        (
            "exec('exec(\"import os\")')",
            "ImportError: import of 'os' is not allowed",
        ),
        (
            "eval('_rlm_value')",
            "NameError: '_rlm_value': names that begin with",
        ),
        ("f = exec", "NameError: exec can only be called"),
        ("exec += [1]", "NameError: exec can only be called"),
        (
            "def f():\n    global eval\n    eval |= f",
            "NameError: eval can only be called",
        ),
        (
            "exec(*['import os'])",
            "TypeError: exec needs its source by itself",
        ),
        (
            "exec('f = exec\\nf(\"import os\")')",
            "NameError: exec can only be called",
        ),
        ("exec('print = 3')", "None"),
        (
            "exec('def f():\\n    raise KeyError(1)')\ntry:\n    f()\nexcept KeyError as e:\n    r = e.args\nr",
            "(1,)",
        ),
        (
            "exec('def f():\\n    raise KeyError(1) from ValueError(2)')\ntry:\n    f()\nexcept KeyError as e:\n    r = repr(e.__cause__)\nr",
            "'ValueError(2)'",
        ),
        ("print('whole')", "None"),
        ("eval('1 +')", "SyntaxError"),
        (
            "eval('\\x0b_rlm_finish(1, 2, 3) \\\\\\n\\n')",
            "SyntaxError",
        ),
        (
            "eval('\\x0bexec(\\'import os\\') \\\\\\n\\n')",
            "SyntaxError",
        ),
        (
            "eval('\\x0b\\n [' + '(' * 199 + '0' + ')' * 199 + ',exec(\"import os\")]')",
            "SyntaxError",
        ),
        ("eval('\\x0b1')", "SyntaxError"),
        (
            "exec(b'import os')",
            "ImportError: import of 'os' is not allowed",
        ),
        ("eval(b'1 + 1')", "2"),
        (
            "class A: pass\neval([A, A()])",
            "TypeError: only text can be evaluated",
        ),
        ("list(map(lambda s: eval(s), ['1', '2 + 3']))", "[1, 5]"),
        (
            "def f():\n    exec('import string\\nprint(string.digits)')\nf()",
            "None",
        ),
        (
            "exec('from statistics import mean\\n1 / 0')",
            "ZeroDivisionError: division by zero [other] <python-input-",
        ),
        ("exec('print(chunk_indices(1))')", "None"),
        (
            "def f(_rlm_check, s): return eval(s)",
            "NameError: '_rlm_check': names that begin with",
        ),
        (
            "f = lambda s, _rlm_check=str: exec(s)",
            "NameError: '_rlm_check': names that begin with",
        ),
        (
            "exec('exec(s)', {'_rlm_check': lambda s: s, 's': 'import os'})",
            "NameError: what is evaluated with names of its own",
        ),
        (
            "eval('eval(s)', None, {'_rlm_check': lambda s: s, 's': '1'})",
            "NameError: what is evaluated with names of its own",
        ),
        (
            "exec('import string', {})",
            "NameError: what is evaluated with names of its own",
        ),
        (
            "exec('import os', {})",
            "ImportError: import of 'os' is not allowed",
        ),
        ("ns = {}\nexec('def g(): return 7', ns)\nns['g']()", "7"),
        (
            "exec('def k():\\n  global FINAL\\n  FINAL = 1')\nk()",
            "None",
        ),
        ("FINAL(2)", "FINAL 2"),
        ("locals()", "NameError: name 'locals' is not defined"),
        (
            "eval('locals()')",
            "NameError: name 'locals' is not defined",
        ),
        (
            "exec('answer[\"content\"] = 5\\nanswer[\"ready\"] = True')",
            "answer \"5\"",
        ),
        ("exec('FINAL(1)')", "FINAL 1"),
    ] {
        let step = tell(repl.exec(source).expect("idle"));
        assert!(step.starts_with(told), "{source}: {step}");
    }
    assert_eq!(*host.said.borrow(), "whole\n0123456789\n[(0, 1)]\n");
}

#[test]
fn a_source_is_taken_out_of_its_fence() {
    check(
        &TestHost::default(),
        &[
            ("```python\n1 + 1\n```", "2"),
            ("x = '''\r\na'''\r\nx", "'\\na' = \"\\na\""),
            (
                "1\0",
                "SyntaxError: source code string cannot contain null bytes [source] ",
            ),
            (
                "```python\n1 +\n```",
                "SyntaxError: Expected an expression (syntax error at line 1, column 4) [syntax] <python-input-2>:1:4-4",
            ),
        ],
    );
}

#[test]
fn a_wrapped_source_tells_places_as_they_were_written() {
    let wraps = Profile {
        wraps_return: true,
        ..profile()
    };
    check_with(
        &TestHost::default(),
        wraps,
        &[
            ("return 2 + 2", "4"),
            ("x = '''a\n b'''\nreturn x", "'a\\n b' = \"a\\n b\""),
            (
                "y = 1\nif y:\n    return y / 0",
                "ZeroDivisionError: division by zero [other] <python-input-2>:3:12-17",
            ),
            (
                "y",
                "NameError: name 'y' is not defined [name] <python-input-3>:1:1-2",
            ),
            ("z = 1\nz", "1"),
            (
                "x = 1\nimport os\nreturn x",
                "ImportError: import of 'os' is not allowed in this sandbox [import-denied] <python-input-5>:2:1-10",
            ),
        ],
    );
}

#[test]
fn the_value_is_what_is_said_most_explicitly() {
    check(
        &TestHost::default(),
        &[
            ("result = 2 + 2", "4"),
            ("x = 1", "None"),
            ("result = 1\n5", "5"),
            ("result = 1\nNone", "1"),
            ("return_value = 3\nresult = 1\n5", "3"),
            ("if x > 1:\n    result = 9", "None"),
            ("if x == 1:\n    result = 9", "9"),
            ("for result in []: pass", "None"),
            ("result = 1\nreturn 6", "6"),
            ("if x:\n    result = 1\n    return\nresult = 2", "None"),
            ("return_value = None", "None"),
            ("def f():\n    result = 1\nf()", "None"),
            ("result = [1] * 3000000\nNone", "[1, 1, 1"),
        ]
        .map(|(source, told)| (source, told))[..12],
    );
    let host = TestHost::default();
    let mut repl = repl_with(&host, profile());
    let Step::Complete(Outcome {
        ending: Ending::Value(Some(value)),
        ..
    }) = repl.exec("result = ['x'] * 2000000").expect("idle")
    else {
        panic!("no value");
    };
    assert!(value.truncated && value.json.is_none() && value.repr.len() < 2000);
}

#[test]
fn contexts_can_be_opened_where_that_is_allowed() {
    let mut host = TestHost::default();
    host.contexts.insert("a.txt".into(), b"one\ntwo\n".into());
    let opens = Profile {
        opens_contexts: true,
        ..profile()
    };
    check_with(
        &host,
        opens,
        &[
            (
                "with open('a.txt') as f:\n    lines = f.readlines()\nlines",
                "['one\\n', 'two\\n'] = [\"one\\n\",\"two\\n\"]",
            ),
            (
                "open('b.txt')",
                "FileNotFoundError: [Errno 2] No such file or directory: 'b.txt' [other] <python-input-1>:1:1-14",
            ),
            (
                "open('a.txt', 'w')",
                "PermissionError: Permission denied: '/a.txt' [permission] <python-input-2>:1:1-19",
            ),
        ],
    );
    check(
        &host,
        &[(
            "open('a.txt')",
            "PermissionError: Permission denied: '/a.txt' [permission] <python-input-0>:1:1-14",
        )],
    );
}

#[test]
fn a_script_is_validated_without_being_run() {
    let validated = |source: &str, known: &[String]| {
        let validation = validate(source, settings(profile()), known);
        match validation.failure {
            Some(failure) => format!("{}: {}", failure.exception.kind, failure.exception.message),
            None => format!("unknown: {}", validation.unknown.join(" ")),
        }
    };
    assert_eq!(validated("x = 1 + 2", &[]), "unknown: ");
    assert_eq!(
        validated("x = ", &[]),
        "SyntaxError: Expected an expression"
    );
    assert_eq!(
        validated("y = x + now(z)\nlen(y)", &["x".into()]),
        "unknown: z"
    );
    assert_eq!(
        validated(
            "def f(a):\n  return [b for b in a if llm_query(b)]\nf(eval)",
            &[]
        ),
        "unknown: eval"
    );
    // What ours stand for is there; where nothing is rewritten it is not.
    let stood_for =
        "try:\n    callable(bytearray(b'')), dir(1), exit\nexcept (ConnectionError, OSError): z";
    assert_eq!(validated(stood_for, &[]), "unknown: z");
    let plain = Profile {
        compat: false,
        ..profile()
    };
    assert_eq!(
        validate(stood_for, settings(plain), &[]).unknown,
        ["ConnectionError", "bytearray", "z"]
    );
    let method = "class A:\n    @classmethod\n    def m(cls): return classmethod, super, delattr, staticmethod";
    assert_eq!(validated(method, &[]), "unknown: ");
    assert_eq!(
        validated("import os", &[]),
        "ImportError: import of 'os' is not allowed in this sandbox"
    );
    let wrapped = |source: &str| {
        wrap(source, settings(profile())).map_err(|failure| failure.exception.message)
    };
    assert_eq!(wrapped("x"), Ok("x".into()));
    assert_eq!(
        wrapped("return x"),
        Ok("def __agent_main__():\n    return x\n__agent_main__()".into())
    );
}

#[test]
fn nothing_of_ours_can_be_reached() {
    check(
        &TestHost::default(),
        &[
            ("locals()", "NameError: name 'locals' is not defined [name] <python-input-0>:1:1-9"),
            (
                "from operator import methodcaller\nclass N:\n    def isidentifier(self): return True\n    def __str__(self): return \
                 'upper(), 1'\nmethodcaller(N())",
                "TypeError: method name must be a string [type] <python-input-1>:5:1-18",
            ),
            ("FINAL_VAR('_rlm_kit')[:48]", "\"Error: Variable '_rlm_kit' not found. Available \""),
            ("FINAL_VAR('list')[:41]", "\"Error: Variable 'list' not found. Availab\""),
            ("def solve(): answer = 42\nFINAL_VAR('answer')[:30]", "\"Error: Variable 'answer' not f\""),
            ("import textwrap\nprint(type(textwrap).__name__)\ntextwrap.nope", "AttributeError: module 'textwrap' has no attribute 'nope' [attribute] <python-input-5>:3:1-14"),
        ]
        .map(|(source, told)| (source, told)),
    );
}

#[test]
fn lines_stay_where_they_are() {
    check(
        &TestHost::default(),
        &[
            (
                "from string import (\n  digits,\n  ascii_letters\n)\nx = 1\n1/0",
                "ZeroDivisionError: division by zero [other] <python-input-0>:6:1-4",
            ),
            (
                "import json, \\\n  string\n1/0",
                "ZeroDivisionError: division by zero [other] <python-input-1>:3:1-4",
            ),
            (
                "xs = [2, 1]\n(xs\n # a. note\n .sort(key=lambda n: now() and n))\n1/0",
                "ZeroDivisionError: division by zero [other] <python-input-2>:5:1-4",
            ),
            (
                "(xs or []).sort(key=lambda n: n + now())\nxs",
                "[2, 1] = [2,1]",
            ),
        ]
        .map(|(source, told)| (source, told))[..3],
    );
}

#[test]
fn nothing_of_an_earlier_script_is_the_value_of_a_later_one() {
    check(
        &TestHost::default(),
        &[
            ("result = 5", "5"),
            ("x = [result for result in [1]]", "None"),
            ("for result in []: pass", "None"),
            (
                "try:\n    return 7\nfinally:\n    1/0",
                "ZeroDivisionError: division by zero [other] <python-input-3>:4:5-8",
            ),
            ("if False: return 5", "None"),
            (
                "answer['content'] = 'stale'\nanswer['ready'] = True\nFINAL(1)",
                "FINAL 1",
            ),
            ("x = 1", "None"),
        ],
    );
}

#[test]
fn text_that_a_script_chose_is_no_line_of_ours() {
    for text in [
        "z'})\\nforged = 1\\n({*'z",
        "z'})\\n_rlm_show = None\\n({*'z",
        "z\\\\",
        "\\u2028'}); forged = 1 #",
    ] {
        let host = TestHost::default();
        let mut repl = repl_with(&host, profile());
        let source =
            format!("class A: pass\ndef f(): setattr(A(), \"{text}\", 1)\nvars(A())\nforged");
        let step = tell(repl.exec(&source).expect("idle"));
        assert!(
            step.starts_with("NameError: name 'forged'"),
            "{text}: {step}"
        );
        assert_eq!(tell(repl.exec("1 + 1").expect("idle")), "2", "{text}");
    }
}

#[test]
fn a_name_that_reads_as_a_keyword_is_refused() {
    let host = TestHost::default();
    let mut repl = repl_with(&host, profile());
    for source in [
        "𝐢𝐟 = 1",
        "def 𝐢𝐧(): pass",
        "class 𝐓rue: pass",
        "import re as 𝐨r",
    ] {
        let step = tell(repl.exec(source).expect("idle"));
        assert!(step.starts_with("SyntaxError"), "{source}: {step}");
    }
}

#[test]
fn chains_that_are_too_long_are_refused_wherever_they_are() {
    let host = TestHost::default();
    let settings = settings(Profile {
        eval: true,
        ..profile()
    });
    for chain in [
        format!("x = 1{}", "+1".repeat(20_000)),
        format!("x = a{}", ".a".repeat(20_000)),
        format!("x = a{}", "()".repeat(20_000)),
        format!("x = a{}", "[0]".repeat(20_000)),
        format!("a{} = 1", ".a".repeat(20_000)),
        format!("a{} += 1", ".a".repeat(20_000)),
        format!("del a{}", ".a".repeat(20_000)),
        format!("for a{} in x: pass", ".a".repeat(20_000)),
        format!("match x:\n    case a{}: pass", ".a".repeat(20_000)),
        format!("x = 1{}", " % 1".repeat(15_000)),
        format!("x = f'{{a{}}}'", ".a".repeat(20_000)),
        format!("@a{}\ndef f(): pass", ".a".repeat(20_000)),
    ] {
        let mut repl = repl_with(
            &host,
            Profile {
                eval: true,
                ..profile()
            },
        );
        let told = tell(repl.exec(&chain).expect("idle"));
        let shown = &chain[..20];
        assert!(
            told.starts_with("SyntaxError: Source is too deeply nested"),
            "{shown}: {told}"
        );
        let checked = validate(&chain, settings.clone(), &[]);
        assert!(checked.failure.is_some(), "{shown}");
        assert_eq!(tell(repl.exec("1").expect("idle")), "1");
    }
    let mut repl = repl_with(
        &host,
        Profile {
            eval: true,
            ..profile()
        },
    );
    let told = tell(repl.exec("eval('1' + '+1' * 20000)").expect("idle"));
    assert!(
        told.starts_with("SyntaxError: Source is too deeply nested"),
        "{told}"
    );
}

#[test]
fn no_name_alone_stands_for_a_module() {
    let denied = Profile {
        imports: Imports::Only(Vec::new()),
        ..profile()
    };
    for (source, expected) in [
        ("re.findall('E.', 'xE1')", "name 're' is not defined"),
        ("json.loads('[1]')", "name 'json' is not defined"),
        ("sys.exit(3)", "name 'sys' is not defined"),
        ("csv.Sniffer", "name 'csv' is not defined"),
        ("typing.cast(int, 2)", "name 'typing' is not defined"),
        (
            "gather(1, return_exceptions=True)",
            "name 'gather' is not defined",
        ),
    ] {
        for profile in [profile(), denied.clone()] {
            let host = TestHost::default();
            let step = tell(repl_with(&host, profile).exec(source).expect("idle"));
            assert!(step.contains(expected), "{source}: {step}");
        }
    }
    // What a script gives such a name is what it means.
    let host = TestHost::default();
    let own = "class Own:\n    def __getattr__(self, name): return lambda *a, **k: name\n\
               def read(json, sys, re): return json.loads('[1]'), sys.exit(2), re.sub('a', 'b', 'c'), json.dumps([1], default=str)\n\
               read(Own(), Own(), Own())";
    let step = tell(repl_with(&host, profile()).exec(own).expect("idle"));
    assert!(
        step.starts_with("('loads', 'exit', 'sub', 'dumps')"),
        "{step}"
    );
}

/// Returns a profile in which only these modules can be imported.
fn only(modules: &[&str]) -> Profile {
    Profile {
        imports: Imports::Only(modules.iter().map(|name| (*name).to_owned()).collect()),
        ..profile()
    }
}

/// Runs a script and tells how it ended.
fn run(repl: &mut Repl<&TestHost>, source: &str) -> String {
    tell(repl.exec(source).expect("idle"))
}

#[test]
fn a_refused_module_is_not_there_under_the_name_of_another() {
    let no_member = |module: &str, member: &str| {
        format!("AttributeError: module '{module}' has no attribute '{member}'")
    };
    for (modules, source, expected) in [
        (
            "json",
            "import json as re\np = 'b+'\nre.findall(p, 'abb')",
            no_member("json", "findall"),
        ),
        (
            "json",
            "def f():\n    import json as re\n    return re.findall('(?i)b+', 'abb')\nf()",
            no_member("json", "findall"),
        ),
        (
            "json",
            "import json\nif 1: import json as re\nre.compile",
            no_member("json", "compile"),
        ),
        (
            "re",
            "import re as json\njson.loads('[1]')",
            no_member("re", "loads"),
        ),
        (
            "json",
            "import json as sys\nsys.exit(1)",
            no_member("json", "exit"),
        ),
        (
            "json",
            "import json as typing\ntyping.cast(int, 1)",
            no_member("json", "cast"),
        ),
        (
            "json",
            "import json as unicodedata\nunicodedata.numeric('1')",
            no_member("json", "numeric"),
        ),
        (
            "json",
            "from json import loads as re\nre.findall('b+', 'abb', flags=2)",
            String::from("AttributeError: "),
        ),
        (
            "json",
            "class P(NamedTuple):\n    x: int",
            String::from("NameError: name 'NamedTuple' is not defined"),
        ),
        (
            "json",
            "class P(TypedDict):\n    x: int",
            String::from("NameError: name 'TypedDict' is not defined"),
        ),
        (
            "json",
            "@dataclass(order=True, kw_only=True)\nclass A:\n    x: int",
            String::from("NameError: name 'dataclass' is not defined"),
        ),
    ] {
        let host = TestHost::default();
        let mut repl = repl_with(&host, only(&[modules]));
        let told = run(&mut repl, source);
        assert!(told.starts_with(&expected), "{source}: {told}");
    }
}

#[test]
fn a_module_under_another_name_is_the_module() {
    let host = TestHost::default();
    check_with(
        &host,
        profile(),
        &[
            (
                "import re as r, sys as s\np = 'b+'\nr.findall(p, 'abb'), s.intern('a')",
                "(['bb'], 'a') = {\"$tuple\":[[\"bb\"],\"a\"]}",
            ),
            ("r.findall(p, 'abbb')", "['bbb'] = [\"bbb\"]"),
            ("import json as r\nr.loads('[1]')", "[1]"),
        ],
    );
}

#[test]
fn an_import_of_an_earlier_script_says_nothing_of_what_the_host_gives() {
    let mut host = TestHost::default();
    host.contexts.insert("a.txt".into(), b"a$b".to_vec());
    let mut repl = repl_with(&host, profile());
    run(&mut repl, "import re as data, re as context");
    repl.set_variable("data".into(), "\"a$b\"").expect("set");
    let told = run(&mut repl, "sep = '$'\nlen(data.split(sep))");
    assert_eq!(told, "2");
    let told = run(&mut repl, "len(context.split(sep))");
    assert_eq!(told, "2");
}

#[test]
fn nothing_that_a_pool_was_to_do_outlives_its_script() {
    let submitted = "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor()\nf = pool.submit(lambda: FINAL('forged'))\ng = pool.submit(print, 'forged')\n";
    for end in [
        "raise ValueError",
        "raise SystemExit(0)",
        "exit()",
        "ThreadPoolExecutor(initializer=lambda: 1 / 0).submit(print)",
        "raise ValueError('this waits for ever')",
        "f._frozen = True\npool._frozen = True\npool._initializer = 5\n1 / 0",
    ] {
        let host = TestHost::default();
        let mut repl = repl_with(&host, profile());
        run(&mut repl, &format!("{submitted}{end}"));
        host.said.borrow_mut().clear();
        for source in [
            "1 + 1",
            "import time\ntime.sleep(0.1)\n2",
            "FINAL('honest')",
        ] {
            let told = run(&mut repl, source);
            assert!(!told.contains("forged"), "{end}, {source}: {told}");
        }
        // One that has begun stays as it is.
        let cancelled = match end.contains("initializer=") {
            true => "(False, True) = {\"$tuple\":[false,true]}",
            false => "(True, True) = {\"$tuple\":[true,true]}",
        };
        assert_eq!(run(&mut repl, "f.cancelled(), g.done()"), cancelled);
        assert_eq!(*host.said.borrow(), "", "{end}");
    }
}

#[test]
fn a_script_means_the_same_whatever_unrelated_script_ran_before_it() {
    let unrelated = [
        "from collections import namedtuple\nRow = namedtuple('Row', 'x y')",
        "from typing import NamedTuple\nclass Line(NamedTuple):\n    x: int",
        "class Less:\n    def __lt__(self, other): return True",
        "from fractions import Fraction\nthird = Fraction(1, 3)",
        "import uuid",
        "from functools import cmp_to_key, total_ordering",
        "async def alone(): pass",
        "from enum import Enum\nclass Color(Enum):\n    RED = 1",
        "import re, json, contextlib, threading, logging, decimal, csv, io",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool: pool.submit(int)",
    ];
    let error = "except Exception as e: r = type(e).__name__, str(e)\nr";
    let probes = [
        format!("import json\nx = []\nx.append(x)\ntry: r = json.dumps(x)\n{error}"),
        format!("import json\ntry: r = json.dumps({{(1, 2): 3}})\n{error}"),
        format!("try: r = sorted([1, 'a'])\n{error}"),
        format!("try: r = sorted([2, 1], key=5)\n{error}"),
        format!("try: r = max([])\n{error}"),
        format!("x = [2, 1]\ntry: r = x.sort(1)\n{error}"),
        String::from("min({1: 2}.items()), [3, 1] > [2], sorted([True, 0])"),
        String::from("bool, isinstance(1, (bool, str))"),
        String::from(
            "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool: r = [*pool.map(len, ['a'])]\nr",
        ),
    ];
    for probe in &probes {
        let host = TestHost::default();
        let alone = run(&mut repl_with(&host, profile()), probe);
        for before in unrelated {
            let mut repl = repl_with(&host, profile());
            run(&mut repl, before);
            assert_eq!(run(&mut repl, probe), alone, "{before}\n{probe}");
        }
    }
}

#[test]
fn arguments_behind_a_generator_expression_are_worked_out_before_its_items() {
    let body = "seen = []\ndef see(x):\n    seen.append(x)\n    return x\n";
    for (call, expected) in [
        (
            "sorted((see(x) for x in [2, 1]), key=see(None))",
            "[None, 2, 1]",
        ),
        ("sum((see(x) for x in [2, 1]), see(0))", "[0, 2, 1]"),
        ("max((see(x) for x in [2, 1]), default=see(0))", "[0, 2, 1]"),
    ] {
        let host = TestHost::default();
        let mut repl = repl_with(&host, profile());
        let seen = run(&mut repl, &format!("{body}{call}\nstr(seen)"));
        assert!(seen.starts_with(&format!("'{expected}'")), "{call}: {seen}");
    }
}

#[test]
fn a_name_that_is_bound_in_a_class_body_or_a_default_means_no_module() {
    let fake = "class Fake:\n    def dumps(self, value, default=None): return 'fake'\n";
    for bound in [
        "class Other:\n    global json\n    json = Fake()",
        "def other(x=(json := Fake())): pass",
        "other = lambda x=(json := Fake()): x",
        "@(json := Fake(), lambda f: f)[1]\ndef other(): pass",
        "class Other((json := Fake(), object)[1]): pass",
    ] {
        let host = TestHost::default();
        let mut repl = repl_with(&host, profile());
        let source = format!("import json\n{fake}{bound}\njson.dumps(1, default=str)");
        assert_eq!(run(&mut repl, &source), "'fake' = \"fake\"", "{bound}");
        let later = run(&mut repl, "json.dumps(1, default=str)");
        assert_eq!(later, "'fake' = \"fake\"", "{bound}");
    }
}

#[test]
fn no_code_of_a_script_is_called_by_what_is_done_between_scripts() {
    let keyed = |body: &str| {
        format!(
            "import concurrent.futures, contextlib, functools, itertools\n\
             pool = concurrent.futures.ThreadPoolExecutor(1)\n\
             answer\n\
             class Key:\n    def __hash__(self): return hash(name)\n    {body}\n\
             class Last:\n    def __repr__(self):\n        global name\n        \
             for name in ['_state', '_drops', '_owner', '_callbacks']:\n            \
             future = pool.submit(len, '')\n            future.__dict__ = {{Key(): 1}}\n        return 'ok'\n\
             Last()"
        )
    };
    for body in [
        "def __eq__(self, other):\n        print('ran')\n        answer['content'] = 'forged'\n        answer['ready'] = True\n        return True",
        "def __eq__(self, other):\n        while True: pass",
        "def __eq__(self, other):\n        global context\n        context = 'forged'\n        return True",
        "__eq__ = staticmethod(functools.partial(dict.fromkeys, itertools.starmap(setattr, [(contextlib.suppress, '__init__', print)])))",
    ] {
        let host = TestHost::default();
        let mut repl = repl_with(&host, profile());
        let first = run(&mut repl, &keyed(body));
        assert!(first.starts_with("ok"), "{body}: {first}");
        host.said.borrow_mut().clear();
        for (source, expected) in [
            ("1 + 1", "2"),
            (
                "import contextlib\nwith contextlib.suppress(ValueError): pass",
                "None",
            ),
            ("1 / 0", "ZeroDivisionError: division by zero"),
            ("FINAL('honest')", "FINAL \"honest\""),
        ] {
            let step = run(&mut repl, source);
            assert!(step.starts_with(expected), "{body}, {source}: {step}");
        }
        assert_eq!(*host.said.borrow(), "", "{body}");
    }
}
