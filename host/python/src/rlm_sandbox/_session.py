"""Sessions."""

from __future__ import annotations

import asyncio
import base64
import contextvars
import inspect
import json
import logging
import math
import os
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from . import _worker
from ._errors import SandboxError, WorkerGone
from ._outcome import Call, Outcome, Variable, Waiting, arguments_of, call_of, outcome_of, step_of, value_of
from ._values import Decoder, Opaque, decoded, encode, whole, whole_value
from ._worker import Worker

_Json = dict[str, Any]

#: Exceptions of tools and models that scripts get, with their tracebacks, at the level INFO.
_log = logging.getLogger("rlm_sandbox")

#: The sessions that wait for what runs here.
_running: contextvars.ContextVar[frozenset[Session]] = contextvars.ContextVar("_running", default=frozenset())


@dataclass(frozen=True)
class Completion:
    """What a model said, for handlers that know what it cost."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class Model(Protocol):
    """Answers a prompt; it may have a second parameter ``model``, the one that the script asked for."""

    def __call__(self, prompt: str, /) -> str | Completion | Awaitable[str | Completion]: ...


@dataclass(frozen=True)
class Tool:
    """A host function, where its name or signature is not what Python should see.

    Attributes:
        function: What answers.
        name: By what Python calls it. Default: the function's.
        parameters: Their names, in order; empty for anything. Default: the function's.
        doc: What it is for. Default: the first line of the function's docstring.
        awaitable: Whether every call gives an awaitable; else only where the script awaits it.
    """

    function: Callable[..., Any]
    name: str | None = None
    parameters: Sequence[str] | None = None
    doc: str | None = None
    awaitable: bool = False

    def spec(self) -> _Json:
        """What the worker is told."""
        doc = self.doc if self.doc is not None else (inspect.getdoc(self.function) or "").split("\n")[0]
        return {
            "name": self.name or getattr(self.function, "__name__", "<lambda>"),
            "parameters": list(_parameters(self.function) if self.parameters is None else self.parameters),
            "doc": doc,
            "signature": _signature(self.function) if self.parameters is None else "",
            "awaitable": self.awaitable,
        }


class _Shown:
    """Is shown as this text in a signature."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


#: Characters of a signature; a longer one is not shown.
_SIGNATURE = 500
#: Seconds that a call may take where no ``call-wait`` is given.
_CALL_WAIT = 300.0


def _signature(function: Callable[..., Any]) -> str:
    """How calls look in instructions: with types, defaults and parameters that are given by name alone."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    plain = (type(None), bool, int, float, str)

    def annotation(of: Any) -> Any:
        return _Shown(of) if isinstance(of, str) else of

    def shown(parameter: inspect.Parameter) -> inspect.Parameter:
        has_default = parameter.default is not parameter.empty
        dotted = has_default and not isinstance(parameter.default, plain)
        default = _Shown("...") if dotted else parameter.default
        return parameter.replace(default=default, annotation=annotation(parameter.annotation))

    parameters = [shown(parameter) for parameter in signature.parameters.values()]
    returned = annotation(signature.return_annotation)
    text = str(signature.replace(parameters=parameters, return_annotation=returned))
    return text if len(text.encode()) <= _SIGNATURE and text.isprintable() else ""


def _parameters(function: Callable[..., Any]) -> list[str]:
    """Names that may be given by position and by name; none where there is more to it than that."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    if any(parameter.kind is not parameter.POSITIONAL_OR_KEYWORD for parameter in parameters):
        return []
    return [parameter.name for parameter in parameters]


Tools = Mapping[str, "Callable[..., Any] | Tool"] | Iterable["Callable[..., Any] | Tool"]
#: Files of WebAssembly plugins, by name or in a list.
Plugins = Mapping[str, "str | os.PathLike[str]"] | Iterable["str | os.PathLike[str]"] | str | os.PathLike[str]


def _plugins(plugins: Plugins) -> list[str]:
    if isinstance(plugins, (str, os.PathLike)):
        plugins = [plugins]
    if isinstance(plugins, Mapping):
        return [f"{name}={os.path.abspath(path)}" for name, path in plugins.items()]
    return [f"={os.path.abspath(path)}" for path in plugins]


def _tools(tools: Tools) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    if not isinstance(tools, Iterable):
        raise SandboxError(f"tools is {tools!r}; give functions, in a list or by name")
    pairs = tools.items() if isinstance(tools, Mapping) else ((None, tool) for tool in tools)
    for name, one in pairs:
        tool = one if isinstance(one, Tool) else Tool(one)
        if not callable(tool.function):
            raise SandboxError(f"the tool {name or one!r} is no function; give functions, in a list or by name")
        tool = Tool(tool.function, name or tool.name, tool.parameters, tool.doc, tool.awaitable)
        name = tool.spec()["name"]
        if name in named or name == "<lambda>":
            raise SandboxError(f"a tool is named `{name}`, or two are; give a dictionary of tools by name")
        named[name] = tool
    return named


