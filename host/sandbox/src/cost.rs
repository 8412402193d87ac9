//! What calls cost beside time, and what is set aside for them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::guest_state::GuestState;
use crate::limits::{Limits, Overflow};
use crate::model::TokenUsage;
use crate::outcome::Stop;
use crate::output::Channel;
use crate::plugin::Reach;
use crate::tool::{Handler, Tool, ToolError};

/// What one call of a plugin may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Allowance {
    /// Fuel. It is set aside when the call is made, so that calls side by side
    /// cannot use more than the exec may; what is not used is given back when the
    /// call is answered, and not if the script never waited for it.
    pub fuel: u64,
    /// Compute time; never more than what is left to the exec.
    pub time: Duration,
    /// Prompts to the model, set aside as fuel is.
    pub model_calls: u64,
}

impl Allowance {
    /// So much of each.
    pub fn new(fuel: u64, time: Duration, model_calls: u64) -> Self {
        Self {
            fuel,
            time,
            model_calls,
        }
    }

    /// The lesser of two, of each.
    pub(crate) fn within(&self, other: &Self) -> Self {
        Self {
            fuel: self.fuel.min(other.fuel),
            time: self.time.min(other.time),
            model_calls: self.model_calls.min(other.model_calls),
        }
    }
}

/// What a call cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cost {
    pub(crate) tokens: TokenUsage,
    #[serde(default, skip_serializing_if = "Charge::is_nothing")]
    pub(crate) charge: Charge,
}

impl Cost {
    /// As the line of an answer has it.
    pub(crate) fn noted(tokens: Option<TokenUsage>, charge: Option<&Charge>) -> Self {
        Self {
            tokens: tokens.unwrap_or_default(),
            charge: charge.cloned().unwrap_or_default(),
        }
    }

    /// All that was set aside for a call, if it is a plugin's.
    pub(crate) fn of_all(allowance: Option<Allowance>) -> Self {
        let charge = allowance.map(|allowance| Charge {
            fuel: allowance.fuel,
            model_calls: allowance.model_calls,
            ..Charge::default()
        });
        Self {
            charge: charge.unwrap_or_default(),
            ..Self::default()
        }
    }
}

impl From<TokenUsage> for Cost {
    fn from(tokens: TokenUsage) -> Self {
        Self {
            tokens,
            charge: Charge::default(),
        }
    }
}

/// What a plugin used of its session's budget, and what it printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Charge {
    #[serde(with = "crate::journal::as_text")]
    pub(crate) fuel: u64,
    #[serde(default)]
    pub(crate) model_calls: u64,
    #[serde(rename = "compute-us", with = "microseconds")]
    pub(crate) compute: Duration,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) printed: String,
}

impl Charge {
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a call for which `allowance` was set aside can have cost this.
    pub(crate) fn is_within(&self, allowance: &Allowance) -> bool {
        self.fuel <= allowance.fuel && self.model_calls <= allowance.model_calls
    }
}

mod microseconds {
    use super::*;
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}

/// What a model told a plugin in the middle of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Told {
    /// The call.
    pub(crate) ticket: u64,
    /// Which of its questions, from 0.
    pub(crate) number: u64,
    /// Digest of the prompt.
    pub(crate) prompt: String,
    pub(crate) answer: Result<String, String>,
    #[serde(default)]
    pub(crate) tokens: TokenUsage,
    /// True if it stands in the journal, if there is one.
    #[serde(skip)]
    pub(crate) is_noted: bool,
}

/// What is known of calls of the exec at hand that are under way, or were
/// carried out by somebody else's loop.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// By call and question.
    told: BTreeMap<u64, BTreeMap<u64, Told>>,
    /// What calls cost that a loop of the embedder's had carried out.
    costs: BTreeMap<u64, Cost>,
    /// Compute time of calls under way.
    #[serde(skip)]
    computed: BTreeMap<u64, Duration>,
}

impl Ledger {
    /// What the call was told at this question, if it asks the same.
    pub(crate) fn told(&self, ticket: u64, number: u64, prompt: &str) -> Option<Told> {
        let told = self.told.get(&ticket)?.get(&number);
        told.filter(|told| told.prompt == prompt).cloned()
    }

    /// Returns whether it is within the limits of a session, in which an answer has so many bytes.
    pub(crate) fn is_within(&self, limits: &Limits, answer_bytes: u64) -> bool {
        let is_short = |told: &Told| {
            let (Ok(answer) | Err(answer)) = &told.answer;
            told.prompt.len() <= 1000 && answer.len() as u64 <= answer_bytes
        };
        let printed = |cost: &Cost| cost.charge.printed.len() as u64;
        let mut told = self.told.values().flat_map(BTreeMap::values);
        told.clone().count() as u64 <= limits.model_calls
            && told.all(is_short)
            && self.costs.len() as u64 <= u64::from(limits.open_calls)
            && self.costs.values().map(printed).sum::<u64>() <= limits.output_bytes
    }

