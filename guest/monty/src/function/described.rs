//! The qualified name and the documentation of a function.

use super::Function;
use crate::intern::{Interns, StringId};

/// The qualified name and the documentation, which stand in the text of a `def`.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub struct Described {
    /// The name with those of the functions and classes around; none where nothing is around, and in code of the
    /// host's own.
    #[serde(rename = "Q")]
    pub(crate) qualname: Option<Box<str>>,
    /// The text that its body begins with.
    #[serde(rename = "D")]
    pub(crate) doc: Option<StringId>,
}

impl Function {
    /// Returns the name with those of the functions and classes around.
    pub(crate) fn qualname<'f>(&'f self, interns: &'f Interns) -> &'f str {
        match &self.described.qualname {
            Some(name) => name,
            None => interns.get_str(self.name.name_id),
        }
    }
}