def context_spec(name: str, content: Any, field: str | None = None) -> _Json:
    """What the worker is told of a context: text, bytes, a path, or anything that has JSON."""
    spec: _Json = {"name": name, "field": field}
    if isinstance(content, str):
        spec["text"] = content
    elif isinstance(content, (bytes, bytearray)):
        spec["base64"] = base64.b64encode(content).decode()
    elif isinstance(content, os.PathLike):
        spec["path"] = os.path.abspath(os.fspath(content))
    else:
        try:
            spec["text"], spec["json"] = json.dumps(content, ensure_ascii=False), True
        except (TypeError, ValueError) as error:
            reason = "an integer in it has too many digits" if "integer string" in str(error) else error
            message = f"context `{name}` is neither text nor bytes nor a path, and has no JSON: {reason}"
            raise TypeError(message) from error
    return spec


@dataclass
class _Handlers:
    """What this side does for a session."""

    tools: dict[str, Tool] = field(default_factory=dict)
    llm: Model | None = None
    rlm: Model | None = None
    depth: int = 0
    concurrent_prompts: int = 8
    on_output: Callable[[str, str], None] | None = None
    plugins: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, model in (("llm", self.llm), ("rlm", self.rlm)):
            if model is not None and not callable(model):
                raise SandboxError(f"{name} is {model!r}; give a function that takes a prompt and returns a text")

    def spec(self) -> _Json:
        return {
            "plugins": self.plugins,
            "tools": [tool.spec() | {"name": name} for name, tool in self.tools.items()],
            "model": self.llm is not None,
            "depth": self.depth if self.rlm is not None else 0,
            "concurrent_prompts": self.concurrent_prompts,
            "stream": self.on_output is not None,
        }

    def shape(self) -> dict[str, Any]:
        """What a script can tell of them: two that have it in common can answer for each other."""
        spec = self.spec()
        tools = [(tool["name"], tool["parameters"], tool["awaitable"]) for tool in spec["tools"]]
        return {"tools": tools, **{name: spec[name] for name in ("plugins", "model", "depth")}}


