//! What rows have to fulfil.

use std::cmp::Ordering;

use crate::number::{Number, number};
use crate::table::{Filter, Test};

/// A filter, ready to be asked often.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) column: String,
    test: Test,
    value: String,
    /// The value, if it is a number.
    number: Option<Number>,
    lower: String,
}

impl Condition {
    pub(crate) fn new(filter: &Filter) -> Self {
        Self {
            column: filter.column.clone(),
            test: filter.test,
            value: filter.value.clone(),
            number: number(&filter.value),
            lower: filter.value.to_lowercase(),
        }
    }

    /// Returns whether a cell fulfils it.
    pub(crate) fn holds(&self, cell: &str) -> bool {
        // Text is neither less nor more than a number.
        let order = || match (number(cell), self.number) {
            (Some(cell), Some(value)) => Some(cell.cmp(&value)),
            (None, Some(_)) => None,
            (_, None) => Some(cell.cmp(&self.value)),
        };
        match self.test {
            Test::Equals => order() == Some(Ordering::Equal),
            Test::Differs => order() != Some(Ordering::Equal),
            Test::Less => order() == Some(Ordering::Less),
            Test::AtMost => order().is_some_and(Ordering::is_le),
            Test::More => order() == Some(Ordering::Greater),
            Test::AtLeast => order().is_some_and(Ordering::is_ge),
            Test::Contains => cell.to_lowercase().contains(&self.lower),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_compared_as_what_they_are() {
        for (cell, test, value, holds) in [
            ("1.0", Test::Equals, "1", true),
            ("1.0", Test::Differs, "1", false),
            ("01", Test::Equals, "1", true),
            ("-0.0", Test::Equals, "0", true),
            ("0", Test::More, "-0.0", false),
            ("9007199254740993", Test::Equals, "9007199254740992", false),
            ("9007199254740993", Test::More, "9007199254740992", true),
            ("10", Test::More, "9", true),
            ("10", Test::AtMost, "9", false),
            ("a10", Test::Less, "a9", true),
            ("b", Test::AtLeast, "b", true),
            ("", Test::Equals, "", true),
            ("x", Test::AtLeast, "1", false),
            ("", Test::Less, "1", false),
            ("x", Test::Differs, "1", true),
            ("10", Test::Less, "a", true),
            ("Out of Memory", Test::Contains, "of mem", true),
        ] {
            let column = String::new();
            let value = value.to_owned();
            let condition = Condition::new(&Filter {
                column,
                test,
                value,
            });
            assert_eq!(condition.holds(cell), holds, "{cell} {condition:?}");
        }
    }
}
