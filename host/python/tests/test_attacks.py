"""What people and programs do that nobody meant them to do."""

from __future__ import annotations

import asyncio
import contextvars
import enum
import functools
import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import rlm_sandbox
from full import fill
from rlm_sandbox import (
    Call,
    MontyInterpreter,
    Opaque,
    SandboxError,
    Session,
    Tool,
    Worker,
    WorkerGone,
    create_rlm_monty_interpreter,
)
from rlm_sandbox._values import decoded, encode


class Unshowable(Exception):
    def __str__(self) -> str:
        raise ValueError("no")


def test_whatever_a_handler_raises_the_script_goes_on() -> None:
    closed = Session()
    closed.close()

    def fail(kind: str) -> object:
        if kind == "closed":
            return closed.exec("1").value
        raise {"odd": Unshowable(), "half": ValueError("\ud800")}[kind]

    with Session(tools=[fail], llm=fail) as session:
        for kind in ("closed", "odd", "half"):
            for call in (f"fail('{kind}')", f"llm_query('{kind}')"):
                outcome = session.exec(call)
                assert outcome.error is not None and outcome.error.stopped is None, call
        assert session.exec("6 * 7").value == 42


def test_a_session_cannot_be_used_by_what_it_calls() -> None:
    other = Session(tools={"back": lambda: session.exec("1").value})
    session = Session(tools={"get": lambda: session.get("x"), "around": lambda: other.exec("back()").check()})
    for code in ("get()", "around()"):
        outcome = session.exec(f"x = 1\n{code}")
        assert "this session is running" in str(outcome.error)
    with Session(tools={"other": lambda: other.exec("2").value}) as third:
        assert third.exec("other()").value == 2


def test_garbage_is_collected_anywhere() -> None:
    threshold = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(50):
            session = Session()
            session.me = session  # type: ignore[attr-defined]
            assert session.exec("1").value == 1
    finally:
        gc.set_threshold(*threshold)


def test_a_worker_that_is_forgotten_ends() -> None:
    worker = Worker()
    process = worker._process
    Session(worker=worker).exec("1")
    del worker
    gc.collect()
    assert process.wait(timeout=20) == 0


def test_messages_that_are_too_long_are_never_sent() -> None:
    text = "x" * (16 << 20)
    with Session() as session:
        with pytest.raises(SandboxError, match="max_message"):
            session.exec(repr(text))
        with pytest.raises(SandboxError, match="max_message"):
            Session(contexts={"a": text})
        assert session.exec("6 * 7").value == 42
    with Session(tools={"f": lambda: text}) as session:
        error = session.exec("f()").error
        assert error is not None and "max_message" in error.message
        assert session.exec("6 * 7").value == 42
    with Worker(max_message=64 << 20) as worker, Session(contexts={"a": text}, worker=worker) as session:
        assert session.exec("len(context)").value == len(text)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_sessions_of_its_own() -> None:
    session = Session()
    session.exec("x = 1")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            try:
                session.exec("x = 2")
            except WorkerGone:
                with Session() as own:
                    status = 0 if own.exec("6 * 7").value == 42 else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert session.exec("x").value == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("closes", [False, True])
def test_a_process_that_forks_again_keeps_its_files(tmp_path: Path, closes: bool) -> None:
    worker = Worker()
    Session(worker=worker).exec("1")
    ends, end = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(end)
            if closes:
                # As programs do that leave their terminal.
                os.closerange(3, ends)
            files = [open(tmp_path / str(number), "w") for number in range(64)]
            grandchild = os.fork()
            if grandchild == 0:
                for file in files:
                    file.write("whole")
                    file.flush()
                os._exit(0)
            status = os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1])
            # Nothing here keeps the worker of the parent.
            os.read(ends, 1)
        finally:
            os._exit(status)
    os.close(ends)
    worker.close()
    assert worker._process.returncode == 0
    os.close(end)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert {path.read_text() for path in tmp_path.iterdir()} == {"whole"}


