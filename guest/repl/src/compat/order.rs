//! `__lt__` and its kin of instances, which Monty does not ask: where a script
//! or one before it has a class with such a method, or makes keys with
//! `cmp_to_key`, comparisons and sorting go by functions that do.

use ruff_python_ast::{CmpOp, Expr, ExprCall, ExprCompare};
use ruff_text_size::Ranged;

use super::{Pass, Place};

impl Pass<'_> {
    pub(super) fn compared(&mut self, compare: &ExprCompare, after: &mut Vec<(u32, &'static str)>) {
        for side in &compare.operands {
            self.types(side);
            self.is_left(side);
        }
        if compare.ops.iter().all(|op| word(*op).is_some()) {
            compare
                .operands
                .iter()
                .for_each(|side| self.view(side, after));
        }
        let unequal = self.out.habits.unequal && compare.ops[..] == [CmpOp::NotEq];
        if !unequal && (!self.out.habits.order || compare.ops[..] == [CmpOp::NotEq]) {
            return;
        }
        let ([op], [left, right]) = (&compare.ops[..], &compare.operands[..]) else {
            if compare.ops.iter().all(|op| word(*op).is_some()) {
                self.chained(compare, after);
            }
            return;
        };
        let Some(word) = word(*op).or(unequal.then_some("!=")) else {
            return;
        };
        // What has a number for sure, and is compared with one.
        let is_plain = |side: &Expr| match side {
            Expr::Call(call) => self.builtin(&call.func) == Some("len"),
            _ => side.is_number_literal_expr(),
        };
        if !unequal && is_plain(left) && is_plain(right) {
            return;
        }
        self.rewrote("order", compare.range(), "order");
        self.insert(compare.range().start(), "_rlm_compare(");
        let end = left.range().end().to_u32();
        let between = &self.source[end as usize..right.range().start().to_usize()];
        let at = end + between.find(word).unwrap_or(0) as u32;
        self.replace(at, at + word.len() as u32, format!(",'{word}',"));
        after.push((compare.range().end().to_u32(), ")"));
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

    /// `a <= b <= c`: what comes third is asked for only if the first two say so.
    fn chained(&mut self, compare: &ExprCompare, after: &mut Vec<(u32, &'static str)>) {
        self.rewrote("order", compare.range(), "order");
        self.insert(compare.range().start(), "_rlm_compare_all(");
        let mut before = "";
        let mut ahead = "";
        for (pair, op) in compare.operands.windows(2).zip(&compare.ops) {
            let (Some(word), [left, right]) = (word(*op), pair) else {
                return;
            };
            let end = left.range().end().to_u32();
            let between = &self.source[end as usize..right.range().start().to_usize()];
            let at = end + between.find(word).unwrap_or(0) as u32;
            let text = format!("{before},'{word}',{ahead}");
            self.replace(at, at + word.len() as u32, text);
            before = if ahead.is_empty() { "" } else { ")" };
            ahead = "lambda:(";
        }
        after.push((compare.range().end().to_u32(), "))"));
    }

    /// A call of `sorted`, `min`, `max` or `sort`.
    pub(super) fn sorted(&mut self, call: &ExprCall) {
        if !self.out.habits.order || crate::callbacks::asks(call, self.known.asks) {
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

/// How a comparison of order is written.
fn word(op: CmpOp) -> Option<&'static str> {
    match op {
        CmpOp::Lt => Some("<"),
        CmpOp::LtE => Some("<="),
        CmpOp::Gt => Some(">"),
        CmpOp::GtE => Some(">="),
        _ => None,
    }
}
