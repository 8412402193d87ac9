//! What a script brings that it, and those after it, must be read by: special
//! methods that Monty does not ask, and attributes that are not just there.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Stmt, StmtClassDef};

use super::{Pass, bases, decorators, last_name};

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
const SAID: [(&str, &str); 8] = [
    ("defaults__", "__defaults__"),
    ("defaults__", "__kwdefaults__"),
    ("__doc__", "__doc__"),
    ("__wrapped__", "__wrapped__"),
    ("__dict__", "__dict__"),
    ("__self__", "__self__"),
    ("__func__", "__func__"),
    ("__hash__", "__hash__"),
];

impl<'a> Pass<'a> {
    /// Notes what a script brings before any of it is rewritten.
    pub(super) fn learn(&mut self, body: &'a [Stmt]) {
        let holds = |names: &[&str]| names.iter().any(|name| self.source.contains(name));
        let mut words = Words {
            looks_inside: holds(&NAMED),
            deletes: holds(&["delattr", "setattr"]),
            ..Words::default()
        };
        words.functions.extend(functions(body));
        let has_functions = !words.functions.is_empty();
        words.visit_body(body);
        let habits = &mut self.out.habits;
        habits.truth |= words.truth || self.source.contains("bytearray(");
        habits.order |= words.order;
        habits.mappings |= words.mappings;
        habits.unequal |= words.unequal;
        habits.in_place |= words.in_place || self.source.contains("bytearray(");
        habits.formats |= words.formats;
        habits.lacking |= words.lacking;
        habits.generics.extend(words.generics);
        habits.properties.extend(words.routed);
        habits.attributes.extend(words.attributes);
        habits.classes.extend(words.classes);
        habits.reversible |= words.reversible;
        habits.lazy |= words.lazy;
        if has_functions {
            self.learn_generators(body);
        }
        if self.out.habits.order {
            self.out.helpers.insert("order");
        }
        if self.out.habits.truth {
            self.out.helpers.insert("truth");
        }
        if holds(&["__slots__", "slots=True"]) {
            self.out.habits.slots = true;
        }
        for (word, also) in SAID {
            if self.source.contains(word) {
                self.out.habits.properties.insert(also.to_owned());
            }
        }
        if self.source.contains("vars(")
            || self.source.contains("__dict__")
            || self.source.contains("=vars")
        {
            self.out.habits.listed = true;
        }
        self.lists_attributes();
    }

    /// Where something lists the attributes of instances, it must know all names
    /// that there may be.
    fn lists_attributes(&mut self) {
        let (habits, known) = (&self.out.habits, self.known.habits);
        let is_news = !known.listed
            || habits.attributes.len() > known.attributes.len()
            || habits.classes.len() > known.classes.len();
        if !habits.listed || !is_news {
            return;
        }
        let line = |into: &str, names: &BTreeSet<String>| {
            let names = names.iter().map(String::as_str).collect::<Vec<_>>();
            format!("{into}.update({{*'{}'.split(' ')}})", names.join(" "))
        };
        let lines = [
            line("_rlm_names", &habits.attributes),
            line("_rlm_classes", &habits.classes),
        ];
        self.out.helpers.insert("attributes");
        self.out.lines.extend(lines);
    }
}

/// The names of all functions in `body` that are no methods.
fn functions(body: &[Stmt]) -> BTreeSet<&str> {
    #[derive(Default)]
    struct Functions<'a>(BTreeSet<&'a str>);
    impl<'a> Visitor<'a> for Functions<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            if let Stmt::FunctionDef(function) = stmt {
                self.0.insert(function.name.as_str());
            }
            visitor::walk_stmt(self, stmt);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut found = Functions::default();
    found.visit_body(body);
    found.0
}

/// Words that change how a script has to be read.
#[derive(Default)]
struct Words<'a> {
    truth: bool,
    mappings: bool,
    reversible: bool,
    order: bool,
    lazy: bool,
    unequal: bool,
    in_place: bool,
    formats: bool,
    lacking: bool,
    functions: BTreeSet<&'a str>,
    generics: Vec<String>,
    /// Attributes to be read and set by functions of ours.
    routed: BTreeSet<String>,
    /// Attributes that are assigned anywhere.
    attributes: BTreeSet<String>,
    classes: Vec<String>,
    /// Whether expressions may hold one of the names.
    looks_inside: bool,
    /// Whether expressions may set or delete attributes.
    deletes: bool,
}

