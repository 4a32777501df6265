"""Uploads stop where there is no room for them: whoever is logged in fills neither the disk nor the folder that uploads wait in.

The length that a browser announces is what counts, and the web server lets no more through. What is being uploaded elsewhere counts too.
"""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from pmg.server.error_answers import error_answer
from pmg.store.disk_space import free_bytes

UPLOAD = "/gradio_api/upload"
MAX_WAITING = (
    16_000_000_000  # bytes of uploads that nobody has imported yet: an export of a person's whole history has some
)
KEPT_FREE = 1_000_000_000  # bytes of the disk that no upload takes


class UploadLimit:
    """Wraps one ASGI app; `folder` is where it puts uploads."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self._inner = app
        self._folder = folder
        self._coming = 0  # bytes of uploads under way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_upload(scope):
            return await self._inner(scope, receive, send)
        length = Headers(scope=scope).get("content-length", "")
        if not length.isdecimal():
            return await error_answer("An upload says how long it is: send Content-Length.", 411)(scope, receive, send)
        size = int(length)
        problem = self._problem(size)
        if problem:
            return await error_answer(problem, 413)(scope, receive, send)
        self._coming += size
        try:
            return await self._inner(scope, receive, send)
        finally:
            self._coming -= size

    def _problem(self, size: int) -> str:
        needed = size + self._coming
        free = free_bytes(next(place for place in (self._folder, *self._folder.parents) if place.exists()))
        if free < needed + KEPT_FREE:
            return f"Only {free / 1e9:.1f} GB are free on the disk, and this upload has {size / 1e9:.1f}: free some space, or use `pmg import`."
        waiting = _size(self._folder)
        if waiting + needed > MAX_WAITING:
            return f"Uploads of {waiting / 1e9:.1f} GB wait already: import them or take them off the form, then upload again."
        return ""


def _is_upload(scope: Scope) -> bool:
    path: str = scope.get("path", "")
    return scope["type"] == "http" and scope["method"] == "POST" and path.rstrip("/").endswith(UPLOAD)


def _size(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.lstat().st_size
        except FileNotFoundError:  # it was imported meanwhile
            continue
    return total
