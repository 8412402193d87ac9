//! Names that a session defines besides those of Python, and their repair.
//!
//! Functions that are asked of the host need no binding. Those of the prelude
//! and the data are bound when a script first mentions them, so a session pays
//! for what it uses. A name that a script overwrote is bound again before the
//! next one.

use std::collections::{BTreeMap, BTreeSet};

use monty_types::{BuiltinsFunctions, MontyObject};
use serde::{Deserialize, Serialize};

use crate::allocations;
use crate::compat::{self, Habits};
use crate::contexts::Count;
use crate::functions::Functions;
use crate::host::{Host, Reply};
use crate::modules;
use crate::pools;
use crate::profile::{Origin, Profile};
use crate::script::Script;
use crate::value;

/// The dictionary `answer` before a script has filled it in.
pub(crate) const ANSWER: &str = "answer={'content': '', 'ready': False}";

/// Leaves the `with` statements of ours that the script is in; see `modules/module.py`.
const LEAVE: &str = "_rlm_kit['leave']()";

/// The module that asks for many things at once.
pub(crate) const POOLS: &str = "concurrent";
/// Has pools do what nothing has waited for.
pub(crate) const SETTLE: &str = "_rlm_kit['settle']()";
/// Drops what pools have not begun, so that nothing of a script runs in the next one.
const DROP: &str = "_rlm_kit['drop']()";
/// Modules with `with` statements that a finisher has to leave.
const ENTERED: [&str; 3] = ["contextlib", "threading", "warnings"];

/// The names that are bound, and changes that scripts made to them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Scaffold {
    bound: BTreeSet<String>,
    /// Data that scripts bound themselves.
    own: BTreeSet<String>,
    /// Names that are to be bound again.
    overwritten: BTreeSet<String>,
    /// Modules that were fed.
    modules: BTreeSet<String>,
    /// Functions that scripts defined and that call host functions.
    pub(crate) asking: BTreeSet<String>,
    /// Names that the current script binds.
    stores: BTreeSet<String>,
    /// The number of contexts: names that are bound to none are variables as any others.
    pub(crate) contexts: Count,
    /// Names that functions may bind for everybody, whenever they are called. Those of scripts are among them, since a
    /// later instance may have functions of these names.
    later: BTreeSet<String>,
    /// Effects of scripts on how later ones are read.
    pub(crate) habits: Habits,
    /// Names of conversations that functions may read.
    histories: BTreeSet<String>,
    /// Bytes that the conversations which were bound last take, at most.
    history_bytes: BTreeMap<String, usize>,
    /// Names that may lead to functions that run as tasks.
    of_tasks: BTreeSet<String>,
    /// True if what pools put in the place of functions may be of other functions.
    #[serde(skip)]
    has_stale_pools: bool,
}

/// Text and values that are fed before a script, and what the scaffold notes once they are.
#[derive(Default)]
pub(crate) struct Before {
    pub(crate) text: String,
    pub(crate) inputs: Vec<(String, MontyObject)>,
    /// True if a script may have bound names of contexts.
    pub(crate) has_stale_contexts: bool,
    /// True if the script before this one bound names of contexts.
    pub(crate) has_forged_contexts: bool,
    /// Names that the text binds for the first time.
    bound: Vec<String>,
    /// Modules that the text defines for the first time.
    modules: Vec<String>,
    /// Names that the text or the inputs bind again.
    overwritten: BTreeSet<String>,
    /// True if the text defines again what pools put in the place of functions.
    renews_pools: bool,
    habits: Habits,
}

impl Before {
    pub(crate) fn line(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }
}

impl Scaffold {
    /// Returns the bytes that the conversations which are bound take, at most.
    pub(crate) fn histories_footprint(&self) -> usize {
        self.history_bytes.values().sum()
    }

