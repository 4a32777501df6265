"""Commands while a server holds the memory: they run in it, and a person at the terminal sees no difference."""

from __future__ import annotations

import json
import re
import signal
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pmg import config as configuration
from pmg.cli.main import load_commands, main
from pmg.cli.remote import RemoteOutput
from pmg.cli.root import app
from pmg.cli.serve import run_in_server
from pmg.client import discovery
from pmg.client.discovery import RunningServer, ServerClaim
from pmg.server.client import Client
from pmg.server.remote_commands import Emit, RemoteCommand, RemoteCommands
from pmg.server.run import Options, Server
from pmg.ui.app_context import AppContext
from tests.embedding import WordEmbedder
from tests.event_loop import run_apart
from tests.interrupts import ctrl_c_arrives
from tests.no_page import no_page

Run = Callable[..., Result]
load_commands()
TALK = "User: the cat sees the vet\nAssistant: noted\nUser: bread and dough\n"
AT = "2026-03-03T19:02+01:00"


def counting_or_inside(call: RemoteCommand, context: AppContext, emit: Emit) -> int:
    """The real thing, and two commands more: one tells what came through, one is stopped at its terminal and goes on until it hears of it."""
    if call.words == ("endless",):
        return endless(emit)
    if call.words != ("count",):
        return run_in_server(call, context, emit)
    emit({"out": f"{len(call.given)} {zlib.crc32(call.given)}"})
    return 0


