//! Rust types of the world `rlm:sandbox/unbaked`, generated from `wit/`.
#![allow(
    missing_docs,
    reason = "generated; the documentation is in the WIT files"
)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "unbaked",
    pub_export_macro: true,
    default_bindings_module: "rlm_repl::bindings",
    additional_derives: [Clone, PartialEq, serde::Serialize, serde::Deserialize],
});
