//! What the guest's imports answer: `context`, `console` and `calls` of `wit/`.
//!
//! An error here would trap the guest, so whatever a script did wrong is a value.

use crate::bindings::rlm::sandbox::calls::{self, Reply};
use crate::bindings::rlm::sandbox::console::{self, Accepted, Channel, Level};
use crate::bindings::rlm::sandbox::context::{self, ContextError};
use crate::bindings::rlm::sandbox::types;
use crate::guest_state::{GuestState, Purpose};
use crate::limits::Overflow;
use crate::outcome::Stop;

/// The most that one read of a context gives.
const PIECE_BYTES: u32 = 1 << 20;
/// The longest log message that is passed on.
const LOG_BYTES: usize = 4 << 10;

impl types::Host for GuestState {}

impl context::Host for GuestState {
    fn read_context(
        &mut self,
        name: String,
        offset: u64,
        length: u32,
    ) -> wasmtime::Result<Result<String, ContextError>> {
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
        Ok(self.context(&name, offset).map(|(context, start)| {
            let rest = &context.as_bytes()[start..];
            rest[..rest.len().min(length.min(PIECE_BYTES) as usize)].to_vec()
        }))
    }
}

impl console::Host for GuestState {
    fn write_output(&mut self, to: Channel, text: String) -> wasmtime::Result<Accepted> {
        if let Purpose::Repeat(_) = self.purpose {
            return Ok(Accepted::All);
        }
        let whole = self.meter.clone().pause(|| {
            self.output
                .write(to.into(), &text, self.limits.output_bytes)
        });
        Ok(match self.limits.output_overflow {
            _ if whole => Accepted::All,
            Overflow::Drop => Accepted::Truncated,
            Overflow::Stop => {
                self.want_stop(Stop::Output, self.meter.read());
                Accepted::Refused
            }
        })
    }

    fn log(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        if let (Purpose::Repeat(_), Level::Debug | Level::Info) = (&self.purpose, level) {
            return Ok(());
        }
        let message = &message[..message.floor_char_boundary(LOG_BYTES)];
        match level {
            Level::Debug => tracing::debug!(target: "rlm_sandbox::guest", "{message}"),
            Level::Info => tracing::info!(target: "rlm_sandbox::guest", "{message}"),
            Level::Warn => tracing::warn!(target: "rlm_sandbox::guest", "{message}"),
            Level::Error => {
                tracing::error!(target: "rlm_sandbox::guest", "{message}");
                self.last_error = Some(message.to_owned());
            }
        }
        Ok(())
    }
}

impl calls::Host for GuestState {
    fn llm_query(&mut self, prompts: Vec<calls::Prompt>, batched: bool) -> wasmtime::Result<Reply> {
        if let Some(reply) = self.repeated() {
            return reply;
        }
        let _span =
            tracing::debug_span!("call", name = "llm_query", ticket = self.next_ticket).entered();
        let reply = self.model(prompts, batched)?;
        self.replies.push(reply.clone());
        Ok(reply)
    }

    fn call_tool(&mut self, name: String, arguments: String) -> wasmtime::Result<Reply> {
        if let Some(reply) = self.repeated() {
            return reply;
        }
        let _span = tracing::debug_span!("call", name = %name, ticket = self.next_ticket).entered();
        let reply = self.tool(&name, &arguments)?;
        self.replies.push(reply.clone());
        Ok(reply)
    }
}
