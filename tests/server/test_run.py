"""From binding to giving the store back: what is refused, what a second start does, and a clean end. Real processes where it matters."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray

from pmg import config as configuration
from pmg.base.errors import ConfigError, InputError, NotFound, StoreBusy
from pmg.cli import serve
from pmg.client import discovery
from pmg.engine import Engine
from pmg.ingest import transcript
from pmg.server.run import Options, Server, bind
from pmg.store.keys import is_encrypted_home
from pmg.store.owner import Owner, prepare_home
from pmg.ui.app_context import AppContext
from pmg.ui.settings import encryption_form, restore_form
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.no_page import no_page
from tests.steward.memories import tell

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT = 180.0
Start = Callable[..., subprocess.Popen[str]]


def config_of(home: Path, **server: object) -> configuration.Config:
    return configuration.with_values(configuration.load(home, {}), {"server": server}, "the test")


def claimed(home: Path, **options: object) -> Server:
    return Server.claim(config_of(home), Options(**options))  # type: ignore[arg-type]


def left(server: Server) -> None:
    server._end()


def test_a_port_in_use_gives_the_next_one_and_an_exact_one_is_an_error() -> None:
    with bind("127.0.0.1", 0, False) as taken:
        port = taken.getsockname()[1]
        with bind("127.0.0.1", port, False) as second:
            assert second.getsockname()[1] > port
        with pytest.raises(ConfigError, match=f"Port {port} on 127.0.0.1 cannot be used.*--port"):
            bind("127.0.0.1", port, True)


def test_small_answers_are_sent_at_once() -> None:
    """asyncio asks the socket for its protocol, and only on TCP it does not wait for an acknowledgement between two small packets."""
    with bind("127.0.0.1", 0, True) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "memory.lan"])
def test_other_machines_are_let_in_only_with_a_password(home: Path, host: str) -> None:
    with pytest.raises(ConfigError, match=r"no password is set.*PMG_PASSWORD.*0600"):
        claimed(home, host=host)
    assert discovery.find(home) is None


def test_with_a_password_an_open_bind_is_made(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMG_PASSWORD", "a long password")
    server = claimed(home, host="0.0.0.0")
    assert server.access.has_password
    found = discovery.find(home)
    assert found is not None and found.address == f"http://127.0.0.1:{server.port}"
    left(server)


def test_the_note_is_private_and_goes_with_the_server(home: Path) -> None:
    before = os.umask(0)
    try:
        server = claimed(home)
    finally:
        os.umask(before)
    for name in ("server.json", "server.lock", "server.key"):
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600, name
    told = json.loads((home / "server.json").read_text())
    assert told["address"] == server.address and told["token"] == server.token and told["pid"] == os.getpid()
    assert server.token not in repr(discovery.find(home))
    with pytest.raises(StoreBusy, match="has a server already"):
        claimed(home)
    left(server)
    assert not (home / "server.json").exists()
    left(claimed(home))


def test_a_note_that_a_dead_server_left_is_replaced(home: Path) -> None:
    home.mkdir()
    (home / "server.json").write_text('{"address": "http://127.0.0.1:9", "token": "t", "pid": 1, "since": "x"}')
    server = claimed(home)
    found = discovery.find(home)
    assert found is not None and found.address == server.address
    left(server)


def test_a_link_in_the_memory_directory_is_refused(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "server.json").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="symbolic links"):
        claimed(home)
    assert not (tmp_path / "elsewhere").exists()


def test_the_end_waits_for_what_is_being_written(home: Path) -> None:
    server = claimed(home)
    engine = Engine.open(server.config, embedder=Slow())
    server.context = AppContext(engine, Steward(engine))
    done: list[int] = []
    begun = threading.Event()

    def take_in() -> None:
        begun.set()
        done.append(engine.ingest(transcript.read("User: the cat\nAssistant: the vet\n")).turns)

    thread = threading.Thread(target=take_in)
    thread.start()
    begun.wait()
    time.sleep(0.1)
    left(server)
    thread.join()
    assert done == [1]
    with Engine.open(server.config, embedder=WordEmbedder("slow")) as again:
        assert again.counts().pending == 0 and again.counts().sessions == 1


class Slow(WordEmbedder):
    def __init__(self) -> None:
        super().__init__("slow")

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        time.sleep(0.5)
        return super().embed(texts, progress)


@pytest.mark.slow
def test_the_end_does_not_wait_for_the_vectors_of_a_whole_history(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pmg.ingest.build.BUILD_BATCH", 1)
    config = config_of(home)
    with Engine.open(config, load=False) as engine:
        engine.ingest(transcript.read("".join(f"User: cat {i}\n\nAssistant: vet\n\n" for i in range(200))))
    server = Server.claim(config, Options(embedder=Slow()))
    thread = threading.Thread(target=server.run)
    with no_page():
        thread.start()
        assert server.ready.wait(TIMEOUT) and server.context is not None
        engine = server.context.engine
        until(lambda: 0 < engine.counts().pending < 200)
        server.stop()
        thread.join(TIMEOUT)
    assert not thread.is_alive() and discovery.find(home) is None
    with Engine.open(config, load=False) as again:
        assert 100 < again.counts().pending < 200


def test_a_stop_that_takes_a_while_says_what_it_waits_for(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = discovery.RunningServer("http://127.0.0.1:1", "t", 4711, "")
    looks = iter([found] * 4)
    monkeypatch.setattr(serve, "SILENT_STOP", 0.05)
    monkeypatch.setattr(serve.discovery, "find", lambda _: next(looks, None))
    monkeypatch.setattr(serve.Client, "ask", lambda *_: None)
    serve.end(config_of(home))
    told = capsys.readouterr()
    assert " ".join(told.err.split()).count("(process 4711) ends the step in hand") == 1
    assert "Stopped the server" in told.out


def test_a_browser_is_opened_only_where_there_is_a_screen_and_never_with_the_token(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    server = claimed(home)
    ticket = server.access.ticket()
    serve.show(server.address, ticket)
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    serve.show(server.address, ticket)
    assert opened == [f"{server.address}/?token={ticket}"]
    assert server.token not in opened[0]
    assert server.access.takes_ticket(ticket)
    left(server)


def test_an_open_bind_warns_and_loopback_does_not(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    server = claimed(home)
    serve.greet(server, "127.0.0.1")
    assert capsys.readouterr().err == ""
    serve.greet(server, "0.0.0.0")
    assert "lets other machines in" in capsys.readouterr().err
    left(server)


# real processes


@pytest.fixture
def start(home: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts `python app.py` on the test's home; whatever is left at the end is killed."""
    begun: list[subprocess.Popen[str]] = []

    def one(*words: str, wait: bool = True, **more: str) -> subprocess.Popen[str]:
        known = {name: value for name, value in os.environ.items() if not name.startswith("PMG_")}
        environ = {**known, "PMG_HOME": str(home), "PMG_NO_BROWSER": "1", "OMP_NUM_THREADS": "1", **more}
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "app.py"), *words], env=environ, cwd=tmp_path, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        begun.append(process)
        if wait:
            until(lambda: (home / "server.json").exists() or process.poll() is not None)
        return process

    yield one
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_a_life_from_start_to_end(start: Start, home: Path) -> None:
    first = start("--port", "0")
    found = discovery.find(home)
    assert found is not None and found.pid == first.pid
    # Bound means answering: health at once, and a page that waits for the real one.
    assert httpx.get(found.address + "/healthz", timeout=60).json()["status"] == "ok"
    known = {"authorization": f"Bearer {found.token}"}
    page = httpx.get(found.address + "/", headers={**known, "accept": "text/html"}, timeout=60)
    assert page.status_code == 200
    assert "Opening your memory" in page.text or "gradio" in page.text
    assert httpx.get(found.address + "/", headers={"accept": "text/html"}, timeout=60).status_code == 401
    # A second start finds the first, says so, and is done.
    second = start(wait=False)
    out, _ = second.communicate(timeout=TIMEOUT)
    assert second.returncode == 0
    assert f"running already, at {found.address}/?token={found.token}" in out
    # A port that is asked for and taken is a clear error, for another memory too.
    port = found.address.rpartition(":")[2]
    third = start("--port", port, "--home", str(home.parent / "other"), wait=False)
    _, told = third.communicate(timeout=TIMEOUT)
    assert third.returncode == 1
    assert f"Port {port} on 127.0.0.1 cannot be used" in told and "Traceback" not in told
    until(lambda: httpx.get(found.address + "/healthz", timeout=60).json()["ready"])
    assert httpx.post(
        found.address + "/api/v1/remember", json={"user": "the cat"}, headers=known, timeout=60
    ).is_success
    first.send_signal(signal.SIGTERM)
    out, told = first.communicate(timeout=TIMEOUT)
    assert first.returncode == 0, told
    assert f"PMG is at {found.address}/?token={found.token}" in out
    assert "Everything is saved" in out
    assert not (home / "server.json").exists()
    assert not (home / "temp").exists()
    assert (home / "index").is_dir() and not (home / "memory.duckdb.wal").exists()
    log = (home / "logs" / "pmg.log").read_text()
    assert "open at port" in log and found.token not in log and "the cat" not in log


