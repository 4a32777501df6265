"""A server without its page, for tests of everything else it serves: making the page takes a processor a second and a half.

What is left over is answered in plain text, as the page would answer it. `pageless` does the same for processes that a test starts: there
the page's library is not imported either, which takes three seconds more. Servers with their page start in test_run.py and test_nothing_leaves.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse

ROOT = Path(__file__).resolve().parent.parent
# Read by Python before anything else: in the place of a module of the page come these few lines.
_FIRST = '''
import importlib.util, sys

SHELL = """
from starlette.responses import PlainTextResponse
TITLE = "Private Memory Graph"
async def answer(request): return PlainTextResponse("Here would be the page.")
def mount(app, context): app.add_route("/{rest:path}", answer)
"""
INSTEAD = {"pmg.ui.shell": SHELL}

class Instead:
    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in INSTEAD else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(INSTEAD[module.__name__], module.__dict__)

sys.meta_path.insert(0, Instead())
'''


def pageless(folder: Path) -> str:
    """A PYTHONPATH for processes of this checkout: whatever server they start has no page."""
    (folder / "no-page").mkdir()
    (folder / "no-page" / "sitecustomize.py").write_text(_FIRST)
    return os.pathsep.join([str(folder / "no-page"), str(ROOT)])


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
