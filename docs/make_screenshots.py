"""Makes pictures of every tab at three sizes of memory, light and dark, wide and on a phone: `python docs/make_screenshots.py --help`.

The memories are a first day, a month and three years, cut and stretched from the sample memory; a fourth, the sample itself, gives the pictures
that the README shows. They go to docs/screenshots, and only those of the README are kept in the repository.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from pmg import config, sample
from pmg.base.times import now
from pmg.server.run import Options, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from pmg.base.model import Line, Turn
    from pmg.ingest.turns import SessionInput

FOLDER = Path(__file__).parent / "screenshots"
SIZES = {"wide": (1400, 860), "phone": (390, 844)}
LOOKS = ("light", "dark")
TABS = {  # the tab, and where it has several pages, which of them
    "chat": ("Chat", ""),
    "preview": ("Recall preview", ""),
    "timeline": ("Timeline", ""),
    "graph": ("Graph", ""),
    "people": ("People", ""),
    "analytics": ("Analytics", ""),
    "analytics-use": ("Analytics", "Use"),
    "analytics-content": ("Analytics", "Content"),
    "analytics-graph": ("Analytics", "Graph"),
    "analytics-upkeep": ("Analytics", "Upkeep"),
    "analytics-sql": ("Analytics", "Ask in SQL"),
    "steward": ("Steward", ""),
    "steward-review": ("Steward", "Review"),
    "steward-topics": ("Steward", "Topics"),
    "steward-history": ("Steward", "History"),
    "steward-schedule": ("Steward", "Schedule"),
    "settings": ("Import & settings", ""),
    "settings-export": ("Import & settings", "Export"),
    "settings-connections": ("Import & settings", "Connections"),
    "settings-models": ("Import & settings", "Models"),
    "settings-namespaces": ("Import & settings", "Namespaces"),
    "settings-backup": ("Import & settings", "Backup & encryption"),
    "settings-privacy": ("Import & settings", "Privacy & health"),
}
# No figure in view waits for its answer, and nothing says that it loads.
DRAWN = """() => [...document.querySelectorAll('.pmg-chart .pmg-figure')].every((one) => !one.offsetParent || one.querySelector('.main-svg'))
  && ![...document.querySelectorAll('[role=status]')].some((one) => one.offsetParent && one.textContent.startsWith('Loading'))"""
QUESTION = "Why is the Heron 1.0 release blocked?"  # as the README asks it
QUERY = "why is the release blocked?"
CHROMIUM = next(
    (
        path
        for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    "",
)


# the memories


def by_time(sessions: Sequence[SessionInput]) -> list[SessionInput]:
    return sorted(sessions, key=begun)


def begun(session: SessionInput) -> datetime:
    return min(turn.at for turn in session.turns if turn.at)


def until_now(sessions: Sequence[SessionInput]) -> list[SessionInput]:
    """The same, moved so that the last was held today."""
    days = timedelta(days=(now() - max(begun(one) for one in sessions)).days)
    return [moved(one, days, lambda turn, _at: turn.lines) for one in sessions]


def first_day() -> list[SessionInput]:
    return [one for some in by_time(sample.sessions())[:2] for one in until_now([some])]


def first_month() -> list[SessionInput]:
    told = by_time(sample.sessions())
    return until_now([one for one in told if begun(one) < begun(told[0]) + timedelta(days=30)])


def three_years() -> list[SessionInput]:
    """The sample, and the two years before it, in which much the same was said: told apart by a word, or it would count as repeated."""
    told = sample.sessions()
    return [*told, *(earlier(one, years) for years in (1, 2) for one in told)]


def earlier(session: SessionInput, years: int) -> SessionInput:
    def retold(turn: Turn, at: datetime) -> tuple[Line, ...]:
        return tuple(replace(line, text=f"Back in {at.year}: {line.text}") for line in turn.lines)

    return replace(moved(session, timedelta(days=-365 * years), retold), id=f"{session.id}-{years}")


def moved(session: SessionInput, by: timedelta, lines: Callable[[Turn, datetime], tuple[Line, ...]]) -> SessionInput:
    """A session held earlier or later, its turns with other lines."""

    def turn_of(turn: Turn) -> Turn:
        at = (turn.at or begun(session)) + by
        return replace(turn, lines=tuple(replace(line, at=None) for line in lines(turn, at)), at=at, origin_id="")

    started = session.started_at + by if session.started_at else None
    return replace(session, turns=[turn_of(turn) for turn in session.turns], started_at=started)


MEMORIES: dict[str, Callable[[], list[SessionInput]]] = {
    "day-1": first_day,
    "day-30": first_month,
    "year-3": three_years,
    "sample": sample.sessions,  # the README's
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pictures, and where they go. A folder of memories that is kept spares the next run the reading in."""

    folder: Path
    memories: tuple[str, ...]
    tabs: tuple[str, ...]
    looks: tuple[str, ...]
    sizes: tuple[str, ...]
    whole_page: bool


