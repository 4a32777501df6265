"""The harness of the stories: a real server in this process, on the readable stand-in for a model, and a real Chromium.

A story file may say `MEMORY = "empty"` (else the sample memory is loaded) and `CONFIG = {"section": {"knob": value}}`.
Fixtures: `served` (one server a file), `page` (an open page, logged in), `shared_page` (one a file), `open_page(query="", width=1280, height=800, dark=False, script="")`.
A story is of the slow tier (`make test-slow`) unless it is marked `fast`: one or two a tab are, and those that guard something.
Every story also fails when the page asks any machine but this one for anything, or breaks its content policy.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pmg import config as configuration
from pmg.engine import Engine
from tests.browser.slow_machine import slow_answers, slow_page
from tests.browser.unanswered import answered, count_unanswered
from tests.chromium import Watch, watching
from tests.embedding import WordEmbedder
from tests.no_page import no_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from pmg.server.run import Server

START = 300.0  # seconds: a busy machine imports gradio slowly
WAIT = 120_000  # milliseconds a step of a story may take: a busy machine is slow, and a story that is well waits for none of them


def pytest_itemcollected(item: pytest.Item) -> None:
    if item.get_closest_marker("fast") is None:
        item.add_marker(pytest.mark.slow)


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


def serving(home: Path, values: dict[str, Any], *, page: bool = True) -> Iterator[Served]:
    from pmg.server.run import Options, Server

    config = configuration.with_values(configuration.load(home, {}), values, "the test")
    server = Server.claim(config, Options(embedder=WordEmbedder()))
    slow_answers()
    thread = threading.Thread(target=server.run, name="server-under-test", daemon=True)
    try:
        with nullcontext() if page else no_page():
            thread.start()
            assert server.ready.wait(START), "the server did not come up"
        assert server.problem is None, server.problem
        yield Served(server, home)
    finally:
        server.stop()
        thread.join(60)
    assert not thread.is_alive(), "the server did not stop"


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    memory = getattr(request.module, "MEMORY", "sample")
    values = {"steward": {"enabled": False}, **getattr(request.module, "CONFIG", {})}
    home = tmp_path_factory.mktemp("served") / "memory"
    if memory == "sample":
        shutil.copytree(request.getfixturevalue("sample_home"), home)
    yield from serving(home, values)


@dataclass
class PagePool:
    """The browsers of a file, lent to one story at a time. The next story's page is loaded anew, and what the last one kept in its browser
    is wiped, but for the login: so the scripts that were fetched and compiled stay, which is a third of what a load costs."""

    served: Served
    browser: Browser
    free: list[tuple[Page, str]] = field(default_factory=list)  # with the place it is let into

    def open(self, query: str, script: str, watch: Watch, width: int, height: int, dark: bool) -> Page:
        if self.free and not script:
            page, place = self.free.pop()
        else:
            context = self.browser.new_context()
            context.set_default_timeout(WAIT)
            count_unanswered(context)
            if script:
                context.add_init_script(script)  # before any of the page's own
            page, place = context.new_page(), ""
            slow_page(page)
        watch.over(page.context)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.goto(f"{place}?{query}" if place else f"{self.served.address}/?{query}&token={self.served.token}")
        page.wait_for_selector("#pmg-tabs", state="visible")
        return page

    def take_back(self, page: Page, script: str) -> None:
        place = page.url.partition("#")[0].partition("?")[0]
        if script or page.is_closed() or len(page.context.pages) > 1 or "/browser/" not in place:
            page.context.close()
            return
        # A page of ours, not of nobody's: from there the next would begin a new process, with nothing compiled.
        page.goto(f"{self.served.address}/healthz")
        page.evaluate("localStorage.clear(); sessionStorage.clear()")  # now that no script of the story writes any more
        self.free.append((page, place))


@pytest.fixture(scope="module")
def pool(served: Served, browser: Browser) -> Iterator[PagePool]:
    made = PagePool(served, browser)
    yield made
    for page, _ in made.free:
        page.context.close()


@contextmanager
def _pages(pool: PagePool, watch: Watch) -> Iterator[Callable[..., Page]]:
    lent: list[tuple[Page, str]] = []

    def opened(query: str = "", *, width: int = 1280, height: int = 800, dark: bool = False, script: str = "") -> Page:
        page = pool.open(query, script, watch, width, height, dark)
        lent.append((page, script))
        return page

    yield opened
    watch.leave()
    for page, script in lent:
        pool.take_back(page, script)


@pytest.fixture
def open_page(pool: PagePool, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens pages, each in a context of its own: another browser, as it were."""
    with _pages(pool, watch) as opened:
        yield opened


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page()


@pytest.fixture(scope="module")
def shared_page(pool: PagePool) -> Iterator[Page]:
    """One page for the stories of a file that leave it as they found it, or bring it where they begin: opening one costs four seconds."""
    with watching() as seen, _pages(pool, seen) as opened:
        yield opened()


@pytest.fixture(autouse=True)
def nothing_on_the_way(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a story asked for last is no business of the next one on the same page."""
    yield
    if "shared_page" in request.fixturenames:
        answered(request.getfixturevalue("shared_page"))
