//! Follows a journal: gives what was answered, and compares the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::divergence::{Difference, Divergence, Place, Tolerance, difference};
use super::line::{CallLine, Line, Said};
use super::{Entry, Inner};
use crate::call::{Answer, Settled};
use crate::model::TokenUsage;
use crate::outcome::Stop;

/// A place in a journal, and what was found up to there.
#[derive(Debug)]
pub(crate) struct Player {
    pub(crate) journal: Arc<Inner>,
    /// The entry that comes next.
    at: usize,
    pub(crate) may_differ: Tolerance,
    /// Whether what comes after the end is recorded there.
    pub(crate) extends: bool,
    /// Answers that came and were not taken yet.
    answers: BTreeMap<u64, (Said, TokenUsage)>,
    pub(crate) divergence: Option<Divergence>,
    exec: Option<u64>,
    /// Calls that were repeated.
    pub(crate) calls: u64,
}

/// What comes next for a script that waits.
#[derive(Debug)]
pub(crate) enum Next {
    /// It goes on with these answers.
    Answers(Vec<Settled>),
    /// It is ended where it waits.
    Stop(Stop),
    /// It was dropped.
    GivenUp,
    /// The journal does not say; these answers had come.
    Unknown(Vec<Settled>),
    /// Somebody did something with the session meanwhile.
    Meanwhile(Line),
    /// A line is not what was recorded.
    Diverged,
}

impl Player {
    pub(crate) fn new(journal: &Arc<Inner>, may_differ: Tolerance) -> Self {
        let mut player = Self {
            journal: Arc::clone(journal),
            at: 0,
            may_differ,
            extends: false,
            answers: BTreeMap::new(),
            divergence: None,
            exec: None,
            calls: 0,
        };
        if let Some(header) = journal.entries.first() {
            player.distrusts(header);
        }
        player.at = 1;
        player
    }

    /// Whether this line means anything under the tolerance.
    fn matters(&self, line: &Line) -> bool {
        self.may_differ != Tolerance::AllButCalls
            || matches!(
                line,
                Line::Contexts { .. }
                    | Line::Set { .. }
                    | Line::Exec { .. }
                    | Line::Resume { .. }
                    | Line::Call(_)
                    | Line::Stop { .. }
                    | Line::GivenUp { .. }
            )
    }

    /// The next line that matters; answers on the way are kept. None at the
    /// end, and where a line is not what was recorded.
    pub(crate) fn peek(&mut self) -> Option<Line> {
        let journal = Arc::clone(&self.journal);
        loop {
            let entry = journal.entries.get(self.at)?;
            if self.distrusts(entry) {
                return None;
            }
            match entry.line.as_ref()? {
                Line::Answer {
                    ticket,
                    answer,
                    tokens,
                    ..
                } => {
                    let answer = (answer.clone(), tokens.unwrap_or_default());
                    self.answers.insert(*ticket, answer);
                }
                line if !self.matters(line) => {}
                line => return Some(line.clone()),
            }
            self.at += 1;
        }
    }

    /// Whether the journal says nothing more.
    pub(crate) fn is_at_end(&mut self) -> bool {
        matches!(self.peek(), None | Some(Line::End { .. })) && self.divergence.is_none()
    }

    /// Where the journal goes on that is played to its end: after the last
    /// entry before it says so.
    pub(crate) fn last(&self) -> Option<&Entry> {
        let entries = &self.journal.entries;
        let mut played = entries[..self.at.min(entries.len())].iter().rev();
        played.find(|entry| !matches!(entry.line, Some(Line::End { .. })))
    }

    /// Journals for tests may be edited, others may not.
    fn distrusts(&mut self, entry: &Entry) -> bool {
        let edits = self.may_differ == Tolerance::AllButCalls;
        let line = match (&entry.line, entry.altered) {
            (Some(_), false) => return false,
            (Some(_), true) if edits => return false,
            (line, _) => line.as_ref(),
        };
        let call = line.and_then(ticket);
        let asked = call.and_then(|ticket| self.journal.call(ticket));
        let what = match (line, asked) {
            (Some(line @ Line::Answer { .. }), Some(asked)) => {
                format!("{}, `{}`,", line.noun(), asked.name)
            }
            (Some(line), _) => line.noun(),
            (None, _) => String::from("a line that cannot be read"),
        };
        let exec = match line {
            Some(Line::Exec { number, .. }) => Some(*number),
            _ => self.exec,
        };
        self.exec = exec;
        self.diverge(
            Difference {
                what: format!("{what} was changed, or lines before it were dropped or swapped"),
                expected: String::from(
                    "the line as it was recorded, after the one it was recorded after",
                ),
                got: line.map_or_else(|| String::from("something else"), told),
                fuel: None,
            },
            call,
        );
        true
    }

