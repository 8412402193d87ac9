//! What is kept of an exception that no script caught.

use super::{argument, fields, has_own_text, text, text_for_host};
use crate::{
    bytecode::VM,
    exception_private::{RunError, RunResult},
    heap::{HeapData, HeapId},
    types::instance::class_name,
    value::Value,
};

/// Exceptions that are kept, at most, of those that came before.
const MOST: usize = 8;

/// An exception that no script caught.
#[derive(Debug, Default)]
pub(crate) struct Uncaught {
    /// The name of its class, if that is one of a script.
    pub(crate) class: Option<String>,
    /// The exceptions before it, the last one first.
    pub(crate) before: Vec<PastException>,
}

/// An exception before another one: its cause, or its context.
#[derive(Debug)]
pub struct PastException {
    /// The name of its class.
    pub kind: String,
    pub text: String,
    /// True if `raise … from` named it, or a function of the interpreter did.
    pub is_cause: bool,
}

impl Uncaught {
    /// Looks at an exception. Its text and those of the ones before it may ask classes of a script.
    pub(crate) fn of(id: HeapId, vm: &mut VM<'_>) -> RunResult<Self> {
        let class = match vm.heap.get(id) {
            HeapData::Instance(instance) => {
                Some(class_name(instance.class(), vm.heap, vm.interns).into_owned())
            }
            _ => None,
        };
        let mut uncaught = Self {
            class,
            before: Vec::new(),
        };
        let mut seen = vec![id];
        let mut latest = id;
        while uncaught.before.len() < MOST
            && let Some((exception, is_cause)) = before(latest, vm)
        {
            crate::defer_drop!(exception, vm);
            let Some(past) = exception.ref_id() else {
                break;
            };
            if seen.contains(&past) {
                break;
            }
            let text = match has_own_text(past, vm) {
                true => text_for_host(exception, past, vm),
                false => Ok(argument(past, vm)),
            };
            let text = match text {
                Ok(text) => text.unwrap_or_default(),
                Err(RunError::Exc(_)) => String::from("<exception str() failed>"),
                Err(error) => return Err(error),
            };
            let kind = text::name(past, vm);
            uncaught.before.push(PastException {
                kind,
                text,
                is_cause,
            });
            seen.push(past);
            latest = past;
        }
        Ok(uncaught)
    }
}

/// Returns the exception before another one, and whether it is its cause.
fn before(id: HeapId, vm: &VM<'_>) -> Option<(Value, bool)> {
    let fields = fields(id, vm)?;
    let is_exception = |value: &&Value| value.ref_id().is_some();
    let (value, is_cause) = match fields.cause.as_ref().filter(is_exception) {
        Some(cause) => (cause, true),
        None if fields.suppresses_context => return None,
        None => (fields.context.as_ref().filter(is_exception)?, false),
    };
    Some((value.clone_with_heap(vm.heap), is_cause))
}
