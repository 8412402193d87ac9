//! A function from JSON to JSON.

use std::fmt::Display;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Calls `function` with what `input` says, and says what it gave.
pub fn run<I, O, E>(function: impl FnOnce(I) -> Result<O, E>, input: &str) -> Result<String, String>
where
    I: DeserializeOwned,
    O: Serialize,
    E: Display,
{
    let input =
        serde_json::from_str(input).map_err(|error| format!("the input does not fit: {error}"))?;
    let output = function(input).map_err(|error| format!("{error:#}"))?;
    serde_json::to_string(&output).map_err(|error| format!("the output is no JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(number: u32) -> Result<u32, String> {
        if number.is_multiple_of(2) {
            Ok(number / 2)
        } else {
            Err(format!("{number} is odd"))
        }
    }

    #[test]
    fn json_goes_in_and_out() {
        assert_eq!(run(half, " 4 "), Ok("2".to_owned()));
        assert_eq!(run(half, "3"), Err("3 is odd".to_owned()));
        let refused = run(half, "\"x\"").expect_err("no number");
        assert!(refused.starts_with("the input does not fit: invalid type"));
    }

    #[test]
    fn numbers_keep_their_last_digit() {
        // Numbers that look random, and are the same each time.
        let mut state = 1_u64;
        for _ in 0..10_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Of any size below two.
            let number = f64::from_bits(state >> 2);
            let text = serde_json::to_string(&number).expect("a number");
            let same = |it: f64| Ok::<_, String>(it.to_bits());
            assert_eq!(run(same, &text), Ok(number.to_bits().to_string()), "{text}");
        }
    }
}
