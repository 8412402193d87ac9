//! The state of a namespace as bytes, and back.
//!
//! Monty writes what is its own; what the REPL keeps beside it follows as JSON,
//! and then the length of that. Instances differ in what their memory holds
//! before the first script, so what scripts hold is carried as a difference.
//!
//! A state is read by the interpreter that wrote it, of whatever version of the
//! REPL: one of another version binds what is ours anew.

use std::mem;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use monty::{Dump, ReplProgress, Session, SessionRef};
use monty_types::{BASELINE_MEMORY, LIVE_MEMORY};
use serde::{Deserialize, Serialize};

use crate::allocations;
use crate::bindings::exports::rlm::sandbox::repl::{Misuse, Suspension, Ticket};
use crate::contexts::Contexts;
use crate::failure::Scripts;
use crate::host::Host;
use crate::repl::{Repl, State};
use crate::scaffold::Scaffold;
use crate::script::Tail;
use crate::turn::{Open, Waiting};

/// Bytes of one piece.
const PIECE: usize = 1 << 20;

/// Digest of the interpreter's sources.
const INTERPRETER: &str = env!("RLM_INTERPRETER");
/// Digest of the sources of this crate.
const REPL: &str = env!("RLM_REPL");

/// The state that is kept beside Monty's.
#[derive(Serialize, Deserialize)]
struct Beside {
    interpreter: String,
    repl: String,
    contexts: Contexts,
    scripts: Scripts,
    scaffold: Scaffold,
    open: Open,
    names: Vec<String>,
    stores_unseen: bool,
    tail: Tail,
    rewrites: Vec<(String, u32, u32)>,
    slept: Duration,
    /// The calls that a suspended script waits for.
    waiting: Vec<Ticket>,
    /// Bytes that count against the memory limit.
    held: usize,
    /// Allocations of the exec at hand.
    allocations: u64,
}

impl<H: Host> Repl<H> {
    /// `repl.dump`.
    pub fn dump(&mut self, piece: u32) -> Result<Vec<u8>, Misuse> {
        if piece == 0 {
            self.passing = self.write()?;
        }
        let rest = self.passing.get(piece as usize * PIECE..).unwrap_or(&[]);
        let piece = rest[..rest.len().min(PIECE)].to_vec();
        if piece.is_empty() {
            self.passing = Vec::new();
        }
        Ok(piece)
    }

    fn write(&mut self) -> Result<Vec<u8>, Misuse> {
        let held = allocations::live_memory().saturating_sub(BASELINE_MEMORY.load(Relaxed));
        let (written, waiting);
        // A suspended script can only be written as the progress it came as.
        self.state = match mem::replace(&mut self.state, State::Away) {
            State::Idle(repl) => {
                written = write_monty(SessionRef::Idle(&repl));
                waiting = Vec::new();
                State::Idle(repl)
            }
            State::Waiting(suspended) => {
                waiting = suspended.tickets();
                let write =
                    |progress: &mut ReplProgress| write_monty(SessionRef::Suspended(progress));
                let (state, bytes) = suspended.with_progress(write);
                written = bytes;
                state
            }
            other => {
                self.state = other;
                return Err(Misuse::State);
            }
        };
        let mut bytes = written.ok_or(Misuse::Dump)?;
        let start = bytes.len();
        let beside = Beside {
            interpreter: INTERPRETER.to_owned(),
            repl: REPL.to_owned(),
            contexts: mem::take(&mut self.contexts),
            scripts: mem::take(&mut self.scripts),
            scaffold: mem::take(&mut self.scaffold),
            open: mem::take(&mut self.open),
            names: mem::take(&mut self.names),
            stores_unseen: self.stores_unseen,
            tail: mem::take(&mut self.tail),
            rewrites: mem::take(&mut self.rewrites),
            slept: self.slept,
            waiting,
            held,
            allocations: allocations::made(),
        };
        let result = serde_json::to_writer(&mut bytes, &beside);
        self.put(beside);
        result.map_err(|_| Misuse::Dump)?;
        let length = (bytes.len() - start) as u64;
        bytes.extend_from_slice(&length.to_le_bytes());
        Ok(bytes)
    }