@contextmanager
def served(home: Path, kept: Path | None, sessions: Callable[[], list[SessionInput]]) -> Iterator[Server]:
    """A server on a memory; on a copy of the kept one, for a chat leaves its marks."""
    if kept and kept.exists():
        shutil.copytree(kept, home)
    known = home.exists()
    server = Server.claim(
        config.load(home, {}), Options(restarts=True)
    )  # as `pmg serve` starts it: what it offers is in the pictures
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    server.ready.wait(300)
    if server.context is None:
        raise SystemExit(f"the server did not come up: {server.problem}")
    server.context.engine.model.wait()
    if not known:
        server.context.engine.ingest(sessions())
        server.context.steward.run(["score", "merge", "links"])
    try:
        yield server
    finally:
        server.stop()
        thread.join(60)
        if kept and not kept.exists():
            shutil.copytree(home, kept, ignore=shutil.ignore_patterns("server.json", "*.lock"))


# the pictures


def ask(page: Page) -> None:
    """The question; where it was asked for an earlier picture, its chat is opened again."""
    asked = page.locator("#pmg-list .pmg-session").filter(has_text=QUESTION)
    if asked.count():
        asked.first.evaluate("one => one.click()")  # on a phone the list is behind a button
    else:
        page.get_by_label("Message").fill(QUESTION)
        page.keyboard.press("Enter")
    page.wait_for_selector("#pmg-log .pmg-turn:nth-child(2)")


def choose(page: Page, tabs: str, label: str) -> None:
    """A tab by its name; on a phone the last ones are behind a button."""
    box = page.locator(tabs).first
    tab = box.get_by_role("tab", name=label, exact=True).first
    if tab.is_visible():
        tab.click()
        return
    box.locator(".overflow-menu button").first.click()
    box.locator(".overflow-dropdown").first.get_by_text(label, exact=True).click()


def open_tab(page: Page, name: str) -> None:
    """The tab with something in it, as a person would have it before them."""
    outer, inner = TABS[name]
    if name != "chat":
        choose(page, "#pmg-tabs", outer)
    if inner:
        choose(page, "#pmg-tabs [role=tabpanel]:visible .tabs", inner)
    wide = page.viewport_size is not None and page.viewport_size["width"] > 1000
    if name == "chat":
        ask(page)
        if wide and page.locator("#pmg-log .pmg-source:visible").count():
            page.locator("#pmg-log .pmg-source:visible").first.click()
            page.locator("#pmg-reader-chat .pmg-reading").wait_for()
    elif name == "preview":
        page.get_by_label("Your question").first.fill(QUERY)
        page.get_by_label("Your question").first.press("Enter")
        page.wait_for_selector("#pmg-preview-result [role=status]")
        if wide and page.locator("#pmg-preview-stages .pmg-card:visible").count():
            page.locator("#pmg-preview-stages .pmg-card:visible").first.click()
            page.locator("#pmg-reader-preview .pmg-reading").wait_for()
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(2200)  # figures move into place


def small(png: bytes, file: Path) -> None:
    """A picture of a page has few colours: a palette makes it a third of the size."""
    from PIL import Image

    file.parent.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(png)).convert("RGB").quantize(192, dither=Image.Dither.NONE).save(file, optimize=True)


def pictures(browser: Browser, server: Server, memory: str, wanted: Wanted) -> None:
    for size, look in product(wanted.sizes, wanted.looks):
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)  # type: ignore[arg-type]
        context.set_default_timeout(120_000)
        page = (
            context.new_page()
        )  # one for all its tabs: as a person has it, and opening one costs as much as a picture
        page.goto(f"{server.address}/?__theme={look}&token={server.token}")
        page.locator("#pmg-list .pmg-session").first.wait_for(state="attached")
        for name in wanted.tabs:
            open_tab(page, name)
            page.evaluate("scrollTo(0, 0)")
            file = "-".join((*(() if memory == "sample" else (memory,)), name, look, size))
            small(page.screenshot(full_page=wanted.whole_page), wanted.folder / f"{file}.png")
        context.close()


def main(wanted: Wanted, homes: Path | None) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as started, tempfile.TemporaryDirectory() as scratch:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=alone)
        for memory in wanted.memories:
            kept = homes / memory if homes else None
            with served(Path(scratch) / memory, kept, MEMORIES[memory]) as server:
                pictures(browser, server, memory, wanted)
        browser.close()


def asked() -> tuple[Wanted, Path | None]:
    parser = argparse.ArgumentParser(description="Pictures of every tab, unless some are named.")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the pictures go")
    parser.add_argument("--homes", type=Path, help="a folder in which the memories are kept for the next run")
    parser.add_argument("--memory", nargs="+", choices=MEMORIES, default=list(MEMORIES))
    parser.add_argument("--tab", nargs="+", choices=TABS, default=list(TABS))
    parser.add_argument("--look", nargs="+", choices=LOOKS, default=list(LOOKS))
    parser.add_argument("--size", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--whole-page", action="store_true", help="the page to its end, not only what the window shows")
    one = parser.parse_args()
    wanted = Wanted(one.folder, tuple(one.memory), tuple(one.tab), tuple(one.look), tuple(one.size), one.whole_page)
    return wanted, one.homes


if __name__ == "__main__":
    main(*asked())
