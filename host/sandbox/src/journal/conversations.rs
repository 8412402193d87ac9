//! Conversations that the scripts of a run read with `history`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::line::{Line, Said};
use super::{Inner, Journal};
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// Conversations by their numbers, as JSON.
pub(crate) type Histories = Arc<Vec<Arc<str>>>;

/// An answer to a call of `history`: the execution, the number of the conversation, and its JSON.
type Reply<'a> = (u64, usize, &'a str);

impl Journal {
    /// Returns the conversations of the execution `exec`, and of each later one where they differ, by the number of the
    /// execution. A conversation that an execution did not read is the one that was read last before, or else first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Journal`] if they take more than so many bytes together.
    pub(crate) fn histories(
        &self,
        exec: u64,
        most_bytes: usize,
    ) -> Result<BTreeMap<u64, Histories>> {
        let mut replies = Vec::new();
        self.inner.history_replies(u64::MAX, &mut replies);
        let (before, rest) = replies.split_at(replies.partition_point(|(at, ..)| *at < exec));
        let mut now: BTreeMap<usize, &str> = BTreeMap::new();
        for (_, number, json) in rest.iter().rev() {
            // The first of them, which the next loop may find out of date.
            now.insert(*number, json);
        }
        let of_exec = rest.partition_point(|(at, ..)| *at == exec);
        let here = rest[..of_exec].iter().map(|(_, number, _)| *number);
        let here: BTreeSet<usize> = here.collect();
        for (_, number, json) in before {
            if !here.contains(number) {
                now.insert(*number, json);
            }
        }
        let mut left = most_bytes;
        let mut take = |bytes: usize| match left.checked_sub(bytes) {
            Some(rest) => {
                left = rest;
                Ok(())
            }
            None => Err(Error::new(
                ErrorKind::Journal,
                format!(
                    "the conversations of {} take more than {most_bytes} bytes; give them with `history`",
                    self.path().display()
                ),
            )),
        };
        let nothing: Arc<str> = Arc::from("null");
        let length = now.keys().next_back().map_or(0, |last| last + 1);
        let mut texts = vec![nothing; length];
        take(length * size_of::<Arc<str>>())?;
        for (number, json) in now {
            take(json.len())?;
            texts[number] = Arc::from(json);
        }
        let mut histories = BTreeMap::from([(exec, Arc::new(texts.clone()))]);
        for of_one in rest[of_exec..].chunk_by(|(one, ..), (other, ..)| one == other) {
            let mut is_changed = false;
            for (_, number, json) in of_one {
                if *texts[*number] != **json {
                    take(json.len())?;
                    texts[*number] = Arc::from(*json);
                    is_changed = true;
                }
            }
            if let (true, Some((at, ..))) = (is_changed, of_one.first()) {
                take(length * size_of::<Arc<str>>())?;
                histories.insert(*at, Arc::new(texts.clone()));
            }
        }
        Ok(histories)
    }
}

impl Inner {
    /// Adds the replies to `history` in the first lines, after those of the recordings that it branches from. Of each number the
    /// first reply of an execution counts.
    fn history_replies<'a>(&'a self, lines: u64, to: &mut Vec<Reply<'a>>) {
        if let (Some(parent), Some(branch_of)) = (&self.parent, &self.header.branch_of) {
            parent.history_replies(branch_of.lines, to);
        }
        let lines = usize::try_from(lines).unwrap_or(usize::MAX);
        let (mut exec, mut seen) = (0, BTreeSet::new());
        for line in self.entries.iter().take(lines).map(|entry| &entry.line) {
            let call = match line {
                // Executions have numbers that rise; others are no part of the run.
                Some(Line::Exec { number, .. }) if *number >= exec => {
                    if *number > exec {
                        seen.clear();
                    }
                    exec = *number;
                    continue;
                }
                Some(Line::Call(call)) if call.name == "history" => call,
                _ => continue,
            };
            let number = history_number(call.arguments.as_deref().unwrap_or_default());
            if let (Some(number), Said::Returned(json)) = (number, &call.reply)
                && call.reply.is_readable()
                && seen.insert(number)
            {
                to.push((exec, number, json));
            }
        }
    }
}

/// Returns the number of the conversation that a call of `history` asked for.
fn history_number(arguments: &str) -> Option<usize> {
    const HISTORIES: usize = 1000;
    let digits = arguments.strip_prefix("{\"args\":[")?;
    let digits = &digits[..digits.find(']')?];
    digits.parse().ok().filter(|number| *number < HISTORIES)
}
