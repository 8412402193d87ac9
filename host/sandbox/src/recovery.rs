//! How a session outlives its instances.
//!
//! A session is a base and the events since ([`Checkpoint`]). An instance can
//! be lost at any moment, to a limit or a crash: the next one loads the base and
//! repeats the events with the answers they got, which brings back the very
//! same state. A new base is written now and then, so that there is never much
//! to repeat.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use crate::base::{Base, Checkpoint, Price, Rebasing, Stored};
use crate::builder::SessionBuilder;
use crate::call::InFlight;
use crate::exec::canceled;
use crate::guest_state::GuestState;
use crate::instance::{CaughtUp, Death, Instance, digest, settings as settings_of};
use crate::memory::{footprint, most};
use crate::meter::CancelHandle;
use crate::session::{Session, Stay};
use crate::state::SessionState;
use crate::tool::Tool;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

impl Session {
    /// The host's side, wherever it is.
    pub(crate) fn state(&mut self) -> &mut GuestState {
        self.residence.state()
    }

    /// What an exec may take at the most, in bytes.
    pub(crate) fn room(&self) -> u64 {
        let context_bytes = match self.durable.contexts_changed() {
            true => footprint(&self.readable()),
            false => self.durable.context_bytes(),
        };
        let most = most(context_bytes, &self.settings.limits);
        // In a replay the file chose the limits.
        let reader = self.settings.reader.as_ref();
        reader.map_or(most, |reader| reader.memory(most))
    }

    /// Waits until there is room of so many bytes.
    async fn room_to_run(&mut self, room: u64) -> Result<()> {
        let (residence, in_flight) = (&mut self.residence, &mut self.in_flight);
        let mut run = std::pin::pin!(residence.run(room));
        let cancel = &self.cancel;
        poll_fn(|context| {
            // What the script asked for goes on; it may be what holds the room.
            in_flight.poll(context);
            match run.as_mut().poll(context) {
                Poll::Pending => {
                    cancel.register(context);
                    match cancel.is_canceled() {
                        true => Poll::Ready(Err(canceled("canceled while it waited for room"))),
                        false => Poll::Pending,
                    }
                }
                ready => ready,
            }
        })
        .await
    }

    /// Waits until there is room to run in. Makes an instance if there is none,
    /// in the state that the session is in.
    pub(crate) async fn live(&mut self) -> Result<()> {
        self.residence.end_broken_move();
        self.settings.sandbox.python()?;
        let room = self.room();
        self.room_to_run(room).await?;
        if self.residence.instance().is_some() {
            return Ok(());
        }
        // What it repeats would be lost with a deadline that strikes, and repeated again.
        let _paused = self.cancel.shared().pause_deadline();
        loop {
            let cancel = self.cancel.clone();
            let revived = Box::pin(self.revive());
            let how = "canceled while the session was brought back";
            let Err(error) = unless_canceled(&cancel, how, revived).await else {
                self.residence.settle();
                self.checkpoint.settle();
                self.is_foreign = false;
                self.count_events();
                return Ok(());
            };
            self.residence.rest();
            if matches!(error.kind(), ErrorKind::Host | ErrorKind::Canceled) {
                // Nothing is wrong with the session; there may be room later.
                return Err(error);
            }
            tracing::warn!(target: "rlm_sandbox", "a session could not be taken up again: {error}");
            if !self.checkpoint.fall_back() {
                return Err(self.lose(error));
            }
            self.recount();
            self.rebasing.put_off(false);
            self.rebasing.unwritable_at_fuel = self.rebasing.fuel;
        }
    }

