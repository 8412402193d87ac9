//! The machine that a plugin sees: what its manifest grants, and an empty world.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncWrite;
use wasmtime::StoreContextMut;
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, Linker, Resource};
use wasmtime_wasi::cli::{IsTerminal, StdoutStream, WasiCli, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::p2::bindings::{cli, clocks, random};
use wasmtime_wasi::random::WasiRandom;
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiView as _};
use wasmtime_wasi_io::bindings::wasi::io;
use wasmtime_wasi_io::bytes::Bytes;
use wasmtime_wasi_io::poll::{DynPollable, Pollable, subscribe};
use wasmtime_wasi_io::streams::{OutputStream, StreamResult};

use crate::folders;
use crate::instance::State;
use crate::manifest::Manifest;
use crate::streams;

/// Keys of hash maps, the same in each run.
const SEED: u128 = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344;
/// Bytes that one read of randomness gives at the most.
const RANDOM_BYTES: u64 = 64 << 10;

/// What one instance of a plugin sees, but for the folders, which all instances share.
pub(crate) fn context(manifest: &Manifest, printed: &Printed, said: &Printed) -> WasiCtx {
    let mut wasi = WasiCtxBuilder::new();
    wasi.stdout(printed.clone())
        .stderr(said.clone())
        .insecure_random_seed(SEED)
        .max_random_size(RANDOM_BYTES);
    for name in &manifest.permissions.environment {
        if let Ok(value) = std::env::var(name) {
            wasi.env(name, value);
        }
    }
    wasi.build()
}

/// Defines what `component` imports from WASI.
pub(crate) fn define(linker: &mut Linker<State>, component: &Component) -> wasmtime::Result<()> {
    let engine = component.engine();
    for (name, item) in component.component_type().imports(engine) {
        if !matches!(item.ty, ComponentItem::ComponentInstance(_)) {
            continue;
        }
        let l = &mut *linker;
        match name.split('@').next().unwrap_or(name) {
            "wasi:io/error" => io::error::add_to_linker::<State, Io>(l, State::table)?,
            "wasi:io/poll" => io::poll::add_to_linker::<State, Io>(l, State::table)?,
            "wasi:io/streams" => streams::define(l)?,
            "wasi:cli/exit" => cli::exit::add_to_linker::<State, WasiCli>(l, State::cli)?,
            "wasi:cli/environment" => {
                cli::environment::add_to_linker::<State, WasiCli>(l, State::cli)?;
            }
            "wasi:cli/stdin" => cli::stdin::add_to_linker::<State, WasiCli>(l, State::cli)?,
            "wasi:cli/stdout" => cli::stdout::add_to_linker::<State, WasiCli>(l, State::cli)?,
            "wasi:cli/stderr" => cli::stderr::add_to_linker::<State, WasiCli>(l, State::cli)?,
            "wasi:cli/terminal-input" => {
                cli::terminal_input::add_to_linker::<State, WasiCli>(l, State::cli)?;
            }
            "wasi:cli/terminal-output" => {
                cli::terminal_output::add_to_linker::<State, WasiCli>(l, State::cli)?;
            }
            "wasi:cli/terminal-stdin" => {
                cli::terminal_stdin::add_to_linker::<State, WasiCli>(l, State::cli)?;
            }
            "wasi:cli/terminal-stdout" => {
                cli::terminal_stdout::add_to_linker::<State, WasiCli>(l, State::cli)?;
            }
            "wasi:cli/terminal-stderr" => {
                cli::terminal_stderr::add_to_linker::<State, WasiCli>(l, State::cli)?;
            }
            "wasi:clocks/monotonic-clock" => monotonic_clock(l, name)?,
            "wasi:clocks/wall-clock" => {
                clocks::wall_clock::add_to_linker::<State, WasiClocks>(l, State::clocks)?;
            }
            "wasi:random/random" => {
                random::random::add_to_linker::<State, WasiRandom>(l, |state| {
                    state.ctx().ctx.random()
                })?;
            }
            "wasi:random/insecure" => {
                random::insecure::add_to_linker::<State, WasiRandom>(l, |state| {
                    state.ctx().ctx.random()
                })?;
            }
            "wasi:random/insecure-seed" => {
                random::insecure_seed::add_to_linker::<State, WasiRandom>(l, |state| {
                    state.ctx().ctx.random()
                })?;
            }
            "wasi:filesystem/preopens" => folders::define_preopens(l)?,
            "wasi:filesystem/types" => folders::define(l)?,
            _ => {}
        }
    }
    Ok(())
}

