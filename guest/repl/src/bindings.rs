//! Rust types of the world `rlm:sandbox/unbaked`, generated from `wit/`.
#![expect(
    missing_docs,
    clippy::use_self,
    clippy::undocumented_unsafe_blocks,
    clippy::allow_attributes_without_reason,
    reason = "generated; the documentation is in the WIT files"
)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "unbaked",
    pub_export_macro: true,
    default_bindings_module: "rlm_repl::bindings",
    additional_derives: [Clone, PartialEq],
});
