//! The lines that tracebacks name, where exceptions pass handlers and calls do not fit.

use rlm_repl::bindings::exports::rlm::sandbox::repl::{Ending, Step};

use crate::host::{TestHost, check, repl};

#[test]
fn an_exception_that_passes_a_handler_keeps_its_frames() {
    let define = "def g():\n    raise KeyError('k')";
    check(
        &TestHost::default(),
        &[
            (define, "None"),
            // No `except` takes it.
            (
                "try:\n    a = 1\n    g()\nexcept TypeError:\n    pass",
                "KeyError: 'k' [key] <python-input-1>:3:5-8 <python-input-0>:2:11-11",
            ),
            (
                "try:\n    g()\nfinally:\n    b = 1",
                "KeyError: 'k' [key] <python-input-2>:2:5-8 <python-input-0>:2:11-11",
            ),
            (
                "try:\n    g()\nexcept KeyError:\n    raise",
                "KeyError: 'k' [key] <python-input-3>:2:5-8 <python-input-0>:2:11-11",
            ),
            // Through a function with a handler of its own.
            (
                "def h():\n    try:\n        g()\n    finally:\n        c = 1\ndef i():\n    try:\n        h()\n    except ValueError:\n        pass\ni()",
                "KeyError: 'k' [key] <python-input-4>:11:1-4 <python-input-4>:8:9-12 <python-input-4>:3:9-12 <python-input-0>:2:11-11",
            ),
            // What a handler raises itself is another exception.
            (
                "try:\n    g()\nexcept KeyError:\n    raise ValueError('v')",
                "ValueError: v [value] <python-input-5>:4:11-11",
            ),
            // Each has the traceback of its own.
            (
                "try:\n    try:\n        g()\n    finally:\n        try:\n            1 / 0\n        except ZeroDivisionError:\n            pass\nexcept TypeError:\n    pass",
                "KeyError: 'k' [key] <python-input-6>:3:9-12 <python-input-0>:2:11-11",
            ),
        ],
    );
}

#[test]
fn a_call_that_does_not_fit_is_shown_where_it_is() {
    check(
        &TestHost::default(),
        &[
            (
                "def f(x, y): return x\nclass A:\n    def m(self, x): return x",
                "None",
            ),
            (
                "def g():\n    return f(1)\n\ng()",
                "TypeError: f() missing 1 required positional argument: 'y' [type] <python-input-1>:4:1-4 <python-input-1>:2:12-16",
            ),
            (
                "f(1, 2, 3)",
                "TypeError: f() takes 2 positional arguments but 3 were given [type] <python-input-2>:1:1-11",
            ),
            (
                "f(1, z=2)",
                "TypeError: f() got an unexpected keyword argument 'z' [type] <python-input-3>:1:1-10",
            ),
        ],
    );
}

/// Returns the exceptions before the one that a script ends with, the last one first.
fn past(source: &str) -> Vec<String> {
    let host = TestHost::default();
    let Step::Complete(outcome) = repl(&host).exec(source).expect("idle") else {
        panic!("{source} waits");
    };
    let Ending::Raised(failure) = outcome.ending else {
        panic!("{source} runs");
    };
    let past = failure.past.into_iter().map(|past| {
        let word = if past.is_cause { "cause" } else { "context" };
        let exception = past.exception;
        format!("{word} {}: {}", exception.kind, exception.message)
    });
    past.collect()
}

#[test]
fn exceptions_before_one_are_told() {
    let from = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('v') from";
    for (source, told) in [
        ("1 / 0", &[][..]),
        (
            &format!("{from} e"),
            &["cause ZeroDivisionError: division by zero"],
        ),
        (&format!("{from} None"), &[]),
        (&format!("{from} KeyError('k')"), &["cause KeyError: 'k'"]),
        (
            "class Own(Exception):\n    def __str__(self): return 'own ' + str(self.args[0])\ntry:\n    try:\n        {}['a']\n    except KeyError:\n        raise Own(1)\nexcept Own:\n    [][2]",
            &["context Own: own 1", "context KeyError: 'a'"],
        ),
        // One that cannot be shown, and one that comes from itself.
        (
            "class Bad(Exception):\n    def __str__(self): return 1 / 0\nraise ValueError(1) from Bad()",
            &["cause Bad: <exception str() failed>"],
        ),
        (
            "a, b = ValueError(1), KeyError(2)\na.__cause__, b.__cause__ = b, a\nraise a",
            &["cause KeyError: 2"],
        ),
        // One whose text drops it.
        (
            "class E(Exception):\n    def __str__(self):\n        top.__cause__ = None\n        return 'E'\ntop = ValueError(1)\ntop.__cause__ = E()\nraise top",
            &["cause E: E"],
        ),
        // What code of the sandbox's own handles is no matter of a script's.
        ("import json, statistics\nstatistics.mean([])", &[]),
        (
            "from enum import Enum\nclass A(Enum):\n    X = 1\nA('no')",
            &[],
        ),
    ] {
        assert_eq!(past(source), told, "{source}");
    }
    let nested = "def f(n):\n    try:\n        f(n - 1) if n else 1 / 0\n    except Exception as e:\n        raise ValueError('x' * 5000) from e\nf(20)";
    let told = past(nested);
    assert_eq!(told.len(), 8);
    assert!(told.iter().all(|text| text.len() < 1100));
}

#[test]
fn a_prompt_in_two_parts_is_no_prompt_and_a_model() {
    check(
        &TestHost::default(),
        &[(
            "llm_query('sum up', 'the text of a chunk that is longer than a name')",
            "ValueError: llm_query() takes a prompt and the name of a model, which has no spaces: \"the text of a chunk that is longer than …\" [value] <python-input-0>:1:1-70",
        )],
    );
}
