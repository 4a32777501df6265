"""Ranges of time: a unit of the calendar knows its name; whatever is typed."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.base.errors import InputError
from pmg.ui.timeline import ranges
from pmg.ui.timeline.ranges import TimeRange

MOMENTS = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9990, 1, 1))


@given(MOMENTS, st.sampled_from(ranges.UNITS))
def test_a_unit_holds_its_moment_and_knows_its_name(at: datetime, unit: str) -> None:
    span = ranges.around(at, unit)
    assert span.since <= at < span.until
    assert span.unit == unit


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2025", "", (datetime(2025, 1, 1), ranges.LAST)),
        ("2025-03", "2025-03", (datetime(2025, 3, 1), datetime(2025, 4, 1))),
        ("2025-03-14", "2025-03-14 15:30", (datetime(2025, 3, 14), datetime(2025, 3, 14, 15, 31))),
        ("", "2024", (ranges.FIRST, datetime(2025, 1, 1))),
    ],
)
def test_what_is_typed_is_taken_whole(since: str, until: str, expected: tuple[datetime, datetime]) -> None:
    assert ranges.typed(since, until) == TimeRange(*expected)


@pytest.mark.parametrize("text", ["soon", "2025-13", "2025-02-30", "14.3.2025", "2025-3-4-5"])
def test_what_is_no_date_is_answered_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="2025"):
        ranges.typed(text, "")


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(InputError, match="earlier date first"):
        ranges.typed("2025", "2024")


def test_a_range_over_midnight_names_both_days() -> None:
    night = TimeRange(datetime(2026, 11, 15, 19, 12), datetime(2026, 11, 16, 7, 50))
    assert ranges.in_words(night) == "Sun 15 Nov 2026, 19:12 – Mon 16 Nov 2026, 07:50"
