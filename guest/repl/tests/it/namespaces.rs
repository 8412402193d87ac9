//! Host functions that are members of a namespace, as a plugin's are.

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;
use rlm_repl::{Repl, validate};

use crate::host::{TestHost, check, check_with, profile, repl, returned, settings, tell};

#[test]
fn members_are_called_and_passed_on_like_any_function() {
    check(
        &TestHost::default(),
        &[
            ("index.now()", "0"),
            ("f = index.now\nf(1) + f(2)", "3"),
            (
                "import index as i\nfrom index import now\ni.now() + now()",
                "7",
            ),
            (
                "import index\n[index.now() for _ in range(2)]",
                "[5, 6] = [5,6]",
            ),
            ("index = 5\nindex + 1", "6"),
            ("index.now()", "7"),
            ("def g():\n    global index\n    index = None\ng()", "None"),
            ("index.now()", "8"),
            (
                "hasattr(index, 'later'), hasattr(index, 'sooner')",
                "(True, False) = {\"$tuple\":[true,false]}",
            ),
        ],
    );
}

#[test]
fn what_is_no_member_is_told_as_python_tells_it() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let mut told = |source: &str| tell(repl.exec(source).expect("idle"));
    assert!(
        told("index.search(1)")
            .contains("AttributeError: module 'index' has no attribute 'search'")
    );
    assert!(told("index(1)").contains("TypeError: 'module' object is not callable"));
    assert!(told("later.x").contains("AttributeError"));
    assert!(told("import indices").contains("No module named 'indices'"));
    assert_eq!(host.asked.borrow().len(), 0);
}

#[test]
fn members_wait_where_they_have_to() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl.exec("x = index.later('a', n=2)\nx").expect("idle");
    assert!(tell(step).starts_with("waits for [0]"));
    assert_eq!(
        host.asked.borrow()[0],
        r#"index.later{"args":["a"],"kwargs":{"n":2}}"#
    );
    let answers = Resumption::Answers(vec![returned(0, "7")]);
    assert_eq!(tell(repl.resume(answers).expect("waits")), "7");
    for source in [
        "import asyncio\nawait asyncio.gather(index.later(1), index.soon(2))",
        "import asyncio\nawait asyncio.gather(*[index.later(i) for i in range(2)])",
        "import asyncio\nts = list(map(index.later, [1, 2]))\nawait asyncio.gather(*ts)",
    ] {
        let first = host.asked.borrow().len() as u64;
        let step = repl.exec(source).expect("idle");
        assert!(
            tell(step).starts_with(&format!("waits for [{first}, {}]", first + 1)),
            "{source}"
        );
        let answers = vec![returned(first, "1"), returned(first + 1, "2")];
        let step = repl.resume(Resumption::Answers(answers)).expect("waits");
        assert_eq!(tell(step), "[1, 2] = [1,2]", "{source}");
    }
    let step = repl.exec("sorted([3, 1], key=index.later)").expect("idle");
    assert!(tell(step).starts_with("waits for"));
}

#[test]
fn a_namespace_outlives_its_instance() {
    let host = TestHost::default();
    let mut first = repl(&host);
    first
        .exec("f = index.now\ni = index\nbox = {'f': index.later}\nf()")
        .expect("idle");
    let mut bytes = Vec::new();
    for piece in 0.. {
        match first.dump(piece).expect("written") {
            piece if piece.is_empty() => break,
            piece => bytes.extend(piece),
        }
    }
    let mut second = Repl::new(&host);
    second.configure(settings(profile())).expect("fits");
    second.load(bytes, true).expect("read");
    assert_eq!(
        tell(second.exec("f() + i.now() + index.now()").expect("idle")),
        "6"
    );
    // And so does what a script keeps of it.
    let step = second.exec("box['f']()").expect("idle");
    assert!(tell(step).starts_with("waits for [4]"));
}

