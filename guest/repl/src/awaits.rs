//! Which calls of a script are awaited.
//!
//! Language models write both `answer = f(x)` and `await f(x)`, and both must
//! work whatever `f` is. A host function's call is *awaited* where its result
//! can reach an `await`, an `asyncio.gather` or one of their kin: directly, or
//! through containers, comprehensions, names and plain helper functions. The
//! search follows values, not control flow, and looks at one script.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Arguments, Comprehension, Expr, ExprCall, ModModule, Stmt};
use ruff_text_size::Ranged;

/// Functions that await what they are given, by the last part of their name.
const SINKS: [&str; 6] = [
    "gather",
    "create_task",
    "ensure_future",
    "wait",
    "wait_for",
    "as_completed",
];
/// Functions whose result holds what they are given.
const WRAPPERS: [&str; 8] = [
    "list",
    "tuple",
    "set",
    "reversed",
    "enumerate",
    "zip",
    "iter",
    "dict",
];

/// Byte offsets of the awaited calls of `functions`, ascending.
pub(crate) fn awaited_calls(module: &ModModule, functions: &BTreeSet<String>) -> Vec<u32> {
    let mut flows = Flows::new(functions);
    flows.visit_body(&module.body);
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for sink in &flows.sinks {
        flows.trace(sink, &mut found, &mut names);
    }
    while let Some(name) = names.pop() {
        if seen.insert(name) {
            for source in flows.into_name.get(name).into_iter().flatten() {
                flows.trace(source, &mut found, &mut names);
            }
        }
    }
    found.into_iter().collect()
}

/// Where values go in a script.
struct Flows<'a, 'f> {
    functions: &'f BTreeSet<String>,
    /// Expressions that are awaited.
    sinks: Vec<&'a Expr>,
    /// Expressions whose value a name may hold, or a plain function return.
    into_name: BTreeMap<&'a str, Vec<&'a Expr>>,
    /// The plain functions around the statement at hand, innermost last.
    inside: Vec<Option<&'a str>>,
}

impl<'a, 'f> Flows<'a, 'f> {
    fn new(functions: &'f BTreeSet<String>) -> Self {
        Self {
            functions,
            sinks: Vec::new(),
            into_name: BTreeMap::new(),
            inside: Vec::new(),
        }
    }

    /// Notes that `value` may end up in what `target` names.
    fn flow(&mut self, target: &'a Expr, value: &'a Expr) {
        match target {
            Expr::Name(name) => self
                .into_name
                .entry(name.id.as_str())
                .or_default()
                .push(value),
            Expr::Tuple(tuple) => tuple
                .elts
                .iter()
                .for_each(|target| self.flow(target, value)),
            Expr::List(list) => list.elts.iter().for_each(|target| self.flow(target, value)),
            Expr::Starred(starred) => self.flow(&starred.value, value),
            Expr::Subscript(subscript) => self.flow(&subscript.value, value),
            _ => {}
        }
    }

    /// Returns whether `func` is a host function, or a member of a namespace of those.
    fn is_asked(&self, func: &Expr) -> bool {
        let name = match func {
            Expr::Name(name) => name,
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::Name(name) => name,
                _ => return false,
            },
            _ => return false,
        };
        self.functions.contains(name.id.as_str())
    }

    /// Follows the value of `expr` back to the calls and names it comes from.
    fn trace(&self, expr: &'a Expr, found: &mut BTreeSet<u32>, names: &mut Vec<&'a str>) {
        let mut all = |exprs: &mut dyn Iterator<Item = &'a Expr>| {
            exprs.for_each(|expr| self.trace(expr, found, names))
        };
        match expr {
            Expr::Call(call) => match &*call.func {
                func if self.is_asked(func) => {
                    found.insert(call.range().start().to_u32());
                }
                Expr::Name(name) if name.id.as_str() == "map" => {
                    match call.arguments.args.first() {
                        Some(callback) if self.is_asked(callback) => {}
                        Some(Expr::Name(callback)) => names.push(callback.id.as_str()),
                        Some(Expr::Lambda(lambda)) => self.trace(&lambda.body, found, names),
                        _ => return,
                    }
                    found.insert(call.range().start().to_u32());
                }
                func => match last_name(func) {
                    Some(name) if SINKS.contains(&name) || WRAPPERS.contains(&name) => {
                        all(&mut arguments(&call.arguments))
                    }
                    Some(name) if matches!(func, Expr::Name(_)) => names.push(name),
                    // `tasks.values()`, `tasks.copy()`: what the receiver holds.
                    _ => {
                        if let Expr::Attribute(attribute) = func {
                            self.trace(&attribute.value, found, names);
                        }
                    }
                },
            },
            Expr::Name(name) => names.push(name.id.as_str()),
            Expr::Starred(starred) => self.trace(&starred.value, found, names),
            Expr::Subscript(subscript) => self.trace(&subscript.value, found, names),
            Expr::Named(named) => self.trace(&named.value, found, names),
            Expr::List(list) => all(&mut list.elts.iter()),
            Expr::Tuple(tuple) => all(&mut tuple.elts.iter()),
            Expr::Set(set) => all(&mut set.elts.iter()),
            Expr::Dict(dict) => all(&mut dict.items.iter().map(|item| &item.value)),
            Expr::ListComp(comp) => self.trace(&comp.elt, found, names),
            Expr::SetComp(comp) => self.trace(&comp.elt, found, names),
            Expr::Generator(comp) => self.trace(&comp.elt, found, names),
            Expr::DictComp(comp) => self.trace(&comp.value, found, names),
            Expr::If(choice) => all(&mut [&*choice.body, &*choice.orelse].into_iter()),
            Expr::BoolOp(choice) => all(&mut choice.values.iter()),
            Expr::BinOp(sum) => all(&mut [&*sum.left, &*sum.right].into_iter()),
            _ => {}
        }
    }
}

