//! One instance of a plugin: made, called, and why it came to grief.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use rlm_sandbox::{Context, Limits, PluginCall, PluginMemory, ToolError};
use rlm_sandbox_engine::{AlarmClock, Meter, SLICE_FUEL, Settings};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::component::{Component, Instance as Instantiated, InstancePre, ResourceTable, Val};
use wasmtime::{Engine, ResourceLimiter, Store, Trap};
use wasmtime_wasi::{I32Exit, WasiCtx, WasiCtxView, WasiView};

use crate::bounds::CompileCost;
use crate::call_time::{CallTime, DeadlineCheck, HostWait};
use crate::folders::Folders;
use crate::function::Function;
use crate::limits::PluginLimits;
use crate::manifest::Manifest;
use crate::open_files::OpenFiles;
use crate::places::{AllPlaces, Place, Places};
use crate::wasi::{self, Printed};

/// Fuel that an instance may use to start, which nobody is charged for.
const STARTING_FUEL: u64 = 1_000_000_000;
/// Bytes that one call may hand over to the host, at least.
const HOSTCALL_BYTES: usize = 4 << 20;
/// Handles of resources that an instance may have.
const HANDLES: usize = 256;
/// Elements of tables, all of them together.
const TABLE_ELEMENTS: usize = 20_000;
/// Bytes that an element of a table counts for in the memory of all plugins.
const ELEMENT_BYTES: usize = 16;
/// Memories, and tables, of one plugin.
const PARTS: usize = 16;
/// Core instances of one plugin: `componentize-py` links a Python interpreter from some twenty.
const CORE_INSTANCES: usize = 64;
/// The name under which plugins of a session keep what they share. No plugin has it.
pub(crate) const NO_PLUGIN: &str = "";
/// Bytes kept of what a plugin writes to standard error, to tell of a panic.
const SAID_BYTES: u64 = 4 << 10;

/// What the store of a plugin holds.
pub(crate) struct State {
    pub(crate) plugin: Arc<str>,
    table: ResourceTable,
    wasi: WasiCtx,
    pub(crate) printed: Printed,
    said: Printed,
    limits: PluginLimits,
    memory: Limiter,
    meter: Arc<Meter>,
    /// Compute time of this call.
    time: Duration,
    /// The limit that was reached.
    reached: Option<Limit>,
    calls: u64,
    file_calls: u64,
    logged_bytes: usize,
    /// Whom it serves, while it does.
    call: Option<PluginCall>,
    reads: Arc<Manifest>,
    pub(crate) open_files: Arc<OpenFiles>,
    pub(crate) folders: Arc<Folders>,
    wait: Arc<HostWait>,
    places: Places,
    /// Its place among the calls that run.
    place: Option<Place>,
    /// What the store was given for this call, and used up before.
    fuel_set: u64,
    fuel_before: u64,
    slept_nanoseconds: u64,
}

/// Bytes that a call of a plugin logs, at most.
const LOGGED_BYTES: usize = 1 << 20;

/// A limit that a call ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Time,
    Memory,
    /// Memory of the instances of all plugins together.
    AllMemory,
    /// Memory mappings of the instances of all plugins together.
    AllMappings,
    Tables,
    HostCalls,
    FileCalls,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the plugin reached a limit: {self:?}")
    }
}

