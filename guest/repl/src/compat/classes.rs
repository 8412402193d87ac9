//! Classes: what Monty refuses or passes over in silence is refused with what
//! to write instead, and what instances may say of themselves is noted.

use ruff_python_ast::{Decorator, Stmt, StmtClassDef};
use ruff_text_size::Ranged;

use super::{Pass, decorators};

impl Pass<'_> {
    pub(super) fn class(&mut self, class: &StmtClassDef) {
        if !self.bases(class) {
            return;
        }
        self.iterates_by_index(class);
        self.dataclass(class);
        for stmt in &class.body {
            if let Stmt::FunctionDef(method) = stmt {
                let mut decorators = method.decorator_list.iter();
                if let Some(decorator) = decorators.find(|one| decorators::is_refused(one)) {
                    return self.refuse_decorator(decorator);
                }
                let hint = match method.name.as_str() {
                    "__getattribute__" => "write __getattr__, or a method get(name) and call it",
                    "__del__" => "call a method close() yourself, or use with",
                    _ => continue,
                };
                return self.refuse(
                    "this special method, which would never be called",
                    hint,
                    method.name.range(),
                );
            }
        }
    }

    /// Notes a class that has items by number, which Python can iterate over.
    fn iterates_by_index(&mut self, class: &StmtClassDef) {
        let has = |name: &str| {
            class.body.iter().any(
                |stmt| matches!(stmt, Stmt::FunctionDef(method) if method.name.as_str() == name),
            )
        };
        if !has("__getitem__") || has("__iter__") {
            return;
        }
        let line_end = self.line_end(class.range().end().to_u32());
        let start = class
            .decorator_list
            .first()
            .map_or(class.range(), |first| first.range());
        let Some(indent) = self.indent(start.start().to_u32()).map(str::to_owned) else {
            return;
        };
        self.rewrote("iteration", class.name.range(), "items");
        let name = class.name.as_str();
        let contains = if has("__contains__") { "True" } else { "False" };
        self.ends.push((
            line_end,
            format!("\n{indent}_rlm_by_index({name},{contains})"),
        ));
    }

    fn refuse_decorator(&mut self, decorator: &Decorator) {
        self.refuse(
            "a method decorated in this way",
            "make it a plain method, or wrap it in the class body, as in run = retry(run)",
            decorator.range(),
        );
    }
}
