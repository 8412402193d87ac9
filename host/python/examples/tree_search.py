"""Searches a tree of continuations of one recorded run.

A run asks the model for a plan, and then for each step of it. The search goes back to the step, tries several answers there, keeps
the best branches, and goes on from those: each branch is recorded, so it is a run to branch from itself. Nothing before a branch is
asked again.

    python tree_search.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from rlm_sandbox import Run, Session

# In each script the state is what the answers before made of it.
SCRIPTS = [
    "numbers = [int(line) for line in context.splitlines()]\ntotal = 0",
    "total = total + numbers[int(llm_query('which number first?'))]\ntotal",
    "total = total + numbers[int(llm_query('which number second?'))]\ntotal",
    "total = total + numbers[int(llm_query('which number third?'))]\ntotal",
]
NUMBERS = [3, 14, 15, 9, 2, 6]
TARGET = 35
#: Branches that each level goes on with.
BEAM = 3


def record(path: Path) -> None:
    """Records the run whose answers are to be improved."""
    with Session(
        llm=lambda prompt: "0", contexts={"numbers.txt": "\n".join(map(str, NUMBERS))}, record=path
    ) as session:
        for script in SCRIPTS:
            session.exec(script)


def search(path: Path) -> tuple[int, Path, int]:
    """Returns the best total, the recording that has it, and how many prompts were asked."""
    asked = 0

    def llm(prompt: str) -> str:
        nonlocal asked
        asked += 1
        return "0"

    runs = [path]
    best = (abs(TARGET - 3 * NUMBERS[0]), 3 * NUMBERS[0], path)
    for turn in range(1, len(SCRIPTS)):
        found = []
        for recorded in runs:
            with Run(recorded, llm=llm) as run:
                for candidate in range(len(NUMBERS)):
                    # The call of this execution: one for each before it.
                    with run.branch(turn, answers={turn - 1: str(candidate)}, record=True) as branch:
                        outcome = branch.advance()
                        assert outcome is not None
                        folder = path.with_name(path.name + ".branches")
                        found.append((abs(TARGET - outcome.value), outcome.value, folder / f"{branch.number}.jsonl"))
                        # The rest of the run, as it was.
                        branch.finish()
        found.sort()
        runs = [recorded for _, _, recorded in found[:BEAM]]
        best = found[0]
    return best[1], best[2], asked


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        record(path)
        total, recorded, asked = search(path)
        print(f"best total {total}, wanted {TARGET}, in {recorded.name}; {asked} prompts were asked")
