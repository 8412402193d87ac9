//! Classes: what Monty refuses or passes over in silence is refused with what
//! to write instead, and what instances may say of themselves is noted.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Decorator, Expr, Stmt, StmtClassDef};
use ruff_text_size::Ranged;

use super::{Pass, decorators, generators};

impl Pass<'_> {
    /// Notes what a script brings before any of it is rewritten.
    pub(super) fn learn(&mut self, body: &[Stmt]) {
        let named = [
            "cmp_to_key",
            "total_ordering",
            "OrderedDict",
            "ChainMap",
            "Fraction",
        ];
        let mut words = Words {
            looks_inside: named.iter().any(|name| self.source.contains(name)),
            ..Words::default()
        };
        words.visit_body(body);
        let habits = &mut self.out.habits;
        habits.truth |= words.truth;
        habits.order |= words.order;
        habits.mappings |= words.mappings;
        habits.properties.extend(decorators::properties(body));
        habits.reversible |= words.reversible;
        habits.lazy |= words.lazy || generators::has_generators(body);
        if words.truth {
            self.out.helpers.insert("truth");
        }
        if words.functions {
            self.learn_loud(body);
        }
        if self.out.habits.order {
            self.out.helpers.insert("order");
        }
        if self.out.habits.truth {
            self.out.helpers.insert("truth");
        }
    }

    pub(super) fn class(&mut self, class: &StmtClassDef) {
        if let Some(arguments) = &class.arguments {
            let base = arguments.args.first();
            match base {
                None if arguments.keywords.is_empty() => {}
                Some(Expr::Name(name)) if name.id.as_str() == "object" && arguments.len() == 1 => {
                    self.rewrote("class", class.name.range(), "");
                    self.replace(
                        arguments.range().start().to_u32(),
                        arguments.range().end().to_u32(),
                        "",
                    );
                }
                _ => {
                    let name = base.map_or("", last_name);
                    let (message, hint) = inherited(name);
                    return self.refuse(message, hint, arguments.range());
                }
            }
        }
        self.iterates_by_index(class);
        for stmt in &class.body {
            match stmt {
                Stmt::FunctionDef(method) => {
                    if let Some(decorator) = method.decorator_list.first()
                        && !self.decorated(class, method)
                    {
                        return self.refuse_decorator(decorator);
                    }
                    let hint = match method.name.as_str() {
                        "__getattr__" | "__getattribute__" => {
                            "write a method get(name) and call it"
                        }
                        "__setattr__" | "__delattr__" | "__set_name__" | "__get__" | "__set__" => {
                            "write a method set(name, value) and call it"
                        }
                        "__format__" => "write a method that returns the text and call it",
                        "__new__" | "__init_subclass__" | "__class_getitem__" => {
                            "write a function that makes the instance"
                        }
                        "__del__" => "call a method close() yourself, or use with",
                        "__ne__" => "define __eq__ only",
                        "__iadd__" | "__isub__" | "__imul__" | "__ior__" | "__iand__" => {
                            "write a method that changes the instance, and call it"
                        }
                        _ => continue,
                    };
                    return self.refuse(
                        "a special method that is never called in this sandbox",
                        hint,
                        method.name.range(),
                    );
                }
                Stmt::ClassDef(inner) => {
                    return self.refuse(
                        "a class inside of a class",
                        "define it outside of the other class",
                        inner.name.range(),
                    );
                }
                Stmt::If(_) | Stmt::For(_) | Stmt::While(_) | Stmt::With(_) | Stmt::Try(_) => {
                    return self.refuse(
                        "statements in the body of a class",
                        "assign what they work out before the class",
                        stmt.range(),
                    );
                }
                _ => {}
            }
        }
    }

    /// What has items by number can be gone through in Python.
    fn iterates_by_index(&mut self, class: &StmtClassDef) {
        let has = |name: &str| {
            class.body.iter().any(
                |stmt| matches!(stmt, Stmt::FunctionDef(method) if method.name.as_str() == name),
            )
        };
        if !has("__getitem__") || has("__iter__") {
            return;
        }
        let end = class.range().end().to_u32();
        let rest = &self.source[end as usize..];
        let line_end = end + rest.find('\n').unwrap_or(rest.len()) as u32;
        let start = class
            .decorator_list
            .first()
            .map_or(class.range(), |first| first.range());
        let Some(indent) = self.indent(start.start().to_u32()).map(str::to_owned) else {
            return;
        };
        self.rewrote("iteration", class.name.range(), "items");
        let name = class.name.as_str();
        let contains = if has("__contains__") {
            String::new()
        } else {
            format!(";{name}.__contains__=_rlm_holds")
        };
        self.ends.push((
            line_end,
            format!("\n{indent}{name}.__iter__=_rlm_items{contains}"),
        ));
    }

    fn refuse_decorator(&mut self, decorator: &Decorator) {
        let hint = match last_name(&decorator.expression) {
            "property" | "cached_property" | "setter" => {
                "make it a plain method and call it, as in x.area()"
            }
            "staticmethod" => "define a function outside of the class",
            "classmethod" => "define a function outside of the class that makes the instance",
            _ => "wrap the method in the class body, as in run = retry(run)",
        };
        self.refuse("a decorated method", hint, decorator.range());
    }
}

