//! Recordings of all sessions, where the environment names a folder for them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use rlm_sandbox::{Change, Record, Recording, SessionBuilder};
use rlm_sandbox_files::Folder;

use crate::terminal::Terminal;
use crate::usage;

/// Returns a new file in the folder that `RLM_SANDBOX_RECORD` names, which is made; none if it names none. The name
/// of the file is the second, the process and a number.
///
/// # Errors
///
/// A usage error for a value that is no folder, and if the folder cannot be made.
pub(crate) fn path() -> Result<Option<PathBuf>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let Some(folder) = Record::folder_of_environment()? else {
        return Ok(None);
    };
    Folder::make_by_own_links(&folder).map_err(|error| {
        usage(format!(
            "RLM_SANDBOX_RECORD: cannot use {}: {error}",
            folder.display()
        ))
    })?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let (second, process) = (since.unwrap_or_default().as_secs(), std::process::id());
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{second}-{process}-{number}.jsonl"));
        // Another machine, or container, may write to the same folder, and a link may have the name.
        if std::fs::symlink_metadata(&path).is_err() {
            return Ok(Some(path));
        }
    }
}

/// Has a session recorded there, if the environment wants that.
///
/// # Errors
///
/// The errors of [`path`], and a usage error if the file cannot be made.
pub(crate) fn attach(builder: SessionBuilder, terminal: &Terminal) -> Result<SessionBuilder> {
    Ok(attached(&builder, terminal)?.unwrap_or(builder))
}

/// Returns the builder of a session that is recorded there, if the environment wants that.
///
/// # Errors
///
/// The errors of [`attach`].
pub(crate) fn attached(
    builder: &SessionBuilder,
    terminal: &Terminal,
) -> Result<Option<SessionBuilder>> {
    let attach = |path| Ok(builder.clone().record(&unasked(path, terminal)?));
    path()?.map(attach).transpose()
}

/// Makes a recording. The operator is warned on the terminal when it cannot be written any more.
///
/// # Errors
///
/// A usage error if the file cannot be made.
pub(crate) fn recording(
    path: impl Into<PathBuf>,
    terminal: &Terminal,
) -> rlm_sandbox::Result<Recording> {
    let recording = Recording::create(path)?;
    let terminal = terminal.clone();
    Ok(recording.on_failure(move |what| terminal.error(&format!("warning: {what}\n"))))
}

/// Makes a recording that only the environment wants, of the session and its forks: where it cannot be written any more, the
/// session goes on without.
///
/// # Errors
///
/// The errors of [`recording`].
pub(crate) fn unasked(
    path: impl Into<PathBuf>,
    terminal: &Terminal,
) -> rlm_sandbox::Result<Recording> {
    Ok(recording(path, terminal)?.best_effort().with_forks())
}

/// Has a branch recorded beside its run, where that is possible, if the environment wants recordings.
///
/// # Errors
///
/// A usage error for a value of the variable that means nothing.
pub(crate) fn branch_unasked(change: Change) -> rlm_sandbox::Result<Change> {
    Ok(match Record::folder_of_environment()? {
        Some(_) => change.record_best_effort(),
        None => change,
    })
}

/// Returns the error for the client where a recording that the environment wants fails. The reason has paths of this
/// machine, so it goes to the operator alone.
pub(crate) fn refused(error: &anyhow::Error, terminal: &Terminal) -> rlm_sandbox::Error {
    terminal.error(&format!("error: {error:#}\n"));
    rlm_sandbox::Error::usage(
        "the session cannot be recorded, as RLM_SANDBOX_RECORD wants it; the operator of this program finds the reason on its \
         standard error",
    )
}
