//! Inputs of a run: dspy writes all of them as assignments in front of the code, each
//! time.
//!
//! Long ones are not parsed as Python. The host binds their values to names of its own
//! before each run, and the assignments bind those. The values are sent with each run,
//! because a script can rebind any name, in more spellings than a reader of its text
//! finds: Python normalises identifiers, and attributes are text that is computed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rlm_sandbox::Limits;

use super::literal::Literal;
use crate::memory::{Memory, Share};

/// Bytes of a line from which on it is not parsed as Python.
const LONG: usize = 1024;
/// Prefix of the names to which the host binds values.
const HIDDEN: &str = "_dspy_input_";
/// Name of the module that reads JSON, where an input is JSON.
pub(super) const MODULE: &str = HIDDEN;

/// Values from `inject_var`: JSON with the memory that it takes, by variable.
#[derive(Debug, Default)]
pub(super) struct Inputs(HashMap<String, (String, Share)>);

/// What stands for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// What was written.
    Short,
    /// Text that the host binds.
    Text,
    /// JSON that the host binds as text.
    Json,
}

/// Code that is short, and what has to be bound before it runs.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub(super) code: String,
    /// Text by hidden name, each name once.
    pub(super) hidden: Vec<(String, String)>,
    /// The first assignments of the code.
    pub(super) lines: Vec<Line>,
}

/// An assignment in front of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    name: String,
    /// Where the line ends in the code.
    end: usize,
}

/// The place of the text of a hidden name.
#[derive(Debug)]
struct Place {
    index: usize,
    /// What stands for the value that was injected, once it was read.
    injected: Option<Kind>,
    /// The injected text, while another one has its place.
    replaced: Option<String>,
}

impl Prepared {
    /// Assignments that are told from those of other runs. Chosen by hand: dspy has one for each
    /// input of a signature.
    const LINES: usize = 1000;
    /// Bytes of the longest name of those.
    const NAME_BYTES: usize = 1000;

    fn note_line(&mut self, name: &str) {
        if self.lines.len() < Self::LINES && name.len() <= Self::NAME_BYTES {
            self.lines.push(Line {
                name: name.to_owned(),
                end: self.code.len(),
            });
        }
    }

    /// Returns the part in front of the code that binds names which an earlier run began with, too.
    /// Those are inputs, which dspy gives with every run; others may be the model's own.
    pub(super) fn inputs(&self, earlier: &[Line]) -> Self {
        let pairs = self.lines.iter().zip(earlier);
        let count = pairs.take_while(|(line, other)| line.name == other.name);
        let lines = &self.lines[..count.count()];
        let end = lines.last().map_or(0, |line| line.end);
        let names: HashSet<_> = lines.iter().map(|line| line.name.as_str()).collect();
        let hidden = self.hidden.iter();
        let hidden = hidden.filter(|(hidden, _)| names.contains(variable(hidden)));
        Self {
            code: self.code[..end].to_owned(),
            hidden: hidden.cloned().collect(),
            lines: lines.to_vec(),
        }
    }

    /// Returns whether a session without variables has room for the values: each is in memory up
    /// to three times while it enters.
    pub(super) fn fits(&self, limits: &Limits) -> bool {
        let bytes: usize = self.hidden.iter().map(|(_, text)| text.len()).sum();
        (bytes as u64).saturating_mul(4) < limits.memory_bytes
    }
}

impl Inputs {
    /// Keeps the JSON of a variable, in place of another one of this name.
    ///
    /// # Errors
    ///
    /// [`Full`](crate::memory::Full) if there is no memory for it.
    pub(super) fn inject(
        &mut self,
        name: String,
        json: String,
        memory: &Arc<Memory>,
    ) -> anyhow::Result<()> {
        if self.0.get(&name).is_none_or(|(old, _)| *old != json) {
            let share = memory.share(&name, json.len() as u64)?;
            self.0.insert(name, (json, share));
        }
        Ok(())
    }

