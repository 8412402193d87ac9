//! What the author wrote about functions and types, for whoever calls them.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::plugin::Plugin;
use crate::types::Body;

/// The comments among `attributes`, as one text without the space that usually
/// follows `///`.
pub(crate) fn comment(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        if !pair.path.is_ident("doc") {
            continue;
        }
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &pair.value
        {
            lines.extend(unadorned(&text.value()));
        }
    }
    lines.join("\n").trim_matches('\n').trim_end().to_owned()
}

/// The lines of one comment, without the stars that blocks may have in front and
/// the space that usually follows.
fn unadorned(text: &str) -> Vec<String> {
    let starred = text
        .lines()
        .skip(1)
        .all(|line| line.trim_start().starts_with('*') || line.trim().is_empty());
    text.split('\n')
        .enumerate()
        .map(|(at, line)| {
            let line = match line.trim_start().strip_prefix('*') {
                Some(rest) if starred && at > 0 => rest,
                _ => line,
            };
            line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
        })
        .collect()
}

/// The section `rlm:docs` of a plugin: a line of JSON. Sections of one name are
/// put behind each other, so the line has its end.
pub(crate) fn section(plugin: &Plugin) -> String {
    let functions = plugin.functions.iter().map(|function| {
        let names = function
            .parameters
            .iter()
            .map(|parameter| quoted(&parameter.name.kebab()));
        let about = [
            ("doc".to_owned(), quoted(&function.doc)),
            ("parameters".to_owned(), array(names)),
        ];
        (function.name.kebab(), object(about))
    });
    let types = plugin.types.iter().map(|ty| {
        let (key, members): (_, Vec<_>) = match &ty.body {
            Body::Record(fields) => (
                "fields",
                fields.iter().map(|it| (it.name.kebab(), &it.doc)).collect(),
            ),
            Body::Enum(cases) | Body::Variant(cases) => (
                "cases",
                cases.iter().map(|it| (it.name.kebab(), &it.doc)).collect(),
            ),
        };
        let members = members.into_iter().map(|(name, doc)| (name, quoted(doc)));
        let about = [
            ("doc".to_owned(), quoted(&ty.doc)),
            (key.to_owned(), object(members)),
        ];
        (ty.name.kebab(), object(about))
    });
    let all = [
        ("name".to_owned(), quoted(&plugin.name.kebab())),
        ("doc".to_owned(), quoted(&plugin.doc)),
        ("functions".to_owned(), object(functions)),
        ("types".to_owned(), object(types)),
    ];
    object(all) + "\n"
}

fn object(members: impl IntoIterator<Item = (String, String)>) -> String {
    let members: Vec<_> = members
        .into_iter()
        .map(|(key, value)| format!("{}: {value}", quoted(&key)))
        .collect();
    format!("{{{}}}", members.join(", "))
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\t' => json.push_str("\\t"),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn comments_of_all_kinds_are_read() {
        let item: syn::ItemFn = parse_quote! {
            /// One.
            ///
            ///     code
            #[doc = " Two."]
            #[doc(hidden)]
            #[inline]
            fn f() {}
        };
        assert_eq!(comment(&item.attrs), "One.\n\n    code\nTwo.");
        for (text, read) in [
            (" the word itself ", "the word itself"),
            ("\n * One.\n *\n *  * two\n ", "One.\n\n * two"),
            (" A list:\n * one\n and more", "A list:\n* one\nand more"),
        ] {
            let item: syn::ItemFn = parse_quote! { #[doc = #text] fn f() {} };
            assert_eq!(comment(&item.attrs), read);
        }
    }

    #[test]
    fn json_is_escaped() {
        assert_eq!(quoted("a \"b\"\\\n\u{1}é"), r#""a \"b\"\\\n\u0001é""#);
    }
}