def endless(emit: Emit) -> int:
    step = 0
    try:
        while True:
            emit({"out": f"{step}\n"})
            step += 1
            if step == 3:
                signal.raise_signal(signal.SIGINT)  # the person at the terminal, which is in this process too
            threading.Event().wait(0.01)
    except KeyboardInterrupt:
        emit({"err": f"{step} steps are kept.\n"})
    return 130


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    config = configuration.with_values(
        configuration.load(tmp_path_factory.mktemp("through") / "memory", {}),
        {"steward": {"enabled": False}},
        "the test",
    )
    made = Server.claim(config, Options(embedder=WordEmbedder(), commands=counting_or_inside))
    thread = threading.Thread(target=made.run, daemon=True)
    with no_page():
        thread.start()
        assert made.ready.wait(120) and made.problem is None
    yield made
    made.stop()
    thread.join(60)
    assert not thread.is_alive()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")

    def one(home: Path, *words: str, given: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(app, ["--home", str(home), *words], input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    return one


def steady(text: str) -> str:
    """Without what differs from run to run: milliseconds, the mark of a block, and the time it is."""
    text = re.sub(r"[0-9a-f]{12}", "MARK", text)
    return re.sub(r"\d+ ms|20\d{6}-\d{6}(-\w+)?|\d\d:\d\d(:\d\d)?(\.\d+)?", "N", text)


SCRIPT: tuple[tuple[tuple[str, ...], str | None], ...] = (
    (("sessions",), None),
    (("remember", "--user", "the kitten purrs", "--assistant", "good", "--session", "s1", "--at", AT, "--title", "Cats"), None),
    (("remember", "-"), TALK),
    (("remember", "-"), TALK),
    (("recall", "cat", "--why"), None),
    (("recall", "cat", "--json"), None),
    (("recall", "bread", "--budget", "60", "--mode", "fixed"), None),
    (("recall", "bread", "--exclude-session", "s1"), None),
    (("sessions", "--json"), None),
    (("show", "seg_s1_0"), None),
    (("show", "s1"), None),
    (("show", "nowhere"), None),
    (("--namespace", "other", "remember", "--user", "a secret garden", "--session", "s2", "--at", AT), None),
    (("--namespace", "other", "recall", "garden"), None),
    (("recall", "garden"), None),
    (("show", "s2"), None),
    (("--namespace", "other", "sessions"), None),
    (("stats",), None),
    (("stats", "--json"), None),
    (("remember",), None),
    (("remember", "--user", "x", "--session", "s1", "--conversation", "other"), None),
    (("remember", "--user", "a new one", "--session", "s9", "--conversation", "other", "--at", AT), None),
    (("remember", "--user", "x", "--at", "soon"), None),
    (("remember", "/nowhere/at/all"), None),
    (("steward", "plan"), None),
    (("steward", "history"), None),
    (("steward", "topics"), None),
    (("steward", "topic", "9", "--pin"), None),
    (("steward", "topic", "9"), None),
    (("steward", "pin", "seg_s1_0"), None),
    (("steward", "run", "nothing"), None),
    (("stats", "--nonsense"), None),
)  # fmt: skip


def test_every_command_says_the_same_with_and_without_a_server(server: Server, run: Run, tmp_path: Path) -> None:
    alone, served = tmp_path / "memory", server.config.home
    for words, given in SCRIPT:
        first, second = run(alone, *words, given=given), run(served, *words, given=given)
        assert first.exit_code == second.exit_code, (words, second.output)
        assert steady(first.stdout) == steady(second.stdout), words
        assert first.stderr == second.stderr, words


def test_standard_input_comes_through_whole_however_large(server: Server, run: Run) -> None:
    assert "2 turns" in run(server.config.home, "--namespace", "given", "remember", "-", given=TALK).stdout
    bad = run(server.config.home, "remember", "-", given=b"\xff\xfe")
    assert "not UTF-8" in bad.stderr and bad.exit_code == 1
    found = discovery.find(server.config.home)
    assert found is not None
    given = bytes(range(256)) * 200_000
    events = list(Client(found).stream("/api/cli", RemoteCommand(("count",), "/", "default", given=given).to_bytes()))
    assert events == [{"out": f"{len(given)} {zlib.crc32(given)}"}, {"exit": 0}]


def test_relative_paths_are_meant_from_where_they_were_typed(
    server: Server, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("talk.txt").write_text("User: the flight\nAssistant: the ticket\n")
    Path("notes.md").write_text("All about the bicycle wheel.")
    home = server.config.home
    assert "1 turn of" in run(home, "--namespace", "files", "remember", "talk.txt").stdout
    assert "Learnt notes.md" in run(home, "--namespace", "files", "learn", "notes.md").stdout
    assert run(home, "--namespace", "files", "import", "talk.txt").exit_code == 0
    assert "sessions written" in run(home, "--namespace", "files", "export", "vault").stdout
    assert "Backed up" in run(home, "backup", "all.duckdb").stdout
    assert Path("vault").is_dir() and Path("all.duckdb").stat().st_mode & 0o077 == 0
    assert run(home, "import", "nowhere.zip").exit_code == 1


def test_knobs_of_the_terminal_hold_in_the_server(server: Server, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    home = server.config.home
    run(home, "remember", "--user", "the cat", "--session", "knobs")
    assert json.loads(run(home, "recall", "cat", "--json").stdout)["receipt"]["mode"] == "diffuse"
    monkeypatch.setenv("PMG_RECALL_MODE", "fixed")
    monkeypatch.setenv("PMG_NAMESPACE", "default")
    assert json.loads(run(home, "recall", "cat", "--json").stdout)["receipt"]["mode"] == "fixed"
    assert server.context is not None and server.context.engine.config.recall.mode == "diffuse"
    monkeypatch.setenv("PMG_NAMESPACE", "elsewhere")
    assert "Nothing in this memory answers that." in run(home, "recall", "cat").stdout


def test_the_namespace_of_the_terminals_variable_is_named_in_the_server(
    server: Server, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = server.config.home
    run(home, "--namespace", "one", "remember", "--user", "the cat")
    run(home, "--namespace", "two", "remember", "--user", "the dog")
    monkeypatch.setenv("PMG_NAMESPACE", "one")
    file = tmp_path / "one.jsonl"
    told = run(home, "export", str(file), "--format", "jsonl").stdout
    assert "1 session written" in told and "of the namespace one." in told
    assert "the dog" not in file.read_text()


@pytest.mark.parametrize(
    "words", [("rebuild",), ("restore", "x", "--yes"), ("reembed", "--model", "x"), ("watch", "--once")]
)
def test_what_needs_the_memory_alone_names_the_server_and_how_to_stop_it(
    server: Server, run: Run, words: tuple[str, ...]
) -> None:
    told = run(server.config.home, *words)
    assert told.exit_code == 1
    for part in (server.address, "pmg serve --stop", f"`pmg {words[0]}` needs it alone"):
        assert part in told.stderr


def test_however_it_was_started_it_is_pmg(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`python -m pmg` asks a server as `pmg` does, and what it refuses is named by what to type."""
    monkeypatch.setattr("typer._click.utils._detect_program_name", lambda: "python -m pmg")
    home = str(server.config.home)
    for words, told in ((("sessions",), ""), (("rebuild",), "`pmg rebuild` needs it alone")):
        with pytest.raises(SystemExit) as ended:
            main(["--home", home, *words])
        assert bool(ended.value.code) == bool(told) and told in capsys.readouterr().err


def test_a_server_that_does_not_answer_is_told_of(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    home.mkdir()
    claim = ServerClaim.take(home)
    assert claim is not None
    claim.tell(RunningServer("http://127.0.0.1:9", "t", 1, "now"))
    told = run(home, "sessions")
    assert told.exit_code == 1
    assert "does not answer" in told.stderr and "http://127.0.0.1:9" in told.stderr
    assert "Traceback" not in told.output
    claim.release()


def test_what_a_dead_server_left_behind_is_no_server(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    home.mkdir()
    (home / "server.json").write_text(
        json.dumps({"address": "http://127.0.0.1:9", "token": "t", "pid": 1, "since": "now"})
    )
    (home / "server.lock").touch()
    assert "This memory is empty" in run(home, "sessions").stdout
    (home / "server.json").write_text("{half")
    assert "This memory is empty" in run(home, "sessions").stdout


def test_a_server_of_another_token_refuses_with_a_sentence(server: Server, run: Run, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    home.mkdir()
    claim = ServerClaim.take(home)
    assert claim is not None
    claim.tell(RunningServer(server.address, "wrong", 1, "now"))
    told = run(home, "sessions")
    assert told.exit_code == 1
    assert "refused" in told.stderr
    claim.release()


def test_a_reader_that_goes_away_interrupts_its_command(server: Server) -> None:
    """As Ctrl-C would at a terminal: what was acknowledged is kept, and the server goes on."""
    assert server.context is not None
    steps: list[int] = []
    ended = threading.Event()

    def slow(call: RemoteCommand, context: object, emit: Callable[[dict[str, object]], None]) -> int:
        try:
            for step in range(1_000):
                steps.append(step)
                emit({"out": str(step)})
                threading.Event().wait(0.01)
        except KeyboardInterrupt:
            ended.set()
        return 0

    async def read_two() -> None:
        events = RemoteCommands(server.context, slow).run(RemoteCommand((), ".", "default"))  # type: ignore[arg-type]
        await anext(events)
        await anext(events)
        await events.aclose()  # type: ignore[attr-defined]

    run_apart(read_two())
    assert ended.wait(120)
    assert len(steps) < 1_000


def test_a_command_that_is_stopped_at_the_terminal_still_says_what_it_kept(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    found = discovery.find(server.config.home)
    assert found is not None
    with ctrl_c_arrives():
        assert RemoteOutput(found).play(RemoteCommand(("endless",), "/", "default", id="one")) == 130
    told = capsys.readouterr()
    assert told.err == f"{len(told.out.splitlines())} steps are kept.\n"
    assert Client(found).ask("POST", "/api/cli/one/stop") == {"stopping": False}  # it is over


def test_ctrl_c_before_the_server_has_begun_ends_this_program(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server knows of no such command yet: there is nothing that it could stop."""
    found = discovery.find(server.config.home)
    assert found is not None

    def early(*_: object) -> Iterator[dict[str, int]]:
        signal.raise_signal(signal.SIGINT)
        yield {"exit": 0}

    monkeypatch.setattr(Client, "stream", early)
    with ctrl_c_arrives(), pytest.raises(KeyboardInterrupt):
        RemoteOutput(found).play(RemoteCommand(("sessions",), "/", "default", id="early"))


def test_what_is_told_in_a_session_of_the_server_is_recalled_at_the_terminal(server: Server, run: Run) -> None:
    engine = server.context.engine
    session = engine.session(session_id="goes-on", namespace="now")
    session.add(user="the bike is a red Cube")
    home = engine.config.home
    assert "red Cube" in run(home, "--namespace", "now", "recall", "Cube").output
    engine.settle()
    assert "red Cube" in run(home, "--namespace", "now", "recall", "cycling wheel").output
    assert "(open)" in run(home, "--namespace", "now", "sessions").output
    assert "red Cube" not in run(home, "--namespace", "elsewhere", "recall", "Cube").output
