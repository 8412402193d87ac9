//! Each limit of an exec, once obeyed and once violated.

use std::collections::BTreeSet;
use std::time::Duration;

use rlm_sandbox::{
    Ending, Limits, Lm, LmAnswer, LmError, LmRequest, Outcome, Overflow, Session, State,
};

use crate::check::{block_on, described};

/// What a limit is set to, a script within it, and one that is over it, with
/// what either comes to.
struct Pair {
    limit: &'static str,
    set: fn(&mut Limits),
    obeys: (&'static str, &'static str),
    violates: (&'static str, &'static str),
}

const PAIRS: [Pair; 18] = [
    Pair {
        limit: "time",
        set: |limits| limits.time = Duration::from_millis(100),
        obeys: ("sum(range(1000))", "499500"),
        violates: ("while True: pass", "Stopped(Time) TimeoutError: timeout"),
    },
    Pair {
        limit: "deadline",
        set: |limits| limits.deadline = Some(Duration::from_secs(1)),
        obeys: ("later(1, 10)", "1"),
        violates: (
            "later(1, 4000)",
            "Stopped(Deadline) TimeoutError: timeout: deadline exceeded: 1s",
        ),
    },
    Pair {
        limit: "grace",
        set: |limits| {
            limits.time = Duration::from_millis(5);
            limits.grace = Duration::from_millis(20);
        },
        obeys: ("while True: pass", "time limit exceeded: 5ms"),
        // Nothing in there looks at the clock.
        violates: (
            "n = 10 ** (10 ** 7)",
            "Stopped(Time) TimeoutError: exec_python timed out after 5ms",
        ),
    },
    Pair {
        limit: "fuel",
        set: |limits| limits.fuel = Some(50_000_000),
        obeys: ("sum(range(1000))", "499500"),
        violates: (
            "while True: pass",
            "Stopped(Fuel) TimeoutError: timeout: fuel limit exceeded",
        ),
    },
    Pair {
        limit: "memory_bytes",
        set: |limits| limits.memory_bytes = 1 << 20,
        obeys: ("len([0] * 10_000)", "10000"),
        violates: (
            "rows = []\nwhile True: rows.append([[0] * 10, [rows]])",
            "Stopped(Memory) MemoryError: memory limit exceeded",
        ),
    },
    Pair {
        limit: "recursion",
        set: |limits| limits.recursion = 50,
        obeys: ("def f(n): return n and f(n - 1)\nf(40)", "0"),
        violates: (
            "def f(n): return n and f(n - 1)\nf(60)",
            "Intact RecursionError",
        ),
    },
    Pair {
        limit: "allocations",
        set: |limits| limits.allocations = Some(20_000),
        obeys: ("len([str(n) for n in range(1000)])", "1000"),
        violates: (
            "len([str(n) for n in range(100_000)])",
            "Stopped(Memory) MemoryError: allocation limit exceeded",
        ),
    },
    Pair {
        limit: "source_bytes",
        set: |limits| limits.source_bytes = 40,
        obeys: ("1 # 345678901234567890123456789012345678", "1"),
        violates: (
            "1 # 3456789012345678901234567890123456789",
            "Intact SyntaxError: source is too long",
        ),
    },
    Pair {
        limit: "output_bytes",
        set: |limits| limits.output_bytes = 10,
        obeys: ("print('123456789')", "dropped 0"),
        violates: ("print('1234567890')", "dropped 1"),
    },
    Pair {
        limit: "output_overflow",
        set: |limits| {
            limits.output_bytes = 10;
            limits.output_overflow = Overflow::Stop;
        },
        obeys: ("print('123456789')", "dropped 0"),
        violates: ("while True: print('1234567890')", "Stopped(Output)"),
    },
    Pair {
        limit: "value_bytes",
        set: |limits| limits.value_bytes = 10,
        obeys: ("'12345678'", "'12345678'"),
        violates: ("'123456789'", "'123456789 cut"),
    },
    Pair {
        limit: "request_bytes",
        set: |limits| limits.request_bytes = 100,
        obeys: ("len(echo('x' * 50))", "50"),
        violates: ("echo('x' * 150)", "Intact ValueError"),
    },
    Pair {
        limit: "calls",
        set: |limits| limits.calls = 3,
        obeys: ("[echo(n) for n in range(3)]", "[0, 1, 2]"),
        violates: (
            "[echo(n) for n in range(4)]",
            "Stopped(Calls) RuntimeError: external call limit exceeded",
        ),
    },
    Pair {
        limit: "open_calls",
        set: |limits| limits.open_calls = 2,
        obeys: (
            "import asyncio\nawait asyncio.gather(later(1), later(2))",
            "[1, 2]",
        ),
        violates: (
            "import asyncio\nawait asyncio.gather(later(1), later(2), later(3))",
            "Stopped(Calls)",
        ),
    },
    Pair {
        limit: "call_wait",
        set: |limits| limits.call_wait = Duration::from_millis(300),
        obeys: ("later('a', 1)", "'a'"),
        violates: (
            "try:\n    later('a', 600_000)\nexcept TimeoutError as error:\n    print(error)\n    raise",
            "Intact TimeoutError: later() did not answer within 300ms",
        ),
    },
    Pair {
        limit: "model_calls",
        set: |limits| limits.model_calls = 2,
        obeys: ("llm_query('a') + llm_query('b')", "'ab'"),
        violates: (
            "llm_query('a') + llm_query_batched(['b', 'c'])[0]",
            "Intact RuntimeError: LLM call limit exceeded",
        ),
    },
    Pair {
        limit: "tool_answer_bytes",
        set: |limits| limits.tool_answer_bytes = 50,
        obeys: ("len(echo('x' * 48))", "48"),
        violates: ("echo('x' * 49)", "response_too_large"),
    },
    Pair {
        limit: "model_answer_bytes",
        set: |limits| limits.model_answer_bytes = 50,
        obeys: ("len(llm_query('x' * 48))", "48"),
        violates: (
            "llm_query('x' * 49)",
            "Intact ValueError: the model answered 51 bytes",
        ),
    },
];

