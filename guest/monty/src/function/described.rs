//! The qualified name and the documentation of a function.

use super::Function;
use crate::{
    exception_private::{ExcType, RunError},
    intern::{Interns, StringId},
};

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

    /// Returns the error for arguments that do not fit, with the qualified name in place of the name.
    #[cold]
    pub(crate) fn misfit(&self, mut error: RunError, interns: &Interns) -> RunError {
        if let Some(qualname) = &self.described.qualname
            && let RunError::Exc(raise) = &mut error
            && raise.exc.exc_type() == ExcType::TypeError
            && let Some(text) = raise.exc.arg()
            && let Some(rest) = text.strip_prefix(interns.get_str(self.name.name_id))
            && rest.starts_with("()")
        {
            let text = format!("{qualname}{rest}");
            raise.exc = raise.exc.clone().with_text(Some(text));
        }
        error
    }
}
