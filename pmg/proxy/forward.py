"""`/u/NAME/…` passed on to an upstream and back, byte for byte; what passes is copied for capture.py after it was sent on.

Bytes are neither decoded nor framed anew. Nothing is retried, redirected or kept: httpx's transport is used without its client, which would
keep cookies and write addresses, and with them keys, into the log.
"""

from __future__ import annotations

import json
import logging
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio
import httpx

from pmg.base.errors import NotFound
from pmg.base.loopback import is_loopback
from pmg.proxy.bring import MAX_BODY, Bringer, Memory
from pmg.proxy.capture import CapturedExchange, Captures
from pmg.proxy.side_calls import LastExchange
from pmg.proxy.threads import KEYS
from pmg.proxy.upstreams import PREFIX, Upstream, Upstreams
from pmg.proxy.wire import error_body, format_of

if TYPE_CHECKING:
    from pmg.proxy.remember import Rememberer

log = logging.getLogger(__name__)
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Bring = Callable[[CapturedExchange, bytes], Awaitable[bytes]]
RawHeaders = list[tuple[bytes, bytes]]

CONNECT_SECONDS = 30.0  # an answer may take as long as it takes: models think for minutes
LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=64, keepalive_expiry=30)
# Of one connection only, by RFC 9110; `expect` is answered by our own server.
HOP_BY_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade expect".split()
)
# The only headers that a capture sees. No key is among them.
CAPTURED_HEADERS = frozenset(
    {"user-agent", "content-encoding", "x-app", "x-claude-code-agent-id", "x-claude-code-parent-agent-id", *KEYS}
)


class ClientGone(Exception):
    """Whoever asked has left before the request was here."""


class Proxy:
    """The ASGI app of all upstreams; who may come in was decided by the guard."""

    def __init__(self, home: Path) -> None:
        self.upstreams = Upstreams(home)
        self.captures = Captures()
        self.bringer: Bringer | None = None  # there once the memory is open
        self.recent: Callable[[], tuple[LastExchange, ...]] = tuple
        self._transports: dict[str, httpx.AsyncHTTPTransport] = {}
        self._tls: ssl.SSLContext | None = None

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # programs fall back to HTTP at this
            return await send({"type": "websocket.close", "code": 1013, "reason": "no sockets here"})
        name, _, rest = scope["path"].removeprefix(PREFIX).partition("/")
        try:
            upstream = self.upstreams.find(name)
        except NotFound as error:
            return await _tell(send, "openai", 404, str(error))
        if (b"upgrade", b"websocket") in ((header, value.lower()) for header, value in scope["headers"]):
            return await _tell(send, upstream.kind, 403, "The proxy has no WebSockets: use HTTP.")
        exchange = None
        if not upstream.paused and format_of(scope["method"], rest) is not None:
            exchange = self.captures.begin(upstream, scope["method"], rest, _captured_headers(scope["headers"]))
        try:
            try:
                transport = self._transport(upstream)
            except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
                return await _tell(send, upstream.kind, 502, _no_way(upstream, error))
            bring = self._bring if upstream.bring else None
            await _Passage(transport, upstream, scope, receive, send, exchange, bring).run()
        finally:
            if exchange is not None:
                self.captures.offer(exchange)
        return None

    def open(self, rememberer: Rememberer, memory: Memory) -> None:
        """Now that the memory is open: what has waited is remembered, and something can be brought."""
        self.recent = lambda: rememberer.threads.recent(time.time())
        self.bringer = Bringer(memory, rememberer.session_of)
        self.captures.start(rememberer)

    async def _bring(self, exchange: CapturedExchange, body: bytes) -> bytes:
        """A failure here is no failure of the request."""
        if self.bringer is None:
            exchange.brought = "nothing brought: the memory is being opened"
            return body
        try:
            made = await self.bringer.bring(
                exchange.upstream.name, exchange.path, exchange.headers, body, self.recent()
            )
        except Exception:
            log.exception("nothing could be brought along for %s", exchange.upstream.name)
            exchange.brought = "nothing brought: it failed"
            return body
        exchange.brought = made.said
        return made.body

    def _transport(self, upstream: Upstream) -> httpx.AsyncHTTPTransport:
        """One pool of connections for each place."""
        parts = urlsplit(upstream.url)
        place = f"{parts.scheme}://{parts.netloc}"
        if place not in self._transports:
            proxy = None if is_loopback(parts.hostname or "") else _web_proxy(parts.scheme, parts.netloc)
            verify = self._certificates() if parts.scheme == "https" else False
            self._transports[place] = httpx.AsyncHTTPTransport(verify=verify, limits=LIMITS, proxy=proxy)
        return self._transports[place]

    def _certificates(self) -> ssl.SSLContext:
        self._tls = self._tls or httpx.create_ssl_context()
        return self._tls

    async def aclose(self) -> None:
        for transport in self._transports.values():
            await transport.aclose()
        self._transports.clear()


