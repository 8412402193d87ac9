//! A plugin's world, as WIT.

use std::fmt::Write as _;

use crate::plugin::Plugin;
use crate::shape::Shape;
use crate::types::{Body, Case, Named};

/// A package with the plugin's world.
///
/// It does not import the host's functions: the library does, and both worlds
/// become one when the component is linked.
pub(crate) fn package(plugin: &Plugin) -> String {
    let name = plugin.name.wit();
    let mut wit = format!("package plugin:{name};\n\nworld {name} {{\n");
    for named in &plugin.types {
        define(&mut wit, named);
    }
    for function in &plugin.functions {
        let parameters: Vec<_> = function
            .parameters
            .iter()
            .map(|it| format!("{}: {}", it.name.wit(), text(&it.shape)))
            .collect();
        let name = function.name.wit();
        line(
            &mut wit,
            format_args!("  export {name}: func({})", parameters.join(", ")),
        );
        if let Some(result) = &function.result {
            line(&mut wit, format_args!(" -> {}", text(result)));
        }
        wit.push_str(";\n");
    }
    wit.push_str("}\n");
    wit
}

fn define(wit: &mut String, named: &Named) {
    let name = named.name.wit();
    match &named.body {
        Body::Record(fields) => {
            line(wit, format_args!("  record {name} {{ "));
            for field in fields {
                let field_name = field.name.wit();
                line(wit, format_args!("{field_name}: {}, ", text(&field.shape)));
            }
        }
        Body::Enum(cases) => {
            line(wit, format_args!("  enum {name} {{ "));
            define_cases(wit, cases);
        }
        Body::Variant(cases) => {
            line(wit, format_args!("  variant {name} {{ "));
            define_cases(wit, cases);
        }
    }
    wit.push_str("}\n");
}

fn define_cases(wit: &mut String, cases: &[Case]) {
    for case in cases {
        wit.push_str(&case.name.wit());
        if let Some(payload) = &case.payload {
            line(wit, format_args!("({})", text(payload)));
        }
        wit.push_str(", ");
    }
}

fn line(wit: &mut String, text: std::fmt::Arguments<'_>) {
    wit.write_fmt(text).expect("a string takes all");
}

/// A type, as WIT.
fn text(shape: &Shape) -> String {
    match shape {
        Shape::Scalar(scalar) => scalar.wit.to_owned(),
        Shape::String => "string".to_owned(),
        Shape::List(inner) => format!("list<{}>", text(inner)),
        Shape::Option(inner) => format!("option<{}>", text(inner)),
        Shape::Result(None, None) => "result".to_owned(),
        Shape::Result(Some(ok), None) => format!("result<{}>", text(ok)),
        Shape::Result(None, Some(error)) => format!("result<_, {}>", text(error)),
        Shape::Result(Some(ok), Some(error)) => format!("result<{}, {}>", text(ok), text(error)),
        Shape::Tuple(shapes) => {
            let shapes: Vec<_> = shapes.iter().map(text).collect();
            format!("tuple<{}>", shapes.join(", "))
        }
        Shape::Named(_, name) => name.wit(),
    }
}
