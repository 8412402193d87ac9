//! Members of classes: their names in the body, and what it binds beside methods and simple variables.

use ahash::{AHashMap, AHashSet};

use super::{FunctionState, GlobalsRef, ParseNode};
use crate::{
    expressions::{Identifier, NameScope, Node},
    intern::StringId,
    name_map::NameMap,
    namespace::NamespaceId,
    parse::{CodeRange, ParseError},
};

/// Returns a member that the body of a class reads, by its slot there; `None` for another name. Its scope is
/// [`NameScope::Name`]: where it is not bound the name is looked for outside.
///
/// A comprehension sees no member of the class, but for what it goes through first: `is_within` is true in the rest of it.
pub(super) fn read(
    body: &mut FunctionState,
    globals: &mut GlobalsRef<'_>,
    name: StringId,
    position: CodeRange,
    is_within: bool,
) -> Result<Option<Identifier>, ParseError> {
    let is_outer = body.global_names.contains(&name)
        || body.free_var_map.contains_key(&name)
        || body.cell_var_map.contains_key(&name);
    if is_outer || !body.assigned_names.contains(&name) {
        return Ok(None);
    }
    let global = globals.ensure_slot(name, position)?;
    if is_within && !body.enclosing_locals.contains(&name) {
        let scope = NameScope::Global;
        let global = Identifier::new_with_scope(name, position, global, scope);
        return Ok(Some(global));
    }
    let slot = body.locals.ensure_slot(name, position)?;
    let scope = NameScope::Name;
    let member = Identifier::new_with_scope(name, position, slot, scope);
    Ok(Some(member))
}

/// Returns whether the body of a class binds the names of its members one after the other, and nothing else.
pub(super) fn are_plain(body: &[ParseNode]) -> bool {
    let mut body = body.iter();
    body.all(|node| matches!(node, Node::Assign { .. } | Node::FunctionDef { .. }))
}

/// Returns the members without those that the body declares to be names of the module or of a function around.
pub(super) fn of_class(
    members: Vec<Identifier>,
    locals: &NameMap,
    outer: &AHashMap<StringId, NamespaceId>,
) -> Vec<Identifier> {
    let is_own = |member: &Identifier| {
        locals.get(member.name_id).is_some() && !outer.contains_key(&member.name_id)
    };
    members.into_iter().filter(is_own).collect()
}

/// Adds the other names that the body of a class binds, in the order in which they stand there. The scope of members is
/// [`NameScope::Name`] then: they may be unbound at the end.
pub(super) fn add_others(
    members: &mut Vec<Identifier>,
    locals: &NameMap,
    assigned: &AHashSet<StringId>,
    outer: &AHashMap<StringId, NamespaceId>,
) {
    let Some(position) = members.first().map(|member| member.position) else {
        return;
    };
    let known: AHashSet<StringId> = members.iter().map(|member| member.name_id).collect();
    for (slot, name) in locals.iter() {
        if assigned.contains(&name) && !known.contains(&name) && !outer.contains_key(&name) {
            let scope = NameScope::Local;
            members.push(Identifier::new_with_scope(name, position, slot, scope));
        }
    }
    for member in members.iter_mut() {
        if member.scope == NameScope::Local {
            member.scope = NameScope::Name;
        }
    }
    members.sort_by_key(|member| member.namespace_id().index());
}
