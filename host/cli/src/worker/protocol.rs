//! What a worker and its client say to each other, as types; the JSON Schema in
//! `host/cli/worker.schema.json` is made from these.
//!
//! Python values are JSON with the tags of `wit/types.wit` for what JSON lacks,
//! as `{"$tuple": [1, 2]}`.

mod reply;
mod request;

pub(crate) use reply::*;
pub(crate) use request::*;
