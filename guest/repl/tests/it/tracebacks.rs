//! The lines that tracebacks name, where exceptions pass handlers and calls do not fit.

use crate::host::{TestHost, check};

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
                "KeyError: k [key] <python-input-1>:3:5-8 <python-input-0>:2:11-11",
            ),
            (
                "try:\n    g()\nfinally:\n    b = 1",
                "KeyError: k [key] <python-input-2>:2:5-8 <python-input-0>:2:11-11",
            ),
            (
                "try:\n    g()\nexcept KeyError:\n    raise",
                "KeyError: k [key] <python-input-3>:2:5-8 <python-input-0>:2:11-11",
            ),
            // Through a function with a handler of its own.
            (
                "def h():\n    try:\n        g()\n    finally:\n        c = 1\ndef i():\n    try:\n        h()\n    except ValueError:\n        pass\ni()",
                "KeyError: k [key] <python-input-4>:11:1-4 <python-input-4>:8:9-12 <python-input-4>:3:9-12 <python-input-0>:2:11-11",
            ),
            // What a handler raises itself is another exception.
            (
                "try:\n    g()\nexcept KeyError:\n    raise ValueError('v')",
                "ValueError: v [value] <python-input-5>:4:11-11",
            ),
            // Each has the traceback of its own.
            (
                "try:\n    try:\n        g()\n    finally:\n        try:\n            1 / 0\n        except ZeroDivisionError:\n            pass\nexcept TypeError:\n    pass",
                "KeyError: k [key] <python-input-6>:3:9-12 <python-input-0>:2:11-11",
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
