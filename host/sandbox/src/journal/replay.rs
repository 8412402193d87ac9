//! Runs a session again as its journal says, and compares.

mod following;
mod guarded;

use std::sync::Arc;

use following::{Goal, Reached};
use guarded::Guard as _;

use super::divergence::{Divergence, Tolerance};
use super::header::Function;
use super::player::Player;
use super::reader::{ReaderGuard, ReaderLimit};
use super::{Inner, Journal, Recorder, Tape};
use crate::builder::SessionBuilder;
use crate::caps;
use crate::context::{Context, Data};
use crate::kept_bytes;
use crate::limits::Limits;
use crate::meter::block_on;
use crate::parked::Parked;
use crate::profile::Profile;
use crate::sandbox::Sandbox;
use crate::session::{Session, Stay, outside_runtime};
use crate::tool::{Handler, Tool};
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replayed {
    /// Execs that were repeated to their end.
    pub execs: u64,
    /// Calls that were repeated, without asking anybody.
    pub calls: u64,
    /// Entries that were left out because nothing can repeat them: inspections of variables that
    /// were killed or broken off, or variables and contexts that did not enter. They changed
    /// nothing, but what they gave is not compared.
    pub left_out: u64,
    /// Fuel that all of it took.
    pub fuel: u64,
    /// How it compares.
    pub verdict: Verdict,
}

/// How a replay compares with what was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Every call, outcome and unit of fuel is the same, to the end.
    Identical,
    /// All there is is the same, but the journal has no end: whoever wrote it
    /// died, or lines were cut off.
    Unfinished,
    /// Something differs.
    Diverged(Box<Divergence>),
    /// The replay took more than its reader allows; all before it is the same. No word
    /// about the journal: it may be honest and large.
    ReaderLimit {
        /// The limit that was reached.
        limit: ReaderLimit,
        /// Number of the exec in which it was reached, from 0; none before the first.
        exec: Option<u64>,
    },
    /// Nothing can repeat this exec; all before it is the same.
    NotReplayable {
        /// Its number, from 0.
        exec: u64,
        /// Why.
        why: &'static str,
    },
}

impl Journal {
    /// Runs the recorded session again, in a session of its own that asks no
    /// tool and no model, and compares every step. Inspections of variables that were
    /// killed are left out, since they changed nothing; [`Replayed::left_out`] counts them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Journal`] if this sandbox cannot run it: it is redacted, needs
    /// another interpreter, a context is missing. [`ErrorKind::Host`] as
    /// [`Session::exec`]. A difference is no error.
    pub async fn replay(&self, sandbox: &Sandbox) -> Result<Replayed> {
        self.replay_to(sandbox, Tolerance::Nothing, Goal::End).await
    }

    /// The same, whatever fuel it takes: for an engine of another version.
    ///
    /// # Errors
    ///
    /// The errors of [`replay`](Self::replay).
    pub async fn replay_ignoring_fuel(&self, sandbox: &Sandbox) -> Result<Replayed> {
        self.replay_to(sandbox, Tolerance::Fuel, Goal::End).await
    }

    /// The same, but only up to exec number `exec` (from 0).
    ///
    /// # Errors
    ///
    /// The errors of [`replay`](Self::replay).
    pub async fn replay_until(&self, exec: u64, sandbox: &Sandbox) -> Result<Replayed> {
        self.replay_to(sandbox, Tolerance::Nothing, Goal::Exec(exec))
            .await
    }

    /// [`replay`](Self::replay) for programs without a runtime.
    ///
    /// # Errors
    ///
    /// The errors of [`replay`](Self::replay), and [`ErrorKind::Usage`] inside a tokio runtime.
    pub fn replay_blocking(&self, sandbox: &Sandbox) -> Result<Replayed> {
        outside_runtime("replay")?;
        block_on(self.replay(sandbox))
    }

