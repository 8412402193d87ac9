//! Values of components as JSON; `value.rs` says how each is written.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value as Json, json};
use wasmtime::component::{Type, Val};

use crate::conversion::Conversion;
use crate::value::{DEPTH, Misfit, is_nullable, snake};

/// A value of a component as JSON, and how much of it there may be.
pub(crate) struct Writer<'a> {
    /// Bytes of JSON that are left, roughly.
    left: u64,
    conversion: Conversion<'a>,
}

impl<'a> Writer<'a> {
    /// One that gives up after so many bytes, before they are all in memory.
    pub(crate) fn new(most: u64, conversion: Conversion<'a>) -> Self {
        Self {
            left: most,
            conversion,
        }
    }

    fn take(&mut self, bytes: usize) -> Result<(), Misfit> {
        match self.left.checked_sub(bytes as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Misfit::new(TOO_MUCH)),
        }
    }

    /// The value, which is of this type.
    pub(crate) fn json(&mut self, value: &Val, ty: &Type) -> Result<Json, Misfit> {
        self.deep(value, ty, 0)
    }

    fn deep(&mut self, value: &Val, ty: &Type, depth: usize) -> Result<Json, Misfit> {
        if depth > DEPTH {
            return Err(Misfit::new("this nests too deeply"));
        }
        self.take(1)?;
        self.conversion.count()?;
        Ok(match (value, ty) {
            (Val::Bool(value), _) => json!(value),
            (Val::S8(value), _) => json!(value),
            (Val::U8(value), _) => json!(value),
            (Val::S16(value), _) => json!(value),
            (Val::U16(value), _) => json!(value),
            (Val::S32(value), _) => json!(value),
            (Val::U32(value), _) => json!(value),
            (Val::S64(value), _) => json!(value),
            (Val::U64(value), _) => match i64::try_from(*value) {
                Ok(value) => json!(value),
                Err(_) => json!({"$int": value.to_string()}),
            },
            (Val::Float32(value), _) => written(f64::from(*value)),
            (Val::Float64(value), _) => written(*value),
            (Val::Char(value), _) => json!(value),
            (Val::String(value), _) => {
                self.take(value.len())?;
                json!(value)
            }
            (Val::List(values), Type::List(list)) if list.ty() == Type::U8 => {
                self.take(values.len())?;
                let bytes: Vec<u8> = values.iter().filter_map(byte).collect();
                json!({"$bytes": BASE64.encode(bytes)})
            }
            (Val::List(values), Type::List(list)) => {
                let inner = list.ty();
                let items = values
                    .iter()
                    .map(|value| self.deep(value, &inner, depth + 1));
                Json::Array(items.collect::<Result<_, _>>()?)
            }
            (Val::Tuple(values), Type::Tuple(tuple)) => {
                let items = values.iter().zip(tuple.types());
                let items = items.map(|(value, ty)| self.deep(value, &ty, depth + 1));
                json!({"$tuple": items.collect::<Result<Vec<_>, _>>()?})
            }
            (Val::Record(fields), Type::Record(record)) => {
                let fields = fields.iter().zip(record.fields());
                let members = fields.map(|((name, value), field)| {
                    self.take(name.len())?;
                    Ok((snake(name), self.deep(value, &field.ty, depth + 1)?))
                });
                Json::Object(members.collect::<Result<Map<_, _>, Misfit>>()?)
            }
            (Val::Enum(name) | Val::Variant(name, None), _) => {
                self.take(name.len())?;
                json!(snake(name))
            }
            (Val::Variant(name, Some(value)), Type::Variant(_)) => {
                self.take(name.len())?;
                let cases = self.conversion.members(ty);
                let case = cases.find(name).and_then(|case| case.ty.as_ref());
                json!({snake(name): self.deep(value, case.ok_or_else(unfit)?, depth + 1)?})
            }
            (Val::Option(None), _) => Json::Null,
            (Val::Option(Some(value)), Type::Option(option)) => {
                let inner = self.deep(value, &option.ty(), depth + 1)?;
                match is_nullable(&option.ty()) {
                    true => json!({"some": inner}),
                    false => inner,
                }
            }
            (Val::Result(result), Type::Result(ty)) => {
                let (name, value, ty) = match result {
                    Ok(value) => ("ok", value, ty.ok()),
                    Err(value) => ("err", value, ty.err()),
                };
                json!({name: self.payload(value.as_deref(), ty.as_ref(), depth)?})
            }
            (Val::Flags(names), _) => {
                self.take(names.iter().map(String::len).sum())?;
                names.iter().map(|name| snake(name)).collect()
            }
            _ => return Err(unfit()),
        })
    }

    /// What a case holds, if it holds anything.
    pub(crate) fn payload(
        &mut self,
        value: Option<&Val>,
        ty: Option<&Type>,
        depth: usize,
    ) -> Result<Json, Misfit> {
        match (value, ty) {
            (Some(value), Some(ty)) => self.deep(value, ty, depth + 1),
            _ => Ok(Json::Null),
        }
    }
}

/// What is told when an answer is longer than it may be.
pub(crate) const TOO_MUCH: &str = "it gave more than it may";

fn unfit() -> Misfit {
    Misfit::new("values of this type cannot be handed over")
}

fn byte(value: &Val) -> Option<u8> {
    match value {
        Val::U8(byte) => Some(*byte),
        _ => None,
    }
}

fn written(value: f64) -> Json {
    match value {
        value if value.is_nan() => json!({"$float": "nan"}),
        value if value.is_infinite() && value > 0.0 => json!({"$float": "inf"}),
        value if value.is_infinite() => json!({"$float": "-inf"}),
        value => json!(value),
    }
}
