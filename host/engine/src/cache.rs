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

use rlm_sandbox_files::{Folder, Links, Temporary};
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::error::{Error, ErrorKind, Result};
use crate::pages::Pages;
use crate::pages::image::Image;

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

/// True where the system says who may write a file. Without that no compiled code is loaded from one.
pub const IS_SUPPORTED: bool = cfg!(unix);

/// Bytes of the largest file of compiled code that is read where it cannot be mapped.
const MOST_BYTES: u64 = 1 << 30;

/// Loads a compiled guest; maps it if the system lets us run code from there. Its image goes to `pages`, if those are given.
///
/// Folder and file are opened once, and every question is asked of the descriptors: a file
/// that takes its place later is not loaded.
///
/// # Errors
///
/// [`ErrorKind::Guest`] if the file cannot be read, could have been written by somebody else, or
/// was compiled by another version; [`ErrorKind::Host`] if there is no memory for it.
pub fn load(engine: &Engine, path: &Path, pages: Option<&Pages>) -> Result<Component> {
    let file = open(path)?;
    let mapped = rlm_sandbox_files::path_of(&file).map(|of_file| map(engine, &of_file));
    match mapped {
        Some(Ok(component)) => {
            if let Some(pages) = pages {
                let image = Image::of_file(&file).map_err(|error| unreadable(path, error))?;
                pages.set_image(image.ok_or_else(|| unfit(path))?);
            }
            return Ok(component);
        }
        Some(Err(error)) if is_short_of_memory(&error) => {
            return Err(short_of_memory(path).because(error));
        }
        // A folder mounted `noexec` can still be read; so can a file without a path.
        Some(Err(_)) | None => {}
    }
    let bytes = rlm_sandbox_files::read_to_end(&file, MOST_BYTES);
    let bytes = bytes.map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory => short_of_memory(path).because(error),
        _ => unreadable(path, error),
    })?;
    from_bytes(engine, &bytes, pages).map_err(|error| match is_short_of_memory(&error) {
        true => short_of_memory(path).because(error),
        false => unfit(path).because(error),
    })
}

fn unfit(path: &Path) -> Error {
    let what = "was not compiled by this version for this machine; compile it again";
    Error::new(ErrorKind::Guest, format!("{} {what}", path.display()))
}

/// Numbers of the errors that a process, or the system, can have no more files open.
const NO_DESCRIPTORS: i32 = 24;
const NO_FILES: i32 = 23;

fn unreadable(path: &Path, error: io::Error) -> Error {
    let message = format!("cannot read the compiled guest {}", path.display());
    // Compiling it anew would end in the same way.
    let (kind, remedy) = match error.raw_os_error() {
        Some(NO_DESCRIPTORS | NO_FILES) => (ErrorKind::Host, "; see ulimit -n"),
        _ => (ErrorKind::Guest, ""),
    };
    Error::new(kind, format!("{message}{remedy}")).because(error)
}

/// Opens a file of compiled code if only this user or root can have written it and put it
/// there.
///
/// A link is followed once, and only in a folder where nobody else can have made it; folder and file
/// that it leads to must be trusted themselves.
fn open(path: &Path) -> Result<File> {
    match open_here(path)? {
        Some(file) => Ok(file),
        None => {
            let real = fs::canonicalize(path).map_err(|error| unreadable(path, error))?;
            let file = open_here(&real)?;
            file.ok_or_else(|| distrusted(path, "it leads to a link that was made just now"))
        }
    }
}

/// Opens a file that is no link. None for a link that only this user or root can have made.
fn open_here(path: &Path) -> Result<Option<File>> {
    if !IS_SUPPORTED {
        return Err(distrusted(
            path,
            "this system does not say who may write it",
        ));
    }
    let unreadable = |error| unreadable(path, error);
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(unreadable(io::ErrorKind::InvalidInput.into()));
    };
    let folder = Folder::open_by_own_links(parent).map_err(unreadable)?;
    if let Some(reason) = folder.distrust().map_err(unreadable)? {
        return Err(distrusted(
            path,
            &format!("its folder is not safe ({reason})"),
        ));
    }
    let file = match folder.open_file(name, Links::Refuse) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::InvalidInput && is_link(path) => {
            if folder.is_shared().map_err(unreadable)? {
                let reason = "it is a link, and other users may write its folder";
                return Err(distrusted(path, reason));
            }
            if !is_own_link(path) {
                return Err(distrusted(
                    path,
                    "it is a link that belongs to another user",
                ));
            }
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
    };
    match rlm_sandbox_files::distrust(&file).map_err(unreadable)? {
        Some(reason) => Err(distrusted(path, reason)),
        None => Ok(Some(file)),
    }
}

