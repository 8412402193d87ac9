//! `rlm-sandbox worker`: sessions for a program in any language, over JSON-RPC.
//!
//! Each session is a task with a mailbox, so that requests to one are served in
//! order and those to different ones beside each other.

mod answers;
mod callback;
mod cancellation;
mod isolated;
mod live;
mod method;
mod parts;
mod protocol;
mod said;
mod schema;

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{
    CancelHandle, Limits, Profile, ReaderLimits, Run, Sandbox, SandboxLimits, Verdict,
};
use serde::Deserialize;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit, mpsc};

use crate::isolation::{IsolationOptions, Role, Seal};
use crate::journal::ReaderOptions;
use crate::memory::{Memory, MemoryOptions};
use crate::sandbox::{self, SandboxOptions};
use crate::terminal::Terminal;
use crate::wire::{
    self, Failure, INTERNAL_ERROR, METHOD_NOT_FOUND, Message, MessageOptions, Peer, Replied, Wire,
    replied, unless_it_panics,
};
use crate::{Status, limit, plugin};
use cancellation::{Cancelers, Cancellation};
use isolated::{Cancels, Wanted};
use live::{Live, OpenJournal, Reading, in_turn};
use method::{Apart, InSession, Method, Served};
use protocol::{
    Cancel, Done, Fork, Hello, Instructions, Of, Open, Replay, ReplaySaid, RequestId, Restore,
    Turns, TurnsSaid, Validate, Waits,
};

/// Serves sessions to another program: JSON-RPC 2.0, a line for each message
///
/// `--schema` prints what the messages are.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Prints the JSON Schema of the protocol, and nothing else
    #[arg(long)]
    schema: bool,

    /// A limit of all sessions together, as `live-sessions=100`, or `sessions=N`: those that are
    /// open at a time, 1000 by default
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,

    #[command(flatten)]
    memory: MemoryOptions,

    #[command(flatten)]
    reader: ReaderOptions,

    #[command(flatten)]
    sandbox: SandboxOptions,

    #[command(flatten)]
    messages: MessageOptions,

    #[command(flatten)]
    isolation: IsolationOptions,
}

/// Part of a worker in the isolation of sessions.
enum Part {
    /// All of it: sessions run in this process.
    Whole,
    /// Sessions have processes of their own.
    Parent,
    /// This is the process of the session of this name.
    Child(String, Seal),
}

/// Advice to a client whose sessions have too many contexts.
const REMEDY: &str = "take a context away with `set` and `without`, run a script where values wait, close a session, or start the \
                      worker with a larger --max-contexts";
/// Sessions that are open at a time, if no option says otherwise. Each may hold two descriptors,
/// of its journal and of its lock.
const SESSIONS: usize = 1000;

impl Options {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        if self.schema {
            terminal.print(&format!("{:#}\n", schema::schema()));
            return Ok(Status::Done);
        }
        let (mut one, mut all) = (Limits::default(), SandboxLimits::default());
        let mut sessions = SESSIONS;
        for setting in &self.limit {
            if let Some(("sessions", count)) = setting.split_once('=') {
                sessions = limit::count("sessions", count)?;
                continue;
            }
            if !limit::is_of_all(setting) {
                return Err(crate::usage(format!(
                    "--limit {setting}: limits of an exec come with the request `open`; here are sessions, {}",
                    limit::OF_ALL.join(", ")
                )));
            }
            limit::set(&mut one, &mut all, setting)?;
        }
        let sandbox = Arc::new(sandbox::load(self.sandbox, all, terminal)?);
        let memory = self.memory.memory(REMEDY);
        let part = match (Role::of_process(), self.isolation.is_wanted()?) {
            (Some(Role::Session { name }), _) => {
                Part::Child(name.clone(), self.isolation.seal(self.memory.most_bytes()))
            }
            (_, true) => Part::Parent,
            (_, false) => Part::Whole,
        };
        let runtime = wire::runtime().context("cannot start the runtime")?;
        let reader = self.reader.limits()?;
        let messages = match part {
            // The worker that started this one has kept its client to the options.
            Part::Child(..) => isolated::messages(),
            Part::Whole | Part::Parent => self.messages,
        };
        let wire = Wire::new(terminal, &messages).context(wire::CANNOT_READ)?;
        wire::say_what_is_read(terminal, "JSON-RPC");
        runtime.block_on(serve(
            sandbox, memory, reader, sessions, part, terminal, wire,
        ));
        // What still runs is of nobody's use any more, and writes no half lines.
        terminal.close(PATIENCE);
        crate::signals::shut_down(runtime, terminal.owns_signals);
        Ok(Status::Done)
    }
}

