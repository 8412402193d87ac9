//! Queries and settings of a session that run no code in it.

use monty_types::{PrintWriter, SourceRange};

use super::{
    MontyRepl, ReplFunctionCall, ReplNameLookup, ReplOsCall, ReplProgress, ReplResolveFutures,
    ReplSnapshot, ReplStartError, build_repl_progress, reclaim_vm_state,
};
use crate::{
    bytecode::VM,
    disabled_builtins::DisabledBuiltins,
    exception_objects::{PastException, ScriptLines},
    heap::HeapReader,
    intern::Interns,
    run_progress::convert_frame_exit,
    types::decimal::py_context::DecimalSlot,
    value::Value,
};

/// Numbers in the names of snippets.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Names {
    /// The number of the latest snippet, and whether it is beside the scripts.
    latest: Option<(u64, bool)>,
    /// A number that is free, of scripts and of snippets beside them.
    free: [Option<u64>; 2],
    /// True if the next snippet is beside the scripts.
    is_aside: bool,
}

/// Returns the name of the snippet of this number.
pub(super) fn name(number: u64) -> String {
    format!("<python-input-{number}>")
}

impl MontyRepl {
    /// Makes the builtin functions in `disabled` unknown to this session.
    ///
    /// Replaces the set that was given before. The set is no part of a dump: a
    /// host gives it again to a session that it loaded.
    pub fn disable_builtins(&mut self, disabled: DisabledBuiltins) {
        self.global_names.disabled = disabled;
    }

    /// Begins or ends code of the host's own: while `is_own`, builtin names but `print` in
    /// what is fed stand for the builtins at every depth, whatever scripts bind them to, and
    /// the classes that it defines are immutable for scripts.
    pub fn feed_own_code(&mut self, is_own: bool) {
        self.global_names.is_own_code = is_own;
    }

    /// Unbinds the global `name`, as `del` at the top level does.
    pub fn unbind(&mut self, name: &str) {
        let slot = self
            .interns
            .get_string_id_by_name(name)
            .and_then(|name_id| self.global_names.get(name_id));
        if let Some(value) = slot.and_then(|slot| self.globals.get_mut(slot.index())) {
            let value = std::mem::replace(value, Value::Undefined);
            value.drop_with(&mut self.heap);
        }
    }

    /// Leaves each `decimal.localcontext()` that a snippet was in when the host ended it.
    pub fn leave_decimal_contexts(&mut self) {
        if let Some(outside) = self.heap.take_decimal_context(DecimalSlot::Outside)
            && let Some(left) = self
                .heap
                .replace_decimal_context(DecimalSlot::Current, outside)
        {
            self.heap.dec_ref(left);
        }
    }

    /// Has `sys.stdout` and `sys.stderr` be the host's, whatever scripts have put in their place.
    pub fn restore_streams(&mut self) {
        self.heap.restore_streams();
    }

    /// Drops the text of the latest snippet, and what `eval` and `exec` ran in it, where no
    /// function of it can be called any more.
    /// Drops generators that were released at the end of it, without running them.
    pub(super) fn forget_latest(&mut self) {
        self.heap.uncaught = None;
        // A context that is open here is a generator's, which may go on in it.
        if let Some(outside) = self.heap.take_decimal_context(DecimalSlot::Outside) {
            self.heap.dec_ref(outside);
        }
        self.heap.feed += 1;
        for id in std::mem::take(&mut self.heap.unclosed) {
            self.heap.dec_ref(id);
        }
        if let Some((latest, is_aside)) = self.names.latest.take()
            && self.is_over(latest)
        {
            self.sources.remove(&name(latest));
            self.names.free[usize::from(is_aside)] = Some(latest);
        }
        let first = std::mem::replace(&mut self.functions_before, self.interns.function_count());
        self.interns.forget_evaluated(first);
    }

    /// Says whether what is fed next is beside the scripts of a session. Names of snippets are given again, those of
    /// one kind only to that kind: an interpreter has room for 65,536 names.
    pub fn feed_aside(&mut self, is_aside: bool) {
        self.names.is_aside = is_aside;
    }

    /// Returns true if nothing of the latest snippet, which had this number, can run any more.
    fn is_over(&self, latest: u64) -> bool {
        !self
            .interns
            .has_function_of(&name(latest), self.functions_before)
    }

    /// Returns the number that the next snippet gets.
    pub(super) fn next_number(&self) -> u64 {
        let latest = self
            .names
            .latest
            .filter(|(latest, is_aside)| *is_aside == self.names.is_aside && self.is_over(*latest));
        latest
            .map(|(number, _)| number)
            .or(self.names.free[usize::from(self.names.is_aside)])
            .unwrap_or(self.next_input_id)
    }

    /// Returns the name of the next snippet, which is the latest from now on.
    pub(super) fn take_name(&mut self) -> String {
        let is_aside = self.names.is_aside;
        let free = self.names.free[usize::from(is_aside)].take();
        let number = free.unwrap_or_else(|| {
            self.next_input_id += 1;
            self.next_input_id - 1
        });
        self.names.latest = Some((number, is_aside));
        name(number)
    }

