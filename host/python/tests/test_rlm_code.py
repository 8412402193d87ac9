"""The documentation page of rlm-code's interpreter, as tests: its examples, tables and promises."""

from __future__ import annotations

import dataclasses
import inspect
import json
from unittest.mock import patch

from full import LIMITS, fill, fill_tables, liar, lose
from rlm_sandbox import (
    MontyCodeResult,
    MontyCodeValidator,
    MontyExecutionStats,
    MontyInterpreter,
    SandboxError,
    create_rlm_monty_interpreter,
)


def opened(**arguments: object) -> MontyInterpreter:
    interp = MontyInterpreter(**arguments)  # type: ignore[arg-type]
    interp.start()
    return interp


def test_basic_execution() -> None:
    result = opened().execute("x = 1 + 2\nprint(x)")
    assert (result.output, result.variables, result.error) == ("3\n", {"x": "3"}, None)


def test_variables_stay_from_step_to_step() -> None:
    interp = opened()
    interp.execute("a = 10")
    result = interp.execute("b = a * 2\nprint(b)")
    assert (result.output, result.variables) == ("20\n", {"a": "10", "b": "20"})


def test_external_functions() -> None:
    interp = create_rlm_monty_interpreter(llm_query_fn=lambda prompt, model=None: f"{prompt} {model}")
    result = interp.execute('answer = llm_query("What is 6*7?")\nprint(answer)')
    assert result.output == "What is 6*7? None\n" and result.execution_snapshots == 1
    assert interp.execute("llm_query('q', model='m')\nprint(llm_query_batched(['a', 'b']))").output == (
        "['a None', 'b None']\n"
    )


def test_batches_have_a_function_of_their_own() -> None:
    interp = create_rlm_monty_interpreter(llm_query_batched_fn=lambda prompts: [p.upper() for p in prompts])
    assert interp.execute("print(llm_query_batched(['a', 'b']))").output == "['A', 'B']\n"
    only = interp.execute("llm_query('a')").error
    assert only is not None and only.startswith("NameError")


def test_what_was_not_provided_is_not_there() -> None:
    interp = create_rlm_monty_interpreter()
    for name in ("llm_query", "llm_query_batched"):
        assert interp.execute(f"{name}('x')").error == f"NameError: name '{name}' is not defined"


def test_final() -> None:
    interp = create_rlm_monty_interpreter()
    result = interp.execute('FINAL("The answer is 42")\nprint("never")')
    assert result.final_output == {"answer": "The answer is 42", "type": "direct"} and result.output == ""
    interp.execute("x = {'k': (1, 2)}")
    assert interp.execute("FINAL_VAR('x')").final_output == {
        "answer": {"k": (1, 2)}, "type": "variable", "var": "x",
    }  # fmt: skip
    assert interp.execute("FINAL_VAR('nope')").final_output == {
        "answer": "<undefined: nope>", "type": "variable", "var": "nope",
    }  # fmt: skip


def test_submit() -> None:
    result = create_rlm_monty_interpreter().execute('SUBMIT(answer="42", confidence=0.95)')
    assert result.submit_fields == {"answer": "42", "confidence": 0.95} and result.final_output is None


def test_custom_functions() -> None:
    interp = opened()
    interp.register_external("fetch_data", lambda key: {"value": key.upper()})
    result = interp.execute('data = fetch_data("hello")\nprint(data)')
    assert result.output == "{'value': 'HELLO'}\n"
    interp.register_external("broken", lambda: [][1])
    assert interp.execute("broken()").error == "IndexError: list index out of range"
    assert interp.execute("print(data)").output == "{'value': 'HELLO'}\n"


def test_tools_and_builtins() -> None:
    def double(n: int) -> int:
        return 2 * n

    interp = opened(tools=[double], builtins={"factor": 3, "shout": str.upper})
    assert interp.execute("print(double(factor), shout('a'))").output == "6 A\n"
    assert interp.tools == [double]


