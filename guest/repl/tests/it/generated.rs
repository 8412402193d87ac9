//! Random programs give what they give under CPython, or are refused with a
//! hint.
//!
//! The programs come from the grammar in `generated/`. `GENERATED_SEED` and
//! `GENERATED_PROGRAMS` ask for others or for more of them, `GENERATED_PARTS` for
//! other parts of the grammar; what differs is written to `GENERATED_REPORT` too.

mod grammar;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread;

use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::oracle::{Oracle, Ran, context, run};
use grammar::Grammar;

/// Run at the same time, each with a share of the programs.
const THREADS: u64 = 2;
/// Handed to CPython at once.
const BATCH: u64 = 250;
/// Differing programs that are made smaller, for each thread.
const SHRUNK: usize = 10;
/// Steps towards a smaller program that differs still.
const STEPS: usize = 400;
/// The files of the grammar that are used.
const PARTS: &str = "grammar generators";
/// Of a hundred programs, so many may be refused.
const REFUSED: u64 = 10;

/// What became of some programs.
#[derive(Default)]
struct Tally {
    programs: u64,
    raised: u64,
    /// How many were refused with each hint.
    refused: BTreeMap<String, u64>,
    differing: Vec<String>,
}

/// A program's two results, where they are not the same.
struct Difference {
    want: Ran,
    got: Ran,
    hint: Option<String>,
}

impl Difference {
    /// Two programs that differ alike are mostly of one cause.
    fn likeness(&self) -> String {
        let mut lines = self.want.printed.lines().zip(self.got.printed.lines());
        let unlike = lines.find(|(want, got)| want != got);
        let told = format!("{unlike:?} {:?} {:?}", self.want.error, self.got.error);
        let letters = |letter: &char| letter.is_alphabetic() || *letter == ' ';
        told.chars().filter(letters).collect()
    }
}

fn compare(context: &str, source: &str, want: Ran) -> Option<Difference> {
    let ran = catch_unwind(AssertUnwindSafe(|| run(context, source)));
    let (got, hint) = ran.unwrap_or_else(|_| {
        let error = Some((String::from("panic"), String::new()));
        let (printed, value) = (String::new(), None);
        (
            Ran {
                printed,
                value,
                error,
            },
            None,
        )
    });
    (got != want).then_some(Difference { want, got, hint })
}

/// The difference that a program makes, unless it is refused.
fn differs(oracle: &mut Oracle, context: &str, source: &str) -> Option<Difference> {
    let want = oracle.ask(context, [source]).pop()?;
    // What was left out is not to be what differs, nor where an instance lies.
    let is_program =
        !matches!(&want.error, Some((kind, _)) if kind == "SyntaxError" || kind == "NameError");
    let has_address = want
        .value
        .as_ref()
        .is_some_and(|value| value.contains(" at 0x"));
    compare(context, source, want)
        .filter(|found| is_program && !has_address && found.hint.is_none())
}

/// A smaller program that differs as well: by the strategy that made it, and then
/// by leaving out statements.
fn smaller(
    oracle: &mut Oracle,
    context: &str,
    tree: &mut dyn ValueTree<Value = String>,
) -> (String, Option<Difference>) {
    let mut steps = 0;
    let mut moves = tree.simplify();
    while moves && steps < STEPS {
        steps += 1;
        moves = match differs(oracle, context, &tree.current()) {
            Some(_) => tree.simplify(),
            None => tree.complicate(),
        };
    }
    while differs(oracle, context, &tree.current()).is_none() && tree.complicate() {}
    let source = tree.current();
    let mut statements = statements(&source);
    let mut at = statements.len();
    while at > 0 {
        at -= 1;
        let left_out = statements.remove(at);
        if differs(oracle, context, &statements.concat()).is_none() {
            statements.insert(at, left_out);
        }
    }
    let source = statements.concat();
    let difference = differs(oracle, context, &source);
    (source, difference)
}

