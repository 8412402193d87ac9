"""An interpreter for ``dspy.RLM`` and whatever else takes a dspy ``CodeInterpreter``::

    import dspy
    from rlm_sandbox.dspy import SandboxInterpreter

    rlm = dspy.RLM("context, query -> answer", interpreter_factory=SandboxInterpreter)

The stock ``dspy.PythonInterpreter`` works as well, with ``deno_command=["rlm-sandbox", "dspy-runner"]``; this one
needs no process of its own and tells the model which Python it writes for.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dspy.primitives.code_interpreter import CodeExecutionError, CodeInterpreterError, FinalOutput

from pydantic_core import to_jsonable_python

from ._errors import SandboxError, is_over
from ._outcome import Error, Outcome, has_full_tables, told
from ._session import Session, Tool, settled
from ._submitted import costly, values_of
from ._values import whole
from ._worker import TooLong, Worker

__all__ = ["SandboxInterpreter"]

#: Characters from which on an input is sent as text, which takes less of a message than its values.
_LONG = 1024
#: Prefixes of the names that dspy keeps for itself.
_RESERVED = ("_dspy", "__dspy")
#: How the names begin to which that text is bound.
_HIDDEN = "_dspy_input_"
#: Characters of text, and items of lists, by which the items of a set are ordered.
_SHOWN = 100
_FIRST = 3
#: Values of all answers of a run for fields that are no text. dspy keeps an error of a thousand bytes, or of
#: some more, for each that does not fit its field.
_SUBMITTED = 120_000
#: Note to a model whose variables left no room for the inputs of its code.
_DROPPED = "All variables were dropped to make room; the inputs and tools are there again in the next code."
#: Error of a block that finds its session lost.
_LOST = (
    "RuntimeError: the session was lost, and all variables with it, so this code did not run to its end; the inputs and "
    "tools are there again in the next code."
)


@dataclass
class _Inputs:
    """The inputs of a block.

    Attributes:
        names: Their names.
        hidden: Long ones as text, by hidden name.
        short: The others.
        lines: What binds the long ones.
    """

    names: list[str] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    short: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


class _Full(Exception):
    """There was no room for the inputs of a block, which did not run: no memory, or no more variables."""

    def __init__(self, error: Error | SandboxError) -> None:
        text = str(error) if isinstance(error, SandboxError) else told(error)
        super().__init__(text.replace(_HIDDEN, ""))


class SandboxInterpreter:
    """A session of its own for each instance; the instance is the factory that dspy wants.

    Args:
        tools: Functions that code may call; dspy adds its own.
        output_fields: What ``SUBMIT`` takes; dspy sets it.
        limits: Limits of a block by the names of the command line, as ``{"time": 60, "memory": "512MiB"}``.
        worker: The process to run in. Default: the one that all sessions share.
    """

    execution_instructions = (
        "Python runs in a sandbox that speaks a subset of Python 3: no str or int as base classes. There are no files, "
        "network or packages. Modules: json, re, math, datetime, collections, itertools, functools, statistics, "
        "random, string, textwrap, typing, dataclasses, asyncio, base64, hashlib, operator, heapq, time. State "
        "persists across executions."
    )

    def __init__(
        self,
        tools: Mapping[str, Callable[..., Any]] | None = None,
        output_fields: list[dict[str, Any]] | None = None,
        *,
        limits: Mapping[str, float | str] | None = None,
        worker: Worker | None = None,
    ) -> None:
        self.tools: dict[str, Callable[..., Any]] = dict(tools or {})
        self.output_fields = output_fields
        self._limits = limits
        self._worker = worker
        self._tools_registered = False
        self._session: Session | None = None
        self._was_lost = False
        self._ended = False
        #: Values that were submitted in a run; as it went on, they did not fit.
        self._submitted = 0

    def __enter__(self) -> SandboxInterpreter:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def __call__(self, code: str, variables: Mapping[str, Any] | None = None) -> Any:
        """The same as :meth:`execute`."""
        return self.execute(code, variables)

    def start(self) -> None:
        """Opens the session; the first block does so, too."""
        if self._ended:
            raise CodeInterpreterError("this interpreter was shut down; create a new one for a fresh session")
        try:
            self._begin()
        except SandboxError as error:
            raise CodeInterpreterError(str(error)) from error

    def shutdown(self) -> None:
        """Ends the session."""
        self._ended = True
        if self._session is not None:
            self._session.close()
            self._session = None

    def execute(self, code: str, variables: Mapping[str, Any] | None = None) -> Any:
        """Runs a block of code.

        Returns:
            A ``FinalOutput`` if it called ``SUBMIT``, else the value of its last expression, else what it printed.

        Raises:
            SyntaxError: If it does not parse.
            CodeExecutionError: If it raises or reaches a limit; the session goes on. Where variables of earlier
                blocks leave no room for the inputs or for short code, all of them are dropped. Where the session is
                lost, the next block has another one. Also if it submits text for a field that is no text, and reading
                it as another value takes long.
            CodeInterpreterError: If the sandbox itself fails, or the inputs do not fit into its limits.
        """
        if any(name.startswith("__dspy") for name in variables or {}):
            raise CodeExecutionError("NotImplementedError: sub-agents are not there in this sandbox")
        if not self._tools_registered:
            # dspy begins with a run.
            self._submitted = 0
        self.start()
        if self._was_lost:
            self._was_lost = False
            raise CodeExecutionError(_LOST)
        try:
            outcome = self._run(whole(code), _inputs(variables or {}))
        except SandboxError as error:
            if is_over(error):
                self._forget()
                self.start()
                raise CodeExecutionError(_LOST) from error
            if error.kind in ("host", "protocol") or isinstance(error, TooLong):
                # There may be room later, or for shorter code or answers.
                raise CodeExecutionError(f"RuntimeError: {error}") from error
            raise CodeInterpreterError(str(error)) from error
        except (TypeError, ValueError, RecursionError) as error:
            raise CodeInterpreterError(str(error)) from error
        given = _given(outcome)
        if isinstance(given, FinalOutput):
            # What dspy is given, in which bytes are text, too.
            given.output = _said(given.output)
            try:
                self._check(given.output)
            except CodeExecutionError:
                raise
            except Exception as error:
                # A run of dspy goes on after errors of the code alone.
                raise CodeExecutionError(f"ValueError: SUBMIT: an answer cannot be looked at: {error!r}") from error
            return given
        return _said(given)

    def _check(self, answer: Any) -> None:
        """Refuses what dspy would take long to read or check as the value of a field that is no text."""
        other = {field["name"] for field in self.output_fields or [] if field.get("type") != "str"}
        given = {name: value for name, value in answer.items() if name in other} if isinstance(answer, dict) else {}
        for name, value in given.items():
            self._submitted += values_of(value)
            if self._submitted > _SUBMITTED:
                raise CodeExecutionError(
                    f"ValueError: SUBMIT: answers that did not fit their fields had too many items; the value of '{name}' is "
                    "not looked at any more: give a shorter one"
                )
        place = costly(list(given.values()))
        if place is None:
            return
        name = list(given)[place]
        if isinstance(given[name], str):
            raise CodeExecutionError(
                f"ValueError: SUBMIT: the text for the field '{name}' takes too long, or too much memory, to read "
                "as another value; give that value itself, or simpler text"
            )
        raise CodeExecutionError(
            f"ValueError: SUBMIT: the value of the field '{name}' has too many items, or numbers that take too "
            "long to look up; give fewer"
        )

    def _begin(self) -> None:
        """Opens the session if there is none, and gives it the tools of the host."""
        if self._session is not None and not self._tools_registered:
            try:
                self._session.register(self._plain_tools(), outputs=self._outputs())
            except SandboxError as error:
                if error.kind in ("usage", "limit"):
                    # An input may have found no room; it is not tried again.
                    self._session.register(self._plain_tools(), outputs=self._outputs())
                else:
                    # Of a state that cannot be written there is nothing to go on with.
                    self._forget()
                    self._was_lost = True
        if self._session is None:
            self._session = Session(
                profile="dspy",
                tools=self._plain_tools(),
                outputs=self._outputs(),
                limits=self._limits,
                worker=self._worker,
            )
        self._tools_registered = True

    def _forget(self) -> None:
        """Ends a session that is of no use any more."""
        session, self._session = self._session, None
        if session is not None:
            with contextlib.suppress(SandboxError):
                session.close()

    def _plain_tools(self) -> dict[str, Tool]:
        def plain(name: str, function: Callable[..., Any]) -> Tool:
            @functools.wraps(function)
            def answer(*args: Any, **kwargs: Any) -> Any:
                # dspy may have taken it away.
                if name not in self.tools:
                    raise NameError(f"name '{name}' is not defined")
                given = settled(self.tools[name](*args, **kwargs))
                try:
                    return _plain(given)
                except Exception:
                    return str(given)

            return Tool(answer)

        # What dspy gives its own code makes host objects of text, and is for no script.
        functions = ((name, function) for name, function in self.tools.items() if not name.startswith(_RESERVED))
        return {name: plain(name, function) for name, function in functions}

    def _outputs(self) -> dict[str, str]:
        fields = self.output_fields or [{"name": "output"}]
        # Their types are dspy's to check, and to convert.
        return {field["name"]: "" for field in fields}

    def _run(self, code: str, inputs: _Inputs) -> Outcome:
        """Runs a block with its inputs, and makes room for them and for blocks to come if there is none."""
        outcome = self._run_in_room(code, inputs)
        if outcome.error is not None and has_full_tables(outcome, code):
            assert self._session is not None
            self._session.reset()
            raise CodeExecutionError(f"{told(outcome.error)}\n{_DROPPED}")
        return outcome

    def _run_in_room(self, code: str, inputs: _Inputs) -> Outcome:
        """Runs a block with its inputs, and makes room for those if there is none."""
        assert self._session is not None
        try:
            return self._attempt(code, inputs)
        except _Full:
            # Those of earlier blocks may take the room: both values of a name are in memory while the new one enters.
            try:
                self._session.set_variables(dict.fromkeys([*inputs.hidden, *inputs.names]))
                self._session.exec("")
            except SandboxError as error:
                if is_over(error):
                    raise
        try:
            return self._attempt(code, inputs)
        except _Full as full:
            # No code can make room, as each has its inputs before it.
            self._session.reset()
            try:
                self._attempt("", inputs)
            except _Full:
                message = f"the inputs do not fit into the limits of the sandbox: {full}"
                raise CodeInterpreterError(message) from None
            raise CodeExecutionError(f"{full}\n{_DROPPED}") from None

    def _attempt(self, code: str, inputs: _Inputs) -> Outcome:
        """Binds the inputs, which dspy gives again with every block, and runs it.

        All of them are sent each time: code can rebind any name of the session.

        Raises:
            _Full: If there is no room for them.
        """
        assert self._session is not None
        try:
            for name, text in inputs.hidden.items():
                self._session.set_variables({name: text})
            if inputs.short:
                self._session.set_variables(inputs.short)
        except SandboxError as refused:
            if refused.kind == "protocol" or isinstance(refused, TooLong):
                message = f"the inputs do not fit into the limits of the sandbox: {refused}"
                raise CodeInterpreterError(message) from refused
            if refused.kind not in ("usage", "limit"):
                raise
            # The names are right, so there are too many.
            raise _Full(refused) from None
        if inputs.lines:
            bound = self._session.exec(f"import json as {_HIDDEN}\n" + "\n".join(inputs.lines))
            if bound.error is not None:
                raise _Full(bound.error)
        outcome = self._session.exec(code)
        if outcome.error is not None and outcome.error.stopped == "memory" and outcome.usage.fuel == 0:
            raise _Full(outcome.error)
        return outcome


def _inputs(variables: Mapping[str, Any]) -> _Inputs:
    inputs = _Inputs()
    for name, value in variables.items():
        if not name.isidentifier() or name == "json":
            raise CodeInterpreterError(f"'{name}' is no name for a variable, or one that dspy needs; rename it")
        inputs.names.append(name)
        value = _plain(value)
        text = value if isinstance(value, str) else json.dumps(value)
        if len(text) < _LONG:
            inputs.short[name] = value
            continue
        hidden = f"{_HIDDEN}{name}"
        inputs.hidden[hidden] = text
        # Each block sees a value of its own, whatever an earlier one did to it.
        inputs.lines.append(f"{name} = {hidden}" if isinstance(value, str) else f"{name} = {_HIDDEN}.loads({hidden})")
    return inputs


def _plain(value: Any) -> Any:
    """The value as JSON has it: dspy's sandboxes see lists for tuples and sets."""
    if isinstance(value, str):
        return whole(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item) for item in value), key=_brief)
    return _plain(to_jsonable_python(value))


def _brief(value: Any, levels: int = 3) -> str:
    """Returns the beginning of the repr of a value, by which the items of a set are ordered."""
    if isinstance(value, str):
        return repr(value[:_SHOWN])
    if isinstance(value, list):
        return f"[{len(value)}" + "".join(_brief(item, levels - 1) for item in value[: levels and _FIRST])
    if isinstance(value, dict):
        return "{" + f"{len(value)}"
    return repr(value)


def _key(key: Any) -> str:
    """A key as JSON has it."""
    if key is None or isinstance(key, bool):
        return json.dumps(key)
    return key if isinstance(key, str) else str(key)


def _said(value: Any) -> Any:
    """The value as dspy's sandboxes give it, which is JSON."""
    try:
        return _plain(value)
    except Exception:
        return str(value)


def _given(outcome: Outcome) -> Any:
    error = outcome.error
    if error is not None:
        if error.cause == "syntax":
            raise SyntaxError(told(error, error.traceback))
        text = told(error)
        if outcome.state != "intact":
            text += "\nVariables are as they were before this code."
        raise CodeExecutionError(text)
    if outcome.final is not None:
        return FinalOutput(outcome.final.answer)
    return outcome.value if outcome.repr is not None else outcome.stdout
