//! Loops over what generator functions give. Monty's own loop cannot wait for
//! one that asks the host, forgets where in one an exception came from, and does
//! not tell one that it is left.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall, StmtFor, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::{Pass, Place, flow};

/// Functions that need not take all items.
const LEAVING: [&str; 6] = ["islice", "zip", "takewhile", "next", "any", "all"];

impl<'a> Pass<'a> {
    /// Notes the generator functions of a script.
    pub(super) fn learn_generators(&mut self, functions: &[&StmtFunctionDef]) {
        for function in functions {
            if flow::yields(&function.body) {
                let name = function.name.as_str().to_owned();
                if flow::cleans_up(&function.body) {
                    self.out.habits.cleaning.insert(name.clone());
                }
                self.out.habits.generators.insert(name);
                self.out.habits.lazy = true;
            }
        }
    }

    /// The generator function that `expr` names.
    fn generator_of<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        match expr {
            Expr::Name(name) if self.out.habits.generators.contains(name.id.as_str()) => {
                Some(name.id.as_str())
            }
            _ => None,
        }
    }

    /// A loop over such a generator, outside of generator functions.
    pub(super) fn loop_over(&mut self, stmt: &'a StmtFor, early: bool) {
        let start = stmt.range().start().to_u32();
        let Expr::Call(call) = &*stmt.iter else {
            return;
        };
        let Some(name) = self.generator_of(&call.func) else {
            return;
        };
        let indent = self.indent(start).map(str::to_owned);
        let Some(indent) = indent.filter(|_| !self.taken_apart.contains(&start)) else {
            return;
        };
        let is_cleaning = early && self.out.habits.cleaning.contains(name);
        let (iter, end) = (stmt.iter.range(), stmt.range().end().to_u32());
        self.rewrote("generator", iter, "generators");
        let ours = format!("_rlm_i{start}");
        let target = self.text(stmt.target.range()).to_owned();
        let head = format!("{ours}=None\n{indent}while ({ours}:=");
        self.replace(start, iter.start().to_u32(), head);
        // What goes wrong goes wrong where the iterator stands.
        let open = format!("_rlm_next_of({ours} or _rlm_stepped(");
        self.insert(iter.start(), open);
        self.close(iter.end().to_u32(), ")))");
        let first = stmt.body[0].range().start().to_u32();
        match self.indent(first).map(str::to_owned) {
            Some(deep) => self.insert(
                first - deep.len() as u32,
                format!("{deep}{target}={ours}.item\n"),
            ),
            None => self.insert(first, format!("{target}={ours}.item;")),
        }
        if is_cleaning {
            let close = format!("\n{indent}_rlm_closed({ours},None)");
            self.ends.push((end, close));
            for inner in flow::returns(&stmt.body) {
                let range = inner.range();
                if inner.value.is_some() {
                    let word = range.start().to_u32() + "return".len() as u32;
                    self.insert(word, format!(" _rlm_closed({ours},"));
                    self.close(range.end().to_u32(), ")");
                } else {
                    self.insert(range.end(), format!(" _rlm_closed({ours},None)"));
                }
            }
        }
    }

    /// A call whose items are taken at once: by a function of ours, which can wait.
    pub(super) fn gathers(
        &mut self,
        call: &ExprCall,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        if !self.out.habits.cleaning.is_empty() && LEAVING.contains(&super::last_name(&call.func)) {
            call.arguments.args.iter().for_each(|arg| self.is_left(arg));
        }
        if place == Some(Place::Drained) && self.generator_of(&call.func).is_some() {
            self.rewrote("generator", call.range(), "generators");
            self.insert(call.range().start(), "_rlm_gathered(");
            after.push((call.range().end().to_u32(), ")"));
        }
    }

    /// One that has to clean up and is left before its end by an expression, where
    /// nobody would tell it.
    pub(super) fn is_left(&mut self, expr: &Expr) {
        if let Expr::Call(call) = expr
            && let Some(name) = self.generator_of(&call.func)
            && self.out.habits.cleaning.contains(name)
        {
            self.refuse(
                "a generator that has yet to clean up when an expression is done with it",
                "give it a name, and close() it afterwards",
                call.range(),
            );
        }
    }

    /// What a generator gave when it ended: `error.value`, where `error` is a
    /// `StopIteration`. Monty's exceptions hold nothing but a message.
    pub(super) fn result_of(&mut self, attribute: &ExprAttribute) -> bool {
        let is_result = matches!(attribute.attr.as_str(), "value" | "args")
            && matches!(&*attribute.value, Expr::Name(name) if self.stops.contains(&name.id.as_str()));
        if is_result {
            self.rewrote("generator", attribute.range(), "generators");
            self.insert(attribute.range().start(), "_rlm_result_of(");
            let end = attribute.attr.range().end().to_u32();
            let text = format!(",'{}')", attribute.attr);
            self.replace(self.dot(attribute), end, text);
        }
        is_result
    }
}
