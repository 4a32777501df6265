"""The forecast: a straight line from the pace of the last months, and nothing where there is nothing to go by."""

from __future__ import annotations

from datetime import date, timedelta

from pmg.analytics.forecast import HORIZON_DAYS, forecast

TODAY = date(2026, 6, 1)


def test_an_even_pace_is_carried_on() -> None:
    said = {TODAY - timedelta(days=i): 2 for i in range(200)}
    found = forecast(said, 400, 4_000_000, 1_200_000, TODAY)
    assert found is not None
    assert found.per_day == 2
    assert found.segments == 400 + 2 * HORIZON_DAYS
    assert found.bytes == 4_000_000 + 2 * HORIZON_DAYS * 3_000


def test_a_memory_at_rest_does_not_grow() -> None:
    found = forecast({TODAY - timedelta(days=300): 50}, 50, 1_000, 900, TODAY)
    assert found is not None
    assert (found.per_day, found.segments, found.bytes) == (0, 50, 1_000)


def test_an_empty_memory_has_no_forecast() -> None:
    assert forecast({}, 0, 0, 0, TODAY) is None


def test_the_first_days_of_a_memory_tell_nothing_of_a_year() -> None:
    yesterday = {TODAY - timedelta(days=1): 12, TODAY: 1}
    assert forecast(yesterday, 13, 5_500_000, 50_000, TODAY) is None


def test_the_pace_is_that_of_the_days_there_are() -> None:
    said = {TODAY - timedelta(days=i): 3 for i in range(31)}
    found = forecast(said, 93, 1_000_000, 200_000, TODAY)
    assert found is not None and (found.days, found.per_day) == (30, 3)


def test_the_room_of_an_empty_file_is_not_taken_again_for_each_new_memory() -> None:
    said = {TODAY - timedelta(days=i): 2 for i in range(31)}
    found = forecast(said, 62, 6_700_000, 200_000, TODAY)
    assert found is not None and 6_700_000 < found.bytes < 10_000_000
