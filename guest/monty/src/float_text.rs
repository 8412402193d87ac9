//! The text of a float: the shortest one that gives the same float, and of two that are as near the one whose last digit is even.

use std::fmt;

/// Writes a float as `repr` does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormatFloat(pub f64);

impl fmt::Display for FormatFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = monty_types::FormatFloat(self.0);
        match even(self.0) {
            Some(even) => f.write_str(&even),
            None => fmt::Display::fmt(&text, f),
        }
    }
}

/// Bits of the fraction of a float.
const FRACTION_BITS: u32 = 52;
/// Exponents of two of floats that may be in the middle of two texts: their exact value has no more than eighteen digits that count.
const EXPONENTS: std::ops::Range<i32> = 40..131;
/// The greatest number of digits that tell a float from its neighbors.
const MOST_DIGITS: usize = 17;

/// Returns the text with an even last digit where the shortest text has an odd one and the float is in the middle of both.
fn even(float: f64) -> Option<String> {
    let bits = float.to_bits();
    let biased = i32::try_from((bits >> FRACTION_BITS) & 0x7ff).ok()?;
    if !EXPONENTS.contains(&(biased - 1023)) {
        return None;
    }
    // The float is `whole` times two to the power of `exponent`, and `whole` is odd.
    let whole = bits & ((1 << FRACTION_BITS) - 1) | 1 << FRACTION_BITS;
    let zeros = whole.trailing_zeros();
    let whole = u128::from(whole >> zeros);
    let exponent = biased - 1075 + zeros.cast_signed();

    let mut text = monty_types::FormatFloat(float).to_string();
    let end = text.find('e').unwrap_or(text.len());
    let power_of_text: i32 = match text.get(end + 1..) {
        Some(power) => power.parse().ok()?,
        None => 0,
    };
    let at = text[..end].rfind(|c: char| matches!(c, '1'..='9'))?;
    let counted: String = text[..=at].chars().filter(char::is_ascii_digit).collect();
    let last = text.as_bytes()[at];
    if last % 2 == b'0' % 2 || counted.len() > MOST_DIGITS {
        return None;
    }
    // The power of ten of the last digit.
    let point = text[..end].find('.').unwrap_or(end);
    let before_point = text[..point].chars().filter(char::is_ascii_digit).count();
    let power =
        i32::try_from(before_point).ok()? - i32::try_from(counted.len()).ok()? + power_of_text;
    // Twice the float is an odd number of such powers, if it is in the middle.
    if exponent != power - 1 {
        return None;
    }
    let fives = 5u128.checked_pow(power.unsigned_abs())?;
    let doubled = match power >= 0 {
        true if whole.is_multiple_of(fives) => whole / fives,
        true => return None,
        false => whole.checked_mul(fives)?,
    };
    let digits: u128 = counted.parse().ok()?;
    let other = match doubled {
        below if below + 1 == 2 * digits => last - 1,
        above if above == 2 * digits + 1 && last != b'9' => last + 1,
        _ => return None,
    };
    text.replace_range(at..=at, char::from(other).encode_utf8(&mut [0; 4]));
    (text.parse() == Ok(float)).then_some(text)
}
