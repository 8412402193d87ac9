//! Decorators of functions that are read on the way.

use ruff_python_ast::{Decorator, Expr, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::{Pass, last_name};

/// Returns whether a decorator makes something of a method that is no method any more.
pub(super) fn is_refused(decorator: &Decorator) -> bool {
    matches!(
        last_name(&decorator.expression),
        "singledispatchmethod" | "asynccontextmanager" | "register"
    )
}

impl Pass<'_> {
    /// `@f.register` of what says in its annotation what it is for.
    pub(super) fn registers(&mut self, decorator: &Decorator, function: &StmtFunctionDef) {
        if let Expr::Attribute(register) = &decorator.expression
            && register.attr.as_str() == "register"
            && let Expr::Name(of) = &*register.value
            && self
                .source
                .contains(&format!("singledispatch\ndef {}(", of.id))
            && let Some(first) = function.parameters.iter_non_variadic_params().next()
            && let Some(kind @ (Expr::Name(_) | Expr::Attribute(_))) = first.annotation()
        {
            let text = format!("({})", self.text(kind.range()));
            self.rewrote("register", decorator.range(), "");
            self.insert(decorator.range().end(), text);
        }
    }
}
