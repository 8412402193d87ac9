//! Requests that a session answers itself.

use serde_json::Value as Json;

use crate::clock::Clock;
use crate::guest_state::GuestState;
use crate::profile::{Name, Profile};
use crate::value::parse;

/// Returns whether a session of this profile answers calls of this name itself.
pub(crate) fn answers_itself(profile: &Profile, name: &str) -> bool {
    let own = [Name::Budget, Name::History];
    own.iter()
        .any(|own| own.as_str() == name && profile.defines(*own))
}

impl GuestState {
    /// What the session answers itself: what is left of its budgets, when the exec has used
    /// `fuel`, and the conversations it was given.
    pub(crate) fn own(&self, name: &str, arguments: &str, fuel: u64) -> Option<String> {
        match name {
            "budget" if self.profile.defines(Name::Budget) => {
                let limits = &self.limits;
                // By the virtual clock: a script must not learn how fast the machine is.
                let left = limits.time.saturating_sub(Clock::time(fuel));
                let left = (left.as_secs_f64() * 1000.0).round() / 1000.0;
                let answer = serde_json::json!({
                    "llm_calls_left": limits.model_calls.saturating_sub(self.counts.model_calls),
                    "tokens_left": null,
                    "cost_left": null,
                    "time_left_s": left,
                    "depth_left": self.handlers.depth,
                });
                Some(answer.to_string())
            }
            "history" if self.profile.defines(Name::History) => {
                #[derive(serde::Deserialize)]
                struct Given {
                    args: (usize,),
                }
                let given: Given = serde_json::from_str(arguments).ok()?;
                let history = self.histories.get(given.args.0);
                Some(history.map_or("null", AsRef::as_ref).to_owned())
            }
            _ => None,
        }
    }

    /// Returns whether a recorded answer to `budget()` is not what the session answers. How deep its model may recurse is
    /// not known in a replay.
    pub(crate) fn contradicts_budget(
        &self,
        name: &str,
        arguments: &str,
        recorded: &str,
        fuel: u64,
    ) -> bool {
        if name != "budget" {
            return false;
        }
        let Some(own) = self.own(name, arguments, fuel) else {
            return false;
        };
        let read = |text: &str| match parse(text) {
            Ok(Json::Object(members)) => Some(members),
            _ => None,
        };
        let (Some(mut own), Some(mut recorded)) = (read(&own), read(recorded)) else {
            return true;
        };
        let depth = recorded.remove("depth_left");
        own.remove("depth_left");
        own != recorded || !depth.is_some_and(|depth| depth.is_u64())
    }
}
