//! One instance of the guest: how it is made, entered, and how it dies.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use wasmtime::{Store, Trap};

use crate::base::{Base, Checkpoint, Stored};
use crate::bindings::Python;
use crate::bindings::exports::rlm::sandbox::repl::{self, Misuse, Settings, Step};
use crate::call::InFlight;
use crate::context::Context;
use crate::dump::Dump;
use crate::event::{Event, Kind};
use crate::guest_state::{GuestState, JUMP_NANOSECONDS, Purpose};
use crate::kept_bytes::KeptBytes;
use crate::memory::{Limiter, Refusal};
use crate::meter::{Killed, Metered, within};
use crate::outcome::Stop;
use crate::sandbox::Sandbox;
use rlm_sandbox_engine::pages::{Kept, Memory};
use rlm_sandbox_engine::{Error, ErrorKind, Meter, Result, RunningGuest, SLICE_FUEL, Ticker, hex};
use sha2::{Digest as _, Sha256};

/// Bytes that a guest may pass or return with one call beside its requests and values: 64 MiB in all under the default limits.
const HOSTCALL_BYTES: usize = 8 << 20;
/// Bytes for each byte that `Limits::request_bytes` allows: a request, and as much again for its parts.
const HOSTCALL_REQUESTS: usize = 2;
/// Of values it may return sixteen times `Limits::value_bytes`, as repr and as JSON, and some more for the value of the
/// script and the message of its exception.
const HOSTCALL_VALUES: usize = 40;
/// Component handles of one instance: it needs one for a sleep, none to keep.
const HANDLES: usize = 256;

/// What `prepare` and `configure` may take together; the interpreter takes a
/// thousandth of it.
const STARTING_FUEL: u64 = 2_000_000_000;
/// Time for work of the host's own that no fuel bounds, and fuel for which a guest takes another second at the most.
const UPKEEP_TIME: Duration = Duration::from_secs(10);
const SLOWEST_FUEL: u64 = 200_000_000;
/// Time that repeating an entry may take, in multiples of the time that it took.
const REPEATED_FACTOR: u32 = 10;
/// Fuel that a second of compute time stands for where none is counted. A plain loop uses some three times as much.
const SECOND_FUEL: u64 = 10_000_000_000;
/// Bytes of one piece of a dump.
const PIECE_BYTES: usize = 1 << 20;

/// Returns the fuel that a time stands for.
fn work_of(time: Duration) -> u64 {
    let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    microseconds.saturating_mul(SECOND_FUEL / 1_000_000)
}

/// A crash that comes earlier or later on other machines.
pub(crate) const STACK_EXHAUSTED: &str = "the interpreter's stack is exhausted";

/// A live namespace.
pub(crate) struct Instance {
    pub(crate) store: Store<GuestState>,
    /// None before it is started.
    pub(crate) python: Option<Python>,
    /// Its linear memory, where that is mapped page by page.
    memory: Option<Memory>,
    /// Advances epochs, if they interrupt it.
    ticker: Option<Ticker>,
}

/// What the guest handed back.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is matched at once and never kept"
)]
pub(crate) enum Returned {
    Nothing,
    Step(Step),
    Value(Option<repl::Value>),
    Variables(Vec<repl::Variable>),
    Piece(Vec<u8>),
}

impl Returned {
    /// Returns whether a script ended at a limit.
    pub(crate) fn is_stop(&self) -> bool {
        matches!(self, Self::Step(Step::Complete(outcome)) if matches!(outcome.ending, repl::Ending::Stopped(_)))
    }
}

/// The state of a namespace, and what it took to write it.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) dump: Dump,
    pub(crate) fuel: u64,
}

/// Fuel that it took to bring an instance to a checkpoint.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CaughtUp {
    /// To load the base.
    pub(crate) loading: u64,
    /// To repeat the events after it.
    pub(crate) repeating: u64,
    /// The work of those, where no fuel is counted.
    pub(crate) work: u64,
}

