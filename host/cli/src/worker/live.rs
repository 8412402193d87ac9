//! A session of a worker, and what is asked of it.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::{
    Answer as Told, BranchPlace, CancelHandle, Cassette, Change, Context, Journal, LocalTools,
    Name, Parked, ReaderLimits, Record, Rest, Run, Sandbox, Session, SessionBuilder, Shape,
};
use serde_json::Value as Json;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::cancellation::Cancellation;
use super::isolated::ANSWER_BYTES;
use super::method::{InSession, Served};
use super::parts::{
    HISTORIES, History, Supplies, check_text, contexts, duration, json_bytes, limits, profile, time,
};
use super::protocol::{
    Advance, Advanced, AnswerGiven, Branch, CallSaid, CallTool, ContextSpec, Done, Exec, Get, Got,
    Import, Instructed, Instructions, JournalPlace, Open, Opened, Park, ParkedSaid, ProfileSpec,
    Ran, RecordMode, Register, Restore, Resume, Set, ShapeWanted, StepSaid, ToolSaid, ToolsSaid,
    ToolsWanted, Values, Variables, VariablesSaid, WaitingSaid,
};
use super::said;
use super::{PARKED, PARKED_SHORT, SHORT_STATE_BYTES, blocking};
use crate::context::NAME as CONTEXT;
use crate::isolation::{self, PIPE_KEY, Role, Seal};
use crate::memory::{self, Full, JournalShare, Kept, Memory, Share};
use crate::wire::{self, Failure, Message, Peer, Replied, answered, replied};
use crate::{limit, record, saved};

type Result<T> = std::result::Result<T, Failure>;

/// The limits and the cancellation of reading a journal.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) reader: &'a ReaderLimits,
    pub(super) canceled: &'a Cancellation,
}

/// Requests `set` that are parsed at the same time, of all sessions.
static SETS: Semaphore = Semaphore::const_new(4);

/// Returns a place among requests that need one, unless the session is canceled while it waits.
///
/// # Errors
///
/// A failure of the kind `canceled`.
pub(super) async fn in_turn(
    places: &'static Semaphore,
    cancel: &CancelHandle,
) -> Result<SemaphorePermit<'static>> {
    tokio::select! {
        biased;
        Ok(place) = places.acquire() => Ok(place),
        () = cancel.canceled() => Err(Failure::canceled()),
    }
}

/// A session, with what it takes to make another one like it.
pub(super) struct Live {
    sandbox: Arc<Sandbox>,
    /// The memory of all contexts of the worker.
    memory: Arc<Memory>,
    supplies: Supplies,
    session: Session,
    /// True if a journal follows what it does.
    is_taped: bool,
    /// True if that is a recording which the environment wants, not the client.
    is_recorded_unasked: bool,
    /// The memory of the journal that it plays, or of contexts beside the one it came from; and of the lines of that, if
    /// branches go by them.
    journal: Vec<Arc<JournalShare>>,
    /// The place that its forks branch from.
    place: Option<BranchPlace>,
    /// The steps that the run of a branch has yet to do.
    rest: Option<Rest>,
    /// Its number, if it is a recorded branch.
    branch: Option<u64>,
    /// The memory of the answers that a branch gives by itself.
    given: Option<Arc<Share>>,
    /// Compute time of a script that has no other.
    time: Duration,
    /// True if the client set it.
    is_timed: bool,
    /// Compute time that the scripts of a run have in its branch, where a script of the client's has had another one since.
    time_of_run: Option<Duration>,
    /// The memory of values that wait for an execution, and of a state that no instance of the
    /// session has loaded yet.
    waits: Share,
    /// The turn to write a snapshot.
    turn: Option<SemaphorePermit<'static>>,
    /// Counts the session among those that are open.
    _permit: OwnedSemaphorePermit,
}