/// The view of what all of `wasi:io` is about.
pub(crate) struct Io;

impl wasmtime::component::HasData for Io {
    type Data<'a> = &'a mut wasmtime::component::ResourceTable;
}

type Context<'a> = StoreContextMut<'a, State>;

/// A clock that counts fuel, a tenth of a nanosecond for each unit, and what was
/// slept; a sleep is over before it begins. So a call comes out the same way
/// however busy the machine is.
fn monotonic_clock(linker: &mut Linker<State>, name: &str) -> wasmtime::Result<()> {
    let mut clock = linker.instance(name)?;
    clock.func_wrap("now", |context: Context<'_>, (): ()| {
        Ok((context.data().nanoseconds(context.get_fuel()?),))
    })?;
    clock.func_wrap("resolution", |_, (): ()| Ok((1_u64,)))?;
    clock.func_wrap(
        "subscribe-duration",
        |mut context: Context<'_>, (nanoseconds,): (u64,)| {
            Ok((slept(context.data_mut(), nanoseconds)?,))
        },
    )?;
    clock.func_wrap(
        "subscribe-instant",
        |mut context: Context<'_>, (until,): (u64,)| {
            let now = context.data().nanoseconds(context.get_fuel()?);
            Ok((slept(context.data_mut(), until.saturating_sub(now))?,))
        },
    )
}

fn slept(state: &mut State, nanoseconds: u64) -> wasmtime::Result<Resource<DynPollable>> {
    state.sleep(nanoseconds);
    let slept = State::table(state).push(Slept)?;
    subscribe(State::table(state), slept)
}

/// A sleep that is over.
struct Slept;

#[wasmtime_wasi_io::async_trait]
impl Pollable for Slept {
    async fn ready(&mut self) {}
}

/// Text that a plugin wrote, up to a cap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed(Arc<Mutex<Text>>);

#[derive(Debug, Default)]
struct Text {
    bytes: Vec<u8>,
    most: usize,
    dropped: u64,
}

impl Printed {
    /// Forgets what was printed; from here on it takes so many bytes.
    pub(crate) fn begin(&self, most: u64) {
        *self.text() = Text {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            ..Text::default()
        };
    }

    /// Adds as much as there is room for.
    pub(crate) fn add(&self, bytes: &[u8]) {
        let mut text = self.text();
        let room = text.most - text.bytes.len();
        let taken = bytes.len().min(room);
        text.bytes.extend_from_slice(&bytes[..taken]);
        text.dropped += (bytes.len() - taken) as u64;
    }

    /// All of it, with a word on what was dropped.
    pub(crate) fn take(&self) -> String {
        let mut text = self.text();
        let bytes = std::mem::take(&mut text.bytes);
        let mut printed = String::from_utf8_lossy(&bytes).into_owned();
        if text.dropped > 0 {
            printed.push_str(&format!(
                "\n[{} bytes more were printed and dropped]\n",
                text.dropped
            ));
        }
        printed
    }

    fn text(&self) -> std::sync::MutexGuard<'_, Text> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IsTerminal for Printed {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Printed {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        // Only asynchronous components would use it, and there are none.
        Box::new(tokio::io::sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for Printed {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.add(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 << 10)
    }
}

#[wasmtime_wasi_io::async_trait]
impl Pollable for Printed {
    async fn ready(&mut self) {}
}
