//! Code that models write and Monty does not run as Python does: rewritten where that
//! takes nothing but the expression itself, else refused with a hint.
//!
//! Each rewrite is a file of its own. It sees one statement or expression, and
//! where that stands; it may put text before and after it and replace what
//! stands between its parts, never move anything. What it puts there calls
//! functions of `prelude/compat`, which are fed when a script first needs them.

mod attributes;
mod bases;
mod calls;
mod classes;
mod dataclasses;
mod debug_text;
mod decorators;
mod errors;
mod flow;
mod gathered;
mod habits;
mod helpers;
mod imports;
mod kinds;
mod known;
mod methods;
mod order;
mod regex;
mod tasks;
mod tested;
mod walk;

use std::collections::BTreeSet;

use ruff_python_ast::visitor::Visitor as _;
use ruff_python_ast::{Expr, ModModule, Stmt};
use ruff_text_size::{Ranged, TextRange};

use crate::edits::{Change, location};
use crate::survey::Refusal;

pub(crate) use errors::is_exception;
pub(crate) use helpers::source as helper_source;
pub(crate) use known::{Habits, Known};

/// The rewriting of a script.
#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    pub(crate) changes: Vec<Change>,
    /// The parts of the prelude that it needs.
    pub(crate) helpers: BTreeSet<&'static str>,
    /// Modules of ours that it needs without importing them.
    pub(crate) modules: BTreeSet<&'static str>,
    /// Lines that come before it.
    pub(crate) lines: Vec<String>,
    /// Which rewrites, and at which byte of the source.
    pub(crate) rewrites: Vec<(&'static str, u32)>,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) habits: Habits,
    /// True if a name may be gone afterwards.
    pub(crate) unbinds: bool,
}

/// Where an expression stands, as far as that makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is what a call calls.
    Callee,
    /// All of its items are taken before anything else happens.
    Drained,
    /// A `for` statement goes through it.
    Looped,
    /// Only its truth counts.
    Tested,
    /// Its own call was replaced, with it.
    Done,
}

/// The walk over one script.
pub(crate) struct Pass<'a> {
    source: &'a str,
    known: &'a Known<'a>,
    out: Rewritten,
    /// Facts about expressions that are yet to come.
    places: Vec<(usize, Place)>,
    /// Function calls and lambdas around, which decide what is local.
    functions: Vec<BTreeSet<&'a str>>,
    /// Text that closes statements, behind all that is changed in them.
    closings: Vec<Change>,
    /// Lines that come after statements; the innermost last.
    ends: Vec<(u32, String)>,
    imports: imports::Imports<'a>,
    /// True if a class body is directly around.
    in_class: bool,
    /// The names of the classes around.
    classes: Vec<&'a str>,
    /// The functions and classes that the script defines.
    defined: BTreeSet<&'a str>,
    /// True if instances may say themselves which is less, and ask the host.
    orders: bool,
    /// True if `__doc__` is the text that the script begins with.
    has_docstring: bool,
}

/// Rewrites `module`.
pub(crate) fn rewrite(source: &str, module: &ModModule, known: &Known<'_>) -> Rewritten {
    let mut pass = Pass {
        source,
        known,
        out: Rewritten {
            habits: known.habits.with_names(known.is_own),
            ..Rewritten::default()
        },
        places: Vec::new(),
        functions: Vec::new(),
        closings: Vec::new(),
        ends: Vec::new(),
        imports: imports::Imports::of(&module.body),
        in_class: false,
        classes: Vec::new(),
        defined: BTreeSet::new(),
        orders: false,
        has_docstring: false,
    };
    pass.learn_imports();
    pass.learn(&module.body);
    if regex::needs_all(source) {
        pass.out.helpers.extend(["re", "re_full"]);
    }
    pass.out.habits.kinds |= kinds::are_in(source);
    pass.binds_docstring(&module.body);
    pass.visit_body(&module.body);
    pass.forget_renewed();
    pass.out.changes.append(&mut pass.closings);
    for (offset, text) in std::mem::take(&mut pass.ends).into_iter().rev() {
        pass.insert(offset, text);
    }
    pass.out
}

