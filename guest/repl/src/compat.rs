//! What models write and Monty does not run as Python does: rewritten where that
//! takes nothing but the expression itself, else refused with a hint.
//!
//! Each rewrite is a file of its own. It sees one statement or expression, and
//! where that stands; it may put text before and after it and replace what
//! stands between its parts, never move anything. What it puts there calls
//! functions of `prelude/compat`, which are fed when a script first needs them.

mod attributes;
mod bases;
mod bodies;
mod calls;
mod classes;
mod dataclasses;
mod decorators;
mod deletion;
mod error_bodies;
mod errors;
mod exceptions;
mod flow;
mod formats;
mod generators;
mod growing;
mod habits;
mod helpers;
mod kinds;
mod lazy;
mod listing;
mod loops;
mod methods;
mod names;
mod order;
mod regex;
mod tasks;
mod truth;

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, ExprSubscript, InterpolatedStringElement,
    ModModule, Stmt, StmtFor,
};
use ruff_text_size::{Ranged, TextRange};
use serde::{Deserialize, Serialize};

use crate::edits::{Change, location};
use crate::survey::Refusal;

pub(crate) use helpers::{method as native_method, source as helper_source};
pub(crate) use methods::is_builtin_method;

/// What is known of a session when a script is rewritten.
pub(crate) struct Known<'a> {
    /// Whether a name is, or calls, a host function.
    pub(crate) asks: &'a dyn Fn(&str) -> bool,
    /// Whether scripts have bound a name themselves.
    pub(crate) is_own: &'a dyn Fn(&str) -> bool,
    pub(crate) habits: &'a Habits,
}

impl Known<'static> {
    /// For a script of no session.
    pub(crate) fn nothing() -> Self {
        const NONE: &Habits = &Habits {
            truth: false,
            order: false,
            mappings: false,
            reversible: false,
            kinds: false,
            unequal: false,
            in_place: false,
            formats: false,
            lacking: false,
            listed: false,
            rows: false,
            lists: BTreeSet::new(),
            copies: BTreeSet::new(),
            slots: false,
            properties: BTreeSet::new(),
            attributes: BTreeSet::new(),
            classes: BTreeSet::new(),
            generics: BTreeSet::new(),
            lazy: false,
            generators: BTreeSet::new(),
            cleaning: BTreeSet::new(),
            odd_errors: false,
            own_errors: false,
            chains: false,
            unchained: false,
            error_classes: BTreeSet::new(),
            error_modules: false,
            error_bodies: BTreeSet::new(),
        };
        Self {
            asks: &|_| false,
            is_own: &|_| false,
            habits: NONE,
        }
    }
}

/// What scripts of a session have done that later ones must be read by.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Habits {
    /// Instances may say themselves how long or how true they are.
    pub(crate) truth: bool,
    /// Instances may say themselves which is less.
    pub(crate) order: bool,
    /// There may be mappings that are no dictionaries of Monty's.
    pub(crate) mappings: bool,
    /// Instances may say themselves what they are not equal to.
    pub(crate) unequal: bool,
    /// Instances may say themselves what `+=` and its kin do.
    pub(crate) in_place: bool,
    /// Instances may say themselves how they are formatted.
    pub(crate) formats: bool,
    /// Instances may say themselves what an attribute is that they lack.
    pub(crate) lacking: bool,
    /// Something lists the attributes of instances.
    pub(crate) listed: bool,
    /// There may be named tuples.
    pub(crate) rows: bool,
    /// Names of what was once a list.
    pub(crate) lists: BTreeSet<String>,
    /// Names of methods that give all attributes, which are copies here.
    pub(crate) copies: BTreeSet<String>,
    /// Instances may not have all attributes that are assigned.
    pub(crate) slots: bool,
    /// Names of attributes that are not just read and set.
    pub(crate) properties: BTreeSet<String>,
    /// Names of all attributes that scripts assign.
    pub(crate) attributes: BTreeSet<String>,
    /// Names of the classes of scripts.
    pub(crate) classes: BTreeSet<String>,
    /// Those of classes that may be subscripted.
    pub(crate) generics: BTreeSet<String>,
    /// There may be kinds that are no types in Monty.
    pub(crate) kinds: bool,
    /// Instances may say themselves what their items are from the end.
    pub(crate) reversible: bool,
    /// There may be iterators that work only when they are asked.
    pub(crate) lazy: bool,
    /// Generator functions.
    pub(crate) generators: BTreeSet<String>,
    /// Those that have something to do when they are left.
    pub(crate) cleaning: BTreeSet<String>,
    /// There may be exceptions that hold more, or other things, than one text.
    pub(crate) odd_errors: bool,
    /// There may be exceptions of types that Monty lacks.
    pub(crate) own_errors: bool,
    /// It is kept what exceptions came from.
    pub(crate) chains: bool,
    /// Functions may raise exceptions of which that is not kept.
    pub(crate) unchained: bool,
    /// Classes of exceptions that scripts defined.
    pub(crate) error_classes: BTreeSet<String>,
    /// There are modules that have types of exceptions of their own.
    pub(crate) error_modules: bool,
    /// Those of them that have attributes or methods of their own.
    pub(crate) error_bodies: BTreeSet<String>,
}

