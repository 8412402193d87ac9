//! What an export does before it answers: calls to the host, and trouble.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::bindings::rlm::sandbox::calls::{Prompt, Reply, call_tool, llm_query};
use crate::bindings::rlm::sandbox::console::{Accepted, Channel, Level, log, write_output};
use crate::bindings::rlm::sandbox::context::{read_context, read_context_bytes};
use crate::script::Action;
use crate::{Liar, heap};

/// Performs an action, if it is an effect.
pub(crate) fn perform(liar: &mut Liar, action: &Action<'_>) {
    match action.name() {
        "call" => {
            let (name, arguments) = (action.text(0), action.text(1));
            for _ in 0..action.times(2) {
                keep(liar, call_tool(&name, &arguments));
            }
        }
        "ask" => {
            let prompt = Prompt {
                text: action.text(0),
                model: action.option(3),
            };
            let prompts = vec![prompt; action.times(1) as usize];
            for _ in 0..action.times(2) {
                keep(liar, llm_query(&prompts, prompts.len() != 1));
            }
        }
        "print" => {
            let text = action.text(1);
            let to = match action.word(0) {
                "err" => Channel::Err,
                _ => Channel::Out,
            };
            for _ in 0..action.times(2) {
                write_output(to, &text);
            }
        }
        // Output is accepted without limit when the host repeats an execution.
        "repeated" => {
            let text = "x".repeat(action.parse(0) as usize);
            if matches!(write_output(Channel::Out, &text), Accepted::All) {
                end(action.word(1));
            }
        }
        "log" => {
            let text = action.text(1);
            let level = match action.word(0) {
                "debug" => Level::Debug,
                "info" => Level::Info,
                "warn" => Level::Warn,
                _ => Level::Error,
            };
            for _ in 0..action.times(2) {
                log(level, &text);
            }
        }
        "read" => {
            let name = action.text(0);
            for _ in 0..action.times(3) {
                let length = action.parse(2) as u32;
                let _ = black_box(read_context(&name, action.parse(1), length));
                let _ = black_box(read_context_bytes(&name, action.parse(1), length));
            }
        }
        "clock" => {
            for _ in 0..action.times(0) {
                black_box(Instant::now());
            }
        }
        "sleep" => {
            for _ in 0..action.times(1) {
                std::thread::sleep(Duration::from_nanos(action.parse(0)));
            }
        }
        "grow" => {
            let bytes = action.parse(0) as usize;
            for _ in 0..action.times(1) {
                // The host has to see the memory in use.
                Box::leak(black_box(vec![1_u8; bytes].into_boxed_slice()));
            }
        }
        "heap" => heap::lie(action.word(0), action.parse(1)),
        "work" => {
            for round in 0..action.parse(0) {
                black_box(round);
            }
        }
        "forget" => liar.tickets.clear(),
        other => end(other),
    }
}

/// Ends the call into this component, if the word names a way to end it.
pub(crate) fn end(how: &str) {
    match how {
        "trap" => core::arch::wasm32::unreachable(),
        "panic" => {
            log(Level::Error, "the liar panics");
            core::arch::wasm32::unreachable()
        }
        "exit" => std::process::exit(1),
        "loop" => loop {
            black_box(0);
        },
        "recurse" => {
            black_box(recurse(black_box(1)));
        }
        "wild" => {
            // SAFETY: there is none; the address is beyond every memory.
            black_box(unsafe { core::ptr::read_volatile(0xffff_fff0 as *const u8) });
        }
        _ => {}
    }
}

fn recurse(depth: u64) -> u64 {
    let frame = black_box([depth; 64]);
    if black_box(depth) == 0 {
        return 0;
    }
    recurse(depth + 1) + frame[63]
}

fn keep(liar: &mut Liar, reply: Reply) {
    if let Reply::Pending(ticket) = reply {
        liar.tickets.push(ticket);
    }
}
