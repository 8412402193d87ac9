//! Numbers in cells.

use std::cmp::Ordering;
use std::num::IntErrorKind;

/// A number, compared without loss.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// One without a fraction, however it is written.
    Whole(i128),
    /// One with a fraction, or one that is too large for the other.
    Other(f64),
}

/// 2 to the power of 127, the first number that is too large.
const TOO_LARGE: f64 = i128::MAX as f64;

impl Number {
    fn of(float: f64) -> Self {
        if float.trunc() == float && (-TOO_LARGE..TOO_LARGE).contains(&float) {
            Self::Whole(float as i128)
        } else {
            Self::Other(float)
        }
    }

    /// The nearest number that can be summed up.
    pub(crate) fn float(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Other(float) => float,
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (*self, *other) {
            (Self::Whole(one), Self::Whole(other)) => one.cmp(&other),
            // Neither is zero nor infinite, so this is the order of numbers.
            (Self::Other(one), Self::Other(other)) => one.total_cmp(&other),
            // They differ. Rounding takes a whole one past no fraction, and up to
            // the first that is too large.
            (Self::Whole(one), Self::Other(other)) if one as f64 <= other => Ordering::Less,
            (Self::Whole(_), Self::Other(_)) => Ordering::Greater,
            (Self::Other(_), Self::Whole(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

/// The number that a cell is, if it is one. What only Rust takes for a number,
/// such as `inf`, is text.
pub(crate) fn number(cell: &str) -> Option<Number> {
    let cell = cell.trim();
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    if !digits.starts_with(|it: char| it.is_ascii_digit() || it == '.') {
        return None;
    }
    // Most are short, and telling those takes a fraction of the steps.
    match cell.parse::<i64>() {
        Ok(whole) => return Some(Number::Whole(whole.into())),
        Err(error) => {
            use IntErrorKind::{NegOverflow, PosOverflow};
            if matches!(error.kind(), PosOverflow | NegOverflow)
                && let Ok(whole) = cell.parse()
            {
                return Some(Number::Whole(whole));
            }
        }
    }
    let float = cell.parse().ok().filter(|it: &f64| it.is_finite())?;
    Some(Number::of(float))
}

/// A sum that does not lose small numbers beside large ones: Neumaier's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, number: f64) {
        let sum = self.sum + number;
        self.lost += if self.sum.abs() >= number.abs() {
            (self.sum - sum) + number
        } else {
            (number - sum) + self.sum
        };
        self.sum = sum;
    }

    pub(crate) fn get(self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_text() {
        assert_eq!(number(" -1.5e3 "), Some(Number::Whole(-1500)));
        assert_eq!(number("+.5"), Some(Number::Other(0.5)));
        for text in [
            "", "-", "inf", "nan", "1,000", "1 2", "0x10", "1e999", "12ms",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_in_order() {
        let rising = [
            "-1e300",
            "-170141183460469231731687303715884105728",
            "-9007199254740993",
            "-9007199254740992",
            "-0.5",
            "0",
            "5e-324",
            "0.1",
            "1",
            "1.5",
            "2251799813685249.5",
            "2251799813685250",
            "9007199254740992",
            "9007199254740993",
            "170141183460469231731687303715884105726",
            "170141183460469231731687303715884105727",
            "170141183460469231731687303715884105728",
            "1e300",
        ];
        let numbers = rising.map(|it| number(it).expect(it));
        for (at, one) in numbers.iter().enumerate() {
            for (other_at, other) in numbers.iter().enumerate() {
                assert_eq!(one.cmp(other), at.cmp(&other_at), "{one:?} {other:?}");
            }
        }
        for same in [["1", "01"], ["1", " +1.0"], ["0", "-0.0"], ["-0", "0e9"]] {
            assert_eq!(number(same[0]), number(same[1]));
        }
    }

    #[test]
    fn sums_lose_nothing() {
        let mut sum = Sum::default();
        [1e100, 1.0, -1e100, 0.1, 0.2]
            .iter()
            .for_each(|&it| sum.add(it));
        assert_eq!(sum.get(), 1.3);
    }
}