impl std::error::Error for Limit {}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl State {
    pub(crate) fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }

    /// The monotonic clock, when the store has `left` fuel.
    pub(crate) fn nanoseconds(&self, left: u64) -> u64 {
        let fuel = self
            .fuel_before
            .saturating_add(self.fuel_set.saturating_sub(left));
        (fuel / 10).saturating_add(self.slept_nanoseconds)
    }

    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        self.slept_nanoseconds = self.slept_nanoseconds.saturating_add(nanoseconds);
    }

    /// A context that the plugin may read.
    pub(crate) fn context(&self, name: &str) -> Option<&Context> {
        let call = self.call.as_ref().filter(|_| self.reads.reads(name))?;
        call.readable(name)
    }

    /// Returns an account with so many bytes of the memory of all plugins, if there is room for them.
    pub(crate) fn memory_for(&self, bytes: u64) -> Option<PluginMemory> {
        let mut memory = self.memory.shared.another();
        memory.grow(bytes).then_some(memory)
    }

    /// Counts a call to the host.
    pub(crate) fn count_call(&mut self) -> Result<(), wasmtime::Error> {
        self.calls += 1;
        match self.calls > self.limits.host_calls {
            true => Err(self.reach(Limit::HostCalls)),
            false => Ok(()),
        }
    }

    /// Returns whether a message of so many bytes may go to the log of the program. The first one for which there is no room is
    /// said.
    pub(crate) fn may_log(&mut self, bytes: usize) -> bool {
        let before = self.logged_bytes;
        // A program writes each message with a time, a level and the plugin.
        self.logged_bytes = before.saturating_add(bytes + 100);
        let fits = self.logged_bytes <= LOGGED_BYTES;
        if !fits && before <= LOGGED_BYTES {
            let plugin = &*self.plugin;
            tracing::warn!(
                target: "rlm_sandbox::plugin",
                plugin,
                "what this call logs from here on is left out: it has {LOGGED_BYTES} bytes"
            );
        }
        fits
    }

    /// Counts a call for a file or folder.
    pub(crate) fn count_file_call(&mut self) -> Result<(), wasmtime::Error> {
        self.file_calls += 1;
        match self.file_calls > self.limits.file_calls {
            true => Err(self.reach(Limit::FileCalls)),
            false => Ok(()),
        }
    }

    /// Asks the model.
    pub(crate) fn ask(
        &mut self,
        prompt: String,
        model: Option<String>,
    ) -> Result<
        impl Future<Output = Result<String, String>> + Send + 'static + use<>,
        wasmtime::Error,
    > {
        self.count_call()?;
        let asked = self.call.as_ref().map(|call| call.ask(prompt, model));
        Ok(async move {
            match asked {
                Some(asked) => asked.await,
                None => Err(String::from(
                    "a model can be asked in the middle of a call only",
                )),
            }
        })
    }

    /// Gives its place to another call while it waits, free of charge; a place of those that
    /// this returns is for [`take_place`](Self::take_place). None for an instance that is started: the call that starts
    /// it holds the place.
    pub(crate) fn leave_place(&mut self) -> Option<Places> {
        self.call.as_ref()?;
        self.place = None;
        self.wait.set_free(true);
        Some(self.places.clone())
    }

    /// Goes on in a place.
    pub(crate) fn take_place(&mut self, place: Option<Place>) {
        self.place = place;
        self.wait.set_free(false);
    }

    /// Returns the time of the poll at hand.
    ///
    /// # Errors
    ///
    /// [`Limit::Time`] if the time of the call is over.
    pub(crate) fn check_time(&mut self) -> Result<Duration, wasmtime::Error> {
        let (compute, poll) = self.meter.read_within_poll();
        match compute < self.time {
            true => Ok(poll),
            false => Err(self.reach(Limit::Time)),
        }
    }

    fn reach(&mut self, limit: Limit) -> wasmtime::Error {
        self.reached.get_or_insert(limit);
        wasmtime::Error::new(limit)
    }
}

/// Grants memory up to the cap, and says when it did not.
#[derive(Debug)]
struct Limiter {
    memory_bytes: usize,
    /// What all memories have now.
    has_bytes: usize,
    has_elements: usize,
    /// The part of the memory of all plugins that this instance has.
    shared: PluginMemory,
    refused: Option<Limit>,
}

impl Limiter {
    /// Takes what an instance needs to start.
    fn reserve(&mut self, footprint: Footprint) -> wasmtime::Result<()> {
        if !self.shared.map(footprint.mappings) {
            self.refused = Some(Limit::AllMappings);
            return Err(wasmtime::Error::new(Limit::AllMappings));
        }
        self.share(footprint.bytes)
    }

    /// Takes a part of the memory of all plugins.
    fn share(&mut self, bytes: usize) -> wasmtime::Result<()> {
        if self.shared.grow(bytes as u64) {
            return Ok(());
        }
        self.refused = Some(Limit::AllMemory);
        Err(wasmtime::Error::new(Limit::AllMemory))
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|most| desired > most) {
            // Its own maximum, of which it knows.
            return Ok(false);
        }
        let more = desired.saturating_sub(current);
        let all = self.has_bytes.saturating_add(more);
        if all > self.memory_bytes {
            self.refused = Some(Limit::Memory);
            // Told by -1, a plugin's allocator aborts with no word of why.
            return Err(wasmtime::Error::new(Limit::Memory));
        }
        self.share(more)?;
        self.has_bytes = all;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        Err(error)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current);
        let all = self.has_elements.saturating_add(more);
        if all > TABLE_ELEMENTS {
            self.refused = Some(Limit::Tables);
            return Err(wasmtime::Error::new(Limit::Tables));
        }
        self.share(more.saturating_mul(ELEMENT_BYTES))?;
        self.has_elements = all;
        Ok(true)
    }

    fn instances(&self) -> usize {
        CORE_INSTANCES
    }

    fn memories(&self) -> usize {
        PARTS
    }

    fn tables(&self) -> usize {
        PARTS
    }
}

