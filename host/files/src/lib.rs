//! Opens and reads files that other people may have prepared.
//!
//! A path can change between two system calls, so nothing here looks at a path and
//! opens it afterwards: a file is opened once, without waiting for a writer of a
//! pipe, and every question is asked of the descriptor. Reading does not wait either: a regular
//! file without data yet, such as `/proc/kmsg`, is the error `WouldBlock`. Whoever needs the path of
//! an open file again uses [`path_of`].

mod temporary;

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

pub use temporary::{Temporary, remove_temporary};

/// Treatment of a symbolic link as the last part of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// The file that the link leads to is opened.
    Follow,
    /// A link is an error: nobody asked for one at this path.
    Refuse,
}

/// Opens the regular file at `path` for reading.
///
/// # Errors
///
/// The system's, or `InvalidInput` for anything that is no regular file: a
/// directory, pipe, socket, device, or a link where `links` refuses it. Never
/// waits for the other end of a pipe.
pub fn open(path: &Path, links: Links) -> io::Result<File> {
    let file = system::open(path, links)?;
    check_regular(&file)?;
    Ok(file)
}

/// Checks that an open file is a regular file.
///
/// # Errors
///
/// The system's, or `InvalidInput` for a directory, pipe, socket or device.
pub fn check_regular(file: &File) -> io::Result<()> {
    let about = file.metadata()?;
    match about.is_file() {
        true => Ok(()),
        false => Err(not_regular(about.is_dir())),
    }
}

/// Opens the regular file `name` in an open directory. A link is not followed.
///
/// # Errors
///
/// The system's, or `InvalidInput` for anything that is no regular file and for a name of more
/// than one part. Never waits for the other end of a pipe.
#[cfg(unix)]
pub fn open_in(directory: impl std::os::fd::AsFd, name: &Path) -> io::Result<File> {
    if name.file_name() != Some(name.as_os_str()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a name"));
    }
    let file = system::open_in(directory, name, Links::Refuse)?;
    check_regular(&file)?;
    Ok(file)
}

/// Opens the regular file at `path`, as [`open`] does, if only this user or root
/// can have written it.
///
/// # Errors
///
/// Those of [`open`], and `PermissionDenied` with the reason if the file belongs to
/// another user or others may write it.
pub fn open_owned(path: &Path, links: Links) -> io::Result<File> {
    let file = open(path, links)?;
    match distrust(&file)? {
        None => Ok(file),
        Some(reason) => Err(io::Error::new(io::ErrorKind::PermissionDenied, reason)),
    }
}

/// Opens the regular file at `path`, as [`open`] does, which was found by its name where other
/// users may have put one: it must belong to this user or root, and not every user may write it. It
/// may also belong to the owner of `named`, a folder that was named to be read and that not
/// every user may write. A link to it must belong to one of them, too: its maker says which file is found.
///
/// # Errors
///
/// Those of [`open`], and `PermissionDenied` with the reason.
pub fn open_found(path: &Path, links: Links, named: Option<&Folder>) -> io::Result<File> {
    let named = named.map(|folder| &folder.handle);
    let denied = |reason| Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    let link = || {
        path.symlink_metadata()
            .ok()
            .filter(|found| found.is_symlink())
    };
    let before = link();
    if let Some(link) = &before
        && system::distrust_owner(link, named)?.is_some()
    {
        return denied("it is a link of another user");
    }
    let file = open(path, links)?;
    let is_same = match (&before, link()) {
        (None, None) => true,
        (Some(before), Some(after)) => system::is_same(before, &after),
        _ => false,
    };
    if !is_same {
        return denied("it became another file while it was opened");
    }
    match system::distrust_found(&file, named)? {
        None => Ok(file),
        Some(reason) => denied(reason),
    }
}

/// Opens the regular file at `path`, as [`open_owned`] does, if no other user can read it:
/// the file of a key.
///
/// # Errors
///
/// Those of [`open_owned`], and `PermissionDenied` with a remedy if the mode lets the group or
/// others read the file.
pub fn open_secret(path: &Path, links: Links) -> io::Result<File> {
    let file = open_owned(path, links)?;
    if system::is_readable_by_others(&file.metadata()?) {
        let message = format!(
            "other users can read this key, and may know it already; make another one, or keep it to yourself: chmod 600 '{}'",
            path.display()
        );
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    Ok(file)
}

/// Opens the regular file at `path` for reading and writing, and creates it for this
/// user alone if there is none. A link is not followed.
///
/// # Errors
///
/// The system's, or `InvalidInput` for anything that is no regular file, and
/// `PermissionDenied` for a file of another user.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let file = system::open_or_create(path)?;
    check_regular(&file)?;
    match distrust(&file)? {
        None => Ok(file),
        Some(reason) => Err(io::Error::new(io::ErrorKind::PermissionDenied, reason)),
    }
}

