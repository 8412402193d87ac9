//! Lies of a guest.
//!
//! Scripts for the component of `tests/liar`, told through every part of the public
//! interface. Each call ends in a typed outcome or error, a journal of it can be read
//! and replayed, and an honest session beside it is not disturbed.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;
use serde::{Deserialize, Serialize};

use crate::liar::{attempt, check_honest, small};
use crate::target::Target;

pub(crate) struct Lies;

/// A script, line by line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lie {
    lines: Vec<String>,
}

fn text() -> impl Strategy<Value = String> {
    let fixed = select(vec![
        "",
        "a",
        "%00",
        "%0A%1B[31m",
        "%ff%fe",
        "-",
        "{\"a\":",
        "[*100000",
        "NaN",
        "1e999",
        "null",
        "x*1048577",
        "y*9000000",
        "{\"$int\":\"9*100000~\"}",
        "[~{\"a\":0},*100000~0]",
        "{\"args\":[1],\"kwargs\":{}}",
    ]);
    prop_oneof![
        4 => fixed.prop_map(str::to_owned),
        1 => prop::collection::vec(any::<u8>(), 0..20)
            .prop_map(|bytes| bytes.iter().map(|byte| format!("%{byte:02x}")).collect()),
    ]
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0..5_u64).prop_map(|number| number.to_string()),
        2 => select(vec!["max", "65537", "4294967295", "2147483648", "1048577"]).prop_map(str::to_owned),
        1 => any::<u64>().prop_map(|number| number.to_string()),
    ]
}

fn count() -> impl Strategy<Value = String> {
    select(vec!["0", "1", "2", "3", "40", "3000", "300000"]).prop_map(str::to_owned)
}

fn tickets() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::from("mine")),
        2 => select(vec!["none", "0", "0,0", "1,0", "max", "0x100000"]).prop_map(str::to_owned),
        1 => prop::collection::vec(0..8_u64, 1..5)
            .prop_map(|all| all.iter().map(u64::to_string).collect::<Vec<_>>().join(",")),
    ]
}

/// Actions, with a letter for each word that is made up: a text, a number, a count
/// or tickets.
const ACTIONS: [&str; 38] = [
    "call echo T C",
    "call later {\"args\":[1],\"kwargs\":{}} C",
    "call later {\"args\":[1],\"kwargs\":{}}",
    "call T T",
    "call fail {\"args\":[\"KeyError\",\"no\"],\"kwargs\":{}} C",
    "call budget T",
    "call rlm_query T",
    "ask T",
    "ask T C C T",
    "print out T C",
    "print err T C",
    "repeated 2000000 trap",
    "log error T C",
    "read notes N N C",
    "read T N N",
    "clock C",
    "sleep N C",
    "grow 1048576 C",
    "heap wild C",
    "heap odd C",
    "heap low C",
    "trap",
    "loop",
    "recurse",
    "wild",
    "forget",
    "value T T",
    "raised T T T T C T N",
    "stopped memory T T T T C T N",
    "finish fields T T - T C",
    "live N",
    "names C T",
    "rewrites C T N N",
    "suspend K K",
    "misuse limit",
    "pieces N C",
    "list C T T T N T",
    "poke C N",
];

const EXPORTS: [&str; 13] = [
    "exec",
    "exec",
    "exec",
    "resume",
    "resume",
    "variables",
    "get-variable",
    "set-variable",
    "set-contexts",
    "dump",
    "load",
    "after-exec",
    "after-dump",
];

fn line() -> impl Strategy<Value = String> {
    let words = (
        prop::collection::vec(text(), 6),
        prop::collection::vec(number(), 3),
        prop::collection::vec(count(), 3),
        prop::collection::vec(tickets(), 2),
    );
    let choice = (select(EXPORTS.to_vec()), select(ACTIONS.to_vec()));
    (choice, words).prop_map(|((export, action), (texts, numbers, counts, tickets))| {
        let (mut texts, mut numbers) = (texts.into_iter(), numbers.into_iter());
        let (mut counts, mut tickets) = (counts.into_iter(), tickets.into_iter());
        let words = action.split(' ').map(|word| match word {
            "T" => texts.next().unwrap_or_default(),
            "N" => numbers.next().unwrap_or_default(),
            "C" => counts.next().unwrap_or_default(),
            "K" => tickets.next().unwrap_or_default(),
            word => word.to_owned(),
        });
        format!("{export} {}", words.collect::<Vec<_>>().join(" "))
    })
}

impl Target for Lies {
    type Input = Lie;
    const NAME: &'static str = "lies";

    fn inputs() -> BoxedStrategy<Lie> {
        let waits = [
            String::from("exec call later {\"args\":[1],\"kwargs\":{}} 2"),
            String::from("exec suspend mine"),
        ];
        (prop::collection::vec(line(), 1..8), any::<bool>())
            .prop_map(move |(mut lines, does_wait)| {
                if does_wait {
                    lines.extend(waits.clone());
                }
                Lie { lines }
            })
            .boxed()
    }

    fn attempt(lie: &Lie) -> Result<(), String> {
        attempt(&lie.lines.join("\n"), &small())?;
        check_honest()
    }
}