    async fn replay_to(
        &self,
        sandbox: &Sandbox,
        may_differ: Tolerance,
        goal: Goal,
    ) -> Result<Replayed> {
        self.check_goal(goal)?;
        if let Some(divergence) = self.inner.altered_header(may_differ) {
            return Ok(Replayed {
                execs: 0,
                calls: 0,
                left_out: 0,
                fuel: 0,
                verdict: Verdict::Diverged(Box::new(divergence)),
            });
        }
        let guard = self.guard();
        guard.check(&self.inner.header.limits);
        let over = |exec| {
            let limit = guard.reached()?;
            Some(Verdict::ReaderLimit { limit, exec })
        };
        let given_up = || Err(Error::new(ErrorKind::Journal, "the reader's limits"));
        let begun = match over(None) {
            Some(_) => given_up(),
            None => {
                // What nothing can repeat ends it, in the run of a branch, too.
                let begun = self
                    .inner
                    .begin(sandbox.session(), may_differ, &guard, false);
                begun.guarded(&guard).await.unwrap_or_else(given_up)
            }
        };
        let (mut session, stopped) = match (begun, over(None)) {
            (_, Some(verdict)) => {
                return Ok(Replayed {
                    execs: 0,
                    calls: 0,
                    left_out: 0,
                    fuel: 0,
                    verdict,
                });
            }
            (begun, None) => begun?,
        };
        let reached = match stopped {
            Some(stopped) => Some(Ok(stopped)),
            None => session.follow(goal, false).guarded(&guard).await,
        };
        let tape = &mut session.state().tape;
        let exec = tape.player().and_then(|player| player.exec());
        let verdict = match (tape.divergence(), reached) {
            // What differs may differ because of the limit.
            _ if guard.reached().is_some() => over(exec).unwrap_or(Verdict::Unfinished),
            (_, None) => Verdict::Unfinished,
            (divergence, Some(reached)) => match (divergence, reached) {
                (Some(divergence), _) => Verdict::Diverged(Box::new(divergence.clone())),
                (None, Err(error)) => return Err(error),
                (None, Ok(Reached::Obstacle { exec, why })) => Verdict::NotReplayable { exec, why },
                (None, Ok(Reached::Goal | Reached::End { is_finished: true })) => {
                    Verdict::Identical
                }
                (None, Ok(_)) => Verdict::Unfinished,
            },
        };
        Ok(Replayed {
            execs: tape.execs(),
            calls: tape.player().map_or(0, |player| player.calls),
            left_out: tape.player().map_or(0, |player| player.left_out),
            fuel: tape.total(),
            verdict,
        })
    }

    /// The session as it was just before exec number `exec` began (from 0), or
    /// at the end of the journal if there is none of that number. It goes on
    /// with the tools, model and listener of `builder`, whatever they answered
    /// then; id, seed, clock and contexts are the recorded ones (and the
    /// contexts of `builder` if none was recorded before the first exec). Limits are the recorded
    /// ones as far as the [`ReaderLimits`](crate::ReaderLimits) and
    /// [`lower_limits`](Self::lower_limits) allow them, with a grace of a second at the most. Execs
    /// that were rolled back and cannot be repeated are left out.
    ///
    /// # Errors
    ///
    /// The errors of [`replay`](Self::replay), and [`ErrorKind::Diverged`] if something
    /// differs before.
    pub async fn until(&self, exec: u64, builder: SessionBuilder) -> Result<Session> {
        let session = self
            .session_at(Goal::Exec(exec), builder, &self.guard())
            .await?;
        Ok(session.0)
    }

    /// Returns the session as it is at the end of the journal, as [`until`](Self::until) does before an exec. Nothing is
    /// recorded from there on: [`rebuild`](Self::rebuild) goes on with the journal.
    ///
    /// # Errors
    ///
    /// The errors of [`until`](Self::until).
    pub async fn at_end(&self, builder: SessionBuilder) -> Result<Session> {
        Ok(self.session_at(Goal::End, builder, &self.guard()).await?.0)
    }

    /// The session waiting for the deferred call of this ticket, to be answered
    /// otherwise with [`Session::resume`]. Its limits are those of [`until`](Self::until).
    ///
    /// # Errors
    ///
    /// The errors of [`until`](Self::until), and [`ErrorKind::Usage`] if no script ever
    /// waited for such a call.
    pub async fn until_call(&self, ticket: u64, builder: SessionBuilder) -> Result<Session> {
        match self
            .session_at(Goal::Call(ticket), builder, &self.guard())
            .await?
        {
            (session, Reached::Goal) => Ok(session),
            _ => Err(Error::usage(format!(
                "no script in {} waits for a call {ticket}; `journal show` lists the calls",
                self.inner.source.path.display()
            ))),
        }
    }

