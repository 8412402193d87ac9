//! What is shown of a line.

use crate::query::Query;
use crate::words::each_word;

/// Bytes of a line that are shown, about; chosen by hand.
const SHOWN: usize = 300;

/// Bytes of a long line that are shown in front of the first match.
const BEFORE: usize = 60;

/// A line, or what is around the first word of it that a query asks for.
pub(crate) fn excerpt(line: &str, query: &Query) -> String {
    if line.len() <= SHOWN {
        return line.to_owned();
    }
    let mut first = None;
    each_word(line, |word| {
        let mut wanted = query.clauses.iter().filter(|clause| !clause.is_excluded);
        if first.is_none() && wanted.any(|clause| clause.begins_with(word.bytes)) {
            first = Some(word.start);
        }
    });
    // A line that ends soon after the match is shown to its end.
    let start = first.unwrap_or(0).saturating_sub(BEFORE);
    let start = line.floor_char_boundary(start.min(line.len() - SHOWN));
    let end = line.floor_char_boundary(start + SHOWN);
    let before = if start > 0 { "…" } else { "" };
    let after = if end < line.len() { "…" } else { "" };
    format!("{before}{}{after}", &line[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_match() {
        let query = Query::parse("-x needle").expect("a query");
        assert_eq!(excerpt("a needle", &query), "a needle");
        for (before, after) in [(0, 1000), (1000, 1000), (1000, 0), (10, 300)] {
            let line = format!("{} needle {}", "é ".repeat(before), "x ".repeat(after));
            let shown = excerpt(&line, &query);
            assert!(shown.contains("needle"), "{shown}");
            assert!(shown.len() <= SHOWN + 6);
            assert_eq!(shown.starts_with('…'), before > 100);
            assert_eq!(shown.ends_with('…'), after > 200);
        }
    }
}
