"""A file is dropped on the page and imported; the timeline shows what came in, and the upload does not stay."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pmg.base.errors import InputError
from pmg.base.progress import Progress, silent
from pmg.engine import Engine
from pmg.importers.import_run import ImportOptions
from pmg.ui.error_boundary import uploads
from pmg.ui.settings import import_progress
from tests.browser.conftest import WAIT, Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORY = "empty"
EXPORT = Path(__file__).parent.parent / "data" / "exports" / "chatgpt" / "2023-plain.json"


@pytest.fixture
def form(shared_page: Page) -> Page:
    """The file's page, at the form, with nothing in front of it: a message stays for ten seconds, and who clicks below waits for it."""
    shared_page.evaluate("document.querySelectorAll('.toast-close').forEach((button) => button.click())")
    shared_page.get_by_role("tab", name="Import & settings").click()
    return shared_page


def uploaded() -> list[Path]:
    """Walked, not globbed: a folder that goes meanwhile holds nothing."""
    return [Path(folder, EXPORT.name) for folder, _, files in os.walk(uploads()) if EXPORT.name in files]


@pytest.mark.fast
def test_a_dropped_export_comes_in_and_the_timeline_shows_it(form: Page, served: Served) -> None:
    page = form
    page.locator("#pmg-import-files input[type=file]").set_input_files(EXPORT)
    page.locator("#pmg-import-files").get_by_text(EXPORT.stem[:8]).first.wait_for()
    page.locator("#pmg-import-dry").click()
    page.locator("#pmg-import-report").get_by_text("nothing was stored").wait_for()
    assert served.engine.sessions() == []
    page.get_by_label("Only since").fill("some day")
    page.locator("#pmg-import-start").click()
    page.get_by_text("is not a time").first.wait_for()
    assert uploaded()  # a slip in a field does not cost the upload
    page.get_by_label("Only since").fill("")
    page.locator("#pmg-import-start").click()
    page.locator("#pmg-import-report").get_by_text("Done.").wait_for()
    assert served.engine.sessions()
    assert uploaded() == []
    with page.expect_download() as saved:
        page.locator("#pmg-import-json").click()
    assert '"chatgpt"' in Path(saved.value.path()).read_text(encoding="utf-8")
    page.get_by_role("tab", name="Timeline").click()
    title = served.engine.sessions()[0].title
    page.locator("#pmg-timeline-list summary").click()
    page.locator("#pmg-timeline-list").get_by_text(title).first.wait_for()


def test_an_upload_that_is_taken_off_the_form_or_cannot_be_imported_does_not_stay(
    form: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = form
    field = page.locator("#pmg-import-files")
    field.locator("input[type=file]").set_input_files(EXPORT)
    field.get_by_text(EXPORT.stem[:8]).first.wait_for()
    field.get_by_label("Add more files").wait_for()
    until(lambda: bool(uploaded()))
    field.get_by_label("Clear").click()
    until(lambda: not uploaded())

    def full(*_: object) -> None:
        raise InputError("the disk is full")

    monkeypatch.setattr("pmg.ui.settings.import_progress.import_paths", full)
    field.locator("input[type=file]").set_input_files(EXPORT)
    field.get_by_text(EXPORT.stem[:8]).first.wait_for()
    page.locator("#pmg-import-start").click()
    page.get_by_text("the disk is full").first.wait_for()
    page.get_by_text("What was read until then is stored").wait_for()
    assert not page.get_by_text("Done.").count(), "the report of the import before is gone"
    until(lambda: not uploaded())
    field.get_by_text(EXPORT.stem[:8]).first.wait_for(state="detached")


def test_an_import_is_stopped_and_what_came_in_stays(
    form: Page, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading goes on and on until it is stopped: each look at the clock of the bar is one more."""
    page, begun, ended = form, threading.Event(), threading.Event()
    whole = import_progress.import_paths

    def without_end(engine: Engine, paths: Sequence[Path], asked: ImportOptions, progress: Progress, *rest: Any) -> Any:
        found = whole(engine, paths, asked, silent, *rest)
        begun.set()
        while not ended.wait(0.05):
            progress("reading", 1, 2)
        return found

    monkeypatch.setattr("pmg.ui.settings.import_progress.import_paths", without_end)
    try:
        page.locator("#pmg-import-files input[type=file]").set_input_files(EXPORT)
        page.locator("#pmg-import-files").get_by_text(EXPORT.stem[:8]).first.wait_for()
        assert not page.locator("#pmg-import-stop").is_visible()
        page.locator("#pmg-import-start").click()
        assert begun.wait(WAIT / 1_000)
        page.locator("#pmg-import-stop").click()
        page.locator("#pmg-import-report").get_by_text("came in and stay").wait_for()
        page.locator("#pmg-import-stop").wait_for(state="hidden")
        assert served.engine.sessions()
    finally:
        ended.set()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT / 1_000
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_path_that_is_not_there_is_told_in_a_sentence(form: Page) -> None:
    page = form
    page.get_by_label("Or paths on this machine").fill("/nowhere/export.zip")
    page.locator("#pmg-import-start").click()
    page.get_by_text("There is no file or folder /nowhere/export.zip").wait_for()


def test_an_export_is_prepared_and_downloaded(form: Page, served: Served) -> None:
    page = form
    page.locator("#pmg-exchange").get_by_role("tab", name="Export").click()
    page.get_by_label("JSON lines").check()
    page.locator("#pmg-export-start").click()
    page.locator("#pmg-export-said .pmg-report").get_by_text("session").wait_for()
    with page.expect_download() as saved:
        page.locator("#pmg-export-file").click()
    rows = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert len(rows) > 1 + len(served.engine.sessions())
