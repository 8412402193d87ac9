//! Validation and the run agree, and no program gets a builtin that its session
//! does not have.
//!
//! 100,000 generated programs bind, hide, delete and use names of builtins, host
//! functions and variables in every way that Python has. `AGREEMENT_PROGRAMS` asks
//! for another number of them, `AGREEMENT_SEED` for others.

use std::env;
use std::thread;

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;
use rlm_repl::{Repl, validate};

use crate::host::{TestHost, profile, repl_with, settings};

const PROGRAMS: usize = 100_000;
/// Programs that share a namespace.
const SESSION: usize = 25;
const THREADS: usize = 2;

/// Names that programs bind and read.
const NAMES: [&str; 13] = [
    "eval", "exec", "locals", "globals", "open", "print", "len", "x", "y", "now", "FINAL",
    "context", "answer",
];

/// Statements; `@` is a name, `#` another one.
const STATEMENTS: [&str; 47] = [
    "@",
    "x = @",
    "f = [@][0]",
    "f = (lambda: @)()",
    "@('print(\"EVA\" + \"DED\")')",
    "@('print(\"EVA\" + \"DED\")', {})",
    "@('1')",
    "@()",
    "print(@)",
    "print(f'{@!r}')",
    "print([*map(@, ['1'])])",
    "print({'k': @}['k']('1'))",
    "print(sorted([1], key=@))",
    "del @",
    "@ = 1",
    "@ = None",
    "@ = #",
    "@ += #",
    "class X:\n    def __radd__(self, other): return other\nf = X()",
    "@ += f",
    "@, y = 1, 2",
    "def @(*args): return args",
    "def g():\n    return @",
    "def g():\n    global @\n    @ = 1",
    "def g():\n    global @\n    del @",
    "def g(@=#): return @",
    "g()",
    "g()('1')",
    "class @: pass",
    "class C:\n    a = @",
    "C.a('1')",
    "import json as @",
    "from json import dumps as @",
    "import os",
    "import re as @",
    "for @ in [1]: pass",
    "[@ for @ in [1]]",
    "[y for y in [1] if (@ := y)]",
    "(@ := 1)",
    "try:\n    1 / 0\nexcept Exception as @:\n    pass",
    "try:\n    @\nexcept NameError as e:\n    print(e)",
    "match 1:\n    case @: pass",
    "match [1]:\n    case [*@]: pass",
    "if @: pass",
    "assert @",
    "async def h(): return @",
    "_rlm_show = @",
];

/// Pseudo-random numbers, the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

fn program(random: &mut Random) -> String {
    let count = 1 + random.below(4);
    let mut program = String::new();
    // Few names, so that statements meet.
    let names = [random.pick(&NAMES), random.pick(&NAMES)];
    for _ in 0..count {
        let statement = random.pick(&STATEMENTS);
        let (one, other) = (random.pick(&names), random.pick(&names));
        program.push_str(&statement.replace('@', one).replace('#', other));
        program.push('\n');
    }
    program
}

fn profiles() -> [Profile; 3] {
    // A host offers no name for contexts that it does not have.
    let mut own = profile();
    own.names
        .retain(|name| !matches!(name, Name::Context | Name::Files));
    let strict = Profile {
        imports: Imports::Only(vec!["json".into()]),
        refused: vec![Syntax::Await, Syntax::Class, Syntax::Lambda],
        compat: false,
        ..own.clone()
    };
    let free = Profile {
        eval: true,
        ..own.clone()
    };
    [own, strict, free]
}

/// The failure of a run, if it failed.
fn failure(step: &Step) -> Option<&Failure> {
    match step {
        Step::Complete(Outcome {
            ending: Ending::Raised(failure),
            ..
        }) => Some(failure),
        _ => None,
    }
}

/// The part of a failure that does not depend on how often the session has run.
fn essence(failure: &Failure) -> (String, String, String, Option<u32>) {
    let line = failure.frames.last().map(|frame| frame.line);
    let exception = &failure.exception;
    (
        exception.kind.clone(),
        exception.message.clone(),
        failure.cause.clone(),
        line,
    )
}