impl Live {
    pub(super) async fn open(
        sandbox: Arc<Sandbox>,
        memory: Arc<Memory>,
        reader: &ReaderLimits,
        peer: Peer,
        name: String,
        mut open: Open,
        permit: OwnedSemaphorePermit,
    ) -> Result<Self> {
        let mut is_recorded_unasked = false;
        if open.record.is_none() && open.cassette.is_none() {
            open.record = recorded_unasked(&peer)?;
            is_recorded_unasked = open.record.is_some();
        }
        let mut kept = Kept::default();
        kept.profile(open.profile.as_ref());
        kept.outputs(open.outputs.as_deref());
        let mut profile = profile(open.profile.as_ref())?;
        profile.eval |= open.allow_eval;
        // A profile of the client's own may have set it.
        let is_timed =
            open.limits.contains_key("time") || matches!(open.profile, Some(ProfileSpec::Given(_)));
        let limits = limits(&profile.limits, open.limits)?;
        check_isolated(&limits)?;
        let mut builder = sandbox.session().profile(profile).limits(limits);
        if let Some(seed) = open.seed {
            builder = builder.seed(seed);
        }
        if let Some(start) = open.start {
            builder = builder.start_time(time(start)?);
        }
        if let Some(id) = open.id {
            check_text("`id`", &id)?;
            builder = builder.id(id);
        }
        let (contexts, variables) = beginning(open.values, &memory).await?;
        let histories = History::all(open.histories, &memory)?;
        let supplies = Supplies::new(
            peer,
            name,
            contexts,
            histories,
            open.handlers,
            kept,
            &memory,
        )
        .await?;
        // What is refused leaves no file, and removes none: the session is complete before there is one.
        let outputs = open.outputs.as_deref();
        let mut session = supplies.attach(builder.clone(), outputs).open()?;
        let live = Self {
            time: session.limits().time,
            is_timed,
            time_of_run: None,
            waits: waits(&mut session, &memory)?,
            turn: None,
            _permit: permit,
            sandbox,
            memory: Arc::clone(&memory),
            supplies,
            session,
            is_taped: false,
            is_recorded_unasked,
            journal: Vec::new(),
            place: None,
            rest: None,
            branch: None,
            given: None,
        };
        let (mut live, variables) = live.with(variables)?;
        if open.record.is_none() && open.cassette.is_none() {
            return Ok(live);
        }
        live.sandbox.check_records()?;
        if Role::of_process().is_some() {
            isolation::check(&live.supplies.plugins)?;
        }
        let mut journal = Vec::new();
        if let (Some(_), Some(_)) = (&open.record, &open.cassette) {
            return Err(Failure::usage(
                "give `record` or `cassette`, not both: a cassette records itself",
            ));
        }
        if let Some(cassette) = open.cassette {
            let record = match cassette.record {
                RecordMode::Once => Record::Once,
                RecordMode::None => Record::None,
                RecordMode::New => Record::New,
                RecordMode::All => Record::All,
            };
            let (memory, reader) = (Arc::clone(&memory), reader.clone());
            let opened = blocking(move || {
                let share = JournalShare::of_text(&memory, cassette.path.as_ref(), &reader)?;
                let opened = Cassette::open_with(cassette.path, record, share.reader_limits())?;
                Ok::<_, anyhow::Error>((opened, share))
            });
            let (opened, share) = opened.await??;
            if Role::of_process().is_some() && opened.goes_on() {
                return Err(Failure::usage(
                    "an isolated session does not go on with a cassette (mode `new`): its process opens no file when it comes to the \
                     end; take the mode `once`, or a worker without --isolate",
                ));
            }
            journal.push(Arc::new(share));
            builder = builder.cassette(&opened);
        }
        if let Some(path) = open.record {
            let terminal = live.supplies.peer.terminal();
            builder = builder.record(&match is_recorded_unasked {
                true => live.unasked(record::unasked(path, terminal))?,
                false => record::recording(path, terminal)?,
            });
        }
        let mut session = live.supplies.attach(builder, outputs).open()?;
        session.set_all(variables)?;
        live.session = session;
        live.is_taped = true;
        live.journal = journal;
        Ok(live)
    }

    pub(super) async fn restore(
        sandbox: Arc<Sandbox>,
        memory: Arc<Memory>,
        reading: Reading<'_>,
        peer: Peer,
        name: String,
        restore: Restore,
        permit: OwnedSemaphorePermit,
    ) -> Result<Self> {
        let Reading { reader, canceled } = reading;
        let mut kept = Kept::default();
        kept.outputs(restore.outputs.as_deref());
        let (contexts, variables) = beginning(restore.values, &memory).await?;
        let has_contexts = !contexts.is_empty() || !variables.is_empty();
        let histories = History::all(restore.histories, &memory)?;
        let mut supplies = Supplies::new(
            peer.clone(),
            name,
            contexts,
            histories,
            restore.handlers,
            kept,
            &memory,
        )
        .await?;
        digested(&supplies.contexts).await?;
        let builder = supplies.attach(sandbox.session(), restore.outputs.as_deref());
        let (mut recorded, mut branches_at) = (None, None);
        let mut unasked = None;
        let (time, is_timed);
        let (mut session, journal) = match (restore.parked, &restore.journal) {
            (Some(_), None) if restore.record => {
                return Err(Failure::usage(
                    "`record` goes on with the recording of a `journal`, and `parked` has none; leave `record` out",
                ));
            }
            (Some(parked), None) => {
                let parked = unpacked(parked, &sandbox, &memory, key(&peer)?).await?;
                let is_set = restore.limits.contains_key("time");
                let changed = limits(parked.limits(), restore.limits)?;
                check_isolated(&changed)?;
                (time, is_timed) = match is_set {
                    true => (changed.time, true),
                    false => parked.own_time(),
                };
                let parked = parked.with_limits(changed)?;
                let (session, parked) = restored(builder, parked, &memory).await?;
                unasked = Record::folder_of_environment()?.map(|_| parked);
                (session, Vec::new())
            }
            (None, Some(_)) if restore.record && !restore.limits.is_empty() => {
                return Err(Failure::usage(
                    "a session that goes on with a recording has the limits of that; leave `limits` or `record` out",
                ));
            }
            (None, Some(place))
                if place.branches && (restore.outputs.is_some() || has_contexts) =>
            {
                return Err(Failure::usage(
                    "branches have the contexts and the fields of SUBMIT of their run; leave `outputs` and `values` out",
                ));
            }
            (None, Some(place)) => {
                let place = place.clone();
                let path = place.path.clone().into();
                let opened = open_journal(path, &sandbox, &memory, reader).await?;
                let OpenJournal {
                    journal,
                    text,
                    data,
                } = opened;
                recorded = restore.record.then_some(journal.clone());
                let is_lowered = !restore.limits.is_empty() || !place.branches;
                let lowered = limits(journal.limits(), restore.limits)?;
                (time, is_timed) = (lowered.time.min(reader.time), true);
                // A branch has those that its run had at each moment.
                let journal = match is_lowered {
                    true => journal.lower_limits(lowered),
                    false => journal,
                };
                let (record, canceled) = (restore.record, canceled.clone());
                let runtime = Handle::current();
                // It unpacks and computes for as long as the file says.
                let session = blocking(move || {
                    let session = from_journal(&journal, &place, record, builder);
                    let session = runtime.block_on(canceled.unless_canceled(session));
                    (session, text)
                });
                let (session, text) = session.await?;
                let (session, found) = session??;
                let mut shares = vec![Arc::new(data)];
                if found.is_some() {
                    shares.push(Arc::new(text));
                }
                branches_at = found;
                (session, shares)
            }
            _ => {
                return Err(Failure::usage(
                    "give either `parked` or `journal` to take a session up from",
                ));
            }
        };
        // With those of the journal, for forks and other handlers.
        supplies.contexts = session.contexts().to_vec();
        supplies.keep_profile(&session, &memory)?;
        let live = Self {
            time,
            is_timed,
            time_of_run: None,
            waits: waits(&mut session, &memory)?,
            turn: None,
            _permit: permit,
            sandbox,
            memory,
            supplies,
            session,
            is_taped: false,
            is_recorded_unasked: false,
            journal,
            place: branches_at,
            rest: None,
            branch: None,
            given: None,
        };
        let (mut live, variables) = live.with(variables)?;
        if let Some(parked) = unasked {
            // It is complete before there is a file.
            parked.check_recordable()?;
            let outputs = restore.outputs.as_deref();
            let builder = live.supplies.attach(live.sandbox.session(), outputs);
            let recorded = record::attach(builder, peer.terminal());
            let recorded = live.unasked(recorded)?;
            let (mut session, _) = restored(recorded, parked, &live.memory).await?;
            session.set_all(variables)?;
            live.session = session;
            (live.is_taped, live.is_recorded_unasked) = (true, true);
        }
        // What is refused leaves the journal as it is: the session is complete before it goes on recording.
        if let Some(recorded) = recorded {
            recorded.record_on(&mut live.session).await?;
            live.is_taped = true;
        }
        Ok(live)
    }

