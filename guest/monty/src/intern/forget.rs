//! Text and code of snippets that can run no more.

use std::collections::BTreeMap;

use super::{Interns, SOURCE_ID_BASE, StringId};
use crate::bytecode::Code;

impl Interns {
    /// Returns how many functions are compiled.
    pub(crate) fn function_count(&self) -> usize {
        self.functions.len()
    }

    /// Marks the functions from number `first` on as such of the host's own code.
    pub(crate) fn mark_own(&mut self, first: usize) {
        for index in first..self.functions.len() {
            if let Some(function) = self.functions.get_mut(index) {
                function.is_own = true;
                function.described.qualname = None;
            }
        }
    }

    /// Returns true if a function from number `first` on was compiled from the file `name`.
    pub(crate) fn has_function_of(&self, name: &str, first: usize) -> bool {
        let file = self.get_string_id_by_name(name);
        file.is_some_and(|file| self.files_from(first).any(|(_, other)| other == file))
    }

    /// Drops the text and the code of what `eval` and `exec` ran from function number `first`
    /// on, where nothing but the snippet itself was compiled: it returned, and has no function
    /// that could be called.
    ///
    /// No frame may be active.
    pub(crate) fn forget_evaluated(&mut self, first: usize) {
        let mut snippets: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (index, file) in self.files_from(first) {
            if let Some(source) = file.index().checked_sub(SOURCE_ID_BASE) {
                let (count, last) = snippets.entry(source).or_default();
                *count += 1;
                *last = index;
            }
        }
        for (source, (count, function)) in snippets {
            if count > 1 {
                continue;
            }
            if let Some(text) = self.eval_sources.get_mut(source) {
                *text = "".into();
            }
            if let Some(function) = self.functions.get_mut(function) {
                function.code =
                    Code::new(Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
            }
        }
    }

    /// The numbers of the functions from `first` on, with the files that they are from.
    fn files_from(&self, first: usize) -> impl Iterator<Item = (usize, StringId)> {
        (first..self.functions.len())
            .map(|index| (index, self.functions[index].name.position.filename))
    }
}
