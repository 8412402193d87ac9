//! Which lines a query asks for, and how well they fit.

use std::cmp::Ordering;

use crate::index::Index;
use crate::query::{Clause, Query};
use crate::words::each_word;

/// A line that fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Match {
    /// Counting from 0.
    pub(crate) line: u32,
    /// The sum of BM25 over the clauses.
    pub(crate) score: f32,
}

/// A line that has what a clause asks for, and how often.
type Found = (u32, u32);

/// The lines that a query asks for, in order.
pub(crate) fn find(index: &Index, query: &Query) -> Vec<Match> {
    let (excluded, mut wanted): (Vec<_>, Vec<_>) =
        query.clauses.iter().partition(|clause| clause.is_excluded);
    // The shortest list first: the others only have to be looked into.
    wanted.sort_by_key(|clause| most(index, clause));
    let mut matches: Option<Vec<Match>> = None;
    for clause in wanted {
        if matches.as_ref().is_some_and(Vec::is_empty) {
            break;
        }
        let found = lines(index, clause);
        let rated = rate(index, &found);
        matches = Some(match matches {
            None => rated,
            Some(before) => both(&before, &rated),
        });
    }
    let all = || (0..index.lines()).map(|line| Match { line, score: 0.0 });
    let mut matches = matches.unwrap_or_else(|| all().collect());
    for clause in excluded {
        let found = lines(index, clause);
        let mut found = found.iter().map(|&(line, _)| line).peekable();
        matches.retain(|it| {
            while found.next_if(|&line| line < it.line).is_some() {}
            found.peek() != Some(&it.line)
        });
    }
    matches
}

/// Puts the `count` best matches first, best first, and where they fit equally
/// well in the order of their lines.
pub(crate) fn best_first(matches: &mut Vec<Match>, count: u32) {
    let order = |a: &Match, b: &Match| -> Ordering {
        b.score.total_cmp(&a.score).then(a.line.cmp(&b.line))
    };
    if matches.len() > count as usize {
        // Sorting them all would take much longer.
        matches.select_nth_unstable_by(count as usize, order);
        matches.truncate(count as usize);
    }
    matches.sort_unstable_by(order);
}

/// The lines that a clause asks for, whether it is excluded or not.
fn lines(index: &Index, clause: &Clause) -> Vec<Found> {
    if clause.words.len() == 1 {
        return having(index, clause, 0);
    }
    // Lines that have all the words, then those that have them in order.
    let mut candidates: Option<Vec<u32>> = None;
    for at in 0..clause.words.len() {
        let having = having(index, clause, at);
        candidates = Some(match candidates {
            None => having.iter().map(|&(line, _)| line).collect(),
            Some(before) => {
                let mut having = having.iter().map(|&(line, _)| line).peekable();
                let mut both = before;
                both.retain(|&line| {
                    while having.next_if(|&it| it < line).is_some() {}
                    having.peek() == Some(&line)
                });
                both
            }
        });
    }
    let whole: Option<Vec<u32>> = clause
        .whole()
        .iter()
        .map(|word| term(index, word))
        .collect();
    let Some(whole) = whole else {
        return Vec::new();
    };
    let candidates = candidates.unwrap_or_default().into_iter();
    candidates
        .map(|line| {
            let terms = index.line_words(line);
            (line, occurrences(index, terms, clause, &whole))
        })
        .filter(|&(_, times)| times > 0)
        .collect()
}

/// The lines that have the word at `at` of a clause.
fn having(index: &Index, clause: &Clause, at: usize) -> Vec<Found> {
    if at == clause.whole().len() {
        let mut times = vec![0_u32; index.lines() as usize];
        for term in index.terms_with(clause.words[at].as_bytes()) {
            for &line in index.postings(term) {
                times[line as usize] += 1;
            }
        }
        let numbered = times.iter().enumerate();
        return numbered
            .filter(|&(_, &times)| times > 0)
            .map(|(line, &times)| (line as u32, times))
            .collect();
    }
    let Some(term) = term(index, &clause.words[at]) else {
        return Vec::new();
    };
    let same = index.postings(term).chunk_by(|a, b| a == b);
    same.map(|lines| (lines[0], lines.len() as u32)).collect()
}

/// How many lines a clause can have at the most.
fn most(index: &Index, clause: &Clause) -> usize {
    clause
        .whole()
        .iter()
        .map(|word| term(index, word).map_or(0, |term| index.postings(term).len()))
        .min()
        .unwrap_or(usize::MAX)
}

fn term(index: &Index, word: &str) -> Option<u32> {
    let mut term = None;
    each_word(word, |word| term = index.term(word));
    term
}

/// How often `terms` has the words of a clause next to each other; the words that
/// are whole are given as `whole`.
fn occurrences(index: &Index, terms: &[u32], clause: &Clause, whole: &[u32]) -> u32 {
    let prefix = clause.prefix().map(str::as_bytes);
    let fits = |stretch: &&[u32]| {
        let (front, last) = stretch.split_at(whole.len());
        front == whole && prefix.is_none_or(|prefix| index.spelling(last[0]).starts_with(prefix))
    };
    terms.windows(clause.words.len()).filter(fits).count() as u32
}

