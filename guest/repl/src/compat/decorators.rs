//! `@property`, `@staticmethod` and `@classmethod`, which Monty's classes do not
//! know: the decorator gives way to a line after the method, and what is read
//! of an instance by the name of a property goes by a function of ours.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Decorator, Expr, ExprAttribute, Stmt, StmtAssign, StmtClassDef, StmtFunctionDef,
};
use ruff_text_size::Ranged;

use super::Pass;

/// How a method is decorated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Property,
    Cached,
    Setter,
    Static,
    Class,
}

fn kind(method: &StmtFunctionDef) -> Option<Kind> {
    let [decorator] = &method.decorator_list[..] else {
        return None;
    };
    match &decorator.expression {
        Expr::Name(name) => match name.id.as_str() {
            "property" => Some(Kind::Property),
            "cached_property" => Some(Kind::Cached),
            "staticmethod" => Some(Kind::Static),
            "classmethod" => Some(Kind::Class),
            _ => None,
        },
        Expr::Attribute(attribute) => match (&*attribute.value, attribute.attr.as_str()) {
            (Expr::Name(name), "setter") if name.id == method.name.id => Some(Kind::Setter),
            (Expr::Name(name), "cached_property") if name.id.as_str() == "functools" => {
                Some(Kind::Cached)
            }
            _ => None,
        },
        _ => None,
    }
}

impl Pass<'_> {
    /// A method with a decorator; false if it is one that cannot be.
    pub(super) fn decorated(&mut self, class: &StmtClassDef, method: &StmtFunctionDef) -> bool {
        let Some(kind) = kind(method) else {
            return false;
        };
        let decorator: &Decorator = &method.decorator_list[0];
        let start = decorator.range().start().to_u32();
        let Some(indent) = self.indent(start).map(str::to_owned) else {
            return false;
        };
        let end = decorator.range().end().to_u32();
        let rest = &self.source[end as usize..];
        let Some(word) = rest.find("def ").filter(|at| rest[..*at].trim().is_empty()) else {
            return false;
        };
        self.rewrote("decorated-method", decorator.range(), "decorators");
        self.replace(start, end + word as u32, "");
        let name = method.name.as_str();
        let line = match kind {
            Kind::Property => format!("{name}=_rlm_property({name})"),
            Kind::Cached => format!("{name}=_rlm_property({name},None,'{name}')"),
            Kind::Setter => format!("{name}=_rlm_property({name},_rlm_setter)"),
            Kind::Static => format!("{name}=_rlm_static({name})"),
            Kind::Class => format!("{name}=_rlm_classmethod({name})"),
        };
        if kind == Kind::Setter {
            let range = method.name.range();
            self.replace(range.start().to_u32(), range.end().to_u32(), "_rlm_setter");
        }
        let at = self.line_end(method.range().end().to_u32());
        if kind == Kind::Class {
            // It learns of its class when there is one.
            let outer = class
                .decorator_list
                .first()
                .map_or(class.range(), |first| first.range());
            let outer = self.indent(outer.start().to_u32()).unwrap_or_default();
            let line = format!("\n{outer}{0}.{name}.owner={0}", class.name.as_str());
            let at = self.line_end(class.range().end().to_u32());
            self.ends.push((at, line));
        }
        self.ends.push((at, format!("\n{indent}{line}")));
        true
    }

    /// What is read by the name of a property.
    pub(super) fn reads_property(&mut self, attribute: &ExprAttribute) -> bool {
        let name = attribute.attr.as_str();
        if !self.out.habits.properties.contains(name) {
            return false;
        }
        let name = name.to_owned();
        self.rewrote("property", attribute.range(), "decorators");
        self.insert(attribute.range().start(), "_rlm_get(");
        let value = attribute.value.range().end().to_u32();
        let end = attribute.attr.range().end().to_u32();
        let between = &self.source[value as usize..end as usize];
        self.replace(
            value + between.rfind('.').unwrap_or(0) as u32,
            end,
            format!(",'{name}')"),
        );
        true
    }

    /// What is assigned by the name of a property.
    pub(super) fn writes_property(&mut self, assign: &StmtAssign) {
        let [Expr::Attribute(attribute)] = &assign.targets[..] else {
            return;
        };
        let name = attribute.attr.as_str().to_owned();
        if !self.out.habits.properties.contains(&name) {
            return;
        }
        self.rewrote("property", assign.range(), "decorators");
        self.insert(attribute.range().start(), "_rlm_set(");
        let value = attribute.value.range().end().to_u32();
        let attr = attribute.attr.range().end().to_u32();
        let between = &self.source[value as usize..attr as usize];
        let dot = value + between.rfind('.').unwrap_or(0) as u32;
        let rest = &self.source[attr as usize..];
        let equals = attr + rest.find('=').unwrap_or(0) as u32;
        self.replace(dot, equals + 1, format!(",'{name}',("));
        self.closings.push(crate::edits::Change::new(
            assign.range().end().to_u32(),
            0,
            "))",
        ));
    }

    fn line_end(&self, offset: u32) -> u32 {
        let rest = &self.source[offset as usize..];
        offset + rest.find('\n').unwrap_or(rest.len()) as u32
    }
}

/// The names of the properties that `body` defines.
pub(super) fn properties(body: &[Stmt]) -> BTreeSet<String> {
    #[derive(Default)]
    struct Properties(BTreeSet<String>);
    impl<'a> Visitor<'a> for Properties {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            if let Stmt::ClassDef(class) = stmt {
                for stmt in &class.body {
                    if let Stmt::FunctionDef(method) = stmt
                        && matches!(kind(method), Some(Kind::Property | Kind::Cached))
                    {
                        self.0.insert(method.name.as_str().to_owned());
                    }
                }
            }
            visitor::walk_stmt(self, stmt);
        }
    }
    let mut found = Properties::default();
    found.visit_body(body);
    found.0
}
