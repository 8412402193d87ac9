//! A plugin that searches long texts by line, with an index.

mod excerpt;
mod index;
mod matches;
mod query;
mod shelf;
mod words;

/// Searches long texts, such as logs, by line.
///
/// A query is words that a line must have, in any order and case. `"out of
/// memory"` asks for words next to each other, and so does `10.0.0.1`, whose
/// parts are words. `err*` asks for words that begin so, and a `-` in front asks
/// for lines without. A word is letters, digits and underscores; combining marks
/// are not looked at.
///
/// The index of a context is made at the first call and kept until another
/// context is asked for, or until this one has another length, beginning or end.
#[rlm_plugin::plugin]
mod search {
    use rlm_plugin::Error;

    use crate::excerpt::excerpt;
    use crate::matches;
    use crate::query::Query;
    use crate::shelf::with_index;

    /// The context that is searched when none is named.
    const CONTEXT: &str = "context";

    /// Hits that are given when no limit is.
    const LIMIT: u32 = 20;

    /// A line that a query asks for.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Hit {
        /// Its number; the first line is 1.
        pub line: u32,
        /// Its text, or where it is long what is around the first match.
        pub text: String,
        /// How well it fits, by BM25: more for rare words, for words that occur
        /// more than once, and for short lines.
        pub score: f64,
    }

    /// Which hits come first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Order {
        /// Those that fit best.
        Score,
        /// Those that stand first.
        Line,
    }

    /// What an index holds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Summary {
        pub bytes: u64,
        pub lines: u32,
        /// Words, each as often as it occurs.
        pub words: u64,
        /// Words that differ.
        pub terms: u32,
    }

    /// Makes the index of a context anew, which is needed only if something in
    /// the middle of it has changed. The other functions make one if there is
    /// none.
    pub fn build(context: Option<&str>) -> Result<Summary, Error> {
        crate::shelf::clear();
        with_index(context.unwrap_or(CONTEXT), |index| Summary {
            bytes: index.text().len() as u64,
            lines: index.lines(),
            words: index.words(),
            terms: index.terms(),
        })
    }

    /// The lines that a query asks for, at most `limit` of them (20 if not
    /// given), those that fit best first if no order is given.
    pub fn search(
        query: &str,
        limit: Option<u32>,
        order: Option<Order>,
        context: Option<&str>,
    ) -> Result<Vec<Hit>, Error> {
        let query = Query::parse(query)?;
        with_index(context.unwrap_or(CONTEXT), |index| {
            let mut found = matches::find(index, &query);
            if order != Some(Order::Line) {
                matches::best_first(&mut found, limit.unwrap_or(LIMIT));
            }
            found.truncate(limit.unwrap_or(LIMIT) as usize);
            let hit = |it: matches::Match| Hit {
                line: it.line + 1,
                text: excerpt(index.line(it.line), &query),
                score: f64::from(it.score),
            };
            found.into_iter().map(hit).collect()
        })
    }

    /// How many lines a query asks for.
    pub fn count(query: &str, context: Option<&str>) -> Result<u64, Error> {
        let query = Query::parse(query)?;
        with_index(context.unwrap_or(CONTEXT), |index| {
            matches::find(index, &query).len() as u64
        })
    }

    /// The lines from number `first` on, as many as `count` says: what is around
    /// a hit.
    pub fn lines(first: u32, count: u32, context: Option<&str>) -> Result<Vec<String>, Error> {
        with_index(context.unwrap_or(CONTEXT), |index| {
            let first = first.saturating_sub(1);
            let end = first.saturating_add(count).min(index.lines());
            (first..end)
                .map(|line| index.line(line).to_owned())
                .collect()
        })
    }
}
