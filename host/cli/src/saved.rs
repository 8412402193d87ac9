//! Sessions in files, sealed with a key that only this user can read.
//!
//! A file belongs to one process at a time, which holds a lock on a file beside it. The
//! session itself cannot be locked: it is replaced by another file when it is saved.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bytesize::ByteSize;
use etcetera::BaseStrategy as _;
use rlm_sandbox::{Parked, Sandbox, Session};
use rlm_sandbox_files::{Folder, Links, Temporary};
use tempfile::NamedTempFile;

use crate::signals::InterruptHandler;
use crate::terminal::Terminal;
use crate::usage;

const KEY_BYTES: usize = 32;

/// Bytes of a session's file. Chosen by hand: a session with the default limits takes a few
/// MiB, and reading a file takes its size in memory before the seal can be checked.
const MOST_BYTES: u64 = 1 << 30;

/// Bytes of contexts that the file of a session holds. With more of them it holds none, and they are given again.
pub(crate) const CONTEXT_BYTES: u64 = 64 << 20;

/// Returns a session as its file has it: with its contexts, unless they are large, which is said on standard error.
///
/// # Errors
///
/// The errors of [`Session::park`].
pub(crate) async fn snapshot(session: &mut Session, terminal: &Terminal) -> Result<Parked> {
    let parked = session.park_with_contexts().await?;
    let bytes = parked.context_bytes();
    if bytes <= CONTEXT_BYTES {
        return Ok(parked);
    }
    terminal.error(&format!(
        "[the contexts have {}, and the file of a session holds {}: it holds none of them, so give each again with \
         --context, as it is now or with more at its end]\n",
        ByteSize::b(bytes),
        ByteSize::b(CONTEXT_BYTES)
    ));
    Ok(parked.without_contexts()?)
}

/// How long another process may have a session before the person who waits is told.
const SILENCE: Duration = Duration::from_millis(500);

/// The behavior while another process has a session's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Fail at once.
    No,
    /// Wait; an interrupt ends the process.
    Yes,
    /// Wait; an interrupt ends the wait with an error.
    UntilInterrupted,
}

/// A session's file, which no other process reads or writes while this one lives.
#[derive(Debug)]
pub(crate) struct SessionFile {
    /// Without links: what a link leads to is replaced, never the link. It leads through
    /// the descriptor of the folder, like that of the lock.
    path: PathBuf,
    /// The same without the descriptor.
    place: PathBuf,
    /// As it was named.
    name: PathBuf,
    /// None in a folder that this user cannot write: nobody can save a session there.
    lock: Option<File>,
    lock_path: PathBuf,
    _removed_by_signals: Option<Temporary>,
    /// True if there was no such file when the session was read.
    is_new: Cell<bool>,
    /// Open from the lock to the last write, so that all of it happens in one folder
    /// whatever gets the folder's name meanwhile.
    _folder: Folder,
}

