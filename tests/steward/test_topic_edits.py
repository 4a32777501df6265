"""Topics by hand: named, merged, split and pinned; kept by the next run; undone exactly or refused with the reason."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pmg import forget as forgetting
from pmg.base.errors import InputError, NotFound
from pmg.engine import Engine
from pmg.forget import Selection
from pmg.store.maintenance import Topic
from steward.steward import Steward
from tests.steward.memories import NOON, tell
from tests.steward.test_topics import BREAD, kinds, memory
from tests.stores import store_of


@pytest.fixture
def steward(engine: Engine) -> Steward:
    made = memory(engine)
    made.run(["links"])
    return made


def of_kind(steward: Steward, kind: str) -> Topic:
    return next(topic for topic in steward.topics() if kind in kinds(steward.engine, topic))


def test_a_name_given_by_hand_stays_and_can_be_undone(steward: Steward) -> None:
    before = steward.topics()
    bread = of_kind(steward, "bread")
    steward.rename_topic(bread.id, "  Baking   days ")
    assert of_kind(steward, "bread").name == "Baking days"
    tell(steward.engine, "bread9", f"{BREAD} 9x.", "Bake.", at=NOON + timedelta(days=40))
    steward.run(["links"])
    assert of_kind(steward, "bread").name == "Baking days"
    steward.undo("last")  # the run in between found nothing to change that could be undone
    assert of_kind(steward, "bread").name == bread.name
    assert {topic.id for topic in steward.topics()} == {topic.id for topic in before}


@pytest.mark.parametrize("name", ["", "   ", "x" * 81])
def test_a_name_that_is_none_is_refused(steward: Steward, name: str) -> None:
    with pytest.raises(InputError, match="1 to 80 characters"):
        steward.rename_topic(steward.topics()[0].id, name)


def test_merged_topics_stay_together_in_the_next_run_and_come_apart_by_undo(steward: Steward) -> None:
    before = steward.topics()
    bread, cats = of_kind(steward, "bread"), of_kind(steward, "cat")
    steward.merge_topics([bread.id, cats.id])
    steward.run(["links"])
    both = of_kind(steward, "bread")
    assert kinds(steward.engine, both) == {"bread", "cat"}
    assert (both.id, both.pinned) == (bread.id, True)
    entry = next(e for e in steward.history() if e.action == "merge topics")
    steward.undo(str(entry.id))
    assert steward.topics() == before


def test_a_split_topic_stays_split_and_comes_together_by_undo(steward: Steward) -> None:
    merged = steward.merge_topics([of_kind(steward, "bread").id, of_kind(steward, "cat").id])
    before = steward.topics()
    parts = steward.split_topic(merged.id)
    assert len(parts) >= 2
    assert sorted(member for part in parts for member in part.members) == sorted(merged.members)
    assert all(len(kinds(steward.engine, part)) == 1 for part in parts)
    steward.run(["links"])
    assert {topic.id for topic in steward.topics()} >= {part.id for part in parts}
    steward.undo(str(next(e for e in steward.history() if e.action == "split topic").id))
    assert steward.topics() == before


def test_what_is_new_may_join_a_pinned_topic(steward: Steward) -> None:
    bread = of_kind(steward, "bread")
    steward.pin_topic(bread.id)
    tell(steward.engine, "bread9", f"{BREAD} 9x.", "Bake in the oven.", at=NOON + timedelta(days=40))
    steward.run(["links"])
    now = of_kind(steward, "bread")
    assert now.pinned
    assert len(now.members) == len(bread.members) + 2
    assert not steward.pin_topic(bread.id, False).pinned


def test_an_undo_that_a_later_change_stands_on_is_refused_with_what_to_undo_first(steward: Steward) -> None:
    bread = of_kind(steward, "bread")
    steward.rename_topic(bread.id, "One")
    steward.rename_topic(bread.id, "Two")
    first, second = sorted(e.id for e in steward.history() if e.action == "rename topic")
    with pytest.raises(InputError, match=f"Undo entry {second}"):
        steward.undo(str(first))
    steward.undo(str(second))
    steward.undo(str(first))
    assert of_kind(steward, "bread").name == bread.name


def test_the_journal_holds_no_name_and_forgetting_takes_the_old_ones(steward: Steward) -> None:
    bread = of_kind(steward, "bread")
    steward.rename_topic(bread.id, "Canarybread")
    rows = store_of(steward.engine).database.rows
    assert not rows("SELECT 1 FROM journal WHERE contains(before || after || reason, 'Canary')")
    plan = forgetting.plan(steward.engine, Selection(topic="Canarybread"))
    forgetting.forget(steward.engine, plan)
    assert not rows("SELECT 1 FROM meta WHERE contains(value, 'Canary')")
    assert not rows("SELECT 1 FROM topics WHERE contains(name, 'Canary')")


def test_a_topic_of_another_namespace_is_not_known(steward: Steward) -> None:
    number = steward.topics()[0].id
    with pytest.raises(NotFound):
        steward.rename_topic(number, "Mine now", namespace="other")
    with pytest.raises(NotFound):
        steward.merge_topics([number, 999])