class _Passage:
    """One request on its way there and back."""

    def __init__(
        self,
        transport: httpx.AsyncHTTPTransport,
        upstream: Upstream,
        scope: MutableMapping[str, Any],
        receive: Receive,
        send: Send,
        exchange: CapturedExchange | None,
        bring: Bring | None,
    ) -> None:
        self._transport = transport
        self._upstream = upstream
        self._scope = scope
        self._receive = receive
        self._send = send
        self._exchange = exchange
        self._bring = bring
        self._sent = anyio.Event()  # the request is with the upstream

    async def run(self) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch, group.cancel_scope)
            try:
                await self._pass()
            except ClientGone:
                log.debug("a client of %s left", self._upstream.name)
            group.cancel_scope.cancel()

    async def _watch(self, cancelled: anyio.CancelScope) -> None:
        """A client that goes away ends the upstream's work, which may cost money."""
        await self._sent.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass
        cancelled.cancel()

    async def _pass(self) -> None:
        try:
            answer = await self._transport.handle_async_request(await self._request())
        except httpx.HTTPError as error:
            status, said = _unreachable(self._upstream, error)
            return await _tell(self._send, self._upstream.kind, status, said)
        finally:
            self._sent.set()
        try:
            await self._pass_back(answer)
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(5):
                await answer.aclose()

    async def _request(self) -> httpx.Request:
        headers = [(n, v) for n, v in _end_to_end(self._scope["headers"]) if n != b"host"]
        names = {name.lower() for name, _ in self._scope["headers"]}
        has_body = bool(names & {b"content-length", b"transfer-encoding"})
        content: AsyncIterator[bytes] | bytes | None = self._body() if has_body else None
        if self._bring is not None and self._exchange is not None and self._may_be_read():
            content = await self._bring(self._exchange, b"".join([piece async for piece in self._body()]))
            headers = [(n, v) for n, v in headers if n.lower() != b"content-length"]
        times = {"connect": CONNECT_SECONDS, "read": None, "write": None, "pool": None}
        address = _address(self._upstream, self._scope)
        return httpx.Request(
            self._scope["method"], address, headers=headers, content=content, extensions={"timeout": times}
        )

    def _may_be_read(self) -> bool:
        """Before it is passed on: a body whose size is told and not too large."""
        given = {name.lower(): value for name, value in self._scope["headers"]}
        size = given.get(b"content-length", b"")
        return size.isdigit() and int(size) <= MAX_BODY and self._scope["method"] == "POST"

    async def _body(self) -> AsyncIterator[bytes]:
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            piece = message.get("body", b"")
            if piece:
                yield piece
                if self._exchange is not None:
                    self._exchange.request.add(piece)
            if not message.get("more_body"):
                self._sent.set()
                return

    async def _pass_back(self, answer: httpx.Response) -> None:
        # `date` is written by our own server, and would stand there twice.
        headers = [(n, v) for n, v in _end_to_end(answer.headers.raw) if n.lower() != b"date"]
        await self._send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
        if self._exchange is not None:
            self._exchange.status = answer.status_code
            self._exchange.encoding = answer.headers.get("content-encoding", "")
        try:
            async for piece in answer.stream:  # type: ignore[union-attr]
                await self._send({"type": "http.response.body", "body": piece, "more_body": True})
                if self._exchange is not None:
                    self._exchange.answer.add(piece)
        except (
            httpx.HTTPError
        ) as error:  # the answer broke off there, and so it does here: our server cuts the connection
            log.info("an answer of %s broke off: %s", self._upstream.name, type(error).__name__)
            return
        if self._exchange is not None:
            self._exchange.whole = True
        await self._send({"type": "http.response.body", "body": b""})


def _end_to_end(headers: RawHeaders) -> RawHeaders:
    """Without what belongs to one connection, which a `connection` header may name besides."""
    named = {
        word.strip().lower() for name, value in headers if name.lower() == b"connection" for word in value.split(b",")
    }
    return [(name, value) for name, value in headers if name.lower() not in HOP_BY_HOP | named]


def _address(upstream: Upstream, scope: MutableMapping[str, Any]) -> httpx.URL:
    """Path and query as they came, behind the path of the upstream; httpx resolves segments that are `.` or `..`."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    base = httpx.URL(upstream.url)
    path = base.raw_path.partition(b"?")[0].rstrip(b"/") + raw.partition(b"?")[0].removeprefix(upstream.path.encode())
    query = b"&".join(filter(None, (base.query, scope.get("query_string", b""))))
    return base.copy_with(raw_path=(path or b"/") + (b"?" + query if query else b""))


def _captured_headers(headers: RawHeaders) -> dict[str, str]:
    pairs = ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers)
    return {name: value[:500] for name, value in pairs if name in CAPTURED_HEADERS}


def _web_proxy(scheme: str, place: str) -> str | None:
    """The proxy that this machine uses for the web, if any."""
    found = "" if proxy_bypass(place) else getproxies().get(scheme, "")
    return f"http://{found}" if found and "://" not in found else found or None


def _no_way(upstream: Upstream, error: Exception) -> str:
    """Not in the words of the error: the address of a web proxy may hold a password."""
    return (
        f"The upstream {upstream.name} cannot be reached ({type(error).__name__}): look at the web proxy and the "
        f"certificates that this machine names ({urlsplit(upstream.url).scheme}_proxy, no_proxy, SSL_CERT_FILE)."
    )


def _unreachable(upstream: Upstream, error: httpx.HTTPError) -> tuple[int, str]:
    parts = urlsplit(upstream.url)
    place = f"{parts.scheme}://{parts.netloc}"
    if isinstance(error, httpx.TimeoutException):
        return 504, f"The upstream {upstream.name} at {place} did not answer in time: is it running?"
    if isinstance(error, httpx.ConnectError):
        return (
            502,
            f"The upstream {upstream.name} at {place} cannot be reached: is it running, and is the address right?",
        )
    return (
        502,
        f"The upstream {upstream.name} at {place} broke off before its answer ({type(error).__name__}): try again.",
    )


async def _tell(send: Send, kind: str, status: int, said: str) -> None:
    body = json.dumps(error_body(kind, status, said)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