impl SessionFile {
    /// Waits until no other process has the session in the file, and says so on
    /// standard error when that takes long.
    ///
    /// # Errors
    ///
    /// A usage error if another process has it and `wait` says not to wait, if the path is
    /// a link to nothing, or if its lock belongs to another user. A folder that cannot
    /// be written is no error before the session is saved.
    pub(crate) fn lock(name: &Path, wait: Wait, terminal: &Terminal) -> Result<Self> {
        let path = without_links(name).map_err(|error| {
            let folder = folder_of(name);
            let why = match error.kind() == ErrorKind::NotFound && !folder.exists() {
                true => format!("there is no folder {}", folder.display()),
                false => error.to_string(),
            };
            usage(format!("cannot use {}: {why}", name.display()))
        })?;
        let shown = beside(&path, "session-lock");
        let cannot = |error: io::Error| {
            usage(format!(
                "cannot lock {}: {}: {error}",
                name.display(),
                shown.display()
            ))
        };
        let folder = Folder::open_by_own_links(folder_of(&path)).map_err(cannot)?;
        let place = path.clone();
        let path = folder.path_to(&path);
        // The longest name beside it, which the session gets when it is saved.
        let longest = beside(&path, &format!("{}{TEMPORARY}", "x".repeat(RANDOM_BYTES)));
        match fs::symlink_metadata(longest) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot(error)),
            _ => {}
        }
        let lock_path = beside(&path, "session-lock");
        let (since, mut is_told) = (Instant::now(), false);
        let handler = (wait == Wait::UntilInterrupted).then(InterruptHandler::new);
        loop {
            let lock = match rlm_sandbox_files::open_or_create(&lock_path) {
                Ok(lock) => lock,
                // Another user can create and remove a lock in a shared folder between two looks.
                Err(error) if is_unwritable(&error) && may_write(&lock_path) => {
                    if fs::symlink_metadata(&lock_path).is_ok() {
                        return Err(cannot(error));
                    }
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                }
                Err(error) if is_unwritable(&error) && !lock_path.exists() => {
                    return Ok(Self {
                        path,
                        place,
                        name: name.to_owned(),
                        lock: None,
                        lock_path,
                        _removed_by_signals: None,
                        is_new: Cell::new(false),
                        _folder: folder,
                    });
                }
                Err(error) => return Err(cannot(error)),
            };
            if lock.metadata().map_err(cannot)?.len() > 0 {
                let message = "something else has that name; move it away";
                return Err(cannot(io::Error::new(ErrorKind::AlreadyExists, message)));
            }
            match lock.try_lock() {
                // Whoever had it before may have removed it: then others lock a new one.
                Ok(()) if is_at(&lock, &lock_path) => {
                    let file = Self {
                        path,
                        place,
                        name: name.to_owned(),
                        lock: Some(lock),
                        _removed_by_signals: Some(Temporary::of_lock(&lock_path)),
                        lock_path,
                        is_new: Cell::new(false),
                        _folder: folder,
                    };
                    file.remove_stale();
                    return Ok(file);
                }
                Ok(()) => continue,
                Err(TryLockError::Error(error)) => return Err(cannot(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            if handler
                .as_ref()
                .is_some_and(InterruptHandler::is_interrupted)
            {
                return Err(usage(format!(
                    "interrupted while another process has the session in {}",
                    name.display()
                )));
            }
            if wait == Wait::No {
                return Err(usage(format!(
                    "another process has the session in {}; try again later, or leave --no-wait out",
                    name.display()
                )));
            }
            if !is_told && since.elapsed() > SILENCE {
                is_told = true;
                terminal.error(&format!(
                    "[waiting for another process that has the session in {}]\n",
                    name.display()
                ));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns whether it is the file that `name` leads to.
    pub(crate) fn is_at(&self, name: &Path) -> bool {
        without_links(name).is_ok_and(|place| place == self.place)
    }

    /// Returns whether there is such a file.
    pub(crate) fn exists(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok()
    }

    /// Reads the session, or none if there is no such file.
    pub(crate) fn read(&self, sandbox: &Sandbox) -> Result<Option<Parked>> {
        let name = self.name.display();
        let refused = |error: rlm_sandbox::Error| usage(format!("{name}: {error}"));
        // The beginning shows whether the rest is worth reading.
        let check = |start: &[u8]| Parked::check_header(sandbox, start).map_err(refused);
        let Some(bytes) = self.read_checked(check)? else {
            return Ok(None);
        };
        let refused = |error: rlm_sandbox::Error| {
            let text = error.to_string();
            match text.contains("another key") {
                true => usage(format!(
                    "{name}: the file is damaged, or was saved with another key than that in {}",
                    state_file("session.key").unwrap_or_default().display()
                )),
                false => refused(error),
            }
        };
        let parked = Parked::from_bytes(sandbox, &bytes, &key()?).map_err(refused)?;
        Ok(Some(parked))
    }

    /// Reads the session, or none if there is no such file, and seals it with another key.
    pub(crate) fn read_sealed(&self, other: &[u8]) -> Result<Option<Vec<u8>>> {
        let refused =
            |error: rlm_sandbox::Error| usage(format!("{}: {error}", self.name.display()));
        let Some(bytes) = self.read_checked(|start| Parked::check_start(start).map_err(refused))?
        else {
            return Ok(None);
        };
        let sealed = Parked::reseal(&bytes, &key()?, other).map_err(refused)?;
        Ok(Some(sealed))
    }

    /// Reads the bytes of the session, if `check` takes the first of them.
    fn read_checked(&self, check: impl Fn(&[u8]) -> Result<()>) -> Result<Option<Vec<u8>>> {
        let name = self.name.display();
        let cannot = |error: io::Error| usage(format!("cannot read {name}: {error}"));
        let mut file = match rlm_sandbox_files::open(&self.path, Links::Refuse) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.is_new.set(true);
                return Ok(None);
            }
            Err(error) => return Err(cannot(error)),
        };
        let mut start = Vec::new();
        let header = (&file).take(Parked::HEADER_BYTES as u64);
        { header }.read_to_end(&mut start).map_err(cannot)?;
        check(&start)?;
        file.rewind().map_err(cannot)?;
        let bytes = rlm_sandbox_files::read_to_end(&file, MOST_BYTES).map_err(cannot)?;
        Ok(Some(bytes))
    }

    /// Checks that saving the session replaces no file but a saved session.
    ///
    /// # Errors
    ///
    /// A usage error if the file is something else.
    pub(crate) fn check_replaceable(&self) -> Result<()> {
        self.check_is_file()?;
        let name = self.name.display();
        let file = match rlm_sandbox_files::open(&self.path, Links::Refuse) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.is_new.set(true);
                return Ok(());
            }
            Err(error) => return Err(usage(format!("cannot read {name}: {error}"))),
        };
        let mut start = Vec::new();
        let read = file
            .take(Parked::HEADER_BYTES as u64)
            .read_to_end(&mut start);
        read.map_err(|error| usage(format!("cannot read {name}: {error}")))?;
        Parked::check_start(&start).map_err(|error| {
            usage(format!(
                "{name} would be replaced, and {error}; choose another name, or move it away"
            ))
        })
    }

    /// Checks that a device, a pipe or a folder is not taken for a session to be replaced.
    fn check_is_file(&self) -> Result<()> {
        let is_other = fs::symlink_metadata(&self.path).is_ok_and(|about| !about.is_file());
        match is_other {
            true => Err(anyhow::anyhow!("there is a folder, a pipe or a device"))
                .with_context(|| format!("cannot write the session to {}", self.name.display())),
            false => Ok(()),
        }
    }

    /// Writes a session; the file holds either the old one or the new one, never a
    /// part of either.
    ///
    /// # Errors
    ///
    /// An error if the file cannot be written, or if there was none when the session was read and there is
    /// one now.
    pub(crate) fn write(&self, parked: &Parked) -> Result<()> {
        self.write_bytes(&parked.to_bytes(&key()?))
    }

    /// Writes a session for another version of the program, as [`write`](Self::write) does.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write), and those of [`Parked::to_portable_bytes`].
    pub(crate) fn write_portable(&self, parked: &Parked) -> Result<()> {
        self.write_bytes(&parked.to_portable_bytes(&key()?)?)
    }

    /// Writes a session that another key sealed, as [`write`](Self::write) does.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write), and one if the bytes are no such session.
    pub(crate) fn write_sealed(&self, bytes: &[u8], other: &[u8]) -> Result<()> {
        self.write_bytes(&Parked::reseal(bytes, other, &key()?)?)
    }

    fn write_bytes(&self, bytes: &[u8]) -> Result<()> {
        let cannot = || format!("cannot write the session to {}", self.name.display());
        if bytes.len() as u64 > MOST_BYTES {
            let size = bytes.len();
            let why =
                format!("it takes {size} bytes, and {MOST_BYTES} can be read; delete variables");
            return Err(anyhow::anyhow!(why)).with_context(cannot);
        }
        let folder = folder_of(&self.path);
        self.check_is_file()?;
        let prefix = self.temporary_prefix();
        let mut named = tempfile::Builder::new();
        named
            .prefix(&prefix)
            .rand_bytes(RANDOM_BYTES)
            .suffix(TEMPORARY);
        let (_removed_by_signals, mut file) = temporary(&named, folder).with_context(cannot)?;
        file.write_all(bytes)
            .and_then(|()| file.as_file().sync_all())
            .with_context(cannot)?;
        match self.is_new.get() {
            // Something else that has the name by now, such as a recording, is no session.
            true => file.persist_noclobber(&self.path).with_context(cannot)?,
            false => file.persist(&self.path).with_context(cannot)?,
        };
        self.is_new.set(false);
        Ok(())
    }

    fn temporary_prefix(&self) -> OsString {
        let mut prefix = OsString::from(".");
        prefix.push(self.path.file_name().unwrap_or_default());
        prefix.push(".");
        prefix
    }

    /// Removes what processes left that were killed while they saved this session.
    fn remove_stale(&self) {
        let prefix = self.temporary_prefix();
        let Ok(entries) = fs::read_dir(folder_of(&self.path)) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            let made_up = name
                .strip_prefix(prefix.as_encoded_bytes())
                .and_then(|rest| rest.strip_suffix(TEMPORARY.as_bytes()));
            // Exactly so long: `.work.session.XXXXXX` belongs to `work.session`.
            if made_up.is_some_and(|made_up| made_up.len() == RANDOM_BYTES) {
                // Only who has the lock writes such files.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Creates a file that only this user may read, with a name that is made up.
fn temporary(
    named: &tempfile::Builder<'_, '_>,
    folder: &Path,
) -> io::Result<(Temporary, NamedTempFile)> {
    let mut temporary = None;
    let file = named.make_in(folder, |path| {
        let (created, file) = Temporary::create(path)?;
        temporary = Some(created);
        Ok(file)
    })?;
    let temporary = temporary.ok_or(io::ErrorKind::Other)?;
    Ok((temporary, file))
}

/// Letters in the name of a file that becomes a session.
const RANDOM_BYTES: usize = 6;

/// End of the name of a file that becomes a session.
const TEMPORARY: &str = ".tmp-session";

impl Drop for SessionFile {
    fn drop(&mut self) {
        // Those who wait have it open; they find that it is gone and make another one.
        let lock = self.lock.as_ref();
        if lock.is_some_and(|lock| is_at(lock, &self.lock_path)) {
            let _ = fs::remove_file(&self.lock_path);
        }
    }
}

/// Returns whether a file could not be made because its folder cannot be written.
fn is_unwritable(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied
    )
}

/// Returns whether this user may create files in the folder of a path.
#[cfg(unix)]
fn may_write(path: &Path) -> bool {
    use rustix::fs::{Access, access};
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    access(
        folder.unwrap_or(Path::new(".")),
        Access::WRITE_OK | Access::EXEC_OK,
    )
    .is_ok()
}

#[cfg(not(unix))]
fn may_write(_: &Path) -> bool {
    false
}

/// Most links that follow one another.
const MOST_LINKS: usize = 40;

/// Returns the path with its folder and the links at its end resolved, once.
///
/// # Errors
///
/// The system's, also for a link to nothing, and `PermissionDenied` for a link of another user.
fn without_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let name = path
            .file_name()
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "it has no name of a file"))?;
        let folder = Folder::open_by_own_links(folder_of(&path))?;
        let real = folder.path().unwrap_or_else(|| folder_of(&path).to_owned());
        let at = fs::canonicalize(real)?.join(name);
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => {
                if !is_own(&metadata) {
                    return Err(io::Error::new(
                        ErrorKind::PermissionDenied,
                        "it is a link of another user, who may point it elsewhere; name the file itself",
                    ));
                }
                fs::metadata(&at)?;
                path = folder_of(&at).join(fs::read_link(&at)?);
            }
            _ => return Ok(at),
        }
    }
    let many = "too many links follow one another";
    Err(io::Error::new(ErrorKind::InvalidInput, many))
}

