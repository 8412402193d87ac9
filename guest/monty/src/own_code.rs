//! Code of the host's own that runs in a session, beside that of scripts.
//!
//! While it is fed, builtin names in it stand for the builtins at every depth, whatever a
//! script binds these names to before or afterwards, and the classes that it defines are
//! immutable for scripts. So it can be called by scripts and still mean what it says.

use crate::{
    bytecode::VM,
    exception_private::{ExcType, RunResult, SimpleException},
    expressions::{Expr, Identifier, Literal, NameScope},
    heap::{DropWithContext as _, HeapData, HeapReadMut},
    modules::ModuleFunctions,
    name_map::NameMap,
    run::SessionTables,
    types::Instance,
    value::Value,
};

/// The builtin that a host may bind anew for its own code, to redirect what it prints.
const REDIRECTED: &str = "print";

/// The attribute after which an instance of an immutable class takes no other.
const FROZEN: &str = "_frozen";

/// Returns what a read of `name` is in code of the host's own, where it was resolved to
/// `found`: the builtin, unless a scope of that code binds the name.
pub(crate) fn resolve(globals: &NameMap, name: &str, found: Identifier) -> Expr {
    if globals.is_own_code
        && found.scope == NameScope::Global
        && name != REDIRECTED
        && let Some(builtin) = globals.disabled.value_of(name)
    {
        return match builtin {
            Value::Builtin(builtin) => Expr::Builtin(builtin),
            Value::ModuleFunction(ModuleFunctions::Classes(function)) => {
                Expr::Literal(Literal::Function(function))
            }
            Value::NotImplemented => Expr::Literal(Literal::NotImplemented),
            Value::Ellipsis => Expr::Literal(Literal::Ellipsis),
            _ => Expr::Name(found),
        };
    }
    Expr::Name(found)
}

impl<'h> HeapReadMut<'h, Instance> {
    /// Returns an attribute's name and value, unless the instance is frozen.
    pub(crate) fn unless_frozen<const N: usize>(
        &self,
        attribute: [Value; N],
        vm: &mut VM<'h>,
    ) -> RunResult<[Value; N]> {
        if is_frozen(self.get(vm.heap), vm) {
            attribute.drop_with(vm);
            let message = "readonly attribute";
            return Err(SimpleException::new_msg(ExcType::AttributeError, message).into());
        }
        Ok(attribute)
    }
}

/// Returns whether an instance takes no attributes any more: one of an immutable class that
/// has set the attribute `_frozen`, as the last of its own.
pub(crate) fn is_frozen(instance: &Instance, vm: &VM<'_>) -> bool {
    let class = match vm.heap.get(instance.class()) {
        HeapData::Class(class) => class,
        _ => return false,
    };
    class.is_immutable()
        && instance
            .attrs(vm.heap)
            .get_by_str(FROZEN, vm.heap, vm.interns)
            .is_some()
}

/// Returns true if code of the host's own runs, and no builtin that it called: a script may have said what such a one calls.
fn runs(vm: &VM<'_>) -> bool {
    let is_own = |id| vm.interns.get_function(id).is_own;
    vm.global_names.is_own_code && !vm.is_reentered() && vm.running_function().is_none_or(is_own)
}

impl SessionTables {
    /// Marks the functions from number `first` on, if they are of code of the host's own.
    pub(crate) fn mark_own(&mut self, first: usize) {
        if self.global_names.is_own_code {
            self.interns.mark_own(first);
        }
    }
}

/// Checks that the class `class` may be changed, if it `is_immutable`.
///
/// # Errors
/// CPython's `TypeError` for a type that is part of the interpreter.
pub(crate) fn check_change(
    is_immutable: bool,
    class: &str,
    name: &str,
    vm: &VM<'_>,
) -> RunResult<()> {
    if !is_immutable || runs(vm) {
        return Ok(());
    }
    let message = format!("cannot set '{name}' attribute of immutable type '{class}'");
    Err(SimpleException::new_msg(ExcType::TypeError, message).into())
}
