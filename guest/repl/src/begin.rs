//! The beginning of a script: read, checked, prepared, fed.

use std::sync::Arc;

use monty::{MontyRepl, ReplStartError};
use monty_types::{MontyException, MontyObject, NamedValues};

use crate::bindings::exports::rlm::sandbox::repl::Failure;
use crate::edits::Edits;
use crate::failure::{Fed, plain, refusal, say_place, unwrapped};
use crate::hints::Offered;
use crate::host::Host;
use crate::profile::Origin;
use crate::repl::Repl;
use crate::scaffold::{Before, SETTLE};
use crate::script::{Around, Script, Tail};
use crate::source::normalize;
use crate::turn::Progress;
use crate::validate::unreadable;
use crate::wrap::as_main;
use crate::{allocations, caps, compat, nesting, report, unfinished};

impl<H: Host> Repl<H> {
    /// Checks a script and feeds it; gives the namespace back if it may not run.
    pub(crate) fn start(
        &mut self,
        mut repl: Box<MontyRepl>,
        source: &str,
    ) -> Result<Progress, (Box<MontyRepl>, Box<Failure>)> {
        let offered = Offered::new(&self.profile, self.contexts.count());
        let mut source = normalize(source, self.profile.fences);
        if let Some(failure) = unreadable(&source, self.limits.source_bytes) {
            return Err((repl, failure));
        }
        if let Err(error) = repl.check_source(&source) {
            let failure = Box::new(self.failure(&error));
            return Err((repl, failure));
        }
        if let Err(refused) = nesting::check(&source) {
            let failure = refusal(refused, self.scripts.next_name(), &source, offered);
            return Err((repl, Box::new(failure)));
        }
        let written = Arc::from(&*source);
        let parsed = ruff_python_parser::parse_module(&source);
        if let Err(error) = &parsed
            && let Some(refused) = unfinished::refusal(&source, error)
        {
            let mut failure = refusal(refused, self.scripts.next_name(), &source, offered);
            say_place(&mut failure);
            return Err((repl, Box::new(failure)));
        }
        let Ok(parsed) = parsed else {
            // Let Monty word the complaint.
            let fed = Fed {
                edits: Edits::none(&source),
                source: written,
                text: &source,
                awaited: Vec::new(),
                defines_code: false,
            };
            self.scripts.add(&mut repl, fed);
            self.tail = Tail::default();
            return Ok(self.push(repl, &source, NamedValues::new()));
        };
        if let Err(refused) = caps::check_tokens(&source, parsed.tokens()) {
            let failure = refusal(refused, self.scripts.next_name(), &source, offered);
            return Err((repl, Box::new(failure)));
        }
        if let Some(failure) = caps::no_room(repl.room(), &source, parsed.tokens()) {
            return Err((repl, failure));
        }
        let main = match self.profile.wraps_return {
            true => as_main(&source, &parsed),
            false => None,
        };
        let is_wrapped = main.is_some();
        let parsed = match main {
            Some((text, again)) => {
                source = text.into();
                again
            }
            None => parsed,
        };
        let around = Around {
            profile: &self.profile,
            functions: &self.askable,
            asking: &self.scaffold.asking,
            known: (!self.stores_unseen).then_some(&self.names[..]),
            names: &self.names,
            value_bytes: self.limits.value_bytes,
            wrapped: is_wrapped,
            habits: self.profile.compat.then_some(&self.scaffold.habits),
            has_pools: self.scaffold.has_pools(),
        };
        let script = Script::new(&source, &parsed, &around);
        drop(parsed);
        let mut script = match script {
            Ok(script) => script,
            Err(refused) => {
                let mut failure = refusal(refused, self.scripts.next_name(), &source, offered);
                if is_wrapped {
                    failure = unwrapped(failure);
                }
                return Err((repl, Box::new(failure)));
            }
        };
        let is_scripts = |name: &&String| self.is_scripts(name);
        let (names, stores) = (self.names.iter(), script.stores.iter());
        let stores = stores.chain(&script.later);
        if let Some(message) = caps::too_many(names.filter(is_scripts), stores.filter(is_scripts)) {
            return Err((repl, Box::new(plain("RuntimeError", "other", message))));
        }
        let (fed, bound) = allocations::uncharged(|| self.prepare(repl, &mut script));
        allocations::charge_above(self.uncharged_bytes());
        repl = fed;
        if let Err(error) = bound {
            if self.is_limit {
                let uncatchable = true;
                let error = ReplStartError {
                    repl: *repl,
                    error,
                    uncatchable,
                };
                self.tail = Tail::default();
                return Ok(Err(Box::new(error)));
            }
            let failure = Box::new(self.failure(&error));
            return Err((repl, failure));
        }
        self.stores_unseen |= script.stores_unseen;
        self.rewrites = compat::told(&source, &script.rewritten.rewrites);
        self.tail = script.tail;
        let mut fed = script.fed;
        if !self.tail.is_apart {
            let settles = self.tail.settles.then_some(SETTLE);
            for line in settles
                .into_iter()
                .chain(self.tail.question.value.as_deref())
            {
                fed.push('\n');
                fed.push_str(line);
            }
        }
        let noted = Fed {
            source: written,
            text: &fed,
            edits: script.edits,
            awaited: script.awaited,
            defines_code: script.defines_code,
        };
        self.scripts.add(&mut repl, noted);
        let mut marks = NamedValues::new();
        if self.tail.is_apart {
            // Of another script, perhaps.
            marks.push(String::from("_rlm_value"), MontyObject::none());
        }
        for (mark, value) in script.marks {
            marks.push(mark.to_owned(), MontyObject::bool(value));
        }
        allocations::begin(self.limits.allocations, 0);
        Ok(self.push(repl, &fed, marks))
    }

