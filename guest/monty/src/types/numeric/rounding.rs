//! `round(x, digits)` of floats, by the exact decimal digits of the value, as in CPython.

/// Digits behind the point that no float has more of.
const MOST_DIGITS: i64 = 1074;

/// Rounds a finite value to a number of digits behind the point, or before it if that is negative; half to even.
pub(super) fn to_digits(value: f64, digits: i64) -> f64 {
    match usize::try_from(digits) {
        Ok(places) if digits < MOST_DIGITS => parsed(&format!("{value:.places$}"), value),
        Ok(_) => value,
        Err(_) => to_tens(value, digits.unsigned_abs()),
    }
}

/// Rounds to a multiple of a power of ten.
fn to_tens(value: f64, power: u64) -> f64 {
    let whole = format!("{:.0}", value.trunc().abs());
    let Some(cut) = usize::try_from(power)
        .ok()
        .and_then(|power| whole.len().checked_sub(power))
    else {
        return 0.0;
    };
    let (kept, dropped) = whole.split_at(cut);
    let half = dropped
        .strip_prefix('5')
        .map(|rest| rest.bytes().all(|digit| digit == b'0'));
    let is_odd = kept.bytes().last().is_some_and(|digit| digit % 2 == 1);
    let is_up = match (half, dropped.bytes().next()) {
        (Some(true), _) => value.fract() != 0.0 || is_odd,
        (Some(false), _) => true,
        (None, first) => first > Some(b'5'),
    };
    let mut digits: Vec<u8> = std::iter::once(b'0').chain(kept.bytes()).collect();
    if is_up {
        for digit in digits.iter_mut().rev() {
            if *digit < b'9' {
                *digit += 1;
                break;
            }
            *digit = b'0';
        }
    }
    digits.resize(digits.len() + dropped.len(), b'0');
    parsed(&String::from_utf8_lossy(&digits), value).copysign(value)
}

fn parsed(text: &str, value: f64) -> f64 {
    text.parse().unwrap_or(value)
}
