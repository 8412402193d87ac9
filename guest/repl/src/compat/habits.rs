//! What a script brings that it, and those after it, must be read by: special
//! methods that Monty does not ask, and attributes that are not just there.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Stmt, StmtClassDef};

use super::{Pass, attributes, bases, flow, last_name};

/// Names that expressions may hold by which a script has to be read.
const NAMED: [&str; 5] = [
    "cmp_to_key",
    "total_ordering",
    "OrderedDict",
    "ChainMap",
    "Fraction",
];

/// What parameters are called that are functions.
const FUNCTIONS: [&str; 6] = ["func", "fn", "function", "method", "wrapped", "callback"];

/// Words that show which attributes of functions and instances are read.
const SAID: [(&str, &str); 6] = [
    (".port", "port"),
    ("defaults__", "__defaults__"),
    ("defaults__", "__kwdefaults__"),
    ("__doc__", "__doc__"),
    ("__wrapped__", "__wrapped__"),
    ("__hash__", "__hash__"),
];

impl<'a> Pass<'a> {
    /// Notes what a script brings before any of it is rewritten.
    pub(super) fn learn(&mut self, body: &'a [Stmt]) {
        // Most scripts have none of these words, and each costs a search.
        let holds = |names: &[&str]| names.iter().any(|name| self.source.contains(name));
        let imports = holds(&["import"]);
        let dunders = holds(&["__"]);
        let mut words = Words {
            looks_inside: imports && holds(&NAMED),
            sets_rows: holds(&["AttributeError"]),
            ..Words::default()
        };
        let functions = flow::functions(body);
        let names = functions.iter().map(|function| function.name.as_str());
        words.functions.extend(names);
        words.visit_body(body);
        let habits = &mut self.out.habits;
        habits.order |= words.order || (imports && holds(&["import uuid", "from uuid"]));
        habits.mappings |= words.mappings;
        habits.rows |= imports && holds(&["namedtuple", "NamedTuple"]);
        habits.properties.extend(words.routed);
        habits.reversible |= words.reversible;
        habits.lazy |= words.lazy;
        self.learn_generators(&functions);
        if self.out.habits.order {
            self.out.helpers.insert("order");
        }
        for (word, also) in SAID {
            if (dunders || !word.contains("__")) && self.source.contains(word) {
                self.out.habits.properties.insert(also.to_owned());
            }
        }
    }
}

/// Words that change how a script has to be read.
#[derive(Default)]
struct Words<'a> {
    mappings: bool,
    reversible: bool,
    order: bool,
    lazy: bool,
    functions: BTreeSet<&'a str>,
    /// Attributes to be read and set by functions of ours.
    routed: BTreeSet<String>,
    /// Whether it is looked at what happens when a field of a named tuple is set.
    sets_rows: bool,
    /// Whether expressions may hold one of the names.
    looks_inside: bool,
}

impl<'a> Words<'a> {
    fn class(&mut self, class: &'a StmtClassDef) {
        let base = bases::of(class);
        let is_row = base == Some("NamedTuple");
        for stmt in &class.body {
            let method = match stmt {
                Stmt::FunctionDef(method) => method,
                Stmt::AnnAssign(field) => {
                    if let Expr::Name(name) = &*field.target
                        && is_row
                        && self.sets_rows
                    {
                        self.routed.insert(name.id.to_string());
                    }
                    continue;
                }
                _ => continue,
            };
            let name = method.name.as_str();
            if is_row {
                self.routed.insert(name.to_owned());
            }
            match name {
                "__lt__" | "__gt__" | "__le__" | "__ge__" => self.order = true,
                "__next__" => self.lazy = true,
                "__reversed__" | "__getitem__" => self.reversible = true,
                _ => {}
            }
        }
        for decorator in &class.decorator_list {
            self.order |= matches!(&decorator.expression, Expr::Call(call)
                if call.arguments.find_keyword("order").is_some());
        }
    }

    fn named(&mut self, name: &str) {
        match name {
            "cmp_to_key" | "total_ordering" => self.order = true,
            "OrderedDict" | "ChainMap" => (self.mappings, self.reversible) = (true, true),
            "Fraction" => self.order = true,
            _ => {}
        }
    }

    /// Fields of a `namedtuple`.
    fn row(&mut self, value: &Expr) {
        if let Expr::Call(call) = value
            && self.sets_rows
            && last_name(&call.func) == "namedtuple"
        {
            let texts: Vec<_> = match call.arguments.args.get(1) {
                Some(Expr::List(all)) => all.elts.iter().collect(),
                Some(other) => vec![other],
                None => Vec::new(),
            };
            for text in texts {
                if let Expr::StringLiteral(text) = text {
                    let names = text.value.to_str().split([' ', ',']);
                    let names = names.filter(|name| !name.is_empty());
                    self.routed.extend(names.map(str::to_owned));
                }
            }
        }
    }

    /// Notes attributes of functions that are assigned.
    fn target(&mut self, target: &'a Expr) {
        match target {
            Expr::Attribute(attribute) => {
                let of_function = matches!(&*attribute.value, Expr::Name(name)
                    if self.functions.contains(name.id.as_str()) || FUNCTIONS.contains(&name.id.as_str()));
                // Methods of patterns go by other functions of ours.
                let is_free = !attributes::OF_PATTERNS.contains(&attribute.attr.as_str());
                if of_function && is_free {
                    self.routed.insert(attribute.attr.to_string());
                }
            }
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|t| self.target(t)),
            Expr::List(list) => list.elts.iter().for_each(|t| self.target(t)),
            Expr::Starred(starred) => self.target(&starred.value),
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for Words<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::ClassDef(class) => self.class(class),
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    self.named(alias.name.as_str());
                }
            }
            Stmt::Assign(assign) => {
                self.row(&assign.value);
                for target in &assign.targets {
                    self.target(target);
                }
            }
            Stmt::AnnAssign(assign) => {
                self.target(&assign.target);
            }
            Stmt::AugAssign(assign) => self.target(&assign.target),
            Stmt::For(statement) => self.target(&statement.target),
            Stmt::With(with) => {
                for item in &with.items {
                    if let Some(target) = &item.optional_vars {
                        self.target(target);
                    }
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if !self.looks_inside {
            return;
        }
        match expr {
            Expr::Attribute(attribute) if attribute.ctx == ExprContext::Load => {
                self.named(attribute.attr.as_str());
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}