    /// The session as it was when the journal ends, for the process after one
    /// that died: idle, or waiting for the calls that were not answered
    /// ([`Session::finish`] goes on with those). Answers that had come are kept.
    /// It goes on recording in the same file. What a script did after it was
    /// last handed back has not happened, except that calls may have been made;
    /// they come again under the same session and ticket. A value that was [set](Session::set) and that no
    /// exec, inspection or snapshot has let in since is in no journal: set it again.
    ///
    /// # Errors
    ///
    /// The errors of [`until`](Self::until), and [`ErrorKind::Usage`] for a plugin in place of a tool that was
    /// none, if the script that waits has called it or it answered at once; and for a recording whose limits on memory, text or
    /// calls are above the reader's, since what ran into lower ones would be replayed otherwise.
    pub async fn rebuild(&self, builder: SessionBuilder) -> Result<Session> {
        let mut session = self.rebuild_unrecorded(builder).await?;
        self.record_on(&mut session).await?;
        Ok(session)
    }

    /// Does what [`rebuild`](Self::rebuild) does before anything is written. Inputs can be set in
    /// the session; before it runs anything it needs [`record_on`](Self::record_on).
    ///
    /// # Errors
    ///
    /// The errors of [`rebuild`](Self::rebuild).
    #[doc(hidden)]
    pub async fn rebuild_unrecorded(&self, builder: SessionBuilder) -> Result<Session> {
        let mut session = self.followed(Goal::End, builder, &self.guard()).await?.0;
        let stay = Stay::new(&mut session);
        self.check_plugins(stay.0)?;
        drop(stay);
        Ok(session)
    }

    /// Has a session of [`rebuild_unrecorded`](Self::rebuild_unrecorded) go on recording.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] for another session, and for a file that was changed meanwhile.
    #[doc(hidden)]
    pub async fn record_on(&self, session: &mut Session) -> Result<()> {
        let stay = Stay::new(session);
        if stay.0.settings.profile.outputs != self.inner.header.profile.outputs {
            return Err(Error::usage(
                "the outputs of a session that goes on recording are part of the recording; leave them out",
            ));
        }
        // A replay has those of the header: what ran into lower ones would come out otherwise.
        let counted = |limits: &Limits| {
            let answers = (limits.tool_answer_bytes, limits.model_answer_bytes);
            (
                limits.memory_bytes,
                limits.output_bytes,
                answers,
                (limits.open_calls, limits.calls, limits.model_calls),
            )
        };
        if counted(&stay.0.settings.limits) != counted(&self.inner.header.limits) {
            return Err(Error::usage(
                "the reader's limits are below those of the recording, which a session that goes on with it has to have; raise \
                 those on memory, text and calls, or leave the recording out",
            ));
        }
        let state = stay.0.state();
        let player = state.tape.player();
        let Some(player) = player.filter(|player| Arc::ptr_eq(&player.journal, &self.inner)) else {
            return Err(Error::usage(
                "the session does not follow this journal, or goes on recording already",
            ));
        };
        let last = player.last();
        let last = last.map(|(number, entry)| (entry.end, (number, entry.sum)));
        let (end, last) = last.unwrap_or_default();
        let recorder = Recorder::append(&self.inner.source, end, last)?;
        let tape = Tape::recording(recorder).counts_on(&state.tape);
        state.tape = tape;
        stay.0.distrust_limits();
        if stay.0.doing.is_idle() {
            // The process may have died just before it was written.
            let live_bytes = stay.0.durable.live_bytes;
            stay.0.rebase_if_due(live_bytes, false).await?;
        }
        Ok(())
    }

