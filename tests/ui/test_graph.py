"""The graph: from one memory outward, never everything; topics as bubbles; the same picture every time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

from pmg.engine import Engine
from pmg.errors import NotFound
from pmg.figures.layout import apart, forces, rings
from pmg.model import Kind
from pmg.ui.app_context import AppContext
from pmg.ui.graph import graph_view
from pmg.ui.graph.graph_tab import onward
from pmg.ui.graph.graph_view import GraphScene, around, overview, scene, searched, walked_into
from tests.steward.memories import tell
from tests.ui.hostile import HOSTILE, IMAGE, alive
from tests.ui.memories import opened, talks

WORDS = ("cat", "dog", "bread", "soup")


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
        )
        tell(made.engine, "secret", "The cat number 30 of many.", namespace="private")
        made.steward.run(["links"])
        yield made


def test_a_neighbourhood_stays_readable_however_much_is_linked(context: AppContext) -> None:
    found = around(context.engine, "seg_s30_0", "default", hops=3)
    assert 20 < len(found.near) <= graph_view.MOST_NODES
    assert found.left_out > 0
    names = {one.id for one in found.near}
    assert all(link.a in names and link.b in names for link in found.links)
    assert len(found.links) <= len(found.near) - 1 + graph_view.EXTRA_LINKS


def test_every_neighbour_hangs_on_one_that_is_nearer(context: AppContext) -> None:
    near = around(context.engine, "seg_s30_0", "default", hops=3).near
    hop = {one.id: one.hop for one in near}
    assert near[0].parent == ""
    assert all(hop[one.parent] == one.hop - 1 for one in near[1:])


def test_a_typed_link_comes_before_likeness(engine: Engine) -> None:
    talks(engine, {"a": ("The cat purrs.",), "b": ("We bake bread.",), "c": ("The cat purrs at the vet.",)})
    engine.link("seg_c_0", "seg_b_0", Kind.CONTRADICTS, 0.1)
    near = around(engine, "seg_c_0", "default", hops=1).near
    assert [one.id for one in near] == ["seg_c_0", "seg_b_0", "seg_a_0"]


def test_only_the_kinds_that_were_asked_for_are_followed(context: AppContext) -> None:
    found = around(context.engine, "seg_s30_0", "default", hops=2, kinds=["chain"])
    assert {one.id for one in found.near} == {"seg_s30_0", "seg_s30_1"}


def test_the_same_memory_draws_the_same_picture(context: AppContext) -> None:
    kinds = [kind.value for kind in Kind]
    first, second = (scene(context.engine, "seg_s30_0", "default", 2, kinds) for _ in range(2))
    assert first.figure.to_json() == second.figure.to_json()


def test_nothing_is_shown_from_behind_another_wall(context: AppContext) -> None:
    with pytest.raises(NotFound):
        around(context.engine, "seg_secret_0", "default")
    assert "secret" not in scene(context.engine, "seg_s00_0", "default", 3, list(Kind)).figure.to_json()


def test_topics_are_bubbles_that_lead_to_a_memory_of_theirs(context: AppContext) -> None:
    seen = overview(context, "default")
    names = seen.figure.data[-1].customdata
    assert len(names) == len(context.steward.topics("default")) >= 2
    into = walked_into(context, names[0], "default", 2, list(Kind))
    largest = max(context.steward.topics("default"), key=lambda topic: (len(topic.members), -topic.id))
    assert context.engine.segment(into.middle).number in largest.members
    assert overview(context, "nowhere").figure.layout.annotations[0].text.startswith("No topics yet")


def test_a_topic_that_is_gone_is_said_so(context: AppContext) -> None:
    with pytest.raises(NotFound, match="gone"):
        walked_into(context, "topic:999", "default", 2, list(Kind))


def test_a_search_puts_the_best_memory_in_the_middle(context: AppContext) -> None:
    found = searched(context, "soup number 47", "default", 1, list(Kind))
    assert found.middle == "seg_s47_0"
    assert "Nothing was found" in searched(context, "xyzzy", "nowhere", 1, list(Kind)).figure.layout.annotations[0].text


def test_hostile_text_is_only_text(engine: Engine) -> None:
    tell(engine, "x", HOSTILE, HOSTILE + " cat", IMAGE)
    drawn = scene(engine, "seg_x_1", "default", 2, list(Kind))
    assert not alive(drawn.figure.to_json().encode().decode("unicode_escape"))
    assert not alive(drawn.html)


def test_the_trail_grows_with_steps_and_not_with_staying() -> None:
    here = GraphScene(None, "", "b")  # type: ignore[arg-type]
    assert onward(["a"], "b", here) == ["a"]
    assert onward(["a"], "c", here) == ["a", "c"]


def test_rings_use_the_whole_circle() -> None:
    placed = rings(dict.fromkeys(range(1, 9), 0), range(9))
    angles = sorted(math.atan2(y, x) for x, y in list(placed.values())[1:])
    gaps = [b - a for a, b in itertools.pairwise(angles)]
    assert max(gaps) - min(gaps) < 1e-6


def test_boxes_are_pushed_apart_and_forces_draw_linked_ones_together() -> None:
    placed = apart(np.zeros((5, 2)), np.full((5, 2), 0.3))
    for i in range(5):
        for j in range(i):
            assert np.any(np.abs(placed[i] - placed[j]) >= 0.29)
    three = forces([0.1] * 3, [(0, 1, 1.0)])
    assert np.linalg.norm(three[0] - three[1]) < np.linalg.norm(three[0] - three[2])
