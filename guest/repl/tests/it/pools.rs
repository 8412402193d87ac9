//! What the workers of a pool ask is asked together.

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

use crate::host::{TestHost, repl, returned, tell};

const IMPORT: &str = "from concurrent.futures import ThreadPoolExecutor, as_completed\n";

/// Runs `source` and answers `rounds` of questions, each question with its text in
/// capitals and the last one first; gives what each round asked, and the outcome.
fn rounds(host: &TestHost, before: &[&str], source: &str) -> (Vec<String>, String) {
    let mut repl = repl(host);
    for script in before {
        assert_eq!(tell(repl.exec(script).expect("idle")), "None", "{script}");
    }
    let mut step = repl.exec(&format!("{IMPORT}{source}")).expect("idle");
    let mut asked = Vec::new();
    while let Step::Suspended(suspension) = &step {
        let texts: Vec<_> = suspension
            .waiting
            .iter()
            .map(|ticket| host.asked.borrow()[*ticket as usize].clone())
            .collect();
        asked.push(texts.join(", "));
        for ticket in suspension.waiting.clone().into_iter().rev() {
            let text = host.asked.borrow()[ticket as usize].to_uppercase();
            let answer = returned(ticket, &serde_json::json!(text).to_string());
            step = repl
                .resume(Resumption::Answers(vec![answer]))
                .expect("waits");
        }
    }
    (asked, tell(step))
}

#[track_caller]
fn asks(source: &str, expected: &[&str], outcome: &str) {
    asks_after(&[], source, expected, outcome);
}

#[track_caller]
fn asks_after(before: &[&str], source: &str, expected: &[&str], outcome: &str) {
    let host = TestHost::default();
    let (asked, told) = rounds(&host, before, source);
    assert_eq!(asked, expected, "{source}");
    assert_eq!(told, outcome, "{source}");
}

