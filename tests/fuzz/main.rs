//! What nobody thought of.
//!
//! Each target makes inputs up, tries them on the sandbox, and says what is
//! wrong: a panic, a limit that was overrun, a run that is not what its replay
//! is, a session that differs from its model. What was found once is a file in
//! `corpus/<target>`, tried forever.
//!
//! `cargo test` tries the corpus, and of each target the same few inputs each
//! time. `.ci/fuzz` goes on where it stopped last:
//! `RLM_SANDBOX_FUZZ_SECONDS` says how long for each target, and
//! `RLM_SANDBOX_FUZZ_STATE` names the folder that remembers.
#![allow(clippy::print_stderr, reason = "how far it got is for people")]

mod answers;
mod bounds;
mod compiled;
mod differential;
mod journals;
#[path = "../lies/liar.rs"]
#[expect(dead_code, reason = "the explicit lies use more of it")]
mod liar;
mod lies;
mod parked;
mod plugins;
mod programs;
mod recordings;
mod sandboxed;
mod sources;
#[path = "../sums.rs"]
mod sums;
mod target;
#[path = "../wasm_binary.rs"]
mod wasm_binary;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use crate::target::trials;

fn main() -> ExitCode {
    let mut all: Vec<Trial> = Vec::new();
    all.extend(trials::<programs::Programs>(60));
    all.extend(trials::<sources::Sources>(150));
    all.extend(trials::<answers::Answers>(60));
    all.extend(trials::<parked::ParkedBytes>(150));
    all.extend(trials::<plugins::PluginBytes>(60));
    all.extend(trials::<bounds::Bounds>(200));
    all.extend(trials::<compiled::CompiledCode>(60));
    all.extend(trials::<journals::JournalLines>(60));
    all.extend(trials::<recordings::Recordings>(60));
    all.extend(trials::<lies::Lies>(20));
    if differential::is_here() {
        all.extend(trials::<differential::Differential>(300));
    }
    libtest_mimic::run(&Arguments::from_args(), all).exit_code()
}
