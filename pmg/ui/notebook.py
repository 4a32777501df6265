"""The same app inside a notebook cell: `pmg.ui.notebook.show(engine)`.

Knows: a small server on loopback for one open memory, and how it becomes a frame.
The frame belongs to another page (the notebook's), so the browser keeps cookies from it: the token stands in the path instead. Whoever
does not know the path finds nothing.
"""

from __future__ import annotations

import atexit
import html
import secrets
import socket
import threading
import time
from typing import TYPE_CHECKING

from pmg.base.errors import PmgError
from pmg.ui import gradio_import
from pmg.ui.temp_files import TempFolder

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from pmg.engine import Engine

HEIGHT = 760  # pixels: the chat with its field and a few answers
START = 60.0  # seconds


class NotebookApp:
    """The running app. A notebook draws it when it is a cell's last value; `close()` ends it, the memory stays open."""

    def __init__(
        self, server: uvicorn.Server, thread: threading.Thread, scratch: TempFolder, address: str, height: int
    ) -> None:
        self.address = address
        self._server, self._thread, self._scratch, self._height = server, thread, scratch, height
        atexit.register(self.close)  # a notebook that ends without close() leaves no upload behind either

    def _repr_html_(self) -> str:
        return (
            f'<iframe src="{html.escape(self.address)}" title="Private Memory Graph" width="100%" height="{self._height}" '
            'style="border: 1px solid rgb(128 128 128 / .35); border-radius: 10px" referrerpolicy="no-referrer" '
            'allow="clipboard-write"></iframe>'
        )

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self._scratch.close()
        atexit.unregister(self.close)


def show(engine: Engine, *, height: int = HEIGHT) -> NotebookApp:
    """Opens the app for an open memory, on this machine only and shared with nobody."""
    gradio_import.disable_telemetry()  # before gradio is imported
    import uvicorn

    from pmg.server.timed_connection import TimedConnection

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named as in server/run.py
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    path = f"/{secrets.token_urlsafe(24)}"
    scratch = TempFolder.open(engine.config.home)
    try:
        app = _app(engine, path, port)
        server = uvicorn.Server(uvicorn.Config(app, http=TimedConnection, log_level="warning", log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="pmg-notebook", daemon=True)
        thread.start()
        _wait(server, thread)
    except BaseException:
        scratch.close()
        listening.close()
        raise
    return NotebookApp(server, thread, scratch, f"http://127.0.0.1:{port}{path}/", height)


def _wait(server: uvicorn.Server, thread: threading.Thread) -> None:
    begun = time.monotonic()
    while not server.started:
        if not thread.is_alive() or time.monotonic() - begun > START:
            raise PmgError(
                "The page could not be started beside the notebook; the log above says why. Try `pmg serve`."
            )
        time.sleep(0.05)


def _app(engine: Engine, path: str, port: int) -> FastAPI:
    from fastapi import FastAPI
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    from pmg.ui import shell
    from pmg.ui.app_context import AppContext
    from steward.steward import Steward

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    # A foreign name that a web page made point at this machine is refused, as everywhere.
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    shell.mount(app, AppContext(engine, Steward(engine)), path, port)
    return app
