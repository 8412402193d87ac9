//! Decorated methods, which Monty's classes do not know: what decorates becomes
//! a name of the class, and is called in a line after the method.

use ruff_python_ast::{Decorator, Expr, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::{Pass, last_name};

/// What a decorator does to a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Property,
    Cached,
    Setter,
    Deleter,
    Static,
    Class,
    /// It says that there is nothing in the method.
    Abstract,
    /// It does what it does.
    Other,
}

fn kind(decorator: &Decorator, method: &StmtFunctionDef) -> Kind {
    match &decorator.expression {
        Expr::Name(name) => match name.id.as_str() {
            "property" => Kind::Property,
            "cached_property" => Kind::Cached,
            "staticmethod" => Kind::Static,
            "classmethod" => Kind::Class,
            "abstractmethod" | "override" | "final" => Kind::Abstract,
            _ => Kind::Other,
        },
        Expr::Attribute(attribute) => match (&*attribute.value, attribute.attr.as_str()) {
            (Expr::Name(name), "setter") if name.id == method.name.id => Kind::Setter,
            (Expr::Name(name), "deleter") if name.id == method.name.id => Kind::Deleter,
            (Expr::Name(name), "cached_property") if name.id == "functools" => Kind::Cached,
            (Expr::Name(name), "abstractmethod") if name.id == "abc" => Kind::Abstract,
            _ => Kind::Other,
        },
        _ => Kind::Other,
    }
}

pub(super) fn is_property(method: &StmtFunctionDef) -> bool {
    let mut decorators = method.decorator_list.iter();
    decorators.any(|decorator| matches!(kind(decorator, method), Kind::Property | Kind::Cached))
}

pub(super) fn is_abstract(method: &StmtFunctionDef) -> bool {
    let mut decorators = method.decorator_list.iter();
    decorators.any(|decorator| last_name(&decorator.expression) == "abstractmethod")
}

/// Whether `decorator` is gone from the script once its method is rewritten.
pub(super) fn is_gone(decorator: &Decorator, method: &StmtFunctionDef) -> bool {
    kind(decorator, method) != Kind::Other
}

/// The names of the class methods of `class`.
fn is_class_method(method: &StmtFunctionDef) -> bool {
    let mut decorators = method.decorator_list.iter();
    decorators.any(|decorator| kind(decorator, method) == Kind::Class)
}

impl Pass<'_> {
    /// A method with decorators; false if one is of those that cannot be.
    pub(super) fn decorated(&mut self, method: &StmtFunctionDef) -> bool {
        let name = &*self.mangled(method.name.as_str());
        let first = method.decorator_list[0].range().start().to_u32();
        let Some(indent) = self.indent(first).map(str::to_owned) else {
            return false;
        };
        let (mut before, mut after) = (String::new(), String::new());
        let mut stored = name;
        for (index, decorator) in method.decorator_list.iter().enumerate() {
            if matches!(
                last_name(&decorator.expression),
                "singledispatchmethod"
                    | "contextmanager"
                    | "asynccontextmanager"
                    | "overload"
                    | "register"
            ) {
                return false;
            }
            let range = decorator.range();
            let (start, end) = (range.start().to_u32(), range.end().to_u32());
            let what = kind(decorator, method);
            match what {
                Kind::Property => before.push_str("_rlm_property("),
                Kind::Cached => {
                    before.push_str("_rlm_property(");
                    after.insert_str(0, &format!(",None,None,'{name}')"));
                }
                Kind::Setter => {
                    stored = "_rlm_setter";
                    before.push_str(&format!("_rlm_property({name},"));
                }
                Kind::Deleter => {
                    stored = "_rlm_deleter";
                    before.push_str(&format!("_rlm_property({name},None,"));
                }
                Kind::Static => before.push_str("_rlm_static("),
                Kind::Class => before.push_str("_rlm_classmethod("),
                Kind::Abstract => {}
                Kind::Other => {
                    self.replace(start, start + 1, format!("_rlm_d{index}_{name}="));
                    before.push_str(&format!("_rlm_d{index}_{name}("));
                }
            }
            if !matches!(what, Kind::Abstract | Kind::Cached) {
                after.push(')');
            }
            if what != Kind::Other {
                if !self.ends_line(end) {
                    return false;
                }
                // The next line stays where it is.
                self.replace(start, end, format!("_rlm_d{index}_{name}=None"));
            }
        }
        if before.is_empty() {
            return true;
        }
        let range = method.name.range();
        if stored != name {
            self.replace_range(range, stored.to_owned());
        }
        self.rewrote(
            "decorated-method",
            method.decorator_list[0].range(),
            "attributes",
        );
        let at = self.line_end(method.range().end().to_u32());
        self.ends
            .push((at, format!("\n{indent}{name}={before}{stored}{after}")));
        true
    }

    /// `@f.register` of what says in its annotation what it is for.
    pub(super) fn registers(&mut self, decorator: &Decorator, function: &StmtFunctionDef) {
        if let Expr::Attribute(register) = &decorator.expression
            && register.attr.as_str() == "register"
            && let Expr::Name(of) = &*register.value
            && self
                .source
                .contains(&format!("singledispatch\ndef {}(", of.id))
            && let Some(first) = function.parameters.iter_non_variadic_params().next()
            && let Some(kind @ (Expr::Name(_) | Expr::Attribute(_))) = first.annotation()
        {
            let text = format!("({})", self.text(kind.range()));
            self.rewrote("register", decorator.range(), "");
            self.insert(decorator.range().end(), text);
        }
    }

    /// Class methods learn of their class when there is one.
    pub(super) fn owns_methods(&mut self, class: &StmtClassDef) {
        for stmt in &class.body {
            if let Stmt::FunctionDef(method) = stmt
                && is_class_method(method)
            {
                let outer = self.indent(self.class_keyword(class)).unwrap_or_default();
                let line = format!(
                    "\n{outer}{0}.{1}.owner={0}",
                    class.name.as_str(),
                    self.mangled(method.name.as_str())
                );
                let at = self.line_end(class.range().end().to_u32());
                self.ends.push((at, line));
            }
        }
    }
}
