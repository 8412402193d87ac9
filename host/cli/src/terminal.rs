//! The streams of the program, shared with whatever prints while a script runs.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::queued::Queued;
use crate::{FILE_BYTES, signals};

/// Bytes of one line that is typed or piped in.
const LINE_BYTES: usize = 64 << 20;
/// Bytes of text that are written to a person's terminal at once.
const SHOWN_BYTES: usize = 4 << 10;
/// Bytes of a line of JSON that are written at once.
const PIECE_BYTES: usize = 64 << 10;

fn too_large() -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("more than {FILE_BYTES} bytes, or than {LINE_BYTES} in one line; use a file"),
    )
}

pub(crate) type Writer = Arc<Mutex<dyn Write + Send>>;

/// Standard input, output and error.
///
/// A closed pipe is no error: what is written to it is dropped in silence. Any other error
/// of standard output is kept, and ends the program with an error.
#[derive(Clone)]
pub struct Terminal {
    stdin: Arc<Mutex<dyn Read + Send>>,
    stdout: Writer,
    stderr: Writer,
    /// The queue before standard error, if there is one.
    queued: Option<Queued>,
    /// The last character of each, since text comes in pieces.
    last_out: Arc<Mutex<Last>>,
    last_error: Arc<Mutex<Last>>,
    closed: Arc<AtomicBool>,
    /// True where the next text of standard output begins a line.
    begins_line: Arc<AtomicBool>,
    /// True after anything was written to standard output.
    has_printed: Arc<AtomicBool>,
    /// True after an interrupt broke off what was written.
    is_broken_off: Arc<AtomicBool>,
    /// The first error of standard output, other than a closed pipe.
    failure: Arc<OnceLock<io::Error>>,
    /// True if standard output is a terminal.
    shows_output: bool,
    /// True if control characters reach a terminal as they are.
    pub(crate) is_raw: bool,
    /// True if a person watches standard error.
    pub(crate) is_watched: bool,
    /// True if a person types on standard input.
    pub(crate) is_typed: bool,
    /// True if Ctrl-C belongs to us.
    pub(crate) owns_signals: bool,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("is_watched", &self.is_watched)
            .finish_non_exhaustive()
    }
}