    /// Readies the namespace, in which `names` are bound, for `script`.
    pub(crate) fn prepare(
        &mut self,
        script: &mut Script,
        profile: &Profile,
        functions: &Functions,
        names: &[String],
        host: &impl Host,
    ) -> Before {
        let mut before = Before {
            overwritten: self.overwritten.clone(),
            ..Before::default()
        };
        let mut overwritten = std::mem::take(&mut self.overwritten);
        let is_context = |name: &String| profile.origin(name) == Some(Origin::Context);
        before.has_forged_contexts = overwritten.iter().any(is_context);
        let later = self.later.iter();
        overwritten.extend(
            later
                .filter(|name| is_renewed(name, profile, functions))
                .cloned(),
        );
        for name in overwritten {
            match profile.origin(&name) {
                Some(Origin::Prelude) => {
                    self.bound.remove(&name);
                    script.mentioned.insert(name);
                }
                Some(Origin::Context) => before.has_stale_contexts = true,
                Some(Origin::Asked) => before
                    .inputs
                    .push((name.clone(), MontyObject::function(name, None))),
                Some(_) => {}
                None if profile.restores(&name) => {
                    let builtin = match name.as_str() {
                        "open" => BuiltinsFunctions::Open,
                        _ => BuiltinsFunctions::Print,
                    };
                    let builtin = MontyObject::builtin_function(builtin);
                    before.inputs.push((name, builtin));
                }
                None => {
                    let value = functions.value(&name);
                    before.inputs.push((name, value));
                }
            }
        }
        script.mentioned.extend(self.histories.iter().cloned());
        if script.defines_code {
            let is_history = |name: &&String| {
                profile.origin(name) == Some(Origin::Data) && name.starts_with("history")
            };
            let names = script.mentioned.iter().filter(is_history);
            self.histories.extend(names.cloned());
        }
        for name in &script.mentioned {
            match profile.origin(name) {
                Some(Origin::Prelude) if self.bound.insert(name.clone()) => {
                    before.bound.push(name.clone());
                    before.line(&format!("{name}=_rlm_kit['{name}']"));
                }
                Some(Origin::Data) if name.starts_with("history") => {
                    if let Some((value, bytes)) = history(name, host) {
                        before.inputs.push((name.clone(), value));
                        self.history_bytes.insert(name.clone(), bytes);
                    }
                }
                Some(Origin::Data) if self.bound.insert(name.clone()) => {
                    before.bound.push(name.clone());
                    before.line(if name == "answer" {
                        ANSWER
                    } else {
                        "buffers=[]"
                    });
                }
                _ => {}
            }
        }
        for name in &script.helpers {
            let bound = format!("_rlm_{name}");
            if self.bound.insert(bound.clone()) {
                before.bound.push(bound);
                before.line(&format!("_rlm_{name}=_rlm_kit['{name}']"));
            }
        }
        for group in &script.rewritten.helpers {
            self.help(group, &mut before);
        }
        for line in &script.rewritten.lines {
            before.line(line);
        }
        before.habits = std::mem::take(&mut script.rewritten.habits);
        if !script.modules.is_empty() && self.modules.is_empty() {
            before.line(modules::BASE);
        }
        if std::mem::take(&mut self.has_stale_pools) && self.has_pools() {
            before.renews_pools = true;
            before.line(&pools::source(profile, functions));
            self.later.extend(pools::names(profile, functions));
        }
        for module in &script.modules {
            if self.modules.insert((*module).to_owned()) {
                before.modules.push((*module).to_owned());
                if *module == "warnings" {
                    self.help("exceptions", &mut before);
                }
                if *module == POOLS {
                    before.line(&pools::source(profile, functions));
                    self.later.extend(pools::names(profile, functions));
                }
                before.line(&modules::source(module));
            }
        }
        let runs_tasks = self.runs_tasks(script, names);
        if self
            .modules
            .iter()
            .any(|module| ENTERED.contains(&module.as_str()))
        {
            // A generator of another script may be in a `with` statement.
            before.line("_rlm_kit['entered'].clear()");
        }
        if self.has_pools() {
            // Another script may have been stopped while a pool worked.
            before.line("_rlm_kit['workers'].clear()");
            let is_bound = |name: &str| {
                let bound = |other: &String| other.as_str().cmp(name);
                names.binary_search_by(bound).is_ok()
            };
            before.line(&self.leave_pools(is_bound).unwrap_or_default());
            before.line("_rlm_kit['turn'][0]=None");
            before.line("_rlm_kit['held'][0]=0");
            before.line(match runs_tasks {
                true => "_rlm_kit['is_async']=True",
                false => "_rlm_kit['is_async']=False",
            });
        }
        self.asking.retain(|name| !script.stores.contains(name));
        self.asking.extend(std::mem::take(&mut script.asking));
        self.note_later(std::mem::take(&mut script.later));
        self.stores.clear();
        self.note_stores(std::mem::take(&mut script.stores), profile, functions);
        before
    }

