"""Finding the server: at a given address, or that of the memory on this machine. None is started."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from pmg.base.errors import InputError, NotFound
from pmg.base.filesystem import default_home
from pmg.client import discovery
from pmg.client.discovery import RunningServer
from pmg.client.http_calls import HttpCalls
from pmg.client.memory_client import MemoryClient
from pmg.config import checked_namespace


def connect(url: str | None, token: str | None, namespace: str | None) -> MemoryClient:
    wished = namespace or os.environ.get("PMG_NAMESPACE", "")
    namespace = checked_namespace(wished) if wished else ""  # none: the server's own, or that of the token
    if url is None:
        return MemoryClient(HttpCalls(partial(found_at, default_home(), token), namespace))
    if not token:
        raise InputError(f"{url} wants a token: `pmg token new --name NAME` makes one, on the machine of the server.")
    server = RunningServer(_checked(url), token, 0, "")
    return MemoryClient(HttpCalls(lambda: server, namespace))


def found_at(home: Path, token: str | None) -> RunningServer:
    """The server that runs on the memory in `home`, with its own token unless one is given."""
    server = discovery.find(home)
    if server is None:
        raise NotFound(
            f"No server runs for the memory in {home}: start one with `pmg serve`, give an address with "
            'pmg.connect("http://…", token), or use the memory without a server with pmg.open().'
        )
    return server if token is None else RunningServer(server.address, token, server.pid, server.since)


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right or parts.query or parts.username:
        raise InputError(f"{url!r} is no address of a server: write it like http://127.0.0.1:7640")
    return url.rstrip("/")
