//! Final answers: how a script ends its run.
//!
//! The functions for it are Python, in `prelude/finish.py`: they show the
//! answer, which makes it safe to export, and then call a name of ours. The
//! script that called is dropped there, so nothing can catch it.

use std::fmt::Write as _;

use monty_types::unstable::{self, MontyNode};
use monty_types::{CallArgs, ExcType, MontyException, ObjectRef};

use crate::bindings::exports::rlm::sandbox::repl::{Finish, Finisher, Output, Value};
use crate::caps;
use crate::report;
use crate::value;

/// Ends the script with an answer: `(how, shown, name)`.
pub(crate) const FINISH: &str = "_rlm_finish";
/// Ends the script with fields: `(positional, named)`.
pub(crate) const SUBMIT: &str = "_rlm_submit";
/// Says that there is no such variable: `(name, names)`.
pub(crate) const UNDEFINED: &str = "_rlm_undefined";

/// Reads a call of [`FINISH`].
pub(crate) fn read(args: &CallArgs, value_bytes: usize) -> Option<Finish> {
    let answer = shown(args.arg(1)?, value_bytes);
    let by = match args.arg(0)?.as_str()? {
        "variable" => Finisher::Variable(caps::cut(args.arg(2)?.as_str()?, caps::NAME_BYTES)),
        _ => Finisher::Direct,
    };
    Some(Finish { answer, by })
}

/// The answer that is text, as the dictionary `answer` gives it.
pub(crate) fn ready(content: ObjectRef<'_>, value_bytes: usize) -> Option<Finish> {
    content.as_str()?;
    Some(Finish {
        answer: shown(content, value_bytes),
        by: Finisher::Ready,
    })
}

/// The effect of naming a variable that is not there: the end, or help.
pub(crate) fn undefined(args: &CallArgs, ends: bool) -> Result<Finish, String> {
    let name = args
        .arg(0)
        .and_then(|name| name.as_str())
        .unwrap_or_default();
    let name = caps::cut(name, caps::KIND_BYTES);
    if ends {
        let text = format!("<undefined: {name}>");
        let mut json = String::new();
        value::encode(
            monty_types::MontyObject::string(text.as_str()).as_ref(),
            &mut json,
        );
        return Ok(Finish {
            answer: Value {
                repr: format!("'{text}'"),
                json: Some(json),
                truncated: false,
            },
            by: Finisher::Undefined(name),
        });
    }
    let names = args
        .arg(1)
        .and_then(|names| names.items())
        .unwrap_or_default();
    let names: Vec<_> = names.iter().filter_map(|name| name.as_str()).collect();
    Err(format!(
        "Error: Variable '{name}' not found. Available variables: [{}]. You must create and assign a variable BEFORE \
         calling FINAL_VAR on it.",
        names
            .iter()
            .map(|name| format!("'{name}'"))
            .collect::<Vec<_>>()
            .join(", ")
    ))
}

fn shown(shown: ObjectRef<'_>, value_bytes: usize) -> Value {
    report::read_value(shown, value_bytes).unwrap_or(Value {
        repr: String::from("None"),
        json: Some(String::from("null")),
        truncated: false,
    })
}

/// One field of `SUBMIT`: its name and its value.
type Field<'a> = (String, Given<'a>);

/// A value as it came.
#[derive(Clone, Copy)]
enum Given<'a> {
    /// The value as `_rlm_show` gave it.
    Shown(ObjectRef<'a>),
    /// A part of something shown.
    Part(ObjectRef<'a>),
}

impl Given<'_> {
    fn value(self, value_bytes: usize) -> Value {
        match self {
            Self::Shown(value) => shown(value, value_bytes),
            Self::Part(value) => report::value_of(value.py_repr(), value, value_bytes),
        }
    }

    /// The name of its type: of itself, or of its copy.
    fn kind(&self) -> &str {
        match self {
            Self::Shown(value) => match value.items().as_deref() {
                Some(&[_, plain]) => plain.type_name(),
                _ => value.type_name(),
            },
            Self::Part(value) => value.type_name(),
        }
    }
}

/// Reads a call of [`SUBMIT`] and fits it to the fields that are wanted.
pub(crate) fn submitted(
    args: &CallArgs,
    outputs: &[Output],
    value_bytes: usize,
) -> Result<Finish, MontyException> {
    let wrong = |message: String| MontyException::new(ExcType::TypeError, Some(message));
    let items = |index| {
        args.arg(index)
            .and_then(|list| list.items())
            .unwrap_or_default()
    };
    let (positional, named) = (items(0), items(1));
    let named = named
        .iter()
        .filter_map(|pair| match pair.items().as_deref() {
            Some(&[name, shown]) => Some((name.as_str()?.to_owned(), Given::Shown(shown))),
            _ => None,
        });
    let fields = match outputs {
        [] => free(&positional, named.collect()).map_err(wrong)?,
        _ => fitted(&positional, named.collect(), outputs).map_err(wrong)?,
    };
    check_fields(&fields)
        .map_err(|message| MontyException::new(ExcType::ValueError, Some(message)))?;
    let most = value_bytes.saturating_mul(caps::LISTED_VALUES);
    let mut left = (most, most);
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(name, field)| {
            let mut value = field.value(value_bytes);
            value.truncated |= value.repr.len() > left.0;
            value.repr.truncate(value.repr.floor_char_boundary(left.0));
            value.json = value.json.filter(|json| json.len() <= left.1);
            left.0 -= value.repr.len();
            left.1 -= value.json.as_ref().map_or(0, String::len);
            (name, value)
        })
        .collect();
    Ok(Finish {
        answer: together(&fields, value_bytes),
        by: Finisher::Fields(fields),
    })
}

