"""One POST to the server on this machine, over a plain socket, for programs that must start at once.

Knows: as much HTTP/1.1 as our own server speaks: a head, then a body with a length, in chunks, or until the end. The library's client
takes longer to import than everything else the stdio pump does. Commands use client.py.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

MAX_HEADER_LINE = 65_536  # bytes of one line of a head


class ServerGone(Exception):
    """The connection could not be made or broke. `sent`: the request had left by then, so it may have been carried out."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.sent = sent


@dataclass(frozen=True)
class LoopbackAnswer:
    status: int
    headers: Mapping[str, str]
    _body: BinaryIO

    @property
    def streams(self) -> bool:
        return self.headers.get("content-type", "").startswith("text/event-stream")

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes."""
        try:
            if self.headers.get("transfer-encoding", "").lower() == "chunked":
                yield from self._chunks()
            else:
                yield self._body.read(int(self.headers.get("content-length", "-1")))
        except (OSError, ValueError) as error:
            raise ServerGone(str(error), sent=True) from None

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self._body.readline(MAX_HEADER_LINE).split(b";")[0] or b"-1", 16):
            if size < 0:
                raise ServerGone("the answer ended in the middle", sent=True)
            yield self._body.read(size)
            self._body.readline(MAX_HEADER_LINE)

    def events(self) -> Iterator[bytes]:
        """The data of each server-sent event."""
        rest, data = b"", []
        for piece in self.pieces():
            *lines, rest = (rest + piece).replace(b"\r\n", b"\n").split(b"\n")
            for line in lines:
                if line.startswith(b"data:"):
                    data.append(line[5:].lstrip())
                elif not line and data:
                    yield b"\n".join(data)
                    data = []


@contextmanager
def posting(
    address: tuple[str, int], path: str, headers: Mapping[str, str], body: bytes, timeout: float | None
) -> Iterator[LoopbackAnswer]:
    sent = False
    try:
        with socket.create_connection(address, timeout=5.0) as link:
            link.settimeout(timeout)
            link.sendall(_head(address, path, headers, len(body)) + body)
            sent = True
            with link.makefile("rb") as reading:
                yield _answer(reading)
    except OSError as error:
        raise ServerGone(str(error), sent=sent) from None


def _head(address: tuple[str, int], path: str, headers: Mapping[str, str], size: int) -> bytes:
    host = f"[{address[0]}]" if ":" in address[0] else address[0]
    all_headers = {"host": f"{host}:{address[1]}", "content-length": str(size), "connection": "close", **headers}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in all_headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _answer(reading: BinaryIO) -> LoopbackAnswer:
    first = reading.readline(MAX_HEADER_LINE).split(b" ", 2)
    if len(first) < 2 or not first[1].strip().isdigit():
        raise ServerGone("it ended without an answer", sent=True)
    headers: dict[str, str] = {}
    while (line := reading.readline(MAX_HEADER_LINE)) not in (b"\r\n", b"\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    return LoopbackAnswer(int(first[1]), headers, reading)
