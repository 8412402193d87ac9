//! The wall-clock deadline of an execution. It ends the execution as a cancellation does.

use std::sync::Arc;
use std::task::{Wake, Waker};
use std::time::{Duration, Instant};

use crate::meter::Cancel;
use rlm_sandbox_engine::{Alarm, AlarmClock};

/// The wall time that the execution at hand has left, and the alarm at its end.
#[derive(Debug, Default)]
pub(crate) struct Deadline {
    /// Number of the execution: a pause ends with its own.
    execution: u64,
    until: Option<Instant>,
    /// Time that is left while the deadline is paused.
    left: Option<Duration>,
    pauses: u32,
    /// The clock that wakes the session, while something is done with it.
    alarms: Option<AlarmClock>,
    alarm: Option<Alarm>,
}

impl Deadline {
    /// Begins an execution that may take up to `limit`; any time without one.
    fn begin(&mut self, limit: Option<Duration>) {
        *self = Self {
            execution: self.execution + 1,
            // A limit that no clock reaches is none.
            until: limit.and_then(|limit| Instant::now().checked_add(limit)),
            alarms: self.alarms.take(),
            ..Self::default()
        };
    }

    fn left(&self) -> Option<Duration> {
        let running = self
            .until
            .map(|until| until.saturating_duration_since(Instant::now()));
        running.or(self.left)
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }
}

impl Cancel {
    /// Begins an execution that may take up to `limit` of wall time; any time without one.
    pub(crate) fn begin_deadline(&self, limit: Option<Duration>) {
        self.deadline().begin(limit);
    }

    /// Returns the wall time that the execution at hand has left, if it has a deadline.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline().left()
    }

    /// Lets the deadline end the execution while the guard lives.
    pub(crate) fn watch_deadline(self: &Arc<Self>, alarms: &AlarmClock) -> Watched {
        let mut deadline = self.deadline();
        deadline.alarms = Some(alarms.clone());
        drop(deadline);
        self.set_alarm();
        Watched(Arc::clone(self))
    }

    /// Ends the execution when the deadline is over, if it is watched.
    fn set_alarm(self: &Arc<Self>) {
        let deadline = self.deadline();
        let (Some(until), Some(alarms)) = (deadline.until, deadline.alarms.clone()) else {
            return;
        };
        drop(deadline);
        if until <= Instant::now() {
            return self.strike();
        }
        // Where there is no thread to be had, this wakes at once.
        let mut alarm = None;
        alarms.wake_at(until, &Waker::from(Arc::clone(self)), &mut alarm);
        self.deadline().alarm = alarm;
    }

    /// Stops the deadline until the guard is dropped.
    pub(crate) fn pause_deadline(self: &Arc<Self>) -> DeadlinePause {
        let mut deadline = self.deadline();
        deadline.pauses += 1;
        if deadline.pauses == 1 {
            deadline.left = deadline.left();
            deadline.until = None;
            deadline.alarm = None;
        }
        DeadlinePause {
            execution: deadline.execution,
            cancel: Arc::clone(self),
        }
    }
}

impl Wake for Cancel {
    fn wake(self: Arc<Self>) {
        let deadline = self.deadline();
        let is_over = deadline.alarms.is_some() && deadline.is_over();
        drop(deadline);
        if is_over {
            self.strike();
        }
    }
}

/// Guard of something that is done with a session and that its deadline may end.
#[derive(Debug)]
pub(crate) struct Watched(Arc<Cancel>);

impl Drop for Watched {
    fn drop(&mut self) {
        let mut deadline = self.0.deadline();
        (deadline.alarms, deadline.alarm) = (None, None);
        drop(deadline);
        self.0.forget_deadline();
    }
}

/// Guard of a tool that waits for a person: the deadline of its execution does not run.
#[derive(Debug)]
#[must_use = "the deadline goes on when this is dropped"]
pub struct DeadlinePause {
    execution: u64,
    cancel: Arc<Cancel>,
}

impl Drop for DeadlinePause {
    fn drop(&mut self) {
        let mut deadline = self.cancel.deadline();
        if deadline.execution != self.execution {
            return;
        }
        deadline.pauses -= 1;
        if deadline.pauses == 0 {
            let left = deadline.left.take();
            deadline.until = left.and_then(|left| Instant::now().checked_add(left));
            drop(deadline);
            self.cancel.set_alarm();
        }
    }
}
