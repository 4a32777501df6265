"""Makes pictures of every tab, light and dark, wide and narrow, from the sample memory: `python docs/make_screenshots.py [folder]`.

They go to docs/screenshots; only the three that the README shows are kept in the repository.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from pmg import config, sample
from pmg.server.run import Options, Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)


@contextmanager
def served(home: Path) -> Iterator[Server]:
    server = Server.claim(config.load(home, {}), Options())
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    server.ready.wait(300)
    if server.context is None:
        raise SystemExit(f"the server did not come up: {server.problem}")
    server.context.engine.model.wait()
    server.context.engine.ingest(sample.sessions())
    server.context.steward.run(["score", "links"])
    try:
        yield server
    finally:
        server.stop()
        thread.join(60)


def open_tab(page: Page, name: str) -> None:
    """The tab with something in it, as a person would have it before them."""
    if name != "chat":
        tab = page.get_by_role("tab", name=TABS[name], exact=True)
        if not tab.is_visible():  # on a phone the last tabs are behind a button
            page.locator("#pmg-tabs .overflow-menu button").first.click()
            page.locator("#pmg-tabs .overflow-dropdown").get_by_text(TABS[name], exact=True).click()
        else:
            tab.click()
    if name == "chat":
        page.get_by_label("Message").fill(QUESTION)
        page.keyboard.press("Enter")
        page.locator("#pmg-log .pmg-source").first.wait_for()
        if (page.viewport_size or {}).get("width", 0) > 1000:
            page.locator("#pmg-log .pmg-source").first.click()
            page.locator("#pmg-reader-chat .pmg-reading").wait_for()
    elif name == "preview":
        page.get_by_label("Query").first.fill("why is the release blocked?")
        page.get_by_label("Query").first.press("Enter")
    page.wait_for_timeout(3500)


def small(png: bytes, file: Path) -> None:
    """A picture of a page has few colours: a palette makes it a third of the size."""
    from PIL import Image

    file.parent.mkdir(exist_ok=True)
    Image.open(io.BytesIO(png)).convert("RGB").quantize(192, dither=Image.Dither.NONE).save(file, optimize=True)


def main(folder: Path, only: tuple[str, ...]) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with (
        tempfile.TemporaryDirectory() as scratch,
        served(Path(scratch) / "memory") as server,
        sync_playwright() as started,
    ):
        browser = started.chromium.launch(executable_path=CHROMIUM, args=alone)
        for size, (width, height) in SIZES.items():
            for look in ("light", "dark"):
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)  # type: ignore[arg-type]
                context.set_default_timeout(60_000)
                for name in only or TABS:
                    page = context.new_page()
                    page.goto(f"{server.address}/?__theme={look}&token={server.token}")
                    page.locator("#pmg-list .pmg-session").first.wait_for(state="attached")
                    open_tab(page, name)
                    small(page.screenshot(), folder / f"{name}-{look}-{size}.png")
                    page.close()
                context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, tuple(sys.argv[2:]))
