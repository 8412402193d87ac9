"""Runs untrusted Python inside WebAssembly: metered, with host functions, no files and no network.

A :class:`Session` is a namespace that lives from exec to exec::

    from rlm_sandbox import Session

    with Session(tools={"shout": str.upper}) as session:
        session.exec("words = ['hello', 'wasm']")
        print(session.exec("[shout(w) for w in words]").value)

The classes of rlm-code are here by their names; ``rlm_sandbox.dspy`` and ``rlm_sandbox.rlms`` are for the
frameworks of those names.
"""

from ._branches import Branch, RecordedCall, Run, Turn
from ._errors import SandboxError, ScriptError, WorkerGone
from ._outcome import Call, Error, Final, Outcome, Usage, Variable, Waiting
from ._session import Completion, Session, Tool, Validation, instructions, replay, validate
from ._values import Opaque
from ._worker import Worker, find_binary
from .rlm_code import (
    MontyCodeResult,
    MontyCodeValidator,
    MontyExecutionStats,
    MontyInterpreter,
    create_rlm_monty_interpreter,
)

__all__ = [
    "Branch",
    "Call",
    "Completion",
    "Error",
    "Final",
    "MontyCodeResult",
    "MontyCodeValidator",
    "MontyExecutionStats",
    "MontyInterpreter",
    "Opaque",
    "Outcome",
    "RecordedCall",
    "Run",
    "SandboxError",
    "ScriptError",
    "Session",
    "Tool",
    "Turn",
    "Usage",
    "Validation",
    "Variable",
    "Waiting",
    "Worker",
    "WorkerGone",
    "create_rlm_monty_interpreter",
    "find_binary",
    "instructions",
    "replay",
    "validate",
]
