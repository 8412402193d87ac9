//! Classes of exceptions with bodies: Monty's exceptions hold one text and nothing
//! else, so an instance of a class without bases is kept beside each of them, which
//! has the attributes and methods.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Expr, ExprCall, ExprContext, ExprName, InterpolatedStringElement, Stmt, StmtClassDef,
    StmtFunctionDef,
};
use ruff_text_size::Ranged;

use super::{Pass, Place, decorators, errors};

/// What the body of a class of exceptions has.
#[derive(Default)]
pub(super) struct Body<'a> {
    /// What it defines.
    own: Vec<&'a str>,
    /// The names of the attributes that exceptions of it may have.
    pub(super) members: BTreeSet<&'a str>,
    /// Calls of what the class above has, and what they give as `self`.
    above: Vec<(&'a Expr, &'a ExprCall, Option<&'a str>)>,
    base: &'a str,
    /// What the method around calls its instance.
    this: &'a str,
    /// It does something else with the exception itself.
    odd: bool,
}

/// The only base of a class that has nothing else in its head.
pub(super) fn base(class: &StmtClassDef) -> Option<&ExprName> {
    let arguments = class.arguments.as_deref()?;
    let is_plain = class.decorator_list.is_empty()
        && class.type_params.is_none()
        && arguments.keywords.is_empty();
    match &arguments.args[..] {
        [Expr::Name(base)] if is_plain => Some(base),
        _ => None,
    }
}

/// What there is in the body of `class`, if an instance can stand for it.
pub(super) fn of(class: &StmtClassDef) -> Option<Body<'_>> {
    let mut body = Body {
        base: base(class)?.id.as_str(),
        ..Body::default()
    };
    for stmt in &class.body {
        match stmt {
            Stmt::Pass(_) => {}
            Stmt::Expr(only)
                if only.value.is_string_literal_expr() || only.value.is_ellipsis_literal_expr() => {
            }
            Stmt::FunctionDef(method) => body.method(method),
            Stmt::Assign(assign) => match &assign.targets[..] {
                [Expr::Name(name)] => body.defines(name.id.as_str()),
                _ => return None,
            },
            Stmt::AnnAssign(assign) => match &*assign.target {
                Expr::Name(name) if assign.value.is_some() => body.defines(name.id.as_str()),
                _ => {}
            },
            _ => return None,
        }
    }
    (!body.odd).then_some(body)
}

impl<'a> Body<'a> {
    fn defines(&mut self, name: &'a str) {
        self.own.push(name);
        self.odd |= name.starts_with("__");
        self.members.insert(name);
    }

    fn method(&mut self, method: &'a StmtFunctionDef) {
        let name = method.name.as_str();
        match name {
            "__init__" | "__str__" => self.own.push(name),
            _ => self.defines(name),
        }
        let is_plain = match &method.decorator_list[..] {
            [] => true,
            [_] => decorators::is_property(method),
            _ => false,
        };
        let Some(this) = method.parameters.args.first() else {
            self.odd = true;
            return;
        };
        self.odd |= !is_plain || method.is_async;
        self.this = this.name().as_str();
        self.visit_body(&method.body);
    }

    fn is_this(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Name(name) if name.id.as_str() == self.this)
    }
}

impl<'a> Visitor<'a> for Body<'a> {
    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        if let InterpolatedStringElement::Interpolation(inner) = element
            && self.is_this(&inner.expression)
            && inner.conversion.is_none()
        {
            return;
        }
        visitor::walk_interpolated_string_element(self, element);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Attribute(attribute) if self.is_this(&attribute.value) => {
                let name = attribute.attr.as_str();
                self.odd |= name.starts_with("__") && name != "__class__";
                self.odd |= matches!(name, "with_traceback" | "add_note");
                if attribute.ctx == ExprContext::Store {
                    self.members.insert(name);
                }
                return;
            }
            Expr::Name(name) => {
                self.odd |= self.is_this(expr) || name.id.as_str() == "super";
                return;
            }
            Expr::Call(call) => {
                if let Some((name, rest)) = self.of_above(call) {
                    self.above.push((expr, call, name));
                    rest.iter().for_each(|arg| self.visit_expr(arg));
                    for keyword in &call.arguments.keywords {
                        self.visit_expr(&keyword.value);
                    }
                    return;
                }
                let shows = errors::any_name(&call.func, &["str", "type"]);
                if let ([only], true) = (&call.arguments.args[..], shows)
                    && self.is_this(only)
                {
                    return;
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

impl<'a> Body<'a> {
    /// Whether `call` calls what the class above has: what it is for, unless that is
    /// its first argument, and its arguments.
    fn of_above(&self, call: &'a ExprCall) -> Option<(Option<&'a str>, &'a [Expr])> {
        let Expr::Attribute(method) = &*call.func else {
            return None;
        };
        match &*method.value {
            Expr::Call(of) if errors::any_name(&of.func, &["super"]) => {
                let is_plain = match &of.arguments.args[..] {
                    [] => true,
                    [_, this] => self.is_this(this),
                    _ => false,
                };
                is_plain.then_some((Some(self.this), &*call.arguments.args))
            }
            Expr::Name(name) if name.id.as_str() == self.base => {
                let (first, rest) = call.arguments.args.split_first()?;
                self.is_this(first).then_some((None, rest))
            }
            _ => None,
        }
    }
}

impl Pass<'_> {
    /// Has an instance hold what exceptions of `class` have; false if it is none.
    pub(super) fn embodies(&mut self, class: &StmtClassDef) -> bool {
        if !self.out.habits.error_bodies.contains(class.name.as_str()) {
            return false;
        }
        let Some((base, body)) = base(class).zip(of(class)) else {
            return false;
        };
        let Some(above) = self.above(base.id.as_str()) else {
            return false;
        };
        let own = body.own.join(" ");
        self.made(class, format!("_rlm_embody({above},'{own}')"), "exceptions");
        for (expr, call, this) in body.above {
            let Expr::Attribute(method) = &*call.func else {
                continue;
            };
            let this = this.map_or(String::new(), |this| format!(",{this}"));
            let text = format!("_rlm_above({above},'{}'{this})", method.attr.as_str());
            let range = call.func.range();
            self.stands(expr, Place::Done);
            self.stands(&call.func, Place::Done);
            if let Expr::Call(of) = &*method.value {
                self.stands(&method.value, Place::Done);
                self.stands(&of.func, Place::Done);
            }
            self.replace_range(range, text);
        }
        true
    }
}
