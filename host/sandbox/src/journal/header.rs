//! The first line of a journal: what the session is made of.

use serde::{Deserialize, Serialize};

use super::branch_of::BranchOf;
use super::line::{Count, Start};
use crate::limits::Limits;
use crate::profile::Profile;

/// What a session is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) journal: u32,
    pub(crate) library: String,
    pub(crate) guest: String,
    pub(crate) engine: String,
    pub(crate) configuration: String,
    pub(crate) session: String,
    pub(crate) seed: Count,
    pub(crate) start: Start,
    /// True if the time of day goes on between executions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) follows_time: bool,
    pub(crate) limits: Limits,
    pub(crate) profile: Profile,
    pub(crate) functions: Vec<Function>,
    pub(crate) model: bool,
    /// The parked session that it begins with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parked: Option<Begins>,
    /// True if data is there as keyed digests only.
    pub(crate) redacted: bool,
    /// The recording that it branches from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) branch_of: Option<BranchOf>,
}

/// A parked session, which lies beside the journal, and the contexts it had
/// when it was taken up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Begins {
    pub(crate) digest: String,
    pub(crate) files: Vec<Given>,
    pub(crate) default: Option<Given>,
}

/// A function that scripts may call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) awaitable: bool,
    pub(crate) immediate: bool,
}

/// A context; its bytes lie beside the journal, in a file named by the digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) form: String,
    pub(crate) bytes: u64,
    pub(crate) digest: String,
}
