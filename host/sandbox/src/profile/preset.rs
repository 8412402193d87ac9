//! Profiles as files: those that are carried, and a reader's own.

use include_dir::{Dir, include_dir};

use super::Profile;
use rlm_sandbox_engine::{Error, Result};

/// One file for each profile that is carried.
static PRESETS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/profiles");

/// The names of the profiles that are carried, sorted.
#[derive(Clone, Debug)]
pub struct ProfileNames(std::vec::IntoIter<&'static str>);

impl Iterator for ProfileNames {
    type Item = &'static str;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl Profile {
    /// Bytes of the text of a profile: 1 MiB. Read, a short entry of TOML takes a hundred times as many.
    pub const MOST_BYTES: usize = 1 << 20;

    /// One of the profiles that this library carries.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if there is none of that name.
    pub fn named(name: &str) -> Result<Self> {
        let file = PRESETS.get_file(format!("{name}.toml"));
        let text = file.and_then(|file| file.contents_utf8());
        let text = text.ok_or_else(|| {
            let all: Vec<_> = Self::names_carried().collect();
            Error::usage(format!(
                "there is no profile `{name}`; there are {}, or write a file of your own",
                all.join(", ")
            ))
        })?;
        Self::parse(text)
    }

    /// The names that [`named`](Self::named) knows.
    pub fn names_carried() -> ProfileNames {
        let files = PRESETS.files();
        let mut names: Vec<_> = files
            .filter_map(|file| file.path().file_stem()?.to_str())
            .collect();
        names.sort_unstable();
        ProfileNames(names.into_iter())
    }

    /// Reads a profile from TOML, or from JSON with the same keys.
    ///
    /// The keys are the fields of this struct with `-` in place of `_`, the
    /// tables `[view]` and `[limits]`, and `runtime`, `timeout` (seconds),
    /// `monty_type_check`, `monty_max_allocations` and `monty_max_memory`
    /// (bytes), as rlm-code calls them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) with the place and what is wrong there, or for a text
    /// of more than [`MOST_BYTES`](Self::MOST_BYTES).
    pub fn parse(text: &str) -> Result<Self> {
        if text.len() > Self::MOST_BYTES {
            let (bytes, most) = (text.len(), Self::MOST_BYTES);
            return Err(Error::usage(format!(
                "the profile has {bytes} bytes; {most} are possible"
            )));
        }
        let parsed: std::result::Result<Self, String> = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map_err(|error| error.to_string()),
            false => toml::from_str(text).map_err(|error| error.to_string()),
        };
        let mut profile = parsed.map_err(|error| {
            Error::usage(format!("the profile cannot be read: {}", error.trim_end()))
        })?;
        let limits = &mut profile.limits;
        if let Some(time) = profile.timeout.take() {
            limits.time = time.0;
        }
        if let Some(allocations) = profile.monty_max_allocations.take() {
            limits.allocations = Some(allocations);
        }
        if let Some(memory) = profile.monty_max_memory.take() {
            limits.memory_bytes = memory;
        }
        Ok(profile)
    }
}