fn distrusted(path: &Path, reason: &str) -> Error {
    Error::new(
        ErrorKind::Guest,
        format!(
            "{} is not loaded, because {reason}; delete it, or see to it that only you can write it",
            path.display()
        ),
    )
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

#[cfg(unix)]
fn is_own_link(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let me = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|link| link.uid() == me || link.uid() == 0)
}

#[cfg(not(unix))]
fn is_own_link(_path: &Path) -> bool {
    false
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
    reason = "compiled code is native code; `open` has looked at who could write it"
)]
fn map(engine: &Engine, path: &Path) -> wasmtime::Result<Component> {
    // SAFETY: only this user or root can have written the file, and this
    // library writes such files whole, under another name first.
    unsafe { Component::deserialize_file(engine, path) }
}

/// Loads compiled code that the caller trusts: from [`load`] or the compiler. Its image goes to `pages`, if those are given.
///
/// # Errors
///
/// The engine's, if the code was not compiled by such an engine, and the system's.
#[expect(
    unsafe_code,
    reason = "compiled code is native code; its bytes come from `load` or from the compiler"
)]
pub fn from_bytes(
    engine: &Engine,
    bytes: &[u8],
    pages: Option<&Pages>,
) -> wasmtime::Result<Component> {
    // SAFETY: the callers have the bytes from the compiler or from a file that
    // only this user or root can have written.
    let component = unsafe { Component::deserialize(engine, bytes)? };
    if let Some(pages) = pages {
        let image = Image::of_bytes(bytes)?;
        pages.set_image(image.ok_or_else(|| wasmtime::Error::msg("there is no image in it"))?);
    }
    Ok(component)
}

