"""Talking to the running server of a memory from another process on this machine.

Knows: the address and token from server.json, that a server may still be starting, and how a silent one is told of.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from pmg.base.errors import PmgError, StoreBusy
from pmg.client.discovery import RunningServer

ANSWER = 30.0  # seconds for the first word; a command may take longer between two words
START_TIMEOUT = 180.0  # seconds that an opening memory is waited for
RETRY_SECONDS = 0.3


class Client:
    def __init__(self, server: RunningServer) -> None:
        self._server = server

    def healthy(self) -> bool:
        try:
            with self._asking("GET", "/healthz", b"", 5.0) as answer:
                return answer.status == 200
        except StoreBusy:
            return False

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """One JSON answer, or the server's own sentence as an error."""
        data = b"" if body is None else json.dumps(body).encode()
        with self._open(method, path, data, ANSWER) as answer:
            return json.loads(answer.read())

    def stream(self, path: str, data: bytes) -> Iterator[dict[str, Any]]:
        """The lines of a long answer as they come."""
        with self._open("POST", path, data, None) as answer:
            for line in answer:
                yield json.loads(line)

    @contextmanager
    def _open(self, method: str, path: str, data: bytes, timeout: float | None) -> Iterator[http.client.HTTPResponse]:
        """Waits while the memory is being opened; a refusal becomes an error."""
        end = time.monotonic() + START_TIMEOUT
        while True:
            with self._asking(method, path, data, timeout) as answer:
                if answer.status == 503 and time.monotonic() < end:
                    answer.read()
                elif answer.status >= 400:
                    raise _refused(answer, self._server)
                else:
                    yield answer
                    return
            time.sleep(RETRY_SECONDS)

    @contextmanager
    def _asking(self, method: str, path: str, data: bytes, timeout: float | None) -> Iterator[http.client.HTTPResponse]:
        parts = urlsplit(self._server.address)
        connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port, timeout=timeout)
        headers = {"authorization": f"Bearer {self._server.token}", "content-type": "application/json"}
        try:
            connection.request(method, path, data, headers)
            yield connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise StoreBusy(
                f"The server at {self._server.address} (process {self._server.pid}) holds this memory and does not answer "
                f"({error or type(error).__name__}). Try again; if it stays so, end that process and run this again."
            ) from None
        finally:
            connection.close()


def _refused(answer: http.client.HTTPResponse, server: RunningServer) -> PmgError:
    try:
        said = json.loads(answer.read()).get("error", "")
    except (ValueError, AttributeError):
        said = ""
    return StoreBusy(f"The server at {server.address} refused: {said or answer.reason}")
