//! Dates and times beyond those that there are.

use crate::{
    exception_private::{ExcType, RunResult, SimpleException},
    value::Value,
};

/// Returns the result of adding to a date or a time.
///
/// # Errors
/// `OverflowError` if there is none: it is before the year 1 or behind the year 9999.
pub(crate) fn in_range(sum: Option<Value>) -> RunResult<Option<Value>> {
    let message = "date value out of range";
    let beyond = || SimpleException::new_msg(ExcType::OverflowError, message);
    Ok(Some(sum.ok_or_else(beyond)?))
}
