//! How a script says that it is done.

use std::collections::BTreeMap;

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

use crate::host::{TestHost, check, check_with, profile, repl, repl_with, returned, tell};

#[test]
fn a_finisher_ends_the_script_and_nothing_catches_it() {
    check(
        &TestHost::default(),
        &[
            ("x = 1\nFINAL('42')\nx = 2", "FINAL \"42\""),
            ("x", "1"),
            (
                "try:\n    FINAL({'a': (1, 2)})\nexcept BaseException:\n    x = 3\nfinally:\n    x = 4",
                "FINAL {\"a\":{\"$tuple\":[1,2]}}",
            ),
            ("x", "1"),
            (
                "def done(v): return FINAL(v)\n[done(n) for n in [7, 8]]",
                "FINAL 7",
            ),
            ("submit_answer(None)", "FINAL null"),
            (
                "FINAL()",
                "TypeError: FINAL() missing 1 required positional argument: 'answer' [type] <python-input-6>:1:1-8",
            ),
        ],
    );
}

#[test]
fn final_var_takes_a_name_or_what_it_names() {
    check(
        &TestHost::default(),
        &[
            (
                "summary = 'all is well'\nFINAL_VAR('summary')",
                "FINAL summary = \"all is well\"",
            ),
            (
                "FINAL_VAR(' \"summary\" ')",
                "FINAL summary = \"all is well\"",
            ),
            ("FINAL_VAR(summary)", "FINAL \"all is well\""),
            ("numbers = [1, 2]\nFINAL_VAR(numbers)", "FINAL [1,2]"),
            (
                "def f():\n    name = wanted = 1\n    FINAL_VAR('name')\nf()",
                "None",
            ),
            (
                "FINAL_VAR('sumary')",
                "\"Error: Variable 'sumary' not found. Available variables: ['f', 'numbers', 'summary']. You must create and \
                 assign a variable BEFORE calling FINAL_VAR on it.\"",
            ),
        ],
    );
}

#[test]
fn an_unknown_name_ends_the_script_where_the_profile_says_so() {
    let strict = Profile {
        ends_undefined: true,
        ..profile()
    };
    check_with(
        &TestHost::default(),
        strict,
        &[("FINAL_VAR('x')\n1", "FINAL undefined x: \"<undefined: x>\"")],
    );
}

#[test]
fn submit_takes_fields_by_name() {
    check(
        &TestHost::default(),
        &[
            (
                "SUBMIT(answer='42', confidence=0.95)",
                "SUBMIT {\"answer\":\"42\",\"confidence\":0.95}",
            ),
            ("SUBMIT()", "SUBMIT {}"),
            (
                "SUBMIT({'pair': (1, 2), 'n': None})",
                "SUBMIT {\"pair\":{\"$tuple\":[1,2]},\"n\":null}",
            ),
            ("SUBMIT([1])", "SUBMIT {\"answer\":[1]}"),
            (
                "try:\n    SUBMIT(1, 2)\nexcept TypeError as e:\n    print(e)\n'on'",
                "'on' = \"on\"",
            ),
        ],
    );
}

#[test]
fn submit_fits_its_fields_to_what_is_wanted() {
    let output = |name: &str, kind: &str| Output {
        name: name.into(),
        kind: kind.into(),
    };
    let wanted = Profile {
        outputs: vec![
            output("answer", "str"),
            output("count", "int"),
            output("why", "list[str]"),
        ],
        ..profile()
    };
    let usage = "use SUBMIT(answer, count, why)";
    check_with(
        &TestHost::default(),
        wanted,
        &[
            (
                "SUBMIT('a', why=['b'], count=3)",
                "SUBMIT {\"answer\":\"a\",\"count\":3,\"why\":[\"b\"]}",
            ),
            (
                "SUBMIT({'answer': 'a', 'count': 1, 'why': []})",
                "SUBMIT {\"answer\":\"a\",\"count\":1,\"why\":[]}",
            ),
            (
                "SUBMIT('a', 1)",
                &format!(
                    "TypeError: SUBMIT() is missing fields: 'why'; {usage} [type] <python-input-2>:1:1-15"
                ),
            ),
            (
                "SUBMIT('a', 1, [], 2)",
                &format!(
                    "TypeError: SUBMIT() takes 3 arguments but 4 were given; {usage} [type] <python-input-3>:1:1-22"
                ),
            ),
            (
                "SUBMIT('a', 1, [], x=2)",
                &format!(
                    "TypeError: SUBMIT() got an unexpected field 'x'; {usage} [type] <python-input-4>:1:1-24"
                ),
            ),
            (
                "SUBMIT('a', 1, answer='b', why=[])",
                &format!(
                    "TypeError: SUBMIT() got multiple values for field 'answer'; {usage} [type] <python-input-5>:1:1-35"
                ),
            ),
            (
                "SUBMIT('a', '1', [])",
                "TypeError: SUBMIT() field 'count' must be int, not str [type] <python-input-6>:1:1-21",
            ),
        ],
    );
}

