"""The app behind the guard: REST, MCP, hooks, whatever else has routes, and the page at the root.

Knows: the order in which they are asked, and what a browser asks for when a page is put on a home screen: a manifest and the mark as an icon,
made of what theme.py draws. Who may ask is decided by guard.py; the memory is opened by run.py.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from pmg.server.access import Access
from pmg.server.hooks import app as hooks
from pmg.server.mcp import app as mcp
from pmg.server.receipt_cache import ReceiptCache
from pmg.server.remote_commands import RemoteCommands
from pmg.server.rest import app as rest
from pmg.server.rest import process
from pmg.server.upload_limit import UploadLimit
from pmg.ui import shell, theme
from pmg.ui.app_context import AppContext
from pmg.ui.shell import TITLE
from pmg.ui.temp_files import TEMP


def build(
    context: AppContext,
    access: Access,
    calls: RemoteCommands,
    stop: Callable[[], None],
    routes: Sequence[BaseRoute] = (),
) -> FastAPI:
    """`routes` come before the page, which takes every path that is left."""
    receipts = ReceiptCache()  # one for all: what was recalled through MCP can be asked about over REST
    protocol, tool_hooks = mcp.build(context, receipts), hooks.build(context)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        async with protocol.open(app), tool_hooks.open(app):
            yield

    app = FastAPI(title="PMG", openapi_url=None, docs_url=None, redoc_url=None, lifespan=life)
    rest.answer_errors(app)
    app.mount(rest.PREFIX, rest.build(context, receipts))  # before what else is below /api
    app.include_router(process.router(access, calls, stop))
    app.add_middleware(UploadLimit, folder=context.engine.config.home / TEMP)
    app.router.routes.extend([*protocol.routes, *tool_hooks.routes, *ROUTES, *routes])
    shell.mount(app, context)
    return app


async def _manifest(_request: Request) -> Response:
    icons = [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}]
    told = {
        "name": TITLE,
        "short_name": "PMG",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f8f9f8",
        "theme_color": "#1d716a",
        "icons": icons,
    }
    return JSONResponse(told, media_type="application/manifest+json")


async def _icon(_request: Request) -> Response:
    return Response(theme.logo(512), media_type="image/svg+xml")


ROUTES = (
    Route("/manifest.json", _manifest, methods=["GET"]),  # where gradio's page looks for it; its own is empty
    Route("/icon.svg", _icon, methods=["GET"]),
    Route("/favicon.ico", _icon, methods=["GET"]),
)
