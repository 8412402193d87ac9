//! `sum`, `min` and `max` of a generator expression: a loop that keeps what it has so far and no items.

use std::mem;

use strum::FromRepr;

use super::VM;
use crate::{
    builtins::{FloatSum, candidate_wins},
    defer_drop,
    exception_private::{ExcType, RunError, RunResult, SimpleException},
    heap::DropGuard,
    value::Value,
};

/// A step of such a loop. It has two values on the stack: the result so far, and beside it what rounding has taken from a sum,
/// or whether there was an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRepr)]
#[repr(u8)]
pub(crate) enum Fold {
    /// Takes the item on top of the stack into the sum.
    Sum,
    /// Takes the item on top of the stack, if it is the least.
    Min,
    /// Takes the item on top of the stack, if it is the greatest.
    Max,
    /// Replaces the two values by the sum.
    SumEnd,
    /// Replaces the two values by the least item; an error where there was none.
    MinEnd,
    /// Replaces the two values by the greatest item; an error where there was none.
    MaxEnd,
    /// Replaces the two values by the result, which is the default where there was no item.
    DefaultEnd,
}

impl Fold {
    /// Returns the step that ends the loop.
    pub(crate) fn end(self, has_default: bool) -> Self {
        match self {
            Self::Min if !has_default => Self::MinEnd,
            Self::Max if !has_default => Self::MaxEnd,
            Self::Min | Self::Max => Self::DefaultEnd,
            _ => Self::SumEnd,
        }
    }
}

impl VM<'_> {
    /// Runs a step of a loop whose second value is `depth` values below the item, or on top where it ends.
    pub(super) fn fold(&mut self, depth: usize, step: u8) -> RunResult<()> {
        let Some(step) = Fold::from_repr(step) else {
            return Err(RunError::internal("Fold: unknown step"));
        };
        match step {
            Fold::Sum => self.fold_sum(depth),
            Fold::Min => self.fold_extreme(depth, true),
            Fold::Max => self.fold_extreme(depth, false),
            Fold::SumEnd => {
                let lost = self.pop();
                let mut sum = self.pop();
                FloatSum::of(&lost).settle(&mut sum);
                self.push(sum);
                Ok(())
            }
            Fold::MinEnd => self.fold_end("min"),
            Fold::MaxEnd => self.fold_end("max"),
            Fold::DefaultEnd => {
                self.pop();
                Ok(())
            }
        }
    }

    fn fold_sum(&mut self, depth: usize) -> RunResult<()> {
        let this = self;
        let item = this.pop();
        defer_drop!(item, this);
        let at = this.stack.len() - 1 - depth;
        let mut floats = FloatSum::of(&this.stack[at]);
        if floats.take(&mut this.stack[at - 1], item) {
            this.stack[at] = floats.lost();
            return Ok(());
        }
        this.stack[at] = floats.lost();
        // The script's code that it may run cannot reach the place on the stack.
        let sum = mem::replace(&mut this.stack[at - 1], Value::None);
        defer_drop!(sum, this);
        let added = sum.py_add(item, this)?;
        this.stack[at - 1] = added;
        Ok(())
    }

    fn fold_extreme(&mut self, depth: usize, is_min: bool) -> RunResult<()> {
        let mut item = DropGuard::new(self.pop(), self);
        let (candidate, this) = item.as_parts();
        let at = this.stack.len() - 1 - depth;
        if matches!(this.stack[at], Value::Bool(true)) {
            let best = this.stack[at - 1].clone_with_heap(this.heap);
            defer_drop!(best, this);
            if !candidate_wins(best, candidate, is_min, this)? {
                return Ok(());
            }
        }
        let (item, this) = item.into_parts();
        this.stack[at] = Value::Bool(true);
        let old = mem::replace(&mut this.stack[at - 1], item);
        old.drop_with(this);
        Ok(())
    }

    fn fold_end(&mut self, name: &str) -> RunResult<()> {
        match self.pop() {
            Value::Bool(true) => Ok(()),
            _ => {
                let message = format!("{name}() iterable argument is empty");
                Err(SimpleException::new_msg(ExcType::ValueError, message).into())
            }
        }
    }
}
