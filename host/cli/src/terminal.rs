//! The streams of the program, shared with whatever prints while a script runs.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal as _, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crate::FILE_BYTES;

/// Bytes of one line that is typed or piped in.
const LINE_BYTES: usize = 64 << 20;

fn too_large() -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("more than {FILE_BYTES} bytes, or than {LINE_BYTES} in one line; use a file"),
    )
}

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
    /// Whether standard output is a terminal.
    shows_output: bool,
    /// Whether control characters reach a terminal as they are.
    pub(crate) is_raw: bool,
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
            shows_output: io::stdout().is_terminal(),
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
            shows_output: false,
            is_raw: false,
            is_watched: false,
            is_typed: false,
            owns_signals: false,
        }
    }

    /// Standard input, for somebody who reads all of it.
    pub(crate) fn input(&self) -> impl Read + Send + 'static {
        Input(Arc::clone(&self.stdin))
    }

    /// Everything on standard input, up to 512 MiB.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut stdin = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        Read::take(&mut *stdin, FILE_BYTES + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > FILE_BYTES {
            true => Err(too_large()),
            false => Ok(bytes),
        }
    }

    /// The next line of standard input, without its end, up to 64 MiB.
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
            if line.len() == LINE_BYTES {
                return Err(too_large());
            }
            line.push(byte[0]);
        }
        let line = String::from_utf8(line).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Some(line.trim_end_matches('\r').to_owned()))
    }

    /// Writes to standard output, at once. Control characters are escaped if that is
    /// a terminal.
    pub(crate) fn print(&self, text: &str) {
        let is_escaped = self.shows_output && !self.is_raw;
        self.write(&self.stdout, &escaped(text, is_escaped));
    }

    /// Writes to standard error. Control characters are escaped if that is a terminal.
    pub(crate) fn error(&self, text: &str) {
        let text = escaped(text, self.is_watched && !self.is_raw);
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

/// Returns the text with every character escaped, as Python's `repr` does it, that
/// moves a terminal's cursor, changes its state or reorders what it shows. Line ends and
/// tabs stay.
fn escaped(text: &str, is_wanted: bool) -> Cow<'_, str> {
    if !is_wanted || !text.contains(controls_terminal) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match u32::from(character) {
            _ if !controls_terminal(character) => safe.push(character),
            code @ ..=0xff => safe.push_str(&format!("\\x{code:02x}")),
            code => safe.push_str(&format!("\\u{code:04x}")),
        }
    }
    safe.into()
}

/// Returns whether a character is a control (C0, DEL, C1), a separator of lines or
/// paragraphs, or one that changes the direction of text.
fn controls_terminal(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        _ => character.is_control(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_read_up_to_its_cap() {
        let nothing: Writer = Arc::new(Mutex::new(Vec::new()));
        let terminal = Terminal::new(io::repeat(b'x'), Arc::clone(&nothing), nothing);
        let error = terminal.read_line().expect_err("it never ends");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_and_all_else_stays() {
        let text = "é 漢\t\n\u{1b}[2J\r\u{7f}\u{9b}\u{202e}\u{2066}\u{200f}\u{2028}";
        assert_eq!(
            escaped(text, true),
            "é 漢\t\n\\x1b[2J\\x0d\\x7f\\x9b\\u202e\\u2066\\u200f\\u2028"
        );
        assert_eq!(escaped(text, false), text);
    }
}
