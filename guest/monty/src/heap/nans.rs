//! Floats that are no numbers, which are equal to themselves in a container and to no other one.

use super::Heap;

impl Heap {
    /// Returns `float`, as a value with an identity of its own if it is no number. There are 2^51 of these.
    pub(crate) fn with_identity(&mut self, float: f64) -> f64 {
        const LARGEST: u64 = (1 << 51) - 1;
        if !float.is_nan() {
            return float;
        }
        self.nans = self.nans.wrapping_add(1);
        f64::from_bits(f64::NAN.to_bits() | (self.nans & LARGEST)).copysign(float)
    }
}