def test_an_exec_that_ended_waits_for_no_handler() -> None:
    release = threading.Event()

    def llm(prompt: str) -> str:
        release.wait(30)
        return "late"

    with Session(llm=llm, limits={"call-wait": 0.2}) as session:
        since = time.monotonic()
        outcome = session.exec("llm_query('q')")
        assert "TimeoutError" in str(outcome.error) and time.monotonic() - since < 15
        release.set()
        assert session.exec("1").value == 1


@pytest.mark.parametrize("code", ["1", "while True: pass"])
def test_a_script_that_ended_begins_no_tool(code: str) -> None:
    ran: list[int] = []
    heard: list[str] = []

    async def act(number: int) -> None:
        ran.append(number)
        await asyncio.sleep(0.05)

    def listen(stream: str, text: str) -> None:
        heard.append(text)

    with Session(tools={"act": Tool(act, awaitable=True)}, on_output=listen) as session:
        first = "print('a')\nr = [act(i) for i in range(100)]\nprint('b')"
        second = "s = [act(i) for i in range(100, 200)]\nprint('c')"
        outcome = session.exec(f"{first}\n{second}\n{code}", timeout=1)
        assert outcome.ok if code == "1" else outcome.error is not None and outcome.error.stopped == "time"
        assert ran == list(range(len(ran))) and len(ran) < 200
        assert "".join(heard) == "a\nb\nc\n"
        before = len(ran)
        assert session.exec("6 * 7").value == 42 and len(ran) == before


_GATHER = "import asyncio\nr = await asyncio.gather(*[act(i) for i in range(40)])"


@pytest.mark.parametrize("how", ["cancel", "close", "worker"])
@pytest.mark.parametrize("front", ["exec", "run", "prompts"])
def test_a_script_that_is_canceled_begins_no_handler(how: str, front: str) -> None:
    ran: list[object] = []

    def act(number: object) -> str:
        ran.append(number)
        if len(ran) == 3:
            end = {"cancel": session.cancel, "close": session.close, "worker": worker.close}[how]
            thread = threading.Thread(target=end)
            thread.start()
            thread.join(30)
            assert not thread.is_alive()
        return "done"

    code = _GATHER.replace("act(i)", "llm_query(str(i))") if front == "prompts" else _GATHER
    with Worker() as worker:
        session = Session(tools=[act], llm=act, concurrent_prompts=1, worker=worker)
        outcome = None
        try:
            if front == "run":
                outcome = session.run(code, lambda call: act(*call.args, **call.kwargs))
            else:
                outcome = session.exec(code)
        except SandboxError as error:
            assert front == "run" or how == "worker", error
        if outcome is not None:
            assert outcome.error is not None
            is_gone = how == "worker" and outcome.error.message == "the other side is gone"
            assert is_gone or outcome.error.stopped == "canceled"
        assert len(ran) == 3
        if how == "cancel":
            assert session.exec("act(3)").value == "done"
            assert session.run("act(4)", lambda call: act(*call.args, **call.kwargs)).value == "done"
            assert len(ran) == 5


def test_a_cancel_after_a_while_ends_tools_soon() -> None:
    ran: list[int] = []

    def act(number: int) -> None:
        ran.append(number)
        time.sleep(0.05)

    with Session(tools=[act]) as session:
        # The worker has sent all calls by then.
        timer = threading.Timer(0.5, session.cancel)
        timer.start()
        outcome = session.exec(_GATHER)
        assert outcome.error is not None and outcome.error.stopped == "canceled"
        assert len(ran) < 30
        before = len(ran)
        assert session.exec("1").value == 1 and len(ran) == before


