//! Files that a client may have read: none but those below the folders that the operator
//! named.
//!
//! Each folder is opened once, at the start. A request is resolved beneath that descriptor
//! by the kernel or by cap-std, part by part, and the file is judged by its own descriptor.
//! No path outside of the folders is ever looked at, so no answer tells what is there.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use rlm_sandbox_files::check_regular;

use crate::memory::{Memory, Share};
use crate::usage;

/// Links that are followed for one path, as many as Linux follows.
const LINKS: usize = 40;
/// Folders that an error names.
const SHOWN_FOLDERS: usize = 4;
/// Bytes of the longest path, as on Linux.
const PATH_BYTES: usize = 4096;

/// The files that may be read.
#[derive(Debug)]
pub(crate) struct Files {
    allowed: Vec<Allowed>,
}

/// A folder, or one file in it, that the operator named.
#[derive(Debug)]
struct Allowed {
    folder: Dir,
    /// The real path of the folder.
    path: PathBuf,
    /// The name of the only file that may be read.
    file: Option<PathBuf>,
    /// Absolute paths that mean what was named: as it was written, and where it really is.
    names: BTreeSet<PathBuf>,
}

impl Allowed {
    fn new(path: &Path) -> std::io::Result<Self> {
        let real = path.canonicalize()?;
        let names = BTreeSet::from([std::path::absolute(path)?, real.clone()]);
        let (path, file) = match (real.is_dir(), real.parent(), real.file_name()) {
            (false, Some(folder), Some(name)) => (folder.to_owned(), Some(PathBuf::from(name))),
            _ => (real, None),
        };
        Ok(Self {
            folder: Dir::open_ambient_dir(&path, ambient_authority())?,
            path,
            file,
            names,
        })
    }

    fn shown(&self) -> String {
        let path = match &self.file {
            Some(file) => &self.path.join(file),
            None => &self.path,
        };
        path.display().to_string()
    }

    /// The part of an absolute path below what was named.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        let rest = |name| path.strip_prefix(name).ok().map(Path::to_owned);
        let rest = self.names.iter().find_map(rest)?;
        match (&self.file, rest.as_os_str().is_empty()) {
            (Some(file), true) => Some(file.clone()),
            (None, false) => Some(rest),
            _ => None,
        }
    }

    /// Opens a regular file beneath the folder.
    fn open(&self, rest: &Path) -> Option<File> {
        #[cfg(unix)]
        if self.file.is_some() {
            return rlm_sandbox_files::open_in(&self.folder, rest).ok();
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            use rustix::fs::OFlags;
            // No pipe is waited for.
            let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
            options.custom_flags(flags.bits().cast_signed());
        }
        let file = self.folder.open_with(rest, &options).ok()?.into_std();
        check_regular(&file).ok()?;
        Some(file)
    }

    /// The absolute path that the first link among the parts of `rest` makes of it. cap-std
    /// refuses links with absolute paths and those that leave the folder and come back.
    fn through_link(&self, rest: &Path) -> Option<PathBuf> {
        if self.file.is_some() {
            return None;
        }
        let mut before = PathBuf::new();
        let mut parts = rest.components();
        while let Some(part) = parts.next() {
            let at = before.join(part);
            if let Ok(target) = self.folder.read_link_contents(&at) {
                return Some(self.path.join(before).join(target).join(parts.as_path()));
            }
            before = at;
        }
        None
    }
}

impl Files {
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Self> {
        let allowed = paths.iter().map(|path| {
            Allowed::new(path)
                .map_err(|error| usage(format!("--allow-read {}: {error}", path.display())))
        });
        Ok(Self {
            allowed: allowed.collect::<Result<_>>()?,
        })
    }

