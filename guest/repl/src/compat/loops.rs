//! Items of generator functions, where the interpreter alone could not wait for the host or keep a result.

use ruff_python_ast::{Expr, ExprCall, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::{Pass, Place, flow};

impl Pass<'_> {
    /// Notes the generator functions of a script.
    pub(super) fn learn_generators(&mut self, functions: &[&StmtFunctionDef]) {
        for function in functions {
            if flow::yields(&function.body) {
                let name = function.name.as_str().to_owned();
                self.out.habits.generators.insert(name);
            }
        }
    }

    /// A call whose items are taken at once: by a function of ours, in which a generator can wait for the host.
    pub(super) fn gathers(
        &mut self,
        call: &ExprCall,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        let Expr::Name(name) = &*call.func else {
            return;
        };
        let is_wanted = match place {
            Some(Place::Drained) => true,
            Some(Place::Added) => (self.known.asks)(name.id.as_str()),
            _ => false,
        };
        if is_wanted && self.out.habits.generators.contains(name.id.as_str()) {
            self.rewrote("generator", call.range(), "generators");
            self.insert(call.range().start(), "_rlm_gathered(");
            after.push((call.range().end().to_u32(), ")"));
        }
    }
}
