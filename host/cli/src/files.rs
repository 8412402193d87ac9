//! Files that scripts may read: none, unless somebody allows them.

use std::path::{Path, PathBuf};

use anyhow::Result;
use rlm_sandbox::Context;

use crate::{read, usage};

/// Bytes of a file that is read.
const LARGEST: u64 = 512 << 20;

/// What may be read.
#[derive(Debug)]
pub(crate) struct Files {
    allowed: Vec<PathBuf>,
}

impl Files {
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Self> {
        let allowed = paths.iter().map(|path| real(path));
        Ok(Self {
            allowed: allowed.collect::<Result<_>>()?,
        })
    }

    /// A file as a context of this name: text, or bytes if it is not UTF-8.
    pub(crate) fn read(&self, path: &Path, name: &str) -> Result<Context> {
        let cannot = || {
            usage(format!(
                "{} may not be read; start rlm-sandbox with --allow-read and the folder it is in",
                path.display()
            ))
        };
        if self.allowed.is_empty() {
            return Err(cannot());
        }
        // Links are followed before anybody looks where the file is.
        let path = real(path)?;
        if !self.allowed.iter().any(|allowed| path.starts_with(allowed)) {
            return Err(cannot());
        }
        // Devices and pipes would be read for ever.
        let size = std::fs::metadata(&path).map_or(0, |about| match about.is_file() {
            true => about.len(),
            false => u64::MAX,
        });
        if size > LARGEST {
            return Err(usage(format!(
                "{} is no file of at most {LARGEST} bytes; load another one, or a part of it",
                path.display()
            )));
        }
        Ok(match String::from_utf8(read(&path)?) {
            Ok(text) => Context::text(name, text),
            Err(error) => Context::bytes(name, error.into_bytes()),
        })
    }
}

fn real(path: &Path) -> Result<PathBuf> {
    path.canonicalize()
        .map_err(|error| usage(format!("cannot read {}: {error}", path.display())))
}
