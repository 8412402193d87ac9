//! Branches of a recorded run: what would have happened with another answer, another source or another tool.
//!
//! A run is followed once to a place in it, where nothing of it is asked again. Each branch is a fork of
//! that session: it costs what differs, and is as exact as the run's own next execution.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::answer::tool_answer;
use crate::budget::answers_itself;
use crate::builder::{SessionBuilder, random};
use crate::call::{Answer, CallRecord, check_texts, model_name};
use crate::cost::{Allowance, Cost};
use crate::journal::{
    BranchOf, CallLine, Histories, HostStep, Journal, Line, ReaderGuard, ReaderLimits, Recorder,
    Repeated, Said,
};
use crate::limits::Limits;
use crate::meter::yield_now;
use crate::outcome::Outcome;
use crate::session::{Session, Stay};
use crate::stats::Stats;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// A recorded run, from whose executions branches go on.
///
/// ```no_run
/// # use rlm_sandbox::{Answer, Change, Run, Sandbox, Tool, ToolContext};
/// # async fn branches() -> rlm_sandbox::Result<()> {
/// let sandbox = Sandbox::new()?;
/// let run = Run::open("run.jsonl")?;
/// // Nothing up to execution 7 is asked again; the tool answers what comes after the change.
/// let search = Tool::immediate("search", |_: &ToolContext, (query,): (String,)| Ok(query));
/// let mut place = run.branch(7, sandbox.session().tool(search)).await?;
/// let mut branch = place.open(&Change::new().answer(12, Answer::value("another answer")?)).await?;
/// for outcome in branch.finish().await? {
///     println!("{}", outcome.stdout);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Run {
    journal: Journal,
}

/// One execution of a recorded run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Turn {
    /// Its number, from 0.
    pub number: u64,
    /// The script.
    pub source: String,
    /// Its host calls, in their order.
    pub calls: Vec<RecordedCall>,
}

/// A host call in a recorded run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedCall {
    /// Its number, from 0 over the life of the session.
    pub ticket: u64,
    /// The tool, or what the script called to ask the model or the host.
    pub name: String,
    /// The beginning of its arguments, as JSON, where they are there in the clear.
    pub arguments: Option<String>,
}

/// The difference between a branch and its run. Without one the execution runs again, and handlers answer all its calls.
#[derive(Clone, Debug, Default)]
pub struct Change {
    answers: BTreeMap<u64, Answer>,
    source: Option<String>,
    is_recorded: bool,
    /// True if the branch is made all the same where it cannot be recorded.
    is_best_effort: bool,
}

/// A place in a recorded run, before one of its executions.
#[derive(Debug)]
pub struct BranchPoint {
    /// The session that it forks.
    session: Session,
    place: BranchPlace,
}

/// Parts that branches of a place have in common, without the session that they fork.
#[doc(hidden)]
#[derive(Debug)]
pub struct BranchPlace {
    journal: Journal,
    exec: u64,
    steps: Arc<[Step]>,
    /// The calls from there on, once they were looked up, which all branches share.
    calls: Option<Arc<BTreeMap<u64, Recorded>>>,
    groups: Arc<[Vec<u64>]>,
    needs_base: bool,
    /// The number that the branch which was recorded last has.
    last: u64,
    /// Counts of the session at the place.
    stats: Stats,
}

/// A branch of a recorded run: a session, and what the run has yet to do in it.
#[derive(Debug)]
pub struct Branch {
    session: Session,
    number: Option<u64>,
    rest: Rest,
}

/// The steps that a run has yet to do in a branch.
#[doc(hidden)]
#[derive(Debug)]
pub struct Rest {
    journal: Journal,
    /// The script in place of the first one.
    first: Option<String>,
    steps: Arc<[Step]>,
    next: usize,
    repeated: Repeated,
}

/// A step of a run that a branch repeats.
#[derive(Debug)]
enum Step {
    Exec {
        source: String,
        waited_s: u64,
        /// Other conversations than before.
        histories: Option<Histories>,
    },
    Host(HostStep),
}

/// Bytes of conversations that are taken from a recording, as text.
const HISTORIES_BYTES: usize = 64 << 20;

