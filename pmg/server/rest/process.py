"""The paths between the command line and the server it started: run a command and stop it, a ticket for a browser, end. They stand outside of any
version: both ends are of the same installation. All want the token itself: a cookie, which any script in the page could use, is not
enough. The memory's own verbs are in /api/v1 (app.py); who asks for one at its old place is led there.
"""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, StreamingResponse

from pmg.base.errors import AccessDenied, NotFound
from pmg.server.access import Access
from pmg.server.error_answers import AsciiJson
from pmg.server.guard import BY
from pmg.server.remote_commands import RemoteCommand, RemoteCommands
from pmg.server.rest.app import PREFIX

MOVED = ("recall", "remember", "sessions", "segments", "stats", "status", "sql", "import", "steward")


def token_only(request: Request) -> None:
    if request.scope.get(BY) != "token":
        raise AccessDenied("This wants the server's own token, as `Authorization: Bearer …`.")


def router(access: Access, calls: RemoteCommands, stop: Callable[[], None]) -> APIRouter:
    made = APIRouter(prefix="/api", default_response_class=AsciiJson)
    only = [Depends(token_only)]

    @made.post("/ticket", dependencies=only)
    def ticket() -> dict[str, str]:
        return {"ticket": access.ticket()}

    @made.post("/logout-all", dependencies=only)
    def logout_all() -> dict[str, int]:
        return {"ended": access.logins.end_all()}

    @made.post("/stop", dependencies=only)
    def end() -> dict[str, bool]:
        stop()
        return {"stopping": True}

    @made.post("/cli", dependencies=only)
    async def cli(request: Request) -> StreamingResponse:
        call = RemoteCommand.from_bytes(await request.body())
        return StreamingResponse(calls.run(call), media_type="application/x-ndjson")

    @made.post("/cli/{command}/stop", dependencies=only)
    def stop_command(command: str) -> dict[str, bool]:
        return {"stopping": calls.interrupt(command)}

    @made.api_route("/{path:path}", methods=["GET", "POST"])
    def moved(path: str, request: Request) -> RedirectResponse:
        """308 keeps method and body."""
        if path.split("/")[0] not in MOVED:
            raise NotFound(f"There is no path /api/{path[:200]}: {PREFIX}/openapi.json lists them.")
        asked = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{request.scope.get('root_path', '')}{PREFIX}/{path}{asked}", 308)

    return made
