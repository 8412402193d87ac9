//! How an exec waits for its calls, and goes on with their answers.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::task::Poll;

use crate::answer::AnswerCap;
use crate::bindings::exports::rlm::sandbox::repl::{self, Resumption, Suspension};
use crate::bindings::rlm::sandbox::types;
use crate::call::{Call, Progress, Settled};
use crate::event::Kind;
use crate::journal::{Count, Line, Next, Said};
use crate::noting::gave_up_then;
use crate::outcome::Stop;
use crate::session::{Session, Stay, Step};
use crate::state::{Execution, SessionState};
use rlm_sandbox_engine::{Error, ErrorKind, Result};

impl Session {
    /// Starts every call that nobody has started, and those to come.
    pub(crate) fn start_handlers(&mut self) {
        self.recall();
        let state = self.state();
        if state.tape.is_playing() {
            // Nothing starts while it plays. What has no answer at its end is started then.
            if !std::mem::replace(&mut state.starts_handlers, true) {
                state.unstarted = state.pending.keys().copied().collect();
            }
            return;
        }
        let settled = self.in_flight.settled.iter();
        let settled: BTreeSet<u64> = settled.map(|settled| settled.ticket).collect();
        let state = self.state();
        let unstarted: BTreeSet<u64> = std::mem::take(&mut state.unstarted).into_iter().collect();
        let starts = std::mem::replace(&mut state.starts_handlers, true);
        let mut open: Vec<&Call> = state.pending.values().collect();
        if starts {
            // Those that came since are under way.
            open.retain(|call| unstarted.contains(&call.ticket));
        }
        for call in open {
            if !settled.contains(&call.ticket) {
                state.start(call);
            }
        }
    }

    /// Takes over from the journal what models told plugins whose calls are made
    /// again.
    pub(crate) fn recall(&mut self) {
        let told = self.state().tape.take_told();
        let mut ledger = self.in_flight.ledger();
        for one in told {
            ledger.tell(one);
        }
    }

    /// Goes on as the journal says that the session follows.
    pub(crate) async fn wait_recorded(&mut self) -> Result<Recorded> {
        while let Some(next) = self.state().tape.next() {
            let step = match next {
                Next::Answers(settled) => self.answer(settled).await?,
                Next::Stop(why) => {
                    let how = Resumption::Stop(why.into());
                    self.turn(Kind::Resume { how }).await?
                }
                Next::Meanwhile(line) => {
                    let at = self.position();
                    match &line {
                        Line::TimeLimit { time, fuel } => {
                            self.limit_time(*time, fuel.map(|Count(fuel)| fuel));
                            self.check_tape()?;
                        }
                        _ => self.write_down_again().await?,
                    }
                    self.moved_on(at, &line)?;
                    continue;
                }
                Next::GivenUp => {
                    self.in_flight.clear();
                    self.state().charge_abandoned();
                    self.roll_back();
                    return Ok(Recorded::GivenUp);
                }
                Next::Unknown(settled) => {
                    self.in_flight.settled.extend(settled);
                    self.recall();
                    return Ok(Recorded::Nothing);
                }
                Next::Diverged => return Err(self.diverged_waiting().await),
            };
            return Ok(Recorded::Step(step));
        }
        Ok(Recorded::Nothing)
    }

    /// Waits until everything that the script waits for is answered.
    pub(crate) async fn wait(&mut self) -> Result<Step> {
        match self.wait_recorded().await? {
            Recorded::Step(step) => return Ok(step),
            Recorded::GivenUp => return Err(gave_up_then()),
            Recorded::Nothing => {}
        }
        if self.state().tape.is_playing() {
            return Err(self.nothing_more().await);
        }
        if !self.state().unstarted.is_empty() {
            // From here on handlers answer.
            self.start_handlers();
        }
        let is_recorded = self.state().tape.is_on();
        let group = self.next_group();
        let watched = self.watch_deadline();
        let (in_flight, cancel, waiting) =
            (&mut self.in_flight, &self.cancel, self.doing.waiting());
        let waiting = group.as_deref().unwrap_or(waiting);
        let residence = &mut self.residence;
        let answered = poll_fn(|context| {
            cancel.register(context);
            if cancel.is_canceled() {
                return Poll::Ready(false);
            }
            in_flight.poll(context);
            if is_recorded {
                in_flight.note(|| &mut residence.state().tape);
            }
            if in_flight.has_all(waiting) {
                return Poll::Ready(true);
            }
            if is_recorded {
                residence.state().tape.flush();
            }
            // Others may run meanwhile.
            residence.leave();
            Poll::Pending
        })
        .await;
        if !answered {
            return self.stop_waiting().await;
        }
        drop(watched);
        // What was only asked for stays here until the script waits for it, so
        // that how fast it was makes no difference.
        let waiting = group.as_deref().unwrap_or(self.doing.waiting());
        let waiting: BTreeSet<u64> = waiting.iter().copied().collect();
        let (mut ready, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.in_flight.settled)
            .into_iter()
            .partition(|settled| waiting.contains(&settled.ticket));
        self.in_flight.settled = kept;
        ready.sort_by_key(|settled| settled.ticket);
        if let Some(group) = group {
            // In the order in which the run was given them.
            ready.sort_by_key(|settled| group.iter().position(|ticket| *ticket == settled.ticket));
        }
        self.answer(ready).await
    }

    /// Returns the calls with whose answers the run of a branch went on here.
    fn next_group(&mut self) -> Option<Vec<u64>> {
        let state = self.residence.state();
        let is_open = |ticket| state.pending.get(&ticket).is_some();
        let group = state.given.next_group(self.doing.waiting(), is_open)?;
        Some(group.to_vec())
    }

