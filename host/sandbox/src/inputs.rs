//! What an embedder gives to a session: variables, contexts, conversations.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Serialize;

use crate::base::Stored;
use crate::builder::check_context;
use crate::caps::{CONTEXTS, NAME_BYTES, NAMES};
use crate::context::Context;
use crate::guest_state::Readable;
use crate::journal::Histories;
use crate::profile::Name;
use crate::session::{Session, Stay};
use crate::state::Variable;
use crate::tool::is_identifier;
use rlm_sandbox_engine::{Error, Result};

/// Conversations of one session.
const HISTORIES: usize = 1000;

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
        self.set_all([(name.into(), value)])
    }

    /// Binds several names, from the next exec on, or none of them.
    ///
    /// # Errors
    ///
    /// The errors of [`set`](Self::set), before anything is bound.
    pub fn set_all<V: Serialize>(
        &mut self,
        variables: impl IntoIterator<Item = (String, V)>,
    ) -> Result<()> {
        let staged = self.stage(variables, false)?;
        self.enqueue(staged);
        Ok(())
    }

    /// Binds to `None`, from the next exec on, those of the names that can be bound, so that other
    /// values have the memory of theirs.
    ///
    /// # Errors
    ///
    /// The errors of [`set`](Self::set) if the values that wait take too much memory.
    #[doc(hidden)]
    pub fn unset<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let names = names.into_iter().map(|name| (name.to_owned(), ()));
        let staged = self.stage(names, true)?;
        self.enqueue(staged);
        Ok(())
    }

    fn enqueue(&mut self, staged: Staged) {
        let waiting = self.durable.queued.len();
        self.durable.queued.extend(staged.new);
        for (place, value) in staged.replaced {
            debug_assert!(place < waiting, "new values are staged in their place");
            if let Some(variable) = self.durable.queued.get_mut(place) {
                variable.json = value;
            }
        }
    }

    /// Checks values, and finds the places of the queue that they take. Leaves out names that
    /// cannot be bound, where it `skips` them.
    fn stage<V: Serialize>(
        &self,
        variables: impl IntoIterator<Item = (String, V)>,
        skips: bool,
    ) -> Result<Staged> {
        let reserved = Reserved::of(self);
        let queued = self.durable.queued.iter().enumerate();
        let queued: HashMap<&str, (usize, u64)> = queued
            .map(|(place, variable)| (variable.name.as_str(), (place, variable.json.len() as u64)))
            .collect();
        // The names that there are, once it matters whether one more fits.
        let mut known: Option<HashSet<String>> = None;
        let mut bytes: u64 = queued.values().map(|(_, bytes)| bytes).sum();
        let most = self.settings.limits.memory_bytes;
        let (mut staged, mut places) = (Staged::default(), HashMap::<String, usize>::new());
        for (name, value) in variables {
            let checked = reserved.check(&name);
            let json = match checked.and_then(|()| self.check_variable(&name, value)) {
                Err(_) if skips => continue,
                json => json?,
            };
            if self.durable.names.len() + self.durable.queued.len() + staged.new.len() >= NAMES {
                let known = known.get_or_insert_with(|| {
                    let names = self.durable.names.iter().cloned();
                    let queued = queued.keys().map(|name| (*name).to_owned());
                    names.chain(queued).chain(places.keys().cloned()).collect()
                });
                if known.len() >= NAMES && !known.contains(&name) {
                    if skips {
                        continue;
                    }
                    return Err(Error::limit(format!(
                        "the session has {NAMES} variables, which is the most; put values into one dict"
                    )));
                }
                known.insert(name.clone());
            }
            let in_queue = queued.get(name.as_str());
            let in_new = places.get(&name).copied();
            let replaced = match (in_queue, in_new) {
                (Some((place, before)), _) => {
                    let staged = staged.replaced.get(place);
                    staged.map_or(*before, |json| json.len() as u64)
                }
                (None, Some(place)) => match staged.new.get(place) {
                    Some(variable) => variable.json.len() as u64,
                    None => 0,
                },
                (None, None) => 0,
            };
            bytes = bytes - replaced + json.len() as u64;
            if bytes > most {
                return Err(Error::limit(format!(
                    "the values that wait for the next exec take more than {most} bytes of JSON, the memory limit; run one first"
                )));
            }
            match (in_queue, in_new) {
                (Some((place, _)), _) => drop(staged.replaced.insert(*place, json)),
                (None, Some(place)) => staged.new[place] = Variable { name, json },
                (None, None) => {
                    places.insert(name.clone(), staged.new.len());
                    staged.new.push(Variable { name, json });
                }
            }
        }
        Ok(staged)
    }

    /// Returns the bytes of what waits for the session to go on: names and values for the next exec,
    /// and of a script that waits itself, its output so far and the answers that it has not taken. Of a session that
    /// was restored also those of what the file says of it, functions and profile among them.
    pub fn queued_bytes(&mut self) -> u64 {
        let waiting = match self.doing.is_suspended() {
            true => Stay::new(self).0.waiting_bytes(),
            false => 0,
        };
        let queued = self.durable.queued.iter();
        let queued = queued.map(|Variable { name, json }| {
            (name.capacity() + json.capacity() + size_of::<Variable>()) as u64
        });
        let queued: u64 = queued.sum();
        waiting + queued + self.described.bytes() + self.restored.bytes()
    }

    fn waiting_bytes(&mut self) -> u64 {
        let settled = self.in_flight.settled.iter();
        let answers: u64 = settled.map(|settled| settled.answer.text_bytes()).sum();
        let output = &self.state().output;
        answers.saturating_add(output.printed.bytes())
    }

    /// Returns the bytes of the state that the session's next instance loads, without its
    /// contexts: none before the first exec, and none of pages, which are mapped and count in
    /// [`SandboxLimits::memory_bytes`](crate::SandboxLimits::memory_bytes).
    pub fn state_bytes(&self) -> u64 {
        let before = self.doing.before().map(|before| &before.base);
        let bases = before.into_iter().chain([&self.checkpoint.base]);
        let contexts = Readable::default();
        let bytes = bases.map(|base| match &base.stored {
            Stored::New => 0,
            Stored::Dump(dump) => dump.size_bytes(&contexts),
            Stored::Pages { .. } => 0,
        });
        bytes.sum()
    }

    /// The JSON of a value that may be bound.
    pub(crate) fn check_variable(&self, name: &str, value: impl Serialize) -> Result<String> {
        check_name(name)?;
        let json = serde_json::to_string(&value).map_err(|error| {
            Error::usage(format!("the value for `{name}` has no JSON form")).because(error)
        })?;
        if json.len() as u64 > self.settings.limits.memory_bytes {
            return Err(Error::limit(format!(
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
        self.durable.change_contexts();
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
        if removed {
            self.durable.change_contexts();
        }
        removed
    }

    /// Replaces all contexts, from the next exec on; none if these cannot be.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if two have one name, or if there are too many.
    pub fn set_contexts(&mut self, contexts: Vec<Context>) -> Result<()> {
        if contexts.len() > CONTEXTS {
            return Err(Error::usage(format!(
                "there are {} contexts; {CONTEXTS} are possible",
                contexts.len()
            )));
        }
        let mut names = HashSet::new();
        if let Some(twice) = contexts
            .iter()
            .find(|context| !names.insert(context.name()))
        {
            return Err(Error::usage(format!(
                "two contexts are named `{}`; rename one",
                twice.name()
            )));
        }
        self.settings.contexts = contexts;
        self.durable.change_contexts();
        Ok(())
    }

    /// Replaces the conversation of this number, or adds one where there is none
    /// yet; scripts see a copy of it as `history_0`, `history_1` and so on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if the session was opened without a
    /// [history](crate::SessionBuilder::history), which defines the name; if one was left
    /// out; if there are 1,000 already; or if the messages have no JSON form.
    pub fn set_history(&mut self, number: usize, messages: impl Serialize) -> Result<()> {
        self.set_histories([(number, messages)])
    }

    /// Replaces several conversations, or adds some, as [`set_history`](Self::set_history), or
    /// none of them. Takes one copy of all, however many change.
    ///
    /// # Errors
    ///
    /// The errors of [`set_history`](Self::set_history), before anything changes.
    pub fn set_histories<M: Serialize>(
        &mut self,
        histories: impl IntoIterator<Item = (usize, M)>,
    ) -> Result<()> {
        let mut count = self.settings.histories.len();
        let mut changes = Vec::new();
        for (number, messages) in histories {
            if count == 0 || number > count {
                return Err(Error::usage(format!(
                    "there is no history {number}; the session has {count}, and the first has to be given when it is opened"
                )));
            }
            if number >= HISTORIES.max(count) {
                return Err(Error::usage(format!(
                    "the session has {count} histories, which is the most; join some"
                )));
            }
            count = count.max(number + 1);
            let messages = serde_json::to_value(messages)
                .map_err(|error| Error::usage("the history has no JSON form").because(error))?;
            changes.push((number, Arc::from(messages.to_string())));
        }
        if changes.is_empty() {
            return Ok(());
        }
        let histories = Arc::make_mut(&mut self.settings.histories);
        for (number, messages) in changes {
            match histories.get_mut(number) {
                Some(history) => *history = messages,
                None => histories.push(messages),
            }
        }
        self.give_histories(Arc::clone(&self.settings.histories));
        Ok(())
    }

    /// Gives the session these conversations in place of all that it has.
    pub(crate) fn give_histories(&mut self, histories: Histories) {
        self.settings.histories = Arc::clone(&histories);
        Stay::new(self).0.state().histories = histories;
    }
}

/// Changes of the queue that were checked.
#[derive(Default)]
struct Staged {
    new: Vec<Variable>,
    /// Values by their place in the queue.
    replaced: HashMap<usize, String>,
}

/// The names that variables cannot have.
pub(crate) struct Reserved<'a> {
    /// Those of the profile, each once.
    defined: Vec<Name>,
    /// Those of tools and of plugins.
    tools: HashSet<&'a str>,
    /// The number of contexts that have names of their own, `context_0` and so on.
    contexts: usize,
}

impl<'a> Reserved<'a> {
    pub(crate) fn of(session: &'a Session) -> Self {
        let mut defined = Vec::new();
        for name in &session.settings.profile.names {
            if name.hides_variable() && !defined.contains(name) {
                defined.push(*name);
            }
        }
        let tools = session.settings.handlers.tools.iter();
        let tools = tools.filter_map(|tool| tool.name().split('.').next());
        Self {
            defined,
            tools: tools.collect(),
            contexts: match session.settings.profile.defines(Name::Context) {
                true => session.settings.contexts.len(),
                false => 0,
            },
        }
    }

    /// Checks that nothing of the session's own has the name.
    pub(crate) fn check(&self, name: &str) -> Result<()> {
        let is_defined = self.defined.iter().any(|defined| defined.is(name));
        if is_defined || self.tools.contains(name) {
            let by = if is_defined { "the profile" } else { "a tool" };
            return Err(Error::usage(format!(
                "`{name}` is defined by {by}, so scripts would not see a variable of that name; choose another"
            )));
        }
        let number = name.strip_prefix("context_").map(str::parse::<usize>);
        if let Some(Ok(number)) = number
            && number < self.contexts
        {
            return Err(Error::usage(format!(
                "`{name}` is the name of a context, so scripts would not see a variable of that name; choose another"
            )));
        }
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
