"""The reader: a memory in its session, with its links; what a person does with it; nothing reaches in a namespace."""

from __future__ import annotations

import pytest

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Kind, Line, Role, State, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.ui import render
from pmg.ui.app_context import AppContext
from pmg.ui.reader import actions, reader_view
from steward.steward import Steward
from tests.steward.memories import NOON, tell
from tests.ui.hostile import HOSTILE, IMAGE, alive

TALK = (
    "The cat sleeps.",
    "A cat purrs at the vet.",
    "We bake bread.",
    "The dough needs flour.",
    "My bike has a wheel.",
)


@pytest.fixture
def context(engine: Engine) -> AppContext:
    return AppContext(engine, Steward(engine))


def test_a_memory_is_read_with_its_neighbours_in_order(engine: Engine) -> None:
    ids = tell(engine, "talk", *TALK)
    reading = reader_view.read(engine, ids[2], "default", near=1)
    assert [s.id for s in reading.before] == [ids[1]]
    assert [s.id for s in reading.after] == [ids[3]]
    assert {tie.other.id for tie in reading.chain} == {ids[1], ids[3]}


def test_links_are_grouped_and_seen_from_the_memory_that_is_read(engine: Engine) -> None:
    old, new = tell(engine, "a", "The cat purrs.")[0], tell(engine, "b", "The cat purrs at the vet, kitten.")[0]
    engine.link(new, old, Kind.SUPPORTS)
    (outward,) = [tie for tie in reader_view.read(engine, new, "default").typed if tie.kind is Kind.SUPPORTS]
    (inward,) = [tie for tie in reader_view.read(engine, old, "default").typed if tie.kind is Kind.SUPPORTS]
    assert (outward.says, inward.says) == ("supports", "supported by")
    assert reader_view.read(engine, new, "default").semantic[0].other.id == old


def test_every_other_memory_can_be_walked_to(engine: Engine) -> None:
    old, new = tell(engine, "a", "The cat purrs.")[0], tell(engine, "b", "The cat purrs at the vet.", "Bread.")[0]
    html = reader_view.as_html(reader_view.read(engine, new, "default"))
    assert f'data-pick="{old}"' in html
    assert 'data-pick="seg_b_1"' in html


def test_a_memory_in_another_namespace_is_not_there(engine: Engine) -> None:
    (secret,) = tell(engine, "diary", "The cat knows.", namespace="private")
    for ask in (
        lambda: reader_view.read(engine, secret, "default"),
        lambda: actions.what_would_go(engine, secret, "default"),
        lambda: actions.turn_pin(AppContext(engine, Steward(engine)), secret, "default"),
    ):
        with pytest.raises(NotFound):
            ask()


def test_hostile_text_is_only_text(engine: Engine, context: AppContext) -> None:
    (first, _) = tell(engine, "talk", HOSTILE, HOSTILE + " cat")
    context.steward.tag(first, [IMAGE])
    html = reader_view.as_html(reader_view.read(engine, first, "default"))
    assert not alive(html)
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "\\x1b[31m" in html


def test_hostile_titles_sources_and_speakers_are_only_text(engine: Engine) -> None:
    with engine.session(IMAGE, source=IMAGE, session_id="s") as talk:
        talk.add(lines=[Line(IMAGE, Role.PERSON, "hello")], meta={IMAGE: IMAGE})
    html = reader_view.as_html(reader_view.read(engine, "seg_s_0", "default"))
    assert not alive(html)
    assert html.count("&lt;img src=x") >= 4


def test_pinning_turns_and_a_pinned_memory_is_not_archived(engine: Engine, context: AppContext) -> None:
    first = tell(engine, "talk", *TALK)[0]
    actions.turn_pin(context, first, "default")
    assert engine.segment(first).pinned
    with pytest.raises(InputError, match="unpin"):
        actions.turn_archive(context, first, "default")
    actions.turn_pin(context, first, "default")
    assert not engine.segment(first).pinned


def test_archiving_takes_a_memory_out_of_recall_and_undo_brings_it_back(engine: Engine, context: AppContext) -> None:
    first = tell(engine, "talk", *TALK)[0]
    actions.turn_archive(context, first, "default")
    assert engine.segment(first).state is State.ARCHIVED
    assert first not in [s.id for s in engine.recall("cat sleeps", count=False).segments]
    context.steward.undo("last")
    assert engine.segment(first).state is State.ACTIVE
    assert first in [s.id for s in engine.recall("cat sleeps", count=False).segments]


