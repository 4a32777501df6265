"""The time that a message names, in two languages."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.answer.time_frame import is_within, period_of_summary, periods

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)  # a Sunday


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("what happened last week?", "was ist letzte Woche passiert?"),
        ("in March", "im März"),
        ("two weeks ago", "vor zwei Wochen"),
        ("yesterday", "gestern"),
        ("on 26 October", "am 26. Oktober"),
    ],
)
def test_german_times_are_those_of_english(english: str, german: str) -> None:
    found = [(period.start, period.end) for period in periods(english, NOW, [2026])]
    assert found and [(period.start, period.end) for period in periods(german, NOW, [2026])] == found


def test_what_is_to_come_is_known_in_german_too() -> None:
    assert periods("Wie hoch ist meine Miete ab Januar?", NOW, [2025, 2026]) == ()
    assert periods("Wie hoch war meine Miete im Januar?", NOW, [2026])


@pytest.mark.parametrize("text", ["summarise my year", "fasse mein Jahr zusammen"])
def test_a_year_without_a_number_is_the_one_that_ends_now(text: str) -> None:
    period = period_of_summary(text, NOW, [2025, 2026])
    assert period is not None and is_within(date(2025, 12, 1), period) and is_within(NOW.date(), period)
    assert not is_within(date(2025, 10, 1), period)


def test_a_summary_of_a_month_is_of_its_latest_past_one() -> None:
    period = period_of_summary("a summary of March", NOW, [2025, 2026])
    assert period is not None and period.start == date(2026, 3, 1)
    assert period_of_summary("summarise everything", NOW, [2026]) is None


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what did I do last month?", "2026-10-01", "2026-11-01"),
        ("what happened last week?", "2026-11-02", "2026-11-09"),
        ("summarise last year", "2025-01-01", "2026-01-01"),
        ("what happened this month?", "2026-11-01", "2026-11-16"),
        ("was ist letzten Monat passiert?", "2026-10-01", "2026-11-01"),
        ("fasse dieses Jahr zusammen", "2026-01-01", "2026-11-16"),
        ("a summary of the last three months", "2026-08-17", "2026-11-16"),
    ],
)
def test_a_list_of_last_month_keeps_to_the_calendar(text: str, start: str, end: str) -> None:
    found = period_of_summary(text, datetime(2026, 11, 15, 12, tzinfo=UTC), [2025, 2026])
    assert found is not None and (str(found.start), str(found.end)) == (start, end)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("what did I do today?", "2026-11-17", "2026-11-18"),
        ("what did I do this morning?", "2026-11-17", "2026-11-18"),
        ("what did we do last night?", "2026-11-16", "2026-11-17"),
        ("what happened the day before yesterday?", "2026-11-15", "2026-11-16"),
        ("what did we do at the weekend?", "2026-11-14", "2026-11-16"),
        ("what happened three years ago?", "2023-01-01", "2024-01-01"),
        ("was ist vor zwei Monaten passiert?", "2026-09-01", "2026-10-01"),
        ("what did we do last weekend?", "2026-11-14", "2026-11-16"),
        ("was habe ich heute Morgen gemacht?", "2026-11-17", "2026-11-18"),
        ("was habe ich letzte Nacht gemacht?", "2026-11-16", "2026-11-17"),
        ("was haben wir am Wochenende gemacht?", "2026-11-14", "2026-11-16"),
    ],
)
def test_a_list_of_a_day_or_of_so_long_ago_keeps_to_the_calendar(text: str, start: str, end: str) -> None:
    found = period_of_summary(text, datetime(2026, 11, 17, 12, tzinfo=UTC), [2026])  # a Tuesday
    assert found is not None and (str(found.start), str(found.end)) == (start, end)


def test_on_a_sunday_the_weekend_is_this_one_and_the_last_one_is_the_one_before() -> None:
    this, last = (period_of_summary(f"what did we do {words} weekend?", NOW, [2026]) for words in ("this", "last"))
    assert this is not None and last is not None and (this.start, last.start) == (date(2026, 11, 14), date(2026, 11, 7))
