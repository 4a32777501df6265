"""What stands behind the guard: a word of health at once, a page that waits while the memory opens, then the app itself.

Knows: whether the app is there.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pmg.client.discovery import HEALTH
from pmg.proxy.upstreams import PREFIX
from pmg.server import pages
from pmg.server.error_answers import error_answer


class Gateway:
    """`proxy` stands beside the app: a program that talks to a model does not wait for the memory to open."""

    def __init__(self, proxy: ASGIApp) -> None:
        self._app: ASGIApp | None = None
        self._proxy = proxy

    def open(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == HEALTH:
            # Asked without a token, so it says nothing about the memory.
            answer: Response = JSONResponse({"status": "ok", "ready": self._app is not None})
            await answer(scope, receive, send)
        elif scope["type"] in ("http", "websocket") and scope["path"].startswith(PREFIX):
            await self._proxy(scope, receive, send)
        elif self._app is not None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013, "reason": "starting"})
        else:
            await _starting(scope)(scope, receive, send)


def _starting(scope: Scope) -> Response:
    later = {"retry-after": "1"}
    if "text/html" in Request(scope).headers.get("accept", ""):
        return HTMLResponse(pages.starting(), 503 if scope["method"] != "GET" else 200, later)
    return error_answer("The memory is being opened; ask again in a moment.", 503, later)
