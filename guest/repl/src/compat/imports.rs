//! Names that import statements bind: what is written with one of these, and with no other name, means the module. A name
//! that something else binds, too, may mean that.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Alias, Expr, Stmt};
use serde::{Deserialize, Serialize};

use super::{Pass, flow};

/// The object that an import binds a name to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Imported {
    /// A module, by its full name.
    Module(String),
    /// A member of a module: its name there, and that of the module.
    Member(String, String),
    /// Something else by each of several imports.
    Unclear,
}

/// Names that a script imports, at the top level and within functions or classes.
#[derive(Default)]
pub(super) struct Imports<'a> {
    top: BTreeMap<&'a str, Imported>,
    inner: BTreeMap<&'a str, Imported>,
    /// Names of the module that other statements bind.
    others: BTreeSet<&'a str>,
    depth: u32,
}

impl<'a> Imports<'a> {
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let mut imports = Self {
            others: flow::assigned(body),
            ..Self::default()
        };
        imports.visit_body(body);
        imports
    }

    fn bind(&mut self, name: &'a str, imported: Imported) {
        let names = match self.depth {
            0 => &mut self.top,
            _ => &mut self.inner,
        };
        let known = names.entry(name).or_insert_with(|| imported.clone());
        if *known != imported {
            *known = Imported::Unclear;
        }
    }
}

impl<'a> Visitor<'a> for Imports<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let bound = |alias: &'a Alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str();
        match stmt {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let whole = alias.name.as_str();
                    // `import a.b` binds `a`.
                    let top = whole.split('.').next().unwrap_or(whole);
                    let module = if alias.asname.is_some() { whole } else { top };
                    let name = if alias.asname.is_some() {
                        bound(alias)
                    } else {
                        top
                    };
                    self.bind(name, Imported::Module(module.to_owned()));
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map_or("", |module| module.as_str());
                for alias in &import.names {
                    let member = alias.name.as_str().to_owned();
                    self.bind(bound(alias), Imported::Member(member, module.to_owned()));
                }
            }
            _ => {}
        }
        let is_nested = matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_));
        self.depth += u32::from(is_nested);
        visitor::walk_stmt(self, stmt);
        self.depth -= u32::from(is_nested);
    }

    /// No expression has a statement in it.
    fn visit_expr(&mut self, _: &'a Expr) {}
}

impl Pass<'_> {
    /// Notes what later scripts of the session may write without an import of their own.
    pub(super) fn learn_imports(&mut self) {
        let imported = &mut self.out.habits.imported;
        for (name, what) in &self.imports.top {
            imported.insert((*name).to_owned(), what.clone());
        }
        imported.retain(|name, _| !self.imports.others.contains(name.as_str()));
    }

    /// Forgets names that mean something of the host's again before the next script.
    pub(super) fn forget_renewed(&mut self) {
        let imported = &mut self.out.habits.imported;
        imported.retain(|name, _| !(self.known.is_renewed)(name));
    }

    /// Returns what an import bound a name to, here or in an earlier script, where no parameter or variable of a function
    /// around hides it.
    fn imported(&self, name: &str) -> Option<&Imported> {
        let is_local = self.functions.iter().any(|own| own.contains(name));
        let outer = self.out.habits.imported.get(name);
        match self.imports.inner.get(name) {
            Some(inner) => outer.is_none_or(|outer| outer == inner).then_some(inner),
            None => outer.filter(|_| !is_local),
        }
    }

    /// Returns true for a name that an import bound, here or in an earlier script.
    pub(super) fn is_imported(&self, name: &str) -> bool {
        self.imported(name).is_some()
    }

    /// Returns the module that an expression names, if it may be imported.
    pub(super) fn module<'e>(&'e self, expr: &'e Expr) -> Option<&'e str> {
        let Expr::Name(name) = expr else {
            return None;
        };
        let module = match self.imported(name.id.as_str())? {
            Imported::Module(module) => module.as_str(),
            // `from datetime import datetime` gives what has most of the module.
            Imported::Member(member, module) if member == module => module,
            _ => return None,
        };
        (self.known.allows)(module).then_some(module)
    }

    /// Returns whether `expr` is the name of that module, as far as one can tell.
    pub(super) fn is_module(&self, expr: &Expr, module: &str) -> bool {
        self.module(expr) == Some(module)
    }

    /// Returns whether `expr`, called or not, is the member of that name of one of the modules.
    pub(super) fn is_member(&self, expr: &Expr, modules: &[&str], member: &str) -> bool {
        let of = |module: &str| modules.contains(&module) && (self.known.allows)(module);
        match expr {
            Expr::Call(call) => self.is_member(&call.func, modules, member),
            Expr::Subscript(subscript) => self.is_member(&subscript.value, modules, member),
            Expr::Attribute(attribute) => {
                attribute.attr.as_str() == member && self.module(&attribute.value).is_some_and(of)
            }
            Expr::Name(name) => matches!(self.imported(name.id.as_str()),
                Some(Imported::Member(own, module)) if own == member && of(module)),
            _ => false,
        }
    }
}
