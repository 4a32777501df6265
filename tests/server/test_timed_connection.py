"""Connections that stop half-way are closed; whoever waits for us is not. The waits are bounded only by the test's own timeouts."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from pmg.server.run import Options, Server
from pmg.server.timed_connection import ConnectionTimeouts, TimedConnection
from tests.server.test_run import config_of, left

SLOW = 0.3  # seconds that an answer takes: longer than all of the server's timeouts
GIVEN_UP = threading.Event()  # the large answer has ended, though nobody read it
GIVE_UP = 60.0  # of the test, for a server that does not close


class Impatient(TimedConnection):
    timeouts = ConnectionTimeouts(head=0.1, body=0.1, slowest=1e9, unread=0.1)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    more = scope["method"] == "POST"
    while more:
        message = await receive()
        more = message["type"] == "http.request" and message.get("more_body", False)
    await asyncio.sleep(SLOW)
    size = 64_000_000 if scope["path"] == "/large" else 2
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(size).encode())]})
    for _ in range(max(1, size // 1_000_000)):
        await send({"type": "http.response.body", "body": b"x" * min(size, 1_000_000), "more_body": True})
    await send({"type": "http.response.body", "body": b""})
    if scope["path"] == "/large":
        GIVEN_UP.set()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = uvicorn.Server(uvicorn.Config(app, http=Impatient, lifespan="off", log_config=None, port=0))
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join(GIVE_UP)


def answer(port: int, *sent: bytes) -> bytes:
    """All that comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", port), GIVE_UP) as opened:
        for part in sent:
            opened.sendall(part)
        back = b""
        while part := opened.recv(65_536):
            back += part
        return back


@pytest.mark.parametrize(
    "sent",
    [b"", b"GE", b"GET / HTTP/1.1\r\nhost: x\r\n", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf"],
    ids=["nothing", "half a word", "half a head", "half a body"],
)
def test_a_client_that_stops_half_way_is_let_go(port: int, sent: bytes) -> None:
    assert answer(port, sent) == b""


def test_half_of_a_second_request_does_not_keep_the_connection(port: int) -> None:
    whole = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
    assert answer(port, whole, b"GET / HT").count(b"200 OK") == 1


def test_a_head_that_trickles_does_not_buy_time(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), GIVE_UP) as opened, pytest.raises(OSError):
        for _ in range(10_000):  # a hundred seconds, were it kept
            opened.sendall(b"x")
            threading.Event().wait(0.01)


def test_whoever_waits_for_us_gets_the_answer(port: int) -> None:
    assert answer(port, b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").endswith(b"xx")
    posted = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 4\r\n\r\nbody"
    assert answer(port, posted).endswith(b"xx")


def test_an_answer_that_nobody_reads_is_given_up(port: int) -> None:
    GIVEN_UP.clear()
    with socket.create_connection(("127.0.0.1", port), GIVE_UP) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        opened.sendall(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n")
        assert GIVEN_UP.wait(GIVE_UP)


def test_the_server_of_a_memory_uses_it(home) -> None:  # type: ignore[no-untyped-def]
    server = Server.claim(config_of(home), Options())
    assert server._uvicorn.config.http is TimedConnection
    left(server)