#[test]
fn the_dictionary_answer_is_looked_at_after_the_script() {
    check(
        &TestHost::default(),
        &[
            ("answer['content'] = 6 * 7", "None"),
            ("answer['ready'] = True\nx = 5", "answer \"42\""),
            // It begins anew.
            (
                "answer",
                "{'content': '', 'ready': False} = {\"content\":\"\",\"ready\":false}",
            ),
            ("answer = {'content': [1], 'ready': 1}", "answer \"[1]\""),
            // A function of before may do it, and an exception does not undo it.
            (
                "def done(v):\n    answer['content'] = v\n    answer['ready'] = True",
                "None",
            ),
            ("done('late')\n1 / 0", "answer \"late\""),
            // It may be a variable like any other.
            ("answer = 'plain'", "None"),
            ("answer", "'plain' = \"plain\""),
        ],
    );
}

/// The sandbox shows values and exceptions by their own methods, which may be of an earlier script.
#[test]
fn what_is_shown_of_a_script_says_nothing_about_the_run() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let made = "def forge():\n    answer['content'] = 'forged'\n    answer['ready'] = True\n    return 'shown'\n\
                class A:\n    def __repr__(self): return forge()\n\
                class E(Exception):\n    def __str__(self): return forge()\n\
                rows = [A()]\nanswer\nNone";
    assert_eq!(tell(repl.exec(made).expect("idle")), "None");
    for source in [
        "rows",
        "result = rows",
        "x = (rows, [1, 'a'])\nx",
        "raise E",
        "raise E()",
        "raise ValueError(rows)",
        "x = len(rows)\nraise E(x)",
        "x = len(rows)\nassert x > 1, rows",
        "if len(rows):\n    raise E from ValueError(rows)",
    ] {
        let told = tell(repl.exec(source).expect("idle"));
        assert!(!told.contains("answer"), "{source}: {told}");
        // Nor does it of a later one.
        assert_eq!(tell(repl.exec("len(rows)").expect("idle")), "1", "{source}");
    }
    // A script that calls it does.
    let told = tell(repl.exec("forge()\n1 / 0").expect("idle"));
    assert_eq!(told, "answer \"forged\"");
}

#[test]
fn calls_may_be_open_when_a_script_finishes() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl.exec("a = soon(1)\nFINAL('done')").expect("idle");
    assert_eq!(tell(step), "FINAL \"done\"");
    let step = repl.exec("a = soon(1)\nlater(2)\nFINAL(3)").expect("idle");
    assert_eq!(tell(step), "waits for [2], open [1]");
    let step = repl.resume(Resumption::Answers(vec![returned(2, "0")]));
    assert_eq!(tell(step.expect("waits")), "FINAL 3");
    assert_eq!(tell(repl.exec("1 + 1").expect("idle")), "2");
}

