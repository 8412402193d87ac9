//! Journals that answer in tests.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::divergence::Tolerance;
use super::player::Player;
use super::recorder::{data_folder, lock, place};
use super::{Inner, Journal, ReaderLimits, Recorder, Recording, is_journal};
use rlm_sandbox_engine::{Error, Result};
use rlm_sandbox_files::Links;

/// Overrides the mode of every cassette.
const VARIABLE: &str = "RLM_SANDBOX_RECORD";

/// When a [`Cassette`] asks tools and the model themselves, and records what
/// they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record {
    /// If there is no such file. If there is, everything is answered from it.
    Once,
    /// Never.
    None,
    /// After the end of what the file has; that is added to it. The session has to do exactly what the recorded one
    /// did up to there, inspections and fuel included, with the same interpreter, limits, profile and tools: what is
    /// added follows from it, as in one recording.
    New,
    /// Always, anew: the file is replaced.
    All,
}

impl Record {
    fn parse(word: &str) -> Result<Self> {
        match word {
            "once" => Ok(Self::Once),
            "none" => Ok(Self::None),
            "new" => Ok(Self::New),
            "all" => Ok(Self::All),
            _ => Err(Error::usage(format!(
                "{VARIABLE} is `{word}`; for cassettes it is once, none, new or all, and a folder for recordings of all \
                 sessions has a slash in it, as ./runs"
            ))),
        }
    }

    /// Returns the folder in which the environment wants all sessions of a program recorded, if it wants that.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) for a value that is neither a folder nor about cassettes.
    #[doc(hidden)]
    pub fn folder_of_environment() -> Result<Option<PathBuf>> {
        let Some(word) = std::env::var_os(VARIABLE).filter(|word| !word.is_empty()) else {
            return Ok(None);
        };
        if is_folder(&word) {
            return Ok(Some(word.into()));
        }
        Self::parse(&word.to_string_lossy()).map(|_| None)
    }
}

/// Returns whether a value of the variable is a folder.
fn is_folder(word: &std::ffi::OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.contains(&b'/') || (cfg!(windows) && bytes.contains(&b'\\'))
}

/// A journal that answers for tools and the model in a test, so that the test
/// needs neither network nor luck.
///
/// The session has the recorded seed and clock, and its scripts, contexts and
/// calls are compared with the recorded ones: whatever differs is an
/// [`ErrorKind::Diverged`](crate::ErrorKind::Diverged) that says what was
/// expected. Fuel and outcomes are not compared, so a cassette outlives updates
/// of the interpreter, and answers in it may be edited;
/// [`Journal::replay`] compares everything, and so does [`Record::New`].
/// A script that is played may take ten times its limit on compute time, as the
/// machine may be slower than the one that recorded it.
#[derive(Clone, Debug)]
pub struct Cassette {
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Recorded {
        journal: Arc<Inner>,
        extends: bool,
        /// One session has it.
        is_taken: Arc<Mutex<bool>>,
    },
    New(Recording),
}

/// What a session does with a cassette.
#[derive(Debug)]
pub(crate) enum Inserted {
    Plays(Box<Player>),
    Records(Recorder),
}

impl Cassette {
    /// Opens the cassette in this file, for one session.
    ///
    /// The environment variable `RLM_SANDBOX_RECORD` (`once`, `none`, `new`,
    /// `all`) overrides the mode. Nothing is ever recorded where the variable
    /// `CI` is set.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if there is no such file
    /// and none may be made, [`ErrorKind::Journal`](crate::ErrorKind::Journal)
    /// if it is no journal.
    pub fn open(path: impl Into<PathBuf>, record: Record) -> Result<Self> {
        Self::open_with(path, record, ReaderLimits::default())
    }

    /// [`open`](Self::open) under these limits on reading the file.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open).
    pub fn open_with(
        path: impl Into<PathBuf>,
        record: Record,
        reader: ReaderLimits,
    ) -> Result<Self> {
        let is_set = |name: &str| std::env::var(name).ok().filter(|word| !word.is_empty());
        let record = match is_set(VARIABLE) {
            // That is for sessions without a cassette.
            Some(word) if is_folder(word.as_ref()) => record,
            Some(word) => Record::parse(&word)?,
            None => record,
        };
        let is_ci = is_set("CI").is_some_and(|word| word != "false");
        Self::open_as(path.into(), record, is_ci, reader)
    }

