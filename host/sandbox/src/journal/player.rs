//! Follows a journal: gives what was answered, and compares the rest.

mod skipping;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value as Json;

pub(crate) use skipping::Skipped;

use super::divergence::{Difference, Divergence, Place, Tolerance, difference};
use super::line::{CallLine, Line, Said};
use super::{Entry, Inner};
use crate::call::{Answer, Settled};
use crate::cost::{Cost, Told};
use crate::outcome::Stop;

/// A place in a journal, and what was found up to there.
#[derive(Debug)]
pub(crate) struct Player {
    pub(crate) journal: Arc<Inner>,
    /// The entry that comes next.
    at: usize,
    /// The entry up to which lines were passed over in search of the next one that matters:
    /// none between `at` and this one does. Each line is searched once, however often the
    /// guest reads the clock.
    searched: usize,
    pub(crate) may_differ: Tolerance,
    /// True if what comes after the end is recorded there. It belongs to a cassette then.
    pub(crate) extends: bool,
    /// Answers that came and were not taken yet.
    answers: BTreeMap<u64, (Said, Cost)>,
    /// Answers of models to plugins whose calls have no answer yet, by ticket, with the places in
    /// the journal.
    told: BTreeMap<u64, Vec<(usize, Told)>>,
    /// Tickets of calls that the session had made when the journal began.
    carried: BTreeSet<u64>,
    pub(crate) divergence: Option<Divergence>,
    exec: Option<u64>,
    /// Calls that were repeated.
    pub(crate) calls: u64,
    /// Entries that were left out, because nothing can repeat them.
    pub(crate) left_out: u64,
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
    /// Returns the number of the exec that it has come to, if it has come to one.
    pub(crate) fn exec(&self) -> Option<u64> {
        self.exec
    }

    pub(crate) fn new(journal: &Arc<Inner>, may_differ: Tolerance) -> Self {
        let mut player = Self {
            journal: Arc::clone(journal),
            at: 0,
            searched: 0,
            may_differ,
            extends: false,
            answers: BTreeMap::new(),
            told: BTreeMap::new(),
            carried: BTreeSet::new(),
            divergence: None,
            exec: None,
            calls: 0,
            left_out: 0,
        };
        if let Some(header) = journal.entries.first() {
            player.distrusts(0, header);
        }
        player.at = 1;
        player
    }

    /// Returns whether this line means anything under the tolerance.
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

    /// Goes to the next line that matters; answers on the way are kept. None at
    /// the end, and where a line is not what was recorded.
    pub(crate) fn peek(&mut self) -> Option<Line> {
        let next = self.ahead();
        self.go_to(next);
        self.look().cloned()
    }

    /// The next line that matters, from where it is.
    fn look(&mut self) -> Option<&Line> {
        let next = self.ahead();
        if self.divergence.is_some() {
            return None;
        }
        self.journal.entries.get(next)?.line.as_ref()
    }

    /// Where the next line stands that matters, or that is not what was recorded.
    fn ahead(&mut self) -> usize {
        let journal = Arc::clone(&self.journal);
        let mut next = self.at.max(self.searched);
        while let Some(entry) = journal.entries.get(next) {
            match &entry.line {
                _ if self.distrusts(next, entry) => break,
                Some(line) if self.is_unasked(next, line) => break,
                Some(Line::Answer { .. } | Line::Told { .. }) => {}
                Some(line) if !self.matters(line) => {}
                _ => break,
            }
            next += 1;
        }
        self.searched = next;
        next
    }