def test_sys_exit_in_a_tool_reaches_its_caller_and_nothing_else() -> None:
    with Session(tools={"leave": lambda: sys.exit(3)}) as session:
        for _ in range(30):
            with pytest.raises(SystemExit):
                session.exec("leave()")
            assert session.exec("1").ok
    interpreter = MontyInterpreter(tools=[leave])
    with pytest.raises(SystemExit):
        interpreter.execute("leave()")
    assert interpreter.execute("print(1)").output == "1\n"


def leave() -> None:
    sys.exit(3)


def test_nothing_that_a_script_makes_breaks_its_host() -> None:
    with Session() as session:
        outcome = session.exec("x = 10**200_000\ny = []\nfor i in range(500): y = [y]\nx")
        assert isinstance(outcome.value, Opaque) and isinstance(session.get("x"), Opaque)
        assert {one.name for one in session.variables(values=True)} >= {"x", "y"}
    for code in ('FINAL("x" * 3_000_000)', 'SUBMIT(a="x" * 3_000_000)'):
        result = create_rlm_monty_interpreter().execute(code)
        answer = result.final_output["answer"] if result.final_output else (result.submit_fields or {})["a"]
        assert answer == "x" * 3_000_000


def test_an_answer_that_cannot_be_sent_is_an_exception_in_the_script() -> None:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    answers = {
        "long": "x" * (17 << 20),
        "many": [0] * 600_000,
        "deep": deep,
        "half": "\ud800",
        "part": "x" * (3 << 20),
        "fine": "fine",
    }
    asked: list[str] = []

    def get(name: str) -> Any:
        asked.append(name)
        return answers[name]

    def answer(call: Call) -> Any:
        return get(**call.kwargs)

    with Session(tools=[get], limits={"tool-answer": "64MiB", "memory": "256MiB"}) as session:
        for name in ("long", "many", "deep", "half"):
            code = f"try:\n    get('{name}')\nexcept RuntimeError as error:\n    print(error)\nget('fine')"
            outcome = session.run(code, answer)
            assert (outcome.error, outcome.value) == (None, "fine"), name
            assert outcome.stdout, name
        # Each of these fits into a message, and all together do not.
        asked.clear()
        code = "import asyncio\n[len(x) for x in await asyncio.gather(*[get('part') for _ in range(8)], get('fine'))]"
        assert session.run(code, answer).value == [3 << 20] * 8 + [4]
        assert asked == ["part"] * 8 + ["fine"]
    interpreter = MontyInterpreter(tools=[get])
    assert (interpreter.execute("print(get('many'))").error or "").startswith("RuntimeError")
    assert interpreter.execute("print(get('fine'))").output == "fine\n"


def test_half_a_character_of_a_model_ends_nothing() -> None:
    interpreter = create_rlm_monty_interpreter(llm_query_fn=lambda prompt, model=None: "half \ud83d")
    assert interpreter.execute("print('\ud83d', llm_query('q'))").output == "? half ?\n"
    assert interpreter.validate_code("print('\ud83d')") == (True, None)
    with Session(llm=lambda prompt: "half \ud83d") as session:
        assert session.exec("llm_query('q')").value == "half ?"


def test_memory_that_a_script_filled_is_an_error_of_its_block() -> None:
    interpreter = MontyInterpreter(resource_limits={"max_memory": 16 << 20})
    interpreter.start()
    assert interpreter._session is not None
    fill(interpreter._session)
    interpreter.execute("print(1)")
    assert interpreter.validate_code("print(big)") == (True, None)
    assert interpreter.execute("big = None").error is None
    assert interpreter.execute("print(2)", {"x": 5}).output == "2\n"


def test_variables_without_number_are_an_error_of_their_block() -> None:
    interpreter = MontyInterpreter()
    for names in (range(5000), range(5000, 10_000)):
        assert interpreter.execute("\n".join(f"v{name}=1" for name in names)).error is None
    assert "10000 variables" in (interpreter.execute("print(x)", {"x": 5}).error or "")
    assert interpreter.execute("print(v1)").output == "1\n"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_answer_without_memory_to_read_it_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(worker: Worker, message: Any) -> None:
        raise MemoryError

    with Worker() as worker, Session(worker=worker) as session:
        monkeypatch.setattr(Worker, "_take", full)
        with pytest.raises(WorkerGone):
            session.exec("1")
        monkeypatch.undo()
        assert not worker.is_alive and Session().exec("1").value == 1


