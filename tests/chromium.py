"""One real Chromium for all tests of a process, and an eye on what its pages ask of other machines.

The fixtures stand here, and not in a folder's conftest, because two folders use them: a second Playwright beside the first fails.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Request

# The headless shell is the same engine without a browser's own windows around each page: a third of the processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in NAMES if (path := shutil.which(name))), "")
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e .[dev]")
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine: install it (Debian: apt-get install chromium) to run the stories")
    alone = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, *alone])
        yield opened
        opened.close()


@dataclass
class Watch:
    """What a page did that it must not."""

    outside: list[str] = field(default_factory=list)
    policy: list[str] = field(default_factory=list)
    _over: list[BrowserContext] = field(default_factory=list)

    def over(self, context: BrowserContext) -> None:
        context.on("request", self._on_request)
        context.on("console", self._on_console)
        self._over.append(context)

    def leave(self) -> None:
        """Before a context goes to another test, which watches it itself."""
        for context in self._over:
            context.remove_listener("request", self._on_request)
            context.remove_listener("console", self._on_console)
        self._over.clear()

    def _on_request(self, request: Request) -> None:
        self._asked(request.url)

    def _on_console(self, message: ConsoleMessage) -> None:
        self._said(message.text)

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname not in ("127.0.0.1", "localhost"):
            self.outside.append(url)

    def _said(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.policy.append(text)


@contextmanager
def watching() -> Iterator[Watch]:
    seen = Watch()
    yield seen
    assert not seen.outside, "the page asked another machine"
    assert not seen.policy, "the page broke its content policy"


@pytest.fixture
def watch() -> Iterator[Watch]:
    with watching() as seen:
        yield seen