    async fn revive(&mut self) -> Result<()> {
        let sandbox = &self.settings.sandbox;
        let instance = self
            .residence
            .move_in(|state| Instance::new(sandbox, state));
        let fuel = instance
            .catch_up(sandbox, self.seed, &self.checkpoint)
            .await?;
        if let Some(price) = &mut self.checkpoint.base.price {
            price.loaded(fuel.loading);
        }
        if self.doing.is_idle() {
            // The execution to come has used none, whatever was repeated or came before the base.
            self.state().clock.exec_fuel_before = 0;
        }
        self.upkeep_fuel = self.upkeep_fuel.saturating_add(fuel.loading);
        self.repeated_fuel = self.repeated_fuel.saturating_add(fuel.repeating);
        self.rebasing.repeat(fuel.work);
        let recovery = fuel.loading.saturating_add(fuel.repeating);
        self.recovery_fuel = self.recovery_fuel.saturating_add(recovery);
        Ok(())
    }

    /// Returns the bytes that scripts and contexts hold, as the guest last said.
    fn live_bytes(&self) -> u64 {
        match &self.doing {
            SessionState::Suspended(execution) => execution.live_bytes,
            _ => self.durable.live_bytes,
        }
    }

    /// Back to where the session was before the exec at hand.
    pub(crate) fn roll_back(&mut self) {
        self.residence.rest();
        match self.doing.take().and_then(|execution| execution.before) {
            Some(before) => self.checkpoint = *before,
            None => {
                let start = self.checkpoint.exec_start;
                for event in &mut self.checkpoint.events[start..] {
                    event.undone = true;
                }
            }
        }
        self.recount();
        self.rebasing.lose();
    }

    fn recount(&mut self) {
        let events = &self.checkpoint.events;
        let kept = events.iter().filter(|event| !event.undone);
        self.rebasing.fuel = kept.clone().map(|event| event.work).sum();
        self.rebasing.kept_bytes = kept.map(|event| event.kept_bytes).sum();
        self.count_events();
    }

    /// Gives the session a new base if it is time, counted by what happened
    /// since the last one, so that the moment comes again in every repetition;
    /// a session that follows a journal does it where it was done. `goes_on`
    /// says whether the exec at hand may yet be rolled back.
    pub(crate) async fn rebase_if_due(&mut self, live_bytes: u64, goes_on: bool) -> Result<()> {
        let price = self.checkpoint.base.price;
        let most = self.settings.limits.memory_bytes;
        if self.has_pages() {
            // One that was recorded elsewhere was written there.
            match self.state().tape.rebases(false) {
                true => self.rebase(live_bytes, goes_on, false).await.map(drop)?,
                false => self.snapshot_if_due(live_bytes, goes_on),
            }
            return Ok(());
        }
        let is_due = self.rebasing.is_due(price, live_bytes, most);
        if self.state().tape.rebases(is_due) {
            self.rebase(live_bytes, goes_on, false).await?;
        }
        Ok(())
    }

    /// Returns whether its memory can be taken out of an instance as it is.
    pub(crate) fn has_pages(&self) -> bool {
        self.settings.sandbox.has_pages()
    }

    /// Makes a snapshot of its memory the base of the session, if it is time. Nothing shows of that, so it may depend on
    /// anything, and one that fails is tried again later.
    fn snapshot_if_due(&mut self, live_bytes: u64, goes_on: bool) {
        let most = self.settings.limits.memory_bytes;
        let memory = &self.state().memory;
        let (memory_bytes, grown_bytes) = (memory.current_bytes, memory.grown_bytes());
        let base = &self.checkpoint.base;
        let changed_bytes = base.changed_bytes(memory_bytes, grown_bytes);
        if !self
            .rebasing
            .is_snapshot_due(changed_bytes, live_bytes, most)
        {
            return;
        }
        if let Err(error) = self.take_snapshot(goes_on) {
            tracing::warn!(target: "rlm_sandbox", "a session has no snapshot: {error}");
        }
    }

