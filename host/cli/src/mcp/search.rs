//! Looking for a pattern in contexts, without Python.

use regex::RegexBuilder;
use rlm_sandbox::Context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bytes that a pattern may take when compiled.
const LARGEST: usize = 1 << 20;
/// Bytes of a line that are shown.
const WIDTH: usize = 300;
/// The most matches that are shown.
const MOST: usize = 200;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// A regular expression, matched within lines.
    pub(super) pattern: String,
    /// The context to search. Default: all of them.
    #[serde(default)]
    pub(super) context: Option<String>,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    pub(super) ignore_case: bool,
    /// Matches to show, at most 200. Default: 20.
    #[serde(default)]
    pub(super) max_matches: Option<usize>,
    /// Lines to show before and after each, at most 20. Default: 0.
    #[serde(default)]
    pub(super) around: usize,
}

/// What was found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Found {
    matches: Vec<Match>,
    /// Lines that match, shown or not.
    total: usize,
    /// Whether some are not shown; search for less, or use exec_python.
    truncated: bool,
    /// Contexts that are no text, which were not searched.
    skipped: Vec<String>,
}

/// A line that matches.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Match {
    context: String,
    /// Its number, from 1.
    line: usize,
    /// The line, and those around it.
    text: String,
    /// Where the match begins, in characters: read_context(context, offset, length) reads on from there.
    offset: usize,
}

/// Looks through `contexts`; shows no more than `room` characters.
pub(super) fn search(
    contexts: &[Context],
    wanted: &Wanted,
    mut room: usize,
) -> Result<Found, String> {
    let pattern = RegexBuilder::new(&wanted.pattern)
        .case_insensitive(wanted.ignore_case)
        .size_limit(LARGEST)
        .build()
        .map_err(|error| format!("the pattern cannot be used: {error}"))?;
    let names = || {
        let names = contexts.iter().map(Context::name);
        names.collect::<Vec<_>>().join(", ")
    };
    let is_wanted = |context: &&Context| {
        wanted
            .context
            .as_deref()
            .is_none_or(|name| name == context.name())
    };
    let searched: Vec<_> = contexts.iter().filter(is_wanted).collect();
    if searched.is_empty() {
        return Err(match &wanted.context {
            Some(name) if !contexts.is_empty() => {
                format!("no context is named `{name}`; there are: {}", names())
            }
            _ => String::from("there are no contexts; load one with load_context"),
        });
    }
    let most = wanted.max_matches.unwrap_or(20).min(MOST);
    let around = wanted.around.min(20);
    let mut found = Found::default();
    for context in searched {
        let Some(text) = context.as_text() else {
            if wanted.context.is_some() {
                return Err(format!(
                    "context `{}` is no text; look through it with exec_python",
                    context.name()
                ));
            }
            found.skipped.push(context.name().to_owned());
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        let (mut offset, mut counted) = (0, text);
        for (index, line) in lines.iter().enumerate() {
            let Some(place) = pattern.find(line) else {
                continue;
            };
            found.total += 1;
            if found.matches.len() >= most || room == 0 {
                found.truncated = true;
                continue;
            }
            let before = line.as_ptr() as usize - counted.as_ptr() as usize + place.start();
            offset += counted[..before].chars().count();
            counted = &counted[before..];
            let last = lines.len().min(index + around + 1);
            let first = index.saturating_sub(around);
            let shown: Vec<String> = lines[first..last]
                .iter()
                .enumerate()
                .map(|(number, other)| match first + number == index {
                    true => excerpt(other, place.start()),
                    false => excerpt(other, 0),
                })
                .collect();
            let shown = shown.join("\n");
            room = room.saturating_sub(shown.len());
            found.matches.push(Match {
                context: context.name().to_owned(),
                line: index + 1,
                text: shown,
                offset,
            });
        }
    }
    Ok(found)
}

/// So much of a line as can be shown, with what is at byte `at`.
fn excerpt(line: &str, at: usize) -> String {
    let start = line.floor_char_boundary(match at < WIDTH / 2 {
        true => 0,
        false => at - WIDTH / 4,
    });
    let end = line.floor_char_boundary(start + WIDTH);
    let dots = |is_cut| if is_cut { "…" } else { "" };
    let (before, after) = (dots(start > 0), dots(end < line.len()));
    format!("{before}{}{after}", &line[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(pattern: &str) -> Wanted {
        Wanted {
            pattern: pattern.to_owned(),
            context: None,
            ignore_case: false,
            max_matches: None,
            around: 0,
        }
    }

    #[test]
    fn matches_are_told_with_their_place() {
        let contexts = [
            Context::text("a", "é one\ntwo\r\nthree two\n"),
            Context::bytes("b", *b"two"),
        ];
        let found = search(&contexts, &wanted("two"), 1000).expect("a pattern");
        assert_eq!(found.total, 2);
        let places: Vec<_> = found
            .matches
            .iter()
            .map(|one| (one.line, one.offset))
            .collect();
        assert_eq!(places, [(2, 6), (3, 17)]);
        assert_eq!(found.skipped, ["b"]);
        let long = Context::text(
            "long",
            format!("{}needle{}", "é".repeat(10_000), "x".repeat(10_000)),
        );
        let found = search(&[long], &wanted("needle"), 1000).expect("a pattern");
        assert_eq!(found.matches[0].offset, 10_000);
        let shown = &found.matches[0].text;
        assert!(
            shown.contains("éneedlex") && shown.len() < WIDTH + 10,
            "{shown}"
        );
        let mut few = wanted("o");
        (few.max_matches, few.around) = (Some(1), 1);
        let found = search(&contexts, &few, 1000).expect("a pattern");
        assert_eq!(
            (found.matches[0].text.as_str(), found.total, found.truncated),
            ("é one\ntwo", 3, true)
        );
    }

    #[test]
    fn mistakes_are_told() {
        let contexts = [Context::text("a", "x")];
        assert!(
            search(&contexts, &wanted("("), 10)
                .expect_err("no pattern")
                .contains("pattern")
        );
        assert!(search(&contexts, &wanted("(x{1000}){1000}"), 10).is_err());
        assert!(
            search(&[], &wanted("x"), 10)
                .expect_err("none")
                .contains("load_context")
        );
        let mut other = wanted("x");
        other.context = Some(String::from("b"));
        assert!(
            search(&contexts, &other, 10)
                .expect_err("none")
                .contains("there are: a")
        );
    }
}
