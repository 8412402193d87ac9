"""The interpreter of rlm-code, by its names, on a session of the profile ``rlm-code``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ._errors import SandboxError, is_over
from ._outcome import Call, Outcome, has_full_tables, without_prompts
from ._session import Session, Tool, ask, validate
from ._values import Opaque, whole
from ._worker import Worker

_Used = TypeVar("_Used")

#: Error of a block that finds its session lost.
_LOST = (
    "RuntimeError: the session was lost, and all variables of code with it, so this code did not run to its end; "
    "functions and the host's variables are there again in the next code"
)
#: Note to a model whose code left the interpreter no names and texts for more.
_DROPPED = (
    "all variables of code were dropped to make room; functions and the host's variables are there again in the next code"
)

#: Bytes of JSON of a value, and of those of all variables together.
_VALUE_BYTES = 64 << 20
_MODEL = ("llm_query", "llm_query_batched")
# The session has these; whoever registers them only says that they are there.
_OWN = ("FINAL", "FINAL_VAR", "SUBMIT", "SHOW_VARS")


@dataclass
class MontyCodeResult:
    """How a block of code ended.

    Attributes:
        output: What it printed.
        error: The exception, if it failed.
        variables: The repr of every variable by name.
        final_output: What ``FINAL`` or ``FINAL_VAR`` gave.
        submit_fields: What ``SUBMIT`` was given.
        type_errors: Always None: types are not checked.
        resource_usage: Fuel, milliseconds, bytes and calls.
        execution_snapshots: How often it paused for a function that is not Python's own.
    """

    output: str = ""
    error: str | None = None
    variables: dict[str, str] = field(default_factory=dict)
    final_output: dict[str, Any] | None = None
    submit_fields: dict[str, Any] | None = None
    type_errors: str | None = None
    resource_usage: dict[str, Any] = field(default_factory=dict)
    execution_snapshots: int = 0


@dataclass
class MontyExecutionStats:
    """Counts over the life of an interpreter."""

    total_executions: int = 0
    total_external_calls: int = 0
    total_time_secs: float = 0.0
    type_check_failures: int = 0
    syntax_errors: int = 0
    runtime_errors: int = 0


class MontyInterpreter:
    """Runs code of a model, block by block, in a sandbox.

    Args:
        timeout: Compute time of a block, in seconds, unless ``resource_limits`` say otherwise.
        max_output_chars: Characters of ``output``; what is over is cut.
        tools: Functions that code may call by their names.
        builtins: Values that code finds by name: functions become external, others variables.
        resource_limits: ``max_duration_secs``, ``max_memory`` and ``max_allocations``, and
            ``max_recursion_depth``.
        type_check: Accepted and without effect: type checking is not built in.
        worker: The process to run in. Default: the one that all sessions share.
    """

    def __init__(
        self,
        *,
        timeout: int = 30,
        max_output_chars: int = 50_000,
        tools: list[Callable[..., Any]] | None = None,
        builtins: Mapping[str, Any] | None = None,
        resource_limits: Mapping[str, Any] | None = None,
        type_check: bool = False,
        worker: Worker | None = None,
    ) -> None:
        # Answers may be as long as what a block may hold.
        self._limits: dict[str, Any] = {"value": _VALUE_BYTES, "tool-answer": _VALUE_BYTES, "model-answer": _VALUE_BYTES}
        given: dict[str, Any] = ({"max_duration_secs": float(timeout)} if timeout else {}) | dict(resource_limits or {})
        for name, value in given.items():
            # There is no collector whose interval could be set.
            if name not in _LIMITS and "_" in name and name != "gc_interval":
                raise SandboxError(f"resource_limits have no {name!r}; there are {', '.join(_LIMITS)} and gc_interval")
            if value is not None and name != "gc_interval":
                self._limits[_LIMITS.get(name, name)] = value
        self._max_output_chars = max_output_chars
        self._user_tools = list(tools or [])
        self._type_check = type_check
        self._worker = worker
        self._externals: dict[str, Callable[..., Any]] = {}
        #: The variables of the host, which every session of this interpreter gets.
        self._given: dict[str, Any] = {}
        self._session: Session | None = None
        self._was_lost = False
        # Prompts that all sessions of this object have asked together: each one counts from 0.
        self._prompts = 0
        for tool in self._user_tools:
            self._externals[tool.__name__] = tool
        for name, value in (builtins or {}).items():
            if callable(value):
                self._externals[name] = value
            else:
                self._given[name] = value

    def start(self) -> None:
        """Opens the session; the first block does so, too."""
        if self._session is not None:
            return
        session = Session(
            profile="rlm-code",
            limits=without_prompts(self._limits, self._prompts),
            tools=self._tools(),
            llm=self._model(),
            worker=self._worker,
        )
        session.set_variables(self._given)
        self._session = session

    def shutdown(self) -> None:
        """Ends the session; its variables are gone."""
        if self._session is not None:
            self._session.close()
            self._session = None
            self._given = {}

    def _empty(self) -> None:
        """Empties the session, which goes on counting what it asks a model, or opens another one where that is gone."""
        if self._session is not None:
            with suppress(SandboxError):
                self._session.reset()
                self._session.set_variables(self._given)
                return
        self._replace()

    def _replace(self) -> None:
        """Opens another session in the place of one that is of no use any more."""
        session, self._session = self._session, None
        if session is not None:
            with suppress(SandboxError):
                session.close()
        self.start()

    def _use(self, use: Callable[[Session], _Used]) -> _Used:
        """Does something with the session, or with another one if it is lost; the next block says so."""
        self.start()
        assert self._session is not None
        try:
            return use(self._session)
        except SandboxError as error:
            if not is_over(error):
                raise
        self._was_lost = True
        self._replace()
        return use(self._session)

    def register_external(self, name: str, handler: Callable[..., Any]) -> None:
        """Lets code call a function of the host's by ``name``."""
        if name in _OWN:
            return
        before = dict(self._externals)
        self._externals[name] = handler
        try:
            if self._session is not None:
                self._register(self._session)
        except SandboxError:
            self._externals = before
            raise

    def _register(self, session: Session) -> None:
        try:
            session.register(self._tools(), llm=self._model())
        except SandboxError as error:
            if error.kind in ("usage", "limit"):
                # A variable may have found no room; it is not tried again.
                session.register(self._tools(), llm=self._model())
                return
            # Of a state that cannot be written there is nothing to go on with.
            self._was_lost = True
            self._replace()

    def set_variable(self, name: str, value: Any) -> None:
        """Binds a variable."""
        if self._session is not None:
            self._use(lambda session: session.set_variables({name: value}))
        self._given[name] = value

    def get_variable(self, name: str) -> Any:
        """The value of a variable, or None if there is none. Raises as :meth:`Session.get` does."""
        if self._session is None:
            return self._given.get(name)
        return self._use(lambda session: session.get(name))

    @property
    def variables(self) -> dict[str, Any]:
        """All variables; the repr of what cannot leave the sandbox, or does not fit in 64 MiB of JSON. Raises as :meth:`Session.variables` does."""
        return self._bound(values=True)

    def _bound(self, *, values: bool) -> dict[str, Any]:
        if self._session is None:
            return dict(self._given)
        code = ("function", "module", "type")
        found = self._use(lambda session: session.variables(values=values, values_bytes=_VALUE_BYTES))
        return {variable.name: variable.value for variable in found if variable.type not in code}

    @property
    def namespace(self) -> dict[str, Any]:
        """The same as :attr:`variables`."""
        return self.variables

    @property
    def stats(self) -> MontyExecutionStats:
        """Counts over the life of the session."""
        if self._session is None:
            return MontyExecutionStats()
        return MontyExecutionStats(**self._use(lambda session: session.stats()))

    @property
    def tools(self) -> list[Callable[..., Any]]:
        """The functions that were given as ``tools``."""
        return list(self._user_tools)

    def execute(self, code: str, variables: Mapping[str, Any] | None = None) -> MontyCodeResult:
        """Runs a block of code, with ``variables`` bound before it."""
        self.start()
        assert self._session is not None
        if self._was_lost:
            self._was_lost = False
            return MontyCodeResult(error=_LOST)
        try:
            if variables:
                self._session.set_variables(variables)
                self._given |= variables
            outcome = self._session.run(whole(code), self._answer, report=True)
        except _Finished as finished:
            return finished.result
        except SandboxError as error:
            if is_over(error):
                self._empty()
                return MontyCodeResult(error=_LOST)
            # Earlier blocks may have as many variables as there can be, and there may be room later, or for shorter
            # answers.
            if error.kind not in ("usage", "limit", "host", "protocol"):
                raise
            return MontyCodeResult(error=f"RuntimeError: {error}")
        if has_full_tables(outcome, code):
            self._empty()
            return MontyCodeResult(error=f"{outcome.error}; {_DROPPED}")
        result = _result(outcome)
        result.output = outcome.stdout
        if len(result.output) > self._max_output_chars:
            result.output = result.output[: self._max_output_chars] + "... [truncated]"
        return result

    def validate_code(self, code: str) -> tuple[bool, str | None]:
        """Whether a block would begin to run, and if not, why."""
        validator = MontyCodeValidator(type_check=self._type_check, worker=self._worker)
        try:
            names = list(self._bound(values=False))
        except SandboxError:
            # Blocks can fill the memory that it takes to list variables. Code is valid without them, too.
            names = []
        return validator.validate(code, known_vars=dict.fromkeys(names), external_functions=list(self._externals))

    def checkpoint(self) -> dict[str, Any]:
        """The variables that have a JSON form and the statistics, as JSON. Raises if the session is lost."""
        self.start()
        assert self._session is not None
        try:
            return self._session.export()
        except SandboxError as error:
            if is_over(error):
                self._was_lost = True
                self._replace()
            raise

    def restore(self, state: Mapping[str, Any]) -> None:
        """Binds what :meth:`checkpoint` gave, here or in another process."""
        self._use(lambda session: session.import_(state))
        self._was_lost = False

    def _tools(self) -> dict[str, Tool]:
        return {name: Tool(function) for name, function in self._externals.items() if name not in _MODEL}

    def _model(self) -> Callable[[str], str] | None:
        # The session has to know that there is one; blocks ask through `_answer`.
        return _nobody if any(name in self._externals for name in _MODEL) else None

    def _answer(self, call: Call) -> Any:
        self._prompts += len(call.prompts or ())
        try:
            return self._answered(call)
        except Exception as error:
            for kind, name, field in _ENDS:
                if type(error).__name__ == kind and hasattr(error, name):
                    raise _Finished(MontyCodeResult(**{field: getattr(error, name)})) from None
            raise

    def _answered(self, call: Call) -> Any:
        if call.prompts is None:
            return self._externals[call.name](*call.args, **call.kwargs)
        one, many = (self._externals.get(name) for name in _MODEL)
        if call.batched and many is not None:
            return list(many(list(call.prompts)))
        if one is None:
            raise NameError(f"name '{call.name}' is not defined")
        answers = [ask(one, text, model) for text, model in zip(call.prompts, call.models, strict=True)]
        return answers if call.batched else answers[0]