/// Answers that a session gives to its calls, in place of handlers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// The calls of the run, of which those before `first` have their recorded answers.
    recorded: Arc<BTreeMap<u64, Recorded>>,
    first: u64,
    changed: Arc<BTreeMap<u64, Recorded>>,
    /// The calls whose answers the run went on with, each time that it did: who drove it may have given some of them before
    /// others.
    groups: Arc<[Vec<u64>]>,
    next_group: usize,
}

/// A call, and what it was answered.
#[derive(Debug)]
pub(crate) struct Recorded {
    name: Box<str>,
    /// Its arguments, or the digest of long ones.
    arguments: Box<str>,
    prompts: u64,
    /// True if the script has its answer at once, and does not wait for it.
    is_immediate: bool,
    answer: Option<(Said, Cost)>,
}

impl Run {
    /// Opens a recording, under the default [`ReaderLimits`].
    ///
    /// # Errors
    ///
    /// The errors of [`Journal::open`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        Self::open_with(path, ReaderLimits::default())
    }

    /// [`open`](Self::open) under these limits.
    ///
    /// # Errors
    ///
    /// The errors of [`Journal::open`].
    pub fn open_with(path: impl Into<PathBuf>, reader: ReaderLimits) -> Result<Self> {
        Ok(Self::of(Journal::open_with(path, reader)?))
    }

    /// Takes a journal that is open, with the limits that were [lowered](Journal::lower_limits) on it.
    pub fn of(journal: Journal) -> Self {
        Self { journal }
    }

    /// Returns the recording.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Lowers the limits of branches, as [`Journal::lower_limits`] does.
    #[must_use]
    pub fn lower_limits(self, limits: Limits) -> Self {
        Self::of(self.journal.lower_limits(limits))
    }

    /// Returns its executions. Those of a branch begin where it branches.
    pub fn turns(&self) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        for line in self.journal.lines() {
            match line {
                Line::Exec { number, source, .. } => turns.push(Turn {
                    number: *number,
                    source: source.clone(),
                    calls: Vec::new(),
                }),
                Line::Call(call) => {
                    if let Some(turn) = turns.last_mut() {
                        turn.calls.push(RecordedCall {
                            ticket: call.ticket,
                            name: call.name.clone(),
                            arguments: call.arguments.clone(),
                        });
                    }
                }
                _ => {}
            }
        }
        turns
    }

    /// Follows the run up to the execution `turn` (from 0), where branches begin; the number of executions is the place
    /// after the last one. Nothing is asked on the way. Tools, model and listener of `builder` answer in the branches; a tool
    /// that the run has no function for is one that only they have. Contexts, seed, id, clock and profile are those of the run.
    ///
    /// The time of day in a branch is that of the run, and stands still after its last execution.
    ///
    /// # Errors
    ///
    /// The errors of [`Journal::until`], and [`ErrorKind::Usage`] for an execution that there is not.
    pub async fn branch(&self, turn: u64, builder: SessionBuilder) -> Result<BranchPoint> {
        let journal = &self.journal;
        if journal.place_before(turn).is_none() {
            let numbers = self.turns();
            let numbers = match (numbers.first(), numbers.last()) {
                (Some(first), Some(last)) => format!(
                    "its executions are {} to {}, and {} is the place after the last one",
                    first.number,
                    last.number,
                    last.number + 1
                ),
                _ => String::from("it has no execution"),
            };
            return Err(Error::usage(format!(
                "there is no execution {turn} in {}: {numbers}",
                journal.path().display()
            )));
        }
        drop(journal.lines_from(turn)?);
        // What lies beside the run is read once, here, for all branches.
        let guard = journal.guard();
        yield_now().await;
        let mut histories = match builder.histories.is_empty() {
            true => journal.histories(turn, HISTORIES_BYTES)?,
            false => BTreeMap::new(),
        };
        let mut builder = builder;
        let more = journal.take_unknown_tools(&mut builder);
        let mut session = journal.branching_at(turn, builder, &guard).await?;
        session.durable.least_waited = journal
            .seconds_waited(turn)
            .unwrap_or(session.durable.least_waited);
        if let Some(histories) = histories.remove(&turn) {
            session.give_histories(histories);
        }
        session.settings.follows_time = Some(false);
        if session.durable.contexts_changed() {
            // They enter again behind a reset.
            let stay = Stay::new(&mut session);
            stay.0.ready(false).await?;
        }
        let stay = Stay::new(&mut session);
        stay.0.add_functions(more).await?;
        drop(stay);
        let needs_base = !session.settings.sandbox.has_pages() && !session.checkpoint.is_written();
        let (steps, groups) = steps(journal, turn, &guard, histories).await?;
        let place = BranchPlace {
            exec: turn,
            steps: steps.into(),
            calls: None,
            groups: groups.into(),
            needs_base,
            last: journal.branch_number().unwrap_or(0),
            stats: session.stats(),
            journal: journal.clone(),
        };
        Ok(BranchPoint { session, place })
    }
}

