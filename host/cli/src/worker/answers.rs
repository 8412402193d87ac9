//! Answers of isolated processes, which are read as what the method gives, and written anew.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::method::{InSession, Served};
use super::protocol::{
    Advanced, CallSaid, Done, Got, Instructed, OutcomeSaid, ParkedSaid, Ran, StepSaid, ToolSaid,
    ToolsSaid, VariablesSaid, WaitingSaid,
};
use crate::wire::Members;

/// Reads an answer to this method, and writes it anew; none if it is not what the method gives, or if a script waits for
/// a call that `may_wait` does not know.
pub(super) fn rewritten(
    method: InSession,
    answer: &RawValue,
    may_wait: impl Fn(&CallSaid) -> bool,
) -> Option<Box<RawValue>> {
    match method {
        InSession::Register => anew::<Done>(answer),
        // Read where another process takes it up.
        InSession::Fork => Some(answer.to_owned()),
        InSession::Served(served) => match served {
            Served::Exec | Served::Finish => anew::<Ran>(answer),
            Served::Step | Served::Resume => step(answer, may_wait),
            Served::Advance => anew::<Advanced>(answer),
            Served::Get => anew::<Got>(answer),
            Served::Variables => anew::<VariablesSaid>(answer),
            Served::Park => anew::<ParkedSaid>(answer),
            Served::Instructions => anew::<Instructed>(answer),
            Served::Waiting => {
                let said = serde_json::from_str::<WaitingSaid>(answer.get()).ok()?;
                let is_known = said.waiting.iter().all(may_wait);
                is_known.then(|| serde_json::value::to_raw_value(&said).ok())?
            }
            Served::Tools => anew::<ToolsSaid>(answer),
            Served::CallTool => anew::<ToolSaid>(answer),
            Served::Set | Served::Import | Served::Reset | Served::Cancel => anew::<Done>(answer),
            // Members of an object, which are not looked at.
            Served::Export | Served::Stats => anew::<Members>(answer),
        },
    }
}

/// Reads an answer as this type, and writes it anew.
pub(super) fn anew<T: DeserializeOwned + Serialize>(answer: &RawValue) -> Option<Box<RawValue>> {
    let read = serde_json::from_str::<T>(answer.get()).ok()?;
    serde_json::value::to_raw_value(&read).ok()
}

fn step(answer: &RawValue, may_wait: impl Fn(&CallSaid) -> bool) -> Option<Box<RawValue>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Step {
        outcome: Option<OutcomeSaid>,
        waiting: Option<Vec<CallSaid>>,
    }
    let Step { outcome, waiting } = serde_json::from_str::<Step>(answer.get()).ok()?;
    let step = match (outcome, waiting) {
        (Some(outcome), None) => StepSaid::Done { outcome },
        (None, Some(waiting)) if waiting.iter().all(may_wait) => StepSaid::Waiting { waiting },
        _ => return None,
    };
    serde_json::value::to_raw_value(&step).ok()
}
