"""The pages before the real one: each is whole in itself."""

from __future__ import annotations

import pytest

from pmg.server import pages


@pytest.mark.parametrize(
    "page", [pages.starting(), pages.redirect("/x"), pages.login(False), pages.login(True, "No."), pages.refused("No.")]
)
def test_no_page_makes_a_browser_ask_for_an_icon(page: str) -> None:
    assert '<link rel="icon" href="data:,">' in page
