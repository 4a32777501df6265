"""The guard around an app that only counts who reached it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from pmg.server.access import Access, Keys
from pmg.server.browser_logins import HOUR, BrowserLogins
from pmg.server.guard import BY, Guard
from pmg.server.hosts import Hosts
from tests.server.test_access import Clock

ADDRESS = "http://127.0.0.1:7640"
TOKEN = "the-token"
PASSWORD = "a long password"
PAGE = {"accept": "text/html"}


class Behind:
    """Keeps the scope of whoever came through."""

    def __init__(self) -> None:
        self.came: list[Scope] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.came.append(scope)
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close"})
        else:
            headers = {"server": "leaky", "access-control-allow-origin": "*", "cache-control": "public"}
            await PlainTextResponse("behind", headers=headers)(scope, receive, send)


@pytest.fixture
def behind() -> Behind:
    return Behind()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def client_of(
    behind: Behind, clock: Clock, *, password: str = "", frames: tuple[str, ...] = (), names: tuple[str, ...] = ()
) -> TestClient:
    logins = BrowserLogins(Path(tempfile.mkdtemp()) / "logins", b"k" * 32, 12, clock)
    access = Access(Keys(TOKEN, b"k" * 32, password), logins, clock)
    guard = Guard(behind, access, Hosts.of("127.0.0.1", names), cookie_name="pmg-7640", frames=frames)
    return TestClient(guard, base_url=ADDRESS, follow_redirects=False, client=("127.0.0.1", 50_000))


@pytest.fixture
def client(behind: Behind, clock: Clock) -> Iterator[TestClient]:
    yield client_of(behind, clock)


def let_in(client: TestClient) -> tuple[str, str]:
    """The place and the cookie, as another program would have them; the client itself forgets them."""
    answer = client.get(f"/?token={TOKEN}")
    client.cookies.clear()
    pair, path, *_ = answer.headers["set-cookie"].split("; ")
    assert path == "Path=" + answer.headers["location"].rstrip("/")
    return path.removeprefix("Path="), pair


def test_the_token_in_the_address_becomes_a_place_and_a_cookie(client: TestClient, behind: Behind) -> None:
    answer = client.get(f"/deep/page?a=1&token={TOKEN}&b=%26", headers=PAGE)
    assert answer.status_code == 303
    place, _, rest = answer.headers["location"].partition("/deep")
    assert rest == "/page?a=1&b=%26"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and f"Path={place};" in cookie
    assert f"Max-Age={12 * int(HOUR)};" in cookie
    assert TOKEN not in cookie and behind.came == []
    assert client.get(f"{place}/").text == "behind"
    assert behind.came[0][BY] == "cookie"
    assert behind.came[0]["root_path"] == place and behind.came[0]["path"] == f"{place}/"


def test_a_cookie_without_its_place_and_a_place_without_its_cookie_open_nothing(
    client: TestClient, behind: Behind
) -> None:
    place, cookie = let_in(client)
    other, another = let_in(client)
    for path, headers in (
        ("/", {"cookie": cookie}),
        ("/api/stats", {"cookie": cookie}),
        (f"{place}/", {}),
        (f"{place}/", {"cookie": another}),
        (f"{other}/", {"cookie": cookie}),
        (f"{place}/", {"cookie": cookie, "authorization": "Bearer wrong"}),
    ):
        for method in ("GET", "POST"):
            assert client.request(method, path, headers=headers).status_code == 401, path
    assert behind.came == []
    assert client.get(f"{place}/", headers={"cookie": cookie}).status_code == 200


def test_a_cookie_of_the_same_name_from_another_port_does_not_push_ours_out(client: TestClient) -> None:
    place, cookie = let_in(client)
    for header in (f"pmg-7640=evil; {cookie}", f"{cookie}; pmg-7640=evil", f"x; =; {cookie};"):
        assert client.get(f"{place}/", headers={"cookie": header}).status_code == 200


def test_use_keeps_a_browser_in_and_a_day_away_ends_it(client: TestClient, clock: Clock) -> None:
    place, cookie = let_in(client)
    assert "set-cookie" not in client.get(f"{place}/", headers={"cookie": cookie}).headers
    for _ in range(3):
        clock.now += 11 * HOUR
        again = client.get(f"{place}/", headers={"cookie": cookie})
        assert again.headers["set-cookie"].startswith(cookie) and f"Path={place};" in again.headers["set-cookie"]
    clock.now += 24 * HOUR
    assert client.get(f"{place}/", headers={"cookie": cookie}).status_code == 401


def test_after_logout_the_same_place_and_cookie_open_nothing(client: TestClient, behind: Behind) -> None:
    place, cookie = let_in(client)
    answer = client.post(f"{place}/logout", headers={"cookie": cookie})
    assert answer.status_code == 303 and "Max-Age=0" in answer.headers["set-cookie"]
    behind.came.clear()
    for method in ("GET", "POST"):
        assert client.request(method, f"{place}/x", headers={"cookie": cookie}).status_code == 401
    assert behind.came == []


def test_a_link_from_elsewhere_gets_a_page_that_goes_on_by_itself(client: TestClient) -> None:
    """A redirect would keep the foreign page as its beginning, and the browser would keep the cookie at home."""
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    answer = client.get(f"/?token={TOKEN}&x=%22%3E%3Cscript%3E", headers={**PAGE, **followed})
    assert answer.status_code == 200
    place = answer.headers["set-cookie"].split("Path=")[1].split(";")[0]
    assert f'content="0;url={place}/?x=%22%3E%3Cscript%3E"' in answer.text
    assert "set-cookie" in answer.headers


def test_two_slashes_do_not_lead_to_another_machine(client: TestClient) -> None:
    for path in ("//evil.example/", "///evil.example/", "/\\evil.example/"):
        answer = client.get(f"{ADDRESS}{path}?token={TOKEN}")
        assert answer.headers["location"].startswith("/browser/")
        assert answer.headers["location"].endswith("/evil.example/")


def test_a_wrong_token_is_answered_with_the_login_page(client: TestClient, behind: Behind) -> None:
    answer = client.get("/?token=wrong", headers=PAGE)
    assert answer.status_code == 401
    assert "new at every start" in answer.text
    assert "set-cookie" not in answer.headers
    assert client.get("/?token=wrong").json()["error"].startswith("That token does not open this")
    assert behind.came == []


def test_bearer_lets_a_program_in_and_a_wrong_one_does_not(client: TestClient, behind: Behind) -> None:
    assert client.get("/api/x", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert behind.came[0][BY] == "token"
    refused = client.get("/api/x", headers={"authorization": "Bearer wrong"})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:8888"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/", "/healthz", "/login", "/gradio_api/upload", f"/?token={TOKEN}"])
def test_a_foreign_name_or_page_is_refused_even_with_the_token(client: TestClient, behind: Behind, path: str, headers: dict[str, str]) -> None:  # fmt: skip
    for method in ("GET", "POST", "OPTIONS"):
        answer = client.request(method, path, headers={"authorization": f"Bearer {TOKEN}", **headers})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert behind.came == []


def test_two_host_headers_are_refused(client: TestClient) -> None:
    answer = client.get("/", headers=[("host", "127.0.0.1"), ("host", "evil.example")])
    assert answer.status_code == 403


def test_health_is_answered_without_a_token(client: TestClient, behind: Behind) -> None:
    assert client.get("/healthz").status_code == 200
    assert client.get("/healthz/").status_code == 401
    assert client.get("/HEALTHZ").status_code == 401


def test_sockets_pass_the_same_guard(client: TestClient, behind: Behind) -> None:
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Bearer {TOKEN}", "origin": "null"}):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("ws://127.0.0.1:7640/stream", headers=headers),
        ):
            pass
    assert behind.came == []
    with client.websocket_connect("ws://127.0.0.1:7640/stream", headers={"authorization": f"Bearer {TOKEN}"}):
        pass
    assert len(behind.came) == 1


def test_what_a_proxy_would_say_is_not_heard(client: TestClient, behind: Behind) -> None:
    said = {
        "x-forwarded-host": "evil.example",
        "Forwarded": "host=evil.example",
        "x-forwarded-for": "1.2.3.4",
        "accept": "x",
    }
    client.get("/", headers={"authorization": f"Bearer {TOKEN}", **said})
    names = {name for name, _ in behind.came[0]["headers"]}
    assert b"accept" in names
    assert not {name for name in names if b"forward" in name}


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "memory.example"},
        {"x-forwarded-for": "192.0.2.7"},
        {"Forwarded": "for=192.0.2.7"},
        {"x-real-ip": "192.0.2.7"},
    ],
)
def test_a_web_server_on_this_machine_opens_the_upstreams_to_nobody(
    behind: Behind, clock: Clock, headers: dict[str, str]
) -> None:
    client = client_of(behind, clock, names=("memory.example",))
    assert client.get("/login", headers=headers).status_code == 200
    assert client.post("/u/here/v1/messages", headers=headers).status_code == 403
    assert behind.came == []
    for host in ("127.0.0.1:7640", "localhost:7640", "[::1]:7640"):
        assert client.post("/u/here/v1/messages", headers={"host": host}).status_code == 200


def test_only_programs_on_this_machine_reach_the_upstreams(behind: Behind, clock: Clock) -> None:
    here = client_of(behind, clock)
    elsewhere = TestClient(here.app, base_url=ADDRESS, client=("192.0.2.7", 50_000))
    answer = elsewhere.post("/u/here/v1/messages")
    assert (answer.status_code, behind.came) == (403, [])
    assert here.post("/u/here/v1/messages").status_code == 200


def test_every_answer_carries_the_security_headers(client: TestClient) -> None:
    known = {"authorization": f"Bearer {TOKEN}"}
    for answer in (
        client.get("/"),
        client.get("/", headers=PAGE),
        client.get("/x", headers=known),
        client.get("/login"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert "http:" not in policy and "https:" not in policy and "*" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers
    assert client.get("/api/x", headers=known).headers["cache-control"] == "no-store"
    assert client.get("/assets/x", headers=known).headers["cache-control"] == "public"


def test_a_notebook_that_was_named_may_frame_the_page(behind: Behind, clock: Clock) -> None:
    answer = client_of(behind, clock, frames=("http://localhost:8888",)).get("/login")
    assert "frame-ancestors http://localhost:8888" in answer.headers["content-security-policy"]
    assert "x-frame-options" not in answer.headers


def test_a_password_logs_in_and_out(behind: Behind, clock: Clock) -> None:
    client = client_of(behind, clock, password=PASSWORD)
    assert 'for="secret">Password' in client.get("/", headers=PAGE).text
    place = client.post("/login", data={"secret": PASSWORD}).headers["location"]
    assert client.get(place).status_code == 200
    client.post(f"{place}logout")
    assert client.get(place).status_code == 401


def test_guessing_a_password_is_slowed_down_and_the_token_always_lets_in(behind: Behind, clock: Clock) -> None:
    client = client_of(behind, clock, password=PASSWORD)
    for _ in range(5):
        assert client.post("/login", data={"secret": "guess"}).status_code == 401
    locked = client.post("/login", data={"secret": PASSWORD})
    assert locked.status_code == 429
    assert int(locked.headers["retry-after"]) == 3
    assert client.get("/", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert client.get(f"/?token={TOKEN}").status_code == 303
    assert client.post("/login", data={"secret": TOKEN}).status_code == 303
    clock.now += 3
    assert client.post("/login", data={"secret": PASSWORD}).status_code == 303


@pytest.mark.parametrize("password", ["", PASSWORD], ids=["token only", "with a password"])
def test_wrong_tokens_keep_nobody_out(behind: Behind, clock: Clock, password: str) -> None:
    client = client_of(behind, clock, password=password)
    for _ in range(50):
        assert client.get("/?token=wrong", headers=PAGE).status_code == 401
        assert client.get("/api/x", headers={"authorization": "Bearer wrong"}).status_code == 401
    if not password:
        for _ in range(50):
            assert client.post("/login", data={"secret": "wrong"}).status_code == 401
    assert client.post("/login", data={"secret": password or TOKEN}).status_code == 303
    assert client.get(f"/?token={TOKEN}").status_code == 303


@pytest.mark.parametrize(
    "body", [b"", b"secret=", b"other=x", b"secret=a&secret=b", b"secret=" + b"x" * 5_000, b"\xff\xfe"]
)
def test_whatever_is_not_the_form_is_a_wrong_guess(client: TestClient, body: bytes) -> None:
    assert client.post("/login", content=body).status_code == 401


def test_a_malformed_cookie_header_is_nobody(client: TestClient) -> None:
    for cookie in ("pmg-7640=", "pmg-7640=1.2", "=;=;", "pmg-7640=\x01", 'pmg-7640="'):
        assert client.get("/", headers={"cookie": cookie}).status_code == 401


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}], ids=str)
def test_a_program_without_the_right_token_is_told_how_to_get_one(client: TestClient, headers: dict[str, str]) -> None:
    said = client.post("/api/v1/recall", headers=headers).json()["error"]
    assert "`pmg token new` on the machine of this server" in said
    assert ("revoked or mistyped" in said) is bool(headers)