#: The limits by the names that sessions have for them.
_LIMITS = {
    "max_duration_secs": "time",
    "max_memory": "memory",
    "max_allocations": "allocations",
    "max_recursion_depth": "recursion",
}

#: How functions of rlm-code end a run: an exception, what it has, and which field of the result that is.
_ENDS = (("FinalOutput", "output", "final_output"), ("SubmitOutput", "fields", "submit_fields"))


class _Finished(BaseException):
    """A function of the host's ended the run."""

    def __init__(self, result: MontyCodeResult) -> None:
        super().__init__()
        self.result = result


def _nobody(prompt: str) -> str:
    raise NameError("name 'llm_query' is not defined")


def _result(outcome: Outcome) -> MontyCodeResult:
    report = dict(outcome.report)
    for more in ("functions", "note", "variables_left_out"):
        report.pop(more, None)
    result = MontyCodeResult(**report)
    if outcome.final is not None and not isinstance(outcome.final.answer, Opaque):
        # As Python values, not as the nearest JSON.
        if outcome.final.by == "fields":
            result.submit_fields = dict(outcome.final.answer)
        elif result.final_output is not None and outcome.final.by != "undefined":
            result.final_output["answer"] = outcome.final.answer
    return result


class MontyCodeValidator:
    """Checks code before it runs, here or anywhere.

    Args:
        type_check: Accepted and without effect: type checking is not built in.
        worker: The process to check in.
    """

    def __init__(self, *, type_check: bool = False, worker: Worker | None = None) -> None:
        self._type_check = type_check
        self._worker = worker

    def validate(
        self,
        code: str,
        *,
        known_vars: Mapping[str, Any] | None = None,
        external_functions: list[str] | None = None,
    ) -> tuple[bool, str | None]:
        """Whether code would begin to run, and if not, why."""
        found = validate(
            whole(code),
            profile="rlm-code",
            known=list(known_vars or ()),
            functions=list(external_functions or ()),
            type_check=self._type_check,
            worker=self._worker,
        )
        return found.ok, found.message