    /// Reads a file as the data of a context of this name.
    ///
    /// # Errors
    ///
    /// [`Full`](crate::memory::Full), a usage error for a file that is too large, and one and the same usage error
    /// for whatever else cannot be read: a file that is not there, not a regular file, not to
    /// be read by this user, or not below a folder that was named.
    pub(crate) fn read(
        &self,
        path: &Path,
        name: &str,
        memory: &Arc<Memory>,
    ) -> Result<(Vec<u8>, Share)> {
        let shown: String = path
            .display()
            .to_string()
            .chars()
            .take(PATH_BYTES)
            .collect();
        let cannot = || {
            usage(format!(
                "cannot read {shown}: there is no such regular file below {}",
                self.folders()
            ))
        };
        let file = self.open(path).ok_or_else(cannot)?;
        memory
            .read(&file, name)
            .map_err(|error| match error.downcast_ref::<std::io::Error>() {
                None => error,
                Some(cause) if cause.kind() == std::io::ErrorKind::FileTooLarge => {
                    usage(format!("cannot read {shown}: {cause}; load a part of it"))
                }
                Some(_) => cannot(),
            })
    }

    /// Returns what of the folders that were named is said to who may read below them.
    fn folders(&self) -> String {
        if self.allowed.is_empty() {
            return String::from("a folder given with --allow-read: none was given");
        }
        let named = self.allowed.iter().take(SHOWN_FOLDERS);
        let named: Vec<_> = named.map(Allowed::shown).collect();
        let others = match self.allowed.len() > SHOWN_FOLDERS {
            true => " and others",
            false => "",
        };
        format!("{}{others} (given with --allow-read)", named.join(", "))
    }

    /// Opens a file that may be read. A relative path begins in the folder of this process, or in one that was named.
    fn open(&self, path: &Path) -> Option<File> {
        let here = std::path::absolute(path).ok()?;
        self.open_absolute(here).or_else(|| {
            let mut named = self.allowed.iter().filter(|_| path.is_relative());
            named.find_map(|allowed| self.open_absolute(allowed.path.join(path)))
        })
    }

    fn open_absolute(&self, mut path: PathBuf) -> Option<File> {
        for _ in 0..=LINKS {
            if path.as_os_str().len() > PATH_BYTES {
                return None;
            }
            let plain = without_dots(&path);
            let below = || {
                let paths = [path.as_path(), &plain].into_iter();
                paths.flat_map(|path| {
                    let allowed = self.allowed.iter();
                    allowed.filter_map(move |allowed| Some((allowed, allowed.below(path)?)))
                })
            };
            if let Some(file) = below().find_map(|(allowed, rest)| allowed.open(&rest)) {
                return Some(file);
            }
            let led = below().find_map(|(allowed, rest)| allowed.through_link(&rest));
            path = led?;
        }
        None
    }
}