    /// Returns the bytes that count for no script, at most: of the interpreter, of contexts and histories, and of our
    /// own code.
    pub(crate) fn uncharged_bytes(&self) -> usize {
        const OWN_CODE: usize = 8 << 20;
        self.start_bytes
            .saturating_add(self.contexts.footprint())
            .saturating_add(self.scaffold.histories_footprint())
            .saturating_add(OWN_CODE)
    }

    /// Binds what a script needs that was not bound yet.
    fn prepare(
        &mut self,
        mut repl: Box<MontyRepl>,
        script: &mut Script,
    ) -> (Box<MontyRepl>, Result<MontyObject, MontyException>) {
        repl.restore_streams();
        self.scaffold.contexts = self.contexts.count();
        let mut before = self.scaffold.prepare(
            script,
            &self.profile,
            &self.functions,
            &self.names,
            &self.host,
        );
        let (repl, bound) = self.feed_before(repl, script, &mut before);
        match bound {
            Ok(_) => self.scaffold.commit(before),
            Err(_) => {
                self.scaffold.revert(before);
                self.contexts.renew();
            }
        }
        (repl, bound)
    }

    /// Feeds what [`Scaffold::prepare`](crate::scaffold::Scaffold::prepare) wants fed, and contexts.
    fn feed_before(
        &mut self,
        repl: Box<MontyRepl>,
        script: &Script,
        before: &mut Before,
    ) -> (Box<MontyRepl>, Result<MontyObject, MontyException>) {
        self.is_limit = false;
        let names = script.mentioned.iter().map(String::as_str);
        let names = names.filter(|name| {
            self.profile.origin(name) == Some(Origin::Context) && !self.scaffold.owns(name)
        });
        if before.has_stale_contexts {
            self.contexts.renew();
        }
        let inputs = self.contexts.inputs(
            &self.host,
            names,
            script.defines_code,
            before.has_forged_contexts,
        );
        let mut inputs = match inputs {
            Ok(inputs) => inputs,
            Err(error) => return (repl, Err(error)),
        };
        for (name, line) in self.contexts.renewals(&script.mentioned) {
            if !self.scaffold.owns(name) {
                before.line(line);
            }
        }
        for (name, value) in before.inputs.drain(..) {
            inputs.push(name, value);
        }
        if self.limits.value_bytes > report::SHOWN_BYTES {
            before.line(&format!("_rlm_kit['shown'][0]={}", self.limits.value_bytes));
        }
        if before.text.is_empty() && inputs.is_empty() {
            return (repl, Ok(MontyObject::none()));
        }
        let text = match before.text.as_str() {
            "" => "pass",
            text => text,
        };
        let mut repl = repl;
        repl.feed_own_code(true);
        let (mut repl, result) = self.feed(repl, text, inputs);
        repl.feed_own_code(false);
        (repl, result)
    }
}