/// Why the guest handed nothing back. The instance is spent.
#[derive(Debug)]
pub(crate) enum Death {
    /// A limit that is enforced from outside.
    Stopped(Stop),
    /// It did not end within its grace.
    Killed(Stop),
    /// The guest was told to end its script and did something else.
    Ignored(Stop),
    /// The interpreter crashed; with what is known of it.
    Crashed(String),
    /// The machine failed the guest.
    Machine,
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance").finish_non_exhaustive()
    }
}

impl Instance {
    /// Room for an instance; [`start`](Self::start) makes it.
    pub(crate) fn new(sandbox: &Sandbox, state: GuestState) -> Self {
        let mut store = Store::new(sandbox.engine(), state);
        store.limiter(|state| &mut state.memory);
        let limits = &store.data().limits;
        let parts = [
            (limits.request_bytes, HOSTCALL_REQUESTS),
            (limits.value_bytes, HOSTCALL_VALUES),
        ];
        let parts = parts.map(|(bytes, factor)| factor.saturating_mul(bytes as usize));
        store.set_hostcall_fuel(
            parts
                .into_iter()
                .fold(HOSTCALL_BYTES, usize::saturating_add),
        );
        store.set_max_component_handles(HANDLES);
        if sandbox.metering().counts_fuel() {
            store
                .fuel_async_yield_interval(Some(SLICE_FUEL))
                .expect("fuel is on");
        }
        if sandbox.metering().has_epochs() {
            store.epoch_deadline_async_yield_and_update(1);
        }
        Self {
            store,
            python: None,
            memory: None,
            ticker: sandbox.ticker().cloned(),
        }
    }

    /// Gives the guest fuel, if it is counted, and the time up to the next epoch. Epochs advance until the guard is dropped.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if there is no thread to advance them.
    pub(crate) fn refill(&mut self, fuel: u64) -> Result<Option<RunningGuest>> {
        let state = self.store.data_mut();
        (state.clock.reads, state.clock.fuel_set) = (0, fuel);
        if state.metering.counts_fuel() {
            self.store.set_fuel(fuel).map_err(refused)?;
        }
        let Some(ticker) = &self.ticker else {
            return Ok(None);
        };
        self.store.set_epoch_deadline(1);
        ticker.run().map(Some).map_err(|error| {
            let what = "this machine has no thread for epochs";
            Error::new(ErrorKind::Host, what).because(error)
        })
    }

    /// Returns the time in which work of the host's own has to end: any where fuel bounds it.
    pub(crate) fn bound(&self, fuel: u64) -> Option<Duration> {
        let counts_fuel = self.store.data().metering.counts_fuel();
        (!counts_fuel).then(|| UPKEEP_TIME + Duration::from_secs(fuel / SLOWEST_FUEL))
    }

    /// Makes the instance and configures it, unless its memory is mapped from a base that was configured alike. That is
    /// charged to no script.
    async fn start(&mut self, sandbox: &Sandbox, seed: u64, base: &Base) -> Result<()> {
        let state = self.store.data_mut();
        state.purpose = Purpose::Upkeep;
        state.clock.stands_still = true;
        state.passed_bytes = 0;
        let settings = settings(state, seed);
        let _running = self.refill(STARTING_FUEL)?;
        let bound = self.bound(STARTING_FUEL);
        let python = loop {
            let python = sandbox.python()?.instantiate_async(&mut self.store);
            match within(bound, python).await {
                Ok(python) => break python,
                // Address space is no limit of the sandbox's; sessions that rest have much of it.
                Err(_) if sandbox.admission().evict_idle() => {}
                Err(error) => return Err(refused(error)),
            }
        };
        self.memory = self.store.data_mut().memory.take_memory();
        let is_mapped = base.is_mapped();
        let is_configured = |before: &str| *digest(&settings) == *before;
        if is_mapped && base.configured().is_none_or(is_configured) {
            self.python = Some(python);
            return Ok(());
        }
        if !is_mapped {
            let prepared = within(bound, python.call_prepare(&mut self.store)).await;
            prepared.map_err(|error| not_started(error, self.store.data()))?;
        }
        let repl = python.rlm_sandbox_repl();
        let configured = within(bound, repl.call_configure(&mut self.store, &settings))
            .await
            .map_err(|error| not_started(error, self.store.data()))?;
        self.python = Some(python);
        configured.map_err(|misuse| {
            Error::usage(format!(
                "the interpreter refuses these settings: {misuse:?}"
            ))
        })
    }

