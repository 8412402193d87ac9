//! Small things that Monty's collections and texts do not do as Python's: lists
//! take nothing but lists behind `+=`, of equal keys the last stays and not the
//! first, and an empty text is found beyond the end.

use ruff_python_ast::{Expr, ExprCall, Number, Operator, StmtAugAssign};
use ruff_text_size::Ranged;

use super::{Pass, Place, last_name};

/// Methods that look for a text in another from a place on.
const FINDING: [&str; 7] = [
    "find",
    "rfind",
    "index",
    "rindex",
    "count",
    "startswith",
    "endswith",
];

/// Functions and methods whose results have items and are no lists.
const LAZY: [&str; 15] = [
    "map",
    "filter",
    "range",
    "zip",
    "enumerate",
    "reversed",
    "set",
    "frozenset",
    "tuple",
    "keys",
    "values",
    "items",
    "chain",
    "finditer",
    "groups",
];

impl<'a> Pass<'a> {
    /// `xs += ys`, where `xs` may be a list and `ys` something else.
    pub(super) fn grows(&mut self, assign: &'a StmtAugAssign) {
        if assign.op != Operator::Add || !self.may_grow(&assign.target, &assign.value) {
            return;
        }
        let Some(target) = self.again(&assign.target) else {
            return;
        };
        self.rewrote("grow", assign.range(), "growing");
        self.stands(&assign.value, Place::Drained);
        let end = assign.target.range().end().to_u32();
        let equals = self.find(end, "=") + 1;
        self.insert(equals, format!(" _rlm_more({target},("));
        self.close(assign.range().end().to_u32(), "))");
    }

    fn is_listed(&self, name: &str) -> bool {
        self.out.habits.lists.contains(name)
    }

    fn may_grow(&self, target: &Expr, value: &Expr) -> bool {
        let is_list = match target {
            Expr::Subscript(subscript) => {
                let is_text = value.is_string_literal_expr() || value.is_f_string_expr();
                (is_text || value.is_call_expr()) && self.is_listed(last_name(&subscript.value))
            }
            _ => self.is_listed(last_name(target)),
        };
        match value {
            Expr::Tuple(_) | Expr::Set(_) | Expr::Dict(_) | Expr::SetComp(_) => true,
            Expr::DictComp(_) | Expr::Generator(_) => true,
            Expr::Call(call) if LAZY.contains(&last_name(&call.func)) => true,
            Expr::List(_) | Expr::ListComp(_) => false,
            Expr::Call(call) => {
                is_list && !matches!(last_name(&call.func), "list" | "sorted" | "split")
            }
            _ => is_list,
        }
    }

    /// The text of a target that can be read once more without anybody seeing it.
    fn again(&self, target: &Expr) -> Option<String> {
        match target {
            Expr::Name(name) => Some(name.id.to_string()),
            Expr::NumberLiteral(_) | Expr::StringLiteral(_) => {
                Some(self.text(target.range()).to_owned())
            }
            Expr::Attribute(attribute) => {
                let of = self.again(&attribute.value)?;
                Some(format!("{of}.{}", self.mangled(attribute.attr.as_str())))
            }
            Expr::Subscript(subscript) => {
                let of = self.again(&subscript.value)?;
                Some(format!("{of}[{}]", self.again(&subscript.slice)?))
            }
            _ => None,
        }
    }

    /// `{1: 'a', True: 'b'}`, where the first key stays.
    pub(super) fn same_keys<'e>(&mut self, keys: impl Iterator<Item = &'e Expr>) {
        let mut seen: Vec<(f64, &Expr)> = Vec::new();
        for key in keys {
            let Some(value) = number(key) else { continue };
            match seen.iter().find(|(other, _)| *other == value) {
                Some((_, first)) => {
                    let text = self.text(first.range()).to_owned();
                    let range = key.range();
                    if text != self.text(range) {
                        self.rewrote("same-key", range, "");
                        self.replace_range(range, text);
                    }
                }
                None => seen.push((value, key)),
            }
        }
    }

    /// `text.find(part, start)`
    pub(super) fn finds(&mut self, call: &ExprCall) -> bool {
        let Expr::Attribute(method) = &*call.func else {
            return false;
        };
        let name = method.attr.as_str();
        let [wanted, _, ..] = &call.arguments.args[..] else {
            return false;
        };
        let is_plain = match wanted {
            Expr::StringLiteral(text) => !text.value.is_empty(),
            Expr::BytesLiteral(bytes) => !bytes.value.is_empty(),
            Expr::NumberLiteral(_) | Expr::Tuple(_) => true,
            _ => false,
        };
        // `list.index(xs, x)` is another thing.
        let own = matches!(&*method.value, Expr::Name(of)
            if matches!(of.id.as_str(), "self" | "cls" | "list" | "str" | "tuple" | "bytes"));
        if is_plain
            || own
            || !FINDING.contains(&name)
            || !call.arguments.keywords.is_empty()
            || call.arguments.args.iter().any(Expr::is_starred_expr)
        {
            return false;
        }
        self.rewrote("find", call.range(), "growing");
        self.stands(&call.func, Place::Done);
        self.insert(call.range().start(), format!("_rlm_found('{name}',"));
        let open = call.arguments.range().start().to_u32();
        self.replace(self.dot(method), open + 1, ",");
        true
    }
}

/// What number a key stands for.
fn number(key: &Expr) -> Option<f64> {
    match key {
        Expr::BooleanLiteral(truth) => Some(f64::from(u8::from(truth.value))),
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(int) => int.as_i32().map(f64::from),
            Number::Float(float) => Some(*float),
            Number::Complex { .. } => None,
        },
        _ => None,
    }
}
