"""`alexzhang13/rlm` itself: a completion with recursion, in our environment, and its own tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import rlm.core.rlm as rlm_module
from full import LIMITS, fill, fill_tables, liar, lose
from rlm import RLM
from rlm.clients.base_lm import BaseLM
from rlm.core.types import ModelUsageSummary, UsageSummary
from rlm_sandbox import SandboxError, rlms
from rlm_sandbox.rlms import SandboxREPL


class Scripted(BaseLM):  # type: ignore[misc]
    """Says what it is told to say; every other prompt gets an answer that names it."""

    def __init__(self, said: list[str]) -> None:
        super().__init__(model_name="scripted")
        self.said = said

    def completion(self, prompt: Any) -> str:
        if isinstance(prompt, list) and self.said:
            return self.said.pop(0)
        return f"answer to {prompt}"

    async def acompletion(self, prompt: Any) -> str:
        return self.completion(prompt)

    def get_usage_summary(self) -> UsageSummary:
        return UsageSummary(model_usage_summaries={"scripted": self.get_last_usage()})

    def get_last_usage(self) -> ModelUsageSummary:
        return ModelUsageSummary(total_calls=1, total_input_tokens=1, total_output_tokens=1)


def block(code: str) -> str:
    return f"Let me look.\n```repl\n{code}\n```"


def test_a_completion_with_recursion() -> None:
    root = [
        block("print(len(context), type(context).__name__)"),
        block("parts = llm_query_batched(['one', 'two'])\ndeep = rlm_query('go deeper: ' + context[:3])\nprint(parts, deep)"),
        block("answer['content'] = deep + '!'\nanswer['ready'] = True"),
    ]
    child = [block("answer['content'] = 'from below ' + context[-3:]\nanswer['ready'] = True")]
    clients = [Scripted(root), Scripted(child)]
    made: list[SandboxREPL] = []
    original = SandboxREPL.__init__

    def counted(self: SandboxREPL, *args: Any, **kwargs: Any) -> None:
        made.append(self)
        original(self, *args, **kwargs)

    with (
        rlms.installed(),
        patch.object(rlm_module, "get_client", lambda *_: clients.pop(0)),
        patch.object(SandboxREPL, "__init__", counted),
    ):
        completion = RLM(
            backend="openai", backend_kwargs={"model_name": "scripted"}, max_depth=2, verbose=False
        ).completion("abcdef" * 10)
    assert completion.response == "from below abc!"
    assert [repl.depth for repl in made] == [1, 2]


def test_the_environment_gives_what_local_gives() -> None:
    with SandboxREPL(context_payload={"k": [1, 2]}, custom_tools={"shout": str.upper, "LIMIT": 3}) as repl:
        result = repl.execute_code("print(context['k'], shout('a'), LIMIT)\nx = [1]\n_hidden = 2")
        assert (result.stdout, result.stderr) == ("[1, 2] A 3\n", "")
        assert result.locals["x"] == [1] and "_hidden" not in result.locals and result.final_answer is None
        failed = repl.execute_code("y = 1\nx.append(2)\n1/0")
        assert failed.stderr == "\nZeroDivisionError: division by zero" and "y" not in repl.locals
        assert repl.execute_code("print(llm_query('q'))").stdout == "Error: No LM handler configured\n"
        assert repl.add_context("second") == 1
        assert repl.add_history([{"role": "user", "content": "hi"}]) == 0
        assert repl.execute_code("print(context_1, history[0]['content'])").stdout == "second hi\n"
        endless = SandboxREPL(limits={"time": 0.2}).execute_code("while True: pass")
        assert "TimeoutError" in endless.stderr
    with pytest.raises(ValueError, match="Custom tools cannot override"):
        SandboxREPL(custom_tools={"llm_query": print})


def test_no_code_ends_a_completion() -> None:
    with SandboxREPL(limits={"memory": "16MiB", "time": 0.5}, persistent=True) as repl:
        # What is read after each block may have no end, or find no memory.
        result = repl.execute_code("class A:\n    def __repr__(self):\n        while True: pass\nanswer = A()\nx = 1")
        assert result.stderr == "" and result.locals["x"] == 1
        assert result.locals["answer"] == "<A>"
        assert repl.execute_code("answer = {'content': 'c', 'ready': True}").final_answer == "c"
        fill(repl._session)
        assert repl.execute_code("print(1)").final_answer is None
        assert repl.execute_code("big = None").stderr == ""
        assert repl.execute_code("print(2)").stdout == "2\n"
        # Variables may have any number, up to the last one.
        repl.add_history([{"role": "assistant", "content": "half \ud83d"}])
        names = [f"v{number}" for number in range(10_000 - len(repl._session.variables()))]
        assert repl.execute_code(" = ".join(names[:5000]) + " = 1").stderr == ""
        assert repl.execute_code(" = ".join(names[5000:]) + " = 1").stderr == ""
        refused = repl.execute_code("print(history)")
        assert "10000 variables" in refused.stderr and refused.final_answer is None
    # Halves of characters are whole for code.
    with SandboxREPL(persistent=True) as repl:
        repl.add_history([{"role": "assistant", "content": "half \ud83d"}])
        assert repl.execute_code("print('\ud83d', history[0]['content'])").stdout == "? half ?\n"


def test_a_lost_session_is_an_error_of_its_block() -> None:
    with liar() as worker, SandboxREPL("address", "text", limits=LIMITS, worker=worker) as repl:
        for adds in (False, True):
            lose(repl._session)
            if adds:
                repl.add_context("more")
            assert "session was lost" in repl.execute_code("exec value 1 1").stderr
            assert repl.execute_code("exec value 2 2").stderr == ""
    with SandboxREPL(context_payload="text", custom_tools={"shout": str.upper, "LIMIT": 3}, persistent=True) as repl:
        repl._session._worker._process.kill()
        repl._session._worker._process.wait()
        repl.add_context("more")
        lost = repl.execute_code("x = 1")
        assert "session was lost" in lost.stderr and lost.locals["context_1"] == "more"
        code = "print(context_0, context_1, shout('a'), LIMIT)"
        assert repl.execute_code(code).stdout == "text more A 3\n"
        for kind in ("host", "protocol"):
            refused = patch.object(repl._session, "_request", side_effect=SandboxError("no room", kind))
            stepped = patch.object(repl._session, "step", side_effect=SandboxError("no room", kind))
            with refused, stepped:
                assert repl.execute_code("print(history)").stderr == "\nRuntimeError: no room"
                assert repl.execute_code("x = 1").locals["context_1"] == "more"
        # A state that cannot be written and read again.
        with patch.object(repl._session, "step", side_effect=SandboxError("cannot write its state", "guest")):
            assert "session was lost" in repl.execute_code("x = 1").stderr
        fill_tables(lambda code: repl.execute_code(code).stderr)
        assert repl.execute_code(code).stdout == "text more A 3\n"
    with SandboxREPL(setup_code="def twice(n): return 2 * n") as repl:
        fill_tables(lambda code: repl.execute_code(code).stderr)
        assert repl.execute_code("print(twice(4))").stdout == "8\n"


def test_an_answer_that_does_not_fit_is_in_no_result() -> None:
    with SandboxREPL() as repl:
        small = repl.execute_code("answer['content'] = [1, 2]").locals["answer"]
        assert small == {"content": [1, 2], "ready": False}
        many = repl.execute_code("answer['content'] = [set() for _ in range(20_000)]").locals["answer"]
        assert many == {"content": "<list that does not fit>", "ready": False}
        assert repl.execute_code("x = 1").locals["answer"] == many
        # A program that asks for it gets all of it.
        assert len(repl.locals["answer"]["content"]) == 20_000


def test_an_answer_that_takes_long_to_show_holds_up_one_block() -> None:
    with SandboxREPL(limits={"time": 8}) as repl:
        endless = "class A:\n    def __repr__(self):\n        while True: pass\nanswer['content'] = A()\nn = 1"
        assert repl.execute_code(endless).locals["n"] == 1
        since = time.monotonic()
        for number in range(5):
            assert repl.execute_code(f"n = {number}").locals["n"] == number
        assert time.monotonic() - since < 6


def test_variables_that_take_long_to_list_hold_up_one_block() -> None:
    with SandboxREPL() as repl:
        variables = repl._session.variables

        def slow(**arguments: Any) -> Any:
            time.sleep(5.5)
            return variables(**arguments)

        with patch.object(repl._session, "variables", side_effect=slow) as listed:
            for number in range(3):
                result = repl.execute_code(f"n = {number}\nprint(n)")
                assert result.stdout == f"{number}\n" and ("n" in result.locals) is (number == 0)
            assert listed.call_count == 1


def test_their_own_tests_pass(tmp_path: Path) -> None:
    """The tests of the release, with our environment in the place of `LocalREPL`."""
    from importlib.metadata import version

    download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(tmp_path)]
    if subprocess.run([*download, f"rlms=={version('rlms')}"]).returncode != 0:
        pytest.skip("the sources of rlms cannot be downloaded")
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "xzf", str(archive), "-C", str(tmp_path)], check=True)
    (sources,) = (path for path in tmp_path.iterdir() if path.is_dir())
    (tmp_path / "swap.py").write_text(
        "import rlm.environments, rlm.environments.local_repl as local\n"
        "from rlm_sandbox import rlms\n"
        "local.LocalREPL = rlm.environments.LocalREPL = rlms.SandboxREPL\n"
        "rlms.installed().__enter__()\n"
    )
    # Those of other environments, those that lack a file, and one of a folder that we do not need.
    left_out = ("docker", "ipython", "lm_handler")
    files = sorted(str(path) for path in (sources / "tests").glob("test_*.py"))
    files = [path for path in files if not any(word in path for word in left_out)]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "swap", "-k", "not test_temp_dir_created_and_cleaned", *files],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])},
        cwd=sources,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-5000:]
    passed = int(ran.stdout.rsplit(" passed", 1)[0].split()[-1])
    assert passed >= 180, ran.stdout[-500:]


def test_another_session_brings_no_prompts_back() -> None:
    asked: list[str] = []

    def answer(self: SandboxREPL, call: Any) -> Any:
        asked.extend(call.prompts)
        return call.prompts[0]

    with patch.object(SandboxREPL, "_answer", answer), SandboxREPL(context_payload="text", limits={"model-calls": 2}) as repl:
        for _ in range(2):
            repl.execute_code("llm_query('a')\nllm_query('b')")
            fill_tables(lambda code: repl.execute_code(code).stderr)
            assert "limit exceeded" in repl.execute_code("llm_query('c')").stderr
    assert asked == ["a", "b"]
