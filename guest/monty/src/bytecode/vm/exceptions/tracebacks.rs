//! Exceptions that are raised again keep their traceback.

use super::CaughtException;
use crate::{bytecode::VM, exception_private::RunError, value::Value};

impl CaughtException {
    /// Returns an exception that keeps its traceback, also where it is raised again at the end of `finally`.
    pub(super) fn with_traceback(value: Value, error: RunError) -> Self {
        let RunError::Exc(error) = error else {
            unreachable!("only catchable exceptions enter handlers")
        };
        Self::Frozen {
            value,
            error: Box::new(error),
        }
    }
}

impl VM<'_> {
    /// Returns the error with which the active exception, whose value is `raised`, is raised again.
    pub(super) fn raised_again(&mut self, raised: &Value) -> RunError {
        let first = match self.exception_stack.last() {
            Some(CaughtException::Frozen { error, .. }) => Some(error.clone()),
            Some(CaughtException::Value(_)) | None => None,
        };
        match first {
            Some(first) if self.current_frame_is_frozen() => RunError::Exc(*first),
            first => {
                let mut error = self.make_exception(raised, true);
                if let (RunError::Exc(error), Some(first)) = (&mut error, first) {
                    error.frame = first.frame.or(error.frame.take());
                }
                error
            }
        }
    }
}