    /// Calls into the guest and notes the event.
    pub(crate) async fn enter(
        &mut self,
        kind: Kind,
        in_flight: &mut InFlight,
    ) -> (Event, Result<Result<Returned, Misuse>, Death>) {
        let state = self.store.data_mut();
        state.replies.clear();
        state.replied_bytes = 0;
        let budget = state
            .fuel_budget()
            .saturating_add(state.limits.fuel_reserve())
            .saturating_sub(state.exec_fuel_before());
        let meter = Arc::clone(&state.meter);
        let before = meter.read();
        // A script is watched.
        let (result, used) = self
            .call(&kind, Purpose::Script, budget, None, &meter, in_flight)
            .await;
        let work = self.work(used, meter.read().saturating_sub(before));
        let state = self.store.data_mut();
        let event = Event {
            kind,
            replies: std::mem::take(&mut state.replies),
            stopped: state.brake.pulled().and_then(|stopping| stopping.told),
            fuel: result.is_ok().then_some(used),
            work: if result.is_ok() { work } else { 0 },
            passed_bytes: state.passed_bytes,
            refused: match &result {
                Ok(Err(misuse)) => Some(*misuse),
                _ => None,
            },
            undone: false,
            kept_bytes: 0,
        };
        let event = event.weighed();
        (event, result.map_err(|error| death(&error, state)))
    }

    /// Repeats what happened: same entry, same replies, and the same fuel, or
    /// it is an error. No handler, listener or budget hears of it.
    pub(crate) async fn repeat(&mut self, event: &Event) -> Result<()> {
        let diverged = |how: String| {
            Error::new(
                ErrorKind::Guest,
                format!("repeating `{}` came out otherwise: {how}", event.function()),
            )
        };
        let state = self.store.data_mut();
        state.repeated_bytes = event.passed_bytes;
        if let Kind::SetContexts { readable, .. } = &event.kind {
            state.set_contexts(readable);
        }
        if event.kind.begins_exec() {
            state.clock.exec_fuel_before = 0;
        }
        // A different run must not run for long.
        let budget = event.fuel.unwrap_or(0).saturating_add(1_000_000);
        let purpose = Purpose::Repeat(event.replies.iter().cloned().collect());
        let took = Duration::from_micros(event.work / (SECOND_FUEL / 1_000_000));
        let bound = self.bound(0);
        let bound = bound.map(|bound| bound.saturating_add(took.saturating_mul(REPEATED_FACTOR)));
        let (result, used) = self
            .call(
                &event.kind,
                purpose,
                budget,
                bound,
                &Meter::default(),
                &mut InFlight::default(),
            )
            .await;
        let state = self.store.data_mut();
        if state.memory.refused == Some(Refusal::Machine) {
            return Err(short_of_memory());
        }
        let left = match &state.purpose {
            Purpose::Repeat(replies) => replies.len(),
            Purpose::Script | Purpose::Upkeep => 0,
        };
        let refused = match result {
            Ok(result) => result.err(),
            Err(error) => return Err(diverged(error.root_cause().to_string())),
        };
        if (refused, Some(used), left) == (event.refused, event.fuel, 0) {
            return Ok(());
        }
        Err(diverged(format!(
            "{used} fuel where it was {:?}, {left} answers unused, {refused:?}",
            event.fuel
        )))
    }