/// The standard error of this process, once messages for it are queued: writing to it then waits for no reader.
static QUEUED: OnceLock<Writer> = OnceLock::new();

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
                QUEUED
                    .get()
                    .cloned()
                    .unwrap_or_else(|| Arc::new(Mutex::new(io::stderr()))),
            )
        }
    }

    /// Any streams, for tests.
    pub fn new(stdin: impl Read + Send + 'static, stdout: Writer, stderr: Writer) -> Self {
        Self {
            stdin: Arc::new(Mutex::new(stdin)),
            stdout,
            stderr,
            queued: None,
            last_out: Arc::default(),
            last_error: Arc::default(),
            closed: Arc::default(),
            begins_line: Arc::new(AtomicBool::new(true)),
            has_printed: Arc::default(),
            is_broken_off: Arc::default(),
            failure: Arc::default(),
            shows_output: false,
            is_raw: false,
            is_watched: false,
            is_typed: false,
            owns_signals: false,
        }
    }

    /// Puts a queue before standard error, so that a server does not wait for its reader: a client need not read it.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(crate) fn queue_errors(&mut self) -> io::Result<()> {
        let queued = Queued::new(Arc::clone(&self.stderr))?;
        self.stderr = Arc::new(Mutex::new(queued.clone()));
        if self.owns_signals {
            let _ = QUEUED.set(Arc::clone(&self.stderr));
        }
        self.queued = Some(queued);
        Ok(())
    }

    /// Waits, at the end, until what was written to standard error is there, but not long.
    pub(crate) fn settle_errors(&self) {
        if let Some(queued) = &self.queued {
            queued.settle(Duration::from_secs(1));
        }
    }

    /// Returns the same with another input and output: pipes to another process of this program.
    pub(crate) fn over(&self, input: impl Read + Send + 'static, output: Writer) -> Self {
        Self::new(input, output, Arc::clone(&self.stderr))
    }

    /// Writes what another process of this program printed, from a pipe to its end. Control characters are escaped as in
    /// [`print`](Self::print) and [`error`](Self::error). Stops when standard output is closed.
    pub(crate) fn relay(&self, mut from: impl Read, is_error: bool) {
        let (mut piece, mut rest) = (vec![0; PIECE_BYTES], Vec::new());
        loop {
            let count = from.read(&mut piece).unwrap_or(0);
            rest.extend_from_slice(&piece[..count]);
            // The last character may not be whole yet.
            let whole = match std::str::from_utf8(&rest) {
                Err(error) if error.error_len().is_none() && count > 0 => error.valid_up_to(),
                _ => rest.len(),
            };
            let text = String::from_utf8_lossy(&rest[..whole]).into_owned();
            rest.drain(..whole);
            match is_error {
                true => self.error(&text),
                false => self.print(&text),
            }
            if count == 0 || !is_error && self.is_closed() {
                return;
            }
        }
    }

    /// Standard input, for somebody who reads all of it.
    pub(crate) fn input(&self) -> impl Read + Send + 'static {
        Input(Arc::clone(&self.stdin))
    }

    /// Everything on standard input, up to 512 MiB.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        if self.is_typed {
            self.error("reading from the terminal; Ctrl-D at the beginning of a line ends it\n");
        }
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
        let mut last = self.last_out.lock().unwrap_or_else(PoisonError::into_inner);
        let text = escaped(text, is_escaped, &mut last);
        let mut written = 0;
        self.write(|stdout| {
            written = self.write_shown(stdout, text.as_bytes())?;
            Ok(())
        });
        if let Some(last) = text.as_bytes()[..written].last() {
            self.begins_line.store(*last == b'\n', Ordering::Relaxed);
        }
    }

    /// Writes text, and returns how much of it: an interrupt of a person who types breaks it off.
    fn write_shown(&self, to: &mut dyn Write, text: &[u8]) -> io::Result<usize> {
        if !self.is_typed {
            to.write_all(text)?;
            return Ok(text.len());
        }
        let mut written = 0;
        for piece in text.chunks(SHOWN_BYTES) {
            if written > 0 && signals::is_interrupted() {
                self.is_broken_off.store(true, Ordering::Relaxed);
                break;
            }
            to.write_all(piece)?;
            written += piece.len();
        }
        Ok(written)
    }

    /// Returns whether an interrupt broke off what was written since this was asked last.
    pub(crate) fn take_broken_off(&self) -> bool {
        self.is_broken_off.swap(false, Ordering::Relaxed)
    }

    /// Ends the line of standard output that was begun, if one was: a prompt would be drawn over it.
    pub(crate) fn end_line(&self) {
        if !self.begins_line.load(Ordering::Relaxed) {
            self.print("\n");
        }
    }

    /// Ends the line that a person sees, if one was begun. What a pipe gets stays as it was written.
    pub(crate) fn end_shown_line(&self) {
        if self.shows_output {
            self.end_line();
        }
    }

    /// Writes a value as one line of JSON to standard output. Unless that is a terminal, no more of
    /// the line than [`PIECE_BYTES`] is in memory.
    pub(crate) fn print_json(&self, value: &impl Serialize) {
        if self.shows_output {
            // Our own types have JSON.
            let line = serde_json::to_string(value).unwrap_or_default();
            return self.print(&(line + "\n"));
        }
        self.write(|stdout| {
            let mut pieces = BufWriter::with_capacity(PIECE_BYTES, stdout);
            match serde_json::to_writer(&mut pieces, value) {
                Err(error) if error.is_io() => return Err(error.into()),
                _ => pieces.write_all(b"\n")?,
            }
            pieces.flush()
        });
    }

    /// Writes to standard error. Control characters are escaped if that is a terminal.
    pub(crate) fn error(&self, text: &str) {
        let is_escaped = self.is_watched && !self.is_raw;
        // Two streams on one terminal are read as one.
        let last = match self.shows_output {
            true => &self.last_out,
            false => &self.last_error,
        };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let text = escaped(text, is_escaped, &mut last);
        let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        // Where nobody reads standard error there is nobody to tell.
        let _ = self
            .write_shown(&mut *stderr, text.as_bytes())
            .and_then(|_| stderr.flush());
    }

    /// Returns the error after which nothing was written to standard output, such as that of
    /// a full disk; none for a closed pipe.
    pub(crate) fn failure(&self) -> Option<&io::Error> {
        self.failure.get()
    }

    /// Returns whether anything was written to standard output.
    pub(crate) fn has_printed(&self) -> bool {
        self.has_printed.load(Ordering::Relaxed)
    }

    /// Returns whether nothing can be written to standard output any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Returns true if standard output is closed, or a pipe that has no reader left.
    pub(crate) fn has_no_reader(&self) -> bool {
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let stdout = rustix::stdio::stdout();
            let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
            let at_once = Timespec::default();
            if poll(&mut polled, Some(&at_once)).is_ok() {
                let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
                return self.is_closed() || polled[0].revents().intersects(gone);
            }
        }
        self.is_closed()
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

    fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        let mut stdout = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_closed() {
            return;
        }
        self.has_printed.store(true, Ordering::Relaxed);
        let written = write(&mut *stdout).and_then(|()| stdout.flush());
        if let Err(error) = written {
            self.closed.store(true, Ordering::Relaxed);
            if error.kind() != io::ErrorKind::BrokenPipe {
                let _ = self.failure.set(error);
            }
        }
    }
}

