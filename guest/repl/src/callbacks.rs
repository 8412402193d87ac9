//! Callbacks that ask the host.
//!
//! Monty runs the callbacks of `sorted`, `min`, `max` and `list.sort` where nothing can wait, and those of `map` and `filter`
//! where native code asks these for items. Language models write exactly that, so a call whose callback is, or visibly calls, a
//! host function goes to a function of the prelude that does the same in plain Python. All other calls stay what they are.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Stmt};
use ruff_text_size::Ranged;

use crate::edits::Change;

/// Returns whether a call is one of those that take a callback, with one.
pub(crate) fn takes_callback(call: &ExprCall) -> bool {
    callback(call).is_some()
}

/// Returns true for a call that gives an iterator which asks what it goes through for an item when it is asked for one.
pub(crate) fn is_lazy(call: &ExprCall) -> bool {
    matches!(&*call.func, Expr::Name(name)
        if matches!(name.id.as_str(), "map" | "filter" | "zip" | "enumerate"))
}

/// Functions and methods of native code that go through their arguments, where nothing can wait.
const BLOCKING: [&str; 12] = [
    "combinations",
    "combinations_with_replacement",
    "defaultdict",
    "fromkeys",
    "fsum",
    "groupby",
    "isdisjoint",
    "permutations",
    "prod",
    "product",
    "tee",
    "writerows",
];

/// Returns true for a call of native code that goes through its arguments, and cannot wait there.
pub(crate) fn blocks(call: &ExprCall) -> bool {
    let name = match &*call.func {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return false,
    };
    BLOCKING.contains(&name)
}

/// Returns whether the callback of `call` is, or visibly calls, something that asks.
pub(crate) fn asks(call: &ExprCall, asks: &dyn Fn(&str) -> bool) -> bool {
    callback(call).is_some_and(|callback| reaches(callback, asks))
}

/// Returns whether `expr` names something that asks.
pub(crate) fn visibly_asks(expr: &Expr, asks: &dyn Fn(&str) -> bool) -> bool {
    let mut calls = Calls::default();
    calls.visit_expr(expr);
    calls.names.iter().any(|name| asks(name))
}

fn callback(call: &ExprCall) -> Option<&Expr> {
    let key = || {
        let key = call.arguments.find_keyword("key");
        key.map(|keyword| &keyword.value)
    };
    match &*call.func {
        Expr::Name(name) => match name.id.as_str() {
            "map" | "filter" => call.arguments.args.first(),
            "sorted" | "min" | "max" => key(),
            _ => None,
        },
        Expr::Attribute(attribute) if attribute.attr.as_str() == "sort" => key(),
        _ => None,
    }
}

/// Returns the changes to `calls` with which they can wait. `asks` says which
/// names are, or call, a host function; `is_own` which the script or one before
/// it has bound.
pub(crate) fn changes(
    source: &str,
    calls: &[&ExprCall],
    asks: &dyn Fn(&str) -> bool,
    is_own: &dyn Fn(&str) -> bool,
    awaited: &dyn Fn(&ExprCall) -> bool,
    is_blocking: &dyn Fn(&ExprCall) -> bool,
) -> (Vec<Change>, BTreeSet<&'static str>) {
    let (mut changes, mut helpers) = (Vec::new(), BTreeSet::new());
    for call in calls {
        if !self::asks(call, asks) {
            continue;
        }
        match &*call.func {
            Expr::Name(name) if !is_own(name.id.as_str()) => {
                let helper = match name.id.as_str() {
                    "map" if awaited(call) => "map_awaited",
                    "map" | "filter" if !is_blocking(call) => continue,
                    "map" => "map",
                    "filter" => "filter",
                    "sorted" => "sorted",
                    "min" => "min",
                    _ => "max",
                };
                helpers.insert(helper);
                changes.push(Change::new(
                    name.range().start().to_u32(),
                    name.range().len().to_u32(),
                    format!("_rlm_{helper}"),
                ));
            }
            Expr::Attribute(attribute) => {
                helpers.insert("sort");
                let value = attribute.value.range();
                let name = attribute.attr.range().start().to_usize();
                let between = &source[value.end().to_usize()..name];
                let opened = call.arguments.range().start().to_u32() + 1;
                let start = call.range().start().to_u32();
                changes.push(Change::new(start, 0, "_rlm_sort("));
                // From the dot on: parentheses may close before it.
                let dot = value.end().to_u32() + dot_outside_comments(between) as u32;
                let lines = source[dot as usize..opened as usize].matches('\n').count();
                let comma = format!("{},", "\n".repeat(lines));
                changes.push(Change::new(dot, opened - dot, comma));
            }
            _ => {}
        }
    }
    (changes, helpers)
}

/// Returns the place of the dot between an expression and the name of an attribute.
fn dot_outside_comments(between: &str) -> usize {
    let mut is_comment = false;
    let dot = between.bytes().position(|byte| {
        match byte {
            b'#' => is_comment = true,
            b'\n' => is_comment = false,
            _ => {}
        }
        byte == b'.' && !is_comment
    });
    dot.unwrap_or(0)
}

/// Returns whether `callback` is, or visibly calls, something that asks.
fn reaches(callback: &Expr, asks: &dyn Fn(&str) -> bool) -> bool {
    match callback {
        Expr::Name(name) => asks(name.id.as_str()),
        // A member of a namespace, or a method of that name.
        Expr::Attribute(attribute) => {
            asks(attribute.attr.as_str())
                || matches!(&*attribute.value, Expr::Name(name) if asks(name.id.as_str()))
        }
        Expr::Lambda(lambda) => {
            let mut calls = Calls::default();
            calls.visit_expr(&lambda.body);
            calls.names.iter().any(|name| asks(name))
        }
        // `partial(ask, model="small")`
        Expr::Call(call) => call.arguments.args.iter().any(|arg| reaches(arg, asks)),
        _ => false,
    }
}

/// The functions of `body` that ask, directly or by others, beside those that
/// `asks` knows.
pub(crate) fn asking<'a>(body: &'a [Stmt], asks: &dyn Fn(&str) -> bool) -> BTreeSet<&'a str> {
    let mut functions = Functions::default();
    functions.visit_body(body);
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (name, calls) in &functions.calls {
            if calls.iter().any(|call| asks(call) || found.contains(call)) {
                found.insert(*name);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Names and attributes that are read, called or not.
#[derive(Default)]
struct Calls<'a> {
    names: BTreeSet<&'a str>,
}

impl<'a> Visitor<'a> for Calls<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                self.names.insert(name.id.as_str());
            }
            Expr::Attribute(attribute) => {
                self.names.insert(attribute.attr.as_str());
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// Which names each function calls.
#[derive(Default)]
struct Functions<'a> {
    calls: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Visitor<'a> for Functions<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                let mut calls = Calls::default();
                calls.visit_body(&function.body);
                self.calls
                    .entry(function.name.as_str())
                    .or_default()
                    .extend(calls.names);
            }
            Stmt::Assign(assign) => {
                if let ([Expr::Name(name)], Expr::Lambda(lambda)) =
                    (&assign.targets[..], &*assign.value)
                {
                    let mut calls = Calls::default();
                    calls.visit_expr(&lambda.body);
                    self.calls
                        .entry(name.id.as_str())
                        .or_default()
                        .extend(calls.names);
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }
}