    /// Returns whether functions of `script`, or of what it names, may run as tasks. If so, what it binds, and those of the
    /// bound `names` that are in it, may lead to such functions from then on.
    fn runs_tasks(&mut self, script: &Script, names: &[String]) -> bool {
        let is_named = |name: &&String| script.fed.contains(name.as_str());
        if !script.defines_async && !self.of_tasks.iter().any(|name| is_named(&name)) {
            return false;
        }
        let reached = names.iter().filter(is_named).chain(&script.stores);
        self.of_tasks.extend(reached.cloned());
        true
    }

    /// Has a group of functions of ours be there.
    fn help(&mut self, group: &str, before: &mut Before) {
        let bound = format!("_rlm_compat_{group}");
        if self.bound.insert(bound.clone()) {
            before.bound.push(bound);
            before.line(compat::helper_source(group));
        }
    }

    /// Notes that `before` was fed.
    pub(crate) fn commit(&mut self, before: Before) {
        self.habits = before.habits;
    }

    /// Takes back what [`Scaffold::prepare`] noted, because `before` was not fed, or not
    /// to its end: the next script that needs any of it feeds it again.
    pub(crate) fn revert(&mut self, before: Before) {
        for name in before.bound {
            self.bound.remove(&name);
        }
        for module in before.modules {
            self.modules.remove(&module);
        }
        self.overwritten.extend(before.overwritten);
        self.has_stale_pools |= before.renews_pools;
    }

    /// Returns what leaves everything that a finisher ended the script at hand in: `with`
    /// statements of ours, and a worker of a pool. `None` if it can be in none.
    pub(crate) fn leave(&self, is_bound: impl Fn(&str) -> bool) -> Option<String> {
        if self.modules.is_empty() {
            return None;
        }
        let mut text = LEAVE.to_owned();
        if let Some(clocks) = self.leave_pools(is_bound) {
            text.push('\n');
            text.push_str(&clocks);
        }
        Some(text)
    }

    /// Returns what has the names of clocks mean what they meant before a pool worked, or before one was to work, and drops
    /// calls that no pool has begun. `None` if there is no pool.
    pub(crate) fn leave_pools(&self, is_bound: impl Fn(&str) -> bool) -> Option<String> {
        if !self.has_pools() {
            return None;
        }
        let clocks = pools::CLOCKS.into_iter().filter(|name| is_bound(name));
        let clocks = clocks.map(|name| format!("{name}=_rlm_kit['native']('{name}',{name})"));
        let lines: Vec<_> = clocks.chain([DROP.to_owned()]).collect();
        Some(lines.join("\n"))
    }

    /// Returns whether scripts may have calls in pools.
    pub(crate) fn has_pools(&self) -> bool {
        self.modules.contains(POOLS)
    }

    /// Forgets that an import bound a name, which is something else by now.
    pub(crate) fn forget_import(&mut self, name: &str) {
        self.habits.imported.remove(name);
    }

    /// Notes what functions may bind whenever they are called.
    pub(crate) fn note_later(&mut self, later: BTreeSet<String>) {
        self.later.extend(later);
    }

    /// Notes what the script at hand binds.
    pub(crate) fn note_stores(
        &mut self,
        stores: BTreeSet<String>,
        profile: &Profile,
        functions: &Functions,
    ) {
        for name in &stores {
            match profile.origin(name) {
                // These are common words, and a variable of a script's stays its own.
                Some(Origin::Data) => {
                    self.own.insert(name.clone());
                }
                Some(_) if is_common(name) => {
                    self.own.insert(name.clone());
                }
                Some(Origin::Context) if !self.contexts.defines(name) => {
                    self.own.insert(name.clone());
                }
                Some(Origin::Asked | Origin::Prelude | Origin::Context) => {
                    self.overwritten.insert(name.clone());
                }
                None if profile.restores(name) || functions.defines(name) => {
                    self.overwritten.insert(name.clone());
                }
                None => {}
            }
        }
        self.stores.extend(stores);
    }

