//! The functions that rewritten scripts call, in Python.

/// Returns the source of a group of them.
pub(crate) fn source(group: &str) -> &'static str {
    match group {
        "bytearray" => include_str!("../prelude/compat/bytearray.py"),
        "builtins" => include_str!("../prelude/compat/builtins.py"),
        "dataclasses" => include_str!("../prelude/compat/dataclasses.py"),
        "exceptions" => include_str!("../prelude/compat/exceptions.py"),
        "gathering" => include_str!("../prelude/compat/gathering.py"),
        "held" => include_str!("../prelude/compat/held.py"),
        "items" => include_str!("../prelude/compat/items.py"),
        "json" => include_str!("../prelude/compat/json.py"),
        "kinds" => include_str!("../prelude/compat/kinds.py"),
        "mappings" => include_str!("../prelude/compat/mappings.py"),
        "methods" => include_str!("../prelude/compat/methods.py"),
        "numbers" => include_str!("../prelude/compat/numbers.py"),
        "of_dates" => include_str!("../prelude/compat/of_dates.py"),
        "of_texts" => include_str!("../prelude/compat/of_texts.py"),
        "order" => include_str!("../prelude/compat/order.py"),
        "rows" => include_str!("../prelude/compat/rows.py"),
        "re" => include_str!("../prelude/compat/re.py"),
        "re_full" => include_str!("../prelude/compat/re_full.py"),
        _ => "",
    }
}
