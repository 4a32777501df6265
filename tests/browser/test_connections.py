"""Connections: what is connected, who asked and told, and a token that is taken back after a question."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from pmg.connections.client_tokens import ClientTokens
from tests.browser.conftest import Served, serving
from tests.browser.tab_row import open_tab
from tests.server.hook_events import event, prompted

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("person")
    (home / ".cursor").mkdir()
    (home / ".codex").mkdir()
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"pmg": {"command": "pmg", "args": ["mcp"]}}}))
    group = {"hooks": [{"type": "command", "command": "pmg hook claude-code"}]}
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"UserPromptSubmit": [group]}}))
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("{ broken")
    return home


@pytest.fixture(scope="module")
def served(person: Path, sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(person))
        for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
            patch.delenv(name, raising=False)
        home = tmp_path_factory.mktemp("served") / "memory"
        shutil.copytree(sample_home, home)
        yield from serving(home, {"steward": {"enabled": False}})


def opened(page: Page) -> Page:
    open_tab(page.locator("#pmg-tabs").first, "Import & settings")
    open_tab(page.locator("#pmg-exchange").first, "Connections")
    page.locator("#pmg-tools table").wait_for()
    return page


@pytest.mark.fast
def test_tools_programs_and_a_revoked_token(open_page: Callable[..., Page], served: Served) -> None:
    made = ClientTokens(served.home)
    laptop, _ = made.make("laptop", namespace="default", read_only=True), made.make(HOSTILE)
    page = opened(open_page())
    tools = page.locator("#pmg-tools")
    for text in ("Claude Code", "Cursor", "not connected", "hooks", "not readable", "Not on this machine: "):
        tools.get_by_text(text).first.wait_for()
    with httpx.Client(base_url=served.address, timeout=60) as client:
        known = {"authorization": f"Bearer {laptop}"}
        assert client.post("/hooks/codex", json=prompted("codex", "s1", "the garden plans"), headers=known).is_success
        own = {"authorization": f"Bearer {served.token}"}
        assert client.post("/hooks/claude-code", json=event("Stop", "s1"), headers=own).status_code == 204
        page.locator("#pmg-exchange").get_by_role("tab", name="Export", exact=True).click()
        opened(page)  # who comes back to it sees what happened meanwhile
        programs = page.locator("#pmg-programs")
        row = programs.locator("tr", has_text="laptop")
        row.get_by_text("own token, only the namespace default, reads only").wait_for()
        row.get_by_text("1 time").wait_for()
        programs.locator("tr", has_text="claude-code").get_by_text("without a token of its own").wait_for()
        programs.get_by_text(HOSTILE).wait_for()  # a name is text, whatever it says
        row.get_by_role("button", name="Revoke").click()
        page.locator("#pmg-revoke").get_by_text("Take the token of laptop back?").wait_for()
        page.locator("#pmg-revoke").get_by_role("button", name="Keep it").click()
        page.locator("#pmg-revoke").wait_for(state="hidden")
        assert client.post("/hooks/codex", json=event("SessionStart", "s1"), headers=known).is_success
        row.get_by_role("button", name="Revoke").click()
        page.locator("#pmg-revoke").get_by_role("button", name="Revoke").click()
        page.get_by_text("The token of laptop is revoked.").first.wait_for()
        row.get_by_text("without a token of its own").wait_for()
        page.locator("#pmg-revoke").wait_for(state="hidden")
        assert client.post("/hooks/codex", json=event("SessionStart", "s1"), headers=known).status_code == 401


@pytest.mark.parametrize(
    ("dark", "widths"), [(False, (1_400, 390)), (True, (390, 1_400))], ids=["light", "dark"]
)  # each width is once the one it was opened with
def test_it_fits_wide_and_narrow_pages(open_page: Callable[..., Page], widths: tuple[int, int], dark: bool) -> None:
    page = opened(open_page("__theme=dark" if dark else "", width=widths[0], height=900, dark=dark))
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("width => document.documentElement.clientWidth === width", arg=width)
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, width
