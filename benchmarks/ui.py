"""How soon the page answers, in a real browser against a real server: ready to type, a recall preview, the timeline.

Knows: a synthetic memory of any size, a server of its own in another process, and what is waited for on the page. The vectors of the memory cost nothing to make; questions are embedded by the real model.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.speed import RowEmbedder, make_sessions, make_vectors
from pmg.base.errors import InputError
from pmg.config import Config
from pmg.embed import bundled
from pmg.engine import Engine

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROUNDS = 5
START = 180.0  # seconds for a server to come up with its model
TIMEOUT = 60_000  # milliseconds for one step on the page
QUESTIONS = ("w12 w40 w7 and what was said", "w3 w900 w15", "w77 w5 w1200 w8", "w21 w4", "w300 w2 w65 w19")


@dataclass(frozen=True, slots=True)
class UiTiming:
    """Milliseconds of each round, against what is allowed."""

    what: str
    allowed: float
    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        return sorted(self.rounds)[len(self.rounds) // 2]

    @property
    def reached(self) -> bool:
        return self.median <= self.allowed


class Synthetic(RowEmbedder):
    """Made-up vectors under the name of the bundled model, so that a server with that model takes them as its own."""

    name, fingerprint = bundled.NAME, bundled.SHA256


def make_memory(home: Path, count: int) -> None:
    with Engine.open(Config(home=home), embedder=Synthetic(make_vectors(count))) as engine:
        engine.ingest(make_sessions(count))


def run(count: int, on_figure: Callable[[UiTiming], None]) -> list[UiTiming]:
    """Makes the memory, serves it, and measures; figures are told as they come."""
    launch = _browser()
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "memory"
        make_memory(home, count)
        with _served(home) as (address, token), launch() as browser:
            found = []
            for figure in _figures(browser, address, token, count):
                found.append(figure)
                on_figure(figure)
            return found


def _figures(browser: Any, address: str, token: str, count: int) -> Iterator[UiTiming]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(1000 * START)
    page.goto(f"{address}/?token={token}")
    page.get_by_text("embedding model ready").wait_for()  # the first look logs in and waits for a warm server
    page.set_default_timeout(TIMEOUT)
    yield UiTiming("ready to type after the page opens", 4_000, tuple(_opening(page, address) for _ in range(ROUNDS)))
    yield UiTiming(f"recall preview at {count:,} segments", 500, _previews(page))
    yield UiTiming(
        f"timeline first paint at {count:,} segments", 2_000, tuple(_timeline(page, address) for _ in range(3))
    )


def _wait_to_type(page: Page) -> None:
    page.wait_for_function(
        "() => { const box = document.querySelector('#pmg-box textarea');"
        " return box && !box.disabled && document.activeElement === box && document.querySelector('.pmg-session'); }"
    )


def _opening(page: Page, address: str) -> float:
    begun = time.perf_counter()
    page.goto(address)
    _wait_to_type(page)
    return _since(begun)


def _previews(page: Page) -> tuple[float, ...]:
    """From Enter to the new result standing on the page; the first one warms caches."""
    page.get_by_role("tab", name="Recall preview").click()
    field = page.get_by_label("Your question").first
    times = []
    for question in QUESTIONS:
        field.fill(question)
        page.evaluate(
            "document.querySelector('#pmg-preview-result').dataset.before = document.querySelector('#pmg-preview-result').innerHTML"
        )
        begun = time.perf_counter()
        field.press("Enter")
        page.wait_for_function(
            "() => { const r = document.querySelector('#pmg-preview-result'); return r.innerHTML !== r.dataset.before; }",
            polling=10,
        )
        times.append(_since(begun))
    return tuple(times[1:])


def _timeline(page: Page, address: str) -> float:
    page.goto(address)
    _wait_to_type(page)
    begun = time.perf_counter()
    page.get_by_role("tab", name="Timeline").click()
    page.wait_for_function(
        "() => document.querySelector('#pmg-tab-timeline .js-plotly-plot .point, #pmg-tab-timeline .js-plotly-plot canvas,"
        " .js-plotly-plot .point, .js-plotly-plot canvas')",
        polling=20,
    )
    return _since(begun)


def _since(begun: float) -> float:
    return 1000 * (time.perf_counter() - begun)


def _browser() -> Callable[[], Any]:
    """Found before anything is made: half an hour of work must not end in a missing program."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise InputError('The page is measured in a browser: pip install "private-memory-graph[dev]" first.') from None
    chromium = next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
    )
    if not chromium:
        raise InputError("There is no Chromium on this machine: install it (Debian: apt-get install chromium) first.")
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []

    @contextmanager
    def launch() -> Iterator[Any]:
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=chromium, args=alone)
            yield browser
            browser.close()

    return launch


@contextmanager
def _served(home: Path) -> Iterator[tuple[str, str]]:
    """A server in a process of its own, as a person starts it."""
    command = [
        sys.executable,
        "-c",
        "from pmg.cli import main; main()",
        "serve",
        "--home",
        str(home),
        "--no-browser",
        "--port",
        "0",
    ]
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PMG_")}
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environ)
    try:
        yield _place(home, server)
    finally:
        server.terminate()
        server.wait(60)


def _place(home: Path, server: subprocess.Popen[bytes]) -> tuple[str, str]:
    begun = time.monotonic()
    while time.monotonic() - begun < START:
        if server.poll() is not None:
            said = server.stderr.read().decode(errors="replace") if server.stderr else ""
            raise InputError(f"The server ended before it was up: {said[-500:]}")
        note = home / "server.json"
        if note.exists():
            told = json.loads(note.read_text(encoding="utf-8"))
            if _healthy(str(told["address"])):
                return str(told["address"]), str(told["token"])
        time.sleep(0.3)
    raise InputError(f"The server was not ready after {START:g} s.")


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