@pytest.mark.slow
def test_after_a_kill_the_next_start_is_not_fooled_and_ctrl_c_ends_it_cleanly(start: Start, home: Path) -> None:
    first = start("--port", "0")
    first.kill()
    first.wait()
    assert (home / "server.json").exists()
    assert discovery.find(home) is None
    (home / "server.json").unlink()
    upload = home / "temp" / "abc" / "export.json"  # what a killed server could not remove
    upload.parent.mkdir(parents=True, exist_ok=True)
    upload.write_text("[]")
    second = start("--port", "0")
    second.send_signal(signal.SIGINT)  # in the middle of opening: the step in hand is finished
    out, told = second.communicate(timeout=TIMEOUT)
    assert second.returncode == 0, told
    assert "Everything is saved" in out
    assert "Traceback" not in told
    assert discovery.find(home) is None
    assert not upload.exists()


@pytest.mark.slow
def test_a_memory_held_by_another_process_is_an_error_with_its_name(start: Start, home: Path) -> None:
    prepare_home(home)
    owner = Owner.claim(home)
    upload = home / "temp" / "export.json"  # of the one who holds it
    upload.parent.mkdir()
    upload.write_text("[]")
    process = start("--port", "0", wait=False)
    _, told = process.communicate(timeout=TIMEOUT)
    owner.release()
    assert process.returncode == 1
    assert f"is held by process {os.getpid()}" in told and "Traceback" not in told
    assert upload.exists()
    assert not (home / "server.json").exists()


