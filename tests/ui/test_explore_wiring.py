"""Preview, timeline, graph and people as gradio sees them: every input has a label, every event a private name."""

from __future__ import annotations

import importlib

import gradio as gr
import pytest

from pmg.engine import Engine
from pmg.ui.app_context import AppContext, PageContext
from pmg.ui.people import people_tab
from pmg.ui.reader import reader_view
from pmg.ui.reader.reader_pane import ReaderPane, pane
from steward.steward import Steward
from tests.steward.memories import tell

INPUTS = ("textbox", "dropdown", "number", "checkbox", "checkboxgroup", "slider", "button")


@pytest.mark.parametrize("name", ["preview", "timeline", "graph", "people"])
def test_a_tab_labels_its_inputs_and_keeps_its_events_to_the_page(engine: Engine, name: str) -> None:
    with gr.Blocks(analytics_enabled=False) as blocks, gr.Tabs() as tabs:
        page = PageContext(
            tabs, gr.State("default"), gr.Textbox(label="Address", render=False), gr.Button("Go", render=False)
        )
        with gr.Tab(name) as tab:
            importlib.import_module(f"pmg.ui.{name}.{name}_tab").build(AppContext(engine, Steward(engine)), page, tab)
    config = blocks.get_config_file()
    inputs = [part for part in config["components"] if part["type"] in INPUTS]
    assert len(inputs) >= 10
    assert all(part["props"].get("label") or part["props"].get("value") for part in inputs)
    assert config["dependencies"]
    assert all(event.get("api_visibility", "private") == "private" for event in config["dependencies"])


@pytest.mark.parametrize("name", ["timeline", "graph", "people"])
def test_a_tab_that_takes_a_while_says_that_it_loads(engine: Engine, name: str) -> None:
    with gr.Blocks(analytics_enabled=False) as blocks, gr.Tabs() as tabs:
        page = PageContext(
            tabs, gr.State("default"), gr.Textbox(label="Address", render=False), gr.Button("Go", render=False)
        )
        with gr.Tab(name) as tab:
            importlib.import_module(f"pmg.ui.{name}.{name}_tab").build(AppContext(engine, Steward(engine)), page, tab)
    assert f"Loading the {name} …" in str(blocks.get_config_file()["components"])


def test_a_memory_forgotten_in_another_tab_is_not_shown_again(engine: Engine) -> None:
    (first,) = tell(engine, "talk", "The cat sleeps.")
    with gr.Blocks(analytics_enabled=False), gr.Tabs() as tabs:
        page = PageContext(
            tabs, gr.State("default"), gr.Textbox(label="Address", render=False), gr.Button("Go", render=False)
        )
        with gr.Tab("t"):
            made: ReaderPane = pane(AppContext(engine, Steward(engine)), page, "t")
    assert made.again(first, "default")[0] == first
    assert made.again("seg_gone_0", "default")[:2] == ["", reader_view.NOTHING]
    assert len(made.again(first, "default")) == len(made.again("", "default")) == len(made.outputs)


def test_a_second_click_on_a_persons_button_is_no_second_change_while_the_list_follows_the_last(engine: Engine) -> None:
    with gr.Blocks(analytics_enabled=False) as blocks, gr.Tabs() as tabs:
        page = PageContext(
            tabs, gr.State("default"), gr.Textbox(label="Address", render=False), gr.Button("Go", render=False)
        )
        with gr.Tab("people") as tab:
            people_tab.build(AppContext(engine, Steward(engine)), page, tab)
    config = blocks.get_config_file()
    parts = {part["id"]: part["props"].get("elem_id") for part in config["components"]}
    modes = {
        parts.get(target): event["trigger_mode"]
        for event in config["dependencies"]
        for target, name in event["targets"]
        if name == "pick"
    }
    assert (modes["pmg-person"], modes["pmg-people-list"]) == ("once", "always_last")
