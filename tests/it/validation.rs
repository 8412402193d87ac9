//! What can be said of a script that does not run.

use rlm_sandbox::{Cause, Preprocessed, Profile, Validation};

use crate::check::{block_on, sandbox};

fn validate(code: &str, profile: &Profile) -> Validation {
    block_on(sandbox().validate(code, profile, &["x"], &["llm_query", "find"])).expect("checked")
}

#[doc = "Keeps R4-17, S1, X36, X37."]
#[test]
fn a_script_is_checked_without_being_run() {
    let mut profile = Profile::named("rlm-code").expect("carried");
    for code in ["x = 1 + 2", "y = x + 1", "print(find(llm_query('a')))"] {
        let validation = validate(code, &profile);
        assert!(
            validation.is_ok() && validation.message.is_none(),
            "{validation:?}"
        );
        assert!(validation.unknown_names.is_empty(), "{validation:?}");
    }
    let broken = validate("y = 1\nx = ", &profile);
    assert_eq!(
        broken.message.as_deref(),
        Some("Syntax error: Expected an expression (line 2, column 5)")
    );
    let exception = broken.exception.expect("no Python");
    assert_eq!(
        (exception.kind.as_str(), exception.cause),
        ("SyntaxError", Cause::Syntax)
    );
    assert_eq!(validate("z + w", &profile).unknown_names, ["w", "z"]);
    let denied = validate("import json", &profile);
    assert_eq!(
        denied.message.as_deref(),
        Some(
            "ImportError: import of 'json' is not allowed in this sandbox (nothing can be imported)"
        )
    );
    profile.type_check = true;
    let validation = validate("x = 1", &profile);
    assert_eq!(validation.type_errors, None);
    assert!(validation.note.expect("a note").contains("not built in"));
}

#[test]
fn every_way_to_bind_a_name_is_known() {
    let profile = Profile::default();
    for code in [
        "import json as j, os.path\nfrom re import sub as s\nj, os, s",
        "def f(a, *b, c=1, **d): return a, b, c, d\nf",
        "for i, (j, *k) in []: i, j, k",
        "with open('a') as (f, g): f, g",
        "try: pass\nexcept ValueError as e: e",
        "match 1:\n    case {'a': v, **rest}: v, rest\n    case [p, *q] as r: p, q, r",
        "[n for n in range(3) if (m := n)], m",
        "lambda u: u",
        "class C:\n    y = 1\n    def g(self): return C",
        "global t\nt = 1",
        "FINAL(context_0), answer, history, buffers, SHOW_VARS",
        "print, len, int, ValueError, True, __name__",
    ] {
        let validation = validate(code, &profile);
        let unknown = &validation.unknown_names;
        assert!(
            unknown.is_empty(),
            "{code}: {unknown:?} {:?}",
            validation.message
        );
    }
}

#[doc = "Keeps R3-5, R3-6, R3-7, X13."]
#[test]
fn agent_code_is_wrapped_where_it_returns_and_rejected_where_it_awaits() {
    let preprocess = |code: &str| {
        let done = block_on(sandbox().preprocess_agent_code(code)).expect("checked");
        match done {
            Preprocessed::Code(code) => Ok(code),
            Preprocessed::Rejected(exception) => Err(exception.to_string()),
        }
    };
    assert_eq!(preprocess("x = 1"), Ok("x = 1".into()));
    assert_eq!(
        preprocess("if web_search('a'):\r\n    return 1\n# note\ntext = '''\nas it is\n'''\nreturn text"),
        Ok(
            "def __agent_main__():\n    if web_search('a'):\n        return 1\n    # note\n    text = '''\nas it is\n'''\n    return \
             text\n__agent_main__()"
                .into()
        )
    );
    for nested in ["for", "while", "with", "try", "match"] {
        let code = match nested {
            "for" => "for x in y:\n    return x",
            "while" => "while x:\n    return x",
            "with" => "with x:\n    return x",
            "try" => "try:\n    return x\nfinally:\n    pass",
            _ => "match x:\n    case 1: return x",
        };
        assert!(
            preprocess(code)
                .expect(code)
                .starts_with("def __agent_main__():\n"),
            "{code}"
        );
    }
    assert_eq!(
        preprocess("def f():\n    return 1"),
        Ok("def f():\n    return 1".into())
    );
    let told = preprocess("result = await web_search(\"test\")").expect_err("rejected");
    assert!(
        told.starts_with("ValueError: Code contains 'await' which is not supported"),
        "{told}"
    );
    assert!(
        preprocess("x = ")
            .expect_err("no Python")
            .contains("SyntaxError")
    );
    assert_eq!(preprocess("x = 'await'"), Ok("x = 'await'".into()));
}
