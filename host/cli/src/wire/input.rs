//! Lines of input, and the limits on what a client sends.

use std::io::{BufRead as _, Read as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytesize::ByteSize;
use clap::Args;
use serde_json::value::RawValue;

use super::scan::{About, Scan};
use super::{Failure, INVALID_REQUEST};

/// Bytes of `--max-message` for each JSON value of a message: a parsed message then takes
/// about ten times that limit, at the most.
const BYTES_PER_VALUE: u64 = 32;
/// Messages of the largest size that may wait together.
const WAITING: u64 = 8;
/// Bytes that a request counts for while it waits, besides its own.
const REQUEST: u64 = 4 << 10;
/// Bytes that a parsed value counts for.
const VALUE: u64 = 300;

/// Limits on what a client sends.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MessageOptions {
    /// Bytes of the longest message, from 64KiB to 1GiB
    ///
    /// A longer one is skipped and answered with an error, and so is one with too many JSON
    /// values: one for each 32 of these bytes, where a text or a name counts for two, a list for
    /// three and an object for four. Send large data as text. Requests that have no answer yet may
    /// have eight times as many bytes together. Answers of this program have no limit of their own.
    #[arg(long, value_name = "BYTES", default_value = "16MiB", value_parser = size)]
    max_message: u64,

    /// Bytes that requests may have together which have no answer yet. None: a multiple of the longest message.
    #[arg(skip)]
    waiting_bytes: Option<u64>,
}

impl MessageOptions {
    /// Limits of another process of this program, whose messages may be as long as so many bytes, and whose requests without an
    /// answer as so many together.
    pub(crate) fn of_child(max_message: u64, waiting_bytes: u64) -> Self {
        Self {
            max_message,
            waiting_bytes: Some(waiting_bytes),
        }
    }

    /// Returns the lines that may be in memory at the same time: as many as given of a client, and one of another process of this
    /// program, whose lines may be long.
    pub(super) fn lines_ahead(self, of_client: usize) -> usize {
        match self.waiting_bytes {
            Some(_) => 1,
            None => of_client,
        }
    }

    /// Bytes that requests may have together which have no answer yet.
    fn most_waiting(self) -> u64 {
        self.waiting_bytes.unwrap_or(self.max_message * WAITING)
    }

    fn most_values(self) -> u64 {
        self.max_message / BYTES_PER_VALUE
    }

    /// Refuses what another process of this program would take for the end, since none sends it: a question that is too long, or
    /// has too many values.
    pub(super) fn check_question(self, params: &impl serde::Serialize) -> Result<(), Failure> {
        let mut sent = Sent {
            bytes: 0,
            scan: Scan::default(),
        };
        // Nothing fails but a value without JSON, which is not sent either.
        let _ = serde_json::to_writer(&mut sent, params);
        let has_room = sent.bytes.saturating_add(AROUND_BYTES) <= self.max_message
            && sent.scan.values().saturating_add(AROUND_VALUES) <= self.most_values();
        match has_room {
            true => Ok(()),
            false => Err(Failure::new(
                INVALID_REQUEST,
                "the call is longer, or has more values, than one of an isolated process can have; call with less, or do without \
                 --isolate",
            )),
        }
    }

    /// The error of a message that is too long.
    pub(super) fn too_long(self) -> Failure {
        let most = self.max_message;
        Failure::new(
            INVALID_REQUEST,
            format!(
                "the message has more than {most} bytes; send less at a time, or start rlm-sandbox with a larger \
                 --max-message"
            ),
        )
    }

    /// The error of a request for which there is no room.
    pub(super) fn too_many_waiting(self) -> Failure {
        let most = self.most_waiting();
        Failure::new(
            INVALID_REQUEST,
            format!(
                "requests of more than {most} bytes have no answer yet; wait for some, or start rlm-sandbox with a \
                 larger --max-message"
            ),
        )
    }

    /// The error of a call for which there is no room.
    pub(super) fn too_many_calls(self) -> Failure {
        let most = self.most_waiting();
        Failure::new(
            INVALID_REQUEST,
            format!("calls of more than {most} bytes have no answer yet; call with less at a time"),
        )
    }

    /// The error of a message that has too many values.
    pub(super) fn too_many(self) -> Failure {
        let most = self.most_values();
        Failure::new(
            INVALID_REQUEST,
            format!(
                "the message has more than {most} JSON values; send large data as text, or start rlm-sandbox with a \
                 larger --max-message"
            ),
        )
    }
}

fn size(text: &str) -> Result<u64, String> {
    let size = text.parse::<ByteSize>().map(|size| size.as_u64());
    let size = size.ok().filter(|size| (64 << 10..=1 << 30).contains(size));
    size.ok_or_else(|| String::from("write a size from 64KiB to 1GiB, as 64MiB or 67108864"))
}

