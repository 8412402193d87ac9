//! The language of the scripts that choose lies.
//!
//! A script is lines of words. The first word names the export that the line
//! belongs to; the second is an action; the rest are its arguments. A word is
//! percent-encoded; `text*1000` repeats its text, and `~` joins parts that are repeated on
//! their own. `max` is the largest number.

/// The actions of a script.
pub(crate) struct Script(pub(crate) String);

/// The words of one line after the name of the export.
pub(crate) struct Action<'a>(Vec<&'a str>);

impl Script {
    /// Returns the actions for an export, in the order of the script.
    pub(crate) fn actions<'a>(&'a self, export: &str) -> impl Iterator<Item = Action<'a>> {
        self.0.lines().filter_map(move |line| {
            let mut words = line.split(' ').filter(|word| !word.is_empty());
            (words.next() == Some(export)).then(|| Action(words.collect()))
        })
    }

    /// Returns the number in a line `seed N`.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.actions("seed")
            .next()
            .map(|action| number(action.name()))
    }
}

impl Action<'_> {
    /// Returns the name of the action.
    pub(crate) fn name(&self) -> &str {
        self.0.first().copied().unwrap_or_default()
    }

    /// Returns the raw argument at an index from 0, or an empty word.
    pub(crate) fn word(&self, index: usize) -> &str {
        self.0.get(index + 1).copied().unwrap_or_default()
    }

    /// Returns an argument as text.
    pub(crate) fn text(&self, index: usize) -> String {
        text(self.word(index))
    }

    /// Returns an argument as text, or none where the word is missing or `-`.
    pub(crate) fn option(&self, index: usize) -> Option<String> {
        match self.word(index) {
            "" | "-" => None,
            word => Some(text(word)),
        }
    }

    /// Returns an argument as a number; 0 where it is none.
    pub(crate) fn parse(&self, index: usize) -> u64 {
        number(self.word(index))
    }

    /// Returns an argument as a count of repetitions; 1 where it is missing.
    pub(crate) fn times(&self, index: usize) -> u64 {
        match self.word(index) {
            "" => 1,
            word => number(word),
        }
    }
}

/// Reads a number.
pub(crate) fn number(word: &str) -> u64 {
    match word {
        "max" => u64::MAX,
        _ => word.parse().unwrap_or(0),
    }
}

fn text(word: &str) -> String {
    let bytes: Vec<u8> = word.split('~').flat_map(part).collect();
    // A component that hands over bytes that are no UTF-8 as text is a lie, too.
    // SAFETY: nothing here reads the text but the host, which checks it.
    unsafe { String::from_utf8_unchecked(bytes) }
}

fn part(word: &str) -> Vec<u8> {
    let (text, times) = match word.rsplit_once('*') {
        Some((text, times)) => (text, number(times) as usize),
        None => (word, 1),
    };
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let hex = after.get(..2).and_then(|hex| str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(value) if byte == b'%' => {
                bytes.push(value);
                rest = &after[2..];
            }
            _ => bytes.push(byte),
        }
    }
    bytes.repeat(times)
}
