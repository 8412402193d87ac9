//! Functions that are objects of their own.

use super::{Compiler, FBlock};
use crate::{function::Described, types::instance::dict::HIDDEN};

impl Compiler<'_, '_> {
    /// Returns whether a `def` or `lambda` is executed once: its function is known by its number. Of any other one each
    /// execution makes an object.
    pub(super) fn runs_once(&self, what: &str, described: &Described) -> bool {
        let is_loop =
            |block: &FBlock<'_>| matches!(block, FBlock::ForLoop(_) | FBlock::WhileLoop(_));
        let is_repeated =
            self.fblocks.iter().any(is_loop) || self.comp_slots.iter().any(Option::is_some);
        // A function may make a class more than once; those of the host's own code do not.
        let is_local = described
            .qualname
            .as_deref()
            .is_some_and(|name| name.contains("<locals>") && !name.starts_with(HIDDEN));
        matches!(what, "class body" | "generator expression")
            || self.is_module_scope && !is_repeated
            || self.is_class_body && !is_repeated && !is_local
    }
}
