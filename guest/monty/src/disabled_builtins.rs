//! Builtin functions and modules that a session does not have, and the functions that its host has.
//!
//! A disabled builtin is no name: reading it, at any depth and in any namespace,
//! gives what an undefined name gives, and a value of it that a script still holds
//! cannot be called. A disabled module is imported as one that the interpreter does
//! not have: the host is asked for it. The set belongs to the running session and is never part of a
//! dump, so that loading one cannot bring a builtin back.

use std::{collections::BTreeSet, sync::Arc};

use monty_types::BuiltinsFunctions;

use crate::{
    args::ArgValues,
    builtins::Builtins,
    bytecode::VM,
    exception_private::{ExcType, ExcTypeExt, RunResult, SimpleException},
    heap::{ContainsHeap, DropWithContext},
    modules::StandardLib,
    value::Value,
};

/// Set of builtin functions and modules that do not exist for the code of a session.
///
/// Given by [`MontyRepl::disable_builtins`](crate::MontyRepl::disable_builtins).
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct DisabledBuiltins {
    functions: u64,
    /// Functions that the host has, which it is asked for; `None` if any name may be one.
    of_host: Option<Arc<BTreeSet<String>>>,
    /// Bits of `OS` and `PATHLIB`.
    modules: u8,
}

const OS: u8 = 1;
const PATHLIB: u8 = 2;

impl DisabledBuiltins {
    /// Returns the set with `builtin` in it.
    #[must_use]
    pub fn with(self, builtin: BuiltinsFunctions) -> Self {
        Self {
            functions: self.functions | 1 << builtin as u8,
            ..self
        }
    }

    /// Returns the set with the module `os` or `pathlib` in it; other modules stay.
    #[must_use]
    pub fn with_module(self, name: &str) -> Self {
        let module = match name {
            "os" => OS,
            "pathlib" => PATHLIB,
            _ => 0,
        };
        Self {
            modules: self.modules | module,
            ..self
        }
    }

    /// Returns the set for a host that has these functions, and no others.
    #[must_use]
    pub fn with_functions_of_host(self, names: Arc<BTreeSet<String>>) -> Self {
        Self {
            of_host: Some(names),
            ..self
        }
    }

    /// Returns whether the host may have a function of this name.
    fn may_be_of_host(&self, name: &str) -> bool {
        name.starts_with("_rlm_")
            || self
                .of_host
                .as_ref()
                .is_none_or(|names| names.contains(name))
    }

    /// Returns whether the set has this module.
    pub(crate) fn has_module(&self, module: StandardLib) -> bool {
        let module = match module {
            StandardLib::Os => OS,
            StandardLib::Pathlib => PATHLIB,
            _ => 0,
        };
        self.modules & module != 0
    }

    /// Returns whether `builtin` is in the set.
    #[must_use]
    pub fn contains(&self, builtin: BuiltinsFunctions) -> bool {
        self.functions & 1 << builtin as u8 != 0
    }

    /// Returns the builtin that `name` stands for, unless it is disabled.
    pub(crate) fn resolve(&self, name: &str) -> Option<Builtins> {
        match name.parse().ok()? {
            Builtins::Function(function) if self.contains(function) => None,
            builtin => Some(builtin),
        }
    }

    /// Returns the value that `name` stands for where no scope binds it, unless it
    /// is disabled.
    pub(crate) fn value_of(&self, name: &str) -> Option<Value> {
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
        &self,
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

impl VM<'_> {
    /// Returns the error for a call of a function that no scope binds, where the host cannot be waited for.
    pub(crate) fn cannot_ask_for(&self, name: &str) -> SimpleException {
        match self.global_names.disabled.may_be_of_host(name) {
            true => ExcType::not_implemented_synchronous_call("external function", name),
            false => SimpleException::new_msg(
                ExcType::NameError,
                format!("name '{name}' is not defined"),
            ),
        }
    }
}
