//! Calls of exception classes with what an exception cannot keep.

use crate::exception_private::{ExcType, ExcTypeExt, RunError};

/// Returns what raises where an exception class is called with anything but a text, or with several arguments.
pub(crate) fn refused(class: ExcType) -> RunError {
    let message = format!("{class}() takes no argument or one text in this sandbox");
    ExcType::type_error(message)
}
