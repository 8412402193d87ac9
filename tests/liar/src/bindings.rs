//! Rust types and exports of the world `python`, generated from `wit/`.

wit_bindgen::generate!({
    path: "../../wit",
    world: "python",
    disable_run_ctors_once_workaround: true,
    additional_derives: [Clone],
});