impl Pass<'_> {
    /// Binds a name to the text that a script begins with, if it reads `__doc__`, which stands for that name then: the one of
    /// the module cannot be bound.
    fn binds_docstring(&mut self, body: &[Stmt]) {
        if let Some(Stmt::Expr(first)) = body.first()
            && first.value.is_string_literal_expr()
            && self.source.contains("__doc__")
        {
            self.insert(first.range.start().to_u32(), "_rlm_doc = ");
            self.has_docstring = true;
        }
    }

    fn insert(&mut self, offset: impl Into<u32>, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.out.changes.push(Change::new(offset.into(), 0, text));
    }

    fn replace(&mut self, start: u32, end: u32, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.out.changes.push(Change::new(start, end - start, text));
    }

    fn replace_range(&mut self, range: TextRange, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.replace(range.start().to_u32(), range.end().to_u32(), text);
    }

    /// Puts `text` behind all that is put at `offset` by what stands inside.
    fn close(&mut self, offset: u32, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.closings.push(Change::new(offset, 0, text));
    }

    fn rewrote(&mut self, rule: &'static str, at: TextRange, helper: &'static str) {
        self.out.rewrites.push((rule, at.start().to_u32()));
        if !helper.is_empty() {
            self.out.helpers.insert(helper);
        }
    }

    /// Refuses the script, with what to write instead.
    fn refuse(&mut self, message: &str, hint: &'static str, range: TextRange) {
        self.out.refusal.get_or_insert_with(|| Refusal {
            kind: "NotImplementedError",
            cause: "unsupported",
            message: format!("this Python does not support {message}"),
            range,
            hint: Some(hint),
        });
    }

    fn stands(&mut self, expr: &Expr, place: Place) {
        self.places.push((std::ptr::from_ref(expr) as usize, place));
    }

    /// Where `expr` stands, which is forgotten; what was said last counts.
    fn place(&mut self, expr: &Expr) -> Option<Place> {
        let key = std::ptr::from_ref(expr) as usize;
        let last = self.places.iter().rposition(|(other, _)| *other == key)?;
        let (_, place) = self.places.remove(last);
        // What was said before it counts no more.
        while let Some(other) = self.places[..last.min(self.places.len())]
            .iter()
            .rposition(|(other, _)| *other == key)
        {
            self.places.remove(other);
        }
        Some(place)
    }

    /// Returns whether `name` still means what Python means by it.
    fn is_pythons(&self, name: &str) -> bool {
        !(self.known.is_own)(name) && !self.functions.iter().any(|own| own.contains(name))
    }

    /// The builtin that `expr` names.
    fn builtin<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        match expr {
            Expr::Name(name) if self.is_pythons(name.id.as_str()) => Some(name.id.as_str()),
            _ => None,
        }
    }

    fn text(&self, range: TextRange) -> &str {
        &self.source[range.start().to_usize()..range.end().to_usize()]
    }

    /// A name like `__this` has the name of the class around before it.
    fn mangled(&self, name: &str) -> String {
        match self.classes.last() {
            Some(class) if name.starts_with("__") && !name.ends_with("__") => {
                format!("_{}{name}", class.trim_start_matches('_'))
            }
            _ => name.to_owned(),
        }
    }

    fn mangle(&mut self, at: &impl Ranged, name: &str) {
        let mangled = self.mangled(name);
        if mangled.len() > name.len() {
            let start = at.range().start().to_u32();
            // What is replaced as a whole has its name already.
            let is_done = |change: &Change| {
                change.removed > 0
                    && change.offset < start
                    && start < change.offset + change.removed
            };
            if !self.out.changes.iter().rev().take(8).any(is_done) {
                self.replace(start, at.range().end().to_u32(), mangled);
            }
        }
    }

    fn mangle_name(&mut self, expr: &Expr) {
        if let Expr::Name(name) = expr {
            self.mangle(name, name.id.as_str());
        }
    }

    /// Returns the indentation before `offset` in its line; `None` if there is other text.
    fn indent(&self, offset: u32) -> Option<&str> {
        let line = self.source[..offset as usize]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let before = &self.source[line..offset as usize];
        before.chars().all(char::is_whitespace).then_some(before)
    }
}

/// Returns whether ours stands for the builtin `name`, which Monty lacks.
pub(crate) fn provides(name: &str) -> bool {
    [&calls::MISSING[..], &errors::MISSING, &errors::OLD]
        .iter()
        .any(|names| names.contains(&name))
}

/// Line and column of each rewrite.
pub(crate) fn told(source: &str, rewrites: &[(&'static str, u32)]) -> Vec<(String, u32, u32)> {
    let places = rewrites.iter().map(|(rule, offset)| {
        let at = location(source, *offset as usize);
        ((*rule).to_owned(), at.line, at.column)
    });
    places.collect()
}

/// The last part of the name that `expr` is, calls or takes an item of.
fn last_name(expr: &Expr) -> &str {
    match expr {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        Expr::Call(call) => last_name(&call.func),
        Expr::Subscript(subscript) => last_name(&subscript.value),
        _ => "",
    }
}
