//! Where compiled guests are kept between processes.
//!
//! A compiled guest is native code, so a file is loaded only if nobody but this
//! user (or root) could have written it. The engine checks that the code was
//! compiled from this guest, by this engine, under these settings: the key in
//! the file's name stands inside the file, too.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::error::{Error, ErrorKind, Result};

/// Names the folder, where the environment should.
const VARIABLE: &str = "RLM_SANDBOX_CACHE";

/// The folder for compiled guests: `$RLM_SANDBOX_CACHE`, else `rlm-sandbox` in
/// `$XDG_CACHE_HOME` or `~/.cache`.
pub fn default_folder() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    set(VARIABLE).or_else(|| {
        let base = set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        Some(
            base.or_else(|| Some(env::home_dir()?.join(".cache")))?
                .join("rlm-sandbox"),
        )
    })
}

/// The file for code of this kind under this key.
pub fn file_name(kind: &str, key: &str) -> String {
    format!("{kind}-{key}.cwasm")
}

/// Loads a compiled guest; maps it if the system lets us run code from there.
pub fn load(engine: &Engine, path: &Path) -> Result<Component> {
    let unreadable = |error| {
        let message = format!("cannot read the compiled guest {}", path.display());
        Error::new(ErrorKind::Guest, message).because(error)
    };
    // Where links lead is looked up once.
    let real = fs::canonicalize(path).map_err(unreadable)?;
    let is_link = real != path;
    let reason = distrust(path).or_else(|| is_link.then(|| distrust(&real)).flatten());
    if let Some(reason) = reason {
        return Err(Error::new(
            ErrorKind::Guest,
            format!(
                "{} is not loaded, because {reason}; delete it, or see to it that only you can write it",
                path.display()
            ),
        ));
    }
    map(engine, &real).or_else(|error| {
        if is_short_of_memory(&error) {
            return Err(short_of_memory(path).because(error));
        }
        // A folder mounted `noexec` can still be read.
        let bytes = fs::read(&real).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => short_of_memory(path).because(error),
            _ => unreadable(error),
        })?;
        from_bytes(engine, &bytes).map_err(|error| {
            if is_short_of_memory(&error) {
                return short_of_memory(path).because(error);
            }
            Error::new(
                ErrorKind::Guest,
                format!(
                    "{} was not compiled by this version for this machine; compile it again",
                    path.display()
                ),
            )
            .because(error)
        })
    })
}

fn short_of_memory(path: &Path) -> Error {
    let message = format!(
        "this process may have no more memory or mappings, and {} needs some; raise its limit (`ulimit -v`, \
         `vm.max_map_count`)",
        path.display()
    );
    Error::new(ErrorKind::Host, message)
}

fn is_short_of_memory(error: &wasmtime::Error) -> bool {
    error.chain().any(|cause| {
        let of_system = cause.downcast_ref::<rustix::io::Errno>();
        let of_library = cause.downcast_ref::<io::Error>();
        of_system == Some(&rustix::io::Errno::NOMEM)
            || of_library.is_some_and(|error| error.kind() == io::ErrorKind::OutOfMemory)
    })
}

#[expect(
    unsafe_code,
    reason = "compiled code is native code; `distrust` has looked at who could write it"
)]
fn map(engine: &Engine, path: &Path) -> wasmtime::Result<Component> {
    // SAFETY: only this user or root can have written the file, and this
    // library writes such files whole, under another name first.
    unsafe { Component::deserialize_file(engine, path) }
}

/// Loads compiled code that the caller trusts: from [`load`] or the compiler.
///
/// # Errors
///
/// The engine's, if the code was not compiled by such an engine.
#[expect(
    unsafe_code,
    reason = "compiled code is native code; its bytes come from `load` or from the compiler"
)]
pub fn from_bytes(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: the callers have the bytes from the compiler or from a file that
    // only this user or root can have written.
    unsafe { Component::deserialize(engine, bytes) }
}

/// Writes `bytes` so that no reader ever sees half of them.
pub fn store(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.as_os_str().is_empty() {
        make_private_folder(folder)?;
    }
    // Nobody else writes to it: not another thread, nor a process of the same
    // number in another container.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let (process, count) = (std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed));
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let temporary = path.with_extension(format!("{process}.{count}.{}.tmp", now.as_nanos()));
    let written = (|| {
        let mut file = File::options()
            .write(true)
            .create_new(true)
            .open(&temporary)?;
        file.write_all(bytes)?;
        make_private(&file)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // Nothing is lost if this fails as well.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(unix)]
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(unix)]
pub(crate) fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

/// Why a file might have been written by somebody else.
#[cfg(unix)]
fn distrust(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    let me = rustix::process::geteuid().as_raw();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // A link counts as itself, too: who made it says what is loaded.
    for (place, metadata) in [
        (folder, fs::metadata(folder)),
        (path, fs::symlink_metadata(path)),
    ] {
        let Ok(metadata) = metadata else {
            continue;
        };
        if metadata.uid() != me && metadata.uid() != 0 {
            return Some(format!("{} belongs to another user", place.display()));
        }
        let is_anybodys = metadata.mode() & 0o022 != 0 && !metadata.is_symlink();
        let sticky = metadata.is_dir() && metadata.mode() & 0o1000 != 0;
        if is_anybodys && !sticky {
            return Some(format!("other users may write {}", place.display()));
        }
    }
    None
}

#[cfg(not(unix))]
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(not(unix))]
pub(crate) fn make_private(_file: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn distrust(_path: &Path) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_that_others_could_have_written_is_not_trusted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.cwasm");
        store(&path, b"code").expect("written");
        assert_eq!(distrust(&path), None);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("changed");
        assert!(
            distrust(&path)
                .expect("a reason")
                .contains("other users may write")
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("changed");
        assert!(distrust(&path).is_some());
    }
}