    /// Ends the script that waits.
    pub(crate) async fn stop_waiting(&mut self) -> Result<Step> {
        match self.live_at_bounded_cost().await {
            Err(error) if error.kind() == ErrorKind::Canceled => return Ok(self.canceled()),
            result => result?,
        }
        self.turn(Kind::Resume {
            how: Resumption::Stop(self.cancel.why().unwrap_or(Stop::Canceled).into()),
        })
        .await
    }

    pub(crate) async fn answer(&mut self, settled: Vec<Settled>) -> Result<Step> {
        let mut left: BTreeSet<u64> = self.state().pending.keys().copied().collect();
        if let Some(settled) = settled.iter().find(|settled| !left.remove(&settled.ticket)) {
            return Err(Error::usage(format!(
                "ticket {} is not asked, or was answered before",
                settled.ticket
            )));
        }
        if !settled
            .iter()
            .any(|settled| self.doing.waiting().contains(&settled.ticket))
        {
            return Err(Error::usage(
                "none of these answers is one that the script waits for",
            ));
        }
        let settled = self.without_known(settled)?;
        let _watched = self.watch_deadline();
        if self.cancel.why() == Some(Stop::Deadline) {
            return Ok(self.canceled());
        }
        // Nothing is taken before there is room to go on with it.
        match self.live().await {
            Err(error) if error.kind() == ErrorKind::Canceled => return Ok(self.canceled()),
            result => result?,
        }
        if self.state().tape.is_on() {
            let residence = &mut self.residence;
            self.in_flight.note(|| &mut residence.state().tape);
        }
        let mut answers = Vec::new();
        for Settled {
            ticket,
            answer,
            cost,
            is_noted,
        } in settled
        {
            if let Some(execution) = self.doing.execution_mut() {
                execution.began.tokens.add(cost.tokens);
            }
            self.in_flight.ledger().settle(ticket);
            let state = self.state();
            if !is_noted {
                state.tape.answered(ticket, &answer, &cost);
            }
            state.charge(&cost.charge);
            state.tape.count(cost.charge.fuel);
            let cap = AnswerCap::new(&state.pending[&ticket].request, &state.limits);
            let (answer, progress) = claim(cap.apply(answer));
            state.settle(ticket, progress);
            answers.push((ticket, answer));
        }
        self.state().given.goes_on();
        self.turn(Kind::Resume {
            how: Resumption::Answers(answers),
        })
        .await
    }

    /// Marks answers that the recording has already: a session that was taken up again has those
    /// that had come, and a journal has one answer for each call.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] for another answer than the recording has; nothing has changed then.
    fn without_known(&mut self, mut settled: Vec<Settled>) -> Result<Vec<Settled>> {
        if self.state().tape.recorder().is_none() {
            return Ok(settled);
        }
        let state = self.residence.state();
        let (pending, limits) = (&state.pending, &state.limits);
        let known = &mut self.in_flight.settled;
        for one in settled.iter_mut().filter(|one| !one.is_noted) {
            let ticket = one.ticket;
            let Some(at) = known.iter().position(|known| known.ticket == ticket) else {
                continue;
            };
            let capped = |answer: &Said| match pending.get(&ticket) {
                Some(call) => AnswerCap::new(&call.request, limits).apply(answer.clone()),
                None => answer.clone(),
            };
            if known[at].is_noted && capped(&known[at].answer) != capped(&one.answer) {
                return Err(Error::usage(format!(
                    "the recording has another answer to call {ticket}, which came before; `perform` gives it, and \
                     `finish` goes on with it"
                )));
            }
            one.is_noted = known[at].is_noted;
        }
        let taken: BTreeSet<u64> = settled.iter().map(|one| one.ticket).collect();
        known.retain(|known| !taken.contains(&known.ticket));
        Ok(settled)
    }

    pub(crate) fn suspend(&mut self, suspension: &Suspension) {
        if let Some(execution) = self.doing.take() {
            self.doing = SessionState::Suspended(Execution {
                waiting: suspension.waiting.clone(),
                open: suspension.open.clone(),
                live_bytes: suspension.live_bytes,
                ..execution
            });
        }
        self.count_events();
    }

    /// What the script that waits has asked for: what it waits for first, then
    /// what it goes on without for now. Nothing if no script waits.
    pub fn waiting_calls(&mut self) -> Vec<Call> {
        if !self.doing.is_suspended() {
            return Vec::new();
        }
        let stay = Stay::new(self);
        stay.0.asked()
    }

    pub(crate) fn asked(&mut self) -> Vec<Call> {
        let (waiting, open) = self.doing.tickets();
        let pending = &self.state().pending;
        let calls = waiting.iter().map(|ticket| (ticket, false));
        calls
            .chain(open.iter().map(|ticket| (ticket, true)))
            .filter_map(|(ticket, open)| {
                Some(Call {
                    open,
                    ..pending.get(ticket)?.clone()
                })
            })
            .collect()
    }
}

/// What a journal says of a script that waits.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is matched at once and never kept"
)]
pub(crate) enum Recorded {
    Step(Step),
    GivenUp,
    /// There is none, or it ends here.
    Nothing,
}

/// An answer within its cap, as the guest reads it.
fn claim(answer: Said) -> (repl::Answer, Progress) {
    match answer {
        Said::Returned(json) => (repl::Answer::Returned(json), Progress::Returned),
        Said::Raised { kind, message } => {
            let exception = types::Exception { kind, message };
            (repl::Answer::Raised(exception), Progress::Raised)
        }
        Said::Pending | Said::Stopped | Said::Redacted(_) => {
            let exception = types::Exception {
                kind: String::from("RuntimeError"),
                message: String::from("the answer cannot be read again"),
            };
            (repl::Answer::Raised(exception), Progress::Raised)
        }
    }
}
