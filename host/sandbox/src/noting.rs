//! What a session tells its tape, and what it does when that is not what was
//! recorded.

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::bindings::exports::rlm::sandbox::repl::{self, Entry, Resumption, Step};
use crate::builder::Source;
use crate::call::digest;
use crate::dump::Dump;
use crate::event::Kind;
use crate::guest_state::Readable;
use crate::instance::{Death, Returned};
use crate::journal::{
    Begins, BranchOf, Count, FORMAT, Function, Given, Header, Inserted, JOURNAL_KEY, Line, Place,
    Recorder, Said, Start, Tape,
};
use crate::outcome::{Outcome, Stop};
use crate::parked::Parked;
use crate::session::{self, Session, Stay};
use crate::state::SessionState;
use crate::tool::Handler;
use rlm_sandbox_engine::{self as engine, Error, ErrorKind, Result, hex};

/// What is known of an ending and not part of the outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How {
    pub(crate) killed: bool,
    pub(crate) overflow: bool,
}

impl Session {
    /// Has the session recorded, or follow a cassette. It begins with what was
    /// parked, if anything was.
    ///
    /// # Errors
    ///
    /// A usage error where no reader would take what was parked: its limits were lowered while a script waited.
    pub(crate) fn insert(&mut self, source: &Source, parked: Option<&Parked>) -> Result<()> {
        if let Some(parked) = parked {
            parked.check_recordable()?;
        }
        let tape = match source {
            Source::Recording(recording) => Tape::recording(recording.take()?),
            Source::Cassette(cassette) => match cassette.insert(&self.settings.sandbox)? {
                Inserted::Records(recorder) => Tape::recording(recorder),
                Inserted::Plays(player) => Tape::playing(player),
            },
        };
        self.state().tape = tape;
        let header = match self.state().tape.player() {
            None => self.header(parked),
            Some(player) if player.extends => {
                let recorded = Arc::clone(&player.journal);
                let mut header = self.header(parked);
                // An answer that is recorded needs no model, and lines say whether another version differs.
                header.model |= recorded.header.model;
                header.library.clone_from(&recorded.header.library);
                header
            }
            Some(_) => return Ok(()),
        };
        let header = Line::Header(Box::new(header));
        match self.state().tape.player() {
            None => self.note(&header),
            Some(player) => {
                player.begin(&header);
                self.check_tape()
            }
        }
    }

    /// Has a branch recorded that has just been made, and counts on from its parent.
    pub(crate) fn record_branch(
        &mut self,
        recorder: Recorder,
        branch_of: BranchOf,
        follows_time: bool,
        parent: &Tape,
    ) -> Result<()> {
        self.state().tape = Tape::recording(recorder).counts_with(parent);
        let mut header = self.header(None);
        header.branch_of = Some(branch_of);
        // It has the times that its run had.
        header.follows_time = follows_time;
        self.note(&Line::Header(Box::new(header)))
    }

    /// Gives the journal that the session follows the calls and answers that it begins with.
    pub(crate) fn carry_calls(&mut self) {
        let settled = &self.in_flight.settled;
        let state = self.residence.state();
        let pending: Vec<u64> = state.pending.keys().copied().collect();
        if let Some(player) = state.tape.player() {
            player.carry(pending);
            player.knows(settled);
        }
    }

