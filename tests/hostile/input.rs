//! Files that mean harm.

use std::fs;
use std::path::Path;

/// One file. `⟦text⟧n` in it stands for n times the text; a `»` in the text is
/// as many spaces as there were repetitions before, for blocks in blocks.
pub(crate) struct Input {
    /// Its path below the folder of inputs.
    pub(crate) name: String,
    /// The folder that it is in.
    pub(crate) class: String,
    written: String,
}

/// All inputs below a folder, by name.
pub(crate) fn all(folder: &Path) -> Vec<Input> {
    let mut all = Vec::new();
    for class in fs::read_dir(folder).expect("the folder of inputs") {
        let class = class.expect("an entry").path();
        for file in fs::read_dir(&class).expect("a folder of inputs") {
            let file = file.expect("an entry").path();
            let name = file.strip_prefix(folder).expect("it is below");
            all.push(Input {
                name: name.display().to_string(),
                class: class
                    .file_name()
                    .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                written: fs::read_to_string(&file).expect("UTF-8"),
            });
        }
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(!all.is_empty(), "no inputs in {}", folder.display());
    all
}

impl Input {
    /// What it is when it is written out.
    pub(crate) fn source(&self) -> String {
        expand(&self.written)
    }
}

fn expand(written: &str) -> String {
    let mut source = String::new();
    let mut rest = written;
    while let Some((before, after)) = rest.split_once('⟦') {
        source.push_str(before);
        let (text, after) = after.split_once('⟧').expect("a `⟧` for each `⟦`");
        let digits = after.len()
            - after
                .trim_start_matches(|letter: char| letter.is_ascii_digit())
                .len();
        let (times, after) = after.split_at(digits);
        let times: usize = times.parse().expect("a number after `⟧`");
        if text.contains('»') {
            for nth in 0..times {
                source.push_str(&text.replace('»', &" ".repeat(nth)));
            }
        } else {
            source.push_str(&text.repeat(times));
        }
        rest = after;
    }
    source + rest
}
