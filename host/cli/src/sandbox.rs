//! The sandbox that commands run in.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rlm_sandbox::{Sandbox, SandboxLimits};

use crate::read;
use crate::terminal::Terminal;

/// Which interpreter to run.
#[derive(Debug, Default, Args)]
pub(crate) struct SandboxOptions {
    /// Runs the interpreter in this file in place of the built-in one
    #[arg(long, value_name = "WASM")]
    guest: Option<PathBuf>,

    /// Loads the compiled interpreter from this file
    #[arg(long, value_name = "FILE")]
    compiled: Option<PathBuf>,
}

/// Loads the interpreter, and says so if that takes a while.
pub(crate) fn load(
    options: SandboxOptions,
    limits: SandboxLimits,
    terminal: &Terminal,
) -> Result<Sandbox> {
    let spinner = ProgressBar::no_length();
    let (told, shown) = (terminal.clone(), spinner.clone());
    let builder = Sandbox::builder().limits(limits);
    let mut builder = builder.on_compile(move || {
        const NOTICE: &str = "compiling the Python interpreter for this machine; this happens once";
        if told.is_watched {
            shown.set_style(ProgressStyle::default_spinner());
            shown.set_message(NOTICE);
            shown.enable_steady_tick(Duration::from_millis(100));
        } else {
            told.error(&format!("{NOTICE}\n"));
        }
    });
    if let Some(path) = options.guest {
        builder = builder.guest(read(&path)?);
    }
    if let Some(path) = options.compiled {
        builder = builder.compiled(path);
    }
    let sandbox = builder.build();
    spinner.finish_and_clear();
    let sandbox = sandbox?;
    for warning in sandbox.warnings() {
        terminal.error(&format!("warning: {warning}\n"));
    }
    Ok(sandbox)
}
