//! Values of components as JSON, and back.
//!
//! What JSON lacks is tagged as in `wit/types.wit`, so that Python sees bytes as
//! bytes and tuples as tuples. A record is an object, an enum and a case without
//! a payload its name, a case with one an object with that one member, flags a
//! list of names, an option the value or null. Names are written as Python
//! writes them, with underscores; with hyphens they are understood, too.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rlm_sandbox::{PluginMemory, is_identifier};
use serde_json::Value as Json;
use wasmtime::component::{Type, Val};

use crate::conversion::{Conversion, Members};

/// The deepest value that is converted either way.
pub(crate) const DEPTH: usize = 64;

/// Bytes of the fields that the values of one call may leave out, all together. They take memory, but
/// are no part of the JSON, which has a cap.
const OMITTED_BYTES: usize = 16 << 20;
/// Bytes that the values of a call take from the memory of all plugins at a time. The first ones are not
/// counted: few calls run at once.
const MEMORY_BYTES: usize = 1 << 20;

/// Why a value does not fit, and where in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// The class of the exception.
    kind: &'static str,
    /// From the outside in.
    path: Vec<String>,
    why: String,
}

impl Misfit {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self::of_kind("TypeError", why)
    }

    fn of_kind(kind: &'static str, why: impl Into<String>) -> Self {
        Self {
            kind,
            path: Vec::new(),
            why: why.into(),
        }
    }

    /// The class of the exception that an argument raises.
    pub(crate) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.path.insert(0, place.into());
        self
    }
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let [first, rest @ ..] = &self.path[..] {
            f.write_str(first)?;
            rest.iter().try_for_each(|place| {
                let dot = if place.starts_with('[') { "" } else { "." };
                write!(f, "{dot}{place}")
            })?;
            f.write_str(": ")?;
        }
        f.write_str(&self.why)
    }
}

/// A name as Python writes it.
pub(crate) fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// A name of a function or parameter as Python writes it: one that Python has for
/// itself gets an underscore.
pub(crate) fn python(name: &str) -> String {
    let name = snake(name);
    match is_identifier(&name) {
        true => name,
        false => name + "_",
    }
}

/// Returns whether `given` means the name `known` of a component.
pub(crate) fn means(given: &str, known: &str) -> bool {
    let same = |a: u8, b: u8| a == b || (a == b'_' && b == b'-');
    given.len() == known.len() && given.bytes().zip(known.bytes()).all(|(a, b)| same(a, b))
}

/// A reader of JSON that stands for values of components. A value may take forty times as much memory
/// as its JSON, which counts in the memory of the instances of plugins.
pub(crate) struct Reader<'a> {
    conversion: Conversion<'a>,
    memory: PluginMemory,
    /// Bytes that no value has taken yet.
    room: usize,
    /// Bytes of fields that may still be left out.
    omitted: usize,
}

impl<'a> Reader<'a> {
    /// A reader whose values count in `memory`, which has nothing on it.
    pub(crate) fn new(conversion: Conversion<'a>, memory: PluginMemory) -> Self {
        Self {
            conversion,
            memory,
            room: MEMORY_BYTES,
            omitted: OMITTED_BYTES,
        }
    }

    /// Returns the account of the values, which lasts as long as they do.
    pub(crate) fn into_memory(self) -> PluginMemory {
        self.memory
    }

    /// Counts the memory of a value.
    fn take(&mut self, bytes: usize) -> Result<(), Misfit> {
        if self.room < bytes {
            let more = bytes.max(MEMORY_BYTES);
            if !self.memory.grow(more as u64) {
                return Err(Misfit::of_kind(
                    "MemoryError",
                    format!(
                        "the arguments want more memory, and plugins of all sessions may have {} bytes together, \
                         half of the sandbox's memory; pass less, or try again when others are done",
                        self.memory.most_bytes()
                    ),
                ));
            }
            self.room += more;
        }
        self.room -= bytes;
        Ok(())
    }

    /// Counts a field that is left out.
    fn omit(&mut self, name: &str) -> Result<Val, Misfit> {
        let bytes = size_of::<Val>() + size_of::<String>() + name.len();
        self.omitted = self.omitted.checked_sub(bytes).ok_or_else(|| {
            Misfit::of_kind(
                "ValueError",
                "too many optional fields are left out in one call; pass fewer records at a time",
            )
        })?;
        self.conversion.count()?;
        self.take(size_of::<Val>())?;
        Ok(Val::Option(None))
    }

