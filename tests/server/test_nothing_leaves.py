"""A whole run with every way out blocked and every look-up of a name written down: nothing tries.

Twice: a day of every command, a server and a notebook in a network of its own, where native code is seen too (Linux, where the machine
allows it); and the page in a real browser with Python's ways out blocked, which needs no rights.

There the server is a real process. A module that Python loads before anything else stands in for `socket`'s ways out; whatever does not stay on
this machine is refused and noted. A control shows that the note would be there.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
import typer

from pmg import sample
from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.client import discovery
from pmg.embed.load import default_cache_dir
from tests import outgoing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.chromium import Watch

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT = 240.0
# Local names and addresses pass; anything else is written to the file and refused.
SHIM = """
import os, socket

def note(what):
    with open(os.environ["PMG_TEST_ATTEMPTS"], "a") as file:
        file.write(repr(what) + chr(10))

def local(host):
    if isinstance(host, bytes):
        host = host.decode()
    return host in (None, "", "localhost", "::1", "0.0.0.0") or str(host).startswith("127.")

real_lookup, Real = socket.getaddrinfo, socket.socket

def getaddrinfo(host, *rest, **more):
    if not local(host):
        note(("getaddrinfo", str(host)))
        raise socket.gaierror(socket.EAI_NONAME, "blocked")
    return real_lookup(host, *rest, **more)

def refused(name):
    def lookup(host, *rest):
        note((name, str(host)))
        raise OSError("blocked")
    return lookup