/// Returns the text with every character escaped, as Python's `repr` does it, that
/// moves a terminal's cursor, changes its state, reorders what it shows, or is invisible and
/// so hides text from who reads and copies it. Line ends and tabs stay.
///
/// Joiners and the selectors of emoji are parts of emoji and of many scripts. They stay where
/// they belong: one selector behind a visible character that is no letter, and one joiner behind an emoji
/// or a letter of a script that has a use for it. All other selectors, and a run of them, carry hidden bytes. `last` is the last character
/// of the piece before.
fn escaped<'t>(text: &'t str, is_wanted: bool, last: &mut Last) -> Cow<'t, str> {
    let may_change = |character| {
        !matches!(
            shown(character),
            Shown::Visible | Shown::Plain | Shown::Letter | Shown::Joining | Shown::Blank
        )
    };
    if !is_wanted || !text.contains(may_change) {
        if let Some(character) = text.chars().next_back() {
            last.0 = shown(character);
        }
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        let mut now = shown(character);
        let stays = matches!(
            (last.0, now),
            (
                _,
                Shown::Visible | Shown::Plain | Shown::Letter | Shown::Joining | Shown::Blank
            ) | (Shown::Visible | Shown::Plain, Shown::Selector)
                | (
                    Shown::Visible | Shown::Joining | Shown::Selector,
                    Shown::Joiner
                )
        );
        if stays {
            safe.push(character);
        } else {
            now = Shown::Blank;
            match u32::from(character) {
                code @ ..=0xff => safe.push_str(&format!("\\x{code:02x}")),
                code @ ..=0xffff => safe.push_str(&format!("\\u{code:04x}")),
                code => safe.push_str(&format!("\\U{code:08x}")),
            }
        }
        last.0 = now;
    }
    safe.into()
}

/// The last character that was written to a stream.
#[derive(Debug)]
struct Last(Shown);

impl Default for Last {
    fn default() -> Self {
        Self(Shown::Blank)
    }
}

/// The way a terminal shows a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Visible,
    /// A sign or digit of ASCII, to which nothing is joined.
    Plain,
    /// A visible letter, which has no form of an emoji and to which nothing is joined.
    Letter,
    /// A letter or a mark of a script whose letters are joined, or kept apart.
    Joining,
    /// A blank, behind which no part of a character belongs.
    Blank,
    /// The choice between text and emoji for the character before.
    Selector,
    /// A link between two characters.
    Joiner,
    /// A control character, or an invisible one.
    Never,
}

fn shown(character: char) -> Shown {
    match character {
        '\n' | '\t' => Shown::Blank,
        '\u{fe0e}' | '\u{fe0f}' => Shown::Selector,
        '\u{200c}' | '\u{200d}' => Shown::Joiner,
        _ if character.is_control() || is_invisible(character) => Shown::Never,
        _ if character.is_whitespace() => Shown::Blank,
        // Emoji that Unicode counts as letters.
        '\u{2139}' | '\u{24c2}' | '\u{1f170}'..='\u{1f189}' => Shown::Visible,
        _ if is_of_joined_script(character) => Shown::Joining,
        _ if character.is_alphabetic() => Shown::Letter,
        _ if character.is_ascii() => Shown::Plain,
        _ => Shown::Visible,
    }
}

