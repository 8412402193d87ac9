//! What plugins ask through `rlm:sandbox/host`.

use wasmtime::StoreContextMut;
use wasmtime::component::{ComponentType, Lift, Linker, Lower};

use crate::imports::HOST;
use crate::instance::State;

/// The most that one read of a context gives.
const PIECE_BYTES: u32 = 1 << 20;
/// The longest log message that is passed on.
const LOG_BYTES: usize = 4 << 10;

/// `host.unreadable`.
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug)]
#[component(enum)]
#[repr(u8)]
enum Unreadable {
    #[component(name = "unknown")]
    Unknown,
    #[component(name = "offset")]
    Offset,
}

/// `host.level`.
#[expect(dead_code, reason = "only plugins make these")]
#[derive(ComponentType, Lift, Lower, Clone, Copy, Debug)]
#[component(enum)]
#[repr(u8)]
enum Level {
    #[component(name = "debug")]
    Debug,
    #[component(name = "info")]
    Info,
    #[component(name = "warn")]
    Warn,
    #[component(name = "error")]
    Error,
}

type Context<'a> = StoreContextMut<'a, State>;

/// Defines the interface. A function that a plugin may not use is not imported
/// by it, or it would not have been loaded.
pub(crate) fn define(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let mut host = linker.instance(HOST)?;
    host.func_wrap(
        "read-context",
        |mut context: Context<'_>, (name, offset, length): (String, u64, u32)| {
            let state = context.data_mut();
            state.count_call()?;
            Ok((read(state, &name, offset, length),))
        },
    )?;
    host.func_wrap_async(
        "llm-query",
        |mut context: Context<'_>, (prompt, model): (String, Option<String>)| {
            let asked = context.data_mut().ask(prompt, model);
            Box::new(async move {
                let asked = asked?;
                let places = context.data_mut().leave_place();
                let answer = asked.await;
                if let Some(places) = places {
                    let place = places.take().await;
                    context.data_mut().take_place(place);
                }
                Ok((answer,))
            })
        },
    )?;
    host.func_wrap(
        "write-output",
        |mut context: Context<'_>, (text,): (String,)| {
            let state = context.data_mut();
            state.count_call()?;
            state.printed.add(text.as_bytes());
            Ok(())
        },
    )?;
    host.func_wrap(
        "log",
        |mut context: Context<'_>, (level, message): (Level, String)| {
            let state = context.data_mut();
            state.count_call()?;
            let message = &message[..message.floor_char_boundary(LOG_BYTES)];
            if !state.may_log(message.len()) {
                return Ok(());
            }
            let plugin = &*state.plugin;
            match level {
                Level::Debug => tracing::debug!(target: "rlm_sandbox::plugin", plugin, "{message}"),
                Level::Info => tracing::info!(target: "rlm_sandbox::plugin", plugin, "{message}"),
                Level::Warn => tracing::warn!(target: "rlm_sandbox::plugin", plugin, "{message}"),
                Level::Error => tracing::error!(target: "rlm_sandbox::plugin", plugin, "{message}"),
            }
            Ok(())
        },
    )
}

fn read(state: &State, name: &str, offset: u64, length: u32) -> Result<Vec<u8>, Unreadable> {
    let bytes = state.context(name).ok_or(Unreadable::Unknown)?.as_bytes();
    let start = usize::try_from(offset).ok().filter(|&at| at <= bytes.len());
    let rest = &bytes[start.ok_or(Unreadable::Offset)?..];
    Ok(rest[..rest.len().min(length.min(PIECE_BYTES) as usize)].to_vec())
}
