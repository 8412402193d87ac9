//! Who compiles, where many start at once.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rlm_sandbox_files::Folder;

/// Whose turn it is to make a file, which takes long.
#[derive(Debug)]
pub(crate) struct Turn {
    /// Locked; the system takes that back from a process that dies.
    _file: File,
    path: PathBuf,
    /// Open, so that the path leads there.
    _folder: Folder,
}

/// Longer than it takes to compile the interpreter. Who was waited for so long may
/// never come to an end.
const PATIENCE: Duration = Duration::from_secs(60);

impl Turn {
    /// Waits until no other process or thread is at work on the file, or for a
    /// minute. Nothing if the folder cannot be written, or others may write there:
    /// then whoever needs the file makes it.
    pub(crate) fn take(file: &Path) -> Option<Self> {
        let folder = Folder::make_by_own_links(file.parent()?).ok()?;
        let place = folder.path()?;
        if !is_mine_alone(&place) {
            return None;
        }
        let path = place.join(file.with_extension("lock").file_name()?);
        let locked = rlm_sandbox_files::open_or_create(&path).ok()?;
        let since = Instant::now();
        while let Err(error) = locked.try_lock() {
            if matches!(error, TryLockError::Error(_)) || since.elapsed() > PATIENCE {
                return None;
            }
            thread::sleep(Duration::from_millis(20));
        }
        Some(Self {
            _file: locked,
            path,
            _folder: folder,
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Those who wait have it open; they will find that the file is there.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_mine_alone(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let me = rustix::process::geteuid().as_raw();
    fs::metadata(folder).is_ok_and(|about| about.uid() == me && about.mode() & 0o022 == 0)
}

#[cfg(not(unix))]
fn is_mine_alone(_folder: &Path) -> bool {
    true
}
