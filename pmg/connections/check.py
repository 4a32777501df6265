"""A real call through what was written into a tool's settings: the command is started as the tool would, and asked for its status."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any


def answers(command: Sequence[str]) -> str:
    """Empty when it works, else what went wrong. The first call may have to start the server; the pump says when that takes too long."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "pmg-connect", "version": "1"}}
    asked = ({"id": 1, "method": "initialize", "params": hello}, {"id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}})  # fmt: skip
    given = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    try:
        process = subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8")  # fmt: skip
    except OSError as error:
        return str(error)
    try:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(given)
        process.stdin.flush()
        told = [json.loads(process.stdout.readline() or "{}") for _ in asked]
    except (OSError, ValueError) as error:
        return str(error) or type(error).__name__
    finally:
        process.kill()
        process.communicate()
    last: dict[str, Any] = next((one for one in told if one.get("id") == 2), {})
    if "result" in last and not last["result"].get("isError"):
        return ""
    return str(last.get("error", {}).get("message", "")) or "it gave no answer"