    /// The value of this type that a piece of JSON stands for.
    pub(crate) fn value(&mut self, json: &Json, wanted: &Type) -> Result<Val, Misfit> {
        self.deep(json, wanted, 0)
    }

    fn deep(&mut self, json: &Json, wanted: &Type, depth: usize) -> Result<Val, Misfit> {
        if depth > DEPTH {
            return Err(Misfit::new("this nests too deeply"));
        }
        let no = || {
            let kind = kind(json);
            Misfit::new(format!("this should be {}, and is {kind}", noun(wanted)))
        };
        self.conversion.count()?;
        self.take(size_of::<Val>())?;
        Ok(match wanted {
            Type::Bool => Val::Bool(json.as_bool().ok_or_else(no)?),
            Type::S8 => Val::S8(signed(json, wanted)?),
            Type::S16 => Val::S16(signed(json, wanted)?),
            Type::S32 => Val::S32(signed(json, wanted)?),
            Type::S64 => Val::S64(signed(json, wanted)?),
            Type::U8 => Val::U8(unsigned(json, wanted)?),
            Type::U16 => Val::U16(unsigned(json, wanted)?),
            Type::U32 => Val::U32(unsigned(json, wanted)?),
            Type::U64 => Val::U64(unsigned(json, wanted)?),
            Type::Float32 => {
                let wide = float(json).ok_or_else(no)?;
                let narrow = wide as f32;
                if wide.is_finite() && !narrow.is_finite() {
                    return Err(Misfit::new(format!("{wide} is too large for 32 bits")));
                }
                Val::Float32(narrow)
            }
            Type::Float64 => Val::Float64(float(json).ok_or_else(no)?),
            Type::Char => {
                let mut characters = json.as_str().ok_or_else(no)?.chars();
                match (characters.next(), characters.next()) {
                    (Some(character), None) => Val::Char(character),
                    _ => return Err(no()),
                }
            }
            Type::String => {
                let text = json.as_str().ok_or_else(no)?;
                self.take(text.len())?;
                Val::String(text.to_owned())
            }
            Type::List(list) => {
                if let (Type::U8, Some(bytes)) = (list.ty(), bytes(json)) {
                    let bytes = bytes?;
                    self.take(bytes.len().saturating_mul(size_of::<Val>()))?;
                    return Ok(Val::List(bytes.into_iter().map(Val::U8).collect()));
                }
                let items = sequence(json).ok_or_else(no)?.iter().enumerate();
                let wanted = list.ty();
                let items = items.map(|(index, item)| {
                    let value = self.deep(item, &wanted, depth + 1);
                    value.map_err(|misfit| misfit.at(format!("[{index}]")))
                });
                Val::List(items.collect::<Result<_, _>>()?)
            }
            Type::Tuple(tuple) => {
                let items = sequence(json).ok_or_else(no)?;
                if items.len() != tuple.types().len() {
                    let wanted = tuple.types().len();
                    return Err(Misfit::new(format!(
                        "this should have {wanted} items, and has {}",
                        items.len()
                    )));
                }
                let items = items.iter().zip(tuple.types()).enumerate();
                let items = items.map(|(index, (item, wanted))| {
                    let value = self.deep(item, &wanted, depth + 1);
                    value.map_err(|misfit| misfit.at(format!("[{index}]")))
                });
                Val::Tuple(items.collect::<Result<_, _>>()?)
            }
            Type::Record(_) => {
                let members = json.as_object().ok_or_else(no)?;
                let fields = self.conversion.members(wanted);
                let mut given: Vec<Option<&Json>> = vec![None; fields.iter().len()];
                for (name, json) in members {
                    let Some(position) = fields.position(name) else {
                        let names: Vec<_> = fields.names().collect();
                        return Err(Misfit::new(format!(
                            "there is no field `{name}`; there are {}",
                            names.join(", ")
                        )));
                    };
                    given[position].get_or_insert(json);
                }
                let fields = fields.iter().zip(given).map(|(field, given)| {
                    let value = match (given, &field.ty) {
                        (Some(json), Some(wanted)) => self.deep(json, wanted, depth + 1),
                        (None, Some(Type::Option(_))) => self.omit(&field.name),
                        _ => Err(Misfit::new("this is missing")),
                    };
                    let value = value.map_err(|misfit| misfit.at(snake(&field.name)))?;
                    self.take(size_of::<String>() + field.name.len())?;
                    Ok((field.name.clone(), value))
                });
                Val::Record(fields.collect::<Result<_, _>>()?)
            }
            Type::Variant(_) => {
                let (name, payload) = case(json).ok_or_else(no)?;
                let cases = self.conversion.members(wanted);
                let found = cases.find(name).ok_or_else(|| no_case(name, &cases))?;
                let payload = match (&found.ty, payload) {
                    (None, None) => None,
                    (Some(wanted), Some(json)) => {
                        let value = self.deep(json, wanted, depth + 1);
                        Some(Box::new(value.map_err(|misfit| misfit.at(name))?))
                    }
                    (None, Some(_)) => {
                        return Err(Misfit::new(format!(
                            "`{name}` has no payload; write \"{name}\""
                        )));
                    }
                    (Some(_), None) => {
                        return Err(Misfit::new(format!(
                            "`{name}` has a payload; write {{\"{name}\": …}}"
                        )));
                    }
                };
                self.take(found.name.len())?;
                Val::Variant(found.name.clone(), payload)
            }
            Type::Enum(_) => {
                let name = json.as_str().ok_or_else(no)?;
                let names = self.conversion.members(wanted);
                let found = names.find(name).ok_or_else(|| no_case(name, &names))?;
                self.take(found.name.len())?;
                Val::Enum(found.name.clone())
            }
            Type::Flags(_) => {
                let names = self.conversion.members(wanted);
                let given = sequence(json).ok_or_else(no)?.iter().map(|item| {
                    let name = item.as_str().ok_or_else(no)?;
                    let found = names.find(name).ok_or_else(|| no_case(name, &names))?;
                    self.take(size_of::<String>() + found.name.len())?;
                    Ok(found.name.clone())
                });
                Val::Flags(given.collect::<Result<_, Misfit>>()?)
            }
            Type::Option(option) => Val::Option(match json {
                Json::Null => None,
                // Where the inner value may be null itself, there has to be a sign.
                json if is_nullable(&option.ty()) => match single(json, "some") {
                    Some(json) => Some(Box::new(self.deep(json, &option.ty(), depth + 1)?)),
                    None => return Err(no()),
                },
                json => Some(Box::new(self.deep(json, &option.ty(), depth + 1)?)),
            }),
            Type::Result(result) => {
                let (name, payload) = case(json).ok_or_else(no)?;
                let mut payload = |wanted: Option<Type>| match (wanted, payload) {
                    (Some(wanted), Some(json)) => {
                        Ok(Some(Box::new(self.deep(json, &wanted, depth + 1)?)))
                    }
                    (None, None | Some(Json::Null)) => Ok(None),
                    _ => Err(no()),
                };
                Val::Result(match name {
                    "ok" => Ok(payload(result.ok())?),
                    "err" => Err(payload(result.err())?),
                    _ => return Err(no()),
                })
            }
            _ => return Err(Misfit::new("values of this type cannot be handed over")),
        })
    }
}

