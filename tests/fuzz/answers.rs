//! Answers of every shape.
//!
//! Tools and a model answer with whatever they like: JSON of any form, tags that
//! look like ours, exceptions of any class, panics. The script gets a value or an
//! exception for each, and plain JSON that has no tags comes back as it was.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{Answer, Limits, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::sandboxed::{answers, block_on, described, exec};
use crate::target::Target;

pub(crate) struct Answers;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Given {
    Json(Value),
    Raised(String, String),
}

fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        4 => any::<String>(),
        1 => prop::sample::select(vec![
            "", "__tuple__", "__bytes__", "__proto__", "$tuple", "\u{0}", "\u{202e}", "_rlm_show", "NaN", "\u{ffff}",
        ])
        .prop_map(str::to_owned),
        1 => (0..2000_usize).prop_map(|count| "é".repeat(count)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn given() -> impl Strategy<Value = Given> {
    let kind = prop_oneof![
        2 => prop::sample::select(vec![
            "ValueError", "KeyError", "BaseException", "SystemExit", "KeyboardInterrupt", "StopIteration", "MemoryError",
            "RecursionError", "TimeoutError", "GeneratorExit", "ExceptionGroup", "no such class", "_rlm_show", "int",
        ])
        .prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop_oneof![
        5 => json().prop_map(Given::Json),
        1 => (kind, any::<String>()).prop_map(|(kind, message)| Given::Raised(kind, message)),
    ]
}

/// Asks for so many answers, and keeps what comes.
const SCRIPT: &str = "\
came = []
for n in range(COUNT):
    try:
        came.append([True, later(n)])
    except BaseException as error:
        came.append([False, type(error).__name__ + ': ' + str(error)])
len(came)";

impl Target for Answers {
    type Input = Vec<Given>;
    const NAME: &'static str = "answers";

    fn inputs() -> BoxedStrategy<Self::Input> {
        prop::collection::vec(given(), 1..10).boxed()
    }

    fn attempt(given: &Self::Input) -> Result<(), String> {
        let mut session = described(Limits::default())
            .open()
            .map_err(|error| error.to_string())?;
        let source = SCRIPT.replace("COUNT", &given.len().to_string());
        let mut step = block_on(session.step(&source)).map_err(|error| error.to_string())?;
        let mut rest = given.iter();
        let outcome = loop {
            match step {
                Step::Done(outcome) => break outcome,
                Step::Waiting(calls) => {
                    let answers = calls
                        .iter()
                        .zip(&mut rest)
                        .map(|(call, given)| (call.ticket, answer(given)));
                    let answers: Vec<_> = answers.collect();
                    step = block_on(session.resume(answers)).map_err(|error| error.to_string())?;
                }
            }
        };
        if !matches!(outcome.value::<usize>(), Ok(count) if count == given.len()) {
            return Err(format!("{outcome:?}"));
        }
        for (index, given) in given.iter().enumerate() {
            let wanted = match given {
                Given::Json(wanted) if !has_tags(wanted) => wanted,
                _ => continue,
            };
            let outcome = exec(&mut session, &format!("came[{index}][1]"))?;
            let found: Value = outcome
                .value()
                .map_err(|error| format!("{error} for {wanted}: {outcome:?}"))?;
            if &found != wanted {
                return Err(format!("{wanted} came back as {found}"));
            }
        }
        answers(&mut session)
    }
}

/// Returns whether a part of this means something else, as `wit/types.wit` says.
fn has_tags(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_tags),
        Value::Object(members) => {
            let is_tag = |(name, value): (&String, &Value)| {
                name.starts_with('$') && (value.is_array() || value.is_string())
            };
            members.len() == 1 && members.iter().any(is_tag) || members.values().any(has_tags)
        }
        _ => false,
    }
}

fn answer(given: &Given) -> Answer {
    match given {
        Given::Json(value) => Answer::Returned(value.clone()),
        Given::Raised(kind, message) => Answer::error(kind.as_str(), message.as_str()),
    }
}
