//! A guest that lies, and a host that believes none of it.
//!
//! `tests/liar` is a component for the same world as the interpreter. It answers
//! each call of the host as a script says. The host must not panic, hang or grow
//! beyond its limits; every call of the public interface ends in a typed outcome
//! or error; an honest session beside it is not disturbed.

mod artefact;
mod claims;
mod early;
mod generated;
mod liar;
mod loops;
mod upkeep;
