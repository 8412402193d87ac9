//! `rlm-sandbox compile`.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use rlm_sandbox::Sandbox;
use rlm_sandbox_files::{Folder, Links, open};

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
            Some(path) => {
                write(&path)?;
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

/// Compiles the interpreter into a file of the folder that the path leads to now.
///
/// # Errors
///
/// A usage error without such a folder, and where something else would be lost.
fn write(path: &Path) -> Result<()> {
    let refused = |why: &str| usage(format!("--output {}: {why}", path.display()));
    let folder = Folder::open_by_own_links(path.parent().unwrap_or(Path::new("")));
    let folder = folder.map_err(|error| match error.kind() {
        ErrorKind::NotFound => refused("there is no such folder; make it first"),
        _ => refused(&error.to_string()),
    })?;
    // Another folder may get the name while this compiles.
    let place = folder.path_to(path);
    if place.is_dir() {
        return Err(refused("that is a folder; name a file in it"));
    }
    if is_other(&place) {
        return Err(refused(
            "there is a file that is no compiled interpreter; remove it, or name another one",
        ));
    }
    Sandbox::compile(&place).map_err(|error| {
        let message = format!("{:#}", anyhow::Error::from(error));
        anyhow!("{}", message.replace(&shown(&place), &shown(path)))
    })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns whether a file is there that is no compiled code, which would be lost.
fn is_other(path: &Path) -> bool {
    const ELF: [u8; 4] = *b"\x7fELF";
    // The byte that names the system of an executable, and the value that only wasmtime's code has there.
    const OS_ABI: usize = 7;
    const WASMTIME: u8 = 200;
    let mut start = [0; OS_ABI + 1];
    match open(path, Links::Follow).and_then(|mut file| file.read_exact(&mut start)) {
        Ok(()) => start[..ELF.len()] != ELF || start[OS_ABI] != WASMTIME,
        Err(_) => path
            .symlink_metadata()
            .is_ok_and(|file| !file.is_file() || file.len() > 0),
    }
}
