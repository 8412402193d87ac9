//! One script: what the parser says about it, and the text that is fed.
//!
//! The value of a script must not leave Monty by its structural export, so a
//! trailing expression `E` becomes `_rlm_show((E))`, or `_rlm_value=(E)` where
//! more is asked than the value, and a top-level `return E` becomes
//! `_rlm_value=(E);return`, each on the lines where it stood. Positions in
//! tracebacks are mapped back by [`Edits`].

use std::collections::BTreeSet;

use ruff_python_ast::{ModModule, Stmt};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextRange};
use serde::{Deserialize, Serialize};

use crate::answers::Answers;
use crate::edits::{Change, Edits, apply, separate, shifted};
use crate::intact::smuggled;
use crate::profile::{Origin, Profile};
use crate::report::Question;
use crate::scaffold::POOLS;
use crate::source::without_comments;
use crate::survey::{Binds, RESULTS, Refusal, Survey};
use crate::{awaits, callbacks, compat, modules};

/// Stand before the value of a script.
const ASSIGN: &str = "_rlm_value=(";
const SHOW: &str = "_rlm_show((";
/// Stands around what `eval` and `exec` are given.
const CHECKED: &str = "_rlm_check(";
/// Begins every name that we put into a namespace.
pub(crate) const PREFIX: &str = "_rlm_";

/// Facts that are known when a script comes.
pub(crate) struct Around<'a> {
    pub(crate) profile: &'a Profile,
    /// Names of host functions.
    pub(crate) functions: &'a BTreeSet<String>,
    /// Names of functions that were defined to call one of those.
    pub(crate) asking: &'a BTreeSet<String>,
    /// Names that are bound, sorted, if that can be known.
    pub(crate) known: Option<&'a [String]>,
    /// Names that were bound when somebody last looked, sorted.
    pub(crate) names: &'a [String],
    /// Bytes of the repr of a value.
    pub(crate) value_bytes: usize,
    /// True if the source became the body of a function.
    pub(crate) wrapped: bool,
    /// Effects of earlier scripts, if this one is to be rewritten.
    pub(crate) habits: Option<&'a compat::Habits>,
    /// True if scripts before this one had pools.
    pub(crate) has_pools: bool,
}

/// A script that parsed and may run.
#[derive(Debug)]
pub(crate) struct Script {
    /// The text to feed.
    pub(crate) fed: String,
    pub(crate) tail: Tail,
    pub(crate) edits: Edits,
    /// Names of the session's own that it reads or binds.
    pub(crate) mentioned: BTreeSet<String>,
    /// Names that it binds for everybody.
    pub(crate) stores: BTreeSet<String>,
    /// Names that its functions may bind for everybody, now or later.
    pub(crate) later: BTreeSet<String>,
    /// True if it may bind names that cannot be seen in its text, now or, by
    /// its functions, later.
    pub(crate) stores_unseen: bool,
    /// True if something of it can run later: functions, classes, lambdas.
    pub(crate) defines_code: bool,
    /// True if it defines functions that run as tasks.
    pub(crate) defines_async: bool,
    /// Functions it defines that call host functions.
    pub(crate) asking: BTreeSet<String>,
    /// Modules of ours that it imports.
    pub(crate) modules: BTreeSet<&'static str>,
    /// Functions of the prelude that stand in for builtins in it.
    pub(crate) helpers: BTreeSet<&'static str>,
    /// Its rewriting.
    pub(crate) rewritten: compat::Rewritten,
    /// Names of ours, and what they are before it runs.
    pub(crate) marks: Vec<(&'static str, bool)>,
    /// Where in `fed` the calls stand whose results are awaited; sorted.
    pub(crate) awaited: Vec<u32>,
}

/// The way in which a script gives its value, and the questions when it has run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Tail {
    /// True if its last statement gives the value, shown.
    pub(crate) shown: bool,
    /// The question of a line of the REPL's own.
    pub(crate) question: Question,
    /// True if that line is fed by itself, after the script: a `return` may end the
    /// script before it, or a name that it reads may be unbound.
    pub(crate) is_apart: bool,
    /// True if a line of ours comes before that, which has pools do what nothing has waited for.
    pub(crate) settles: bool,
    /// True if the dictionary `answer` counts when it has run.
    pub(crate) answers: Answers,
}

