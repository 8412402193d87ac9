//! Steps that a host takes with a session between its executions: read from the lines of a recording, and taken again by
//! the one who replays it and by its branches.

use std::time::Duration;

use super::{Count, Given, Line};
use crate::context::Context;
use crate::event::Kind;
use crate::session::Session;
use crate::state::Variable;
use rlm_sandbox_engine::Result;

/// A step between two executions.
#[derive(Clone, Debug)]
pub(crate) enum HostStep {
    Set(Variable),
    /// Contexts and graph input, in place of those that the session had.
    Contexts(Vec<Context>, Option<Context>),
    /// An inspection, which may run code of the script.
    Look(Kind),
    Reset,
    /// The session was written down, and went on from that.
    WriteDown,
    TimeLimit(Duration, Option<u64>),
}

/// The steps that a session takes again, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    /// True behind a reset, until it is known whether contexts entered again.
    is_reset: bool,
}

impl HostStep {
    /// Returns the step that a line between two executions says, if it says one. Contexts are those that `read` returns.
    ///
    /// # Errors
    ///
    /// As `read`.
    pub(crate) fn of(
        line: &Line,
        read: impl FnOnce(&[Given], Option<&Given>) -> Result<(Vec<Context>, Option<Context>)>,
    ) -> Result<Option<Self>> {
        Ok(Some(match line {
            Line::Contexts { files, default } => {
                let (files, graph_input) = read(files, default.as_ref())?;
                Self::Contexts(files, graph_input)
            }
            Line::Set { name, value } => Self::Set(Variable {
                name: name.clone(),
                json: String::from_utf8_lossy(&value.bytes()).into_owned(),
            }),
            Line::Get { name } => Self::Look(Kind::GetVariable { name: name.clone() }),
            Line::Variables { look } => Self::Look(Kind::Variables { look: *look }),
            Line::Reset {} => Self::Reset,
            Line::Base { asked: true, .. } => Self::WriteDown,
            Line::TimeLimit { time, fuel } => Self::TimeLimit(*time, fuel.map(|Count(fuel)| fuel)),
            _ => return Ok(None),
        }))
    }
}

impl Repeated {
    /// Takes a step again, at the moment at which it was taken: what was set enters now, and not with the next script.
    ///
    /// # Errors
    ///
    /// As the method of [`Session`] that takes the step.
    pub(crate) async fn step(&mut self, session: &mut Session, step: HostStep) -> Result<()> {
        match &step {
            HostStep::Set(_) | HostStep::Look(_) | HostStep::WriteDown => self.enters(session),
            HostStep::Contexts(..) => self.is_reset = false,
            HostStep::Reset | HostStep::TimeLimit(..) => {}
        }
        match step {
            HostStep::Set(variable) => {
                session.durable.queued.push_back(variable);
                session.ready(false).await
            }
            HostStep::Contexts(files, graph_input) => {
                session.settings.contexts = files;
                session.settings.graph_input = graph_input;
                session.durable.change_contexts();
                session.ready(false).await
            }
            HostStep::Look(kind) => session.look(kind).await.map(drop),
            HostStep::WriteDown => session.write_down_again().await,
            HostStep::Reset => {
                self.is_reset = true;
                let done = session.start_over();
                // They enter again with a step of their own.
                session.durable.settle_contexts();
                done
            }
            HostStep::TimeLimit(time, fuel) => {
                session.limit_time(time, fuel);
                Ok(())
            }
        }
    }

    /// Takes the contexts away that a session had before a reset, if none entered again before an entry that saw them.
    pub(crate) fn enters(&mut self, session: &mut Session) {
        if std::mem::take(&mut self.is_reset) {
            session.settings.contexts.clear();
            session.settings.graph_input = None;
        }
    }

    /// Ends the steps. Contexts that had yet to enter again enter with what comes.
    pub(crate) fn end(self, session: &mut Session) {
        if self.is_reset && session.settings.has_contexts() {
            session.durable.change_contexts();
        }
    }
}