/// The one member of an object that has one.
fn single<'a>(json: &'a Json, name: &str) -> Option<&'a Json> {
    let object = json.as_object().filter(|object| object.len() == 1)?;
    object.get(name)
}

/// The items of a list, a tuple or a set.
fn sequence(json: &Json) -> Option<&Vec<Json>> {
    let tagged = ["$tuple", "$set", "$frozenset"];
    let mut tagged = tagged.iter().filter_map(|tag| single(json, tag));
    json.as_array().or_else(|| tagged.next()?.as_array())
}

/// What is said to be bytes.
fn bytes(json: &Json) -> Option<Result<Vec<u8>, Misfit>> {
    let text = single(json, "$bytes")?.as_str()?;
    Some(
        BASE64
            .decode(text)
            .map_err(|_| Misfit::new("this is not base64")),
    )
}

/// The name of a case, and what it holds.
fn case(json: &Json) -> Option<(&str, Option<&Json>)> {
    if let Some(name) = json.as_str() {
        return Some((name, None));
    }
    let mut members = json.as_object()?.iter();
    let (name, value) = members.next()?;
    members.next().is_none().then_some((name, Some(value)))
}

fn no_case(name: &str, known: &Members) -> Misfit {
    let known: Vec<_> = known.names().map(|name| format!("\"{name}\"")).collect();
    Misfit::new(format!(
        "there is no \"{name}\"; there are {}",
        known.join(", ")
    ))
}