/// Returns the reason why somebody else could have written the open file or
/// directory: another owner than this user or root, or a mode that lets others write.
/// A directory with the sticky bit passes, since nobody can replace the files of others in it.
///
/// # Errors
///
/// The system's, if the descriptor cannot be asked.
pub fn distrust(file: &File) -> io::Result<Option<&'static str>> {
    system::distrust(file)
}

/// Reads an open file to its end.
///
/// # Errors
///
/// The system's, `FileTooLarge` if the file holds more than `most_bytes`, of which at most one
/// byte more is read, or `WouldBlock` if the file was opened here and has no data yet.
pub fn read_to_end(file: &File, most_bytes: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("larger than {most_bytes} bytes"),
        )
    };
    let size = file.metadata()?.len();
    if size > most_bytes {
        return Err(too_large());
    }
    // The size is a hint: the file may grow while it is read.
    let mut bytes = Vec::new();
    bytes.try_reserve(usize::try_from(size).unwrap_or(usize::MAX))?;
    let read = file
        .take(most_bytes.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => {
            io::Error::new(error.kind(), "it has no data yet, and is not waited for")
        }
        _ => error,
    })?;
    if bytes.len() as u64 > most_bytes {
        return Err(too_large());
    }
    Ok(bytes)
}

/// An open folder, whose files are opened through its descriptor: whatever has its
/// old name now is not looked at again.
#[derive(Debug)]
pub struct Folder {
    handle: system::FolderHandle,
}

impl Folder {
    /// Opens a folder. An empty path is the current one.
    ///
    /// # Errors
    ///
    /// The system's, among them `NotADirectory`, also for a link where `links` refuses it.
    pub fn open(path: &Path, links: Links) -> io::Result<Self> {
        let path = match path.as_os_str().is_empty() {
            true => Path::new("."),
            false => path,
        };
        let handle = system::open_folder(path, links)?;
        Ok(Self { handle })
    }

    /// Opens a folder, as [`Folder::open`] does. A link in any part of the path is followed if
    /// this user or root made it: the maker of a link says which folder is opened.
    ///
    /// # Errors
    ///
    /// The system's, and `PermissionDenied` for a link of another user. Where the system is not
    /// Linux, links are followed as the system does.
    pub fn open_by_own_links(path: &Path) -> io::Result<Self> {
        let handle = system::open_folder_by_own_links(path)?;
        Ok(Self { handle })
    }

