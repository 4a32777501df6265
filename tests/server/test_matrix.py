"""Every route there is, gradio's own included, under every way of not being let in: refused, and nothing reached or written."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Mount, WebSocketRoute
from starlette.types import Receive, Scope, Send

from tests.browser.conftest import Served

PAGE = True
KINDS = (
    "no token",
    "wrong token",
    "wrong cookie",
    "a cookie of this server without its place",
    "a place of this server without its cookie",
    "place and cookie after logout",
    "wrong address token",
    "foreign host",
    "foreign origin",
    "null origin",
)


def routes(app: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(method, path) of every route; what stands for any text stands as `x`."""
    for route in app.routes:
        included = getattr(route, "original_router", None)  # what FastAPI keeps of `include_router`
        if included is not None:
            yield from routes(included, prefix)
            continue
        path = prefix + re.sub(r"\{[^}]*\}", "x", getattr(route, "path", ""))
        if isinstance(route, Mount):
            yield "GET", path + "/x"
            yield from routes(route.app, path) if hasattr(route.app, "routes") else ()
        elif isinstance(route, WebSocketRoute):
            yield "WEBSOCKET", path
        else:
            yield from ((method, path or "/") for method in sorted(getattr(route, "methods", None) or ["GET"]))


class Spy:
    """Stands before the app and counts who reaches it."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.reached: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.reached.append(scope["path"])
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def spy(served: Served) -> Spy:
    before: dict[str, str] = {}
    while (now := state(served)) != before:  # what a start does by itself is done
        before = now
        time.sleep(0.5)
    seen = Spy(served.server._gateway._app)
    served.server._gateway.open(seen)
    return seen


@pytest.fixture(scope="module")
def everything(spy: Spy) -> list[tuple[str, str]]:
    found = sorted(set(routes(spy.app)) | {("GET", "/"), ("GET", "/nowhere"), ("PUT", "/"), ("OPTIONS", "/"), ("HEAD", "/"), ("POST", "/mcp"), ("POST", "/v1/chat/completions")})  # fmt: skip
    paths = {path for _, path in found}
    # A positive control: the list would be worthless if it missed what matters.
    assert {
        "/api/cli",
        "/api/v1/recall",
        "/gradio_api/upload",
        "/gradio_api/queue/join",
        "/gradio_api/file=x",
        "/config",
    } <= paths
    assert len(found) > 60
    return found


def credentials(kind: str, served: Served) -> tuple[dict[str, str], str, str]:
    """Headers, what is added to the address, and what stands before every path."""
    known = {"authorization": f"Bearer {served.token}"}
    logins, name = served.server.access.logins, f"pmg-{served.server.port}"
    login = logins.begin()
    ours = {"cookie": f"{name}={login.cookie}"}
    if kind == "place and cookie after logout":
        assert httpx.get(f"{served.address}{login.place}/config", headers=ours).status_code == 200
        assert httpx.post(f"{served.address}{login.place}/logout", headers=ours).status_code == 303
    headers, query = {
        "no token": ({}, ""),
        "wrong token": ({"authorization": "Bearer " + "x" * 43}, ""),
        "wrong cookie": ({"cookie": f"{name}=1700000000.{'0' * 64}"}, ""),
        "a cookie of this server without its place": (ours, ""),
        "a place of this server without its cookie": ({}, ""),
        "place and cookie after logout": (ours, ""),
        "wrong address token": ({}, "?token=" + "x" * 43),
        "foreign host": ({**known, "host": "evil.example"}, ""),
        "foreign origin": ({**known, "origin": "http://evil.example"}, ""),
        "null origin": ({**known, "origin": "null"}, ""),
    }[kind]
    return headers, query, login.place if "place and" in kind or "a place" in kind else ""


def state(served: Served) -> dict[str, str]:
    """What is in the memory, and every file of the home with its content."""
    files = {str(p.relative_to(served.home)): hashlib.sha256(p.read_bytes()).hexdigest() for p in served.home.rglob("*") if p.is_file()}  # fmt: skip
    return {**files, "counts": str(served.engine.counts()), "notes": str(sorted(_folders(served.home)))}


def _folders(home: Path) -> list[str]:
    return [str(p.relative_to(home)) for p in home.rglob("*") if p.is_dir()]


@pytest.mark.parametrize("kind", KINDS)
def test_no_route_answers_and_nothing_is_written(
    served: Served, spy: Spy, everything: list[tuple[str, str]], kind: str
) -> None:
    headers, query, place = credentials(kind, served)
    before = state(served)
    spy.reached.clear()
    upload = {"files": ("x.txt", b"canary")}
    with httpx.Client(base_url=served.address, headers=headers, timeout=60) as client:
        for method, path in everything:
            if method == "WEBSOCKET":
                answer = client.get(place + path + query, headers=_upgrade())
            elif method == "POST" and "upload" in path:
                answer = client.post(place + path + query, files=upload)
            else:
                content = b"{}" if method in ("POST", "PUT") else None
                answer = client.request(method, place + path + query, content=content)
            login = path.rstrip("/") == "/login"  # the guard's own, before anybody is let in
            expected = {401, 403} if not login or "foreign" in kind or "null" in kind else {200, 401}
            assert answer.status_code in expected, (method, path, answer.status_code)
            assert "pmg-" not in answer.headers.get("set-cookie", ""), (method, path)
    assert spy.reached == []
    assert state(served) == before


def _upgrade() -> dict[str, str]:
    return {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13", "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="}  # fmt: skip


def test_with_the_token_the_same_routes_are_reached(served: Served, spy: Spy, api: httpx.Client) -> None:
    """The control: the spy sees, and a write is a change of state."""
    before = state(served)
    spy.reached.clear()
    assert api.get("/").status_code == 200
    assert api.get("/config").status_code == 200
    assert api.post("/api/v1/remember", json={"user": "the cat"}).status_code == 200
    assert api.post("/gradio_api/upload", files={"files": ("x.txt", b"canary")}).status_code == 200
    assert spy.reached == ["/", "/config", "/api/v1/remember", "/gradio_api/upload"]
    after = state(served)
    assert after != before
    assert any(name.startswith("temp/") and name.endswith("x.txt") for name in after)


def test_health_says_nothing_private_and_knows_its_name(served: Served) -> None:
    answer = httpx.get(served.address + "/healthz")
    assert answer.json() == {"status": "ok", "ready": True}
    assert httpx.get(served.address + "/healthz", headers={"host": "evil.example"}).status_code == 403


def test_no_file_of_the_memory_can_be_fetched_through_the_page(served: Served, api: httpx.Client) -> None:
    for name in ("memory.duckdb", "server.json", "server.key", "../memory/server.json"):
        answer = api.get(f"/gradio_api/file={served.home / name}")
        assert answer.status_code in (403, 404), name
        assert served.token not in answer.text
    assert api.get("/gradio_api/file=/etc/passwd").status_code in (403, 404)


def test_what_runs_commands_wants_the_token_and_not_the_cookie(served: Served) -> None:
    with httpx.Client(base_url=served.address, follow_redirects=True) as browser:
        place = str(browser.get(f"/?token={served.token}").raise_for_status().url).rstrip("/")
        assert browser.get(f"{place}/api/v1/stats").status_code == 200
        for path in (
            "/api/cli",
            "/api/stop",
            "/api/ticket",
            "/api/v1/import",
            "/api/v1/sql",
            "/api/v1/documents",
            "/api/logout-all",
        ):
            assert browser.post(place + path, json={"paths": []}).status_code == 403, path


def test_files_are_private_whatever_the_umask(served: Served) -> None:
    for path in [served.home, *served.home.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path
