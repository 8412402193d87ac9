//! Bodies of classes that do more than Monty's may: such a class becomes a
//! function that works out its members, and a decorator makes the class of them.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Stmt, StmtClassDef};
use ruff_text_size::Ranged;

use super::{Pass, Place, flow, names::Names};

/// Whether Monty takes `stmt` in the body of a class.
fn is_plain(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::FunctionDef(_) | Stmt::AnnAssign(_) | Stmt::Pass(_) => true,
        Stmt::Assign(assign) => matches!(&assign.targets[..], [Expr::Name(_)]),
        Stmt::Expr(statement) => {
            statement.value.is_string_literal_expr() || statement.value.is_ellipsis_literal_expr()
        }
        _ => false,
    }
}

impl Pass<'_> {
    /// Makes a function of a class, if that is needed; false if it cannot be.
    pub(super) fn worked_out(&mut self, class: &StmtClassDef) -> bool {
        let Some(odd) = class.body.iter().find(|stmt| !is_plain(stmt)) else {
            return true;
        };
        let names = Names::of(&class.body).bound;
        let first = &class.body[0];
        let start = first.range().start();
        let doc =
            matches!(first, Stmt::Expr(statement) if statement.value.is_string_literal_expr());
        let fields = class.body.iter().any(Stmt::is_ann_assign_stmt);
        let deletes = class
            .body
            .iter()
            .any(|stmt| stmt.is_delete_stmt() || stmt.is_global_stmt());
        let inner = match self.text(first.range()).starts_with('@') {
            true => None,
            false => self.indent(start.to_u32()).map(str::to_owned),
        };
        let inner = inner.or_else(|| {
            let column = self.source[..start.to_usize()]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            let line = &self.source[column..];
            let indent = line.len() - line.trim_start().len();
            (indent > 0).then(|| line[..indent].to_owned())
        });
        let bases = class.arguments.as_deref();
        let bases = bases.filter(|bases| !bases.is_empty() && !self.takes_away_bases(class));
        // `super()` and keywords are part of the statement `class`.
        let is_bound = self.text(class.range()).contains("super(")
            || bases.is_some_and(|bases| !bases.keywords.is_empty());
        let (Some(inner), false, false, false) = (
            inner,
            fields,
            deletes,
            is_bound || reaches(&class.body, &names),
        ) else {
            self.refuse(
                "statements in the body of a class",
                "assign what they work out before the class, and define inner classes outside of it",
                odd.range(),
            );
            return false;
        };
        let keyword = self.class_keyword(class);
        let indent = self.indent(keyword).unwrap_or_default().to_owned();
        let name = class.name.as_str();
        self.rewrote("class-body", class.name.range(), "bodies");
        let given = match bases {
            Some(bases) => {
                let range = bases.range();
                let text = self.text(range).trim_matches(['(', ')']).to_owned();
                self.replace_range(range, "()");
                for base in &bases.args {
                    self.stands(base, Place::Done);
                }
                format!(",{text}").replace('\n', " ")
            }
            None => {
                self.insert(class.name.range().end(), "()");
                String::new()
            }
        };
        self.replace(
            keyword,
            keyword + 5,
            format!("@_rlm_worked_out('{name}'{given})\n{indent}def"),
        );
        if doc {
            self.insert(start, "__doc__=");
        }
        let members = names.iter().map(|name| format!("'{name}':{name}"));
        let mut members = members.collect::<Vec<_>>();
        members.extend(doc.then(|| String::from("'__doc__':__doc__")));
        let at = self.line_end(class.range().end().to_u32());
        self.ends
            .push((at, format!("\n{inner}return {{{}}}", members.join(","))));
        true
    }
}

/// Whether functions in `body` use one of `names` that is not theirs, which
/// means another thing in the body of a class than it does in a function.
fn reaches(body: &[Stmt], names: &BTreeSet<&str>) -> bool {
    struct Reach<'a> {
        names: &'a BTreeSet<&'a str>,
        /// What the functions around call their own, if there are any.
        own: Vec<BTreeSet<&'a str>>,
        found: bool,
    }
    impl<'a> Visitor<'a> for Reach<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::FunctionDef(function) => {
                    for parameter in &function.parameters {
                        parameter
                            .default()
                            .into_iter()
                            .for_each(|default| self.visit_expr(default));
                    }
                    self.own
                        .push(flow::bound(&function.parameters, &function.body));
                    self.visit_body(&function.body);
                    self.own.pop();
                }
                _ => visitor::walk_stmt(self, stmt),
            }
        }
        fn visit_annotation(&mut self, _: &'a Expr) {}
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Lambda(lambda) => {
                    let own = lambda.parameters.as_deref().map(flow::names);
                    self.own.push(own.unwrap_or_default());
                    visitor::walk_expr(self, expr);
                    self.own.pop();
                }
                Expr::Name(name) if name.ctx == ExprContext::Load => {
                    let name = name.id.as_str();
                    self.found |= !self.own.is_empty()
                        && self.names.contains(name)
                        && !self.own.iter().any(|own| own.contains(name));
                }
                _ => visitor::walk_expr(self, expr),
            }
        }
    }
    let mut reach = Reach {
        names,
        own: Vec::new(),
        found: false,
    };
    reach.visit_body(body);
    reach.found
}