/// All sessions of a worker.
struct Worker {
    part: Part,
    terminal: Terminal,
    sandbox: Arc<Sandbox>,
    memory: Arc<Memory>,
    peer: Peer,
    sessions: Mutex<HashMap<String, Mailbox>>,
    cancelers: Cancelers,
    named: AtomicU64,
    /// Requests that are not answered.
    open: AtomicU64,
    /// Caps above the limits that a journal names.
    reader: ReaderLimits,
    /// A permit for each session that may be open.
    permits: Arc<Semaphore>,
    most_sessions: usize,
    /// A permit for each journal that may be replayed at the same time.
    replays: Semaphore,
    /// A permit for each request that may load plugins.
    loading: Semaphore,
    /// A permit for each other request that makes a session.
    parsed: Semaphore,
    /// Requests `validate` that are parsed at the same time.
    validations: Semaphore,
}

/// The permits of a request that makes a session, of which at least one bounds the number of those
/// that are parsed at the same time: a parsed request may take sixty times the memory of its text.
struct Turn<'a> {
    _replay: Option<SemaphorePermit<'a>>,
    _plugins: Option<SemaphorePermit<'a>>,
    _parsed: Option<SemaphorePermit<'a>>,
}

/// Journals that are replayed at the same time: each may take as much memory as its reader's limits say. One that
/// never ends holds up no other one.
const REPLAYS: usize = 2;
/// Requests that load plugins at the same time.
const LOADING: usize = 4;
/// Requests that load plugins for isolated sessions at the same time.
const COMPILING: usize = 2;
/// Requests that make sessions without that at the same time.
const PARSED: usize = 4;

/// Where requests to a session go.
#[derive(Clone)]
enum Mailbox {
    Here {
        requests: mpsc::UnboundedSender<(InSession, Message)>,
        desk: Desk,
    },
    /// The session has a process of its own.
    Isolated(mpsc::UnboundedSender<Wanted>, Cancels),
}

/// What the session's task shares with those who put requests there.
#[derive(Clone)]
struct Desk(Arc<Mutex<Queue>>);

/// What a session has yet to do.
struct Queue {
    /// Requests that came, and those that were answered.
    came: u64,
    answered: u64,
    /// Requests up to this one are canceled.
    canceled: u64,
    is_closed: bool,
    /// Who wants to know when the session is gone.
    farewell: Option<Message>,
    /// True if a request is served that a cancellation ends.
    runs: bool,
    cancel: CancelHandle,
}

impl Mailbox {
    /// Hands a request over. Returns it if the session is gone.
    fn put(&self, method: InSession, message: Message) -> std::result::Result<(), Message> {
        match self {
            Self::Here { requests, desk } => {
                desk.queue().came += 1;
                // The task of a mailbox that is in the table reads it.
                let _ = requests.send((method, message));
                Ok(())
            }
            Self::Isolated(requests, cancels) => {
                if method == CANCEL {
                    cancels.came();
                }
                let sent = requests.send(Wanted::Request(method, message));
                sent.map_err(|unsent| match unsent.0 {
                    Wanted::Request(_, message) | Wanted::Close(message) => message,
                })
            }
        }
    }

    /// Ends what the session runs, was asked to run, or waits for. A process of its own gets a request.
    fn cancel(&self) {
        if let Self::Here { desk, .. } = self {
            desk.cancel();
        }
    }

    fn is(&self, other: &Desk) -> bool {
        matches!(self, Self::Here { desk, .. } if desk.is(other))
    }
}

impl Desk {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what the session runs, was asked to run, or waits for. What is asked
    /// later is not concerned.
    fn cancel(&self) {
        let mut queue = self.queue();
        queue.canceled = queue.came;
        if queue.runs {
            queue.cancel.cancel();
        }
    }

    /// The next request is served, unless the session is closed.
    fn begin(&self, method: InSession) -> std::result::Result<(), Failure> {
        let mut queue = self.queue();
        if queue.is_closed {
            return Err(Failure::usage("the session was closed meanwhile"));
        }
        // Values that enter, a state that is brought back and a `__repr__` run code, too.
        queue.runs = method != CANCEL;
        if queue.runs && queue.answered < queue.canceled {
            queue.cancel.cancel();
        }
        Ok(())
    }

