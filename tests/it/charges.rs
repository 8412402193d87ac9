//! What calls of plugins cost their session, whatever becomes of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rlm_sandbox::{
    Allowance, Ending, Journal, Limits, Plugin, PluginAnswer, PluginCall, PluginFunction,
    Recording, Step, Stop, ToolError, Verdict,
};
use serde_json::{Value as Json, json};

use crate::check::{block_on as block, sandbox};
use crate::plugins::{Echo, FUEL, Helper, Twice, session};

#[test]
fn a_plugin_is_charged_to_the_exec_that_calls_it() {
    let helper = Helper::default();
    let mut session = session(&helper).open().expect("right");
    let without = block(session.exec("2 * 4")).expect("runs");
    let with = block(session.exec("helper.double(4)")).expect("runs");
    let charged = with.usage.fuel - without.usage.fuel;
    assert!((FUEL..2 * FUEL).contains(&charged), "{charged}");
    assert!(with.usage.compute >= Duration::from_millis(2));

    // What is left of the exec's fuel is all that a call may use, and when that
    // is used up the exec ends.
    let mut limits = Limits::default();
    limits.fuel = Some(5 * FUEL / 2 + without.usage.fuel);
    let mut session = crate::plugins::session(&helper)
        .limits(limits.clone())
        .open()
        .expect("right");
    let outcome = block(session.exec("for i in range(10): print(helper.double(i))")).expect("runs");
    assert!(matches!(outcome.ending, Ending::Stopped(Stop::Fuel, _)));
    let allowed = helper.allowed.lock().expect("whole").clone();
    let last = allowed.last().expect("was called");
    assert!(last.fuel < FUEL, "{last:?}");
    assert_eq!(
        block(session.exec("1 + 1"))
            .expect("runs")
            .value::<u32>()
            .expect("2"),
        2
    );
}

#[test]
fn calls_side_by_side_share_what_is_left() {
    let helper = Helper::default();
    let mut limits = Limits::default();
    limits.fuel = Some(25 * FUEL);
    let mut session = session(&helper).limits(limits).open().expect("right");
    let outcome = block(session.exec(
        "import asyncio\nasync def one(i):\n    try:\n        return await helper.double(i)\n    except RuntimeError as error:\n        \
         return str(error)\nawait asyncio.gather(*[one(i) for i in range(4)])",
    ))
    .expect("runs");
    let told = outcome.value::<Vec<Json>>().expect("a list");
    assert_eq!(told[..3], [json!(0), json!(2), json!(4)]);
    assert!(
        told[3]
            .as_str()
            .expect("text")
            .contains("wait for some of them first")
    );
    let allowed = helper.allowed.lock().expect("whole");
    let sum: u64 = allowed.iter().map(|allowance| allowance.fuel).sum();
    assert!(sum < 25 * FUEL, "{allowed:?}");
}

#[test]
fn prompts_of_a_plugin_count_as_the_sessions() {
    let asked = Arc::default();
    let mut limits = Limits::default();
    limits.model_calls = 4;
    let mut session = session(&Helper::default())
        .model(Echo(Arc::clone(&asked)))
        .limits(limits)
        .open()
        .expect("right");
    let outcome = block(session.exec("helper.ask(['a', 'b', 'c', 'd'])")).expect("runs");
    let told = outcome.value::<Vec<String>>().expect("texts");
    assert_eq!(told[..3], ["0 a", "1 b", "2 c"]);
    assert!(told[3].contains("may ask 3 times"), "{told:?}");
    assert_eq!(outcome.usage.model_calls, 3);
    let outcome = block(session.exec("x = llm_query('e'), helper.ask(['f'])\nx")).expect("runs");
    assert!(
        outcome.value::<Json>().expect("a value")[1][0]
            .as_str()
            .expect("text")
            .contains("no: LLM call limit")
    );
    let outcome = block(session.exec("llm_query('g')")).expect("runs");
    assert!(
        outcome
            .exception()
            .expect("no more")
            .message
            .contains("4 + 1 > 4")
    );
}

#[test]
fn what_a_script_did_not_wait_for_costs_all_that_was_set_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let asked = Arc::new(AtomicU32::new(0));
    let mut limits = Limits::default();
    limits.model_calls = 6;
    let recording = Recording::create(&path).expect("a file");
    let builder = session(&Helper::default()).model(Echo(Arc::clone(&asked)));
    let mut session = builder
        .limits(limits)
        .record(&recording)
        .open()
        .expect("right");
    let code = "t = helper.ask(['a', 'b'])\nif False: await t\nhelper.double(1)";
    for model_calls in [3, 3, 0] {
        let outcome = block(session.exec(code)).expect("runs");
        assert_eq!(outcome.usage.model_calls, model_calls);
        assert!(outcome.usage.fuel > 10 * FUEL, "{}", outcome.usage.fuel);
    }
    assert!(asked.load(Ordering::Relaxed) <= 6);
    drop(session);
    let replayed = block(Journal::open(&path).expect("whole").replay(sandbox()));
    let verdict = replayed.expect("can be repeated").verdict;
    assert!(matches!(verdict, Verdict::Identical), "{verdict:?}");
}