def test_who_holds_the_memory_is_told_before_the_page_is_loaded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which takes seconds, for nothing."""
    prepare_home(home)
    owner = Owner.claim(home)
    server = claimed(home)
    monkeypatch.setitem(sys.modules, "pmg.server.asgi_app", None)  # importing it fails
    # in a thread of its own: a browser that another story of this worker left open has a loop in this one
    with ThreadPoolExecutor(1) as pool, pytest.raises(StoreBusy, match="is held by process"):
        pool.submit(server.run).result()
    owner.release()


def test_an_open_bind_without_a_password_does_not_start(start: Start, home: Path) -> None:
    process = start("--host", "0.0.0.0", wait=False)
    _, told = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1
    assert "no password is set" in told


@pytest.mark.slow
def test_a_free_port_is_free_again_after_the_end(home: Path) -> None:
    server = claimed(home)
    port = server.port
    left(server)
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))


@contextmanager
def restarting(home: Path) -> Iterator[tuple[Server, Callable[[], Server]]]:
    """A server that is started anew when its page asks for it, and a function that waits for the one that follows. One follows, and no more."""
    servers: list[Server] = []
    chosen = Options(embedder=WordEmbedder(), restarts=True)
    first = Server.claim(config_of(home), chosen)
    thread = threading.Thread(target=serve.run_and_restart, args=(first, chosen, servers.append))

    def following() -> Server:
        until(lambda: bool(servers) and servers[0].ready.is_set())
        assert servers[0].context is not None and servers[0].address == first.address
        return servers[0]

    with no_page():  # tests/browser/test_restore.py has it with its page
        thread.start()
        assert first.ready.wait(TIMEOUT) and first.context is not None
        try:
            yield first, following
        finally:
            (servers or [first])[0].stop()
            thread.join(TIMEOUT)
    assert not thread.is_alive() and len(servers) == 1


def test_a_backup_is_put_in_place_from_inside_and_the_server_is_back_at_the_same_address(home: Path) -> None:
    with restarting(home) as (first, following):
        context = first.context
        assert context is not None
        file = home / "backups" / "manual-1.duckdb"
        tell(context.engine, "kept", "The garden.")
        file.parent.mkdir(exist_ok=True)
        context.engine.backup(file)
        tell(context.engine, "later", "The soup.")
        assert "1 memory less than now" in restore_form.holds_html(context, file.name)
        with pytest.raises(InputError, match="tick the box"):
            restore_form.begin(context, file.name, False)
        with pytest.raises(NotFound, match="no backup"):
            restore_form.begin(context, "../memory.duckdb", True)
        assert restore_form.begin(context, file.name, True) == restore_form.PENDING
        after = following().context
        assert after is not None
        assert [session.id for session in after.engine.sessions()] == ["kept"]
        assert f"{file.name} is in place, with 1 memory" in after.notice
        assert list(file.parent.glob("before-restore-*.duckdb"))


@pytest.mark.slow
def test_the_memory_is_encrypted_from_inside_and_the_server_is_back_with_the_key_in_hand(home: Path) -> None:
    words = " ".join(("brown", "horse", "staple", "river"))
    with restarting(home) as (first, following):
        context = first.context
        assert context is not None
        tell(context.engine, "kept", "The garden behind the house.")
        with pytest.raises(InputError, match="at least"):
            encryption_form.begin(context, "short", "short", True)
        with pytest.raises(InputError, match="not the same"):
            encryption_form.begin(context, words, words + "x", True)
        with pytest.raises(InputError, match="Write the passphrase down"):
            encryption_form.begin(context, words, words, False)
        assert encryption_form.begin(context, words, words, True) == encryption_form.PENDING
        after = following().context
        assert after is not None
        assert is_encrypted_home(home) and "The memory is encrypted" in after.notice
        assert "The garden" in after.engine.recall("the garden behind the house").context
        assert not encryption_form.is_offered(after)
        with pytest.raises(InputError, match="cannot be encrypted from here"):
            encryption_form.begin(after, words, words, True)
    assert not any(words.encode() in file.read_bytes() for file in home.rglob("*") if file.is_file())


def test_a_passphrase_is_taken_only_where_nobody_else_can_reach_the_page(home: Path) -> None:
    with Engine.open(config_of(home), embedder=WordEmbedder()) as engine:
        near = AppContext(engine, Steward(engine), restart=lambda work: None, is_local=True)
        assert encryption_form.is_offered(near)
        assert not encryption_form.is_offered(replace(near, is_local=False))
        assert not encryption_form.is_offered(replace(near, restart=None))


def test_a_backup_that_is_none_leaves_the_memory_as_it_was(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "broken.duckdb").write_bytes(b"nothing of the kind")
    assert "the memory is as it was" in restore_form.put_in_place(home / "broken.duckdb", home)
