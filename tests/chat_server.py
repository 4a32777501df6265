"""A stand-in for a remote chat model: a real HTTP server on loopback that says what a test wants it to say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


@dataclass
class ChatServer:
    base_url: str
    asked: list[dict[str, Any]] = field(default_factory=list)  # the bodies, in order
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def sent_text(self) -> str:
        return json.dumps(self.asked, ensure_ascii=False)


def stream(*pieces: str, done: bool = True, wait: threading.Event | None = None) -> Script:
    """Answers with these pieces as a stream; `wait` is waited for after the first of them."""

    def say(handler: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        for i, piece in enumerate(pieces):
            chunk = {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
            handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            handler.wfile.flush()
            if wait is not None and i == 0:
                wait.wait(300)
        if done:
            handler.wfile.write(b": a comment\n\ndata: [DONE]\n\n")

    return say


def refuse(status: int, message: str = "", location: str = "") -> Script:
    def say(handler: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        handler.send_response(status)
        if location:
            handler.send_header("Location", location)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        handler.wfile.write(json.dumps({"error": {"message": message}}).encode())

    return say


def raw(body: bytes, kind: str, encoding: str = "") -> Script:
    def say(handler: BaseHTTPRequestHandler, _body: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        if encoding:
            handler.send_header("Content-Encoding", encoding)
        handler.end_headers()
        handler.wfile.write(body)

    return say


@contextmanager
def serving(script: Script, models: tuple[str, ...] = ("first", "second")) -> Iterator[ChatServer]:
    told = ChatServer("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            told.asked.append(body)
            told.headers.append(dict(self.headers.items()))
            script(self, body)

        def do_GET(self) -> None:
            raw(json.dumps({"data": [{"id": name} for name in models]}).encode(), "application/json")(self, {})

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    told.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
