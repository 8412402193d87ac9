//! `@dataclass` with options that Monty's does not take, and `field` with more
//! than a default: both become functions of ours.

use ruff_python_ast::{Decorator, Expr, ExprCall, Stmt, StmtClassDef};
use ruff_text_size::Ranged;

use super::{Pass, last_name};

/// Returns whether Monty's takes all options of `call`.
fn is_native(call: &ExprCall, options: &[&str]) -> bool {
    let mut keywords = call.arguments.keywords.iter();
    keywords.all(|keyword| {
        keyword
            .arg
            .as_ref()
            .is_some_and(|arg| options.contains(&arg.as_str()))
    })
}

impl Pass<'_> {
    pub(super) fn dataclass(&mut self, class: &StmtClassDef) {
        let mut decorators = class.decorator_list.iter();
        let is_ours = |decorator: &&Decorator| {
            self.is_member(&decorator.expression, &["dataclasses"], "dataclass")
        };
        let Some(decorator) = decorators.find(is_ours) else {
            return;
        };
        let mut ours = matches!(&decorator.expression, Expr::Call(call) if !is_native(call, &["eq", "frozen", "order"]));
        // Fields of a base may be ours.
        ours |= class.arguments.as_deref().is_some_and(|arguments| {
            let mut bases = arguments.args.iter().map(last_name);
            bases.any(|base| !matches!(base, "ABC" | "Generic" | "Protocol" | "object"))
        });
        let mut fields = Vec::new();
        for stmt in &class.body {
            if let Stmt::AnnAssign(field) = stmt {
                ours |= matches!(last_name(&field.annotation), "InitVar" | "KW_ONLY");
                if let Some(Expr::Call(call)) = field.value.as_deref()
                    && self.is_member(&call.func, &["dataclasses"], "field")
                {
                    ours |= !is_native(call, &["default", "default_factory"]);
                    fields.push(call.func.range());
                }
            }
        }
        if !ours {
            return;
        }
        let range = match &decorator.expression {
            Expr::Call(call) => call.func.range(),
            other => other.range(),
        };
        self.rewrote("dataclass", range, "dataclasses");
        self.replace_range(range, "_rlm_dataclass");
        for range in fields {
            self.replace_range(range, "_rlm_field");
        }
    }
}