    /// Makes a snapshot of its memory the base of the session, if it has an instance.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if there is no memory for it; nothing has changed then.
    fn take_snapshot(&mut self, goes_on: bool) -> Result<()> {
        let Some(instance) = self.residence.instance() else {
            return Ok(());
        };
        if let Some(mut base) = instance.snapshot()? {
            if self.checkpoint.events.is_empty() {
                base.keep_dump(&self.checkpoint.base);
            }
            if !instance.is_whole() {
                // Another instance goes on from the snapshot.
                self.residence.rest();
            }
            self.begin_from(base, goes_on);
            self.checkpoint.settle();
            self.count_events();
        }
        Ok(())
    }

    /// Makes a base that is what the session is now its base. `goes_on` says whether the exec at hand may yet be rolled
    /// back. What the session was is its fallback then.
    fn begin_from(&mut self, base: Base, goes_on: bool) {
        self.rebasing = Rebasing::default();
        let old = self.checkpoint.begin_from(base);
        if goes_on && let Some(execution) = self.doing.execution_mut() {
            let before = &mut execution.before;
            before.get_or_insert_with(|| Box::new(old.before_exec()));
        }
        self.count_events();
    }

    /// Does what [`live`](Self::live) does, and gives the session a new base if bringing it back has
    /// cost more than that: after executions that were rolled back, so that what was costly once is
    /// not repeated for each failure to come, and after very costly evictions. A session that
    /// follows a journal does it where it was done.
    pub(crate) async fn live_at_bounded_cost(&mut self) -> Result<()> {
        self.live().await?;
        let price = self.checkpoint.base.price;
        let (waits, live_bytes) = (self.doing.is_suspended(), self.live_bytes());
        while self.doing.is_idle() && self.state().tape.has_base_next() {
            if !Box::pin(self.rebase(live_bytes, waits, true)).await? {
                break;
            }
            self.live().await?;
        }
        if self.has_pages() {
            self.snapshot_if_due(live_bytes, waits);
            return Ok(());
        }
        let is_due = self.rebasing.repeats_too_much(price, live_bytes);
        if !is_due || self.checkpoint.events.is_empty() || self.state().tape.compares_all() {
            return Ok(());
        }
        let before = self.upkeep_fuel;
        // For a replay it is as if somebody had asked: it need not count failures.
        Box::pin(self.rebase(live_bytes, waits, true)).await?;
        let written = self.upkeep_fuel.saturating_sub(before);
        self.recovery_fuel = self.recovery_fuel.saturating_add(written);
        self.live().await
    }

    /// Refuses a script where what a session keeps would grow without bound, because its state cannot be written so
    /// that it can be loaded.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Guest`]; nothing has changed then.
    pub(crate) async fn check_writable(&mut self) -> Result<()> {
        let most = self.settings.limits.memory_bytes;
        if self.has_pages()
            || !self.rebasing.needs_base(most)
            || self.cancel.is_canceled()
            || self.state().tape.compares_all()
        {
            return Ok(());
        }
        self.write_anew(self.durable.live_bytes, false).await
    }

    /// Gives the session a base that an instance has loaded, unless that has failed in the same state.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Guest`] if the state cannot be written so that it can be loaded.
    async fn write_anew(&mut self, live_bytes: u64, waits: bool) -> Result<()> {
        if self.rebasing.is_unwritable() {
            return Err(unwritten());
        }
        match Box::pin(self.rebase(live_bytes, waits, true)).await? {
            true => self.try_out().await,
            false => Err(unwritten()),
        }
    }