    /// Replaces long assignments in front of the code by ones that bind what the
    /// host sets before the run. Lines keep their numbers.
    pub(super) fn prepare(&self, code: &str) -> Prepared {
        let mut prepared = Prepared::default();
        let mut places = HashMap::new();
        let mut rest = code;
        while let Some((line, after)) = rest.split_once('\n') {
            if line == "import json" && prepared.code.is_empty() {
                prepared.code.push_str("import json\n");
                rest = after;
                continue;
            }
            // A line that is all of an assignment, and not the begin of something.
            let Some((name, written)) = assignment(line) else {
                break;
            };
            match self.bind(name, written, &mut prepared.hidden, &mut places) {
                Some(Kind::Short) => prepared.code.push_str(line),
                Some(kind) => prepared.code.push_str(&bound(name, kind)),
                None => break,
            }
            prepared.code.push('\n');
            prepared.note_line(name);
            rest = after;
        }
        prepared.code.push_str(rest);
        prepared
    }

    /// Returns how a variable is bound; none if what is written is no plain value. The code may
    /// have any number of assignments, also of the model: the last text of a name is kept, and
    /// what was injected is read once.
    fn bind<'a>(
        &self,
        name: &'a str,
        written: &str,
        hidden: &mut Vec<(String, String)>,
        places: &mut HashMap<&'a str, Place>,
    ) -> Option<Kind> {
        let is_injected =
            written == format!("json.loads(open('/tmp/dspy_vars/{name}.json').read())");
        if is_injected
            && let Some(place) = places.get_mut(name)
            && let Some(kind) = place.injected
        {
            if let Some(text) = place.replaced.take() {
                hidden[place.index].1 = text;
            }
            return Some(kind);
        }
        let literal = if is_injected {
            let json = self.0.get(name)?.0.as_str();
            match serde_json::from_str::<String>(json) {
                Ok(text) => Literal::Text(text),
                Err(_) => Literal::Json(json.to_owned()),
            }
        } else if written.len() < LONG {
            return Literal::parse(written).map(|_| Kind::Short);
        } else {
            Literal::parse(written)?
        };
        let (kind, text) = match literal {
            Literal::Text(text) => (Kind::Text, text),
            Literal::Json(json) => (Kind::Json, json),
        };
        let place = places.entry(name).or_insert_with(|| {
            hidden.push((format!("{HIDDEN}{name}"), String::new()));
            Place {
                index: hidden.len() - 1,
                injected: None,
                replaced: None,
            }
        });
        let before = std::mem::replace(&mut hidden[place.index].1, text);
        if is_injected {
            place.injected = Some(kind);
        } else if place.injected.is_some() {
            place.replaced.get_or_insert(before);
        }
        Some(kind)
    }
}

/// Returns the variable to which the value of a hidden name is assigned.
pub(super) fn variable(hidden: &str) -> &str {
    hidden.strip_prefix(HIDDEN).unwrap_or(hidden)
}

/// Returns a message of the host with the names of variables in place of hidden ones.
pub(super) fn shown(message: &str) -> String {
    message.replace(HIDDEN, "")
}

fn bound(name: &str, kind: Kind) -> String {
    match kind {
        // Modules are the interpreter's: no script changes what `loads` does.
        Kind::Json => {
            format!("import json as {HIDDEN}; {name} = {HIDDEN}.loads({HIDDEN}{name})")
        }
        Kind::Text | Kind::Short => format!("{name} = {HIDDEN}{name}"),
    }
}