/// What was done to a script.
#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    pub(crate) changes: Vec<Change>,
    /// What of the prelude it needs.
    pub(crate) helpers: BTreeSet<&'static str>,
    /// Modules of ours that it needs without importing them.
    pub(crate) modules: BTreeSet<&'static str>,
    /// Methods of builtin types that it uses as values.
    pub(crate) methods: BTreeSet<&'static str>,
    /// Lines that come before it.
    pub(crate) lines: Vec<String>,
    /// Which rewrites, and at which byte of the source.
    pub(crate) rewrites: Vec<(&'static str, u32)>,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) habits: Habits,
    /// Whether a name may be gone afterwards.
    pub(crate) unbinds: bool,
}

/// Where an expression stands, as far as that makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is what a call calls.
    Callee,
    /// All of its items are taken before anything else happens.
    Drained,
    /// A `for` statement goes through it; whether that may end early, and whether
    /// it visibly changes what it goes through.
    Looped { early: bool, changes: bool },
    /// Only its truth counts.
    Tested,
    /// Nobody sees whether it is a copy.
    Copied,
    /// It is given what it is to hold.
    Filled,
    /// Its own call was replaced, with it.
    Done,
}

/// The walk over one script.
pub(crate) struct Pass<'a> {
    source: &'a str,
    known: &'a Known<'a>,
    out: Rewritten,
    /// What is known of expressions that are yet to come.
    places: Vec<(usize, Place)>,
    /// Function calls and lambdas around, which decide what is local.
    functions: Vec<BTreeSet<&'a str>>,
    /// What closes statements, behind all that is changed in them.
    closings: Vec<Change>,
    /// Lines that come after statements; the innermost last.
    ends: Vec<(u32, String)>,
    /// Where statements begin that generator functions were taken apart at.
    taken_apart: BTreeSet<u32>,
    /// Names that are bound to a `StopIteration` here.
    stops: Vec<&'a str>,
    /// Modules that go by other names.
    aliases: Vec<(&'a str, &'a str)>,
    /// Whether a class body is directly around.
    in_class: bool,
    /// The names of the classes around.
    classes: Vec<&'a str>,
    errors: errors::Errors<'a>,
}

/// Rewrites `module`.
pub(crate) fn rewrite(source: &str, module: &ModModule, known: &Known<'_>) -> Rewritten {
    let mut pass = Pass {
        source,
        known,
        out: Rewritten {
            habits: known.habits.clone(),
            ..Rewritten::default()
        },
        places: Vec::new(),
        functions: Vec::new(),
        closings: Vec::new(),
        ends: Vec::new(),
        taken_apart: BTreeSet::new(),
        stops: Vec::new(),
        aliases: regex::aliases(source),
        in_class: false,
        classes: Vec::new(),
        errors: errors::Errors::of(&module.body, known.habits),
    };
    pass.learn(&module.body);
    pass.learn_errors();
    if regex::needs_all(source) {
        pass.out.helpers.extend(["re", "re_full"]);
    }
    pass.out.habits.kinds |= kinds::are_in(source);
    pass.visit_body(&module.body);
    pass.out.changes.append(&mut pass.closings);
    for (offset, text) in std::mem::take(&mut pass.ends).into_iter().rev() {
        pass.insert(offset, text);
    }
    pass.out
}

