//! What the REPL promises, run natively.

mod agreement;
mod caps;
mod compat;
mod finishing;
mod generated;
mod host;
mod idioms;
mod lasting;
mod modules;
mod namespaces;
mod oracle;
mod policy;
mod pools;
mod scaffold;
mod tracebacks;
mod versions;

use std::collections::BTreeMap;

use host::{TestHost, check, profile, repl, repl_with, returned, settings, tell};
use monty::{DisabledBuiltins, MontyRepl, ReplProgress};
use monty_types::{
    BuiltinsFunctions, CompileOptions, MontyObject, NamedValues, PrintWriter, ResourceTracker,
};
use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

#[test]
fn a_namespace_lives_on_between_scripts() {
    check(
        &TestHost::default(),
        &[
            ("x = 10", "None"),
            ("y = x + 5\ny", "15"),
            ("def double(n): return 2 * n", "None"),
            ("double(y)", "30"),
            ("import json\nreturn json.loads('{\"a\": 1}')['a']", "1"),
            ("if y > 3:\n    return 'big'\n'small'", "'big' = \"big\""),
            ("for i in range(3):\n    if i == 1: return", "None"),
            ("i", "1"),
            ("", "None"),
            ("# nothing", "None"),
        ],
    );
}

#[test]
fn values_leave_as_text_whatever_they_are() {
    check(
        &TestHost::default(),
        &[
            (
                "class A: pass\nclass B:\n    def __repr__(self): return 'B!'",
                "None",
            ),
            (
                "[A, B()]",
                r#"[<class '__main__.A'>, B!] = [{"$repr":"<class '__main__.A'>"},{"$repr":"B!"}]"#,
            ),
            (
                "(1, {2}, b'x', 1.5)",
                r#"(1, {2}, b'x', 1.5) = {"$tuple":[1,{"$set":[2]},{"$bytes":"eA=="},1.5]}"#,
            ),
            (
                "{1: 'a', 'b': None}",
                r#"{1: 'a', 'b': None} = {"$dict":[[1,"a"],["b",null]]}"#,
            ),
            (
                "2 ** 70",
                r#"1180591620717411303424 = {"$int":"1180591620717411303424"}"#,
            ),
            ("repr = list = str = 7\n[repr]", "[7]"),
            (
                "from datetime import date\ndate(2026, 1, 31)",
                r#"datetime.date(2026, 1, 31) = {"$date":"2026-01-31"}"#,
            ),
            ("json = type = 3\njson", "3"),
            (
                "a = [1]; a.append(a); a",
                r#"[1, [...]] = [1,{"$repr":"..."}]"#,
            ),
        ],
    );
}

#[test]
fn an_instance_of_a_class_never_traps() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl
        .exec("class A: pass\n[A, A(), {A: A()}]")
        .expect("idle");
    assert!(tell(step).starts_with("[<class '__main__.A'>, <A object at 0x"));
}

#[test]
fn exceptions_are_told_in_the_words_and_places_of_the_script() {
    check(
        &TestHost::default(),
        &[
            ("def f(x):\n    return 1 / x", "None"),
            (
                "f(0)",
                "ZeroDivisionError: division by zero [other] <python-input-1>:1:1-5 <python-input-0>:2:12-17",
            ),
            (
                "nope",
                "NameError: name 'nope' is not defined [name] <python-input-2>:1:1-5",
            ),
            (
                "x = 1; 'é' + (x +)",
                "SyntaxError: Expected an expression (syntax error at line 1, column 18) [syntax] <python-input-3>:1:18-19",
            ),
            (
                "import numpy",
                "ModuleNotFoundError: No module named 'numpy' (import failed) [import-missing] <python-input-4>:1:1-1",
            ),
            (
                "print('never')\nimport os",
                "ImportError: import of 'os' is not allowed in this sandbox [import-denied] <python-input-5>:2:1-10",
            ),
            (
                "open('/etc/passwd').read()",
                "PermissionError: Permission denied: '/etc/passwd' [permission] <python-input-5>:1:1-20",
            ),
            ("def g(n): return g(n + 1)\ng(0)", ""),
        ][..7],
    );
}

