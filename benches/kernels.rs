//! How much slower is Python behind the second wall?
//!
//! Each kernel runs in a sandbox under each metering, and in the same interpreter as a process
//! of its own (`tests/native`, named by `RLM_SANDBOX_NATIVE`), with its limits armed and
//! its allocations counted, too. They take turns, so that a noisy machine slows
//! all; ratios are those of the medians.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may panic, and prints its figures"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

use rlm_sandbox::{Metering, Sandbox, Session};

/// Files of `kernels/`, by name.
macro_rules! kernels {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("kernels/", $name, ".py")))),*]
    };
}

const KERNELS: [(&str, &str); 9] = kernels![
    "recursion",
    "integer_loop",
    "while_loop",
    "dict_building",
    "string_building",
    "json_round_trip",
    "regex_over_text",
    "sort",
    "text_positions",
];

const ROUNDS: usize = 15;

fn main() {
    let wanted = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"));
    let mut native = Native::start();
    let mut sessions = METERINGS.map(|metering| {
        let sandbox = sandbox(metering);
        sandbox.session().seed(1).open().unwrap()
    });
    println!(
        "{:18} {:>14} {:>10} {:>10} {:>7} {:>10} {:>10}",
        "kernel", "fuel", "ms", "native ms", "ratio", "epoch/fuel", "both/fuel"
    );
    let (mut products, mut count) = ([1.0; 3], 0);
    for (name, source) in KERNELS {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.starts_with(wanted))
        {
            continue;
        }
        let (mut ours, mut theirs, mut fuel) = ([const { Vec::new() }; 3], Vec::new(), 0);
        for _ in 0..ROUNDS {
            for (session, times) in sessions.iter_mut().zip(&mut ours) {
                times.push(sandboxed(session, source, &mut fuel));
            }
            // Without it there is nothing to compare with.
            theirs.push(
                native
                    .as_mut()
                    .map_or(f64::NAN, |native| native.run(source)),
            );
        }
        let ([ours, epoch, both], theirs) = (ours.map(median), median(theirs));
        let ratios = [ours / theirs, epoch / ours, both / ours];
        let [ratio, epoch, both] = ratios;
        println!(
            "{name:18} {fuel:>14} {ours:>10.2} {theirs:>10.2} {ratio:>7.2} {epoch:>10.2} {both:>10.2}"
        );
        for (product, ratio) in products.iter_mut().zip(ratios) {
            *product *= ratio;
        }
        count += 1;
    }
    let [ratio, epoch, both] = products.map(|product: f64| product.powf(1.0 / f64::from(count)));
    println!("geometric means: native {ratio:.2}, epoch {epoch:.2}, both {both:.2}");
}

const METERINGS: [Metering; 3] = [Metering::Fuel, Metering::Epoch, Metering::FuelAndEpoch];

/// `RLM_BENCH_GUEST` names another interpreter.
fn sandbox(metering: Metering) -> Sandbox {
    let mut builder = Sandbox::builder().metering(metering);
    if let Some(path) = std::env::var_os("RLM_BENCH_GUEST") {
        builder = builder.guest(std::fs::read(path).unwrap());
    }
    builder.build().unwrap()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn sandboxed(session: &mut Session, source: &str, fuel: &mut u64) -> f64 {
    let started = Instant::now();
    let outcome = session.exec_blocking(source).unwrap();
    let took = started.elapsed();
    assert!(outcome.is_success(), "{outcome:?}");
    *fuel = outcome.usage.fuel.max(*fuel);
    took.as_secs_f64() * 1e3
}

/// The same interpreter as a process of its own, without a sandbox around it.
struct Native {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Native {
    /// Starts the program that `RLM_SANDBOX_NATIVE` names, if it names one.
    fn start() -> Option<Self> {
        let mut child = Command::new(std::env::var_os("RLM_SANDBOX_NATIVE")?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Some(Self { child, answers })
    }

    /// Returns the milliseconds that `source` takes, as the process counts them.
    fn run(&mut self, source: &str) -> f64 {
        let line = serde_json::to_string(source).unwrap();
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["raised"].is_null(), "{answer}");
        answer["seconds"].as_f64().unwrap() * 1e3
    }
}