    /// Opens a folder as [`Folder::open_by_own_links`] does. It and those above it that are missing are made, for this user
    /// alone.
    ///
    /// # Errors
    ///
    /// Those of [`Folder::open_by_own_links`], and `NotADirectory` where a link or a file has the name by now.
    pub fn make_by_own_links(path: &Path) -> io::Result<Self> {
        let missing = match Self::open_by_own_links(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => error,
            opened => return opened,
        };
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(missing);
        };
        let parent = Self::make_by_own_links(parent)?;
        let handle = system::make_folder_in(&parent.handle, name)?;
        Ok(Self { handle })
    }

    /// Returns a path that leads to the open folder, whatever has its old name now. None
    /// where the system has no such paths.
    pub fn path(&self) -> Option<PathBuf> {
        system::folder_path(&self.handle)
    }

    /// Returns a path to the file of the name that `path` has, in the open folder. It is `path` where the system has no paths
    /// that lead to open folders.
    pub fn path_to(&self, path: &Path) -> PathBuf {
        match (self.path(), path.file_name()) {
            (Some(folder), Some(name)) if folder.is_dir() => folder.join(name),
            _ => path.to_owned(),
        }
    }

    /// Returns the descriptor of the folder, for libraries that read folders. Where a folder is a path,
    /// it is opened now.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn into_file(self) -> io::Result<File> {
        system::folder_file(self.handle)
    }

    /// Returns the reason why somebody else could have put files there; see [`distrust`].
    ///
    /// # Errors
    ///
    /// The system's, if the descriptor cannot be asked.
    pub fn distrust(&self) -> io::Result<Option<&'static str>> {
        system::distrust_folder(&self.handle)
    }

    /// Returns true if other users may create files there, as in a folder with the sticky bit.
    ///
    /// # Errors
    ///
    /// The system's, if the descriptor cannot be asked.
    pub fn is_shared(&self) -> io::Result<bool> {
        system::is_shared(&self.handle)
    }

    /// Makes the folder of this name for this user alone, or accepts one that only this user
    /// or root can have filled, and opens it.
    ///
    /// # Errors
    ///
    /// The system's, `NotADirectory` for anything else of that name, also a link, and
    /// `PermissionDenied` with the reason for a folder that belongs to another user or that
    /// others may write.
    pub fn open_private_folder(&self, name: &OsStr) -> io::Result<Self> {
        let handle = system::make_folder_in(&self.handle, name)?;
        let folder = Self { handle };
        let reason = match folder.is_shared()? {
            true => Some("other users may write it"),
            false => folder.distrust()?,
        };
        match reason {
            None => Ok(folder),
            Some(reason) => Err(io::Error::new(io::ErrorKind::PermissionDenied, reason)),
        }
    }

    /// Creates a file of this name, which only this user may read, and opens it for writing.
    ///
    /// # Errors
    ///
    /// The system's, and `AlreadyExists` if anything has the name, also a link.
    pub fn create_file(&self, name: &OsStr) -> io::Result<File> {
        system::create_in(&self.handle, Path::new(name))
    }

    /// Creates a file as [`create_file`](Self::create_file) does, to be renamed when it is written.
    ///
    /// # Errors
    ///
    /// Those of [`create_file`](Self::create_file), and `Interrupted` if the process ends.
    pub fn create_temporary(&self, name: &OsStr) -> io::Result<(Temporary, File)> {
        // Where a folder has no path, the name alone leads to no file, and none is removed.
        let path = self.path().unwrap_or_default().join(name);
        Temporary::of(&path, || self.create_file(name))
    }

    /// Opens the regular file of this name for reading and writing, without creating or
    /// truncating it. A link is not followed.
    ///
    /// # Errors
    ///
    /// The system's, `InvalidInput` for anything that is no regular file, and `PermissionDenied` with the reason for one that
    /// belongs to another user or that others may write.
    pub fn open_file_to_write(&self, name: &OsStr) -> io::Result<File> {
        let file = system::open_to_write_in(&self.handle, Path::new(name))?;
        check_regular(&file)?;
        match distrust(&file)? {
            None => Ok(file),
            Some(reason) => Err(io::Error::new(io::ErrorKind::PermissionDenied, reason)),
        }
    }

    /// Gives a file another name in this folder, and replaces what has that name.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn rename_file(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        system::rename_in(&self.handle, Path::new(from), Path::new(to))
    }

    /// Removes a file, or a link.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        system::remove_in(&self.handle, Path::new(name))
    }

    /// Opens the regular file of this name, as [`open`] does.
    ///
    /// # Errors
    ///
    /// Those of [`open`].
    pub fn open_file(&self, name: &OsStr, links: Links) -> io::Result<File> {
        let file = system::open_in(&self.handle, Path::new(name), links)?;
        check_regular(&file)?;
        Ok(file)
    }
}

/// Opens the regular file at `path` and reads at most `most_bytes` of it.
///
/// # Errors
///
/// Those of [`open`] and [`read_to_end`].
pub fn read(path: &Path, links: Links, most_bytes: u64) -> io::Result<Vec<u8>> {
    read_to_end(&open(path, links)?, most_bytes)
}

