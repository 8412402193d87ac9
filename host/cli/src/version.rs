//! `rlm-sandbox version`.

use anyhow::Result;
use clap::Args;

use crate::Status;
use crate::sandbox::SandboxOptions;
use crate::terminal::Terminal;

/// Tells the version, and what a run depends on
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Tells guest, engine and cache too
    #[arg(short, long)]
    verbose: bool,
}

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        terminal.print(&format!("rlm-sandbox {}\n", env!("CARGO_PKG_VERSION")));
        if self.verbose {
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