    fn open_as(path: PathBuf, record: Record, is_ci: bool, reader: ReaderLimits) -> Result<Self> {
        // A recording that was ended before its first line is none.
        let exists =
            fs::symlink_metadata(&path).is_ok_and(|found| found.len() > 0 || !found.is_file());
        let record = if is_ci { Record::None } else { record };
        let content = match (record, exists) {
            (Record::None, false) => {
                return Err(Error::usage(format!(
                    "there is no cassette {}, and none is recorded {}; record it with {VARIABLE}=once and keep the file",
                    path.display(),
                    match is_ci {
                        true => "where CI is set",
                        false => "in this mode",
                    }
                )));
            }
            (Record::All, _) | (Record::Once | Record::New, false) => {
                Self::make_room(&path)?;
                Content::New(Recording::create(path)?)
            }
            (record, true) => Content::Recorded {
                journal: Journal::open_with(path, reader)?.inner,
                extends: record == Record::New,
                is_taken: Arc::default(),
            },
        };
        Ok(Self { content })
    }

    /// Removes the cassette that is to be recorded anew, with what lies beside it, and
    /// nothing else.
    fn make_room(path: &Path) -> Result<()> {
        let cannot = |why: String| {
            Error::usage(format!(
                "cannot record the cassette {}: {why}",
                path.display()
            ))
        };
        let (folder, name) = match place(path) {
            Ok(place) => place,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().unwrap_or(Path::new(""));
                return fs::create_dir_all(folder).map_err(|error| cannot(error.to_string()));
            }
            Err(error) => return Err(cannot(error.to_string())),
        };
        // All that follows is of the open file: its name may lead to another one by then.
        let recorded = match folder.open_file(name, Links::Refuse) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Ok(_) if super::parent_of(path).is_some() => {
                return Err(cannot(String::from(
                    "there is a recorded branch of that name; choose another file",
                )));
            }
            Ok(recorded) if is_journal(&recorded) || is_empty(&recorded) => recorded,
            _ => {
                return Err(cannot(String::from(
                    "there is something else of that name; remove it yourself, or choose another file",
                )));
            }
        };
        // A session may be recording to it. The lock is held until its name is gone.
        lock(&recorded, path)?;
        let data = match folder.path() {
            Some(folder) => data_folder(&folder.join(name)),
            None => data_folder(path),
        };
        let removed = folder.remove_file(name).and_then(|()| remove_data(&data));
        removed.map_err(|error| cannot(error.to_string()))
    }

    /// Returns whether what comes after its end is added to it. A cassette that is recorded from its beginning is not gone on with.
    #[doc(hidden)]
    pub fn goes_on(&self) -> bool {
        matches!(self.content, Content::Recorded { extends: true, .. })
    }

    /// The seed and the start of the clock that were recorded.
    pub(crate) fn header(&self) -> Option<&super::Header> {
        match &self.content {
            Content::Recorded { journal, .. } => Some(&journal.header),
            Content::New(_) => None,
        }
    }

    pub(crate) fn insert(&self, sandbox: &crate::Sandbox) -> Result<Inserted> {
        match &self.content {
            Content::New(recording) => Ok(Inserted::Records(recording.take()?)),
            Content::Recorded {
                journal,
                extends,
                is_taken,
            } => {
                let may_differ = match extends {
                    // What is recorded behind it would not follow from it else.
                    true => Tolerance::Nothing,
                    false => Tolerance::AllButCalls,
                };
                journal.check(sandbox, may_differ)?;
                if journal.parent.is_some() {
                    return Err(Error::usage(
                        "a recorded branch begins in the middle of its run, so it is no cassette; record a session of its own",
                    ));
                }
                let mut is_taken = is_taken.lock().unwrap_or_else(PoisonError::into_inner);
                if std::mem::replace(&mut *is_taken, true) {
                    return Err(Error::usage(
                        "a cassette is for one session; open it again for another one",
                    ));
                }
                let mut player = Player::new(journal, may_differ);
                player.extends = *extends;
                Ok(Inserted::Plays(Box::new(player)))
            }
        }
    }
}

fn is_empty(file: &File) -> bool {
    file.metadata().is_ok_and(|file| file.len() == 0)
}

/// Removes the files that a recording keeps in a folder, named by digests, and the
/// folder if it is empty then.
fn remove_data(folder: &Path) -> io::Result<()> {
    let Ok(opened) = rlm_sandbox_files::Folder::open(folder, rlm_sandbox_files::Links::Refuse)
    else {
        // None, or a link, which is somebody else's business.
        return Ok(());
    };
    // Through the open folder: its name may lead elsewhere by now.
    let here = opened.path().unwrap_or_else(|| folder.to_owned());
    for entry in fs::read_dir(here)? {
        let entry = entry?;
        let name = entry.file_name();
        let digest = name.as_encoded_bytes().split(|&byte| byte == b'.').next();
        let is_digest =
            digest.is_some_and(|name| name.len() == 64 && name.iter().all(u8::is_ascii_hexdigit));
        if is_digest && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    match fs::remove_dir(folder) {
        // What is left is not a recording's.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed,
    }
}
