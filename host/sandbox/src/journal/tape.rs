//! The journal of a session while it happens: written, followed, or neither.

use std::mem;
use std::time::Instant;

use super::divergence::{Divergence, Place, Tolerance};
use super::line::{CallLine, Count, Line, OutcomeLine, Said};
use super::player::{Next, Player};
use super::recorder::Recorder;
use crate::call::{Answer, Settled};
use crate::cost::{Cost, Told};
use crate::model::TokenUsage;
use crate::outcome::{Outcome, Stop};
use rlm_sandbox_engine::{Error, ErrorKind};

/// Whatever crosses the wall of a session is told to its tape.
#[derive(Debug)]
pub(crate) struct Tape {
    mode: Mode,
    /// Execs that began.
    execs: u64,
    /// Fuel of all that entered.
    total: u64,
    since: Instant,
    /// Answers that stood at the end of a journal that goes on.
    left: Vec<Settled>,
    /// What models told plugins there, whose calls are made again.
    told: Vec<Told>,
    /// True if it records behind what another session recorded, whose header stays.
    continues: bool,
    /// True if a base is written that is not noted yet.
    owes_base: bool,
    /// Why it could not go on.
    failure: Option<Error>,
}

#[derive(Debug)]
enum Mode {
    Off,
    Recording(Box<Recorder>),
    Playing(Box<Player>),
}

/// What a call is told.
#[derive(Debug)]
pub(crate) enum Heard {
    /// Whatever its handler says.
    Live,
    /// What it was told before, and all else that was noted.
    Recorded(Said, Box<CallLine>),
    /// Nothing: it is another call than before.
    Diverged,
}

impl Tape {
    fn new(mode: Mode) -> Self {
        Self {
            mode,
            execs: 0,
            total: 0,
            since: Instant::now(),
            left: Vec::new(),
            told: Vec::new(),
            continues: false,
            owes_base: false,
            failure: None,
        }
    }

    pub(crate) fn off() -> Self {
        Self::new(Mode::Off)
    }

    /// Stops a recording without the line that closes it: the session goes on.
    pub(crate) fn break_off(&mut self) {
        if let Mode::Recording(_) = self.mode {
            let next = Self::off().counts_with(self);
            self.mode = Mode::Off;
            *self = next;
        }
    }

    pub(crate) fn recording(recorder: Recorder) -> Self {
        Self::new(Mode::Recording(Box::new(recorder)))
    }

