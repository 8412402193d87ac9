//! Builtin functions that a session does not have.
//!
//! A disabled builtin is no name: reading it, at any depth and in any namespace,
//! gives what an undefined name gives, and a value of it that a script still holds
//! cannot be called. The set belongs to the running session and is never part of a
//! dump, so that loading one cannot bring a builtin back.

use monty_types::BuiltinsFunctions;

use crate::{
    args::ArgValues,
    builtins::Builtins,
    exception_private::{ExcType, ExcTypeExt, RunResult},
    heap::{ContainsHeap, DropWithContext},
    value::Value,
};

/// Set of builtin functions that do not exist for the code of a session.
///
/// Given by [`MontyRepl::disable_builtins`](crate::MontyRepl::disable_builtins).
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct DisabledBuiltins(u64);

impl DisabledBuiltins {
    /// Returns the set with `builtin` in it.
    #[must_use]
    pub const fn with(self, builtin: BuiltinsFunctions) -> Self {
        Self(self.0 | 1 << builtin as u8)
    }

    /// Returns whether `builtin` is in the set.
    #[must_use]
    pub const fn contains(self, builtin: BuiltinsFunctions) -> bool {
        self.0 & 1 << builtin as u8 != 0
    }

    /// Returns the builtin that `name` stands for, unless it is disabled.
    pub(crate) fn resolve(self, name: &str) -> Option<Builtins> {
        match name.parse().ok()? {
            Builtins::Function(function) if self.contains(function) => None,
            builtin => Some(builtin),
        }
    }

    /// Returns the value that `name` stands for where no scope binds it, unless it
    /// is disabled.
    pub(crate) fn value_of(self, name: &str) -> Option<Value> {
        match Builtins::value_from_name(name)? {
            Value::Builtin(Builtins::Function(function)) if self.contains(function) => None,
            value => Some(value),
        }
    }

    /// Passes the arguments of a call on.
    ///
    /// # Errors
    /// The `NameError` that reading the name would have been, if `builtin` is disabled.
    pub(crate) fn check_call(
        self,
        builtin: BuiltinsFunctions,
        args: ArgValues,
        heap: &mut impl ContainsHeap,
    ) -> RunResult<ArgValues> {
        if self.contains(builtin) {
            args.drop_with(heap);
            return Err(ExcType::name_error(&builtin.to_string()).into());
        }
        Ok(args)
    }
}
