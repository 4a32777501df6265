"""The app inside a notebook cell: on this machine only, behind a path that nobody can guess."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

from pmg.engine import Engine
from pmg.ui import notebook


def status(address: str, path: str, host: str = "") -> int:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.request("GET", path, headers={"Host": host} if host else {})
    code = connection.getresponse().status
    connection.close()
    return code


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
