//! What cannot be repeated, and what is left of it.

use std::sync::Arc;
use std::time::Duration;

use super::Player;
use crate::journal::divergence::Difference;
use crate::journal::line::{CallLine, Count, Line};

/// What is left of an entry that was not repeated.
#[derive(Debug, Default)]
pub(crate) struct Skipped {
    pub(crate) calls: Vec<CallLine>,
    pub(crate) total: Option<u64>,
    /// The time limit that somebody set, and the fuel that it comes to.
    pub(crate) time: Option<(Duration, Option<Count>)>,
}

impl Player {
    /// Returns whether the turn that begins at the next line is all there.
    pub(crate) fn is_whole(&self) -> bool {
        self.journal.places.ends_turn_from(self.at + 1)
    }

    /// Finds what cannot stand behind the turn that begins at the next line, which has no end: its process died in it.
    pub(crate) fn refuse_behind_turn(&mut self) {
        let journal = Arc::clone(&self.journal);
        for (at, entry) in journal.entries.iter().enumerate().skip(self.at + 1) {
            if let Some(
                line @ (Line::Exec { .. }
                | Line::Contexts { .. }
                | Line::Set { .. }
                | Line::Get { .. }
                | Line::Variables { .. }
                | Line::Resume { .. }
                | Line::End { .. }),
            ) = &entry.line
            {
                let difference = Difference {
                    what: format!(
                        "{} stands behind an execution or inspection without an end",
                        line.noun()
                    ),
                    expected: String::from("its end"),
                    got: String::from("another line"),
                    fuel: None,
                };
                return self.diverge_at(at, difference, None);
            }
        }
    }

    /// Returns whether the turn that it is in is all there.
    pub(crate) fn has_end_of_turn(&self) -> bool {
        self.journal.places.ends_turn_from(self.at)
    }

    /// Goes past the entry that comes next, to its end. Gives what it left
    /// behind: its calls, the fuel so far, the time limit that somebody set.
    pub(crate) fn skip(&mut self) -> Skipped {
        let journal = Arc::clone(&self.journal);
        let mut skipped = Skipped::default();
        self.left_out += 1;
        while let Some(entry) = journal.entries.get(self.at) {
            if self.distrusts(self.at, entry) {
                break;
            }
            self.at += 1;
            match &entry.line {
                Some(Line::Exec { number, .. }) => self.exec = Some(*number),
                Some(Line::Call(call)) => skipped.calls.push(call.as_ref().clone()),
                Some(Line::TimeLimit { time, fuel }) => skipped.time = Some((*time, *fuel)),
                Some(Line::Suspended { total, .. }) => skipped.total = Some(total.0),
                Some(Line::Outcome(outcome)) => {
                    skipped.total = Some(outcome.total.0);
                    break;
                }
                Some(Line::GivenUp { .. } | Line::Failed { .. }) => break,
                _ => {}
            }
        }
        self.answers.clear();
        self.told.clear();
        skipped
    }

    /// Why what comes next cannot be repeated, if that is so. Lines that were
    /// changed say nothing. Only a script makes calls and waits: where a look or a
    /// variable seems to have done so, lines were put between.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        const KILLED: &str =
            "it was killed between two checkpoints, because it did not end within its grace";
        const BROKEN_OFF: &str = "it was broken off while it ran, which left nothing to compare";
        let rest = self.journal.entries.iter().skip(self.at);
        let mut is_script = true;
        for (index, entry) in rest.take_while(|entry| !entry.altered).enumerate() {
            let line = entry.line.as_ref()?;
            if index == 0 {
                is_script = !matches!(
                    line,
                    Line::Get { .. }
                        | Line::Variables { .. }
                        | Line::Set { .. }
                        | Line::Contexts { .. }
                );
            } else if matches!(line, Line::Exec { .. }) || !is_script && !line.may_end_a_look() {
                return None;
            }
            match line {
                Line::Outcome(outcome) => return outcome.killed.then_some(KILLED),
                Line::Failed { killed, .. } => return killed.then_some(KILLED),
                Line::GivenUp { inside } => return inside.then_some(BROKEN_OFF),
                Line::Returned { .. } => return None,
                _ => {}
            }
        }
        None
    }
}