    /// Writes the state of the namespace. The instance is spent then, though it
    /// would still go on as it would have.
    pub(crate) async fn dump(&mut self) -> Result<Written, Death> {
        let state = self.store.data_mut();
        let live = state.memory.current_bytes;
        let budget = state.faults.next_dump_fuel(live);
        state.memory.begin_upkeep(live, &state.limits);
        let (mut bytes, mut fuel) = (Vec::new(), 0_u64);
        let meter = Meter::default();
        let mut is_last = false;
        for piece in 0.. {
            let left = budget.saturating_sub(fuel);
            let (result, used) = self.upkeep(&Kind::Dump { piece }, left, &meter).await;
            fuel = fuel.saturating_add(used);
            match result {
                Ok(Ok(Returned::Piece(piece))) if piece.is_empty() => break,
                Ok(Ok(Returned::Piece(piece))) => {
                    // All but the last one are whole, so that there are few.
                    if is_last || piece.len() > PIECE_BYTES {
                        let what = "a piece of a dump has another size than it should";
                        return Err(Death::Crashed(what.to_owned()));
                    }
                    is_last = piece.len() < PIECE_BYTES;
                    bytes.extend_from_slice(&piece);
                    if bytes.len() as u64 > live.saturating_mul(2) {
                        return Err(Death::Crashed(String::from("a dump does not end")));
                    }
                }
                Ok(other) => return Err(Death::Crashed(format!("a dump gave {other:?}"))),
                Err(error) => return Err(death(&error, self.store.data())),
            }
        }
        let state = self.store.data_mut();
        state.memory.end_upkeep();
        let contexts = Arc::clone(&state.contexts);
        let dump = Dump::new(&bytes, &contexts).await;
        let fuel = self.work(fuel, meter.read());
        Ok(Written { dump, fuel })
    }

    /// Returns the base that its memory is, which goes on unchanged. None where memories are not mapped page by page.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if there is no memory for it.
    pub(crate) fn snapshot(&mut self) -> Result<Option<Base>> {
        let Some(memory) = &self.memory else {
            return Ok(None);
        };
        let admission = Arc::clone(&self.store.data().admission);
        let keep = |bytes| Box::new(KeptBytes::new(&admission, bytes)) as Kept;
        let contexts = self.store.data().contexts.values();
        let texts: Vec<_> = contexts.filter_map(Context::shared).collect();
        let snapshot = memory.snapshot(&mut self.store, &texts, keep);
        let snapshot = snapshot.map_err(|error| {
            let what = "this machine has no memory for a snapshot of the session";
            Error::new(ErrorKind::Host, what).because(error)
        })?;
        Ok(Some(Base::mapped(snapshot, self.store.data())))
    }

    /// Returns whether its memory can be used on.
    pub(crate) fn is_whole(&self) -> bool {
        self.memory.as_ref().is_none_or(Memory::is_whole)
    }

    /// Returns the fuel that was used, or what the time stands for where none is counted: what bringing a session back
    /// costs is weighed by one measure.
    fn work(&self, used: u64, took: Duration) -> u64 {
        match self.store.data().metering.counts_fuel() {
            true => used,
            false => used.max(work_of(took)),
        }
    }

    /// Takes a state that another instance wrote. Gives the fuel it took.
    pub(crate) async fn load(&mut self, dump: &Dump) -> Result<u64, Death> {
        let state = self.store.data_mut();
        let contexts = Arc::clone(&state.contexts);
        let size_bytes = dump.size_bytes(&contexts);
        let budget = state.faults.next_load_fuel(size_bytes);
        state.memory.begin_upkeep(size_bytes, &state.limits);
        let (mut fuel, mut chunks) = (0_u64, dump.chunks(&contexts).peekable());
        let meter = Meter::default();
        while let Some(chunk) = chunks.next() {
            let piece = chunk.ok_or_else(|| Death::Crashed(String::from("a context is gone")))?;
            let kind = Kind::Load {
                piece: piece.into(),
                last: chunks.peek().is_none(),
            };
            let left = budget.saturating_sub(fuel);
            let (result, used) = self.upkeep(&kind, left, &meter).await;
            fuel = fuel.saturating_add(used);
            match result {
                Ok(Ok(_)) => {}
                Ok(Err(misuse)) => return Err(Death::Crashed(format!("a load gave {misuse:?}"))),
                Err(error) => return Err(death(&error, self.store.data())),
            }
        }
        self.store.data_mut().memory.end_upkeep();
        Ok(self.work(fuel, meter.read()))
    }