def test_an_error_where_output_goes_ends_the_script() -> None:
    ran: list[int] = []

    def closed(stream: str, text: str) -> None:
        raise ValueError("I/O operation on closed file")

    with Session(tools={"act": lambda: ran.append(1)}, on_output=closed) as session:
        with pytest.raises(ValueError, match="closed file"):
            session.exec("print(1)\nfor _ in range(200): act()")
        before = len(ran)
        assert session.exec("6 * 7").value == 42
        assert len(ran) == before < 100


def test_context_is_a_variable_like_any_other() -> None:
    interpreter = MontyInterpreter()
    interpreter.set_variable("context", "hello")
    assert interpreter.execute("print(context)").output == "hello\n"
    assert interpreter.execute("print(context['k'])", {"context": {"k": 1}}).output == "1\n"
    with Session(variables={"context": "one"}) as session:
        assert session.exec("context").value == "one"
        session.set(context="two")
        assert session.exec("context").value == "two"


def test_functions_that_are_refused_leave_the_others() -> None:
    interpreter = MontyInterpreter()
    interpreter.start()
    with pytest.raises(SandboxError):
        interpreter.register_external("print", len)
    interpreter.register_external("fine", lambda: 1)
    assert interpreter.execute("print(fine())").output == "1\n"
    for tools, message in [
        ([functools.partial(print), functools.partial(print)], "by name"),
        ([lambda: 1], "by name"),
        ({"x": 5}, "no function"),
        ([print, print], "by name"),
    ]:
        with pytest.raises(SandboxError, match=message):
            Session(tools=tools)  # type: ignore[arg-type]


def test_functions_of_rlm_code_may_end_a_run() -> None:
    class FinalOutput(Exception):
        output = {"answer": 5}

    class SubmitOutput(Exception):
        fields = {"a": 1}

    def finish(kind: str) -> None:
        raise {"final": FinalOutput(), "submit": SubmitOutput()}[kind]

    interpreter = MontyInterpreter(tools=[finish])
    assert interpreter.execute("finish('final')\nprint('never')").final_output == {"answer": 5}
    assert interpreter.execute("finish('submit')").submit_fields == {"a": 1}
    assert interpreter.execute("print(1)").output == "1\n"


def test_what_is_printed_is_heard_in_steps_too() -> None:
    heard: list[str] = []
    with Session(on_output=lambda stream, text: heard.append(text), llm=lambda prompt: "x") as session:
        session.run("print('one')\nllm_query('q')\nprint('two')", lambda call: "a")
    assert heard == ["one\n", "two\n"]


def test_histories_are_given_again() -> None:
    with Session(histories=[[{"a": 1}]]) as session:
        parked = session.park()
    with Session.restore(parked, histories=[[{"a": 1}]]) as other:
        assert other.exec("history[0]['a']").value == 1


def test_context_variables_reach_async_tools() -> None:
    where = contextvars.ContextVar("where", default="lost")

    async def find() -> str:
        return where.get()

    async def main() -> object:
        where.set("kept")
        return Session(tools=[find]).exec("find()").value

    assert asyncio.run(main()) == "kept"


def test_odd_values() -> None:
    class Kind(str, enum.Enum):
        A = "a"

    cycle: list[Any] = []
    cycle.append(cycle)
    with Session(tools={"same": lambda x: x}) as session:
        session.set(x={Kind.A: Kind.A}, y=True)
        assert session.exec("x, y").value == ({"a": "a"}, True)
        for bad in (cycle, object(), {1: {2: object()}}):
            with pytest.raises((TypeError, RecursionError)):
                session.set(z=bad)
        assert session.exec("same(lambda: 1) is not None").ok
        with pytest.raises(TypeError, match="context `c`"):
            session.add_context("c", {1})


