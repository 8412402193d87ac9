//! Texts that leave a session have caps, and so has what a script makes of names.

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

use crate::host::{TestHost, profile, repl, settings, tell};

/// The outcome of a script that does not wait.
fn finished(step: Step) -> Outcome {
    match step {
        Step::Complete(outcome) => outcome,
        Step::Suspended(suspension) => panic!("{suspension:?}"),
    }
}

/// Runs scripts in one session that has `eval`, and gives the last outcome.
fn run(sources: &[&str]) -> Outcome {
    let host = TestHost::default();
    let mut profile = profile();
    profile.eval = true;
    let mut repl = rlm_repl::Repl::new(&host);
    repl.configure(settings(profile))
        .expect("settings are right");
    let mut last = None;
    for source in sources {
        last = Some(finished(repl.exec(source).expect("idle")));
    }
    last.expect("an outcome")
}

fn failure(outcome: Outcome) -> Failure {
    match outcome.ending {
        Ending::Raised(failure) => failure,
        other => panic!("{other:?}"),
    }
}

/// All the text of an outcome.
fn length(outcome: &Outcome) -> usize {
    format!("{outcome:?}").len()
}

#[test]
fn a_literal_with_half_of_a_character_is_refused() {
    for source in [
        r"x = '\ud83d\ude00'",
        r"x = f'a{1}\uDEAD'",
        r"x = '\\\udfff'",
    ] {
        let outcome = failure(run(&[source]));
        assert_eq!(outcome.exception.kind, "NotImplementedError", "{source}");
        assert!(
            outcome
                .exception
                .message
                .ends_with("is half of a character"),
            "{outcome:?}"
        );
    }
    for source in [
        r"'\\ud83d'",
        r"r'\ud83d'",
        r"b'\ud83d'",
        r"'\ud7ff\ue000'",
        r"'\U0001F600'",
        "# \\ud83d",
    ] {
        let outcome = run(&[source]);
        assert!(
            !matches!(outcome.ending, Ending::Raised(_)),
            "{source}: {outcome:?}"
        );
    }
}

#[test]
fn a_name_has_a_thousand_bytes_at_most() {
    let long = "x".repeat(1001);
    for source in [
        format!("{long} = 1"),
        format!("def {long}(): pass"),
        format!("class {long}: pass"),
        format!("print({long}=1)"),
        format!("f'{{{long}}}'"),
        format!("exec('{long} = 1')"),
        format!("[].{long}"),
    ] {
        let outcome = run(&[&source]);
        assert!(length(&outcome) < 3000, "{source}");
        let outcome = failure(outcome);
        let says = "a name of 1001 bytes is too long; shorten it to 1000 bytes";
        assert_eq!(outcome.exception.kind, "SyntaxError", "{source}");
        assert_eq!(
            outcome.exception.message.split(" (").next(),
            Some(says),
            "{source}"
        );
    }
    let name = "x".repeat(1000);
    assert_eq!(run(&[&format!("{name} = 1")]).names, [name]);
}

#[test]
fn a_session_has_ten_thousand_variables_at_most() {
    let fill = |count: usize| format!("exec(''.join([f'a{{n}}=0\\n' for n in range({count})]))");
    let outcome = run(&[&fill(10_000)]);
    assert_eq!(outcome.names.len(), 10_000, "{:?}", outcome.ending);
    let outcome = failure(run(&[&fill(100_000)]));
    assert!(
        outcome
            .exception
            .message
            .contains("would have 100000 variables"),
        "{outcome:?}"
    );
    assert_eq!(outcome.exception.kind, "RuntimeError");
    // One more is refused before it runs, and those there are stay usable.
    let outcome = failure(run(&[&fill(10_000), "b = 1"]));
    assert!(
        outcome
            .exception
            .message
            .contains("more than 10000 variables"),
        "{outcome:?}"
    );
    let outcome = run(&[&fill(10_000), "b = 1", "a9999 = a9998 + 1\na9999"]);
    assert!(matches!(outcome.ending, Ending::Value(Some(value)) if value.repr == "1"));
    // Names together have a cap of their own.
    let long = "exec(''.join([f'a{n:0>900}=0\\n' for n in range(300)]))";
    let outcome = failure(run(&[long]));
    assert!(
        outcome.exception.message.contains("262144 bytes"),
        "{outcome:?}"
    );
    // Those that functions bind later are listed as far as they may be.
    let late = |part: usize| {
        let names: Vec<_> = (0..2500).map(|n| format!("g{part}_{n}")).collect();
        let bind: String = names.iter().map(|name| format!(" {name}=0\n")).collect();
        format!("def f{part}():\n global {}\n{bind}", names.join(","))
    };
    let all: Vec<_> = (0..5).map(late).collect();
    let mut scripts: Vec<&str> = all.iter().map(String::as_str).collect();
    scripts.extend(["f0()", "f1()", "f2()", "f3()", "f4()"]);
    assert_eq!(run(&scripts).names.len(), 10_000);
    scripts.extend(["f0()", "g0_1 + 1"]);
    assert!(matches!(run(&scripts).ending, Ending::Value(Some(value)) if value.repr == "1"));
}

