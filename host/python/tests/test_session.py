"""Sessions from Python: what they give, what they survive, and that the protocol is what its schema says."""

from __future__ import annotations

import asyncio
import base64
import copy
import json
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import jsonschema
import pytest
import rlm_sandbox
from rlm_sandbox import Completion, Opaque, SandboxError, ScriptError, Session, Tool, Waiting, Worker, WorkerGone, replay


def test_a_model_calls_tools_by_name() -> None:
    with rlm_sandbox.Session(llm=lambda prompt: prompt.upper()) as session:
        assert [tool["function"]["name"] for tool in session.tools()] == ["exec_python"]
        assert session.tools("anthropic")[0]["input_schema"]["required"] == ["code"]
        result = session.call_tool("exec_python", {"code": "x = llm_query('a')\nprint(x)\nx"})
        assert (result["success"], result["return_value"], result["stdout"]) == (True, "'A'", "A\n")
        assert session.call_tool("exec_python", {})["error"] == "exec_python: missing 'code' parameter"
        assert session.call_tool("exec_python", {"code": "1", "timeout_ms": 0})["error_kind"] == "policy"
        stopped = session.call_tool("exec_python", {"code": "while True: pass", "timeout_ms": 50})
        assert stopped["error_kind"] == "timeout"
        assert session.call_tool("nope", {})["error"] == "there is no tool 'nope'; there are exec_python"
        assert session.exec("x").value == "A"


def test_ten_lines() -> None:
    with Session(tools={"shout": str.upper}) as session:
        session.exec("words = ['hello', 'wasm']")
        outcome = session.exec("print(len(words))\n[shout(w) for w in words]")
        assert outcome.value == ["HELLO", "WASM"]
        assert (outcome.stdout, outcome.repr) == ("2\n", "['HELLO', 'WASM']")
        assert outcome.usage.fuel > 0 and outcome.state == "intact"
        assert [(name, progress) for _, name, progress in outcome.calls] == [("shout", "returned")] * 2


def test_a_run_is_forked_at_its_second_turn() -> None:
    with Session(llm=lambda prompt: "not asked") as session:
        first = session.step("plan = llm_query('plan?')\nanswer = llm_query('do: ' + plan)\nplan + ', ' + answer")
        assert isinstance(first, Waiting) and first.calls[0].prompts == ("plan?",)
        second = session.resume({first.calls[0].ticket: "add"})
        assert isinstance(second, Waiting) and second.calls[0].prompts == ("do: add",)
        with session.fork() as fork:
            ticket = second.calls[0].ticket
            assert [call.ticket for call in fork.waiting_calls()] == [ticket]
            one, other = session.resume({ticket: "3"}), fork.resume({ticket: "4"})
            assert (one.value, other.value) == ("add, 3", "add, 4")
            assert session.exec("answer").value == "3" and fork.exec("answer").value == "4"
            assert fork.id != session.id


def test_values_cross_both_ways_as_they_are() -> None:
    values = {
        "a": [1, 2.5, True, None, "é\u2028😀"],
        "b": (1, (2,)),
        "c": {1, 2},
        "d": frozenset({"x"}),
        "e": b"\x00\xff",
        "f": 2**70,
        "g": -(2**63) - 1,
        "h": {1: "one", (2, 3): [4]},
        "i": {"$tuple": "no tag"},
        "j": float("-inf"),
        "k": {},
    }
    with Session(tools={"same": lambda x: x}, variables=values) as session:
        for name, value in values.items():
            assert session.get(name) == value, name
            assert session.exec(f"same({name})").value == value, name
        assert math.isnan(session.exec("float('nan')").value)
        assert isinstance(session.exec("lambda: 1").value, Opaque)
        assert session.get("missing", 7) == 7
        with pytest.raises(TypeError, match="cannot enter the sandbox"):
            session.set(x=object())
        with pytest.raises(UnicodeError):
            session.exec("'\ud800'")
        assert session.exec("1 + 1").value == 2


def test_a_script_that_fails_is_an_outcome() -> None:
    with Session(limits={"time": 0.2, "memory": "16MiB"}) as session:
        session.exec("x = 1")
        raised = session.exec("x = 2\nrows = {}\nrows['a']")
        assert raised.error is not None and (raised.error.kind, raised.error.cause) == ("KeyError", "key")
        assert not raised.ok and raised.error.stopped is None and "line 3" in raised.error.traceback
        with pytest.raises(ScriptError, match="KeyError"):
            raised.check()
        endless = session.exec("x = 3\nwhile True: pass")
        assert endless.error is not None and endless.error.stopped == "time" and endless.state == "rolled-back"
        assert session.get("x") == 2
        full = session.exec("y = 'a' * 10**9")
        assert full.error is not None and full.error.stopped == "memory"
        assert session.exec("1 +").error.cause == "syntax"  # type: ignore[union-attr]