/// Takes a file away from all users but its own, where the system knows such permissions.
///
/// # Errors
///
/// The system's.
pub fn make_private(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Returns whether two open files are one, whatever names they have. True where the system
/// does not say.
///
/// # Errors
///
/// The system's, if a descriptor cannot be asked.
pub fn is_same(one: &File, other: &File) -> io::Result<bool> {
    Ok(system::is_same(&one.metadata()?, &other.metadata()?))
}

/// Returns whether half of the files that this process may have open are open, as the descriptor
/// of a file that was just opened shows. Whoever opens files for somebody else stops there.
pub fn is_scarce(file: &File) -> bool {
    system::is_scarce(file)
}

/// Returns whether half of the files that this process may have open are open, or no more can be
/// opened.
pub fn are_scarce() -> bool {
    let probe = Folder::open(Path::new("/"), Links::Follow).and_then(Folder::into_file);
    probe.map_or(true, |probe| is_scarce(&probe))
}

/// Returns a path that leads to an open file, whatever has its old name now. For
/// libraries that take paths only. None where the system has no such paths.
pub fn path_of(file: &File) -> Option<PathBuf> {
    system::path_of(file)
}

fn not_regular(is_folder: bool) -> io::Error {
    let what = match is_folder {
        true => "it is a folder and no file",
        false => "it is a pipe or a device and no regular file",
    };
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

#[cfg(unix)]
mod system {
    use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Component;

    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;

    use super::{File, Links, Metadata, OsStr, Path, PathBuf, io, not_regular};

    /// Most links that follow one another, as in Linux.
    const MOST_LINKS: usize = 40;

    pub(super) type FolderHandle = File;

    pub(super) fn open_folder(path: &Path, links: Links) -> io::Result<File> {
        let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::DIRECTORY;
        if links == Links::Refuse {
            flags |= OFlags::NOFOLLOW;
        }
        Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
    }

    #[cfg(target_os = "linux")]
    pub(super) fn open_folder_by_own_links(path: &Path) -> io::Result<File> {
        let at = |folder: &OwnedFd, part: &OsStr, flags| {
            rustix::fs::openat(folder, part, flags | OFlags::CLOEXEC, Mode::empty())
        };
        let place = OFlags::PATH | OFlags::CLOEXEC | OFlags::DIRECTORY;
        let start = |path: &Path| {
            let start = if path.is_absolute() { "/" } else { "." };
            rustix::fs::open(start, place, Mode::empty())
        };
        let parts_of = |path: &Path| {
            let parts = path.components().rev();
            let parts =
                parts.filter(|part| !matches!(part, Component::RootDir | Component::CurDir));
            parts
                .map(|part| part.as_os_str().to_owned())
                .collect::<Vec<_>>()
        };
        let mut folder = start(path)?;
        // The next one is the last.
        let mut parts = parts_of(path);
        let mut links = 0;
        while let Some(part) = parts.pop() {
            let next = at(&folder, &part, OFlags::PATH | OFlags::NOFOLLOW)?;
            let next = File::from(next);
            let metadata = next.metadata()?;
            if !metadata.is_symlink() {
                folder = next.into();
                continue;
            }
            if is_of_process(&folder)? {
                // What leads to an open folder has no path that leads there as surely.
                folder = at(&folder, &part, OFlags::PATH | OFlags::DIRECTORY)?;
                continue;
            }
            if !is_own(&metadata) {
                let message = format!(
                    "{} is a link of another user, who may point it elsewhere; name the folder itself",
                    Path::new(&part).display()
                );
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
            }
            links += 1;
            if links > MOST_LINKS {
                return Err(Errno::LOOP.into());
            }
            let target = rustix::fs::readlinkat(&next, "", Vec::new())?;
            let target = Path::new(OsStr::from_bytes(target.as_bytes()));
            if target.is_absolute() {
                folder = start(target)?;
            }
            parts.extend(parts_of(target));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        Ok(File::from(at(&folder, OsStr::new("."), flags)?))
    }

    /// Returns whether a folder is one of `/proc`, whose links only the system makes.
    #[cfg(target_os = "linux")]
    fn is_of_process(folder: &OwnedFd) -> io::Result<bool> {
        Ok(rustix::fs::fstatfs(folder)?.f_type == rustix::fs::PROC_SUPER_MAGIC)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn open_folder_by_own_links(path: &Path) -> io::Result<File> {
        open_folder(path, Links::Follow)
    }

    pub(super) fn folder_path(folder: &File) -> Option<PathBuf> {
        path_of(folder)
    }

    pub(super) fn folder_file(folder: File) -> io::Result<File> {
        Ok(folder)
    }

    pub(super) fn distrust_folder(folder: &File) -> io::Result<Option<&'static str>> {
        distrust(folder)
    }

    pub(super) fn is_shared(folder: &File) -> io::Result<bool> {
        Ok(is_anybodys(&folder.metadata()?))
    }

    pub(super) fn open(path: &Path, links: Links) -> io::Result<File> {
        open_at(rustix::fs::CWD, path, links)
    }

    pub(super) fn open_in(directory: impl AsFd, name: &Path, links: Links) -> io::Result<File> {
        open_at(directory, name, links)
    }

    fn open_at(directory: impl AsFd, path: &Path, links: Links) -> io::Result<File> {
        let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
        if links == Links::Refuse {
            flags |= OFlags::NOFOLLOW;
        }
        let file = match rustix::fs::openat(directory, path, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::LOOP) if links == Links::Refuse => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    "a symbolic link, which is not followed here",
                ));
            }
            // A socket, or a device that has nothing behind it.
            Err(Errno::NXIO) => return Err(not_regular(false)),
            Err(error) => return Err(error.into()),
        };
        // The flag stays: a few regular files of /proc and /sys wait for data when they are read.
        Ok(File::from(file))
    }

    pub(super) fn open_or_create(path: &Path) -> io::Result<File> {
        let flags = OFlags::RDWR
            | OFlags::CREATE
            | OFlags::CLOEXEC
            | OFlags::NOCTTY
            | OFlags::NONBLOCK
            | OFlags::NOFOLLOW;
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(File::from(rustix::fs::open(path, flags, mode)?))
    }

    pub(super) fn open_to_write_in(folder: &File, name: &Path) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::NOFOLLOW;
        let file = rustix::fs::openat(folder, name, flags, Mode::empty())?;
        Ok(File::from(file))
    }

    pub(super) fn create_in(folder: &File, name: &Path) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(File::from(rustix::fs::openat(folder, name, flags, mode)?))
    }

    pub(super) fn rename_in(folder: &File, from: &Path, to: &Path) -> io::Result<()> {
        Ok(rustix::fs::renameat(folder, from, folder, to)?)
    }

    pub(super) fn remove_in(folder: &File, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(
            folder,
            name,
            rustix::fs::AtFlags::empty(),
        )?)
    }

    pub(super) fn make_folder_in(folder: &File, name: &OsStr) -> io::Result<File> {
        match rustix::fs::mkdirat(folder, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::DIRECTORY | OFlags::NOFOLLOW;
        let made = rustix::fs::openat(folder, name, flags, Mode::empty())?;
        Ok(File::from(made))
    }

    pub(super) fn is_scarce(file: &File) -> bool {
        let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        // The system gives the least number that is free.
        most.is_some_and(|most| u64::try_from(file.as_raw_fd()).is_ok_and(|is| is >= most / 2))
    }

    pub(super) fn is_same(one: &Metadata, other: &Metadata) -> bool {
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }

    pub(super) fn distrust(file: &File) -> io::Result<Option<&'static str>> {
        Ok(distrust_metadata(&file.metadata()?))
    }

    pub(super) fn distrust_found(
        file: &File,
        named: Option<&File>,
    ) -> io::Result<Option<&'static str>> {
        let found = file.metadata()?;
        let distrust = distrust_owner(&found, named)?;
        Ok(distrust.or(is_everybodys(&found).then_some("all users may write it")))
    }

    pub(super) fn distrust_owner(
        found: &Metadata,
        named: Option<&File>,
    ) -> io::Result<Option<&'static str>> {
        let me = rustix::process::geteuid().as_raw();
        let named = named.map(File::metadata).transpose()?;
        let owner = named.filter(|folder| !is_everybodys(folder));
        let owner = owner.map(|folder| folder.uid());
        let is_trusted = [Some(me), Some(0), owner].contains(&Some(found.uid()));
        Ok((!is_trusted).then_some("it belongs to another user"))
    }

    fn is_everybodys(metadata: &Metadata) -> bool {
        metadata.mode() & 0o002 != 0
    }

    /// Returns whether this user or root owns it.
    fn is_own(metadata: &Metadata) -> bool {
        metadata.uid() == 0 || metadata.uid() == rustix::process::geteuid().as_raw()
    }

    pub(super) fn distrust_metadata(metadata: &Metadata) -> Option<&'static str> {
        if !is_own(metadata) {
            return Some("it belongs to another user");
        }
        let is_sticky_folder = metadata.is_dir() && metadata.mode() & 0o1000 != 0;
        let others_write = is_anybodys(metadata) && !is_sticky_folder;
        others_write.then_some("other users may write it")
    }

    pub(super) fn is_anybodys(metadata: &Metadata) -> bool {
        metadata.mode() & 0o022 != 0
    }

    pub(super) fn is_readable_by_others(metadata: &Metadata) -> bool {
        metadata.mode() & 0o044 != 0
    }

    pub(super) fn path_of(file: &File) -> Option<PathBuf> {
        cfg!(target_os = "linux")
            .then(|| PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
    }
}