impl Change {
    /// Changes nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives another answer to the recorded call of this ticket. Calls before the first that is changed have their recorded
    /// answers, and handlers answer those after it that have none here. A call of `llm_query` is answered with text, one of
    /// `llm_query_batched` with a list of as many texts as it has prompts.
    #[must_use]
    pub fn answer(mut self, ticket: u64, answer: Answer) -> Self {
        self.answers.insert(ticket, answer);
        self
    }

    /// Runs another script in place of the first execution. It is not to be combined with answers, whose calls are those
    /// of the recorded script.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Records the branch: beside the run `run.jsonl`, in the folder `run.jsonl.branches`, as the journal of the next number
    /// that is free. It begins where it branches, and replays with its run.
    #[must_use]
    pub fn record(mut self) -> Self {
        self.is_recorded = true;
        self
    }

    /// Records the branch as [`record`](Self::record) does, where that is possible: one that cannot be recorded is made all the
    /// same, and one whose recording cannot be written any more goes on.
    #[must_use]
    pub fn record_best_effort(mut self) -> Self {
        (self.is_recorded, self.is_best_effort) = (true, true);
        self
    }
}

impl BranchPoint {
    /// Opens a branch, as a fork of the session that followed the run.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] for answers to calls that the run has not made from here on, or that no such call can have, and
    /// where the branch cannot be recorded; else as [`Session::fork`].
    pub async fn open(&mut self, change: &Change) -> Result<Branch> {
        self.place.open(&mut self.session, change, None).await
    }

    /// Opens a branch whose calls the handlers and the listener of `builder` answer and hear, in place of those that the place has.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open) and [`Session::fork_with`].
    pub async fn open_with(&mut self, change: &Change, builder: SessionBuilder) -> Result<Branch> {
        let session = &mut self.session;
        self.place.open(session, change, Some(builder)).await
    }

    /// Returns the executions from there on with those of their calls that nothing answers in a branch: tools without a handler,
    /// and prompts without a model.
    pub fn unanswered(&self) -> Vec<Turn> {
        let settings = &self.session.settings;
        let handlers = &settings.handlers;
        let turns = Run::of(self.place.journal.clone()).turns().into_iter();
        let turns = turns.filter(|turn| turn.number >= self.place.exec);
        let is_answered =
            |name: &str| answers_itself(&settings.profile, name) || handlers.answer(name);
        let lacking = turns.map(|mut turn| {
            turn.calls.retain(|call| !is_answered(&call.name));
            turn
        });
        lacking.filter(|turn| !turn.calls.is_empty()).collect()
    }

    /// Returns the session, and what branches of it have in common.
    #[doc(hidden)]
    pub fn into_parts(self) -> (Session, BranchPlace) {
        (self.session, self.place)
    }
}

