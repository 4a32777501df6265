"""Links by hand: one of a kind between two memories, in the history, and undone in any order that makes sense."""

from __future__ import annotations

import pytest

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Kind
from pmg.engine import Engine
from steward.steward import Steward
from tests.steward.memories import snapshot, tell

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
