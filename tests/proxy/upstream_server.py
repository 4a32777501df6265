"""A model's API on loopback that says exactly the bytes a test wants, status line and all, and notes exactly what it was sent."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

Script = Callable[["SentRequest"], Iterable[bytes]]


@dataclass(frozen=True)
class SentRequest:
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class UpstreamServer:
    url: str
    script: Script
    asked: list[SentRequest] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)  # whoever asked went away in the middle of an answer


def head(status: int = 200, kind: str = "application/json", *more: str, length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", f"content-type: {kind}", "connection: close", *more]
    lines += [] if length is None else [f"content-length: {length}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def whole(value: Any, status: int = 200, *more: str) -> Script:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return lambda _: [head(status, "application/json", *more, length=len(body)) + body]


def chunked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    yield b"0\r\n\r\n"


def sse(events: Iterable[Any], named: bool = False) -> bytes:
    rows = []
    for one in events:
        name = f"event: {one['type']}\n" if named else ""
        rows.append(f"{name}data: {one if isinstance(one, str) else json.dumps(one)}\n\n")
    return "".join(rows).encode()


def streamed(*pieces: bytes, kind: str = "text/event-stream") -> Script:
    return lambda _: [head(200, kind, "transfer-encoding: chunked"), *chunked(pieces)]


def streamed_encoded(body: bytes, encoding: str) -> Script:
    more = ("transfer-encoding: chunked", f"content-encoding: {encoding}")
    pieces = [body[at : at + 7] for at in range(0, len(body), 7)]
    return lambda _: [head(200, "text/event-stream", *more), *chunked(pieces)]


@contextmanager
def upstream_serving(script: Script) -> Iterator[UpstreamServer]:
    listening = socket.create_server(("127.0.0.1", 0))
    server = UpstreamServer(f"http://127.0.0.1:{listening.getsockname()[1]}", script)

    def accept() -> None:
        with suppress(OSError):
            while True:
                one, _ = listening.accept()
                threading.Thread(target=_serve, args=(server, one), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield server
    finally:
        listening.close()


def _serve(server: UpstreamServer, opened: socket.socket) -> None:
    with opened, suppress(OSError):
        opened.settimeout(60)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        asked = _read(opened)
        if asked is None:
            return
        server.asked.append(asked)
        try:
            for piece in server.script(asked):
                opened.sendall(piece)
        except OSError:
            server.left.set()
            raise
        opened.shutdown(socket.SHUT_WR)


def _read(opened: socket.socket) -> SentRequest | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = opened.recv(65_536)
        if not piece:
            return None
        data += piece
    top, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = top.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    headers = [(line.partition(":")[0], line.partition(":")[2].strip()) for line in lines]
    known = {name.lower(): value for name, value in headers}
    if known.get("transfer-encoding") == "chunked":
        while not rest.endswith(b"0\r\n\r\n"):
            rest += opened.recv(65_536)
        rest = _unchunked(rest)
    while len(rest) < int(known.get("content-length", 0)):
        rest += opened.recv(65_536)
    return SentRequest(method, target, headers, rest)


def _unchunked(data: bytes) -> bytes:
    body = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        count = int(size, 16)
        body, data = body + data[:count], data[count + 2 :]
    return body
