"""Questions in SQL on the page: answered as a table and a chart, kept by name, and never able to change anything."""

from __future__ import annotations

from collections.abc import Iterator

import plotly.graph_objects as go
import pytest

from pmg.analytics.date_range import DateRange
from pmg.base.errors import InputError, PmgError
from pmg.engine import Engine
from pmg.figures import gallery
from pmg.figures.shapes import pick
from pmg.ui.analytics import analytics_tab, drill_down, sql_box
from steward.steward import Steward
from tests.steward.memories import NOON, tell
from tests.steward.test_topics import memory
from tests.ui.hostile import HOSTILE, alive


@pytest.fixture
def filled(engine: Engine) -> Engine:
    memory(engine, 3)
    return engine


@pytest.mark.parametrize("name", sql_box.EXAMPLES)
def test_every_example_has_an_answer(filled: Engine, name: str) -> None:
    Steward(filled, lambda: NOON).run(["links"])
    found = sql_box.answered(filled, sql_box.EXAMPLES[name])
    assert found.html.count("<th>") == found.table.num_columns
    sql_box.chart(found.table)


def test_numbers_over_months_are_drawn_and_a_single_number_is_not(filled: Engine) -> None:
    figure = sql_box.chart(
        sql_box.answered(filled, "FROM (VALUES (DATE '2026-01-01', 3), (DATE '2026-02-01', 5)) t(m, n)").table
    )
    assert figure is not None
    assert list(figure.data[0].y) == [3, 5]
    assert sql_box.chart(sql_box.answered(filled, "SELECT count(*) FROM v_segments").table) is None


@pytest.mark.parametrize("statement", ["DELETE FROM segments", "DROP VIEW v_topics", "SELEC 1", ""])
def test_what_is_no_question_is_refused_in_words(filled: Engine, statement: str) -> None:
    with pytest.raises(PmgError):
        sql_box.answered(filled, statement)
    assert filled.sql("SELECT count(*) FROM v_segments").rows[0][0] == 18


def test_stored_text_in_an_answer_is_only_ever_text(engine: Engine) -> None:
    tell(engine, "s", f"{HOSTILE} is a word here")
    found = sql_box.answered(engine, "SELECT text, 1 AS n FROM v_segments UNION ALL SELECT 'x', 2")
    assert alive(found.html.partition("</p>")[2]) == []  # before it stands our own link to the file
    figure = sql_box.chart(found.table)
    assert figure is None or "<script" not in figure.to_json()


def test_a_question_is_kept_by_name_and_removed(filled: Engine) -> None:
    sql_box.save(filled, " My  question ", "SELECT 1 AS one")
    assert sql_box.choices(filled)[0] == ("★ My question", "SELECT 1 AS one")
    assert sql_box.remove(filled, "My question") == {}
    with pytest.raises(InputError):
        sql_box.save(filled, "", "SELECT 1")


def test_a_click_lists_the_memories_behind_a_point(filled: Engine) -> None:
    Steward(filled, lambda: NOON).run(["links"])
    topic = next(one for one in filled.reads.maintenance.topics() if "bread" in " ".join(one.terms).lower())
    html = drill_down.drill_down_html(
        filled, "default", pick("topic", str(topic.id), NOON.date().replace(day=1), "month"), DateRange()
    )
    assert html.count("<details") == len(topic.members)
    assert "6 memories" in html
    assert "sourdough" in html
    assert "18 memories" in drill_down.drill_down_html(filled, "default", pick("unused"), DateRange())
    assert "6 memories" in drill_down.drill_down_html(
        filled, "default", pick("speaker", "Ana", NOON.date(), "day"), DateRange()
    )
    assert "No memory" in drill_down.drill_down_html(filled, "other", pick("unused"), DateRange())
    with pytest.raises(InputError):
        drill_down.drill_down_html(filled, "default", "0.35", DateRange())


def points(figure: go.Figure) -> Iterator[tuple[str, int]]:
    """(what a click on it asks for, how many memories it says) of every point that can be clicked."""
    for trace in figure.data:
        if trace.customdata is None:
            continue
        if trace.type == "heatmap":
            yield from (
                (one, n)
                for row, z in zip(trace.customdata, trace.z, strict=True)
                for one, n in zip(row, z, strict=True)
                if one
            )
            continue
        counts = trace.x if trace.orientation == "h" else trace.y
        for one, y in zip(trace.customdata, counts, strict=True):
            asked, count = (str(one), y) if isinstance(one, str) else (str(one[0]), y)
            if asked:
                yield asked, int(one[1]) if trace.type == "scatter" and trace.fill else count


@pytest.mark.parametrize("key", analytics_tab.CLICKED)
def test_behind_a_point_lie_as_many_memories_as_it_says(filled: Engine, key: str) -> None:
    Steward(filled, lambda: NOON).run(["links"])
    for query in ("bread", "bread", "sourdough"):
        filled.recall(query)
    found = list(points(gallery.draw(filled, key)))
    assert found
    for asked, count in found:
        listed = len(drill_down.rows(filled, "default", drill_down.point_of(asked), DateRange()))
        if key in ("volume", "people", "people_months"):  # these count words and lines
            assert listed
        elif key == "embedding_map":
            assert listed == 1
        else:
            assert listed == count