    /// Has names of functions bound again before the next script, of those in `names`, which are bound: what was
    /// written down may be of a session without these functions, whose scripts gave the names values of their own,
    /// or of another plugin.
    pub(crate) fn renew_functions(&mut self, functions: &Functions, names: &[String]) {
        let is_function = |name: &&String| functions.defines(name);
        let bound = names.iter().chain(&self.stores).filter(is_function);
        self.overwritten.extend(bound.cloned());
        self.overwritten.extend(functions.namespaces().cloned());
        self.has_stale_pools = true;
    }

    /// Has everything of ours bound again once a script mentions it, but for data: another version of this crate bound it.
    pub(crate) fn renew_prelude(&mut self, profile: &Profile) {
        self.bound
            .retain(|name| profile.origin(name) == Some(Origin::Data));
        self.modules.clear();
        self.has_stale_pools = true;
    }

    /// Returns whether a script has made `name` its own.
    pub(crate) fn owns(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// Returns whether the dictionary `answer` may say that the run is done.
    pub(crate) fn has_answer(&self) -> bool {
        self.bound.contains("answer")
    }

    /// Has names mean the contexts that there are now, and returns those that scripts had
    /// bound.
    pub(crate) fn disown_contexts(&mut self, count: Count, profile: &Profile) -> BTreeSet<String> {
        self.contexts = count;
        let is_context =
            |name: &String| profile.origin(name) == Some(Origin::Context) && count.defines(name);
        let (contexts, own) = std::mem::take(&mut self.own)
            .into_iter()
            .partition(is_context);
        self.own = own;
        contexts
    }

    /// Begins with a new dictionary `answer`.
    pub(crate) fn renew_answer(&mut self) {
        self.own.remove("answer");
    }

    /// Returns whether scripts made `name`, not we.
    pub(crate) fn is_scripts(&self, name: &str, profile: &Profile, functions: &Functions) -> bool {
        if name.starts_with('_') || functions.defines(name) {
            return false;
        }
        match profile.origin(name) {
            None => !profile.restores(name),
            Some(_) => self.own.contains(name) && !name.starts_with("history"),
        }
    }

    /// Names that scripts made, or the one at hand may have made, sorted.
    pub(crate) fn candidates(
        &self,
        names: &[String],
        profile: &Profile,
        functions: &Functions,
    ) -> BTreeSet<String> {
        let all = names.iter().chain(&self.stores);
        all.filter(|name| self.is_scripts(name, profile, functions))
            .cloned()
            .collect()
    }
}

/// Returns whether `name`, which functions of scripts may bind, is bound again before each script.
fn is_renewed(name: &str, profile: &Profile, functions: &Functions) -> bool {
    profile.restores(name)
        || functions.defines(name)
        || match profile.origin(name) {
            Some(Origin::Asked | Origin::Prelude) => !is_common(name),
            Some(Origin::Context) => true,
            _ => false,
        }
}

/// Returns whether the name of a function of ours is one that variables have.
fn is_common(name: &str) -> bool {
    matches!(name, "budget" | "log")
}

/// Returns the conversation of that number from the host, if there is one, and the bytes that it
/// takes as a value, at most.
fn history(name: &str, host: &impl Host) -> Option<(MontyObject, usize)> {
    let number = name.strip_prefix("history_").unwrap_or("0");
    match host.call_tool(
        "history",
        &format!("{{\"args\":[{number}],\"kwargs\":{{}}}}"),
    ) {
        Reply::Returned(json) if json != "null" => {
            let (value, bytes) = allocations::measured(|| value::decode(&json, true).ok());
            Some((value?, bytes.saturating_mul(value::OBJECTS_FOR_NODES)))
        }
        _ => None,
    }
}
