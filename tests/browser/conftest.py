"""The harness of the stories: a real server in this process, on the readable stand-in for a model, and a real Chromium.

A story file may say `MEMORY = "empty"` (else the sample memory is loaded) and `CONFIG = {"section": {"knob": value}}`.
Fixtures: `served` (one server a file), `page` (an open page, logged in), `shared_page` (one a file), `open_page(path="/", width=1280, height=800, dark=False, script="")`.
Every story also fails when the page asks any machine but this one for anything, or breaks its content policy.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pmg import config as configuration
from pmg import sample
from pmg.engine import Engine
from tests.chromium import Watch, watching
from tests.embedding import WordEmbedder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from pmg.server.run import Server

START = 300.0  # seconds: a busy machine imports gradio slowly
WAIT = 120_000  # milliseconds a step of a story may take: a busy machine is slow, and a story that is well waits for none of them


@dataclass(frozen=True)
class Served:
    """A running app."""

    server: Server
    home: Path

    @property
    def address(self) -> str:
        return self.server.address

    @property
    def url(self) -> str:
        """With the token: opens the page."""
        return self.server.url

    @property
    def token(self) -> str:
        return self.server.token

    @property
    def engine(self) -> Engine:
        assert self.server.context is not None
        return self.server.context.engine


def serving(home: Path, values: dict[str, Any]) -> Iterator[Served]:
    from pmg.server.run import Options, Server

    config = configuration.with_values(configuration.load(home, {}), values, "the test")
    server = Server.claim(config, Options(embedder=WordEmbedder()))
    thread = threading.Thread(target=server.run, name="server-under-test", daemon=True)
    thread.start()
    try:
        assert server.ready.wait(START), "the server did not come up"
        assert server.problem is None, server.problem
        yield Served(server, home)
    finally:
        server.stop()
        thread.join(60)
    assert not thread.is_alive(), "the server did not stop"


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory with the sample in it, to be copied: taking it in costs five seconds."""
    home = tmp_path_factory.mktemp("sample") / "memory"
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        engine.ingest(sample.sessions())
    return home


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    memory = getattr(request.module, "MEMORY", "sample")
    values = {"steward": {"enabled": False}, **getattr(request.module, "CONFIG", {})}
    home = tmp_path_factory.mktemp("served") / "memory"
    if memory == "sample":
        shutil.copytree(request.getfixturevalue("sample_home"), home)
    yield from serving(home, values)


@contextmanager
def _pages(served: Served, browser: Browser, watch: Watch) -> Iterator[Callable[..., Page]]:
    contexts: list[BrowserContext] = []

    def opened(path: str = "/", *, width: int = 1280, height: int = 800, dark: bool = False, script: str = "") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        watch.over(context)
        context.set_default_timeout(WAIT)
        if script:
            context.add_init_script(script)  # before any of the page's own
        page = context.new_page()
        mark = "&" if "?" in path else "?"
        page.goto(f"{served.address}{path}{mark}token={served.token}")
        page.wait_for_selector("#pmg-tabs", state="visible")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(served: Served, browser: Browser, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in a context of its own: another browser, as it were."""
    with _pages(served, browser, watch) as opened:
        yield opened


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page()


@pytest.fixture(scope="module")
def shared_page(served: Served, browser: Browser) -> Iterator[Page]:
    """One page for the stories of a file that leave it as they found it, or bring it where they begin: opening one costs four seconds."""
    with watching() as seen, _pages(served, browser, seen) as opened:
        yield opened()
