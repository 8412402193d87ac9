//! The binary `rlm-sandbox`; see `lib.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(rlm_sandbox_cli::run(
        std::env::args_os(),
        rlm_sandbox_cli::Terminal::of_process(),
    ))
}
