"""How an exec ended, or what it waits for."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._errors import ScriptError
from ._values import Decoder, Opaque, decoded


@dataclass(frozen=True)
class Error:
    """Why a script has no value.

    Attributes:
        kind: The class of the exception, as ``ValueError``.
        message: What it says.
        cause: A word to match on that does not change with the text, as ``timeout``.
        traceback: As Python prints it.
        hint: What to do about it, where the message does not say.
        exit_code: The status that the script gave to ``sys.exit``, if it is not 0, which is no error.
        stopped: The limit at which the script was ended: ``time``, ``deadline``, ``fuel``, ``memory``, ``output``,
            ``calls``, ``budget`` or ``canceled``.
        crashed: Whether the interpreter crashed; the session goes on.
    """

    kind: str
    message: str
    cause: str
    traceback: str
    hint: str | None = None
    stopped: str | None = None
    crashed: bool = False
    exit_code: int | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


def told(error: Error, text: str | None = None) -> str:
    """The message to a model about an error, with its hint; ``text`` takes the place of the error."""
    text = str(error) if text is None else text
    return f"{text}\nHint: {error.hint}" if error.hint else text


@dataclass(frozen=True)
class Final:
    """The answer of a run.

    Attributes:
        answer: All fields as one dictionary, where there are fields.
        by: ``direct``, ``variable``, ``undefined``, ``fields`` or ``ready``.
        name: The name, where it was given by one.
        repr: The answer as Python shows it.
    """

    answer: Any
    by: str
    name: str | None
    repr: str


@dataclass(frozen=True)
class Usage:
    """What an exec used: fuel, seconds, bytes, prompts and tokens.

    Attributes:
        fuel: Fuel of the script. The same script in the same session uses the same.
        compute: Compute time, in seconds.
        elapsed: Time from its start to its end, in seconds, waiting included.
        peak_memory_bytes: The most linear memory that its instance had.
        live_memory_bytes: Bytes that scripts and contexts hold after it.
        model_calls: Prompts to the model.
        input_tokens: Tokens of the prompts, as far as the model gave them.
        output_tokens: Tokens of the answers, as far as the model gave them.
        recovery_fuel: Fuel that brought the session back since the outcome before, charged to no execution.
    """

    fuel: int
    compute: float
    elapsed: float
    peak_memory_bytes: int
    live_memory_bytes: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    recovery_fuel: int = 0


@dataclass(frozen=True)
class Variable:
    """A name that scripts made. ``value`` is :class:`Opaque` where it cannot leave the sandbox."""

    name: str
    type: str
    repr: str
    size: int | None
    value: Any = None


@dataclass(frozen=True)
class Call:
    """A call that a script waits for.

    Attributes:
        ticket: Its number over the life of the session.
        name: What the script called.
        open: Whether the script goes on without the answer for now.
        args: What a tool is given by position; by name where its parameters are known.
        kwargs: What a tool is given by name.
        prompts: What the model is asked; one unless ``batched``. None of a tool.
        models: The model that each prompt asked for.
        batched: Whether the answer is a list.
        recursive: Whether it was asked as ``rlm_query``.
    """

    ticket: int
    name: str
    open: bool
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    prompts: tuple[str, ...] | None = None
    models: tuple[str | None, ...] = ()
    batched: bool = False
    recursive: bool = False


@dataclass(frozen=True)
class Waiting:
    """A script waits for at least one of these calls that is not open."""

    calls: list[Call]


@dataclass(frozen=True)
class Outcome:
    """How an exec ended.

    Attributes:
        ok: Whether it ran to its end.
        repr: The value of its last expression or top-level ``return`` as Python shows it; None where there is none.
        error: Why there is none.
        final: The answer, if the script said that the run is done.
        stdout: What it printed.
        stderr: What it printed to ``sys.stderr``.
        dropped_bytes: Bytes that it printed and that were dropped.
        names: Names in the namespace that scripts made.
        calls: The host calls, as ``(ticket, name, progress)``.
        pauses: How often it paused for a function that is not Python's own.
        rewrites: What was rewritten in it before it ran, as ``(rule, line, column)``.
        state: ``intact``, or ``rolled-back`` to where it was before.
        usage: What it used.
        view: What a model is shown of it.
        report: The outcome in the format of the profile, if that was asked for.
    """

    ok: bool
    repr: str | None
    error: Error | None
    final: Final | None
    stdout: str
    stderr: str
    dropped_bytes: int
    names: list[str]
    calls: list[tuple[int, str, str]]
    pauses: int
    rewrites: list[tuple[str, int, int]]
    state: str
    usage: Usage
    view: str
    report: Any = None
    _value: Any = None

    @property
    def value(self) -> Any:
        """The value of its last expression or top-level ``return``; None where there is none.

        Raises:
            ScriptError: If the script did not run to its end.
        """
        return self.check()._value

    def value_or(self, otherwise: Any) -> Any:
        """The value, or ``otherwise`` if the script did not run to its end."""
        return otherwise if self.error is not None else self._value

    def check(self) -> Outcome:
        """This outcome, if the script ran to its end.

        Raises:
            ScriptError: If it did not.
        """
        if self.error is not None:
            raise ScriptError(self)
        return self


def value_of(said: dict[str, Any]) -> Any:
    """The value that was said, or its repr where it is too large or cannot be built here."""
    if said["has_value"]:
        return decoded(said["value"], said["repr"])
    shown = Opaque(said["repr"])
    if said["truncated"]:
        shown.truncated = True
        warnings.warn(
            "a value is too large to leave the sandbox, and this is the beginning of its repr;"
            ' allow more with limits={"value": "16MiB"}',
            stacklevel=4,
        )
    return shown


def outcome_of(said: dict[str, Any]) -> Outcome:
    """The outcome that was said."""
    value, final, error = said["value"], said["final"], said["error"]
    return Outcome(
        ok=said["ok"],
        _value=None if value is None else value_of(value),
        repr=None if value is None else value["repr"],
        error=None if error is None else Error(**error),
        final=None
        if final is None
        else Final(value_of(final["answer"]), final["by"], final["name"], final["answer"]["repr"]),
        stdout=said["stdout"],
        stderr=said["stderr"],
        dropped_bytes=said["dropped_bytes"],
        names=said["names"],
        calls=[(call["ticket"], call["name"], call["progress"]) for call in said["calls"]],
        pauses=said["pauses"],
        rewrites=[(one["rule"], one["line"], one["column"]) for one in said["rewrites"]],
        state=said["state"],
        usage=Usage(**said["usage"]),
        view=said["view"],
        report=said["report"] and said["report"] | {name: said[name] for name in said["report_shares"]},
    )


def arguments_of(said: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns the arguments that were said, by position and by name.

    Raises:
        ValueError: If sets and dictionaries in them have very many keys of one hash, keys of one hash that take long to
            compare, or others with which building it would take this process a time that grows with the square of their
            number. What building all of them takes has one bound.
    """
    decoder = Decoder()
    return tuple(decoder.decode(said["args"])), {name: decoder.decode(value) for name, value in said["kwargs"].items()}