#[cfg(not(unix))]
mod system {
    use super::{File, Links, Metadata, OsStr, Path, PathBuf, io};

    pub(super) type FolderHandle = PathBuf;

    pub(super) fn open_folder(path: &Path, links: Links) -> io::Result<PathBuf> {
        let metadata = match links {
            Links::Follow => std::fs::metadata(path)?,
            Links::Refuse => std::fs::symlink_metadata(path)?,
        };
        match metadata.is_dir() {
            true => Ok(path.to_owned()),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn open_folder_by_own_links(path: &Path) -> io::Result<PathBuf> {
        open_folder(path, Links::Follow)
    }

    pub(super) fn folder_path(folder: &Path) -> Option<PathBuf> {
        Some(folder.to_owned())
    }

    pub(super) fn folder_file(folder: PathBuf) -> io::Result<File> {
        let mut options = std::fs::OpenOptions::new();
        options.read(true);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt as _;
            /// `FILE_FLAG_BACKUP_SEMANTICS`, without which no folder is opened.
            const FOLDERS_TOO: u32 = 0x0200_0000;
            options.custom_flags(FOLDERS_TOO);
        }
        options.open(folder)
    }

    pub(super) fn distrust_folder(_folder: &Path) -> io::Result<Option<&'static str>> {
        Ok(None)
    }

