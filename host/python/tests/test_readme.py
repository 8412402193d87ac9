"""The programs of both READMEs run."""

from __future__ import annotations

from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
BLOCKS = [
    (path.parent.name, number, block.split("\n```")[0])
    for path in (PACKAGE / "README.md", PACKAGE / "../../README.md")
    for number, block in enumerate(path.resolve().read_text().split("```python\n")[1:])
]


@pytest.mark.parametrize("block", [block for *_, block in BLOCKS], ids=[f"{name}-{number}" for name, number, _ in BLOCKS])
def test_a_program_of_the_readme_runs(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    import dspy

    exec(compile(block, "README.md", "exec"), {"dspy": dspy})