def call_of(said: dict[str, Any]) -> Call:
    """The call that was said."""
    given = said["arguments"] or {"args": [], "kwargs": {}}
    opaque = "a value that this process cannot build"
    # What building tables takes has one bound for the call.
    decoder = Decoder()
    args = tuple(decoded(value, opaque, decoder) for value in given["args"])
    kwargs = {name: decoded(value, opaque, decoder) for name, value in given["kwargs"].items()}
    prompts = said["prompts"]
    return Call(
        ticket=said["ticket"],
        name=said["name"],
        open=said["open"],
        args=args,
        kwargs=kwargs,
        prompts=None if prompts is None else tuple(prompt["text"] for prompt in prompts),
        models=tuple(prompt["model"] for prompt in prompts or ()),
        batched=said["batched"],
        recursive=said["recursive"],
    )


def step_of(said: dict[str, Any]) -> Outcome | Waiting:
    """The step that was said."""
    if "outcome" in said:
        return outcome_of(said["outcome"])
    return Waiting([call_of(call) for call in said["waiting"]])


def without_prompts(limits: Mapping[str, float | str] | None, asked: int) -> dict[str, float | str]:
    """Returns the limits of a session in the place of others, which have asked a model so many prompts."""
    left = dict(limits or {})
    if asked and "model-calls" in left:
        most = int(float(str(left["model-calls"]).replace("_", "")))
        left["model-calls"] = max(0, most - asked)
    return left


def has_full_tables(outcome: Outcome, code: str) -> bool:
    """Returns whether code did not run for want of names and texts that the interpreter has left, and is so short that a
    session should have them. None are ever given back, so other code will not run either."""
    error = outcome.error
    is_full = error is not None and error.message.startswith("the interpreter's tables are full")
    # A script can raise that message, but not with the hint.
    is_true = error is not None and error.hint is not None and error.hint.startswith("keep values under the keys")
    return is_full and is_true and len(code) <= 16 << 10
