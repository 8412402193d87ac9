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

    /// `*=` and its kin of types that have no form of their own: the class of an instance is asked, then the operator.
    pub(super) fn inplace(
        &mut self,
        method: &'static str,
        operator: fn(&Value, &Value, &mut Self) -> RunResult<Value>,
    ) -> RunResult<()> {
        match self.changed_in_place(method)? {
            true => Ok(()),
            false => self.inplace_op(|_, _, _| Ok(false), operator),
        }
    }

    /// Puts the result of an operator into the left operand where that is a container that operators change in place,
    /// so that other names of it see the result; gives the result otherwise.
    ///
    /// A set takes what a set or a frozenset on the right made of it, a list and a deque what a number did. An instance
    /// on the right has made the result itself (`__rmul__`), and so do views of dicts (`s ^= d.keys()`).
    #[inline(never)]
    pub(super) fn keep_identity(&mut self, left: &Value, right: &Value, result: Value) -> Value {
        let (Some(kept), Some(made)) = (left.ref_id(), result.ref_id()) else {
            return result;
        };
        let right = right.ref_id().map(|id| self.heap.get(id));
        let changes = match (self.heap.get(kept), self.heap.get(made)) {
            (HeapData::Set(_), HeapData::Set(_)) => {
                matches!(right, Some(HeapData::Set(_) | HeapData::FrozenSet(_)))
            }
            (HeapData::List(_), HeapData::List(_)) | (HeapData::Deque(_), HeapData::Deque(_)) => {
                !matches!(right, Some(HeapData::Instance(_)))
            }
            _ => false,
        };
        if !changes || kept == made {
            return result;
        }
        self.heap.exchange(kept, made);
        result.drop_with(self);
        left.clone_with_heap(self.heap)
    }
}
