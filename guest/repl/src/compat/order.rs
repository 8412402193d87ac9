//! Sorting where a script has a class with `__lt__` or its kin, or makes keys with `cmp_to_key`: by
//! functions of Python, in which those may call the host. Elsewhere the interpreter asks these methods.

use ruff_python_ast::{CmpOp, Expr, ExprCall, ExprCompare};
use ruff_text_size::Ranged;

use super::{Pass, Place};

impl Pass<'_> {
    pub(super) fn compared(&mut self, compare: &ExprCompare, after: &mut Vec<(u32, &'static str)>) {
        for side in &compare.operands {
            self.types(side);
        }
        if compare.ops.iter().all(is_order) {
            compare
                .operands
                .iter()
                .for_each(|side| self.view(side, after));
        }
    }

    /// `d.keys()` or `d.items()`, which is compared as a set.
    fn view(&mut self, side: &Expr, after: &mut Vec<(u32, &'static str)>) {
        if let Expr::Call(call) = side
            && let Expr::Attribute(method) = &*call.func
            && matches!(method.attr.as_str(), "keys" | "items")
            && call.arguments.is_empty()
        {
            self.rewrote("view", side.range(), "mappings");
            self.insert(side.range().start(), "_rlm_view(");
            after.push((side.range().end().to_u32(), ")"));
        }
    }

    /// A call of `sorted`, `min`, `max` or `sort`.
    pub(super) fn sorted(&mut self, call: &ExprCall) {
        if !self.orders || crate::callbacks::asks(call, self.known.asks) {
            return;
        }
        match &*call.func {
            Expr::Name(name) => {
                let helper = match self.builtin(&call.func) {
                    Some("sorted") => "_rlm_order_sorted",
                    Some("min") => "_rlm_order_min",
                    Some("max") => "_rlm_order_max",
                    _ => return,
                };
                self.rewrote("order", call.range(), "order");
                self.replace_range(name.range(), helper);
            }
            Expr::Attribute(attribute) if attribute.attr.as_str() == "sort" => {
                self.rewrote("order", call.range(), "order");
                self.stands(&call.func, Place::Done);
                self.insert(attribute.range().start(), "_rlm_order_sort(");
                let end = attribute.attr.range().end().to_u32();
                self.replace(self.dot(attribute), end, ")");
            }
            _ => {}
        }
    }
}

fn is_order(op: &CmpOp) -> bool {
    matches!(op, CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE)
}
