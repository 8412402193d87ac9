//! One script: what the parser says about it, and the text that is fed.
//!
//! The value of a script must not leave Monty by its structural export, so a
//! trailing expression `E` becomes `_rlm_show((E))`, or `_rlm_value=(E)` where
//! more is asked than the value, and a top-level `return E` becomes
//! `_rlm_value=(E);return`, each on the lines where it stood. Positions in
//! tracebacks are mapped back by [`Edits`].

use std::collections::{BTreeMap, BTreeSet};

use monty_types::CodeLoc;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, ModModule, Stmt};
use ruff_text_size::{Ranged, TextRange};
use serde::{Deserialize, Serialize};

use crate::awaits;
use crate::contexts::Contexts;
use crate::report::Question;

/// Stand before the value of a script.
const ASSIGN: &str = "_rlm_value=(";
const SHOW: &str = "_rlm_show((";
/// Begins every name that we put into a namespace.
pub(crate) const PREFIX: &str = "_rlm_";

/// Modules that Monty has and a script may not import: they reach for files
/// and the environment, and would only fail later and less clearly.
const DENIED_MODULES: [&str; 2] = ["os", "pathlib"];

/// A script that parsed.
#[derive(Debug)]
pub(crate) struct Script {
    /// The text to feed.
    pub(crate) fed: String,
    pub(crate) tail: Tail,
    pub(crate) edits: Edits,
    /// The names for contexts that the script reads or writes.
    pub(crate) context_names: BTreeSet<String>,
    /// Whether it may bind one of them anew.
    pub(crate) stores_context: bool,
    /// Whether it may bind names that cannot be seen in its text, now or, by
    /// its functions, later.
    pub(crate) stores_unseen: bool,
    /// Whether something of it can run later: functions, classes, lambdas.
    pub(crate) defines_code: bool,
    /// Where in `fed` the calls stand whose results are awaited; sorted.
    pub(crate) awaited: Vec<u32>,
    /// The first import that is not allowed, with its place.
    pub(crate) denied_import: Option<(String, CodeLoc)>,
}

/// How a script tells its value, and what has to be asked when it has run.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Tail {
    /// Whether its last statement gives the value, shown.
    pub(crate) shown: bool,
    /// What a line of ours has to ask.
    pub(crate) question: Question,
    /// Whether a `return` may end the script before such a line.
    pub(crate) may_return: bool,
}

impl Script {
    /// Takes a parsed script apart. `functions` are the names of host functions,
    /// `known` says which names are bound already, if that can be known.
    pub(crate) fn new(
        source: &str,
        module: &ModModule,
        functions: &BTreeSet<&str>,
        known: Option<impl Fn(&str) -> bool>,
    ) -> Self {
        let mut survey = Survey::default();
        survey.visit_body(&module.body);

        let mut changes: Vec<Change> = Vec::new();
        for range in &survey.returns {
            let bare = range.len().to_u32() == "return".len() as u32;
            changes.push(Change::new(
                range.start().to_u32(),
                "return".len() as u32,
                ASSIGN,
            ));
            changes.push(Change::new(
                range.end().to_u32(),
                0,
                if bare { "None);return" } else { ");return" },
            ));
        }
        let may_return = !survey.returns.is_empty();
        let new_names = survey.stores_unseen
            || known.is_none_or(|known| !survey.stores.iter().all(|name| known(name)));
        let mut tail = Tail::default();
        if let Some(Stmt::Expr(last)) = module.body.last() {
            let alone = !may_return && !new_names;
            let (before, after) = if alone { (SHOW, "))") } else { (ASSIGN, ")") };
            changes.push(Change::new(last.range().start().to_u32(), 0, before));
            changes.push(Change::new(last.range().end().to_u32(), 0, after));
            tail.shown = alone;
            tail.question.value = !alone;
        }
        tail.question.value |= may_return;
        tail.question.names = new_names;
        tail.may_return = may_return;
        changes.sort_by_key(|change| change.offset);

        let awaited = awaits::awaited_calls(module, functions)
            .into_iter()
            .map(|offset| shifted(&changes, offset))
            .collect();
        let denied_import = survey
            .denied_import
            .map(|(module, range)| (module, location(source, range.start().to_usize())));
        Self {
            fed: apply(source, &changes),
            tail,
            edits: Edits::new(source, &changes),
            context_names: survey.context_names,
            stores_context: survey.stores_context,
            stores_unseen: survey.stores_unseen,
            defines_code: survey.defines_code,
            awaited,
            denied_import,
        }
    }
}