impl Script {
    /// Takes a parsed script apart.
    pub(crate) fn new(
        source: &str,
        parsed: &Parsed<ModModule>,
        around: &Around<'_>,
    ) -> Result<Self, Refusal> {
        let module = parsed.syntax();
        let mut survey = Survey::of(&module.body, around.profile);
        if let Some(refusal) = survey.refusal.take() {
            return Err(refusal);
        }
        let evaluates = around.profile.eval && !survey.evaluated.is_empty();
        let is_bound = |name: &str| {
            let names = around.names;
            names
                .binary_search_by(|other| other.as_str().cmp(name))
                .is_ok()
        };
        let is_host = |name: &str| {
            around.functions.contains(name) || around.profile.origin(name) == Some(Origin::Prelude)
        };
        let asks = |name: &str| {
            is_host(name)
                // It may be another one by now, or none.
                || around.asking.contains(name)
                    && is_bound(name)
                    && !survey.stores.contains(name)
                || (around.profile.eval && matches!(name, "eval" | "exec"))
        };
        let asking = match survey.defines_code {
            true => callbacks::asking(&module.body, &asks),
            false => BTreeSet::new(),
        };
        let awaited = awaits::awaited_calls(module, around.functions);
        let asks = |name: &str| asks(name) || asking.contains(name);
        let is_own = |name: &str| {
            // Such a one is Python's again before each script.
            survey.stores.contains(name) || !around.profile.restores(name) && is_bound(name)
        };
        let mut rewritten = match around.habits {
            Some(habits) => {
                let is_renewed = |name: &str| {
                    let of_profile = around.profile.origin(name).is_some();
                    of_profile || around.profile.restores(name) || around.functions.contains(name)
                };
                let allows = |module: &str| around.profile.denial(module).is_none();
                let known = compat::Known {
                    asks: &asks,
                    is_host: &is_host,
                    is_renewed: &is_renewed,
                    allows: &allows,
                    is_own: &is_own,
                    habits,
                };
                compat::rewrite(&without_comments(source, parsed.tokens()), module, &known)
            }
            None => compat::Rewritten::default(),
        };
        if let Some(refusal) = rewritten.refusal.take() {
            return Err(refusal);
        }
        let is_rewritten = !rewritten.changes.is_empty();
        // Where changes meet, what stands around the others comes first, and last.
        let mut changes = Vec::new();
        push_inner(source, &survey, &mut changes);
        changes.append(&mut rewritten.changes);
        let (other, helpers) = callbacks::changes(
            source,
            &survey.callbacks,
            &asks,
            &is_own,
            &|call| {
                awaited
                    .binary_search(&call.range().start().to_u32())
                    .is_ok()
            },
            &|call| survey.is_blocking(call),
        );
        changes.extend(other);
        push_ends(&survey, &mut changes);
        let has_results = survey.results != [Binds::No; 2];
        for range in &survey.returns {
            let bare = range.len().to_u32() == "return".len() as u32;
            let assign = Change::new(range.start().to_u32(), "return".len() as u32, ASSIGN);
            changes.insert(0, assign);
            let end = match (bare, has_results) {
                (false, false) => ");return",
                (true, false) => "None);return",
                (false, true) => ");_rlm_done=True;return",
                (true, true) => "None);_rlm_done=True;return",
            };
            changes.push(Change::new(range.end().to_u32(), 0, end));
        }
        for (end, index) in &survey.marks {
            changes.push(Change::new(*end, 0, format!(";{}=True", RESULTS[*index].1)));
        }
        let may_return = !survey.returns.is_empty();
        let is_apart = may_return || has_results && survey.unbinds_results;
        let is_known = |name: &&str| {
            let known = around.known.unwrap_or_default();
            known
                .binary_search_by(|other| other.as_str().cmp(name))
                .is_ok()
        };
        let new_names = survey.stores_unseen
            || around.known.is_none()
            || rewritten.unbinds
            || !survey.stores.iter().all(is_known);
        // What is evaluated may import any of them.
        let modules = match evaluates {
            true => modules::all().collect(),
            false => &survey.modules | &rewritten.modules,
        };
        let settles = around.has_pools || modules.contains(POOLS);
        let mut tail = Tail {
            is_apart,
            settles,
            answers: Answers::of(&module.body, survey.mentioned.contains("answer")),
            ..Tail::default()
        };
        let mut has_expression = false;
        if let Some(Stmt::Expr(last)) = module.body.last() {
            has_expression = true;
            tail.shown = !is_apart && !new_names && !has_results && !settles;
            let (before, after) = if tail.shown {
                (SHOW, "))")
            } else {
                (ASSIGN, ")")
            };
            // Where changes meet, what stands around the others comes first.
            changes.insert(0, Change::new(last.range().start().to_u32(), 0, before));
            changes.push(Change::new(last.range().end().to_u32(), 0, after));
        }
        if has_results {
            tail.question.value = Some(result(&survey, has_expression, around.value_bytes));
        } else if may_return || (has_expression && !tail.shown) {
            tail.question.value = Some(String::from("_rlm_report(_rlm_value)"));
        }
        tail.question.names = new_names;
        changes.sort_by_key(|change| change.offset);
        if let Some(refusal) = overlap(&changes) {
            return Err(refusal);
        }
        separate(source, &mut changes);
        let fed = apply(source, &changes);
        if is_rewritten && let Some(word) = smuggled(parsed.tokens(), &fed, &changes) {
            return Err(Refusal {
                kind: "NotImplementedError",
                cause: "unsupported",
                message: format!("`{word}` in a comment or in text within this statement"),
                range: module.range(),
                hint: Some("take comments out of the midst of statements"),
            });
        }

        let awaited = awaited
            .into_iter()
            .map(|offset| shifted(&changes, offset))
            .collect();
        let is_bound = |index: usize| survey.results[index] == Binds::Surely;
        let marks = match has_results {
            false => Vec::new(),
            true => vec![
                ("_rlm_done", false),
                (RESULTS[0].1, is_bound(0)),
                (RESULTS[1].1, is_bound(1)),
            ],
        };
        let owned = |names: &BTreeSet<&str>| -> BTreeSet<String> {
            names.iter().map(|&name| name.to_owned()).collect()
        };
        Ok(Self {
            fed,
            tail,
            edits: Edits::new(source, &changes, around.wrapped),
            mentioned: match evaluates {
                true => owned(&survey.mentioned)
                    .into_iter()
                    .chain(survey.spoken)
                    .chain(Profile::lazy().map(str::to_owned))
                    .collect(),
                false => owned(&survey.mentioned),
            },
            stores: owned(&survey.stores),
            stores_unseen: survey.stores_unseen,
            defines_code: survey.defines_code,
            defines_async: survey.defines_async,
            asking: owned(&asking),
            modules,
            later: owned(&survey.later),
            helpers,
            rewritten,
            marks,
            awaited,
        })
    }
}

