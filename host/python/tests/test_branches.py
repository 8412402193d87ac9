"""Branches of recorded runs."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rlm_sandbox import Branch, Run, SandboxError, Session, replay

SCRIPTS = [
    "lines = {str(n): n for n in range(500)}\nfirst = look('a')",
    "answers = [llm_query('one'), look('b'), llm_query('two')]\nanswers",
    "print(len(lines), answers)\nid(lines)",
]


class Asked:
    """Handlers that count."""

    def __init__(self, says="said"):
        self.says = says
        self.tools = 0
        self.prompts = 0

    def look(self, what):
        self.tools += 1
        return what.upper()

    def llm(self, prompt):
        self.prompts += 1
        return f"{self.says} {prompt}"


@pytest.fixture
def recorded(tmp_path):
    path = tmp_path / "run.jsonl"
    asked = Asked()
    with Session(tools=[asked.look], llm=asked.llm, record=path) as session:
        outcomes = [session.exec(script) for script in SCRIPTS]
    return path, outcomes


def shown(outcomes):
    return [(outcome.repr, outcome.stdout, outcome.usage.fuel) for outcome in outcomes]


def test_a_run_lists_its_turns(recorded):
    path, _ = recorded
    with Run(path) as run:
        turns = run.turns()
    assert [(turn.number, turn.source) for turn in turns] == list(enumerate(SCRIPTS))
    calls = [[(call.ticket, call.name) for call in turn.calls] for turn in turns]
    assert calls == [[(0, "look")], [(1, "llm_query"), (2, "look"), (3, "llm_query")], []]
    assert turns[0].calls[0].arguments == '{"args":["a"],"kwargs":{}}'
    with pytest.raises(SandboxError, match="No such file"):
        Run(path.with_name("none")).turns()


def test_an_execution_that_was_not_recorded_is_no_place(recorded):
    path, _ = recorded
    Session.from_journal(path, exec=3).close()
    with pytest.raises(SandboxError, match="no execution 4"):
        Session.from_journal(path, exec=4)


def test_a_branch_goes_on_as_the_run_did(recorded):
    path, outcomes = recorded
    asked = Asked()
    with Run(path, tools=[asked.look], llm=asked.llm) as run:
        for turn in range(4):
            with run.branch(turn) as branch:
                assert list(branch.scripts) == SCRIPTS[turn:]
                assert shown(branch.finish()) == shown(outcomes[turn:])
                assert branch.advance() is None
    assert (asked.tools, asked.prompts) == (1 + 1 + 1, 2 + 2)


def test_an_answer_is_changed_and_what_comes_before_it_is_not_asked_again(recorded):
    path, _ = recorded
    asked = Asked()
    with Run(path, tools=[asked.look], llm=asked.llm) as run:
        with run.branch(1, answers={2: "other"}) as branch:
            assert branch.advance().value == ["said one", "other", "said two"]
        assert (asked.tools, asked.prompts) == (0, 1)
        with run.branch(turn=0, answers={3: ValueError("gone")}) as branch:
            first, second = branch.finish()[:2]
            assert first.ok
            assert second.error.kind == "ValueError"
        assert (asked.tools, asked.prompts) == (0, 1)
        with pytest.raises(SandboxError, match="answered with a text"):
            run.branch(1, answers={1: 7})
        with pytest.raises(SandboxError, match="no call 9"):
            run.branch(1, answers={9: "x"})
        with pytest.raises(SandboxError, match="no execution 4"):
            run.branch(4)
        with pytest.raises(SandboxError, match="no execution -1"):
            run.branch(-1)
        with pytest.raises(SandboxError, match="leave them out"):
            run.branch(1, answers={1: "x"}, code="1")


def test_another_script_and_other_handlers(recorded):
    path, _ = recorded
    asked, other = Asked(), Asked("other")
    with Run(path, tools=[asked.look], llm=asked.llm) as run:
        with run.branch(1, code="answers = [llm_query('x')]\nfirst, answers", llm=other.llm) as branch:
            assert branch.advance().value == ("A", ["other x"])
        def look(what: str) -> int:
            """Looks otherwise."""
            return 5

        with run.branch(1, tools=[look]) as branch:
            assert branch.advance().value == ["said one", 5, "said two"]
        with pytest.raises(SandboxError, match="functions of its run"):
            run.branch(1, tools={"find": lambda what: 5})


def test_a_branch_has_functions_that_the_run_has_not(recorded):
    path, _ = recorded
    asked = Asked()

    def find(what: str) -> str:
        return f"found {what}"

    with Run(path, tools=[asked.look, find], llm=asked.llm) as run:
        with run.branch(1, code="find(first), look('x')", record=True) as branch:
            assert branch.advance().value == ("found A", "X")
            assert branch.number == 1
    with Run(path, tools=[asked.look], llm=asked.llm) as run, run.branch(1, code="find(first)") as branch:
        assert branch.advance().error.kind == "NameError"


def test_a_run_without_handlers_is_branched_where_none_are_needed(recorded):
    path, outcomes = recorded
    with Run(path) as run:
        with run.branch(2) as branch:
            assert shown(branch.finish()) == shown(outcomes[2:])
        with run.branch(1, code="look('x')") as branch:
            assert not branch.advance().ok
        with run.branch(1, code="llm_query('x')") as branch:
            assert "model" in str(branch.advance().error)


def test_branches_are_recorded_and_branched_again(recorded):
    path, _ = recorded
    asked = Asked("other")
    with Run(path, tools=[asked.look], llm=asked.llm) as run:
        numbers = []
        for _ in range(3):
            with run.branch(1, record=True) as branch:
                branch.finish()
                numbers.append(branch.number)
    assert numbers == [1, 2, 3]
    file = path.with_name("run.jsonl.branches") / "2.jsonl"
    with Run(file, tools=[asked.look], llm=asked.llm) as run, run.branch(2, record=True) as branch:
        assert "other one" in branch.advance().stdout
        assert branch.number == 4
    prompts = asked.prompts
    for number in range(1, 5):
        said = replay(file.with_name(f"{number}.jsonl"))
        assert said["identical"], said
    assert asked.prompts == prompts
    with Session.from_journal(file, tools=[asked.look], llm=asked.llm) as session:
        assert session.exec("len(answers)").value == 3


def test_what_would_be_lost_is_refused(recorded):
    path, _ = recorded
    asked = Asked()
    with Run(path, tools=[asked.look], llm=asked.llm) as run:
        with run.branch(1, answers={2: "other"}) as branch:
            with pytest.raises(SandboxError, match="yet to come"):
                branch.session.park()
            with branch.session.fork() as fork:
                assert fork.exec(SCRIPTS[1]).value[1] == "other"
            branch.advance()
            assert branch.session.park()
        # The session at the place does nothing but to be forked.
        place, _ = run._session_at(1)
        for used in (lambda: place.exec("x = 1"), lambda: place.get("x"), lambda: place.variables(), lambda: place.park()):
            with pytest.raises(SandboxError, match="is forked"):
                used()
        with run.branch(1) as branch:
            assert branch.advance().ok


def test_many_branches_run_at_once(recorded):
    path, outcomes = recorded
    asked = Asked()

    def slow(prompt):
        time.sleep(0.05)
        return asked.llm(prompt)

    with Run(path, tools=[asked.look], llm=slow) as run:
        branches = [run.branch(1) for _ in range(64)]
        with ThreadPoolExecutor(64) as pool:
            found = list(pool.map(Branch.finish, branches))
        for branch in branches:
            branch.close()
    assert all(shown(one) == shown(outcomes[1:]) for one in found)
    assert (asked.tools, asked.prompts) == (64, 128)


@pytest.mark.parametrize(
    ("name", "says"),
    [("tree_search", "best total 35, wanted 35"), ("rollouts", "64 rollouts, rewards {0.0: ")],
)
def test_examples_run(name, says):
    if name == "rollouts":
        pytest.importorskip("verifiers")
    example = pathlib.Path(__file__).parent.parent / "examples" / f"{name}.py"
    ran = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False, timeout=120)
    assert ran.stdout.startswith(says), ran