    /// Binds the variables that it begins with. Returns those that are no context, too.
    fn with(
        mut self,
        mut variables: BTreeMap<String, Json>,
    ) -> Result<(Self, BTreeMap<String, Json>)> {
        let context = Vec::from_iter(self.context_variable(&mut variables)?);
        self.change(variables.clone(), &HashSet::new(), context)?;
        Ok((self, variables))
    }

    /// Carries out a request that has to do with no other session.
    pub(super) async fn serve(&mut self, method: Served, message: &Message) -> Replied {
        self.end_timeout(InSession::Served(method));
        if self.place.is_some()
            && !matches!(
                method,
                Served::Cancel | Served::Instructions | Served::Stats | Served::Waiting
            )
        {
            // Branches would not be what the run was there.
            return Err(Failure::usage(
                "a session for branches is forked, and does nothing itself; fork it, or take the journal up without `branches`",
            ));
        }
        if self.is_taped
            && let Some(work) = self.session.contexts_to_record()
        {
            blocking(work).await?;
        }
        let answer = self.carry_out(method, message).await;
        // What has entered an instance counts there.
        self.waits.shrink_to(waiting_bytes(&mut self.session));
        answer
    }

    /// Returns the turn to write the answer that was made last, if it has one.
    pub(super) fn take_turn(&mut self) -> Option<SemaphorePermit<'static>> {
        self.turn.take()
    }

    async fn carry_out(&mut self, method: Served, message: &Message) -> Replied {
        match method {
            Served::Exec => replied(self.exec(message.read()?).await?),
            Served::Step => replied(self.step(message.read()?).await?),
            Served::Advance => replied(self.advance(message.read()?).await?),
            Served::Resume => replied(self.resume(message.read()?).await?),
            Served::Finish => replied(self.finish().await?),
            Served::Set => {
                let set = match self.set_in_turn(message).await? {
                    // Contexts that were taken away may still be there. Freeing them is no part of the turn: it may be
                    // long before there is room for the session to run.
                    Err(_) => {
                        memory::free(&mut self.session).await;
                        self.set_in_turn(message).await?
                    }
                    set => set,
                };
                replied(set?)
            }
            Served::Get => replied(self.get(message.read()?).await?),
            Served::Variables => replied(self.variables(message.read()?).await?),
            // As text: a tree of very many small values takes a hundred times as much.
            Served::Export => replied(answered(self.session.export().await?)?),
            Served::Import => replied(self.import(message.read()?)?),
            Served::Park => self.park(message.read()?).await,
            Served::Cancel => replied(self.give_up().await?),
            Served::Reset => replied(self.session.reset().map(|()| Done {})?),
            Served::Stats => replied(self.session.stats()),
            Served::Waiting => replied(WaitingSaid {
                waiting: self.waiting(),
            }),
            Served::Instructions => replied(self.instructions(&message.read()?)),
            Served::Tools => self.tools(&message.read()?),
            Served::CallTool => self.call_tool(message.read()?).await,
        }
    }

    pub(super) fn opened(&mut self) -> Opened {
        Opened {
            session: self.supplies.name.clone(),
            id: self.session.id().to_owned(),
            seed: self.session.seed(),
            waiting: self.waiting(),
            deadline: self
                .session
                .limits()
                .deadline
                .map(|time| time.as_secs_f64()),
            call_wait: self.session.limits().call_wait.as_secs_f64(),
            reads_contexts: self.session.profile().reads_contexts(),
            asks_models: self.session.profile().asks_models(),
            scripts: self
                .place
                .as_ref()
                .map(|place| place.sources().map(str::to_owned).collect()),
            branch: self.branch,
        }
    }

    fn waiting(&mut self) -> Vec<CallSaid> {
        let calls = self.session.waiting_calls();
        calls.into_iter().map(said::call).collect()
    }

    pub(super) fn cancel_handle(&self) -> CancelHandle {
        self.session.cancel_handle()
    }

    /// Runs the next script of the run that it is a branch of.
    async fn advance(&mut self, advance: Advance) -> Result<Advanced> {
        let Some(rest) = &mut self.rest else {
            return Err(Failure::usage(
                "this session is no branch; make one with `fork` and `branch`, of a session that `restore` took up for `branches`",
            ));
        };
        if let Some(of_run) = self.time_of_run.take() {
            self.session.set_time_limit(of_run);
        }
        let outcome = match rest.advance(&mut self.session).await? {
            Some(outcome) => Some(said::outcome(&mut self.session, outcome, advance.report).await?),
            None => None,
        };
        Ok(Advanced { outcome })
    }

    async fn exec(&mut self, exec: Exec) -> Result<Ran> {
        self.limit_time(exec.timeout)?;
        let outcome = self.session.exec(&exec.code).await?;
        let outcome = said::outcome(&mut self.session, outcome, exec.report).await?;
        Ok(Ran { outcome })
    }

    /// Ends the script that waits, if one does; what ran has ended by now.
    async fn give_up(&mut self) -> Result<Done> {
        if self.session.is_waiting() {
            self.session.abandon().await?;
        }
        Ok(Done {})
    }

    async fn finish(&mut self) -> Result<Ran> {
        let outcome = self.session.finish().await?;
        let outcome = said::outcome(&mut self.session, outcome, false).await?;
        Ok(Ran { outcome })
    }

    async fn step(&mut self, exec: Exec) -> Result<StepSaid> {
        self.limit_time(exec.timeout)?;
        let step = self.session.step(&exec.code).await?;
        said::step(&mut self.session, step, exec.report).await
    }

    async fn resume(&mut self, resume: Resume) -> Result<StepSaid> {
        let answers = resume.answers.into_iter().map(answer);
        let answers = answers.collect::<Result<Vec<_>>>()?;
        let step = self.session.resume(answers).await?;
        said::step(&mut self.session, step, resume.report).await
    }

    /// Carries out `set`, one of a few that are parsed at the same time. Returns [`Full`] if there is no memory for its
    /// contexts.
    async fn set_in_turn(&mut self, message: &Message) -> Result<std::result::Result<Done, Full>> {
        let _turn = in_turn(&SETS, &self.session.cancel_handle()).await?;
        self.set(message.read()?).await
    }

    async fn set(&mut self, set: Set) -> Result<std::result::Result<Done, Full>> {
        // Whatever may be refused comes first.
        let is_context = set.values.variables.contains_key(CONTEXT)
            && self.session.profile().defines(Name::Context);
        let adds_context = is_context || !set.values.contexts.is_empty();
        let needs_file = Role::of_process().is_some() && adds_context;
        if self.is_taped && !self.is_recorded_unasked && needs_file {
            return Err(Failure::usage(
                "an isolated session that a journal follows takes contexts with `open` alone: its process writes no files later",
            ));
        }
        let contexts = match contexts(Arc::new(set.values.contexts), &self.memory).await {
            Ok(contexts) => contexts,
            Err(error) => return Ok(Err(error.downcast::<Full>()?)),
        };
        let mut without: HashSet<String> = HashSet::new();
        let known = self.supplies.contexts.iter();
        let known: HashSet<&str> = known.map(Context::name).collect();
        for name in set.values.without {
            if !known.contains(name.as_str()) {
                return Err(Failure::usage(format!("no context is named `{name}`")));
            }
            if let Some(twice) = without.replace(name) {
                return Err(Failure::usage(format!(
                    "`without` names the context `{twice}` twice"
                )));
            }
        }
        let mut histories = Vec::new();
        let mut numbers = self.supplies.histories.len();
        for (number, messages) in set.histories {
            if numbers == 0 || number > numbers {
                return Err(Failure::usage(format!(
                    "there is no history {number}; the session has {numbers}, and the first has to be given when it is opened"
                )));
            }
            if number >= HISTORIES {
                return Err(Failure::usage(format!(
                    "the session has {HISTORIES} histories, which is the most; join some"
                )));
            }
            numbers = numbers.max(number + 1);
            histories.push((number, History::new(number, messages, &self.memory)?));
        }
        self.change(set.values.variables, &without, contexts)?;
        let changed = histories.iter();
        let changed = changed.map(|(number, history)| (*number, history.messages()));
        self.session.set_histories(changed)?;
        // What is refused leaves the recording as it is. The file of a context is written before the next execution.
        if needs_file {
            self.end_unasked("a context is added");
        }
        for (number, history) in histories {
            let histories = &mut self.supplies.histories;
            match histories.get_mut(number) {
                Some(old) => *old = history,
                None => histories.push(history),
            }
        }
        Ok(Ok(Done {}))
    }

    /// Changes contexts and binds variables, all or none. A context takes the place of the
    /// one of its name; the variable `context` is one where the profile defines that.
    fn change(
        &mut self,
        mut variables: BTreeMap<String, Json>,
        without: &HashSet<String>,
        contexts: Vec<Context>,
    ) -> Result<()> {
        let mut added = Vec::from_iter(self.context_variable(&mut variables)?);
        added.retain(|context| !without.contains(context.name()));
        added.extend(contexts);
        self.waits.grow(QUEUED, json_bytes(&variables))?;
        if without.is_empty() && added.is_empty() {
            return Ok(self.session.set_all(variables)?);
        }
        let before = &self.supplies.contexts;
        let after = replaced(before, without, added);
        self.session.set_contexts(after.clone())?;
        if let Err(error) = self.session.set_all(variables) {
            self.session.set_contexts(before.clone())?;
            return Err(error.into());
        }
        self.supplies.contexts = after;
        Ok(())
    }

    async fn get(&mut self, get: Get) -> Result<Got> {
        let value = self.session.get(&get.name).await?;
        Ok(Got {
            value: value.map(said::value),
        })
    }

    async fn variables(&mut self, variables: Variables) -> Result<VariablesSaid> {
        let mut found = self.session.variables(variables.look()).await?;
        let mut left = variables.values_bytes.unwrap_or(u64::MAX);
        for variable in &mut found {
            let bytes = variable.json.as_ref().map_or(0, |json| json.len() as u64);
            match left.checked_sub(bytes) {
                Some(rest) => left = rest,
                None => variable.json = None,
            }
        }
        Ok(VariablesSaid {
            variables: found.into_iter().map(said::variable).collect(),
        })
    }

    fn import(&mut self, import: Import) -> Result<Done> {
        let bytes = wire::json_bytes(&import.portable);
        let portable = serde_json::from_value(import.portable).map_err(|error| {
            Failure::usage(format!("`portable` is not what export gives: {error}"))
        })?;
        self.waits.grow(QUEUED, bytes)?;
        self.session.import(&portable)?;
        Ok(Done {})
    }

    async fn park(&mut self, park: Park) -> Replied {
        digested(&self.supplies.contexts).await?;
        let parked = match (park.snapshot, park.contexts) {
            (false, true) => self.session.park_with_contexts().await?,
            (false, false) => self.session.park().await?,
            (true, true) => self.session.snapshot_with_contexts().await?,
            (true, false) => self.session.snapshot().await?,
        };
        let parked = parked.with_own_time(self.time, self.is_timed);
        let key = key(&self.supplies.peer)?;
        let is_short = parked.state_bytes() + parked.context_bytes() <= SHORT_STATE_BYTES;
        let places = if is_short { &PARKED_SHORT } else { &PARKED };
        self.turn = Some(in_turn(places, &self.session.cancel_handle()).await?);
        // It takes time in proportion to the state.
        let packed = blocking(move || {
            let waiting = parked.is_waiting();
            let is_small = parked.context_bytes() <= saved::CONTEXT_BYTES;
            let bytes = is_small.then(|| parked.to_bytes(&key));
            let fits = |bytes: &Vec<u8>| parked.context_bytes() == 0 || bytes.len() <= HELD_BYTES;
            let bytes = match bytes.filter(fits) {
                Some(bytes) => bytes,
                None => parked
                    .without_contexts()
                    .map_err(|_| Failure::usage(LARGE_AND_CHANGED))?
                    .to_bytes(&key),
            };
            replied(ParkedSaid {
                parked: BASE64_STANDARD.encode(bytes),
                waiting,
            })
        });
        packed.await?
    }

    pub(super) async fn fork(
        &mut self,
        name: String,
        permit: OwnedSemaphorePermit,
        branch: Option<Branch>,
    ) -> Result<Self> {
        // The handlers of the other one tell whose they are.
        let supplies = self.supplies.of_fork(name, &self.memory)?;
        let builder = supplies.attach(self.sandbox.session(), None);
        // They share the state. What is refused leaves no recording.
        let mut waits = self.memory.empty_share();
        waits.grow(QUEUED, self.session.queued_bytes())?;
        let (mut given, mut rest) = (self.given.clone(), None);
        let (session, branch) = match (branch, &mut self.place) {
            (None, _) => (self.session.fork_with(builder).await?, None),
            (Some(branch), Some(place)) => {
                let bytes: u64 = branch.answers.iter().map(answer_bytes).sum();
                given = match bytes {
                    0 => None,
                    _ => Some(Arc::new(self.memory.share("answers of a branch", bytes)?)),
                };
                let change = change(branch)?;
                let made = place
                    .open(&mut self.session, &change, Some(builder))
                    .await?;
                let number = made.number();
                let (session, left) = made.into_parts();
                rest = Some(left);
                (session, number)
            }
            (Some(_), None) => {
                return Err(Failure::usage(
                    "branches are made of a session that `restore` took up from a journal for `branches`",
                ));
            }
        };
        let mut session = session;
        // A fork is recorded where its session is recorded unasked.
        let is_recorded_unasked = branch.is_none() && session.is_recorded();
        Ok(Self {
            waits,
            turn: None,
            _permit: permit,
            sandbox: Arc::clone(&self.sandbox),
            memory: Arc::clone(&self.memory),
            supplies,
            session,
            is_taped: branch.is_some() || is_recorded_unasked,
            given,
            is_recorded_unasked,
            journal: self.journal.clone(),
            place: None,
            rest,
            branch,
            time: self.time,
            is_timed: self.is_timed,
            time_of_run: None,
        })
    }

    /// Returns the request that takes the session up in another process, which is given all that this one has from its client.
    pub(super) async fn hand_over(&mut self) -> Result<Restore> {
        digested(&self.supplies.contexts).await?;
        let parked = self.session.fork().await?.park().await?;
        let parked = parked.with_own_time(self.time, self.is_timed);
        let supplies = self.supplies.clone();
        blocking(move || {
            let contexts = supplies.contexts.iter().map(ContextSpec::of);
            Restore {
                parked: Some(BASE64_STANDARD.encode(parked.to_bytes(PIPE_KEY))),
                values: Values {
                    contexts: contexts.collect(),
                    ..Values::default()
                },
                histories: supplies
                    .histories
                    .iter()
                    .map(|history| history.messages().clone())
                    .collect(),
                handlers: supplies.handlers,
                ..Restore::default()
            }
        })
        .await
    }

    /// Returns the recording that the environment wants, or an error for the client; the reason goes to the operator.
    fn unasked<T, E>(&self, recorded: std::result::Result<T, E>) -> Result<T>
    where
        E: Into<anyhow::Error>,
    {
        let terminal = self.supplies.peer.terminal();
        Ok(recorded.map_err(|error| record::refused(&error.into(), terminal))?)
    }

    /// Ends a recording that only the environment wants, where the process of the session, which makes no further file, could
    /// not go on with it, with a warning for the operator.
    fn end_unasked(&mut self, why: &str) {
        if !self.is_recorded_unasked {
            return;
        }
        self.session.break_recording_off();
        (self.is_taped, self.is_recorded_unasked) = (false, false);
        let name = &self.supplies.name;
        self.supplies.peer.tell_operator(&format!(
            "warning: the recording of session {name} ends here, where {why}: an isolated process makes no further file\n"
        ));
    }

    /// Seals this process, whose only session this is.
    pub(super) fn seal(&mut self, seal: &Seal) -> Result<()> {
        let plugins = &self.supplies.plugins;
        Ok(seal.close(&mut self.session, plugins, &Handle::current())?)
    }

    /// Goes on in a session with other handlers.
    pub(super) async fn register(&mut self, register: Register) -> Result<()> {
        if self.is_taped && !self.is_recorded_unasked {
            return Err(Failure::usage(
                "a session that a journal follows keeps its functions; give all of them to `open`",
            ));
        }
        let outputs = register.outputs.as_deref();
        let mut supplies = self
            .supplies
            .with_handlers(register.handlers, outputs, &self.memory)?;
        let builder = supplies.attach(self.sandbox.session(), register.outputs.as_deref());
        // A script that waits may read other contexts than the next one.
        let parked = self.session.park_with_contexts().await?;
        let mut session = builder.clone().restore(&parked)?;
        supplies.keep_profile(&session, &self.memory)?;
        let waits = waits(&mut session, &self.memory)?;
        if Role::of_process().is_some() {
            self.end_unasked("functions are given anew");
        }
        if self.is_recorded_unasked {
            // What is refused leaves no file.
            let recorded = record::attach(builder, self.supplies.peer.terminal());
            session = self.unasked(recorded)?.restore(&parked)?;
        }
        self.waits = waits;
        self.session = session;
        self.supplies = supplies;
        // Branches have the functions of their run.
        self.place = None;
        Ok(())
    }

    fn instructions(&self, wanted: &Instructions) -> Instructed {
        Instructed {
            text: match wanted.short {
                true => self.session.short_instructions(),
                false => self.session.instructions(),
            },
        }
    }

    fn tools(&self, wanted: &ToolsWanted) -> Replied {
        let shape = match wanted.shape {
            ShapeWanted::Openai => Shape::OpenAi,
            ShapeWanted::Anthropic => Shape::Anthropic,
            ShapeWanted::Mcp => Shape::Mcp,
        };
        let schemas = self.local_tools().schemas(&self.session, shape);
        let tools = schemas.into_iter().map(answered);
        replied(ToolsSaid {
            tools: tools.collect::<Result<_>>()?,
        })
    }

    /// Returns the tools for a model.
    fn local_tools(&self) -> LocalTools {
        limit::local_tools(self.time, self.is_timed)
    }

    async fn call_tool(&mut self, call: CallTool) -> Replied {
        let CallTool {
            name, arguments, ..
        } = call;
        // Some interfaces of models give them as text.
        let parsed = arguments.as_str().map(serde_json::from_str::<Json>);
        let arguments = match parsed {
            Some(Ok(object @ Json::Object(_))) => object,
            _ => arguments,
        };
        let tools = self.local_tools();
        let called = tools.call(&mut self.session, &name, &arguments);
        replied(ToolSaid {
            result: answered(called.await.json)?,
        })
    }

    /// Takes the variable `context` out of the others and makes a context of it, where the
    /// profile says what that is.
    fn context_variable(
        &mut self,
        variables: &mut BTreeMap<String, Json>,
    ) -> Result<Option<Context>> {
        if !self.session.profile().defines(Name::Context) {
            return Ok(None);
        }
        let Some(value) = variables.remove(CONTEXT) else {
            return Ok(None);
        };
        let context = match value {
            Json::String(text) => Context::text(CONTEXT, text),
            value => Context::json(CONTEXT, value.to_string())?,
        };
        Ok(Some(self.memory.admit(context.field(CONTEXT))?))
    }

    /// Takes back the `timeout` of an earlier request, unless the script that it came with
    /// waits, or this request brings a time itself.
    pub(super) fn end_timeout(&mut self, method: InSession) {
        // A branch, and the place where it begins, have the times of their run.
        let is_of_run = self.place.is_some() || self.rest.is_some();
        if !self.session.is_waiting() && !method.runs_script() && !is_of_run {
            self.session.set_time_limit(self.time);
        }
    }

    /// Sets the time of the script that comes next.
    fn limit_time(&mut self, timeout: Option<f64>) -> Result<()> {
        let time = timeout.map_or(Ok(self.time), duration)?;
        if time.is_zero() {
            return Err(Failure::usage("`timeout` has to be more than 0"));
        }
        // A script that waits keeps its own, and refuses the next one.
        if !self.session.is_waiting() {
            if self.rest.is_some() {
                let of_run = self.session.limits().time;
                self.time_of_run.get_or_insert(of_run);
            }
            self.session.set_time_limit(time);
        }
        Ok(())
    }
}