    pub(super) fn is_shared(_folder: &Path) -> io::Result<bool> {
        Ok(false)
    }

    pub(super) fn open_in(folder: &Path, name: &Path, links: Links) -> io::Result<File> {
        open(&folder.join(name), links)
    }

    pub(super) fn open(path: &Path, links: Links) -> io::Result<File> {
        if links == Links::Refuse && std::fs::symlink_metadata(path)?.is_symlink() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a symbolic link, which is not followed here",
            ));
        }
        File::open(path)
    }

    pub(super) fn open_or_create(path: &Path) -> io::Result<File> {
        File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
    }

    pub(super) fn open_to_write_in(folder: &Path, name: &Path) -> io::Result<File> {
        File::options()
            .read(true)
            .write(true)
            .open(folder.join(name))
    }

    pub(super) fn create_in(folder: &Path, name: &Path) -> io::Result<File> {
        File::create_new(folder.join(name))
    }

    pub(super) fn rename_in(folder: &Path, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(folder.join(from), folder.join(to))
    }

    pub(super) fn remove_in(folder: &Path, name: &Path) -> io::Result<()> {
        std::fs::remove_file(folder.join(name))
    }

    pub(super) fn make_folder_in(folder: &Path, name: &OsStr) -> io::Result<PathBuf> {
        let path = folder.join(name);
        std::fs::create_dir_all(&path)?;
        Ok(path)
    }

    pub(super) fn is_scarce(_file: &File) -> bool {
        false
    }

    pub(super) fn is_same(_one: &Metadata, _other: &Metadata) -> bool {
        true
    }

    pub(super) fn distrust(_file: &File) -> io::Result<Option<&'static str>> {
        Ok(None)
    }

    pub(super) fn distrust_found(
        _file: &File,
        _named: Option<&PathBuf>,
    ) -> io::Result<Option<&'static str>> {
        Ok(None)
    }

    pub(super) fn distrust_owner(
        _found: &Metadata,
        _named: Option<&PathBuf>,
    ) -> io::Result<Option<&'static str>> {
        Ok(None)
    }

    pub(super) fn is_readable_by_others(_metadata: &Metadata) -> bool {
        false
    }

    pub(super) fn path_of(_file: &File) -> Option<PathBuf> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_file_is_not_found_by_a_link_of_another_user() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (
            folder.path().join("mine.toml"),
            folder.path().join("p.toml"),
        );
        fs::write(&file, "text").expect("written");
        symlink(&file, &link).expect("linked");
        open_found(&link, Links::Follow, None).expect("a link of one's own");
        open_found(&file, Links::Follow, None).expect("no link");
        // Only root can give a link away.
        if std::os::unix::fs::lchown(&link, Some(65534), Some(65534)).is_ok() {
            let error = open_found(&link, Links::Follow, None).expect_err("another's link");
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}");
            assert!(
                error.to_string().contains("a link of another user"),
                "{error}"
            );
        }
    }

    #[test]
    fn folders_are_made_behind_links_of_ones_own_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::create_dir(&real).expect("made");
        symlink("real", &link).expect("linked");
        let made = Folder::make_by_own_links(&link.join("a/b")).expect("made");
        let about = fs::metadata(real.join("a/b")).expect("there");
        assert_eq!(about.permissions().mode() & 0o777, 0o700);
        // Through the descriptor, also where something else has its name.
        fs::rename(real.join("a"), real.join("moved")).expect("moved");
        let place = made.path().expect("Linux has one");
        Folder::make_by_own_links(&place.join("c")).expect("made");
        assert!(real.join("moved/b/c").is_dir() && !real.join("a").exists());
        if std::os::unix::fs::lchown(&link, Some(65534), Some(65534)).is_ok() {
            let refused = Folder::make_by_own_links(&link.join("d/e")).expect_err("another's");
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
            assert!(!real.join("d").exists());
        }
    }

    #[test]
    fn only_regular_files_are_opened_and_no_pipe_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .expect("a pipe");
        for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
            let error = open(path, Links::Follow).expect_err("no regular file");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path:?}");
        }
    }

    #[test]
    fn a_file_without_data_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "text").expect("written");
        let directory = Folder::open(folder.path(), Links::Refuse).expect("opened");
        let name = OsStr::new("file");
        for file in [
            open(&path, Links::Refuse).expect("opened"),
            open_owned(&path, Links::Refuse).expect("opened"),
            open_or_create(&path).expect("opened"),
            open_in(
                fs::File::open(folder.path()).expect("opened"),
                Path::new("file"),
            )
            .expect("opened"),
            directory.open_file(name, Links::Refuse).expect("opened"),
            directory.open_file_to_write(name).expect("opened"),
        ] {
            let flags = rustix::fs::fcntl_getfl(&file).expect("flags");
            assert!(flags.contains(rustix::fs::OFlags::NONBLOCK), "{flags:?}");
        }
        // A regular file whose reader waits for the next message. It cannot be opened everywhere.
        let (done, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            if let Ok(file) = open(Path::new("/proc/kmsg"), Links::Refuse) {
                let error = read_to_end(&file, 64 << 20).expect_err("no end");
                assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
                assert!(error.to_string().contains("not waited for"), "{error}");
            }
            done.send(()).expect("awaited");
        });
        let patience = std::time::Duration::from_secs(60);
        ended.recv_timeout(patience).expect("it does not wait");
    }

    #[test]
    fn links_are_refused_where_nobody_asked_for_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "text").expect("written");
        symlink(&file, &link).expect("linked");
        assert_eq!(read(&link, Links::Follow, 4).expect("follows"), b"text");
        assert!(open(&link, Links::Refuse).is_err());
    }

    #[test]
    fn a_file_is_read_up_to_its_cap_and_no_further() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "12345").expect("written");
        assert_eq!(read(&path, Links::Refuse, 5).expect("fits"), b"12345");
        let error = read(&path, Links::Refuse, 4).expect_err("too large");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        // Files of /proc say that they are empty.
        let error = read(Path::new("/proc/self/maps"), Links::Refuse, 10).expect_err("too large");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        fs::write(&path, "key").expect("written");
        for (mode, is_secret) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("changed");
            match open_secret(&path, Links::Refuse) {
                Ok(_) => assert!(is_secret, "{mode:o}"),
                Err(error) => {
                    assert!(!is_secret, "{mode:o}");
                    assert!(error.to_string().contains("chmod 600 '"), "{error}");
                }
            }
        }
    }

    #[test]
    fn a_file_that_others_may_write_is_not_trusted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "code").expect("written");
        for (mode, trusted) in [(0o600, true), (0o644, true), (0o664, false), (0o602, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("changed");
            assert_eq!(
                open_owned(&path, Links::Refuse).is_ok(),
                trusted,
                "{mode:o}"
            );
        }
    }
}
