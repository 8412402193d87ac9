//! Durations of numbers that are no whole ones, as CPython computes them.

use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use super::{
    DAY_MICROSECONDS, HOUR_MICROSECONDS, MICROSECONDS_PER_SECOND, MILLISECONDS_PER_SECOND,
    MINUTE_MICROSECONDS, from_total_microseconds,
};
use crate::{
    args::{FromValue, FromValueFail, is_long_int},
    bytecode::VM,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult, SimpleException},
    heap::{Heap, HeapData},
    value::Value,
};

/// One component of `timedelta(...)`.
///
/// A whole one is held as `i128`, so that normalising it to microseconds cannot wrap. One above 64 bits
/// raises the error of CPython, which converts each component through a C int.
#[derive(Clone, Copy)]
pub(super) enum Component {
    Whole(i128),
    Fraction(f64),
}

impl Default for Component {
    fn default() -> Self {
        Self::Whole(0)
    }
}

impl FromValue for Component {
    const EXPECTED_TYPE_NAME: Option<&'static str> = Some("int");

    fn from_value(value: Value, vm: &mut VM<'_>) -> Result<Self, FromValueFail> {
        let result = match value {
            Value::Bool(b) => Ok(Self::Whole(i128::from(b))),
            Value::Int(i) => Ok(Self::Whole(i128::from(i))),
            Value::Float(number) => Ok(Self::Fraction(number)),
            _ if is_long_int(&value, vm) => Err(FromValueFail::Raise(ExcType::overflow_c_int())),
            _ => Err(FromValueFail::WrongType),
        };
        value.drop_with(vm);
        result
    }

    fn type_error(got: &str) -> RunError {
        ExcType::type_error(format!("unsupported type for timedelta component: {got}"))
    }
}

/// Microseconds of a millisecond, second, minute, hour, day and week, behind those of a microsecond.
const UNITS: [i128; 7] = [
    1,
    MILLISECONDS_PER_SECOND,
    MICROSECONDS_PER_SECOND,
    MINUTE_MICROSECONDS,
    HOUR_MICROSECONDS,
    DAY_MICROSECONDS,
    7 * DAY_MICROSECONDS,
];

/// Returns the microseconds of components, which are in the order of [`UNITS`].
///
/// Adds up the fractions below a microsecond, and rounds them once, to the nearest even sum.
pub(super) fn total(components: [Component; 7]) -> RunResult<i128> {
    let overflow = || {
        SimpleException::new_msg(
            ExcType::OverflowError,
            "timedelta argument overflow while normalizing",
        )
    };
    let (mut sum, mut left) = (0_i128, 0_f64);
    for (component, unit) in components.into_iter().zip(UNITS) {
        let whole = match component {
            Component::Whole(number) => number,
            Component::Fraction(number) => {
                let whole = whole_part(number)?;
                let rest = number.fract() * unit as f64;
                left += rest.fract();
                sum = sum.checked_add(whole_part(rest)?).ok_or_else(overflow)?;
                whole
            }
        };
        let microseconds = whole.checked_mul(unit).ok_or_else(overflow)?;
        sum = sum.checked_add(microseconds).ok_or_else(overflow)?;
    }
    let mut rounded = left.round();
    if (rounded - left).abs() == 0.5 {
        let odd = (sum & 1) as f64;
        rounded = 2.0 * ((left + odd) * 0.5).round() - odd;
    }
    sum.checked_add(rounded as i128)
        .ok_or_else(|| overflow().into())
}

/// Returns what stands before the point.
fn whole_part(number: f64) -> RunResult<i128> {
    if number.is_nan() {
        return Err(SimpleException::new_msg(
            ExcType::ValueError,
            "cannot convert float NaN to integer",
        )
        .into());
    }
    if number.is_infinite() {
        let message = "cannot convert float infinity to integer";
        return Err(SimpleException::new_msg(ExcType::OverflowError, message).into());
    }
    if number.abs() >= 9.3e18 {
        return Err(ExcType::overflow_c_int());
    }
    Ok(number.trunc() as i128)
}

/// Returns a duration multiplied with a float, or divided by it, rounded to the nearest even microsecond.
pub(super) fn scaled(microseconds: i128, by: f64, divides: bool, heap: &Heap) -> RunResult<Value> {
    let (number, denominator) = ratio(by)?;
    let (number, denominator) = if divides {
        (denominator, number)
    } else {
        (number, denominator)
    };
    if denominator.is_zero() {
        return Err(ExcType::zero_division().into());
    }
    let product = BigInt::from(microseconds) * number;
    let is_negative = product.is_negative() != denominator.is_negative();
    let (product, denominator) = (product.abs(), denominator.abs());
    let (quotient, rest) = (&product / &denominator, &product % &denominator);
    let is_up = match (rest * 2_u8).cmp(&denominator) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => quotient.bit(0),
    };
    let rounded = if is_up { quotient + 1 } else { quotient };
    let rounded = if is_negative { -rounded } else { rounded };
    let microseconds = rounded.to_i128().ok_or_else(ExcType::overflow_c_int)?;
    let delta = from_total_microseconds(microseconds)?;
    Ok(Value::Ref(heap.allocate(HeapData::TimeDelta(delta))))
}

/// Returns a float as a ratio of whole numbers.
fn ratio(number: f64) -> RunResult<(BigInt, BigInt)> {
    if number.is_nan() {
        return Err(SimpleException::new_msg(
            ExcType::ValueError,
            "cannot convert NaN to integer ratio",
        )
        .into());
    }
    if number.is_infinite() {
        let message = "cannot convert Infinity to integer ratio";
        return Err(SimpleException::new_msg(ExcType::OverflowError, message).into());
    }
    let bits = number.to_bits();
    let exponent = i64::from((bits >> 52) as u16 & 0x7ff);
    let fraction = bits & ((1 << 52) - 1);
    // Numbers near zero have no leading one.
    let mantissa = if exponent == 0 {
        fraction << 1
    } else {
        fraction | (1 << 52)
    };
    let mantissa = BigInt::from(mantissa);
    let mantissa = if number.is_sign_negative() {
        -mantissa
    } else {
        mantissa
    };
    let power = exponent - 1075;
    let shift = BigInt::from(1) << power.unsigned_abs();
    Ok(if power >= 0 {
        (mantissa * shift, BigInt::from(1))
    } else {
        (mantissa, shift)
    })
}