/// At byte `offset` of the source, `removed` bytes give way to `inserted`.
#[derive(Debug)]
struct Change {
    offset: u32,
    removed: u32,
    inserted: &'static str,
}

impl Change {
    fn new(offset: u32, removed: u32, inserted: &'static str) -> Self {
        Self {
            offset,
            removed,
            inserted,
        }
    }
}

fn apply(source: &str, changes: &[Change]) -> String {
    let mut fed = String::with_capacity(source.len() + 128);
    let mut done = 0;
    for change in changes {
        fed.push_str(&source[done..change.offset as usize]);
        fed.push_str(change.inserted);
        done = (change.offset + change.removed) as usize;
    }
    fed.push_str(&source[done..]);
    fed
}

fn shifted(changes: &[Change], offset: u32) -> u32 {
    changes
        .iter()
        .take_while(|change| change.offset <= offset)
        .fold(offset, |at, change| {
            at + change.inserted.len() as u32 - change.removed
        })
}

fn location(source: &str, offset: usize) -> CodeLoc {
    let line_start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = source[..offset]
        .bytes()
        .filter(|&byte| byte == b'\n')
        .count();
    CodeLoc::new(
        line as u32,
        source[line_start..offset].chars().count() as u32,
    )
}

/// How to get from positions in the fed text to positions in the source.
///
/// Changes are rare, so only the lines that have one are kept.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Edits {
    lines: BTreeMap<u32, EditedLine>,
    /// Lines of the source; what lies beyond was added by us.
    line_count: u32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct EditedLine {
    original: String,
    /// (column from 0 in the source, characters removed, characters inserted)
    changes: Vec<(u32, u32, u32)>,
}

impl Edits {
    /// For a source that is fed as it is.
    pub(crate) fn none(source: &str) -> Self {
        Self::new(source, &[])
    }

    fn new(source: &str, changes: &[Change]) -> Self {
        let mut lines: BTreeMap<u32, EditedLine> = BTreeMap::new();
        for change in changes {
            let place = location(source, change.offset as usize);
            let line = lines.entry(place.line).or_default();
            if line.changes.is_empty() {
                line.original = source
                    .lines()
                    .nth(place.line as usize - 1)
                    .unwrap_or_default()
                    .to_owned();
            }
            line.changes.push((
                place.column - 1,
                change.removed,
                change.inserted.chars().count() as u32,
            ));
        }
        Self {
            lines,
            line_count: source.lines().count() as u32,
        }
    }

    /// Whether the line `line` (from 1) of the fed text stands in the source.
    pub(crate) fn contains(&self, line: u32) -> bool {
        line <= self.line_count
    }

    /// The column (from 1) in the source of a position in the fed text.
    pub(crate) fn column(&self, line: u32, column: u32) -> u32 {
        let Some(edited) = self.lines.get(&line) else {
            return column;
        };
        let fed = i64::from(column) - 1;
        let mut delta = 0_i64;
        for &(at, removed, inserted) in &edited.changes {
            let start = i64::from(at) + delta;
            if fed < start {
                break;
            }
            if fed < start + i64::from(inserted) {
                return at + 1;
            }
            delta += i64::from(inserted) - i64::from(removed);
        }
        (fed - delta + 1).max(1) as u32
    }

    /// The source line `line`, if it is one that was changed.
    pub(crate) fn original(&self, line: u32) -> Option<&str> {
        self.lines.get(&line).map(|edited| edited.original.as_str())
    }
}

/// Walks a script once and notes what the REPL needs to know of it.
#[derive(Debug, Default)]
struct Survey {
    context_names: BTreeSet<String>,
    stores_context: bool,
    stores: BTreeSet<String>,
    stores_unseen: bool,
    defines_code: bool,
    /// `return` statements outside of any function.
    returns: Vec<TextRange>,
    denied_import: Option<(String, TextRange)>,
    /// How many functions, lambdas and classes are around.
    depth: u32,
}

impl Survey {
    fn load(&mut self, name: &str) {
        if Contexts::owns(name) {
            self.context_names.insert(name.to_owned());
        }
        self.stores_unseen |= matches!(name, "exec" | "eval");
    }

