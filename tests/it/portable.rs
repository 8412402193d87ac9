//! Variables: looked at, exported, counted.

use rlm_sandbox::{Limits, Look, Portable};
use serde_json::json;

use crate::check::{block_on, described, exec, sandbox, value};

const KINDS: &str = "import re, datetime, collections
n, big, f, b, s, none = 1, 10 ** 30, 0.5, True, 'text', None
items, pair, names, keyed = [1, [2]], (1, 'a'), {3}, {'a': {1: (2,)}}
raw, day, frozen, odd = b'\\x00', datetime.date(2026, 1, 31), frozenset([1]), float('nan')
pattern = re.compile('a')
def double(x): return 2 * x
class P: pass
p, mixed = P(), [1, P()]
counts = collections.Counter('aab')
deep = []
for _ in range(50): deep = [deep]
loop = []
loop.append(loop)";

#[doc = "Keeps R0-14, R0-15, R4-16, X21."]
#[test]
fn what_has_a_json_form_is_exported_and_the_rest_is_listed() {
    let mut session = described().open().expect("right");
    exec(&mut session, KINDS);
    let portable = block_on(session.export()).expect("exported");
    let skipped: Vec<_> = portable
        .skipped
        .iter()
        .map(|left| format!("{}:{}", left.name, left.kind))
        .collect();
    assert_eq!(
        skipped.join(" "),
        "P:type collections:module counts:Counter datetime:module double:function loop:list mixed:list p:P pattern:Pattern \
         re:module"
    );
    let mut other = described().open().expect("right");
    // Through text, with a key that we do not know.
    let mut text = serde_json::to_value(&portable).expect("JSON");
    text["vendor"] = json!(1);
    let again: Portable = serde_json::from_value(text).expect("read");
    other.import(&again).expect("bound");
    for name in [
        "n", "big", "f", "b", "s", "none", "items", "pair", "names", "keyed", "raw", "day",
        "frozen", "odd", "deep",
    ] {
        assert_eq!(
            value(&mut other, &format!("repr({name})")),
            value(&mut session, &format!("repr({name})")),
            "{name}"
        );
    }
    assert_eq!(other.stats().total_executions, 1 + 15);
}

#[doc = "Keeps R4-16, K1."]
#[test]
fn a_checkpoint_is_what_other_interpreters_write() {
    let mut session = sandbox().session().open().expect("right");
    let portable: Portable =
        serde_json::from_str(r#"{"variables": {"x": 42}, "stats": {"total_executions": 3}}"#)
            .expect("JSON");
    session.import(&portable).expect("bound");
    assert_eq!(exec(&mut session, "print(x)").stdout, "42\n");
    let portable = block_on(session.export()).expect("exported");
    let stats = portable.stats;
    let text = serde_json::to_string(&portable).expect("JSON");
    assert!(
        text.starts_with(r#"{"variables":{"x":42},"skipped":[],"stats":{"total_executions":4,"#),
        "{text}"
    );
    assert_eq!(session.stats(), stats);
    let error = session
        .import(&serde_json::from_value(json!({"variables": {"no name": 1}})).expect("JSON"));
    assert!(error.expect_err("no name").to_string().contains("no name"));
}

#[doc = "Keeps R4-19."]
#[test]
fn what_happened_is_counted() {
    let mut session = described().open().expect("right");
    for source in ["echo(1), echo(2)", "x = ", "1 / 0", "y"] {
        exec(&mut session, source);
    }
    let stats = session.stats();
    assert_eq!(
        (
            stats.total_executions,
            stats.total_external_calls,
            stats.syntax_errors,
            stats.runtime_errors
        ),
        (4, 2, 1, 2)
    );
    assert!(stats.total_time_secs > 0.0 && stats.type_check_failures == 0);
    let names: Vec<_> = serde_json::to_value(stats)
        .expect("JSON")
        .as_object()
        .expect("members")
        .keys()
        .cloned()
        .collect();
    assert_eq!(
        names.join(" "),
        "total_executions total_external_calls total_time_secs type_check_failures syntax_errors runtime_errors"
    );
}

#[doc = "Keeps X21."]
#[test]
fn a_look_is_bounded_whatever_there_is() {
    let mut limits = Limits::default();
    limits.value_bytes = 1000;
    let mut session = described().limits(limits).open().expect("right");
    exec(
        &mut session,
        "text = 'é' * 1_000_000\nrows = [list(range(100))] * 5000\nhuge = 7 ** 100_000\nsmall = [1]\nclass A:\n    def \
         __repr__(self): return 'mine' * 1000\na = A()",
    );
    let listed = block_on(session.variables(Look::reprs(30).json())).expect("listed");
    let lines: Vec<_> = listed
        .iter()
        .map(|variable| {
            format!(
                "{} {:?} {} {:?}",
                variable.name, variable.size, variable.repr, variable.json
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "A None <class '__main__.A'> None",
            "a None <A> None",
            "huge None <int> None",
            "rows Some(5000) [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9 None",
            "small Some(1) [1] Some(\"[1]\")",
            "text Some(1000000) 'éééééééééééééé None",
        ]
    );
    let asked = block_on(session.variables(Look::reprs(6).user_reprs())).expect("listed");
    assert_eq!(asked[1].repr, "minemi");
}

#[test]
fn ten_thousand_execs_leave_little_behind() {
    let mut session = sandbox().session().open().expect("right");
    let mut live = Vec::new();
    for round in 0..10_000_u32 {
        let outcome = exec(&mut session, "x = 1 + 1");
        if round % 5000 == 4999 || round == 99 {
            live.push(outcome.usage.live_memory_bytes);
        }
    }
    // Monty keeps the text and the code of each script.
    let slope = (live[2] - live[1]) / 5000;
    assert!(slope < 1200, "{slope} bytes for each exec: {live:?}");
}
