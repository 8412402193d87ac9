//! `rlm-sandbox version`.

use anyhow::Result;
use clap::Args;

use crate::Status;
use crate::sandbox::SandboxOptions;
use crate::terminal::Terminal;

/// Prints the version; with --verbose also the interpreter, the engine and the cache
#[derive(Debug, Args)]
pub(crate) struct Options {}

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal, is_verbose: bool) -> Result<Status> {
        terminal.print(&format!("rlm-sandbox {}\n", env!("CARGO_PKG_VERSION")));
        if is_verbose {
            let sandbox = crate::sandbox::load(
                SandboxOptions::default(),
                rlm_sandbox::SandboxLimits::default(),
                terminal,
            )?;
            let cache = sandbox
                .compiled_file()
                .map_or_else(|| String::from("none"), |path| path.display().to_string());
            terminal.print(&format!(
                "interpreter    {}\nengine         wasmtime {}\nconfiguration  {}\ncompiled file  {cache}\n",
                sandbox.guest_digest(),
                sandbox.engine_version(),
                sandbox.engine_configuration(),
            ));
        }
        Ok(Status::Done)
    }
}
