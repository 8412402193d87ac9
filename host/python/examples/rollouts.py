"""Rolls a recorded run out from one of its turns, as an environment of ``verifiers`` 0.1.

Each rollout is a branch of the run: it begins with the state before one execution, the model writes what is executed next, and
reads what came of it. The run is followed once, for any number of rollouts.

    pip install 'verifiers>=0.1.14,<0.2'
    python rollouts.py [RUN.jsonl TURN]

Without a run one is recorded. The model guesses; ``evaluate_sync(client=..., model=...)`` takes any other of ``verifiers``.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import verifiers as vf
from datasets import Dataset

from rlm_sandbox import Run, Session

QUESTION = "How many lines of the log are errors? Answer with FINAL(number)."


class ReplEnv(vf.MultiTurnEnv):
    """Rollouts that all begin with the state before the execution ``turn`` of a run."""

    def __init__(self, run: Run, turn: int, *, question: str, answer: str, **kwargs: Any) -> None:
        dataset = Dataset.from_list([{"question": question, "answer": answer}])
        super().__init__(dataset=dataset, rubric=vf.Rubric(funcs=[is_right]), **kwargs)
        self.run = run
        self.turn = turn

    async def setup_state(self, state: vf.State) -> None:
        state["branch"] = await asyncio.to_thread(self.run.branch, self.turn)

    async def env_response(self, messages: vf.Messages, state: vf.State, **kwargs: Any) -> vf.Messages:
        outcome = await asyncio.to_thread(state["branch"].session.exec, messages[-1]["content"])
        shown = [vf.UserMessage(content=outcome.view)]
        if outcome.final is not None:
            state["found"] = outcome.final.answer
            state["final_env_response"] = shown
        return shown

    @vf.cleanup
    async def close_branch(self, state: vf.State) -> None:
        if "branch" in state:
            await asyncio.to_thread(state["branch"].close)


async def is_right(answer: str, state: vf.State) -> float:
    return float(str(state.get("found")) == answer)


class Guesser(vf.Client):
    """A model that guesses."""

    GUESSES = ("FINAL(len(lines))", "FINAL(len(errors))", "FINAL(errors[-1])", "print(len(errors))")

    def setup_client(self, config: vf.ClientConfig) -> random.Random:
        return random.Random(0)

    async def to_native_tool(self, tool: vf.Tool) -> vf.Tool:
        return tool

    async def to_native_prompt(self, messages: vf.Messages) -> tuple[vf.Messages, dict[str, Any]]:
        return messages, {}

    async def get_native_response(self, prompt: vf.Messages, model: str, *_: Any, **kwargs: Any) -> str:
        return self.client.choice(self.GUESSES)

    async def raise_from_native_response(self, response: str) -> None:
        pass

    async def from_native_response(self, response: str) -> vf.Response:
        message = {"content": response, "finish_reason": "stop", "is_truncated": False}
        return vf.Response(id="guess", created=0, model="guesser", message=message)

    async def close(self) -> None:
        pass


def record(path: Path) -> None:
    """Records a run that read its context and then answered wrongly."""
    log = "\n".join(f"{n} {'ERROR' if n % 7 == 0 else 'ok'}" for n in range(1000))
    with Session(contexts={"app.log": log}, record=path) as session:
        session.exec("lines = context.splitlines()\nerrors = [line for line in lines if 'ERROR' in line]")
        session.exec("FINAL(len(lines))")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, turn = Path(folder, "run.jsonl"), 1
        if len(sys.argv) > 2:
            path, turn = Path(sys.argv[1]), int(sys.argv[2])
        else:
            record(path)
        with Run(path) as run:
            env = ReplEnv(run, turn, question=QUESTION, answer="143", max_turns=4)
            results = env.evaluate_sync(client=Guesser(random.Random(0)), model="guesser", rollouts_per_example=64)
    rewards = Counter(output["reward"] for output in results["outputs"])
    print(f"{rewards.total()} rollouts, rewards {dict(sorted(rewards.items()))}")


if __name__ == "__main__":
    main()
