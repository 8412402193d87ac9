//! `__format__` and `__ne__` of instances, which Monty does not ask: where a
//! class has them, what formats goes by functions that do.

use std::collections::BTreeSet;

use ruff_python_ast::{Expr, ExprCall, InterpolatedElement, Operator};
use ruff_text_size::Ranged;

use super::{Pass, last_name};

/// Functions and methods whose results are numbers or texts.
const PLAIN: [&str; 14] = [
    "len", "sum", "round", "str", "int", "float", "repr", "join", "upper", "lower", "strip",
    "replace", "title", "abs",
];

impl Pass<'_> {
    /// `{x:spec}` in an f-string.
    pub(super) fn formatted(&mut self, element: &InterpolatedElement) {
        if !element.conversion.is_none() || element.debug_text.is_some() {
            return;
        }
        if !self.out.habits.formats {
            let spec = element.format_spec.as_ref().map(|spec| spec.range());
            if spec.is_some_and(|spec| is_fitted(self.text(spec))) {
                self.fitted(&element.expression);
            }
            return;
        }
        // What is said there is said again in quotes of ours.
        let spec = element.format_spec.as_ref();
        if spec.is_some_and(|spec| {
            self.text(spec.range())
                .contains(['"', '\'', '\\', '\n', '#'])
        }) {
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
        let Expr::StringLiteral(text) = &*attribute.value else {
            return;
        };
        if !self.out.habits.formats {
            return self.fits_in(text.value.to_str(), call);
        }
        self.rewrote("format", call.range(), "formats");
        self.stands(&call.func, super::Place::Done);
        self.insert(attribute.range().start(), "_rlm_str_format(");
        let end = attribute.attr.range().end().to_u32();
        self.replace(self.dot(attribute), end, ")");
    }

    /// What is padded, or has some other format, must be able to.
    fn fitted(&mut self, expr: &Expr) {
        let is_plain = match expr {
            Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::FString(_) => true,
            Expr::BinOp(operation) => operation.op != Operator::Add,
            Expr::Call(call) => PLAIN.contains(&last_name(&call.func)),
            Expr::Starred(_) => true,
            _ => false,
        };
        if !is_plain {
            self.rewrote("fit", expr.range(), "fitting");
            self.insert(expr.range().start(), "_rlm_fit(");
            self.close(expr.range().end().to_u32(), ")");
        }
    }

    /// `format(value, "x")`
    pub(super) fn fits(&mut self, call: &ExprCall) {
        if let [value, Expr::StringLiteral(spec)] = &call.arguments.args[..]
            && is_fitted(spec.value.to_str())
        {
            self.fitted(value);
        }
    }

    /// What `"{:x}".format(value)` is given.
    fn fits_in(&mut self, text: &str, call: &ExprCall) {
        let plain = text.replace("{{", "").replace("}}", "");
        let arguments = &call.arguments;
        let mut done = BTreeSet::new();
        for (index, field) in plain.split('{').skip(1).enumerate() {
            let field = field.split('}').next().unwrap_or_default();
            let Some((name, spec)) = field.split_once(':') else {
                continue;
            };
            let value = match name.parse().ok().or(name.is_empty().then_some(index)) {
                Some(at) => arguments.args.get(at),
                None => {
                    let mut named = arguments.keywords.iter();
                    named
                        .find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == name))
                        .map(|keyword| &keyword.value)
                }
            };
            if let Some(value) = value
                && is_fitted(spec)
                && done.insert(value.range().start())
            {
                self.fitted(value);
            }
        }
    }
}

/// Whether not everything can have a format like `spec`.
fn is_fitted(spec: &str) -> bool {
    let of_dates = spec
        .split('%')
        .skip(1)
        .any(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '-'));
    !spec.is_empty() && !spec.starts_with('{') && !of_dates
}
