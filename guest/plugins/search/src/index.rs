//! An inverted index over the lines of a text.

use crate::words::{Word, each_word, is_exact};

/// A text, and for each word the lines that have it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    text: String,
    /// Where each line begins, and where the text ends.
    line_starts: Vec<u32>,
    /// The terms of the text, one for each of its words.
    words: Vec<u32>,
    /// Where each line begins in `words`, and where the last one ends.
    word_starts: Vec<u32>,
    vocabulary: Vocabulary,
    /// Where each term's lines begin in `postings`, and where the last ones end.
    posting_starts: Vec<u32>,
    /// The lines of the first term in order, then those of the second and so on.
    /// A line stands there as often as the term is in it.
    postings: Vec<u32>,
}

impl Index {
    /// Reads a text. Takes eight bytes for each word besides the text, and about
    /// 24 and its letters for each word that differs.
    ///
    /// # Panics
    ///
    /// If the text has 4 GiB, which no plugin can hold.
    pub(crate) fn new(text: String) -> Self {
        assert!(u32::try_from(text.len()).is_ok(), "the text is too long");
        let mut index = Self {
            text,
            ..Self::default()
        };
        // In logs a word takes five or six bytes with what is around it.
        index.words.reserve(index.text.len() / 5);
        let mut start = 0;
        for line in index.text.split_inclusive('\n') {
            index.line_starts.push(start);
            start += line.len() as u32;
            index.word_starts.push(index.words.len() as u32);
            each_word(line, |word| index.words.push(index.vocabulary.take(word)));
        }
        index.line_starts.push(start);
        index.word_starts.push(index.words.len() as u32);
        index.place();
        index
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn lines(&self) -> u32 {
        self.line_starts.len() as u32 - 1
    }

    pub(crate) fn words(&self) -> u64 {
        self.words.len() as u64
    }

    pub(crate) fn terms(&self) -> u32 {
        self.vocabulary.len() as u32
    }

    /// The terms of a line, counting from 0, in the order of its words.
    pub(crate) fn line_words(&self, line: u32) -> &[u32] {
        let start = self.word_starts[line as usize] as usize;
        let end = self.word_starts[line as usize + 1] as usize;
        &self.words[start..end]
    }

    /// A line without its end, counting from 0.
    pub(crate) fn line(&self, line: u32) -> &str {
        let start = self.line_starts[line as usize] as usize;
        let end = self.line_starts[line as usize + 1] as usize;
        self.text[start..end].trim_end_matches(['\r', '\n'])
    }

    /// The lines that have a term, in order, each as often as it is in them.
    pub(crate) fn postings(&self, term: u32) -> &[u32] {
        let start = self.posting_starts[term as usize] as usize;
        let end = self.posting_starts[term as usize + 1] as usize;
        &self.postings[start..end]
    }

    /// The term that is `word`.
    pub(crate) fn term(&self, word: Word<'_>) -> Option<u32> {
        self.vocabulary.find(word).ok()
    }

    /// A term in lower case.
    pub(crate) fn spelling(&self, term: u32) -> &[u8] {
        self.vocabulary.term(term)
    }

    /// The terms that begin with `prefix`.
    pub(crate) fn terms_with(&self, prefix: &[u8]) -> impl Iterator<Item = u32> {
        let terms = 0..self.terms();
        terms.filter(move |&term| self.vocabulary.term(term).starts_with(prefix))
    }

    /// Sorts the lines by term: counts, adds up, then puts each in its place.
    fn place(&mut self) {
        let mut ends = vec![0_u32; self.vocabulary.len() + 1];
        for &term in &self.words {
            ends[term as usize + 1] += 1;
        }
        for term in 1..ends.len() {
            ends[term] += ends[term - 1];
        }
        let mut postings = vec![0_u32; self.words.len()];
        for line in 0..self.lines() {
            for &term in self.line_words(line) {
                let end = &mut ends[term as usize];
                postings[*end as usize] = line;
                *end += 1;
            }
        }
        // Each start has become the end, which is the start of the next one.
        ends.pop();
        ends.insert(0, 0);
        self.posting_starts = ends;
        self.postings = postings;
    }
}

/// The words that differ, with a number each.
#[derive(Debug, Default)]
struct Vocabulary {
    /// All terms, one behind the other.
    spelling: Vec<u8>,
    /// Where each term begins in `spelling`.
    starts: Vec<u32>,
    /// The key of each term.
    keys: Vec<u64>,
    /// Numbers of terms by key, plus 1; 0 is free. At most half of them are
    /// taken, and a term stands in the first free place from its home on.
    slots: Vec<u32>,
}

impl Vocabulary {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn term(&self, term: u32) -> &[u8] {
        let start = self.starts[term as usize] as usize;
        let end = match self.starts.get(term as usize + 1) {
            Some(&next) => next as usize,
            None => self.spelling.len(),
        };
        &self.spelling[start..end]
    }

