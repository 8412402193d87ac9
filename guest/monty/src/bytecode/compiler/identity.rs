//! Functions that are objects of their own.

use super::{Compiler, FBlock};

impl Compiler<'_, '_> {
    /// Returns whether a `def` or `lambda` is executed once: its function is known by its number. Of any other one each
    /// execution makes an object.
    pub(super) fn runs_once(&self, what: &str) -> bool {
        let is_loop =
            |block: &FBlock<'_>| matches!(block, FBlock::ForLoop(_) | FBlock::WhileLoop(_));
        let is_repeated =
            self.fblocks.iter().any(is_loop) || self.comp_slots.iter().any(Option::is_some);
        // Methods of classes that one statement made are distinguished by their classes.
        what == "class body" || (self.is_module_scope || self.is_class_body) && !is_repeated
    }
}
