//! Exceptions that are raised again keep their traceback.

use super::CaughtException;
use crate::{
    bytecode::VM,
    exception_objects::traceback::{self, Place, Run},
    exception_private::RunError,
    heap::{DropWithContext as _, HeapId},
    intern::StaticStrings,
    value::Value,
};

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
    /// Returns the frames of an exception that is handled, or that was; `None` of others.
    pub(crate) fn traceback_of(&self, id: HeapId) -> Option<Box<[Run]>> {
        let handled = self.exception_stack.iter().rev().find_map(|caught| {
            let CaughtException::Frozen { value, error } = caught else {
                return None;
            };
            let is_it = value.ref_id() == Some(id);
            error.frame.as_ref().filter(|_| is_it)
        });
        match handled {
            Some(innermost) => Some(traceback::places(innermost, self)),
            None => traceback::kept(id, self),
        }
    }

    /// Returns the line of a script that runs: the innermost one, if code of the host's own runs below it.
    pub(crate) fn running_place(&self) -> Option<Place> {
        let mut offset = Some(self.instruction_ip);
        let callers = self.suspended_frames.iter().rev();
        std::iter::once(&self.current_frame)
            .chain(callers)
            .find_map(|frame| {
                let entry = frame.code.location_for_offset(offset?);
                offset = frame.call_offset.map(|offset| offset as usize);
                let function = match frame.function_id {
                    Some(id) => self.interns.get_function(id).name.name_id,
                    None => self.interns.intern_static(StaticStrings::Module),
                };
                traceback::place(entry?.range(), function, self)
            })
    }

    /// Drops an exception whose handler has ended. One that something else refers to keeps its traceback.
    pub(in crate::bytecode::vm) fn leave_handler(&mut self, caught: CaughtException) {
        if let CaughtException::Frozen { value, error } = &caught
            && let Some(innermost) = &error.frame
            && let Some(id) = value.ref_id()
            && self.heap.heap.is_shared(id)
        {
            let places = traceback::places(innermost, self);
            // Code of the host's own that handles an exception on its way leaves what it has.
            if !places.is_empty() {
                traceback::keep(id, Some(places), self);
            }
        }
        caught.drop_with(self);
    }

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