    fn store(&mut self, name: &str) {
        self.load(name);
        self.stores_context |= Contexts::owns(name);
        if self.depth == 0 && !self.stores.contains(name) {
            self.stores.insert(name.to_owned());
        }
    }

    fn import(&mut self, module: &str, range: TextRange) {
        let top = module.split('.').next().unwrap_or(module);
        if self.denied_import.is_none() && DENIED_MODULES.contains(&top) {
            self.denied_import = Some((module.to_owned(), range));
        }
    }
}

impl<'a> Visitor<'a> for Survey {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let nested = matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
        match stmt {
            Stmt::FunctionDef(function) => self.store(function.name.as_str()),
            Stmt::ClassDef(class) => self.store(class.name.as_str()),
            Stmt::Return(statement) if self.depth == 0 => self.returns.push(statement.range()),
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.import(alias.name.as_str(), import.range());
                    let bound = alias
                        .asname
                        .as_ref()
                        .map_or(alias.name.as_str(), |name| name.as_str());
                    self.store(bound.split('.').next().unwrap_or(bound));
                }
            }
            Stmt::ImportFrom(import) => {
                if let Some(module) = &import.module {
                    self.import(module.as_str(), import.range());
                }
                for alias in &import.names {
                    self.store(alias.asname.as_ref().unwrap_or(&alias.name).as_str());
                }
            }
            Stmt::Global(global) => {
                self.stores_unseen = true;
                global
                    .names
                    .iter()
                    .for_each(|name| self.store(name.as_str()));
            }
            _ => {}
        }
        self.defines_code |= nested;
        self.depth += u32::from(nested);
        visitor::walk_stmt(self, stmt);
        self.depth -= u32::from(nested);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Load => self.load(name.id.as_str()),
            Expr::Name(name) => self.store(name.id.as_str()),
            Expr::Lambda(_) => self.defines_code = true,
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &'a ruff_python_ast::ExceptHandler) {
        let ruff_python_ast::ExceptHandler::ExceptHandler(inner) = handler;
        if let Some(name) = &inner.name {
            self.store(name.as_str());
        }
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a ruff_python_ast::Pattern) {
        match pattern {
            ruff_python_ast::Pattern::MatchAs(inner) => {
                inner.name.iter().for_each(|name| self.store(name.as_str()));
            }
            ruff_python_ast::Pattern::MatchStar(inner) => {
                inner.name.iter().for_each(|name| self.store(name.as_str()));
            }
            ruff_python_ast::Pattern::MatchMapping(inner) => {
                inner.rest.iter().for_each(|name| self.store(name.as_str()));
            }
            _ => {}
        }
        visitor::walk_pattern(self, pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(source: &str) -> Script {
        let parsed = ruff_python_parser::parse_module(source).expect("parses");
        Script::new(
            source,
            parsed.syntax(),
            &BTreeSet::from(["f"]),
            Some(|name: &str| name != "x"),
        )
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
        assert_eq!(
            [1, 9, 10, 22, 23, 24].map(|column| script.edits.column(1, column)),
            [1, 9, 10, 10, 11, 12]
        );
        assert_eq!(script.edits.original(1), Some("x = [1]; x[é]"));
        assert!(!script.edits.contains(2));
    }

    #[test]
    fn names_are_noted_as_read_or_bound() {
        let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
        let one =
            script("import re as r, json\nfor a, b in context: c = [d := a]\ndef e(): h = files");
        assert_eq!(names(&one.context_names), "context files");
        assert!(
            one.defines_code
                && !one.tail.question.names
                && !one.stores_unseen
                && !one.stores_context
        );
        assert!(
            script("def e():\n  global g\n  g = 1").stores_unseen
                && script("exec('x = 1')").stores_unseen
        );
        assert!(script("context = context[1:]").stores_context && !script("x = 1").defines_code);
    }

    #[test]
    fn modules_that_reach_outside_are_found_wherever_they_are_imported() {
        for source in [
            "import os",
            "import json, os.path as p",
            "def f():\n  from pathlib import Path",
        ] {
            assert!(script(source).denied_import.is_some(), "{source}");
        }
        assert!(script("import json; os = 1").denied_import.is_none());
    }
}
