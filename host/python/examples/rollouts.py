"""Rolls a recorded run out from one of its turns, in the shape of an environment of `verifiers`.

The environment has the three methods that `verifiers.MultiTurnEnv` calls: `setup_state` opens a branch of the run, `env_response` runs
what the model wrote and says what came of it, and `is_completed` says when the rollout is over. Where `verifiers` is installed,
`class ReplEnv(RolloutEnv, verifiers.MultiTurnEnv)` is an environment; here a model that guesses plays the rollouts.

    python rollouts.py
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from rlm_sandbox import Run, Session

State = dict[str, Any]


def record(path: Path) -> None:
    """Records a run that read its context and then answered wrongly."""
    log = "\n".join(f"{n} {'ERROR' if n % 7 == 0 else 'ok'}" for n in range(1000))
    with Session(contexts={"app.log": log}, record=path) as session:
        session.exec("lines = context.splitlines()\nerrors = [line for line in lines if 'ERROR' in line]")
        session.exec("FINAL(len(lines))")


class RolloutEnv:
    """Rollouts that all begin with the state before one execution of a run."""

    def __init__(self, run: Run, turn: int, max_turns: int = 3) -> None:
        self.run = run
        self.turn = turn
        self.turns = max_turns

    async def setup_state(self, state: State) -> State:
        # A fork of the session at that place: the run is followed once, whatever the number of rollouts.
        state["branch"] = await asyncio.to_thread(self.run.branch, self.turn)
        state["played"] = 0
        state["final"] = None
        return state

    async def env_response(self, messages: list[dict[str, str]], state: State) -> list[dict[str, str]]:
        outcome = await asyncio.to_thread(state["branch"].session.exec, messages[-1]["content"])
        state["played"] += 1
        if outcome.final is not None:
            state["final"] = outcome.final.answer
        return [{"role": "user", "content": outcome.view}]

    async def is_completed(self, state: State) -> bool:
        return state["final"] is not None or state["played"] == self.turns

    async def cleanup(self, state: State) -> None:
        await asyncio.to_thread(state["branch"].close)


def reward(state: State) -> float:
    """Scores a rollout, as a function of a `verifiers.Rubric`."""
    return 1.0 if state["final"] == 143 else 0.0


async def rollout(env: RolloutEnv, seed: int) -> float:
    """Plays one rollout, with a model that guesses."""
    model = random.Random(seed)
    guesses = ["FINAL(len(lines))", "FINAL(len(errors))", "FINAL(errors[-1])", "print(len(errors))"]
    messages: list[dict[str, str]] = []
    state = await env.setup_state({})
    while not await env.is_completed(state):
        messages.append({"role": "assistant", "content": model.choice(guesses)})
        messages += await env.env_response(messages, state)
    await env.cleanup(state)
    return reward(state)


async def main(path: Path) -> None:
    with Run(path) as run:
        env = RolloutEnv(run, turn=1)
        rewards = await asyncio.gather(*[rollout(env, seed) for seed in range(64)])
    print(f"{len(rewards)} rollouts, rewards {dict(sorted(Counter(rewards).items()))}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(os.path.join(folder, "run.jsonl"))
        record(path)
        asyncio.run(main(path))