#[test]
fn a_plain_call_waits_and_goes_on_with_its_answer() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    assert_eq!(
        tell(repl.exec("r = later(1, k='v') + 1\nr").expect("idle")),
        "waits for [0], open []"
    );
    assert_eq!(
        host.asked.borrow()[0],
        r#"later{"args":[1],"kwargs":{"k":"v"}}"#
    );
    assert_eq!(
        repl.resume(Resumption::Answers(vec![returned(7, "1")])),
        Err(Misuse::Ticket)
    );
    assert_eq!(
        tell(
            repl.resume(Resumption::Answers(vec![returned(0, "41")]))
                .expect("waits")
        ),
        "42"
    );
    assert_eq!(repl.resume(Resumption::Answers(vec![])), Err(Misuse::State));
}

#[test]
fn awaited_calls_go_out_together_and_may_be_answered_in_any_order() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let source = "import asyncio\nrs = await asyncio.gather(later('a'), now(), *[soon(x) for x in (1, 2)])\nrs";
    assert_eq!(
        tell(repl.exec(source).expect("idle")),
        "waits for [0, 2, 3], open []"
    );
    let step = repl
        .resume(Resumption::Answers(vec![
            returned(3, "\"c\""),
            returned(0, "\"a\""),
        ]))
        .expect("waits");
    assert_eq!(tell(step), "waits for [2], open []");
    let step = repl
        .resume(Resumption::Answers(vec![returned(2, "\"b\"")]))
        .expect("waits");
    assert_eq!(tell(step), r#"['a', 1, 'b', 'c'] = ["a",1,"b","c"]"#);
}

#[test]
fn an_early_answer_is_kept_until_it_is_awaited() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let source = "t = soon('t')\nx = later('x')\n(x, await t)";
    assert_eq!(
        tell(repl.exec(source).expect("idle")),
        "waits for [1], open [0]"
    );
    let step = repl
        .resume(Resumption::Answers(vec![
            returned(0, "0"),
            returned(1, "1"),
        ]))
        .expect("waits");
    assert_eq!(tell(step), r#"(1, 0) = {"$tuple":[1,0]}"#);
}

#[test]
fn the_same_function_is_plain_here_and_awaited_there() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    assert_eq!(
        tell(
            repl.exec("async def ask(q): return await later(q)\nnow(1) + 1")
                .expect("idle")
        ),
        "1"
    );
    assert_eq!(
        tell(repl.exec("await ask('later on')").expect("idle")),
        "waits for [1], open []"
    );
    assert_eq!(
        tell(
            repl.resume(Resumption::Answers(vec![returned(1, "5")]))
                .expect("waits")
        ),
        "5"
    );
    assert_eq!(tell(repl.exec("await now(1)").expect("idle")), "2");
}

#[test]
fn a_failing_call_raises_where_it_was_made() {
    let host = TestHost::default();
    check(
        &host,
        &[
            (
                "try:\n    fail()\nexcept ValueError as e:\n    x = str(e)\nx",
                r#"'no such row' = "no such row""#,
            ),
            (
                "fail()",
                "ValueError: no such row [value] <python-input-1>:1:1-7",
            ),
            ("halt()", "stopped: Stop::Calls"),
            (
                "unheard_of(1)",
                "NameError: name 'unheard_of' is not defined [name] <python-input-3>:1:1-14",
            ),
            (
                "llm_query(3)",
                "TypeError: llm_query() needs text, not int [type] <python-input-4>:1:1-13",
            ),
            (
                "llm_query_batched('abc')",
                "TypeError: llm_query_batched() needs a list of prompts, not str [type] <python-input-5>:1:1-25",
            ),
            ("llm_query_batched([])", "[]"),
        ],
    );
}

