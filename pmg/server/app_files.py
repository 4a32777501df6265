"""What a browser asks for when a page is put on a home screen: a manifest and the mark as an icon.

Knows: three small files, made of what theme.py draws. They stand behind the guard like everything else.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pmg.ui import theme
from pmg.ui.shell import TITLE


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
