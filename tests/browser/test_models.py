"""Setting up a language model in a real browser: a pasted key is refused and not repeated, a server is tested, models are listed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from pmg.chat.keys import KEY_FILE
from pmg.ui.settings.chat_model import destination
from tests.browser.conftest import Served
from tests.chat_server import serving, stream
from tests.pmg.test_pasted_key import random_key

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from pmg.config import ChatConfig
    from pmg.ui.app_context import AppContext

pytestmark = pytest.mark.timeout(300)
MEMORY = "empty"


def test_of_two_answers_the_one_to_the_last_choice_stays(
    page: Page, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer about the first change takes its time; the one about the second must not be written over by it."""

    def slow(context: AppContext, wanted: ChatConfig) -> tuple[str, bool]:
        if wanted.responder != "openai":
            time.sleep(1.5)
        return destination(context, wanted)

    monkeypatch.setattr("pmg.ui.settings.chat_model.destination", slow)
    page.get_by_role("tab", name="Import & settings").click()
    page.get_by_role("tab", name="Models").click()
    page.get_by_text("A very small model").click()
    page.get_by_text("A language model on a server").click()
    page.get_by_text("Answers come from a model server on this machine").wait_for()
    page.wait_for_timeout(2000)
    assert page.get_by_text("Answers come from a model server on this machine").is_visible()


def test_only_the_fields_that_act_with_the_chosen_responder_are_shown(page: Page, served: Served) -> None:
    page.get_by_role("tab", name="Import & settings").click()
    page.get_by_role("tab", name="Models").click()
    address, model, probe = page.locator("#pmg-base-url"), page.locator("#pmg-model"), page.locator("#pmg-test")
    page.locator("#pmg-where").get_by_text("no language model, and nothing leaves").wait_for()
    assert not any(one.is_visible() for one in (address, model, probe, page.locator("#pmg-seek")))
    page.get_by_text("A language model on a server").click()
    for one in (address, model, probe, page.locator("#pmg-seek")):
        one.wait_for()
    assert page.get_by_label("Address of the server").input_value() == served.engine.config.chat.base_url
    page.get_by_text("A very small model").click()
    address.wait_for(state="hidden")
    probe.wait_for(state="hidden")
    assert model.is_visible()
    page.get_by_text("Quotes from your memory (no language model)").click()
    model.wait_for(state="hidden")


@pytest.mark.fast
def test_a_key_goes_into_its_masked_field_and_nowhere_else(page: Page, served: Served) -> None:
    key = random_key("sk-")
    page.get_by_role("tab", name="Import & settings").click()
    page.get_by_role("tab", name="Models").click()
    with serving(stream("rea", "dy"), models=("tiny", "large")) as server:
        page.get_by_text("A language model on a server").click()
        page.get_by_label("Address of the server").fill(server.base_url)
        page.get_by_text("Answers come from a model server on this machine").wait_for()

        page.get_by_role("button", name="The key comes from somewhere else").click()
        page.get_by_label("Name of an environment variable").fill(key)
        page.get_by_role("button", name="Keep these settings").click()
        page.get_by_text("is not the name of an environment variable").first.wait_for()
        assert key not in page.locator("body").inner_text()
        assert not (served.home / "config.toml").exists()
        page.get_by_label("Name of an environment variable").fill("")

        field = page.locator("#pmg-key input")
        assert field.get_attribute("type") == "password"
        field.fill(key)
        page.get_by_role("button", name="Test", exact=True).click()
        page.get_by_text("It works: tiny").wait_for()
        page.get_by_role("button", name="List the models").click()
        page.get_by_text("2 models listed").wait_for()
        page.get_by_role("button", name="Keep these settings").click()
        page.get_by_text("in force from the next message on").first.wait_for()
        page.wait_for_function("() => document.querySelector('#pmg-key input').value === ''")
    assert (served.home / KEY_FILE).read_text().splitlines()[0] == key
    assert key not in (served.home / "config.toml").read_text()
    assert served.engine.config.chat.model == "tiny"