/// Returns whether a character is in a block of scripts where a joiner changes what is seen: from Hebrew and Arabic over those of
/// India and South-East Asia to Mongolian, and their later additions. Latin, Greek, Cyrillic, Georgian, Hangul and the scripts
/// of China and Japan have no use for one.
fn is_of_joined_script(character: char) -> bool {
    matches!(
        u32::from(character),
        0x0590..=0x109f | 0x1700..=0x18af | 0x1900..=0x1cff | 0xa800..=0xa8ff | 0xa980..=0xaaff | 0xabc0..=0xabff
            | 0xfb1d..=0xfdff | 0xfe70..=0xfefc | 0x1_0800..=0x1_0fff | 0x1_1000..=0x1_1fff | 0x1_e900..=0x1_eeff
    )
}

/// Returns whether a character separates lines or paragraphs, changes the direction of text,
/// or is shown as nothing: `Default_Ignorable_Code_Point` of Unicode 17, with the fillers of Hangul
/// and the inherent vowels of Khmer; controls of hieroglyphs; noncharacters; the object replacement
/// character; and characters that are drawn as a blank but are no spaces, as U+2800. Tags are among
/// these, though the flags of three countries are written
/// with them, and so are the selectors U+FE00 to U+FE0D and U+E0100 to U+E01EF, which can carry
/// half a byte and a byte each: without them a terminal shows the usual form of a character.
/// Spaces are not: they look like what they are.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            // The Braille pattern without dots.
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{fe00}'..='\u{fe0d}'
            | '\u{feff}'
            | '\u{ffa0}'
            // The object replacement character is the last of these.
            | '\u{fff0}'..='\u{fffc}'
            // Controls and blanks of hieroglyphs.
            | '\u{13430}'..='\u{1343f}'
            | '\u{13441}'
            | '\u{13442}'
            // The filler of Khitan.
            | '\u{16fe4}'
            | '\u{1bca0}'..='\u{1bca3}'
            // The null note head.
            | '\u{1d159}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    ) || u32::from(character) & 0xfffe == 0xfffe
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

    fn whole(text: &str) -> String {
        escaped(text, true, &mut Last::default()).into_owned()
    }

    /// The same, a character at a time.
    fn in_pieces(text: &str) -> String {
        let mut last = Last::default();
        let mut safe = String::new();
        for character in text.chars() {
            safe.push_str(&escaped(&character.to_string(), true, &mut last));
        }
        safe
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_and_all_else_stays() {
        let text = "é 漢\t\n\u{1b}[2J\r\u{7f}\u{9b}\u{202e}\u{2066}\u{200f}\u{2028}";
        assert_eq!(
            whole(text),
            "é 漢\t\n\\x1b[2J\\x0d\\x7f\\x9b\\u202e\\u2066\\u200f\\u2028"
        );
        assert_eq!(escaped(text, false, &mut Last::default()), text);
    }

    /// `Default_Ignorable_Code_Point` of Unicode 17 (`DerivedCoreProperties.txt`).
    const IGNORABLE: [(u32, u32); 17] = [
        (0xad, 0xad),
        (0x34f, 0x34f),
        (0x61c, 0x61c),
        (0x115f, 0x1160),
        (0x17b4, 0x17b5),
        (0x180b, 0x180f),
        (0x200b, 0x200f),
        (0x202a, 0x202e),
        (0x2060, 0x206f),
        (0x3164, 0x3164),
        (0xfe00, 0xfe0f),
        (0xfeff, 0xfeff),
        (0xffa0, 0xffa0),
        (0xfff0, 0xfff8),
        (0x1bca0, 0x1bca3),
        (0x1d173, 0x1d17a),
        (0xe0000, 0xe0fff),
    ];

    #[test]
    fn every_character_that_unicode_lets_vanish_is_escaped() {
        for (first, last) in IGNORABLE {
            for code in first..=last {
                let character = char::from_u32(code).expect("no surrogate");
                // None of them belongs behind a blank.
                let text = format!(" {character}");
                assert!(!whole(&text).contains(character), "{code:x}");
            }
        }
    }

    #[test]
    fn what_nobody_sees_is_escaped_and_emoji_stay_whole() {
        for (text, expected) in [
            // "hi" in tags, behind a flag and alone.
            (
                "\u{1f3f4}\u{e0068}\u{e0069}",
                "\u{1f3f4}\\U000e0068\\U000e0069",
            ),
            ("a\u{e0001}\u{e007f}", "a\\U000e0001\\U000e007f"),
            ("pay\u{200b}pal", "pay\\u200bpal"),
            ("\u{feff}a\u{2060}b\u{2064}", "\\ufeffa\\u2060b\\u2064"),
            ("so\u{ad}ft", "so\\xadft"),
            ("\u{845b}\u{e0100}", "\u{845b}\\U000e0100"),
            // Bytes in selectors and joiners.
            ("x\u{fe01}\u{fe02}\u{fe03}", "x\\ufe01\\ufe02\\ufe03"),
            ("\u{2764}\u{fe0f}\u{fe0f}", "\u{2764}\u{fe0f}\\ufe0f"),
            ("x\u{fe0f}y\u{fe0e}", "x\\ufe0fy\\ufe0e"),
            ("\u{2764}\u{fe00}\u{fe0d}", "\u{2764}\\ufe00\\ufe0d"),
            ("\u{fe0f}\u{200d}", "\\ufe0f\\u200d"),
            // Fillers.
            ("a\u{115f}\u{1160}", "a\\u115f\\u1160"),
            ("a\u{17b4}\u{17b5}", "a\\u17b4\\u17b5"),
            ("a\u{180b}\u{180f}", "a\\u180b\\u180f"),
            ("x\u{200d}\u{200c}\u{200d}", "x\\u200d\\u200c\\u200d"),
            (
                "pay\u{200c}pal1\u{200d}-\u{200c}",
                "pay\\u200cpal1\\u200d-\\u200c",
            ),
            (
                "\u{43f}\u{200d}\u{4e2d}\u{200c}",
                "\u{43f}\\u200d\u{4e2d}\\u200c",
            ),
            ("a \u{200d}\n\u{fe0f}", "a \\u200d\n\\ufe0f"),
            (
                "\u{3000}\u{200d}\u{a0}\u{fe0f}",
                "\u{3000}\\u200d\u{a0}\\ufe0f",
            ),
            // Blanks that are no spaces, and noncharacters.
            ("ok\u{2800}\u{2800}", "ok\\u2800\\u2800"),
            (
                "a\u{1d159}\u{13441}\u{16fe4}",
                "a\\U0001d159\\U00013441\\U00016fe4",
            ),
            ("a\u{13430}\u{fffc}", "a\\U00013430\\ufffc"),
            ("a\u{ffff}\u{10fffe}\u{fdd0}", "a\\uffff\\U0010fffe\\ufdd0"),
        ] {
            assert_eq!(whole(text), expected);
            assert_eq!(in_pieces(text), expected);
        }
        for text in [
            // A family, a heart on fire, a rainbow flag, a keycap, a skin color, a country.
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{2764}\u{fe0f}\u{200d}\u{1f525}",
            "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "1\u{fe0f}\u{20e3}",
            "\u{2139}\u{fe0f}\u{24c2}\u{fe0f}\u{1f170}\u{fe0f}",
            "\u{1f44d}\u{1f3fd}",
            // Braille, spaces of many widths, what stands for what cannot be read.
            "\u{2801}\u{28ff}",
            "a\u{a0}\u{1680}\u{2003}\u{202f}\u{205f}\u{3000}b",
            "\u{fffd}",
            "\u{1f1eb}\u{1f1f7}",
            // Persian and Devanagari need joiners.
            "\u{645}\u{6cc}\u{200c}\u{62e}",
            "\u{915}\u{94d}\u{200d}\u{937}",
        ] {
            assert_eq!(whole(text), text);
            assert_eq!(in_pieces(text), text);
        }
    }
}
