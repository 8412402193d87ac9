//! Room in the tables of a session.

use super::{INTERN_STRING_ID_OFFSET, Interns};

impl Interns {
    /// Returns how many more strings can be named by an operand, and how many more functions.
    pub(crate) fn room(&self) -> (usize, usize) {
        let most = usize::from(u16::MAX);
        let strings = most.saturating_sub(self.strings.len() + INTERN_STRING_ID_OFFSET);
        (strings, most.saturating_sub(self.functions.len()))
    }
}