#[test]
fn tables_that_are_nearly_full_are_outcome_of_early() {
    let fills = "n = 0\nfor size in (20000, 1000, 50, 1):\n    try:\n        while True:\n            \
                 exec(';'.join([repr(f't{m}') for m in range(n, n + size)]))\n            n += size\n    except \
                 RuntimeError: pass";
    let scripts = [fills, "fresh = 1"];
    let outcome = failure(run(&scripts));
    assert!(
        outcome
            .exception
            .message
            .contains("reset the session or open a new one"),
        "{outcome:?}"
    );
    assert!(outcome.hint.is_some());
}

#[test]
fn classes_have_short_names_in_listings_and_failures() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let source =
        "from collections import namedtuple\nN = namedtuple('N' * 1_000_000, 'a')\nn = N(1)";
    let step = repl.exec(source).expect("idle");
    assert!(tell(step).len() < 1000);
    let look = Look {
        repr_bytes: 200,
        user_reprs: false,
        json: true,
    };
    let listed = repl.variables(&look).expect("idle");
    assert_eq!(listed.len(), 3);
    for variable in &listed {
        assert!(
            variable.kind.len() <= 203 && variable.repr.len() <= 200,
            "{variable:?}"
        );
    }
    let step = repl.exec("SHOW_VARS()").expect("idle");
    let Ending::Value(Some(value)) = finished(step).ending else {
        panic!("a value")
    };
    assert!(value.repr.len() < 1000, "{}", value.repr.len());
}

#[test]
fn exceptions_and_their_frames_are_short() {
    for (source, most) in [
        // Within the bytes of one value, which the message may have.
        ("raise ValueError('m' * 5_000_000)", (1 << 20) + 1000),
        ("{}['k' * 5_000_000]", (1 << 20) + 1000),
        ("getattr([], 'a' * 5_000_000)", (1 << 20) + 2000),
        (
            "def f(**kw): pass\nlen(**{'k' * 5_000_000: 1})",
            (1 << 20) + 2000,
        ),
        ("llm_query('p', **{'k' * 5_000_000: 1})", 1000),
        ("import json\njson.loads('[' + 'x' * 5_000_000)", 3000),
        (
            "class A:\n  def __repr__(self): return 'r' * 5_000_000\nraise ValueError(A())",
            (1 << 20) + 2000,
        ),
        ("int('9' * 4000 + 'x')", 10_000),
    ] {
        let outcome = run(&[source]);
        assert!(
            matches!(outcome.ending, Ending::Raised(_)),
            "{source}: {:?}",
            outcome.ending
        );
        assert!(length(&outcome) < most, "{source}: {}", length(&outcome));
    }
    let name = "f".repeat(1000);
    let deep = format!("def {name}(n): return {name}(n + 1)\n{name}(0)");
    let outcome = failure(run(&[&deep]));
    assert!(outcome.frames.len() > 100);
    let is_short = |frame: &Frame| frame.function.as_ref().is_none_or(|name| name.len() <= 203);
    assert!(outcome.frames.iter().all(is_short));
}

#[test]
fn answers_have_short_names_and_one_value_of_fields() {
    let host = TestHost::default();
    let mut settings = settings(profile());
    settings.profile.ends_undefined = true;
    let mut repl = rlm_repl::Repl::new(&host);
    repl.configure(settings).expect("settings are right");
    let outcome = finished(repl.exec("FINAL_VAR('n' * 1_000_000)").expect("idle"));
    assert!(length(&outcome) < 3000, "{}", length(&outcome));
    for (source, says) in [
        ("SUBMIT(**{'n' * 1001: 1})", "a name of 1001 bytes"),
        ("SUBMIT({'n' * 1001: 1})", "a name of 1001 bytes"),
        ("SUBMIT({f'n{i}': 1 for i in range(10001)})", "10001 fields"),
    ] {
        let outcome = failure(finished(repl.exec(source).expect("idle")));
        assert!(outcome.exception.message.contains(says), "{outcome:?}");
    }
    let source = "SUBMIT(**{f'n{i}': 'x' * 1_000_000 for i in range(40)})";
    let outcome = finished(repl.exec(source).expect("idle"));
    assert!(outcome.finish.is_some());
    // The reprs and the JSON of all fields have sixteen values together.
    assert!(length(&outcome) < 36 << 20, "{}", length(&outcome));
}