    /// Takes the name of the class of the exception that ended the latest snippet, if that is a class of a script, and the
    /// exceptions before it, the last one first.
    pub fn take_uncaught(&mut self) -> (Option<String>, Vec<PastException>) {
        let uncaught = self.heap.uncaught.take().unwrap_or_default();
        (uncaught.class, uncaught.before)
    }

    /// Gives tracebacks the lines of a script that is fed with this name; without lines, none. They are no part of a dump: a
    /// host gives them again to a session that it loaded.
    pub fn set_script_lines(&mut self, fed_name: &str, lines: Option<ScriptLines>) {
        match lines {
            Some(lines) => drop(self.heap.script_lines.insert(fed_name.to_owned(), lines)),
            None => drop(self.heap.script_lines.remove(fed_name)),
        }
    }

    /// Gives `read` the call of `print` that began last on this thread, in any session.
    pub fn last_print<R>(read: impl FnOnce(Option<&SourceRange>) -> R) -> R {
        VM::with_last_print(|last| read(last.as_ref()))
    }

    /// Forgets which call of `print` began last.
    pub fn forget_last_print() {
        VM::with_last_print(|last| *last = None);
    }

    /// Returns the global names that are bound to a value, in the order in which
    /// the session first saw them.
    pub fn bound_names(&self) -> impl Iterator<Item = &str> {
        self.global_names
            .iter()
            .filter(|(slot, _)| {
                !matches!(
                    self.globals.get(slot.index()),
                    None | Some(Value::Undefined)
                )
            })
            .map(|(_, name)| self.interns.get_str(name))
    }
}

/// Entries that the tables of a session can still take over the life of the session.
///
/// Operands of bytecode are 16 bits wide and entries are never removed. A snippet that
/// needs more than there is room for does not compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Names, attributes, keywords and text literals that are new to the session.
    pub strings: usize,
    /// Global names that are new to the session.
    pub globals: usize,
    /// Functions, lambdas, comprehensions and class bodies.
    pub functions: usize,
}

impl Room {
    fn of(interns: &Interns, globals: usize) -> Self {
        let (strings, functions) = interns.room();
        Self {
            strings,
            globals: usize::from(u16::MAX).saturating_sub(globals),
            functions,
        }
    }
}

impl MontyRepl {
    /// Returns what the tables of this session can still take.
    #[must_use]
    pub fn room(&self) -> Room {
        Room::of(&self.interns, self.global_names.len())
    }
}

impl ReplProgress {
    /// Makes builtin functions unknown to this session, suspended or not; see
    /// [`MontyRepl::disable_builtins`].
    pub fn disable_builtins(&mut self, disabled: DisabledBuiltins) {
        match self {
            Self::FunctionCall(ReplFunctionCall { snapshot, .. })
            | Self::OsCall(ReplOsCall { snapshot, .. })
            | Self::NameLookup(ReplNameLookup { snapshot, .. }) => {
                snapshot.executor.tables.global_names.disabled = disabled;
            }
            Self::ResolveFutures(ReplResolveFutures { executor, .. }) => {
                executor.tables.global_names.disabled = disabled;
            }
            Self::Complete { repl, .. } => repl.disable_builtins(disabled),
        }
    }

    /// Returns the session that the progress belongs to.
    pub fn repl_mut(&mut self) -> &mut MontyRepl {
        match self {
            Self::FunctionCall(ReplFunctionCall { snapshot, .. })
            | Self::OsCall(ReplOsCall { snapshot, .. })
            | Self::NameLookup(ReplNameLookup { snapshot, .. }) => &mut snapshot.repl,
            Self::ResolveFutures(ReplResolveFutures { repl, .. }) | Self::Complete { repl, .. } => {
                repl
            }
        }
    }
}

impl ReplFunctionCall {
    /// Returns what the tables of the session can still take.
    pub fn room(&self) -> Room {
        let tables = &self.snapshot.executor.tables;
        Room::of(&tables.interns, tables.global_names.len())
    }

    /// Answers the call with the value that the global `name` is bound to: the
    /// object itself, not a copy of it. An unbound name raises `NameError`.
    ///
    /// # Errors
    /// The errors of [`resume`](Self::resume).
    pub fn resume_with_global(
        self,
        name: &str,
        print: PrintWriter<'_>,
    ) -> Result<ReplProgress, Box<ReplStartError>> {
        let ReplSnapshot {
            mut repl,
            mut executor,
            vm_state,
        } = self.snapshot;
        repl.heap.tracker.on_turn_start();
        let (converted, vm_state) = HeapReader::with(
            &mut repl.heap,
            &mut (&mut executor, print),
            |reader, (executor, print)| {
                let mut vm = VM::restore(
                    vm_state,
                    &mut executor.tables,
                    &executor.program,
                    reader,
                    print.reborrow(),
                );
                let vm_result = vm.resume_with_global(name);
                let converted = convert_frame_exit(vm_result, &mut vm);
                let vm_state = if converted.needs_snapshot() {
                    Some(vm.snapshot())
                } else {
                    reclaim_vm_state(&mut repl.globals, &mut repl.cwd, &mut repl.random, &mut vm);
                    None
                };
                (converted, vm_state)
            },
        );
        build_repl_progress(converted, vm_state, executor, repl)
    }
}
