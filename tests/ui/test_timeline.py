"""The timeline: counted while far, point by point while near, inside one wall, hostile text as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from pmg.engine import Engine
from pmg.figures.timeline import RANGE
from pmg.ingest.turns import SessionInput
from pmg.ui.app_context import AppContext
from pmg.ui.timeline import ranges, timeline_view
from pmg.ui.timeline.ranges import TimeRange
from pmg.ui.timeline.timeline_tab import asked_for, shown
from pmg.ui.timeline.timeline_view import TimelineSelection, choices, unit_for, view
from steward.steward import Steward
from tests.steward.memories import said, tell
from tests.ui.hostile import HOSTILE, IMAGE, alive
from tests.ui.memories import opened, talks

START = datetime(2024, 1, 5, 10, tzinfo=UTC)
CATS = ("The cat sleeps.", "The cat purrs at the vet.")


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppContext]:
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


def counted(found: timeline_view.TimelineView) -> int:
    return sum(sum(trace.y) for trace in found.figure.data)


def test_from_far_the_store_counts_by_month(context: AppContext) -> None:
    found = view(context, TimelineSelection("default"))
    assert (found.unit, found.segments, counted(found)) == ("month", 42, 42)
    assert len({x for trace in found.figure.data for x in trace.x}) == 14


def test_a_bar_leads_to_the_days_of_its_month_and_a_day_to_its_memories(context: AppContext) -> None:
    far = view(context, TimelineSelection("default", colour="source"))
    month = ranges.from_bar(far.figure.data[0].customdata[0])
    assert month == ranges.around(datetime(2024, 1, 5), "month")
    nearer = view(context, TimelineSelection("default", month, colour="source"))
    assert nearer.unit == "day"
    day = ranges.from_bar(nearer.figure.data[0].customdata[0])
    assert day == ranges.around(datetime(2024, 1, 5), "day")
    near = view(context, TimelineSelection("default", day, colour="source"))
    assert near.unit == ""
    points = [trace for trace in near.figure.data if trace.customdata is not None]
    assert [name for trace in points for name in trace.customdata] == ["seg_s0_0", "seg_s0_1", "seg_s0_2"]


def test_no_view_shows_another_namespace(context: AppContext) -> None:
    for colour in ("topic", "source", "person", "quality", "state"):
        for span in (None, ranges.around(datetime(2024, 1, 5), "day")):
            assert "secret" not in view(context, TimelineSelection("default", span, colour=colour)).figure.to_json()
    assert view(context, TimelineSelection("private")).segments == 1


def test_filters_leave_only_what_fits(context: AppContext) -> None:
    assert view(context, TimelineSelection("default", text="BREAD number 3")).segments == 1
    assert view(context, TimelineSelection("default", person="Ana")).segments == 42
    assert view(context, TimelineSelection("default", person="Nobody")).segments == 0
    assert view(context, TimelineSelection("default", state="archived")).segments == 0
    context.steward.tag("seg_s2_2", ["pets"])
    assert view(context, TimelineSelection("default", tag="pets")).segments == 1
    context.steward.archive(["seg_s2_2"])
    assert view(context, TimelineSelection("default", state="archived")).segments == 1
    context.steward.restore(["seg_s2_2"])
    context.steward.tag("seg_s2_2", [])
    assert (
        view(context, TimelineSelection("default", TimeRange(datetime(2024, 2, 1), datetime(2024, 3, 1)))).segments == 3
    )


def test_an_empty_view_says_why(context: AppContext) -> None:
    (said,) = view(context, TimelineSelection("default", text="unicorn")).figure.layout.annotations
    assert "Take a filter away" in said.text
    (said,) = view(context, TimelineSelection("nowhere")).figure.layout.annotations
    assert "Nothing is remembered" in said.text


def test_a_sort_keeps_its_colour_from_far_to_near(context: AppContext) -> None:
    far = view(context, TimelineSelection("default", colour="person")).figure.data[0]
    near = view(context, TimelineSelection("default", ranges.around(datetime(2024, 1, 5), "day"), colour="person"))
    (dots,) = [trace for trace in near.figure.data if trace.customdata is not None]
    assert far.marker.color == dots.marker.color


def test_many_sorts_share_one_colour_and_nothing_is_lost(engine: Engine) -> None:
    engine.ingest(SessionInput([said(f"cat {i}", START)], id=f"x{i}", source=f"source {i:02}") for i in range(12))
    span = ranges.around(datetime(2024, 1, 1), "month")
    found = view(AppContext(engine, Steward(engine)), TimelineSelection("default", span, colour="source"))
    assert counted(found) == 12
    assert len(found.figure.data) == timeline_view.COLOURED + 1


def test_hostile_text_is_only_text_in_figure_and_list(engine: Engine) -> None:
    with engine.session(IMAGE, session_id="s", source=IMAGE, started_at=START) as talk:
        talk.add(user=HOSTILE, at=START)
    context = AppContext(engine, Steward(engine))
    for colour in ("source", "person"):
        near = view(context, TimelineSelection("default", ranges.around(START, "day"), colour=colour))
        far = view(context, TimelineSelection("default", ranges.around(START, "month"), colour=colour))
        for found in (near, far):
            assert not alive(json.dumps(json.loads(found.figure.to_json()), ensure_ascii=False))
            assert not alive(found.html)


def test_a_crowded_day_is_counted_by_the_hour() -> None:
    day = ranges.around(datetime(2024, 1, 5), "day")
    assert unit_for(day, timeline_view.MOST_DOTS + 1) == "hour"
    assert unit_for(day, timeline_view.MOST_DOTS) == ""
    assert unit_for(TimeRange(datetime(1990, 1, 1), datetime(2024, 1, 1)), 10) == "year"


def test_the_clock_is_that_of_who_said_it(engine: Engine) -> None:
    at = datetime.fromisoformat("2024-06-01T00:30:00+02:00")  # still May in UTC
    tell(engine, "late", "The cat is awake.", at=at)
    found = view(
        AppContext(engine, Steward(engine)), TimelineSelection("default", ranges.around(datetime(2024, 6, 1), "day"))
    )
    assert found.segments == 1


def test_what_the_page_keeps_of_a_range_comes_back_the_same() -> None:
    span = ranges.around(datetime(2024, 6, 1), "day")
    kept = (span.since.isoformat(), span.until.isoformat())
    assert asked_for("default", kept).span == span
    assert asked_for("default", None, "", None, None, None).browse_filter.person == ""


def test_a_view_is_the_figure_the_list_and_the_range(context: AppContext) -> None:
    figure, html, kept = shown(
        view(context, TimelineSelection("default", ranges.around(datetime(2024, 1, 5), "month")))
    )
    assert figure.data[0].customdata[0].startswith(RANGE)
    assert 'data-pick="seg_s0_0"' in html
    assert kept == ("2024-01-01T00:00:00", "2024-02-01T00:00:00")


def test_people_and_tags_to_filter_by_are_those_of_the_namespace(context: AppContext) -> None:
    context.steward.tag("seg_secret_0", ["hidden"])
    people, tags = choices(context.engine, "default")
    assert people == [("anybody", ""), ("Ana", "Ana")]
    assert tags == [("any", "")]
