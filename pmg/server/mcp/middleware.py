"""What happens around every MCP request: which tools a caller reaches, what is counted, and a word to whoever waits long.

Knows: the SDK's requests and results. Who the caller is was settled in caller.py; the tools stand in tools.py.
"""

from __future__ import annotations

from typing import Any

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, ListToolsResult

from pmg.base.text import tokens
from pmg.connections.client_activity import ClientActivity
from pmg.server.mcp.caller import WRITES, caller_in, current_caller

LONG = 2.0  # seconds after which, and between which, a caller is told that the work goes on
OWN_PROGRESS = "forget"  # says itself how far it is


async def only_allowed_tools(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """A caller sees, and reaches, the tools it may use; the others are unknown to it."""
    caller = caller_in(ctx.request)
    current_caller.set(caller)
    if ctx.method == "tools/call" and (ctx.params or {}).get("name") not in caller.tools:
        raise MCPError(INVALID_PARAMS, f"Unknown tool: {str((ctx.params or {}).get('name'))[:60]}")
    result = await call_next(ctx)
    if isinstance(result, ListToolsResult):
        return result.model_copy(update={"tools": [tool for tool in result.tools if tool.name in caller.tools]})
    if ctx.method == "tools/list" and isinstance(result, dict):
        return {**result, "tools": [tool for tool in result["tools"] if tool["name"] in caller.tools]}
    return result


def counting(activity: ClientActivity | None) -> ServerMiddleware[Any]:
    """Each call of a tool is counted for the program that made it."""

    async def counted(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        name = (ctx.params or {}).get("name")
        if activity is None or ctx.method != "tools/call":
            return result
        caller = caller_in(ctx.request)
        if name in WRITES:
            activity.told(caller.name)
        else:
            activity.asked(caller.name, tokens(_sent(result)))
        return result

    return counted


def _sent(result: HandlerResult) -> str:
    """The words of a tool's answer."""
    if isinstance(result, CallToolResult):
        return "".join(part.text for part in result.content if part.type == "text")
    content = result.get("content", ()) if isinstance(result, dict) else ()
    return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))


async def progress_reports(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Progress for what takes long, where the caller asked for it: a client gives up on what is silent."""
    if ctx.method != "tools/call" or (ctx.params or {}).get("name") == OWN_PROGRESS:
        return await call_next(ctx)
    result: HandlerResult = None
    problem: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_tell_of_waiting, ctx)
        try:
            result = await call_next(ctx)
        except Exception as raised:  # goes on below as it is: the group would wrap it
            problem = raised
        group.cancel_scope.cancel()
    if problem is not None:
        raise problem
    return result


async def _tell_of_waiting(ctx: ServerRequestContext[Any, Any]) -> None:
    waited = 0.0
    while True:
        await anyio.sleep(LONG)
        waited += LONG
        await ctx.session.report_progress(waited, None, f"{waited:.0f} seconds")
