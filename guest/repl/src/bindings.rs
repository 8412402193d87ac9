//! Rust types of the world `rlm:sandbox/python`, generated from `wit/`.
#![allow(
    missing_docs,
    reason = "generated; the documentation is in the WIT files"
)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "python",
    pub_export_macro: true,
    // The linker's `_initialize` does it, and every call would read a flag first.
    disable_run_ctors_once_workaround: true,
    default_bindings_module: "rlm_repl::bindings",
    additional_derives: [Clone, PartialEq, serde::Serialize, serde::Deserialize],
});
