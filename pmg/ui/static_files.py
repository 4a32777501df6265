"""The scripts that the page loads beside gradio's own: where they lie, and the route that serves them.

Knows: the folder `static`, which the wheel carries, and that a file's address changes with its content, so a browser may keep it. Nothing
is ever asked of another machine. What a script does stands in the script.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from fastapi import FastAPI

FOLDER = Path(__file__).parent / "static"
ROUTE = "pmg-static"
CYTOSCAPE = "cytoscape-3.34.4.min.js"  # MIT; its licence stands beside it


def mount(app: FastAPI, path: str) -> None:
    """Before the page, which takes every path that is left."""
    app.mount(f"{path.rstrip('/')}/{ROUTE}", StaticFiles(directory=FOLDER), name=ROUTE)


def serve(app: FastAPI, address: str, text: str) -> None:
    """One script whose text is made here. It is sent anew each time: its address is not ours to change, so no browser may keep it."""

    def script() -> Response:
        return Response(text, media_type="text/javascript", headers={"cache-control": "no-cache"})

    app.add_api_route(address, script, methods=["GET", "HEAD"], include_in_schema=False)


def scripts(*names: str) -> str:
    """Tags for a component's head, run in this order. The addresses are relative: the page may stand under any path."""
    return "".join(f'<script src="{ROUTE}/{name}?{_digest(name)}"></script>' for name in names)


@cache
def _digest(name: str) -> str:
    return hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()[:16]