    fn end(&self, live: &Live) {
        let mut queue = self.queue();
        queue.runs = false;
        queue.answered += 1;
        // It may have come when the work had ended already.
        queue.cancel.take_back();
        queue.cancel = live.cancel_handle();
    }
}

async fn serve(
    sandbox: Arc<Sandbox>,
    memory: Arc<Memory>,
    reader: ReaderLimits,
    sessions: usize,
    part: Part,
    terminal: &Terminal,
    mut wire: Wire,
) {
    let sessions = sessions.min(Semaphore::MAX_PERMITS);
    let loading = match part {
        // Each may run a compiler.
        Part::Parent => COMPILING,
        Part::Whole | Part::Child(..) => LOADING,
    };
    let worker = Arc::new(Worker {
        part,
        terminal: terminal.clone(),
        sandbox,
        memory,
        peer: wire.peer(),
        sessions: Mutex::default(),
        cancelers: Cancelers::default(),
        named: AtomicU64::new(1),
        open: AtomicU64::new(0),
        reader,
        permits: Arc::new(Semaphore::new(sessions)),
        most_sessions: sessions,
        replays: Semaphore::new(REPLAYS),
        loading: Semaphore::new(loading),
        parsed: Semaphore::new(PARSED),
        validations: Semaphore::new(PARSED),
    });
    while let Some(message) = wire.next().await {
        worker.open.fetch_add(1, Ordering::AcqRel);
        worker.take(message);
    }
    // Requests that came before the end are still answered. The process of an isolated session sees the end, too.
    worker
        .sessions()
        .retain(|_, mailbox| matches!(mailbox, Mailbox::Here { .. }));
    let all_answered = || async {
        while worker.open.load(Ordering::Acquire) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        () = all_answered() => {}
        () = worker.peer.until_gone() => {}
    }
    for mailbox in worker.sessions().values() {
        if let Mailbox::Here { desk, .. } = mailbox {
            desk.cancel();
        }
    }
    let since = Instant::now();
    let _ = tokio::time::timeout(PATIENCE, all_answered()).await;
    // A recording gets its end when its session is dropped.
    worker.sessions().clear();
    let is_open = || worker.permits.available_permits() < worker.most_sessions;
    while is_open() && since.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Bytes of an answer that is written on a thread of its own.
const LONG_BYTES: u64 = 1 << 20;
/// Lists of sessions that are made, or have been and are not written yet, at the same time: a client that does not
/// read has no more of them in memory, besides those that were slow and wait.
static LISTED: Semaphore = Semaphore::const_new(4);
/// Lists that were slow, and wait to be written.
static SLOW_LISTS: Semaphore = Semaphore::const_new(16);
/// How long a list keeps its place while it is made.
const SLOW: Duration = Duration::from_millis(500);
/// Long states that are packed, or have been and are not written yet, at the same time: they take several times their bytes.
static PARKED: Semaphore = Semaphore::const_new(1);
/// Short ones, which wait for no long one.
static PARKED_SHORT: Semaphore = Semaphore::const_new(4);
/// Bytes of a short state.
const SHORT_STATE_BYTES: u64 = 1 << 20;
/// Other long answers that are written at the same time: each takes a thread.
static WRITTEN: Semaphore = Semaphore::const_new(4);

/// Gives up the turn if the work takes long: it runs scripts' own code, perhaps, or waits for room, and no other
/// session waits for that.
async fn unless_slow<T>(
    work: impl Future<Output = T>,
    turn: &mut Option<SemaphorePermit<'static>>,
) -> T {
    let mut work = pin!(work);
    if let Ok(done) = tokio::time::timeout(SLOW, &mut work).await {
        return done;
    }
    drop(turn.take());
    work.await
}

/// Returns a turn for a list that gave up its own while it was made.
///
/// # Errors
///
/// [`Failure::usage`] if too many lists wait for one.
async fn listed_in_turn() -> std::result::Result<SemaphorePermit<'static>, Failure> {
    let full = || {
        Failure::usage(
            "long answers of other sessions are not read yet, and there is no room for this one; read them and ask \
             again",
        )
    };
    let _waits = SLOW_LISTS.try_acquire().map_err(|_| full())?;
    LISTED.acquire().await.map_err(|_| full())
}

/// Request to cancel what a session does.
const CANCEL: InSession = InSession::Served(Served::Cancel);

