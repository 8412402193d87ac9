//! How a run ends with an answer, and what becomes of the rest.

use rlm_sandbox::{Ending, Final, Finisher, Outcome, Profile, Progress, Session, State, Step};

use crate::check::{block_on, described, exec, sandbox, value};

fn finish(outcome: &Outcome) -> &Final {
    outcome
        .finish
        .as_ref()
        .unwrap_or_else(|| panic!("{outcome:?}"))
}

#[doc = "Keeps R4-3, X19."]
#[test]
fn a_finished_run_keeps_its_namespace_and_goes_on() {
    let mut session = described().open().expect("right");
    let outcome = exec(
        &mut session,
        "x = 1\ntry:\n    FINAL({'rows': [1, 2]})\nexcept BaseException:\n    x = 2\nfinally:\n    x = 3\nprint('never')",
    );
    assert_eq!(finish(&outcome).answer.repr, "{'rows': [1, 2]}");
    assert_eq!(finish(&outcome).by, Finisher::Direct);
    assert_eq!(
        (outcome.ending.clone(), outcome.stdout.as_str()),
        (Ending::Value(None), "")
    );
    assert_eq!(
        (outcome.state, outcome.names.join(" ")),
        (State::Intact, "x".into())
    );
    assert_eq!(value(&mut session, "x"), "1");
    let outcome = exec(&mut session, "FINAL_VAR('x')");
    assert_eq!(finish(&outcome).by, Finisher::Variable("x".into()));
    assert_eq!(finish(&outcome).answer.get::<u32>().expect("a number"), 1);
}

#[test]
fn calls_that_are_open_when_a_run_finishes_are_dropped_and_listed() {
    for finisher in [
        "FINAL('done')",
        "x = 'done'\nFINAL_VAR('x')",
        "SUBMIT('done')",
        "submit_answer('done')",
        "answer['content'] = 'done'\nanswer['ready'] = True",
    ] {
        let mut session = described().open().expect("right");
        let source = format!("echo(0)\na = soon(1, 600_000)\nlater(2)\n{finisher}");
        let outcome = exec(&mut session, &source);
        let answer = &finish(&outcome).answer;
        assert!(answer.repr.contains("'done'"), "{finisher}: {answer:?}");
        let progress: Vec<_> = outcome.calls.iter().map(|call| call.progress).collect();
        assert_eq!(
            progress,
            [Progress::Returned, Progress::Asked, Progress::Returned],
            "{finisher}"
        );
        assert_eq!(value(&mut session, "1 + 1"), "2");
    }
}

#[doc = "Keeps R4-7, X19."]
#[test]
fn submit_fits_its_fields_or_the_script_is_told() {
    let profile = Profile::default().outputs([("answer", "str"), ("confidence", "float")]);
    let mut session = sandbox().session().profile(profile).open().expect("right");
    let outcome = exec(&mut session, "SUBMIT('42', 1)");
    let Finisher::Fields(fields) = &finish(&outcome).by else {
        panic!("{outcome:?}")
    };
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", value.repr))
        .collect();
    assert_eq!(fields, ["answer='42'", "confidence=1"]);
    let outcome = exec(
        &mut session,
        "try:\n    SUBMIT(answer=42)\nexcept TypeError as e:\n    print(e)\n    SUBMIT('42', confidence=0.5)",
    );
    assert_eq!(
        outcome.stdout,
        "SUBMIT() is missing fields: 'confidence'; use SUBMIT(answer, confidence)\n"
    );
    assert_eq!(
        finish(&outcome).answer.repr,
        "{'answer': '42', 'confidence': 0.5}"
    );
}

#[test]
fn the_fields_of_submit_can_change_when_a_session_is_taken_up() {
    let builder = described().outputs([("answer", "str")]);
    let mut session = builder.open().expect("opens");
    exec(&mut session, "x = 5");
    let parked = block_on(session.park()).expect("parks");
    let builder = sandbox().session().outputs([("count", "int"), ("why", "")]);
    let mut other = builder.restore(&parked).expect("restores");
    let outcome = exec(&mut other, "SUBMIT(x, why='so')");
    assert_eq!(finish(&outcome).answer.repr, "{'count': 5, 'why': 'so'}");
    let mut same = sandbox().session().restore(&parked).expect("restores");
    assert_eq!(
        finish(&exec(&mut same, "SUBMIT('a')")).answer.repr,
        "{'answer': 'a'}"
    );
    // A limit brings the session back from its base, with the same fields.
    let mut limits = other.limits().clone();
    limits.time = std::time::Duration::from_millis(50);
    other.set_time_limit(limits.time);
    assert!(!exec(&mut other, "while True: pass").is_success());
    let outcome = exec(&mut other, "SUBMIT(x + 1, why='')");
    assert_eq!(finish(&outcome).answer.repr, "{'count': 6, 'why': ''}");
}

#[test]
fn a_run_can_be_finished_after_a_wait_and_in_another_process() {
    let mut session = described().open().expect("right");
    let step = block_on(session.step("x = later(7)\nFINAL_VAR('x')")).expect("waits");
    assert!(matches!(step, Step::Waiting(_)));
    let parked = block_on(session.park()).expect("written");
    let mut other = described().restore(&parked).expect("read");
    let outcome = block_on(other.finish()).expect("an outcome");
    assert_eq!(finish(&outcome).answer.repr, "7");
}

#[test]
fn an_answer_that_cannot_be_shown_is_an_exception_and_nothing_worse() {
    let mut session = described().open().expect("right");
    exec(
        &mut session,
        "class Odd:\n    def __repr__(self): raise ValueError('no')\n    def __eq__(self, other): raise ValueError('eq')\n    \
         def __hash__(self): return 1\nclass Endless:\n    def __repr__(self):\n        while True: pass\n    def \
         __eq__(self, other):\n        while True: pass\n    def __hash__(self): return 2",
    );
    for source in [
        "FINAL(Odd())",
        "x = Odd()\nFINAL_VAR('x')",
        "SUBMIT(a=Odd())",
        "[Odd()]",
    ] {
        let outcome = exec(&mut session, source);
        let told = outcome.exception().expect("raised").to_string();
        assert_eq!(told, "ValueError: no", "{source}");
    }
    let outcome = exec(&mut session, "FINAL({Odd(): 1})");
    assert!(outcome.finish.is_none());
    session.set_time_limit(std::time::Duration::from_millis(30));
    for source in [
        "FINAL(Endless())",
        "[Endless()]",
        "answer['content'] = Endless()\nanswer['ready'] = 1",
        "{Endless(), Endless()}",
    ] {
        let outcome = exec(&mut session, source);
        assert_eq!(outcome.state, State::RolledBack, "{source}: {outcome:?}");
    }
    assert_eq!(value(&mut session, "[type(Odd()), Odd][1] is Odd"), "True");
    // Looking at them runs none of their code.
    exec(
        &mut session,
        "odd, endless, both = Odd(), Endless(), [Odd(), Endless()]",
    );
    let listed = variables(&mut session);
    assert!(
        listed.contains("both list [<Odd>, <Endless>] 2"),
        "{listed}"
    );
    assert!(listed.contains("odd Odd <Odd> -"), "{listed}");
}

fn variables(session: &mut Session) -> String {
    let listed = block_on(session.variables(rlm_sandbox::Look::default())).expect("listed");
    let line = |variable: &rlm_sandbox::Variable| {
        let size = variable
            .size
            .map_or("-".to_owned(), |size| size.to_string());
        format!(
            "{} {} {} {size}",
            variable.name, variable.kind, variable.repr
        )
    };
    listed.iter().map(line).collect::<Vec<_>>().join("\n")
}