#[test]
fn a_namespace_has_the_members_of_the_session_that_goes_on() {
    let host = TestHost::default();
    let mut first = repl(&host);
    first.exec("index.now()").expect("idle");
    let mut bytes = Vec::new();
    for piece in 0.. {
        match first.dump(piece).expect("written") {
            piece if piece.is_empty() => break,
            piece => bytes.extend(piece),
        }
    }
    let mut second = Repl::new(&host);
    let mut settings = settings(profile());
    settings
        .functions
        .retain(|function| function.name != "index.soon");
    settings.functions.push(Function {
        name: "index.sooner".into(),
        awaitable: false,
    });
    second.configure(settings).expect("fits");
    second.load(bytes, true).expect("read");
    let told = "hasattr(index, 'sooner'), hasattr(index, 'soon')";
    assert!(tell(second.exec(told).expect("idle")).starts_with("(True, False)"));
}

#[test]
fn one_that_is_configured_again_has_the_members_that_are_given_then() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let other = || {
        let mut settings = settings(profile());
        let functions = &mut settings.functions;
        functions.retain(|function| function.name != "index.soon");
        functions.push(Function {
            name: "index.sooner".into(),
            awaitable: false,
        });
        settings
    };
    repl.exec("index.now()\nkept = 5").expect("idle");
    repl.configure(other()).expect("idle");
    let source = "hasattr(index, 'sooner'), hasattr(index, 'soon'), kept";
    assert!(tell(repl.exec(source).expect("idle")).starts_with("(True, False, 5)"));
    repl.configure(settings(profile())).expect("idle");
    let step = repl.exec("x = index.later('a')\nx + 1").expect("idle");
    assert!(tell(step).starts_with("waits for"));
    let mut open = other();
    open.profile.eval = true;
    repl.configure(open).expect("suspended");
    let ticket = host.asked.borrow().len() as u64 - 1;
    let step = repl.resume(Resumption::Answers(vec![returned(ticket, "7")]));
    assert_eq!(tell(step.expect("waits")), "8");
    assert!(tell(repl.exec("hasattr(index, 'sooner')").expect("idle")).starts_with("True"));
    assert_eq!(tell(repl.exec("eval('kept + 1')").expect("idle")), "6");
}

#[test]
fn floats_keep_their_last_digit() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    repl.exec("x = index.later()").expect("idle");
    let given = "182.75248756218906";
    repl.resume(Resumption::Answers(vec![returned(0, given)]))
        .expect("waits");
    let told = tell(repl.exec(&format!("x == {given}, x")).expect("idle"));
    assert!(told.starts_with(&format!("(True, {given})")), "{told}");
}

#[test]
fn values_that_hold_a_namespace_leave_as_text() {
    check(
        &TestHost::default(),
        &[(
            "[index]",
            "[<module 'index'>] = [{\"$repr\":\"<module 'index'>\"}]",
        )],
    );
}

#[test]
fn names_that_mean_two_things_are_refused() {
    let host = TestHost::default();
    for names in [
        &["a", "a.b"][..],
        &["a.b", "a.b"],
        &["a.b.c"],
        &["a."],
        &[".a"],
        &["a.1"],
    ] {
        let mut settings = settings(profile());
        let function = |name: &&str| Function {
            name: (*name).into(),
            awaitable: false,
        };
        settings.functions = names.iter().map(function).collect();
        let refused = Repl::new(&host).configure(settings);
        assert!(matches!(refused, Err(Misuse::Settings)), "{names:?}");
    }
}

#[test]
fn a_namespace_may_be_imported_where_little_may() {
    let strict = Profile {
        imports: Imports::Only(vec!["json".into()]),
        ..profile()
    };
    check_with(
        &TestHost::default(),
        strict.clone(),
        &[("import index\nindex.now()", "0")],
    );
    let told = validate("import index\nindex.now(nobody)", settings(strict), &[]);
    assert!(told.failure.is_none(), "{:?}", told.failure);
    assert_eq!(told.unknown, ["nobody"]);
}
