//! Agreement of a journal's lines with each other.
//!
//! A replay compares what a session does, and gives the session what was answered. Members that
//! nothing compares, such as the charge of an answer, could say anything where no rule speaks
//! against it. These rules hold for every recording, so a line against one was forged.

use std::collections::{BTreeMap, BTreeSet};

use super::header::Header;
use super::line::{CallLine, Line, Said};
use crate::call::{NO_MODEL, model_name};
use crate::cost::Allowance;
use crate::outcome::Stop;
use crate::profile::Errors;

/// The state of a recorded session as far as answers depend on it, line by line.
#[derive(Debug)]
pub(super) struct Agreement {
    has_model: bool,
    /// True if scripts may be ended by a deadline.
    has_deadline: bool,
    /// True if the time of day goes on between executions.
    follows_time: bool,
    /// Seconds by which it has gone on at the least.
    least_waited: u64,
    /// Seconds by which it had gone on before the execution at hand.
    waited: u64,
    /// True if errors of functions are text that they return, also where wrong arguments are refused at once.
    returns_errors: bool,
    /// Functions that are answered later, which plugins are.
    deferred: BTreeSet<String>,
    /// Functions that are answered at once.
    immediate: BTreeSet<String>,
    /// Calls of the script at hand that are answered later, by ticket.
    open: BTreeMap<u64, Payer>,
    /// Calls of it that have their answer.
    answered: BTreeSet<u64>,
    /// True if the script waits, which is when answers come.
    waits: bool,
    /// The least ticket that is above all that were named.
    next: u64,
    /// The least ticket of the script at hand.
    first: u64,
    /// The number of the next execution.
    execs: u64,
}

/// What a deferred call may be charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Payer {
    /// Tokens.
    Model,
    /// Tokens, and what a plugin used of its allowance.
    Plugin(Allowance),
    /// Nothing.
    Tool,
}

impl Agreement {
    /// Takes the state at the beginning of a journal with this header.
    pub(super) fn new(header: &Header) -> Self {
        let [deferred, immediate] = functions(header);
        Self {
            has_model: header.model,
            has_deadline: has_deadline(header),
            follows_time: header.follows_time,
            least_waited: 0,
            waited: 0,
            returns_errors: header.profile.tool_errors == Errors::Text,
            deferred,
            immediate,
            open: BTreeMap::new(),
            answered: BTreeSet::new(),
            // A session that was parked while it waited.
            waits: header.parked.is_some(),
            next: 0,
            first: 0,
            execs: 0,
        }
    }

    /// Goes on with a branch that has this header. A function may be answered at once in one of the two and later in the
    /// other: answers of the run are given as they were.
    pub(super) fn branch(&mut self, header: &Header) {
        let [deferred, immediate] = functions(header);
        self.deferred.retain(|name| deferred.contains(name));
        self.immediate.retain(|name| immediate.contains(name));
        (self.has_model, self.follows_time) = (header.model, header.follows_time);
        self.has_deadline = has_deadline(header);
        self.execs = header.branch_of.as_ref().map_or(self.execs, |of| of.exec);
    }