    pub(crate) fn playing(player: impl Into<Box<Player>>) -> Self {
        Self::new(Mode::Playing(player.into()))
    }

    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.mode, Mode::Off) || self.failure.is_some()
    }

    pub(crate) fn player(&mut self) -> Option<&mut Player> {
        match &mut self.mode {
            Mode::Playing(player) => Some(player),
            Mode::Off | Mode::Recording(_) => None,
        }
    }

    /// Returns the seconds by which the time of day had gone on before the execution that comes next, if one is played.
    pub(crate) fn seconds_waited(&mut self) -> Option<u64> {
        match self.player()?.peek()? {
            Line::Exec { waited_s, .. } => Some(waited_s),
            _ => None,
        }
    }

    pub(crate) fn recorder(&mut self) -> Option<&mut Recorder> {
        match &mut self.mode {
            Mode::Recording(recorder) => Some(recorder),
            Mode::Off | Mode::Playing(_) => None,
        }
    }

    /// Returns whether what happens is what was recorded, and nothing else may.
    pub(crate) fn is_playing(&self) -> bool {
        matches!(self.mode, Mode::Playing(_))
    }

    /// The same, unless the end of the journal is reached and what comes then
    /// is to be recorded: then it is, from now on.
    pub(crate) fn plays_on(&mut self) -> bool {
        let Mode::Playing(player) = &mut self.mode else {
            return false;
        };
        if self.failure.is_some() {
            // This request fails with it; the next one tries again.
            return false;
        }
        if !(player.extends && player.is_at_end()) {
            return true;
        }
        // Past all that means nothing, which stays.
        player.peek();
        let last = player.last();
        let last = last.map(|(number, entry)| (entry.end, (number, entry.sum)));
        let (end, last) = last.unwrap_or_default();
        match Recorder::append(&player.journal.source, end, last) {
            Ok(recorder) => {
                self.left = player.left();
                self.told = player.told();
                self.mode = Mode::Recording(Box::new(recorder));
                self.continues = true;
            }
            Err(error) => self.failure = Some(error),
        }
        false
    }

    /// Notes a line, or goes past it. Says whether all is as it was recorded.
    pub(crate) fn note(&mut self, line: &Line) -> bool {
        if let Mode::Playing(player) = &mut self.mode
            && player.passes(line)
        {
            return true;
        }
        self.plays_on();
        match &mut self.mode {
            _ if self.failure.is_some() => true,
            Mode::Off => true,
            Mode::Recording(recorder) => {
                let owes_base = mem::take(&mut self.owes_base);
                if owes_base && !matches!(line, Line::Base { asked: false, .. }) {
                    recorder.write(&Line::no_base());
                }
                recorder.write(line);
                true
            }
            Mode::Playing(player) => player.expect(line),
        }
    }

    /// Returns whether the session gets a new base now, if one is due by what it counted. A recording says
    /// so if it gets none in the end, unless [`cannot_rebase`](Self::cannot_rebase) is called.
    pub(crate) fn rebases(&mut self, is_due: bool) -> bool {
        if let Some(player) = self.player() {
            return player.rebases(is_due);
        }
        self.owes_base = is_due;
        is_due
    }

    /// Notes that a base cannot be written, which comes out in the same way in each repetition.
    pub(crate) fn cannot_rebase(&mut self) {
        self.owes_base = false;
    }

    /// Returns whether all is compared: the session then has to come to the same answers by itself, and takes its bases from the
    /// journal. Of most cassettes little is compared.
    pub(crate) fn compares_all(&self) -> bool {
        match &self.mode {
            Mode::Playing(player) => player.may_differ != Tolerance::AllButCalls,
            Mode::Off | Mode::Recording(_) => false,
        }
    }

    /// Returns whether it answers for a test, in which scripts may be canceled.
    pub(crate) fn is_cassette(&self) -> bool {
        match &self.mode {
            Mode::Playing(player) => player.is_cassette(),
            Mode::Off | Mode::Recording(_) => false,
        }
    }

    /// Returns whether what follows the end of what it plays happens and is recorded.
    pub(crate) fn goes_on(&self) -> bool {
        match &self.mode {
            Mode::Playing(player) => player.extends,
            Mode::Off | Mode::Recording(_) => true,
        }
    }

    /// Returns whether it plays a turn of a script to an end that was recorded.
    pub(crate) fn has_end_of_turn(&self) -> bool {
        match &self.mode {
            Mode::Playing(player) => player.has_end_of_turn(),
            Mode::Off | Mode::Recording(_) => false,
        }
    }

    /// Returns whether a cassette that is gone on with has a new base next, which its session takes from it.
    pub(crate) fn has_base_next(&mut self) -> bool {
        let player = self.player().filter(|player| player.extends);
        player.is_some_and(Player::has_base_next)
    }

    /// The answer to a call that the journal has, wherever it stands.
    pub(crate) fn answer_to(&mut self, ticket: u64) -> Option<(Answer, Cost)> {
        let mut left = self.left.iter();
        let left = left.find(|settled| settled.ticket == ticket);
        if let Some(settled) = left {
            return Some((settled.answer.kept(), settled.cost.clone()));
        }
        self.player()?.answer_to(ticket)
    }

    /// Notes the answer to a deferred call.
    pub(crate) fn answered(&mut self, ticket: u64, answer: &Said, cost: &Cost) {
        if self.is_on() {
            let at_us = self.at_us();
            let answer = answer.clone();
            self.plays_on();
            if self.has_left(ticket, &answer) {
                return;
            }
            if let (Some(recorder), false) = (self.recorder(), answer.is_readable()) {
                recorder
                    .fail("an answer nests too deeply, or has too many values, to be read again");
            }
            self.note(&Line::Answer {
                ticket,
                answer,
                tokens: spent(cost.tokens),
                charge: (!cost.charge.is_nothing()).then(|| cost.charge.clone()),
                at_us,
            });
        }
    }

    /// Notes what a model told a plugin.
    pub(crate) fn told(&mut self, told: &Told) {
        if self.is_on() {
            let at_us = self.at_us();
            let answer = match &told.answer {
                Ok(text) => Answer::Returned(text.as_str().into()),
                Err(message) => Answer::error("RuntimeError", message),
            };
            self.note(&Line::Told {
                ticket: told.ticket,
                number: told.number,
                prompt: told.prompt.clone(),
                answer: Said::of(&answer),
                tokens: spent(told.tokens),
                at_us,
            });
        }
    }

    /// What models told plugins before this place of the journal, whose calls are
    /// to be made again.
    pub(crate) fn take_told(&mut self) -> Vec<Told> {
        let mut told = mem::take(&mut self.told);
        if let Some(player) = self.player() {
            told.append(&mut player.told());
        }
        told
    }

    /// Hands everything to the system that is yet to be.
    pub(crate) fn flush(&mut self) {
        if let Some(recorder) = self.recorder() {
            recorder.flush();
        }
    }

    /// The number of the exec that begins.
    pub(crate) fn begin_exec(&mut self) -> u64 {
        self.execs += 1;
        self.execs - 1
    }

    /// Counts the fuel of an entry.
    pub(crate) fn count(&mut self, fuel: u64) -> Count {
        self.total = self.total.saturating_add(fuel);
        Count(self.total)
    }

    /// Takes the counts of another tape.
    pub(crate) fn counts_with(mut self, from: &Self) -> Self {
        (self.execs, self.total) = (from.execs, from.total);
        self
    }

    /// Goes on counting where another tape stopped.
    pub(crate) fn counts_on(mut self, from: &Self) -> Self {
        self.continues = true;
        self.counts_with(from)
    }

    /// Returns whether it records behind what another session recorded.
    pub(crate) fn continues(&self) -> bool {
        self.continues
    }

    /// Returns whether the recording that is continued has this answer already.
    fn has_left(&mut self, ticket: u64, answer: &Said) -> bool {
        let Some(at) = self.left.iter().position(|left| left.ticket == ticket) else {
            return false;
        };
        self.left.remove(at).answer == *answer
    }

    /// The line that closes it here.
    pub(crate) fn end(&self) -> Line {
        Line::End {
            execs: self.execs,
            total: Count(self.total),
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn set_total(&mut self, fuel: u64) {
        self.total = fuel;
    }

    pub(crate) fn execs(&self) -> u64 {
        self.execs
    }

    /// Microseconds since it began.
    pub(crate) fn at_us(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// What a call is told that has yet to be answered.
    pub(crate) fn asked(&mut self, asked: impl FnOnce() -> CallLine) -> Heard {
        if !self.plays_on() {
            return Heard::Live;
        }
        let player = self.player().filter(|player| player.divergence.is_none());
        match player.and_then(|player| player.reply(asked())) {
            Some((said, recorded)) => Heard::Recorded(said, recorded),
            None => Heard::Diverged,
        }
    }

    /// Why the script is to be ended at this read of the clock, if it was.
    pub(crate) fn stop_at(&mut self, read: u64) -> Option<Stop> {
        self.player()?.stop_at(read)
    }

    /// What comes next for a script that waits, if that is recorded.
    pub(crate) fn next(&mut self) -> Option<Next> {
        let left = mem::take(&mut self.left);
        let next = match self.player() {
            Some(player) => player.next(),
            None if left.is_empty() => return None,
            None => Next::Unknown(left),
        };
        if let Next::Unknown(_) = next {
            self.plays_on();
        }
        Some(next)
    }

    /// The line for an outcome.
    pub(crate) fn outcome(&mut self, outcome: &Outcome) -> Box<OutcomeLine> {
        let shows = match &self.mode {
            Mode::Recording(recorder) => !recorder.is_redacted(),
            Mode::Off | Mode::Playing(_) => true,
        };
        let exec = self.execs.saturating_sub(1);
        Box::new(OutcomeLine::new(exec, outcome, self.total, shows))
    }

    /// Returns whether anything was not as it was recorded.
    pub(crate) fn divergence(&self) -> Option<&Divergence> {
        match &self.mode {
            Mode::Playing(player) => player.divergence.as_ref(),
            Mode::Off | Mode::Recording(_) => None,
        }
    }

    /// Returns whether something was noted that speaks against going on.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Notes what speaks against going on.
    pub(crate) fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    /// What speaks against going on: another run than the one that was
    /// recorded, or a journal that cannot be written.
    pub(crate) fn trouble(&mut self) -> Option<Error> {
        if let Some(failure) = self.failure.take() {
            return Some(failure);
        }
        match &mut self.mode {
            Mode::Off => None,
            Mode::Recording(recorder) => {
                let failure = recorder.failure()?;
                let is_told = !recorder.is_best_effort();
                self.mode = Mode::Off;
                is_told.then_some(failure)
            }
            Mode::Playing(player) => {
                let divergence = player.divergence.as_ref()?;
                let message = format!(
                    "this is not what {} says: {divergence}{}",
                    player.journal.source.path.display(),
                    match (player.is_cassette(), player.extends) {
                        (true, true) =>
                            "\n  only a session that does exactly what is recorded goes on recording behind it; if the difference is meant, \
                             delete the cassette and record it again, or take the mode `once`",
                        (true, false) =>
                            "\n  if the difference is meant, delete the cassette and record it again",
                        (false, _) => "",
                    }
                );
                Some(Error::new(ErrorKind::Diverged, message))
            }
        }
    }

    /// Says where the script was that went another way.
    pub(crate) fn place(&mut self, place: Place) {
        if let Some(player) = self.player() {
            player.place(place);
        }
    }
}

/// Tokens, if there were any.
fn spent(tokens: TokenUsage) -> Option<TokenUsage> {
    (tokens != TokenUsage::default()).then_some(tokens)
}

impl Drop for Tape {
    fn drop(&mut self) {
        if let Mode::Playing(player) = &mut self.mode
            && player.extends
            && !player.is_closed()
        {
            // One that lacks nothing but its end gets it.
            self.plays_on();
        }
        let end = self.end();
        if let Mode::Recording(recorder) = &mut self.mode {
            recorder.write(&end);
        }
    }
}