#[test]
fn a_call_that_takes_too_long_costs_all_that_was_set_aside() {
    let asked = Arc::new(AtomicU32::new(0));
    let mut limits = Limits::default();
    limits.call_wait = Duration::from_millis(50);
    let builder = session(&Helper::default()).model(Twice(asked));
    let mut session = builder.limits(limits).open().expect("right");
    let code = "try:\n    helper.ask(['a', 'b', 'c'])\nexcept TimeoutError as error:\n    told = str(error)\ntold";
    let outcome = block(session.exec(code)).expect("runs");
    assert!(
        outcome
            .value::<String>()
            .expect("told")
            .contains("did not answer within")
    );
    assert_eq!(outcome.usage.model_calls, 3);
    assert!(outcome.usage.fuel > 10 * FUEL);
}

/// Uses all that it may, of everything.
struct Glutton;

impl Plugin for Glutton {
    fn name(&self) -> &str {
        "glutton"
    }

    fn functions(&self) -> Vec<PluginFunction> {
        vec![PluginFunction::new("eat", Vec::<String>::new())]
    }

    fn allowance(&self) -> Allowance {
        Allowance::new(u64::MAX, Duration::MAX, 0)
    }

    async fn call(&self, call: PluginCall) -> PluginAnswer {
        let mut answer = PluginAnswer::new(Err(ToolError::new("TimeoutError", "too long")));
        answer.fuel = call.allowance.fuel;
        answer.compute = call.allowance.time;
        answer
    }
}

#[test]
fn a_call_that_took_all_time_and_fuel_ends_the_exec_by_its_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let recording = Recording::create(&path).expect("a file");
    let builder = sandbox().session().plugin(Glutton).record(&recording);
    let mut session = builder.open().expect("right");
    let code = "while True:\n    try: glutton.eat()\n    except TimeoutError: pass";
    let outcome = block(session.exec(code)).expect("runs");
    let ending = &outcome.ending;
    assert!(
        matches!(ending, Ending::Stopped(Stop::Time, _)),
        "{ending:?}"
    );
    drop(session);
    let replayed = block(Journal::open(&path).expect("whole").replay(sandbox()));
    let verdict = replayed.expect("can be repeated").verdict;
    assert!(matches!(verdict, Verdict::Identical), "{verdict:?}");
}

#[test]
fn a_loop_of_ones_own_moves_with_what_it_owes() {
    let mut session = session(&Helper::default()).open().expect("right");
    let Step::Waiting(calls) = block(session.step("helper.double(4)")).expect("runs") else {
        panic!("it waits for the plugin");
    };
    let answer = block(session.perform(&calls[0]));
    let parked = block(session.park()).expect("written");
    let mut fork = block(session.fork()).expect("made");
    let mut restored = crate::plugins::session(&Helper::default())
        .restore(&parked)
        .expect("fits");
    for session in [&mut restored, &mut fork] {
        // What is refused has not happened.
        assert!(block(session.resume([(99, answer.clone())])).is_err());
        let answers = [(calls[0].ticket, answer.clone())];
        let Step::Done(outcome) = block(session.resume(answers)).expect("runs") else {
            panic!("it is answered");
        };
        assert!(outcome.usage.fuel > FUEL, "{}", outcome.usage.fuel);
        assert_eq!(outcome.stdout, "double was called\n");
    }
}

#[test]
fn a_loop_of_ones_own_charges_as_ours_does() {
    let mut ours = session(&Helper::default()).open().expect("right");
    let expected = block(ours.exec("helper.double(4)")).expect("runs");
    let mut session = session(&Helper::default()).open().expect("right");
    let Step::Waiting(calls) = block(session.step("helper.double(4)")).expect("runs") else {
        panic!("it waits for the plugin");
    };
    let answer = block(session.perform(&calls[0]));
    let Step::Done(outcome) = block(session.resume([(calls[0].ticket, answer)])).expect("runs")
    else {
        panic!("it is answered");
    };
    assert_eq!(outcome.usage.fuel, expected.usage.fuel);
    assert_eq!(outcome.stdout, expected.stdout);
}