    /// Returns what contradicts itself in a header, if anything does. A branch has the profile of its run, also where the run
    /// had a model and it has none.
    pub(super) fn check_header(header: &Header) -> Option<&'static str> {
        let profile = &header.profile;
        let mut names = profile.names.iter();
        let is_model = |name: &crate::profile::Name| name.asks_model() && !name.may_recurse();
        let hides = profile.hide_unprovided && header.branch_of.is_none();
        (hides && !header.model && names.any(is_model)).then_some(
            "its profile hides names that nothing stands behind, and has names of a model",
        )
    }

    /// Goes past a line, and returns what it contradicts, if anything.
    pub(super) fn check(&mut self, line: &Line) -> Option<&'static str> {
        match line {
            Line::Exec { .. } | Line::Outcome(_) | Line::GivenUp { .. } | Line::Reset {} => {
                self.open.clear();
                self.answered.clear();
                self.waits = false;
                self.first = self.next;
                self.check_number(line).or(self.check_clock(line))
            }
            Line::Resume {
                stop: Some(Stop::Deadline),
                ..
            }
            | Line::Stop {
                why: Stop::Deadline,
                ..
            } if !self.has_deadline => {
                Some("a script is ended by a deadline, and the session has none")
            }
            Line::Suspended { waiting, open, .. } => {
                self.waits = true;
                for &ticket in waiting.iter().chain(open) {
                    self.name(ticket);
                }
                None
            }
            Line::Resume { stop, .. } => {
                self.waits = false;
                let is_possible = matches!(stop, None | Some(Stop::Canceled | Stop::Deadline));
                (!is_possible).then_some(
                    "a script that waits is ended by a cancellation or its deadline alone",
                )
            }
            Line::Stop {
                why: Stop::Memory, ..
            } => Some("a script is told of no limit on memory"),
            Line::Call(call) => {
                self.name(call.ticket);
                if call.reply == Said::Pending {
                    self.open.insert(call.ticket, Payer::of(call));
                }
                self.check_call(call)
            }
            Line::Answer {
                ticket,
                answer,
                tokens,
                charge,
                ..
            } => {
                if matches!(answer, Said::Pending | Said::Stopped) {
                    return Some("it is no answer");
                }
                let trouble = self.check_answer(*ticket);
                self.answered.insert(*ticket);
                let payer = self.open.get(ticket).copied();
                trouble.or(match payer {
                    Some(Payer::Tool | Payer::Model) if charge.is_some() => {
                        Some("it has the charge of a plugin, and the call is none of a plugin")
                    }
                    Some(Payer::Plugin(allowance))
                        if charge
                            .as_ref()
                            .is_some_and(|charge| !charge.is_within(&allowance)) =>
                    {
                        Some("it has a charge above what was set aside for the call")
                    }
                    Some(Payer::Tool) if tokens.is_some() => {
                        Some("it has tokens of a model, and the call asks none")
                    }
                    _ => None,
                })
            }
            Line::Told { ticket, answer, .. } => {
                if matches!(answer, Said::Pending | Said::Stopped) {
                    return Some("it is no answer");
                }
                let payer = self.open.get(ticket).copied();
                self.check_answer(*ticket).or(match payer {
                    Some(Payer::Tool | Payer::Model) => Some("the call is none of a plugin"),
                    _ if !self.has_model && !is_for_want_of_model(answer) => {
                        Some("the session has no model")
                    }
                    Some(Payer::Plugin(allowance)) if allowance.model_calls == 0 => {
                        Some("the call may ask no model")
                    }
                    _ => None,
                })
            }
            Line::Set { value, .. } => {
                let is_value = matches!(value, Said::Returned(_) | Said::Redacted(_));
                (!is_value).then_some("it has no value")
            }
            _ => None,
        }
    }

    /// Returns what contradicts executions that are numbered one after the other.
    fn check_number(&mut self, line: &Line) -> Option<&'static str> {
        let Line::Exec { number, .. } = line else {
            return None;
        };
        let is_next = *number == self.execs;
        self.execs = number.saturating_add(1);
        (!is_next).then_some("its number is not that of the next execution")
    }

    fn name(&mut self, ticket: u64) {
        self.next = self.next.max(ticket.saturating_add(1));
    }

    /// Returns what contradicts a clock that goes forward alone, but for what is undone with an execution.
    fn check_clock(&mut self, line: &Line) -> Option<&'static str> {
        match line {
            Line::Exec { waited_s, .. } if *waited_s > self.least_waited && !self.follows_time => {
                return Some("the clock of the session stands still between executions");
            }
            Line::Exec { waited_s, .. } if *waited_s < self.least_waited => {
                return Some("the clock of the session would go back");
            }
            Line::Exec { waited_s, .. } => self.waited = *waited_s,
            Line::Outcome(outcome) if !outcome.rolled_back => self.least_waited = self.waited,
            Line::Reset {} => (self.least_waited, self.waited) = (0, 0),
            _ => {}
        }
        None
    }

    fn check_answer(&mut self, ticket: u64) -> Option<&'static str> {
        // A session that was parked while it waited brings calls that no line has.
        self.name(ticket);
        if self.answered.contains(&ticket) {
            return Some("the call was answered before");
        }
        if !self.waits {
            return Some("no script waits for it");
        }
        let has_ended = ticket < self.first && !self.open.contains_key(&ticket);
        has_ended.then_some("the script that made the call has ended")
    }

    fn check_call(&self, call: &CallLine) -> Option<&'static str> {
        let is_model = is_model(call);
        match (&call.reply, call.refused) {
            (Said::Pending, true) => return Some("it was refused, and is answered later"),
            (Said::Returned(_), true) => return Some("it was refused, and returned a value"),
            (Said::Raised { .. }, true) if !is_model => {
                return Some("it was refused as only calls of a model are");
            }
            (Said::Stopped, false) => return Some("it ended the script, and was not refused"),
            (Said::Returned(_), false) if call.prompts > 0 => {
                return Some("a model answered it at once");
            }
            (reply, true) if self.has_model && is_for_want_of_model(reply) => {
                return Some("it was refused for want of a model, and the session has one");
            }
            (Said::Returned(json), false)
                if self.deferred.contains(&call.name)
                    && !(self.returns_errors && json.starts_with('"')) =>
            {
                return Some("it returned a value at once, and its function is answered later");
            }
            (Said::Pending, false) if self.immediate.contains(&call.name) => {
                return Some("it is answered later, and its function is answered at once");
            }
            _ => {}
        }
        match &call.reply {
            _ if call.set_aside.is_none() => None,
            Said::Pending if self.deferred.contains(&call.name) => None,
            Said::Pending => {
                Some("it has the allowance of a plugin, and its function is none of one")
            }
            _ => Some("it was answered at once, and has the allowance of a plugin"),
        }
    }
}

/// Returns whether an answer says that there is no model to ask.
fn is_for_want_of_model(answer: &Said) -> bool {
    matches!(answer, Said::Raised { message, .. } if message == NO_MODEL)
}

impl Payer {
    fn of(call: &CallLine) -> Self {
        match call.set_aside {
            Some(allowance) => Self::Plugin(allowance),
            None if is_model(call) => Self::Model,
            None => Self::Tool,
        }
    }
}

/// Returns whether a session has a deadline, or began with a script that may have had one.
fn has_deadline(header: &Header) -> bool {
    header.limits.deadline.is_some() || header.parked.is_some()
}

/// Returns the functions that are answered later, and those that are answered at once.
fn functions(header: &Header) -> [BTreeSet<String>; 2] {
    [false, true].map(|immediate| {
        let functions = header.functions.iter();
        functions
            .filter(|function| function.immediate == immediate)
            .map(|function| function.name.clone())
            .collect()
    })
}

/// Returns whether a call asks a model.
fn is_model(call: &CallLine) -> bool {
    let mut names = [(false, false), (true, false), (false, true), (true, true)].into_iter();
    call.prompts > 0
        || names.any(|(batched, recursive)| call.name == model_name(batched, recursive))
}