/// Writes `bytes` so that no reader ever sees half of them.
///
/// # Errors
///
/// The system's, `PermissionDenied` where another user's link leads to the folder, and `InvalidInput` where the path leads to
/// something that is no regular file, as a device: it would be replaced.
pub fn store(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    // All of it happens in one folder, also where another one gets the name meanwhile.
    let folder = Folder::make_by_own_links(parent)?;
    let place = folder.path_to(path);
    let path = place.as_path();
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        let message = "something that is no regular file has this name";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
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
        let (_removed_by_signals, mut file) = Temporary::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // Nothing is lost if this fails as well.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn reason(path: &Path) -> String {
        let refused = open(path).expect_err("not trusted");
        assert_eq!(refused.kind(), ErrorKind::Guest);
        refused.to_string()
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("changed");
    }

    #[test]
    fn a_link_of_another_user_leads_to_no_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::create_dir(&real).expect("made");
        std::os::unix::fs::symlink("real", &link).expect("linked");
        let path = link.join("new/a.cwasm");
        store(&path, b"code").expect("written");
        open(&path).expect("trusted");
        // Only root can give a link away.
        if std::os::unix::fs::lchown(&link, Some(65534), None).is_ok() {
            assert!(reason(&path).contains("cannot read"));
            let refused = store(&path, b"code").expect_err("another's link");
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
            store(&link.join("other/a.cwasm"), b"code").expect_err("another's link");
            assert!(!real.join("other").exists());
        }
    }

    #[test]
    fn a_file_that_others_could_have_written_is_not_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.cwasm");
        store(&path, b"code").expect("written");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        open(&path).expect("trusted");
        for mode in [0o666, 0o620, 0o602] {
            set_mode(&path, mode);
            assert!(reason(&path).contains("other users may write it"));
        }
        set_mode(&path, 0o600);
        set_mode(folder.path(), 0o777);
        assert!(reason(&path).contains("its folder is not safe"));
        // Nobody can replace a file of others in such a folder.
        set_mode(folder.path(), 0o1777);
        open(&path).expect("trusted");
    }

    #[test]
    fn links_are_followed_only_where_nobody_else_can_make_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("a.cwasm"), folder.path().join("link"));
        store(&file, b"code").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        open(&link).expect("trusted");
        set_mode(folder.path(), 0o1777);
        assert!(reason(&link).contains("it is a link"));
        // A link out of a trusted folder into one that is not.
        let trusted = tempfile::tempdir().expect("a folder");
        let link = trusted.path().join("link");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        open(&link).expect("a sticky folder, and a file of one's own");
        set_mode(folder.path(), 0o777);
        assert!(reason(&link).contains("its folder is not safe"));
    }

    #[test]
    fn what_is_no_regular_file_is_never_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), kind, mode, 0).expect("a pipe");
        std::os::unix::fs::symlink("/dev/null", at("device")).expect("linked");
        fs::create_dir(at("folder")).expect("made");
        for name in ["pipe", "device", "folder"] {
            let error = store(&at(name), b"code").expect_err("refused");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
        }
        assert!(!fs::metadata(at("pipe")).expect("there").is_file());
        assert!(is_link(&at("device")));
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 3);
        // A link to a file, or to nothing, is replaced by a file.
        for target in ["file", "nothing"] {
            fs::write(at("file"), "other").expect("written");
            std::os::unix::fs::symlink(at(target), at("link")).expect("linked");
            store(&at("link"), b"code").expect("written");
            assert!(!is_link(&at("link")));
            fs::remove_file(at("link")).expect("removed");
            assert_eq!(fs::read(at("file")).expect("there"), b"other");
        }
    }

    #[test]
    fn what_is_no_file_is_an_error_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("a.cwasm");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .expect("a pipe");
        for path in [&pipe, folder.path(), Path::new("/dev/zero"), Path::new("")] {
            assert!(
                reason(path).contains("cannot read the compiled guest"),
                "{path:?}"
            );
        }
    }

    /// Another thread swaps the file between the moment at which it is looked at and that at which its code is mapped.
    #[cfg(feature = "compiler")]
    #[test]
    fn code_is_mapped_from_the_file_that_was_looked_at() {
        use std::sync::atomic::AtomicBool;

        const ROUNDS: u32 = 5000;
        let engine = Engine::default();
        let compiled = |bytes: &[u8]| {
            let component = Component::new(&engine, bytes).expect("compiles");
            component.serialize().expect("code")
        };
        // Without anything in it, and with an empty module.
        let ours = compiled(b"\0asm\x0d\0\x01\0");
        let theirs = compiled(b"\0asm\x0d\0\x01\0\x01\x08\0asm\x01\0\0\0");
        assert_ne!(ours, theirs);
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let (path, foreign) = (at("a.cwasm"), at("foreign"));
        fs::write(&foreign, theirs).expect("written");
        set_mode(&foreign, 0o666);
        store(&path, &ours).expect("written");
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    fs::hard_link(&foreign, at("next")).expect("linked");
                    fs::rename(at("next"), &path).expect("moved");
                    store(&at("next"), &ours).expect("written");
                    fs::rename(at("next"), &path).expect("moved");
                }
            });
            let (mut loaded, mut refused, mut rounds, mut foreign) = (0, 0, 0, 0);
            while foreign == 0 && (rounds < ROUNDS || loaded == 0 || refused == 0) {
                rounds += 1;
                match load(&engine, &path, None) {
                    Ok(component) if component.serialize().expect("code") == ours => loaded += 1,
                    Ok(_) => foreign += 1,
                    Err(_) => refused += 1,
                }
            }
            is_done.store(true, Ordering::Relaxed);
            assert_eq!(foreign, 0, "code of others");
        });
    }

    /// One thread puts a file that others may write, a link to it and the trusted file in turn at a path
    /// that another thread opens.
    #[test]
    fn a_file_that_is_swapped_while_it_is_opened_is_the_trusted_one_or_refused() {
        use std::io::Read as _;
        use std::sync::atomic::AtomicBool;

        const ROUNDS: u32 = 3000;
        let folder = tempfile::tempdir().expect("a folder");
        // As /tmp is: others may put files there.
        set_mode(folder.path(), 0o1777);
        let at = |name: &str| folder.path().join(name);
        let (path, foreign) = (at("a.cwasm"), at("foreign"));
        fs::write(&foreign, b"foreign").expect("written");
        set_mode(&foreign, 0o666);
        store(&path, b"trusted").expect("written");
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let _ = fs::remove_file(at("next"));
                    std::os::unix::fs::symlink(&foreign, at("next")).expect("linked");
                    fs::rename(at("next"), &path).expect("moved");
                    fs::hard_link(&foreign, at("next")).expect("linked");
                    fs::rename(at("next"), &path).expect("moved");
                    store(&at("next"), b"trusted").expect("written");
                    fs::rename(at("next"), &path).expect("moved");
                }
            });
            let (mut opened, mut refused) = (0, 0);
            let mut rounds = 0;
            // Until each of the two was seen.
            while rounds < ROUNDS || opened == 0 || refused == 0 {
                rounds += 1;
                match open(&path) {
                    Ok(mut file) => {
                        let mut bytes = Vec::new();
                        file.read_to_end(&mut bytes).expect("read");
                        assert_eq!(bytes, b"trusted");
                        opened += 1;
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Guest, "{error}");
                        refused += 1;
                    }
                }
            }
            is_done.store(true, Ordering::Relaxed);
        });
    }
}
