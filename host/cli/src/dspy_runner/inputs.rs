//! The inputs of a run: dspy writes all of them as assignments in front of the
//! code, each time. The long ones are kept in the session and recognised.

use std::collections::HashMap;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::literal::Literal;
use crate::memory::{Memory, Share};

/// Bytes of a line from which on it pays to keep it.
const LONG: usize = 1024;
/// How the names begin by which the session keeps them.
const HIDDEN: &str = "_dspy_input_";

/// What the session holds of earlier runs.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// By variable, the digest of what was written for it.
    kept: HashMap<String, Kept>,
    /// Values from `inject_var`: JSON with the memory that it takes, by variable.
    injected: HashMap<String, (String, Share)>,
}

#[derive(Debug)]
struct Kept {
    digest: [u8; 32],
    kind: Kind,
}

/// What stands for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// What was written.
    Short,
    /// Text that is kept.
    Text,
    /// JSON that is kept.
    Json,
}

/// Code that is short, and what has to be bound before it runs.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub(super) code: String,
    /// Text by hidden name.
    pub(super) hidden: Vec<(String, String)>,
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
        if self.injected.get(&name).is_none_or(|(old, _)| *old != json) {
            let share = memory.share(&name, json.len() as u64)?;
            self.injected.insert(name, (json, share));
        }
        Ok(())
    }

    /// Forgets everything, as the session did.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Replaces long assignments in front of the code by ones that bind what the
    /// session keeps. Lines keep their numbers.
    pub(super) fn prepare(&mut self, code: &str) -> Prepared {
        let mut prepared = Prepared::default();
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
            match self.keep(name, written, &mut prepared.hidden) {
                Some(Kind::Short) => prepared.code.push_str(line),
                Some(kind) => prepared.code.push_str(&bound(name, kind)),
                None => break,
            }
            prepared.code.push('\n');
            rest = after;
        }
        if rest.contains(HIDDEN) || prepared.code.contains(&format!("\n{HIDDEN}")) {
            // Somebody plays with what is ours; nothing is kept then.
            self.kept.clear();
            prepared.hidden.clear();
            prepared.code = code.to_owned();
            return prepared;
        }
        prepared.code.push_str(rest);
        prepared
    }

    /// How a variable is bound; none if what is written is no plain value.
    fn keep(
        &mut self,
        name: &str,
        written: &str,
        hidden: &mut Vec<(String, String)>,
    ) -> Option<Kind> {
        let injected = format!("json.loads(open('/tmp/dspy_vars/{name}.json').read())");
        let is_injected = written == injected;
        let source = match is_injected {
            true => self.injected.get(name)?.0.as_str(),
            false if written.len() < LONG => return Literal::parse(written).map(|_| Kind::Short),
            false => written,
        };
        let digest: [u8; 32] = Sha256::digest(source).into();
        if let Some(kept) = self.kept.get(name)
            && kept.digest == digest
        {
            return Some(kept.kind);
        }
        let literal = match is_injected {
            false => Literal::parse(source)?,
            true => match serde_json::from_str::<String>(source) {
                Ok(text) => Literal::Text(text),
                Err(_) => Literal::Json(source.to_owned()),
            },
        };
        let (kind, text) = match literal {
            Literal::Text(text) => (Kind::Text, text),
            Literal::Json(json) => (Kind::Json, json),
        };
        hidden.push((format!("{HIDDEN}{name}"), text));
        self.kept.insert(name.to_owned(), Kept { digest, kind });
        Some(kind)
    }
}

fn bound(name: &str, kind: Kind) -> String {
    match kind {
        // Each run sees a value of its own, whatever an earlier one did to it.
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
    is_name.then_some((name, written))
}

#[cfg(test)]
mod tests {
    use bytesize::ByteSize;

    use super::*;
    use crate::memory::MemoryOptions;

    #[test]
    fn long_inputs_are_kept_and_recognised() {
        let (long, list) = ("x".repeat(5000), format!("[{}1]", "1, ".repeat(1000)));
        let code =
            format!("a = '{long}'\nq = 'short'\nrows = {list}\nprint(len(a))\nz = '{long}'\n");
        let mut inputs = Inputs::default();
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
        let again = inputs.prepare(&code);
        assert_eq!((again.code, again.hidden), (first.code, Vec::new()));
        let changed = inputs.prepare(&code.replacen("xx", "yy", 1));
        assert_eq!(changed.hidden.len(), 1);
        inputs.clear();
        assert_eq!(inputs.prepare(&code).hidden.len(), 2);
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
    fn what_is_no_plain_assignment_stays() {
        let long = "x".repeat(5000);
        for code in [
            format!("a = '{long}'"),
            format!("a = f('{long}')\na"),
            format!("a == '{long}'\na"),
            format!("p = \"\"\"\na = '{long}'\n\"\"\"\np"),
            format!("p = (\na = '{long}'\n)"),
            format!("a = '{long}'\n_dspy_input_a = 1"),
            format!("\u{fb01} = '{long}'\n1"),
        ] {
            let prepared = Inputs::default().prepare(&code);
            assert_eq!((prepared.code, prepared.hidden.len()), (code, 0));
        }
    }
}
