"""Going back to a backup and encrypting the memory, from the page: what is missing is said, the server starts anew, and the page comes back by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pmg import config as configuration
from pmg.cli import serve
from pmg.server.run import Options, Server
from pmg.store.keys import is_encrypted_home
from tests.browser.conftest import START, WAIT
from tests.browser.unanswered import answered, count_unanswered
from tests.chromium import Watch
from tests.embedding import WordEmbedder
from tests.steward.memories import tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Server]:
    """A server that is started anew when its page asks for it, with a backup older than its last memory."""
    servers: list[Server] = []
    chosen = Options(embedder=WordEmbedder(), restarts=True)
    config = configuration.with_values(
        configuration.load(tmp_path / "memory", {}), {"steward": {"enabled": False}}, "test"
    )
    server = Server.claim(config, chosen)
    thread = threading.Thread(target=serve.run_and_restart, args=(server, chosen, servers.append))
    thread.start()
    assert server.ready.wait(START) and server.context is not None
    tell(server.context.engine, "kept", "The garden behind the house.")
    folder = config.home / "backups"
    folder.mkdir(exist_ok=True)
    server.context.engine.backup(folder / "manual-1.duckdb")
    tell(server.context.engine, "later", "The soup on the stove.")
    yield server
    (servers or [server])[-1].stop()
    thread.join(START)
    assert not thread.is_alive()


@pytest.fixture
def opened(first: Server, browser: Browser, watch: Watch) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT)
    count_unanswered(context)
    watch.over(context)
    page = context.new_page()
    page.goto(f"{first.address}/?token={first.token}")
    yield page
    context.close()


def to_safety(page: Page) -> None:
    page.get_by_role("tab", name="Chat").click()
    page.get_by_role("tab", name="Import & settings").click()
    page.locator("#pmg-exchange").get_by_role("tab", name="Export").click()
    page.locator("#pmg-exchange").get_by_role("tab", name="Backup & encryption").click()


@pytest.fixture
def safety(opened: Page) -> Page:
    to_safety(opened)
    opened.locator("#pmg-restore").wait_for()
    answered(opened)
    return opened


def test_where_backups_are_spoken_of_one_is_made_and_gone_back_to(safety: Page, first: Server) -> None:
    """Nobody is sent to another page for the other half of it."""
    opened, make, back = safety, "#pmg-backup", "#pmg-restore"
    (first.config.home / "backups" / "manual-1.duckdb").unlink()
    to_safety(opened)
    opened.locator(f"{back}-means").get_by_text("There is no backup to go back to yet").wait_for()
    assert not opened.locator(back).is_visible()
    opened.locator(make).click()
    opened.locator(back).wait_for()
    answered(opened)
    opened.locator(f"{back}-choice input").click()
    opened.get_by_role("option", name="manual-").click()
    opened.locator(f"{back}-holds").get_by_text("as many as now").wait_for()
    opened.locator(f"{back}-sure input").check()
    opened.locator(back).click()
    opened.get_by_role("alert").get_by_text("is in place, with 2 memories").wait_for()


def test_a_backup_is_chosen_confirmed_and_put_in_place(safety: Page, first: Server) -> None:
    safety.get_by_label("Go back to a backup").click()
    safety.get_by_role("option", name="manual-1.duckdb").click()
    safety.locator("#pmg-restore-holds").get_by_text("1 memory less than now").wait_for()
    safety.locator("#pmg-restore").click()
    safety.locator(".toast-body").get_by_text("tick the box above the button").wait_for()
    safety.get_by_label("Put this backup in place of the memory of today").check()
    safety.locator("#pmg-restore").click()
    safety.get_by_role("alert").get_by_text("manual-1.duckdb is in place, with 1 memory").wait_for()
    safety.locator(".pmg-state").get_by_text("1 memory", exact=True).wait_for()


def test_the_memory_is_encrypted_after_a_passphrase_twice_and_a_tick(safety: Page, first: Server) -> None:
    words, home = " ".join(("brown", "horse", "staple", "river")), first.config.home
    fields = [safety.locator(f"{one} input") for one in ("#pmg-passphrase", "#pmg-passphrase-again")]
    fields[0].fill(words)
    fields[1].fill(words + "x")
    safety.locator("#pmg-encrypt").click()
    safety.locator(".toast-body").get_by_text("not the same").wait_for()
    assert not is_encrypted_home(home)
    fields[0].fill(words)
    fields[1].fill(words)
    safety.get_by_label("I wrote it down").check()
    safety.locator("#pmg-encrypt").click()
    safety.get_by_role("alert").get_by_text("The memory is encrypted").wait_for()
    assert is_encrypted_home(home)
    to_safety(safety)
    safety.locator("#pmg-encryption").get_by_text("can be read only with your passphrase").wait_for()
    assert not safety.locator("#pmg-encrypt").is_visible()
