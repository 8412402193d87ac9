//! What happened to a session, in order.
//!
//! Nothing enters an instance but through one of these events, and the list
//! holds everything that could have gone another way: answers, and where the
//! host ended a script. Running the events of a list again gives the same
//! session, to the last unit of fuel.

use crate::bindings::exports::rlm::sandbox::repl::{Entry, Resumption};
use crate::bindings::rlm::sandbox::calls::Reply;

/// One entry into the instance of a session.
#[derive(Clone, Debug)]
pub struct Event {
    pub(crate) kind: Kind,
    /// What the imports answered, in order. Contexts, clocks and randomness are
    /// not among them: they follow from the session's settings.
    pub(crate) replies: Vec<Reply>,
    pub(crate) stopped: Option<StoppedAt>,
    pub(crate) fuel: Option<u64>,
}

impl Event {
    /// The function of `wit/repl.wit` that was called.
    pub fn function(&self) -> &'static str {
        self.kind.name()
    }

    /// Fuel of this entry; none if it trapped.
    pub fn fuel(&self) -> Option<u64> {
        self.fuel
    }

    /// Host calls that were made in it.
    pub fn calls(&self) -> usize {
        self.replies.len()
    }

    /// Where the host ended the script, if it did so at a checkpoint.
    pub fn stopped(&self) -> Option<StoppedAt> {
        self.stopped
    }
}

/// What was called.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    SetContexts {
        files: Vec<Entry>,
        default: Option<Entry>,
    },
    Exec {
        source: String,
    },
    Resume {
        how: Resumption,
    },
    SetVariable {
        name: String,
        json: String,
    },
    GetVariable {
        name: String,
    },
}

impl Kind {
    /// The name of the function in `repl.wit`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::SetContexts { .. } => "set-contexts",
            Self::Exec { .. } => "exec",
            Self::Resume { .. } => "resume",
            Self::SetVariable { .. } => "set-variable",
            Self::GetVariable { .. } => "get-variable",
        }
    }
}

/// The read of the clock that told the guest to end its script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoppedAt {
    /// The number of the read, from 0 within the event.
    pub read: u64,
    /// Fuel of the event at that read.
    pub fuel: u64,
}
