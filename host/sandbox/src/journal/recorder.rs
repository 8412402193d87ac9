//! Writes a journal while it happens.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use rlm_sandbox_files::{Folder, make_private};

use super::Source;
use super::branch_of::{BranchOf, branches_folder};
use super::line::{Line, Said};
use crate::call::digest;
use rlm_sandbox_engine::{Error, ErrorKind, Result, hex};

/// What is written at once, for lines that may wait.
const BUFFER_BYTES: usize = 64 << 10;

/// The sum of a line, which holds that of the line before it: CRC-32 of
/// everything up to there but the sums. Whoever wants to forge a journal can
/// make up sums; what he cannot make up is what comes out when it is run.
pub(crate) type Sum = u32;

/// A journal that is yet to be written, for
/// [`SessionBuilder::record`](crate::SessionBuilder::record).
///
/// Next to the journal `run.jsonl` a folder `run.jsonl.data` is made for the
/// contexts that scripts see, once there is one.
#[derive(Clone, Debug)]
pub struct Recording {
    /// One session takes it.
    recorder: Arc<Mutex<Option<Recorder>>>,
}

impl Recording {
    /// Makes the file. An empty file of this user, such as the one that a recording leaves whose process was killed
    /// before its first line, is taken.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if there is one already that holds something, or it cannot be made.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self> {
        Recorder::create(path.into()).map(Self::from)
    }

    /// Writes keyed digests in place of data: arguments, answers, variables,
    /// contexts, and what scripts print and give. Sources and names stay. Such a
    /// journal can be compared with one that has the same `key`, but not replayed.
    /// To be called before a session takes the recording.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if the key is empty: then anybody could find out what short data
    /// was, by trying.
    pub fn redact(self, key: &[u8]) -> Result<Self> {
        if key.is_empty() {
            return Err(Error::usage(
                "the key that redacts a journal is empty; take some 32 random bytes",
            ));
        }
        if let Some(recorder) = &mut *self.lock() {
            recorder.key = Some(key.into());
        }
        Ok(self)
    }

    /// Tells `listener` when the recording cannot be written any more, with its path: the error that the session gives has
    /// none, since it may reach a model.
    #[must_use]
    pub fn on_failure(self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        if let Some(recorder) = &mut *self.lock() {
            recorder.listener = Some(Listener(Arc::new(listener)));
        }
        self
    }

    /// Lets the session go on without an error where the recording cannot be written any more; [`on_failure`](Self::on_failure)
    /// reports it. By default the execution fails and is rolled back.
    #[must_use]
    pub fn best_effort(self) -> Self {
        if let Some(recorder) = &mut *self.lock() {
            recorder.is_best_effort = true;
        }
        self
    }

    /// Records forks of the session, too: each as a branch of the recording, in the folder `run.jsonl.branches`, where it lies
    /// with those of [`Run::branch`](crate::Run::branch). A fork in which a script waits is not recorded, and where memories are
    /// not mapped page by page none is. By default no fork is.
    #[must_use]
    pub fn with_forks(self) -> Self {
        if let Some(recorder) = &mut *self.lock() {
            recorder.records_forks = true;
        }
        self
    }

    pub(crate) fn take(&self) -> Result<Recorder> {
        self.lock().take().ok_or_else(|| {
            Error::usage("a recording is of one session; create another one for this session")
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Recorder>> {
        self.recorder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Recorder> for Recording {
    fn from(recorder: Recorder) -> Self {
        Self {
            recorder: Arc::new(Mutex::new(Some(recorder))),
        }
    }
}

/// The file of a journal.
#[derive(Debug)]
pub(crate) struct Recorder {
    path: PathBuf,
    data: Arc<Data>,
    /// None after a failure: what is buffered must not be written later.
    file: Option<BufWriter<File>>,
    /// Bytes of the file up to the last line that was handed to the system.
    whole_bytes: u64,
    /// Bytes of the file with those that are buffered.
    bytes: u64,
    sum: Sum,
    key: Option<Box<[u8]>>,
    line: Vec<u8>,
    /// What went wrong first; nothing is written after that.
    failure: Option<io::Error>,
    listener: Option<Listener>,
    /// True if its failure is no error of the session.
    is_best_effort: bool,
    /// True if forks of the session are recorded as its branches.
    records_forks: bool,
    /// Lines of the file.
    lines: u64,
}

/// A place in a recording at which a fork begins.
pub(crate) struct ForkPlace {
    run: PathBuf,
    /// Number of the recording among the branches of the run; none if it is the run itself.
    branch: Option<u64>,
    lines: u64,
    sum: Sum,
}

impl ForkPlace {
    /// Returns the place in the recording of this session, before this execution.
    pub(crate) fn branch_of(self, session: String, exec: u64) -> BranchOf {
        BranchOf {
            session,
            branch: self.branch,
            exec,
            lines: self.lines,
            sum: self.sum,
        }
    }
}

/// A listener for the failure of a recording.
#[derive(Clone)]
struct Listener(Arc<dyn Fn(&str) + Send + Sync>);

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

impl Recorder {
    fn create(path: PathBuf) -> Result<Self> {
        let cannot = |error: io::Error| {
            Error::usage(match error.kind() {
                io::ErrorKind::AlreadyExists if path.is_dir() => {
                    format!("{} is a folder; name a file in it", path.display())
                }
                io::ErrorKind::NotFound => format!("there is no folder for {}", path.display()),
                io::ErrorKind::AlreadyExists => {
                    format!(
                        "{} exists; remove it, or record to another file",
                        path.display()
                    )
                }
                _ => format!("cannot record to {}: {error}", path.display()),
            })
        };
        let (folder, name) = place(&path).map_err(cannot)?;
        let (file, is_new) = match folder.create_file(name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let file = folder.open_file_to_write(name);
                (file.map_err(|_| cannot(error))?, false)
            }
            made => (made.map_err(cannot)?, true),
        };
        let check_empty = || match is_new || file.metadata().map_err(cannot)?.len() == 0 {
            true => Ok(()),
            false => Err(cannot(io::ErrorKind::AlreadyExists.into())),
        };
        check_empty()?;
        lock(&file, &path)?;
        // Another session may have begun to write it.
        check_empty()?;
        if !is_new {
            make_private(&file).map_err(cannot)?;
        }
        Ok(Self::new(path, folder, file, 0, (0, Sum::default())))
    }

    /// Returns where a fork of the session begins, if forks are recorded.
    pub(crate) fn fork_place(&self) -> Option<ForkPlace> {
        if !self.records_forks || self.key.is_some() || self.failure.is_some() {
            return None;
        }
        let (run, branch) = match BranchOf::place(&self.path) {
            Some((run, number)) => (run, Some(number)),
            None => (self.path.clone(), None),
        };
        let (lines, sum) = (self.lines, self.sum);
        Some(ForkPlace {
            run,
            branch,
            lines,
            sum,
        })
    }

    /// Makes the file of a fork that begins there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if it cannot be made and the recording is not one of best effort.
    pub(crate) fn fork(&self, place: &ForkPlace) -> Result<Option<Self>> {
        let made = Self::branch(&place.run, place.branch.unwrap_or(0));
        match made {
            Ok((mut recorder, _)) => {
                recorder.listener.clone_from(&self.listener);
                recorder.is_best_effort = self.is_best_effort;
                recorder.records_forks = true;
                Ok(Some(recorder))
            }
            Err(error) if self.is_best_effort => {
                if let Some(Listener(listener)) = &self.listener {
                    listener(&format!("{error}; a fork goes on without a recording"));
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Makes the file of the next branch of a run, in the folder of its branches, which is made for this user alone.
    /// Numbers above `above` that no branch has are tried.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if it cannot be made.
    pub(crate) fn branch(run: &Path, above: u64) -> Result<(Self, u64)> {
        let cannot = |error: io::Error| {
            let folder = branches_folder(run);
            Error::usage(format!(
                "cannot record branches in {}: {error}",
                folder.display()
            ))
        };
        let name = branches_folder(run);
        let name = name.file_name().unwrap_or_default();
        let (around, _) = place(run).map_err(cannot)?;
        let folder = around.open_private_folder(name).map_err(cannot)?;
        for number in above.saturating_add(1)..u64::MAX {
            let path = BranchOf::path(run, number);
            let file = match folder.create_file(path.file_name().unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(cannot)?,
            };
            lock(&file, &path)?;
            return Ok((
                Self::new(path, folder, file, 0, (0, Sum::default())),
                number,
            ));
        }
        Err(cannot(io::ErrorKind::AlreadyExists.into()))
    }

    /// Continues the journal that was read from `source` after its first `end` bytes, whose last
    /// line has this number, from 1, and this sum. The rest is dropped.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if the file at that path is another one by now, is not byte for byte
    /// what was read, or another session records to it. Then it is left as it is.
    pub(crate) fn append(source: &Source, end: u64, last: (u64, Sum)) -> Result<Self> {
        let path = &source.path;
        let cannot = |error: io::Error| {
            Error::usage(format!(
                "cannot go on recording to {}: {error}",
                path.display()
            ))
        };
        let (folder, name) = place(path).map_err(cannot)?;
        let mut file = folder.open_file_to_write(name).map_err(cannot)?;
        lock(&file, path)?;
        let is_same = rlm_sandbox_files::is_same(&file, &source.file).map_err(cannot)?;
        if !is_same || !source.is_in(&file).map_err(cannot)? {
            return Err(Error::usage(format!(
                "{} was changed since it was read; read it again to go on with what is there now",
                path.display()
            )));
        }
        let cut = |file: &mut File| {
            file.set_len(end)?;
            file.seek(SeekFrom::End(0))
        };
        cut(&mut file).map_err(cannot)?;
        Ok(Self::new(path.clone(), folder, file, end, last))
    }

    /// Takes a file with so many bytes and lines, and the sum of the last one.
    fn new(
        path: PathBuf,
        folder: Folder,
        file: File,
        bytes: u64,
        (lines, sum): (u64, Sum),
    ) -> Self {
        Self {
            data: Arc::new(Data::new(&path, folder)),
            path,
            file: Some(BufWriter::with_capacity(BUFFER_BYTES, file)),
            whole_bytes: bytes,
            bytes,
            sum,
            key: None,
            line: Vec::new(),
            failure: None,
            listener: None,
            is_best_effort: false,
            records_forks: false,
            lines,
        }
    }

    pub(crate) fn is_redacted(&self) -> bool {
        self.key.is_some()
    }

    pub(crate) fn write(&mut self, line: &Line) {
        if self.failure.is_some() {
            return;
        }
        if let Err(error) = self.try_write(line) {
            self.end_with(error);
        }
    }

    /// Cuts the file back to what was handed to the system before this failure, so that nothing which is told to have
    /// failed is completed when there is room again.
    fn end_with(&mut self, error: io::Error) {
        if let Some(writer) = self.file.take() {
            let (file, _lost) = writer.into_parts();
            // A part of a line at the end is no line for a reader, if this fails as well.
            let _ = file.set_len(self.whole_bytes);
        }
        if let (None, Some(Listener(listener))) = (&self.failure, &self.listener) {
            let path = self.path.display();
            listener(&format!(
                "the recording {path} cannot be written: {error}; its session goes on without one"
            ));
        }
        self.failure.get_or_insert(error);
    }

    fn try_write(&mut self, line: &Line) -> io::Result<()> {
        self.line.clear();
        match &self.key {
            None => serde_json::to_writer(&mut self.line, line)?,
            Some(key) => serde_json::to_writer(&mut self.line, &redacted(line, key))?,
        }
        self.sum = sum(self.sum, &self.line);
        self.line.pop();
        writeln!(self.line, ",\"sum\":\"{:08x}\"}}", self.sum)?;
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        file.write_all(&self.line)?;
        self.lines += 1;
        self.bytes = self.bytes.saturating_add(self.line.len() as u64);
        // The room of a long line is not kept.
        self.line.clear();
        self.line.shrink_to(BUFFER_BYTES);
        match line {
            // What may cost something to get again, or makes up a whole.
            Line::Header(_)
            | Line::Resume { .. }
            | Line::Returned { .. }
            | Line::Failed { .. }
            | Line::Outcome(_)
            | Line::Reset {}
            | Line::GivenUp { .. }
            | Line::End { .. } => {
                file.flush()?;
                self.whole_bytes = self.bytes;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Hands everything to the system, so that the end of this process takes
    /// nothing of it away.
    pub(crate) fn flush(&mut self) {
        let Some(file) = &mut self.file else {
            return;
        };
        if file.buffer().is_empty() {
            return;
        }
        match file.flush() {
            Ok(()) => self.whole_bytes = self.bytes,
            Err(error) => self.end_with(error),
        }
    }

    /// Keeps `bytes` beside the journal, once, and gives their digest.
    pub(crate) fn store(&mut self, bytes: &[u8]) -> String {
        self.store_as(&digest(bytes), bytes)
    }

    /// Keeps `bytes` of this digest beside the journal, once, and gives what the journal says of them.
    pub(crate) fn store_as(&mut self, plain: &str, bytes: &[u8]) -> String {
        if let Some(key) = &self.key {
            return keyed(key, plain.as_bytes());
        }
        if self.failure.is_none()
            && let Err(error) = self.data.keep(plain, bytes)
        {
            self.end_with(error);
        }
        plain.to_owned()
    }

    /// Returns the data beside the journal, for a thread that writes some of them beforehand; none where only
    /// digests are kept.
    pub(crate) fn data(&self) -> Option<Arc<Data>> {
        self.key.is_none().then(|| Arc::clone(&self.data))
    }

    /// Gives up, for want of a way to write something.
    pub(crate) fn fail(&mut self, why: &str) {
        self.end_with(io::Error::other(why));
    }

    /// Sets whether its failure is no error of the session.
    pub(crate) fn set_best_effort(&mut self, is_best_effort: bool) {
        self.is_best_effort = is_best_effort;
    }

    /// Returns whether its failure is no error of the session.
    pub(crate) fn is_best_effort(&self) -> bool {
        self.is_best_effort
    }

    /// What went wrong, for whoever has to know.
    pub(crate) fn failure(&self) -> Option<Error> {
        let error = self.failure.as_ref()?;
        let message = format!(
            "cannot write the journal of the session: {error}; the exec is rolled back, and the session goes on without a recording"
        );
        Some(Error::new(ErrorKind::Host, message))
    }
}

/// What lies beside a journal.
#[derive(Debug)]
pub(crate) struct Data {
    path: PathBuf,
    /// The folder of the journal.
    around: Folder,
    /// The folder of data, once there is data.
    folder: Mutex<Option<Folder>>,
    /// Digests of what was written.
    stored: Mutex<BTreeSet<String>>,
}

impl Data {
    fn new(journal: &Path, around: Folder) -> Self {
        Self {
            path: data_folder(journal),
            around,
            folder: Mutex::default(),
            stored: Mutex::default(),
        }
    }

    fn stored(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a file of this name, once, into the folder of data, which is made for this user alone.
    ///
    /// # Errors
    ///
    /// The system's, and `PermissionDenied` for a folder that is a link, belongs to another
    /// user or may be written by others: they could have put anything there.
    pub(crate) fn keep(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        static PARTS: AtomicU64 = AtomicU64::new(0);
        if self.stored().contains(name) {
            return Ok(());
        }
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match folder.take() {
            Some(opened) => opened,
            None => {
                let name = self.path.file_name().unwrap_or_default();
                let opened = self.around.open_private_folder(name);
                // Without the path of what is around it, which may reach a model.
                opened.map_err(|error| {
                    io::Error::new(error.kind(), format!("{}: {error}", name.display()))
                })?
            }
        };
        let folder = folder.insert(opened);
        // Whole or not at all, and never through a link: the part is a new file, and renaming
        // replaces whatever has the name.
        let number = PARTS.fetch_add(1, Ordering::Relaxed);
        let part = OsString::from(format!("{name}.{}.{number}.part", std::process::id()));
        let written = folder
            .create_temporary(&part)
            .and_then(|(removed_by_signals, mut file)| {
                file.write_all(bytes)?;
                folder.rename_file(&part, OsStr::new(name))?;
                drop(removed_by_signals);
                Ok(())
            });
        match written {
            Ok(()) => {
                self.stored().insert(name.to_owned());
            }
            Err(_) => {
                // Nothing is lost if this fails as well.
                let _ = folder.remove_file(&part);
            }
        }
        written
    }
}

/// Opens the folder of a journal, so that everything of one recording lies in one folder,
/// whatever has its path later; and the name of the journal in it.
pub(super) fn place(path: &Path) -> io::Result<(Folder, &OsStr)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = Folder::open_by_own_links(path.parent().unwrap_or(Path::new("")))?;
    Ok((folder, name))
}

/// Tries to lock a journal, and the pause before each. A child process holds all files of its parent, and so the lock of one
/// that was closed, until it runs its own program, which takes a millisecond or two.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Locks a journal for as long as the file is open: two sessions that record to it would
/// write over each other's lines.
pub(super) fn lock(file: &File, path: &Path) -> Result<()> {
    let mut locked = file.try_lock();
    for _ in 0..LOCK_TRIES {
        match locked {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            _ => break,
        }
        locked = file.try_lock();
    }
    match locked {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Error::usage(format!(
            "a session records to {}; close it first, or record to another file",
            path.display()
        ))),
        // Not every file system has locks.
        Err(TryLockError::Error(error)) => {
            tracing::debug!(path = %path.display(), %error, "a journal cannot be locked");
            Ok(())
        }
    }
}

/// Where the bytes lie that a journal names by their digests.
pub(crate) fn data_folder(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".data");
    name.into()
}

pub(crate) fn sum(before: Sum, line: &[u8]) -> Sum {
    let mut sum = crc32fast::Hasher::new_with_initial(before);
    sum.update(line);
    sum.finalize()
}

fn keyed(key: &[u8], bytes: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length will do");
    mac.update(bytes);
    hex(&mac.finalize().into_bytes())
}

fn redacted(line: &Line, key: &[u8]) -> Line {
    let hide = |said: &mut Said| {
        if let Said::Returned(_) | Said::Raised { .. } = said {
            *said = Said::Redacted(keyed(key, &said.bytes()));
        }
    };
    let mut line = line.clone();
    match &mut line {
        Line::Set { value, .. } => hide(value),
        Line::Answer { answer, charge, .. } => {
            hide(answer);
            if let Some(charge) = charge {
                charge.printed.clear();
            }
        }
        Line::Told { prompt, answer, .. } => {
            *prompt = keyed(key, prompt.as_bytes());
            hide(answer);
        }
        Line::Call(call) => {
            // Of what is shown, if that is all.
            let (arguments, digest) = (call.arguments.take(), call.digest.take());
            let of = digest.or(arguments).unwrap_or_default();
            call.digest = Some(keyed(key, of.as_bytes()));
            hide(&mut call.reply);
        }
        Line::Failed { why, .. } => *why = keyed(key, why.as_bytes()),
        Line::Returned { digest, .. } => *digest = keyed(key, digest.as_bytes()),
        Line::Outcome(outcome) => {
            (outcome.shown, outcome.answer) = (None, None);
            (outcome.stdout, outcome.stderr) = (None, None);
            outcome.digest = keyed(key, outcome.digest.as_bytes());
        }
        Line::Base { digest, .. } => *digest = keyed(key, digest.as_bytes()),
        _ => {}
    }
    line
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;
    use crate::journal::Tape;
    use crate::{Answer, Sandbox, Step, Tool};
    use rlm_sandbox_engine::ErrorKind;

    /// A journal on a disk that is full.
    fn full() -> Tape {
        let path = PathBuf::from("/dev/full");
        let file = File::options().write(true).open(&path);
        let file = file.expect("Linux has it");
        let (folder, _) = place(&path).expect("a folder");
        Tape::recording(Recorder::new(path, folder, file, 0, (0, Sum::default())))
    }

    #[test]
    fn a_line_that_was_not_written_is_not_completed_later() {
        use std::io::Read as _;
        use std::os::unix::fs::OpenOptionsExt as _;
        const NONBLOCK: i32 = 0o4000;
        // A pipe that is full stands for a disk that is.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("runs").success());
        let open = |options: &mut fs::OpenOptions| options.custom_flags(NONBLOCK).open(&path);
        let mut reader = open(File::options().read(true)).expect("a pipe");
        let mut file = open(File::options().write(true)).expect("a pipe");
        while file.write(&[b' '; 4096]).is_ok() {}
        let (around, _) = place(&path).expect("a folder");
        let mut recorder = Recorder::new(path.clone(), around, file, 0, (0, Sum::default()));
        recorder.write(&Line::Reset {});
        assert!(recorder.failure().is_some());
        let mut room = vec![0; 1 << 20];
        while reader.read(&mut room).is_ok_and(|bytes| bytes > 0) {}
        recorder.flush();
        drop(recorder);
        assert_eq!(reader.read(&mut room).expect("closed"), 0);
    }

    #[test]
    fn an_exec_that_cannot_be_recorded_has_not_happened_and_the_session_goes_on() {
        let sandbox = Sandbox::new().expect("the interpreter loads");
        let ask = || Tool::declared("ask");
        let mut session = sandbox.session().tool(ask()).open().expect("right");
        session.exec_blocking("x = [1]").expect("runs");
        let fails = |error: Error| {
            assert_eq!(error.kind(), ErrorKind::Host);
            let text = error.to_string();
            // A model may read it, so it names no file.
            let names_file = text.contains("/dev/full");
            assert!(!names_file && text.contains("rolled back"), "{text}");
        };
        let value = |session: &mut crate::Session| {
            let outcome = session.exec_blocking("x").expect("it goes on");
            outcome.value::<Vec<u64>>().expect("numbers")
        };
        session.state().tape = full();
        fails(
            session
                .exec_blocking("x.append(2)")
                .expect_err("not recorded"),
        );
        assert_eq!(value(&mut session), [1]);
        // At the first wait, and after it.
        session.state().tape = full();
        let step = crate::meter::block_on(session.step("x.append(3); x.append(ask())"));
        fails(step.expect_err("not recorded"));
        assert_eq!(value(&mut session), [1]);
        let step = crate::meter::block_on(session.step("x.append(4); x.append(ask())"));
        assert!(matches!(step.expect("waits"), Step::Waiting(_)));
        session.state().tape = full();
        let answer = Answer::value(5).expect("JSON");
        let ticket = session.waiting_calls()[0].ticket;
        fails(
            crate::meter::block_on(session.resume([(ticket, answer)])).expect_err("not recorded"),
        );
        assert_eq!(value(&mut session), [1]);
    }
}