/// The statements of a program, each with the lines that belong to it.
fn statements(source: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for line in source.lines() {
        let goes_on = [" ", "else:", "elif ", "except ", "finally:"];
        let is_decorated = |last: &String| {
            last.lines()
                .last()
                .is_some_and(|line| line.starts_with('@'))
        };
        match statements.last_mut() {
            Some(last)
                if goes_on.iter().any(|start| line.starts_with(start)) || is_decorated(last) =>
            {
                *last += line;
                *last += "\n";
            }
            _ => statements.push(format!("{line}\n")),
        }
    }
    statements
}

/// One thread's share of the programs.
fn share(mut oracle: Oracle, seed: u64, programs: u64) -> Tally {
    let context = context();
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = Grammar::new(&parts()).program();
    let (mut tally, mut alike) = (Tally::default(), BTreeSet::new());
    while tally.programs < programs {
        let batch = BATCH.min(programs - tally.programs);
        let mut trees: Vec<_> = (0..batch)
            .map(|_| strategy.new_tree(&mut runner).expect("nothing is left out"))
            .collect();
        let sources: Vec<String> = trees.iter().map(ValueTree::current).collect();
        let wanted = oracle.ask(&context, sources.iter().map(String::as_str));
        for ((tree, source), want) in trees.iter_mut().zip(&sources).zip(wanted) {
            tally.programs += 1;
            tally.raised += u64::from(want.error.is_some());
            let is_program = !matches!(&want.error, Some((kind, _)) if kind == "SyntaxError");
            let Some(found) = compare(&context, source, want).filter(|_| is_program) else {
                continue;
            };
            if let Some(hint) = found.hint {
                let message = found.got.error.map(|(_, message)| message);
                let kind = format!("{}: {hint}", message.unwrap_or_default());
                *tally.refused.entry(kind).or_default() += 1;
            } else {
                let mut source = source.clone();
                let mut found = found;
                if alike.insert(found.likeness())
                    && alike.len() <= SHRUNK
                    && let (smaller, Some(still)) = smaller(&mut oracle, &context, tree)
                {
                    (source, found) = (smaller, still);
                }
                let Difference { want, got, .. } = found;
                tally
                    .differing
                    .push(format!("{source}--- want {want:?}\n--- got  {got:?}\n"));
            }
        }
    }
    tally
}

fn parts() -> Vec<String> {
    let parts = std::env::var("GENERATED_PARTS").unwrap_or_else(|_| PARTS.to_owned());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/generated");
    parts
        .split(' ')
        .map(|part| std::fs::read_to_string(folder.join(format!("{part}.txt"))).expect("a part"))
        .collect()
}

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(default, |given| given.parse().expect("a number"))
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "nobody is to miss that nothing was compared"
)]
fn random_programs_do_what_they_do_in_cpython_or_are_refused_with_a_hint() {
    let seed = number("GENERATED_SEED", 1);
    let programs = number("GENERATED_PROGRAMS", 5_000);
    let mut threads = Vec::new();
    for thread in 0..THREADS {
        let Some(oracle) = Oracle::start() else {
            eprintln!("NOT COMPARED: there is no python3 here, so no random programs were run");
            return;
        };
        let seed = seed.wrapping_mul(THREADS).wrapping_add(thread);
        threads.push(thread::spawn(move || {
            share(oracle, seed, programs / THREADS)
        }));
    }
    let mut all = Tally::default();
    for thread in threads {
        let tally = thread.join().expect("ends");
        all.programs += tally.programs;
        all.raised += tally.raised;
        all.differing.extend(tally.differing);
        for (kind, count) in tally.refused {
            *all.refused.entry(kind).or_default() += count;
        }
    }
    let refused: u64 = all.refused.values().sum();
    eprintln!(
        "{} programs, of which {} raised; {refused} were refused, {} differ",
        all.programs,
        all.raised,
        all.differing.len()
    );
    all.differing.sort_by_key(String::len);
    let differing = all.differing.join("\n");
    if let Ok(path) = std::env::var("GENERATED_REPORT") {
        let report = format!("{:#?}\n\n{differing}", all.refused);
        std::fs::write(path, report).expect("writable");
    }
    assert!(differing.is_empty(), "{differing}");
    assert!(
        refused * 100 <= all.programs * REFUSED,
        "{:#?}",
        all.refused
    );
}