    /// Refuses plugins where the recording has no allowance of theirs: what they are charged with
    /// would contradict it.
    fn check_plugins(&self, session: &mut Session) -> Result<()> {
        let tools = session.settings.handlers.tools.clone();
        let is_plugin = |name: &str| {
            let mut tools = tools.iter();
            let tool = tools.find(|tool| tool.name() == name);
            tool.is_some_and(|tool| matches!(tool.handler, Handler::Plugin { .. }))
        };
        let refused = |name: &str| {
            Err(Error::usage(format!(
                "`{name}` was recorded as a tool that is no plugin; give the tool that it was"
            )))
        };
        for function in &self.inner.header.functions {
            if function.immediate && is_plugin(&function.name) {
                return refused(&function.name);
            }
        }
        for call in session.state().pending.values() {
            let name = call.request.name();
            if call.allowance.is_none() && is_plugin(name) {
                return refused(name);
            }
        }
        Ok(())
    }

    /// Returns the session before an execution of this number, for branches to begin from.
    ///
    /// # Errors
    ///
    /// The errors of [`until`](Self::until).
    pub(crate) async fn branching_at(
        &self,
        exec: u64,
        mut builder: SessionBuilder,
        guard: &ReaderGuard,
    ) -> Result<Session> {
        // Those of the recording are the ones that a branch has.
        builder.contexts.clear();
        builder.graph_input = None;
        let (mut session, reached) = self.session_at(Goal::Exec(exec), builder, guard).await?;
        let stay = Stay::new(&mut session);
        let followed = stay.0.state().tape.execs();
        let is_there = matches!(reached, Reached::Goal) || followed == exec;
        if !is_there || !stay.0.doing.is_idle() {
            return Err(Error::usage(format!(
                "execution {} of {} has no end: it waits for calls, or its process died; branches begin before it, or \
                 behind it when the run has gone on",
                exec.saturating_sub(1),
                self.path().display()
            )));
        }
        drop(stay);
        Ok(session)
    }

    async fn session_at(
        &self,
        goal: Goal,
        builder: SessionBuilder,
        guard: &ReaderGuard,
    ) -> Result<(Session, Reached)> {
        let (mut session, reached) = self.followed(goal, builder, guard).await?;
        let stay = Stay::new(&mut session);
        let state = stay.0.state();
        let tape = Tape::off().counts_with(&state.tape);
        state.tape = tape;
        let mut limits = stay.0.settings.limits.clone();
        if let Some(most) = &self.lowered {
            limits.lower_to(most);
        }
        limits.distrust();
        // So far the interpreter has those of the journal.
        let restarts = limits.of_guest() != self.inner.header.limits.of_guest();
        stay.0.change_limits(limits, restarts).await?;
        if stay.0.doing.is_idle() {
            // Whoever wrote the journal may have left bases out.
            let live_bytes = stay.0.durable.live_bytes;
            stay.0.rebase_if_due(live_bytes, false).await?;
        }
        drop(stay);
        Ok((session, reached))
    }

    /// Refuses an execution that a branch has not itself.
    fn check_goal(&self, goal: Goal) -> Result<()> {
        match (&self.inner.header.branch_of, goal) {
            (Some(branch_of), Goal::Exec(exec)) if exec < branch_of.exec => {
                Err(Error::usage(format!(
                    "{} begins before execution {}, and {exec} is one of the recording that it branches from; take that one",
                    self.inner.source.path.display(),
                    branch_of.exec
                )))
            }
            _ => Ok(()),
        }
    }

    /// Refuses to go on with a journal for which the reader's limits are reached.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Journal`] with the limit.
    pub(crate) fn check_limits(&self, guard: &ReaderGuard) -> Result<()> {
        let Some(limit) = guard.reached() else {
            return Ok(());
        };
        let path = self.inner.source.path.display();
        Err(Error::new(
            ErrorKind::Journal,
            format!(
                "{path}: replaying it reached the reader's limit `{limit}`; raise that if you trust the file"
            ),
        ))
    }

