//! How inputs are made up, tried, made smaller and kept.

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use proptest::strategy::{BoxedStrategy, Strategy as _};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Something to try inputs on.
pub(crate) trait Target: 'static {
    type Input: Debug + Serialize + DeserializeOwned;
    const NAME: &'static str;
    /// The folder with `corpus`, from that of the crate's manifest.
    const FOLDER: &'static str = "fuzz";

    fn inputs() -> BoxedStrategy<Self::Input>;

    /// What is wrong, if anything is. A panic is wrong, too.
    fn attempt(input: &Self::Input) -> Result<(), String>;
}

/// The corpus of a target, and the `fixed` first inputs that it makes up; or,
/// when asked to, as many as there is time for.
pub(crate) fn trials<T: Target>(fixed: u64) -> Vec<Trial> {
    let mut trials: Vec<Trial> = corpus(T::FOLDER, T::NAME)
        .into_iter()
        .map(|file| {
            let name = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            Trial::test(format!("{}/{name}", T::NAME), move || {
                let input = serde_json::from_slice(&fs::read(&file)?)?;
                Ok(T::attempt(&input)?)
            })
        })
        .collect();
    let made_up = Trial::test(format!("{}, made up", T::NAME), move || match patience() {
        None => (0..fixed).try_for_each(made_up::<T>),
        Some(patience) => go_on::<T>(patience),
    });
    trials.push(made_up);
    trials
}

fn corpus(folder: &str, name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join("corpus")
        .join(name);
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    files
}

fn patience() -> Option<Duration> {
    let seconds = std::env::var("RLM_SANDBOX_FUZZ_SECONDS").ok()?;
    Some(Duration::from_secs(seconds.parse().expect("whole seconds")))
}

/// Tries inputs for so long, from where this was left.
fn go_on<T: Target>(patience: Duration) -> Result<(), Failed> {
    let folder =
        std::env::var_os("RLM_SANDBOX_FUZZ_STATE").map_or_else(std::env::temp_dir, PathBuf::from);
    let state = folder.join(format!("{}.next", T::NAME));
    let first = fs::read_to_string(&state).unwrap_or_default();
    let first: u64 = first.trim().parse().unwrap_or(0);
    let started = Instant::now();
    let mut seed = first;
    let mut found = Vec::new();
    while started.elapsed() < patience {
        // Written before: a process that dies has died of this one.
        fs::write(&state, (seed + 1).to_string())?;
        if let Err(failed) = made_up::<T>(seed) {
            found.push(failed.message().unwrap_or_default().to_owned());
        }
        seed += 1;
    }
    eprintln!(
        "{}: {} inputs from {first} on, {} found",
        T::NAME,
        seed - first,
        found.len()
    );
    if found.is_empty() {
        Ok(())
    } else {
        Err(found.join("\n").into())
    }
}

/// Tries the input of a seed. One that fails is made as small as can be.
fn made_up<T: Target>(seed: u64) -> Result<(), Failed> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let tree = T::inputs()
        .new_tree(&mut runner)
        .map_err(|why| why.message().to_owned())?;
    let tried = runner.run_one(tree, |input| {
        T::attempt(&input).map_err(TestCaseError::fail)
    });
    match tried {
        Ok(_) => Ok(()),
        Err(TestError::Fail(why, input)) => {
            let written = serde_json::to_string(&input)?;
            Err(format!(
                "{} at seed {seed}: {why}\nas a file of the corpus: {written}",
                T::NAME
            )
            .into())
        }
        Err(TestError::Abort(why)) => Err(why.message().to_owned().into()),
    }
}
