//! Activity of a session, and the part of it that lasts from execution to execution.

use std::collections::VecDeque;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::base::Checkpoint;
use crate::model::TokenUsage;
use crate::stats::Stats;

/// Activity of a session.
#[derive(Clone, Debug)]
pub(crate) enum SessionState {
    /// Nothing runs in it.
    Idle,
    /// The instance is being entered. It stays so if the future is forgotten.
    Running(Execution),
    /// A script waits for answers.
    Suspended(Execution),
    /// It could not be taken up again, for this reason.
    Lost(Box<str>),
}

/// The execution at hand, or the entry of a value, of contexts or of an inspection.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) began: Began,
    /// Tickets of the calls that it waits for.
    pub(crate) waiting: Vec<u64>,
    /// Tickets of the other calls that have no answer yet.
    pub(crate) open: Vec<u64>,
    /// Bytes that scripts and contexts held when it last waited, as the guest said.
    pub(crate) live_bytes: u64,
    /// Checkpoint from before the execution, if the session has had another base since.
    pub(crate) before: Option<Box<Checkpoint>>,
}

/// Start of an execution, and the tokens that it has used since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Began {
    pub(crate) since: Instant,
    /// Prompts that the session had sent before.
    pub(crate) model_calls: u64,
    pub(crate) tokens: TokenUsage,
}

/// Part of a session that lasts from execution to execution, besides its namespace (the [`Checkpoint`]). A fork clones it, a
/// parked session holds it, and a reset clears it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Durable {
    /// Names that scripts made, as the guest last said.
    pub(crate) names: Vec<String>,
    /// Bytes that scripts and contexts hold, as the guest last said.
    pub(crate) live_bytes: u64,
    /// Bytes that contexts may take in the instance.
    context_bytes: u64,
    /// Variables that have yet to enter before the next execution.
    pub(crate) queued: VecDeque<Variable>,
    /// True if the contexts have yet to enter before the next execution.
    contexts_changed: bool,
    /// True if a script ran since the session was made or reset.
    pub(crate) is_used: bool,
    pub(crate) stats: Stats,
    /// Forks that were made of it.
    pub(crate) forks: u64,
    /// Seconds by which the time of day has gone on at the least, in a branch of a run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) least_waited: u64,
}

/// A variable that has yet to enter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) json: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl SessionState {
    /// Returns the execution that runs or waits, if one does.
    pub(crate) fn execution(&self) -> Option<&Execution> {
        match self {
            Self::Running(execution) | Self::Suspended(execution) => Some(execution),
            Self::Idle | Self::Lost(_) => None,
        }
    }

    /// Returns the execution that runs or waits, if one does.
    pub(crate) fn execution_mut(&mut self) -> Option<&mut Execution> {
        match self {
            Self::Running(execution) | Self::Suspended(execution) => Some(execution),
            Self::Idle | Self::Lost(_) => None,
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        matches!(self, Self::Idle)
    }

    pub(crate) fn is_suspended(&self) -> bool {
        matches!(self, Self::Suspended(_))
    }

    /// Enters the instance: for the script that waits, or for something that begins there.
    pub(crate) fn enter(&mut self, now: Began) {
        *self = Self::Running(self.take().unwrap_or_else(|| Execution::new(now)));
    }

    /// Ends the execution at hand, if there is one, and returns it.
    pub(crate) fn take(&mut self) -> Option<Execution> {
        match std::mem::replace(self, Self::Idle) {
            Self::Running(execution) | Self::Suspended(execution) => Some(execution),
            Self::Idle | Self::Lost(_) => None,
        }
    }

    /// Returns what the session was before the execution at hand, if it has had another base since.
    pub(crate) fn before(&self) -> Option<&Checkpoint> {
        self.execution()?.before.as_deref()
    }

    /// Returns the tickets of the calls that a script waits for, and of the other open ones.
    pub(crate) fn tickets(&self) -> (Vec<u64>, Vec<u64>) {
        let execution = self.execution();
        execution.map_or_else(Default::default, |execution| {
            (execution.waiting.clone(), execution.open.clone())
        })
    }

    /// Returns the tickets of the calls that a script waits for.
    pub(crate) fn waiting(&self) -> &[u64] {
        self.execution().map_or(&[], |execution| &execution.waiting)
    }
}

impl Began {
    /// Begins now, after so many prompts.
    pub(crate) fn now(model_calls: u64) -> Self {
        Self {
            since: Instant::now(),
            model_calls,
            tokens: TokenUsage::default(),
        }
    }
}

impl Execution {
    pub(crate) fn new(began: Began) -> Self {
        Self {
            began,
            waiting: Vec::new(),
            open: Vec::new(),
            live_bytes: 0,
            before: None,
        }
    }
}

impl Durable {
    /// Returns that of a new session.
    pub(crate) fn new(has_contexts: bool) -> Self {
        Self {
            contexts_changed: has_contexts,
            ..Self::default()
        }
    }

    /// Returns whether the contexts have yet to enter before the next execution.
    pub(crate) fn contexts_changed(&self) -> bool {
        self.contexts_changed
    }

    /// Returns the bytes that the contexts which entered may take in the instance.
    pub(crate) fn context_bytes(&self) -> u64 {
        self.context_bytes
    }

    /// Notes that there are other contexts, which have yet to enter.
    pub(crate) fn change_contexts(&mut self) {
        self.contexts_changed = true;
    }

    /// Notes that no contexts have yet to enter: they have, or there are none.
    pub(crate) fn settle_contexts(&mut self) {
        self.contexts_changed = false;
    }

    /// Notes the bytes that contexts take which enter.
    pub(crate) fn count_contexts(&mut self, bytes: u64) {
        self.context_bytes = bytes;
    }

    /// Clears what a reset of the session clears.
    pub(crate) fn reset(&mut self, has_contexts: bool) {
        *self = Self {
            contexts_changed: has_contexts,
            stats: self.stats,
            forks: self.forks,
            least_waited: self.least_waited,
            ..Self::default()
        };
    }

    /// Returns what a fork has of it.
    pub(crate) fn of_fork(&self) -> Self {
        Self {
            forks: 0,
            ..self.clone()
        }
    }
}
