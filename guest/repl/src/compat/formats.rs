//! `__format__` and `__ne__` of instances, which Monty does not ask: where a
//! class has them, what formats goes by functions that do.

use ruff_python_ast::{Expr, ExprCall, InterpolatedElement};
use ruff_text_size::Ranged;

use super::Pass;

impl Pass<'_> {
    /// `{x:spec}` in an f-string.
    pub(super) fn formatted(&mut self, element: &InterpolatedElement) {
        if !self.out.habits.formats || !element.conversion.is_none() || element.debug_text.is_some()
        {
            return;
        }
        self.rewrote("format", element.range(), "formats");
        let inner = element.expression.range();
        self.insert(inner.start(), "_rlm_format(");
        let end = element.range().end().to_u32();
        match &element.format_spec {
            Some(spec) => {
                let start = spec.range().start().to_u32();
                let colon = start - 1;
                self.replace(colon, start, ",f\"");
                self.close(end - 1, "\")");
            }
            None => self.close(end - 1, ")"),
        }
    }

    /// `{x=}`, which becomes `x={x!r}` where its text can stand for itself.
    pub(super) fn told(&mut self, element: &InterpolatedElement) -> bool {
        let Some(debug) = &element.debug_text else {
            return true;
        };
        let start = element.range().start().to_u32();
        let end = element.expression.range().end().to_u32();
        let until = end + debug.trailing().len() as u32;
        let text = self.source[start as usize + 1..until as usize].to_owned();
        if !text.ends_with(['=', ' ']) || text.contains(['\'', '"', '\\', '\n', '{', '}', '(']) {
            return false;
        }
        let repr = element.conversion.is_none() && element.format_spec.is_none();
        self.insert(start, text);
        self.replace(end, until, if repr { "!r" } else { "" });
        true
    }

    /// `"{:x}".format(value)`
    pub(super) fn formats(&mut self, call: &ExprCall) {
        let Expr::Attribute(attribute) = &*call.func else {
            return;
        };
        if !self.out.habits.formats || !attribute.value.is_string_literal_expr() {
            return;
        }
        self.rewrote("format", call.range(), "formats");
        self.stands(&call.func, super::Place::Done);
        self.insert(attribute.range().start(), "_rlm_str_format(");
        let end = attribute.attr.range().end().to_u32();
        self.replace(self.dot(attribute), end, ")");
    }
}