#[test]
fn host_functions_themselves() {
    let outcome = "['LLM A', 'LLM B', 'LLM C'] = [\"LLM A\",\"LLM B\",\"LLM C\"]";
    for source in [
        "with ThreadPoolExecutor(3) as pool: r = list(pool.map(llm_query, 'abc'))\nr",
        "with ThreadPoolExecutor() as pool: fs = [pool.submit(llm_query, c, model='m') for c in 'abc']\n[f.result() for f in fs]",
        "import functools\nwith ThreadPoolExecutor() as pool: r = list(pool.map(functools.partial(llm_query, model='m'), 'abc'))\nr",
    ] {
        asks(source, &["llm a, llm b, llm c"], outcome);
    }
    asks(
        "[*ThreadPoolExecutor().map(index.later, [1, 2])]",
        &[r#"index.later{"args":[1],"kwargs":{}}, index.later{"args":[2],"kwargs":{}}"#],
        r#"['INDEX.LATER{"ARGS":[1],"KWARGS":{}}', 'INDEX.LATER{"ARGS":[2],"KWARGS":{}}'] = ["INDEX.LATER{\"ARGS\":[1],\"KWARGS\":{}}","INDEX.LATER{\"ARGS\":[2],\"KWARGS\":{}}"]"#,
    );
}

#[test]
fn of_very_many_not_all_are_open_at_once() {
    for (pool, work, most) in [
        ("ThreadPoolExecutor()", "llm_query", 128),
        ("ThreadPoolExecutor(4)", "llm_query", 4),
        ("ThreadPoolExecutor(300)", "llm_query", 128),
        ("ThreadPoolExecutor(300)", "lambda n: llm_query(n)", 128),
        ("ThreadPoolExecutor()", "lambda n: llm_query(n)", 32),
    ] {
        let host = TestHost::default();
        let source =
            format!("r = list({pool}.map({work}, [str(n) for n in range(300)]))\n(len(r), r[299])");
        let (asked, told) = rounds(&host, &[], &source);
        let sizes: Vec<usize> = asked
            .iter()
            .map(|round| round.matches("llm").count())
            .collect();
        assert_eq!(sizes.iter().sum::<usize>(), 300);
        assert_eq!(sizes.iter().max(), Some(&most), "{source}: {sizes:?}");
        assert_eq!(told, "(300, 'LLM 299') = {\"$tuple\":[300,\"LLM 299\"]}");
    }
}

#[test]
fn pools_in_pools_have_no_more_open_together() {
    let host = TestHost::default();
    let source = "def part(n): return len(list(ThreadPoolExecutor(200).map(llm_query, [f'{n}.{m}' for m in range(20)])))\n\
                  sum(ThreadPoolExecutor(20).map(part, range(20)))";
    let (asked, told) = rounds(&host, &[], source);
    let sizes: Vec<usize> = asked
        .iter()
        .map(|round| round.matches("llm").count())
        .collect();
    assert_eq!(sizes.iter().sum::<usize>(), 400);
    assert!(sizes.iter().all(|size| *size <= 148), "{sizes:?}");
    assert_eq!(told, "400");
}

#[test]
fn functions_of_scripts_that_ask() {
    let outcome = "[5, 5] = [5,5]";
    for source in [
        "def work(c): return len(llm_query(c))\n[*ThreadPoolExecutor().map(work, 'ab')]",
        "[*ThreadPoolExecutor().map(lambda c: len(llm_query(c)), 'ab')]",
        "class A:\n  def work(self, c):\n    return len(llm_query(c))\n[*ThreadPoolExecutor().map(A().work, 'ab')]",
    ] {
        asks(source, &["llm a, llm b"], outcome);
    }
    // Written before there was any pool.
    asks_after(
        &["def work(c): return len(llm_query(c))"],
        "[f.result() for f in as_completed([ThreadPoolExecutor().submit(work, c) for c in 'a'])]\np = ThreadPoolExecutor()\n[f.result() for f in [p.submit(work, c) for c in 'ab']]",
        &["llm a", "llm a, llm b"],
        outcome,
    );
    asks(
        "def work(i): return index.later(i)[:2], later(i)[:2]\n[*ThreadPoolExecutor().map(work, [1, 2])]",
        &[
            r#"index.later{"args":[1],"kwargs":{}}, index.later{"args":[2],"kwargs":{}}"#,
            r#"later{"args":[1],"kwargs":{}}, later{"args":[2],"kwargs":{}}"#,
        ],
        r#"[('IN', 'LA'), ('IN', 'LA')] = [{"$tuple":["IN","LA"]},{"$tuple":["IN","LA"]}]"#,
    );
}

#[test]
fn no_more_at_once_than_there_are_workers() {
    let source = "log = []\ndef work(c):\n  log.append(c)\n  llm_query(c)\n  llm_query(c + c)\n  log.append(c.upper())\n\
                  with ThreadPoolExecutor(2) as pool: list(pool.map(work, 'abc'))\n''.join(log)";
    asks(
        source,
        &["llm a, llm b", "llm aa, llm bb", "llm c", "llm cc"],
        "'abAcBC' = \"abAcBC\"",
    );
    asks(
        &source.replace("(2)", "(1)"),
        &["llm a", "llm aa", "llm b", "llm bb", "llm c", "llm cc"],
        "'aAbBcC' = \"aAbBcC\"",
    );
}

#[test]
fn generators_of_one_worker_are_not_those_of_another() {
    asks(
        "def parts(x):\n  for i in range(2):\n    yield llm_query(f'{x}{i}')\n[''.join(r) for r in ThreadPoolExecutor().map(lambda x: list(parts(x)), 'ab')]",
        &["llm a0, llm b0", "llm a1, llm b1"],
        "['LLM A0LLM A1', 'LLM B0LLM B1'] = [\"LLM A0LLM A1\",\"LLM B0LLM B1\"]",
    );
}

#[test]
fn nobody_else_runs_while_a_lock_is_held() {
    let source = "from threading import Lock, Semaphore\nlock = Lock()\ndef work(c):\n  with lock: llm_query(c)\n  return llm_query(c + c)\n\
                  len([*ThreadPoolExecutor().map(work, 'abc')])";
    asks(
        source,
        &["llm a", "llm b", "llm c", "llm aa, llm bb, llm cc"],
        "3",
    );
    // The last one who may have it is waited for.
    asks(
        &source.replace("lock = Lock()", "lock = Semaphore(2)"),
        &["llm b", "llm c", "llm a, llm bb, llm cc", "llm aa"],
        "3",
    );
}

#[test]
fn what_workers_print_comes_in_their_order() {
    let source = "def work(c):\n  print('in', c, end='; ')\n  r = llm_query(c)\n  print('out', c, sep='')\n  return r\n\
                  fs = [*ThreadPoolExecutor().map(work, 'abc')]\nprint('end')";
    let host = TestHost::default();
    let (asked, _) = rounds(&host, &[], source);
    assert_eq!(asked, ["llm a, llm b, llm c"]);
    let other = source
        .replace(
            "print('in', c, end='; ')",
            "print('in', c, end='; ', file=sys.stdout)",
        )
        .replace("print('out', c, sep='')", "pprint.pprint({c: 1})");
    let second = TestHost::default();
    rounds(&second, &[], &format!("import sys, pprint\n{other}"));
    assert_eq!(
        *second.said.borrow(),
        "in a; {'a': 1}\nin b; {'b': 1}\nin c; {'c': 1}\nend\n"
    );
    assert_eq!(
        *host.said.borrow(),
        "in a; outa\nin b; outb\nin c; outc\nend\n"
    );
}

#[test]
fn a_worker_may_end_the_run() {
    let source = "def work(c):\n  if llm_query(c) == 'LLM B': FINAL(c)\nlist(ThreadPoolExecutor().map(work, 'abc'))";
    asks(source, &["llm a, llm b, llm c"], "FINAL \"b\"");
}

#[test]
fn a_pool_prints_after_a_worker_ended_an_earlier_run() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    // The second one ends the run while the first one waits, so its output is kept.
    let ending = "def work(c): llm_query(c) if c == 'a' else FINAL(c)\nlist(ThreadPoolExecutor().map(work, 'ab'))";
    let step = repl.exec(&format!("{IMPORT}{ending}")).expect("idle");
    assert_eq!(tell(step), "FINAL \"b\"");
    let source = "list(ThreadPoolExecutor().map(print, 'ab'))";
    let step = repl.exec(&format!("{IMPORT}{source}")).expect("idle");
    assert_eq!(tell(step), "[None, None] = [null,null]");
    assert_eq!(*host.said.borrow(), "a\nb\n");
}