/// A plugin that runs, or could.
pub(crate) struct Instance {
    store: Store<State>,
    component: Instantiated,
    /// Its place among those that the session keeps.
    kept: Option<OwnedSemaphorePermit>,
}

/// The instance that a session keeps of a plugin, if it does.
#[derive(Default)]
pub(crate) struct Slot {
    /// Lock of the call that uses the instance. Calls wait in the order of asking.
    pub(crate) turn: tokio::sync::Mutex<()>,
    instance: Mutex<Option<Instance>>,
}

impl Slot {
    /// Takes the instance for a call.
    pub(crate) fn take(&self) -> Option<Instance> {
        let mut instance = self.lock().take()?;
        instance.store.data_mut().memory.shared.resume();
        Some(instance)
    }

    /// Keeps the instance until the next call, or until others need its memory, if it is one of
    /// those for which `places` has room.
    pub(crate) fn keep(self: &Arc<Self>, mut instance: Instance, places: Arc<Semaphore>) {
        let kept = instance.kept.take();
        instance.kept = kept.or_else(|| places.try_acquire_owned().ok());
        if instance.kept.is_none() {
            return;
        }
        let slot: Weak<Self> = Arc::downgrade(self);
        let drop_instance = move || {
            let instance = slot.upgrade().and_then(|slot| slot.lock().take());
            drop(instance);
        };
        let mut kept = self.lock();
        let memory = &mut instance.store.data_mut().memory.shared;
        memory.rest(drop_instance);
        *kept = Some(instance);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instance>> {
        self.instance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an instance of a plugin takes beside its memories and the elements of its tables, at the most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    bytes: usize,
    mappings: u64,
}

impl Footprint {
    pub(crate) fn new(settings: &Settings, cost: &CompileCost, component: &Component) -> Self {
        /// Bytes of a store without instances.
        const STORE_BYTES: usize = 32 << 10;
        /// Mappings of a memory: the guards around it, and what it has, whose middle may be a file's.
        const OF_MEMORY: u64 = 5;
        /// Mappings of a stack: itself, and its guard.
        const OF_STACK: u64 = 2;
        /// Mappings of tables, which may have as many more bytes as elements count for.
        const OF_TABLES: u64 = 2;
        /// The allocator makes a mapping for what is not smaller than this.
        const ALLOCATED_BYTES: u64 = 128 << 10;
        let memories = component.resources_required();
        // More than there may be are refused when they are made.
        let memories = memories.map_or(PARTS, |all| (all.num_memories as usize).min(PARTS));
        let context_bytes = usize::try_from(cost.instance_bytes).unwrap_or(usize::MAX);
        let bytes = STORE_BYTES.saturating_add(context_bytes);
        Self {
            bytes: bytes.saturating_add(settings.stack_bytes()),
            mappings: OF_MEMORY * memories as u64
                + OF_STACK
                + OF_TABLES
                + cost.instance_bytes / ALLOCATED_BYTES,
        }
    }
}

/// What instances of a plugin are made from.
pub(crate) struct Mold {
    pub(crate) name: Arc<str>,
    pub(crate) engine: Engine,
    pub(crate) pre: InstancePre<State>,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) folders: Arc<Folders>,
    pub(crate) limits: PluginLimits,
    pub(crate) places: AllPlaces,
    pub(crate) footprint: Footprint,
    /// Ends calls that wait for the host too long.
    pub(crate) alarms: AlarmClock,
}

/// What a call came to, and what it took.
pub(crate) struct Ran {
    pub(crate) result: Result<Option<Val>, ToolError>,
    pub(crate) fuel: u64,
    pub(crate) printed: String,
}

impl Instance {
    /// Makes an instance for the session of a call. Time counts, fuel does not.
    pub(crate) async fn new(
        mold: &Mold,
        call: &PluginCall,
        time: Duration,
        meter: &Arc<Meter>,
    ) -> Result<Self, ToolError> {
        let (printed, said) = (Printed::default(), Printed::default());
        printed.begin(mold.limits.output_bytes);
        said.begin(SAID_BYTES);
        let wasi = wasi::context(&mold.manifest, &printed, &said);
        let mut table = ResourceTable::new();
        table.set_max_capacity(HANDLES);
        let wait = Arc::<HostWait>::default();
        let state = State {
            plugin: Arc::clone(&mold.name),
            table,
            wasi,
            printed,
            said,
            limits: mold.limits,
            memory: Limiter {
                memory_bytes: usize::try_from(mold.limits.memory_bytes).unwrap_or(usize::MAX),
                has_bytes: 0,
                has_elements: 0,
                shared: call.memory(),
                refused: None,
            },
            meter: Arc::clone(meter),
            time,
            reached: None,
            calls: 0,
            file_calls: 0,
            logged_bytes: 0,
            call: None,
            reads: Arc::clone(&mold.manifest),
            open_files: call.kept(NO_PLUGIN, OpenFiles::default),
            folders: Arc::clone(&mold.folders),
            wait: Arc::clone(&wait),
            places: mold.places.of_session(call),
            place: None,
            fuel_set: STARTING_FUEL,
            fuel_before: 0,
            slept_nanoseconds: 0,
        };
        let mut store = Store::new(&mold.engine, state);
        store.limiter(|state| &mut state.memory);
        store.call_hook_async(DeadlineCheck);
        store.set_max_component_handles(HANDLES);
        store.set_hostcall_fuel(HOSTCALL_BYTES);
        let reserved = store.data_mut().memory.reserve(mold.footprint);
        let readied = reserved
            .and_then(|()| store.fuel_async_yield_interval(Some(SLICE_FUEL)))
            .and_then(|()| store.set_fuel(STARTING_FUEL));
        let started = match readied {
            Ok(()) => {
                let clock = CallTime {
                    meter,
                    wait: &wait,
                    alarms: &mold.alarms,
                    most: time,
                };
                let started = mold.pre.instantiate_async(&mut store);
                in_time(clock.run(started, call.time_counter()).await)
            }
            Err(error) => Err(error),
        };
        match started {
            Ok(component) => Ok(Self {
                store,
                component,
                kept: None,
            }),
            Err(error) => {
                let starting = " while it started";
                Err(told(&error, store.data(), starting, STARTING_FUEL))
            }
        }
    }

