//! Linear memories that the system moves when they grow, so that no part of them is there twice: for processes whose address
//! space is bounded by what their sessions may take.

use std::io;

use wasmtime::{LinearMemory, MemoryCreator, MemoryType};

use crate::reservation::Reservation;
use crate::unmapped::PAGE;

/// Bytes of address space that a memory reserves ahead. Each time they are used up it is moved, which takes some 10 ns for
/// each of its pages.
const AHEAD_BYTES: usize = 8 << 20;

/// Makes memories that move when they grow.
#[derive(Debug)]
pub(crate) struct Creator;

/// A linear memory, and behind it what it may grow into and a guard.
#[derive(Debug)]
struct Memory {
    reservation: Reservation,
    size: usize,
    guard: usize,
}

impl Memory {
    fn new(minimum: usize, guard: usize) -> io::Result<Self> {
        let reservation = Reservation::new(with_room(minimum, guard)?)?;
        reservation.open(0..minimum)?;
        Ok(Self {
            reservation,
            size: minimum,
            guard,
        })
    }

    fn grow(&mut self, size: usize) -> io::Result<()> {
        if size > self.capacity() {
            let bytes = with_room(size, self.guard)?;
            match self.size {
                0 => self.reservation = Reservation::new(bytes)?,
                kept => self.reservation.enlarge(kept, bytes)?,
            }
        }
        self.reservation.open(self.size..size)?;
        self.size = size;
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.reservation.bytes() - self.guard
    }
}

/// Returns the bytes that are reserved for a memory of so many.
fn with_room(size: usize, guard: usize) -> io::Result<usize> {
    let sum = size
        .checked_next_multiple_of(PAGE)
        .and_then(|size| size.checked_add(AHEAD_BYTES)?.checked_add(guard));
    sum.ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

#[expect(
    unsafe_code,
    reason = "the engine has no safe way to be given a memory"
)]
// SAFETY: `byte_size` bytes from `as_ptr` on can be read and written, the rest of the reservation, with the guard at its end,
// cannot be accessed. The engine, whose configuration says that memories may move, asks for the address after each growth.
unsafe impl LinearMemory for Memory {
    fn byte_size(&self) -> usize {
        self.size
    }

    fn byte_capacity(&self) -> usize {
        self.capacity()
    }

    fn grow_to(&mut self, new_size: usize) -> wasmtime::Result<()> {
        Ok(self.grow(new_size)?)
    }

    fn as_ptr(&self) -> *mut u8 {
        self.reservation.at(0)
    }
}

#[expect(
    unsafe_code,
    reason = "the engine has no safe way to be given a memory"
)]
// SAFETY: a memory holds zeros, and has the guard that is asked for behind all that it may grow into.
unsafe impl MemoryCreator for Creator {
    fn new_memory(
        &self,
        _ty: MemoryType,
        minimum: usize,
        _maximum: Option<usize>,
        _reserved_size_in_bytes: Option<usize>,
        guard_size_in_bytes: usize,
    ) -> Result<Box<dyn LinearMemory>, String> {
        let memory = Memory::new(minimum, guard_size_in_bytes);
        Ok(Box::new(memory.map_err(|error| error.to_string())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARD: usize = 64 << 10;

    fn bytes(memory: &mut Memory) -> &mut [u8] {
        #[expect(unsafe_code, reason = "the memory is behind a pointer")]
        // SAFETY: so many bytes can be read and written, and the memory is borrowed meanwhile.
        unsafe {
            std::slice::from_raw_parts_mut(memory.as_ptr(), memory.byte_size())
        }
    }

    #[test]
    fn a_memory_that_grows_keeps_what_it_holds_and_is_zero_behind() {
        let mut memory = Memory::new(4 * PAGE, GUARD).expect("made");
        let mut size = memory.byte_size();
        bytes(&mut memory).fill(1);
        for (number, more) in [PAGE, AHEAD_BYTES, 3 * AHEAD_BYTES, PAGE]
            .into_iter()
            .enumerate()
        {
            let before = size;
            size += more;
            memory.grow(size).expect("grown");
            let all = bytes(&mut memory);
            assert_eq!(all.len(), size);
            assert_eq!(all[before - 1], number as u8 + 1);
            assert!(all[before..].iter().all(|byte| *byte == 0));
            all[before..].fill(number as u8 + 2);
            assert!(memory.capacity() >= size);
        }
        assert!(bytes(&mut memory)[..4 * PAGE].iter().all(|byte| *byte == 1));
    }

    #[test]
    fn a_memory_begins_empty_and_grows() {
        let mut memory = Memory::new(0, GUARD).expect("made");
        memory.grow(2 * AHEAD_BYTES).expect("grown");
        bytes(&mut memory).fill(7);
        memory.grow(4 * AHEAD_BYTES).expect("grown");
        assert_eq!(bytes(&mut memory)[2 * AHEAD_BYTES - 1], 7);
    }
}
