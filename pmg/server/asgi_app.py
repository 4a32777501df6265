"""The app behind the guard: REST, MCP, whatever else has routes, and the page at the root.

Knows: the order in which they are asked. Who may ask is decided by guard.py; the memory is opened by run.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fastapi import FastAPI
from starlette.routing import BaseRoute

from pmg.server.access import Access
from pmg.server.mcp import app as mcp
from pmg.server.remote_commands import RemoteCommands
from pmg.server.rest import app as rest
from pmg.server.rest import process
from pmg.ui import shell
from pmg.ui.app_context import AppContext


def build(
    context: AppContext,
    access: Access,
    calls: RemoteCommands,
    stop: Callable[[], None],
    routes: Sequence[BaseRoute] = (),
) -> FastAPI:
    """`routes` come before the page, which takes every path that is left."""
    door = mcp.build(context)
    app = FastAPI(title="PMG", openapi_url=None, docs_url=None, redoc_url=None, lifespan=door.open)
    rest.answer_errors(app)
    app.mount(rest.PREFIX, rest.build(context))  # before what else is below /api
    app.include_router(process.router(access, calls, stop))
    app.router.routes.extend([*door.routes, *routes])
    shell.mount(app, context)
    return app
