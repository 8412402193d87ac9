//! `--profile` and `--allow`: what Python sees.

use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};
use rlm_sandbox::Profile;

use crate::{read_up_to, usage};

/// The options of every command that has to do with scripts.
#[derive(Debug, Args)]
pub(crate) struct ProfileOptions {
    /// What Python sees: a name, or a TOML file [default: rlm]
    ///
    /// A wrong NAME lists those there are.
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,

    /// Allows what the profile does not
    #[arg(long, value_name = "WHAT")]
    pub(crate) allow: Vec<Allowed>,

    /// Runs scripts as they are: what the interpreter lacks is not rewritten
    #[arg(long)]
    pub(crate) no_compat: bool,
}

/// What can be allowed on top of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allowed {
    /// `eval` and `exec`
    Eval,
}

impl ProfileOptions {
    pub(crate) fn read(&self) -> Result<Profile> {
        self.read_or("rlm")
    }

    /// Returns whether the profile is a file, which may set limits.
    pub(crate) fn is_file(&self) -> bool {
        self.profile.as_deref().is_some_and(is_path)
    }

    /// With another one than `rlm` where none was given.
    pub(crate) fn read_or(&self, default: &str) -> Result<Profile> {
        let mut profile = match &self.profile {
            None => Profile::named(default)?,
            Some(given) => named(given)?,
        };
        profile.eval |= self.allow.contains(&Allowed::Eval);
        profile.compat &= !self.no_compat;
        Ok(profile)
    }
}

/// Returns whether it looks like a path, and so is one.
fn is_path(given: &str) -> bool {
    given.contains(std::path::MAIN_SEPARATOR) || Path::new(given).extension().is_some()
}

fn named(given: &str) -> Result<Profile> {
    if Path::new(given).is_dir() && !Profile::names_carried().any(|name| name == given) {
        return Err(usage(format!(
            "{given} is a folder; name a profile, or a TOML file"
        )));
    }
    if !is_path(given) {
        return Ok(Profile::named(given)?);
    }
    let path = Path::new(given);
    let text = String::from_utf8(read_up_to(path, Profile::MOST_BYTES as u64)?)
        .map_err(|_| usage(format!("{given} is not UTF-8; a profile is a TOML file")))?;
    Profile::parse(&text).map_err(|error| usage(format!("{given}: {error}")))
}
