"""One request to /api/v1 and its answer, or the server's error as the exception it was there.

Knows: address, token and namespace; that a server may still be opening its memory, and that one which was found by its memory's home may
have been replaced since. Does not know: what is asked (memory_client.py).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import httpx

from pmg.base import arguments, errors
from pmg.base.errors import AccessDenied, InputError, NotFound, PmgError, StoreBusy, StoreError
from pmg.base.loopback import is_loopback
from pmg.client.discovery import RunningServer
from pmg.client.wire import decode

PREFIX = "/api/v1"
CONNECT = 10.0  # seconds; an answer itself may take as long as it takes: an import is one
KEEP_ALIVE_SECONDS = (
    2.0  # seconds that an idle connection is used again: the server gives one up after five, and must not be raced
)
START_TIMEOUT = 180.0  # seconds that an opening memory is waited for
RETRY_SECONDS = 0.3
_BY_STATUS: dict[int, type[PmgError]] = {
    401: AccessDenied,
    403: AccessDenied,
    404: NotFound,
    409: StoreBusy,
    413: InputError,
    422: InputError,
}
_JSON = {"content-type": "application/json"}
T = TypeVar("T")
Find = Callable[[], RunningServer]


class HttpCalls:
    """Thread-safe. `find` says where the server is: once, and again when it is no longer there."""

    def __init__(self, find: Find, namespace: str = "") -> None:
        self._find = find
        self._namespace = namespace
        self._server = find()
        # No proxy of the environment: what is asked of a memory goes to its server and nowhere else.
        self._http = httpx.Client(
            timeout=httpx.Timeout(None, connect=CONNECT),
            limits=httpx.Limits(keepalive_expiry=KEEP_ALIVE_SECONDS),
            trust_env=False,
        )

    @property
    def address(self) -> str:
        return self._server.address

    def ask(
        self,
        kind: type[T],
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        namespace: str = "",
    ) -> T:
        """The answer as a `kind`."""
        namespace = arguments.optional_text(namespace, "namespace") or self._namespace
        asked = {**(query or {}), **({"namespace": namespace} if namespace else {})}
        self.refuse_if_closed()
        answer = self._answered(method, path, asked, _encoded(body))
        try:
            made: T = decode(kind, answer.json())
            return made
        except (KeyError, TypeError, ValueError) as problem:
            raise PmgError(
                f"{self.address} answers {method} {path} with something this version of pmg does not understand "
                f"({type(problem).__name__}): use the same version at both ends."
            ) from None

    def close(self) -> None:
        self._http.close()

    def refuse_if_closed(self) -> None:
        if self._http.is_closed:
            raise StoreError(f"The connection to {self.address} is closed: make another one with pmg.connect().")

    def _answered(self, method: str, path: str, query: Mapping[str, Any], body: bytes | None) -> httpx.Response:
        end = time.monotonic() + START_TIMEOUT
        while True:
            answer = self._sent(method, path, query, body)
            opening = answer.status_code == 503 and "retry-after" in answer.headers
            if opening and time.monotonic() < end:
                time.sleep(RETRY_SECONDS)
            elif answer.is_success:
                return answer
            elif answer.status_code != 401 or not self._moved():
                raise error_in(answer, self.address)

    def _sent(self, method: str, path: str, query: Mapping[str, Any], body: bytes | None) -> httpx.Response:
        """Asked again at a new address only if it never left: what may have been done is not done twice."""
        while True:
            server = self._server
            try:
                return self._http.request(
                    method,
                    f"{server.address}{PREFIX}{path}",
                    params=query,
                    content=body,
                    headers={"authorization": f"Bearer {server.token}", **({} if body is None else _JSON)},
                )
            except httpx.ConnectError:
                if not self._moved():
                    raise StoreBusy(f"No server answers at {server.address}: {_mend(server.address)}") from None
            except httpx.HTTPError as problem:
                raise StoreBusy(
                    f"The server at {server.address} ended or went silent ({type(problem).__name__}). "
                    "Look whether it was done, then ask again."
                ) from None

    def _moved(self) -> bool:
        """Whether another server has taken over."""
        try:
            found = self._find()
        except NotFound:
            return False
        if found == self._server:
            return False
        self._server = found
        return True


def _encoded(body: Mapping[str, Any] | None) -> bytes | None:
    try:
        return None if body is None else json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as problem:
        raise InputError(
            f"What was given cannot be sent to a server ({problem}): give text, finite numbers, True or False, or lists of them."
        ) from None


def _mend(address: str) -> str:
    host = httpx.URL(address).host
    if is_loopback(host):
        return "is it running? `pmg serve` starts one."
    return f"is it running there, and does it listen beyond its own machine (`pmg serve --host {host}` and a password)?"


def error_in(answer: httpx.Response, address: str) -> PmgError:
    """The exception that the server names; by the status where it names none that we know."""
    try:
        told = answer.json()
        said, name = str(told["error"]), str(told.get("type", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return PmgError(
            f"{address} answered with status {answer.status_code}, and not as PMG does: is the address right?"
        )
    named = getattr(errors, name, None)
    if isinstance(named, type) and issubclass(named, PmgError):
        return named(said)
    return _BY_STATUS.get(answer.status_code, PmgError)(said)
