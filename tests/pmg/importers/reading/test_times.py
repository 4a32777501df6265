"""Times as exports write them become instants with a zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.importers.reading.local_times import looks_like_time, parse_local
from pmg.importers.reading.times import noticing, parse_time
from tests.pmg.importers.places import unhurried

NOON = datetime(2026, 4, 18, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        NOON.timestamp(),
        int(NOON.timestamp()),
        NOON.timestamp() * 1000,
        NOON.timestamp() * 1_000_000,
        str(int(NOON.timestamp())),
        "2026-04-18T12:00:00Z",
        "2026-04-18T12:00:00.000000000Z",
        "2026-04-18T14:00:00+02:00",
        "2026-04-18 12:00:00",
        "2026-04-18, 12:00:00",
        "2026-04-18 12:00:00 UTC",
        {"$date": {"$numberLong": str(int(NOON.timestamp() * 1000))}},
        {"$date": "2026-04-18T12:00:00Z"},
        "12:00 pm on 18 April, 2026",
        "2026/04/18 (Sat) 12:00",
        "4/18/2026 12:00:00 +00:00",
    ],
)
def test_every_way_to_write_noon_is_noon(written: object) -> None:
    assert parse_time(written) == NOON


@pytest.mark.parametrize(
    "written", [None, "", "soon", True, -5, float("nan"), float("inf"), 1e300, [], {}, "99999999999999"]
)
def test_what_names_no_time_gives_none_or_a_time_but_never_raises(written: object) -> None:
    found = parse_time(written)
    assert found is None or found.tzinfo is not None


@unhurried
@given(st.text() | st.floats() | st.integers())
def test_anything_gives_a_time_with_a_zone_or_none(value: object) -> None:
    found = parse_time(value)
    assert found is None or found.utcoffset() is not None


def test_the_zone_that_was_written_is_kept() -> None:
    found = parse_time("2026-04-18T14:00:00+02:00")
    assert found is not None
    assert found.utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        ("18.04.2026, 12:00:00 MESZ", 2),
        ("Apr 18, 2026, 12:00:00 PM GMT+01:00", 1),
        ("Apr 18, 2026, 12:00:00\u202fPM CEST", 2),
        ("18 Apr 2026, 12:00:00 UTC", 0),
        ("2026年4月18日 12:00:00 JST", 9),
        ("2026/04/18 12:00:00 JST", 9),
        ("4/18/2026, 12:00 PM PST", -8),
        ("18 de abr de 2026, 12:00:00 UTC", 0),
    ],
)
def test_localised_times_of_a_page_are_read_with_their_zone(written: str, hours: int) -> None:
    assert looks_like_time(written)
    assert parse_local(written) == NOON.replace(tzinfo=timezone(timedelta(hours=hours)))


@pytest.mark.parametrize(
    ("written", "hours"),
    [("2024-05-01 10:00:00 PST", 18), ("2024-05-01 10:00:00 Europe/Berlin", 8), ("2024-05-01T10:00:00 [JST]", 1)],
)
def test_a_zone_by_its_name_counts(written: str, hours: int) -> None:
    assert parse_time(written) == datetime(2024, 5, 1, hours, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "[Timestamp: 2024-05-01 10:00:00]",
        "epoch:1714557600",
        "aider chat started at 2024-05-01 10:00:00",
        "1714557600000",
    ],
)
def test_a_time_with_a_label_is_found(written: str) -> None:
    assert parse_time(written) == datetime(2024, 5, 1, 10, tzinfo=UTC)


def test_an_unknown_zone_is_noticed_and_not_taken_for_utc() -> None:
    with noticing() as names:
        found = parse_time("2024-05-01 10:00:00 XQZT")
    assert names == {"XQZT": 1}
    assert found == datetime(2024, 5, 1, 10).astimezone()


def test_a_line_of_prose_is_no_time() -> None:
    with noticing() as names:
        assert parse_time("we met at the station in ROME") is None
    assert names == {}