/// The path without `.` and `..`, as it is written: links are not looked at.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};

    use bytesize::ByteSize;

    use super::*;
    use crate::memory::MemoryOptions;

    /// A folder with files of all kinds, beside a secret.
    struct Case {
        folder: tempfile::TempDir,
        memory: Arc<Memory>,
    }

    impl Case {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path();
            for name in ["open/sub", "open-too"] {
                fs::create_dir_all(root.join(name)).expect("made");
            }
            for name in ["open/file", "open/sub/file", "secret", "open-too/file"] {
                fs::write(root.join(name), name).expect("written");
            }
            Self {
                folder,
                memory: MemoryOptions::of(ByteSize::gib(1)).memory("free some"),
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn files(&self, names: &[&str]) -> Files {
            let paths: Vec<_> = names.iter().map(|name| self.path(name)).collect();
            Files::new(&paths).expect("there")
        }

        /// The text of a file, or the error without the path.
        fn read(&self, files: &Files, path: &Path) -> Result<String, String> {
            match files.read(path, "a", &self.memory) {
                Ok((bytes, _)) => Ok(String::from_utf8(bytes).expect("text")),
                Err(error) => {
                    let shown = path.display().to_string();
                    Err(error.to_string().replacen(&shown, "PATH", 1))
                }
            }
        }
    }

    #[test]
    fn a_relative_path_may_begin_in_a_folder_that_was_named() {
        let case = Case::new();
        let files = case.files(&["open"]);
        for (path, read) in [
            ("file", "open/file"),
            ("./sub/../sub/file", "open/sub/file"),
        ] {
            assert_eq!(case.read(&files, Path::new(path)), Ok(read.to_owned()));
        }
        for path in [
            "../secret",
            "sub/../../secret",
            "secret",
            "../open-too/file",
        ] {
            assert_eq!(
                case.read(&files, Path::new(path)),
                Err(refusal(&files)),
                "{path}"
            );
        }
        let files = case.files(&["open/file"]);
        assert_eq!(
            case.read(&files, Path::new("file")),
            Ok("open/file".to_owned())
        );
        assert_eq!(
            case.read(&files, Path::new("sub/file")),
            Err(refusal(&files))
        );
    }

    fn refusal(files: &Files) -> String {
        format!(
            "cannot read PATH: there is no such regular file below {}",
            files.folders()
        )
    }

    #[test]
    fn whatever_may_not_be_read_is_refused_in_the_same_words() {
        let case = Case::new();
        let pipe = case.path("open/pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("runs").success());
        for (name, target) in [
            ("dangling", PathBuf::from("nothing")),
            ("outside", case.path("secret")),
            ("outside-relative", PathBuf::from("../secret")),
            ("up", PathBuf::from("..")),
            ("zero", PathBuf::from("/dev/zero")),
            ("environ", PathBuf::from("/proc/self/environ")),
            ("root", PathBuf::from("/")),
            ("around", PathBuf::from("around")),
        ] {
            symlink(target, case.path("open").join(name)).expect("linked");
        }
        let files = case.files(&["open", "open-too/file"]);
        for name in [
            "secret",
            "open",
            "open/",
            "open/sub",
            "open/missing",
            "open/file/below",
            "open/pipe",
            "open/dangling",
            "open/outside",
            "open/outside-relative",
            "open/up/secret",
            "open/../secret",
            "open/sub/../../secret",
            "open/zero",
            "open/environ",
            "open/root/proc/self/environ",
            "open/around",
            "open-too",
            "open-too/other",
            "open-too/file/..",
            "missing",
            "missing/file",
        ] {
            let read = case.read(&files, &case.path(name));
            assert_eq!(read, Err(refusal(&files)), "{name}");
        }
        for path in [
            "/etc/passwd",
            "/dev/zero",
            "/proc/self/environ",
            "/nowhere/at/all",
            "..",
            "a\0b",
        ] {
            let read = case.read(&files, Path::new(path));
            assert_eq!(read, Err(refusal(&files)), "{path}");
        }
        assert!(case.read(&files, Path::new("")).is_err());
        let none = Files::new(&[]).expect("none");
        assert_eq!(
            case.read(&none, &case.path("open/file")),
            Err(refusal(&none))
        );
        assert!(refusal(&none).ends_with("none was given"));
        let [folder, file] =
            ["open", "open-too/file"].map(|name| case.path(name).canonicalize().expect("there"));
        let named = format!(
            "below {}, {} (given with --allow-read)",
            folder.display(),
            file.display()
        );
        assert!(refusal(&files).ends_with(&named), "{named}");
    }

    #[test]
    fn files_below_the_folder_are_read_by_any_path_that_leads_there() {
        let case = Case::new();
        let real = case.folder.path().canonicalize().expect("there");
        symlink(real.join("open"), case.path("by-link")).expect("linked");
        for (name, target) in [
            ("relative", PathBuf::from("sub/file")),
            ("absolute", real.join("open/sub/file")),
            ("to-absolute", PathBuf::from("absolute")),
            ("out-and-in", PathBuf::from("../open/sub/file")),
            ("folder", real.join("open/sub")),
            ("to-other", real.join("open-too/file")),
        ] {
            symlink(target, case.path("open").join(name)).expect("linked");
        }
        let files = case.files(&["by-link", "open-too/file"]);
        for (name, text) in [
            ("open/file", "open/file"),
            ("by-link/file", "open/file"),
            ("open/sub/../file", "open/file"),
            ("open/../open/file", "open/file"),
            ("open-too/../open/./file", "open/file"),
            ("open/relative", "open/sub/file"),
            ("open/absolute", "open/sub/file"),
            ("by-link/to-absolute", "open/sub/file"),
            ("open/out-and-in", "open/sub/file"),
            ("open/folder/file", "open/sub/file"),
            ("open/folder/../file", "open/file"),
            ("open/to-other", "open-too/file"),
            ("open-too/file", "open-too/file"),
        ] {
            assert_eq!(
                case.read(&files, &case.path(name)),
                Ok(String::from(text)),
                "{name}"
            );
        }
    }

    #[test]
    fn a_file_that_was_named_is_no_link_to_another_one_later() {
        let case = Case::new();
        let files = case.files(&["open/file"]);
        let path = case.path("open/file");
        assert_eq!(case.read(&files, &path), Ok(String::from("open/file")));
        fs::remove_file(&path).expect("removed");
        for target in ["sub/file", "../secret"] {
            symlink(target, &path).expect("linked");
            assert!(case.read(&files, &path).is_err(), "{target}");
            fs::remove_file(&path).expect("removed");
        }
        fs::write(&path, "new").expect("written");
        assert_eq!(case.read(&files, &path), Ok(String::from("new")));
    }

    #[test]
    fn a_secret_outside_is_never_read_while_links_are_swapped() {
        let case = Case::new();
        let files = case.files(&["open"]);
        // The file, and the folder that it is in, become links and files again.
        let (file, folder) = (case.path("open/swapped"), case.path("open/folder"));
        fs::create_dir(case.path("hidden")).expect("made");
        fs::write(case.path("hidden/file"), "secret").expect("written");
        fs::create_dir(case.path("open/whole")).expect("made");
        fs::write(case.path("open/whole/file"), "public").expect("written");
        let (is_done, swaps) = (AtomicBool::new(false), AtomicBool::new(false));
        let (mut public, mut refused) = (0, 0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let next = case.path("open/next");
                while !is_done.load(Ordering::Acquire) {
                    for (name, good, bad) in [
                        (&file, case.path("open/file"), case.path("secret")),
                        (&folder, PathBuf::from("whole"), case.path("hidden")),
                    ] {
                        for target in [good, bad] {
                            symlink(target, &next).expect("linked");
                            fs::rename(&next, name).expect("replaced");
                        }
                    }
                    fs::write(&next, "public").expect("written");
                    fs::rename(&next, &file).expect("replaced");
                    swaps.store(true, Ordering::Release);
                }
            });
            while !swaps.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            let mut reads = 0;
            // At the least 1,000 of each, and until both outcomes were seen.
            while reads < 1000 || (reads < 100_000 && (public == 0 || refused == 0)) {
                reads += 1;
                for path in [file.clone(), folder.join("file")] {
                    match case.read(&files, &path) {
                        Ok(text) => {
                            assert!(matches!(text.as_str(), "public" | "open/file"), "{text}");
                            public += 1;
                        }
                        Err(error) => {
                            assert_eq!(error, refusal(&files));
                            refused += 1;
                        }
                    }
                }
            }
            is_done.store(true, Ordering::Release);
        });
        assert!(public > 0 && refused > 0, "{public} {refused}");
    }

    #[test]
    fn a_file_that_is_too_large_is_told_as_such() {
        let case = Case::new();
        let files = case.files(&["open"]);
        let large = case.path("open/large");
        let file = File::create(&large).expect("made");
        file.set_len(crate::FILE_BYTES + 1).expect("sparse");
        let error = case.read(&files, &large).expect_err("too large");
        assert!(error.contains("larger than 536870912 bytes"), "{error}");
    }
}