    /// Gives the session a new base, if its instance can write one. The session
    /// goes on in an instance that loads it.
    async fn rebase(&mut self, live_bytes: u64, goes_on: bool, asked: bool) -> Result<bool> {
        self.live().await?;
        let Some(instance) = self.residence.move_out() else {
            return Ok(false);
        };
        let dumped = instance.dump();
        let written = match asked {
            true => {
                let dumped = Box::pin(async { Ok(dumped.await) });
                let how = "canceled while the session was written";
                unless_canceled(&self.cancel, how, dumped).await
            }
            // What the script did is kept.
            false => Ok(dumped.await),
        };
        self.residence.rest();
        let written = match written? {
            Ok(written) => written,
            Err(death) => {
                tracing::warn!(target: "rlm_sandbox", "a session could not be written: {death:?}");
                let is_by_machine = matches!(death, Death::Machine);
                self.rebasing.put_off(asked || is_by_machine);
                if !is_by_machine {
                    self.state().tape.cannot_rebase();
                }
                return Ok(false);
            }
        };
        self.upkeep_fuel = self.upkeep_fuel.saturating_add(written.fuel);
        self.rebasing = Rebasing::default();
        self.note_base(&written.dump, asked)?;
        let price = Price::written(written.fuel, live_bytes);
        let base = Base::written(written.dump, price, self.state());
        self.begin_from(base, goes_on);
        Ok(true)
    }

    /// Makes sure that the session is a base and nothing else, unless it is canceled.
    pub(crate) async fn write_down(&mut self) -> Result<()> {
        self.check_canceled()?;
        match self.doing.is_idle() {
            true => {
                self.checkpoint.forget_undone();
                self.count_events();
                if self.checkpoint.is_written()
                    && self.durable.queued.is_empty()
                    && !self.durable.contexts_changed()
                {
                    // No instance need read what it would write.
                    return self.try_out().await;
                }
                self.check_kept_to_write()?;
                self.ready(false).await?;
            }
            false => {
                self.expect_suspended()?;
                self.check_kept_to_write()?;
            }
        }
        let (waits, live_bytes) = (self.doing.is_suspended(), self.live_bytes());
        match self.checkpoint.is_written() {
            true => self.try_out().await,
            false => self.write_anew(live_bytes, waits).await,
        }
    }

    /// Makes sure that the session is a base and nothing else, unless it is canceled: a snapshot of its memory, where that
    /// can be mapped.
    pub(crate) async fn settle_state(&mut self) -> Result<()> {
        if !self.has_pages() {
            return self.write_down().await;
        }
        self.check_canceled()?;
        self.check_kept_to_write()?;
        match self.doing.is_idle() {
            true => {
                self.checkpoint.forget_undone();
                self.count_events();
                let is_dump = matches!(self.checkpoint.base.stored, Stored::Dump(_));
                let is_settled = self.checkpoint.events.is_empty() && !is_dump;
                if is_settled && self.durable.queued.is_empty() && !self.durable.contexts_changed()
                {
                    return Ok(());
                }
                self.ready(false).await?;
            }
            false => self.expect_suspended()?,
        }
        self.live().await?;
        self.take_snapshot(self.doing.is_suspended())
    }

    /// Gives an idle session more functions of the host, for which its interpreter is configured again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] for functions that it cannot have, and where memories are not mapped page by page.
    pub(crate) async fn add_functions(&mut self, more: Vec<Tool>) -> Result<()> {
        if more.is_empty() {
            return Ok(());
        }
        if !self.has_pages() {
            return Err(Error::usage(
                "a branch can have more functions than its run where memories are mapped page by page, which this sandbox does not do",
            ));
        }
        let mut settings = self.settings.clone();
        settings.handlers.tools.extend(more);
        settings.check_tools()?;
        self.settle_state().await?;
        let seed = self.seed;
        let state = self.state();
        let before = digest(&settings_of(state, seed));
        state.handlers.tools.clone_from(&settings.handlers.tools);
        self.settings = settings;
        self.checkpoint.base.keep_configured(before);
        self.residence.rest();
        // Branches begin with the interpreter that was configured again.
        self.live().await?;
        self.take_snapshot(false)
    }

