"""A page is put together without web apps that nobody uses, and is described whole when it is asked for."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import gradio as gr
import gradio.blocks
import gradio.routes
import pytest
from fastapi import FastAPI

from pmg.ui import gradio_page


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the library makes of a page: web apps and descriptions."""
    done: list[str] = []
    create, describe = gradio.blocks.App.create_app, gr.Blocks.get_config_file

    def create_app(blocks: gr.Blocks, **options: Any) -> Any:
        done.append("app")
        return create(blocks, **options)

    def get_config_file(blocks: gr.Blocks) -> Any:
        done.append("description")
        return describe(blocks)

    monkeypatch.setattr(gradio.blocks.App, "create_app", staticmethod(create_app))
    monkeypatch.setattr(gr.Blocks, "get_config_file", get_config_file)
    return done


def test_one_app_is_made_and_nothing_described_before_it_is_mounted(made: list[str]) -> None:
    with gradio_page.assembled(3, title="A page") as page:
        gr.Button("Press")
    assert made == ["app"]
    assert [one["type"] for one in page.get_config_file()["components"]] == ["button"]
    assert page._queue.default_concurrency_limit == 3 and page.app.get_blocks() is page


def test_a_version_that_is_not_known_does_as_it_likes(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradio_page, "VERSION", "0.")
    with gradio_page.assembled(3) as page:
        gr.Button("Press")
    assert made.count("app") == 3
    assert [one["type"] for one in page.config["components"]] == ["button"]


def test_a_page_that_fails_leaves_the_library_as_it_was() -> None:
    before = gradio.blocks.App
    with pytest.raises(ZeroDivisionError), gradio_page.assembled(3) as page:
        raise ZeroDivisionError
    assert gradio.blocks.App is before and page.get_config_file()["title"] == "Gradio"


def mounted(how: Callable[..., object]) -> dict[str, Any]:
    """What a page is served as, but for the numbers that each has of its own."""
    with gradio_page.assembled(3, title="A page") as page:
        gr.Button("Press").click(lambda: "pressed", outputs=gr.Textbox(label="Told"))
        gr.HTML("<b>bold</b>")
    how(
        FastAPI(), page, path="/", footer_links=[], run_history=False, ssr_mode=False, css="b { color: red }", pwa=False
    )
    own = {"app_id", "dependencies", "layout", "page"}
    parts = [{**one, "id": 0} for one in page.config["components"]]
    return {**{name: value for name, value in page.config.items() if name not in own}, "components": parts}


def test_a_page_is_mounted_as_the_library_does_it_and_described_once(made: list[str]) -> None:
    served = mounted(gradio_page.mount)
    assert made.count("description") == 1
    made.clear()
    assert served == mounted(gr.mount_gradio_app)
    assert made.count("description") == 2
    assert [one["type"] for one in served["components"]] == ["button", "textbox", "html", "form"]


def test_the_parameters_of_a_component_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[object] = []
    plain = inspect.signature
    monkeypatch.setattr(gradio_page, "_signature", functools.cache(lambda of: looked_up.append(of) or plain(of)))
    with gr.Blocks():
        one, other = gr.Button("one"), gr.Button("other")
    assert one.get_config()["value"] == "one" and other.get_config()["value"] == "other"
    assert looked_up.count(gr.Button.__init__) == 1


def test_the_pinned_version_is_the_known_one() -> None:
    assert gr.__version__.startswith(gradio_page.VERSION)


def test_the_page_names_its_icon_before_any_script_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = gradio.routes.templates.env
    monkeypatch.setattr(pages.loader, "get_source", pages.loader.get_source)
    for _ in range(2):  # a second page in this process names it once too
        gradio_page.icon_from_the_start("data:,mark")
    text, *_ = pages.loader.get_source(pages, "frontend/index.html")
    assert text.count('<head><link rel="icon" href="data:,mark">') == 1
