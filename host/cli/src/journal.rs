//! `rlm-sandbox journal`.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use rlm_sandbox::Journal;

use crate::Status;
use crate::terminal::Terminal;

/// Looks into recorded sessions
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Shows what happened: execs, calls, fuel, time
    Show {
        /// What `exec --record` wrote
        file: PathBuf,
    },
    /// Says in what one recording differs from another, redacted or not
    Compare {
        /// What is expected
        file: PathBuf,
        /// What is compared with it
        other: PathBuf,
    },
}

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        match self.command {
            Command::Show { file } => {
                terminal.print(&Journal::open(file)?.to_string());
                Ok(Status::Done)
            }
            Command::Compare { file, other } => {
                let (file, other) = (Journal::open(file)?, Journal::open(other)?);
                Ok(match file.compare(&other) {
                    None => {
                        terminal.print("identical\n");
                        Status::Done
                    }
                    Some(divergence) => {
                        terminal.print(&format!("different: {divergence}\n"));
                        Status::Raised
                    }
                })
            }
        }
    }
}
