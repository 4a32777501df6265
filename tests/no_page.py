"""A server without its page, for tests of everything else it serves: making the page takes a processor a second and a half.

What is left over is answered in plain text, as the page would answer it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse


async def _answer(request: Request) -> PlainTextResponse:
    return PlainTextResponse("Here would be the page.")


def _mount(app: Any, context: object) -> None:
    app.add_route("/{rest:path}", _answer)


@contextmanager
def no_page() -> Iterator[None]:
    """For servers that open inside; they go on without it."""
    from pmg.server import asgi_app

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asgi_app.shell, "mount", _mount)
        yield