    /// `repl.load`.
    pub fn load(&mut self, piece: Vec<u8>, last: bool) -> Result<Option<Suspension>, Misuse> {
        if !matches!(self.state, State::Idle(_)) {
            return Err(Misuse::State);
        }
        self.passing.extend_from_slice(&piece);
        // Nothing of this is to be there when what scripts hold is worked out.
        drop(piece);
        if !last {
            return Ok(None);
        }
        let bytes = mem::take(&mut self.passing);
        let (monty, beside) = parts(&bytes).ok_or(Misuse::Dump)?;
        let mut beside: Beside = serde_json::from_slice(beside).map_err(|_| Misuse::Dump)?;
        // Another one has other instructions, and would do something else.
        if beside.interpreter != INTERPRETER {
            return Err(Misuse::Dump);
        }
        if beside.repl != REPL {
            beside.scaffold.renew_prelude(&self.profile);
        }
        let disabled = self.disabled();
        let mut state = Dump::load(monty).map_err(|_| Misuse::Dump)?.state;
        // What a session may not do is the profile's to say, not the dump's.
        let repl = match &mut state {
            Session::Idle(repl) => {
                repl.disable_builtins(disabled.clone());
                // Nor are its limits, which may have been changed since it was written.
                *repl.tracker_mut() = self.limits.tracker();
                repl
            }
            Session::Suspended(progress) => {
                progress.disable_builtins(disabled.clone());
                progress.repl_mut()
            }
            _ => return Err(Misuse::Dump),
        };
        for (name, lines) in beside.scripts.script_lines() {
            repl.set_script_lines(name, Some(lines));
        }
        let waiting = mem::take(&mut beside.waiting);
        self.state = match state {
            Session::Idle(repl) if waiting.is_empty() => State::Idle(repl),
            Session::Suspended(progress) => State::Waiting(match (*progress, &waiting[..]) {
                (ReplProgress::FunctionCall(call), &[ticket]) => {
                    Waiting::Call(Box::new(call), ticket)
                }
                (ReplProgress::ResolveFutures(futures), [_, ..]) => {
                    Waiting::Futures(Box::new(futures), waiting)
                }
                _ => return Err(Misuse::Dump),
            }),
            _ => return Err(Misuse::Dump),
        };
        drop(bytes);
        let (held, made) = (beside.held, beside.allocations);
        self.put(beside);
        if matches!(self.state, State::Waiting(_)) {
            allocations::begin(self.limits.allocations, made);
        }
        BASELINE_MEMORY.store(LIVE_MEMORY.load(Relaxed).saturating_sub(held), Relaxed);
        allocations::charge_above(self.uncharged_bytes());
        match mem::replace(&mut self.state, State::Away) {
            State::Waiting(waiting) => {
                let suspension = self.open.suspension(&waiting, self.live_bytes());
                self.state = State::Waiting(waiting);
                Ok(Some(suspension))
            }
            idle => {
                self.state = idle;
                Ok(None)
            }
        }
    }

    fn put(&mut self, beside: Beside) {
        self.contexts = beside.contexts;
        self.scripts = beside.scripts;
        self.scaffold = beside.scaffold;
        self.open = beside.open;
        self.names = beside.names;
        self.scaffold.renew_functions(&self.functions, &self.names);
        self.stores_unseen = beside.stores_unseen;
        self.tail = beside.tail;
        self.rewrites = beside.rewrites;
        self.slept = beside.slept;
    }
}

fn write_monty(state: SessionRef<'_>) -> Option<Vec<u8>> {
    monty::dump("<session>", None, &[], state).ok()
}

/// Returns the part of Monty and the part of the REPL.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (rest, length) = bytes.split_last_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    rest.split_at_checked(rest.len().checked_sub(length)?)
}