def test_a_session_may_be_shared_by_threads() -> None:
    with Session(tools={"wait": lambda: time.sleep(0.01)}) as session:
        session.exec("n = 0")
        threads = [threading.Thread(target=session.exec, args=("wait()\nn += 1",)) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert session.exec("n").value == 10


def test_a_process_ends_though_a_script_runs() -> None:
    import subprocess

    code = (
        "import threading, time\nfrom rlm_sandbox import Session\n"
        "s = Session(llm=lambda p: time.sleep(60) or 'x', limits={'time': 60, 'fuel': 10**15})\n"
        "threading.Thread(target=s.exec, args=('while True: pass',), daemon=True).start()\n"
        "threading.Thread(target=Session(llm=lambda p: time.sleep(60)).exec, args=(\"llm_query('q')\",), daemon=True).start()\n"
        "time.sleep(0.5)\n"
    )
    environment = os.environ | {"RLM_SANDBOX_BINARY": rlm_sandbox.find_binary()}
    ran = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True, text=True, env=environment)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("depth", (30, 110, 300, 600, 950))
def test_a_value_that_nests_deeply_is_opaque_and_holds_nothing_up(depth: int) -> None:
    with Session() as session:
        for empty, code in (("()", "(x,)"), ("[]", "[x]"), ("{}", "{1: x}"), ("{}", "{'a': x}")):
            outcome = session.exec(f"x = {empty}\nfor _ in range({depth}): x = {code}\nx")
            assert outcome.ok and (depth < 100) != isinstance(outcome.value, Opaque), code
            assert isinstance(session.get("x"), Opaque) == (depth > 100)
            finished = session.exec("FINAL(x)")
            assert finished.final is not None and isinstance(finished.final.answer, Opaque) == (depth > 100)
            assert [one.name for one in session.variables(values=True)] == ["x"]
    interpreter = MontyInterpreter(timeout=2)
    interpreter.execute(f"x = ()\nfor _ in range({depth}): x = (x,)\nx")
    assert interpreter.execute("1 + 1").error is None


def test_values_of_one_hash_are_opaque_and_take_no_time() -> None:
    given: list[object] = []
    with Session(tools={"take": given.append}) as session:
        session.exec("x = {i * (2**61 - 1) for i in range(4_000)}\ny = dict.fromkeys(x)\nz = [frozenset(x)]").check()
        since = time.process_time()
        assert all(isinstance(session.get(name), Opaque) for name in "xyz")
        assert len(session.variables(values=True)) == 3
        refused = session.exec("take(x)")
        assert refused.error is not None and refused.error.kind == "ValueError" and not given
        # Each of them takes seconds where all keys are compared with each other.
        assert time.process_time() - since < 3
        assert session.exec("{i * (2**61 - 1) for i in range(50)}").value == {i * (2**61 - 1) for i in range(50)}


def test_sets_of_sets_of_one_hash_are_opaque_and_take_no_time() -> None:
    # Few keys have one hash in each set, and comparing two of the outer one compares all those of the inner ones.
    leaves = [((0.5,) * 70, *[-1 - (n >> b & 1) for b in range(7)]) for n in range(99)]
    sets = [[encode(leaf) for j, leaf in enumerate(leaves) if j != i] for i in range(98)]
    since = time.process_time()
    for tag in ("$set", "$frozenset"):
        assert decoded({tag: [{"$frozenset": one} for one in sets]}, "shown") == Opaque("shown")
        assert decoded({"$dict": [[{tag: one}, 1] for one in sets]}, "shown") == Opaque("shown")
    # Each of them takes seconds where all are compared.
    assert time.process_time() - since < 3
    with Session() as session:
        usual = {frozenset([(-1, n), (-2, n)]) for n in range(40)}
        assert session.exec("x = {frozenset([(-1, n), (-2, n)]) for n in range(40)}\nx").value == usual
        assert session.get("x") == usual


