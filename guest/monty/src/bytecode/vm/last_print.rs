//! The position of the last call of `print`.

use std::cell::RefCell;

use monty_types::SourceRange;

use super::VM;

thread_local! {
    static LAST: RefCell<Option<SourceRange>> = const { RefCell::new(None) };
}

impl VM<'_> {
    /// Notes the call of `print` that runs.
    pub(crate) fn note_print(&self) {
        let range = self.current_position();
        let filename = self.interns.get_filename(range.filename);
        LAST.with_borrow_mut(|last| match last {
            // Most programs print from one file.
            Some(last) if last.filename == filename => {
                (last.start, last.end) = (range.start_byte, range.end_byte);
            }
            _ => *last = Some(SourceRange::new(filename, range.start_byte, range.end_byte)),
        });
    }

    /// Gives `read` the call of `print` that began last on this thread.
    pub(crate) fn with_last_print<R>(read: impl FnOnce(&mut Option<SourceRange>) -> R) -> R {
        LAST.with_borrow_mut(read)
    }
}
