//! What the macro makes of a module, and what it refuses.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemMod, parse2};

use crate::docs;
use crate::plugin::{Plugin, expand};
use crate::wit;

/// What is said about a module that cannot be a plugin.
fn refusal(module: TokenStream) -> Vec<String> {
    let error = expand(TokenStream::new(), module.clone());
    let error = error.expect_err(&module.to_string());
    error.into_iter().map(|it| it.to_string()).collect()
}

/// What is said about the items of a module.
fn refused(items: TokenStream) -> String {
    refusal(quote! { mod it { #items } }).join("\n")
}

fn read(module: TokenStream) -> Plugin {
    let module: ItemMod = parse2(module).expect("a module");
    Plugin::read(&module).expect("a plugin")
}

#[test]
fn a_module_becomes_a_world() {
    let plugin = read(quote! {
        /// Words.
        mod the_words {
            //! And more of it.
            use std::collections::HashMap;

            /// Counts.
            pub fn count_all(text: &str, _most: Option<u32>, list: &[Word], r#type: Kind) -> Vec<Word> {}
            pub fn look(word: Option<&str>) -> std::io::Result<()> {}
            pub fn tell(shape: Shape) -> Result<(i8, f64), Kind> {}
            pub fn nothing() {}

            /// A word.
            #[derive(Clone)]
            pub struct Word {
                /// Itself.
                pub text: String,
                pub times: ::std::vec::Vec<u8>,
            }

            pub enum Kind { Noun, ProperName }
            pub enum Shape { Empty, Round(Option<Word>) }

            // None of these is seen.
            pub struct Unused<T>(T);
            pub(crate) fn not_this<T>(it: T) {}
            fn nor_this(it: HashMap<u8, u8>) {}
            impl Word { pub fn nor_that(&self) {} }
        }
    });
    assert_eq!(
        wit::package(&plugin),
        "package plugin:%the-words;\n\n\
         world %the-words {\n\
         \x20 record %word { %text: string, %times: list<u8>, }\n\
         \x20 enum %kind { %noun, %proper-name, }\n\
         \x20 variant %shape { %empty, %round(option<%word>), }\n\
         \x20 export %count-all: func(%text: string, %most: option<u32>, %list: list<%word>, %type: %kind) -> list<%word>;\n\
         \x20 export %look: func(%word: option<string>) -> result<_, string>;\n\
         \x20 export %tell: func(%shape: %shape) -> result<tuple<s8, f64>, %kind>;\n\
         \x20 export %nothing: func();\n\
         }\n"
    );
    assert_eq!(
        docs::section(&plugin),
        concat!(
            r#"{"name": "the-words", "doc": "Words.\nAnd more of it.", "functions": {"#,
            r#""count-all": {"doc": "Counts.", "parameters": ["text", "most", "list", "type"]}, "#,
            r#""look": {"doc": "", "parameters": ["word"]}, "#,
            r#""tell": {"doc": "", "parameters": ["shape"]}, "#,
            r#""nothing": {"doc": "", "parameters": []}}, "types": {"#,
            r#""word": {"doc": "A word.", "fields": {"text": "Itself.", "times": ""}}, "#,
            r#""kind": {"doc": "", "cases": {"noun": "", "proper-name": ""}}, "#,
            r#""shape": {"doc": "", "cases": {"empty": "", "round": ""}}}}"#,
            "\n"
        )
    );
}

#[test]
fn only_modules_with_functions_are_plugins() {
    assert!(refusal(quote! { fn f() {} })[0].contains("belongs on a module"));
    assert!(refusal(quote! { mod elsewhere; })[0].contains("written here"));
    assert!(refused(quote! { fn private() {} }).contains("at least one `pub fn`"));
    assert!(
        expand(
            quote!(name),
            quote!(
                mod it {}
            )
        )
        .is_err()
    );
}

#[test]
fn types_that_cannot_cross_are_refused() {
    for (ty, hint) in [
        (quote!(usize), "take u64 or u32"),
        (quote!(i128), "take i64 or i32"),
        (
            quote!(std::collections::HashMap<String, u8>),
            "a Vec of pairs",
        ),
        (quote!(BTreeSet<String>), "take a Vec"),
        (quote!([u8; 4]), "take a Vec"),
        (quote!(Box<u8>), "supported are bool"),
        (quote!(&mut str), "supported are bool"),
        (quote!(&String), "supported are bool"),
        (quote!(Vec<&str>), "here it has to be String"),
        (quote!(impl Iterator<Item = u8>), "supported are bool"),
        (quote!(fn()), "supported are bool"),
        (quote!(()), "supported are bool"),
        (quote!((u8, usize)), "take u64 or u32"),
        (quote!(Result<u8, std::io::Error>), "supported are bool"),
        (
            quote!((u8, u8, u8, u8, u8, u8, u8, u8, u8)),
            "make it a struct",
        ),
        (quote!(Elsewhere), "supported are bool"),
        (quote!(Vec<Result<u8>>), "supported are bool"),
    ] {
        let told = refused(quote! { pub fn f(it: #ty) {} });
        assert!(told.contains(hint), "{ty}: {told}");
    }
    assert!(refused(quote! { pub fn f() -> &'static str {} }).contains("has to be String"));
}

#[test]
fn functions_that_mean_nothing_to_the_host_are_refused() {
    for (function, hint) in [
        (quote! { pub fn f<T>(it: T) {} }, "no type parameters"),
        (
            quote! { pub fn f<'a>(it: &'a str) {} },
            "no named lifetimes",
        ),
        (quote! { pub async fn f() {} }, "not `async`"),
        (quote! { pub unsafe fn f() {} }, "not `unsafe`"),
        (quote! { pub extern "C" fn f() {} }, "a plain Rust function"),
        (quote! { pub fn f(&self) {} }, "a method"),
        (quote! { pub fn f((a, b): (u8, u8)) {} }, "has a name"),
        (quote! { pub fn f(_: u8) {} }, "has a name"),
        (quote! { pub fn f(a_b: u8, a__b: u8) {} }, "under this name"),
        (quote! { pub fn f() {} pub fn F() {} }, "under this name"),
        (quote! { #[cfg(unix)] pub fn f() {} }, "always there"),
    ] {
        let told = refused(function.clone());
        assert!(told.contains(hint), "{function}: {told}");
    }
}

#[test]
fn types_of_the_module_that_cannot_cross_are_refused() {
    for (definition, hint) in [
        (quote! { struct T { pub a: u8 } }, "has to be `pub`"),
        (quote! { pub struct T { a: u8 } }, "has to be `pub`"),
        (quote! { pub struct T(pub u8); }, "named fields"),
        (quote! { pub struct T; }, "named fields"),
        (quote! { pub struct T {} }, "at least one field"),
        (quote! { pub struct T { pub a: usize } }, "take u64 or u32"),
        (
            quote! { pub struct T { pub a_b: u8, pub aB: u8 } },
            "under this name",
        ),
        (quote! { pub struct T<A> { pub a: A } }, "no parameters"),
        (quote! { pub enum T { A, Self_ } }, "give it another name"),
        (
            quote! { pub type T = Self_; pub struct Self_ { pub a: u8 } },
            "give it another name",
        ),
        (quote! { pub enum T {} }, "at least one case"),
        (quote! { pub enum T { A(u8, u8) } }, "no payload or one"),
        (quote! { pub enum T { A { a: u8 } } }, "no payload or one"),
        (quote! { pub enum T { A(Vec<T>) } }, "contains itself"),
        (
            quote! { pub struct T { pub a: Option<U> } pub struct U { pub t: Vec<T> } },
            "contains itself",
        ),
        (quote! { pub type T = Vec<T>; }, "defined by itself"),
        (quote! { pub union T { a: u8 } }, "supported are bool"),
        (
            quote! { pub struct T { pub u: t } pub struct t { pub a: u8 } },
            "under one name",
        ),
    ] {
        let told = refused(quote! { pub fn f(it: T) {} #definition });
        assert!(told.contains(hint), "{definition}: {told}");
    }
}

#[test]
fn errors_that_cannot_cross_may_be_text() {
    let hint = "an error that is to cross as text is a String";
    for (error, refusal) in [
        (quote! { pub struct E(String); }, "named fields"),
        (quote! { pub struct E; }, "named fields"),
        (quote! { enum E { A } }, "has to be `pub`"),
        (quote! { pub enum E { A { a: u8 } } }, "no payload or one"),
    ] {
        let told = refused(quote! { pub fn f() -> Result<u8, E> {} #error });
        assert!(told.contains(refusal) && told.contains(hint), "{told}");
        // Only an error has another way.
        let told = refused(quote! { pub fn f() -> Result<E, String> {} #error });
        assert!(told.contains(refusal) && !told.contains(hint), "{told}");
    }
}

#[test]
fn all_refusals_are_told() {
    let told = refusal(quote! { mod it {
        pub fn f(it: usize) {}
        pub fn g(it: u8) {}
        pub async fn h() {}
    }});
    assert_eq!(told.len(), 2, "{told:?}");
}