def test_printed_control_characters_take_little_memory() -> None:
    # In a process of its own, whose peak nothing else has raised.
    code = """
import resource
from rlm_sandbox.rlms import SandboxREPL
with SandboxREPL(context_payload="c") as repl:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    printed = repl.execute_code("print(chr(0) * 67_000_000)").stdout
    assert len(printed) == 2 << 20, len(printed)
    for _ in range(2):
        repl.execute_code("chr(0) * 16_000_000")
    held = [repl.execute_code("big = 'a' * 4_000_000 + chr(128512)\\nsmall = [1]\\n0") for _ in range(40)]
    assert all(type(one.locals["big"]).__name__ == "Opaque" and one.locals["small"] == [1] for one in held)
    assert repl.locals["big"] == "a" * 4_000_000 + chr(128512)
    repl.execute_code("".join(f"{name} = 'a' * 4_000_000 + chr(128512)\\n" for name in "nopqrstuvwxyz"))
    given = repl.execute_code("a = b = c = d = e = f = g = h = i = j = k = l = m = chr(0) * 4_000_000").locals
    assert set("abcdefghijklm") <= given.keys()
    failed = repl.execute_code("print(chr(0) * 67_000_000)\\nraise ValueError(chr(0) * 67_000_000)")
    assert len(failed.stdout) == 2 << 20 and "ValueError" in failed.stderr
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    # KiB on Linux; the text has 2 MiB, and six bytes of JSON for each of them; a copy of `big` has 16 MB.
    assert sys.platform != "linux" or int(ran.stdout) < 300 << 10, ran.stdout


def test_long_messages_of_exceptions_take_little_memory() -> None:
    code = """
