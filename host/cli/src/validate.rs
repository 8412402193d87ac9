//! `rlm-sandbox validate`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{SandboxLimits, Tool};

use crate::outcome::runtime;
use crate::profile::ProfileOptions;
use crate::sandbox::{self, SandboxOptions};
use crate::terminal::Terminal;
use crate::{Status, exec, subprocess, usage};

/// Says what speaks against a script, without running it
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 it would begin to run, 1 it would not, 2 bad usage or unreadable input."
)]
pub(crate) struct Options {
    /// The script itself
    #[arg(short, long, value_name = "CODE", conflicts_with = "file")]
    code: Option<String>,

    /// A file with the script; `-` is standard input
    file: Option<PathBuf>,

    #[command(flatten)]
    profile: ProfileOptions,

    /// A variable that the session has
    #[arg(long, value_name = "NAME")]
    known: Vec<String>,

    /// A tool that the session has: its name, or as `exec` takes it
    #[arg(long, value_name = "NAME[=COMMAND]")]
    tool: Vec<String>,

    /// Asks for type checking, too, which is not built in
    #[arg(long)]
    type_check: bool,

    #[command(flatten)]
    sandbox: SandboxOptions,
}

impl Options {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        let script = exec::script(self.code.as_deref(), self.file.as_deref(), terminal)?;
        let mut profile = self.profile.read()?;
        profile.type_check |= self.type_check;
        let name = |tool: &String| match tool.contains('=') {
            true => Ok(subprocess::declared(tool, terminal)?.name().to_owned()),
            false => Ok(Tool::declared(tool.as_str()).name().to_owned()),
        };
        let tools = self.tool.iter().map(name).collect::<Result<Vec<_>>>()?;
        let sandbox = sandbox::load(self.sandbox, SandboxLimits::default(), terminal)?;
        let runtime = runtime().context("cannot start the runtime")?;
        let functions: Vec<_> = tools.iter().map(String::as_str).collect();
        let known: Vec<_> = self.known.iter().map(String::as_str).collect();
        let validation = sandbox.validate(&script, &profile, &known, &functions);
        let validation = runtime.block_on(validation)?;
        if let Some(note) = &validation.note {
            terminal.error(&format!("note: {note}\n"));
        }
        if validation.message.is_none() {
            if validation.unknown_names.is_empty() {
                terminal.print("ok\n");
            } else {
                let names = validation.unknown_names.join(", ");
                terminal.print(&format!("ok, but nothing defines: {names}\n"));
            }
            return Ok(Status::Done);
        }
        let exception = validation
            .exception
            .as_ref()
            .ok_or_else(|| usage("it has no exception"))?;
        let text = &exception.traceback;
        let text = match self.file.as_deref().filter(|file| file.as_os_str() != "-") {
            Some(file) => text.replacen("<python-input-0>", &file.display().to_string(), 1),
            None => text.clone(),
        };
        terminal.print(&format!("{text}\n"));
        if let Some(hint) = &exception.hint {
            terminal.error(&format!("hint: {hint}\n"));
        }
        Ok(Status::Raised)
    }
}
