//! `int` and `float`.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};
use smallvec::smallvec;

use super::arguments::bind;
use crate::{
    args::ArgValues,
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt as _, RunResult, SimpleException},
    heap::HeapData,
    resource_checks::check_estimated_size,
    types::{
        PyTrait as _, allocate_tuple,
        bytes::allocate_bytes,
        iter::collect_owned_iterable,
        long_int::{LongInt, bigint_true_divide},
        str::allocate_string,
    },
    value::Value,
};

pub(super) const OF_INT: &[&str] = &[
    "as_integer_ratio",
    "bit_count",
    "bit_length",
    "conjugate",
    "from_bytes",
    "is_integer",
    "to_bytes",
];
pub(super) const OF_FLOAT: &[&str] = &[
    "as_integer_ratio",
    "conjugate",
    "fromhex",
    "hex",
    "is_integer",
];

/// Returns `real`, `imag`, `numerator` or `denominator`.
pub(super) fn attribute(receiver: &Value, name: &str, vm: &VM<'_>) -> Option<Value> {
    if let Value::Float(float) = receiver {
        return match name {
            "real" => Some(Value::Float(*float)),
            "imag" => Some(Value::Float(0.0)),
            _ => None,
        };
    }
    match name {
        "real" | "numerator" => plain(receiver, vm),
        "imag" => plain(receiver, vm).map(|_| Value::Int(0)),
        "denominator" => plain(receiver, vm).map(|_| Value::Int(1)),
        _ => None,
    }
}

/// Returns a whole number that is no `bool`.
fn plain(receiver: &Value, vm: &VM<'_>) -> Option<Value> {
    match receiver {
        Value::Bool(bool) => Some(Value::Int(i64::from(*bool))),
        Value::Int(_) | Value::InternLongInt(_) => Some(receiver.clone_with_heap(vm.heap)),
        Value::Ref(id) if matches!(vm.heap.get(*id), HeapData::LongInt(_)) => {
            Some(receiver.clone_with_heap(vm.heap))
        }
        _ => None,
    }
}