/// Rates lines by BM25, with its usual parameters.
fn rate(index: &Index, found: &[Found]) -> Vec<Match> {
    const SATURATION: f32 = 1.2;
    const LENGTH: f32 = 0.75;
    let all = index.lines() as f32;
    let having = found.len() as f32;
    let rarity = (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
    let usual = (index.words() as f32 / all.max(1.0)).max(1.0);
    let rate = |&(line, times): &Found| {
        let times = times as f32;
        let length = index.line_words(line).len() as f32 / usual;
        let damped = times + SATURATION * (1.0 - LENGTH + LENGTH * length);
        Match {
            line,
            score: rarity * times * (SATURATION + 1.0) / damped,
        }
    };
    found.iter().map(rate).collect()
}

/// The lines that are in both lists, with what they score together.
fn both(a: &[Match], b: &[Match]) -> Vec<Match> {
    let mut b = b.iter().peekable();
    let mut both = Vec::new();
    for &one in a {
        while b.next_if(|it| it.line < one.line).is_some() {}
        if let Some(other) = b.peek().filter(|it| it.line == one.line) {
            both.push(Match {
                line: one.line,
                score: one.score + other.score,
            });
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
        INFO started on port 8080\n\
        ERROR out of memory in worker 3\n\
        WARN memory is low: 10.0.0.1 out\n\
        ERROR error error: errno 12\n\
        DEBUG connection from 10.0.0.1 closed\n\
        DEBUG connection from 10.0.0.12 closed out of turn\n";

    fn found(query: &str) -> Vec<u32> {
        let index = Index::new(LOG.to_owned());
        let query = Query::parse(query).expect("a query");
        find(&index, &query).iter().map(|it| it.line + 1).collect()
    }

    #[test]
    fn lines_are_found() {
        for (query, lines) in [
            ("error", vec![2, 4]),
            ("memory OUT", vec![2, 3]),
            ("\"out of\"", vec![2, 6]),
            ("\"out of memory\"", vec![2]),
            ("10.0.0.1", vec![3, 5]),
            ("10.0.0.1*", vec![3, 5, 6]),
            ("err*", vec![2, 4]),
            ("errn*", vec![4]),
            ("-debug -error", vec![1, 3]),
            ("out -\"out of\"", vec![3]),
            ("-o*", vec![4, 5]),
            ("nothing", vec![]),
            ("nothing error", vec![]),
            ("error nothing*", vec![]),
        ] {
            assert_eq!(found(query), lines, "{query}");
        }
    }

    #[test]
    fn letters_beyond_ascii_are_found_in_any_case() {
        let text = "İstanbul\nISTANBUL istanbul\nΣίσυφος\nΣΊΣΥΦΟΣ σίσυφοσ\n";
        let index = Index::new(text.to_owned());
        for (query, lines) in [
            ("İstanbul", [0, 1]),
            ("istanbul", [0, 1]),
            ("İst*", [0, 1]),
            ("ΣΊΣΥΦΟΣ", [2, 3]),
            ("\"Σίσυφος\"", [2, 3]),
            ("σίσυφος*", [2, 3]),
        ] {
            let query = Query::parse(query).expect("a query");
            let found: Vec<u32> = find(&index, &query).iter().map(|it| it.line).collect();
            assert_eq!(found, lines, "{query:?}");
        }
    }

    #[test]
    fn what_fits_best_comes_first() {
        let index = Index::new(LOG.to_owned());
        let best = |query: &str, count| {
            let mut matches = find(&index, &Query::parse(query).expect("a query"));
            best_first(&mut matches, count);
            matches.iter().map(|it| it.line + 1).collect::<Vec<_>>()
        };
        // More often, and in a shorter line.
        assert_eq!(best("error", 10), [4, 2]);
        assert_eq!(best("error", 1), [4]);
        assert_eq!(best("closed", 10), [5, 6]);
        assert_eq!(best("-nothing", 2), [1, 2]);
        assert!(best("error", 0).is_empty());
    }

    #[test]
    fn it_finds_what_reading_finds() {
        // Lines of a few words that look random, and are the same each time.
        let mut state = 1_u32;
        let mut next = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let lines: Vec<Vec<String>> = (0..500)
            .map(|_| (0..next(8)).map(|_| format!("w{}", next(20))).collect())
            .collect();
        let text: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        let index = Index::new(text.join("\n"));
        for _ in 0..300 {
            let (a, b) = (format!("w{}", next(20)), format!("w{}", next(20)));
            let query = format!("{a} \"{a} {b}\" -{b}1 w1*");
            let reading: Vec<u32> = (0..lines.len())
                .filter(|&at| {
                    let line = &lines[at];
                    line.windows(2).any(|it| it[0] == a && it[1] == b)
                        && !line.contains(&format!("{b}1"))
                        && line.iter().any(|it| it.starts_with("w1"))
                })
                .map(|at| at as u32)
                .collect();
            let query = Query::parse(&query).expect("a query");
            let found: Vec<u32> = find(&index, &query).iter().map(|it| it.line).collect();
            assert_eq!(found, reading);
        }
    }
}
