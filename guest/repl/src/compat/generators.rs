//! Generator functions. Monty has none, so what one yields is collected when it
//! is first asked for. That is the same thing where nobody can see when its
//! body runs; where somebody can, and where it has no end, it is refused.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Stmt, StmtFunctionDef, StmtWhile};
use ruff_text_size::{Ranged, TextRange};

use super::{Pass, Place, flow};

const NO_END: &str = "an infinite generator";
const NO_END_HINT: &str =
    "give the function the number of items that it shall make, or write the loop where it is used";
const SEEN_HINT: &str = "let the function return a list: its body would run at once, before the loop that takes its items";

impl Pass<'_> {
    /// Changes a function that yields.
    pub(super) fn generator(&mut self, function: &StmtFunctionDef) {
        let mut found = Yields::default();
        found.visit_body(&function.body);
        if found.statements.is_empty() && found.values.is_none() {
            return;
        }
        let name = function.name.as_str();
        let range = function.name.range();
        if let Some(value) = found.values {
            return self.refuse(
                "yield as a value, for send()",
                "pass values as arguments instead",
                value,
            );
        }
        if function.is_async {
            return self.refuse("an asynchronous generator", "return a list", range);
        }
        if !function.decorator_list.is_empty() {
            return self.refuse(
                "a decorated generator function, such as @contextmanager",
                "write a class with __enter__ and __exit__, or a function that returns a list",
                range,
            );
        }
        if let Some(endless) = found.endless {
            return self.refuse(NO_END, NO_END_HINT, endless);
        }
        let is_loud = self.out.habits.loud.contains(name);
        if is_loud && self.in_class {
            return self.refuse(
                "a generator method whose steps can be seen from outside",
                SEEN_HINT,
                range,
            );
        }
        self.rewrote("generator", range, "generators");
        if is_loud {
            self.out.habits.loud_generators.insert(name.to_owned());
        }
        for (word, value, is_from) in found.statements {
            let helper = if is_from {
                "_rlm_yield_from("
            } else {
                "_rlm_yield("
            };
            let (start, end) = (word.start().to_u32(), word.end().to_u32());
            match value {
                Some(value) => {
                    let is_tuple = matches!(value, Expr::Tuple(tuple) if !tuple.parenthesized);
                    let open = if is_tuple {
                        format!("{helper}(")
                    } else {
                        helper.to_owned()
                    };
                    let kept = value.range().start().to_u32();
                    // Parentheses may open before the value.
                    let word_end = start
                        + if is_from {
                            self.end_of_from(start)
                        } else {
                            "yield".len() as u32
                        };
                    self.replace(start, word_end.min(kept), open);
                    let close = if is_tuple { "))" } else { ")" };
                    self.closings.push((end, close.to_owned()));
                    if is_from {
                        self.stands(value, Place::Drained);
                    }
                }
                None => self.replace(start, end, format!("{helper}None)")),
            }
        }
        let end = function.range().end().to_u32();
        let line_end = end
            + self.source[end as usize..]
                .find('\n')
                .unwrap_or(self.source.len() - end as usize) as u32;
        let Some(indent) = self
            .indent(function.range().start().to_u32())
            .map(str::to_owned)
        else {
            return self.refuse(
                "a generator function beside other statements",
                "put it on lines of its own",
                range,
            );
        };
        let asks = (self.known.asks)(name);
        let at_once = if asks { "True" } else { "False" };
        let line = format!("\n{indent}{name}=_rlm_generate({name},{at_once},'{name}')");
        self.ends.push((line_end, line));
    }

    /// How long `yield from` is, with what stands between.
    fn end_of_from(&self, start: u32) -> u32 {
        let rest = &self.source[start as usize..];
        rest.find("from").unwrap_or(0) as u32 + "from".len() as u32
    }

    /// A call of a generator function whose steps can be seen.
    pub(super) fn calls_generator(&mut self, call: &ExprCall, place: Option<Place>) {
        let Expr::Name(name) = &*call.func else {
            return;
        };
        let name = name.id.as_str();
        if place != Some(Place::Drained) && self.out.habits.loud_generators.contains(name) {
            self.refuse(
                "a generator function whose steps can be seen from outside",
                SEEN_HINT,
                call.range(),
            );
        }
    }

    /// Finds out which functions can be seen to run.
    pub(super) fn learn_loud(&mut self, body: &[Stmt]) {
        let mut functions = Functions::default();
        functions.visit_body(body);
        loop {
            let before = self.out.habits.loud.len();
            for function in &functions.found {
                let effects = flow::Effects::of(&function.body);
                let own = flow::bound(&function.parameters, &function.body);
                let given = flow::names(&function.parameters);
                let is_local = |name: &str| own.contains(name) && !given.contains(name);
                let is_loud = |name: &str| {
                    matches!(
                        name,
                        "print" | "next" | "input" | "setattr" | "exec" | "eval" | "open"
                    ) || given.contains(name)
                        || (self.known.asks)(name)
                        || self.out.habits.loud.contains(name)
                };
                if effects.reaches_out
                    || effects.changed.iter().any(|name| !is_local(name))
                    || effects.calls.iter().any(|name| is_loud(name))
                {
                    self.out
                        .habits
                        .loud
                        .insert(function.name.as_str().to_owned());
                }
            }
            if self.out.habits.loud.len() == before {
                return;
            }
        }
    }
}