    /// The number of a word, which is new if the word is.
    fn take(&mut self, word: Word<'_>) -> u32 {
        if self.len() * 2 >= self.slots.len() {
            self.grow();
        }
        match self.find(word) {
            Ok(term) => term,
            Err(slot) => {
                let term = self.len() as u32;
                self.slots[slot] = term + 1;
                self.starts.push(self.spelling.len() as u32);
                self.keys.push(word.key);
                self.spelling.extend_from_slice(word.bytes);
                term
            }
        }
    }

    /// The number of a word, or the slot where it would stand.
    fn find(&self, word: Word<'_>) -> Result<u32, usize> {
        let Some(last) = self.slots.len().checked_sub(1) else {
            return Err(0);
        };
        let mut slot = home(word.key, last);
        loop {
            let Some(term) = self.slots[slot].checked_sub(1) else {
                return Err(slot);
            };
            let same = self.keys[term as usize] == word.key;
            if same && (is_exact(word.key) || self.term(term) == word.bytes) {
                return Ok(term);
            }
            slot = (slot + 1) & last;
        }
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(1024);
        self.slots = vec![0; slots];
        for (number, &key) in self.keys.iter().enumerate() {
            let mut slot = home(key, slots - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            self.slots[slot] = number as u32 + 1;
        }
    }
}

/// The slot where a search begins, of `last` and those before it.
fn home(key: u64, last: usize) -> usize {
    // The high bits of a product depend on all of the key.
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(index: &Index, word: &str) -> Vec<u32> {
        let mut lines = Vec::new();
        each_word(word, |word| {
            let term = index.term(word);
            lines.extend(term.map_or(&[][..], |term| index.postings(term)));
        });
        lines
    }

    #[test]
    fn each_word_has_its_lines() {
        let index = Index::new("One two\r\n\ntwo TWO three\nfour".to_owned());
        assert_eq!((index.lines(), index.words(), index.terms()), (4, 6, 4));
        assert_eq!(lines_of(&index, "one"), [0]);
        assert_eq!(lines_of(&index, "Two"), [0, 2, 2]);
        assert_eq!(lines_of(&index, "four"), [3]);
        assert!(lines_of(&index, "five").is_empty());
        assert_eq!(index.line(0), "One two");
        assert_eq!(index.line(1), "");
        assert_eq!(index.line(3), "four");
        assert_eq!(index.line_words(2), [1, 1, 2]);
        assert_eq!(index.spelling(2), b"three");
        assert_eq!(index.terms_with(b"t").count(), 2);
    }

    #[test]
    fn nothing_is_a_text_too() {
        let index = Index::new(String::new());
        assert_eq!((index.lines(), index.words(), index.terms()), (0, 0, 0));
        assert!(lines_of(&index, "one").is_empty());
    }

    #[test]
    fn many_terms_are_told_apart() {
        let text: String = (0..50_000).map(|at| format!("w{at} common\n")).collect();
        let index = Index::new(text);
        assert_eq!(index.terms(), 50_001);
        for at in (0..50_000).step_by(777) {
            assert_eq!(lines_of(&index, &format!("w{at}")), [at]);
        }
        assert_eq!(lines_of(&index, "common").len(), 50_000);
        assert_eq!(index.terms_with(b"w4999").count(), 11);
    }
}