/// Returns true for what belongs to this user or to root.
#[cfg(unix)]
fn is_own(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.uid() == 0 || metadata.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_own(_: &fs::Metadata) -> bool {
    true
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Returns the path of a hidden file beside `path`.
fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(what);
    path.with_file_name(name)
}

/// Returns whether the open file is the one that `path` names now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
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
    let folder = path.parent().unwrap_or(&path);
    let refused = || {
        usage(format!(
            "the folder of the key for saved sessions, {}, belongs to another user, or others may write there; make it \
             yours alone, or set XDG_STATE_HOME to another one",
            folder.display()
        ))
    };
    // All of it happens in one folder, also where another one gets the name meanwhile.
    let opened = Folder::make_by_own_links(folder)
        .map_err(|error| usage(format!("{}: {error}", cannot())))?;
    if !is_private(&opened) {
        return Err(refused());
    }
    let place = opened.path_to(&path);
    if !place.exists() {
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).context("the system has no randomness for a key")?;
        // Only this user may read such files; whoever comes second keeps the first key.
        let (_removed_by_signals, mut file) =
            temporary(&tempfile::Builder::new(), folder_of(&place)).with_context(cannot)?;
        file.write_all(&key)
            .and_then(|()| file.as_file().sync_all())
            .with_context(cannot)?;
        match file.persist_noclobber(&place) {
            Ok(_) => {}
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(cannot),
        }
    }
    let key = rlm_sandbox_files::open_secret(&place, Links::Follow)
        .and_then(|file| rlm_sandbox_files::read_to_end(&file, KEY_BYTES as u64))
        .map_err(|error| {
            let shown = path.display().to_string();
            let why = error.to_string();
            let why = why.replace(&place.display().to_string(), &shown);
            usage(format!("the key for saved sessions, {shown}: {why}"))
        })?;
    if key.len() != KEY_BYTES {
        return Err(usage(format!(
            "{} is no key for saved sessions; delete it, and with it the use of what was saved",
            path.display()
        )));
    }
    Ok(key)
}

