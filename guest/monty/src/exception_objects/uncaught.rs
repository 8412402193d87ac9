//! The exception that ended a feed, and the exceptions before it.

use super::{PastFrame, fields, text, text_for_host, traceback};
use crate::{
    bytecode::VM,
    exception_private::{RunError, RunResult},
    heap::{DropWithContext as _, HeapData, HeapId},
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
    /// Its frames, outermost first.
    pub frames: Vec<PastFrame>,
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
        // References, since a class of a script may drop the exception whose text it gives.
        let mut held = Vec::new();
        let texts = Self::collect(id, &mut uncaught.before, &mut held, vm);
        held.drop_with(vm);
        texts.map(|()| uncaught)
    }

    fn collect(
        id: HeapId,
        found: &mut Vec<PastException>,
        held: &mut Vec<Value>,
        vm: &mut VM<'_>,
    ) -> RunResult<()> {
        let mut latest = id;
        while found.len() < MOST
            && let Some((exception, is_cause)) = before(latest, vm)
        {
            let past = exception.ref_id();
            let is_new = past.is_some_and(|past| {
                past != id && !held.iter().any(|one: &Value| one.ref_id() == Some(past))
            });
            held.push(exception);
            let (Some(past), true, Some(exception)) = (past, is_new, held.last()) else {
                break;
            };
            let text = match text_for_host(exception, past, vm) {
                Ok(text) => text.unwrap_or_default(),
                Err(RunError::Exc(_)) => String::from("<exception str() failed>"),
                Err(error) => return Err(error),
            };
            let kind = text::name(past, vm);
            let places = vm.traceback_of(past).unwrap_or_default();
            let frames = traceback::for_host(&places, vm.interns);
            found.push(PastException {
                kind,
                text,
                frames,
                is_cause,
            });
            latest = past;
        }
        Ok(())
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