    fn diverge(&mut self, difference: Difference, call: Option<u64>) {
        let Difference {
            what,
            expected,
            got,
            fuel,
        } = difference;
        self.divergence.get_or_insert(Divergence {
            line: self.at + 1,
            exec: self.exec,
            call,
            what,
            expected,
            got,
            fuel,
            place: None,
        });
    }

    /// Goes past the next line, which should be this one. Says whether it is.
    pub(crate) fn expect(&mut self, got: &Line) -> bool {
        if self.divergence.is_some() {
            return false;
        }
        // Answers are given, not compared.
        if !self.matters(got) || matches!(got, Line::Answer { .. }) {
            return true;
        }
        let Some(expected) = self.peek() else {
            self.diverge(
                Difference {
                    what: String::from("the journal says nothing more"),
                    expected: String::from("nothing"),
                    got: told(got),
                    fuel: None,
                },
                ticket(got),
            );
            return false;
        };
        if let Line::Exec { number, .. } = &expected {
            self.exec = Some(*number);
        }
        if let Some(mut difference) = difference(&expected, got, self.may_differ) {
            if difference.expected == expected.noun() {
                (difference.expected, difference.got) = (told(&expected), told(got));
            }
            let call = ticket(&expected).or(ticket(got));
            self.diverge(difference, call);
            return false;
        }
        self.at += 1;
        true
    }

    /// What a call was told at once, if this is the call that comes next.
    pub(crate) fn reply(&mut self, asked: CallLine) -> Option<(Said, bool)> {
        let Some(Line::Call(recorded)) = self.peek() else {
            self.expect(&Line::Call(Box::new(asked)));
            return None;
        };
        let (reply, refused) = (recorded.reply.clone(), recorded.refused);
        let asked = CallLine {
            reply: reply.clone(),
            refused,
            ..asked
        };
        self.expect(&Line::Call(Box::new(asked))).then(|| {
            self.calls += 1;
            (reply, refused)
        })
    }

    /// Why the script is to be ended at this read of the clock, if it is.
    pub(crate) fn stop_at(&mut self, read: u64) -> Option<Stop> {
        match self.peek() {
            Some(Line::Stop { why, read: at, .. }) if at.0 == read => Some(why),
            _ => None,
        }
    }

    /// What comes next for a script that waits.
    pub(crate) fn next(&mut self) -> Next {
        let next = self.peek();
        if self.divergence.is_some() {
            return Next::Diverged;
        }
        match next {
            Some(Line::Resume {
                stop: Some(stop), ..
            }) if self.is_whole() => Next::Stop(stop),
            Some(Line::Resume { tickets, .. }) if self.is_whole() || self.extends => {
                self.take(&tickets)
            }
            Some(line @ (Line::TimeLimit { .. } | Line::Base { asked: true, .. })) => {
                Next::Meanwhile(line)
            }
            Some(Line::GivenUp { inside: false }) => {
                self.at += 1;
                Next::GivenUp
            }
            Some(Line::Resume { tickets, .. }) => match self.take(&tickets) {
                Next::Answers(answers) => Next::Unknown(answers),
                next => next,
            },
            _ => {
                let came: Vec<u64> = self.answers.keys().copied().collect();
                match self.take(&came) {
                    Next::Answers(answers) => Next::Unknown(answers),
                    next => next,
                }
            }
        }
    }

    /// Answers that nobody took, where there is nothing after them.
    pub(crate) fn left(&mut self) -> Vec<Settled> {
        let came: Vec<u64> = self.answers.keys().copied().collect();
        match self.take(&came) {
            Next::Answers(settled) => settled,
            _ => Vec::new(),
        }
    }

    fn take(&mut self, tickets: &[u64]) -> Next {
        let mut settled = Vec::new();
        for &ticket in tickets {
            let answer = self.answers.remove(&ticket);
            let read = answer.and_then(|(said, tokens)| Some((said.answer()?, tokens)));
            let Some((answer, tokens)) = read else {
                self.diverge(
                    Difference {
                        what: format!("call {ticket} has no answer"),
                        expected: String::from("an answer before the script goes on"),
                        got: String::from("none, or one that is redacted or nests too deeply"),
                        fuel: None,
                    },
                    Some(ticket),
                );
                return Next::Diverged;
            };
            settled.push(Settled::told(ticket, answer, tokens));
        }
        Next::Answers(settled)
    }