/// The name of values that wait, in the error of a full memory.
const QUEUED: &str = "values that wait for an execution";

/// Bytes of a snapshot that holds contexts, at most. As base64 it fits into a message of the default length.
const HELD_BYTES: usize = 8 << 20;

/// The reason for not parking a session that needs contexts with it which are too large.
const LARGE_AND_CHANGED: &str = "contexts were changed while a script of the session waits, and they are too large to be part \
    of what `park` gives; park it when the script has ended";

/// The name of a snapshot, in the error of a full memory.
const UNPACKED: &str = "a snapshot that is unpacked";

/// Returns the bytes of what waits for a session to go on: values, what a script that waits has not
/// taken, and the state if no instance has loaded it.
fn waiting_bytes(session: &mut Session) -> u64 {
    let state = match session.upkeep_fuel() {
        0 => session.state_bytes(),
        _ => 0,
    };
    state + session.queued_bytes()
}

/// Takes the memory for what waits in a session that was made just now.
fn waits(session: &mut Session, memory: &Arc<Memory>) -> Result<Share> {
    let mut share = memory.empty_share();
    let name = format!("the state of session {}", session.id());
    share.grow(&name, waiting_bytes(session))?;
    Ok(share)
}

/// Computes the digests of contexts, which snapshots have, on a thread that may wait.
async fn digested(contexts: &[Context]) -> Result<()> {
    let contexts = contexts.to_vec();
    let compute = move || {
        for context in &contexts {
            context.digest();
        }
    };
    blocking(compute).await
}

