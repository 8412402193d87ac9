//! What an embedder gives to a session: variables, contexts, conversations.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use crate::builder::check_context;
use crate::caps::{NAME_BYTES, NAMES};
use crate::context::Context;
use crate::event::Kind;
use crate::session::Session;
use crate::tool::is_identifier;
use rlm_sandbox_engine::{Error, Result};

impl Session {
    /// Binds a name, from the next exec on. Where the value reaches a limit, such as that on memory,
    /// the next exec does not run and its outcome tells of the limit; the name keeps its old value.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if it is no Python name, if the profile or a
    /// tool defines the name, so that scripts would not see the value, or if that has no JSON form or one larger than [`Limits::memory_bytes`](crate::Limits::memory_bytes): data of that size
    /// should be a [`Context`].
    pub fn set(&mut self, name: impl Into<String>, value: impl Serialize) -> Result<()> {
        self.queue(name.into(), value).map(drop)
    }

    /// Binds several names, from the next exec on, or none of them.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set), before anything is bound.
    pub fn set_all<V: Serialize>(
        &mut self,
        variables: impl IntoIterator<Item = (String, V)>,
    ) -> Result<()> {
        let mut done = Vec::new();
        for (name, value) in variables {
            match self.queue(name.clone(), value) {
                Ok(before) => done.push((name, before)),
                Err(error) => {
                    while let Some((name, before)) = done.pop() {
                        self.take_back(&name, before);
                    }
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Takes back the last change of the queue.
    fn take_back(&mut self, name: &str, before: Option<String>) {
        let Some(before) = before else {
            self.queued.pop_back();
            return;
        };
        for kind in &mut self.queued {
            match kind {
                Kind::SetVariable { name: other, json } if other == name => {
                    *json = before;
                    return;
                }
                _ => {}
            }
        }
    }

    /// Queues a value, and returns the JSON in whose place it came.
    fn queue(&mut self, name: String, value: impl Serialize) -> Result<Option<String>> {
        self.check_reserved(&name)?;
        let json = self.check_variable(&name, value)?;
        if !self.has_room_for(&name) {
            return Err(Error::usage(format!(
                "the session has {NAMES} variables, which is the most; put values into one dict"
            )));
        }
        let mut queued = 0;
        let mut before = None;
        for kind in &mut self.queued {
            let Kind::SetVariable { name: other, json } = kind else {
                continue;
            };
            queued += json.len() as u64;
            if *other == name {
                before = Some(json);
            }
        }
        let replaced = before.as_ref().map_or(0, |json| json.len() as u64);
        let most = self.settings.limits.memory_bytes;
        if queued - replaced + json.len() as u64 > most {
            return Err(Error::usage(format!(
                "the values that wait for the next exec take more than {most} bytes of JSON, the memory limit; run one first"
            )));
        }
        match before {
            Some(before) => Ok(Some(std::mem::replace(before, json))),
            None => {
                self.queued.push_back(Kind::SetVariable { name, json });
                Ok(None)
            }
        }
    }

    /// Returns whether one more variable may be bound, or it is one there is.
    fn has_room_for(&self, name: &str) -> bool {
        if self.names.len() + self.queued.len() < NAMES {
            return true;
        }
        let queued = self.queued.iter().filter_map(|kind| match kind {
            Kind::SetVariable { name, .. } => Some(name),
            _ => None,
        });
        let names: BTreeSet<&str> = self
            .names
            .iter()
            .chain(queued)
            .map(String::as_str)
            .collect();
        names.contains(name) || names.len() < NAMES
    }

    /// Checks that nothing of the session's own has the name.
    pub(crate) fn check_reserved(&self, name: &str) -> Result<()> {
        let settings = &self.settings;
        let is_defined = settings
            .profile
            .names
            .iter()
            .any(|defined| defined.hides_variable() && defined.is(name));
        let is_tool = || {
            let top = |tool: &str| tool.split('.').next() == Some(name);
            settings.handlers.tools.iter().any(|tool| top(tool.name()))
        };
        if is_defined || is_tool() {
            let by = if is_defined { "the profile" } else { "a tool" };
            return Err(Error::usage(format!(
                "`{name}` is defined by {by}, so scripts would not see a variable of that name; choose another"
            )));
        }
        Ok(())
    }

    /// The JSON of a value that may be bound.
    pub(crate) fn check_variable(&self, name: &str, value: impl Serialize) -> Result<String> {
        check_name(name)?;
        let json = serde_json::to_string(&value).map_err(|error| {
            Error::usage(format!("the value for `{name}` has no JSON form")).because(error)
        })?;
        if json.len() as u64 > self.settings.limits.memory_bytes {
            return Err(Error::usage(format!(
                "the value for `{name}` takes {} bytes of JSON, more than the memory limit; add it as a context",
                json.len()
            )));
        }
        Ok(json)
    }

    /// Returns the contexts that scripts see from the next exec on, in their order.
    pub fn contexts(&self) -> &[Context] {
        &self.settings.contexts
    }

    /// Adds a context, from the next exec on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if there is one of that name.
    pub fn add_context(&mut self, context: Context) -> Result<()> {
        check_context(&self.settings.contexts, &context)?;
        self.settings.contexts.push(context);
        self.contexts_changed = true;
        Ok(())
    }

    /// Takes a context away, from the next exec on; names that scripts gave it
    /// stay bound until then. Says whether there was one.
    pub fn remove_context(&mut self, name: &str) -> bool {
        let before = self.settings.contexts.len();
        self.settings
            .contexts
            .retain(|context| context.name() != name);
        let removed = self.settings.contexts.len() < before;
        self.contexts_changed |= removed;
        removed
    }

    /// Replaces the conversation of this number, or adds one where there is none
    /// yet; scripts see a copy of it as `history_0`, `history_1` and so on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if the session was opened without a
    /// [history](crate::SessionBuilder::history), which defines the name; if one was left
    /// out; or if the messages have no JSON form.
    pub fn set_history(&mut self, number: usize, messages: impl Serialize) -> Result<()> {
        let histories = &mut self.settings.histories;
        if histories.is_empty() || number > histories.len() {
            return Err(Error::usage(format!(
                "there is no history {number}; the session has {}, and the first has to be given when it is opened",
                histories.len()
            )));
        }
        let messages = serde_json::to_value(messages)
            .map_err(|error| Error::usage("the history has no JSON form").because(error))?;
        match histories.get_mut(number) {
            Some(history) => *history = messages,
            None => histories.push(messages),
        }
        self.state().histories = Arc::new(self.settings.histories.clone());
        Ok(())
    }
}

/// Names that begin as ours do are not the embedder's to bind or read.
pub(crate) fn check_name(name: &str) -> Result<()> {
    if name.len() > NAME_BYTES {
        return Err(Error::usage(format!(
            "the name of a variable has {} bytes; shorten it to {NAME_BYTES} bytes",
            name.len()
        )));
    }
    if is_identifier(name) && !name.starts_with("_rlm_") {
        return Ok(());
    }
    Err(Error::usage(format!(
        "`{name}` is not a name that a variable can have"
    )))
}
