"""The Analytics tab as plain functions: its namespace, its ranges, its data and SQL under each chart, and only what is open."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import gradio as gr
import plotly.graph_objects as go
import pytest

from pmg import config as configuration
from pmg.analytics.date_range import ALL, CHOSEN
from pmg.base.errors import InputError, ModelUnavailable
from pmg.engine import Engine
from pmg.figures import gallery
from pmg.ui.analytics import analytics_tab
from pmg.ui.analytics.analytics_tab import AnalyticsSelection
from pmg.ui.app_context import AppContext, PageContext
from steward.steward import Steward
from tests.analytics.memory import CANARY, two_namespaces
from tests.embedding import WordEmbedder


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    config = configuration.load(tmp_path_factory.mktemp("tab") / "memory", {})
    with Engine.open(config, embedder=WordEmbedder()) as engine:
        yield two_namespaces(engine)


def unpacked(foot: str) -> str:
    found = re.search(r'href="data:text/csv;base64,([^"]+)"', foot)
    assert found is not None
    return base64.b64decode(found[1]).decode()


@pytest.mark.parametrize("key", gallery.CHARTS)
def test_every_chart_carries_its_data_and_its_sql(memory: Engine, key: str) -> None:
    chart = gallery.chart(key)
    figure, foot = analytics_tab.shown(memory, chart, AnalyticsSelection("default"))
    rows = unpacked(foot).splitlines()
    assert rows[0].split(",") == chart.data(memory, "default").table.column_names
    assert f'download="pmg-{key}.csv"' in foot and "<summary>SQL</summary>" in foot
    assert CANARY not in unpacked(foot) + foot + figure.to_json()


def test_the_sql_under_a_chart_gives_the_chart(memory: Engine) -> None:
    for chart in gallery.CHARTS.values():
        data = chart.data(memory, "default")
        if chart.made is None:
            assert memory.sql(data.sql).table.equals(data.table)


def test_the_numbers_on_top_are_those_of_the_range(memory: Engine) -> None:
    whole = analytics_tab.tiles(memory, AnalyticsSelection("default"))
    assert "<b>24</b><span>memories" in whole and "<b>5 Jan 2026</b>" in whole
    part = analytics_tab.tiles(memory, AnalyticsSelection("default", CHOSEN, "2026-01-05", "2026-01-05"))
    assert "<b>4</b><span>memories" in part and "<b>1</b><span>session<" in part
    assert "<b>–</b><span>ever recalled" in analytics_tab.tiles(memory, AnalyticsSelection("nobody"))


def test_only_the_open_group_is_reckoned(memory: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    original = Engine.sql
    monkeypatch.setattr(Engine, "sql", lambda self, sql, *a, **k: asked.append(sql) or original(self, sql, *a, **k))  # type: ignore[func-returns-value]
    values = analytics_tab.group_values(memory, "Growth", AnalyticsSelection("default"))
    drawn = [isinstance(one, go.Figure) for one in values[::2]]
    assert drawn == [chart.group == "Growth" for group in gallery.GROUPS for chart in gallery.of_group(group)]
    assert asked and not any("recall_latency" in sql for sql in asked)


def test_a_day_that_is_no_day_is_told(memory: Engine) -> None:
    with pytest.raises(InputError, match="is not a day"):
        analytics_tab.group_values(memory, "Growth", AnalyticsSelection("default", CHOSEN, "yesterday"))


def test_the_sql_is_shown_as_text(memory: Engine) -> None:
    data = gallery.chart("growth").data(memory, "default")
    assert "&#x27;default&#x27;" in analytics_tab.foot("growth", data)


def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless() -> None:
    import pyarrow as pa

    from pmg.analytics.questions import Data

    told = unpacked(analytics_tab.foot("x", Data(pa.table({"a": ["=1+1", "-2", "fine"], "n": [-2, 0, 1]}), "")))
    assert told.splitlines() == ["a,n", "'=1+1,-2", "'-2,0", "fine,1"]


def test_calibration_measures_with_the_model_that_is_there(memory: Engine) -> None:
    figure, foot = analytics_tab.measured(memory, "default")
    assert len(figure.data) == 4 and "cosine" in unpacked(foot)


def test_calibration_without_a_model_says_so(tmp_path, open_engine) -> None:  # type: ignore[no-untyped-def]
    engine = open_engine(load=False)
    engine._memory.model = type("None", (), {"ready": lambda self: None})()
    with pytest.raises(ModelUnavailable, match="still loading"):
        analytics_tab.measured(engine, "default")


def test_the_tab_is_wired_and_every_input_has_a_label(memory: Engine) -> None:
    with gr.Blocks() as blocks:
        namespace = gr.State("default")
        with gr.Tabs() as tabs, gr.Tab("Analytics") as tab:
            analytics_tab.build(
                AppContext(memory, Steward(memory)),
                PageContext(tabs, namespace, gr.Textbox(label="Address", render=False), gr.Button("Go", render=False)),
                tab,
            )
    config = blocks.get_config_file()
    plots = [part for part in config["components"] if part["type"] == "plot"]
    assert len(plots) == len(gallery.CHARTS) + 2  # the calibration, and the answer to a question in SQL
    fields = [part for part in config["components"] if part["type"] in ("textbox", "dropdown")]
    assert fields and all(part["props"]["label"] for part in fields)
    assert all(one["api_visibility"] == "private" for one in config["dependencies"])
    drawing = [one["trigger_mode"] for one in config["dependencies"] if plots[0]["id"] in one["outputs"]]
    assert drawing == ["always_last"], "with two events an answer that comes late could be the last"


def test_all_is_the_first_range() -> None:
    assert AnalyticsSelection("default").range_name == ALL