    /// The answer that a call got, for a loop that asks for it.
    pub(crate) fn answer_to(&self, ticket: u64) -> Option<Answer> {
        let rest = self.journal.entries.get(self.at..)?;
        let later = rest.iter().find_map(|entry| match &entry.line {
            Some(Line::Answer {
                ticket: of, answer, ..
            }) if *of == ticket => Some(answer),
            _ => None,
        });
        let kept = self.answers.get(&ticket).map(|(said, _)| said);
        kept.or(later)?.answer()
    }

    /// Whether the turn that begins at the next line is all there.
    pub(crate) fn is_whole(&self) -> bool {
        let rest = self.journal.entries.iter().skip(self.at + 1);
        for entry in rest {
            match &entry.line {
                Some(Line::Suspended { .. } | Line::Outcome(_) | Line::GivenUp { .. })
                | Some(Line::Returned { .. } | Line::Failed { .. }) => return true,
                Some(_) => {}
                None => return true,
            }
        }
        false
    }

    /// How many lines are behind it.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Goes past the exec that comes next. Gives its calls, and the fuel of
    /// everything up to its end.
    pub(crate) fn skip_exec(&mut self) -> (Vec<CallLine>, Option<u64>) {
        let (mut calls, mut fuel) = (Vec::new(), None);
        while let Some(entry) = self.journal.entries.get(self.at) {
            self.at += 1;
            match &entry.line {
                Some(Line::Exec { number, .. }) => self.exec = Some(*number),
                Some(Line::Call(call)) => calls.push(call.as_ref().clone()),
                Some(Line::Suspended { total, .. }) => fuel = Some(total.0),
                Some(Line::Outcome(outcome)) => {
                    fuel = Some(outcome.total.0);
                    break;
                }
                Some(Line::GivenUp { .. }) => break,
                _ => {}
            }
        }
        self.answers.clear();
        (calls, fuel)
    }

    /// Goes past what is no script and came to nothing that could be repeated,
    /// if that is what comes next.
    pub(crate) fn is_void(&mut self) -> bool {
        let next = self.journal.entries.get(self.at + 1);
        let is_void = matches!(
            next.map(|entry| &entry.line),
            Some(Some(
                Line::Failed { killed: true, .. } | Line::GivenUp { .. }
            ))
        );
        if is_void {
            self.at += 2;
        }
        is_void
    }

    /// Why the exec that comes next cannot be repeated, if that is so.
    pub(crate) fn obstacle(&self) -> Option<&'static str> {
        let mut rest = self.journal.entries.iter().skip(self.at);
        rest.find_map(|entry| match &entry.line {
            Some(Line::Outcome(outcome)) if outcome.killed => Some(Some(
                "it was killed between two checkpoints, because it did not end within its grace",
            )),
            Some(Line::GivenUp { inside: true }) => Some(Some(
                "it was dropped while it ran, which left nothing to compare",
            )),
            Some(Line::Outcome(_) | Line::GivenUp { .. }) | None => Some(None),
            Some(_) => None,
        })?
    }

    /// Says where the script was, if that is not known yet.
    pub(crate) fn place(&mut self, place: Place) {
        if let Some(divergence) = &mut self.divergence {
            divergence.place.get_or_insert(place);
        }
    }
}

fn ticket(line: &Line) -> Option<u64> {
    match line {
        Line::Call(call) => Some(call.ticket),
        Line::Answer { ticket, .. } => Some(*ticket),
        _ => None,
    }
}

/// What a line says, for people.
fn told(line: &Line) -> String {
    match line {
        Line::Call(call) => {
            let arguments = call.arguments.as_deref().unwrap_or("…");
            format!("{}{arguments}", call.name)
        }
        Line::Exec { source, .. } => source.clone(),
        Line::Outcome(outcome) => {
            let shown = outcome.shown.as_deref().unwrap_or_default();
            format!("{} {shown}", line.noun())
        }
        Line::Answer {
            answer: Said::Returned(json),
            ..
        } => json.clone(),
        _ => line.noun(),
    }
}
