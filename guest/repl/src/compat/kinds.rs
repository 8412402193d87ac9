//! Kinds that are no types in Monty: those of `typing`, `collections.abc` and
//! `numbers` in `isinstance` and with types in brackets,
//! and members of Monty's modules that only ours have.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall, ExprCompare, ExprSubscript};
use ruff_text_size::Ranged;

use super::Pass;
use crate::modules;

/// Names of kinds that values are tested against.
const KINDS: [&str; 31] = [
    "AbstractSet",
    "ByteString",
    "Callable",
    "Collection",
    "Complex",
    "Container",
    "Dict",
    "FrozenSet",
    "Generator",
    "Hashable",
    "Integral",
    "ItemsView",
    "Iterable",
    "Iterator",
    "KeysView",
    "List",
    "Mapping",
    "MappingView",
    "MutableMapping",
    "MutableSequence",
    "MutableSet",
    "Number",
    "Rational",
    "Real",
    "Reversible",
    "Sequence",
    "Set",
    "Sized",
    "Tuple",
    "Type",
    "ValuesView",
];

/// Names of `typing` that Monty has and that take no brackets in it.
const FORMS: [&str; 16] = [
    "List",
    "Dict",
    "Tuple",
    "Set",
    "FrozenSet",
    "Callable",
    "Type",
    "Sequence",
    "Mapping",
    "Iterable",
    "Iterator",
    "Generator",
    "Literal",
    "Annotated",
    "ClassVar",
    "Final",
];

/// Types of which nothing needs to be known to test for them.
const PLAIN: [&str; 9] = [
    "str", "int", "float", "bool", "list", "dict", "set", "tuple", "bytes",
];

impl Pass<'_> {
    /// `isinstance(x, Mapping)`
    pub(super) fn tests_kind(&mut self, call: &ExprCall) {
        // Kinds may be in variables where there are any.
        let has_kinds = self.out.habits.kinds;
        let is_wanted = |kind: &Expr| match kind {
            Expr::Name(name) if PLAIN.contains(&name.id.as_str()) => false,
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) if has_kinds => true,
            kind => names_kind(kind),
        };
        if call.arguments.args.get(1).is_some_and(is_wanted) {
            self.stand_in(call, "kinds", "_rlm_isinstance", "kinds");
        }
    }

    /// `Dict[str, int]` where it is more than an annotation.
    pub(super) fn brackets(&mut self, subscript: &ExprSubscript, after: &mut After) {
        let is_form = match &*subscript.value {
            Expr::Name(name) => FORMS.contains(&name.id.as_str()),
            Expr::Attribute(attribute) => {
                FORMS.contains(&attribute.attr.as_str()) && attribute.value.is_name_expr()
            }
            _ => false,
        };
        if is_form {
            let range = subscript.value.range();
            self.rewrote("kinds", range, "");
            self.out.modules.insert("typing");
            self.insert(range.start(), "_rlm_form(");
            after.push((range.end().to_u32(), ")"));
        }
    }

    /// `sys.exit`, which is no member of Monty's `sys`.
    pub(super) fn member(&mut self, attribute: &ExprAttribute) -> bool {
        let Some(module) = self.module(&attribute.value) else {
            return false;
        };
        let Some(ours) = modules::added(module, attribute.attr.as_str()) else {
            return false;
        };
        self.rewrote("missing-member", attribute.range(), "");
        self.out.modules.insert(ours);
        self.replace_range(attribute.value.range(), format!("_rlm_module_{ours}"));
        true
    }

    /// `type(x) is type`, which the type of a class is not in Monty.
    pub(super) fn compares_type(&mut self, compare: &ExprCompare) {
        for operand in &compare.operands {
            if let Expr::Call(call) = operand
                && call.arguments.len() == 1
                && self.builtin(&call.func) == Some("type")
            {
                self.stand_in(call, "kinds", "_rlm_type", "kinds");
            }
        }
    }
}

type After = Vec<(u32, &'static str)>;

/// Returns whether a script may get kinds into its variables.
pub(super) fn are_in(source: &str) -> bool {
    let modules = [
        "collections.abc",
        "collections import abc",
        "import numbers",
        "from numbers",
    ];
    source.contains("import") && modules.iter().any(|import| source.contains(import))
}

/// Returns whether `expr` may be, or hold, such a kind.
fn names_kind(expr: &Expr) -> bool {
    match expr {
        Expr::Name(name) => KINDS.contains(&name.id.as_str()),
        Expr::Attribute(attribute) => KINDS.contains(&attribute.attr.as_str()),
        Expr::Subscript(subscript) => names_kind(&subscript.value),
        Expr::Tuple(tuple) => tuple.elts.iter().any(names_kind),
        Expr::BinOp(union) => names_kind(&union.left) || names_kind(&union.right),
        _ => false,
    }
}
