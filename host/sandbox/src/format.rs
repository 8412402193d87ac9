//! How an outcome is written for a reader.
//!
//! Each format is a file with one pure function. A new dialect is one more file
//! here and one more TOML file in `profiles/`.

mod apexflow;
mod cairn;
mod exec_python;
mod official;
mod rlm_code;

pub(crate) use exec_python::clipped;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::arguments::read_bytes;
use crate::limits::Limits;
use crate::outcome::{Ending, Exception, Look, Outcome, Variable};
use crate::session::Session;
use crate::validation::NO_TYPES;
use crate::value::{Value, holds_dictionary, is_read_by_all, parse, plain_json};
use crate::view::View;
use rlm_sandbox_engine::{ErrorKind, Result};

/// How an outcome is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The result of the tool `exec_python`: `success`, `stdout`, `return_value`,
    /// `error` … and what is ours after them.
    #[default]
    ExecPython,
    /// The fields of `MontyCodeResult`.
    RlmCode,
    /// The fields of Cairn's `ExecutionResult`.
    Cairn,
    /// ApexFlow's `{"status": "success", "result": …}`.
    Apexflow,
    /// The fields of the `REPLResult` of `alexzhang13/rlm`.
    Official,
}

/// What a format may know of an outcome.
pub(crate) struct Written<'a> {
    pub(crate) outcome: &'a Outcome,
    /// What there is in the namespace, where the format wants to know.
    pub(crate) variables: &'a [Variable],
    pub(crate) view: &'a View,
    /// The id of the session.
    pub(crate) session: &'a str,
    pub(crate) limits: &'a Limits,
}

impl Format {
    /// How variables have to be looked at for it, if at all.
    fn look(self) -> Option<Look> {
        match self {
            // Two hundred characters, and whether there are more.
            Self::RlmCode => Some(Look::reprs(804)),
            Self::Official => Some(Look::default().json()),
            Self::ExecPython | Self::Cairn | Self::Apexflow => None,
        }
    }

    fn write(self, written: &Written<'_>) -> Json {
        match self {
            Self::ExecPython => exec_python::write(written.outcome),
            Self::RlmCode => rlm_code::write(written),
            Self::Cairn => cairn::write(written),
            Self::Apexflow => apexflow::write(written),
            Self::Official => official::write(written),
        }
    }
}

impl Session {
    /// Writes an outcome of this session in the format of its profile. Where the format has
    /// variables and listing them fails, by a limit for example, the report is without them, and
    /// its member `variables_left_out` has the reason. Values of variables take 16 MiB of memory together at most;
    /// others are shown by their reprs.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Lost`] if the session was lost while the variables were listed.
    pub async fn report(&mut self, outcome: &Outcome) -> Result<Json> {
        self.report_as(outcome, self.settings.profile.format).await
    }

    /// Writes an outcome of this session in a format.
    ///
    /// # Errors
    ///
    /// The errors of [`report`](Self::report).
    pub async fn report_as(&mut self, outcome: &Outcome, format: Format) -> Result<Json> {
        // What has happened is reported, whatever a listing costs.
        let (variables, left_out) = match format.look() {
            Some(look) => match self.variables(look).await {
                Ok(variables) => (without_large_values(variables), None),
                Err(error) if error.kind() == ErrorKind::Lost => return Err(error),
                Err(error) => (Vec::new(), Some(error)),
            },
            None => (Vec::new(), None),
        };
        let profile = &self.settings.profile;
        let view = self.shown_view();
        let mut report = format.write(&Written {
            outcome,
            variables: &variables,
            view: &view,
            session: self.id(),
            limits: &self.settings.limits,
        });
        if let (true, Some(members)) = (profile.type_check, report.as_object_mut()) {
            members.insert(String::from("note"), Json::from(NO_TYPES));
        }
        if let (Some(error), Some(members)) = (left_out, report.as_object_mut()) {
            let why = format!("the variables are left out: {error}");
            members.insert(String::from("variables_left_out"), Json::from(why));
        }
        Ok(report)
    }

    /// What a model is shown of an outcome under this session's profile: a
    /// result in JSON where that is its format's way, else text.
    pub fn view(&self, outcome: &Outcome) -> String {
        let view = self.shown_view();
        match view.total {
            Some(total) => clipped(exec_python::write(outcome), &view, total).to_string(),
            None => outcome.view(&view).text,
        }
    }

    /// Returns the view of the profile, whose marker names no function that asks a model where there is none.
    fn shown_view(&self) -> View {
        let mut view = self.settings.profile.view.clone();
        if self.settings.handlers.answerer(false).is_none() {
            view.marker = view.marker.replace(" or use llm_query", "");
        }
        view
    }
}

impl Outcome {
    /// The outcome as the result of the tool `exec_python`, one JSON object.
    pub fn to_exec_python(&self) -> Json {
        exec_python::write(self)
    }
}

/// Memory that it takes to read the values of all variables in a report, at most. Those for which there is no room
/// are shown by their reprs.
const REPORTED_BYTES: u64 = 16 << 20;

fn without_large_values(mut variables: Vec<Variable>) -> Vec<Variable> {
    let mut left = REPORTED_BYTES;
    for variable in &mut variables {
        let bytes = variable.json.as_deref().map_or(0, read_bytes);
        match left.checked_sub(bytes) {
            Some(rest) => left = rest,
            None => variable.json = None,
        }
    }
    variables
}

/// An exception, and in a second line what to do about it.
fn told(exception: &Exception) -> String {
    match &exception.hint {
        Some(hint) => format!("{exception}\nHint: {hint}"),
        None => exception.to_string(),
    }
}