    /// Returns what the session is made of. What it was parked with is kept beside the journal that is recorded.
    fn header(&mut self, parked: Option<&Parked>) -> Header {
        let tape = &mut self.state().tape;
        let is_redacted = tape
            .recorder()
            .is_some_and(|recorder| recorder.is_redacted());
        let parked = parked.map(|parked| {
            let readable = self.readable();
            let Kind::SetContexts { files, default, .. } = self.context_event() else {
                unreachable!("it is one");
            };
            let (files, default) = self.given(&files, default.as_ref(), &readable);
            Begins {
                digest: self.store(&parked.to_bytes(JOURNAL_KEY)),
                files,
                default,
            }
        });
        let handlers = &self.settings.handlers;
        let functions = handlers.tools.iter().map(|tool| Function {
            name: tool.name().to_owned(),
            parameters: tool
                .parameters
                .iter()
                .map(|name| name.to_string())
                .collect(),
            awaitable: tool.awaitable,
            immediate: matches!(tool.handler, Handler::Immediate(_)),
        });
        Header {
            journal: FORMAT,
            library: env!("CARGO_PKG_VERSION").to_owned(),
            guest: self.settings.sandbox.guest_digest().to_owned(),
            engine: engine::VERSION.to_owned(),
            configuration: self.settings.sandbox.fuel_configuration(),
            session: self.id().to_owned(),
            seed: Count(self.seed),
            start: Start(self.start),
            follows_time: self.follows_time(),
            limits: self.settings.limits.clone(),
            profile: self.settings.profile.as_ref().clone(),
            functions: functions.collect(),
            model: handlers.model.is_some(),
            parked,
            redacted: is_redacted,
            branch_of: None,
        }
    }

    /// Notes a line, if there is a tape.
    pub(crate) fn note(&mut self, line: &Line) -> Result<()> {
        let tape = &mut self.state().tape;
        if tape.is_on() {
            tape.note(line);
            return self.check_tape();
        }
        Ok(())
    }

    /// Stops where the tape has something against going on.
    pub(crate) fn check_tape(&mut self) -> Result<()> {
        let Some(error) = self.state().tape.trouble() else {
            return Ok(());
        };
        if !self.doing.is_idle() {
            self.give_up();
        }
        Err(error)
    }

    /// Keeps bytes beside the journal and gives their digest.
    fn store(&mut self, bytes: &[u8]) -> String {
        match self.state().tape.recorder() {
            Some(recorder) => recorder.store(bytes),
            None => digest(bytes),
        }
    }

    /// Breaks the recording of the session off, which goes on without one. The recording has no end.
    #[doc(hidden)]
    pub fn break_recording_off(&mut self) {
        let stay = Stay::new(self);
        stay.0.state().tape.break_off();
    }

