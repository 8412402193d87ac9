//! How a script says that it is done.

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
                "TypeError: FINAL() missing 1 required positional argument: 'answer' [type] ",
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
                "FINAL [{\"$repr\":\"<class 'A'>\"},{\"$repr\":\"an A\"}]",
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
