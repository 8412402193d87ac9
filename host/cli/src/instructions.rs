//! `rlm-sandbox instructions`.

use anyhow::Result;
use clap::Args;
use rlm_sandbox::{Name, Tool};

use crate::options::outputs;
use crate::profile::ProfileOptions;
use crate::terminal::Terminal;
use crate::{Status, subprocess};

/// Prints what a model needs to know to write code for a session
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    profile: ProfileOptions,

    /// A tool that the session has, as `exec` takes it
    #[arg(long, value_name = "NAME=COMMAND")]
    tool: Vec<String>,

    /// The command of a model that the session has, as `exec` takes it; without it no function asks one
    #[arg(long, value_name = "COMMAND")]
    llm_command: Option<String>,

    /// A field that SUBMIT takes, as `exec` takes it
    #[arg(long, value_name = "NAME[:TYPE]")]
    output: Vec<String>,

    /// In two or three lines
    #[arg(long)]
    short: bool,
}

impl Options {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        let mut profile = outputs(self.profile.read()?, &self.output)?;
        // No command gives a session one.
        profile.names.retain(|name| *name != Name::History);
        if self.llm_command.is_none() {
            profile.names.retain(|name| !name.asks_model());
        }
        let tools = self
            .tool
            .iter()
            .map(|tool| subprocess::declared(tool, terminal));
        let tools = tools.collect::<Result<Vec<Tool>>>()?;
        let text = match self.short {
            true => profile.short_instructions(&tools),
            false => profile.instructions(&tools),
        };
        terminal.print(&format!("{}\n", text.trim_end()));
        Ok(Status::Done)
    }
}