impl BranchPlace {
    /// Returns the scripts of the run from there on.
    #[doc(hidden)]
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(Step::source)
    }

    /// Opens a branch of the session that was at the place, as [`BranchPoint::open_with`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`BranchPoint::open_with`], and [`ErrorKind::Usage`] if the session has gone on since.
    #[doc(hidden)]
    pub async fn open(
        &mut self,
        session: &mut Session,
        change: &Change,
        builder: Option<SessionBuilder>,
    ) -> Result<Branch> {
        if session.stats() != self.stats || !session.is_at_rest() {
            return Err(Error::usage(
                "the session has gone on since it was taken up, and branches begin where it was; take it up again",
            ));
        }
        let settings = match builder {
            Some(builder) => session
                .settings
                .with_handlers_of(completed(builder, session))?,
            None => session.settings.clone(),
        };
        let given = self.given(change, &session.settings).await?;
        let id = format!("{}.{:08x}", session.id(), random()? >> 32);
        let mut branch = session.fork_for_branch(settings.id(id)).await?;
        Stay::new(&mut branch).0.state().given = given;
        let recorded = change
            .is_recorded
            .then(|| self.record(session, &mut branch, change.is_best_effort));
        let number = match recorded {
            Some(Err(_)) if change.is_best_effort => None,
            recorded => recorded.transpose()?,
        };
        let rest = Rest {
            journal: self.journal.clone(),
            first: change.source.clone(),
            steps: Arc::clone(&self.steps),
            next: 0,
            repeated: Repeated::default(),
        };
        Ok(Branch {
            session: branch,
            number,
            rest,
        })
    }

    /// Returns the answers that a branch gives by itself.
    async fn given(&mut self, change: &Change, settings: &SessionBuilder) -> Result<Given> {
        let limits = &settings.limits;
        let Some((&first, _)) = change.answers.first_key_value() else {
            let groups = match change.source {
                None => Arc::clone(&self.groups),
                Some(_) => Arc::default(),
            };
            return Ok(Given {
                groups,
                ..Given::default()
            });
        };
        if change.source.is_some() {
            return Err(Error::usage(
                "answers (`--answer`) are to calls of the recorded script; leave them out, or the other script (`-c`, `--script`)",
            ));
        }
        let calls = match self.calls.take() {
            Some(calls) => calls,
            None => Arc::new(calls(&self.journal, self.exec).await?),
        };
        let calls = self.calls.insert(calls);
        let mut changed = BTreeMap::new();
        for (&ticket, answer) in &change.answers {
            let Some(call) = calls.get(&ticket) else {
                return Err(Error::usage(format!(
                    "no call {ticket} was recorded from execution {} on; `journal show` lists the calls",
                    self.exec
                )));
            };
            call.check(ticket, answer)?;
            if answers_itself(&settings.profile, &call.name) {
                return Err(Error::usage(format!(
                    "call {ticket} is one of {}(), which the session answers itself",
                    call.name
                )));
            }
            let said = match (answer, call.is_immediate) {
                (Answer::Returned(value), true) => {
                    Said::Returned(tool_answer(&call.name, value, limits))
                }
                (answer, _) => Said::of(answer),
            };
            let (name, arguments) = (call.name.clone(), call.arguments.clone());
            let (is_immediate, prompts) = (call.is_immediate, call.prompts);
            let answer = Some((said, Cost::default()));
            changed.insert(
                ticket,
                Recorded {
                    name,
                    arguments,
                    prompts,
                    is_immediate,
                    answer,
                },
            );
        }
        Ok(Given {
            recorded: Arc::clone(calls),
            first,
            changed: Arc::new(changed),
            groups: Arc::clone(&self.groups),
            next_group: 0,
        })
    }

    /// Has a branch recorded. Returns its number.
    fn record(
        &mut self,
        session: &mut Session,
        branch: &mut Session,
        is_best_effort: bool,
    ) -> Result<u64> {
        branch.settings.sandbox.check_records()?;
        self.journal.check_levels()?;
        let journal = &self.journal;
        let (run, parent) = journal.place_of_branches()?;
        let Some((lines, sum)) = journal.place_before(self.exec) else {
            return Err(Error::new(
                ErrorKind::Journal,
                "the place of the branch is gone",
            ));
        };
        let (mut recorder, number) = Recorder::branch(&run, self.last)?;
        recorder.set_best_effort(is_best_effort);
        self.last = number;
        let branch_of = BranchOf {
            session: journal.session().to_owned(),
            branch: parent,
            exec: self.exec,
            lines,
            sum,
        };
        let (parent, stay) = (Stay::new(session), Stay::new(branch));
        stay.0.record_branch(
            recorder,
            branch_of,
            self.journal.follows_time(),
            &parent.0.state().tape,
        )?;
        if self.needs_base {
            stay.0.note_own_base()?;
        }
        Ok(number)
    }
}