    /// Has a copy of the interpreter write the state of the session, which is a base and nothing else. The session goes on as if
    /// nothing had been.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Guest`] if the state cannot be written so that it can be loaded.
    pub(crate) async fn write_copy(&mut self) -> Result<()> {
        if self.checkpoint.base.is_written() {
            return Ok(());
        }
        // The copies take the place of the session's own interpreter.
        self.residence.rest();
        self.residence.run(self.room()).await?;
        let (cancel, checkpoint) = (self.cancel.clone(), self.checkpoint.clone());
        let written = Box::pin(async {
            let mut base = self.flatten(checkpoint, false).await?;
            // No state is handed out that cannot be read.
            let (_, fuel) = self.copy(&Checkpoint::from(base.clone())).await?;
            if let Some(price) = &mut base.price {
                price.loaded(fuel.loading);
            }
            Ok(base)
        });
        let how = "canceled while the session was written";
        match unless_canceled(&cancel, how, written).await {
            Ok(written) => {
                self.checkpoint.base.keep_dump(&written);
                self.count_events();
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::Host | ErrorKind::Canceled) => {
                Err(error)
            }
            Err(_) => Err(unwritten()),
        }
    }

    /// Repeats a recorded [`write_down`](Self::write_down). A state that could not be loaded then cannot be loaded now,
    /// and the session went on.
    pub(crate) async fn write_down_again(&mut self) -> Result<()> {
        match self.write_down().await {
            Err(error) if error.kind() == ErrorKind::Guest => Ok(()),
            result => result,
        }
    }

    /// Loads the base if no instance has done so yet, as the next execution would, so that no state is handed out
    /// that cannot be read.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Guest`] if it cannot be loaded; the session goes on from what it had before.
    async fn try_out(&mut self) -> Result<()> {
        let is_known = |base: &Base| base.price.is_none_or(|price| price.is_complete);
        if is_known(&self.checkpoint.base) {
            return Ok(());
        }
        self.live().await?;
        match is_known(&self.checkpoint.base) && self.checkpoint.events.is_empty() {
            true => Ok(()),
            false => Err(unwritten()),
        }
    }

    /// Returns another instance in a state of the session, and the fuel that took. The session's own one rests.
    async fn copy(&mut self, checkpoint: &Checkpoint) -> Result<(Instance, CaughtUp)> {
        let sandbox = &self.settings.sandbox;
        let (meter, cancel) = (Arc::default(), CancelHandle::default());
        let state = GuestState::new(
            &self.settings,
            self.seed,
            self.start,
            &meter,
            &cancel,
            &InFlight::default(),
        );
        let mut instance = Instance::new(sandbox, state);
        let fuel = instance.catch_up(sandbox, self.seed, checkpoint).await?;
        Ok((instance, fuel))
    }

    /// Returns the base that a base with events amounts to: the pages of its memory, or what its interpreter writes.
    pub(crate) async fn flatten(
        &mut self,
        mut checkpoint: Checkpoint,
        as_pages: bool,
    ) -> Result<Base> {
        if checkpoint.events.iter().all(|event| event.undone) {
            let is_new = matches!(checkpoint.base.stored, Stored::New);
            if as_pages && (is_new || checkpoint.base.is_mapped()) {
                return Ok(checkpoint.base);
            }
            if !as_pages && checkpoint.base.is_written() {
                checkpoint.base.forget_pages();
                return Ok(checkpoint.base);
            }
        }
        let (mut instance, _) = self.copy(&checkpoint).await?;
        if as_pages && let Some(base) = instance.snapshot()? {
            return Ok(base);
        }
        let written = instance.dump().await.map_err(|death| {
            Error::new(
                ErrorKind::Guest,
                format!("the interpreter cannot write its state: {death:?}"),
            )
        })?;
        let price = Price::written(written.fuel, self.durable.live_bytes);
        Ok(Base::written(written.dump, price, &instance.into_state()))
    }

    /// A second session that goes on from here, on its own: with the same
    /// variables, tools, contexts and limits, and the same randomness to come.
    /// Its id is this one's and a number. A script that waits, waits in both.
    ///
    /// # Errors
    ///
    /// The errors of [`park`](Self::park).
    pub async fn fork(&mut self) -> Result<Self> {
        let stay = Stay::new(self);
        let fork = stay.0.fork_here().await;
        stay.0.end_cancel();
        fork
    }