    fn go_to(&mut self, next: usize) {
        let journal = Arc::clone(&self.journal);
        let passed = self.at.min(next)..next;
        for (place, entry) in passed.clone().zip(&journal.entries[passed]) {
            match &entry.line {
                Some(Line::Answer {
                    ticket,
                    answer,
                    tokens,
                    charge,
                    ..
                }) => {
                    let cost = Cost::noted(*tokens, charge.as_ref());
                    self.answers.insert(*ticket, (answer.clone(), cost));
                    self.told.remove(ticket);
                }
                Some(Line::Told {
                    ticket,
                    number,
                    prompt,
                    answer,
                    tokens,
                    ..
                }) => {
                    let answer = match answer.answer() {
                        Some(Answer::Returned(Json::String(text))) => Ok(text),
                        Some(Answer::Raised(exception)) => Err(exception.message),
                        // One that is hidden is asked for again.
                        _ => continue,
                    };
                    let told = Told {
                        ticket: *ticket,
                        number: *number,
                        prompt: prompt.clone(),
                        answer,
                        tokens: tokens.unwrap_or_default(),
                        is_noted: true,
                    };
                    self.told.entry(*ticket).or_default().push((place, told));
                }
                _ => {}
            }
        }
        self.at = next;
    }

    /// Goes past a line that means nothing under the tolerance. Returns whether it means nothing.
    pub(crate) fn passes(&mut self, line: &Line) -> bool {
        if self.matters(line) {
            return false;
        }
        let next = self.journal.entries.get(self.at);
        if let Some(next) = next.and_then(|entry| entry.line.as_ref())
            && std::mem::discriminant(next) == std::mem::discriminant(line)
        {
            self.go_to(self.at + 1);
        }
        true
    }

    /// Compares the header of the session that follows it. Which session it was, and its seed and
    /// clock, are not compared.
    pub(crate) fn begin(&mut self, header: &Line) {
        let journal = Arc::clone(&self.journal);
        let recorded = journal
            .entries
            .first()
            .and_then(|entry| entry.line.as_ref());
        let difference = match recorded {
            Some(recorded) => difference(recorded, header, self.may_differ),
            None => Some(Difference::unreadable()),
        };
        if let Some(difference) = difference {
            self.diverge_at(0, difference, None);
        }
    }

    /// Returns whether the journal has a new base next that counting does not give.
    pub(crate) fn has_base_next(&mut self) -> bool {
        matches!(self.look(), Some(Line::Base { asked: true, .. }))
    }

    /// Returns whether it answers for a test, in which scripts may be canceled.
    pub(crate) fn is_cassette(&self) -> bool {
        self.extends || self.may_differ == Tolerance::AllButCalls
    }

    /// Returns whether the session gets a new base now that was not asked for: where the journal has one next, and if one is due
    /// by what the session counted, behind the end of a journal that is gone on with. When a base is written depends on how
    /// memories are made, which is no part of what is compared.
    pub(crate) fn rebases(&mut self, is_due: bool) -> bool {
        if self.may_differ == Tolerance::AllButCalls {
            return is_due;
        }
        match self.look() {
            // It could not be written.
            Some(Line::Base {
                asked: false,
                bytes: 0,
                ..
            }) => {
                self.peek();
                self.at += 1;
                false
            }
            Some(Line::Base { asked: false, .. }) => true,
            _ => is_due && self.extends && self.is_at_end(),
        }
    }

    /// Returns whether the journal says nothing more.
    pub(crate) fn is_at_end(&mut self) -> bool {
        matches!(self.look(), None | Some(Line::End { .. })) && self.divergence.is_none()
    }

    /// Returns where the journal goes on that is played to its end: the last entry before it says so, and its number, from 1.
    pub(crate) fn last(&self) -> Option<(u64, &Entry)> {
        let entries = &self.journal.entries;
        let played = &entries[..self.at.min(entries.len())];
        let is_last = |entry: &Entry| !matches!(entry.line, Some(Line::End { .. }));
        let at = played.iter().rposition(is_last)?;
        Some((at as u64 + 1, &played[at]))
    }

