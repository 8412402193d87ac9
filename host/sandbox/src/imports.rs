//! What the guest's imports answer: `context`, `console` and `calls` of `wit/`.
//!
//! An error here would trap the guest, so whatever a script did wrong is a value.

use wasmtime::StoreContextMut;
use wasmtime::component::{HasSelf, Linker};

use crate::asked::{Asked, cut_name};
use crate::bindings::rlm::sandbox::calls;
use crate::bindings::rlm::sandbox::console::{self, Accepted, Channel, Level};
use crate::bindings::rlm::sandbox::context::{self, ContextError};
use crate::bindings::rlm::sandbox::{position, types};
use crate::ending::Seen;
use crate::guest_state::{GuestState, Purpose};
use crate::limits::Overflow;
use crate::outcome::Stop;
use crate::profile::Print;
use crate::wasi::fuel_left;

/// The most that one read of a context gives.
const PIECE_BYTES: u32 = 1 << 20;
/// The longest log message that is passed on.
const LOG_BYTES: usize = 4 << 10;
/// The most of one printed text that is passed on as a log message.
const PRINTED_BYTES: usize = 1 << 20;

impl types::Host for GuestState {}

impl context::Host for GuestState {
    fn read_context(
        &mut self,
        name: String,
        offset: u64,
        length: u32,
    ) -> wasmtime::Result<Result<String, ContextError>> {
        self.pass(name.len() + length.min(PIECE_BYTES) as usize)?;
        Ok(self.context(&name, offset).and_then(|(context, start)| {
            let text = context.as_text().ok_or(ContextError::Binary)?;
            let rest = text.get(start..).ok_or(ContextError::Offset)?;
            Ok(rest[..rest.floor_char_boundary(length.min(PIECE_BYTES) as usize)].to_owned())
        }))
    }

    fn read_context_bytes(
        &mut self,
        name: String,
        offset: u64,
        length: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, ContextError>> {
        self.pass(name.len() + length.min(PIECE_BYTES) as usize)?;
        Ok(self.context(&name, offset).map(|(context, start)| {
            let rest = &context.as_bytes()[start..];
            rest[..rest.len().min(length.min(PIECE_BYTES) as usize)].to_vec()
        }))
    }
}

impl console::Host for GuestState {
    fn write_output(&mut self, to: Channel, text: String) -> wasmtime::Result<Accepted> {
        self.expect_script()?;
        self.pass(text.len())?;
        if let Purpose::Repeat(_) = self.purpose {
            return Ok(Accepted::All);
        }
        if self.profile.print == Print::Log {
            let shown = &text[..text.floor_char_boundary(PRINTED_BYTES)];
            if self.may_log(shown) {
                tracing::info!(target: "rlm_sandbox::print", "{}", shown.trim_end_matches('\n'));
            }
        }
        Ok(self.accept(to, &text))
    }

    fn log(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        self.pass(message.len())?;
        if let (Purpose::Repeat(_), Level::Debug | Level::Info) = (&self.purpose, level) {
            return Ok(());
        }
        let message = &message[..message.floor_char_boundary(LOG_BYTES)];
        if self.may_log(message) {
            match level {
                Level::Debug => tracing::debug!(target: "rlm_sandbox::guest", "{message}"),
                Level::Info => tracing::info!(target: "rlm_sandbox::guest", "{message}"),
                Level::Warn => tracing::warn!(target: "rlm_sandbox::guest", "{message}"),
                Level::Error => tracing::error!(target: "rlm_sandbox::guest", "{message}"),
            }
        }
        match level {
            Level::Info => {
                if let Purpose::Script = self.purpose {
                    let to = match self.profile.print {
                        // One text, in the order in which it came.
                        Print::Log => Channel::Out,
                        Print::Capture => Channel::Err,
                    };
                    self.accept(to, &format!("{message}\n"));
                }
            }
            Level::Error => self.last_error = Some(message.to_owned()),
            Level::Debug | Level::Warn => {}
        }
        Ok(())
    }
}

impl GuestState {
    fn may_log(&mut self, text: &str) -> bool {
        // A program writes each message with a time, a level and the session.
        const MORE_BYTES: usize = 100;
        let bytes = text.len() + MORE_BYTES;
        self.output.may_log(bytes, self.limits.output_bytes)
    }

    /// Keeps text of a script, and ends the script if that is over a limit that ends it.
    fn accept(&mut self, to: Channel, text: &str) -> Accepted {
        let meter = self.meter.clone();
        let is_whole = meter.pause(|| self.print(to.into(), text));
        match self.limits.output_overflow {
            _ if is_whole => Accepted::All,
            Overflow::Drop => Accepted::Truncated,
            Overflow::Stop => {
                self.want_stop(Stop::Output, self.meter.read());
                self.tally.refused_at = self.tally.refused_at.or(self.tally.last_seen);
                Accepted::Refused
            }
        }
    }
}

impl position::Host for GuestState {
    fn at(&mut self, script: u32, line: u32) -> wasmtime::Result<()> {
        self.expect_script()?;
        self.pass(0)?;
        self.tally.last_seen = Some(Seen { script, line });
        Ok(())
    }
}

/// Defines what guests import from the package `rlm:sandbox`.
pub(crate) fn define(linker: &mut Linker<GuestState>) -> wasmtime::Result<()> {
    types::add_to_linker::<_, HasSelf<GuestState>>(linker, |state| state)?;
    context::add_to_linker::<_, HasSelf<GuestState>>(linker, |state| state)?;
    console::add_to_linker::<_, HasSelf<GuestState>>(linker, |state| state)?;
    position::add_to_linker::<_, HasSelf<GuestState>>(linker, |state| state)?;
    // The fuel of a call is recorded, and only the store knows it; what is
    // generated for an interface does not get to see the store.
    let mut calls = linker.instance(CALLS)?;
    calls.func_wrap(
        "llm-query",
        |mut guest: Context<'_>, (prompts, batched): (Vec<calls::Prompt>, bool)| {
            let left = fuel_left(&guest)?;
            let asked = Asked::Model {
                prompts,
                batched,
                recursive: false,
            };
            Ok((guest.data_mut().request(&asked, left)?,))
        },
    )?;
    calls.func_wrap(
        "call-tool",
        |mut guest: Context<'_>, (name, arguments): (String, String)| {
            let left = fuel_left(&guest)?;
            let state = guest.data_mut();
            let is_tool = state.handlers.tool(&name).is_some();
            let name = cut_name(name, is_tool);
            let asked = Asked::tool(name, arguments, &state.profile);
            Ok((state.request(&asked, left)?,))
        },
    )
}

type Context<'a> = StoreContextMut<'a, GuestState>;

/// The interface of `wit/calls.wit`.
const CALLS: &str = "rlm:sandbox/calls@0.1.0";
