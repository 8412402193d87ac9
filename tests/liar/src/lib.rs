//! A guest that lies: the world `python` of `wit/`, answered as a script says.
//!
//! The source of an execution is a script (`script.rs`). It stays in force for all
//! exports until the next execution, and it is part of the state that `dump`
//! writes. An export for which the script has no line answers honestly. `prepare`
//! and `configure`, which run before any script, read theirs from the start of the
//! session's clock and from its seed.
#![allow(unsafe_code, reason = "lies are told below what Rust considers safe")]

mod answers;
mod bindings;
mod effects;
mod heap;
mod invented;
mod lowered;
mod script;

use std::cell::RefCell;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::bindings::exports::rlm::sandbox::repl::{
    Entry, Failure, Guest, Look, Misuse, Resumption, Settings, Step, Suspension, Validation, Value,
    Variable,
};
use crate::script::Script;

/// What an instance remembers.
pub(crate) struct Liar {
    script: Script,
    variables: Vec<(String, String)>,
    /// Tickets of calls that have no answer yet.
    pub(crate) tickets: Vec<u64>,
    /// The state that `load` is given, as far as it has come.
    loading: Vec<u8>,
}

thread_local! {
    static LIAR: RefCell<Liar> = const {
        RefCell::new(Liar {
            script: Script(String::new()),
            variables: Vec::new(),
            tickets: Vec::new(),
            loading: Vec::new(),
        })
    };
}

/// The epoch of sessions in which `prepare` lies; the seconds since then choose how.
const PREPARE_EPOCH: u64 = 4_000_000_000;
/// The seeds of sessions in which `configure` lies; the low byte chooses how.
const CONFIGURE_SEED: u64 = 0x11e0_0000_0000_0000;

/// What `prepare` and `configure` do, by number. `tests/lies` has the same numbers.
const EARLY: [&str; 13] = [
    "x none",
    "x trap",
    "x loop",
    "x recurse",
    "x grow 1048576 4000",
    "x call echo {\"args\":[1],\"kwargs\":{}}",
    "x call later {\"args\":[1],\"kwargs\":{}} 1000",
    "x ask hello",
    "x print out printed*1000 2000",
    "x log error logged*100000 100",
    "x misuse settings",
    "x heap wild",
    "x sleep max 3",
];

fn early(number: u64) -> Script {
    let line = EARLY.get(number as usize).copied().unwrap_or_default();
    Script(line.to_owned())
}

/// Performs the effects of a script for an export. The borrow ends before any
/// effect, because some never return.
fn effects(script: &Script, export: &str) {
    LIAR.with_borrow_mut(|liar| {
        for action in script.actions(export) {
            effects::perform(liar, &action);
        }
    });
}

/// Performs what the script in force says about an export, and returns it.
fn act(export: &str) -> Script {
    let script = Script(LIAR.with_borrow(|liar| liar.script.0.clone()));
    effects(&script, export);
    script
}

fn claimed(script: &Script, export: &str) -> Result<(), Misuse> {
    match script
        .actions(export)
        .find_map(|action| answers::misuse(&action))
    {
        Some(misuse) => Err(misuse),
        None => Ok(()),
    }
}

fn step(export: &str) -> Result<Step, Misuse> {
    let script = act(export);
    claimed(&script, export)?;
    LIAR.with_borrow(|liar| {
        let mut told = answers::Told::new(liar);
        for action in script.actions(export) {
            told.fill(liar, &action);
        }
        Ok(told.step())
    })
}

/// Performs what happens after an answer was read, in the export's post-return.
pub(crate) fn after(export: &str) {
    act(export);
}

/// Hands over the actions of the script in force for an export, each with its numbers.
pub(crate) fn lowered(export: &str, mut change: impl FnMut(&str, [u64; 4])) {
    let script = Script(LIAR.with_borrow(|liar| liar.script.0.clone()));
    for action in script.actions(export) {
        let numbers = [0, 1, 2, 3].map(|index| action.parse(index));
        change(action.name(), numbers);
    }
}

struct Component;

impl bindings::Guest for Component {
    fn prepare() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = now.map_or(0, |now| now.as_secs());
        if let Some(number) = seconds.checked_sub(PREPARE_EPOCH) {
            effects(&early(number), "x");
        }
    }
}

impl Guest for Component {
    fn configure(settings: Settings) -> Result<(), Misuse> {
        if settings.seed & !0xff != CONFIGURE_SEED {
            return Ok(());
        }
        let script = early(settings.seed & 0xff);
        effects(&script, "x");
        claimed(&script, "x")
    }

    fn set_contexts(_files: Vec<Entry>, _default: Option<Entry>) -> Result<(), Misuse> {
        claimed(&act("set-contexts"), "set-contexts")
    }

    fn exec(source: String) -> Result<Step, Misuse> {
        let script = Script(source);
        let script = match script.seed() {
            Some(seed) => Script(invented::script(seed)),
            None => script,
        };
        LIAR.with_borrow_mut(|liar| {
            liar.script = script;
            liar.tickets.clear();
        });
        step("exec")
    }

