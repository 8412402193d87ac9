//! The part of the execution at hand that lies on the host.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::call::{Answer, Call, Settled};
use crate::cost::{Cost, Ledger};
use crate::guest_state::Tally;
use crate::output::Printed;
use crate::session::Session;
use rlm_sandbox_engine::Result;

/// Parts of an execution that lie on the host, beside its namespace and the [`Execution`](crate::state::Execution). A fork has a copy, and
/// a parked session in which a script waits holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Underway {
    /// Compute time so far.
    compute: Duration,
    /// Wall time that it has left, if it has a deadline.
    deadline_left: Option<Duration>,
    pub(crate) printed: Printed,
    pub(crate) tally: Tally,
    /// Calls without an answer.
    pub(crate) pending: Vec<Call>,
    /// Answers that came and were not waited for yet.
    pub(crate) settled: Vec<(u64, Answer, Cost)>,
    /// Answers that models gave to calls of plugins which are under way, and what some cost.
    pub(crate) ledger: Ledger,
}

/// Counts over the life of a session, which a fork and a parked session go on with.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Ticket of the next call.
    pub(crate) next_ticket: u64,
    /// Prompts that were sent to the model.
    pub(crate) model_calls: u64,
}

impl Session {
    /// Returns what the execution at hand has on the host.
    pub(crate) fn underway(&mut self) -> Underway {
        let settled = self.in_flight.settled.iter().map(|settled| {
            let Settled {
                ticket,
                answer,
                cost,
                ..
            } = settled;
            (*ticket, answer.kept(), cost.clone())
        });
        let (settled, ledger) = (settled.collect(), self.in_flight.ledger().clone());
        let (compute, deadline_left) = (self.meter.read(), self.cancel.shared().time_left());
        let state = self.state();
        Underway {
            compute,
            deadline_left,
            printed: state.output.printed.clone(),
            tally: state.tally.clone(),
            pending: state.pending.values().cloned().collect(),
            settled,
            ledger,
        }
    }

    /// Goes on with an execution that another session had at hand.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`](rlm_sandbox_engine::ErrorKind::Host) if its calls find no room.
    pub(crate) fn take_over(&mut self, underway: Underway) -> Result<()> {
        let Underway {
            compute,
            deadline_left,
            printed,
            tally,
            pending,
            settled,
            ledger,
        } = underway;
        self.cancel.shared().begin_deadline(deadline_left);
        self.meter.resume_at(compute);
        let settled = settled.into_iter();
        self.in_flight.settled = settled
            .map(|(ticket, answer, cost)| Settled::told(ticket, &answer, cost))
            .collect();
        *self.in_flight.ledger() = ledger;
        let state = self.state();
        state.output.printed = printed;
        state.tally = tally;
        state.pending.restore(pending)
    }
}