/// The two sides of `name = …`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, written) = line.split_once(" = ")?;
    // Python has one name for several ways to write other letters.
    let is_name = name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    // An assignment to one of the host's names would come after the host's own.
    (is_name && !name.starts_with(HIDDEN)).then_some((name, written))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use bytesize::ByteSize;

    use super::*;
    use crate::memory::MemoryOptions;

    #[test]
    fn long_inputs_are_sent_with_each_run() {
        let (long, list) = ("x".repeat(5000), format!("[{}1]", "1, ".repeat(1000)));
        let code =
            format!("a = '{long}'\nq = 'short'\nrows = {list}\nprint(len(a))\nz = '{long}'\n");
        let inputs = Inputs::default();
        let first = inputs.prepare(&code);
        assert_eq!(
            first.code,
            format!(
                "a = _dspy_input_a\nq = 'short'\nimport json as _dspy_input_; rows = _dspy_input_.loads(_dspy_input_rows)\nprint(len(a))\nz = '{long}'\n"
            )
        );
        assert_eq!(first.hidden.len(), 2);
        assert_eq!(
            first.hidden[0],
            (String::from("_dspy_input_a"), long.clone())
        );
        // Whatever the first run did, the second one has the values of the client.
        let again = inputs.prepare(&code);
        assert_eq!((again.code, again.hidden), (first.code, first.hidden));
    }

    #[test]
    fn what_was_injected_is_read_from_there() {
        let mut inputs = Inputs::default();
        let memory = MemoryOptions::of(ByteSize(2000)).memory("");
        let mut inject = |name: &str, json: &str| inputs.inject(name.into(), json.into(), &memory);
        inject("big", "\"text\"").expect("fits");
        inject("big", "\"text\"").expect("is there already");
        assert!(inject("other", "1").is_err());
        let code =
            "import json\nq = 1\nbig = json.loads(open('/tmp/dspy_vars/big.json').read())\nbig";
        let prepared = inputs.prepare(code);
        assert_eq!(
            prepared.code,
            "import json\nq = 1\nbig = _dspy_input_big\nbig"
        );
        assert_eq!(
            prepared.hidden,
            [(String::from("_dspy_input_big"), String::from("text"))]
        );
    }

    #[test]
    fn a_name_that_is_assigned_again_and_again_has_one_text() {
        let mut inputs = Inputs::default();
        let memory = MemoryOptions::of(ByteSize(1 << 20)).memory("");
        let json = format!("\"{}\"", "x".repeat(10_000));
        inputs.inject("big".into(), json, &memory).expect("fits");
        let read = "big = json.loads(open('/tmp/dspy_vars/big.json').read())\n";
        let long = format!("big = '{}'\n", "y".repeat(2000));
        for (code, expected) in [
            (read.repeat(1000), "x".repeat(10_000)),
            (format!("{read}{long}"), "y".repeat(2000)),
            (format!("{read}{long}{read}"), "x".repeat(10_000)),
        ] {
            let prepared = inputs.prepare(&format!("import json\n{code}big"));
            assert_eq!(prepared.hidden, [("_dspy_input_big".into(), expected)]);
            let lines = code.lines().count() + 2;
            assert_eq!(prepared.code.lines().count(), lines);
        }
    }

    #[test]
    fn a_value_that_was_injected_is_read_once() {
        const BYTES: usize = 8 << 20;
        let mut inputs = Inputs::default();
        let memory = MemoryOptions::of(ByteSize(32 << 20)).memory("");
        let json = [
            ("text", format!("\"{}\"", "\\u00e9".repeat(BYTES / 6))),
            ("list", format!("[{}0]", "0,".repeat(BYTES / 2))),
        ];
        let mut code = String::new();
        for (name, json) in &json {
            let injected = inputs.inject((*name).into(), json.clone(), &memory);
            injected.expect("fits");
            let read = format!("{name} = json.loads(open('/tmp/dspy_vars/{name}.json').read())\n");
            let long = format!("{name} = '{}'\n", "y".repeat(LONG));
            code.push_str(&format!("{read}{long}").repeat(4000));
            code.push_str(&read);
        }
        let since = Instant::now();
        let prepared = inputs.prepare(&code);
        // Reading them for each line takes minutes.
        assert!(since.elapsed() < Duration::from_secs(20));
        let expected = [
            ("_dspy_input_text", "é".repeat(BYTES / 6)),
            ("_dspy_input_list", json[1].1.clone()),
        ];
        let is_expected = expected.map(|(name, text)| (name.into(), text)) == *prepared.hidden;
        assert!(
            is_expected,
            "the injected values, which the last lines read"
        );
    }

    #[test]
    fn what_is_no_plain_assignment_stays() {
        let long = "x".repeat(5000);
        for code in [
            format!("a = '{long}'"),
            format!("a = f('{long}')\na"),
            format!("a == '{long}'\na"),
            format!("p = \"\"\"\na = '{long}'\n\"\"\"\np"),
            format!("p = (\na = '{long}'\n)"),
            format!("_dspy_input_a = 'x'\na = '{long}'\na"),
            format!("\u{fb01} = '{long}'\n1"),
        ] {
            let prepared = Inputs::default().prepare(&code);
            assert_eq!((prepared.code, prepared.hidden.len()), (code, 0));
        }
    }
}