def test_checkpoint_and_restore() -> None:
    interp = opened()
    interp.execute("x = 42\ny = (1, b'2')")
    checkpoint = interp.checkpoint()
    assert checkpoint["variables"]["x"] == 42 and set(checkpoint["stats"]) == {
        "total_executions", "total_external_calls", "total_time_secs", "type_check_failures", "syntax_errors",
        "runtime_errors",
    }  # fmt: skip
    other = opened()
    other.restore(json.loads(json.dumps(checkpoint)) | {"unknown": 1})
    assert other.execute("print(x, y)").output == "42 (1, b'2')\n"
    assert other.stats.total_executions == 2


def test_validation() -> None:
    validator = MontyCodeValidator(type_check=True)
    assert validator.validate("x = 1 + 2") == (True, None)
    ok, error = validator.validate("x = ")
    assert not ok and error is not None and error.startswith("Syntax error: ")
    assert validator.validate("y = x + 1", known_vars={"x": int}, external_functions=["llm_query"]) == (True, None)
    interp = opened()
    assert interp.validate_code("x = 1") == (True, None) and not interp.validate_code("import os")[0]


def test_resource_limits() -> None:
    limits = {"max_duration_secs": 0.3, "max_memory": 10_000_000, "max_allocations": 50_000, "max_recursion_depth": 100}
    interp = opened(resource_limits=limits)
    for code, kind in [
        ("while True: pass", "TimeoutError"),
        ("x = 'a' * 50_000_000", "MemoryError"),
        ("x = [[i] for i in range(200_000)]", "MemoryError"),
        ("def f(): return f()\nf()", "RecursionError"),
    ]:
        error = interp.execute(code).error
        assert error is not None and error.startswith(kind), (code, error)
    assert interp.execute("print(1)").output == "1\n"
    assert interp.stats.runtime_errors == 4


def test_limitations() -> None:
    interp = opened()
    for code in ("import json", "eval('1')", "exec('1')", "open('/etc/passwd').read()", "compile('1', '', 'eval')"):
        assert interp.execute(code).error is not None, code


def test_variables_have_as_much_room_together_as_one() -> None:
    interp = MontyInterpreter()
    assert interp.execute("s = '\\x01' * (10 << 20)\na, b, c = s, s, s").error is None
    # Six bytes of JSON for each character, where there is room for 64 MiB.
    whole = [value for value in interp.variables.values() if value == "\x01" * (10 << 20)]
    assert len(whole) == 1
    interp.shutdown()


def test_variables_may_be_given_and_read() -> None:
    interp = MontyInterpreter()
    interp.set_variable("a", [1])
    assert interp.get_variable("a") == [1] and interp.variables == {"a": [1]}
    result = interp.execute("b = a + [c]\ndef f(): pass", variables={"c": 2})
    assert result.variables == {"a": "[1]", "b": "[1, 2]", "c": "2"}
    interp.set_variable("a", "new")
    assert (interp.get_variable("a"), interp.get_variable("missing")) == ("new", None)
    assert interp.variables == interp.namespace == {"a": "new", "b": [1, 2], "c": 2}
    interp.shutdown()
    assert interp.variables == {}
    assert interp.execute("print('again')").output == "again\n"


def test_show_vars() -> None:
    interp = opened()
    assert interp.execute("print(SHOW_VARS())").output == "No variables defined.\n"
    interp.execute("x = 10\ns = 'a'")
    assert interp.execute("print(SHOW_VARS())").output == "Variables:\n  s: str = 'a'\n  x: int = 10\n"


def test_long_output_is_cut() -> None:
    result = opened(max_output_chars=10).execute("print('a' * 100)")
    assert result.output == "a" * 10 + "... [truncated]"
    assert opened().execute("x = 'a' * 500").variables["x"] == "'" + "a" * 199 + "..."


def test_stats_count() -> None:
    interp = opened()
    interp.register_external("f", lambda: 1)
    for code in ("f()\nf()", "x =", "1/0"):
        interp.execute(code)
    stats = interp.stats
    assert (stats.total_executions, stats.total_external_calls) == (3, 2)
    assert (stats.syntax_errors, stats.runtime_errors, stats.type_check_failures) == (1, 1, 0)
    assert stats.total_time_secs > 0


