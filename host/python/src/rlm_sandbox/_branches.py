"""Branches of recorded runs."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _worker
from ._errors import SandboxError
from ._outcome import Outcome, outcome_of
from ._session import Model, Plugins, Session, Tools, _Handlers, _plugins, _tools, given
from ._worker import Worker

_Json = dict[str, Any]


@dataclass(frozen=True)
class RecordedCall:
    """A call of a recorded run.

    Attributes:
        ticket: Its number over the life of the session.
        name: The function that the script called.
        arguments: The beginning of its arguments, as JSON; None where they are not there in the clear.
    """

    ticket: int
    name: str
    arguments: str | None


@dataclass(frozen=True)
class Turn:
    """An execution of a recorded run.

    Attributes:
        number: Its number, from 0; those of a branch begin where it branches.
        source: The script.
        calls: Its calls, in their order.
    """

    number: int
    source: str
    calls: list[RecordedCall]


class Run:
    """A recorded run, from whose executions branches go on.

    Nothing of the run is asked again: it is followed once up to the place of a branch, and each branch forks the session
    that is there::

        with Run("run.jsonl", tools=[search], llm=ask) as run:
            branches = [run.branch(7) for _ in range(64)]
            with ThreadPoolExecutor() as pool:
                outcomes = list(pool.map(Branch.finish, branches))

    Args:
        path: What ``Session(record=…)`` wrote, or a recorded branch of it.
        tools: The functions that the run had, or some of them; they answer in the branches. Others are functions of the branches alone.
        plugins: As for :class:`Session`.
        llm: Answers prompts in the branches.
        rlm: As for :class:`Session`.
        depth: As for :class:`Session`.
        concurrent_prompts: As for :class:`Session`.
        limits: Limits that are lower than the recorded ones, by the names of the command line.
        worker: The process to run in, without ``--isolate``. Default: the one that all sessions share.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        tools: Tools = (),
        plugins: Plugins = (),
        llm: Model | None = None,
        rlm: Model | None = None,
        depth: int = 1,
        concurrent_prompts: int = 8,
        limits: Mapping[str, float | str] | None = None,
        worker: Worker | None = None,
    ) -> None:
        self._path = os.path.abspath(path)
        self._handlers = _Handlers(_tools(tools), llm, rlm, depth, concurrent_prompts, None, _plugins(plugins))
        self._limits = dict(limits or {})
        self._worker = worker or _worker.shared()
        self._lock = threading.Lock()
        #: The turn that was branched last, the session there, and the scripts from there on.
        self._place: tuple[int, Session, list[str]] | None = None

    def turns(self) -> list[Turn]:
        """Lists the executions of the run, with their calls, whose tickets ``answers`` of :meth:`branch` takes.

        Raises:
            SandboxError: If the recording cannot be read, or its scripts and calls have more than 16 MiB.
        """
        said = self._worker.request("turns", {"path": self._path})
        return [
            Turn(turn["number"], turn["source"], [RecordedCall(**call) for call in turn["calls"]])
            for turn in said["turns"]
        ]

    def branch(
        self,
        turn: int,
        *,
        answers: Mapping[int, Any] | None = None,
        code: str | None = None,
        record: bool = False,
        tools: Tools | None = None,
        llm: Model | None = None,
    ) -> Branch:
        """Opens a branch, before the execution ``turn`` (from 0).

        The session of the turn that was branched last is kept, so that further branches there cost next to nothing. The
        time of day in a branch is that of its run.

        Args:
            turn: Number of the execution; the number of all executions is the place after the last one.
            answers: Other answers to recorded calls, by their tickets (:meth:`turns` lists them): values, or exceptions
                to raise. Calls before the first of them have their recorded answers; those after it are asked again.
            code: Another script in place of the first one; not with ``answers``.
            record: Whether the branch is recorded, in the folder of the run's branches.
            tools: Functions of the same names that answer in this branch.
            llm: Answers prompts in this branch. The run has to have a model, too.

        Raises:
            SandboxError: If there is no such place, or the change is none that it can have.
        """
        if turn < 0:
            raise SandboxError(f"there is no execution {turn}; they count from 0")
        handlers = self._handlers
        if tools is not None or llm is not None:
            handlers = _Handlers(
                handlers.tools if tools is None else handlers.tools | _tools(tools),
                llm or handlers.llm,
                handlers.rlm,
                handlers.depth,
                handlers.concurrent_prompts,
                None,
                handlers.plugins,
            )
            if handlers.shape() != self._handlers.shape():
                raise SandboxError(
                    "a branch has the functions of its run, with the same names and parameters, and a model if that has one; give Run others"
                )
        change: _Json = {"answers": given(answers or {}), "code": code, "record": record}
        with self._lock:
            session, scripts = self._session_at(turn)
            opened = session._request("fork", {"branch": change})
        if code is not None:
            scripts = [code, *scripts[1:]]
        return Branch(Session._taken_up(self._worker, handlers, opened), opened.get("branch"), scripts)

    def _session_at(self, turn: int) -> tuple[Session, list[str]]:
        if self._place is not None:
            at, session, scripts = self._place
            if at == turn and session._is_open and self._worker.is_alive:
                return session, scripts
            self._place = None
            session.close()
        place: _Json = {"journal": {"path": self._path, "exec": turn, "branches": True}, "limits": self._limits}
        params = place | {"handlers": self._handlers.spec()}
        opened = self._worker.request("restore", params)
        session, scripts = Session._taken_up(self._worker, self._handlers, opened), opened["scripts"]
        self._place = (turn, session, scripts)
        return session, scripts

    def close(self) -> None:
        """Ends the session that is kept. Branches go on."""
        with self._lock:
            if self._place is not None:
                self._place[1].close()
                self._place = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Branch:
    """A branch of a recorded run.

    Attributes:
        session: Its session, to go on with by hand.
        number: The number of its recording, if it is recorded: ``run.jsonl.branches/NUMBER.jsonl``.
        scripts: The scripts of the run that are yet to run in it.
    """

    def __init__(self, session: Session, number: int | None, scripts: Iterable[str]) -> None:
        self.session = session
        self.number = number
        self.scripts: deque[str] = deque(scripts)

    def advance(self) -> Outcome | None:
        """Does what the run did up to its next execution, and runs the script of that. Returns None after the last one.

        A script that is refused, or canceled, is the next one again.

        What is done again is what the program did with the session of the run: variables and contexts that it set, resets,
        and limits on time.
        """
        said = self.session._run("advance", {})["outcome"]
        if said is None:
            return None
        outcome = outcome_of(said)
        if self.scripts and not _is_canceled(outcome):
            self.scripts.popleft()
        return outcome

    def finish(self) -> list[Outcome]:
        """Runs the scripts that come next, to the end of the run or to one that gives a final answer or is canceled."""
        outcomes: list[Outcome] = []
        while (outcome := self.advance()) is not None:
            outcomes.append(outcome)
            if outcome.final is not None or _is_canceled(outcome):
                break
        return outcomes

    def close(self) -> None:
        """Ends its session."""
        self.session.close()

    def __enter__(self) -> Branch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_canceled(outcome: Outcome) -> bool:
    return outcome.error is not None and outcome.error.stopped == "canceled"