impl Branch {
    /// Returns the session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Returns the session, to go on with otherwise.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// Returns the number of its recording, if it is recorded.
    pub fn number(&self) -> Option<u64> {
        self.number
    }

    /// Returns whether the branch or its session answered this call, and asked no handler.
    pub fn gave(&mut self, call: &CallRecord) -> bool {
        let stay = Stay::new(&mut self.session);
        let state = stay.0.state();
        state.given.is_of(call.ticket, &call.name) || answers_itself(&state.profile, &call.name)
    }

    /// Returns the script that comes next, or none after the last one of the run.
    pub fn next_source(&self) -> Option<&str> {
        self.rest.next_source()
    }

    /// Does what the run did up to its next execution (variables and contexts that were set, resets, time limits), and runs
    /// the script of that. Returns none after the last one of the run. A script that is refused, dropped or canceled is the next
    /// one again.
    ///
    /// # Errors
    ///
    /// The errors of [`Session::exec`], and [`ErrorKind::Diverged`] for a call that the run did not make, up to the first one whose answer
    /// was changed: a script that was canceled or stopped by the clock in the run may go on in a branch.
    pub async fn advance(&mut self) -> Result<Option<Outcome>> {
        self.rest.advance(&mut self.session).await
    }

    /// Returns the session, and what the run has yet to do in it.
    #[doc(hidden)]
    pub fn into_parts(self) -> (Session, Rest) {
        (self.session, self.rest)
    }

    /// Runs the scripts that come next, to the end of the run or to one that gives a final answer or is canceled.
    ///
    /// # Errors
    ///
    /// The errors of [`Session::exec`].
    pub async fn finish(&mut self) -> Result<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        while let Some(outcome) = self.advance().await? {
            let is_over = outcome.finish.is_some() || outcome.is_canceled();
            outcomes.push(outcome);
            if is_over {
                break;
            }
        }
        Ok(outcomes)
    }
}

impl Given {
    /// Returns what stands beforehand for a call of this function, with so many prompts: after a change a script may make other
    /// calls.
    pub(crate) fn to(&self, ticket: u64, name: &str, prompts: u64) -> Option<&Recorded> {
        let recorded = || {
            let is_before = ticket < self.first;
            is_before.then(|| self.recorded.get(&ticket)).flatten()
        };
        let found = self.changed.get(&ticket).or_else(recorded)?;
        let is_same = *found.name == *name && found.prompts == prompts;
        (is_same && found.answer.is_some()).then_some(found)
    }

    /// Returns whether any answers stand beforehand.
    pub(crate) fn is_any(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Returns what the run asked in place of a call, up to the first one whose answer was changed: nothing was changed before it,
    /// so there is no other way to come to another call than a stop by the clock or from outside.
    pub(crate) fn asked_instead_of(&self, call: &CallLine) -> Option<String> {
        let recorded = self.recorded.get(&call.ticket);
        let recorded = recorded.filter(|_| call.ticket <= self.first)?;
        let is_same = *recorded.name == *call.name && *recorded.arguments == *arguments(call);
        (!is_same).then(|| recorded.name.to_string())
    }

    /// Returns the calls with whose answers the run went on next, if the script can go on with them now: some that it waits
    /// for, and none that is not open.
    pub(crate) fn next_group(
        &self,
        waiting: &[u64],
        is_open: impl Fn(u64) -> bool,
    ) -> Option<&[u64]> {
        let group = self.groups.get(self.next_group)?;
        let is_answered = |ticket: &u64| {
            self.changed.is_empty() || *ticket < self.first || self.changed.contains_key(ticket)
        };
        let is_possible = group
            .iter()
            .all(|ticket| is_answered(ticket) && is_open(*ticket))
            && group.iter().any(|ticket| waiting.contains(ticket));
        is_possible.then_some(group)
    }

    /// Notes that the script goes on with answers.
    pub(crate) fn goes_on(&mut self) {
        self.next_group = self.next_group.saturating_add(1);
    }

    /// Returns whether something stands beforehand for a call of this function.
    pub(crate) fn is_of(&self, ticket: u64, name: &str) -> bool {
        let is_to = |found: &Recorded| *found.name == *name && found.answer.is_some();
        match self.changed.get(&ticket) {
            Some(found) => is_to(found),
            None => ticket < self.first && self.recorded.get(&ticket).is_some_and(is_to),
        }
    }

    /// Returns whether calls from this ticket on have answers that were changed.
    pub(crate) fn has_from(&self, ticket: u64) -> bool {
        self.changed.range(ticket..).next().is_some()
    }
}

impl Recorded {
    /// Returns the answer.
    pub(crate) fn said(&self) -> Option<&Said> {
        self.answer.as_ref().map(|(said, _)| said)
    }

