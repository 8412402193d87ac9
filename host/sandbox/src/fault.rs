//! Faults that tests inject, where real ones cannot be had on demand.

/// Trouble to make in a session. All off by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Faults {
    /// Trap in the import that would get this ticket.
    pub trap_at_ticket: Option<u64>,
    /// Trap at the first read of the clock after an exec has used this much fuel.
    pub trap_at_fuel: Option<u64>,
    /// Refuse linear memory beyond this many bytes, as if the machine had no more.
    pub refuse_memory_at_bytes: Option<u64>,
    /// Trap in this many of the next dumps.
    pub trap_in_dumps: u32,
    /// Trap in this many of the next loads.
    pub trap_in_loads: u32,
}

/// Fuel for a dump or a load of nothing at all.
const UPKEEP_FUEL: u64 = 2_000_000_000;
/// Fuel for each byte of the memory that is written. The interpreter takes 7.
const DUMP_FUEL_FOR_A_BYTE: u64 = 100;
/// Fuel for each byte of a state that is loaded. The interpreter takes 150 where many
/// small lists stand in it.
const LOAD_FUEL_FOR_A_BYTE: u64 = 1000;
/// Not enough for either.
const TOO_LITTLE_FUEL: u64 = 10_000;

impl Faults {
    /// Fuel for the dump at hand, of a memory of so many bytes.
    pub(crate) fn next_dump_fuel(&mut self, bytes: u64) -> u64 {
        let fuel = bytes.saturating_mul(DUMP_FUEL_FOR_A_BYTE);
        Self::next(&mut self.trap_in_dumps, fuel)
    }

    /// Fuel for the load at hand, of a state of so many bytes.
    pub(crate) fn next_load_fuel(&mut self, bytes: u64) -> u64 {
        let fuel = bytes.saturating_mul(LOAD_FUEL_FOR_A_BYTE);
        Self::next(&mut self.trap_in_loads, fuel)
    }

    fn next(traps: &mut u32, fuel: u64) -> u64 {
        match traps.checked_sub(1) {
            Some(left) => {
                *traps = left;
                TOO_LITTLE_FUEL
            }
            None => UPKEEP_FUEL.saturating_add(fuel),
        }
    }
}
