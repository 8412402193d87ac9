//! Lives of a session, beside what they should come to.
//!
//! Every session has a model: what each name is bound to. Calls, waits, moves to
//! other places, forks, crashes and limits must leave exactly that; and what was
//! recorded of each session must replay.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{
    Ending, Journal, Limits, Parked, Recording, Session, State, Step, Stop, Verdict,
};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::sandboxed::{KEY, block_on, described, exec, sandbox};
use crate::target::Target;

pub(crate) struct Programs;

/// Names that scripts bind.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// The most sessions at once.
const MOST: usize = 4;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Deed {
    Bind(u8, i32),
    Add(u8, i32),
    Append(u8, i32),
    Call(u8, i32, Means),
    Gather(u8, Vec<i32>),
    /// What a loop calls while it waits in between.
    Loop(u8, u8),
    Raise(u8, i32),
    Caught(u8, i32),
    /// Binds, and then runs into something.
    Doomed(u8, i32, Doom),
    Park,
    Fork,
    /// Goes on with another session.
    Turn(u8),
    /// Waits for a call, and is moved meanwhile.
    MovedWaiting(u8, i32),
    /// Waits for a call, forks, and both go on.
    ForkedWaiting(u8, i32),
    Abandoned(u8, i32),
    Set(u8, i32),
    Reset,
    Look,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Means {
    Immediate,
    Deferred,
    Awaited,
    /// By way of a function and a generator of the script's own.
    Within,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Doom {
    Fuel,
    Memory,
    Calls,
    Recursion,
}

fn deeds() -> impl Strategy<Value = Deed> {
    let name = || 0..NAMES.len() as u8;
    let means = prop_oneof![
        Just(Means::Immediate),
        Just(Means::Deferred),
        Just(Means::Awaited),
        Just(Means::Within)
    ];
    let doom = prop_oneof![
        Just(Doom::Fuel),
        Just(Doom::Memory),
        Just(Doom::Calls),
        Just(Doom::Recursion)
    ];
    prop_oneof![
        4 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::Bind(name, value)),
        4 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::Add(name, value)),
        3 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::Append(name, value)),
        5 => (name(), any::<i32>(), means).prop_map(|(name, value, means)| Deed::Call(name, value, means)),
        2 => (name(), prop::collection::vec(any::<i32>(), 0..5)).prop_map(|(name, values)| Deed::Gather(name, values)),
        2 => (name(), 0..5_u8).prop_map(|(name, times)| Deed::Loop(name, times)),
        2 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::Raise(name, value)),
        2 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::Caught(name, value)),
        4 => (name(), any::<i32>(), doom).prop_map(|(name, value, doom)| Deed::Doomed(name, value, doom)),
        2 => Just(Deed::Park),
        2 => Just(Deed::Fork),
        2 => any::<u8>().prop_map(Deed::Turn),
        2 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::MovedWaiting(name, value)),
        2 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::ForkedWaiting(name, value)),
        2 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::Abandoned(name, value)),
        2 => (name(), any::<i32>()).prop_map(|(name, value)| Deed::Set(name, value)),
        1 => Just(Deed::Reset),
        1 => Just(Deed::Look),
    ]
}

impl Target for Programs {
    type Input = Vec<Deed>;
    const NAME: &'static str = "programs";

    fn inputs() -> BoxedStrategy<Self::Input> {
        prop::collection::vec(deeds(), 1..25).boxed()
    }