    /// Returns the answer, if the script has it at once.
    pub(crate) fn immediate(&self) -> Option<&Said> {
        self.said().filter(|_| self.is_immediate)
    }

    /// Returns the answer as text and its cost, which is no more than what was set aside for the call.
    pub(crate) fn answer(&self, allowance: Option<Allowance>) -> Option<(&Said, Cost)> {
        let (said, cost) = self.answer.as_ref()?;
        let is_within = match allowance {
            Some(allowance) => cost.charge.is_within(&allowance),
            None => cost.charge.is_nothing(),
        };
        Some(match is_within {
            true => (said, cost.clone()),
            false => (said, Cost::of_all(allowance)),
        })
    }

    /// Refuses an answer that no such call can have.
    fn check(&self, ticket: u64, answer: &Answer) -> Result<()> {
        let kinds = [(false, false), (false, true), (true, false), (true, true)];
        let mut kinds = kinds.into_iter().filter(|_| self.prompts > 0);
        match kinds.find(|(batched, recursive)| *self.name == *model_name(*batched, *recursive)) {
            Some((batched, _)) => {
                check_texts(ticket, &self.name, batched.then_some(self.prompts), answer)
            }
            None => Ok(()),
        }
    }
}

impl Rest {
    fn next_source(&self) -> Option<&str> {
        match &self.first {
            Some(first) => Some(first),
            None => self.steps[self.next.min(self.steps.len())..]
                .iter()
                .find_map(Step::source),
        }
    }