def test_r4_20_the_tables_of_fields_and_signatures() -> None:
    assert MontyCodeResult() == MontyCodeResult("", None, {}, None, None, None, {}, 0)
    assert [field.name for field in dataclasses.fields(MontyCodeResult)] == [
        "output", "error", "variables", "final_output", "submit_fields", "type_errors", "resource_usage",
        "execution_snapshots",
    ]  # fmt: skip
    assert MontyExecutionStats() == MontyExecutionStats(0, 0, 0.0, 0, 0, 0)
    factory = inspect.signature(create_rlm_monty_interpreter).parameters
    assert {name: parameter.default for name, parameter in factory.items()} == {
        "llm_query_fn": None, "llm_query_batched_fn": None, "tools": None, "timeout": 30, "max_memory": None,
        "max_allocations": None, "type_check": False,
    }  # fmt: skip
    for name in (
        "start", "shutdown", "execute", "register_external", "set_variable", "get_variable", "validate_code",
        "checkpoint", "restore", "variables", "stats", "tools", "namespace",
    ):  # fmt: skip
        assert hasattr(MontyInterpreter, name), name
    usage = opened().execute("1").resource_usage
    assert usage["fuel"] > 0 and usage["host_calls"] == 0


def test_a_lost_session_is_an_error_of_its_block() -> None:
    with liar() as worker:
        interpreter = MontyInterpreter(resource_limits=LIMITS, worker=worker)
        for does in (
            lambda: None,
            lambda: interpreter.register_external("late", print),
            lambda: interpreter.get_variable("x"),
            lambda: interpreter.variables,
            lambda: interpreter.set_variable("x", 1),
            lambda: interpreter.validate_code("exec value 1 1"),
        ):
            interpreter.start()
            lose(interpreter._session)
            does()
            assert "session was lost" in (interpreter.execute("exec value 1 1").error or "")
            assert interpreter.execute("exec value 2 2").error is None
        # A state that cannot be written: functions are registered all the same.
        assert interpreter.execute("load trap\nexec value 1 1").error is None
        interpreter.register_external("later", print)
        assert "session was lost" in (interpreter.execute("exec value 1 1").error or "")
        assert interpreter.execute("exec value 2 2").error is None


def test_a_state_that_cannot_be_written_is_an_error_of_its_block() -> None:
    interpreter = MontyInterpreter()
    assert interpreter.execute("x = 1").error is None
    assert interpreter._session is not None
    with patch.object(interpreter._session, "step", side_effect=SandboxError("cannot write its state", "guest")):
        assert "session was lost" in (interpreter.execute("x").error or "")
    assert interpreter.execute("1").error is None


def test_another_session_has_the_variables_of_the_host() -> None:
    interpreter = MontyInterpreter(tools=[str.upper], builtins={"a": 1})
    interpreter.set_variable("b", 2)
    interpreter.execute("d = 4", {"c": 3})
    check = "print(a, b, c, upper('x'))"
    assert interpreter._session is not None
    worker = interpreter._session._worker
    worker._process.kill()
    worker._process.wait()
    assert "session was lost" in (interpreter.execute(check).error or "")
    assert interpreter.execute(check).output == "1 2 3 X\n"
    fill_tables(lambda code: interpreter.execute(code).error or "")
    assert interpreter.execute(check).output == "1 2 3 X\n"
    assert set(interpreter.variables) == {"a", "b", "c"}


def test_full_tables_bring_no_prompts_back() -> None:
    asked: list[str] = []

    def llm_query(prompt: str) -> str:
        asked.append(prompt)
        return prompt

    interpreter = opened(builtins={"llm_query": llm_query}, resource_limits={"model-calls": 2})
    for _ in range(2):
        interpreter.execute("llm_query('a')\nllm_query('b')")
        fill_tables(lambda code: interpreter.execute(code).error or "")
        assert "limit" in (interpreter.execute("llm_query('c')").error or "")
    assert asked == ["a", "b"]


def test_functions_are_registered_though_a_variable_finds_no_room() -> None:
    interpreter = opened(resource_limits={"max_memory": 16 << 20})
    assert interpreter._session is not None
    fill(interpreter._session)
    interpreter.set_variable("text", "w" * 3_000_000)
    interpreter.register_external("one", lambda: 1)
    assert interpreter.execute("big = None").error is None
    assert interpreter.execute("print(one())").output == "1\n"