/// Two rewrites of the same piece of a script, which nobody has foreseen.
fn overlap(changes: &[Change]) -> Option<Refusal> {
    let mut done = 0;
    for change in changes {
        if change.offset < done {
            let range = TextRange::new(change.offset.into(), done.into());
            return Some(Refusal {
                kind: "NotImplementedError",
                cause: "unsupported",
                message: String::from("what this expression says at once"),
                range,
                hint: Some("give its parts names of their own, in statements before it"),
            });
        }
        done = change.offset + change.removed;
    }
    None
}

/// The changes that are the same in a script and in what it evaluates.
pub(crate) fn push_inner(source: &str, survey: &Survey<'_>, changes: &mut Vec<Change>) {
    for stmt in &survey.imports {
        if let Some(text) = modules::rewritten(stmt) {
            let range = stmt.range();
            let lines = source[range.start().to_usize()..range.end().to_usize()].matches('\n');
            // Lines stay where they are; inside of parentheses a line end is nothing.
            let text = text.replace(modules::GAP, &"\n".repeat(lines.count()));
            changes.push(Change::new(
                range.start().to_u32(),
                range.len().to_u32(),
                text,
            ));
        }
    }
    for (range, _) in &survey.evaluated {
        changes.push(Change::new(range.start().to_u32(), 0, CHECKED));
    }
}