impl<'a> Words<'a> {
    fn class(&mut self, class: &'a StmtClassDef) {
        self.classes.push(class.name.to_string());
        let base = bases::of(class);
        let is_row = base == Some("NamedTuple");
        if base == Some("Generic") {
            self.generics.push(class.name.to_string());
        }
        for stmt in &class.body {
            let method = match stmt {
                Stmt::FunctionDef(method) => method,
                Stmt::AnnAssign(field) => {
                    if let Expr::Name(name) = &*field.target {
                        self.attributes.insert(name.id.to_string());
                    }
                    continue;
                }
                Stmt::Assign(assign) => {
                    if let (Expr::Call(call), [Expr::Name(name)]) =
                        (&*assign.value, &assign.targets[..])
                        && matches!(last_name(&call.func), "property" | "cached_property")
                    {
                        self.routed.insert(name.id.to_string());
                    }
                    continue;
                }
                _ => continue,
            };
            let name = method.name.as_str();
            if is_row || decorators::is_property(method) {
                self.routed.insert(name.to_owned());
            }
            if decorators::is_property(method) {
                self.attributes.insert(name.to_owned());
            }
            match name {
                "__len__" | "__bool__" => self.truth = true,
                "__lt__" | "__gt__" | "__le__" | "__ge__" => self.order = true,
                "__next__" => self.lazy = true,
                "__reversed__" => self.reversible = true,
                "__getitem__" => (self.reversible, self.truth) = (true, true),
                "__ne__" => self.unequal = true,
                "__format__" => self.formats = true,
                "__getattr__" => self.lacking = true,
                "__iadd__" | "__isub__" | "__imul__" | "__itruediv__" | "__ifloordiv__"
                | "__imod__" | "__ipow__" | "__iand__" | "__ior__" | "__ixor__" | "__ilshift__"
                | "__irshift__" | "__imatmul__" => self.in_place = true,
                _ => {}
            }
        }
        for decorator in &class.decorator_list {
            self.order |= matches!(&decorator.expression, Expr::Call(call)
                if call.arguments.keywords.iter().any(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == "order")));
        }
    }

    fn named(&mut self, name: &str) {
        match name {
            "cmp_to_key" | "total_ordering" => self.order = true,
            "OrderedDict" | "ChainMap" => {
                (self.truth, self.mappings, self.reversible) = (true, true, true)
            }
            "Fraction" => (self.truth, self.order) = (true, true),
            _ => {}
        }
    }

    /// What is assigned, or deleted.
    fn target(&mut self, target: &'a Expr, is_deleted: bool) {
        match target {
            Expr::Attribute(attribute) => {
                let of_function = matches!(&*attribute.value, Expr::Name(name)
                    if self.functions.contains(name.id.as_str()) || FUNCTIONS.contains(&name.id.as_str()));
                if of_function || is_deleted {
                    self.routed.insert(attribute.attr.to_string());
                }
                self.attributes.insert(attribute.attr.to_string());
                for class in &self.classes {
                    if attribute.attr.starts_with("__") {
                        let class = class.trim_start_matches('_');
                        self.attributes
                            .insert(format!("_{class}{}", attribute.attr));
                    }
                }
            }
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|t| self.target(t, is_deleted)),
            Expr::List(list) => list.elts.iter().for_each(|t| self.target(t, is_deleted)),
            Expr::Starred(starred) => self.target(&starred.value, is_deleted),
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
            Stmt::Assign(assign) => assign.targets.iter().for_each(|t| self.target(t, false)),
            Stmt::AnnAssign(assign) => self.target(&assign.target, false),
            Stmt::AugAssign(assign) => self.target(&assign.target, false),
            Stmt::For(statement) => self.target(&statement.target, false),
            Stmt::Delete(delete) => delete.targets.iter().for_each(|t| self.target(t, true)),
            Stmt::With(with) => {
                for item in &with.items {
                    if let Some(target) = &item.optional_vars {
                        self.target(target, false);
                    }
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if !self.looks_inside && !self.deletes {
            return;
        }
        match expr {
            Expr::Attribute(attribute) if attribute.ctx == ExprContext::Load => {
                self.named(attribute.attr.as_str());
            }
            Expr::Call(call) => {
                if let (Expr::Name(name), Some(Expr::StringLiteral(text))) =
                    (&*call.func, call.arguments.args.get(1))
                {
                    match name.id.as_str() {
                        "delattr" => {
                            self.routed.insert(text.value.to_str().to_owned());
                        }
                        "setattr" => {
                            self.attributes.insert(text.value.to_str().to_owned());
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}