#[test]
fn stopping_a_wait_cannot_be_caught() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let source = "try:\n    later()\nexcept BaseException:\n    print('caught')";
    assert_eq!(
        tell(repl.exec(source).expect("idle")),
        "waits for [0], open []"
    );
    assert_eq!(
        tell(
            repl.resume(Resumption::Stop(Stop::Canceled))
                .expect("waits")
        ),
        "stopped: Stop::Canceled"
    );
    assert_eq!(*host.said.borrow(), "");
}

#[test]
fn sleeps_run_side_by_side_in_virtual_time() {
    let host = TestHost::default();
    let source = "import asyncio\nasync def nap(n, t):\n    await asyncio.sleep(t)\n    print(n)\nawait asyncio.gather(nap('b', 0.02), nap('a', 0.01))";
    check(&host, &[(source, "[None, None] = [null,null]")]);
    assert_eq!(*host.said.borrow(), "a\nb\n");
}

#[test]
fn printed_text_leaves_in_lines_and_before_any_request() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let source = "import sys\nprint('a', 1, sep='-')\nprint('half', end='')\nprint('err', file=sys.stderr)\nprint('rest', end='')\nlater()";
    repl.exec(source).expect("idle");
    assert_eq!(*host.said.borrow(), "a-1\nhalf!err\nrest");
}

#[test]
fn contexts_are_bound_when_they_are_mentioned_and_fetched_once() {
    let host = TestHost {
        contexts: BTreeMap::from([
            ("a.txt".into(), "héllo".into()),
            ("b.json".into(), br#"{"rows": [1, 2]}"#.to_vec()),
            ("c.bin".into(), vec![0, 255]),
        ]),
        ..TestHost::default()
    };
    check(&host, &[("1 + 1", "2")]);
    assert_eq!(*host.reads.borrow(), 0);
    check(
        &host,
        &[
            (
                "context, context is files['a.txt']",
                r#"('héllo', True) = {"$tuple":["héllo",true]}"#,
            ),
            (
                "context_1['rows'], files['b.json'][0]",
                r#"([1, 2], '{') = {"$tuple":[[1,2],"{"]}"#,
            ),
            (
                "context_2, context_files",
                r#"(b'\x00\xff', ['a.txt', 'b.json', 'c.bin']) = {"$tuple":[{"$bytes":"AP8="},["a.txt","b.json","c.bin"]]}"#,
            ),
            ("context = 'mine'\ncontext", "'mine' = \"mine\""),
            ("context", "'héllo' = \"héllo\""),
            (
                "read_context('a.txt', 1, 3), read_context('a.txt', -2), read_context('c.bin', 1)",
                r#"('éll', 'lo', b'\xff') = {"$tuple":["éll","lo",{"$bytes":"/w=="}]}"#,
            ),
            (
                "read_context('nope')",
                "KeyError: \"no context is named 'nope'\" [key] <python-input-6>:1:1-21",
            ),
        ],
    );
}

#[test]
fn names_are_those_that_scripts_made() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl
        .exec("z = a = 1\n_hidden = files\nf = later\nimport re")
        .expect("idle");
    let Step::Complete(outcome) = step else {
        panic!("{step:?}")
    };
    assert_eq!(outcome.names, ["a", "f", "re", "z"]);
}

#[test]
fn names_that_functions_and_exec_bind_are_found_too() {
    let host = TestHost::default();
    let mut repl = host::repl_with(
        &host,
        Profile {
            eval: true,
            ..host::profile()
        },
    );
    for (source, names, told) in [
        ("def f():\n    global g\n    g = 1", "f", "None"),
        ("f()\n7", "f g", "7"),
        ("exec('h = 2')\nh", "f g h", "2"),
        (
            "k = 1\n1 / 0\nl = 2",
            "f g h k",
            "ZeroDivisionError: division by zero [other] <python-input-3>:2:1-6",
        ),
        ("7", "f g h k", "7"),
    ] {
        let step = repl.exec(source).expect("idle");
        let Step::Complete(outcome) = &step else {
            panic!("{step:?}")
        };
        assert_eq!(outcome.names.join(" "), names, "{source}");
        assert_eq!(tell(step), told);
    }
}