fn big(value: &Value, vm: &VM<'_>) -> Option<BigInt> {
    match value {
        Value::Bool(bool) => Some(BigInt::from(i64::from(*bool))),
        Value::Int(int) => Some(BigInt::from(*int)),
        Value::InternLongInt(id) => Some(vm.interns.get_long_int(*id).clone()),
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::LongInt(int) => Some(int.inner().clone()),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn call_of_int(
    receiver: &Value,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    Ok(match name {
        "bit_length" => no_arguments("int.bit_length", args, vm, |vm| {
            Ok(match receiver {
                Value::Int(int) => Value::Int(i64::from(64 - int.unsigned_abs().leading_zeros())),
                _ => count(big(receiver, vm).map_or(0, |int| int.bits())),
            })
        }),
        "bit_count" => no_arguments("int.bit_count", args, vm, |vm| {
            let int = big(receiver, vm).unwrap_or_default();
            let ones = int
                .magnitude()
                .iter_u64_digits()
                .map(|digit| u64::from(digit.count_ones()));
            Ok(count(ones.sum()))
        }),
        "conjugate" => no_arguments("int.conjugate", args, vm, |vm| {
            Ok(plain(receiver, vm).unwrap_or(Value::Int(0)))
        }),
        "is_integer" => no_arguments("int.is_integer", args, vm, |_| Ok(Value::Bool(true))),
        "as_integer_ratio" => no_arguments("int.as_integer_ratio", args, vm, |vm| {
            let int = plain(receiver, vm).unwrap_or(Value::Int(0));
            Ok(allocate_tuple(smallvec![int, Value::Int(1)], vm.heap))
        }),
        "to_bytes" => to_bytes(receiver, args, vm),
        "from_bytes" => from_bytes(args, vm),
        _ => return Err(args),
    })
}

pub(super) fn call_of_float(
    receiver: &Value,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    let Value::Float(float) = *receiver else {
        return Err(args);
    };
    Ok(match name {
        "is_integer" => no_arguments("float.is_integer", args, vm, |_| {
            Ok(Value::Bool(float.is_finite() && float.fract() == 0.0))
        }),
        "conjugate" => no_arguments("float.conjugate", args, vm, |_| Ok(Value::Float(float))),
        "hex" => no_arguments("float.hex", args, vm, |vm| {
            Ok(allocate_string(hex(float), vm.heap))
        }),
        "as_integer_ratio" => no_arguments("float.as_integer_ratio", args, vm, |vm| {
            let (numerator, denominator) = ratio(float)?;
            let parts = smallvec![
                LongInt::new(numerator).into_value(vm.heap),
                LongInt::new(denominator).into_value(vm.heap)
            ];
            Ok(allocate_tuple(parts, vm.heap))
        }),
        "fromhex" => from_hex(args, vm),
        _ => return Err(args),
    })
}

fn no_arguments<'h>(
    method: &str,
    args: ArgValues,
    vm: &mut VM<'h>,
    result: impl FnOnce(&mut VM<'h>) -> RunResult<Value>,
) -> RunResult<Value> {
    args.check_zero_args(method, vm.heap)?;
    result(vm)
}

fn count(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The two orders of bytes.
enum Order {
    Big,
    Little,
}

impl Order {
    fn read(value: Option<&Value>, vm: &VM<'_>) -> RunResult<Self> {
        match value.map(|value| value.to_str(vm)).transpose() {
            Ok(None | Some("big")) => Ok(Self::Big),
            Ok(Some("little")) => Ok(Self::Little),
            Ok(Some(_)) => Err(ExcType::value_error(
                "byteorder must be either 'little' or 'big'",
            )),
            Err(error) => Err(error),
        }
    }
}

fn overflow(message: &str) -> crate::exception_private::RunError {
    SimpleException::new_msg(ExcType::OverflowError, message).into()
}

/// `int.to_bytes(length=1, byteorder='big', *, signed=False)`
fn to_bytes(receiver: &Value, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let given = bind("to_bytes", args, &["length", "byteorder", "signed"], 2, vm)?;
    defer_drop!(given, vm);
    let length = match &given[0] {
        Some(length) => length.as_int(vm)?,
        None => 1,
    };
    let Ok(length) = usize::try_from(length) else {
        return Err(ExcType::value_error("length argument must be non-negative"));
    };
    let order = Order::read(given[1].as_ref(), vm)?;
    let is_signed = match &given[2] {
        Some(signed) => signed.py_bool(vm)?,
        None => false,
    };
    let int = big(receiver, vm).unwrap_or_default();
    if int.is_negative() && !is_signed {
        return Err(overflow("can't convert negative int to unsigned"));
    }
    check_estimated_size(length, &vm.heap.tracker)?;
    let mut bytes = match is_signed {
        true => int.to_signed_bytes_le(),
        false => int.magnitude().to_bytes_le(),
    };
    if int.is_zero() {
        bytes.clear();
    }
    if bytes.len() > length {
        return Err(overflow("int too big to convert"));
    }
    bytes.resize(length, if int.is_negative() { 0xff } else { 0 });
    if matches!(order, Order::Big) {
        bytes.reverse();
    }
    Ok(allocate_bytes(bytes, vm.heap))
}

/// `int.from_bytes(bytes, byteorder='big', *, signed=False)`
pub(super) fn from_bytes(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let given = bind("from_bytes", args, &["bytes", "byteorder", "signed"], 2, vm)?;
    defer_drop!(given, vm);
    let Some(source) = &given[0] else {
        return Err(ExcType::type_error(
            "from_bytes() missing required argument 'bytes' (pos 1)",
        ));
    };
    if source.to_str(vm).is_ok() {
        return Err(ExcType::type_error("cannot convert 'str' object to bytes"));
    }
    let order = Order::read(given[1].as_ref(), vm)?;
    let is_signed = match &given[2] {
        Some(signed) => signed.py_bool(vm)?,
        None => false,
    };
    let items = collect_owned_iterable::<Vec<Value>>(source.clone_with_heap(vm.heap), vm)?;
    defer_drop!(items, vm);
    let mut bytes = Vec::with_capacity(items.len());
    for item in items {
        let byte = u8::try_from(item.as_int(vm)?);
        bytes.push(byte.map_err(|_| ExcType::value_error("bytes must be in range(0, 256)"))?);
    }
    if matches!(order, Order::Big) {
        bytes.reverse();
    }
    let int = match is_signed {
        true => BigInt::from_signed_bytes_le(&bytes),
        false => BigInt::from_bytes_le(Sign::Plus, &bytes),
    };
    Ok(LongInt::new(int).into_value(vm.heap))
}

/// Bits of the fraction of a float.
const FRACTION_BITS: u32 = 52;

/// Returns the whole number and the exponent of two that a finite float is made of.
fn parts(float: f64) -> (u64, i64) {
    let bits = float.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    match (bits >> FRACTION_BITS) & 0x7ff {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << FRACTION_BITS, exponent.cast_signed() - 1075),
    }
}

fn ratio(float: f64) -> RunResult<(BigInt, BigInt)> {
    if float.is_nan() {
        return Err(ExcType::value_error("cannot convert NaN to integer ratio"));
    }
    if float.is_infinite() {
        return Err(overflow("cannot convert Infinity to integer ratio"));
    }
    let (mut whole, mut exponent) = parts(float);
    if whole == 0 {
        return Ok((BigInt::ZERO, BigInt::from(1)));
    }
    let zeros = i64::from(whole.trailing_zeros()).min((-exponent).max(0));
    whole >>= zeros;
    exponent += zeros;
    let shift = exponent.unsigned_abs();
    let (numerator, denominator) = match exponent >= 0 {
        true => (BigInt::from(whole) << shift, BigInt::from(1)),
        false => (BigInt::from(whole), BigInt::from(1) << shift),
    };
    Ok(match float.is_sign_negative() {
        true => (-numerator, denominator),
        false => (numerator, denominator),
    })
}

fn hex(float: f64) -> String {
    if float.is_nan() {
        return String::from("nan");
    }
    let sign = if float.is_sign_negative() { "-" } else { "" };
    if float.is_infinite() {
        return format!("{sign}inf");
    }
    if float == 0.0 {
        return format!("{sign}0x0.0p+0");
    }
    let (whole, exponent) = parts(float);
    let fraction = whole & ((1 << FRACTION_BITS) - 1);
    let first = whole >> FRACTION_BITS;
    format!(
        "{sign}0x{first}.{fraction:013x}p{:+}",
        exponent + i64::from(FRACTION_BITS)
    )
}

/// `float.fromhex(string)`
pub(super) fn from_hex(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let text = args.get_one_arg("float.fromhex", vm.heap)?;
    defer_drop!(text, vm);
    let text = text.to_str(vm)?;
    let invalid = || ExcType::value_error("invalid hexadecimal floating-point string");
    let trimmed = text.trim().to_ascii_lowercase();
    let (is_negative, rest) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(&trimmed)),
    };
    let signed = |float: f64| Value::Float(if is_negative { -float } else { float });
    match rest {
        "inf" | "infinity" => return Ok(signed(f64::INFINITY)),
        "nan" => return Ok(signed(f64::NAN)),
        _ => {}
    }
    let rest = rest.strip_prefix("0x").unwrap_or(rest);
    let (digits, exponent) = match rest.split_once('p') {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().map_err(|_| invalid())?),
        None => (rest, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = [whole, fraction].concat();
    let is_hex = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if all.is_empty() || !is_hex(&all) {
        return Err(invalid());
    }
    let number = BigInt::parse_bytes(all.as_bytes(), 16).ok_or_else(invalid)?;
    if number.is_zero() {
        return Ok(signed(0.0));
    }
    let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let exponent = exponent.saturating_sub(places.saturating_mul(4));
    let size = exponent.saturating_add_unsigned(number.bits());
    let too_large = || overflow("hexadecimal value too large to represent as a float");
    if size > 1024 {
        return Err(too_large());
    }
    if size < -1080 {
        return Ok(signed(0.0));
    }
    let shift = exponent.unsigned_abs();
    let float = match exponent >= 0 {
        true => (number << shift).to_f64().unwrap_or(f64::INFINITY),
        false => bigint_true_divide(&number, &(BigInt::from(1) << shift), &vm.heap.tracker)?,
    };
    match float.is_finite() {
        true => Ok(signed(float)),
        false => Err(too_large()),
    }
}