impl Pass<'_> {
    fn insert(&mut self, offset: impl Into<u32>, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.out.changes.push(Change::new(offset.into(), 0, text));
    }

    fn replace(&mut self, start: u32, end: u32, text: impl Into<std::borrow::Cow<'static, str>>) {
        self.out.changes.push(Change::new(start, end - start, text));
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
            message: message.to_owned(),
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

    /// Whether `name` still means what Python means by it.
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

    /// `Stack[int]`, which is `Stack`.
    fn is_generic(&self, subscript: &ExprSubscript) -> bool {
        let generics = &self.out.habits.generics;
        !generics.is_empty()
            && matches!(&*subscript.value, Expr::Name(name) if generics.contains(name.id.as_str()))
    }

    /// What stands before `offset` in its line, if that is nothing but space.
    fn indent(&self, offset: u32) -> Option<&str> {
        let line = self.source[..offset as usize]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let before = &self.source[line..offset as usize];
        before.chars().all(char::is_whitespace).then_some(before)
    }

    /// Whether nothing but a comment follows `offset` in its line.
    fn ends_line(&self, offset: u32) -> bool {
        let rest = self.source[offset as usize..]
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start();
        rest.is_empty() || rest.starts_with('#')
    }
}

impl<'a> Visitor<'a> for Pass<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.test(stmt);
        self.shows_copy(stmt);
        self.classes.extend(match stmt {
            Stmt::ClassDef(class) => Some(class.name.as_str()),
            _ => None,
        });
        match stmt {
            Stmt::Delete(delete) => self.delete(delete),
            Stmt::ClassDef(class) if self.defines_error(class) => return,
            Stmt::ClassDef(class) => self.class(class),
            Stmt::AugAssign(assign) => self.changes_in_place(assign),
            Stmt::FunctionDef(function) => {
                if self.in_class {
                    self.mangle(&function.name, function.name.as_str());
                }
                self.generator(function);
                self.gives_copies(function);
                let own = flow::bound(&function.parameters, &function.body);
                let in_class = std::mem::replace(&mut self.in_class, false);
                self.described(function, in_class);
                for decorator in &function.decorator_list {
                    if !in_class || !decorators::is_gone(decorator, function) {
                        self.visit_decorator(decorator);
                        self.registers(decorator, function);
                    }
                }
                for parameter in &function.parameters {
                    if let Some(default) = parameter.default() {
                        self.visit_expr(default);
                    }
                }
                self.leaves(function);
                self.functions.push(own);
                self.visit_body(&function.body);
                self.functions.pop();
                self.in_class = in_class;
                return;
            }
            Stmt::For(statement) => self.looped(statement),
            Stmt::ImportFrom(import) => self.imports_members(import),
            Stmt::Raise(raise) => self.raises(raise),
            Stmt::Try(attempt) => self.attempts(attempt),
            Stmt::Assert(assert) => self.asserts(assert),
            Stmt::AnnAssign(assign) if self.in_class => self.mangle_name(&assign.target),
            Stmt::Assign(assign) => {
                if self.in_class {
                    assign
                        .targets
                        .iter()
                        .for_each(|target| self.mangle_name(target));
                }
                self.writes_property(assign);
                if matches!(assign.targets[..], [Expr::Tuple(_) | Expr::List(_)]) {
                    self.stands(&assign.value, Place::Drained);
                }
            }
            _ => {}
        }
        let in_class = std::mem::replace(&mut self.in_class, matches!(stmt, Stmt::ClassDef(_)));
        visitor::walk_stmt(self, stmt);
        if self.in_class {
            self.classes.pop();
        }
        self.in_class = in_class;
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        let stops = self.stops.len();
        if let (Some(Expr::Name(kind)), Some(name)) = (inner.type_.as_deref(), &inner.name)
            && kind.id.as_str() == "StopIteration"
        {
            self.stops.push(name.as_str());
        }
        visitor::walk_except_handler(self, handler);
        self.stops.truncate(stops);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_body(&mut self, body: &'a [Stmt]) {
        self.tasks(body);
        visitor::walk_body(self, body);
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        // `f"{x=}"` shows the text of `x` as it stands.
        let shows = matches!(element, InterpolatedStringElement::Interpolation(inner)
            if inner.debug_text.is_some() && !self.told(inner));
        if let InterpolatedStringElement::Interpolation(inner) = element {
            self.formatted(inner);
            self.shows_copied(&inner.expression);
        }
        if !shows {
            if let InterpolatedStringElement::Interpolation(inner) = element {
                self.shows(&inner.expression);
            }
            visitor::walk_interpolated_string_element(self, element);
        }
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        for test in &comprehension.ifs {
            self.stands(test, Place::Tested);
        }
        visitor::walk_comprehension(self, comprehension);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        let place = self.place(expr);
        if place == Some(Place::Done) {
            return visitor::walk_expr(self, expr);
        }
        let mut after: Vec<(u32, &'static str)> = Vec::new();
        if place == Some(Place::Tested) {
            self.tested(expr, &mut after);
        }
        self.copies(expr);
        match expr {
            Expr::Subscript(subscript) if self.is_generic(subscript) => {
                let range = subscript.value.range();
                let end = subscript.range().end().to_u32();
                return self.replace(range.end().to_u32(), end, "");
            }
            Expr::Call(call) => {
                self.stands(&call.func, Place::Callee);
                self.drain(call);
                self.call(call, place, &mut after);
            }
            Expr::Attribute(attribute) if attribute.ctx == ExprContext::Load => {
                if self.result_of(attribute) {
                    return;
                }
                self.stream(attribute, &mut after);
                if !self.member(attribute) {
                    self.attribute(attribute, place);
                }
            }
            Expr::Attribute(attribute) if attribute.ctx == ExprContext::Store => {
                self.targets_property(attribute);
            }
            Expr::Name(name) if name.ctx == ExprContext::Load => self.name(name, place),
            Expr::Subscript(subscript) => {
                if subscript.ctx == ExprContext::Load {
                    self.brackets(subscript, &mut after);
                }
                self.looks_up(subscript);
            }
            Expr::BinOp(operation) => self.fills_in(operation),
            Expr::Generator(generator) => self.generator_expression(generator, place, &mut after),
            Expr::ListComp(list) => self.collects(&list.generators, &[&list.elt]),
            Expr::SetComp(set) => self.collects(&set.generators, &[&set.elt]),
            Expr::DictComp(dict) => {
                let key = dict.key.as_deref();
                self.collects(&dict.generators, &[key.unwrap_or(&dict.value), &dict.value]);
            }
            Expr::Dict(dict) => {
                self.same_keys(dict.items.iter().filter_map(|item| item.key.as_ref()));
            }
            Expr::Set(set) => self.same_keys(set.elts.iter()),
            Expr::Starred(starred) => self.stands(&starred.value, Place::Drained),
            Expr::If(choice) => self.stands(&choice.test, Place::Tested),
            Expr::UnaryOp(unary) => self.negated(unary),
            Expr::BoolOp(operation) => self.chosen(operation, place, &mut after),
            Expr::Compare(compare) => {
                self.compares_type(compare);
                self.compared(compare, &mut after);
            }
            _ => {}
        }
        if let Expr::Attribute(attribute) = expr {
            self.mangle(&attribute.attr, attribute.attr.as_str());
        }
        if let Expr::Lambda(lambda) = expr {
            let own = lambda.parameters.as_deref().map(flow::names);
            self.functions.push(own.unwrap_or_default());
            visitor::walk_expr(self, expr);
            self.functions.pop();
        } else {
            visitor::walk_expr(self, expr);
        }
        for (offset, text) in after.into_iter().rev() {
            self.insert(offset, text);
        }
    }
}

impl<'a> Pass<'a> {
    /// Notes where the parts of a `for` statement stand.
    fn looped(&mut self, statement: &'a StmtFor) {
        let early = flow::ends_early(&statement.body);
        self.loop_over(statement, early);
        let changes = matches!(&*statement.iter, Expr::Call(call)
            if call.arguments.args.iter().any(|arg| flow::changes(&statement.body, arg)));
        self.stands(&statement.iter, Place::Looped { early, changes });
    }
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
