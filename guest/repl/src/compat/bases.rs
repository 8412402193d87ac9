//! Bases of classes that a decorator of ours stands for, and those that are refused with what to write instead. Monty
//! inherits from all others.

use ruff_python_ast::{Arguments, Expr, Stmt, StmtClassDef};
use ruff_text_size::Ranged;

use super::{Pass, Place, last_name};

/// Builtin types that a class of ours stands for where a class inherits from one; see `prelude/compat/held.py`.
pub(super) const HELD: [&str; 7] = [
    "dict",
    "list",
    "set",
    "tuple",
    "defaultdict",
    "Counter",
    "OrderedDict",
];

/// Modules that have what classes with fields inherit from.
const TYPING: [&str; 2] = ["typing", "typing_extensions"];

/// Returns true if a base is a call that makes a named tuple.
fn is_row(base: &Expr) -> bool {
    base.is_call_expr() && last_name(base) == "namedtuple"
}

/// Returns the only base of a class.
pub(super) fn of(class: &StmtClassDef) -> Option<&Expr> {
    match &class.arguments.as_deref()?.args[..] {
        [base] => Some(base),
        _ => None,
    }
}

impl Pass<'_> {
    /// Takes bases of a class away that something of ours stands for; false if it has one that is refused.
    pub(super) fn bases(&mut self, class: &StmtClassDef) -> bool {
        let Some(arguments) = class.arguments.as_deref() else {
            return true;
        };
        let has_keywords = !arguments.keywords.is_empty();
        let is_only =
            |name: &str| of(class).is_some_and(|base| self.is_member(base, &TYPING, name));
        if is_only("NamedTuple") && !has_keywords {
            let is_field = |stmt: &Stmt| match stmt {
                Stmt::AnnAssign(_) | Stmt::Pass(_) => true,
                Stmt::Expr(text) => text.value.is_string_literal_expr(),
                _ => false,
            };
            self.stands(&arguments.args[0], Place::Done);
            if !class.body.iter().all(is_field) {
                self.rewrote("class", class.name.range(), "held");
                self.replace_range(arguments.args[0].range(), "_rlm_row");
                self.out.helpers.insert("rows");
                return true;
            }
            self.made(class, String::from("_rlm_named"), "rows");
        } else if is_only("TypedDict") {
            self.stands(&arguments.args[0], Place::Done);
            let total = arguments.find_keyword("total");
            let total = total.is_none_or(|total| self.text(total.value.range()) == "True");
            let total = if total { "True" } else { "False" };
            self.made(class, format!("_rlm_typed({total})"), "rows");
        } else {
            return self.other_bases(arguments, class);
        }
        let range = arguments.range();
        self.rewrote("class", class.name.range(), "");
        self.replace_range(range, "");
        true
    }

    /// Puts classes of ours in the place of builtin types among the bases; false if one is refused.
    fn other_bases(&mut self, arguments: &Arguments, class: &StmtClassDef) -> bool {
        // Members of these hold values of a builtin type.
        let is_enumeration =
            |base: &Expr| last_name(base).ends_with("Enum") || last_name(base).ends_with("Flag");
        let of_enumeration = arguments.args.iter().any(is_enumeration);
        let is_held = |base: &Expr| match last_name(base) {
            "str" | "int" | "float" => of_enumeration,
            name => HELD.contains(&name) || is_row(base),
        };
        let bases = arguments.args.iter().filter(|base| !is_held(base));
        let mut refused = bases.map(|base| self.refused(base));
        if let Some((message, hint)) = refused.find_map(|refused| refused) {
            self.refuse(message, hint, arguments.range());
            return false;
        }
        for base in &arguments.args {
            if HELD.contains(&last_name(base)) || is_row(base) {
                self.rewrote("class", class.name.range(), "held");
                self.insert(base.range().start(), "_rlm_base(");
                self.close(base.range().end().to_u32(), ")");
            }
        }
        true
    }

    /// Returns why a class cannot have such a base, and what to do instead.
    fn refused(&self, base: &Expr) -> Option<(&'static str, &'static str)> {
        let name = last_name(base);
        Some(match name {
            "NamedTuple" if !self.is_member(base, &TYPING, name) => return None,
            "NamedTuple" | "namedtuple" => (
                "a class that inherits from NamedTuple",
                "write class Name(NamedTuple) with its fields and methods, or a @dataclass",
            ),
            "type" => (
                "a metaclass",
                "write a class decorator, or __init_subclass__ in a base class",
            ),
            "str" | "int" | "float" | "bytes" | "frozenset" | "deque" | "UserDict" | "UserList" => {
                (
                    "a class that inherits from a builtin type",
                    "keep one in an attribute and write the methods that you need",
                )
            }
            _ => return None,
        })
    }

    /// Puts a decorator of ours in front of `class`.
    pub(super) fn made(&mut self, class: &StmtClassDef, decorator: String, helper: &'static str) {
        let keyword = self.class_keyword(class);
        let indent = self.indent(keyword).unwrap_or_default().to_owned();
        self.rewrote("class", class.name.range(), helper);
        self.insert(keyword, format!("@{decorator}\n{indent}"));
    }

    /// Where the word `class` stands.
    pub(super) fn class_keyword(&self, class: &StmtClassDef) -> u32 {
        let name = class.name.range().start().to_usize();
        self.source[..name].rfind("class").unwrap_or(name) as u32
    }
}
