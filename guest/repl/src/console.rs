//! Printed text on its way out.
//!
//! Monty hands over one argument and one separator at a time. They are gathered
//! to lines, or to [`FULL`] bytes, before they cross the wall; whatever is left
//! goes out when the turn ends, so the host always has all that was printed.

use std::borrow::Cow;

use monty::MontyRepl;
use monty_types::{MontyException, PrintWriterCallback};

use crate::failure::Scripts;
use crate::host::{Channel, Host};

/// Bytes after which text goes out even without a line end; Monty's own worker
/// uses the same figure.
const FULL: usize = 8 * 1024;
/// The most bytes that cross the wall at once; a host limits what one call may carry.
const PIECE: usize = 64 * 1024;

/// Printed text that the host does not have yet.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    channel: Option<Channel>,
    text: String,
    /// The position that the host was told last: script and line.
    told: Option<(u32, u32)>,
}

impl Pending {
    /// Begins a script: the host knows no position in it.
    pub(crate) fn begin(&mut self) {
        self.told = None;
        MontyRepl::forget_last_print();
    }

    /// Tells the host that a script is at `position`, unless it knows.
    pub(crate) fn tell_position(&mut self, host: &impl Host, position: Option<(u32, u32)>) {
        if let Some((script, line)) = position
            && self.told != position
        {
            self.told = position;
            host.at(script, line);
        }
    }
}

/// Writes to a host through a [`Pending`] buffer.
pub(crate) struct Console<'a, H> {
    pub(crate) host: &'a H,
    pub(crate) pending: &'a mut Pending,
    pub(crate) scripts: &'a Scripts,
}

impl<H: Host> Console<'_, H> {
    pub(crate) fn flush(&mut self) {
        if let (Some(channel), false) = (self.pending.channel, self.pending.text.is_empty()) {
            let position = MontyRepl::last_print(|at| {
                at.and_then(|at| self.scripts.position(&at.filename, at.start))
            });
            self.pending.tell_position(self.host, position);
            let mut rest = self.pending.text.as_str();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
                // Whether the host kept it is the host's business: when output
                // ends a script it says so through the clock.
                let _ = self.host.write_output(channel, piece);
                rest = after;
            }
            self.pending.text.clear();
        }
    }

    fn write(&mut self, channel: Channel, text: &str) {
        if self.pending.channel != Some(channel) {
            self.flush();
            self.pending.channel = Some(channel);
        }
        self.pending.text.push_str(text);
        if text.ends_with('\n') || self.pending.text.len() >= FULL {
            self.flush();
        }
    }
}

impl<H: Host> PrintWriterCallback for Console<'_, H> {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.write(Channel::Out, &output);
        Ok(())
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.write(Channel::Out, end.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn stderr_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.write(Channel::Err, &output);
        Ok(())
    }

    fn stderr_push(&mut self, end: char) -> Result<(), MontyException> {
        self.write(Channel::Err, end.encode_utf8(&mut [0; 4]));
        Ok(())
    }
}
