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
}