def test_tools_raise_what_they_raise() -> None:
    def fail(kind: str) -> None:
        raise {"value": ValueError("bad"), "key": KeyError("k")}[kind]

    with Session(tools=[fail, Tool(lambda *args, **kwargs: [args, kwargs], "anything")]) as session:
        outcome = session.exec("try:\n    fail('value')\nexcept ValueError as e:\n    print(e)\nfail(kind='key')")
        assert outcome.stdout == "bad\n" and str(outcome.error) == "KeyError: 'k'"
        assert session.exec("anything(1, b=2)").value == [(1,), {"b": 2}]
        wrong = session.exec("fail()")
        assert wrong.error is not None and wrong.error.kind == "TypeError"


def test_the_traceback_of_a_tool_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def divide(a: int, b: int) -> float:
        return a / b

    with caplog.at_level("INFO", logger="rlm_sandbox"), Session(tools=[divide]) as session:
        outcome = session.exec("divide(1, 0)")
        assert outcome.error is not None and outcome.error.kind == "ZeroDivisionError"
        assert "return a / b" in caplog.text
        assert "return a / b" not in outcome.error.traceback


@pytest.mark.parametrize("name", ["llm", "rlm"])
def test_a_model_that_is_no_function_is_refused(name: str) -> None:
    with pytest.raises(SandboxError, match=f"{name} is 'gpt'; give a function"):
        Session(**{name: "gpt"})  # type: ignore[arg-type]


def test_models_answer_batches_together_and_know_their_price() -> None:
    together = threading.Barrier(3, timeout=20)

    def llm(prompt: str, model: str | None = None) -> Completion:
        together.wait()
        if prompt == "bad":
            raise RuntimeError("no")
        return Completion(f"{prompt}/{model}", 3, 4)

    with Session(llm=llm) as session:
        outcome = session.exec("llm_query_batched(['a', 'bad', 'c'], model='m')")
        assert outcome.value == ["a/m", "[ERROR] no", "c/m"]
        assert (outcome.usage.model_calls, outcome.usage.input_tokens, outcome.usage.output_tokens) == (3, 6, 8)


def test_awaitable_handlers_are_awaited() -> None:
    async def later(x: int) -> int:
        await asyncio.sleep(0)
        return x + 1

    with Session(tools=[later]) as session:
        assert session.exec("later(1)").value == 2

        async def inside() -> object:
            return session.exec("later(2)").value

        assert asyncio.run(inside()) == 3


