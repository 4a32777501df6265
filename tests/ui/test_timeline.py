"""The timeline: counted while far, point by point while near, inside one wall, hostile text as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from pmg.engine import Engine
from pmg.figures.timeline import RANGE
from pmg.ingest.turns import SessionInput
from pmg.ui import spans, timeline_view
from pmg.ui.desk import Desk
from pmg.ui.spans import Span
from pmg.ui.timeline import asked_for, shown
from pmg.ui.timeline_view import Asked, choices, unit_for, view
from steward.steward import Steward
from tests.steward.memories import said, tell
from tests.ui.hostile import HOSTILE, IMAGE, alive
from tests.ui.memories import opened, talks

START = datetime(2024, 1, 5, 10, tzinfo=UTC)
CATS = ("The cat sleeps.", "The cat purrs at the vet.")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One for all: the tests that use it only look, or set back what they set."""
    with opened(tmp_path_factory.mktemp("timeline") / "memory") as made:
        months = range(14)
        talks(
            made.engine,
            {f"s{month}": (*CATS, f"Bread number {month}.") for month in months},
            {f"s{month}": START + timedelta(days=31 * month) for month in months},
        )
        tell(made.engine, "secret", "Behind the wall.", at=START, namespace="private")
        yield made


def counted(found: timeline_view.View) -> int:
    return sum(sum(trace.y) for trace in found.figure.data)


def test_from_far_the_store_counts_by_month(desk: Desk) -> None:
    found = view(desk, Asked("default"))
    assert (found.unit, found.segments, counted(found)) == ("month", 42, 42)
    assert len({x for trace in found.figure.data for x in trace.x}) == 14


def test_a_bar_leads_to_the_days_of_its_month_and_a_day_to_its_memories(desk: Desk) -> None:
    far = view(desk, Asked("default", colour="source"))
    month = spans.from_bar(far.figure.data[0].customdata[0])
    assert month == spans.around(datetime(2024, 1, 5), "month")
    nearer = view(desk, Asked("default", month, colour="source"))
    assert nearer.unit == "day"
    day = spans.from_bar(nearer.figure.data[0].customdata[0])
    assert day == spans.around(datetime(2024, 1, 5), "day")
    near = view(desk, Asked("default", day, colour="source"))
    assert near.unit == ""
    points = [trace for trace in near.figure.data if trace.customdata is not None]
    assert [name for trace in points for name in trace.customdata] == ["seg_s0_0", "seg_s0_1", "seg_s0_2"]


def test_no_view_shows_another_namespace(desk: Desk) -> None:
    for colour in ("topic", "source", "person", "quality", "state"):
        for span in (None, spans.around(datetime(2024, 1, 5), "day")):
            assert "secret" not in view(desk, Asked("default", span, colour=colour)).figure.to_json()
    assert view(desk, Asked("private")).segments == 1


def test_filters_leave_only_what_fits(desk: Desk) -> None:
    assert view(desk, Asked("default", text="BREAD number 3")).segments == 1
    assert view(desk, Asked("default", person="Ana")).segments == 42
    assert view(desk, Asked("default", person="Nobody")).segments == 0
    assert view(desk, Asked("default", state="archived")).segments == 0
    desk.steward.tag("seg_s2_2", ["pets"])
    assert view(desk, Asked("default", tag="pets")).segments == 1
    desk.steward.archive(["seg_s2_2"])
    assert view(desk, Asked("default", state="archived")).segments == 1
    desk.steward.restore(["seg_s2_2"])
    desk.steward.tag("seg_s2_2", [])
    assert view(desk, Asked("default", Span(datetime(2024, 2, 1), datetime(2024, 3, 1)))).segments == 3


def test_an_empty_view_says_why(desk: Desk) -> None:
    (said,) = view(desk, Asked("default", text="unicorn")).figure.layout.annotations
    assert "Take a filter away" in said.text
    (said,) = view(desk, Asked("nowhere")).figure.layout.annotations
    assert "Nothing is remembered" in said.text


def test_a_sort_keeps_its_colour_from_far_to_near(desk: Desk) -> None:
    far = view(desk, Asked("default", colour="person")).figure.data[0]
    near = view(desk, Asked("default", spans.around(datetime(2024, 1, 5), "day"), colour="person"))
    (dots,) = [trace for trace in near.figure.data if trace.customdata is not None]
    assert far.marker.color == dots.marker.color


def test_many_sorts_share_one_colour_and_nothing_is_lost(engine: Engine) -> None:
    engine.ingest(SessionInput([said(f"cat {i}", START)], id=f"x{i}", source=f"source {i:02}") for i in range(12))
    span = spans.around(datetime(2024, 1, 1), "month")
    found = view(Desk(engine, Steward(engine)), Asked("default", span, colour="source"))
    assert counted(found) == 12
    assert len(found.figure.data) == timeline_view.COLOURED + 1


def test_hostile_text_is_only_text_in_figure_and_list(engine: Engine) -> None:
    with engine.session(IMAGE, session_id="s", source=IMAGE, started_at=START) as talk:
        talk.add(user=HOSTILE, at=START)
    desk = Desk(engine, Steward(engine))
    for colour in ("source", "person"):
        near = view(desk, Asked("default", spans.around(START, "day"), colour=colour))
        far = view(desk, Asked("default", spans.around(START, "month"), colour=colour))
        for found in (near, far):
            assert not alive(json.dumps(json.loads(found.figure.to_json()), ensure_ascii=False))
            assert not alive(found.html)


def test_a_crowded_day_is_counted_by_the_hour() -> None:
    day = spans.around(datetime(2024, 1, 5), "day")
    assert unit_for(day, timeline_view.MOST_DOTS + 1) == "hour"
    assert unit_for(day, timeline_view.MOST_DOTS) == ""
    assert unit_for(Span(datetime(1990, 1, 1), datetime(2024, 1, 1)), 10) == "year"


def test_the_clock_is_that_of_who_said_it(engine: Engine) -> None:
    at = datetime.fromisoformat("2024-06-01T00:30:00+02:00")  # still May in UTC
    tell(engine, "late", "The cat is awake.", at=at)
    found = view(Desk(engine, Steward(engine)), Asked("default", spans.around(datetime(2024, 6, 1), "day")))
    assert found.segments == 1


def test_what_the_page_keeps_of_a_range_comes_back_the_same() -> None:
    span = spans.around(datetime(2024, 6, 1), "day")
    kept = (span.since.isoformat(), span.until.isoformat())
    assert asked_for("default", kept).span == span
    assert asked_for("default", None, "", None, None, None).sieve.person == ""


def test_a_view_is_the_figure_the_list_and_the_range(desk: Desk) -> None:
    figure, html, kept = shown(view(desk, Asked("default", spans.around(datetime(2024, 1, 5), "month"))))
    assert figure.data[0].customdata[0].startswith(RANGE)
    assert 'data-pick="seg_s0_0"' in html
    assert kept == ("2024-01-01T00:00:00", "2024-02-01T00:00:00")


def test_people_and_tags_to_filter_by_are_those_of_the_namespace(desk: Desk) -> None:
    desk.steward.tag("seg_secret_0", ["hidden"])
    people, tags = choices(desk.engine, "default")
    assert people == [("anybody", ""), ("Ana", "Ana")]
    assert tags == [("any", "")]
