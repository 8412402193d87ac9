//! Texts that a script gives to `eval` and `exec`.

use std::collections::BTreeSet;

use monty::Room;
use ruff_text_size::{Ranged, TextRange};

use crate::caps;
use crate::edits::{apply, separate};
use crate::modules;
use crate::nesting;
use crate::profile::Profile;
use crate::script::{push_ends, push_inner};
use crate::survey::{Refusal, Survey};

/// Checks what `eval` or `exec` is given, and changes what has to be changed
/// about it. The text that was checked is the one that runs: what cannot be parsed
/// here is refused, for another reader could find code in it. With names
/// of its own (`is_scoped`) it does not see ours, and could hide them.
pub(crate) fn checked(
    source: &str,
    profile: &Profile,
    is_scoped: bool,
    room: Room,
) -> Result<Checked, Refusal> {
    let refused = |message: String, range| Refusal {
        kind: "SyntaxError",
        cause: "syntax",
        message,
        range,
        hint: None,
    };
    // As Python does, and Monty.
    let source = source.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']);
    if !monty::source_within_nesting_bound(source, 0) {
        let message = String::from("Source is too deeply nested");
        return Err(refused(message, TextRange::default()));
    }
    nesting::check(source)?;
    let parsed = ruff_python_parser::parse_module(source)
        .map_err(|error| refused(error.error.to_string(), error.location))?;
    caps::check_tokens(source, parsed.tokens())?;
    let no_room = caps::no_room(room, source, parsed.tokens());
    let mut survey = Survey::of(&parsed.syntax().body, profile);
    if let Some(refusal) = survey.refusal.take() {
        return Err(refusal);
    }
    let evaluated = survey.evaluated.first().map(|(range, _)| *range);
    let imported = survey.imports.first().map(|stmt| stmt.range());
    if let (true, Some(range)) = (is_scoped, evaluated.or(imported)) {
        let modules = modules::all().collect::<Vec<_>>().join(", ");
        return Err(Refusal {
            kind: "NameError",
            cause: "policy",
            message: format!(
                "what is evaluated with names of its own can neither evaluate nor import {modules}; leave the dictionary out"
            ),
            range,
            hint: None,
        });
    }
    let mut changes = Vec::new();
    push_inner(source, &survey, &mut changes);
    push_ends(&survey, &mut changes);
    changes.sort_by_key(|change| change.offset);
    separate(source, &mut changes);
    let owned = |names: &BTreeSet<&str>| names.iter().map(|&name| name.to_owned()).collect();
    Ok(Checked {
        text: apply(source, &changes),
        stores: owned(&survey.stores),
        later: owned(&survey.later),
        no_room: no_room.map(|failure| failure.exception.message),
    })
}

/// Text that may be evaluated.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) text: String,
    /// Names that it binds for everybody.
    pub(crate) stores: BTreeSet<String>,
    /// Names that its functions may bind so, now or later.
    pub(crate) later: BTreeSet<String>,
    /// Why it cannot be compiled, if the tables of the interpreter may be too full for it.
    pub(crate) no_room: Option<String>,
}
