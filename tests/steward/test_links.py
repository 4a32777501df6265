"""Links: pruned, learnt, caught up with, and made by hand; every one of it can be undone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Kind, Origin
from pmg.engine import Engine
from pmg.store.maintenance import EdgeRow, EdgeUse
from pmg.store.rows import NewEdges, RecallRecord
from steward.links import LinksPlan, learnt
from steward.steward import Steward
from tests.steward.memories import NOON, snapshot, tell
from tests.stores import store_of

BREAD = "The sourdough bread needs flour, yeast and a hot oven; baking number"
RELEASE = "The deployment of the release is blocked by version number"


def edge(weight: float) -> EdgeRow:
    return EdgeRow(1, 2, Kind.SEMANTIC, weight, Origin.AUTO, 0)


def test_a_used_link_gains_an_unused_one_decays_and_both_stay_in_bounds() -> None:
    ((_, up),) = learnt([EdgeUse(edge(0.7), 1, 0)], 0.05, 0.6)
    ((_, down),) = learnt([EdgeUse(edge(0.7), 0, 1)], 0.05, 0.6)
    assert 0.7 < up.weight < 0.72
    assert 0.698 < down.weight < 0.7
    ((_, top),) = learnt([EdgeUse(edge(0.7), 10_000, 0)], 0.5, 0.6)
    ((_, bottom),) = learnt([EdgeUse(edge(0.7), 0, 10_000)], 0.5, 0.6)
    assert top.weight <= 1.0
    assert bottom.weight >= 0.6 - 1e-6
    assert learnt([EdgeUse(edge(0.7), 0, 0)], 0.05, 0.6) == []


def linked_memory(engine: Engine, count: int = 4) -> Steward:
    for i in range(count):
        tell(engine, f"bread{i}", f"{BREAD} {i}x.", at=NOON + timedelta(days=i))
        tell(engine, f"release{i}", f"{RELEASE} {i}y.", at=NOON + timedelta(days=i))
    return Steward(engine, lambda: NOON + timedelta(days=9))


def test_weights_are_learnt_from_the_recall_log_once_and_can_be_undone(engine: Engine) -> None:
    steward = linked_memory(engine)
    before = snapshot(engine)
    numbers = [engine.segment(f"seg_bread{i}_0").number for i in range(2)]
    record = RecallRecord(
        NOON, "default", "bread", "fixed", 1.0, [(numbers[0], "entry", 1.0), (numbers[1], "lateral", 0.5)]
    )
    store_of(engine).record_recalls([record])
    plan = steward.plan(["links"])["links"]
    assert isinstance(plan, LinksPlan)
    for old, new in plan.weights:
        both = {old.source, old.target} == set(numbers)
        assert (new.weight > old.weight) == both
    assert any({old.source, old.target} == set(numbers) for old, _ in plan.weights)
    report = steward.run(["links"])
    again = steward.plan(["links"])["links"]
    assert isinstance(again, LinksPlan)
    assert again.weights == ()
    steward.undo(report.run)
    assert snapshot(engine)["edges"] == before["edges"]


def test_links_beyond_the_cap_are_dropped_weakest_first(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine(config={"ingest": {"edge_cap": 3}})
    tell(engine, "one", *(f"The soup needs {i} lentils." for i in range(6)))
    target = np.array([2, 3, 4, 5, 6], dtype=np.int64)
    weights = np.array([0.9, 0.5, 0.8, 0.6, 0.7], dtype=np.float32)
    store_of(engine).put_edges(NewEdges(np.full(5, 1), target, [Kind.SEMANTIC] * 5, weights))
    steward = Steward(engine, lambda: NOON)
    before = snapshot(engine)
    steward.run(["links"])
    left = {e.target: e.weight for e in engine.edges("seg_one_0") if e.kind is Kind.SEMANTIC}
    assert sorted(left) == ["seg_one_1", "seg_one_3", "seg_one_5"]
    steward.undo("last")
    assert snapshot(engine)["edges"] == before["edges"]


TEXTS = ("The cat purrs.", "Bread needs a hot oven.", "The deploy was blocked.")


@pytest.fixture
def three(engine: Engine) -> list[str]:
    return [tell(engine, f"s{i}", text)[0] for i, text in enumerate(TEXTS)]


def supports(engine: Engine, name: str) -> int:
    return sum(edge.kind is Kind.SUPPORTS for edge in engine.edges(name))


def test_undo_of_a_link_and_of_its_removal_brings_every_row_back(engine: Engine, three: list[str]) -> None:
    a, b, _ = three
    steward = Steward(engine)
    engine.link(a, b, Kind.SUPPORTS, 0.25)
    first = snapshot(engine)
    steward.link(a, b, Kind.SUPPORTS)  # takes the place of the weaker one
    assert supports(engine, a) == 1
    steward.undo("last")
    assert snapshot(engine) == first
    steward.unlink(a, b, Kind.SUPPORTS)
    assert supports(engine, a) == 0
    steward.undo("last")
    assert snapshot(engine) == first


def test_what_was_linked_again_is_not_doubled_by_an_undo(engine: Engine, three: list[str]) -> None:
    a, b, _ = three
    steward = Steward(engine)
    for deed in (steward.link, steward.unlink, steward.link):
        deed(a, b, Kind.SUPPORTS)
    again, removed, made = steward.history()
    with pytest.raises(InputError, match=rf"linked again\. Undo entry {again.id} \(link"):
        steward.undo(str(removed.id))
    with pytest.raises(InputError, match="was changed since"):
        steward.undo(str(made.id))
    for entry in (again, removed):
        steward.undo(str(entry.id))
    assert supports(engine, a) == 1


def test_a_link_that_is_not_there_or_makes_no_sense_is_told_and_leaves_no_entry(
    engine: Engine, three: list[str]
) -> None:
    a, b, c = three
    steward = Steward(engine)
    with pytest.raises(NotFound, match="no supports link"):
        steward.unlink(a, b, Kind.SUPPORTS)
    with pytest.raises(InputError):
        steward.link(a, c, Kind.CHAIN)
    with pytest.raises(InputError):
        steward.link(a, a, Kind.SUPPORTS)
    assert steward.history() == []