    async fn followed(
        &self,
        goal: Goal,
        builder: SessionBuilder,
        guard: &ReaderGuard,
    ) -> Result<(Session, Reached)> {
        self.check_goal(goal)?;
        let mut builder = builder;
        let listener = builder.listener.take();
        let given = (builder.contexts.clone(), builder.graph_input.clone());
        guard.check(&self.inner.header.limits);
        let over = || self.check_limits(guard).err();
        self.check_limits(guard)?;
        let begun = self.inner.begin(builder, Tolerance::Nothing, guard, true);
        let (mut session, _) = match (begun.guarded(guard).await, over()) {
            (_, Some(error)) => return Err(error),
            (Some(begun), None) => begun?,
            (None, None) => return Err(Error::new(ErrorKind::Host, "the replay was given up")),
        };
        let reached = session.follow(goal, true).guarded(guard).await;
        let reached = match (over(), reached) {
            (Some(error), _) => return Err(error),
            (None, Some(reached)) => reached?,
            (None, None) => return Err(Error::new(ErrorKind::Host, "the replay was given up")),
        };
        let stay = Stay::new(&mut session);
        let session_now = &mut *stay.0;
        // It goes on as a session of the reader's, whatever time the journal names.
        session_now.release_reader(&self.inner.reader);
        session_now.settings.listener.clone_from(&listener);
        session_now.state().output.listener = listener;
        let is_new = self.inner.header.parked.is_none() && self.inner.parent.is_none();
        if session_now.position() == Some(1) && is_new {
            // Nothing had entered it yet, and so no contexts either.
            match given.0.is_empty() && given.1.is_none() {
                true => session_now.durable.settle_contexts(),
                false => session_now.durable.change_contexts(),
            }
            (
                session_now.settings.contexts,
                session_now.settings.graph_input,
            ) = given;
        }
        session_now.state().pending.check_room()?;
        session_now.check_kept()?;
        if session_now.doing.is_suspended() {
            // How much of it was left then is not recorded.
            let deadline = session_now.settings.limits.deadline;
            session_now.cancel.shared().begin_deadline(deadline);
        }
        drop(stay);
        Ok((session, reached))
    }
}

impl Session {
    /// Goes on as a branch of the journal that it followed, which is in this one.
    async fn take_branch(
        &mut self,
        branch: &Arc<Inner>,
        more: Vec<Tool>,
        may_differ: Tolerance,
    ) -> Result<()> {
        let mut counts = std::mem::replace(&mut self.state().tape, Tape::off());
        let limits = branch.header.limits.clone();
        check_lowered(&limits, &self.settings.limits)?;
        let restarts = limits.of_guest() != self.settings.limits.of_guest();
        self.change_limits(limits, restarts).await?;
        self.rename(branch.header.session.as_str());
        if self.durable.contexts_changed() {
            // They entered again behind a reset, before the branch was made.
            self.ready(false).await?;
        }
        let functions = branch.header.functions.iter();
        let functions = functions.skip(self.settings.handlers.tools.len());
        self.add_functions(tools(functions, more)?).await?;
        self.settings.follows_time = Some(branch.header.follows_time);
        let header = serde_json::to_vec(&branch.header).unwrap_or_default();
        self.described.set(kept_bytes::of_json(&header));
        self.check_kept()?;
        let mut player = Player::new(branch, may_differ);
        if let Some(of_run) = counts.player() {
            (player.calls, player.left_out) = (of_run.calls, of_run.left_out);
        }
        self.state().tape = Tape::playing(player).counts_with(&counts);
        Ok(())
    }
}

/// Refuses limits of a branch that are above those of its run, which a branch lowers at the most.
fn check_lowered(limits: &Limits, of_run: &Limits) -> Result<()> {
    let mut lowered = limits.clone();
    lowered.lower_to(of_run);
    let is_same = limits.recursion == of_run.recursion;
    if lowered == *limits && is_same && limits.fuel_budget() <= of_run.fuel_budget() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Journal,
        "the limits of the branch are above those of its run; take a copy that was not changed",
    ))
}

/// Refuses a profile that no session can have been opened with. As JSON it is longer than it was.
fn check_length(profile: &Profile) -> Result<()> {
    const MOST_BYTES: usize = 4 * Profile::MOST_BYTES;
    let bytes = serde_json::to_vec(profile).map_or(0, |json| json.len());
    match bytes > MOST_BYTES {
        true => Err(Error::new(
            ErrorKind::Journal,
            format!("the profile in the journal has {bytes} bytes; {MOST_BYTES} are possible"),
        )),
        false => Ok(()),
    }
}

impl Inner {
    /// What is wrong with the header, before anybody goes by it.
    fn altered_header(self: &Arc<Self>, may_differ: Tolerance) -> Option<Divergence> {
        Player::new(self, may_differ).divergence
    }