    /// Starts an instance that is not started and brings it to a checkpoint.
    pub(crate) async fn catch_up(
        &mut self,
        sandbox: &Sandbox,
        seed: u64,
        checkpoint: &Checkpoint,
    ) -> Result<CaughtUp> {
        let state = self.store.data_mut();
        state.memory = Limiter::new(state.faults.refuse_memory_at_bytes, state.reader.clone());
        checkpoint.base.restore(state);
        self.start(sandbox, seed, &checkpoint.base).await?;
        let mut fuel = CaughtUp::default();
        if let Stored::Dump(dump) = &checkpoint.base.stored {
            fuel.loading = match self.load(dump).await {
                Ok(fuel) => fuel,
                Err(Death::Machine) => return Err(short_of_memory()),
                Err(death) => {
                    return Err(Error::new(
                        ErrorKind::Guest,
                        format!("the interpreter cannot load its state: {death:?}"),
                    ));
                }
            };
        }
        for event in checkpoint.events.iter().filter(|event| !event.undone) {
            self.repeat(event).await?;
            fuel.repeating = fuel.repeating.saturating_add(event.fuel.unwrap_or(0));
            fuel.work = fuel.work.saturating_add(event.work);
        }
        Ok(fuel)
    }

    async fn upkeep(
        &mut self,
        kind: &Kind,
        budget: u64,
        meter: &Meter,
    ) -> (wasmtime::Result<Result<Returned, Misuse>>, u64) {
        let bound = self.bound(budget);
        self.call(
            kind,
            Purpose::Upkeep,
            budget,
            bound,
            meter,
            &mut InFlight::default(),
        )
        .await
    }

    /// One call into the guest, which has to end within `bound` if there is one, with the fuel it took.
    async fn call(
        &mut self,
        kind: &Kind,
        purpose: Purpose,
        budget: u64,
        bound: Option<Duration>,
        meter: &Meter,
        in_flight: &mut InFlight,
    ) -> (wasmtime::Result<Result<Returned, Misuse>>, u64) {
        let state = self.store.data_mut();
        let stands_still = matches!(purpose, Purpose::Upkeep);
        state.purpose = purpose;
        state.clock.stands_still = stands_still;
        state.passed_bytes = 0;
        let watch = state.watch();
        let running = match self.refill(budget) {
            Ok(running) => running,
            Err(error) => return (Err(wasmtime::Error::new(error)), 0),
        };
        let result = {
            let guest = pin!(within(
                bound,
                invoke(self.python.as_ref(), &mut self.store, kind)
            ));
            Metered {
                guest,
                meter,
                watch,
                in_flight,
            }
            .await
        };
        drop(running);
        let store = &self.store;
        let left = store.data().fuel_left(|| store.get_fuel()).unwrap_or(0);
        let used = budget.saturating_sub(left);
        if !stands_still {
            let clock = &mut self.store.data_mut().clock;
            clock.fuel_before = clock.fuel_before.saturating_add(used);
            clock.exec_fuel_before = clock.exec_fuel_before.saturating_add(used);
        }
        (result, used)
    }

    /// Bytes of its linear memory, touched or not.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.store.data().memory.current_bytes
    }

    pub(crate) fn into_state(self) -> GuestState {
        let mut state = self.store.into_data();
        state.memory.take_memory();
        state
    }
}