/// How long requests get to end when no more can come.
const PATIENCE: Duration = Duration::from_secs(2);

impl Worker {
    /// Begins with what a message asks for.
    fn take(self: &Arc<Self>, message: Message) {
        match Method::named(&message.method) {
            Some(Method::Hello) => self.tell(&message, self.hello()),
            Some(Method::Close) => self.close(message),
            Some(Method::Cancel) => self.cancel(message),
            Some(Method::Instructions) => match message.names_session() {
                true => self.hand_over(InSession::Served(Served::Instructions), message),
                false => self.spawn(Apart::Instructions, message),
            },
            Some(Method::Apart(method)) => self.spawn(method, message),
            Some(Method::InSession(method)) => self.hand_over(method, message),
            None => {
                let unknown = format!(
                    "there is no method `{}`; `rlm-sandbox worker --schema` lists them",
                    message.method
                );
                self.tell(&message, Err(Failure::new(METHOD_NOT_FOUND, unknown)));
            }
        }
    }

    fn tell(&self, message: &Message, answer: Replied) {
        let id = message.id.as_deref();
        let is_too_long = |reply: &dyn wire::Reply| {
            matches!(self.part, Part::Child(..)) && reply.json_bytes() > isolated::ANSWER_BYTES
        };
        let answer = match answer {
            Ok(reply) if is_too_long(&*reply) => Err(Failure::usage(
                "the answer is longer than one of an isolated session can be; ask for less, or use a worker without --isolate",
            )),
            answer => answer,
        };
        match answer {
            Ok(reply) => reply.answer(id, &self.peer),
            Err(failure) => self.peer.answer::<()>(id, Err(failure)),
        }
        // Only now: when none is open the process may end.
        self.open.fetch_sub(1, Ordering::AcqRel);
    }

    /// Writes an answer, on a thread that may wait if it is long, so that other sessions go on. Without a turn a long
    /// one waits for one.
    async fn tell_aside(
        self: &Arc<Self>,
        message: Message,
        answer: Replied,
        is_long: bool,
        turn: Option<SemaphorePermit<'static>>,
    ) {
        if !is_long {
            return self.tell(&message, answer);
        }
        let _turn = match turn {
            Some(turn) => Ok(turn),
            None => WRITTEN.acquire().await,
        };
        let worker = Arc::clone(self);
        // It panics in no case; the answer would be lost with it.
        let _ = blocking(move || worker.tell(&message, answer)).await;
    }

    /// Carries out what has nothing to do with a session that there is.
    fn spawn(self: &Arc<Self>, method: Apart, message: Message) {
        let worker = Arc::clone(self);
        let id = RequestId::of(&message);
        let canceled = worker.cancelers.begin(id.clone());
        tokio::spawn(async move {
            let answer = async {
                wire::panic_if_wanted(&message.method);
                match (method, &worker.part) {
                    (Apart::Open | Apart::Restore, Part::Parent) => {
                        worker.open_isolated(&message, &canceled).await
                    }
                    (Apart::Validate, Part::Parent) => {
                        worker.validate_isolated(&message, &canceled).await
                    }
                    (Apart::Replay | Apart::Turns, Part::Parent) => Err(no_journals()),
                    (Apart::Open, _) => worker.open(&message, &canceled).await,
                    (Apart::Restore, _) => worker.restore(&message, &canceled).await,
                    (Apart::Validate, _) => worker.validate(&message, &canceled).await,
                    (Apart::Replay, _) => worker.replay(&message, &canceled).await,
                    (Apart::Turns, _) => worker.turns(&message, &canceled).await,
                    (Apart::Instructions, _) => worker.instructions(&message),
                }
            };
            let answer = unless_it_panics(answer).await.unwrap_or_else(panicked);
            worker.cancelers.end(id.as_ref());
            if answer.is_err() {
                // Those of a session that was not made.
                plugin::drop_unused();
            }
            worker.tell(&message, answer);
        });
    }

    /// Cancels what a session does, or a request that belongs to none.
    fn cancel(&self, message: Message) {
        let answer = match message.read() {
            Ok(Cancel {
                session: Some(_),
                request: None,
            }) => return self.hand_over(CANCEL, message),
            Ok(Cancel {
                session: None,
                request: Some(id),
            }) => {
                self.cancelers.cancel(&id);
                replied(Done {})
            }
            Ok(_) => Err(Failure::usage(
                "give either the `session` or the `request` to cancel",
            )),
            Err(failure) => Err(failure),
        };
        self.tell(&message, answer);
    }

