"""The environment for ``alexzhang13/rlm`` (``pip install rlms``)::

    from rlm import RLM
    from rlm_sandbox import rlms

    with rlms.installed():
        RLM(backend="openai", backend_kwargs={"model_name": "gpt-5"}).completion("…")

There is no registry of environments upstream, so :func:`installed` puts this one in the place of ``local``.
"""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import rlm.core.rlm
from rlm.core.comms_utils import LMRequest, send_lm_request, send_lm_request_batched
from rlm.core.types import REPLResult, RLMChatCompletion
from rlm.environments.base_env import NonIsolatedEnv, extract_tool_value, validate_custom_tools

from ._errors import SandboxError, is_over
from ._outcome import Call, Variable, has_full_tables, told, without_prompts
from ._session import Session, Tool
from ._values import Opaque, encode, whole, whole_value
from ._worker import Worker

__all__ = ["SandboxREPL", "installed"]

_Read = TypeVar("_Read")

#: Error of a block that finds its session lost.
_LOST = (
    "the session was lost, and all variables with it, so this code did not run to its end; contexts and functions are "
    "there again in the next code"
)
#: Note to a model whose code left the interpreter no names and texts for more.
_DROPPED = "all variables were dropped to make room; contexts and functions are there again in the next code"


#: Bytes of the variables in the result of a block.
_RESULT_BYTES = 1 << 20
#: Seconds after which `answer`, or the variables, are not read any more.
_SLOW = 5.0


