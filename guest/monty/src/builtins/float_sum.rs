//! Sums of floats without the errors of rounding each step, as in Python 3.12 and later.

use crate::value::Value;

/// The rounding error of a sum of floats so far (Neumaier's variant of Kahan's sum).
#[derive(Default)]
pub(crate) struct FloatSum {
    lost: f64,
}

impl FloatSum {
    /// Goes on with a sum from which rounding has taken `lost`.
    pub fn of(lost: &Value) -> Self {
        match lost {
            Value::Float(lost) => Self { lost: *lost },
            _ => Self::default(),
        }
    }

    /// Returns what rounding has taken so far.
    pub fn lost(&self) -> Value {
        Value::Float(self.lost)
    }

    /// Adds a number to a sum that is a float. Returns whether it did; else the sum gets what rounding has taken from it.
    pub fn take(&mut self, sum: &mut Value, item: &Value) -> bool {
        let (Value::Float(total), Some(number)) = (&*sum, float(item)) else {
            self.settle(sum);
            return false;
        };
        let added = total + number;
        self.lost += match total.abs() >= number.abs() {
            true => (total - added) + number,
            false => (number - added) + total,
        };
        *sum = Value::Float(added);
        true
    }

    /// Gives a sum what rounding has taken from it.
    pub fn settle(&mut self, sum: &mut Value) {
        let lost = std::mem::take(&mut self.lost);
        if let Value::Float(total) = sum
            && lost != 0.0
            && lost.is_finite()
        {
            *sum = Value::Float(*total + lost);
        }
    }
}

/// Returns a number that the sum takes as a float.
fn float(item: &Value) -> Option<f64> {
    match item {
        Value::Float(number) => Some(*number),
        Value::Int(number) => Some(*number as f64),
        Value::Bool(number) => Some(f64::from(u8::from(*number))),
        _ => None,
    }
}
