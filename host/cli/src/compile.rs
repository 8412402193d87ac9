//! `rlm-sandbox compile`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use rlm_sandbox::Sandbox;

use crate::Status;
use crate::sandbox::SandboxOptions;
use crate::terminal::Terminal;

/// Compiles the interpreter into a file, for programs that carry no compiler
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to write it; by default the cache, so that nobody has to wait later
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        let path = match self.output {
            Some(path) => {
                Sandbox::compile(&path)?;
                Some(path)
            }
            None => crate::sandbox::load(
                SandboxOptions::default(),
                rlm_sandbox::SandboxLimits::default(),
                terminal,
            )?
            .compiled_file()
            .map(Into::into),
        };
        if let Some(path) = path {
            terminal.print(&format!("{}\n", path.display()));
        }
        Ok(Status::Done)
    }
}