/// All functions, however deep.
#[derive(Default)]
struct Functions<'a> {
    found: Vec<&'a StmtFunctionDef>,
}

impl<'a> Visitor<'a> for Functions<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::FunctionDef(function) = stmt {
            self.found.push(function);
        }
        visitor::walk_stmt(self, stmt);
    }
}

/// The `yield`s of one function.
#[derive(Default)]
struct Yields<'a> {
    /// Where each stands, its value, and whether it is a `yield from`.
    statements: Vec<(TextRange, Option<&'a Expr>, bool)>,
    /// One whose own value is used.
    values: Option<TextRange>,
    /// A loop that has no end.
    endless: Option<TextRange>,
}

impl<'a> Visitor<'a> for Yields<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::Expr(statement) => match &*statement.value {
                Expr::Yield(inner) => {
                    self.statements
                        .push((inner.range(), inner.value.as_deref(), false));
                    if let Some(value) = &inner.value {
                        self.visit_expr(value);
                    }
                    return;
                }
                Expr::YieldFrom(inner) => {
                    self.statements
                        .push((inner.range(), Some(&inner.value), true));
                    return self.visit_expr(&inner.value);
                }
                _ => {}
            },
            Stmt::While(inner) if is_endless(inner) => self.endless = Some(inner.test.range()),
            Stmt::For(inner) if counts_forever(&inner.iter) && !flow::ends_early(&inner.body) => {
                self.endless = Some(inner.iter.range());
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Lambda(_) => {}
            Expr::Yield(_) | Expr::YieldFrom(_) => self.values = Some(expr.range()),
            _ => visitor::walk_expr(self, expr),
        }
    }
}

fn is_endless(statement: &StmtWhile) -> bool {
    let is_true = match &*statement.test {
        Expr::BooleanLiteral(literal) => literal.value,
        Expr::NumberLiteral(_) => true,
        _ => false,
    };
    is_true && !flow::ends_early(&statement.body)
}

fn counts_forever(iter: &Expr) -> bool {
    let Expr::Call(call) = iter else {
        return false;
    };
    let name = match &*call.func {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return false,
    };
    match name {
        "count" => {
            !matches!(&*call.func, Expr::Attribute(attribute) if !attribute.value.is_name_expr())
        }
        "cycle" => true,
        "repeat" => call.arguments.len() == 1,
        _ => false,
    }
}

fn yields(function: &StmtFunctionDef) -> bool {
    let mut found = Yields::default();
    found.visit_body(&function.body);
    !found.statements.is_empty()
}

/// Whether `body` defines functions that yield.
pub(super) fn has_generators(body: &[Stmt]) -> bool {
    let mut functions = Functions::default();
    functions.visit_body(body);
    functions.found.into_iter().any(yields)
}
