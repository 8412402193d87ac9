//! `rlm-sandbox migrate`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use rlm_sandbox::SandboxLimits;

use crate::sandbox::SandboxOptions;
use crate::saved::{SessionFile, Wait};
use crate::terminal::Terminal;
use crate::{Status, sandbox, usage};

/// Writes a saved session so that another version of this program can take it up
///
/// Run it with the version that saved the session. The other version needs the same Python interpreter, but for what this
/// program adds to it; variables, functions and classes stay.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Session that `exec --session` or `:save` wrote; the file is replaced
    file: PathBuf,

    #[command(flatten)]
    sandbox: SandboxOptions,
}

const EXAMPLES: &str = "Examples:
  rlm-sandbox-1.0 migrate notes.session
  rlm-sandbox-1.1 exec --session notes.session -c 'len(notes)'";

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        let sandbox = sandbox::load(self.sandbox, SandboxLimits::default(), terminal)?;
        let file = SessionFile::lock(&self.file, Wait::Yes, terminal)?;
        let name = self.file.display();
        let Some(parked) = file.read(&sandbox)? else {
            return Err(usage(format!("there is no file {name}")));
        };
        file.write_portable(&parked)?;
        terminal.error(&format!(
            "[another version can take up the session in {name} now]\n"
        ));
        Ok(Status::Done)
    }
}
