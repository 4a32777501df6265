"""One owner in every picture, list and filter of the page: "You", however many names their lines have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from pmg.analytics.date_range import DateRange
from pmg.analytics.questions import ask
from pmg.answer.evidence import Quote
from pmg.base.model import YOU, Role
from pmg.engine import Engine
from pmg.figures.content import people, people_months
from pmg.figures.shapes import pick
from pmg.store.browse import BrowseFilter
from pmg.store.graph import PERSON, NodeKey
from pmg.ui import render, speakers
from pmg.ui.analytics.drill_down import drill_down_html
from pmg.ui.app_context import AppContext
from pmg.ui.chat import chat_view
from pmg.ui.graph.graph_data import around, overview
from pmg.ui.people.people_data import listed
from pmg.ui.preview.stages import preview
from pmg.ui.reader import reader_view
from pmg.ui.timeline.timeline_changes import changes
from pmg.ui.timeline.timeline_data import TimelineSelection, view
from pmg.ui.timeline.timeline_tab import choices
from tests.pmg.people.test_owner_names import MAY, chat, merged, told
from tests.ui.memories import opened

SPACE = "default"


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppContext]:
    with opened(tmp_path_factory.mktemp("owner") / "memory") as made:
        told(made.engine)
        merged(made.engine)
        yield made


def test_the_filter_of_the_timeline_names_them_once_and_finds_all_they_said(context: AppContext) -> None:
    names = [name for name, _ in choices(context.engine, SPACE)[0]]
    assert sorted(names) == ["Assistant", "Jo", "Lena", "Udo", YOU, "anybody"]
    found = view(context, TimelineSelection(SPACE, person=YOU))
    assert found.extent.segments == 6 and "mara" not in repr(found.lanes).lower()


def test_an_address_with_one_of_their_names_is_theirs(context: AppContext) -> None:
    assert view(context, TimelineSelection(SPACE, person="mara.k")).extent.segments == 6


def test_the_timeline_has_one_lane_and_one_colour_for_them(context: AppContext) -> None:
    found = view(context, TimelineSelection(SPACE, colour="person"))
    assert sorted(lane.label for lane in found.lanes) == ["Jo", "Lena", "Udo", YOU]
    assert {one.title for one in found.legend} <= {"Jo", "Lena", "Udo", YOU}


def test_a_change_told_under_two_names_is_one_change_of_theirs(engine: Engine) -> None:
    later = replace(chat("later", "Mara", "I live in Leipzig."), started_at=MAY + timedelta(days=90))
    turns = [replace(turn, at=MAY + timedelta(days=90)) for turn in later.turns]
    engine.ingest([chat("first", "User", "I live in Bristol."), replace(later, turns=turns)])
    engine.extract()
    (mark,) = changes(engine, BrowseFilter(SPACE))
    assert mark.title.split("\n")[1].startswith("You: lives in Leipzig") and "Bristol" in mark.title


def test_the_graph_has_one_node_for_them_and_opens_all_they_said(context: AppContext) -> None:
    labels = [one.label for one in overview(context.engine, SPACE).nodes if one.kind == PERSON]
    assert "User" not in labels and "Mara" not in labels and "mara.k" not in labels
    patch = around(context.engine, SPACE, NodeKey(PERSON, YOU))
    (mine,) = [one for one in patch.nodes if one.kind == PERSON]
    assert (mine.label, mine.count) == (YOU, 6)


def test_the_charts_have_one_bar_for_them_and_a_click_reads_all_they_said(context: AppContext) -> None:
    bars = people(ask(context.engine, "people", SPACE)).data
    assert {name for bar in bars for name in bar.y} == {YOU, "Assistant", "Lena", "Jo", "Udo"}
    assert {name for bar in people_months(ask(context.engine, "people_months", SPACE)).data for name in bar.y} == {
        YOU,
        "Assistant",
        "Lena",
        "Jo",
        "Udo",
    }
    html = drill_down_html(context.engine, SPACE, pick("speaker", YOU), DateRange())
    assert "6 memories" in html and "Mara:" not in html and "You: Soup for lunch." in html


def test_whoever_was_decided_to_be_them_is_part_of_them_in_the_list_of_people(context: AppContext) -> None:
    you = next(row for row in listed(context.engine, SPACE) if row.is_you)
    assert set(you.names) == {"User", "Mara", "mara.k", "Jo"} and you.id == you.parts[0].id


def test_a_line_of_theirs_is_yours_whatever_an_export_calls_them() -> None:
    assert render.speaker("Mara", Role.USER) == YOU and render.speaker("Lena", Role.PERSON) == "Lena"
    assert render.speaker("Lena") == "Lena" and render.speaker("User") == YOU


def test_a_message_of_theirs_between_people_is_theirs_in_the_reader_and_in_the_preview(context: AppContext) -> None:
    engine = context.engine
    between = engine.sql("SELECT segment FROM v_lines WHERE role = 'person' AND person = 'You' LIMIT 1").rows[0][0]
    html = reader_view.as_html(reader_view.read(engine, between, SPACE))
    assert '<span class="pmg-who">You</span>' in html and "Mara</span>" not in html and "mara.k</span>" not in html
    found = preview(engine, engine.segment(between).lines[0].text, SPACE, {}, None)
    assert {line.speaker for one in found.recalled.segments for line in one.lines} & {"Mara", "mara.k", "User"} == set()


def test_what_an_answer_quotes_of_them_is_theirs(context: AppContext) -> None:
    engine = context.engine
    rows = engine.sql("SELECT segment, position FROM v_lines WHERE person = 'You' AND speaker <> 'You'").rows
    quotes = [Quote(name, line, 0, 4, "text", "somebody", MAY, "title") for name, line in rows]
    assert len(quotes) > 3 and {one.speaker for one in speakers.named_quotes(engine, quotes)} == {YOU}
    unkept = Quote("", 0, 0, 4, "text", "Lena", MAY, "title")
    assert speakers.named_quotes(engine, [unkept]) == (unkept,)


def test_a_message_of_theirs_between_people_stands_on_their_side_and_asks_nobody_again(context: AppContext) -> None:
    log = chat_view.view(context.engine, "thread", [], SPACE).log
    assert 'class="pmg-turn mine"' in log and "data-do" not in log
