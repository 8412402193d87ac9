"""dspy itself: its interpreter over our runner, our own interpreter, and `dspy.RLM` on both."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dspy
import pytest
import rlm_sandbox
from dspy.primitives.code_interpreter import CodeExecutionError, CodeInterpreter, CodeInterpreterError, FinalOutput
from full import LIMITS, fill, fill_tables, liar, lose
from rlm_sandbox.dspy import SandboxInterpreter


def runner(**arguments: Any) -> dspy.PythonInterpreter:
    """The stock interpreter, with our runner behind it."""
    return dspy.PythonInterpreter(deno_command=[rlm_sandbox.find_binary(), "dspy-runner"], **arguments)


both = pytest.mark.parametrize("make", [runner, SandboxInterpreter])
Make = Callable[..., Any]


@both
def test_values_and_output(make: Make) -> None:
    with make() as run:
        assert isinstance(run, CodeInterpreter)
        assert run("1 + 1") == 2 and run("[1, 'a', None]") == [1, "a", None] and run("{'a': 1.5}") == {"a": 1.5}
        assert run("print('x')") == "x\n" and run("y = 5") in ("", None) and run("y") == 5
        assert run("def f(n): return n + y") in ("", None) and run("f(1)") == 6
        assert run("```python\nf(2)\n```") == 7


@both
def test_errors_are_told_to_the_model(make: Make) -> None:
    with make() as run:
        for code, message in [
            ("nobody", "name 'nobody' is not defined"),
            ("1/0", "division by zero"),
            ("{}['k']", "k"),
            ("raise ValueError('no')", "no"),
            ("open('/etc/passwd').read()", "No such file"),
            ("import os", "not allowed"),
        ]:
            with pytest.raises(CodeExecutionError, match=message):
                run(code)
        with pytest.raises(SyntaxError):
            run("x = ")
        assert run("'still there'") == "still there"


def test_limits_do_not_cost_the_session() -> None:
    command = [rlm_sandbox.find_binary(), "dspy-runner", "--timeout", "200ms", "--memory", "32MiB"]
    slow = dspy.PythonInterpreter(deno_command=command)
    for run in (slow, SandboxInterpreter(limits={"time": 0.2, "memory": "32MiB"})):
        run("x = 1")
        with pytest.raises(CodeExecutionError, match="as they were before"):
            run("x = 2\nwhile True: pass")
        with pytest.raises(CodeExecutionError, match="MemoryError"):
            run("y = 'a' * 10**9")
        assert run("x", variables={"long": "a" * 5000}) == 1
        assert run("len(long)", variables={"long": "a" * 5000}) == 5000
        run.shutdown()
        with pytest.raises(CodeInterpreterError):
            run("x")


@both
def test_tools(make: Make) -> None:
    def add(a: int, b: int = 2) -> int:
        return a + b

    def fail(kind: str) -> str:
        raise ValueError(kind)

    main = threading.get_ident()
    tools = {"add": add, "fail": fail, "where": lambda: threading.get_ident() == main, "rows": lambda: [{"a": None}]}
    with make(tools=tools) as run:
        assert run("add(1), add(1, 5), add(b=1, a=1)") == [3, 6, 2] or run("add(1), add(1, 5)") == (3, 6)
        assert run("rows()[0]['a'] is None and where()") is True
        for code in ("fail('no')", "add()", "where(1)"):
            with pytest.raises(CodeExecutionError):
                run(code)
        # Errors after a tool call leave the session as it is.
        with pytest.raises(CodeExecutionError):
            run("z = add(1)\n1/0")
        assert run("z") == 3


@both
def test_submit(make: Make) -> None:
    with make() as run:
        assert run("SUBMIT(4)\nprint('never')") == FinalOutput({"output": 4})
    with make(output_fields=[{"name": "answer", "type": "str"}, {"name": "score", "type": "float"}]) as run:
        assert run("SUBMIT('a', score=0.5)") == FinalOutput({"answer": "a", "score": 0.5})
        with pytest.raises(CodeExecutionError, match="score"):
            run("SUBMIT('a')")


@both
def test_values_are_what_dspy_would_make_of_them(make: Make) -> None:
    seen: list[Any] = []
    with make(tools={"see": lambda value: seen.append(value)}, output_fields=[{"name": "counts"}]) as run:
        run("see({1: 2, 'k': (3, {4})}); see(10**30)")
        assert seen[0] in ({"1": 2, "k": [3, [4]]}, {1: 2, "k": (3, {4})}) and seen[1] == 10**30
        result = run("SUBMIT({1: 2, None: (3,)})")
        assert result.output["counts"] in ({"1": 2, "null": [3]}, {1: 2, None: (3,)})
        # Half of a surrogate pair, as models write when they are cut off.
        try:
            run("'\ud83d'")
        except (SyntaxError, CodeExecutionError):
            pass
        assert run("'still there'") == "still there"
        # What looks like an assignment inside of a text is a part of the text.
        long = "x" * 2000
        assert run(f"p = \"\"\"\na = '{long}'\n\"\"\"\np", variables={"n": 1}) == f"\na = '{long}'\n"


@both
def test_inputs_are_new_with_every_block(make: Make) -> None:
    inputs: dict[str, Any] = {
        "text": "it's \"é\" \n\\ \u2028 😀 \x1b" * 200,
        "rows": [{"k": [i, 0.5, None, True]} for i in range(500)],
        "n": 3,
        "empty": "",
    }
    with make() as run:
        assert run("text", variables=inputs) == inputs["text"]
        assert run("rows", variables=inputs) == inputs["rows"]
        run("text = 'gone'; rows.clear(); n = 9", variables=inputs)
        assert run("len(text), len(rows), n, empty", variables=inputs) in (
            [len(inputs["text"]), 500, 3, ""],
            (len(inputs["text"]), 500, 3, ""),
        )
        changed = inputs | {"text": "other " * 1000}
        assert run("text[:5], n", variables=changed) in (["other", 3], ("other", 3))
        assert run("text[:5]") == "other"
        # What has no plain JSON is what dspy makes of it.
        assert run("x, len(y)", variables={"x": float("inf"), "y": {1, 2}}) in ([float("inf"), 2], ("Infinity", 2), ["Infinity", 2], (float("inf"), 2))


@both
def test_code_forges_no_input(make: Make) -> None:
    inputs = {"text": "client " * 1000, "rows": [1, 2] * 1000}
    with make() as run:
        for forgery in [
            "_dspy_input_text = 'forged'; _dspy_input_rows = '[1]'",
            # The same names for Python.
            "_dsp\U0001d432_input_text = 'forged'; _dsp\U0001d432_input_rows = '[1]'",
        ]:
            assert run("len(text) + len(rows)", variables=inputs) == 9000
            run(forgery)
            assert run("text[:6] + str(sum(rows))", variables=inputs) == "client3000"



def test_variables_that_leave_no_room_for_inputs_are_dropped() -> None:
    inputs = {"context": "w" * 600_000, "rows": [1, 2] * 10_000, "query": "q"}
    check = "print(len(context), len(rows), query)"
    with SandboxInterpreter(limits={"memory": "16MiB"}) as run:
        for given in (inputs, {"query": "q" * 1000}):
            run("x = 1")
            assert run._session is not None
            fill(run._session)
            with pytest.raises(CodeExecutionError, match="All variables were dropped") as told:
                run("len(big)", variables=given)
            assert "_dspy_input_" not in str(told.value)
            assert run(check, variables=inputs) == "600000 20000 q\n"
        # Tools are registered though a value finds no room.
        fill(run._session)
        run._session.set_variables({"context": "w" * 3_000_000})
        run._tools_registered = False
        assert run("1") == 1
        run._session.reset()
        # Inputs of earlier blocks have made room for others.
        run("kept = 'x' * 8_000_000", variables=inputs)
        for number in range(4):
            other = {name: [value, value] for name, value in inputs.items()}
            assert run("len(kept), len(context)", variables=other if number % 2 else inputs)[0] == 8_000_000
        with pytest.raises(CodeInterpreterError, match="do not fit"):
            run(check, variables=inputs | {"context": "w" * 15_000_000})


def test_variables_without_number_are_dropped_for_inputs() -> None:
    inputs = {"context": "w" * 600_000, "rows": [1, 2] * 10_000, "query": "q"}
    for given in (inputs, {"query": "q"}):
        with SandboxInterpreter() as run:
            run("\n".join(f"v{number} = 0" for number in range(5000)), variables=given)
            run("del " + ", ".join(given) + "\n" + "\n".join(f"w{n} = 0" for n in range(4970)), variables=given)
            other = {f"other_{name}": value for name, value in given.items()} | {f"n{n}": n for n in range(60)}
            with pytest.raises(CodeExecutionError, match="All variables were dropped"):
                run("len(other_query)", variables=other)
            assert run("print(len(other_query))", variables=other) == "1\n"


@pytest.mark.parametrize("inputs", [{"context": "w" * 5000, "rows": [1, 2] * 1000, "query": "q"}, {"query": "q"}])
def test_full_tables_are_emptied(inputs: dict[str, Any]) -> None:
    with SandboxInterpreter() as run:

        def error(code: str) -> str:
            try:
                run(code, variables=inputs)
            except CodeExecutionError as error:
                return str(error)
            return ""

        fill_tables(error)
        assert run("new_name = 'a new text'\nlen(new_name) + len(query)", variables=inputs) == 11


def test_a_lost_session_is_an_error_of_its_block() -> None:
    with liar() as worker, SandboxInterpreter(tools={"echo": lambda x: x}, limits=LIMITS, worker=worker) as run:
        for registers in (False, True):
            run.start()
            lose(run._session)
            if registers:
                run._tools_registered = False
                run.start()
            with pytest.raises(CodeExecutionError, match="session was lost"):
                run("exec value 1 1")
            assert run("exec value 2 2") == 2
            assert run('exec call echo {"args":[1],"kwargs":{}}\nexec value 3 3') == 3
        # A state that cannot be written: tools are registered all the same.
        assert run("load trap\nexec value 1 1") == 1
        run._tools_registered = False
        with pytest.raises(CodeExecutionError, match="session was lost"):
            run("exec value 1 1")
        assert run("exec value 2 2") == 2


def test_a_worker_that_ended_is_an_error_of_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    with SandboxInterpreter(tools={"one": lambda: 1}) as run:
        run("x = 1")
        assert run._session is not None
        run._session._worker._process.kill()
        run._session._worker._process.wait()
        with pytest.raises(CodeExecutionError, match="session was lost"):
            run("x")
        assert run("one()", variables={"query": "q"}) == 1
        # A machine without room, and an answer that cannot be read.
        kinds = {"host": "no room", "protocol": "no room", "lost": "session was lost", "guest": "session was lost"}
        for kind, told in kinds.items():
            run("x = 1")

            def fail(*_: Any, **__: Any) -> None:
                raise rlm_sandbox.SandboxError("no room", kind)

            with monkeypatch.context() as patched:
                patched.setattr(rlm_sandbox.Session, "exec", fail)
                with pytest.raises(CodeExecutionError, match=told):
                    run("x")
            check = "try:\n    kept = x\nexcept NameError:\n    kept = 0\nkept"
            assert run(check) == (0 if kind in ("lost", "guest") else 1)
    # Nobody can make another session in the place of one of a worker that was closed.
    with rlm_sandbox.Worker() as worker:
        run = SandboxInterpreter(worker=worker)
        run("1")
    with pytest.raises(CodeInterpreterError, match="closed"):
        run("1")


def test_files_are_mounted_only_where_that_is_allowed(tmp_path: Any) -> None:
    secret, allowed = tmp_path / "secret.txt", tmp_path / "open"
    secret.write_text("secret")
    allowed.mkdir()
    (allowed / "data.csv").write_text("a,b\n1,2\n")
    (allowed / "link.txt").symlink_to(secret)
    command = [rlm_sandbox.find_binary(), "dspy-runner", "--allow-read", str(allowed)]
    with dspy.PythonInterpreter(deno_command=command, enable_read_paths=[allowed / "data.csv"]) as run:
        assert run("open('/sandbox/data.csv').read()") == "a,b\n1,2\n"
    for path in (secret, allowed / "link.txt"):
        with pytest.raises(CodeInterpreterError, match="--allow-read"):
            dspy.PythonInterpreter(deno_command=command, enable_read_paths=[path])("1")
    with pytest.raises(CodeInterpreterError, match="--allow-read"):
        runner(enable_read_paths=[secret])("1")


class Scripted(dspy.BaseLM):
    """Says what it is told to say, one after the other."""

    def __init__(self, said: list[str]) -> None:
        super().__init__(model="scripted")
        self.said: Iterator[str] = iter(said)
        self.heard: list[str] = []

    def forward(self, prompt: Any = None, messages: Any = None, **_: Any) -> Any:
        self.heard.append(str(messages or prompt))
        message = SimpleNamespace(content=next(self.said), tool_calls=None)
        return SimpleNamespace(choices=[SimpleNamespace(message=message, finish_reason="stop")], usage={}, model="m")


def turn(code: str) -> str:
    return f"[[ ## reasoning ## ]]\nlook\n[[ ## code ## ]]\n```python\n{code}\n```\n[[ ## completed ## ]]"


@both
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_recursive_language_model_answers(make: Make) -> None:
    context = "\n".join(f"line {i}: {'ERROR disk' if i % 100 == 7 else 'ok'}" for i in range(5000))
    lm = Scripted(
        [
            turn("errors = [l for l in context.splitlines() if 'ERROR' in l]\nprint(len(errors), errors[0])"),
            turn("print(nobody)"),
            turn("said = llm_query_batched([f'why {e}?' for e in errors[:3]])\nprint(said, classify(text=said[0]))"),
            turn("SUBMIT(answer=llm_query('sum up'), count=len(errors))"),
        ]
    )
    asked: list[str] = []

    def sub(prompt: str) -> list[str]:
        asked.append(prompt)
        return [f"because {len(asked)}"]

    def classify(text: str) -> str:
        """Classifies a text."""
        return f"<{text}>"

    rlm = dspy.RLM("context, query -> answer: str, count: int", interpreter_factory=make, sub_lm=sub, tools=[classify])
    with dspy.context(lm=lm):
        result = rlm(context=context, query="how many errors?")
    assert result.count == 50 and result.answer == "because 4" and len(asked) == 4
    outputs = [step["output"] for step in result.trajectory]
    assert outputs[0].startswith("50 line 7: ERROR disk") and "name 'nobody' is not defined" in outputs[1]
    assert "<because" in outputs[2]
    if make is SandboxInterpreter:
        assert "subset of Python" in lm.heard[0]


def test_numbers_of_one_hash_and_very_many_items_are_an_error_of_their_block() -> None:
    hostile = [
        "'{' + ','.join(f'\\x22{n * (2**61 - 1)}\\x22:0' for n in range(60_000)) + '}'",
        "{str(n * (2**61 - 1)): 0 for n in range(60_000)}",
        "[n * (2**61 - 1) for n in range(42_000)]",
        "[[n * (2**61 - 1), 1] for n in range(20_000)]",
        "'[' + '[],' * 400_000 + '[]]'",
        "[[]] * 200_000",
        # UUIDs, Decimals, Fractions, complex numbers, interfaces, and tuples of them.
        "[f'{n * (2**61 - 1):032x}' for n in range(25_000)]",
        "[f'{n * (2**61 - 1)}.5' for n in range(25_000)]",
        "[f'{2 * n * (2**61 - 1) + 1}/2' for n in range(12_000)]",
        "[f'{-1000003 * n}+{n}j' for n in range(25_000)]",
        "[':'.join(f'{n * (2**61 - 1):032x}'[i:i + 4] for i in range(0, 32, 4)) + '/0' for n in range(12_000)]",
        "[[f'{n * (2**61 - 1):032x}', 1, 'x'] for n in range(25_000)]",
        "{f'{n * (2**61 - 1):032x}': 1 for n in range(25_000)}",
        "['1e99999999']",
        "'[\\x221e99999999\\x22]'",
        "'\\x22-1.5E+99999999\\x22'",
    ]
    usual = [
        "[f'{n * 0x9e3779b97f4a7c15f39cc0605cedc834 % 2**128:032x}' for n in range(50_000)]",
        "[f'{n * 0x9e3779b9 % 2**28:07x}' for n in range(20_000)]",
        "['10.0.0.' + str(n) for n in range(250)]",
        "[n / 7 for n in range(50_000)]",
        "[str(n / 7) for n in range(50_000)]",
    ]
    usual += ["[1] * 50_000", "list(range(50_000))", "{str(n): n for n in range(20_000)}", "[[n, 1] for n in range(20_000)]"]
    with SandboxInterpreter(output_fields=[{"name": "a"}], limits={"value": 16 << 20}) as run:
        for code in hostile:
            # As dspy does when it begins with another run.
            run._tools_registered = False
            since = time.process_time()
            with pytest.raises(CodeExecutionError, match="SUBMIT"):
                run(f"SUBMIT({code})")
            assert time.process_time() - since < 2, code
        for code in usual:
            run._tools_registered = False
            assert run(f"SUBMIT({code})").output["a"] == eval(code)
        # dspy keeps an error for each item that does not fit, and goes on.
        run._tools_registered = False
        for _ in range(2):
            assert run("SUBMIT(['zz'] * 50_000)").output["a"] == ["zz"] * 50_000
        with pytest.raises(CodeExecutionError, match="too many items; the value of 'a'"):
            run("SUBMIT(['zz'] * 50_000)")


@both
def test_what_dspy_gives_its_own_code_is_for_no_script(make: Make, tmp_path: Path) -> None:
    # A signature is evaluated in the program: with this function a script ran commands and read the environment.
    file = tmp_path / "escaped"
    evaluated = f"q: list[\"__import__('pathlib').Path({str(file)!r}).touch()\"] -> a"
    escape = f"__dspy_construct__(kind='Predict', signature={evaluated!r}, attr_name='a')"
    asked = f"try:\n    said = repr({escape})\nexcept BaseException as error:\n    said = str(error)\nSUBMIT(said)"
    lm = Scripted([turn(asked)])
    rlm = dspy.RLM("query -> answer", interpreter_factory=make)
    with dspy.context(lm=lm):
        answer = rlm(query="q").answer
    assert "__dspy_construct__" in answer and not file.exists()
    with make(tools={"__dspy_call__": lambda: 1, "gone": lambda: 2, "stays": lambda: 3}) as run:
        assert run("gone()") == 2
        del run.tools["gone"]
        for code in ("gone()", "__dspy_call__()"):
            if make is SandboxInterpreter or code == "gone()":
                with pytest.raises(CodeExecutionError):
                    run(code)
        assert run("stays()") == 3


def test_results_are_json() -> None:
    with SandboxInterpreter(output_fields=[{"name": "a"}]) as run:
        for code, value in (("{1, 2}", [1, 2]), ("b'x'", "x"), ("{(1, 2): 3}", {"(1, 2)": 3}), ("{None: (1,)}", {"null": [1]})):
            given, submitted = run(code), run(f"SUBMIT({code})").output["a"]
            assert given == submitted, code
            assert json.loads(json.dumps(given)) == given and (code == "b'x'" or given == value), code


@both
def test_a_script_that_says_so_fills_no_tables(make: Make) -> None:
    with make() as run:
        run("x = 1")
        with pytest.raises(CodeExecutionError, match="tables are full"):
            run("raise RuntimeError(\"the interpreter's tables are full\")")
        assert run("x") == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_text_that_dspy_cannot_read_in_time_is_an_error_of_its_block() -> None:
    # Each ends a run of dspy, or holds it up for minutes.
    fence = "'\\x60' * 3"
    hostile = [f"'{{\\x22' + {fence} + 'json' + {fence} + '({{a)'", "'[\\x22' * 30_000", "'{\\x22a\\x22:' * 20_000", "'-' * 200_000 + '1'", "'[' * 400 + ']' * 400"]
    usual = ["'[1, 2'", "str([n for n in range(20_000)])", "'see [here](there), ' * 400"]
    lm = Scripted([turn(f"SUBMIT({text})") for text in [*hostile, usual[2], usual[1]]])
    rlm = dspy.RLM("query -> n: list[int]", interpreter_factory=SandboxInterpreter)
    with dspy.context(lm=lm):
        result = rlm(query="q")
    assert result.n == list(range(20_000))
    outputs = [step["output"] for step in result.trajectory]
    assert len(outputs) == 7 and all("takes too long, or too much memory" in output for output in outputs[:5])
    assert "[Type Error]" in outputs[5]
    with SandboxInterpreter(output_fields=[{"name": "a", "type": "str"}, {"name": "b"}]) as run:
        for text in usual:
            assert run(f"SUBMIT('', {text})").output["b"] == eval(text)
        for text in hostile:
            assert run(f"SUBMIT({text}, '')").output["a"] == eval(text)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_numbers_that_cannot_be_shown_end_no_run() -> None:
    lm = Scripted([turn(f"SUBMIT('{text}')") for text in ("0x' + 'f' * 3600 + '", "[0b' + '1' * 20_000 + ']", "7")])
    rlm = dspy.RLM("query -> n: int", interpreter_factory=SandboxInterpreter)
    with dspy.context(lm=lm):
        assert rlm(query="q").n == 7


def test_values_that_nest_around_long_text_are_looked_at_once() -> None:
    since = time.process_time()
    with SandboxInterpreter(output_fields=[{"name": "n", "type": "list"}]) as run:
        run("x = '\x7f' * 4_100_000\nfor _ in range(96): x = [x]")
        with suppress(CodeExecutionError):
            run("SUBMIT(n=x)")
        run("x = '\x7f' * 4_000_000\nfor n in range(40): x = frozenset([x, n])\nx")
        assert run("{3, 1, 2}") == [1, 2, 3] and run("{'b', 'a'}") == ["a", "b"]
    assert time.process_time() - since < 5


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_bytes_are_read_as_text_is() -> None:
    # Each ends a run of dspy, or holds it up for minutes.
    hostile = ["b'[' * 5000", "b'-' * 200_000 + b'1'", "b'[\x22' * 15_000", "b'1<' * 1_500_000 + b'1'"]
    same = "[bytes(str(n * (2 ** 61 - 1) + 7), 'ascii') for n in range(20_000)]"
    lm = Scripted([turn(f"SUBMIT({text})") for text in [*hostile, same, "b'[1, 2]'"]])
    rlm = dspy.RLM("query -> n: list[int]", interpreter_factory=SandboxInterpreter)
    since = time.process_time()
    with dspy.context(lm=lm):
        result = rlm(query="q")
    assert result.n == [1, 2]
    assert time.process_time() - since < 15
    outputs = [step["output"] for step in result.trajectory]
    assert all("too much memory" in output for output in outputs[:4]) and "too many items" in outputs[4]


@pytest.mark.parametrize("text", ["1e9991_", "1e1__000", "1e1000_", "1e" + "9" * 5000, "0x_1e1_000"])
def test_odd_numbers_in_text_end_no_run(text: str) -> None:
    with SandboxInterpreter(output_fields=[{"name": "n", "type": "int"}]) as run:
        for answer in (text, [text], {"a": (text,)}):
            # dspy gives the model an error, or has a value.
            with suppress(CodeExecutionError):
                run.execute(f"SUBMIT(n={answer!r})")
        assert run("SUBMIT(n=7)").output == {"n": 7}


@pytest.mark.skipif(sys.platform != "linux", reason="no limit on memory there")
def test_text_that_takes_dspy_much_memory_is_an_error_of_its_block() -> None:
    # Read as Python, each `<` takes 350 bytes. Processes that have ended are counted, so it is one of its own.
    program = """
import resource
from rlm_sandbox.dspy import CodeExecutionError, SandboxInterpreter
with SandboxInterpreter(output_fields=[{"name": "x", "type": "int"}]) as run:
    for length in (2_090_000, 300_000):
        try:
            run(f"SUBMIT('1<' * {length} + '1')")
        except CodeExecutionError as error:
            print(error)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *errors, peak = ran.stdout.splitlines()
    assert sum("too much memory" in error for error in errors) == 2, ran.stdout
    assert int(peak) < 400, ran.stdout


def test_instructions_tell_what_runs() -> None:
    text = SandboxInterpreter.execution_instructions
    with rlm_sandbox.Session(profile="dspy") as session:
        modules = text.partition("Modules: ")[2].partition(".")[0].split(", ")
        for module in modules:
            assert session.exec(f"import {module}").ok, module
