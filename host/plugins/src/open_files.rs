//! Files that plugins have open.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Files and folders that the plugins of one session have open at the same moment.
const OPEN_FILES: usize = 64;

/// The open files and folders of the plugins of one session. Folders of manifests are not among
/// them.
#[derive(Debug, Default)]
pub(crate) struct OpenFiles(Mutex<Vec<Weak<dyn Any + Send + Sync>>>);

impl OpenFiles {
    /// Adds a file that is open as long as this value lives. Returns whether the session may have
    /// one more.
    pub(crate) fn add<T: Any + Send + Sync>(&self, file: &Arc<T>) -> bool {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|file| file.strong_count() > 0);
        let has_room = files.len() < OPEN_FILES;
        if has_room {
            let file: Weak<T> = Arc::downgrade(file);
            files.push(file);
        }
        has_room
    }
}