/// Says what it is asked.
struct Echo;

impl Lm for Echo {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        Ok(LmAnswer::new(request.prompt))
    }
}

fn told(outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Value(Some(value)) => {
            format!(
                "{}{}",
                value.repr,
                if value.truncated { " cut" } else { "" }
            )
        }
        Ending::Value(None) => format!("dropped {}", outcome.dropped_bytes),
        Ending::Raised(exception) => format!("{:?} {exception}", outcome.state),
        Ending::Stopped(why, exception) => format!("Stopped({why:?}) {exception}"),
        Ending::Crashed(exception) => format!("Crashed {exception}"),
        other => format!("{other:?}"),
    }
}

fn open(pair: &Pair) -> Session {
    let mut limits = Limits::default();
    (pair.set)(&mut limits);
    let session = described().model(Echo).limits(limits).open();
    session.expect("right")
}

#[doc = "Keeps R4-11."]
#[doc = "Keeps R0-9, R0-10, R1-8, R3-13, R3-14, R4-10, D1, D6, X10, X11, X32, X33."]
#[test]
fn each_limit_is_obeyed_and_violated() {
    // What is reached is told in the outcome.
    let mut wrong = Vec::new();
    for pair in PAIRS {
        for (source, expected) in [pair.obeys, pair.violates] {
            let mut session = open(&pair);
            let outcome = block_on(session.exec(source)).expect("an outcome");
            let told = told(&outcome);
            if !told.contains(expected) {
                wrong.push(format!("{}: {source}: {told}", pair.limit));
            }
            let is_stopped = matches!(outcome.ending, Ending::Stopped(..));
            assert_eq!(outcome.state == State::RolledBack, is_stopped, "{told}");
            // Whatever it was, the session is there.
            let outcome = block_on(session.exec("1")).expect("an outcome");
            assert!(outcome.is_success(), "{}: {outcome:?}", pair.limit);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_limit_is_without_its_pair() {
    let limits = serde_json::to_value(Limits::default()).expect("JSON");
    let names = limits.as_object().expect("fields").keys();
    // What a journal says of the budget that follows from `time`.
    let names = names.filter(|name| *name != "fuel_of_time");
    let paired: BTreeSet<_> = PAIRS.iter().map(|pair| pair.limit.to_owned()).collect();
    assert_eq!(names.cloned().collect::<BTreeSet<_>>(), paired);
}