    /// Journals for tests may be edited, others may not.
    fn distrusts(&mut self, at: usize, entry: &Entry) -> bool {
        let edits = self.may_differ == Tolerance::AllButCalls;
        let line = match (&entry.line, entry.altered, entry.contradicts) {
            (Some(_), false, None) => return false,
            (Some(_), _, _) if edits => return false,
            (line, _, _) => line.as_ref(),
        };
        let call = line.and_then(Line::ticket);
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
        if let Some(why) = entry.contradicts {
            let difference = Difference {
                what: format!("{what} contradicts itself or the lines before it: {why}"),
                expected: String::from("a line as it was recorded"),
                got: line.map_or_else(String::new, told),
                fuel: None,
            };
            self.diverge_at(at, difference, call);
            return true;
        }
        self.diverge_at(
            at,
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

    /// Diverges at an answer to a call that no script has made before: nothing takes it, and
    /// nothing would compare it. Journals for tests may be edited.
    fn is_unasked(&mut self, at: usize, line: &Line) -> bool {
        let (Line::Answer { ticket, .. } | Line::Told { ticket, .. }) = line else {
            return false;
        };
        let is_asked = self.may_differ == Tolerance::AllButCalls
            || self.carried.contains(ticket)
            || self.journal.places.is_asked_before(*ticket, at);
        if !is_asked {
            self.diverge_at(
                at,
                Difference {
                    what: format!("{}, which no script has asked for", line.noun()),
                    expected: String::from("the call before its answer"),
                    got: told(line),
                    fuel: None,
                },
                Some(*ticket),
            );
        }
        !is_asked
    }

    fn diverge(&mut self, difference: Difference, call: Option<u64>) {
        self.diverge_at(self.at, difference, call);
    }

    pub(crate) fn diverge_at(&mut self, at: usize, difference: Difference, call: Option<u64>) {
        let divergence = difference.at(at, self.exec, call);
        self.divergence.get_or_insert(divergence);
    }

    /// Goes past the next line, which should be this one. Says whether it is.
    pub(crate) fn expect(&mut self, got: &Line) -> bool {
        if self.divergence.is_some() {
            return false;
        }
        // Answers are given, not compared.
        if matches!(got, Line::Answer { .. } | Line::Told { .. }) {
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
                got.ticket(),
            );
            return false;
        };
        if let Line::Exec { number, .. } = &expected {
            self.exec = Some(*number);
            let obstacle = match self.is_cassette() {
                true => self.obstacle(),
                false => None,
            };
            if let Some(why) = obstacle {
                self.diverge(
                    Difference {
                        what: String::from("an exec that nothing can repeat"),
                        expected: why.to_owned(),
                        got: told(got),
                        fuel: None,
                    },
                    None,
                );
                return false;
            }
        }
        if let Some(mut difference) = difference(&expected, got, self.may_differ) {
            if difference.expected == expected.noun() {
                (difference.expected, difference.got) = (told(&expected), told(got));
            }
            let call = expected.ticket().or(got.ticket());
            self.diverge(difference, call);
            return false;
        }
        if let Line::Resume { tickets, .. } = got {
            // Whoever answered, they are answered now.
            for ticket in tickets {
                self.answers.remove(ticket);
            }
        }
        self.at += 1;
        true
    }

    /// What a call was told at once, if this is the call that comes next.
    pub(crate) fn reply(&mut self, asked: CallLine) -> Option<(Said, Box<CallLine>)> {
        let Some(Line::Call(recorded)) = self.peek() else {
            self.expect(&Line::Call(Box::new(asked)));
            return None;
        };
        let reply = recorded.reply.clone();
        let asked = CallLine {
            reply: reply.clone(),
            refused: recorded.refused,
            set_aside: recorded.set_aside,
            ..asked
        };
        self.expect(&Line::Call(Box::new(asked))).then(|| {
            self.calls += 1;
            (reply, recorded)
        })
    }

    /// Why the script is to be ended at this read of the clock, if it is.
    pub(crate) fn stop_at(&mut self, read: u64) -> Option<Stop> {
        match self.look() {
            Some(Line::Stop { why, read: at, .. }) if at.0 == read => Some(*why),
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
            Some(Line::Resume {
                tickets,
                stop: None,
            }) if self.is_whole() || self.extends => self.take(&tickets),
            Some(line @ (Line::TimeLimit { .. } | Line::Base { asked: true, .. })) => {
                Next::Meanwhile(line)
            }
            Some(Line::GivenUp { inside: false }) => {
                self.at += 1;
                Next::GivenUp
            }
            // Whoever goes on has all answers that had come.
            _ => match self.take_all() {
                Next::Answers(answers) => Next::Unknown(answers),
                next => next,
            },
        }
    }

    /// Answers that nobody took, where there is nothing after them.
    pub(crate) fn left(&mut self) -> Vec<Settled> {
        match self.take_all() {
            Next::Answers(settled) => settled,
            _ => Vec::new(),
        }
    }

    fn take_all(&mut self) -> Next {
        let came: Vec<u64> = self.answers.keys().copied().collect();
        self.take(&came)
    }

    fn take(&mut self, tickets: &[u64]) -> Next {
        let mut settled = Vec::new();
        for &ticket in tickets {
            let answer = self.answers.remove(&ticket);
            let read = answer.and_then(|(said, cost)| Some((said.answer()?, cost)));
            let Some((answer, cost)) = read else {
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
            settled.push(Settled::told(ticket, &answer, cost));
        }
        Next::Answers(settled)
    }

    /// The answer that a call got, for a loop that asks for it.
    pub(crate) fn answer_to(&self, ticket: u64) -> Option<(Answer, Cost)> {
        let (said, cost) = match self.answers.get(&ticket) {
            Some(kept) => kept.clone(),
            None => {
                let place = self.journal.places.answer(ticket, self.at)?;
                match &self.journal.entries.get(place)?.line {
                    Some(Line::Answer {
                        answer,
                        tokens,
                        charge,
                        ..
                    }) => (answer.clone(), Cost::noted(*tokens, charge.as_ref())),
                    _ => return None,
                }
            }
        };
        Some((said.answer()?, cost))
    }

    /// How many lines are behind it.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Returns whether the recording program closed it here.
    pub(crate) fn is_closed(&mut self) -> bool {
        matches!(self.look(), Some(Line::End { .. }))
    }

    /// Returns whether anything stands after this place.
    pub(crate) fn has_more(&self) -> bool {
        self.at < self.journal.entries.len()
    }

    /// Where something stands that cannot.
    pub(crate) fn refuse(&mut self, what: &str) {
        self.diverge(
            Difference {
                what: what.to_owned(),
                expected: String::from("nothing"),
                got: String::from("another line, or a part of one"),
                fuel: None,
            },
            None,
        );
    }

    /// Takes the calls that the session had made, without an answer, when the journal began.
    pub(crate) fn carry(&mut self, tickets: impl IntoIterator<Item = u64>) {
        self.carried.extend(tickets);
    }

    /// Has answers that came before the journal began.
    pub(crate) fn knows(&mut self, settled: &[Settled]) {
        for Settled {
            ticket,
            answer,
            cost,
            ..
        } in settled
        {
            let known = (answer.clone(), cost.clone());
            self.answers.insert(*ticket, known);
        }
    }

    /// What models told plugins whose calls are not answered.
    pub(crate) fn told(&mut self) -> Vec<Told> {
        let told = std::mem::take(&mut self.told);
        let mut told: Vec<_> = told.into_values().flatten().collect();
        told.sort_by_key(|(place, _)| *place);
        told.into_iter().map(|(_, told)| told).collect()
    }

    /// Says where the script was, if that is not known yet.
    pub(crate) fn place(&mut self, place: Place) {
        if let Some(divergence) = &mut self.divergence {
            divergence.place.get_or_insert(place);
        }
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