class SandboxREPL(NonIsolatedEnv):  # type: ignore[misc]
    """What ``LocalREPL`` is, in a sandbox: its keywords, and ``limits`` and ``worker`` of :class:`Session`."""

    def __init__(
        self,
        lm_handler_address: tuple[str, int] | None = None,
        context_payload: dict[str, Any] | list[Any] | str | None = None,
        setup_code: str | None = None,
        persistent: bool = False,
        depth: int = 1,
        subcall_fn: Callable[[str, str | None], RLMChatCompletion] | None = None,
        custom_tools: dict[str, Any] | None = None,
        custom_sub_tools: dict[str, Any] | None = None,
        compaction: bool = False,
        max_concurrent_subcalls: int = 4,
        limits: Mapping[str, float | str] | None = None,
        worker: Worker | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            persistent=persistent, depth=depth, max_concurrent_subcalls=max_concurrent_subcalls, **kwargs
        )
        self.lm_handler_address = lm_handler_address
        self.subcall_fn = subcall_fn
        self.compaction = compaction
        self.custom_tools = custom_tools or {}
        self.custom_sub_tools = self.custom_tools if custom_sub_tools is None else custom_sub_tools
        self._is_open = True
        self._is_lost = False
        self._limits = limits
        self._worker = worker
        self._contexts: dict[int, Any] = {}
        self._histories: dict[int, list[dict[str, Any]]] = {}
        self._compaction_history: list[Any] = []
        self._pending_llm_calls: list[RLMChatCompletion] = []
        validate_custom_tools(self.custom_tools)
        self._setup_code: str | None = None
        # Prompts that all sessions of this object have asked together: each one counts from 0.
        self._prompts = 0
        self._is_answer_slow = self._is_listing_slow = False
        self.setup()
        if context_payload is not None:
            self.load_context(context_payload)
        if setup_code:
            self.execute_code(setup_code)
        self._setup_code = setup_code

    def setup(self) -> None:
        """Opens the session."""
        values = {name: extract_tool_value(entry) for name, entry in self.custom_tools.items()}
        self._tools = {name: value for name, value in values.items() if callable(value)}
        self._session = Session(
            profile="rlms",
            tools={name: Tool(tool) for name, tool in self._tools.items()},
            llm=_stand_in,
            rlm=_stand_in,
            limits=without_prompts(self._limits, self._prompts),
            worker=self._worker,
        )
        self._session.set_variables({name: value for name, value in values.items() if not callable(value)})

    def cleanup(self) -> None:
        """Ends the session."""
        self._is_open = False
        if hasattr(self, "_session"):
            self._session.close()

    def __enter__(self) -> SandboxREPL:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()

    def update_handler_address(self, address: tuple[str, int]) -> None:
        """Where the model of the next completion listens."""
        self.lm_handler_address = address

    def load_context(self, context_payload: dict[str, Any] | list[Any] | str) -> None:
        """Makes the payload ``context`` and ``context_0``."""
        self.add_context(context_payload, 0)

    def add_context(
        self, context_payload: dict[str, Any] | list[Any] | str, context_index: int | None = None
    ) -> int:
        """Makes the payload ``context_N`` and gives N: the next one, unless it is said."""
        index = self.get_context_count() if context_index is None else context_index
        # Scripts see them by their places, so there must be no gap.
        for place in range(self.get_context_count(), index):
            self._add(place, "")
        self._add(index, context_payload)
        return index

    def _add(self, index: int, payload: dict[str, Any] | list[Any] | str) -> None:
        self._contexts[index] = payload
        if self._is_lost:
            # The next session gets all of them.
            return
        try:
            self._give(index)
        except SandboxError as error:
            self._is_lost = self._is_open and is_over(error)
            if not self._is_lost:
                raise

    def _give(self, index: int) -> None:
        # Places follow the order of the names.
        self._session.add_context(f"context_{index:04}", self._contexts[index], field=None if index else "context")

    def _renew(self) -> None:
        """Opens another session in the place of one that is lost."""
        self._is_lost = True
        with suppress(SandboxError):
            self._session.close()
        self.setup()
        for index in sorted(self._contexts):
            self._give(index)
        self._is_lost = self._is_answer_slow = self._is_listing_slow = False
        if self._setup_code:
            # What it runs into is there in the errors of the blocks that need it.
            with suppress(SandboxError):
                self._session.run(whole(self._setup_code), self._counted)

    def get_context_count(self) -> int:
        """One more than the largest N of ``context_N``."""
        return max(self._contexts, default=-1) + 1

    def add_history(self, message_history: list[dict[str, Any]], history_index: int | None = None) -> int:
        """Makes a copy of the messages ``history_N`` and gives N; the first is ``history``, too."""
        index = self.get_history_count() if history_index is None else history_index
        self._histories[index] = copy.deepcopy(message_history)
        return index

    def get_history_count(self) -> int:
        """One more than the largest N of ``history_N``."""
        return max(self._histories, default=-1) + 1

    def append_compaction_entry(self, entry: list[dict[str, Any]] | dict[str, Any]) -> None:
        """Adds to ``history`` what was taken out of the conversation."""
        if self.compaction:
            self._compaction_history.append(copy.deepcopy(entry))

    def execute_code(self, code: str) -> REPLResult:
        """Runs a block of code."""
        start = time.perf_counter()
        self._pending_llm_calls = []
        try:
            if self._is_lost:
                return self._failed(self._lost(), start)
            if "history" in code:
                self._session.set_variables(whole_value(self._conversations()))
            outcome = self._session.run(whole(code), self._counted)
        except SandboxError as error:
            if not self._is_open:
                raise
            if is_over(error):
                return self._failed(self._lost(), start)
            # Code may have as many variables as there can be or be too long, as may be conversations, and the machine
            # may have room later.
            _check_passes(error)
            return self._failed(str(error), start)
        if has_full_tables(outcome, code):
            self._renew()
            return self._failed(f"{outcome.error}; {_DROPPED}", start)
        final = outcome.final
        return REPLResult(
            stdout=outcome.stdout,
            stderr=outcome.stderr if outcome.error is None else f"{outcome.stderr}\n{told(outcome.error)}",
            locals=self._locals(_RESULT_BYTES),
            execution_time=time.perf_counter() - start,
            rlm_calls=list(self._pending_llm_calls),
            final_answer=None if final is None else str(final.answer),
        )

    def _lost(self) -> str:
        """Returns the error of a block that finds its session lost; the next one has another session."""
        self._renew()
        return _LOST

    def _failed(self, message: str, start: float) -> REPLResult:
        return REPLResult(
            stdout="",
            stderr=f"\nRuntimeError: {message}",
            locals=self._locals(_RESULT_BYTES),
            execution_time=time.perf_counter() - start,
            rlm_calls=list(self._pending_llm_calls),
        )

    def _conversations(self) -> dict[str, Any]:
        named = {f"history_{index}": messages for index, messages in self._histories.items()}
        if self.compaction:
            named["history"] = self._compaction_history
        elif 0 in self._histories:
            named["history"] = self._histories[0]
        return named

    @property
    def locals(self) -> dict[str, Any]:
        """The variables, and what there is besides; the repr of what cannot leave the sandbox."""
        return self._locals(None)

    @property
    def globals(self) -> dict[str, Any]:
        """Empty: functions of the host stay on this side of the wall."""
        return {}

    def _locals(self, most: int | None) -> dict[str, Any]:
        """The variables, and what there is besides.

        Args:
            most: Bytes of memory that values of variables may have together; others are their repr. A run keeps the
                results of all blocks.
        """
        if not self._is_open:
            return {}
        answer: Any = {"content": "", "ready": False}
        if not self._is_answer_slow:
            since = time.perf_counter()
            answer = self._read(lambda session: session.get("answer"), None) or answer
            # What it holds runs code of the script's when it is shown, and each block asks for it.
            self._is_answer_slow = time.perf_counter() - since > _SLOW
        answer, most = _fit(answer, most, _without_content(answer))
        named: dict[str, Any] = {"answer": answer}
        named |= {f"context_{index}": payload for index, payload in self._contexts.items()}
        if 0 in self._contexts:
            named["context"] = self._contexts[0]
        named |= self._conversations()
        found: list[Variable] = []
        if not self._is_listing_slow:
            since = time.perf_counter()
            found = self._read(lambda session: session.variables(values=True, values_bytes=most), [])
            # A set whose items have one hash takes long to be shown, and each block shows it again.
            self._is_listing_slow = time.perf_counter() - since > _SLOW
        for one in found:
            if one.name.startswith("_"):
                continue
            named[one.name], most = _fit(one.value, most, Opaque(one.repr))
        return named

    def _read(self, read: Callable[[Session], _Read], otherwise: _Read) -> _Read:
        """Reads something of the session; gives ``otherwise`` where code has made that reach a limit or lost it."""
        try:
            return read(self._session)
        except SandboxError as error:
            if is_over(error):
                self._is_lost = True
            else:
                _check_passes(error)
            return otherwise

    def _counted(self, call: Call) -> Any:
        self._prompts += len(call.prompts or ())
        return self._answer(call)

    def _answer(self, call: Call) -> Any:
        if call.prompts is None:
            given = self._tools[call.name](*call.args, **call.kwargs)
            try:
                encode(given)
            except (TypeError, RecursionError):
                # Objects stay on this side of the wall.
                return str(given)
            return given
        model = call.models[0] if call.models else None
        if call.recursive and self.subcall_fn is not None:
            answers = self._recurse(list(call.prompts), model)
        else:
            answers = self._ask(list(call.prompts), model, call.batched)
        return answers if call.batched else answers[0]

    def _ask(self, prompts: list[str], model: str | None, batched: bool) -> list[str]:
        if not self.lm_handler_address:
            return ["Error: No LM handler configured"] * len(prompts)
        try:
            if batched:
                responses = send_lm_request_batched(
                    self.lm_handler_address, prompts, model=model, depth=self.depth
                )
            else:
                request = LMRequest(prompt=prompts[0], model=model, depth=self.depth)
                responses = [send_lm_request(self.lm_handler_address, request)]
        except Exception as error:
            return [f"Error: LM query failed - {error}"] * len(prompts)
        answers = []
        for response in responses:
            if response.success:
                self._pending_llm_calls.append(response.chat_completion)
                answers.append(whole(response.chat_completion.response))
            else:
                answers.append(f"Error: {response.error}")
        return answers

    def _recurse(self, prompts: list[str], model: str | None) -> list[str]:
        assert self.subcall_fn is not None
        subcall = self.subcall_fn

        def one(prompt: str) -> RLMChatCompletion | Exception:
            try:
                return subcall(prompt, model)
            except Exception as error:
                return error

        if len(prompts) <= 1:
            completions = [one(prompt) for prompt in prompts]
        else:
            with ThreadPoolExecutor(min(self.max_concurrent_subcalls, len(prompts))) as threads:
                completions = list(threads.map(one, prompts))
        answers: list[str] = []
        for completion in completions:
            if isinstance(completion, Exception):
                answers.append(f"Error: RLM query failed - {completion}")
            else:
                self._pending_llm_calls.append(completion)
                answers.append(whole(completion.response))
        return answers