class Blocked(Real):
    def _check(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and not local(address[0]):
            note(("connect", str(address)))
            raise OSError("blocked")

    def connect(self, address):
        self._check(address)
        return super().connect(address)

    def connect_ex(self, address):
        self._check(address)
        return super().connect_ex(address)

    def sendto(self, data, *rest):
        self._check(rest[-1])
        return super().sendto(data, *rest)

socket.getaddrinfo = getaddrinfo
socket.gethostbyname = refused("gethostbyname")
socket.gethostbyname_ex = refused("gethostbyname_ex")
socket.socket = Blocked
"""


@dataclass(frozen=True)
class Blocked:
    """A server that cannot get out, and the note of what tried to."""

    found: discovery.RunningServer
    attempts: Path

    def tried(self) -> list[str]:
        return self.attempts.read_text().splitlines() if self.attempts.exists() else []


def shimmed(folder: Path) -> dict[str, str]:
    """The environment of a process that is shut in."""
    (folder / "shim").mkdir()
    (folder / "shim" / "sitecustomize.py").write_text(SHIM)
    known = {name: value for name, value in os.environ.items() if not name.startswith(("PMG_", "GRADIO_", "HF_"))}
    return {
        **known,
        "PYTHONPATH": os.pathsep.join([str(folder / "shim"), str(ROOT)]),
        "PMG_TEST_ATTEMPTS": str(folder / "attempts"),
        "PMG_HOME": str(folder / "memory"),
        "PMG_NO_BROWSER": "1",
        "OMP_NUM_THREADS": "1",
        "GRADIO_ANALYTICS_ENABLED": "True",  # the code, not the environment, must switch it off
    }


def test_the_note_would_be_there(tmp_path: Path) -> None:
    environ = shimmed(tmp_path)
    code = "import urllib.request as u\ntry: u.urlopen('http://example.com')\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", code], env=environ, check=True)
    assert (tmp_path / "attempts").read_text() == "('getaddrinfo', 'example.com')\n"
    code = "import socket\ntry: socket.create_connection(('192.0.2.1', 80), 1)\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", code], env=environ, check=True)
    assert "192.0.2.1" in (tmp_path / "attempts").read_text()


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Blocked]:
    """One server for the file, with the real model; at its end it must have ended well and tried nothing."""
    folder = tmp_path_factory.mktemp("blocked")
    words = [sys.executable, str(ROOT / "app.py"), "--port", "0"]
    server = subprocess.Popen(words, env=shimmed(folder), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        made = Blocked(_up(folder / "memory"), folder / "attempts")
        yield made
    finally:
        server.send_signal(signal.SIGTERM)
        _, told = server.communicate(timeout=TIMEOUT)
    assert server.returncode == 0, told
    assert made.tried() == []


def _up(home: Path) -> discovery.RunningServer:
    """When the page and the model are there."""
    end = time.monotonic() + TIMEOUT
    while (found := discovery.find(home)) is None or _asked(found, "/healthz") != {"status": "ok", "ready": True}:
        assert time.monotonic() < end, "the server did not come up"
        time.sleep(0.2)
    while _asked(found, "/api/v1/status")["model"] == "loading":
        assert time.monotonic() < end, "the model did not come"
        time.sleep(0.2)
    assert _asked(found, "/api/v1/status")["model"] == "ready"
    return found


def _asked(found: discovery.RunningServer, path: str) -> dict[str, object]:
    with _client(found) as client:
        return dict(client.get(path).json())


def _client(found: discovery.RunningServer) -> httpx.Client:
    known = {"authorization": f"Bearer {found.token}"}
    return httpx.Client(base_url=found.address, headers=known, timeout=TIMEOUT)


ELSEWHERE = {
    "bench",
    "reembed",
    "show",
    "recover",
    "mcp",
    "hook",
    "disconnect",
    "upstream",
}  # read files of the person's choice, or need one; nothing else than the others do


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.timeout(900)
def test_a_day_of_every_command_a_server_and_a_notebook_reaches_nobody(tmp_path: Path) -> None:
    reason = outgoing.why_not()
    if reason:
        pytest.skip(reason)
    known = {
        name: value for name, value in os.environ.items() if not name.startswith(("PMG_", "GRADIO_", "HF_", "XDG_"))
    }
    environment = {
        **known,
        "HOME": str(tmp_path / "person"),
        "PMG_HOME": str(tmp_path / "memory"),
        "PMG_NO_BROWSER": "1",
        "PMG_PASSPHRASE": "correct horse battery staple",
        "ORT_DISABLE_TELEMETRY": "0",  # the code, not the environment, must switch it off
    }
    (tmp_path / "person").mkdir()
    if default_cache_dir().is_dir():  # the model as it was made ready for this machine: how it is made is another test
        ready = tmp_path / "person" / ".cache" / "pmg" / "models"
        shutil.copytree(default_cache_dir(), ready, ignore=shutil.ignore_patterns("*.tmp"))  # other tests write there
    words = [sys.executable, "-m", "tests.server.journey", str(tmp_path)]
    done, attempts = outgoing.watched(words, environment, 900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    assert attempts == []
    assert not (tmp_path / "person" / ".cache" / "Microsoft").exists()
    tried = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("tried ")}
    load_commands()
    every = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    assert every <= tried | ELSEWHERE


def test_an_attempt_would_be_seen_from_python_and_from_native_code() -> None:
    reason = outgoing.why_not()
    if reason:
        pytest.skip(reason)
    code = """
import ctypes, socket, struct, urllib.request
try: urllib.request.urlopen("http://example.com", timeout=5)
except OSError: pass
native = ctypes.CDLL(None)
address = struct.pack("<H", socket.AF_INET) + struct.pack(">H", 443) + socket.inet_aton("198.51.100.7") + bytes(8)
native.connect(native.socket(socket.AF_INET, socket.SOCK_STREAM, 0), address, 16)
"""
    _, attempts = outgoing.watched([sys.executable, "-c", code], dict(os.environ), 120)
    assert "looks up example.com" in attempts
    assert "sends to 198.51.100.7 port 443" in attempts


@pytest.mark.model
def test_import_recall_upkeep_and_export_ask_no_other_machine(blocked: Blocked, tmp_path: Path) -> None:
    with _client(blocked.found) as client:
        assert "gradio" in client.get("/").text
        assert client.get("/config").status_code == 200
        file = tmp_path / "talk.txt"
        file.write_text("".join(f"User: {q.question}\nAssistant: noted\n" for q in sample.questions()[:8]))
        assert client.post("/api/v1/import", json={"paths": [str(file)]}).is_success
        assert client.post("/api/v1/remember", json={"user": "Anna moved to Lisbon", "assistant": "noted"}).is_success
        assert "Lisbon" in client.post("/api/v1/recall", json={"query": "where does Anna live?"}).json()["context"]
        assert client.post("/api/v1/steward/run", json={}).is_success
        words = {"words": ["export", str(tmp_path / "vault")], "folder": "/", "namespace": "default"}
        assert '{"exit": 0}' in client.post("/api/cli", content=json.dumps(words).encode() + b"\n").text
    assert blocked.tried() == []


@pytest.mark.model
def test_a_chat_and_every_tab_ask_no_other_machine(blocked: Blocked, browser: Browser, watch: Watch) -> None:
    """The page in a real browser: `watch` fails it for whatever the browser asks elsewhere, the note for the server."""
    context = browser.new_context()
    watch.over(context)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{blocked.found.address}/?token={blocked.found.token}")
    page.get_by_label("Message").fill("Where did Anna move to?")
    page.get_by_label("Message").press("Enter")
    page.locator(".pmg-turn.theirs").first.wait_for()
    tabs = page.locator("#pmg-tabs [role=tab]:visible")
    for number in range(tabs.count()):
        tabs.nth(number).click()
        page.wait_for_timeout(300)
    context.close()
    assert blocked.tried() == []
