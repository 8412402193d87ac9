//! What a script prints.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::bindings::rlm::sandbox::console;

/// Where printed text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// `print(…)`.
    Out,
    /// `print(…, file=sys.stderr)`.
    Err,
}

impl From<console::Channel> for Channel {
    fn from(channel: console::Channel) -> Self {
        match channel {
            console::Channel::Out => Self::Out,
            console::Channel::Err => Self::Err,
        }
    }
}

/// Is given text as it is printed.
pub(crate) type Listener = Arc<dyn Fn(Channel, &str) + Send + Sync>;

/// The text of one execution, and who listens to it.
#[derive(Default)]
pub(crate) struct Output {
    pub(crate) printed: Printed,
    pub(crate) listener: Option<Listener>,
}

/// The text of one execution.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Printed {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) dropped_bytes: u64,
    /// Bytes that were to be logged.
    pub(crate) logged_bytes: u64,
}

impl Printed {
    /// Returns the bytes of both channels.
    pub(crate) fn bytes(&self) -> u64 {
        (self.stdout.len() + self.stderr.len()) as u64
    }
}

impl Output {
    /// Returns whether a text of so many bytes may go to the log of the program: all of an exec has `cap_bytes` there. The first
    /// one for which there is no room is said.
    pub(crate) fn may_log(&mut self, bytes: usize, cap_bytes: u64) -> bool {
        let before = self.printed.logged_bytes;
        let now = before.saturating_add(bytes as u64);
        self.printed.logged_bytes = now;
        let fits = now <= cap_bytes;
        if !fits && before <= cap_bytes {
            tracing::warn!(
                target: "rlm_sandbox::guest",
                "what the script logs from here on is left out: it has the {cap_bytes} bytes of its limit on output"
            );
        }
        fits
    }

    /// Keeps what fits into `cap_bytes`, both channels together. Says whether
    /// that was all of it.
    pub(crate) fn write(&mut self, channel: Channel, text: &str, cap_bytes: u64) -> bool {
        let printed = &mut self.printed;
        let room = usize::try_from(cap_bytes.saturating_sub(printed.bytes())).unwrap_or(usize::MAX);
        // After a cut nothing more is kept, or the text would have a hole.
        let end = if printed.dropped_bytes > 0 {
            0
        } else {
            text.floor_char_boundary(room)
        };
        let kept = &text[..end];
        match channel {
            Channel::Out => printed.stdout.push_str(kept),
            Channel::Err => printed.stderr.push_str(kept),
        }
        let dropped = (text.len() - end) as u64;
        printed.dropped_bytes = printed.dropped_bytes.saturating_add(dropped);
        if let (Some(listener), false) = (&self.listener, kept.is_empty()) {
            listener(channel, kept);
        }
        end == text.len()
    }
}

impl fmt::Debug for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Printed({} + {} bytes, {} dropped)",
            self.stdout.len(),
            self.stderr.len(),
            self.dropped_bytes
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_the_cap_is_dropped_and_counted_on_a_character() {
        let mut output = Output::default();
        assert!(output.write(Channel::Out, "abc", 6));
        assert!(!output.write(Channel::Err, "éé", 6));
        assert!(!output.write(Channel::Out, "x", 6));
        assert_eq!(
            (
                output.printed.stdout.as_str(),
                output.printed.stderr.as_str(),
                output.printed.dropped_bytes
            ),
            ("abc", "é", 3)
        );
    }
}
