//! `+=` and its kin of instances whose class says what they do.

use super::VM;
use crate::{
    args::ArgValues,
    exception_private::RunResult,
    heap::HeapData,
    types::instance::{class_defines, members},
    value::Value,
};

impl VM<'_> {
    /// Asks the class of the left operand to change it in place; false if it does not, and the operands are still there.
    #[inline]
    pub(super) fn changed_in_place(&mut self, method: &'static str) -> RunResult<bool> {
        match &self.stack[..] {
            [.., Value::Ref(_), _] => self.ask_in_place(method),
            _ => Ok(false),
        }
    }

    #[inline(never)]
    fn ask_in_place(&mut self, method: &'static str) -> RunResult<bool> {
        let [.., left, right] = &self.stack[..] else {
            return Ok(false);
        };
        let Some(id) = left.ref_id() else {
            return Ok(false);
        };
        let HeapData::Instance(instance) = self.heap.get(id) else {
            return Ok(false);
        };
        if !class_defines(instance.class(), method, self) {
            return Ok(false);
        }
        let right = right.clone_with_heap(self.heap);
        let result = members::call_special(id, method, ArgValues::One(right), self)?;
        let Some(result) = result.filter(|result| !matches!(result, Value::NotImplemented)) else {
            return Ok(false);
        };
        self.pop().drop_with(self);
        self.pop().drop_with(self);
        self.push(result);
        Ok(true)
    }

    /// Works in place if the left operand does, and else as the operator does.
    fn in_place_or(
        &mut self,
        method: &'static str,
        operator: impl FnOnce(&mut Self) -> RunResult<()>,
    ) -> RunResult<()> {
        match self.changed_in_place(method)? {
            true => Ok(()),
            false => operator(self),
        }
    }

    pub(super) fn inplace_mult(&mut self) -> RunResult<()> {
        self.in_place_or("__imul__", Self::binary_mult)
    }

    pub(super) fn inplace_div(&mut self) -> RunResult<()> {
        self.in_place_or("__itruediv__", Self::binary_div)
    }

    pub(super) fn inplace_floordiv(&mut self) -> RunResult<()> {
        self.in_place_or("__ifloordiv__", Self::binary_floordiv)
    }

    pub(super) fn inplace_mod(&mut self) -> RunResult<()> {
        self.in_place_or("__imod__", Self::binary_mod)
    }

    pub(super) fn inplace_pow(&mut self) -> RunResult<()> {
        self.in_place_or("__ipow__", Self::binary_pow)
    }

    pub(super) fn inplace_xor(&mut self) -> RunResult<()> {
        self.in_place_or("__ixor__", Self::binary_xor)
    }

    pub(super) fn inplace_lshift(&mut self) -> RunResult<()> {
        self.in_place_or("__ilshift__", Self::binary_lshift)
    }

    pub(super) fn inplace_rshift(&mut self) -> RunResult<()> {
        self.in_place_or("__irshift__", Self::binary_rshift)
    }
}
