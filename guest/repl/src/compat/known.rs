//! What a script is read by: the session that it runs in, and what earlier
//! scripts of that have brought.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// What is known of a session when a script is rewritten.
pub(crate) struct Known<'a> {
    /// Whether a name is, or calls, a host function.
    pub(crate) asks: &'a dyn Fn(&str) -> bool,
    /// Tells the names of host functions.
    pub(crate) is_host: &'a dyn Fn(&str) -> bool,
    /// Whether scripts have bound a name themselves.
    pub(crate) is_own: &'a dyn Fn(&str) -> bool,
    pub(crate) habits: &'a Habits,
}

/// What scripts of a session have done that later ones must be read by.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Habits {
    /// Instances may say themselves which is less.
    pub(crate) order: bool,
    /// There may be named tuples.
    pub(crate) rows: bool,
    /// There may be kinds that are no types in Monty.
    pub(crate) kinds: bool,
    /// Names that imports at the top level have bound.
    pub(crate) imported: BTreeSet<String>,
    /// Names by which imports have bound modules that have other names, with these.
    pub(crate) aliases: BTreeMap<String, String>,
}

impl Habits {
    /// Returns what is still known where these names are bound: what is known of others was said of something that is not there.
    pub(crate) fn with_names(&self, is_bound: &dyn Fn(&str) -> bool) -> Self {
        let mut habits = self.clone();
        habits.imported.retain(|name| is_bound(name));
        habits.aliases.retain(|name, _| is_bound(name));
        habits
    }
}
