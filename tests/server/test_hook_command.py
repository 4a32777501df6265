"""`pmg hook`: light, silent, and never anything but 0, whatever is wrong."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pmg.__main__ import hook_words
from pmg.base.model import Line, Role, Turn
from pmg.client import discovery
from pmg.client.discovery import RunningServer, ServerClaim
from pmg.embed.load import default_cache_dir
from pmg.ingest.turns import SessionInput
from pmg.server import hook_command
from pmg.server.hooks import app as hooks_app
from pmg.server.hooks import events
from tests.browser.conftest import Served, serving
from tests.no_page import pageless
from tests.server.hook_events import event, prompted, write_transcript

ROOT = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hooks_app, "DEADLINE_SECONDS", 60.0)
        for one in serving(tmp_path_factory.mktemp("hooks") / "memory", {"steward": {"enabled": False}}, page=False):  # fmt: skip
            turn = Turn((Line("Ana", Role.PERSON, "We chose the black cherry tomato seeds, grüße 🎉."),))
            one.engine.ingest([SessionInput([turn], "Plans", id="plans")])
            yield one


def hooked(home: Path, *words: str, given: bytes, patience: float = 60.0) -> bytes:
    """What the tool reads. Nothing on standard error, and 0."""
    code = f"import pmg.server.hook_command as c; c.TIMEOUT = {patience}; from pmg.__main__ import main; main()"
    run = subprocess.run([sys.executable, "-c", code, "--home", str(home), "hook", *words], input=given,
                         capture_output=True, env={**ENVIRONMENT, "LC_ALL": "C"}, timeout=120)  # fmt: skip
    assert (run.returncode, run.stderr) == (0, b"")
    return run.stdout


def said(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode()


def test_the_answer_of_the_server_is_printed(served: Served) -> None:
    out = hooked(served.home, "codex", given=said(prompted("codex", "s1", "which tomato seeds for the garden?")))
    assert out.isascii()
    told = json.loads(out)["hookSpecificOutput"]
    assert told["hookEventName"] == "UserPromptSubmit" and "black cherry" in told["additionalContext"]
    other = hooked(served.home, "codex", "--namespace", "other", given=said(prompted("codex", "s1", "which tomato seeds?")))  # fmt: skip
    assert other == b""


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["codex"], b""),
        (["codex"], b"{"),
        (["codex"], b"[]"),
        (["codex"], b"x" * 10_000_000),
        (["codex"], said(event("PreToolUse", "s1"))),
        (["codex"], said(event("Stop", "s1", transcript_path="/etc/passwd"))),
        (["emacs"], said(event("Stop", "s1"))),
        ([], said(event("Stop", "s1"))),
        (["codex", "--unknown", "--namespace", "no wall!"], said(event("Stop", "s1"))),
    ],
)
def test_whatever_is_wrong_the_tool_goes_on(served: Served, words: list[str], given: bytes) -> None:
    assert hooked(served.home, *words, given=given) == b""


@pytest.mark.parametrize(
    ("tool", "given", "reason"),
    [
        ("codex", b"not json", "400, The body is not JSON"),
        ("codex", b"x" * 5_000_000, "it has more than 4,194,304 bytes"),
        ("cursor", said(event("Stop", "s1")), "404, There are no hooks for 'cursor'"),
        (
            "codex",
            said(event("Stop", "s1", transcript_path="/etc/passwd")),
            "400, transcript_path is not a transcript of Codex",
        ),
    ],
)
def test_a_refused_event_is_a_line_in_the_log(served: Served, tool: str, given: bytes, reason: str) -> None:
    (served.home / "logs" / "hook.log").unlink(missing_ok=True)
    assert hooked(served.home, tool, given=given) == b""
    (line,) = (served.home / "logs" / "hook.log").read_text(encoding="utf-8").splitlines()
    assert f"was not handed over: {reason}" in line and "passwd" not in line


def test_a_tool_whose_folder_a_variable_moved_is_known_to_a_server_without_that_variable(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "CLAUDE_CONFIG_DIR", str(tmp_path / ".claude"))
    file = write_transcript("claude-code", tmp_path, "moved", ("The moved fern.", "It is on the sill."))
    (served.home / "logs" / "hook.log").unlink(missing_ok=True)
    assert hooked(served.home, "claude-code", given=said(event("Stop", "moved", transcript_path=str(file)))) == b""
    assert not (served.home / "logs" / "hook.log").exists()
    end = time.monotonic() + 60
    while not any(one.source == "claude-code" for one in served.engine.sessions()):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name is Unicode")
def test_a_folder_whose_name_is_not_utf_8_loses_no_event(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its transcripts cannot be named in the event, which is JSON: that is told in the log."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    monkeypatch.setitem(ENVIRONMENT, "CLAUDE_CONFIG_DIR", str(folder))
    log = served.home / "logs" / "hook.log"
    log.unlink(missing_ok=True)
    out = hooked(served.home, "claude-code", given=said(prompted("claude-code", "cafe", "tomato seeds of the garden")))
    assert b"black cherry" in out and not log.exists()
    file = str(folder / "projects" / "x" / "a.jsonl")
    assert hooked(served.home, "claude-code", given=said(event("Stop", "cafe", transcript_path=file))) == b""
    assert "400, transcript_path is not a transcript of Claude Code" in log.read_text(encoding="utf-8")


def test_what_went_wrong_is_a_line_in_the_log_without_its_words(tmp_path: Path) -> None:
    assert hooked(tmp_path, "codex", given=b'{"prompt": "the garden plan') == b""
    file = tmp_path / "logs" / "hook.log"
    (line,) = file.read_text(encoding="utf-8").splitlines()
    assert line.endswith(": JSONDecodeError") and "garden" not in line
    if os.name == "posix":
        assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    file.write_text("x" * (hook_command.MAX_LOG_BYTES + 1))
    assert hooked(tmp_path, "codex", given=b"[]") == b""
    (line,) = file.read_text(encoding="utf-8").splitlines()
    assert line.endswith(": AttributeError")


def test_where_there_is_no_memory_nothing_is_logged(tmp_path: Path) -> None:
    assert hooked(tmp_path / "none", "codex", given=b"{") == b""
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_answer_does_not_hold_the_tool(tmp_path: Path) -> None:
    """It takes the connection and says nothing; what a tool waits for is our own limit."""
    claim = ServerClaim.take(tmp_path)
    assert claim is not None
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(5)
        claim.tell(RunningServer(f"http://127.0.0.1:{silent.getsockname()[1]}", "t", os.getpid(), ""))
        try:
            assert hooked(tmp_path, "codex", given=said(prompted("codex", "s1", "the garden")), patience=0.2) == b""
            assert "was not handed over: " in (tmp_path / "logs" / "hook.log").read_text(encoding="utf-8")
        finally:
            claim.release()


def test_a_tool_that_never_closes_its_end_is_not_waited_for(tmp_path: Path) -> None:
    code = "import pmg.server.hook_command as c; c.TIMEOUT = 0.2; from pmg.__main__ import main; main()"
    words = [sys.executable, "-c", code, "--home", str(tmp_path), "hook", "codex"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b"" and process.wait(60) == 0


def test_without_a_server_what_lies_between_start_and_end_starts_none(tmp_path: Path) -> None:
    for told in (prompted("codex", "s1", "the garden plan"), event("Stop", "s1"), event("PreCompact", "s1")):
        assert hooked(tmp_path, "codex", given=said(told)) == b""
    assert list(tmp_path.iterdir()) == []


def test_it_starts_without_anything_heavy(tmp_path: Path) -> None:
    told = (
        "import os, sys; sys.argv = ['pmg', '--home', sys.argv[1], 'hook', 'codex']\n"
        "heavy = {'mcp', 'pmg.engine', 'pmg.config', 'torch', 'typer', 'numpy', 'pydantic', 'http.client', 'httpx', 'subprocess'}\n"
        "def leave(code): print(code, *sorted(heavy & set(sys.modules)), file=sys.stderr, flush=True); os.kill(os.getpid(), 9)\n"
        "os._exit = leave\n"
        "from pmg.__main__ import main; main()\n"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, "-c", told, str(tmp_path)], input=said(event("Stop", "s1")), capture_output=True, env=ENVIRONMENT)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.stderr.strip() == b"0", run.stderr
    assert run.stdout == b"" and list(tmp_path.iterdir()) == []
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0  # 0.06 on a quiet machine


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("hook codex", {"command": "hook", "tool": "codex"}),
        ("--home /x --namespace=w hook codex", {"command": "hook", "tool": "codex", "home": "/x", "namespace": "w"}),
        ("hook codex --deliver", {"command": "hook", "tool": "codex", "deliver": "1"}),
        ("hook", {"command": "hook"}),
        ("hook codex --odd -x", {"command": "hook", "tool": "codex"}),
        ("hook --help", None),
        ("mcp hook", None),
        ("recall hook", None),
        ("--verbose recall hook", None),
        ("", None),
    ],
)
def test_a_hook_is_known_whatever_else_is_said(typed: str, found: dict[str, str] | None) -> None:
    assert hook_words(typed.split()) == found


def test_the_light_half_knows_the_limits_of_the_server() -> None:
    from pmg.connections.hook_tools import HOOK_TOOLS

    assert hook_command.MAX_BYTES == events.MAX_BYTES
    assert {(one.start, one.end) for one in HOOK_TOOLS} == {(hook_command.START, hook_command.END)}


@pytest.mark.slow
def test_the_end_of_a_session_starts_a_server_and_a_killed_one_is_replaced(tmp_path: Path) -> None:
    """No server, then the end of a session: it is taken in. Then the server is killed between two events."""
    home, person = tmp_path / "memory", tmp_path / "person"
    kept = default_cache_dir().parent.parent  # another home, and the model as it was made ready for this machine
    environment = {**ENVIRONMENT, "PYTHONPATH": pageless(tmp_path), "HOME": str(person), "XDG_CACHE_HOME": str(kept)}

    def run(told: dict[str, Any]) -> bytes:
        words = [sys.executable, "-m", "pmg", "--home", str(home), "hook", "claude-code"]
        done = subprocess.run(words, input=said(told), capture_output=True, env=environment, timeout=120)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    try:
        file = write_transcript("claude-code", person, "first", ("The garden key?", "It is under the mat."))
        assert run(event("SessionEnd", "first", transcript_path=str(file))) == b""
        first = _up(home, "first", environment)
        os.kill(first.pid, signal.SIGKILL)
        _gone(home)
        assert run(prompted("claude-code", "second", "where is the garden key?")) == b""
        assert discovery.find(home) is None
        assert run(event("SessionStart", "second", source="startup")) == b""  # nothing yet, and a server is started
        second = _up(home, "first", environment)
        assert second.pid != first.pid
        file = write_transcript("claude-code", person, "second", ("And the shed key?", "On the hook."))
        run(event("Stop", "second", transcript_path=str(file)))
        _up(home, "second", environment)
    finally:
        place = discovery.find(home)
        if place is not None:
            os.kill(place.pid, signal.SIGTERM)
            _gone(home)


def _up(home: Path, session: str, environment: dict[str, str]) -> RunningServer:
    """Until a server has this session."""
    import httpx

    from pmg.importers.turns import conversation_id

    wanted = conversation_id("claude-code", session)
    end = time.monotonic() + 180
    while True:
        assert time.monotonic() < end
        found = discovery.find(home)
        try:
            if found is not None:
                known = {"authorization": f"Bearer {found.token}"}
                body = {"statement": f"SELECT count(*) AS n FROM v_sessions WHERE conversation = '{wanted}'"}
                told = httpx.post(f"{found.address}/api/v1/sql", headers=known, json=body, timeout=60)
                if told.status_code == 200 and told.json()["rows"][0]["n"]:
                    return found
        except httpx.TransportError:
            pass
        threading.Event().wait(0.2)


def _gone(home: Path) -> None:
    end = time.monotonic() + 60
    while discovery.find(home) is not None:
        assert time.monotonic() < end
        time.sleep(0.05)
