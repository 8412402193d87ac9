//! Looking for a pattern in contexts, without Python.
//!
//! A search takes memory for its result alone. It goes through a context line by line, through
//! long lines piece by piece, and looks at its deadline between these.

mod lines;
mod pattern;
mod stop;

use rlm_sandbox::Context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resource::byte_at;
use super::shown::Room;
use lines::Lines;
use pattern::{Pattern, Searched};
pub(super) use stop::Stop;
use stop::Why;

/// The most matches that are shown.
const MOST: usize = 200;
/// Lines that are shown on each side of a match, at the most.
const AROUND: usize = 20;
/// Contexts that are named as skipped or left.
const NAMED: usize = 100;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// A regular expression, matched within lines.
    pub(super) pattern: String,
    /// The context to search. Default: all of them.
    #[serde(default, alias = "name")]
    pub(super) context: Option<String>,
    /// Where in `context` to begin, in characters, as `next` of an earlier search says. Default: 0.
    #[serde(default)]
    pub(super) start: usize,
    /// True if upper and lower case are the same.
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
    /// True if some are not shown: `note` says where the next one is.
    truncated: bool,
    /// Contexts that are no text, which were not searched.
    skipped: Vec<String>,
    /// Where the search ran out of time: search again with this context and start. Null if it is complete.
    next: Option<Next>,
    /// Contexts that come after `next`; search each of them, too.
    left: Vec<String>,
    /// What may be missing, and why.
    note: Option<String>,
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

/// The place at which a search goes on.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Next {
    context: String,
    /// In characters.
    start: usize,
    /// The number of its line, from 1.
    line: usize,
}

/// Looks through `contexts` until `stop`; shows no more than `room` characters.
///
/// # Errors
///
/// A text for the model: the pattern cannot be used, there is no such context, or the search
/// was canceled.
pub(super) fn search(
    contexts: &[Context],
    wanted: &Wanted,
    room: usize,
    stop: Stop,
) -> Result<Found, String> {
    let pattern = Pattern::new(&wanted.pattern, wanted.ignore_case)?;
    let is_wanted = |context: &&Context| {
        wanted
            .context
            .as_deref()
            .is_none_or(|name| name == context.name())
    };
    let mut searched = contexts.iter().filter(is_wanted).peekable();
    if searched.peek().is_none() {
        return Err(match &wanted.context {
            Some(name) if !contexts.is_empty() => {
                let mut names = Names::new(room.max(400));
                contexts.iter().for_each(|context| names.add(context));
                let name: String = name.chars().take(room / 2).collect();
                format!(
                    "no context is named `{name}`; there are: {}",
                    names.names.join(", ")
                )
            }
            _ => String::from("there are no contexts; load one with load_context"),
        });
    }
    if wanted.start > 0 && wanted.context.is_none() {
        return Err(String::from("give the `context` that `start` is in"));
    }
    let mut search = Search {
        pattern,
        stop,
        room,
        most: wanted.max_matches.unwrap_or(20).min(MOST),
        around: wanted.around.min(AROUND),
        found: Found::default(),
    };
    let (mut skipped, mut left) = (Names::new(room), Names::new(room));
    while let Some(context) = searched.next() {
        let Some(text) = context.as_text() else {
            if wanted.context.is_some() {
                return Err(format!(
                    "context `{}` is no text; look through it with exec_python",
                    context.name()
                ));
            }
            skipped.add(context);
            continue;
        };
        if let Some(next) = search.through(context.name(), text, wanted.start)? {
            search.found.next = Some(next);
            for context in searched {
                left.add(context);
            }
            break;
        }
    }
    search.found.skipped = skipped.names;
    search.found.left = left.names;
    Ok(search.found)
}

/// Names of contexts, as many as fit; `…` stands for the others.
struct Names {
    names: Vec<String>,
    room: Room,
    is_full: bool,
}

impl Names {
    /// An empty list, of a quarter of the characters of a result.
    fn new(characters: usize) -> Self {
        Self {
            names: Vec::new(),
            room: Room::new(characters / 4),
            is_full: false,
        }
    }

    fn add(&mut self, context: &Context) {
        if self.is_full {
            return;
        }
        self.is_full = self.names.len() >= NAMED || !self.room.take(&[context.name()]);
        self.names.push(match self.is_full {
            true => String::from("…"),
            false => context.name().to_owned(),
        });
    }
}

/// A search under way.
struct Search {
    pattern: Pattern,
    stop: Stop,
    /// Characters that may still be shown.
    room: usize,
    most: usize,
    around: usize,
    found: Found,
}