/// What the guest is told before anything else.
pub(crate) fn settings(state: &GuestState, seed: u64) -> Settings {
    let function = |tool: &crate::Tool| repl::Function {
        name: tool.name().to_owned(),
        awaitable: tool.awaitable,
    };
    Settings {
        functions: state.handlers.tools.iter().map(function).collect(),
        profile: state.profile.settings(),
        limits: repl::Limits {
            memory_bytes: state.limits.memory_bytes,
            recursion: state.limits.recursion,
            source_bytes: state.limits.source_bytes,
            value_bytes: state.limits.value_bytes,
            request_bytes: state.limits.request_bytes,
            allocations: state.limits.allocations,
            jump_nanoseconds: JUMP_NANOSECONDS,
        },
        seed,
    }
}

/// Returns the digest of what a guest is configured with.
pub(crate) fn digest(settings: &Settings) -> Arc<str> {
    let mut hasher = Sha256::new();
    hasher.update(format!("{settings:?}"));
    hex(&hasher.finalize()).into()
}

async fn invoke(
    python: Option<&Python>,
    store: &mut Store<GuestState>,
    kind: &Kind,
) -> wasmtime::Result<Result<Returned, Misuse>> {
    let repl = python
        .ok_or_else(|| wasmtime::Error::msg("the instance was never started"))?
        .rlm_sandbox_repl();
    Ok(match kind {
        Kind::SetContexts { files, default, .. } => repl
            .call_set_contexts(store, files, default.as_ref())
            .await?
            .map(|()| Returned::Nothing),
        Kind::Exec {
            source,
            waited_seconds,
        } => {
            store.data_mut().clock.waited_seconds = *waited_seconds;
            repl.call_exec(store, source).await?.map(Returned::Step)
        }
        Kind::Resume { how } => repl.call_resume(store, how).await?.map(Returned::Step),
        Kind::SetVariable { name, json } => repl
            .call_set_variable(store, name, json)
            .await?
            .map(|()| Returned::Nothing),
        Kind::GetVariable { name } => repl
            .call_get_variable(store, name)
            .await?
            .map(Returned::Value),
        Kind::Variables { look } => repl
            .call_variables(store, (*look).into())
            .await?
            .map(Returned::Variables),
        Kind::Dump { piece } => repl.call_dump(store, *piece).await?.map(Returned::Piece),
        Kind::Load { piece, last } => repl
            .call_load(store, piece, *last)
            .await?
            .map(|_| Returned::Nothing),
    })
}

/// Says why a call into the guest trapped.
fn death(error: &wasmtime::Error, state: &GuestState) -> Death {
    match state.memory.refused {
        Some(Refusal::Cap) => return Death::Stopped(Stop::Memory),
        Some(Refusal::Machine) => return Death::Machine,
        None => {}
    }
    if error.downcast_ref::<Killed>().is_some() {
        return Death::Killed(
            state
                .brake
                .pulled()
                .map_or(Stop::Time, |stopping| stopping.why),
        );
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Death::Stopped(Stop::Fuel),
        Some(Trap::StackOverflow) => Death::Crashed(STACK_EXHAUSTED.to_owned()),
        _ => Death::Crashed(
            state
                .last_error
                .clone()
                .unwrap_or_else(|| error.root_cause().to_string()),
        ),
    }
}

pub(crate) fn never_started() -> Error {
    Error::new(ErrorKind::Guest, "the interpreter was never started")
}

/// What is told when the machine, not the script, is short of memory.
pub(crate) fn short_of_memory() -> Error {
    Error::new(
        ErrorKind::Host,
        "a running script was refused memory, by the machine or by a limit on this process (`ulimit -v`, `--isolated-memory`); raise \
         that limit, or lower the limit of the script (`--memory`)",
    )
}

/// An instance that `prepare` or `configure` ended.
fn not_started(error: wasmtime::Error, state: &GuestState) -> Error {
    if state.memory.refused == Some(Refusal::Machine) {
        return short_of_memory();
    }
    Error::new(
        ErrorKind::Guest,
        "the interpreter ended while it was started; use the one that this library carries, or build it again",
    )
    .because(error)
}

pub(crate) fn refused(error: wasmtime::Error) -> Error {
    Error::new(
        ErrorKind::Host,
        "this machine refuses another instance of the interpreter",
    )
    .because(error)
}
