"""Writes pmg/server/mcp/listing.json, what the MCP server says of itself: `python docs/make_mcp_listing.py`. A test holds the two together.

`pmg mcp` answers from this file while the server is still starting.
"""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import httpx
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from pmg.server.guard import BY
from pmg.server.mcp.app import build
from pmg.server.mcp_offline import FILE
from pmg.server.receipt_cache import ReceiptCache

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
NOBODY = {"name": "listing", "version": "0"}


def let_in(app: ASGIApp) -> ASGIApp:
    """As behind the guard."""

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, BY: "token"}, receive, send)

    return inside


def listing() -> str:
    return asyncio.run(_listing())


async def _listing() -> str:
    engine = SimpleNamespace(config=SimpleNamespace(namespace="default"))
    memory: Any = SimpleNamespace(engine=engine, activity=None)
    mount = build(memory, ReceiptCache())
    transport = httpx.ASGITransport(let_in(Starlette(routes=list(mount.routes))))
    async with mount.open(None), httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        latest = HANDSHAKE_PROTOCOL_VERSIONS[-1]
        hello = {"protocolVersion": latest, "capabilities": {}, "clientInfo": NOBODY}
        handshake = {"initialize": await _ask(client, "initialize", hello, {})}
        handshake |= {name: await _ask(client, name, {}, {"mcp-protocol-version": latest}) for name in LISTS}
        modern = {name: await _ask_modern(client, name) for name in ("server/discover", *LISTS)}
    told = {"versions": list(HANDSHAKE_PROTOCOL_VERSIONS), "handshake": handshake, "modern": modern}
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


async def _ask_modern(client: httpx.AsyncClient, method: str) -> Any:
    version = MODERN_PROTOCOL_VERSIONS[-1]
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": version, f"{prefix}clientInfo": NOBODY, f"{prefix}clientCapabilities": {}}
    return await _ask(client, method, {"_meta": meta}, {"mcp-protocol-version": version, "mcp-method": method})


async def _ask(client: httpx.AsyncClient, method: str, params: dict[str, Any], headers: dict[str, str]) -> Any:
    accepted = {"accept": "application/json, text/event-stream", **headers}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = await client.post("/mcp", json=message, headers=accepted)
    answer.raise_for_status()
    rows = [row.removeprefix("data:") for row in answer.text.splitlines() if row.startswith("data:")]
    return json.loads(rows[-1] if rows else answer.text)["result"]


if __name__ == "__main__":
    FILE.write_text(listing(), encoding="utf-8")
