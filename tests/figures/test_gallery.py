"""Every chart draws what it is given, says so when there is nothing, and never lets stored text act."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pyarrow as pa
import pytest

from pmg import config as configuration
from pmg.analytics import vectors
from pmg.analytics.questions import Data
from pmg.base.errors import NotFound
from pmg.embed.calibrate import measure
from pmg.embed.thresholds import BUNDLED
from pmg.engine import Engine
from pmg.figures import embed_html, gallery, links, shapes, style
from pmg.figures.gallery import CHARTS, GROUPS
from tests.analytics.memory import CANARY, two_namespaces
from tests.embedding import WordEmbedder

HOSTILE = "<b>bold</b><a href='javascript:alert(1)'>x</a></script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    config = configuration.load(tmp_path_factory.mktemp("figures") / "memory", {})
    with Engine.open(config, embedder=WordEmbedder()) as engine:
        yield two_namespaces(engine)


@pytest.mark.parametrize("key", CHARTS)
def test_every_chart_draws_its_namespace_and_no_other(memory: Engine, key: str) -> None:
    chart = CHARTS[key]
    data = chart.data(memory, "default")
    figure = chart.draw(data)
    assert CANARY not in figure.to_json()
    if data.table.num_rows:
        assert len(figure.data) > 0 or figure.layout.annotations[0].text.endswith(".")
    assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"


@pytest.mark.parametrize("key", CHARTS)
def test_an_empty_memory_is_told_as_a_sentence(memory: Engine, key: str) -> None:
    figure = CHARTS[key].draw(CHARTS[key].data(memory, "nobody"))
    assert len(figure.data) == 0
    assert figure.layout.annotations[0].text.endswith(".")


@pytest.mark.parametrize("key", CHARTS)
def test_every_chart_has_a_group_a_title_and_a_sentence(key: str) -> None:
    chart = CHARTS[key]
    assert chart.group in GROUPS and chart.title and chart.about.endswith(".")


def test_an_unknown_chart_is_answered_with_the_list(memory: Engine) -> None:
    with pytest.raises(NotFound, match="topic_months"):
        gallery.draw(memory, "river")


def hostile(table: pa.Table) -> pa.Table:
    """Every text column says something that a page or plotly might take for markup."""
    columns = {
        name: pa.array([HOSTILE] * table.num_rows) if pa.types.is_string(kind) else table.column(name)
        for name, kind in zip(table.column_names, table.schema.types, strict=True)
    }
    return pa.table(columns)


@pytest.mark.parametrize("key", CHARTS)
def test_stored_text_never_becomes_markup(memory: Engine, key: str) -> None:
    data = CHARTS[key].data(memory, "default")
    figure = CHARTS[key].draw(Data(hostile(data.table), data.sql, data.marks))
    told = figure.to_json().encode().decode("unicode_escape", "ignore")
    assert "<b>bold" not in told and "<a href" not in told and "<script" not in told


def test_a_figure_in_a_page_cannot_end_its_script() -> None:
    table = pa.table({"day": [date(2026, 1, 1)], "source": [HOSTILE], "total": [3]})
    drawn = embed_html.element(gallery.CHARTS["growth"].draw(Data(table, "")), "one")
    assert drawn.count("</script>") == 1 and drawn.count("<script>") == 1


def test_growth_carries_a_total_until_it_changes() -> None:
    days = [date(2026, 1, 1), date(2026, 1, 3), date(2026, 1, 2)]
    table = pa.table({"day": days, "source": ["chat", "chat", "claude"], "total": [2, 5, 1]})
    chat, claude = gallery.CHARTS["growth"].draw(Data(table, "")).data
    assert list(chat.y) == [2, 2, 5, 5] and list(claude.y) == [0, 1, 1, 1]


def test_days_become_weeks_and_months_when_they_are_many() -> None:
    few = {"a": {date(2026, 1, 5): 1.0, date(2026, 1, 6): 2.0}}
    assert shapes.coarser(few) == (few, "day")
    year = {"a": {date(2026, 1, 6): 1.0, date(2026, 1, 7): 2.0, date(2026, 12, 1): 4.0}}
    weeks, unit = shapes.coarser(year)
    assert unit == "week" and weeks["a"][date(2026, 1, 5)] == 3.0
    decade = {"a": {date(2016, 1, 6): 1.0, date(2016, 1, 31): 2.0, date(2026, 12, 1): 4.0}}
    months, unit = shapes.coarser(decade)
    assert unit == "month" and months["a"][date(2016, 1, 1)] == 3.0


def test_the_rest_is_added_up() -> None:
    found = {name: {date(2026, 1, 1): float(value)} for name, value in (("a", 5), ("b", 3), ("c", 2), ("d", 1))}
    assert shapes.largest(found, 2) == {"a": found["a"], "b": found["b"], shapes.OTHERS: {date(2026, 1, 1): 3.0}}


def test_thresholds_are_drawn_where_they_are(memory: Engine) -> None:
    data = vectors.similarity(memory, "default")
    figure = links.similarity(data)
    assert sorted(shape.x0 for shape in figure.layout.shapes) == sorted(data.marks.values())
    assert any("merge" in note.text for note in figure.layout.annotations)


def test_the_calibration_curve_falls_from_all_to_none() -> None:
    data = vectors.calibration(measure(WordEmbedder()), BUNDLED)
    for kind in ("paraphrase", "question", "unrelated"):
        curve = data.table.column(kind).to_pylist()
        assert curve == sorted(curve, reverse=True) and curve[0] == 1.0
    figure = links.calibration(data)
    assert len(figure.data) == 3  # no random pairs without a memory
    assert len(figure.layout.shapes) == 7


def test_a_dot_of_the_map_says_when_and_what(memory: Engine) -> None:
    figure = links.embedding_map(vectors.embedding_map(memory, "default"))
    said = [text for trace in figure.data for text in trace.hovertext]
    assert any("cat" in text and "Jan 2026" in text for text in said)


def test_a_long_text_is_wrapped_and_cut() -> None:
    rows = style.wrapped_text("word " * 200).split("<br>")
    assert max(map(len, rows)) <= 60 and rows[-1].endswith("…")


def test_the_map_survives_a_memory_of_two_texts() -> None:
    data = Data(pa.table({"segment": ["a", "b"], "said_at": pa.array([datetime(2026, 1, 1)] * 2), "topic": ["", ""], "topic_number": [0, 0],
                          "text": ["x", "y"], "x": [0.0, 1.0], "y": [0.0, 0.0]}), "")  # fmt: skip
    assert len(links.embedding_map(data).data) == 1


def test_a_sentence_in_an_empty_figure_fits_a_phone() -> None:
    text = shapes.nothing("No topics yet in this range: they come with an import, and the Steward page looks for them.")
    lines = text.layout.annotations[0].text.split("<br>")
    assert len(lines) > 1 and max(map(len, lines)) <= shapes.LINE


def test_few_things_are_counted_in_whole_numbers() -> None:
    few, many = ({"recalls": {date(2026, 1, 1): count, date(2026, 1, 2): 1}} for count in (2, 40))
    assert shapes.bars(few, {}, "recalls").layout.yaxis.dtick == 1
    assert shapes.bars(many, {}, "recalls").layout.yaxis.dtick is None


def test_the_first_bar_is_not_cut_by_the_edge() -> None:
    days = [date(2026, 1, 1), date(2026, 3, 1)]
    begin, end = shapes.axis_range(days, timedelta(days=1))
    assert (begin, end) == (datetime(2025, 12, 31, 12), datetime(2026, 3, 1, 12))


def test_an_axis_of_months_names_no_weeks() -> None:
    months = [date(2026, 10, 1), date(2026, 11, 1)]
    assert shapes.month_ticks(months) == {"tickformat": "%b %Y", "tickvals": months}
    assert shapes.month_ticks([date(2023, 1, 1), date(2026, 11, 1)]) == {"tickformat": "%b %Y"}


def test_what_takes_the_room_is_told_in_words() -> None:
    rows = {"kind": ["vectors", "links"], "part": ["1", "related_to"], "items": [3, 2], "bytes": [4_608, 72]}
    figure = CHARTS["bytes_by_kind"].draw(Data(pa.table(rows), ""))
    assert list(figure.data[0].y) == ["links: related to", "vectors"]
    assert figure.layout.xaxis.title.text == "KB" and list(figure.data[0].x) == [0.072, 4.608]


def test_two_months_of_topics_are_bars_that_can_be_clicked() -> None:
    months = [date(2026, 10, 1), date(2026, 11, 1)]
    rows = {"month": months, "topic": ["7", "7"], "name": ["rain · gauge"] * 2, "segments": [3, 4]}
    (bar,) = CHARTS["topic_months"].draw(Data(pa.table(rows), "")).data
    assert bar.type == "bar" and bar.name == "rain · gauge"
    assert bar.customdata[0] == shapes.pick("topic", "7", months[0], "month")


def test_one_person_under_two_names_is_one_bar_with_what_they_said_under_both() -> None:
    row = {
        "speaker": ["User", "Mara"],
        "person": ["You"] * 2,
        "role": ["user"] * 2,
        "lines": [1, 2],
        "words": [4, 5],
        "sessions": [1, 1],
    }
    (bar,) = CHARTS["people"].draw(Data(pa.table(row), "")).data
    assert list(bar.y) == ["You"] and list(bar.x) == [9] and bar.customdata[0] == shapes.pick("speaker", "You")
    months = {
        "month": [date(2026, 1, 1)] * 2,
        "speaker": ["User", "Mara"],
        "person": ["You"] * 2,
        "role": ["user"] * 2,
        "lines": [1, 2],
    }
    (bar,) = CHARTS["people_months"].draw(Data(pa.table(months), "")).data
    assert list(bar.y) == ["You"] and list(bar.x) == [3]
    assert bar.customdata[0] == shapes.pick("speaker", "You", date(2026, 1, 1), "month")
