//! Instances of classes of exceptions.

use super::Instance;
use crate::exception_objects::Fields;

impl Instance {
    /// Returns what an instance holds as an exception; `None` if it is none.
    pub(crate) fn exception(&self) -> Option<&Fields> {
        self.exception.as_deref()
    }

    /// Returns the same to be changed.
    pub(crate) fn exception_mut(&mut self) -> Option<&mut Fields> {
        self.exception.as_deref_mut()
    }

    /// Makes an instance an exception.
    pub(crate) fn with_exception(self, exception: Option<Box<Fields>>) -> Self {
        Self { exception, ..self }
    }
}