def test_restoring_is_the_same_button(engine: Engine, context: AppContext) -> None:
    first = tell(engine, "talk", *TALK)[0]
    actions.turn_archive(context, first, "default")
    actions.turn_archive(context, first, "default")
    assert engine.segment(first).state is State.ACTIVE


def test_tags_are_each_kept_once_and_leave_no_word_in_the_history(engine: Engine, context: AppContext) -> None:
    first = tell(engine, "talk", *TALK)[0]
    actions.put_tags(context, first, "default", "pets, to  do, pets,, ")
    assert engine.segment(first).tags == ("pets", "to do")
    (entry,) = [e for e in context.steward.history() if e.action == "tags"]
    assert "pets" not in entry.before + entry.after + entry.reason


def test_too_many_or_too_long_tags_are_refused_with_the_mend() -> None:
    with pytest.raises(InputError, match="20 at most"):
        reader_view.tags_from(",".join(str(i) for i in range(21)))
    with pytest.raises(InputError, match="shorten"):
        reader_view.tags_from("x" * 41)


def test_a_link_is_made_and_removed(engine: Engine, context: AppContext) -> None:
    a, _, c, *_ = tell(engine, "talk", *TALK)
    actions.link(context, a, c, "contradicts", "default")
    ((_, name),) = [row for row in actions.removable(reader_view.read(engine, c, "default")) if "contradicts" in row[1]]
    actions.unlink(context, c, name, "default")
    assert not [edge for edge in engine.edges(a) if edge.kind is Kind.CONTRADICTS]


def test_links_by_hand_stand_in_the_history_and_can_be_taken_back(engine: Engine, context: AppContext) -> None:
    a, _, c, *_ = tell(engine, "talk", *TALK)
    actions.link(context, a, c, "contradicts", "default")
    context.steward.undo("last")
    assert not [edge for edge in engine.edges(a) if edge.kind is Kind.CONTRADICTS]
    actions.link(context, a, c, "contradicts", "default")
    before = engine.edges(a)
    actions.unlink(context, c, f"contradicts {a} {c}", "default")
    context.steward.undo("last")
    assert engine.edges(a) == before
    assert {c} <= {s.id for s in engine.recall("cat", mode="fixed", count=False).segments}
    assert [e.action for e in context.steward.history() if e.action != "undo"] == ["unlink", "link", "link"]


def test_a_link_of_other_memories_is_not_removed_from_here(engine: Engine, context: AppContext) -> None:
    a, b, c, *_ = tell(engine, "talk", *TALK)
    actions.link(context, a, c, "contradicts", "default")
    with pytest.raises(InputError):
        actions.unlink(context, b, f"contradicts {a} {c}", "default")


def test_the_other_end_of_a_link_is_found_by_words_and_is_never_itself(engine: Engine) -> None:
    a, b, *_ = tell(engine, "talk", *TALK)
    found = [name for _, name in actions.others(engine, a, "default", "cat")]
    assert b in found
    assert a not in found


def test_forgetting_tells_first_and_then_leaves_nothing(engine: Engine) -> None:
    first = tell(engine, "talk", f"The zanzibarian cat. {IMAGE}", *TALK)[0]
    told = actions.what_would_go(engine, first, "default")
    assert "cannot be undone" in told
    assert "zanzibarian" in told
    assert not alive(told)
    assert engine.segment(first)
    receipt = actions.forget(engine, first, "default", lambda what, done, total: None)
    assert "no trace of it" in receipt
    with pytest.raises(NotFound):
        reader_view.read(engine, first, "default")
    assert "zanzibarian" not in engine.recall("zanzibarian cat", count=False).context


def test_a_title_that_only_repeats_how_the_talk_begins_is_left_out(engine: Engine) -> None:
    said = "What did the MRI of my knee show, and when was it?"
    turn = Turn((Line("User", Role.USER, said), Line("Assistant", Role.ASSISTANT, "A small tear.")), NOON)
    engine.ingest(
        [SessionInput([turn], "What did the MRI of my…", id="unnamed"), SessionInput([turn], "Knee", id="named")]
    )
    unnamed, named = (
        reader_view.as_html(reader_view.read(engine, f"seg_{name}_0", "default")) for name in ("unnamed", "named")
    )
    assert "<h3" not in unnamed and said in unnamed
    assert "Knee</h3>" in named


def test_a_title_repeats_a_text_that_begins_with_it() -> None:
    assert render.repeats("What did the  MRI …", "what did the MRI show?")
    assert not render.repeats("The MRI", "What did the MRI show?")
    assert not render.repeats("", "What did the MRI show?")