#[test]
fn variables_go_in_and_out() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    repl.set_variable("rows".into(), r#"[{"id": 1}, {"$tuple": [2]}]"#)
        .expect("a name and JSON");
    assert_eq!(tell(repl.exec("rows[1][0]").expect("idle")), "2");
    let value = repl.get_variable("rows").expect("a name").expect("bound");
    assert_eq!(value.repr, "[{'id': 1}, (2,)]");
    assert_eq!(repl.get_variable("nope"), Ok(None));
    assert_eq!(repl.get_variable("not a name"), Err(Misuse::Name));
    assert_eq!(repl.set_variable("x".into(), "{"), Err(Misuse::Json));
}

#[test]
fn the_seed_decides_what_random_gives() {
    check(
        &TestHost::default(),
        &[("import random\nrandom.random()", "0.6394267984578837")],
    );
}

#[test]
fn a_source_that_is_too_long_is_refused() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl.exec(&"#".repeat(65_537)).expect("idle");
    assert_eq!(
        tell(step),
        "SyntaxError: source is too long: 65537 bytes > 65536 bytes [source] "
    );
    assert_eq!(tell(repl.exec("1").expect("idle")), "1");
}

#[test]
fn a_namespace_goes_on_in_another_that_loaded_it() {
    let host = TestHost::default();
    let mut first = repl(&host);
    let define = "def f(x):\n    return later(x)\nclass A: pass\nbig = 'é' * 700_000\na = A()";
    assert_eq!(tell(first.exec(define).expect("idle")), "None");
    let mut second = moved(&mut first, repl(&host), None);
    let source = "t = soon('t')\nx = f(len(big))\n(x, await t)";
    let waits = "waits for [1], open [0]";
    assert_eq!(tell(second.exec(source).expect("idle")), waits);
    let early = Resumption::Answers(vec![returned(1, "1"), returned(0, "0")]);
    let mut third = moved(&mut second, repl(&host), Some(waits));
    for repl in [&mut second, &mut third] {
        let step = repl.resume(early.clone()).expect("waits");
        assert_eq!(tell(step), r#"(1, 0) = {"$tuple":[1,0]}"#);
        assert_eq!(
            tell(repl.exec("f(1, 2)").expect("idle")),
            "TypeError: f() takes 1 positional argument but 2 were given [type] <python-input-2>:1:1-8"
        );
    }
}

#[test]
fn what_is_no_state_of_a_namespace_is_refused() {
    let host = TestHost::default();
    for bytes in [&b""[..], b"MONTY\0", &[0; 100], &[0xff; 8]] {
        assert_eq!(repl(&host).load(bytes.to_vec(), true), Err(Misuse::Dump));
    }
    let mut waiting = repl(&host);
    waiting.exec("later(1)").expect("idle");
    assert_eq!(waiting.load(Vec::new(), true), Err(Misuse::State));
}

#[test]
fn variables_are_listed_without_what_is_ours() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    repl.exec("b = [1] * 100\na = 'é'\n_c = 1\nimport math")
        .expect("idle");
    let look = Look {
        repr_bytes: 6,
        user_reprs: false,
        json: false,
    };
    let listed = repl.variables(&look).expect("idle");
    let listed: Vec<_> = listed
        .iter()
        .map(|variable| format!("{}:{}:{}", variable.name, variable.kind, variable.repr))
        .collect();
    assert_eq!(
        listed.join(" "),
        "a:str:'é' b:list:[1, 1, math:module:<modul"
    );
}

/// Through bytes, piece by piece, into another namespace.
#[track_caller]
fn moved<H: rlm_repl::Host>(
    from: &mut rlm_repl::Repl<H>,
    mut to: rlm_repl::Repl<H>,
    waits: Option<&str>,
) -> rlm_repl::Repl<H> {
    let mut loaded = None;
    for number in 0.. {
        let piece = from.dump(number).expect("writes");
        let last = piece.is_empty();
        loaded = to.load(piece, last).expect("reads");
        if last {
            break;
        }
    }
    let loaded = loaded.map(|suspension| tell(Step::Suspended(suspension)));
    assert_eq!(loaded.as_deref(), waits);
    to
}