/// Refuses fields whose names a session could not list.
fn check_fields(fields: &[Field<'_>]) -> Result<(), String> {
    if let Some((name, _)) = fields
        .iter()
        .find(|(name, _)| name.len() > caps::NAME_BYTES)
    {
        return Err(format!(
            "SUBMIT() was given a field with a name of {} bytes; shorten it to {} bytes",
            name.len(),
            caps::NAME_BYTES
        ));
    }
    let bytes: usize = fields.iter().map(|(name, _)| name.len()).sum();
    if fields.len() > caps::NAMES || bytes > caps::NAMES_BYTES {
        return Err(format!(
            "SUBMIT() was given {} fields with {bytes} bytes of names, more than {} fields or {} bytes; put them into \
             one dict",
            fields.len(),
            caps::NAMES,
            caps::NAMES_BYTES
        ));
    }
    Ok(())
}

/// Without wanted fields: what is named, a dictionary of fields, or the answer.
fn free<'a>(positional: &[ObjectRef<'a>], named: Vec<Field<'a>>) -> Result<Vec<Field<'a>>, String> {
    match positional {
        [] => Ok(named),
        [one] if named.is_empty() => {
            Ok(members(*one).unwrap_or_else(|| vec![(String::from("answer"), Given::Shown(*one))]))
        }
        _ => Err(String::from(
            "SUBMIT() takes its fields by name: SUBMIT(answer=…, …)",
        )),
    }
}

/// The members of a shown dictionary whose keys are all text.
fn members(shown: ObjectRef<'_>) -> Option<Vec<Field<'_>>> {
    let items = shown.items()?;
    let &[_, plain] = items.as_slice() else {
        return None;
    };
    if !matches!(unstable::node(plain), MontyNode::Dict(_)) {
        return None;
    }
    plain
        .pairs()?
        .into_iter()
        .map(|(key, member)| Some((key.as_str()?.to_owned(), Given::Part(member))))
        .collect()
}

/// With wanted fields: every one once, and each of its type.
fn fitted<'a>(
    positional: &[ObjectRef<'a>],
    named: Vec<Field<'a>>,
    outputs: &[Output],
) -> Result<Vec<Field<'a>>, String> {
    let names: Vec<_> = outputs.iter().map(|output| output.name.as_str()).collect();
    let usage = format!("use SUBMIT({})", names.join(", "));
    let mut given: Vec<Field<'a>> = match positional {
        [one] if named.is_empty() && outputs.len() > 1 && members(*one).is_some() => {
            members(*one).unwrap_or_default()
        }
        _ if positional.len() > outputs.len() => {
            return Err(format!(
                "SUBMIT() takes {} arguments but {} were given; {usage}",
                outputs.len(),
                positional.len()
            ));
        }
        _ => names
            .iter()
            .zip(positional)
            .map(|(name, shown)| ((*name).to_owned(), Given::Shown(*shown)))
            .collect(),
    };
    for (name, shown) in named {
        if given.iter().any(|(taken, _)| *taken == name) {
            return Err(format!(
                "SUBMIT() got multiple values for field '{name}'; {usage}"
            ));
        }
        given.push((name, shown));
    }
    if let Some((name, _)) = given
        .iter()
        .find(|(name, _)| !names.contains(&name.as_str()))
    {
        return Err(format!(
            "SUBMIT() got an unexpected field '{}'; {usage}",
            caps::cut(name, caps::KIND_BYTES)
        ));
    }
    let mut fields = Vec::new();
    let mut missing = Vec::new();
    for output in outputs {
        match given.iter().position(|(name, _)| *name == output.name) {
            Some(index) => fields.push(given.swap_remove(index)),
            None => missing.push(format!("'{}'", output.name)),
        }
    }
    if !missing.is_empty() {
        return Err(format!(
            "SUBMIT() is missing fields: {}; {usage}",
            missing.join(", ")
        ));
    }
    for ((name, shown), output) in fields.iter().zip(outputs) {
        let kind = shown.kind();
        let fits = match output.kind.as_str() {
            "float" => matches!(kind, "float" | "int"),
            "int" => matches!(kind, "int" | "bool"),
            "str" | "bool" | "list" | "dict" | "NoneType" => kind == output.kind,
            _ => true,
        };
        if !fits {
            return Err(format!(
                "SUBMIT() field '{name}' must be {}, not {kind}",
                output.kind
            ));
        }
    }
    Ok(fields)
}

/// All fields as one dictionary.
fn together(fields: &[(String, Value)], value_bytes: usize) -> Value {
    let (mut repr, mut json) = (String::from("{"), Some(String::from("{")));
    for (index, (name, field)) in fields.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let _ = write!(repr, "{comma}'{name}': {}", field.repr);
        json = json.zip(field.json.as_ref()).map(|(mut json, field)| {
            json.push_str(comma.trim_end());
            value::string(name, &mut json);
            let _ = write!(json, ":{field}");
            json
        });
    }
    repr.push('}');
    // A field of its own whose name looks like a tag of ours.
    if let ([(name, field)], true) = (fields, json.is_some())
        && name.starts_with('$')
    {
        let mut pair = String::from("{\"$dict\":[[");
        value::string(name, &mut pair);
        let _ = write!(pair, ",{}]]", field.json.as_deref().unwrap_or("null"));
        json = Some(pair);
    }
    let truncated = fields.iter().any(|(_, field)| field.truncated) || repr.len() > value_bytes;
    repr.truncate(repr.floor_char_boundary(value_bytes));
    Value {
        truncated,
        repr,
        json: json
            .map(|json| json + "}")
            .filter(|json| json.len() <= value_bytes),
    }
}
