//! Parameters that have a default value.

use super::Signature;
use crate::intern::StringId;

impl Signature {
    /// Returns how many of the default values are those of parameters that can be passed by position; they come first.
    pub(crate) fn positional_defaults(&self) -> usize {
        self.pos_defaults_count + self.arg_defaults_count
    }

    /// Returns the names of parameters that are passed by keyword alone, each with the index of its default value.
    pub(crate) fn keyword_defaults(&self) -> Vec<(StringId, usize)> {
        let (Some(names), Some(indices)) = (&self.kwargs, &self.kwarg_default_map) else {
            return Vec::new();
        };
        let first = self.positional_defaults();
        let pairs = names.iter().zip(indices);
        pairs
            .filter_map(|(name, index)| Some((*name, first + (*index)?)))
            .collect()
    }
}
