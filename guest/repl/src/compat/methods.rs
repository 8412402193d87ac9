//! Methods and attributes of builtin types that Monty does not have: they come from a function that knows them.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall};
use ruff_text_size::Ranged;

use super::{Pass, Place, bases::HELD};

/// Methods of patterns that look for one, of which ours know more.
const OF_PATTERNS: [&str; 4] = ["match", "search", "findall", "fullmatch"];

/// Attributes that Monty lacks, all or in some form.
const MISSING: [&str; 58] = [
    "_replace",
    "__class__",
    "expand",
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
    "__ne__",
    "__le__",
    "__ge__",
    "__abs__",
    "__bool__",
    "__call__",
    "__float__",
    "__index__",
    "__int__",
    "__reversed__",
    "__round__",
    "__hash__",
    "__next__",
    "__radd__",
    "__truediv__",
    "__floordiv__",
    "__mod__",
    "__pow__",
    "__and__",
    "__or__",
    "__xor__",
    "__setitem__",
    "__delitem__",
    "isocalendar",
    "fromisocalendar",
    "ctime",
    "timetuple",
    "utctimetuple",
    "toordinal",
    "fromordinal",
    "fromtimestamp",
    "utcfromtimestamp",
    "utcnow",
    "strptime",
    "regs",
    "endpos",
    "lineno",
    "colno",
];

/// Attributes of patterns and matches that have to do with what ours know.
const OF_RE: [&str; 16] = [
    "sub",
    "subn",
    "expand",
    "match",
    "search",
    "findall",
    "finditer",
    "fullmatch",
    "groups",
    "groupindex",
    "flags",
    "re",
    "regs",
    "endpos",
    "lastindex",
    "lastgroup",
];

/// Attributes of dates and their types.
const OF_DATES: [&str; 11] = [
    "isocalendar",
    "fromisocalendar",
    "ctime",
    "timetuple",
    "utctimetuple",
    "toordinal",
    "fromordinal",
    "fromtimestamp",
    "utcfromtimestamp",
    "utcnow",
    "strptime",
];

/// Methods that Monty has, but not with as many arguments as Python.
const SHORT: [&str; 10] = [
    "encode",
    "decode",
    "groups",
    "groupdict",
    "match",
    "search",
    "findall",
    "finditer",
    "fullmatch",
    "sub",
];

/// Returns true for an attribute of builtin types that Monty lacks, all or in some form.
pub(super) fn is_missing(name: &str) -> bool {
    MISSING.contains(&name)
}

impl Pass<'_> {
    pub(super) fn attribute(&mut self, attribute: &ExprAttribute, place: Option<Place>) {
        let name = attribute.attr.as_str();
        if self.module_member(attribute, place) {
            return;
        }
        match &*attribute.value {
            Expr::Name(of) if matches!(of.id.as_str(), "self" | "cls") => return,
            Expr::Name(of) if of.id.as_str() == "re" && OF_PATTERNS.contains(&name) => return,
            _ => {}
        }
        let is_value = place != Some(Place::Callee);
        let wanted = match name {
            "pos" => self.out.helpers.contains("re_full"),
            "re" => is_value && self.out.helpers.contains("re_full"),
            "flags" | "groups" | "sub" => is_value && self.source.contains("re."),
            "numeric" | "digit" | "decimal" => self.is_module(&attribute.value, "unicodedata"),
            "__init__" => {
                matches!(&*attribute.value, Expr::Name(of) if HELD.contains(&of.id.as_str()))
            }
            "today" | "combine" => self.is_module(&attribute.value, "datetime"),
            _ => is_missing(name) || is_value && OF_PATTERNS.contains(&name),
        };
        if wanted {
            self.take(attribute);
        }
    }

    /// Has `attribute` taken by our function.
    fn take(&mut self, attribute: &ExprAttribute) {
        let name = attribute.attr.as_str().to_owned();
        self.rewrote("missing-method", attribute.range(), "methods");
        match name.as_str() {
            "encode" | "decode" | "numeric" | "digit" | "decimal" => {
                self.out.helpers.insert("of_texts")
            }
            name if OF_RE.contains(&name) => self.out.helpers.insert("re"),
            name if OF_DATES.contains(&name) || matches!(name, "today" | "combine") => {
                self.out.helpers.insert("of_dates")
            }
            _ => false,
        };
        self.insert(attribute.range().start(), "_rlm_method(");
        let end = attribute.attr.range().end().to_u32();
        self.replace(self.dot(attribute), end, format!(",'{name}')"));
    }

    /// Calls of methods with more arguments than Monty's take.
    pub(super) fn short_method(&mut self, call: &ExprCall, place: Option<Place>) {
        let Expr::Attribute(attribute) = &*call.func else {
            return;
        };
        let name = attribute.attr.as_str();
        let of_module = self.is_module(&attribute.value, "re");
        let count = call.arguments.args.len();
        let wanted = match name {
            "groups" | "groupdict" => !call.arguments.is_empty(),
            "encode" | "decode" => call.arguments.args.first().is_none_or(|codec| {
                !matches!(codec, Expr::StringLiteral(text) if text.value.to_str().starts_with("utf"))
            }),
            "finditer" if !is_looped(place) => true,
            _ => count > 1 && !of_module,
        };
        if SHORT.contains(&name) && wanted {
            self.stands(&call.func, Place::Done);
            self.take(attribute);
        }
    }
}

/// Returns whether all items of what stands there are taken, one after the other.
pub(super) fn is_looped(place: Option<Place>) -> bool {
    matches!(place, Some(Place::Drained | Place::Looped))
}