    /// Calls a function. After an error the instance is spent.
    pub(crate) async fn call(
        &mut self,
        mold: &Mold,
        function: &Function,
        parameters: &[Val],
        call: PluginCall,
        place: Option<Place>,
        meter: &Arc<Meter>,
    ) -> Ran {
        let (fuel, counter) = (call.allowance.fuel, call.time_counter());
        let state = self.store.data_mut();
        state.printed.begin(mold.limits.output_bytes);
        state.said.begin(SAID_BYTES);
        let time = call.allowance.time.min(mold.limits.time);
        state.time = time;
        state.call = Some(call);
        state.place = place;
        state.meter = Arc::clone(meter);
        (state.calls, state.file_calls, state.logged_bytes) = (0, 0, 0);
        let wait = Arc::clone(&state.wait);
        wait.reset();
        state.fuel_set = fuel;
        let output = usize::try_from(mold.limits.output_bytes).unwrap_or(usize::MAX);
        let bytes = HOSTCALL_BYTES.max(output.saturating_mul(2));
        self.store.set_hostcall_fuel(bytes / function.result_factor);
        let mut results = vec![Val::Bool(false); usize::from(function.result.is_some())];
        let called = match (
            self.store.set_fuel(fuel),
            self.component.get_func(&mut self.store, function.index),
        ) {
            (Ok(()), Some(exported)) => {
                let called = exported.call_async(&mut self.store, parameters, &mut results);
                let clock = CallTime {
                    meter,
                    wait: &wait,
                    alarms: &mold.alarms,
                    most: time,
                };
                in_time(clock.run(called, counter).await)
            }
            (Err(error), _) => Err(error),
            (_, None) => Err(wasmtime::Error::msg("the function is gone")),
        };
        let most = (time == mold.limits.time).then_some(time);
        let seen = fuel.saturating_sub(self.store.get_fuel().unwrap_or(0));
        let used = match &called {
            Ok(()) => seen,
            Err(error) => charged(error, seen, most).min(fuel),
        };
        let state = self.store.data_mut();
        (state.call, state.place) = (None, None);
        state.fuel_before = state.fuel_before.saturating_add(used);
        Ran {
            result: match called {
                Ok(()) => Ok(results.pop()),
                Err(error) => Err(told(&error, state, "", fuel)),
            },
            fuel: used,
            printed: state.printed.take(),
        }
    }
}

/// Returns the fuel that a call is charged with that did not end well, when the engine saw it use `seen`.
///
/// It is the same whenever the call is repeated, so that scripts that read their budget are: no part of it follows a
/// clock. What an engine saw is at most a slice behind: it counts where functions are called, and after each slice.
/// `most` is the time limit of the call; without one the exec's own time is over, and its script with it.
fn charged(error: &wasmtime::Error, seen: u64, most: Option<Duration>) -> u64 {
    match error.downcast_ref() {
        Some(Trap::OutOfFuel) => u64::MAX,
        Some(Trap::UnreachableCodeReached) => seen,
        _ if error.downcast_ref::<I32Exit>().is_some() => seen,
        // What it used depends on the machine. It had `most`, and is charged with what an exec of that time has.
        _ if matches!(error.downcast_ref(), Some(Limit::Time)) => match most {
            Some(most) => {
                let mut limits = Limits::default();
                limits.time = most;
                limits.fuel_budget()
            }
            None => seen,
        },
        _ => seen.saturating_add(SLICE_FUEL),
    }
}

/// Why a call failed, as the script is told. `when` is empty or says when.
fn told(error: &wasmtime::Error, state: &State, when: &str, fuel: u64) -> ToolError {
    let limits = &state.limits;
    let limit = error.downcast_ref().copied().or(state.reached);
    if let Some(limit) = limit.or(state.memory.refused) {
        let (kind, message) = match limit {
            Limit::Time => return took_too_long(state.time, when),
            Limit::Memory => ("MemoryError", {
                format!(
                    "wanted more than {} bytes of memory (`max_pages` under [memory] of its manifest)",
                    limits.memory_bytes
                )
            }),
            Limit::AllMemory => ("MemoryError", {
                format!(
                    "wanted more memory, and the instances of plugins of all sessions may have {} bytes together, half of \
                     the sandbox's memory; try again when others are done",
                    state.memory.shared.most_bytes()
                )
            }),
            Limit::AllMappings => ("MemoryError", {
                format!(
                    "wanted more memory mappings, and the instances of plugins of all sessions may have {} together; try \
                     again when others are done",
                    state.memory.shared.most_mappings()
                )
            }),
            Limit::Tables => ("MemoryError", {
                format!("wanted tables of more than {TABLE_ELEMENTS} elements")
            }),
            Limit::HostCalls => ("RuntimeError", {
                format!(
                    "called its host more than {} times (`host_calls` under [limits] of its manifest)",
                    limits.host_calls
                )
            }),
            Limit::FileCalls => ("RuntimeError", {
                format!(
                    "called its host for files more than {} times (`file_calls` under [limits] of its manifest)",
                    limits.file_calls
                )
            }),
        };
        return ToolError::new(kind, format!("the plugin {message}{when}"));
    }
    let runtime = |message: String| ToolError::new("RuntimeError", message);
    if let Some(I32Exit(status)) = error.downcast_ref() {
        return runtime(format!(
            "the plugin ended itself with status {status}{when}"
        ));
    }
    let said = state.said.take();
    let said = said.trim();
    let because = match said.is_empty() {
        true => String::new(),
        false => format!(": {said}"),
    };
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => runtime(format!(
            "the plugin used up its {fuel} fuel{when} (`fuel` under [limits] of its manifest, or what the exec has left)"
        )),
        Some(Trap::StackOverflow) => ToolError::new(
            "RecursionError",
            format!("the plugin ran out of stack{when}"),
        ),
        Some(Trap::UnreachableCodeReached) => runtime(format!("the plugin gave up{when}{because}")),
        Some(trap) => runtime(format!("the plugin crashed{when}: {trap}{because}")),
        None => runtime(format!(
            "the plugin failed{when}: {}{because}",
            error.root_cause()
        )),
    }
}

/// Returns the error of a call whose time did not suffice. `when` is empty or says when.
///
/// A limit has whole milliseconds. What an exec has left of its own has not, and says how long its script computed, which
/// no script may learn.
pub(crate) fn took_too_long(time: Duration, when: &str) -> ToolError {
    let message = match time.subsec_nanos() % 1_000_000 {
        0 => format!(
            "the plugin took longer than {time:?} (`timeout_ms` of its manifest, or the exec's own time){when}"
        ),
        _ => format!("the plugin took longer than the exec had left of its own time{when}"),
    };
    ToolError::new("TimeoutError", message)
}

/// Returns the result of a call, if its time sufficed.
fn in_time<T>(called: Option<wasmtime::Result<T>>) -> wasmtime::Result<T> {
    called.unwrap_or_else(|| Err(wasmtime::Error::new(Limit::Time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_tells_what_time_an_exec_had_left() {
        let message = |time| format!("{:?}", took_too_long(time, ""));
        assert!(message(Duration::from_millis(100)).contains("longer than 100ms"));
        let left = message(Duration::from_nanos(892_591_560));
        assert!(
            !left.contains(|digit: char| digit.is_ascii_digit()),
            "{left}"
        );
    }
}