def test_contexts_come_from_text_bytes_files_and_data(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("one\ntwo\n")
    with Session(contexts={"a": "text", "b": b"\xff", "c": log, "d": {"k": [1]}}) as session:
        assert session.exec("sorted(files), files['c'], files['b']").value == (list("abcd"), "one\ntwo\n", b"\xff")
        session.add_context("a", "changed")
        session.remove_context("b")
        assert session.exec("files['a'], len(files)").value == ("changed", 3)
        with pytest.raises(SandboxError, match="no context is named `zz`"):
            session.remove_context("zz")
    with Session(contexts={"only": {"k": 1}}) as session:
        assert session.exec("context['k']").value == 1
    with pytest.raises(TypeError, match="a dict of contents by name"):
        Session(contexts="text")  # type: ignore[arg-type]
    with pytest.raises(SandboxError, match="cannot read"):
        Session(contexts={"a": tmp_path / "missing"})


def test_conversations_are_read_as_history() -> None:
    with Session(histories=[[{"role": "user", "content": "hi"}]]) as session:
        session.set_history(1, [{"role": "user", "content": "again"}])
        assert session.exec("history[0]['content'], history_1[0]['content']").value == ("hi", "again")
        with pytest.raises(SandboxError, match="there is no history 5"):
            session.set_history(5, [])


def test_a_session_moves_to_another_process() -> None:
    with Session(contexts={"a": "text"}, variables={"x": [1]}) as session:
        session.exec("y = x; f = lambda: y; n = len(context)")
        parked, bare = session.park(), session.park(contexts=False)
    with Worker() as worker, Session.restore(bare, contexts={"a": "text"}, worker=worker) as other:
        assert other.exec("y.append(2); x, f(), n").value == ([1, 2], [1, 2], 4)
    with pytest.raises(SandboxError) as refused:
        Session.restore(parked[:-1], contexts={"a": "text"})
    assert refused.value.kind == "parked"
    with pytest.raises(SandboxError, match="add it again"):
        Session.restore(bare)


@pytest.mark.parametrize("isolate", [None, "process"] if sys.platform == "linux" else [None])
def test_a_parked_session_holds_its_contexts_and_takes_others(tmp_path: Path, isolate: str | None) -> None:
    log = tmp_path / "app.log"
    log.write_text("one\n" * 1000)
    with Worker(isolate=isolate) as worker:
        with Session(contexts={"app.log": log}, worker=worker) as session:
            session.exec("seen = len(context.splitlines())\ndef whole(): return len(context)")
            parked = session.park()
        log.unlink()
        with Session.restore(parked, worker=worker) as session:
            assert session.exec("seen, len(context), whole(), list(files)").value == (1000, 4000, 4000, ["app.log"])
            with session.fork() as fork:
                assert fork.exec("whole()").value == 4000
            again = session.park()
        log.write_text("one\n" * 1500)
        with Session.restore(again, contexts={"app.log": log}, worker=worker) as session:
            assert session.exec("seen, len(context), whole()").value == (1000, 6000, 6000)
    with Session(contexts={"large": random.Random(1).randbytes(9 << 20)}) as session:
        # It does not pack into what a message has room for.
        large = session.park()
    assert len(large) < 100_000
    with pytest.raises(SandboxError, match="add it again"):
        Session.restore(large)


def test_a_snapshot_goes_on_exactly_as_its_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = ["x = [str(n) for n in range(3000)]", "y = ask(len(x)), id(x)", "class A: pass\nrepr(A()), {str(n) for n in range(9)}", "y"]
    with Worker() as worker:
        with Session(tools=[ask], seed=7, worker=worker) as session:
            alone = [(outcome.value, outcome.usage.fuel) for outcome in map(session.exec, scripts)]
        chained = []
        session = Session(tools=[ask], seed=7, worker=worker)
        for script in scripts:
            with session:
                step = session.step(script)
                parked = session.snapshot()
            session = Session.restore(parked, tools=[ask], worker=worker)
            outcome = session.finish() if isinstance(step, Waiting) else step
            chained.append((outcome.value, outcome.usage.fuel))
            parked = session.snapshot()
            session.close()
            session = Session.restore(parked, tools=[ask], worker=worker)
        assert chained == alone
        session.close()
    with monkeypatch.context() as environment:
        environment.setenv("RLM_SANDBOX_RECORD", str(tmp_path))
        with Worker() as worker, Session.restore(parked, tools=[ask], worker=worker) as session:
            assert session.exec("len(x), ask(1)").value == (3000, 2)
    (recorded,) = tmp_path.glob("*.jsonl")
    with Session.from_journal(recorded, tools=[ask]) as session:
        assert session.exec("x[-1]").value == "2999"
    if sys.platform == "linux":
        with Worker(isolate="process") as worker:
            with pytest.raises(SandboxError, match="park the session instead"):
                Session.restore(parked, tools=[ask], worker=worker)
            with Session(variables={"x": 1}, worker=worker) as session:
                written = session.snapshot()
            with Session.restore(written, worker=worker) as session:
                assert session.exec("x").value == 1


def ask(n: int) -> int:
    return n + 1


def test_a_session_gets_other_limits_when_it_is_taken_up(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"
    with Session(limits={"output": 1000}, record=journal) as session:
        session.exec("x = 'a' * 30_000_000")
        parked = session.park()
    with Session.restore(parked) as session:
        assert session.exec("y = x + x + 'b'").error is not None
    with Session.restore(parked, limits={"memory": "256MiB", "output": 100_000}) as session:
        assert session.exec("y = x + x + 'b'\nprint('a' * 50_000)").dropped_bytes == 0
        # They stay.
        parked = session.park()
    with Session.restore(parked) as session:
        assert session.exec("z = y + 'c'").ok
    with Session.from_journal(journal, limits={"output": 10, "memory": "1GiB"}) as session:
        assert len(session.exec("print('a' * 50)").stdout) == 10
        assert session.exec("y = x + x + 'b'").error is not None
    with pytest.raises(SandboxError, match="recursion"):
        Session.restore(parked, limits={"recursion": 10})
    with pytest.raises(SandboxError, match="leave `limits` or `record` out"):
        Session.from_journal(journal, record=True, limits={"output": 10})
    with Session(llm=lambda prompt: "x") as session:
        session.step("llm_query('q')")
        waiting = session.park()
    with pytest.raises(SandboxError, match="a script waits"):
        Session.restore(waiting, limits={"memory": "256MiB"})


def test_a_waiting_session_moves_too() -> None:
    with Session(llm=lambda prompt: "first") as session:
        assert isinstance(session.step("'got ' + llm_query('q')"), Waiting)
        parked = session.park()
    with Session.restore(parked, llm=lambda prompt: "second " + prompt) as other:
        assert other.waiting() and other.finish().value == "got second q"
        assert not other.waiting()


def test_what_was_recorded_is_replayed_and_gone_on_with(tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"
    with Session(llm=lambda prompt: "yes", record=journal) as session:
        fuel = session.exec("import random\nx = random.random(), llm_query('really?')").usage.fuel
        session.exec("y = x")
        with pytest.raises(SandboxError, match="give all of them to `open`"):
            session.register({"late": len})
        x = session.get("x")
    replayed = rlm_sandbox.replay(journal)
    assert replayed["identical"] and replayed["execs"] == 2 and replayed["fuel"] > fuel
    with Session.from_journal(journal, exec=1) as before:
        assert before.get("x") == x and before.get("y") is None
    with Session.from_journal(journal, call=0, llm=lambda prompt: "no") as other:
        assert other.finish().ok and other.get("x") == (x[0], "no")


def test_a_cassette_answers_in_place_of_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cassette, asked = tmp_path / "cassette.jsonl", []

    def llm(prompt: str) -> str:
        asked.append(prompt)
        return "answer"

    # Workers take their surroundings from whoever starts them.
    for name in ("CI", "RLM_SANDBOX_RECORD"):
        monkeypatch.delenv(name, raising=False)
    with Worker() as worker:
        for _ in range(2):
            with Session(llm=llm, cassette=cassette, worker=worker) as session:
                assert session.exec("llm_query('q')").value == "answer"
    assert asked == ["q"]


def test_tools_may_come_later() -> None:
    with Session() as session:
        session.exec("x = 5")
        session.register({"double": lambda n: 2 * n}, outputs={"result": "int"})
        assert session.exec("double(x)").value == 10
        outcome = session.exec("SUBMIT(double(1))")
        assert outcome.final is not None and outcome.final.answer == {"result": 2}


def test_variables_export_import_reset_and_stats() -> None:
    with Session() as session:
        session.exec("a = (1, 2)\ndef f(): pass\nb = None")
        found = {one.name: one for one in session.variables(values=True)}
        assert found["a"].value == (1, 2) and found["a"].size == 2 and found["a"].type == "tuple"
        assert isinstance(found["f"].value, Opaque) and found["b"].value is None
        portable = json.loads(json.dumps(session.export()))
        reason = "a value of the type `function` has no JSON form"
        assert portable["skipped"] == [{"name": "f", "type": "function", "reason": reason}]
        session.reset()
        assert session.variables() == []
        with Session() as other:
            other.import_(portable)
            assert other.exec("a").value == (1, 2) and other.stats()["total_executions"] == 2


def test_validate_and_instructions() -> None:
    assert rlm_sandbox.validate("x = y + f()", known=["y"], functions=["f"]).ok
    found = rlm_sandbox.validate("x = ")
    assert not found.ok and found.message is not None and found.message.startswith("Syntax error")
    assert rlm_sandbox.validate("nobody").unknown_names == ["nobody"]
    assert not rlm_sandbox.validate("import json", profile="rlm-code").ok

    def lookup(word: str) -> str:
        """Looks a word up."""
        return word

    for text in (rlm_sandbox.instructions(tools=[lookup]), Session(tools=[lookup]).instructions()):
        assert "- lookup(word: str) -> str: Looks a word up." in text


def test_instructions_show_all_that_calls_need() -> None:
    def kwonly(*, q: str, n: int = 3, on: object = print) -> list[str]:
        return [q] * n

    def old(a, b="x"):  # type: ignore[no-untyped-def]
        return a

    def long(a: int = 0, b: str = "y" * 1000) -> None: ...

    tools = [kwonly, old, long, Tool(old, "renamed", ["first"])]
    with Session(tools=tools) as session:
        text = session.instructions()
    for line in (
        "- kwonly(*, q: str, n: int = 3, on: object = ...) -> list[str]",
        "- old(a, b='x')",
        "- long(a, b)",
        "- renamed(first)",
    ):
        assert line in text.splitlines(), text


def test_output_is_heard_while_it_is_printed() -> None:
    heard: list[tuple[str, str]] = []
    with Session(on_output=lambda stream, text: heard.append((stream, text)), tools=[lambda_seen(heard)]) as session:
        assert session.exec("print('a')\nseen()").value == 1
        assert heard == [("stdout", "a\n")]


def lambda_seen(heard: list[tuple[str, str]]) -> Tool:
    return Tool(lambda: len(heard), "seen")


def test_mistakes_are_told_with_what_to_do() -> None:
    for bad, message in [
        ({"profile": "nope"}, "there are apexflow"),
        ({"limits": {"tim": 1}}, "there is no limit `tim`"),
        ({"limits": {"time": -1}}, "number of seconds"),
        ({"limits": {"live-sessions": 1}}, "options of the worker"),
        ({"tools": {"print": print}}, "is a builtin of Python"),
        ({"tools": {"not a name": print}}, "not a Python name"),
        ({"outputs": ["a", "a"]}, "cannot be a field"),
        ({"profile": {"nmes": []}}, "unknown field"),
        ({"variables": {"not a name": 1}}, "is not a name"),
        ({"record": "/nowhere/run.jsonl"}, "/nowhere"),
        ({"cassette": "/nowhere/c.jsonl", "cassette_mode": "never"}, "cassette_mode is 'never'"),
    ]:
        with pytest.raises(SandboxError, match=message):
            Session(**bad)  # type: ignore[arg-type]
    with Session() as session:
        with pytest.raises(SandboxError, match="no script waits|waits"):
            session.resume({1: 2})
    with pytest.raises(SandboxError, match="closed"):
        session.exec("1")


def test_a_worker_that_dies_takes_its_sessions_and_nothing_else() -> None:
    worker = Worker()
    session = Session(worker=worker)
    assert session.exec("1").value == 1
    os.kill(worker._process.pid, signal.SIGKILL)
    with pytest.raises(WorkerGone, match="open a new session|does not read"):
        session.exec("2")
    session.close()
    with Session() as other:
        assert other.exec("3").value == 3
    with pytest.raises(SandboxError, match="cannot start"):
        Worker("/nowhere/rlm-sandbox")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are isolated on Linux alone")
def test_a_session_with_a_process_of_its_own_dies_alone() -> None:
    with Worker(isolate="process", isolated_memory=400 << 20) as worker:
        session = Session(tools={"f": lambda x: x + 1}, limits={"memory": 1 << 30, "time": 60}, worker=worker)
        other = Session(contexts={"a": "text"}, worker=worker)
        assert session.exec("f(1)").value == 2 and other.exec("x = context\nx").value == "text"
        with other.fork() as fork:
            assert fork.exec("x").value == "text"
        with pytest.raises(SandboxError) as raised:
            session.exec("a = []\nfor i in range(900): a.append('x' * 1_000_000 + str(i))")
        assert raised.value.kind in ("host", "lost")
        assert other.exec("x").value == "text"
        with pytest.raises(SandboxError, match="without --isolate"):
            Session.from_journal("/nowhere", worker=worker)


def test_arguments_of_a_model_that_are_no_text_or_no_number() -> None:
    with Session() as session:
        half = session.call_tool("exec_python", {"code": "'\ud83d' + 'x'"})
        assert half["success"] and half["return_json"] == "?x", half
        for bad in ({"code": float("nan")}, {"code": {1, 2}}):
            with pytest.raises(SandboxError, match="have no JSON"):
                session.call_tool("exec_python", bad)


def test_a_handler_that_is_interrupted_cancels_the_script() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with Session(tools=[interrupt]) as session:
        session.exec("x = 1")
        with pytest.raises(KeyboardInterrupt):
            session.exec("x = 2\nwhile True:\n    try:\n        interrupt()\n    except BaseException:\n        pass")
        assert session.exec("x").value in (1, 2)


def test_a_replay_that_is_interrupted_ends(tmp_path: Path) -> None:
    long, short = tmp_path / "long.jsonl", tmp_path / "short.jsonl"
    took = 0.0
    for path, times in ((short, 1), (long, 60_000_000)):
        with Session(record=path, limits={"time": 120, "fuel": 10**15}) as session:
            took = -time.monotonic()
            assert session.exec(f"i = 0\nwhile i < {times}: i += 1\ni").value == times
            took += time.monotonic()
    # More often than a worker has places for journals.
    for begin in (replay, Session.from_journal) * 2:
        since = time.monotonic()
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            begin(long)
        assert replay(short)["identical"]
        assert time.monotonic() - since < took / 2, "it waits for the long one"


def test_a_value_of_a_script_that_failed_raises_its_error() -> None:
    with Session() as session:
        failed = session.exec("1 / 0")
        with pytest.raises(ScriptError, match="division by zero"):
            failed.value  # noqa: B018
        assert failed.value_or(None) is None and failed.value_or(3) == 3
        assert session.exec("4").value_or(3) == 4
        assert session.exec("import sys\nsys.exit()").value is None
        exited = session.exec("import sys\nsys.exit(3)").error
        assert exited is not None and exited.exit_code == 3


def test_cancel_from_another_thread() -> None:
    with Session(limits={"time": 60, "fuel": 10**15}) as session:
        timer = threading.Timer(0.3, session.cancel)
        timer.start()
        outcome = session.exec("while True: pass")
        assert outcome.error is not None and outcome.error.stopped == "canceled"
        assert session.exec("1").value == 1


def test_a_cancel_is_of_no_account_for_later() -> None:
    with Session(llm=lambda prompt: "a") as session:
        session.cancel()
        assert session.exec("x = 1").ok
        session.step("x = 2\nllm_query('q')")
        session.cancel()
        assert not session.waiting() and session.exec("x").value == 1

        def stop(call: object) -> str:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            session.run("llm_query('q')", stop)
        assert session.exec("x").value == 1
        # So is the time limit of one script.
        assert not session.exec("while True: pass", timeout=0.05).ok
        assert session.exec("sum(range(200_000))").ok


def test_sessions_run_beside_each_other() -> None:
    def count(number: int, found: list[object]) -> None:
        with Session(variables={"n": number}, tools={"same": lambda x: x}) as session:
            for _ in range(20):
                outcome = session.exec("total = sum(range(same(n)))\ntotal")
            found.append((number, outcome.value))

    found: list[object] = []
    threads = [threading.Thread(target=count, args=(100 + number, found)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(100 + n, sum(range(100 + n))) for n in range(10)]  # type: ignore[type-var]


def test_the_protocol_is_what_its_schema_says() -> None:
    """Every line of a real conversation against the schema, both ways."""
    binary = rlm_sandbox.find_binary()
    schema = json.loads(subprocess.run([binary, "worker", "--schema"], check=True, capture_output=True).stdout)
    checkers = {
        side: {
            method: {
                part: jsonschema.Draft202012Validator({"$defs": schema["$defs"]} | one[part])
                for part in one
                if isinstance(one[part], dict)
            }
            for method, one in schema[side].items()
        }
        for side in ("requests", "asked")
    }
    lines: list[tuple[bool, dict[str, object]]] = []

    class Heard(Worker):
        def _write(self, message: dict[str, object], request=None) -> None:
            lines.append((True, message))
            super()._write(message, request)

        def _take(self, message: dict[str, object]) -> None:
            lines.append((False, message))
            super()._take(message)

    with Heard() as worker:
        worker.request("hello", {})
        with Session(
            llm=lambda prompt: Completion("x", 1, 1),
            tools={"f": len},
            contexts={"a": "b"},
            on_output=lambda stream, text: None,
            worker=worker,
        ) as session:
            session.exec("print(f('ab')); llm_query('p')", report=True)
            session.exec("1/0")
            session.exec("FINAL({'a': (1, 2)})")
            session.step("f('x')")
            with session.fork() as fork:
                fork.finish()
            session.resume({session.waiting_calls()[0].ticket: ValueError("no")})
            session.set(x=1)
            session.get("x"), session.variables(values=True), session.stats(), session.waiting()
            session.import_(session.export())
            Session.restore(session.park(), contexts={"a": "b"}, worker=worker).close()
            session.register({"g": len})
            session.instructions(), session.reset(), session.cancel()
        rlm_sandbox.validate("x = ", worker=worker)
        rlm_sandbox.instructions(worker=worker)
    asked: dict[object, str] = {}
    checked = set()
    for ours, message in lines:
        if "method" in message:
            method = str(message["method"])
            side = "requests" if ours else "asked"
            checkers[side][method]["params"].validate(message["params"])
            if ours:
                asked[message.get("id")] = method
            checked.add(method)
        elif not ours and "result" in message and message["id"] in asked:
            checker = checkers["requests"][asked[message["id"]]].get("result")
            if checker is not None:
                checker.validate(message["result"])
    assert len(checked) >= 22, sorted(checked)


#: A component with the function `add: func(a: u32, b: u32) -> u32`.
ADDER = base64.b64decode(
    "AGFzbQ0AAQABNABhc20BAAAAAQcBYAJ/fwF/AwIBAAcHAQNhZGQAAAoJAQcAIAAgAWoLAAkEbmFtZQACAW0CBAEAAAAHCwFAAgFheQFieQB5BgkBAAAB"
    "AANhZGQIBgEAAAAAAAsJAQADYWRkAQAAAB8OY29tcG9uZW50LW5hbWUBBgARAQABbQEGABIBAAFp"
)


def test_python_in_the_sandbox_calls_plugins(tmp_path: Path) -> None:
    file = tmp_path / "adder.wasm"
    file.write_bytes(ADDER)
    journal = tmp_path / "a.jsonl"
    with Session(plugins=[file], record=journal) as session:
        outcome = session.exec("adder.add(2, b=3)")
        assert outcome.value == 5 and [name for _, name, _ in outcome.calls] == ["adder.add"]
        assert "adder.add(a, b)" in session.instructions()
        assert "adder.add" in session.instructions(short=True)
        told = "try:\n    adder.add('a', 1)\nexcept TypeError as error:\n    told = str(error)\ntold"
        assert "should be an int" in session.exec(told).value
    assert rlm_sandbox.replay(journal)["identical"]
    with Session(plugins={"sums": file}) as session:
        step = session.step("sums.add(1, 1)")
        assert isinstance(step, Waiting) and step.calls[0].name == "sums.add"
        parked = session.park()
        assert session.finish().value == 2
        with session.fork() as fork:
            assert fork.exec("sums.add(2, 2)").value == 4
        session.register({"shout": str.upper})
        assert session.exec("shout(str(sums.add(3, 3)))").value == "6"
    with Session.restore(parked, plugins={"sums": file}) as session:
        assert session.finish().value == 2
    with pytest.raises(SandboxError, match="cannot be read"):
        Session(plugins=[tmp_path / "none.wasm"])
    file.write_bytes(b"no component")
    with pytest.raises(SandboxError, match="it is no WebAssembly"):
        Session(plugins=[file])


def test_an_interrupt_on_the_terminal_cancels_a_script_and_keeps_the_sessions(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import rlm_sandbox, sys\n"
        "session = rlm_sandbox.Session(variables={'a': 1}, limits={'time': 60})\n"
        "print('ready', flush=True)\n"
        "try:\n    session.exec('while True: pass')\n"
        "except KeyboardInterrupt:\n    print('interrupted', session.exec('a').value, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(1)
    # As a terminal does, to all processes in front.
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30)[0] == "interrupted 1\n"


def test_a_model_asks_for_no_more_time_than_the_session_has() -> None:
    with Session(limits={"time": 0.3}) as session:
        timeout = session.tools()[0]["function"]["parameters"]["properties"]["timeout_ms"]
        assert (timeout["default"], timeout["maximum"]) == (300, 300)
        for asked in ({}, {"timeout_ms": 20_000}):
            since = time.monotonic()
            result = session.call_tool("exec_python", {"code": "while True: pass"} | asked)
            assert result["error_kind"] == "timeout" and time.monotonic() - since < 4


def test_a_profile_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('imports = ["json"]\nnames = ["FINAL"]\n')
    for profile in (path, str(path)):
        session = Session(profile=profile)
        assert session.exec("import json\njson.dumps(1)").value == "1"
        assert "not allowed" in str(session.exec("import re").error)
        session.close()
    with pytest.raises(FileNotFoundError):
        Session(profile=str(tmp_path / "none.toml"))


def test_a_value_that_was_cut_says_so() -> None:
    with Session() as session:
        with pytest.warns(UserWarning, match="too large to leave"):
            value = session.exec("'z' * 3_000_000").value
        assert isinstance(value, Opaque)
        assert value.truncated
        assert not session.exec("len").value.truncated


def test_an_interrupt_before_a_request_is_sent_is_waited_for_by_nobody(monkeypatch):
    from rlm_sandbox import _worker

    with Session() as session:
        session.exec("x = 1")

        def interrupted(*_, **__):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(_worker.json, "dumps", interrupted)
            since = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                session.exec("x = 2")
            assert time.monotonic() - since < 5
        assert session.exec("x").value == 1


def test_errors_of_scripts_cross_processes():
    with Session() as session:
        failed = session.exec("[][1]")
    with pytest.raises(ScriptError) as raised:
        failed.check()
    copied = pickle.loads(pickle.dumps(raised.value))
    assert str(copied) == str(raised.value) and copied.outcome.error == failed.error


def test_a_session_is_forked_and_not_copied():
    with Session() as session:
        for copies in (copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=r"fork\(\)"):
                copies(session)
        assert session.exec("1").value == 1


def test_classes_of_exceptions_that_scripts_lack_are_those_next_to_them():
    class Missing(LookupError):
        pass

    class Own(Exception):
        pass

    def lost():
        raise Missing("mine")

    def failed():
        raise Own("other")

    with Session(tools=[lost, failed]) as session:
        code = "try: lost()\nexcept LookupError as error: caught = type(error).__name__, str(error)\ncaught"
        assert session.exec(code).value == ("LookupError", "Missing: mine")
        assert session.exec("failed()").error.message == "Own: other"


def test_a_tool_that_takes_too_long_is_given_up() -> None:
    tools = {"slow": lambda: time.sleep(3), "quick": lambda: 7}
    with Session(tools=tools, limits={"call-wait": 0.3}) as session:
        begun = time.monotonic()
        outcome = session.exec("try:\n    slow()\nexcept TimeoutError as e:\n    print(e)\nquick()")
        assert (outcome.stdout, outcome.value) == ("slow() did not answer within 300ms\n", 7)
        assert time.monotonic() - begun < 2


def test_integers_of_many_digits_come_in() -> None:
    large = 7**50_000
    with Session(tools={"large": lambda: large}, variables={"first": -large}) as session:
        session.set(second=large)
        assert session.exec("large() == 7**50_000, first == -second, second == large()").value == (True, True, True)
        assert session.get("first") == -large
        with pytest.raises(TypeError, match="more than 100000 digits"):
            session.set(third=10**100_010)
        with pytest.raises(TypeError, match="too many digits"):
            session.add_context("rows", {"n": large})


def test_a_member_of_an_enumeration_is_shown_to_a_tool() -> None:
    given: list[object] = []
    with Session(tools={"take": given.append}) as session:
        session.exec(
            "from enum import Enum, IntEnum\n"
            "class Color(Enum): RED = 'r'\n"
            "class Size(IntEnum): S = 1\n"
            "class Kind(str, Enum): A = 'a'\n"
            "take([Color.RED, Size.S, Kind.A])"
        ).check()
    assert given == [[Opaque("<Color.RED: 'r'>"), 1, "a"]]


def test_an_export_skips_what_has_no_json() -> None:
    with Session() as session:
        session.exec("one, row, two = 2j, [2j], 2")
        exported = session.export()
        assert exported["variables"] == {"two": 2}
        assert [skipped["name"] for skipped in exported["skipped"]] == ["one", "row"]


def test_what_a_profile_has_no_name_for_is_told() -> None:
    with pytest.warns(UserWarning, match="contexts and llm give"):
        Session(profile="apexflow", contexts={"log": "x"}, llm=lambda prompt: "a").close()


def test_no_slow_tool_outlives_a_deadline():
    def slow():
        time.sleep(4)

    async def slow_too():
        await asyncio.sleep(4)

    with Session(tools=[slow, slow_too], limits={"deadline": 1}) as session:
        for code in ("slow()", "import asyncio\nawait asyncio.gather(slow_too(), slow())"):
            begun = time.monotonic()
            error = session.exec(code).error
            assert error.stopped == "deadline" and time.monotonic() - begun < 2
        assert session.exec("1").value == 1


def test_what_holds_itself_enters_no_session():
    def cycle():
        items = []
        items.append(items)
        return items

    with Session(tools=[cycle]) as session:
        error = session.exec("cycle()").error
        assert error.kind == "TypeError" and "holds itself" in error.message


def test_integers_of_many_digits_are_integers():
    with Session() as session:
        assert session.exec("-(7 ** 40_000)").value == -(7**40_000)
