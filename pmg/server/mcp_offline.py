"""What the server would say of itself, for a client that asks before it is up.

Knows: the file that holds it. The file is made from the server itself by docs/make_mcp_listing.py, and a test holds the two together.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("mcp") / "listing.json"
MAX_BYTES = 4 * 1024 * 1024  # of one request: longer texts are files, for `pmg import` and `pmg learn`
READ_ONLY_HINT = "readOnlyHint"
Message = dict[str, Any]


def answer(message: Message, tools: str = "", read_only: bool = False) -> Message | None:
    """The answer to a request that needs no memory; None for every other."""
    params = message.get("params")
    asked = params if isinstance(params, dict) else {}
    era = "modern" if "_meta" in asked and "io.modelcontextprotocol/protocolVersion" in asked["_meta"] else "handshake"
    known = json.loads(FILE.read_text(encoding="utf-8"))
    found = known[era].get(message["method"])
    if found is None:
        return None
    if message["method"] == "initialize":
        found = {**found, "protocolVersion": _version(asked.get("protocolVersion"), known["versions"])}
    if message["method"] == "tools/list":
        found = {**found, "tools": [tool for tool in found["tools"] if _allowed(tool, tools, read_only)]}
    return {"jsonrpc": "2.0", "id": message["id"], "result": found}


def _version(wished: object, known: list[str]) -> str:
    return wished if isinstance(wished, str) and wished in known else known[-1]


def _allowed(tool: Message, tools: str, read_only: bool) -> bool:
    named = {name.strip() for name in tools.split(",") if name.strip()}
    return (not named or tool["name"] in named) and (
        not read_only or bool(tool.get("annotations", {}).get(READ_ONLY_HINT))
    )
