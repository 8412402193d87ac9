//! Names and calls in a `del` statement.

use super::Prepare;
use crate::{
    expressions::{Deletion, Node, PreparedNode},
    parse::ParseError,
};

impl Prepare<'_, '_> {
    /// Resolves what a `del` statement names and calls.
    pub(super) fn prepare_delete(
        &mut self,
        targets: Vec<Deletion>,
    ) -> Result<PreparedNode, ParseError> {
        let targets = targets.into_iter().map(|target| match target {
            Deletion::Name(name) => {
                self.names_assigned_in_order.insert(name.name_id);
                self.get_id(name).map(Deletion::Name)
            }
            Deletion::Call(call) => self.prepare_expression(call).map(Deletion::Call),
        });
        Ok(Node::Delete(targets.collect::<Result<_, _>>()?))
    }
}
