//! Waiting where the interpreter cannot suspend.

use super::{VM, recursion::MAX_RUN_REENTRY_DEPTH};
use crate::exception_private::{ExcType, ExcTypeExt, RunResult};

impl VM<'_> {
    /// Returns true in a function that a builtin called.
    pub(crate) fn is_reentered(&self) -> bool {
        self.run_reentry_depth != MAX_RUN_REENTRY_DEPTH
    }

    /// Raises `NotImplementedError` in a function that a builtin called, as in `max(xs, key=f)`.
    ///
    /// Such a function runs in a loop of its own on the native stack. Another task that went on
    /// there would take the frames of the builtin's caller with it.
    pub(super) fn check_can_wait(&self) -> RunResult<()> {
        if !self.is_reentered() {
            return Ok(());
        }
        Err(ExcType::not_implemented("await has to wait for the host, which nothing can in here, as in a key of sorted() or in __str__").into())
    }
}
