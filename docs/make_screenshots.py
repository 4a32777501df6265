"""Makes pictures of every tab at three sizes of memory, light and dark, wide and narrow: `python docs/make_screenshots.py [folder] [tab …]`.

The memories are a first day, a month and three years, cut and stretched from the sample memory; a fourth, the sample itself, gives the pictures
that the README shows. They go to docs/screenshots, and only those of the README are kept in the repository.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from pmg import config, sample
from pmg.server.run import Options, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from pmg.ingest.turns import SessionInput
    from pmg.model import Turn

FOLDER = Path(__file__).parent / "screenshots"
SIZES = {"wide": (1280, 800), "narrow": (390, 844)}
TABS = {
    "chat": "Chat",
    "preview": "Recall preview",
    "timeline": "Timeline",
    "graph": "Graph",
    "analytics": "Analytics",
    "steward": "Steward",
    "exchange": "Import & settings",
}
QUESTION = "What did the MRI of my knee show?"
QUERY = "why is the release blocked?"
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)


# the memories


def by_time(sessions: Sequence[SessionInput]) -> list[SessionInput]:
    return sorted(sessions, key=lambda one: min(turn.at for turn in one.turns if turn.at))


def first_day() -> list[SessionInput]:
    return by_time(sample.sessions())[:2]


def first_month() -> list[SessionInput]:
    told = by_time(sample.sessions())
    begin = min(turn.at for turn in told[0].turns if turn.at)
    return [one for one in told if min(turn.at for turn in one.turns if turn.at) < begin + timedelta(days=30)]


def three_years() -> list[SessionInput]:
    """The sample, and the two years before it, in which much the same was said: told apart by a word, or it would count as repeated."""
    told = sample.sessions()
    return [*told, *(earlier(one, years) for years in (1, 2) for one in told)]


def earlier(session: SessionInput, years: int) -> SessionInput:
    back = timedelta(days=365 * years)

    def moved(turn: Turn) -> Turn:
        year = (turn.at - back).year if turn.at else ""
        lines = tuple(replace(line, text=f"Back in {year}: {line.text}", at=None) for line in turn.lines)
        return replace(turn, lines=lines, at=turn.at - back if turn.at else None, origin_id="")

    started = session.started_at - back if session.started_at else None
    return replace(
        session, turns=[moved(turn) for turn in session.turns], id=f"{session.id}-{years}", started_at=started
    )


MEMORIES: dict[str, Callable[[], list[SessionInput]]] = {
    "day-1": first_day,
    "day-30": first_month,
    "year-3": three_years,
    "": sample.sessions,  # the README's
}


@contextmanager
def served(home: Path, sessions: Sequence[SessionInput]) -> Iterator[Server]:
    server = Server.claim(config.load(home, {}), Options())
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    server.ready.wait(300)
    if server.context is None:
        raise SystemExit(f"the server did not come up: {server.problem}")
    server.context.engine.model.wait()
    server.context.engine.ingest(sessions)
    server.context.steward.run(["score", "links"])
    try:
        yield server
    finally:
        server.stop()
        thread.join(60)


# the pictures


def open_tab(page: Page, name: str) -> None:
    """The tab with something in it, as a person would have it before them."""
    if name != "chat":
        tab = page.get_by_role("tab", name=TABS[name], exact=True)
        if not tab.is_visible():  # on a phone the last tabs are behind a button
            page.locator("#pmg-tabs .overflow-menu button").first.click()
            page.locator("#pmg-tabs .overflow-dropdown").get_by_text(TABS[name], exact=True).click()
        else:
            tab.click()
    wide = (page.viewport_size or {}).get("width", 0) > 1000
    if name == "chat":
        page.get_by_label("Message").fill(QUESTION)
        page.keyboard.press("Enter")
        page.wait_for_selector("#pmg-log .pmg-turn:nth-child(2)")
        if wide and page.locator("#pmg-log .pmg-source").count():
            page.locator("#pmg-log .pmg-source").first.click()
            page.locator("#pmg-reader-chat .pmg-reading").wait_for()
    elif name == "preview":
        page.get_by_label("Query").first.fill(QUERY)
        page.get_by_label("Query").first.press("Enter")
        page.wait_for_selector("#pmg-preview-result [role=status]")
        if wide and page.locator("#pmg-preview-stages .pmg-card").count():
            page.locator("#pmg-preview-stages .pmg-card").first.click()
            page.locator("#pmg-reader-preview .pmg-reading").wait_for()
    page.wait_for_timeout(3500)


def small(png: bytes, file: Path) -> None:
    """A picture of a page has few colours: a palette makes it a third of the size."""
    from PIL import Image

    file.parent.mkdir(exist_ok=True)
    Image.open(io.BytesIO(png)).convert("RGB").quantize(192, dither=Image.Dither.NONE).save(file, optimize=True)


def pictures(browser: Browser, server: Server, folder: Path, memory: str, only: tuple[str, ...]) -> None:
    for size, (width, height) in SIZES.items():
        for look in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)  # type: ignore[arg-type]
            context.set_default_timeout(60_000)
            for name in only or TABS:
                page = context.new_page()
                page.goto(f"{server.address}/?__theme={look}&token={server.token}")
                page.locator("#pmg-list .pmg-session").first.wait_for(state="attached")
                open_tab(page, name)
                small(page.screenshot(), folder / f"{'-'.join(filter(None, (memory, name, look, size)))}.png")
                page.close()
            context.close()


def main(folder: Path, only: tuple[str, ...]) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=alone)
        for memory, sessions in MEMORIES.items():
            with tempfile.TemporaryDirectory() as scratch, served(Path(scratch) / "memory", sessions()) as server:
                pictures(browser, server, folder, memory, only)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, tuple(sys.argv[2:]))