import resource
from rlm_sandbox import MontyInterpreter
interpreter = MontyInterpreter()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
failed = interpreter.execute("raise ValueError(chr(1) * 20_000_000 + chr(128512))")
assert 1 << 20 <= len(failed.error) < 2 << 20, len(failed.error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
interpreter.shutdown()
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert sys.platform != "linux" or int(ran.stdout) < 300 << 10, ran.stdout


def test_values_whose_places_are_taken_are_opaque_and_take_no_time() -> None:
    # All hashes differ, and each of the later keys looks at thousands of places that the others have.
    code = """
def crowded(size, filled, looked):
    place, order = 1, [-1] * size
    keys = []
    for turn in range(filled):
        order[place] = turn
        keys.append(place)
        place = (5 * place + 1) % size
    number = size
    while len(keys) < filled + looked:
        number += 1
        place, rest = number % size, number >> 5
        while order[place] >= 0 and rest:
            place, rest = (5 * place + rest + 1) % size, rest >> 5
        if not rest and 0 <= order[(5 * place + 1) % size] < filled // 2 and order[place] >= 0:
            keys.append(number)
    return keys
x = dict.fromkeys(crowded(1 << 16, 29_000, 14_000))
"""
    given: list[object] = []
    with Session(tools={"take": given.append}) as session:
        session.exec(code).check()
        since = time.process_time()
        assert isinstance(session.get("x"), Opaque)
        refused = session.exec("take(x)")
        assert refused.error is not None and refused.error.kind == "ValueError" and not given
        # Building it takes seconds each time.
        assert time.process_time() - since < 1.5
        for usual in ("n", "n << 40", "n * 0.1", "(n, 1)"):
            keys = f"[{usual} for n in range(20_000)]"
            session.exec(f"y = dict.fromkeys({keys})\nz = set({keys})").check()
            assert session.get("y") == dict.fromkeys(eval(keys))
            assert session.get("z") == set(eval(keys))
    # Many tables add up, of which each alone is let through.
    with Session(tools={"take": lambda **named: given.append(named)}, limits={"memory": 512 << 20}) as session:
        session.exec(f"{code}\nx = dict.fromkeys(crowded(1024, 300, 88), 0)").check()
        assert isinstance(session.get("x"), dict)
        session.exec("take(a=[x] * 10, b=[x] * 10)").check()
        assert len(given) == 1
        refused = session.exec("take(**{'k' + str(n): [x] * 40 for n in range(10)})")
        assert refused.error is not None and refused.error.kind == "ValueError" and len(given) == 1
        session.exec("\n".join(f"v{number} = [x] * {310 if number else 20}" for number in range(9))).check()
        since = time.process_time()
        values = {one.name: one.value for one in session.variables(values=True)}
        assert {type(values[f"v{number}"]) for number in range(9)} == {list, Opaque}
        assert time.process_time() - since < 2.5


def test_a_slow_listener_keeps_text_and_no_messages() -> None:
    heard: list[tuple[str, str]] = []

    def listen(stream: str, text: str) -> None:
        time.sleep(0.002)
        heard.append((stream, text))

    with Session(tools={"note": lambda: heard.append(("note", ""))}, on_output=listen) as session:
        code = "import sys\nfor i in range(20_000): print()\nnote()\nprint('b', file=sys.stderr)\nprint('c')"
        assert session.exec(code).ok
    assert "".join(text for _, text in heard) == "\n" * 20_000 + "b\nc\n"
    assert len(heard) < 2_000
    assert [stream for stream, _ in heard[-3:]] == ["note", "stderr", "stdout"]


def test_streams_that_take_turns_take_little_memory_of_a_slow_listener() -> None:
    # In a process of its own, whose peak nothing else has raised.
    code = """
import resource, time
from rlm_sandbox import Session
heard = []
def listen(stream, text):
    if not heard:
        time.sleep(6)
    heard.append((stream, len(text)))
with Session(on_output=listen) as session:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code = "import sys\\nfor _ in range(100_000): print('a', end=''); print('b', end='', file=sys.stderr)"
    outcome = session.exec(code, timeout=60)
    assert outcome.ok and len(outcome.stdout) == len(outcome.stderr) == 100_000, outcome
    for stream in ("stdout", "stderr"):
        assert sum(length for one, length in heard if one == stream) == 100_000
    assert heard[:4] == [("stdout", 1), ("stderr", 1)] * 2
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    # KiB on Linux; a message for each of them took 300 MB.
    assert sys.platform != "linux" or int(ran.stdout) < 60 << 10, ran.stdout


def test_a_line_that_cannot_be_read_fails_its_request(tmp_path: Any) -> None:
    fake = tmp_path / "worker"
    deep = "[" * 5000 + "]" * 5000
    fake.write_text(
        f"#!{sys.executable}\nimport json, sys\nfor line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        f"    print('{{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{deep}}}' % message['id'], flush=True)\n"
    )
    fake.chmod(0o755)
    with Worker(fake) as worker, pytest.raises(SandboxError, match="cannot be read"):
        worker.request("hello", {})


def test_prompts_take_as_many_threads_as_there_may_be() -> None:
    most, begun, lock = 0, threading.active_count(), threading.Lock()

    def model(prompt: str) -> str:
        nonlocal most
        with lock:
            most = max(most, threading.active_count() - begun)
        time.sleep(0.01)
        return prompt

    gather = "import asyncio\nawait asyncio.gather(*[llm_query(str(n)) for n in range(100)])"
    with Session(llm=model, limits={"model-calls": 1000}, concurrent_prompts=4) as session:
        assert session.exec(gather).value == [str(n) for n in range(100)]
        assert most <= 4
        # A system that has no room for threads.
        with patch.object(threading.Thread, "start", side_effect=RuntimeError("can't start new thread")):
            assert session.exec("llm_query_batched(['a', 'b'])").value == ["a", "b"]
        assert session.exec(gather).value == [str(n) for n in range(100)]