/// Restores a session on a thread that may wait, with memory for the pages that it maps.
async fn restored(
    builder: SessionBuilder,
    parked: Parked,
    memory: &Arc<Memory>,
) -> Result<(Session, Parked)> {
    let memory = Arc::clone(memory);
    let restored = blocking(move || {
        let _share = memory.share(UNPACKED, parked.mapped_bytes().saturating_mul(2))?;
        Ok((builder.restore(&parked)?, parked))
    });
    restored.await?
}

/// Unpacks a snapshot on a thread that may wait, with memory for its unpacked bytes and the state
/// that is read from them.
async fn unpacked(
    text: String,
    sandbox: &Arc<Sandbox>,
    memory: &Arc<Memory>,
    key: Vec<u8>,
) -> Result<Parked> {
    let (sandbox, memory) = (Arc::clone(sandbox), Arc::clone(memory));
    let unpacked = blocking(move || {
        let bytes = BASE64_STANDARD.decode(text);
        let bytes = bytes.map_err(|_| Failure::usage("`parked` is not base64"))?;
        let unpacked_bytes = Parked::unpacked_bytes(&sandbox, &bytes)?;
        let _share = memory.share(UNPACKED, unpacked_bytes.saturating_mul(2))?;
        let values = memory.account("values of a parked session");
        let parked = Parked::from_bytes_within(&sandbox, &bytes, &key, values)?;
        Ok(parked.map_contexts(|context| memory.admit(context))?)
    });
    unpacked.await?
}

