"""Charts of a memory that is a day old: what is there is told or drawn so that it can be read, and no empty frame stands for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import plotly.graph_objects as go
import pyarrow as pa
import pytest

from pmg.analytics.questions import Data
from pmg.engine import Engine
from pmg.figures import gallery, shapes, style
from pmg.figures.colours import speaker_colours
from pmg.figures.gallery import CHARTS
from pmg.figures.growth import ROLES

pytestmark = pytest.mark.slow

DAY = date(2026, 11, 15)
MONTH = date(2026, 11, 1)


def drawn(key: str, rows: dict[str, list[Any]], marks: dict[str, float] | None = None) -> go.Figure:
    return CHARTS[key].draw(Data(pa.table(rows), "", marks or {}))


def told(figure: go.Figure) -> str:
    return " ".join(note.text for note in figure.layout.annotations).replace("<br>", " ")


@pytest.mark.parametrize("key", ["growth", "volume", "edge_growth", "recalls", "usefulness", "people_months", "states"])
def test_a_single_day_is_bars_with_their_numbers_and_no_axis_of_time(
    open_engine: Callable[..., Engine], key: str
) -> None:
    engine = open_engine()
    with engine.session("one") as talk:
        talk.add(user="We bake bread every Sunday.", assistant="Let it rise.")
        talk.add(user="The oven is new.", assistant="Bake on.")
    engine.recall("bread")
    (bar,) = gallery.draw(engine, key).data
    assert bar.orientation == "h" and all(bar.text) and bar.textposition == "outside"


def test_what_is_counted_and_when_stands_under_the_whole_figure() -> None:
    figure = drawn("volume", {"day": [DAY, DAY], "role": ["assistant", "user"], "words": [553, 176]})
    assert (figure.layout.title.text, figure.layout.title.xref) == ("words on 15 November 2026", "container")


def test_one_recall_is_told_and_is_no_line() -> None:
    days = {"day": [DAY], "mode": ["diffuse"], "recalls": [1], "empty": [0], "p50_ms": [61.2], "p95_ms": [61.2]}
    figure = drawn("recall_pace", days)
    assert not figure.data and "One recall so far, on 15 November 2026: it took 61 milliseconds." in told(figure)
    figure = drawn("recall_latency", {"milliseconds": [53.8], "mode": ["diffuse"], "recalls": [1]})
    assert not figure.data and told(figure) == "One recall so far: it took 54–64 milliseconds."


def test_several_recalls_of_one_day_are_told_with_their_spread() -> None:
    days = {"day": [DAY], "mode": ["diffuse"], "recalls": [9], "empty": [0], "p50_ms": [20.0], "p95_ms": [80.0]}
    assert "half took at most 20 milliseconds, nineteen of twenty at most 80" in told(drawn("recall_pace", days))


def test_one_month_of_quality_is_not_compared_with_months_that_are_not_there() -> None:
    figure = drawn("quality_by_age", {"month": [MONTH], "quality": [0.5], "segments": [3], "hits": [0]})
    assert not figure.data and "Everything was said in November 2026" in told(figure)


def test_two_months_name_no_others() -> None:
    months = [date(2026, 10, 1), MONTH]
    figure = shapes.bars({"a": dict.fromkeys(months, 2.0)}, {}, "lines", "month")
    assert list(figure.layout.xaxis.tickvals) == months
    begin, end = figure.layout.xaxis.range
    assert abs((months[0] - begin.date()).days - (end.date() - months[1]).days) <= 1, "they stand in the middle"


def test_a_forecast_needs_the_days_that_the_sentence_needs() -> None:
    def growth(last: date) -> go.Figure:
        return drawn("growth", {"day": [DAY, last], "source": ["chat", "chat"], "total": [5, 9]})

    names = [[trace.name for trace in growth(DAY + timedelta(days=days)).data] for days in (13, 14)]
    assert names == [["chat"], ["chat", "at this pace"]]


def test_a_step_that_nothing_reached_says_0() -> None:
    stages = ["stored", "in recall", "recalled once", "recalled 3 times"]
    (bar,) = drawn("recall_funnel", {"stage": stages, "segments": [13, 13, 7, 0]}).data
    assert list(bar.text) == ["13 · 100%", "13 · 100%", "7 · 54%", "0 · 0%"] and bar.textposition == "outside"
    (bar,) = drawn("recall_roles", {"role": ["entry"], "shown": [4], "segments": [4]}).data
    assert dict(zip(bar.y, bar.text, strict=True)) == {
        "found by the search": "4",
        "over a link": "0",
        "beside one found": "0",
    }


def test_a_state_is_called_what_the_page_calls_it_and_clicked_by_its_own_name() -> None:
    (bar,) = drawn("states", {"month": [MONTH, MONTH], "state": ["active", "archived"], "segments": [12, 1]}).data
    assert list(bar.y) == ["in recall", "archived"]
    assert bar.customdata[0] == shapes.pick("state", "active", MONTH, "month")


def test_how_often_is_told_in_words() -> None:
    rows = {"hits": [0, 1, 2, 4], "up_to": [0, 1, 3, 7], "segments": [6, 7, 2, 1]}
    (bar,) = drawn("hit_counts", rows).data
    assert list(bar.y) == ["never", "once", "2–3 times", "4–7 times"] and list(bar.text) == ["6", "7", "2", "1"]
    assert bar.customdata[2] == shapes.pick("recalled", "2-3")


def test_memories_of_one_week_do_not_fade_yet() -> None:
    rows = {
        "quality": ["low", "high"],
        "idle_weeks": [0, 0],
        "segments": [3, 10],
        "score": [0.5, 0.9],
        "expected": [1, 1],
    }
    figure = drawn("half_lives", rows)
    assert not figure.data and told(figure).startswith("13 memories, all said or recalled within one week")


def test_a_few_weeks_are_counted_whole() -> None:
    rows = {
        "quality": ["low", "low"],
        "idle_weeks": [0, 3],
        "segments": [3, 1],
        "score": [0.9, 0.5],
        "expected": [1, 0.7],
    }
    assert drawn("half_lives", rows).layout.xaxis.dtick == 1


def test_pairs_that_are_not_there_are_named_as_missing() -> None:
    figure = drawn("similarity", {"pairs": ["random pairs"], "cosine": [0.1], "share": [1.0]})
    assert [trace.name for trace in figure.data] == ["random pairs", "linked pairs: none yet"]


@pytest.mark.parametrize("key", ["activity", "quality_by_age"])
def test_a_field_of_colours_says_what_they_stand_for(key: str) -> None:
    rows: dict[str, list[Any]] = {
        "activity": {"weekday": [1], "hour": [9], "segments": [2]},
        "quality_by_age": {
            "month": [date(2026, 10, 1), MONTH],
            "quality": [0.5, 0.6],
            "segments": [3, 1],
            "hits": [0, 0],
        },
    }[key]
    (field,) = drawn(key, rows).data
    assert field.showscale is not False and field.colorbar.title.text and field.zmin == 0


def test_a_memory_without_links_says_so_and_few_links_are_read_off() -> None:
    none = {"sort": ["chain", "semantic", "typed"], "degree": [0, 0, 0], "segments": [3, 3, 3]}
    assert told(drawn("degrees", none)) == "No memory is linked to another yet."
    some = {"sort": ["chain", "chain", "semantic"], "degree": [1, 2, 0], "segments": [2, 1, 3]}
    (chain,) = drawn("degrees", some).data
    assert (chain.name, list(chain.x), list(chain.y)) == (style.LINKS["chain"], ["1", "2"], [2, 1])
    many = {"sort": ["semantic"] * 4, "degree": [0, 3, 4, 170], "segments": [1, 2, 3, 4]}
    (likeness,) = drawn("degrees", many).data
    assert (list(likeness.x), list(likeness.y)) == (["0", "3–4", "129–256"], [1, 5, 4])


def speakers() -> dict[str, list[Any]]:
    return {
        "month": [MONTH, MONTH, MONTH, MONTH, date(2026, 10, 1)],
        "person": ["Assistant", "Mara", "Mara", "Jonah", "Assistant"],
        "role": ["assistant", "user", "person", "person", "assistant"],
        "lines": [9, 8, 1, 3, 2],
        "words": [900, 80, 10, 300, 20],
        "sessions": [2, 2, 1, 1, 1],
    }


def test_a_speaker_has_one_colour_in_every_chart() -> None:
    by_words, by_month = drawn("people", speakers()).data[0], drawn("people_months", speakers()).data
    mine = dict(zip(by_words.y, by_words.marker.color, strict=True))
    assert mine == {trace.name: trace.marker.color for trace in by_month}
    assert (mine["Mara"], mine["Assistant"]) == (ROLES["user"], ROLES["assistant"])
    assert len(set(mine.values())) == len(mine)


def test_the_colours_of_you_and_the_assistant_are_nobody_elses() -> None:
    rows = [{"person": f"person {i}", "role": "person", "lines": 50 - i} for i in range(20)]
    assert not {ROLES["user"], ROLES["assistant"]} & set(speaker_colours(rows).values())


def test_roles_stand_in_one_order_whoever_said_more() -> None:
    rows = {"day": [DAY, DAY, DAY + timedelta(days=1)], "role": ["assistant", "user", "user"], "words": [500, 20, 30]}
    assert [trace.name for trace in drawn("volume", rows).data] == ["you, to an assistant", "an assistant"]
