"""The graph: the whole memory as what can be read of it, opened further in place; search finds words and nothing else; namespaces hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import gradio as gr
import pytest

from pmg.base.model import Kind
from pmg.chat import turn
from pmg.chat.responder_choice import Choice
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.store.graph import MEMORY, PERIOD, PERSON, SESSION, TOPIC, NodeKey, NodeLink
from pmg.ui import static_files
from pmg.ui.app_context import AppContext
from pmg.ui.graph import graph_data, graph_links, graph_picture, graph_search, graph_tab
from pmg.ui.graph.graph_data import GraphPatch
from pmg.ui.graph.graph_tab import event_text, shown
from tests.steward.memories import said, tell
from tests.ui.hostile import HOSTILE
from tests.ui.memories import opened, talks

WORDS = ("cat", "dog", "bread", "soup")
START = datetime(2024, 1, 5, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppContext]:
    """One for all: the tests that use it only look."""
    with opened(tmp_path_factory.mktemp("graph") / "memory") as made:
        talks(
            made.engine,
            {
                f"s{i:02}": (f"The {WORDS[i % 4]} number {i} of many.", f"And the {WORDS[i % 4]} says {i + 100}.")
                for i in range(60)
            },
            {f"s{i:02}": START + timedelta(days=8 * i) for i in range(60)},
        )
        tell(made.engine, "secret", "The cat number 30 of many.", namespace="private")
        made.steward.run(["links"])
        yield made


def kinds(patch: GraphPatch) -> dict[str, int]:
    return {kind: sum(node.kind == kind for node in patch.nodes) for kind in {node.kind for node in patch.nodes}}


def keys(patch: GraphPatch) -> list[NodeKey]:
    return [key for node in patch.nodes if (key := NodeKey.parse(node.id))]


def test_questions_that_were_asked_are_not_counted_among_the_memories(engine: Engine) -> None:
    talks(engine, {"a": ("The cat purrs.", "It sleeps."), "b": ("We bake bread.",)})
    list(turn.converse(engine, Choice(engine).now(), ChatTarget("default", "chat"), "Does the cat purr?"))
    drawn = graph_data.overview(engine, "default")
    assert "of 3 memories in all" in drawn.said and kinds(drawn)[MEMORY] == 3 and kinds(drawn)[SESSION] == 2


def test_the_script_begins_without_anything_that_gradio_hands_over_later() -> None:
    script = (static_files.FOLDER / "graph.js").read_text(encoding="utf-8")
    assert set(re.findall(r"props\.(\w+)", script)) == {"value"}
    assert all(json.dumps(styles) in graph_tab._START for styles in (graph_data.NODE_STYLES, graph_data.LINK_STYLES))


def test_a_small_memory_is_drawn_whole(engine: Engine) -> None:
    talks(engine, {"a": ("The cat purrs.", "It sleeps."), "b": ("We bake bread.",)})
    drawn = graph_data.overview(engine, "default")
    assert kinds(drawn)[MEMORY] == 3 and kinds(drawn)[SESSION] == 2
    assert {link.kind for link in drawn.links} >= {"in", "chain"}


def test_a_large_memory_is_drawn_as_topics_and_its_largest_sessions(context: AppContext) -> None:
    drawn = graph_data.overview(context.engine, "default")
    assert kinds(drawn)[TOPIC] >= 2 and kinds(drawn)[SESSION] == graph_picture.LANDMARKS
    assert PERIOD not in kinds(drawn) and MEMORY not in kinds(drawn), "time is no node"
    assert len(drawn.nodes) < 100
    assert "about" in {link.kind for link in drawn.links}


def test_before_topics_are_found_colours_tell_time_and_sessions_are_tied_to_people(engine: Engine) -> None:
    engine.ingest(
        SessionInput(
            [said(f"The {word} number {i}.", START + timedelta(days=8 * i), speaker=("Ana", "Ben")[i % 2])],
            f"s{i:02}",
            id=f"s{i:02}",
        )
        for i, word in enumerate(WORDS * 14)
    )
    drawn = graph_data.overview(engine, "default")
    assert {SESSION, PERSON} == set(kinds(drawn)) and kinds(drawn)[PERSON] == 2
    assert "by" in {link.kind for link in drawn.links}
    colours = [node.colour for node in sorted(drawn.nodes, key=lambda node: node.when) if node.kind == SESSION]
    ages = [graph_data.AGES.index(colour) for colour in colours]
    assert ages == sorted(ages) and ages[-1] > ages[0]
    assert "No topics yet" in drawn.said


def test_the_same_memory_gives_the_same_picture_under_a_new_number(context: AppContext) -> None:
    first, second = (graph_data.overview(context.engine, "default") for _ in range(2))
    assert first == second
    assert first.to_json()["serial"] != second.to_json()["serial"]


def test_every_node_opens_in_place_and_adds_only_what_is_new(context: AppContext) -> None:
    engine = context.engine
    there = keys(graph_data.overview(engine, "default"))
    for kind, into in ((TOPIC, SESSION), (SESSION, MEMORY), (MEMORY, MEMORY)):
        node = next(key for key in there if key.kind == kind)
        added = graph_data.opened(engine, "default", node, there)
        assert added.op == "add" and added.origin == node.id
        new = keys(added)
        assert new and not set(new) & set(there)
        assert any(key.kind == into for key in new)
        names = {key.id for key in new}
        assert added.links and all(link.source in names or link.target in names for link in added.links)
        there += new


def test_opening_again_goes_on_until_all_is_shown(engine: Engine) -> None:
    talks(engine, {"a": tuple(f"The cat number {i}." for i in range(30))})
    node = NodeKey(SESSION, "a")
    first = keys(graph_data.opened(engine, "default", node, [node]))
    second = keys(graph_data.opened(engine, "default", node, [node, *first]))
    held = [key for key in [*first, *second] if key.kind == MEMORY]
    assert len(held) == len(set(held)) == 30
    done = graph_data.opened(engine, "default", node, [node, *first, *second])
    assert not done.nodes and "already" in done.said


def test_a_neighbourhood_has_what_is_next_to_its_middle(context: AppContext) -> None:
    middle = NodeKey(MEMORY, "seg_s30_0")
    drawn = graph_data.around(context.engine, "default", middle)
    assert drawn.origin == middle.id
    assert {"memory:seg_s30_1", "session:s30"} <= {node.id for node in drawn.nodes}
    assert 5 < len(drawn.nodes) <= 1 + graph_picture.OPENED * (1 + graph_picture.BRANCHES) + 1


def test_a_typed_link_comes_before_likeness(engine: Engine) -> None:
    talks(engine, {"a": ("The cat purrs.",), "b": ("We bake bread.",), "c": ("The cat purrs at the vet.",)})
    engine.link("seg_c_0", "seg_b_0", Kind.CONTRADICTS, 0.1)
    near = graph_picture.opened(engine, "default", NodeKey(MEMORY, "seg_c_0"), [])
    assert [key.name for key in near if key.kind == MEMORY] == ["seg_b_0", "seg_a_0"]
    drawn = graph_data.around(engine, "default", NodeKey(MEMORY, "seg_c_0"))
    assert "contradicts" in {link.kind for link in drawn.links}


def test_nothing_is_shown_from_in_another_namespace(context: AppContext) -> None:
    engine = context.engine
    assert "secret" not in json.dumps(graph_data.overview(engine, "default").to_json())
    gone = graph_data.around(engine, "default", NodeKey(MEMORY, "seg_secret_0"))
    assert gone.origin == "" and "secret" not in json.dumps(gone.to_json())
    for kind, name in ((SESSION, "secret"), (MEMORY, "seg_secret_0")):
        assert not graph_data.opened(engine, "default", NodeKey(kind, name), []).nodes
    assert {node.kind for node in graph_data.overview(engine, "private").nodes} == {MEMORY, SESSION, PERSON}


def test_an_empty_memory_says_how_it_grows(engine: Engine) -> None:
    drawn = graph_data.overview(engine, "default")
    assert not drawn.nodes and "import" in drawn.said


def test_words_mark_what_has_them_and_what_holds_it(context: AppContext) -> None:
    engine = context.engine
    there = keys(graph_data.overview(engine, "default"))
    found = graph_search.found(engine, "default", "soup number 47", there)
    assert "memory:seg_s47_0" in found.hits
    assert any(hit.startswith("topic:") for hit in found.hits)
    assert {"memory:seg_s47_0", "session:s47"} <= {node.id for node in found.nodes} | {key.id for key in there}
    assert engine.counts().recalls == 0


def test_nonsense_finds_nothing(context: AppContext) -> None:
    there = keys(graph_data.overview(context.engine, "default"))
    found = graph_search.found(context.engine, "default", "xyzzy qwrtzp", there)
    assert (found.hits, found.nodes, found.links) == ((), (), ())


def test_hostile_text_carries_no_control_characters(engine: Engine) -> None:
    tell(engine, "x", HOSTILE, HOSTILE + " cat")
    assert "\x1b" not in "".join(node.label + node.title for node in graph_data.overview(engine, "default").nodes)


def test_people_who_speak_everywhere_are_left_out_and_others_are_drawn(engine: Engine) -> None:
    engine.ingest(
        SessionInput([said("The cat.", START), said("A dog.", START, speaker="Ben" if i % 3 else "Cleo")], id=f"p{i}")
        for i in range(9)
    )
    drawn = {node.label for node in graph_data.overview(engine, "default").nodes if node.kind == PERSON}
    assert drawn == {"Ana", "Ben", "Cleo"}
    talks(engine, {f"only{i}": ("The cat.",) * 10 for i in range(30)})
    drawn = {node.label for node in graph_data.overview(engine, "default").nodes if node.kind == PERSON}
    assert "Ana" not in drawn


def test_an_assistant_is_no_person(engine: Engine) -> None:
    with engine.session("Bread", session_id="bread") as talk:
        talk.add(user="We bake bread.", assistant="Let it rise.")
    talks(engine, dict.fromkeys(("a", "b"), ("The cat purrs.", "It sleeps.", "It eats.")))
    people = [key.name for key in engine.reads.graph.people("default", None, 9)]
    assert people and "Assistant" not in people


def test_of_many_links_the_strongest_stay_and_none_says_the_same_twice() -> None:
    session, topic, memory = NodeKey(SESSION, "s"), NodeKey(TOPIC, "1"), NodeKey(MEMORY, "m")
    links = [
        NodeLink(session, topic, "shared", 3, 1.0),
        NodeLink(session, topic, "linked", 9, 9.0),
        NodeLink(memory, topic, "shared", 1, 1.0),
        NodeLink(memory, session, "shared", 1, 1.0),
        *(NodeLink(session, NodeKey(TOPIC, str(i)), "shared", 1, 1.0) for i in range(2, 9)),
    ]
    kept = {(link.a.id, link.b.id, link.kind) for link in graph_links.kept(links)}
    assert ("session:s", "topic:1", "about") in kept and ("memory:m", "session:s", "in") in kept
    assert len(kept) == 2


def test_two_memories_are_joined_by_their_best_link_alone() -> None:
    a, b = NodeKey(MEMORY, "a"), NodeKey(MEMORY, "b")
    links = [NodeLink(a, b, kind, 1, 0.9) for kind in ("related_to", "semantic", "contradicts")]
    assert [link.kind for link in graph_links.kept(links)] == ["contradicts"]


def test_what_a_page_tells_is_not_taken_on_trust() -> None:
    event = gr.EventData(None, {"id": 3, "shown": ["memory:a", "nonsense", 4, "", "oven:x", ":", *["topic:1"] * 900]})
    assert event_text(event, "id") == "" and event_text(event, "missing") == ""
    assert shown(event)[:2] == [NodeKey(MEMORY, "a"), NodeKey(TOPIC, "1")]
    assert len(shown(event)) < 400
    assert shown(SimpleNamespace(_data=None)) == []  # type: ignore[arg-type]
    assert NodeKey.parse("session:a:b") == NodeKey(SESSION, "a:b")
