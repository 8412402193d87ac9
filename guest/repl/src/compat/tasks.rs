//! Tasks of `asyncio`, which Monty lacks: one begins where its maker awaits next.
//! Where that is an `asyncio.gather` of it, the coroutine itself will do.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprAwait, ExprCall, Stmt};
use ruff_text_size::Ranged;

use super::{Pass, last_name};

/// The tasks that a statement makes and awaits.
#[derive(Default)]
struct Found<'a> {
    /// The calls that make tasks, and the names that have them afterwards.
    made: Vec<&'a ExprCall>,
    names: Vec<&'a str>,
    awaits: Vec<&'a ExprAwait>,
}

impl<'a> Visitor<'a> for Found<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let before = self.made.len();
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            _ => visitor::walk_stmt(self, stmt),
        }
        if let (Stmt::Assign(assign), true) = (stmt, self.made.len() > before)
            && let [Expr::Name(name)] = &assign.targets[..]
        {
            self.names.push(name.id.as_str());
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Await(awaited) => self.awaits.push(awaited),
            Expr::Call(call) if is_maker(call) => self.made.push(call),
            // `tasks.append(asyncio.create_task(f(x)))`
            Expr::Call(call) => {
                if let (Expr::Attribute(method), [Expr::Call(given)]) =
                    (&*call.func, &call.arguments.args[..])
                    && let Expr::Name(name) = &*method.value
                    && method.attr.as_str() == "append"
                    && is_maker(given)
                {
                    self.names.push(name.id.as_str());
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

impl Pass<'_> {
    /// Takes away what makes tasks in `body`, where nothing can tell.
    pub(super) fn tasks(&mut self, body: &[Stmt]) {
        if !self.source.contains("asyncio.") {
            return;
        }
        let mut waiting = Found::default();
        for stmt in body {
            let mut found = Found::default();
            found.visit_stmt(stmt);
            if found.awaits.is_empty() {
                // Each has a name of its own, or it cannot be told where it goes.
                if !found.made.is_empty() && found.names.len() != 1 {
                    waiting.names.push("");
                }
                waiting.made.append(&mut found.made);
                waiting.names.append(&mut found.names);
                continue;
            }
            let Found { made, names, .. } = std::mem::take(&mut waiting);
            if let [awaited] = found.awaits[..]
                && let Expr::Call(gather) = &*awaited.value
                && last_name(&gather.func) == "gather"
            {
                let given = |wanted: &&str| {
                    let mut args = gather.arguments.args.iter();
                    args.any(|arg| match arg {
                        Expr::Starred(spread) => is_named(&spread.value, wanted),
                        other => is_named(other, wanted),
                    })
                };
                if names.iter().all(given) {
                    made.into_iter().for_each(|call| self.is_no_task(call));
                }
                let inside = gather.arguments.range();
                for call in found.made {
                    if inside.contains_range(call.range()) {
                        self.is_no_task(call);
                    }
                }
            }
        }
    }

    fn is_no_task(&mut self, call: &ExprCall) {
        let range = call.func.range();
        let start = range.start().to_u32();
        let mut changes = self.out.changes.iter();
        if !changes.any(|change| change.offset == start && change.removed > 0) {
            self.rewrote("task", call.range(), "");
            self.replace(start, range.end().to_u32(), "");
        }
    }
}

fn is_named(expr: &Expr, wanted: &str) -> bool {
    matches!(expr, Expr::Name(name) if name.id.as_str() == wanted)
}

/// `asyncio.create_task(f(x))`
fn is_maker(call: &ExprCall) -> bool {
    matches!(&*call.func, Expr::Attribute(attribute)
        if matches!(attribute.attr.as_str(), "create_task" | "ensure_future")
            && is_named(&attribute.value, "asyncio"))
        && call.arguments.len() == 1
        && matches!(&call.arguments.args[..], [Expr::Call(_)])
}
