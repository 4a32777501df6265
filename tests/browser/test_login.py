"""A login in a real browser: no other port is sent the cookie, what is copied opens nothing, and after logout all is closed.

The stories of upload, download, chat and every tab run under the same place (test_import.py, test_chat.py, test_harness.py).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest

from tests.browser.conftest import Served
from tests.browser.test_chat import ask

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.timeout(300)


class Neighbour(ThreadingHTTPServer):
    """Another server on this machine, which notes what browsers send it and sets a cookie of our name."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.sets = ""
        super().__init__(("127.0.0.1", 0), _Answer)


class _Answer(BaseHTTPRequestHandler):
    server: Neighbour

    def do_GET(self) -> None:
        self.server.sent.append((self.path, str(self.headers)))
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("set-cookie", f"{self.server.sets}; Path=/")
        self.end_headers()
        self.wfile.write(b"<title>neighbour</title>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def neighbour() -> Iterator[Neighbour]:
    server = Neighbour()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def cookie_of(page: Page, served: Served) -> dict[str, str]:
    (found,) = [one for one in page.context.cookies() if one["name"] == f"pmg-{served.server.port}"]
    return {"cookie": f"{found['name']}={found['value']}"}


@pytest.mark.fast
def test_no_other_port_is_sent_the_cookie_or_the_place(page: Page, served: Served, neighbour: Neighbour) -> None:
    neighbour.sets = f"pmg-{served.server.port}=evil"
    secret = urlsplit(page.url).path.split("/")[2]
    value = cookie_of(page, served)["cookie"].split("=")[1]
    address = f"http://127.0.0.1:{neighbour.server_port}"
    second = page.context.new_page()
    second.goto(f"{address}/")
    second.goto(f"{address}/browser/")
    page.evaluate(
        "address => new Promise(done => { const a = document.createElement('a'); a.href = address; a.target = '_blank';"
        " document.body.append(a); a.click(); setTimeout(done, 500) })",
        f"{address}/linked",
    )
    assert {path for path, _ in neighbour.sent} >= {"/", "/browser/"}
    for path, headers in neighbour.sent:
        assert value not in headers and secret not in headers + path
    page.reload()  # the cookie it set under our name does not push ours out
    page.wait_for_selector("#pmg-tabs", state="visible")
    ask(page, "The neighbour keeps bees.")
    page.locator(".pmg-turn.theirs").first.wait_for()


def test_the_plain_address_finds_its_way_back_in_a_second_tab(page: Page, served: Served) -> None:
    second = page.context.new_page()
    second.goto(f"{served.address}/?__theme=dark")
    second.wait_for_selector("#pmg-tabs", state="visible")
    assert urlsplit(second.url).path == urlsplit(page.url).path
    assert urlsplit(second.url).query == "__theme=dark"


@pytest.mark.fast
def test_after_logout_everything_is_refused(page: Page, open_page: Callable[..., Page], served: Served) -> None:
    other = open_page()
    ours, place = cookie_of(page, served), page.url.partition("#")[0].rstrip("/")
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url))
    page.reload()  # a stream that was open before serves the question too, and would not be asked for again
    page.wait_for_selector("#pmg-tabs", state="visible")
    ask(page, "The tram to the lake is number 7.")
    page.locator(".pmg-turn.theirs").first.wait_for()
    reads = {f"{place}/config", f"{place}/api/stats", *(url for url in asked if url.startswith(place))}
    assert any("/gradio_api/queue/data" in url for url in reads)  # a stream is among them
    assert httpx.get(f"{place}/config", headers=ours).status_code == 200  # the control: before, both let in
    for url in reads:
        assert httpx.get(url.replace(place, served.address), headers=ours).status_code == 401, url
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Token").wait_for()
    for url in reads:
        assert httpx.get(url, headers=ours).status_code == 401, url
        assert httpx.post(url, headers=ours).status_code == 401, url
    page.goto(served.address)
    page.get_by_label("Token").wait_for()
    assert page.evaluate("localStorage.getItem('pmg-place')") is None
    other.reload()  # another browser stays in
    other.wait_for_selector("#pmg-tabs", state="visible")
