//! Sources that nest as deeply as any may, and deeper.

use rlm_sandbox::{Cause, Ending};

use crate::check::{block_on, session};

/// What a level of nesting begins and ends with, around `1`.
const KINDS: [(&str, &str); 15] = [
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("{1: ", "}"),
    ("f(", ")"),
    ("x[", "]"),
    ("-", ""),
    ("not ", ""),
    ("1 + ", ""),
    ("2 ** ", ""),
    ("1 if 1 else ", ""),
    ("lambda: ", ""),
    ("[1 for x in ", "]"),
    ("(1, *", ")"),
    ("await ", ""),
];

/// The parser's stack is the guest's own, and holds whatever Monty lets
/// through to it.
#[test]
fn the_deepest_sources_are_parsed_or_refused_and_cost_nothing() {
    let mut session = session();
    let mut refused = 0;
    let mut blocks = String::new();
    for depth in 0..150 {
        blocks.push_str(&" ".repeat(depth));
        blocks.push_str("if 1:\n");
    }
    blocks.push_str(&" ".repeat(150));
    blocks.push('1');
    let nested = KINDS.iter().flat_map(|(open, close)| {
        [20, 150, 199, 201, 5000]
            .map(|depth| format!("{}1{}", open.repeat(depth), close.repeat(depth)))
    });
    for source in nested.chain([blocks]) {
        let outcome = block_on(session.exec(&source)).expect("an outcome");
        match &outcome.ending {
            Ending::Raised(exception) if exception.cause == Cause::Syntax => refused += 1,
            Ending::Value(_) | Ending::Raised(_) => {}
            other => panic!("{}…: {other:?}", &source[..source.len().min(20)]),
        }
    }
    assert!(refused >= KINDS.len(), "only {refused} are too deep");
    let outcome = block_on(session.exec("1 + 1")).expect("an outcome");
    assert!(outcome.is_success());
}