    fn resume(how: Resumption) -> Result<Step, Misuse> {
        if let Resumption::Answers(answers) = how {
            LIAR.with_borrow_mut(|liar| {
                liar.tickets
                    .retain(|ticket| answers.iter().all(|(answered, _)| answered != ticket));
            });
        }
        step("resume")
    }

    fn set_variable(name: String, value: String) -> Result<(), Misuse> {
        claimed(&act("set-variable"), "set-variable")?;
        LIAR.with_borrow_mut(|liar| {
            liar.variables.retain(|(known, _)| *known != name);
            liar.variables.push((name, value));
        });
        Ok(())
    }

    fn get_variable(name: String) -> Result<Option<Value>, Misuse> {
        let script = act("get-variable");
        claimed(&script, "get-variable")?;
        let mut actions = script.actions("get-variable");
        if let Some(action) = actions.find(|action| action.name() == "value") {
            return Ok(Some(answers::value(&action, 0)));
        }
        Ok(LIAR.with_borrow(|liar| {
            let (_, value) = liar.variables.iter().find(|(known, _)| *known == name)?;
            Some(Value {
                repr: value.clone(),
                json: Some(value.clone()),
                truncated: false,
            })
        }))
    }

    fn variables(_how: Look) -> Result<Vec<Variable>, Misuse> {
        let script = act("variables");
        claimed(&script, "variables")?;
        let mut actions = script.actions("variables");
        if let Some(action) = actions.find(|action| action.name() == "list") {
            return Ok(answers::variables(&action));
        }
        Ok(LIAR.with_borrow(|liar| {
            let variables = liar.variables.iter();
            let variables = variables.map(|(name, value)| Variable {
                name: name.clone(),
                kind: String::from("object"),
                repr: value.clone(),
                size: None,
                json: Some(value.clone()),
            });
            variables.collect()
        }))
    }

    fn validate(source: String, _settings: Settings, _known: Vec<String>) -> Validation {
        let script = Script(source);
        effects(&script, "validate");
        let mut validation = Validation {
            failure: None,
            unknown: Vec::new(),
        };
        for action in script.actions("validate") {
            match action.name() {
                "raised" => validation.failure = Some(answers::failure(&action, 0)),
                "names" => {
                    validation.unknown = vec![action.text(1); action.parse(0) as usize];
                }
                _ => {}
            }
        }
        validation
    }

    fn wrap(source: String, _settings: Settings) -> Result<String, Failure> {
        let script = Script(source);
        effects(&script, "wrap");
        let mut wrapped = String::new();
        for action in script.actions("wrap") {
            match action.name() {
                "raised" => return Err(answers::failure(&action, 0)),
                "value" => wrapped = action.text(0),
                _ => {}
            }
        }
        Ok(wrapped)
    }

    fn dump(piece: u32) -> Result<Vec<u8>, Misuse> {
        let script = act("dump");
        claimed(&script, "dump")?;
        for action in script.actions("dump") {
            match action.name() {
                // Bytes of a piece, and the number of pieces before an empty one.
                "pieces" if u64::from(piece) < action.parse(1) => {
                    return Ok(vec![b'x'; action.parse(0) as usize]);
                }
                "pieces" | "empty" => return Ok(Vec::new()),
                _ => {}
            }
        }
        if piece > 0 {
            return Ok(Vec::new());
        }
        Ok(LIAR.with_borrow(write))
    }

    fn load(piece: Vec<u8>, last: bool) -> Result<Option<Suspension>, Misuse> {
        let bytes = LIAR.with_borrow_mut(|liar| {
            liar.loading.extend(piece);
            match last {
                true => std::mem::take(&mut liar.loading),
                false => Vec::new(),
            }
        });
        if last && !LIAR.with_borrow_mut(|liar| read(liar, &bytes)) {
            return Err(Misuse::Dump);
        }
        let script = act("load");
        claimed(&script, "load")?;
        LIAR.with_borrow(|liar| {
            let mut told = answers::Told::new(liar);
            for action in script.actions("load") {
                told.fill(liar, &action);
            }
            Ok(told.suspension)
        })
    }
}

/// Writes the state: the script, the tickets, and the variables, with bytes that
/// none of them has between them.
fn write(liar: &Liar) -> Vec<u8> {
    let mut bytes = liar.script.0.clone().into_bytes();
    for ticket in &liar.tickets {
        bytes.push(1);
        bytes.extend_from_slice(ticket.to_string().as_bytes());
    }
    for (name, value) in &liar.variables {
        bytes.push(2);
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(3);
        bytes.extend_from_slice(value.as_bytes());
    }
    // An empty piece would end the state before it begins.
    bytes.push(4);
    bytes
}

fn read(liar: &mut Liar, bytes: &[u8]) -> bool {
    let Some((4, bytes)) = bytes.split_last() else {
        return false;
    };
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let (rest, variables) = text.split_once('\x02').unwrap_or((text, ""));
    let mut parts = rest.split('\x01');
    liar.script = Script(parts.next().unwrap_or_default().to_owned());
    liar.tickets = parts.map(script::number).collect();
    liar.variables = variables
        .split('\x02')
        .filter_map(|variable| variable.split_once('\x03'))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    true
}

bindings::export!(Component with_types_in lowered);
