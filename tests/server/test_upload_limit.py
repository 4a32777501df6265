"""An upload for which there is no room does not begin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pmg.server import upload_limit
from pmg.server.upload_limit import UPLOAD, UploadLimit
from tests.browser.conftest import Served

PAGE = True


def client_of(folder: Path) -> TestClient:
    async def taken(request: Request) -> PlainTextResponse:
        (folder / "one").write_bytes(await request.body())
        return PlainTextResponse("taken")

    return TestClient(UploadLimit(Starlette(routes=[Route("/{path:path}", taken, methods=["POST"])]), folder))


def test_uploads_that_wait_fill_no_more_than_their_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_limit, "MAX_WAITING", 1_000)
    client = client_of(tmp_path)
    assert client.post(UPLOAD, content=b"x" * 800).text == "taken"
    refused = client.post(f"/browser/place{UPLOAD}", content=b"x" * 300)
    assert refused.status_code == 413 and "wait already" in refused.json()["error"]
    assert client.post("/api/v1/anything", content=b"x" * 300).text == "taken"
    (tmp_path / "one").unlink()
    assert client.post(UPLOAD, content=b"x" * 300).text == "taken"


def test_the_disk_is_not_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_limit, "free_bytes", lambda folder: upload_limit.KEPT_FREE + 500)
    client = client_of(tmp_path)
    assert client.post(UPLOAD, content=b"x" * 400).text == "taken"
    refused = client.post(UPLOAD, content=b"x" * 600)
    assert refused.status_code == 413 and "1.0 GB are free" in refused.json()["error"]


def test_an_upload_of_unknown_length_is_refused(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"x" * 10

    assert client_of(tmp_path).post(UPLOAD, content=pieces()).status_code == 411
    assert not list(tmp_path.iterdir())


def test_the_server_has_the_limit(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    import httpx

    known = {"authorization": f"Bearer {served.token}"}
    with httpx.Client(base_url=served.address, headers=known, timeout=60) as client:
        file = {"files": ("a.json", b"[]")}
        assert client.post(UPLOAD, files=file).status_code == 200
        monkeypatch.setattr(upload_limit, "MAX_WAITING", 1)
        assert "wait already" in client.post(UPLOAD, files=file).json()["error"]
