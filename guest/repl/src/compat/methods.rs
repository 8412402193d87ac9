//! Methods of builtin types as values, `key=d.get`, and methods that Monty does
//! not have: both come from a function that knows them.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall};
use ruff_text_size::Ranged;

use super::{Pass, Place};

/// Builtin types that models take methods from.
const TYPES: [&str; 9] = [
    "str",
    "list",
    "dict",
    "set",
    "frozenset",
    "int",
    "float",
    "bytes",
    "tuple",
];

/// Methods that Monty has and that are no values in it.
pub(crate) const METHODS: [&str; 82] = [
    "add",
    "append",
    "capitalize",
    "casefold",
    "center",
    "clear",
    "copy",
    "count",
    "decode",
    "difference",
    "discard",
    "encode",
    "endswith",
    "expandtabs",
    "extend",
    "find",
    "format",
    "fromkeys",
    "get",
    "hex",
    "index",
    "insert",
    "intersection",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isdisjoint",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "issubset",
    "issuperset",
    "istitle",
    "isupper",
    "items",
    "join",
    "keys",
    "ljust",
    "lower",
    "lstrip",
    "partition",
    "pop",
    "popitem",
    "remove",
    "removeprefix",
    "removesuffix",
    "replace",
    "reverse",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "setdefault",
    "sort",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "symmetric_difference",
    "title",
    "union",
    "update",
    "upper",
    "values",
    "zfill",
    "appendleft",
    "popleft",
    "extendleft",
    "rotate",
    "most_common",
    "elements",
    "match",
    "search",
    "findall",
    "group",
];

/// Attributes that Monty lacks, all or in some form.
const MISSING: [&str; 43] = [
    "translate",
    "maketrans",
    "format_map",
    "isdecimal",
    "difference_update",
    "intersection_update",
    "symmetric_difference_update",
    "bit_length",
    "bit_count",
    "to_bytes",
    "from_bytes",
    "is_integer",
    "as_integer_ratio",
    "fromhex",
    "real",
    "imag",
    "numerator",
    "denominator",
    "conjugate",
    "__name__",
    "__qualname__",
    "__class__",
    "__dict__",
    "hex",
    "expand",
    "fullmatch",
    "lastgroup",
    "lastindex",
    "groupindex",
    "__getitem__",
    "__contains__",
    "__len__",
    "__neg__",
    "__add__",
    "__sub__",
    "__mul__",
    "__eq__",
    "__lt__",
    "__gt__",
    "__iter__",
    "__str__",
    "__repr__",
    "subn",
];

/// Methods that Monty has, but not with as many arguments as Python.
const SHORT: [&str; 12] = [
    "update",
    "union",
    "intersection",
    "difference",
    "groups",
    "groupdict",
    "match",
    "search",
    "findall",
    "finditer",
    "fullmatch",
    "sub",
];

/// Whether a builtin type has a method of that name.
pub(crate) fn is_builtin_method(name: &str) -> bool {
    METHODS.contains(&name) || MISSING.contains(&name)
}

impl Pass<'_> {
    pub(super) fn attribute(&mut self, attribute: &ExprAttribute, place: Option<Place>) {
        if self.reads_property(attribute) || self.reads_error(attribute, place) {
            return;
        }
        let name = attribute.attr.as_str();
        if matches!((&*attribute.value, name), (Expr::Name(of), "VERBOSE" | "X") if of.id.as_str() == "re")
        {
            let range = attribute.range();
            return self.replace(range.start().to_u32(), range.end().to_u32(), "64");
        }
        let (mut of_type, mut of_call) = (false, false);
        match &*attribute.value {
            Expr::Name(of) if matches!(of.id.as_str(), "self" | "cls") => return,
            Expr::Name(of) => {
                of_type = TYPES.contains(&of.id.as_str()) && self.is_pythons(of.id.as_str());
                // Modules, as far as one can tell.
                if matches!(of.id.as_str(), "re" | "datetime" | "date")
                    && (METHODS.contains(&name) || name == "fullmatch")
                {
                    return;
                }
            }
            Expr::Call(call) => of_call = matches!(self.builtin(&call.func), Some("type")),
            _ => {}
        }
        let is_value = place != Some(Place::Callee);
        let wanted = match name {
            "__name__" | "__qualname__" if of_call => false,
            "real" | "imag" | "numerator" | "denominator" => is_value,
            _ if MISSING.contains(&name) => true,
            _ => METHODS.contains(&name) && (is_value || of_type),
        };
        if wanted {
            let rule = if is_value && METHODS.contains(&name) {
                "method-as-value"
            } else {
                "missing-method"
            };
            self.take(attribute, rule);
        }
    }

    /// Has `attribute` taken by our function.
    fn take(&mut self, attribute: &ExprAttribute, rule: &'static str) {
        let name = attribute.attr.as_str().to_owned();
        self.rewrote(rule, attribute.range(), "methods");
        if let Some(known) = METHODS.iter().find(|known| **known == name) {
            self.out.methods.insert(known);
        }
        if matches!(name.as_str(), "sub" | "subn" | "expand") {
            self.out.helpers.insert("re");
        }
        self.insert(attribute.range().start(), "_rlm_method(");
        let value = attribute.value.range().end().to_u32();
        let end = attribute.attr.range().end().to_u32();
        let between = &self.source[value as usize..end as usize];
        // Parentheses may close before the dot.
        let dot = value + between.rfind('.').unwrap_or(0) as u32;
        self.replace(dot, end, format!(",'{name}')"));
    }

    /// Calls of methods with more arguments than Monty's take.
    pub(super) fn short_method(&mut self, call: &ExprCall) {
        let Expr::Attribute(attribute) = &*call.func else {
            return;
        };
        let name = attribute.attr.as_str();
        let of_module = matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == "re");
        let count = call.arguments.args.len();
        let spread = call.arguments.args.iter().any(Expr::is_starred_expr);
        let wanted = match name {
            "update" | "union" | "intersection" | "difference" => count > 1 || spread,
            "groups" | "groupdict" => !call.arguments.is_empty(),
            _ => count > 1 && !of_module,
        };
        if SHORT.contains(&name) && wanted {
            self.stands(&call.func, Place::Done);
            self.take(attribute, "missing-method");
        }
    }
}
