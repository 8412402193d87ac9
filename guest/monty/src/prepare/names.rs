//! Names that a module binds.

use ahash::AHashSet;

use super::{Prepare, collect_scope_info_from_node};
use crate::{
    expressions::PreparedNode,
    intern::StringId,
    parse::{ParseError, ParseNode},
};

impl Prepare<'_, '_> {
    /// Prepares the statements of a module.
    pub(super) fn prepare_module(
        &mut self,
        nodes: Vec<ParseNode>,
    ) -> Result<Vec<PreparedNode>, ParseError> {
        let (mut globals, mut nonlocals) = (AHashSet::new(), AHashSet::new());
        for node in &nodes {
            collect_scope_info_from_node(
                node,
                &mut globals,
                &mut nonlocals,
                &mut self.module_names,
                self.interner,
            );
        }
        self.prepare_nodes(nodes)
    }

    /// Returns whether a name at the top level of a module may mean something else than the builtin: what a statement or
    /// a comprehension around binds it to.
    pub(super) fn is_bound(&self, name: StringId) -> bool {
        self.names_assigned_in_order.contains(&name)
            || self.module_names.contains(&name)
            || self
                .comp_name_scopes
                .iter()
                .any(|scope| scope.contains_key(&name))
    }
}
