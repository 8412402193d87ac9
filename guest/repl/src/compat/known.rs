//! Facts that a script is read by: the session that it runs in, and what earlier
//! scripts of that have brought.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::imports::Imported;

/// Facts about a session when a script is rewritten.
pub(crate) struct Known<'a> {
    /// True if a name is, or calls, a host function.
    pub(crate) asks: &'a dyn Fn(&str) -> bool,
    /// Tells the names of host functions.
    pub(crate) is_host: &'a dyn Fn(&str) -> bool,
    /// True if a name means something of the host's again before each script.
    pub(crate) is_renewed: &'a dyn Fn(&str) -> bool,
    /// True if a module may be imported.
    pub(crate) allows: &'a dyn Fn(&str) -> bool,
    /// True if scripts have bound a name themselves.
    pub(crate) is_own: &'a dyn Fn(&str) -> bool,
    pub(crate) habits: &'a Habits,
}

/// Effects of scripts of a session on how later ones are read.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Habits {
    /// There may be kinds that are no types in Monty.
    pub(crate) kinds: bool,
    /// Names that imports at the top level have bound, and to what.
    pub(crate) imported: BTreeMap<String, Imported>,
}

impl Habits {
    /// Returns what is still known where these names are bound: what is known of others was said of something that is not there.
    pub(crate) fn with_names(&self, is_bound: &dyn Fn(&str) -> bool) -> Self {
        let mut habits = self.clone();
        habits.imported.retain(|name, _| is_bound(name));
        habits
    }
}
