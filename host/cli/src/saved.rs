//! Sessions in files, sealed with a key that only this user can read.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use etcetera::BaseStrategy as _;
use rlm_sandbox::{Parked, Sandbox};

use crate::usage;

const KEY_BYTES: usize = 32;

/// The session in a file, or none if there is no such file.
pub(crate) fn read(sandbox: &Sandbox, path: &Path) -> Result<Option<Parked>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(usage(format!("cannot read {}: {error}", path.display()))),
    };
    let parked = Parked::from_bytes(sandbox, &bytes, &key()?);
    let parked = parked.map_err(|error| usage(format!("{}: {error}", path.display())))?;
    Ok(Some(parked))
}

/// Writes a session; the file holds either the old one or the new one, never a
/// part of either.
pub(crate) fn write(parked: &Parked, path: &Path) -> Result<()> {
    let cannot = || format!("cannot write the session to {}", path.display());
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
    file.write_all(&parked.to_bytes(&key()?))
        .and_then(|()| file.as_file().sync_all())
        .with_context(cannot)?;
    file.persist(path).with_context(cannot)?;
    Ok(())
}

/// The key of this user; made on first use.
pub(crate) fn key() -> Result<Vec<u8>> {
    let path = state_file("session.key").context(
        "there is no home folder for the key of saved sessions; set HOME or XDG_STATE_HOME",
    )?;
    let cannot = || {
        format!(
            "cannot keep the key for saved sessions in {}; set XDG_STATE_HOME to a folder that you can write",
            path.display()
        )
    };
    if !path.exists() {
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder).with_context(cannot)?;
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).context("the system has no randomness for a key")?;
        // Only this user may read such files; whoever comes second keeps the first key.
        let mut file = tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
        file.write_all(&key)
            .and_then(|()| file.as_file().sync_all())
            .with_context(cannot)?;
        match file.persist_noclobber(&path) {
            Ok(_) => {}
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(cannot),
        }
    }
    let key = fs::read(&path).with_context(cannot)?;
    if key.len() != KEY_BYTES {
        return Err(usage(format!(
            "{} is no key for saved sessions; delete it, and with it the use of what was saved",
            path.display()
        )));
    }
    Ok(key)
}

/// A file of ours in the user's state folder, if there is such a folder.
pub(crate) fn state_file(name: &str) -> Option<PathBuf> {
    let base = etcetera::base_strategy::choose_base_strategy().ok()?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    Some(state.join("rlm-sandbox").join(name))
}
