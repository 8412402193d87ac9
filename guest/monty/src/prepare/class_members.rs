//! Members of classes in whose bodies more is written than methods and simple variables.

use ahash::{AHashMap, AHashSet};

use super::ParseNode;
use crate::{
    expressions::{Identifier, NameScope, Node},
    intern::StringId,
    name_map::NameMap,
    namespace::NamespaceId,
};

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
    for (slot, name) in locals.iter() {
        let is_known = members.iter().any(|member| member.name_id == name);
        if assigned.contains(&name) && !is_known && !outer.contains_key(&name) {
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
