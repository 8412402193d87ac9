//! Definitions of a script that it must be read by: functions and classes of its own, and
//! special methods that say which of two values is less.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Stmt, StmtClassDef};

use super::Pass;

/// Names that expressions may hold by which a script has to be read.
const NAMED: [&str; 2] = ["cmp_to_key", "total_ordering"];

impl<'a> Pass<'a> {
    /// Notes what a script brings before any of it is rewritten.
    pub(super) fn learn(&mut self, body: &'a [Stmt]) {
        // Most scripts have none of these words, and each costs a search.
        let holds = |names: &[&str]| names.iter().any(|name| self.source.contains(name));
        let imports = holds(&["import"]);
        let mut words = Words {
            looks_inside: imports && holds(&NAMED),
            ..Words::default()
        };
        words.visit_body(body);
        self.defined = words.defined;
        self.orders = words.order;
        if self.orders {
            self.out.helpers.insert("order");
        }
    }
}

/// Words that change how a script has to be read.
#[derive(Default)]
struct Words<'a> {
    /// The names of functions and classes.
    defined: BTreeSet<&'a str>,
    order: bool,
    /// True if expressions may hold one of the names.
    looks_inside: bool,
}

impl Words<'_> {
    fn class(&mut self, class: &StmtClassDef) {
        for stmt in &class.body {
            let Stmt::FunctionDef(method) = stmt else {
                continue;
            };
            match method.name.as_str() {
                "__lt__" | "__gt__" | "__le__" | "__ge__" => self.order = true,
                _ => {}
            }
        }
    }

    fn named(&mut self, name: &str) {
        match name {
            "cmp_to_key" | "total_ordering" => self.order = true,
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for Words<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::ClassDef(class) => {
                self.defined.insert(class.name.as_str());
                self.class(class);
            }
            Stmt::FunctionDef(function) => {
                self.defined.insert(function.name.as_str());
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    self.named(alias.name.as_str());
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