/// A whole number of any size.
fn whole(json: &Json) -> Option<i128> {
    match json {
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => Some(number.into()),
            (_, Some(number), _) => Some(number.into()),
            // As some write whole numbers.
            (_, _, Some(number)) if number.fract() == 0.0 && number.abs() < 9e15 => {
                Some(number as i128)
            }
            _ => None,
        },
        json => single(json, "$int")?.as_str()?.parse().ok(),
    }
}

fn signed<T: TryFrom<i128>>(json: &Json, wanted: &Type) -> Result<T, Misfit> {
    let number = whole(json).ok_or_else(|| {
        let kind = kind(json);
        Misfit::new(format!("this should be {}, and is {kind}", noun(wanted)))
    })?;
    T::try_from(number)
        .map_err(|_| Misfit::new(format!("{number} is out of range for {}", noun(wanted))))
}

fn unsigned<T: TryFrom<i128>>(json: &Json, wanted: &Type) -> Result<T, Misfit> {
    signed(json, wanted)
}

fn float(json: &Json) -> Option<f64> {
    if let Some(text) = single(json, "$float") {
        return match text.as_str()? {
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            _ => Some(f64::NAN),
        };
    }
    // Of integers beyond 64 bits the nearest there is.
    let large = single(json, "$int").and_then(|text| text.as_str()?.parse().ok());
    let large = large.filter(|number: &f64| number.is_finite());
    large.or_else(|| json.as_f64())
}

pub(crate) fn is_nullable(wanted: &Type) -> bool {
    matches!(wanted, Type::Option(_))
}

/// What a type is called in messages, in the words of Python where there are.
pub(crate) fn noun(wanted: &Type) -> String {
    let word = match wanted {
        Type::Bool => "a bool",
        Type::S8 => "an int from -128 to 127",
        Type::U8 => "an int from 0 to 255",
        Type::S16 => "an int of 16 bits",
        Type::U16 => "an int of 16 bits, not negative",
        Type::S32 => "an int of 32 bits",
        Type::U32 => "an int of 32 bits, not negative",
        Type::S64 => "an int of 64 bits",
        Type::U64 => "an int of 64 bits, not negative",
        Type::Float32 | Type::Float64 => "a number",
        Type::Char => "a str of one character",
        Type::String => "a str",
        Type::List(list) if list.ty() == Type::U8 => "bytes",
        Type::List(_) => "a list",
        Type::Record(_) => "a dict",
        Type::Tuple(_) => "a tuple",
        Type::Variant(_) => "a str or a dict with one member, the name of a case",
        Type::Enum(_) => "a str, one of some names",
        Type::Option(option) if is_nullable(&option.ty()) => "{\"some\": …}, or None",
        Type::Option(option) => return format!("{}, or None", noun(&option.ty())),
        Type::Result(_) => "{\"ok\": …} or {\"err\": …}",
        Type::Flags(_) => "a list of names",
        _ => "something that cannot be handed over",
    };
    word.to_owned()
}

/// What a piece of JSON is called in messages.
fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "None",
        Json::Bool(_) => "a bool",
        Json::Number(number) if number.is_f64() => "a float",
        Json::Number(_) => "an int",
        Json::String(text) if text.chars().nth(1).is_some() => "a longer str",
        Json::String(_) => "a str",
        Json::Array(_) => "a list",
        Json::Object(object) => match object.keys().next().map(String::as_str) {
            Some("$bytes") => "bytes",
            Some("$tuple") => "a tuple",
            Some("$set" | "$frozenset") => "a set",
            Some("$int") => "a larger int",
            Some("$float") => "a float",
            Some("$date" | "$datetime") => "a date",
            Some("$repr") => "something that cannot be handed over",
            _ => "a dict",
        },
    }
}