    /// Returns a session at the beginning of the journal, which follows it. The recordings that a branch begins in have
    /// been followed up to there: past what nothing can repeat if `skips`, and else to that, which is returned, too.
    async fn begin(
        self: &Arc<Self>,
        builder: SessionBuilder,
        may_differ: Tolerance,
        guard: &ReaderGuard,
        skips: bool,
    ) -> Result<(Session, Option<Reached>)> {
        let (Some(parent), Some(branch_of)) = (&self.parent, &self.header.branch_of) else {
            let session = self.session(builder, may_differ, guard)?;
            return Ok((session, None));
        };
        self.check_header(may_differ)?;
        guard.check(&parent.header.limits);
        let mut builder = builder;
        let more = parent.take_unknown(&mut builder);
        let begun = Box::pin(parent.begin(builder, may_differ, guard, skips)).await?;
        let (mut session, None) = begun else {
            return Ok(begun);
        };
        let reached = session.follow(Goal::Line(branch_of.lines), skips).await;
        let stay = Stay::new(&mut session);
        if let Some(error) = stay.0.state().tape.trouble() {
            return Err(error);
        }
        let reached = reached?;
        if guard.reached().is_some() {
            return Err(Error::new(ErrorKind::Journal, "the reader's limits"));
        }
        if let Reached::Obstacle { .. } = reached {
            drop(stay);
            return Ok((session, Some(reached)));
        }
        let followed = stay.0.position().unwrap_or(0) as u64;
        if followed != branch_of.lines || !stay.0.doing.is_idle() {
            let path = parent.source.path.display();
            let message = format!(
                "the recording that the branch begins in, {path}, cannot be followed up to the branch: an execution before it has \
                 no end, or the branch begins within one; take a copy that was not changed"
            );
            return Err(Error::new(ErrorKind::Diverged, message));
        }
        stay.0.take_branch(self, more, may_differ).await?;
        drop(stay);
        Ok((session, None))
    }

    /// Refuses a journal whose header is not as it was recorded.
    fn check_header(self: &Arc<Self>, may_differ: Tolerance) -> Result<()> {
        let Some(divergence) = self.altered_header(may_differ) else {
            return Ok(());
        };
        let path = self.source.path.display();
        let message = format!("{path} is not as it was recorded: {divergence}");
        Err(Error::new(ErrorKind::Diverged, message))
    }

    /// A session at the beginning of a journal that is no branch, which follows it.
    fn session(
        self: &Arc<Self>,
        builder: SessionBuilder,
        may_differ: Tolerance,
        guard: &ReaderGuard,
    ) -> Result<Session> {
        self.check_header(may_differ)?;
        self.check(&builder.sandbox, may_differ)?;
        let header = &self.header;
        check_length(&header.profile)?;
        let mut builder = builder
            .profile(header.profile.clone())
            .names_as_given()
            .seed(header.seed.0)
            .start_time(header.start.0)
            .id(header.session.as_str());
        builder.limits = header.limits.clone();
        builder.follows_time = Some(header.follows_time);
        builder.tape = None;
        builder.reader = Some(guard.clone());
        builder.graph_input = None;
        builder.contexts.clear();
        builder.handlers.tools = self.tools(builder.handlers.tools)?;
        let mut session = match &header.parked {
            None => builder.open()?,
            Some(parked) => {
                let bytes = self.stored("the session it begins with", &parked.digest, guard)?;
                let begins = Parked::read(&builder.sandbox, &bytes, JOURNAL_KEY, Some(guard));
                let begins = begins.map_err(|error| {
                    let message = format!("the session that the journal begins with: {error}");
                    Error::new(ErrorKind::Journal, message).because(error)
                })?;
                if !begins.is_of(header) {
                    return Err(Error::new(
                        ErrorKind::Journal,
                        "the session that the journal begins with is not the one of its header",
                    ));
                }
                check_length(&begins.body.profile)?;
                self.see(&mut builder, &parked.files, parked.default.as_ref(), guard)?;
                let mut session = builder.restore(&begins)?;
                // What it had queued entered later, and the journal says when.
                session.durable.queued.clear();
                session
            }
        };
        let header = serde_json::to_vec(&self.header).unwrap_or_default();
        session.described.set(kept_bytes::of_json(&header));
        session.check_kept()?;
        session.state().tape = Tape::playing(Player::new(self, may_differ));
        session.carry_calls();
        Ok(session)
    }

