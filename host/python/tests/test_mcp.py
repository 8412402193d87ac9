"""The official client of the Model Context Protocol with our server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import rlm_sandbox
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

LOG = "\n".join(f"{i:05} {'ERROR disk full' if i % 250 == 9 else 'INFO fine'}" for i in range(1000)) + "\n"


@asynccontextmanager
async def client(*arguments: str) -> AsyncIterator[ClientSession]:
    server = StdioServerParameters(command=rlm_sandbox.find_binary(), args=["mcp", *arguments])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


def run(test: Callable[[ClientSession], Awaitable[None]], *arguments: str) -> None:
    async def main() -> None:
        async with client(*arguments) as session:
            await test(session)

    asyncio.run(asyncio.wait_for(main(), 120))


async def call(session: ClientSession, tool: str, **arguments: Any) -> Any:
    """What a tool gives, checked by the client against the schema that the server declared."""
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.structured_content


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "server.log"
    path.write_text(LOG)
    return str(path)


def test_python_over_a_loaded_log(log: str) -> None:
    async def test(session: ClientSession) -> None:
        loaded = await call(session, "load_context", path=log)
        assert loaded == {
            "name": "server.log", "uri": "context://server.log", "mime_type": "text/plain", "size_bytes": len(LOG),
            "characters": len(LOG), "lines": 1000, "default_context": "server.log", "note": None,
            "python": 'files["server.log"]',
        }  # fmt: skip
        found = await call(session, "search_context", pattern="ERROR .*", max_matches=2, around=1)
        assert found["total"] == 4 and found["truncated"] and found["matches"][0]["line"] == 10
        offset = found["matches"][1]["offset"]
        ran = await call(session, "exec_python", code=f"print(context[{offset}:][:10])\nerrors = context.count('ERROR')\nerrors")
        assert ran["stdout"] == "ERROR disk\n" and ran["return_value"] == "4" and ran["success"]
        assert (await call(session, "get_variable", name="errors"))["value"] == 4
        listed = await call(session, "list_variables")
        assert [one["name"] for one in listed["variables"]] == ["errors"]
        assert [one["name"] for one in listed["contexts"]] == ["server.log"]
        assert await call(session, "reset") == {"variables": 1}
        assert (await call(session, "exec_python", code="len(context)"))["return_value"] == str(len(LOG))

    run(test, "--allow-read", str(Path(log).parent))


def test_tools_say_what_they_do(log: str) -> None:
    async def test(session: ClientSession) -> None:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert sorted(tools) == [
            "exec_python", "get_variable", "list_variables", "load_context", "remove_context", "reset",
            "search_context",
        ]  # fmt: skip
        for name, tool in tools.items():
            assert tool.description and tool.output_schema and tool.output_schema["type"] == "object", name
            assert tool.annotations is not None and tool.annotations.open_world_hint is False
            reads = name in ("get_variable", "list_variables", "search_context")
            assert tool.annotations.read_only_hint is reads
            assert tool.annotations.idempotent_hint is (name != "exec_python")

    run(test)


def test_tools_that_run_scripts_are_those_of_the_library() -> None:
    with rlm_sandbox.Session() as session:
        described = session.tools("mcp")

    async def test(session: ClientSession) -> None:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        for one in described:
            tool = tools[one["name"]]
            assert tool.description == one["description"] and tool.input_schema == one["inputSchema"]
        assert "llm_query" not in tools["exec_python"].description
        result = await call(session, "exec_python", code="x = [1]\nx")
        with rlm_sandbox.Session() as other:
            expected = other.call_tool("exec_python", {"code": "x = [1]\nx"})
        differing = {"execution_time_ms", "usage", "fuel"}
        assert {k: v for k, v in result.items() if k not in differing} == {
            k: v for k, v in expected.items() if k not in differing
        }

    run(test)


def test_failures_are_results_that_a_model_can_read() -> None:
    async def test(session: ClientSession) -> None:
        failed = await session.call_tool("exec_python", {"code": "x = 1\n{}['k']"})
        assert failed.is_error and failed.structured_content["error"] == "KeyError: 'k'"
        assert "KeyError" in failed.content[0].text
        endless = await session.call_tool("exec_python", {"code": "while True: pass", "timeout_ms": 100})
        assert endless.structured_content["error_kind"] == "timeout"
        assert endless.structured_content["state"] == "rolled_back"
        for tool, arguments, message in [
            ("get_variable", {"name": "nope"}, "list_variables"),
            ("search_context", {"pattern": "x"}, "load_context"),
            ("search_context", {"pattern": "("}, "pattern cannot be used"),
            ("load_context", {"path": "/etc/passwd"}, "--allow-read"),
            ("search_context", {"pattern": "x", "context": "nope"}, "load_context"),
            ("load_context", {"text": "x"}, "`name`"),
            ("load_context", {}, "either"),
            ("exec_python", {"kode": "1"}, "exec_python: missing 'code' parameter"),
            ("exec_python", {"code": "1", "timeout_ms": 0}, "'timeout_ms' must be a whole number"),
            ("exec_python", {"code": 1}, "'code' must be a string"),
        ]:
            refused = await session.call_tool(tool, arguments)
            assert refused.is_error and message in refused.content[0].text, refused
        # The time limit of one call is not that of the next.
        slow = await call(session, "exec_python", code="sum(range(300_000))")
        assert slow["success"]

    run(test)


def test_results_are_cut() -> None:
    async def test(session: ClientSession) -> None:
        for code in (
            "print('a' * 500_000)", "'b' * 500_000", "raise ValueError('c' * 500_000)", "FINAL(['d'] * 200_000)",
            "import sys\nprint('e' * 500_000, file=sys.stderr)", "for i in range(3000): exec_name = i\n[1] * 100_000",
        ):  # fmt: skip
            result = await session.call_tool("exec_python", {"code": code})
            length = len(json.dumps(result.structured_content))
            assert length < 5000, (code, length)
            assert len(result.content[0].text) < 3500, code
        await session.call_tool("exec_python", {"code": "big = list(range(100_000))"})
        big = await call(session, "get_variable", name="big")
        assert big["truncated"] and big["value"] is None and len(big["repr"]) < 2500
        await call(session, "load_context", name="wide", text=("x" * 5000 + "\n") * 500)
        found = await call(session, "search_context", pattern="x", max_matches=200)
        assert found["truncated"] and len(json.dumps(found)) < 5000

    run(test, "--max-output", "2000")


def test_contexts_are_resources(log: str) -> None:
    async def test(session: ClientSession) -> None:
        await call(session, "load_context", name="a b/é.json", text='{"k": 1}', json=True)
        listed = {resource.name: resource for resource in (await session.list_resources()).resources}
        assert set(listed) == {"server.log", "a b/é.json"} and listed["server.log"].size == len(LOG)
        (whole,) = (await session.read_resource(listed["a b/é.json"].uri)).contents
        assert whole.text == '{"k": 1}' and whole.mime_type == "application/json"
        (part,) = (await session.read_resource("context://server.log?start=6&length=4")).contents
        assert part.text == "INFO"
        assert len((await session.list_resource_templates()).resource_templates) == 1
        for uri in ("context://nope", "context://server.log?from=1"):
            with pytest.raises(Exception, match="resource|start"):
                await session.read_resource(uri)

    run(test, "--context", log)


def test_progress_is_told_and_a_call_can_be_canceled() -> None:
    async def test(session: ClientSession) -> None:
        told: list[str | None] = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append(message)

        code = "for i in range(10**9):\n    if i == 1000: print('step one')"
        task = asyncio.create_task(
            session.call_tool("exec_python", {"code": code, "timeout_ms": 60000}, progress_callback=progress)
        )
        while "step one" not in told:
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # The session is free again long before the minute is over.
        again = await asyncio.wait_for(call(session, "exec_python", code="1 + 1"), 30)
        assert again["return_value"] == "2"

    run(test)


def test_the_model_is_a_command() -> None:
    async def test(session: ClientSession) -> None:
        assert (await call(session, "exec_python", code="llm_query('hello')"))["return_value"] == "'HELLO'"

    run(test, "--llm-command", "tr a-z A-Z")
