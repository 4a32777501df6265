"""The connection to a chat server: httpx, narrowed to the address that the person set.

No proxy from the environment and no redirect can carry text to a place the person did not name. The certificates are the system's.
No answer, however long or malformed, fills the memory: openai.py says in a sentence what went wrong.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import httpx
from httpx_sse import EventSource

BODY = 1_000_000  # bytes read of an answer that is no stream
MAX_LINE_BYTES = 1_000_000  # bytes of a stream without a line break: more is no chunk of text


def open_client(timeout: float) -> httpx.Client:
    """`timeout` bounds each wait: for the connection, and for the next bytes of an answer."""
    # Not compressed: an answer is short, and a compressed one could unfold to any size.
    headers = {"User-Agent": "pmg", "Accept-Encoding": "identity"}
    transport = _BoundedTransport(verify=ssl.create_default_context(), trust_env=False)
    return httpx.Client(transport=transport, headers=headers, timeout=timeout, trust_env=False, follow_redirects=False)


def read_body(response: httpx.Response) -> bytes:
    """The first million bytes of an answer."""
    read = b""
    for piece in response.iter_raw(65_536):
        read += piece
        if len(read) >= BODY:
            break
    return read[:BODY]


def events(response: httpx.Response) -> Iterator[str]:
    """The data of each event of a stream."""
    # Some servers give their stream another type or character set; it is server-sent events in UTF-8 or no answer at all.
    response.headers.pop("Content-Encoding", None)  # none was allowed
    response.headers["Content-Type"] = "text/event-stream; charset=utf-8"
    for event in EventSource(response).iter_sse():
        yield event.data


def tls_fault(error: Exception) -> str:
    """Why no safe connection came about; empty where that was not the reason."""
    found = _inner(error, ssl.SSLError)
    return str(found.reason or found) if isinstance(found, ssl.SSLError) else ""


def reason(error: Exception) -> str:
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
        return "it broke off"
    found = _inner(error, OSError)
    return str(getattr(found, "strerror", "") or error or type(error).__name__)


def _inner(error: BaseException | None, kind: type[BaseException]) -> BaseException | None:
    """The first error of this kind among those that led to this one."""
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error


class _BoundedTransport(httpx.HTTPTransport):
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)  # httpx says so of every transport without async
        response.stream = _BoundedStream(response.stream)
        return response


class _BoundedStream(httpx.SyncByteStream):
    """Breaks off where a line has no end: the reader of events would keep all of it."""

    def __init__(self, inner: httpx.SyncByteStream) -> None:
        self._inner = inner

    def __iter__(self) -> Iterator[bytes]:
        waiting = 0
        for piece in self._inner:
            at = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
            waiting = len(piece) - at - 1 if at >= 0 else waiting + len(piece)
            if waiting > MAX_LINE_BYTES:
                raise httpx.RemoteProtocolError(f"more than {MAX_LINE_BYTES:,} bytes without a line break")
            yield piece

    def close(self) -> None:
        self._inner.close()
