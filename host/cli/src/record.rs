//! Recordings of all sessions, where the environment names a folder for them.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use rlm_sandbox::{Record, Recording, SessionBuilder};

/// Returns a new file in the folder that `RLM_SANDBOX_RECORD` names, which is made; none if it names none. The name
/// of the file is the second, the process and a number.
///
/// # Errors
///
/// A usage error for a value that is no folder, and that of the system if the folder cannot be made.
pub(crate) fn path() -> Result<Option<PathBuf>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let Some(folder) = Record::folder_of_environment()? else {
        return Ok(None);
    };
    let mut made = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut made, 0o700);
    let made = made.recursive(true).create(&folder);
    made.with_context(|| format!("RLM_SANDBOX_RECORD: cannot make {}", folder.display()))?;
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
/// As [`path`], and a usage error if the file cannot be made.
pub(crate) fn attach(builder: SessionBuilder) -> Result<SessionBuilder> {
    match path()? {
        Some(path) => Ok(builder.record(&recording(path)?)),
        None => Ok(builder),
    }
}

/// Makes a recording. The operator is warned when it cannot be written any more.
///
/// # Errors
///
/// A usage error if the file cannot be made.
pub(crate) fn recording(path: impl Into<PathBuf>) -> rlm_sandbox::Result<Recording> {
    let recording = Recording::create(path)?;
    Ok(recording.on_failure(|what| {
        let line = format!("warning: {what}\n");
        // Standard error may have no reader.
        std::thread::spawn(move || std::io::stderr().write_all(line.as_bytes()));
    }))
}