/// Returns contexts without those that are taken away or replaced, and with those that are added,
/// of which the last one of a name counts.
fn replaced(before: &[Context], without: &HashSet<String>, added: Vec<Context>) -> Vec<Context> {
    let mut names = HashSet::new();
    let mut last: Vec<_> = added
        .iter()
        .rev()
        .filter(|context| names.insert(context.name()))
        .cloned()
        .collect();
    last.reverse();
    let stay = before
        .iter()
        .filter(|context| !without.contains(context.name()) && !names.contains(context.name()));
    stay.cloned().chain(last).collect()
}

/// Returns the key of snapshots. The reason why there is none has paths of this machine, so it goes
/// to the operator alone.
pub(super) fn key(peer: &Peer) -> Result<Vec<u8>> {
    if Role::of_process().is_some() {
        // The process that started this one has the key.
        return Ok(PIPE_KEY.to_owned());
    }
    saved::key().map_err(|error| {
        peer.tell_operator(&format!("error: {error:#}\n"));
        Failure::usage(
            "the worker cannot use its key for snapshots; its operator finds the reason on its standard error",
        )
    })
}

/// The contexts and variables that a session begins with.
async fn beginning(
    values: Values,
    memory: &Arc<Memory>,
) -> Result<(Vec<Context>, BTreeMap<String, Json>)> {
    match values.without.as_slice() {
        [] => Ok((
            contexts(Arc::new(values.contexts), memory).await?,
            values.variables,
        )),
        _ => Err(Failure::usage(
            "`without` is for `set`; leave such a context out of `contexts`",
        )),
    }
}

