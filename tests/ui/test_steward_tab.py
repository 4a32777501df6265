"""The steward's tab as plain functions: look, run, decide, undo, restore; and nothing behind another wall."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pmg.engine import Engine
from pmg.errors import ConfigError, InputError, NotFound
from pmg.index.indexes import silent
from pmg.model import Kind, State
from pmg.ui import pairs, schedule, steward, upkeep
from pmg.ui.desk import Desk
from steward.schedule import Schedule
from steward.steward import Steward
from steward.tasks import TASKS
from tests.steward.memories import OTHER, SAME, recalled, snapshot, tell
from tests.ui.hostile import HOSTILE, alive

LONG_AGO = datetime(2019, 6, 1, tzinfo=UTC)


@pytest.fixture
def desk(engine: Engine) -> Desk:
    return Desk(engine, Steward(engine))


def test_a_dry_run_shows_pairs_side_by_side_and_changes_nothing(desk: Desk) -> None:
    tell(desk.engine, "s", *SAME, OTHER)
    before = snapshot(desk.engine)
    found = upkeep.dry_run(desk, "default", ["merge"], False, silent)
    assert (found.merges, found.blocked, found.elsewhere) == (1, 2, 0)
    html = steward.dry_html(found)
    assert html.count("pmg-twin-side") == 6
    assert "<mark>never</mark>" in html
    assert snapshot(desk.engine) == before


def test_pairs_behind_another_wall_are_counted_and_not_shown(desk: Desk) -> None:
    tell(desk.engine, "s", *SAME, OTHER, namespace="work")
    found = upkeep.dry_run(desk, "default", ["merge"], False, silent)
    assert (found.pairs, found.elsewhere) == ((), 3)
    assert "Berlin" not in steward.dry_html(found)
    upkeep.run_now(desk, ["merge"], False, silent)
    assert not any("Berlin" in part for part in steward.shown(desk, "default", 200, ""))
    (run,) = upkeep.history(desk, "default", 200)
    assert (run.entries, run.elsewhere) == ((), 2)


def test_a_run_can_be_undone_whole_or_entry_by_entry(desk: Desk) -> None:
    ids = tell(desk.engine, "s", *SAME, OTHER)
    before = snapshot(desk.engine)
    report = upkeep.run_now(desk, ["merge"], False, silent)
    assert "1 near-duplicate merged" in steward.report_html(report)
    assert upkeep.changed(report)
    (run,) = upkeep.history(desk, "default", 200)
    merged = next(entry for entry in run.entries if entry.action == "merge")
    assert {segment.id for segment in merged.memories} == set(ids[:2])
    assert upkeep.undo(desk, str(merged.id)).startswith("Undone: 1 change.")
    assert desk.engine.segment(ids[1]).state is State.ACTIVE
    upkeep.undo(desk, run.name)
    assert snapshot(desk.engine) == before
    (_, first) = upkeep.history(desk, "default", 200)[-2:]
    assert first.undone
    assert not first.undoable


def test_an_undo_that_is_refused_says_why(desk: Desk) -> None:
    tell(desk.engine, "s", *SAME, OTHER)
    upkeep.run_now(desk, ["merge"], False, silent)
    (pair,) = desk.steward.review("default")
    listed = next(e for run in upkeep.history(desk, "default", 9) for e in run.entries if e.action == "review")
    upkeep.decide(desk, "default", f"keep:{pair.review}")
    with pytest.raises(InputError, match="you decided on the pair since"):
        upkeep.undo(desk, str(listed.id))


@pytest.mark.parametrize("pick", ["merge", "keep", "link"])
def test_each_decision_takes_the_pair_off_the_list(desk: Desk, pick: str) -> None:
    ids = tell(desk.engine, "s", SAME[0], OTHER)
    upkeep.run_now(desk, ["merge"], False, silent)
    (pair,) = desk.steward.review("default")
    assert f"merge:{pair.review}" in steward.review_html(desk, "default")
    upkeep.decide(desk, "default", f"{pick}:{pair.review}" + (":contradicts" if pick == "link" else ""))
    assert desk.steward.to_review("default") == 0
    states = [desk.engine.segment(name).state for name in ids]
    assert states.count(State.MERGED) == (pick == "merge")
    contradicts = [edge for edge in desk.engine.edges(ids[0]) if edge.kind is Kind.CONTRADICTS]
    assert len(contradicts) == (pick == "link")


def test_a_pair_behind_another_wall_cannot_be_decided_here(desk: Desk) -> None:
    tell(desk.engine, "s", SAME[0], OTHER, namespace="work")
    upkeep.run_now(desk, ["merge"], False, silent)
    assert desk.steward.to_review("default") == 0
    (pair,) = desk.steward.review("work")
    for pick in (f"merge:{pair.review}", "merge:99", "merge:x", "", "burn:1"):
        with pytest.raises(NotFound):
            upkeep.decide(desk, "default", pick)
    with pytest.raises(InputError, match="no decision"):
        upkeep.decide(desk, "work", f"burn:{pair.review}")


def test_the_archive_is_searched_and_restored_inside_the_wall(desk: Desk) -> None:
    old = tell(desk.engine, "old", "The cat purrs at the vet.", at=LONG_AGO)[0]
    tell(desk.engine, "new", *(f"We bake bread number {i}." for i in range(9)))
    upkeep.run_now(desk, ["archive"], False, silent)
    assert [segment.id for segment in upkeep.archive(desk, "default", "cat", 9)] == [old]
    assert upkeep.archive(desk, "work", "", 9) == []
    assert old not in recalled(desk.engine, "cat at the vet")
    with pytest.raises(NotFound):
        upkeep.restore(desk, "work", old)
    upkeep.restore(desk, "default", old)
    assert old in recalled(desk.engine, "cat at the vet")
    with pytest.raises(InputError, match="not in the archive"):
        upkeep.restore(desk, "default", old)


def test_a_run_that_would_touch_too_much_asks_and_goes_on_when_told(desk: Desk) -> None:
    tell(desk.engine, "old", *(f"The cat number {i} purrs." for i in range(20)), at=LONG_AGO)
    report = upkeep.run_now(desk, ["archive"], False, silent)
    assert upkeep.asked(report) == ["archive"]
    html = steward.report_html(report)
    assert "more than 10%" in html
    assert "pmg steward" not in html
    assert not upkeep.changed(report)
    done = upkeep.run_now(desk, upkeep.asked(report), False, silent, bulk=True)
    assert upkeep.changed(done)
    assert len(upkeep.archive(desk, "default", "", 99)) == 20


def test_no_task_chosen_is_none_and_not_all(desk: Desk) -> None:
    with pytest.raises(InputError, match="at least one"):
        upkeep.run_now(desk, [], False, silent)
    with pytest.raises(InputError, match="at least one"):
        upkeep.dry_run(desk, "default", [], False, silent)


def test_stored_text_is_only_ever_text(desk: Desk) -> None:
    tell(desk.engine, "s", f"{HOSTILE} is 5 euros.", f"{HOSTILE} is 6 euros.", at=LONG_AGO)
    tell(desk.engine, "more", *(f"We bake bread number {i}." for i in range(12)))
    found = upkeep.dry_run(desk, "default", ["merge"], False, silent)
    assert found.pairs
    upkeep.run_now(desk, ["merge", "archive"], False, silent, bulk=True)
    for html in (steward.dry_html(found), *steward.shown(desk, "default", 200, "")):
        assert alive(html) == []


def test_a_long_stretch_that_both_have_is_cut_in_the_middle() -> None:
    html = pairs.runs_html([("a" * 5_000, False), ("<b>", True), ("c", False)])
    assert len(html) < 500
    assert "<mark>&lt;b&gt;</mark>c" in html


def test_times_read_as_a_person_says_them() -> None:
    said = {"0 4 * * *": "every day at 04:00", "every 6h": "every 6 hours", "every 1d": "every day", "off": "off"}
    assert {text: upkeep.in_words(text) for text in said} == said
    assert upkeep.in_words("0 4 * * 1-5") == "0 4 * * 1-5"
    assert upkeep.in_words("0 6 1 * *") == "on day 1 of each month at 06:00"


def test_every_task_says_what_it_does_and_one_that_is_off_is_not_chosen(desk: Desk) -> None:
    assert set(upkeep.DOES) == set(TASKS)
    assert set(upkeep.usual(desk)) == set(TASKS) - {"report"}


def form(desk: Desk, **changed: object) -> dict[str, object]:
    return dict(zip(schedule.NAMES, schedule.values(desk.engine.config.steward), strict=True)) | changed


def test_a_changed_schedule_is_kept_and_in_force_at_once(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    desk = Desk(engine, Steward(engine), Schedule(Steward(engine)))
    assert desk.schedule is not None
    desk.schedule.start()
    try:
        assert "in force" in schedule.save(desk, form(desk, merge="off", score="every 2h", backup_keep=3.0))
        assert set(desk.schedule.next_times()) == set(TASKS) - {"merge", "report"}
        line = next(task for task in upkeep.standing(desk, "default").tasks if task.name == "score")
        assert line.next is not None and line.next - datetime.now(UTC) <= timedelta(hours=2)
        assert engine.config.steward.backup_keep == 3
        kept = (engine.config.home / "config.toml").read_text()
        assert 'merge = "off"' in kept and "verify" not in kept
        schedule.save(desk, form(desk, enabled=False))
        assert desk.schedule.next_times() == {}
        assert not upkeep.standing(desk, "default").scheduled
    finally:
        desk.schedule.stop()


@pytest.mark.parametrize(
    "wrong", [{"merge": "every now and then"}, {"quiet_hours": "late"}, {"most_share": 7.0}, {"backup_keep": 0}]
)
def test_a_time_that_cannot_be_read_changes_nothing(desk: Desk, wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        schedule.save(desk, form(desk, **wrong))
    assert not (desk.engine.config.home / "config.toml").exists()
    assert desk.engine.config.steward == type(desk.engine.config.steward)()