/// Returns whether only this user or root can have put files into a folder.
fn is_private(folder: &Folder) -> bool {
    matches!(folder.distrust(), Ok(None)) && matches!(folder.is_shared(), Ok(false))
}

/// The file of what a person typed.
pub(crate) struct History {
    /// Leads through the descriptor of the folder.
    pub(crate) path: PathBuf,
    /// Open, so that the path leads to the folder that was looked at, also where another one gets the name meanwhile.
    _folder: Folder,
}

/// Returns the file of what a person typed; none where another user could have put something else in its place.
pub(crate) fn history() -> Option<History> {
    history_at(&state_file("history")?)
}

fn history_at(path: &Path) -> Option<History> {
    // Without a folder there is no history.
    let folder = Folder::make_by_own_links(path.parent()?).ok()?;
    let path = folder.path_to(path);
    let is_ours = match fs::symlink_metadata(&path) {
        Ok(about) => about.is_file() && is_own(&about),
        Err(error) => error.kind() == ErrorKind::NotFound,
    };
    (is_ours && is_private(&folder)).then_some(History {
        path,
        _folder: folder,
    })
}

/// A file of ours in the user's state folder, if there is such a folder.
pub(crate) fn state_file(name: &str) -> Option<PathBuf> {
    let base = etcetera::base_strategy::choose_base_strategy().ok()?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    Some(state.join("rlm-sandbox").join(name))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_history_that_others_could_have_put_there_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = folder.path().join("state");
        let path = state.join("history");
        let found = || {
            let history = history_at(&path)?;
            let folder = fs::canonicalize(history.path.parent()?).expect("there");
            Some(folder.join(history.path.file_name()?))
        };
        let wanted = fs::canonicalize(folder.path())
            .expect("there")
            .join("state/history");
        // The folder is made for this user alone.
        assert_eq!(found(), Some(wanted.clone()));
        fs::write(&path, "x = 1\n").expect("written");
        assert_eq!(found(), Some(wanted));
        // A folder that gets the name later is not written to.
        let history = history_at(&path).expect("its own");
        let moved = folder.path().join("moved");
        fs::rename(&state, &moved).expect("moved");
        fs::create_dir(&state).expect("made");
        fs::write(&history.path, "x = 2\n").expect("written");
        assert!(!path.exists());
        fs::remove_dir(&state).expect("removed");
        fs::rename(&moved, &state).expect("moved");
        assert_eq!(fs::read(&path).expect("there"), b"x = 2\n");
        for mode in [0o777, 0o770] {
            fs::set_permissions(&state, fs::Permissions::from_mode(mode)).expect("changed");
            assert_eq!(found(), None);
        }
        fs::set_permissions(&state, fs::Permissions::from_mode(0o700)).expect("changed");
        fs::remove_file(&path).expect("removed");
        symlink("/dev/zero", &path).expect("linked");
        assert_eq!(found(), None);
        fs::remove_file(&path).expect("removed");
        let _socket = UnixListener::bind(&path).expect("bound");
        assert_eq!(found(), None);
    }
}
