"""A session whose memory is full."""

from __future__ import annotations

from rlm_sandbox import Session


def fill(session: Session) -> None:
    """Takes the memory of a session, until nothing of any size fits."""
    session.exec("big = []")
    refused = 0
    for power in reversed(range(23)):
        for _ in range(4):
            refused += not session.exec(f"big.append('x' * {1 << power})").ok
    assert refused > 10