/// No script gets hold of a builtin as a value that may be disabled, but the author of a forged state does.
#[test]
fn a_builtin_that_a_state_holds_is_not_called_where_it_is_disabled() {
    let feed = |repl: MontyRepl, text: &str| {
        let fed = repl.feed_start(text, NamedValues::default(), PrintWriter::Disabled);
        match fed {
            Ok(ReplProgress::Complete { repl, value }) => (repl, Ok(value)),
            Ok(other) => (other.into_repl(), Err(String::from("waits"))),
            Err(error) => (error.repl, Err(error.error.to_string())),
        }
    };
    let options = CompileOptions::default();
    let repl = MontyRepl::new("<state>", ResourceTracker::default(), options);
    let made = "f = eval\nbox = {'f': [eval]}\ndef g(): return f('1 + 1')";
    let (repl, _) = feed(repl, made);
    let (mut repl, value) = feed(repl, "g()");
    assert_eq!(value, Ok(MontyObject::int(2)));
    repl.disable_builtins(DisabledBuiltins::default().with(BuiltinsFunctions::Eval));
    for call in [
        "f('1')",
        "box['f'][0]('1')",
        "g()",
        "list(map(f, ['1']))",
        "sorted(['1'], key=f)",
    ] {
        let (next, value) = feed(repl, call);
        let error = value.expect_err(call);
        assert!(
            error.contains("name 'eval' is not defined"),
            "{call}: {error}"
        );
        repl = next;
    }
}

/// A session that may evaluate code goes on as one that may not, idle and while its script waits.
#[test]
fn a_session_that_goes_on_evaluates_no_code_where_that_is_not_allowed() {
    let free = || Profile {
        eval: true,
        ..profile()
    };
    // Of it, or of the check that goes before it.
    let is_undefined = |step: &str| step.contains("name '") && step.contains("' is not defined");
    let source = "def g(): return eval('1 + 1')\nx = later('a')\ntry:\n    y = g()\nexcept NameError as e:\n    y = str(e)\ny";
    for is_loaded in [true, false] {
        let host = TestHost::default();
        let mut from = repl_with(&host, free());
        let waits = "waits for [0], open []";
        assert_eq!(tell(from.exec(source).expect("idle")), waits);
        let mut to = match is_loaded {
            true => moved(&mut from, repl_with(&host, profile()), Some(waits)),
            false => {
                from.configure(settings(profile())).expect("waits");
                from
            }
        };
        let step = to.resume(Resumption::Answers(vec![returned(0, "1")]));
        let step = tell(step.expect("waits"));
        assert!(is_undefined(&step), "{is_loaded}: {step}");
        for call in ["g()", "eval('1')"] {
            let step = tell(to.exec(call).expect("idle"));
            assert!(is_undefined(&step), "{is_loaded}: {step}");
        }
        let to = match is_loaded {
            true => moved(&mut to, repl_with(&host, profile()), None),
            false => to,
        };
        let mut idle = moved(&mut { to }, repl_with(&host, profile()), None);
        let step = tell(idle.exec("g()").expect("idle"));
        assert!(is_undefined(&step), "{is_loaded}: {step}");
    }
}

#[test]
fn an_answer_that_python_has_no_value_for_is_a_dictionary() {
    for json in [
        r#"{"$set":[[1]]}"#,
        r#"{"$dict":[[[1],2]]}"#,
        r#"[{"$frozenset":[{"a":1}]}]"#,
        r#"{"$date":"2026-02-30"}"#,
        r#"{"$datetime":"2026-01-01T00:00:00+2147483647:00"}"#,
        r#"{"$datetime":"2026-01-01T00:00:00+24:00"}"#,
    ] {
        let host = TestHost::default();
        let mut repl = repl(&host);
        let script =
            "try:\n  r = later()\nexcept Exception as e:\n  r = type(e)\nr == json.loads(text)";
        let step = repl
            .exec(&format!("import json\ntext = '{json}'\n{script}"))
            .expect("idle");
        assert_eq!(tell(step), "waits for [0], open []");
        let answers = Resumption::Answers(vec![returned(0, json)]);
        assert_eq!(
            tell(repl.resume(answers).expect("waits")),
            "True = true",
            "{json}"
        );
    }
}