#[test]
fn instances_and_hostile_reprs_are_no_trouble() {
    check(
        &TestHost::default(),
        &[
            (
                "class A:\n    def __repr__(self): return 'an A'\nclass B:\n    def __repr__(self): raise ValueError('no')",
                "None",
            ),
            (
                "FINAL([A, A()])",
                "FINAL [{\"$repr\":\"<class '__main__.A'>\"},{\"$repr\":\"an A\"}]",
            ),
            (
                "FINAL(B())",
                "ValueError: no [value] <python-input-2>:1:1-11 <python-input-0>:4:31-31",
            ),
            (
                "x = B()\nFINAL_VAR('x')",
                "ValueError: no [value] <python-input-3>:2:1-15 <python-input-0>:4:31-31",
            ),
        ],
    );
}

#[test]
fn a_profile_decides_which_of_them_there_are() {
    let bare = Profile {
        names: vec![Name::FinalVar],
        ..profile()
    };
    let host = TestHost::default();
    let mut repl = repl_with(&host, bare);
    for name in [
        "FINAL",
        "SUBMIT",
        "answer",
        "SHOW_VARS",
        "llm_query",
        "budget",
        "context",
        "log",
    ] {
        let told = tell(repl.exec(&format!("{name}(1)")).expect("idle"));
        assert!(
            told.starts_with(&format!("NameError: name '{name}' is not defined")),
            "{told}"
        );
    }
    assert_eq!(
        tell(repl.exec("FINAL = 1\nFINAL_VAR('FINAL')").expect("idle")),
        "FINAL FINAL = 1"
    );
}

#[test]
fn a_finisher_leaves_the_with_statements_that_it_ended() {
    let host = TestHost::default();
    check(
        &host,
        &[
            (
                "import io\nfrom contextlib import redirect_stdout, redirect_stderr\nkept = io.StringIO()\nwith \
                 redirect_stdout(kept):\n    with redirect_stderr(kept):\n        print('kept')\n        FINAL(1)",
                "FINAL 1",
            ),
            (
                "print('a', end='')\nkept.getvalue()",
                "'kept\\n' = \"kept\\n\"",
            ),
            (
                "def f(): print('b', end='')\nf()\nwith redirect_stdout(kept): print('too')",
                "None",
            ),
            (
                "f()\nkept.getvalue()",
                "'kept\\ntoo\\n' = \"kept\\ntoo\\n\"",
            ),
        ],
    );
    assert_eq!(*host.said.borrow(), "abb");
}

#[test]
fn a_finisher_leaves_contexts_of_decimal() {
    let nested = "from decimal import Decimal, getcontext, localcontext\ngetcontext().prec = 10\nwith localcontext() as c:\n    \
                  c.prec = 5\n    with localcontext() as c:\n        c.prec = 3\n        FINAL(1)";
    let thirds = "str(Decimal(1) / 3)";
    let left = "with localcontext() as c:\n    c.prec = 2\nstr(Decimal(1) / 3)";
    let ten = "'0.3333333333' = \"0.3333333333\"";
    check(
        &TestHost::default(),
        &[
            (nested, "FINAL 1"),
            (thirds, ten),
            (left, ten),
            ("FINAL(2)", "FINAL 2"),
            (thirds, ten),
        ],
    );
}

#[test]
fn a_finisher_leaves_warnings_locks_and_threads() {
    let host = TestHost::default();
    check(
        &host,
        &[
            (
                "import warnings\nwith warnings.catch_warnings(record=True):\n    warnings.simplefilter('error')\n    \
                 FINAL(1)",
                "FINAL 1",
            ),
            ("warnings.warn('careful')", "None"),
            (
                "import threading\nlock, other = threading.Lock(), threading.RLock()\nwith lock, other, other:\n    \
                 FINAL(2)",
                "FINAL 2",
            ),
            (
                "with lock: x = lock.locked()\nx, lock.locked()",
                "(True, False) = {\"$tuple\":[true,false]}",
            ),
            (
                "threading.Thread(target=lambda: FINAL(3)).start()",
                "FINAL 3",
            ),
            (
                "threading.current_thread().name",
                "'MainThread' = \"MainThread\"",
            ),
        ],
    );
    assert_eq!(
        *host.said.borrow(),
        "!<python-input-1>:1: UserWarning: careful\n  warnings.warn('careful')\n"
    );
}