fn disagreement(
    repl: &mut Repl<&TestHost>,
    profile: &Profile,
    source: &str,
    known: &mut Vec<String>,
) -> Option<String> {
    let validation = validate(source, settings(profile.clone()), known);
    let mut step = repl.exec(source).expect("idle");
    while let Step::Suspended(suspension) = step {
        let answer = |ticket: &u64| (*ticket, Answer::Returned(String::from("1")));
        let answers = suspension.waiting.iter().map(answer).collect();
        step = repl
            .resume(Resumption::Answers(answers))
            .expect("they wait");
    }
    let raised = failure(&step);
    let told = |what: &str| Some(format!("{what}\n{source}\n{validation:?}\n{step:?}"));
    if let Some(refused) = &validation.failure {
        if raised.map(essence) != Some(essence(refused)) {
            return told("the run does not refuse what validation refuses");
        }
    } else if let Some(raised) = raised {
        if ["policy", "import-denied", "syntax"].contains(&raised.cause.as_str()) && !profile.eval {
            return told("the run refuses what validation accepts");
        }
        let name = raised.exception.message.strip_prefix("name '");
        let name = name.and_then(|rest| rest.strip_suffix("' is not defined"));
        // Not in a function of an earlier program, nor unbound by one.
        let is_here = raised.frames.len() == 1 && !source.contains("g()");
        if let Some(name) = name
            && is_here
            && !source.contains(&format!("def {name}"))
            && binds_nowhere(source, name)
            && !known.iter().any(|known| known == name)
            && !(profile.eval && source.contains("eval(") | source.contains("exec("))
            && !validation.unknown.iter().any(|unknown| unknown == name)
        {
            return told("a name that is undefined is known to validation");
        }
    }
    for name in &validation.unknown {
        // It stands where the run reads it first of all.
        if source.lines().next() == Some(name.as_str()) && raised.is_none() {
            return told("a name that is unknown to validation has a value");
        }
    }
    if let Step::Complete(outcome) = &step {
        known.clone_from(&outcome.names);
    }
    None
}

/// Returns whether no statement of a generated program can bind `name`.
fn binds_nowhere(source: &str, name: &str) -> bool {
    let ways = [
        format!("del {name}"),
        format!("{name} = "),
        format!("{name}, "),
        format!("{name} += "),
        format!("{name} :="),
        format!("as {name}"),
        format!("for {name}"),
        format!("class {name}"),
        format!("global {name}"),
        format!("case {name}"),
        format!("*{name}]"),
        format!("g({name}"),
    ];
    !ways.iter().any(|way| source.contains(way.as_str()))
}

/// What the output of a session shows if a program had a builtin that it may not have.
fn evaded(said: &str, profile: &Profile) -> bool {
    let hidden: &[&str] = match profile.eval {
        true => &["built-in function locals", "built-in function globals"],
        false => &[
            "EVADED",
            "built-in function eval",
            "built-in function exec",
            "built-in function locals",
            "built-in function globals",
        ],
    };
    hidden.iter().any(|text| said.contains(text))
}

#[test]
fn validation_and_the_run_agree_and_disabled_builtins_stay_away() {
    let number =
        |name, default| env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let programs = number("AGREEMENT_PROGRAMS", PROGRAMS);
    let seed = number("AGREEMENT_SEED", 1) as u64;
    let workers: Vec<_> = (0..THREADS)
        .map(|worker| {
            thread::spawn(move || {
                let mut random = Random(seed * 1000 + worker as u64);
                let mut found = Vec::new();
                for number in 0..programs / THREADS / SESSION {
                    let profile = profiles()[number % 3].clone();
                    let host = TestHost::default();
                    let mut repl = repl_with(&host, profile.clone());
                    let mut known = Vec::new();
                    for round in 0..SESSION {
                        let source = program(&mut random);
                        found.extend(disagreement(&mut repl, &profile, &source, &mut known));
                        if evaded(&host.said.borrow(), &profile) {
                            found.push(format!("evaded: {source}\n{}", host.said.borrow()));
                            break;
                        }
                        if round == SESSION / 2 {
                            repl = moved(repl, &host, &profile);
                        }
                    }
                    if found.len() > 5 {
                        break;
                    }
                }
                found
            })
        })
        .collect();
    let found: Vec<_> = workers
        .into_iter()
        .flat_map(|worker| worker.join().expect("no panic"))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// The session in another instance: what a dump carries, no more.
fn moved<'a>(
    mut repl: Repl<&'a TestHost>,
    host: &'a TestHost,
    profile: &Profile,
) -> Repl<&'a TestHost> {
    let mut other = repl_with(host, profile.clone());
    for number in 0.. {
        let piece = repl.dump(number).expect("idle");
        let is_last = piece.len() < 1 << 20;
        other.load(piece, is_last).expect("a dump");
        if is_last {
            break;
        }
    }
    other
}