async fn from_journal(
    journal: &Journal,
    place: &JournalPlace,
    record: bool,
    builder: SessionBuilder,
) -> Result<(Session, Option<BranchPlace>)> {
    if place.branches {
        if Role::of_process().is_some() {
            return Err(Failure::usage(
                "an isolated session has no branches; take a worker without --isolate",
            ));
        }
        let (Some(exec), None, false) = (place.exec, place.call, record) else {
            return Err(Failure::usage(
                "branches begin before an `exec`; give that, and leave `call` and `record` out",
            ));
        };
        let run = Run::of(journal.clone());
        let (session, place) = run.branch(exec, builder).await?.into_parts();
        return Ok((session, Some(place)));
    }
    let session = match (place.exec, place.call, record) {
        (Some(exec), None, false) => {
            let end = journal.first_exec() + journal.sources().count() as u64;
            if exec > end {
                return Err(Failure::usage(format!(
                    "there is no execution {exec} in the recording, which ends before execution {end}"
                )));
            }
            journal.until(exec, builder).await?
        }
        (None, Some(call), false) => journal.until_call(call, builder).await?,
        (None, None, true) => journal.rebuild_unrecorded(builder).await?,
        (None, None, false) => journal.at_end(builder).await?,
        (_, _, true) => {
            return Err(Failure::usage(
                "a journal is gone on with at its end; leave `exec`, `call` or `record` out",
            ));
        }
        _ => return Err(Failure::usage("give `exec` or `call`, not both")),
    };
    Ok((session, None))
}