#[test]
fn a_finisher_in_a_worker_leaves_the_names_of_the_session() {
    check(
        &TestHost::default(),
        &[
            (
                "import time\nfrom concurrent.futures import ThreadPoolExecutor\nclock = time\nwith \
                 ThreadPoolExecutor() as pool:\n    pool.submit(lambda: FINAL(1))",
                "FINAL 1",
            ),
            ("time is clock", "True = true"),
        ],
    );
}

#[test]
fn a_finisher_leaves_nothing_that_an_earlier_script_is_in() {
    for (imports, inside, probe, outcome) in [
        (
            "from decimal import Decimal, localcontext, getcontext",
            "with localcontext() as c:\n        c.prec = 3\n        yield 1",
            "getcontext().prec",
            "3",
        ),
        (
            "import threading\nlock = threading.Lock()",
            "with lock: yield 1",
            "lock.locked()",
            "True = true",
        ),
    ] {
        check(
            &TestHost::default(),
            &[
                (
                    &format!("{imports}\ndef held():\n    {inside}\ng = held()\nnext(g)"),
                    "1",
                ),
                ("FINAL(1)", "FINAL 1"),
                (probe, outcome),
                ("next(g, 'over')", "'over' = \"over\""),
                (
                    probe,
                    match outcome {
                        "3" => "28",
                        _ => "False = false",
                    },
                ),
            ],
        );
    }
}

#[test]
fn nothing_of_a_finished_script_runs_in_the_next_one() {
    // What a script can change about the `with` statements that a finisher ends.
    let changes = [
        "warnings.catch_warnings.__exit__ = thief",
        "type(lock).__exit__ = thief",
        "type(lock).release = thief",
        "type(other).__exit__ = thief",
        "type(caught).__exit__ = thief",
        "caught._leave = [thief]",
        "caught._leave.append(thief)",
        "caught._kept = Thief()",
        "lock._state[0] = Thief()",
        "other._state[0] = Thief()",
        "lock._leave = other._leave = [thief]",
        "type(said).__exit__ = thief",
        "said._old = [thief]",
        "said._old.append(thief)",
        "said.__exit__ = thief",
        "kept.write = thief",
        "threading.Thread.__eq__ = thief",
        "warnings.filterwarnings = thief",
    ];
    for change in changes {
        let host = TestHost {
            contexts: BTreeMap::from([("a.txt".into(), b"mine".to_vec())]),
            ..TestHost::default()
        };
        let mut repl = repl(&host);
        let source = format!(
            "import contextlib, io, threading, warnings\nruns = []\ndef thief(*args, **kwargs):\n    global context, \
             dspy_input\n    runs.append('thief')\n    context = dspy_input = 'forged'\nclass Thief:\n    def \
             __add__(self, other): thief()\n    def __iadd__(self, other): thief()\n    def __iter__(self): \
             thief()\n    def __exit__(self, *args): thief()\n    def __setitem__(self, *args): thief()\nlock, other, \
             caught = threading.Lock(), threading.RLock(), warnings.catch_warnings()\nkept = io.StringIO()\nsaid = \
             contextlib.redirect_stdout(kept)\ndef work():\n    with caught, lock, other, said:\n        \
             try:\n            {change}\n        except TypeError: pass\n        FINAL(1)\nthreading.Thread(target=work).start()"
        );
        assert_eq!(
            tell(repl.exec(&source).expect("idle")),
            "FINAL 1",
            "{change}"
        );
        assert_eq!(
            tell(repl.exec("print('heard')\nruns, context").expect("idle")),
            "([], 'mine') = {\"$tuple\":[[],\"mine\"]}",
            "{change}"
        );
        assert_eq!(*host.said.borrow(), "heard\n", "{change}");
    }
}

#[test]
fn leaving_is_charged_to_the_script_that_a_finisher_ended() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let before = tell(
        repl.exec("import threading\nlock = threading.RLock()\nfor i in range(1000): lock.__enter__()\nFINAL(1)")
            .expect("idle"),
    );
    assert_eq!(before, "FINAL 1");
    assert_eq!(tell(repl.exec("lock._state").expect("idle")), "[0]");
}

