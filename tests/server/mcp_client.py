"""The real MCP client against a server under test, in plain functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from tests.event_loop import run_apart

ERAS = ("legacy", "2026-07-28")
Use = Callable[[Client], Awaitable[Any]]


def over_http(address: str, token: str, use: Use, *, path: str = "/mcp", mode: str = "auto", **options: Any) -> Any:
    """What `use` gives for an open client at this address."""

    async def go() -> Any:
        headers = {"authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(address + path, http_client=http), mode=mode, **options) as client,
        ):
            return await use(client)

    return run_apart(go())


def text_of(result: CallToolResult) -> str:
    """The one text of a result that is not sent twice."""
    assert result.structured_content is None
    return "".join(part.text for part in result.content if part.type == "text")