/// Returns the text that closes what [`push_inner`] opened.
pub(crate) fn push_ends(survey: &Survey<'_>, changes: &mut Vec<Change>) {
    for (range, is_scoped) in &survey.evaluated {
        let after = if *is_scoped { ",True)" } else { ")" };
        changes.push(Change::new(range.end().to_u32(), 0, after));
    }
}

/// The expression for the value of a script that binds a name for results: an
/// explicit `return_value` before the last expression, and that before a
/// `result`, which is often incidental.
fn result(survey: &Survey<'_>, has_expression: bool, value_bytes: usize) -> String {
    let shown = |index: usize, rest: String| {
        let (name, mark) = RESULTS[index];
        let show = format!("_rlm_result({name},{value_bytes})");
        match survey.results[index] {
            Binds::No => rest,
            Binds::Surely if !survey.unbinds_results => show,
            Binds::Surely | Binds::Marked => format!("({show} if {mark} else {rest})"),
        }
    };
    let last = shown(1, String::from("None"));
    let last = match has_expression {
        true => format!("(_rlm_report(_rlm_value) if _rlm_value is not None else {last})"),
        false => last,
    };
    let value = shown(0, last);
    match survey.returns.is_empty() {
        true => value,
        false => format!("(_rlm_report(_rlm_value) if _rlm_done else {value})"),
    }
}

#[cfg(test)]
mod tests {
    use monty_types::CodeLoc;

    use super::*;

    fn script(source: &str) -> Script {
        let parsed = ruff_python_parser::parse_module(source).expect("parses");
        let known: Vec<_> = ["a", "ask", "b", "c", "d", "e", "g", "json", "os", "r", "y"]
            .map(String::from)
            .into();
        let around = Around {
            profile: &Profile::default(),
            functions: &BTreeSet::from([String::from("f")]),
            asking: &BTreeSet::from([String::from("ask")]),
            known: Some(&known),
            names: &known,
            value_bytes: 100,
            wrapped: false,
            habits: None,
            has_pools: false,
        };
        Script::new(source, &parsed, &around).expect("nothing is refused")
    }

    #[test]
    fn the_value_of_a_script_is_assigned_on_its_own_lines() {
        for (source, fed) in [
            ("1 + 1", "_rlm_show((1 + 1))"),
            ("y = 1; y # note", "y = 1; _rlm_show((y)) # note"),
            ("x = 1; x # note", "x = 1; _rlm_value=(x) # note"),
            ("(\n 1,\n 2\n)", "_rlm_show(((\n 1,\n 2\n)))"),
            (
                "if x: return 1\n2",
                "if x: _rlm_value=( 1);return\n_rlm_value=(2)",
            ),
            ("def g(): return 1", "def g(): return 1"),
            (
                "for x in y:\n  return",
                "for x in y:\n  _rlm_value=(None);return",
            ),
        ] {
            assert_eq!(script(source).fed, fed);
        }
    }

    #[test]
    fn columns_map_back_through_the_changes() {
        let script = script("x = [1]; x[é]");
        assert!(script.tail.question.names && !script.tail.shown);
        assert_eq!(script.fed, "x = [1]; _rlm_value=(x[é])");
        let at = |line: u32, column: u32| CodeLoc::new(line - 1, column - 1);
        let column = |column| {
            script
                .edits
                .place(at(1, column))
                .expect("of the source")
                .column
        };
        assert_eq!([1, 9, 10, 22, 23, 24].map(column), [1, 9, 10, 10, 11, 12]);
        assert!(script.edits.place(at(2, 1)).is_none());
    }

