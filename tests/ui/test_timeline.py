"""The timeline: counted while far, a bar a session nearer, memory by memory within a day; in one namespace, hostile text as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.store.browse import TimeExtent
from pmg.ui.app_context import AppContext
from pmg.ui.timeline import ranges, timeline_colours, timeline_data
from pmg.ui.timeline.ranges import TimeRange
from pmg.ui.timeline.timeline_data import TimelineData, TimelineSelection, mode_for, unit_for, view
from pmg.ui.timeline.timeline_tab import address_of, asked_for, choices, from_address, listed, moved_to, shown
from steward.steward import Steward
from tests.pmg.people.talk import session
from tests.steward.memories import said, tell
from tests.ui.hostile import HOSTILE, IMAGE, alive
from tests.ui.memories import opened, talks

START = datetime(2024, 1, 5, 10, tzinfo=UTC)
CATS = ("The cat sleeps.", "The cat purrs at the vet.")
DAY = ranges.around(datetime(2024, 1, 5), "day")


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
        tell(made.engine, "secret", "In the other namespace.", at=START, namespace="private")
        yield made


def held(found: TimelineData) -> list[str]:
    return [bar.id for lane in found.lanes for bar in lane.items]


def test_each_session_is_a_bar_while_they_can_be_told_apart(context: AppContext) -> None:
    found = view(context, TimelineSelection("default"))
    assert found.mode == "sessions"
    assert sorted(held(found)) == sorted(f"seg_s{i}_0" for i in range(14))
    (first, *_) = found.lanes[0].items
    assert (first.start, first.end) == ("2024-01-05T10:00:00", "2024-01-05T10:02:00")
    assert sum(bar.count for bar in found.strip) == 42


def test_within_a_day_each_memory_is_drawn(context: AppContext) -> None:
    found = view(context, TimelineSelection("default", DAY))
    assert found.mode == "memories"
    assert held(found) == ["seg_s0_0", "seg_s0_1", "seg_s0_2"]
    assert "3 turns in 1 session" in found.said


def test_from_far_the_store_counts(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline_data, "EACH_SESSION", 5)
    found = view(context, TimelineSelection("default"))
    (lane,) = found.lanes
    assert found.mode == "bars" and len(lane.items) == 14
    assert sum(bar.count for bar in lane.items) == 42
    assert all(bar.id == "" and sum(count for _, count in bar.parts) == bar.count for bar in lane.items)


def test_a_crowded_range_is_counted() -> None:
    day, year = DAY, ranges.around(datetime(2024, 1, 5), "year")
    many = TimeExtent(None, None, timeline_data.EACH_MEMORY + 1, timeline_data.EACH_SESSION + 1)
    few = TimeExtent(None, None, 10, 3)
    assert mode_for(day, many) == ("bars", "hour") and mode_for(day, few) == ("memories", "")
    assert mode_for(year, many) == ("bars", "month") and mode_for(year, few) == ("sessions", "")
    assert unit_for(TimeRange(datetime(1990, 1, 1), datetime(2024, 1, 1))) == "year"


def test_people_are_lanes_and_who_speaks_everywhere_has_none(engine: Engine) -> None:
    engine.ingest(
        SessionInput(
            [said("The cat.", START), said("A dog.", START, speaker="Ben" if i % 2 else "Cleo")],
            id=f"p{i}",
        )
        for i in range(4)
    )
    context = AppContext(engine, Steward(engine))
    lanes = {lane.label: len(lane.items) for lane in view(context, TimelineSelection("default")).lanes}
    assert lanes == {"Ana": 4, "Ben": 2, "Cleo": 2}  # half of it each, and a quarter
    near = view(context, TimelineSelection("default", ranges.around(START.replace(tzinfo=None), "day")))
    assert {lane.label: len(lane.items) for lane in near.lanes} == {"Ana": 4, "Ben": 2, "Cleo": 2}
    talks(engine, {f"a{i}": ("The cat.",) * 20 for i in range(5)})
    lanes = {lane.label: len(lane.items) for lane in view(context, TimelineSelection("default")).lanes}
    assert lanes == {"Ana": 5, "Ben": 2, "Cleo": 2}  # now most is hers: her lane holds what nobody else is in


def test_an_assistant_has_no_lane(engine: Engine) -> None:
    chats = [
        SessionInput(
            [Turn((Line("User", Role.USER, "The cat."), Line("Assistant", Role.ASSISTANT, "A pet.")), START)], id="c"
        )
    ]
    calls = [SessionInput([said(text, START, speaker="Ben")], id=text) for text in ("bread", "soup", "bike")]
    engine.ingest([*chats, *calls])
    found = view(AppContext(engine, Steward(engine)), TimelineSelection("default"))
    assert [lane.label for lane in found.lanes] == ["Ben", "You"]
    near = view(AppContext(engine, Steward(engine)), TimelineSelection("default", DAY))
    assert [bar.label for lane in near.lanes for bar in lane.items if bar.id == "seg_c_0"] == [
        "You: The cat. Assistant: A pet."
    ]


def test_before_there_are_topics_the_caption_says_what_the_colours_are(engine: Engine) -> None:
    talks(engine, {"a": CATS})
    context = AppContext(engine, Steward(engine))
    assert "no topics yet" in view(context, TimelineSelection("default")).said
    assert "no topics yet" not in view(context, TimelineSelection("default", colour="state")).said


def test_no_view_shows_another_namespace(context: AppContext) -> None:
    for colour in ("topic", "source", "person", "quality", "state"):
        for span in (None, DAY):
            found = shown(context, TimelineSelection("default", span, colour=colour), "filter")
            assert "secret" not in json.dumps(found[:2])
    assert held(view(context, TimelineSelection("private"))) == ["seg_secret_0"]


def test_filters_leave_only_what_fits(context: AppContext) -> None:
    def count(**chosen: str) -> int:
        return view(context, TimelineSelection("default", **chosen)).extent.segments  # type: ignore[arg-type]

    assert count(text="BREAD number 3") == 1
    assert (count(person="Ana"), count(person="Nobody"), count(state="archived")) == (42, 0, 0)
    context.steward.tag("seg_s2_2", ["pets"])
    assert count(tag="pets") == 1
    context.steward.archive(["seg_s2_2"])
    assert count(state="archived") == 1
    context.steward.restore(["seg_s2_2"])
    context.steward.tag("seg_s2_2", [])


def test_an_empty_view_says_why(context: AppContext) -> None:
    assert "Take one away" in view(context, TimelineSelection("default", text="unicorn")).empty
    assert "import" in view(context, TimelineSelection("nowhere")).empty
    gap = TimeRange(datetime(2024, 1, 20), datetime(2024, 1, 25))
    found = view(context, TimelineSelection("default", gap))
    assert not found.lanes and "in this range" in found.empty and found.strip


def test_a_sort_keeps_its_colour_from_far_to_near(context: AppContext) -> None:
    far, near = (view(context, TimelineSelection("default", span, colour="person")) for span in (None, DAY))
    colours = {bar.colour for found in (far, near) for lane in found.lanes for bar in lane.items}
    assert len(colours) == 1 and {one.colour for one in far.legend} == colours


def test_many_sorts_share_one_colour_and_nothing_is_lost(engine: Engine) -> None:
    engine.ingest(SessionInput([said(f"cat {i}", START)], id=f"x{i}", source=f"source {i:02}") for i in range(12))
    found = view(AppContext(engine, Steward(engine)), TimelineSelection("default", colour="source"))
    assert sum(bar.count for bar in found.strip) == 12
    assert len(found.legend) == timeline_colours.COLOURED + 1


def test_hostile_text_is_only_text(engine: Engine) -> None:
    with engine.session(IMAGE, session_id="s", source=IMAGE, started_at=START) as talk:
        talk.add(user=HOSTILE, at=START)
    context = AppContext(engine, Steward(engine))
    for span in (None, ranges.around(START, "day")):
        picture, html, _ = shown(context, TimelineSelection("default", span, colour="source"), "filter")
        assert not alive(html)
        assert "\x1b" not in json.dumps(picture, ensure_ascii=False)


def test_the_clock_is_that_of_who_said_it(engine: Engine) -> None:
    at = datetime.fromisoformat("2024-06-01T00:30:00+02:00")  # still May in UTC
    tell(engine, "late", "The cat is awake.", at=at)
    asked = TimelineSelection("default", ranges.around(datetime(2024, 6, 1), "day"))
    assert held(view(AppContext(engine, Steward(engine)), asked)) == ["seg_late_0"]


def test_what_stands_in_the_address_comes_back_the_same() -> None:
    asked = TimelineSelection("default", DAY, "two words", "Ana", "pets", "archived", "source")
    address = "#tab=timeline&" + "&".join(f"{name}={value}" for name, value in address_of(asked).items())
    assert from_address(address, "default") == asked
    assert from_address("#timeline-state=oven&timeline-colour=x&timeline-from=nonsense", "n") == TimelineSelection("n")
    assert set(address_of(TimelineSelection("default")).values()) == {""}


def test_what_the_page_keeps_of_a_range_comes_back_the_same() -> None:
    kept = (DAY.since.isoformat(), DAY.until.isoformat())
    assert asked_for("default", kept).span == DAY
    assert asked_for("default", None, "", None, None, None).browse_filter.person == ""


def test_a_range_that_the_script_tells_is_taken_and_nonsense_is_everything() -> None:
    asked = TimelineSelection("default", DAY)
    event = SimpleNamespace(_data={"from": "2024-02-01T00:00:00", "to": "2024-02-02T00:00:00"})
    assert moved_to(event, asked).span == ranges.around(datetime(2024, 2, 1), "day")  # type: ignore[arg-type]
    for told in (None, {}, {"from": "x", "to": "y"}, {"all": True, "from": "2024-02-01", "to": "2024-02-02"}):
        assert moved_to(SimpleNamespace(_data=told), asked).span is None  # type: ignore[arg-type]


def test_the_list_has_the_sessions_in_words(context: AppContext) -> None:
    sessions = context.engine.reads.browse.session_spans(TimelineSelection("default", DAY).browse_filter, 10)
    html = listed(sessions)
    assert 'data-pick="seg_s0_0"' in html and "3 turns" in html
    assert listed([]) == ""


def test_people_and_tags_to_filter_by_are_those_of_the_namespace(context: AppContext) -> None:
    context.steward.tag("seg_secret_0", ["hidden"])
    people, tags = choices(context.engine, "default")
    assert people == [("anybody", ""), ("Ana", "Ana")]
    assert tags == [("any", "")]


def test_what_changed_is_a_mark_that_leads_to_where_it_was_told(engine: Engine) -> None:
    engine.ingest(
        [
            session("one", START, ("Ana", "I live in Seattle."), conversation="c"),
            session("two", START + timedelta(days=90), ("Ana", "I live in Austin now."), conversation="c"),
        ]
    )
    engine.extract()
    context = AppContext(engine, Steward(engine))
    (mark,) = view(context, TimelineSelection("default")).changes
    assert (mark.at[:10], mark.id) == ("2024-04-04", "seg_two_0")
    assert "Ana: lives in Austin" in mark.title and "before: lives in Seattle" in mark.title
    assert view(context, TimelineSelection("default")).to_json({}, "open")["changes"][0]["id"] == "seg_two_0"
    for narrowed in (
        TimelineSelection("default", DAY),
        TimelineSelection("default", text="Seattle"),
        TimelineSelection("private"),
    ):
        assert view(context, narrowed).changes == ()
