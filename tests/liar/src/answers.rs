//! What an export answers: records of `wit/`, filled as a script says.

use crate::Liar;
use crate::bindings::exports::rlm::sandbox::repl::{
    Ending, Failure, Finish, Finisher, Misuse, Outcome, PastException, Rewrite, Step, Suspension,
    Value, Variable,
};
use crate::bindings::rlm::sandbox::types::{Exception, Frame, Stop};
use crate::script::{Action, number};

/// The answer of `exec` and `resume`, as far as the script has filled it.
pub(crate) struct Told {
    pub(crate) outcome: Outcome,
    pub(crate) suspension: Option<Suspension>,
}

impl Told {
    pub(crate) fn new(liar: &Liar) -> Self {
        Self {
            outcome: Outcome {
                ending: Ending::Value(None),
                finish: None,
                pauses: 0,
                names: liar
                    .variables
                    .iter()
                    .map(|(name, _)| name.clone())
                    .collect(),
                live_bytes: 1000,
                rewrites: Vec::new(),
            },
            suspension: None,
        }
    }

    /// Fills a field, if the action is about one.
    pub(crate) fn fill(&mut self, liar: &Liar, action: &Action<'_>) {
        let outcome = &mut self.outcome;
        match action.name() {
            "value" => outcome.ending = Ending::Value(Some(value(action, 0))),
            "raised" => outcome.ending = Ending::Raised(failure(action, 0)),
            "stopped" => {
                let failure = action.option(1).map(|_| failure(action, 1));
                outcome.ending = Ending::Stopped((stop(action.word(0)), failure));
            }
            "finish" => {
                let by = match action.word(0) {
                    "variable" => Finisher::Variable(action.text(4)),
                    "undefined" => Finisher::Undefined(action.text(4)),
                    "ready" => Finisher::Ready,
                    "fields" => {
                        let field = (action.text(4), value(action, 1));
                        Finisher::Fields(vec![field; action.times(5) as usize])
                    }
                    _ => Finisher::Direct,
                };
                let answer = value(action, 1);
                outcome.finish = Some(Finish { answer, by });
            }
            "pauses" => outcome.pauses = action.parse(0) as u32,
            "live" => {
                outcome.live_bytes = action.parse(0);
                if let Some(suspension) = &mut self.suspension {
                    suspension.live_bytes = action.parse(0);
                }
            }
            "names" => outcome.names = vec![action.text(1); action.parse(0) as usize],
            "rewrites" => {
                let rewrite = Rewrite {
                    rule: action.text(1),
                    line: action.parse(2) as u32,
                    column: action.parse(3) as u32,
                };
                outcome.rewrites = vec![rewrite; action.parse(0) as usize];
            }
            "suspend" => {
                self.suspension = Some(Suspension {
                    waiting: tickets(liar, action.word(0)),
                    open: tickets(liar, action.word(1)),
                    live_bytes: outcome.live_bytes,
                });
            }
            _ => {}
        }
    }

    pub(crate) fn step(self) -> Step {
        match self.suspension {
            Some(suspension) => Step::Suspended(suspension),
            None => Step::Complete(self.outcome),
        }
    }
}

/// Reads a list of tickets: `mine`, `none`, a number with a count (`7x1000`), or
/// numbers with commas.
fn tickets(liar: &Liar, word: &str) -> Vec<u64> {
    match word {
        "mine" => liar.tickets.clone(),
        "" | "none" => Vec::new(),
        _ => match word.split_once('x') {
            Some((ticket, times)) => vec![number(ticket); number(times) as usize],
            None => word.split(',').map(number).collect(),
        },
    }
}

/// Returns the misuse that an action claims.
pub(crate) fn misuse(action: &Action<'_>) -> Option<Misuse> {
    if action.name() != "misuse" {
        return None;
    }
    Some(match action.word(0) {
        "settings" => Misuse::Settings,
        "ticket" => Misuse::Ticket,
        "name" => Misuse::Name,
        "json" => Misuse::Json,
        "dump" => Misuse::Dump,
        "limit" => Misuse::Limit,
        _ => Misuse::State,
    })
}

/// Reads a value: its repr, its JSON, and whether it is cut.
pub(crate) fn value(action: &Action<'_>, at: usize) -> Value {
    Value {
        repr: action.text(at),
        json: action.option(at + 1),
        truncated: action.word(at + 2) == "truncated",
    }
}

/// Reads a failure: class, message, cause, hint, number of frames, their text
/// and their line.
pub(crate) fn failure(action: &Action<'_>, at: usize) -> Failure {
    let text = action.text(at + 5);
    let line = action.parse(at + 6) as u32;
    let frame = Frame {
        file: text.clone(),
        line,
        column: line,
        end_column: line.wrapping_add(line),
        function: Some(text.clone()),
        text: Some(text),
    };
    let exception = Exception {
        kind: action.text(at),
        message: action.text(at + 1),
    };
    let count = action.parse(at + 4) as usize;
    let past = PastException {
        exception: exception.clone(),
        frames: vec![frame.clone(); count.min(100)],
        is_cause: count % 2 == 0,
    };
    Failure {
        exception,
        // Each has the texts once more.
        past: vec![past; count.min(20)],
        cause: action.text(at + 2),
        hint: action.option(at + 3),
        frames: vec![frame; count],
    }
}

/// Reads variables: how many, name, type, repr, size and JSON.
pub(crate) fn variables(action: &Action<'_>) -> Vec<Variable> {
    let variable = Variable {
        name: action.text(1),
        kind: action.text(2),
        repr: action.text(3),
        size: action.option(4).map(|size| number(&size)),
        json: action.option(5),
    };
    vec![variable; action.parse(0) as usize]
}

fn stop(word: &str) -> Stop {
    match word {
        "fuel" => Stop::Fuel,
        "memory" => Stop::Memory,
        "output" => Stop::Output,
        "calls" => Stop::Calls,
        "budget" => Stop::Budget,
        "canceled" => Stop::Canceled,
        _ => Stop::Time,
    }
}
