//! `rlm-sandbox compile`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use rlm_sandbox::Sandbox;
use rlm_sandbox_files::{Links, open};

use crate::sandbox::SandboxOptions;
use crate::terminal::Terminal;
use crate::{Status, usage};

/// Compiles the interpreter into a file, for programs that carry no compiler
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// File to write, which replaces an older one; by default the cache, so that later runs start at once
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        let path = match self.output {
            Some(path) if is_other(&path) => {
                return Err(usage(format!(
                    "--output {}: there is a file that is no compiled interpreter; remove it, or name another one",
                    path.display()
                )));
            }
            Some(path) if !has_folder(&path) => {
                return Err(usage(format!(
                    "--output {}: there is no such folder; make it first",
                    path.display()
                )));
            }
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

/// Returns true if the folder that a file is to be in exists.
fn has_folder(path: &Path) -> bool {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.is_dir(),
        _ => true,
    }
}

/// Returns whether a file is there that is no compiled code, which would be lost.
fn is_other(path: &Path) -> bool {
    const ELF: [u8; 4] = *b"\x7fELF";
    let mut start = [0; 4];
    match open(path, Links::Follow).and_then(|mut file| file.read_exact(&mut start)) {
        Ok(()) => start != ELF,
        Err(_) => path
            .symlink_metadata()
            .is_ok_and(|file| !file.is_file() || file.len() > 0),
    }
}
