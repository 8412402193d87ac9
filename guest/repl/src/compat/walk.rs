//! The walk over a script: which rewrite looks at which statement and expression.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, Expr, ExprContext, InterpolatedStringElement, Stmt};
use ruff_text_size::Ranged;

use super::{Pass, Place, flow};
use crate::callbacks;

impl<'a> Visitor<'a> for Pass<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.test(stmt);
        self.classes.extend(match stmt {
            Stmt::ClassDef(class) => Some(class.name.as_str()),
            _ => None,
        });
        match stmt {
            Stmt::Delete(delete) => self.delete(delete),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::AugAssign(assign) => self.changes_in_place(assign),
            Stmt::FunctionDef(function) => {
                if self.in_class {
                    self.mangle(&function.name, function.name.as_str());
                }
                if function.is_async && flow::yields(&function.body) {
                    let range = function.name.range();
                    self.refuse("an asynchronous generator", "return a list", range);
                }
                let own = flow::bound(&function.parameters, &function.body);
                let in_class = std::mem::replace(&mut self.in_class, false);
                for decorator in &function.decorator_list {
                    self.visit_decorator(decorator);
                    self.registers(decorator, function);
                }
                for parameter in &function.parameters {
                    if let Some(default) = parameter.default() {
                        self.visit_expr(default);
                    }
                }
                self.functions.push(own);
                self.visit_body(&function.body);
                self.functions.pop();
                self.in_class = in_class;
                return;
            }
            Stmt::For(statement) => self.stands(&statement.iter, Place::Looped),
            Stmt::ImportFrom(import) => self.imports_members(import),
            Stmt::AnnAssign(assign) if self.in_class => self.mangle_name(&assign.target),
            Stmt::Assign(assign) if self.in_class => {
                let targets = assign.targets.iter();
                targets.for_each(|target| self.mangle_name(target));
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

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_body(&mut self, body: &'a [Stmt]) {
        self.tasks(body);
        visitor::walk_body(self, body);
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        // `f"{x=}"` shows the text of `x` as it stands.
        let shows = matches!(element, InterpolatedStringElement::Interpolation(inner)
            if inner.debug_text.is_some() && !self.debug_text(inner));
        if !shows {
            visitor::walk_interpolated_string_element(self, element);
        }
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.stands(&comprehension.iter, Place::Looped);
        for test in &comprehension.ifs {
            self.stands(test, Place::Tested);
        }
        visitor::walk_comprehension(self, comprehension);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && self.has_docstring
            && name.ctx.is_load()
            && name.id == "__doc__"
        {
            return self.replace_range(name.range, "_rlm_doc");
        }
        let place = self.place(expr);
        if place == Some(Place::Done) {
            return self.parts(expr);
        }
        let mut after: Vec<(u32, &'static str)> = Vec::new();
        match expr {
            Expr::Call(call) => {
                self.stands(&call.func, Place::Callee);
                self.drain(call);
                if place == Some(Place::Looped) && callbacks::is_lazy(call) {
                    let args = call.arguments.args.iter();
                    args.for_each(|arg| self.stands(arg, Place::Looped));
                }
                self.call(call, place, &mut after);
            }
            Expr::Attribute(attribute) if attribute.ctx == ExprContext::Load => {
                let is_replaced = self.member(attribute);
                if !is_replaced {
                    self.attribute(attribute, place);
                }
            }
            Expr::Name(name) if name.ctx == ExprContext::Load => self.name(name),
            Expr::Subscript(subscript) if subscript.ctx == ExprContext::Load => {
                self.brackets(subscript, &mut after);
            }
            Expr::Generator(generator) => self.generator_expression(generator, place, &mut after),
            Expr::Starred(starred) => self.stands(&starred.value, Place::Drained),
            Expr::If(choice) => self.stands(&choice.test, Place::Tested),
            Expr::UnaryOp(unary) => self.negated(unary),
            Expr::BoolOp(operation) => self.chosen(operation, place),
            Expr::Compare(compare) => {
                self.compares_type(compare);
                self.compared(compare, &mut after);
            }
            _ => {}
        }
        if let Expr::Attribute(attribute) = expr {
            self.mangle(&attribute.attr, attribute.attr.as_str());
        }
        self.parts(expr);
        for (offset, text) in after.into_iter().rev() {
            self.insert(offset, text);
        }
    }
}

impl<'a> Pass<'a> {
    /// Walks over the parts of an expression, in which names may be its own.
    fn parts(&mut self, expr: &'a Expr) {
        let own = match expr {
            Expr::Lambda(lambda) => lambda.parameters.as_deref().map(flow::names),
            Expr::Generator(generator) => Some(flow::targets(&generator.generators)),
            Expr::ListComp(list) => Some(flow::targets(&list.generators)),
            Expr::SetComp(set) => Some(flow::targets(&set.generators)),
            Expr::DictComp(dict) => Some(flow::targets(&dict.generators)),
            _ => None,
        };
        self.functions.push(own.unwrap_or_default());
        visitor::walk_expr(self, expr);
        self.functions.pop();
    }
}
