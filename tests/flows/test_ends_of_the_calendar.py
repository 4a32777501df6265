"""A time that has no date in some zones is refused at every door; those that lie far apart are taken, and nothing fails on them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from itertools import combinations
from pathlib import Path

import pytest

from pmg.analytics import run_sql
from pmg.base import times
from pmg.base.errors import InputError
from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.exporters.export import FORMATS, export
from pmg.importers.import_run import import_paths
from pmg.importers.reading.times import parse_time
from pmg.ingest.transcript import plain_turns
from pmg.ingest.turns import SessionInput
from pmg.report import write_report

BEYOND = ("9999-12-31T23:59:59-05:00", "9999-12-31T00:00:00+00:00", "0001-01-01T00:00:00+14:00", "0001-01-01T23:59:59Z")
INSIDE = ("9999-12-30T23:59:59.999999+00:00", "0001-01-02T00:00:00+00:00", "9999-12-31T10:00:00+14:00")
FAR = (datetime(1, 1, 2, tzinfo=UTC), datetime(2020, 5, 5, 12, tzinfo=UTC), datetime(9999, 12, 30, 10, tzinfo=UTC))


def said(text: str, at: datetime) -> Turn:
    return Turn((Line("Ana", Role.PERSON, text),), at)


@pytest.mark.parametrize("text", BEYOND)
def test_every_door_refuses_it(engine: Engine, text: str) -> None:
    at, refused = datetime.fromisoformat(text), "give a time from 0001-01-02 to 9999-12-30"
    for read in (times.parse, times.parse_typed):
        with pytest.raises(InputError, match=refused):
            read(text)
    with pytest.raises(InputError, match=refused):
        engine.session(started_at=at)
    with pytest.raises(InputError, match=refused):
        engine.ingest([SessionInput([said("the cat", at)])])
    with engine.session() as session, pytest.raises(InputError, match=refused):
        session.add(user="the cat", at=at)
    assert not any(engine.counts().segments.values())


def test_a_line_of_a_file_too() -> None:
    with pytest.raises(InputError, match="give a time from"):
        plain_turns("[9999-12-31 23:59] Ana: the cat")


@pytest.mark.parametrize("text", INSIDE)
def test_what_has_a_date_everywhere_is_taken(text: str) -> None:
    at = times.parse(text)
    for hours in (-23, 0, 23):
        assert at.astimezone(timezone(timedelta(hours=hours))) == at
    assert parse_time(text) == at


@pytest.mark.parametrize("text", [*BEYOND, "31.12.9999, 23:59"])
def test_an_import_reads_no_time_there(text: str) -> None:
    assert parse_time(text) is None


def test_an_import_says_that_there_is_no_usable_time(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([{"role": "user", "content": "the cat is ill", "timestamp": BEYOND[0]}]))
    report = import_paths(engine, [file])
    assert report.untimed == 1 and "no usable time" in report.text()


@pytest.mark.parametrize("some", [*combinations(FAR, 1), *combinations(FAR, 2), FAR])
def test_a_report_an_export_and_an_answer_in_sql_have_far_apart_dates(
    engine: Engine, tmp_path: Path, some: tuple[datetime, ...]
) -> None:
    engine.ingest([SessionInput([said(f"the cat {at.year}", at)], id=f"y{at.year}") for at in some])
    assert write_report(engine, tmp_path / "report.html").exists()
    assert run_sql(engine, "SELECT said_at FROM v_segments").to_pydict()
    for form in FORMATS:
        assert export(engine, tmp_path / form, form).sessions == len(some)