#[test]
fn arguments_that_cannot_be_read_raise_at_any_depth() {
    // Nested as deeply as the recursion limit lets a script build it; a part of it
    // below the limit of reading must not reach the host as a word about it.
    let host = TestHost::default();
    let source = "x = 1\nfor _ in range(300): x = [x]\n\
                  def down(n):\n  return now([[x]]) if n == 0 else down(n - 1)\n\
                  seen = set()\n\
                  for n in range(190):\n  try: down(n); seen.add('read')\n  except RecursionError: seen.add('raised')\n\
                  sorted(seen)";
    let mut repl = repl(&host);
    let told = tell(repl.exec(source).expect("idle"));
    assert!(told.contains("raised"), "{told}");
    for asked in host.asked.borrow().iter() {
        assert!(!asked.contains("deeply nested"), "{asked}");
    }
}

#[test]
fn an_exception_of_a_script_has_no_limit_as_its_cause() {
    check(
        &TestHost::default(),
        &[
            (
                "raise TimeoutError('too slow')",
                "TimeoutError: too slow [other] <python-input-0>:1:7-7",
            ),
            (
                "raise MemoryError('too much')",
                "MemoryError: too much [other] <python-input-1>:1:7-7",
            ),
        ],
    );
}

#[test]
fn a_result_that_is_unbound_is_no_value() {
    let evaluates = Profile {
        eval: true,
        ..host::profile()
    };
    host::check_with(
        &TestHost::default(),
        evaluates,
        &[
            ("result = 5\ndel result", "None"),
            ("result = 5\nif True:\n    del result", "None"),
            ("result = 5\ndel result\n7", "7"),
            ("result = 5\ndel result\nresult = 6", "6"),
            ("return_value = 4\nresult = 5\ndel return_value", "5"),
            (
                "result = 5\ntry:\n    1 / 0\nexcept ZeroDivisionError as result:\n    pass",
                "None",
            ),
            (
                "def f():\n    global result\n    del result\nresult = 5\nf()",
                "None",
            ),
            (
                "result = 5\nexec('try: 1 / 0\\nexcept ZeroDivisionError as result: pass')",
                "None",
            ),
            ("result = 5\nexec('1')", "5"),
            (
                "if True:\n    result = 5\ndel result\nif False: return 3",
                "None",
            ),
            ("result = 5\nif False:\n    del result", "5"),
        ],
    );
}

#[test]
fn the_host_knows_where_a_script_prints_and_calls() {
    let host = TestHost::default();
    let mut session = repl(&host);
    let mut positions = |source: &str| {
        host.positions.borrow_mut().clear();
        let told = tell(session.exec(source).expect("idle"));
        (told, host.positions.borrow().clone())
    };
    let source = "x = 1\nprint('é', x)\nprint(2); print(3)\n\nfor i in range(3):\n    now(i)\nprint('no end', end='')\nx += 1";
    assert_eq!(positions(source).1, [(0, 2), (0, 3), (0, 6), (0, 7)]);
    // What runs is of an earlier script, and rewriting has moved its lines.
    let source = "class Bad(ValueError):\n    pass\n\ndef f(n):\n    try:\n        raise Bad(n)\n    except Bad as e:\n        print(e)\n    return now(n)";
    assert_eq!(positions(source).1, []);
    assert_eq!(positions("\nf(5)").1, [(1, 8), (1, 9)]);
    // In one of our modules it is the line that is known.
    let source = "import pprint\nprint(1)\npprint.pprint([1])\nFINAL(3)";
    assert_eq!(positions(source).1[0], (3, 2));
}
