"""The app inside a notebook cell: on this machine only, behind a path that nobody can guess."""

from __future__ import annotations

import http.client
import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from pmg.engine import Engine
from pmg.server.timed_connection import ConnectionTimeouts, TimedConnection
from pmg.ui import notebook


def status(address: str, path: str, host: str = "") -> int:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.request("GET", path, headers={"Host": host} if host else {})
    code = connection.getresponse().status
    connection.close()
    return code


def test_what_is_uploaded_lies_inside_the_memory_and_goes_with_the_page(engine: Engine, home: Path) -> None:
    left = home / "temp" / "abc"  # by a notebook that was killed
    left.mkdir(parents=True)
    (left / "export.json").write_text("[]")
    shown, again = notebook.show(engine), notebook.show(engine)
    try:
        assert not left.exists()
        assert (home / "temp").stat().st_mode & 0o777 == 0o700
        (file,) = httpx.post(f"{shown.address}gradio_api/upload", files={"files": ("a.json", b"[]")}).json()
        assert Path(file).is_relative_to(home / "temp") and Path(file).exists()
        again.close()
        assert Path(file).exists()  # the other page still uses the folder
    finally:
        again.close()
        shown.close()
    assert not (home / "temp").exists()
    assert "GRADIO_TEMP_DIR" not in os.environ


def test_a_client_that_stops_half_way_is_let_go(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TimedConnection, "timeouts", ConnectionTimeouts(head=0.1))
    shown = notebook.show(engine)
    try:
        where = urlsplit(shown.address)
        with socket.create_connection((str(where.hostname), int(where.port or 0)), 60) as opened:
            opened.sendall(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n")
            assert opened.recv(100) == b""
    finally:
        shown.close()


def test_the_frame_shows_the_app_and_only_to_who_knows_its_path(engine: Engine) -> None:
    shown = notebook.show(engine, height=500)
    try:
        parts = urlsplit(shown.address)
        assert parts.hostname == "127.0.0.1" and len(parts.path) > 30
        assert status(shown.address, parts.path) == 200
        assert status(shown.address, "/") == 404
        assert status(shown.address, "/config") == 404
        assert status(shown.address, parts.path, host="evil.example") == 400
        frame = shown._repr_html_()
        assert f'src="{shown.address}"' in frame and 'height="500"' in frame and 'title="Private Memory Graph"' in frame
    finally:
        shown.close()
    assert engine.counts().sessions == 0  # the memory is still open
