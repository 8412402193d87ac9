//! Naive and aware times beside each other, and the time of now without a zone.

use super::class_now;
use crate::{
    args::ArgValues,
    bytecode::{CallResult, VM},
    exception_private::{ExcType, RunError, RunResult, SimpleException},
};

/// Returns what raises where a naive time is compared with an aware one.
pub(crate) fn no_order() -> RunError {
    let message = "can't compare offset-naive and offset-aware datetimes";
    SimpleException::new_msg(ExcType::TypeError, message).into()
}

/// Checks that two times have a difference: both are naive, or both aware.
pub(crate) fn check_difference(is_aware: bool, other_is_aware: bool) -> RunResult<()> {
    if is_aware == other_is_aware {
        return Ok(());
    }
    let message = "can't subtract offset-naive and offset-aware datetimes";
    Err(SimpleException::new_msg(ExcType::TypeError, message).into())
}

/// Answers `datetime.today()`, which is `now()` without a zone.
pub(crate) fn class_today(vm: &mut VM<'_>, args: ArgValues) -> RunResult<CallResult> {
    args.check_zero_args("datetime.today", vm.heap)?;
    class_now(vm, ArgValues::Empty)
}
