"""Sessions whose memory or tables are full, or that are lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rlm_sandbox import Session, Worker


def fill(session: Session) -> None:
    """Takes the memory of a session, until nothing of any size fits."""
    session.exec("big = []")
    refused = 0
    for power in reversed(range(23)):
        for _ in range(4):
            refused += not session.exec(f"big.append('x' * {1 << power})").ok
    assert refused > 10


#: Code of `tests/liar` that makes it lose its session at the next entry.
LOSES = ("exec repeated 2000000 trap", "exec trap")
#: Limits under which it does.
LIMITS = {"output": "1MiB"}


def lose(session: Session | None) -> None:
    """Makes a session of :func:`liar` one that is lost."""
    assert session is not None
    for code in LOSES:
        session.exec(code)


def liar() -> Worker:
    """A worker with the interpreter that does what it is told."""
    guest = Path(__file__).parents[3] / "tests/liar/liar.wasm"
    return Worker(arguments=("--guest", str(guest)))


def fill_tables(run: Callable[[str], str]) -> None:
    """Runs code, which gives its error, until the smallest has no room in the tables of the interpreter."""
    number = 0
    for size in (5000, 2000, 1000, 300, 100, 30, 10, 3, 1):
        for _ in range(15):
            number += 1
            error = run("x=[" + ",".join(f"'s{number}_{i}'" for i in range(size)) + "]\n0")
            if error:
                assert "tables are full" in error
                if "dropped to make room" in error:
                    return
                break
    raise AssertionError("the tables have room")
