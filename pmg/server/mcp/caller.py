"""Who calls through MCP, in which namespace, and which tools that caller may use.

Knows: what stands in the address (`/mcp/NAME?tools=…&read_only=1`; hooks have the same) and in a client's own token. No argument of a tool can widen any
of it. Who may come in at all is decided by guard.py.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from mcp.server.mcpserver import Context
from starlette.requests import Request

from pmg.base.errors import InputError, NotFound
from pmg.config import checked_namespace
from pmg.connections.client_tokens import CLIENT, ClientToken

READS = ("recall", "search", "fetch", "timeline", "people", "status")
WRITES = ("remember", "link", "forget")
TOOLS = ("recall", "search", "fetch", "remember", "timeline", "people", "link", "forget", "status")
CALLER = "pmg.caller"  # in the scope: the McpCaller of this request
PARAMETERS = ("read_only", "tools")  # of an address, in its query
NAME_HEADER = "x-pmg-client"  # the stdio pump says here who talks through it
FOLDER_HEADER = "x-pmg-works-in"  # and here where, percent-encoded
MAX_FOLDER = 4_096  # characters
_UNNAMED = "mcp"


@dataclass(frozen=True, slots=True)
class McpCaller:
    namespace: str
    name: str  # of its token, or what it calls itself; empty: it did not say
    tools: frozenset[str]
    one_namespace: bool = False  # its token or its address names this one: it opens no other
    folder: str = ""  # that it works in, as the stdio pump says


# The caller of the request in hand, for what the SDK gives no context: a resource without anything to fill in.
current_caller: ContextVar[McpCaller] = ContextVar("pmg_mcp_caller")


def caller_of(request: Request, default_namespace: str) -> McpCaller:
    """Raises NotFound for a namespace this caller does not open, InputError for an address that says nothing sensible."""
    _only_known(request)
    token: ClientToken | None = request.scope.get(CLIENT)
    asked = request.path_params.get("namespace", "")
    own = token.namespace if token and token.namespace else ""
    namespace = checked_namespace(asked or own or default_namespace)
    if own and namespace != own:
        raise NotFound(f"There is no namespace {namespace!r} for this token: it opens {own!r} only.")
    read_only = _is_on(request.query_params.get("read_only", "0")) or (token is not None and token.read_only)
    named = tools_named(request.query_params.get("tools"))
    name = token.name if token else request.headers.get(NAME_HEADER, "")
    folder = os.fsdecode(unquote_to_bytes(request.headers.get(FOLDER_HEADER, "")))[:MAX_FOLDER].replace("\0", "")
    allowed = named & frozenset(READS) if read_only else named
    return McpCaller(namespace, name, allowed, bool(own or asked), folder)


def _only_known(request: Request) -> None:
    """A misspelt `read_only` would let a caller write, and one that is given twice would mean the other."""
    names = [name for name, _ in request.query_params.multi_items()]
    wrong = next((name for name in names if name not in PARAMETERS or names.count(name) > 1), None)
    if wrong is None:
        return
    problem = "is given twice" if wrong in PARAMETERS else "is no parameter of this address"
    raise InputError(
        f"query.{wrong[:60]} {problem}. Those it has: {', '.join(PARAMETERS)}. The namespace stands in the path, as in {_path_with_namespace(request)}."
    )


def _path_with_namespace(request: Request) -> str:
    return "/hooks/NAMESPACE/TOOL" if request.url.path.startswith("/hooks") else "/mcp/NAMESPACE"


def tools_named(text: str | None) -> frozenset[str]:
    """`recall,remember`; all of them where nothing is said."""
    if text is None:
        return frozenset(TOOLS)
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    unknown = sorted(names - frozenset(TOOLS))
    if unknown or not names:
        problem = f"There is no tool {unknown[0][:60]!r}." if unknown else "tools= names no tool: leave it out for all."
        raise InputError(f"{problem} The tools are {', '.join(TOOLS)}.")
    return names


def _is_on(text: str) -> bool:
    if text.lower() in ("0", "false", "no"):
        return False
    if text.lower() in ("1", "true", "yes"):
        return True
    raise InputError(f"read_only={text[:60]} says nothing: write read_only=1 or leave it out.")


def called(context: Context[Any, Any]) -> McpCaller:
    """The caller of the request in hand."""
    return caller_in(context.request_context.request)


def caller_in(request: Any) -> McpCaller:
    """As the endpoint put it there."""
    caller: McpCaller = request.scope[CALLER]
    return caller


def source_of(context: Context[Any, Any]) -> str:
    """What is stored as the source of what this caller tells: the name of its token, else what it calls itself."""
    info = getattr(context.session.client_params, "client_info", None)
    agent = _headers(context).get("user-agent", "").split("/")[0]
    for name in (called(context).name, getattr(info, "name", ""), agent):
        plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40]
        if plain:
            return plain.lower()
    return _UNNAMED


def _headers(context: Context[Any, Any]) -> Mapping[str, str]:
    return context.headers or {}
