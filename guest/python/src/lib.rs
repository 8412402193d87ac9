//! The guest component: [`rlm_repl::Repl`] behind the world `rlm:sandbox/python`.
//!
//! One instance holds one namespace, and nothing here is called twice at once.

mod footprint;
mod memory;

use std::cell::RefCell;
use std::panic;

use rlm_repl::bindings::Guest as Prepare;
use rlm_repl::bindings::exports::rlm::sandbox::repl::{
    Entry, Failure, Fences, Guest, Imports as Modules, Limits, Look, Misuse, Profile, Resumption,
    Settings, Step, Suspension, Validation, Value, Variable,
};
use rlm_repl::{Host as _, Imports, Level, Repl};

struct Component;

rlm_repl::bindings::export!(Component);

thread_local! {
    static REPL: RefCell<Repl<Imports>> = RefCell::new(Repl::new(Imports));
}

fn with_repl<R>(call: impl FnOnce(&mut Repl<Imports>) -> R) -> R {
    REPL.with_borrow_mut(call)
}

/// Runs a script in a namespace that has run none.
fn rehearse(repl: &mut Repl<Imports>) {
    let settings = Settings {
        seed: 0,
        functions: Vec::new(),
        profile: Profile {
            names: Vec::new(),
            imports: Modules::Standard,
            eval: false,
            refused: Vec::new(),
            wraps_return: false,
            fences: Fences::Whole,
            ends_undefined: false,
            shows_values: false,
            opens_contexts: false,
            outputs: Vec::new(),
            compat: true,
        },
        limits: Limits {
            memory_bytes: 1 << 20,
            recursion: 100,
            source_bytes: 100,
            value_bytes: 100,
            request_bytes: 100,
            allocations: None,
            jump_nanoseconds: u64::MAX,
        },
    };
    let ran = repl.configure(settings).and_then(|()| repl.exec("1 + 1"));
    assert!(ran.is_ok(), "the rehearsal failed: {ran:?}");
}

/// Makes the image.
fn bake() {
    // A panic aborts, and the host sees no more than a trap: say why first.
    panic::set_hook(Box::new(|info| {
        Imports.log(Level::Error, &info.to_string())
    }));
    // Whatever is made on first use is part of the image.
    rehearse(&mut Repl::new(Imports));
    with_repl(|_| ());
    memory::close_holes();
    footprint::find(|| with_repl(rehearse));
}

impl Prepare for Component {
    fn prepare() {
        match footprint::is_known() {
            true => footprint::touch(),
            false => bake(),
        }
    }
}

impl Guest for Component {
    fn configure(settings: Settings) -> Result<(), Misuse> {
        with_repl(|repl| repl.configure(settings))
    }

    fn set_contexts(files: Vec<Entry>, default: Option<Entry>) -> Result<(), Misuse> {
        with_repl(|repl| repl.set_contexts(files, default))
    }

    fn exec(source: String) -> Result<Step, Misuse> {
        with_repl(|repl| repl.exec(&source))
    }

    fn resume(how: Resumption) -> Result<Step, Misuse> {
        with_repl(|repl| repl.resume(how))
    }

    fn set_variable(name: String, value: String) -> Result<(), Misuse> {
        with_repl(|repl| repl.set_variable(name, &value))
    }

    fn get_variable(name: String) -> Result<Option<Value>, Misuse> {
        with_repl(|repl| repl.get_variable(&name))
    }

    fn variables(how: Look) -> Result<Vec<Variable>, Misuse> {
        with_repl(|repl| repl.variables(&how))
    }

    fn validate(source: String, settings: Settings, known: Vec<String>) -> Validation {
        rlm_repl::validate(&source, settings, &known)
    }

    fn wrap(source: String, settings: Settings) -> Result<String, Failure> {
        rlm_repl::wrap(&source, settings).map_err(|failure| *failure)
    }

    fn dump(piece: u32) -> Result<Vec<u8>, Misuse> {
        with_repl(|repl| repl.dump(piece))
    }

    fn load(piece: Vec<u8>, last: bool) -> Result<Option<Suspension>, Misuse> {
        with_repl(|repl| repl.load(piece, last))
    }
}