    /// The functions it was recorded with, in their order, with these handlers.
    fn tools(&self, given: Vec<Tool>) -> Result<Vec<Tool>> {
        tools(self.header.functions.iter(), given)
    }

    /// Takes the tools of a builder that the recording has no function for.
    pub(super) fn take_unknown(&self, builder: &mut SessionBuilder) -> Vec<Tool> {
        let functions = &self.header.functions;
        let is_known = |tool: &Tool| functions.iter().any(|known| known.name == tool.name());
        let all = std::mem::take(&mut builder.handlers.tools);
        let (known, unknown) = all.into_iter().partition(is_known);
        builder.handlers.tools = known;
        unknown
    }

    /// Has a session see these contexts.
    pub(super) fn see(
        &self,
        builder: &mut SessionBuilder,
        files: &[super::Given],
        default: Option<&super::Given>,
        guard: &ReaderGuard,
    ) -> Result<()> {
        (builder.contexts, builder.graph_input) = self.contexts(files, default, guard)?;
        Ok(())
    }

    /// Returns the contexts that a line names, and the graph input among them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Journal`] for one that is gone or changed, and where a limit of the reader is reached.
    pub(super) fn contexts(
        &self,
        files: &[super::Given],
        default: Option<&super::Given>,
        guard: &ReaderGuard,
    ) -> Result<(Vec<Context>, Option<Context>)> {
        if files.len() > caps::CONTEXTS {
            let message = format!(
                "it has {} contexts at once, and a session has at most {}",
                files.len(),
                caps::CONTEXTS
            );
            return Err(Error::new(ErrorKind::Journal, message));
        }
        let mut contexts = Vec::with_capacity(files.len());
        for given in files {
            if let Some(limit) = guard.reached() {
                let message = format!("the reader's limit `{limit}` was reached");
                return Err(Error::new(ErrorKind::Journal, message));
            }
            let mut context = self.context(given, guard)?;
            if default == Some(given) {
                context = context.field("context");
            }
            contexts.push(context);
        }
        let (Some(given), true) = (default, files.is_empty()) else {
            return Ok((contexts, None));
        };
        let context = self.context(given, guard)?;
        match context.data() {
            // Its bytes are shared by all lines that name them.
            Data::Text(_) => Ok((contexts, Some(context.renamed("context")))),
            Data::Json(_) | Data::Bytes(_) => {
                let message = "a context that is graph input is no text";
                Err(Error::new(ErrorKind::Journal, message))
            }
        }
    }
}

/// Parked sessions lie beside a journal under a key that everybody knows: they
/// are as trustworthy as the journal is.
pub(crate) const JOURNAL_KEY: &[u8] = b"rlm-sandbox journal";

/// Returns the tools of recorded functions: those that are given, or such that nothing answers.
///
/// # Errors
///
/// [`ErrorKind::Usage`] for a tool with other parameters, and for one that was not recorded.
fn tools<'a>(
    functions: impl Iterator<Item = &'a Function>,
    mut given: Vec<Tool>,
) -> Result<Vec<Tool>> {
    let recorded = functions.map(|function| {
            let at = given.iter().position(|tool| tool.name() == function.name);
            let tool = at.map_or_else(
                || Tool::declared(function.name.as_str()),
                |at| given.swap_remove(at),
            );
            let names = || function.parameters.iter().map(String::as_str);
            if !tool.parameters.is_empty() && !tool.parameters.iter().map(|name| &**name).eq(names()) {
                return Err(Error::usage(format!(
                    "the tool `{}` was recorded with other parameters ({}); arguments by position would reach the \
                     wrong ones",
                    function.name,
                    function.parameters.join(", ")
                )));
            }
            let mut tool = tool.parameters(names());
            tool.awaitable = function.awaitable;
            Ok(tool)
        });
    let recorded = recorded.collect::<Result<Vec<_>>>()?;
    match given.first() {
        None => Ok(recorded),
        Some(tool) => Err(Error::usage(format!(
            "the session was recorded without a tool `{}`, and its functions are part of it; leave that tool out",
            tool.name()
        ))),
    }
}