/// Why a class cannot have such a base, and what to do instead.
fn inherited(base: &str) -> (&'static str, &'static str) {
    match base {
        _ if base.ends_with("Error") || base.ends_with("Exception") || base == "Warning" => (
            "a class of exceptions of your own",
            "leave its body at pass and read what it was made of from e.args, or raise a builtin exception, as in raise ValueError('parse error: ...')",
        ),
        "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" => (
            "an Enum",
            "use plain constants or a dict of names and values",
        ),
        "NamedTuple" => (
            "a class that inherits from NamedTuple",
            "use collections.namedtuple or a @dataclass",
        ),
        "TypedDict" => ("a class that inherits from TypedDict", "use a plain dict"),
        "ABC" | "Protocol" | "Generic" => (
            "a class that inherits",
            "leave the base out: any object with the methods will do",
        ),
        "dict" | "list" | "str" | "set" | "tuple" | "int" | "float" | "OrderedDict"
        | "defaultdict" | "Counter" | "UserDict" => (
            "a class that inherits from a builtin type",
            "keep one in an attribute and write the methods that you need",
        ),
        _ => (
            "a class that inherits from another",
            "write functions, or put an instance of the other class into an attribute and call its methods",
        ),
    }
}

fn last_name(expr: &Expr) -> &str {
    match expr {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        Expr::Call(call) => last_name(&call.func),
        Expr::Subscript(subscript) => last_name(&subscript.value),
        _ => "",
    }
}

/// Words that change how a script has to be read.
#[derive(Default)]
struct Words {
    truth: bool,
    mappings: bool,
    reversible: bool,
    order: bool,
    lazy: bool,
    functions: bool,
    /// Whether expressions may hold one of them.
    looks_inside: bool,
}

impl<'a> Visitor<'a> for Words {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::ClassDef(class) => {
                for stmt in &class.body {
                    let Stmt::FunctionDef(method) = stmt else {
                        continue;
                    };
                    match method.name.as_str() {
                        "__len__" | "__bool__" => self.truth = true,
                        "__lt__" | "__gt__" | "__le__" | "__ge__" => self.order = true,
                        "__next__" => self.lazy = true,
                        "__reversed__" => self.reversible = true,
                        "__getitem__" => (self.reversible, self.truth) = (true, true),
                        _ => {}
                    }
                }
                for decorator in &class.decorator_list {
                    self.order |= matches!(&decorator.expression, Expr::Call(call)
                        if call.arguments.keywords.iter().any(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == "order")));
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    match alias.name.as_str() {
                        "cmp_to_key" | "total_ordering" => self.order = true,
                        "OrderedDict" | "ChainMap" => {
                            (self.truth, self.mappings, self.reversible) = (true, true, true)
                        }
                        "Fraction" => (self.truth, self.order) = (true, true),
                        _ => {}
                    }
                }
            }
            Stmt::FunctionDef(_) => self.functions = true,
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if !self.looks_inside {
            return;
        }
        if let Expr::Attribute(attribute) = expr {
            match attribute.attr.as_str() {
                "cmp_to_key" | "total_ordering" => self.order = true,
                "OrderedDict" | "ChainMap" => {
                    (self.truth, self.mappings, self.reversible) = (true, true, true)
                }
                "Fraction" => (self.truth, self.order) = (true, true),
                _ => {}
            }
        }
        visitor::walk_expr(self, expr);
    }
}