def create_rlm_monty_interpreter(
    *,
    llm_query_fn: Callable[..., Any] | None = None,
    llm_query_batched_fn: Callable[..., Any] | None = None,
    tools: list[Callable[..., Any]] | None = None,
    timeout: int = 30,
    max_memory: int | None = None,
    max_allocations: int | None = None,
    type_check: bool = False,
) -> MontyInterpreter:
    """An interpreter with the functions of a recursive language model.

    Args:
        llm_query_fn: Answers ``llm_query(prompt, model=None)``.
        llm_query_batched_fn: Answers ``llm_query_batched(prompts)``. Default: ``llm_query_fn``, one by one.
        tools: Further functions.
        timeout: Compute time of a block, in seconds.
        max_memory: Bytes that a block may hold. Default: 1 GiB, for rlm-code's ``None``, which is no limit there.
        max_allocations: Allocations of a block. Default: any number.
        type_check: Accepted and without effect: type checking is not built in.
    """
    interpreter = MontyInterpreter(
        tools=tools,
        resource_limits={
            "max_duration_secs": float(timeout),
            "max_memory": max_memory,
            "max_allocations": max_allocations,
        },
        type_check=type_check,
    )
    if llm_query_fn is not None:
        interpreter.register_external("llm_query", llm_query_fn)
    if llm_query_batched_fn is not None:
        interpreter.register_external("llm_query_batched", llm_query_batched_fn)
    interpreter.start()
    return interpreter
