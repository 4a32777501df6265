"""`pmg mcp`: MCP over standard input and output, as a pump to the one server of the memory.

Knows: lines of JSON in and out, the server's address, and how to start one that is missing. It imports neither the SDK nor the engine,
so that it answers at once; while the server starts, it says from a file what the server would (mcp_offline.py). What the tools do is the
server's. It ends with its client and leaves the server running: other clients, the page and upkeep use the same one.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote, urlsplit

from pmg.base.project import root_of
from pmg.client import discovery
from pmg.server import mcp_offline
from pmg.server.loopback_http import LoopbackAnswer, ServerGone, posting

if TYPE_CHECKING:
    import subprocess

START_TIMEOUT = 180.0  # seconds that a server is waited for
RETRY_SECONDS = 0.2
SHUTDOWN_TIMEOUT = 10.0  # seconds for what is still being answered when the client closes its end
MAX_CONCURRENT = 32  # requests in hand
WRITES = frozenset({"remember", "link", "forget"})  # not asked a second time when the server may have done them
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
Message = dict[str, Any]


def working_folder() -> str:
    """The folder that a client works in: it starts its tools there. Empty where that is gone, or in no repository: a client of the desktop starts them
    at home, in `/` or beside itself."""
    try:
        here = str(Path.cwd())
    except OSError:
        return ""
    return here if root_of(here) else ""


@dataclass(frozen=True)
class PumpOptions:
    home: Path
    namespace: str = ""
    tools: str = ""
    read_only: bool = False
    folder: str = field(default_factory=working_folder)

    @property
    def path(self) -> str:
        asked = [f"tools={quote(self.tools)}"] if self.tools else []
        asked += ["read_only=1"] if self.read_only else []
        namespace = f"/{quote(self.namespace, safe='')}" if self.namespace else ""
        return f"/mcp{namespace}" + ("?" + "&".join(asked) if asked else "")


@dataclass
class ClientFacts:
    """What the client of the older era said once, in its handshake."""

    version: str = ""
    name: str = ""


class Refused(Exception):
    """What the client is told instead of an answer."""


@dataclass
class StdioProxy:
    options: PumpOptions
    out: BinaryIO
    client: ClientFacts = field(default_factory=ClientFacts)
    _writing: threading.Lock = field(default_factory=threading.Lock)
    _starting: threading.Lock = field(default_factory=threading.Lock)
    _started: subprocess.Popen[bytes] | None = None

    def run(self, given: BinaryIO) -> None:
        """Until the client closes its end."""
        room = threading.BoundedSemaphore(MAX_CONCURRENT)
        working: set[threading.Thread] = set()
        for line in given:
            message = self._read(line)
            if message is None:
                continue
            room.acquire()
            thread = threading.Thread(target=self._handle, args=(message, line, room), daemon=True)
            working = {one for one in working if one.is_alive()} | {thread}
            thread.start()
        end = time.monotonic() + SHUTDOWN_TIMEOUT
        for thread in working:
            thread.join(max(0.0, end - time.monotonic()))

    def _read(self, line: bytes) -> Message | None:
        """A request; None for what needs no answer. Nothing is kept between requests, so notifications have nowhere to go."""
        if not line.strip():
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._error(None, -32700, "That line is not JSON in UTF-8.")
            return None
        if not isinstance(message, dict):
            self._error(None, -32600, "Send one message a line.")
            return None
        return message if message.get("id") is not None and "method" in message else None

    def _handle(self, message: Message, line: bytes, room: threading.BoundedSemaphore) -> None:
        try:
            if len(line) > mcp_offline.MAX_BYTES:
                raise Refused(f"This request has {len(line):,} bytes; at most {mcp_offline.MAX_BYTES:,} are taken.")
            self._meet(message)
            self._answer(message, line)
        except Refused as refused:
            self._error(message["id"], -32000, str(refused))
        except Exception as error:  # the edge of a thread: the client waits for an answer
            self._error(message["id"], -32603, f"The pump failed ({type(error).__name__}).")
        finally:
            room.release()

    def _meet(self, message: Message) -> None:
        """Who talks through us, as far as it says so."""
        params = _mapping(message.get("params"))
        info = params.get("clientInfo") if message["method"] == "initialize" else _meta(params).get(CLIENT_KEY)
        name = _mapping(info).get("name")
        if isinstance(name, str):
            self.client.name = "".join(char for char in name if char.isascii() and char.isprintable())[:60]

    def _answer(self, message: Message, line: bytes) -> None:
        end = time.monotonic() + START_TIMEOUT
        awaited = None
        while True:
            server = discovery.find(self.options.home)
            if server is None:
                awaited = self._start(awaited)
            elif self._forwarded(server, message, line):
                return None
            known = mcp_offline.answer(message, self.options.tools, self.options.read_only)
            if known is not None:
                return self._take(message, known)
            if time.monotonic() > end:
                raise Refused("The memory's server does not answer. `pmg serve --no-browser` in a terminal shows why.")
            time.sleep(RETRY_SECONDS)

    def _forwarded(self, server: discovery.RunningServer, message: Message, line: bytes) -> bool:
        """Whether it was answered: a server that is starting, ending or was just replaced is asked again."""
        parts = urlsplit(server.address)
        place = (parts.hostname or "127.0.0.1", parts.port or 80)
        try:
            with posting(place, self.options.path, self._headers(server, message), line, None) as answer:
                if answer.status == 503:
                    return False
                if answer.status == 401 and discovery.find(self.options.home) != server:
                    return False
                self._pass_on(message, answer)
                return True
        except ServerGone as gone:
            if gone.sent and _mapping(message.get("params")).get("name") in WRITES:
                raise Refused(
                    "The server ended while it worked on this. Look whether it was done, then ask again."
                ) from None
            return False

    def _headers(self, server: discovery.RunningServer, message: Message) -> dict[str, str]:
        params = _mapping(message.get("params"))
        told = {
            "authorization": f"Bearer {server.token}",
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "user-agent": "pmg-mcp",
        }
        if self.client.name:
            told["x-pmg-client"] = self.client.name
        if self.options.folder:
            told["x-pmg-works-in"] = quote(os.fsencode(self.options.folder))
        version = _meta(params).get(VERSION_KEY)
        if isinstance(version, str):  # the newer era says everything with each request, and some of it twice
            told["mcp-protocol-version"] = _field(version)
            told["mcp-method"] = _field(str(message["method"]))
            name = params.get(NAMED.get(str(message["method"]), ""))
            if isinstance(name, str):
                told["mcp-name"] = _field(name)
        elif self.client.version and message["method"] != "initialize":
            told["mcp-protocol-version"] = self.client.version
        return told

    def _pass_on(self, message: Message, answer: LoopbackAnswer) -> None:
        if answer.streams:
            for event in answer.events():
                self._take(message, json.loads(event))
            return None
        body = b"".join(answer.pieces())
        try:
            told = json.loads(body)
        except ValueError:
            told = {}
        if isinstance(told, dict) and told.get("jsonrpc") == "2.0":
            return self._take(message, {**told, "id": message["id"]})
        said = told.get("error", "") if isinstance(told, dict) else ""
        raise Refused(str(said) or f"The memory's server refused this (status {answer.status}).")

    def _take(self, message: Message, told: Message) -> None:
        if message["method"] == "initialize":
            self.client.version = str(_mapping(told.get("result")).get("protocolVersion", ""))
        self._write(told)

    def _error(self, request: object, code: int, said: str) -> None:
        self._write({"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": said}})

    def _write(self, message: Message) -> None:
        line = json.dumps(message, ensure_ascii=True).encode() + b"\n"  # no line break and no code page can harm it
        with self._writing:
            try:
                self.out.write(line)
                self.out.flush()
            except (BrokenPipeError, ValueError):
                os._exit(0)  # the client is gone

    def _start(self, awaited: subprocess.Popen[bytes] | None) -> subprocess.Popen[bytes]:
        """A server of its own life: it stays when this process and its client are gone.

        `awaited` is the one that this request waits for: if that ended, none could start. One that ended before may have served well until
        it was killed, or failed for a reason that is gone, so a new request tries anew.
        """
        from pmg.server import detached  # seldom needed, and slow to import

        with self._starting:
            last = self._started
            if last is not None and last.poll() is None:
                return last
            if last is not None and last is awaited and last.returncode and discovery.find(self.options.home) is None:
                raise Refused("The memory's server could not start. `pmg serve --no-browser` in a terminal shows why.")
            self._started = detached.start_server(self.options.home)
            return self._started


def _mapping(value: object) -> Message:
    return value if isinstance(value, dict) else {}


def _meta(params: Message) -> Message:
    return _mapping(params.get("_meta"))


def _field(value: str) -> str:
    """As the protocol wants a value in a header: what is not plain ASCII is wrapped."""
    plain = value.isascii() and value.isprintable() and value == value.strip() and not value.startswith("=?base64?")
    return value if plain else f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode()}?="


def serve_stdio(options: PumpOptions) -> None:
    """Takes over standard input and output. Whatever else would be printed goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    StdioProxy(options, out).run(sys.stdin.buffer)
