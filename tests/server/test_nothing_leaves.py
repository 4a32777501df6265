"""A whole run with every way out blocked and every look-up of a name written down: nothing tries.

The server is a real process. A module that Python loads before anything else stands in for `socket`'s ways out; whatever does not stay on
this machine is refused and noted. A control shows that the note would be there.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from pmg import sample
from pmg.server import place

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 240.0
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


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "shim").mkdir()
    (tmp_path / "shim" / "sitecustomize.py").write_text(SHIM)
    known = {name: value for name, value in os.environ.items() if not name.startswith(("PMG_", "GRADIO_", "HF_"))}
    return {
        **known,
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "shim"), str(ROOT)]),
        "PMG_TEST_ATTEMPTS": str(tmp_path / "attempts"),
        "PMG_HOME": str(tmp_path / "memory"),
        "PMG_NO_BROWSER": "1",
        "OMP_NUM_THREADS": "1",
        "GRADIO_ANALYTICS_ENABLED": "True",  # the code, not the environment, must switch it off
    }


def attempts(environ: dict[str, str]) -> list[str]:
    file = Path(environ["PMG_TEST_ATTEMPTS"])
    return file.read_text().splitlines() if file.exists() else []


def test_the_note_would_be_there(environ: dict[str, str]) -> None:
    code = "import urllib.request as u\ntry: u.urlopen('http://example.com')\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", code], env=environ, check=True)
    assert attempts(environ) == ["('getaddrinfo', 'example.com')"]
    code = "import socket\ntry: socket.create_connection(('192.0.2.1', 80), 1)\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", code], env=environ, check=True)
    assert any("192.0.2.1" in line for line in attempts(environ))


@pytest.mark.model
def test_a_whole_run_asks_no_other_machine_for_anything(environ: dict[str, str], tmp_path: Path) -> None:
    home = Path(environ["PMG_HOME"])
    server = subprocess.Popen([sys.executable, str(ROOT / "app.py"), "--port", "0"], env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    try:
        walk(home, tmp_path)
    finally:
        server.send_signal(signal.SIGTERM)
        _, told = server.communicate(timeout=PATIENCE)
    assert server.returncode == 0, told
    assert attempts(environ) == []


def walk(home: Path, tmp_path: Path) -> None:
    """Import, page, chat-like writing and recall with the real model, steward, export."""
    end = time.monotonic() + PATIENCE
    while (found := place.find(home)) is None:
        assert time.monotonic() < end, "the server did not come up"
        time.sleep(0.1)
    known = {"authorization": f"Bearer {found.token}"}
    with httpx.Client(base_url=found.address, headers=known, timeout=PATIENCE) as client:
        while not client.get("/healthz").json()["ready"] or client.get("/api/status").json()["model"] == "loading":
            assert time.monotonic() < end, "the model did not come"
            time.sleep(0.2)
        assert client.get("/api/status").json()["model"] == "ready"
        assert "gradio" in client.get("/").text
        assert client.get("/config").status_code == 200
        file = tmp_path / "talk.txt"
        file.write_text("".join(f"User: {q.question}\nAssistant: noted\n" for q in sample.questions()[:8]))
        assert client.post("/api/import", json={"paths": [str(file)]}).is_success
        assert client.post("/api/remember", json={"user": "Anna moved to Lisbon", "assistant": "noted"}).is_success
        assert "Lisbon" in client.post("/api/recall", json={"query": "where does Anna live?"}).json()["context"]
        assert client.post("/api/steward/run", json={}).is_success
        words = {"words": ["export", str(tmp_path / "vault")], "folder": "/", "namespace": "default"}
        assert '{"exit": 0}' in client.post("/api/cli", content=json.dumps(words).encode() + b"\n").text