/// Refuses limits of an isolated session with which it could print more than its process can answer.
fn check_isolated(limits: &rlm_sandbox::Limits) -> Result<()> {
    if Role::of_process().is_none() || limits.output_bytes <= ANSWER_BYTES {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "an isolated session prints {ANSWER_BYTES} bytes at the most, and its limit on output is {}; lower that, or take a worker \
         without --isolate",
        limits.output_bytes
    )))
}

/// Returns the file that the environment has a session recorded to, if it wants that.
fn recorded_unasked(peer: &Peer) -> Result<Option<String>> {
    let path = record::path().and_then(|path| {
        let path = path.map(|path| path.into_os_string().into_string());
        path.transpose()
            .map_err(|_| anyhow::anyhow!("RLM_SANDBOX_RECORD is not UTF-8"))
    });
    path.map_err(|error| record::refused(&error, peer.terminal()).into())
}

/// Returns the memory that an answer of a branch takes until it is given: its text, and what is around it.
fn answer_bytes(given: &AnswerGiven) -> u64 {
    const AROUND_BYTES: u64 = 256;
    let text = match (&given.value, &given.error) {
        (Some(value), _) => wire::json_bytes(value),
        (None, Some(error)) => (error.kind.len() + error.message.len()) as u64,
        (None, None) => 0,
    };
    text.saturating_add(AROUND_BYTES)
}

/// Returns the change that makes a branch.
fn change(branch: Branch) -> Result<Change> {
    let mut change = Change::new();
    for given in branch.answers {
        let (ticket, answer) = answer(given)?;
        change = change.answer(ticket, answer);
    }
    if let Some(code) = branch.code {
        change = change.source(code);
    }
    Ok(match branch.record {
        true => change.record(),
        false => record::branch_unasked(change)?,
    })
}

/// A journal, with the memory that its lines take, and the memory of what lies beside it.
pub(super) struct OpenJournal {
    pub(super) journal: Journal,
    pub(super) text: JournalShare,
    pub(super) data: JournalShare,
}

/// Opens a journal on a thread that may wait, and takes the memory for it.
pub(super) async fn open_journal(
    path: PathBuf,
    sandbox: &Arc<Sandbox>,
    memory: &Arc<Memory>,
    reader: &ReaderLimits,
) -> Result<OpenJournal> {
    let (sandbox, memory, reader) = (Arc::clone(sandbox), Arc::clone(memory), reader.clone());
    let opened = blocking(move || {
        let (data, bytes) = JournalShare::of_data(&memory, &path, &reader)?;
        let mut text = JournalShare::of_text(&memory, &path, &reader)?;
        let journal = Journal::open_with(path, text.reader_limits())?;
        let beginning_bytes = journal.beginning_bytes(&sandbox)?;
        text.unpack(beginning_bytes)?;
        // Files that are put there from now on are above the limit.
        let journal = journal.limit_data(bytes.saturating_add(beginning_bytes));
        let values = memory.account("values of a session that a journal begins with");
        let journal = journal.account(values);
        Ok::<_, anyhow::Error>(OpenJournal {
            journal,
            text,
            data,
        })
    });
    Ok(opened.await??)
}

impl ContextSpec {
    /// Returns the description of a context, with its data.
    fn of(context: &Context) -> Self {
        let (text, base64) = match context.as_text() {
            Some(text) => (Some(text.to_owned()), None),
            None => (None, Some(BASE64_STANDARD.encode(context.as_bytes()))),
        };
        Self {
            name: context.name().to_owned(),
            text,
            base64,
            path: None,
            json: context.form() == "json",
            field: context.field_name().map(str::to_owned),
        }
    }
}

fn answer(given: AnswerGiven) -> Result<(u64, Told)> {
    let answer = match (given.value, given.error) {
        (value, None) => Told::Returned(value.unwrap_or_default()),
        (None, Some(error)) => Told::error(error.kind, error.message),
        (Some(_), Some(_)) => {
            return Err(Failure::usage(format!(
                "the answer to call {} is a value or an error, not both",
                given.ticket
            )));
        }
    };
    Ok((given.ticket, answer))
}
