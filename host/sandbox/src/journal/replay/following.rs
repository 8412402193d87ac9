//! How a session does again what its journal says was done with it.

use std::sync::Arc;

use crate::journal::line::{CallLine, Count, Line};
use crate::journal::player::{Player, Skipped};
use crate::journal::{HostStep, ReaderGuard, Repeated};
use crate::session::{Session, Stay, Step};
use crate::waiting::Recorded;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    Exec(u64),
    Call(u64),
    /// After so many lines.
    Line(u64),
    End,
}

/// How far one got.
#[derive(Debug)]
pub(super) enum Reached {
    Goal,
    End { is_finished: bool },
    Obstacle { exec: u64, why: &'static str },
}

impl Session {
    /// Does what the journal says, up to the goal or to its end.
    pub(super) async fn follow(&mut self, goal: Goal, skips: bool) -> Result<Reached> {
        let stay = Stay::new(self);
        let mut repeated = Repeated::default();
        let reached = stay.0.follow_lines(goal, skips, &mut repeated).await;
        repeated.end(stay.0);
        reached
    }

    async fn follow_lines(
        &mut self,
        goal: Goal,
        skips: bool,
        repeated: &mut Repeated,
    ) -> Result<Reached> {
        if self.doing.is_suspended() {
            // A session that was parked while it waited.
            match self
                .state()
                .tape
                .player()
                .and_then(|player| player.obstacle())
            {
                None => {
                    if let Some(reached) = self.follow_script(goal).await? {
                        return Ok(reached);
                    }
                }
                Some(_) if skips => {
                    self.in_flight.clear();
                    self.roll_back();
                    self.skip();
                }
                Some(why) => return Ok(Reached::Obstacle { exec: 0, why }),
            }
        }
        loop {
            if let Some(limit) = self
                .settings
                .reader
                .as_ref()
                .and_then(|guard| guard.reached())
            {
                let message = format!("the reader's limit `{limit}` was reached");
                return Err(Error::new(ErrorKind::Journal, message));
            }
            let Some(line) = self.state().tape.player().and_then(Player::peek) else {
                return match self.state().tape.trouble() {
                    Some(error) => Err(error),
                    None => Ok(Reached::End { is_finished: false }),
                };
            };
            let enters = matches!(
                line,
                Line::Exec { .. }
                    | Line::Contexts { .. }
                    | Line::Set { .. }
                    | Line::Get { .. }
                    | Line::Variables { .. }
            );
            let sees = enters || matches!(line, Line::Base { .. });
            if sees && !matches!(line, Line::Contexts { .. }) {
                // At the goal, too.
                repeated.enters(self);
            }
            let Some(player) = self.state().tape.player() else {
                return Ok(Reached::End { is_finished: false });
            };
            if matches!(goal, Goal::Line(lines) if player.position() as u64 >= lines) {
                return Ok(Reached::Goal);
            }
            match &line {
                Line::Exec { number, .. } if matches!(goal, Goal::Exec(at) if at == *number) => {
                    return Ok(Reached::Goal);
                }
                Line::Exec { number, .. } => {
                    if let (Some(why), false) = (player.obstacle(), skips) {
                        let exec = *number;
                        return Ok(Reached::Obstacle { exec, why });
                    }
                }
                _ => {}
            }
            if enters && player.obstacle().is_some() {
                if let Line::Exec { .. } = line {
                    self.state().tape.begin_exec();
                }
                self.skip();
                continue;
            }
            if enters && !player.is_whole() {
                player.refuse_behind_turn();
                return Ok(Reached::End { is_finished: false });
            }
            let at = player.position();
            let journal = Arc::clone(&player.journal);
            let was = line.clone();
            let result = match line {
                Line::End { .. } => {
                    self.note_end()?;
                    return Ok(Reached::End { is_finished: true });
                }
                Line::Exec { source, .. } => {
                    let waits = self.begin(&source, false).await?;
                    if let Step::Waiting(_) = waits
                        && let Some(reached) = self.follow_script(goal).await?
                    {
                        return Ok(reached);
                    }
                    Ok(())
                }
                line => {
                    let guard = self.settings.reader.clone();
                    let guard = guard.unwrap_or_else(|| ReaderGuard::new(journal.reader.clone()));
                    let step = HostStep::of(&line, |files, default| {
                        journal.contexts(files, default, &guard)
                    })?;
                    let Some(step) = step else {
                        let what = format!("{} stands where it cannot be", line.noun());
                        return Err(Error::new(ErrorKind::Journal, what));
                    };
                    repeated.step(self, step).await
                }
            };
            if let Some(error) = self.state().tape.trouble() {
                return Err(error);
            }
            match result {
                // What the guest refused then, it refuses now.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::Usage | ErrorKind::Limit | ErrorKind::Canceled
                    ) && self.position() != Some(at) => {}
                result => result?,
            }
            self.moved_on(Some(at), &was)?;
        }
    }

    /// Goes on with a script that waits, up to its end.
    async fn follow_script(&mut self, goal: Goal) -> Result<Option<Reached>> {
        while self.doing.is_suspended() {
            if let Goal::Call(ticket) = goal
                && self.doing.waiting().contains(&ticket)
            {
                return Ok(Some(Reached::Goal));
            }
            if let Recorded::Nothing = self.wait_recorded().await? {
                // Somebody may have closed a session that waited.
                let next = self.state().tape.player().and_then(Player::peek);
                let is_finished = matches!(next, Some(Line::End { .. }));
                match next {
                    Some(Line::End { .. }) => self.note_end()?,
                    // It may break off in the turn that follows.
                    None | Some(Line::Resume { .. }) => {}
                    Some(line) => {
                        if let Some(player) = self.state().tape.player() {
                            let what = format!("{} stands where a script waits", line.noun());
                            player.refuse(&what);
                        }
                    }
                }
                if let Some(error) = self.state().tape.trouble() {
                    return Err(error);
                }
                return Ok(Some(Reached::End { is_finished }));
            }
        }
        Ok(None)
    }

    fn note_end(&mut self) -> Result<()> {
        let tape = &mut self.state().tape;
        tape.note(&tape.end());
        if let Some(player) = tape.player()
            && player.has_more()
        {
            player.refuse("text stands after the end of the recording");
        }
        match tape.trouble() {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Leaves out an entry that changed nothing but what it asked.
    fn skip(&mut self) {
        let state = self.state();
        let Some(player) = state.tape.player() else {
            return;
        };
        let Skipped { calls, total, time } = player.skip();
        if let Some(total) = total {
            state.tape.set_total(total);
        }
        for CallLine {
            ticket,
            prompts,
            refused,
            ..
        } in calls
        {
            state.counts.next_ticket = state.counts.next_ticket.max(ticket.saturating_add(1));
            if !refused {
                state.counts.model_calls = state.counts.model_calls.saturating_add(prompts);
            }
        }
        if let Some((time, fuel)) = time {
            self.bound_time(time, fuel.map(|Count(fuel)| fuel));
        }
    }
}
