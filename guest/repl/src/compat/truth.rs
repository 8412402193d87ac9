//! `__len__` and `__bool__` of instances, which Monty does not ask: where a
//! script or one before it has a class with such a method, `len`, `bool` and
//! whatever is tested go by functions that do.

use ruff_python_ast::{BoolOp, Expr, ExprBoolOp, ExprUnaryOp, Stmt, UnaryOp};
use ruff_text_size::Ranged;

use super::{Pass, Place};

impl Pass<'_> {
    /// Notes what a statement tests.
    pub(super) fn test(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If(inner) => {
                self.stands(&inner.test, Place::Tested);
                for clause in &inner.elif_else_clauses {
                    if let Some(test) = &clause.test {
                        self.stands(test, Place::Tested);
                    }
                }
            }
            Stmt::While(inner) => self.stands(&inner.test, Place::Tested),
            Stmt::Assert(inner) => self.stands(&inner.test, Place::Tested),
            _ => {}
        }
    }

    /// An expression of which only the truth counts.
    pub(super) fn tested(&mut self, expr: &Expr, after: &mut Vec<(u32, &'static str)>) {
        let asks = match expr {
            Expr::Name(_)
            | Expr::Attribute(_)
            | Expr::Subscript(_)
            | Expr::Named(_)
            | Expr::Await(_)
            | Expr::If(_) => true,
            Expr::Call(call) => !matches!(
                self.builtin(&call.func),
                Some("isinstance" | "any" | "all" | "len" | "bool" | "hasattr" | "callable")
            ),
            _ => false,
        };
        if self.out.habits.truth && asks {
            self.rewrote("truth", expr.range(), "truth");
            self.insert(expr.range().start(), "_rlm_bool(");
            after.push((expr.range().end().to_u32(), ")"));
        }
    }

    pub(super) fn negated(&mut self, unary: &ExprUnaryOp) {
        if unary.op == UnaryOp::Not {
            self.stands(&unary.operand, Place::Tested);
        }
    }

    /// `and` and `or`, whose value is one of their operands.
    pub(super) fn chosen(
        &mut self,
        operation: &ExprBoolOp,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        if place == Some(Place::Tested) {
            operation
                .values
                .iter()
                .for_each(|value| self.stands(value, Place::Tested));
            return;
        }
        let asks = |value: &Expr| {
            matches!(
                value,
                Expr::Name(_)
                    | Expr::Attribute(_)
                    | Expr::Subscript(_)
                    | Expr::Call(_)
                    | Expr::Await(_)
            )
        };
        let Some((last, firsts)) = operation.values.split_last() else {
            return;
        };
        if !self.out.habits.truth || !firsts.iter().any(asks) {
            return;
        }
        self.rewrote("truth", operation.range(), "truth");
        let (word, before) = match operation.op {
            BoolOp::And => ("and", "(_rlm_t if not _rlm_bool(_rlm_t:=("),
            BoolOp::Or => ("or", "(_rlm_t if _rlm_bool(_rlm_t:=("),
        };
        let mut start = operation.range().start().to_u32();
        for (index, value) in firsts.iter().enumerate() {
            self.insert(start, before);
            let next = operation.values.get(index + 1).unwrap_or(last);
            let end = value.range().end().to_u32();
            let between = &self.source[end as usize..next.range().start().to_usize()];
            let at = end + between.find(word).unwrap_or(0) as u32;
            start = at + word.len() as u32;
            self.replace(at, start, ")) else ");
            after.push((operation.range().end().to_u32(), ")"));
        }
    }
}