def _check_passes(error: SandboxError) -> None:
    """Raises an error again that later blocks would meet as well; what code of a model did is no reason to end a
    completion, nor is a machine without room, or an answer that cannot be read."""
    if error.kind not in ("usage", "limit", "host", "protocol"):
        raise error


def _stand_in(prompt: str) -> str:
    raise RuntimeError("prompts are answered by the environment")


@contextmanager
def installed() -> Iterator[None]:
    """Puts :class:`SandboxREPL` in the place of the environment ``local``, also in recursive calls."""
    original = rlm.core.rlm.get_environment

    def get_environment(environment: str, environment_kwargs: dict[str, Any]) -> Any:
        if environment == "local":
            return SandboxREPL(**environment_kwargs)
        return original(environment, environment_kwargs)

    rlm.core.rlm.get_environment = get_environment
    try:
        yield
    finally:
        rlm.core.rlm.get_environment = original


def _fit(value: Any, left: int | None, otherwise: Any) -> tuple[Any, int | None]:
    """Returns the value and the bytes of memory that are left after it, or `otherwise` if it takes more than are left."""
    if left is None:
        return value, None
    after = left - _memory(value, left)
    return (value, after) if after >= 0 else (otherwise, left)


def _without_content(answer: Any) -> Any:
    """Returns what stands for an ``answer`` that takes too much memory."""
    if not isinstance(answer, dict):
        return Opaque(f"<{type(answer).__name__} that does not fit>")
    content = answer.get("content")
    return {
        "content": Opaque(f"<{type(content).__name__} that does not fit>"),
        "ready": answer.get("ready") is True,
    }


def _memory(value: Any, most: int) -> int:
    """The bytes of memory that a value takes; more than ``most`` if it takes more."""
    taken, todo = 0, [value]
    while todo and taken <= most:
        one = todo.pop()
        taken += sys.getsizeof(one)
        if isinstance(one, Mapping):
            todo += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset)):
            todo += one
    return taken