fn arguments(arguments: &Arguments) -> impl Iterator<Item = &Expr> {
    arguments
        .args
        .iter()
        .chain(arguments.keywords.iter().map(|keyword| &keyword.value))
}

fn last_name(func: &Expr) -> Option<&str> {
    match func {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}

impl<'a> Visitor<'a> for Flows<'a, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let mut entered = false;
        match stmt {
            Stmt::FunctionDef(function) => {
                self.inside
                    .push((!function.is_async).then_some(function.name.as_str()));
                entered = true;
            }
            Stmt::Return(statement) => {
                if let (Some(Some(function)), Some(value)) = (self.inside.last(), &statement.value)
                {
                    self.into_name.entry(function).or_default().push(value);
                }
            }
            Stmt::Assign(assign) => assign
                .targets
                .iter()
                .for_each(|target| self.flow(target, &assign.value)),
            Stmt::AugAssign(assign) => self.flow(&assign.target, &assign.value),
            Stmt::AnnAssign(assign) => assign
                .value
                .iter()
                .for_each(|value| self.flow(&assign.target, value)),
            Stmt::For(statement) => self.flow(&statement.target, &statement.iter),
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
        if entered {
            self.inside.pop();
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Await(awaited) => self.sinks.push(&awaited.value),
            Expr::Named(named) => self.flow(&named.target, &named.value),
            Expr::Call(ExprCall {
                func,
                arguments: given,
                ..
            }) => {
                let name = last_name(func).unwrap_or_default();
                if SINKS.contains(&name) {
                    self.sinks.extend(arguments(given));
                }
                // `tasks.append(f(x))`: the receiver holds it from then on.
                if let (
                    Expr::Attribute(attribute),
                    "append" | "add" | "insert" | "extend" | "setdefault",
                ) = (&**func, name)
                {
                    given
                        .args
                        .iter()
                        .for_each(|value| self.flow(&attribute.value, value));
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.flow(&comprehension.target, &comprehension.iter);
        visitor::walk_comprehension(self, comprehension);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(source: &str) -> usize {
        let parsed = ruff_python_parser::parse_module(source).expect("parses");
        awaited_calls(
            parsed.syntax(),
            &BTreeSet::from(["f", "g", "index"].map(String::from)),
        )
        .len()
    }

    #[test]
    fn calls_whose_results_are_awaited_are_found() {
        for source in [
            "await f(1)",
            "await index.search(1)",
            "await asyncio.gather(*map(index.search, xs))",
            "await asyncio.gather(f(1), g(2))",
            "await gather(*[f(x) for x in xs])",
            "ts = [f(x) for x in xs]\nawait asyncio.gather(*ts)",
            "ts = []\nfor x in xs: ts.append(f(x))\nrs = [await t for t in ts]",
            "d = {}\nd['a'] = f(1)\nawait asyncio.gather(*d.values())",
            "def ask(q): return f(q)\nawait asyncio.gather(*(ask(q) for q in qs))",
            "async def ask(q): return await f(q)\nx = await asyncio.gather(ask(1))",
            "t = f(1) if a else g(1)\nprint(await t)",
            "a, b = f(1), g(2)\nawait a",
        ] {
            assert!(count(source) >= 1, "{source}");
        }
        assert_eq!(count("await asyncio.gather(f(1), g(2))"), 2);
    }

    #[test]
    fn calls_whose_results_are_used_at_once_are_not() {
        for source in [
            "x = f(1)\nprint(x)",
            "[f(x) for x in xs]",
            "[index.search(x) for x in xs]",
            "async def ask(q): return f(q)\nawait ask(1)",
            "async def ask(q): ...\nawait ask(f(1))",
            "x = f(1)\nawait asyncio.sleep(1)",
        ] {
            assert_eq!(count(source), 0, "{source}");
        }
    }
}
