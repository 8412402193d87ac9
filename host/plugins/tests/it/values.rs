//! Values both ways: what Python and JSON mean by the types of a component.

use serde_json::{Value as Json, json};

use crate::check::{call, echo_in_memory, plugin};

/// A component whose `f` gives back what it is given, of a type that is handed
/// over in `flat` core values: it only has to return them.
fn echo(ty: &str, core: &str) -> String {
    format!(
        "(component (core module $m (func (export \"f\") (param {core}) (result {core}) local.get 0))
         (core instance $i (instantiate $m))
         (func (export \"f\") (param \"the-value\" {ty}) (result {ty}) (canon lift (core func $i \"f\"))))"
    )
}

#[track_caller]
fn comes_back(text: &str, values: &[(Json, Json)]) {
    let plugin = plugin("", text);
    for (given, expected) in values {
        let answer = call(&plugin, "f", json!([given])).answer;
        let answer = answer.unwrap_or_else(|error| panic!("{given}: {}", error.exception()));
        assert_eq!(answer, *expected, "{given}");
    }
}

#[track_caller]
fn misfits(text: &str, values: &[(Json, &str)]) {
    let plugin = plugin("", text);
    for (given, told) in values {
        let error = call(&plugin, "f", json!([given]))
            .answer
            .expect_err("misfits");
        let exception = error.exception();
        assert_eq!(exception.kind, "TypeError", "{given}");
        assert!(
            exception.message.contains(told),
            "{given}: {}",
            exception.message
        );
    }
}

fn same(values: impl IntoIterator<Item = Json>) -> Vec<(Json, Json)> {
    values
        .into_iter()
        .map(|value| (value.clone(), value))
        .collect()
}

#[test]
fn numbers_keep_every_digit_and_know_their_range() {
    comes_back(
        &echo("s64", "i64"),
        &same([json!(i64::MIN), json!(i64::MAX), json!(0)]),
    );
    let large = json!({"$int": u64::MAX.to_string()});
    comes_back(
        &echo("u64", "i64"),
        &[(json!(u64::MAX), large.clone()), (large.clone(), large)],
    );
    comes_back(&echo("u8", "i32"), &same([json!(0), json!(255)]));
    comes_back(&echo("u8", "i32"), &[(json!(3.0), json!(3))]);
    comes_back(
        &echo("f64", "f64"),
        &same([
            json!(1.5),
            json!({"$float": "inf"}),
            json!({"$float": "nan"}),
        ]),
    );
    comes_back(&echo("f64", "f64"), &[(json!(2), json!(2.0))]);
    comes_back(&echo("bool", "i32"), &same([json!(true), json!(false)]));
    comes_back(
        &echo("char", "i32"),
        &same([json!("é"), json!("\u{1f600}")]),
    );
    misfits(
        &echo("u8", "i32"),
        &[
            (json!(256), "the_value: 256 is out of range for an int"),
            (json!(-1), "out of range"),
            (json!(1.5), "should be an int from 0 to 255, and is a float"),
            (json!("1"), "and is a str"),
            (json!(true), "and is a bool"),
            (json!(null), "and is None"),
        ],
    );
    misfits(
        &echo("char", "i32"),
        &[(json!("ab"), "one character"), (json!(""), "one character")],
    );
    misfits(&echo("f64", "f64"), &[(json!("1"), "should be a number")]);
}

#[test]
fn text_lists_and_bytes_come_back() {
    comes_back(
        &echo_in_memory("", "string"),
        &same([json!(""), json!("aé\u{0}\u{1f600}")]),
    );
    comes_back(
        &echo_in_memory("", "(list string)"),
        &same([json!([]), json!(["a", "", "b"])]),
    );
    comes_back(
        &echo_in_memory("", "(list u8)"),
        &[
            (json!({"$bytes": "AAH/"}), json!({"$bytes": "AAH/"})),
            (json!([1, 2]), json!({"$bytes": "AQI="})),
            (json!({"$bytes": ""}), json!({"$bytes": ""})),
        ],
    );
    comes_back(
        &echo_in_memory("", "(list (tuple u8 string))"),
        &[(
            json!([[1, "a"], {"$tuple": [2, "b"]}]),
            json!([{"$tuple": [1, "a"]}, {"$tuple": [2, "b"]}]),
        )],
    );
    comes_back(
        &echo_in_memory("", "(list (option u8))"),
        &same([json!([null, 1])]),
    );
    comes_back(
        &echo_in_memory("", "(list (option (option u8)))"),
        &same([json!([null, {"some": null}, {"some": 1}])]),
    );
    comes_back(
        &echo_in_memory("", "(list (result u8 (error string)))"),
        &same([json!([{"ok": 1}, {"err": "no"}])]),
    );
    misfits(
        &echo_in_memory("", "(list (list u8))"),
        &[
            (
                json!([[1], ["a"]]),
                "value[1][0]: this should be an int from 0 to 255",
            ),
            (json!("a"), "should be a list"),
            (json!([{"$bytes": "?"}]), "not base64"),
        ],
    );
}

#[test]
fn enums_and_flags_are_names() {
    let colors = echo("$color", "i32");
    let named = |text: &str, ty: &str| {
        text.replacen(
            "(component",
            &format!("(component (type $t {ty}) (export $color \"color\" (type $t))"),
            1,
        )
    };
    let colors = named(&colors, "(enum \"dark-red\" \"blue\")");
    comes_back(
        &colors,
        &[
            (json!("dark_red"), json!("dark_red")),
            (json!("dark-red"), json!("dark_red")),
        ],
    );
    misfits(
        &colors,
        &[
            (json!("green"), "there are \"dark_red\", \"blue\""),
            (json!(1), "one of some names"),
        ],
    );
    let flags = named(&echo("$color", "i32"), "(flags \"may-read\" \"may-run\")");
    comes_back(&flags, &same([json!([]), json!(["may_read", "may_run"])]));
    misfits(
        &flags,
        &[(json!(["may_write"]), "there is no \"may_write\"")],
    );
}

#[test]
fn records_are_objects_and_variants_name_their_case() {
    let types = "(type $h (record (field \"line-number\" u32) (field \"text\" (option string))))
                 (export $hit \"hit\" (type $h))";
    comes_back(
        &echo_in_memory(types, "(list $hit)"),
        &[(
            json!([{"line_number": 1, "text": "a"}, {"line-number": 2}]),
            json!([{"line_number": 1, "text": "a"}, {"line_number": 2, "text": null}]),
        )],
    );
    misfits(
        &echo_in_memory(types, "(list $hit)"),
        &[
            (
                json!([{"text": "a"}]),
                "value[0].line_number: this is missing",
            ),
            (
                json!([{"line_number": 1, "txt": "a"}]),
                "there is no field `txt`; there are line_number, text",
            ),
            (json!([1]), "value[0]: this should be a dict, and is an int"),
        ],
    );
    let types = "(type $s (variant (case \"square\" u32) (case \"no-shape\")))
                 (export $shape \"shape\" (type $s))";
    comes_back(
        &echo_in_memory(types, "(list $shape)"),
        &same([json!([{"square": 3}, "no_shape"])]),
    );
    misfits(
        &echo_in_memory(types, "(list $shape)"),
        &[
            (json!(["square"]), "write {\"square\": …}"),
            (json!([{"no_shape": 1}]), "`no_shape` has no payload"),
            (json!([{"circle": 1}]), "there is no \"circle\""),
            (
                json!([{"square": "a"}]),
                "value[0].square: this should be an int",
            ),
        ],
    );
}

#[test]
fn types_whose_members_have_the_same_names_are_told_apart() {
    let types = "(type $n0 (variant (case \"a\" u32) (case \"b\")))
                 (export $n \"n\" (type $n0))
                 (type $t0 (variant (case \"a\" string) (case \"b\" u8)))
                 (export $t \"t\" (type $t0))
                 (type $r0 (record (field \"a\" $n) (field \"b\" $t)))
                 (export $r \"r\" (type $r0))";
    comes_back(
        &echo_in_memory(types, "(list $r)"),
        &same([json!([{"a": {"a": 1}, "b": {"a": "x"}}, {"a": "b", "b": {"b": 2}}])]),
    );
}

#[test]
fn arguments_go_by_position_and_by_name() {
    let plugin = plugin("", &echo("u8", "i32"));
    for given in [
        json!([7]),
        json!({"the_value": 7}),
        json!({"the-value": 7}),
        json!(7),
    ] {
        assert_eq!(call(&plugin, "f", given).answer.expect("fits"), json!(7));
    }
    for (given, told) in [
        (json!([]), "missing the argument 'the_value'"),
        (json!([1, 2]), "takes 1 arguments at the most"),
        (json!({"value": 1}), "unexpected keyword argument 'value'"),
    ] {
        let error = call(&plugin, "f", given).answer.expect_err("misfits");
        assert!(
            error.exception().message.contains(told),
            "{}",
            error.exception()
        );
    }
    let error = call(&plugin, "g", json!([])).answer.expect_err("unknown");
    assert_eq!(error.exception().kind, "AttributeError");
    assert!(error.exception().message.contains("it has f"));
}

#[test]
fn deep_json_is_no_trouble() {
    let mut deep = json!(1);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let plugin = plugin("", &echo_in_memory("", "(list (list u8))"));
    assert!(call(&plugin, "f", json!([deep])).answer.is_err());
}