    fn hand_over(&self, method: InSession, message: Message) {
        match self.mailbox(&message) {
            Ok(mailbox) => {
                if method == CANCEL {
                    mailbox.cancel();
                }
                if let Err(message) = mailbox.put(method, message) {
                    let gone = Failure::usage("the session is closed");
                    self.tell(&message, Err(gone));
                }
            }
            Err(failure) => self.tell(&message, Err(failure)),
        }
    }

    fn mailbox(&self, message: &Message) -> std::result::Result<Mailbox, Failure> {
        let Named { session } = message.read()?;
        let sessions = self.sessions();
        let mailbox = sessions.get(&session).ok_or_else(|| unknown(&session))?;
        Ok(mailbox.clone())
    }

    fn hello(&self) -> Replied {
        replied(Hello {
            version: env!("CARGO_PKG_VERSION"),
            guest: self.sandbox.guest_digest().to_owned(),
            profiles: Profile::names_carried().map(str::to_owned).collect(),
        })
    }

    /// Ends a session: what runs in it ends, and what was asked of it is refused.
    /// It is told by the session's task, which ends with the mailbox, when all
    /// that the session writes is written.
    fn close(&self, message: Message) {
        let mailbox = message.read().and_then(|Of { session }| {
            let mailbox = self.sessions().remove(&session);
            mailbox.ok_or_else(|| unknown(&session))
        });
        match mailbox {
            Ok(Mailbox::Here { desk, .. }) => {
                let mut queue = desk.queue();
                queue.is_closed = true;
                queue.farewell = Some(message);
                drop(queue);
                desk.cancel();
            }
            Ok(Mailbox::Isolated(requests, _)) => {
                if let Err(unsent) = requests.send(Wanted::Close(message))
                    && let Wanted::Close(message) | Wanted::Request(_, message) = unsent.0
                {
                    // It is closed already.
                    self.tell(&message, replied(Done {}));
                }
            }
            Err(failure) => self.tell(&message, Err(failure)),
        }
    }