#[test]
fn the_name_of_a_model_has_a_cap_and_counts() {
    for source in [
        "llm_query('p', model='m' * 201)",
        "llm_query_batched(['p'] * 49, 'm' * 1_500_000)",
        "rlm_query('p', model='m' * 201)",
    ] {
        let outcome = failure(run(&[source]));
        assert_eq!(outcome.exception.kind, "ValueError", "{outcome:?}");
        assert!(
            outcome
                .exception
                .message
                .contains("give one of at most 200 bytes"),
            "{outcome:?}"
        );
    }
    let outcome = failure(run(&["llm_query_batched(['p'] * 6000, model='m' * 200)"]));
    assert!(
        outcome.exception.message.contains("given 1206000 bytes"),
        "{outcome:?}"
    );
    // Nothing is copied before it is counted: this would be ten gigabytes.
    let outcome = failure(run(&["llm_query_batched(['p' * 1_000_000] * 10_000)"]));
    assert!(
        outcome
            .exception
            .message
            .contains("given 10000000000 bytes"),
        "{outcome:?}"
    );
}

#[test]
fn a_listing_gives_the_values_of_others_where_one_cannot_be_copied() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let source = "shared = []\nfor _ in range(60): shared = [shared, shared]\n\
                  digits = [10 ** 4000] * 100_000\nlarge = ['t' * 1_000_000] * 100\n\
                  ring = []\nring.append(ring)\nmany = [None] * 2_000_000\n\
                  plain = {'a': [1, 2.5, None, 'text'], 'b': ({1},)}\nnumbers = [*range(100_000)]\n\
                  def f(): pass";
    assert_eq!(tell(repl.exec(source).expect("idle")), "None");
    let look = Look {
        repr_bytes: 0,
        user_reprs: false,
        json: true,
    };
    let listed = repl.variables(&look).expect("idle");
    let values: Vec<_> = listed
        .iter()
        .filter(|variable| variable.json.is_some())
        .map(|variable| variable.name.as_str())
        .collect();
    assert_eq!(values, ["numbers", "plain"]);
    let plain = listed
        .iter()
        .find(|variable| variable.name == "plain")
        .expect("listed");
    assert_eq!(
        plain.json.as_deref(),
        Some(r#"{"a":[1,2.5,null,"text"],"b":{"$tuple":[{"$set":[1]}]}}"#)
    );
    // All together have sixteen times as much as one.
    let source = "same = 'x' * 1_000_000\n".to_owned()
        + &(0..50)
            .map(|n| format!("v{n:0>2} = same\n"))
            .collect::<String>();
    assert_eq!(tell(repl.exec(&source).expect("idle")), "None");
    let listed = repl.variables(&look).expect("idle");
    let bytes: usize = listed
        .iter()
        .filter_map(|variable| variable.json.as_ref())
        .map(String::len)
        .sum();
    assert!(bytes <= 16 << 20 && bytes > 12 << 20, "{bytes}");
}

#[test]
fn what_a_script_raises_is_no_limit() {
    for (source, kind) in [
        (
            "raise MemoryError('memory limit exceeded: 1 bytes > 0 bytes')",
            "MemoryError",
        ),
        (
            "raise TimeoutError('feed time limit exceeded: 2s > 1s')",
            "TimeoutError",
        ),
        (
            "answer['ready'] = True\nraise MemoryError('memory limit exceeded: 1 bytes > 0 bytes')",
            "MemoryError",
        ),
    ] {
        let outcome = failure(run(&[source]));
        assert_eq!(outcome.exception.kind, kind, "{source}");
    }
}

#[test]
fn sleeps_cannot_fill_the_clock() {
    for source in [
        "import time\ntime.sleep(100 * 366 * 24 * 3600)",
        "import asyncio\nawait asyncio.sleep(100 * 366 * 24 * 3600)",
        "from time import sleep\nsleep(9e9)",
    ] {
        let outcome = failure(run(&[source]));
        assert_eq!(outcome.exception.kind, "OverflowError", "{source}");
        assert!(
            outcome.exception.message.starts_with("timestamp too large"),
            "{outcome:?}"
        );
    }
}

/// Where nothing can wait for the host, it cannot be asked what a name means.
#[test]
fn a_name_that_is_bound_to_nothing_is_undefined_also_where_nothing_can_wait() {
    for called in [
        "max([2, 1], key=lambda x: undefined_fn(x))",
        "class C:\n    def __str__(self): return undefined_fn(1)\nprint(C())",
    ] {
        let found = failure(run(&[called])).exception;
        assert_eq!(found.kind, "NameError", "{found:?}");
        assert_eq!(found.message, "name 'undefined_fn' is not defined");
    }
    let refused = failure(run(&["max([2, 1], key=lambda x: globals())"]));
    assert_eq!(refused.exception.message, "name 'globals' is not defined");
    assert!(
        refused
            .hint
            .is_some_and(|hint| hint.contains("dict of your own"))
    );
}

#[test]
fn an_undefined_function_is_caught_where_nothing_can_wait() {
    let source = "try:\n    max([2, 1], key=lambda x: undefined_fn(x))\nexcept NameError as e:\n    found = str(e)\nfound";
    let Ending::Value(Some(value)) = run(&[source]).ending else {
        panic!("no value");
    };
    assert_eq!(value.repr, "\"name 'undefined_fn' is not defined\"");
}