    /// Forks the session for another caller: with the handlers and the listener of `builder`, whose tools must have the names
    /// and parameters of this session's. All else is as in [`fork`](Self::fork).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] for other tools, or a model where this session has none; else as [`fork`](Self::fork).
    pub async fn fork_with(&mut self, builder: SessionBuilder) -> Result<Self> {
        let settings = self.settings.with_handlers_of(builder)?;
        let stay = Stay::new(self);
        let fork = stay.0.fork_as(settings).await;
        stay.0.end_cancel();
        fork
    }

    /// Forks the session with these settings and their id.
    pub(crate) async fn fork_for_branch(&mut self, settings: SessionBuilder) -> Result<Self> {
        let stay = Stay::new(self);
        let fork = stay.0.fork_named(settings).await;
        stay.0.end_cancel();
        fork
    }

    async fn fork_here(&mut self) -> Result<Self> {
        self.fork_as(self.settings.clone()).await
    }

    /// Forks the session with these settings, of which the interpreter knows what it knows of its own.
    async fn fork_as(&mut self, settings: SessionBuilder) -> Result<Self> {
        let id = format!("{}.{}", self.id(), self.durable.forks.saturating_add(1));
        self.fork_named(settings.id(id)).await
    }

    /// Forks the session with these settings and their id.
    async fn fork_named(&mut self, settings: SessionBuilder) -> Result<Self> {
        self.settle_state().await?;
        self.durable.forks = self.durable.forks.saturating_add(1);
        let mut fork = Self::new(settings, self.seed, self.start);
        fork.checkpoint = self.checkpoint.clone();
        fork.doing = self.doing.clone();
        fork.durable = self.durable.of_fork();
        fork.rebasing = self.rebasing;
        fork.count_events();
        fork.described = self.described.again();
        fork.restored = self.restored.again();
        fork.take_over(self.underway())?;
        let mine = self.state();
        let theirs = fork.state();
        theirs.counts = mine.counts;
        theirs.given = mine.given.clone();
        theirs.starts_handlers = false;
        self.record_fork(&mut fork)?;
        Ok(fork)
    }

    /// Has a fork that was just made recorded as a branch of this session's recording, if that records forks.
    fn record_fork(&mut self, fork: &mut Self) -> Result<()> {
        // A reader follows the recording to the fork, and nothing of it may be under way there.
        if !self.doing.is_idle() || !self.settings.sandbox.has_pages() {
            return Ok(());
        }
        let (session, follows_time) = (self.id().to_owned(), self.follows_time());
        let tape = &mut self.state().tape;
        let exec = tape.execs();
        let Some(recorder) = tape.recorder() else {
            return Ok(());
        };
        recorder.flush();
        let Some(place) = recorder.fork_place() else {
            return Ok(());
        };
        let Some(recorder) = recorder.fork(&place)? else {
            return Ok(());
        };
        let branch_of = place.branch_of(session, exec);
        fork.record_branch(recorder, branch_of, follows_time, tape)
    }
}

/// Runs work that can be left in the middle, until a session is canceled.
///
/// # Errors
///
/// Those of the work, and [`ErrorKind::Canceled`].
pub(crate) async fn unless_canceled<T>(
    cancel: &CancelHandle,
    how: &str,
    mut work: impl Future<Output = Result<T>> + Unpin,
) -> Result<T> {
    poll_fn(|context| {
        cancel.register(context);
        match cancel.is_canceled() {
            true => Poll::Ready(Err(canceled(how))),
            false => Pin::new(&mut work).poll(context),
        }
    })
    .await
}

fn unwritten() -> Error {
    Error::new(
        ErrorKind::Guest,
        "the interpreter cannot write its state so that it can be read again; drop what was made last, such as very \
         many patterns or large sets, or read what is needed and reset the session",
    )
}
