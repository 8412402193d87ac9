//! Where a repetition came out otherwise.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::line::{Count, Line, cut};

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

/// Members of a header that each recording draws for itself, and that are not compared. Where a
/// script used them, its lines differ.
const DRAWN: [&str; 3] = ["session", "seed", "start"];

/// Returns the first difference between a line that was recorded and one that would be.
///
/// Lines are compared as they are written, member by member: what is parsed from a line of
/// small values takes many times its bytes.
pub(crate) fn difference(expected: &Line, got: &Line, may: Tolerance) -> Option<Difference> {
    let (was, is) = (
        serde_json::to_string(expected).unwrap_or_default(),
        serde_json::to_string(got).unwrap_or_default(),
    );
    let (Some(was), Some(is)) = (Members::of_line(&was), Members::of_line(&is)) else {
        return Some(Difference {
            what: String::from("a line cannot be compared"),
            expected: expected.noun(),
            got: got.noun(),
            fuel: None,
        });
    };
    if was.kind != is.kind {
        return Some(Difference {
            what: String::from("something else happened"),
            expected: expected.noun(),
            got: got.noun(),
            fuel: None,
        });
    }
    // How deep a native stack is differs; that it is exhausted does not, nor what is said of it.
    let by_kind = was.get("overflow") == Some("true") && is.get("overflow") == Some("true");
    let lenient = by_kind || may != Tolerance::Nothing;
    let count = |members: &Members<'_>| {
        let count: Count = serde_json::from_str(members.get("fuel")?).ok()?;
        Some(count.0)
    };
    let fuel = count(&was).zip(count(&is));
    let kind = was.kind;
    let (name, was, is) = was.first_difference(&is, |name| {
        TIMES.contains(&name)
            || (lenient && FUEL.contains(&name))
            || (by_kind && matches!(name, "digest" | "read"))
            || (lenient && kind == "base")
            || (may == Tolerance::AllButCalls && name == "number")
            || (kind == "header" && DRAWN.contains(&name))
    })?;
    let (noun, name, was, is) = match kind {
        "header" => {
            let (name, was, is) = narrowed(name, was, is);
            (String::from("the header"), name, was, is)
        }
        _ => (expected.noun(), name.to_owned(), was, is),
    };
    Some(Difference {
        what: format!("{noun}: {name}"),
        expected: text(was),
        got: text(is),
        fuel,
    })
}

/// Returns the member of a member in which two differ, if both are objects.
fn narrowed<'a>(
    name: &str,
    was: Option<&'a str>,
    is: Option<&'a str>,
) -> (String, Option<&'a str>, Option<&'a str>) {
    let object = |json: Option<&'a str>| Members::of("", json?);
    if let (Some(was), Some(is)) = (object(was), object(is))
        && let Some((inner, was, is)) = was.first_difference(&is, |_| false)
    {
        return (format!("{name}.{inner}"), was, is);
    }
    (name.to_owned(), was, is)
}

/// The members of an object as they are written, in their order.
struct Members<'a> {
    kind: &'a str,
    members: Vec<(&'a str, &'a RawValue)>,
}

impl<'a> Members<'a> {
    /// Returns those of the only member of a line, which is named as its kind.
    fn of_line(json: &'a str) -> Option<Self> {
        let line = Self::of("", json)?;
        let &(kind, members) = line.members.first()?;
        Self::of(kind, members.get())
    }

    fn of(kind: &'a str, json: &'a str) -> Option<Self> {
        let Listed(members) = serde_json::from_str(json).ok()?;
        Some(Self { kind, members })
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        let mut members = self.members.iter();
        let (_, value) = members.find(|(member, _)| *member == name)?;
        Some(value.get())
    }

    /// Returns the first member that differs, with its two values.
    fn first_difference(
        &self,
        other: &Self,
        is_ignored: impl Fn(&str) -> bool,
    ) -> Option<(&'a str, Option<&'a str>, Option<&'a str>)> {
        let mine = self.members.iter().map(|(name, _)| *name);
        let added = other.members.iter().map(|(name, _)| *name);
        let names = mine.chain(added.filter(|name| self.get(name).is_none()));
        names
            .filter(|name| !is_ignored(name))
            .map(|name| (name, self.get(name), other.get(name)))
            .find(|(_, mine, theirs)| mine != theirs)
    }
}

/// An object of JSON, of which nothing is parsed but the names.
struct Listed<'a>(Vec<(&'a str, &'a RawValue)>);

impl<'de> Deserialize<'de> for Listed<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Listed<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut listed = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    listed.push(entry);
                }
                Ok(Listed(listed))
            }
        }
        deserializer.deserialize_map(List)
    }
}

/// Returns a member for people to read, as far as they want to: text without its quotes, and
/// what a call returned without the word for it.
fn text(json: Option<&str>) -> String {
    let Some(json) = json else {
        return String::from("nothing");
    };
    let returned = json.strip_prefix("{\"returned\":");
    if let Some(returned) = returned.and_then(|rest| rest.strip_suffix('}')) {
        return cut(returned).to_owned();
    }
    match serde_json::from_str::<String>(json) {
        Ok(text) => cut(&text).to_owned(),
        Err(_) => cut(json).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::line::{Ended, OutcomeLine};

    fn crash(shown: &str, fuel: u64, digest: &str) -> Line {
        Line::Outcome(Box::new(OutcomeLine {
            exec: 0,
            ending: Ended::Crashed,
            shown: Some(shown.to_owned()),
            answer: None,
            stdout: Some(String::from("hello")),
            stderr: None,
            fuel: Count(fuel),
            total: Count(fuel),
            digest: digest.to_owned(),
            rolled_back: true,
            killed: false,
            overflow: true,
            compute_us: 1,
            elapsed_us: 1,
        }))
    }

    #[test]
    fn the_text_of_a_crash_for_want_of_stack_is_compared_and_its_fuel_is_not() {
        let recorded = crash("RuntimeError: the stack is exhausted", 70, "aa");
        let elsewhere = crash("RuntimeError: the stack is exhausted", 80, "bb");
        assert_eq!(difference(&recorded, &elsewhere, Tolerance::Nothing), None);
        let forged = crash("ValueError: the audit found 3 errors", 70, "aa");
        let found = difference(&forged, &elsewhere, Tolerance::Nothing).expect("another text");
        assert!(found.what.ends_with("shown"), "{found:?}");
    }
}
