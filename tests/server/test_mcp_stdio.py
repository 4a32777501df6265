"""`pmg mcp`: the pump between a client's pipes and the one server, with the real client and by hand."""

from __future__ import annotations

import asyncio
import importlib.util
import io
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters

from pmg.__main__ import pump_words
from pmg.base.model import Line, Role, Turn
from pmg.client import discovery
from pmg.connections import change
from pmg.connections.check import answers
from pmg.connections.known_tools import JSON, KNOWN, ConfigPlaces, KnownTool, ToolCommand
from pmg.ingest.turns import SessionInput
from pmg.server import detached, mcp_offline
from pmg.server.mcp.caller import READS, TOOLS
from pmg.server.stdio_pump import PumpOptions, Refused, StdioProxy
from tests.browser.conftest import Served
from tests.event_loop import call_apart, run_apart
from tests.no_page import pageless
from tests.server.mcp_client import ERAS, Use, over_http, text_of
from tests.tiers import one_fast

PAGE = True  # it is asked beside everything else
ROOT = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def words(home: Path, *options: str) -> list[str]:
    return ["-m", "pmg", "--home", str(home), "mcp", *options]


def over_stdio(home: Path, use: Use, *options: str, mode: str = "auto", **environment: str) -> Any:
    async def go() -> Any:
        known = {**ENVIRONMENT, **environment}
        started = StdioServerParameters(command=sys.executable, args=words(home, *options), env=known)
        async with Client(started, mode=mode) as client:
            return await use(client)

    return run_apart(go())


def pumped(home: Path, given: bytes, *options: str) -> list[dict[str, Any]]:
    """Whole lines of JSON are all that comes out."""
    run = subprocess.run([sys.executable, *words(home, *options)], input=given, capture_output=True, env=ENVIRONMENT, timeout=120)  # fmt: skip
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.decode("ascii").splitlines()]