    /// Returns work that prepares the contexts that the next execution brings for the journal: it computes their
    /// digests and writes them beside it. None if no journal follows the session, or they have entered.
    ///
    /// Else the execution does this itself, where the program polls it, which takes a second or so for each gigabyte:
    /// a program with large contexts may do the work on a thread of its own. What cannot be written there is
    /// tried again, and the error is that of the execution.
    pub fn contexts_to_record(&mut self) -> Option<impl FnOnce() + Send + 'static> {
        if !self.durable.contexts_changed() {
            return None;
        }
        let stay = Stay::new(self);
        let tape = &mut stay.0.state().tape;
        if !tape.is_on() {
            return None;
        }
        // At the end of a cassette the execution itself writes them: what stands there has to be looked for before.
        let data = tape.recorder().and_then(|recorder| recorder.data());
        let contexts: Vec<_> = stay.0.readable().values().cloned().collect();
        Some(move || {
            for context in contexts {
                let digest = context.digest();
                if let Some(data) = &data {
                    // Whoever needs it tries again.
                    let _ = data.keep(digest, context.as_bytes());
                }
            }
        })
    }

    fn given(
        &mut self,
        files: &[Entry],
        default: Option<&Entry>,
        readable: &Readable,
    ) -> (Vec<Given>, Option<Given>) {
        let mut known: BTreeMap<&str, Given> = BTreeMap::new();
        for (name, context) in readable.iter() {
            // Computed once for all clones.
            let digest = context.digest();
            let given = Given {
                name: name.as_ref().to_owned(),
                form: context.form().to_owned(),
                bytes: context.size_bytes(),
                digest: match self.state().tape.recorder() {
                    Some(recorder) => recorder.store_as(digest, context.as_bytes()),
                    None => digest.to_owned(),
                },
            };
            known.insert(name, given);
        }
        let find = |entry: &Entry| known.get(entry.name.as_str()).cloned();
        (
            files.iter().filter_map(find).collect(),
            default.and_then(find),
        )
    }

    /// Notes what enters the instance.
    pub(crate) fn note_entry(&mut self, kind: &Kind) -> Result<()> {
        if !self.state().tape.is_on() {
            return Ok(());
        }
        // At the end of a cassette that is gone on with, data is kept from here on. An inspection may be the last thing that
        // it has, and is looked for before.
        if !matches!(kind, Kind::GetVariable { .. } | Kind::Variables { .. }) {
            self.state().tape.plays_on();
        }
        let line = match kind {
            Kind::SetContexts {
                files,
                default,
                readable,
            } => {
                let (files, default) = self.given(files, default.as_ref(), readable);
                Line::Contexts { files, default }
            }
            Kind::Exec {
                source,
                waited_seconds,
            } => {
                let tape = &mut self.state().tape;
                Line::Exec {
                    number: tape.begin_exec(),
                    source: source.clone(),
                    waited_s: *waited_seconds,
                    at_us: tape.at_us(),
                }
            }
            Kind::Resume {
                how: Resumption::Answers(answers),
            } => Line::Resume {
                tickets: answers.iter().map(|(ticket, _)| *ticket).collect(),
                stop: None,
            },
            Kind::Resume {
                how: Resumption::Stop(why),
            } => Line::Resume {
                tickets: Vec::new(),
                stop: Some(Stop::from(*why)),
            },
            Kind::SetVariable { name, json } => Line::Set {
                name: name.clone(),
                value: Said::Returned(json.clone()),
            },
            Kind::GetVariable { name } => Line::Get { name: name.clone() },
            Kind::Variables { look } => Line::Variables { look: *look },
            // Moving a session is not part of it.
            Kind::Dump { .. } | Kind::Load { .. } => return Ok(()),
        };
        self.note(&line)
    }

    /// Notes that a script waits.
    pub(crate) fn note_suspended(&mut self) -> Result<()> {
        let (waiting, open) = self.doing.tickets();
        let fuel = self.entry_fuel;
        let tape = &mut self.state().tape;
        if !tape.is_on() {
            return Ok(());
        }
        let total = tape.count(fuel);
        let fuel = Count(fuel);
        self.note(&Line::Suspended {
            waiting,
            open,
            fuel,
            total,
        })
    }

    /// Sees to it that nothing of a turn is lost once somebody knows of it.
    pub(crate) fn hand_back(&mut self, step: session::Step) -> Result<session::Step> {
        self.state().tape.flush();
        self.check_tape()?;
        Ok(step)
    }

    /// Notes how a script ended.
    pub(crate) fn note_outcome(&mut self, outcome: &Outcome, how: How) -> Result<()> {
        let fuel = self.entry_fuel;
        let tape = &mut self.state().tape;
        if !tape.is_on() {
            return Ok(());
        }
        tape.count(fuel);
        let mut line = tape.outcome(outcome);
        (line.killed, line.overflow) = (how.killed, how.overflow);
        self.note(&Line::Outcome(line))
    }

    /// Notes what came of what is no script.
    pub(crate) fn note_returned(&mut self, returned: &Returned) -> Result<()> {
        let fuel = self.entry_fuel;
        let tape = &mut self.state().tape;
        if !tape.is_on() {
            return Ok(());
        }
        let total = tape.count(fuel);
        let text = match returned {
            Returned::Value(Some(value)) => {
                format!(
                    "{}\n{}",
                    value.repr,
                    value.json.as_deref().unwrap_or_default()
                )
            }
            Returned::Variables(variables) => variables
                .iter()
                .map(|variable| format!("{variable:?}\n"))
                .collect(),
            _ => String::new(),
        };
        self.note(&Line::Returned {
            digest: digest(text.as_bytes()),
            fuel: Count(fuel),
            total,
        })
    }

    /// Notes that a script is dropped, if there is one.
    pub(crate) fn note_given_up(&mut self) {
        let inside = match &self.doing {
            SessionState::Running(_) => true,
            SessionState::Suspended(_) => false,
            SessionState::Idle | SessionState::Lost(_) => return,
        };
        let tape = &mut self.state().tape;
        if tape.is_on() {
            tape.note(&Line::GivenUp { inside });
        }
    }

    /// Notes that what is no script did not happen.
    pub(crate) fn note_failed(&mut self, why: String, killed: bool) -> Result<()> {
        self.note(&Line::Failed { why, killed })
    }

    /// Notes that the session was written down.
    pub(crate) fn note_base(&mut self, dump: &Dump, asked: bool) -> Result<()> {
        let state = self.state();
        if !state.tape.is_on() {
            return Ok(());
        }
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        for chunk in dump.chunks(&state.contexts).flatten() {
            hash.update(chunk);
            bytes += chunk.len() as u64;
        }
        let digest = hex(&hash.finalize());
        self.note(&Line::Base {
            asked,
            bytes,
            digest,
        })
    }

    /// Notes the base of a branch that was written for it, which a replay has to write, too.
    pub(crate) fn note_own_base(&mut self) -> Result<()> {
        match self.checkpoint.base.dump().cloned() {
            Some(dump) => self.note_base(&dump, true),
            None => Ok(()),
        }
    }

    /// Ends a script that went another way than it did when it was recorded.
    pub(crate) fn check_divergence(&mut self, entered: &Result<Returned, Death>) -> Result<()> {
        let tape = &mut self.state().tape;
        if tape.divergence().is_none() && !tape.has_failed() {
            return Ok(());
        }
        if let Ok(returned) = entered {
            self.note_place(returned);
        }
        self.check_tape()
    }

    /// Says where a script was that was ended to find that out.
    fn note_place(&mut self, returned: &Returned) {
        let Returned::Step(Step::Complete(outcome)) = returned else {
            return;
        };
        let failure = match &outcome.ending {
            repl::Ending::Stopped((_, failure)) => failure.as_ref(),
            repl::Ending::Raised(failure) => Some(failure),
            repl::Ending::Value(_) => None,
        };
        if let Some(frame) = failure.and_then(|failure| failure.frames.last()) {
            self.state().tape.place(Place {
                file: frame.file.clone(),
                line: frame.line,
                text: frame.text.clone(),
            });
        }
    }

    /// The error where a script waits and its journal says something else; with
    /// the line at which it waits.
    pub(crate) async fn diverged_waiting(&mut self) -> Error {
        let how = Resumption::Stop(Stop::Canceled.into());
        if self.live().await.is_ok()
            && let Some(instance) = self.residence.instance()
        {
            let kind = Kind::Resume { how };
            let entered = instance.enter(kind, &mut self.in_flight).await;
            if let Ok(Ok(returned)) = &entered.1 {
                self.note_place(returned);
            }
        }
        match self.check_tape() {
            Err(error) => error,
            Ok(()) => Error::new(ErrorKind::Diverged, "the journal says something else"),
        }
    }

    /// Where the session is in the journal that it follows.
    pub(crate) fn position(&mut self) -> Option<usize> {
        let player = self.state().tape.player()?;
        Some(player.position())
    }

    /// Refuses a line that nothing came of: nobody could have recorded it.
    pub(crate) fn moved_on(&mut self, before: Option<usize>, line: &Line) -> Result<()> {
        if self.position() != before {
            return Ok(());
        }
        let message = format!("{} stands where it cannot be", line.noun());
        Err(Error::new(ErrorKind::Journal, message))
    }

    /// The error where a journal ends in the middle of a script.
    pub(crate) async fn nothing_more(&mut self) -> Error {
        let tickets = self.doing.waiting().to_vec();
        let stop = None;
        self.state().tape.note(&Line::Resume { tickets, stop });
        self.diverged_waiting().await
    }
}

/// The error where the recorded script was dropped while it waited.
pub(crate) fn gave_up_then() -> Error {
    Error::new(
        ErrorKind::Diverged,
        "the script was dropped here when it was recorded; record it again to its end",
    )
}
