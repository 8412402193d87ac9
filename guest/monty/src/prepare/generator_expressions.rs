//! Names that generator expressions bind by `:=`: they are those of the function around, or of the module.

use ahash::AHashSet;

use super::{FunctionScopeInfo, collect_assigned_names_from_expr};
use crate::{
    expressions::ExprLoc,
    intern::{CompileInterns, StringId},
    parse::generator_expressions::is_name,
};

/// Adds the names that a generator expression binds in the scope around it.
pub(super) fn assigned(
    function: StringId,
    body: &ExprLoc,
    names: &mut AHashSet<StringId>,
    interner: &CompileInterns<'_>,
) {
    if is_name(function, interner) {
        collect_assigned_names_from_expr(body, names, interner);
    }
}

/// Has the names that a generator expression binds mean what they mean around it.
pub(super) fn bind_around(
    function: StringId,
    body: &ExprLoc,
    scope: &mut FunctionScopeInfo,
    enclosing_locals: &AHashSet<StringId>,
    interner: &CompileInterns<'_>,
) {
    let mut names = AHashSet::new();
    assigned(function, body, &mut names, interner);
    for name in names {
        scope.assigned_names.remove(&name);
        scope.cell_var_names.remove(&name);
        scope.potential_captures.remove(&name);
        let around = match enclosing_locals.contains(&name) {
            true => &mut scope.nonlocal_names,
            false => &mut scope.global_names,
        };
        around.insert(name);
    }
}
