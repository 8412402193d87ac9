//! Exceptions on their way: the objects of errors that native code holds, and what raising does to an object.

use std::num::NonZeroU16;

use super::super::async_exec::poll_settled_gather;
use crate::{
    args::ArgValues,
    asyncio::GatherFuture,
    builtins::Builtins,
    bytecode::VM,
    exception_objects::{self, Uncaught},
    exception_private::{ExcType, ExceptionRaise, RunError, RunResult},
    expressions::CmpOperator,
    heap::{ContainsHeap, DropWithContext, HeapRead},
    value::Value,
};

/// Errors at one depth of native calls that keep their objects, at most; native code drops some without a word.
const KEPT: usize = 64;

/// The objects of errors that native code holds: an error has the number of its own.
#[derive(Debug, Default)]
pub(crate) struct Raised {
    entries: Vec<(NonZeroU16, Value)>,
    /// The number that was given last.
    last: u16,
    /// Entries of native code that called the interpreter which runs now.
    outer: usize,
}

impl<C: ContainsHeap> DropWithContext<C> for Raised {
    fn drop_with(self, heap: &mut C) {
        for (_, value) in self.entries {
            value.drop_with(heap);
        }
    }
}

impl VM<'_> {
    /// Returns the error that raises an exception, which is consumed.
    pub(crate) fn raised(&mut self, exception: Value) -> RunError {
        let mut error = self.make_exception(&exception, false);
        if let RunError::Exc(raise) = &mut error {
            // Where it is raised is where native code returns to.
            raise.frame = None;
        }
        match exception_objects::kind(&exception, self) {
            Some(_) => self.keep_object(&mut error, exception),
            None => exception.drop_with(self),
        }
        error
    }

    /// Returns the exception that is handled, or `None`.
    pub(crate) fn handled(&self) -> Value {
        let handled = self.exception_stack.last();
        handled.map_or(Value::None, |handled| {
            handled.value().clone_with_heap(self.heap)
        })
    }

    /// Returns the error of `assert test, said` where what is said is no text. The operands of the test are dropped.
    pub(super) fn assertion_with(&mut self, said: Value, op: Option<CmpOperator>) -> RunError {
        let operands = if op.is_some() { 2 } else { 1 };
        self.pop_n(operands).drop_with(self);
        let kind = Value::Builtin(Builtins::ExcType(ExcType::AssertionError));
        match self.evaluate_function(&kind, ArgValues::One(said)) {
            Ok(exception) => self.raised(exception),
            Err(error) => error,
        }
    }

    /// Raises what lies on the stack. Returns the error if no frame handles it.
    #[inline(never)]
    pub(in crate::bytecode::vm) fn raise(&mut self) -> Option<RunError> {
        let raised = self.pop();
        let is_builtin = matches!(raised, Value::Builtin(_));
        let raised = match is_builtin {
            true => Ok(raised),
            false => exception_objects::raisable(raised, self),
        };
        let raised = match raised {
            Ok(raised) => raised,
            Err(error) => return self.handle_exception(error),
        };
        let error = self.make_exception(&raised, true);
        if exception_objects::kind(&raised, self).is_some() {
            return self.handle_exception_with_value(error, Some(raised));
        }
        raised.drop_with(self);
        self.handle_exception(error)
    }

    /// Keeps the object of an error until the error is handled.
    #[inline(never)]
    pub(in crate::bytecode::vm) fn keep_object(&mut self, error: &mut RunError, object: Value) {
        let RunError::Exc(raise) = error else {
            object.drop_with(self);
            return;
        };
        let raised = &mut self.raised_objects;
        if raised.entries.len() - raised.outer >= KEPT {
            let oldest = raised.entries.remove(raised.outer);
            oldest.1.drop_with(self);
        }
        let raised = &mut self.raised_objects;
        raised.last = raised.last.checked_add(1).unwrap_or(1);
        let number = NonZeroU16::new(raised.last);
        raised.entries.extend(number.map(|number| (number, object)));
        raise.object = number;
    }

    /// Takes the object of an error, if it has one.
    #[inline(never)]
    pub(in crate::bytecode::vm) fn take_object(
        &mut self,
        raise: &mut ExceptionRaise,
    ) -> Option<Value> {
        let number = raise.object.take()?;
        let entries = &mut self.raised_objects.entries;
        let at = entries.iter().rposition(|(own, _)| *own == number)?;
        Some(entries.remove(at).1)
    }

    /// Takes the object out of an error that is kept beyond the code that it is on its way through.
    pub(in crate::bytecode::vm) fn without_object(
        &mut self,
        mut error: RunError,
    ) -> (RunError, Option<Value>) {
        let object = match &mut error {
            RunError::Exc(raise) => self.take_object(raise),
            _ => None,
        };
        (error, object)
    }

    /// Gives an error its object back.
    pub(in crate::bytecode::vm) fn with_object<T>(
        &mut self,
        mut result: RunResult<T>,
        object: Option<Value>,
    ) -> RunResult<T> {
        match (&mut result, object) {
            (Err(error), Some(object)) => self.keep_object(error, object),
            (_, object) => object.drop_with(self),
        }
        result
    }

    /// Drops objects of errors that native code has dropped; none of those that it called from.
    pub(super) fn forget_objects(&mut self) {
        while self.raised_objects.entries.len() > self.raised_objects.outer {
            if let Some((_, value)) = self.raised_objects.entries.pop() {
                value.drop_with(self);
            }
        }
    }

    /// Runs frames for native code; see `finish_synchronously`.
    #[inline(never)]
    pub(in crate::bytecode::vm) fn with_objects_of_its_own(
        &mut self,
        run: impl FnOnce(&mut Self) -> RunResult<Value>,
    ) -> RunResult<Value> {
        let outer = self.raised_objects.outer;
        self.raised_objects.outer = self.raised_objects.entries.len();
        let mut result = run(self);
        let object = match &mut result {
            Err(RunError::Exc(raise)) => self.take_object(raise),
            _ => None,
        };
        self.forget_objects();
        self.raised_objects.outer = outer;
        if let (Some(object), Err(error)) = (object, &mut result) {
            self.keep_object(error, object);
        }
        result
    }

    /// Gives an exception that is raised the one that is handled where that happens.
    pub(super) fn note_context(&mut self, exception: &Value, is_raised_again: bool) {
        let Some(id) = exception.ref_id() else {
            return;
        };
        let Some(handled) = self.exception_stack.last() else {
            return;
        };
        if !is_raised_again && !exception_objects::lacks_context(id, self) {
            return;
        }
        // What code of the host's own handles is no matter of a script's.
        let is_own = |id| self.interns.get_function(id).is_own;
        if self.running_function().is_some_and(is_own) {
            return;
        }
        let handled = handled.value().clone_with_heap(self.heap);
        exception_objects::set_context(id, &handled, self);
        handled.drop_with(self);
    }

    /// Gives an exception that took the place of another one that one as its cause and context.
    pub(super) fn note_cause(&mut self, exception: &Value, past: Value) {
        if let Some(id) = exception.ref_id() {
            exception_objects::set_context(id, &past, self);
            exception_objects::set_cause(id, past, self);
        } else {
            past.drop_with(self);
        }
    }

    /// Prepares an error that no script handles for the host: its text, and the name of its class.
    #[inline(never)]
    pub(super) fn prepare_for_host(&mut self, error: &mut RunError, exception: &Value) {
        let Some(id) = exception.ref_id() else {
            return;
        };
        match Uncaught::of(id, self) {
            Ok(uncaught) => self.heap.uncaught = Some(uncaught),
            Err(limit) => {
                *error = limit;
                return;
            }
        }
        let text = exception_objects::text_for_host(exception, id, self);
        let RunError::Exc(raise) = error else {
            return;
        };
        match text {
            Ok(text) => raise.exc = raise.exc.clone().with_text(text),
            Err(RunError::Exc(_)) => {
                let text = String::from("<exception str() failed>");
                raise.exc = raise.exc.clone().with_text(Some(text));
            }
            Err(other) => *error = other,
        }
    }
}

impl<'h> VM<'h> {
    /// Returns the results of a gather; `None` if it has none yet.
    ///
    /// # Errors
    /// The exception of one that failed.
    pub(in crate::bytecode::vm) fn poll_gather(
        &mut self,
        gather: &HeapRead<'h, GatherFuture>,
    ) -> RunResult<Option<Value>> {
        let mut result = poll_settled_gather(gather, self.heap);
        let Err(error) = &mut result else {
            return result;
        };
        if let RunError::Exc(raise) = error {
            raise.object = None;
        }
        let object = gather.get(self.heap).failure.as_ref();
        let object = object.map(|object| object.clone_with_heap(self.heap));
        self.with_object(result, object)
    }
}