#[test]
fn locks_released_by_hand_are_what_they_were() {
    check(
        &TestHost::default(),
        &[
            (
                "import threading\na, b = threading.Lock(), threading.Semaphore(2)\na.acquire()\na.__exit__(None, None, \
                 None)\nwith b, b: x = b.locked()\nx, b.locked(), a.locked()",
                "(True, False, False) = {\"$tuple\":[true,false,false]}",
            ),
            (
                "import warnings\nw = warnings.catch_warnings()\ntry:\n    w.__exit__()\nexcept RuntimeError as e:\n    x \
                 = str(e).split(' ')[0]\nx",
                "'Cannot' = \"Cannot\"",
            ),
        ],
    );
}

#[test]
fn asking_for_the_answer_runs_nothing_of_a_script() {
    let key = "class K:\n    n = 0\n    def __hash__(self): return hash('ready')\n    def __eq__(self, other):\n        \
               K.n += 1\n        print('ran')\n        return K.n > 2\n    def __bool__(self):\n        K.n += 1\n        \
               print('ran')\n        return K.n > 2\n    def __len__(self): return self.__bool__()\n    def get(self, \
               *args): return self.__bool__()\n    def items(self): return [('ready', self.__bool__())]\n";
    for source in [
        "d = {}\nd[K()] = True\nd['content'] = 'FORGED'\nanswer = d",
        "answer = {'content': 'FORGED', 'ready': K()}",
        "answer.pop('ready')\nanswer[K()] = True",
        "answer['ready'] = K()",
        "answer = K()",
    ] {
        let host = TestHost::default();
        let mut repl = repl(&host);
        tell(repl.exec(&format!("{key}{source}\nK.n = 0")).expect("idle"));
        host.said.borrow_mut().clear();
        for _ in 0..5 {
            assert_eq!(tell(repl.exec("1").expect("idle")), "1", "{source}");
        }
        assert_eq!(*host.said.borrow(), "", "{source}");
        assert_eq!(tell(repl.exec("K.n").expect("idle")), "0", "{source}");
    }
}

#[test]
fn an_answer_of_an_earlier_script_runs_nothing_in_a_later_one() {
    let evil = "class Evil:\n    def __str__(self): return self.__repr__()\n    def __format__(self, how): return \
                self.__repr__()\n    def __repr__(self):\n        global total\n        total = 'FORGED'\n        \
                print('ran')\n        return 'forged'\n";
    for content in ["Evil()", "[Evil()]", "{'a': (Evil(),)}"] {
        for ready in ["waiting", "(waiting,)[0]", "False"] {
            let host = TestHost::default();
            let mut repl = repl(&host);
            let source = format!(
                "{evil}waiting = []\nanswer['content'] = {content}\nanswer['ready'] = {ready}\n1"
            );
            assert_eq!(tell(repl.exec(&source).expect("idle")), "1");
            let told = tell(
                repl.exec("waiting.append(1)\ntotal = 42\ntotal")
                    .expect("idle"),
            );
            assert_eq!(told, "42", "{content} {ready}");
            // The content was there before: it is shown without its own code.
            let told = tell(repl.exec("answer['ready'] = True").expect("idle"));
            assert!(told.contains("Evil") && !told.contains("forged"), "{told}");
            assert_eq!(*host.said.borrow(), "");
            assert_eq!(tell(repl.exec("total").expect("idle")), "42");
        }
    }
    // A script shows what it says itself, plain data as well.
    let host = TestHost::default();
    let mut repl = repl(&host);
    let told = tell(
        repl.exec(&format!(
            "{evil}answer = {{'content': Evil(), 'ready': [1]}}"
        ))
        .expect("idle"),
    );
    assert!(told.contains("forged"), "{told}");
    tell(
        repl.exec("answer['content'] = {'a': [1, 'b']}")
            .expect("idle"),
    );
    let told = tell(repl.exec("answer['ready'] = True").expect("idle"));
    assert!(told.contains("{'a': [1, 'b']}"), "{told}");
}
