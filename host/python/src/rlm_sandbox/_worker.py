"""The process that runs sessions: ``rlm-sandbox worker``, a line of JSON for each message."""

from __future__ import annotations

import atexit
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sysconfig
import threading
import weakref
from array import array
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Literal

from ._errors import SandboxError, WorkerGone

_Message = dict[str, Any]

#: Streams that a script prints to.
_STREAMS = ("stdout", "stderr")

#: Seconds that a script gets to end when it was canceled.
_PATIENCE = 10
#: Bytes of the longest message, as in ``rlm-sandbox worker --max-message``.
_MAX_MESSAGE = 16 << 20
#: The beginning of an answer of the worker.
_ANSWERED = re.compile(rb'\{"jsonrpc":"2\.0","id":(\d{1,18}),"(?:result|error)"')


class TooLong(SandboxError):
    """A message has more bytes than the worker takes. It was never sent."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(
            f"the message has {length} bytes, and the worker takes {limit}; send less at a time (a context as a "
            "pathlib.Path is read there), or use Worker(max_message=...) with more"
        )


def find_binary() -> str:
    """Where the program ``rlm-sandbox`` is: ``$RLM_SANDBOX_BINARY``, beside this Python, or on the path.

    Raises:
        SandboxError: If it is nowhere.
    """
    named = os.environ.get("RLM_SANDBOX_BINARY")
    if named:
        return named
    name = "rlm-sandbox" + (sysconfig.get_config_var("EXE") or "")
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        beside = Path(sysconfig.get_path("scripts", scheme)) / name
        if beside.is_file():
            return str(beside)
    found = shutil.which(name)
    if found is None:
        raise SandboxError(
            "the program rlm-sandbox is not installed; run `pip install rlm-sandbox`, or name it in "
            "RLM_SANDBOX_BINARY",
            "host",
        )
    return found


class Worker:
    """A process with sessions in it. All sessions share one unless they are given another.

    Args:
        binary: The program. Default: :func:`find_binary`.
        limits: Limits of all sessions together, as ``{"live-sessions": 100}``.
        arguments: Further arguments of ``rlm-sandbox worker``.
        isolate: ``"process"`` gives each session a process of its own, which opens no file, starts no process, makes no
            connection, and has a cap on its memory; on Linux. A process that dies raises a :class:`SandboxError` of the
            kind ``lost`` for its session, and no other session is concerned. Such sessions repeat no journals.
        isolated_memory: Bytes that such a process may take beside the program and the interpreter. Default: what the
            limits of its session allow, and 128 MiB.
        max_message: Bytes of the longest message that is sent, from 64 KiB to 1 GiB. Default: 16 MiB. A request
            that is longer raises a :class:`SandboxError`; a value of a handler that is longer is a
            ``RuntimeError`` for the script. Whatever the worker sends is read.
    """

    def __init__(
        self,
        binary: str | os.PathLike[str] | None = None,
        *,
        limits: Mapping[str, int | str] | None = None,
        arguments: tuple[str, ...] = (),
        isolate: Literal["process"] | None = None,
        isolated_memory: int | None = None,
        max_message: int = _MAX_MESSAGE,
    ) -> None:
        self._max_message = max_message
        if isolate not in (None, "process"):
            raise ValueError(f"isolate: {isolate!r} is not possible; choose 'process' or None")
        command = [os.fspath(binary) if binary is not None else find_binary(), "worker", *arguments]
        command += ["--max-message", str(max_message)]
        if isolate is not None:
            command += ["--isolate", isolate]
        if isolated_memory is not None:
            command += ["--isolated-memory", str(isolated_memory)]
        for name, value in (limits or {}).items():
            command += ["--limit", f"{name}={value}"]
        try:
            # An interrupt on the terminal is this program's, which cancels what runs. The worker ends with its input.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise SandboxError(f"cannot start {command[0]}: {error}", "host") from error
        self._command = command[0]
        self._owner = os.getpid()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._waiting: dict[int, _Request] = {}
        #: The request that carries out the calls of each session.
        self._serving: dict[str, _Request] = {}
        #: The output that was queued last for each session, while nothing else is behind it.
        self._printed: dict[str, _Output] = {}
        self._why_gone: str | None = None
        # Putting a line there never blocks and may be done anywhere, also while garbage is collected.
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        writes: tuple[Any, ...] = (_write_lines, self._process.stdin, self._outbox)
        reads: tuple[Any, ...] = (_read_to_end, self._process.stdout, weakref.ref(self))
        for serve, *with_what in (writes, reads):
            threading.Thread(target=serve, args=with_what, name="rlm-sandbox", daemon=True).start()
        weakref.finalize(self, self._outbox.put, None)
        _workers.add(self)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_alive(self) -> bool:
        """Whether it still serves."""
        return self._owner == os.getpid() and self._why_gone is None and self._process.poll() is None

    def check_serves(self) -> None:
        """Raises :class:`WorkerGone` if the process has ended, was closed, or belongs to the parent of this one."""
        if self._owner != os.getpid():
            raise WorkerGone("this session belongs to the process that forked; open a new one here")
        if self._why_gone is not None:
            raise WorkerGone(self._why_gone)

    def close(self) -> None:
        """Ends the process and all its sessions."""
        if self._owner != os.getpid():
            return
        with self._lock:
            self._why_gone = self._why_gone or "the worker was closed; open a new session"
        self._outbox.put(None)
        with self._lock:
            for request in self._serving.values():
                request.is_over = True
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def request(
        self,
        method: str,
        params: Mapping[str, Any],
        serve: Callable[[_Message], None] | None = None,
        cancel: str | None = None,
    ) -> Any:
        """Sends a request and waits for what it comes to.

        Args:
            method: What to do; ``rlm-sandbox worker --schema`` lists the methods.
            params: With what.
            serve: Is given what the worker asks meanwhile on behalf of the session in ``params``. Calls that have not
                begun when the answer arrives, or when the session is canceled, are refused.
            cancel: The session whose exec ends if this is interrupted. Without one the request itself is canceled.
                A session that was made nevertheless is closed.

        Raises:
            SandboxError: If the sandbox refuses or fails.
            WorkerGone: If the process ended.
        """
        number = next(self._numbers)
        request = _Request()
        session = str(params.get("session", ""))
        self.check_serves()
        with self._lock:
            if self._why_gone is not None:
                raise WorkerGone(self._why_gone)
            self._waiting[number] = request
            if serve is not None:
                self._serving[session] = request
        try:
            while True:
                try:
                    if not request.was_sent:
                        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}
                        self._write(asked, request)
                    message = self._next(request.queue)
                    if "method" in message and serve is not None:
                        if "id" in message and request.is_over:
                            self.refuse(message, "RuntimeError", "the script has ended or was canceled")
                        else:
                            for part in message.parts() if isinstance(message, _Output) else [message]:
                                serve(part)
                        continue
                except BaseException:
                    # What is no JSON, or too long, was never sent, nor was what an interrupt found before.
                    if request.was_sent:
                        what = {"request": number} if cancel is None else {"session": cancel}
                        made = self._break_off(what, request)
                        if method in ("open", "restore", "fork") and "result" in made:
                            self.notify("close", {"session": made["result"]["session"]})
                    raise
                break
        finally:
            with self._lock:
                self._waiting.pop(number, None)
                if serve is not None and self._serving.get(session) is request:
                    del self._serving[session]
                    self._printed.pop(session, None)
        if "gone" in message:
            raise WorkerGone(message["gone"])
        if "error" in message:
            error = message["error"]
            kind = (error.get("data") or {}).get("kind", "protocol")
            raise SandboxError(error.get("message", "the worker refused"), kind)
        return message["result"]

    def _break_off(self, what: Mapping[str, Any], request: _Request) -> _Message:
        """Cancels what runs in a session, or a request, and waits until it has ended. Returns what it came to."""
        self.notify("cancel", what)
        try:
            while request.answer is None or not request.queue.empty():
                message = self._next(request.queue, _PATIENCE)
                if "method" in message and "id" in message:
                    self.refuse(message, "RuntimeError", "the host was interrupted")
        except Empty:
            return {}
        return request.answer

    def cancel(self, session: str) -> None:
        """Cancels what runs in a session. No further call of it begins.

        Takes no lock, so signal handlers may use it.
        """
        running = self._serving.get(session)
        # The worker does not cancel a request that it gets after this notification.
        concerns = running is not None and running.was_sent
        self.notify("cancel", {"session": session})
        # Only now: a call that is refused before the script is canceled raises in the script.
        if running is not None and concerns:
            running.is_over = True

    def serves(self, session: str) -> bool:
        """Returns whether a request carries out the calls of a session."""
        return session in self._serving

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Sends a request that nobody waits for."""
        if self._owner == os.getpid():
            self._write({"jsonrpc": "2.0", "method": method, "params": dict(params)})

    def answer(self, message: _Message, result: Any) -> None:
        """Answers what the worker asked; with an exception, if the result is too long to be sent."""
        try:
            self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})
        except TooLong as error:
            self.refuse(message, "RuntimeError", str(error))

    def refuse(self, message: _Message, kind: str, text: str) -> None:
        """Answers what the worker asked with an exception of the class ``kind``."""
        text = text[: self._max_message // 16].encode(errors="replace").decode()
        error = {"code": -32000, "message": text, "data": {"type": kind}}
        self._write({"jsonrpc": "2.0", "id": message["id"], "error": error})

    def _write(self, message: _Message, request: _Request | None = None) -> None:
        # What is no JSON, or no UTF-8, is a mistake of the caller's and never sent.
        line = json.dumps(message, ensure_ascii=False, allow_nan=False).encode()
        if len(line) > self._max_message:
            raise TooLong(len(line), self._max_message)
        line += b"\n"
        if request is not None:
            # Before it is: an interrupt that comes between is taken for one that comes after.
            request.was_sent = True
        self._outbox.put(line)

    def _ended(self) -> None:
        status = self._process.wait()
        with self._lock:
            if self._why_gone is None:
                self._why_gone = f"{self._command} worker ended with status {status}; open a new session, with a new Worker if you made it"
                if status == 2:
                    self._why_gone = f"{self._command} worker refused its options, for the reason on standard error; mend those of Worker()"
            requests = list(self._waiting.values())
        for request in requests:
            request.end({"gone": self._why_gone})

    def _next(self, queue: SimpleQueue[_Message], timeout: float | None = None) -> _Message:
        message = queue.get(timeout=timeout)
        if isinstance(message, _Output):
            with self._lock:
                message.take()
        return message

    def _miss(self, line: bytes, error: BaseException) -> None:
        """Fails the request that a line answers which cannot be read; all requests, if the line does not name one."""
        what = f"the worker sent a line of {len(line)} bytes that cannot be read: {type(error).__name__}"
        refusal: _Message = {"error": {"code": -32700, "message": what, "data": {"kind": "protocol"}}}
        found = _ANSWERED.match(line)
        self._take({"id": int(found[1]) if found else None, **refusal})

    def _take(self, message: _Message) -> None:
        with self._lock:
            if "error" in message and message.get("id") is None:
                # It is about a line that could not be read; nobody knows whose.
                for one in self._waiting.values():
                    one.end(message)
                return
            request: _Request | None
            if "method" in message:
                params = message.get("params", {})
                session = params.get("session", "")
                request = self._serving.get(session)
                if message["method"] == "output" and request is not None:
                    # A handler that is slow gets what was printed meanwhile at once: a message takes much more
                    # memory than its text.
                    last = self._printed.get(session)
                    if last is not None and last.add(params["stream"], params["text"]):
                        return
                    message = self._printed[session] = _Output(message)
                else:
                    self._printed.pop(session, None)
            else:
                request = self._waiting.get(message.get("id", 0))
        if request is not None and "method" not in message:
            request.end(message)
        elif request is not None:
            request.queue.put(message)
        elif "method" in message and "id" in message:
            self.refuse(message, "RuntimeError", "nobody serves the calls of this session now")


class _Request:
    """A request without an answer, and the messages that arrived for it."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[_Message] = SimpleQueue()
        self.was_sent = False
        #: The answer, which an interrupt may find taken from the queue and not yet kept.
        self.answer: _Message | None = None
        #: Whether no further call begins: the answer is in the queue, or the script was canceled.
        self.is_over = False

    def end(self, answer: _Message) -> None:
        self.is_over = True
        self.answer = answer
        self.queue.put(answer)


class _Output(_Message):
    """A notification `output` that more text is added to until it is taken.

    A message takes a thousand bytes and more, so what was printed meanwhile is one text, with the length of each piece
    that went to one stream.
    """

    def __init__(self, message: _Message) -> None:
        super().__init__(message)
        self._text: io.StringIO | None = io.StringIO()
        self._streams = bytearray()
        self._lengths = array("Q")
        self.add(self["params"]["stream"], self["params"]["text"])

    def add(self, stream: str, text: str) -> bool:
        if self._text is None:
            return False
        self._text.write(text)
        number = _STREAMS.index(stream)
        if self._streams and self._streams[-1] == number:
            self._lengths[-1] += len(text)
        else:
            self._streams.append(number)
            self._lengths.append(len(text))
        return True

    def take(self) -> None:
        """Ends adding to it."""
        assert self._text is not None
        self._whole, self._text = self._text.getvalue(), None

    def parts(self) -> Iterator[_Message]:
        """Yields a notification for each piece that went to one stream."""
        begin = 0
        for number, length in zip(self._streams, self._lengths, strict=True):
            text = self._whole[begin : begin + length]
            yield {**self, "params": {**self["params"], "stream": _STREAMS[number], "text": text}}
            begin += length


def _write_lines(pipe: IO[bytes], outbox: SimpleQueue[bytes | None]) -> None:
    try:
        while (line := outbox.get()) is not None:
            pipe.write(line)
            pipe.flush()
        pipe.close()
    except OSError:
        # The other thread sees the end, too.
        pass


def _read_to_end(pipe: IO[bytes], whose: weakref.ref[Worker]) -> None:
    try:
        _read_lines(pipe, whose)
    except BaseException:
        # There was no memory for a message, and whose answer it was is not known. Requests would wait for ever.
        worker = whose()
        if worker is not None:
            worker._process.kill()
            worker._ended()
        raise


def _read_lines(pipe: IO[bytes], whose: weakref.ref[Worker]) -> None:
    for line in pipe:
        worker = whose()
        if worker is None:
            return
        try:
            worker._take(json.loads(line))
        except Exception as error:
            # Also MemoryError: the thread goes on, so that nobody waits for ever.
            worker._miss(line, error)
        finally:
            del worker
    worker = whose()
    if worker is not None:
        worker._ended()


_workers: weakref.WeakSet[Worker] = weakref.WeakSet()
_shared: Worker | None = None
_sharing = threading.Lock()


def shared() -> Worker:
    """The worker that sessions share; another one if it has ended."""
    global _shared
    with _sharing:
        if _shared is None or not _shared.is_alive:
            _shared = Worker()
        return _shared


@atexit.register
def _close_shared() -> None:
    if _shared is not None:
        _shared.close()


def _forget() -> None:
    # The pipes belong to the parent, which waits in vain for their end as long as they are open here. Their numbers
    # stay taken: a file that got one would be closed with the pipe that had it before.
    global _shared, _sharing
    _shared, _sharing = None, threading.Lock()
    workers = list(_workers)
    # A process that is forked from this one has nothing to do with them.
    _workers.clear()
    if not workers:
        return
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
    except OSError:
        return
    for worker in workers:
        for pipe in (worker._process.stdin, worker._process.stdout):
            try:
                if pipe is not None:
                    os.dup2(nothing, pipe.fileno(), inheritable=False)
            except (OSError, ValueError):
                pass
    os.close(nothing)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