    /// Notes what a call was told.
    pub(crate) fn tell(&mut self, told: Told) {
        let asked = self.told.entry(told.ticket).or_default();
        asked.insert(told.number, told);
    }

    /// Returns what calls were told.
    pub(crate) fn all_told(&mut self) -> impl Iterator<Item = &mut Told> {
        self.told.values_mut().flat_map(BTreeMap::values_mut)
    }

    /// Forgets what an answered call was told and cost.
    pub(crate) fn settle(&mut self, ticket: u64) {
        self.told.remove(&ticket);
        self.costs.remove(&ticket);
        self.computed.remove(&ticket);
    }

    /// Notes what a call cost that somebody else has carried out.
    pub(crate) fn owe(&mut self, ticket: u64, cost: Cost) {
        self.costs.insert(ticket, cost);
    }

    pub(crate) fn owed(&self, ticket: u64) -> Cost {
        self.costs.get(&ticket).cloned().unwrap_or_default()
    }

    /// Counts compute time of a call; gives that of all that are under way.
    pub(crate) fn compute(&mut self, ticket: u64, took: Duration) -> Duration {
        let computed = self.computed.entry(ticket).or_default();
        *computed = computed.saturating_add(took);
        let all = self.computed.values();
        all.fold(Duration::ZERO, |sum, took| sum.saturating_add(*took))
    }

    pub(crate) fn computed(&self, ticket: u64) -> Duration {
        self.computed.get(&ticket).copied().unwrap_or_default()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl GuestState {
    /// Returns the fuel and the prompts that can be set aside for a call when the exec has used `fuel`.
    pub(crate) fn unpromised(&self, fuel: u64) -> Allowance {
        let promised = self.promised();
        let used = fuel.saturating_add(promised.fuel);
        let made = self.counts.model_calls.saturating_add(promised.model_calls);
        Allowance::new(
            self.limits.fuel_budget().saturating_sub(used),
            Duration::MAX,
            self.limits.model_calls.saturating_sub(made),
        )
    }

    /// What is set aside for a call of a plugin, when the exec has used `fuel`.
    pub(crate) fn set_aside(&self, tool: &Tool, fuel: u64) -> Result<Option<Allowance>, ToolError> {
        let Handler::Plugin { plugin, .. } = &tool.handler else {
            return Ok(None);
        };
        let allowed = plugin.allowed();
        let left = self.unpromised(fuel);
        if left.fuel == 0 {
            let message = format!(
                "{}() cannot be called: the calls that are under way may use all the fuel this exec has left; wait for \
                 some of them first",
                tool.name
            );
            return Err(ToolError::new("RuntimeError", message));
        }
        Ok(Some(allowed.within(&left)))
    }

    /// All that is set aside for the calls under way, but for time, which they share.
    pub(crate) fn promised(&self) -> Allowance {
        let calls = self.pending.values().filter_map(|call| call.allowance);
        calls.fold(Allowance::new(0, Duration::ZERO, 0), |sum, call| {
            let prompts = sum.model_calls.saturating_add(call.model_calls);
            Allowance::new(sum.fuel.saturating_add(call.fuel), sum.time, prompts)
        })
    }

    /// What a call of a plugin may reach.
    pub(crate) fn reach(&self) -> Reach {
        let model = self.handlers.answerer(false);
        Reach::new(
            &self.contexts,
            &self.kept,
            &self.ledger,
            model,
            &self.meter,
            &self.limits,
        )
        .counted_by(&self.admission)
    }

    /// Charges the exec that ends for the calls of plugins that it did not wait
    /// for: all that was set aside for them, as how far they got is chance.
    pub(crate) fn charge_abandoned(&mut self) {
        let promised = self.promised();
        self.pending.clear();
        self.tally.charged_fuel = self.tally.charged_fuel.saturating_add(promised.fuel);
        self.counts.model_calls = self.counts.model_calls.saturating_add(promised.model_calls);
        self.tape.count(promised.fuel);
    }

    /// Charges the exec at hand for what a plugin did.
    pub(crate) fn charge(&mut self, charge: &Charge) {
        self.tally.charged_fuel = self.tally.charged_fuel.saturating_add(charge.fuel);
        self.counts.model_calls = self.counts.model_calls.saturating_add(charge.model_calls);
        self.meter.add(charge.compute);
        // A call that took all the time may be charged all the fuel for it: what
        // ends the exec is the time.
        if self.meter.read() >= self.limits.time && !self.tape.is_playing() {
            self.want_stop(Stop::Time, self.meter.read());
        }
        let printed = self.print(Channel::Out, &charge.printed);
        if !printed && self.limits.output_overflow == Overflow::Stop {
            self.want_stop(Stop::Output, self.meter.read());
        }
    }
}
