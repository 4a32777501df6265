"""Moments come back exactly, at both ends of the calendar, and are shown with weekday and offset."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pmg.base import times
from pmg.base.errors import InputError

law = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
offsets = st.integers(-23 * 3600, 23 * 3600).map(lambda seconds: timezone(timedelta(seconds=seconds)))
moments = st.builds(lambda at, zone: at.replace(tzinfo=zone), st.datetimes(), st.one_of(st.just(UTC), offsets))


@law
@given(moments)
def test_any_moment_comes_back_with_its_offset(at: datetime) -> None:
    back = times.from_micros(times.to_micros(at), times.offset_seconds(at))
    assert back.replace(tzinfo=None) == at.replace(tzinfo=None)
    assert back.utcoffset() == at.utcoffset()


@law
@given(st.datetimes())
def test_any_time_without_a_zone_gets_one_and_stays_what_it_says(at: datetime) -> None:
    for read in (times.with_zone(at), times.on_this_clock(at)):
        assert read.replace(tzinfo=None) == at and read.utcoffset() is not None


def test_what_a_person_types_is_on_the_clock_of_this_machine_and_a_file_in_utc(
    set_clock: Callable[[str], None],
) -> None:
    set_clock("Europe/Berlin")
    typed = ("2026-11-15 09:30", "2026-07-15", "2026-11-15T09:30-05:00")
    assert [times.parse_typed(text).isoformat() for text in typed] == [
        "2026-11-15T09:30:00+01:00",
        "2026-07-15T00:00:00+02:00",
        "2026-11-15T09:30:00-05:00",
    ]
    assert times.parse("2026-11-15 09:30").isoformat() == "2026-11-15T09:30:00+00:00"


@law
@given(moments)
def test_a_moment_without_its_offset_is_still_the_same_moment(at: datetime) -> None:
    """Also one that no calendar of UTC has: the year 1 began earlier in the east."""
    assert times.from_micros(times.to_micros(at)) == at


@law
@given(moments)
def test_every_moment_can_be_shown(at: datetime) -> None:
    assert f"{at.year:04d}-" in times.shown(at)


def test_the_ends_of_the_calendar_come_back_in_any_offset() -> None:
    for at, hours in ((datetime.min, 14), (datetime.max, -12)):
        said = at.replace(tzinfo=timezone(timedelta(hours=hours)))
        assert times.from_micros(times.to_micros(said)) == said


def test_a_time_without_a_zone_is_read_as_utc() -> None:
    assert times.with_zone(datetime(2026, 3, 3, 19, 2)) == datetime(2026, 3, 3, 19, 2, tzinfo=UTC)
    assert times.parse("2026-03-03T19:02") == datetime(2026, 3, 3, 19, 2, tzinfo=UTC)


def test_a_moment_is_shown_with_weekday_and_offset() -> None:
    at = datetime(2026, 3, 3, 19, 2, tzinfo=timezone(timedelta(hours=1)))
    assert times.shown(at) == "Tue 2026-03-03 19:02 +01:00"


@pytest.mark.parametrize("text", ["yesterday", "", "2026-13-01", "10000-01-01"])
def test_what_is_not_a_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="write it like"):
        times.parse(text)


def test_now_has_a_zone() -> None:
    assert times.now().tzinfo is not None


def test_a_date_alone_ends_a_range_with_its_day() -> None:
    first, last = times.parse_range("2026-11-18", "2026-11-18")
    assert times.within(datetime(2026, 11, 18, 23, 59, tzinfo=UTC), first, last)
    assert not times.within(datetime(2026, 11, 19, tzinfo=UTC), first, last)
    assert not times.within(datetime(2026, 11, 17, 23, 59, tzinfo=UTC), first, last)
    assert times.parse_range("", "2026-11-18T09:30")[1] == datetime(2026, 11, 18, 9, 30), "a time is the first left out"
    assert times.parse_range("", "9999-12-31")[1] == datetime.max
    assert times.parse_range("", " ") == (None, None)


def test_without_a_zone_a_range_is_on_the_clock_of_whoever_spoke() -> None:
    at = datetime(2026, 11, 18, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert times.within(at, *times.parse_range("2026-11-18", "2026-11-18"))
    assert not times.within(at, *times.parse_range("2026-11-18T00:00:00+00:00", ""))


@pytest.mark.parametrize(
    ("since", "until"), [("2026-11-19", "2026-11-18"), ("2026-11-18T09:00+01:00", "2026-11-18T08:00Z")]
)
def test_a_range_that_ends_before_it_begins_is_refused(since: str, until: str) -> None:
    with pytest.raises(InputError, match="give the earlier time first"):
        times.parse_range(since, until)


def test_days_are_counted_back_as_far_as_the_calendar_goes() -> None:
    assert times.days_back(date(2026, 3, 1), 1) == date(2026, 2, 28)
    assert times.days_back(date(2026, 2, 28), -1) == date(2026, 3, 1)
    assert times.days_back(date(2026, 3, 1), 10**6) == date.min
    assert times.days_back(date(2026, 3, 1), -(10**9)) == date.max