/// The value that a script ended with, as the nearest plain JSON.
fn value_json(outcome: &Outcome) -> Option<Json> {
    let Ending::Value(Some(value)) = &outcome.ending else {
        return None;
    };
    plain(value.json.as_deref()?)
}

/// The value of a script that succeeded, or else the answer of the run; as text
/// where it has no JSON.
fn result_json(outcome: &Outcome) -> Option<Json> {
    let value = match &outcome.ending {
        Ending::Value(Some(value)) => value,
        Ending::Value(None) => &outcome.finish.as_ref()?.answer,
        _ => return None,
    };
    Some(shown(value))
}

/// A value as the nearest plain JSON, or as its repr where it has none.
fn shown(value: &Value) -> Json {
    json_or_repr(value.json.as_deref(), &value.repr)
}

fn json_or_repr(json: Option<&str>, repr: &str) -> Json {
    json.and_then(plain)
        .unwrap_or_else(|| Json::String(repr.to_owned()))
}

/// Returns whether more of what a script gave is left out than shown.
fn is_cut(outcome: &Outcome) -> bool {
    let is_cut = |value: &Value| value.truncated || value.json.is_none();
    let value = match &outcome.ending {
        Ending::Value(value) => value.as_ref(),
        _ => None,
    };
    let answer = outcome.finish.as_ref().map(|finish| &finish.answer);
    outcome.dropped_bytes > 0 || value.into_iter().chain(answer).any(is_cut)
}

/// Tagged JSON as readers of results want it: lists for tuples and sets, texts
/// for the keys of dictionaries, `"NaN"` and its kin. Bytes and numbers that
/// not every reader keeps exactly have their tags. None for what not every reader of a report reads.
fn plain(json: &str) -> Option<Json> {
    let value = parse(json).ok().map(readable)?;
    is_read_by_all(&value).then_some(value)
}

fn readable(value: Json) -> Json {
    match value {
        Json::Array(items) => items.into_iter().map(readable).collect(),
        Json::Number(number) if !is_exact(&number) => json!({"$int": number.to_string()}),
        Json::Object(members) if members.len() == 1 => {
            let Some((name, inner)) = members.into_iter().next() else {
                return Json::Null;
            };
            match (name.as_str(), inner) {
                ("$tuple" | "$set" | "$frozenset", Json::Array(items)) => {
                    items.into_iter().map(readable).collect()
                }
                ("$dict", Json::Array(pairs)) => pairs.into_iter().filter_map(pair).collect(),
                (name @ ("$int" | "$bytes"), Json::String(text)) => json!({name: text}),
                ("$float" | "$date" | "$datetime" | "$repr", inner) => {
                    plain_json(json!({name: inner}))
                }
                (_, inner) => json!({name: readable(inner)}),
            }
        }
        Json::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(name, value)| (name, readable(value)))
                .collect()
        }
        plain => plain,
    }
}

/// Returns whether a number keeps its value when it is read as `f64`.
fn is_exact(number: &serde_json::Number) -> bool {
    const MOST: u64 = 1 << 53;
    number
        .as_i64()
        .map_or(number.is_f64(), |number| number.unsigned_abs() <= MOST)
}

/// Returns a key as Python would print it, with its value; none for what Python does not have.
fn pair(pair: Json) -> Option<(String, Json)> {
    let Json::Array(pair) = pair else { return None };
    let [key, value] = <[Json; 2]>::try_from(pair).ok()?;
    if holds_dictionary(&key) {
        return None;
    }
    let key = match readable(key) {
        Json::String(text) => text,
        Json::Null => String::from("None"),
        Json::Bool(true) => String::from("True"),
        Json::Bool(false) => String::from("False"),
        other => other.to_string(),
    };
    Some((key, readable(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_text_as_python_prints_them() {
        let keys = r#"[[1,0],[true,1],[null,2],["a",3],[{"$tuple":["b",{"$int":"1"}]},4],[{"$bytes":"AA=="},5]]"#;
        assert_eq!(
            plain(&format!(r#"{{"$dict":{keys}}}"#)),
            Some(json!({
                "1": 0, "True": 1, "None": 2, "a": 3, r#"["b",{"$int":"1"}]"#: 4, r#"{"$bytes":"AA=="}"#: 5
            }))
        );
    }

    #[test]
    fn what_not_every_reader_reads_is_shown_by_its_repr() {
        let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        assert!(plain(&nested(100)).is_some());
        for json in [
            nested(101),
            String::from(r#"{"$dict":[["$serde_json::private::RawValue","x"]]}"#),
            String::from(r#"[{"$dict":[["a",{"$dict":[["$serde_json::private::Number",1]]}]]}]"#),
        ] {
            assert_eq!(plain(&json), None, "{json}");
            assert_eq!(json_or_repr(Some(&json), "repr"), json!("repr"));
        }
    }

    #[test]
    fn keys_inside_of_keys_are_no_text_of_twice_the_length() {
        // No Python has such keys, but a component may say so.
        for (begin, end) in [
            (r#"{"$dict":[["#, r#","b"]]}"#),
            (r#"{"$dict":[[["#, r#"],"b"]]}"#),
            (r#"{"$dict":[[{"$tuple":["#, r#"]},"b"]]}"#),
        ] {
            let json = format!("{}\"a\"{}", begin.repeat(20), end.repeat(20));
            let text = plain(&json).expect("JSON").to_string();
            assert!(text.len() < json.len(), "{}", text.len());
        }
    }
}
