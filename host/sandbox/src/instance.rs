//! One instance of the guest: how it is made, entered, and how it dies.

use std::pin::pin;
use std::sync::Arc;

use wasmtime::{Store, Trap, UpdateDeadline};

use crate::bindings::Python;
use crate::bindings::exports::rlm::sandbox::repl::{self, Misuse, Settings, Step};
use crate::call::InFlight;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, Kind};
use crate::guest_state::{GuestState, JUMP_NANOSECONDS, Killed};
use crate::memory::Refusal;
use crate::meter::{Meter, Metered};
use crate::outcome::Stop;
use crate::sandbox::Sandbox;

/// Bytes of parameters that a guest may pass with one call. What it may
/// legally send is far less; see `Limits::request_bytes`.
const HOSTCALL_BYTES: usize = 64 << 20;
/// Component handles of one instance: it needs one for a sleep, none to keep.
const HANDLES: usize = 256;

/// A live namespace.
pub(crate) struct Instance {
    pub(crate) store: Store<GuestState>,
    python: Python,
}

/// What the guest handed back.
#[derive(Debug)]
pub(crate) enum Returned {
    Nothing,
    Step(Step),
    Value(Option<repl::Value>),
}

/// Why the guest handed nothing back. The instance is spent.
#[derive(Debug)]
pub(crate) enum Death {
    /// A limit that is enforced from outside, or a kill after its grace.
    Stopped(Stop),
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
    /// A new instance, configured.
    ///
    /// Starting it is not charged to the session, and takes the same memory
    /// each time.
    pub(crate) async fn new(sandbox: &Sandbox, state: GuestState, seed: u64) -> Result<Self> {
        let settings = Settings {
            functions: state
                .handlers
                .tools
                .iter()
                .map(|tool| repl::Function {
                    name: tool.name().to_owned(),
                    awaitable: tool.awaitable,
                })
                .collect(),
            limits: repl::Limits {
                memory_bytes: state.limits.memory_bytes,
                recursion: state.limits.recursion,
                source_bytes: state.limits.source_bytes,
                value_bytes: state.limits.value_bytes,
                request_bytes: state.limits.request_bytes,
                jump_nanoseconds: JUMP_NANOSECONDS,
            },
            seed,
        };
        let mut store = Store::new(sandbox.engine(), state);
        store.limiter(|state| &mut state.memory);
        store.set_hostcall_fuel(HOSTCALL_BYTES);
        store.set_max_component_handles(HANDLES);
        store.set_fuel(u64::MAX).map_err(refused)?;
        store.set_epoch_deadline(u64::MAX / 2);
        store.epoch_deadline_callback(|mut context| {
            context.data_mut().look_at_time()?;
            Ok(UpdateDeadline::Yield(1))
        });
        let python = sandbox
            .python()?
            .instantiate_async(&mut store)
            .await
            .map_err(refused)?;
        match python
            .rlm_sandbox_repl()
            .call_configure(&mut store, &settings)
            .await
            .map_err(refused)?
        {
            Ok(()) => Ok(Self { store, python }),
            Err(misuse) => Err(Error::usage(format!(
                "the interpreter refuses these settings: {misuse:?}"
            ))),
        }
    }

    /// Calls into the guest and notes the event.
    pub(crate) async fn enter(
        &mut self,
        sandbox: &Sandbox,
        kind: Kind,
        in_flight: &mut InFlight,
    ) -> (Event, Result<Result<Returned, Misuse>, Death>) {
        let state = self.store.data_mut();
        state.replies.clear();
        state.clock.reads = 0;
        let most = state
            .limits
            .fuel
            .saturating_add(state.limits.fuel_reserve());
        let budget = most.saturating_sub(state.clock.exec_fuel_before);
        state.clock.fuel_set = budget;
        let meter: Arc<Meter> = Arc::clone(&state.meter);
        self.store.set_fuel(budget).expect("fuel is on");
        self.store.set_epoch_deadline(1);

        let result = {
            let guest = pin!(invoke(&self.python, &mut self.store, &kind));
            Metered {
                guest,
                meter: &meter,
                ticker: sandbox.ticker(),
                in_flight,
            }
            .await
        };

        let left = self.store.get_fuel().unwrap_or(0);
        let used = budget.saturating_sub(left);
        let state = self.store.data_mut();
        state.clock.fuel_before += used;
        state.clock.exec_fuel_before += used;
        let stopped = state.stop.and_then(|stopping| stopping.told);
        let event = Event {
            kind,
            replies: std::mem::take(&mut state.replies),
            stopped,
            fuel: result.is_ok().then_some(used),
        };
        let result = result.map_err(|error| death(&error, state));
        (event, result)
    }

    /// Fuel of the exec at hand.
    pub(crate) fn exec_fuel(&self) -> u64 {
        self.store.data().clock.exec_fuel_before
    }

    /// Readies the host's side for a new exec.
    pub(crate) fn begin_exec(&mut self, starts_handlers: bool) {
        let state = self.store.data_mut();
        state.meter.reset();
        state.clock.exec_fuel_before = 0;
        state.output.clear();
        state.records.clear();
        state.pending.clear();
        state.stop = None;
        state.last_error = None;
        state.starts_handlers = starts_handlers;
        state.memory.refused = None;
    }

    /// Why the host wanted the script to end, if it did.
    pub(crate) fn stop_reason(&self) -> Option<Stop> {
        self.store.data().stop.map(|stopping| stopping.why)
    }
}

async fn invoke(
    python: &Python,
    store: &mut Store<GuestState>,
    kind: &Kind,
) -> wasmtime::Result<Result<Returned, Misuse>> {
    let repl = python.rlm_sandbox_repl();
    Ok(match kind {
        Kind::SetContexts { files, default } => repl
            .call_set_contexts(store, files, default.as_ref())
            .await?
            .map(|()| Returned::Nothing),
        Kind::Exec { source } => repl.call_exec(store, source).await?.map(Returned::Step),
        Kind::Resume { how } => repl.call_resume(store, how).await?.map(Returned::Step),
        Kind::SetVariable { name, json } => repl
            .call_set_variable(store, name, json)
            .await?
            .map(|()| Returned::Nothing),
        Kind::GetVariable { name } => repl
            .call_get_variable(store, name)
            .await?
            .map(Returned::Value),
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
        return Death::Stopped(state.stop.map_or(Stop::Time, |stopping| stopping.why));
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Death::Stopped(Stop::Fuel),
        Some(Trap::StackOverflow) => {
            Death::Crashed(String::from("the interpreter's stack is exhausted"))
        }
        _ => Death::Crashed(
            state
                .last_error
                .clone()
                .unwrap_or_else(|| error.root_cause().to_string()),
        ),
    }
}

fn refused(error: wasmtime::Error) -> Error {
    Error::new(
        ErrorKind::Host,
        "this machine refuses another instance of the interpreter",
    )
    .because(error)
}