class Session:
    """A Python namespace in a sandbox, which lives from exec to exec.

    Args:
        profile: What Python sees: the name of a profile, the path of a TOML file, or a dictionary with its fields.
        tools: Functions that Python may call: a dictionary by name, or a list. They run on the thread that runs
            the exec, one at a time; with a deadline (``limits={"deadline": …}``, and the profiles that have one) or a
            ``call-wait`` below five minutes on another thread, so that the script goes on or ends in time. A function
            that runs is not interrupted: :meth:`cancel` takes effect when it returns, and past that time it goes on,
            without effect on the script. What it raises is raised in the script, without its traceback, which the logger
            ``rlm_sandbox`` has at the level INFO. An answer above 100 KiB reaches the script as a dictionary with the keys
            ``error`` (``response_too_large``) and ``message``.
        plugins: WebAssembly plugins whose functions Python may call: a file, a list of files, or a dictionary of
            files by name. A file is the component or its manifest, which says what it may do. In a loop of your own
            their calls are among those that wait; :meth:`finish` has them carried out.
        llm: Answers ``llm_query``; prompts come on threads, as many as ``concurrent_prompts``. What it
            raises is a ``RuntimeError`` in the script.
        rlm: Answers ``rlm_query``, one level deeper. Default: ``llm`` does.
        depth: How many levels ``rlm`` may go down.
        contexts: Inputs by name: text, bytes, a path, or anything that has JSON. They stay with the host until a
            script mentions ``context`` or ``files``. A single one is ``context``.
        variables: Variables to begin with.
        histories: Conversations, as ``history``, ``history_1`` …
        limits: Limits of an exec by the names of the command line, as ``{"time": 5, "memory": "64MiB"}``.
        outputs: The fields that ``SUBMIT`` takes, with their types: ``str``, ``int``, ``float``, ``bool``, ``list``,
            ``dict``, ``NoneType``, or the names of these. A name of anything else takes any value.
        seed: Seed of everything random. Default: drawn.
        start: Time at which the session's clock starts, in seconds since 1970. Default: now, and before each execution it goes
            on to the real time, in whole seconds. One that is set goes on with fuel and with sleeps alone.
        id: The id that tools and journals know it by. Default: drawn.
        allow_eval: Whether ``eval`` and ``exec`` exist.
        record: Records everything that crosses the wall to this new file, for :func:`replay`.
        cassette: Answers calls from this journal, or records it if there is none.
        cassette_mode: ``once`` records if there is no such file, ``none`` never, ``all`` always anew. ``new`` records
            what comes after the end, in a session that did exactly what is recorded up to there.
        concurrent_prompts: Prompts that are asked at the same time; 1 for all on this thread.
        on_output: Is given ``stdout`` or ``stderr`` and text as it is printed.
        worker: The process to run in. Default: the one that all sessions share.

    Raises:
        SandboxError: If the session cannot be made, with what to do about it.
    """

    def __init__(
        self,
        *,
        profile: str | os.PathLike[str] | Mapping[str, Any] = "rlm",
        tools: Tools = (),
        plugins: Plugins = (),
        llm: Model | None = None,
        rlm: Model | None = None,
        depth: int = 1,
        contexts: Mapping[str, Any] | None = None,
        variables: Mapping[str, Any] | None = None,
        histories: Sequence[Any] = (),
        limits: Mapping[str, float | str] | None = None,
        outputs: Mapping[str, str | type] | Sequence[str] | None = None,
        seed: int | None = None,
        start: float | None = None,
        id: str | None = None,
        allow_eval: bool = False,
        record: str | os.PathLike[str] | None = None,
        cassette: str | os.PathLike[str] | None = None,
        cassette_mode: str = "once",
        concurrent_prompts: int = 8,
        on_output: Callable[[str, str], None] | None = None,
        worker: Worker | None = None,
    ) -> None:
        handlers = _Handlers(
            _tools(tools), llm, rlm, depth, concurrent_prompts, on_output, _plugins(plugins)
        )
        params: _Json = {
            "profile": _fields_of(profile),
            "handlers": handlers.spec(),
            "values": _values(variables, contexts),
            "histories": list(histories),
            "limits": dict(limits or {}),
            "outputs": _outputs(outputs),
            "seed": seed,
            "start": start,
            "id": id,
            "allow_eval": allow_eval,
            "record": None if record is None else os.path.abspath(record),
        }
        if cassette_mode not in ("once", "none", "new", "all"):
            raise SandboxError(f"cassette_mode is {cassette_mode!r}; it is 'once', 'none', 'new' or 'all'")
        if cassette is not None:
            params["cassette"] = {"path": os.path.abspath(cassette), "record": cassette_mode}
        worker = worker or _worker.shared()
        opened = worker.request("open", params)
        self._begin(worker, handlers, opened)
        unseen = [
            name
            for name, is_given, is_seen in (
                ("contexts", bool(contexts), opened["reads_contexts"]),
                ("llm", llm is not None, opened["asks_models"]),
            )
            if is_given and not is_seen
        ]
        if unseen:
            text = f"scripts of this profile have no name for what {' and '.join(unseen)} give; take another profile"
            warnings.warn(text, stacklevel=2)

    def _begin(self, worker: Worker, handlers: _Handlers, opened: _Json) -> None:
        self._worker = worker
        self._handlers = handlers
        self._name: str = opened["session"]
        self._call_wait: float = opened["call_wait"]
        #: Whether a tool may be given up while it runs.
        self._gives_up = opened.get("deadline") is not None or self._call_wait < _CALL_WAIT
        self._lock = threading.RLock()
        self._is_open = True
        #: A new object for each cancel.
        self._last_cancel = object()
        #: The id that tools and journals know it by.
        self.id: str = opened["id"]
        #: The seed of everything random, whether it was set or drawn.
        self.seed: int = opened["seed"]

    @classmethod
    def _taken_up(cls, worker: Worker, handlers: _Handlers, opened: _Json) -> Session:
        session = cls.__new__(cls)
        session._begin(worker, handlers, opened)
        return session

    @classmethod
    def restore(
        cls,
        parked: bytes,
        *,
        tools: Tools = (),
        plugins: Plugins = (),
        llm: Model | None = None,
        rlm: Model | None = None,
        depth: int = 1,
        contexts: Mapping[str, Any] | None = None,
        histories: Sequence[Any] = (),
        limits: Mapping[str, float | str] | None = None,
        concurrent_prompts: int = 8,
        on_output: Callable[[str, str], None] | None = None,
        worker: Worker | None = None,
    ) -> Session:
        """Takes up a session that was parked, here or in another process.

        Handlers and histories do not travel: give those that it had. Contexts travel unless they are large (see
        :meth:`park`); those that are given replace all of them, so a log may have grown. Profile, seed and clock are its
        own, and so are the limits but for those in ``limits``.

        Raises:
            SandboxError: If the bytes are foreign or damaged, or do not hold a context, and the same one is not given.
        """
        place = {
            "parked": base64.b64encode(parked).decode(),
            "histories": list(histories),
            "limits": dict(limits or {}),
        }
        handlers = _Handlers(
            _tools(tools), llm, rlm, depth, concurrent_prompts, on_output, _plugins(plugins)
        )
        return cls._restored(place, handlers, contexts, worker)

    @classmethod
    def from_journal(
        cls,
        path: str | os.PathLike[str],
        *,
        exec: int | None = None,
        call: int | None = None,
        record: bool = False,
        tools: Tools = (),
        plugins: Plugins = (),
        llm: Model | None = None,
        rlm: Model | None = None,
        depth: int = 1,
        contexts: Mapping[str, Any] | None = None,
        limits: Mapping[str, float | str] | None = None,
        worker: Worker | None = None,
    ) -> Session:
        """Takes up a recorded session where it was once: before exec number ``exec`` (from 0), waiting for the call
        with the ticket ``call``, or at its end; with ``record`` it goes on recording there. ``limits`` can lower those of
        the journal.

        Raises:
            SandboxError: If the journal cannot be repeated here.
        """
        place: _Json = {
            "journal": {"path": os.path.abspath(path), "exec": exec, "call": call},
            "record": record,
            "limits": dict(limits or {}),
        }
        handlers = _Handlers(_tools(tools), llm, rlm, depth, plugins=_plugins(plugins))
        return cls._restored(place, handlers, contexts, worker)

    @classmethod
    def _restored(
        cls,
        place: _Json,
        handlers: _Handlers,
        contexts: Mapping[str, Any] | None,
        worker: Worker | None,
    ) -> Session:
        params = place | {"handlers": handlers.spec(), "values": _values(None, contexts)}
        worker = worker or _worker.shared()
        return cls._taken_up(worker, handlers, worker.request("restore", params))

    def __copy__(self) -> Session:
        raise TypeError("a session cannot be copied; fork() makes another one like it")

    def __deepcopy__(self, memo: object) -> Session:
        return self.__copy__()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_is_open", False):
            # A lock may be held by whoever collects garbage.
            self._is_open = False
            # At the end of the program modules are gone already, and the worker ends with it.
            if not sys.is_finalizing() and self._worker.is_alive:
                self._worker.notify("close", {"session": self._name})

    def close(self) -> None:
        """Ends the session; what runs in it is canceled."""
        if self._is_open:
            self._is_open = False
            if self._worker.is_alive:
                if self._worker.serves(self._name):
                    self.cancel()
                self._worker.request("close", {"session": self._name})

    def exec(self, code: str, *, timeout: float | None = None, report: bool = False) -> Outcome:
        """Runs a script to its end and says how it ended.

        A script that raises or reaches a limit is an outcome, not an exception. Interrupting this cancels the
        script.

        Args:
            code: The script.
            timeout: Compute time of this script, in seconds. Default: the session's limit.
            report: Whether the outcome is wanted in the format of the profile, too.

        Raises:
            SandboxError: If the sandbox itself fails.
        """
        params = _script(code, timeout, report)
        return outcome_of(self._run("exec", params)["outcome"])

    def finish(self) -> Outcome:
        """Goes on with a script that waits, to its end, as :meth:`exec` would."""
        return outcome_of(self._run("finish", {})["outcome"])

    def step(self, code: str, *, timeout: float | None = None, report: bool = False) -> Outcome | Waiting:
        """Runs a script until it ends or waits for a tool or the model; no handler is called."""
        params = _script(code, timeout, report)
        return step_of(self._run("step", params))

    def resume(self, answers: Mapping[int, Any], *, report: bool = False) -> Outcome | Waiting:
        """Goes on with a script that waits.

        Args:
            answers: By ticket: a value, or an exception to raise in the script.
            report: As in :meth:`exec`.
        """
        return step_of(self._run("resume", {"answers": given(answers), "report": report}))

    def run(
        self,
        code: str,
        answer: Callable[[Call], Any],
        *,
        timeout: float | None = None,
        report: bool = False,
    ) -> Outcome:
        """Runs a script to its end with one function that answers every call, on this thread.

        An exception of ``answer`` is raised in the script, and an answer that cannot be sent is a ``RuntimeError``
        there. Where it is interrupted the script is canceled.

        Raises:
            SandboxError: If the sandbox itself fails, or the script is canceled while calls are answered. No further
                call is answered then.
        """
        last_cancel = self._last_cancel
        step = self.step(code, timeout=timeout, report=report)
        try:
            while isinstance(step, Waiting):
                answers: dict[int, Any] = {}
                for call in step.calls:
                    self._check_not_canceled(last_cancel)
                    try:
                        answers[call.ticket] = answer(call)
                        encode(_said(answers[call.ticket]))
                    except Exception as error:
                        _log.info("the answer to a call raised an exception", exc_info=True)
                        answers[call.ticket] = error
                self._check_not_canceled(last_cancel)
                step = self._resumed(answers, report)
        except BaseException:
            self.cancel()
            raise
        return step

    def _resumed(self, answers: Mapping[int, Any], report: bool) -> Outcome | Waiting:
        """Goes on with a script that waits; an answer that cannot be sent is an exception in the script."""
        try:
            return self.resume(answers, report=report)
        except WorkerGone:
            raise
        except (SandboxError, ValueError, RecursionError) as error:
            # Nothing has happened: the message is too long, has too many values, nests too deeply, or is no text.
            refusal = RuntimeError(_text(error))
        if len(answers) == 1:
            return self.resume(dict.fromkeys(answers, refusal), report=report)
        step: Outcome | Waiting | None = None
        for ticket, answer in answers.items():
            if isinstance(step, Waiting) and all(call.ticket != ticket for call in step.calls):
                continue
            step = self._resumed({ticket: answer}, report)
            if isinstance(step, Outcome):
                return step
        assert step is not None
        return step

    def set(self, **variables: Any) -> None:
        """Binds variables, from the next exec on, as in ``session.set(rows=[1, 2])``."""
        self.set_variables(variables)

    def set_variables(self, variables: Mapping[str, Any]) -> None:
        """Binds variables by any name, from the next exec on."""
        self._request("set", {"values": _values(variables, None)})

    def add_context(self, name: str, content: Any, *, field: str | None = None) -> None:
        """Adds a context, or replaces the one of this name, from the next exec on."""
        self._request("set", {"values": {"contexts": [context_spec(name, content, field)]}})

    def remove_context(self, name: str) -> None:
        """Takes a context away, from the next exec on."""
        self._request("set", {"values": {"without": [name]}})

    def set_history(self, number: int, messages: Any) -> None:
        """Replaces the conversation of this number, or adds one; the first comes with ``histories``."""
        self._request("set", {"histories": {str(number): messages}})

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name; ``default`` if there is no such name, and :class:`Opaque` if it cannot leave the sandbox.

        Raises:
            SandboxError: If reading it reaches a limit, as where its ``__repr__`` never ends or memory is full.
        """
        value = self._request("get", {"name": name})["value"]
        return default if value is None else value_of(value)

    def variables(
        self, *, values: bool = False, values_bytes: int | None = None, repr_bytes: int = 200
    ) -> list[Variable]:
        """The names that scripts made, sorted, but for those that begin with an underscore.

        Args:
            values: Whether values are wanted, not only types and reprs.
            values_bytes: Bytes of JSON that values have together; one for which there is no room is its repr. Default:
                as many as there are.
            repr_bytes: Bytes of each repr.

        Raises:
            SandboxError: If reading them reaches a limit, as where memory is full.
        """
        found = self._request(
            "variables", {"json": values, "values_bytes": values_bytes, "repr_bytes": repr_bytes}
        )["variables"]
        decoder = Decoder()
        return [
            Variable(
                one["name"],
                one["type"],
                one["repr"],
                one["size"],
                decoded(one["value"], one["repr"], decoder) if one["value"] is not None else _none(one, values),
            )
            for one in found
        ]

    def waiting(self) -> bool:
        """Whether a script waits for answers."""
        return bool(self.waiting_calls())

    def waiting_calls(self) -> list[Call]:
        """What the script that waits has asked for; empty if none does."""
        return [call_of(call) for call in self._request("waiting", {})["waiting"]]

    def park(self, *, contexts: bool = True) -> bytes:
        """Writes the session down, idle or waiting, so that it can go on in another process.

        The bytes are sealed with a key of this user; ``rlm-sandbox exec --session`` reads them from a file, too.

        Args:
            contexts: Whether the bytes hold the contexts, if these have at most 64 MiB and all of it packs into 8 MiB.
                :meth:`restore` needs each context that they do not hold, as it was.
        """
        return self._parked(contexts=contexts, snapshot=False)

    def snapshot(self, *, contexts: bool = True) -> bytes:
        """Takes a snapshot of the session, idle or waiting: the pages of its memory, sealed as :meth:`park` seals.

        A session that is restored from it goes on exactly as this one, to identities, the order of sets and fuel, and taking it is no
        event of a recording. It is for the same version on the same system. A worker with ``isolate="process"`` restores none, and
        gives what :meth:`park` does. A session that ``RLM_SANDBOX_RECORD`` records begins with what :meth:`park` would write, and
        goes on with the same values and other fuel.

        The pages hold what the interpreter has freed, too: values that were deleted, and texts that were read from contexts. The
        bytes are sealed, and not encrypted.

        Args:
            contexts: Whether the bytes hold the contexts; see :meth:`park`.
        """
        return self._parked(contexts=contexts, snapshot=True)

    def _parked(self, *, contexts: bool, snapshot: bool) -> bytes:
        params = {"contexts": contexts, "snapshot": snapshot}
        return base64.b64decode(self._request("park", params)["parked"])

    def fork(self) -> Session:
        """A second session that goes on from here, on its own. A script that waits, waits in both."""
        return self._taken_up(self._worker, self._handlers, self._request("fork", {}))

    def register(
        self,
        tools: Tools = (),
        *,
        llm: Model | None = None,
        outputs: Mapping[str, str | type] | Sequence[str] | None = None,
    ) -> None:
        """Adds tools, another model, or other outputs to a session that is open."""
        added = _Handlers(
            self._handlers.tools | _tools(tools),
            llm or self._handlers.llm,
            self._handlers.rlm,
            self._handlers.depth,
            self._handlers.concurrent_prompts,
            self._handlers.on_output,
            self._handlers.plugins,
        )
        self._request("register", {"handlers": added.spec(), "outputs": _outputs(outputs)})
        self._handlers = added

    def export(self) -> dict[str, Any]:
        """The variables that have a JSON form, what was ``skipped``, and statistics, as JSON.

        Names that begin with an underscore are left out.
        """
        exported: dict[str, Any] = self._request("export", {})
        return exported

    def import_(self, portable: Mapping[str, Any]) -> None:
        """Binds what :meth:`export` gave, and goes on counting where it stopped."""
        self._request("import", {"portable": dict(portable)})

    def stats(self) -> dict[str, Any]:
        """Counts over the life of the session."""
        stats: dict[str, Any] = self._request("stats", {})
        return stats

    def tools(self, shape: str = "openai") -> list[dict[str, Any]]:
        """Lists the tools that a model may call in this session: ``exec_python``, and ``exec_wasm`` if it has plugins.

        Args:
            shape: The API that wants them: ``openai``, ``anthropic`` or ``mcp``.
        """
        listed: list[dict[str, Any]] = self._request("tools", {"shape": shape})["tools"]
        return listed

    def call_tool(self, name: str, arguments: Any) -> dict[str, Any]:
        """Carries out a call of a model.

        Args:
            name: The tool.
            arguments: Its arguments, as the model gave them.

        Returns:
            The result for the model. ``success`` is false after any failure, also after an unknown name or wrong
            arguments.

        Raises:
            SandboxError: If the worker has ended, or the arguments have no JSON.
        """
        try:
            whole = whole_value(arguments)
            json.dumps(whole, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise SandboxError(f"the arguments of {name} have no JSON: {error}") from error
        result: dict[str, Any] = self._run("call-tool", {"name": whole_value(name), "arguments": whole})["result"]
        return result

    def instructions(self, *, short: bool = False) -> str:
        """What to tell a model that writes code for this session."""
        text: str = self._request("instructions", {"short": short})["text"]
        return text

    def reset(self) -> None:
        """Empties the namespace; contexts and tools stay. A session that is lost can be used again,
        unless a process of its own was lost (``isolate="process"``): open another one then."""
        self._request("reset", {})

    def cancel(self) -> None:
        """Ends what runs or waits; may be called from any thread. What is run later is not concerned.

        A tool that has begun runs to its end; no further one begins.
        """
        self._last_cancel = object()
        self._worker.cancel(self._name)

    def _request(self, method: str, params: _Json) -> Any:
        self._check_not_running()
        with self._lock:
            self._check_open()
            return self._worker.request(method, {"session": self._name} | params, cancel=self._name)

    def _check_not_running(self) -> None:
        if self in _running.get():
            raise SandboxError(
                "this session is running: what it calls cannot use it; open another session, or do it afterwards"
            )

    def _check_not_canceled(self, last_cancel: object) -> None:
        self._check_open()
        self._worker.check_serves()
        if self._last_cancel is not last_cancel:
            raise SandboxError("the script was canceled")

    def _check_open(self) -> None:
        if not self._is_open:
            raise SandboxError("this session is closed; open a new one")

    def _run(self, method: str, params: _Json) -> Any:
        """Carries out a request that calls back."""
        prompts = _Threads(self._handlers.concurrent_prompts)
        tools = _Threads(1, is_apart=self._gives_up, wait=self._call_wait)

        def serve(message: _Json) -> None:
            asked = message["params"]
            if message["method"] == "output":
                if self._handlers.on_output is not None:
                    self._handlers.on_output(asked["stream"], asked["text"])
            elif message["method"] == "call":
                if not tools.take(lambda: self._answer_aside(message, lambda: encode(self._call(asked)))):
                    self._answer(message, lambda: encode(self._call(asked)))
            elif not prompts.take(lambda: self._answer_aside(message, lambda: self._ask(asked))):
                self._answer(message, lambda: self._ask(asked))

        self._check_not_running()
        with self._lock:
            self._check_open()
            token = _running.set(_running.get() | {self})
            try:
                return self._worker.request(method, {"session": self._name} | params, serve, self._name)
            finally:
                prompts.drop()
                tools.drop()
                _running.reset(token)

    def _answer(self, message: _Json, answer: Callable[[], Any]) -> None:
        try:
            self._worker.answer(message, answer())
        except Exception as error:
            _log.info("a %s raised an exception", "tool" if message["method"] == "call" else "model", exc_info=True)
            self._worker.refuse(message, *_described(error))
        except BaseException:
            self._worker.refuse(message, "RuntimeError", "the host was interrupted")
            raise

    def _answer_aside(self, message: _Json, answer: Callable[[], Any]) -> None:
        """The same on a thread that has nobody to raise to."""
        try:
            self._answer(message, answer)
        except BaseException:
            pass

    def _call(self, asked: _Json) -> Any:
        function = self._handlers.tools[asked["name"]].function
        args, kwargs = arguments_of(asked)
        return settled(function(*args, **kwargs))

    def _ask(self, asked: _Json) -> Any:
        model = self._handlers.rlm if asked["recursive"] else self._handlers.llm
        assert model is not None
        said = ask(model, asked["prompt"], asked["model"])
        if isinstance(said, Completion):
            return vars(said)
        return said


class _Threads:
    """Threads that answer calls of a request, so many at a time. No script waits for an answer after it has ended.

    Args:
        width: Calls that are answered at a time.
        is_apart: Whether there is a thread also where one call is answered at a time.
        wait: Seconds after which a script waits for an answer no more: its thread counts no longer.
    """

    def __init__(self, width: int, is_apart: bool = False, wait: float = math.inf) -> None:
        self._width = width
        self._is_apart = is_apart
        self._wait = wait
        self._lock = threading.Lock()
        self._waiting: deque[tuple[contextvars.Context, Callable[[], None]]] = deque()
        #: When each thread began with what it does.
        self._begun: dict[object, float] = {}

    def _is_full(self) -> bool:
        # A little earlier than the call raises in the script.
        latest = time.monotonic() - 0.95 * self._wait
        return sum(begun > latest for begun in self._begun.values()) >= self._width

    def take(self, answer: Callable[[], None]) -> bool:
        """Has a thread answer one. Returns false if none can."""
        if self._width <= 1 and not self._is_apart:
            return False
        # The handler sees the context variables of the calling thread.
        work = (contextvars.copy_context(), answer)
        thread = object()
        with self._lock:
            self._waiting.append(work)
            if self._is_full():
                return True
            self._begun[thread] = time.monotonic()
        try:
            threading.Thread(target=self._run, args=(thread,), daemon=True).start()
        except RuntimeError:
            # The system has no room for another one.
            with self._lock:
                del self._begun[thread]
                if self._begun:
                    return True
                self._waiting.remove(work)
            return False
        return True

    def drop(self) -> None:
        """Forgets those that no thread has begun with."""
        with self._lock:
            self._waiting.clear()

    def _run(self, thread: object) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    del self._begun[thread]
                    return
                context, answer = self._waiting.popleft()
                self._begun[thread] = time.monotonic()
            context.run(answer)


def given(answers: Mapping[int, Any]) -> list[_Json]:
    """Answers to calls by their tickets, as a worker takes them: values, or exceptions to raise in the script."""
    spec: list[_Json] = []
    for ticket, answer in answers.items():
        if isinstance(answer, BaseException):
            kind, text = _described(answer)
            error = {"kind": kind, "message": whole(text)}
            spec.append({"ticket": ticket, "error": error})
        else:
            spec.append({"ticket": ticket, "value": encode(_said(answer))})
    return spec


def _said(answer: Any) -> Any:
    """What a script gets for an answer."""
    if isinstance(answer, Completion):
        return answer.text
    if isinstance(answer, list):
        return [_said(one) for one in answer]
    return answer


def ask(model: Model, prompt: str, name: str | None) -> str | Completion:
    """Asks a model, with the name that the script asked for if it takes one."""
    try:
        takes_name = "model" in inspect.signature(model).parameters
    except (TypeError, ValueError):
        takes_name = False
    said: Any = model(prompt, model=name) if takes_name else model(prompt)  # type: ignore[call-arg]
    said = settled(said)
    if isinstance(said, Completion):
        return replace(said, text=whole(said.text))
    if not isinstance(said, str):
        raise TypeError(f"the model answered with a {type(said).__name__}; it has to be text or a Completion")
    return whole(said)


def settled(value: Any) -> Any:
    """The value, or what it comes to if it is awaitable."""
    if not inspect.isawaitable(value):
        return value

    async def waited() -> Any:
        return await value

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(waited())
    # A loop runs on this thread already; it cannot run another.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(contextvars.copy_context().run, asyncio.run, waited()).result()


def _described(error: BaseException) -> tuple[str, str]:
    """The class and the text of an exception for a script: the builtin class that is next to its own."""
    kind = type(error)
    builtin = next(one for one in kind.__mro__ if one.__module__ == "builtins")
    if kind is builtin or builtin in (Exception, BaseException):
        return kind.__name__, _text(error)
    return builtin.__name__, f"{kind.__name__}: {_text(error)}"


def _text(error: BaseException) -> str:
    try:
        if isinstance(error, KeyError) and len(error.args) == 1:
            return str(error.args[0])
        return str(error)
    except Exception:
        return "an error that cannot be shown"


def _none(one: _Json, values: bool) -> Any:
    return Opaque(one["repr"]) if values and one["type"] != "NoneType" else None


def _values(variables: Mapping[str, Any] | None, contexts: Mapping[str, Any] | None) -> _Json:
    if contexts is not None and not isinstance(contexts, Mapping):
        raise TypeError(f"contexts are a dict of contents by name, as {{'context': text}}, not a {type(contexts).__name__}")
    specs = [context_spec(name, content) for name, content in (contexts or {}).items()]
    return {
        "variables": {name: _variable(name, value) for name, value in (variables or {}).items()},
        "contexts": specs,
    }


def _variable(name: str, value: Any) -> Any:
    try:
        return encode(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from error


def _script(code: str, timeout: float | None, report: bool) -> _Json:
    if not isinstance(code, str):
        raise TypeError(f"a script is text, not a {type(code).__name__}")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float))):
        raise TypeError(f"timeout is {timeout!r}; give seconds, as in exec(code, timeout=0.2)")
    return {"code": code, "timeout": timeout, "report": report}


def _type_name(kind: str | type) -> str:
    return kind if isinstance(kind, str) else kind.__name__


def _outputs(outputs: Mapping[str, str | type] | Sequence[str] | None) -> list[_Json] | None:
    if outputs is None:
        return None
    if isinstance(outputs, Mapping):
        return [{"name": name, "type": _type_name(kind)} for name, kind in outputs.items()]
    return [{"name": name} for name in outputs]


@dataclass(frozen=True)
class Validation:
    """What speaks against a script.

    Attributes:
        ok: Whether it would begin to run.
        message: Why not, in one line.
        unknown_names: Names that nobody defines; it runs all the same, up to there.
        note: What else is to be said, as that types were not checked.
    """

    ok: bool
    message: str | None
    unknown_names: list[str]
    note: str | None


def _fields_of(profile: str | os.PathLike[str] | Mapping[str, Any]) -> str | dict[str, Any]:
    """Returns the name of a profile, or its fields. What looks like a path is one."""
    if isinstance(profile, os.PathLike):
        profile = os.path.abspath(profile)
    if not isinstance(profile, str):
        return dict(profile)
    if os.sep not in profile and not profile.endswith(".toml"):
        return profile
    try:
        import tomllib
    except ImportError:
        raise SandboxError(f"{profile}: this Python reads no TOML; give the fields as a dictionary") from None
    with open(profile, "rb") as file:
        return tomllib.load(file)


def validate(
    code: str,
    *,
    profile: str | os.PathLike[str] | Mapping[str, Any] = "rlm",
    known: Iterable[str] = (),
    functions: Iterable[str] = (),
    type_check: bool = False,
    worker: Worker | None = None,
) -> Validation:
    """Checks a script without running it and without a session."""
    params = {
        "code": code,
        "profile": _fields_of(profile),
        "known": list(known),
        "functions": list(functions),
        "type_check": type_check,
    }
    said = (worker or _worker.shared()).request("validate", params)
    return Validation(said["ok"], said["message"], said["unknown_names"], said["note"])


def instructions(
    *,
    profile: str | os.PathLike[str] | Mapping[str, Any] = "rlm",
    tools: Tools = (),
    short: bool = False,
    worker: Worker | None = None,
) -> str:
    """What to tell a model that writes code for sessions of this profile, with these tools."""
    params = {
        "profile": _fields_of(profile),
        "tools": _Handlers(_tools(tools)).spec()["tools"],
        "short": short,
    }
    text: str = (worker or _worker.shared()).request("instructions", params)["text"]
    return text


def replay(path: str | os.PathLike[str], *, worker: Worker | None = None) -> dict[str, Any]:
    """Repeats a journal and compares: ``identical``, ``message``, ``execs``, ``calls``, ``left_out``, ``fuel`` and ``begins_with``."""
    params = {"path": os.path.abspath(path)}
    said: dict[str, Any] = (worker or _worker.shared()).request("replay", params)
    return said
