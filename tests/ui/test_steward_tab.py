"""The steward's tab as plain functions: look, run, decide, undo, restore; and nothing in another namespace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pmg.base.errors import ConfigError, InputError, NotFound
from pmg.base.model import Kind, State
from pmg.base.progress import silent
from pmg.engine import Engine
from pmg.figures.colours import topic_colour
from pmg.ingest.guard.compare import Difference
from pmg.ui import shell
from pmg.ui.analytics import analytics_tab
from pmg.ui.analytics.analytics_tab import AnalyticsSelection
from pmg.ui.app_context import AppContext
from pmg.ui.settings import namespaces, safety
from pmg.ui.steward import pair_diff, schedule_form, steward_tab, steward_view, topics_form
from steward.review import side_by_side
from steward.schedule import Schedule
from steward.steward import Steward
from steward.tasks import TASKS
from tests.steward.memories import OTHER, SAME, recalled, snapshot, tell
from tests.steward.test_topics import memory
from tests.ui.hostile import HOSTILE, alive

LONG_AGO = datetime(2019, 6, 1, tzinfo=UTC)


@pytest.fixture
def context(engine: Engine) -> AppContext:
    return AppContext(engine, Steward(engine))


def test_a_dry_run_shows_pairs_side_by_side_and_changes_nothing(context: AppContext) -> None:
    tell(context.engine, "s", *SAME, OTHER)
    before = snapshot(context.engine)
    found = steward_view.dry_run(context, "default", ["merge"], False, silent)
    assert (found.merges, found.blocked, found.elsewhere) == (1, 2, 0)
    html = steward_tab.dry_html(found)
    assert html.count("pmg-twin-side") == 6
    assert "<mark>never</mark>" in html
    assert snapshot(context.engine) == before


def test_pairs_in_another_namespace_are_counted_and_not_shown(context: AppContext) -> None:
    tell(context.engine, "s", *SAME, OTHER, namespace="work")
    found = steward_view.dry_run(context, "default", ["merge"], False, silent)
    assert (found.pairs, found.elsewhere) == ((), 3)
    assert "Berlin" not in steward_tab.dry_html(found)
    steward_view.run_now(context, ["merge"], False, silent)
    assert not any("Berlin" in part for part in steward_tab.shown(context, "default", 200, ""))
    (run,) = steward_view.history(context, "default", 200)
    assert (run.entries, run.elsewhere) == ((), 2)


def test_a_run_can_be_undone_whole_or_entry_by_entry(context: AppContext) -> None:
    ids = tell(context.engine, "s", *SAME, OTHER)
    before = snapshot(context.engine)
    report = steward_view.run_now(context, ["merge"], False, silent)
    assert "1 near-duplicate merged" in steward_tab.report_html(report)
    assert steward_view.changed(report)
    (run,) = steward_view.history(context, "default", 200)
    merged = next(entry for entry in run.entries if entry.action == "merge")
    assert {segment.id for segment in merged.memories} == set(ids[:2])
    assert steward_view.undo(context, str(merged.id)).startswith("Undone: 1 change.")
    assert context.engine.segment(ids[1]).state is State.ACTIVE
    steward_view.undo(context, run.name)
    assert snapshot(context.engine) == before
    (_, first) = steward_view.history(context, "default", 200)[-2:]
    assert first.undone
    assert not first.undoable


def test_an_undo_that_is_refused_says_why(context: AppContext) -> None:
    tell(context.engine, "s", *SAME, OTHER)
    steward_view.run_now(context, ["merge"], False, silent)
    (pair,) = context.steward.review("default")
    listed = next(e for run in steward_view.history(context, "default", 9) for e in run.entries if e.action == "review")
    steward_view.decide(context, "default", f"keep:{pair.review}")
    with pytest.raises(InputError, match="you decided on the pair since"):
        steward_view.undo(context, str(listed.id))


@pytest.mark.parametrize("pick", ["merge", "keep", "link"])
def test_each_decision_takes_the_pair_off_the_list(context: AppContext, pick: str) -> None:
    ids = tell(context.engine, "s", SAME[0], OTHER)
    steward_view.run_now(context, ["merge"], False, silent)
    (pair,) = context.steward.review("default")
    assert f"merge:{pair.review}" in steward_tab.review_html(context, "default")
    steward_view.decide(context, "default", f"{pick}:{pair.review}" + (":contradicts" if pick == "link" else ""))
    assert context.steward.to_review("default") == 0
    states = [context.engine.segment(name).state for name in ids]
    assert states.count(State.MERGED) == (pick == "merge")
    contradicts = [edge for edge in context.engine.edges(ids[0]) if edge.kind is Kind.CONTRADICTS]
    assert len(contradicts) == (pick == "link")


def test_a_long_review_list_shows_some_and_says_how_many_more(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steward_view, "PAGE_PAIRS", 1)
    tell(context.engine, "s", SAME[0], OTHER, "My sister and I never moved to Berlin last autumn.")
    steward_view.run_now(context, ["merge"], False, silent)
    total = context.steward.to_review("default")
    assert total == 3
    few = steward_tab.review_html(context, "default", 1)
    assert few.count("pmg-twins-head") == 1 and "Show 1 more of 2" in few
    assert "Show" not in steward_tab.review_html(context, "default", total)


def test_a_pair_in_another_namespace_cannot_be_decided_here(context: AppContext) -> None:
    tell(context.engine, "s", SAME[0], OTHER, namespace="work")
    steward_view.run_now(context, ["merge"], False, silent)
    assert context.steward.to_review("default") == 0
    (pair,) = context.steward.review("work")
    for pick in (f"merge:{pair.review}", "merge:99", "merge:x", "", "burn:1"):
        with pytest.raises(NotFound):
            steward_view.decide(context, "default", pick)
    with pytest.raises(InputError, match="no decision"):
        steward_view.decide(context, "work", f"burn:{pair.review}")


def test_the_archive_is_searched_and_restored_in_the_namespace(context: AppContext) -> None:
    old = tell(context.engine, "old", "The cat purrs at the vet.", at=LONG_AGO)[0]
    tell(context.engine, "new", *(f"We bake bread number {i}." for i in range(9)))
    steward_view.run_now(context, ["archive"], False, silent)
    assert [segment.id for segment in steward_view.archive(context, "default", "cat", 9)] == [old]
    assert steward_view.archive(context, "work", "", 9) == []
    assert old not in recalled(context.engine, "cat at the vet")
    with pytest.raises(NotFound):
        steward_view.restore(context, "work", old)
    steward_view.restore(context, "default", old)
    assert old in recalled(context.engine, "cat at the vet")
    with pytest.raises(InputError, match="not in the archive"):
        steward_view.restore(context, "default", old)


def test_a_run_that_would_touch_too_much_asks_and_goes_on_when_told(context: AppContext) -> None:
    tell(context.engine, "old", *(f"The cat number {i} purrs." for i in range(20)), at=LONG_AGO)
    report = steward_view.run_now(context, ["archive"], False, silent)
    assert steward_view.asked(report) == ["archive"]
    html = steward_tab.report_html(report)
    assert "more than 10%" in html
    assert "pmg steward" not in html
    assert not steward_view.changed(report)
    done = steward_view.run_now(context, steward_view.asked(report), False, silent, bulk=True)
    assert steward_view.changed(done)
    assert len(steward_view.archive(context, "default", "", 99)) == 20


def test_no_task_chosen_is_none_and_not_all(context: AppContext) -> None:
    with pytest.raises(InputError, match="at least one"):
        steward_view.run_now(context, [], False, silent)
    with pytest.raises(InputError, match="at least one"):
        steward_view.dry_run(context, "default", [], False, silent)


def test_stored_text_is_only_ever_text(context: AppContext) -> None:
    tell(context.engine, "s", f"{HOSTILE} is 5 euros.", f"{HOSTILE} is 6 euros.", at=LONG_AGO)
    tell(context.engine, "more", *(f"We bake bread number {i}." for i in range(12)))
    found = steward_view.dry_run(context, "default", ["merge"], False, silent)
    assert found.pairs
    steward_view.run_now(context, ["merge", "archive"], False, silent, bulk=True)
    for html in (steward_tab.dry_html(found), *steward_tab.shown(context, "default", 200, "")):
        assert alive(html) == []


def test_a_long_stretch_that_both_have_is_cut_in_the_middle() -> None:
    html = pair_diff.runs_html([("a" * 5_000, False), ("<b>", True), ("c", False)])
    assert len(html) < 500
    assert "<mark>&lt;b&gt;</mark>c" in html


def test_it_is_cut_between_words() -> None:
    html = pair_diff.runs_html([("every word of it is whole " * 40, False)])
    assert set(html.split()) == {"every", "word", "of", "it", "is", "whole", "[…]"}


def test_two_that_differ_are_never_called_wholly_alike(context: AppContext) -> None:
    tell(context.engine, "twice", "The bike costs 200 and 200 again.", "The bike costs 300 and 300 again.")
    a, b = (context.engine.segment(f"seg_twice_{i}") for i in range(2))
    told = pair_diff.verdict(side_by_side(a, b, 0.999))
    assert "99% alike" in told
    assert told.count("<b>200</b> and <b>300</b>") == 1


def test_times_read_as_a_person_says_them() -> None:
    said = {"0 4 * * *": "every day at 04:00", "every 6h": "every 6 hours", "every 1d": "every day", "off": "off"}
    assert {text: steward_view.in_words(text) for text in said} == said
    assert steward_view.in_words("0 4 * * 1-5") == "0 4 * * 1-5"
    assert steward_view.in_words("0 6 1 * *") == "on day 1 of each month at 06:00"


def test_every_task_says_what_it_does_and_one_that_is_off_is_not_chosen(context: AppContext) -> None:
    assert set(steward_view.DOES) == set(TASKS)
    assert set(steward_view.usual(context)) == set(TASKS) - {"report"}


def form(context: AppContext, **changed: object) -> dict[str, object]:
    return dict(zip(schedule_form.NAMES, schedule_form.values(context.engine.config.steward), strict=True)) | changed


def test_a_changed_schedule_is_kept_and_in_force_at_once(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    context = AppContext(engine, Steward(engine), Schedule(Steward(engine)))
    assert context.schedule is not None
    context.schedule.start()
    try:
        assert "in force" in schedule_form.save(context, form(context, merge="off", score="every 2h", backup_keep=3.0))
        assert set(context.schedule.next_times()) == set(TASKS) - {"merge", "report"}
        line = next(task for task in steward_view.standing(context, "default").tasks if task.name == "score")
        assert line.next is not None and line.next - datetime.now(UTC) <= timedelta(hours=2)
        assert engine.config.steward.backup_keep == 3
        kept = (engine.config.home / "config.toml").read_text()
        assert 'merge = "off"' in kept and "verify" not in kept
        schedule_form.save(context, form(context, enabled=False))
        assert context.schedule.next_times() == {}
        assert not steward_view.standing(context, "default").scheduled
    finally:
        context.schedule.stop()


@pytest.mark.parametrize(
    "wrong", [{"merge": "every now and then"}, {"quiet_hours": "late"}, {"most_share": 7.0}, {"backup_keep": 0}]
)
def test_a_time_that_cannot_be_read_changes_nothing(context: AppContext, wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        schedule_form.save(context, form(context, **wrong))
    assert not (context.engine.config.home / "config.toml").exists()
    assert context.engine.config.steward == type(context.engine.config.steward)()


def test_after_a_run_by_hand_the_times_are_new_and_say_what_was_done(context: AppContext) -> None:
    tell(context.engine, "s", *SAME, OTHER)
    assert all(line.last is None for line in steward_view.standing(context, "default").tasks)
    steward_view.run_now(context, ["merge"], False, silent)
    lines = {line.name: line for line in steward_view.standing(context, "default").tasks}
    assert lines["merge"].last is not None
    assert lines["merge"].said == "1 near-duplicate merged, 1 pair for you to decide"
    assert lines["links"].last is None
    again = AppContext(context.engine, Steward(context.engine))  # another process: the time stays, the words are gone
    assert {line.name for line in steward_view.standing(again, "default").tasks if line.last} == {"merge"}


def test_a_run_with_nothing_to_do_says_so_in_words(context: AppContext) -> None:
    report = steward_view.run_now(context, ["merge", "archive", "links"], False, silent)
    assert report.text == "no new duplicates, nothing old to archive, links are in order; nothing was deleted"


@pytest.mark.parametrize(
    ("kind", "told"), [("word", "a word"), ("exact text", "code or signs"), ("number", "a number")]
)
def test_in_what_two_differ_is_said_as_a_person_says_it(context: AppContext, kind: str, told: str) -> None:
    tell(context.engine, "s", *SAME, OTHER)
    pair = steward_view.dry_run(context, "default", ["merge"], False, silent).pairs[0]
    html = pair_diff.verdict(replace(pair, why=(Difference(kind, "old", "new"),)))
    assert f"differ</span> in {told} " in html and f"{told}: <b>old</b>" in html


def test_each_decision_has_a_key(context: AppContext) -> None:
    tell(context.engine, "s", *SAME, OTHER)
    steward_view.run_now(context, ["merge"], False, silent)
    html = steward_tab.review_html(context, "default")
    for key in ("m", "k", "c", "r"):
        assert html.count(f'data-key="{key}"') == 1


def test_the_page_says_what_encryption_means(context: AppContext) -> None:
    html = safety.encryption_html(context)
    assert "pmg encrypt" in html and "A lost passphrase is final" in html


@pytest.mark.filterwarnings("error")  # gradio warns of a value that is not among the choices
def test_topics_are_listed_and_changed_on_the_page(context: AppContext) -> None:
    memory(context.engine)
    assert "No topics yet" in topics_form.list_html(context, "default")
    assert not topics_form.values(context, "default")[-1].visible, "there is nothing yet that the form could change"
    steward_view.run_now(context, ["links"], False, silent)
    found = topics_form.topics(context, "default")
    assert topics_form.values(context, "default")[-1].visible
    html = topics_form.list_html(context, "default")
    assert all(topic.name in html and topic_colour(topic.id) in html for topic in found)
    said = topics_form.rename(context, "default", found[0].id, "<b>Bread</b>")
    assert "from now on" in said
    assert "&lt;b&gt;Bread" in topics_form.list_html(context, "default")
    assert "stays as it is" in topics_form.picked_change(context, "default", f"pin:{found[1].id}")
    assert "memories now" in topics_form.merge(context, "default", found[0].id, [found[1].id])
    assert "Now 2 topics" in topics_form.picked_change(context, "default", f"split:{found[0].id}")
    for wrong in ("pin:x", "burn:1", ""):
        with pytest.raises(InputError):
            topics_form.picked_change(context, "default", wrong)


def test_the_header_analytics_and_the_list_of_namespaces_count_alike(context: AppContext) -> None:
    ids = tell(context.engine, "s", *SAME, OTHER)
    context.steward.archive(ids[:1])
    held = shell.status(context, "default").memories
    assert held == 2
    assert f"<b>{held}</b><span>memories, 1 more out of recall" in analytics_tab.tiles(
        context.engine, AnalyticsSelection("default")
    )
    assert [namespace.memories for namespace in namespaces.listed_namespaces(context, "default")] == [held]


def test_what_is_told_in_other_words_has_no_marks_all_over(context: AppContext) -> None:
    tell(
        context.engine,
        "s",
        "Naproxen from Marsh, 250 mg twice daily.",
        "So Marsh rang and put me back: 500 mg of naproxen, ten days.",
    )
    a, b = (context.engine.segment(f"seg_s_{place}") for place in (0, 1))
    retold = pair_diff.card(side_by_side(a, b, 0.54))
    longer = replace(a, lines=(*a.lines, *b.lines))
    assert pair_diff.card(side_by_side(longer, b, 0.54)).count('class="pmg-line"') == 3
    assert "told again" in retold and "<mark>" not in retold
    tell(context.engine, "t", "Naproxen from Marsh, 500 mg twice daily.")
    changed = pair_diff.card(side_by_side(a, context.engine.segment("seg_t_0"), 0.9))
    assert "<mark>500</mark>" in changed and "number: <b>250</b> and <b>500</b>" in changed


def test_the_history_offers_more_only_where_there_may_be_more(context: AppContext) -> None:
    tell(context.engine, "s", *SAME, OTHER)
    steward_view.run_now(context, ["merge"], False, silent)
    runs = steward_view.history(context, "default", 200)
    assert "Show more" not in steward_tab.history_html(runs, 200)
    assert "Show more" in steward_tab.history_html(runs, sum(len(run.entries) for run in runs))


def test_a_run_that_did_more_than_is_listed_says_so(context: AppContext) -> None:
    tell(context.engine, "s", *SAME, OTHER)
    steward_view.run_now(context, ["score", "merge"], False, silent)
    (whole,) = steward_view.history(context, "default", 200)
    entries = len(whole.entries) + whole.elsewhere
    assert entries > 1 and not whole.is_cut and "and more" not in whole.text
    assert not steward_view.history(context, "default", entries)[0].is_cut, "all of it is listed"
    (part,) = steward_view.history(context, "default", 1)
    assert part.is_cut and part.text.endswith("and more")
    assert "and more" in steward_tab.history_html([part], 1)