    #[test]
    fn names_are_noted_as_bound() {
        let one =
            script("import re as r, json\nfor a, b in context: c = [d := a]\ndef e(): h = files");
        assert!(one.defines_code && !one.tail.question.names && !one.stores_unseen);
        assert_eq!(
            one.stores.into_iter().collect::<Vec<_>>().join(" "),
            "a b c d e json r"
        );
        assert!(script("def e():\n  global g\n  g = 1").stores_unseen);
        assert!(!script("x = 1").defines_code);
    }

    #[test]
    fn modules_that_reach_outside_are_refused_wherever_they_are_imported() {
        for source in [
            "import os",
            "import json, os.path as p",
            "def f():\n  from pathlib import Path",
            "try:\n  1\nfinally:\n  import os",
            "try:\n  import os\nfinally:\n  1",
            "try:\n  1\nexcept ImportError:\n  import os",
            "try:\n  import os\nexcept ImportError:\n  1\nelse:\n  import os",
        ] {
            let parsed = ruff_python_parser::parse_module(source).expect("parses");
            let profile = Profile::default();
            let refusal = Survey::of(&parsed.syntax().body, &profile).refusal;
            assert_eq!(refusal.expect(source).kind, "ImportError");
        }
        script("import json; os = 1");
        // What may do without it is refused where it imports it: see the host's tests.
        script("try:\n  import os\nexcept ImportError:\n  os = None");
    }

    #[test]
    fn callbacks_that_ask_go_to_functions_that_can_wait() {
        // R2-10, design: host functions in `map` and its kin.
        for (source, fed) in [
            (
                "y = [*product(map(f, y))]",
                "y = [*product(_rlm_map(f, y))]",
            ),
            (
                "y = sorted(y, key=lambda a: f(a))",
                "y = _rlm_sorted(y, key=lambda a: f(a))",
            ),
            ("y = max(y, key=ask)", "y = _rlm_max(y, key=ask)"),
            ("y.sort(key=f)", "_rlm_show((_rlm_sort(y,key=f)))"),
            (
                "(y or a)\\\n.sort(key=f)",
                "_rlm_show((_rlm_sort((y or a)\\\n,key=f)))",
            ),
            (
                "def g(a): return f(a)\ny = product(filter(g, y))",
                "def g(a): return f(a)\ny = product(_rlm_filter(g, y))",
            ),
            (
                "y = await gather(*map(f, y))",
                "y = await gather(*_rlm_map_awaited(f, y))",
            ),
            ("y = [*map(len, y)]", "y = [*map(len, y)]"),
            (
                "y = sorted(y, key=lambda a: -a)",
                "y = sorted(y, key=lambda a: -a)",
            ),
        ] {
            assert_eq!(script(source).fed, fed);
        }
    }

    #[test]
    fn results_are_the_value_where_nothing_is_more_explicit() {
        // X05.
        for (source, fed, value) in [
            ("result = 1", "result = 1", "_rlm_result(result,100)"),
            (
                "if y: result = 1",
                "if y: result = 1;_rlm_resulted=True",
                "(_rlm_result(result,100) if _rlm_resulted else None)",
            ),
            (
                "return_value = 1\n2",
                "return_value = 1\n_rlm_value=(2)",
                "_rlm_result(return_value,100)",
            ),
        ] {
            let script = script(source);
            assert_eq!(script.fed, fed);
            assert_eq!(script.tail.question.value.as_deref(), Some(value));
        }
    }

    #[test]
    fn modules_of_ours_are_bound_by_assignments() {
        assert_eq!(
            script("import string, json as b").fed,
            "import json as b;string=(_rlm_module_string)"
        );
        assert_eq!(
            script("if y: from heapq import heappush as g, nsmallest").fed,
            "if y: g=_rlm_from(_rlm_module_heapq,'heappush');nsmallest=(_rlm_from(_rlm_module_heapq,'nsmallest'))"
        );
    }
}
