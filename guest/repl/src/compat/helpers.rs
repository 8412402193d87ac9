//! The functions that rewritten scripts call, in Python.

/// What has to be fed for a group of them.
pub(crate) fn source(group: &str) -> &'static str {
    match group {
        "builtins" => include_str!("../prelude/compat/builtins.py"),
        "decorators" => include_str!("../prelude/compat/decorators.py"),
        "deletion" => include_str!("../prelude/compat/deletion.py"),
        "exceptions" => include_str!("../prelude/compat/exceptions.py"),
        "generators" => include_str!("../prelude/compat/generators.py"),
        "items" => include_str!("../prelude/compat/items.py"),
        "json" => include_str!("../prelude/compat/json.py"),
        "lazy" => include_str!("../prelude/compat/lazy.py"),
        "mappings" => include_str!("../prelude/compat/mappings.py"),
        "methods" => include_str!("../prelude/compat/methods.py"),
        "numbers" => include_str!("../prelude/compat/numbers.py"),
        "order" => include_str!("../prelude/compat/order.py"),
        "printing" => include_str!("../prelude/compat/printing.py"),
        "re" => include_str!("../prelude/compat/re.py"),
        "truth" => include_str!("../prelude/compat/truth.py"),
        _ => "",
    }
}

/// What has to be fed to have the method `name` as a value.
pub(crate) fn method(name: &str) -> String {
    format!("_rlm_natives['{name}']=lambda o:lambda *a,**k:o.{name}(*a,**k)")
}
