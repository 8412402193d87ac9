"""What goes wrong with the sandbox itself, and with scripts if one asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._outcome import Outcome


class SandboxError(Exception):
    """The sandbox could not do its work, or was asked for something impossible.

    How a script ended is an :class:`Outcome`, so no script causes one where it runs. It can fill the memory that it
    takes to read or bind variables afterwards.

    Attributes:
        kind: ``usage``, ``limit``, ``canceled``, ``parked``, ``journal``, ``diverged``, ``guest``, ``host``, ``lost``, ``gone`` or
            ``protocol``.
    """

    def __init__(self, message: str, kind: str = "usage") -> None:
        super().__init__(message)
        self.kind = kind


class WorkerGone(SandboxError):
    """The process that ran the sessions has ended, and they with it. New sessions get a new one."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "gone")


def is_over(error: SandboxError) -> bool:
    """Returns whether the session of a request that failed is of no use any more.

    A ``guest`` that runs fails where a script made a state that cannot be written and read again.
    """
    return error.kind in ("lost", "gone", "guest")


class ScriptError(Exception):
    """A script failed, and :meth:`Outcome.check` was asked to say so."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(str(outcome.error))
        self.outcome = outcome

    def __reduce__(self) -> tuple[type[ScriptError], tuple[Outcome]]:
        # An exception is copied with its arguments, which are those of its text.
        return type(self), (self.outcome,)