#[test]
fn what_only_another_could_end_fails() {
    let source = "import threading\nevent = threading.Event()\npool = ThreadPoolExecutor()\nf = pool.submit(event.wait, 3)\nf.done()";
    let host = TestHost::default();
    let (_, told) = rounds(&host, &[], source);
    assert!(
        told.starts_with("RuntimeError: this waits for ever"),
        "{told}"
    );
}

#[test]
fn errors_stay_in_their_future() {
    let source = "def work(i): return fail() if i == 1 else now()\np = ThreadPoolExecutor()\n\
                  [repr(f.exception()) for f in [p.submit(fail), p.submit(llm_query, 3), p.submit(work, 0), p.submit(work, 1)]]";
    let host = TestHost::default();
    let (asked, told) = rounds(&host, &[], source);
    assert!(asked.is_empty());
    assert!(
        told.starts_with(r#"["ValueError('no such row')", "TypeError('llm_query() needs text, not int')", 'None', "ValueError('no such row')"]"#),
        "{told}"
    );
}

#[test]
fn names_are_what_they_were_when_the_pool_is_done() {
    asks(
        "list(ThreadPoolExecutor().map(lambda x: llm_query(x), 'ab'))\nrepr(llm_query), repr(later), repr(index)[:7]",
        &["llm a, llm b"],
        r#"("<function 'llm_query' external>", "<function 'later' external>", '<module') = {"$tuple":["<function 'llm_query' external>","<function 'later' external>","<module"]}"#,
    );
    // Stopped while the pool works.
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl.exec(&format!(
        "{IMPORT}def work(x): return llm_query(x)\nlist(ThreadPoolExecutor().map(work, 'ab'))"
    ));
    assert_eq!(tell(step.expect("idle")), "waits for [0, 1], open []");
    let step = repl.resume(Resumption::Stop(Stop::Calls)).expect("waits");
    assert_eq!(tell(step), "stopped: Stop::Calls");
    let step = repl.exec("repr(llm_query)").expect("idle");
    assert!(tell(step).starts_with("\"<function 'llm_query' external>\""));
    let step = repl.exec("list(ThreadPoolExecutor().map(work, 'cd'))");
    assert_eq!(tell(step.expect("idle")), "waits for [2, 3], open []");
    let answers = vec![returned(3, "4"), returned(2, "5")];
    let step = repl.resume(Resumption::Answers(answers)).expect("waits");
    assert_eq!(tell(step), "[5, 4] = [5,4]");
}

#[test]
fn a_state_can_be_written_down_while_a_pool_works() {
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl.exec(&format!(
        "{IMPORT}list(ThreadPoolExecutor().map(llm_query, 'ab'))"
    ));
    assert_eq!(tell(step.expect("idle")), "waits for [0, 1], open []");
    let step = repl.resume(Resumption::Answers(vec![returned(1, "2")]));
    let waits = "waits for [0], open []";
    assert_eq!(tell(step.expect("waits")), waits);
    let mut other = crate::moved(&mut repl, crate::repl(&host), Some(waits));
    let step = other.resume(Resumption::Answers(vec![returned(0, "1")]));
    assert_eq!(tell(step.expect("waits")), "[1, 2] = [1,2]");
}

#[test]
fn where_there_are_tasks_workers_are_one_after_another() {
    asks(
        "import asyncio\nasync def g(x): return await llm_query(x)\nasync def main(x): return await asyncio.gather(g(x), llm_query(x + x))\n\
         [len(r) for r in ThreadPoolExecutor().map(lambda x: asyncio.run(main(x)), 'ab')]",
        &["llm aa, llm a", "llm bb, llm b"],
        "[2, 2] = [2,2]",
    );
}

#[test]
fn no_task_goes_on_in_a_function_that_a_builtin_calls() {
    let before = "import asyncio\nasync def score(x):\n    await asyncio.sleep(0.01)\n    return x * x\n\
                  def f(x): return (await asyncio.gather(score(x), score(x + 1)))[0]\nxs = [1, 3, 2]";
    let refused = "'NotImplementedError: await has to wait for the host, which nothing can in here, as in a key of sorted() or in __str__' = \"NotImplementedError: await has to wait for the host, which nothing can in here, as in a key of sorted() or in __str__\"";
    for called in [
        "max(xs, key=f)",
        "sorted(xs, key=lambda x: f(x))",
        "import math\n    m = map(f, xs)\n    math.prod(m)",
        "class C:\n        def __len__(self): return f(3)\n    len(C())",
        "class C:\n        def __str__(self): return str(f(3))\n    print(C())",
    ] {
        let source = format!(
            "try:\n    {called}\n    r = 'nothing'\nexcept NotImplementedError as e:\n    r = f'{{type(e).__name__}}: {{e}}'\nr"
        );
        let host = TestHost::default();
        let mut repl = repl(&host);
        assert_eq!(tell(repl.exec(before).expect("idle")), "None");
        let told = tell(repl.exec(&source).expect("idle"));
        assert_eq!(told, refused, "{source}");
        let after = tell(repl.exec("[f(x) for x in xs]").expect("idle"));
        assert_eq!(after, "[1, 9, 4] = [1,9,4]", "{source}");
    }
}

#[test]
fn each_worker_looks_for_an_item_of_its_own() {
    let worker = |body: &str| {
        format!(
            "def w(k):\n    {body}\n    return k, v, r\nwith ThreadPoolExecutor(3) as p: out = list(p.map(w, 'ab'))\nrepr(out)"
        )
    };
    for (body, outcome) in [
        (
            "v = next((r := llm_query(k + x)) for x in '12')",
            "\"[('a', 'LLM A1', 'LLM A1'), ('b', 'LLM B1', 'LLM B1')]\"",
        ),
        (
            "v = any((r := llm_query(k + x)) == 'LLM A1' for x in '1')",
            "\"[('a', True, 'LLM A1'), ('b', False, 'LLM B1')]\"",
        ),
    ] {
        asks(&worker(body), &["llm a1, llm b1"], outcome);
    }
}

#[test]
fn what_nothing_waits_for_runs_where_the_script_sleeps_or_ends() {
    let pool =
        "import time\np = ThreadPoolExecutor()\nout = []\ndef work(c): out.append(llm_query(c))\n";
    for (source, asked, outcome) in [
        ("p.submit(work, 'a')\nNone", "llm a", "None"),
        (
            "p.submit(work, 'a'); p.submit(work, 'b')\ntime.sleep(1)\nout",
            "llm a, llm b",
            "['LLM A', 'LLM B'] = [\"LLM A\",\"LLM B\"]",
        ),
        (
            "p.submit(work, 'a')\nfrom time import sleep\nsleep(0.1)\nout, sleep is time.sleep",
            "llm a",
            "(['LLM A'], False) = {\"$tuple\":[[\"LLM A\"],false]}",
        ),
        (
            "p.submit(work, 'a')\nFINAL(out)",
            "llm a",
            "FINAL [\"LLM A\"]",
        ),
        (
            "[p.submit(work, 'a')] and out",
            "llm a",
            "['LLM A'] = [\"LLM A\"]",
        ),
        (
            "p.submit(work, 'a')\nresult = out",
            "llm a",
            "['LLM A'] = [\"LLM A\"]",
        ),
    ] {
        asks(&format!("{pool}{source}"), &[asked], outcome);
    }
    // Not after an exception, and names are what they were.
    let host = TestHost::default();
    let mut repl = repl(&host);
    let step = repl.exec(&format!("{IMPORT}{pool}p.submit(work, 'a')\n1 / 0"));
    let outcome = tell(step.expect("idle"));
    assert!(outcome.starts_with("ZeroDivisionError"), "{outcome}");
    let step = repl.exec("from threading import Lock").expect("idle");
    assert_eq!(tell(step), "None");
    let step = repl.exec("out, repr(time)").expect("idle");
    assert_eq!(
        tell(step),
        "([], \"<module 'time'>\") = {\"$tuple\":[[],\"<module 'time'>\"]}"
    );
}

#[test]
fn a_queue_that_nothing_fills_is_an_error_of_the_script() {
    let queue = "import queue, threading\nq = queue.Queue(1)\n";
    for source in [
        "threading.Thread(target=q.get).start()",
        "ThreadPoolExecutor().submit(q.get)",
        "q.put(1)\nThreadPoolExecutor().submit(q.put, 2)",
        "q.put(1)\nThreadPoolExecutor().submit(q.join).result()",
    ] {
        let host = TestHost::default();
        let (_, outcome) = rounds(&host, &[], &format!("{queue}{source}"));
        assert!(
            outcome.starts_with("RuntimeError: this waits for ever"),
            "{source}: {outcome}"
        );
    }
}

#[test]
fn a_tool_is_given_what_values_stand_for() {
    asks(
        "from enum import IntEnum, StrEnum\nclass D(dict): pass\nclass L(list): pass\nclass P(tuple): pass\nclass H(StrEnum):\n  HIGH = 'high'\n\
         class N(IntEnum):\n  TWO = 2\nd = {'k': 1}\nindex.later(D(a=L([H.HIGH])), P((N.TWO,)), range(2), iter([1]), d.items(), x=[N.TWO])\nNone",
        &[
            r#"index.later{"args":[{"a":["high"]},{"$tuple":[2]},[0,1],[1],[{"$tuple":["k",1]}]],"kwargs":{"x":[2]}}"#,
        ],
        "None",
    );
}