/// Bytes and values of a message around what is asked.
const AROUND_BYTES: u64 = 4096;
const AROUND_VALUES: u64 = 64;

/// Counts what would be sent.
struct Sent {
    bytes: u64,
    scan: Scan,
}

impl std::io::Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        self.scan.feed(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A line that is short enough to be parsed.
pub(crate) struct Text {
    pub(crate) line: String,
    /// The values that it has.
    pub(super) values: u64,
}

/// One line of input, as it came.
pub(super) enum Line {
    Text(Text),
    NotText,
    TooLong(About),
    TooMany(About),
}

/// The bytes of a request that has no answer yet. They count until it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    waiting: Arc<AtomicU64>,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.waiting.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

impl Held {
    #[cfg(test)]
    pub(crate) fn of_nothing() -> Self {
        Self {
            waiting: Arc::default(),
            bytes: 0,
        }
    }

    /// Counts a request, or returns none if those that wait have too many bytes. One
    /// that comes alone is never too much, and an urgent one has half as much more.
    pub(super) fn new(
        waiting: &Arc<AtomicU64>,
        text: &Text,
        is_urgent: bool,
        options: MessageOptions,
    ) -> Option<Self> {
        let most = options.most_waiting();
        let most = if is_urgent { most + most / 2 } else { most };
        let bytes = text.line.len() as u64 + text.values * VALUE + REQUEST;
        // Only the task that reads lines adds to it.
        let before = waiting.load(Ordering::Acquire);
        let is_alone = before == 0 && options.waiting_bytes.is_none();
        if !is_alone && before + bytes > most {
            return None;
        }
        waiting.fetch_add(bytes, Ordering::AcqRel);
        let waiting = Arc::clone(waiting);
        Some(Self { waiting, bytes })
    }
}

/// The next line without its end; none at the end of input, also where that
/// comes in the middle of a line that is no message yet. What is too long is not kept.
pub(super) fn read_line(
    input: &mut impl std::io::BufRead,
    options: MessageOptions,
) -> Option<Line> {
    let longest = options.max_message;
    let mut line = Vec::new();
    let taken = input.take(longest + 1).read_until(b'\n', &mut line).ok()?;
    if taken == 0 {
        return None;
    }
    let has_end = line.pop_if(|last| *last == b'\n').is_some();
    let mut scan = Scan::default();
    scan.feed(&line);
    if !has_end && taken as u64 > longest {
        drop(line);
        skip_line(input, &mut scan).ok()?;
        return Some(Line::TooLong(scan.about()));
    }
    if !has_end {
        // Whoever wrote half a line is gone, or the last line has no end.
        serde_json::from_slice::<&RawValue>(&line).ok()?;
    }
    let values = scan.values();
    if values > options.most_values() {
        return Some(Line::TooMany(scan.about()));
    }
    Some(match String::from_utf8(line) {
        Ok(line) => Line::Text(Text { line, values }),
        Err(_) => Line::NotText,
    })
}

/// Scans the rest of a line, a buffer at a time.
fn skip_line(input: &mut impl std::io::BufRead, scan: &mut Scan) -> std::io::Result<()> {
    loop {
        let bytes = match input.fill_buf() {
            Ok([]) => return Ok(()),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr::memchr(b'\n', bytes);
        scan.feed(&bytes[..end.unwrap_or(bytes.len())]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(input: &[u8], max_message: u64) -> Vec<String> {
        let mut input = BufReader::with_capacity(3, input);
        let options = MessageOptions::of_child(max_message, max_message);
        std::iter::from_fn(|| read_line(&mut input, options))
            .map(|line| match line {
                Line::Text(text) => text.line,
                Line::NotText => String::from("(not text)"),
                Line::TooLong(_) => String::from("(too long)"),
                Line::TooMany(_) => String::from("(too many)"),
            })
            .collect()
    }

    #[test]
    fn a_line_is_a_message_whatever_stands_around_it() {
        // A list of two numbers counts as three values, the first of them being free.
        const LONGEST: u64 = 3 * BYTES_PER_VALUE;
        let lines = |input: &[u8]| lines(input, LONGEST);
        assert_eq!(lines(b"{}\n\xff\n[1]\r\n"), ["{}", "(not text)", "[1]\r"]);
        let longest = "0".repeat(LONGEST as usize);
        let input = format!("{longest}0\n{longest}\n{{}}\n{longest}00");
        let read = ["(too long)", longest.as_str(), "{}", "(too long)"];
        assert_eq!(lines(input.as_bytes()), read);
        assert_eq!(lines(b"[1,2]\n[1,2,3]\n{}"), ["[1,2]", "(too many)", "{}"]);
        assert_eq!(lines(b"{}\n{\"half"), ["{}"]);
        assert_eq!(lines(b"{}"), ["{}"]);
    }
}
