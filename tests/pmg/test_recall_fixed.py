"""The published rule of recall: floor, entries, lateral and vertical neighbours, and a complete receipt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pmg.base.model import State
from pmg.engine import Engine
from pmg.recall.receipt import Recalled
from pmg.store.rows import StateChange
from tests.stores import store_of

CHAIN = ("first of all", "nothing much", "the cat has to see the vet", "and then", "at the end")


@pytest.fixture(scope="module")
def engine(open_shared_engine: Callable[..., Engine]) -> Engine:
    """Read only."""
    return filled(open_shared_engine)


@pytest.fixture
def own(open_engine: Callable[..., Engine]) -> Engine:
    """For what changes it."""
    return filled(open_engine)


def filled(opener: Callable[..., Engine]) -> Engine:
    opened = opener(config={"recall": {"mode": "fixed", "top_k": 1}})
    with opened.session("Cats", session_id="chain") as session:
        for text in CHAIN:
            session.add(user=text)
    for name, text in (("kitten", "a kitten and a pet"), ("bread", "bread in the oven"), ("soup", "soup for dinner")):
        with opened.session(session_id=name) as session:
            session.add(user=text)
    return opened


def roles(found: Recalled) -> dict[str, str]:
    return {entry.segment: entry.role for entry in found.receipt.found}


def test_an_entry_brings_its_neighbours_in_the_chain_and_along_links(engine: Engine) -> None:
    found = engine.recall("vet")
    assert roles(found) == {
        "seg_chain_2": "entry",
        "seg_kitten_0": "lateral",
        "seg_chain_1": "vertical",
        "seg_chain_3": "vertical",
        "seg_chain_0": "vertical",
        "seg_chain_4": "vertical",
    }
    assert [s.id for s in found.segments] == [entry.segment for entry in found.receipt.found]


@pytest.mark.parametrize(("vertical", "count"), [(0, 2), (1, 4), (2, 6), (50, 6)])
def test_the_reach_in_the_chain_is_configurable(engine: Engine, vertical: int, count: int) -> None:
    assert len(engine.recall("vet", vertical=vertical).segments) == count


def test_the_number_of_links_followed_is_configurable(engine: Engine) -> None:
    assert "lateral" not in roles(engine.recall("vet", lateral=0)).values()


def test_the_number_of_entries_is_configurable(engine: Engine) -> None:
    found = roles(engine.recall("vet bread soup", top_k=3, vertical=0))
    assert {name for name, role in found.items() if role == "entry"} == {"seg_chain_2", "seg_bread_0", "seg_soup_0"}


def test_every_memory_in_the_answer_has_its_path_and_its_reasons(engine: Engine) -> None:
    found = engine.recall("vet")
    by_name = {entry.segment: entry for entry in found.receipt.found}
    entry = by_name["seg_chain_2"]
    assert {s.name: s.rank for s in entry.signals} == {"meaning": 2, "words": 1}
    assert sum(s.share for s in entry.signals) == pytest.approx(1, abs=0.001)
    lateral = by_name["seg_kitten_0"]
    assert (lateral.via, lateral.edge) == ("seg_chain_2", "semantic")
    assert (by_name["seg_chain_1"].via, by_name["seg_chain_1"].edge) == ("seg_chain_2", "chain")
    assert all(e.why and e.in_context and e.tokens for e in found.receipt.found)
    assert found.receipt.used_tokens <= found.receipt.budget_tokens


def test_what_was_left_out_has_its_reason(engine: Engine) -> None:
    found = engine.recall("vet bread", exclude_session="bread", vertical=0, lateral=0)
    reasons = {d.segment: d.reason for d in found.receipt.dropped}
    assert reasons["seg_bread_0"] == "of the current session"
    found = engine.recall("vet soup", vertical=0)
    assert any("not among the first 1 entries" in d.reason for d in found.receipt.dropped)
    low = engine.recall("vet", top_k=50, vertical=0, lateral=0)
    assert any("under the floor 0.60" in d.reason for d in low.receipt.dropped)


@pytest.mark.parametrize("mode", ["fixed", "diffuse"])
def test_what_the_asker_has_already_comes_neither_as_an_entry_nor_beside_one(engine: Engine, mode: str) -> None:
    has = [engine.segment(name).number for name in ("seg_chain_1", "seg_kitten_0")]
    found = engine.recall("vet kitten", mode=mode, exclude_segments=has)
    assert {one.number for one in found.segments} and not {one.number for one in found.segments} & set(has)
    assert {d.segment: d.reason for d in found.receipt.dropped}["seg_kitten_0"] == "given before"


def test_the_floor_is_for_what_is_found_by_meaning_alone(open_engine: Callable[..., Engine], own: Engine) -> None:
    own.close()
    strict = open_engine(config={"recall": {"mode": "fixed"}, "thresholds": {"floor": 1.0}})
    assert roles(strict.recall("purr leash", vertical=0)) == {}  # a cat's and a dog's word that nobody said
    assert roles(strict.recall("see leash", vertical=0, lateral=0)) == {"seg_chain_2": "entry"}


def test_what_is_in_the_conversation_already_is_not_repeated(engine: Engine) -> None:
    found = engine.recall("vet", active_context=["a pet, a vet, a cat"], top_k=3, vertical=0, lateral=0)
    assert "seg_chain_2" not in roles(found)
    reasons = {d.segment: d.reason for d in found.receipt.dropped}
    assert reasons["seg_chain_2"] == "already in the conversation"


@pytest.mark.parametrize("state", [State.ARCHIVED, State.MERGED])
def test_archived_and_merged_memories_never_appear(own: Engine, state: State) -> None:
    number = own.segment("seg_chain_2").number
    other = own.segment("seg_kitten_0").number
    store_of(own).change_states([StateChange(number, state, other if state is State.MERGED else 0)])
    own.indexes.catch_up()
    found = own.recall("cat vet", top_k=10)
    assert "seg_chain_2" not in roles(found)
    assert "has to see the vet" not in found.context
    store_of(own).change_states([StateChange(number, State.ACTIVE)])
    own.indexes.catch_up()
    assert "seg_chain_2" in roles(own.recall("cat vet"))


def test_a_small_budget_drops_the_last_ones_and_says_so(engine: Engine) -> None:
    found = engine.recall("vet", budget_tokens=100)
    assert found.receipt.used_tokens <= 100
    assert found.receipt.found[0].in_context
    assert not all(e.in_context for e in found.receipt.found)


@pytest.mark.parametrize("fusion", ["score", "rrf"])
def test_both_fusions_find_what_both_searches_agree_on(engine: Engine, fusion: str) -> None:
    assert engine.recall("vet", fusion=fusion).segments[0].id == "seg_chain_2"