impl Search {
    /// Looks through one text from a character on. Returns where it stopped, if it did not come
    /// to the end.
    fn through(&mut self, name: &str, text: &str, start: usize) -> Result<Option<Next>, String> {
        let start_byte = byte_at(text, start);
        if start_byte == text.len() {
            return Ok(None);
        }
        let mut place = Place {
            text,
            byte: start_byte,
            characters: start,
        };
        let mut lines = Lines::new(text, start_byte, self.around);
        while let Some(range) = lines.next() {
            let line = &text[range.clone()];
            if line.len() > self.pattern.piece() && self.found.note.is_none() {
                self.found.note = Some(format!(
                    "line {} of `{}` is long, and was searched in pieces: in lines of more than {} bytes a match of \
                     more than {} bytes may be missing",
                    lines.number(),
                    beginning(name),
                    self.pattern.piece(),
                    self.pattern.overlap()
                ));
            }
            // The first line may begin before the start, or end before it with its `\r`.
            let mut from = start_byte.saturating_sub(range.start).min(line.len());
            let at = loop {
                match self.stop.check(self.pattern.work(line.len() - from)) {
                    None => {}
                    Some(Why::Canceled) => return Err(String::from("canceled")),
                    Some(Why::Deadline) => {
                        return Ok(Some(Next {
                            context: name.to_owned(),
                            start: place.go_to(range.start + from),
                            line: lines.number(),
                        }));
                    }
                }
                match self.pattern.search(line, from) {
                    Searched::Found(at) => break Some(at),
                    Searched::More(next) => from = next,
                    Searched::Nothing => break None,
                }
            };
            let Some(at) = at else { continue };
            self.found.total += 1;
            // One is shown however long the name of its context is.
            let has_no_room =
                self.room == 0 || (name.len() > self.room && !self.found.matches.is_empty());
            if self.found.matches.len() >= self.most || has_no_room {
                if !self.found.truncated && self.found.note.is_none() {
                    self.found.note = Some(format!(
                        "the next match is in `{}`: for more, search it again with start {}, or raise max_matches",
                        beginning(name),
                        place.go_to(range.start)
                    ));
                }
                self.found.truncated = true;
                continue;
            }
            let shown = lines.shown(at);
            self.room = self.room.saturating_sub(shown.len() + name.len());
            self.found.matches.push(Match {
                context: name.to_owned(),
                line: lines.number(),
                text: shown,
                offset: place.go_to(range.start + at),
            });
        }
        Ok(None)
    }
}

/// Returns as much of the name of a context as a note shows.
fn beginning(name: &str) -> &str {
    const SHOWN_BYTES: usize = 100;
    &name[..name.floor_char_boundary(SHOWN_BYTES)]
}

/// A place in a text, in bytes and in characters, that only moves on.
struct Place<'t> {
    text: &'t str,
    byte: usize,
    characters: usize,
}

impl Place<'_> {
    /// Moves to a byte and returns its characters.
    fn go_to(&mut self, byte: usize) -> usize {
        if let Some(between) = self.text.get(self.byte..byte) {
            self.characters += between.chars().count();
            self.byte = byte;
        }
        self.characters
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::lines::WIDTH;
    use super::*;

    fn wanted(pattern: &str) -> Wanted {
        Wanted {
            pattern: pattern.to_owned(),
            context: None,
            start: 0,
            ignore_case: false,
            max_matches: None,
            around: 0,
        }
    }

    /// A search that has time.
    fn search(contexts: &[Context], wanted: &Wanted, room: usize) -> Result<Found, String> {
        let stop = Stop::new(Duration::from_secs(3600), Vec::new());
        super::search(contexts, wanted, room, stop)
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

    #[test]
    fn a_search_that_runs_out_of_time_goes_on_where_it_stopped() {
        // Lines of all kinds, among them one that is searched in many pieces.
        let mut text = String::new();
        for number in 0..300 {
            text.push_str(&format!("ü {number} é\r\n"));
            if number == 150 {
                text.push_str(&"é ".repeat(3 << 20));
                text.push_str("17 é\n\n");
            }
        }
        let contexts = [
            Context::text("a", text),
            Context::bytes("b", *b"17"),
            Context::text("c", "17 é\nx"),
        ];
        let pattern = wanted("17[0-9]? é$");
        let whole = search(&contexts, &pattern, 100_000).expect("a pattern");
        assert_eq!((whole.total, &whole.next), (15, &None));
        let note = whole.note.as_deref().expect("a long line");
        assert!(note.contains("line 152 of `a`"), "{note}");

        let (mut found, mut searches) = (Vec::new(), 0);
        let mut todo = vec![(None, 0)];
        while let Some((context, start)) = todo.pop() {
            searches += 1;
            let mut next = wanted(&pattern.pattern);
            (next.context, next.start) = (context, start);
            // No time at all: each search does the least that it may do.
            let stop = Stop::new(Duration::ZERO, Vec::new());
            let part = super::search(&contexts, &next, 100_000, stop).expect("a pattern");
            for left in part.left.into_iter().rev().filter(|name| name != "b") {
                todo.push((Some(left), 0));
            }
            found.extend(part.matches);
            if let Some(next) = part.next {
                assert!(next.context != "a" || next.start > start, "{next:?}");
                todo.push((Some(next.context), next.start));
            }
        }
        assert!(searches > 5, "{searches}");
        let told = |one: &Match| (one.context.clone(), one.line, one.offset, one.text.clone());
        assert_eq!(
            found.iter().map(told).collect::<Vec<_>>(),
            whole.matches.iter().map(told).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_search_of_one_long_line_is_canceled_in_the_middle() {
        let flag = Arc::<AtomicBool>::default();
        let stop = Stop::new(Duration::from_secs(3600), vec![Arc::clone(&flag)]);
        // Hours of work, if nothing ended it.
        let contexts = [Context::text("a", "a".repeat(64 << 20))];
        let searching =
            std::thread::spawn(move || super::search(&contexts, &wanted(".*a.{500}c"), 1000, stop));
        std::thread::sleep(Duration::from_millis(50));
        assert!(!searching.is_finished());
        flag.store(true, Ordering::Relaxed);
        let ended = searching.join().expect("no panic");
        assert_eq!(ended.expect_err("canceled"), "canceled");
    }

    #[test]
    fn a_place_to_begin_needs_its_context() {
        let contexts = [Context::text("a", "one\ntwo\none")];
        let mut later = wanted("one");
        later.start = 1;
        assert!(
            search(&contexts, &later, 100)
                .expect_err("which")
                .contains("`context`")
        );
        later.context = Some(String::from("a"));
        let found = search(&contexts, &later, 100).expect("a pattern");
        let places: Vec<_> = found
            .matches
            .iter()
            .map(|one| (one.line, one.offset))
            .collect();
        assert_eq!(places, [(3, 8)]);
        later.start = 1000;
        assert_eq!(search(&contexts, &later, 100).expect("a pattern").total, 0);
    }
}