    fn name(&self) -> String {
        match &self.part {
            Part::Child(name, _) => name.clone(),
            _ => format!("s{}", self.named.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// Counts a session among those that are open.
    fn permit(&self) -> std::result::Result<OwnedSemaphorePermit, Failure> {
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        permit.map_err(|_| {
            Failure::usage(format!(
                "{} sessions are open, which is the most; close one, or start the worker with a larger --limit \
                 sessions=N",
                self.most_sessions
            ))
        })
    }

    async fn open(self: &Arc<Self>, message: &Message, canceled: &Cancellation) -> Replied {
        let permit = self.permit()?;
        let _turn = canceled.unless_canceled(self.turn(message)).await??;
        let open: Open = message.read()?;
        let sandbox = Arc::clone(&self.sandbox);
        let memory = Arc::clone(&self.memory);
        let (peer, name) = (self.peer.clone(), self.name());
        let mut live = Live::open(sandbox, memory, &self.reader, peer, name, open, permit).await?;
        if let Part::Child(_, seal) = &self.part {
            live.seal(seal)?;
        }
        self.admit(live)
    }

    async fn restore(self: &Arc<Self>, message: &Message, canceled: &Cancellation) -> Replied {
        let permit = self.permit()?;
        let _turn = canceled.unless_canceled(self.turn(message)).await??;
        let restore: Restore = message.read()?;
        if restore.journal.is_some() && matches!(self.part, Part::Child(..)) {
            return Err(no_journals());
        }
        let sandbox = Arc::clone(&self.sandbox);
        let memory = Arc::clone(&self.memory);
        let (peer, name) = (self.peer.clone(), self.name());
        let reading = Reading {
            reader: &self.reader,
            canceled,
        };
        let mut live = Live::restore(sandbox, memory, reading, peer, name, restore, permit).await?;
        if let Part::Child(_, seal) = &self.part {
            live.seal(seal)?;
        }
        self.admit(live)
    }

    /// Waits until a request may make a session. Nothing but its text is in memory meanwhile.
    async fn turn(&self, message: &Message) -> std::result::Result<Turn<'_>, Failure> {
        let Waits { journal, handlers } = message.read()?;
        let replay = match journal {
            Some(_) => self.replays.acquire().await.ok(),
            None => None,
        };
        let plugins = match handlers.plugins.is_empty() {
            true => None,
            false => self.loading.acquire().await.ok(),
        };
        // Others need not wait for those that take long.
        let is_quick = replay.is_none() && plugins.is_none();
        let parsed = match is_quick {
            true => self.parsed.acquire().await.ok(),
            false => None,
        };
        Ok(Turn {
            _replay: replay,
            _plugins: plugins,
            _parsed: parsed,
        })
    }

    /// Gives a session its mailbox, and somebody who reads it.
    fn admit(self: &Arc<Self>, mut live: Live) -> Replied {
        let (requests, mut mail) = mpsc::unbounded_channel::<(InSession, Message)>();
        let opened = live.opened();
        let queue = Queue {
            came: 0,
            answered: 0,
            canceled: 0,
            is_closed: false,
            farewell: None,
            runs: false,
            cancel: live.cancel_handle(),
        };
        let desk = Desk(Arc::new(Mutex::new(queue)));
        let mailbox = Mailbox::Here {
            requests,
            desk: desk.clone(),
        };
        self.sessions().insert(opened.session.clone(), mailbox);
        let worker = Arc::clone(self);
        tokio::spawn(async move {
            while let Some((method, message)) = mail.recv().await {
                let is_list = method.is_list();
                let begun = match desk.begin(method) {
                    Ok(()) if is_list => in_turn(&LISTED, &live.cancel_handle()).await.map(Some),
                    begun => begun.map(|()| None),
                };
                let (answer, mut turn) = match begun {
                    Ok(mut turn) => {
                        let served = unless_it_panics(worker.serve(&mut live, method, &message));
                        (unless_slow(served, &mut turn).await, turn)
                    }
                    Err(failure) => (Some(Err(failure)), None),
                };
                desk.end(&live);
                if answer.is_none() {
                    // Nobody knows in what state it is.
                    worker.sessions().retain(|_, other| !other.is(&desk));
                    desk.queue().is_closed = true;
                }
                let answer = answer.unwrap_or_else(panicked);
                turn = turn.or_else(|| live.take_turn());
                let is_long = matches!(&answer, Ok(reply) if reply.json_bytes() > LONG_BYTES);
                let answer = match is_list && is_long && turn.is_none() {
                    true => listed_in_turn().await.and_then(|listed| {
                        turn = Some(listed);
                        answer
                    }),
                    false => answer,
                };
                worker.tell_aside(message, answer, is_long, turn).await;
                // One session with many requests leaves the thread to others.
                tokio::task::yield_now().await;
            }
            drop(live);
            plugin::drop_unused();
            let farewell = desk.queue().farewell.take();
            if let Some(message) = farewell {
                worker.tell(&message, replied(Done {}));
            }
        });
        replied(opened)
    }

    async fn serve(
        self: &Arc<Self>,
        live: &mut Live,
        method: InSession,
        message: &Message,
    ) -> Replied {
        wire::panic_if_wanted(&message.method);
        match method {
            InSession::Fork if matches!(self.part, Part::Child(..)) => {
                live.end_timeout(method);
                if message.read::<Fork>()?.branch.is_some() {
                    return Err(Failure::usage(
                        "an isolated session has no branches; take a worker without --isolate",
                    ));
                }
                replied(live.hand_over().await?)
            }
            InSession::Fork => {
                live.end_timeout(method);
                let Fork { branch, .. } = message.read()?;
                let fork = live.fork(self.name(), self.permit()?, branch).await?;
                self.admit(fork)
            }
            InSession::Register => {
                live.end_timeout(method);
                live.register(message.read()?).await?;
                replied(Done {})
            }
            InSession::Served(method) => live.serve(method, message).await,
        }
    }

    async fn validate(&self, message: &Message, canceled: &Cancellation) -> Replied {
        // Before it is parsed.
        let _parsed = canceled.unless_canceled(self.validations.acquire()).await?;
        let wanted: Validate = message.read()?;
        if let Part::Child(_, seal) = &self.part {
            seal.close(&mut self.sandbox.session().open()?, &[], &Handle::current())?;
        }
        let mut profile = parts::profile(wanted.profile.as_ref())?;
        profile.type_check |= wanted.type_check;
        let known: Vec<_> = wanted.known.iter().map(String::as_str).collect();
        let functions: Vec<_> = wanted.functions.iter().map(String::as_str).collect();
        let validation = self
            .sandbox
            .validate(&wanted.code, &profile, &known, &functions);
        let validation = canceled.unless_canceled(validation).await??;
        replied(said::validation(validation))
    }

    fn instructions(&self, message: &Message) -> Replied {
        let wanted: Instructions = message.read()?;
        let profile = parts::profile(wanted.profile.as_ref())?;
        replied(parts::instructions(&profile, &wanted.tools, wanted.short))
    }

    async fn replay(&self, message: &Message, canceled: &Cancellation) -> Replied {
        let Replay { path } = message.read()?;
        let _turn = canceled.unless_canceled(self.replays.acquire()).await?;
        let (sandbox, runtime) = (Arc::clone(&self.sandbox), Handle::current());
        let opened = live::open_journal(path.into(), &sandbox, &self.memory, &self.reader);
        let OpenJournal {
            journal,
            text,
            data,
        } = opened.await?;
        let canceled = canceled.clone();
        let begins_with = journal.begins_with().map(str::to_owned);
        let replayed = blocking(move || {
            let _shares = (text, data);
            runtime.block_on(canceled.unless_canceled(journal.replay(&sandbox)))
        });
        let replayed = replayed.await???;
        let message = match replayed.verdict {
            Verdict::Identical => None,
            Verdict::Diverged(divergence) => Some(divergence.to_string()),
            Verdict::NotReplayable { exec, why } => {
                Some(format!("exec {exec} cannot be repeated: {why}"))
            }
            Verdict::ReaderLimit { limit, exec } => Some(format!(
                "reader-limit: the replay took more than this reader's limit `{limit}`{}",
                exec.map_or_else(String::new, |exec| format!(" in exec {exec}"))
            )),
            _ => Some(String::from(
                "the journal has no end: whoever wrote it died, or still writes it; close the session first",
            )),
        };
        replied(ReplaySaid {
            identical: message.is_none(),
            message,
            execs: replayed.execs,
            calls: replayed.calls,
            left_out: replayed.left_out,
            fuel: replayed.fuel,
            begins_with,
        })
    }

    async fn turns(&self, message: &Message, canceled: &Cancellation) -> Replied {
        /// Bytes of the scripts and arguments in one reply.
        const MOST_BYTES: usize = 16 << 20;
        let Turns { path } = message.read()?;
        let _turn = canceled.unless_canceled(self.replays.acquire()).await?;
        let opened = live::open_journal(path.into(), &self.sandbox, &self.memory, &self.reader);
        let OpenJournal {
            journal,
            text,
            data,
        } = opened.await?;
        let turns = blocking(move || {
            let _shares = (text, data);
            Run::of(journal).turns()
        });
        let turns = turns.await?;
        let bytes = turns.iter().map(|turn| {
            let calls = turn.calls.iter();
            let calls =
                calls.map(|call| call.name.len() + call.arguments.as_ref().map_or(0, String::len));
            turn.source.len() + calls.sum::<usize>()
        });
        if bytes.sum::<usize>() > MOST_BYTES {
            return Err(Failure::new(
                said::FAILED,
                "the scripts and calls of the run have more than 16 MiB; `rlm-sandbox journal show` prints them",
            ));
        }
        replied(TurnsSaid {
            turns: turns.into_iter().map(said::turn).collect(),
        })
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Mailbox>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs work that reads files or computes on a thread that may wait, so that other sessions go on.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> std::result::Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Failure::new(INTERNAL_ERROR, error.to_string()))
}

/// Returns the reply to a request that made the worker panic. What it was has been
/// written to standard error.
fn panicked() -> Replied {
    Err(Failure {
        data: Some(serde_json::json!({"kind": "lost"})),
        ..Failure::new(
            INTERNAL_ERROR,
            "the worker failed at this request, which is a bug; a session that it was for is closed",
        )
    })
}

/// The error of a request that reads a journal.
fn no_journals() -> Failure {
    Failure::usage(
        "isolated sessions repeat no journals: their processes open no file while scripts run; use a worker without --isolate",
    )
}

/// The one member that all requests to a session have.
#[derive(Deserialize)]
struct Named {
    session: String,
}

impl Message {
    fn names_session(&self) -> bool {
        self.read::<Named>().is_ok()
    }
}

fn unknown(session: &str) -> Failure {
    Failure::usage(format!(
        "there is no session `{session}` here; the answer to `open` names one, from then until `close`"
    ))
}
