//! The streams of the program, shared with whatever prints while a script runs.

use std::fmt;
use std::io::{self, IsTerminal as _, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

type Writer = Arc<Mutex<dyn Write + Send>>;

/// Standard input, output and error.
///
/// A closed pipe is no error: what is written to it is dropped in silence.
#[derive(Clone)]
pub struct Terminal {
    stdin: Arc<Mutex<dyn Read + Send>>,
    stdout: Writer,
    stderr: Writer,
    closed: Arc<AtomicBool>,
    /// Whether a person watches standard error.
    pub(crate) is_watched: bool,
    /// Whether a person types on standard input.
    pub(crate) is_typed: bool,
    /// Whether Ctrl-C belongs to us.
    pub(crate) owns_signals: bool,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("is_watched", &self.is_watched)
            .finish_non_exhaustive()
    }
}

impl Terminal {
    /// The streams of this process.
    pub fn of_process() -> Self {
        Self {
            is_watched: io::stderr().is_terminal(),
            is_typed: io::stdin().is_terminal() && io::stdout().is_terminal(),
            owns_signals: true,
            ..Self::new(
                io::stdin(),
                Arc::new(Mutex::new(io::stdout())),
                Arc::new(Mutex::new(io::stderr())),
            )
        }
    }

    /// Any streams, for tests.
    pub fn new(stdin: impl Read + Send + 'static, stdout: Writer, stderr: Writer) -> Self {
        Self {
            stdin: Arc::new(Mutex::new(stdin)),
            stdout,
            stderr,
            closed: Arc::default(),
            is_watched: false,
            is_typed: false,
            owns_signals: false,
        }
    }

    /// Standard input, for somebody who reads all of it.
    pub(crate) fn input(&self) -> impl Read + Send + 'static {
        Input(Arc::clone(&self.stdin))
    }

    /// Everything on standard input.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.stdin
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The next line of standard input, without its end.
    pub(crate) fn read_line(&self) -> io::Result<Option<String>> {
        let mut stdin = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut line, mut byte) = (Vec::new(), [0]);
        // Byte by byte, so that nothing is taken that comes after the line.
        loop {
            if stdin.read(&mut byte)? == 0 {
                if line.is_empty() {
                    return Ok(None);
                }
                break;
            }
            if byte == *b"\n" {
                break;
            }
            line.push(byte[0]);
        }
        let line = String::from_utf8(line).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Some(line.trim_end_matches('\r').to_owned()))
    }

    /// Writes to standard output, at once.
    pub(crate) fn print(&self, text: &str) {
        self.write(&self.stdout, text);
    }

    /// Writes to standard error.
    pub(crate) fn error(&self, text: &str) {
        let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        // Where nobody reads standard error there is nobody to tell.
        let _ = stderr
            .write_all(text.as_bytes())
            .and_then(|()| stderr.flush());
    }

    /// Whether standard output is a pipe that nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Lets nobody write to standard output from now on. Who writes may finish,
    /// unless nobody reads it.
    pub(crate) fn close(&self, patience: Duration) {
        let since = Instant::now();
        let mut held = self.stdout.try_lock();
        while matches!(held, Err(TryLockError::WouldBlock)) && since.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(5));
            held = self.stdout.try_lock();
        }
        self.closed.store(true, Ordering::Relaxed);
    }

    fn write(&self, to: &Writer, text: &str) {
        let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_closed() {
            return;
        }
        if to
            .write_all(text.as_bytes())
            .and_then(|()| to.flush())
            .is_err()
        {
            self.closed.store(true, Ordering::Relaxed);
        }
    }
}

struct Input(Arc<Mutex<dyn Read + Send>>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .read(buffer)
    }
}