def request(method: str, number: int = 1, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


@pytest.mark.parametrize("mode", one_fast([*ERAS, "auto"]))
def test_the_tools_work_through_the_pump(served: Served, mode: str) -> None:
    async def use(client: Client) -> str:
        assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
        told = await client.call_tool("remember", {"user": f"the ferry of {mode} leaves at nine"})
        assert not told.is_error
        assert (await client.read_resource("pmg://today")).contents
        missing = await client.call_tool("fetch", {"id": "nothing – here"})
        assert missing.is_error
        return text_of(await client.call_tool("recall", {"question": "ferry"}))

    found = over_stdio(served.home, use, "--namespace", f"sea-{mode}", mode=mode)
    assert f"the ferry of {mode} leaves at nine" in found


def test_what_comes_through_the_pump_is_marked_with_its_client(served: Served) -> None:
    hello = request("initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "Claude Code", "version": "2"})  # fmt: skip
    with subprocess.Popen([sys.executable, *words(served.home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(hello)
        process.stdin.flush()
        first = json.loads(process.stdout.readline())
        assert first["result"]["protocolVersion"] == "2025-06-18" and first["result"]["instructions"]
        process.stdin.write(request("tools/call", 2, name="remember", arguments={"user": "hi", "session": "marked"}))
        process.stdin.close()
        assert "Remembered as seg_marked_0" in process.stdout.read().decode()
        assert process.wait(30) == 0
    assert served.engine.segment("seg_marked_0").source == "claude-code"


def test_a_connection_is_checked_with_a_real_call(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert answers([sys.executable, *words(served.home)]) == ""
    assert "There is no tool" in answers([sys.executable, *words(served.home, "--tools", "nothing")])
    assert answers([sys.executable, "-c", "pass"])
    assert answers([str(served.home / "nothing")])


@pytest.mark.parametrize("tool", one_fast(KNOWN), ids=lambda one: one.name)
def test_the_entry_in_a_tools_file_is_what_a_client_can_start(served: Served, tool: KnownTool, tmp_path: Path) -> None:
    """As the tool does it: the file is read, the command in it started, and spoken to."""
    places = ConfigPlaces(tmp_path / "person", "linux", {})
    for todo in change.connecting(tool, places, ToolCommand.of(served.home, tool.name, False)):
        change.carry_out(todo, tool, tmp_path)
    text = tool.file(places).read_text()
    entry = (json.loads(text) if tool.form == JSON else tomllib.loads(text))[tool.key]["pmg"]

    async def go() -> tuple[set[str], str]:
        started = StdioServerParameters(command=entry["command"], args=entry["args"], env=ENVIRONMENT)
        async with Client(started) as client:
            listed = {one.name for one in (await client.list_tools()).tools}
            await client.call_tool("remember", {"text": f"The kettle of {tool.name} whistles."})
            return listed, text_of(await client.call_tool("recall", {"question": "kettle"}))

    listed, found = run_apart(go())
    assert listed == set(TOOLS) and f"The kettle of {tool.name} whistles." in found


def test_a_narrowed_pump_shows_the_narrowed_set(served: Served) -> None:
    (told,) = pumped(served.home, request("tools/list"), "--read-only")
    assert [tool["name"] for tool in told["result"]["tools"]] == [name for name in TOOLS if name in READS]
    (told,) = pumped(served.home, request("tools/list"), "--tools", "recall,remember")
    assert [tool["name"] for tool in told["result"]["tools"]] == ["recall", "remember"]
    (told,) = pumped(served.home, request("tools/list"), "--tools", "nothing")
    assert "There is no tool 'nothing'" in told["error"]["message"]


def test_bad_lines_are_answered_and_the_next_one_works(served: Served) -> None:
    odd = [b"{\n", b"\xff\xfe\n", b"[]\n", b"\n", b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n']
    large = request("tools/call", 7, name="remember", arguments={"user": "x" * 10_000_000})
    told = pumped(served.home, b"".join(odd) + large + request("ping", 8))
    assert [one["error"]["code"] for one in told if one["id"] is None] == [-32700, -32700, -32600]
    assert "result" in next(one for one in told if one["id"] == 8)
    assert "error" in next(one for one in told if one["id"] == 7)


def test_text_of_any_script_passes_whatever_the_console_is_set_to(served: Served) -> None:
    told = "Grüße 東京 🎉"
    call = request("tools/call", 1, name="remember", arguments={"user": told, "session": "scripts"})
    run = subprocess.run([sys.executable, *words(served.home)], input=call, capture_output=True, timeout=120,
                         env={**ENVIRONMENT, "PYTHONIOENCODING": "cp1251", "LC_ALL": "C"})  # fmt: skip
    assert run.stdout.isascii() and json.loads(run.stdout)["result"]
    assert served.engine.segment("seg_scripts_0").lines[0].text == told


def test_the_file_says_what_the_server_says() -> None:
    spec = importlib.util.spec_from_file_location("make_mcp_listing", ROOT / "docs" / "make_mcp_listing.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert mcp_offline.FILE.read_text(encoding="utf-8") == call_apart(made.listing), (
        "run `python docs/make_mcp_listing.py`"
    )


def test_the_file_answers_what_needs_no_memory_and_nothing_else() -> None:
    def answered(method: str, **params: Any) -> Any:
        return mcp_offline.answer({"jsonrpc": "2.0", "id": 3, "method": method, "params": params})

    assert answered("initialize", protocolVersion="2025-03-26")["result"]["protocolVersion"] == "2025-03-26"
    assert answered("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == "2025-11-25"
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    assert answered("server/discover", _meta=meta)["result"]["supportedVersions"]
    assert [tool["name"] for tool in answered("tools/list", _meta=meta)["result"]["tools"]] == list(TOOLS)
    assert answered("tools/call", name="recall") is None and answered("resources/read") is None


def test_the_pump_starts_without_anything_heavy(tmp_path: Path) -> None:
    told = (
        "import sys; sys.argv = ['pmg', '--home', sys.argv[1], 'mcp']\n"
        "from pmg.__main__ import main; main()\n"
        "heavy = {'mcp', 'mcp_types', 'pmg.engine', 'pmg.config', 'torch', 'typer', 'numpy', 'pydantic', 'http.client', 'httpx'}\n"
        "print(*sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, "-c", told, str(tmp_path)], input=b"", capture_output=True, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode == 0 and run.stderr.strip() == b"", run.stderr
    assert run.stdout == b"" and list(tmp_path.iterdir()) == []
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0  # 0.1 on a quiet machine


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("mcp", {}),
        ("--home /x mcp --read-only", {"home": "/x", "read_only": "1"}),
        ("mcp --home=/x --tools recall --namespace work", {"home": "/x", "tools": "recall", "namespace": "work"}),
        ("mcp --help", None),
        ("mcp mcp", None),
        ("mcp --home", None),
        ("--tools x mcp", None),
        ("recall mcp", None),
        ("", None),
    ],
)
def test_only_a_plain_command_takes_the_short_way(typed: str, found: dict[str, str] | None) -> None:
    assert pump_words(typed.split()) == found


@pytest.mark.slow
def test_two_clients_of_each_kind_at_once_with_the_page_and_the_steward(served: Served, api: httpx.Client) -> None:
    """Each tells and asks in a namespace of its own, while the page is read and upkeep runs."""

    def told(name: str, run: Callable[[Use], Any]) -> str:
        async def use(client: Client) -> str:
            for number in range(4):
                answer = await client.call_tool("remember", {"user": f"{name} saw garden {number}", "session": f"{name}-{number}"})  # fmt: skip
                assert not answer.is_error, text_of(answer)
            return text_of(await client.call_tool("recall", {"question": f"{name} garden"}))

        return str(run(use))

    def stdio(name: str) -> str:
        return told(name, lambda use: over_stdio(served.home, use, "--namespace", name))

    def http(name: str) -> str:
        return told(name, lambda use: over_http(served.address, served.token, use, path=f"/mcp/{name}"))

    def page(_: str) -> str:
        assert all("gradio" in api.get("/").text for _ in range(3))
        return ""

    def upkeep(_: str) -> str:
        assert all(api.post("/api/v1/steward/run", json={}).is_success for _ in range(2))
        return ""

    works = [(stdio, "pump-a"), (stdio, "pump-b"), (http, "web-a"), (http, "web-b"), (page, ""), (upkeep, "")]
    with ThreadPoolExecutor(len(works)) as pool:
        found = list(pool.map(lambda one: one[0](one[1]), works))
    for (work, name), block in zip(works, found, strict=True):
        if work in (stdio, http):
            assert all(f"{name} saw garden {number}" in block for number in range(4))
            assert not any(other in block for _, other in works if other not in ("", name))


@pytest.mark.slow
def test_a_client_that_never_reads_holds_up_nobody_else(served: Served) -> None:
    """Its pipe fills up with answers; the server and other clients go on, and it ends when its client does."""
    served.engine.ingest([SessionInput([Turn((Line("Ana", Role.PERSON, "garden " * 400),))], id="long", namespace="full")])  # fmt: skip
    deaf = subprocess.Popen([sys.executable, *words(served.home, "--namespace", "full")],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)  # fmt: skip
    assert deaf.stdin is not None and deaf.stdout is not None
    asked = b"".join(request("tools/call", n, name="fetch", arguments={"id": "long"}) for n in range(200))
    writing = threading.Thread(target=_written, args=(deaf.stdin, asked), daemon=True)
    writing.start()

    async def use(client: Client) -> str:
        return text_of(await client.call_tool("recall", {"question": "garden"}))

    assert "garden" in over_stdio(served.home, use, "--namespace", "full")
    assert deaf.poll() is None
    deaf.kill()
    deaf.wait(30)
    writing.join(30)
    deaf.stdout.close()
    with suppress(BrokenPipeError):  # what was never written goes nowhere
        deaf.stdin.close()
    assert "garden" in over_stdio(served.home, use, "--namespace", "full")


def _written(pipe: Any, given: bytes) -> None:
    try:
        pipe.write(given)
        pipe.flush()
    except OSError:  # its reader is gone
        pass


@pytest.mark.slow
def test_an_encrypted_memory_opens_for_the_pump_with_the_passphrase_in_its_environment(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    passphrase = "correct horse battery staple"
    without = {**ENVIRONMENT, "PYTHONPATH": pageless(tmp_path)}
    environment = {**without, "PMG_PASSPHRASE": passphrase}
    for typed in (["remember", "--user", "the key is under the mat"], ["encrypt"]):
        subprocess.run([sys.executable, "-m", "pmg", "--home", str(home), *typed], check=True, env=environment, capture_output=True, timeout=300)  # fmt: skip
    ask = request("tools/call", 1, name="recall", arguments={"question": "where is the key"})
    try:
        locked = subprocess.run([sys.executable, *words(home)], input=ask, capture_output=True, env=without, timeout=300)  # fmt: skip
        assert "could not start" in json.loads(locked.stdout)["error"]["message"]
        with subprocess.Popen([sys.executable, *words(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:  # fmt: skip
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(ask)
            process.stdin.flush()
            assert "under the mat" in json.loads(process.stdout.readline())["result"]["content"][0]["text"]
            process.stdin.close()
            assert process.wait(60) == 0
    finally:
        _stopped(home)


@pytest.mark.slow
def test_a_missing_server_is_started_once_and_a_killed_one_replaced(tmp_path: Path) -> None:
    """One client after another finds the server that the first one started; then it is killed between two calls."""
    home, path = tmp_path / "memory", pageless(tmp_path)

    async def use(client: Client) -> None:
        assert len((await client.list_tools()).tools) == len(TOOLS)
        assert not (await client.call_tool("remember", {"user": "the key is under the mat"})).is_error
        for _ in range(2):  # one that another pump started, then its own
            first = _server(home)
            os.kill(first, signal.SIGKILL)
            while discovery.find(home) is not None:
                await asyncio.sleep(0.05)
            assert "under the mat" in text_of(await client.call_tool("recall", {"question": "where is the key"}))
            assert _server(home) != first

    async def look(client: Client) -> None:
        assert not (await client.call_tool("status", {})).is_error

    try:
        over_stdio(home, look, mode="legacy", PYTHONPATH=path)
        started = _server(home)
        over_stdio(home, look, mode="auto", PYTHONPATH=path)
        assert _server(home) == started, "the server stays when its client ends, and is found again"
        over_stdio(home, use, mode="legacy", PYTHONPATH=path)
    finally:
        _stopped(home)


@dataclass
class Ended:
    """A server's process that is no more."""

    returncode: int

    def poll(self) -> int:
        return self.returncode


def test_only_who_waited_for_a_server_is_told_that_it_could_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detached, "start_server", lambda _: Ended(-signal.SIGKILL))
    pump = StdioProxy(PumpOptions(tmp_path), io.BytesIO())
    first = pump._start(None)
    with pytest.raises(Refused, match="could not start"):
        pump._start(first)
    second = pump._start(None)
    assert second is not first, "a new call tries anew, whether the server was killed or failed"
    with pytest.raises(Refused, match="could not start"):
        pump._start(second)


def test_a_folder_outside_of_a_repository_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients of the desktop start their tools at home, in `/` or beside themselves."""
    inner = tmp_path / "shop" / "src"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert PumpOptions(tmp_path).folder == ""
    (tmp_path / "shop" / ".git").mkdir()
    assert PumpOptions(tmp_path).folder == str(inner)


def _stopped(home: Path) -> None:
    place = discovery.find(home)
    if place is not None:
        os.kill(place.pid, signal.SIGTERM)
        end = time.monotonic() + 60
        while discovery.find(home) is not None and time.monotonic() < end:
            time.sleep(0.1)


def _server(home: Path) -> int:
    place = discovery.find(home)
    assert place is not None
    return place.pid