    fn attempt(deeds: &Self::Input) -> Result<(), String> {
        let mut life = Life::new()?;
        for deed in deeds {
            life.run(deed).map_err(|why| format!("{deed:?}: {why}"))?;
            let one = &mut life.sessions[life.at];
            one.is_as_modelled()
                .map_err(|why| format!("after {deed:?}: {why}"))?;
        }
        life.end()
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Bound {
    Number(i64),
    List(Vec<i64>),
}

type Model = BTreeMap<&'static str, Bound>;

struct Modelled {
    session: Session,
    model: Model,
}

/// Some sessions, and the journals of all there ever were.
struct Life {
    folder: TempDir,
    journals: Vec<PathBuf>,
    sessions: Vec<Modelled>,
    at: usize,
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.fuel = Some(200_000_000);
    limits.calls = 50;
    limits.memory_bytes = 8 << 20;
    limits.time = Duration::from_secs(60);
    limits
}

impl Life {
    fn new() -> Result<Self, String> {
        let mut life = Self {
            folder: tempfile::tempdir().map_err(|error| error.to_string())?,
            journals: Vec::new(),
            sessions: Vec::new(),
            at: 0,
        };
        let recording = life.recording()?;
        let session = described(limits())
            .record(&recording)
            .open()
            .map_err(|error| error.to_string())?;
        let model = Model::new();
        life.sessions.push(Modelled { session, model });
        Ok(life)
    }

    fn recording(&mut self) -> Result<Recording, String> {
        let path = self
            .folder
            .path()
            .join(format!("{}.jsonl", self.journals.len()));
        self.journals.push(path.clone());
        Recording::create(path).map_err(|error| error.to_string())
    }

    fn run(&mut self, deed: &Deed) -> Result<(), String> {
        let named = |name: u8| NAMES[usize::from(name) % NAMES.len()];
        let one = &mut self.sessions[self.at];
        match deed {
            Deed::Bind(name, value) => one.binds(
                named(*name),
                i64::from(*value),
                &format!("{} = {value}", named(*name)),
            ),
            Deed::Add(name, value) => one.adds(named(*name), *value),
            Deed::Append(name, value) => one.appends(named(*name), *value),
            Deed::Call(name, value, means) => {
                let name = named(*name);
                let source = match means {
                    Means::Immediate => format!("{name} = echo({value})"),
                    Means::Deferred => format!("{name} = later({value})"),
                    Means::Awaited => format!("{name} = await soon({value})"),
                    Means::Within => format!(
                        "def _each(n):\n    for _ in range(n):\n        yield later({value})\n{name} = max(list(_each(2)))"
                    ),
                };
                one.binds(name, i64::from(*value), &source)
            }
            Deed::Gather(name, values) => {
                let name = named(*name);
                one.succeeds(&format!(
                    "import asyncio\n{name} = list(await asyncio.gather(*[soon(n) for n in {values:?}]))"
                ))?;
                let values = values.iter().copied().map(i64::from).collect();
                one.model.insert(name, Bound::List(values));
                Ok(())
            }
            Deed::Loop(name, times) => {
                let name = named(*name);
                one.succeeds(&format!(
                    "{name} = []\nfor _n in range({times}):\n    {name}.append(later(_n) + echo(1))"
                ))?;
                one.model
                    .insert(name, Bound::List((1..=i64::from(*times)).collect()));
                Ok(())
            }
            Deed::Raise(name, value) => {
                // What was done before stays done, as in Python.
                let outcome = exec(
                    &mut one.session,
                    &format!("{} = {value}\n1 / 0", named(*name)),
                )?;
                one.model
                    .insert(named(*name), Bound::Number(i64::from(*value)));
                match (&outcome.ending, outcome.state) {
                    (Ending::Raised(_), State::Intact) => Ok(()),
                    other => Err(format!("{other:?}")),
                }
            }
            Deed::Caught(name, value) => {
                let name = named(*name);
                let source = format!(
                    "try:\n    fail('KeyError', 'no')\nexcept KeyError:\n    {name} = {value}"
                );
                one.binds(name, i64::from(*value), &source)
            }
            Deed::Doomed(name, value, doom) => one.is_doomed(named(*name), *value, *doom),
            Deed::Park => self.moves(),
            Deed::Fork => self.forks(),
            Deed::Turn(to) => {
                self.at = usize::from(*to) % self.sessions.len();
                Ok(())
            }
            Deed::MovedWaiting(name, value) => {
                one.waits(named(*name), *value)?;
                self.moves()?;
                self.sessions[self.at].goes_on(named(*name), *value)
            }
            Deed::ForkedWaiting(name, value) => {
                one.waits(named(*name), *value)?;
                let forked = self.sessions.len();
                self.forks()?;
                if forked < self.sessions.len() {
                    self.sessions[forked].goes_on(named(*name), *value)?;
                }
                self.sessions[self.at].goes_on(named(*name), *value)
            }
            Deed::Abandoned(name, value) => {
                one.waits(named(*name), *value)?;
                let outcome = block_on(one.session.abandon()).map_err(|error| error.to_string())?;
                match (&outcome.ending, outcome.state) {
                    (Ending::Stopped(..), State::RolledBack) => Ok(()),
                    other => Err(format!("{other:?}")),
                }
            }
            Deed::Set(name, value) => {
                one.session
                    .set(named(*name), value)
                    .map_err(|error| error.to_string())?;
                one.model
                    .insert(named(*name), Bound::Number(i64::from(*value)));
                Ok(())
            }
            Deed::Reset => {
                one.session.reset().map_err(|error| error.to_string())?;
                one.model.clear();
                Ok(())
            }
            Deed::Look => {
                block_on(one.session.variables(rlm_sandbox::Look::default()))
                    .map_err(|error| error.to_string())?;
                Ok(())
            }
        }
    }

    /// Through bytes, into another session that takes its place.
    fn moves(&mut self) -> Result<(), String> {
        let parked =
            block_on(self.sessions[self.at].session.park()).map_err(|error| error.to_string())?;
        let bytes = parked.to_bytes(KEY);
        let parked =
            Parked::from_bytes(sandbox(), &bytes, KEY).map_err(|error| error.to_string())?;
        let recording = self.recording()?;
        let builder = described(limits()).record(&recording);
        self.sessions[self.at].session = builder
            .restore(&parked)
            .map_err(|error| error.to_string())?;
        Ok(())
    }

    fn forks(&mut self) -> Result<(), String> {
        if self.sessions.len() < MOST {
            let one = &mut self.sessions[self.at];
            let session = block_on(one.session.fork()).map_err(|error| error.to_string())?;
            let model = one.model.clone();
            self.sessions.push(Modelled { session, model });
        }
        Ok(())
    }

    /// All are as they should be, and so is what was recorded of them.
    fn end(mut self) -> Result<(), String> {
        for one in &mut self.sessions {
            one.is_as_modelled()
                .map_err(|why| format!("in the end: {why}"))?;
        }
        self.sessions.clear();
        for path in &self.journals {
            let journal = Journal::open(path).map_err(|error| error.to_string())?;
            let replayed =
                block_on(journal.replay(sandbox())).map_err(|error| error.to_string())?;
            if !matches!(replayed.verdict, Verdict::Identical) {
                return Err(format!(
                    "{} is not replayed: {:?}",
                    path.display(),
                    replayed.verdict
                ));
            }
        }
        Ok(())
    }
}

impl Modelled {
    fn succeeds(&mut self, source: &str) -> Result<(), String> {
        let outcome = exec(&mut self.session, source)?;
        if outcome.is_success() {
            Ok(())
        } else {
            Err(format!("{source:?}: {:?}", outcome.ending))
        }
    }

    fn binds(&mut self, name: &'static str, value: i64, source: &str) -> Result<(), String> {
        self.succeeds(source)?;
        self.model.insert(name, Bound::Number(value));
        Ok(())
    }

    fn adds(&mut self, name: &'static str, value: i32) -> Result<(), String> {
        let outcome = exec(&mut self.session, &format!("{name} += {value}"))?;
        match (self.model.get_mut(name), outcome.is_success()) {
            (Some(Bound::Number(number)), true) => *number += i64::from(value),
            (None | Some(Bound::List(_)), false) => {}
            (bound, _) => return Err(format!("{bound:?} and {:?}", outcome.ending)),
        }
        Ok(())
    }

    fn appends(&mut self, name: &'static str, value: i32) -> Result<(), String> {
        let outcome = exec(&mut self.session, &format!("{name}.append({value})"))?;
        match (self.model.get_mut(name), outcome.is_success()) {
            (Some(Bound::List(list)), true) => list.push(i64::from(value)),
            (None | Some(Bound::Number(_)), false) => {}
            (bound, _) => return Err(format!("{bound:?} and {:?}", outcome.ending)),
        }
        Ok(())
    }

    fn is_doomed(&mut self, name: &'static str, value: i32, doom: Doom) -> Result<(), String> {
        let source = match doom {
            Doom::Fuel => "while True: pass",
            Doom::Memory => "x = 'x' * 10 ** 9",
            Doom::Calls => "for _n in range(1000): echo(_n)",
            Doom::Recursion => "def f(n): return f(n + 1)\nf(0)",
        };
        let outcome = exec(&mut self.session, &format!("{name} = {value}\n{source}"))?;
        let is_right = match doom {
            Doom::Fuel => matches!(outcome.ending, Ending::Stopped(Stop::Fuel, _)),
            Doom::Memory => matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
            Doom::Calls => matches!(outcome.ending, Ending::Stopped(Stop::Calls, _)),
            Doom::Recursion => matches!(outcome.ending, Ending::Raised(_)),
        };
        if let Doom::Recursion = doom {
            self.model.insert(name, Bound::Number(i64::from(value)));
        }
        if is_right {
            Ok(())
        } else {
            Err(format!("{:?}", outcome.ending))
        }
    }

    /// Runs a script up to where it waits.
    fn waits(&mut self, name: &str, value: i32) -> Result<(), String> {
        let source = format!("{name} = -1\n{name} = [later({value}), echo(2), later(3)]");
        match block_on(self.session.step(&source)) {
            Ok(Step::Waiting(calls)) if !calls.is_empty() => Ok(()),
            other => Err(format!("{other:?}")),
        }
    }

    fn goes_on(&mut self, name: &'static str, value: i32) -> Result<(), String> {
        let outcome = block_on(self.session.finish()).map_err(|error| error.to_string())?;
        self.model
            .insert(name, Bound::List(vec![i64::from(value), 2, 3]));
        if outcome.is_success() {
            Ok(())
        } else {
            Err(format!("{:?}", outcome.ending))
        }
    }

    fn is_as_modelled(&mut self) -> Result<(), String> {
        for name in NAMES {
            let found = block_on(self.session.get(name)).map_err(|error| error.to_string())?;
            let found = match found.as_ref().and_then(|value| value.json.as_deref()) {
                Some(json) => Some(
                    serde_json::from_str::<Bound>(json)
                        .map_err(|error| format!("{name} is {json}: {error}"))?,
                ),
                None if found.is_some() => return Err(format!("{name} is {found:?}")),
                None => None,
            };
            if found.as_ref() != self.model.get(name) {
                return Err(format!(
                    "{name} is {found:?}, and should be {:?}",
                    self.model.get(name)
                ));
            }
        }
        Ok(())
    }
}
