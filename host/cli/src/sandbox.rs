//! The sandbox that commands run in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rlm_sandbox::{ErrorKind, Metering, Sandbox, SandboxLimits};

use rlm_sandbox_plugins::CompileBounds;

use crate::isolation::Role;
use crate::terminal::Terminal;
use crate::{read, usage};

/// Which interpreter to run.
#[derive(Debug, Default, Args)]
pub(crate) struct SandboxOptions {
    /// Runs the interpreter in this file in place of the built-in one
    #[arg(long, value_name = "WASM")]
    guest: Option<PathBuf>,

    /// Loads the compiled interpreter from this file
    #[arg(long, value_name = "FILE")]
    compiled: Option<PathBuf>,

    /// Interrupts scripts by fuel, which is counted exactly, by epochs, or by both; recordings need fuel [default: fuel]
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        hide_default_value = true,
        default_value_t
    )]
    metering: MeteringOption,

    /// True if the built-in interpreter is loaded, or compiled, while the program goes on.
    #[arg(skip)]
    pub(crate) in_background: bool,
}

impl SandboxOptions {
    /// Returns the mechanism that interrupts scripts.
    pub(crate) fn metering(&self) -> Metering {
        self.metering.into()
    }
}

/// Choice of the mechanism that interrupts scripts.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum MeteringOption {
    #[default]
    Fuel,
    Epoch,
    FuelAndEpoch,
}

impl From<MeteringOption> for Metering {
    fn from(option: MeteringOption) -> Self {
        match option {
            MeteringOption::Fuel => Self::Fuel,
            MeteringOption::Epoch => Self::Epoch,
            MeteringOption::FuelAndEpoch => Self::FuelAndEpoch,
        }
    }
}

/// Refuses a file whose compilation costs far more than that of an interpreter: some twice what the
/// built-in one does.
fn check_cost(path: &Path, wasm: &[u8]) -> Result<()> {
    let mut bounds = CompileBounds::default();
    bounds.code_bytes = 24 << 20;
    bounds.function_bytes = 256 << 10;
    bounds.block_depth = 2_000;
    bounds.function_work = 9_000_000;
    bounds.work = 100_000_000;
    let Err(error) = bounds.measure(wasm) else {
        return Ok(());
    };
    let message = error.to_string();
    // The rest is about manifests of plugins.
    let (why, _) = message
        .split_once("; if you trust")
        .unwrap_or((&message, ""));
    Err(usage(format!(
        "{} is no interpreter: {why}",
        path.display()
    )))
}

/// Loads the interpreter, and says so if that takes a while.
pub(crate) fn load(
    options: SandboxOptions,
    limits: SandboxLimits,
    terminal: &Terminal,
) -> Result<Sandbox> {
    let in_background =
        options.in_background && options.guest.is_none() && options.compiled.is_none();
    let spinner = ProgressBar::no_length();
    let (told, shown) = (terminal.clone(), spinner.clone());
    let builder = Sandbox::builder()
        .limits(limits)
        .metering(options.metering());
    let mut builder = builder.on_compile(move || {
        const NOTICE: &str = "compiling the Python interpreter for this machine and these settings; the next start has it";
        if told.is_watched && !in_background {
            shown.set_style(ProgressStyle::default_spinner());
            shown.set_message(NOTICE);
            shown.enable_steady_tick(Duration::from_millis(100));
        } else {
            told.error(&format!("{NOTICE}\n"));
        }
    });
    if Role::of_process().is_some() {
        builder = builder.bounded_address_space();
    }
    if let Some(path) = options.guest {
        let wasm = read(&path)?;
        check_cost(&path, &wasm)?;
        builder = builder.guest(wasm);
    }
    let is_compiled = options.compiled.is_some();
    if let Some(path) = options.compiled {
        rlm_sandbox_files::open(&path, rlm_sandbox_files::Links::Follow).map_err(|error| {
            usage(format!(
                "cannot read --compiled {}: {error}",
                path.display()
            ))
        })?;
        builder = builder.compiled(path);
    }
    if in_background {
        return Ok(builder.build_in_background()?);
    }
    let sandbox = builder.build();
    spinner.finish_and_clear();
    let sandbox = match sandbox {
        Err(error) if is_compiled && error.kind() == ErrorKind::Guest => {
            let why = std::error::Error::source(&error).map(|why| format!(" ({why})"));
            return Err(usage(format!("{error}{}", why.unwrap_or_default())));
        }
        sandbox => sandbox?,
    };
    for warning in sandbox.warnings() {
        terminal.error(&format!("warning: {warning}\n"));
    }
    Ok(sandbox)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_interpreter_costs_no_more_than_one_in_a_file_may() {
        let packed = include_bytes!("../../sandbox/guest/python.wasm.zst");
        let wasm = zstd::decode_all(&packed[..]).expect("zstd");
        check_cost(Path::new("python.wasm"), &wasm).expect("accepted");
    }
}
