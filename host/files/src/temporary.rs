//! Files that are written under another name first, and must not outlive the process.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FILES: Mutex<Files> = Mutex::new(Files {
    paths: BTreeSet::new(),
    locks: BTreeSet::new(),
    has_ended: false,
});

struct Files {
    paths: BTreeSet<PathBuf>,
    locks: BTreeSet<PathBuf>,
    has_ended: bool,
}

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that [`remove_temporary`] removes while this exists. To drop this leaves the file as it is.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// Creates a file that only this user may read and write, from its first moment on, and opens it
    /// for both.
    ///
    /// # Errors
    ///
    /// The system's, `AlreadyExists` if anything has the path, and `Interrupted` if the process ends.
    pub fn create(path: &Path) -> io::Result<(Self, File)> {
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Self::of(path, || options.open(path))
    }

    /// Registers the file that `create` creates at `path`.
    pub(crate) fn of(
        path: &Path,
        create: impl FnOnce() -> io::Result<File>,
    ) -> io::Result<(Self, File)> {
        // Held until the file is there, so that none is created after the last was removed.
        let mut files = files();
        if files.has_ended {
            let message = "a signal ends the process";
            return Err(io::Error::new(io::ErrorKind::Interrupted, message));
        }
        let file = create()?;
        files.paths.insert(path.to_owned());
        Ok((Self(path.to_owned()), file))
    }

    /// Registers a lock that this process has. It is removed after all other files, so that no other process gets the
    /// lock before.
    pub fn of_lock(path: &Path) -> Self {
        files().locks.insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut files = files();
        files.paths.remove(&self.0);
        files.locks.remove(&self.0);
    }
}

/// Removes all temporary files, for a process that a signal ends. No further one is created.
pub fn remove_temporary() {
    let mut files = files();
    files.has_ended = true;
    for path in files.paths.iter().chain(&files.locks) {
        // It may have its last name by now.
        let _ = std::fs::remove_file(path);
    }
}
