//! Strategies out of a grammar in text: `grammar.txt` tells how to read it.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Strategy as _, Union};

/// How deep expressions are nested in each other.
const DEPTH: u32 = 4;

/// A way to write something: names of other things, and the texts around them.
#[derive(Debug, Clone)]
struct Alternative {
    texts: Vec<String>,
    names: Vec<String>,
}

impl Alternative {
    fn read(line: &str) -> Self {
        let (mut texts, mut names) = (vec![String::new()], Vec::new());
        let mut rest = line;
        while let Some((text, after)) = rest.split_once('$') {
            let end = after.find(|next: char| !next.is_ascii_lowercase());
            let (name, after) = after.split_at(end.unwrap_or(after.len()));
            let last = texts.last_mut().expect("never empty");
            last.push_str(text);
            rest = after;
            if name.is_empty() {
                // Twice, it stands for itself.
                last.push('$');
                rest = after.strip_prefix('$').unwrap_or(after);
            } else {
                names.push(name.to_owned());
                texts.push(String::new());
            }
        }
        texts.last_mut().expect("never empty").push_str(rest);
        for text in &mut texts {
            *text = text.replace('¶', "\n");
        }
        Self { texts, names }
    }

    /// The text with `parts` for the names, at the indentation that they are found at.
    fn write(&self, parts: &[String]) -> String {
        let mut written = self.texts[0].clone();
        for (part, text) in parts.iter().zip(&self.texts[1..]) {
            let line = written.rsplit('\n').next().unwrap_or_default();
            let indentation = line.len() - line.trim_start_matches(' ').len();
            written += &part.replace('\n', &format!("\n{}", " ".repeat(indentation)));
            written += text;
        }
        written
    }
}

pub(super) struct Grammar {
    rules: HashMap<String, Vec<Alternative>>,
    /// The depth that each name needs at least.
    heights: HashMap<String, u32>,
    made: HashMap<(String, u32), BoxedStrategy<String>>,
}

impl Grammar {
    /// Later texts add to what the names of earlier ones may be.
    pub(super) fn new(texts: &[String]) -> Self {
        let mut rules: HashMap<String, Vec<Alternative>> = HashMap::new();
        let mut name = "";
        for line in texts.iter().flat_map(|text| text.lines()) {
            match line.strip_prefix("  ") {
                Some(alternative) => {
                    let alternatives = rules.entry(name.to_owned()).or_default();
                    alternatives.push(Alternative::read(alternative));
                }
                None if line.starts_with('#') => {}
                None => name = line,
            }
        }
        let heights = heights(&rules);
        Self {
            rules,
            heights,
            made: HashMap::new(),
        }
    }

    /// Whole programs.
    pub(super) fn program(&mut self) -> BoxedStrategy<String> {
        let header = self.rules["header"].clone();
        let header: Vec<_> = header.iter().map(|line| self.written(line, 1)).collect();
        let statements = vec(self.of("stmt", DEPTH), 2..8);
        let parts = (header, statements, self.of("last", DEPTH));
        parts
            .prop_map(|(header, statements, last)| {
                let lines = header.into_iter().chain(statements).chain([last]);
                lines.map(|line| line + "\n").collect()
            })
            .boxed()
    }

    /// What `name` may be, nested no deeper than `depth`.
    fn of(&mut self, name: &str, depth: u32) -> BoxedStrategy<String> {
        let key = (name.to_owned(), depth);
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let (mut plain, mut nested) = (Vec::new(), Vec::new());
        for alternative in self.rules[name].clone() {
            match &alternative.names[..] {
                [] => plain.push(alternative.texts.concat()),
                names if depth > self.height(names) => {
                    nested.push(self.written(&alternative, depth - 1))
                }
                _ => {}
            }
        }
        let mut all = Vec::new();
        if !plain.is_empty() {
            all.push((plain.len() as u32, select(plain).boxed()));
        }
        all.extend(nested.into_iter().map(|strategy| (1, strategy)));
        let strategy = Union::new_weighted(all).boxed();
        self.made.insert(key, strategy.clone());
        strategy
    }

    fn written(&mut self, alternative: &Alternative, depth: u32) -> BoxedStrategy<String> {
        let names = alternative.names.iter();
        let parts: Vec<_> = names.map(|name| self.of(name, depth)).collect();
        let alternative = alternative.clone();
        parts
            .prop_map(move |parts| alternative.write(&parts))
            .boxed()
    }

    fn height(&self, names: &[String]) -> u32 {
        height(&self.heights, names).expect("every name has an end")
    }
}

/// The greatest of the heights of `names`, if all are known.
fn height(heights: &HashMap<String, u32>, names: &[String]) -> Option<u32> {
    let mut of = names.iter().map(|name| heights.get(name).copied());
    of.try_fold(0, |highest, height| Some(highest.max(height?)))
}

fn heights(rules: &HashMap<String, Vec<Alternative>>) -> HashMap<String, u32> {
    let mut heights = HashMap::new();
    // Once more for each name suffices for what they reach through one another.
    for _ in rules {
        for (name, alternatives) in rules {
            let of = alternatives.iter().filter_map(|alternative| {
                let inner = height(&heights, &alternative.names)?;
                Some(match alternative.names.is_empty() {
                    true => 0,
                    false => inner + 1,
                })
            });
            if let Some(height) = of.min() {
                heights.insert(name.clone(), height);
            }
        }
    }
    heights
}