    /// Does what [`Branch::advance`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Branch::advance`].
    #[doc(hidden)]
    pub async fn advance(&mut self, session: &mut Session) -> Result<Option<Outcome>> {
        if session.doing.is_suspended() {
            session.expect_idle()?;
        }
        if let Some(first) = &self.first {
            let outcome = session.exec(first).await?;
            if !outcome.is_canceled() {
                // In place of the first one, which is the first step if there is one.
                self.first = None;
                self.next = 1;
            }
            return Ok(Some(outcome));
        }
        // A step counts once it is done: one that is refused or dropped is yet to do.
        while let Some(step) = self.steps.get(self.next) {
            let step = match step {
                Step::Exec {
                    source,
                    waited_s,
                    histories,
                } => {
                    self.repeated.enters(session);
                    if let Some(histories) = histories {
                        session.give_histories(Arc::clone(histories));
                    }
                    session.durable.least_waited = *waited_s;
                    let outcome = session.exec(source).await?;
                    self.next += usize::from(!outcome.is_canceled());
                    return Ok(Some(outcome));
                }
                Step::Host(step) => step.clone(),
            };
            let most = self.journal.most_time();
            match &step {
                HostStep::TimeLimit(time, _) if *time > most => session.set_time_limit(most),
                _ => {
                    let stay = Stay::new(session);
                    match self.repeated.step(stay.0, step).await {
                        // The guest refuses what it refused then, and a script of its own that this has ended is not in the
                        // journal.
                        Err(error)
                            if matches!(error.kind(), ErrorKind::Usage | ErrorKind::Limit) => {}
                        result => result?,
                    }
                }
            }
            self.next += 1;
        }
        std::mem::take(&mut self.repeated).end(session);
        Ok(None)
    }
}

/// Returns a builder with all tools of a session: with its own ones, and those of the session that it has not.
fn completed(mut builder: SessionBuilder, session: &Session) -> SessionBuilder {
    let mut given = std::mem::take(&mut builder.handlers.tools);
    for tool in &session.settings.handlers.tools {
        let at = given.iter().position(|one| one.name() == tool.name());
        let mut one = at.map_or_else(|| tool.clone(), |at| given.swap_remove(at));
        if one.parameters.is_empty() {
            one.parameters = tool.parameters.clone();
        }
        one.awaitable = tool.awaitable;
        builder.handlers.tools.push(one);
    }
    // Others are refused.
    builder.handlers.tools.append(&mut given);
    builder
}

impl Step {
    fn source(&self) -> Option<&str> {
        match self {
            Self::Exec { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Lines that are looked through at once: others run in between, and the caller can cancel.
const LINES_AT_ONCE: usize = 4096;

/// Lets others run after some lines.
///
/// # Errors
///
/// [`ErrorKind::Journal`] for a reader whose limits are reached.
async fn pause(at: usize, journal: &Journal, guard: &ReaderGuard) -> Result<()> {
    if at % LINES_AT_ONCE == LINES_AT_ONCE - 1 {
        yield_now().await;
        journal.check_limits(guard)?;
    }
    Ok(())
}

/// Returns what was done from an execution on, and the calls with whose answers the run went on, each time that it did.
///
/// # Errors
///
/// [`ErrorKind::Diverged`] for lines that are not as they were recorded, and [`ErrorKind::Journal`] for contexts that are
/// gone or changed.
async fn steps(
    journal: &Journal,
    exec: u64,
    guard: &ReaderGuard,
    mut histories: BTreeMap<u64, Histories>,
) -> Result<(Vec<Step>, Vec<Vec<u64>>)> {
    let (mut steps, mut groups, mut is_running) = (Vec::new(), Vec::new(), false);
    for (at, line) in journal.lines_from(exec)?.enumerate() {
        pause(at, journal, guard).await?;
        match line {
            Line::Exec { .. } => is_running = true,
            Line::Outcome(_) | Line::GivenUp { .. } => is_running = false,
            Line::Resume {
                tickets,
                stop: None,
            } => groups.push(tickets.clone()),
            _ => {}
        }
        let step = match line {
            Line::Exec {
                number,
                source,
                waited_s,
                ..
            } => Some(Step::Exec {
                source: source.clone(),
                waited_s: *waited_s,
                histories: histories.remove(number),
            }),
            // During an execution the moment depends on when calls were answered, so it cannot be repeated.
            Line::Base { .. } if is_running => None,
            line => {
                let read =
                    |files: &[_], default: Option<&_>| journal.contexts(files, default, guard);
                HostStep::of(line, read)?.map(Step::Host)
            }
        };
        if let Some(Step::Host(HostStep::Contexts(..))) = step {
            // The caller can cancel between two reads.
            yield_now().await;
        }
        steps.extend(step);
    }
    Ok((steps, groups))
}

/// Returns the arguments of a call, or the digest of long ones.
fn arguments(call: &CallLine) -> &str {
    let arguments = call.digest.as_deref().or(call.arguments.as_deref());
    arguments.unwrap_or_default()
}

/// Returns the calls of a run from an execution on, with what they were answered.
///
/// # Errors
///
/// [`ErrorKind::Diverged`] for lines that are not as they were recorded.
async fn calls(journal: &Journal, exec: u64) -> Result<BTreeMap<u64, Recorded>> {
    let mut calls: BTreeMap<u64, Recorded> = BTreeMap::new();
    let (deferred, guard) = (journal.deferred(), journal.guard());
    for (at, line) in journal.lines_from(exec)?.enumerate() {
        pause(at, journal, &guard).await?;
        match line {
            Line::Call(call) if !call.refused => {
                let answer = match &call.reply {
                    Said::Pending | Said::Stopped | Said::Redacted(_) => None,
                    said => Some((said.clone(), Cost::default())),
                };
                let recorded = Recorded {
                    name: call.name.as_str().into(),
                    arguments: arguments(call).into(),
                    prompts: call.prompts,
                    // One that was refused for its arguments is refused again.
                    is_immediate: call.reply != Said::Pending
                        && !deferred.contains(call.name.as_str()),
                    answer,
                };
                calls.insert(call.ticket, recorded);
            }
            Line::Answer {
                ticket,
                answer,
                tokens,
                charge,
                ..
            } => {
                if let Some(call) = calls.get_mut(ticket) {
                    let cost = Cost::noted(*tokens, charge.as_ref());
                    call.answer = Some((answer.clone(), cost));
                }
            }
            _ => {}
        }
    }
    Ok(calls)
}
