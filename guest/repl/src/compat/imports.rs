//! Names that import statements bind: what is written with one of these, and with no other name, means the module. A name
//! that something else binds, too, may mean that.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt};

use super::{Pass, flow};

/// Names that a script imports, at the top level and within functions or classes.
#[derive(Default)]
pub(super) struct Imports<'a> {
    top: BTreeSet<&'a str>,
    inner: BTreeSet<&'a str>,
    /// Names of the module that other statements bind.
    others: BTreeSet<&'a str>,
    /// Modules that go by other names, and these.
    aliases: Vec<(&'a str, &'a str)>,
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

    fn bind(&mut self, name: &'a str) {
        let name = name.split('.').next().unwrap_or(name);
        match self.depth {
            0 => self.top.insert(name),
            _ => self.inner.insert(name),
        };
    }
}

impl<'a> Visitor<'a> for Imports<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let aliases = match stmt {
            Stmt::Import(import) => &import.names[..],
            Stmt::ImportFrom(import) => &import.names[..],
            _ => &[],
        };
        for alias in aliases {
            self.bind(alias.asname.as_ref().unwrap_or(&alias.name).as_str());
            if let (Stmt::Import(_), Some(name)) = (stmt, &alias.asname) {
                self.aliases.push((alias.name.as_str(), name.as_str()));
            }
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
        let names = self.imports.top.iter().map(|name| (*name).to_owned());
        let imported = &mut self.out.habits.imported;
        imported.extend(names);
        imported.retain(|name| !self.imports.others.contains(name.as_str()));
        for (module, name) in &self.imports.aliases {
            let aliases = &mut self.out.habits.aliases;
            aliases.insert((*name).to_owned(), (*module).to_owned());
        }
    }

    /// Returns true for a name by which this script, or one before it, has imported a module.
    pub(super) fn is_alias(&self, name: &str, module: &str) -> bool {
        let aliases = &self.out.habits.aliases;
        aliases.get(name).is_some_and(|of| of == module)
    }

    /// Returns true for a name that an import bound, here or in an earlier script, and no parameter or variable of a function
    /// around hides.
    pub(super) fn is_imported(&self, name: &str) -> bool {
        if self.imports.inner.contains(name) {
            return true;
        }
        let is_local = self.functions.iter().any(|own| own.contains(name));
        !is_local && self.out.habits.imported.contains(name)
    }
}
