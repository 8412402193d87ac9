//! Where a repetition came out otherwise.

use std::fmt;

use serde_json::{Map, Value as Json};

use super::line::{Line, Said, cut};

/// The first thing that was not as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Divergence {
    /// The line of the journal, from 1.
    pub line: usize,
    /// The exec, from 0; none before the first one.
    pub exec: Option<u64>,
    /// The call, by its ticket, if it is one.
    pub call: Option<u64>,
    /// What differs, in a few words.
    pub what: String,
    /// What the journal says.
    pub expected: String,
    /// What happened.
    pub got: String,
    /// The fuel that both had used, as far as they say.
    pub fuel: Option<(u64, u64)>,
    /// Where the script was.
    pub place: Option<Place>,
}

/// A line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The name of the source, as in a traceback.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The line itself, if it is known.
    pub text: Option<String>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exec {
            Some(exec) => write!(f, "exec {exec}, {}", self.what)?,
            None => write!(f, "before the first exec, {}", self.what)?,
        }
        write!(f, " (line {} of the journal)", self.line)?;
        write!(f, "\n  expected  {}", indented(&self.expected))?;
        write!(f, "\n  got       {}", indented(&self.got))?;
        if let Some((expected, got)) = self.fuel {
            write!(f, "\n  fuel      {expected} expected, {got} got")?;
        }
        if let Some(place) = &self.place {
            write!(f, "\n  at        {}, line {}", place.file, place.line)?;
            if let Some(text) = &place.text {
                write!(f, ": {}", text.trim())?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Divergence {}

fn indented(text: &str) -> String {
    cut(text).replace('\n', "\n            ")
}

/// What may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tolerance {
    /// Nothing but time.
    Nothing,
    /// Fuel, and what is counted in it.
    Fuel,
    /// Everything but what the script is, what it asks, and its contexts.
    AllButCalls,
}

/// What two lines differ in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) what: String,
    pub(crate) expected: String,
    pub(crate) got: String,
    pub(crate) fuel: Option<(u64, u64)>,
}

impl Difference {
    /// Returns the difference to a line that cannot be read.
    pub(crate) fn unreadable() -> Self {
        Self {
            what: String::from("a line cannot be read"),
            expected: String::from("a line of this format"),
            got: String::from("something else"),
            fuel: None,
        }
    }

    /// What it is in the entry at this place of a journal, from 0.
    pub(crate) fn at(self, entry: usize, exec: Option<u64>, call: Option<u64>) -> Divergence {
        Divergence {
            line: entry + 1,
            exec,
            call,
            what: self.what,
            expected: self.expected,
            got: self.got,
            fuel: self.fuel,
            place: None,
        }
    }
}

/// Never compared: how long things took, and what they cost.
const TIMES: [&str; 5] = ["at-us", "compute-us", "elapsed-us", "tokens", "charge"];
/// Not compared where fuel may differ.
const FUEL: [&str; 2] = ["fuel", "total"];

/// The first difference between a line that was recorded and one that would be.
pub(crate) fn difference(expected: &Line, got: &Line, may: Tolerance) -> Option<Difference> {
    let (Some((kind, was)), Some((now_kind, is))) = (members(expected), members(got)) else {
        return Some(Difference {
            what: String::from("a line cannot be compared"),
            expected: expected.noun(),
            got: got.noun(),
            fuel: None,
        });
    };
    if kind != now_kind {
        return Some(Difference {
            what: String::from("something else happened"),
            expected: expected.noun(),
            got: got.noun(),
            fuel: None,
        });
    }
    let overflowed =
        |members: &Map<String, Json>| members.get("overflow") == Some(&Json::Bool(true));
    // How deep a native stack is differs; that it is exhausted does not.
    let by_kind = overflowed(&was) && overflowed(&is);
    let lenient = by_kind || may != Tolerance::Nothing;
    let count = |members: &Map<String, Json>| members.get("fuel")?.as_str()?.parse().ok();
    let fuel = count(&was).zip(count(&is));
    let mut names: Vec<&String> = was.keys().collect();
    names.extend(is.keys().filter(|name| !was.contains_key(*name)));
    for name in names {
        let ignored = TIMES.contains(&name.as_str())
            || (lenient && FUEL.contains(&name.as_str()))
            || (by_kind && matches!(name.as_str(), "shown" | "digest" | "read"))
            || (lenient && kind == "base")
            || (may == Tolerance::AllButCalls && name == "number");
        if !ignored && was.get(name) != is.get(name) {
            return Some(Difference {
                what: format!("{}: {name}", expected.noun()),
                expected: text(was.get(name)),
                got: text(is.get(name)),
                fuel,
            });
        }
    }
    None
}

fn members(line: &Line) -> Option<(String, Map<String, Json>)> {
    let mut line = line.clone();
    let said = match &mut line {
        Line::Set { value, .. } => Some(value),
        Line::Answer { answer, .. } | Line::Told { answer, .. } => Some(answer),
        Line::Call(call) => Some(&mut call.reply),
        _ => None,
    };
    if let Some(said) = said
        && let Said::Returned(json) = said
    {
        // However deep it nests, it is compared as it is written.
        *said = Said::Redacted(format!("{JSON}{json}"));
    }
    match serde_json::to_value(&line).ok()? {
        Json::Object(object) => match object.into_iter().next()? {
            (kind, Json::Object(members)) => Some((kind, members)),
            _ => None,
        },
        _ => None,
    }
}

/// What stands before JSON that is compared as text.
const JSON: &str = "json ";

fn text(value: Option<&Json>) -> String {
    let json = value.and_then(|value| value.get("redacted")?.as_str());
    if let Some(json) = json.and_then(|text| text.strip_prefix(JSON)) {
        return json.to_owned();
    }
    match value {
        None => String::from("nothing"),
        Some(Json::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}
