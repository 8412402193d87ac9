//! Native stacks of guests, used again.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::{StackCreator, StackMemory};

use super::PAGE;
use crate::reservation::{Reservation, page_error};

/// Bytes at the top of a stack whose pages stay when it is given back: most scripts need no more.
const KEPT_BYTES: usize = 128 << 10;
/// Bytes below a stack that cannot be accessed.
const GUARD_BYTES: usize = 64 << 10;

/// Stacks that wait for their next guest.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    free: Arc<Mutex<Vec<Reservation>>>,
    most_free: usize,
}

impl Stacks {
    pub(crate) fn new(pool: Option<u32>) -> Self {
        Self {
            free: Arc::default(),
            most_free: pool.map_or(super::KEPT_MEMORIES, |sessions| sessions as usize),
        }
    }
}

struct Stack {
    memory: Option<Reservation>,
    free: Arc<Mutex<Vec<Reservation>>>,
    most_free: usize,
}

#[expect(unsafe_code, reason = "the engine has no safe way to be given a stack")]
// SAFETY: a stack is a mapping of its own, writable but for the guard at its lower end.
unsafe impl StackCreator for Stacks {
    fn new_stack(
        &self,
        size: usize,
        zeroed: bool,
    ) -> Result<Box<dyn StackMemory>, wasmtime::Error> {
        let total = size.next_multiple_of(PAGE) + GUARD_BYTES;
        let found = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.pop().filter(|stack| stack.bytes() == total)
        };
        let memory = match found {
            Some(memory) => memory,
            None => {
                let memory = Reservation::new(total)?;
                memory.open(GUARD_BYTES..total)?;
                memory
            }
        };
        if zeroed {
            memory.forget(GUARD_BYTES..total)?;
        }
        Ok(Box::new(Stack {
            memory: Some(memory),
            free: Arc::clone(&self.free),
            most_free: self.most_free,
        }))
    }
}

impl Stack {
    fn memory(&self) -> &Reservation {
        match &self.memory {
            Some(memory) => memory,
            None => unreachable!("a stack has its memory until it is dropped"),
        }
    }

    /// Gives back the pages that few scripts reach.
    fn trim(memory: &Reservation) -> io::Result<()> {
        let most = memory.bytes().saturating_sub(KEPT_BYTES);
        match most > GUARD_BYTES {
            true => memory.forget(GUARD_BYTES..most),
            false => Ok(()),
        }
    }
}

#[expect(unsafe_code, reason = "the engine has no safe way to be given a stack")]
// SAFETY: as above.
unsafe impl StackMemory for Stack {
    fn top(&self) -> *mut u8 {
        let memory = self.memory();
        memory.at(memory.bytes())
    }

    fn range(&self) -> Range<usize> {
        let memory = self.memory();
        memory.at(GUARD_BYTES) as usize..memory.at(memory.bytes()) as usize
    }

    fn guard_range(&self) -> Range<*mut u8> {
        let memory = self.memory();
        memory.at(0)..memory.at(GUARD_BYTES)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else {
            return;
        };
        if let Err(error) = Self::trim(&memory) {
            return page_error("a stack cannot be used again", &error);
        }
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < self.most_free {
            free.push(memory);
        }
    }
}
