//! What came of it, class by class.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

/// What a process tells before it ends.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Suffered {
    /// How the exec ended.
    pub(crate) ending: String,
    /// What it computed, in milliseconds.
    pub(crate) compute_ms: u64,
    /// From the first of the process's execs to the last.
    pub(crate) elapsed_ms: u64,
    /// The most that the process held.
    pub(crate) peak_kib: u64,
}

#[derive(Default)]
pub(crate) struct Report {
    classes: Mutex<BTreeMap<String, Class>>,
}

#[derive(Default)]
struct Class {
    count: usize,
    endings: BTreeMap<String, usize>,
    elapsed_ms: u64,
    peak_kib: u64,
}

impl Report {
    pub(crate) fn note(&self, class: &str, suffered: &Suffered) {
        let mut classes = self.classes.lock().expect("not poisoned");
        let class = classes.entry(class.to_owned()).or_default();
        class.count += 1;
        *class.endings.entry(suffered.ending.clone()).or_default() += 1;
        class.elapsed_ms = class.elapsed_ms.max(suffered.elapsed_ms);
        class.peak_kib = class.peak_kib.max(suffered.peak_kib);
    }

    /// One line for each class: how many there were, how they ended, the longest
    /// and the largest.
    pub(crate) fn print(&self) {
        let classes = self.classes.lock().expect("not poisoned");
        let all: usize = classes.values().map(|class| class.count).sum();
        eprintln!("| class | runs | ended as | longest | largest |");
        eprintln!("|---|---|---|---|---|");
        for (name, class) in classes.iter() {
            let endings = class.endings.iter();
            let endings: Vec<String> = endings
                .map(|(name, count)| format!("{name} {count}"))
                .collect();
            eprintln!(
                "| {name} | {} | {} | {} ms | {} MiB |",
                class.count,
                endings.join(", "),
                class.elapsed_ms,
                class.peak_kib >> 10
            );
        }
        eprintln!("{all} runs");
    }
}
