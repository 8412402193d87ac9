//! `f"{x=}"`, which Monty does not have.

use ruff_python_ast::InterpolatedElement;
use ruff_text_size::Ranged;

use super::Pass;

impl Pass<'_> {
    /// `{x=}`, which becomes `x={x!r}` where its text can stand for itself.
    pub(super) fn debug_text(&mut self, element: &InterpolatedElement) -> bool {
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
}
