//! Workers of `concurrent.futures` that call host functions.
//!
//! While a pool works, the names of host functions mean functions of
//! `modules/concurrent.py`, which let other workers run while one waits, so that
//! the host is asked all at once. That is done where the names are, by a function
//! that has to name them all.

use crate::functions::Functions;
use crate::profile::Profile;

/// Names of scripts that mean something else while a pool works, beside those of the session.
pub(crate) const CLOCKS: [&str; 2] = ["time", "sleep"];

/// The names of what workers are given in another form: functions and namespaces
/// whose calls may have to wait, and `print`.
pub(crate) fn names(profile: &Profile, functions: &Functions) -> Vec<String> {
    let models = profile.models().map(str::to_owned);
    let own = functions
        .names()
        .filter(|name| !functions.is_awaitable(name));
    models
        .chain(own.cloned())
        .chain([String::from("print")])
        .collect()
}

/// Defines `_rlm_swap(turn)`, which has each of the names mean what `turn` says.
pub(crate) fn source(profile: &Profile, functions: &Functions) -> String {
    let mut all = names(profile, functions);
    all.extend(CLOCKS.map(String::from));
    let mut text = format!("def _rlm_swap(turn):\n global {}", all.join(","));
    for name in all {
        // Those that await what they get anyhow need nothing of ours.
        let (later, asked): (Vec<_>, Vec<_>) = functions
            .members(&name)
            .iter()
            .partition(|member| functions.is_awaitable(&format!("{name}.{member}")));
        let [asked, later] = [asked, later].map(|members| {
            let members: Vec<_> = members.into_iter().map(String::as_str).collect();
            members.join(" ")
        });
        text.push_str(&format!(
            "\n try:{name}=turn('{name}',{name},'{asked}','{later}')\n except NameError:pass"
        ));
    }
    text
}
